// Views of cells. A code cell has an editor, a run button and status, and outputs. A prose cell has
// its text, or an editor while the reader writes it.

import type { Code } from "../../editing/infer";
import { asName } from "../../state/prose/bidi";
import type { CellError } from "../../state/code/errors";
import { LIMITS } from "../../state/limits";
import type { Cell } from "../../state/notebook/notebook";
import { preparedPaint, preparedProse } from "../../state/prose/prepared";
import { FRESH } from "../../state/run/freshness";
import type { Freshness } from "../../state/run/freshness";
import type { Output } from "../../state/outputs/outputs";
import { duration } from "../../state/outputs/progress";
import type { CellRun, CellStatus } from "../../state/run/cell-run";
import { h, setAttribute } from "../ui/dom";
import type { AfterRun, Editor } from "../editor/editor";
import { fetchEditors, whenEditors } from "../editor/editors";
import { errorView } from "./error";
import { icon } from "../ui/icons";
import type { IconName } from "../ui/icons";
import { OutputList } from "../outputs/list";
import type { OutputActions } from "../outputs/view";
import { forgetNear, whenNear } from "../ui/near";
import { forgetProse, showProse } from "../prose/prose";
import { soon } from "../ui/slices";
import { stillCode } from "../editor/still";
import { layOutLater, roughHeight } from "./chunks";

export interface CellActions {
  /** Whether code may be folded away as a whole: of a notebook of the site's own. */
  mayFold(): boolean;
  /** What the outputs of a cell may ask for. */
  outputs(id: string): OutputActions;
  changed(id: string, source: string): void;
  run(id: string, then: AfterRun): void;
  stop(): void;
  /** Opens the search over the notebook. */
  find(selected: string): void;
  /** Has the code of a cell formatted. */
  format(id: string): void;
  insert(id: string, kind: "code" | "prose"): void;
  move(id: string, offset: -1 | 1): void;
  duplicate(id: string): void;
  /** Parts a cell at a place of its text. */
  split(id: string, at: number): void;
  /** Takes the cell below into this one. */
  merge(id: string): void;
  remove(id: string): void;
  leave(id: string, direction: -1 | 1): void;
  /** The number a reader sees on a cell, by its id. */
  numberOf(id: string): number;
  goTo(id: string, line: number, column: number): void;
  /** Shows more of a cell's outputs. */
  reveal(id: string): void;
  /** Shows what a cell's last run computed. */
  inspect(id: string): void;
  remedy(error: CellError, id: string): { label: string; run(): void } | null;
  /** The code cells but this one. */
  others(id: string): readonly Code[];
}

function toolButton(name: IconName, label: string, onclick: () => void): HTMLButtonElement {
  return h("button", { class: "tool", type: "button", "aria-label": label, title: label, onclick }, icon(name));
}

/** What the keyboard does to a cell, in its editor and on its buttons: with Alt and Shift. Keys are
 * identified by their place, since Alt writes other letters on a Mac. */
function listenForCellKeys(element: HTMLElement, { id }: Cell, actions: CellActions, splitHere: () => void): void {
  const keys: Readonly<Record<string, () => void>> = {
    PageUp: () => actions.move(id, -1),
    PageDown: () => actions.move(id, 1),
    KeyD: () => actions.duplicate(id),
    KeyM: () => actions.merge(id),
    KeyS: splitHere,
  };
  element.addEventListener("keydown", (event) => {
    const act = event.altKey && event.shiftKey && !event.ctrlKey && !event.metaKey ? keys[event.code] : undefined;
    if (!act || event.defaultPrevented) return;
    event.preventDefault();
    act();
  });
}

