//! Derivatives of running reductions. Sums are linear. Products and extremes are followed by a
//! recurrence along their lines, without a division: of a product each tangent is the one before
//! times the element, plus the element's own; of an extreme it is the one before, unless the
//! element is a new record, which takes it over. The recurrence is solved in log₂ n steps (W. D.
//! Hillis and G. L. Steele, "Data Parallel Algorithms", 1986), and runs the other way for
//! cotangents.
//!
//! Deferred: few programs scan.

use weft_ir::build::{Build, Ref};
use weft_ir::op::{Binary, Coefficient, Compare, Op, ReduceOp, Scan, Unary, View};
use weft_ir::{DType, Literal, Result};

/// The tangent of a scan of `x`.
pub(super) fn push(emit: &mut dyn Build, scan: &Scan, x: Ref, tangent: Ref) -> Result<Ref> {
    if scan.op == ReduceOp::Sum {
        return emit.op(Op::Scan(*scan), &[tangent]);
    }
    Lines::of(emit, scan, x)?.through(emit, tangent, |lines, emit, tangent| {
        let own = lines.scaled_by_weights(emit, tangent)?;
        let all = lines.recurrence(emit, own, lines.links)?;
        if scan.exclusive { lines.shifted(emit, all) } else { Ok(all) }
    })
}

/// The cotangent of `x` of which a scan has one.
///
/// Deferred: few running reductions are differentiated.
#[inline(never)]
pub(super) fn pull(emit: &mut dyn Build, scan: &Scan, x: Ref, cotangent: Ref) -> Result<Ref> {
    if scan.op == ReduceOp::Sum {
        return emit.op(Op::Scan(Scan { reverse: !scan.reverse, ..*scan }), &[cotangent]);
    }
    Lines::of(emit, scan, x)?.through(emit, cotangent, |lines, emit, cotangent| {
        let mut back = lines.backwards(emit, cotangent)?;
        if scan.exclusive {
            back = lines.shifted(emit, back)?;
        }
        let links = lines.backwards(emit, lines.links)?;
        let links = lines.shifted(emit, links)?;
        let all = lines.recurrence(emit, back, links)?;
        let all = lines.backwards(emit, all)?;
        lines.scaled_by_weights(emit, all)
    })
}

/// The lines of a scan as rows of [before, blocks, block, after], read in the order in which it
/// runs.
struct Lines {
    before: usize,
    extent: usize,
    block: usize,
    after: usize,
    reverse: bool,
    /// What an element's own tangent is multiplied by; of an extreme, whether it is a record.
    weights: Ref,
    /// What the tangent before is multiplied by; of an extreme, whether it is kept.
    links: Ref,
}

/// The axis along which rows run.
const ALONG: usize = 2;

impl Lines {
    fn of(emit: &mut dyn Build, scan: &Scan, x: Ref) -> Result<Lines> {
        let shape = emit.shape(x);
        let extent = shape[scan.axis];
        let mut lines = Lines {
            before: shape[..scan.axis].iter().product(),
            extent,
            block: scan.block.min(extent.max(1)),
            after: shape[scan.axis + 1..].iter().product(),
            reverse: scan.reverse,
            weights: x,
            links: x,
        };
        let rows = lines.rows(emit, x, scan.op.identity(DType::F32))?;
        let before = emit.scan(scan.op, rows, ALONG, false, true)?;
        if scan.op == ReduceOp::Prod {
            (lines.weights, lines.links) = (before, rows);
            return Ok(lines);
        }
        let relation = if scan.op == ReduceOp::Max { Compare::Gt } else { Compare::Lt };
        let better = emit.compare(relation, rows, before)?;
        let was_nan = emit.unary(Unary::IsNan, before)?;
        let was_number = emit.unary(Unary::Not, was_nan)?;
        let is_nan = emit.unary(Unary::IsNan, rows)?;
        let first_nan = emit.binary(Binary::And, is_nan, was_number)?;
        let of_rows = emit.shape(rows);
        let place = emit.op(Op::Iota { shape: of_rows, axis: ALONG, dtype: DType::I32 }, &[])?;
        let first = emit.compare_number(Compare::Eq, place, 0.0)?;
        let record = emit.binary(Binary::Or, better, first_nan)?;
        lines.weights = emit.binary(Binary::Or, record, first)?;
        lines.links = emit.unary(Unary::Not, lines.weights)?;
        Ok(lines)
    }

