//! Branches, loops, jumps and local arrays.

use super::super::check::{check, check_nested, random};
use super::writing::{Where, Writing, X, total};
use weft_ir::DType::{F32, I32};
use weft_ir::interpret::Value;
use weft_ir::op::{Binary, Compare, KernelCall, Unary};
use weft_ir::user_kernel::{Combine, Stmt};

fn nested(call: &KernelCall, inputs: &[Value<f64>]) {
    check_nested(inputs, |bench, xs| total(bench, call, xs));
}

fn once(call: &KernelCall, inputs: &[Value<f64>]) {
    check(inputs, |bench, xs| total(bench, call, xs));
}

#[test]
fn of_straight_lines_with_numbers_and_neighbours() {
    let mut k = Writing::new(1);
    let x = k.tensor(F32, 1);
    let s = k.scalar(F32);
    let y = k.output(1, Combine::Set);
    let at = |i: X| X::Load(x, vec![i], Where::Clamp);
    let i = X::Index(0);
    let a = k.local(F32, at(i.clone()).sin() * s.clone());
    let b = k.local(F32, X::Local(a) * at(i.clone() + 1.into()) + s);
    k.set(a, X::Local(a) * X::Local(b));
    k.store(y, &[i], X::Local(a) / (X::Local(b) * X::Local(b) + 1.0.into()));
    let call = k.call([5], &[&[5]]);
    nested(&call, &[random(1, [5]), random(2, [])]);
}

#[test]
fn of_every_function() {
    for op in Unary::ALL {
        if matches!(op, Unary::Not | Unary::IsNan | Unary::ToHalf | Unary::OfHalf) {
            continue;
        }
        let mut k = Writing::new(1);
        let x = k.tensor(F32, 1);
        let y = k.output(1, Combine::Set);
        let at = X::Load(x, vec![X::Index(0)], Where::Wrap);
        let positive = at.clone() * at + 0.1.into();
        k.store(y, &[X::Index(0)], (positive * 0.7.into()).unary(op));
        nested(&k.call([4], &[&[4]]), &[random(3, [4])]);
    }
    for op in [Binary::Add, Binary::Sub, Binary::Mul, Binary::Div, Binary::FloorDiv, Binary::Rem] {
        let mut k = Writing::new(1);
        let (a, b) = (k.tensor(F32, 1), k.tensor(F32, 1));
        let y = k.output(1, Combine::Set);
        let [a, b] = [a, b].map(|x| X::Load(x, vec![X::Index(0)], Where::Clamp));
        k.store(y, &[X::Index(0)], a.binary(op, b));
        nested(&k.call([4], &[&[4]]), &[random(3, [4]), random(5, [4])]);
    }
    for op in [Binary::Pow, Binary::Min, Binary::Max] {
        let mut k = Writing::new(1);
        let (a, b) = (k.tensor(F32, 1), k.tensor(F32, 1));
        let y = k.output(1, Combine::Set);
        let [a, b] = [a, b].map(|x| X::Load(x, vec![X::Index(0)], Where::Clamp));
        k.store(y, &[X::Index(0)], (a.clone() * a).binary(op, b));
        nested(&k.call([4], &[&[4]]), &[random(3, [4]), random(5, [4])]);
    }
}

#[test]
fn of_branches_and_early_returns() {
    let mut k = Writing::new(1);
    let x = k.tensor(F32, 1);
    let y = k.output(1, Combine::Set);
    let i = X::Index(0);
    let at = X::Load(x, vec![i.clone()], Where::Clamp);
    let v = k.local(F32, at.clone());
    k.when(
        at.clone().lt(0.0.into()),
        |k| {
            k.set(v, at.clone() * at.clone());
            k.when(i.clone().lt(2.into()), |k| k.set(v, X::Local(v).sin()), |_| {});
            k.store(y, std::slice::from_ref(&i), X::Local(v));
            k.push(Stmt::Return);
        },
        |k| k.set(v, X::Local(v) * 3.0.into()),
    );
    k.when(i.clone().compare(Compare::Eq, 4.into()), |k| k.push(Stmt::Return), |_| {});
    k.store(y, &[i], X::Local(v) * X::Local(v));
    nested(&k.call([6], &[&[6]]), &[random(4, [6])]);
}

