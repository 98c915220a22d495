//! Draws from other distributions, each a formula of uniforms or normals. Those that need one draw
//! for each value are JAX's, to rounding; where JAX draws until it accepts (gamma and what is made
//! of it), the distribution is the same and the numbers are not.

use super::{bernoulli, normal, split, uniform};
use crate::device::tensor::Tensor;
use crate::lazy::operand::Operand;
use crate::ops::term::Term;
use std::f64::consts::{PI, SQRT_2};
use weft_ir::op::{Binary, Compare, ReduceOp, Unary};
use weft_ir::{DType, Error, Result, Shape};

/// Tries of the rejection for gamma: each is accepted with a probability of more than 0.95
/// (Marsaglia and Tsang 2000), so that one in 10¹⁰ is not.
const TRIES: usize = 8;

/// Uniform numbers from `low` to below 1. A `low` above 0 keeps their logarithms finite.
fn units(key: &Tensor, shape: &[usize], low: f32) -> Term {
    Term(uniform(key, shape, f64::from(low), 1.0))
}

/// A parameter as f32, a number or a tensor.
fn parameter(name: &str, key: &Tensor, value: &Operand) -> Term {
    Term(value.to_tensor(name, key.device(), DType::F32))
}

/// Numbers of a standard distribution that has no parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standard {
    /// −log(−log u): the largest of many.
    Gumbel,
    /// −log(1 − u): the time until what happens once a second.
    Exponential,
    /// Two exponentials back to back.
    Laplace,
    /// log(u/(1 − u)).
    Logistic,
    /// tan(π(u − ½)).
    Cauchy,
    /// The length of three normals.
    Maxwell,
}

/// Numbers of a standard distribution.
pub fn standard(key: &Tensor, shape: &[usize], of: Standard) -> Result<Tensor> {
    let minus_log = |x: &Term| -&x.apply(Unary::Log);
    match of {
        Standard::Gumbel => minus_log(&minus_log(&units(key, shape, f32::MIN_POSITIVE))).0,
        Standard::Exponential => units(key, shape, 0.0).map(|u| u.neg()?.log1p()?.neg()).0,
        Standard::Laplace => {
            let u = Term(uniform(key, shape, f64::from(f32::EPSILON / 2.0) - 1.0, 1.0));
            (&u.apply(Unary::Sign) * &u.map(|u| u.abs()?.neg()?.log1p())).0
        }
        Standard::Logistic => {
            let u = units(key, shape, f32::EPSILON);
            (&u / &(&u.number(1.0) - &u)).apply(Unary::Log).0
        }
        Standard::Cauchy => (&(&units(key, shape, f32::EPSILON) - 0.5) * PI).map(|x| x.tan()).0,
        Standard::Maxwell => {
            let three = [shape, &[3]].concat();
            Term(normal(key, &three, 0.0, 1.0)).map(|x| x.square()).sum(-1).apply(Unary::Sqrt).0
        }
    }
}

/// −1 or 1, as i32.
pub fn rademacher(key: &Tensor, shape: &[usize]) -> Result<Tensor> {
    let heads = Term(bernoulli(key, 0.5, shape)).cast(DType::I32);
    (&(&heads + &heads) - 1.0).0
}

/// Normal numbers between two bounds, as they come where others are dropped.
pub fn truncated_normal(key: &Tensor, lower: f64, upper: f64, shape: &[usize]) -> Result<Tensor> {
    let bound = |x: f64| Term(key.device().number(x / SQRT_2, DType::F32)).apply(Unary::Erf);
    let (low, high) = (bound(lower), bound(upper));
    let u = Term(uniform(key, shape, 0.0, 1.0));
    let x = &(&(&u * &(&high - &low)) + &low).apply(Unary::ErfInv) * SQRT_2;
    // Rounding must not reach the bounds.
    let (least, most) = ((lower as f32).next_up(), (upper as f32).next_down());
    x.map(|x| x.clip(Some(f64::from(least)), Some(f64::from(most)))).0
}

