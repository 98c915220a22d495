//! Values that are compared with others derived from them. One kernel computes such a value and
//! stores it, and both sides of the comparison read it there.

use crate::sketch::Sketch;
use weft_compile::device::SOFTWARE;
use weft_compile::transform::vjp;
use weft_compile::{Executable, Limits, compile};
use weft_ir::graph::NodeId;
use weft_ir::op::{Binary, Coefficient, Compare, Op, ReduceOp, Scan, Unary, View, Window};
use weft_ir::program::{ProgramId, TensorProgram};

/// a·b + c: drivers contract it in one kernel and not in another.
fn contracted(s: &mut Sketch, shape: [usize; 2]) -> NodeId {
    let [a, b, c] = [(); 3].map(|()| s.input(shape));
    let product = s.binary(Binary::Mul, a, b);
    s.binary(Binary::Add, product, c)
}

/// Columns from one on.
fn slice(s: &mut Sketch, x: NodeId, from: i64, columns: usize) -> NodeId {
    let starts = vec![Coefficient::Const(0), Coefficient::Const(from)];
    s.add(Op::View(View::Slice { starts, steps: vec![1; 2], lengths: vec![6, columns] }), &[x])
}

fn equal(s: &mut Sketch, a: NodeId, b: NodeId) -> NodeId {
    s.add(Op::Compare(Compare::Eq), &[a, b])
}

/// The nodes of a program that end in an addition and that a dispatch stores.
fn stored_sums(program: &TensorProgram, executable: &Executable) -> Vec<ProgramId> {
    let clusters = &executable.fused[0].clusters.clusters;
    let is_sum = |id: &ProgramId| matches!(program[*id].op, Op::Binary(Binary::Add));
    clusters.iter().flat_map(|cluster| cluster.outputs.iter().copied()).filter(is_sum).collect()
}

/// Compiles roots. Of all kernels one computes the sum, and every other that needs it reads what
/// that one stores.
fn assert_stored_once(s: &Sketch, roots: &[NodeId], name: &str) {
    for limits in [Limits::floor(), Limits::of(&SOFTWARE)] {
        let executable = compile(&s.program(roots), &limits, &[]).unwrap();
        let program = &executable.fused[0].program;
        let stored = stored_sums(program, &executable);
        assert_eq!(stored.len(), 1, "{name}: {executable}");
        let leaves = program.buffer_leaves();
        for dispatch in &executable.dispatches {
            let holds = |id: &ProgramId| dispatch.holds.contains(&Some(*id));
            let computes = leaves.iter().filter(|leaf| holds(leaf)).count() >= 3;
            assert!(!computes || holds(&stored[0]), "{name}: a kernel computes it again\n{executable}");
        }
        let readers = executable.dispatches.iter().filter(|it| it.holds.contains(&Some(stored[0]))).count();
        assert!(readers > 1, "{name}: nothing reads what is stored\n{executable}");
    }
}

#[test]
fn a_row_is_stored_that_is_compared_with_its_largest() {
    let mut s = Sketch::default();
    let x = contracted(&mut s, [6, 40]);
    let most = s.row(ReduceOp::Max, x);
    let same = equal(&mut s, x, most);
    assert_stored_once(&s, &[same], "equal");

    let rest = s.binary(Binary::Sub, x, most);
    for (name, op) in [("sign", Unary::Sign), ("floor", Unary::Floor)] {
        let root = s.unary(op, rest);
        assert_stored_once(&s, &[root], name);
    }
}