/// v ← v + sin(v · w) · 0.1, `n` times, where n is what the kernel reads.
fn steps(most: u32) -> KernelCall {
    let mut k = Writing::new(1);
    let (x, n) = (k.tensor(F32, 1), k.tensor(I32, 1));
    let w = k.scalar(F32);
    let y = k.output(1, Combine::Set);
    let i = vec![X::Index(0)];
    let v = k.local(F32, X::Load(x, i.clone(), Where::Clamp));
    let u = k.local(F32, 1.0);
    let bound = X::Load(n, i.clone(), Where::Clamp).binary(Binary::Min, (most as i32).into());
    k.count(0, bound, 1, |k, _| {
        let before = k.local(F32, X::Local(v));
        k.set(v, X::Local(v) + (X::Local(v) * w.clone() * X::Local(u)).sin() * 0.1.into());
        // Values change places.
        k.set(u, X::Local(before) * 0.5.into() + X::Local(u) * 0.5.into());
    });
    k.store(y, &i, X::Local(v) * X::Local(u));
    k.call([5], &[&[5]])
}

#[test]
fn of_loops_of_a_bound_that_is_read() {
    let call = steps(1000);
    nested(&call, &[random(5, [5]), Value::i32([5], [0, 1, 9, 2, 40]).unwrap(), random(6, [])]);
    once(&call, &[random(5, [5]), Value::i32([5], [8, 16, 17, 300, 777]).unwrap(), random(6, [])]);
}

#[test]
fn of_loops_with_conditions_that_are_left_and_go_on() {
    let mut k = Writing::new(1);
    let x = k.tensor(F32, 1);
    let y = k.output(1, Combine::Set);
    let i = X::Index(0);
    let v = k.local(F32, X::Load(x, vec![i.clone()], Where::Clamp));
    let n = k.local(I32, 0);
    k.repeat(X::Local(v).unary(Unary::Abs).lt(30.0.into()), 50, |k| {
        k.set(n, X::Local(n) + 1.into());
        k.when(
            (X::Local(n) % 3.into()).compare(Compare::Eq, 1.into()),
            |k| {
                k.set(v, X::Local(v) * 1.25.into());
                k.push(Stmt::Continue);
            },
            |_| {},
        );
        k.set(v, X::Local(v) + X::Local(v).sin());
        k.count(0, X::Local(n), 1, |k, j| {
            k.when(
                (X::Local(v) * j.clone().float()).compare(Compare::Gt, 6.0.into()),
                |k| k.push(Stmt::Break),
                |_| {},
            );
            k.set(v, X::Local(v) + (X::Local(v) * 0.3.into()).sin() * 0.2.into());
            k.when(
                (i.clone() + j).compare(Compare::Eq, 7.into()) & X::Local(n).compare(Compare::Gt, 5.into()),
                |k| {
                    k.store(y, std::slice::from_ref(&i), X::Local(v) * X::Local(v));
                    k.push(Stmt::Return);
                },
                |_| {},
            );
        });
    });
    k.store(y, &[i], X::Local(v));
    let call = k.call([6], &[&[6]]);
    nested(&call, &[random(7, [6])]);
}

#[test]
fn of_nested_loops_with_strides() {
    // The product of matrices, and a stencil with weights.
    let mut k = Writing::new(2);
    let (a, b) = (k.tensor(F32, 2), k.tensor(F32, 2));
    let y = k.output(2, Combine::Set);
    let (i, j) = (X::Index(0), X::Index(1));
    let sum = k.local(F32, 0.0);
    k.count(X::Extent(a, 1) - 1.into(), -1, -1, |k, t| {
        let left = X::Load(a, vec![i.clone(), t.clone()], Where::Clamp);
        let right = X::Load(b, vec![t, j.clone()], Where::Clamp);
        k.set(sum, X::Local(sum) + left * right);
    });
    k.count(-2, 3, 2, |k, di| {
        k.count(-1, 2, 1, |k, dj| {
            let near = X::Load(a, vec![i.clone() + di.clone(), j.clone() - dj.clone()], Where::Mirror);
            k.set(sum, X::Local(sum) + near * (di.clone() * dj).float() * 0.1.into());
        });
    });
    k.store(y, &[i, j], X::Local(sum));
    nested(&k.call([3, 2], &[&[3, 2]]), &[random(8, [3, 4]), random(9, [4, 2])]);
}

