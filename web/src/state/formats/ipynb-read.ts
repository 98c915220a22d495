// Reading of Jupyter notebooks, nbformat 4. The file may be anybody's: its form is checked, and an
// error names the place that is wrong. Markdown stays Markdown, with attachments as pictures in the
// text. JavaScript becomes code cells, whose outputs are shown and marked. Code in another language
// becomes text that says so. Nothing of HTML or SVG passes but its words.

import { fromWorker } from "../../protocol/messages";
import type { TextStream, WorkerMessage } from "../../protocol/messages";
import { LIMITS, TooLarge } from "../limits";
import { makeCell, proseWithoutCode } from "../notebook/notebook";
import type { Cell } from "../notebook/notebook";
import { isKept } from "../outputs/kept";
import type { KeptPicture } from "../outputs/kept";
import type { OutputMessage } from "../outputs/outputs";
import { measurePicture } from "../prose/pictures";
import { readNumbers } from "../run/saved";
import type { SavedCell } from "../run/saved";
import { BadNotebook } from "./bad-notebook";
import { htmlText } from "./html-text";
import { WEFT_OUTPUT } from "./weft-output";

export interface ReadCell {
  readonly cell: Cell;
  /** What the file says that the cell showed. */
  readonly shown: SavedCell | null;
}

/** Characters of the printed outputs of a cell, and of a text of an output; and outputs of a
 * cell. */
const OUTPUT = 100_000;
const OUTPUTS = 300;
/** Characters in base64 of a picture that is taken. */
const PICTURE = 12_000_000;
/** Characters that outputs of other languages, which become text, may add to the notebook. */
const TEXT_OUTPUTS = 2_000_000;
/** Languages whose cells run here. */
const OURS = new Set(["javascript", "typescript", "js", "ecmascript", "node"]);
/** Pictures that the page shows, in the order in which it chooses. */
const PICTURES = ["image/png", "image/jpeg", "image/webp", "image/gif"] as const;

type Fields = Readonly<Record<string, unknown>>;

const show = (value: unknown) => (value === undefined ? "missing" : value === null ? "null" : Array.isArray(value) ? "a list" : typeof value === "object" ? "an object" : `a ${typeof value}`);

function wrong(place: string, expected: string, value: unknown): never {
  throw new BadNotebook(`${place} must be ${expected}, but is ${show(value)}.`);
}

function fields(value: unknown, place: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) wrong(place, "an object", value);
  return value as Fields;
}
const optionalFields = (value: unknown, place: string): Fields => (value === undefined ? {} : fields(value, place));

function list(value: unknown, place: string): readonly unknown[] {
  if (!Array.isArray(value)) wrong(place, "a list", value);
  return value;
}

/** A text, in one piece or as a list of pieces. */
function text(value: unknown, place: string): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) wrong(place, "a string or a list of strings", value);
  value.forEach((part: unknown, at) => typeof part === "string" || wrong(`${place}[${at}]`, "a string", part));
  return value.join("");
}

