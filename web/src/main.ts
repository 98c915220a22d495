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
import { areOlder, matchSaved, unpackOutputs } from "./state/run/saved";
import type { SavedCell } from "./state/run/saved";
import { Session } from "./state/run/session";
import { readPageAddress } from "./state/notebook/address";
import { decodeShare, hasOutputs, isShare } from "./state/notebook/share";
import { browserStore, EditStore } from "./state/notebook/storage";
import { Workspace } from "./state/notebook/workspace";
import type { Origin } from "./state/notebook/workspace";
import { RECOVER } from "./view/device/badge";
import { h } from "./view/ui/dom";
import { toggleDrawer } from "./view/page/drawer";
import { fetchEditors } from "./view/editor/editors";
import { chooseFile, downloadNotebook, downloadText } from "./view/page/files";
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
import "./styles/reader.css";

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
/** Within another page, nothing is kept: the browser's store belongs to whoever reads the whole page. */
const address = readPageAddress(location.search, parent !== window);
const store = address.embed ? null : browserStore();
const device = new DevicePreference(location.search, store);
const edits = new EditStore(store);
const workspace = new Workspace(edits);
const rawGpu = new RawGpu(workspace, store);
const winners = new Winners(new TuningPreference(store));
const opened = new Promise<void>((resolve) => workspace.events.subscribe(({ type }) => type === "opened" && resolve()));
const session = new Session({
  spawn: (events) => spawnRunner({ begin: runnerWanted, page: site + runner.page, parts, fetchKernels: () => fetchText(runner.kernels), device: device.value, rawGpu: opened.then(() => rawGpu.allowed), winners }, events),
  readFile,
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

/** What a notebook brings along is shown until its cells run, and said to be so. */
let brought: readonly SavedCell[] = [];
function openWith(origin: Origin, markdown: string, shown: readonly (SavedCell | null)[]): void {
  brought = shown.filter((each) => each !== null);
  try {
    workspace.open(origin, markdown);
    if (brought.length > 0) keeper.soon();
  } finally {
    brought = [];
  }
}

/** What reads other formats than Markdown is fetched when a file is opened. */
const readFormats = async (text: string, name: string) => (await import("./state/formats/read")).readNotebookFile(text, name);

async function openFile(): Promise<void> {
  try {
    const file = await chooseFile();
    if (!file) return;
    const before = workspace.origin;
    const edited = workspace.edited;
    const { markdown, shown, note } = await readFormats(file.text, file.name);
    openWith({ kind: "file", file: file.name }, markdown, shown);
    session.restart();
    page.showProblem(null);
    // An older file without edits is where it was.
    if (before.kind === "file" && before.file !== file.name && !edited) edits.forgetFile(before.file);
    const address = new URL(location.href);
    address.hash = "";
    for (const name of ["notebook", "from"]) address.searchParams.delete(name);
    address.searchParams.set("file", file.name);
    history.replaceState(null, "", address);
    if (note !== "") toast.show(note, undefined, 12);
    if (!edits.writeFile(file.name, markdown)) toast.show("This browser cannot keep the file. Open it again after a reload.", undefined, 12);
  } catch (error) {
    const close = { label: "Close", value: "", primary: true };
    await openDialog("The file could not be opened", [h("p", {}, error instanceof Error ? error.message : String(error))], [close]);
  }
}

const shareDialog = () => import("./view/page/share");
const lacking = () => toast.show("That part of the page could not be loaded. Check the connection and try again.");

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
  // What was computed here goes before what came along.
  const came = saved.size === 0 ? matchSaved(brought, code) : saved;
  for (const cell of code) if (came.has(cell.id)) session.showSaved(cell, came.get(cell.id)!);
});
const keeper = new OutputKeeper(session, workspace, edits, pixelsOf);

const page = new PageView({ workspace, session, device, rawGpu, winners }, {
  runAll, restart, choose, allowRawGpu, recover,
  allowTuning: (allowed) => winners.allow(allowed),
  exportWinners: () => void exportWinners(),
  importWinners: () => void importWinners(),
  forgetWinners: () => void winners.forget(),
  download, undo, showHelp,
  openFile: () => void openFile(),
  share: () => void shareDialog().then(({ showShare }) => showShare(workspace, session), lacking),
  openAddress: () => void shareDialog().then(({ askForAddress }) => askForAddress(), lacking),
  reset: () => void reset(),
  changed: offerUndo,
  fetchPicture,
  toggleSidebar: toggleDrawer,
});
if (!address.embed) {
  const tabs = new Tabs((elsewhere) => page.rival.elsewhere(elsewhere));
  workspace.events.subscribe(({ type }) => type === "opened" && tabs.open(workspace.key));
}

async function openNotebook(entries: readonly GalleryEntry[]): Promise<void> {
  if (isShare(location.hash)) {
    const text = await decodeShare(location.hash);
    if (!hasOutputs(location.hash)) return openWith({ kind: "link" }, text, []);
    const { markdown, shown } = await readFormats(text, "link.ipynb");
    return openWith({ kind: "link" }, markdown, shown);
  }
  const from = new URLSearchParams(location.search).get("from");
  if (from !== null) {
    const { fetchNotebook } = await import("./host/source");
    const { url, name, text } = await fetchNotebook(from);
    const { markdown, shown } = await readFormats(text, name);
    return openWith({ kind: "web", url }, markdown, shown);
  }
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
    if (failure && !isShare(location.hash) && !location.search.includes("from=")) throw failure;
    await openNotebook(entries);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    workspace.open({ kind: "new", from: location.search + location.hash }, "");
    page.showProblem(message);
  }
  takeOver(elements);
  workspace.events.subscribe((event) => {
    if (event.type !== "typed") document.title = `${workspace.title} · Weft`;
    if (event.type === "saved" && !event.kept && !address.embed) toast.show("This browser cannot save your edits. Download the notebook to keep them.");
  });
  document.title = `${workspace.title} · Weft`;
  // The site's first notebook shows itself; whatever else is opened runs when its reader says so.
  const { greeting, origin } = workspace;
  if (!address.embed && greeting && origin.kind === "gallery" && origin.file === entries[0]?.file) session.run([{ cell: greeting.id, source: greeting.source }]);
  window.weft = makeHook(workspace, session);
  document.documentElement.dataset["ready"] = "true";
  if (address.embed) return embed();
  whileReading();
}

/** Within another page only what is shown at once is fetched; the rest comes when the reader runs something. */
async function embed(): Promise<void> {
  startProse();
  const { startEmbed } = await import("./view/page/embed");
  startEmbed(workspace, session, runAll);
  if (address.run) runAll();
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
  if (workspace.unsaved && !address.embed) event.preventDefault();
});
addEventListener("hashchange", () => isShare(location.hash) && location.reload());
void begin();
