// Random programs, built call by call on the CPU device, whose values decide which calls fit and
// keep numbers within bounds.

import { tensor, type Tensor } from "../../js/src/index.js";
import type { Chance } from "./chance.js";
import { perform, type Argument, type Program, type Ref, type Step } from "./program.js";

/** Elements a value may have, and the largest magnitude that is left as it is. */
const MOST_ELEMENTS = 6000;
const LARGEST = 50;

/** A program in the making. */
export class Builder {
  readonly inputs: { shape: number[]; data: number[] }[] = [];
  readonly steps: Step[] = [];
  readonly #values = new Map<number, Tensor>();
  /** Inputs are numbered before all steps, which is known at the end: until then they are −1, −2,
   * … */
  readonly #outputs: number[] = [];

  constructor(readonly chance: Chance) {}

  /** The extents of a value. */
  shape({ v }: Ref): readonly number[] {
    return (this.#values.get(v) as Tensor).shape;
  }

  rank(x: Ref): number {
    return this.shape(x).length;
  }

  size({ v }: Ref): number {
    return (this.#values.get(v) as Tensor).size;
  }

  isFloat({ v }: Ref): boolean {
    return (this.#values.get(v) as Tensor).dtype === "f32";
  }

  /** An input of normally distributed numbers, now and then of few distinct ones, among which there
   * are ties. */
  input(shape: readonly number[]): Ref {
    const count = shape.reduce((a, b) => a * b, 1);
    const coarse = this.chance.happens(0.15);
    const data = Array.from({ length: count }, () => (coarse ? this.chance.whole(-4, 4) / 2 : this.chance.normal()));
    this.inputs.push({ shape: [...shape], data });
    const v = -this.inputs.length;
    this.#values.set(v, tensor(Float32Array.from(data), { shape }));
    return { v };
  }

  /** Adds a call. */
  call(f: string, ...args: Argument[]): Ref {
    return this.#add({ f, args });
  }

  /** Adds a call of several results, of which one is meant. */
  part(part: number, f: string, ...args: Argument[]): Ref {
    return this.#add({ f, args, part });
  }

  #add(step: Step): Ref {
    const values = new Proxy([], { get: (_, key) => this.#values.get(Number(key)) }) as unknown as Tensor[];
    const v = this.steps.length;
    this.#values.set(v, perform(step, values));
    this.steps.push(step);
    return { v };
  }

  /** Whether all elements of a float are finite and moderate. */
  async moderate({ v }: Ref): Promise<boolean> {
    const elements = await (this.#values.get(v) as Tensor).data();
    return elements.every((element) => Math.abs(Number(element)) <= LARGEST);
  }

  output(x: Ref): void {
    this.#outputs.push(x.v);
  }

  /** The program. Each of its values is read on the way with the probability `reading`. */
  finish(reading = 0.25): Program {
    const numbered = (v: number) => (v < 0 ? -1 - v : v + this.inputs.length);
    const renumbered = (argument: Argument): Argument => {
      if (typeof argument !== "object" || argument === null) return argument;
      if ("v" in argument) return { v: numbered((argument as Ref).v) };
      if (Array.isArray(argument)) return argument.map(renumbered);
      return Object.fromEntries(Object.entries(argument).map(([name, each]) => [name, renumbered(each as Argument)]));
    };
    for (const value of this.#values.values()) value.dispose();
    const steps = this.steps.map(({ args, ...step }) => ({ ...step, args: args.map(renumbered) }));
    const reads = steps.map((_, n) => n + this.inputs.length).filter(() => this.chance.happens(reading));
    return { inputs: this.inputs, steps, outputs: this.#outputs.map(numbered), reads };
  }
}

type Rule = (to: Builder, x: Ref, other: Ref) => Ref | null;

const axisOf = (to: Builder, x: Ref) => to.chance.whole(0, to.rank(x) - 1);
const unary = (f: string): Rule => (to, x) => to.call(f, x);
const withAxis = (f: string, ...rest: Argument[]): Rule => (to, x) => (to.rank(x) === 0 ? null : to.call(f, x, axisOf(to, x), ...rest));
const reduction = (f: string): Rule => (to, x) => {
  if (to.rank(x) === 0) return null;
  const axis = to.chance.of([null, axisOf(to, x), axisOf(to, x)]);
  return to.call(f, x, axis, { keepdims: to.chance.happens(0.6) });
};
const broadcast = (a: readonly number[], b: readonly number[]): number | null => {
  let size = 1;
  for (let n = 1; n <= Math.max(a.length, b.length); n++) {
    const [p, q] = [a.at(-n) ?? 1, b.at(-n) ?? 1];
    if (p !== q && p !== 1 && q !== 1) return null;
    size *= Math.max(p, q);
  }
  return size;
};
const fits = (to: Builder, x: Ref, y: Ref) => (broadcast(to.shape(x), to.shape(y)) ?? Infinity) <= MOST_ELEMENTS;
const binary = (f: string): Rule => (to, x, y) => {
  if (!fits(to, x, y)) return to.call(f, x, to.chance.of([0.5, -1.25, 2, 0.1]));
  return to.chance.happens(0.5) ? to.call(f, x, y) : to.call(f, y, x);
};

/** What keeps every element apart from every other: rounding, but no decision. */
const SMOOTH: readonly Rule[] = [
  ..."neg tanh sigmoid sin cos erf gelu silu softplus square tanh sin".split(" ").map(unary),
  (to, x) => to.call("exp", to.call("neg", to.call("abs", x))),
  (to, x) => to.call("sqrt", to.call("add", to.call("square", x), 0.5)),
  (to, x) => to.call("log", to.call("add", to.call("square", x), 0.5)),
  (to, x) => to.call("rsqrt", to.call("add", to.call("square", x), 0.5)),
  ..."add sub mul add sub mul mul".split(" ").map(binary),
  // What drivers contract.
  (to, x, y) => (fits(to, x, y) ? to.call("add", to.call("mul", x, y), to.chance.of([x, y])) : null),
  (to, x, y) => (fits(to, x, y) ? to.call("sub", to.call("mul", x, 0.3), to.call("square", y)) : null),
  (to, x, y) => (fits(to, x, y) ? to.call("div", x, to.call("add", to.call("square", y), 0.5)) : null),
  ..."sum mean mean variance std logSumExp".split(" ").map(reduction),
  (to, x) => (to.rank(x) > 0 && to.size(x) > 1 ? to.call("sub", x, to.call("mean", x, axisOf(to, x), { keepdims: true })) : null),
];

const SHAPES: readonly Rule[] = [
  (to, x) => to.call("permute", x, to.chance.order(to.rank(x))),
  (to, x) => to.call("reshape", x, [to.size(x)]),
  (to, x) => to.call("expandDims", x, to.chance.whole(0, to.rank(x))),
  withAxis("flip"),
  (to, x) => {
    if (to.rank(x) === 0) return null;
    return to.call("slice", x, ...to.shape(x).map((extent) => [to.chance.whole(0, Math.floor((extent - 1) / 2)), extent]));
  },
  (to, x) => (to.rank(x) > 0 && to.size(x) < MOST_ELEMENTS / 4 ? to.call("pad", x, to.shape(x).map(() => [to.chance.whole(0, 1), to.chance.whole(0, 2)]), to.chance.of([0, 0.5])) : null),
  (to, x) => (to.rank(x) > 0 ? to.call("roll", x, to.chance.whole(1, 3), axisOf(to, x)) : null),
  (to, x) => (to.rank(x) > 0 && to.size(x) < MOST_ELEMENTS / 2 ? to.call("concat", [x, to.call("mul", x, 0.5)], axisOf(to, x)) : null),
  (to, x) => {
    const shape = to.shape(x);
    const wide = [to.chance.whole(2, 5), ...shape];
    return to.size(x) * (wide[0] as number) <= MOST_ELEMENTS ? to.call("broadcastTo", x, wide) : null;
  },
  (to, x) => {
    if (to.rank(x) === 0) return null;
    const axis = axisOf(to, x);
    const extent = to.shape(x)[axis] as number;
    return to.call("take", x, Array.from({ length: to.chance.whole(1, 6) }, () => to.chance.whole(0, extent - 1)), axis);
  },
];

const LINES: readonly Rule[] = [
  withAxis("softmax"),
  withAxis("logSoftmax"),
  withAxis("cumsum"),
  withAxis("cummax"),
  withAxis("sort"),
  withAxis("logCumSumExp"),
  (to, x) => (to.rank(x) > 0 && to.shape(x).every((extent) => extent > 1) ? to.call("standardize", x, axisOf(to, x)) : null),
  (to, x) => {
    if (to.rank(x) === 0) return null;
    const axis = axisOf(to, x);
    return to.call("takeAlongAxis", x, to.call("argsort", to.call("sin", to.call("mul", x, 3)), axis), axis);
  },
];

const PRODUCTS: readonly Rule[] = [
  (to, x) => (to.rank(x) === 2 && (to.shape(x)[0] as number) ** 2 <= MOST_ELEMENTS ? to.call("matmul", x, to.call("permute", x, [1, 0])) : null),
  (to, x) => (to.rank(x) >= 2 ? to.call("matmul", x, to.input([to.shape(x).at(-1) as number, to.chance.whole(1, 9)])) : null),
  (to, x) => (to.rank(x) === 2 ? to.call("einsum", "ij,ij->i", x, to.call("tanh", x)) : null),
  (to, x) => {
    if (to.rank(x) !== 2 || (to.shape(x)[1] as number) < 3) return null;
    const rows = to.shape(x)[0] as number;
    return to.call("conv", to.call("expandDims", x, 1), to.input([2, 1, 3]), { padding: rows % 2 === 0 ? "same" : "valid" });
  },
];

const DECISIONS: readonly Rule[] = [
  ..."relu abs sign floor round".split(" ").map(unary),
  ..."maximum minimum".split(" ").map(binary),
  ..."max min max min".split(" ").map(reduction),
  (to, x, y) => (fits(to, x, y) ? to.call("where", to.call("greater", x, y), x, to.call("mul", y, 0.5)) : null),
  (to, x) => to.call("clip", x, -0.7, 0.9),
  (to, x) => (to.rank(x) === 2 && (to.shape(x)[1] as number) >= 2 ? to.call("nn.maxPool1d", to.call("expandDims", x, 0), 2, { stride: 1 }) : null),
];

/** Each kind as often as it is listed. */
const ANY: readonly (readonly Rule[])[] = [SMOOTH, SMOOTH, SMOOTH, SMOOTH, SHAPES, SHAPES, LINES, PRODUCTS, DECISIONS];

/** Extents of the inputs: mostly small; long rows, many rows and squares meet other kernels. */
function shapes(chance: Chance): number[][] {
  const kind = chance.whole(0, 9);
  if (kind === 0) return [[chance.whole(300, 3000)], [1]];
  if (kind === 1) return [[chance.whole(2, 6), chance.whole(100, 700)], [1, 1], [chance.whole(100, 700)]];
  if (kind === 2) return [[chance.whole(40, 300), chance.whole(2, 9)], [1, chance.whole(2, 9)]];
  const whole = Array.from({ length: chance.whole(1, 3) }, () => chance.of([1, 2, 3, 4, 5, 7, 8, 16]));
  const some = () => whole.slice(chance.whole(0, whole.length - 1)).map((extent) => (chance.happens(0.35) ? 1 : extent));
  return [whole, some(), some()];
}

/** Adds steps by rules of these kinds, and yields what there is to go on with, the last value
 * last. */
async function grow(to: Builder, kinds: readonly (readonly Rule[])[], count: number): Promise<Ref[]> {
  const values = shapes(to.chance).map((shape) => to.input(shape));
  for (let made = 0, tried = 0; made < count && tried < 5 * count; tried++) {
    const recent = to.chance.happens(0.7) ? values.slice(-3) : values;
    const [x, y] = [to.chance.of(recent), to.chance.of(values)];
    const found = to.chance.of(to.chance.of(kinds))(to, x, y);
    if (!found || to.size(found) === 0 || to.size(found) > MOST_ELEMENTS) continue;
    values.push((await to.moderate(found)) ? found : to.call("tanh", found));
    made += 1;
  }
  return values;
}

/** Some arithmetic without decisions: what is compared with itself afterwards. */
export async function smooth(to: Builder): Promise<Ref> {
  if (to.chance.happens(0.75)) return outer(to);
  const values = await grow(to, [SMOOTH, SMOOTH, SMOOTH, SHAPES], to.chance.whole(3, 9));
  return values.at(-1) as Ref;
}

/** What drivers contract: products and sums without a function between them. */
const CONTRACTED: readonly Rule[] = [
  ..."add sub mul".split(" ").map(binary),
  ..."tanh tanh sigmoid sin erf square".split(" ").map(unary),
  (to, x, y) => (fits(to, x, y) ? to.call("div", x, to.call("add", to.call("square", y), 0.5)) : null),
  (to, x, y) => (fits(to, x, y) ? to.call("add", to.call("mul", x, y), to.chance.of([x, y])) : null),
  (to, x, y) => (fits(to, x, y) ? to.call("sub", to.call("mul", x, y), to.chance.of([x, y])) : null),
  (to, x, y) => (fits(to, x, y) ? to.call("sub", to.call("mul", x, to.chance.of([0.3, 1.7])), to.call("mul", y, y)) : null),
];

/** Columns that hang on a mean, and what they make with rows: cheap enough to be computed again in
 * every kernel that needs it. */
async function outer(to: Builder): Promise<Ref> {
  const { chance } = to;
  const count = chance.of([2, 3, 3, 4, 4, 5, 5, 5, 6, 8, 13, 40]);
  const [p, q] = [to.input(chance.of([[2, 1], [1, 3], [6, 1], [1, 1]])), to.input([count, 1])];
  const raw = chance.of([p, to.call("square", p), to.call("mul", p, to.call("tanh", p))]);
  const mean = to.call(chance.of(["mean", "mean", "sum"]), raw, null, { keepdims: true });
  const columns = [mean, q, to.call(chance.of(["sub", "add", "mul"]), mean, q)];
  for (let n = chance.of([0, 0, 0, 1, 2, 3, 5, 8]), made = 0; made < n; made++) {
    const [x, y] = [columns.at(chance.whole(-3, -1)) as Ref, chance.of(columns)];
    const found = chance.of(CONTRACTED)(to, x, y);
    if (found) columns.push((await to.moderate(found)) ? found : to.call("tanh", found));
  }
  const whole = columns.filter((column) => to.size(column) === count);
  const curved = to.call(chance.of(["tanh", "tanh", "sigmoid", "sin", "erf", "square"]), chance.of(whole));
  const product = to.call("mul", whole.at(-1) as Ref, chance.of([mean, curved]));
  const x = chance.happens(0.7) ? to.call(chance.of(["sub", "add"]), product, chance.of([curved, ...whole])) : product;
  const row = chance.happens(0.8) ? to.call("reshape", chance.of([curved, ...whole]), [count]) : to.input([chance.whole(1, 30)]);
  return to.call(chance.of(["add", "add", "add", "sub", "mul"]), x, row);
}

/** A random program: some steps, of which the last value and some before are results. */
export async function randomProgram(chance: Chance): Promise<Program> {
  const to = new Builder(chance);
  const values = await grow(to, ANY, chance.whole(4, 14));
  const outputs = new Set([values.at(-1) as Ref, ...(chance.happens(0.5) ? [chance.of(values)] : [])]);
  for (const output of outputs) to.output(output);
  return to.finish();
}
