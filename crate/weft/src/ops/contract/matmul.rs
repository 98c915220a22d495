//! Matrix products: vectors, matrices and stacks of them, as one contraction.
//!
//! Nothing is repeated to broadcast: an axis that only one side has is a free axis of that side,
//! and the result is permuted.

use crate::device::tensor::Tensor;
use crate::lazy::build;
use weft_ir::op::{ContractAxes, Op};
use weft_ir::{DType, Error, Result, Shape};

impl Tensor {
    /// Matrix product. `[m,k] × [k,n]` is `[m,n]`; a 1-D left counts as a row and a 1-D right as a
    /// column, and their axis vanishes; axes before the last two broadcast. Dtypes promote; sums of
    /// integer products wrap.
    ///
    /// Errors with `Shape` when the inner extents differ or the outer ones do not broadcast, and
    /// for 0-d tensors.
    pub fn matmul(&self, right: &Tensor) -> Result<Tensor> {
        let name = "matmul";
        let dtype = DType::promote(self.dtype(), right.dtype()).accumulate();
        let left = Side::new(build::cast(name, self, dtype)?, true);
        let right = Side::new(build::cast(name, right, dtype)?, false);
        let (a, b) = (left.tensor.shape().clone(), right.tensor.shape().clone());
        let wrong = |what: String| Error::shape(name, format!("{a} × {b}: {what}"));
        if a.rank() == 0 || b.rank() == 0 {
            return Err(wrong("a 0-d tensor has no axis to contract".into()));
        }
        if a[left.inner] != b[right.inner] {
            return Err(wrong(format!("{} ≠ {}", a[left.inner], b[right.inner])));
        }
        contract(name, left, right, wrong)
    }
}

/// An operand: its outer axes, the axis summed over, and the axis of rows or columns if it has one.
struct Side {
    tensor: Tensor,
    outer: usize,
    inner: usize,
}

impl Side {
    fn new(tensor: Tensor, left: bool) -> Side {
        let rank = tensor.rank();
        let inner = if left || rank < 2 { rank.saturating_sub(1) } else { rank - 2 };
        Side { outer: rank.saturating_sub(2), inner, tensor }
    }

    fn has_lines(&self) -> bool {
        self.tensor.rank() >= 2
    }

    /// The extent of outer axis `axis` when `outer` of them are aligned at the last; 1 where there
    /// is none.
    fn extent(&self, axis: usize, outer: usize) -> usize {
        (axis + self.outer).checked_sub(outer).map_or(1, |a| self.tensor.shape()[a])
    }
}

fn contract(name: &str, left: Side, right: Side, wrong: impl Fn(String) -> Error) -> Result<Tensor> {
    let outer = left.outer.max(right.outer);
    let (mut shared, mut left_only, mut right_only) = (Vec::new(), Vec::new(), Vec::new());
    for axis in 0..outer {
        match (left.extent(axis, outer), right.extent(axis, outer)) {
            (l, r) if l == r => shared.push(axis),
            (_, 1) => left_only.push(axis),
            (1, _) => right_only.push(axis),
            (l, r) => return Err(wrong(format!("outer axes do not broadcast: {l} ≠ {r}"))),
        }
    }
    // Where both have extent 1 but one lacks the axis, the reshape below gives it one.
    let kept = |side: &Side, own: &[usize]| -> Result<(Tensor, Vec<usize>)> {
        let axes: Vec<usize> = (0..outer).filter(|a| shared.contains(a) || own.contains(a)).collect();
        let extents = axes.iter().map(|&a| side.extent(a, outer));
        let lines = side.tensor.shape()[side.outer..].iter().copied();
        let shape = Shape::checked(name, &extents.chain(lines).collect::<Vec<_>>())?;
        Ok((build::reshape(name, &side.tensor, &shape)?, axes))
    };
    let (l, l_axes) = kept(&left, &left_only)?;
    let (r, r_axes) = kept(&right, &right_only)?;
    let place = |axes: &[usize], axis: usize| axes.iter().position(|&a| a == axis);
    let batch = shared.iter().filter_map(|&a| Some((place(&l_axes, a)?, place(&r_axes, a)?))).collect();
    let inner = (l_axes.len() + left.inner - left.outer, r_axes.len() + right.inner - right.outer);
    let axes = ContractAxes { batch, contract: vec![inner] };
    let product = l.device().append(name, Op::Contract(axes), &[&l, &r])?;
    // The product's axes: shared, left only, rows, right only, columns.
    let rows = shared.len() + left_only.len();
    let after = rows + usize::from(left.has_lines());
    let mut order: Vec<usize> = (0..outer)
        .filter_map(|a| {
            let in_left = place(&left_only, a).map(|i| shared.len() + i);
            place(&shared, a).or(in_left).or(place(&right_only, a).map(|i| after + i))
        })
        .collect();
    order.extend(left.has_lines().then_some(rows));
    order.extend(right.has_lines().then_some(after + right_only.len()));
    build::permute(name, &product, order)
}
