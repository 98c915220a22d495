//! Kernel counts of programs that people write, and the reasons.

use crate::sketch::Sketch;
use weft_compile::device::{GPU, SOFTWARE};
use weft_compile::family::{Candidate, Problem, cheapest};
use weft_compile::{Limits, Slot, compile_with};
use weft_ir::kernel::{Array, Space};
use weft_ir::op::{Binary, Compare, ContractAxes, Op, ReduceOp, Unary, View, Window};
use weft_ir::{DType, Literal};

#[test]
fn softmax_is_one_kernel() {
    for shape in [[64, 1000], [3, 7], [1000, 33], [2, 2], [300, 1]] {
        let mut s = Sketch::default();
        let x = s.input(shape);
        let y = s.softmax(x);
        assert_eq!(s.compile(&[y]).dispatches.len(), 1, "{shape:?}");
    }
}

/// Shapes of rank 3 and 4, of attention and of what does not divide.
const DEEP: [&[usize]; 5] = [&[8, 128, 512], &[2, 16, 64, 64], &[3, 5, 7], &[16, 1, 300], &[2, 3, 4, 1000]];

/// (x − mean) · 1/√variance along the last axis.
fn layer_norm(s: &mut Sketch, x: weft_ir::graph::NodeId) -> weft_ir::graph::NodeId {
    let n = 1.0 / *s.graph[x].shape.last().unwrap() as f32;
    let sum = s.row(ReduceOp::Sum, x);
    let n = s.number(n, x);
    let mean = s.binary(Binary::Mul, sum, n);
    let centred = s.binary(Binary::Sub, x, mean);
    let squared = s.binary(Binary::Mul, centred, centred);
    let total = s.row(ReduceOp::Sum, squared);
    let variance = s.binary(Binary::Mul, total, n);
    let scale = s.unary(Unary::Rsqrt, variance);
    s.binary(Binary::Mul, centred, scale)
}

/// x − max − log Σ exp(x − max) along the last axis, as `nn.logSoftmax` builds it.
fn log_softmax(s: &mut Sketch, x: weft_ir::graph::NodeId) -> weft_ir::graph::NodeId {
    let max = s.row(ReduceOp::Max, x);
    let max = s.add(Op::Detach, &[max]);
    let shifted = s.binary(Binary::Sub, x, max);
    let e = s.unary(Unary::Exp, shifted);
    let sum = s.row(ReduceOp::Sum, e);
    let log = s.unary(Unary::Log, sum);
    s.binary(Binary::Sub, shifted, log)
}

/// The negative logarithm of the softmax at each row's label.
fn cross_entropy(s: &mut Sketch, x: weft_ir::graph::NodeId) -> weft_ir::graph::NodeId {
    let shape = s.graph[x].shape.clone();
    let last = shape.rank() - 1;
    let labels = s.input(shape.without(&[last]));
    let logits = log_softmax(s, x);
    let iota = s.add(Op::Iota { shape: shape.clone(), axis: last, dtype: DType::I32 }, &[]);
    let class = s.add(Op::Cast(DType::I32), &[labels]);
    let class = s.add(Op::View(View::Reshape(shape.keepdims(&[last]))), &[class]);
    let class = s.add(Op::View(View::Expand(shape)), &[class]);
    let hit = s.add(Op::Compare(Compare::Eq), &[iota, class]);
    let zero = s.number(0.0, logits);
    let picked = s.add(Op::Select, &[hit, logits, zero]);
    let total = s.add(Op::Reduce { op: ReduceOp::Sum, axes: vec![last] }, &[picked]);
    s.unary(Unary::Neg, total)
}

