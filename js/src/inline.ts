// Entry for places where a script cannot fetch a file beside it, such as a `data:` worker. The
// script carries the WebAssembly as base64; the build puts it in.

import rest from "weft:rest";
import wasm from "weft:wasm";
import { decodeBase64 } from "./core/wasm/base64.js";
import { init as initFrom, type DeviceInfo, type InitOptions } from "./index.js";

export * from "./index.js";

/** The WebAssembly and its rest, decoded once. */
let bytes: { wasm: Uint8Array<ArrayBuffer>; rest: Uint8Array<ArrayBuffer> } | undefined;

/** As `init` of the package's main entry, with the WebAssembly at hand. */
export function init(options: InitOptions = {}): Promise<DeviceInfo> {
  bytes ??= { wasm: decodeBase64(wasm), rest: decodeBase64(rest) };
  return initFrom({ ...bytes, ...options });
}
