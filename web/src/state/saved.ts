// What did a notebook show on an earlier visit? Its outputs are kept beside its text, as the messages that made them, within a
// budget. What is read back is checked as if a worker had said it: nobody knows who wrote to the store meanwhile.

import { fromWorker } from "../protocol/messages";
import type { WorkerMessage } from "../protocol/messages";
import { array, boolean, nullable, number, object, oneOf, text } from "../protocol/schema";
import type { Infer } from "../protocol/schema";
import { fingerprint } from "./fingerprint";
import type { Cell } from "./notebook";
import type { Output } from "./outputs";
import type { CellRun } from "./session";

/** Characters that the outputs of a notebook may take in the store. */
const BUDGET = 300_000;

export type ShownMessage = Extract<WorkerMessage, { type: "output" | "text" | "points" }>;
const isShown = (message: WorkerMessage): message is ShownMessage => message.type === "output" || message.type === "text" || message.type === "points";

const savedCell = object({
  /** Tells the text of the cell when this was saved, and whether that is the text that ran. */
  text: text(40),
  edited: boolean,
  status: oneOf("done", "failed", "stopped"),
  milliseconds: number,
  error: nullable(object({ name: text(400), message: text(20_000) })),
  messages: array(fromWorker, 5_000),
  /** Outputs that were not kept: pictures, and what went beyond the budget. */
  omitted: number,
});
export type SavedCell = Omit<Infer<typeof savedCell>, "messages"> & { readonly messages: readonly ShownMessage[] };

/** JSON has no NaN and no infinities. */
const write = (_: string, value: unknown) => (typeof value === "number" && !Number.isFinite(value) ? { $number: String(value) } : value);
const read = (_: string, value: unknown) => (typeof value === "object" && value !== null && "$number" in value ? Number(value.$number) : value);

/** "" where there is nothing to keep. */
export function packOutputs(cells: readonly { readonly cell: Cell; readonly run: CellRun }[]): string {
  let left = BUDGET;
  const saved = cells.flatMap(({ cell, run }): SavedCell[] => {
    const status = run.saved?.status ?? run.status;
    if (status !== "done" && status !== "failed" && status !== "stopped") return [];
    const messages: ShownMessage[] = [];
    let omitted = (run.saved?.omitted ?? 0) + run.outputs.dropped;
    for (const output of run.outputs.list) {
      const made = messagesOf(output);
      if (made === null) continue;
      const size = JSON.stringify(made, write).length;
      if (made.length === 0 || size > left) omitted++;
      else {
        left -= size;
        messages.push(...made);
      }
    }
    const error = run.error && { name: run.error.name, message: run.error.message.slice(0, 2_000) };
    return [{ text: fingerprint(cell.source), edited: run.source !== cell.source, status, milliseconds: run.saved?.milliseconds ?? run.milliseconds, error, messages, omitted }];
  });
  return saved.length > 0 ? JSON.stringify(saved, write) : "";
}

/** What each of these cells showed: cells are told by their texts, in order. */
export function unpackOutputs(json: string, cells: readonly Cell[]): Map<string, SavedCell> {
  const found = new Map<string, SavedCell>();
  let saved: unknown = null;
  try {
    saved = JSON.parse(json, read);
  } catch {
    // Cut off or written by another program: as good as none.
  }
  if (!Array.isArray(saved)) return found;
  const waiting = new Map<string, SavedCell[]>();
  for (const each of saved as readonly unknown[]) {
    if (!savedCell(each)) continue;
    const known = waiting.get(each.text) ?? [];
    known.push({ ...each, messages: each.messages.filter(isShown) });
    waiting.set(each.text, known);
  }
  for (const { id, source } of cells) {
    const first = waiting.get(fingerprint(source))?.shift();
    if (first) found.set(id, first);
  }
  return found;
}

/** What would make the output again; none for a picture, whose pixels are the page's alone; null for what only lives while its worker does. */
function messagesOf(output: Output): ShownMessage[] | null {
  const { id } = output;
  if (output.kind === "text") {
    const { stream, head, tail, omitted } = output;
    const text = (part: string, gap: number): ShownMessage => ({ type: "text", run: 0, output: id, stream, text: part, omitted: gap });
    return tail === "" && omitted === 0 ? [text(head, 0)] : [text(head, 0), text(tail, omitted)];
  }
  const { content, points } = output;
  if (content.kind === "button" || content.kind === "pad" || content.kind === "animation") return null;
  if (content.kind === "image") return [];
  const shown = content.kind === "progress" ? { ...content, ended: true } : content;
  const made: ShownMessage[] = [{ type: "output", run: 0, output: id, content: shown }];
  for (let at = 0; at < points.length; at += 10_000) made.push({ type: "points", run: 0, output: id, points: points.slice(at, at + 10_000) });
  return made;
}