#[test]
fn what_normalises_the_last_axis_is_one_kernel_at_any_rank() {
    for shape in DEEP {
        for (name, build) in [
            ("softmax", Sketch::softmax as fn(&mut Sketch, _) -> _),
            ("layer norm", layer_norm),
            ("log softmax", log_softmax),
            ("cross entropy", cross_entropy),
        ] {
            let mut s = Sketch::default();
            let x = s.input(shape.to_vec());
            let y = build(&mut s, x);
            let executable = s.compile(&[y]);
            assert_eq!(executable.dispatches.len(), 1, "{name} {shape:?}\n{executable}");
        }
    }
}

#[test]
fn the_gradient_of_what_normalises_the_last_axis_is_as_few_kernels_at_any_rank() {
    let gradient = |shape: &[usize], build: fn(&mut Sketch, weft_ir::graph::NodeId) -> _| {
        let mut s = Sketch::default();
        let x = s.input(shape.to_vec());
        let x = s.add(Op::Mark(0), &[x]);
        let y = build(&mut s, x);
        let pulled = s.input(s.graph[y].shape.clone());
        let roots = weft_compile::transform::vjp(&mut s.graph, &[y], &[pulled], &[x]).unwrap();
        s.compile(&roots).dispatches.len()
    };
    for (name, build, most) in [
        ("softmax", Sketch::softmax as fn(&mut Sketch, _) -> _, 3),
        ("layer norm", layer_norm, 1),
        ("log softmax", log_softmax, 1),
        ("cross entropy", cross_entropy, 1),
    ] {
        for shape in [&[64, 512][..], &[8, 128, 512], &[2, 16, 64, 64], &[3, 5, 7]] {
            assert!(gradient(shape, build) <= most, "{name} {shape:?}");
        }
    }
}

#[test]
fn an_elementwise_chain_and_its_sum_are_at_most_two() {
    let mut s = Sketch::default();
    let x = s.input([1000, 100]);
    let two = s.number(2.0, x);
    let twice = s.binary(Binary::Mul, x, two);
    let one = s.number(1.0, x);
    let y = s.binary(Binary::Add, twice, one);
    let y = s.unary(Unary::Tanh, y);
    let sum = s.add(Op::Reduce { op: ReduceOp::Sum, axes: vec![0, 1] }, &[y]);
    assert!(s.compile(&[sum]).dispatches.len() <= 2);
}

#[test]
fn bias_and_activation_follow_a_matmul_in_its_kernel() {
    let mut s = Sketch::default();
    let (x, w, b) = (s.input([128, 784]), s.input([784, 10]), s.input([10]));
    let product = s.matmul(x, w);
    let bias = s.expand(b, [128, 10].into());
    let z = s.binary(Binary::Add, product, bias);
    let y = s.unary(Unary::Relu, z);
    assert_eq!(s.compile(&[y]).dispatches.len(), 1);
}

#[test]
fn a_products_axes_are_joined_and_cut_in_its_kernel() {
    for (joined, cut) in [(vec![2, 6, 64, 32], vec![2, 2, 3, 64]), (vec![12, 64, 32], vec![4, 3, 64])] {
        let mut s = Sketch::default();
        let (x, w) = (s.input([&cut[..], &[16]].concat()), s.input([16, 32]));
        let axes = ContractAxes { batch: Vec::new(), contract: vec![(cut.len(), 0)] };
        let y = s.add(Op::Contract(axes), &[x, w]);
        let y = s.add(Op::View(View::Reshape(joined.clone().into())), &[y]);
        assert_eq!(s.compile(&[y]).dispatches.len(), 1, "{cut:?} as {joined:?}");
    }
}

/// softmax(q·kᵀ)·v of 4 heads of 64 × 16, and its scores and weights.
fn attention(s: &mut Sketch) -> [weft_ir::graph::NodeId; 3] {
    attention_of(s, [4, 64, 16])
}

