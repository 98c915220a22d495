// Entry point of the page. It opens a notebook, starts its worker, and connects the state to the
// views.

import first from "virtual:first";
import runner from "virtual:runner";
import { isFull } from "./host/database";
import { keepUnwritten } from "./host/earlier";
import { fetchBuffer, fetchParts, fetchText, readSiteFile, site } from "./host/fetch";
import { spawnRunner } from "./host/frame";
import { Historian } from "./host/historian";
import { OutputKeeper } from "./host/keeper";
import { isOffline, keepSite } from "./host/offline";
import { forgetPictures } from "./host/pictures";
import { startProse } from "./host/prose";
import { Tabs } from "./host/tabs";
import { Winners } from "./host/winners";
import { makeHook } from "./hook";
import type { Files } from "./files";
import type { Grants } from "./grants";
import type { Hook } from "./hook";
import { Library, notebookStore } from "./library";
import { Manager } from "./manage";
import { DevicePreference } from "./state/device/device";
import type { DeviceChoice, FileReply } from "./protocol/messages";
import { CellReader } from "./state/code/reading";
import { parseGallery } from "./state/notebook/gallery";
import type { GalleryEntry } from "./state/notebook/gallery";
import { declaringCell } from "./state/code/definitions";
import { codeCells } from "./state/notebook/notebook";
import { heapNotice } from "./state/run/heap";
import { prepare, preparedReading } from "./state/prose/prepared";
import { RawGpu } from "./state/device/raw-gpu";
import { TuningPreference } from "./state/device/tuning";
import { areOlder, matchSaved, unpackOutputs } from "./state/run/saved";
import { restartBetween } from "./state/run/between";
import { Session } from "./state/run/session";
import { readPageAddress } from "./state/notebook/address";
import { nowhere } from "./state/notebook/records";
import { isShare } from "./state/notebook/share";
import { browserStore, hasHosts, OutputStore } from "./state/notebook/storage";
import { Workspace } from "./state/notebook/workspace";
import { RECOVER } from "./view/device/badge";
import { h } from "./view/ui/dom";
import { toggleDrawer } from "./view/page/drawer";
import { fetchEditors } from "./view/editor/editors";
import { listenForDrops } from "./view/files/drop";
import { chooseFile, downloadNotebook, downloadText, textOf } from "./view/page/files";
import { listenForShortcuts, showHelp } from "./view/page/help";
import { openDialog, Toast } from "./view/ui/menu";
import { pixelsOf } from "./view/outputs/image";
import { PageView, takeOver } from "./view/page/page";
import { applyTheme } from "./view/page/theme";
import "./styles/page.css";
import "./styles/header.css";
import "./styles/notebooks.css";
import "./styles/overlays.css";
import "./styles/cells.css";
import "./styles/code.css";
import "./styles/folded.css";
import "./styles/outputs.css";
import "./styles/axes.css";
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
/** What cells run in is larger than the page: it comes when something is to run, or while the
 * reader reads. */
let bringRunner: () => void;
const runnerWanted = new Promise<void>((resolve) => (bringRunner = resolve));
const parts = fetchParts(runner, runnerWanted);
/** An embedded page stores nothing: the browser's storage belongs to the reader of the outer
 * page. */
