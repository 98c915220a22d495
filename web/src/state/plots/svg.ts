// A plot as the text of an SVG file, which needs neither the page nor its styles.

import type { Plot } from "../../protocol/plots";
import type { Theme } from "./colours";
import { drawPlot } from "./draw";
import { serialize, shape } from "./shape";
import { plotText } from "./text";

export interface SvgOptions {
  /** Pixels across; 720 by default. */
  readonly width?: number;
  /** `light` by default, as paper is. */
  readonly theme?: Theme;
  /** Pixels around the drawing, beyond its width; 0 by default. */
  readonly margin?: number;
}

export function plotSvg(plot: Plot, { width = 720, theme = "light", margin = 0 }: SvgOptions = {}): string {
  const drawing = drawPlot(plot, { width, theme });
  const [across, down] = [drawing.width + 2 * margin, drawing.height + 2 * margin];
  const { attributes, children } = drawing.shape;
  const ground = shape("rect", { x: -margin, y: -margin, width: across, height: down, fill: drawing.inks.paper });
  return serialize(shape("svg", { ...attributes, width: across, height: down, viewBox: `${-margin} ${-margin} ${across} ${down}`, role: "img", "aria-label": plotText(plot) }, ground, ...children));
}
