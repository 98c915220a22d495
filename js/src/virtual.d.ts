/** The WebAssembly as base64. */
declare module "weft:wasm" {
  const base64: string;
  export default base64;
}

/** The part of the WebAssembly that few need, as base64. */
declare module "weft:rest" {
  const base64: string;
  export default base64;
}
