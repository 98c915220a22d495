//! Matrices made of vectors and of blocks, and systems of tensors.

use super::inverse::{inv, solve};
use crate::device::tensor::Tensor;
use crate::lazy::build;
use weft_ir::{DType, Error, Result, Shape};

/// The matrix whose diagonals are constant: its first column is `column`, its first row `row` (but
/// for its first element), or the column again. Batches of both broadcast.
///
/// Errors with `Shape` for 0-d tensors and batches that do not broadcast.
pub fn toeplitz(column: &Tensor, row: Option<&Tensor>) -> Result<Tensor> {
    let name = "linalg.toeplitz";
    let row = row.unwrap_or(column);
    let (Some(&rows), Some(&columns)) = (column.shape().last(), row.shape().last()) else {
        return Err(Error::shape(name, "takes vectors, got a number"));
    };
    let before = |x: &Tensor| Shape::from(x.shape()[..x.rank() - 1].to_vec());
    let batch = Shape::broadcast(name, &before(column), &before(row))?;
    let whole = |x: &Tensor, extent: usize| x.broadcast_to(&[&batch[..], &[extent]].concat());
    // From the upper right corner down to the lower left one.
    let dtype = DType::promote(column.dtype(), row.dtype());
    let right = whole(row, columns)?.cast(dtype)?.flip(Some(&[-1]))?;
    let corners = right.between(name, batch.rank(), 0, columns as i64 - 1)?;
    let values = crate::concat(&[&corners, &whole(column, rows)?.cast(dtype)?], -1)?;
    Shape::checked(name, &[&batch[..], &[rows, columns]].concat())?;
    let matrix = Shape::from(vec![rows, columns]);
    let [row, column] = [0, 1].map(|axis| values.device().positions(name, &matrix, axis, DType::I32));
    values.take(&row?.sub(column?)?.add(columns as f64 - 1.0)?, Some(-1))
}

/// Matrices along the diagonal, with zeros elsewhere; vectors and numbers are rows. Errors with
/// `Shape` for more axes, with `Value` for no blocks.
pub fn block_diag(blocks: &[Tensor]) -> Result<Tensor> {
    let name = "linalg.blockDiag";
    let rows = |x: &Tensor| match x.rank() {
        0 => x.reshape(&[1, 1]),
        1 => x.expand_dims(0),
        2 => Ok(x.clone()),
        _ => Err(Error::shape(name, format!("a block is a matrix, got {}", x.shape()))),
    };
    let blocks = blocks.iter().map(rows).collect::<Result<Vec<_>>>()?;
    let columns: usize = blocks.iter().map(|block| block.shape()[1]).sum();
    let mut before = 0;
    let mut bands = Vec::new();
    for block in &blocks {
        let own = block.shape()[1];
        bands.push(block.pad(&[(0, 0), (before, columns - before - own)], 0.0)?);
        before += own;
    }
    crate::concat(&bands.iter().collect::<Vec<_>>(), 0)
}

/// The x for which the sum of products of `a` and x over all axes of x is `b`: x has the axes of
/// `a` behind those of `b`, or behind all others once `axes` of it stand last.
///
/// Errors with `Shape` where `a` has not as many elements along the axes of `b` as along the
/// others, with `Axis` for axes out of range.
pub fn tensor_solve(a: &Tensor, b: &Tensor, axes: Option<&[i64]>) -> Result<Tensor> {
    let name = "linalg.tensorsolve";
    let last = match axes {
        None => a.clone(),
        Some(axes) => {
            let moved = a.shape().axes(name, Some(axes))?;
            let kept = (0..a.rank()).filter(|axis| !moved.contains(axis));
            let order: Vec<usize> = kept.chain(moved.iter().copied()).collect();
            build::permute(name, a, order)?
        }
    };
    let unfit = || Error::shape(name, format!("{} is no system for {}", a.shape(), b.shape()));
    let own = &last.shape()[b.rank().min(a.rank())..];
    let size: usize = own.iter().product();
    if b.rank() > a.rank() || size != b.size() || size * size != a.size() {
        return Err(unfit());
    }
    let side = size as i64;
    let solved = solve(&last.reshape(&[side, side])?, &b.reshape(&[side])?)?;
    build::reshape(name, &solved, &Shape::from(own.to_vec()))
}

/// The tensor whose product over `count` axes with `a` gives an identity: `a` as a matrix whose
/// rows are its first `count` axes, inverted.
///
/// Errors with `Value` for a count of 0, with `Shape` where the matrix is not square.
pub fn tensor_inv(a: &Tensor, count: usize) -> Result<Tensor> {
    let name = "linalg.tensorinv";
    if count == 0 {
        return Err(Error::value(name, "takes one axis of rows or more"));
    }
    let (first, rest) = a.shape().split_at(count.min(a.rank()));
    let (rows, columns) = (first.iter().product::<usize>(), rest.iter().product::<usize>());
    if rows != columns {
        return Err(Error::shape(
            name,
            format!("{} is {rows} rows of {columns} along the first {count} axes", a.shape()),
        ));
    }
    let inverse = inv(&a.reshape(&[rows as i64, columns as i64])?)?;
    build::reshape(name, &inverse, &Shape::from([rest, first].concat()))
}
