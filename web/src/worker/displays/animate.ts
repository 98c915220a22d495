// Animation of a cell's output. `animate` calls a function once a frame and shows what it returns,
// until the reader stops it or its cell runs again. The page's own controls play, pause and step
// it. It pauses out of view, and where the reader prefers no motion.

import { inFrame } from "./frame";
import type { Made } from "./frame";
import { throttle } from "weft-gpu";
import type { AnimationRequest, OutputId, RunId } from "../../protocol/messages";
import { collect } from "../library/collect";
import { awaitFrom, callFrom, currentRun, frameTime, Stopped } from "../channel/context";
import type { Slot } from "../channel/context";
import { checkOptions } from "./arguments";
import { track } from "../channel/pending";
import { fill, openSlot, shownHandles } from "./displays";
import { checkImageOptions, LiveImage } from "./images";
import type { ImageOptions, Pointer } from "./images";
import { isTensor } from "../library/library";
import type { Tensor } from "../library/library";
import { Pace } from "../channel/pace";
import { reportError, send } from "../channel/port";
import { flushText } from "./text";

export interface AnimateOptions extends Omit<ImageOptions, "labels" | "columns"> {
  /** The most frames per second; by default, as many as the screen shows. */
  fps?: number;
  /** Called before the first frame and when the reader presses Reset. Without it, Reset runs the
   * cell again. */
  start?: () => unknown;
}

/** Called for every frame with the seconds played, the number of the frame from 0, and the reader's
 * pointer on the picture. */
export type Frame = (time: number, frame: number, pointer: Pointer) => Tensor | void | Promise<Tensor | void>;

/** Milliseconds between reports of the rate to the page. */
const PACE = 250;
/** Frames between looks at what the engine could collect. */
const COLLECT = 30;
/** Seconds that a frame stands for at most, and a step: a pause is no leap. */
const LEAP = 0.1;
const STEP = 1 / 60;

/** What a cell may animate at a time: each takes its share of every frame of the page. */
const MOST = 20;

const animations = new Map<OutputId, Animation>();
let still = false;

/** Whether what the coming run animates waits for the reader. */
export function expectAnimations(wanted: boolean): void {
  still = wanted;
}

export const askAnimation = (output: OutputId, does: AnimationRequest) => animations.get(output)?.ask(does);

/** What a run animates is over. */
export function endAnimations(run: RunId): void {
  for (const animation of [...animations.values()]) if (animation.bar.run === run) animation.end();
}

class Animation {
  private playing = !still;
  private seen = false;
  private ended = false;
  /** Frames to draw whether it plays or not: the first, and those that the reader steps through. */
  private owed = 1;
  private resetting = true;
  private time = 0;
  private frame = 0;
  private last: number | null = null;
  /** Milliseconds between frames of late, 0 where nothing plays: frames come in bursts, so that it
   * is times that are averaged. */
  private interval = 0;
  private readonly made: Made = { at: 0, displays: [] };
  private wake: () => void = () => undefined;
  private readonly pace = new Pace(() => this.tell(), PACE);

  constructor(
    readonly bar: Slot,
    private readonly picture: LiveImage,
    private readonly draw: Frame,
    private readonly options: AnimateOptions,
  ) {
    shownHandles.add(this);
    animations.set(bar.output, this);
  }

  /** Plays on, from where it stands. */
  play(): void {
    this.ask("play");
  }

  pause(): void {
    this.ask("pause");
  }

