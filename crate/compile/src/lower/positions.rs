//! Positions of a row that an invocation visits, and the loops over them.
//!
//! Like every loop here they count by one to a constant and multiply inside: Tint guards a loop
//! that it cannot prove finite with a counter of 64 bits, which halves the speed of a reduction.
//! Several iterations are written out in each, so that their loads are in flight together; no
//! iteration but the last asks whether it is past the end.

use super::eval::Evaluator;
use std::ops::Range;
use weft_ir::kernel::{BinaryOp, ExprId};

/// The positions `first`, `first + stride`, … before `length`.
#[derive(Clone, Copy)]
pub struct Positions {
    /// The first, below `stride`.
    pub first: ExprId,
    /// Where they end.
    pub length: usize,
    /// From one to the next.
    pub stride: u32,
    /// Iterations written out in each of a loop's.
    pub unroll: usize,
}

impl Positions {
    /// Iterations that some invocation takes.
    pub fn iterations(&self) -> usize {
        self.length.div_ceil(self.stride as usize)
    }

    /// Iterations that every invocation takes: all, or all but one.
    pub fn full(&self, eval: &Evaluator<'_>) -> usize {
        let (_, high) = eval.b.index_range(self.first);
        (self.length as i64 - high).max(0).unsigned_abs().div_ceil(u64::from(self.stride)) as usize
    }

    /// Runs `body` at every position.
    pub fn each(
        &self,
        eval: &mut Evaluator<'_>,
        name: &str,
        body: &mut dyn FnMut(&mut Evaluator<'_>, ExprId),
    ) {
        let full = self.full(eval);
        let none = eval.b.index_const(0);
        self.each_of(eval, name, none, 0..full, body);
        self.beyond(eval, name, full, body);
    }

    /// Runs `body` at the positions of some iterations that every invocation takes, counted from
    /// `before`.
    pub fn each_of(
        &self,
        eval: &mut Evaluator<'_>,
        name: &str,
        before: ExprId,
        iterations: Range<usize>,
        body: &mut dyn FnMut(&mut Evaluator<'_>, ExprId),
    ) {
        let unroll = self.unroll.max(1);
        let looped = if iterations.len() < 2 * unroll { 0 } else { iterations.len() / unroll };
        let at = |eval: &mut Evaluator<'_>, iteration: ExprId| {
            let iteration = eval.b.index_add(before, iteration);
            let position = self.at(eval, iteration);
            eval.b.index_bind(name, position)
        };
        if looped > 0 {
            eval.each("iteration", looped, |eval, iteration| {
                let ahead = eval.b.index_scale(iteration, unroll as i64);
                let ahead = eval.b.index_offset(ahead, iterations.start as i64);
                for number in 0..unroll {
                    let iteration = eval.b.index_offset(ahead, number as i64);
                    let position = at(eval, iteration);
                    body(eval, position);
                }
            });
        }
        for iteration in iterations.start + looped * unroll..iterations.end {
            let iteration = eval.b.index_const(iteration as i64);
            let position = at(eval, iteration);
            body(eval, position);
        }
    }

    /// Runs `body` at the positions from iteration `full` on, where an invocation has one more.
    pub fn beyond(
        &self,
        eval: &mut Evaluator<'_>,
        name: &str,
        full: usize,
        body: &mut dyn FnMut(&mut Evaluator<'_>, ExprId),
    ) {
        for iteration in full..self.iterations() {
            let iteration = eval.b.index_const(iteration as i64);
            let position = self.at(eval, iteration);
            // Only inside is it known to lie before the end: not so what it is another name of.
            let position = eval.b.bind_anew(name, position);
            eval.b.index.set_range(position, 0, self.length as i64 - 1);
            let end = eval.b.index_const(self.length as i64);
            let inside = eval.b.binary(BinaryOp::Lt, position, end);
            eval.open();
            body(eval, position);
            eval.forget();
            eval.b.close_if(inside);
        }
    }

    fn at(&self, eval: &mut Evaluator<'_>, iteration: ExprId) -> ExprId {
        let ahead = eval.b.index_scale(iteration, i64::from(self.stride));
        eval.b.index_add(self.first, ahead)
    }
}
