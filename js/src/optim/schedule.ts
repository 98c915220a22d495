// Learning rate schedules: functions of the number of steps made, to be assigned before a step:
// `optimizer.lr = rate(optimizer.steps)`.

import { countOf, finiteOf, listOf, noMore, optionsOf, shown } from "../core/check/check.js";
import { checkFunction } from "../core/tensor/functions.js";
import { ValueError } from "../core/errors.js";

/**
 * A rate for each number of steps.
 *
 * @example
 * const rate: optim.schedule.Schedule = (step) => 0.1 / (1 + step);
 * rate(9); // 0.01
 */
export type Schedule = (step: number) => number;

/**
 * The same rate always.
 *
 * @example
 * optim.schedule.constant(0.1)(5); // 0.1
 */
export function constant(rate: number): Schedule {
  noMore("schedule.constant", arguments, 1);
  const value = finiteOf("schedule.constant", "the rate", rate);
  return () => value;
}

/**
 * In a straight line, over `steps` steps, from one rate to another, which stays.
 *
 * @example
 * optim.schedule.linear(0, 1, 10)(5); // 0.5
 */
export function linear(from: number, to: number, steps: number): Schedule {
  noMore("schedule.linear", arguments, 3);
  return polynomial(from, to, steps, 1);
}

/**
 * Over `steps` steps from one rate to another, which stays, as a power of what is left.
 *
 * @example
 * optim.schedule.polynomial(1, 0, 10, 2)(5); // 0.25
 */
export function polynomial(from: number, to: number, steps: number, power = 2): Schedule {
  const op = "schedule.polynomial";
  noMore(op, arguments, 4);
  const [first, last, exponent] = [finiteOf(op, "the first rate", from), finiteOf(op, "the last rate", to), finiteOf(op, "the power", power)];
  const count = countOf(op, "the number of steps", steps, 1);
  return (step) => last + (first - last) * (1 - within(step, count)) ** exponent;
}

/**
 * Along half a wave of a cosine, over `steps` steps, from a rate to `least`, which stays.
 *
 * @example
 * optim.schedule.cosine(1, 10)(5); // 0.5
 */
export function cosine(from: number, steps: number, options: { least?: number } = {}): Schedule {
  const op = "schedule.cosine";
  noMore(op, arguments, 3);
  const least = finiteOf(op, "the least rate", optionsOf(op, options, { least: 0 }).least);
  const [first, count] = [finiteOf(op, "the rate", from), countOf(op, "the number of steps", steps, 1)];
  return (step) => least + ((first - least) * (1 + Math.cos(Math.PI * within(step, count)))) / 2;
}

/**
 * Multiplied by `decay` for every `every` steps; with `staircase` all at once.
 *
 * @example
 * optim.schedule.exponential(1, 0.5, 10, { staircase: true })(25); // 0.25
 */
export function exponential(from: number, decay: number, every = 1, options: { staircase?: boolean } = {}): Schedule {
  const op = "schedule.exponential";
  noMore(op, arguments, 4);
  const { staircase } = optionsOf(op, options, { staircase: false });
  const [first, factor] = [finiteOf(op, "the rate", from), finiteOf(op, "the decay", decay)];
  const count = countOf(op, "the number of steps", every, 1);
  return (step) => first * factor ** (staircase ? Math.floor(step / count) : step / count);
}

/**
 * Up in a straight line from 0 to a rate over `warmup` steps, then as `then` says, counted from
 * there.
 *
 * @example
 * const rate = optim.schedule.warmup(0.1, 10, optim.schedule.cosine(0.1, 90));
 * rate(5); // 0.05
 * rate(100); // 0
 */
export function warmup(to: number, steps: number, then: Schedule = constant(to)): Schedule {
  noMore("schedule.warmup", arguments, 3);
  return join([linear(0, to, steps), then], [steps]);
}

/**
 * One schedule after the other: the next begins, counted from 0, at each boundary.
 *
 * @example
 * const rate = optim.schedule.join([optim.schedule.constant(1), optim.schedule.constant(0.1)], [100]);
 * rate(99); // 1
 * rate(100); // 0.1
 */
export function join(schedules: readonly Schedule[], boundaries: readonly number[]): Schedule {
  const op = "schedule.join";
  noMore(op, arguments, 2);
  const all = listOf(op, "a list of schedules", schedules) as readonly Schedule[];
  for (const schedule of all) checkFunction(op, schedule);
  const starts = [0, ...startsOf(op, boundaries)];
  if (starts.length !== all.length) throw new ValueError(op, `${all.length} schedules have ${all.length - 1} boundaries, got ${starts.length - 1}`);
  return (step) => {
    const at = Math.max(0, starts.findLastIndex((start) => step >= start));
    return (all[at] as Schedule)(step - (starts[at] as number));
  };
}

