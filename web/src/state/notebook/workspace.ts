// The open notebook and the reader's edits of it. A workspace holds the cells, saves edits as the
// reader makes them, merges what another tab wrote, and can return to the original.

import { Emitter } from "../emitter";
import { fingerprint, olderFingerprint } from "./fingerprint";
import { checkText } from "../limits";
import { editCell, fileNameOf, findCell, hasOperators, insertCell, makeCell, moveCell, parseNotebook, removeCell, retitle, sameNotebook, serializeNotebook, setOperators, titleOf } from "./notebook";
import type { Cell, CellKind, Cells } from "./notebook";
import type { Draft, NotebookText, TextStore } from "./records";
import { Saver } from "./saver";
import type { Saved } from "./saver";

/**
 * Where a notebook came from: the site's own gallery, a link someone made, or the reader, who began
 * it or opened a file of this name. `id` is under what it is kept; of a link, where that is not the
 * fingerprint of its text. `from` is the address that a link named.
 */
export type Origin = { kind: "gallery"; file: string } | { kind: "link"; id?: string; from?: string } | { kind: "own"; id: string; file: string | null };

/** What stands beside the text that is shown, until the reader chooses: `tab`, what another tab
 * saved since; `source`, the notebook as it is by now, where the edits were made of an older
 * one. */
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
  | { added: string }
  /** `turned` is in the place of `was`, as a cell of the other kind. */
  | { turned: string; was: Cell }
  /** Texts of cells before they were replaced, by id. */
  | { texts: ReadonlyMap<string, string> };

export type WorkspaceEvent =
  /** Cells came, went or moved. */
  | { type: "cells" }
  /** A cell's text changed, other than by typing in its own editor. */
  | { type: "source"; cell: string }
  /** All cells are new ones; `another`: of another notebook than was open before. */
  | { type: "opened"; another: boolean }
  /** The reader types in a cell's editor. */
  | { type: "typed"; cell: string }
  | { type: "rival"; rival: Rival | null }
  /** What another tab wrote was taken in. */
  | { type: "merged" }
  /** All of the text will be replaced by another one: the last time to keep it. */
  | { type: "replacing" }
  | { type: "saved"; kept: boolean; error?: unknown };

/** Milliseconds from the first change that is not saved until it is: what a crash loses. */
const SAVE_AFTER = 120;
/** Until a text that the store refused is offered again. */
const RETRY_AFTER = 3_000;

export class Workspace {
  readonly events = new Emitter<WorkspaceEvent>();
  cells: Cells = [];
  origin: Origin = { kind: "own", id: "", file: null };
  private original: Cells = [];
  private originalText = "";
  rival: Rival | null = null;
  /** What another tab wrote, where the two are in conflict. */
  private theirs: NotebookText | null = null;
  /** The cells that both this tab and the store had last. */
  private common: Cells = [];
  private saver: Saver;
  /** What the edits were made of. */
  private base = "";
  /** What it would be made of now. */
  source = "";
  private refused = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private undos: Undo[] = [];

  constructor(private readonly store: TextStore) {
    this.saver = this.saverOf("", null);
  }

  /** Under what it is kept. */
  get key(): string {
    return this.saver.id;
  }

  /** Opens a notebook with what was kept of it; throws `TooLarge`, and changes nothing, where no
   * page can show it. */
  open(origin: Origin, markdown: string, held: NotebookText | null): void {
    checkText(markdown);
    const original = orOne(parseNotebook(markdown));
    const now = fingerprint(markdown);
    const base = held?.base === olderFingerprint(markdown) ? now : (held?.base ?? now);
    // What was never edited follows its source.
    const follows = held === null || (base !== now && held.original !== null && sameNotebook(parseNotebook(held.text), parseNotebook(held.original)));
    const cells = follows ? original : orOne(parseNotebook(held.text));
    const another = this.cells.length > 0;
    void this.save();
    this.saver.retire();
    this.origin = origin;
    [this.original, this.originalText] = [original, markdown];
    this.saver = this.saverOf(keyOf(origin, now), held?.revision ?? null);
    this.undos = [];
    this.refused = false;
    this.theirs = null;
    this.base = follows ? now : base;
    [this.cells, this.common] = [cells, cells];
    this.rival = this.base !== now && this.edited ? "source" : null;
    this.source = now;
    this.events.emit({ type: "opened", another });
    this.events.emit({ type: "rival", rival: this.rival });
    if (held !== null && follows) this.scheduleSave();
  }

