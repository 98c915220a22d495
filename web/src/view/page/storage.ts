// Dialog about the browser's storage: where notebooks are kept, how much room there is, and what
// can be done before the browser clears it.

import { h } from "../ui/dom";
import { openDialog } from "../ui/menu";

export interface StorageFacts {
  readonly notebooks: number;
  readonly used: number | null;
  readonly left: number | null;
  readonly little: boolean;
  readonly persistent: boolean;
}

const size = (bytes: number) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} KB` : bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`);

const HELP = "Download all saves the text of every notebook, as Markdown in one ZIP file. The browser decides whether it promises to keep them. Clearing takes what you deleted, and versions of the history: neither comes back.";

export async function askAboutStorage({ notebooks, used, left, little, persistent }: StorageFacts): Promise<"persist" | "download" | "clear" | ""> {
  const room = used === null || left === null ? "This browser does not say how much room is left." : `This site uses ${size(used)}; ${size(left)} ${little ? "is all that is" : "are"} left.`;
  const keep = persistent ? "The browser does not clear them by itself." : "If your disk fills up, or you stay away for long, the browser may clear them by itself.";
  const body = [h("p", {}, `Your ${notebooks === 1 ? "notebook is" : `${notebooks} notebooks are`} kept in this browser, on this device. No server has ${notebooks === 1 ? "it" : "them"}. ${keep}`), h("p", {}, room)];
  const buttons = [
    { label: "Download all", value: "download", primary: true },
    ...(persistent ? [] : [{ label: "Ask the browser to keep them", value: "persist" }]),
    { label: "Clear deleted notebooks and old versions", value: "clear" },
    { label: "Close", value: "" },
  ];
  return (await openDialog("Storage", body, buttons, HELP)) as "persist" | "download" | "clear" | "";
}
