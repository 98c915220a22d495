// The open notebook and the reader's edits of it. A workspace holds the cells, saves edits as the
// reader makes them, and can return to the original.

import { Emitter } from "../emitter";
import { fingerprint, olderFingerprint } from "./fingerprint";
import { checkText } from "../limits";
import { editCell, findCell, hasOperators, insertCell, makeCell, moveCell, parseNotebook, removeCell, sameNotebook, serializeNotebook, setOperators, titleOf } from "./notebook";
import type { Cell, CellKind, Cells } from "./notebook";
import type { EditStore } from "./storage";

/** Where a notebook came from: the site's own gallery, a link someone made, a file of the reader's, or nowhere: begun because the
 * address, `from`, led to none. */
export type Origin = { kind: "gallery"; file: string } | { kind: "link" } | { kind: "file"; file: string } | { kind: "new"; from: string };

/** What stands beside the text that is shown, until the reader chooses: `tab`, what another tab saved since; `source`, the notebook
 * as it is by now, where the edits were made of an older one. */
export type Rival = "tab" | "source";

/** How to take back what was done to the cells. What was written since stays. */
type Undo =
  | { removed: Cell; at: number }
  | { replaced: Cells }
  | { moved: string; from: number }
  /** `second` was split from `first`. */
  | { first: string; second: string }
  /** `second` was taken into `first`, which was `before` and became `after`. */
  | { into: string; before: string; after: string; second: Cell }
  | { added: string };

