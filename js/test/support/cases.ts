// The committed cases of `tests/conformance`: their form, the call of an operation by its
// JavaScript name, and the comparison of results.

import * as weft from "../../src/index.js";
import { random, tensor, type DType, type Operand, type Tensor } from "../../src/index.js";
import { textOf } from "./groups.js";

export type Scalar = number | boolean | string;
export interface TensorJson {
  shape: number[];
  dtype: DType;
  data: Scalar[];
  window?: [number, number];
}
/** How windows slide. */
export interface Sliding {
  batchGroups: number;
  ceil: boolean;
  countPadding: boolean;
  dilation: number[];
  groups: number;
  inputDilation: number[];
  layout: [string, string, string];
  outputPadding: number[];
  padding: weft.WindowPadding;
  reduction: "sum" | "prod" | "max" | "min";
  stride: number[];
  window: number[];
}
/** Attributes of all operations; a case has those of its own. */
export interface Attributes extends Sliding {
  atol: Scalar;
  axes: number[];
  axis: number;
  axisA: number;
  axisB: number;
  axisC: number;
  correction: number;
  count: number;
  data: never;
  diagonal: number;
  discont?: number;
  dtype: DType;
  endpoint: boolean;
  equalNan: boolean;
  high: Scalar;
  ignoreIndex?: number;
  includeInitial: boolean;
  independent: boolean;
  initial?: number;
  invert: boolean;
  k: number;
  keepdims?: boolean;
  labelSmoothing?: number;
  left: number[];
  length: number;
  low: Scalar;
  lower: boolean;
  m: number | null;
  max: Scalar | null;
  method: string;
  min: Scalar | null;
  n: number;
  num: number;
  numClasses: number;
  p: Scalar;
  period?: number;
  order: string;
  overlap: "full" | "same" | "valid";
  pads: [number, number][];
  right: number[];
  rtol: Scalar;
  seed: string;
  shape: number[];
  size: number;
  start: Scalar;
  starts: (number | null)[];
  steps: (number | null)[];
  stop: Scalar;
  stops: (number | null)[];
  step: Scalar;
  text: string;
  times: number;
  transposed: boolean;
  uplo?: "L" | "U";
  unitDiagonal: boolean;
  value: Scalar;
  way: "sub" | "mul" | "and" | "or" | "xor";
}
export interface Case {
  name: string;
  op: string;
  inputs: (TensorJson | { number: Scalar })[];
  attrs: Attributes;
  expected: TensorJson;
  tolerance: { abs: number; rel: number };
  weights: TensorJson;
  gradients: (TensorJson | null)[];
  directions?: TensorJson[];
  error: string;
  mentions: string[];
}

const words: Record<string, number> = { nan: NaN, inf: Infinity, "-inf": -Infinity, "-0": -0 };
export const number = (scalar: Scalar): number => (typeof scalar === "string" ? (words[scalar] ?? Number(scalar)) : Number(scalar));
export const make = ({ data, dtype, shape }: TensorJson): Tensor => tensor(data.map(number), { dtype, shape });

export const cases = <C = Case>(group: string): C[] => JSON.parse(textOf(group)) as C[];