/// Positions along an axis, with probabilities in proportion to eˣ of the logits there, as i32.
/// `shape` is that of the result, of which the last axes are those of the logits without that axis;
/// by default it is just those. If `distinct`, those drawn for the same logits are of different
/// positions. Errors with `Shape` where the shape does not fit, and where there are fewer positions
/// than are drawn without replacement.
pub fn categorical(
    key: &Tensor,
    logits: &Tensor,
    axis: i64,
    shape: Option<&[usize]>,
    distinct: bool,
) -> Result<Tensor> {
    let name = "random.categorical";
    let axis = logits.shape().axis(name, axis)?;
    let batch = logits.shape().without(&[axis]);
    let shape = shape.unwrap_or(&batch);
    let Some(extra) = shape.len().checked_sub(batch.rank()).filter(|&extra| shape[extra..] == batch[..])
    else {
        let shape: Shape = shape.to_vec().into();
        return Err(Error::shape(
            name,
            format!("{shape} does not end with {batch}, the logits without axis {axis}"),
        ));
    };
    if distinct {
        let (drawn, there) = (shape[..extra].iter().product::<usize>(), logits.shape()[axis]);
        if drawn > there {
            return Err(Error::shape(name, format!("cannot draw {drawn} different elements of {there}")));
        }
        // Gumbel top-k, as in JAX.
        let noise = Term(standard(key, logits.shape(), Standard::Gumbel));
        let along = axis as i64;
        let order = (&noise + &Term::of(logits).cast(DType::F32)).map(|x| x.argsort(along, true));
        let first = order.between(along, 0, drawn).map(|x| x.move_axis(&[along], &[0]));
        return crate::lazy::build::reshape(name, first.get()?, &Shape::checked(name, shape)?);
    }
    let whole = [&shape[..extra], &logits.shape()[..]].concat();
    let noise = Term(standard(key, &whole, Standard::Gumbel));
    let sum = &noise + &Term::of(logits).cast(DType::F32);
    sum.reduce(ReduceOp::ArgMax, (extra + axis) as i64, false).0
}

/// A distribution of a family with parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// How many tries until one succeeds that does with a probability, as i32.
    Geometric,
    /// e^(E/b), E exponential.
    Pareto,
    /// The length of two normals, scaled.
    Rayleigh,
    /// e^(σ·N), N normal.
    Lognormal,
    /// Scale · E^(1/concentration), E exponential.
    Weibull,
    /// From a left end over a mode to a right end.
    Triangular,
    /// The sum of as many exponentials as its parameter, which need not be whole.
    Gamma,
    /// The share of one gamma in two.
    Beta,
    /// Twice a gamma of half the degrees of freedom.
    ChiSquare,
    /// A normal over the root of a mean of squares, by degrees of freedom.
    StudentT,
    /// Binomial: successes of a number of tries, each with a probability.
    Binomial,
    /// The quotient of two means of squares, by degrees of freedom.
    F,
    /// |x|ᵖ has a gamma distribution of shape 1/p; both signs are equally likely.
    GeneralizedNormal,
    /// The logarithm of a gamma, small ones too.
    LogGamma,
    /// When a walk of drift 1/mean comes to 1 first.
    Wald,
}

