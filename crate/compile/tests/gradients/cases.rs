//! Test cases of each primitive that is not elementwise.

use super::{Case, MEMBERS, floats, ints};
use weft_ir::interpret::Value;
use weft_ir::op::{Coefficient, ContractAxes, Conv, Op, ReduceOp, Scan, ScatterOp, View, Window};
use weft_ir::{Literal, Shape};

/// Numbers of each member.
fn starts(list: [i32; MEMBERS]) -> [Value<f64>; MEMBERS] {
    list.map(|start| Value::i32(Shape::scalar(), vec![start]).unwrap())
}

pub(super) fn views() -> Vec<Case> {
    let view = |view, inputs: Vec<[Value<f64>; MEMBERS]>| Case { op: Op::View(view), inputs };
    let x = |shape: &[usize]| floats(9, shape, -1.0, 1.0);
    let param = |input, max| Coefficient::Param { input, min: 0, max };
    let fixed = Coefficient::Const;
    vec![
        view(View::Reshape([3, 2].into()), vec![x(&[2, 3])]),
        view(View::Permute(vec![2, 0, 1]), vec![x(&[2, 3, 2])]),
        view(View::Expand([4, 3].into()), vec![x(&[1, 3])]),
        view(
            View::Slice { starts: vec![fixed(3), fixed(1)], steps: vec![-2, 1], lengths: vec![2, 2] },
            vec![x(&[4, 3])],
        ),
        view(
            View::Slice {
                starts: vec![fixed(1), param(1, 2), param(2, 1)],
                steps: vec![1, 2, 1],
                lengths: vec![1, 2, 2],
            },
            vec![x(&[2, 5, 3]), starts([0, 2, 1]), starts([1, 1, 0])],
        ),
        view(
            View::Slice {
                starts: vec![Coefficient::Param { input: 1, min: 2, max: 4 }],
                steps: vec![-1],
                lengths: vec![3],
            },
            vec![x(&[5]), starts([4, 2, 3])],
        ),
        view(
            View::Pad {
                low: vec![fixed(1), fixed(0)],
                interior: vec![1, 0],
                shape: [5, 4].into(),
                value: Literal::F32(0.5),
            },
            vec![x(&[2, 3])],
        ),
        view(
            View::Pad {
                low: vec![param(1, 2), param(2, 1), fixed(1)],
                interior: vec![1, 0, 0],
                shape: [5, 3, 3].into(),
                value: Literal::F32(-0.5),
            },
            vec![x(&[2, 2, 2]), starts([2, 0, 1]), starts([0, 1, 1])],
        ),
        view(View::Window(vec![window(0, 3, 1, 1)]), vec![x(&[4, 2])]),
        view(View::Window(vec![window(1, 2, 2, 2), window(0, 2, 1, 1)]), vec![x(&[3, 5])]),
        view(View::Window(vec![window(0, 2, 3, 1), window(1, 1, 2, 1)]), vec![x(&[6, 3])]),
        // Windows that overlap by strides: one that ends before the axis does, and more axes than
        // there is room to group.
        view(View::Window(vec![window(0, 3, 2, 1), window(1, 5, 3, 1)]), vec![x(&[8, 9])]),
        view(View::Window(vec![window(1, 3, 2, 1), window(0, 2, 1, 2)]), vec![x(&[4, 6])]),
        view(
            View::Window(vec![window(2, 3, 2, 1), window(3, 3, 2, 1), window(4, 3, 2, 1)]),
            vec![x(&[1, 2, 3, 5, 4])],
        ),
    ]
}

fn window(axis: usize, size: usize, stride: usize, dilation: usize) -> Window {
    Window { axis, size, stride, dilation }
}

pub(super) fn reductions() -> Vec<Case> {
    let case = |op, shape: &[usize], axes: &[usize]| Case {
        op: Op::Reduce { op, axes: axes.to_vec() },
        inputs: vec![floats(10, shape, 0.2, 1.4)],
    };
    vec![
        case(ReduceOp::Sum, &[2, 3, 2], &[0, 2]),
        case(ReduceOp::Prod, &[2, 3], &[0, 1]),
        case(ReduceOp::Prod, &[2, 3, 2], &[1]),
        case(ReduceOp::Max, &[2, 3], &[1]),
        case(ReduceOp::Min, &[2, 3, 2], &[0, 1]),
        case(ReduceOp::ArgMax, &[2, 4], &[1]),
        case(ReduceOp::ArgMin, &[4, 2], &[0]),
    ]
}

pub(super) fn contractions() -> Vec<Case> {
    let case =
        |batch: &[(usize, usize)], contract: &[(usize, usize)], left: &[usize], right: &[usize]| Case {
            op: Op::Contract(ContractAxes { batch: batch.to_vec(), contract: contract.to_vec() }),
            inputs: vec![floats(11, left, -1.0, 1.0), floats(12, right, -1.0, 1.0)],
        };
    vec![
        case(&[], &[(1, 0)], &[2, 3], &[3, 4]),
        case(&[(0, 1)], &[(2, 0)], &[2, 3, 4], &[4, 2, 3]),
        case(&[(1, 0)], &[(0, 2), (2, 1)], &[2, 3, 2], &[3, 2, 2]),
        case(&[], &[(0, 0)], &[3], &[3]),
        case(&[], &[], &[2], &[3]),
    ]
}