/** Operations whose arguments are not just their inputs in order. */
const calls: Record<string, (inputs: Operand[], attrs: Attributes) => Tensor> = {
  cast: ([x], a) => weft.cast(x!, a.dtype),
  clip: ([x], a) => weft.clip(x!, a.min === null ? null : number(a.min), a.max === null ? null : number(a.max)),
  reshape: ([x], a) => weft.reshape(x!, a.shape),
  permute: ([x], a) => weft.permute(x!, a.axes),
  broadcastTo: ([x], a) => weft.broadcastTo(x!, a.shape),
  slice: ([x], a) => weft.slice(x!, ...a.starts.map((start, i) => [start, a.stops[i], a.steps[i]] as [number, number, number])),
  diff: ([x], a) => weft.diff(x!, a.times, a.axis),
  pad: ([x], a) => weft.pad(x!, a.pads, number(a.value)),
  stack: (inputs, a) => weft.stack(inputs, a.axis),
  einsum: (inputs, a) => weft.einsum(a.text, ...inputs),
  tensordot: ([x, y], a) => weft.tensordot(x!, y!, [a.left, a.right]),
  convolve: ([x, y], a) => weft.convolve(x!, y!, a.overlap),
  conv: ([x, kernel], { stride, padding, dilation, inputDilation, groups, batchGroups, layout }) =>
    weft.conv(x!, kernel!, { stride, padding, dilation, inputDilation, groups, batchGroups, layout }),
  convTranspose: ([x, kernel], { stride, padding, dilation, groups, outputPadding, layout }) =>
    weft.convTranspose(x!, kernel!, { stride, padding, dilation, groups, outputPadding, layout }),
  reduceWindow: ([x], { reduction, window, stride, padding, dilation, ceil }) => weft.reduceWindow(x!, reduction, window, { stride, padding, dilation, ceil }),
  averageWindow: ([x], { countPadding, window, stride, padding, dilation, ceil }) =>
    weft.averageWindow(x!, window, { countPadding, stride, padding, dilation, ceil }),
  take: ([x, indices], a) => weft.take(x!, indices!, a.axis),
  takeAlongAxis: ([x, indices], a) => weft.takeAlongAxis(x!, indices!, a.axis),
  at: ([x, indices, values], a) => weft.at(x!, indices!)[a.way](values!),
  ...Object.fromEntries(
    (["union1dWithSize", "intersect1dWithSize", "setdiff1dWithSize", "setxor1dWithSize"] as const).map((name) => [name, ([x, y]: Operand[], a: Attributes) => weft[name](x!, y!, a.size, -1).values]),
  ),
  oneHot: ([x], a) => weft.oneHot(x!, a.numClasses),
  ...Object.fromEntries(
    (["segmentSum", "segmentMean", "segmentMax", "segmentMin"] as const).map((name) => [name, ([x, ids]: Operand[], a: Attributes) => weft[name](x!, ids!, a.count)]),
  ),
  crossEntropy: ([logits, targets], { ignoreIndex = null, labelSmoothing = 0 }) => weft.crossEntropy(logits!, targets!, { ignoreIndex, labelSmoothing }),
  indices: (_, a) => weft.indices(a.shape, { dtype: a.dtype }),
  repeat: ([x, times], a) => (times === undefined ? weft.repeat(x!, a.times, a.axis) : weft.repeat(x!, times, a.axis, { length: a.length })),
  zeros: (_, a) => weft.zeros(a.shape, { dtype: a.dtype }),
  ones: (_, a) => weft.ones(a.shape, { dtype: a.dtype }),
  full: (_, a) => weft.full(a.shape, number(a.value), { dtype: a.dtype }),
  arange: (_, a) => weft.arange(number(a.start), number(a.stop), number(a.step), { dtype: a.dtype }),
  linspace: (_, a) => weft.linspace(number(a.start), number(a.stop), a.num, { endpoint: a.endpoint, dtype: a.dtype }),
  eye: (_, a) => weft.eye(a.n, a.m ?? a.n, { diagonal: a.k, dtype: a.dtype }),
  tensor: (_, a) => tensor(a.data, { dtype: a.dtype, shape: a.shape }),
  "random.key": (_, a) => random.key(BigInt(a.seed)),
  "random.split": ([key], a) => random.split(key as Tensor, a.n),
  "random.foldIn": ([key], a) => random.foldIn(key as Tensor, a.data as number),
  "random.bits": ([key], a) => random.bits(key as Tensor, a.shape),
  "random.uniform": ([key], a) => random.uniform(key as Tensor, a.shape, { low: number(a.low), high: number(a.high) }),
  "random.normal": ([key], a) => random.normal(key as Tensor, a.shape),
  "random.bernoulli": ([key], a) => random.bernoulli(key as Tensor, a.shape, number(a.p)),
  "random.permutation": ([key, x], a) => random.permutation(key as Tensor, x as Tensor, { axis: a.axis, independent: a.independent }),
  "random.randint": ([key], a) => random.randint(key as Tensor, a.shape, number(a.low), number(a.high)),
};

