//! Index arithmetic in i32, simplified by ranges.
//!
//! An index map is a list of such expressions, one per input coordinate, in terms of the output's
//! coordinates. Views compose by substitution: the coordinates of a view's output go in, those of
//! its input come out (see `eval.rs`). Equal maps are equal ids, because every expression is
//! brought into one form: a sum of distinct atoms times constants plus a constant. Atoms are
//! locals, uniforms, gathered indices, and quotients and remainders by constants. The rules that
//! keep it small:
//!
//! - `(c·q + r) / c = q + r/c` and `(c·q + r) % c = r % c`; `x / c = 0` and `x % c = x` where `0 ≤
//!   x < c`
//! - `(x / a) / b = x / (a·b)`, `(x % (a·b)) / a = (x / a) % b` and `(x % (a·b)) % a = x % a`
//! - `(g·q + r) / (g·c) = q / c` and `(g·q + r) % (g·c) = g·(q % c) + r` where `0 ≤ r < g`
//! - `k·(x % c) + k·c·(x / c) = k·x`, and with `(x / c) % b` in place of `x / c`, `k·(x % (b·c))`
//!
//! The last is what makes a reshape between equal layouts, or the flattening of an unravelled
//! position, vanish. Coordinates are never negative where they are used; quotients and remainders
//! are only taken of expressions known not to be.
//!
//! Quotients and remainders are remembered: each rule asks for those of what is below, and without
//! memory a stack of views would ask along every path through it.

use super::builder::KernelBuilder;
use weft_ir::HashMap;
use weft_ir::kernel::{BinaryOp, Expr, ExprId};
use weft_ir::{DType, Literal, Shape};

/// A sum of atoms times constants, plus a constant; atoms are sorted and distinct, factors not
/// zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
struct Linear {
    terms: Vec<(ExprId, i64)>,
    constant: i64,
}

/// What a quotient or remainder atom is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Atom {
    Quotient(ExprId, i64),
    Remainder(ExprId, i64),
}

/// What is known of index expressions by id.
#[derive(Default)]
pub struct Facts {
    linear: HashMap<ExprId, Linear>,
    atoms: HashMap<ExprId, Atom>,
    ranges: HashMap<ExprId, (i64, i64)>,
    /// x / divisor and x % divisor, where they were asked for.
    quotients: HashMap<(ExprId, i64), ExprId>,
    remainders: HashMap<(ExprId, i64), ExprId>,
}

impl Facts {
    /// Declares that the values of an atom lie in `min..=max`.
    pub fn set_range(&mut self, id: ExprId, min: i64, max: i64) {
        self.ranges.insert(id, (min, max));
    }
}

impl KernelBuilder {
    /// A constant index.
    pub fn index_const(&mut self, value: i64) -> ExprId {
        self.literal(Literal::I32(value as i32))
    }

    /// The constant an index is, if it is one.
    pub fn index_value(&self, id: ExprId) -> Option<i64> {
        match self.get(id) {
            Expr::Literal(Literal::I32(value)) => Some(i64::from(*value)),
            _ => None,
        }
    }

    fn linear(&self, id: ExprId) -> Linear {
        if let Some(value) = self.index_value(id) {
            return Linear { terms: Vec::new(), constant: value };
        }
        self.index.linear.get(&id).cloned().unwrap_or(Linear { terms: vec![(id, 1)], constant: 0 })
    }

    /// What an index is a sum of, but for a constant: atoms with their factors.
    pub fn index_terms(&self, id: ExprId) -> Vec<(ExprId, i64)> {
        self.linear(id).terms
    }

    /// What an index is a sum of: atoms with their factors, and a constant.
    pub(crate) fn index_sum(&self, id: ExprId) -> (Vec<(ExprId, i64)>, i64) {
        let Linear { terms, constant } = self.linear(id);
        (terms, constant)
    }

    /// The least and greatest value an index can have.
    pub fn index_range(&self, id: ExprId) -> (i64, i64) {
        self.range_of(&self.linear(id))
    }

    fn range_of(&self, linear: &Linear) -> (i64, i64) {
        linear.terms.iter().fold((linear.constant, linear.constant), |(low, high), &(atom, factor)| {
            let (min, max) =
                self.index.ranges.get(&atom).copied().unwrap_or((i64::from(i32::MIN), i64::from(i32::MAX)));
            let (a, b) = (min.saturating_mul(factor), max.saturating_mul(factor));
            (low.saturating_add(a.min(b)), high.saturating_add(a.max(b)))
        })
    }

    /// a + b.
    pub fn index_add(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let (mut sum, other) = (self.linear(a), self.linear(b));
        sum.constant += other.constant;
        for (atom, factor) in other.terms {
            add_term(&mut sum.terms, atom, factor);
        }
        self.rejoin(&mut sum);
        self.materialise(sum)
    }

