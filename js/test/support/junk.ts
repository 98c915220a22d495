// Invalid arguments: a table of values, each with the kinds of argument for which it is valid.

import * as weft from "../../src/index.js";

/** What a place in a call takes. `?` after a kind: it may be left out. */
export type Kind =
  | "any"
  | "axes"
  | "axesOfBoth"
  | "axis"
  | "bound"
  | "bytes"
  | "canvas"
  | "count"
  | "dtype"
  | "finite"
  | "flag"
  | "function"
  | "index"
  | "kept"
  | "layer"
  | "list"
  | "module"
  | "number"
  | "numbers"
  | "operand"
  | "options"
  | "parameters"
  | "parts"
  | "range"
  | "reshape"
  | "scalar"
  | "seed"
  | "shape"
  | "shifts"
  | "stop"
  | "table"
  | "text"
  | "tensor"
  | "tree"
  | "uplo"
  | "wholes"
  | "widths"
  | "winners";

/** A value, and the kinds it may stand for: there a call may succeed, elsewhere it must not. */
export interface Junk {
  readonly name: string;
  readonly make: () => unknown;
  readonly fits: readonly Kind[];
}

/** All that a number may stand for. */
const numeric: Kind[] = ["number", "operand", "numbers", "scalar", "bound"];
const whole: Kind[] = [...numeric, "finite", "stop", "axis", "axes", "index", "range", "seed", "shifts", "wholes"];
const count: Kind[] = [...whole, "axesOfBoth", "count", "parts", "widths", "shape", "reshape"];
/** All that numbers in an array may. */
const array: Kind[] = ["axesOfBoth", "operand", "numbers", "bound", "list", "tree", "parameters"];
const extents: Kind[] = [...array, "shape", "reshape", "axes", "index", "range", "parts", "shifts", "wholes", "widths"];
const tensors: Kind[] = ["operand", "bound", "tensor", "kept", "tree", "parameters", "index"];

const cyclic = (): unknown => {
  const array: unknown[] = [];
  array.push(array);
  return array;
};
const revoked = (): unknown => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const detached = (): unknown => {
  const array = Float32Array.of(1, 2);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
};
const disposed = (): unknown => {
  const tensor = weft.tensor([1, 2]);
  tensor.dispose();
  return tensor;
};

const entry = (name: string, make: () => unknown, ...fits: Kind[]): Junk => ({ name, make, fits });