export function call(test: Pick<Case, "op" | "attrs">, inputs: readonly Operand[]): Tensor {
  const special = calls[test.op];
  if (special) return special([...inputs], test.attrs);
  const owner = (place: unknown, name: string) => (place as Record<string, unknown>)[name];
  const path = test.op.split(".");
  // Rarer losses are in `nn`, under their names in the table.
  const operation = path.reduce<unknown>(owner, (path[0] as string) in weft ? weft : weft.nn) as (...args: unknown[]) => Tensor;
  const row = rows[test.op];
  if (!operation || !row) throw new Error(`there is no ${test.op}`);
  const rest = [...inputs];
  const { keepdims } = test.attrs;
  return operation(...row.map(([name, kind]) => {
    if (["tensor", "operand", "integers", "storedOperand", "maybe", "key", "stored"].includes(kind)) return rest.shift();
    if (kind === "keepdims") return keepdims === undefined ? undefined : { keepdims };
    if (kind === "between") return { keepdims, method: test.attrs.method };
    if (kind === "tensors" || kind === "scalars") return rest.splice(0);
    if (kind === "closeness") return { rtol: number(test.attrs.rtol), atol: number(test.attrs.atol), equalNan: test.attrs.equalNan };
    if (kind === "outer") return test.attrs.shape ?? undefined;
    if (kind === "triangle") return { lower: test.attrs.lower, transposed: test.attrs.transposed, unitDiagonal: test.attrs.unitDiagonal };
    if (kind === "matrixOrder") return test.attrs.order in words ? words[test.attrs.order] : test.attrs.order;
    if (kind === "initial") return { includeInitial: test.attrs.includeInitial };
    if (kind === "number" || kind === "finite") return number(test.attrs[name as "value"]);
    if (["fold", "part", "spread", "totalled", "averaged"].includes(kind)) {
      return given({ keepdims, correction: test.attrs.correction, initial: test.attrs.initial, dtype: test.attrs.dtype, where: rest.shift() });
    }
    const named = OPTIONS[kind];
    if (named) return given(Object.fromEntries(named.map((option) => [option, test.attrs[option]])));
    return test.attrs[name as keyof Attributes];
  }));
}

/** Options that are attributes by the same names, of parameters of some kinds. */
const OPTIONS: Record<string, readonly (keyof Attributes)[]> = {
  equality: ["equalNan"],
  inversion: ["invert"],
  spacing: ["endpoint", "dtype"],
  winding: ["period", "discont"],
  ends: ["left", "right", "period"],
  thirds: ["axisA", "axisB", "axisC"],
};

/** Without what is not given. */
const given = (options: object) => Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

/** Names and kinds of the parameters of the operations: inputs stand where tensors do, attributes
 * where the name is theirs. */
const rows = JSON.parse(textOf("operations")) as Record<string, [name: string, kind: string, isOptional: boolean][]>;

export const inputsOf = (test: Case): Operand[] =>
  test.inputs.map((input) => ("number" in input ? number(input.number) : make(input)));

/** The elements of a tensor of halves, each rounded to one. */
async function halves({ data, dtype }: TensorJson): Promise<number[]> {
  const rounded = make({ data, dtype, shape: [data.length] });
  const elements = Array.from(await rounded.data());
  rounded.dispose();
  return elements;
}

/** Throws unless a result is what a case expects. */
export async function check(name: string, found: Tensor, expected: TensorJson, { abs, rel }: Case["tolerance"]): Promise<void> {
  const [type, wantedType] = [found, expected].map(({ dtype, shape }) => `${dtype}[${shape.join(",")}]`);
  if (type !== wantedType) throw new Error(`${name}: the result is ${type}, expected ${wantedType}`);
  const [start, stop] = expected.window ?? [0, found.size];
  const actual = (await found.data()).slice(start, stop);
  const wanted = expected.dtype === "f16" ? await halves(expected) : expected.data.map(number).map(expected.dtype === "f32" ? Math.fround : Number);
  const wrong = wanted.findIndex((value, i) => {
    const got = Number(actual[i]);
    if (got === value || (Number.isNaN(got) && Number.isNaN(value))) return false;
    return !(Math.abs(got - value) <= abs + rel * Math.abs(value));
  });
  if (wrong >= 0) throw new Error(`${name}: element ${wrong} is ${actual[wrong]}, expected ${wanted[wrong]}`);
}
