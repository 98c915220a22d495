// How does a learning rate change over training? Functions of the number of steps made, to be assigned before a step:
// `optimizer.lr = rate(optimizer.steps)`.

import { countOf, finiteOf, optionsOf } from "../core/check.js";
import { listOf } from "../core/check.js";
import { checkFunction } from "../core/functions.js";
import { ValueError } from "../errors.js";

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
  const { staircase } = optionsOf(op, options, { staircase: false });
  const [first, factor] = [finiteOf(op, "the rate", from), finiteOf(op, "the decay", decay)];
  const count = countOf(op, "the number of steps", every, 1);
  return (step) => first * factor ** (staircase ? Math.floor(step / count) : step / count);
}

/**
 * Up in a straight line from 0 to a rate over `warmup` steps, then as `then` says, counted from there.
 *
 * @example
 * const rate = optim.schedule.warmup(0.1, 10, optim.schedule.cosine(0.1, 90));
 * rate(5); // 0.05
 * rate(100); // 0
 */
export function warmup(to: number, steps: number, then: Schedule = constant(to)): Schedule {
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
  const all = listOf(op, "a list of schedules", schedules) as readonly Schedule[];
  for (const schedule of all) checkFunction(op, schedule);
  const starts = [0, ...listOf(op, "a list of boundaries", boundaries).map((boundary) => countOf(op, "a boundary", boundary))];
  if (starts.length !== all.length) throw new ValueError(op, `${all.length} schedules have ${all.length - 1} boundaries, got ${starts.length - 1}`);
  if (starts.some((start, n) => n > 0 && start < (starts[n - 1] as number))) throw new ValueError(op, "boundaries must not fall");
  return (step) => {
    const at = Math.max(0, starts.findLastIndex((start) => step >= start));
    return (all[at] as Schedule)(step - (starts[at] as number));
  };
}

/** How much of `count` steps is over, 0 to 1. */
function within(step: number, count: number): number {
  return Math.min(Math.max(step, 0), count) / count;
}