function toolbar(cell: Cell, actions: CellActions, splitHere: () => void, extra: HTMLElement[] = []): HTMLElement {
  const { id, kind } = cell;
  const what = kind === "code" ? "code cell" : "text";
  const bar = h(
    "div",
    { class: "cell-tools", role: "toolbar", "aria-label": `Tools of this ${what}` },
    ...extra,
    toolButton("up", `Move this ${what} up`, () => actions.move(id, -1)),
    toolButton("down", `Move this ${what} down`, () => actions.move(id, 1)),
    toolButton("split", `Split this ${what} at the caret`, splitHere),
    toolButton("merge", `Merge this ${what} with the one below`, () => actions.merge(id)),
    toolButton("copy", `Duplicate this ${what}`, () => actions.duplicate(id)),
    toolButton("plus", "Add a code cell below", () => actions.insert(id, "code")),
    toolButton("trash", `Delete this ${what}`, () => actions.remove(id)),
  );
  walkByArrows(bar);
  return bar;
}

/** One stop for Tab; arrows go from tool to tool. */
function walkByArrows(bar: HTMLElement): void {
  const buttons = [...bar.querySelectorAll("button")];
  const stopAt = (at: HTMLButtonElement) => buttons.forEach((button) => (button.tabIndex = button === at ? 0 : -1));
  stopAt(buttons[0]!);
  bar.addEventListener("focusin", ({ target }) => buttons.includes(target as HTMLButtonElement) && stopAt(target as HTMLButtonElement));
  bar.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    if (step === 0 || at < 0) return;
    event.preventDefault();
    buttons[(at + step + buttons.length) % buttons.length]!.focus();
  });
}

export interface CellView {
  readonly element: HTMLElement;
  /** About how many pixels high it is while it is out of view. */
  readonly roughHeight: number;
  /** The cell's place may have changed. */
  renumber(number: number): void;
  setSource(source: string): void;
  /** The caret. */
  focus(): void;
  /** The keys, in command mode. */
  select(): void;
  /** Selects a part of its text. */
  reveal(from: number, to: number): void;
  destroy(): void;
}

