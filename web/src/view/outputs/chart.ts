// View of live curves, in SVG, whose lines take their colours from the page's theme. Panels are
// side by side, redrawn at most once a frame with no more points than pixels. It uses no chart
// library: it draws little, must follow the theme without redrawing, and must work under a policy
// that forbids inline styles.

import type { ChartPanel, ChartPoint } from "../../protocol/messages";
import { acrossOf, curveOf, logLabel, logTicks, thin, tickLabel, ticks, upOf } from "../../state/outputs/curve";
import type { CurvePoint, Extent } from "../../state/outputs/curve";
import type { ContentOutput } from "../../state/outputs/outputs";
import { explained } from "../ui/about";
import { h, onceAFrame, setAttribute, svg } from "../ui/dom";
import { soon } from "../ui/slices";
import type { OutputView } from "./view";

const HEIGHT = 210;
/** Characters of an axis' name that have room beside it. */
const LONGEST = 28;
/** So few points are shown as points: a line between them says less than they do. */
const FEW = 24;
/** On the left there is room for figures, and for the axis' name where it has one. */
const MARGIN = { left: 46, named: 62, right: 12, top: 8, bottom: 24 };

export function chartView(output: ContentOutput): OutputView {
  const { content } = output;
  if (content.kind !== "chart") throw new TypeError("a chart's content is a chart");
  let colour = 0;
  const panels = content.panels.map((panel) => {
    const view = new PanelView(panel, content.x, colour, () => output.points);
    colour += panel.series.length;
    return view;
  });
  const row = h("div", { class: "panels" }, ...panels.map(({ element }) => element));
  const title = content.title !== "" && h("figcaption", { class: "caption", dir: "auto" }, content.title);
  const element = h("figure", { class: "output chart" }, title, row);
  element.append(...explained(element, content.title || "Chart", "chart"));
  // Drawn in turn with the page's other work, at most once a frame, and only in view: a cell may
  // keep many charts busy.
  let seen = false;
  let asked = false;
  const update = () => {
    if (!seen || asked) return;
    asked = true;
    requestAnimationFrame(() => panels.forEach((panel, i) => soon(() => {
      if (i === 0) asked = false;
      panel.draw();
    })));
  };
  new IntersectionObserver(([entry]) => {
    seen = entry!.isIntersecting;
    update();
  }, { rootMargin: "200px" }).observe(element);
  for (const panel of panels) panel.onResize(update);
  return { element, update };
}

/** Where curves are drawn. Points on its edges are whole; but what goes on beyond a range that was
 * asked for ends there. */
function field(left: number, width: number, ranged: boolean, drawn: readonly SVGElement[]): SVGElement {
  const room = 6;
  const above = ranged ? 1 : room;
  const [x, y] = [left - room, MARGIN.top - above];
  const [across, down] = [width - MARGIN.right + room - x, HEIGHT - MARGIN.bottom + above - y];
  return svg("svg", { x, y, width: across, height: down, viewBox: `${x} ${y} ${across} ${down}`, class: "field" }, ...drawn);
}

interface Scale {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

class PanelView {
  readonly element: HTMLElement;
  private readonly canvas = svg("svg", { class: "plot", role: "img", "aria-label": "Line chart, drawn when it comes into view", height: HEIGHT });
  private readonly values: HTMLElement[];
  private hover: number | null = null;
  private width = 0;

  constructor(
    private readonly panel: ChartPanel,
    private readonly x: string,
    private readonly firstColour: number,
    private readonly points: () => readonly ChartPoint[],
  ) {
    this.values = panel.series.map(() => h("span", { class: "series-value" }));
    const legend = panel.series.map((name, i) =>
      h("span", { class: `series ${this.colourOf(i)}` }, h("i", { class: "swatch" }), h("bdi", {}, name), this.values[i]),
    );
    this.element = h("div", { class: "panel" }, panel.title !== "" && h("div", { class: "panel-title", dir: "auto" }, panel.title), h("div", { class: "series-row" }, ...legend, panel.log && h("span", { class: "note" }, "log scale")), this.canvas);
    const redraw = onceAFrame(() => this.draw());
    this.canvas.addEventListener("pointermove", (event) => {
      this.hover = event.clientX - this.canvas.getBoundingClientRect().left;
      redraw();
    });
    this.canvas.addEventListener("pointerleave", () => {
      this.hover = null;
      redraw();
    });
  }

  private get left(): number {
    return this.panel.y === "" ? MARGIN.left : MARGIN.named;
  }

  private colourOf(index: number): string {
    return `colour-${(this.firstColour + index) % 6}`;
  }

  /** Its width is given rather than measured: asking would lay the page out anew for each panel. */
  onResize(changed: () => void): void {
    new ResizeObserver(([entry]) => {
      this.width = entry!.contentRect.width;
      changed();
    }).observe(this.canvas);
  }

