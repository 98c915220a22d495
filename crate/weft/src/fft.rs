//! Fourier transforms of any length along any axes.
//!
//! A length that has divisors is taken apart (Cooley and Tukey 1965): a product with a small DFT matrix, factors of unit length, and the transform of what remains;
//! so n numbers cost n times the sum of the divisors. A large prime becomes a convolution (Bluestein 1970). Numbers are pairs along an axis before
//! the last, `[rows, 2, n]`, so that a complex product with a matrix is one real one. Angles are whole numbers of n-th turns, reduced to an eighth
//! of a turn before anything is rounded.

use crate::build;
use crate::device::Device;
use crate::join::concat;
use crate::tensor::Tensor;
use crate::term::Term;
use std::f64::consts::{FRAC_PI_2, PI};
use weft_ir::op::{Binary, Compare, Unary};
use weft_ir::{DType, Error, Result, Shape};

/// Complex numbers as two tensors of one shape.
#[derive(Clone, Debug)]
pub struct Complex {
    /// The real parts.
    pub re: Tensor,
    /// The imaginary parts.
    pub im: Tensor,
}

/// Where a transform is divided by how many numbers it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Norm {
    /// In the inverse.
    Backward,
    /// By the root, in both.
    Ortho,
    /// Not in the inverse.
    Forward,
}

impl Norm {
    /// By their numbers in a call.
    pub const ALL: [Norm; 3] = [Norm::Backward, Norm::Ortho, Norm::Forward];
}

/// What a transform makes of what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Complex numbers of complex ones.
    Forward,
    /// And back.
    Inverse,
    /// The first half of the frequencies of real numbers, the last axis last.
    Real,
    /// Real numbers of the first half of their frequencies.
    RealInverse,
}

impl Kind {
    /// By their numbers in a call.
    pub const ALL: [Kind; 4] = [Kind::Forward, Kind::Inverse, Kind::Real, Kind::RealInverse];
}

/// Lengths up to this are one product with their DFT matrix; a step of a longer one is the largest divisor up to `MOST_STEP`.
const MOST_DIRECT: usize = 64;
const MOST_STEP: usize = 32;

/// The transform along `axes`, or all, each cut or continued with zeros to its length first (that of the result for [`Kind::RealInverse`]), its own unless told; `im`
/// may be left out for real numbers. Errors with `Axis`, and with `Value` for a length of 0, and where there are not as many lengths as axes.
pub fn transform(
    re: &Tensor,
    im: Option<&Tensor>,
    axes: Option<&[i64]>,
    lengths: Option<&[usize]>,
    kind: Kind,
    norm: Norm,
) -> Result<Complex> {
    let name = "fft";
    let re = build::cast(name, re, DType::F32)?;
    let all = re.shape().axes(name, axes)?;
    let axes: Vec<usize> = match axes {
        Some(axes) => axes.iter().map(|&axis| re.shape().axis(name, axis)).collect::<Result<_>>()?,
        None => all,
    };
    let lengths = match lengths {
        Some(lengths) => lengths.to_vec(),
        None => {
            let mut lengths: Vec<usize> = axes.iter().map(|&axis| re.shape()[axis]).collect();
            if let (Kind::RealInverse, Some(last)) = (kind, lengths.last_mut()) {
                *last = 2 * last.saturating_sub(1);
            }
            lengths
        }
    };
    if lengths.len() != axes.len() {
        return Err(Error::value(name, format!("{} lengths for {} axes", lengths.len(), axes.len())));
    }
    let im = match im {
        Some(im) if im.shape() != re.shape() => {
            let what = format!("the real parts are {}, the imaginary ones {}", re.shape(), im.shape());
            return Err(Error::shape(name, what));
        }
        Some(im) => build::cast(name, im, DType::F32)?,
        None => Term::of(&re).zero().0?,
    };
    if let Some(axis) = lengths.iter().position(|&length| length == 0) {
        return Err(Error::value(name, format!("there are no numbers along axis {}", axes[axis])));
    }
    let inverse = matches!(kind, Kind::Inverse | Kind::RealInverse);
    let mut pair = Complex { re, im };
    let last = axes.len().wrapping_sub(1);
    // The half is taken of the last axis: first where there are all frequencies, last where there is half.
    let order: Vec<usize> =
        if kind == Kind::Real { (0..axes.len()).rev().collect() } else { (0..axes.len()).collect() };
    for place in order {
        let half = place == last && matches!(kind, Kind::Real | Kind::RealInverse);
        pair = along(&pair, axes[place], lengths[place], inverse, half, norm)?;
    }
    Ok(pair)
}

