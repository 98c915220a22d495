// The outputs of a cell: a list that messages append to and replace. It is bounded, so that a cell
// which never stops cannot fill the page or its memory. It counts the outputs beyond the bound, and
// the reader can ask to see them.

import type { ChartPoint, Content, OutputId, TextStream, WorkerMessage } from "../../protocol/messages";
import { brief, percent } from "../figure";
import { plotText } from "../plots/text";
import { soundText } from "./sound";
import type { ShownContent } from "./kept";
import { duration } from "./progress";
import { costOf, HELD, isLive, LIVE, PageRooms, Room, SHOWN } from "./room";
import type { Cost } from "./room";

interface Held {
  readonly id: OutputId;
  /** Whether it stands on the page; if not, it is counted there, and shown when the reader asks. */
  shown: boolean;
  cost: Cost;
}

export interface TextOutput extends Held {
  readonly kind: "text";
  readonly stream: TextStream;
  /** Lines from the start, then, where some were left out, the latest. */
  head: string;
  tail: string;
  omitted: number;
}

export interface ContentOutput extends Held {
  readonly kind: "content";
  content: ShownContent;
  /** What a chart draws. */
  readonly points: ChartPoint[];
}

export type Output = TextOutput | ContentOutput;

/** What makes or changes an output: said by a worker, or read from what an earlier visit kept. */
export type OutputMessage = Extract<WorkerMessage, { type: "text" | "points" }> | { type: "output"; run: number; output: OutputId; content: ShownContent };

const MAX_HEAD = 60_000;
const MAX_TAIL = 60_000;
/** Of a text for which there is no more room, so many of the latest characters are kept. */
const LEAST_TAIL = 4_000;
/** Numbers that the charts of a run hold, series times points: what can be drawn anew in a
 * frame. */
const MAX_NUMBERS = 400_000;

/** So many outputs that were not kept are known by their ids. */
const MAX_REFUSED = 100_000;

const goesOn = (output: Output) => output.kind === "content" && isLive(output.content);
const countLines = (text: string) => text.split("\n").length - 1;

export class Outputs {
  /** What is held, shown or not, in the order in which the cell made it. */
  readonly list: Output[] = [];
  /** Outputs that were not kept. */
  dropped = 0;
  private readonly known = new Map<OutputId, Output>();
  /** Shown although there is no room: what a run said and showed last may be its result. */
  private readonly latest: Record<Output["kind"], Output | null> = { text: null, content: null };
  /** What a message touched last, of each kind. */
  private readonly touched: Record<Output["kind"], Output | null> = { text: null, content: null };
  /** Held although there is no room, one of each kind, for the same reason: the result may be text,
   * and come before what was shown last. */
  private readonly spare: Record<Output["kind"], Output | null> = { text: null, content: null };
  private readonly shown: Room;
  private readonly held: Room;
  private readonly live = new Room(LIVE);
  /** Animations that play. */
  private readonly moving = new Set<OutputId>();
  /** What goes on and was not kept: its news are not counted again. */
  private readonly refused = new Set<OutputId>();

  constructor(page: PageRooms = new PageRooms()) {
    this.shown = new Room(SHOWN, page.shown);
    this.held = new Room(HELD, page.held);
  }

  /** Whether something is drawn frame by frame just now. */
  get playing(): boolean {
    return this.moving.size > 0;
  }

  /** What is held under an id. */
  find(id: OutputId): Output | undefined {
    return this.known.get(id);
  }

  /** How many outputs are held and not shown. */
  get hidden(): number {
    return this.list.reduce((count, { shown }) => count + (shown ? 0 : 1), 0);
  }

  /** Applies a message; the output it touched, or null if it was refused. */
  apply(message: OutputMessage): Output | null {
    const output = this.take(message);
    if (!output) return null;
    // What goes on by itself is no result, even where its news come last.
    const before = this.touched[output.kind];
    if (!before || !goesOn(output) || output.id > before.id) this.touched[output.kind] = output;
    if (output.kind === "content" && output.content.kind === "animation") {
      if (output.content.state === "playing") this.moving.add(output.id);
      else this.moving.delete(output.id);
    }
    return output;
  }