    /// x · factor.
    pub fn index_scale(&mut self, x: ExprId, factor: i64) -> ExprId {
        let mut linear = self.linear(x);
        linear.constant *= factor;
        linear.terms.iter_mut().for_each(|t| t.1 *= factor);
        linear.terms.retain(|t| t.1 != 0);
        self.materialise(linear)
    }

    /// x + constant.
    pub fn index_offset(&mut self, x: ExprId, offset: i64) -> ExprId {
        let offset = self.index_const(offset);
        self.index_add(x, offset)
    }

    /// a − b.
    pub fn index_sub(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let negated = self.index_scale(b, -1);
        self.index_add(a, negated)
    }

    /// x / divisor for x ≥ 0.
    pub fn index_div(&mut self, x: ExprId, divisor: i64) -> ExprId {
        if divisor == 1 {
            return x;
        }
        if let Some(&known) = self.index.quotients.get(&(x, divisor)) {
            return known;
        }
        let (whole, rest) = self.split(x, divisor);
        let coarse = self.coarse(&rest, divisor);
        let rest = self.materialise(rest);
        let (min, max) = self.index_range(rest);
        let quotient = if min >= 0 && max < divisor {
            self.index_const(0)
        } else if let Some((step, steps, _)) = coarse {
            let steps = self.materialise(steps);
            self.index_div(steps, divisor / step)
        } else if let Some(&Atom::Quotient(inner, by)) = self.index.atoms.get(&rest) {
            self.quotient_atom(inner, by * divisor)
        } else if let Some(&Atom::Remainder(inner, by)) = self.index.atoms.get(&rest)
            && by % divisor == 0
        {
            let quotient = self.index_div(inner, divisor);
            self.index_rem(quotient, by / divisor)
        } else {
            self.quotient_atom(rest, divisor)
        };
        let whole = self.materialise(whole);
        let result = self.index_add(whole, quotient);
        self.index.quotients.insert((x, divisor), result);
        result
    }

    /// x % divisor for x ≥ 0.
    pub fn index_rem(&mut self, x: ExprId, divisor: i64) -> ExprId {
        if divisor == 1 {
            return self.index_const(0);
        }
        if let Some(&known) = self.index.remainders.get(&(x, divisor)) {
            return known;
        }
        let (_, rest) = self.split(x, divisor);
        let coarse = self.coarse(&rest, divisor);
        let rest = self.materialise(rest);
        let (min, max) = self.index_range(rest);
        let result = if min >= 0 && max < divisor {
            rest
        } else if let Some((step, steps, fine)) = coarse {
            let steps = self.materialise(steps);
            let steps = self.index_rem(steps, divisor / step);
            let (steps, fine) = (self.index_scale(steps, step), self.materialise(fine));
            self.index_add(steps, fine)
        } else if let Some(&Atom::Remainder(inner, by)) = self.index.atoms.get(&rest)
            && by % divisor == 0
        {
            self.index_rem(inner, divisor)
        } else {
            let by = self.index_const(divisor);
            let atom = self.binary(BinaryOp::Rem, rest, by);
            self.index.atoms.insert(atom, Atom::Remainder(rest, divisor));
            self.index.set_range(atom, 0, (divisor - 1).min(max.max(0)));
            atom
        };
        self.index.remainders.insert((x, divisor), result);
        result
    }

    /// x / 4 and x % 4, where the latter is known.
    pub fn index_of_vector(&mut self, x: ExprId) -> Option<(ExprId, u8)> {
        let mut linear = self.linear(x);
        if !linear.terms.iter().all(|term| term.1 % 4 == 0) {
            return None;
        }
        let lane = linear.constant.rem_euclid(4) as u8;
        linear.constant = linear.constant.div_euclid(4);
        linear.terms.iter_mut().for_each(|term| term.1 /= 4);
        Some((self.materialise(linear), lane))
    }

    /// x = step · steps + fine with 0 ≤ fine < step, for the largest step above 1 below `divisor`
    /// that divides it; then x / divisor and x % divisor are questions about `steps`.
    fn coarse(&self, x: &Linear, divisor: i64) -> Option<(i64, Linear, Linear)> {
        let mut steps: Vec<i64> = x.terms.iter().map(|&(_, factor)| common(factor, divisor)).collect();
        // A step that leaves nothing fine is worth it too: both sides are divided by it.
        steps.retain(|&step| step > 1 && step < divisor);
        steps.into_iter().fold(None, |best: Option<(i64, Linear, Linear)>, step| {
            if best.as_ref().is_some_and(|(larger, ..)| *larger >= step) {
                return best;
            }
            let (mut whole, mut fine) = (Linear::default(), Linear::default());
            for &(atom, factor) in &x.terms {
                let part = if factor % step == 0 { &mut whole } else { &mut fine };
                let factor = if factor % step == 0 { factor / step } else { factor };
                part.terms.push((atom, factor));
            }
            whole.constant = x.constant.div_euclid(step);
            fine.constant = x.constant.rem_euclid(step);
            let (min, max) = self.range_of(&fine);
            if min >= 0 && max < step { Some((step, whole, fine)) } else { best }
        })
    }