/** Throws `BadNotebook` where the text is none, `TooLarge` where no page can show it. */
export function readIpynb(json: string): ReadCell[] {
  let value: unknown;
  try {
    value = JSON.parse(json, readNumbers);
  } catch (error) {
    throw new BadNotebook(error instanceof RangeError ? "It is nested too deeply." : `It is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const notebook = fields(value, "The notebook");
  const { nbformat } = notebook;
  if (typeof nbformat !== "number") wrong("nbformat", "a number", nbformat);
  if (nbformat !== 4) throw new BadNotebook(`nbformat is ${nbformat}, but only version 4 can be read. Jupyter converts older notebooks when it saves them.`);
  const metadata = optionalFields(notebook["metadata"], "metadata");
  const language = languageOf(metadata);
  const cells = list(notebook["cells"], "cells");
  if (cells.length > LIMITS.cells) throw new TooLarge(`It has more than ${LIMITS.cells.toLocaleString("en")} cells, the most that a notebook can have.`);
  const room = { left: TEXT_OUTPUTS };
  return cells.map((cell, at) => readCell(fields(cell, `cells[${at}]`), `cells[${at}]`, language, room));
}

function languageOf(metadata: Fields): string {
  const read = (name: string, field: string) => {
    const value = optionalFields(metadata[name], `metadata.${name}`)[field];
    return typeof value === "string" && /^[\w+#.-]{1,30}$/.test(value) ? value.toLowerCase() : null;
  };
  return read("language_info", "name") ?? read("kernelspec", "language") ?? read("kernelspec", "name") ?? "python";
}

function readCell(cell: Fields, place: string, language: string, room: { left: number }): ReadCell {
  const source = text(cell["source"], `${place}.source`);
  const metadata = optionalFields(cell["metadata"], `${place}.metadata`);
  const prose = (written: string): ReadCell => ({ cell: makeCell("prose", proseWithoutCode(written)), shown: null });
  switch (cell["cell_type"]) {
    case "markdown":
      return prose(withAttachments(source, optionalFields(cell["attachments"], `${place}.attachments`), `${place}.attachments`));
    case "raw":
      return prose(fenced(source, ""));
    case "code": {
      const outputs = list(cell["outputs"] ?? [], `${place}.outputs`).map((output, at) => fields(output, `${place}.outputs[${at}]`));
      if (!OURS.has(language)) return prose(foreignCell(source, language, outputs, place, room));
      const folded = optionalFields(metadata["jupyter"], `${place}.metadata.jupyter`)["source_hidden"] === true;
      const made = makeCell("code", source);
      return { cell: folded ? { ...made, fold: true } : made, ...readOutputs(source, outputs, place, optionalFields(metadata["weft"], `${place}.metadata.weft`)) };
    }
    default:
      throw new BadNotebook(`${place}.cell_type must be "code", "markdown" or "raw", but is ${typeof cell["cell_type"] === "string" ? JSON.stringify(cell["cell_type"].slice(0, 40)) : show(cell["cell_type"])}.`);
  }
}

/** Puts attached pictures into the text, where it names them. */
function withAttachments(source: string, attachments: Fields, place: string): string {
  let written = source;
  for (const [name, value] of Object.entries(attachments)) {
    const bundle = fields(value, `${place}[${JSON.stringify(name)}]`);
    const type = PICTURES.find((each) => bundle[each] !== undefined);
    // A text without its picture says what is missing by itself.
    if (type === undefined || !source.includes(`attachment:${name}`)) continue;
    const data = base64(text(bundle[type], `${place}[${JSON.stringify(name)}]["${type}"]`));
    if (data === null) continue;
    const parts = written.split(`attachment:${name}`);
    // A short text may name a large picture often.
    if (written.length + (parts.length - 1) * data.length > LIMITS.text) throw new TooLarge(`${place}[${JSON.stringify(name.slice(0, 40))}] makes its text longer than ${LIMITS.text.toLocaleString("en")} characters, the most that a notebook can have.`);
    written = parts.join(`data:${type};base64,${data}`);
  }
  return written;
}

function base64(data: string): string | null {
  const compact = data.replace(/\s+/g, "");
  return compact.length <= PICTURE && /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(compact) && compact !== "" ? compact : null;
}

/** Code that does not run, as Markdown: its marks are longer than any in it. */
function fenced(source: string, language: string): string {
  let longest = 2;
  for (const run of source.matchAll(/`+/g)) longest = Math.max(longest, run[0].length);
  const mark = "`".repeat(longest + 1);
  return `${mark}${language}\n${source.trimEnd()}\n${mark}`;
}

const NAMES: Readonly<Record<string, string>> = { python: "Python", r: "R", julia: "Julia", rust: "Rust", bash: "Bash", "c++": "C++", scala: "Scala" };

/** A cell in another language with its outputs, as text. */
function foreignCell(source: string, language: string, outputs: readonly Fields[], place: string, room: { left: number }): string {
  const parts = [`*${NAMES[language] ?? language}, shown as text: it does not run here.*`, fenced(source, language)];
  outputs.slice(0, OUTPUTS).forEach((output, at) => {
    const { plain, picture } = partsOf(output, `${place}.outputs[${at}]`);
    const part = picture ? `![Output](data:${picture.type};base64,${picture.data})` : plain === "" ? "" : fenced(plain, "text");
    if (part === "") return;
    room.left -= part.length;
    parts.push(room.left < 0 ? "*An output is left out: the notebook's outputs are too large.*" : part);
  });
  return parts.join("\n\n");
}

interface OutputParts {
  readonly plain: string;
  readonly markdown: string | null;
  readonly picture: { readonly type: string; readonly data: string } | null;
}

/** What of an output can be shown without trusting it. */
function partsOf(output: Fields, place: string): OutputParts {
  const clip = (written: string) => (written.length > OUTPUT ? `${written.slice(0, OUTPUT)}\n…` : written);
  const only = (plain: string): OutputParts => ({ plain: clip(withoutColours(plain)), markdown: null, picture: null });
  switch (output["output_type"]) {
    case "stream":
      return only(text(output["text"], `${place}.text`));
    case "error": {
      const traceback = output["traceback"] === undefined ? [] : list(output["traceback"], `${place}.traceback`).map(asText);
      return only(traceback.length > 0 ? traceback.join("\n") : `${asText(output["ename"])}: ${asText(output["evalue"])}`);
    }
    case "display_data":
    case "execute_result":
    case "update_display_data": {
      const data = fields(output["data"], `${place}.data`);
      const read = (type: string) => (data[type] === undefined ? null : text(data[type], `${place}.data["${type}"]`));
      const type = PICTURES.find((each) => data[each] !== undefined);
      const pixels = type === undefined ? null : base64(read(type)!);
      const plain = read("text/plain") ?? htmlText(read("text/html") ?? read("image/svg+xml") ?? "");
      return { plain: clip(plain), markdown: read("text/markdown"), picture: pixels === null ? null : { type: type!, data: pixels } };
    }
    default:
      throw new BadNotebook(`${place}.output_type is not one that the format has.`);
  }
}

