//! Short-time Fourier transform and its inverse.

use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::fft::{Complex, Kind, Norm, transform};
use crate::ops::shape::slice::Range;
use weft_ir::{DType, Error, Result, Shape};

/// How a signal is cut into segments, SciPy's way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Segments {
    /// From one segment to the next.
    pub hop: usize,
    /// How many numbers are transformed: those of a segment, and zeros.
    pub points: usize,
    /// Whether half a segment of zeros stands before and behind the signal, so that the first and
    /// the last segment are centred at its ends.
    pub centred: bool,
    /// Whether spectra are divided by the sum of the window, so that a sine's is half its
    /// amplitude.
    pub scaled: bool,
}

/// The window and the segments for the given length, hop and points, each 0 where it is not given.
/// By default the length is the window's, or else the usual one, and the hop is half of it; the
/// window is Hann's, with the length for its period.
pub fn resolve_window(
    device: &Device,
    window: Option<Tensor>,
    [length, hop, points]: [usize; 3],
    usual: usize,
    centred: bool,
    scaled: bool,
) -> Result<(Tensor, Segments)> {
    let or = |given: usize, usual: usize| if given == 0 { usual } else { given };
    let length = or(length, window.as_ref().map_or(usual, Tensor::size));
    let window = match window {
        Some(window) => window,
        None => device.hann(length + 1)?.slice(&[Range::new(0, length as i64)])?,
    };
    let how = Segments { hop: or(hop, length - length / 2), points: or(points, length), centred, scaled };
    Ok((window, how))
}

impl Segments {
    fn check(&self, name: &str, window: &Tensor) -> Result<usize> {
        let &[length] = &window.shape()[..] else {
            return Err(Error::shape(name, format!("a window is a vector, got {}", window.shape())));
        };
        if length == 0 || self.hop == 0 || self.points < length {
            let what = format!("a window of {length} moved by {} for {} points", self.hop, self.points);
            return Err(Error::value(
                name,
                format!(
                    "{what}: the window and the hop are at least 1, and the window no longer than the points"
                ),
            ));
        }
        Ok(length)
    }
}

/// The spectra of real signals along the last axis, [.., n] to [.., points/2 + 1, segments], each
/// of a segment times the window. Zeros fill the last segment.
///
/// Errors with `Shape` for a number, for a window that is no vector, and for a signal shorter than
/// it; with `Value` for a window that is longer than `points`, and a hop of 0.
pub fn stft(x: &Tensor, window: &Tensor, how: &Segments) -> Result<Complex> {
    let name = "fft.stft";
    let length = how.check(name, window)?;
    let x = x.cast(DType::F32)?;
    let Some(&count) = x.shape().last().filter(|&&count| count >= length) else {
        return Err(Error::shape(name, format!("{} is no signal for a window of {length}", x.shape())));
    };
    let half = if how.centred { length / 2 } else { 0 };
    let short = (count + 2 * half - length) % how.hop;
    let rest = if short == 0 { 0 } else { how.hop - short };
    let mut pads = vec![(0, 0); x.rank()];
    pads[x.rank() - 1] = (half, half + rest);
    let padded = x.pad(&pads, 0.0)?;
    let segments = (count + 2 * half + rest - length) / how.hop + 1;
    let cut = padded.take(&places(x.device(), segments, length, how.hop)?, Some(-1))?;
    let weighted = cut.mul(scaled(window, how)?)?;
    let made = transform(&weighted, None, Some(&[-1]), Some(&[how.points]), Kind::Real, Norm::Backward)?;
    Ok(Complex { re: made.re.swap_axes(-1, -2)?, im: made.im.swap_axes(-1, -2)? })
}

/// Where in a signal the elements of segments lie, [segments, length]. Computed on the device: of a
/// long signal they are many.
fn places(device: &Device, segments: usize, length: usize, hop: usize) -> Result<Tensor> {
    let name = "fft.stft";
    let whole = Shape::checked(name, &[segments, length])?;
    let along = |axis| device.positions(name, &whole, axis, DType::I32);
    along(0)?.mul(hop as f64)?.add(along(1)?)
}

/// The window, by its sum where spectra are.
fn scaled(window: &Tensor, how: &Segments) -> Result<Tensor> {
    let window = window.cast(DType::F32)?;
    if how.scaled { window.div(window.sum(None, false)?) } else { Ok(window) }
}

/// The signals of which [`stft`] gives these spectra, to rounding; where it cannot, those whose
/// spectra are nearest. With what filled the last segment.
///
/// Errors as [`stft`], and with `Shape` for spectra that are not of `points`.
pub fn istft(spectra: &Complex, window: &Tensor, how: &Segments) -> Result<Tensor> {
    let name = "fft.istft";
    let length = how.check(name, window)?;
    let rank = spectra.re.rank();
    let bins = how.points / 2 + 1;
    if rank < 2 || spectra.re.shape()[rank - 2] != bins {
        return Err(Error::shape(
            name,
            format!("{} has no {bins} frequencies along its last axis but one", spectra.re.shape()),
        ));
    }
    let segments = spectra.re.shape()[rank - 1];
    let (re, im) = (spectra.re.swap_axes(-1, -2)?, spectra.im.swap_axes(-1, -2)?);
    let back =
        transform(&re, Some(&im), Some(&[-1]), Some(&[how.points]), Kind::RealInverse, Norm::Backward)?.re;
    let back = back.between(name, rank - 1, 0, length as i64)?;
    // Least squares: each segment by the window once more, over the sum of the squares of windows.
    let weight = scaled(window, how)?;
    let batch = spectra.re.shape()[..rank - 2].to_vec();
    let whole = length + segments.saturating_sub(1) * how.hop;
    let added = overlapped(&back.mul(&weight)?, how.hop, whole)?;
    let squares = weight.square()?.broadcast_to(&[segments, length])?;
    let squares = overlapped(&squares, how.hop, whole)?;
    let seen = squares.greater(1e-10 * if how.scaled { 1.0 / (length * length) as f64 } else { 1.0 })?;
    let signal = added.div(crate::select(&seen, &squares, 1.0)?)?;
    let half = if how.centred { length / 2 } else { 0 };
    let mut ranges = vec![Range::ALL; batch.len()];
    ranges.push(Range::new(half as i64, (whole - half.min(whole)) as i64));
    signal.slice(&ranges)
}

/// Segments, [.., segments, length], added up where they overlap.
fn overlapped(x: &Tensor, hop: usize, whole: usize) -> Result<Tensor> {
    let rank = x.rank();
    let (segments, length) = (x.shape()[rank - 2], x.shape()[rank - 1]);
    let places = places(x.device(), segments, length, hop)?.flatten()?;
    let batch = x.shape()[..rank - 2].to_vec();
    let flat = [&batch[..], &[segments * length]].concat();
    let flat =
        x.reshape(&flat.iter().map(|&extent| extent as i64).collect::<Vec<_>>())?.move_axis(&[-1], &[0])?;
    let none = x.device().zeros(&[&[whole][..], &batch].concat(), DType::F32)?;
    none.at(&places).add(&flat)?.move_axis(&[0], &[-1])
}
