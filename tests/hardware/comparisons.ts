// Programs that end in a comparison of a value with one computed from it. A driver rounds the same
// expression one way in one kernel and another way in another (it contracts a·b + c, say): where
// the two sides of such a comparison come from two kernels, an equality that holds by construction
// fails.

import type { Chance } from "./chance.js";
import { Builder, smooth } from "./generate.js";
import type { Program, Ref } from "./program.js";

/** Makes results of a value of at least one axis. */
type Ending = (to: Builder, x: Ref) => Ref[] | null;

const axisOf = (to: Builder, x: Ref) => to.chance.whole(0, to.rank(x) - 1);
const number = (to: Builder, truth: Ref) => to.call("cast", truth, "f32");
const extreme = (to: Builder) => to.chance.of(["max", "min"]);
const keepdims = { keepdims: true };
/** The elements of x where a truth holds, and how many there are. */
const kept = (to: Builder, truth: Ref, x: Ref) => [to.call("where", truth, x, 0), to.call("sum", number(to, truth))];
const line = (to: Builder, x: Ref) => to.call("reshape", x, [to.size(x)]);
/** x as lines along its last axis, in a batch of one channel. */
const image = (to: Builder, x: Ref) => to.call("reshape", x, [1, 1, to.size(x) / (to.shape(x).at(-1) as number), to.shape(x).at(-1) as number]);

