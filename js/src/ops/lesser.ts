// Which activations and losses do few networks use?
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/lesser.rs`: change that.

import type { Operand, Tensor } from "../core/tensor.js";
import type { Unary } from "./forms.js";
import * as kind from "./kinds.js";
import { operation } from "./operation.js";

/**
 * x above 0, alpha · (e^(x/alpha) − 1) below.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * celu([-1, 2]); // [-0.63212,2]
 */
export const celu: (x: Operand, alpha?: number) => Tensor = operation("celu", kind.tensor, kind.or(kind.number("the alpha"), 1));

/**
 * x / (1 + |x|).
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * softSign([-1, 3]); // [-0.5,0.75]
 */
export const softSign: Unary = operation("softSign", kind.tensor);

/**
 * (x + √(x² + b))/2.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * squareplus([0, 1]); // [1,1.618]
 */
export const squareplus: (x: Operand, b?: number) => Tensor = operation("squareplus", kind.tensor, kind.or(kind.number("the b"), 4));

/**
 * The first half of an axis times the sigmoid of the second. Throws `ShapeError` where it has no halves.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * glu([2, 0]); // [1]
 */
export const glu: (x: Operand, axis?: number) => Tensor = operation("glu", kind.tensor, kind.or(kind.axis, -1));

/**
 * The mean of a loss that is (x − target)²/2 where that is nearer than `delta`, and grows like delta · |x − target| beyond. A 0-d f32.
 *
 * Takes any dtype; gives f32 even of f16. Differentiable; `vmap` batches it.
 *
 * @example
 * huberLoss([0, 3], [0.5, 0]); // 1.3125
 */
export const huberLoss: (x: Operand, target: Operand, delta?: number) => Tensor = operation("huberLoss", kind.tensor, kind.operand, kind.or(kind.number("the delta"), 1));