/** The table. */
export const junk: readonly Junk[] = [
  entry("undefined", () => undefined, "range", "stop"),
  entry("null", () => null, "axes", "range", "bound", "uplo"),
  entry("true", () => true, "flag", "scalar", "operand", "numbers", "bound"),
  entry("false", () => false, "flag", "scalar", "operand", "numbers", "bound"),
  entry("0", () => 0, ...count),
  entry("-0", () => -0, ...count),
  entry("1", () => 1, ...count),
  entry("3", () => 3, ...count),
  entry("-1", () => -1, ...whole, "reshape"),
  entry("-7", () => -7, ...whole),
  entry("0.5", () => 0.5, ...numeric, "finite", "stop"),
  entry("NaN", () => NaN, ...numeric),
  entry("∞", () => Infinity, ...numeric),
  entry("-∞", () => -Infinity, ...numeric),
  entry("2³¹", () => 2 ** 31, ...numeric, "finite", "stop", "range", "seed"),
  entry("2⁶⁰", () => 2 ** 60, ...numeric, "finite", "stop", "range"),
  entry('""', () => "", "text", "table"),
  entry('"0"', () => "0", "text", "table"),
  entry('"[1]"', () => "[1]", "text", "table"),
  entry('"f32"', () => "f32", "text", "table", "dtype"),
  entry('"float32"', () => "float32", "text", "table"),
  entry("10n", () => 10n, "seed"),
  entry("2n ** 70n", () => 2n ** 70n),
  entry("symbol", () => Symbol("a")),
  entry("function", () => () => 1, "function", "layer"),
  entry("async function", () => async () => 1, "function", "layer"),
  entry("generator function", () => function* () {}, "function", "layer"),
  entry("class", () => class A {}),
  entry("{}", () => ({}), "options", "stop", "tree", "parameters"),
  entry("no prototype", () => Object.create(null), "options", "stop", "tree", "parameters"),
  entry("{ keepDims }", () => ({ keepDims: true }), "tree", "parameters"),
  entry("{ unknown: symbol }", () => ({ unknown: Symbol("a") }), "tree", "parameters"),
  entry("{ length }", () => ({ length: 2, 0: 1, 1: 2 }), "tree", "parameters"),
  entry("[]", () => [], ...extents),
  entry("[1,2]", () => [1, 2], ...extents),
  entry("[2,3]", () => [2, 3], ...extents),
  entry("[-1]", () => [-1], ...array, "reshape", "index", "axes", "range", "shifts", "wholes"),
  entry("[0.5]", () => [0.5], ...array),
  entry("[NaN]", () => [NaN], ...array),
  entry("[true, 2]", () => [true, 2], ...array),
  entry("[[1,2],[3,4]]", () => [[1, 2], [3, 4]], ...array, "index", "widths"),
  entry("proxy of [1,2]", () => new Proxy([1, 2], {}), ...extents),
  entry("[,1]", () => [, 1], "list", "tree", "parameters", "range"),
  entry("Array(3)", () => new Array(3), "list", "tree", "parameters", "range"),
  entry('["1"]', () => ["1"], "list", "tree", "parameters"),
  entry("[null]", () => [null], "list", "tree", "parameters", "range"),
  entry("[1n]", () => [1n], "list", "tree", "parameters"),
  entry("[symbol]", () => [Symbol("a")], "list", "tree", "parameters"),
  entry("[[1],[2,3]]", () => [[1], [2, 3]], "list", "tree", "parameters"),
  entry("[1,[2]]", () => [1, [2]], "list", "tree", "parameters"),
  entry("[{}]", () => [{}], "list", "tree", "parameters"),
  entry("[tensor]", () => [weft.tensor(1)], "list", "tree", "parameters"),
  entry("cyclic array", cyclic, "list", "tree", "parameters"),
  entry("Float32Array", () => Float32Array.of(1, 0), "operand", "numbers", "bound", "index", "bytes", "table"),
  entry("Int8Array", () => Int8Array.of(1, 0), "operand", "numbers", "bound", "index", "bytes", "table"),
  entry("detached Float32Array", detached),
  entry("BigInt64Array", () => BigInt64Array.of(1n), "bytes", "table"),
  entry("ArrayBuffer", () => new ArrayBuffer(8), "bytes", "table"),
  entry("DataView", () => new DataView(new ArrayBuffer(8)), "bytes", "table"),
  entry("Map", () => new Map()),
  entry("Set", () => new Set([1])),
  entry("Date", () => new Date(0)),
  entry("RegExp", () => /x/),
  entry("Error", () => new Error("no")),
  entry("Promise", () => Promise.resolve(1)),
  entry("thenable", () => ({ then: 5 }), "tree", "parameters"),
  entry("WeakMap", () => new WeakMap()),
  entry("Number", () => Object(1)),
  entry("String", () => Object("a")),
  entry("BigInt", () => Object(1n)),
  entry("Symbol", () => Object(Symbol("a"))),
  entry("globalThis", () => globalThis),
  entry("proxy of {}", () => new Proxy({}, {}), "options", "stop", "tree", "parameters"),
  entry("revoked proxy", revoked),
  entry("proxy of a tensor", () => new Proxy(weft.tensor([1, 2]), {})),
  entry("Object.create(Tensor.prototype)", () => Object.create(weft.Tensor.prototype)),
  entry("Tensor.prototype", () => weft.Tensor.prototype, "options", "stop", "tree", "parameters"),
  entry("disposed tensor", disposed, "kept"),
  entry("f32[]", () => weft.tensor(1), ...tensors),
  entry("f32[2]", () => weft.tensor([1, 2]), ...tensors, "shifts"),
  entry("i32[2]", () => weft.tensor([1, 0], { dtype: "i32" }), ...tensors, "shifts"),
  entry("u32[2]", () => weft.tensor([1, 0], { dtype: "u32" }), ...tensors),
  entry("bool[2]", () => weft.tensor([true, false]), ...tensors),
  entry("f32[0,3]", () => weft.zeros([0, 3]), ...tensors),
  entry("Parameter", () => new weft.Parameter([1, 2]), ...tensors),
  entry("module", () => new weft.nn.Linear(2, 1), "module", "parameters", "tree", "layer"),
];
