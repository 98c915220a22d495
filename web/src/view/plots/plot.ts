// View of a plot. It draws for the width and the theme that the page has, and again when either
// changes. The pointer and the arrow keys read out values; the plot can be zoomed, and saved as SVG
// and PNG.

import "../../styles/plots.css";
import type { Plot } from "../../protocol/plots";
import { drawPlot } from "../../state/plots/draw";
import type { Drawing } from "../../state/plots/draw";
import { besides, hitAt, move, nearest } from "../../state/plots/find";
import type { Datum, Row } from "../../state/plots/find";
import type { Shape } from "../../state/plots/shape";
import { plotSvg } from "../../state/plots/svg";
import { plotText } from "../../state/plots/text";
import { downloadText, saveBytes } from "../page/files";
import { isWhole, zoomed } from "../../state/plots/zoom";
import { about } from "../ui/about";
import { h, onceAFrame, setAttribute, svg } from "../ui/dom";
import { zoomOf } from "./zoom";

/** Pixels that the tools take at least, and those between the panels and the edge of their
 * drawing. */
const [TOOLS, AIR] = [220, 14];

const themeNow = () => (document.documentElement.dataset["theme"] === "dark" ? "dark" : "light");

/** Plots that are drawn, each to be drawn again when the theme changes. */
const drawn = new Map<Element, () => void>();
new MutationObserver(() => {
  for (const [element, draw] of drawn) {
    if (element.isConnected) draw();
    else drawn.delete(element);
  }
}).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });

const elementOf = ({ tag, attributes, children }: Shape): SVGElement => svg(tag, attributes, ...children.map((child) => (typeof child === "string" ? child : elementOf(child))));

/** Fills `element` with a plot; returns what draws it again, once it has changed. */
export function showPlot(element: HTMLElement, plotNow: () => Plot | null): () => void {
  let drawing: Drawing | null = null;
  let at: Datum | null = null;
  let width = 0;
  let pointer: { x: number; y: number } | null = null;
  const picture = h("div", { class: "plot-picture", tabindex: 0, role: "application", "aria-roledescription": "plot" });
  const overlay = svg("svg", { class: "plot-overlay", "aria-hidden": "true" });
  const reading = h("div", { class: "plot-reading", hidden: true, "aria-hidden": "true" });
  const spoken = h("div", { class: "visually-hidden", role: "status" });
  const help = about("Plot", "Move over the plot, or use the arrow keys, to read values. Drag a box to zoom, Shift and drag to move, Ctrl or ⌘ and the wheel, or two fingers, to zoom; double-click shows all. Keys: + and −, 0 for all, Shift and arrows.");
  const tool = (label: string, by: "in" | "out" | "all", text: string) => h("button", { type: "button", class: "plot-save", "aria-label": label, title: label, onclick: () => zoom.step(by) }, text);
  const all = tool("Show all of this plot", "all", "All");
  const tools = h("div", { class: "plot-tools" }, all, tool("Zoom in", "in", "+"), tool("Zoom out", "out", "−"), h("button", { type: "button", class: "plot-save", "aria-label": "Download this plot as SVG", onclick: () => saveSvg(plotNow()) }, "SVG"), h("button", { type: "button", class: "plot-save", "aria-label": "Download this plot as PNG", onclick: () => void savePng(plotNow(), width) }, "PNG"), help.button);
  element.replaceChildren(h("div", { class: "plot-frame" }, picture, reading), spoken, tools, help.text);
  const zoom = zoomOf(picture, overlay, () => drawing, () => {
    // What was read out is elsewhere now: a pointer reads what it is over.
    if (pointer) at = null;
    draw();
    all.hidden = isWhole(zoom.view);
    if (pointer) follow();
  });
  all.hidden = true;

  const draw = () => {
    const plot = plotNow();
    if (!plot || width < 40) return;
    drawing = drawPlot(zoomed(plot, zoom.view), { width, theme: themeNow() });
    const image = elementOf(drawing.shape);
    setAttribute(image, "aria-hidden", "true");
    for (const [name, value] of [["viewBox", `0 0 ${drawing.width} ${drawing.height}`], ["width", drawing.width], ["height", drawing.height]] as const) setAttribute(overlay, name, String(value));
    picture.replaceChildren(image, overlay);
    // The tools end where the panels do, which may be narrower than the page.
    tools.style.maxWidth = `${Math.max(TOOLS, Math.ceil(Math.max(...drawing.frames.map(({ left, width }) => left + width))) + AIR)}px`;
    setAttribute(picture, "aria-label", `${plotText(plot)}. Arrow keys read values, Escape ends, plus and minus zoom.`);
    show(at);
  };
  const show = (datum: Datum | null, aloud = false) => {
    const hit = drawing && datum ? hitAt(drawing, datum) : null;
    at = hit ? datum : null;
    reading.hidden = hit === null;
    overlay.replaceChildren();
    if (!drawing || !hit || !datum) return;
    const { inks } = drawing;
    const frame = drawing.frames[datum.frame]!;
    const mark = frame.marks[datum.mark]!;
    const colour = inks.series[mark.colour % inks.series.length]!;
    const { box } = hit;
    if (mark.type === "line") overlay.append(svg("line", { x1: hit.x, x2: hit.x, y1: frame.top, y2: frame.top + frame.height, stroke: inks.strong }));
    if (box && mark.type !== "box") overlay.append(svg("rect", { x: box.left - 0.5, y: box.top - 0.5, width: Math.max(2, box.width + 1), height: Math.max(2, box.height + 1), fill: "none", stroke: inks.ink, "stroke-width": 1.5 }));
    if (!box) overlay.append(svg("circle", { cx: hit.x, cy: hit.y, r: 4.5, fill: colour, stroke: inks.paper, "stroke-width": 1.5 }));
    const rows = [...hit.rows, ...besides(drawing, datum)];
    reading.replaceChildren(...rows.map(rowView));
    place(reading, hit.x, hit.y, drawing);
    const words = rows.map(({ name, text }) => `${name} ${text}`.trim()).join(", ");
    if (aloud) spoken.textContent = words;
  };

  const follow = onceAFrame(() => {
    if (pointer && drawing && !zoom.dragging) show(nearest(drawing, pointer.x, pointer.y));
  });
  const point = (event: PointerEvent) => {
    const { left, top } = picture.getBoundingClientRect();
    pointer = { x: event.clientX - left, y: event.clientY - top };
    if (zoom.dragging) {
      at = null;
      reading.hidden = true;
    } else follow();
  };
  picture.addEventListener("pointermove", point);
  picture.addEventListener("pointerdown", point);
  for (const gone of ["pointerleave", "pointercancel"] as const)
    picture.addEventListener(gone, () => {
      pointer = null;
      show(null);
    });
  picture.addEventListener("blur", () => show(null));
  picture.addEventListener("keydown", (event) => {
    if (!drawing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && at) show(null);
    else if (!zoom.key(event)) {
      const next = move(drawing, at, event.key);
      if (!next) return;
      show(next, true);
    }
    event.preventDefault();
    event.stopPropagation();
  });

  const redraw = onceAFrame(draw);
  new ResizeObserver(([entry]) => {
    const now = Math.floor(entry!.contentRect.width);
    if (now === width) return;
    const first = width === 0;
    width = now;
    if (first) draw();
    else redraw();
  }).observe(picture);
  drawn.set(element, draw);
  return redraw;
}

