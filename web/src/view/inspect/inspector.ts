// The inspector: a drawer below the notebook that shows what a cell computed. While it is open the
// worker records what runs; once it is closed nothing of it is left, in the worker or on the page.

import type { Session } from "../../state/run/session";
import type { Workspace } from "../../state/notebook/workspace";
import { InspectorClient } from "../../state/inspect/client";
import { countText, timeText } from "../../state/inspect/figures";
import type { Origin } from "../../state/inspect/program";
import { cellNumber, codeCells } from "../../state/notebook/notebook";
import type { InspectedLimits, InspectedMemory, InspectedNotFinite, InspectedProgram, InspectedRaces, InspectedRuns } from "../../protocol/inspection";
import type { GraphView } from "./graph";
import { finiteView } from "./finite";
import { kernelsView } from "./kernels";
import { memoryView } from "./memory";
import { racesView } from "./races";
import { timelineView } from "./timeline";
import { button, listing, note } from "./parts";
import type { Places } from "./parts";
import { about } from "../ui/about";
import type { About } from "../ui/about";
import { h } from "../ui/dom";
import { icon } from "../ui/icons";
import "../../styles/inspector.css";

export interface InspectorParts {
  readonly session: Session;
  readonly workspace: Workspace;
  /** The text of the worker's side. */
  readonly fetchModule: () => Promise<string>;
  goTo(cell: string, line: number, column: number): void;
}

const TABS = { kernels: "Kernels", graph: "Graph", timeline: "Timeline", memory: "Memory", finite: "First NaN", races: "Races", text: "Text" } as const;
type Tab = keyof typeof TABS;

const HELP: Readonly<Record<Tab, string>> = {
  kernels: "The kernels that the cell's program became, as kernel IR and as WGSL, with the lines they come from. Edit the WGSL and run it beside the original.",
  graph: "The program as a graph: each box is a cluster of operations that became one kernel. Drag to move, Ctrl and the wheel to zoom, double-click to open a box.",
  timeline: "When each dispatch ran on the GPU, how long it took, and how close it came to the device's limits. Record runs the cell again to measure it.",
  memory: "The memory that tensors hold over time, and which cells hold it.",
  finite: "Runs the cell again and finds the first operation whose result is not a number, with its line and its operands.",
  races: "The kernels that were tried for the same work on this device, and which one won.",
  text: "What the cell computes, as text to read or copy.",
};

let current: InspectorView | null = null;

/** Opens the inspector with a cell, or goes over to that cell. */
export function inspect(cell: string, parts: InspectorParts): void {
  current ??= new InspectorView(parts, () => (current = null));
  current.choose(cell);
}

class InspectorView {
  private readonly help: About;
  private readonly client: InspectorClient;
  private readonly cellChoice = h("select", { "aria-label": "Cell that is inspected" });
  private readonly programChoice = h("select", { "aria-label": "Program of the cell" });
  private readonly searchField = h("input", { type: "search", placeholder: "Search", "aria-label": "Search in the inspector", class: "inspector-search" });
  private readonly record = button("Run and record", () => void this.run(), true);
  private readonly panel = h("div", { class: "inspector-panel", role: "tabpanel", id: "inspector-panel", tabindex: -1 });
  private readonly tabs = new Map<Tab, HTMLButtonElement>();
  private readonly element: HTMLElement;
  private readonly opener = document.activeElement;
  private readonly ends: (() => void)[] = [];
  private cell = "";
  private tab: Tab = "kernels";
  private runs: InspectedRuns | null = null;
  private program: InspectedProgram | null = null;
  /** The run that `runs` tells of. */
  private runsOf: number | null = null;
  private number = 0;
  private kernel = 0;
  private step = Infinity;
  private memory: InspectedMemory | null = null;
  private limits: InspectedLimits | null = null;
  private races: InspectedRaces | null = null;
  private found: InspectedNotFinite | null = null;
  private explanation: string | null = null;
  private graph: GraphView | null = null;
  private editor: { key: string; element: HTMLElement } | null = null;
  private looking = false;
  private failure: string | null = null;
  /** Counts what is asked for, so that late answers to earlier questions are dropped. */
  private asked = 0;