/** Lines of code above which they are folded. */
const LONG = 28;
/** What shows a picture, for which a cell that is folded as a whole keeps room. */
const DRAWS = /\b(animate|image|heatmap)\(/;

/** Milliseconds after which a cell that runs because of a control looks as if it runs. */
const CALM = 300;

export class CodeCellView implements CellView {
  readonly element: HTMLElement;
  readonly roughHeight: number;
  /** Made when the cell comes near the window: an editor costs milliseconds, and a notebook may
   * have thousands of cells. */
  private editor: Editor | null = null;
  private readonly frame: HTMLElement;
  private source: string;
  private place = 0;
  private readonly runButton: HTMLButtonElement;
  /** Has the focus in command mode, behind the editor, so that Tab goes on from there. */
  private readonly stop = h("div", { class: "command-stop", tabindex: -1, role: "group" });
  private readonly number = h("span", { class: "cell-number", "aria-hidden": "true" });
  /** How long it took, beside the number; `status` says it in words. */
  private readonly time = h("span", { class: "cell-time", "aria-hidden": "true" });
  private readonly status = h("span", { class: "cell-status" });
  private readonly announcement = h("span", { class: "visually-hidden", role: "status" });
  private readonly outputs: OutputList;
  private readonly more = h("div", { class: "more-bar", hidden: true });
  private readonly errors = h("div", { class: "cell-errors", role: "alert" });
  private clock: ReturnType<typeof setInterval> | undefined;
  private calm: ReturnType<typeof setTimeout> | undefined;
  private active = false;
  private freshness: Freshness = FRESH;
  private gone = false;

  constructor(
    private readonly cell: Cell,
    private readonly actions: CellActions,
    private readonly run: () => CellRun,
  ) {
    this.source = cell.source;
    this.roughHeight = roughHeight(cell.source, 21);
    this.outputs = new OutputList(() => run().outputs, actions.outputs(cell.id));
    this.runButton = h("button", { class: "run", type: "button", onclick: () => (this.active ? actions.stop() : actions.run(cell.id, "stay")) });
    this.frame = h("div", { class: "editor-frame", tabindex: -1 }, this.still(), this.stop);
    this.element = h(
      "section",
      { class: `cell code-cell${cell.source.trim() === "" ? " blank" : ""}`, id: `cell-${cell.id}` },
      h("div", { class: "gutter" }, this.runButton, this.number, this.time),
      h("div", { class: "cell-body" }, this.frame, h("div", { class: "cell-foot" }, this.readerCode(), this.status), this.errors, this.outputs.element, this.more),
      this.announcement,
    );
    listenForCellKeys(this.element, cell, actions, () => this.splitHere());
    this.fold();
    if (!preparedPaint(cell.source)) layOutLater(this);
    this.showRun();
    whenNear(this.element, () => soon(() => this.comeNear()));
  }

  /** In the reader's view, the way to this cell's code. */
  private readerCode(): HTMLElement {
    const button = h("button", {
      class: "reader-code", type: "button", "aria-expanded": "false",
      onclick: () => {
        const open = this.element.classList.toggle("code-open");
        button.setAttribute("aria-expanded", String(open));
        button.textContent = open ? "Hide code" : "Code";
        if (open) this.unfold();
      },
    }, "Code");
    return button;
  }

  /** Long code is folded, and where the site's own notebook asks for it, all of it: one click, or
   * going into it, shows it. */
  private fold(): void {
    const lines = this.source.split("\n", 10_000).length;
    const whole = this.cell.fold === true && this.actions.mayFold();
    if (!whole && (lines <= LONG || this.source.length > LIMITS.codeShown)) return;
    this.element.classList.add(whole ? "folded-whole" : "folded");
    this.element.classList.toggle("draws", whole && DRAWS.test(this.source));
    const button = h("button", { class: "unfold", type: "button", "aria-expanded": "false", onclick: () => this.unfold() }, whole ? `Show code` : `Show all ${lines.toLocaleString("en")} lines`);
    if (whole) this.status.before(button);
    else this.frame.after(button);
    this.frame.addEventListener("focusin", () => this.unfold());
  }

  private unfold(): void {
    this.element.classList.remove("folded", "folded-whole", "draws");
    const button = this.element.querySelector(".unfold");
    // A reader who pressed it continues from what it showed.
    if (button === document.activeElement) this.frame.focus({ preventScroll: true });
    button?.remove();
  }

  /** What an earlier view of this cell showed. */
  private showRun(): void {
    this.showStatus();
    const { outputs, error } = this.run();
    if (outputs.list.length > 0) this.showOutputs();
    if (error) this.showError(error);
  }

  private comeNear(): void {
    this.element.classList.remove("far");
    if (this.source.length <= LIMITS.codeShown) whenEditors(() => soon(() => this.gone || this.edit(() => undefined)));
  }

  /** The text as it stands until there is an editor; of a very long one the beginning, and the way
   * to all of it. */
  private still(): HTMLElement {
    const text = stillCode(this.source);
    if (this.source.length <= LIMITS.codeShown) {
      // A reader who came by keyboard gets the editor.
      text.addEventListener("focus", () => this.edit((editor) => editor.focus()));
      text.addEventListener("pointerdown", () => this.edit(() => undefined));
      text.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || !(event.shiftKey || event.ctrlKey || event.metaKey || event.altKey)) return;
        event.preventDefault();
        this.actions.run(this.cell.id, event.shiftKey ? "next" : event.altKey ? "insert" : "stay");
      });
      return text;
    }
    const rest = (this.source.length - LIMITS.codeShown / 10).toLocaleString("en");
    const all = h("button", { class: "plain-button small", type: "button", onclick: () => this.focus() }, "Edit the whole text");
    return h("div", {}, text, h("p", { class: "more-bar" }, h("span", { class: "note" }, `${rest} more characters not shown. `), all));
  }

  /** The name at the caret, where the editor has the focus. */
  get nameAtCaret(): string {
    return this.editor?.element === document.activeElement ? this.editor.nameAtCaret : "";
  }

  /** Does something with the editor: at once, unless what edits has still to come. */
  private edit(then: (editor: Editor) => void): void {
    if (this.editor) return then(this.editor);
    const { cell, actions } = this;
    fetchEditors().catch(() => this.lacksEditor());
    whenEditors((make) => {
      if (this.gone) return;
      if (this.editor) return then(this.editor);
      this.editor = make({
        kind: "code",
        source: this.source,
        label: `Code of cell ${this.place}`,
        others: () => actions.others(cell.id),
        changed: (source) => {
          this.takeSource(source);
          actions.changed(cell.id, source);
        },
        run: (then) => actions.run(cell.id, then),
        command: () => this.select(),
        split: () => this.splitHere(),
        find: (selected) => actions.find(selected),
        format: () => actions.format(cell.id),
        leave: (direction) => actions.leave(cell.id, direction),
      });
      const selected = document.activeElement === this.stop;
      this.frame.replaceChildren(this.editor.element, this.stop, toolbar(cell, actions, () => this.splitHere(), [toolButton("explain", "Inspect what this code cell computed", () => actions.inspect(cell.id))]));
      if (selected) this.select();
      this.element.classList.remove("far");
      then(this.editor);
    });
  }

  private splitHere(): void {
    this.edit((editor) => this.actions.split(this.cell.id, editor.caret));
  }

  private lacksEditor(): void {
    if (this.frame.querySelector(".lacking")) return;
    this.frame.append(h("p", { class: "more-bar lacking", role: "status" }, h("span", { class: "note" }, "The editor did not load. Reload the page to edit; cells still run.")));
  }

  renumber(number: number): void {
    if (this.place === number) return;
    this.place = number;
    this.number.textContent = String(number);
    setAttribute(this.element, "aria-label", `Cell ${number}, code`);
    setAttribute(this.stop, "aria-label", `Cell ${number}, command mode`);
    setAttribute(this.outputs.element, "aria-label", `Output of cell ${number}`);
    this.editor?.setLabel(`Code of cell ${number}`);
    this.labelRunButton(number);
  }

  /** The reader's view leaves out what has no code. */
  private takeSource(source: string): void {
    this.source = source;
    this.element.classList.toggle("blank", source.trim() === "");
  }

  setSource(source: string): void {
    this.takeSource(source);
    if (this.editor) this.editor.source = source;
    else this.frame.replaceChildren(this.still(), this.stop);
  }

  focus(): void {
    this.edit((editor) => editor.focus());
  }

  select(): void {
    this.stop.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: "nearest" });
  }

  reveal(from: number, to: number): void {
    this.unfold();
    this.edit((editor) => {
      this.element.scrollIntoView({ block: "nearest" });
      editor.select(from, to);
    });
  }

  goTo(line: number, column: number): void {
    this.edit((editor) => {
      this.element.scrollIntoView({ block: "nearest" });
      editor.goTo(line, column);
    });
  }

  /** What the cell shows may have become old; `showStatus` says so. */
  setFreshness(freshness: Freshness): void {
    if (freshness === this.freshness || JSON.stringify(freshness) === JSON.stringify(this.freshness)) return;
    this.freshness = freshness;
    this.showStatus();
  }

  /** Why what stands below the code is not what the code would show now; "" where it is. */
  private whyOld(): string {
    if (this.active) return "";
    const { saved, source } = this.run();
    if (saved) {
      const missing = saved.omitted > 0 ? ` · ${saved.omitted} more ${saved.omitted === 1 ? "output was" : "outputs were"} not kept` : "";
      return ` · ${saved.brought ? "came with the notebook, not run here" : "saved on an earlier visit"}${source === this.source ? "" : " · edited since"}${missing}`;
    }
    if (this.run().stale) return " · before the restart";
    if (this.freshness.kind === "edited") return " · edited since";
    if (this.freshness.kind === "outdated") return ` · uses cell ${this.actions.numberOf(this.freshness.by)}, which has changed`;
    if (this.freshness.kind === "orphaned") return ` · uses ${this.freshness.name}, whose cell was deleted`;
    return "";
  }

  showStatus(late = false): void {
    const { saved, run, error, atWork, automatic } = this.run();
    const started = run?.started ?? 0;
    clearTimeout(this.calm);
    // What a control makes run again, many times a second, keeps its looks unless it takes long.
    if (automatic && !late && (this.run().status === "queued" || this.run().status === "running")) {
      this.calm = setTimeout(() => this.showStatus(true), CALM);
      return;
    }
    const { status, milliseconds } = this.run().status === "idle" && saved ? saved : this.run();
    this.active = atWork || status === "running" || status === "stopping" || status === "queued";
    const old = status !== "idle" && this.whyOld() !== "";
    this.element.dataset["status"] = old ? "stale" : atWork ? "running" : status;
    this.labelRunButton(this.actions.numberOf(this.cell.id));
    clearInterval(this.clock);
    const words: Record<CellStatus, () => string> = {
      idle: () => "",
      queued: () => "waiting",
      running: () => `running ${duration(Math.max(0, performance.now() - started))}`,
      stopping: () => "stopping…",
      done: () => `done in ${duration(milliseconds)}`,
      failed: () => `failed after ${duration(milliseconds)}`,
      stopped: () => `stopped after ${duration(milliseconds)}`,
    };
    const shownTime = () => (status === "running" ? duration(Math.max(0, performance.now() - started)) : status === "done" || status === "failed" || status === "stopped" ? duration(milliseconds) : "");
    const write = () => {
      this.time.textContent = shownTime();
      return (this.status.textContent = words[status]() + (atWork ? " · still working" : "") + (status === "idle" ? "" : this.whyOld()));
    };
    write();
    if (status === "running") this.clock = setInterval(write, 250);
    if (status === "done" || status === "failed" || status === "stopped") {
      const place = `Cell ${this.actions.numberOf(this.cell.id)}`;
      this.announcement.textContent = old || (automatic && status === "done") ? "" : status === "failed" ? `${place} failed${error ? `: ${asName(error.message)}` : ""}` : `${place} ${write()}`;
      this.outputs.rest();
    }
  }

  clearOutputs(): void {
    this.outputs.clear();
    this.more.hidden = true;
    this.errors.replaceChildren();
    this.editor?.mark(null);
  }

  /** Brings what stands on the page in line with what is to be shown, and says how much is not. */
  showOutputs(): void {
    this.outputs.arrange();
    const { hidden, dropped } = this.run().outputs;
    const focused = this.more.contains(document.activeElement);
    this.more.hidden = hidden + dropped === 0;
    this.more.replaceChildren(
      ...(hidden > 0 ? [h("span", { class: "note" }, `${hidden.toLocaleString("en")} more not shown. `), h("button", { class: "plain-button small", type: "button", onclick: () => this.actions.reveal(this.cell.id) }, "Show more")] : []),
      ...(dropped > 0 ? [h("span", { class: "note" }, `${dropped.toLocaleString("en")} more were dropped: a cell keeps its first and last outputs.`)] : []),
    );
    if (focused) (this.more.querySelector("button") ?? this.runButton).focus({ preventScroll: true });
  }

  showOutput(output: Output): void {
    this.outputs.show(output);
  }

  showError(error: CellError): void {
    this.errors.replaceChildren(errorView(error, this.cell.id, this.actions));
  }

  /** Marks the place of an error in the editor, unless the text has changed since it ran. */
  mark(line: number, column: number, message: string): void {
    if (this.source === this.run().source) this.edit((editor) => editor.mark({ line, column, message }));
  }

  destroy(): void {
    this.gone = true;
    clearInterval(this.clock);
    clearTimeout(this.calm);
    this.outputs.destroy();
    forgetNear(this.element);
    this.editor?.destroy();
  }

  private labelRunButton(number: number): void {
    const label = `${this.active ? "Stop" : "Run"} cell ${number}`;
    if (this.runButton.getAttribute("aria-label") === label) return;
    this.runButton.setAttribute("aria-label", label);
    this.runButton.title = label;
    this.runButton.replaceChildren(icon(this.active ? "stop" : "play"));
  }
}

