// Measurement in the page: the benchmark of `bench/` on the page's GPU. The page fetches this file
// when the reader asks for a measurement, and the peers only when the reader asks for them too.

import * as weft from "weft-gpu";
import { kernel } from "weft-gpu/kernel";
import { contestants, isSoftware } from "../../../bench/options.mjs";
import type { Report, Size } from "../../../bench/run.mjs";
import { run } from "../../../bench/run.mjs";

/** Where the core's WebAssembly is, beside the page: the file that the notebooks use. Unknown to
 * the development server, where the library knows it. */
declare const WEFT_WASM: { readonly wasm: string; readonly rest: string } | undefined;

export interface Asked {
  readonly size: Size | "";
  readonly only: RegExp | undefined;
  readonly alone: boolean;
  readonly signal: AbortSignal;
  onBegin(name: string, done: number, of: number): void;
  onEnd(report: Report, name: string): void;
}

export async function start({ size, alone, ...asked }: Asked): Promise<Report> {
  const { gpu } = navigator;
  const software = await isSoftware(gpu);
  const at = (name: string) => new URL(name, document.baseURI);
  const parts = typeof WEFT_WASM === "object" ? { wasm: at(WEFT_WASM.wasm), rest: at(WEFT_WASM.rest) } : {};
  // One instance does both: the CPU device goes when the GPU is opened.
  const { libraries, reference } = await contestants({ ...weft, kernel }, { ...weft, kernel }, { alone, software: false, parts });
  return run({ libraries, reference, gpu, size: size || (software ? "software" : "medium"), ...asked });
}