    /// A tensor of the scan's shape as rows, those that are cut off filled up.
    fn rows(&self, emit: &mut dyn Build, x: Ref, fill: Literal) -> Result<Ref> {
        let blocks = self.extent.div_ceil(self.block);
        let flat = emit.reshape(x, &[self.before, self.extent, self.after].into())?;
        let flat = slid(emit, flat, 1, 0..self.extent, 0, blocks * self.block, fill)?;
        let rows = emit.reshape(flat, &[self.before, blocks, self.block, self.after].into())?;
        if self.reverse { self.backwards(emit, rows) } else { Ok(rows) }
    }

    /// What `rule` makes of the rows of a tensor, in the tensor's shape.
    fn through(
        &self,
        emit: &mut dyn Build,
        x: Ref,
        rule: impl FnOnce(&Lines, &mut dyn Build, Ref) -> Result<Ref>,
    ) -> Result<Ref> {
        let shape = emit.shape(x);
        let rows = self.rows(emit, x, Literal::F32(0.0))?;
        let mut rows = rule(self, emit, rows)?;
        if self.reverse {
            rows = self.backwards(emit, rows)?;
        }
        let length = self.extent.next_multiple_of(self.block);
        let flat = emit.reshape(rows, &[self.before, length, self.after].into())?;
        let flat = slid(emit, flat, 1, 0..self.extent, 0, self.extent, Literal::F32(0.0))?;
        emit.reshape(flat, &shape)
    }

    fn backwards(&self, emit: &mut dyn Build, rows: Ref) -> Result<Ref> {
        emit.flip(rows, &[false, false, true, false])
    }

    /// Rows moved on by one, nothing at their beginning.
    fn shifted(&self, emit: &mut dyn Build, rows: Ref) -> Result<Ref> {
        let nothing = Literal::zero(emit.dtype(rows));
        slid(emit, rows, ALONG, 0..self.block.saturating_sub(1), 1, self.block, nothing)
    }

    fn scaled_by_weights(&self, emit: &mut dyn Build, x: Ref) -> Result<Ref> {
        times(emit, self.weights, x)
    }

    /// s with s[i] = own[i] + links[i] · s[i − 1].
    fn recurrence(&self, emit: &mut dyn Build, own: Ref, links: Ref) -> Result<Ref> {
        let (mut sums, mut links) = (own, links);
        let mut distance = 1;
        while distance < self.block {
            let nothing = [Literal::F32(0.0), Literal::zero(emit.dtype(links))];
            let (later, earlier) = (distance..self.block, 0..self.block - distance);
            let none = Literal::zero(emit.dtype(links));
            let link = slid(emit, links, ALONG, later.clone(), 0, later.len(), none)?;
            let before = slid(emit, sums, ALONG, earlier.clone(), 0, later.len(), nothing[0])?;
            let more = times(emit, link, before)?;
            let more = slid(emit, more, ALONG, 0..later.len(), distance, self.block, nothing[0])?;
            sums = emit.add(sums, more)?;
            distance *= 2;
            if distance < self.block {
                let before = slid(emit, links, ALONG, earlier, 0, later.len(), none)?;
                let op = if emit.dtype(links) == DType::Bool { Binary::And } else { Binary::Mul };
                let joined = emit.binary(op, link, before)?;
                links = slid(
                    emit,
                    joined,
                    ALONG,
                    0..later.len(),
                    self.block - later.len(),
                    self.block,
                    nothing[1],
                )?;
            }
        }
        Ok(sums)
    }
}

/// x times a factor, or where it is true.
fn times(emit: &mut dyn Build, factor: Ref, x: Ref) -> Result<Ref> {
    if emit.dtype(factor) == DType::Bool { emit.keep_where(factor, x) } else { emit.mul(factor, x) }
}

/// The elements of `part` of an axis put behind `low` places of `fill`, as many more of which
/// follow as make up `length`.
fn slid(
    emit: &mut dyn Build,
    x: Ref,
    axis: usize,
    part: std::ops::Range<usize>,
    low: usize,
    length: usize,
    fill: Literal,
) -> Result<Ref> {
    let shape = emit.shape(x);
    let (mut taken, mut made) = (shape.to_vec(), shape.to_vec());
    (taken[axis], made[axis]) = (part.len(), length);
    let place = |at: usize| {
        let mut offsets = vec![Coefficient::Const(0); shape.rank()];
        offsets[axis] = Coefficient::Const(at as i64);
        offsets
    };
    let mut y = x;
    if taken != *shape {
        let steps = vec![1; shape.rank()];
        y = emit
            .op(Op::View(View::Slice { starts: place(part.start), steps, lengths: taken.clone() }), &[y])?;
    }
    if made != taken {
        let interior = vec![0; shape.rank()];
        y = emit
            .op(Op::View(View::Pad { low: place(low), interior, shape: made.into(), value: fill }), &[y])?;
    }
    Ok(y)
}
