//! Entropies: products with logarithms, which are 0 where the factor is.

use super::formula::Quantity;
use super::{Formula, of_one, of_two};
use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::lazy::operand::Operand;
use weft_ir::Result;
use weft_ir::op::{Binary, Compare};

/// x·log y, 0 where x is 0 and y a number.
pub fn xlogy(device: &Device, x: Operand, y: Operand) -> Result<Tensor> {
    let slopes: [Formula; 2] = [|[_, y, _]| y.log(), |[x, y, _]| x.unless_zero(y, x / y)];
    of_two("special.xlogy", device, [&x, &y], |[x, y, _]| x.unless_zero(y, x * y.log()), slopes)
}

/// x·log(1 + y), 0 where x is 0 and y a number.
pub fn xlog1py(device: &Device, x: Operand, y: Operand) -> Result<Tensor> {
    let slopes: [Formula; 2] = [|[_, y, _]| y.log1p(), |[x, y, _]| x.unless_zero(y, x / (y + 1.0))];
    of_two("special.xlog1py", device, [&x, &y], |[x, y, _]| x.unless_zero(y, x * y.log1p()), slopes)
}

/// −x·log x: 0 at 0, −∞ below.
pub fn entr(x: &Tensor) -> Result<Tensor> {
    fn value([x, ..]: [Quantity; 3]) -> Quantity {
        x.less(0.0).then(f32::NEG_INFINITY, x.unless_zero(x, -x * x.log()))
    }
    of_one("special.entr", x, value, |[x, ..]| -(x.log() + 1.0))
}

/// x·log(x/y): 0 where x is 0 and y is not negative, ∞ where either is negative or only y is 0.
pub fn rel_entr(device: &Device, x: Operand, y: Operand) -> Result<Tensor> {
    let slopes: [Formula; 2] = [|[x, y, _]| (x / y).log() + 1.0, |[x, y, _]| -(x / y)];
    of_two("special.relEntr", device, [&x, &y], |[x, y, _]| x.relative_entropy(y), slopes)
}

/// x·log(x/y) − x + y, where [`rel_entr`] is finite.
pub fn kl_div(device: &Device, x: Operand, y: Operand) -> Result<Tensor> {
    fn value([x, y, _]: [Quantity; 3]) -> Quantity {
        let value = x.relative_entropy(y);
        value.is(f32::INFINITY).or_else(value, value + (y - x))
    }
    let slopes: [Formula; 2] = [|[x, y, _]| (x / y).log(), |[x, y, _]| x.fixed(1.0) - x / y];
    of_two("special.klDiv", device, [&x, &y], value, slopes)
}

/// log(p/(1 − p)), the inverse of the sigmoid.
pub fn logit(p: &Tensor) -> Result<Tensor> {
    fn value([p, ..]: [Quantity; 3]) -> Quantity {
        // Around ½ the two logarithms would cancel; there they are those of 1 ± (2p − 1), which is
        // exact.
        let u = p * 2.0 - 1.0;
        let middle = u.magnitude().less(0.5);
        let inside = middle.or(u, 0.0);
        middle.or_else(inside.log1p() - (-inside).log1p(), p.log() - (-p).log1p())
    }
    of_one("special.logit", p, value, |[p, ..]| p.fixed(1.0) / (p * (p.fixed(1.0) - p)))
}

impl Quantity<'_> {
    /// 0 where this is 0 and `other` a number, else `value`.
    fn unless_zero(self, other: Self, value: Self) -> Self {
        let number = other.compare(Compare::Eq, other);
        self.is(0.0).or_else(number.or_else(self.fixed(0.0), other), value)
    }

    fn relative_entropy(self, y: Self) -> Self {
        let value = self.unless_zero(y, self * (self / y).log());
        let infinite = self.fixed(f32::INFINITY);
        let value = self.less(0.0).or_else(infinite, value);
        let value = y
            .is(0.0)
            .or_else(self.is(0.0).or_else(value, (self * self).is(0.0).or_else(value, infinite)), value);
        let value = y.less(0.0).or_else(infinite, value);
        let numbers = self.compare(Compare::Eq, self).with(Binary::And, y.compare(Compare::Eq, y));
        numbers.or(value, f32::NAN)
    }
}
