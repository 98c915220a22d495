// Where does the WebAssembly come from, and what if it is something else? From `weft.wasm` beside the package's script, unless `init`
// is told otherwise.

import { FormatError, ValueError } from "../errors.js";
import type { Ambient, AmbientModule } from "./ambient.js";

/**
 * Where WebAssembly comes from: an address, a response, its bytes, or a module compiled from them.
 *
 * @example
 * await init({ wasm: new URL("https://example.org/weft.wasm") });
 */
export type WasmSource = string | Ambient<"URL"> | Ambient<"Response"> | ArrayBuffer | ArrayBufferView<ArrayBuffer> | AmbientModule;

/** Told when the package's own file is not where it should be. */
const MOVED =
  'a build tool moved the script away from weft.wasm, which belongs beside it: for Vite\'s development server set optimizeDeps: { exclude: ["weft-gpu"] }; otherwise pass init({ wasm }), or import "weft-gpu/inline"';

/** The compiled core. `source` says where it is; the package itself knows otherwise. Throws `FormatError` when what is there is not
 * WebAssembly, or is not there, and `ValueError` for what is no place. @internal */
export async function compile(source: () => WasmSource | undefined): Promise<WebAssembly.Module> {
  const given = await source();
  // Bundlers recognise this form and take the file along.
  const found: unknown = given ?? new URL("../../wasm/weft_wasm_bg.wasm", import.meta.url);
  const hint = given === undefined || given === null ? `; ${MOVED}` : "";
  if (isA(found, "WebAssembly.Module")) return found as WebAssembly.Module;
  if (ArrayBuffer.isView(found) || isA(found, "ArrayBuffer") || isA(found, "SharedArrayBuffer")) {
    return compileBytes(found as BufferSource, "what init({ wasm }) was given", hint);
  }
  if (isA(found, "Response")) return compileResponse(found as Response, hint);
  if (typeof found !== "string" && !isA(found, "URL")) {
    throw new ValueError("init", `wasm is an address, a Response, the bytes, or a WebAssembly.Module, not ${found === null ? "null" : typeof found}`);
  }
  const url = addressOf(found as string | URL);
  if (url.protocol === "file:") return compileBytes(await readFile(url, hint), url.href, hint);
  const response = await fetch(url).catch((error: unknown) => {
    throw new FormatError("init", `${url.href} could not be fetched: ${String(error)}${hint}`);
  });
  return compileResponse(response, hint);
}

function isA(value: unknown, name: string): boolean {
  // Not `instanceof`: it may come from another frame.
  return Object.prototype.toString.call(value) === `[object ${name}]`;
}

function addressOf(found: string | URL): URL {
  try {
    return new URL(found, globalThis.location?.href);
  } catch {
    throw new ValueError("init", `wasm: ${JSON.stringify(found)} is not an address`);
  }
}

async function compileResponse(response: Response, hint: string): Promise<WebAssembly.Module> {
  const name = response.url || "the response of init({ wasm })";
  if (!response.ok) throw new FormatError("init", `${name} could not be fetched: ${response.status} ${response.statusText}${hint}`);
  if (response.bodyUsed) throw new FormatError("init", `${name} was read already`);
  const type = response.headers.get("content-type") ?? "";
  if (/^application\/wasm\b/i.test(type)) {
    return WebAssembly.compileStreaming(response).catch((error: unknown) => {
      throw new FormatError("init", `${name} does not compile: ${String(error)}${hint}`);
    });
  }
  const bytes = await response.arrayBuffer().catch((error: unknown) => {
    throw new FormatError("init", `${name} could not be read: ${String(error)}`);
  });
  return compileBytes(bytes, name, hint);
}

async function compileBytes(bytes: BufferSource, name: string, hint: string): Promise<WebAssembly.Module> {
  const view = ArrayBuffer.isView(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes);
  const start = new TextDecoder("latin1").decode(view.subarray(0, 64));
  if (!start.startsWith("\0asm")) {
    const what = view.length === 0 ? "empty" : /^\s*</.test(start) ? `a page: ${JSON.stringify(start.trim().slice(0, 40))}` : "something else";
    throw new FormatError("init", `${name} is not WebAssembly (no magic word) but ${what}${hint}`);
  }
  return WebAssembly.compile(bytes).catch((error: unknown) => {
    throw new FormatError("init", `${name} does not compile: ${String(error)}`);
  });
}

/** Node's `fetch` knows no files. The module is asked for in this way because bundlers for pages refuse to see it imported. */
async function readFile(url: URL, hint: string): Promise<BufferSource> {
  const node = globalThis.process?.getBuiltinModule?.("node:fs/promises");
  if (!node) throw new FormatError("init", `cannot read ${url.href}: pass the WebAssembly's bytes as init({ wasm })`);
  return node.readFile(url).catch((error: unknown) => {
    throw new FormatError("init", `${url.href} could not be read: ${String(error)}${hint}`);
  });
}
