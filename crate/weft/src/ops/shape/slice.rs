//! Slices by NumPy's rules. A slice's start is a run-time value, so that a moving slice is one
//! program; dynamic slices start where tensors say.

use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::operand::Operand;
use crate::ops::elementwise::select;
use weft_ir::op::{Binary, Coefficient, Compare, Op, View};
use weft_ir::{DType, Decimal, Error, Literal, Result};

/// Which positions of one axis: `start..stop` in steps, as in Python. Negative positions count from
/// the end; positions beyond the axis are clamped into it; `None` is as far as there is in the
/// step's direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// First position.
    pub start: Option<i64>,
    /// The position to stop before.
    pub stop: Option<i64>,
    /// The distance of neighbours; negative runs backwards; not 0.
    pub step: i64,
}

impl Range {
    /// The whole axis.
    pub const ALL: Range = Range { start: None, stop: None, step: 1 };

    /// From `start` to before `stop`.
    pub const fn new(start: i64, stop: i64) -> Range {
        Range { start: Some(start), stop: Some(stop), step: 1 }
    }

    /// First position and number of elements on an axis of `extent`.
    pub(crate) fn resolve(self, extent: usize) -> (i64, usize) {
        let extent = extent as i64;
        let down = self.step < 0;
        let (lowest, highest) = if down { (-1, extent - 1) } else { (0, extent) };
        let place = |p: i64| if p < 0 { p.saturating_add(extent) } else { p }.clamp(lowest, highest);
        let start = self.start.map_or(if down { highest } else { lowest }, place);
        let stop = self.stop.map_or(if down { lowest } else { highest }, place);
        let (distance, step) =
            if down { (start - stop, self.step.saturating_neg()) } else { (stop - start, self.step) };
        (start, if distance > 0 { ((distance - 1) / step + 1) as usize } else { 0 })
    }
}

impl From<std::ops::Range<i64>> for Range {
    fn from(range: std::ops::Range<i64>) -> Range {
        Range::new(range.start, range.end)
    }
}

/// What is taken of one axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The position, negative from the end; the axis goes.
    At(i64),
    /// A range of positions; the axis stays.
    Span(Range),
}

impl From<i64> for Part {
    fn from(position: i64) -> Part {
        Part::At(position)
    }
}

impl From<Range> for Part {
    fn from(range: Range) -> Part {
        Part::Span(range)
    }
}

impl Tensor {
    /// The given part of each axis; axes not mentioned are whole. Errors with `Axis` for more parts
    /// than axes, with `Value` for a step of 0 and for a position that the axis does not have.
    pub fn part(&self, parts: &[Part]) -> Result<Tensor> {
        let (mut ranges, mut dropped) = (Vec::new(), Vec::new());
        for (axis, part) in parts.iter().enumerate() {
            ranges.push(match *part {
                Part::Span(range) => range,
                Part::At(position) => {
                    dropped.push(axis as i64);
                    self.range_at(axis, position)?
                }
            });
        }
        let part = self.slice(&ranges)?;
        if dropped.is_empty() { Ok(part) } else { part.squeeze(Some(&dropped)) }
    }

    /// The range of the one position `index` of an axis.
    fn range_at(&self, axis: usize, index: i64) -> Result<Range> {
        // An axis that does not exist is `slice`'s to report, by the number of ranges.
        let Some(&extent) = self.shape().get(axis) else { return Ok(Range::ALL) };
        let extent = extent as i64;
        let from_start = if index < 0 { index + extent } else { index };
        if (0..extent).contains(&from_start) {
            return Ok(Range::new(from_start, from_start + 1));
        }
        let what = format!("{index} is not a position on axis {axis} of {}", self.shape());
        Err(Error::value("slice", what))
    }

    /// The given range of each axis; axes not mentioned are whole. Errors with `Axis` for more
    /// ranges than axes and `Value` for a step of 0.
    pub fn slice(&self, ranges: &[Range]) -> Result<Tensor> {
        self.sliced("slice", ranges)
    }

