// The code editor of a cell: CodeMirror in a shadow root, where its styles need no permission from
// the page's policy. It has colours for JavaScript, completion, and marks where the last run
// failed.

import { acceptCompletion, autocompletion, closeCompletion, closeBrackets, closeBracketsKeymap, completionKeymap, completionStatus, moveCompletionSelection, selectedCompletionIndex } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { forceLinting, linter } from "@codemirror/lint";
import type { Diagnostic } from "@codemirror/lint";
import { EditorState, Prec, StateEffect, StateField } from "@codemirror/state";
import type { Extension } from "@codemirror/state";
import { closeHoverTooltips, drawSelection, EditorView, highlightActiveLine, highlightSpecialChars, hoverTooltip, keymap, placeholder } from "@codemirror/view";
import type { Code } from "../../editing/infer";
import { boundedLanguage } from "../../editing/language";
import { LIMITS } from "../../state/limits";
import type { CellKind } from "../../state/notebook/notebook";
import { divisionLike } from "../../state/code/division";
import { CellSyntaxError, transformCell } from "../../state/code/transform";
import { editorTheme } from "./editor-theme";
import { hoverOf, sourceOf } from "./proposals";
import { hideSignature, signatureHelp } from "./signature";
import { syntaxColours } from "./syntax-colours";
import { codeWrapping } from "./wrapping";
import { byTouch } from "../ui/dom";

export { otherCells } from "../../editing/complete";

/** Where the focus goes after a run: to the next cell, nowhere, or to a new cell below. */
export type AfterRun = "next" | "stay" | "insert";

export interface EditorOptions {
  readonly kind: CellKind;
  readonly source: string;
  readonly label: string;
  /** The other code cells of the notebook. */
  others(): readonly Code[];
  changed(source: string): void;
  /** Shift+Enter, Ctrl/Cmd+Enter and Alt+Enter: where the focus goes then. */
  run(then: AfterRun): void;
  /** Escape: the keys are for the cell now. */
  command(): void;
  /** Parts the cell at the caret. */
  split(): void;
  /** Opens the search over the notebook, with what is selected. */
  find(selected: string): void;
  /** Has the code formatted. */
  format(): void;
  /** The caret left by the first or the last line. */
  leave(direction: -1 | 1): void;
}

interface Mark {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

const setMark = StateEffect.define<Mark | null>();

/** Where the last run failed; gone as soon as the text changes. */
const runMark = StateField.define<Mark | null>({
  create: () => null,
  update: (mark, transaction) => {
    for (const effect of transaction.effects) if (effect.is(setMark)) return effect.value;
    return transaction.docChanged ? null : mark;
  },
});

function diagnose(view: EditorView): Diagnostic[] {
  const { doc } = view.state;
  const at = ({ line, column, message }: Mark, kind: string): Diagnostic => {
    const { from, to } = doc.line(Math.min(line, doc.lines));
    const start = Math.min(from + column - 1, to);
    const end = view.state.wordAt(start)?.to ?? Math.min(start + 1, to);
    return { from: start === end ? Math.max(from, start - 1) : start, to: end, severity: "error", message, markClass: kind };
  };
  const mark = view.state.field(runMark);
  if (mark) return [at(mark, "run-error")];
  // What cannot run is not read at every pause either.
  if (doc.length > LIMITS.codeShown) return [];
  try {
    const source = doc.toString();
    transformCell(source, { operators: false });
    return divisionLike(source).map((each) => ({ ...each, severity: "warning" }));
  } catch (error) {
    return error instanceof CellSyntaxError ? [at({ ...error.position, message: error.message }, "syntax-error")] : [];
  }
}

/** Takes the proposal that is chosen, else the first. */
function takeProposal(view: EditorView): boolean {
  if (completionStatus(view.state) !== "active") return false;
  if (selectedCompletionIndex(view.state) === null) moveCompletionSelection(true)(view);
  return acceptCompletion(view);
}

export class Editor {
  readonly element = document.createElement("div");
  private readonly view: EditorView;
  /** Whether keys were pressed since the pointer moved: what is under it is not pointed at. */
  private typing = false;

  constructor(private readonly options: EditorOptions) {
    this.element.className = `editor ${options.kind}`;
    const root = this.element.attachShadow({ mode: "open", delegatesFocus: true });
    const state = EditorState.create({ doc: options.source, extensions: this.extensions() });
    this.view = new EditorView({ state, root, parent: root });
  }