/// Numbers of a family, whose parameters broadcast to `shape`, or with each other where there is
/// none. Errors with `Shape` where they do not.
pub fn draw(key: &Tensor, of: Family, parameters: &[Operand], shape: Option<&[usize]>) -> Result<Tensor> {
    let name = "random.draw";
    let together =
        parameters.iter().try_fold(Shape::scalar(), |shape, x| Shape::broadcast(name, &shape, &x.shape()))?;
    let shape = shape.unwrap_or(&together);
    let given: Vec<Term> = parameters.iter().map(|value| parameter(name, key, value)).collect();
    let spread = |place: usize| given[place].map(|x| x.broadcast_to(shape));
    let unit = || units(key, shape, 0.0);
    let exponential = || Term(standard(key, shape, Standard::Exponential));
    let [first, second] = {
        let keys = Term(split(key, 2));
        [0, 1].map(|n| keys.between(0, n, n + 1).map(|key| key.squeeze(Some(&[0]))))
    };
    let part = |key: &Term, a: &Term| key.get().and_then(|key| gamma(key, a, shape));
    // A quotient of two gammas by their logarithms: both may underflow where it does not.
    let over = |a: &(Term, Term), b: &(Term, Term)| &(&a.0 / &b.0) * &(&a.1 - &b.1).apply(Unary::Exp);
    match of {
        Family::Geometric => {
            let tries = &unit().apply(Unary::Log) / &spread(0).map(|p| p.neg()?.log1p());
            (&tries.apply(Unary::Floor) + 1.0).cast(DType::I32).0
        }
        Family::Pareto => (&exponential() / &spread(0)).apply(Unary::Exp).0,
        Family::Rayleigh => (&(&unit().apply(Unary::Log) * -2.0).apply(Unary::Sqrt) * &spread(0)).0,
        Family::Lognormal => (&Term(normal(key, shape, 0.0, 1.0)) * &spread(0)).apply(Unary::Exp).0,
        Family::Weibull => {
            let power = &spread(1).number(1.0) / &spread(1);
            (&exponential().with(Binary::Pow, &power) * &spread(0)).0
        }
        Family::Triangular => {
            let (u, [left, mode, right]) = (unit(), [0, 1, 2].map(spread));
            let (width, rising, falling) = (&right - &left, &mode - &left, &right - &mode);
            let up = &left + &(&(&u * &width) * &rising).apply(Unary::Sqrt);
            let down = &right - &(&(&(&u.number(1.0) - &u) * &width) * &falling).apply(Unary::Sqrt);
            u.compare(Compare::Lt, &(&rising / &width)).or_else(&up, &down).0
        }
        Family::Gamma => {
            let (scale, lift) = gamma(key, &spread(0), shape)?;
            (&scale * &lift.apply(Unary::Exp)).0
        }
        Family::LogGamma => {
            let (scale, lift) = gamma(key, &spread(0), shape)?;
            (&scale.apply(Unary::Log) + &lift).0
        }
        Family::Binomial => super::binomial::binomial(key, &spread(0), &spread(1), shape),
        Family::F => {
            let half = [0, 1].map(|n| &spread(n) * 0.5);
            let (a, b) = (part(&first, &half[0])?, part(&second, &half[1])?);
            (&over(&a, &b) * &(&half[1] / &half[0])).0
        }
        Family::GeneralizedNormal => {
            let power = &spread(0).number(1.0) / &spread(0);
            let (scale, lift) = part(&first, &power)?;
            let size = &scale.with(Binary::Pow, &power) * &(&lift * &power).apply(Unary::Exp);
            let side = Term(second.get().and_then(|key| rademacher(key, shape))).cast(DType::F32);
            (&side * &size).0
        }
        Family::Wald => {
            let mean = spread(0);
            let v = Term(first.get().and_then(|key| normal(key, shape, 0.0, 1.0)));
            let z = Term(second.get().and_then(|key| uniform(key, shape, 0.0, 1.0)));
            // Michael, Schucany and Haas (1976), with the smaller root as a quotient: as a
            // difference it cancels where the mean is large.
            let (drift, half) = (&mean.number(1.0) / &mean, &(&v * &v) * 0.5);
            let root = &half.apply(Unary::Sqrt) * &(&half + &(&drift * 2.0)).apply(Unary::Sqrt);
            let smaller = &v.number(1.0) / &(&(&drift + &half) + &root);
            let share = &smaller * &drift;
            let is_smaller = z.compare(Compare::Le, &(&v.number(1.0) / &(&share + 1.0)));
            is_smaller.or_else(&smaller, &(&mean / &share)).0
        }
        Family::Beta => {
            let (a, b) = (part(&first, &spread(0))?, part(&second, &spread(1))?);
            let other = &over(&b, &a) + 1.0;
            (&other.number(1.0) / &other).0
        }
        Family::ChiSquare => (&Term(whole_gamma(key, &(&spread(0) * 0.5), shape)) * 2.0).0,
        Family::StudentT => {
            let half = &spread(0) * 0.5;
            let (scale, lift) = part(&second, &half)?;
            let scale = &(&half / &scale).apply(Unary::Sqrt) * &(&lift * -0.5).apply(Unary::Exp);
            (&Term(normal(first.get()?, shape, 0.0, 1.0)) * &scale).0
        }
    }
}

/// Gamma numbers of parameters `a`, through which no gradient flows.
fn whole_gamma(key: &Tensor, a: &Term, shape: &[usize]) -> Result<Tensor> {
    let (scale, lift) = gamma(key, a, shape)?;
    (&scale * &lift.apply(Unary::Exp)).0
}

