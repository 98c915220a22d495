// Which notebook is open, and what has the reader made of it? Holds its cells, saves edits as they are made, and can
// go back to what it was.

import { Emitter } from "./emitter";
import { fingerprint } from "./fingerprint";
import { checkText } from "./limits";
import { editCell, findCell, insertCell, makeCell, moveCell, parseNotebook, removeCell, sameNotebook, serializeNotebook, titleOf } from "./notebook";
import type { Cell, CellKind, Cells } from "./notebook";
import type { EditStore } from "./storage";

/** Where a notebook came from: the site's own gallery, a link someone made, a file of the reader's, or nowhere: begun because the
 * address, `from`, led to none. */
export type Origin = { kind: "gallery"; file: string } | { kind: "link" } | { kind: "file"; file: string } | { kind: "new"; from: string };

/** What stands beside the text that is shown, until the reader chooses: `tab`, what another tab saved since; `source`, the notebook
 * as it is by now, where the edits were made of an older one. */
export type Rival = "tab" | "source";

type Undo = { removed: Cell; at: number } | { replaced: Cells };

export type WorkspaceEvent =
  /** Cells came, went or moved. */
  | { type: "cells" }
  /** A cell's text changed, other than by typing in its own editor. */
  | { type: "source"; cell: string }
  | { type: "opened" }
  /** The reader types in a cell's editor. */
  | { type: "typed"; cell: string }
  | { type: "rival"; rival: Rival | null }
  | { type: "saved"; kept: boolean };

const SAVE_AFTER = 400;

export class Workspace {
  readonly events = new Emitter<WorkspaceEvent>();
  cells: Cells = [];
  origin: Origin = { kind: "file", file: "untitled.md" };
  private original: Cells = [];
  /** Under what its edits are kept. */
  key = "";
  rival: Rival | null = null;
  /** What the store held when this tab last looked: anything else is another tab's. */
  private seen: string | null = null;
  /** What the edits were made of. */
  private base = "";
  /** What it would be made of now. */
  source = "";
  private refused = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private undos: Undo[] = [];

  constructor(private readonly edits: EditStore) {}

  /** Opens a notebook with the edits that were kept for it; throws `TooLarge`, and changes nothing, where no page can show it. */
  open(origin: Origin, markdown: string): void {
    checkText(markdown);
    const original = orOne(parseNotebook(markdown));
    this.save();
    const key = keyOf(origin, markdown);
    const seen = this.edits.read(key);
    const cells = seen === null ? original : orOne(parseNotebook(seen));
    const now = fingerprint(markdown);
    this.origin = origin;
    this.original = original;
    this.key = key;
    this.undos = [];
    this.refused = false;
    this.seen = seen;
    this.base = (seen === null ? null : this.edits.readBase(key)) ?? now;
    this.cells = cells;
    this.rival = this.base !== now && this.edited ? "source" : null;
    this.source = now;
    this.events.emit({ type: "opened" });
    this.events.emit({ type: "rival", rival: this.rival });
  }

  /** The store may hold something new: another tab writes there too. */
  look(): void {
    const held = this.edits.read(this.key);
    if (held === this.seen) return;
    if (held === this.markdown) this.seen = held;
    else this.setRival("tab");
  }

  /** Ends a rivalry: what is shown stays, or what stands beside it takes its place, which `undo` takes back. */
  choose(which: "shown" | "rival"): void {
    const { rival } = this;
    if (!rival) return;
    this.seen = this.edits.read(this.key);
    this.base = this.source;
    this.rival = null;
    if (which === "rival") this.replace(rival === "tab" && this.seen !== null ? parseNotebook(this.seen) : this.original);
    this.scheduleSave();
    this.save();
    this.events.emit({ type: "rival", rival: null });
  }

  /** Whether leaving now would lose something. */
  get unsaved(): boolean {
    return this.edited && (this.refused || this.rival === "tab");
  }

  get markdown(): string {
    return serializeNotebook(this.cells);
  }

  get edited(): boolean {
    return !sameNotebook(this.cells, this.original);
  }

  get title(): string {
    return titleOf(this.cells);
  }

  /** The name to save it under. */
  get fileName(): string {
    if ("file" in this.origin) return this.origin.file;
    return `${this.title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "notebook"}.md`;
  }

  find(id: string): Cell | undefined {
    return findCell(this.cells, id);
  }

  /** `typed` says that the cell's own editor shows the text already. */
  edit(id: string, source: string, typed: boolean): void {
    if (this.find(id)?.source === source) return;
    this.cells = editCell(this.cells, id, source);
    this.scheduleSave();
    this.events.emit({ type: typed ? "typed" : "source", cell: id });
  }

  insert(at: number, kind: CellKind): Cell {
    const cell = makeCell(kind);
    this.change(insertCell(this.cells, at, cell));
    return cell;
  }

  move(id: string, offset: -1 | 1): void {
    this.change(moveCell(this.cells, id, offset));
  }

  remove(id: string): void {
    const removed = this.find(id);
    if (!removed) return;
    this.undos.push({ removed, at: this.cells.indexOf(removed) });
    this.change(removeCell(this.cells, id));
  }

  /** How many deletions, resets among them, can be taken back. */
  get undoable(): number {
    return this.undos.length;
  }

  /** Takes the latest deletion back. */
  undo(): void {
    const last = this.undos.pop();
    if (!last) return;
    if ("removed" in last) return this.change(insertCell(this.cells, Math.min(last.at, this.cells.length), last.removed));
    this.cells = last.replaced;
    this.scheduleSave();
    this.events.emit({ type: "opened" });
  }

  reset(): void {
    this.replace(this.original);
    this.scheduleSave();
    this.save();
  }

  /** Saves at once: the page may be about to close. */
  save(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.look();
    // Two tabs never overwrite each other's text: what is shown here is kept when the reader has chosen.
    if (this.rival === "tab") return;
    if (this.edited) {
      const text = this.markdown;
      this.refused = !this.edits.write(this.key, text, this.base);
      this.seen = this.edits.read(this.key);
    } else {
      this.edits.forget(this.key);
      this.refused = false;
      this.seen = null;
    }
    this.events.emit({ type: "saved", kept: !this.refused });
  }

  private setRival(rival: Rival): void {
    if (this.rival === rival) return;
    this.rival = rival;
    this.events.emit({ type: "rival", rival });
  }

  private replace(cells: Cells): void {
    this.undos.push({ replaced: this.cells });
    this.cells = orOne(cells);
    this.events.emit({ type: "opened" });
  }

  private change(cells: Cells): void {
    if (cells === this.cells) return;
    this.cells = cells;
    this.scheduleSave();
    this.events.emit({ type: "cells" });
  }

  private scheduleSave(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), SAVE_AFTER);
  }
}

/** An empty notebook has a place to write in. */
const orOne = (cells: Cells): Cells => (cells.length > 0 ? cells : [makeCell("code")]);

function keyOf(origin: Origin, markdown: string): string {
  if (origin.kind === "link") return `link:${fingerprint(markdown)}`;
  return origin.kind === "new" ? `new:${fingerprint(origin.from)}` : `${origin.kind}:${origin.file}`;
}
