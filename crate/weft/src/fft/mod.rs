//! Fourier transforms of any length along any axes.
//!
//! Lines of up to 2,048 numbers whose divisors are small are a primitive, and a kernel. Longer ones
//! are taken apart once or twice (J. Cooley and J. Tukey 1965): transforms of one divisor across,
//! factors of unit length, transforms of the other, which reads transposed. Where a large prime
//! divides the length, it is a convolution (L. Bluestein 1970). Numbers are pairs along a first
//! axis, `[2, outer, n, inner]`, so that nothing is transposed for an axis. All factors of unit
//! length come from tables that are computed in f64.
//!
//! Deferred: few programs transform to frequencies.

pub mod complex;
pub mod stft;

use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::ops::shape::join::concat;
use crate::ops::term::Term;
use std::f64::consts::PI;
use weft_ir::op::{Binary, Compare, LARGEST_RADIX, LONGEST_TRANSFORM, Op};
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

/// The transform along `axes`, or all, each cut or continued with zeros to its length first (that
/// of the result for [`Kind::RealInverse`]), its own by default; `im` may be left out for real
/// numbers. Errors with `Axis`, and with `Value` for a length of 0, and where there are not as many
/// lengths as axes.
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
    // The last axis has half of the frequencies: it is transformed first for real inputs, last for
    // real outputs.
    let order: Vec<usize> =
        if kind == Kind::Real { (0..axes.len()).rev().collect() } else { (0..axes.len()).collect() };
    for place in order {
        let half = place == last && matches!(kind, Kind::Real | Kind::RealInverse);
        pair = along(&pair, axes[place], lengths[place], inverse, half, norm)?;
    }
    Ok(pair)
}

fn along(x: &Complex, axis: usize, n: usize, inverse: bool, half: bool, norm: Norm) -> Result<Complex> {
    let shape = x.re.shape();
    let (outer, inner) = (shape[..axis].iter().product(), shape[axis + 1..].iter().product());
    let part = |x: &Tensor| build::reshape("fft", x, &[1, outer, shape[axis], inner].into());
    let given = if half && inverse { n / 2 + 1 } else { n };
    let mut pairs = fitted(&concat(&[&part(&x.re)?, &part(&x.im)?], 0)?, given)?;
    if half && inverse {
        pairs = whole_of_half(&Term::of(&pairs), n).0?;
    }
    // The inverse is the forward transform with real and imaginary parts exchanged.
    let turned = |x: Tensor| if inverse { x.flip(Some(&[0])) } else { Ok(x) };
    let mut done = Term(turned(pairs).and_then(|x| lines(&x)).and_then(turned));
    let scale = match (norm, inverse) {
        (Norm::Ortho, _) => (n as f64).sqrt(),
        (Norm::Backward, true) | (Norm::Forward, false) => n as f64,
        _ => 1.0,
    };
    if scale != 1.0 {
        done = &done * (1.0 / scale);
    }
    let kept = if half && !inverse { n / 2 + 1 } else { n };
    let whole: Shape = [&shape[..axis], &[kept], &shape[axis + 1..]].concat().into();
    let part =
        |n: usize| done.between(0, n, n + 1).between(2, 0, kept).map(|x| build::reshape("fft", x, &whole)).0;
    Ok(Complex { re: part(0)?, im: part(1)? })
}

/// Cut, or continued with zeros, to a length.
fn fitted(x: &Tensor, length: usize) -> Result<Tensor> {
    let own = x.shape()[2];
    if own >= length {
        x.between("fft", 2, 0, length as i64)
    } else {
        x.pad(&[(0, 0), (0, 0), (0, length - own), (0, 0)], 0.0)
    }
}

/// All n frequencies of real numbers, by the first half.
fn whole_of_half(x: &Term, n: usize) -> Term {
    let half = n / 2 + 1;
    if n - half == 0 {
        return x.clone();
    }
    let mirrored = x.between(2, 1, n - half + 1).map(|x| x.flip(Some(&[2])));
    // With the imaginary parts negated.
    let sign = mirrored.between(0, 0, 1).beside(&-&mirrored.between(0, 1, 2), 0);
    x.beside(&sign, 2)
}

/// The transform of each line of `[2, outer, n, inner]`.
fn lines(x: &Tensor) -> Result<Tensor> {
    let [_, outer, n, inner] = x.shape()[..] else { unreachable!("lines are put in order before") };
    if n <= 1 || x.shape().size() == 0 {
        return Ok(x.clone());
    }
    let Some(first) = first_divisor(n) else { return by_convolution(x) };
    let shaped = |x: &Tensor, shape: &[usize]| build::reshape("fft", x, &shape.to_vec().into());
    let device = x.device();
    let rest = n / first;
    let bits: Vec<u32> = twiddles(first, 1, first).iter().map(|turn| turn.to_bits()).collect();
    let table = device.tensor(&bits, &[2, first])?;
    let across = shaped(x, &[2, outer, first, rest * inner])?;
    let done = device.append("fft", Op::Fourier { parts: 0, axis: 2 }, &[&across, &table])?;
    if rest == 1 {
        return Ok(done);
    }
    let apart = Term(shaped(&done, &[2, outer, first, rest, inner]));
    let turned = twiddled(&apart, first, rest);
    let turned = turned.map(|x| build::permute("fft", x, vec![0, 1, 3, 2, 4]));
    let done = lines(&shaped(turned.get()?, &[2, outer, rest, first * inner])?)?;
    shaped(&done, &[2, outer, n, inner])
}

