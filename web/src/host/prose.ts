// Markdown formatting in a worker, so that the page never waits for it. The worker formats one text
// after another, each within a time limit. A text that takes longer costs the worker, which this
// file ends; the page then shows the text unformatted.

import workerUrl from "../prose/worker?worker&url";
import type { Prose } from "../state/prose/prose-tree";
import { scriptAddress } from "./trusted";

export interface ProseRequest {
  readonly id: number;
  readonly source: string;
}
/** What the worker says of a request; of request 0, that it is there. */
export interface ProseReply {
  readonly id: number;
  readonly prose: Prose | null;
  /** The worker waits for the network, or has done so: the text's time begins anew. */
  readonly fetching?: boolean;
}

/** Milliseconds for a text; after a few that did not keep to it, the others get less. */
const TIME = 1_000;
const LESS_TIME = 150;
const STRIKES = 3;
/** Milliseconds for the worker to start. */
const START = 15_000;

interface Waiting {
  readonly source: string;
  readonly done: (prose: Prose | null) => void;
}

class ProseReader {
  private worker: Worker | null = null;
  private ready = false;
  private queue: Waiting[] = [];
  private active: (Waiting & { id: number }) | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lastId = 0;
  private strikes = 0;

  read(source: string): Promise<Prose | null> {
    return new Promise((done) => {
      this.queue.push({ source, done });
      this.next();
    });
  }

  /** Starts the worker before the first text is there. */
  start(): void {
    if (this.worker) return;
    this.ready = false;
    this.worker = new Worker(scriptAddress(workerUrl), { type: "module", name: "weft prose" });
    this.worker.onmessage = ({ data }: MessageEvent<ProseReply>) => this.receive(data);
    this.worker.onerror = () => this.giveUp();
    this.timer = setTimeout(() => this.giveUp(), START);
  }

  private next(): void {
    if (this.active || this.queue.length === 0) return;
    this.start();
    if (!this.ready) return;
    const id = ++this.lastId;
    this.active = { ...this.queue.shift()!, id };
    this.worker!.postMessage({ id, source: this.active.source } satisfies ProseRequest);
    this.allow(this.time);
  }

  private get time(): number {
    return this.strikes < STRIKES ? TIME : LESS_TIME;
  }

  private allow(milliseconds: number): void {
    this.timer = setTimeout(() => this.giveUp(), milliseconds);
  }

  private receive({ id, prose, fetching }: ProseReply): void {
    if (id === 0) this.ready = true;
    else if (id !== this.active?.id) return;
    clearTimeout(this.timer);
    if (fetching !== undefined) return this.allow(fetching ? START : this.time);
    const { active } = this;
    this.active = null;
    if (id !== 0) active?.done(prose);
    this.next();
  }

  /** Ends the worker; the text that it was at, or, where it never started, every one, goes
   * unformatted. */
  private giveUp(): void {
    clearTimeout(this.timer);
    this.worker?.terminate();
    this.worker = null;
    const given = this.active ? [this.active] : this.queue.splice(0);
    if (this.active) this.strikes++;
    this.active = null;
    for (const { done } of given) done(null);
    this.next();
  }
}

const reader = new ProseReader();
export const startProse = () => reader.start();
/** Null where the text could not be read in time. */
export const readProse = (source: string) => reader.read(source);
