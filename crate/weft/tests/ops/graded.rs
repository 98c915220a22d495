//! Factorizations and solutions of hard matrices: graded, nearly singular, of equal eigenvalues, of
//! too low a rank, zero, and of numbers whose squares f32 does not hold. The tests compute
//! residuals in f64 and compare them with the norms of the operands; gradients are finite wherever
//! JAX's are in f32 (0.10.2, the same kinds of matrices).

use crate::support::rotation::share;
use crate::support::{cpu, floats, gpu, hardware};
use weft::linalg;
use weft::{Device, Result, Tensor, grad};

/// A square matrix in f64.
#[derive(Clone)]
struct Matrix {
    n: usize,
    of: Vec<f64>,
}

impl Matrix {
    fn new(n: usize, of: impl Fn(usize, usize) -> f64) -> Matrix {
        Matrix { n, of: (0..n * n).map(|at| of(at / n, at % n)).collect() }
    }

    fn read(x: &Tensor) -> Matrix {
        let n = *x.shape().last().unwrap();
        Matrix { n, of: floats(x).into_iter().map(f64::from).collect() }
    }

    fn t(&self) -> Matrix {
        Matrix::new(self.n, |i, j| self.of[j * self.n + i])
    }

    fn times(&self, other: &Matrix) -> Matrix {
        let n = self.n;
        Matrix::new(n, |i, j| (0..n).map(|k| self.of[i * n + k] * other.of[k * n + j]).sum())
    }

    fn scaled(&self, by: f64) -> Matrix {
        Matrix { n: self.n, of: self.of.iter().map(|x| x * by).collect() }
    }

    fn less(&self, other: &Matrix) -> Matrix {
        Matrix { n: self.n, of: self.of.iter().zip(&other.of).map(|(a, b)| a - b).collect() }
    }

    fn norm(&self) -> f64 {
        self.of.iter().map(|x| x * x).sum::<f64>().sqrt()
    }

    /// As the device holds it.
    fn upload(&self, device: &Device) -> (Tensor, Matrix) {
        let data: Vec<f32> = self.of.iter().map(|&x| x as f32).collect();
        let x = device.tensor(&data, &[self.n, self.n]).unwrap();
        (x, Matrix { n: self.n, of: data.into_iter().map(f64::from).collect() })
    }
}

/// Numbers without a pattern in [−1, 1).
fn noise(n: usize, salt: u32) -> Matrix {
    let hashed = |k: u32| (k ^ salt).wrapping_mul(0x9e37_79b9).rotate_left(13).wrapping_mul(0x85eb_ca6b);
    Matrix::new(n, |i, j| f64::from(hashed((i * n + j) as u32) >> 8) / 8_388_608.0 - 1.0)
}

/// An orthogonal matrix: of noise, column after column.
fn turn(n: usize, salt: u32) -> Matrix {
    let mut rows: Vec<Vec<f64>> = noise(n, salt).of.chunks(n).map(<[f64]>::to_vec).collect();
    for i in 0..n {
        for _ in 0..2 {
            for j in 0..i {
                let inner: f64 = rows[i].iter().zip(&rows[j]).map(|(a, b)| a * b).sum();
                let other = rows[j].clone();
                rows[i].iter_mut().zip(other).for_each(|(a, b)| *a -= inner * b);
            }
        }
        let size = rows[i].iter().map(|x| x * x).sum::<f64>().sqrt();
        rows[i].iter_mut().for_each(|x| *x /= size);
    }
    Matrix { n, of: rows.concat() }
}

fn diagonal(n: usize, of: impl Fn(usize) -> f64) -> Matrix {
    Matrix::new(n, |i, j| if i == j { of(i) } else { 0.0 })
}

/// What makes each of them hard.
const KINDS: [&str; 7] = ["graded", "nearly singular", "repeated", "deficient", "zero", "tiny", "huge"];

/// Of the kind, any matrix; a symmetric one; and a definite one, where there is one.
fn matrices(kind: &str, n: usize) -> (Matrix, Matrix, Option<Matrix>) {
    let (a, q) = (noise(n, 1), turn(n, 2));
    let around = |w: Matrix| q.times(&w).times(&q.t());
    let definite = Matrix::new(n, |i, j| if i == j { 4.1 } else { 0.1 });
    let symmetric = Matrix::new(n, |i, j| a.of[i * n + j] + a.of[j * n + i]);
    match kind {
        "graded" => {
            let d = diagonal(n, |i| 0.5f64.powi(i as i32));
            let graded = |x: &Matrix| d.times(x).times(&d);
            (graded(&a), graded(&symmetric), Some(graded(&definite)))
        }
        "nearly singular" => {
            let w = diagonal(n, |i| 10f64.powf(-6.0 * i as f64 / n as f64));
            (q.times(&w).times(&turn(n, 3)), around(w.clone()), Some(around(w)))
        }
        "repeated" => {
            let x = around(diagonal(n, |i| 1.0 + (i / 4) as f64));
            (x.clone(), x.clone(), Some(x))
        }
        "deficient" => {
            let thin = Matrix::new(n, |i, j| if j < 3 { a.of[i * n + j] } else { 0.0 });
            (thin.times(&noise(n, 4)), thin.times(&thin.t()), None)
        }
        "zero" => (Matrix::new(n, |_, _| 0.0), Matrix::new(n, |_, _| 0.0), None),
        "tiny" => (a.scaled(1e-30), symmetric.scaled(1e-30), Some(definite.scaled(1e-30))),
        "huge" => (a.scaled(1e30), symmetric.scaled(1e30), Some(definite.scaled(1e30))),
        _ => unreachable!("all kinds are above"),
    }
}

