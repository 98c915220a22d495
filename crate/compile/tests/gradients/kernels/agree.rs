//! Agreement of a kernel's derivatives: modes with each other, batches with their members.

use super::super::check::{Bench, close, random};
use super::{outputs, total};
use std::rc::Rc;
use weft_compile::transform::kernel::without_jumps;
use weft_compile::transform::{jvp, vjp, vmap};
use weft_ir::DType;
use weft_ir::graph::NodeId;
use weft_ir::interpret::Value;
use weft_ir::op::{KernelCall, Op, View};
use weft_ir::user_kernel::interpret;

/// A kernel without jumps gives what it gave.
pub fn jumps(call: &KernelCall, inputs: &[Value<f64>]) {
    let kernel = without_jumps(&call.kernel);
    weft_ir::user_kernel::verify::verify(&kernel).unwrap();
    let without = KernelCall { kernel: Rc::new(kernel), ..call.clone() };
    let (found, expected) =
        (interpret::run(&without, inputs).unwrap(), interpret::run(call, inputs).unwrap());
    for (found, expected) in found.iter().zip(&expected) {
        close(&found.to_f64(), &expected.to_f64(), || format!("{}", call.kernel));
    }
}

fn marked(bench: &Bench, xs: &[NodeId]) -> Vec<NodeId> {
    xs.iter().copied().filter(|&x| bench.graph[x].dtype == DType::F32).collect()
}

fn dot(a: &[Value<f64>], b: &[Value<f64>]) -> f64 {
    let pairs = a.iter().zip(b);
    pairs.flat_map(|(a, b)| a.to_f64().into_iter().zip(b.to_f64())).map(|(a, b)| a * b).sum()
}

/// w · (J t) is (Jᵀ w) · t, and forwards over backwards is backwards over backwards: the Hessian is
/// symmetric.
pub fn modes(call: &KernelCall, inputs: &[Value<f64>]) {
    let mut bench = Bench::new();
    let xs: Vec<NodeId> = inputs.iter().map(|value| bench.input(value)).collect();
    let ys = outputs(&mut bench, call, &xs);
    let wrt = marked(&bench, &xs);
    let weights: Vec<Value<f64>> =
        ys.iter().enumerate().map(|(n, &y)| random(50 + n as u64, bench.graph[y].shape.clone())).collect();
    let directions: Vec<Value<f64>> =
        wrt.iter().enumerate().map(|(n, &x)| random(70 + n as u64, bench.graph[x].shape.clone())).collect();
    let ws: Vec<NodeId> = weights.iter().map(|w| bench.leaf(w)).collect();
    let ts: Vec<NodeId> = directions.iter().map(|t| bench.leaf(t)).collect();
    let tangents = jvp(&mut bench.graph, &ys, &wrt, &ts).unwrap();
    let gradients = vjp(&mut bench.graph, &ys, &ws, &wrt).unwrap();
    let forwards = dot(&bench.values(&tangents), &weights);
    let backwards = dot(&bench.values(&gradients), &directions);
    close(&[forwards], &[backwards], || format!("modes of {}", call.kernel));

    if second_order_fits(call, inputs) {
        second_order(call, inputs);
    }
}

/// Whether second derivatives of a kernel fit the memory of an invocation. Those of loops within
/// loops may not, and are refused by name.
pub fn second_order_fits(call: &KernelCall, inputs: &[Value<f64>]) -> bool {
    let mut bench = Bench::new();
    let xs: Vec<NodeId> = inputs.iter().map(|value| bench.input(value)).collect();
    let wrt = marked(&bench, &xs);
    let y = total(&mut bench, call, &xs);
    let one = bench.full(1.0, &bench.graph[y].shape.clone());
    let gradients = vjp(&mut bench.graph, &[y], &[one], &wrt).unwrap();
    let found =
        [vjp(&mut bench.graph, &gradients, &wrt, &wrt), jvp(&mut bench.graph, &gradients, &wrt, &wrt)];
    found.into_iter().all(|found| match found {
        Err(error) if error.to_string().contains("needs more local memory") => false,
        found => !found.unwrap().is_empty(),
    })
}

