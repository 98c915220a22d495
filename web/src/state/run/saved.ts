// Outputs of an earlier visit. They are saved beside the notebook's text, as the messages that made
// them, within a budget. The page checks what it reads back as if a worker had sent it: anyone may
// have written to the store meanwhile.

import { fromWorker } from "../../protocol/messages";
import type { OutputId, WorkerMessage } from "../../protocol/messages";
import { array, boolean, integer, nullable, number, object, oneOf, optional, text } from "../../protocol/schema";
import type { Infer } from "../../protocol/schema";
import { isKept } from "../outputs/kept";
import { readSamples, writeSamples } from "../outputs/sound";
import { readFloats, writeFloats } from "../plots/kept";
import type { KeptPicture } from "../outputs/kept";
import type { Cell } from "../notebook/notebook";
import type { ContentOutput, Output, OutputMessage } from "../outputs/outputs";
import type { CellRun } from "./cell-run";

/** Characters that the outputs of a notebook may take in the store. */
export const BUDGET = 300_000;

const isShown = (message: WorkerMessage) => message.type === "output" || message.type === "text" || message.type === "points";

const savedCell = object({
  /** The text of the cell when this was saved, and whether that is the text that ran. */
  source: text(BUDGET),
  edited: boolean,
  status: oneOf("done", "failed", "stopped"),
  milliseconds: number,
  error: nullable(object({ name: text(400), message: text(20_000) })),
  messages: array(fromWorker, 5_000),
  /** By their outputs. */
  pictures: array(object({ output: integer(0, Number.MAX_SAFE_INTEGER), content: object({}) }), 1_000),
  /** Outputs that went beyond the budget. */
  omitted: number,
  /** It came with the notebook, from a file or a link: no run on this page showed it. */
  brought: optional(boolean),
});
type WrittenCell = Omit<Infer<typeof savedCell>, "messages" | "pictures" | "brought"> & { readonly brought?: true } & { readonly messages: OutputMessage[]; readonly pictures: { output: OutputId; content: KeptPicture }[] };
export type SavedCell = Omit<WrittenCell, "pictures">;

/** JSON has no NaN, no infinities and no typed arrays: what writes and reads them, for
 * `JSON.stringify` and `JSON.parse`. */
export const withNumbers = (_: string, value: unknown) => (value instanceof Float64Array ? { $floats: writeFloats(value) } : value instanceof Int16Array ? { $samples: writeSamples(value) } : typeof value === "number" && !Number.isFinite(value) ? { $number: String(value) } : value);
export const readNumbers = (_: string, value: unknown) => {
  if (typeof value !== "object" || value === null) return value;
  if ("$number" in value) return Number(value.$number);
  if ("$samples" in value) return readSamples(value.$samples);
  return "$floats" in value ? readFloats(value.$floats) : value;
};

/** A picture as it is kept: of what moves, a frame; null where its pixels are not at hand, or too
 * many. */
export type KeptOf = (output: ContentOutput) => KeptPicture | null;

/** "" where there is nothing to keep. Pictures have what all else leaves of the budget. */
export function packOutputs(cells: readonly { readonly cell: Cell; readonly run: CellRun }[], keptOf: KeptOf): string {
  let left = BUDGET;
  const fits = (value: unknown) => {
    const size = JSON.stringify(value, withNumbers).length;
    if (size > left) return false;
    left -= size;
    return true;
  };
  const pictures: { into: WrittenCell; output: OutputId; content: KeptPicture | null }[] = [];
  const saved = cells.flatMap(({ cell, run }): WrittenCell[] => {
    const status = run.saved?.status ?? run.status;
    if (status !== "done" && status !== "failed" && status !== "stopped") return [];
    const error = run.error && { name: run.error.name, message: run.error.message.slice(0, 2_000) };
    const into: WrittenCell = {
      source: cell.source, edited: run.source !== cell.source, status, milliseconds: run.saved?.milliseconds ?? run.milliseconds, error,
      messages: [], pictures: [], omitted: (run.saved?.omitted ?? 0) + run.outputs.dropped, ...(run.saved?.brought ? { brought: true } : {}),
    };
    for (const output of run.outputs.list) {
      const picture = pictureOf(output, keptOf);
      if (picture) {
        pictures.push({ into, output: output.id, content: picture.content });
        continue;
      }
      const made = messagesOf(output);
      if (made === null) continue;
      if (fits(made)) into.messages.push(...made);
      else into.omitted++;
    }
    return [into];
  });
  for (const { into, output, content } of pictures) {
    if (content !== null && fits({ output, content })) into.pictures.push({ output, content });
    else into.omitted++;
  }
  return saved.length > 0 ? JSON.stringify(saved, withNumbers) : "";
}

