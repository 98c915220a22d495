//! Concatenation and stacking.
//!
//! Each piece is padded to the whole and the right one is selected by position, which is exact for
//! every dtype and fuses. Many pieces are joined in rounds of a few, so that no element is chosen
//! among hundreds.

use crate::device::tensor::Tensor;
use crate::lazy::build;
use weft_ir::op::{Coefficient, Compare, Op, View};
use weft_ir::{DType, Error, Literal, Result, Shape};

/// Pieces joined at once.
const FEW: usize = 8;

/// The tensors one after the other along `axis`; dtypes promote. Errors with `Shape` when other
/// axes differ, `Axis` when `axis` is out of range, `Value` for no tensors.
pub fn concat(tensors: &[&Tensor], axis: i64) -> Result<Tensor> {
    let owned: Vec<Tensor> = tensors.iter().map(|&t| t.clone()).collect();
    joined("concat", owned, axis)
}

/// The tensors side by side along a new axis at position `axis` of the result; dtypes promote.
/// Errors with `Shape` when shapes differ, `Axis` when `axis` is out of range, `Value` for no
/// tensors.
pub fn stack(tensors: &[&Tensor], axis: i64) -> Result<Tensor> {
    let first = tensors.first().ok_or_else(|| nothing("stack"))?;
    if let Some(other) = tensors.iter().find(|t| t.shape() != first.shape()) {
        let what = format!("all shapes must be equal, got {} and {}", first.shape(), other.shape());
        return Err(Error::shape("stack", what));
    }
    let mut extents = first.shape().to_vec();
    let widened: Shape = [&extents[..], &[1]].concat().into();
    let axis = widened.axis("stack", axis)?;
    extents.insert(axis, 1);
    let shape = Shape::checked("stack", &extents)?;
    let widened = tensors.iter().map(|t| build::reshape("stack", t, &shape)).collect::<Result<Vec<_>>>()?;
    joined("stack", widened, axis as i64)
}

fn nothing(name: &str) -> Error {
    Error::value(name, "takes at least one tensor")
}

fn joined(name: &str, tensors: Vec<Tensor>, axis: i64) -> Result<Tensor> {
    let first = tensors.first().ok_or_else(|| nothing(name))?;
    let axis = first.shape().axis(name, axis)?;
    let rest = |t: &Tensor| t.shape().without(&[axis]);
    for other in &tensors {
        if other.rank() != first.rank() || rest(other) != rest(first) {
            let what = format!("{} and {} differ in another axis than {axis}", first.shape(), other.shape());
            return Err(Error::shape(name, what));
        }
    }
    let dtype = tensors.iter().map(Tensor::dtype).fold(DType::Bool, DType::promote);
    let mut pieces = tensors.iter().map(|t| build::cast(name, t, dtype)).collect::<Result<Vec<_>>>()?;
    if let Some(full) = pieces.iter().position(|p| p.shape()[axis] > 0) {
        pieces.drain(..full);
        pieces.retain(|p| p.shape()[axis] > 0);
    } else {
        pieces.truncate(1);
    }
    while pieces.len() > FEW {
        let round = pieces.chunks(FEW).map(|few| {
            let part = join_few(name, few, axis)?;
            part.device().append(name, Op::Cut, &[&part])
        });
        pieces = round.collect::<Result<Vec<_>>>()?;
    }
    join_few(name, &pieces, axis)
}

fn join_few(name: &str, pieces: &[Tensor], axis: usize) -> Result<Tensor> {
    if let [only] = pieces {
        return Ok(only.clone());
    }
    let mut extents = pieces[0].shape().to_vec();
    extents[axis] = pieces.iter().map(|p| p.shape()[axis]).fold(0, usize::saturating_add);
    let shape = Shape::checked(name, &extents)?;
    let device = pieces[0].device();
    let position = device.positions(name, &shape, axis, DType::I32)?;
    let mut whole: Option<Tensor> = None;
    let mut start = 0;
    for piece in pieces {
        let mut low = vec![Coefficient::Const(0); shape.rank()];
        low[axis] = Coefficient::Const(start as i64);
        let interior = vec![0; shape.rank()];
        let view = View::Pad { low, interior, shape: shape.clone(), value: Literal::zero(piece.dtype()) };
        let padded = device.append(name, Op::View(view), &[piece])?;
        whole = Some(match whole {
            None => padded,
            Some(before) => {
                let bound = build::constant_like(name, &position, Literal::I32(start as i32))?;
                let earlier = build::compare(name, Compare::Lt, &position, &bound)?;
                build::select(name, &earlier, &before, &padded)?
            }
        });
        start += piece.shape()[axis];
    }
    Ok(whole.expect("there is at least one piece"))
}
