// Import and export of notebooks: as a Markdown file, or as a link that holds its text.

import { LIMITS, TooLarge } from "../../state/limits";
import { encodeShare } from "../../state/notebook/share";
import type { Workspace } from "../../state/notebook/workspace";
import { h } from "../ui/dom";
import { openDialog } from "../ui/menu";

export const downloadNotebook = (workspace: Workspace) => downloadText(workspace.fileName, workspace.markdown, "text/markdown");

export const downloadText = (name: string, text: string, type: string): void => save(name, text, type);

/** Saves bytes as a file. */
export const saveBytes = (name: string, bytes: Uint8Array<ArrayBuffer>, type: string): void => save(name, bytes, type);

function save(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Lets the reader choose a Markdown file. Throws `TooLarge` before reading one that no page can show; null where none is chosen. */
export function chooseFile(): Promise<{ name: string; text: string } | null> {
  const chooser = h("input", { type: "file", accept: ".md,.markdown,text/markdown,text/plain" });
  return new Promise((resolve, reject) => {
    chooser.addEventListener("cancel", () => resolve(null));
    chooser.addEventListener("change", () => {
      const file = chooser.files?.[0];
      if (!file) return resolve(null);
      // A character takes up to four bytes.
      if (file.size > 4 * LIMITS.text) return reject(new TooLarge(`It has ${(file.size / 1e6).toFixed(1)} MB; a notebook can have at most ${LIMITS.text / 1e6} million characters.`));
      file.text().then((text) => resolve({ name: file.name, text }), reject);
    });
    chooser.click();
  });
}

export async function shareNotebook(workspace: Workspace): Promise<void> {
  const url = new URL(location.href);
  url.search = "";
  url.hash = await encodeShare(workspace.markdown);
  const field = h("input", { class: "link-field", readonly: true, value: url.href, "aria-label": "Link to this notebook" });
  field.addEventListener("focus", () => field.select());
  const size = `The link contains the notebook's text (${Math.ceil(url.href.length / 1_024)} KB) and no outputs. No server stores it. Whoever opens it decides whether to run it.`;
  const chosen = openDialog("Share by link", [h("p", {}, size), field], [{ label: "Copy link", value: "copy", primary: true }, { label: "Close", value: "" }]);
  if ((await chosen) !== "copy") return;
  await navigator.clipboard.writeText(url.href).catch(() => prompt("Copy this link", url.href));
}
