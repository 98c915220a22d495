// A line chart as SVG text, for files. The page's own chart (`view/outputs/chart.ts`) has the same
// axes; this one has its colours in it, and text in the colour of the text around it.

import type { ChartPanel, ChartPoint, Content } from "../../protocol/messages";
import { acrossOf, curveOf, logLabel, logTicks, thin, tickLabel, ticks, upOf } from "../outputs/curve";
import { escapeHtml } from "./escape";

/** Legible on white and on black. */
const COLOURS = ["#5567b8", "#c0603f", "#b08a2e", "#4c9272", "#8f62a8", "#7c8794"];
const HEIGHT = 210;
const MARGIN = { left: 58, right: 12, top: 26, bottom: 26 };

/** Panels below each other. */
export function chartSvg({ title, x, panels }: Content<"chart">, points: readonly ChartPoint[], width = 640): string {
  let colour = 0;
  const drawn = panels.map((panel, at) => {
    const body = panelSvg(panel, x, points, width, colour);
    colour += panel.series.length;
    return `<g transform="translate(0 ${at * HEIGHT})">${body}</g>`;
  });
  const height = panels.length * HEIGHT;
  const latest = panels.flatMap(({ series, log }) => series.map((name) => {
    const last = curveOf(points, name, log).at(-1);
    return last ? `${name} ${tickLabel(Number(last.y.toPrecision(4)))}` : name;
  }));
  const words = `${title || "Line chart"}: ${latest.join(", ")}; ${points.length} points`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeHtml(words)}" font-family="system-ui, sans-serif" font-size="11" fill="currentColor">${drawn.join("")}</svg>`;
}

function panelSvg({ title, y: name, series, log, range }: ChartPanel, xName: string, points: readonly ChartPoint[], width: number, firstColour: number): string {
  const curves = series.map((each) => curveOf(points, each, log));
  const across = acrossOf(points);
  const up = upOf({ log, range }, curves);
  const f = log ? Math.log10 : (value: number) => value;
  const [bottom, right] = [HEIGHT - MARGIN.bottom, width - MARGIN.right];
  const toX = (value: number) => MARGIN.left + ((value - across.low) / (across.high - across.low)) * (right - MARGIN.left);
  const toY = (value: number) => Math.max(MARGIN.top, Math.min(bottom, bottom - ((f(value) - f(up.low)) / (f(up.high) - f(up.low))) * (bottom - MARGIN.top)));
  const at = (value: number) => value.toFixed(1);
  const text = (x: number, y: number, anchor: string, content: string) => `<text x="${at(x)}" y="${at(y)}" text-anchor="${anchor}" opacity="0.75">${escapeHtml(content)}</text>`;
  const rows = (log ? logTicks(up, 8) : ticks(up, 5)).map((value) => `<path d="M${MARGIN.left} ${at(toY(value))}H${right}" stroke="currentColor" opacity="0.15"/>${text(MARGIN.left - 7, toY(value) + 4, "end", log ? logLabel(value) : tickLabel(value))}`);
  const columns = ticks(across, 8).map((value) => text(toX(value), HEIGHT - 8, "middle", tickLabel(value)));
  const lines = curves.map((curve, i) => {
    const stroke = COLOURS[(firstColour + i) % COLOURS.length]!;
    const path = thin(curve, (right - MARGIN.left) * 1.5).map(({ x, y }, n) => `${n === 0 ? "M" : "L"}${at(toX(x))} ${at(toY(y))}`).join("");
    return curve.length === 1 ? `<circle cx="${at(toX(curve[0]!.x))}" cy="${at(toY(curve[0]!.y))}" r="3" fill="${stroke}"/>` : `<path d="${path}" fill="none" stroke="${stroke}" stroke-width="1.7" stroke-linejoin="round"/>`;
  });
  let legendAt = MARGIN.left;
  const legend = series.map((each, i) => {
    const label = each.length > 30 ? `${each.slice(0, 29)}…` : each;
    const mark = `<rect x="${legendAt}" y="10" width="10" height="3" fill="${COLOURS[(firstColour + i) % COLOURS.length]!}"/>${text(legendAt + 14, 15, "start", label)}`;
    legendAt += 30 + label.length * 6.5;
    return mark;
  });
  const names = [title, name].filter((each, i, all) => each !== "" && !series.includes(each) && all.indexOf(each) === i).join(" · ");
  return [...rows, ...columns, `<path d="M${MARGIN.left} ${bottom}H${right}" stroke="currentColor" opacity="0.6"/>`, ...lines, ...legend, names === "" ? "" : text(right, 15, "end", names), xName === "" ? "" : text(right, HEIGHT - 8, "end", xName)].join("");
}