  constructor(
    private readonly parts: InspectorParts,
    private readonly closed: () => void,
  ) {
    const { session } = parts;
    this.client = new InspectorClient({
      send: (message) => message.type === "inspect" && session.inspect(message),
      listen: (onPart, ended) =>
        session.events.subscribe((event) => {
          if (event.type === "inspected") onPart(event.part);
          if (event.type === "worker" && event.state.kind !== "ready") ended();
        }),
    }, parts.fetchModule);
    this.ends.push(
      session.events.subscribe((event) => {
        if (event.type === "worker" && event.state.kind === "ready") void this.begin().then(() => this.refresh());
        if (event.type === "status" && event.cell === this.cell && session.cell(this.cell).busy) this.draw();
        if (event.type === "idle" && !this.looking) void this.refresh(this.ran !== this.runsOf);
        if (event.type === "explained" && event.cell === this.cell) {
          this.explanation = event.text;
          this.draw();
        }
      }),
      parts.workspace.events.subscribe(({ type }) => {
        if (type === "opened") this.close();
        else if (type === "cells") this.fillCells();
      }),
    );
    this.cellChoice.addEventListener("change", () => this.choose(this.cellChoice.value));
    this.programChoice.addEventListener("change", () => void this.chooseProgram(Number(this.programChoice.value)));
    this.searchField.addEventListener("input", () => (this.graph?.search(this.searchField.value), this.draw()));
    this.help = about("Inspector", HELP[this.tab]);
    const close = h("button", { class: "icon-button", type: "button", "aria-label": "Close the inspector", title: "Close the inspector", onclick: () => this.close() }, icon("close"));
    const list = h("div", { class: "inspector-tabs", role: "tablist", "aria-label": "Views of the inspector" }, ...(Object.keys(TABS) as Tab[]).map((tab) => this.tabButton(tab)));
    this.element = h(
      "section",
      { class: "inspector", "aria-label": "Inspector" },
      this.edge(),
      h("div", { class: "inspector-head" }, h("h2", {}, "Inspector"), this.cellChoice, this.programChoice, this.record, this.searchField, this.help.button, close),
      this.help.text,
      list,
      this.panel,
    );
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented || event.target instanceof HTMLTextAreaElement || (event.target instanceof HTMLInputElement && event.target.value !== "")) return;
      event.preventDefault();
      this.close();
    });
    document.body.append(this.element);
    document.body.classList.add("inspecting");
    this.panel.setAttribute("aria-labelledby", "inspector-tab-kernels");
    void this.begin();
  }

  choose(cell: string): void {
    this.cell = cell;
    this.forget();
    this.fillCells();
    this.draw();
    this.tabs.get(this.tab)?.focus();
    void this.refresh();
  }

  close(): void {
    for (const end of this.ends) end();
    // The worker may be gone, and then records nothing.
    this.client.ask({ ask: "record", what: 0, keepFrom: 0 }).catch(() => undefined).finally(() => this.client.close());
    this.element.remove();
    document.body.classList.remove("inspecting");
    document.body.style.removeProperty("--inspector-height");
    this.closed();
    if (this.opener instanceof HTMLElement && this.opener.isConnected) this.opener.focus({ preventScroll: true });
  }

  private tabButton(tab: Tab): HTMLButtonElement {
    const element = h("button", { type: "button", role: "tab", id: `inspector-tab-${tab}`, "aria-controls": "inspector-panel", "aria-selected": String(tab === this.tab), tabindex: tab === this.tab ? 0 : -1, onclick: () => this.show(tab) }, TABS[tab]);
    element.addEventListener("keydown", ({ key }: KeyboardEvent) => {
      const all = Object.keys(TABS) as Tab[];
      const to = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
      if (to === 0) return;
      const next = all[(all.indexOf(tab) + to + all.length) % all.length]!;
      this.show(next);
      this.tabs.get(next)?.focus();
    });
    this.tabs.set(tab, element);
    return element;
  }

  private show(tab: Tab): void {
    this.tab = tab;
    this.help.text.textContent = HELP[tab];
    for (const [name, element] of this.tabs) {
      element.setAttribute("aria-selected", String(name === tab));
      element.tabIndex = name === tab ? 0 : -1;
    }
    this.panel.setAttribute("aria-labelledby", `inspector-tab-${tab}`);
    this.draw();
    void this.refresh(false);
  }

  /** The upper edge, by which the drawer is made higher and lower. */
  private edge(): HTMLElement {
    const edge = h("div", { class: "inspector-edge", role: "separator", "aria-orientation": "horizontal", "aria-label": "Height of the inspector", tabindex: 0, "aria-valuemin": 20, "aria-valuemax": 90, "aria-valuenow": 46 });
    const set = (share: number) => {
      const percent = Math.round(Math.min(90, Math.max(20, share)));
      edge.setAttribute("aria-valuenow", String(percent));
      document.body.style.setProperty("--inspector-height", `${percent}vh`);
    };
    edge.addEventListener("pointerdown", (event) => edge.setPointerCapture(event.pointerId));
    edge.addEventListener("pointermove", (event) => edge.hasPointerCapture(event.pointerId) && set(100 - (100 * event.clientY) / innerHeight));
    edge.addEventListener("keydown", (event) => {
      const step = event.key === "ArrowUp" ? 5 : event.key === "ArrowDown" ? -5 : 0;
      if (step === 0) return;
      event.preventDefault();
      set(Number(edge.getAttribute("aria-valuenow")) + step);
    });
    return edge;
  }

  private fillCells(): void {
    const { workspace } = this.parts;
    const options = codeCells(workspace.cells).map(({ id, source }) => {
      const line = source.split("\n").find((each) => each.trim() !== "")?.trim() ?? "";
      return h("option", { value: id, selected: id === this.cell }, `Cell ${cellNumber(workspace.cells, id)}  ${line.slice(0, 40)}`);
    });
    this.cellChoice.replaceChildren(...options);
    this.cellChoice.value = this.cell;
  }

  private forget(): void {
    this.asked++;
    [this.runs, this.runsOf, this.program, this.memory, this.found, this.explanation, this.failure] = [null, null, null, null, null, null, null];
    [this.number, this.kernel, this.step, this.graph] = [0, 0, Infinity, null];
    this.fillPrograms();
  }

  private async begin(what: 1 | 2 = 1, keepFrom = 0): Promise<void> {
    if (this.parts.session.worker.kind !== "ready") return;
    try {
      await this.client.ask({ ask: "record", what, keepFrom });
    } catch (error) {
      this.fail(error);
    }
  }

  private get ran(): number | null {
    return this.parts.session.cell(this.cell).live?.id ?? null;
  }

  /** Asks for what the open tab shows. `anew`: the cell has run, or another was chosen. */
  private async refresh(anew = true): Promise<void> {
    const run = this.ran;
    const asked = anew ? ++this.asked : this.asked;
    const isLate = () => asked !== this.asked;
    if (this.parts.session.worker.kind !== "ready" || this.parts.session.busy) return this.draw();
    try {
      if (this.tab === "races") this.races = await this.client.ask({ ask: "races" });
      if (run !== null && (anew || !this.runs)) {
        const runs = await this.client.ask({ ask: "runs", run });
        if (isLate()) return;
        [this.runs, this.runsOf, this.program, this.memory, this.explanation, this.failure] = [runs, run, null, null, null, null];
        this.number = Math.min(this.number, Math.max(0, runs.report.programs.length - 1));
        this.fillPrograms();
      }
      if (run !== null && this.runs && this.runs.report.programs.length > 0 && !this.program && (this.tab === "kernels" || this.tab === "graph" || this.tab === "timeline")) {
        const program = await this.client.ask({ ask: "program", run, number: this.number });
        if (isLate()) return;
        this.program = program;
      }
      if (this.tab === "graph" && this.program) await this.showGraph(this.program);
      if (this.tab === "memory") {
        const memory = await this.client.ask({ ask: "memory" });
        if (isLate()) return;
        this.memory = memory;
      }
      if (this.tab === "text" && run !== null && this.explanation === null) this.parts.session.explain(this.cell);
    } catch (error) {
      if (!isLate()) return this.fail(error);
    }
    this.draw();
  }

  private async showGraph(program: InspectedProgram): Promise<void> {
    const { GraphView } = await import("./graph");
    const tab = { program, sites: this.client.sites, places: this.places, search: this.searchField.value, pick: (kernel: number) => this.pick(kernel) };
    if (this.graph) this.graph.update(tab);
    else this.graph = new GraphView(tab);
  }

  private fillPrograms(): void {
    const programs = this.runs?.report.programs ?? [];
    this.programChoice.hidden = programs.length < 2;
    this.programChoice.replaceChildren(...programs.map(({ times, nodes, dispatches }, n) => h("option", { value: n, selected: n === this.number }, `Program ${n + 1} of ${programs.length}: ${countText(nodes, "node")}, ${dispatches > 0 ? `${countText(dispatches, "dispatch", "dispatches")} a run, ` : ""}${countText(times, "run")}`)));
  }

  private async chooseProgram(number: number): Promise<void> {
    [this.number, this.kernel, this.step, this.program] = [number, 0, Infinity, null];
    this.draw();
    await this.refresh(false);
  }

  private pick(kernel: number): void {
    this.kernel = kernel;
    this.show("kernels");
  }

  /** Runs the cell with recording on. */
  private async run(): Promise<void> {
    await this.begin();
    await this.runCells([this.cell]);
    await this.refresh();
  }

  /** Runs cells one after the other, to their ends. */
  private async runCells(ids: readonly string[]): Promise<void> {
    const { session, workspace } = this.parts;
    const cells = ids.flatMap((id) => {
      const cell = workspace.find(id);
      return cell?.kind === "code" ? [{ cell: id, source: cell.source }] : [];
    });
    const idle = new Promise<void>((resolve) => {
      const end = session.events.subscribe(({ type }) => type === "idle" && (end(), resolve()));
    });
    session.run(cells);
    if (session.busy) await idle;
  }

  private fail(error: unknown): void {
    this.failure = error instanceof Error ? error.message : String(error);
    this.draw();
  }

  /** Runs cells again with their values checked, and asks where the first that is not finite came
   * from. */
  private async look(all: boolean): Promise<void> {
    const { workspace } = this.parts;
    this.looking = true;
    this.draw();
    try {
      let keepFrom = 0;
      // Where what the run was given was too much to keep with all that came before, it is kept the
      // second time.
      for (let attempt = 0; attempt < 2; attempt++) {
        await this.begin(2, keepFrom);
        await this.runCells(all ? codeCells(workspace.cells).map(({ id }) => id) : [this.cell]);
        this.found = await this.client.ask({ ask: "finite" });
        if (this.found.again === undefined) break;
        keepFrom = this.found.again;
      }
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    }
    await this.begin();
    this.looking = false;
    this.draw();
  }

  /** Runs a kernel with another text beside the original. What the program was given is recorded
   * first, if it was not. */
  private async edit(kernel: number, text: string) {
    const number = this.number;
    const kept = this.runs?.report.runs.some((run) => run.program === number && run.kept) ?? false;
    if (!kept) {
      this.looking = true;
      try {
        await this.begin(2);
        await this.runCells([this.cell]);
        const run = this.ran;
        if (run !== null) this.runs = await this.client.ask({ ask: "runs", run });
      } finally {
        this.looking = false;
      }
    }
    const run = this.ran;
    if (run === null) throw new Error("Run the cell first.");
    return this.client.ask({ ask: "edited", run, number, kernel, text });
  }

  private get places(): Places {
    const { session, workspace, goTo } = this.parts;
    const numberOf = (id: string) => (workspace.find(id) ? cellNumber(workspace.cells, id) : null);
    const at = (origin: Origin) => (origin.line === null ? null : session.placeOf(origin.run, origin.line, origin.column));
    return {
      cellOf: (run) => {
        const id = session.cellOf(run);
        return id === null ? null : numberOf(id);
      },
      lineOf: (origin) => {
        const place = at(origin);
        const cell = place && numberOf(place.cell);
        if (!place || cell === null) return null;
        // The line as it ran, wherever the cell has been edited since.
        const source = session.cell(place.cell).live?.source ?? workspace.find(place.cell)?.source ?? "";
        return { cell, line: place.line, text: source.split("\n")[place.line - 1] ?? "" };
      },
      goTo: (origin) => {
        const place = at(origin);
        const cell = place?.cell ?? session.cellOf(origin.run);
        if (cell !== null) goTo(cell, place?.line ?? 1, place?.column ?? 1);
      },
    };
  }

  private draw(): void {
    this.record.disabled = this.looking || this.parts.session.worker.kind === "failed";
    this.searchField.hidden = this.tab === "finite";
    const focused = document.activeElement;
    const had = this.panel.contains(focused) && focused !== this.panel;
    const { scrollTop } = this.panel;
    const content = this.failure === null || this.tab === "finite" ? this.content() : h("div", {}, note("This cannot be shown: "), h("pre", { class: "inspector-failure" }, this.failure));
    if (this.panel.firstChild !== content || this.panel.childNodes.length > 1) this.panel.replaceChildren(content);
    this.panel.scrollTop = scrollTop;
    // What is still there keeps the focus.
    if (had && focused !== document.activeElement) (focused instanceof HTMLElement && this.panel.contains(focused) ? focused : this.panel).focus({ preventScroll: true });
    if (this.failure !== null && this.tab === "finite") this.panel.append(h("pre", { class: "inspector-failure" }, this.failure));
  }

  private content(): HTMLElement {
    const { sites } = this.client;
    const { places, runs, program } = this;
    const search = this.searchField.value;
    if (this.tab === "finite") return finiteView({ found: this.found, sites, places, busy: this.looking, cell: cellNumber(this.parts.workspace.cells, this.cell), look: (all) => void this.look(all) });
    if (this.tab === "races") return this.races ? racesView(this.races, search) : this.waiting();
    if (this.tab === "memory") return this.memory ? memoryView({ memory: this.memory, runs, sites, places, search }) : this.waiting();
    if (this.ran === null) return note("Run the cell to see what it computes.");
    if (this.tab === "text") return this.explanation === null ? this.waiting() : listing("All stages as text", this.explanation, search);
    if (!runs) return this.waiting();
    if (runs.report.programs.length === 0) return h("div", {}, note("The last run of this cell computed nothing on the device."), this.stats(runs));
    if (this.tab === "timeline") return timelineView({ runs, program, number: this.number, search, chosen: this.step, choose: (step) => ((this.step = step), this.draw()), limits: this.limits, measure: () => void this.measure(), pick: (kernel) => this.pick(kernel) });
    if (!program) return this.waiting();
    if (this.tab === "graph") return this.graph?.element ?? this.waiting();
    const isCpu = runs.report.device === "cpu";
    return h("div", {}, this.stats(runs), kernelsView({ program, sites, places, isCpu, search, chosen: Math.min(this.kernel, program.stages.kernels.length - 1), choose: (chosen) => ((this.kernel = chosen), this.draw()), editor: this.editor, keepEditor: (editor) => (this.editor = editor), edit: isCpu ? null : (chosen, text) => this.edit(chosen, text) }));
  }

  /** Stands where something is asked for: a worker that runs a cell answers when that has ended. */
  private waiting(): HTMLElement {
    const { session } = this.parts;
    if (!session.busy) return note("Reading…");
    return note(session.cell(this.cell).busy ? "The cell is running. What it computes is shown when it has ended." : "Another cell is running. This is shown when it has ended.");
  }

  /** What the cell's last run asked of the device, in the words of `stats()`. */
  private stats({ stats, report }: InspectedRuns): HTMLElement {
    const counters = (["submits", "passes", "dispatches", "pipelinesCompiled", "buffersCreated", "programHits", "programMisses"] as const).map((name) => h("span", {}, h("code", {}, name), ` ${stats[name].toLocaleString("en")}`));
    const compiled = report.programs.reduce((sum, { compiled: took }) => sum + took, 0);
    return h("p", { class: "inspector-note inspector-stats" }, report.device === "cpu" ? "On the CPU device: " : "On the GPU: ", ...counters, compiled > 0 && h("span", {}, `programs compiled in ${timeText(compiled * 1_000)}`));
  }

  private async measure(): Promise<void> {
    try {
      this.limits = await this.client.ask({ ask: "limits" });
    } catch (error) {
      return this.fail(error);
    }
    this.draw();
  }
}
