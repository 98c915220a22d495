//! Near misses: programs that look like ones that a rule applies to, and that it must leave alone.

use super::sketch::{ALL, Case, INTEGERS, NUMBERS, case};
use weft_ir::DType::{Bool, F32, I32, U32};
use weft_ir::op::{Binary, Coefficient, Compare, Op, ReduceOp, ScatterOp, Unary, View, Window};
use weft_ir::{DType, Literal};

const FLOAT: &[DType] = &[F32];

pub const CASES: &[Case] = &[
    case("order-operands", FLOAT, |s, x| {
        let y = s.twin(x);
        let op = s.random.pick(&[Binary::Min, Binary::Max, Binary::Sub, Binary::Div]);
        let (a, b) = (s.binary(op, x, y), s.binary(op, y, x));
        s.binary(Binary::Sub, a, b)
    }),
    case("add-zero", FLOAT, |s, x| s.with(Binary::Add, x, 0.0)),
    case("subtract-zero", FLOAT, |s, x| s.with(Binary::Sub, x, -0.0)),
    case("zero-minus", FLOAT, |s, x| {
        let zero = s.number(0.0, x);
        s.binary(Binary::Sub, zero, x)
    }),
    case("multiply-integer-by-zero", FLOAT, |s, x| s.with(Binary::Mul, x, 0.0)),
    case("integer-minus-itself", FLOAT, |s, x| s.binary(Binary::Sub, x, x)),
    case("divide-by-minus-one", &[U32], |s, x| s.with(Binary::Div, x, -1.0)),
    case("divide-by-power-of-two", FLOAT, |s, x| {
        let divisor = s.random.pick(&[3.0, 0.0, f64::NAN, 1e-40, 2f64.powi(127)]);
        s.with(Binary::Div, x, divisor)
    }),
    case("divide-by-power-of-two", INTEGERS, |s, x| {
        let divisor = s.random.pick(&[3.0, 0.0, -4.0, 12.0]);
        s.with(Binary::Div, x, divisor)
    }),
    case("remainder-of-power-of-two", INTEGERS, |s, x| {
        let divisor = s.random.pick(&[3.0, 0.0, -4.0, 12.0]);
        s.with(Binary::Rem, x, divisor)
    }),
    case("join-integer-constants", FLOAT, |s, x| {
        let once = s.with(Binary::Mul, x, 0.1);
        s.with(Binary::Mul, once, 10.0)
    }),
    case("multiply-negatives", INTEGERS, |s, x| {
        let y = s.twin(x);
        let (a, b) = (s.unary(Unary::Neg, x), s.unary(Unary::Neg, y));
        s.binary(Binary::Div, a, b)
    }),
    case("negate-twice", INTEGERS, |s, x| {
        let once = s.unary(Unary::Neg, x);
        s.unary(Unary::Not, once)
    }),
    case("abs-of-negative", &[U32], |s, x| {
        let negative = s.unary(Unary::Neg, x);
        s.unary(Unary::Abs, negative)
    }),
    case("apply-twice", FLOAT, |s, x| {
        use Unary::{Abs, Floor, Relu, Round, Sign};
        let (first, second) =
            s.random.pick(&[(Abs, Sign), (Sign, Abs), (Sign, Relu), (Abs, Floor), (Round, Sign)]);
        let once = s.unary(first, x);
        s.unary(second, once)
    }),
    case("small-power", NUMBERS, |s, x| {
        let exponent = s.random.pick(if s.dtype(x) == U32 { &[3.0] } else { &[3.0, -2.0] });
        s.with(Binary::Pow, x, exponent)
    }),
    case("select-one-or-zero", NUMBERS, |s, x| {
        let (one, zero, condition) = (s.number(1.0, x), s.number(0.0, x), s.leaf(s.shape(x), Bool));
        s.add(Op::Select, &[condition, zero, one])
    }),
    case("select-one-or-zero", FLOAT, |s, x| {
        let (one, zero, condition) = (s.number(1.0, x), s.number(-0.0, x), s.leaf(s.shape(x), Bool));
        s.add(Op::Select, &[condition, one, zero])
    }),
    case("combine-with-neutral", FLOAT, |s, x| {
        let op = s.random.pick(&[Binary::Min, Binary::Max]);
        let limit = if op == Binary::Min { f32::MAX } else { -f32::MAX };
        s.with(op, x, f64::from(limit))
    }),
    case("combine-with-neutral", INTEGERS, |s, x| {
        let (op, number) = s.random.pick(&[(Binary::And, 1.0), (Binary::Or, 1.0)]);
        s.with(op, x, number)
    }),
    case("combine-with-absorbing", FLOAT, |s, x| {
        let op = s.random.pick(&[Binary::Min, Binary::Max]);
        s.with(op, x, if op == Binary::Min { f64::NEG_INFINITY } else { f64::INFINITY })
    }),
    case("shift-by-zero", INTEGERS, |s, x| {
        let op = s.random.pick(&[Binary::Shl, Binary::Shr]);
        s.with(op, x, 32.0)
    }),
    case("not-of-comparison", FLOAT, |s, x| {
        use Compare::{Ge, Gt, Le, Lt};
        let (y, op) = (s.twin(x), s.random.pick(&[Lt, Le, Gt, Ge]));
        let truth = s.add(Op::Compare(op), &[x, y]);
        s.unary(Unary::Not, truth)
    }),
    case("compare-with-itself", FLOAT, |s, x| s.add(Op::Compare(Compare::Eq), &[x, x])),
    case("cast-of-cast", NUMBERS, |s, x| {
        let ways: &[(DType, DType)] = match s.dtype(x) {
            F32 => &[(I32, F32), (U32, F32), (I32, Bool), (Bool, F32)],
            I32 => &[(U32, F32), (F32, I32), (F32, U32), (Bool, I32)],
            _ => &[(I32, F32), (F32, I32), (F32, U32), (Bool, U32)],
        };
        let (first, second) = s.random.pick(ways);
        let once = s.add(Op::Cast(first), &[x]);
        s.add(Op::Cast(second), &[once])
    }),
    case("view-of-everything", ALL, |s, x| {
        let [n, m] = s.extents();
        let x = s.leaf([n, n, m], s.dtype(x));
        match s.random.below(2) {
            0 => s.view(View::Permute(vec![1, 0, 2]), x),
            _ => {
                let last = |extent: usize| Coefficient::Const(extent as i64 - 1);
                let starts = vec![last(n), Coefficient::Const(0), last(m)];
                s.view(View::Slice { starts, steps: vec![-1, 1, -1], lengths: vec![n, n, m] }, x)
            }
        }
    }),
    case("pad-with-the-same", FLOAT, |s, x| {
        let zero = s.number(0.0, x);
        s.pad(zero, Literal::F32(-0.0), true)
    }),
    case("pad-of-pad", ALL, |s, x| {
        let (x, value) = (s.leaf([2, 3], s.dtype(x)), s.random.literal(s.dtype(x), false));
        let x = s.pad(x, value, true);
        let to: Vec<usize> = s.shape(x).iter().map(|extent| 2 * extent).collect();
        let low = vec![Coefficient::Const(1); 2];
        s.view(View::Pad { low, interior: vec![1, 1], shape: to.into(), value }, x)
    }),
    case("slice-out-of-pad", ALL, |s, x| {
        let (x, value) = (s.leaf([4], s.dtype(x)), s.random.literal(s.dtype(x), false));
        let low = vec![Coefficient::Const(1)];
        let padded = s.view(View::Pad { low, interior: vec![1], shape: [9].into(), value }, x);
        let (start, step) = s.random.pick(&[(1, 1), (0, 2), (2, 2)]);
        s.view(
            View::Slice { starts: vec![Coefficient::Const(start)], steps: vec![step], lengths: vec![4] },
            padded,
        )
    }),
    case("slice-of-reduce", NUMBERS, |s, x| {
        // All of it is wanted otherwise.
        let x = s.leaf([4, 3], s.dtype(x));
        let rows = s.reduce(ReduceOp::Max, &[1], x);
        let starts = vec![Coefficient::Const(1)];
        let some = s.view(View::Slice { starts, steps: vec![1], lengths: vec![2] }, rows);
        let all = s.reduce(ReduceOp::Max, &[0], rows);
        let all = s.splat(all, &[2].into());
        s.binary(Binary::Sub, some, all)
    }),
    case("reshape-of-expand", ALL, |s, x| {
        let [a, c] = s.extents();
        let x = s.leaf([1, a], s.dtype(x));
        let x = s.view(View::Expand([a + c, a].into()), x);
        s.view(View::Reshape([a, a + c].into()), x)
    }),
    case("view-of-positions", INTEGERS, |s, x| {
        let positions = s.add(Op::Iota { shape: [3, 4].into(), axis: 1, dtype: s.dtype(x) }, &[]);
        let (start, step) = s.random.pick(&[(1, 1), (0, 2), (3, -1)]);
        match s.random.below(2) {
            0 => s.view(View::Reshape([4, 3].into()), positions),
            _ => {
                let starts = vec![Coefficient::Const(0), Coefficient::Const(start)];
                s.view(View::Slice { starts, steps: vec![1, step], lengths: vec![3, 2] }, positions)
            }
        }
    }),
    case("reduce-constant", FLOAT, |s, _| {
        let tenth = s.constant(Literal::F32(0.1), &[3].into());
        s.reduce(ReduceOp::Prod, &[0], tenth)
    }),
    case("reduce-of-reduce", NUMBERS, |s, x| {
        let x = s.leaf([2, 3], s.dtype(x));
        let rows = s.reduce(ReduceOp::Sum, &[1], x);
        if s.random.one_in(2) {
            return s.reduce(ReduceOp::Max, &[0], rows);
        }
        let all = s.reduce(ReduceOp::Sum, &[0], rows);
        let all = s.splat(all, &[2].into());
        s.binary(Binary::Sub, rows, all)
    }),
    case("contract-permuted", NUMBERS, |s, x| {
        let [n, m, k] = s.extents();
        let (a, b) = (s.leaf([n, n, m], s.dtype(x)), s.leaf([m, k], s.dtype(x)));
        let swapped = s.view(View::Permute(vec![1, 0, 2]), a);
        s.contract(&[], &[(2, 0)], swapped, b)
    }),
    case("contract-repeated", NUMBERS, |s, x| {
        let ([n, m], dtype) = (s.extents(), s.dtype(x));
        let matrix = s.leaf([1, n, m], dtype);
        let stack = s.view(View::Expand([n, n, m].into()), matrix);
        let other = s.leaf([n, n, m], dtype);
        match s.random.below(3) {
            0 => s.contract(&[(1, 0)], &[(2, 2)], other, stack),
            1 => s.contract(&[(0, 0)], &[(2, 2)], stack, other),
            _ => s.contract(&[(0, 0), (1, 1)], &[(2, 2)], other, stack),
        }
    }),
    case("contract-windows", NUMBERS, |s, x| {
        // Weights that lie as they are read.
        let (picture, weights) = (s.leaf([2, 4, 3, 3], s.dtype(x)), s.leaf([2, 3, 5], s.dtype(x)));
        let window = Window { axis: 1, size: 2, stride: 1, dilation: 1 };
        let windows = s.add(Op::View(View::Window(vec![window])), &[picture]);
        s.contract(&[], &[(0, 0), (4, 1)], windows, weights)
    }),
    case("contract-unit-axes", NUMBERS, |s, x| {
        let (a, b) = (s.leaf([1, 3], s.dtype(x)), s.leaf([3, 1], s.dtype(x)));
        s.contract(&[], &[(1, 0)], a, b)
    }),
    case("gather-in-order", ALL, |s, x| {
        let source = s.leaf([2, 3], s.dtype(x));
        let positions = s.add(Op::Iota { shape: [5].into(), axis: 0, dtype: I32 }, &[]);
        s.add(Op::Gather { axis: 1 }, &[source, positions])
    }),
    case("scatter-in-order", ALL, |s, x| {
        let count = s.random.pick(&[2, 4]);
        let (base, updates) = (s.leaf([3], s.dtype(x)), s.leaf([count], s.dtype(x)));
        let positions = s.add(Op::Iota { shape: [count].into(), axis: 0, dtype: U32 }, &[]);
        s.add(Op::Scatter { axis: 0, op: ScatterOp::Set }, &[base, positions, updates])
    }),
    case("scatter-outside", ALL, |s, x| {
        let (base, updates) = (s.leaf([3], s.dtype(x)), s.leaf([2], s.dtype(x)));
        let index = s.random.pick(&[Literal::I32(0), Literal::I32(2), Literal::U32(1)]);
        let indices = s.constant(index, &[2].into());
        s.add(Op::Scatter { axis: 0, op: ScatterOp::Set }, &[base, indices, updates])
    }),
];