export class ProseCellView implements CellView {
  readonly element: HTMLElement;
  readonly roughHeight: number;
  private readonly text = h("div", { class: "prose" });
  private readonly body: HTMLElement;
  private editor: Editor | null = null;
  private source: string;
  private gone = false;

  constructor(
    private readonly cell: Cell,
    private readonly actions: CellActions,
  ) {
    this.source = cell.source;
    this.roughHeight = roughHeight(cell.source, 28);
    const edit = toolButton("pencil", "Edit this text", () => this.write());
    // A tap gives it the focus, and with it its tools.
    this.body = h("div", { class: "cell-body", tabindex: -1 }, this.text, toolbar(cell, actions, () => this.splitHere(), [edit]));
    this.text.addEventListener("dblclick", () => this.write());
    this.element = h("div", { class: "cell prose-cell", id: `cell-${cell.id}`, role: "group", "aria-label": "Text" }, this.body);
    listenForCellKeys(this.element, cell, actions, () => this.splitHere());
    if (this.source === "") {
      this.draw();
      this.write();
      return;
    }
    if (preparedProse(this.source)) {
      this.draw();
      return;
    }
    this.text.append(h("div", { class: "as-written waiting" }, this.source.slice(0, 2_000)));
    layOutLater(this);
    whenNear(this.element, () => soon(() => this.draw()));
  }