/// The same of heads, positions and columns.
fn attention_of(s: &mut Sketch, shape: [usize; 3]) -> [weft_ir::graph::NodeId; 3] {
    let [q, k, v] = [(); 3].map(|()| s.input(shape));
    let axes = |pair| ContractAxes { batch: vec![(0, 0)], contract: vec![pair] };
    let scores = s.add(Op::Contract(axes((2, 2))), &[q, k]);
    let weights = s.softmax(scores);
    let seen = s.add(Op::Contract(axes((2, 1))), &[weights, v]);
    [scores, weights, seen]
}

#[test]
fn attention_is_one_kernel_unless_its_weights_are_wanted() {
    let mut s = Sketch::default();
    let [scores, weights, seen] = attention(&mut s);
    assert_eq!(s.compile(&[seen]).dispatches.len(), 1);
    for wanted in [scores, weights] {
        let executable = s.compile(&[seen, wanted]);
        assert!(executable.dispatches.len() > 1, "{executable}");
    }
}

/// What a card with 48 KiB of workgroup memory is given first.
fn first_choice(s: &Sketch, root: weft_ir::graph::NodeId) -> String {
    let card =
        Limits { invocations: 1024, workgroup_bytes: 48 << 10, binding_bytes: 2 << 30, ..Limits::floor() };
    let executable = compile_with(&s.program(&[root]), &card, &[], &cheapest).unwrap();
    executable.dispatches[0].choice.expect("a family made it").to_string()
}

/// Races on an NVIDIA H100: 0.67 ms, where the tile that serves heads of 64 columns takes 1.03.
#[test]
fn wide_heads_have_tiles_that_leave_room_for_others() {
    let mut s = Sketch::default();
    let [_, _, seen] = attention_of(&mut s, [8, 2048, 128]);
    assert_eq!(first_choice(&s, seen), "attention down=16 across=16 rows=4 columns=4 depth=16");
}

/// Races on an NVIDIA H100: where invocations compute eight columns each, 65,536 × 64 results are
/// stored six times as slowly.
#[test]
fn narrow_products_store_side_by_side() {
    let product = |m: usize, k: usize, n: usize| {
        let mut s = Sketch::default();
        let (a, b) = (s.input([m, k]), s.input([k, n]));
        let root = s.matmul(a, b);
        first_choice(&s, root)
    };
    for (m, k, n) in [(65_536, 3, 64), (1 << 20, 16, 16), (1 << 18, 64, 3)] {
        let found = product(m, k, n);
        let few = ["columns=1 ", "columns=2 "].iter().any(|columns| found.contains(columns));
        assert!(found.starts_with("contract ") && few, "{m}×{k}×{n}: {found}");
    }
}

#[test]
fn software_walks_no_more_keys_than_its_drivers_count_to() {
    // Mesa's ends loops of an invocation after 65,535 iterations without a word.
    let software = Limits { binding_bytes: 4 << 30, ..Limits::of(&SOFTWARE) };
    for (keys, fits) in [(1024, true), (16_384, false)] {
        let mut s = Sketch::default();
        let (q, k, v) = (s.input([16_384, 64]), s.input([keys, 64]), s.input([keys, 64]));
        let axes = |pair| ContractAxes { batch: Vec::new(), contract: vec![pair] };
        let scores = s.add(Op::Contract(axes((1, 1))), &[q, k]);
        let weights = s.softmax(scores);
        let seen = s.add(Op::Contract(axes((1, 0))), &[weights, v]);
        let program = s.program(&[seen]);
        let executable = compile_with(&program, &software, &[], &cheapest).unwrap();
        assert_eq!(executable.dispatches.len() == 1, fits, "{keys} keys");
    }
}

#[test]
fn few_queries_with_many_keys_are_no_attention() {
    // One workgroup would walk all keys, where a GPU has room for hundreds.
    let mut s = Sketch::default();
    let (q, k, v) = (s.input([16, 64]), s.input([8192, 64]), s.input([8192, 64]));
    let axes = |pair| ContractAxes { batch: Vec::new(), contract: vec![pair] };
    let scores = s.add(Op::Contract(axes((1, 1))), &[q, k]);
    let weights = s.softmax(scores);
    let seen = s.add(Op::Contract(axes((1, 0))), &[weights, v]);
    assert!(s.compile(&[seen]).dispatches.len() > 1);
}