  private take(message: OutputMessage): Output | null {
    switch (message.type) {
      case "text":
        return this.appendText(message.output, message.stream, message.text, message.omitted);
      case "output":
        return this.show(message.output, message.content);
      case "points":
        return this.addPoints(message.output, message.points);
    }
  }

  /** Shows what came last, text and other, in the place of what had come last before; true if
   * something changed. */
  settle(): boolean {
    let changed = false;
    for (const kind of ["text", "content"] as const) {
      const latest = this.touched[kind];
      if (!latest || latest.shown || !this.known.has(latest.id)) continue;
      const before = this.latest[kind];
      // A picture that was drawn is not there to be drawn again.
      if (before?.kind === "content" && before.content.kind === "image") this.drop(before);
      else if (before) before.shown = false;
      latest.shown = true;
      this.latest[kind] = latest;
      changed = true;
    }
    return changed;
  }

  /** Shows more of what is held: as much as a run shows by itself, and at least one output. */
  reveal(): void {
    const more = new Room(SHOWN);
    let first = true;
    for (const output of this.list) {
      if (output.shown) continue;
      if (!more.take(output.cost) && !first) return;
      first = false;
      output.shown = true;
    }
  }

  /** Forgets all of it: what it took is free again. */
  end(): void {
    this.shown.end();
    this.held.end();
    for (const output of this.list) release(output);
    this.list.length = 0;
    this.known.clear();
    this.moving.clear();
    this.refused.clear();
  }

  private add<T extends Output>(output: T): T {
    const { kind } = output;
    const live = output.kind === "content" && isLive(output.content) && this.live.take(output.cost);
    if (live) this.held.takeAnyway(output.cost);
    else if (!this.held.take(output.cost)) {
      if (this.spare[kind]) this.drop(this.spare[kind]);
      this.spare[kind] = output;
    }
    if (live) this.shown.takeAnyway(output.cost);
    output.shown = live || (output !== this.spare[kind] && this.shown.take(output.cost));
    // In the order in which the cell made them, whichever was ready first.
    const later = this.list.findLastIndex(({ id }) => id < output.id) + 1;
    this.list.splice(later, 0, output);
    this.known.set(output.id, output);
    return output;
  }

  /** Whether something that goes on comes too late: there is no room, and what came last, perhaps
   * the result, was made after it. */
  private refuses(id: OutputId, content: ShownContent): boolean {
    const cost = costOf(content);
    const spare = this.spare.content;
    if (!isLive(content) || !spare || spare.id < id || this.live.fits(cost) || this.held.fits(cost)) return false;
    if (this.refused.has(id)) return true;
    if (this.refused.size < MAX_REFUSED) this.refused.add(id);
    this.dropped++;
    return true;
  }

  private drop(output: Output): void {
    const at = this.list.indexOf(output);
    if (at < 0) return;
    this.list.splice(at, 1);
    this.known.delete(output.id);
    this.moving.delete(output.id);
    this.dropped++;
    if (goesOn(output) && this.refused.size < MAX_REFUSED) this.refused.add(output.id);
    if (output === this.spare[output.kind]) this.spare[output.kind] = null;
    else this.held.give(output.cost);
    if (output === this.latest[output.kind]) this.latest[output.kind] = null;
    release(output);
  }

  /** Whether there is room for what an output costs now. */
  private grow(output: Output, cost: Cost): boolean {
    if (output === this.spare[output.kind]) return true;
    this.held.give(output.cost);
    if (!this.held.take(cost)) {
      this.held.takeAnyway(output.cost);
      return false;
    }
    output.cost = cost;
    return true;
  }

  private appendText(id: OutputId, stream: TextStream, text: string, omitted: number): Output | null {
    const known = this.known.get(id);
    if (known && known.kind !== "text") return null;
    const output = known ?? this.add<TextOutput>({ id, kind: "text", stream, head: "", tail: "", omitted: 0, shown: false, cost: textCost(text.length) });
    const roomy = this.grow(output, textCost(Math.min(output.head.length + output.tail.length + text.length, MAX_HEAD + MAX_TAIL)));
    if (roomy && omitted === 0 && output.tail === "" && output.omitted === 0 && output.head.length + text.length <= MAX_HEAD) {
      output.head += text;
      return output;
    }
    output.tail += text;
    output.omitted += omitted;
    const most = roomy ? MAX_TAIL : LEAST_TAIL;
    if (output.tail.length > most) {
      const cut = output.tail.indexOf("\n", output.tail.length - most) + 1 || output.tail.length - most;
      output.omitted += countLines(output.tail.slice(0, cut));
      output.tail = output.tail.slice(cut);
    }
    return output;
  }

