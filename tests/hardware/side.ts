// One device's side of the kit, which opens the library on it and runs the items there. The kit
// loads this twice, once for the GPU and once for Weft's own CPU device, because a copy of the
// library has one device.

import * as weft from "../../js/src/index.js";
import { CALLS, GRADIENTS, IDENTITIES, PROGRAMS, trials, type Trial } from "../../js/test/support/trials.js";
import { Chance } from "./chance.js";
import { expectations, type Expectations, type Expected, type Kind } from "./compare.js";
import { FIXED, randomComparison } from "./comparisons.js";
import { randomProgram } from "./generate.js";
import { expectedOf, FIXED_KERNELS, randomKernel, smoothKernel, type KernelMode, type RandomKernel } from "./kernels.js";
import { run, type Mode, type Program } from "./program.js";
import { slowCompiler } from "./tiers.js";

/** The kinds of random programs, and which of their results are compared. */
export const FUZZERS = {
  programs: { make: randomProgram, kinds: ["value"] },
  gradients: { make: randomProgram, kinds: ["gradient"] },
  comparisons: { make: randomComparison, kinds: ["value", "gradient"] },
} as const satisfies Record<string, { make: (chance: Chance) => Promise<Program>; kinds: readonly Kind[] }>;
export type Fuzzer = keyof typeof FUZZERS;

/** Opens a device: WebGPU's with a GPU, on which kernels with two texts begin with the shorter,
 * else the CPU device. */
export async function open(gpu: GPU | null, wasm: { wasm?: weft.WasmSource; rest?: weft.WasmSource } = {}): Promise<weft.DeviceInfo> {
  return weft.init(gpu ? { device: "webgpu", gpu, tune: false, store: slowCompiler, ...wasm } : { device: "cpu", ...wasm });
}

/** Waits until all kernels are compiled; whether any was not. */
export async function settle(): Promise<boolean> {
  const isBusy = weft.tune.optimising() > 0;
  if (isBusy) await weft.tune.race();
  return isBusy;
}

const GROUPS = { conformance: [...CALLS, ...GRADIENTS, ...PROGRAMS], identities: IDENTITIES };
export type Cases = keyof typeof GROUPS;
const all = new Map<Cases, readonly (Trial & { group: string })[]>();

/** The committed cases of a part. */
export function casesOf(part: Cases): readonly (Trial & { group: string })[] {
  const known = all.get(part);
  if (known) return known;
  const found = GROUPS[part].flatMap((group) => trials(group).map((trial) => ({ ...trial, group })));
  all.set(part, found);
  return found;
}

/** Number n of a kind of random program, and what it has to give. Numbers below 0 are those that
 * were wrong once. On the CPU device. */
export async function prepare(fuzzer: Fuzzer, n: number): Promise<{ program: Program; expected: Expectations }> {
  const { make, kinds } = FUZZERS[fuzzer];
  const program = n < 0 ? (FIXED[-1 - n] as Program) : await make(new Chance(n));
  return { program, expected: await expectations(program, kinds) };
}

/** Runs a program on the device that is open. */
export function attempt(program: Program, mode: Mode): Promise<number[][]> {
  return run(program, mode);
}

/** The kinds of random kernels. */
export const KERNELS = { kernels: randomKernel, derivatives: smoothKernel } as const;
export type KernelFuzzer = keyof typeof KERNELS;

/** Number n of a kind of random kernel, and what it has to give. Numbers below 0 are those that
 * were wrong once. On the CPU device. */
export async function prepareKernel(fuzzer: KernelFuzzer, n: number): Promise<{ random: RandomKernel; expected: Partial<Record<KernelMode, Expected | null>> }> {
  const random = n < 0 ? (FIXED_KERNELS[-1 - n] as RandomKernel) : KERNELS[fuzzer](new Chance(n));
  return { random, expected: await expectedOf(random) };
}

/** How many programs and kernels were wrong once, by part. */
export const fixed: Readonly<Partial<Record<string, number>>> = { comparisons: FIXED.length, kernels: FIXED_KERNELS.length };
export { attemptKernel } from "./kernels.js";
export { attemptPair, PAIRS } from "./tiers.js";
export { difference, expectations, MODES } from "./compare.js";
export { text } from "./program.js";
