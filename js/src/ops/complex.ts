// Complex numbers: a pair of tensors of one shape, with the arithmetic of both.

import { holds, noMore, shown, type Axes } from "../core/check/check.js";
import { register } from "../core/wasm/core.js";
import { checkFunction } from "../core/tensor/functions.js";
import { Tensor, type Operand } from "../core/tensor/tensor.js";
import { tidy } from "../core/tensor/tidy.js";
import { treeValue } from "../core/tensor/tree.js";
import { ValueError } from "../core/errors.js";
import { add, atan2, mul, sub, hypot } from "./generated/arithmetic.js";
import { neg } from "./generated/elementwise.js";
import type { ReduceOptions } from "./signatures.js";
import { composed, lifted } from "./lift.js";
import { invokeAll, type Call } from "./operation.js";
import { matmul } from "./generated/contract.js";
import { mean, sum } from "./generated/reduce.js";
import { roundedOnce } from "./rounded.js";

/**
 * Complex numbers as a pair of tensors: their real and their imaginary parts. There is no complex
 * dtype; what takes and yields complex numbers takes and yields this. A tree of two tensors, so
 * that transformations go through it.
 *
 * @example
 * const z = new Complex([1, 2], [0, 1]);
 * z.mul(z).re; // [1,3]
 */
export class Complex {
  readonly re: Tensor;
  readonly im: Tensor;
  /** What only those made here have. */
  readonly #own = true;

  /** Whether a value is one, which a proxy is not. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && #own in value;
  }

  constructor(re: Operand, im: Operand = 0) {
    // Transformations exchange tensors by what stands for them meanwhile.
    const parts = re as unknown;
    if (holds(() => parts instanceof Parts)) {
      this.re = (parts as Parts).re as Tensor;
      this.im = (parts as Parts).im as Tensor;
      return;
    }
    noMore("Complex", [...arguments], 2);
    // Of one shape, whatever was given.
    this.re = re instanceof Tensor && im instanceof Tensor && same(re, im) ? re : tidy(() => add(re, mul(im, 0)));
    this.im = re instanceof Tensor && im instanceof Tensor && same(re, im) ? im : tidy(() => add(im, mul(re, 0)));
  }

  /** @internal */
  [treeValue](parts: Record<string, unknown>): Complex {
    return new Complex(new Parts(parts["re"], parts["im"]) as never);
  }

  /** The sum. */
  add(other: Complex | Operand): Complex {
    noMore("Complex.add", arguments, 1);
    return combined("Complex.add", this, other, (a, b) => [add(a.re, b.re), add(a.im, b.im)]);
  }

  /** The difference. */
  sub(other: Complex | Operand): Complex {
    noMore("Complex.sub", arguments, 1);
    return combined("Complex.sub", this, other, (a, b) => [sub(a.re, b.re), sub(a.im, b.im)]);
  }

  /** The product. */
  mul(other: Complex | Operand): Complex {
    noMore("Complex.mul", arguments, 1);
    return combined("Complex.mul", this, other, (a, b) => [sub(mul(a.re, b.re), mul(a.im, b.im)), add(mul(a.re, b.im), mul(a.im, b.re))]);
  }

  /** The quotient. */
  div(other: Complex | Operand): Complex {
    noMore("Complex.div", arguments, 1);
    return made("div", this, other);
  }

  /** The product of matrices, as `matmul`. */
  matmul(other: Complex | Operand): Complex {
    noMore("Complex.matmul", arguments, 1);
    if (!(other instanceof Complex)) return this.map((part) => matmul(part, other));
    return combined("Complex.matmul", this, other, (a, b) => [sub(matmul(a.re, b.re), matmul(a.im, b.im)), add(matmul(a.re, b.im), matmul(a.im, b.re))]);
  }

  /** To the power of a number or of complex numbers; of 0 it is 0, but 1 to the power of 0. */
  pow(exponent: Complex | Operand): Complex {
    noMore("Complex.pow", arguments, 1);
    return made("pow", this, exponent);
  }

