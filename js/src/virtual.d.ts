/** The WebAssembly as base64. */
declare module "weft:wasm" {
  const base64: string;
  export default base64;
}

/** The deferred part of the WebAssembly, as base64. */
declare module "weft:rest" {
  const base64: string;
  export default base64;
}
