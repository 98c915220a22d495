//! Tests of the live graph: counting, stored values, refusals, order and recipes.

use super::*;
use crate::op::{Binary, Compare, ReduceOp, ScatterOp, Unary, View};

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

/// x = a·b + c, and m, its largest, which is stored.
fn read_largest(graph: &mut Graph) -> (NodeId, NodeId) {
    let [a, b, c] = [0, 1, 2].map(|n| leaf(graph, n));
    let product = graph.add(Op::Binary(Binary::Mul), &[a, b]).unwrap();
    let x = graph.add(Op::Binary(Binary::Add), &[product, c]).unwrap();
    let m = graph.add(Op::Reduce { op: ReduceOp::Max, axes: vec![0] }, &[x]).unwrap();
    [a, b, c, product].into_iter().for_each(|id| graph.release(id));
    let recipe = graph.recipe_of(m).unwrap();
    graph.set_recipe(m, recipe);
    graph.store(m, ValueId(3));
    (x, m)
}

fn reopen(graph: &mut Graph, root: NodeId) -> Vec<super::Reopened> {
    graph.reopen(&graph.closure(&[root], Node::is_pending))
}

#[test]
fn recipes_keep_nothing_alive() {
    let mut graph = Graph::new();
    let (x, m) = read_largest(&mut graph);
    assert_eq!(graph.live(), 6);
    graph.release(x);
    assert_eq!((graph.live(), graph.take_released().len()), (1, 3));
    // Nothing is there to be compared with.
    let sign = graph.add(Op::Unary(Unary::Sign), &[m]).unwrap();
    assert!(reopen(&mut graph, sign).is_empty());
}

/// m has the largest elements of x by segment, whose positions nothing else holds.
#[test]
fn recipes_keep_positions() {
    let mut graph = Graph::new();
    let (x, largest) = read_largest(&mut graph);
    graph.release(largest);
    let base = leaf(&mut graph, 4);
    let positions = graph.add_stored(ValueId(5), [4].into(), DType::I32);
    let scatter = Op::Scatter { axis: 0, op: ScatterOp::Max };
    let m = graph.add(scatter, &[base, positions, x]).unwrap();
    graph.release(positions);
    let recipe = graph.recipe_of(m).unwrap();
    graph.set_recipe(m, recipe);
    graph.store(m, ValueId(6));
    let equal = graph.add(Op::Compare(Compare::Eq), &[x, m]).unwrap();
    let reopened = reopen(&mut graph, equal);
    assert_eq!(graph[m].inputs, [base, positions, x]);
    graph.close(reopened);
    [equal, base, x].into_iter().for_each(|id| graph.release(id));
    assert_eq!(graph.live(), 2, "m and its positions");
    graph.release(m);
    assert_eq!(graph.live(), 0);
}

#[test]
fn what_is_compared_with_what_it_was_made_of_is_pending_for_a_while() {
    let mut graph = Graph::new();
    let (x, m) = read_largest(&mut graph);
    let one = graph.add(Op::View(View::Reshape([1].into())), &[m]).unwrap();
    let wide = graph.add(Op::View(View::Expand([4].into())), &[one]).unwrap();
    let sum = graph.add(Op::Binary(Binary::Add), &[x, wide]).unwrap();
    assert!(reopen(&mut graph, sum).is_empty(), "nothing jumps");
    let equal = graph.add(Op::Compare(Compare::Eq), &[x, wide]).unwrap();
    let (live, pending) = (graph.live(), graph.pending());
    for _ in 0..2 {
        let reopened = reopen(&mut graph, equal);
        assert_eq!(reopened.len(), 1);
        assert!(graph[m].is_pending() && graph[m].inputs == [x]);
        graph.close(reopened);
        assert_eq!(graph[m].value, NodeValue::Stored(ValueId(3)));
        assert_eq!((graph.live(), graph.pending()), (live, pending));
    }
    // A difference counts if m was selected of the other operand.
    let other = graph.add(Op::Binary(Binary::Sub), &[sum, wide]).unwrap();
    assert!(reopen(&mut graph, other).is_empty());
    let rest = graph.add(Op::Binary(Binary::Sub), &[x, wide]).unwrap();
    let power = graph.add(Op::Unary(Unary::Exp), &[rest]).unwrap();
    for root in [rest, power] {
        let reopened = reopen(&mut graph, root);
        assert!(graph[m].is_pending() && graph[m].inputs == [x]);
        graph.close(reopened);
    }
    // Also where x has its value by then.
    graph.store(x, ValueId(4));
    let reopened = reopen(&mut graph, equal);
    assert!(graph[m].is_pending() && graph[m].inputs == [x]);
    graph.close(reopened);
    assert_eq!(graph.take_released().len(), 3, "what x was made of");
}

