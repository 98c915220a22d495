// Properties of the array API's namespaces `linalg` and `fft`, tested as in `properties.test.ts`.

import * as weft from "../../src/index.js";
import { Complex, type DType } from "../../src/index.js";
import { onCpu } from "../support/cpu.js";
import { accumulated, anything, Chance, filled, folded, NUMERIC, one, outside, promoted, properties, reduced, rows, size, together, type Draw, type Shape } from "../support/properties.js";

onCpu();

// ── Linear algebra ───────────────────────────────────────────────────────────

/** A positive definite matrix for each place of the batch. */
const definite = (batch: Shape, n: number) => weft.broadcastTo(weft.eye(n).mul(3).add(0.5), [...batch, n, n]);

/** Functions of matrices: what one of a batch gives. */
const matrices =
  (gives: (m: number, n: number) => Shape[], kind: "any" | "square" = "any", options: readonly unknown[] = []) =>
  () =>
  (chance: Chance): Draw => {
    const [batch, m] = [chance.shape(0, 2), chance.whole(kind === "square" ? 0 : 0, 3)];
    const n = kind === "square" ? m : chance.whole(0, 3);
    const x = kind === "square" ? definite(batch, m) : filled([...batch, m, n]).add(weft.eye(m, n));
    return { args: [x, ...options], gives: gives(m, n).map((shape) => [[...batch, ...shape], "f32"] as const) };
  };
const square = (gives: (n: number) => Shape[], options: readonly unknown[] = []) => matrices((_, n) => gives(n), "square", options);

properties("products", {
  ...rows("matmul", () => (chance) => {
    const [[a, b], batch] = chance.broadcast(2) as [[number[], number[]], number[]];
    const [m, k, n] = [chance.whole(0, 3), chance.whole(0, 3), chance.whole(0, 3)];
    const dtypes = together(chance, NUMERIC);
    const kind = chance.whole(0, 3);
    const [left, right, result] = [
      [[...a, m, k], [...b, k, n], [...batch, m, n]],
      [[k], [...b, k, n], [...b, n]],
      [[...a, m, k], [k], [...a, m]],
      [[k], [k], []],
    ][kind] as [number[], number[], number[]];
    return one([filled(left, dtypes[0]), filled(right, dtypes[1])], result, promoted(...dtypes));
  }),
  vecdot: (chance) => {
    const [[a, b], batch] = chance.broadcast(2) as [[number[], number[]], number[]];
    const [k, dtypes] = [chance.whole(0, 3), together(chance, NUMERIC)];
    return one([filled([...a, k], dtypes[0]), filled([...b, k], dtypes[1]), -1], batch, promoted(...dtypes));
  },
  tensordot: (chance) => {
    const [left, common, right] = [chance.shape(0, 2), chance.shape(0, 2), chance.shape(0, 2)];
    const dtypes = together(chance, NUMERIC);
    const order = chance.order(common.length);
    if (chance.whole(0, 1)) return one([filled([...left, ...common], dtypes[0]), filled([...common, ...right], dtypes[1]), common.length], [...left, ...right], promoted(...dtypes));
    const [ofLeft, ofRight] = [order.map((axis) => axis - common.length), order];
    return one([filled([...left, ...common], dtypes[0]), filled([...common, ...right], dtypes[1]), [ofLeft, ofRight]], [...left, ...right], promoted(...dtypes));
  },
  outer: (chance) => {
    const [m, n, dtypes] = [chance.whole(0, 4), chance.whole(0, 4), together(chance, NUMERIC)];
    return one([filled([m], dtypes[0]), filled([n], dtypes[1])], [m, n], promoted(...dtypes));
  },
  cross: (chance) => {
    const [[a, b], batch] = chance.broadcast(2) as [[number[], number[]], number[]];
    const dtypes = together(chance, NUMERIC);
    return one([filled([...a, 3], dtypes[0]), filled([...b, 3], dtypes[1])], [...batch, 3], promoted(...dtypes));
  },
  "matmul (of what does not fit)": (chance) => {
    const [a, k] = [chance.shape(1, 3), chance.whole(2, 3)];
    return { args: [filled([...a, k]), filled(chance.of([[k + 1, 2], [k + 1], []]))], gives: null };
  },
});

