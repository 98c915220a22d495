//! CTC loss.

use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::ops::elementwise::select;
use crate::ops::shape::join::concat;
use crate::transform::control::Scan;
use weft_ir::{DType, Error, Literal, Result};

/// The negative logarithm of the probability that logits, `[batch, time, classes]`, say labels,
/// `[batch, length]` of integers: connectionist temporal classification (Graves et al. 2006), as
/// `optax.ctc_loss`. Paddings, of the shapes `[batch, time]` and `[batch, length]`, are 1 where
/// nothing stands, at the end; `blank` is the class that stands for no label, and `none` the
/// logarithm of a probability that counts as none, −1e5 in optax. One f32 for each sequence. Errors
/// with `Shape` where shapes do not fit.
pub fn ctc(
    (logits, logit_paddings): (&Tensor, &Tensor),
    (labels, label_paddings): (&Tensor, &Tensor),
    blank: usize,
    none: f64,
) -> Result<Tensor> {
    let name = "ctcLoss";
    let fits = match (&logits.shape()[..], &labels.shape()[..]) {
        (&[batch, time, classes], &[lines, length]) => {
            let paddings = logit_paddings.shape()[..] == [batch, time];
            (lines == batch && paddings && label_paddings.shape()[..] == [lines, length] && blank < classes)
                .then_some((batch, time, length))
        }
        _ => None,
    };
    let Some((batch, time, length)) = fits else {
        let [a, b, c, d] = [logits, logit_paddings, labels, label_paddings].map(Tensor::shape);
        let what = format!(
            "logits {a} with paddings {b}, labels {c} with paddings {d} and the blank {blank} do not fit"
        );
        return Err(Error::shape(name, what));
    };
    let (device, length_end) = (logits.device(), length as i64);
    let logs = logits.log_softmax(-1)?;
    let by_time = |x: Tensor| x.permute(&[1, 0, 2]);
    let columns = |x: &Tensor, start: i64, stop: i64| x.between(name, 1, start, stop);
    let blanks = by_time(logs.between(name, 2, blank as i64, blank as i64 + 1)?)?;
    let places = labels.expand_dims(1)?.broadcast_to(&[batch, time, length])?;
    let said = by_time(logs.take_along_axis(&places, 2)?)?;
    // Between equal labels a blank is required.
    let next = columns(labels, length_end.min(1), length_end)?;
    let same = columns(labels, 0, (length_end - 1).max(0))?.equal(next)?.cast(DType::F32)?;
    let repeated = build::pad_axis(name, &same, 1, (0, length - same.shape()[1]), Literal::F32(0.0))?;
    let (waits, goes_on) = (repeated.mul(none)?, repeated.neg()?.add(1.0)?.mul(none)?);
    let after = |phi: &Tensor, gained: &Tensor| {
        concat(&[&columns(phi, 0, 1)?, &columns(phi, 1, length_end + 1)?.log_add_exp(gained)?], 1)
    };
    let step = |state: &[Tensor], slices: &[Tensor]| {
        let ([before, last], [saying, resting, padding]) = (state, slices) else {
            return Err(Error::value(name, "a state of two and three slices"));
        };
        let free = after(before, &last.add(&waits)?)?;
        let next_emit = columns(&free, 0, length_end)?.log_add_exp(last)?.add(saying)?;
        let next_phi = after(&free.add(resting)?, &last.add(resting)?.add(&goes_on)?)?;
        let stays = padding.equal(1.0)?;
        let next = vec![select(&stays, before, next_phi)?, select(&stays, last, next_emit)?];
        Ok((next, Vec::new()))
    };
    let emit = device.full(&[batch, length], none, DType::F32)?;
    let phi = concat(&[&device.zeros(&[batch, 1], DType::F32)?, &emit], 1)?;
    let padding = logit_paddings.cast(DType::F32)?.transpose()?.expand_dims(2)?;
    let found = device.scan(step, &[&phi, &emit], &[&said, &blanks, &padding], Scan::default())?.0;
    let ends = label_paddings.sum(Some(&[1]), false)?.neg()?.add(length as f64)?;
    let ends = ends.cast(DType::I32)?.expand_dims(1)?;
    after(&found[0], &found[1])?.take_along_axis(&ends, 1)?.squeeze(Some(&[1]))?.neg()
}
