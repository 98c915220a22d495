//! The reference interpreter against definitions written element by element, on random shapes and
//! random stacks of views.

use proptest::prelude::*;
use weft_ir::graph::{Graph, NodeId};
use weft_ir::interpret::{self, Value};
use weft_ir::op::infer::gathered;
use weft_ir::op::{Coefficient, ContractAxes, Op, ReduceOp, Unary, View, Window};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Literal, Shape, verify};

fn config() -> ProptestConfig {
    ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() }
}

/// 1, 2, 3, … in `shape`.
fn counting(shape: &Shape) -> Value<f64> {
    let data: Vec<f64> = (1..=shape.size()).map(|n| n as f64).collect();
    Value::float(shape.clone(), data).unwrap()
}

/// The values of the roots that `build` makes from one leaf per input.
fn run(inputs: &[Value<f64>], build: impl Fn(&mut Graph, &[NodeId]) -> Vec<NodeId>) -> Vec<Value<f64>> {
    let mut graph = Graph::new();
    let leaf = |graph: &mut Graph, v: &Value<f64>| {
        graph.add_placeholder(Op::Buffer(v.shape().clone(), v.dtype())).unwrap()
    };
    let leaves: Vec<NodeId> = inputs.iter().map(|v| leaf(&mut graph, v)).collect();
    let roots = build(&mut graph, &leaves);
    let (program, found, positions) = TensorProgram::from_graph(&graph, &roots);
    verify::verify(&program).unwrap();
    let bound: Vec<&Value<f64>> =
        found.buffers.iter().map(|b| &inputs[leaves.iter().position(|l| l == b).unwrap()]).collect();
    let out = interpret::run(&program, &bound, &[]).unwrap();
    positions.into_iter().map(|p| out[p].clone()).collect()
}

/// The element at output coordinates `at` of a view of `x`, by the words of its documentation.
fn viewed(view: &View, x: &Value<f64>, at: &[usize]) -> f64 {
    let shape = x.shape();
    let constant = |c: &Coefficient| match c {
        Coefficient::Const(value) => *value,
        Coefficient::Param { .. } => unreachable!("these tests have constant coefficients"),
    };
    let from: Vec<usize> = match view {
        View::Reshape(to) => shape.unravel(to.ravel(at)),
        View::Permute(axes) => {
            let mut from = vec![0; at.len()];
            axes.iter().zip(at).for_each(|(&axis, &c)| from[axis] = c);
            from
        }
        View::Expand(_) => at.iter().zip(shape.iter()).map(|(&c, &extent)| c.min(extent - 1)).collect(),
        View::Slice { starts, steps, .. } => {
            (0..at.len()).map(|a| (constant(&starts[a]) + steps[a] * at[a] as i64) as usize).collect()
        }
        View::Window(windows) => {
            let mut from = at[windows.len()..].to_vec();
            for (w, k) in windows.iter().zip(at) {
                from[w.axis] = w.stride * from[w.axis] + w.dilation * k;
            }
            from
        }
        View::Pad { low, interior, value, .. } => {
            let mut from = Vec::new();
            for a in 0..at.len() {
                let (offset, step) = (at[a] as i64 - constant(&low[a]), interior[a] as i64 + 1);
                if offset < 0 || offset % step != 0 || offset / step >= shape[a] as i64 {
                    return value.to_f64();
                }
                from.push((offset / step) as usize);
            }
            from
        }
    };
    x.to_f64()[shape.ravel(&from)]
}