  /** Ends it: only another run of its cell begins anew. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    animations.delete(this.bar.output);
    this.wake();
    this.pace.flush();
  }

  ask(does: AnimationRequest): void {
    if (this.ended) return;
    if (does === "play" || does === "pause") this.playing = does === "play";
    if (does === "seen" || does === "unseen") this.seen = does === "seen";
    if (does === "step") {
      this.playing = false;
      this.owed = 1;
    }
    if (does === "reset") {
      this.resetting = true;
      this.owed = 1;
    }
    if (!this.playing) this.interval = 0;
    this.wake();
    this.pace.flush();
  }

  async run(): Promise<void> {
    try {
      // The first frame belongs to the cell, and its failure too.
      await this.next();
      this.pace.flush();
    } catch (error) {
      this.end();
      throw error;
    }
    void this.goOn();
  }

  private async goOn(): Promise<void> {
    try {
      while (!this.ended) {
        if (this.owed > 0 || (this.playing && this.seen)) await this.next();
        else {
          this.last = null;
          await new Promise<void>((resolve) => (this.wake = resolve));
        }
      }
    } catch (error) {
      this.end();
      flushText();
      send({ type: "stray", run: this.bar.run, error: reportError(error) });
    }
  }

  private async next(): Promise<void> {
    const now = await this.turn();
    if (this.ended) return;
    const stepped = this.owed > 0;
    this.owed = 0;
    const passed = this.last === null || stepped ? STEP : Math.min(LEAP, (now - this.last) / 1_000);
    if (this.last !== null && !stepped) this.interval += (now - this.last - this.interval) * (this.interval === 0 ? 1 : 0.1);
    this.last = now;
    try {
      if (this.resetting) {
        this.resetting = false;
        [this.time, this.frame] = [0, 0];
        await awaitFrom(this.bar.run, () => this.options.start?.());
      }
      const drawn: unknown = await awaitFrom(this.bar.run, () => inFrame(this.made, () => this.draw(this.time, this.frame, this.picture.pointer)));
      if (isTensor(drawn) && drawn.ndim < 2) throw new TypeError(`animate: a frame is a picture, and a tensor of ${drawn.ndim === 0 ? "one number" : `one axis, [${drawn.shape.join(",")}],`} is none: return plot(x, y) to draw a curve that moves, or a tensor of two axes`);
      if (isTensor(drawn)) await callFrom(this.bar.run, () => this.picture.update(drawn));
      else if (drawn !== undefined && !(typeof drawn === "object" && drawn !== null && shownHandles.has(drawn))) throw new TypeError(`animate: a frame must be a tensor or nothing, not ${drawn === null ? "null" : typeof drawn}`);
      await throttle();
    } catch (error) {
      // It concerns the cell that runs meanwhile: this frame is drawn again.
      if (!(error instanceof Stopped)) throw error;
      this.owed = 1;
      return;
    }
    this.frame++;
    this.time += passed;
    if (this.frame % COLLECT === 0) await collect();
    this.pace.changed();
  }

  /** The time of the next frame that is due. */
  private async turn(): Promise<number> {
    for (;;) {
      const now = await frameTime();
      const { fps } = this.options;
      // A frame of the screen is late or early by a little.
      if (fps === undefined || this.last === null || this.owed > 0 || this.ended || now - this.last >= 1_000 / fps - 3) return now;
    }
  }

  private tell(): void {
    const state = this.ended ? "ended" : this.playing ? "playing" : "paused";
    fill(this.bar, { kind: "animation", title: (this.options.title ?? "").slice(0, 390), state, frame: this.frame, rate: this.ended || this.interval <= 0 ? 0 : Math.round(10_000 / this.interval) / 10, resets: this.options.start !== undefined });
  }
}

/**
 * Calls `draw` for every frame and shows the tensor that it returns, as `image` does; `draw` may
 * also return nothing, or show a plot, as in `animate((t) => plot(…))`. Throws `RangeError` if the
 * cell already runs twenty animations.
 *
 * @example
 * const x = linspace(0, 10, 120);
 * const y = x.reshape([120, 1]);
 * animate((time) => (sin(x + time) + cos(y - time)) / 4 + 0.5, { title: "Waves" });
 */
export function animate(draw: Frame, options: AnimateOptions = {}): Animation {
  if (typeof draw !== "function") throw new TypeError(`animate: the first argument must be a function that draws a frame, not ${draw === null ? "null" : typeof draw}`);
  checkOptions("animate", options, ["fps", "start", "title", "scale", "range", "colormap", "smooth"]);
  const { fps, start } = options;
  if (fps !== undefined && !(typeof fps === "number" && fps > 0 && fps <= 1_000)) throw new RangeError(`animate: fps must be between 0 and 1000, not ${String(fps)}`);
  if (start !== undefined && typeof start !== "function") throw new TypeError("animate: start must be a function");
  checkImageOptions("animate", options);
  const run = currentRun();
  const playing = [...animations.values()].filter(({ bar }) => bar.run === run).length;
  if (playing >= MOST) throw new RangeError(`animate: a cell can run at most ${MOST} animations; draw several in one frame, or end some`);
  const picture = new LiveImage(openSlot(), "image", options, draw.length > 2);
  const animation = new Animation(openSlot(), picture, draw, options);
  void track(animation.run(), animation.bar.run);
  return animation;
}
