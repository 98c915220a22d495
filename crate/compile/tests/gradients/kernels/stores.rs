//! Stores that meet, initial tensors, and edges.

use super::super::check::{Bench, check_nested, random, vector};
use super::writing::{Where, Writing, X, outputs, total};
use weft_ir::DType::{F32, I32};
use weft_ir::interpret::Value;
use weft_ir::op::{KernelCall, Unary};
use weft_ir::user_kernel::Combine;

fn nested(call: &KernelCall, inputs: &[Value<f64>]) {
    check_nested(inputs, |bench, xs| total(bench, call, xs));
}

/// Places that meet, and two outside.
fn places() -> Value<f64> {
    Value::i32([8], [0, 2, 2, 5, 0, -1, 2, 4]).unwrap()
}

/// Invocation i stores x[i] and, where `twice`, more, at the place that is read.
fn stores(combine: Combine, twice: bool, begins: bool) -> KernelCall {
    let mut k = Writing::new(1);
    let (x, at, base) = (k.tensor(F32, 1), k.tensor(I32, 1), k.tensor(F32, 1));
    let y = k.output(1, combine);
    if begins {
        k.begins_as(y, base);
    }
    let i = X::Index(0);
    let value = k.local(F32, X::Load(x, vec![i.clone()], Where::Clamp).sin());
    let place = X::Load(at, vec![i.clone()], Where::Clamp);
    k.store(y, std::slice::from_ref(&place), X::Local(value));
    if twice {
        k.count(0, i.clone(), 1, |k, t| {
            let other = X::Load(at, vec![t.clone()], Where::Clamp);
            k.store(y, &[other], X::Local(value) * (t.float() + 0.5.into()));
        });
        k.store(y, &[place], X::Local(value) * X::Local(value));
    }
    k.call([8], &[&[5]])
}

#[test]
fn of_stores_that_meet() {
    for combine in [Combine::Set, Combine::Add, Combine::Min, Combine::Max] {
        for twice in [false, true] {
            for begins in [false, true] {
                let base = if combine == Combine::Min {
                    vector(&[0.3, -0.2, 0.9, 0.4, -5.0])
                } else {
                    random(21, [5])
                };
                nested(&stores(combine, twice, begins), &[random(20, [8]), places(), base]);
            }
        }
    }
}

#[test]
fn ties_of_the_least_share() {
    let call = stores(Combine::Max, false, true);
    let mut bench = Bench::new();
    let x = bench.input(&vector(&[0.5; 8]));
    let at = bench.leaf(&places());
    let base = bench.input(&vector(&[0.5f64.sin(), 0.0, 1.0, 0.2, 0.0]));
    let y = outputs(&mut bench, &call, &[x, at, base])[0];
    let gradients = bench.gradients(y, &[x, base]);
    let slope = 0.5f64.cos();
    let found = bench.value(gradients[0]);
    let expected = [slope / 3.0, 0.0, 0.0, 0.0, slope / 3.0, 0.0, 0.0, slope];
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
    let found = bench.value(gradients[1]);
    for (found, expected) in found.iter().zip([1.0 / 3.0, 1.0, 1.0, 1.0, 0.0]) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
}

#[test]
fn ties_of_two_numbers_and_kinks_are_those_of_tensors() {
    let mut k = Writing::new(1);
    let (a, b) = (k.tensor(F32, 1), k.tensor(F32, 1));
    let y = k.output(1, Combine::Set);
    let [a, b] = [a, b].map(|x| X::Load(x, vec![X::Index(0)], Where::Clamp));
    let larger = a.clone().binary(weft_ir::op::Binary::Max, b.clone());
    let smaller = a.clone().binary(weft_ir::op::Binary::Min, b.clone());
    let kinks = a.clone().unary(Unary::Relu) + a.clone().unary(Unary::Abs);
    let power = (a * 1.0.into()).binary(weft_ir::op::Binary::Pow, b * 0.0.into());
    k.store(y, &[X::Index(0)], larger * 10.0.into() + smaller * 100.0.into() + kinks + power);
    let call = k.call([2], &[&[2]]);
    let mut bench = Bench::new();
    let (a, b) = (bench.input(&vector(&[0.0, 2.0])), bench.input(&vector(&[0.0, 2.0])));
    let y = outputs(&mut bench, &call, &[a, b])[0];
    let gradients = bench.gradients(y, &[a, b]);
    assert_eq!(bench.value(gradients[0]), [55.0, 57.0]);
    assert_eq!(bench.value(gradients[1]), [55.0, 55.0]);
}

#[test]
fn of_loads_beyond_every_edge() {
    for edge in 0..4 {
        let mut k = Writing::new(2);
        let x = k.tensor(F32, 2);
        let s = k.scalar(F32);
        let y = k.output(2, Combine::Set);
        let beyond = match edge {
            0 => Where::Clamp,
            1 => Where::Wrap,
            2 => Where::Mirror,
            _ => Where::Fill(Box::new(s.clone() * s)),
        };
        let indices = vec![X::Index(0) * 3.into() - 4.into(), X::Index(1) - 2.into()];
        let value = X::Load(x, indices, beyond);
        k.store(y, &[X::Index(0), X::Index(1)], value.clone() * value);
        let call = k.call([4, 6], &[&[4, 6]]);
        for shape in [[2, 3], [1, 1], [3, 1]] {
            nested(&call, &[random(22, shape), random(23, [])]);
        }
    }
}

#[test]
fn of_inputs_read_at_own_coordinates() {
    // Larger than the grid, of fewer axes, in another order.
    let mut k = Writing::new(2);
    let (a, b, c) = (k.tensor(F32, 2), k.tensor(F32, 1), k.tensor(F32, 2));
    let y = k.output(2, Combine::Set);
    let (i, j) = (X::Index(0), X::Index(1));
    let a = X::Load(a, vec![i.clone(), j.clone()], Where::Clamp);
    let b = X::Load(b, vec![j.clone()], Where::Wrap);
    let c = X::Load(c, vec![j.clone(), i.clone()], Where::Mirror);
    k.store(y, &[i, j], a.clone() * b.clone() * c.clone() + (a * c * b.clone()).sin() * b);
    let call = k.call([3, 2], &[&[3, 2]]);
    nested(&call, &[random(24, [4, 2]), random(25, [2]), random(26, [3, 5])]);
    // Smaller than the grid, where the edge counts.
    nested(&call, &[random(24, [2, 2]), random(25, [1]), random(26, [2, 2])]);
}

#[test]
fn of_outputs_that_not_every_invocation_sets() {
    let mut k = Writing::new(1);
    let (x, base) = (k.tensor(F32, 1), k.tensor(F32, 1));
    let (y, z) = (k.output(1, Combine::Set), k.output(1, Combine::Set));
    k.begins_as(y, base);
    let i = X::Index(0);
    let at = X::Load(x, vec![i.clone()], Where::Clamp);
    k.when(
        at.clone().lt(0.0.into()),
        |k| k.store(y, std::slice::from_ref(&i), at.clone() * at.clone()),
        |k| k.store(z, std::slice::from_ref(&i), at.clone().sin() * X::OutputExtent(z, 0).float()),
    );
    k.when(i.clone().lt(2.into()), |k| k.store(y, std::slice::from_ref(&i), at.clone().sin()), |_| {});
    nested(&k.call([5], &[&[7], &[4]]), &[random(27, [5]), random(28, [7])]);
}
