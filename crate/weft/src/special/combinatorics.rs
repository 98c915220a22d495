//! Factorials, rising factorials and binomial coefficients, between whole numbers too, and the
//! Box-Cox transform.

use super::formula::Quantity;
use super::gamma::{betaln, digamma, gamma, gammaln};
use super::{Formula, of_all, of_two};
use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::lazy::operand::Operand;
use weft_ir::Result;
use weft_ir::op::Compare;

/// (eᵘ − 1)/u near 0.
const GROWTH: [f32; 6] = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0];

/// n!, which is Γ(n + 1); 0 below 0.
pub fn factorial(n: &Tensor) -> Result<Tensor> {
    of_all("special.factorial", n.device(), &[&n.into()], |[n, ..]| {
        let negative = n.less(0.0);
        negative.then(0.0, (negative.or_else(n.fixed(0.0), n) + 1.0).through(gamma))
    })
}

/// Γ(x + n)/Γ(x), for whole n the product of n numbers from x on.
pub fn poch(device: &Device, x: Operand, n: Operand) -> Result<Tensor> {
    let slopes: [Formula; 2] = [
        |[x, n, _]| x.through_both(risen, n) * ((x + n).through(digamma) - x.through(digamma)),
        |[x, n, _]| x.through_both(risen, n) * (x + n).through(digamma),
    ];
    of_two("special.poch", device, [&x, &n], |[x, n, _]| x.risen(n), slopes)
}

/// The same once more, for its derivatives: of none the value is 1, which has no slope, so that
/// slopes are formulas.
fn risen(device: &Device, x: Operand, n: Operand) -> Result<Tensor> {
    let slopes: [Formula; 2] = [
        |[x, n, _]| x.risen(n) * ((x + n).through(digamma) - x.through(digamma)),
        |[x, n, _]| x.risen(n) * (x + n).through(digamma),
    ];
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
    fn risen(self, n: Self) -> Self {
        let (down, none) = (n.less(0.0), n.is(0.0));
        let size = none.then(1.0, n.magnitude());
        let from = down.or_else(self + n, self);
        let growth = size.through(gammaln) - from.through_both(betaln, size);
        let value = none.then(1.0, down.or_else(-growth, growth).exp());
        from.fixed(0.0).compare(Compare::Lt, from).or(value, f32::NAN)
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
