// View of the notebook: one view for each cell, kept while cells move about, and between the cells
// places to add new ones.

import type { Cell, CellKind } from "../../state/notebook/notebook";
import { LIMITS } from "../../state/limits";
import { FRESH, freshnessOf } from "../../state/run/freshness";
import type { RanCell } from "../../state/run/freshness";
import { cellNumber, codeCells } from "../../state/notebook/notebook";
import { Reactions } from "../../state/run/reactions";
import type { Session } from "../../state/run/session";
import type { Workspace } from "../../state/notebook/workspace";
import { RECOVER } from "../device/badge";
import { Chunks } from "./chunks";
import type { Row } from "./chunks";
import { CodeCellView, ProseCellView } from "./cell";
import { commanded, listenForCommands, missingCell } from "./commands";
import type { AfterRun } from "../editor/editor";
import type { CellError } from "../../state/code/errors";
import { definitionsOf } from "../../state/code/definitions";
import type { CellActions, CellView } from "./cell";
import { byTouch, h, onceAFrame } from "../ui/dom";
import { EarlyField } from "../ui/early";
import { icon } from "../ui/icons";
import { readCells } from "../editor/editors";
import { whenNear } from "../ui/near";
import { followTools } from "./tools";
import { soon } from "../ui/slices";

/** Cells that are put on the page at first, and at a time at most. */
const AT_FIRST = 40;
const AT_ONCE = 200;
/** Milliseconds that cells put on the page at a time may take, their layout included. */
const A_TIME = 40;
const FRAME = 16;
/** Pixels between two cells. */
const GAP = 26;

export class NotebookView {
  readonly element = h("div", { class: "notebook" });
  private readonly chunks = new Chunks(this.element);
  private readonly views = new Map<string, CellView>();
  /** The places to add a cell, by the cell above; the first has none. */
  private readonly gaps = new Map<string | null, HTMLElement>();
  private readonly rest = h("div", { class: "more-bar" });
  /** How many cells come at a time: as many as this machine lays out without holding the page. */
  private more = AT_FIRST;
  /** How many cells stand on the page, and how many may by themselves. */
  private shown = AT_FIRST;
  private allowed: number = LIMITS.cellsShown;
  private readonly actions: CellActions;
  /** The cell that had the focus last. */
  private last = "";

  constructor(
    private readonly workspace: Workspace,
    private readonly session: Session,
    private readonly recover: () => void,
    /** What was done to the cells can be taken back; what it was, in a sentence. */
    private readonly changed: (what: string) => void,
    private readonly undo: () => void,
    private readonly bring: (given: File) => Promise<string>,
    /** Opens the inspector with a cell. */
    private readonly inspect: (cell: string) => void,
  ) {
    this.actions = this.makeActions();
    this.element.addEventListener("focusin", ({ target }) => {
      const cell = target instanceof Element ? target.closest(".cell") : null;
      if (cell) this.last = cell.id.slice("cell-".length);
    });
    followTools(this.element);
    listenForCommands(this.element, workspace, {
      select: (id) => this.views.get(id)?.select(),
      write: (id) => this.views.get(id)?.focus(),
      run: (id, then) => this.run(id, then),
      remove: (id) => this.actions.remove(id),
      merge: (id) => {
        this.actions.merge(id);
        this.views.get(id)?.select();
      },
      undo: this.undo,
      find: () => this.find(),
      said: changed,
    });
    new Reactions(session, () => this.ranCells());
    workspace.events.subscribe((event) => {
      if (event.type === "opened") {
        this.element.dataset["notebook"] = workspace.origin.kind === "gallery" ? workspace.origin.file : "";
        this.rebuild();
      }
      if (event.type === "cells") this.arrange();
      if (event.type !== "saved") this.judge();
      if (event.type === "source") this.views.get(event.cell)?.setSource(workspace.find(event.cell)?.source ?? "");
    });
    session.events.subscribe((event) => {
      if (event.type === "device-lost") this.showErrorsAgain();
      if (event.type === "status" || event.type === "changed") this.judge();
      if (!("cell" in event)) return;
      const view = this.views.get(event.cell);
      if (!(view instanceof CodeCellView)) return;
      switch (event.type) {
        case "status":
          return view.showStatus();
        case "cleared":
          return view.clearOutputs();
        case "output":
          return view.showOutput(event.output);
        case "outputs":
          return view.showOutputs();
        case "error": {
          view.showError(event.error);
          // Marked where it arose and, if that is another cell, where this one led to it.
          const { location, trace, message } = event.error;
          for (const place of [location, trace.findLast(({ cell }) => cell === event.cell && cell !== location?.cell)]) {
            const at = place && this.views.get(place.cell);
            if (at instanceof CodeCellView) at.mark(place!.line, place!.column, message);
          }
          return;
        }
      }
    });
  }

