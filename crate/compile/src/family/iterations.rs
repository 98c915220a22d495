//! Loops inside one kernel: where each element of the state depends on just that element and on tensors from outside, an invocation takes
//! one element through all iterations in registers. What the loop starts from and reads is fused in as everywhere.
//!
//! A body that does not ask for the index and leaves an element's state as it was will leave it so in every later iteration: the invocation is
//! done with it.

use super::{Stage, close_guard, each_invocation, grid};
use crate::eval::Evaluator;
use crate::fuse::Clusters;
use crate::limits::Limits;
use weft_ir::HashMap;
use weft_ir::kernel::{BinaryOp, Expr, ExprId, Stmt};
use weft_ir::op::{Loop, Op};
use weft_ir::program::{ProgramId, TensorProgram};
use weft_ir::{DType, Literal, Shape};

/// The kernel of a loop for which [`crate::fuse::loop_shape`] is. `parts` are the nodes of the results that are stored.
pub fn lower(
    (program, clusters, own): (&TensorProgram, &Clusters, usize),
    limits: &Limits,
    (id, it): (ProgramId, &Loop),
    parts: &[Option<ProgramId>],
    shape: &Shape,
) -> Stage {
    let stage = |in_pieces| write((program, clusters, own), limits, (id, it), parts, shape, in_pieces);
    let whole = stage(false);
    if whole.is_long(limits) { stage(true) } else { whole }
}

/// Invocations of a workgroup: few, since those that are done wait for the others.
const WORKGROUP: u32 = 64;

fn write(
    (program, clusters, own): (&TensorProgram, &Clusters, usize),
    limits: &Limits,
    (id, it): (ProgramId, &Loop),
    parts: &[Option<ProgramId>],
    shape: &Shape,
    in_pieces: bool,
) -> Stage {
    // One program to evaluate: the body's nodes behind those around it, its leaves what they stand for.
    let mut all = program.clone();
    let mut numbers: Vec<ProgramId> = Vec::with_capacity(it.body.nodes.len());
    let (mut leaf, mut state) = (0, Vec::new());
    for node in &it.body.nodes {
        let mut node = node.clone();
        if matches!(node.op, Op::Buffer(..) | Op::Scalar(_)) {
            leaf += 1;
            if leaf > it.carried + 1 {
                numbers.push(program[id].inputs[leaf - 2]);
                continue;
            }
            state.push(ProgramId(all.nodes.len() as u32));
        }
        node.inputs.iter_mut().for_each(|input| *input = numbers[input.index()]);
        numbers.push(ProgramId(all.nodes.len() as u32));
        all.nodes.push(node);
    }
    let mut reads = clusters.reads.clone();
    reads.resize(all.nodes.len(), 0);
    all.nodes[program.nodes.len()..].iter().flat_map(|node| &node.inputs).for_each(|i| reads[i.index()] += 1);
    let uses_index = reads[state[0].index()] > 0;
    let inside = program.nodes.len();
    let loaded = |node: ProgramId| node.index() < inside && clusters.is_loaded(program, own, node);
    let nothing = HashMap::default();
    let mut eval = Evaluator::new(&all, &loaded, &reads, &nothing);
    if in_pieces {
        eval.run_in_pieces();
    }
    let grid = grid(shape.size().div_ceil(WORKGROUP as usize), limits);
    let (i, guard) = each_invocation(&mut eval, "i", shape.size(), WORKGROUP, grid);
    let at = eval.b.unravel(i, shape);
    let first: Vec<ExprId> =
        program[id].inputs[..it.carried].iter().map(|&input| eval.value(input, &at)).collect();
    // What does not change is had before.
    for &input in &program[id].inputs[it.carried..] {
        if program[input].shape == *shape {
            let value = eval.value(input, &at);
            let value = eval.b.bind("fixed", value);
            eval.define(input, &at, value);
        }
    }
    let variables: Vec<_> = first.iter().map(|&value| eval.b.var("state", value)).collect();
    let iterations = it.iterations.unwrap_or(1);
    eval.each("iteration", iterations, |eval, iteration| {
        let index = if it.reverse {
            let last = eval.b.index_const(iterations as i64 - 1);
            eval.b.index_sub(last, iteration)
        } else {
            iteration
        };
        eval.define(state[0], &[], index);
        for (&leaf, &variable) in state[1..].iter().zip(&variables) {
            let now = eval.b.read(variable);
            eval.define(leaf, &at, now);
        }
        let mut same = None;
        let mut next = Vec::with_capacity(variables.len());
        for (&output, &variable) in it.body.outputs.iter().zip(&variables) {
            let value = eval.value(numbers[output.index()], &at);
            let value = eval.b.bind_anew("next", value);
            next.push(value);
            if !uses_index {
                let now = eval.b.read(variable);
                let (a, b) = (bits(eval, now), bits(eval, value));
                let equal = eval.b.binary(BinaryOp::Eq, a, b);
                same = Some(same.map_or(equal, |same| eval.b.both(same, equal)));
            }
        }
        // Compared before it is changed.
        let same = same.map(|same| eval.b.bind_anew("same", same));
        for (&variable, value) in variables.iter().zip(next) {
            eval.b.push(Stmt::Assign(variable, value));
        }
        if let Some(same) = same {
            eval.b.push(Stmt::If(same, vec![Stmt::Break], Vec::new()));
        }
    });
    let flat = eval.b.ravel(&at, shape);
    for (part, &variable) in parts.iter().zip(&variables) {
        if let Some(part) = *part {
            let value = eval.b.read(variable);
            eval.store(part, flat, value);
        }
    }
    close_guard(&mut eval, guard);
    let Evaluator { b, bindings, uniforms, .. } = eval;
    Stage {
        kernel: b.finish("loop".to_owned(), [WORKGROUP, 1, 1]),
        bindings: bindings.into_iter().map(|(_, binding)| binding).collect(),
        uniforms,
        in_pieces,
        workgroups: grid,
    }
}

/// The bits of a value, in which NaN equals itself.
fn bits(eval: &mut Evaluator<'_>, value: ExprId) -> ExprId {
    match eval.b.type_of(value).scalar {
        DType::F32 => eval.b.expr(Expr::Bitcast(DType::U32, value)),
        DType::Bool => {
            let (one, zero) = (eval.b.literal(Literal::U32(1)), eval.b.literal(Literal::U32(0)));
            eval.b.select(value, one, zero)
        }
        DType::I32 | DType::U32 => value,
    }
}
