//! Linear algebra, batched over leading axes, in f32: systems, inverses, determinants,
//! factorizations, functions and norms of matrices.
//!
//! Factorizations are loops over columns or rotations, so that neither the number of kernels nor
//! the time to compile grows with the matrix. What is singular, or not positive definite, gives NaN
//! or infinities, as in JAX. Each has the derivative that mathematics gives it, as a function of
//! its results; those are used for derivatives of derivatives too.
//!
//! Deferred: few programs factorise matrices.

mod construct;
mod divide_and_conquer;
mod factor;
mod functions;
mod householder;
mod inverse;
mod norms;
mod spectral;

pub use construct::{block_diag, tensor_inv, tensor_solve, toeplitz};
pub use factor::{cholesky, lu, qr};
pub use functions::{expm, multi_dot, power};
pub use inverse::{det, inv, slogdet, solve, triangular_solve};
pub use norms::{Order, cond, matrix_norm, norm, vector_norm};
pub use spectral::{Half, eigh, eigh_of, eigvalsh, eigvalsh_of, lstsq, matrix_rank, pinv, svd, svdvals};

use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::ops::term::Term;
use crate::transform::custom::ruled;
use weft_ir::{DType, Error, Result};

/// How often a derivative can be taken of what is given by its formula; beyond that it is taken of
/// the loop that computes it.
const LEVELS: u8 = 2;

/// Matrices in f32. Errors with `Shape` below two axes.
fn matrices(name: &str, x: &Tensor) -> Result<Tensor> {
    if x.rank() < 2 {
        return Err(Error::shape(name, format!("takes matrices, got {}", x.shape())));
    }
    build::cast(name, x, DType::F32)
}

/// Square matrices in f32, and how many rows they have. Errors with `Shape` for others.
fn square(name: &str, x: &Tensor) -> Result<(Tensor, usize)> {
    let x = matrices(name, x)?;
    let (rows, columns) = sides(&x);
    if rows != columns {
        return Err(Error::shape(name, format!("takes square matrices, got {}", x.shape())));
    }
    Ok((x, rows))
}

/// Rows and columns.
fn sides(x: &Tensor) -> (usize, usize) {
    let rank = x.rank();
    (x.shape()[rank - 2], x.shape()[rank - 1])
}

/// The extents before the last two, and others.
fn batched(x: &Tensor, last: &[usize]) -> Vec<usize> {
    [&x.shape()[..x.rank() - 2], last].concat()
}

/// With zero rows and columns behind those of matrices.
fn padded(x: &Term, rows: usize, columns: usize) -> Term {
    x.map(|x| {
        let mut pads = vec![(0, 0); x.rank()];
        let rank = x.rank();
        (pads[rank - 2].1, pads[rank - 1].1) = (rows, columns);
        x.pad(&pads, 0.0)
    })
}

fn list<const N: usize>(terms: [Term; N]) -> Result<Vec<Tensor>> {
    terms.into_iter().map(|term| term.0).collect()
}

/// `f(inputs)`, whose tangents `rule` gives of the inputs, their tangents, and the level for what
/// it calls.
fn derived(
    inputs: &[&Tensor],
    level: u8,
    f: impl FnOnce(&[Tensor]) -> Result<Vec<Tensor>>,
    rule: impl FnOnce(&[Term], &[Term], u8) -> Result<Vec<Tensor>>,
) -> Result<Vec<Tensor>> {
    if level == 0 {
        return f(&inputs.iter().map(|&x| x.clone()).collect::<Vec<_>>());
    }
    let terms = |tensors: &[Tensor]| tensors.iter().map(Term::of).collect::<Vec<_>>();
    ruled(f, |inputs, tangents| rule(&terms(inputs), &terms(tangents), level - 1), inputs)
}

/// The only one of a list.
fn only(made: Result<Vec<Tensor>>) -> Result<Tensor> {
    Ok(made?.swap_remove(0))
}

/// The state after `count` iterations of `f`, which are not tried where there are none: an empty
/// matrix has no column to look at.
fn repeated(
    count: usize,
    f: impl FnOnce(&Tensor, &[Tensor]) -> Result<Vec<Tensor>>,
    state: &[&Tensor],
) -> Result<Vec<Tensor>> {
    if count == 0 {
        return Ok(state.iter().map(|&x| x.clone()).collect());
    }
    state[0].device().for_loop(0, count as i32, f, state)
}
