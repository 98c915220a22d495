// The program as a graph to walk: drag or arrow keys to move, wheel or + and − to zoom; a box opens
// on a double click or Enter. Drawn as SVG, laid out by dagre.

import dagre from "@dagrejs/dagre";
import type { InspectedProgram, Sites } from "../../protocol/inspection";
import { countText } from "../../state/inspect/figures";
import { graphOf, titleOf } from "../../state/inspect/graph";
import type { Box, ProgramGraph } from "../../state/inspect/graph";
import { matches, originOf } from "../../state/inspect/program";
import { h, svg } from "../ui/dom";
import { listenToPinch } from "../ui/pinch";
import { button, note, placeLink } from "./parts";
import type { Places } from "./parts";

export interface GraphTab {
  readonly program: InspectedProgram;
  readonly sites: Sites;
  readonly places: Places;
  readonly search: string;
  readonly pick: (kernel: number) => void;
}

interface Laid {
  readonly box: Box;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Boxes beyond which the quick way to rank them is taken. */
const MANY = 150;
const CHARACTER = 6.4;
const clip = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

function layOut({ boxes, edges }: ProgramGraph): { laid: Map<string, Laid>; width: number; height: number; paths: { edge: ProgramGraph["edges"][number]; points: readonly { x: number; y: number }[] }[] } {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: "TB", nodesep: 18, ranksep: 34, marginx: 16, marginy: 16, ...(boxes.length > MANY ? { ranker: "longest-path" } : {}) });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const box of boxes) {
    const longest = Math.max(clip(box.title, 34).length, clip(box.detail, 34).length);
    graph.setNode(box.id, { width: Math.max(70, longest * CHARACTER + 18), height: box.kind === "node" || box.kind === "given" ? 34 : 42 });
  }
  for (const { from, to } of edges) graph.setEdge(from, to);
  dagre.layout(graph);
  const laid = new Map<string, Laid>();
  for (const box of boxes) {
    const { x, y, width, height } = graph.node(box.id) as { x: number; y: number; width: number; height: number };
    laid.set(box.id, { box, x, y, width, height });
  }
  const paths = edges.map((edge) => ({ edge, points: (graph.edge(edge.from, edge.to) as { points: { x: number; y: number }[] }).points }));
  const { width = 100, height = 100 } = graph.graph() as { width?: number; height?: number };
  return { laid, width, height, paths };
}

/** A view that keeps what is open and where the reader looks while other tabs are shown. */
export class GraphView {
  readonly element = h("div", { class: "inspector-graph" });
  private readonly open = new Set<string>();
  private readonly drawing = svg("svg", { class: "inspector-drawing", tabindex: 0, role: "group", "aria-label": "Graph of the program. Arrow keys move it, plus and minus zoom." });
  private readonly side = h("div", { class: "inspector-graph-side", role: "status" });
  private view = { x: 0, y: 0, width: 100, height: 100 };
  private whole = { width: 100, height: 100 };
  private part = 0;
  private laid = new Map<string, Laid>();
  private elements = new Map<string, SVGElement>();
  private chosen: string | null = null;

