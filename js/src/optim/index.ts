// What becomes of parameters, given gradients? Optimizers: each holds its parameters and its own state, and steps in one submit.

import { finiteOf, isArray, optionsOf, shown } from "../core/check.js";
import { Claim, core } from "../core/core.js";
import { releaseAbandoned, releaseLater } from "../core/scope.js";
import type { Tensor } from "../core/tensor.js";
import { noteStep } from "../core/tracing.js";
import { disposeTree, isNode, tensorsOf, type TensorTree } from "../core/tree.js";
import { ValueError } from "../errors.js";
import type { Module } from "../nn/module.js";
import { Parameter } from "../nn/parameter.js";

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
 * Improves parameters by gradients. Made by `sgd` and `adam`.
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
  constructor(op: string, parameters: Parameters, create: (handles: Uint32Array) => number) {
    if (typeof create !== "function") throw new ValueError("Optimizer", "optimizers are made by sgd and adam, not with new");
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
    this.#claim = new Claim(create(Uint32Array.from(this.parameters, (parameter) => parameter.handle)));
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
      core().optimizer_step(this.#number("step"), Uint32Array.from(fitting, (gradient) => gradient.handle));
    } finally {
      disposeTree(gradients);
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

  /** Frees the optimizer's state; the parameters stay. */
  dispose(): void {
    forgotten.unregister(this);
    drop(this.#claim);
  }

  #number(op: string): number {
    return this.#claim.number(op, "the optimizer");
  }
}

/**
 * How `sgd` steps.
 *
 * @example
 * optim.sgd(new Parameter(1), { lr: 0.1, momentum: 0.9, nesterov: true }).lr; // 0.1
 */
export interface SgdOptions {
  /** Learning rate; 0.01 by default. */
  lr?: number;
  /** How much of the last velocity stays; 0 by default. */
  momentum?: number;
  /** Whether to look ahead along the velocity (Nesterov); needs momentum. */
  nesterov?: boolean;
  /** Pulls parameters towards 0: this times the parameter is added to its gradient. 0 by default. */
  weightDecay?: number;
}

/**
 * Stochastic gradient descent, as `torch.optim.SGD`. Throws `ValueError` when there are no parameters.
 *
 * @example
 * const model = new nn.Linear(2, 1);
 * const optimizer = optim.sgd(model, { lr: 0.1 });
 * optimizer.step(grad((m: nn.Linear) => m.forward(ones([4, 2])).sum())(model));
 */
export function sgd(parameters: Parameters, options: SgdOptions = {}): Optimizer {
  const { lr, momentum, nesterov, weightDecay } = optionsOf("sgd", options, { lr: 0.01, momentum: 0, nesterov: false, weightDecay: 0 });
  return new Optimizer("sgd", parameters, (handles) => core().optimizer_sgd(handles, lr, momentum, nesterov, weightDecay));
}

/**
 * How `adam` steps.
 *
 * @example
 * optim.adam(new Parameter(1), { lr: 3e-4, betas: [0.9, 0.99], weightDecay: 0.01 }).lr; // 0.0003
 */
export interface AdamOptions {
  /** Learning rate; 0.001 by default. */
  lr?: number;
  /** How much of the first and second moments stays; [0.9, 0.999] by default. */
  betas?: readonly [number, number];
  /** Added to the root of the second moment; 1e-8 by default. */
  eps?: number;
  /** Pulls parameters towards 0: this times the parameter is added to its gradient. 0 by default. */
  weightDecay?: number;
}

/**
 * Adam, as `torch.optim.Adam`. Throws `ValueError` when there are no parameters.
 *
 * @example
 * const model = new nn.Linear(2, 1);
 * const optimizer = optim.adam(model, { lr: 0.01 });
 * const [loss, gradients] = valueAndGrad((m: nn.Linear) => nn.mseLoss(m.forward(ones([4, 2])), 1))(model);
 * optimizer.step(gradients);
 */
export function adam(parameters: Parameters, options: AdamOptions = {}): Optimizer {
  const usual: Required<AdamOptions> = { lr: 0.001, betas: [0.9, 0.999], eps: 1e-8, weightDecay: 0 };
  const { lr, betas, eps, weightDecay } = optionsOf("adam", options, usual);
  if (!isArray(betas) || betas.length !== 2) throw new ValueError("adam", `betas are two numbers, got ${shown(betas)}`);
  const [first, second] = [finiteOf("adam", "a beta", betas[0]), finiteOf("adam", "a beta", betas[1])];
  return new Optimizer("adam", parameters, (handles) =>
    core().optimizer_adam(handles, lr, first, second, eps, weightDecay),
  );
}
