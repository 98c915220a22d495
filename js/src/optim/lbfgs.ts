// L-BFGS, a quasi-Newton method: it approximates the curvature by changes of the gradient, and asks
// for the loss several times in a step.

import { countOf, flagOf, noMore, optionsOf, shown } from "../core/check/check.js";
import { checkFunction } from "../core/tensor/functions.js";
import { inScope } from "../core/tensor/scope.js";
import { Tensor } from "../core/tensor/tensor.js";
import { tensorsOf } from "../core/tensor/tree.js";
import { ValueError } from "../core/errors.js";
import { Parameter } from "../transforms/parameter.js";
import { add, div, minimum, mul, sub } from "../ops/generated/arithmetic.js";
import { equal, greater, where } from "../ops/generated/compare.js";
import { cast, neg, sqrt } from "../ops/generated/elementwise.js";
import { stack } from "../ops/generated/join.js";
import { sum } from "../ops/generated/reduce.js";
import { widened } from "../ops/rounded.js";
import { valueAndGrad } from "../transforms/gradients.js";
import type { Parameters } from "./optimizer.js";
import { zoom, type Point } from "./zoom.js";

/**
 * How `lbfgs` steps.
 *
 * @example
 * const options: optim.LbfgsOptions = { memorySize: 5 };
 * optim.lbfgs(new Parameter([1, 2]), options).parameters.length; // 1
 */
export interface LbfgsOptions {
  /** How many changes of parameters and gradients are remembered; 10 by default. */
  memorySize?: number;
  /** Whether the first guess of the curvature is that of the last step; true by default. */
  scaleInitPrecond?: boolean;
  /** How often the loss may be asked for on the way of a step; 20 by default. */
  maxLinesearchSteps?: number;
}

/** What one step changed, and what makes it count. */
interface Change {
  readonly parameters: readonly Tensor[];
  readonly gradients: readonly Tensor[];
  /** One over their product. */
  readonly weight: Tensor;
}

const dot = (a: readonly Tensor[], b: readonly Tensor[]): Tensor => a.map((x, n) => sum(mul(cast(x, "f32"), b[n] as Tensor))).reduce((x, y) => add(x, y));
/** a + scale · b. */
const moved = (a: readonly Tensor[], scale: Tensor | number, b: readonly Tensor[]): Tensor[] => a.map((x, n) => add(x, mul(b[n] as Tensor, scale)));
const free = (...lists: (readonly Tensor[])[]): void => lists.flat().forEach((tensor) => tensor.dispose());

/**
 * Improves parameters with a memory of the last steps. Made by `lbfgs`.
 *
 * @example
 * const weight = new Parameter([1, 2]);
 * const optimizer: optim.Lbfgs<Parameter> = optim.lbfgs(weight);
 * optimizer.dispose();
 */
export class Lbfgs<P extends Parameters = Parameters> {
  /** What it improves, each once. */
  readonly parameters: readonly Parameter[];
  readonly #tree: P;
  readonly #options: Required<LbfgsOptions>;
  #changes: Change[] = [];
  /** Where the last step began. */
  #last: Omit<Change, "weight"> | null = null;
  #busy = false;

  /** @internal */
  constructor(tree: P, options: Required<LbfgsOptions>) {
    const all = tensorsOf(tree);
    this.parameters = [...new Set(all.filter((tensor): tensor is Parameter => tensor instanceof Parameter && tensor.learned))];
    if (this.parameters.length === 0) throw new ValueError("lbfgs", `there are no parameters in ${shown(tree)}`);
    this.#tree = tree;
    this.#options = options;
  }

