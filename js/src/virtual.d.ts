/** The WebAssembly as base64. */
declare module "weft:wasm" {
  const base64: string;
  export default base64;
}
