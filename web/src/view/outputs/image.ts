// View of pictures. Each tile has a canvas of its own size, enlarged without smoothing, with its
// caption; a heatmap has its scale. The view acknowledges a frame when it is on screen, and only
// then does the worker send the next one. Once drawn, the pixels are on the canvases alone: code
// that shows or saves the picture later takes them from there.

import { decodePicture } from "../../host/kept";
import type { Content } from "../../protocol/messages";
import { sizeOf } from "../../state/outputs/kept";
import type { KeptPicture } from "../../state/outputs/kept";
import type { ContentOutput } from "../../state/outputs/outputs";
import { explained } from "../ui/about";
import { h, onceAFrame, setAttribute } from "../ui/dom";
import { tickLabel } from "../../state/outputs/curve";
import { lineBelow, readValues, withAxes } from "./axes";
import { saveButton } from "./saving";
import type { OutputActions, OutputView } from "./view";

/** How a picture is placed, wherever its pixels are. */
type Facts = Omit<KeptPicture, "kind" | "data">;
const factsOf = ({ title, tile, columns, fixed, sizes, count, omitted, scale, smooth, labels, legend }: Facts): Facts => ({ title, tile, columns, fixed, sizes, count, omitted, scale, smooth, labels, legend });

/** The tiles of what was drawn last, by its output. */
const drawnTiles = new WeakMap<ContentOutput, readonly HTMLCanvasElement[]>();

/** The pixels of a picture that a cell showed; null where they are gone. */
export function pixelsOf(output: ContentOutput): OffscreenCanvas | null {
  const { content } = output;
  if (content.kind !== "image") return null;
  const tiles = drawnTiles.get(output);
  if (content.bitmap.width === 0) return tiles?.length === content.count ? joined(content, tiles) : null;
  const { width, height } = sizeOf(content);
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")?.drawImage(content.bitmap, 0, 0);
  return canvas;
}

/** All tiles as one picture. */
function joined(facts: Facts, tiles: readonly HTMLCanvasElement[]): OffscreenCanvas {
  const { width, height } = sizeOf(facts);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  tiles.forEach((tile, i) => context?.drawImage(tile, ...placeOf(facts, i)));
  return canvas;
}

const placeOf = ({ tile, columns }: Facts, index: number): [x: number, y: number] => [(index % columns) * tile.width, Math.floor(index / columns) * tile.height];

/** The picture in a tile, which it fills but in a list of pictures of different sizes. */
function sizeIn({ tile, sizes }: Facts, index: number): { width: number; height: number } {
  const [width = tile.width, height = tile.height] = sizes?.[index] ?? [];
  return { width: Math.min(width, tile.width), height: Math.min(height, tile.height) };
}

function drawTiles(facts: Facts, tiles: readonly HTMLCanvasElement[], source: ImageBitmap | OffscreenCanvas): void {
  tiles.forEach((tile, i) => {
    const { width, height } = tile;
    const context = tile.getContext("2d");
    context?.clearRect(0, 0, width, height);
    context?.drawImage(source, ...placeOf(facts, i), width, height, 0, 0, width, height);
  });
}

/** A picture of an earlier visit: it takes no pointer, and nothing that is kept of it runs or
 * fetches anything. */
export function keptView(output: ContentOutput): OutputView {
  const element = h("div", { class: "output" });
  const { content } = output;
  if (content.kind !== "kept") throw new TypeError("a kept picture's content is one");
  const tiles = Array.from({ length: content.count }, (_, i) => canvasFor(content, i));
  element.append(figureFor(content, tiles), saveButton("picture", () => joined(content, tiles), content.title), ...explained(element, content.title || "Picture", "picture"));
  void decodePicture(content).then((bitmap) => {
    if (!bitmap) return element.replaceChildren(h("p", { class: "note" }, "This picture can no longer be read. Run the cell again to see it."));
    drawTiles(content, tiles, bitmap);
    bitmap.close();
  });
  return { element, update: () => undefined };
}

