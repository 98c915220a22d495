//! Gradients of stencils: loads at indices that can be solved for the invocation's coordinates,
//! whose cotangents are collected where others are added.

use super::super::check::{Bench, check, check_nested, close, random};
use super::writing::{Where, Writing, X};
use super::{outputs, total};
use crate::common::rotation::seeds;
use weft_compile::transform::kernel::{Asked, Derived, Sizes, Yield, reverse};
use weft_compile::transform::vjp;
use weft_ir::DType::F32;
use weft_ir::Shape;
use weft_ir::graph::NodeId;
use weft_ir::interpret::Value;
use weft_ir::op::{Binary, Compare, KernelCall};
use weft_ir::user_kernel::{Combine, TensorId, interpret};

fn derived(call: &KernelCall, inputs: &[Value<f64>]) -> Vec<Derived> {
    let shapes: Vec<Shape> = inputs.iter().map(|value| value.shape().clone()).collect();
    let sizes = Sizes { grid: &call.grid, inputs: &shapes };
    let asked = Asked { inputs: &vec![true; shapes.len()], outputs: &vec![true; call.shapes.len()] };
    reverse(&call.kernel, sizes, asked, &vec![false; call.shapes.len()]).unwrap()
}

/// Whether no kernel of a gradient adds where invocations meet.
fn collects(call: &KernelCall, inputs: &[Value<f64>]) -> bool {
    let all = derived(call, inputs);
    all.iter().all(|it| it.kernel.outputs.iter().all(|output| output.combine == Combine::Set))
}

struct Pick(u64);

impl Pick {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % n
    }

    fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1) as u64) as i32
    }

    fn edge(&mut self) -> Where {
        match self.below(4) {
            0 => Where::Clamp,
            1 => Where::Wrap,
            2 => Where::Mirror,
            _ => Where::Fill(Box::new(0.0.into())),
        }
    }
}

/// A coordinate of an index: ± a coordinate of the grid, an offset, and perhaps a counter.
struct Index {
    axis: u32,
    negative: bool,
    offset: i32,
}

impl Index {
    fn of(pick: &mut Pick, axis: u32) -> Index {
        Index { axis, negative: pick.below(3) == 0, offset: pick.between(-3, 3) }
    }

    fn written(&self, more: Option<&X>) -> X {
        let at = X::Index(self.axis);
        let at = if self.negative { X::Whole(self.offset) - at } else { at + X::Whole(self.offset) };
        match more {
            Some(more) => at + more.clone(),
            None => at,
        }
    }
}

/// What an index beyond the edge becomes, by its definition.
fn mapped(i: X, edge: &Where, extent: i32) -> X {
    let n = X::Whole(extent);
    match edge {
        Where::Clamp => i.binary(Binary::Max, 0.into()).binary(Binary::Min, n - 1.into()),
        Where::Wrap => i % n,
        Where::Mirror => {
            let period = X::Whole((2 * (extent - 1)).max(1));
            let there = i % period;
            let back = X::Whole(2 * (extent - 1)) - there.clone();
            there.binary(Binary::Min, back)
        }
        Where::Fill(_) => i,
    }
}

