// Which notebook is open, and what has the reader made of it? Holds its cells, saves edits as they are made, and can
// go back to what it was.

import { Emitter } from "./emitter";
import { checkText } from "./limits";
import { editCell, findCell, insertCell, makeCell, moveCell, parseNotebook, removeCell, sameNotebook, serializeNotebook, titleOf } from "./notebook";
import type { Cell, CellKind, Cells } from "./notebook";
import type { EditStore } from "./storage";

/** Where a notebook came from: the site's own gallery, a link someone made, or a file of the reader's. */
export type Origin = { kind: "gallery"; file: string } | { kind: "link" } | { kind: "file"; file: string };

export type WorkspaceEvent =
  /** Cells came, went or moved. */
  | { type: "cells" }
  /** A cell's text changed, other than by typing in its own editor. */
  | { type: "source"; cell: string }
  | { type: "opened" }
  | { type: "saved"; kept: boolean };

const SAVE_AFTER = 400;

export class Workspace {
  readonly events = new Emitter<WorkspaceEvent>();
  cells: Cells = [];
  origin: Origin = { kind: "file", file: "untitled.md" };
  private original: Cells = [];
  private key = "";
  private timer: ReturnType<typeof setTimeout> | undefined;
  private removed: Cells | null = null;

  constructor(private readonly edits: EditStore) {}

  /** Opens a notebook with the edits that were kept for it; throws `TooLarge`, and changes nothing, where no page can show it. */
  open(origin: Origin, markdown: string): void {
    checkText(markdown);
    const original = parseNotebook(markdown);
    this.save();
    this.origin = origin;
    this.original = original;
    this.key = origin.kind === "link" ? `link:${fingerprint(markdown)}` : `${origin.kind}:${origin.file}`;
    this.setCells(parseNotebook(this.edits.read(this.key) ?? markdown));
    this.events.emit({ type: "opened" });
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
    if (this.origin.kind !== "link") return this.origin.file;
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
    if (!typed) this.events.emit({ type: "source", cell: id });
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
    this.removed = this.cells;
    this.change(removeCell(this.cells, id));
  }

  /** Brings the last removed cell back, at the place where it was. */
  restore(): void {
    const before = this.removed;
    this.removed = null;
    const gone = before?.find((cell) => !this.find(cell.id));
    if (!before || !gone) return;
    this.change(insertCell(this.cells, Math.min(before.indexOf(gone), this.cells.length), gone));
  }

  reset(): void {
    clearTimeout(this.timer);
    this.edits.forget(this.key);
    this.setCells(this.original);
    this.events.emit({ type: "opened" });
  }

  /** Saves at once: the page may be about to close. */
  save(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    let kept = true;
    if (this.edited) kept = this.edits.write(this.key, this.markdown);
    else this.edits.forget(this.key);
    this.events.emit({ type: "saved", kept });
  }

  private change(cells: Cells): void {
    if (cells === this.cells) return;
    this.cells = cells;
    this.scheduleSave();
    this.events.emit({ type: "cells" });
  }

  private setCells(cells: Cells): void {
    this.cells = cells.length > 0 ? cells : [makeCell("code")];
  }

  private scheduleSave(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), SAVE_AFTER);
  }
}

/** FNV-1a: tells one linked notebook's edits from another's; nothing depends on it being hard to forge. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16);
}