  /** Command mode stays command mode, and edit mode stays edit mode. */
  run(id: string, then: AfterRun): void {
    const commands = commanded() !== null;
    const cell = this.workspace.find(id);
    if (cell?.kind === "code") this.session.run([{ cell: id, source: cell.source }]);
    if (then === "insert") return this.insertAfter(id, "code");
    if (then === "stay") return;
    const next = this.workspace.cells[this.workspace.cells.findIndex((each) => each.id === id) + 1];
    if (commands && next) this.views.get(next.id)?.select();
    else this.focusFrom(id, 1);
  }

  /** Writes a code cell's text in the usual form. */
  private async format(id: string): Promise<void> {
    const cell = this.workspace.find(id);
    if (cell?.kind !== "code") return;
    try {
      const { formatCode } = await import("../editor/format");
      const text = await formatCode(cell.source);
      if (this.workspace.find(id)?.source === cell.source && text !== cell.source) this.workspace.rewrite(new Map([[id, text]]));
    } catch {
      this.changed("This cell cannot be formatted: its code cannot be read.");
    }
  }

  /** Formats every code cell that can be read, in one step that can be undone. */
  async formatAll(): Promise<void> {
    const { formatCode } = await import("../editor/format");
    const texts = new Map<string, string>();
    for (const { id, source } of codeCells(this.workspace.cells)) {
      const text = await formatCode(source).catch(() => source);
      if (text !== source && this.workspace.find(id)?.source === source) texts.set(id, text);
    }
    if (texts.size > 0) this.workspace.rewrite(texts);
    this.changed(texts.size === 0 ? "Nothing to format." : `${texts.size === 1 ? "1 cell was" : `${texts.size} cells were`} formatted.`);
  }

  /** Opens the search over all cells. */
  find(selected = ""): void {
    const { workspace } = this;
    const early = new EarlyField("Find", selected.includes("\n") ? "" : selected);
    void import("../find/find").then(({ showFind }) => {
      const typed = early.end();
      if (typed === null) return;
      showFind(typed, {
        workspace,
        reveal: (id, from, to) => {
          this.showCell(id);
          this.views.get(id)?.reveal(from, to);
        },
        changed: this.changed,
      });
    }).finally(() => early.end());
  }

  /** Opens the reference; its examples go below the cell that was used last. */
  showReference(): void {
    const { workspace } = this;
    let below = document.activeElement?.closest(".cell")?.id.slice("cell-".length) ?? this.last;
    const view = below === null ? undefined : this.views.get(below);
    const name = view instanceof CodeCellView ? view.nameAtCaret : "";
    const early = new EarlyField("Search the reference", "");
    void import("../reference/panel").then(({ showReference }) =>
      showReference(name, early, {
        insert: (code) => {
          const at = workspace.cells.findIndex(({ id }) => id === below);
          const cell = workspace.paste(at < 0 ? workspace.cells.length : at + 1, "code", code);
          below = cell.id;
          this.showCell(cell.id);
          this.views.get(cell.id)?.element.scrollIntoView({ block: "center" });
          this.changed(`The example was added. ${byTouch() ? "▷" : "Shift+Enter"} runs it.`);
        },
      }),
    ).finally(() => early.end());
  }

  /** Puts a cell on the page that has not come yet. */
  private showCell(id: string): void {
    const at = this.workspace.cells.findIndex((cell) => cell.id === id);
    if (at < this.shown) return;
    this.allowed = Math.max(this.allowed, at + 1);
    this.shown = at + 1;
    this.arrange();
  }