/** A text, or what should be one; of an object only its kind is said, for it may have no text. */
const asText = (value: unknown): string => (typeof value === "object" || value === undefined ? `(${show(value)})` : String(value));

/** Without the terminal's marks for colours. */
const withoutColours = (written: string) => written.replace(/\u001b\[[\d;]*[A-Za-z]/g, "");

/** The outputs of a cell in JavaScript, as messages that show them; their form is checked as that
 * of a worker's. */
function readOutputs(source: string, outputs: readonly Fields[], place: string, { status, milliseconds }: Fields): Pick<ReadCell, "shown"> {
  const messages: OutputMessage[] = [];
  let error: SavedCell["error"] = null;
  let omitted = Math.max(0, outputs.length - OUTPUTS);
  outputs.slice(0, OUTPUTS).forEach((output, at) => {
    const where = `${place}.outputs[${at}]`;
    const id = at + 1;
    const parts = partsOf(output, where);
    const take = (message: WorkerMessage | null): boolean => {
      if (message === null || !fromWorker(message) || (message.type !== "output" && message.type !== "text")) return false;
      messages.push(message);
      return true;
    };
    if (output["output_type"] === "error") {
      error = { name: asText(output["ename"] ?? "Error").slice(0, 400), message: asText(output["evalue"] ?? "").slice(0, 2_000) };
      return;
    }
    if (output["output_type"] === "stream") {
      const stream: TextStream = output["name"] === "stderr" ? "error" : "print";
      take({ type: "text", run: 0, output: id, stream, text: parts.plain, omitted: 0 });
      return;
    }
    if (takeOwn(output, id, messages)) return;
    if (parts.picture) {
      const picture = pictureOf(parts.picture.data, optionalFields(output["metadata"], `${where}.metadata`)["weft"]);
      if (picture === null) omitted++;
      else messages.push({ type: "output", run: 0, output: id, content: picture });
      return;
    }
    if (parts.markdown !== null) take({ type: "output", run: 0, output: id, content: { kind: "markdown", source: parts.markdown.slice(0, OUTPUT) } });
    else if (parts.plain.trim() !== "") take({ type: "output", run: 0, output: id, content: { kind: "value", text: parts.plain, tree: undefined } });
  });
  if (messages.length === 0 && error === null && omitted === 0 && status === undefined) return { shown: null };
  const ended = status === "failed" || status === "stopped" || status === "done" ? status : error ? "failed" : "done";
  const took = typeof milliseconds === "number" && milliseconds >= 0 && Number.isFinite(milliseconds) ? milliseconds : 0;
  return { shown: { source, edited: false, status: ended, milliseconds: took, error, messages, omitted, brought: true } };
}

/** An output as Weft wrote it. */
function takeOwn(output: Fields, id: number, messages: OutputMessage[]): boolean {
  const own = (output["data"] as Fields)[WEFT_OUTPUT];
  if (typeof own !== "object" || own === null) return false;
  const { content, points } = own as Fields;
  const shown: unknown = { type: "output", run: 0, output: id, content };
  if (!fromWorker(shown) || shown.type !== "output") return false;
  // What only lives in a worker has no worker here, and pixels come as pictures.
  if (["button", "pad", "animation", "download", "image"].includes(shown.content.kind)) return false;
  messages.push(fromWorker.copy(shown, () => undefined) as OutputMessage);
  const more: unknown = { type: "points", run: 0, output: id, points };
  if (points !== undefined && fromWorker(more) && more.type === "points") messages.push(fromWorker.copy(more, () => undefined) as OutputMessage);
  return true;
}

/** A picture with its facts as Weft wrote them, or as one plain picture; null where its bytes are
 * none. */
function pictureOf(data: string, facts: unknown): KeptPicture | null {
  const size = measurePicture(headOf(data));
  if (!size) return null;
  const { width, height } = size;
  const plain: KeptPicture = { kind: "kept", title: "", tile: { width, height }, columns: 1, fixed: undefined, sizes: undefined, count: 1, omitted: 0, scale: 1, smooth: true, labels: [], legend: null, data };
  if (typeof facts === "object" && facts !== null) {
    const claimed = { ...facts, kind: "kept", data: "" };
    if (isKept(claimed) && claimed.tile.width * claimed.columns === width && claimed.tile.height * Math.ceil(claimed.count / claimed.columns) === height) return { ...claimed, data };
  }
  return width * height > 24_000_000 || width > 8_192 || height > 8_192 ? null : plain;
}

/** Bytes of a picture's head: where a JPEG tells its size may be behind its other segments. */
const HEAD = 400_000;
const headOf = (data: string) => Uint8Array.from(atob(data.slice(0, data.length <= HEAD ? undefined : HEAD)), (character) => character.charCodeAt(0));