const address = readPageAddress(location.search, parent !== window);
// What greets the reader needs it: it is asked for while the page is put together.
if (!address.embed && !document.hidden && document.documentElement.dataset["first"] !== "other") bringRunner!();
const store = address.embed ? null : browserStore();
const device = new DevicePreference(location.search, store);
const outputs = new OutputStore(store);
const workspace = new Workspace(address.embed ? nowhere : notebookStore);
const library = new Library(notebookStore, workspace, !address.embed);
const rawGpu = new RawGpu(workspace, store);
const winners = new Winners(new TuningPreference(store));
const opened = new Promise<void>((resolve) => workspace.events.subscribe(({ type }) => type === "opened" && resolve()));
const openedFiles = () => import("./files").then(({ Files }) => (files ??= new Files({ workspace, session, toast, keeps: !address.embed, openNotebook: openNotebookFile })));
let files: Files | null = null;
/** A file for a cell: the notebook's own, whose names have no folders, or one of the site's. */
async function readFile(path: string): Promise<FileReply> {
  if (/^https?:/i.test(path)) return (await openedGrants()).fetch(path);
  const own = path.includes("/") || (address.embed && files === null) ? null : await openedFiles().then((files) => files.read(path));
  return own ?? readSiteFile(path);
}
const openedGrants = () => import("./grants").then(({ Grants }) => (grants ??= new Grants(workspace, () => winners.seal(), !address.embed)));
let grants: Grants | null = null;
const session = new Session({
  spawn: (events) => spawnRunner({ begin: runnerWanted, page: site + runner.page, shell: `${site}runner-offline.html`, isOffline: () => isOffline(site + runner.page), parts, fetchRest: () => fetchBuffer(runner.rest), fetchKernels: () => fetchText(runner.kernels), device: device.value, rawGpu: opened.then(() => rawGpu.allowed), winners }, events),
  readFile,
  reader: new CellReader(() => import("./state/code/read").then(({ readCell }) => readCell), preparedReading),
  grants: {
    receive: (message, cell, worker) => void openedGrants().then((grants) => worker.alive && grants.receive(message, cell, worker)),
    leave: (cell) => grants?.leave(cell),
    end: () => grants?.end(),
  },
  operators: () => workspace.operators,
  declares: (name, lacking) => declaringCell(codeCells(workspace.cells), name, lacking, session.reader),
  still: () => matchMedia("(prefers-reduced-motion: reduce)").matches,
});
restartBetween(workspace, session);
const toast = new Toast();
const manager = new Manager(library, workspace, toast, new Historian(session, workspace));

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
  if (!workspace.hasOriginal) return void manager.showHistory();
  const answer = await openDialog("Reset this notebook?", [h("p", {}, "Your edits will be lost. Until you leave this page, Undo restores them.")], [{ label: "Reset", value: "reset", primary: true }, { label: "Keep my edits", value: "" }]);
  if (answer !== "reset") return;
  workspace.reset();
  session.restart();
  offerUndo("Your edits were removed.");
}