  constructor(private tab: GraphTab) {
    this.drawing.addEventListener("keydown", (event) => this.key(event));
    this.drawing.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, this.at(event));
    }, { passive: false });
    this.listenToDrag();
    this.draw();
  }

  update(tab: GraphTab): void {
    const other = tab.program !== this.tab.program;
    this.tab = tab;
    if (other) {
      this.open.clear();
      this.part = 0;
      this.chosen = null;
    }
    this.draw(!other);
  }

  /** Dims the boxes that a search does not find; nothing moves. */
  search(words: string): void {
    this.tab = { ...this.tab, search: words };
    for (const [id, { box }] of this.laid) this.elements.get(id)?.classList.toggle("dim", !matches(words, box.title, box.detail));
  }

  private get stages() {
    return this.tab.program.stages;
  }

  private draw(stay = false): void {
    const part = this.stages.parts[this.part];
    if (!part) return this.element.replaceChildren(note("This program has no clusters."));
    const graph = graphOf(part, this.open);
    const { laid, width, height, paths } = layOut(graph);
    this.whole = { width, height };
    if (!stay) this.fit();
    const lines = paths.map(({ edge, points }) => {
      const path = svg("path", { class: edge.reason ? "edge cut" : "edge", d: points.map(({ x, y }, n) => `${n === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join(""), fill: "none" });
      if (edge.reason) path.append(svg("title", {}, `stored: ${edge.reason}`));
      return path;
    });
    this.laid = laid;
    this.elements = new Map([...laid].map(([id, it]) => [id, this.box(it)]));
    const boxes = [...this.elements.values()];
    this.drawing.replaceChildren(svg("g", {}, ...lines), svg("g", {}, ...boxes));
    this.applyView();
    const parts = this.stages.parts.length > 1 ? h("select", { "aria-label": "Part of the program", onchange: (event: Event) => this.choosePart(Number((event.target as HTMLSelectElement).value)) }, ...this.stages.parts.map((_, n) => h("option", { value: n, selected: n === this.part }, n === 0 ? "The program" : `Inner program ${n}`))) : null;
    const bar = h("div", { class: "inspector-bar" }, parts, button("Fit", () => (this.fit(), this.applyView())), button("Zoom in", () => this.zoom(1 / 1.3)), button("Zoom out", () => this.zoom(1.3)), this.open.size > 0 && button("Close all boxes", () => (this.open.clear(), this.draw())), h("span", { class: "inspector-faint" }, `${countText(part.nodes.length, "node")} in ${countText(part.clusters.length, "cluster")}, ${countText(part.cuts.length, "cut")}. Enter or a double click opens a box.`));
    this.element.replaceChildren(bar, h("div", { class: "inspector-graph-sides" }, this.drawing, this.side));
    this.describe();
  }

  private choosePart(part: number): void {
    this.part = part;
    this.open.clear();
    this.chosen = null;
    this.draw();
  }

  private box({ box, x, y, width, height }: Laid): SVGElement {
    const { search } = this.tab;
    const dim = !matches(search, box.title, box.detail);
    const [title, detail] = [clip(box.title, 34), clip(box.detail, 34)];
    const label = `${box.kind === "group" ? "Group" : box.kind === "cluster" ? `Cluster ${box.clusters[0]}` : box.kind === "given" ? "Input" : "Node"}: ${title} ${detail}`;
    const group = svg("g", { class: `box ${box.kind}${dim ? " dim" : ""}${box.id === this.chosen ? " chosen" : ""}`, transform: `translate(${(x - width / 2).toFixed(1)} ${(y - height / 2).toFixed(1)})`, tabindex: 0, role: "button", "aria-label": label });
    group.append(svg("rect", { width, height, rx: 6 }), svg("text", { x: 9, y: 16 }, `${title} `), svg("text", { x: 9, y: 30, class: "detail" }, detail));
    const choose = () => {
      this.chosen = box.id;
      for (const each of this.drawing.querySelectorAll(".box.chosen")) each.classList.remove("chosen");
      group.classList.add("chosen");
      this.describe();
    };
    group.addEventListener("click", choose);
    group.addEventListener("focus", choose);
    group.addEventListener("dblclick", () => this.toggle(box));
    group.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      this.toggle(box);
    });
    return group;
  }

  /** Opens a box, or closes what a node is in. */
  private toggle(box: Box): void {
    const id = box.kind === "node" ? `c${box.clusters[0]}` : box.id;
    if (box.kind === "given") return;
    if (this.open.has(id)) this.open.delete(id);
    else this.open.add(id);
    this.draw(true);
    this.lookAt(box.kind === "group" ? box.clusters : box.clusters.slice(0, 1));
  }

  /** Brings the boxes of some clusters into view, and the first of them into focus. */
  private lookAt(clusters: readonly number[]): void {
    const own = [...this.laid.values()].filter(({ box }) => box.clusters.some((cluster) => clusters.includes(cluster)));
    if (own.length === 0) return;
    const [left, top] = [Math.min(...own.map(({ x, width }) => x - width / 2)), Math.min(...own.map(({ y, height }) => y - height / 2))];
    const [right, bottom] = [Math.max(...own.map(({ x, width }) => x + width / 2)), Math.max(...own.map(({ y, height }) => y + height / 2))];
    // As large as can be read: what does not fit is reached by moving.
    const width = Math.min(1_400, Math.max(950, right - left + 60));
    const height = (width * this.drawing.clientHeight) / Math.max(1, this.drawing.clientWidth);
    this.view = { x: (left + right) / 2 - width / 2, y: bottom - top < height ? (top + bottom) / 2 - height / 2 : top - 20, width, height };
    this.applyView();
    this.chosen = own[0]!.box.id;
    this.elements.get(this.chosen)?.focus({ preventScroll: true });
    this.describe();
  }

  /** What the chosen box is. */
  private describe(): void {
    const part = this.stages.parts[this.part];
    const found = this.chosen === null ? null : /^(?:c(\d+)(?:n(\d+))?|l(\d+)|g\d+)$/.exec(this.chosen);
    const { sites, places } = this.tab;
    if (!part || !found) return this.side.replaceChildren(note("Choose a box to see what it computes."));
    const node = found[2] ?? found[3];
    if (node !== undefined) {
      const it = part.nodes[Number(node)];
      const cut = part.cuts.find((each) => each.node === Number(node));
      if (!it) return;
      return this.side.replaceChildren(h("h3", {}, `%${node} ${it.op}`), note(h("code", {}, `${it.dtype}[${it.shape.join(",")}]`), it.detail === "" ? "" : ` ${it.detail}`), note("From ", placeLink(originOf(it.site, sites), places)), cut ? note(`Stored: ${cut.reason}`) : "", found[1] === undefined ? "" : button("Close this cluster", () => (this.open.delete(`c${found[1]}`), this.draw(true))));
    }
    if (found[1] === undefined) return this.side.replaceChildren(note("Several clusters share this box. Press Enter on it to open it."));
    const cluster = Number(found[1]);
    const { walks = "", computes = [], stores = [] } = part.clusters[cluster] ?? {};
    const kernels = [...new Set(this.stages.dispatches.filter((it) => it.part === this.part && it.cluster === cluster).map(({ kernel }) => kernel))];
    const cuts = part.cuts.filter((each) => stores.includes(each.node));
    this.side.replaceChildren(
      h("h3", {}, `Cluster ${cluster}: ${titleOf(part, cluster)}`),
      note(`Walks ${walks}. Computes ${countText(computes.length, "node")}, stores ${stores.map((id) => `%${id}`).join(", ") || "nothing"}.`),
      ...cuts.map(({ node: id, reason }) => note(`Cut after %${id}: ${reason}`)),
      h("p", { class: "inspector-note" }, button("Open this cluster", () => (this.open.add(`c${cluster}`), this.draw(true), this.lookAt([cluster]))), ...kernels.map((kernel) => button(`Show kernel ${this.stages.kernels[kernel]?.name ?? kernel}`, () => this.tab.pick(kernel)))),
    );
  }

  private fit(): void {
    const { width, height } = this.whole;
    // Small graphs are not blown up.
    const [least, room] = [640, 24];
    const wide = Math.max(least, width + room);
    this.view = { x: (width - wide) / 2, y: -room / 2, width: wide, height: Math.max(260, Math.min(height + room, wide)) };
  }

  private applyView(): void {
    const { x, y, width, height } = this.view;
    this.drawing.setAttribute("viewBox", `${x.toFixed(1)} ${y.toFixed(1)} ${width.toFixed(1)} ${height.toFixed(1)}`);
  }

  private zoom(factor: number, at?: { x: number; y: number }): void {
    const { x, y, width, height } = this.view;
    const wide = Math.min(Math.max(width * factor, 120), Math.max(4 * this.whole.width, 2_000));
    const scale = wide / width;
    const about = at ?? { x: x + width / 2, y: y + height / 2 };
    this.view = { x: about.x - (about.x - x) * scale, y: about.y - (about.y - y) * scale, width: wide, height: height * scale };
    this.applyView();
  }

  private at(event: { clientX: number; clientY: number }): { x: number; y: number } {
    const bounds = this.drawing.getBoundingClientRect();
    return { x: this.view.x + ((event.clientX - bounds.left) / bounds.width) * this.view.width, y: this.view.y + ((event.clientY - bounds.top) / bounds.height) * this.view.height };
  }

  private key(event: KeyboardEvent): void {
    const step = this.view.width / 12;
    const moves: Record<string, [number, number]> = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    const move = moves[event.key];
    if (move) this.view = { ...this.view, x: this.view.x + move[0], y: this.view.y + move[1] };
    else if (event.key === "+" || event.key === "=") return this.zoom(1 / 1.3);
    else if (event.key === "-") return this.zoom(1.3);
    else return;
    event.preventDefault();
    this.applyView();
  }

  private listenToDrag(): void {
    let last: { x: number; y: number } | null = null;
    this.drawing.addEventListener("pointerdown", (event) => {
      if ((event.target as Element).closest(".box")) return;
      last = { x: event.clientX, y: event.clientY };
      this.drawing.setPointerCapture(event.pointerId);
    });
    this.drawing.addEventListener("pointermove", (event) => {
      if (!last) return;
      const scale = this.view.width / this.drawing.getBoundingClientRect().width;
      this.view = { ...this.view, x: this.view.x - (event.clientX - last.x) * scale, y: this.view.y - (event.clientY - last.y) * scale };
      last = { x: event.clientX, y: event.clientY };
      this.applyView();
    });
    for (const type of ["pointerup", "pointercancel"]) this.drawing.addEventListener(type, () => (last = null));
    listenToPinch(this.drawing, () => (last = null), (pinch) => {
      const scale = this.view.width / this.drawing.getBoundingClientRect().width;
      this.view = { ...this.view, x: this.view.x - pinch.right * scale, y: this.view.y - pinch.down * scale };
      this.zoom(pinch.factor, this.at(pinch));
    });
  }
}
