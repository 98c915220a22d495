//! Recognition of attention: a contraction whose weights are a softmax of another contraction's
//! scores. Its kernel walks the keys once, block by block, and stores nothing as large as the
//! scores.
//!
//! It is found by what is computed, not by who wrote it: a quotient of exponentials by their sum,
//! of scores less their maximum, over the axes that are contracted. What is done to the scores
//! before that (a scale, a mask, a bias) may be anything elementwise. Scores or weights that
//! anything else reads, as a gradient does, must be stored anyway.

use super::causal::{Causal, causal};
use crate::cluster::Pattern;
use crate::family::Unfused;
use crate::limits::LONGEST_WALK;
use crate::lower::coordinates::{Extents, contract_coordinates};
use crate::lower::eval::Evaluator;
use std::rc::Rc;
use weft_ir::HashMap;
use weft_ir::kernel::ExprId;
use weft_ir::op::{Binary, Class, Op, ReduceOp, Unary, View, facts};
use weft_ir::program::{ProgramId, TensorProgram};
use weft_ir::{DType, HashSet, Literal, Shape, order};

/// Columns of the values: a workgroup holds all of them for its rows.
pub const MOST_COLUMNS: usize = 128;
/// Nodes between the scores' contraction and the softmax.
const MOST_BETWEEN: usize = 64;
/// Keys for each block of this many queries that there is: a workgroup walks all keys, and with few
/// workgroups most of a GPU would idle.
const KEYS: usize = 128;
const QUERIES: usize = 32;

/// Keys that an invocation of software takes together at most, terms and columns that it reads
/// together.
pub const TOGETHER: [usize; 2] = [8, 4];

/// Iterations of an invocation that has queries for itself (`attention/rows.rs`) and takes so many
/// keys together.
pub fn walk(scores: &Extents, columns: usize, keys: usize) -> usize {
    let fours = if columns.is_multiple_of(TOGETHER[1]) { columns / TOGETHER[1] } else { columns };
    scores.columns.size().div_ceil(keys) * (scores.reduced.size().div_ceil(TOGETHER[1]) + fours + 1)
}

/// The nodes of an attention, besides the contraction of the weights with the values that it is of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attention {
    /// The contraction of queries with keys.
    pub scores: ProgramId,
    /// What softmax is taken of.
    pub logits: ProgramId,
    /// The softmax, which the contraction may read through views.
    weights: ProgramId,
    /// The maxima and sums of the logits' rows.
    reductions: [ProgramId; 2],
    /// The constant that sums count as at least, so that a query which sees nothing has weights of
    /// 0.
    pub least: Option<ProgramId>,
    /// The mask, if it hides keys by their numbers.
    pub causal: Option<Causal>,
}

/// Deferred: few programs attend.
impl Attention {
    /// Where the logits have those of a query and a key of the contraction.
    pub fn logits_at(
        &self,
        eval: &mut Evaluator<'_>,
        extents: &Extents,
        id: ProgramId,
        [batch, row, key]: [ExprId; 3],
    ) -> Vec<ExprId> {
        let program = eval.program;
        let node = &program[id];
        let Op::Contract(axes) = &node.op else { unreachable!("attention is made around a contraction") };
        let ranks = [0, 1].map(|side| program[node.inputs[side]].shape.rank());
        let origin = eval.b.index_const(0);
        let at = extents.at(&mut eval.b, batch, row, origin);
        let terms = eval.b.unravel(key, &extents.reduced);
        let (mut at, _) = contract_coordinates(axes, ranks[0], ranks[1], &at, &terms);
        let mut operand = node.inputs[0];
        while let (Op::View(view), true) = (&program[operand].op, operand != self.weights) {
            at = eval.behind(view, &program[operand].inputs, &at);
            operand = program[operand].inputs[0];
        }
        at
    }
}

/// A contraction's attention, if it is one.
pub fn attention(unfused: &Unfused<'_>, id: ProgramId) -> Option<Pattern> {
    let program = unfused.program;
    let Op::Contract(_) = &program[id].op else { return None };
    let mut weights = program[id].inputs[0];
    while let Op::View(View::Reshape(_) | View::Permute(_) | View::Expand(_)) = program[weights].op {
        weights = program[weights].inputs[0];
    }
    let softmax = softmax(program, weights)?;
    of_softmax(unfused, id, softmax)
}

