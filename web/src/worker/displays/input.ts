// Input from the reader: clicks on buttons and drawings on pads. Callbacks run in the worker, and
// their outputs appear below the cell that made them; cells that use the name of a button or a pad
// run again (see `state/run/reactions.ts`).

import type { Content, OutputId, RunId } from "../../protocol/messages";
import { MAX_LABELS } from "../../protocol/messages";
import { awaitFrom, Stopped } from "../channel/context";
import type { Slot } from "../channel/context";
import { checkOptions } from "./arguments";
import { nameable } from "./controls";
import { fill, openSlot, shownHandles } from "./displays";
import { isTensor } from "../library/library";
import type { Tensor } from "../library/library";
import { Pace } from "../channel/pace";
import { reportError, send } from "../channel/port";

type Callback<T extends unknown[]> = (...values: T) => unknown;

/** What a button or a pad does, for as long as the run that made it is the latest of its cell. */
interface Listener<T extends unknown[]> {
  readonly run: RunId | null;
  readonly call: (...values: T) => void;
}

const buttons = new Map<OutputId, Listener<[]>>();
const pads = new Map<OutputId, Listener<[Float32Array<ArrayBuffer>]>>();

export const clicked = (output: OutputId) => buttons.get(output)?.call();
export const drawn = (output: OutputId, pixels: Float32Array<ArrayBuffer>) => pads.get(output)?.call(pixels);

/** Forgets what a run listened for: its outputs are gone from the page. */
export function forgetInputs(run: RunId): void {
  for (const listeners of [buttons, pads]) for (const [output, listener] of listeners) if (listener.run === run) listeners.delete(output);
}

async function call<T extends unknown[]>(run: RunId | null, callback: Callback<T>, ...values: T): Promise<void> {
  try {
    await awaitFrom(run, () => callback(...values));
  } catch (error) {
    if (!(error instanceof Stopped)) send({ type: "stray", run, error: reportError(error) });
  }
}

/**
 * A button that counts its clicks. Clicks during a running call of `onClick` are dropped.
 *
 * @example
 * const roll = button("Roll the dice");
 * print(`${roll.clicks} rolls, the last one`, random.randint([2], 1, 7));
 */
export const button = nameable((name, label: string, onClick?: Callback<[]>): { readonly label: string; readonly clicks: number } => {
  if (onClick !== undefined && typeof onClick !== "function") throw new TypeError("button: the second argument must be a function");
  const slot = openSlot();
  const handle = { label, clicks: 0 };
  let working = false;
  const press = () => {
    handle.clicks++;
    if (working || !onClick) return;
    working = true;
    void call(slot.run, onClick).finally(() => (working = false));
  };
  buttons.set(slot.output, { run: slot.run, call: press });
  fill(slot, { kind: "button", name, label: String(label).slice(0, 390) });
  shownHandles.add(handle);
  return handle;
});

export interface DrawOptions {
  /** The side of the result in pixels. */
  size?: number;
  /** Empty pixels on each side, or [horizontal, vertical]; the drawing is scaled into the rest. */
  margin?: number | readonly [number, number];
  /** `mass`: keeps proportions and centres the drawing by its mass, as in MNIST; `box`: fills the
   * height. */
  fit?: "mass" | "box";
  /** The mean of the values: strokes become as thick as that needs. By default, as drawn. */
  ink?: number;
  label?: string;
  /** The possible readings of the drawing, such as the ten digits, shown beside it; `guess` fills
   * them. */
  labels?: readonly unknown[];
}

const PACE = 50;

class Pad {
  private pixels: Float32Array<ArrayBuffer>;
  private callback: Callback<[Float32Array<ArrayBuffer>]> | null = null;
  private working = false;
  private changedMeanwhile = false;
  private guesses = 0;
  private readonly pace = new Pace(() => fill(this.slot, { ...this.content }), PACE);

  constructor(
    private readonly slot: Slot,
    private readonly content: Content<"pad">,
  ) {
    this.pixels = new Float32Array(this.size * this.size);
    shownHandles.add(this);
    this.pace.flush();
  }

  /** The side of the result in pixels. */
  get size(): number {
    return this.content.size;
  }

