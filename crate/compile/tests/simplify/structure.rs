//! Cases for the rules of nodes that are not elementwise: views, reductions, contractions,
//! positions, gathers and scatters.

use super::sketch::{ALL, Case, INTEGERS, NUMBERS, case};
use weft_ir::DType::{Bool, F32, I32, U32};
use weft_ir::op::{Coefficient, Op, ReduceOp, Scan, ScatterOp, View, Window};
use weft_ir::{Literal, Shape};

pub const CASES: &[Case] = &[
    case("view-of-everything", ALL, |s, x| {
        let (shape, rank) = (s.shape(x), s.shape(x).rank());
        let zeros = vec![Coefficient::Const(0); rank];
        let view = match s.random.below(5) {
            0 => View::Reshape(shape),
            1 => View::Expand(shape),
            2 => View::Permute((0..rank).collect()),
            3 => View::Slice { starts: zeros, steps: vec![1; rank], lengths: shape.to_vec() },
            _ => View::Pad { low: zeros, interior: vec![0; rank], shape, value: Literal::zero(s.dtype(x)) },
        };
        s.view(view, x)
    }),
    case("view-of-one-element", ALL, |s, x| {
        let [n, m] = s.extents();
        let element = s.leaf(Shape::scalar(), s.dtype(x));
        let repeated = s.splat(element, &[n, m].into());
        match s.random.below(3) {
            0 => s.view(View::Reshape([m * n].into()), repeated),
            1 => s.view(View::Permute(vec![1, 0]), repeated),
            _ => s.slice(repeated),
        }
    }),
    case("pad-with-the-same", ALL, |s, x| {
        let literal = s.random.literal(s.dtype(x), false);
        let constant = s.constant(literal, &s.shape(x));
        s.pad(constant, literal, true)
    }),
    case("pad-of-nothing", ALL, |s, x| {
        let (none, value) = (s.leaf([2, 0], s.dtype(x)), s.random.literal(s.dtype(x), false));
        let zeros = vec![Coefficient::Const(0); 2];
        s.view(View::Pad { low: zeros, interior: vec![0, 0], shape: [2, 3].into(), value }, none)
    }),
    case("reshape-of-reshape", ALL, |s, x| {
        let [a, b, c] = s.extents();
        let x = s.leaf([a, b * c], s.dtype(x));
        let x = s.view(View::Reshape([a * b, c].into()), x);
        let to: Shape = s.random.pick(&[vec![a, b, c], vec![a, b * c], vec![1, a * b * c]]).into();
        s.view(View::Reshape(to), x)
    }),
    case("reshape-of-expand", ALL, |s, x| {
        let [a, b, c] = s.extents();
        let x = s.leaf([1, a, 1, b], s.dtype(x));
        let x = s.view(View::Expand([c, a, 1, b].into()), x);
        let to = s.random.pick(&[vec![c, 1, a, b, 1], vec![1, c, a, b], vec![c, a, b]]);
        s.view(View::Reshape(to.into()), x)
    }),
    case("permute-of-permute", ALL, |s, x| {
        let shape: [usize; 4] = s.extents();
        let x = s.leaf(shape, s.dtype(x));
        let (first, second) = (s.permutation(4), s.permutation(4));
        let x = s.view(View::Permute(first), x);
        s.view(View::Permute(second), x)
    }),
    case("expand-of-expand", ALL, |s, x| {
        let [a, b, c] = s.extents();
        let x = s.leaf([1, a, 1], s.dtype(x));
        let x = s.view(View::Expand([b, a, 1].into()), x);
        s.view(View::Expand([b, a, c].into()), x)
    }),
    case("slice-of-slice", ALL, |s, x| {
        let x = s.leaf([9, 6], s.dtype(x));
        let x = s.slice(x);
        s.slice(x)
    }),
    case("pad-of-pad", ALL, |s, x| {
        let [n, m] = s.extents();
        let (x, value) = (s.leaf([n, m], s.dtype(x)), s.random.literal(s.dtype(x), false));
        let x = s.pad(x, value, true);
        s.pad(x, value, false)
    }),
    case("slice-out-of-pad", ALL, |s, x| {
        let [n, m] = s.extents();
        let (x, value) = (s.leaf([n, m], s.dtype(x)), s.random.literal(s.dtype(x), false));
        let padded = s.pad(x, value, true);
        let Op::View(View::Pad { low, interior, .. }) = s.graph[padded].op.clone() else { unreachable!() };
        let steps = interior.iter().map(|&gap| gap as i64 + 1).collect();
        s.view(View::Slice { starts: low, steps, lengths: vec![n, m] }, padded)
    }),
    case("slice-of-reduce", ALL, |s, x| {
        let (x, op) = (s.leaf([4, 3, 5], s.dtype(x)), s.reduction(s.dtype(x)));
        let axes = s.random.pick(&[vec![0], vec![1], vec![0, 2]]);
        let reduced = s.reduce(op, &axes, x);
        let rank = s.shape(reduced).rank();
        let (starts, steps) = s.random.pick(&[(1, 1), (2, -1), (0, 2)]);
        let starts = vec![Coefficient::Const(starts); rank];
        s.view(View::Slice { starts, steps: vec![steps; rank], lengths: vec![2; rank] }, reduced)
    }),
    case("permute-of-unit-axes", ALL, |s, x| {
        let [n, m] = s.extents();
        let x = s.leaf([n, 1, m, 1], s.dtype(x));
        let axes = s.random.pick(&[vec![1, 0, 2, 3], vec![3, 0, 1, 2], vec![0, 2, 3, 1]]);
        s.view(View::Permute(axes), x)
    }),
    case("view-of-positions", INTEGERS, |s, x| {
        let ([n, m], axis) = (s.extents(), s.random.below(2));
        let positions = s.add(Op::Iota { shape: [n, m].into(), axis, dtype: s.dtype(x) }, &[]);
        let column = s.view(View::Reshape([n, 1, m, 1].into()), positions);
        match s.random.below(4) {
            0 => s.view(View::Permute(vec![1, 0]), positions),
            1 => column,
            2 => s.view(View::Expand([n, 3, m, 2].into()), column),
            _ => {
                let (mut starts, mut steps) = (vec![Coefficient::Const(1); 2], vec![-1; 2]);
                (starts[axis], steps[axis]) = (Coefficient::Const(0), 1);
                s.view(View::Slice { starts, steps, lengths: vec![2, 2] }, positions)
            }
        }
    }),
    case("reduce-nothing", NUMBERS, |s, x| {
        let (none, op) = (s.leaf([2, 0, 3], s.dtype(x)), s.random.pick(&[ReduceOp::Sum, ReduceOp::Prod]));
        s.reduce(op, &[1], none)
    }),
    case("reduce-constant", NUMBERS, |s, x| {
        let ([n, m], literal) = (s.extents(), s.random.literal(s.dtype(x), false));
        let (op, constant) = (
            s.random.pick(&[ReduceOp::Max, ReduceOp::Min, ReduceOp::Sum]),
            s.constant(literal, &[n, m].into()),
        );
        s.reduce(op, &[s.random.clone().below(2)], constant)
    }),
    case("reduce-constant", NUMBERS, |s, x| {
        let ones = s.constant(Literal::one(s.dtype(x)), &[3, 4].into());
        let op = s.random.pick(&[ReduceOp::Prod, ReduceOp::ArgMax, ReduceOp::ArgMin]);
        s.reduce(op, &[1], ones)
    }),
    case("reduce-one-element", &[F32, I32, U32, Bool], |s, x| {
        let x = s.leaf([3, 1, 2, 1], s.dtype(x));
        let mut op = s.reduction(s.dtype(x));
        if op == ReduceOp::Sum && s.dtype(x) == F32 {
            op = ReduceOp::Prod;
        }
        s.reduce(op, &[1, 3], x)
    }),
    case("sum-one-element", &[F32], |s, x| {
        let x = s.leaf([3, 1], s.dtype(x));
        s.reduce(ReduceOp::Sum, &[1], x)
    }),
    case("position-of-one-element", ALL, |s, x| {
        let (x, op) = (s.leaf([3, 1], s.dtype(x)), s.random.pick(&[ReduceOp::ArgMax, ReduceOp::ArgMin]));
        s.reduce(op, &[1], x)
    }),
    case("reduce-repeated", ALL, |s, x| {
        let [a, b, c] = s.extents();
        let x = s.leaf([1, a, 1, b], s.dtype(x));
        let x = s.view(View::Expand([c, a, 3, b].into()), x);
        let op = s.random.pick(if s.dtype(x) == Bool {
            &[ReduceOp::Max]
        } else {
            &[ReduceOp::Sum, ReduceOp::Min]
        });
        let axes = s.random.pick(&[vec![0], vec![0, 2], vec![0, 1], vec![2, 3], vec![0, 1, 2, 3]]);
        s.reduce(op, &axes, x)
    }),
    case("reduce-of-reduce", ALL, |s, x| {
        let shape: [usize; 4] = s.extents();
        let (x, op) = (s.leaf(shape, s.dtype(x)), s.reduction(s.dtype(x)));
        let (first, second) =
            (s.random.pick(&[vec![0], vec![1, 3], vec![2]]), s.random.pick(&[vec![0], vec![1], vec![0, 1]]));
        let x = s.reduce(op, &first, x);
        s.reduce(op, &second, x)
    }),
    case("contract-nothing", NUMBERS, |s, x| {
        let (a, b) = (s.leaf([2, 0], s.dtype(x)), s.leaf([0, 3], s.dtype(x)));
        s.contract(&[], &[(1, 0)], a, b)
    }),
    case("contract-one-element", NUMBERS, |s, x| {
        let [n, m, k] = s.extents();
        let (a, b) = (s.leaf([1, n, m], s.dtype(x)), s.leaf([k, m, 1], s.dtype(x)));
        if s.random.one_in(2) {
            s.contract(&[(2, 1)], &[(0, 2)], a, b)
        } else {
            s.contract(&[], &[(0, 2)], a, b)
        }
    }),
    case("contract-unit-axes", NUMBERS, |s, x| {
        let [n, m, k] = s.extents();
        let (a, b) = (s.leaf([1, n, m, 1], s.dtype(x)), s.leaf([m, 1, k, 1], s.dtype(x)));
        s.contract(&[], &[(0, 1), (2, 0), (3, 3)], a, b)
    }),
    case("contract-permuted", NUMBERS, |s, x| {
        let [n, m, k, l] = s.extents();
        let dtype = s.dtype(x);
        match s.random.below(3) {
            0 => {
                let (a, b) = (s.leaf([n, m], dtype), s.leaf([k, m], dtype));
                let transposed = s.view(View::Permute(vec![1, 0]), b);
                s.contract(&[], &[(1, 0)], a, transposed)
            }
            1 => {
                let (a, b) = (s.leaf([n, l, m], dtype), s.leaf([l, n, k, m], dtype));
                let moved = s.view(View::Permute(vec![1, 2, 0]), a);
                s.contract(&[(2, 1), (0, 0)], &[(1, 3)], moved, b)
            }
            _ => {
                let (a, b) = (s.leaf([m, n, l], dtype), s.leaf([k, m], dtype));
                let (a, b) = (s.view(View::Permute(vec![1, 0, 2]), a), s.view(View::Permute(vec![1, 0]), b));
                s.contract(&[], &[(1, 0)], a, b)
            }
        }
    }),
    case("permute-of-contract", NUMBERS, |s, x| {
        let [n, m, k, l] = s.extents();
        let dtype = s.dtype(x);
        match s.random.below(3) {
            0 => {
                let (a, b) = (s.leaf([m, n], dtype), s.leaf([m, k, l], dtype));
                let product = s.contract(&[], &[(0, 0)], a, b);
                s.view(View::Permute(vec![1, 2, 0]), product)
            }
            1 => {
                let (a, b) = (s.leaf([n, m, k, l], dtype), s.leaf([m, n, 3, l], dtype));
                let product = s.contract(&[(0, 1), (1, 0)], &[(3, 3)], a, b);
                s.view(View::Permute(vec![1, 0, 3, 2]), product)
            }
            _ => {
                let (a, b) = (s.leaf([2, n, m], dtype), s.leaf([2, m, k], dtype));
                let parts = s.contract(&[(0, 0)], &[(2, 1)], a, b);
                let product = s.reduce(ReduceOp::Sum, &[0], parts);
                s.view(View::Permute(vec![1, 0]), product)
            }
        }
    }),
    case("contract-repeated", NUMBERS, |s, x| {
        let [n, m, k, l] = s.extents();
        let dtype = s.dtype(x);
        let weight = s.leaf([1, m, k], dtype);
        let stack = s.view(View::Expand([l, m, k].into()), weight);
        match s.random.below(3) {
            0 => {
                let a = s.leaf([l, n, m], dtype);
                s.contract(&[(0, 0)], &[(2, 1)], a, stack)
            }
            1 => {
                let a = s.leaf([l, k, n, m], dtype);
                s.contract(&[(1, 2), (0, 0)], &[(3, 1)], a, stack)
            }
            _ => {
                let b = s.leaf([k, l, n, m], dtype);
                s.contract(&[(2, 0), (0, 1)], &[(1, 3)], stack, b)
            }
        }
    }),
    case("contract-to-few", NUMBERS, |s, x| {
        let ([n, m, k], dtype) = (s.extents(), s.dtype(x));
        match s.random.below(3) {
            0 => {
                let (a, b) = (s.leaf([600], dtype), s.leaf([600], dtype));
                s.contract(&[], &[(0, 0)], a, b)
            }
            1 => {
                let (a, b) = (s.leaf([300, n, m], dtype), s.leaf([m, k, 300], dtype));
                s.contract(&[], &[(2, 0), (0, 2)], a, b)
            }
            _ => {
                let (a, b) = (s.leaf([n, 600, m], dtype), s.leaf([m, n, 600], dtype));
                s.contract(&[(2, 0), (0, 1)], &[(1, 2)], a, b)
            }
        }
    }),
    case("contract-in-parts", &[F32], |s, x| {
        let (dtype, long) = (s.dtype(x), 32_770 + s.random.below(5));
        match s.random.below(16) {
            // Few results of sums that divide into parts.
            2 => {
                let (a, b) = (s.leaf([1024, 48], dtype), s.leaf([1024, 48], dtype));
                s.contract(&[], &[(0, 0)], a, b)
            }
            3 => {
                let (a, b) = (s.leaf([2, 38, 776], dtype), s.leaf([2, 776, 38], dtype));
                s.contract(&[(0, 0)], &[(2, 1)], a, b)
            }
            0 => {
                let (a, b) = (s.leaf([2, 1, 16_386], dtype), s.leaf([16_386, 1, 2, 1], dtype));
                s.contract(&[(1, 1)], &[(0, 2), (2, 0)], a, b)
            }
            1 => {
                let (a, b) = (s.leaf([2, long], dtype), s.leaf([long], dtype));
                s.contract(&[], &[(1, 0)], a, b)
            }
            _ => {
                let (a, b) = (s.leaf([long], dtype), s.leaf([long], dtype));
                s.contract(&[], &[(0, 0)], a, b)
            }
        }
    }),
    case("contract-windows", NUMBERS, |s, x| {
        let window = |axis: usize| Window { axis, size: 2, stride: 1, dilation: 1 };
        let (dtype, turned) = (s.dtype(x), s.random.below(2) == 1);
        let features = 1 + s.random.below(4);
        // A picture [batch, features, rows, columns] under weights [made, features, rows, columns].
        let (picture, weights) = (s.leaf([2, features, 4, 3], dtype), s.leaf([3, features, 2, 2], dtype));
        let windows = s.add(Op::View(View::Window(vec![window(2), window(3)])), &[picture]);
        let pairs = [(3, 1), (0, 2), (1, 3)];
        if turned {
            let one = s.add(Op::View(View::Reshape([1, 3, features, 2, 2].into())), &[weights]);
            let each = s.add(Op::View(View::Expand([2, 3, features, 2, 2].into())), &[one]);
            s.contract(&[(0, 2)], &pairs.map(|(x, w)| (w + 1, x)), each, windows)
        } else {
            s.contract(&[], &pairs, windows, weights)
        }
    }),
    case("positions-along-unit-axis", INTEGERS, |s, x| {
        s.add(Op::Iota { shape: [3, 1, 2].into(), axis: 1, dtype: s.dtype(x) }, &[])
    }),
    case("gather-from-one-element", ALL, |s, x| {
        let (element, indices) = (s.leaf(Shape::scalar(), s.dtype(x)), s.leaf([2, 3], I32));
        let source = s.splat(element, &[4, 5].into());
        s.add(Op::Gather { axis: 1 }, &[source, indices])
    }),
    case("gather-one-position", ALL, |s, x| {
        let (axis, indices, at) =
            (s.random.below(2), s.random.pick(&[vec![], vec![2], vec![1, 3]]), s.random.below(9) as f64);
        let index =
            Literal::from_f64(s.random.pick(&[I32, U32]), at - if s.random.one_in(4) { 3.0 } else { 0.0 });
        let indices = s.constant(index, &indices.into());
        let shape = s.random.pick(&[[4, 5], [1, 3]]);
        let source = s.leaf(shape, s.dtype(x));
        s.add(Op::Gather { axis }, &[source, indices])
    }),
    case("gather-in-order", ALL, |s, x| {
        let [n, m] = s.extents();
        let source = s.leaf([n, m], s.dtype(x));
        let positions =
            s.add(Op::Iota { shape: [1 + s.random.clone().below(m)].into(), axis: 0, dtype: U32 }, &[]);
        s.add(Op::Gather { axis: 1 }, &[source, positions])
    }),
    case("line-of-nothing", NUMBERS, |s, x| {
        let none = s.leaf([2, 0], s.dtype(x));
        s.add(
            Op::Scan(Scan { axis: 0, op: ReduceOp::Sum, reverse: false, exclusive: false, block: 2 }),
            &[none],
        )
    }),
    case("line-of-one-element", NUMBERS, |s, x| {
        let op = s.random.pick(&[ReduceOp::Sum, ReduceOp::Prod, ReduceOp::Max, ReduceOp::Min]);
        let (reverse, exclusive) = (s.random.one_in(2), s.random.one_in(2));
        let [n, m] = s.extents();
        let (axis, block) = s.random.pick(&[(1, 1), (1, 4), (0, 1)]);
        let x = s.leaf([n * m, 1], s.dtype(x));
        s.add(Op::Scan(Scan { axis, op, reverse, exclusive, block }), &[x])
    }),
    case("scan-in-blocks", &[I32], |s, x| {
        let op = s.random.pick(&[ReduceOp::Sum, ReduceOp::Prod, ReduceOp::Max, ReduceOp::Min]);
        let (reverse, exclusive) = (s.random.one_in(2), s.random.one_in(2));
        let (shape, axis) = s.random.pick(&[(vec![2, 4_500], 1), (vec![1_100, 3], 0), (vec![6_144], 0)]);
        let (x, block) = (s.leaf(shape.clone(), s.dtype(x)), shape[axis]);
        s.add(Op::Scan(Scan { axis, op, reverse, exclusive, block }), &[x])
    }),
    case("scatter-nothing", ALL, |s, x| {
        let (base, indices, updates) =
            (s.leaf([3, 2], s.dtype(x)), s.leaf([0], I32), s.leaf([0, 2], s.dtype(x)));
        s.add(Op::Scatter { axis: 0, op: ScatterOp::Set }, &[base, indices, updates])
    }),
    case("scatter-outside", ALL, |s, x| {
        let (base, updates) = (s.leaf([3, 2], s.dtype(x)), s.leaf([4, 2], s.dtype(x)));
        let index =
            s.random.pick(&[Literal::I32(3), Literal::I32(-1), Literal::U32(3), Literal::U32(u32::MAX)]);
        let indices = s.constant(index, &[4].into());
        s.add(Op::Scatter { axis: 0, op: ScatterOp::Set }, &[base, indices, updates])
    }),
    case("scatter-in-order", ALL, |s, x| {
        let [n, m] = s.extents();
        let (base, updates) = (s.leaf([n, m], s.dtype(x)), s.leaf([n, m], s.dtype(x)));
        let positions = s.add(Op::Iota { shape: [m].into(), axis: 0, dtype: I32 }, &[]);
        let ops = [ScatterOp::Set, ScatterOp::Min, ScatterOp::Max, ScatterOp::Add];
        let op = s.random.pick(if s.dtype(x) == Bool { &ops[..3] } else { &ops });
        s.add(Op::Scatter { axis: 1, op }, &[base, positions, updates])
    }),
    case("scatter-apart", &[I32], |s, x| {
        let op = s.random.pick(&[ScatterOp::Set, ScatterOp::Add, ScatterOp::Min, ScatterOp::Max]);
        let base = s.leaf([1, 3], s.dtype(x));
        let base = s.add(Op::Unary(weft_ir::op::Unary::Neg), &[base]);
        let (indices, updates) = (s.leaf([5, 6_600], I32), s.leaf([1, 5, 6_600], s.dtype(x)));
        s.add(Op::Scatter { axis: 1, op }, &[base, indices, updates])
    }),
    case("scatter-sorted", &[F32], |s, _| {
        let (base, indices) = (s.leaf([40, 1024], F32), s.leaf([2, 512], I32));
        let updates = s.leaf([2, 512, 1024], F32);
        s.add(Op::Scatter { axis: 0, op: ScatterOp::Add }, &[base, indices, updates])
    }),
    case("scatter-add-zero", NUMBERS, |s, x| {
        let (base, indices) = (s.leaf([3, 2], s.dtype(x)), s.leaf([4], I32));
        let zero = s.constant(Literal::zero(s.dtype(x)), &[4, 2].into());
        s.add(Op::Scatter { axis: 0, op: ScatterOp::Add }, &[base, indices, zero])
    }),
];