/// A softmax.
struct Softmax {
    weights: ProgramId,
    logits: ProgramId,
    reductions: [ProgramId; 2],
    least: Option<ProgramId>,
}

/// The attention of a contraction whose left operand is a softmax, or views of one, if it is one.
///
/// Deferred: few programs attend.
#[inline(never)]
fn of_softmax(unfused: &Unfused<'_>, id: ProgramId, softmax: Softmax) -> Option<Pattern> {
    let Unfused { program, limits, readers, is_stored } = *unfused;
    let Softmax { weights, logits, reductions, least } = softmax;
    let extents = Extents::of(program, id)?;
    let blocks = extents.batch.size() * extents.rows.size().div_ceil(QUERIES);
    let columns = extents.columns.size();
    if !(2..=MOST_COLUMNS).contains(&columns)
        || extents.rows.size() == 1
        || extents.reduced.size() > KEYS * blocks
    {
        return None;
    }
    let (found, inside) = contractions_below(program, logits).into_iter().find_map(|scores| {
        let inside = between(readers, is_stored, scores, program[id].inputs[0], id)?;
        let is_part = |node: &ProgramId| *node == scores || reductions.contains(node);
        let is_on_the_spot = inside.iter().all(|node| {
            is_part(node) || matches!(facts(&program[*node].op).class, Class::Elementwise | Class::View)
        });
        let is_whole = [logits, weights].iter().chain(&reductions).all(|node| inside.contains(node));
        let is_f32 = program[scores].dtype == DType::F32;
        let mut found = Attention { scores, logits, weights, reductions, least, causal: None };
        let is_one = is_on_the_spot && is_whole && is_f32 && is_aligned(program, &extents, id, &found);
        found.causal = is_one.then(|| causal(program, &extents, id, &found)).flatten();
        is_one.then_some((found, inside))
    })?;
    let columns = program[id].shape.last().copied().unwrap_or(1);
    let is_short = |scores: Extents| walk(&scores, columns, TOGETHER[0]) <= LONGEST_WALK;
    let may = limits.model.attention.is_some() || Extents::of(program, found.scores).is_some_and(is_short);
    may.then(|| Pattern { name: "attention", inside, details: Rc::new(found) })
}

/// The softmax that weights are. Its maxima may count as f32's least number at least, as kernels
/// have it that know no other, and its sums as a constant.
fn softmax(program: &TensorProgram, weights: ProgramId) -> Option<Softmax> {
    let Op::Binary(Binary::Div) = program[weights].op else { return None };
    let [exponential, total] = program[weights].inputs[..] else { return None };
    let (sum, least) = of_row(program, total, ReduceOp::Sum, exponential)?;
    let Op::Unary(Unary::Exp) = program[exponential].op else { return None };
    let difference = program[exponential].inputs[0];
    let Op::Binary(Binary::Sub) = program[difference].op else { return None };
    let [logits, shift] = program[difference].inputs[..] else { return None };
    let (largest, finite) = of_row(program, shift, ReduceOp::Max, logits)?;
    let is_finite = finite.is_none_or(|id| program[id].op == Op::Constant(Literal::F32(f32::MIN)));
    let found = Softmax { weights, logits, reductions: [largest, sum], least };
    (is_finite && program[logits].dtype == DType::F32).then_some(found)
}

/// The reduction of rows of `of` that a node is, the same for all of a row; and the constant that
/// it counts as at least, if there is one.
fn of_row(
    program: &TensorProgram,
    id: ProgramId,
    wanted: ReduceOp,
    of: ProgramId,
) -> Option<(ProgramId, Option<ProgramId>)> {
    let below = |mut id: ProgramId| {
        while let Op::View(View::Expand(_) | View::Reshape(_)) = program[id].op {
            id = program[id].inputs[0];
        }
        id
    };
    let (mut id, mut least) = (below(id), None);
    if let Op::Binary(Binary::Max) = program[id].op {
        let is_constant = |&id: &ProgramId| matches!(program[id].op, Op::Constant(Literal::F32(_)));
        let sides = [0, 1].map(|side| below(program[id].inputs[side]));
        least = sides.into_iter().find(is_constant);
        id = sides.into_iter().find(|side| !is_constant(side))?;
    }
    let node = &program[id];
    matches!(&node.op, Op::Reduce { op, .. } if *op == wanted && node.inputs[0] == of).then_some((id, least))
}