    fn quotient_atom(&mut self, x: ExprId, divisor: i64) -> ExprId {
        let by = self.index_const(divisor);
        let atom = self.binary(BinaryOp::Div, x, by);
        let (min, max) = self.index_range(x);
        self.index.atoms.insert(atom, Atom::Quotient(x, divisor));
        self.index.set_range(atom, min.max(0) / divisor, max.max(0) / divisor);
        atom
    }

    /// x = divisor · whole + rest, with the terms that `divisor` divides in `whole`. The rest must
    /// not be negative, else nothing is split off.
    fn split(&self, x: ExprId, divisor: i64) -> (Linear, Linear) {
        let linear = self.linear(x);
        let (mut whole, mut rest) = (Linear::default(), Linear::default());
        for (atom, factor) in linear.terms.iter().copied() {
            if factor % divisor == 0 {
                whole.terms.push((atom, factor / divisor));
            } else {
                rest.terms.push((atom, factor));
            }
        }
        whole.constant = linear.constant.div_euclid(divisor);
        rest.constant = linear.constant.rem_euclid(divisor);
        if self.range_of(&rest).0 < 0 { (Linear::default(), linear) } else { (whole, rest) }
    }

    /// Joins remainders with the quotients that complete them.
    fn rejoin(&mut self, sum: &mut Linear) {
        'again: loop {
            for position in 0..sum.terms.len() {
                let (atom, factor) = sum.terms[position];
                let Some(&Atom::Remainder(x, by)) = self.index.atoms.get(&atom) else { continue };
                let quotient = self.index_div(x, by);
                let wanted = factor * by;
                if let Some(joined) = self.completed(sum, quotient, wanted) {
                    // k·(x % c) + k·c·(x / c) = k·x
                    let mut rest = joined;
                    add_term(&mut rest.terms, atom, -factor);
                    let linear = self.linear(x);
                    for (atom, f) in linear.terms {
                        add_term(&mut rest.terms, atom, f * factor);
                    }
                    rest.constant += linear.constant * factor;
                    *sum = rest;
                    continue 'again;
                }
                // k·(x % c) + k·c·((x / c) % b) = k·(x % (b·c))
                let outer =
                    sum.terms.iter().copied().find_map(|(other, f)| match self.index.atoms.get(&other) {
                        Some(&Atom::Remainder(inner, b)) if inner == quotient && f == wanted => {
                            Some((other, b))
                        }
                        _ => None,
                    });
                if let Some((other, b)) = outer {
                    let joined = self.index_rem(x, by * b);
                    add_term(&mut sum.terms, atom, -factor);
                    add_term(&mut sum.terms, other, -wanted);
                    let linear = self.linear(joined);
                    for (atom, f) in linear.terms {
                        add_term(&mut sum.terms, atom, f * factor);
                    }
                    sum.constant += linear.constant * factor;
                    continue 'again;
                }
            }
            return;
        }
    }

    /// `sum − wanted·quotient`, if every term of it stands in `sum` in full.
    fn completed(&self, sum: &Linear, quotient: ExprId, wanted: i64) -> Option<Linear> {
        let needed = self.linear(quotient);
        if needed.terms.is_empty() {
            return None;
        }
        let mut rest = sum.clone();
        for (atom, factor) in needed.terms {
            if !rest.terms.contains(&(atom, factor * wanted)) {
                return None;
            }
            add_term(&mut rest.terms, atom, -factor * wanted);
        }
        rest.constant -= needed.constant * wanted;
        Some(rest)
    }

    /// The expression of a sum: the same for equal sums.
    fn materialise(&mut self, linear: Linear) -> ExprId {
        if let [(atom, 1)] = linear.terms[..]
            && linear.constant == 0
        {
            return atom;
        }
        let mut sum: Option<ExprId> = None;
        for &(atom, factor) in &linear.terms {
            let term = if factor == 1 {
                atom
            } else {
                let by = self.index_const(factor);
                self.binary(BinaryOp::Mul, atom, by)
            };
            sum = Some(sum.map_or(term, |s| self.binary(BinaryOp::Add, s, term)));
        }
        let constant = self.index_const(linear.constant);
        let Some(sum) = sum else { return constant };
        let id = if linear.constant == 0 { sum } else { self.binary(BinaryOp::Add, sum, constant) };
        self.index.linear.insert(id, linear);
        id
    }

    /// Binds an index to a name, keeping what is known of its range. The name is an atom from then
    /// on.
    pub fn index_bind(&mut self, name: &str, x: ExprId) -> ExprId {
        let (min, max) = self.index_range(x);
        let bound = self.bind(name, x);
        if bound != x {
            self.index.set_range(bound, min, max);
        }
        bound
    }

    /// The coordinates of row-major position `flat` in `shape`; the origin in a shape without
    /// elements.
    pub fn unravel(&mut self, flat: ExprId, shape: &Shape) -> Vec<ExprId> {
        if shape.size() == 0 {
            return vec![self.index_const(0); shape.rank()];
        }
        let strides = shape.strides();
        (0..shape.rank())
            .map(|axis| {
                if shape[axis] == 1 {
                    return self.index_const(0);
                }
                let quotient = self.index_div(flat, strides[axis] as i64);
                if axis == 0 && self.index_range(quotient).1 < shape[0] as i64 {
                    return quotient;
                }
                self.index_rem(quotient, shape[axis] as i64)
            })
            .collect()
    }

    /// The row-major position of `coordinates` in `shape`.
    pub fn ravel(&mut self, coordinates: &[ExprId], shape: &Shape) -> ExprId {
        let mut flat = self.index_const(0);
        for (&coordinate, stride) in coordinates.iter().zip(shape.strides()) {
            let term = self.index_scale(coordinate, stride as i64);
            flat = self.index_add(flat, term);
        }
        flat
    }

    /// The coordinates in `to` of the element that is at `at` in `of`, a shape of the same size.
    /// Axes that make up each other are taken by themselves: what a reshape leaves alone keeps its
    /// coordinates.
    pub fn regroup(&mut self, at: &[ExprId], of: &Shape, to: &Shape) -> Vec<ExprId> {
        if of == to {
            return at.to_vec();
        }
        if to.size() == 0 {
            return vec![self.index_const(0); to.rank()];
        }
        let mut coordinates = Vec::with_capacity(to.rank());
        let (mut i, mut j) = (0, 0);
        while i < of.rank() || j < to.rank() {
            let first = (i, j);
            let mut taken = (1, 1);
            if i < of.rank() {
                (taken.0, i) = (of[i], i + 1);
            }
            if j < to.rank() {
                (taken.1, j) = (to[j], j + 1);
            }
            while taken.0 != taken.1 {
                if taken.0 < taken.1 {
                    (taken.0, i) = (taken.0 * of[i], i + 1);
                } else {
                    (taken.1, j) = (taken.1 * to[j], j + 1);
                }
            }
            if let ([here], [extent]) = (&at[first.0..i], &to[first.1..j])
                && of[first.0] == *extent
            {
                coordinates.push(*here);
                continue;
            }
            let flat = self.ravel(&at[first.0..i], &of[first.0..i].into());
            coordinates.extend(self.unravel(flat, &to[first.1..j].into()));
        }
        coordinates
    }

    /// A condition on indices, or the constant it always is.
    pub fn index_less(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let difference = self.index_sub(a, b);
        let (min, max) = self.index_range(difference);
        if max < 0 {
            return self.literal(Literal::Bool(true));
        }
        if min >= 0 {
            return self.literal(Literal::Bool(false));
        }
        self.binary(BinaryOp::Lt, a, b)
    }

    /// Both conditions, constants folded.
    pub fn both(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.get(a), self.get(b)) {
            (Expr::Literal(Literal::Bool(true)), _) | (_, Expr::Literal(Literal::Bool(false))) => b,
            (_, Expr::Literal(Literal::Bool(true))) | (Expr::Literal(Literal::Bool(false)), _) => a,
            _ => self.binary(BinaryOp::And, a, b),
        }
    }

    /// A run-time integer as an index atom of known range.
    pub fn index_uniform(&mut self, uniform: u32, min: i64, max: i64) -> ExprId {
        let value = self.expr(Expr::Uniform(uniform));
        debug_assert_eq!(self.type_of(value).scalar, DType::I32, "coefficients are i32 scalars");
        self.index.set_range(value, min, max);
        value
    }
}

/// The greatest common divisor, of which `b` is positive.
fn common(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.abs(), b);
    while a > 0 {
        (a, b) = (b % a, a);
    }
    b
}

fn add_term(terms: &mut Vec<(ExprId, i64)>, atom: ExprId, factor: i64) {
    match terms.binary_search_by_key(&atom, |t| t.0) {
        Ok(at) => {
            terms[at].1 += factor;
            if terms[at].1 == 0 {
                terms.remove(at);
            }
        }
        Err(at) => {
            if factor != 0 {
                terms.insert(at, (atom, factor));
            }
        }
    }
}
