// Expected results of a random program: those of the CPU device, and the tolerance for a device
// that rounds otherwise.

import { cancels, GRADIENT_MODES, run, VALUE_MODES, type Mode, type Program } from "./program.js";

/** The relative error that is added behind each step to see what errors come to, in units of about
 * 25 last places. */
const NOISE = 3e-6;
const DRAWS = 4;
/** Results that change more than this, relative to the largest of theirs, hang on their last bits:
 * such a program decides nothing. */
const WILD = 3e-3;
/** What may be off anyway, relative to the largest. */
const SLACK = 64 * 2 ** -23;
/** The same relative to the largest number on the way: noise behind a step does not show what
 * cancels within it, as where the deviation of equals is 0 only if their mean is exact, or where
 * the slope of tanh is what is left of 1. It is also the size of the noise inside of steps whose
 * terms cancel. */
const ROUNDED = 4 * 2 ** -23;
/** A result that changes by more than this under noise inside of steps, relative to the largest
 * number on the way, has chosen another of some numbers that only rounding makes equal. */
const TURNED = 64 * ROUNDED;

/** Elements, and how far off each list of them may be. */
export interface Expected {
  readonly value: number[][];
  readonly slack: number[];
}

const largest = (elements: readonly number[]) => elements.reduce((most, element) => Math.max(most, Math.abs(element)), 0);

/** Results of one kind on the CPU device, or null where they hang on their last bits. A decision
 * that a nearly equal pair could turn changes under noise; one between equals by construction does
 * not. */
async function expectation(program: Program, mode: Mode): Promise<Expected | null> {
  const value = await run(program, mode);
  const all = Array.from({ length: program.inputs.length + program.steps.length }, (_, n) => n);
  const onTheWay = await run({ ...program, outputs: all }, "eager");
  const most = largest([...onTheWay, ...value].flat().filter(Number.isFinite));
  const least = ROUNDED * most;
  const slack = value.map((elements) => Math.max(least, SLACK * largest(elements)));
  for (let draw = 0; draw < DRAWS; draw++) {
    const noisy = await run(program, mode, { size: NOISE, seed: draw + 1 });
    for (const [n, elements] of value.entries()) {
      const change = elements.reduce((most, element, i) => Math.max(most, Math.abs(element - (noisy[n] as number[])[i]!)), 0);
      if (!(change <= WILD * largest(elements))) return null;
      slack[n] = Math.max(slack[n] as number, SLACK * largest(elements) + change);
    }
  }
  // A gradient may be what is left of much larger terms: that of a standardized line of two values
  // is 0 but for epsilon.
  for (let draw = 0; program.steps.some(cancels) && draw < DRAWS; draw++) {
    const noisy = await run(program, mode, { size: ROUNDED, seed: draw + 1, inside: true });
    for (const [n, elements] of value.entries()) {
      const change = elements.reduce((most, element, i) => Math.max(most, Math.abs(element - (noisy[n] as number[])[i]!)), 0);
      if (!(change <= TURNED * most)) return null;
      slack[n] = Math.max(slack[n] as number, SLACK * largest(elements) + change);
    }
  }
  return { value, slack };
}

/** What a program has to give in every mode that is asked for, by kind; a kind that decides nothing
 * is null. */
export interface Expectations {
  readonly value: Expected | null;
  readonly gradient: Expected | null;
}

export type Kind = keyof Expectations;
export const MODES: Readonly<Record<Kind, readonly Mode[]>> = { value: VALUE_MODES, gradient: GRADIENT_MODES };

/** On the CPU device. */
export async function expectations(program: Program, kinds: readonly Kind[]): Promise<Expectations> {
  return {
    value: kinds.includes("value") ? await expectation(program, "eager") : null,
    gradient: kinds.includes("gradient") ? await expectation(program, "gradient") : null,
  };
}

/** What is wrong with results, which may be fewer than are expected, or null. */
export function difference(found: readonly number[][], { value, slack }: Expected): string | null {
  for (const [n, actual] of found.entries()) {
    const elements = value[n] as number[];
    if (actual.length !== elements.length) return `result ${n} has ${actual.length} elements, expected ${elements.length}`;
    const isOff = (element: number, i: number) => !Object.is(actual[i], element) && !(Math.abs((actual[i] as number) - element) <= (slack[n] as number));
    const wrong = elements.findIndex(isOff);
    if (wrong >= 0) {
      const count = elements.filter(isOff).length;
      return `result ${n}, element ${wrong} is ${actual[wrong]}, expected ${elements[wrong]} ± ${(slack[n] as number).toPrecision(2)}; ${count} of ${elements.length} elements are off`;
    }
  }
  return null;
}