function rowView({ name, text, colour }: Row): HTMLElement {
  const swatch = svg("svg", { width: 10, height: 10, viewBox: "0 0 10 10" }, colour !== null && svg("circle", { cx: 5, cy: 5, r: 4, fill: colour }));
  return h("div", { class: "plot-row" }, colour !== null && swatch, h("bdi", { class: "plot-row-name" }, name), text !== "" && h("span", { class: "plot-row-value" }, text));
}

/** Beside the value, on the side that has room. */
function place(reading: HTMLElement, x: number, y: number, { width, height }: Drawing): void {
  const [w, hgt] = [reading.offsetWidth, reading.offsetHeight];
  const left = x + 14 + w <= width ? x + 14 : x - 14 - w >= 0 ? x - 14 - w : Math.max(0, width - w);
  const top = Math.max(0, Math.min(height - hgt, y - hgt / 2));
  reading.style.left = `${left}px`;
  reading.style.top = `${top}px`;
}

/** A name that every system takes for a file. */
const fileName = ({ title }: Plot, extension: string) => `${title.normalize("NFKD").replace(/[^\w-]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "plot"}.${extension}`;

/** Pixels of ground around a plot in a file. */
const MARGIN = 16;

function saveSvg(plot: Plot | null): void {
  if (plot) downloadText(fileName(plot, "svg"), plotSvg(plot, { theme: themeNow(), margin: MARGIN }), "image/svg+xml");
}

/** Twice as many pixels as the page shows, so that it is sharp on paper and on dense screens. */
async function savePng(plot: Plot | null, width: number): Promise<void> {
  if (!plot) return;
  const bytes = await plotPng(plot, Math.max(480, width));
  saveBytes(fileName(plot, "png"), bytes, "image/png");
}

export async function plotPng(plot: Plot, width = 720, scale = 2): Promise<Uint8Array<ArrayBuffer>> {
  const url = URL.createObjectURL(new Blob([plotSvg(plot, { theme: themeNow(), width, margin: MARGIN })], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = h("canvas", { width: image.naturalWidth * scale, height: image.naturalHeight * scale });
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!blob) throw new Error("this browser could not make a PNG of the plot");
    return new Uint8Array(await blob.arrayBuffer());
  } finally {
    URL.revokeObjectURL(url);
  }
}
