//! Counted loops of a kernel that is being written.

use super::eval::Evaluator;
use weft_ir::kernel::{BinaryOp, Builtin, Expr, ExprId, LocalId};
use weft_ir::{DType, Literal};

impl Evaluator<'_> {
    /// Writes a loop over `0..length`.
    pub fn each(&mut self, name: &str, length: usize, body: impl FnOnce(&mut Self, ExprId)) {
        let (counter, value) = self.b.counter(name, length as i64);
        self.open();
        body(self, value);
        self.close_each(counter, length);
    }

    /// Writes `body` for each of `0..length`: as often, or once in a loop where the family is to
    /// write loops.
    pub fn repeat(&mut self, name: &str, length: usize, body: &mut dyn FnMut(&mut Self, ExprId)) {
        if self.in_loops {
            return self.each(name, length, body);
        }
        for number in 0..length {
            let number = self.b.index_const(number as i64);
            body(self, number);
        }
    }

    #[inline(never)]
    fn close_each(&mut self, counter: LocalId, length: usize) {
        self.forget();
        let from = if self.hides_lengths { self.hidden_zero() } else { self.b.index_const(0) };
        let to = self.b.index_const(length as i64);
        self.b.close_for(counter, from, to, 1);
    }

    /// A zero that no compiler knows, the same in a workgroup: the fourth power of an odd number
    /// ends in the bits 0001. NVIDIA's driver writes out loops of which it knows the length, and
    /// takes up to twice as long for a kernel: 86 ms rather than 41 for a product of 1024³ (H100).
    fn hidden_zero(&mut self) -> ExprId {
        let group = self.b.expr(Expr::Builtin(Builtin::WorkgroupId(0)));
        let [one, eight] = [1, 8].map(|bits| self.b.literal(Literal::U32(bits)));
        let odd = self.b.binary(BinaryOp::Or, group, one);
        let square = self.b.binary(BinaryOp::Mul, odd, odd);
        let fourth = self.b.binary(BinaryOp::Mul, square, square);
        let bit = self.b.binary(BinaryOp::And, fourth, eight);
        self.b.cast(DType::I32, bit)
    }
}