#[test]
fn steps_of_loops_share_what_their_recipes_say() {
    let mut graph = Graph::new();
    let known = [0; 3].map(|_| {
        let (_, m) = read_largest(&mut graph);
        std::rc::Rc::as_ptr(&graph.recipe(m).unwrap().forms)
    });
    assert!(known[0] == known[1] && known[1] == known[2]);
    let a = leaf(&mut graph, 9);
    let sum = graph.add(Op::Reduce { op: ReduceOp::Sum, axes: vec![0] }, &[a]).unwrap();
    assert!(graph.recipe_of(sum).is_none(), "sums of many elements tie with nothing");
    let most = graph.add(Op::Reduce { op: ReduceOp::Max, axes: vec![0] }, &[a]).unwrap();
    assert!(graph.recipe_of(most).is_none(), "what is read has the same bits everywhere");
}

/// A step reads two values and stores one. What it reads is one value or two, in either order of
/// age, with a recipe or without, made alike or not: each time, its recipe is what a walk finds.
#[test]
fn plans_yield_what_walks_find() {
    let mut graph = Graph::new();
    // By what reads what: a plan is for nodes that read each other in the same way.
    let mut plans: crate::HashMap<Vec<usize>, Option<RecipePlan>> = Default::default();
    let mut stored = |graph: &mut Graph, id: NodeId| {
        let nodes = graph.closure(&[id], Node::is_pending);
        let place = |id: &NodeId| nodes.iter().position(|node| node == id).unwrap();
        let pending = nodes.iter().filter(|&&id| graph[id].is_pending());
        let plan = plans.entry(pending.flat_map(|&id| graph[id].inputs.iter().map(place)).collect());
        let plan = plan.or_default();
        let recipe = graph.recipe_in(id, &nodes, plan);
        let found = graph.recipe_in(id, &nodes, &mut None);
        let names = |recipe: &Option<Recipe>| recipe.as_ref().map(|recipe| recipe.names().to_vec());
        assert_eq!(names(&recipe), names(&found));
        assert_eq!(recipe.as_ref().map(|it| &it.numbers), found.as_ref().map(|it| &it.numbers));
        if let (Some(recipe), Some(found)) = (&recipe, &found) {
            assert!(std::rc::Rc::ptr_eq(&recipe.forms, &found.forms));
        }
        recipe.into_iter().for_each(|recipe| graph.set_recipe(id, recipe));
        graph.store(id, ValueId(id.0));
        found.map_or(0, |found| found.names().len())
    };
    let step = |graph: &mut Graph, a: NodeId, b: NodeId, number: f32| {
        let number = graph.add_number(Literal::F32(number));
        let number = graph.add(Op::View(View::Reshape([1].into())), &[number]).unwrap();
        let wide = graph.add(Op::View(View::Expand([4].into())), &[number]).unwrap();
        let product = graph.add(Op::Binary(Binary::Mul), &[a, wide]).unwrap();
        graph.add(Op::Binary(Binary::Add), &[product, b]).unwrap()
    };
    let leaves = [0, 1].map(|n| leaf(&mut graph, n));
    // All but the last are made alike: of the same leaf, of another, and of an older one than a
    // value before.
    let [x, y, z, w, v] = [(0, 0), (0, 0), (1, 1), (0, 0), (0, 1)].map(|(a, b)| {
        let made = step(&mut graph, leaves[a], leaves[b], 0.5);
        stored(&mut graph, made);
        made
    });
    let pairs =
        [(x, y), (x, z), (z, w), (x, y), (y, x), (x, x), (x, v), (leaves[0], leaves[1]), (leaves[0], y)];
    let mut lengths = Vec::new();
    for (n, &(a, b)) in [pairs, pairs].as_flattened().iter().enumerate() {
        let made = step(&mut graph, a, b, n as f32);
        lengths.push(stored(&mut graph, made));
    }
    // Several steps later, recipes take from recipes.
    let mut last = x;
    for n in 0..12 {
        let made = step(&mut graph, last, y, n as f32);
        lengths.push(stored(&mut graph, made));
        last = made;
    }
    assert!(lengths.iter().max() > lengths.iter().min(), "{lengths:?}");
    assert!(lengths[lengths.len() - 3..].iter().all(|&length| length > lengths[0]), "{lengths:?}");
}
