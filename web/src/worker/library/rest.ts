// The deferred part of the library's WebAssembly. The page sends it when the worker asks: before
// the first cell runs, unless the page says that the cell does without, and behind that cell.

import * as weft from "weft-gpu";
import { send } from "../channel/port";
import { SitePart } from "../channel/site-part";

const part = new SitePart(
  () => send({ type: "rest" }),
  "A part of Weft could not be fetched from this site. Run the cell again.",
  (bytes: ArrayBuffer) => bytes,
);
export const { arrived: restArrived, load: loadRest } = part;

/** Whether the library is whole. */
export let joined = false;

/** Has the library whole, so that whatever a cell calls is there at once. */
export async function joinRest(): Promise<void> {
  if (joined) return;
  await loadRest();
  // A core that failed tells so where it is used.
  joined = await weft.preload().then(() => true, () => false);
}
