// How does the package work where a script cannot fetch a file beside it, such as in a `data:` worker? The WebAssembly comes along in
// the script, as base64; the build puts it in.

import wasm from "weft:wasm";
import { init as initFrom, type DeviceInfo, type InitOptions } from "./index.js";

export * from "./index.js";

/** As `init` of the package's main entry, with the WebAssembly at hand. */
export function init(options: InitOptions = {}): Promise<DeviceInfo> {
  return initFrom({ wasm: bytes(), ...options });
}

function bytes(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(wasm), (character) => character.charCodeAt(0));
}