/** Says what was done; as long as there is anything to take back, one more click takes back one
 * more. */
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
    const tables = file && (await winners.import(await textOf(file)));
    if (tables !== null) toast.show(tables === 0 ? "That file has no tuning results." : "They apply to the device and version that they were measured on.");
  } catch (error) {
    toast.show(`The file could not be imported: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function openFile(): Promise<void> {
  const file = await chooseFile();
  if (file) await openNotebookFile(file);
}

const sayUnopened = (error: unknown) => openDialog("The file could not be opened", [h("p", {}, error instanceof Error ? error.message : String(error))], [{ label: "Close", value: "", primary: true }]);

/** Opens a notebook of the reader's. */
async function openNotebookFile(file: File): Promise<void> {
  try {
    const { kept, note } = await library.openFile(file.name, await textOf(file));
    page.showProblem(null);
    if (note !== "") toast.show(note, undefined, 12);
    if (!kept) toast.show("This browser cannot keep the file. Open it again after a reload.", undefined, 12);
  } catch (error) {
    await sayUnopened(error);
  }
}

/** The inspector comes when the reader first opens it. */
async function openInspector(cell: string): Promise<void> {
  try {
    const { inspect } = await import("./view/inspect/inspector");
    inspect(cell, { session, workspace, fetchModule: () => fetchText(runner.inspector), goTo: (id, line, column) => page.notebook.goTo(id, line, column) });
  } catch {
    toast.show("The inspector did not load. Reload the page to use it.");
  }
}
const shareDialog = () => import("./view/page/share");
const lacking = () => toast.show("That part of the page could not be loaded. Check the connection and try again.");

workspace.events.subscribe(({ type }) => type === "opened" && forgetPictures());
let arrive: () => void = () => undefined;
/** Resolves once the page is in the place of what index.html showed. */
const inPlace = new Promise<void>((resolve) => (arrive = resolve));
// The badge shows what a notebook is still allowed before anything runs.
workspace.events.subscribe(({ type }) => type === "opened" && !address.embed && hasHosts(workspace.key) && void inPlace.then(openedGrants));
/** Drops outputs saved by an earlier version of the page. It identified texts by 32 bits, so they
 * may be another notebook's. Yields whether there were any. */
function dropOlderOutputs(): boolean {
  const older = areOlder(outputs.read(workspace.key) ?? "");
  if (older) outputs.write(workspace.key, "");
  return older;
}
// Before the cells are made, which show what there is to show.
workspace.events.subscribe(({ type }) => {
  if (type !== "opened") return;
  const code = codeCells(workspace.cells);
  if (dropOlderOutputs()) toast.show("An earlier version of this page saved these outputs and could confuse notebooks, so they were dropped. Your edits are kept. Run the cells again.", undefined, 30);
  const saved = unpackOutputs(outputs.read(workspace.key) ?? "", code);
  // What was computed here goes before what came along.
  const came = saved.size === 0 ? matchSaved(library.brought, code) : saved;
  for (const cell of code) if (came.has(cell.id)) session.showSaved(cell, came.get(cell.id)!);
  if (library.brought.length > 0) keeper.soon();
});
const keeper = new OutputKeeper(session, workspace, outputs, pixelsOf, (notebook, picture) => (address.embed ? Promise.resolve() : notebookStore.keepPicture(notebook, picture)));

const page = new PageView({ workspace, session, device, rawGpu, winners }, {
  runAll, restart, choose, allowRawGpu, recover,
  allowTuning: (allowed) => winners.allow(allowed),
  exportWinners: () => void exportWinners(),
  importWinners: () => void importWinners(),
  forgetWinners: () => void winners.forget(),
  download, undo, showHelp,
  openFile: () => void openFile(),
  bring: (given) => openedFiles().then((files) => files.bring(given)),
  showFiles: () => void openedFiles().then((files) => files.show()),
  share: () => void shareDialog().then(({ showShare }) => showShare(workspace, session), lacking),
  openAddress: () => void shareDialog().then(({ askForAddress }) => askForAddress(), lacking),
  reset: () => void reset(),
  toggleOperators,
  changed: offerUndo,
  library: manager,
  rename: () => void manager.rename(),
  duplicateNotebook: () => void manager.duplicate(),
  showHistory: () => void manager.showHistory(),
  inspect: (cell) => void openInspector(cell),
  toggleSidebar: toggleDrawer,
});
let listing: ReturnType<typeof setTimeout> | undefined;
/** Not at every write: one follows the other while someone types. */
const refreshNotebooks = () => void (listing ??= setTimeout(() => {
  listing = undefined;
  void page.refreshNotebooks();
}, 300));
if (!address.embed) {
  const tabs = new Tabs({
    elsewhere: (open) => page.rival.elsewhere(open),
    wrote: (key) => {
      if (key === workspace.key) void workspace.look();
      refreshNotebooks();
    },
  });
  notebookStore.events.subscribe((id) => {
    tabs.wrote(id);
    refreshNotebooks();
  });
  workspace.events.subscribe(({ type }) => type === "opened" && tabs.open(workspace.key));
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
    await library.open(entries);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    library.begin("");
    page.showProblem(message);
  }
  if (!address.embed) await page.refreshNotebooks();
  takeOver(elements);
  arrive();
  if (!address.embed) manager.greet();
  if (new URLSearchParams(location.search).has("new")) page.notebook.focusFirst();
  workspace.events.subscribe((event) => {
    if (event.type !== "typed") document.title = `${workspace.title} · Weft`;
    if (event.type === "saved" && !address.embed) showSaved(event);
  });
  document.title = `${workspace.title} · Weft`;
  // The site's first notebook shows itself; whatever else is opened runs when its reader says so.
  const { greeting, origin } = workspace;
  const greets = !address.embed && greeting && origin.kind === "gallery" && origin.file === entries[0]?.file;
  if (greets) session.run([{ cell: greeting.id, source: greeting.source, early: true }]);
  window.weft = makeHook(workspace, session);
  document.documentElement.dataset["ready"] = "true";
  if (address.embed) return embed();
  whileReading(Boolean(greets));
}

/** Within another page only what is shown at once is fetched; the rest comes when the reader runs
 * something. */
async function embed(): Promise<void> {
  startProse();
  const { startEmbed } = await import("./view/page/embed");
  startEmbed(workspace, session, runAll);
}

let refused = false;
/** What is not saved is said as long as it is not. */
function showSaved({ kept, error }: { kept: boolean; error?: unknown }): void {
  if (kept && refused) toast.show("Your edits are saved again.");
  if (!kept && !refused) toast.show(`${isFull(error) ? "This browser's storage is full, so your edits are not saved." : "This browser cannot save your edits."} Download the notebook to keep them.`, { label: "Download", run: download }, 600);
  refused = !kept;
}

/** Keeps the site for times without a network, once it is all there. */
function keepOffline(): void {
  keepSite((change) => toast.show("A new version of this page is ready.", { label: "Reload", run: change }, 60)).catch(() => undefined);
}

/** Once the page is painted, and what greets the reader has shown itself: what edits, what runs,
 * what reads texts, the pictures. */
function whileReading(greets: boolean): void {
  const painted = (then: () => void) => requestAnimationFrame(() => setTimeout(then));
  const fetchMore = () => {
    // Where it does not come, the cell that asks for it says so.
    fetchEditors().then(() => session.reader.fetch()).then(() => (page.notebook.showErrorsAgain(), openedFiles())).catch(() => undefined).then(() => keepOffline());
    bringRunner();
    startProse();
    page.loadPictures();
    notebookStore.purge().catch(() => undefined);
    manager.warnOfLittleRoom().catch(() => undefined);
  };
  // A page that nobody sees paints nothing.
  if (document.hidden) return fetchMore();
  if (!greets) return void painted(fetchMore);
  const end = session.events.subscribe((event) => {
    if (event.type !== "idle" && !(event.type === "worker" && event.state.kind === "failed")) return;
    end();
    painted(fetchMore);
  });
}
session.events.subscribe(({ type }) => type === "status" && session.busy && bringRunner());

let wasReady = false;
session.events.subscribe((event) => {
  if (event.type === "worker") {
    // A worker that never came is the badge's to tell; one that went while it was used is reported
    // where it cannot be missed.
    if (event.state.kind === "failed" && wasReady) toast.show(event.state.message, { label: "Restart", run: restart }, 600);
    wasReady = event.state.kind === "ready";
  }
  if (event.type === "device-lost")
    toast.show(`${event.loss.title} ${event.loss.message}`, { label: RECOVER, run: recover }, 600);
  if (event.type === "heap") toast.show(heapNotice(event.bytes), { label: "Restart", run: restart }, 60);
  // Only where there is something to run again: not of a notebook that was just opened.
  if (event.type === "scope-lost" && codeCells(workspace.cells).some(({ id }) => session.cell(id).stale)) toast.show(`${event.hung ? "The cell did not end when it was asked to, so all variables are gone. A loop with “await tick()” ends and keeps them." : "Restarted."} Run the cells again from the top.`, undefined, event.hung ? 20 : undefined);
});
listenForShortcuts({ runAll, stop: () => session.stop(), goThere: () => page.follower.goThere() || toast.show("No cell is running."), download, undo, reference: () => page.notebook.showReference(), begin: () => location.assign("?new"), search: () => page.focusSearch(), showHistory: () => void manager.showHistory() });
if (!address.embed) listenForDrops((given, cell) => void openedFiles().then((files) => files.take(given, cell)));
addEventListener("pageshow", ({ persisted }) => persisted && !address.embed && void workspace.look());
addEventListener("beforeunload", (event) => {
  if (!address.embed && (workspace.unsaved || !keepUnwritten(workspace))) event.preventDefault();
});
addEventListener("hashchange", () => isShare(location.hash) && location.reload());
void begin();
