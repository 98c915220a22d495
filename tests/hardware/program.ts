// Programs as data: calls of Weft's functions by name, which any device can run, in several ways,
// and which print as JavaScript.

import * as weft from "../../js/src/index.js";
import { tensor, type Tensor } from "../../js/src/index.js";
import { Chance } from "./chance.js";

/** The value of an input or of a step before, by its number: inputs come first. */
export interface Ref {
  readonly v: number;
}
export type Argument = Ref | number | string | boolean | null | readonly Argument[] | { readonly [name: string]: Argument };
/** A call: the path of a function of the package, what it is given, and which of its results is
 * meant where it has several. */
export interface Step {
  readonly f: string;
  readonly args: readonly Argument[];
  readonly part?: number;
}
export interface Program {
  readonly inputs: readonly { readonly shape: readonly number[]; readonly data: readonly number[] }[];
  readonly steps: readonly Step[];
  /** The numbers of the values that are compared. */
  readonly outputs: readonly number[];
  /** The numbers of the values that are read, and so stored, before anything behind them is
   * computed, where the program runs in pieces. */
  readonly reads: readonly number[];
}

/** How a program runs. `pieces` reads values on the way; the others are computed in one go. */
export const VALUE_MODES = ["eager", "pieces", "jit"] as const;
export const GRADIENT_MODES = ["gradient", "gradient in jit", "gradient by the first input in jit"] as const;
export type Mode = (typeof VALUE_MODES)[number] | (typeof GRADIENT_MODES)[number];

/** Functions whose results are among what they are given, or are no floats: nothing is rounded, and
 * so no noise is added. */
const EXACT = new Set(
  ("max min maximum minimum sort topK take takeAlongAxis reshape permute flip slice pad concat stack broadcastTo roll tile repeat where relu neg abs clip cummax cummin median " +
    "nn.maxPool1d nn.maxPool2d segmentMax expandDims squeeze detach oneHot cast sign floor round quantile reduceWindow").split(" "),
);

const isRef = (argument: Argument): argument is Ref => typeof argument === "object" && argument !== null && "v" in argument;

function resolved(argument: Argument, values: readonly Tensor[]): unknown {
  if (typeof argument !== "object" || argument === null) return argument;
  if (isRef(argument)) return values[argument.v];
  if (Array.isArray(argument)) return argument.map((each: Argument) => resolved(each, values));
  return Object.fromEntries(Object.entries(argument).map(([name, each]) => [name, resolved(each as Argument, values)]));
}

/** What a step gives. */
export function perform({ f, args, part }: Step, values: readonly Tensor[]): Tensor {
  const call = f.split(".").reduce<unknown>((owner, name) => (owner as Record<string, unknown>)[name], weft) as ((...args: unknown[]) => Tensor | Tensor[]) | undefined;
  if (!call) throw new Error(`there is no ${f}`);
  const made = call(...args.map((argument) => resolved(argument, values)));
  return part === undefined ? (made as Tensor) : ((made as Tensor[])[part] as Tensor);
}

/** Relative errors to add behind every step that rounds, and if `inside` behind the parts of those
 * whose terms cancel within. */
export interface Noise {
  readonly size: number;
  readonly seed: number;
  readonly inside?: boolean;
}

/** Behind a part of a step. */
type Round = (part: Tensor) => Tensor;
type Axis = number | readonly number[] | null;

const shifted = (round: Round, x: Tensor, axis: Axis): Tensor => round(x.sub(x.max(axis, { keepdims: true }).detach()));
const deviations = (round: Round, x: Tensor, axis: Axis): Tensor => round(x.sub(round(x.mean(axis, { keepdims: true }))));
const variance = (round: Round, x: Tensor, axis: Axis, { keepdims }: { keepdims: boolean }): Tensor => round(round(deviations(round, x, axis).square()).mean(axis, { keepdims }));

/** Steps whose terms cancel within, or in their gradients, by their parts. */
const WRITTEN_OUT: Readonly<Record<string, (round: Round, x: Tensor, axis: Axis, options: { keepdims: boolean }) => Tensor>> = {
  standardize: (round, x, axis) => deviations(round, x, axis).mul(round(variance(round, x, axis, { keepdims: true }).add(1e-5)).rsqrt()),
  variance,
  std: (round, x, axis, options) => variance(round, x, axis, options).sqrt(),
  softmax: (round, x, axis) => {
    const powers = round(shifted(round, x, axis).exp());
    return powers.div(round(powers.sum(axis, { keepdims: true })));
  },
  logSoftmax: (round, x, axis) => {
    const below = shifted(round, x, axis);
    return below.sub(round(round(round(below.exp()).sum(axis, { keepdims: true })).log()));
  },
};

/** Whether terms cancel within a step. */
export const cancels = ({ f }: Step): boolean => f in WRITTEN_OUT;

