// What does the editor propose? The library's names as the worker reports them, what the notebook adds, what other
// cells declare; after a dot, the members of a namespace or a tensor's methods.

import type { Completion, CompletionContext, CompletionResult, CompletionSource } from "@codemirror/autocomplete";
import type { LibraryName } from "../protocol/messages";
import type { Cell, Cells } from "../state/notebook";
import { transformCell } from "../state/transform";

const NOTEBOOK: readonly [string, string][] = [
  ["print", "(...values)"],
  ["display", "(value, { title })"],
  ["markdown", "(text)"],
  ["table", "(rows, { columns })"],
  ["image", "(tensor, { scale, columns, labels })"],
  ["heatmap", "(tensor, { colormap, range })"],
  ["plot", "({ title, x, series })"],
  ["progress", "(total, { label })"],
  ["button", "(label, onClick)"],
  ["input", "draw a digit: input.draw({ size })"],
  ["file", "(path) → bytes"],
  ["tick", "() let the page breathe"],
  ["nextFrame", "() wait for a frame"],
];

export function completions(names: () => readonly LibraryName[], cells: () => Cells): CompletionSource {
  return (context: CompletionContext): CompletionResult | null => {
    const member = context.matchBefore(/(\w+)\.(\w*)$/);
    if (member) {
      const [owner = ""] = member.text.split(".");
      return { from: member.from + owner.length + 1, options: membersOf(owner, names()), validFor: /^\w*$/ };
    }
    const afterDot = context.matchBefore(/\.(\w*)$/);
    if (afterDot) return { from: afterDot.from + 1, options: membersOf("", names()), validFor: /^\w*$/ };
    const word = context.matchBefore(/\w+$/);
    if (!word && !context.explicit) return null;
    return { from: word?.from ?? context.pos, options: globals(names(), cells()), validFor: /^\w*$/ };
  };
}

function membersOf(owner: string, names: readonly LibraryName[]): Completion[] {
  const named = names.find(({ label, kind }) => label === owner && kind !== "class" && kind !== "constant");
  const tensor = names.find(({ label }) => label === "Tensor");
  return [...new Set((named ?? tensor)?.members ?? [])].map((label) => ({ label, type: "property" }));
}

function globals(names: readonly LibraryName[], cells: Cells): Completion[] {
  const found = new Map<string, Completion>();
  for (const { label, kind } of names) found.set(label, { label, detail: kind });
  for (const [label, detail] of NOTEBOOK) found.set(label, { label, detail, boost: 1 });
  const until = performance.now() + PATIENCE;
  for (const cell of cells) {
    if (cell.kind !== "code") continue;
    for (const label of declaredIn(cell, until)) found.set(label, { label, detail: "notebook", boost: 2 });
  }
  return [...found.values()];
}

/** Milliseconds that one request may spend on reading cells; those that it does not reach, the next one does. */
const PATIENCE = 8;
/** Longer cells are data rather than declarations. */
const LONGEST = 20_000;
const known = new WeakMap<Cell, readonly string[]>();

function declaredIn(cell: Cell, until: number): readonly string[] {
  let names = known.get(cell);
  if (names) return names;
  if (performance.now() > until) return [];
  try {
    names = cell.source.length > LONGEST ? [] : transformCell(cell.source).declared;
  } catch {
    names = [];
  }
  known.set(cell, names);
  return names;
}