properties("linear algebra", {
  ...rows("linalg.cholesky linalg.inv", square((n) => [[n, n]])),
  ...rows("linalg.det", square(() => [[]])),
  ...rows("linalg.slogdet", square(() => [[], []])),
  ...rows("linalg.eigh", square((n) => [[n], [n, n]])),
  ...rows("linalg.eigvalsh", square((n) => [[n]])),
  ...rows("linalg.pinv", matrices((m, n) => [[n, m]])),
  ...rows("linalg.qr", matrices((m, n) => [[m, Math.min(m, n)], [Math.min(m, n), n]])),
  "linalg.qr (complete)": matrices((m, n) => [[m, m], [m, n]], "any", [true])(),
  ...rows("linalg.svd", matrices((m, n) => [[m, Math.min(m, n)], [Math.min(m, n)], [Math.min(m, n), n]])),
  "linalg.svd (full)": matrices((m, n) => [[m, m], [Math.min(m, n)], [n, n]], "any", [true])(),
  ...rows("linalg.svdvals", matrices((m, n) => [[Math.min(m, n)]])),
  "linalg.matrixRank": (chance) => {
    const [batch, m, n] = [chance.shape(0, 2), chance.whole(0, 3), chance.whole(0, 3)];
    return one([filled([...batch, m, n])], batch, "i32");
  },
  "linalg.matrixPower": (chance) => {
    const [batch, n] = [chance.shape(0, 2), chance.whole(0, 3)];
    return one([definite(batch, n), chance.whole(-3, 4)], [...batch, n, n], "f32");
  },
  "linalg.solve": (chance) => {
    const [[a, b], batch] = chance.broadcast(2) as [[number[], number[]], number[]];
    const [n, k] = [chance.whole(0, 3), chance.whole(0, 3)];
    // A vector alone is one right-hand side, whatever the batch of matrices.
    return chance.whole(0, 2) === 0 ? one([definite(a, n), filled([n])], [...a, n], "f32") : one([definite(a, n), filled([...b, n, k])], [...batch, n, k], "f32");
  },
  diagonal: (chance) => {
    const [x, shape, dtype] = anything(chance, 2);
    const [m, n, offset] = [shape.at(-2) as number, shape.at(-1) as number, chance.whole(-5, 5)];
    const long = Math.max(0, Math.min(m + Math.min(offset, 0), n - Math.max(offset, 0)));
    return one([x, offset, -2, -1], [...shape.slice(0, -2), long], dtype);
  },
  trace: (chance) => {
    const [shape, dtype] = [chance.shape(2), chance.of(NUMERIC)];
    return one([filled(shape, dtype), chance.whole(-5, 5), -2, -1], shape.slice(0, -2), accumulated(dtype));
  },
  "linalg.matrixNorm": (chance) => {
    const [batch, keepdims, order] = [chance.shape(0, 2), chance.whole(0, 1) === 1, chance.of(["fro", "nuc", 1, -1, 2, -2, Infinity, -Infinity])];
    return one([filled([...batch, 2, 3]), order, { keepdims }], keepdims ? [...batch, 1, 1] : batch, "f32");
  },
  "linalg.vectorNorm": (chance) => {
    const [shape, keepdims, order] = [chance.shape(), chance.whole(0, 1) === 1, chance.of([0, 1, 2, 3, 0.5, -1, Infinity, -Infinity])];
    const axes = chance.axes(shape.length);
    const args = [filled(shape), order, axes, { keepdims }];
    const result = reduced(shape, axes, keepdims);
    const isOpen = folded(shape, axes) === 0 && Math.abs(order) === Infinity && size(result) > 0;
    return isOpen ? { args, gives: null } : one(args, result, "f32");
  },
});

