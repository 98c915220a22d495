// `progress`, a bar with the time left. As a loop it also lets the page update: `for await (const
// step of progress(1000)) …`.

import { throttle } from "weft-gpu";
import { breathe, check } from "../channel/context";
import { checkOptions } from "./arguments";
import { fill, openSlot, shownHandles } from "./displays";
import type { Slot } from "../channel/context";
import { Pace } from "../channel/pace";

export interface ProgressOptions {
  label?: string;
}

const PACE = 100;
const MAX_TEXT = 1_900;

class Progress implements AsyncIterable<number> {
  private readonly started = performance.now();
  private readonly pace = new Pace(() => this.show(), PACE);
  private done = 0;
  private text = "";
  private ended = false;

  constructor(
    private readonly slot: Slot,
    readonly total: number,
    private readonly label: string,
  ) {
    shownHandles.add(this);
    this.pace.flush();
  }

  /** Sets how much of the total is done; `text` adds a note, such as the loss. */
  update(done: number, text?: string): void {
    check();
    this.done = done;
    this.ended = done >= this.total;
    this.tell(text);
  }

  /** Ends the bar early. */
  end(text?: string): void {
    this.ended = true;
    this.tell(text);
  }

  async *[Symbol.asyncIterator](): AsyncIterator<number> {
    try {
      for (let i = 0; i < this.total; i++) {
        await breathe();
        await throttle();
        yield i;
        this.update(i + 1);
      }
    } finally {
      this.end();
    }
  }

  private tell(text: unknown): void {
    if (text !== undefined) this.text = String(text).slice(0, MAX_TEXT);
    this.pace.changed();
  }

  private show(): void {
    fill(this.slot, {
      kind: "progress",
      label: this.label,
      done: this.done,
      total: this.total,
      text: this.text,
      elapsed: performance.now() - this.started,
      ended: this.ended,
    });
  }
}

function open(total: number, options: ProgressOptions = {}): Progress {
  if (!(typeof total === "number" && total >= 0 && Number.isFinite(total)))
    throw new TypeError(`progress: the total must be a number, not ${String(total)}`);
  checkOptions("progress", options, ["label"]);
  return new Progress(openSlot(), total, (options.label ?? "").slice(0, 390));
}

/**
 * Shows a progress bar with the time left: `const bar = progress(100); bar.update(20, "loss 0.3")`.
 * As a loop it yields to the page: `for await (const step of progress(100))`.
 *
 * @example
 * for await (const step of progress(50, { label: "Steps" })) await nextFrame();
 */
export const progress = Object.assign(open, { range: open });
