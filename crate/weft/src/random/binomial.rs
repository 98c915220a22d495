//! Binomial and multinomial draws, by rejection in a fixed number of tries: the distributions are
//! JAX's, and the numbers are not.

use super::{split, uniform};
use crate::device::tensor::Tensor;
use crate::ops::term::Term;
use weft_ir::op::{Binary, Compare, ReduceOp, Unary};
use weft_ir::{DType, Error, Result};

/// Below this, the sum of the probabilities of fewer successes is compared with one uniform; of so
/// many successes there are not more than `MOST` once in 10¹⁵.
const FEW: f64 = 10.0;
const MOST: usize = 56;

/// Tries of the rejection: each is accepted with a probability of more than 0.8.
const TRIES: usize = 14;

/// Several keys of one.
pub(super) fn keys<const N: usize>(key: &Tensor) -> [Term; N] {
    let all = Term(split(key, N));
    std::array::from_fn(|n| all.between(0, n, n + 1).map(|key| key.squeeze(Some(&[0]))))
}

/// Successes of `n` tries, each with a probability, as f32; both of `shape`. NaN for a probability
/// outside [0, 1] and less than 0 tries.
///
/// W. Hörmann, The generation of binomial random variates (Journal of Statistical Computation and
/// Simulation 46, 1993), above 10 on average.
pub(super) fn binomial(key: &Tensor, n: &Term, p: &Term, shape: &[usize]) -> Result<Tensor> {
    let [first, second, third] = keys(key);
    let (n, p) = (n.detach(), p.detach());
    let inside = n.compare(Compare::Ge, &n.number(0.0));
    let inside =
        inside.and(&p.compare(Compare::Ge, &p.number(0.0))).and(&p.compare(Compare::Le, &p.number(1.0)));
    let many = p.compare(Compare::Gt, &p.number(0.5));
    let flipped = &p.number(1.0) - &p;
    let rare = inside.or_else(&many.or_else(&flipped, &p), &p.zero());
    let n = inside.or_else(&n, &n.zero()).apply(Unary::Floor);
    let mean = &n * &rare;
    let few = mean.compare(Compare::Lt, &mean.number(FEW));
    let one = || n.number(1.0);

    // Few trials: by inversion, counting the partial sums below a uniform.
    let small = few.or_else(&rare, &rare.zero());
    let odds = &small / &(&one() - &small);
    let count: Vec<usize> = [&[MOST][..], &vec![1; shape.len()]].concat();
    let k = small.positions(MOST).cast(DType::F32).shaped(&count);
    let ratio = &(&(&(&n - &k) * &odds) / &(&k + 1.0));
    let ratio = ratio.with(Binary::Max, &ratio.zero());
    let none = (&n * &small.map(|p| p.neg()?.log1p())).apply(Unary::Exp);
    let later = &ratio.map(|x| x.cumprod(0)) * &none;
    let sums = &none + &later.map(|x| x.cumsum(0));
    let u = Term(first.get().and_then(|key| uniform(key, shape, 0.0, 1.0)));
    let counted = &u.compare(Compare::Ge, &none).cast(DType::F32)
        + &u.compare(Compare::Ge, &sums).cast(DType::F32).sum(0);
    let counted = counted.with(Binary::Min, &n);

    // Many trials: transformed rejection.
    let large = few.or_else(&n.number(40.0), &n);
    let chance = few.or_else(&rare.number(0.5), &rare);
    let rest = &one() - &chance;
    let deviation = (&(&large * &chance) * &rest).apply(Unary::Sqrt);
    let b = &(&deviation * 2.53) + 1.15;
    let a = &(&(&b * 0.0248) + &(&chance * 0.01)) - 0.0873;
    let centre = &(&large * &chance) + 0.5;
    let sure = &b.number(0.92) - &(&b.number(4.2) / &b);
    let alpha = &(&(&b.number(5.1) / &b) + 2.83) * &deviation;
    let mode = (&(&large + 1.0) * &chance).apply(Unary::Floor);
    let several = [&[TRIES][..], shape].concat();
    let u = &Term(second.get().and_then(|key| uniform(key, &several, 0.0, 1.0))) - 0.5;
    // From (0, 1], since a logarithm follows.
    let v = Term(third.get().and_then(|key| uniform(key, &several, 0.0, 1.0)));
    let v = &v.number(1.0) - &v;
    let side = &u.number(0.5) - &u.apply(Unary::Abs);
    let k = (&(&(&(&(&a * 2.0) / &side) + &b) * &u) + &centre).apply(Unary::Floor);
    let within = k.compare(Compare::Ge, &k.number(0.0)).and(&k.compare(Compare::Le, &large));
    let quick = side.compare(Compare::Ge, &side.number(0.07)).and(&v.compare(Compare::Le, &sure));
    let kept = within.or_else(&k, &mode);
    let log = |a: &Term, b: &Term| (a / b).apply(Unary::Log);
    let odds = &chance / &rest;
    let (left, gone) = (&(&large - &kept) + 1.0, &(&large - &mode) + 1.0);
    let likely = &(&(&(&mode + 0.5) * &log(&(&mode + 1.0), &(&odds * &gone)))
        + &(&(&large + 1.0) * &log(&gone, &left)))
        + &(&(&kept + 0.5) * &log(&(&odds * &left), &(&kept + 1.0)));
    let tails = &(&stirling(&mode) + &stirling(&(&large - &mode)))
        - &(&stirling(&kept) + &stirling(&(&large - &kept)));
    let bound = (&(&v * &alpha) / &(&(&a / &(&side * &side)) + &b)).apply(Unary::Log);
    let tried = bound.compare(Compare::Le, &(&likely + &tails));
    let accepted = within.and(&quick.or_else(&quick, &tried));
    let which = accepted.cast(DType::I32).reduce(ReduceOp::ArgMax, 0, true);
    let drawn = kept.along(&which, 0).map(|x| x.squeeze(Some(&[0])));

    let found = few.or_else(&counted, &drawn);
    let found = many.or_else(&(&n - &found), &found);
    inside.or_else(&found, &found.number(f64::NAN)).0
}

