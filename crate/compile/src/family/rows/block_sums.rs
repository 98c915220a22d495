//! Float sums by blocks: an invocation adds up blocks of elements, groups of blocks, and then the
//! groups (N. Higham, "The Accuracy of Floating Point Summation", 1993, §3). The rounding of a sum
//! of n elements is bounded by three times the cube root of n, where one by one it could reach n.

use crate::lower::accumulate::Accumulator;
use crate::lower::eval::Evaluator;
use crate::lower::positions::Positions;
use weft_ir::kernel::{BinaryOp, ExprId};

/// The most elements a float sum adds one by one.
const SHORT_SUM: usize = 32;
/// Elements of a block, at least and at the most.
const LEAST: usize = 16;
const MOST: usize = 32;
/// More blocks are added in groups.
const MANY_BLOCKS: usize = 32;

/// Takes the elements of a position into accumulators, a list for each row.
type Take<'t> = &'t mut dyn FnMut(&mut Evaluator<'_>, &[Vec<Accumulator>], ExprId);

/// Takes all positions, of `each` elements each, into `wholes`, a list for each row. The order of
/// evaluation depends on the shape alone.
pub(crate) fn in_blocks(
    eval: &mut Evaluator<'_>,
    wholes: &[Vec<Accumulator>],
    positions: Positions,
    each: u32,
    take: Take<'_>,
) {
    let elements = positions.iterations() * each as usize;
    let block = elements.isqrt().next_power_of_two().clamp(LEAST, MOST) / each as usize;
    let full = positions.full(eval);
    let blocks = full / block;
    if elements <= SHORT_SUM || blocks == 0 || sums(wholes).next().is_none() {
        return positions.each(eval, "j", &mut |eval, j| take(eval, wholes, j));
    }
    let group = (blocks > MANY_BLOCKS).then(|| blocks.isqrt().next_power_of_two());
    let groups = if group.is_some() { begun(eval, wholes) } else { wholes.to_vec() };
    eval.each("block", blocks, |eval, number| {
        let before = eval.b.index_scale(number, block as i64);
        let parts = begun(eval, wholes);
        positions.each_of(eval, "j", before, 0..block, &mut |eval, j| take(eval, &parts, j));
        join(eval, &groups, &parts);
        if let Some(group) = group {
            let (place, last) =
                (eval.b.index_rem(number, group as i64), eval.b.index_const(group as i64 - 1));
            let is_last = eval.b.binary(BinaryOp::Eq, place, last);
            eval.open();
            join(eval, wholes, &groups);
            sums(&groups).for_each(|sum| sum.clear(&mut eval.b));
            eval.forget();
            eval.b.close_if(is_last);
        }
    });
    if !full.is_multiple_of(block) || full < positions.iterations() {
        let parts = begun(eval, wholes);
        let single = Positions { unroll: 1, ..positions };
        let none = eval.b.index_const(0);
        single.each_of(eval, "j", none, blocks * block..full, &mut |eval, j| take(eval, &parts, j));
        single.beyond(eval, "j", full, &mut |eval, j| take(eval, &parts, j));
        join(eval, &groups, &parts);
    }
    if group.is_some() {
        join(eval, wholes, &groups);
    }
}

/// Those of accumulators whose order matters.
fn sums(rows: &[Vec<Accumulator>]) -> impl Iterator<Item = &Accumulator> {
    rows.iter().flatten().filter(|a| a.rounds())
}

/// The same accumulators, but sums begun anew.
fn begun(eval: &mut Evaluator<'_>, rows: &[Vec<Accumulator>]) -> Vec<Vec<Accumulator>> {
    let mut begin = |a: &Accumulator| if a.rounds() { a.again(&mut eval.b) } else { *a };
    rows.iter().map(|row| row.iter().map(&mut begin).collect()).collect()
}

/// Adds sums to others.
fn join(eval: &mut Evaluator<'_>, wholes: &[Vec<Accumulator>], parts: &[Vec<Accumulator>]) {
    for (whole, part) in sums(wholes).zip(sums(parts)) {
        let sum = part.partial(&mut eval.b);
        whole.update(&mut eval.b, sum);
    }
}