fn along(x: &Complex, axis: usize, n: usize, inverse: bool, half: bool, norm: Norm) -> Result<Complex> {
    let rank = x.re.rank();
    let mut order: Vec<usize> = (0..rank).filter(|&a| a != axis).collect();
    order.push(axis);
    let shape: Vec<usize> = order.iter().map(|&a| x.re.shape()[a]).collect();
    let outer = &shape[..rank - 1];
    let rows: usize = outer.iter().product();
    let part = |x: &Tensor| {
        build::reshape("fft", &build::permute("fft", x, order.clone())?, &[rows, 1, shape[rank - 1]].into())
    };
    let mut pairs = concat(&[&part(&x.re)?, &part(&x.im)?], 1)?;
    let given = if half && inverse { n / 2 + 1 } else { n };
    pairs = fitted(&pairs, given)?;
    if half && inverse {
        pairs = whole_of_half(&Term::of(&pairs), n).0?;
    }
    // Backwards is forwards with the parts exchanged.
    let turned = |x: Tensor| if inverse { x.flip(Some(&[1])) } else { Ok(x) };
    let mut done = Term(turned(pairs).and_then(|x| line(&x)).and_then(turned));
    let scale = match (norm, inverse) {
        (Norm::Ortho, _) => (n as f64).sqrt(),
        (Norm::Backward, true) | (Norm::Forward, false) => n as f64,
        _ => 1.0,
    };
    if scale != 1.0 {
        done = &done * (1.0 / scale);
    }
    let kept = if half && !inverse { n / 2 + 1 } else { n };
    let mut back: Vec<usize> = (0..rank - 1).collect();
    back.insert(axis, rank - 1);
    let whole: Shape = [outer, &[kept]].concat().into();
    let part = |n: usize| {
        let part = done.between(2, 0, kept).between(1, n, n + 1);
        part.map(|x| build::permute("fft", &build::reshape("fft", x, &whole)?, back.clone())).0
    };
    Ok(Complex { re: part(0)?, im: part(1)? })
}

/// Cut, or continued with zeros, to a length.
fn fitted(x: &Tensor, length: usize) -> Result<Tensor> {
    let own = x.shape()[2];
    if own >= length {
        x.between("fft", 2, 0, length as i64)
    } else {
        x.pad(&[(0, 0), (0, 0), (0, length - own)], 0.0)
    }
}

/// All n frequencies of real numbers, by the first half.
fn whole_of_half(x: &Term, n: usize) -> Term {
    let half = n / 2 + 1;
    if n - half == 0 {
        return x.clone();
    }
    let mirrored = x.between(2, 1, n - half + 1).map(|x| x.flip(Some(&[2])));
    let sign = conjugate(&mirrored);
    x.beside(&sign, 2)
}

/// With the imaginary parts negated.
fn conjugate(x: &Term) -> Term {
    x.between(1, 0, 1).beside(&-&x.between(1, 1, 2), 1)
}

/// The transform of each line of `[rows, 2, n]`: the one place for a kernel of its own.
fn line(x: &Tensor) -> Result<Tensor> {
    let (rows, n) = (x.shape()[0], x.shape()[2]);
    if n <= 1 || rows == 0 {
        return Ok(x.clone());
    }
    let device = x.device();
    if n <= MOST_DIRECT {
        let matrix = Term(dft(device, n));
        let flat = Term(build::reshape("fft", x, &[rows, 2 * n].into()));
        return flat.dot(&matrix.t()).map(|x| build::reshape("fft", x, &[rows, 2, n].into())).0;
    }
    let Some(step) = (2..=MOST_STEP).rev().find(|&step| n.is_multiple_of(step)) else {
        return by_convolution(x);
    };
    let rest = n / step;
    let shaped = |x: &Tensor, shape: &[usize]| build::reshape("fft", x, &shape.to_vec().into());
    let mixed = Term(dft(device, step)).dot(&Term(shaped(x, &[rows, 2 * step, rest])));
    let mixed = mixed.map(|x| shaped(x, &[rows, 2, step, rest]));
    let turned = twiddled(&mixed, step, rest);
    let lines = turned.map(|x| shaped(&build::permute("fft", x, vec![0, 2, 1, 3])?, &[rows * step, 2, rest]));
    let done = line(lines.get()?)?;
    let apart = shaped(&done, &[rows, step, 2, rest])?;
    shaped(&build::permute("fft", &apart, vec![0, 2, 3, 1])?, &[rows, 2, n])
}

/// The DFT matrix of n numbers over real parts and then imaginary ones, `[2n, 2n]`, rounded once.
fn dft(device: &Device, n: usize) -> Result<Tensor> {
    let mut entries = vec![0.0f32; 4 * n * n];
    for k in 0..n {
        for j in 0..n {
            let (sine, cosine) = (-2.0 * PI * ((k * j) % n) as f64 / n as f64).sin_cos();
            let (row, column) = (k * 2 * n, j);
            entries[row + column] = cosine as f32;
            entries[row + column + n] = -sine as f32;
            entries[row + 2 * n * n + column] = sine as f32;
            entries[row + 2 * n * n + column + n] = cosine as f32;
        }
    }
    device.tensor(&entries, &[2 * n, 2 * n])
}

