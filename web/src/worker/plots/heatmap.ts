// `heatmap`: the numbers of a matrix as colours. Alone it is a picture that never leaves the
// device; with points over it, a plot.

import { checkOptions } from "../displays/arguments";
import { checkEnds, checkImageOptions, requirePictures, showPicture } from "../displays/images";
import type { HeatmapOptions, LiveImage } from "../displays/images";
import type { Tensor } from "../library/library";
import { rangeFor } from "../library/render";
import { spanOf } from "./bins";
import { gridOf } from "./contour";
import { clip, frameOf, onePanel, show } from "./options";
import type { Drawn } from "./options";
import { POINT_OPTIONS, pointMarks } from "./points";

/**
 * Shows the numbers of [H, W] as colours, with a scale and axes; point at it to read values.
 * `points` are drawn over it, in its axes. Returns a handle whose `update(tensor)` shows the next
 * one.
 *
 * @example
 * heatmap(random.normal([12, 16]).abs(), { title: "noise" });
 */
export function heatmap(tensor: Tensor, options: HeatmapOptions = {}): LiveImage | Drawn {
  const { points, color, size } = options;
  return points === undefined && color === undefined && size === undefined ? showPicture("heatmap", tensor, options) : withPoints(tensor, options);
}

function withPoints(tensor: Tensor, options: HeatmapOptions): Drawn {
  checkOptions("heatmap", options, ["title", "scale", "range", "colormap", "x", "y", "names", ...POINT_OPTIONS]);
  checkImageOptions("heatmap", options);
  checkEnds("heatmap", options);
  requirePictures(tensor, "heatmap");
  const marks = pointMarks("heatmap", options);
  if (tensor.ndim !== 2) throw new TypeError(`heatmap: points are drawn over a matrix [H,W], not over [${tensor.shape.join(",")}]`);
  const [height = 1, width = 1] = tensor.shape;
  const { dtype } = tensor;
  const grid = gridOf("heatmap", tensor);
  const { title, scale, range, colormap = "viridis", names } = options;
  const [x, y] = [options.x ?? [0, width], options.y ?? [height, 0]].map(([from, to]) => [from, to] as [number, number]) as [[number, number], [number, number]];
  return show((next: Tensor, changed: HeatmapOptions = {}) => withPoints(next, { ...options, ...changed }), async () => {
    const { columns, rows, values } = await grid;
    const [low, high] = range ?? rangeFor(spanOf(values), dtype, colormap);
    // The first row is on top.
    const turned = Float64Array.from(values, (_, i) => values[(rows - 1 - Math.floor(i / columns)) * columns + (i % columns)]!);
    const field = { type: "field" as const, name: "", colour: 0, columns, rows, x, y, values: turned, levels: null, filled: true };
    const frame = frameOf({ title: clip(title), x: clip(names?.[0]), y: clip(names?.[1]) }, { x: "numbers", y: "numbers" }, onePanel([field, ...(await marks)]), { scale: { label: "", low, high, colormap } });
    frame.x.ends = x;
    frame.y.ends = y;
    // Cells are square where a unit is as long on both axes.
    frame.equal = Math.abs(Math.abs(((x[1] - x[0]) / width / (y[1] - y[0])) * height) - 1) < 1e-6;
    frame.height = scale === undefined ? null : Math.max(100, Math.min(1_000, Math.round(height * scale) + 60));
    return frame;
  });
}
