// The entry of kernels, `weft-gpu/kernel`, with its parser. The worker asks the page for its text
// when the first cell needs it: most notebooks have no kernels.

import * as weft from "weft-gpu";
import type * as entry from "weft-gpu/kernel";
import { send } from "../channel/port";
import { SitePart } from "../channel/site-part";

export type KernelEntry = typeof entry;
/** Its module, a function of the library, which the worker has (see `build/runner.ts`). */
type Module = { readonly default: (library: typeof weft) => KernelEntry };

const part = new SitePart(
  () => send({ type: "kernels" }),
  "The code for kernels could not be fetched from this site. Run the cell again.",
  async (source: string) => {
    const module = (await import(/* @vite-ignore */ `data:text/javascript;charset=utf-8,${encodeURIComponent(source)}`)) as Module;
    return module.default(weft);
  },
);
export const { arrived: kernelsArrived, load: loadKernels } = part;
