// Limits on a notebook's size. Opening a link must cost little whatever the notebook holds, so its
// contents are bounded, and so is the part that the page shows before the reader asks for more.

export const LIMITS = {
  /** Characters of a notebook. */
  text: 4_000_000,
  /** Characters of a file that holds a notebook with its outputs. */
  file: 32_000_000,
  /** Cells of a notebook. */
  cells: 20_000,
  /** Cells that stand on the page at once; more on request. */
  cellsShown: 4_000,
  /** Characters of a code cell that can run: the parser works on the page's own thread. */
  codeCell: 1_000_000,
  /** Characters of a cell that its editor opens with; the whole on request. */
  codeShown: 100_000,
  /** Characters of one text that are formatted; the rest is shown as it is written, on request. */
  prose: 50_000,
  /** Elements that one text becomes. */
  proseElements: 3_000,
  /** How deep elements of a text nest. */
  proseDepth: 24,
  /** Characters of a formula; longer ones are shown as they are written, and so are those that come
   * to more than this: */
  formula: 2_000,
  formulaExpansions: 200,
  formulaElements: 800,
  formulaDepth: 40,
  /** Cells of a table that are shown, the rest on request: laying out more takes longer than a
   * frame should. */
  tableCells: 600,
  /** Headings listed beside the notebook. */
  outline: 200,
} as const;

/** A notebook that no page can show. */
export class TooLarge extends Error {
  override readonly name = "TooLarge";
}

const figure = (value: number) => value.toLocaleString("en");

export function checkText(text: string): void {
  if (text.length > LIMITS.text)
    throw new TooLarge(`It has ${figure(text.length)} characters; a notebook can have at most ${figure(LIMITS.text)}.`);
}