export const ENDINGS: Readonly<Record<string, Ending>> = {
  "an extreme": (to, x) => [to.call(extreme(to), x, to.chance.of([null, ...[1, 2, 3].map(() => axisOf(to, x))]))],
  "an extreme beside its values": (to, x) => {
    const axis = axisOf(to, x);
    return [to.call(extreme(to), x, axis), to.call("tanh", x)];
  },
  "extremes of sums": (to, x) => {
    const axis = axisOf(to, x);
    return [to.call(extreme(to), to.call("sub", x, to.call("mean", x, axis, keepdims)), axis)];
  },
  "both extremes": (to, x) => {
    const axis = axisOf(to, x);
    return [to.call("sub", to.call("max", x, axis), to.call("min", x, axis))];
  },
  "pooled": (to, x) => {
    const last = to.shape(x).at(-1) as number;
    return last < 3 ? null : [to.call("nn.maxPool1d", to.call("reshape", x, [1, to.size(x) / last, last]), to.chance.whole(2, 3), { stride: to.chance.whole(1, 3) })];
  },
  "pooled over two axes": (to, x) => {
    const pixels = image(to, x);
    const [height, width] = to.shape(pixels).slice(2) as [number, number];
    return height < 2 || width < 2 ? null : [to.call("nn.maxPool2d", pixels, 2, { stride: to.chance.whole(1, 2) })];
  },
  "windows": (to, x) => [to.call("reduceWindow", line(to, x), extreme(to), [to.chance.whole(1, Math.min(3, to.size(x)))], { padding: "same" })],
  "equal to the largest": (to, x) => {
    const axis = to.chance.of([null, axisOf(to, x)]);
    return kept(to, to.call("equal", x, to.call(extreme(to), x, axis, keepdims)), x);
  },
  "at least the largest": (to, x) => kept(to, to.call("greaterEqual", x, to.call("max", x, axisOf(to, x), keepdims)), x),
  "below the largest": (to, x) => kept(to, to.call("less", x, to.call("max", x, axisOf(to, x), keepdims)), x),
  "nothing from the largest": (to, x) => kept(to, to.call("equal", to.call("sub", x, to.call("max", x, null, keepdims)), 0), x),
  "the larger of itself and the largest": (to, x) => [to.call("maximum", x, to.call("max", x, axisOf(to, x), keepdims))],
  "sorted": (to, x) => [to.call("sort", x, axisOf(to, x))],
  "sorted by positions": (to, x) => {
    const axis = axisOf(to, x);
    const sorted = to.call("takeAlongAxis", x, to.call("argsort", x, axis), axis);
    return [sorted, number(to, to.call("equal", sorted, to.call("sort", x, axis)))];
  },
  "the last of what is sorted": (to, x) => {
    const flat = line(to, x);
    return kept(to, to.call("equal", to.call("slice", to.call("sort", flat), [-1, null]), to.call("max", flat, 0, keepdims)), flat);
  },
  "the largest few": (to, x) => {
    const flat = line(to, x);
    const few = to.call("slice", to.call("sort", flat, 0, true), [0, to.chance.whole(1, Math.min(4, to.size(x)))]);
    return kept(to, to.call("greaterEqual", flat, to.call("min", few)), flat);
  },
  "top k": (to, x) => {
    const k = to.chance.whole(1, Math.min(4, to.shape(x).at(-1) as number));
    const best = to.part(0, "topK", x, k);
    return [best, ...kept(to, to.call("greaterEqual", x, to.call("min", best, -1, keepdims)), x)];
  },
  "taken at the largest": (to, x) => {
    const flat = line(to, x);
    const chosen = to.call("take", flat, to.call(to.chance.of(["argmax", "argmin"]), flat), 0);
    return [chosen, ...kept(to, to.call("equal", flat, chosen), flat)];
  },
  "taken along an axis at the largest": (to, x) => {
    const axis = axisOf(to, x);
    const chosen = to.call("takeAlongAxis", x, to.call("argmax", x, axis, keepdims), axis);
    return [number(to, to.call("equal", chosen, to.call("max", x, axis, keepdims))), chosen];
  },
  "one-hot of the largest": (to, x) => {
    const flat = line(to, x);
    const marked = to.call("mul", to.call("oneHot", to.call("argmax", flat), to.size(x)), flat);
    return [to.call("sum", marked), to.call("max", flat)];
  },
  "up to the median": (to, x) => {
    const flat = line(to, x);
    if (to.size(x) % 2 === 0) return null;
    return kept(to, to.call("lessEqual", flat, to.call("median", flat)), flat);
  },
  "up to a quantile": (to, x) => {
    const flat = line(to, x);
    return to.size(x) < 2 ? null : kept(to, to.call("lessEqual", flat, to.call("quantile", flat, to.chance.of([0, 1]))), flat);
  },
  "records": (to, x) => kept(to, to.call("equal", x, to.call(to.chance.of(["cummax", "cummin"]), x, axisOf(to, x))), x),
  "running": (to, x) => [to.call(to.chance.of(["cummax", "cummin"]), x, axisOf(to, x))],
  "places in what is sorted": (to, x) => {
    const flat = line(to, x);
    return [number(to, to.call("searchSorted", to.call("sort", flat), flat, to.chance.happens(0.5)))];
  },
  "members": (to, x) => {
    const flat = line(to, x);
    const some = to.call("slice", flat, [0, Math.max(1, to.size(x) >> 1)]);
    return kept(to, to.call("isIn", flat, some), flat);
  },
  "a pivot": (to, x) => {
    const flat = line(to, x);
    const at = to.chance.whole(0, to.size(x) - 1);
    const pivot = to.call("slice", flat, [at, at + 1]);
    return kept(to, to.call(to.chance.of(["equal", "less", "lessEqual"]), flat, pivot), flat);
  },
  "ranks": (to, x) => {
    if (to.size(x) > 70) return null;
    const flat = line(to, x);
    const below = to.call(to.chance.of(["greaterEqual", "greater"]), to.call("expandDims", flat, 1), to.call("expandDims", flat, 0));
    return [to.call("sum", number(to, below), 1), to.call("sum", to.call("where", below, to.call("expandDims", flat, 0), 0), 1)];
  },
  "clipped by its own": (to, x) => {
    const axis = axisOf(to, x);
    return [to.call("minimum", x, to.call("mean", x, axis, keepdims)), to.call("maximum", x, to.call("min", x, axis, keepdims))];
  },
  "nothing left by relu": (to, x) => [to.call("sign", to.call("relu", to.call("sub", x, to.call("max", x, axisOf(to, x), keepdims))))],
  "segments": (to, x) => {
    const flat = line(to, x);
    const count = to.chance.whole(1, 4);
    const ids = Array.from({ length: to.size(x) }, (_, n) => n % count);
    const largest = to.call("segmentMax", flat, ids, count);
    return [largest, ...kept(to, to.call("equal", flat, to.call("take", largest, ids, 0)), flat)];
  },
  "the largest magnitude": (to, x) => [to.call("norm", x, Infinity, axisOf(to, x))],
  "stable exponentials": (to, x) => {
    const axis = axisOf(to, x);
    const below = to.call("sub", x, to.call("max", x, axis, keepdims));
    const e = to.call("exp", below);
    return [to.call("div", e, to.call("sum", e, axis, keepdims)), number(to, to.call("equal", to.call("max", below, axis), 0))];
  },
  "one at the largest": (to, x) => {
    const axis = axisOf(to, x);
    const e = to.call("exp", to.call("sub", x, to.call("max", x, axis, keepdims)));
    return [e, number(to, to.call("equal", to.call("max", e, axis), 1))];
  },
  "a root of what is left": (to, x) => {
    const axis = axisOf(to, x);
    const root = to.call("sqrt", to.call("sub", to.call("max", x, axis, keepdims), x));
    return [root, number(to, to.call("equal", to.call("min", root, axis), 0))];
  },
  "below a record": (to, x) => {
    const axis = axisOf(to, x);
    const rest = to.call("sub", to.call("cummax", x, axis), x);
    return [rest, number(to, to.call("equal", to.call("min", rest, axis), 0))];
  },
  "from the least to the largest": (to, x) => {
    const axis = axisOf(to, x);
    const [least, most] = [to.call("min", x, axis, keepdims), to.call("max", x, axis, keepdims)];
    const above = to.call("sub", x, least);
    const share = to.call("div", above, to.call("add", to.call("sub", most, least), 0.01));
    return [share, number(to, to.call("equal", to.call("min", share, axis), 0))];
  },
  "what a bound takes": (to, x) => {
    const taken = to.call("sub", x, to.call("clip", x, -0.5, 0.5));
    return [taken, number(to, to.call("equal", taken, 0))];
  },
};

