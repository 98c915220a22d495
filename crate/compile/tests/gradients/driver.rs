//! Guarantees of the reverse pass besides its rules: depth, pruning, marks, detaching, stored
//! values, errors, and no leaks.

use super::check::{Bench, check, random, vector};
use std::time::Instant;
use weft_compile::transform::vjp;
use weft_ir::graph::{Graph, NodeId, ValueId};
use weft_ir::interpret::Value;
use weft_ir::op::{Binary, Op, Unary};
use weft_ir::{DType, ErrorKind};

/// A chain of `length` sines over a marked leaf; only the ends are held.
fn chain(graph: &mut Graph, length: usize) -> (NodeId, NodeId) {
    let leaf = graph.add_stored(ValueId(0), [2].into(), DType::F32);
    let x = graph.add(Op::Mark(0), &[leaf]).unwrap();
    graph.release(leaf);
    graph.retain(x);
    let mut y = x;
    for _ in 0..length {
        let next = graph.add(Op::Unary(Unary::Sin), &[y]).unwrap();
        graph.release(y);
        y = next;
    }
    (x, y)
}

#[test]
fn a_chain_of_100_000_nodes_takes_linear_time_and_is_given_back() {
    let mut seconds = Vec::new();
    for length in [25_000, 100_000] {
        let mut graph = Graph::new();
        let (x, y) = chain(&mut graph, length);
        let live = graph.live();
        let start = Instant::now();
        let gradient = vjp(&mut graph, &[y], &[y], &[x]).unwrap()[0];
        seconds.push(start.elapsed().as_secs_f64());
        assert!(graph.live() >= live + 2 * length);
        graph.release(gradient);
        assert_eq!(graph.live(), live);
        graph.release(x);
        graph.release(y);
        assert_eq!(graph.live(), 0);
    }
    assert!(seconds[1] < 16.0 * seconds[0].max(0.01), "{seconds:?}");
}

#[test]
fn what_is_older_than_the_inputs_is_not_visited_and_not_touched() {
    let mut graph = Graph::new();
    let (_, old) = chain(&mut graph, 100);
    let x = graph.add(Op::Mark(1), &[old]).unwrap();
    let y = graph.add(Op::Unary(Unary::Exp), &[x]).unwrap();
    let live = graph.live();
    let gradient = vjp(&mut graph, &[y], &[y], &[x]).unwrap();
    assert_eq!(graph.live(), live + 1);
    graph.release(gradient[0]);
    assert_eq!(graph.live(), live);
}

#[test]
fn without_a_path_the_gradient_is_zeros() {
    let mut bench = Bench::new();
    let (x, other) = (bench.input(&random(1, [2, 3])), bench.input(&random(2, [2, 3])));
    let y = bench.unary(Unary::Exp, other);
    let gradient = bench.gradients(y, &[x])[0];
    assert_eq!(bench.value(gradient), [0.0; 6]);
    let none = vjp(&mut bench.graph, &[], &[], &[x]).unwrap()[0];
    assert_eq!(bench.value(none), [0.0; 6]);
    assert!(vjp(&mut bench.graph, &[y], &[y], &[]).unwrap().is_empty());
}

#[test]
fn detach_stops_and_mark_and_cut_pass() {
    check(&[vector(&[0.3, -0.8])], |b, x| {
        let inner = b.op(Op::Mark(9), x);
        let cut = b.op(Op::Cut, &[inner]);
        b.unary(Unary::Sin, cut)
    });
    let mut bench = Bench::new();
    let x = bench.input(&vector(&[3.0]));
    let still = bench.op(Op::Detach, &[x]);
    let y = bench.op(Op::Binary(Binary::Mul), &[x, still]);
    let gradient = bench.gradients(y, &[x])[0];
    assert_eq!(bench.value(gradient), [3.0]);
}

#[test]
fn several_outputs_add_up_and_an_output_may_be_an_input() {
    let mut bench = Bench::new();
    let x = bench.input(&vector(&[2.0]));
    let y = bench.op(Op::Binary(Binary::Mul), &[x, x]);
    let one = bench.full(1.0, &[1].into());
    let ten = bench.full(10.0, &[1].into());
    let live = bench.graph.live();
    let found = vjp(&mut bench.graph, &[y, x, y], &[one, ten, ten], &[x, y, x]).unwrap();
    assert_eq!(found.iter().map(|&g| bench.value(g)[0]).collect::<Vec<_>>(), [54.0, 11.0, 54.0]);
    for gradient in found {
        bench.graph.release(gradient);
    }
    assert_eq!(bench.graph.live(), live);
}

#[test]
fn a_value_stored_inside_a_transform_does_not_cut_the_gradient() {
    let mut graph = Graph::new();
    let (x, y) = chain(&mut graph, 3);
    graph.open_transform();
    graph.store(y, ValueId(1));
    let z = graph.add(Op::Unary(Unary::Exp), &[y]).unwrap();
    let gradient = vjp(&mut graph, &[z], &[z], &[x]).unwrap()[0];
    let below = graph.closure(&[gradient], |_| true);
    assert!(below.contains(&x));
    graph.close_transform();
    let live = graph.live();
    let cut = vjp(&mut graph, &[z], &[z], &[x]).unwrap()[0];
    assert!(!graph.closure(&[cut], |_| true).contains(&x), "after it closes, the value is a leaf");
    graph.release(cut);
    assert_eq!(graph.live(), live);
}

#[test]
fn misuse_is_an_error_and_leaks_nothing() {
    let mut bench = Bench::new();
    let x = bench.input(&vector(&[1.0, 2.0]));
    let n = bench.leaf(&Value::i32([2], [1, 2]).unwrap());
    let y = bench.unary(Unary::Exp, x);
    let wide = bench.full(1.0, &[3].into());
    let live = bench.graph.live();
    let mut kind = |outputs: &[NodeId], cotangents: &[NodeId], wrt: &[NodeId]| {
        vjp(&mut bench.graph, outputs, cotangents, wrt).unwrap_err().kind
    };
    assert_eq!(kind(&[y], &[], &[x]), ErrorKind::Trace);
    assert_eq!(kind(&[y], &[wide], &[x]), ErrorKind::Shape);
    assert_eq!(kind(&[n], &[n], &[x]), ErrorKind::DType);
    assert_eq!(kind(&[y], &[y], &[n]), ErrorKind::DType);
    assert_eq!(bench.graph.live(), live);
}
