// Loading of the core's two parts. `init` fetches `weft.wasm`, which every program needs. The
// deferred functions are in `weft-rest.wasm`, which the package fetches when a program first calls
// one: such a function returns at once, so the fetch is synchronous, unless `preload` came first.
// Both files are beside the package's script, unless `init` gets other places, or for the rest a
// function that fetches it.

import { FormatError } from "../errors.js";
import { compile, compileNow, isA, type Wanted, type WasmSource } from "./source.js";

/** Part of the error for a file of the package that is not where it should be. */
const MOVED =
  '; a build tool moved the script away from weft.wasm and weft-rest.wasm, which belong beside it: for Vite\'s development server set optimizeDeps: { exclude: ["weft-gpu"] }; otherwise pass init({ wasm, rest }), or import "weft-gpu/inline"';

/** The addresses of the parts that `init` was given. */
export interface Sources {
  wasm?: WasmSource | undefined;
  rest?: RestSource | undefined;
}

/** Where the rest comes from: a place, or a function that fetches it when something in it is first
 * needed. */
export type RestSource = WasmSource | (() => Promise<WasmSource>);

/** What was compiled. Starting anew needs neither the file nor its compilation. */
let main: Promise<WebAssembly.Module> | null = null;
let rest: WebAssembly.Module | null = null;
let coming: Promise<WebAssembly.Module> | null = null;
let place: { found: unknown; hint: string } = beside();

/** What everyone needs, compiled. Later sources than those that it was compiled of are ignored.
 * Throws `FormatError` when what is there is not WebAssembly, or is not there, and `ValueError` for
 * what is no place. */
export async function mainPart(sources: () => Sources): Promise<WebAssembly.Module> {
  const compiling = (main ??= compileMain(sources()));
  try {
    return await compiling;
  } catch (error) {
    if (main === compiling) main = null;
    throw error;
  }
}

/** Has the main part compiled again by the next who asks: what was given is not the core. */
export function forgetMain(): void {
  main = null;
}

async function compileMain(sources: Sources): Promise<WebAssembly.Module> {
  // Someone may well hand over what `fetch` gives.
  const [wasm, given] = await Promise.all([sources.wasm, sources.rest]);
  const found = given ?? siblingOf(wasm);
  place = found === undefined ? beside() : { found, hint: "" };
  // A response cannot be read at once later.
  if (isA(place.found, "Response")) await restSoon("init");
  // Bundlers recognise this form and take the file along.
  return compile(wasm ?? new URL("../../../wasm/weft_wasm_bg.wasm", import.meta.url), { op: "init", option: "wasm", hint: wasm === undefined || wasm === null ? MOVED : "" });
}

function beside(): { found: URL; hint: string } {
  return { found: new URL("../../../wasm/weft_wasm_rest.wasm", import.meta.url), hint: MOVED };
}

const isFetcher = (found: unknown): found is () => Promise<WasmSource> => typeof found === "function";
const isAddress = (found: unknown): boolean => typeof found === "string" || isA(found, "URL");

/** The rest lies beside the main part wherever that is called as in the package. */
function siblingOf(wasm: WasmSource | undefined): string | undefined {
  const address = isA(wasm, "Response") ? (wasm as Response).url : isAddress(wasm) ? String(wasm) : "";
  return /(^|\/)weft\.wasm$/.test(address) ? address.replace(/weft\.wasm$/, "weft-rest.wasm") : undefined;
}

const wanted = (op: string): Wanted => ({ op, option: "rest", hint: place.hint });

/** The rest, without holding the thread. Throws `FormatError` in the name of `op` when it is not to
 * be had, and may be asked again. */
export async function restSoon(op: string): Promise<WebAssembly.Module> {
  if (rest) return rest;
  const { found } = place;
  coming ??= (isFetcher(found) ? found().then((fetched) => compile(fetched, wanted(op))) : compile(found, wanted(op))).finally(() => {
    coming = null;
  });
  rest = await coming;
  return rest;
}

/** Whether the rest can be had at once: a function that fetches it has done so, or a place is
 * known. */
export const restIsNear = (): boolean => rest !== null || !isFetcher(place.found);

/** The rest, at once. Throws `FormatError` in the name of `op` when it is not to be had, and may be
 * asked again. */
export function restNow(op: string): WebAssembly.Module {
  if (!rest && isFetcher(place.found)) throw new FormatError(op, "this part of Weft is still to be fetched: `await preload()` before");
  return (rest ??= compileNow(place.found, wanted(op)));
}