#[test]
fn of_local_arrays_in_loops() {
    // A prefix sum, elements of which change places at indices that are read.
    let mut k = Writing::new(1);
    let (x, at) = (k.tensor(F32, 1), k.tensor(I32, 1));
    let y = k.output(1, Combine::Add);
    let a = k.array(F32, 6);
    let i = X::Index(0);
    k.count(0, 6, 1, |k, t| {
        k.set_element(a, t.clone(), X::Load(x, vec![t + i.clone()], Where::Wrap));
    });
    k.count(1, 7, 1, |k, t| {
        let before = X::Element(a, Box::new(t.clone() - 1.into()));
        k.set_element(a, t.clone(), X::Element(a, Box::new(t)) * before.clone() + before.sin());
    });
    k.count(0, 9, 1, |k, t| {
        let there = k.local(I32, X::Load(at, vec![t.clone()], Where::Wrap));
        let held = k.local(F32, X::Element(a, Box::new(X::Local(there))));
        k.set_element(a, X::Local(there), X::Element(a, Box::new(t.clone())) * 0.9.into());
        k.set_element(a, t, X::Local(held).sin());
    });
    k.set_element(a, 2, X::Element(a, Box::new(2.into())) * X::Element(a, Box::new(3.into())));
    k.count(0, 6, 1, |k, t| {
        let value = X::Element(a, Box::new(t.clone()));
        k.store(y, &[t], value.clone() * value);
    });
    let indices = Value::i32([7], [3, 0, 5, 8, -2, 1, 4]).unwrap();
    nested(&k.call([3], &[&[6]]), &[random(10, [8]), indices]);
}

#[test]
fn of_arrays_that_an_earlier_loop_reads_and_a_later_one_writes() {
    let mut k = Writing::new(1);
    let x = k.tensor(F32, 1);
    let y = k.output(1, Combine::Set);
    let a = k.array(F32, 3);
    let v = k.local(F32, 1.0);
    let element = |t: X| X::Element(a, Box::new(t));
    k.count(0, 3, 1, |k, t| {
        k.set_element(a, t.clone(), X::Load(x, vec![t + X::Index(0)], Where::Clamp));
    });
    k.count(0, 4, 1, |k, outer| {
        k.count(0, 3, 1, |k, t| {
            k.set(v, X::Local(v) * element(t).sin() + 1.0.into());
        });
        k.set_element(a, outer.clone(), X::Local(v) * 0.5.into());
        k.when(
            outer.clone().lt(2.into()),
            |k| {
                k.count(0, 2, 1, |k, t| {
                    k.set_element(a, t.clone() + 1.into(), element(t.clone()) * element(t + 1.into()));
                });
            },
            |k| k.set_element(a, 0, element(1.into()).sin()),
        );
    });
    k.store(y, &[X::Index(0)], X::Local(v) + element(0.into()));
    nested(&k.call([3], &[&[3]]), &[random(11, [4])]);
}

#[test]
fn of_inverse_functions_and_interpolation() {
    // asin, acos and atan by their identities, lerp.
    let mut k = Writing::new(1);
    let (x, z) = (k.tensor(F32, 1), k.tensor(F32, 1));
    let y = k.output(1, Combine::Set);
    let at = |t| X::Load(t, vec![X::Index(0)], Where::Clamp);
    let unit = k.local(F32, at(x) * 0.8.into());
    let one = X::Number(1.0);
    let rest = (one.clone() - X::Local(unit) * X::Local(unit)).unary(Unary::Sqrt);
    // atan by halving the angle three times, then its series.
    let t = k.local(F32, X::Local(unit) / rest);
    for _ in 0..3 {
        let root = (one.clone() + X::Local(t) * X::Local(t)).unary(Unary::Sqrt);
        k.set(t, X::Local(t) / (one.clone() + root));
    }
    let square = k.local(F32, X::Local(t) * X::Local(t));
    let series = k.local(F32, 0.0);
    k.count(6, -1, -1, |k, n| {
        let odd = (n * 2.into() + 1.into()).float();
        k.set(series, one.clone() / odd - X::Local(series) * X::Local(square));
    });
    let asin = X::Local(t) * X::Local(series) * 8.0.into();
    let acos = X::Number(std::f32::consts::FRAC_PI_2) - asin.clone();
    let lerp = at(z) * (one - X::Local(unit)) + acos * X::Local(unit);
    k.store(y, &[X::Index(0)], lerp * asin);
    nested(&k.call([5], &[&[5]]), &[random(12, [5]), random(13, [5])]);
}
