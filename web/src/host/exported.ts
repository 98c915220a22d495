// Collecting of what an export shows: the cells with their outputs as the page shows them, and
// pictures encoded from the pixels that only the page has.

import { readProse } from "./prose";
import { decodePicture, encodePicture, encodePng } from "./kept";
import { site } from "./fetch";
import { pixelsOf } from "../view/outputs/image";
import { paintOf } from "../editing/paint";
import { resolveFile } from "../state/notebook/files";
import type { Cells } from "../state/notebook/notebook";
import { keep, sizeOf } from "../state/outputs/kept";
import type { KeptPicture } from "../state/outputs/kept";
import type { Output } from "../state/outputs/outputs";
import { decodeData, extractPictures, measurePicture, PICTURES } from "../state/prose/pictures";
import type { Prose } from "../state/prose/prose-tree";
import type { Session } from "../state/run/session";
import { LIMITS } from "../state/limits";
import type { ExportedCell, ExportedOutput } from "../state/formats/exported";
import type { HtmlOptions } from "../state/formats/html-write";

/** `png`: without loss, for files that other programs read. `small`: as few bytes as the page
 * itself keeps. */
export type PictureForm = "png" | "small";

/** Outputs of a cell that an export has. */
const OUTPUTS = 300;

export async function collect(cells: Cells, session: Session, form: PictureForm): Promise<ExportedCell[]> {
  const collected: ExportedCell[] = [];
  for (const cell of cells) {
    const { saved, outputs, error, status, milliseconds } = session.cell(cell.id);
    const ended = saved?.status ?? (status === "done" || status === "failed" || status === "stopped" ? status : null);
    const shown: ExportedOutput[] = [];
    if (cell.kind === "code") for (const output of outputs.list.slice(0, OUTPUTS)) shown.push(...(await still(output, form)));
    collected.push({ cell, outputs: shown, status: ended, milliseconds: saved?.milliseconds ?? milliseconds, error: error && { name: error.name, message: error.message } });
  }
  return collected;
}

async function still(output: Output, form: PictureForm): Promise<ExportedOutput[]> {
  if (output.kind === "text") {
    const gap = output.omitted > 0 ? `… ${output.omitted} lines omitted …\n` : "";
    return [{ kind: "text", stream: output.stream, text: output.head + gap + output.tail }];
  }
  const { content, points } = output;
  if (content.kind === "image") {
    const pixels = pixelsOf(output);
    const data = pixels && (await (form === "png" ? encodePng(pixels) : encodePicture(pixels)));
    return data ? [{ kind: "content", content: keep(content, data), points: [] }] : [];
  }
  if (content.kind === "kept" && form === "png") return [{ kind: "content", content: await asPng(content), points: [] }];
  return [{ kind: "content", content, points }];
}

async function asPng(picture: KeptPicture): Promise<KeptPicture> {
  if (picture.data.startsWith("iVBOR")) return picture;
  const bitmap = await decodePicture(picture);
  if (!bitmap) return picture;
  const { width, height } = sizeOf(picture);
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return { ...picture, data: (await encodePng(canvas)) ?? picture.data };
}

/** Formatted texts, coloured code and the pictures of texts, for a page that stands by itself. */
export async function readTexts(cells: readonly ExportedCell[]): Promise<HtmlOptions> {
  const sources = cells.flatMap(({ cell, outputs }) => [...(cell.kind === "prose" ? [cell.source] : []), ...outputs.flatMap((each) => (each.kind === "content" && each.content.kind === "markdown" ? [each.content.source] : []))]);
  const prose = new Map<string, Prose | null>();
  const pictures = new Map<string, string>();
  for (const source of sources) {
    const { text, carried } = extractPictures(source);
    if (text.length <= LIMITS.prose && !prose.has(text)) prose.set(text, await readProse(text));
    for (const address of carried) if (isPicture(decodeData(address))) pictures.set(address, address);
    for (const [, address] of text.matchAll(/!\[[^\]\n]{0,500}\]\(\s*<?([\w./-]{1,300})/g)) {
      const data = pictures.has(address!) ? null : await ownPicture(address!);
      if (data) pictures.set(address!, data);
    }
  }
  return { site, prose: (text) => prose.get(text) ?? null, paint: (code) => (code.length > LIMITS.codeShown ? null : paintOf(code)), picture: (address) => pictures.get(address) ?? null };
}

function isPicture(bytes: Uint8Array | null): boolean {
  const facts = bytes && measurePicture(bytes as Uint8Array<ArrayBuffer>);
  return Boolean(facts && facts.width * facts.height <= PICTURES.pixelsEach);
}

/** A picture of the site's own `data/`, as a `data:` address. */
async function ownPicture(address: string): Promise<string | null> {
  const request = resolveFile(address, site, ["data/"]);
  if (!request.ok) return null;
  const response = await fetch(request.url, { credentials: "omit", redirect: "error" }).catch(() => null);
  const bytes = response?.ok ? new Uint8Array(await response.arrayBuffer()) : null;
  const facts = bytes && bytes.length <= PICTURES.bytesEach ? measurePicture(bytes) : null;
  if (!bytes || !facts || !isPicture(bytes)) return null;
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return `data:${facts.type};base64,${btoa(binary)}`;
}
