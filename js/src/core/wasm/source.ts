// Compilation of WebAssembly from a user's source, such as a URL, bytes or a module, and the errors
// for sources that are something else.

import { FormatError, ValueError } from "../errors.js";
import type { Ambient, AmbientModule } from "./ambient.js";
import type { Data } from "../tensor/dtype.js";

/**
 * Where WebAssembly comes from: an address, a response, its bytes, or a module compiled from them.
 *
 * @example
 * await init({ wasm: new URL("https://example.org/weft.wasm") });
 */
export type WasmSource = string | Ambient<"URL"> | Ambient<"Response"> | ArrayBuffer | Data | AmbientModule;

/** What is compiled: for which function, which option of `init` has its address, and what to add to
 * errors.
 * @internal */
export interface Wanted {
  readonly op: string;
  readonly option: "wasm" | "rest";
  readonly hint: string;
}

/** The WebAssembly there. Throws `FormatError` when what is there is none, or is not there, and
 * `ValueError` for what is no place.
 * @internal */
export async function compile(found: unknown, wanted: Wanted): Promise<WebAssembly.Module> {
  if (isA(found, "WebAssembly.Module")) return found as WebAssembly.Module;
  if (isBytes(found)) return compileBytes(found, given(wanted), wanted);
  if (isA(found, "Response")) return compileResponse(found as Response, wanted);
  const url = addressOf(found, wanted);
  if (url.protocol === "file:") return compileBytes(await readFile(url, wanted), url.href, wanted);
  const response = await fetch(url).catch((error: unknown) => {
    throw wrong(wanted, `${url.href} could not be fetched: ${String(error)}`);
  });
  return compileResponse(response, wanted);
}

/** As `compile`, but of anything but a response, and before it returns: a page's thread stands
 * still meanwhile.
 * @internal */
export function compileNow(found: unknown, wanted: Wanted): WebAssembly.Module {
  if (isA(found, "WebAssembly.Module")) return found as WebAssembly.Module;
  if (isBytes(found)) return compileBytesNow(found, given(wanted), wanted);
  const url = addressOf(found, wanted);
  return compileBytesNow(url.protocol === "file:" ? readFileNow(url, wanted) : fetchNow(url, wanted), url.href, wanted);
}

function compileBytesNow(bytes: BufferSource, name: string, wanted: Wanted): WebAssembly.Module {
  check(bytes, name, wanted);
  try {
    return new WebAssembly.Module(bytes);
  } catch (error) {
    throw doesNotCompile(name, error, wanted);
  }
}

const given = ({ option }: Wanted): string => `what init({ ${option} }) was given`;

/** Whether it is an object of the class called `name`. @internal */
export function isA(value: unknown, name: string): boolean {
  // Not `instanceof`: it may come from another frame.
  return Object.prototype.toString.call(value) === `[object ${name}]`;
}

function isBytes(found: unknown): found is BufferSource {
  return ArrayBuffer.isView(found) || isA(found, "ArrayBuffer") || isA(found, "SharedArrayBuffer");
}

function wrong({ op, hint }: Wanted, what: string, cause?: unknown): FormatError {
  const error = new FormatError(op, what + hint);
  if (cause !== undefined) error.cause = cause;
  return error;
}

function doesNotCompile(name: string, error: unknown, wanted: Wanted): FormatError {
  const isForbidden = /unsafe-eval|content security policy/i.test(String(error));
  const policy = isForbidden ? "; the page's Content-Security-Policy must allow it: script-src 'self' 'wasm-unsafe-eval'" : "";
  return wrong(wanted, `${name} does not compile: ${String(error)}${policy}`, error);
}

function addressOf(found: unknown, { op, option }: Wanted): URL {
  if (typeof found !== "string" && !isA(found, "URL")) {
    throw new ValueError(op, `${option} is an address, a Response, the bytes, or a WebAssembly.Module, not ${found === null ? "null" : typeof found}`);
  }
  try {
    return new URL(found as string | URL, globalThis.location?.href);
  } catch {
    throw new ValueError(op, `${option}: ${JSON.stringify(found)} is not an address`);
  }
}

