//! Float operands that shader compilers must not see.
//!
//! Compilers simplify floats as if there were no NaN, no infinity and no rounding: they fold 0 · x
//! and 0 / x where the 0 is a literal (SPIRV-Tools, which SwiftShader runs, NVIDIA and Mesa), x / x
//! (NVIDIA), x − x and a + b − a (Mesa), a − b + b (SPIRV-Tools), make a · (b + c) of a · b + a · c
//! and a selection of the product of a truth and a number (Mesa), and x · r² of x · r · r (NVIDIA),
//! which is infinite where r² is. And they contract a·b − max(a·b, c), which is no longer 0 where
//! a·b is larger. Where both operands of such an identity are known, one goes through
//! [`Function::Hidden`], which no compiler looks through. Distinct values, as nearly all operands
//! are, cost nothing.

use super::builder::KernelBuilder;
use weft_ir::kernel::{BinaryOp, Expr, ExprId, Function, UnaryOp};
use weft_ir::op::Binary;
use weft_ir::{DType, Literal};

/// Terms of a sum that are looked at. Compilers look at two or three.
const MOST_TERMS: usize = 16;
/// Sums within sums, and selections within selections, that are looked into.
const DEPTH: usize = 3;

/// A term of a sum, and whether it is subtracted.
type Term = (ExprId, bool);

impl KernelBuilder {
    /// The operands of an operation on f32. One is hidden where a compiler would apply algebra that
    /// floats do not obey.
    pub fn guarded(&mut self, op: Binary, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
        if self.type_of(a).lanes > 1 {
            return (a, b);
        }
        match op {
            Binary::Add | Binary::Sub => {
                // A sum is hidden with all that is in it.
                let first = self.literal_of(a).is_none() && (!self.is_sum(b) || self.is_sum(a));
                let simplifies = self.simplifies(op, a, b);
                let hide_a = simplifies && first || self.is_product(a) && self.may_be(b, a, DEPTH);
                let hide_b = simplifies && !first || self.is_product(b) && self.may_be(a, b, DEPTH);
                let hidden_a = if hide_a { self.hidden(a, b) } else { a };
                // Two hidden in the same way would be known to be equal.
                let hidden_b = match (hide_a, hide_b) {
                    (_, false) => b,
                    (false, true) => self.hidden(b, a),
                    (true, true) => self.hidden_apart(b, a),
                };
                (hidden_a, hidden_b)
            }
            Binary::Mul if self.is_telling(a) || a == b && self.is_root(a) => (self.hidden(a, b), b),
            Binary::Mul if self.is_telling(b) => (a, self.hidden(b, a)),
            Binary::Mul if self.may_square(a, b) => {
                if self.is_product(b) && !self.is_product(a) {
                    (self.hidden(a, b), b)
                } else {
                    (a, self.hidden(b, a))
                }
            }
            Binary::Div if self.is_telling(a) && self.is_telling(b) => (self.hidden(a, b), self.hidden(b, a)),
            Binary::Div if self.is_telling(a) => (self.hidden(a, b), b),
            Binary::Div if self.is_telling(b) || self.unnamed(a) == self.unnamed(b) => (a, self.hidden(b, a)),
            // Nothing to hide: no compiler simplifies these, or not of such operands.
            Binary::Mul | Binary::Div => (a, b),
            Binary::FloorDiv | Binary::Rem | Binary::Pow | Binary::Min | Binary::Max => (a, b),
            Binary::And | Binary::Or | Binary::Xor | Binary::Shl | Binary::Shr => (a, b),
        }
    }

    /// The operands of an operation on f32 whose zero has the sign that it is written to have.
    /// Compilers take x + 0 for x, which is −0 where x is −0, and 0 − x for −x.
    pub fn with_signed_zero(&mut self, op: Binary, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
        match op {
            Binary::Add => (self.hidden_zero(0.0, a, b), self.hidden_zero(0.0, b, a)),
            Binary::Sub => (self.hidden_zero(0.0, a, b), self.hidden_zero(-0.0, b, a)),
            Binary::Mul if self.literal_of(a) == Some(-1.0) => (a, self.with_signed_zero_below(b)),
            Binary::Mul if self.literal_of(b) == Some(-1.0) => (self.with_signed_zero_below(a), b),
            _ => (a, b),
        }
    }