    pub(crate) fn sliced(&self, name: &str, ranges: &[Range]) -> Result<Tensor> {
        if ranges.len() > self.rank() {
            let what = format!("{} has {} axes, got {} ranges", self.shape(), self.rank(), ranges.len());
            return Err(Error::axis(name, what));
        }
        if ranges.iter().any(|r| r.step == 0) {
            return Err(Error::value(name, "the step must not be 0"));
        }
        let mut parameters = Vec::new();
        let (mut starts, mut steps, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
        for (axis, &extent) in self.shape().iter().enumerate() {
            let range = ranges.get(axis).copied().unwrap_or(Range::ALL);
            let (start, length) = range.resolve(extent);
            // One element needs no step, and an empty axis no start.
            let step = if length > 1 { range.step } else { 1 };
            let span = step * (length as i64 - 1);
            let (min, max) = ((-span).max(0), extent as i64 - 1 - span.max(0));
            starts.push(if length == 0 {
                Coefficient::Const(0)
            } else if min == max {
                Coefficient::Const(min)
            } else {
                parameters.push(self.device().scalar(Literal::I32(start as i32)));
                Coefficient::Param { input: parameters.len(), min, max }
            });
            steps.push(step);
            lengths.push(length);
        }
        if lengths[..] == self.shape()[..] && steps.iter().all(|&s| s == 1) {
            return crate::lazy::build::cast(name, self, self.dtype());
        }
        let inputs: Vec<&Tensor> = std::iter::once(self).chain(&parameters).collect();
        self.device().append(name, Op::View(View::Slice { starts, steps, lengths }), &inputs)
    }

    /// Consecutive pieces of the given lengths along `axis`. Errors with `Shape` unless they add up
    /// to its extent.
    pub fn split(&self, lengths: &[usize], axis: i64) -> Result<Vec<Tensor>> {
        let axis = self.shape().axis("split", axis)?;
        let extent = self.shape()[axis];
        if lengths.iter().try_fold(0usize, |n, &l| n.checked_add(l)) != Some(extent) {
            let what =
                format!("lengths {lengths:?} do not add up to {extent}, axis {axis} of {}", self.shape());
            return Err(Error::shape("split", what));
        }
        let mut start = 0;
        let piece = |&length: &usize| {
            let mut ranges = vec![Range::ALL; axis + 1];
            ranges[axis] = Range::new(start, start + length as i64);
            start += length as i64;
            self.sliced("split", &ranges)
        };
        lengths.iter().map(piece).collect()
    }
}

impl Tensor {
    /// The part of `sizes` elements along each axis from `starts` on: numbers and 0-d integer
    /// tensors. Negative starts count from the end; one from which the part would not fit is the
    /// last from which it does.
    ///
    /// Errors with `Shape` for a part larger than this and for starts or sizes that are not one for
    /// each axis, with `DType` for starts that are no integers, and with `Value` for numbers that
    /// are not whole.
    ///
    /// Deferred: few slices begin where a tensor says.
    pub fn dynamic_slice(&self, starts: &[Operand], sizes: &[usize]) -> Result<Tensor> {
        let name = "dynamicSlice";
        let mut part = self.clone();
        for (axis, start) in self.starts(name, starts, sizes)?.into_iter().enumerate() {
            if let Some(start) = start {
                let places = self.device().positions(name, &[sizes[axis]].into(), 0, DType::I32)?;
                let start = build::expand(name, &start, places.shape())?;
                let places = build::binary(name, Binary::Add, &places, &start)?;
                part = self.device().append(name, Op::Gather { axis }, &[&part, &places])?;
            }
        }
        Ok(part)
    }

    /// This with `update`, which becomes of its dtype, in the place of the part that
    /// [`Tensor::dynamic_slice`] gives. Errors as that does.
    ///
    /// Deferred: few slices begin where a tensor says.
    pub fn dynamic_update_slice(&self, update: &Tensor, starts: &[Operand]) -> Result<Tensor> {
        let (name, device) = ("dynamicUpdateSlice", self.device());
        let sizes = update.shape();
        let mut placed = build::cast(name, update, self.dtype())?;
        let mut inside: Option<Tensor> = None;
        let starts = self.starts(name, starts, sizes)?;
        if update.size() == 0 {
            return Ok(self.clone());
        }
        for (axis, start) in starts.into_iter().enumerate() {
            let Some(start) = start else { continue };
            let places = device.positions(name, &[self.shape()[axis]].into(), 0, DType::I32)?;
            let start = build::expand(name, &start, places.shape())?;
            let offsets = build::binary(name, Binary::Sub, &places, &start)?;
            let last = (sizes[axis] - 1) as i32;
            let compared = |op, with: i32| {
                let with = build::constant_like(name, &offsets, Literal::I32(with))?;
                build::compare(name, op, &offsets, &with)
            };
            let within =
                build::binary(name, Binary::And, &compared(Compare::Ge, 0)?, &compared(Compare::Le, last)?)?;
            let mut shape = vec![1; self.rank()];
            shape[axis] = self.shape()[axis];
            let within = build::expand(name, &build::reshape(name, &within, &shape.into())?, self.shape())?;
            inside = Some(match inside {
                Some(inside) => build::binary(name, Binary::And, &inside, &within)?,
                None => within,
            });
            let nearest = offsets.clip(Some(0.0), Some(f64::from(last)))?;
            placed = device.append(name, Op::Gather { axis }, &[&placed, &nearest])?;
        }
        match inside {
            Some(inside) => select(&inside, &placed, self),
            None => Ok(placed),
        }
    }

