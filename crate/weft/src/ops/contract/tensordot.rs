//! Products summed over any axes: dot, inner, outer, Kronecker, tensordot, and the contraction
//! behind einsum.

use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::operand::{self, Operand};
use weft_ir::op::{Binary, ContractAxes, Op, ReduceOp};
use weft_ir::{DType, Error, Literal, Result, Shape};

impl Tensor {
    /// NumPy's `dot`: over the last axis of this and the last but one of `other`; with a 0-d
    /// tensor, its multiple.
    ///
    /// Errors with `Shape` when the extents differ.
    pub fn dot(&self, other: &Tensor) -> Result<Tensor> {
        let name = "dot";
        if self.rank() == 0 || other.rank() == 0 {
            return self.mul(other);
        }
        let axis = other.rank().saturating_sub(2);
        contracted(name, self, other, &[(self.rank() - 1, axis)])
    }

    /// Over the last axes of both; with a 0-d tensor, its multiple. Errors with `Shape` when the
    /// extents differ.
    pub fn inner(&self, other: &Tensor) -> Result<Tensor> {
        if self.rank() == 0 || other.rank() == 0 {
            return self.mul(other);
        }
        contracted("inner", self, other, &[(self.rank() - 1, other.rank() - 1)])
    }

    /// Each element times each of `other`, both flattened: a matrix.
    pub fn outer(&self, other: &Tensor) -> Result<Tensor> {
        let name = "outer";
        let column = build::reshape(name, self, &[self.size(), 1].into())?;
        column.mul(other.flatten()?)
    }

    /// The sum of the products of all elements, both flattened. Errors with `Shape` when there are
    /// not as many.
    pub fn vdot(&self, other: &Tensor) -> Result<Tensor> {
        contracted("vdot", &self.flatten()?, &other.flatten()?, &[(0, 0)])
    }

    /// Over the given axes, one of this with one of `other` each; the others of this come first.
    /// Errors with `Axis` when one is out of range or named twice, with `Shape` when extents
    /// differ.
    pub fn tensordot(&self, other: &Tensor, left: &[i64], right: &[i64]) -> Result<Tensor> {
        let name = "tensordot";
        if left.len() != right.len() {
            let what = format!("{} axes on the left, {} on the right", left.len(), right.len());
            return Err(Error::axis(name, what));
        }
        self.shape().axes(name, Some(left))?;
        other.shape().axes(name, Some(right))?;
        let pair = |(&l, &r): (&i64, &i64)| Ok((self.shape().axis(name, l)?, other.shape().axis(name, r)?));
        let pairs = left.iter().zip(right).map(pair).collect::<Result<Vec<_>>>()?;
        contracted(name, self, other, &pairs)
    }

    /// Kronecker product: each element of this times the whole of `other`.
    pub fn kron(&self, other: &Tensor) -> Result<Tensor> {
        let name = "kron";
        let rank = self.rank().max(other.rank());
        let aligned = |x: &Tensor| [&vec![1; rank - x.rank()], &x.shape()[..]].concat();
        let (a, b) = (aligned(self), aligned(other));
        // Axes of both alternate, those of `self` first.
        let spread = |x: &Tensor, own: &[usize], first: bool| {
            let pair = |&e: &usize| if first { [e, 1] } else { [1, e] };
            build::reshape(name, x, &own.iter().flat_map(pair).collect::<Vec<_>>().into())
        };
        let product = spread(self, &a, true)?.mul(spread(other, &b, false)?)?;
        let shape: Vec<usize> = a.iter().zip(&b).map(|(a, b)| a * b).collect();
        build::reshape(name, &product, &shape.into())
    }

    /// To the power of a whole number: a square matrix multiplied by itself, the identity for 0.
    /// Errors with `Shape` unless it is square.
    pub fn matrix_power(&self, times: usize) -> Result<Tensor> {
        let name = "matrixPower";
        let rank = self.rank();
        if rank < 2 || self.shape()[rank - 1] != self.shape()[rank - 2] {
            return Err(Error::shape(name, format!("takes square matrices, got {}", self.shape())));
        }
        let mut square = build::cast(name, self, self.dtype().accumulate())?;
        if times == 0 {
            let side = self.shape()[rank - 1];
            let one = self.device().eye(side, side, 0, square.dtype())?;
            return build::expand(name, &one, self.shape());
        }
        let (mut left, mut power) = (times, None);
        loop {
            if left % 2 == 1 {
                power = Some(match power {
                    Some(power) => square.matmul(&power)?,
                    None => square.clone(),
                });
            }
            left /= 2;
            if left == 0 {
                return Ok(power.expect("times is not 0"));
            }
            square = square.matmul(&square)?;
        }
    }
}

/// As functions of operands, either of which may be a number.
pub(crate) mod two {
    use super::*;

    /// Both broadcast, in the dtype of their product.
    fn both(
        name: &str,
        device: &Device,
        a: &Operand,
        b: &Operand,
        axis: i64,
    ) -> Result<(Tensor, Tensor, usize)> {
        let (a, b) = operand::pair(name, device, a, b, operand::meet(a, b).accumulate())?;
        let axis = a.shape().axis(name, axis)?;
        Ok((a, b, axis))
    }

    pub fn vecdot(device: &Device, a: Operand, b: Operand, axis: i64) -> Result<Tensor> {
        let name = "vecdot";
        let (a, b, axis) = both(name, device, &a, &b, axis)?;
        build::reduce(name, ReduceOp::Sum, &build::binary(name, Binary::Mul, &a, &b)?, &[axis], false)
    }

