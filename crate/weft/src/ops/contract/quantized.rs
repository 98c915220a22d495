//! Products with matrices of four bits an element.
//!
//! A product sums over a matrix's rows. They come in groups, each column of which has a scale;
//! eight rows are one row of words. Unpacking is shifts and a product, which fuse into their
//! readers: a product never writes a packed matrix out in full.
//!
//! Deferred: few models are quantised.

use crate::device::tensor::Tensor;
use crate::lazy::build;
use weft_ir::op::{Binary, Compare, ReduceOp};
use weft_ir::{DType, Error, Literal, Result, Shape};

/// How many elements a word holds.
const LANES: usize = 8;

/// The largest magnitude, in scales; what is stored is 8 more than the number.
const LARGEST: f64 = 7.0;

/// The shape of the axes before the last two, and their extents.
fn sides(name: &str, x: &Tensor) -> Result<(Vec<usize>, usize, usize)> {
    let Some((outer, &[rows, columns])) = x.shape().split_last_chunk::<2>() else {
        return Err(Error::shape(name, format!("{} is no matrix", x.shape())));
    };
    Ok((outer.to_vec(), rows, columns))
}

fn shape(outer: &[usize], inner: &[usize]) -> Shape {
    [outer, inner].concat().as_slice().into()
}

/// Words and scales of a matrix, or of a stack of them, whose rows are taken in groups of `group`.
/// Errors with `Shape` where the rows are no whole groups, and with `Value` for groups that are no
/// multiple of 8.
pub fn quantize4(x: &Tensor, group: usize) -> Result<Vec<Tensor>> {
    let name = "quantize4";
    let (outer, rows, columns) = sides(name, x)?;
    if group == 0 || !group.is_multiple_of(LANES) {
        return Err(Error::value(name, format!("a group is a multiple of {LANES} rows, got {group}")));
    }
    if !rows.is_multiple_of(group) {
        return Err(Error::shape(name, format!("{} has no whole groups of {group} rows", x.shape())));
    }
    let groups = rows / group;
    let x = build::cast(name, x, DType::F32)?;
    let x = build::reshape(name, &x, &shape(&outer, &[groups, group, columns]))?;
    let axis = outer.len() + 1;
    let largest = build::reduce(name, ReduceOp::Max, &x.abs()?, &[axis], true)?;
    let scales = largest.mul(1.0 / LARGEST)?;
    // A group of zeros may have any scale but 0, which would be divided by.
    let zero =
        build::compare(name, Compare::Eq, &scales, &build::constant_like(name, &scales, Literal::F32(0.0))?)?;
    let divisor =
        build::select(name, &zero, &build::constant_like(name, &scales, Literal::F32(1.0))?, &scales)?;
    let whole = x.div(divisor)?.round()?.clip(Some(-LARGEST), Some(LARGEST))?.add(8.0)?;
    let words = shape(&outer, &[rows / LANES, LANES, columns]);
    let lanes = build::reshape(name, &build::cast(name, &whole, DType::U32)?, &words)?;
    let shifts = lane_shifts(name, &lanes, outer.len() + 1)?;
    let lanes = build::binary(name, Binary::Shl, &lanes, &shifts)?;
    // No two lanes have a bit in common, so that their sum is their union.
    let packed = build::reduce(name, ReduceOp::Sum, &lanes, &[outer.len() + 1], false)?;
    Ok(vec![packed, build::reshape(name, &scales, &shape(&outer, &[groups, columns]))?])
}

/// By how much each lane is shifted, for lanes along `axis`.
fn lane_shifts(name: &str, lanes: &Tensor, axis: usize) -> Result<Tensor> {
    let places = lanes.device().positions(name, lanes.shape(), axis, DType::U32)?;
    let four = build::constant_like(name, &places, Literal::U32(4))?;
    build::binary(name, Binary::Mul, &places, &four)
}

/// What [`quantize4`] packed, as f32. Errors with `Shape` where words and scales do not fit, with
/// `DType` unless the words are u32.
pub fn dequantize4(packed: &Tensor, scales: &Tensor) -> Result<Tensor> {
    unpacked("dequantize4", packed, scales)
}

/// The product of activations and a matrix that [`quantize4`] packed. Errors as [`dequantize4`] and
/// [`Tensor::matmul`] do.
pub fn matmul4(x: &Tensor, packed: &Tensor, scales: &Tensor) -> Result<Tensor> {
    let x = build::cast("matmul4", x, DType::F32)?;
    x.matmul(&unpacked("matmul4", packed, scales)?)
}

fn unpacked(name: &str, packed: &Tensor, scales: &Tensor) -> Result<Tensor> {
    if packed.dtype() != DType::U32 {
        return Err(Error::dtype(name, format!("packed weights are words of u32, got {}", packed.dtype())));
    }
    let (outer, words, columns) = sides(name, packed)?;
    let (around, groups, width) = sides(name, scales)?;
    let rows = words * LANES;
    let fits = around == outer && width == columns && (groups == 0) == (rows == 0);
    if !fits || (groups > 0 && (!rows.is_multiple_of(groups) || !(rows / groups).is_multiple_of(LANES))) {
        let what = format!("packed weights {} do not fit scales {}", packed.shape(), scales.shape());
        return Err(Error::shape(name, what));
    }
    let (all, lanes) = (shape(&outer, &[rows, columns]), shape(&outer, &[words, LANES, columns]));
    if all.size() == 0 {
        return packed.device().zeros(&all, DType::F32);
    }
    let spread = |x: &Tensor, count: usize, to: &[usize]| -> Result<Tensor> {
        let one = build::reshape(name, x, &shape(&outer, &[count, 1, columns]))?;
        build::expand(name, &one, &shape(&outer, to))
    };
    let held = spread(packed, words, &[words, LANES, columns])?;
    let held = build::binary(name, Binary::Shr, &held, &lane_shifts(name, &held, lanes.rank() - 2)?)?;
    let held =
        build::binary(name, Binary::And, &held, &build::constant_like(name, &held, Literal::U32(15))?)?;
    let number = build::cast(name, &held, DType::F32)?.sub(8.0)?;
    let number = build::reshape(name, &number, &all)?;
    let scales = spread(&build::cast(name, scales, DType::F32)?, groups, &[groups, rows / groups, columns])?;
    let scales = build::reshape(name, &scales, &all)?;
    build::binary(name, Binary::Mul, &number, &scales)
}