/// Where the 0 or 1 of a difference or a quotient comes to a result, or to a function with a pole.
#[test]
fn a_value_is_stored_whose_difference_from_what_was_selected_of_it_is_exact() {
    let mut s = Sketch::default();
    let x = contracted(&mut s, [6, 40]);
    let (most, least) = (s.row(ReduceOp::Max, x), s.row(ReduceOp::Min, x));
    let (rest, span) = (s.binary(Binary::Sub, x, most), s.binary(Binary::Sub, most, least));
    let above = s.binary(Binary::Sub, x, least);
    let first = slice(&mut s, x, 0, 1);
    let first = s.expand(first, [6, 40].into());
    let scan = Scan { axis: 1, op: ReduceOp::Max, reverse: false, exclusive: false, block: 40 };
    let records = s.add(Op::Scan(scan), &[x]);
    let other = s.input([6, 40]);
    let half = s.number(0.5, x);
    let below = s.unary(Unary::Neg, rest);
    let root = s.unary(Unary::Sqrt, below);
    for (name, root) in [
        ("a difference", rest),
        ("an exponential", s.unary(Unary::Exp, rest)),
        ("half of it", s.binary(Binary::Mul, rest, half)),
        ("a product", s.binary(Binary::Mul, rest, other)),
        ("a quotient", s.binary(Binary::Div, x, most)),
        ("a range", s.binary(Binary::Div, above, span)),
        ("a first element", s.binary(Binary::Sub, x, first)),
        ("records", s.binary(Binary::Sub, records, x)),
        ("a sum of roots", s.row(ReduceOp::Sum, root)),
    ] {
        assert_stored_once(&s, &[root], name);
    }
}

#[test]
fn neighbours_that_are_compared_are_stored() {
    let mut s = Sketch::default();
    let x = contracted(&mut s, [6, 40]);
    let (before, after) = (slice(&mut s, x, 0, 39), slice(&mut s, x, 1, 39));
    let same = equal(&mut s, before, after);
    assert_stored_once(&s, &[same], "neighbours");
}

#[test]
fn gradients_of_extremes_read_what_the_extreme_was_sought_of() {
    for window in [false, true] {
        let mut s = Sketch::default();
        let x = contracted(&mut s, [6, 40]);
        let marked = s.add(Op::Mark(0), &[x]);
        let y = if window {
            let windows = vec![Window { axis: 1, size: 3, stride: 3, dilation: 1 }];
            let seen = s.add(Op::View(View::Window(windows)), &[marked]);
            s.add(Op::Reduce { op: ReduceOp::Max, axes: vec![0] }, &[seen])
        } else {
            s.add(Op::Reduce { op: ReduceOp::Max, axes: vec![1] }, &[marked])
        };
        let pulled = s.input(s.graph[y].shape.clone());
        let roots = vjp(&mut s.graph, &[y], &[pulled], &[marked]).unwrap();
        assert_stored_once(&s, &roots, if window { "windows" } else { "rows" });
    }
}

/// What is one reading, one rounding or no comparison is computed wherever it is needed.
#[test]
fn nothing_is_stored_for_what_cannot_differ() {
    let count = |s: &Sketch, roots: &[NodeId]| s.compile(roots).dispatches.len();
    let mut s = Sketch::default();
    let x = s.input([6, 40]);
    let two = s.number(2.0, x);
    let twice = s.binary(Binary::Mul, x, two);
    for of in [x, twice] {
        let most = s.row(ReduceOp::Max, of);
        let same = equal(&mut s, of, most);
        assert_eq!(count(&s, &[same]), 1);
    }
    let y = contracted(&mut s, [6, 40]);
    let weights = s.softmax(y);
    assert_eq!(count(&s, &[weights]), 1);
    // No number comes out of these where elements meet, or nothing was selected.
    let most = s.row(ReduceOp::Max, y);
    let rest = s.binary(Binary::Sub, y, most);
    let shifted = s.binary(Binary::Add, rest, x);
    let powers = s.unary(Unary::Exp, rest);
    let total = s.row(ReduceOp::Sum, powers);
    let logarithm = s.unary(Unary::Log, total);
    let (before, after) = (slice(&mut s, y, 0, 39), slice(&mut s, y, 1, 39));
    for root in [shifted, s.binary(Binary::Sub, rest, logarithm), s.binary(Binary::Sub, after, before)] {
        assert_eq!(count(&s, &[root]), 1);
    }
    let zero = s.number(0.0, y);
    let positive = s.add(Op::Compare(Compare::Gt), &[y, zero]);
    let total = s.row(ReduceOp::Sum, y);
    let kept = s.add(Op::Select, &[positive, y, total]);
    assert_eq!(count(&s, &[kept]), 1);
}