  private saverOf(id: string, seen: string | null): Saver {
    const saver: Saver = new Saver(this.store, id, seen, () => this.draft(), (saved) => saver === this.saver && this.saved(saved));
    return saver;
  }

  /** The store may hold something new: another tab writes there too. */
  async look(): Promise<void> {
    const { saver } = this;
    const held = await this.store.read(saver.id).catch(() => undefined);
    if (held !== undefined && saver === this.saver && !saver.busy) await this.meet(held);
  }

  /** Takes in what the store holds, or asks the reader where that cannot be done. */
  private async meet(held: NotebookText | null): Promise<void> {
    const { saver, theirs } = this;
    if ((held?.revision ?? null) === (this.rival === "tab" ? (theirs?.revision ?? null) : saver.seen)) return;
    const cells = held === null ? this.original : orOne(parseNotebook(held.text));
    const { merge } = await import("./merge");
    if (saver !== this.saver) return;
    const merged = sameNotebook(cells, this.cells) ? this.cells : merge(this.common, this.cells, cells);
    if (merged === null) {
      this.theirs = held;
      return this.setRival("tab");
    }
    saver.seen = held?.revision ?? null;
    this.theirs = null;
    if (this.rival === "tab") this.setRival(null);
    this.takeIn(orOne(merged));
    this.common = this.cells;
    if (!sameNotebook(cells, this.cells)) this.scheduleSave();
  }

  private takeIn(cells: Cells): void {
    const before = this.cells;
    this.cells = cells;
    if (before === cells) return;
    const changed = cells.filter(({ id, source }) => (findCell(before, id)?.source ?? source) !== source);
    if (cells.length !== before.length || cells.some(({ id }, at) => before[at]!.id !== id)) this.events.emit({ type: "cells" });
    for (const { id } of changed) this.events.emit({ type: "source", cell: id });
    this.events.emit({ type: "merged" });
  }

  /** Ends a rivalry: what is shown stays, or what stands beside it takes its place, which `undo`
   * takes back. */
  choose(which: "shown" | "rival"): void {
    const { rival, theirs } = this;
    if (!rival) return;
    if (rival === "tab") this.saver.seen = theirs?.revision ?? null;
    this.base = this.source;
    this.rival = this.theirs = null;
    if (which === "rival") this.replaceBy(rival === "tab" && theirs !== null ? parseNotebook(theirs.text) : this.original);
    this.scheduleSave();
    void this.save();
    this.events.emit({ type: "rival", rival: null });
  }

  /** Whether leaving now would lose something. */
  get unsaved(): boolean {
    return this.edited && (this.refused || this.rival === "tab");
  }

  /** Whether something is not yet written. */
  get unwritten(): boolean {
    return this.timer !== undefined || this.saver.busy;
  }

  get markdown(): string {
    return serializeNotebook(this.cells);
  }

  get edited(): boolean {
    return !sameNotebook(this.cells, this.original);
  }

  /** Whether it came from somewhere, to which a reset returns. */
  get hasOriginal(): boolean {
    return this.origin.kind !== "own" || this.origin.file !== null;
  }

  get title(): string {
    return titleOf(this.cells);
  }

  get operators(): boolean {
    return hasOperators(this.cells);
  }

  /** Whether operators act on tensors from now on; the notebook says so itself, and `undo` takes it
   * back. */
  setOperators(on: boolean): void {
    if (on === this.operators) return;
    this.replaceBy(setOperators(this.cells, on));
    this.scheduleSave();
  }

  /** The name to save it under. */
  get fileName(): string {
    const file = this.origin.kind === "link" ? null : this.origin.file;
    return file?.replace(/\.(ipynb|html?|[cm]?js)$/i, ".md") ?? fileNameOf(this.title);
  }

  /** The cell with which the site's own notebook greets, as the site wrote it; nothing that anybody
   * else wrote. */
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

  /** Parts a cell's text at a place; what follows becomes a cell of its own, which is returned.
   * Null where one part would be empty. */
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

  /** Puts a copy of a cell at a place. */
  paste(at: number, kind: CellKind, source: string): Cell {
    const cell = makeCell(kind, source);
    this.undos.push({ added: cell.id });
    this.change(insertCell(this.cells, at, cell));
    return cell;
  }

  /** The same text as a cell of another kind, which is returned; null where it is of that kind. */
  turn(id: string, kind: CellKind): Cell | null {
    const was = this.find(id);
    if (!was || was.kind === kind) return null;
    const cell = makeCell(kind, was.source);
    this.undos.push({ turned: cell.id, was });
    this.exchange(id, cell);
    return cell;
  }

