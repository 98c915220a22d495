//! Slices, by NumPy's rules. Where a slice begins is a run-time value, so that a moving slice is one program.

use crate::tensor::Tensor;
use weft_ir::op::{Coefficient, Op, View};
use weft_ir::{Error, Literal, Result};

/// Which positions of one axis: `start..stop` in steps, as in Python. Negative positions count from the end; positions beyond
/// the axis are clamped into it; `None` is as far as there is in the step's direction.
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
    /// The given part of each axis; axes not mentioned are whole. Errors with `Axis` for more parts than axes, with `Value`
    /// for a step of 0 and for a position that the axis does not have.
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

    /// The given range of each axis; axes not mentioned are whole. Errors with `Axis` for more ranges than axes and `Value`
    /// for a step of 0.
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
            return crate::build::cast(name, self, self.dtype());
        }
        let inputs: Vec<&Tensor> = std::iter::once(self).chain(&parameters).collect();
        self.device().append(name, Op::View(View::Slice { starts, steps, lengths }), &inputs)
    }

    /// Consecutive pieces of the given lengths along `axis`. Errors with `Shape` unless they add up to its extent.
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
