//! Values of several roundings, which two kernels may compute with other bits.

use weft::{Device, Result, Tensor};

/// Rows and columns. The middle of a row is an element.
pub const SHAPE: [usize; 2] = [9, 33];
/// Values that each test tries: drivers contract some of them otherwise from kernel to kernel, and
/// not all.
pub const VALUES: usize = 80;

/// Numbers in [−2, 2), the same for each seed.
fn data(seed: usize, count: usize) -> Vec<f32> {
    let mut state = (seed as u32).wrapping_mul(0x9e37_79b9).wrapping_add(0x7f4a_7c15);
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 22) as f32 - 2.0
    };
    (0..count).map(|_| next()).collect()
}

/// What a value is computed from.
pub struct Source(pub [Tensor; 4], pub usize);

impl Source {
    pub fn new(device: &Device, seed: usize) -> Result<Source> {
        let [rows, columns] = SHAPE;
        let shapes = [[rows, columns], [rows, 1], [1, columns], [rows, columns]];
        let tensor = |n: usize| device.tensor(&data(4 * seed + n, shapes[n].iter().product()), &shapes[n]);
        Ok(Source([tensor(0)?, tensor(1)?, tensor(2)?, tensor(3)?], seed))
    }

    /// A value of several roundings, each time as a new tensor.
    pub fn value(&self) -> Result<Tensor> {
        let [a, b, c, d] = &self.0;
        let quotient = |of: &Tensor, by: &Tensor| {
            let size = of.square()?.mean(None, false)?;
            let rest = size.sub(by)?;
            let bounded = rest.tanh()?;
            bounded.div(rest.mul(&size)?.square()?.add(0.5)?)?.mul(&size)?.sub(&bounded)
        };
        match self.1 % 4 {
            0 => quotient(&b.add(c)?, &b.add(c)?),
            1 => quotient(a, a)?.exp(),
            2 => quotient(&d.square()?, a),
            _ => quotient(a, d),
        }
    }
}

/// Stores a tensor, as reading it does.
pub fn read(tensor: &Tensor) -> Result<()> {
    tensor.device().realize(&[tensor])
}

/// Captures a function of tensors like these.
pub fn captured(
    inputs: &[&Tensor],
    f: impl FnOnce(&[Tensor]) -> Result<Vec<Tensor>>,
) -> Result<weft::Captured> {
    let device = inputs[0].device();
    device.trace_begin()?;
    let stand: Vec<Tensor> =
        inputs.iter().map(|x| device.placeholder(x.shape(), x.dtype())).collect::<Result<_>>()?;
    let found = f(&stand)?;
    device.trace_end(&found.iter().collect::<Vec<_>>(), &stand.iter().collect::<Vec<_>>())
}
