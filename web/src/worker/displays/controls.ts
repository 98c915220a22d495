// Controls that a reader can set: sliders, numbers, choices, switches, colours, and those of
// `fields.ts`. Each gives its cell a plain value. When the reader changes it, the name that the
// cell gave it takes the new value, and the page runs the cells that use it again.

import type { Choice, ControlValue, OutputId, RunId } from "../../protocol/messages";
import { currentRun } from "../channel/context";
import { checkOptions } from "./arguments";
import { fill, openSlot } from "./displays";

interface Control {
  readonly run: RunId | null;
  readonly name: string | null;
  /** What cells see of what the reader chose. */
  readonly valueOf: (chosen: ControlValue) => unknown;
}

const controls = new Map<OutputId, Control>();

/** What the reader chose of the running cell's controls before it ran, and how many it has made of
 * each key. */
let known: { readonly run: RunId; readonly chosen: Readonly<Record<string, ControlValue>>; readonly made: Map<string, number> } | null = null;

export function expectControls(run: RunId, chosen: Readonly<Record<string, ControlValue>>): void {
  known = { run, chosen, made: new Map() };
}

export function forgetControls(run: RunId): void {
  for (const [output, control] of controls) if (control.run === run) controls.delete(output);
}

/** The name of a control that the reader changed, and what it stands for now; null where the
 * control is gone or has no name. */
export function changedControl(output: OutputId, chosen: ControlValue): { name: string; value: unknown } | null {
  const control = controls.get(output);
  return control?.name == null ? null : { name: control.name, value: control.valueOf(chosen) };
}

type Named<A extends unknown[], R> = (name: string | null, ...args: A) => R;
const named = new WeakMap<object, Named<unknown[], unknown>>();

/** A function for cells that learns the name its result is declared under: see `nameControl`. */
export function nameable<A extends unknown[], R>(make: Named<A, R>): (...args: A) => R {
  const plain = (...args: A) => make(null, ...args);
  learnsName(plain, make);
  return plain;
}

/** `make` is called in the place of `plain` where the name is known. */
export function learnsName<A extends unknown[], R>(plain: object, make: Named<A, R>): void {
  named.set(plain, make as Named<unknown[], unknown>);
}

/** A function that does what `make` does, once `check` has passed the number of its arguments. */
export function passesOn<F extends object>(make: F, check: (count: number) => void): F {
  const checked = new Proxy(make, {
    apply: (target, self, args: unknown[]) => {
      check(args.length);
      return Reflect.apply(target as () => unknown, self, args);
    },
  });
  const known = named.get(make);
  if (known) {
    learnsName(checked, (name, ...args) => {
      check(args.length);
      return known(name, ...args);
    });
  }
  return checked;
}

/** What a transformed cell calls for `const name = make(…)`: whatever else than a control's
 * function `make` may be, it stays what it is. */
export function nameControl(name: string, make: unknown): unknown {
  const known = typeof make === "function" ? named.get(make) : undefined;
  return known ? (...args: unknown[]) => known(name, ...args) : make;
}

export function finite(what: string, name: string, value: unknown): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new TypeError(`${what}: ${name} must be a finite number, not ${typeof value === "number" ? value : typeof value}`);
  return value;
}

/** Characters of a label, and of what can be chosen, that are shown. */
const WORD = 120;
/** Characters of them that are taken: what is shown of a longer text would hold all of it. */
const LONGEST = 1_000;

function checkLength(what: string, which: string, text: string): void {
  if (text.length > LONGEST) throw new RangeError(`${what}: ${which} has at most ${LONGEST.toLocaleString("en")} characters, not ${text.length.toLocaleString("en")}`);
}

type Unset<C> = C extends Choice ? Omit<C, "value"> : never;

/** `fit` makes of what the reader chose before something that the control, as it is now, can have;
 * null where nothing like it is left. */
export function open<T>(name: string | null, what: string, label: unknown, choice: Unset<Choice>, fit: (chosen: ControlValue) => ControlValue | null, valueOf: (chosen: ControlValue, output: OutputId) => T): T {
  if (typeof label !== "string") throw new TypeError(`${what}: the first argument must be a string, the label`);
  checkLength(what, "a label", label);
  if (label.trim() === "") throw new TypeError(`${what}: the label must not be empty`);
  const base = `${what} ${label.slice(0, WORD)}`;
  let [key, before] = [base, null as ControlValue | null];
  if (known && known.run === currentRun()) {
    const count = (known.made.get(base) ?? 0) + 1;
    known.made.set(base, count);
    if (count > 1) key = `${base} ${count}`;
    if (Object.hasOwn(known.chosen, key)) before = known.chosen[key]!;
  }
  const value = (before === null ? null : fit(before)) ?? choice.initial;
  const slot = openSlot();
  controls.set(slot.output, { run: slot.run, name, valueOf: (chosen) => valueOf(chosen, slot.output) });
  fill(slot, { kind: "control", label: label.slice(0, WORD), key, name, choice: { ...choice, value } as Choice });
  return valueOf(value, slot.output);
}

export interface SliderOptions {
  min?: number;
  max?: number;
  step?: number;
  value?: number;
}

/** The nearest value that a range with steps has. */
export function snap(value: number, min: number, max: number, step: number): number {
  const steps = Math.floor((max - min) / step + 1e-9);
  return Number((min + Math.max(0, Math.min(steps, Math.round((value - min) / step))) * step).toPrecision(12));
}

/** Whole steps between whole ends that lie apart, else a power of ten, about a hundredth of the
 * range. */
export function usualStep(min: number, max: number): number {
  if (Number.isInteger(min) && Number.isInteger(max) && max - min >= 10) return 1;
  return Number((10 ** (Math.floor(Math.log10(max - min)) - 2)).toPrecision(6));
}

