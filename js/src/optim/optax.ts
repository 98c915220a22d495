// Further update rules of optimizers, from optax. Names, defaults and steps are optax's, unless
// something else is said.

import { finiteOf, isArray, noMore, optionsOf, shown } from "../core/check/check.js";
import { ValueError } from "../core/errors.js";
import type { Groups } from "./groups.js";
import { Optimizer, type Parameters } from "./optimizer.js";

/**
 * How a rule with two moments steps.
 *
 * @example
 * const options: optim.MomentOptions = { lr: 0.01, betas: [0.9, 0.99] };
 * optim.radam(new Parameter(1), options).lr; // 0.01
 */
export interface MomentOptions {
  /** Learning rate; 0.001 by default. */
  lr?: number;
  /** How much of the first and second moments stays; [0.9, 0.999] by default. */
  betas?: readonly [number, number];
  /** Added to what is divided by; 1e-8 by default. */
  eps?: number;
  /** Pulls parameters towards 0: `lr · weightDecay` of the parameter is taken from it. 0 by
   * default. */
  weightDecay?: number;
}

/**
 * A rule with two moments. Throws `ValueError` when there are no parameters.
 *
 * @example
 * const rule: optim.MomentRule = optim.yogi;
 * rule(new Parameter(1), { lr: 0.1 }).lr; // 0.1
 */
export type MomentRule = (parameters: Parameters | Groups<MomentOptions>, options?: MomentOptions) => Optimizer;

const usual = { lr: 0.001, betas: [0.9, 0.999] as readonly [number, number], eps: 1e-8, weightDecay: 0 };

const moments =
  (name: string, rule: number, defaults: MomentOptions = {}): MomentRule =>
  (parameters, options = {}, ...more: unknown[]) => {
    noMore(name, [parameters, options, ...more], 2);
    return new Optimizer(name, parameters, rule, options, (options: MomentOptions) => {
      const given = optionsOf(name, options, { ...usual, ...defaults } as typeof usual);
      return [given.lr, given.weightDecay, 0, ...pair(name, "betas", given.betas), given.eps, 0];
    });
  };

/** The two numbers of an option. */
function pair(op: string, what: string, given: unknown): readonly [number, number] {
  if (!isArray(given) || given.length !== 2) throw new ValueError(op, `${what} are two numbers, got ${shown(given)}`);
  return [finiteOf(op, what, given[0]), finiteOf(op, what, given[1])];
}

/**
 * Steps by how far gradients are from what was expected of them (Zhuang et al. 2020), as
 * `optax.adabelief`.
 *
 * @example
 * const weight = new Parameter([1, 2]);
 * optim.adabelief(weight, { lr: 0.1 }).step(tensor([3, -4]));
 * weight.shape; // [2]
 */
export const adabelief: MomentRule = moments("adabelief", 8, { eps: 1e-16 });

/**
 * Adam by the largest second moment so far (Reddi et al. 2018), as `optax.amsgrad`.
 *
 * @example
 * const weight = new Parameter([1, 2]);
 * optim.amsgrad(weight, { lr: 0.1 }).step(tensor([3, -4]));
 * weight.shape; // [2]
 */
export const amsgrad: MomentRule = moments("amsgrad", 9);

/**
 * Adam with Nesterov's look ahead (Dozat 2016), as `optax.nadam`.
 *
 * @example
 * const weight = new Parameter([1, 2]);
 * optim.nadam(weight, { lr: 0.1 }).step(tensor([3, -4]));
 * weight.shape; // [2]
 */
export const nadam: MomentRule = moments("nadam", 10);

/**
 * `optim.nadam` with decoupled weight decay, 1e-4 by default, as `optax.nadamw`.
 *
 * @example
 * const weight = new Parameter([1, 2]);
 * optim.nadamw(weight, { lr: 0.1 }).step(tensor([3, -4]));
 * weight.shape; // [2]
 */
export const nadamw: MomentRule = moments("nadamw", 10, { weightDecay: 1e-4 });

/**
 * Adam that follows the average alone until its second moment is worth dividing by (Liu et al.
 * 2019), as `optax.radam`.
 *
 * @example
 * const weight = new Parameter([1, 2]);
 * optim.radam(weight, { lr: 0.1 }).step(tensor([3, -4]));
 * weight.shape; // [2]
 */
export const radam: MomentRule = moments("radam", 11);

/**
 * Adam with a second moment that changes by the gradient's size, not in proportion to itself
 * (Zaheer et al. 2018), as `optax.yogi`. `eps` is 1e-3 by default.
 *
 * @example
 * const weight = new Parameter([1, 2]);
 * optim.yogi(weight, { lr: 0.1 }).step(tensor([3, -4]));
 * weight.shape; // [2]
 */
