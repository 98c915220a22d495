//! Convolutions against their definition written element by element: axes in any order, strides,
//! dilations of either operand, padding and cutting, groups of features and of the batch.

use proptest::prelude::*;
use weft_ir::graph::Graph;
use weft_ir::interpret::{self, Value};
use weft_ir::op::{Conv, Op};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, ErrorKind, Shape, verify};

/// What the documentation of [`Conv`] says of one element.
fn defined(it: &Conv, x: &Value<f64>, w: &Value<f64>, at: &[usize]) -> f64 {
    let (wide, kernel) = (x.shape(), w.shape());
    let (image, made) = (at[it.output[0]], at[it.output[1]]);
    let taken = kernel[it.kernel[1]];
    let of_group = kernel[it.kernel[0]] / (it.feature_groups * it.batch_groups);
    let group = made / of_group;
    let images = wide[it.input[0]] / it.batch_groups;
    let window: Shape = it.kernel[2..].iter().map(|&axis| kernel[axis]).collect::<Vec<_>>().into();
    let mut sum = 0.0;
    for feature in 0..taken {
        for flat in 0..window.size() {
            let k = window.unravel(flat);
            let (mut from, mut of) = (vec![0; wide.rank()], vec![0; kernel.rank()]);
            let (of_features, of_batch) = if it.batch_groups > 1 { (0, group) } else { (group, 0) };
            from[it.input[0]] = of_batch * images + image;
            from[it.input[1]] = of_features * taken + feature;
            (of[it.kernel[0]], of[it.kernel[1]]) = (made, feature);
            let mut inside = true;
            for n in 0..it.strides.len() {
                let place = (it.strides[n] * at[it.output[2 + n]] + it.kernel_dilation[n] * k[n]) as i64
                    - it.padding[n].0;
                let gap = it.input_dilation[n] as i64;
                let extent = wide[it.input[2 + n]] as i64;
                inside &= place >= 0 && place % gap == 0 && place / gap < extent;
                from[it.input[2 + n]] = (place / gap).clamp(0, extent - 1) as usize;
                of[it.kernel[2 + n]] = k[n];
            }
            if inside {
                sum += x.to_f64()[wide.ravel(&from)] * w.to_f64()[kernel.ravel(&of)];
            }
        }
    }
    sum
}

fn run(it: &Conv, x: &Value<f64>, w: &Value<f64>) -> Value<f64> {
    let mut graph = Graph::new();
    let [a, b] = [x, w].map(|v| graph.add_placeholder(Op::Buffer(v.shape().clone(), DType::F32)).unwrap());
    let y = graph.add(Op::Conv(it.clone().into()), &[a, b]).unwrap();
    let shape = graph[y].shape.clone();
    let (program, found, _) = TensorProgram::from_graph(&graph, &[y]);
    verify::verify(&program).unwrap();
    let all: Vec<&Value<f64>> = found.buffers.iter().map(|&id| if id == a { x } else { w }).collect();
    let out = interpret::run(&program, &all, &[]).unwrap().remove(0);
    assert_eq!(*out.shape(), shape);
    out
}

/// Small whole numbers, so that sums are exact.
fn counting(shape: Shape) -> Value<f64> {
    let data: Vec<f64> = (0..shape.size()).map(|n| (n * 7 % 11) as f64 - 5.0).collect();
    Value::float(shape, data).unwrap()
}