fn second_order(call: &KernelCall, inputs: &[Value<f64>]) {
    let mut bench = Bench::new();
    let xs: Vec<NodeId> = inputs.iter().map(|value| bench.input(value)).collect();
    let wrt = marked(&bench, &xs);
    let directions: Vec<Value<f64>> =
        wrt.iter().enumerate().map(|(n, &x)| random(70 + n as u64, bench.graph[x].shape.clone())).collect();
    let ts: Vec<NodeId> = directions.iter().map(|t| bench.leaf(t)).collect();
    let y = total(&mut bench, call, &xs);
    let shape = bench.graph[y].shape.clone();
    let one = bench.full(1.0, &shape);
    let gradients = vjp(&mut bench.graph, &[y], &[one], &wrt).unwrap();
    let forwards = jvp(&mut bench.graph, &gradients, &wrt, &ts).unwrap();
    let backwards = vjp(&mut bench.graph, &gradients, &ts, &wrt).unwrap();
    for (forwards, backwards) in bench.values(&forwards).iter().zip(&bench.values(&backwards)) {
        close(&forwards.to_f64(), &backwards.to_f64(), || format!("second order of {}", call.kernel));
    }
    // And backwards over forwards.
    let tangent = jvp(&mut bench.graph, &[y], &wrt, &ts).unwrap();
    let mixed = vjp(&mut bench.graph, &tangent, &[one], &wrt).unwrap();
    for (mixed, forwards) in bench.values(&mixed).iter().zip(&bench.values(&forwards)) {
        close(&mixed.to_f64(), &forwards.to_f64(), || format!("mixed order of {}", call.kernel));
    }
}

/// The values and the gradients of a batch are those of its members.
pub fn batches(call: &KernelCall, inputs: &[Value<f64>], batched: &[bool]) {
    const MEMBERS: usize = 3;
    let other = |value: &Value<f64>, member: usize| {
        if member == 0 || value.dtype() != DType::F32 {
            return value.clone();
        }
        let numbers: Vec<f64> = value.to_f64().iter().map(|x| x * (1.0 + 0.2 * member as f64)).collect();
        Value::float(value.shape().clone(), numbers).unwrap()
    };
    // The gradient of what the outputs come to, by every float input.
    let write = |bench: &mut Bench, xs: &[NodeId]| -> Vec<NodeId> {
        let mut all = outputs(bench, call, xs);
        let y = total(bench, call, xs);
        let shape = bench.graph[y].shape.clone();
        let one = bench.full(1.0, &shape);
        let wrt = marked(bench, xs);
        all.extend(vjp(&mut bench.graph, &[y], &[one], &wrt).unwrap());
        all
    };
    let mut expected: Vec<Vec<f64>> = Vec::new();
    for member in 0..MEMBERS {
        let mut bench = Bench::new();
        let given = |(value, &batched): (&Value<f64>, &bool)| other(value, if batched { member } else { 0 });
        let values: Vec<Value<f64>> = inputs.iter().zip(batched).map(given).collect();
        let xs: Vec<NodeId> = values.iter().map(|value| bench.input(value)).collect();
        let all = write(&mut bench, &xs);
        let values = bench.values(&all);
        expected.resize(values.len(), Vec::new());
        expected.iter_mut().zip(values).for_each(|(all, value)| all.extend(value.to_f64()));
    }

    let mut bench = Bench::new();
    let xs: Vec<NodeId> = inputs.iter().map(|value| bench.input(value)).collect();
    let all = write(&mut bench, &xs);
    let (mut from, mut to) = (Vec::new(), Vec::new());
    for ((value, &batched), &x) in inputs.iter().zip(batched).zip(&xs) {
        if batched {
            let members: Vec<f64> = (0..MEMBERS).flat_map(|member| other(value, member).to_f64()).collect();
            let shape = [&[MEMBERS][..], value.shape()].concat();
            to.push(bench.leaf(&Value::from_f64(shape, value.dtype(), &members).unwrap()));
            from.push(x);
        }
    }
    let found = vmap(&mut bench.graph, &all, &from, &to, MEMBERS).unwrap();
    for (n, ((x, batched), expected)) in found.into_iter().zip(expected).enumerate() {
        let mut x = x;
        if !batched {
            let shape = [&[1][..], &bench.graph[x].shape].concat();
            let one = bench.op(Op::View(View::Reshape(shape.clone().into())), &[x]);
            let whole = [&[MEMBERS], &shape[1..]].concat();
            x = bench.op(Op::View(View::Expand(whole.into())), &[one]);
        }
        close(&bench.value(x), &expected, || format!("result {n} of a batch of {}", call.kernel));
    }
}
