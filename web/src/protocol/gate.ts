// Which of the worker's messages go on to the page? Those that are what they say, of a size that a page can take, and not
// more of them than it can handle. The frame asks this in its own process: what is refused there costs the page nothing.

import { fromWorker } from "./messages";
import type { WorkerMessage } from "./messages";

/** Bytes that one message may weigh, pixels aside. */
const HEAVIEST = 4_000_000;
/** What may pass in a second before the notebook is ended: messages, of which a page can handle so many, and their bytes. */
const MESSAGES = 6_000;
const BYTES = 64_000_000;
const PIXELS = 400_000_000;

export type Verdict = { pass: WorkerMessage; moved: Transferable[] } | "refused" | "flood";

export class Gate {
  private since = -Infinity;
  private messages = 0;
  private bytes = 0;
  private pixels = 0;
  private ready = false;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether the worker has said that it runs. */
  get open(): boolean {
    return this.ready;
  }

  judge(data: unknown): Verdict {
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
    // Said once, before any cell runs: what a cell makes the worker say of its device is no word of the library's.
    if (type === "ready" || type === "unusable") {
      if (this.ready) return "refused";
      this.ready = true;
    }
    if (type === "output" && message.content.kind === "image") {
      const { bitmap, tile, columns, count } = message.content;
      if (bitmap.width !== columns * tile.width || bitmap.height !== Math.ceil(count / columns) * tile.height) return "refused";
      this.pixels += bitmap.width * bitmap.height;
      if (this.pixels > PIXELS) return "flood";
      return { pass: message, moved: [bitmap] };
    }
    return { pass: message, moved: [] };
  }
}