/// `[rows, 2, step, rest]`, each turned back by the product of its places as so many n-th turns.
fn twiddled(x: &Term, step: usize, rest: usize) -> Term {
    let n = step * rest;
    let turns = &x.map(|x| x.device().positions("fft", &[step, 1].into(), 0, DType::I32))
        * &x.map(|x| x.device().positions("fft", &[1, rest].into(), 1, DType::I32));
    // Which quarter is nearest, and how far it is from there.
    let four = &turns * 4.0;
    let quarter = &(&four + (n / 2) as f64) / n as f64;
    let angle = &(&four - &(&quarter * n as f64)).cast(DType::F32) * (FRAC_PI_2 / n as f64);
    let (cosine, sine) = (angle.apply(Unary::Cos), angle.apply(Unary::Sin));
    let bit =
        |of: f64| quarter.with(Binary::And, &quarter.number(of)).compare(Compare::Ne, &quarter.number(0.0));
    let (odd, opposite) = (bit(1.0), bit(2.0));
    let (a, b) = (odd.or_else(&-&sine, &cosine), odd.or_else(&cosine, &sine));
    let (cosine, sine) = (opposite.or_else(&-&a, &a), opposite.or_else(&-&b, &b));
    times(x, &cosine, &-&sine)
}

/// Pairs along axis 1 multiplied by numbers given by their parts.
fn times(x: &Term, re: &Term, im: &Term) -> Term {
    let (a, b) = (x.between(1, 0, 1), x.between(1, 1, 2));
    (&(&a * re) - &(&b * im)).beside(&(&(&a * im) + &(&b * re)), 1)
}

/// By Bluestein's convolution with a chirp, of a length that is a power of two.
fn by_convolution(x: &Tensor) -> Result<Tensor> {
    let n = x.shape()[2];
    let long = (2 * n - 1).next_power_of_two();
    let mut chirp = vec![0.0f32; 2 * n];
    let mut filter = vec![0.0f32; 2 * long];
    for k in 0..n {
        let turns = (k as u64 * k as u64) % (2 * n as u64);
        let (sine, cosine) = (-PI * turns as f64 / n as f64).sin_cos();
        (chirp[k], chirp[n + k]) = (cosine as f32, sine as f32);
        for place in [k, (long - k) % long] {
            (filter[place], filter[long + place]) = (cosine as f32, -sine as f32);
        }
    }
    let device = x.device();
    let chirp = Term(device.tensor(&chirp, &[1, 2, n]));
    let (re, im) = (chirp.between(1, 0, 1), chirp.between(1, 1, 2));
    let started = times(&Term::of(x), &re, &im).map(|x| fitted(x, long));
    let filter = Term(line(&device.tensor(&filter, &[1, 2, long])?));
    let product = times(&Term(line(started.get()?)), &filter.between(1, 0, 1), &filter.between(1, 1, 2));
    let back = product.map(|x| line(&x.flip(Some(&[1]))?)?.flip(Some(&[1])));
    (&times(&back.between(2, 0, n), &re, &im) * (1.0 / long as f64)).0
}

/// The frequencies of n numbers that are `spacing` apart, as a transform orders them; of real ones the first half.
pub fn frequencies(device: &Device, n: usize, spacing: f64, real: bool) -> Result<Tensor> {
    let name = "fft.fftfreq";
    if n == 0 || spacing == 0.0 {
        return Err(Error::value(name, "takes at least one number, and a spacing that is not 0"));
    }
    let count = if real { n / 2 + 1 } else { n };
    let place = Term(device.positions(name, &[count].into(), 0, DType::I32));
    let before = place.compare(Compare::Lt, &place.number(n.div_ceil(2) as f64));
    let signed = if real { place.clone() } else { before.or_else(&place, &(&place - n as f64)) };
    (&signed.cast(DType::F32) * (1.0 / (n as f64 * spacing))).0
}

/// Rolled by half of each axis, so that the frequency 0 comes to the middle; or back.
pub fn shifted(x: &Tensor, axes: Option<&[i64]>, back: bool) -> Result<Tensor> {
    let axes = x.shape().axes("fft.fftshift", axes)?;
    axes.iter().try_fold(x.clone(), |x, &axis| {
        let extent = x.shape()[axis];
        let by = if back { extent.div_ceil(2) } else { extent / 2 };
        x.roll(by as i64, Some(&[axis as i64]))
    })
}