function disturbed(x: Tensor, chance: Chance, size: number): Tensor {
  const factors = Float32Array.from({ length: x.size }, () => 1 + (chance.happens(0.5) ? size : -size));
  return x.mul(tensor(factors, { shape: x.shape }));
}

/** The same where each number decides the sign of its own noise, as a device rounds equal numbers
 * alike: equals of equal parts stay equal. Numbers that only happen to be equal do not, like the
 * deviations of equals, which are 0 where their mean is exact. */
function rounded(x: Tensor, seed: number, size: number): Tensor {
  const mixed = x.detach().bitcast("u32").bitwiseXor(seed).mul(0x9e3779b1).shiftRight(16).mul(0x85ebca6b).shiftRight(31);
  return x.mul(mixed.equal(1).where(1 + size, 1 - size));
}

/** The outputs of a program. */
function body(program: Program, inputs: readonly Tensor[], noise: Noise | null): Tensor[] {
  const chance = new Chance(noise?.seed ?? 0);
  const values: Tensor[] = noise ? inputs.map((input) => disturbed(input, chance, noise.size)) : [...inputs];
  for (const step of program.steps) {
    const parts = noise?.inside ? WRITTEN_OUT[step.f] : undefined;
    const [x, ...rest] = parts ? (resolved(step.args, values) as [Tensor, Axis, { keepdims: boolean }]) : [];
    const made = parts ? parts((part) => rounded(part, chance.whole(0, 2 ** 31), noise!.size), x!, ...(rest as [Axis, { keepdims: boolean }])) : perform(step, values);
    values.push(noise && made.dtype === "f32" && !EXACT.has(step.f) ? disturbed(made, chance, noise.size) : made);
  }
  return program.outputs.map((n) => values[n] as Tensor);
}

/** The sum of a program's float outputs, each but single numbers weighted elementwise. */
function score(program: Program, inputs: readonly Tensor[], noise: Noise | null): Tensor {
  const chance = new Chance(1);
  const weights = ({ shape, size }: Tensor) => tensor(Float32Array.from({ length: size }, () => chance.normal()), { shape });
  return body(program, inputs, noise)
    .filter(({ dtype }) => dtype === "f32")
    .map((output) => (output.size === 1 ? output : output.mul(weights(output))).sum())
    .reduce((a, b) => a.add(b));
}

export const inputsOf = (program: Program): Tensor[] => program.inputs.map(({ shape, data }) => tensor(Float32Array.from(data), { shape }));

/** Runs a program, and reads its outputs, or the gradients of their weighted sum by its inputs. */
export async function run(program: Program, mode: Mode, noise: Noise | null = null): Promise<number[][]> {
  if (mode === "pieces") return runInPieces(program);
  const results = weft.tidy(() => {
    const inputs = inputsOf(program);
    const f = mode.startsWith("gradient")
      ? weft.grad((...xs: Tensor[]) => score(program, xs, noise), { argnums: mode.includes("first") ? [0] : inputs.map((_, n) => n) })
      : (...xs: Tensor[]) => body(program, xs, noise);
    return (mode.endsWith("jit") ? weft.jit(f as (...xs: Tensor[]) => Tensor[]) : f)(...inputs) as Tensor[];
  });
  return read(results);
}

async function runInPieces(program: Program): Promise<number[][]> {
  const values = inputsOf(program);
  for (const step of program.steps) {
    const n = values.push(perform(step, values)) - 1;
    if (program.reads.includes(n)) await (values[n] as Tensor).data();
  }
  return read(program.outputs.map((n) => values[n] as Tensor), values);
}

/** The elements of some tensors; frees those tensors, or others. */
async function read(results: readonly Tensor[], freed = results): Promise<number[][]> {
  const found = await Promise.all(results.map(async (result) => Array.from(await result.data(), Number)));
  for (const tensor of new Set(freed)) tensor.dispose();
  return found;
}

/** A program as JavaScript that can be pasted into a script which has imported everything from the
 * package. */
export function text(program: Program): string {
  const shown = (argument: Argument): string => {
    if (typeof argument === "number") return String(argument);
    if (typeof argument !== "object" || argument === null) return JSON.stringify(argument);
    if (isRef(argument)) return `v${argument.v}`;
    if (Array.isArray(argument)) return `[${argument.map(shown).join(", ")}]`;
    return `{ ${Object.entries(argument).map(([name, each]) => `${name}: ${shown(each as Argument)}`).join(", ")} }`;
  };
  const inputs = program.inputs.map(({ shape, data }, n) => `const v${n} = tensor(${JSON.stringify(data)}, { shape: ${JSON.stringify(shape)} });`);
  const steps = program.steps.map(({ f, args, part }, n) => `const v${n + program.inputs.length} = ${f}(${args.map(shown).join(", ")})${part === undefined ? "" : `[${part}]`};`);
  return [...inputs, ...steps, `// compared: ${program.outputs.map((n) => `v${n}`).join(", ")}; read on the way: ${program.reads.map((n) => `v${n}`).join(", ") || "none"}`].join("\n");
}
