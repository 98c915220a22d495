// View of code before its editor has loaded: the same text in the same place, its lines numbered
// and, where the build has read it, coloured. Nothing moves when the editor comes.

import { withControlsShown } from "../../state/prose/bidi";
import { LIMITS } from "../../state/limits";
import { preparedPaint, SYNTAX_CLASSES } from "../../state/prose/prepared";
import { h } from "../ui/dom";
import { indentClass } from "./indents";

/** Lines that are numbered: a very long text gets its editor when the reader asks. */
const NUMBERED = 1_000;

export function stillCode(source: string): HTMLElement {
  const shown = withControlsShown(source.slice(0, LIMITS.codeShown / 10));
  const lines = linesOf(shown);
  const rest = lines.splice(NUMBERED).map((parts) => parts.map(({ textContent }) => textContent).join("")).join("\n");
  return h("pre", { class: "still", tabindex: 0 }, ...lines.map(lineView), rest !== "" && h("span", { class: "still-rest" }, document.createTextNode(rest)));
}

/** A line; the style numbers it, so that its number is no part of the text. The break behind it is,
 * for who copies it. */
function lineView(parts: readonly Node[], at: number, { length }: { length: number }): HTMLElement {
  const indent = indentClass(parts[0]?.textContent ?? "");
  const line = h("span", { class: `still-line ${indent}` });
  line.append(...parts, ...(at < length - 1 ? ["\n"] : []));
  return line;
}

/** The text's lines, each in its painted parts. */
function linesOf(text: string): Node[][] {
  const lines: Node[][] = [[]];
  const paint = preparedPaint(text) ?? [[text.length, -1]];
  let at = 0;
  for (const [length, colour] of paint) {
    const name = SYNTAX_CLASSES[colour];
    text.slice(at, (at += length)).split("\n").forEach((part, n) => {
      if (n > 0) lines.push([]);
      if (part === "") return;
      const written = document.createTextNode(part);
      if (!name) return void lines.at(-1)!.push(written);
      const span = h("span", { class: name });
      span.append(written);
      lines.at(-1)!.push(span);
    });
  }
  return lines;
}