/// What Stirling's formula for the logarithm of k! leaves.
fn stirling(k: &Term) -> Term {
    let x = &k.number(1.0) / &(k + 1.0);
    let square = &x * &x;
    &(&x.number(1.0 / 12.0) - &(&(&x.number(1.0 / 360.0) - &(&square * (1.0 / 1260.0))) * &square)) * &x
}

/// Counts of `n` tries that end in one of several ways, of probabilities along the last axis that
/// add up to 1, as f32; `shape` is that of `n`. Errors with `Shape` for probabilities without an
/// axis.
pub fn multinomial(key: &Tensor, n: &Tensor, p: &Tensor, shape: Option<&[usize]>) -> Result<Tensor> {
    let name = "random.multinomial";
    let Some((&ways, batch)) = p.shape().split_last() else {
        return Err(Error::shape(name, "takes probabilities along an axis, got one number"));
    };
    let together = weft_ir::Shape::broadcast(name, n.shape(), &batch.to_vec().into())?;
    let shape = shape.unwrap_or(&together);
    let p = Term::of(p).cast(DType::F32).map(|p| p.broadcast_to(&[shape, &[ways]].concat()));
    let mut left = Term::of(n).cast(DType::F32).map(|n| n.broadcast_to(shape));
    // The probability of each category given that it is none of those before.
    let rest = p.map(|p| p.cumsum_with(-1, crate::Running { reverse: true, exclusive: false }));
    let shares = (&p / &rest.with(Binary::Max, &rest.number(1e-30))).map(|x| x.clip(Some(0.0), Some(1.0)));
    let keys = Term(split(key, ways.max(1)));
    let mut counts = Vec::with_capacity(ways);
    for way in 0..ways {
        let own = |x: &Term| x.between(-1, way, way + 1).map(|x| x.squeeze(Some(&[-1])));
        let drawn = if way + 1 == ways {
            left.clone()
        } else {
            let key = keys.between(0, way, way + 1).map(|key| key.squeeze(Some(&[0])));
            Term(key.get().and_then(|key| binomial(key, &left, &own(&shares), shape)))
        };
        left = &left - &drawn;
        counts.push(drawn.0?);
    }
    match counts.is_empty() {
        true => p.0,
        false => crate::stack(&counts.iter().collect::<Vec<_>>(), -1),
    }
}
