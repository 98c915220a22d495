//! Programs of one kind and any length with loops, branches and calls: many small ones, and a few
//! large ones.

use super::Sketch;
use super::growth::Kind;
use std::rc::Rc;
use weft_ir::build::{Build, ProgramBuilder, Ref};
use weft_ir::graph::NodeId;
use weft_ir::op::region::{self, Custom, Rule};
use weft_ir::op::{Binary, Compare, ContractAxes, Loop, Op, ReduceOp, Unary};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Shape};

/// Every kind.
pub const KINDS: [Kind; 16] = [
    ("loops inside kernels", loops_inside_kernels),
    ("loops of products", loops_of_products),
    ("loops that slice and stack", loops_that_slice_and_stack),
    ("loops with conditions", loops_with_conditions),
    ("loops without limits", loops_without_limits),
    ("branches", branches),
    ("branches of products", branches_of_products),
    ("loops in branches in loops", nested),
    ("calls", calls),
    ("calls of calls", calls_of_calls),
    ("much in a loop", much_in_a_loop),
    ("much in a branch", much_in_a_branch),
    ("much in a condition", much_in_a_condition),
    ("loop of many states", loop_of_many_states),
    ("branch of many results", branch_of_many_results),
    ("everything", everything),
];

/// How many nodes a program has, with those of the programs within.
pub fn nodes(program: &TensorProgram) -> usize {
    let within = |op: &Op| region::programs(op).into_iter().map(nodes).sum::<usize>();
    program.nodes.iter().map(|node| 1 + within(&node.op)).sum()
}

fn side() -> Shape {
    [4, 4].into()
}

/// A program of so many matrices, after an index if it is a loop's.
fn program(
    has_index: bool,
    matrices: usize,
    write: impl FnOnce(&mut dyn Build, &[Ref]) -> Vec<Ref>,
) -> TensorProgram {
    let mut builder = ProgramBuilder::default();
    if has_index {
        builder.push(Op::Scalar(DType::I32), Vec::new(), Shape::scalar(), DType::I32);
    }
    let leaves: Vec<Ref> = (0..matrices).map(|_| builder.input(&side(), DType::F32).unwrap()).collect();
    let outputs = write(&mut builder, &leaves);
    builder.finish(&outputs, &[])
}

fn product(emit: &mut dyn Build, a: Ref, b: Ref) -> Ref {
    let axes = ContractAxes { batch: vec![], contract: vec![(1, 0)] };
    let product = emit.contract(axes, a, b).unwrap();
    emit.unary(Unary::Tanh, product).unwrap()
}

fn halved(emit: &mut dyn Build, x: Ref) -> Ref {
    emit.scale(x, 0.5).unwrap()
}

fn sum(emit: &mut dyn Build, a: Ref, b: Ref) -> Ref {
    let sum = emit.add(a, b).unwrap();
    halved(emit, sum)
}

/// Whether anything of `x` is above a number.
fn is_above(emit: &mut dyn Build, x: Ref, number: f64) -> Ref {
    let most = emit.reduce(ReduceOp::Max, x, &[0, 1]).unwrap();
    emit.compare_number(Compare::Gt, most, number).unwrap()
}

/// A loop of three iterations over the first of two matrices.
fn three(body: TensorProgram) -> Loop {
    Loop { body, condition: None, iterations: Some(3), carried: 1, sliced: 0, reverse: false }
}

fn results(s: &mut Sketch, op: Op, inputs: &[NodeId]) -> Vec<NodeId> {
    let types = region::results(&op);
    let region = s.add(op, inputs);
    let part = |(index, (shape, dtype))| s.add(Op::Part { index, shape, dtype }, &[region]);
    types.into_iter().enumerate().map(part).collect()
}

fn run(s: &mut Sketch, it: &Rc<Loop>, inputs: &[NodeId]) -> NodeId {
    results(s, Op::Loop(Rc::clone(it)), inputs)[0]
}

/// One of the programs by whether the first of `inputs` has an element above 0.2.
fn choose(s: &mut Sketch, programs: &Rc<Vec<TensorProgram>>, inputs: &[NodeId]) -> Vec<NodeId> {
    let most = s.add(Op::Reduce { op: ReduceOp::Max, axes: vec![0, 1] }, &inputs[..1]);
    let bound = s.number(0.2, most);
    let is_above = s.add(Op::Compare(Compare::Gt), &[most, bound]);
    let selector = s.add(Op::Cast(DType::I32), &[is_above]);
    results(s, Op::Branch(Rc::clone(programs)), &[&[selector], inputs].concat())
}

