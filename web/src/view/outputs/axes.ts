// Axes of a heatmap, and the read-out of its values under the pointer and the arrow keys.

import type { Content } from "../../protocol/messages";
import { brief } from "../../state/figure";
import { tickLabel, ticks } from "../../state/outputs/curve";
import { helpWith } from "../ui/about";
import { h, setAttribute } from "../ui/dom";
import { enlarged, saveButton } from "./saving";

type Legend = NonNullable<Content<"image">["legend"]>;
export type Ends = NonNullable<Legend["ends"]>;
export interface Values {
  readonly width: number;
  readonly height: number;
  /** The values that are shown now, if they came along. */
  readonly now: () => Float64Array | undefined;
}

const minus = (text: string) => text.replace("-", "−");

/** Figures along an edge, at most as many as have room, where they stand as a share of it. */
function figures([from, to]: readonly [number, number], length: number, room: number): { at: number; text: string }[] {
  const extent = { low: Math.min(from, to), high: Math.max(from, to) };
  if (!Number.isFinite(extent.high - extent.low) || extent.low === extent.high) return [];
  return ticks(extent, Math.max(1, Math.floor(length / room))).slice(0, 60).map((value) => ({ at: (value - from) / (to - from), text: minus(tickLabel(value)) }));
}

/** A picture with axes around it; `size` is its own on the page, in pixels. */
export function withAxes(picture: HTMLElement, { x, y, names }: Ends, size: { width: number; height: number }): HTMLElement {
  const across = figures(x, size.width, 52).map(({ at, text }) => place(h("span", {}, text), "left", at));
  const up = figures(y, size.height, 32).map(({ at, text }) => place(h("span", {}, text), "bottom", at));
  const widest = Math.max(1, ...up.map((figure) => figure.textContent.length));
  const left = h("div", { class: "axis-y", "aria-hidden": "true" }, ...up);
  left.style.width = `${widest}ch`;
  const name = (text: string, kind: string) => text !== "" && h("div", { class: `axis-title ${kind}`, dir: "auto" }, text);
  return h("div", { class: "axes" }, name(names[1], "up"), left, picture, h("div", { class: "axis-x", "aria-hidden": "true" }, ...across), name(names[0], "across"));
}

function place(element: HTMLElement, edge: "left" | "bottom", share: number): HTMLElement {
  element.style[edge] = `${share * 100}%`;
  return element;
}

/** The line below a heatmap: what is read out, its download and its help. */
export function lineBelow(canvas: HTMLCanvasElement, title: string, reading: readonly HTMLElement[]): readonly HTMLElement[] {
  const help = helpWith(title || "Heatmap", "heatmap");
  const save = saveButton("heatmap", () => enlarged(canvas), title);
  return [h("div", { class: "value-line" }, ...reading, save, help.button), help.text];
}

/** Lets the reader point at values. Returns what says them. */
export function readValues(canvas: HTMLCanvasElement, { x, y, names }: Ends, { width, height, now }: Values): readonly HTMLElement[] {
  const line = h("p", { class: "value-reading" }, "\u00a0");
  const spoken = h("span", { class: "visually-hidden", role: "status" });
  let at: { column: number; row: number } | null = null;
  const show = (aloud: boolean) => {
    const values = now();
    if (!at || !values) return void (line.textContent = "\u00a0");
    const middle = ([from, to]: readonly [number, number], share: number) => from + (to - from) * share;
    // Whole rows and columns are counted; other places are those of the middles of cells.
    const counted = x[0] === 0 && x[1] === width;
    const [a, b] = [counted ? at.column : middle(x, (at.column + 0.5) / width), y[0] === height && y[1] === 0 ? at.row : middle(y, 1 - (at.row + 0.5) / height)];
    const words = `${names[0] || "x"} ${minus(brief(a))}, ${names[1] || "y"} ${minus(brief(b))}: ${minus(brief(values[at.row * width + at.column] ?? NaN))}`;
    line.textContent = words;
    if (aloud) spoken.textContent = words;
  };
  canvas.tabIndex = 0;
  setAttribute(canvas, "role", "application");
  setAttribute(canvas, "aria-label", `${canvas.getAttribute("aria-label") ?? "Heatmap"}. Arrow keys read values.`);
  const bound = (value: number, most: number) => Math.max(0, Math.min(most - 1, value));
  canvas.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect();
    at = { column: bound(Math.floor(((event.clientX - box.left) / box.width) * width), width), row: bound(Math.floor(((event.clientY - box.top) / box.height) * height), height) };
    show(false);
  });
  const forget = () => {
    at = null;
    show(false);
  };
  canvas.addEventListener("pointerleave", forget);
  canvas.addEventListener("blur", forget);
  const ARROWS: Record<string, readonly [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  canvas.addEventListener("keydown", (event) => {
    const arrow = ARROWS[event.key];
    if (!arrow || event.ctrlKey || event.metaKey || event.altKey || !now()) return;
    event.preventDefault();
    const by = event.shiftKey ? 10 : 1;
    at = at ? { column: bound(at.column + by * arrow[0], width), row: bound(at.row + by * arrow[1], height) } : { column: 0, row: 0 };
    show(true);
  });
  return [line, spoken];
}