fn one(n: usize) -> Matrix {
    diagonal(n, |_| 1.0)
}

/// What each leaves over, as a share of the norms of what it is made of.
fn residuals(device: &Device, kind: &str, n: usize) -> Result<Vec<(&'static str, f64)>> {
    let (a, symmetric, definite) = matrices(kind, n);
    let ((a, of), (s, of_s)) = (a.upload(device), symmetric.upload(device));
    let part = |rest: Matrix, whole: f64| if rest.norm() == 0.0 { 0.0 } else { rest.norm() / whole };
    let mut found = Vec::new();
    let [q, r] = linalg::qr(&a, false)?.try_into().expect("two factors");
    let (q, r) = (Matrix::read(&q), Matrix::read(&r));
    found.push(("qr", part(q.times(&r).less(&of), of.norm())));
    found.push(("Q", part(q.t().times(&q).less(&one(n)), one(n).norm())));
    let [packed, _, order] = linalg::lu(&a)?.try_into().expect("three results");
    let (packed, order) = (Matrix::read(&packed), floats(&order.cast(weft::DType::F32)?));
    let l = Matrix::new(n, |i, j| {
        if i == j {
            1.0
        } else if i > j {
            packed.of[i * n + j]
        } else {
            0.0
        }
    });
    let u = Matrix::new(n, |i, j| if i <= j { packed.of[i * n + j] } else { 0.0 });
    let moved = Matrix::new(n, |i, j| of.of[order[i] as usize * n + j]);
    assert!(l.of.iter().all(|x| x.abs() <= 1.0), "{kind}: a pivot is not the largest");
    found.push(("lu", part(l.times(&u).less(&moved), of.norm())));
    let [w, v] = linalg::eigh(&s)?.try_into().expect("values and vectors");
    let (w, v) = (floats(&w), Matrix::read(&v));
    let w = diagonal(n, |i| f64::from(w[i]));
    found.push(("eigh", part(of_s.times(&v).less(&v.times(&w)), of_s.norm())));
    found.push(("V", part(v.t().times(&v).less(&one(n)), one(n).norm())));
    let [u, values, vt] = linalg::svd(&a, false)?.try_into().expect("three factors");
    let (u, values, vt) = (Matrix::read(&u), floats(&values), Matrix::read(&vt));
    let again = u.times(&diagonal(n, |i| f64::from(values[i]))).times(&vt);
    found.push(("svd", part(again.less(&of), of.norm())));
    found.push(("U", part(u.t().times(&u).less(&one(n)), one(n).norm())));
    found.push(("Vᵀ", part(vt.times(&vt.t()).less(&one(n)), one(n).norm())));
    // Of what can be solved, the right side and the solution; of what cannot, the least squares:
    // what is left stands on all columns.
    let sides = noise(n, 5);
    let (b, of_b) = sides.upload(device);
    if !["deficient", "zero"].contains(&kind) {
        let x = Matrix::read(&linalg::solve(&a, &b)?);
        let rest = of.times(&x).less(&of_b);
        found.push(("solve", part(rest, of.norm() * x.norm() + of_b.norm())));
    }
    let [x, _, rank, _] = linalg::lstsq(&a, &b, None)?.try_into().expect("four results");
    let x = Matrix::read(&x);
    let rest = of.times(&x).less(&of_b);
    let whole = of.norm() * (of.norm() * x.norm() + of_b.norm());
    found.push(("lstsq", part(of.t().times(&rest), whole)));
    let rank = floats(&rank.cast(weft::DType::F32)?)[0];
    match kind {
        "deficient" => assert_eq!(rank, 3.0),
        "zero" => assert_eq!(rank, 0.0),
        "repeated" | "tiny" | "huge" => assert_eq!(rank, n as f32, "{kind}"),
        _ => {}
    }
    if let Some(definite) = definite {
        let (x, of) = definite.upload(device);
        let l = Matrix::read(&linalg::cholesky(&x, false)?);
        found.push(("cholesky", part(l.times(&l.t()).less(&of), of.norm())));
    }
    Ok(found)
}