  private show(id: OutputId, content: ShownContent): Output | null {
    const known = this.known.get(id);
    if (!known) return this.refuses(id, content) ? null : this.add<ContentOutput>({ id, kind: "content", content, points: [], shown: false, cost: costOf(content) });
    const fits = known.kind === "content" && known.content.kind === content.kind && this.grow(known, costOf(content, known.points.length));
    if (!fits) {
      if (content.kind === "image") content.bitmap.close();
      return null;
    }
    release(known);
    known.content = content;
    return known;
  }

  private addPoints(id: OutputId, points: readonly ChartPoint[]): Output | null {
    const known = this.known.get(id);
    if (known?.kind !== "content" || known.content.kind !== "chart") return null;
    for (const point of points) known.points.push(point);
    const series = this.list.reduce((sum, output) => sum + (output.kind === "content" ? seriesOf(output.content) : 0), 0);
    // Beyond what a screen can show apart, every second older point is let go.
    if (known.points.length > MAX_NUMBERS / series) {
      const half = known.points.length >> 1;
      known.points.splice(0, half, ...known.points.slice(0, half).filter((_, i) => i % 2 === 0));
    }
    return known;
  }
}

const textCost = (length: number): Cost => ({ outputs: 1, nodes: 2, pixels: 0, bytes: 200 + 2 * length });
const seriesOf = (content: ShownContent) => (content.kind === "chart" ? content.panels.reduce((sum, panel) => sum + panel.series.length, 0) : 0);

/** A picture that nobody will draw any more is let go of at once. */
function release(output: Output): void {
  if (output.kind === "content" && output.content.kind === "image") output.content.bitmap.close();
}

/** The output as plain text, for a terminal, for a copy and for a screen reader; "" where there is
 * nothing to say. */
export function outputText(content: ShownContent): string {
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
    case "kept":
      return `${content.title || "image"}: ${content.count}${content.omitted > 0 ? ` of ${content.count + content.omitted}` : ""} × ${content.tile.height}×${content.tile.width}`;
    case "chart":
      return `${content.title || "chart"}: ${content.panels.flatMap((panel) => panel.series).join(", ")}`;
    case "plot":
      return plotText(content);
    case "progress":
      return progressText(content);
    case "control":
      return `${content.label}: ${String(content.choice.value)}`;
    case "pad":
      return readingText(content);
    case "download":
      return `Download ${content.name}`;
    case "sound":
      return soundText(content);
    case "animation":
    case "button":
      return "";
  }
}

function tensorText({ title, summary }: Content<"tensor">): string {
  const { dtype, shape, statistics, corner, cut } = summary;
  const name = title ? `${title}: ` : "";
  const range = statistics
    ? ` min ${brief(statistics.min)} max ${brief(statistics.max)} mean ${brief(statistics.mean)}` +
      ` NaN ${statistics.nan}`
    : "";
  const rows = corner.map((row) => `  ${row.join(" ")}${cut.columns ? " …" : ""}`);
  return [`${name}${dtype}[${shape.join(",")}]${range}`, ...rows, ...(cut.rows ? ["  …"] : [])].join("\n");
}

/** "7, 93 %" */
function readingText({ reading }: Content<"pad">): string {
  if (!reading?.shares) return "";
  const best = reading.shares.indexOf(Math.max(...reading.shares));
  return `${reading.labels[best] ?? ""}, ${percent(reading.shares[best] ?? 0)}`;
}

function progressText({ label, done, total, text, elapsed }: Content<"progress">): string {
  const parts = [`${label || "progress"} ${done}/${total}`, text, duration(elapsed)];
  return parts.filter((part) => part !== "").join(" · ");
}
