// The reader's camera and microphone, as tensors. The page opens them, once the reader allows it,
// and hands out a picture or a piece of sound when a cell asks for one. They are off when the cell
// runs again, when the reader stops them, and after a restart.

import { data, tensor } from "weft-gpu";
import type { Sample } from "../../protocol/messages";
import { send } from "../channel/port";
import { Requests } from "../channel/requests";
import { checkOptions } from "../displays/arguments";
import type { Tensor } from "../library/library";
import { ask } from "../run/ask";

const samples = new Requests<Sample>();
export const sampleArrived = (request: number, sample: Sample) => samples.answered(request, sample);

/** Why devices are off, by their sources. */
const released = new Map<number, string>();
const on = new Set<number>();

export function deviceReleased(source: number, why: string): void {
  if (on.delete(source)) released.set(source, why);
}

class Source {
  constructor(
    protected readonly what: string,
    protected readonly source: number,
  ) {
    on.add(source);
  }

  /** Whether it is on. */
  get on(): boolean {
    return on.has(this.source);
  }

  /** Turns it off. */
  stop(): void {
    if (!on.delete(this.source)) return;
    released.set(this.source, "it was stopped");
    send({ type: "release", source: this.source });
  }

  protected async take(seconds: number, fromNow: boolean): Promise<Exclude<Sample, { kind: "off" }>> {
    const off = (why: string) => new Error(`${this.what}: ${why}`);
    if (!this.on) throw off(released.get(this.source) ?? "it is off");
    const sample = await samples.ask((request) => send({ type: "sample", request, source: this.source, seconds, fromNow }));
    if (sample.kind === "off") throw off(released.get(this.source) ?? sample.message);
    return sample;
  }
}

class Camera extends Source {
  constructor(
    source: number,
    readonly width: number,
    readonly height: number,
  ) {
    super("camera", source);
  }

  /** The next picture: f32 [height, width, 3], from 0 to 1. */
  async frame(): Promise<Tensor> {
    const sample = await this.take(0, true);
    if (sample.kind !== "picture") throw new Error("camera: it gave no picture");
    try {
      return await data.image(sample.bitmap, { dtype: "f32" });
    } finally {
      sample.bitmap.close();
    }
  }
}

export interface CameraOptions {
  /** Size of the pictures; 320 × 240 by default. */
  width?: number;
  height?: number;
  /** The camera that looks at the reader, the default, or the one that looks away. */
  facing?: "user" | "environment";
  /** Shown to the reader, who is asked. */
  why?: string;
}

const SIDES = [16, 1_920] as const;

/**
 * Opens the reader's camera, once the reader allows it; each `await camera.frame()` is its next
 * picture, as a tensor. Pictures never leave the browser: from then on the notebook reaches no
 * host. Throws `NotAllowed` where the reader refuses.
 *
 * @example
 * const eye = await camera({ width: 320, height: 240 });
 * const view = image(await eye.frame());
 * for (let i = 0; i < 100; i++) view.update(await eye.frame());
 * eye.stop();
 */
export async function camera(options: CameraOptions = {}): Promise<Camera> {
  checkOptions("camera", options, ["width", "height", "facing", "why"]);
  const { width = 320, height = 240, facing = "user", why } = options;
  for (const side of [width, height]) if (!(Number.isInteger(side) && side >= SIDES[0] && side <= SIDES[1])) throw new RangeError(`camera: width and height must be between ${SIDES[0]} and ${SIDES[1]}, not ${String(side)}`);
  if (facing !== "user" && facing !== "environment") throw new TypeError(`camera: facing must be "user" or "environment", not ${String(facing)}`);
  const { source } = await ask({ kind: "camera", width, height, facing }, why);
  return new Camera(source, width, height);
}

const MOST_SECONDS = 60;

class Microphone extends Source {
  constructor(
    source: number,
    /** Samples a second. */
    readonly rate: number,
  ) {
    super("microphone", source);
  }

  /** The latest samples, `count` of them: f32 [count], from -1 to 1. */
  read(count = 2_048): Promise<Tensor> {
    if (!(Number.isInteger(count) && count >= 1 && count <= MOST_SECONDS * this.rate)) throw new RangeError(`microphone: the number of samples must be between 1 and ${MOST_SECONDS * this.rate}, not ${String(count)}`);
    return this.sound(count / this.rate, false);
  }

  /** The samples of the seconds to come: f32 [seconds × rate]. */
  record(seconds: number): Promise<Tensor> {
    if (!(typeof seconds === "number" && seconds > 0 && seconds <= MOST_SECONDS)) throw new RangeError(`microphone: seconds must be more than 0 and at most ${MOST_SECONDS}, not ${String(seconds)}`);
    return this.sound(seconds, true);
  }

  private async sound(seconds: number, fromNow: boolean): Promise<Tensor> {
    const sample = await this.take(seconds, fromNow);
    if (sample.kind !== "sound") throw new Error("microphone: it gave no sound");
    return tensor(sample.samples);
  }
}

/**
 * Opens the reader's microphone, once the reader allows it: `await mic.record(2)` is the sound of
 * the next two seconds, `await mic.read(4096)` its latest samples. Sound never leaves the browser,
 * as with `camera`. Throws `NotAllowed` where the reader refuses.
 *
 * @example
 * const ear = await microphone();
 * const sound = await ear.record(1);
 * ear.stop();
 * plot(sound);
 */
export async function microphone(options: { why?: string } = {}): Promise<Microphone> {
  checkOptions("microphone", options, ["why"]);
  const { source, rate } = await ask({ kind: "microphone" }, options.why);
  return new Microphone(source, rate);
}
