// What holds parameters and improves them? An optimizer: with its state, it steps in one submit.

import { countOf, finiteOf, isArray, shown } from "../core/check.js";
import { Claim, core, wholeCore } from "../core/core.js";
import { inScope, releaseAbandoned, releaseLater, together } from "../core/scope.js";
import { Tensor, type Operand } from "../core/tensor.js";
import { noteStep } from "../core/tracing.js";
import { isNode, tensorsOf, type TensorTree } from "../core/tree.js";
import type { ArrayFile } from "../data/array.js";
import { ValueError } from "../errors.js";
import type { Module } from "../nn/module.js";
import { Parameter } from "../nn/parameter.js";
import { fitting } from "../nn/state.js";
import { handlesOf } from "../transforms/gradients.js";

/** The number of the first rule that is in the part of the core that few need. */
const FIRST_RARE = 2;

/**
 * What an optimizer improves: a module, or parameters in any tree.
 *
 * @example
 * const parameters: optim.Parameters = [new Parameter([1, 2]), new nn.Linear(2, 1).weight];
 * optim.sgd(parameters).parameters.length; // 2
 */
export type Parameters = Module | TensorTree;

/** An optimizer that is collected gives its state back. */
const forgotten = new FinalizationRegistry<Claim>((claim) => releaseLater(() => drop(claim)));

function drop(claim: Claim): void {
  claim.release((known, number) => known.optimizer_drop(number));
}

/**
 * Improves parameters by gradients. Made by `sgd`, `adam` and their kin.
 *
 * @example
 * const optimizer: optim.Optimizer = optim.adam(new nn.Linear(2, 1));
 * optimizer.lr = 0.01; // at any time
 * optimizer.dispose();
 */
export class Optimizer {
  /** What it improves, each once. */
  readonly parameters: readonly Parameter[];
  readonly #op: string;
  readonly #claim: Claim;
  /** Whether a place in the tree of parameters is a parameter's first. */
  readonly #firsts: readonly boolean[];

  /** @internal */
  constructor(op: string, parameters: Parameters, rule: number, options: readonly (number | boolean)[]) {
    if (!isArray(options)) throw new ValueError("Optimizer", "optimizers are made by sgd, adam and their kin, not with new");
    const places = tensorsOf(parameters).filter((tensor): tensor is Parameter => tensor instanceof Parameter && tensor.learned);
    const stray = tensorsOf(parameters).find((tensor) => !(tensor instanceof Parameter));
    if (places.length === 0 && !isNode(parameters) && !stray) {
      throw new ValueError(op, `takes a module, or parameters in arrays and objects, got ${shown(parameters)}`);
    }
    const isModule = typeof parameters === "object" && parameters !== null && "namedParameters" in parameters;
    if (stray && !isModule) throw new ValueError(op, `can only assign parameters, but got ${stray.toString()}: wrap it in nn.Parameter`);
    this.#op = op;
    this.#firsts = places.map((parameter, place) => places.indexOf(parameter) === place);
    this.parameters = places.filter((_, place) => this.#firsts[place]);
    const held = rule < FIRST_RARE ? core() : wholeCore(op);
    this.#claim = new Claim(held.optimizer_new(rule, Uint32Array.from(this.parameters, (parameter) => parameter.handle), Float64Array.from(options, Number)));
    forgotten.register(this, this.#claim, this);
  }

  /**
   * One step by `gradients`, a tree like that of the parameters, as `grad` and `valueAndGrad` return it. Assigns the parameters
   * and frees the gradients. A flush point: everything pending that the step needs runs in one submit. Inside `jit` it becomes
   * part of what is captured. Throws `ShapeError` when the gradients do not fit.
   */
  step(gradients: TensorTree): void {
    const all: Tensor[] = tensorsOf(gradients);
    const fitting = all.length === this.#firsts.length ? all.filter((_, place) => this.#firsts[place]) : all;
    try {
      core().optimizer_step(this.#number("step"), handlesOf(fitting));
    } finally {
      together(() => all.forEach((gradient) => gradient.dispose()));
    }
    noteStep();
    releaseAbandoned();
  }

  /** The learning rate. May be set at any time, also for captured functions: nothing is compiled anew. */
  get lr(): number {
    return core().optimizer_lr(this.#number(this.#op));
  }

  set lr(rate: number) {
    if (finiteOf(this.#op, "the learning rate", rate) < 0) throw new ValueError(this.#op, `the learning rate must be 0 or more, got ${rate}`);
    core().optimizer_set_lr(this.#number(this.#op), rate);
  }

  /** How many steps were made; calls of captured functions that step count. Set it where training goes on that was interrupted. */
  get steps(): number {
    return core().optimizer_steps(this.#number(this.#op));
  }

  set steps(steps: number) {
    core().optimizer_set_steps(this.#number(this.#op), countOf(this.#op, "the number of steps", steps));
  }

  /** What is kept of parameters, by the parameter's position and then one after the other, as `0.1`: what `data.toSafetensors` saves. With `steps` it is
   * all there is to the optimizer. */
  stateDict(): Record<string, Tensor> {
    const whole = wholeCore(this.#op);
    const kept = (n: number) => Array.from(whole.optimizer_states(this.#number(this.#op), n), (handle, k) => [`${n}.${k}`, Tensor.adopt(handle)] as const);
    return Object.fromEntries(this.parameters.flatMap((_, n) => kept(n)));
  }

  /** Assigns what `stateDict` gave, or `data.safetensors` read of it. Throws `ValueError` where something is missing, `ShapeError` where it does not fit; then
   * nothing has been assigned. */
  loadStateDict(state: { readonly [name: string]: Operand | ArrayFile }): void {
    const op = "loadStateDict";
    inScope(
      () => {
        const assigned = fitting(op, state, Object.entries(this.stateDict()), true);
        for (const [held, value] of assigned) core().parameter_set(held.handle, value.handle);
      },
      () => [],
    );
  }

  /** Frees the optimizer's state; the parameters stay. */
  dispose(): void {
    forgotten.unregister(this);
    drop(this.#claim);
  }

  #number(op: string): number {
    return this.#claim.number(op, "the optimizer");
  }
}
