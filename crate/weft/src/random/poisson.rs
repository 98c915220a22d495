//! Poisson and double-sided Maxwell draws, by rejection in a fixed number of tries.

use super::{Standard, rademacher, split, standard, uniform};
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::operand::Operand;
use crate::ops::elementwise::{select, two};
use crate::ops::shape::slice::Part;
use crate::special::gammaln;
use weft_ir::{DType, Result, Shape};

/// Below this, arrivals are counted; more than `ARRIVALS` of them come once in 10¹².
const FEW: f64 = 10.0;
const ARRIVALS: usize = 40;

/// Tries of the rejection: each is accepted with a probability of more than 0.8.
const TRIES: usize = 14;

/// Keys of one.
fn keys<const N: usize>(key: &Tensor) -> Result<[Tensor; N]> {
    let all = split(key, N)?;
    let mut each = [const { None }; N];
    for (n, one) in each.iter_mut().enumerate() {
        *one = Some(all.part(&[Part::At(n as i64)])?);
    }
    Ok(each.map(|one| one.expect("each is made")))
}

/// Counts of what happens `rate` times on average, as i32: of the shape of the rates, or of one to
/// which they broadcast. Of rates up to 10⁵. Counts of up to 10 on average are those of arrivals;
/// others are drawn by W. Hörmann's transformed rejection (Insurance: Mathematics and Economics 12,
/// 1993). Errors with `Shape`.
pub fn poisson(key: &Tensor, rate: &Tensor, shape: Option<&[usize]>) -> Result<Tensor> {
    let name = "random.poisson";
    let rate = build::cast(name, rate, DType::F32)?;
    let whole: Shape = shape.map_or_else(|| rate.shape().clone(), Into::into);
    let mean = rate.broadcast_to(&whole)?;
    let [first, second, third] = keys(key)?;
    let tries = |count: usize| [&[count], &whole[..]].concat();
    let few = mean.less(FEW)?;
    let arrivals = uniform(&first, &tries(ARRIVALS), 0.0, 1.0)?.cumprod(0)?;
    let gone = select(&few, &mean, FEW)?.neg()?.exp()?;
    let counted = arrivals.greater(gone)?.sum(Some(&[0]), false)?;
    let large = select(&few, FEW, &mean)?;
    let b = large.sqrt()?.mul(2.53)?.add(0.931)?;
    let a = b.mul(0.02483)?.add(-0.059)?;
    let over = |number: f64, x: Tensor| two::div(x.device(), number.into(), (&x).into());
    let inverse = over(1.1328, b.sub(3.4)?)?.add(1.1239)?;
    let within = over(-3.6224, b.sub(2.0)?)?.add(0.9277)?;
    let u = uniform(&second, &tries(TRIES), 0.0, 1.0)?.sub(0.5)?;
    // From (0, 1], since a logarithm follows.
    let v = uniform(&third, &tries(TRIES), 0.0, 1.0)?.neg()?.add(1.0)?;
    let side = u.abs()?.neg()?.add(0.5)?;
    let k = a.mul(2.0)?.div(&side)?.add(&b)?.mul(&u)?.add(large.add(0.43)?)?.floor()?;
    let sure = side.greater_equal(0.07)?.logical_and(v.less_equal(within)?)?;
    let below = k.less(0.0)?;
    let lost = below.logical_or(side.less(0.013)?.logical_and(v.greater(&side)?)?)?;
    let kept = select(&below, 0.0, k)?;
    let likely = kept.mul(large.log()?)?.sub(&large)?.sub(gammaln(&kept.add(1.0)?)?)?;
    let tried = v.log()?.add(inverse.log()?)?.sub(a.div(side.square()?)?.add(&b)?.log()?)?;
    let taken = sure.logical_or(lost.logical_not()?.logical_and(tried.less_equal(likely)?)?)?;
    let one = taken.argmax(Some(&[0]), true)?;
    let drawn = build::reshape(name, &kept.take_along_axis(&one, 0)?, &whole)?;
    select(&few, counted.cast(DType::F32)?, drawn)?.cast(DType::I32)
}

/// Numbers of Maxwell's distribution on both sides of `loc`, `scale` times as far, in f32.
pub fn double_sided_maxwell(
    key: &Tensor,
    loc: impl Into<Operand>,
    scale: impl Into<Operand>,
    shape: &[usize],
) -> Result<Tensor> {
    let [first, second] = keys(key)?;
    let sided = standard(&first, shape, Standard::Maxwell)?.mul(rademacher(&second, shape)?)?;
    sided.mul(scale)?.add(loc)
}
