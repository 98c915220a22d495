// A notebook with its outputs, as exports write it: its cells, and what each showed when the reader
// asked for the export. Pictures are encoded by then, because pixels only live on the page.

import type { ChartPoint, TextStream } from "../../protocol/messages";
import type { Cell } from "../notebook/notebook";
import type { ShownContent } from "../outputs/kept";
import type { EndStatus } from "../run/cell-run";

export type StillContent = Exclude<ShownContent, { kind: "image" }>;

export type ExportedOutput =
  | { readonly kind: "text"; readonly stream: TextStream; readonly text: string }
  | { readonly kind: "content"; readonly content: StillContent; readonly points: readonly ChartPoint[] };

export interface ExportedCell {
  readonly cell: Cell;
  readonly outputs: readonly ExportedOutput[];
  /** How its last run ended; null where it has not run. */
  readonly status: EndStatus | null;
  readonly milliseconds: number;
  readonly error: { readonly name: string; readonly message: string } | null;
}

/** A notebook without outputs. */
export const withoutOutputs = (cells: readonly Cell[]): ExportedCell[] => cells.map((cell) => ({ cell, outputs: [], status: null, milliseconds: 0, error: null }));
