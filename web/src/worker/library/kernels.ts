// The entry of kernels, `weft-gpu/kernel`, with its parser. The worker asks the page for its text
// when the first cell needs it: most notebooks have no kernels.

import * as weft from "weft-gpu";
import type * as entry from "weft-gpu/kernel";
import { send } from "../channel/port";

export type KernelEntry = typeof entry;
/** Its module, a function of the library, which the worker has (see `build/runner.ts`). */
type Module = { readonly default: (library: typeof weft) => KernelEntry };

let loading: Promise<KernelEntry> | null = null;
let arrived: ((source: string | null) => void) | null = null;

export function kernelsArrived(source: string | null): void {
  arrived?.(source);
}

export function loadKernels(): Promise<KernelEntry> {
  loading ??= load().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function load(): Promise<KernelEntry> {
  const answer = new Promise<string | null>((resolve) => (arrived = resolve));
  send({ type: "kernels" });
  const source = await answer;
  if (source === null) throw new Error("The code for kernels could not be fetched from this site. Run the cell again.");
  const module = (await import(/* @vite-ignore */ `data:text/javascript;charset=utf-8,${encodeURIComponent(source)}`)) as Module;
  return module.default(weft);
}
