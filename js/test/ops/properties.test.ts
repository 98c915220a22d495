// Shapes and dtypes of results by the Python array API standard (2024.12). The tests draw random
// shapes of rank 0 to 4 with zeros and ones among the extents, with a table for each class of
// functions. They skip what the standard leaves open; what it rules out must raise a typed error.

import { expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { tensor, Tensor, type DType } from "../../src/index.js";
import { onCpu } from "../support/cpu.js";
import { accumulated, ALL, anything, broadcast, Chance, filled, FLOATS, folded, INTEGERS, NUMERIC, one, outside, promoted, properties, reduced, rows, size, together, type Draw, type Shape } from "../support/properties.js";

onCpu();

// ── Elementwise ──────────────────────────────────────────────────────────────

const unary = (takes: readonly DType[], gives?: DType) => () => (chance: Chance) => {
  const [shape, dtype] = [chance.shape(), chance.of(takes)];
  return one([filled(shape, dtype)], shape, gives ?? dtype);
};

const binary =
  (takes: readonly DType[], gives?: DType) =>
  () =>
  (chance: Chance): Draw => {
    const [dtypes, [shapes, result]] = [together(chance, takes), chance.broadcast(2)];
    const [a, b] = [filled(shapes[0] as number[], dtypes[0]), filled(shapes[1] as number[], dtypes[1])];
    // A number of JavaScript takes the dtype of the tensor.
    const plain = chance.whole(0, 3);
    const number = dtypes[0] === "bool" ? true : 2;
    if (plain === 0) return one([a, number], a.shape, gives ?? dtypes[0]);
    if (plain === 1) return one([number, a], a.shape, gives ?? dtypes[0]);
    return one([a, b], result, gives ?? promoted(...dtypes));
  };

properties("functions of each element", {
  ...rows("abs ceil floor neg round sign square trunc", unary(NUMERIC)),
  ...rows("acos acosh asin asinh atan atanh cos cosh exp expm1 log log1p log2 log10 reciprocal sin sinh sqrt tan tanh", unary(FLOATS)),
  ...rows("isfinite isinf isnan", unary(NUMERIC, "bool")),
  ...rows("signbit", unary(FLOATS, "bool")),
  ...rows("logicalNot", unary(["bool"], "bool")),
  ...rows("bitwiseNot", unary([...INTEGERS, "bool"])),
});

properties("functions of two elements", {
  ...rows("add sub mul floorDivide remainder pow maximum minimum", binary(NUMERIC)),
  ...rows("div atan2 hypot logAddExp copysign nextafter", binary(FLOATS)),
  ...rows("equal notEqual", binary(ALL, "bool")),
  ...rows("less lessEqual greater greaterEqual", binary(NUMERIC, "bool")),
  ...rows("logicalAnd logicalOr logicalXor", binary(["bool"], "bool")),
  ...rows("bitwiseAnd bitwiseOr bitwiseXor", binary([...INTEGERS, "bool"])),
  ...rows("shiftLeft shiftRight", binary(INTEGERS)),
  where: (chance) => {
    const [dtypes, [[c, a, b], result]] = [together(chance, ALL), chance.broadcast(3) as [[number[], number[], number[]], number[]]];
    return one([filled(c, "bool"), filled(a, dtypes[0]), filled(b, dtypes[1])], result, promoted(...dtypes));
  },
  clip: (chance) => {
    const [[x, low, high], result] = chance.broadcast(3) as [[number[], number[], number[]], number[]];
    const dtype = chance.of(NUMERIC);
    const bound = (shape: Shape) => [null, 1, filled(shape, dtype)][chance.whole(0, 2)];
    const [least, most] = [bound(low), bound(high)];
    const shapes = [x, ...[least, most].map((given) => (given instanceof Tensor ? given.shape : []))];
    return one([filled(x, dtype), least, most], shapes.length === 1 ? result : broadcast(...shapes), dtype);
  },
  "add (shapes that do not broadcast)": (chance) => {
    const shape = chance.shape(1, 4);
    const axis = chance.whole(0, shape.length - 1);
    const other = shape.with(axis, (shape[axis] as number) + 2);
    return { args: [filled(shape.with(axis, Math.max(2, shape[axis] as number))), filled(other.with(axis, (other[axis] as number) + 2))], gives: null };
  },
});

it("pairs of dtypes promote by the table", () => {
  for (const a of ALL) {
    for (const b of ALL) {
      const kinds = [a, b].map((dtype) => (dtype === "bool" ? 0 : (INTEGERS as readonly string[]).includes(dtype) ? 1 : 2));
      if (kinds[0] !== kinds[1]) continue;
      expect([a, b, weft.resultType(a, b)]).toEqual([a, b, promoted(a, b)]);
      expect(weft.resultType(filled([2], a), filled([], b))).toBe(promoted(a, b));
    }
  }
});

// ── Reductions ───────────────────────────────────────────────────────────────

const reduction =
  (takes: readonly DType[], gives: (dtype: DType) => DType, empty?: number) =>
  () =>
  (chance: Chance): Draw => {
    const [shape, dtype, keepdims] = [chance.shape(), chance.of(takes), chance.whole(0, 1) === 1];
    const axes = chance.axes(shape.length);
    const result = reduced(shape, axes, keepdims);
    const isEmpty = folded(shape, axes) === 0;
    const args = [filled(shape, dtype), axes, { keepdims }];
    // Of no elements the standard leaves open what the largest is; here it is refused, where there
    // is a result at all.
    if (isEmpty && empty === undefined && size(result) > 0) return { args, gives: null };
    return one(args, result, gives(dtype), isEmpty ? empty : undefined);
  };

const itself = (dtype: DType) => dtype;
properties("reductions", {
  ...rows("sum", reduction(NUMERIC, accumulated, 0)),
  ...rows("prod", reduction(NUMERIC, accumulated, 1)),
  ...rows("max min", reduction(NUMERIC, itself)),
  ...rows("mean variance std", reduction(FLOATS, itself, NaN)),
  ...rows("all", reduction(ALL, () => "bool", 1)),
  ...rows("any", reduction(ALL, () => "bool", 0)),
  ...rows("countNonzero", reduction(ALL, () => "i32", 0)),
  ...rows("argmax argmin", () => (chance) => {
    const [shape, dtype, keepdims] = [chance.shape(), chance.of(NUMERIC), chance.whole(0, 1) === 1];
    const axis = shape.length > 0 && chance.whole(0, 2) > 0 ? chance.axis(shape.length) : null;
    const args = [filled(shape, dtype), axis, { keepdims }];
    const result = reduced(shape, axis, keepdims);
    return folded(shape, axis) === 0 && size(result) > 0 ? { args, gives: null } : one(args, result, "i32");
  }),
  ...rows("cumsum cumprod", () => (chance) => {
    const [shape, dtype] = [chance.shape(1), chance.of(NUMERIC)];
    return one([filled(shape, dtype), chance.axis(shape.length)], shape, accumulated(dtype));
  }),
  ...rows("cumulativeSum cumulativeProd", () => (chance) => {
    const [shape, dtype, includeInitial] = [chance.shape(1), chance.of(NUMERIC), chance.whole(0, 1) === 1];
    const axis = chance.axis(shape.length);
    return one([filled(shape, dtype), axis, { includeInitial }], includeInitial ? shape.with(axis, (shape.at(axis) as number) + 1) : shape, accumulated(dtype));
  }),
  diff: (chance) => {
    const [shape, dtype, times] = [chance.shape(1), chance.of(NUMERIC), chance.whole(0, 3)];
    const axis = chance.axis(shape.length);
    return one([filled(shape, dtype), times, axis], shape.with(axis, Math.max(0, (shape.at(axis) as number) - times)), dtype);
  },
  "diff (with what stands before and after)": (chance) => {
    const [shape, dtype] = [chance.shape(1), chance.of(NUMERIC)];
    const axis = chance.axis(shape.length);
    const [before, after] = [chance.whole(0, 2), chance.whole(0, 2)];
    const part = (extent: number) => filled(shape.with(axis, extent), dtype);
    return one([filled(shape, dtype), 1, axis, { prepend: part(before), append: part(after) }], shape.with(axis, Math.max(0, (shape.at(axis) as number) + before + after - 1)), dtype);
  },
});

// ── Axes that are not there ──────────────────────────────────────────────────

properties("axes that are not there, or twice, are refused by", {
  ...rows("sum prod max min mean variance std all any countNonzero flip", () => (chance) => {
    const shape = chance.shape();
    const axis = outside(chance, shape.length);
    const twice = shape.length > 0 && chance.whole(0, 1) === 0 ? [0, -shape.length] : undefined;
    return { args: [filled(shape), twice ?? chance.of([axis, [axis]])], gives: null };
  }),
  ...rows("argmax argmin cumsum cumprod cumulativeSum cumulativeProd sort argsort unstack", () => (chance) => {
    const shape = chance.shape(1);
    return { args: [filled(shape), outside(chance, shape.length)], gives: null };
  }),
  ...rows("diff roll repeat", () => (chance) => {
    const shape = chance.shape(1);
    return { args: [filled(shape), 1, outside(chance, shape.length)], gives: null };
  }),
  ...rows("concat", () => (chance) => {
    const shape = chance.shape(1);
    return { args: [[filled(shape), filled(shape)], outside(chance, shape.length)], gives: null };
  }),
  ...rows("stack expandDims", (name) => (chance) => {
    const shape = chance.shape();
    const x = filled(shape);
    return { args: [name === "stack" ? [x] : x, chance.of([shape.length + 1, -shape.length - 2])], gives: null };
  }),
  moveAxis: (chance) => {
    const shape = chance.shape(1);
    const places = [chance.axis(shape.length), outside(chance, shape.length)];
    return { args: [filled(shape), ...(chance.whole(0, 1) ? places : places.reverse())], gives: null };
  },
  permute: (chance) => {
    const shape = chance.shape(1);
    const order = chance.order(shape.length);
    return { args: [filled(shape), chance.of([order.slice(1), [...order, 0], order.with(0, shape.length), shape.length > 1 ? order.with(0, order[1] as number) : [1]])], gives: null };
  },
  squeeze: (chance) => {
    const shape = [2, ...chance.shape(0, 3)];
    return { args: [filled(shape), chance.of([0, -shape.length, shape.length])], gives: null };
  },
});

// ── Elements anew ────────────────────────────────────────────────────────────

const moved = (shape: Shape, from: readonly number[], to: readonly number[]): number[] => {
  const [sources, places] = [from, to].map((axes) => axes.map((axis) => (axis < 0 ? axis + shape.length : axis))) as [number[], number[]];
  const rest = shape.flatMap((_, axis) => (sources.includes(axis) ? [] : [axis]));
  return shape.map((_, axis) => shape[places.includes(axis) ? (sources[places.indexOf(axis)] as number) : (rest.shift() as number)] as number);
};

properties("functions that arrange elements anew", {
  broadcastTo: (chance) => {
    const [[shape], result] = chance.broadcast(2) as [[number[]], number[]];
    const dtype = chance.of(ALL);
    const wide = broadcast(shape, result);
    return one([filled(shape, dtype), wide], wide, dtype);
  },
  broadcastArrays: (chance) => {
    const [shapes, result] = chance.broadcast(3);
    const dtypes = shapes.map(() => chance.of(ALL));
    return { args: shapes.map((shape, n) => filled(shape, dtypes[n])), gives: dtypes.map((dtype) => [result, dtype] as const) };
  },
  concat: (chance) => {
    const [shape, dtypes] = [chance.shape(1), together(chance, ALL)];
    const axis = chance.axis(shape.length);
    const extents = [chance.whole(0, 3), chance.whole(0, 3)];
    return one([extents.map((extent, n) => filled(shape.with(axis, extent), dtypes[n])), axis], shape.with(axis, (extents[0] as number) + (extents[1] as number)), promoted(...dtypes));
  },
  stack: (chance) => {
    const [shape, dtypes] = [chance.shape(0, 3), together(chance, ALL)];
    const axis = chance.axis(shape.length + 1);
    return one([dtypes.map((dtype) => filled(shape, dtype)), axis], shape.toSpliced(axis < 0 ? axis + shape.length + 1 : axis, 0, 2), promoted(...dtypes));
  },
  unstack: (chance) => {
    const [x, shape, dtype] = anything(chance, 1);
    const axis = chance.axis(shape.length);
    const rest = reduced(shape, axis, false);
    return { args: [x, axis], gives: Array.from({ length: shape.at(axis) as number }, () => [rest, dtype] as const) };
  },
  expandDims: (chance) => {
    const [x, shape, dtype] = anything(chance);
    const axis = chance.axis(shape.length + 1);
    return one([x, axis], shape.toSpliced(axis < 0 ? axis + shape.length + 1 : axis, 0, 1), dtype);
  },
  squeeze: (chance) => {
    const [wide, dtype] = [chance.shape(), chance.of(ALL)];
    const ones = wide.flatMap((extent, axis) => (extent === 1 && chance.whole(0, 1) ? [axis - chance.whole(0, 1) * wide.length] : []));
    return one([filled(wide, dtype), ones], reduced(wide, ones, false), dtype);
  },
  flip: (chance) => {
    const [x, shape, dtype] = anything(chance);
    return one([x, chance.axes(shape.length)], shape, dtype);
  },
  moveAxis: (chance) => {
    const [x, shape, dtype] = anything(chance, 1);
    const count = chance.whole(1, shape.length);
    const pick = () => chance.order(shape.length).slice(0, count).map((axis) => axis - chance.whole(0, 1) * shape.length);
    const [from, to] = [pick(), pick()];
    return one(count === 1 && chance.whole(0, 1) ? [x, from[0], to[0]] : [x, from, to], moved(shape, from, to), dtype);
  },
  permute: (chance) => {
    const [x, shape, dtype] = anything(chance);
    const order = chance.order(shape.length);
    return one([x, order.map((axis) => axis - chance.whole(0, 1) * shape.length)], order.map((axis) => shape[axis] as number), dtype);
  },
  matrixTranspose: (chance) => {
    const [x, shape, dtype] = anything(chance, 2);
    return one([x], [...shape.slice(0, -2), shape.at(-1) as number, shape.at(-2) as number], dtype);
  },
  repeat: (chance) => {
    const [x, shape, dtype] = anything(chance, 1);
    const [axis, times] = [chance.whole(0, 2) ? chance.axis(shape.length) : null, chance.whole(0, 3)];
    const extent = axis === null ? size(shape) : (shape.at(axis) as number);
    const each = Array.from({ length: extent }, () => chance.whole(0, 3));
    const isList = chance.whole(0, 1) === 1;
    const long = isList ? each.reduce((a, b) => a + b, 0) : extent * times;
    return one([x, isList ? each : times, axis], axis === null ? [long] : shape.with(axis, long), dtype);
  },
  reshape: (chance) => {
    const [x, shape, dtype] = anything(chance);
    const other = [...chance.order(shape.length).map((axis) => shape[axis] as number), 1];
    const unknown = chance.whole(0, other.length - 1);
    const isKnown = size(other.with(unknown, 1)) !== 0;
    return one([x, isKnown ? other.with(unknown, -1) : other], other, dtype);
  },
  roll: (chance) => {
    const [x, shape, dtype] = anything(chance);
    const axes = chance.axes(shape.length);
    const shift = Array.isArray(axes) && axes.length > 0 && chance.whole(0, 1) ? axes.map(() => chance.whole(-9, 9)) : chance.whole(-9, 9);
    return one([x, shift, axes], shape, dtype);
  },
  tile: (chance) => {
    const [x, shape, dtype] = anything(chance);
    const times = Array.from({ length: chance.whole(0, 4) }, () => chance.whole(0, 2));
    const rank = Math.max(times.length, shape.length);
    const wide = (list: Shape) => [...Array.from({ length: rank - list.length }, () => 1), ...list];
    return one([x, times], wide(shape).map((extent, axis) => extent * (wide(times)[axis] as number)), dtype);
  },
  ...rows("tril triu", () => (chance) => {
    const [x, shape, dtype] = anything(chance, 2);
    return one([x, chance.whole(-4, 4)], shape, dtype);
  }),
});

properties("shapes that do not fit are refused by", {
  broadcastTo: (chance) => {
    const shape = chance.shape(1);
    const axis = chance.whole(0, shape.length - 1);
    return { args: [filled(shape.with(axis, 2)), chance.of([shape.with(axis, 3), shape.slice(1), []])], gives: null };
  },
  ...rows("concat stack", () => (chance) => {
    const shape = chance.shape(2);
    return { args: [[filled(shape), filled(chance.of([shape.with(1, (shape[1] as number) + 1), shape.slice(1)]))], 0], gives: null };
  }),
  reshape: (chance) => {
    const shape = chance.shape();
    return { args: [filled(shape), chance.of([[size(shape) + 1], [-1, -1], [-2], [size(shape) + 2, -1].with(1, size(shape) === 0 ? 1 : -1)])], gives: null };
  },
  ...rows("tril triu matrixTranspose", () => (chance) => ({ args: [filled(chance.shape(0, 1))], gives: null })),
  "roll (as many shifts as axes)": (chance) => ({ args: [filled([2, 3, 2]), [1, 2].slice(0, chance.of([0, 2])), chance.of([[0, 1, 2], 0])], gives: null }),
  "repeat (as many numbers as elements)": (chance) => ({ args: [filled([3, 2]), [1, 2, 1, 1].slice(0, chance.of([2, 4])), 0], gives: null }),
});

// ── Making ───────────────────────────────────────────────────────────────────

const dtypeOption = (chance: Chance, usual: DType): [DType, object] => {
  const dtype = chance.of(ALL);
  return chance.whole(0, 1) ? [dtype, { dtype }] : [usual, {}];
};

properties("functions that make tensors", {
  ...rows("zeros ones", (name) => (chance) => {
    const [shape, [dtype, options]] = [chance.shape(), dtypeOption(chance, "f32")];
    return one([shape, options], shape, dtype, Number(name === "ones"));
  }),
  full: (chance) => {
    const [shape, value, [dtype, options]] = [chance.shape(), chance.of([1, true]), dtypeOption(chance, "f32")];
    return one([shape, value, options], shape, "dtype" in options ? dtype : value === true ? "bool" : "f32", 1);
  },
  ...rows("zerosLike onesLike", (name) => (chance) => {
    const [x, shape, own] = anything(chance);
    const [dtype, options] = dtypeOption(chance, own);
    return one([x, options], shape, dtype, Number(name === "onesLike"));
  }),
  arange: (chance) => {
    const [start, stop, step] = [chance.whole(-5, 5), chance.whole(-5, 5), chance.of([1, 2, 3, -1, -2, 0.5])];
    return one([start, stop, step, { dtype: "f32" }], [Math.max(0, Math.ceil((stop - start) / step))], "f32");
  },
  linspace: (chance) => {
    const [count, endpoint] = [chance.whole(0, 6), chance.whole(0, 1) === 1];
    return one([chance.whole(-5, 5), chance.whole(-5, 5), count, { endpoint }], [count], "f32");
  },
  eye: (chance) => {
    const [rows, columns, [dtype, options]] = [chance.whole(0, 4), chance.whole(0, 4), dtypeOption(chance, "f32")];
    return one([rows, columns, { diagonal: chance.whole(-5, 5), ...options }], [rows, columns], dtype);
  },
  meshgrid: (chance) => {
    const [extents, dtype] = [Array.from({ length: chance.whole(1, 3) }, () => chance.whole(0, 3)), chance.of(NUMERIC)];
    const isMatrix = chance.whole(0, 1) === 1;
    const shape = isMatrix || extents.length < 2 ? extents : [extents[1] as number, extents[0] as number, ...extents.slice(2)];
    const vectors = extents.map((extent) => filled([extent], dtype));
    return { args: isMatrix ? [...vectors, { indexing: "ij" }] : vectors, gives: extents.map(() => [shape, dtype] as const) };
  },
  cast: (chance) => {
    const [x, shape] = anything(chance);
    const dtype = chance.of(ALL);
    return one([x, dtype], shape, dtype, undefined);
  },
});

// ── Sorting, searching, sets ─────────────────────────────────────────────────

properties("functions that sort, search and pick", {
  sort: (chance) => {
    const [x, shape, dtype] = anything(chance, 1);
    return one([x, chance.axis(shape.length), chance.whole(0, 1) === 1], shape, dtype);
  },
  argsort: (chance) => {
    const [x, shape] = anything(chance, 1);
    return one([x, chance.axis(shape.length), chance.whole(0, 1) === 1], shape, "i32");
  },
  searchSorted: (chance) => {
    const [extent, shape, dtype] = [chance.whole(0, 5), chance.shape(), chance.of(NUMERIC)];
    return one([filled([extent], dtype).sort(), filled(shape, dtype), chance.whole(0, 1) === 1], shape, "i32");
  },
  take: (chance) => {
    const [shape, dtype, count] = [chance.shape(1), chance.of(ALL), chance.whole(0, 4)];
    const axis = chance.axis(shape.length);
    const wide = shape.with(axis, 3);
    return one([filled(wide, dtype), Array.from({ length: count }, () => chance.whole(-3, 2)), axis], wide.with(axis, count), dtype);
  },
  takeAlongAxis: (chance) => {
    const [shape, dtype, count] = [chance.shape(1), chance.of(ALL), chance.whole(0, 4)];
    const axis = chance.axis(shape.length);
    const [wide, places] = [shape.with(axis, 3), shape.with(axis, count)];
    // The other axes broadcast.
    const narrow = places.map((extent, n) => (n !== (axis < 0 ? axis + shape.length : axis) && chance.whole(0, 2) === 0 ? 1 : extent));
    return one([filled(wide, dtype), tensor(Array.from({ length: size(narrow) }, () => chance.whole(-3, 2)), { shape: narrow, dtype: "i32" }), axis], broadcast(narrow, places), dtype);
  },
  nonzero: (chance) => {
    const [x, shape] = anything(chance, 1);
    return { args: [x], gives: shape.map(() => [[size(shape)], "i32"] as const) };
  },
  uniqueValues: (chance) => {
    const [x, shape, dtype] = anything(chance);
    return one([x], [Math.min(size(shape), dtype === "bool" ? 1 : 3)], dtype);
  },
  uniqueCounts: (chance) => {
    const [x, shape, dtype] = anything(chance);
    const count = Math.min(size(shape), dtype === "bool" ? 1 : 3);
    return { args: [x], gives: [[[count], dtype], [[count], "i32"]] };
  },
  uniqueInverse: (chance) => {
    const [x, shape, dtype] = anything(chance);
    return { args: [x], gives: [[[Math.min(size(shape), dtype === "bool" ? 1 : 3)], dtype], [shape, "i32"]] };
  },
  uniqueAll: (chance) => {
    const [x, shape, dtype] = anything(chance);
    const count = Math.min(size(shape), dtype === "bool" ? 1 : 3);
    return { args: [x], gives: [[[count], dtype], [[count], "i32"], [shape, "i32"], [[count], "i32"]] };
  },
});
