// What has a cell shown so far? A list of outputs that messages append to and replace, bounded so that a cell
// which never stops printing cannot fill the page's memory.

import type { ChartPoint, Content, OutputContent, OutputId, TextStream, WorkerMessage } from "../protocol/messages";
import { duration } from "./progress";

export interface TextOutput {
  readonly id: OutputId;
  readonly kind: "text";
  readonly stream: TextStream;
  /** Lines from the start, then, where some were left out, the latest. */
  head: string;
  tail: string;
  omitted: number;
}

export interface ContentOutput {
  readonly id: OutputId;
  readonly kind: "content";
  content: OutputContent;
  /** What a chart draws. */
  readonly points: ChartPoint[];
}

export type Output = TextOutput | ContentOutput;

const MAX_OUTPUTS = 400;
const MAX_HEAD = 60_000;
const MAX_TAIL = 60_000;
const MAX_POINTS = 100_000;

const countLines = (text: string) => text.split("\n").length - 1;

export class Outputs {
  readonly list: Output[] = [];
  private readonly known = new Map<OutputId, Output>();

  /** Applies a message; the output it touched, or null if it was refused. */
  apply(message: Extract<WorkerMessage, { type: "output" | "text" | "points" }>): Output | null {
    switch (message.type) {
      case "text":
        return this.appendText(message.output, message.stream, message.text, message.omitted);
      case "output":
        return this.show(message.output, message.content);
      case "points":
        return this.addPoints(message.output, message.points);
    }
  }

  private add<T extends Output>(output: T): T | null {
    if (this.list.length >= MAX_OUTPUTS) return null;
    // In the order in which the cell made them, whichever was ready first.
    const later = this.list.findIndex(({ id }) => id > output.id);
    this.list.splice(later < 0 ? this.list.length : later, 0, output);
    this.known.set(output.id, output);
    return output;
  }

  private appendText(id: OutputId, stream: TextStream, text: string, omitted: number): Output | null {
    const known = this.known.get(id);
    if (known && known.kind !== "text") return null;
    const output = known ?? this.add<TextOutput>({ id, kind: "text", stream, head: "", tail: "", omitted: 0 });
    if (!output) return null;
    if (omitted === 0 && output.tail === "" && output.omitted === 0 && output.head.length + text.length <= MAX_HEAD) {
      output.head += text;
      return output;
    }
    output.tail += text;
    output.omitted += omitted;
    if (output.tail.length > MAX_TAIL) {
      const cut = output.tail.indexOf("\n", output.tail.length - MAX_TAIL) + 1 || output.tail.length - MAX_TAIL;
      output.omitted += countLines(output.tail.slice(0, cut));
      output.tail = output.tail.slice(cut);
    }
    return output;
  }

  private show(id: OutputId, content: OutputContent): Output | null {
    const known = this.known.get(id);
    if (!known) return this.add<ContentOutput>({ id, kind: "content", content, points: [] });
    if (known.kind !== "content" || known.content.kind !== content.kind) return null;
    known.content = content;
    return known;
  }

  private addPoints(id: OutputId, points: readonly ChartPoint[]): Output | null {
    const known = this.known.get(id);
    if (known?.kind !== "content" || known.content.kind !== "chart") return null;
    known.points.push(...points);
    // Beyond what a screen can show apart, every second older point is let go.
    if (known.points.length > MAX_POINTS) {
      const half = known.points.length >> 1;
      known.points.splice(0, half, ...known.points.slice(0, half).filter((_, i) => i % 2 === 0));
    }
    return known;
  }
}

/** The output as plain text, for a terminal, for a copy and for a screen reader; "" where there is nothing to say. */
export function outputText(content: OutputContent): string {
  switch (content.kind) {
    case "value":
      return content.text;
    case "markdown":
      return content.source;
    case "table":
      return [content.columns, ...content.rows].map((row) => row.join("\t")).join("\n");
    case "tensor":
      return tensorText(content);
    case "image":
      return `${content.title || "image"}: ${content.count} × ${content.tile.height}×${content.tile.width}`;
    case "chart":
      return `${content.title || "chart"}: ${content.panels.flatMap((panel) => panel.series).join(", ")}`;
    case "progress":
      return progressText(content);
    case "button":
    case "pad":
      return "";
  }
}

function tensorText({ title, summary }: Content<"tensor">): string {
  const { dtype, shape, statistics, corner, cut } = summary;
  const name = title ? `${title}: ` : "";
  const range = statistics
    ? ` min ${statistics.min.toPrecision(4)} max ${statistics.max.toPrecision(4)} mean ${statistics.mean.toPrecision(4)}` +
      ` NaN ${statistics.nan}`
    : "";
  const rows = corner.map((row) => `  ${row.join(" ")}${cut.columns ? " …" : ""}`);
  return [`${name}${dtype}[${shape.join(",")}]${range}`, ...rows, ...(cut.rows ? ["  …"] : [])].join("\n");
}

function progressText({ label, done, total, text, elapsed }: Content<"progress">): string {
  const parts = [`${label || "progress"} ${done}/${total}`, text, duration(elapsed)];
  return parts.filter((part) => part !== "").join(" · ");
}