#[test]
fn layer_norm_is_one_kernel() {
    let mut s = Sketch::default();
    let x = s.input([64, 512]);
    let sum = s.row(ReduceOp::Sum, x);
    let n = s.number(1.0 / 512.0, x);
    let mean = s.binary(Binary::Mul, sum, n);
    let centred = s.binary(Binary::Sub, x, mean);
    let squared = s.binary(Binary::Mul, centred, centred);
    let total = s.row(ReduceOp::Sum, squared);
    let variance = s.binary(Binary::Mul, total, n);
    let scale = s.unary(Unary::Rsqrt, variance);
    let y = s.binary(Binary::Mul, centred, scale);
    assert_eq!(s.compile(&[y]).dispatches.len(), 1);
}

#[test]
fn a_long_chain_is_a_few_kernels_of_one_pipeline() {
    let mut s = Sketch::default();
    let mut x = s.input([16]);
    for _ in 0..4000 {
        let one = s.number(1.0, x);
        x = s.binary(Binary::Add, x, one);
    }
    let executable = s.compile(&[x]);
    assert!(executable.dispatches.len() <= 40);
    assert!(executable.kernels.len() <= 2);
}

/// One step of a perceptron with SGD, from the batch to the new weights, as eager code builds it.
#[test]
fn a_training_step_is_at_most_twenty_dispatches() {
    let mut s = Sketch::default();
    let sizes = [784, 512, 256, 10];
    let batch = 128;
    let x = s.input([batch, sizes[0]]);
    let labels = s.input([batch]);
    let mut parameters = Vec::new();
    let mut h = x;
    for (layer, pair) in sizes.windows(2).enumerate() {
        let (w, b) = (s.input([pair[0], pair[1]]), s.input([pair[1]]));
        let (w, b) = (s.add(Op::Mark(2 * layer as u32), &[w]), s.add(Op::Mark(2 * layer as u32 + 1), &[b]));
        parameters.extend([w, b]);
        h = s.linear(h, w, b);
        if layer < 2 {
            h = s.unary(Unary::Relu, h);
        }
    }
    let max = s.row(ReduceOp::Max, h);
    let max = s.add(Op::Detach, &[max]);
    let shifted = s.binary(Binary::Sub, h, max);
    let e = s.unary(Unary::Exp, shifted);
    let sum = s.row(ReduceOp::Sum, e);
    let log = s.unary(Unary::Log, sum);
    let log_softmax = s.binary(Binary::Sub, shifted, log);
    let iota = s.add(Op::Iota { shape: [batch, 10].into(), axis: 1, dtype: DType::I32 }, &[]);
    let class = s.add(Op::Cast(DType::I32), &[labels]);
    let class = s.add(Op::View(View::Reshape([batch, 1].into())), &[class]);
    let class = s.add(Op::View(View::Expand([batch, 10].into())), &[class]);
    let hit = s.add(Op::Compare(Compare::Eq), &[iota, class]);
    let zero = s.number(0.0, h);
    let picked = s.add(Op::Select, &[hit, log_softmax, zero]);
    let total = s.add(Op::Reduce { op: ReduceOp::Sum, axes: vec![0, 1] }, &[picked]);
    let scale = s.number(-1.0 / batch as f32, total);
    let loss = s.binary(Binary::Mul, total, scale);
    let one = s.add(Op::Constant(Literal::F32(1.0)), &[]);
    let gradients = weft_compile::transform::vjp(&mut s.graph, &[loss], &[one], &parameters).unwrap();
    let mut roots = vec![loss];
    let rate = s.graph.add_number(Literal::F32(0.1));
    for (parameter, gradient) in parameters.into_iter().zip(gradients) {
        let shape = s.graph[gradient].shape.clone();
        let rate = s.expand(rate, shape);
        let step = s.binary(Binary::Mul, gradient, rate);
        roots.push(s.binary(Binary::Sub, parameter, step));
    }
    let executable = s.compile(&roots);
    println!("{executable}");
    assert!(executable.dispatches.len() <= 20);
}