/// A step on a matrix, with another, repeated.
fn steps(
    s: &mut Sketch,
    count: usize,
    mut step: impl FnMut(&mut Sketch, NodeId, NodeId) -> NodeId,
) -> Vec<NodeId> {
    let (x, w) = (s.input(side()), s.input(side()));
    vec![(0..count).fold(x, |y, _| step(s, y, w))]
}

fn inside_a_kernel() -> Rc<Loop> {
    let body = program(true, 2, |emit, x| {
        let moved = sum(emit, x[0], x[1]);
        vec![emit.unary(Unary::Sin, moved).unwrap()]
    });
    Rc::new(three(body))
}

fn of_products() -> Rc<Loop> {
    Rc::new(three(program(true, 2, |emit, x| vec![product(emit, x[0], x[1])])))
}

/// Goes on while the state is large, at most five times if there is a limit.
fn with_condition(iterations: Option<usize>) -> Rc<Loop> {
    let body = program(true, 2, |emit, x| {
        let next = product(emit, x[0], x[1]);
        vec![halved(emit, next)]
    });
    let condition = program(true, 2, |emit, x| vec![is_above(emit, x[0], 0.1)]);
    Rc::new(Loop { condition: Some(condition), iterations, ..three(body) })
}

fn alternatives() -> Rc<Vec<TensorProgram>> {
    let stays = program(false, 2, |emit, x| vec![sum(emit, x[0], x[1])]);
    let falls = program(false, 2, |emit, x| vec![halved(emit, x[0])]);
    Rc::new(vec![stays, falls])
}

fn alternatives_of_products() -> Rc<Vec<TensorProgram>> {
    let one = program(false, 2, |emit, x| vec![product(emit, x[0], x[1])]);
    let other = program(false, 2, |emit, x| {
        let square = product(emit, x[0], x[0]);
        vec![product(emit, square, x[1])]
    });
    Rc::new(vec![one, other])
}

/// A loop with a branch in it, in which is a loop.
fn loop_in_branch_in_loop() -> Rc<Loop> {
    let runs = |it: Rc<Loop>| program(false, 2, move |emit, x| emit.region(Op::Loop(it), x).unwrap());
    let programs = Rc::new(vec![runs(inside_a_kernel()), runs(of_products())]);
    let body = program(true, 2, |emit, x| {
        let selector = is_above(emit, x[0], 0.2);
        let selector = emit.cast(selector, DType::I32).unwrap();
        emit.region(Op::Branch(programs), &[selector, x[0], x[1]]).unwrap()
    });
    Rc::new(three(body))
}

fn call(of: TensorProgram) -> Op {
    Op::Custom(Rc::new(Custom { program: of, rule: Rule::Checkpoint, arguments: 2, again: false }))
}

fn called() -> Op {
    call(program(false, 2, |emit, x| {
        let next = product(emit, x[0], x[1]);
        vec![sum(emit, next, x[0])]
    }))
}

fn called_by_called() -> Op {
    call(program(false, 2, |emit, x| {
        let next = emit.region(called(), x).unwrap()[0];
        vec![sum(emit, next, x[0])]
    }))
}

fn loops_inside_kernels(s: &mut Sketch, count: usize) -> Vec<NodeId> {
    let it = inside_a_kernel();
    steps(s, count, |s, x, w| run(s, &it, &[x, w]))
}

fn loops_of_products(s: &mut Sketch, count: usize) -> Vec<NodeId> {
    let it = of_products();
    steps(s, count, |s, x, w| run(s, &it, &[x, w]))
}

fn loops_that_slice_and_stack(s: &mut Sketch, count: usize) -> Vec<NodeId> {
    let body = program(true, 2, |emit, x| {
        let next = product(emit, x[0], x[1]);
        vec![next, sum(emit, next, x[1])]
    });
    let it = Rc::new(Loop { sliced: 1, ..three(body) });
    let (mut x, mut slices) = (s.input(side()), s.input([3, 4, 4]));
    for _ in 0..count {
        let both = results(s, Op::Loop(Rc::clone(&it)), &[x, slices]);
        (x, slices) = (both[0], both[1]);
    }
    vec![x, slices]
}

fn loops_with_conditions(s: &mut Sketch, count: usize) -> Vec<NodeId> {
    let it = with_condition(Some(5));
    steps(s, count, |s, x, w| run(s, &it, &[x, w]))
}

fn loops_without_limits(s: &mut Sketch, count: usize) -> Vec<NodeId> {
    let it = with_condition(None);
    steps(s, count, |s, x, w| run(s, &it, &[x, w]))
}

fn branches(s: &mut Sketch, count: usize) -> Vec<NodeId> {
    let programs = alternatives();
    steps(s, count, |s, x, w| choose(s, &programs, &[x, w])[0])
}