  /**
   * One step, and the loss after it. `loss` takes what `lbfgs` was given, and is asked for two to
   * four times in most steps, each of which is read: it must be the same function of the parameters
   * each time, without chance. Rejects with `ValueError` while another step is on its way, and with
   * `TraceError` inside `jit`.
   */
  async step(loss: (parameters: P) => Tensor): Promise<number> {
    noMore("step", arguments, 1);
    checkFunction("step", loss);
    if (this.#busy) throw new ValueError("step", "the last step has not ended: await it");
    this.#busy = true;
    try {
      return await this.#step(valueAndGrad((_: Tensor[]) => loss(this.#tree)));
    } finally {
      this.#busy = false;
    }
  }

  async #step(evaluate: (parameters: Tensor[]) => [Tensor, Tensor[]]): Promise<number> {
    const all = [...this.parameters];
    const [start, gradients, direction, read] = inScope(
      () => {
        const [value, slopes] = evaluate(all);
        // Halves are kept as floats: differences of steps are finer than they are.
        const [start, gradients] = [all.map((parameter) => mul(widened(parameter), 1)), slopes.map(widened)];
        this.#remember(start, gradients);
        const direction = this.#descent(gradients);
        return [start, gradients, direction, stack([value, dot(gradients, direction)])] as const;
      },
      (made) => made.flat(),
    );
    // What outlives the step, whatever scope is around.
    [...start, ...gradients].forEach((tensor) => tensor.keep());
    if (this.#last) free(this.#last.parameters, this.#last.gradients);
    this.#last = { parameters: start, gradients };
    const goTo = (step: number): void =>
      inScope(
        // Nowhere is where it was, whatever the direction.
        () => all.forEach((parameter, n) => parameter.assign(cast(step === 0 ? (start[n] as Tensor) : add(start[n] as Tensor, mul(direction[n] as Tensor, step)), parameter.dtype))),
        () => [],
      );
    const pointOf = async (step: number, read: Tensor): Promise<Point> => {
      const [value, slope] = (await read.data()) as unknown as [number, number];
      read.dispose();
      return { step, value, slope };
    };
    try {
      const at = (step: number): Promise<Point> => {
        goTo(step);
        const both = () => {
          const [value, gradients] = evaluate(all);
          return stack([value, dot(gradients, direction)]);
        };
        return pointOf(step, inScope(both, (made) => [made]));
      };
      const chosen = await zoom(at, await pointOf(0, read), this.#options.maxLinesearchSteps);
      goTo(chosen.step);
      return chosen.value;
    } finally {
      free(direction);
    }
  }

  /** Takes what changed since the last step into the memory. */
  #remember(parameters: readonly Tensor[], gradients: readonly Tensor[]): void {
    if (!this.#last) return;
    const { parameters: before, gradients: slopes } = this.#last;
    const minus = (a: readonly Tensor[], b: readonly Tensor[]) => a.map((x, n) => sub(x, b[n] as Tensor).keep());
    const [changed, turned] = [minus(parameters, before), minus(gradients, slopes)];
    const product = dot(changed, turned);
    const none = equal(product, 0);
    const weight = where(none, 0, div(1, where(none, 1, product))).keep();
    this.#changes.push({ parameters: changed, gradients: turned, weight });
    for (const old of this.#changes.splice(0, this.#changes.length - this.#options.memorySize)) free(old.parameters, old.gradients, [old.weight]);
  }

  /** The direction of descent: gradients times the inverse of the curvature as the memory has it,
   * by two loops (J. Nocedal 1980). */
  #descent(gradients: readonly Tensor[]): Tensor[] {
    let value = [...gradients];
    const shares: Tensor[] = [];
    for (const { parameters, gradients, weight } of [...this.#changes].reverse()) {
      const share = mul(weight, dot(parameters, value));
      shares.unshift(share);
      value = moved(value, neg(share), gradients);
    }
    if (this.#options.scaleInitPrecond) {
      const scale = this.#scale(gradients);
      value = value.map((x) => mul(x, scale));
    }
    this.#changes.forEach(({ parameters, gradients, weight }, n) => {
      value = moved(value, sub(shares[n] as Tensor, mul(weight, dot(gradients, value))), parameters);
    });
    return value.map((x) => neg(x));
  }

  /** What the identity is multiplied by: the inverse of the curvature along the last step; before
   * there is one, so that the step is no longer than 1. */
  #scale(gradients: readonly Tensor[]): Tensor {
    const last = this.#changes.at(-1);
    if (!last) return minimum(1, div(1, sqrt(dot(gradients, gradients))));
    const square = dot(last.gradients, last.gradients);
    const some = greater(square, 0);
    return where(some, div(dot(last.parameters, last.gradients), where(some, square, 1)), 1);
  }

  /** Frees the memory of steps; the parameters stay. */
  dispose(): void {
    noMore("dispose", arguments, 0);
    for (const { parameters, gradients, weight } of this.#changes) free(parameters, gradients, [weight]);
    if (this.#last) free(this.#last.parameters, this.#last.gradients);
    this.#changes = [];
    this.#last = null;
  }
}

/**
 * L-BFGS with a line search (Liu & Nocedal 1989), as `optax.lbfgs`: for losses without chance, of
 * models that are not large. Throws `ValueError` when there are no parameters.
 *
 * @example
 * const place = new Parameter([-1, 2]);
 * const optimizer = optim.lbfgs(place);
 * const rosenbrock = (p: Parameter) => p.slice(0).sub(1).square().add(p.slice(1).sub(p.slice(0).square()).square().mul(100));
 * for (let n = 0; n < 40; n++) await optimizer.step(rosenbrock);
 * place.add(0).round(); // [1,1]
 */
export function lbfgs<P extends Parameters>(parameters: P, options: LbfgsOptions = {}): Lbfgs<P> {
  const op = "lbfgs";
  noMore(op, arguments, 2);
  const given = optionsOf<Required<LbfgsOptions>>(op, options, { memorySize: 10, scaleInitPrecond: true, maxLinesearchSteps: 20 });
  countOf(op, "memorySize", given.memorySize, 1);
  countOf(op, "maxLinesearchSteps", given.maxLinesearchSteps, 1);
  flagOf(op, "scaleInitPrecond", given.scaleInitPrecond);
  return new Lbfgs(parameters, given);
}
