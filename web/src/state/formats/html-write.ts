// Writing of a notebook as one HTML file that shows everything by itself: text, code and outputs,
// with the pictures in it. It contacts nobody until its button is pressed, which loads the notebook
// from the site that the file names, in a frame. The file's own policy allows that frame, its one
// style and its one script, and nothing else.

import { plotSvg } from "../plots/svg";
import { sha256 } from "@noble/hashes/sha2.js";
import { LIMITS } from "../limits";
import { serializeNotebook, titleOf } from "../notebook/notebook";
import { encodeShare } from "../notebook/share";
import { sizeOf } from "../outputs/kept";
import { outputText } from "../outputs/outputs";
import { base64, soundText } from "../outputs/sound";
import { wavOf } from "../outputs/wav";
import { extractPictures } from "../prose/pictures";
import { SYNTAX_CLASSES } from "../prose/prepared";
import type { Paint } from "../prose/prepared";
import type { Prose } from "../prose/prose-tree";
import { chartSvg } from "./chart-svg";
import { escapeHtml, scriptJson } from "./escape";
import type { ExportedCell, ExportedOutput } from "./exported";
import { CARRIER } from "./html-read";
import { proseHtml } from "./html-prose";
import { tableHtml, typeOf } from "./ipynb-write";
import script from "./html-page.js?raw";
import style from "./html-page.css?raw";

export interface HtmlOptions {
  /** Address of the folder that holds the page. */
  readonly site: string;
  /** Formatted texts and coloured code, by their sources; null where there are none, and they stand
   * as they are written. */
  readonly prose: (text: string) => Prose | null;
  readonly paint: (code: string) => Paint | null;
  /** A text's picture as a `data:` address; null where it is not shown. */
  readonly picture: (address: string) => string | null;
}

const hashOf = (text: string) => `'sha256-${btoa(String.fromCharCode(...sha256(new TextEncoder().encode(text))))}'`;

export async function writeHtml(cells: readonly ExportedCell[], options: HtmlOptions): Promise<string> {
  const { site } = options;
  const plain = cells.map(({ cell }) => cell);
  const markdown = serializeNotebook(plain);
  const title = escapeHtml(titleOf(plain));
  const live = `${site}?embed${await encodeShare(markdown)}`;
  const policy = `default-src 'none'; img-src data:; media-src data:; style-src ${hashOf(style)}; script-src ${hashOf(script)}; frame-src ${new URL(site).origin}; base-uri 'none'; form-action 'none'`;
  const place = escapeHtml(new URL(site).host || site);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<header class="bar"><button id="run" type="button" data-live="${escapeHtml(live)}" hidden>Open the live notebook</button><span>Exported from <a href="${escapeHtml(site)}">Weft</a>. The outputs are in this file. The live notebook, which can run, comes from ${place}, which needs the network.</span><span id="offline" role="status" hidden>${place} has not answered. Reload this file to see its outputs again.</span></header>
<main>
${cells.filter(({ cell, outputs }) => cell.source.trim() !== "" || outputs.length > 0).map((cell) => cellHtml(cell, options)).join("\n")}
</main>
${CARRIER}${scriptJson(markdown)}</script>
<script>${script}</script>
</body>
</html>
`;
}

function cellHtml({ cell, outputs, error }: ExportedCell, options: HtmlOptions): string {
  if (cell.kind === "prose") return `<section class="cell prose">${textHtml(cell.source, options)}</section>`;
  const failed = error ? `<pre class="output error">${escapeHtml(`${error.name}: ${error.message}`)}</pre>` : "";
  return `<section class="cell"><details class="code"${cell.fold ? "" : " open"}><summary>Code</summary><pre>${codeHtml(cell.source, options.paint(cell.source))}</pre></details>${outputs.map((output) => outputHtml(output, options)).join("")}${failed}</section>`;
}

/** A text in Markdown; what of it is too long to be formatted stands as it is written. */
function textHtml(source: string, { prose, picture, site }: HtmlOptions): string {
  const { text, carried } = extractPictures(source);
  const tree = text.length <= LIMITS.prose ? prose(text) : null;
  if (!tree) return `<pre>${escapeHtml(text)}</pre>`;
  const rest = tree.rest === null ? "" : `<pre>${escapeHtml(text.slice(tree.rest))}</pre>`;
  return proseHtml(tree.nodes, { carried, site, picture }) + rest;
}

function codeHtml(code: string, paint: Paint | null): string {
  if (!paint) return escapeHtml(code);
  let at = 0;
  return paint
    .map(([length, colour]) => {
      const part = escapeHtml(code.slice(at, (at += length)));
      const name = SYNTAX_CLASSES[colour];
      return name === undefined ? part : `<span class="${name}">${part}</span>`;
    })
    .join("");
}

function outputHtml(output: ExportedOutput, options: HtmlOptions): string {
  const frame = (inside: string, caption = "") => `<figure class="output">${caption === "" ? "" : `<figcaption class="caption">${escapeHtml(caption)}</figcaption>`}${inside}</figure>`;
  if (output.kind === "text") return `<pre class="output${output.stream === "warn" || output.stream === "error" ? " stderr" : ""}">${escapeHtml(output.text)}</pre>`;
  const { content, points } = output;
  switch (content.kind) {
    case "markdown":
      return `<div class="output">${textHtml(content.source, options)}</div>`;
    case "table":
      return frame(`<div class="scroll">${tableHtml(content.columns, content.rows)}</div>${content.omitted > 0 ? `<p class="note">${content.omitted} more rows</p>` : ""}`);
    case "kept": {
      const { width, height } = sizeOf(content);
      const [across, down] = [Math.round(width * content.scale), Math.round(height * content.scale)];
      const crisp = content.scale >= 1 && !content.smooth ? ' class="crisp"' : "";
      return frame(`<img src="data:${typeOf(content.data)};base64,${escapeHtml(content.data)}" alt="${escapeHtml(content.title || "Image")}" width="${across}" height="${down}"${crisp}>`, content.title);
    }
    case "chart":
      return frame(chartSvg(content, points), content.title);
    case "plot":
      // Its title is in it.
      return frame(plotSvg(content));
    case "sound": {
      const facts = escapeHtml(soundText({ ...content, title: "" }));
      return frame(`<audio controls src="data:audio/wav;base64,${base64(wavOf(content))}" aria-label="${escapeHtml(content.title || "Sound")}, ${facts}"></audio><p class="note">${facts}</p>`, content.title);
    }
    case "button":
    case "pad":
    case "animation":
    case "download":
      return "";
    case "value":
    case "tensor":
    case "control":
    case "progress":
      return `<pre class="output">${escapeHtml(outputText(content))}</pre>`;
  }
}
