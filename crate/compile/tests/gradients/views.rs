//! Rules of views on random shapes, steps, gaps and run-time parameters, and the result of undoing
//! them twice.

use super::check::{check_nested, config, numbers, random};
use proptest::prelude::*;
use weft_ir::Literal;
use weft_ir::interpret::Value;
use weft_ir::op::{Coefficient, Op, View, Window};

/// Axes 0..rank in an order drawn from `seed`.
fn permutation(seed: u64, rank: usize) -> Vec<usize> {
    let keys = numbers(seed, rank);
    let mut axes: Vec<usize> = (0..rank).collect();
    axes.sort_by(|&a, &b| keys[a].total_cmp(&keys[b]));
    axes
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn permute_and_reshape(shape in prop::collection::vec(1usize..4, 1..5), seed: u64) {
        let axes = permutation(seed, shape.len());
        check_nested(&[random(seed, shape.clone())], |b, x| {
            let turned = b.op(Op::View(View::Permute(axes.clone())), x);
            let size = shape.iter().product::<usize>();
            b.op(Op::View(View::Reshape([size, 1].into())), &[turned])
        });
    }

    #[test]
    fn expand(axes in prop::collection::vec((1usize..4, any::<bool>()), 0..4), seed: u64) {
        let from: Vec<usize> = axes.iter().map(|&(extent, repeats)| if repeats { 1 } else { extent }).collect();
        let to: Vec<usize> = axes.iter().map(|&(extent, _)| extent).collect();
        check_nested(&[random(seed, from)], |b, x| b.op(Op::View(View::Expand(to.clone().into())), x));
    }

    /// Per axis: start, step, length and what is left over, and whether the start is a run-time
    /// parameter.
    #[test]
    fn slice(
        axes in prop::collection::vec((0usize..3, 1i64..4, any::<bool>(), 1usize..4, 0usize..3, any::<bool>()), 1..3),
        seed: u64,
    ) {
        let mut inputs = Vec::new();
        let (mut starts, mut steps, mut lengths, mut shape) = (vec![], vec![], vec![], vec![]);
        for (before, step, down, length, after, run_time) in axes {
            let span = step as usize * (length - 1);
            let start = (if down { before + span } else { before }) as i64;
            starts.push(if run_time {
                inputs.push(Value::i32([], [start as i32]).unwrap());
                let (min, max) = (start - before as i64, start + after as i64);
                Coefficient::Param { input: inputs.len(), min, max }
            } else {
                Coefficient::Const(start)
            });
            steps.push(if down { -step } else { step });
            lengths.push(length);
            shape.push(before + span + 1 + after);
        }
        inputs.insert(0, random(seed, shape));
        let view = View::Slice { starts, steps, lengths };
        check_nested(&inputs, |b, x| b.op(Op::View(view.clone()), x));
    }

    #[test]
    fn pad(
        axes in prop::collection::vec((0usize..3, 0usize..3, 1usize..4, 0usize..3, any::<bool>()), 1..3),
        seed: u64,
    ) {
        let mut inputs = Vec::new();
        let (mut low, mut interior, mut shape, mut from) = (vec![], vec![], vec![], vec![]);
        for (before, gap, length, after, run_time) in axes {
            low.push(if run_time {
                inputs.push(Value::i32([], [before as i32]).unwrap());
                Coefficient::Param { input: inputs.len(), min: 0, max: (before + after) as i64 }
            } else {
                Coefficient::Const(before as i64)
            });
            interior.push(gap);
            shape.push(before + (length - 1) * (gap + 1) + 1 + after);
            from.push(length);
        }
        inputs.insert(0, random(seed, from));
        let view = View::Pad { low, interior, shape: shape.into(), value: Literal::F32(3.0) };
        check_nested(&inputs, |b, x| b.op(Op::View(view.clone()), x));
    }
}

/// Windows that overlap along many axes: their elements and the input's, twice over, are more axes
/// than a tensor may have.
#[test]
fn windows_along_many_axes() {
    let along = |extents: &[(usize, usize, usize)]| {
        let window = |(axis, &(size, stride, dilation))| Window { axis, size, stride, dilation };
        Op::View(View::Window(extents.iter().enumerate().map(window).collect()))
    };
    let three = [(2, 1, 1), (2, 1, 2), (1, 1, 1)];
    check_nested(&[random(3, [3, 3, 2, 1, 1])], |b, x| b.op(along(&three), x));
    let four = [(2, 1, 1), (2, 1, 1), (1, 1, 1), (2, 2, 2)];
    check_nested(&[random(4, [2, 3, 1, 5, 1, 1])], |b, x| b.op(along(&four), x));
    let six = [(2, 1, 1), (1, 1, 1), (2, 1, 1), (1, 1, 1), (1, 1, 1), (1, 1, 1)];
    check_nested(&[random(5, [3, 1, 2, 1, 1, 1])], |b, x| b.op(along(&six), x));
}

#[test]
fn empty_views() {
    let nothing = View::Slice { starts: vec![Coefficient::Const(0)], steps: vec![1], lengths: vec![0] };
    check_nested(&[random(1, [3])], |b, x| b.op(Op::View(nothing.clone()), x));
    let grown = View::Pad {
        low: vec![Coefficient::Const(1)],
        interior: vec![0],
        shape: [2].into(),
        value: Literal::F32(1.0),
    };
    check_nested(&[random(1, [0])], |b, x| b.op(Op::View(grown.clone()), x));
    check_nested(&[random(1, [1, 3])], |b, x| b.op(Op::View(View::Expand([0, 3].into())), x));
    check_nested(&[random(1, [0, 3])], |b, x| b.op(Op::View(View::Reshape([3, 0].into())), x));
}
