// Entry point of the page. It opens a notebook, starts its worker, and connects the state to the
// views.

import first from "virtual:first";
import runner from "virtual:runner";
import { fetchParts, fetchPicture, fetchText, readFile, site } from "./host/fetch";
import { spawnRunner } from "./host/frame";
import { OutputKeeper } from "./host/keeper";
import { forgetPictures } from "./host/pictures";
import { startProse } from "./host/prose";
import { Tabs } from "./host/tabs";
import { Winners } from "./host/winners";
import { makeHook } from "./hook";
import type { Hook } from "./hook";
import { DevicePreference } from "./state/device/device";
import type { DeviceChoice } from "./protocol/messages";
import { chooseNotebook, parseGallery } from "./state/notebook/gallery";
import type { GalleryEntry } from "./state/notebook/gallery";
import { codeCells } from "./state/notebook/notebook";
import { heapNotice } from "./state/run/heap";
import { prepare } from "./state/prose/prepared";
import { RawGpu } from "./state/device/raw-gpu";
import { TuningPreference } from "./state/device/tuning";
import { areOlder, unpackOutputs } from "./state/run/saved";
import { Session } from "./state/run/session";
import { decodeShare, isShare } from "./state/notebook/share";
import { browserStore, EditStore } from "./state/notebook/storage";
import { Workspace } from "./state/notebook/workspace";
import { RECOVER } from "./view/device/badge";
import { h } from "./view/ui/dom";
import { toggleDrawer } from "./view/page/drawer";
import { fetchEditors } from "./view/editor/editors";
import { chooseFile, downloadNotebook, downloadText, shareNotebook } from "./view/page/files";
import { listenForShortcuts, showHelp } from "./view/page/help";
import { openDialog, Toast } from "./view/ui/menu";
import { pixelsOf } from "./view/outputs/image";
import { PageView, takeOver } from "./view/page/page";
import { applyTheme } from "./view/page/theme";
import "./styles/page.css";
import "./styles/header.css";
import "./styles/overlays.css";
import "./styles/cells.css";
import "./styles/folded.css";
import "./styles/outputs.css";
import "./styles/controls.css";
import "./styles/pad.css";

declare global {
  interface Window {
    weft: Hook;
  }
}

applyTheme();
prepare(first);
/** What cells run in is larger than the page: it comes when something is to run, or while the reader reads. */
let bringRunner: () => void;
const runnerWanted = new Promise<void>((resolve) => (bringRunner = resolve));
const parts = runnerWanted.then(() => fetchParts(runner));
const device = new DevicePreference(location.search, browserStore());
const edits = new EditStore(browserStore());
const workspace = new Workspace(edits);
const rawGpu = new RawGpu(workspace, browserStore());
const winners = new Winners(new TuningPreference(browserStore()));
const opened = new Promise<void>((resolve) => workspace.events.subscribe(({ type }) => type === "opened" && resolve()));
const session = new Session({
  spawn: (events) => spawnRunner({ begin: runnerWanted, page: site + runner.page, parts, fetchKernels: () => fetchText(runner.kernels), device: device.value, rawGpu: opened.then(() => rawGpu.allowed), winners }, events),
  readFile,
  operators: () => workspace.operators,
  still: () => matchMedia("(prefers-reduced-motion: reduce)").matches,
});
const toast = new Toast();

const codeToRun = () => codeCells(workspace.cells).map(({ id, source }) => ({ cell: id, source }));
const runAll = () => {
  page.follower.begin();
  session.run(codeToRun());
};
const recover = () => session.recover(codeToRun());
const choose = (choice: DeviceChoice) => {
  device.choose(choice);
  session.restart();
};
const restart = () => session.restart();
const allowRawGpu = (allowed: boolean) => {
  rawGpu.allow(allowed);
  session.restart();
};
const download = () => downloadNotebook(workspace);

async function reset(): Promise<void> {
  const answer = await openDialog("Reset this notebook?", [h("p", {}, "Your edits will be lost. Until you leave this page, Undo restores them.")], [{ label: "Reset", value: "reset", primary: true }, { label: "Keep my edits", value: "" }]);
  if (answer !== "reset") return;
  workspace.reset();
  session.restart();
  offerUndo("Your edits were removed.");
}

