// Rendering of the page for index.html. It makes the page of the notebook that opens by default as
// the script would make it. The build runs it, over a document that it provides (`build/first.ts`).

import { javascriptLanguage } from "@codemirror/lang-javascript";
import { highlightTree } from "@lezer/highlight";
import { readMaths } from "../prose/maths";
import { DevicePreference } from "../state/device/device";
import type { GalleryEntry } from "../state/notebook/gallery";
import { parseNotebook } from "../state/notebook/notebook";
import { prepare, SYNTAX_CLASSES } from "../state/prose/prepared";
import type { Paint, Prepared } from "../state/prose/prepared";
import { formatProse } from "../state/prose/prose";
import { Emitter } from "../state/emitter";
import { RawGpu } from "../state/device/raw-gpu";
import { Session } from "../state/run/session";
import { nowhere } from "../state/notebook/records";
import { Workspace } from "../state/notebook/workspace";
import { firstPage, PageView } from "../view/page/page";
import { syntaxColours } from "../view/editor/syntax-colours";

const nothing = () => undefined;

/** The page's elements as HTML, and what was read of the notebook's texts to make them. */
export function renderFirst(entries: readonly GalleryEntry[], file: string, markdown: string): { html: string; prepared: Prepared } {
  const prepared = readAhead(markdown);
  prepare(prepared);
  const workspace = new Workspace(nowhere);
  const session = new Session({ spawn: () => ({ send: nothing, terminate: nothing }), readFile: () => Promise.reject(new Error("the page is being built")) });
  const parts = { workspace, session, device: new DevicePreference("", null), rawGpu: new RawGpu(workspace, null), winners: { allowed: null, events: new Emitter<number>() } };
  const library = { list: () => Promise.resolve([]), texts: () => Promise.resolve([]), rename: nothing, duplicate: nothing, showHistory: nothing, download: nothing, remove: nothing, restore: nothing, showStorage: nothing, fetchPicture: () => Promise.reject(new Error("the page is being built")), fetchText: () => Promise.reject(new Error("the page is being built")) };
  const actions = { library, rename: nothing, duplicateNotebook: nothing, showHistory: nothing, runAll: nothing, restart: nothing, toggleSidebar: nothing, choose: nothing, allowRawGpu: nothing, allowTuning: nothing, exportWinners: nothing, importWinners: nothing, forgetWinners: nothing, recover: nothing, download: nothing, openFile: nothing, showFiles: nothing, bring: () => Promise.reject(new Error("the page is being built")), share: nothing, undo: nothing, reset: nothing, showHelp: nothing, changed: nothing, inspect: nothing };
  const elements = new PageView(parts, actions).elements(entries);
  workspace.open({ kind: "gallery", file }, markdown, null);
  return { html: firstPage(elements), prepared };
}

function readAhead(markdown: string): Prepared {
  const prose: Record<string, Prepared["prose"][string]> = {};
  const paint: Record<string, Paint> = {};
  for (const { kind, source } of parseNotebook(markdown)) {
    if (kind === "prose") prose[source] = formatProse(source, readMaths);
    else paint[source] = paintOf(source);
  }
  return { prose, paint };
}

function paintOf(code: string): Paint {
  const runs: [number, number][] = [];
  let at = 0;
  highlightTree(javascriptLanguage.parser.parse(code), syntaxColours, (from, to, name) => {
    if (from > at) runs.push([from - at, -1]);
    runs.push([to - from, SYNTAX_CLASSES.indexOf(name as (typeof SYNTAX_CLASSES)[number])]);
    at = to;
  });
  if (at < code.length) runs.push([code.length - at, -1]);
  return runs;
}
