// Line wrapping of code, with hanging indentation.

import { RangeSetBuilder } from "@codemirror/state";
import type { Extension } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin } from "@codemirror/view";
import type { DecorationSet, ViewUpdate } from "@codemirror/view";
import { DEEPEST, indentClass } from "./indents";

const decorations = new Map(Array.from({ length: DEEPEST + 1 }, (_, depth) => [`indent-${depth}`, Decoration.line({ class: `indent-${depth}` })]));

function indents({ state, visibleRanges }: EditorView): DecorationSet {
  const set = new RangeSetBuilder<Decoration>();
  for (const { from, to } of visibleRanges)
    for (let at = from; at <= to; ) {
      const line = state.doc.lineAt(at);
      set.add(line.from, line.from, decorations.get(indentClass(line.text.slice(0, DEEPEST + 1)))!);
      at = line.to + 1;
    }
  return set.finish();
}

class Indents {
  decorations: DecorationSet;
  constructor(view: EditorView) {
    this.decorations = indents(view);
  }
  update({ docChanged, viewportChanged, view }: ViewUpdate): void {
    if (docChanged || viewportChanged) this.decorations = indents(view);
  }
}

export const codeWrapping: Extension = [EditorView.lineWrapping, ViewPlugin.fromClass(Indents, { decorations: ({ decorations }) => decorations })];