/** Says what was done; as long as there is anything to take back, one more click takes back one more. */
function offerUndo(message: string): void {
  toast.show(message, workspace.undoable > 0 ? { label: "Undo", run: undo } : undefined, 12);
}

function undo(): void {
  if (workspace.undoable === 0) return toast.show("There is nothing to undo.");
  workspace.undo();
  const left = workspace.undoable;
  offerUndo(left === 0 ? "Undone." : `Undone. ${left} more ${left === 1 ? "change" : "changes"} can be undone.`);
}

function toggleOperators(): void {
  workspace.setOperators(!workspace.operators);
  offerUndo(workspace.operators ? "Operators act on tensors: a * b is a.mul(b). Run the cells again." : "Operators are JavaScript's own: write a.mul(b). Run the cells again.");
}

async function exportWinners(): Promise<void> {
  const text = await winners.export().catch(() => "");
  if (text === "") return toast.show("No kernels have raced in this browser yet.");
  downloadText("weft-winners.txt", text, "text/plain");
}

async function importWinners(): Promise<void> {
  try {
    const file = await chooseFile();
    const tables = file && (await winners.import(file.text));
    if (tables !== null) toast.show(tables === 0 ? "That file has no tuning results." : "They apply to the device and version that they were measured on.");
  } catch (error) {
    toast.show(`The file could not be imported: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function openFile(): Promise<void> {
  try {
    const file = await chooseFile();
    if (!file) return;
    const before = workspace.origin;
    const edited = workspace.edited;
    workspace.open({ kind: "file", file: file.name }, file.text);
    session.restart();
    page.showProblem(null);
    // An older file without edits is where it was.
    if (before.kind === "file" && before.file !== file.name && !edited) edits.forgetFile(before.file);
    const address = new URL(location.href);
    address.hash = "";
    address.searchParams.delete("notebook");
    address.searchParams.set("file", file.name);
    history.replaceState(null, "", address);
    if (!edits.writeFile(file.name, file.text)) toast.show("This browser cannot keep the file. Open it again after a reload.", undefined, 12);
  } catch (error) {
    const close = { label: "Close", value: "", primary: true };
    await openDialog("The file could not be opened", [h("p", {}, error instanceof Error ? error.message : String(error))], [close]);
  }
}

workspace.events.subscribe(({ type }) => type === "opened" && forgetPictures());
/** Whether what cells showed was kept by an earlier version of the page, which told texts apart by 32 bits: it may be another notebook's, and is dropped. */
function dropOlderOutputs(): boolean {
  const older = [workspace.key, workspace.olderKey].filter((key) => key !== null && areOlder(edits.readOutputs(key) ?? "")) as string[];
  for (const key of older) edits.writeOutputs(key, "");
  return older.length > 0;
}

let dropped = false;
workspace.events.subscribe(({ type }) => {
  if (type !== "older") return;
  const outputs = dropped ? " Outputs from that version were dropped: run the cells again." : "";
  toast.show(`An earlier version of this page saved edits that may belong to this notebook.${outputs}`, { label: "Show them", run: () => workspace.showOlder() }, 600);
});
// Before the cells are made, which show what there is to show.
workspace.events.subscribe(({ type }) => {
  if (type !== "opened") return;
  const code = codeCells(workspace.cells);
  dropped = dropOlderOutputs();
  if (dropped) toast.show("An earlier version of this page saved these outputs and could confuse notebooks, so they were dropped. Your edits are kept. Run the cells again.", undefined, 30);
  const saved = unpackOutputs(edits.readOutputs(workspace.key) ?? "", code);
  for (const cell of code) if (saved.has(cell.id)) session.showSaved(cell, saved.get(cell.id)!);
});
new OutputKeeper(session, workspace, edits, pixelsOf);

const page = new PageView({ workspace, session, device, rawGpu, winners }, {
  runAll, restart, choose, allowRawGpu, recover,
  allowTuning: (allowed) => winners.allow(allowed),
  exportWinners: () => void exportWinners(),
  importWinners: () => void importWinners(),
  forgetWinners: () => void winners.forget(),
  download, undo, showHelp,
  openFile: () => void openFile(),
  share: () => void shareNotebook(workspace),
  reset: () => void reset(),
  toggleOperators,
  changed: offerUndo,
  fetchPicture,
  toggleSidebar: toggleDrawer,
});
const tabs = new Tabs((elsewhere) => page.rival.elsewhere(elsewhere));
workspace.events.subscribe(({ type }) => type === "opened" && tabs.open(workspace.key));

async function openNotebook(entries: readonly GalleryEntry[]): Promise<void> {
  if (isShare(location.hash)) return workspace.open({ kind: "link" }, await decodeShare(location.hash));
  const file = new URLSearchParams(location.search).get("file");
  if (file !== null) {
    const text = edits.readFile(file);
    if (text === null) throw new Error(`This browser has no saved file “${file}”. Open it from the menu.`);
    return workspace.open({ kind: "file", file }, text);
  }
  const entry = chooseNotebook(entries, location.search);
  const wanted = new URLSearchParams(location.search).get("notebook");
  if (!entry) throw new Error(wanted ? `There is no notebook “${wanted}” here.` : "This site has no notebooks.");
  workspace.open({ kind: "gallery", file: entry.file }, await fetchText(`notebooks/${entry.file}`));
}

async function begin(): Promise<void> {
  let entries: GalleryEntry[] = [];
  let failure: unknown = null;
  try {
    entries = parseGallery(await fetchText("notebooks/index.json"));
  } catch (error) {
    failure = error;
  }
  const elements = [...page.elements(entries), toast.element];
  try {
    if (failure && !isShare(location.hash)) throw failure;
    await openNotebook(entries);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    workspace.open({ kind: "new", from: location.search + location.hash }, "");
    page.showProblem(message);
  }
  takeOver(elements);
  workspace.events.subscribe((event) => {
    if (event.type !== "typed") document.title = `${workspace.title} · Weft`;
    if (event.type === "saved" && !event.kept) toast.show("This browser cannot save your edits. Download the notebook to keep them.");
  });
  document.title = `${workspace.title} · Weft`;
  // The site's first notebook shows itself; whatever else is opened runs when its reader says so.
  const { greeting, origin } = workspace;
  if (greeting && origin.kind === "gallery" && origin.file === entries[0]?.file) session.run([{ cell: greeting.id, source: greeting.source }]);
  window.weft = makeHook(workspace, session);
  document.documentElement.dataset["ready"] = "true";
  whileReading();
}

/** Once the page is painted: what runs, what edits, what reads texts. */
function whileReading(): void {
  const painted = (then: () => void) => requestAnimationFrame(() => setTimeout(then));
  const fetchRest = () => {
    bringRunner();
    page.loadPictures();
    startProse();
    // Where it does not come, the cell that asks for it says so.
    fetchEditors().catch(() => undefined);
  };
  // A page that nobody sees paints nothing.
  if (document.hidden) fetchRest();
  else painted(fetchRest);
}
session.events.subscribe(({ type }) => type === "status" && session.busy && bringRunner());

let wasReady = false;
session.events.subscribe((event) => {
  if (event.type === "worker") {
    // A worker that never came is the badge's to tell; one that went while it was used is told where it cannot be missed.
    if (event.state.kind === "failed" && wasReady) toast.show(event.state.message, { label: "Restart", run: restart }, 600);
    wasReady = event.state.kind === "ready";
  }
  if (event.type === "device-lost")
    toast.show(`${event.loss.title} ${event.loss.message}`, { label: RECOVER, run: recover }, 600);
  if (event.type === "heap") toast.show(heapNotice(event.bytes), { label: "Restart", run: restart }, 60);
  if (event.type === "scope-lost") toast.show("Restarted. Run the cells again from the top.");
});
listenForShortcuts({ runAll, stop: () => session.stop(), goThere: () => page.follower.goThere() || toast.show("No cell is running."), download, undo });
addEventListener("pagehide", () => workspace.save());
addEventListener("storage", () => workspace.look());
addEventListener("beforeunload", (event) => {
  workspace.save();
  if (workspace.unsaved) event.preventDefault();
});
addEventListener("hashchange", () => isShare(location.hash) && location.reload());
void begin();
