// Texts and code that the build has read: those of the notebook that opens by default. index.html
// already has them, and the page shows them again at once, where a worker or an editor would take a
// moment.

import type { PackedReading, Reading } from "../code/reading";
import { unpackReading } from "../code/reading";
import type { Prose } from "./prose-tree";

/** Runs of code in one colour: how many characters, and which of `SYNTAX_CLASSES`; -1 for none. */
export type Paint = readonly (readonly [length: number, colour: number])[];

/** The colours of code, as classes that the page's and the editor's styles both know. */
export const SYNTAX_CLASSES = ["tok-keyword", "tok-string", "tok-number", "tok-comment", "tok-function", "tok-plain", "tok-mark"] as const;

/** Each by its text. */
export interface Prepared {
  readonly prose: Readonly<Record<string, Prose>>;
  readonly paint: Readonly<Record<string, Paint>>;
  /** Of the cell that greets. */
  readonly readings: Readonly<Record<string, PackedReading>>;
}

let prepared: Prepared = { prose: {}, paint: {}, readings: {} };
export const prepare = (from: Prepared): void => void (prepared = from);

const find = <T>(all: Readonly<Record<string, T>>, text: string): T | null => (Object.hasOwn(all, text) ? all[text]! : null);
export const preparedProse = (text: string): Prose | null => find(prepared.prose, text);
/** What was read with operators that act on tensors. */
export function preparedReading(code: string, operators: boolean): Reading | null {
  const packed = operators ? find(prepared.readings, code) : null;
  return packed && unpackReading(code, packed);
}
export const preparedPaint = (code: string): Paint | null => find(prepared.paint, code);