export const yogi: MomentRule = moments("yogi", 12, { eps: 1e-3 });

/**
 * Adam's steps in proportion to the length of the parameter, for large batches (You et al. 2020),
 * as `optax.lamb`. `eps` is 1e-6 by default.
 *
 * @example
 * const weight = new Parameter([1, 2]);
 * optim.lamb(weight, { lr: 0.1 }).step(tensor([3, -4]));
 * weight.shape; // [2]
 */
export const lamb: MomentRule = moments("lamb", 14, { eps: 1e-6 });

/**
 * One second moment for all of a parameter, and the weight decay part of the gradient (Ginsburg et
 * al. 2019), as `optax.novograd`. Betas are [0.9, 0.25], `eps` 1e-6 by default.
 *
 * @example
 * const weight = new Parameter([1, 2]);
 * optim.novograd(weight, { lr: 0.1 }).step(tensor([3, -4]));
 * weight.shape; // [2]
 */
export const novograd: MomentRule = moments("novograd", 16, { betas: [0.9, 0.25], eps: 1e-6 });

/**
 * `optim.adamax` with decoupled weight decay, 1e-4 by default, as `optax.adamaxw`.
 *
 * @example
 * const weight = new Parameter([1, 2]);
 * optim.adamaxw(weight, { lr: 0.1 }).step(tensor([3, -4]));
 * weight.shape; // [2]
 */
export const adamaxw: MomentRule = moments("adamaxw", 20, { weightDecay: 1e-4 });

/**
 * How `adan` steps.
 *
 * @example
 * optim.adan(new Parameter(1), { beta3: 0.999 }).lr; // 0.001
 */
export interface AdanOptions extends MomentOptions {
  /** How much of the average of squares stays; 0.99 by default. `betas` are those of gradients and
   * of their differences, [0.98, 0.92] by default. */
  beta3?: number;
}

/**
 * Nesterov's look ahead by the difference of gradients (Xie et al. 2022), as `optax.adan`. Throws
 * `ValueError` when there are no parameters.
 *
 * @example
 * const weight = new Parameter([1, 2]);
 * optim.adan(weight, { lr: 0.5 }).step(tensor([3, -4]));
 * weight.add(0); // [0.5,2.5]
 */
export function adan(parameters: Parameters | Groups<AdanOptions>, options: AdanOptions = {}): Optimizer {
  noMore("adan", arguments, 2);
  return new Optimizer("adan", parameters, 13, options, (options: AdanOptions) => {
    const given = optionsOf("adan", options, { ...usual, betas: [0.98, 0.92] as readonly [number, number], beta3: 0.99 });
    if (!(finiteOf("adan", "beta3", given.beta3) < 1)) throw new ValueError("adan", `beta3 must be below 1, got ${given.beta3}`);
    return [given.lr, given.weightDecay, 0, ...pair("adan", "betas", given.betas), given.eps, given.beta3];
  });
}

/**
 * How `lars` steps.
 *
 * @example
 * optim.lars(new Parameter(1), { trust: 0.01, momentum: 0 }).lr; // 0.1
 */
export interface LarsOptions {
  /** Learning rate; 0.1 by default. */
  lr?: number;
  /** How long a step is in lengths of the parameter; 0.001 by default. */
  trust?: number;
  /** How much of the last velocity stays; 0.9 by default. */
  momentum?: number;
  /** Whether to look ahead along the velocity (Nesterov). */
  nesterov?: boolean;
  /** Pulls parameters towards 0: this times the parameter is added to its gradient. 0 by
   * default. */
  weightDecay?: number;
  /** Added to the length of the gradient; 0 by default. */
  eps?: number;
}

/**
 * Steps with momentum in proportion to the length of the parameter, for large batches (You et al.
 * 2017), as `optax.lars`. Throws `ValueError` when there are no parameters.
 *
 * @example
 * const weight = new Parameter([3, 4]);
 * optim.lars(weight, { lr: 1, trust: 0.1 }).step(tensor([0, 2]));
 * weight.add(0); // [3,3.5]
 */
export function lars(parameters: Parameters | Groups<LarsOptions>, options: LarsOptions = {}): Optimizer {
  noMore("lars", arguments, 2);
  return new Optimizer("lars", parameters, 15, options, (options: LarsOptions) => {
    const given = optionsOf("lars", options, { lr: 0.1, trust: 0.001, momentum: 0.9, nesterov: false, weightDecay: 0, eps: 0 });
    return [given.lr, given.weightDecay, given.nesterov, given.momentum, 0, given.eps, given.trust];
  });
}

