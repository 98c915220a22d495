// Update rules of the common optimizers. Names and defaults are PyTorch's.

import { finiteOf, isArray, noMore, optionsOf, shown } from "../core/check/check.js";
import { ValueError } from "../core/errors.js";
import type { Groups } from "./groups.js";
import { Optimizer, type Parameters } from "./optimizer.js";

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
  /** Pulls parameters towards 0: this times the parameter is added to its gradient. 0 by
   * default. */
  weightDecay?: number;
}

/**
 * Stochastic gradient descent, as `torch.optim.SGD`. Throws `ValueError` when there are no
 * parameters.
 *
 * @example
 * const model = new nn.Linear(2, 1);
 * const optimizer = optim.sgd(model, { lr: 0.1 });
 * optimizer.step(grad((m: nn.Linear) => m.forward(ones([4, 2])).sum())(model));
 */
export function sgd(parameters: Parameters | Groups<SgdOptions>, options: SgdOptions = {}): Optimizer {
  noMore("sgd", arguments, 2);
  return new Optimizer("sgd", parameters, 0, options, (options: SgdOptions) => {
    const given = optionsOf("sgd", options, { lr: 0.01, momentum: 0, nesterov: false, weightDecay: 0 });
    return [given.lr, given.weightDecay, given.nesterov, given.momentum];
  });
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
  /** Pulls parameters towards 0: this times the parameter is added to its gradient. 0 by
   * default. */
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
export function adam(parameters: Parameters | Groups<AdamOptions>, options: AdamOptions = {}): Optimizer {
  noMore("adam", arguments, 2);
  return new Optimizer("adam", parameters, 1, options, (options: AdamOptions) => {
    const given = optionsOf("adam", options, { lr: 0.001, betas: [0.9, 0.999] as readonly [number, number], eps: 1e-8, weightDecay: 0 });
    const [first, second] = pair("adam", given.betas);
    return [given.lr, given.weightDecay, false, first, second, given.eps];
  });
}

/**
 * How `adamw` steps.
 *
 * @example
 * optim.adamw(new Parameter(1), { weightDecay: 0.1 }).lr; // 0.001
 */
export interface AdamWOptions {
  /** Learning rate; 0.001 by default. */
  lr?: number;
  /** How much of the first and second moments stays; [0.9, 0.999] by default. */
  betas?: readonly [number, number];
  /** Added to the root of the second moment; 1e-8 by default. */
  eps?: number;
  /** Pulls parameters towards 0: `lr · weightDecay` of the parameter is taken from it. 0.01 by
   * default. */
  weightDecay?: number;
}

/**
 * Adam with decoupled weight decay, as `torch.optim.AdamW`. Throws `ValueError` when there are no
 * parameters.
 *
 * @example
 * const weight = new Parameter([1, 2]);
 * optim.adamw([weight], { lr: 0.5, weightDecay: 0 }).step([tensor([3, -4])]);
 * weight.add(0); // [0.5,2.5]
 */
export function adamw(parameters: Parameters | Groups<AdamWOptions>, options: AdamWOptions = {}): Optimizer {
  noMore("adamw", arguments, 2);
  return new Optimizer("adamw", parameters, 1, options, (options: AdamWOptions) => {
    const given = optionsOf("adamw", options, { lr: 0.001, betas: [0.9, 0.999] as readonly [number, number], eps: 1e-8, weightDecay: 0.01 });
    const [first, second] = pair("adamw", given.betas);
    return [given.lr, given.weightDecay, true, first, second, given.eps];
  });
}

/**
 * How `adamax` steps.
 *
 * @example
 * optim.adamax(new Parameter(1), { eps: 1e-6 }).lr; // 0.002
 */
export interface AdamaxOptions {
  /** Learning rate; 0.002 by default. */
  lr?: number;
  /** How much of the first and second moments stays; [0.9, 0.999] by default. */
  betas?: readonly [number, number];
  /** Added to the size of a gradient; 1e-8 by default. */
  eps?: number;
  /** Pulls parameters towards 0: this times the parameter is added to its gradient. 0 by
   * default. */
  weightDecay?: number;
}

/**
 * Adam by the largest gradient in place of the second moment, as `torch.optim.Adamax`. Throws
 * `ValueError` when there are no parameters.
 *
 * @example
 * const weight = new Parameter([1, 2]);
 * optim.adamax([weight], { lr: 0.5 }).step([tensor([3, -4])]);
 * weight.add(0); // [0.5,2.5]
 */
export function adamax(parameters: Parameters | Groups<AdamaxOptions>, options: AdamaxOptions = {}): Optimizer {
  noMore("adamax", arguments, 2);
  return new Optimizer("adamax", parameters, 2, options, (options: AdamaxOptions) => {
    const given = optionsOf("adamax", options, { lr: 0.002, betas: [0.9, 0.999] as readonly [number, number], eps: 1e-8, weightDecay: 0 });
    const [first, second] = pair("adamax", given.betas);
    return [given.lr, given.weightDecay, 0, first, second, given.eps];
  });
}

/**
 * How `lion` steps.
 *
 * @example
 * optim.lion(new Parameter(1), { lr: 0.001 }).lr; // 0.001
 */
export interface LionOptions {
  /** Learning rate; 1e-4 by default. */
  lr?: number;
  /** How much of the average stays for the step, and for the next steps; [0.9, 0.99] by default. */
  betas?: readonly [number, number];
  /** Pulls parameters towards 0: `lr · weightDecay` of the parameter is taken from it. 0 by
   * default. */
  weightDecay?: number;
}

/**
 * Steps of one size along the sign of an average (Chen et al. 2023), as `optax.lion`. Throws
 * `ValueError` when there are no parameters.
 *
 * @example
 * const weight = new Parameter([1, 2]);
 * optim.lion([weight], { lr: 0.5 }).step([tensor([3, -4])]);
 * weight.add(0); // [0.5,2.5]
 */
export function lion(parameters: Parameters | Groups<LionOptions>, options: LionOptions = {}): Optimizer {
  noMore("lion", arguments, 2);
  return new Optimizer("lion", parameters, 3, options, (options: LionOptions) => {
    const given = optionsOf("lion", options, { lr: 1e-4, betas: [0.9, 0.99] as readonly [number, number], weightDecay: 0 });
    const [first, second] = pair("lion", given.betas);
    return [given.lr, given.weightDecay, 0, first, second];
  });
}

/**
 * How `muon` steps.
 *
 * @example
 * optim.muon(new nn.Linear(2, 2), { lr: 0.02 }).lr; // 0.02
 */
export interface MuonOptions {
  /** Learning rate; 0.001 by default. */
  lr?: number;
  /** How much of the momentum stays; 0.95 by default. */
  momentum?: number;
  /** Pulls parameters towards 0: `lr · weightDecay` of the parameter is taken from it. 0.1 by
   * default. */
  weightDecay?: number;
}

/**
 * Muon (Jordan et al. 2024), as `torch.optim.Muon`: matrices step along the nearest orthogonal
 * matrix to their momentum; what is no matrix as with `adamw`. Throws `ValueError` when there are
 * no parameters.
 *
 * @example
 * const model = new nn.Linear(4, 4);
 * const optimizer = optim.muon(model);
 * optimizer.step(grad((m: nn.Linear) => m.forward(ones([2, 4])).square().sum())(model));
 */
export function muon(parameters: Parameters | Groups<MuonOptions>, options: MuonOptions = {}): Optimizer {
  noMore("muon", arguments, 2);
  return new Optimizer("muon", parameters, 4, options, (options: MuonOptions) => {
    const given = optionsOf("muon", options, { lr: 0.001, momentum: 0.95, weightDecay: 0.1 });
    return [given.lr, given.weightDecay, 0, given.momentum];
  });
}

/**
 * How `rmsprop` steps.
 *
 * @example
 * optim.rmsprop(new Parameter(1), { centered: true }).lr; // 0.01
 */
export interface RmspropOptions {
  /** Learning rate; 0.01 by default. */
  lr?: number;
  /** How much of the average stays; 0.99 by default. */
  alpha?: number;
  /** Added to the root; 1e-8 by default. */
  eps?: number;
  /** Pulls parameters towards 0: this times the parameter is added to its gradient. 0 by
   * default. */
  weightDecay?: number;
  /** How much of the last velocity stays; 0 by default. */
  momentum?: number;
  /** Whether the average gradient is subtracted, so that it is the variance that counts; false by
   * default. */
  centered?: boolean;
}

/**
 * Divides by the root of an average of the gradient's squares, as `torch.optim.RMSprop`. Throws
 * `ValueError` when there are no parameters.
 *
 * @example
 * const weight = new Parameter([1, 2]);
 * optim.rmsprop([weight], { lr: 0.1, alpha: 0.75 }).step([tensor([3, -4])]);
 * weight.add(0); // [0.8,2.2]
 */
export function rmsprop(parameters: Parameters | Groups<RmspropOptions>, options: RmspropOptions = {}): Optimizer {
  noMore("rmsprop", arguments, 2);
  return new Optimizer("rmsprop", parameters, 5, options, (options: RmspropOptions) => {
    const given = optionsOf("rmsprop", options, { lr: 0.01, alpha: 0.99, eps: 1e-8, weightDecay: 0, momentum: 0, centered: false });
    return [given.lr, given.weightDecay, given.centered, given.alpha, given.eps, given.momentum];
  });
}

/**
 * How `adagrad` steps.
 *
 * @example
 * optim.adagrad(new Parameter(1), { lr: 0.1 }).lr; // 0.1
 */
export interface AdagradOptions {
  /** Learning rate; 0.01 by default. */
  lr?: number;
  /** How much the learning rate falls: at step t it is lr / (1 + (t − 1) · lrDecay). 0 by
   * default. */
  lrDecay?: number;
  /** Added to the root; 1e-10 by default. */
  eps?: number;
  /** Pulls parameters towards 0: this times the parameter is added to its gradient. 0 by
   * default. */
  weightDecay?: number;
}

/**
 * Divides by the root of the sum of all squares so far, as `torch.optim.Adagrad`. Throws
 * `ValueError` when there are no parameters.
 *
 * @example
 * const weight = new Parameter([1, 2]);
 * optim.adagrad([weight], { lr: 0.5 }).step([tensor([3, -4])]);
 * weight.add(0); // [0.5,2.5]
 */
export function adagrad(parameters: Parameters | Groups<AdagradOptions>, options: AdagradOptions = {}): Optimizer {
  noMore("adagrad", arguments, 2);
  return new Optimizer("adagrad", parameters, 6, options, (options: AdagradOptions) => {
    const given = optionsOf("adagrad", options, { lr: 0.01, lrDecay: 0, eps: 1e-10, weightDecay: 0 });
    return [given.lr, given.weightDecay, 0, given.lrDecay, given.eps];
  });
}

/**
 * How `adadelta` steps.
 *
 * @example
 * optim.adadelta(new Parameter(1), { rho: 0.95 }).lr; // 1
 */
export interface AdadeltaOptions {
  /** Learning rate; 1 by default. */
  lr?: number;
  /** How much of the averages stays; 0.9 by default. */
  rho?: number;
  /** Added below the roots; 1e-6 by default. */
  eps?: number;
  /** Pulls parameters towards 0: this times the parameter is added to its gradient. 0 by
   * default. */
  weightDecay?: number;
}

/**
 * Steps of the size of earlier steps, over the size of earlier gradients, as
 * `torch.optim.Adadelta`. Throws `ValueError` when there are no parameters.
 *
 * @example
 * const model = new nn.Linear(2, 1);
 * const optimizer = optim.adadelta(model);
 * optimizer.step(grad((m: nn.Linear) => m.forward(ones([4, 2])).sum())(model));
 */
export function adadelta(parameters: Parameters | Groups<AdadeltaOptions>, options: AdadeltaOptions = {}): Optimizer {
  noMore("adadelta", arguments, 2);
  return new Optimizer("adadelta", parameters, 7, options, (options: AdadeltaOptions) => {
    const given = optionsOf("adadelta", options, { lr: 1, rho: 0.9, eps: 1e-6, weightDecay: 0 });
    return [given.lr, given.weightDecay, 0, given.rho, given.eps];
  });
}

/** The two numbers of an option, where a flag or a list of others was given an error. */
function pair(op: string, betas: unknown): readonly [number, number] {
  if (!isArray(betas) || betas.length !== 2) throw new ValueError(op, `betas are two numbers, got ${shown(betas)}`);
  return [finiteOf(op, "a beta", betas[0]), finiteOf(op, "a beta", betas[1])];
}