/// The divisor of a length by which lines of it are transformed first, all of it where a kernel
/// takes it; `None` where a large prime divides it.
fn first_divisor(n: usize) -> Option<usize> {
    let rest = (2..=LARGEST_RADIX).fold(n, |mut rest, radix| {
        while rest.is_multiple_of(radix) {
            rest /= radix;
        }
        rest
    });
    let passes = (1..).find(|&passes| (LONGEST_TRANSFORM as f64).powi(passes) >= n as f64);
    let wanted = (n as f64).powf(1.0 / f64::from(passes.unwrap_or(1)));
    let apart = |divisor: &usize| (*divisor as f64 / wanted).ln().abs();
    let divisors = (2..=LONGEST_TRANSFORM.min(n)).filter(|&divisor| n.is_multiple_of(divisor));
    divisors.min_by(|a, b| apart(a).total_cmp(&apart(b))).filter(|_| rest == 1)
}

/// The cosines and sines of `count` angles, from 0 backwards by `step` n-th turns each, rounded
/// once.
fn twiddles(n: usize, step: usize, count: usize) -> Vec<f32> {
    let angle = |k: usize| -2.0 * PI * (k * step % n) as f64 / n as f64;
    let mut twiddles = vec![0.0; 2 * count];
    for k in 0..count {
        let (sine, cosine) = angle(k).sin_cos();
        (twiddles[k], twiddles[count + k]) = (cosine as f32, sine as f32);
    }
    twiddles
}

/// `[2, outer, first, rest, inner]`, each turned back by the product of its places as so many n-th
/// turns: by the twiddle factors of a coarse table, and then by those of a fine one.
fn twiddled(x: &Term, first: usize, rest: usize) -> Term {
    let n = first * rest;
    let fine = n.ilog2().div_ceil(2);
    let place =
        |shape: [usize; 2], axis| x.map(|x| x.device().positions("fft", &shape.into(), axis, DType::I32));
    let by = &place([first, 1], 0) * &place([1, rest], 1);
    let turn = |step: usize, count: usize, index: Term| {
        let table = x.map(|x| x.device().tensor(&twiddles(n, step, count), &[2, count]));
        let found = table.at(&index, 1);
        let shape = Shape::from([1, 1, first, rest, 1]);
        let part = |n: usize| found.between(0, n, n + 1).map(|x| build::reshape("fft", x, &shape));
        [part(0), part(1)]
    };
    let coarse = turn(1 << fine, n.div_ceil(1 << fine), by.with(Binary::Shr, &by.number(f64::from(fine))));
    let fine = turn(1, 1 << fine, by.and(&by.number(((1_usize << fine) - 1) as f64)));
    let [re, im] = complex_product(&coarse, &fine);
    times(x, &re, &im)
}

fn complex_product(x: &[Term; 2], y: &[Term; 2]) -> [Term; 2] {
    [&(&x[0] * &y[0]) - &(&x[1] * &y[1]), &(&x[1] * &y[0]) + &(&x[0] * &y[1])]
}

/// Pairs along axis 0 multiplied by numbers given by their parts.
fn times(x: &Term, re: &Term, im: &Term) -> Term {
    let parts = [x.between(0, 0, 1), x.between(0, 1, 2)];
    let [re, im] = complex_product(&parts, &[re.clone(), im.clone()]);
    re.beside(&im, 0)
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
    let chirp = Term(device.tensor(&chirp, &[2, 1, n, 1]));
    let (re, im) = (chirp.between(0, 0, 1), chirp.between(0, 1, 2));
    let started = times(&Term::of(x), &re, &im).map(|x| fitted(x, long));
    let filter = Term(lines(&device.tensor(&filter, &[2, 1, long, 1])?));
    let product = times(&Term(lines(started.get()?)), &filter.between(0, 0, 1), &filter.between(0, 1, 2));
    let back = product.map(|x| lines(&x.flip(Some(&[0]))?)?.flip(Some(&[0])));
    (&times(&back.between(2, 0, n), &re, &im) * (1.0 / long as f64)).0
}

/// The frequencies of n numbers that are `spacing` apart, as a transform orders them; of real ones
/// the first half.
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
        x.roll(&[by as i64], Some(&[axis as i64]))
    })
}