#[test]
fn reductions_over_the_same_data_respect_the_bindings_of_every_stage() {
    use ReduceOp::{ArgMax, ArgMin, Max, Min, Prod, Sum};
    let mut s = Sketch::default();
    let x = s.input([4, 4096]);
    let roots = [Sum, Max, Min, ArgMax, ArgMin, Prod].map(|op| s.add(Op::Reduce { op, axes: vec![1] }, &[x]));
    let (program, limits) = (s.program(&roots), Limits::floor());
    // Two stages store more partial results than there are results.
    let last = |_: &Problem<'_>, candidates: &[Candidate]| candidates[candidates.len() - 1].choice;
    let executable = compile_with(&program, &limits, &[], &last).unwrap();
    let most = executable.dispatches.iter().map(|d| d.bindings.len()).max();
    assert!(most <= Some(limits.storage_buffers as usize), "{executable}");
}

#[test]
fn a_long_inner_product_is_shared_by_many_invocations() {
    let mut s = Sketch::default();
    let (a, b) = (s.input([1 << 20]), s.input([1 << 20]));
    let product = s.add(Op::Contract(ContractAxes { batch: vec![], contract: vec![(0, 0)] }), &[a, b]);
    let executable = s.compile(&[product]);
    let groups: u32 = executable.dispatches[0].workgroups.iter().product();
    assert!(groups >= 64, "{executable}");
}

/// Layers of an MLP: each workgroup cuts its sums among its invocations, so that no second kernel
/// adds up parts.
#[test]
fn sums_of_hundreds_of_terms_are_cut_within_workgroups() {
    for (m, k, n) in [(128, 784, 512), (128, 512, 256), (64, 256, 256)] {
        for axes in [(1, 0), (1, 1), (0, 0)] {
            let mut s = Sketch::default();
            let left = s.input(if axes.0 == 0 { [k, m] } else { [m, k] });
            let right = s.input(if axes.1 == 0 { [k, n] } else { [n, k] });
            let product =
                s.add(Op::Contract(ContractAxes { batch: vec![], contract: vec![axes] }), &[left, right]);
            let executable = s.compile(&[product]);
            let [dispatch] = &executable.dispatches[..] else { panic!("{executable}") };
            assert_eq!(dispatch.choice.map(|choice| choice.family().name()), Some("sliced"), "{executable}");
            let groups: u32 = dispatch.workgroups.iter().product();
            assert!(groups >= 64, "{m}x{k}x{n}: {groups} workgroups\n{executable}");
        }
    }
}

/// Gradients of a convolution's and of a layer's weights, products with few rows: as many
/// workgroups as a GPU has processors.
#[test]
fn long_sums_with_few_results_are_shared_by_many_workgroups() {
    for (m, k, n) in [(25, 24_576, 16), (400, 6400, 32), (8, 4096, 4096), (128, 3136, 512)] {
        let mut s = Sketch::default();
        let (a, b) = (s.input([k, m]), s.input([k, n]));
        let product = s.add(Op::Contract(ContractAxes { batch: vec![], contract: vec![(0, 0)] }), &[a, b]);
        let executable = s.compile(&[product]);
        let groups: u32 = executable.dispatches[0].workgroups.iter().product();
        // Where so many parts were too short, fewer.
        let most = (m * n).div_ceil(1024) * k / 256;
        assert!(groups as usize >= 128.min(most), "{m}x{k}x{n}: {groups} workgroups\n{executable}");
        assert_eq!(executable.dispatches.len(), 2, "{executable}");
    }
    // Where there are results enough, or a few parts would not be equally long, nothing is cut.
    for (m, k, n) in [(1024, 1024, 1024), (128, 127, 512), (10, 1021, 300)] {
        let mut s = Sketch::default();
        let (a, b) = (s.input([m, k]), s.input([k, n]));
        let product = s.matmul(a, b);
        assert_eq!(s.compile(&[product]).dispatches.len(), 1);
    }
}

