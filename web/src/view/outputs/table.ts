// Views of rows and of a tensor's corner: tables with aligned figures, which scroll sideways where
// they must.

import type { TensorSummary } from "../../protocol/messages";
import { LIMITS } from "../../state/limits";
import type { ContentOutput } from "../../state/outputs/outputs";
import { tableRows } from "../../state/outputs/room";
import { brief } from "../../state/figure";
import { h } from "../ui/dom";

const scroller = (label: string, table: HTMLElement) => h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": label }, table);

/** A number, or one that is missing. */
const isMissing = (text: string) => text === "" || /^(?:NA|N\/A|NaN|NULL|None)$/i.test(text);
const isNumber = (text: string) => /^[-+]?(\d|\.\d|Infinity|NaN)/.test(text);

/** Which columns hold figures and nothing else, as far as the first rows tell. */
function columnsOfFigures(rows: readonly (readonly string[])[]): boolean[] {
  const some = rows.slice(0, 50);
  const width = Math.max(0, ...some.map(({ length }) => length));
  return Array.from({ length: width }, (_, column) => {
    const texts = some.map((row) => row[column] ?? "").filter((text) => !isMissing(text));
    return texts.length > 0 && texts.every(isNumber);
  });
}

export function tableView({ content }: ContentOutput): HTMLElement {
  if (content.kind !== "table") return h("div");
  // Figures stand under each other by their last digits, and their column's name with them.
  const figures = columnsOfFigures(content.rows);
  const cell = (text: string, column: number) => h("td", { class: isNumber(text) ? (figures[column] ? "figure right" : "figure") : figures[column] && isMissing(text) ? "right missing" : null }, text);
  const heading = (name: string, column: number) => {
    const type = content.types?.[column] ?? "";
    // A column without a name has no heading: a screen reader would read out an empty one.
    if (name.trim() === "" && type === "") return h("td");
    return h("th", { scope: "col", class: figures[column] ? "right" : null }, name, content.types && h("span", { class: "column-type" }, type));
  };
  const caption = content.title !== undefined && content.title !== "" && h("caption", { dir: "auto" }, content.title);
  const head = content.columns.length > 0 && h("thead", {}, h("tr", {}, ...content.columns.map(heading)));
  const most = tableRows(Math.max(content.columns.length, ...content.rows.slice(0, 10).map(({ length }) => length)));
  const row = (texts: readonly string[]) => h("tr", {}, ...texts.slice(0, LIMITS.tableCells).map(cell));
  const body = h("tbody", {}, ...content.rows.slice(0, most).map(row));
  const held = Math.max(0, content.rows.length - most);
  const table = h("table", { class: "rows" }, caption, head, body);
  const rest = content.omitted + held;
  const more = held > 0 && h("button", { class: "plain-button small", type: "button", onclick: () => (body.append(...content.rows.slice(body.rows.length, body.rows.length + most).map(row)), body.rows.length === content.rows.length && bar && bar.remove()) }, "Show more");
  const bar = rest > 0 && h("p", { class: "more-bar" }, h("span", { class: "note" }, `${rest.toLocaleString("en")} more rows not shown. ${content.omitted > 0 ? `Show others by a slice${content.types ? ", as in table.rows.slice(100)" : ""}.` : ""}`), more);
  return h("div", {}, scroller(content.title === undefined || content.title === "" ? "Table" : `Table: ${content.title}`, table), bar);
}

export function tensorView({ content }: ContentOutput): HTMLElement {
  if (content.kind !== "tensor") return h("div");
  const { title, summary } = content;
  const heading = h(
    "div",
    { class: "tensor-head" },
    title !== "" && h("bdi", { class: "tensor-title" }, title),
    h("code", { class: "tensor-type" }, h("b", {}, summary.dtype), ` [${summary.shape.join(", ")}]`),
    statistics(summary),
  );
  return h("div", { class: "tensor" }, heading, corner(summary));
}

function statistics({ statistics: found, shape }: TensorSummary): HTMLElement | false {
  if (!found) return h("span", { class: "note" }, "no elements");
  // Of one number there is no spread.
  if (shape.every((extent) => extent === 1)) return false;
  const entry = (name: string, value: number, bad = false) =>
    h("div", { class: bad ? "bad" : null }, h("dt", {}, name), h("dd", {}, brief(value)));
  return h(
    "dl",
    {},
    entry("min", found.min),
    entry("max", found.max),
    entry("mean", found.mean),
    entry("NaN", found.nan, found.nan > 0),
    found.infinite > 0 && entry("∞", found.infinite, true),
  );
}

function corner({ shape, corner: rows, cut, lead }: TensorSummary): HTMLElement | false {
  if (rows.length === 0) return false;
  const vector = shape.length < 2;
  const columns = rows[0]?.length ?? 0;
  const more = cut.columns && h("td", { class: "more", "aria-label": "more columns" }, "⋯");
  const head =
    columns > 0 && shape.length > 0 &&
    h("thead", {}, h("tr", {}, !vector && h("td", { class: "lead" }, lead), ...rows[0]!.map((_, i) => h("th", { scope: "col" }, String(i))), cut.columns && h("td")));
  const body = rows.map((row, i) =>
    h("tr", {}, !vector && h("th", { scope: "row" }, String(i)), ...row.map((text) => h("td", { class: text === "NaN" ? "figure nan" : "figure" }, text)), more && more.cloneNode(true)),
  );
  const last = cut.rows && h("tr", {}, !vector && h("td"), ...rows[0]!.map(() => h("td", { class: "more" }, "⋮")));
  return scroller(`Corner of a tensor of shape ${shape.join(" by ")}`, h("table", { class: "corner" }, head, h("tbody", {}, ...body, last)));
}
