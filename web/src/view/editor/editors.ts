// Deferred loading of the editors. Their code is larger than all the rest of the page, so the page
// fetches it while the reader reads, or when the reader first touches a cell.

import type { otherCells } from "../../editing/complete";
import type { Code } from "../../editing/infer";
import type { Cells } from "../../state/notebook/notebook";
import type { Editor, EditorOptions } from "./editor";

type Make = (options: EditorOptions) => Editor;

let make: Make | null = null;
let read: typeof otherCells | null = null;
let coming: Promise<void> | null = null;
const waiting: ((make: Make) => void)[] = [];

/** Fetches what edits; rejected where it does not come. */
export function fetchEditors(): Promise<void> {
  coming ??= import("./editor").then(({ Editor, otherCells }) => {
    read = otherCells;
    make = (options) => new Editor(options);
    for (const each of waiting.splice(0)) each(make);
  });
  // The next who asks tries again.
  coming.catch(() => (coming = null));
  return coming;
}

/** Calls back with what makes an editor: at once where it is there. It is not fetched for this. */
export function whenEditors(then: (make: Make) => void): void {
  if (make) then(make);
  else waiting.push(then);
}

/** The code cells but one, read: by what edits, so there are none before it is there. */
export const readCells = (cells: Cells, id: string): readonly Code[] => read?.(cells, id) ?? [];
