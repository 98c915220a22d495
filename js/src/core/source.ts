// Where does the WebAssembly come from? From `weft.wasm` beside the package's script, unless `init` is told otherwise.

import { FormatError } from "../errors.js";
import type { Ambient, AmbientModule } from "./ambient.js";

/**
 * Where WebAssembly comes from: an address, a response, its bytes, or a module compiled from them.
 *
 * @example
 * await init({ wasm: new URL("https://example.org/weft.wasm") });
 */
export type WasmSource = string | Ambient<"URL"> | Ambient<"Response"> | ArrayBuffer | ArrayBufferView<ArrayBuffer> | AmbientModule;

/** What `source`, or the package itself, can be compiled from. @internal */
export async function fetchWasm(source?: WasmSource): Promise<Response | BufferSource | WebAssembly.Module> {
  // Bundlers recognise this form and take the file along.
  const found = source ?? new URL("../../wasm/weft_wasm_bg.wasm", import.meta.url);
  if (!(found instanceof URL) && typeof found !== "string") return found;
  const url = new URL(found, globalThis.location?.href);
  if (url.protocol === "file:") return readFile(url);
  const response = await fetch(url);
  if (!response.ok) throw new FormatError("init", `${url.href} could not be fetched: ${response.status} ${response.statusText}`);
  return response;
}

/** Node's `fetch` knows no files. The module is asked for in this way because bundlers for pages refuse to see it imported. */
async function readFile(url: URL): Promise<BufferSource> {
  const node = globalThis.process?.getBuiltinModule?.("node:fs/promises");
  if (!node) throw new FormatError("init", `cannot read ${url.href}: pass the WebAssembly's bytes as init({ wasm })`);
  return node.readFile(url);
}
