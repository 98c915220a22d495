//! Programs of one kind and any length, for tests of the cost of compiling them.

use super::Sketch;
use weft_ir::graph::NodeId;
use weft_ir::op::{Binary, Coefficient, Compare, Op, ReduceOp, Unary, View};
use weft_ir::{DType, Literal, Shape};

/// A kind of program: a name, and what makes one of about so many steps and returns its results.
pub type Kind = (&'static str, fn(&mut Sketch, usize) -> Vec<NodeId>);

/// Every kind.
pub const KINDS: [Kind; 14] = [
    ("elementwise chain", chain),
    ("reshapes and transposes", reshapes_and_transposes),
    ("reshapes, transposes and functions", views_and_functions),
    ("slices stacked", slices_stacked),
    ("shifted sums", shifted_sums),
    ("doubling shifts", doubling_shifts),
    ("pads, flips and slices", pads_flips_and_slices),
    ("computed gathers", computed_gathers),
    ("selects and casts", selects_and_casts),
    ("short sums", short_sums),
    ("softmax of softmax", softmaxes),
    ("sums added up", sums_added_up),
    ("products", products),
    ("results", results),
];

fn reshape(s: &mut Sketch, x: NodeId, to: impl Into<Shape>) -> NodeId {
    s.add(Op::View(View::Reshape(to.into())), &[x])
}

fn transpose(s: &mut Sketch, x: NodeId) -> NodeId {
    s.add(Op::View(View::Permute(vec![1, 0])), &[x])
}

fn slice(s: &mut Sketch, x: NodeId, start: i64, step: i64, length: usize) -> NodeId {
    let view =
        View::Slice { starts: vec![Coefficient::Const(start)], steps: vec![step], lengths: vec![length] };
    s.add(Op::View(view), &[x])
}

fn pad(s: &mut Sketch, x: NodeId, low: i64, length: usize) -> NodeId {
    let view = View::Pad {
        low: vec![Coefficient::Const(low)],
        interior: vec![0],
        shape: [length].into(),
        value: Literal::F32(0.0),
    };
    s.add(Op::View(view), &[x])
}

/// x · number, with a number of its own.
fn scaled(s: &mut Sketch, x: NodeId, number: f32) -> NodeId {
    let number = s.number(number, x);
    s.binary(Binary::Mul, x, number)
}

fn chain(s: &mut Sketch, steps: usize) -> Vec<NodeId> {
    let x = s.input([64]);
    vec![
        (0..steps)
            .fold(x, |y, n| if n % 2 == 0 { s.unary(Unary::Tanh, y) } else { s.binary(Binary::Add, y, x) }),
    ]
}

/// Views that never merge: [6,10] as [4,15], transposed, as [10,6], transposed, and so on.
pub fn reshapes_and_transposes(s: &mut Sketch, steps: usize) -> Vec<NodeId> {
    let mut x = s.input([6, 10]);
    for step in 0..steps {
        x = match step % 4 {
            0 => reshape(s, x, [4, 15]),
            2 => reshape(s, x, [10, 6]),
            _ => transpose(s, x),
        };
    }
    vec![x]
}

fn views_and_functions(s: &mut Sketch, steps: usize) -> Vec<NodeId> {
    let mut x = s.input([6, 10]);
    for step in 0..steps {
        x = match step % 6 {
            0 => reshape(s, x, [4, 15]),
            2 => reshape(s, x, [10, 6]),
            4 | 5 => scaled(s, x, 0.5),
            _ => transpose(s, x),
        };
    }
    vec![x]
}

/// Single elements put side by side again, eight at a time.
fn slices_stacked(s: &mut Sketch, steps: usize) -> Vec<NodeId> {
    let x = s.input([steps.max(1)]);
    let mut pieces: Vec<(NodeId, usize)> =
        (0..steps).map(|n| (slice(s, x, (steps - 1 - n) as i64, 1, 1), 1)).collect();
    while pieces.len() > 1 {
        let last = pieces.len() <= 8;
        let joined = pieces.chunks(8).map(|few| {
            let length = few.iter().map(|piece| piece.1).sum();
            let position = s.add(Op::Iota { shape: [length].into(), axis: 0, dtype: DType::I32 }, &[]);
            let (mut whole, mut start) = (None, 0);
            for &(piece, extent) in few {
                let padded = pad(s, piece, start as i64, length);
                whole = Some(whole.map_or(padded, |before| {
                    let bound = s.add(Op::Constant(Literal::I32(start as i32)), &[]);
                    let bound = s.expand(bound, [length].into());
                    let earlier = s.add(Op::Compare(Compare::Lt), &[position, bound]);
                    s.add(Op::Select, &[earlier, before, padded])
                }));
                start += extent;
            }
            let whole = whole.expect("chunks are not empty");
            (if last { whole } else { s.add(Op::Cut, &[whole]) }, length)
        });
        pieces = joined.collect();
    }
    vec![pieces[0].0]
}

/// Each step adds a copy shifted by one.
fn shifted_sums(s: &mut Sketch, steps: usize) -> Vec<NodeId> {
    let mut x = s.input([64]);
    for _ in 0..steps {
        let left = slice(s, x, 1, 1, 63);
        let left = pad(s, left, 0, 64);
        let sum = s.binary(Binary::Add, x, left);
        x = scaled(s, sum, 0.5);
    }
    vec![x]
}

/// Each step adds a copy shifted by twice as much as the step before: as many loads as paths, were
/// none stored.
fn doubling_shifts(s: &mut Sketch, steps: usize) -> Vec<NodeId> {
    let mut x = s.input([1 << 12]);
    for step in 0..steps {
        let by = 1usize << (step % 12);
        let kept = slice(s, x, 0, 1, (1 << 12) - by);
        let right = pad(s, kept, by as i64, 1 << 12);
        let sum = s.binary(Binary::Add, x, right);
        x = scaled(s, sum, 0.5);
    }
    vec![x]
}

fn pads_flips_and_slices(s: &mut Sketch, steps: usize) -> Vec<NodeId> {
    let mut x = s.input([64]);
    for step in 0..steps {
        x = match step % 4 {
            0 => pad(s, x, 3, 70),
            1 => slice(s, x, 69, -1, 70),
            2 => slice(s, x, 2, 1, 64),
            _ => s.unary(Unary::Sin, x),
        };
    }
    vec![x]
}

fn computed_gathers(s: &mut Sketch, steps: usize) -> Vec<NodeId> {
    let mut x = s.input([16]);
    for _ in 0..steps {
        let large = scaled(s, x, 100.0);
        let index = s.add(Op::Cast(DType::I32), &[large]);
        let gathered = s.add(Op::Gather { axis: 0 }, &[x, index]);
        x = s.binary(Binary::Sub, x, gathered);
    }
    vec![x]
}

fn selects_and_casts(s: &mut Sketch, steps: usize) -> Vec<NodeId> {
    let x = s.input([64]);
    let mut y = x;
    for step in 0..steps {
        y = if step % 2 == 0 {
            let above = s.add(Op::Compare(Compare::Gt), &[y, x]);
            let other = scaled(s, y, -1.5);
            s.add(Op::Select, &[above, x, other])
        } else {
            let whole = s.add(Op::Cast(DType::I32), &[y]);
            s.add(Op::Cast(DType::F32), &[whole])
        };
    }
    vec![y]
}

/// Sums of eight, spread again: short enough to be written out, and nested.
fn short_sums(s: &mut Sketch, steps: usize) -> Vec<NodeId> {
    let mut x = s.input([8, 8]);
    for _ in 0..steps {
        let wide = reshape(s, x, [8, 8, 1]);
        let wide = s.add(Op::View(View::Expand([8, 8, 8].into())), &[wide]);
        let other = s.add(Op::View(View::Permute(vec![2, 1, 0])), &[wide]);
        let product = s.binary(Binary::Mul, wide, other);
        let sum = s.add(Op::Reduce { op: ReduceOp::Sum, axes: vec![2] }, &[product]);
        x = s.unary(Unary::Tanh, sum);
    }
    vec![x]
}

fn softmaxes(s: &mut Sketch, steps: usize) -> Vec<NodeId> {
    let x = s.input([4, 4, 16]);
    vec![(0..steps).fold(x, |y, _| s.softmax(y))]
}

fn sums_added_up(s: &mut Sketch, steps: usize) -> Vec<NodeId> {
    let x = s.input([16, 16]);
    let mut total = s.add(Op::Reduce { op: ReduceOp::Sum, axes: vec![0, 1] }, &[x]);
    for step in 0..steps {
        let y = scaled(s, x, step as f32);
        let sum = s.add(Op::Reduce { op: ReduceOp::Sum, axes: vec![0, 1] }, &[y]);
        total = s.binary(Binary::Add, total, sum);
    }
    vec![total]
}

fn products(s: &mut Sketch, steps: usize) -> Vec<NodeId> {
    let (mut x, w) = (s.input([8, 16]), s.input([16, 16]));
    for _ in 0..steps {
        let product = s.matmul(x, w);
        x = s.unary(Unary::Tanh, product);
    }
    vec![x]
}

fn results(s: &mut Sketch, steps: usize) -> Vec<NodeId> {
    let x = s.input([16]);
    (0..steps).map(|step| scaled(s, x, step as f32)).collect()
}
