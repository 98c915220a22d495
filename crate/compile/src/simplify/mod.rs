//! A program made smaller without changing what it computes: constants folded, algebra applied,
//! views merged, equal nodes made one, what nothing reads dropped.
//!
//! Rules are data: a table per kind of node ([`rules`]), each a name, a promise ([`Exactness`]) and
//! a function that looks at one node, whose inputs are simplified already, and may answer with a
//! node to use instead. One forward pass offers every node to the rules of its kind and makes equal
//! nodes one (`rewrite.rs`); passes repeat until nothing changes. A pass takes time linear in the
//! program, and nothing recurses on its depth.
//!
//! What stays: every buffer and scalar leaf, in its order, read or not, because values are bound by
//! that order; and the number and order of the outputs, which stay distinct nodes even where they
//! turn out equal.

mod algebra;
mod constant;
mod contract;
mod index;
mod line;
mod logic;
mod reduce;
mod rewrite;
mod view;

use crate::limits::Limits;
use rewrite::Rewriter;
use weft_ir::op::Op;
use weft_ir::program::{ProgramId, ProgramNode, TensorProgram};

/// How close what a rule leaves is to what was there. For integers and bools it is always the same;
/// for floats:
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Exactness {
    /// The same bits, except those of a NaN.
    Bits,
    /// The same numbers; a zero may have the other sign (−0 + 0 stays −0, a sum of one −0 is −0).
    SignOfZero,
    /// Sums, products and powers may be rounded elsewhere, within the bound that the operation
    /// documents.
    Rounding,
}

/// One rewriting rule.
#[derive(Clone, Copy)]
pub struct Rule {
    /// A name for people: in tests, and to see what was done.
    pub name: &'static str,
    /// What it promises.
    pub exactness: Exactness,
    apply: fn(&mut Rewriter, &ProgramNode) -> Option<ProgramId>,
}

/// The table of rules, with a row `name Exactness function` for each.
macro_rules! table {
    ($($name:literal $exactness:ident $function:path,)*) => {
        &[$(crate::simplify::Rule {
            name: $name,
            exactness: crate::simplify::Exactness::$exactness,
            apply: $function,
        }),*]
    };
}
use table;

/// Every rule.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    let tables = [
        constant::RULES,
        algebra::RULES,
        logic::RULES,
        view::RULES,
        reduce::RULES,
        contract::RULES,
        index::RULES,
        line::RULES,
    ];
    tables.into_iter().flatten()
}

/// The tables that are consulted for a node of `op`, in order.
fn tables(op: &Op) -> &'static [&'static [Rule]] {
    match op {
        Op::Unary(_) | Op::Binary(_) => &[constant::RULES, algebra::RULES, logic::RULES],
        Op::Compare(_) | Op::Select | Op::Cast(_) | Op::Bitcast(_) => &[constant::RULES, logic::RULES],
        Op::View(_) => &[constant::RULES, view::RULES],
        Op::Reduce { .. } => &[constant::RULES, reduce::RULES],
        Op::Contract(_) => &[constant::RULES, contract::RULES],
        Op::Scan(_) | Op::ArgSort { .. } | Op::Fourier { .. } => &[line::RULES],
        Op::Iota { .. } | Op::Gather { .. } | Op::Scatter { .. } => &[constant::RULES, index::RULES],
        Op::Buffer(..) | Op::Scalar(_) | Op::Constant(_) | Op::Mark(_) | Op::Detach | Op::Cut => &[],
        Op::Loop(_) | Op::Branch(_) | Op::Custom(_) | Op::Kernel(_) | Op::Conv(_) | Op::Part { .. } => &[],
    }
}

/// Passes after which a program is taken as it is; two are the rule.
const MAX_PASSES: usize = 8;

/// The simplest program found for a device that computes the same outputs from the same leaves.
pub fn simplify(program: &TensorProgram, limits: &Limits) -> TensorProgram {
    simplify_with(program, limits, &|_| true).0
}

/// [`simplify`] with just the rules that `allowed` accepts, and the names of those that were
/// applied, as often as they were.
pub fn simplify_with(
    program: &TensorProgram,
    limits: &Limits,
    allowed: &dyn Fn(&Rule) -> bool,
) -> (TensorProgram, Vec<&'static str>) {
    let mut applied = Vec::new();
    let mut current = rewrite::pass(program, limits, allowed, &mut applied);
    for _ in 1..MAX_PASSES {
        let next = rewrite::pass(&current, limits, allowed, &mut applied);
        if next == current {
            break;
        }
        current = next;
    }
    debug_assert_eq!(weft_ir::verify::verify(&current), Ok(()), "{program}simplified to\n{current}");
    (current, applied)
}
