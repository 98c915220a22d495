//! Modified Bessel functions of the first kind, of orders 0 and 1, also divided by eˡˣˡ.

use super::formula::Quantity;
use super::of_one;
use crate::device::tensor::Tensor;
use weft_ir::Result;
use weft_ir::op::{Binary, Unary};

/// I₀(x), and I₁(x)·2/x, for |x| up to 8, as functions of x²/4; errors are 8.9e-9 and 2.1e-9.
const NEAR: [[f32; 10]; 2] = [
    [
        1.4984342e-11,
        3.8113418e-10,
        4.3158508e-8,
        1.8937943e-6,
        6.9637084e-5,
        0.0017355044,
        0.027778804,
        0.2499992,
        1.0000002,
        1.0,
    ],
    [
        1.442024e-12,
        4.5934943e-11,
        5.3012803e-9,
        2.7183376e-7,
        1.1595993e-5,
        0.00034714706,
        0.0069445856,
        0.08333321,
        0.50000006,
        1.0,
    ],
];

/// √x e⁻ˣ times the same functions beyond 8, as functions of 1/x.
const FAR: [[f32; 6]; 2] = [
    [0.3879642, -0.013849701, 0.033784997, 0.027898809, 0.049869586, 0.3989423],
    [-0.45236835, 0.009695657, -0.046155956, -0.046575785, -0.14960545, 0.3989423],
];

/// I₀(x).
pub fn i0(x: &Tensor) -> Result<Tensor> {
    of_one("special.i0", x, |[x, ..]| x.bessel(0), |[x, ..]| x.bessel(1))
}

/// e⁻ˡˣˡ I₀(x).
pub fn i0e(x: &Tensor) -> Result<Tensor> {
    fn slope([x, ..]: [Quantity; 3]) -> Quantity {
        x.scaled_bessel(1) - x.apply(Unary::Sign) * x.scaled_bessel(0)
    }
    of_one("special.i0e", x, |[x, ..]| x.scaled_bessel(0), slope)
}

/// I₁(x).
pub fn i1(x: &Tensor) -> Result<Tensor> {
    fn slope([x, ..]: [Quantity; 3]) -> Quantity {
        x.bessel(0) - x.over_x(x.bessel(1))
    }
    of_one("special.i1", x, |[x, ..]| x.bessel(1), slope)
}

/// e⁻ˡˣˡ I₁(x).
pub fn i1e(x: &Tensor) -> Result<Tensor> {
    fn slope([x, ..]: [Quantity; 3]) -> Quantity {
        let value = x.scaled_bessel(1);
        x.scaled_bessel(0) - x.over_x(value) - x.apply(Unary::Sign) * value
    }
    of_one("special.i1e", x, |[x, ..]| x.scaled_bessel(1), slope)
}

impl Quantity<'_> {
    /// I₁(x)/x, ½ at 0.
    fn over_x(self, value: Self) -> Self {
        let zero = self.is(0.0);
        zero.or_else(self.fixed(0.5), value / zero.or_else(self.fixed(1.0), self))
    }

    /// The function near 0, and e⁻ˡˣˡ times it beyond, with the condition of the former.
    fn parts(self, order: usize) -> (Self, Self, Self) {
        let size = self.magnitude();
        let near = size.less(8.0);
        let half = near.or(self, 0.0) * 0.5;
        let close = (half * half).polynomial(&NEAR[order]);
        let size = near.or_else(self.fixed(8.0), size);
        let far = (self.fixed(1.0) / size).polynomial(&FAR[order]) / size.apply(Unary::Sqrt);
        if order == 0 {
            return (near, close, far);
        }
        (near, close * half, far * self.apply(Unary::Sign))
    }

    fn bessel(self, order: usize) -> Self {
        let (near, close, far) = self.parts(order);
        // In two factors, of which each is finite where the product is; beyond 100 it is infinite.
        let size = self.magnitude().with(Binary::Min, self.fixed(100.0));
        let root = (size * 0.5).exp();
        let bounded = size.less(100.0).or_else(far, self.apply(Unary::Sign));
        let bounded = if order == 0 { bounded.magnitude() } else { bounded };
        near.or_else(close, (bounded * root) * root)
    }

    fn scaled_bessel(self, order: usize) -> Self {
        let (near, close, far) = self.parts(order);
        let size = near.or(self.magnitude(), 0.0);
        near.or_else(close * (-size).exp(), far)
    }
}