  draw(): void {
    const { width } = this;
    if (width < 60) return;
    const points = this.points();
    const { log } = this.panel;
    const curves = this.panel.series.map((name) => curveOf(points, name, log));
    const across = acrossOf(points);
    const up = upOf(this.panel, curves);
    const scale = this.scale(width, across, up);
    this.canvas.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    const drawn = [
      ...curves.map((curve, i) => {
        const path = thin(curve, width * 1.5).map(({ x, y }, at) => `${at === 0 ? "M" : "L"}${scale.x(x).toFixed(1)} ${scale.y(y).toFixed(1)}`);
        const single = curve.length === 1 ? `h0.01` : "";
        return svg("path", { class: `curve ${this.colourOf(i)} under-${Math.min(3, curves.length - 1 - i)}`, d: path.join("") + single });
      }),
      ...curves.flatMap((curve, i) =>
        curve.length > FEW ? [] : curve.map(({ x, y }) => svg("circle", { class: `dot ${this.colourOf(i)}`, cx: scale.x(x), cy: scale.y(y), r: 3 + 1.5 * Math.min(3, curves.length - 1 - i) })),
      ),
      ...this.hovered(curves, points, scale),
    ];
    this.canvas.replaceChildren(...this.axes(width, across, up, scale), field(this.left, width, this.panel.range !== null, drawn));
  }

  private scale(width: number, across: Extent, up: Extent): Scale {
    const map = (value: number, { low, high }: Extent, from: number, to: number) => from + ((value - low) / (high - low)) * (to - from);
    const f = this.panel.log ? Math.log10 : (value: number) => value;
    const vertical = { low: f(up.low), high: f(up.high) };
    const clamp = (value: number) => Math.max(-1e4, Math.min(1e4, value));
    return {
      x: (value) => map(value, across, this.left, width - MARGIN.right),
      y: (value) => clamp(map(f(value), vertical, HEIGHT - MARGIN.bottom, MARGIN.top)),
    };
  }

  private axes(width: number, across: Extent, up: Extent, scale: Scale): SVGElement[] {
    const right = width - MARGIN.right;
    const bottom = HEIGHT - MARGIN.bottom;
    const { log } = this.panel;
    const rows = (log ? logTicks(up, 8) : ticks(up, 5)).flatMap((value) => {
      const y = scale.y(value);
      return [
        svg("line", { class: "grid", x1: this.left, x2: right, y1: y, y2: y }),
        svg("text", { class: "tick", x: this.left - 7, y: y + 3.5, "text-anchor": "end" }, log ? logLabel(value) : tickLabel(value)),
      ];
    });
    const columns = ticks(across, Math.max(2, Math.floor(width / 64)))
      .filter((value) => scale.x(value) < right - (this.x === "" ? 0 : 8 * this.x.length))
      .map((value) => svg("text", { class: "tick", x: scale.x(value), y: HEIGHT - 7, "text-anchor": "middle" }, tickLabel(value)));
    const name = svg("text", { class: "tick axis-name", x: right, y: HEIGHT - 7, "text-anchor": "end" }, this.x);
    const middle = (MARGIN.top + bottom) / 2;
    const upright = svg("text", { class: "tick axis-name", x: 9, y: middle, transform: `rotate(-90 9 ${middle})`, "text-anchor": "middle" }, this.panel.y.length > LONGEST ? `${this.panel.y.slice(0, LONGEST - 1)}…` : this.panel.y);
    return [...rows, upright, svg("line", { class: "axis", x1: this.left, x2: right, y1: bottom, y2: bottom }), ...columns, name];
  }

  /** The legend's figures: of the point under the pointer, else the latest; and the pointer's
   * line. */
  private hovered(curves: readonly (readonly CurvePoint[])[], points: readonly ChartPoint[], scale: Scale): SVGElement[] {
    const at = this.hover;
    const marks: SVGElement[] = [];
    let under = "";
    curves.forEach((curve, i) => {
      let chosen = curve.at(-1);
      if (at !== null && curve.length > 0) {
        chosen = curve.reduce((best, point) => (Math.abs(scale.x(point.x) - at) < Math.abs(scale.x(best.x) - at) ? point : best));
        marks.push(svg("circle", { class: `dot ${this.colourOf(i)}`, cx: scale.x(chosen.x), cy: scale.y(chosen.y), r: 3.5 }));
        under = tickLabel(chosen.x);
        if (i === 0) marks.unshift(svg("line", { class: "crosshair", x1: scale.x(chosen.x), x2: scale.x(chosen.x), y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom }));
      }
      this.values[i]!.textContent = chosen ? tickLabel(Number(chosen.y.toPrecision(4))) : "";
    });
    const latest = this.panel.series.map((name, i) => `${name} ${this.values[i]!.textContent}`).join(", ");
    setAttribute(this.canvas, "aria-label", `Line chart: ${latest}; ${points.length} points${under && ` at ${this.x || "point"} ${under}`}`);
    return marks;
  }
}
