// Line wrapping of code, with hanging indentation, and numbers of lines. The editor's own gutter
// takes heights of lines from an estimate while the editor is out of view, which moves the page
// when it comes into view; here the style shows each line's number beside it. Where a line is very
// long nothing wraps: browsers lay out a wrapped line whole, which holds the page.

import { RangeSetBuilder, StateField } from "@codemirror/state";
import type { Extension, Text } from "@codemirror/state";
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

/** Characters of the longest line that is wrapped. */
const LONGEST = 5_000;

function hasLongLine(doc: Text): boolean {
  if (doc.length <= LONGEST) return false;
  for (const line of doc.iterLines()) if (line.length > LONGEST) return true;
  return false;
}

const longLine = StateField.define<boolean>({
  create: ({ doc }) => hasLongLine(doc),
  update: (is, { docChanged, newDoc }) => (docChanged ? hasLongLine(newDoc) : is),
});

const wrapping: Extension = [longLine, EditorView.contentAttributes.of(({ state }): Record<string, string> => (state.field(longLine) ? {} : { class: "cm-lineWrapping" }))];

export const codeWrapping: Extension = [wrapping, ViewPlugin.fromClass(Indents, { decorations: ({ decorations }) => decorations })];
