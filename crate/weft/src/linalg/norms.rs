//! Norms of matrices and vectors, and the condition number.

use super::spectral::values;
use super::{inverse, matrices};
use crate::device::tensor::Tensor;
use crate::ops::term::Term;
use weft_ir::op::{ReduceOp, Unary};
use weft_ir::{Decimal, Error, Result};

/// Which norm of a matrix.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Order {
    /// 2 and −2 are the largest and the smallest singular value, 1 and −1 of columns the largest
    /// and smallest sum of magnitudes, ±∞ of rows.
    Number(f64),
    /// The root of the sum of all squares.
    Frobenius,
    /// The sum of singular values.
    Nuclear,
}

/// Norms of the matrices of the last two axes. Errors with `Value` for an order there is not, with
/// `Shape` below two axes.
pub fn matrix_norm(x: &Tensor, order: Order, keepdims: bool) -> Result<Tensor> {
    let name = "linalg.matrixNorm";
    let x = matrices(name, x)?;
    let term = Term::of(&x);
    let sums =
        |axis: i64, op| term.apply(Unary::Abs).reduce(ReduceOp::Sum, axis, true).reduce(op, -3 - axis, true);
    let of_values = |op| Term(values(name, &x)).reduce(op, -1, true).column();
    let norm = match order {
        Order::Frobenius => return x.norm(2.0, Some(&[-2, -1]), keepdims),
        Order::Nuclear => of_values(ReduceOp::Sum),
        Order::Number(order) => {
            let extreme = if order > 0.0 { ReduceOp::Max } else { ReduceOp::Min };
            if order.abs() == 2.0 {
                of_values(extreme)
            } else if order.abs() == 1.0 {
                sums(-2, extreme)
            } else if order.is_infinite() {
                sums(-1, extreme)
            } else {
                return Err(Error::value(
                    name,
                    format!("matrices have no norm of order {}", Decimal::from(order)),
                ));
            }
        }
    };
    if keepdims { norm.0 } else { norm.map(|x| x.squeeze(Some(&[-2, -1]))).0 }
}

/// [`Tensor::norm`] under the name it has in linear algebra. A function of its own, or the compiler
/// makes one of the two operations, which lie in different parts of the package's WebAssembly.
#[inline(never)]
pub fn vector_norm(x: &Tensor, order: f64, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
    x.norm(order, axes, keepdims)
}

/// The norm of order 2 over all elements, or along axes: of one axis of any order as vectors have,
/// of two as [`matrix_norm`]. Errors as that, and with `Axis`.
pub fn norm(x: &Tensor, order: Option<Order>, axes: Option<&[i64]>, keepdims: bool) -> Result<Tensor> {
    let name = "linalg.norm";
    let found = x.shape().axes(name, axes)?;
    match (order, &found[..]) {
        (None, _) => x.norm(2.0, axes, keepdims),
        (Some(Order::Number(order)), [_]) => x.norm(order, axes, keepdims),
        (Some(order), &[rows, columns]) => {
            // The axes as the caller gave them: columns run along the second.
            let named = axes.map(|axes| [axes[0], axes[1]]).unwrap_or([rows as i64, columns as i64]);
            let rank = x.rank() as i64;
            let [rows, columns] = named.map(|axis| if axis < 0 { axis + rank } else { axis });
            let mut order_of_axes: Vec<i64> =
                (0..rank).filter(|&axis| axis != rows && axis != columns).collect();
            order_of_axes.extend([rows, columns]);
            let made = matrix_norm(&x.permute(&order_of_axes)?, order, keepdims)?;
            if !keepdims {
                return Ok(made);
            }
            let back: Vec<i64> = (0..rank)
                .map(|axis| order_of_axes.iter().position(|&a| a == axis).unwrap_or_default() as i64)
                .collect();
            made.permute(&back)
        }
        _ => Err(Error::value(name, "an order is of vectors along one axis, or of matrices along two")),
    }
}

/// How much a matrix enlarges errors: the quotient of its largest and smallest singular value, or
/// for another order the norm times that of the inverse. Errors as [`matrix_norm`].
pub fn cond(x: &Tensor, order: Order) -> Result<Tensor> {
    let name = "linalg.cond";
    if let Order::Number(power) = order
        && power.abs() == 2.0
    {
        let s = Term(values(name, &matrices(name, x)?));
        let (most, least) = (s.reduce(ReduceOp::Max, -1, false), s.reduce(ReduceOp::Min, -1, false));
        return if power > 0.0 { (&most / &least).0 } else { (&least / &most).0 };
    }
    let inverse = Term(inverse::inv(x).and_then(|x| matrix_norm(&x, order, false)));
    (&Term(matrix_norm(x, order, false)) * &inverse).0
}