/// Forces between all pairs of bodies, summed: a value for each pair is never stored.
#[test]
fn sums_over_pairs_of_bodies_store_nothing_for_each_pair() {
    let large = Limits { invocations: 1024, workgroup_bytes: 48 << 10, ..Limits::floor() };
    let software = Limits::of(&SOFTWARE);
    for bodies in [1000, 1024, 4096, 16_384] {
        for limits in [&Limits::floor(), &large, &software] {
            sums_over_pairs(bodies, limits);
        }
    }
}

fn sums_over_pairs(bodies: usize, limits: &Limits) {
    let mut s = Sketch::default();
    let (p, mass) = (s.input([bodies, 3]), s.input([bodies]));
    let all: weft_ir::Shape = [bodies, bodies, 3].into();
    let one = s.add(Op::View(View::Reshape([bodies, 1, 3].into())), &[p]);
    let (other, own) = (s.expand(p, all.clone()), s.add(Op::View(View::Expand(all.clone())), &[one]));
    let apart = s.binary(Binary::Sub, other, own);
    let squared = s.binary(Binary::Mul, apart, apart);
    let distance = s.add(Op::Reduce { op: ReduceOp::Sum, axes: vec![2] }, &[squared]);
    let little = s.number(0.01, distance);
    let softened = s.binary(Binary::Add, distance, little);
    let inverse = s.unary(Unary::Rsqrt, softened);
    let square = s.binary(Binary::Mul, inverse, inverse);
    let cube = s.binary(Binary::Mul, square, inverse);
    let cube = s.add(Op::View(View::Reshape([bodies, bodies, 1].into())), &[cube]);
    let cube = s.add(Op::View(View::Expand(all.clone())), &[cube]);
    let mass = s.add(Op::View(View::Reshape([bodies, 1].into())), &[mass]);
    let mass = s.expand(mass, all);
    let pull = s.binary(Binary::Mul, apart, cube);
    let force = s.binary(Binary::Mul, pull, mass);
    let total = s.add(Op::Reduce { op: ReduceOp::Sum, axes: vec![1] }, &[force]);
    let step = s.number(1e-3, total);
    let step = s.binary(Binary::Mul, total, step);
    let moved = s.binary(Binary::Add, p, step);
    let executable = compile_with(&s.program(&[moved]), limits, &[], &cheapest).unwrap();
    assert_eq!(executable.dispatches.len(), 1, "{executable}");
    for slot in &executable.slots {
        let (Slot::Temporary(bytes) | Slot::Output(bytes)) = *slot else {
            continue;
        };
        assert!(bytes < 4 * (bodies * bodies) as u64, "{executable}");
    }
    // The distance and its powers are had once for the three coordinates of a pair.
    let text =
        weft_compile::target::wgsl::print(&executable.kernels[0], weft_compile::target::wgsl::Dialect::Naga);
    let roots = text.matches("rsqrt_").count() - text.matches("fn rsqrt_").count();
    let sums = text.matches(" += ").count();
    assert!(roots * 3 <= sums, "{text}");
}

