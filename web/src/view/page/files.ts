// Files that the reader saves and chooses.

import { LIMITS, TooLarge } from "../../state/limits";
import type { Workspace } from "../../state/notebook/workspace";
import { h } from "../ui/dom";

export const downloadNotebook = (workspace: Workspace) => downloadText(workspace.fileName, workspace.markdown, "text/markdown");

export const downloadText = (name: string, text: string, type: string): void => save(name, text, type);

/** Saves bytes as a file. */
export const saveBytes = (name: string, bytes: Uint8Array<ArrayBuffer>, type: string): void => save(name, bytes, type);

function save(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Lets the reader choose a file with a notebook, or another text; null where none is chosen. */
export function chooseFile(): Promise<File | null> {
  const chooser = h("input", { type: "file", accept: ".md,.markdown,.ipynb,.html,.js,.mjs,.txt,text/markdown,text/plain" });
  return new Promise((resolve) => {
    chooser.addEventListener("cancel", () => resolve(null));
    chooser.addEventListener("change", () => resolve(chooser.files?.[0] ?? null));
    chooser.click();
  });
}

/** The text of a file that may hold a notebook. Throws `TooLarge` before it reads one that no page
 * can show. */
export function textOf(file: File): Promise<string> {
  // A character takes up to four bytes.
  if (file.size > 4 * LIMITS.file) throw new TooLarge(`It has ${(file.size / 1e6).toFixed(1)} MB; a notebook can have at most ${LIMITS.file / 1e6} million characters.`);
  return file.text();
}