export function imageView(output: ContentOutput, actions: OutputActions): OutputView {
  const element = h("div", { class: "output" });
  const help = explained(element, output.content.kind === "image" && output.content.title !== "" ? output.content.title : "Picture", "picture");
  let drawn: { key: string; tiles: HTMLCanvasElement[] } | null = null;

  const update = () => {
    const { content } = output;
    if (content.kind !== "image") return;
    const key = JSON.stringify([factsOf(content), content.touch]);
    // Closed, a bitmap has no size: this one was drawn before, if it was.
    const before = content.bitmap.width === 0 ? pixelsOf(output) : null;
    if (drawn?.key !== key) {
      const tiles = Array.from({ length: content.count }, (_, i) => canvasFor(content, i));
      if (content.touch && tiles.length === 1) takePointer(tiles[0]!, (x, y, down) => actions.point(output.id, x, y, down));
      drawn = { key, tiles };
      element.replaceChildren(figureFor(content, tiles), ...help);
      const { legend, tile } = content;
      if (legend?.ends && tiles.length === 1) {
        const now = () => (output.content.kind === "image" ? output.content.values : undefined);
        const reading = content.values ? readValues(tiles[0]!, legend.ends, { ...tile, now }) : [];
        element.querySelector("figure")?.append(...lineBelow(tiles[0]!, content.title, reading));
      } else element.querySelector("figure")?.after(saveButton("picture", () => pixelsOf(output), content.title));
    }
    const { bitmap } = content;
    const source = bitmap.width > 0 ? bitmap : before;
    if (!source) return void element.replaceChildren(h("p", { class: "note" }, "This picture was not saved. Run the cell again to see it."));
    drawTiles(content, drawn.tiles, source);
    drawnTiles.set(output, drawn.tiles);
    bitmap.close();
    requestAnimationFrame(() => actions.shown(output.id));
  };
  update();
  return { element, update };
}

const STEP = 1 / 24;

/** The picture follows the pointer: pressed, moved, and by the arrow keys, with Space to press and
 * let go. */
function takePointer(canvas: HTMLCanvasElement, point: (x: number, y: number, down: boolean) => void): void {
  canvas.classList.add("touch");
  canvas.tabIndex = 0;
  setAttribute(canvas, "role", "application");
  setAttribute(canvas, "aria-label", `${canvas.getAttribute("aria-label") ?? ""}. Drag with the pointer, or with the arrow keys: Space presses and releases.`);
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

function canvasFor(facts: Facts, index: number): HTMLCanvasElement {
  const { scale, title, count, labels, smooth } = facts;
  const size = sizeIn(facts, index);
  const name = [title || "Image", count > 1 ? `${index + 1} of ${count}` : "", labels[index] ?? ""].filter((part) => part !== "");
  const canvas = h("canvas", { ...size, role: "img", "aria-label": name.join(", ") });
  canvas.style.width = `${Math.round(size.width * scale)}px`;
  if (scale >= 1 && !smooth) canvas.classList.add("crisp");
  return canvas;
}

/** Pictures lower than this have their scale below them. */
const LEGEND = 90;
/** Pixels that a character of a caption takes, about; see `.tile figcaption`. */
const CHARACTER = 7;
const GAP = 8;

function figureFor(content: Facts, canvases: HTMLCanvasElement[]): HTMLElement {
  const { labels, columns, fixed, title, legend, count, omitted, tile, scale } = content;
  const longest = Math.max(0, ...labels.map(({ length }) => length));
  const width = Math.max(Math.round(tile.width * scale), Math.min(longest * CHARACTER, 160));
  const tiles = canvases.map((canvas, i) => {
    if (longest === 0) return canvas;
    const figure = h("figure", { class: "tile" }, canvas, h("figcaption", { dir: "auto" }, labels[i] ?? ""));
    if (!fixed) figure.style.width = `${width}px`;
    return figure;
  });
  const grid = h("div", { class: count === 1 ? "tiles single" : fixed ? "tiles fixed" : "tiles" }, ...tiles);
  // Where the page is too narrow, columns that the cell asked for shrink, and others are fewer.
  if (count > 1 && fixed) grid.style.gridTemplateColumns = `repeat(${Math.min(columns, count)}, minmax(0, ${width}px))`;
  else if (count > 1) grid.style.maxWidth = `${columns * (width + GAP)}px`;
  const beside = tile.height * scale * Math.ceil(count / columns) >= LEGEND;
  const framed = legend?.ends && count === 1 ? withAxes(grid, legend.ends, { width: tile.width * scale, height: tile.height * scale }) : grid;
  const body = legend ? h("div", { class: beside ? "with-legend" : "with-legend below" }, framed, legendFor(legend, beside)) : grid;
  const shown = `${count.toLocaleString("en")} of ${(count + omitted).toLocaleString("en")} shown. Slice the tensor to see others.`;
  return h("figure", { class: "image" }, title !== "" && h("figcaption", { class: "caption", dir: "auto" }, title), body, omitted > 0 && h("p", { class: "note" }, shown));
}

function legendFor({ low, high, stops }: NonNullable<Content<"image">["legend"]>, upright: boolean): HTMLElement {
  const bar = h("div", { class: "legend-bar" });
  bar.style.background = `linear-gradient(${upright ? "to top" : "to right"}, ${stops.filter((stop) => /^#[0-9a-f]{6}$/i.test(stop)).join(", ")})`;
  const label = (value: number) => h("span", {}, tickLabel(value));
  const ends = upright ? [label(high), bar, label(low)] : [label(low), bar, label(high)];
  return h("div", { class: "legend", role: "img", "aria-label": `Scale from ${tickLabel(low)} to ${tickLabel(high)}` }, ...ends);
}
