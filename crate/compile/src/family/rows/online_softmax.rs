//! A softmax whose elements come one after the other: weights are relative to the largest element
//! so far, and a larger one scales what has been added up before. After M. Milakov and N.
//! Gimelshein, "Online normalizer calculation for softmax" (2018), §3.

use crate::lower::eval::Evaluator;
use weft_ir::kernel::{BinaryOp, Expr, ExprId, Function, LocalId, Stmt};
use weft_ir::{DType, Literal};

/// The sum of eˣ⁻ᵐ and the largest x so far, m, which is kept finite: what is less than every
/// number adds nothing, and what is more makes the sum infinite. Of one row, or lane by lane of
/// four.
pub(crate) struct Running {
    lanes: u8,
    top: LocalId,
    sum: LocalId,
}

impl Running {
    pub fn new(eval: &mut Evaluator<'_>, lanes: u8) -> Running {
        let mut var = |name: &str, first: f32| {
            let first = splat(eval, lanes, Literal::F32(first));
            eval.b.var(name, first)
        };
        Running { lanes, top: var("top", f32::MIN), sum: var("sum", 0.0) }
    }

    /// Online-softmax update. Yields the factor that scales earlier sums, and the weights of the
    /// elements. `together` combines the maxima of invocations that share a row.
    pub fn take(
        &self,
        eval: &mut Evaluator<'_>,
        elements: &[ExprId],
        together: &mut dyn FnMut(&mut Evaluator<'_>, ExprId) -> ExprId,
    ) -> (ExprId, Vec<ExprId>) {
        let before = eval.b.read(self.top);
        let before = eval.b.bind_anew("before", before);
        let top = elements.iter().fold(before, |top, &element| eval.b.binary(BinaryOp::Max, top, element));
        let top = together(eval, top);
        let greatest = splat(eval, self.lanes, Literal::F32(f32::MAX));
        let top = eval.b.binary(BinaryOp::Min, top, greatest);
        let top = eval.b.bind_anew("top", top);
        let scale = self.power(eval, before, top);
        let now = eval.b.read(self.sum);
        let before = eval.b.binary(BinaryOp::Mul, now, scale);
        let weights: Vec<ExprId> = elements.iter().map(|&element| self.power(eval, element, top)).collect();
        // Added up by themselves first, so that the whole sum is rounded once for all of them.
        let all = weights.iter().copied().reduce(|all, weight| eval.b.binary(BinaryOp::Add, all, weight));
        let sum = all.map_or(before, |all| eval.b.binary(BinaryOp::Add, before, all));
        eval.b.push(Stmt::Assign(self.sum, sum));
        eval.b.push(Stmt::Assign(self.top, top));
        (scale, weights)
    }

    /// The largest element and the sum, relative to it.
    pub fn found(&self, eval: &mut Evaluator<'_>) -> (ExprId, ExprId) {
        (eval.b.read(self.top), eval.b.read(self.sum))
    }

    /// e to the power of x − top, which is 0 at most but for an x that is infinite.
    fn power(&self, eval: &mut Evaluator<'_>, x: ExprId, top: ExprId) -> ExprId {
        let difference = eval.b.binary(BinaryOp::Sub, x, top);
        let power = if self.lanes == 1 {
            eval.b.call(Function::ExpBelow, &[difference])
        } else {
            let difference = eval.b.bind("difference", difference);
            let lanes = (0..self.lanes).map(|lane| {
                let lane = eval.b.expr(Expr::Component(difference, lane));
                eval.b.call(Function::ExpBelow, &[lane])
            });
            let lanes: Vec<ExprId> = lanes.collect();
            eval.b.compose(&lanes)
        };
        eval.b.bind("weight", power)
    }
}

/// Tells whether there was a NaN, by the greatest bits but for the sign: a device's own maximum and
/// powers may make a number of it.
pub(crate) struct Magnitude(LocalId);

impl Magnitude {
    pub fn new(eval: &mut Evaluator<'_>, lanes: u8) -> Magnitude {
        let none = splat(eval, lanes, Literal::U32(0));
        Magnitude(eval.b.var("magnitude", none))
    }

    pub fn take(&self, eval: &mut Evaluator<'_>, elements: &[ExprId]) {
        let mut seen = eval.b.read(self.0);
        let lanes = eval.b.type_of(seen).lanes;
        let positive = splat(eval, lanes, Literal::U32(0x7fff_ffff));
        for &element in elements {
            let bits = eval.b.expr(Expr::Bitcast(DType::U32, element));
            let bits = eval.b.binary(BinaryOp::And, bits, positive);
            seen = eval.b.binary(BinaryOp::Max, seen, bits);
        }
        eval.b.push(Stmt::Assign(self.0, seen));
    }

    /// A number, or NaN where there was one.
    pub fn or_nan(&self, eval: &mut Evaluator<'_>, number: ExprId) -> ExprId {
        let seen = eval.b.read(self.0);
        let lanes = eval.b.type_of(seen).lanes;
        let infinite = splat(eval, lanes, Literal::U32(0x7f80_0000));
        let nan = splat(eval, lanes, Literal::F32(f32::NAN));
        let is_nan = eval.b.binary(BinaryOp::Gt, seen, infinite);
        eval.b.select(is_nan, nan, number)
    }
}

/// A literal in each of a number of lanes.
pub(crate) fn splat(eval: &mut Evaluator<'_>, lanes: u8, literal: Literal) -> ExprId {
    let scalar = eval.b.literal(literal);
    if lanes == 1 { scalar } else { eval.b.expr(Expr::Splat(lanes, scalar)) }
}