/** Whether these are outputs as earlier versions of the page kept them, under 32 bits of the text
 * of each cell: they may be another text's. */
export function areOlder(json: string): boolean {
  return /^\[\{"text":"[0-9a-f]{1,8}","edited":/.test(json);
}

/** What each of these cells showed: cells are recognised by their texts, in order. */
export function unpackOutputs(json: string, cells: readonly Cell[]): Map<string, SavedCell> {
  let saved: unknown = null;
  try {
    saved = JSON.parse(json, readNumbers);
  } catch {
    // Cut off or written by another program: as good as none.
  }
  if (!Array.isArray(saved)) return new Map();
  return matchSaved((saved as readonly unknown[]).flatMap((each) => (savedCell(each) ? [readCell(each)] : [])), cells);
}

/** Which of these belongs to which cell: cells are recognised by their texts, in order. */
export function matchSaved(saved: readonly SavedCell[], cells: readonly Cell[]): Map<string, SavedCell> {
  const found = new Map<string, SavedCell>();
  const waiting = new Map<string, SavedCell[]>();
  for (const each of saved) {
    const known = waiting.get(each.source) ?? [];
    known.push(each);
    waiting.set(each.source, known);
  }
  for (const { id, source } of cells) {
    const first = waiting.get(source)?.shift();
    if (first) found.set(id, first);
  }
  return found;
}

function readCell({ messages, pictures, brought, ...rest }: Infer<typeof savedCell>): SavedCell {
  const shown = pictures.flatMap(({ output, content }): OutputMessage[] => (isKept(content) ? [{ type: "output", run: 0, output, content }] : []));
  return { ...rest, ...(brought ? { brought } : {}), messages: [...messages.filter(isShown), ...shown].sort((a, b) => a.output - b.output), omitted: rest.omitted + pictures.length - shown.length };
}

/** What is kept of a picture, none where there is no room; null for other outputs. */
function pictureOf(output: Output, keptOf: KeptOf): { content: KeptPicture | null } | null {
  if (output.kind === "text") return null;
  const { content } = output;
  if (content.kind === "kept") return { content };
  return content.kind === "image" ? { content: keptOf(output) } : null;
}

/** What would make the output again; null for what only lives while its worker does. */
function messagesOf(output: Output): OutputMessage[] | null {
  const { id } = output;
  if (output.kind === "text") {
    const { stream, head, tail, omitted } = output;
    const text = (part: string, gap: number): OutputMessage => ({ type: "text", run: 0, output: id, stream, text: part, omitted: gap });
    return tail === "" && omitted === 0 ? [text(head, 0)] : [text(head, 0), text(tail, omitted)];
  }
  const { content, points } = output;
  if (content.kind === "button" || content.kind === "pad" || content.kind === "animation" || content.kind === "download") return null;
  const shown = content.kind === "progress" ? { ...content, ended: true } : content;
  const made: OutputMessage[] = [{ type: "output", run: 0, output: id, content: shown }];
  for (let at = 0; at < points.length; at += 10_000) made.push({ type: "points", run: 0, output: id, points: points.slice(at, at + 10_000) });
  return made;
}
