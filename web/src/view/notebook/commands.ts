// Command mode: keys that act on cells while no text is written. Escape in an editor begins it,
// Enter ends it. The cell that the keys act on has a coloured edge.

import type { Cell } from "../../state/notebook/notebook";
import { codeCells } from "../../state/notebook/notebook";
import type { Workspace } from "../../state/notebook/workspace";

export interface CommandActions {
  /** Gives a cell the keys, or begins to write in it. */
  select(id: string): void;
  write(id: string): void;
  run(id: string, then: "next" | "stay" | "insert"): void;
  remove(id: string): void;
  merge(id: string): void;
  undo(): void;
  find(): void;
  said(what: string): void;
}

/** Milliseconds within which the second of two keys follows. */
const TWICE = 1_000;

/** The cell that has the keys; null in edit mode, and elsewhere on the page. */
export const commanded = (): HTMLElement | null =>
  document.activeElement instanceof HTMLElement && document.activeElement.matches(".command-stop, .prose-cell > .cell-body") ? document.activeElement.closest<HTMLElement>(".cell") : null;

export function listenForCommands(element: HTMLElement, workspace: Workspace, actions: CommandActions): void {
  let copied: Pick<Cell, "kind" | "source"> | null = null;
  let lastD = -Infinity;

  const neighbour = (id: string, step: -1 | 1) => workspace.cells[workspace.cells.findIndex((cell) => cell.id === id) + step];
  const go = (id: string, step: -1 | 1) => {
    const next = neighbour(id, step);
    if (next) actions.select(next.id);
  };
  let isKnown = false;
  const insert = (id: string, offset: 0 | 1) => {
    actions.select(workspace.insert(workspace.cells.findIndex((cell) => cell.id === id) + offset, "code").id);
    // Once, for a reader who left the text by Escape and types on.
    if (!isKnown) actions.said("Letters act on cells now. Enter writes in one, ? lists the keys.");
    isKnown = true;
  };
  const copy = (id: string) => {
    const cell = workspace.find(id);
    copied = cell ? { kind: cell.kind, source: cell.source } : copied;
  };
  const turn = (id: string, kind: Cell["kind"]) => {
    const turned = workspace.turn(id, kind);
    if (!turned) return;
    actions.select(turned.id);
    actions.said(kind === "prose" ? "The cell is a text now. y makes it code." : "The cell is code now. m makes it a text.");
  };
  const remove = (id: string) => {
    const next = neighbour(id, 1) ?? neighbour(id, -1);
    actions.remove(id);
    if (next) actions.select(next.id);
  };
  const keys: Readonly<Record<string, (id: string) => void>> = {
    Enter: actions.write,
    j: (id) => go(id, 1),
    ArrowDown: (id) => go(id, 1),
    k: (id) => go(id, -1),
    ArrowUp: (id) => go(id, -1),
    a: (id) => insert(id, 0),
    b: (id) => insert(id, 1),
    c: (id) => {
      copy(id);
      actions.said("Cell copied. Press v to paste it below.");
    },
    x: (id) => {
      copy(id);
      remove(id);
    },
    v: (id) => {
      if (!copied) return actions.said("Copy a cell first, with c or x.");
      actions.select(workspace.paste(workspace.cells.findIndex((cell) => cell.id === id) + 1, copied.kind, copied.source).id);
    },
    d: (id) => {
      const now = performance.now();
      if (now - lastD < TWICE) remove(id);
      lastD = now - lastD < TWICE ? -Infinity : now;
    },
    z: () => actions.undo(),
    m: (id) => turn(id, "prose"),
    y: (id) => turn(id, "code"),
    f: () => actions.find(),
    "shift M": actions.merge,
    "shift Enter": (id) => actions.run(id, "next"),
    "mod Enter": (id) => actions.run(id, "stay"),
    "alt Enter": (id) => actions.run(id, "insert"),
  };

  element.addEventListener("keydown", (event) => {
    const cell = commanded();
    if (!cell || event.defaultPrevented) return;
    const held = [event.shiftKey && "shift", event.altKey && "alt", (event.ctrlKey || event.metaKey) && "mod"].filter(Boolean);
    const act = keys[[...held, event.key].join(" ")];
    if (event.key !== "d") lastD = -Infinity;
    if (!act) return;
    event.preventDefault();
    act(cell.id.slice("cell-".length));
  });
}

/** Names that an error says are not defined. */
const UNDEFINED = /^(?:([\w$]+) is not defined|Can't find variable: ([\w$]+))(?:\n|$)/;

/** The cell that defines a name which an error misses, and has not run; null where none does. */
export function missingCell(message: string, workspace: Workspace, definesOf: (cell: Cell) => ReadonlySet<string>, ran: (id: string) => boolean): { cell: Cell; name: string } | null {
  const found = UNDEFINED.exec(message);
  const name = found?.[1] ?? found?.[2];
  if (!name) return null;
  const cell = codeCells(workspace.cells).find((each) => !ran(each.id) && definesOf(each).has(name));
  return cell ? { cell, name } : null;
}
