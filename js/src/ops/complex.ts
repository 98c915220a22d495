// What are complex numbers here? A pair of tensors of one shape, with the arithmetic of both.

import { holds, noMore, shown } from "../core/check.js";
import { Tensor, type Operand } from "../core/tensor.js";
import { tidy } from "../core/tidy.js";
import { treeValue } from "../core/tree.js";
import { ValueError } from "../errors.js";
import { add, atan2, div, mul, sub } from "./arithmetic.js";
import { hypot } from "./mathematics.js";
import { cos, exp, neg, sin } from "./elementwise.js";

/**
 * Complex numbers as a pair of tensors: their real and their imaginary parts. There is no complex dtype; what takes and yields complex numbers takes and
 * yields this. A tree of two tensors, so that transformations go through it.
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
    return combined("Complex.add", this, other, (a, b) => [add(a.re, b.re), add(a.im, b.im)]);
  }

  /** The difference. */
  sub(other: Complex | Operand): Complex {
    return combined("Complex.sub", this, other, (a, b) => [sub(a.re, b.re), sub(a.im, b.im)]);
  }

  /** The product. */
  mul(other: Complex | Operand): Complex {
    return combined("Complex.mul", this, other, (a, b) => [sub(mul(a.re, b.re), mul(a.im, b.im)), add(mul(a.re, b.im), mul(a.im, b.re))]);
  }

  /** The quotient. */
  div(other: Complex | Operand): Complex {
    return combined("Complex.div", this, other, (a, b) => {
      const size = hypot(b.re, b.im);
      const [re, im] = [div(b.re, size), div(b.im, size)];
      return [div(add(mul(a.re, re), mul(a.im, im)), size), div(sub(mul(a.im, re), mul(a.re, im)), size)];
    });
  }

  /** With the imaginary parts negated. */
  conj(): Complex {
    return new Complex(this.re.add(0), neg(this.im));
  }

  /** Distances from 0. */
  abs(): Tensor {
    return hypot(this.re, this.im);
  }

  /** Angles from the real axis, in [−π, π]. */
  angle(): Tensor {
    return atan2(this.im, this.re);
  }

  /** e to the power of each. */
  exp(): Complex {
    const [re, im] = tidy(() => {
      const size = exp(this.re);
      return [mul(size, cos(this.im)), mul(size, sin(this.im))];
    });
    return new Complex(re as Tensor, im as Tensor);
  }

  /** Frees both tensors. */
  dispose(): void {
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
  const other = b instanceof Complex ? b : { re: b, im: 0 };
  const [re, im] = tidy(() => f(a, other));
  return new Complex(re as Tensor, im as Tensor);
}
