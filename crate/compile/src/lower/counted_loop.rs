//! Counted loops of a kernel that is being written.

use super::eval::Evaluator;
use weft_ir::kernel::{ExprId, LocalId};

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
        let (from, to) = (self.b.index_const(0), self.b.index_const(length as i64));
        self.b.close_for(counter, from, to, 1);
    }
}
