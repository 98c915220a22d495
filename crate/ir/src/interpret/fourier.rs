//! Fourier transforms in the interpreter: in f64, a divisor of the length at a time (Stockham's
//! order, which needs no reversal of digits).

use super::line::folded;
use super::strided::{Strided, Tensor};
use super::{Result, ill_formed};
use crate::functions::Real;

type Complex = [f64; 2];

fn times(a: Complex, b: Complex) -> Complex {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

/// [`crate::op::Op::Fourier`].
pub(super) fn fourier<'a, R: Real>(
    parts: usize,
    axis: usize,
    x: &Tensor<'a, R>,
    twiddles: &Tensor<'a, R>,
) -> Result<Tensor<'a, R>> {
    let (Tensor::Float(x), Tensor::U32(twiddles)) = (x, twiddles) else {
        return Err(ill_formed("fourier", x.dtype()));
    };
    let [_, n, step] = folded(&x.shape, axis);
    let [_, _, to_im] = folded(&x.shape, parts);
    let twiddles = twiddles.contiguous();
    let word = |at: usize| f64::from(f32::from_bits(twiddles[at]));
    let twiddles: Vec<Complex> = (0..n).map(|k| [word(k), word(n + k)]).collect();
    let mut out = x.contiguous().into_owned();
    let (mut from, mut to) = (vec![[0.0; 2]; n], vec![[0.0; 2]; n]);
    // Where a line begins, its coordinates along both axes are 0.
    let first = |at: &usize| (at / step).is_multiple_of(n) && (at / to_im).is_multiple_of(2);
    for start in (0..out.len()).filter(first) {
        for (k, z) in from.iter_mut().enumerate() {
            let at = start + k * step;
            *z = [out[at].to_f64(), out[at + to_im].to_f64()];
        }
        let (mut span, mut rest) = (1, n);
        while rest > 1 {
            let radix = (2..=rest).find(|&radix| rest.is_multiple_of(radix)).unwrap_or(rest);
            pass(&from, &mut to, &twiddles, span, radix);
            (span, rest) = (span * radix, rest / radix);
            std::mem::swap(&mut from, &mut to);
        }
        for (k, z) in from.iter().enumerate() {
            let at = start + k * step;
            (out[at], out[at + to_im]) = (R::from_f64(z[0]), R::from_f64(z[1]));
        }
    }
    Ok(Tensor::Float(Strided::packed(x.shape.clone(), out)))
}

/// Transforms of `span` numbers become such of `radix` times as many.
fn pass(from: &[Complex], to: &mut [Complex], twiddles: &[Complex], span: usize, radix: usize) {
    let n = from.len();
    for j in 0..n / radix {
        let (whole, within) = (j / span * span * radix, j % span);
        for k in 0..radix {
            // By how many n-th turns each number is turned back behind the one before it.
            let by = (within + k * span) * (n / (span * radix));
            let (mut sum, mut turn) = ([0.0; 2], 0);
            for q in 0..radix {
                let part = times(from[j + q * (n / radix)], twiddles[turn]);
                sum = [sum[0] + part[0], sum[1] + part[1]];
                turn = (turn + by) % n;
            }
            to[whole + within + k * span] = sum;
        }
    }
}
