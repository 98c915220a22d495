// Description of a plot in words, for a terminal, a copy and a screen reader.

import type { Axis, Mark, Plot } from "../../protocol/plots";

const KINDS: Readonly<Record<Mark["type"], string>> = { line: "line chart", dots: "scatter plot", density: "scatter plot", bars: "bar chart", box: "box plot", field: "heatmap" };

function kindOf(mark: Mark | undefined): string {
  if (!mark) return "empty plot";
  return mark.type === "field" && mark.levels ? "contour plot" : KINDS[mark.type];
}

function sizeOf(mark: Mark): number {
  switch (mark.type) {
    case "line":
    case "dots":
      return mark.x.length;
    case "density":
      return mark.counts.reduce((sum, count) => sum + (count > 0 ? count : 0), 0);
    case "bars":
      return mark.values.length;
    case "box":
      return mark.count;
    case "field":
      return mark.columns * mark.rows;
  }
}

const named = ({ label }: Axis, axis: string) => label || axis;

/** "loss: line chart of train, test: 200 points, y over x" */
export function plotText(plot: Plot): string {
  const marks = plot.panels.flatMap((panel) => panel.marks);
  const names = [...new Set(marks.map(({ name }) => name).filter((name) => name !== ""))];
  const count = marks.reduce((sum, mark) => sum + sizeOf(mark), 0);
  const what = `${kindOf(marks[0])}${names.length > 0 ? ` of ${names.slice(0, 12).join(", ")}` : ""}`;
  const panels = plot.panels.length > 1 ? ` in ${plot.panels.length} panels` : "";
  return `${plot.title && `${plot.title}: `}${what}${panels}: ${count.toLocaleString("en")} ${marks[0]?.type === "bars" ? "bars" : "values"}, ${named(plot.y, "y")} over ${named(plot.x, "x")}`;
}