fn branches_of_products(s: &mut Sketch, count: usize) -> Vec<NodeId> {
    let programs = alternatives_of_products();
    steps(s, count, |s, x, w| choose(s, &programs, &[x, w])[0])
}

fn nested(s: &mut Sketch, count: usize) -> Vec<NodeId> {
    let it = loop_in_branch_in_loop();
    steps(s, count, |s, x, w| run(s, &it, &[x, w]))
}

fn calls(s: &mut Sketch, count: usize) -> Vec<NodeId> {
    let op = called();
    steps(s, count, |s, x, w| results(s, op.clone(), &[x, w])[0])
}

fn calls_of_calls(s: &mut Sketch, count: usize) -> Vec<NodeId> {
    let op = called_by_called();
    steps(s, count, |s, x, w| results(s, op.clone(), &[x, w])[0])
}

/// Products and functions, one after the other.
fn much(emit: &mut dyn Build, x: &[Ref], count: usize) -> Ref {
    (0..count).fold(x[0], |y, n| if n % 3 == 0 { product(emit, y, x[1]) } else { sum(emit, y, x[0]) })
}

fn much_in_a_loop(s: &mut Sketch, count: usize) -> Vec<NodeId> {
    let it = Rc::new(three(program(true, 2, |emit, x| vec![much(emit, x, count)])));
    steps(s, 1, |s, x, w| run(s, &it, &[x, w]))
}

fn much_in_a_branch(s: &mut Sketch, count: usize) -> Vec<NodeId> {
    let one = program(false, 2, |emit, x| vec![much(emit, x, count)]);
    let other = program(false, 2, |emit, x| vec![much(emit, &[x[1], x[0]], count)]);
    let programs = Rc::new(vec![one, other]);
    steps(s, 1, |s, x, w| choose(s, &programs, &[x, w])[0])
}

fn much_in_a_condition(s: &mut Sketch, count: usize) -> Vec<NodeId> {
    let body = program(true, 2, |emit, x| vec![halved(emit, x[0])]);
    let condition = program(true, 2, |emit, x| {
        let large = much(emit, x, count);
        vec![is_above(emit, large, 0.1)]
    });
    let it = Rc::new(Loop { condition: Some(condition), ..three(body) });
    steps(s, 1, |s, x, w| run(s, &it, &[x, w]))
}

/// As many states as there are steps, each of which takes the next one's place.
fn loop_of_many_states(s: &mut Sketch, count: usize) -> Vec<NodeId> {
    let body =
        program(true, count, |emit, x| (0..count).map(|n| product(emit, x[n], x[(n + 1) % count])).collect());
    let it = Loop { carried: count, ..three(body) };
    let states: Vec<NodeId> = (0..count).map(|_| s.input(side())).collect();
    results(s, Op::Loop(Rc::new(it)), &states)
}

fn branch_of_many_results(s: &mut Sketch, count: usize) -> Vec<NodeId> {
    let one = program(false, count, |emit, x| {
        (0..count).map(|n| product(emit, x[n], x[(n + 1) % count])).collect()
    });
    let other = program(false, count, |emit, x| (0..count).map(|n| halved(emit, x[n])).collect());
    let inputs: Vec<NodeId> = (0..count).map(|_| s.input(side())).collect();
    choose(s, &Rc::new(vec![one, other]), &inputs)
}

/// Regions and plain operations one after the other, in an order that is the same for every length
/// but has no period.
fn everything(s: &mut Sketch, count: usize) -> Vec<NodeId> {
    let loops = [
        inside_a_kernel(),
        of_products(),
        with_condition(Some(5)),
        with_condition(None),
        loop_in_branch_in_loop(),
    ];
    let branches = [alternatives(), alternatives_of_products()];
    let calls = [called(), called_by_called()];
    let mut seed = 1u32;
    let mut kept = Vec::new();
    steps(s, count, |s, x, w| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let number = (seed >> 16) as usize;
        let earlier = kept.get(number % 61).copied().unwrap_or(w);
        let next = match number % 13 {
            n @ 0..5 => run(s, &loops[n], &[x, earlier]),
            n @ 5..7 => choose(s, &branches[n - 5], &[x, earlier])[0],
            n @ 7..9 => results(s, calls[n - 7].clone(), &[x, earlier])[0],
            9 => s.softmax(x),
            10 => {
                let product = s.matmul(x, earlier);
                s.unary(Unary::Tanh, product)
            }
            11 => s.unary(Unary::Sin, x),
            _ => s.binary(Binary::Mul, x, earlier),
        };
        if kept.len() < 61 {
            kept.push(next)
        } else {
            kept[number % 61] = next
        }
        next
    })
}