/// Linear stencils: what is collected is what invocations add by their definition.
#[test]
fn collect_what_would_have_been_added() {
    for seed in seeds(11, 200) {
        let mut pick = Pick(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let rank = 1 + pick.below(2) as u32;
        let extents =
            |pick: &mut Pick| -> Vec<usize> { (0..rank).map(|_| 1 + pick.below(7) as usize).collect() };
        let (grid, shape) = (extents(&mut pick), extents(&mut pick));
        let own: Vec<X> = (0..rank).map(X::Index).collect();
        let swapped = rank == 2 && pick.below(2) == 0;
        // y = Σ w·x[…], and x̄[…] += w·ȳ.
        let mut forward = Writing::new(rank);
        let (x, w) = (forward.tensor(F32, rank), forward.tensor(F32, rank));
        let y = forward.output(rank, Combine::Set);
        let sum = forward.local(F32, 0.0);
        let mut adding = Writing::new(rank);
        let (g, v) = (adding.tensor(F32, rank), adding.tensor(F32, rank));
        let into = adding.output(rank, Combine::Add);
        let at_own = |tensor: TensorId, own: &[X]| X::Load(tensor, own.to_vec(), Where::Clamp);
        let mut solvable = true;
        for _ in 0..1 + pick.below(3) {
            let indices: Vec<Index> = (0..rank)
                .map(|axis| Index::of(&mut pick, if swapped { rank - 1 - axis } else { axis }))
                .collect();
            let edge = pick.edge();
            let scale = X::Number(pick.between(1, 5) as f32);
            let (first, last) = (pick.between(-2, 0), pick.between(1, 3));
            let step = if pick.below(3) == 0 { 2 } else { 1 };
            let looped = pick.below(2) == 0;
            let skips = looped && pick.below(2) == 0;
            let load = |k: Option<&X>| {
                let at = indices.iter().map(|index| index.written(k)).collect();
                X::Load(x, at, edge.clone()) * scale.clone()
            };
            let place = |k: Option<&X>| -> Vec<X> {
                let each = indices.iter().zip(&shape);
                each.map(|(index, &extent)| mapped(index.written(k), &edge, extent as i32)).collect()
            };
            let more = |tensor: TensorId| at_own(tensor, &own);
            let given = at_own(g, &own) * more(v) * scale.clone();
            if looped {
                forward.count(first, last, step, |it, k| {
                    let put = |it: &mut Writing| {
                        it.set(sum, X::Local(sum) + load(Some(&k)) * more(w));
                    };
                    match skips {
                        true => it.when(k.clone().compare(Compare::Ne, 0.into()), put, |_| {}),
                        false => put(it),
                    }
                });
                adding.count(first, last, step, |it, k| {
                    let put = |it: &mut Writing| it.store(into, &place(Some(&k)), given.clone());
                    match skips {
                        true => it.when(k.clone().compare(Compare::Ne, 0.into()), put, |_| {}),
                        false => put(it),
                    }
                });
            } else {
                forward.set(sum, X::Local(sum) + load(None) * more(w));
                adding.store(into, &place(None), given);
            }
            let waste: f64 = indices
                .iter()
                .zip(&shape)
                .map(|(index, &extent)| extent as f64 / grid[index.axis as usize] as f64)
                .product();
            solvable &= waste <= 8.0;
        }
        forward.store(y, &own, X::Local(sum));
        let call = forward.call(grid.clone(), &[&grid]);
        let inputs = [random(seed, shape.clone()), random(seed + 1, grid.clone())];
        let others = [random(seed + 2, grid.clone()), inputs[1].clone()];
        println!("seed {seed}, grid {grid:?}, x {shape:?}\n{}", call.kernel);
        for it in derived(&call, &inputs) {
            println!("{}", it.kernel);
        }
        assert!(!solvable || collects(&call, &inputs), "something is added");
        let expected = interpret::run(&adding.call(grid, &[&shape]), &others).unwrap();

        let mut bench = Bench::new();
        let xs: Vec<NodeId> = inputs.iter().map(|value| bench.input(value)).collect();
        let seeded = bench.leaf(&others[0]);
        let ys = outputs(&mut bench, &call, &xs);
        let found = vjp(&mut bench.graph, &ys, &[seeded], &xs[..1]).unwrap();
        close(&bench.value(found[0]), &expected[0].to_f64(), || format!("seed {seed}"));
    }
}

/// The same of what is not linear, where values are stored to be collected or computed again.
#[test]
fn of_stencils_that_are_not_linear() {
    for seed in seeds(1_000, 40) {
        let mut pick = Pick(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let grid = [2 + pick.below(3) as usize, 2 + pick.below(3) as usize];
        let mut k = Writing::new(2);
        let (x, w) = (k.tensor(F32, 2), k.tensor(F32, 2));
        let y = k.output(2, Combine::Set);
        let (i, j) = (X::Index(0), X::Index(1));
        let edge = pick.edge();
        let sum = k.local(F32, 0.1);
        let product = pick.below(2) == 0;
        k.count(-1, 2, 1, |k, a| {
            k.count(0, 2, 1, |k, b| {
                let at = X::Load(x, vec![i.clone() + a.clone(), j.clone() - b.clone()], edge.clone());
                let weight = X::Load(w, vec![a.clone() + 1.into(), b], Where::Clamp);
                match product {
                    true => k.set(sum, X::Local(sum) * (at + weight).sin()),
                    false => k.set(sum, X::Local(sum) + at.sin() * weight),
                }
            });
        });
        k.store(y, &[i, j], X::Local(sum).sin());
        let call = k.call(grid, &[&grid]);
        let inputs = [random(seed, grid), random(seed + 1, [3, 2])];
        println!("seed {seed}\n{}", call.kernel);
        for it in derived(&call, &inputs) {
            println!("{}", it.kernel);
        }
        assert!(collects(&call, &inputs), "something is added");
        match seed % 4 {
            0 => check_nested(&inputs, |bench, xs| total(bench, &call, xs)),
            _ => check(&inputs, |bench, xs| total(bench, &call, xs)),
        }
        super::agree::batches(&call, &inputs, &[true, seed % 2 == 0]);
    }
}

/// A product of matrices by a loop: each gradient is a product, a single kernel.
#[test]
fn of_products() {
    let mut k = Writing::new(2);
    let (a, b) = (k.tensor(F32, 2), k.tensor(F32, 2));
    let y = k.output(2, Combine::Set);
    let (i, j) = (X::Index(0), X::Index(1));
    let sum = k.local(F32, 0.0);
    k.count(0, X::Extent(a, 1), 1, |k, n| {
        let left = X::Load(a, vec![i.clone(), n.clone()], Where::Clamp);
        let right = X::Load(b, vec![n, j.clone()], Where::Clamp);
        k.set(sum, X::Local(sum) + left * right);
    });
    k.store(y, &[i, j], X::Local(sum));
    let call = k.call([3, 5], &[&[3, 5]]);
    let inputs = [random(1, [3, 4]), random(2, [4, 5])];
    let found = derived(&call, &inputs);
    let yielded: Vec<&Yield> = found.iter().flat_map(|it| &it.outputs).collect();
    let gradient = |input: usize| Yield::Gradient { input, axes: Some(vec![0, 1]) };
    assert_eq!(yielded, [&gradient(0), &gradient(1)]);
    check_nested(&inputs, |bench, xs| total(bench, &call, xs));
}

/// What would take more visits than there are sums stays added: a load at one element by all, and
/// at an index that is read.
#[test]
fn what_cannot_be_solved_is_added() {
    let write = |at: &dyn Fn(TensorId, X) -> X| {
        let mut k = Writing::new(1);
        let (x, u) = (k.tensor(F32, 1), k.tensor(weft_ir::DType::I32, 1));
        let y = k.output(1, Combine::Set);
        let i = X::Index(0);
        let one = X::Load(x, vec![at(u, i.clone())], Where::Wrap);
        let two = X::Load(x, vec![i.clone()], Where::Wrap);
        k.store(y, &[i], one * two);
        k.call([9], &[&[9]])
    };
    let u = Value::i32([9], [4, 1, 1, 0, 8, -2, 30, 5, 5]).unwrap();
    let inputs = [random(1, [9]), u];
    let read = write(&|u, i| X::Load(u, vec![i], Where::Clamp));
    assert!(!collects(&read, &inputs));
    check_nested(&inputs, |bench, xs| total(bench, &read, xs));
    let twice = write(&|_, i| i * 2.into());
    check_nested(&inputs, |bench, xs| total(bench, &twice, xs));
}