/// ε of f32 times the rows: what rounding of a factorization may come to (Higham, *Accuracy and
/// Stability of Numerical Algorithms*, sections 9.3, 10.1, 19.3).
fn bound(n: usize) -> f64 {
    f64::from(f32::EPSILON) * n as f64
}

fn check(device: &Device, n: usize) {
    let mut wrong = Vec::new();
    for kind in KINDS {
        for (name, off) in residuals(device, kind, n).unwrap() {
            if off.is_nan() || off >= bound(n) {
                wrong.push(format!("{name} of {n} rows, {kind}: {off:.1e}"));
            }
        }
    }
    assert!(wrong.is_empty(), "beyond {:.1e}: {wrong:#?}", bound(n));
}

#[test]
fn residuals_on_the_cpu() {
    check(&cpu(), 24);
}

/// The one that `linalg::beyond_a_workgroup` leaves out.
#[test]
fn residuals_on_a_gpu_or_as_on_hardware() {
    let on_gpus = [(gpu(), 40), (hardware(), 33)];
    let (first, step) = share(2, 1);
    on_gpus.iter().skip(first).step_by(step).for_each(|(device, n)| check(device, *n));
}

type Function = fn(&Tensor) -> Result<Tensor>;

fn total(parts: Vec<Tensor>) -> Result<Tensor> {
    let sums = parts.iter().map(|x| x.sum(None, false));
    sums.reduce(|a, b| a?.add(&b?)).expect("there are results")
}

/// Scalars, and the kinds of matrices at which JAX's gradient is finite; `definite` for those that
/// take such a matrix.
const GRADIENTS: [(&str, Function, &[&str]); 13] = [
    (
        "solve",
        |a| total(vec![linalg::solve(a, &a.device().ones(&[a.shape()[0]], a.dtype())?)?]),
        &["graded", "nearly singular", "repeated", "deficient", "huge"],
    ),
    (
        "inv",
        |a| total(vec![linalg::inv(a)?]),
        &["graded", "nearly singular", "repeated", "deficient", "huge"],
    ),
    ("det", linalg::det, &["graded", "nearly singular", "repeated", "deficient", "zero", "tiny"]),
    (
        "slogdet",
        |a| Ok(linalg::slogdet(a)?.swap_remove(1)),
        &["graded", "nearly singular", "repeated", "deficient", "tiny", "huge"],
    ),
    (
        "qr",
        |a| total(linalg::qr(a, false)?),
        &["graded", "nearly singular", "repeated", "deficient", "tiny", "huge"],
    ),
    (
        "lu",
        |a| linalg::lu(a)?[0].triu(0)?.sum(None, false),
        &["graded", "nearly singular", "repeated", "deficient", "tiny", "huge"],
    ),
    ("svdvals", |a| total(vec![linalg::svdvals(a)?]), &KINDS),
    ("svd", |a| total(linalg::svd(a, false)?), &["graded", "nearly singular", "deficient", "huge"]),
    (
        "lstsq",
        |a| linalg::lstsq(a, &a.device().ones(&[a.shape()[0]], a.dtype())?, None)?[0].sum(None, false),
        &["graded", "nearly singular", "deficient", "huge"],
    ),
    (
        "pinv",
        |a| total(vec![linalg::pinv(a, None)?]),
        &["graded", "nearly singular", "repeated", "deficient", "zero", "huge"],
    ),
    ("eigvalsh", |a| total(vec![linalg::eigvalsh(a)?]), &KINDS),
    ("eigh", |a| total(linalg::eigh(a)?), &["graded", "nearly singular", "deficient", "tiny"]),
    (
        "cholesky",
        |a| total(vec![linalg::cholesky(a, false)?]),
        &["graded", "nearly singular", "repeated", "tiny", "huge"],
    ),
];

#[test]
fn gradients_are_finite_where_those_of_jax_are() {
    let mut wrong = Vec::new();
    let n = 24;
    for (device, (first, step)) in [(cpu(), (0, 1)), (gpu(), share(2, 2))] {
        for (name, f, kinds) in GRADIENTS.into_iter().skip(first).step_by(step) {
            for kind in kinds {
                let (any, symmetric, definite) = matrices(kind, n);
                let x = match name {
                    "eigvalsh" | "eigh" => symmetric,
                    "cholesky" => definite.expect("a definite matrix of the kind"),
                    _ => any,
                };
                let found = grad(|x| f(&x[0]), &[&x.upload(&device).0]).unwrap();
                let bad = floats(&found[0]).iter().filter(|x| !x.is_finite()).count();
                if bad > 0 {
                    wrong.push(format!(
                        "{name}, {kind}: {bad} of {} are not finite on {:?}",
                        n * n,
                        device.kind()
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
