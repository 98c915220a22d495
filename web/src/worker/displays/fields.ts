// Controls of text, of two numbers, and of a number that plays: fields, ranges with two ends,
// points of the plane, and players.

import { MAX_TEXT } from "../../protocol/messages";
import type { ControlValue } from "../../protocol/messages";
import { checkOptions } from "./arguments";
import { finite, nameable, open, snap, usualStep } from "./controls";

export interface TextOptions {
  value?: string;
  /** Lines that the field shows, from 1 to 20; with more than one, Enter begins a new line. */
  lines?: number;
  /** What an empty field says. */
  hint?: string;
}

/**
 * A field for text; its value is a string.
 *
 * @example
 * const words = text("words", { value: "a few words" });
 * bars(Object.fromEntries(words.split(" ").map((word) => [word, word.length])));
 */
export const text = nameable((name, label: string, options: TextOptions = {}) => {
  checkOptions("text", options, ["value", "lines", "hint"]);
  const { value: initial = "", lines = 1, hint = "" } = options;
  if (typeof initial !== "string") throw new TypeError(`text: value must be a string, not ${typeof initial}`);
  if (initial.length > MAX_TEXT) throw new RangeError(`text: value has at most ${MAX_TEXT.toLocaleString("en")} characters, not ${initial.length.toLocaleString("en")}`);
  if (!(Number.isInteger(lines) && lines >= 1 && lines <= 20)) throw new RangeError(`text: lines must be a whole number from 1 to 20, not ${String(lines)}`);
  return open(name, "text", label, { type: "text", lines, hint: String(hint).slice(0, 120), initial }, (chosen) => (typeof chosen === "string" ? chosen : null), String);
});

export interface RangeOptions {
  min?: number;
  max?: number;
  step?: number;
  value?: readonly [number, number];
}

const pairOf = (chosen: ControlValue): [number, number] | null => (Array.isArray(chosen) && chosen.length === 2 ? [chosen[0], chosen[1]] : null);

function readRange(what: string, options: { min?: number; max?: number; step?: number }) {
  const min = finite(what, "min", options.min ?? 0);
  const max = finite(what, "max", options.max ?? 1);
  if (!(min < max)) throw new RangeError(`${what}: min must be below max, but ${min} is not below ${max}`);
  const step = finite(what, "step", options.step ?? usualStep(min, max));
  if (!(step > 0 && step <= max - min)) throw new RangeError(`${what}: step must be between 0 and the range, ${max - min}, not ${step}`);
  return { min, max, step };
}

/**
 * A slider with two ends; its value is [low, high].
 *
 * @example
 * const [low, high] = range("between", { min: -3, max: 3, step: 0.1, value: [-1, 1] });
 * hist(random.normal([1_000]).clip(low, high));
 */
export const range = nameable((name, label: string, options: RangeOptions = {}): [number, number] => {
  if (typeof (label as unknown) === "number") throw new TypeError("range: the first argument must be a string, the label of a control; numbers in a row are arange(10)");
  checkOptions("range", options, ["min", "max", "step", "value"]);
  const { min, max, step } = readRange("range", options);
  const [low, high] = pair("range", "value", options.value ?? [min, max]);
  if (!(low <= high && low >= min && high <= max)) throw new RangeError(`range: value must be [low, high] between ${min} and ${max}, not [${low}, ${high}]`);
  const fit = (chosen: ControlValue) => {
    const given = pairOf(chosen);
    if (!given) return null;
    const [from, to] = given.map((end) => snap(end, min, max, step)) as [number, number];
    return [Math.min(from, to), Math.max(from, to)] as [number, number];
  };
  return open(name, "range", label, { type: "range", min, max, step, initial: [low, high] }, fit, (chosen) => [...pairOf(chosen)!]);
});

function pair(what: string, name: string, given: unknown): [number, number] {
  if (!Array.isArray(given) || given.length !== 2) throw new TypeError(`${what}: ${name} must be two numbers, such as [0, 1]`);
  return [finite(what, name, given[0]), finite(what, name, given[1])];
}

export interface PointOptions {
  /** The ends of the horizontal axis; by default [0, 1]. */
  x?: readonly [number, number];
  /** The ends of the vertical axis, from the bottom to the top; by default [0, 1]. */
  y?: readonly [number, number];
  value?: readonly [number, number];
}

/**
 * A point to move in a plane; its value is [x, y], and can be used as a tensor.
 *
 * @example
 * const at = point("centre", { x: [-1, 1], y: [-1, 1] });
 * const x = linspace(-1, 1, 80);
 * heatmap((x - at[0]) ** 2 + (x.reshape([80, 1]) + at[1]) ** 2);
 */
export const point = nameable((name, label: string, options: PointOptions = {}): [number, number] => {
  checkOptions("point", options, ["x", "y", "value"]);
  const [x, y] = [pair("point", "x", options.x ?? [0, 1]), pair("point", "y", options.y ?? [0, 1])];
  for (const [axis, [low, high]] of [["x", x], ["y", y]] as const) if (!(low < high)) throw new RangeError(`point: ${axis} must be [low, high] with low < high, not [${low}, ${high}]`);
  const inside = ([a, b]: readonly [number, number]): [number, number] => [Math.max(x[0], Math.min(x[1], a)), Math.max(y[0], Math.min(y[1], b))];
  const initial = pair("point", "value", options.value ?? [(x[0] + x[1]) / 2, (y[0] + y[1]) / 2]);
  if (inside(initial).some((value, i) => value !== initial[i])) throw new RangeError(`point: value must be within x and y, not [${initial.join(", ")}]`);
  return open(name, "point", label, { type: "point", x, y, initial }, (chosen) => (pairOf(chosen) ? inside(pairOf(chosen)!) : null), (chosen) => [...pairOf(chosen)!]);
});

export interface PlayOptions {
  min?: number;
  max?: number;
  step?: number;
  value?: number;
  /** Steps a second, from 0.1 to 60; by default 10. */
  rate?: number;
  /** Whether it begins anew at the end; it does by default. */
  loop?: boolean;
}

/**
 * A number with buttons that play it from `min` to `max`, pause, and step; its value is a
 * number.
 *
 * @example
 * const phase = play("phase", { min: 0, max: 6.2, step: 0.1 });
 * plot((x) => sin(x + phase), [0, 6]);
 */
export const play = nameable((name, label: string, options: PlayOptions = {}) => {
  checkOptions("play", options, ["min", "max", "step", "value", "rate", "loop"]);
  // Frames are counted: however few there are, steps between whole ends are whole.
  const whole = Number.isInteger(options.min ?? 0) && Number.isInteger(options.max ?? 100);
  const { min, max, step } = readRange("play", { max: 100, ...(whole && { step: 1 }), ...options });
  const initial = finite("play", "value", options.value ?? min);
  if (initial < min || initial > max) throw new RangeError(`play: value must be between ${min} and ${max}, not ${initial}`);
  const rate = finite("play", "rate", options.rate ?? 10);
  if (rate < 0.1 || rate > 60) throw new RangeError(`play: rate must be between 0.1 and 60 steps a second, not ${rate}`);
  const { loop = true } = options;
  if (typeof loop !== "boolean") throw new TypeError(`play: loop must be true or false, not ${typeof loop}`);
  return open(name, "play", label, { type: "play", min, max, step, rate, loop, initial }, (chosen) => (typeof chosen === "number" ? snap(chosen, min, max, step) : null), Number);
});
