//! Recognition of loops that run inside one kernel: each element of the state depends only on that
//! element and on tensors from outside.
//!
//! Deferred: few programs have loops or branches.

use crate::cluster::compared::mark_compared;
use crate::limits::MAX_OPERATIONS;
use crate::limits::{LONGEST_WALK, Limits};
use crate::lower::eval::{Evaluator, UNROLL};
use weft_ir::HashMap;
use weft_ir::Shape;
use weft_ir::op::{Class, Loop, Op, facts};
use weft_ir::program::ProgramId;

/// The shape of the state of a loop that runs inside one kernel; `None` for one that does not.
pub fn loop_shape(it: &Loop, limits: &Limits) -> Option<Shape> {
    let body = &it.body;
    let leaves = it.leaves();
    let carried = &leaves.carried;
    let shape = body[*carried.first()?].shape.clone();
    let is_alike = carried.iter().all(|&leaf| body[leaf].shape == shape) && shape.size() > 0;
    let others = leaves.sliced.iter().chain(&leaves.captured);
    let read = others.filter(|&&leaf| matches!(body[leaf].op, Op::Buffer(..))).count();
    let bindings = read + 2 * it.carried;
    if !is_alike
        || it.iterations.is_none_or(|iterations| iterations > LONGEST_WALK)
        || body.outputs.len() != it.carried
        || it.condition.is_some()
        || bindings > limits.storage_buffers as usize
    {
        return None;
    }
    let mut operations = 0;
    for node in &body.nodes {
        let facts = facts(&node.op);
        let times = match (&node.op, facts.class) {
            (Op::Cut, _) => return None,
            (Op::Reduce { op, axes }, _) => {
                let length: usize = axes.iter().map(|&a| body[node.inputs[0]].shape[a]).product();
                if op.is_arg() || length > UNROLL {
                    return None;
                }
                length
            }
            (_, Class::Contraction | Class::Scatter | Class::Line | Class::Region | Class::Part) => {
                return None;
            }
            (_, Class::Leaf | Class::Elementwise | Class::View | Class::Gather | Class::Identity) => 1,
            (_, Class::Reduction) => return None,
        };
        operations += facts.cost * times;
    }
    // What is to be computed once is stored, and nothing is between iterations of one kernel.
    let none = vec![false; body.nodes.len()];
    let is_compared = mark_compared(body, &none, &none, &mut none.clone());
    (operations <= MAX_OPERATIONS / 2 && !is_compared && is_aligned(it, &shape)).then_some(shape)
}

/// Whether an element's next state asks of the state for that element alone.
fn is_aligned(it: &Loop, shape: &Shape) -> bool {
    let leaves = it.leaves();
    let (reads, nothing) = (vec![1; it.body.nodes.len()], HashMap::default());
    let loaded = |id: ProgramId| matches!(it.body[id].op, Op::Buffer(..));
    let mut eval = Evaluator::new(&it.body, &loaded, &reads, &nothing);
    let index = eval.b.counter("iteration", it.iterations.unwrap_or(1) as i64).1;
    let element = eval.b.counter("i", shape.size() as i64).1;
    let at = eval.b.unravel(element, shape);
    eval.define(leaves.index, &[], index);
    it.body.outputs.iter().for_each(|&output| _ = eval.value(output, &at));
    eval.reached.iter().all(|(id, place)| !leaves.carried.contains(id) || *place == at)
}
