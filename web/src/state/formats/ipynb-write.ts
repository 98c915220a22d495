// Writing of Jupyter notebooks, nbformat 4.5, outputs included. Each output has a standard form
// that any reader of the format shows: text, HTML, PNG, SVG. Beside it, where the standard form
// says less than the page does, is the output as Weft knows it, under a media type of its own.

import { WEFT_OUTPUT } from "./weft-output";
import { plotSvg } from "../plots/svg";
import { sizeOf } from "../outputs/kept";
import { outputText } from "../outputs/outputs";
import { base64 } from "../outputs/sound";
import { wavOf } from "../outputs/wav";
import { withNumbers } from "../run/saved";
import { chartSvg } from "./chart-svg";
import { escapeHtml } from "./escape";
import type { ExportedCell, ExportedOutput } from "./exported";

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Lines with their ends, as the format wants long texts. */
const lines = (text: string): string[] => text.split(/(?<=\n)/);

/** `title` is the notebook's. */
export function writeIpynb(cells: readonly ExportedCell[], title: string): string {
  let executed = 0;
  const written = cells.map(({ cell, outputs, status, milliseconds, error }, at): Json => {
    const id = `cell-${at + 1}`;
    if (cell.kind === "prose") return { cell_type: "markdown", id, metadata: {}, source: lines(cell.source) };
    const metadata: Json = { ...(cell.fold ? { jupyter: { source_hidden: true } } : {}), ...(status === null ? {} : { weft: { status, milliseconds } }) };
    const failed: Json[] = error ? [{ output_type: "error", ename: error.name, evalue: error.message, traceback: lines(`${error.name}: ${error.message}`) }] : [];
    return { cell_type: "code", execution_count: status === null ? null : ++executed, id, metadata, outputs: [...outputs.flatMap(outputOf), ...failed], source: lines(cell.source) };
  });
  const metadata: Json = {
    kernelspec: { display_name: "JavaScript (Weft)", language: "javascript", name: "javascript" },
    language_info: { file_extension: ".js", mimetype: "text/javascript", name: "javascript" },
    title,
  };
  return `${JSON.stringify({ cells: written, metadata, nbformat: 4, nbformat_minor: 5 }, withNumbers, 1)}\n`;
}

function outputOf(output: ExportedOutput): Json[] {
  if (output.kind === "text") {
    const name = output.stream === "warn" || output.stream === "error" ? "stderr" : "stdout";
    return output.text === "" ? [] : [{ output_type: "stream", name, text: lines(output.text) }];
  }
  const { content, points } = output;
  const show = (data: Json, metadata: Json = {}): Json[] => [{ output_type: "display_data", data, metadata }];
  const text = lines(outputText(content));
  const own = (more: Json = {}) => ({ [WEFT_OUTPUT]: { content, ...(more as object) } as unknown as Json });
  switch (content.kind) {
    case "value":
      return show({ "text/plain": text });
    case "markdown":
      return show({ "text/markdown": text, "text/plain": text });
    case "table":
      return show({ "text/html": lines(tableHtml(content.columns, content.rows)), "text/plain": text, ...own() });
    case "kept": {
      const { data, kind, ...facts } = content;
      const { width, height } = sizeOf(content);
      const type = typeOf(data);
      return show({ [type]: data, "text/plain": text }, { [type]: { width: Math.round(width * content.scale), height: Math.round(height * content.scale) }, weft: facts as unknown as Json });
    }
    case "chart":
      return show({ "image/svg+xml": lines(chartSvg(content, points)), "text/plain": text, ...own({ points: points as unknown as Json }) });
    case "plot":
      return show({ "image/svg+xml": lines(plotSvg(content)), "text/plain": text, ...own() });
    case "sound":
      return show({ "text/html": [`<audio controls src="data:audio/wav;base64,${base64(wavOf(content))}"></audio>`], "text/plain": text, ...own() });
    case "tensor":
    case "control":
    case "progress":
      return show({ "text/plain": text, ...own() });
    // What only lives while its cell's worker does.
    case "button":
    case "pad":
    case "animation":
    case "download":
      return [];
  }
}

/** The media type of a picture in base64, by its first bytes. */
export const typeOf = (data: string): string => (data.startsWith("iVBOR") ? "image/png" : data.startsWith("/9j/") ? "image/jpeg" : data.startsWith("R0lG") ? "image/gif" : "image/webp");

export function tableHtml(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (tag: string, texts: readonly string[]) => `<tr>${texts.map((each) => `<${tag}>${escapeHtml(each)}</${tag}>`).join("")}</tr>`;
  const head = columns.length === 0 ? "" : `<thead>${row("th", columns)}</thead>\n`;
  return `<table>\n${head}<tbody>\n${rows.map((each) => row("td", each)).join("\n")}\n</tbody>\n</table>`;
}