  /** What mends an error that misses a name of a cell which has not run. */
  private runMissing({ message }: CellError, id: string): { label: string; run(): void } | null {
    const { workspace, session } = this;
    const missing = missingCell(message, workspace, (cell) => definitionsOf(cell, session.reader), (each) => each === id || session.cell(each).live !== null);
    const number = missing ? cellNumber(workspace.cells, missing.cell.id) : 0;
    return missing && { label: `Run cell ${number}, which defines ${missing.name}`, run: () => this.session.run([missing.cell.id, id].map((cell) => ({ cell, source: workspace.find(cell)?.source ?? "" }))) };
  }

  private ranCells(): RanCell[] {
    return codeCells(this.workspace.cells).map(({ id, source }) => ({ id, source, ran: this.session.cell(id).live }));
  }

  /** Which cells show what is old? Once a frame at most, however fast someone types. */
  private readonly judge = onceAFrame(() => {
    const cells = this.ranCells();
    const found = freshnessOf(cells, this.session.definedBeside(new Set(cells.map(({ id }) => id))));
    for (const [id, view] of this.views) if (view instanceof CodeCellView) view.setFreshness(found.get(id) ?? FRESH);
  });

  /** What mends an error may be known only after it. */
  showErrorsAgain(): void {
    for (const [id, view] of this.views) {
      const { error } = this.session.cell(id);
      if (error && view instanceof CodeCellView) view.showError(error);
    }
  }

  private makeActions(): CellActions {
    const { workspace, session } = this;
    return {
      others: (id) => readCells(workspace.cells, id),
      changed: (id, source) => workspace.edit(id, source, true),
      run: (id, then) => this.run(id, then),
      find: (selected) => this.find(selected),
      format: (id) => void this.format(id),
      stop: () => session.stop(),
      insert: (id, kind) => this.insertAfter(id, kind),
      move: (id, offset) => {
        // An element that is taken out and put in elsewhere has lost it; an editor's stands in its
        // shadow root.
        const host = document.activeElement;
        const focused = host?.shadowRoot?.activeElement ?? host;
        workspace.move(id, offset);
        if (focused instanceof HTMLElement && host !== document.activeElement) focused.focus({ preventScroll: true });
        this.views.get(id)?.element.scrollIntoView({ block: "nearest" });
      },
      duplicate: (id) => this.show(workspace.duplicate(id)),
      split: (id, at) => {
        const second = workspace.split(id, at);
        if (second) this.show(second);
        else this.changed("To split a cell, put the caret where the second part should begin.");
      },
      merge: (id) => {
        const below = workspace.cells[workspace.cells.findIndex((cell) => cell.id === id) + 1];
        if (below) session.cancel(below.id);
        this.changed(workspace.merge(id) ? "Cells merged." : "The cell below is not of the same kind.");
        this.views.get(id)?.focus();
      },
      remove: (id) => {
        const at = workspace.cells.findIndex((cell) => cell.id === id);
        session.cancel(id);
        workspace.remove(id);
        const neighbour = workspace.cells[Math.min(at, workspace.cells.length - 1)];
        if (neighbour) this.views.get(neighbour.id)?.focus();
        else this.element.querySelector<HTMLElement>(".add")?.focus();
        this.changed("Cell deleted.");
      },
      leave: (id, direction) => this.focusFrom(id, direction),
      numberOf: (id) => cellNumber(workspace.cells, id),
      goTo: (id, line, column) => this.goTo(id, line, column),
      remedy: (error, id) => (session.mendedByRecovery(error) ? { label: RECOVER, run: this.recover } : this.runMissing(error, id)),
      mayFold: () => workspace.origin.kind === "gallery",
      outputs: (id) => ({
        choose: (output, value) => session.inputs.choose(id, output, value),
        bring: this.bring,
        click: (output) => session.inputs.click(id, output),
        draw: (output, pixels) => session.inputs.draw(id, output, pixels),
        shown: (output) => session.shown(output),
        animate: (output, does) => session.inputs.animate(id, output, does),
        point: (output, x, y, down) => session.inputs.point(id, output, x, y, down),
        again: () => this.run(id, "stay"),
      }),
      reveal: (id) => session.reveal(id),
      inspect: (id) => this.inspect(id),
    };
  }

  /** Puts the caret at a place of a code cell. */
  goTo(id: string, line: number, column: number): void {
    const view = this.views.get(id);
    if (view instanceof CodeCellView) view.goTo(line, column);
  }

  /** Puts the caret into the first code cell. */
  focusFirst(): void {
    const first = codeCells(this.workspace.cells)[0];
    if (first) this.show(first);
  }