/**
 * How `rprop` steps.
 *
 * @example
 * optim.rprop(new Parameter(1), { etas: [0.5, 1.1] }).lr; // 0.01
 */
export interface RpropOptions {
  /** The size of the first step; 0.01 by default. */
  lr?: number;
  /** What a step is multiplied by where the gradient changed its sign, and where it did not; [0.5,
   * 1.2] by default. */
  etas?: readonly [number, number];
  /** The smallest and the largest step; [1e-6, 50] by default. */
  stepSizes?: readonly [number, number];
}

/**
 * Steps along the sign that grow while it stays (Riedmiller & Braun 1993), as `torch.optim.Rprop`.
 * Throws `ValueError` when there are no parameters.
 *
 * @example
 * const weight = new Parameter([1, 2]);
 * optim.rprop(weight, { lr: 0.5 }).step(tensor([3, -4]));
 * weight.add(0); // [0.5,2.5]
 */
export function rprop(parameters: Parameters | Groups<RpropOptions>, options: RpropOptions = {}): Optimizer {
  noMore("rprop", arguments, 2);
  return new Optimizer("rprop", parameters, 17, options, (options: RpropOptions) => {
    const given = optionsOf("rprop", options, { lr: 0.01, etas: [0.5, 1.2] as readonly [number, number], stepSizes: [1e-6, 50] as readonly [number, number] });
    const [least, most] = pair("rprop", "stepSizes", given.stepSizes);
    return [given.lr, most, 0, ...pair("rprop", "etas", given.etas), least, 0];
  });
}

/**
 * How `signSgd` and `fromage` step.
 *
 * @example
 * const options: optim.RateOptions = { lr: 0.1 };
 */
export interface RateOptions {
  /** Learning rate; 0.01 by default. */
  lr?: number;
}

/**
 * Steps of one size along the sign of the gradient (Bernstein et al. 2018), as `optax.sign_sgd`.
 * Throws `ValueError` when there are no parameters.
 *
 * @example
 * const weight = new Parameter([1, 2]);
 * optim.signSgd(weight, { lr: 0.5 }).step(tensor([3, -4]));
 * weight.add(0); // [0.5,2.5]
 */
export function signSgd(parameters: Parameters | Groups<RateOptions>, options: RateOptions = {}): Optimizer {
  noMore("signSgd", arguments, 2);
  return new Optimizer("signSgd", parameters, 18, options, (options: RateOptions) => [optionsOf("signSgd", options, { lr: 0.01 }).lr, 0, 0, 0, 0, 0, 0]);
}

/**
 * Steps in proportion to the length of the parameter, which does not grow by them (Bernstein et al.
 * 2020), as `optax.fromage`. Throws `ValueError` when there are no parameters.
 *
 * @example
 * const weight = new Parameter([3, 4]);
 * optim.fromage(weight, { lr: 0.75 }).step(tensor([0, 2]));
 * weight.add(0); // [2.4,0.2]
 */
export function fromage(parameters: Parameters | Groups<RateOptions>, options: RateOptions = {}): Optimizer {
  noMore("fromage", arguments, 2);
  return new Optimizer("fromage", parameters, 19, options, (options: RateOptions) => [optionsOf("fromage", options, { lr: 0.01 }).lr, 0, 0, 0, 0, 0, 0]);
}

/**
 * How `optimisticGradientDescent` steps.
 *
 * @example
 * optim.optimisticGradientDescent(new Parameter(1), { beta: 0.5 }).lr; // 0.01
 */
export interface OptimisticOptions {
  /** Learning rate; 0.01 by default. */
  lr?: number;
  /** What the gradient counts; 1 by default. */
  alpha?: number;
  /** What its change since the last step counts; 1 by default. */
  beta?: number;
}

/**
 * The gradient, and how it changed, for games of two sides (Daskalakis et al. 2018), as
 * `optax.optimistic_gradient_descent`. Throws `ValueError` when there are no parameters.
 *
 * @example
 * const weight = new Parameter([1, 2]);
 * optim.optimisticGradientDescent(weight, { lr: 0.5 }).step(tensor([1, -1]));
 * weight.add(0); // [0.5,2.5]
 */
export function optimisticGradientDescent(parameters: Parameters | Groups<OptimisticOptions>, options: OptimisticOptions = {}): Optimizer {
  noMore("optimisticGradientDescent", arguments, 2);
  return new Optimizer("optimisticGradientDescent", parameters, 21, options, (options: OptimisticOptions) => {
    const given = optionsOf("optimisticGradientDescent", options, { lr: 0.01, alpha: 1, beta: 1 });
    return [given.lr, 0, 0, given.alpha, given.beta, 0, 0];
  });
}
