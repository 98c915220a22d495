// Reference interpreter of kernels as words: decodes them as the core does, and runs every
// invocation with f32 by Math.fround and integers that wrap.

import {
  BINARY, COMBINE, COMPARE, COORDINATE, KERNEL_DTYPES, UNARY, bitsOf, valueOf, type Binary, type Compare, type KernelDType, type Unary,
} from "../../../src/kernel/ir.js";
import type { KernelWords } from "../../../src/kernel/words.js";

export interface Array_ {
  readonly shape: readonly number[];
  /** Values; 0 and 1 of bools. */
  readonly data: number[];
}

type Row = readonly number[];

/** A block: its statements, each a row with blocks in it. */
type Statement = readonly (number | Row | Block)[];
interface Block {
  readonly statements: readonly Statement[];
}

interface Decoded {
  readonly rank: number;
  readonly tensors: { dtype: KernelDType; rank: number }[];
  readonly scalars: KernelDType[];
  readonly outputs: { dtype: KernelDType; rank: number; combine: string; tensor: boolean; initial: number }[];
  readonly locals: KernelDType[];
  readonly arrays: { dtype: KernelDType; length: number }[];
  readonly exprs: Row[];
  readonly body: Block;
}

export function decode({ words, names }: KernelWords): Decoded {
  let at = 0;
  const next = () => {
    if (at >= words.length) throw new Error("the words end early");
    return words[at++] as number;
  };
  const row = (length: number) => Array.from({ length }, next);
  const dtype = () => KERNEL_DTYPES[next()] as KernelDType;
  if (next() !== 1) throw new Error("not of version 1");
  const rank = next();
  row(4);
  const [tensors, scalars, outputs, locals, arrays, exprs] = row(6) as [number, number, number, number, number, number];
  if (names.length !== 1 + tensors + scalars + outputs + locals + arrays) throw new Error("names are missing");
  const list = <T>(length: number, read: () => T) => Array.from({ length }, read);
  const decoded = {
    rank,
    tensors: list(tensors, () => ({ dtype: dtype(), rank: next() })),
    scalars: list(scalars, dtype),
    outputs: list(outputs, () => ({ dtype: dtype(), rank: next(), combine: COMBINE[next()] as string, tensor: next() === 1, initial: next() })),
    locals: list(locals, dtype),
    arrays: list(arrays, () => {
      const array = { dtype: dtype(), length: next() };
      next();
      return array;
    }),
    exprs: list(exprs, () => {
      const kind = next();
      const fixed = [2, 1, 1, 2, 1, 2, 2, 2, 3, 3, 3, 2, 2, 3, 2, 2, 2][kind] as number;
      const head = [kind, ...row(fixed)];
      return kind === 13 ? [...head, ...row(next())] : head;
    }),
  };
  const block = (): Block => ({ statements: list(next(), statement) });
  const statement = (): Statement => {
    const kind = next();
    switch (kind) {
      case 0:
        return [kind, ...row(2)];
      case 1:
        return [kind, ...row(3)];
      case 2: {
        const output = next();
        return [kind, output, row(next()), ...row(2)];
      }
      case 3:
        return [kind, next(), block(), block()];
      case 4:
        return [kind, ...row(4), block()];
      case 5:
        return [kind, ...row(2), block()];
      default:
        if (kind > 9) throw new Error(`no statement ${kind}`);
        return [kind];
    }
  };
  const body = block();
  if (at !== words.length) throw new Error(`${words.length - at} words are left over`);
  check(decoded.exprs);
  return { ...decoded, body };
}

/** Operands come earlier in the arena. */
function check(exprs: readonly Row[]): void {
  const operands: Record<number, (row: Row) => Row> = {
    7: (r) => r.slice(2), 8: (r) => r.slice(2), 9: (r) => r.slice(2), 10: (r) => r.slice(1), 11: (r) => r.slice(2), 12: (r) => r.slice(2), 13: (r) => [...(r[2] === 3 ? [r[3] as number] : []), ...r.slice(4)], 14: (r) => r.slice(2),
  };
  exprs.forEach((row, n) => {
    for (const operand of operands[row[0] as number]?.(row) ?? []) if (operand >= n) throw new Error(`expression ${n} uses ${operand}`);
  });
}

interface Typed {
  readonly dtype: KernelDType;
  readonly value: number;
}

