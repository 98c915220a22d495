// A reader of cells that has what it takes, as the page has after its first run.
import { readCell } from "../../src/state/code/read";
import { CellReader } from "../../src/state/code/reading";

export const reader = new CellReader(() => Promise.resolve(readCell), readCell);
