// How are pictures shown? Each tile on a canvas of its own size, enlarged without smoothing, with its caption; a
// heatmap with its scale. A frame is acknowledged when it is on screen, and only then does the next one come.

import type { Content } from "../../protocol/messages";
import type { ContentOutput } from "../../state/outputs";
import { h, onceAFrame, setAttribute } from "../dom";
import { tickLabel } from "../../state/curve";
import type { OutputActions, OutputView } from "./output";

export function imageView(output: ContentOutput, actions: OutputActions): OutputView {
  const element = h("div", { class: "output" });
  let drawn: { key: string; canvases: HTMLCanvasElement[] } | null = null;

  const update = () => {
    const { content } = output;
    if (content.kind !== "image") return;
    const key = JSON.stringify([content.tile, content.columns, content.count, content.scale, content.smooth, content.touch, content.title, content.legend, content.labels, content.omitted]);
    if (drawn?.key !== key) {
      const canvases = Array.from({ length: content.count }, (_, i) => canvasFor(content, i));
      if (content.touch && canvases.length === 1) takePointer(canvases[0]!, (x, y, down) => actions.point(output.id, x, y, down));
      drawn = { key, canvases };
      element.replaceChildren(figureFor(content, canvases));
    }
    const { tile, columns, bitmap } = content;
    // Closed, a bitmap has no size: this one was drawn where it is no longer to be seen.
    if (bitmap.width === 0) return void element.replaceChildren(h("p", { class: "note" }, "This picture is not kept. Run the cell again to see it."));
    drawn.canvases.forEach((canvas, i) => {
      const context = canvas.getContext("2d");
      context?.clearRect(0, 0, tile.width, tile.height);
      const [x, y] = [(i % columns) * tile.width, Math.floor(i / columns) * tile.height];
      context?.drawImage(bitmap, x, y, tile.width, tile.height, 0, 0, tile.width, tile.height);
    });
    bitmap.close();
    requestAnimationFrame(() => actions.shown(output.id));
  };
  update();
  return { element, update };
}

const STEP = 1 / 24;

/** The picture follows the pointer: pressed, moved, and by the arrow keys, with Space to press and let go. */
function takePointer(canvas: HTMLCanvasElement, point: (x: number, y: number, down: boolean) => void): void {
  canvas.classList.add("touch");
  canvas.tabIndex = 0;
  setAttribute(canvas, "role", "application");
  setAttribute(canvas, "aria-label", `${canvas.getAttribute("aria-label") ?? ""}. Drag with the pointer, or with the arrow keys: Space presses and lets go.`);
  const at = { x: 0.5, y: 0.5, down: false };
  const tell = onceAFrame(() => point(at.x, at.y, at.down));
  const place = (event: PointerEvent) => {
    const box = canvas.getBoundingClientRect();
    const within = (value: number) => Math.max(0, Math.min(1, value));
    Object.assign(at, { x: within((event.clientX - box.left) / box.width), y: within((event.clientY - box.top) / box.height) });
    tell();
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    at.down = true;
    place(event);
  });
  canvas.addEventListener("pointermove", place);
  for (const end of ["pointerup", "pointercancel", "blur"] as const)
    canvas.addEventListener(end, () => {
      at.down = false;
      tell();
    });
  const ARROWS: Record<string, readonly [number, number]> = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };
  canvas.addEventListener("keydown", (event) => {
    const arrow = ARROWS[event.key];
    if (arrow) Object.assign(at, { x: Math.max(0, Math.min(1, at.x + arrow[0])), y: Math.max(0, Math.min(1, at.y + arrow[1])) });
    else if (event.key === " ") at.down = !at.down;
    else return;
    event.preventDefault();
    tell();
  });
}

function canvasFor({ tile, scale, title, count, labels, smooth }: Content<"image">, index: number): HTMLCanvasElement {
  const name = [title || "Image", count > 1 ? `${index + 1} of ${count}` : "", labels[index] ?? ""].filter((part) => part !== "");
  const canvas = h("canvas", { width: tile.width, height: tile.height, role: "img", "aria-label": name.join(", ") });
  canvas.style.width = `${Math.round(tile.width * scale)}px`;
  if (scale >= 1 && !smooth) canvas.classList.add("crisp");
  return canvas;
}

/** Pictures lower than this have their scale below them. */
const LEGEND = 90;
/** Pixels that a character of a caption takes, about; see `.tile figcaption`. */
const CHARACTER = 7;
const GAP = 8;

function figureFor(content: Content<"image">, canvases: HTMLCanvasElement[]): HTMLElement {
  const { labels, columns, title, legend, count, omitted, tile, scale } = content;
  const longest = Math.max(0, ...labels.map(({ length }) => length));
  const width = Math.max(Math.round(tile.width * scale), Math.min(longest * CHARACTER, 160));
  const tiles = canvases.map((canvas, i) => {
    if (longest === 0) return canvas;
    const figure = h("figure", { class: "tile" }, canvas, h("figcaption", {}, labels[i] ?? ""));
    figure.style.width = `${width}px`;
    return figure;
  });
  const grid = h("div", { class: count > 1 ? "tiles" : "tiles single" }, ...tiles);
  // As many columns as the cell asked for, fewer where the page is too narrow.
  if (count > 1) grid.style.maxWidth = `${columns * (width + GAP)}px`;
  const beside = tile.height * scale * Math.ceil(count / columns) >= LEGEND;
  const body = legend ? h("div", { class: beside ? "with-legend" : "with-legend below" }, grid, legendFor(legend, beside)) : grid;
  const shown = `${count.toLocaleString("en")} of ${(count + omitted).toLocaleString("en")} shown. A slice of the tensor shows others.`;
  return h("figure", { class: "image" }, title !== "" && h("figcaption", { class: "caption" }, title), body, omitted > 0 && h("p", { class: "note" }, shown));
}

function legendFor({ low, high, stops }: NonNullable<Content<"image">["legend"]>, upright: boolean): HTMLElement {
  const bar = h("div", { class: "legend-bar" });
  bar.style.background = `linear-gradient(${upright ? "to top" : "to right"}, ${stops.filter((stop) => /^#[0-9a-f]{6}$/i.test(stop)).join(", ")})`;
  const label = (value: number) => h("span", {}, tickLabel(value));
  const ends = upright ? [label(high), bar, label(low)] : [label(low), bar, label(high)];
  return h("div", { class: "legend", role: "img", "aria-label": `Scale from ${tickLabel(low)} to ${tickLabel(high)}` }, ...ends);
}