  /** What a function that is linear makes of both parts:
   * `z.map((part) => part.reshape([2, 2]))`. */
  map(linear: (part: Tensor) => Tensor): Complex {
    noMore("Complex.map", arguments, 1);
    checkFunction("Complex.map", linear);
    const [re, im] = tidy(() => [linear(this.re), linear(this.im)]);
    return new Complex(re as Tensor, im as Tensor);
  }

  /** The sum over axes, or all. */
  sum(axis?: Axes, options?: ReduceOptions): Complex {
    noMore("Complex.sum", arguments, 2);
    return this.map((part) => sum(part, axis, options));
  }

  /** The mean over axes, or all. */
  mean(axis?: Axes, options?: ReduceOptions): Complex {
    noMore("Complex.mean", arguments, 2);
    return this.map((part) => mean(part, axis, options));
  }

  /** Negated. */
  neg(): Complex {
    noMore("Complex.neg", arguments, 0);
    return this.map(neg);
  }

  /** The principal logarithm, with the angle in [−π, π]. */
  log(): Complex {
    noMore("Complex.log", arguments, 0);
    return made("log", this);
  }

  /** The principal root, with a real part of 0 or more. */
  sqrt(): Complex {
    noMore("Complex.sqrt", arguments, 0);
    return made("sqrt", this);
  }

  /** With the imaginary parts negated. */
  conj(): Complex {
    noMore("Complex.conj", arguments, 0);
    return new Complex(this.re.add(0), neg(this.im));
  }

  /** Distances from 0. */
  abs(): Tensor {
    noMore("Complex.abs", arguments, 0);
    return hypot(this.re, this.im);
  }

  /** Angles from the real axis, in [−π, π]. */
  angle(): Tensor {
    noMore("Complex.angle", arguments, 0);
    return atan2(this.im, this.re);
  }

  /** e to the power of each. */
  exp(): Complex {
    noMore("Complex.exp", arguments, 0);
    return made("exp", this);
  }

  /** Both parts, as tensors write themselves. */
  toString(): string {
    return `Complex { re: ${String(this.re)}, im: ${String(this.im)} }`;
  }

  /** Frees both tensors. */
  dispose(): void {
    noMore("Complex.dispose", arguments, 0);
    this.re.dispose();
    this.im.dispose();
  }
}

function same(a: Tensor, b: Tensor): boolean {
  return a.dtype === b.dtype && a.shape.join() === b.shape.join();
}

/** What a transformation puts in the places of the parts. */
class Parts {
  constructor(
    readonly re: unknown,
    readonly im: unknown,
  ) {}
}

interface Pair {
  readonly re: Operand;
  readonly im: Operand;
}

function combined(op: string, a: Complex, b: Complex | Operand, f: (a: Pair, b: Pair) => [Tensor, Tensor]): Complex {
  if (b === undefined || b === null) throw new ValueError(op, `takes complex numbers or a tensor, got ${shown(b)}`);
  const [re, im] = tidy(() => {
    const other = b instanceof Complex ? b : { re: typeof b === "number" ? b : lifted(op, b), im: 0 };
    return roundedOnce([a.re, a.im, other.re, other.im], (...[re, im, otherRe, otherIm]) => f({ re, im }, { re: otherRe, im: otherIm }));
  });
  return new Complex(re as Tensor, im as Tensor);
}

const functions = register("complex");
const NAMES = ["log", "sqrt", "pow", "exp", "div"] as const;

/** A function that the core has, by its place there. */
function made(name: (typeof NAMES)[number], z: Complex, exponent: Complex | Operand = 0): Complex {
  const op = `Complex.${name}`;
  return combined(op, z, exponent, (a, b) => {
    const call = (call: Call) => void call.tensor(a.re).tensor(a.im).tensor(b.re).tensor(b.im).put(NAMES.indexOf(name));
    return composed(op, () => invokeAll({ ...functions, name: op }, call) as [Tensor, Tensor]);
  });
}