  /** Replaces texts of cells, by id, in one step that `undo` takes back. */
  rewrite(texts: ReadonlyMap<string, string>): void {
    const before = new Map([...texts.keys()].flatMap((id) => (this.find(id) ? [[id, this.find(id)!.source] as const] : [])));
    this.undos.push({ texts: before });
    for (const [id, text] of texts) this.edit(id, text, false);
  }

  private exchange(id: string, cell: Cell): void {
    const at = this.indexOf(id);
    if (at >= 0) this.change(insertCell(removeCell(this.cells, id), at, cell));
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
    if ("turned" in last) return this.exchange(last.turned, last.was);
    if ("texts" in last) return void last.texts.forEach((text, id) => this.edit(id, text, false));
    if ("first" in last) return this.unsplit(last.first, last.second);
    if ("into" in last) return this.unmerge(last);
    this.cells = last.replaced;
    this.scheduleSave();
    this.events.emit({ type: "opened", another: false });
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

  /** Gives it another title; false where it is the same. */
  rename(title: string): boolean {
    if (title.trim() === "" || title.trim() === this.title) return false;
    const cells = retitle(this.cells, title);
    const changed = cells.find(({ id, source }) => (this.find(id)?.source ?? source) !== source);
    this.undos.push({ replaced: this.cells });
    this.change(cells);
    if (changed) this.events.emit({ type: "source", cell: changed.id });
    return true;
  }

  reset(): void {
    this.replaceWith(this.original);
  }

  /** Shows another text in the place of all of it, which `undo` takes back. */
  replaceWith(cells: Cells): void {
    this.replaceBy(cells);
    this.scheduleSave();
    void this.save();
  }

  /** Saves at once; resolves when nothing is left to save. */
  save(): Promise<void> {
    if (this.timer === undefined) return this.saver.settled;
    clearTimeout(this.timer);
    this.timer = undefined;
    // Two tabs never overwrite each other's text: what is shown here is kept when the reader has
    // chosen.
    return this.rival === "tab" ? this.saver.settled : this.saver.save();
  }

  /** What would be written now, over what this tab has seen: the page closes before the store could
   * answer. */
  get leaving(): { id: string; draft: Draft | null; known: (string | null)[] } {
    return { id: this.key, draft: this.draft(), known: this.saver.known };
  }

  private writing: Cells = [];
  /** What is kept of it; null where that is nothing. */
  private draft(): Draft | null {
    this.writing = this.cells;
    const { origin, key: id, base, title } = this;
    if (origin.kind !== "own" && !this.edited) return null;
    return { id, kind: origin.kind, file: origin.kind === "link" ? null : origin.file, title, text: this.markdown, original: origin.kind === "gallery" ? null : this.originalText, base };
  }

  private saved(saved: Saved): void {
    if (saved.type === "other") return void this.meet(saved.held);
    this.refused = saved.type === "refused";
    if (saved.type === "kept") this.common = this.writing;
    else this.timer ??= setTimeout(() => void this.save(), RETRY_AFTER);
    this.events.emit(saved.type === "refused" ? { type: "saved", kept: false, error: saved.error } : { type: "saved", kept: true });
  }

  private setRival(rival: Rival | null): void {
    if (this.rival === rival) return;
    this.rival = rival;
    this.events.emit({ type: "rival", rival });
  }

  private replaceBy(cells: Cells): void {
    this.events.emit({ type: "replacing" });
    this.undos.push({ replaced: this.cells });
    this.cells = orOne(cells);
    this.events.emit({ type: "opened", another: false });
  }

  private change(cells: Cells): void {
    if (cells === this.cells) return;
    this.cells = cells;
    this.scheduleSave();
    this.events.emit({ type: "cells" });
  }

  private scheduleSave(): void {
    this.timer ??= setTimeout(() => void this.save(), SAVE_AFTER);
  }
}

/** An empty notebook has a place to write in. */
const orOne = (cells: Cells): Cells => (cells.length > 0 ? cells : [makeCell("code")]);

/** Two texts in one: code line by line, paragraphs apart. */
const joined = (first: Cell, second: Cell): string => [first.source, second.source].filter((text) => text !== "").join(first.kind === "code" ? "\n" : "\n\n");

/** Under what a notebook is kept: a link's under the fingerprint of the text that it carries. */
function keyOf(origin: Origin, ofText: string): string {
  if (origin.kind === "own") return origin.id;
  return origin.kind === "link" ? (origin.id ?? `link:${ofText}`) : `gallery:${origin.file}`;
}
