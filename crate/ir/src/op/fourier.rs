//! Well-formed Fourier transforms.

use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::shape::Shape;

/// Elements of the longest line that [`Op::Fourier`](super::Op::Fourier) takes: what every device
/// holds in workgroup memory.
pub const LONGEST_TRANSFORM: usize = 2048;
/// The largest prime that may divide how many they are.
pub const LARGEST_RADIX: usize = 13;

/// What the operation yields. Errors with `Axis`, `Shape` and `DType`.
pub(super) fn infer(
    name: &str,
    parts: usize,
    axis: usize,
    inputs: &[(&Shape, DType)],
) -> Result<(Shape, DType)> {
    let ((shape, dtype), (table, twiddles)) = (inputs[0], inputs[1]);
    if axis >= shape.rank() || parts >= shape.rank() || axis == parts || shape[parts] != 2 {
        return Err(Error::axis(name, format!("axis {axis} of {shape}, parts along {parts}")));
    }
    let n = shape[axis];
    let rest = (2..=LARGEST_RADIX).fold(n, |mut rest, radix| {
        while rest > 0 && rest.is_multiple_of(radix) {
            rest /= radix;
        }
        rest
    });
    if rest != 1 || n > LONGEST_TRANSFORM || table[..] != [2, n] {
        return Err(Error::shape(name, format!("lines of {n} by a table of {table}")));
    }
    if dtype != DType::F32 || twiddles != DType::U32 {
        return Err(Error::dtype(name, format!("{dtype} by a table of {twiddles}")));
    }
    Ok((shape.clone(), dtype))
}