async function compileResponse(response: Response, wanted: Wanted): Promise<WebAssembly.Module> {
  const name = response.url || `the response of init({ ${wanted.option} })`;
  if (!response.ok) throw wrong(wanted, notFetched(name, response));
  if (response.bodyUsed) throw wrong(wanted, `${name} was read already`);
  const type = response.headers.get("content-type") ?? "";
  if (/^application\/wasm\b/i.test(type)) {
    return WebAssembly.compileStreaming(response).catch((error: unknown) => {
      throw doesNotCompile(name, error, wanted);
    });
  }
  const bytes = await response.arrayBuffer().catch((error: unknown) => {
    throw wrong(wanted, `${name} could not be read: ${String(error)}`);
  });
  return compileBytes(bytes, name, wanted);
}

function notFetched(name: string, { status, statusText }: { status: number; statusText: string }): string {
  return `${name} could not be fetched: ${status} ${statusText}`.trimEnd();
}

async function compileBytes(bytes: BufferSource, name: string, wanted: Wanted): Promise<WebAssembly.Module> {
  check(bytes, name, wanted);
  return WebAssembly.compile(bytes).catch((error: unknown) => {
    throw doesNotCompile(name, error, wanted);
  });
}

function check(bytes: BufferSource, name: string, wanted: Wanted): void {
  const view = ArrayBuffer.isView(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes);
  const start = new TextDecoder("latin1").decode(view.subarray(0, 64));
  if (start.startsWith("\0asm")) return;
  const what = view.length === 0 ? "empty" : /^\s*</.test(start) ? `a page: ${JSON.stringify(start.trim().slice(0, 40))}` : "something else";
  throw wrong(wanted, `${name} is not WebAssembly (no magic word) but ${what}`);
}

/** Node's `fetch` knows no files. The module is asked for in this way because bundlers for pages
 * refuse to see it imported. */
async function readFile(url: URL, wanted: Wanted): Promise<BufferSource> {
  const node = globalThis.process?.getBuiltinModule?.("node:fs/promises");
  if (!node) throw noFiles(url, wanted);
  return node.readFile(url).catch((error: unknown) => {
    throw notRead(url, error, wanted);
  });
}

function readFileNow(url: URL, wanted: Wanted): BufferSource {
  const node = globalThis.process?.getBuiltinModule?.("node:fs");
  if (!node) throw noFiles(url, wanted);
  try {
    return node.readFileSync(url);
  } catch (error) {
    throw notRead(url, error, wanted);
  }
}

function noFiles(url: URL, { op, option }: Wanted): FormatError {
  return new FormatError(op, `cannot read ${url.href}: pass the WebAssembly's bytes as init({ ${option} })`);
}

function notRead(url: URL, error: unknown, wanted: Wanted): FormatError {
  return wrong(wanted, `${url.href} could not be read: ${String(error)}`, error);
}

/** What browsers have for those who cannot wait. Bytes come as characters, for pages may not ask
 * for a buffer in this way; workers may, but one road is enough. */
function fetchNow(url: URL, wanted: Wanted): BufferSource {
  if (typeof XMLHttpRequest === "undefined") throw wrong(wanted, `${url.href} cannot be fetched at once here: \`await preload()\` before`);
  const request = new XMLHttpRequest();
  try {
    request.open("GET", url, false);
    request.overrideMimeType("text/plain; charset=x-user-defined");
    request.send();
  } catch (error) {
    throw wrong(wanted, `${url.href} could not be fetched: ${String(error)}`, error);
  }
  // 0 is what addresses without a server give, such as `blob:` in some browsers.
  if (request.status !== 0 && (request.status < 200 || request.status >= 300)) throw wrong(wanted, notFetched(url.href, request));
  const text = request.responseText;
  const bytes = new Uint8Array(text.length);
  // A byte above 127 comes as a character of the private area, whose lower byte it is.
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