    /// A value that is hidden if it is this zero, by a number in `other`.
    pub fn hidden_zero(&mut self, zero: f32, value: ExprId, other: ExprId) -> ExprId {
        match self.literal_of(value) {
            Some(literal) if literal.to_bits() == zero.to_bits() => self.hidden(value, other),
            _ => value,
        }
    }

    /// The operand of a change of sign that keeps the sign of zero. Compilers take −(x − y) for y −
    /// x (NVIDIA) and −(x + 2) for −2 − x (SPIRV-Tools), which are 0 rather than −0 where x is y,
    /// or −2.
    pub fn with_signed_zero_below(&mut self, x: ExprId) -> ExprId {
        let is_difference = match *self.get(self.unnamed(x)) {
            Expr::Binary(BinaryOp::Sub, ..) => true,
            Expr::Binary(BinaryOp::Add, a, b) => self.literal_of(a).or(self.literal_of(b)).is_some(),
            _ => false,
        };
        if is_difference { self.hidden(x, x) } else { x }
    }

    /// The product of two terms of a contraction.
    pub fn product(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let is_float = self.type_of(a).scalar == DType::F32;
        let (a, b) = if is_float { self.guarded(Binary::Mul, a, b) } else { (a, b) };
        self.binary(BinaryOp::Mul, a, b)
    }

    /// `value` through [`Function::Hidden`], so that no compiler can simplify it; `other` is the
    /// other operand.
    fn hidden(&mut self, value: ExprId, other: ExprId) -> ExprId {
        match self.number_of(value, other) {
            Some(by) => self.call(Function::Hidden, &[value, by]),
            None => value,
        }
    }

    /// As `hidden`, of an operand of one that is hidden too: no compiler knows both to be equal.
    fn hidden_apart(&mut self, value: ExprId, other: ExprId) -> ExprId {
        match self.number_of(value, other) {
            Some(by) => {
                let by = self.expr(Expr::Unary(UnaryOp::Neg, by));
                self.call(Function::Hidden, &[value, by])
            }
            None => value,
        }
    }

    /// The number by which a value is hidden.
    fn number_of(&mut self, value: ExprId, other: ExprId) -> Option<ExprId> {
        let witness = self.witness(value, 2 * DEPTH).or_else(|| self.witness(other, 2 * DEPTH))?;
        Some(match self.type_of(witness).scalar {
            DType::F32 => witness,
            _ => self.expr(Expr::Bitcast(DType::F32, witness)),
        })
    }

    /// A number in an expression that may be any: neither a literal nor one of a few.
    fn witness(&self, id: ExprId, depth: usize) -> Option<ExprId> {
        let ty = self.type_of(id);
        match *self.get(self.unnamed(id)) {
            _ if depth == 0 || ty.lanes > 1 => None,
            Expr::Literal(_) => None,
            Expr::Select(_, a, b) => self.witness(a, depth - 1).or_else(|| self.witness(b, depth - 1)),
            Expr::Cast(_, x) if self.type_of(x).scalar == DType::Bool => self.witness(x, depth - 1),
            Expr::Binary(_, a, b) if ty.scalar == DType::Bool => {
                self.witness(a, depth - 1).or_else(|| self.witness(b, depth - 1))
            }
            Expr::Unary(_, x) if ty.scalar == DType::Bool => self.witness(x, depth - 1),
            Expr::Call(Function::IsNan, ref x) => self.witness(x[0], depth - 1),
            _ => (ty.scalar != DType::Bool).then_some(id),
        }
    }

    fn literal_of(&self, id: ExprId) -> Option<f32> {
        match *self.get(self.unnamed(id)) {
            Expr::Literal(Literal::F32(value)) => Some(value),
            _ => None,
        }
    }

    /// Whether a factor says what the product is to those who know no NaN: 0, or a truth as a
    /// number.
    fn is_telling(&self, id: ExprId) -> bool {
        match *self.get(self.unnamed(id)) {
            Expr::Literal(Literal::F32(value)) => value == 0.0,
            Expr::Cast(DType::F32, truth) => self.type_of(truth).scalar == DType::Bool,
            _ => false,
        }
    }

    /// Whether the square of a value is known to those who know no NaN. The prelude's 1/√x chooses
    /// its NaN by the sign of x, which no product undoes.
    fn is_root(&self, id: ExprId) -> bool {
        matches!(self.get(self.unnamed(id)), Expr::Unary(UnaryOp::Sqrt, _))
    }

