// Suggestions for names of other libraries: members that tensors and results of several tensors
// have there and not here, and dtypes. An error for one of them says what to write instead.

import { ValueError } from "../errors.js";

const gradients = "gradients are of functions: grad(f)(x)";
const onDevice = "all tensors are on the device that init chose";

/** What to write instead of a member of tensors. */
const members: Readonly<Record<string, string>> = {
  T: "transpose()",
  length: "shape[0], or size for all elements",
  view: "reshape([rows, columns])",
  unsqueeze: "expandDims(axis)",
  clamp: "clip(low, high)",
  astype: 'cast("f32")',
  float: 'cast("f32")',
  toFloat: 'cast("f32")',
  int: 'cast("i32")',
  numpy: "await array(), or await data()",
  tolist: "await array()",
  arraySync: "await array()",
  dataSync: "await data()",
  js: "await array()",
  print: "console.log(x)",
  dim: "ndim",
  argMax: "argmax(axis)",
  var: "variance(axis)",
  eq: "equal(other)",
  ne: "notEqual(other)",
  gt: "greater(other)",
  ge: "greaterEqual(other)",
  lt: "less(other)",
  le: "lessEqual(other)",
  mm: "matmul(other)",
  values: "max(axis) and sort() give values",
  indices: "argmax(axis) and argsort() give positions",
  backward: gradients,
  requiresGrad: gradients,
  requires_grad: gradients,
  cpu: onDevice,
  cuda: onDevice,
  to: `cast("f32") for a dtype; ${onDevice}`,
};

/** What stands above the prototype of tensors: it answers reads of members that they have not. */
export function aboveTensors(): object {
  return new Proxy({}, {
    get(target, name, receiver): unknown {
      if (typeof name === "string") {
        if (/^-?\d+$/.test(name)) throw new ValueError("tensor", `tensors have no [${name}]: write slice(${name})`);
        if (Object.hasOwn(members, name)) throw new ValueError("tensor", `tensors have no ${name}: ${members[name]}`);
      }
      return Reflect.get(target, name, receiver);
    },
  });
}

/** What other libraries call parts of results. */
const PARTS = /^([a-z]|vh|vt|.*det|eigen.*|indices|.*values|.*vectors|solution)$/i;

/** The prototype of an operation's results, which are arrays: reads of their parts by `names`, or
 * by what other libraries call them, are refused. */
export function aboveResults(op: string, names: string): object {
  const above = new Proxy(Object.create(Array.prototype) as object, {
    get(target, name, receiver): unknown {
      if (typeof name === "string" && (names.split(", ").includes(name) || (PARTS.test(name) && !(name in target)))) {
        throw new ValueError(op, `gives an array, which has no ${name}: write const [${names}] = ${op}(…)`);
      }
      return Reflect.get(target, name, receiver);
    },
  });
  // Taken apart by position, an array does not ask what is above.
  return Object.create(above, { [Symbol.iterator]: { value: Array.prototype[Symbol.iterator] } }) as object;
}

/** What other libraries call dtypes. */
const dtypes: Readonly<Record<string, string>> = {
  float32: "f32", float: "f32", float64: "f32", double: "f32", float16: "f16", int32: "i32", int: "i32", int64: "i32", long: "i32", int16: "i32", int8: "i8", uint8: "u8", uint32: "u32", boolean: "bool",
};

/** The dtype that what others call `name` may be, if there is one. */
export function dtypeMeant(name: unknown): string | undefined {
  return typeof name === "string" && Object.hasOwn(dtypes, name.toLowerCase()) ? dtypes[name.toLowerCase()] : undefined;
}

/** A promise of a value, which JavaScript's operators refuse by saying what is missing. */
export function awaited<T>(op: string, promise: Promise<T>): Promise<T> {
  const refuse = (hint: string): string => {
    if (hint === "string") return "[object Promise]";
    throw new ValueError(op, `gives a promise, on which operators do not act: write (await x.${op}())`);
  };
  return Object.defineProperty(promise, Symbol.toPrimitive, { value: refuse, configurable: true });
}
