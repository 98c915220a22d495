// A file that a cell offers, behind a button: nothing is saved unless the reader asks for it.

import type { Content } from "../../protocol/messages";
import { saveBytes } from "../page/files";
import { h } from "../ui/dom";

export function downloadView({ name, data }: Content<"download">): HTMLElement {
  const size = Math.floor((data.length / 4) * 3);
  const shown = size < 1e6 ? `${Math.max(1, Math.round(size / 1e3))} KB` : `${(size / 1e6).toFixed(1)} MB`;
  const save = () => saveBytes(name, Uint8Array.from(atob(data), (character) => character.charCodeAt(0)), "application/octet-stream");
  return h("button", { class: "plain-button", type: "button", onclick: save }, `Download ${name} (${shown})`);
}
