//! Derivatives of users' kernels against central differences in f64: of the first and the second
//! order, forwards against backwards, and batches against members one by one.

mod agree;
mod control;
mod gathers;
mod generator;
mod random;
mod stores;
mod structure;
mod writing;

use super::check::Bench;
use std::rc::Rc;
use weft_ir::graph::NodeId;
use weft_ir::op::{Binary, KernelCall, Op, ReduceOp, Unary};
use weft_ir::{DType, Shape};

/// The float outputs of a call.
fn outputs(bench: &mut Bench, call: &KernelCall, inputs: &[NodeId]) -> Vec<NodeId> {
    let node = bench.op(Op::Kernel(Rc::new(call.clone())), inputs);
    let results = call.results().into_iter().enumerate();
    results
        .filter(|(_, (_, dtype))| *dtype == DType::F32)
        .map(|(index, (shape, dtype))| bench.op(Op::Part { index, shape, dtype }, &[node]))
        .collect()
}

/// Σ of the sines of all float outputs' elements, each time another phase; or the one output.
fn total(bench: &mut Bench, call: &KernelCall, inputs: &[NodeId]) -> NodeId {
    let all = outputs(bench, call, inputs);
    if let [one] = all[..] {
        return one;
    }
    let mut total = bench.full(0.0, &Shape::scalar());
    for part in all {
        let bent = bench.unary(Unary::Sin, part);
        let axes = (0..bench.graph[part].shape.rank()).collect();
        let sum = bench.op(Op::Reduce { op: ReduceOp::Sum, axes }, &[bent]);
        total = bench.op(Op::Binary(Binary::Add), &[total, sum]);
    }
    total
}