/// Axes 0..rank in an order drawn from `seed`.
fn permutation(seed: u64, rank: usize) -> Vec<usize> {
    let mut axes: Vec<usize> = (0..rank).collect();
    axes.sort_by_key(|&a| (seed ^ (a as u64 * 0x9e37)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 7);
    axes
}

#[derive(Debug, Clone)]
struct Axis {
    extent: usize,
    window: usize,
    stride: usize,
    gaps: (usize, usize),
    padding: (i64, i64),
}

fn axis() -> impl Strategy<Value = Axis> {
    (1usize..6, 1usize..6, 1usize..4, (1usize..5, 1usize..3), (-3i64..4, -3i64..4))
        .prop_map(|(extent, window, stride, gaps, padding)| Axis { extent, window, stride, gaps, padding })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_made_of_a_convolution_is_what_it_means(
        axes in prop::collection::vec(axis(), 0..4),
        sizes in (1usize..3, 1usize..4, 1usize..4),
        groups in 1usize..4,
        of_batch: bool,
        plain: u8,
        seed: u64,
    ) {
        let rank = axes.len() + 2;
        // Half of them in the orders that networks use, for which operands take sides.
        let order = |salt: u64| match plain {
            0..64 => (0..rank).collect::<Vec<_>>(),
            64..128 if salt == 1 => [vec![rank - 1, rank - 2], (0..rank - 2).collect()].concat(),
            64..128 => [vec![0, rank - 1], (1..rank - 1).collect()].concat(),
            _ => permutation(seed ^ salt, rank),
        };
        let (images, features, made) = sizes;
        let [feature_groups, batch_groups] = if of_batch { [1, groups] } else { [groups, 1] };
        let it = Conv {
            strides: axes.iter().map(|a| a.stride).collect(),
            padding: axes.iter().map(|a| a.padding).collect(),
            input_dilation: axes.iter().map(|a| a.gaps.0).collect(),
            kernel_dilation: axes.iter().map(|a| a.gaps.1).collect(),
            feature_groups,
            batch_groups,
            input: order(0),
            kernel: order(1),
            output: order(2),
        };
        let (mut wide, mut kernel) = (vec![0; rank], vec![0; rank]);
        (wide[it.input[0]], wide[it.input[1]]) = (images * batch_groups, features * feature_groups);
        (kernel[it.kernel[0]], kernel[it.kernel[1]]) = (made * groups, features);
        for (n, a) in axes.iter().enumerate() {
            (wide[it.input[2 + n]], kernel[it.kernel[2 + n]]) = (a.extent, a.window);
        }
        let (x, w) = (counting(wide.into()), counting(kernel.into()));
        let out = run(&it, &x, &w);
        for (flat, &value) in out.to_f64().iter().enumerate() {
            prop_assert_eq!(value, defined(&it, &x, &w, &out.shape().unravel(flat)), "{:?}", it);
        }
    }
}

#[test]
fn what_does_not_fit_is_an_error() {
    let it = Conv {
        strides: vec![1],
        padding: vec![(0, 0)],
        input_dilation: vec![1],
        kernel_dilation: vec![1],
        feature_groups: 1,
        batch_groups: 1,
        input: vec![0, 1, 2],
        kernel: vec![0, 1, 2],
        output: vec![0, 1, 2],
    };
    let refused = |it: &Conv, x: &[usize], w: &[usize]| {
        let of = |shape: &[usize]| (Shape::from(shape), DType::F32);
        let (x, w) = (of(x), of(w));
        it.infer((&x.0, x.1), (&w.0, w.1)).map_err(|error| error.kind)
    };
    assert!(refused(&it, &[1, 2, 3], &[4, 2, 3]).is_ok());
    assert_eq!(refused(&it, &[1, 2, 3], &[4, 3, 3]), Err(ErrorKind::Shape));
    assert_eq!(refused(&it, &[1, 2], &[4, 2]), Err(ErrorKind::Shape));
    assert_eq!(refused(&it, &[1, 2, 3], &[4, 2, 0]), Err(ErrorKind::Shape));
    let grouped = Conv { feature_groups: 2, ..it.clone() };
    assert_eq!(refused(&grouped, &[1, 2, 3], &[3, 1, 3]), Err(ErrorKind::Shape));
    assert_eq!(
        refused(&Conv { feature_groups: 0, ..it.clone() }, &[1, 2, 3], &[4, 2, 3]),
        Err(ErrorKind::Value)
    );
    assert_eq!(
        refused(&Conv { strides: vec![0], ..it.clone() }, &[1, 2, 3], &[4, 2, 3]),
        Err(ErrorKind::Value)
    );
    let wide = Conv { padding: vec![(0, i64::MAX)], strides: vec![1 << 40], ..it };
    assert_eq!(refused(&wide, &[1, 2, 3], &[4, 2, 3]), Err(ErrorKind::Shape));
}