  /** Brings a cell that was made into view, to write in. */
  private show(cell: Cell | null): void {
    const view = cell && this.views.get(cell.id);
    view?.focus();
    view?.element.scrollIntoView({ block: "nearest" });
  }

  private insertAfter(id: string | null, kind: CellKind): void {
    const at = id === null ? 0 : this.workspace.cells.findIndex((cell) => cell.id === id) + 1;
    const cell = this.workspace.insert(at, kind);
    this.showCell(cell.id);
    this.views.get(cell.id)?.focus();
  }

  /** Focuses the next code cell in a direction; after the last one a new cell is begun. */
  private focusFrom(id: string, direction: -1 | 1): void {
    const { cells } = this.workspace;
    let at = cells.findIndex((cell) => cell.id === id) + direction;
    while (cells[at] && cells[at]!.kind !== "code") at += direction;
    if (cells[at]) {
      const view = this.views.get(cells[at]!.id);
      view?.focus();
      view?.element.scrollIntoView({ block: "nearest" });
    } else if (direction > 0) {
      this.insertAfter(cells.at(-1)?.id ?? null, "code");
    }
  }

  private rebuild(): void {
    for (const view of this.views.values()) view.destroy();
    this.views.clear();
    this.gaps.clear();
    this.chunks.clear();
    this.shown = AT_FIRST;
    this.more = AT_FIRST;
    this.allowed = LIMITS.cellsShown;
    this.arrange();
  }

  private arrange(): void {
    const began = performance.now();
    const { cells } = this.workspace;
    const standing = cells.slice(0, this.shown);
    const present = new Set(standing.map(({ id }) => id));
    for (const [id, view] of this.views) {
      if (present.has(id)) continue;
      view.destroy();
      this.views.delete(id);
      this.gaps.delete(id);
    }
    const rows = standing.map((cell): Row => {
      const view = this.view(cell);
      view.renumber(cellNumber(cells, cell.id));
      return { id: cell.id, elements: [view.element, this.gap(cell.id)], height: view.roughHeight + GAP, far: view.element.classList.contains("far") };
    });
    this.chunks.arrange(this.gap(null), rows, cells.length > this.shown ? this.rest : null);
    if (cells.length > this.shown) this.goOn(cells.length - this.shown, began);
  }

  private view(cell: Cell): CellView {
    let view = this.views.get(cell.id);
    if (!view) {
      view = cell.kind === "code" ? new CodeCellView(cell, this.actions, () => this.session.cell(cell.id)) : new ProseCellView(cell, this.actions);
      this.views.set(cell.id, view);
    }
    return view;
  }

  /** The cells that do not stand on the page yet: they come by and by, and beyond a limit when the
   * reader asks. */
  private goOn(missing: number, began: number): void {
    const { shown, allowed } = this;
    if (shown < allowed) {
      this.rest.replaceChildren();
      return soon(() => {
        if (this.shown !== shown) return;
        // What the frame since then took, less what it would have waited for the next one.
        const took = Math.max(1, performance.now() - began - FRAME);
        this.more = Math.round(Math.min(AT_ONCE, 2 * this.more, Math.max(10, (this.more * A_TIME) / took)));
        this.shown = Math.min(shown + this.more, allowed);
        this.arrange();
      });
    }
    const more = () => {
      this.allowed += 1_000;
      this.arrange();
    };
    this.rest.replaceChildren(
      h("span", { class: "note" }, `${missing.toLocaleString("en")} more cells not shown. `),
      h("button", { class: "plain-button small", type: "button", onclick: more }, `Show ${Math.min(missing, 1_000).toLocaleString("en")} more`),
    );
  }

  private gap(after: string | null): HTMLElement {
    let gap = this.gaps.get(after);
    if (!gap) {
      gap = h("div", { class: "gap" });
      this.gaps.set(after, gap);
      const made = gap;
      const add = (kind: CellKind, label: string) =>
        h("button", { class: "add", type: "button", "aria-label": `Add ${label.toLowerCase()} here`, onclick: () => this.insertAfter(after, kind) }, icon("plus"), label);
      whenNear(made, () => soon(() => made.replaceChildren(add("code", "Code"), add("prose", "Text"))));
    }
    return gap;
  }
}