/**
 * A slider; its value is a number.
 *
 * @example
 * const rate = slider("learning rate", { min: 0, max: 1, step: 0.01, value: 0.1 });
 */
export const slider = nameable((name, label: string, options: SliderOptions = {}) => {
  checkOptions("slider", options, ["min", "max", "step", "value"]);
  const min = finite("slider", "min", options.min ?? 0);
  const max = finite("slider", "max", options.max ?? 1);
  if (!(min < max)) throw new RangeError(`slider: min must be below max, but ${min} is not below ${max}`);
  const step = finite("slider", "step", options.step ?? usualStep(min, max));
  if (!(step > 0 && step <= max - min)) throw new RangeError(`slider: step must be between 0 and the range, ${max - min}, not ${step}`);
  const value = finite("slider", "value", options.value ?? (min + max) / 2);
  if (value < min || value > max) throw new RangeError(`slider: value must be between ${min} and ${max}, not ${value}`);
  const fit = (chosen: ControlValue) => (typeof chosen === "number" ? snap(chosen, min, max, step) : null);
  return open(name, "slider", label, { type: "slider", min, max, step, initial: options.value === undefined ? snap(value, min, max, step) : value }, fit, Number);
});

/**
 * A field for a number.
 *
 * @example
 * const steps = number("steps", { min: 1, max: 1_000, value: 100 });
 */
export const number = nameable((name, label: string, options: SliderOptions = {}) => {
  checkOptions("number", options, ["min", "max", "step", "value"]);
  const given = (key: "min" | "max" | "step") => (options[key] === undefined ? null : finite("number", key, options[key]));
  const [min, max, step] = [given("min"), given("max"), given("step")];
  if (min !== null && max !== null && min > max) throw new RangeError(`number: min must be below max, but ${min} is not below ${max}`);
  if (step !== null && step <= 0) throw new RangeError(`number: step must be more than 0, not ${step}`);
  const within = (value: number) => Math.max(min ?? -Infinity, Math.min(max ?? Infinity, value));
  const initial = finite("number", "value", options.value ?? within(0));
  if (within(initial) !== initial) throw new RangeError(`number: value must be between ${min ?? "−∞"} and ${max ?? "∞"}, not ${initial}`);
  return open(name, "number", label, { type: "number", min, max, step, initial }, (chosen) => (typeof chosen === "number" ? within(chosen) : null), Number);
});

/**
 * A menu of choices: a list, or an object from labels to values.
 *
 * @example
 * const activation = select("activation", { relu, tanh, sigmoid });
 * plot(linspace(-3, 3, 50), activation(linspace(-3, 3, 50)));
 */
export const select = nameable((name, label: string, among: readonly unknown[] | Readonly<Record<string, unknown>>, options: { value?: unknown } = {}) => {
  if (typeof among !== "object" || among === null) throw new TypeError("select: the second argument must be a list of choices, or an object from labels to values");
  checkOptions("select", options, ["value"]);
  const entries = Array.isArray(among) ? among.map((each: unknown): [string, unknown] => [String(each), each]) : Object.entries(among);
  if (entries.length === 0) throw new RangeError("select: there must be at least one choice");
  if (entries.length > 200) throw new RangeError(`select: at most 200 choices, not ${entries.length}`);
  for (const [text] of entries) checkLength("select", "a choice", text);
  const values = new Map(entries.map(([text, value]) => [text.slice(0, WORD), value]));
  const texts = [...values.keys()];
  if (texts.length < entries.length) throw new TypeError("select: two choices have the same label");
  const wanted = options.value === undefined ? texts[0] : texts.find((text) => Object.is(values.get(text), options.value) || text === options.value);
  if (wanted === undefined) throw new RangeError(`select: value must be one of ${texts.slice(0, 12).join(", ")}${texts.length > 12 ? ", …" : ""}, not ${String(options.value)}`);
  const fit = (chosen: ControlValue) => (typeof chosen === "string" && values.has(chosen) ? chosen : null);
  return open(name, "select", label, { type: "select", options: texts, initial: wanted }, fit, (chosen) => values.get(String(chosen)));
});

/**
 * A checkbox; its value is true or false.
 *
 * @example
 * const noisy = checkbox("with noise", { value: true });
 */
export const checkbox = nameable((name, label: string, options: { value?: boolean } = {}) => {
  checkOptions("checkbox", options, ["value"]);
  const initial = options.value ?? false;
  if (typeof initial !== "boolean") throw new TypeError(`checkbox: value must be true or false, not ${typeof initial}`);
  return open(name, "checkbox", label, { type: "checkbox", initial }, (chosen) => (typeof chosen === "boolean" ? chosen : null), Boolean);
});

const COLOUR = /^#[0-9a-f]{6}$/i;

/**
 * A colour; its value is red, green and blue from 0 to 1, and can be used as a tensor.
 *
 * @example
 * const ink = color("ink", { value: "#33508c" });
 * image(ones([40, 40, 3]) * ink);
 */
export const color = nameable((name, label: string, options: { value?: string } = {}) => {
  checkOptions("color", options, ["value"]);
  const initial = options.value ?? "#3b4a8f";
  if (typeof initial !== "string" || !COLOUR.test(initial)) throw new TypeError(`color: value must be written as "#3b4a8f", not ${String(initial)}`);
  const parts = (chosen: ControlValue) => [1, 3, 5].map((at) => parseInt(String(chosen).slice(at, at + 2), 16) / 255);
  const fit = (chosen: ControlValue) => (typeof chosen === "string" && COLOUR.test(chosen) ? chosen : null);
  return open(name, "color", label, { type: "color", initial: initial.toLowerCase() }, fit, parts);
});