/** An issue's example: u and t are broadcast products and means, and the gradient of the least
 * elements was lost. */
const LOST: Program = {
  inputs: [
    { shape: [2, 1], data: [2.0977173, -0.8876284] },
    { shape: [5, 1], data: [-0.1408955, -0.3025665, 0.14753167, 0.028939115, 2.632794] },
  ],
  steps: [
    { f: "square", args: [{ v: 0 }] },
    { f: "mean", args: [{ v: 2 }, null, keepdims] },
    { f: "sub", args: [{ v: 3 }, { v: 1 }] },
    { f: "tanh", args: [{ v: 4 }] },
    { f: "mul", args: [{ v: 4 }, { v: 3 }] },
    { f: "square", args: [{ v: 6 }] },
    { f: "add", args: [{ v: 7 }, 0.5] },
    { f: "div", args: [{ v: 5 }, { v: 8 }] },
    { f: "mul", args: [{ v: 9 }, { v: 3 }] },
    { f: "sub", args: [{ v: 10 }, { v: 5 }] },
    { f: "reshape", args: [{ v: 5 }, [5]] },
    { f: "add", args: [{ v: 11 }, { v: 12 }] },
    { f: "min", args: [{ v: 13 }, 0] },
    { f: "sum", args: [{ v: 14 }] },
  ],
  outputs: [15],
  reads: [13],
};
/** The same without the square, which is right on SwiftShader and was wrong on an NVIDIA H100. */
const ALSO_LOST: Program = { ...LOST, steps: LOST.steps.map((step, n) => (n === 0 ? { f: "mul", args: [{ v: 0 }, 1] } : step)) };

/** The difference of a product and its largest, both read before their maximum is compared with 0:
 * an NVIDIA H200 contracted the product and the difference. */
const CONTRACTED: Program = {
  inputs: [
    {
      shape: [3, 6],
      data: [
        -0.13049830496311188, -0.8944003582000732, 0.38115033507347107, -1.1436384916305542, 0.4353943467140198, 1.1375672817230225, -0.18897150456905365, -1.134207844734192, 0.335894912481308,
        -1.7075542211532593, -2.674704074859619, -1.9078253507614136, -1.3259633779525757, 0.005825450178235769, 0.3242146670818329, 0.8147037625312805, -0.20383305847644806, 0.17111322283744812,
      ],
    },
  ],
  steps: [
    { f: "roll", args: [{ v: 0 }, 3, 1] },
    { f: "mul", args: [{ v: 1 }, { v: 0 }] },
    { f: "max", args: [{ v: 2 }, 1, keepdims] },
    { f: "sub", args: [{ v: 2 }, { v: 3 }] },
    { f: "max", args: [{ v: 4 }, 1] },
    { f: "equal", args: [{ v: 5 }, 0] },
    { f: "cast", args: [{ v: 6 }, "f32"] },
  ],
  outputs: [4, 7],
  reads: [1, 3, 4],
};

/** Programs that were wrong, which are tried first. */
export const FIXED: readonly Program[] = [LOST, ALSO_LOST, CONTRACTED];

/** The gradient of an extreme compares, and finds what the value does not: those are tried as often
 * as all others, plain ones most of all. */
const NAMES = Object.keys(ENDINGS);
const EXTREMES = NAMES.filter((name) => /extreme|pooled|windows|running|magnitude/.test(name));

/** A random program that ends in a comparison. Most have values that are read before: those were
 * computed in other kernels. */
export async function randomComparison(chance: Chance): Promise<Program> {
  for (;;) {
    const to = new Builder(chance);
    const x = await smooth(to);
    const results = to.rank(x) > 0 ? (ENDINGS[chance.happens(0.3) ? "an extreme" : chance.of(chance.happens(0.3) ? EXTREMES : NAMES)] as Ending)(to, x) : null;
    if (results) for (const result of results) to.output(result);
    const program = to.finish(chance.of([0.25, 0.5, 0.75]));
    if (results) return program;
  }
}
