//! Factorials, rising factorials and binomial coefficients, between whole numbers too, and the
//! Box-Cox transform.

use super::formula::Quantity;
use super::gamma::{betaln, digamma, gamma, gammaln};
use super::{Formula, of_all, of_two};
use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::lazy::operand::Operand;
use std::f32::consts::PI;
use weft_ir::Result;
use weft_ir::op::{Compare, Unary};

/// (eᵘ − 1)/u near 0.
const GROWTH: [f32; 6] = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0];

/// n!, which is Γ(n + 1); 0 below 0.
pub fn factorial(n: &Tensor) -> Result<Tensor> {
    of_all("special.factorial", n.device(), &[&n.into()], |[n, ..]| {
        let negative = n.less(0.0);
        negative.then(0.0, (negative.or_else(n.fixed(0.0), n) + 1.0).through(gamma))
    })
}

/// Γ(x + n)/Γ(x), for whole n the product of n numbers from x on, whatever their signs.
pub fn poch(device: &Device, x: Operand, n: Operand) -> Result<Tensor> {
    let slopes: [Formula; 2] = [
        |[x, n, _]| x.risen_slope(n, x.through_both(risen, n)),
        |[x, n, _]| x.through_both(risen, n) * (x + n).through(digamma),
    ];
    of_two("special.poch", device, [&x, &n], |[x, n, _]| x.risen(n), slopes)
}

/// The same once more, for its derivatives: of none the value is 1, which has no slope, so that
/// slopes are formulas.
fn risen(device: &Device, x: Operand, n: Operand) -> Result<Tensor> {
    let slopes: [Formula; 2] =
        [|[x, n, _]| x.risen_slope(n, x.risen(n)), |[x, n, _]| x.risen(n) * (x + n).through(digamma)];
    of_two("special.poch", device, [&x, &n], |[x, n, _]| x.risen(n), slopes)
}

/// How many choices there are of k things of n; 0 where there are none.
pub fn comb(device: &Device, n: Operand, k: Operand) -> Result<Tensor> {
    of_all("special.comb", device, &[&n, &k], |[n, k, _]| {
        let rest = n - k;
        let (over, under) = (rest.less(0.0), k.less(0.0));
        let (left, right) = (over.then(0.0, rest) + 1.0, under.then(0.0, k) + 1.0);
        let all = (left + right) - 1.0;
        over.then(0.0, under.then(0.0, (-left.through_both(betaln, right)).exp() / all))
    })
}

/// The function of Box and Cox, (xᵖ − 1)/p, and log x for p = 0.
pub fn boxcox(device: &Device, x: Operand, power: Operand) -> Result<Tensor> {
    of_all("special.boxcox", device, &[&x, &power], |[x, power, _]| x.log().grown(power))
}

/// The same of 1 + x.
pub fn boxcox1p(device: &Device, x: Operand, power: Operand) -> Result<Tensor> {
    of_all("special.boxcox1p", device, &[&x, &power], |[x, power, _]| x.log1p().grown(power))
}

impl Quantity<'_> {
    /// Γ(x + n)/Γ(x). With n below 0 it is the inverse of the same from x + n on, by |n|; from 0 or
    /// less on, one or both gamma functions are reflected.
    fn risen(self, n: Self) -> Self {
        let (down, none) = (n.less(0.0), n.is(0.0));
        let size = none.then(1.0, n.magnitude());
        let from = down.or_else(self + n, self);
        let to = down.or_else(self, from + size);
        let (one, reflects) = (from.fixed(1.0), from.compare(Compare::Le, from.fixed(0.0)));
        let crosses = to.fixed(0.0).compare(Compare::Lt, to);
        // From a positive number to another: of both reflected, those that they stand for.
        let start = reflects.or_else(crosses.or_else(one, one - to), from);
        let growth = size.through(gammaln) - start.through_both(betaln, size);
        // Where only one is reflected, the other stays.
        let reach = reflects.or_else(crosses.or_else(to, one), one).through(gammaln)
            + reflects.or_else(one - from, one).through(gammaln);
        let growth = reflects.or_else(crosses.or_else(reach, growth), growth);
        let (first, last) = (from.sine_of_turns(reflects), to.sine_of_turns(reflects));
        let whole = (size - size.apply(Unary::Floor)).is(0.0);
        let odd = (size * 0.5) - (size * 0.5).apply(Unary::Floor);
        let alternating = one - (odd * 4.0);
        // Between two poles it is finite for whole numbers, and to a pole alone it is infinite.
        let ratio = last.is(0.0).or_else(from.fixed(f32::INFINITY), first / last);
        let both = whole.or_else(alternating, ratio);
        let factor = reflects.or_else(crosses.or_else(first / PI, both), one);
        let value = down.or_else((-growth).exp() / factor, growth.exp() * factor);
        // From a pole on it is 0, whatever overflows.
        let pole = reflects.or_else(crosses.or_else(first, one), one).is(0.0);
        let beyond = down.or_else(from.fixed(f32::INFINITY), from.fixed(0.0));
        none.then(1.0, pole.or_else(beyond, value))
    }

    /// The derivative of what rises from x by n, whose value is given. From a pole on the value is
    /// 0 and its slope is what the other factors give; between two poles the logarithms' slopes are
    /// those of the reflected functions.
    fn risen_slope(self, n: Self, value: Self) -> Self {
        let (one, end) = (self.fixed(1.0), self + n);
        let pole = |x: Self| {
            let fraction = x - x.apply(Unary::Floor);
            x.fixed(0.0).compare(Compare::Lt, x).or_else(one, fraction).is(0.0)
        };
        let (from, both) = (pole(self), pole(self).or_else(pole(end).or_else(one, one - 1.0), one - 1.0));
        let both = both.is(1.0);
        let (a, b) = (both.or_else(one - end, end), from.or_else(one - self, self));
        let slope = value * (a.through(digamma) - b.through(digamma));
        let odd = ((self * 0.5) - (self * 0.5).apply(Unary::Floor)) * 4.0;
        // Γ(x + n)/Γ(x) near a pole of Γ(x).
        let alone = (one - odd)
            * from.or_else(one - self, one).through(gammaln).exp()
            * from.or_else(end, one).through(gamma);
        both.or_else(slope, from.or_else(alone, slope))
    }

    /// sin(πx) where a condition holds, exactly 0 for whole numbers, and 1 elsewhere.
    fn sine_of_turns(self, reflects: Self) -> Self {
        let (angle, odd) = reflects.or(self, 0.5).half_turns();
        angle.apply(Unary::Sin) * (self.fixed(1.0) - (odd * 2.0))
    }

    /// (e to the power of p times itself, less 1)/p.
    fn grown(self, power: Self) -> Self {
        let bounded = self.less(-1e30).then(-1e30, self);
        let exponent = bounded * power;
        let near = exponent.magnitude().less(0.1);
        let close = self * near.or(exponent, 0.0).polynomial(&GROWTH);
        let far = near.or_else(self.fixed(1.0), exponent).through(Tensor::expm1);
        near.or_else(close, far / near.or_else(self.fixed(1.0), power))
    }
}