const LEAVES = { none: 0, break: 1, continue: 2, return: 3 } as const;

/** Runs all invocations of a kernel in row-major order. */
export function evaluate(words: KernelWords, inputs: { tensors: readonly Array_[]; scalars: readonly number[]; grid: readonly number[]; shapes: readonly (readonly number[])[] }): Array_[] {
  const kernel = decode(words);
  const { grid, shapes } = inputs;
  const outputs = kernel.outputs.map(({ dtype, tensor, initial }, n): Array_ => {
    const shape = shapes[n] as readonly number[];
    const size = shape.reduce((a, b) => a * b, 1);
    return { shape, data: tensor ? [...(inputs.tensors[initial] as Array_).data] : new Array<number>(size).fill(valueOf(dtype, initial)) };
  });
  const total = grid.reduce((a, b) => a * b, 1);
  for (let n = 0; n < total; n++) new Invocation(kernel, inputs, outputs, unravel(n, grid)).run(kernel.body);
  return outputs;
}

function unravel(n: number, grid: readonly number[]): number[] {
  const place = new Array<number>(grid.length);
  for (let axis = grid.length - 1, rest = n; axis >= 0; axis--) {
    place[axis] = rest % (grid[axis] as number);
    rest = Math.floor(rest / (grid[axis] as number));
  }
  return place;
}

class Invocation {
  readonly #locals: number[];
  readonly #arrays: number[][];

  constructor(
    readonly kernel: Decoded,
    readonly inputs: Parameters<typeof evaluate>[1],
    readonly outputs: readonly Array_[],
    readonly place: readonly number[],
  ) {
    this.#locals = kernel.locals.map(() => 0);
    this.#arrays = kernel.arrays.map(({ length }) => new Array<number>(length).fill(0));
  }

  run({ statements }: Block): number {
    for (const statement of statements) {
      const left = this.#statement(statement);
      if (left !== LEAVES.none) return left;
    }
    return LEAVES.none;
  }