/// A large convolution of [batch, features, rows, columns] stores its weights as they are read,
/// with what is made side by side; a small one does without.
#[test]
fn weights_of_large_windows_are_stored_as_they_are_read() {
    const WEIGHTS: u64 = 4 * 64 * 64 * 9;
    for (batch, side, is_large) in [(8, 66, true), (1, 10, false)] {
        let mut s = Sketch::default();
        let (x, weights) = (s.input([batch, 64, side, side]), s.input([64, 64, 3, 3]));
        let windows = [2, 3].map(|axis| Window { axis, size: 3, stride: 1, dilation: 1 });
        let windows = s.add(Op::View(View::Window(windows.to_vec())), &[x]);
        let one = s.add(Op::View(View::Reshape([1, 64, 64, 3, 3].into())), &[weights]);
        let each = s.add(Op::View(View::Expand([batch, 64, 64, 3, 3].into())), &[one]);
        let axes = ContractAxes { batch: vec![(0, 2)], contract: vec![(2, 3), (3, 0), (4, 1)] };
        let y = s.add(Op::Contract(axes), &[each, windows]);
        let executable = s.compile(&[y]);
        // Once, however many members the batch has.
        let is_stored = executable.slots.contains(&Slot::Temporary(WEIGHTS));
        assert_eq!(is_stored, is_large, "{executable}");
        if is_large {
            assert_eq!(executable.dispatches.len(), 2, "{executable}");
            let product = &executable.kernels[executable.dispatches[1].kernel];
            let vectorized = |array: &Array| array.space == Space::Read && array.ty.lanes == 4;
            assert!(product.arrays.iter().any(vectorized), "{executable}");
        }
    }
}

/// Distances between all of two sets are one kernel, whose workgroups fetch each set once for all
/// of a tile; few of them are rows as others are.
#[test]
fn distances_of_many_pairs_go_through_workgroup_memory() {
    for (count, length, is_shared) in [(2048, 64, true), (1000, 100, true), (8, 64, false), (2048, 3, false)]
    {
        let mut s = Sketch::default();
        let (x, y) = (s.input([count, length]), s.input([count, length]));
        let all: weft_ir::Shape = [count, count, length].into();
        let one = s.add(Op::View(View::Reshape([count, 1, length].into())), &[x]);
        let own = s.add(Op::View(View::Expand(all.clone())), &[one]);
        let other = s.expand(y, all);
        let apart = s.binary(Binary::Sub, own, other);
        let squared = s.binary(Binary::Mul, apart, apart);
        let sum = s.add(Op::Reduce { op: ReduceOp::Sum, axes: vec![2] }, &[squared]);
        let root = s.unary(Unary::Sqrt, sum);
        let executable = s.compile(&[root]);
        assert_eq!(executable.dispatches.len(), 1, "{executable}");
        let is_of_pairs =
            executable.dispatches[0].choice.is_some_and(|choice| choice.family().name() == "pairs");
        assert_eq!(is_of_pairs, is_shared, "{count} × {length}: {executable}");
    }
}

#[test]
fn what_is_expensive_and_repeated_for_every_row_is_computed_once() {
    let mut s = Sketch::default();
    let (x, w) = (s.input([1, 1024]), s.input([1024, 1024]));
    let y = [Unary::Exp, Unary::Tanh, Unary::Sin].into_iter().fold(x, |y, op| s.unary(op, y));
    let product = s.matmul(y, w);
    let executable = s.compile(&[product]);
    assert_eq!(executable.dispatches.len(), 2, "{executable}");
}

/// A row that three matrices are multiplied with, as attention does: it is stored as a row, not
/// once for each of their columns.
#[test]
fn what_several_products_repeat_is_stored_once() {
    for rows in [1, 2, 4] {
        let mut s = Sketch::default();
        let (x, scale, shift) = (s.input([rows, 768]), s.input([rows, 768]), s.input([rows, 768]));
        let even = layer_norm(&mut s, x);
        let even = s.binary(Binary::Mul, even, scale);
        let even = s.binary(Binary::Add, even, shift);
        let products: Vec<_> = (0..3)
            .map(|_| {
                let w = s.input([768, 768]);
                let w = s.add(Op::View(View::Permute(vec![1, 0])), &[w]);
                s.matmul(even, w)
            })
            .collect();
        let executable = s.compile(&products);
        for slot in &executable.slots {
            let Slot::Temporary(bytes) = *slot else { continue };
            // Sums in parts are a few rows.
            assert!(bytes <= (4 * rows * 768 * 16) as u64, "{executable}");
        }
    }
}

