// Rendering of the page for index.html. It makes the page of the notebook that opens by default as
// the script would make it. The build runs it, over a document that it provides (`build/first.ts`).

import { paintOf } from "../editing/paint";
import { readMaths } from "../prose/maths";
import { DevicePreference } from "../state/device/device";
import type { GalleryEntry } from "../state/notebook/gallery";
import { parseNotebook } from "../state/notebook/notebook";
import { readCell } from "../state/code/read";
import { CellReader, packReading } from "../state/code/reading";
import type { PackedReading } from "../state/code/reading";
import { prepare } from "../state/prose/prepared";
import type { Paint, Prepared } from "../state/prose/prepared";
import { formatProse } from "../state/prose/prose";
import { Emitter } from "../state/emitter";
import { RawGpu } from "../state/device/raw-gpu";
import { Session } from "../state/run/session";
import { nowhere } from "../state/notebook/records";
import { Workspace } from "../state/notebook/workspace";
import { firstPage, PageView } from "../view/page/page";

const nothing = () => undefined;

/** The page's elements as HTML, and what was read of the notebook's texts to make them. */
export function renderFirst(entries: readonly GalleryEntry[], file: string, markdown: string): { html: string; prepared: Prepared } {
  const prepared = readAhead(markdown);
  prepare(prepared);
  const workspace = new Workspace(nowhere);
  const session = new Session({ spawn: () => ({ send: nothing, terminate: nothing }), reader: new CellReader(() => Promise.reject(new Error("the page is being built"))), readFile: () => Promise.reject(new Error("the page is being built")) });
  const parts = { workspace, session, device: new DevicePreference("", null), rawGpu: new RawGpu(workspace, null), winners: { allowed: null, events: new Emitter<number>() } };
  const library = { list: () => Promise.resolve([]), texts: () => Promise.resolve([]), rename: nothing, duplicate: nothing, showHistory: nothing, download: nothing, remove: nothing, restore: nothing, showStorage: nothing, fetchPicture: () => Promise.reject(new Error("the page is being built")), fetchText: () => Promise.reject(new Error("the page is being built")) };
  const actions = { library, rename: nothing, duplicateNotebook: nothing, showHistory: nothing, runAll: nothing, restart: nothing, toggleSidebar: nothing, choose: nothing, allowRawGpu: nothing, allowTuning: nothing, exportWinners: nothing, importWinners: nothing, forgetWinners: nothing, recover: nothing, download: nothing, openFile: nothing, showFiles: nothing, bring: () => Promise.reject(new Error("the page is being built")), share: nothing, openAddress: nothing, undo: nothing, reset: nothing, toggleOperators: nothing, showHelp: nothing, changed: nothing, inspect: nothing };
  const elements = new PageView(parts, actions).elements(entries);
  workspace.open({ kind: "gallery", file }, markdown, null);
  return { html: firstPage(elements), prepared };
}

function readAhead(markdown: string): Prepared {
  const prose: Record<string, Prepared["prose"][string]> = {};
  const paint: Record<string, Paint> = {};
  const readings: Record<string, PackedReading> = {};
  const cells = parseNotebook(markdown);
  for (const { kind, source } of cells) {
    if (kind === "prose") prose[source] = formatProse(source, readMaths);
    else paint[source] = paintOf(source);
  }
  // The cell that greets, if any.
  const first = cells.find(({ kind }) => kind === "code");
  const reading = first?.fold && readCell(first.source, true);
  if (reading && !reading.ok) throw new Error(`the first notebook's first cell: ${reading.message}`);
  if (first && reading) readings[first.source] = packReading(reading);
  return { prose, paint, readings };
}