pub(super) fn convolutions() -> Vec<Case> {
    let case = |it: Conv, input: &[usize], kernel: &[usize]| Case {
        op: Op::Conv(it.into()),
        inputs: vec![floats(24, input, -1.0, 1.0), floats(25, kernel, -1.0, 1.0)],
    };
    let one = |strides: usize, padding, dilations: [usize; 2], groups: [usize; 2]| Conv {
        strides: vec![strides],
        padding: vec![padding],
        input_dilation: vec![dilations[0]],
        kernel_dilation: vec![dilations[1]],
        feature_groups: groups[0],
        batch_groups: groups[1],
        input: vec![0, 1, 2],
        kernel: vec![0, 1, 2],
        output: vec![0, 1, 2],
    };
    let last = Conv {
        input: vec![0, 2, 1],
        kernel: vec![2, 1, 0],
        output: vec![0, 2, 1],
        ..one(1, (1, 0), [1, 1], [1, 1])
    };
    vec![
        case(one(2, (1, 2), [1, 2], [1, 1]), &[2, 2, 5], &[3, 2, 2]),
        case(one(1, (-1, 2), [2, 1], [2, 1]), &[1, 4, 3], &[4, 2, 2]),
        case(one(1, (0, 1), [1, 1], [2, 1]), &[2, 2, 3], &[2, 1, 2]),
        case(one(1, (1, 0), [1, 1], [1, 2]), &[2, 1, 3], &[4, 1, 2]),
        case(last, &[2, 3, 2], &[2, 2, 3]),
    ]
}

pub(super) fn indexing() -> Vec<Case> {
    let mut cases = Vec::new();
    for (shape, axis, index_shape) in
        [(&[4][..], 0, &[][..]), (&[2, 4, 3], 1, &[2, 2]), (&[3, 2], 0, &[3]), (&[2, 2, 3], 2, &[2])]
    {
        let last = shape[axis] as i32;
        let indices = ints(13, index_shape, -1, last);
        let source = floats(14, shape, -1.0, 1.0);
        let updates = [&shape[..axis], index_shape, &shape[axis + 1..]].concat();
        let gather = vec![source.clone(), indices.clone()];
        cases.push(Case { op: Op::Gather { axis }, inputs: gather });
        for op in [ScatterOp::Set, ScatterOp::Add, ScatterOp::Min, ScatterOp::Max] {
            let inputs = vec![source.clone(), indices.clone(), floats(15, &updates, -1.0, 1.0)];
            cases.push(Case { op: Op::Scatter { axis, op }, inputs });
        }
    }
    let unsigned = ints(16, &[2], 0, 4).map(|value| {
        Value::u32(value.shape().clone(), value.to_f64().iter().map(|&x| x as u32).collect::<Vec<_>>())
            .unwrap()
    });
    cases.push(Case {
        op: Op::Gather { axis: 0 },
        inputs: vec![floats(17, &[3, 2], -1.0, 1.0), unsigned.clone()],
    });
    let updates = floats(18, &[2, 2], -1.0, 1.0);
    let inputs = vec![floats(17, &[3, 2], -1.0, 1.0), unsigned, updates];
    cases.push(Case { op: Op::Scatter { axis: 0, op: ScatterOp::Add }, inputs });
    cases
}

pub(super) fn lines() -> Vec<Case> {
    use ReduceOp::{Max, Min, Prod, Sum};
    let mut cases = Vec::new();
    for (op, seed) in [(Sum, 24), (Prod, 25), (Max, 26), (Min, 27)] {
        for (shape, axis, reverse, exclusive, block) in [
            (&[5][..], 0, false, false, 5),
            (&[2, 4, 3], 1, true, false, 4),
            (&[2, 3], 1, false, true, 3),
            (&[7, 2], 0, true, true, 7),
            (&[7, 2], 0, true, false, 3),
            (&[5], 0, false, true, 2),
        ] {
            // The first of a maximum of nothing is infinite, which no difference can be taken of.
            let exclusive = exclusive && matches!(op, Sum | Prod);
            let scan = Scan { axis, op, reverse, exclusive, block };
            cases.push(Case { op: Op::Scan(scan), inputs: vec![floats(seed, shape, 0.2, 1.4)] });
        }
    }
    let turns = |n: usize| {
        let angle = |k: usize| -std::f64::consts::TAU * k as f64 / n as f64;
        let (cosines, sines) = ((0..n).map(|k| angle(k).cos()), (0..n).map(|k| angle(k).sin()));
        cosines.chain(sines).map(|turn| (turn as f32).to_bits()).collect::<Vec<_>>()
    };
    let keys = ints(28, &[4, 3], 0, 5).map(|value| {
        Value::u32(value.shape().clone(), value.to_f64().iter().map(|&x| x as u32).collect::<Vec<_>>())
            .unwrap()
    });
    cases.push(Case { op: Op::ArgSort { axis: 0, bits: 32 }, inputs: vec![keys] });
    for (seed, (shape, parts, axis)) in
        [(&[2, 5][..], 0, 1), (&[6, 2, 2], 1, 0), (&[3, 4, 2], 2, 1)].into_iter().enumerate()
    {
        let table = Value::u32([2, shape[axis]], turns(shape[axis])).unwrap();
        let table = [table.clone(), table.clone(), table];
        let x = floats(60 + seed as u64, shape, -1.0, 1.0);
        cases.push(Case { op: Op::Fourier { parts, axis }, inputs: vec![x, table] });
    }
    cases
}
