// Special functions.
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/special.rs`: change that.

import type { Operand, Tensor } from "../../core/tensor/tensor.js";
import type { Binary, Unary } from "../signatures.js";
import * as kind from "../kinds.js";
import { operation, several } from "../operation.js";

/**
 * log |Γ(x)|, within 1e-6 of max(1, |log Γ|); ∞ at 0 and the negative whole numbers.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.gammaln([1, 5, 0.5]); // [0,3.1781,0.57236]
 */
export const gammaln: Unary = operation("special.gammaln", kind.tensor);

/**
 * Γ(x), within 4e-6 of itself; NaN at the negative whole numbers.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.gamma([1, 5, 0.5]); // [1,24,1.7725]
 */
export const gamma: Unary = operation("special.gamma", kind.tensor);

/**
 * The sign of Γ(x): 1 or −1.
 *
 * Takes any dtype; gives f32. No gradient flows through it; `vmap` batches it.
 *
 * @example
 * special.gammasgn([1, -0.5, -1.5]); // [1,-1,1]
 */
export const gammasgn: Unary = operation("special.gammasgn", kind.tensor);

/**
 * ψ(x), the derivative of log Γ, within 1e-6 of max(1, |ψ|) for x above 0; NaN at the negative
 * whole numbers.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.digamma([1, 2]); // [-0.57722,0.42278]
 */
export const digamma: Unary = operation("special.digamma", kind.tensor);

/**
 * The derivative of order `order` of ψ, within 4e-6 of itself. Of orders above 1 only above 0,
 * else NaN; ∞ at poles there.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.polygamma(1, 1); // 1.6449
 */
export const polygamma: (order: number, x: Operand) => Tensor = operation("special.polygamma", kind.count("the order"), kind.tensor);

/**
 * Hurwitz' zeta function, the sum of (q + k)⁻ˢ over k from 0; with q = 1 that of Riemann. NaN
 * for s below 1 and for negative q, but ∞ where q is whole. Within 4e-6 of itself.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.zeta([2, 4]); // [1.6449,1.0823]
 */
export const zeta: (s: Operand, q?: Operand) => Tensor = operation("special.zeta", kind.operand, kind.or(kind.operand, 1));

/**
 * log |B(a, b)|, B the beta function, within 2e-6 of max(1, |log B|) for positive a and b.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.betaln(2, 3); // -2.4849
 */
export const betaln: Binary = operation("special.betaln", kind.operand, kind.operand);

/**
 * The beta function, Γ(a)·Γ(b)/Γ(a + b); infinite where it has a pole.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.beta(2, [3, 1]); // [0.083333,0.5]
 */
export const beta: Binary = operation("special.beta", kind.operand, kind.operand);

/**
 * log of the gamma function of matrices of `dimension` rows.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.multigammaln(3, 1); // 0.69315
 */
export const multigammaln: (a: Operand, dimension: number) => Tensor = operation("special.multigammaln", kind.tensor, kind.count("the dimension"));

/**
 * P(a, x), the regularised lower incomplete gamma function, within 2e-6 of 1: the share of a
 * gamma distribution below x. NaN for a ≤ 0 or x < 0.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.gammainc(1, [0, 1]); // [0,0.63212]
 */
export const gammainc: (a: Operand, x: Operand) => Tensor = operation("special.gammainc", kind.operand, kind.operand);

/**
 * Q(a, x) = 1 − P(a, x), the regularised upper incomplete gamma function; where it is small
 * its digits are its own.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.gammaincc(1, [0, 1]); // [1,0.36788]
 */
export const gammaincc: (a: Operand, x: Operand) => Tensor = operation("special.gammaincc", kind.operand, kind.operand);

/**
 * The regularised incomplete beta function, for a and b up to 1000 within 4e-6 of 1: the share
 * of a beta distribution below x. NaN outside 0 to 1.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.betainc(2, 3, [0, 0.5, 1]); // [0,0.6875,1]
 */
export const betainc: (a: Operand, b: Operand, x: Operand) => Tensor = operation("special.betainc", kind.operand, kind.operand, kind.operand);

/**
 * 1 − erf(x), within 1e-6 of itself.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.erfc([0, 1, 5]); // [1,0.1573,1.5375e-12]
 */
export const erfc: Unary = operation("special.erfc", kind.tensor);

/**
 * eˣ²·erfc(x), within 1e-6 of itself for x above 0.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.erfcx([0, 100]); // [1,0.0056416]
 */
export const erfcx: Unary = operation("special.erfcx", kind.tensor);

/**
 * The share of a standard normal distribution that lies below x, within 2e-6 of itself.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.ndtr([0, 1, -10]); // [0.5,0.84134,7.6199e-24]
 */
export const ndtr: Unary = operation("special.ndtr", kind.tensor);

/**
 * The logarithm of `special.ndtr`, of any x.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.logNdtr([0, -100]); // [-0.69315,-5005.5]
 */
export const logNdtr: Unary = operation("special.logNdtr", kind.tensor);

/**
 * The inverse of `special.ndtr`: the value below which a share p lies. NaN outside 0 to 1.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.ndtri([0.5, 0.975]).round(); // [0,2]
 */
export const ndtri: (p: Operand) => Tensor = operation("special.ndtri", kind.tensor);

/**
 * I₀(x), the modified Bessel function of order 0, within 2e-6 of itself.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.i0([0, 1]); // [1,1.2661]
 */
export const i0: Unary = operation("special.i0", kind.tensor);

/**
 * I₀(x) divided by e to the power |x|, within 1e-6 of itself.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.i0e([0, 1]); // [1,0.46576]
 */
export const i0e: Unary = operation("special.i0e", kind.tensor);

/**
 * I₁(x), the modified Bessel function of order 1, within 2e-6 of itself.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.i1([0, 1]); // [0,0.56516]
 */
export const i1: Unary = operation("special.i1", kind.tensor);

/**
 * I₁(x) divided by e to the power |x|, within 1e-6 of itself.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.i1e([0, 1]); // [0,0.20791]
 */
export const i1e: Unary = operation("special.i1e", kind.tensor);

/**
 * E₁(x), the integral of e⁻ᵗ/t from x to ∞, within 1e-6 of max(1, E₁); NaN below 0.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.exp1([1, 2]); // [0.21938,0.048901]
 */
export const exp1: Unary = operation("special.exp1", kind.tensor);

/**
 * Ei(x), the integral of eᵗ/t from −∞ to x, within 2e-6 of max(1, |Ei|).
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.expi([1, -1]); // [1.8951,-0.21938]
 */
export const expi: Unary = operation("special.expi", kind.tensor);

/**
 * x·log y, 0 where x is 0.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.xlogy([0, 2], [0, 1]); // [0,0]
 */
export const xlogy: (x: Operand, y: Operand) => Tensor = operation("special.xlogy", kind.operand, kind.operand);

/**
 * x·log(1 + y), 0 where x is 0.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.xlog1py([0, 1], [-1, 0]); // [0,0]
 */
export const xlog1py: (x: Operand, y: Operand) => Tensor = operation("special.xlog1py", kind.operand, kind.operand);

/**
 * −x·log x, a share of an entropy: 0 at 0, −∞ below.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.entr([0, 0.5, 1]); // [0,0.34657,0]
 */
export const entr: Unary = operation("special.entr", kind.tensor);

/**
 * x·log(x/y): 0 where x is 0, ∞ where only y is or either is negative.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.relEntr([0, 1], [1, 0.5]); // [0,0.69315]
 */
export const relEntr: (x: Operand, y: Operand) => Tensor = operation("special.relEntr", kind.operand, kind.operand);

/**
 * x·log(x/y) − x + y, each share of how far one distribution is from another.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.klDiv([0, 1], [1, 1]); // [1,0]
 */
export const klDiv: (x: Operand, y: Operand) => Tensor = operation("special.klDiv", kind.operand, kind.operand);

/**
 * log(p/(1 − p)), the inverse of `sigmoid`; ±∞ at 1 and 0, NaN beyond.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.logit([0.5, 1]); // [0,Infinity]
 */
export const logit: (p: Operand) => Tensor = operation("special.logit", kind.tensor);

/**
 * J₀(x), the Bessel function of the first kind, within 1e-6.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.j0([0, 1]); // [1,0.7652]
 */
export const j0: Unary = operation("special.j0", kind.tensor);

/**
 * J₁(x), within 1e-6.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.j1([0, 1]); // [0,0.44005]
 */
export const j1: Unary = operation("special.j1", kind.tensor);

/**
 * The Bessel functions of the first kind, J₀(x) to that of `order`, along a new first axis;
 * within 1e-6, and within 1e-5 of themselves where x is below the order. Throws `ValueError`
 * for orders above 100.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.besselJn([0, 1], 2); // [[1,0.7652],[0,0.44005],[0,0.1149]]
 */
export const besselJn: (x: Operand, order: number) => Tensor = operation("special.besselJn", kind.tensor, kind.count("the order"));

/**
 * Eₙ(x), the integral of e⁻ˣᵗ/tⁿ over t above 1, within 4e-6 of itself; NaN below 0.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.expn(2, [0, 1]); // [1,0.1485]
 */
export const expn: (order: number, x: Operand) => Tensor = operation("special.expn", kind.count("the order"), kind.tensor);

/**
 * The integral of log t/(1 − t) from 1 to x, within 2e-6 of itself: the dilogarithm of 1 − x.
 * NaN below 0.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.spence([0, 1, 2]); // [1.6449,0,-0.82247]
 */
export const spence: Unary = operation("special.spence", kind.tensor);

/**
 * n!, which is Γ(n + 1), within 6e-6 of itself; 0 below 0.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.factorial([0, 4, 5]); // [1,24,120]
 */
export const factorial: (n: Operand) => Tensor = operation("special.factorial", kind.tensor);

/**
 * Γ(x + n)/Γ(x), for whole n the product of n numbers from x on: within 4e-6 of itself times
 * what its logarithm exceeds 1. NaN unless x and x + n are above 0.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.poch(3, [0, 1, 2]); // [1,3,12]
 */
export const poch: (x: Operand, n: Operand) => Tensor = operation("special.poch", kind.operand, kind.operand);

/**
 * How many choices there are of k things of n: within 4e-6 of itself times what its logarithm
 * exceeds 1. 0 where k is below 0 or above n.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.comb(5, [0, 2, 6]); // [1,10,0]
 */
export const comb: (n: Operand, k: Operand) => Tensor = operation("special.comb", kind.operand, kind.operand);

/**
 * The function of Box and Cox: (xᵖ − 1)/p, which for p = 0 is log x. NaN below 0.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.boxcox([1, 2], 2); // [0,1.5]
 */
export const boxcox: (x: Operand, power: Operand) => Tensor = operation("special.boxcox", kind.operand, kind.operand);

/**
 * `special.boxcox` of 1 + x, without cancellation.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * special.boxcox1p([0, 1], 2); // [0,1.5]
 */
export const boxcox1p: (x: Operand, power: Operand) => Tensor = operation("special.boxcox1p", kind.operand, kind.operand);

/**
 * Si(x), the integral of sin(t)/t from 0, and Ci(|x|), that of cos(t)/t from ∞: within 2e-6 of
 * max(1, |Ci|).
 *
 * Takes any dtype; gives si f32, ci f32. Differentiable; `vmap` batches it.
 *
 * @example
 * const [si, ci] = special.sici([1, 2]);
 * si; // [0.94608,1.6054]
 * ci; // [0.3374,0.42298]
 */
export const sici: (x: Operand) => [si: Tensor, ci: Tensor] = several("special.sici", "si, ci", kind.tensor);

/**
 * Fresnel's integrals S(x) and C(x), of sin(πt²/2) and cos(πt²/2) from 0, within 1e-6.
 *
 * Takes any dtype; gives s f32, c f32. Differentiable; `vmap` batches it.
 *
 * @example
 * const [s, c] = special.fresnel([0, 1]);
 * s; // [0,0.43826]
 * c; // [0,0.77989]
 */
export const fresnel: (x: Operand) => [s: Tensor, c: Tensor] = several("special.fresnel", "s, c", kind.tensor);
