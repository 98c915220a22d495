// Layout of a plot: its title, its legend, and its panels with their axes, as a drawing. It knows
// no document, so the page, an export and a test draw the same.

import type { Axis, Mark, Plot } from "../../protocol/plots";
import { INKS, rampColour } from "./colours";
import type { Inks, Theme } from "./colours";
import { drawMark } from "./marks";
import { endsOf, figureText, scaleOf } from "./scales";
import type { Scale, Tick } from "./scales";
import { px, shape } from "./shape";
import type { Shape } from "./shape";

export interface DrawOptions {
  readonly width: number;
  readonly theme: Theme;
}

/** Where a panel's marks are, in pixels of the drawing. */
export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly x: Scale;
  readonly y: Scale;
  readonly title: string;
  readonly marks: readonly Mark[];
}

export interface Drawing {
  readonly plot: Plot;
  readonly shape: Shape;
  readonly width: number;
  readonly height: number;
  readonly frames: readonly Frame[];
  readonly inks: Inks;
}

export const FONT = 'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';
const SMALL = 11;
const NAMES = 12;
const TITLE = 14;
const NARROWEST = 120;
const PANEL = 230;
const GAP = 18;

/** The pixels that a text takes, about: fonts differ. */
export function textWidth(text: string, size: number): number {
  let width = 0;
  for (const character of text) width += /[\u1100-\u115f\u2e80-\uffdc]|\p{Extended_Pictographic}/u.test(character) ? 1 : /[ilj.,:;'|!()[\] ]/.test(character) ? 0.36 : /[mwMW@%]/.test(character) ? 0.86 : 0.63;
  return width * size;
}

/** As much of a text as has room. */
export function fitted(text: string, size: number, room: number): string {
  if (textWidth(text, size) <= room) return text;
  const characters = [...text];
  while (characters.length > 1 && textWidth(`${characters.join("")}…`, size) > room) characters.pop();
  return `${characters.join("").trimEnd()}…`;
}

const label = (text: string, x: number, y: number, size: number, fill: string, more: Record<string, string | number> = {}): Shape =>
  shape("text", { x: px(x), y: px(y), "font-size": size, fill, ...more }, text);

interface Item {
  readonly name: string;
  readonly mark: Mark;
}

/** A plot of this width, as high as it needs to be. */
export function drawPlot(plot: Plot, { width: asked, theme }: DrawOptions): Drawing {
  const width = Math.max(NARROWEST, Math.min(4_000, asked));
  const inks = INKS[theme];
  const parts: Shape[] = [];
  let top = 2;
  if (plot.title !== "") {
    parts.push(label(fitted(plot.title, TITLE * 1.06, width - 8), 0, top + 14, TITLE, inks.ink, { "font-weight": 600 }));
    top += 26;
  }
  const legend = drawLegend(plot, width, top, inks);
  parts.push(...legend.parts);
  top += legend.height;
  const { frames, shapes, height } = drawPanels(plot, width, top, inks);
  parts.push(...shapes);
  const size = { width: px(width), height: Math.ceil(height) };
  const root = shape("svg", { xmlns: "http://www.w3.org/2000/svg", ...size, viewBox: `0 0 ${size.width} ${size.height}`, "font-family": FONT }, ...parts);
  return { plot, shape: root, ...size, frames, inks };
}

/** Names of series with their colours, and what colours mean. */
function drawLegend(plot: Plot, width: number, top: number, inks: Inks): { parts: Shape[]; height: number } {
  const items = new Map<string, Item>();
  for (const { marks } of plot.panels) for (const mark of marks) if (mark.name !== "" && !items.has(mark.name)) items.set(mark.name, { name: mark.name, mark });
  const parts: Shape[] = [];
  let [x, y] = [0, top];
  const place = (room: number) => {
    if (x > 0 && x + room > width) [x, y] = [0, y + 20];
    const at = x;
    x += room + 18;
    return at;
  };
  for (const { name, mark } of [...items.values()].sort((a, b) => a.mark.colour - b.mark.colour).slice(0, 40)) {
    const text = fitted(name, NAMES, Math.min(260, width - 24));
    const at = place(textWidth(text, NAMES) + 20);
    const fill = inks.series[mark.colour % inks.series.length]!;
    if (mark.type === "line") parts.push(shape("line", { x1: px(at), x2: px(at + 14), y1: y + 8, y2: y + 8, stroke: fill, "stroke-width": 3, "stroke-linecap": "round" }));
    else if (mark.type === "dots" || mark.type === "density") parts.push(shape("circle", { cx: px(at + 7), cy: y + 8, r: 4, fill }));
    else parts.push(shape("rect", { x: px(at + 2), y: y + 3, width: 10, height: 10, rx: 2, fill }));
    parts.push(label(text, at + 20, y + 12, NAMES, inks.soft));
  }
  if (plot.scale) {
    const { low, high, colormap } = plot.scale;
    const [from, to] = [low, high].map((end) => figureText(Number(end.toPrecision(3)))) as [string, string];
    const name = plot.scale.label === "" ? "" : fitted(plot.scale.label, NAMES, 200);
    const [before, bar] = [textWidth(from, SMALL) + 6, Math.min(140, width / 3)];
    const room = before + bar + 6 + textWidth(to, SMALL) + (name === "" ? 0 : 12 + textWidth(name, NAMES));
    const at = place(room);
    const levels = plot.panels[0]?.marks.find((mark) => mark.type === "field" && mark.levels);
    const steps = levels?.type === "field" && levels.levels && levels.filled ? Math.min(40, levels.levels.length + 1) : 48;
    parts.push(label(from, at, y + 12, SMALL, inks.soft));
    // Each step reaches to the end, and the next lies on it: no ground shines through between them.
    for (let i = 0; i < steps; i++) parts.push(shape("rect", { x: px(at + before + (bar * i) / steps), y: y + 3, width: px(bar - (bar * i) / steps), height: 10, fill: rampColour(colormap, steps === 1 ? 0.5 : i / (steps - 1)) }));
    parts.push(label(to, at + before + bar + 6, y + 12, SMALL, inks.soft));
    if (name !== "") parts.push(label(name, at + before + bar + 18 + textWidth(to, SMALL), y + 12, NAMES, inks.soft));
  }
  return { parts, height: parts.length > 0 ? y - top + 26 : 0 };
}

interface Margins {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Whether names of categories below stand at a slant. */
  readonly slanted: boolean;
}

function drawPanels(plot: Plot, width: number, top: number, inks: Inks): { frames: Frame[]; shapes: Shape[]; height: number } {
  const count = Math.max(1, plot.panels.length);
  const most = Math.max(1, Math.min(count, Math.floor((width + GAP) / (PANEL + GAP))));
  // As many rows as that takes, filled evenly.
  const columns = Math.ceil(count / Math.ceil(count / most));
  const room = (width - GAP * (columns - 1)) / columns;
  const [xEnds, yEnds] = [endsOf(plot, "x"), endsOf(plot, "y")];
  const titled = plot.panels.some(({ title }) => title !== "");
  // Ticks need a height to be chosen for, and their widths are the margin.
  const likely = plot.height ?? Math.max(count === 1 ? 220 : 190, Math.min(340, room * 0.52));
  const margins = marginsOf(plot, room, likely, scaleOf(plot.x, xEnds, 0, Math.max(40, room - 60)), scaleOf(plot.y, yEnds, likely - 30, 0), titled);
  let inner = Math.max(30, room - margins.left - margins.right);
  const rows = plot.y.scale === "categories" ? Math.max(90, Math.min(900, plot.y.categories.length * 26)) : 0;
  let tall = plot.height === null ? rows || Math.max(60, likely - margins.top - margins.bottom) : Math.max(40, plot.height - top - margins.top - margins.bottom);
  if (plot.equal && plot.x.scale === "linear" && plot.y.scale === "linear") {
    const ratio = Math.abs((yEnds.high - yEnds.low) / (xEnds.high - xEnds.low));
    const highest = plot.height === null ? 420 : tall;
    if (Number.isFinite(ratio) && ratio > 0) {
      tall = Math.max(40, Math.min(highest, inner * ratio));
      inner = Math.max(40, Math.min(inner, tall / ratio));
    }
  }
  const shapes: Shape[] = [];
  const frames: Frame[] = [];
  const step = margins.left + inner + margins.right + GAP;
  plot.panels.forEach((panel, i) => {
    const [column, row] = [i % columns, Math.floor(i / columns)];
    const left = column * (columns === 1 ? 0 : step) + margins.left;
    const above = top + row * (margins.top + tall + margins.bottom + 10) + margins.top;
    const frame: Frame = { left, top: above, width: inner, height: tall, x: scaleOf(plot.x, xEnds, left, left + inner), y: scaleOf(plot.y, yEnds, above + tall, above), title: panel.title, marks: panel.marks };
    frames.push(frame);
    shapes.push(...drawFrame(plot, frame, margins, inks));
  });
  const lines = Math.ceil(count / columns);
  return { frames, shapes, height: top + lines * (margins.top + tall + margins.bottom) + 10 * (lines - 1) + 2 };
}

function marginsOf(plot: Plot, room: number, height: number, x: Scale, y: Scale, titled: boolean): Margins {
  const widest = Math.max(8, ...y.ticks(rowsOf(height)).slice(0, 400).map((tick) => textWidth(tick.label, SMALL)));
  const named = plot.y.label === "" ? 0 : 18;
  const left = Math.ceil(Math.min(widest, plot.y.scale === "categories" ? room * 0.4 : 90) + 12 + named);
  const right = 14;
  const categories = plot.x.scale === "categories" ? x.ticks(0) : [];
  const band = Math.max(1, room - left - right) / Math.max(1, categories.length);
  const longest = Math.max(0, ...categories.map((tick) => textWidth(tick.label, SMALL)));
  const slanted = categories.length > 1 && longest > band - 6;
  const bottom = 8 + (slanted ? Math.min(96, longest * 0.72 + 12) : 14) + (plot.x.label === "" ? 2 : 20);
  return { left, right, top: titled ? 24 : 8, bottom, slanted };
}

const rowsOf = (height: number) => Math.max(3, Math.round(height / 36));

function drawFrame(plot: Plot, frame: Frame, { left: margin, top: above, slanted }: Margins, inks: Inks): Shape[] {
  const { left, top, width, height, x, y } = frame;
  const [right, bottom] = [left + width, top + height];
  const filled = frame.marks.some(({ type }) => type === "field");
  const back: Shape[] = [];
  const axes: Shape[] = [];
  if (frame.title !== "") axes.push(label(fitted(frame.title, NAMES, width), left, top - above + 14, NAMES, inks.soft, { "font-weight": 600 }));
  for (const tick of visible(y, rowsOf(height))) {
    const at = y.at(tick.value);
    if (!filled && plot.y.scale !== "categories") back.push(shape("line", { x1: px(left), x2: px(right), y1: px(at), y2: px(at), stroke: inks.line }));
    axes.push(label(fitted(tick.label, SMALL, margin - 7), left - 7, at + 3.8, SMALL, inks.faint, { "text-anchor": "end" }));
  }
  const dots = frame.marks.some(({ type }) => type === "dots" || type === "density");
  axes.push(...xTicks(plot.x, frame, slanted, inks));
  for (const tick of plot.x.scale === "categories" ? [] : xChoice(x, width)) {
    const at = x.at(tick.value);
    if (dots && !filled) back.push(shape("line", { x1: px(at), x2: px(at), y1: px(top), y2: px(bottom), stroke: inks.line }));
  }
  axes.push(shape("line", { x1: px(left), x2: px(right), y1: px(bottom), y2: px(bottom), stroke: inks.strong }));
  if (y.axis.scale === "categories" || filled) axes.push(shape("line", { x1: px(left), x2: px(left), y1: px(top), y2: px(bottom), stroke: inks.strong }));
  if (plot.x.label !== "") axes.push(label(fitted(plot.x.label, NAMES, width + margin), left + width / 2, bottom + 20 + (slanted ? slantOf(plot.x) : 16), NAMES, inks.soft, { "text-anchor": "middle" }));
  if (plot.y.label !== "") {
    const middle = top + height / 2;
    const at = left - margin + 12;
    axes.push(label(fitted(plot.y.label, NAMES, height + 20), at, middle, NAMES, inks.soft, { "text-anchor": "middle", transform: `rotate(-90 ${px(at)} ${px(middle)})` }));
  }
  const drawn = (isOf: (mark: Mark) => boolean, over: number): Shape[] => {
    const shapes = frame.marks.filter(isOf).flatMap((mark) => drawMark(mark, frame, plot, inks));
    const [cx, cy, cw, ch] = [left - over, top - over, width + 2 * over, height + 2 * over].map(px) as [number, number, number, number];
    return shapes.length > 0 || frame.marks.length === 0 ? [shape("svg", { x: cx, y: cy, width: cw, height: ch, viewBox: `${cx} ${cy} ${cw} ${ch}`, overflow: "hidden" }, ...shapes)] : [];
  };
  // What reaches beyond ends that were asked for is cut there; dots at the edge are whole.
  const over = dots || frame.marks.some(({ type }) => type === "line") ? 5 : 0;
  const surface = filled ? drawn(({ type }) => type === "field", 0) : [];
  return [...back, ...surface, ...drawn(({ type }) => type !== "field", over), ...axes];
}

const slantOf = ({ categories }: Axis) => Math.min(96, Math.max(0, ...categories.map((name) => textWidth(name, SMALL))) * 0.72 + 14);
const visible = (scale: Scale, count: number) => scale.ticks(count).filter(({ value }) => scale.shows(value));

/** Where the middle of a figure stands: at the end of the axis it stays over the plot. */
const figurePlace = (x: Scale, tick: Tick) => Math.min(x.at(tick.value), x.at(x.high) + 12 - textWidth(tick.label, SMALL) / 2);

/** As many ticks as have room beside each other. */
function xChoice(x: Scale, width: number): Tick[] {
  const apart = (a: Tick, b: Tick) => figurePlace(x, b) - figurePlace(x, a) >= (textWidth(a.label, SMALL) + textWidth(b.label, SMALL)) / 2 + 8;
  for (let count = Math.max(2, Math.floor(width / 56)); ; count = Math.floor(count * 0.7)) {
    const ticks = visible(x, count);
    if (ticks.every((tick, i) => i === 0 || apart(ticks[i - 1]!, tick))) return ticks;
    if (count <= 2) return [ticks[0]!, ...ticks.slice(1).filter((tick) => apart(ticks[0]!, tick)).slice(-1)];
  }
}

function xTicks(axis: Axis, { top, width, height, x }: Frame, slanted: boolean, inks: Inks): Shape[] {
  const bottom = top + height;
  if (axis.scale !== "categories") {
    return xChoice(x, width).flatMap((tick) => {
      const { value, label: text } = tick;
      const at = x.at(value);
      const place = figurePlace(x, tick);
      return [shape("line", { x1: px(at), x2: px(at), y1: px(bottom), y2: px(bottom + 4), stroke: inks.strong }), label(text, place, bottom + 17, SMALL, inks.faint, { "text-anchor": "middle" })];
    });
  }
  const band = width / Math.max(1, axis.categories.length);
  const every = Math.max(1, Math.ceil((slanted ? 13 : 1) / band));
  return x.ticks(0).flatMap(({ value, label: text }, i) => {
    if (i % every > 0) return [];
    const at = x.at(value);
    if (!slanted) return [label(fitted(text, SMALL, Math.max(20, band - 4)), at, bottom + 17, SMALL, inks.faint, { "text-anchor": "middle" })];
    return [label(fitted(text, SMALL, 110), at + 4, bottom + 13, SMALL, inks.faint, { "text-anchor": "end", transform: `rotate(-40 ${px(at + 4)} ${px(bottom + 13)})` })];
  });
}