/// A vector times a transposed matrix within a batch of one, as a token goes through a dense layer:
/// what comes before and behind rides along, and the matrix is read as it lies.
#[test]
fn a_vector_in_a_batch_of_one_goes_through_a_layer_in_one_kernel() {
    for (k, n, normed) in [(768, 3072, false), (768, 3072, true), (3072, 768, false)] {
        let mut s = Sketch::default();
        let (x, w, scale, b) = (s.input([1, 1, k]), s.input([n, k]), s.input([1, 1, k]), s.input([n]));
        let x = if normed {
            let even = layer_norm(&mut s, x);
            s.binary(Binary::Mul, even, scale)
        } else {
            x
        };
        let w = s.add(Op::View(View::Permute(vec![1, 0])), &[w]);
        let w = s.add(Op::View(View::Reshape([1, k, n].into())), &[w]);
        let axes = ContractAxes { batch: vec![(0, 0)], contract: vec![(2, 1)] };
        let y = s.add(Op::Contract(axes), &[x, w]);
        let b = s.add(Op::View(View::Reshape([1, 1, n].into())), &[b]);
        let y = s.binary(Binary::Add, y, b);
        let gate = s.unary(Unary::NormalCdf, y);
        let y = s.binary(Binary::Mul, y, gate);
        let executable = s.compile(&[y]);
        assert_eq!(executable.dispatches.len(), 1 + usize::from(normed), "{executable}");
        assert_eq!(executable.dispatches.last().unwrap().workgroups, [n as u32, 1, 1], "{executable}");
    }
}

#[test]
fn large_products_share_what_they_load_on_a_gpu_and_not_on_software() {
    for (model, is_shared) in [(&GPU, true), (&SOFTWARE, false)] {
        let mut s = Sketch::default();
        let (a, b) = (s.input([512, 512]), s.input([512, 512]));
        let product = s.matmul(a, b);
        let limits = Limits::of(model);
        let executable = compile_with(&s.program(&[product]), &limits, &[], &cheapest).unwrap();
        let shares = |array: &weft_ir::kernel::Array| matches!(array.space, Space::Workgroup(_));
        assert_eq!(executable.kernels[0].arrays.iter().any(shares), is_shared, "{executable}");
    }
}

/// A transpose of a matrix with something added: each tensor is read in the order in which it lies.
#[test]
fn what_is_read_across_goes_through_workgroup_memory() {
    for (model, tiled) in [(&GPU, 1), (&SOFTWARE, 0)] {
        let mut s = Sketch::default();
        let (x, y) = (s.input([1000, 500]), s.input([500, 1000]));
        let turned = s.add(Op::View(View::Permute(vec![1, 0])), &[x]);
        let sum = s.binary(Binary::Add, turned, y);
        let limits = Limits::of(model);
        let executable = compile_with(&s.program(&[sum]), &limits, &[], &cheapest).unwrap();
        let arrays = &executable.kernels[0].arrays;
        let tiles = arrays.iter().filter(|array| matches!(array.space, Space::Workgroup(_))).count();
        assert_eq!(tiles, tiled, "{executable}");
        let text = weft_compile::target::wgsl::print(
            &executable.kernels[0],
            weft_compile::target::wgsl::Dialect::Naga,
        );
        // Four elements of each for an invocation, or four vectors, and none of them twice.
        assert_eq!([text.matches("= in0[").count(), text.matches("= in1[").count()], [4; 2], "{text}");
        assert_eq!(text.matches("out0: array<vec4<f32>>").count(), 1 - tiled, "{text}");
    }
}
