// A plot as the text of an SVG file, which needs neither the page nor its styles.

import type { Plot } from "../../protocol/plots";
import type { Theme } from "./colours";
import { drawPlot } from "./draw";
import { serialize } from "./shape";
import { plotText } from "./text";

export interface SvgOptions {
  /** Pixels across; 720 by default. */
  readonly width?: number;
  /** `light` by default, as paper is. */
  readonly theme?: Theme;
  /** Whether it has the page's colour as its ground; it has by default. */
  readonly ground?: boolean;
}

export function plotSvg(plot: Plot, { width = 720, theme = "light", ground = true }: SvgOptions = {}): string {
  const { shape } = drawPlot(plot, { width, theme, ground });
  const named = { ...shape, attributes: { ...shape.attributes, role: "img", "aria-label": plotText(plot) } };
  return serialize(named);
}