  #statement(statement: Statement): number {
    const [kind, a, b, c, d, e] = statement as unknown as [number, number, number, number, number, Block];
    switch (kind) {
      case 0:
        this.#locals[a] = this.#typed(b, this.kernel.locals[a] as KernelDType);
        return LEAVES.none;
      case 1: {
        const array = this.#arrays[a] as number[];
        const index = this.#typed(b, "i32");
        const value = this.#typed(c, (this.kernel.arrays[a] as { dtype: KernelDType }).dtype);
        if (index >= 0 && index < array.length) array[index] = value;
        return LEAVES.none;
      }
      case 2:
        this.#store(a, b as unknown as Row, c, d);
        return LEAVES.none;
      case 3:
        return this.run(this.#typed(a, "bool") === 1 ? (b as unknown as Block) : (c as unknown as Block));
      case 4: {
        const [from, to, step] = [this.#typed(b, "i32"), this.#typed(c, "i32"), d | 0];
        for (let i = from; step > 0 ? i < to : i > to; i += step) {
          this.#locals[a] = i;
          const left = this.run(e);
          if (this.#locals[a] !== i) throw new Error("a counter was assigned");
          if (left === LEAVES.break) break;
          if (left === LEAVES.return) return left;
        }
        return LEAVES.none;
      }
      case 5:
        for (let n = 0; n < b && this.#typed(a, "bool") === 1; n++) {
          const left = this.run(c as unknown as Block);
          if (left === LEAVES.break) break;
          if (left === LEAVES.return) return left;
        }
        return LEAVES.none;
      case 6:
        return LEAVES.break;
      case 7:
        return LEAVES.continue;
      case 8:
        return LEAVES.return;
      default:
        return LEAVES.none;
    }
  }

  #store(output: number, indices: Row, value: number, before: number): void {
    const { dtype, combine } = this.kernel.outputs[output] as Decoded["outputs"][number];
    const { shape, data } = this.outputs[output] as Array_;
    const place = indices.map((index) => this.#typed(index, "i32"));
    const given = this.#typed(value, dtype);
    if (place.length !== shape.length) throw new Error("a store with another number of indices");
    const inside = place.every((index, axis) => index >= 0 && index < (shape[axis] as number));
    const flat = place.reduce((sum, index, axis) => sum * (shape[axis] as number) + index, 0);
    const old = inside ? (data[flat] as number) : 0;
    if (before > 0) this.#locals[before - 1] = old;
    if (!inside) return;
    const combined = { Set: given, Add: binary("Add", dtype, old, given), Min: binary("Min", dtype, old, given), Max: binary("Max", dtype, old, given) };
    data[flat] = combine in combined ? combined[combine as keyof typeof combined] : binary(combine as Binary, dtype, old, given);
  }

  #typed(id: number, dtype: KernelDType): number {
    const found = this.#eval(id);
    if (found.dtype !== dtype) throw new Error(`expression ${id} is ${found.dtype}, and ${dtype} is needed`);
    return found.value;
  }

  #eval(id: number): Typed {
    const [kind, a, b, c, ...rest] = this.kernel.exprs[id] as unknown as [number, number, number, number, ...number[]];
    const i32 = (value: number): Typed => ({ dtype: "i32", value });
    switch (kind) {
      case 0:
        return { dtype: KERNEL_DTYPES[a] as KernelDType, value: valueOf(KERNEL_DTYPES[a] as KernelDType, b) };
      case 1:
        return { dtype: this.kernel.locals[a] as KernelDType, value: this.#locals[a] as number };
      case 2: {
        const dtype = this.kernel.scalars[a] as KernelDType;
        return { dtype, value: valueOf(dtype, bitsOf(dtype, this.inputs.scalars[a] as number)) };
      }
      case 3:
        if (COORDINATE[a] !== "Grid") throw new Error("no groups here");
        return i32(this.place[b] as number);
      case 4:
        return i32(this.inputs.grid[a] as number);
      case 5:
        return i32((this.inputs.tensors[a] as Array_).shape[b] as number);
      case 6:
        return i32((this.inputs.shapes[a] as readonly number[])[b] as number);
      case 7: {
        const x = this.#eval(b);
        return unary(UNARY[a] as Unary, x);
      }
      case 8: {
        const [x, y] = [this.#eval(b), this.#eval(c)];
        if (x.dtype !== y.dtype) throw new Error(`${BINARY[a]} of ${x.dtype} and ${y.dtype}`);
        return { dtype: x.dtype, value: binary(BINARY[a] as Binary, x.dtype, x.value, y.value) };
      }
      case 9: {
        const [x, y] = [this.#eval(b), this.#eval(c)];
        if (x.dtype !== y.dtype) throw new Error(`${COMPARE[a]} of ${x.dtype} and ${y.dtype}`);
        return { dtype: "bool", value: Number(compare(COMPARE[a] as Compare, x.value, y.value)) };
      }
      case 10: {
        const [condition, x, y] = [this.#typed(a, "bool"), this.#eval(b), this.#eval(c)];
        if (x.dtype !== y.dtype) throw new Error(`a choice of ${x.dtype} and ${y.dtype}`);
        return condition === 1 ? x : y;
      }
      case 11:
        return { dtype: KERNEL_DTYPES[a] as KernelDType, value: cast(KERNEL_DTYPES[a] as KernelDType, this.#eval(b)) };
      case 12: {
        const x = this.#eval(b);
        return { dtype: KERNEL_DTYPES[a] as KernelDType, value: valueOf(KERNEL_DTYPES[a] as KernelDType, bitsOf(x.dtype, x.value)) };
      }
      case 13:
        return this.#load(a, b, c, rest.map((index) => this.#typed(index, "i32")));
      case 14: {
        const array = this.#arrays[a] as number[];
        const index = Math.min(Math.max(this.#typed(b, "i32"), 0), array.length - 1);
        return { dtype: (this.kernel.arrays[a] as { dtype: KernelDType }).dtype, value: array[index] as number };
      }
      default:
        throw new Error(`no expression ${kind}`);
    }
  }

  #load(tensor: number, edge: number, fill: number, place: readonly number[]): Typed {
    const { dtype, rank } = this.kernel.tensors[tensor] as { dtype: KernelDType; rank: number };
    const { shape, data } = this.inputs.tensors[tensor] as Array_;
    if (place.length !== rank) throw new Error("a load with another number of indices");
    const inside = place.map((index, axis) => {
      const extent = shape[axis] as number;
      if (edge === 1) return ((index % extent) + extent) % extent;
      if (edge === 2) {
        const period = Math.max(2 * extent - 2, 1);
        const folded = ((index % period) + period) % period;
        return folded < extent ? folded : period - folded;
      }
      return edge === 0 ? Math.min(Math.max(index, 0), extent - 1) : index;
    });
    if (inside.some((index, axis) => index < 0 || index >= (shape[axis] as number))) return { dtype, value: this.#typed(fill, dtype) };
    return { dtype, value: data[inside.reduce((sum, index, axis) => sum * (shape[axis] as number) + index, 0)] as number };
  }
}

function unary(op: Unary, { dtype, value: x }: Typed): Typed {
  if (op === "IsNan") return { dtype: "bool", value: Number(Number.isNaN(x)) };
  if (op === "Not") return { dtype, value: dtype === "bool" ? 1 - x : dtype === "i32" ? ~x : ~x >>> 0 };
  if (dtype !== "f32") {
    const wrap = (value: number) => (dtype === "i32" ? value | 0 : value >>> 0);
    if (op === "Neg") return { dtype, value: wrap(-x) };
    if (op === "Abs") return { dtype, value: wrap(Math.abs(x)) };
    if (op === "Sign") return { dtype, value: Math.sign(x) };
    throw new Error(`${op} of ${dtype}`);
  }
  const functions: Partial<Record<Unary, (x: number) => number>> = {
    Neg: (v) => -v, Abs: Math.abs, Sign: Math.sign, Floor: Math.floor, Ceil: Math.ceil, Exp: Math.exp, Log: Math.log, Sqrt: Math.sqrt, Sin: Math.sin, Cos: Math.cos, Tanh: Math.tanh,
  };
  const found = functions[op];
  if (!found) throw new Error(`${op} is not used by the front end`);
  return { dtype, value: Math.fround(found(x)) };
}

function binary(op: Binary, dtype: KernelDType, a: number, b: number): number {
  if (dtype === "bool") return op === "And" ? a & b : op === "Or" ? a | b : a ^ b;
  if (dtype === "f32") {
    switch (op) {
      case "Add":
        return Math.fround(a + b);
      case "Sub":
        return Math.fround(a - b);
      case "Mul":
        return Math.fround(a * b);
      case "Div":
        return Math.fround(a / b);
      case "Rem": {
        const rest = a % b;
        return Math.fround(rest === 0 ? (b < 0 ? -0 : 0) : rest < 0 !== b < 0 ? rest + b : rest);
      }
      case "Pow":
        return Math.fround(a ** b);
      case "Min":
        return Math.min(a, b);
      case "Max":
        return Math.max(a, b);
      default:
        throw new Error(`${op} of f32`);
    }
  }
  const wrap = (value: number) => (dtype === "i32" ? value | 0 : value >>> 0);
  switch (op) {
    case "Add":
      return wrap(a + b);
    case "Sub":
      return wrap(a - b);
    case "Mul":
      return wrap(Math.imul(a, b));
    case "Div":
      return b === 0 ? 0 : wrap(Math.floor(a / b));
    case "Rem":
      return b === 0 ? 0 : wrap(a - Math.floor(a / b) * b);
    case "Pow": {
      let result = 1;
      for (let n = 0; n < b; n++) result = Math.imul(result, a);
      return b < 0 ? 0 : wrap(result);
    }
    case "Min":
      return Math.min(a, b);
    case "Max":
      return Math.max(a, b);
    case "And":
      return wrap(a & b);
    case "Or":
      return wrap(a | b);
    case "Xor":
      return wrap(a ^ b);
    case "Shl":
      return b >>> 0 > 31 ? 0 : wrap(a << b);
    case "Shr":
      return dtype === "i32" ? a >> Math.min(b >>> 0, 31) : b > 31 ? 0 : a >>> b;
    default:
      throw new Error(`${op} of ${dtype}`);
  }
}

function compare(op: Compare, a: number, b: number): boolean {
  return { Eq: a === b, Ne: a !== b, Lt: a < b, Le: a <= b, Gt: a > b, Ge: a >= b }[op];
}

function cast(dtype: KernelDType, { dtype: own, value }: Typed): number {
  if (dtype === "bool") return Number(value !== 0);
  if (dtype === "f32") return Math.fround(value);
  if (own !== "f32") return dtype === "i32" ? value | 0 : value >>> 0;
  if (Number.isNaN(value)) return 0;
  return dtype === "i32" ? Math.min(Math.max(Math.trunc(value), -(2 ** 31)), 2 ** 31 - 1) : Math.min(Math.max(Math.trunc(value), 0), 2 ** 32 - 1);
}