properties("matrices that are none, or not square, are refused by", {
  ...rows("linalg.cholesky linalg.inv linalg.det linalg.slogdet linalg.eigh linalg.eigvalsh", () => (chance) => ({ args: [filled([...chance.shape(0, 2), ...chance.of([[2, 3], [1, 2], [3, 0]])])], gives: null })),
  ...rows("linalg.qr linalg.svd linalg.svdvals linalg.pinv linalg.matrixRank linalg.matrixNorm", () => (chance) => ({ args: [filled(chance.shape(0, 1))], gives: null })),
  ...rows("linalg.matrixPower", () => (chance) => ({ args: [filled([...chance.shape(0, 2), 2, 3]), chance.of([2, -1])], gives: null })),
  ...rows("linalg.solve", () => (chance) => ({ args: chance.of([[filled([2, 3]), filled([2])], [filled([2, 2]), filled([3])], [filled([2]), filled([2])]]), gives: null })),
});

// ── Fourier transforms ───────────────────────────────────────────────────────

const half = (n: number) => Math.floor(n / 2) + 1;
/** A shape without zeros: a transform of nothing is refused. */
const filledShape = (chance: Chance, least = 1) => chance.shape(least, 3).map((extent) => Math.max(1, extent));
const NORMS = ["backward", "ortho", "forward"] as const;
const pair = (shape: Shape, dtype: DType = "f32"): [Shape, DType][] => [[shape, dtype], [shape, dtype]];

properties("Fourier transforms", {
  ...rows("fft.fft fft.ifft fft.rfft fft.irfft fft.hfft fft.ihfft", (name) => (chance) => {
    const shape = filledShape(chance);
    const [axis, isGiven] = [chance.axis(shape.length), chance.whole(0, 1) === 1];
    const own = shape.at(axis) as number;
    const isShort = /irfft|\.hfft/.test(name);
    const n = isGiven ? chance.whole(1, 6) : isShort ? 2 * (own - 1) : own;
    const input = /\.(fft|ifft|irfft|hfft)$/.test(name) && chance.whole(0, 1) ? new Complex(filled(shape), filled(shape)) : filled(shape);
    const args = [input, isGiven ? n : undefined, axis, chance.of(NORMS)];
    // Of one number without a length the result would have none.
    if (n === 0) return { args, gives: null };
    const result = shape.with(axis, /\.(rfft|ihfft)$/.test(name) ? half(n) : n);
    return { args, gives: isShort ? [[result, "f32"]] : pair(result) };
  }),
  ...rows("fft.fftn fft.ifftn fft.rfftn fft.irfftn", (name) => (chance) => {
    const shape = filledShape(chance);
    const axes = chance.order(shape.length).slice(0, chance.whole(1, shape.length));
    const isGiven = chance.whole(0, 1) === 1;
    const isShort = name === "fft.irfftn";
    const lengths = axes.map((axis, n) => (isGiven ? chance.whole(1, 5) : isShort && n === axes.length - 1 ? 2 * ((shape[axis] as number) - 1) : (shape[axis] as number)));
    const args = [filled(shape), isGiven ? lengths : undefined, axes.map((axis) => axis - chance.whole(0, 1) * shape.length), chance.of(NORMS)];
    if (lengths.includes(0)) return { args, gives: null };
    const result = axes.reduce((made, axis, n) => made.with(axis, name === "fft.rfftn" && n === axes.length - 1 ? half(lengths[n] as number) : (lengths[n] as number)), [...shape]);
    return { args, gives: isShort ? [[result, "f32"]] : pair(result) };
  }),
  ...rows("fft.fftfreq fft.rfftfreq", (name) => (chance) => {
    const n = chance.whole(1, 9);
    return one([n, 0.5], [name === "fft.fftfreq" ? n : half(n)], "f32");
  }),
  ...rows("fft.fftshift fft.ifftshift", () => (chance) => {
    const [x, shape, dtype] = anything(chance);
    return one([x, chance.axes(shape.length)], shape, dtype);
  }),
  "fft.fft (of no elements)": (chance) => ({ args: [filled([...chance.shape(0, 2), 0])], gives: null }),
  "fft.fft (along no axis)": (chance) => {
    const shape = filledShape(chance);
    return { args: [filled(shape), undefined, outside(chance, shape.length)], gives: null };
  },
});