    /// Of elements along an axis of each, which stand along another of the product.
    pub fn cross_along(device: &Device, a: Operand, b: Operand, axes: [i64; 3]) -> Result<Tensor> {
        let name = "cross";
        let last = |x: Operand, axis: i64| match x {
            Operand::Tensor(x) => {
                x.shape().axis(name, axis)?;
                Ok(Operand::Tensor(x.move_axis(&[axis], &[-1])?))
            }
            number => Ok(number),
        };
        let (a, b) = (last(a, axes[0])?, last(b, axes[1])?);
        let is_number = planar(&a, 1) && planar(&b, 1);
        let product = cross(device, a, b, -1)?;
        if is_number { Ok(product) } else { product.move_axis(&[-1], &[axes[2]]) }
    }

    /// Whether an operand has two elements along the axis that is `from_end`.
    fn planar(x: &Operand, from_end: usize) -> bool {
        x.shape().len().checked_sub(from_end).and_then(|axis| x.shape().get(axis).copied()) == Some(2)
    }

    pub fn cross(device: &Device, a: Operand, b: Operand, axis: i64) -> Result<Tensor> {
        let name = "cross";
        let rank = a.shape().len().max(b.shape().len()) as i64;
        let from_end = if axis < 0 { axis.saturating_neg() } else { rank.saturating_sub(axis) };
        let [flat_a, flat_b] = [&a, &b].map(|x| planar(x, from_end.max(0) as usize));
        // A vector of the plane beside one of space has a third element, 0.
        let spatial = |x: Operand| match x {
            Operand::Tensor(x)
                if flat_a != flat_b && planar(&Operand::Tensor(x.clone()), from_end as usize) =>
            {
                let axis = x.rank() - from_end as usize;
                Ok(Operand::Tensor(build::pad_axis(name, &x, axis, (0, 1), Literal::zero(x.dtype()))?))
            }
            x => Ok::<_, Error>(x),
        };
        let (a, b, axis) = both(name, device, &spatial(a)?, &spatial(b)?, axis)?;
        let extent = a.shape()[axis];
        if flat_a && flat_b {
            let part = |x: &Tensor, n: i64| {
                let one = x.between(name, axis, n, n + 1)?;
                build::reshape(name, &one, &x.shape().without(&[axis]))
            };
            let product = |i, j| build::binary(name, Binary::Mul, &part(&a, i)?, &part(&b, j)?);
            return build::binary(name, Binary::Sub, &product(0, 1)?, &product(1, 0)?);
        }
        if extent != 3 {
            let what = format!("axis {axis} of {} must have extent 3, or 2 in the plane", a.shape());
            return Err(Error::shape(name, what));
        }
        let after = |x: &Tensor, places: i64| x.roll(&[-places], Some(&[axis as i64]));
        let product = |i, j| build::binary(name, Binary::Mul, &after(&a, i)?, &after(&b, j)?);
        build::binary(name, Binary::Sub, &product(1, 2)?, &product(2, 1)?)
    }
}

impl Tensor {
    /// The sum of products along `axis`, broadcast otherwise. Errors with `Axis`, and with `Shape`
    /// when they do not broadcast.
    pub fn vecdot(&self, other: impl Into<Operand>, axis: i64) -> Result<Tensor> {
        two::vecdot(self.device(), self.into(), other.into(), axis)
    }

    /// The cross product of the three elements along `axis`, broadcast otherwise; of two and three
    /// the third is 0, and of two each the product is a number, without that axis. Errors as
    /// [`Tensor::vecdot`], and unless there are two or three.
    pub fn cross(&self, other: impl Into<Operand>, axis: i64) -> Result<Tensor> {
        two::cross(self.device(), self.into(), other.into(), axis)
    }
}

/// The product summed over pairs of axes; the others of `a` come first.
fn contracted(name: &str, a: &Tensor, b: &Tensor, pairs: &[(usize, usize)]) -> Result<Tensor> {
    contraction(name, a, b, &[], pairs)
}

/// The product of two summed over pairs of axes, with others shared; shared axes come first, then
/// those of `a`, then those of `b`.
pub(crate) fn contraction(
    name: &str,
    a: &Tensor,
    b: &Tensor,
    shared: &[(usize, usize)],
    pairs: &[(usize, usize)],
) -> Result<Tensor> {
    if let Some(&(l, r)) = pairs.iter().chain(shared).find(|(l, r)| a.shape()[*l] != b.shape()[*r]) {
        let what = format!("axis {l} of {} and axis {r} of {} differ", a.shape(), b.shape());
        return Err(Error::shape(name, what));
    }
    let dtype = DType::promote(a.dtype(), b.dtype()).accumulate();
    let (a, b) = (build::cast(name, a, dtype)?, build::cast(name, b, dtype)?);
    let free = |x: &Tensor, bound: Vec<usize>| -> Vec<usize> {
        (0..x.rank()).filter(|axis| !bound.contains(axis)).map(|axis| x.shape()[axis]).collect()
    };
    let of_a = free(&a, pairs.iter().chain(shared).map(|p| p.0).collect());
    let of_b = free(&b, pairs.iter().chain(shared).map(|p| p.1).collect());
    let extents: Vec<usize> = shared.iter().map(|p| a.shape()[p.0]).chain(of_a).chain(of_b).collect();
    Shape::checked(name, &extents)?;
    let axes = ContractAxes { batch: shared.to_vec(), contract: pairs.to_vec() };
    a.device().append(name, Op::Contract(axes), &[&a, &b])
}
