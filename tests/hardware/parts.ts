// The parts of the kit, each a numbered list of items. Two sides of the library check each item:
// the GPU's and the CPU device's.

import type * as side from "./side.js";

export type Side = typeof side;

export const PARTS = ["conformance", "programs", "gradients", "comparisons", "identities", "kernels", "derivatives", "tiers"] as const;
export type Part = (typeof PARTS)[number];

/** What became of an item. */
export interface Outcome {
  readonly part: Part;
  readonly item: number;
  /** A program that hangs on its last bits decides nothing. */
  readonly verdict: "same" | "undecided" | "different";
  /** What to look for, and what is wrong. */
  readonly name: string;
  readonly wrong: readonly string[];
  /** The program. */
  readonly text?: string;
}

/** How many items a part has: programs as many as are asked for, of the others each `stride`-th. */
export interface Amount {
  readonly seed: number;
  readonly count: number;
  readonly stride: number;
}

/** Neighbours are alike: those far apart stand beside each other, so that jobs take about as
 * long. */
const SPREAD = 7919;

/** The numbers of a part's items. */
export function itemsOf(part: Part, { fixed, casesOf, PAIRS }: Side, { seed, count, stride }: Amount): number[] {
  if (part === "tiers") return Array.from({ length: PAIRS }, (_, n) => n);
  if (part === "conformance" || part === "identities") {
    const { length } = casesOf(part);
    const every = Array.from({ length: Math.ceil(length / stride) }, (_, n) => n);
    return every.map((n) => ((n * SPREAD) % every.length) * stride);
  }
  return [...Array.from({ length: fixed[part] ?? 0 }, (_, n) => -1 - n), ...Array.from({ length: count }, (_, n) => seed + n)];
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Checks an item. */
export async function check(part: Part, item: number, gpu: Side, cpu: Side): Promise<Outcome> {
  try {
    switch (part) {
      case "conformance":
      case "identities":
        return await checkCase(part, item, gpu);
      case "kernels":
      case "derivatives":
        return await checkKernel(part, item, gpu, cpu);
      case "tiers":
        return await checkPair(item, gpu);
      default:
        return await checkProgram(part, item, gpu, cpu);
    }
  } catch (error) {
    return failed(part, item, messageOf(error));
  }
}

/** An item that was not finished. */
export function failed(part: Part, item: number, why: string): Outcome {
  return { part, item, verdict: "different", name: `item ${item}`, wrong: [why] };
}

async function checkCase(part: "conformance" | "identities", item: number, gpu: Side): Promise<Outcome> {
  const { name, group, run } = gpu.casesOf(part)[item] as ReturnType<Side["casesOf"]>[number];
  const wrongs = () => run().then(() => [], (error: unknown) => [messageOf(error)]);
  const wrong: string[] = await wrongs();
  // Kernels that are compiled now compute the same.
  if (wrong.length === 0 && (await gpu.settle())) wrong.push(...(await wrongs()));
  return { part, item, verdict: wrong.length > 0 ? "different" : "same", name: `${group}: ${name}`, wrong };
}

async function checkPair(item: number, gpu: Side): Promise<Outcome> {
  const { name, difference } = await gpu.attemptPair(item);
  return { part: "tiers", item, verdict: difference === null ? "same" : "different", name, wrong: difference === null ? [] : [difference] };
}

async function checkKernel(part: "kernels" | "derivatives", item: number, gpu: Side, cpu: Side): Promise<Outcome> {
  const { random, expected } = await cpu.prepareKernel(part, item);
  const wrong: string[] = [];
  let decided = false;
  for (const mode of random.modes) {
    const wanted = expected[mode];
    if (!wanted) continue;
    decided = true;
    const difference = await gpu.attemptKernel(random, mode).then((found) => gpu.difference(found, wanted), messageOf);
    if (difference !== null) wrong.push(`${mode}: ${difference}`);
  }
  const verdict = wrong.length > 0 ? "different" : decided ? "same" : "undecided";
  return { part, item, verdict, name: item < 0 ? `fixed kernel ${-item}` : `seed ${item}`, wrong, ...(wrong.length > 0 && { text: random.text }) };
}

async function checkProgram(part: "programs" | "gradients" | "comparisons", item: number, gpu: Side, cpu: Side): Promise<Outcome> {
  const { program, expected } = await cpu.prepare(part, item);
  const wrong: string[] = [];
  let decided = false;
  for (const kind of ["value", "gradient"] as const) {
    const wanted = expected[kind];
    if (!wanted) continue;
    decided = true;
    for (const mode of gpu.MODES[kind]) {
      const difference = await gpu.attempt(program, mode).then((found) => gpu.difference(found, wanted), messageOf);
      if (difference !== null) wrong.push(`${mode}: ${difference}`);
    }
  }
  const verdict = wrong.length > 0 ? "different" : decided ? "same" : "undecided";
  const name = item < 0 ? `fixed program ${-item}` : `seed ${item}`;
  return { part, item, verdict, name, wrong, ...(wrong.length > 0 && { text: gpu.text(program) }) };
}
