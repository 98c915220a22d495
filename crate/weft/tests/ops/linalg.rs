//! Linear algebra at sizes beyond a workgroup, and the cost of compiling it, which does not grow
//! with the matrix.

use crate::support::rotation::share;
use crate::support::{cpu, floats, gpu, hardware, item};
use weft::linalg::{self, Order};
use weft::{Device, Result, Tensor, random};

/// Of the norm of what should be 0 and of what it is beside.
fn off(rest: &Tensor, whole: &Tensor) -> f64 {
    item(&rest.norm(2.0, None, false).unwrap()) / item(&whole.norm(2.0, None, false).unwrap())
}

fn normals(device: &Device, shape: &[usize]) -> Tensor {
    random::normal(&random::key(device, 7).unwrap(), shape, 0.0, 1.0).unwrap()
}

fn transposed(x: &Tensor) -> Tensor {
    x.swap_axes(-1, -2).unwrap()
}

fn identity_like(x: &Tensor) -> Tensor {
    let n = *x.shape().last().unwrap();
    x.device().eye(n, n, 0, x.dtype()).unwrap()
}

/// By how much each function misses what defines it, at n rows.
fn residuals(device: &Device, n: usize) -> Result<Vec<(&'static str, f64)>> {
    let (a, b) = (normals(device, &[n, n]), normals(device, &[n, 3]));
    let one = identity_like(&a);
    let x = linalg::solve(&a, &b)?;
    let mut found = vec![("solve", off(&a.matmul(&x)?.sub(&b)?, &x.mul(a.norm(2.0, None, false)?)?))];
    let definite = a.matmul(&transposed(&a))?.div(n as f64)?.add(&one)?;
    let l = linalg::cholesky(&definite, false)?;
    found.push(("cholesky", off(&l.matmul(&transposed(&l))?.sub(&definite)?, &definite)));
    let y = linalg::triangular_solve(&l, &b, true, false, false)?;
    found.push(("triangularSolve", off(&l.matmul(&y)?.sub(&b)?, &b)));
    let inverse = linalg::inv(&definite)?;
    found.push(("inv", off(&definite.matmul(&inverse)?.sub(&one)?, &one)));
    let tall = normals(device, &[n + n / 2, n]);
    let [q, r] = linalg::qr(&tall, false)?.try_into().expect("two factors");
    found.push(("qr", off(&q.matmul(&r)?.sub(&tall)?, &tall)));
    found.push(("Q", off(&transposed(&q).matmul(&q)?.sub(&one)?, &one)));
    let symmetric = a.add(transposed(&a))?;
    let [w, v] = linalg::eigh(&symmetric)?.try_into().expect("values and vectors");
    found.push(("eigh", off(&symmetric.matmul(&v)?.sub(v.mul(&w)?)?, &symmetric)));
    found.push(("V", off(&transposed(&v).matmul(&v)?.sub(&one)?, &one)));
    assert!(floats(&w).is_sorted(), "eigenvalues ascend");
    let [u, s, vt] = linalg::svd(&tall, false)?.try_into().expect("three factors");
    found.push(("svd", off(&u.mul(&s)?.matmul(&vt)?.sub(&tall)?, &tall)));
    found.push(("U", off(&transposed(&u).matmul(&u)?.sub(&one)?, &one)));
    found.push(("Vt", off(&vt.matmul(&transposed(&vt))?.sub(&one)?, &one)));
    assert!(floats(&s).iter().rev().is_sorted(), "singular values descend");
    let norm = item(&linalg::matrix_norm(&tall, Order::Nuclear, false)?);
    found.push(("nuclear", (norm / f64::from(floats(&s).iter().sum::<f32>()) - 1.0).abs()));
    Ok(found)
}

fn check(device: &Device, n: usize) {
    for (name, off) in residuals(device, n).unwrap() {
        // What is too large here is NaN too.
        assert!(off < 1e-5, "{name} of {n} rows is off by {off:.1e}");
    }
}

#[test]
fn beyond_a_workgroup() {
    check(&cpu(), 61);
    let on_gpus = [(gpu(), 130), (hardware(), 67)];
    let (first, step) = share(2, 0);
    on_gpus.iter().skip(first).step_by(step).for_each(|(device, n)| check(device, *n));
}

#[test]
fn what_is_compiled_does_not_grow() {
    let device = gpu();
    let kernels = |n: usize| {
        let before = device.stats().pipelines_compiled;
        residuals(&device, n).unwrap();
        device.stats().pipelines_compiled - before
    };
    let (few, many) = (kernels(24), kernels(64));
    assert!(many <= few + few / 4, "{few} pipelines for 24 rows, {many} for 64");
}

#[test]
fn eigenvalues_that_are_close_or_equal_have_orthonormal_vectors() {
    let n = 42;
    let matrix = |entry: &dyn Fn(usize, usize) -> f32| -> Vec<f32> {
        (0..n * n).map(|at| entry(at / n, at % n)).collect()
    };
    let beside = |i: usize, j: usize| i.abs_diff(j) == 1;
    let wilkinson = |i: usize, j: usize| match i == j {
        true => (i % 21).abs_diff(10) as f32,
        false => f32::from(u8::from(beside(i, j))) * if i.max(j) == 21 { 1e-5 } else { 1.0 },
    };
    let laplace = |i: usize, j: usize| if i == j { 2.0 } else { -f32::from(u8::from(beside(i, j))) };
    let of_rank_one = |i: usize, j: usize| ((i + 1) * (j + 1)) as f32;
    let device = gpu();
    for (name, entries) in
        [("wilkinson", matrix(&wilkinson)), ("laplace", matrix(&laplace)), ("rank one", matrix(&of_rank_one))]
    {
        let a = device.tensor(&entries, &[n, n]).unwrap();
        let one = identity_like(&a);
        let [w, v] = linalg::eigh(&a).unwrap().try_into().expect("values and vectors");
        let missed = off(&a.matmul(&v).unwrap().sub(v.mul(&w).unwrap()).unwrap(), &a);
        let apart = off(&transposed(&v).matmul(&v).unwrap().sub(&one).unwrap(), &one);
        assert!(missed < 1e-5 && apart < 1e-5, "{name} is off by {missed:.1e}, its vectors by {apart:.1e}");
    }
}