    /// Whether terms of a sum cancel (a value and itself, a literal and another), or both operands
    /// are products that share a factor.
    fn simplifies(&self, op: Binary, a: ExprId, b: ExprId) -> bool {
        let mut terms = Vec::new();
        self.terms((a, false), DEPTH, &mut terms);
        self.terms((b, op == Binary::Sub), DEPTH, &mut terms);
        let opposite = |(x, minus): Term, (y, other): Term| match (self.literal_of(x), self.literal_of(y)) {
            (Some(x), Some(y)) => x != 0.0 && y != 0.0 && (x < 0.0) ^ minus != (y < 0.0) ^ other,
            _ => x == y && minus != other,
        };
        if (0..terms.len()).any(|n| terms[..n].iter().any(|&term| opposite(term, terms[n]))) {
            return true;
        }
        let (Expr::Binary(BinaryOp::Mul, p, q), Expr::Binary(BinaryOp::Mul, r, s)) =
            (self.get(self.unnamed(a)), self.get(self.unnamed(b)))
        else {
            return false;
        };
        let is_shared =
            |x: ExprId, y: ExprId| self.unnamed(x) == self.unnamed(y) && self.literal_of(x).is_none();
        is_shared(*p, *r) || is_shared(*p, *s) || is_shared(*q, *r) || is_shared(*q, *s)
    }

    fn is_product(&self, id: ExprId) -> bool {
        matches!(self.get(self.unnamed(id)), Expr::Binary(BinaryOp::Mul, ..))
    }

    /// Whether a value is another for some numbers: a choice, an extreme or an integer near it.
    fn may_be(&self, id: ExprId, other: ExprId, depth: usize) -> bool {
        let id = self.unnamed(id);
        if id == self.unnamed(other) {
            return true;
        }
        let any = |of: &[ExprId]| depth > 0 && of.iter().any(|&x| self.may_be(x, other, depth - 1));
        match self.get(id) {
            Expr::Select(_, x, y) => any(&[*x, *y]),
            Expr::Call(Function::MinF32 | Function::MaxF32, of) => any(of),
            Expr::Unary(UnaryOp::Neg | UnaryOp::Abs | UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Round, x) => {
                any(&[*x])
            }
            _ => false,
        }
    }

    /// Whether a factor of one operand is a factor of the other too, beside others: a compiler may
    /// square it first, which may overflow where the product does not.
    fn may_square(&self, a: ExprId, b: ExprId) -> bool {
        if self.unnamed(a) == self.unnamed(b) || !(self.is_product(a) || self.is_product(b)) {
            return false;
        }
        let [mut of_a, mut of_b] = [Vec::new(), Vec::new()];
        self.factors(a, DEPTH, &mut of_a);
        self.factors(b, DEPTH, &mut of_b);
        let is_shared = |&&factor: &&ExprId| of_b.contains(&factor) && self.literal_of(factor).is_none();
        let is_other = |&shared: &ExprId| of_a.iter().chain(&of_b).any(|&factor| factor != shared);
        of_a.iter().find(is_shared).is_some_and(is_other)
    }

    /// Factors of a product.
    fn factors(&self, id: ExprId, depth: usize, found: &mut Vec<ExprId>) {
        let id = self.unnamed(id);
        match *self.get(id) {
            Expr::Binary(BinaryOp::Mul, x, y) if depth > 0 => {
                self.factors(x, depth - 1, found);
                self.factors(y, depth - 1, found);
            }
            _ => found.push(id),
        }
    }

    fn is_sum(&self, id: ExprId) -> bool {
        matches!(self.get(self.unnamed(id)), Expr::Binary(BinaryOp::Add | BinaryOp::Sub, ..))
    }

    fn terms(&self, (id, minus): Term, depth: usize, found: &mut Vec<Term>) {
        let id = self.unnamed(id);
        match *self.get(id) {
            _ if found.len() >= MOST_TERMS => {}
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), x, y) if depth > 0 => {
                self.terms((x, minus), depth - 1, found);
                self.terms((y, minus ^ (op == BinaryOp::Sub)), depth - 1, found);
            }
            // One of both, and which may be known.
            Expr::Select(_, x, y) if depth > 0 => {
                self.terms((x, minus), depth - 1, found);
                self.terms((y, minus), depth - 1, found);
            }
            Expr::Unary(UnaryOp::Neg, x) if depth > 0 => self.terms((x, !minus), depth - 1, found),
            _ => found.push((id, minus)),
        }
    }
}