/// A view that fits `shape`, chosen by `kind` and `seed`.
fn fitting(shape: &Shape, kind: u8, seed: u64) -> View {
    let digit = |axis: usize, salt: u64, below: usize| {
        ((seed ^ salt).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(7 * axis as u32 + 3) % below as u64)
            as usize
    };
    let rank = shape.rank();
    match kind % 7 {
        0 => {
            let mut axes: Vec<usize> = (0..rank).collect();
            axes.sort_by_key(|&a| digit(a, 1, 97));
            View::Permute(axes)
        }
        1 => View::Reshape([shape.size()].into()),
        2 => {
            let mut extents = shape.to_vec();
            extents.insert(digit(0, 2, rank + 1), 1);
            View::Reshape(extents.into())
        }
        3 => View::Expand(
            shape
                .iter()
                .enumerate()
                .map(|(a, &e)| if e == 1 { 1 + digit(a, 3, 3) } else { e })
                .collect::<Vec<_>>()
                .into(),
        ),
        5 => {
            let window = |axis: usize| {
                let dilation = 1 + digit(axis, 11, 2);
                let size = 1 + digit(axis, 12, 1 + (shape[axis] - 1) / dilation);
                Window { axis, size, stride: 1 + digit(axis, 13, 3), dilation }
            };
            // Each adds an axis, and there may be only so many.
            View::Window((0..if rank > 5 { 0 } else { rank.min(2) }).rev().map(window).collect())
        }
        4 => {
            let (mut starts, mut steps, mut lengths) = (vec![], vec![], vec![]);
            for axis in 0..rank {
                let step = 1 + digit(axis, 4, 2);
                let length = 1 + digit(axis, 5, shape[axis].div_ceil(step));
                let spare = shape[axis] - 1 - step * (length - 1);
                let first = digit(axis, 6, spare + 1);
                let down = digit(axis, 7, 2) == 1;
                let start = if down { first + step * (length - 1) } else { first };
                starts.push(Coefficient::Const(start as i64));
                steps.push(if down { -(step as i64) } else { step as i64 });
                lengths.push(length);
            }
            View::Slice { starts, steps, lengths }
        }
        _ => {
            let interior: Vec<usize> = (0..rank).map(|a| digit(a, 8, 2)).collect();
            let low: Vec<usize> = (0..rank).map(|a| digit(a, 9, 2)).collect();
            let reach = |a: usize| low[a] + (shape[a] - 1) * (interior[a] + 1) + 1 + digit(a, 10, 2);
            View::Pad {
                shape: (0..rank).map(reach).collect::<Vec<_>>().into(),
                low: low.iter().map(|&l| Coefficient::Const(l as i64)).collect(),
                interior,
                value: Literal::F32(-7.0),
            }
        }
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn stacks_of_views(
        shape in prop::collection::vec(1usize..4, 0..4),
        kinds in prop::collection::vec((any::<u8>(), any::<u64>()), 1..6),
    ) {
        let mut x = counting(&shape.into());
        let input = x.clone();
        let mut views = Vec::new();
        for (kind, seed) in kinds {
            let view = fitting(x.shape(), kind, seed);
            let out = run(std::slice::from_ref(&x), |g, l| vec![g.add(Op::View(view.clone()), l).unwrap()]).remove(0);
            if out.shape().size() > 3000 {
                break;
            }
            let by_words: Vec<f64> =
                (0..out.shape().size()).map(|i| viewed(&view, &x, &out.shape().unravel(i))).collect();
            prop_assert_eq!(out.to_f64(), by_words, "{:?}", &view);
            views.push(view);
            x = out;
        }
        // The same stack in one program, where views stay strides, with readers that see through
        // them.
        let out = run(&[input], |g, l| {
            let stacked = views.iter().fold(l[0], |x, view| g.add(Op::View(view.clone()), &[x]).unwrap());
            let negated = g.add(Op::Unary(Unary::Neg), &[stacked]).unwrap();
            let axes = (0..g[stacked].shape.rank()).collect();
            let sum = g.add(Op::Reduce { op: ReduceOp::Sum, axes }, &[stacked]).unwrap();
            vec![stacked, negated, sum]
        });
        prop_assert_eq!(&out[0], &x);
        prop_assert_eq!(out[1].to_f64(), x.to_f64().iter().map(|v| -v).collect::<Vec<_>>());
        prop_assert_eq!(out[2].to_f64()[0], x.to_f64().iter().sum::<f64>());
    }

    #[test]
    fn a_permutation_and_its_inverse_are_nothing(shape in prop::collection::vec(1usize..5, 0..5), seed: u64) {
        let x = counting(&shape.into());
        let View::Permute(axes) = fitting(x.shape(), 0, seed) else { unreachable!("kind 0 permutes") };
        let mut inverse = vec![0; axes.len()];
        axes.iter().enumerate().for_each(|(to, &from)| inverse[from] = to);
        let out = run(std::slice::from_ref(&x), |g, l| {
            let turned = g.add(Op::View(View::Permute(axes.clone())), l).unwrap();
            vec![g.add(Op::View(View::Permute(inverse.clone())), &[turned]).unwrap()]
        });
        prop_assert_eq!(&out[0], &x);
    }

    #[test]
    fn reductions_visit_every_element_once(shape in prop::collection::vec(1usize..20, 0..4), mask: u8) {
        let x = counting(&shape.into());
        let axes: Vec<usize> = (0..x.shape().rank()).filter(|a| mask >> a & 1 == 1).collect();
        let kept = x.shape().without(&axes);
        let mut sums = vec![0.0; kept.size()];
        let mut largest = vec![f64::NEG_INFINITY; kept.size()];
        for (i, value) in x.to_f64().into_iter().enumerate() {
            let at = x.shape().unravel(i);
            let outer: Vec<usize> = (0..at.len()).filter(|a| !axes.contains(a)).map(|a| at[a]).collect();
            let place = kept.ravel(&outer);
            sums[place] += value;
            largest[place] = value.max(largest[place]);
        }
        let out = run(&[x], |g, l| {
            [ReduceOp::Sum, ReduceOp::Max].map(|op| g.add(Op::Reduce { op, axes: axes.clone() }, l).unwrap()).to_vec()
        });
        prop_assert_eq!(out[0].to_f64(), sums);
        prop_assert_eq!(out[1].to_f64(), largest);
    }

    #[test]
    fn contractions_sum_over_pairs(
        extents in prop::collection::vec((1usize..4, 0u8..4), 0..6),
        long in 1usize..600,
        seed: u64,
    ) {
        // Each letter has an extent and a role: batch, contracted, free on the left, free on the
        // right.
        let letters: Vec<(usize, u8)> = extents.into_iter().chain([(long, 1)]).collect();
        let key = |i: usize, salt: u64| (seed ^ salt).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(5 * i as u32);
        let side = |absent: u8, salt: u64| {
            let mut side: Vec<usize> = (0..letters.len()).filter(|&i| letters[i].1 != absent).collect();
            side.sort_by_key(|&i| key(i, salt));
            side
        };
        let (left, right) = (side(3, 11), side(2, 12));
        let pairs = |role: u8| {
            let of = |i: usize| (left.iter().position(|&l| l == i).unwrap(), right.iter().position(|&r| r == i).unwrap());
            (0..letters.len()).filter(|&i| letters[i].1 == role).map(of).collect::<Vec<_>>()
        };
        let axes = ContractAxes { batch: pairs(0), contract: pairs(1) };
        let shape = |side: &[usize]| Shape::from(side.iter().map(|&i| letters[i].0).collect::<Vec<_>>());
        let (x, y) = (counting(&shape(&left)), counting(&shape(&right)));
        let out = run(&[x.clone(), y.clone()], |g, l| vec![g.add(Op::Contract(axes.clone()), l).unwrap()]).remove(0);
        let order: Vec<usize> = (0..letters.len())
            .filter(|&i| letters[i].1 == 0)
            .chain(left.iter().copied().filter(|&i| letters[i].1 == 2))
            .chain(right.iter().copied().filter(|&i| letters[i].1 == 3))
            .collect();
        let all = Shape::from(letters.iter().map(|l| l.0).collect::<Vec<_>>());
        let mut expected = vec![0.0; out.shape().size()];
        let (xs, ys) = (x.to_f64(), y.to_f64());
        for i in 0..all.size() {
            let at = all.unravel(i);
            let pick = |side: &[usize]| side.iter().map(|&i| at[i]).collect::<Vec<_>>();
            let place = out.shape().ravel(&pick(&order));
            expected[place] += xs[x.shape().ravel(&pick(&left))] * ys[y.shape().ravel(&pick(&right))];
        }
        for (got, expected) in out.to_f64().into_iter().zip(expected) {
            prop_assert!((got - expected).abs() <= 1e-12 * expected.abs());
        }
    }

    #[test]
    fn gathering_every_position_is_nothing(shape in prop::collection::vec(1usize..5, 1..4), axis: prop::sample::Index) {
        let x = counting(&shape.into());
        let axis = axis.index(x.shape().rank());
        let extent = x.shape()[axis];
        let out = run(std::slice::from_ref(&x), |g, l| {
            let iota = g.add(Op::Iota { shape: [extent].into(), axis: 0, dtype: DType::U32 }, &[]).unwrap();
            vec![g.add(Op::Gather { axis }, &[l[0], iota]).unwrap()]
        });
        prop_assert_eq!(out[0].shape(), &gathered(x.shape(), axis, &[extent].into()));
        prop_assert_eq!(&out[0], &x);
    }
}