export type WorkspaceEvent =
  /** Cells came, went or moved. */
  | { type: "cells" }
  /** A cell's text changed, other than by typing in its own editor. */
  | { type: "source"; cell: string }
  | { type: "opened" }
  /** The reader types in a cell's editor. */
  | { type: "typed"; cell: string }
  | { type: "rival"; rival: Rival | null }
  /** There are edits that may be of this notebook (`showOlder`). */
  | { type: "older" }
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
  /** Where an earlier version of the page kept what it knew of this notebook, or of one that shared its 32 bits; null where that is `key`. */
  olderKey: string | null = null;
  /** That place, if there are edits. */
  private older: string | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private undos: Undo[] = [];

  constructor(private readonly edits: EditStore) {}

  /** Opens a notebook with the edits that were kept for it; throws `TooLarge`, and changes nothing, where no page can show it. */
  open(origin: Origin, markdown: string): void {
    checkText(markdown);
    const original = orOne(parseNotebook(markdown));
    this.save();
    const now = fingerprint(markdown);
    const key = keyOf(origin, now);
    const seen = this.edits.read(key);
    const cells = seen === null ? original : orOne(parseNotebook(seen));
    this.origin = origin;
    this.original = original;
    this.key = key;
    this.undos = [];
    this.refused = false;
    this.seen = seen;
    const older = olderFingerprint(markdown);
    const base = (seen === null ? null : this.edits.readBase(key)) ?? now;
    this.base = base === older ? now : base;
    this.cells = cells;
    this.rival = this.base !== now && this.edited ? "source" : null;
    this.source = now;
    this.olderKey = olderKeyOf(origin, older);
    this.events.emit({ type: "opened" });
    this.events.emit({ type: "rival", rival: this.rival });
    this.older = this.olderKey !== null && seen === null && this.edits.read(this.olderKey) !== null ? this.olderKey : null;
    if (this.older !== null) this.events.emit({ type: "older" });
  }

  /** Shows edits that an earlier version of the page kept, which `undo` takes back; from now on they are this notebook's. */
  showOlder(): void {
    const text = this.older === null ? null : this.edits.read(this.older);
    if (this.older === null || text === null) return;
    this.replace(parseNotebook(text));
    this.edits.forget(this.older);
    this.older = null;
    this.scheduleSave();
    this.save();
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

  get operators(): boolean {
    return hasOperators(this.cells);
  }

  /** Whether operators act on tensors from now on; the notebook says so itself, and `undo` takes it back. */
  setOperators(on: boolean): void {
    if (on === this.operators) return;
    this.replace(setOperators(this.cells, on));
    this.scheduleSave();
  }

  /** The name to save it under. */
  get fileName(): string {
    if ("file" in this.origin) return this.origin.file;
    return `${this.title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "notebook"}.md`;
  }

  /** The cell with which the site's own notebook greets, as the site wrote it; nothing that anybody else wrote. */
  get greeting(): Cell | null {
    const first = this.origin.kind === "gallery" ? this.cells.find(({ kind }) => kind === "code") : undefined;
    const own = this.original.find(({ kind }) => kind === "code");
    return first?.fold && own?.fold && first.source === own.source ? first : null;
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
    const from = this.indexOf(id);
    const cells = moveCell(this.cells, id, offset);
    if (cells === this.cells) return;
    this.undos.push({ moved: id, from });
    this.change(cells);
  }

  /** Parts a cell's text at a place; what follows becomes a cell of its own, which is returned. Null where one part would be empty. */
  split(id: string, at: number): Cell | null {
    const cell = this.find(id);
    if (!cell) return null;
    const [before, behind] = [cell.source.slice(0, at).trimEnd(), cell.source.slice(at).replace(/^\s*\n/, "").trimEnd()];
    if (before === "" || behind.trim() === "") return null;
    const second = makeCell(cell.kind, behind);
    this.undos.push({ first: id, second: second.id });
    this.cells = editCell(this.cells, id, before);
    this.change(insertCell(this.cells, this.indexOf(id) + 1, second));
    this.events.emit({ type: "source", cell: id });
    return second;
  }

  /** Takes the cell below into this one; false where that is none of the same kind. */
  merge(id: string): boolean {
    const at = this.indexOf(id);
    const [cell, second] = [this.cells[at], this.cells[at + 1]];
    if (!cell || second?.kind !== cell.kind) return false;
    const after = joined(cell, second);
    this.undos.push({ into: id, before: cell.source, after, second });
    this.cells = editCell(this.cells, id, after);
    this.change(removeCell(this.cells, second.id));
    this.events.emit({ type: "source", cell: id });
    return true;
  }

  /** Puts the same cell once more below; it is returned. */
  duplicate(id: string): Cell | null {
    const cell = this.find(id);
    if (!cell) return null;
    const copy = makeCell(cell.kind, cell.source);
    this.undos.push({ added: copy.id });
    this.change(insertCell(this.cells, this.indexOf(id) + 1, copy));
    return copy;
  }

  private indexOf(id: string): number {
    return this.cells.findIndex((cell) => cell.id === id);
  }

  remove(id: string): void {
    const removed = this.find(id);
    if (!removed) return;
    this.undos.push({ removed, at: this.cells.indexOf(removed) });
    this.change(removeCell(this.cells, id));
  }

  /** How much of what was done to the cells (deletions, moves, resets) can be taken back. */
  get undoable(): number {
    return this.undos.length;
  }

  /** Takes back what was done to the cells last. */
  undo(): void {
    const last = this.undos.pop();
    if (!last) return;
    if ("removed" in last) return this.change(insertCell(this.cells, Math.min(last.at, this.cells.length), last.removed));
    if ("moved" in last) return this.moveBack(last.moved, last.from);
    if ("added" in last) return this.change(removeCell(this.cells, last.added));
    if ("first" in last) return this.unsplit(last.first, last.second);
    if ("into" in last) return this.unmerge(last);
    this.cells = last.replaced;
    this.scheduleSave();
    this.events.emit({ type: "opened" });
  }

  private moveBack(id: string, to: number): void {
    const cell = this.find(id);
    if (cell) this.change(insertCell(removeCell(this.cells, id), Math.min(to, this.cells.length - 1), cell));
  }

  private unsplit(id: string, other: string): void {
    const [first, second] = [this.find(id), this.find(other)];
    if (!first || !second) return;
    this.cells = editCell(this.cells, id, joined(first, second));
    this.change(removeCell(this.cells, other));
    this.events.emit({ type: "source", cell: id });
  }

  private unmerge({ into, before, after, second }: Extract<Undo, { into: string }>): void {
    const cell = this.find(into);
    // What was written into the whole since stays with the first.
    if (cell?.source === after) this.cells = editCell(this.cells, into, before);
    this.change(insertCell(this.cells, cell ? this.indexOf(into) + 1 : this.cells.length, second));
    this.events.emit({ type: "source", cell: into });
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

/** Two texts in one: code line by line, paragraphs apart. */
const joined = (first: Cell, second: Cell): string => [first.source, second.source].filter((text) => text !== "").join(first.kind === "code" ? "\n" : "\n\n");

/** Under what the edits of a notebook are kept: a link's under the text that it carries. */
function keyOf(origin: Origin, ofText: string): string {
  if (origin.kind === "link") return `link:${ofText}`;
  return origin.kind === "new" ? `new:${fingerprint(origin.from)}` : `${origin.kind}:${origin.file}`;
}

function olderKeyOf(origin: Origin, ofText: string): string | null {
  if (origin.kind === "link") return `link:${ofText}`;
  return origin.kind === "new" ? `new:${olderFingerprint(origin.from)}` : null;
}