/// The same as a number and the logarithm of what it is multiplied by, which is small for a small
/// parameter.
fn gamma(key: &Tensor, a: &Term, shape: &[usize]) -> Result<(Term, Term)> {
    let a = a.detach();
    let keys = Term(split(key, 3));
    let [tries, chances, lift] =
        [0, 1, 2].map(|n| keys.between(0, n, n + 1).map(|key| key.squeeze(Some(&[0]))));
    // For a below 1, from a draw with a + 1.
    let small = a.compare(Compare::Lt, &a.number(1.0));
    let d = &small.or_else(&(&a + 1.0), &a) - 1.0 / 3.0;
    let c = (&d * 9.0).apply(Unary::Rsqrt);
    let several = [&[TRIES], shape].concat();
    let x = Term(normal(tries.get()?, &several, 0.0, 1.0));
    let u = Term(uniform(chances.get()?, &several, 0.0, 1.0));
    let root = &(&c * &x) + 1.0;
    let v = &(&root * &root) * &root;
    let positive = v.compare(Compare::Gt, &v.number(0.0));
    let v = positive.or_else(&v, &v.number(1.0));
    let most = &(&(&(&x * &x) * 0.5) + &d) + &(&d * &(&v.apply(Unary::Log) - &v));
    let accepted = positive.and(&u.apply(Unary::Log).compare(Compare::Lt, &most));
    let which = accepted.cast(DType::I32).reduce(ReduceOp::ArgMax, 0, true);
    let chosen = v.along(&which, 0).map(|v| v.squeeze(Some(&[0])));
    let lifted = Term(uniform(lift.get()?, shape, f64::from(f32::MIN_POSITIVE), 1.0));
    let lift = &lifted.apply(Unary::Log) / &small.or_else(&a, &a.number(1.0));
    Ok((&d * &chosen, small.or_else(&lift, &lift.number(0.0))))
}

/// Shares that add up to 1 along the last axis, of parameters along it. `shape` is what comes
/// before.
pub fn dirichlet(key: &Tensor, alpha: &Tensor, shape: &[usize]) -> Result<Tensor> {
    let name = "random.dirichlet";
    let parts = alpha.shape().last().copied();
    let parts = parts.ok_or_else(|| Error::shape(name, "takes parameters along an axis, got one number"))?;
    let shape = [shape, &[parts]].concat();
    let alpha = Term::of(alpha).cast(DType::F32).map(|x| x.broadcast_to(&shape));
    // Relative to the largest, so that not all shares underflow.
    let (scale, lift) = gamma(key, &alpha, &shape)?;
    let drawn = &scale * &(&lift - &lift.reduce(ReduceOp::Max, -1, true)).apply(Unary::Exp);
    (&drawn / &drawn.reduce(ReduceOp::Sum, -1, true)).0
}

/// Normal vectors of a mean and a covariance; `shape` is what comes before them.
pub fn multivariate_normal(
    key: &Tensor,
    mean: &Tensor,
    covariance: &Tensor,
    shape: &[usize],
) -> Result<Tensor> {
    let name = "random.multivariateNormal";
    let Some(&parts) = mean.shape().last() else {
        return Err(Error::shape(name, "the mean is a vector"));
    };
    let factor = Term(crate::linalg::cholesky(covariance, false));
    let drawn = Term(normal(key, &[shape, &[parts]].concat(), 0.0, 1.0));
    let turned = factor.dot(&drawn.column()).map(|x| x.squeeze(Some(&[-1])));
    (&turned + &Term::of(mean).cast(DType::F32)).0
}

/// Points uniform in the ball of `dimension` axes and radius 1; `shape` is what comes before them.
pub fn ball(key: &Tensor, dimension: usize, shape: &[usize]) -> Result<Tensor> {
    let keys = Term(split(key, 2));
    let [first, second] = [0, 1].map(|n| keys.between(0, n, n + 1).map(|key| key.squeeze(Some(&[0]))));
    let x = Term(normal(first.get()?, &[shape, &[dimension]].concat(), 0.0, 1.0));
    // Twice an exponential has the distribution of two more squared normals (Barthe et al. 2005).
    let rest = Term(standard(second.get()?, shape, Standard::Exponential));
    let length = (&x.map(|x| x.square()).sum(-1) + &(&rest * 2.0)).apply(Unary::Sqrt);
    (&x / &length.column()).0
}

/// Matrices of `n` rows that turn, uniform among all (Stewart 1980); `shape` is what comes before
/// them.
pub fn orthogonal(key: &Tensor, n: usize, shape: &[usize]) -> Result<Tensor> {
    let x = normal(key, &[shape, &[n, n]].concat(), 0.0, 1.0)?;
    let factors = crate::linalg::qr(&x, false)?;
    let (q, r) = (Term::of(&factors[0]), Term::of(&factors[1]));
    let signs = r.diagonal(0);
    let negative = signs.compare(Compare::Lt, &signs.number(0.0));
    negative.row().or_else(&-&q, &q).0
}
