// Texts that local storage holds: what earlier versions of the page kept there, and what a tab that
// was closed could not write into the database any more. Both are moved into it before a notebook
// is opened, and removed from local storage once they are there.

import { fingerprint } from "../state/notebook/fingerprint";
import { parseNotebook, titleOf } from "../state/notebook/notebook";
import type { Draft } from "../state/notebook/records";
import type { Workspace } from "../state/notebook/workspace";
import { copyOf, newId } from "./notebooks";
import type { NotebookStore } from "./notebooks";

const TEXT = "weft:notebook:";
const BASE = "weft:base:";
const FILE = "weft:file:";
const UNWRITTEN = "weft:unwritten:";

function titleIn(text: string): string {
  try {
    return titleOf(parseNotebook(text));
  } catch {
    return "Untitled";
  }
}

/** Keeps in local storage what the workspace has not yet written: the page is being closed. False
 * where there is no room. */
export function keepUnwritten(workspace: Workspace): boolean {
  if (!workspace.unwritten || workspace.rival === "tab") return true;
  try {
    localStorage.setItem(UNWRITTEN + workspace.key, JSON.stringify(workspace.leaving));
    return true;
  } catch {
    return false;
  }
}

/** It was written after all: the page is still there. */
export function forgetUnwritten(id: string): void {
  try {
    localStorage.removeItem(UNWRITTEN + id);
  } catch {
    // There was nothing.
  }
}

/** Moves everything; what the database refuses stays where it is. */
export async function takeEarlier(store: NotebookStore): Promise<void> {
  let names: string[];
  try {
    names = Object.keys(localStorage);
  } catch {
    return;
  }
  const unwritten = names.filter((name) => name.startsWith(UNWRITTEN)).map((name) => () => takeUnwritten(store, name));
  const kept = names.filter((name) => name.startsWith(TEXT) || name.startsWith(FILE)).map((name) => (name.startsWith(TEXT) ? name.slice(TEXT.length) : `file:${name.slice(FILE.length)}`));
  const earlier = [...new Set(kept)].map((key) => () => takeKept(store, key));
  for (const take of [...unwritten, ...earlier]) await take().catch(() => undefined);
}

async function takeUnwritten(store: NotebookStore, name: string): Promise<void> {
  const { id, draft, known } = JSON.parse(localStorage.getItem(name) ?? "null") as Workspace["leaving"];
  const held = await store.read(id);
  const seen = held?.revision ?? null;
  const outcome = known.includes(seen) && (await store.write(id, draft, seen));
  // Another tab wrote since: neither is lost.
  if ((!outcome || outcome.type === "other") && draft !== null && held?.text !== draft.text) await store.create(copyOf(draft.title, draft.text));
  localStorage.removeItem(name);
}

async function takeKept(store: NotebookStore, key: string): Promise<void> {
  const [kind, rest] = [key.slice(0, key.indexOf(":")), key.slice(key.indexOf(":") + 1)];
  const file = kind === "file" ? localStorage.getItem(FILE + rest) : null;
  const text = localStorage.getItem(TEXT + key) ?? file;
  if (text === null) return;
  const draft: Draft = {
    id: key,
    kind: kind === "gallery" || kind === "link" ? kind : "own",
    file: kind === "gallery" || kind === "file" ? rest : null,
    title: titleIn(text), text, original: file,
    base: localStorage.getItem(BASE + key) ?? fingerprint(file ?? text),
  };
  if (!(await store.create(draft))) await store.create({ ...copyOf(draft.title, text), id: newId() });
  for (const name of [TEXT + key, BASE + key, ...(kind === "file" ? [FILE + rest] : [])]) localStorage.removeItem(name);
}
