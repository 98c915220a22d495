//! Scan by an associative function of the caller.
//!
//! By the recursion of JAX's `associative_scan` (after G. Blelloch, "Prefix Sums and Their
//! Applications", 1990, §1.2): joining neighbours makes the problem half as long; its results are
//! those of the elements at odd places, and each element at an even place is joined with the result
//! before it. The function is called twice for each halving, with tensors of many elements, so that
//! 2·log₂ n calls and n joins make up the program.
//!
//! Deferred: few programs scan by functions of their own.

use crate::device::tensor::Tensor;
use crate::ops::shape::join::concat;
use crate::ops::shape::slice::Range;
use weft_ir::{Error, Result};

/// A function of two lists of tensors, the earlier elements and the later, that gives the list of
/// what they come to together.
pub type Join<'a> = &'a mut dyn FnMut(&[Tensor], &[Tensor]) -> Result<Vec<Tensor>>;

/// For each element along `axis` what `join` makes of all up to it, or from it on if `reverse`.
/// `join` must be associative, and work on tensors of any extent along that axis, element by
/// element. Each of `xs` has the same extent along it, and results have the shapes of `xs`.
///
/// Errors with `Axis`, with `Shape` where extents along the axis differ or `join` yields other
/// shapes, and as `join` does.
pub fn associative_scan(join: Join<'_>, xs: &[Tensor], axis: i64, reverse: bool) -> Result<Vec<Tensor>> {
    let name = "associativeScan";
    let axes = xs.iter().map(|x| x.shape().axis(name, axis)).collect::<Result<Vec<usize>>>()?;
    let extents: Vec<usize> = xs.iter().zip(&axes).map(|(x, &axis)| x.shape()[axis]).collect();
    let Some(&extent) = extents.first() else { return Ok(Vec::new()) };
    if extents.iter().any(|&other| other != extent) {
        return Err(Error::shape(name, format!("extents along axis {axis} differ: {extents:?}")));
    }
    let turned = |xs: &[Tensor]| xs.iter().map(|x| x.flip(Some(&[axis]))).collect::<Result<Vec<_>>>();
    let lines = Lines { axes: &axes };
    if !reverse {
        return lines.scan(join, xs, extent);
    }
    let scanned = lines.scan(join, &turned(xs)?, extent)?;
    turned(&scanned)
}

/// The axis of each tensor of a list.
struct Lines<'a> {
    axes: &'a [usize],
}

impl Lines<'_> {
    /// Every second element from `start` up to `stop`, or every one.
    fn part(&self, xs: &[Tensor], start: usize, stop: usize, step: i64) -> Result<Vec<Tensor>> {
        let part = |(x, &axis): (&Tensor, &usize)| {
            let mut ranges = vec![Range::ALL; x.rank()];
            ranges[axis] = Range { start: Some(start as i64), stop: Some(stop as i64), step };
            x.slice(&ranges)
        };
        xs.iter().zip(self.axes).map(part).collect()
    }

    fn joined(&self, join: Join<'_>, a: &[Tensor], b: &[Tensor]) -> Result<Vec<Tensor>> {
        let name = "associativeScan";
        let found = join(a, b)?;
        let alike = |(x, y): (&Tensor, &Tensor)| x.shape() == y.shape() && x.dtype() == y.dtype();
        if found.len() != a.len() || !found.iter().zip(a).all(alike) {
            let list = |xs: &[Tensor]| {
                let one = |x: &Tensor| format!("{}{}", x.dtype(), x.shape());
                xs.iter().map(one).collect::<Vec<_>>().join(", ")
            };
            let what = format!("the function must yield what it takes, {}, got {}", list(a), list(&found));
            return Err(Error::shape(name, what));
        }
        Ok(found)
    }

    fn scan(&self, join: Join<'_>, xs: &[Tensor], extent: usize) -> Result<Vec<Tensor>> {
        if extent < 2 {
            return Ok(xs.to_vec());
        }
        let pairs = extent / 2;
        let (even, odd) = (self.part(xs, 0, 2 * pairs, 2)?, self.part(xs, 1, extent, 2)?);
        let halved = self.joined(join, &even, &odd)?;
        let odd = self.scan(join, &halved, pairs)?;
        let mut even = self.part(xs, 0, 1, 1)?;
        if extent > 2 {
            let before = self.part(&odd, 0, extent.div_ceil(2) - 1, 1)?;
            let own = self.part(xs, 2, extent, 2)?;
            let later = self.joined(join, &before, &own)?;
            even = self.each(&even, &later, |first, later, axis| concat(&[first, later], axis))?;
        }
        self.each(&even, &odd, interleaved)
    }

    fn each(
        &self,
        a: &[Tensor],
        b: &[Tensor],
        both: impl Fn(&Tensor, &Tensor, i64) -> Result<Tensor>,
    ) -> Result<Vec<Tensor>> {
        a.iter().zip(b).zip(self.axes).map(|((a, b), &axis)| both(a, b, axis as i64)).collect()
    }
}

/// The elements of `even` and `odd` in turn; `even` has as many as `odd` or one more.
fn interleaved(even: &Tensor, odd: &Tensor, axis: i64) -> Result<Tensor> {
    let at = axis as usize;
    let (many, few) = (even.shape()[at], odd.shape()[at]);
    let mut ranges = vec![Range::ALL; even.rank()];
    ranges[at] = Range { start: Some(0), stop: Some(few as i64), step: 1 };
    let pairs = crate::ops::shape::join::stack(&[&even.slice(&ranges)?, odd], axis + 1)?;
    let mut extents: Vec<i64> = even.shape().iter().map(|&extent| extent as i64).collect();
    extents[at] = 2 * few as i64;
    let all = pairs.reshape(&extents)?;
    if many == few {
        return Ok(all);
    }
    ranges[at] = Range { start: Some(few as i64), stop: None, step: 1 };
    concat(&[&all, &even.slice(&ranges)?], axis)
}
