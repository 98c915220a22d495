// Line wrapping of code, with hanging indentation, and numbers of lines. The editor's own gutter
// takes heights of lines from an estimate while the editor is out of view, which moves the page when
// it comes into view; here the style shows each line's number beside it.

import { RangeSetBuilder } from "@codemirror/state";
import type { Extension } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin } from "@codemirror/view";
import type { DecorationSet, ViewUpdate } from "@codemirror/view";
import { indentClass } from "./indents";

function indents({ state, visibleRanges }: EditorView): DecorationSet {
  const set = new RangeSetBuilder<Decoration>();
  for (const { from, to } of visibleRanges)
    for (let at = from; at <= to; ) {
      const line = state.doc.lineAt(at);
      set.add(line.from, line.from, Decoration.line({ class: indentClass(line.text), attributes: { "data-line": String(line.number) } }));
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
