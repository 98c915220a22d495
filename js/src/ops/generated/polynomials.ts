// Polynomials as vectors of coefficients, that of the highest power first; a number is a constant.
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/polynomials.rs`: change that.

import type { Operand, Tensor } from "../../core/tensor/tensor.js";
import type { Binary } from "../signatures.js";
import * as kind from "../kinds.js";
import { operation, several } from "../operation.js";

/**
 * A polynomial at each x, by its coefficients, that of the highest power first.
 *
 * Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * polyval([1, 0, -2], [0, 3]); // [-2,7]
 */
export const polyval: (coefficients: Operand, x: Operand) => Tensor = operation("polyval", kind.tensor, kind.operand);

/**
 * The sum of two polynomials.
 *
 * Takes any dtype; gives the promoted dtype, i32 of bools. Differentiable; `vmap` batches it.
 *
 * @example
 * polyadd([1, 2], [3, 4, 5]); // [3,5,7]
 */
export const polyadd: Binary = operation("polyadd", kind.tensor, kind.tensor);

/**
 * The difference of two polynomials.
 *
 * Takes any dtype; gives the promoted dtype, i32 of bools. Differentiable; `vmap` batches it.
 *
 * @example
 * polysub([1, 2], [3, 4, 5]); // [-3,-3,-3]
 */
export const polysub: Binary = operation("polysub", kind.tensor, kind.tensor);

/**
 * The product of two polynomials.
 *
 * Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * polymul([1, 2], [1, 3]); // [1,5,6]
 */
export const polymul: Binary = operation("polymul", kind.tensor, kind.tensor);

/**
 * The quotient and the remainder of two polynomials; the remainder has one coefficient less
 * than the divisor (at least one). Throws `ShapeError` for an empty divisor.
 *
 * Takes any dtype; gives quotient f32 even of f16, rest f32 even of f16. Differentiable; `vmap` batches it.
 *
 * @example
 * const [quotient, rest] = polydiv([1, 5, 7], [1, 2]);
 * quotient; // [1,3]
 * rest; // [1]
 */
export const polydiv: (a: Operand, b: Operand) => [quotient: Tensor, rest: Tensor] = several("polydiv", "quotient, rest", kind.tensor, kind.tensor);

/**
 * The derivative of a polynomial, of order `times`.
 *
 * Takes any dtype; gives the dtype of x, i32 of bool. Differentiable; `vmap` batches it.
 *
 * @example
 * polyder([1, 2, 3]); // [2,2]
 */
export const polyder: (p: Operand, times?: number) => Tensor = operation("polyder", kind.tensor, kind.or(kind.count("the times"), 1));

/**
 * The integral of a polynomial, `times` over, with 0 (or `constant`) at 0.
 *
 * Takes any dtype; gives f32 even of f16. Differentiable; `vmap` batches it.
 *
 * @example
 * polyint([2, 2]); // [1,2,0]
 */
export const polyint: (p: Operand, times?: number, constant?: Operand) => Tensor = operation("polyint", kind.tensor, kind.or(kind.count("the times"), 1), kind.or(kind.operand, 0));

/**
 * The polynomial of a degree that lies nearest to points, in the sense of least squares, each
 * weighted or not. In f32: of high degrees, or far from 0, digits are lost.
 *
 * Takes any dtype; gives f32 even of f16. Differentiable; `vmap` batches it.
 *
 * @example
 * polyfit([0, 1, 2], [1, 3, 5], 1).round(); // [2,1]
 */
export const polyfit: (x: Operand, y: Operand, degree: number, weights?: Operand | null) => Tensor = operation("polyfit", kind.tensor, kind.tensor, kind.count("the degree"), kind.maybe);

/**
 * The polynomial with the given roots. With none it is [1], a vector as always, where NumPy
 * gives a number.
 *
 * Takes any dtype; gives f32 even of f16. Differentiable; `vmap` batches it.
 *
 * @example
 * poly([1, 2]); // [1,-3,2]
 */
export const poly: (roots: Operand) => Tensor = operation("poly", kind.tensor);
