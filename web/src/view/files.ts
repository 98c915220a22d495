// How does a notebook leave the page and come in? As a Markdown file, or as a link that holds its text.

import { encodeShare } from "../state/share";
import type { Workspace } from "../state/workspace";
import { h } from "./dom";
import { openDialog } from "./menu";

export function downloadNotebook(workspace: Workspace): void {
  const url = URL.createObjectURL(new Blob([workspace.markdown], { type: "text/markdown" }));
  h("a", { href: url, download: workspace.fileName }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Lets the reader choose a Markdown file; null where it cannot be one. */
export function chooseFile(): Promise<{ name: string; text: string } | null> {
  const chooser = h("input", { type: "file", accept: ".md,.markdown,text/markdown,text/plain" });
  return new Promise((resolve) => {
    chooser.addEventListener("change", () => {
      const file = chooser.files?.[0];
      if (!file || file.size > 4_000_000) resolve(null);
      else file.text().then((text) => resolve({ name: file.name, text }), () => resolve(null));
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
  const size = `The link holds the notebook's text, ${Math.ceil(url.href.length / 1_024)} KB, and nothing else: no outputs, no server keeps it. Whoever opens it decides whether to run it.`;
  const chosen = openDialog("Share by link", [h("p", {}, size), field], [{ label: "Copy link", value: "copy", primary: true }, { label: "Close", value: "" }]);
  if ((await chosen) !== "copy") return;
  await navigator.clipboard.writeText(url.href).catch(() => prompt("Copy this link", url.href));
}
