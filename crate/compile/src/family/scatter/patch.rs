//! Scatters over a donated base that write only what they update: all else is where it was, since
//! the result is written over the base.
//!
//! Nobody else reads the base after that (`plan/donate.rs` saw to it), and here neither indices nor
//! updates do. An invocation for each update computes the element at its place as any other kernel
//! of the scatter would, all updates of it in order, and alone writes it: the first of those that
//! name the place. Where indices are too many to look at each for each, the last update to a row
//! claims it by an atomic maximum, as of every scatter that sets.

use super::ScatterProblem;
use crate::family::launch::{close_guard, each_invocation, grid};
use crate::family::{Problem, Stage};
use crate::lower::eval::{Binding, Evaluator};
use weft_ir::kernel::{BinaryOp, Expr, ExprId, Space, Stmt};
use weft_ir::op::{Op, ScatterOp, View};
use weft_ir::program::ProgramId;
use weft_ir::{DType, Literal};

const WORKGROUP: u32 = 64;
/// The most indices that are looked at for each update; of updates that set there may be more.
pub(crate) const FEW_UPDATES: usize = 32;

/// How the updates of a scatter over a donated base are written.
#[derive(Clone, Copy)]
pub(crate) struct Patch {
    /// What is written over the base.
    result: ProgramId,
    /// Whether each update looks at all indices, rather than at what was claimed.
    pub scans_all_indices: bool,
}

/// How a cluster's scatter can be written into its base, if it is donated, and nothing but the
/// scatter is computed.
pub(crate) fn patch(problem: &Problem<'_>, scatter: &ScatterProblem) -> Option<Patch> {
    let program = problem.program;
    let same_elements = |id: ProgramId| matches!(program[id].op, Op::View(View::Reshape(_)));
    let [result] = problem.cluster().outputs[..] else { return None };
    let loaded = |id: ProgramId| problem.clusters.is_loaded(program, problem.own, id);
    let (mut base, mut made) = (scatter.inputs[0], result);
    while same_elements(base) && !loaded(base) {
        base = program[base].inputs[0];
    }
    while made != scatter.anchor && same_elements(made) {
        made = program[made].inputs[0];
    }
    let scans_all_indices = scatter.indices.size() <= FEW_UPDATES;
    let in_place = made == scatter.anchor && loaded(base) && problem.in_place.get(&base) == Some(&result);
    let mut stack = scatter.inputs[1..].to_vec();
    let mut seen = weft_ir::HashSet::default();
    while let Some(id) = stack.pop() {
        if id == base {
            return None;
        }
        if seen.insert(id) && !loaded(id) {
            stack.extend(&program[id].inputs);
        }
    }
    (in_place && (scans_all_indices || scatter.op == ScatterOp::Set))
        .then_some(Patch { result, scans_all_indices })
}

/// An invocation for each update, which writes its element if it is the one that does.
pub(crate) fn patched(problem: &Problem<'_>, scatter: &ScatterProblem, patch: Patch) -> Stage {
    let count = scatter.updates.size();
    problem.stage(&problem.name("patch"), WORKGROUP, |eval| {
        let grid = grid(count.div_ceil(WORKGROUP as usize), problem.limits);
        let (number, guard) = each_invocation(eval, "update", count, WORKGROUP, grid);
        let at = eval.b.unravel(number, &scatter.updates);
        let after = scatter.axis + scatter.indices.rank();
        let inner = &at[scatter.axis..after];
        let (place, inside) = scatter.target(eval, inner);
        let own = eval.b.ravel(inner, &scatter.indices);
        let writes = match patch.scans_all_indices {
            true => is_first(eval, scatter, own, place),
            false => {
                let owners = eval.array(Binding::Partial(0), DType::I32, Space::Read);
                let owner = eval.b.expr(Expr::Load(owners, place));
                eval.b.binary(BinaryOp::Eq, owner, own)
            }
        };
        eval.open();
        let into = [&at[..scatter.axis], &[place], &at[after..]].concat();
        let value = match patch.scans_all_indices {
            true => eval.value(scatter.anchor, &into),
            false => eval.value(scatter.inputs[2], &at),
        };
        let flat = eval.b.ravel(&into, &scatter.shape);
        eval.store(patch.result, flat, value);
        eval.forget();
        eval.b.close_if(writes);
        eval.forget();
        eval.b.close_if(inside);
        close_guard(eval, guard);
        grid
    })
}

/// Whether no index before the one at `own` names the same place.
fn is_first(eval: &mut Evaluator<'_>, scatter: &ScatterProblem, own: ExprId, place: ExprId) -> ExprId {
    let yes = eval.b.literal(Literal::Bool(true));
    if scatter.indices.size() == 1 {
        return yes;
    }
    let first = eval.b.var("first", yes);
    eval.each("k", scatter.indices.size(), |eval, k| {
        let inner = eval.b.unravel(k, &scatter.indices);
        let index = eval.value(scatter.inputs[1], &inner);
        let index = eval.b.cast(DType::I32, index);
        let same = eval.b.binary(BinaryOp::Eq, index, place);
        let before = eval.b.binary(BinaryOp::Lt, k, own);
        let other = eval.b.binary(BinaryOp::And, same, before);
        eval.open();
        let no = eval.b.literal(Literal::Bool(false));
        eval.b.push(Stmt::Assign(first, no));
        eval.forget();
        eval.b.close_if(other);
    });
    eval.b.read(first)
}
