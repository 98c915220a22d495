// Filter for the worker's messages. A message passes if it has the form it claims and a size that
// the page can take, and while the worker sends no more messages than the page can handle. The
// frame filters in its own process: a message that it refuses costs the page nothing.

import { fromWorker } from "./messages";
import type { WorkerMessage } from "./messages";

/** Bytes that one message may weigh, pixels aside. */
const HEAVIEST = 4_000_000;
/** Messages that may be handled in a row while other work of the frame waits: more were sent than
 * can be handled. */
const BACKLOG = 3_000;
/** What may pass in a second before the notebook is ended: messages, of which a page can handle so
 * many, and their bytes. */
const MESSAGES = 6_000;
const BYTES = 128_000_000;
const PIXELS = 400_000_000;

export interface Passed {
  readonly pass: WorkerMessage;
  readonly moved: Transferable[];
  /** Bytes that the page has to take in, about. */
  readonly weight: number;
}
export type Verdict = Passed | "refused" | "flood";

/** What is handed on at a time, and after how many milliseconds the next: between them the page
 * paints. */
const SLICE_BYTES = 600_000;
const SLICE_MESSAGES = 150;
const PAUSE = 30;
/** Bytes that may wait to be handed on before the notebook is ended. */
const MOST_WAITING = 256_000_000;

/** Hands messages on in order, no faster than a page can take them in without missing frames. */
export class Valve {
  private waiting: Passed[] = [];
  private weight = 0;
  private left = { bytes: SLICE_BYTES, messages: SLICE_MESSAGES };
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly send: (message: Passed) => void) {}

  /** Takes a message; false where more wait than a page could take in. */
  add(message: Passed): boolean {
    this.waiting.push(message);
    this.weight += message.weight;
    this.pour();
    return this.weight <= MOST_WAITING;
  }

  private pour(): void {
    let sent = 0;
    for (const message of this.waiting) {
      if (this.left.bytes <= 0 || this.left.messages <= 0) break;
      this.left.bytes -= message.weight;
      this.left.messages--;
      this.weight -= message.weight;
      this.send(message);
      sent++;
    }
    if (sent > 0) this.waiting = this.waiting.slice(sent);
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      const idle = this.waiting.length === 0 && this.left.bytes === SLICE_BYTES;
      this.left = { bytes: Math.min(SLICE_BYTES, this.left.bytes + SLICE_BYTES), messages: SLICE_MESSAGES };
      if (!idle) this.pour();
    }, PAUSE);
  }
}

export class Gate {
  private since = -Infinity;
  private messages = 0;
  private bytes = 0;
  private pixels = 0;
  private ready = false;
  private inARow = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether the worker has said that it runs. */
  get open(): boolean {
    return this.ready;
  }

  /** Something other than a message had its turn: the worker is not ahead. */
  breathe(): void {
    this.inARow = 0;
  }

  judge(data: unknown): Verdict {
    if (++this.inARow > BACKLOG) return "flood";
    if (this.now() - this.since > 1_000) {
      this.since = this.now();
      [this.messages, this.bytes, this.pixels] = [0, 0, 0];
    }
    if (++this.messages > MESSAGES) return "flood";
    if (!fromWorker(data)) return "refused";
    let weight = 0;
    const message = fromWorker.copy(data, (bytes) => (weight += bytes));
    this.bytes += weight;
    if (this.bytes > BYTES) return "flood";
    if (weight > HEAVIEST) return "refused";
    const { type } = message;
    // Said once, before any cell runs: what a cell makes the worker say of its device is no word of
    // the library's.
    if (type === "ready" || type === "unusable") {
      if (this.ready) return "refused";
      this.ready = true;
    }
    if (type === "output" && message.content.kind === "image") {
      const { bitmap, tile, columns, count } = message.content;
      if (bitmap.width !== columns * tile.width || bitmap.height !== Math.ceil(count / columns) * tile.height) return "refused";
      this.pixels += bitmap.width * bitmap.height;
      if (this.pixels > PIXELS) return "flood";
      return { pass: message, moved: [bitmap], weight };
    }
    return { pass: message, moved: [], weight };
  }
}
