// View of code before its editor has loaded: the same text in the same place, its lines numbered
// and, where the build has read it, coloured. Nothing moves when the editor comes.

import { withControlsShown } from "../../state/prose/bidi";
import { LIMITS } from "../../state/limits";
import { preparedPaint, SYNTAX_CLASSES } from "../../state/prose/prepared";
import { h } from "../ui/dom";

/** Lines that are numbered: a very long text gets its editor when the reader asks. */
const NUMBERED = 1_000;

export function stillCode(source: string): HTMLElement {
  const shown = withControlsShown(source.slice(0, LIMITS.codeShown / 10));
  return h("pre", { class: "still", tabindex: 0 }, numbers(shown), ...painted(shown));
}

function numbers(text: string): HTMLElement {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0 && lines < NUMBERED; at = text.indexOf("\n", at + 1)) lines++;
  // Shown by the style, so that they are no part of the text.
  return h("span", { class: "still-lines", "aria-hidden": "true", "data-lines": Array.from({ length: lines }, (_, i) => i + 1).join("\n") });
}

function painted(text: string): (Node | string)[] {
  const paint = preparedPaint(text);
  if (!paint) return [text];
  let at = 0;
  return paint.map(([length, colour]) => {
    const part = text.slice(at, (at += length));
    const name = SYNTAX_CLASSES[colour];
    return name ? h("span", { class: name }, part) : part;
  });
}