/**
 * A rate that each boundary multiplies by a factor: at once, or, `between` boundaries, in a
 * straight line or along a cosine, so that it is reached there.
 *
 * @example
 * const rate = optim.schedule.piecewise(1, [10, 20], [0.5, 0.1]);
 * rate(9); // 1
 * rate(25); // 0.05
 * optim.schedule.piecewise(1, [10], [0], { between: "linear" })(5); // 0.5
 */
export function piecewise(from: number, boundaries: readonly number[], factors: readonly number[], options: { between?: "constant" | "linear" | "cosine" } = {}): Schedule {
  const op = "schedule.piecewise";
  noMore(op, arguments, 4);
  const { between } = optionsOf(op, options, { between: "constant" as "constant" | "linear" | "cosine" });
  const shape = ["constant", "linear", "cosine"].indexOf(between);
  if (shape < 0) throw new ValueError(op, `between boundaries is "constant", "linear" or "cosine", not ${shown(between)}`);
  const starts = [0, ...startsOf(op, boundaries)];
  const rates = [finiteOf(op, "the rate", from)];
  for (const factor of listOf(op, "a list of factors", factors)) rates.push((rates.at(-1) as number) * finiteOf(op, "a factor", factor));
  if (rates.length !== starts.length) throw new ValueError(op, `${starts.length - 1} boundaries have as many factors, got ${rates.length - 1}`);
  return (step) => {
    const at = Math.max(0, starts.findLastIndex((start) => step >= start));
    const [rate, next, start, end] = [rates[at], rates[at + 1], starts[at], starts[at + 1]] as [number, number?, number?, number?];
    if (shape === 0 || next === undefined) return rate;
    const over = within(step - (start as number), (end as number) - (start as number));
    return rate + (next - rate) * (shape === 1 ? over : (1 - Math.cos(Math.PI * over)) / 2);
  };
}

/**
 * How a rate rises once and falls.
 *
 * @example
 * const options: optim.schedule.OneCycleOptions = { between: "linear", rising: 0.5 };
 * optim.schedule.oneCycle(1, 100, options)(50); // 1
 */
export interface OneCycleOptions {
  /** The share of the steps in which it rises; 0.3 by default. */
  rising?: number;
  /** The share after which a straight line goes on from the first rate to the last; 0.85 by
   * default. */
  falling?: number;
  /** How often the first rate goes into the peak; 25 by default. */
  divisor?: number;
  /** How often the last rate goes into the first; 10,000 by default. */
  finalDivisor?: number;
  /** Along a cosine by default, or in straight lines. */
  between?: "linear" | "cosine";
}

/**
 * Up from a small rate to a peak, and down to a far smaller one, over `steps` steps: optax's
 * `cosine_onecycle_schedule` and `linear_onecycle_schedule` (Smith and Topin 2017).
 *
 * @example
 * optim.schedule.oneCycle(1, 100)(30); // 1
 */
export function oneCycle(peak: number, steps: number, options: OneCycleOptions = {}): Schedule {
  const op = "schedule.oneCycle";
  noMore(op, arguments, 3);
  const { rising, falling, divisor, finalDivisor, between } = optionsOf(op, options, { rising: 0.3, falling: 0.85, divisor: 25, finalDivisor: 1e4, between: "cosine" as "linear" | "cosine" });
  const [most, count] = [finiteOf(op, "the peak", peak), countOf(op, "the number of steps", steps, 1)];
  const top = Math.trunc(rising * count);
  if (between === "cosine") return piecewise(most / divisor, [top, count], [divisor, 1 / (divisor * finalDivisor)], { between });
  return piecewise(most / divisor, [top, Math.trunc(falling * count), count], [divisor, 1 / divisor, 1 / finalDivisor], { between });
}

/** Boundaries, in ascending order. */
function startsOf(op: string, boundaries: unknown): number[] {
  const starts = listOf(op, "a list of boundaries", boundaries).map((boundary) => countOf(op, "a boundary", boundary));
  if (starts.some((start, n) => n > 0 && start < (starts[n - 1] as number))) throw new ValueError(op, "boundaries must ascend");
  return starts;
}

/** How much of `count` steps is over, 0 to 1. */
function within(step: number, count: number): number {
  return Math.min(Math.max(step, 0), count) / count;
}
