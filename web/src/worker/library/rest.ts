// The deferred part of the library's WebAssembly. The page sends it when the worker asks: before
// the first cell runs, unless the page says that the cell does without, and behind that cell.

import * as weft from "weft-gpu";
import { send } from "../channel/port";

let coming: Promise<ArrayBuffer> | null = null;
let arrived: ((bytes: ArrayBuffer | null) => void) | null = null;

export function restArrived(bytes: ArrayBuffer | null): void {
  arrived?.(bytes);
}

/** Its bytes. Rejected where they could not be fetched; who asks next tries again. */
export function loadRest(): Promise<ArrayBuffer> {
  coming ??= ask().catch((error: unknown) => {
    coming = null;
    throw error;
  });
  return coming;
}

async function ask(): Promise<ArrayBuffer> {
  const answer = new Promise<ArrayBuffer | null>((resolve) => (arrived = resolve));
  send({ type: "rest" });
  const bytes = await answer;
  if (!bytes) throw new Error("A part of Weft could not be fetched from this site. Run the cell again.");
  return bytes;
}

/** Whether the library is whole. */
export let joined = false;

/** Has the library whole, so that whatever a cell calls is there at once. */
export async function joinRest(): Promise<void> {
  if (joined) return;
  await loadRest();
  // A core that failed tells so where it is used.
  joined = await weft.preload().then(() => true, () => false);
}