  /** Shows a reading of the drawing beside the pad: a share from 0 to 1 for each label, or null for
   * an empty pad. */
  async guess(shares: Tensor | ArrayLike<number> | null): Promise<void> {
    const { reading } = this.content;
    if (!reading) throw new TypeError("guess: the pad has no labels; give them to it: draw({ labels: [0, 1, 2] })");
    const turn = ++this.guesses;
    const found = shares === null ? null : sharesOf(isTensor(shares) ? await shares.data() : shares, reading.labels.length);
    // A later guess was quicker.
    if (turn !== this.guesses) return;
    this.content.reading = { labels: reading.labels, shares: found };
    this.pace.changed();
  }

  /** The drawing as size × size values from 0 (empty) to 1 (ink), row by row. */
  read(): Promise<Float32Array<ArrayBuffer>> {
    return Promise.resolve(this.pixels.slice());
  }

  /** Calls back when the drawing changes; changes during a running call lead to one more call. */
  onChange(callback: Callback<[Float32Array<ArrayBuffer>]>): this {
    this.callback = callback;
    return this;
  }

  receive(pixels: Float32Array<ArrayBuffer>): void {
    this.pixels = pixels;
    if (this.working) this.changedMeanwhile = true;
    else void this.deliver();
  }

  private async deliver(): Promise<void> {
    if (!this.callback) return;
    this.working = true;
    do {
      this.changedMeanwhile = false;
      await call(this.slot.run, this.callback, this.pixels.slice());
    } while (this.changedMeanwhile as boolean);
    this.working = false;
  }
}

function sharesOf(values: unknown, count: number): number[] {
  const shares = typeof values === "object" && values !== null && "length" in values ? Array.from(values as ArrayLike<unknown>) : null;
  if (shares?.length !== count) throw new RangeError(`guess: give a share for each of ${count} labels, not ${shares ? `${shares.length} values` : typeof values}`);
  return shares.map((share) => {
    if (typeof share !== "number" || Number.isNaN(share)) throw new TypeError(`guess: shares must be numbers from 0 to 1, not ${typeof share === "number" ? "NaN" : typeof share}`);
    return Math.max(0, Math.min(1, share));
  });
}

/** Characters of a label beside a pad. */
const LABEL = 40;

function readLabels(labels: unknown): string[] {
  if (!Array.isArray(labels) || labels.length === 0 || labels.length > MAX_LABELS) throw new TypeError(`draw: labels must be a list of 1 to ${MAX_LABELS} words`);
  return Array.from(labels, (label) => String(label).slice(0, LABEL));
}

/**
 * A pad to draw on.
 *
 * @example
 * const pad = draw({ size: 28, label: "A digit" });
 */
export const draw = nameable((name, options: DrawOptions = {}): Pad => {
  checkOptions("draw", options, ["size", "margin", "fit", "ink", "label", "labels"]);
  const { size = 28, margin = Math.round(size / 7), fit = "mass", ink = null, label = "Draw here", labels } = options;
  if (!(Number.isInteger(size) && size >= 4 && size <= 256)) throw new RangeError(`draw: size must be between 4 and 256, not ${String(size)}`);
  const [across, down] = typeof margin === "number" ? [margin, margin] : margin;
  for (const side of [across, down])
    if (!(Number.isInteger(side) && side >= 0 && side * 2 < size)) throw new RangeError(`draw: a margin of ${String(side)} leaves nothing of ${size}`);
  if (fit !== "mass" && fit !== "box") throw new TypeError(`draw: fit must be "mass" or "box", not ${String(fit)}`);
  if (ink !== null && !(ink > 0 && ink < 1)) throw new RangeError(`draw: ink must be between 0 and 1, not ${String(ink)}`);
  const slot = openSlot();
  const reading = labels === undefined ? null : { labels: readLabels(labels), shares: null };
  const pad = new Pad(slot, { kind: "pad", name, reading, size, margin: [across, down], fit, ink, label: String(label).slice(0, 390) });
  pads.set(slot.output, { run: slot.run, call: (pixels) => pad.receive(pixels) });
  return pad;
});

/** `draw` as earlier notebooks call it. */
export const input = { draw };
