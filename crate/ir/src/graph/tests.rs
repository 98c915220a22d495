//! The graph: counts, definitions beside values, orders.

use super::*;
use crate::op::{Binary, Unary};

fn leaf(graph: &mut Graph, value: u32) -> NodeId {
    graph.add_stored(ValueId(value), [4].into(), DType::F32)
}

#[test]
fn a_long_chain_is_dropped_without_recursion_and_frees_its_leaf() {
    let mut graph = Graph::new();
    let mut x = leaf(&mut graph, 7);
    for _ in 0..100_000 {
        let next = graph.add(Op::Unary(Unary::Neg), &[x]).unwrap();
        graph.release(x);
        x = next;
    }
    assert_eq!(graph.live(), 100_001);
    graph.release(x);
    assert_eq!(graph.live(), 0);
    assert_eq!(graph.take_released(), [ValueId(7)]);
}

#[test]
fn storing_drops_the_definition_unless_a_transform_is_open() {
    let mut graph = Graph::new();
    let x = leaf(&mut graph, 0);
    let y = graph.add(Op::Unary(Unary::Exp), &[x]).unwrap();
    graph.release(x);
    graph.open_transform();
    graph.store(y, ValueId(1));
    assert_eq!(graph[y].op, Op::Unary(Unary::Exp));
    assert_eq!(graph.live(), 2);
    graph.close_transform();
    assert_eq!(graph[y].op, Op::Buffer([4].into(), DType::F32));
    assert_eq!(graph.take_released(), [ValueId(0)]);
}

#[test]
fn ill_formed_nodes_are_refused() {
    let mut graph = Graph::new();
    let x = leaf(&mut graph, 0);
    let n = graph.add_number(Literal::F32(1.0));
    let error = graph.add(Op::Binary(Binary::Add), &[x, n]).unwrap_err();
    assert_eq!(error.to_string(), "add: [4] and [] differ");
    assert_eq!(graph.live(), 2);
}

#[test]
fn closures_are_in_topological_order() {
    let mut graph = Graph::new();
    let x = leaf(&mut graph, 0);
    let a = graph.add(Op::Unary(Unary::Exp), &[x]).unwrap();
    let b = graph.add(Op::Binary(Binary::Add), &[a, x]).unwrap();
    assert_eq!(graph.closure(&[b, a], |_| true), [x, a, b]);
    assert_eq!(graph.closure(&[b], |n| n.sequence > graph[a].sequence), [x, a, b]);
}