  renumber(): void {
    // Only code is numbered.
  }

  setSource(source: string): void {
    this.source = source;
    this.draw();
    if (this.editor) this.editor.source = source;
  }

  focus(): void {
    this.write();
  }

  select(): void {
    this.finish();
    this.body.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: "nearest" });
  }

  reveal(from: number, to: number): void {
    this.write((editor) => {
      this.element.scrollIntoView({ block: "nearest" });
      editor.select(from, to);
    });
  }

  destroy(): void {
    this.gone = true;
    forgetNear(this.element);
    forgetProse(this.text);
    this.editor?.destroy();
  }

  private draw(): void {
    this.element.classList.remove("far");
    if (this.source.trim() === "") {
      forgetProse(this.text);
      this.text.replaceChildren(h("p", { class: "note" }, "Empty text"));
      return;
    }
    showProse(this.text, this.source);
  }

  private write(then: (editor: Editor) => void = (editor) => editor.focus()): void {
    if (this.editor) return then(this.editor);
    fetchEditors().catch(() => undefined);
    whenEditors((make) => {
      if (this.gone || this.editor) return;
      this.editor = make({
        kind: "prose",
        source: this.source,
        label: "Text in Markdown",
        others: () => [],
        changed: (source) => {
          this.source = source;
          this.actions.changed(this.cell.id, source);
        },
        run: (then) => {
          this.finish();
          this.actions.run(this.cell.id, then);
        },
        command: () => this.select(),
        split: () => this.splitHere(),
        find: (selected) => this.actions.find(selected),
        format: () => undefined,
        leave: (direction) => this.actions.leave(this.cell.id, direction),
      });
      const done = h("button", { class: "plain-button small", type: "button", onclick: () => this.finish() }, "Done");
      const foot = h("div", { class: "prose-editor-foot" }, done, h("span", { class: "note" }, "Markdown · Shift+Enter when done"));
      this.text.hidden = true;
      // The page keeps its first heading while that is written.
      const title = this.text.querySelector("h1")?.textContent;
      this.body.prepend(h("div", { class: "editor-frame prose-editor" }, title && h("h1", { class: "visually-hidden" }, title), this.editor.element, foot));
      then(this.editor);
    });
  }

  private splitHere(): void {
    if (this.editor) this.actions.split(this.cell.id, this.editor.caret);
    else this.write();
  }

  private finish(): void {
    // Its tools are where the focus was.
    if (this.body.contains(document.activeElement)) this.body.focus({ preventScroll: true });
    this.editor?.destroy();
    this.editor = null;
    this.body.querySelector(".prose-editor")?.remove();
    this.text.hidden = false;
    this.draw();
  }
}