  private extensions(): Extension[] {
    const { kind, label, others, source } = this.options;
    const common: Extension[] = [
      Prec.highest(keymap.of(this.keys())),
      history(),
      drawSelection(),
      // What turns text around is seen as a dot: code runs in the order in which it is written.
      highlightSpecialChars({ addSpecialChars: /[\u202a-\u202c\u2068]/g }),
      EditorState.tabSize.of(2),
      indentUnit.of("  "),
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
      EditorView.contentAttributes.of({ "aria-label": label, "aria-multiline": "true", tabindex: "0" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) this.options.changed(update.state.doc.toString());
      }),
      editorTheme,
      // After whatever else it closes.
      Prec.lowest(keymap.of([{ key: "Escape", run: () => (this.options.command(), true) }])),
    ];
    if (kind === "prose") return [...common, EditorView.lineWrapping, placeholder("Text, in Markdown")];
    return [
      ...common,
      codeWrapping,
      highlightActiveLine(),
      boundedLanguage(source),
      syntaxHighlighting(syntaxColours),
      bracketMatching(),
      closeBrackets(),
      indentOnInput(),
      // Enter ends a line, whatever is proposed, unless the reader has chosen in the list; Tab
      // takes.
      Prec.highest(keymap.of([{ key: "Tab", run: takeProposal }])),
      // Before the list of proposals, whose keys would come first.
      signatureHelp(others),
      autocompletion({ icons: false, selectOnOpen: false, override: [sourceOf(others)] }),
      hoverTooltip(async (view, pos, side) => {
        const found = this.typing ? null : await hoverOf(others)(view, pos, side);
        return this.typing ? null : found;
      }, { hoverTime: 350 }),
      EditorView.domEventHandlers({
        keydown: () => void (this.typing = true),
        // Browsers report a move too where what is under a resting pointer changes.
        mousemove: ({ movementX, movementY }) => void (this.typing &&= movementX === 0 && movementY === 0),
      }),
      runMark,
      linter(diagnose, { delay: 900, needsRefresh: (update) => update.state.field(runMark) !== update.startState.field(runMark) }),
      placeholder(byTouch() ? "JavaScript. ▷ runs it. The menu has the reference of what there is, and files." : "JavaScript. Shift+Enter runs it, F1 lists what there is. Files can be dropped here."),
    ];
  }

  private keys() {
    const leave = (direction: -1 | 1) => (view: EditorView) => {
      const { state } = view;
      const { main } = state.selection;
      const line = state.doc.lineAt(main.head).number;
      if (!main.empty || line !== (direction < 0 ? 1 : state.doc.lines)) return false;
      this.options.leave(direction);
      return true;
    };
    const run = (then: AfterRun) => (view: EditorView) => {
      // What a list or a sheet would cover is the result.
      closeCompletion(view);
      view.dispatch({ effects: closeHoverTooltips });
      hideSignature(view);
      this.options.run(then);
      return true;
    };
    const act = (does: () => void) => () => (does(), true);
    return [
      { key: "Shift-Enter", run: run("next") },
      { key: "Mod-Enter", run: run("stay") },
      { key: "Alt-Enter", run: run("insert") },
      { key: "Ctrl-Shift--", run: act(() => this.options.split()) },
      { key: "Ctrl-Shift-_", run: act(() => this.options.split()) },
      { key: "Mod-f", run: (view: EditorView) => (this.options.find(view.state.sliceDoc(view.state.selection.main.from, Math.min(view.state.selection.main.to, view.state.selection.main.from + 200))), true) },
      ...(this.options.kind === "code" ? [{ key: "Shift-Alt-f", run: act(() => this.options.format()) }] : []),
      { key: "Alt-PageUp", run: leave(-1) },
      { key: "Alt-PageDown", run: leave(1) },
    ];
  }

  get source(): string {
    return this.view.state.doc.toString();
  }

  set source(text: string) {
    if (text !== this.source) this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  get caret(): number {
    return this.view.state.selection.main.head;
  }

  /** What is selected, or the name at the caret with what owns it, as in `nn.Linear`. */
  get nameAtCaret(): string {
    const { doc, selection: { main } } = this.view.state;
    const line = doc.lineAt(main.head);
    const at = main.head - line.from;
    const selected = main.empty ? null : this.view.state.sliceDoc(main.from, Math.min(main.to, main.from + 80));
    return selected ?? /[\w$.]*$/.exec(line.text.slice(0, at).slice(-80))![0] + /^[\w$]*/.exec(line.text.slice(at, at + 80))![0];
  }

  focus(): void {
    this.view.focus();
  }

  /** Puts the caret where an error is. */
  goTo(line: number, column: number): void {
    const { doc } = this.view.state;
    const { from, to } = doc.line(Math.max(1, Math.min(line, doc.lines)));
    this.view.dispatch({ selection: { anchor: Math.min(from + column - 1, to) }, scrollIntoView: true });
    this.view.focus();
  }

  /** Selects a part of the text, in view. */
  select(from: number, to: number): void {
    const { length } = this.view.state.doc;
    this.view.dispatch({ selection: { anchor: Math.min(from, length), head: Math.min(to, length) }, effects: EditorView.scrollIntoView(Math.min(from, length), { y: "center" }) });
  }

  mark(mark: Mark | null): void {
    if (this.options.kind !== "code") return;
    this.view.dispatch({ effects: setMark.of(mark) });
    forceLinting(this.view);
  }

  setLabel(label: string): void {
    this.view.contentDOM.setAttribute("aria-label", label);
  }

  destroy(): void {
    this.view.destroy();
  }
}
