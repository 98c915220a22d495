// Colours of code that has no editor: for the first notebook, which the build renders, and for
// exported pages.

import { javascriptLanguage } from "@codemirror/lang-javascript";
import { highlightTree } from "@lezer/highlight";
import { SYNTAX_CLASSES } from "../state/prose/prepared";
import type { Paint } from "../state/prose/prepared";
import { syntaxColours } from "../view/editor/syntax-colours";

export function paintOf(code: string): Paint {
  const runs: [number, number][] = [];
  let at = 0;
  highlightTree(javascriptLanguage.parser.parse(code), syntaxColours, (from, to, name) => {
    if (from > at) runs.push([from - at, -1]);
    runs.push([to - from, SYNTAX_CLASSES.indexOf(name as (typeof SYNTAX_CLASSES)[number])]);
    at = to;
  });
  if (at < code.length) runs.push([code.length - at, -1]);
  return runs;
}
