// Draws from distributions, permutations and samples.
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/random.rs`: change that.

import type { Shape } from "../../core/check/check.js";
import type { Operand } from "../../core/tensor/tensor.js";
import type { Draw } from "../signatures.js";
import * as kind from "../kinds.js";
import { drawn } from "../operation.js";

/**
 * The standard Gumbel distribution: −log(−log u).
 *
 * Gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.gumbel(random.key(0), [2, 3]).shape; // [2,3]
 */
export const gumbel: Draw<[shape: Shape]> = drawn("random.gumbel", kind.extents);

/**
 * The standard exponential distribution: −log(1 − u).
 *
 * Gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.exponential(random.key(0), [2, 3]).shape; // [2,3]
 */
export const exponential: Draw<[shape: Shape]> = drawn("random.exponential", kind.extents);

/**
 * The standard Laplace distribution.
 *
 * Gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.laplace(random.key(0), [2, 3]).shape; // [2,3]
 */
export const laplace: Draw<[shape: Shape]> = drawn("random.laplace", kind.extents);

/**
 * The standard logistic distribution: log(u/(1 − u)).
 *
 * Gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.logistic(random.key(0), [2, 3]).shape; // [2,3]
 */
export const logistic: Draw<[shape: Shape]> = drawn("random.logistic", kind.extents);

/**
 * The standard Cauchy distribution.
 *
 * Gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.cauchy(random.key(0), [2, 3]).shape; // [2,3]
 */
export const cauchy: Draw<[shape: Shape]> = drawn("random.cauchy", kind.extents);

/**
 * The Maxwell distribution: lengths of vectors of three standard normals.
 *
 * Gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.maxwell(random.key(0), [2, 3]).shape; // [2,3]
 */
export const maxwell: Draw<[shape: Shape]> = drawn("random.maxwell", kind.extents);

/**
 * −1 or 1.
 *
 * Gives i32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.rademacher(random.key(0), [9]).abs().all(); // true
 */
export const rademacher: Draw<[shape: Shape]> = drawn("random.rademacher", kind.extents);

/**
 * The normal distribution truncated to the numbers between two bounds.
 *
 * Gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.truncatedNormal(random.key(0), -2, 2, [100]).abs().less(2).all(); // true
 */
export const truncatedNormal: Draw<[lower: number, upper: number, shape: Shape]> = drawn("random.truncatedNormal", kind.number("the lower"), kind.number("the upper"), kind.extents);

/**
 * The categorical distribution: positions along an axis, with probabilities in proportion to
 * eˣ of the logits there. The shape ends with that of the logits without the axis, which it is
 * by default. Those drawn for the same logits are of different positions if `distinct`:
 * without replacement. Throws `ShapeError` where the shape does not fit.
 *
 * Takes any dtype; gives i32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.categorical(random.key(0), [-Infinity, 0, -Infinity]); // 1
 * random.categorical(random.key(0), [0, 0], -1, [5]).shape; // [5]
 * random.categorical(random.key(0), [0, 0, 0], -1, [3], true).sort(); // [0,1,2]
 */
export const categorical: Draw<[logits: Operand, axis?: number, shape?: Shape, distinct?: boolean]> = drawn("random.categorical", kind.tensor, kind.or(kind.axis, -1), kind.outer, kind.or(kind.flag("the distinct"), false));

/**
 * The geometric distribution: how many tries it takes until one succeeds, each with
 * probability `p`. Parameters broadcast to the shape, or with each other by default.
 *
 * Takes any dtype; gives i32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.geometric(random.key(0), 0.5, [100]).shape; // [100]
 */
export const geometric: Draw<[p: Operand, shape?: Shape]> = drawn("random.geometric", kind.operand, kind.outer);

/**
 * The Pareto distribution, of numbers above 1. Parameters broadcast to the shape, or with each
 * other by default.
 *
 * Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.pareto(random.key(0), 3, [100]).shape; // [100]
 */
export const pareto: Draw<[b: Operand, shape?: Shape]> = drawn("random.pareto", kind.operand, kind.outer);

/**
 * The Rayleigh distribution: lengths of vectors of two normals of a scale. Parameters
 * broadcast to the shape, or with each other by default.
 *
 * Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.rayleigh(random.key(0), 2, [100]).shape; // [100]
 */
export const rayleigh: Draw<[scale: Operand, shape?: Shape]> = drawn("random.rayleigh", kind.operand, kind.outer);

/**
 * The log-normal distribution, whose logarithm is normal with a standard deviation. Parameters
 * broadcast to the shape, or with each other by default.
 *
 * Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.lognormal(random.key(0), 0.5, [100]).shape; // [100]
 */
export const lognormal: Draw<[sigma: Operand, shape?: Shape]> = drawn("random.lognormal", kind.operand, kind.outer);

/**
 * The Weibull distribution. Parameters broadcast to the shape, or with each other by default.
 *
 * Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.weibull(random.key(0), 1, 2, [100]).shape; // [100]
 */
export const weibull: Draw<[scale: Operand, concentration: Operand, shape?: Shape]> = drawn("random.weibull", kind.operand, kind.operand, kind.outer);

/**
 * The triangular distribution from a left end over a mode to a right end. Parameters broadcast
 * to the shape, or with each other by default.
 *
 * Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.triangular(random.key(0), 0, 1, 3, [100]).shape; // [100]
 */
export const triangular: Draw<[left: Operand, mode: Operand, right: Operand, shape?: Shape]> = drawn("random.triangular", kind.operand, kind.operand, kind.operand, kind.outer);

/**
 * The gamma distribution of a shape parameter and scale 1. Another stream than JAX's.
 * Parameters broadcast to the shape, or with each other by default.
 *
 * Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.gamma(random.key(0), 2.5, [100]).shape; // [100]
 */
export const gamma: Draw<[a: Operand, shape?: Shape]> = drawn("random.gamma", kind.operand, kind.outer);

/**
 * The beta distribution on [0, 1]. Another stream than JAX's. Parameters broadcast to the
 * shape, or with each other by default.
 *
 * Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.beta(random.key(0), 2, 3, [100]).shape; // [100]
 */
export const beta: Draw<[a: Operand, b: Operand, shape?: Shape]> = drawn("random.beta", kind.operand, kind.operand, kind.outer);

/**
 * The chi-squared distribution: a sum of squares of `df` normals. Another stream than JAX's.
 * Parameters broadcast to the shape, or with each other by default.
 *
 * Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.chisquare(random.key(0), 4, [100]).shape; // [100]
 */
export const chisquare: Draw<[df: Operand, shape?: Shape]> = drawn("random.chisquare", kind.operand, kind.outer);

/**
 * Student's t distribution with `df` degrees of freedom. Another stream than JAX's. Parameters
 * broadcast to the shape, or with each other by default.
 *
 * Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.t(random.key(0), 5, [100]).shape; // [100]
 */
export const t: Draw<[df: Operand, shape?: Shape]> = drawn("random.t", kind.operand, kind.outer);

/**
 * The binomial distribution: how many of `n` tries succeed with probability `p`, as f32; NaN
 * where `p` is not a probability. Of counts up to 10⁵; another stream than JAX's. Parameters
 * broadcast to the shape, or with each other by default.
 *
 * Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.binomial(random.key(0), 10, 0.5, [100]).lessEqual(10).all(); // true
 */
export const binomial: Draw<[n: Operand, p: Operand, shape?: Shape]> = drawn("random.binomial", kind.operand, kind.operand, kind.outer);

/**
 * The multinomial distribution: how many of `n` tries end in each of several ways, of
 * probabilities along the last axis that add up to 1, as f32. The shape is what comes before
 * them. Another stream than JAX's.
 *
 * Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.multinomial(random.key(0), 10, [0.2, 0.3, 0.5]).sum(); // 10
 */
export const multinomial: Draw<[n: Operand, p: Operand, shape?: Shape]> = drawn("random.multinomial", kind.tensor, kind.tensor, kind.outer);

/**
 * The F distribution: the quotient of two means of squares, of `above` and of `below` normals.
 * Another stream than JAX's. Parameters broadcast to the shape, or with each other by default.
 *
 * Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.f(random.key(0), 5, 8, [100]).shape; // [100]
 */
export const f: Draw<[above: Operand, below: Operand, shape?: Shape]> = drawn("random.f", kind.operand, kind.operand, kind.outer);

/**
 * The generalized normal distribution, whose density falls as e to the power of −|x|ᵖ. Another
 * stream than JAX's. Parameters broadcast to the shape, or with each other by default.
 *
 * Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.generalizedNormal(random.key(0), 4, [100]).shape; // [100]
 */
export const generalizedNormal: Draw<[p: Operand, shape?: Shape]> = drawn("random.generalizedNormal", kind.operand, kind.outer);

/**
 * Logarithms of numbers of the gamma distribution, of which a small parameter makes numbers
 * too small for an f32. Another stream than JAX's. Parameters broadcast to the shape, or with
 * each other by default.
 *
 * Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.loggamma(random.key(0), 0.01, [100]).isfinite().all(); // true
 */
export const loggamma: Draw<[a: Operand, shape?: Shape]> = drawn("random.loggamma", kind.operand, kind.outer);

/**
 * The Wald or inverse Gaussian distribution, of a mean and the scale 1. Parameters
 * broadcast to the shape, or with each other by default.
 *
 * Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.wald(random.key(0), 2, [100]).greater(0).all(); // true
 */
export const wald: Draw<[mean: Operand, shape?: Shape]> = drawn("random.wald", kind.operand, kind.outer);

/**
 * The Dirichlet distribution: shares along the last axis that add up to 1, with parameters
 * along it; the shape is what comes before. Another stream than JAX's.
 *
 * Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.dirichlet(random.key(0), [1, 2, 3], [5]).shape; // [5,3]
 */
export const dirichlet: Draw<[alpha: Operand, shape?: Shape]> = drawn("random.dirichlet", kind.tensor, kind.outer);

/**
 * The multivariate normal distribution: vectors with a mean and a covariance; the shape is
 * what comes before them.
 *
 * Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.multivariateNormal(random.key(0), [0, 1], [[2, 1], [1, 2]], [5]).shape; // [5,2]
 */
export const multivariateNormal: Draw<[mean: Operand, covariance: Operand, shape?: Shape]> = drawn("random.multivariateNormal", kind.tensor, kind.tensor, kind.outer);

/**
 * Points in the ball of radius 1 in `dimension` dimensions, uniformly; the shape is what comes
 * before them.
 *
 * Gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * linalg.vectorNorm(random.ball(random.key(0), 3, [50]), 2, -1).less(1).all(); // true
 */
export const ball: Draw<[dimension: number, shape?: Shape]> = drawn("random.ball", kind.count("the dimension"), kind.outer);

/**
 * Orthogonal matrices with `rows` rows, uniformly (by the Haar measure); the shape is what
 * comes before them.
 *
 * Gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.orthogonal(random.key(0), 3, [2]).shape; // [2,3,3]
 */
export const orthogonal: Draw<[rows: number, shape?: Shape]> = drawn("random.orthogonal", kind.count("the rows"), kind.outer);

/**
 * The Poisson distribution: counts of events that happen `rate` times on average. Of rates up
 * to 10⁵; the numbers are not JAX's. Of the shape of the rates, or of a shape to which they
 * broadcast.
 *
 * Counts of up to 10 on average are those of arrivals; others are drawn by W. Hörmann's
 * transformed rejection (Insurance: Mathematics and Economics 12, 1993).
 *
 * Takes any dtype; gives i32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.poisson(random.key(0), [1, 50]).shape; // [2]
 */
export const poisson: Draw<[rate: Operand, shape?: Shape]> = drawn("random.poisson", kind.tensor, kind.outer);

/**
 * The double-sided Maxwell distribution: Maxwell numbers on both sides of `loc`, `scale` times
 * as far.
 *
 * Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.doubleSidedMaxwell(random.key(0), 0, 1, [3]).shape; // [3]
 */
export const doubleSidedMaxwell: Draw<[loc?: Operand, scale?: Operand, shape?: Shape]> = drawn("random.doubleSidedMaxwell", kind.or(kind.operand, 0), kind.or(kind.operand, 1), kind.outer);