/// The contractions that a node is computed from elementwise and through views.
fn contractions_below(program: &TensorProgram, id: ProgramId) -> Vec<ProgramId> {
    let (mut stack, mut seen, mut found) = (vec![id], HashSet::default(), Vec::new());
    while let Some(id) = stack.pop() {
        if !seen.insert(id) || seen.len() > MOST_BETWEEN {
            continue;
        }
        match facts(&program[id].op).class {
            Class::Contraction => found.push(id),
            Class::Elementwise | Class::View => stack.extend(&program[id].inputs),
            _ => {}
        }
    }
    found
}

/// The nodes on the way from the scores to the weights, if only such and `reader` read them and
/// none is a result.
fn between(
    readers: &[Vec<ProgramId>],
    is_stored: &[bool],
    scores: ProgramId,
    weights: ProgramId,
    reader: ProgramId,
) -> Option<Vec<ProgramId>> {
    let (mut stack, mut inside) = (vec![scores], Vec::new());
    while let Some(id) = stack.pop() {
        if inside.contains(&id) {
            continue;
        }
        if id > weights || is_stored[id.index()] || inside.len() == MOST_BETWEEN {
            return None;
        }
        inside.push(id);
        let others = readers[id.index()].iter().copied();
        stack.extend(others.filter(|&other| !(id == weights && other == reader)));
    }
    order::sort_by_key(&mut inside, |id| u64::from(id.0));
    inside.contains(&weights).then_some(inside)
}

/// Whether the weight of a query and a key takes that query's and that key's score and no other,
/// and what is reduced is just that query's row.
fn is_aligned(program: &TensorProgram, extents: &Extents, id: ProgramId, found: &Attention) -> bool {
    let Some(inner) = Extents::of(program, found.scores) else { return false };
    let is_alike = inner.batch.size() == extents.batch.size()
        && inner.rows.size() == extents.rows.size()
        && inner.columns.size() == extents.reduced.size();
    if !is_alike {
        return false;
    }
    let loaded = |node: ProgramId| is_loaded(program, node);
    let (reads, nothing) = (vec![1; program.nodes.len()], HashMap::default());
    let mut eval = Evaluator::new(program, &loaded, &reads, &nothing);
    let sizes = [&extents.batch, &extents.rows, &extents.reduced, &extents.reduced].map(Shape::size);
    let [batch, row, key, other] = sizes.map(|extent| eval.b.counter("i", extent as i64).1);
    let at = found.logits_at(&mut eval, extents, id, [batch, row, key]);
    let elsewhere = found.logits_at(&mut eval, extents, id, [batch, row, other]);
    let shape = &program[found.logits].shape;
    // A row is walked along the axes that are reduced, all of them, and stands still along the
    // others.
    let are_rows = found.reductions.iter().all(|&reduction| {
        let Op::Reduce { axes, .. } = &program[reduction].op else { return false };
        let walked: Shape = axes.iter().map(|&axis| shape[axis]).collect::<Vec<_>>().into();
        let place: Vec<ExprId> = axes.iter().map(|&axis| at[axis]).collect();
        eval.b.ravel(&place, &walked) == key
            && walked.size() == extents.reduced.size()
            && (0..at.len()).all(|axis| axes.contains(&axis) || at[axis] == elsewhere[axis])
    });
    let wanted = inner.at(&mut eval.b, batch, row, key);
    eval.value(found.weights, &at);
    eval.value(found.logits, &at);
    let kept = |reduction: &ProgramId| -> Vec<ExprId> {
        let Op::Reduce { axes, .. } = &program[*reduction].op else { return Vec::new() };
        (0..at.len()).filter(|axis| !axes.contains(axis)).map(|axis| at[axis]).collect()
    };
    are_rows
        && eval.reached.iter().all(|(node, place)| match node {
            node if *node == found.scores => *place == wanted,
            node if found.reductions.contains(node) => *place == kept(node),
            _ => true,
        })
}

/// Whether a node is not computed where an element of it is looked at on trial.
pub(crate) fn is_loaded(program: &TensorProgram, node: ProgramId) -> bool {
    let class = facts(&program[node].op).class;
    let is_leaf = matches!(program[node].op, Op::Buffer(..));
    is_leaf || !matches!(class, Class::Leaf | Class::Elementwise | Class::View)
}
