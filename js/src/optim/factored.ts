// Optimizers with factored state, less than a number for each element of a parameter: Adafactor and
// SM3. Names and steps are optax's.

import { finiteOf, noMore, optionsOf } from "../core/check/check.js";
import { ValueError } from "../core/errors.js";
import type { Groups } from "./groups.js";
import { Optimizer, type Parameters } from "./optimizer.js";

/**
 * How `adafactor` steps.
 *
 * @example
 * const options: optim.AdafactorOptions = { lr: 0.01, minDimSizeToFactor: 32, momentum: 0.9 };
 * optim.adafactor(new Parameter(1), options).lr; // 0.01
 */
export interface AdafactorOptions {
  /** Learning rate; 0.001 by default. */
  lr?: number;
  /** Where the two largest extents of a parameter are at least this, its second moment is kept as
   * means over either; 128 by default. */
  minDimSizeToFactor?: number;
  /** Step t keeps 1 − t to the power of −`decayRate` of the second moment; 0.8 by default. */
  decayRate?: number;
  /** Whether steps are in proportion to the parameter's root mean square; true by default. */
  multiplyByParameterScale?: boolean;
  /** The largest root mean square of a step before it is scaled; 1 by default. */
  clippingThreshold?: number;
  /** How much of the last step stays; by default none is kept. */
  momentum?: number | null;
  /** Pulls parameters towards 0: this times the parameter is taken from it, whatever the learning
   * rate. 0 by default. */
  weightDecay?: number;
  /** Added to squares of gradients; 1e-30 by default. */
  eps?: number;
}

/**
 * Adam's second moment in a row and a column for each matrix, which takes little memory, and steps
 * in proportion to the parameter (Shazeer & Stern 2018), as `optax.adafactor`. Throws `ValueError`
 * when there are no parameters.
 *
 * @example
 * const weight = new Parameter([3, 4]);
 * optim.adafactor(weight, { lr: 0.1, multiplyByParameterScale: false }).step(tensor([2, -1]));
 * weight.add(0); // [2.9,4.1]
 */
export function adafactor(parameters: Parameters | Groups<AdafactorOptions>, options: AdafactorOptions = {}): Optimizer {
  const op = "adafactor";
  noMore(op, arguments, 2);
  return new Optimizer(op, parameters, 100, options, (options: AdafactorOptions) => {
    const given = optionsOf<Required<AdafactorOptions>>(op, options, {
      lr: 0.001,
      minDimSizeToFactor: 128,
      decayRate: 0.8,
      multiplyByParameterScale: true,
      clippingThreshold: 1,
      momentum: null,
      weightDecay: 0,
      eps: 1e-30,
    });
    const { lr, weightDecay, multiplyByParameterScale, eps, decayRate, clippingThreshold, minDimSizeToFactor } = given;
    // A number below 0 would stand for none.
    const momentum = given.momentum === null ? -1 : finiteOf(op, "momentum", given.momentum);
    if (given.momentum !== null && momentum < 0) throw new ValueError(op, `momentum must be 0 or more, got ${momentum}`);
    return [lr, weightDecay, multiplyByParameterScale, momentum, eps, decayRate, clippingThreshold, minDimSizeToFactor];
  });
}

/**
 * How `sm3` steps.
 *
 * @example
 * optim.sm3(new Parameter(1), { momentum: 0.5 }).lr; // 0.01
 */
export interface Sm3Options {
  /** Learning rate; 0.01 by default. */
  lr?: number;
  /** How much of the last step stays; 0.9 by default. */
  momentum?: number;
}

/**
 * Adagrad that keeps a vector for each axis of a parameter, the largest along the others (Anil et
 * al. 2019), as `optax.sm3`. Throws `ValueError` when there are no parameters.
 *
 * @example
 * const weight = new Parameter([3, 4]);
 * optim.sm3(weight, { lr: 0.5, momentum: 0 }).step(tensor([2, -1]));
 * weight.add(0); // [2.5,4.5]
 */
export function sm3(parameters: Parameters | Groups<Sm3Options>, options: Sm3Options = {}): Optimizer {
  noMore("sm3", arguments, 2);
  return new Optimizer("sm3", parameters, 101, options, (options: Sm3Options) => {
    const given = optionsOf("sm3", options, { lr: 0.01, momentum: 0.9 });
    return [given.lr, 0, 0, given.momentum];
  });
}