    /// Where a part of `sizes` begins along each axis, a 0-d i32; `None` where it is the whole
    /// axis.
    ///
    /// Deferred: few slices begin where a tensor says.
    fn starts(&self, name: &str, starts: &[Operand], sizes: &[usize]) -> Result<Vec<Option<Tensor>>> {
        if (starts.len(), sizes.len()) != (self.rank(), self.rank()) {
            let what = format!(
                "{self} has {} axes, got {} starts and {} sizes",
                self.rank(),
                starts.len(),
                sizes.len()
            );
            return Err(Error::shape(name, what));
        }
        let device = self.device();
        let mut found = Vec::with_capacity(starts.len());
        for (axis, (start, (&size, &extent))) in
            starts.iter().zip(sizes.iter().zip(self.shape().iter())).enumerate()
        {
            if size > extent {
                return Err(Error::shape(name, format!("a part of {size} along axis {axis} of {self}")));
            }
            if let Operand::Number(number) = start
                && number.fract() != 0.0
            {
                return Err(Error::value(
                    name,
                    format!("a start is a whole number, got {}", Decimal::from(*number)),
                ));
            }
            if start.shape().rank() != 0 {
                return Err(Error::shape(name, format!("a start is one number, got {}", start.shape())));
            }
            let start = match start {
                Operand::Tensor(x) if x.plain_number().is_none() => {
                    if !x.dtype().is_integer() {
                        return Err(Error::dtype(name, format!("a start is an integer, got {x}")));
                    }
                    // Clipped so that no large u32 becomes negative in i32.
                    let x = if x.dtype() == DType::U32 { x.minimum(f64::from(i32::MAX))? } else { x.clone() };
                    build::cast(name, &x, DType::I32)?
                }
                number => number.to_tensor(name, device, DType::I32)?,
            };
            if size == extent {
                found.push(None);
                continue;
            }
            let zero = device.constant(name, Literal::I32(0))?;
            let length = device.constant(name, Literal::I32(extent as i32))?;
            let is_negative = build::compare(name, Compare::Lt, &start, &zero)?;
            let from_start = build::binary(name, Binary::Add, &start, &length)?;
            let start = build::select(name, &is_negative, &from_start, &start)?;
            found.push(Some(start.clip(Some(0.0), Some((extent - size) as f64))?));
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Python's `slice(start, stop, step).indices(extent)` by its definition, element by element.
    fn positions(range: Range, extent: usize) -> Vec<i64> {
        let (start, length) = range.resolve(extent);
        (0..length as i64).map(|i| start + i * range.step).collect()
    }

    #[test]
    fn ranges_follow_python() {
        let range = |start, stop, step| Range { start, stop, step };
        assert_eq!(positions(range(None, None, -2), 7), [6, 4, 2, 0]);
        assert_eq!(positions(range(Some(3), Some(-100), -1), 7), [3, 2, 1, 0]);
        assert_eq!(positions(range(Some(-3), None, 1), 7), [4, 5, 6]);
        assert_eq!(positions(range(Some(9), None, -4), 7), [6, 2]);
        assert_eq!(positions(range(Some(4), Some(2), 1), 7), [] as [i64; 0]);
        assert_eq!(positions(range(Some(i64::MIN), Some(i64::MAX), i64::MAX), 3), [0]);
        assert_eq!(positions(range(None, None, 1), 0), [] as [i64; 0]);
    }
}
