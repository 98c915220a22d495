// A notebook within another page: a bar that runs it and leads to the whole page, and a message to
// the page around it whenever its height changes. It is fetched only where the page is embedded.

import { site } from "../../host/fetch";
import { encodeShare } from "../../state/notebook/share";
import type { Workspace } from "../../state/notebook/workspace";
import type { Session } from "../../state/run/session";
import { h } from "../ui/dom";
import { icon, logo } from "../ui/icons";

/** The message to the page around, in pixels. */
export interface HeightMessage {
  readonly type: "weft-height";
  readonly height: number;
}

/** Heights sent in a row, each because of the last: a page that sizes its frame by them could go on
 * for ever. */
const MOST = 500;

export function startEmbed(workspace: Workspace, session: Session, runAll: () => void): void {
  const main = document.querySelector<HTMLElement>(".main");
  if (!main) return;
  const run = h("button", { class: "command primary", type: "button", onclick: () => (session.atWork ? session.stop() : runAll()) });
  const open = h("a", { class: "embed-open", href: site, target: "_blank", rel: "noopener" }, logo(), h("span", {}, "Open in Weft"));
  // A notebook on the web that could not be opened here may open there, after a question.
  const from = workspace.origin.kind === "link" ? null : new URLSearchParams(location.search).get("from");
  // What is open now, edits included; the address is made when somebody is about to follow it.
  const address = async () => (open.href = `${site}${from === null ? await encodeShare(workspace.markdown) : `?from=${encodeURIComponent(from)}`}`);
  for (const event of ["pointerenter", "focus"]) open.addEventListener(event, () => void address());
  void address();
  const note = h("span", { class: "note" }, "Outputs saved by the author. Run computes them here.");
  const show = () => {
    const [name, label] = session.atWork ? (["stop", "Stop"] as const) : (["playAll", "Run"] as const);
    if (run.textContent !== label) run.replaceChildren(icon(name), h("span", {}, label));
    run.disabled = session.worker.kind === "failed";
    note.hidden = !workspace.cells.some(({ id }) => session.cell(id).saved?.brought);
  };
  show();
  session.events.subscribe(show);
  main.prepend(h("div", { class: "embed-bar", role: "toolbar", "aria-label": "Notebook" }, run, note, open));
  tellHeight(main);
}

function tellHeight(main: HTMLElement): void {
  if (parent === window) return;
  let sent = 0;
  let count = 0;
  const tell = () => {
    const height = Math.ceil(main.getBoundingClientRect().height);
    if (Math.abs(height - sent) < 2 || count++ > MOST) return;
    sent = height;
    // The outer page may know how high this one is, and nothing else.
    parent.postMessage({ type: "weft-height", height } satisfies HeightMessage, "*");
  };
  new ResizeObserver(tell).observe(main);
  for (const event of ["pointerdown", "keydown"]) addEventListener(event, () => (count = 0), { passive: true });
}
