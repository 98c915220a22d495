//! Values that one flush computes and a later one compares with what they were made of, which was
//! not stored: `m = x.max()` is read, then `x.equal(m)` asked.
//!
//! The second flush computes x in another kernel, whose bits may differ. Whatever is compared ties
//! by construction, so each test counts what holds.

use super::sources::{SHAPE, Source, VALUES, captured, read};
use crate::support::{floats, gpu, hardware, item};
use weft::{Between, DType, Device, ReduceOp, Result, Tensor, Windows, grad};

/// Which comparisons of each value hold nowhere in some row, where `f` compares a value, which
/// nothing has computed, with what it makes and reads of it.
fn lost(device: &Device, f: impl Fn(&Source, &Tensor) -> Result<Tensor>) -> Vec<usize> {
    let is_lost = |seed: &usize| {
        let source = Source::new(device, *seed).unwrap();
        let x = source.value().unwrap();
        let holds = f(&source, &x).unwrap().cast(DType::F32).unwrap();
        let rows = holds.reshape(&[SHAPE[0] as i64, -1]).unwrap().sum(Some(&[1]), false).unwrap();
        floats(&rows).contains(&0.0)
    };
    (0..VALUES).filter(is_lost).collect()
}

/// Expects at least one comparison of each row to hold, on software and where it passes for
/// hardware.
#[track_caller]
fn assert_holds(f: impl Fn(&Source, &Tensor) -> Result<Tensor>) {
    for device in [gpu(), hardware()] {
        let lost = lost(&device, &f);
        assert!(lost.is_empty(), "{} of {VALUES} values: {lost:?}", lost.len());
    }
}

fn row_max(x: &Tensor) -> Result<Tensor> {
    x.max(Some(&[1]), true)
}

#[test]
fn the_largest_of_a_row() {
    assert_holds(|_, x| {
        let most = row_max(x)?;
        read(&most)?;
        x.equal(&most)
    });
}

#[test]
fn the_least_of_a_row_as_long_as_it_is_not_greater() {
    assert_holds(|_, x| {
        let least = x.min(Some(&[1]), true)?;
        read(&least)?;
        x.less_equal(&least)
    });
}

#[test]
fn what_is_taken_at_argmax() {
    assert_holds(|_, x| {
        let found = x.take_along_axis(&x.argmax(Some(&[1]), true)?, 1)?;
        read(&found)?;
        x.equal(&found)
    });
}

#[test]
fn the_last_of_a_sorted_row() {
    assert_holds(|_, x| {
        let sorted = x.sort(1, true)?;
        read(&sorted)?;
        x.greater_equal(sorted.slice(&[weft::Range::ALL, (0..1).into()])?)
    });
}

#[test]
fn the_first_of_the_top() {
    assert_holds(|_, x| {
        let (top, _) = x.top_k(3, 1)?;
        read(&top)?;
        x.greater_equal(top.slice(&[weft::Range::ALL, (0..1).into()])?)
    });
}

#[test]
fn the_median() {
    assert_holds(|_, x| {
        let middle = x.quantile(0.5, Some(&[1]), true, Between::Linear)?;
        read(&middle)?;
        x.equal(&middle)
    });
}

/// Positions that are written down in the calls, which nothing else holds.
#[test]
fn the_largest_of_a_segment() {
    assert_holds(|_, x| {
        let rows: Vec<i32> = (0..SHAPE[0] as i32).map(|row| row % 3).collect();
        let of = || x.device().tensor(&rows, &[SHAPE[0]]);
        let most = x.segment_max(&of()?, 3)?;
        read(&most)?;
        // Each segment has its largest in some row, which stands for the others here.
        let holds = x.equal(most.take(&of()?, Some(0))?)?.cast(DType::F32)?;
        holds.max(Some(&[0]), true)?.mul(x.device().ones(&[SHAPE[0], 1], DType::F32)?)
    });
}

#[test]
fn a_pooling() {
    assert_holds(|_, x| {
        let sizes = [1, SHAPE[1]];
        let windows = Windows { strides: sizes.to_vec(), ..Windows::last(2, &sizes) };
        let pooled = x.reduce_window(ReduceOp::Max, &windows)?;
        read(&pooled)?;
        x.equal(&pooled)
    });
}

#[test]
fn what_is_made_of_it_in_turn_and_read_too() {
    assert_holds(|_, x| {
        let most = x.max(Some(&[1]), false)?;
        read(&most)?;
        let column = most.expand_dims(1)?;
        read(&column)?;
        drop(most);
        x.equal(column)
    });
    assert_holds(|_, x| {
        let most = row_max(x)?.mul(0.3)?;
        read(&most)?;
        let shifted = most.add(1.0)?;
        read(&shifted)?;
        x.mul(0.3)?.add(1.0)?.equal(shifted)
    });
}

#[test]
fn a_value_that_is_stored_in_between() {
    assert_holds(|_, x| {
        let most = row_max(x)?;
        read(&most)?;
        read(x)?;
        x.equal(&most)
    });
    assert_holds(|_, x| {
        let most = row_max(x)?;
        x.device().realize(&[x, &most])?;
        x.equal(&most)
    });
}

#[test]
fn a_value_that_is_written_down_again() {
    assert_holds(|source, x| {
        let most = row_max(x)?;
        read(&most)?;
        source.value()?.equal(&most)
    });
}

#[test]
fn two_that_were_both_read() {
    assert_holds(|_, x| {
        let most = row_max(x)?;
        read(&most)?;
        let sorted = x.sort(1, true)?;
        read(&sorted)?;
        sorted.equal(&most)
    });
}

#[test]
fn both_go_into_a_captured_function() {
    assert_holds(|_, x| {
        let most = row_max(x)?;
        let f = captured(&[x, &most], |of| Ok(vec![of[0].equal(&of[1])?]))?;
        read(&most)?;
        Ok(f.call(&[x, &most], &[], &[])?.remove(0))
    });
}

#[test]
fn a_captured_function_reads_both_from_outside() {
    assert_holds(|_, x| {
        let (most, one) = (row_max(x)?, x.device().ones(&[], DType::F32)?);
        read(&most)?;
        let f = captured(&[&one], |of| Ok(vec![x.equal(&most)?.cast(DType::F32)?.mul(&of[0])?]))?;
        Ok(f.call(&[&one], &[], &[])?.remove(0))
    });
}

#[test]
fn a_captured_function_yields_both() {
    assert_holds(|source, _| {
        let f = captured(&source.0.each_ref(), |of| {
            let of = Source(std::array::from_fn(|n| of[n].clone()), source.1);
            let x = of.value()?;
            Ok(vec![row_max(&x)?, x])
        })?;
        let found = f.call(&source.0.each_ref(), &[], &[])?;
        found[1].equal(&found[0])
    });
}

#[test]
fn a_loop_and_a_branch_compare() {
    assert_holds(|_, x| {
        let most = row_max(x)?;
        read(&most)?;
        let zero = x.device().zeros(x.shape(), DType::F32)?;
        let body = |_: &Tensor, state: &[Tensor]| Ok(vec![state[0].add(x.equal(&most)?.cast(DType::F32)?)?]);
        Ok(x.device().for_loop(0, 2, body, &[&zero])?.remove(0))
    });
    assert_holds(|_, x| {
        let most = row_max(x)?;
        read(&most)?;
        let chosen = x.device().tensor(&[1.0f32], &[])?.greater(0.0)?;
        let holds = |of: &[Tensor]| Ok(vec![of[0].equal(&most)?.cast(DType::F32)?]);
        let otherwise = |of: &[Tensor]| Ok(vec![of[0].mul(0.0)?]);
        Ok(x.device().cond(&chosen, holds, otherwise, &[x])?.remove(0))
    });
}

/// The gradient of the largest is 1 where it is.
#[test]
fn the_gradient_of_what_was_read() {
    assert_holds(|_, x| {
        let shift = x.device().zeros(&SHAPE, DType::F32)?;
        let largest = |of: &[Tensor]| {
            let most = row_max(&x.add(&of[0])?)?;
            read(&most)?;
            most.sum(None, false)
        };
        Ok(grad(largest, &[&shift])?.remove(0))
    });
}

/// What was read stays as it was read.
#[test]
fn what_was_read_keeps_its_bits() {
    for device in [gpu(), hardware()] {
        for seed in 0..VALUES {
            let source = Source::new(&device, seed).unwrap();
            let x = source.value().unwrap();
            let most = row_max(&x).unwrap();
            let before = floats(&most);
            for _ in 0..2 {
                assert!(
                    item(&x.equal(&most).unwrap().cast(DType::F32).unwrap().sum(None, false).unwrap()) > 0.0
                );
                assert_eq!(floats(&most), before);
            }
        }
    }
}

#[test]
fn both_were_read_together() {
    assert_holds(|source, _| {
        let x = source.value()?;
        let (most, sorted) = (row_max(&x)?, x.sort(1, true)?);
        drop(x);
        source.0[0].device().realize(&[&most, &sorted])?;
        sorted.equal(&most)
    });
}

#[test]
fn both_were_read_in_turn_and_x_is_gone() {
    assert_holds(|source, _| {
        let x = source.value()?;
        let most = row_max(&x)?;
        read(&most)?;
        let sorted = x.sort(1, true)?;
        drop(x);
        read(&sorted)?;
        sorted.equal(&most)
    });
}

#[test]
fn both_were_read_apart() {
    assert_holds(|source, _| {
        let most = row_max(&source.value()?)?;
        read(&most)?;
        let sorted = source.value()?.sort(1, true)?;
        read(&sorted)?;
        sorted.equal(&most)
    });
}

#[test]
fn a_captured_function_yields_two_of_one() {
    assert_holds(|source, _| {
        let f = captured(&source.0.each_ref(), |of| {
            let of = Source(std::array::from_fn(|n| of[n].clone()), source.1);
            let x = of.value()?;
            Ok(vec![row_max(&x)?, x.sort(1, true)?])
        })?;
        let found = f.call(&source.0.each_ref(), &[], &[])?;
        found[1].equal(&found[0])
    });
}

#[test]
fn two_captured_functions_yield_two_of_one() {
    assert_holds(|source, _| {
        let call = |of: fn(&Tensor) -> Result<Tensor>| {
            let f = captured(&source.0.each_ref(), |stand| {
                let stand = Source(std::array::from_fn(|n| stand[n].clone()), source.1);
                Ok(vec![of(&stand.value()?)?])
            })?;
            Ok(f.call(&source.0.each_ref(), &[], &[])?.remove(0))
        };
        call(|x| x.sort(1, true))?.equal(&call(row_max)?)
    });
}

#[test]
fn a_row_sum_in_between_is_gone() {
    assert_holds(|source, _| {
        let of = |f: &dyn Fn(&Tensor) -> Result<Tensor>| {
            let [a, b, _, d] = &source.0;
            let norm = a.square()?.sum(Some(&[1]), true)?.add(b)?;
            f(&a.mul(&norm)?.add(d)?.mul(&norm)?.sub(a)?.tanh()?)
        };
        let most = of(&row_max)?;
        read(&most)?;
        let sorted = of(&|x| x.sort(1, true))?;
        read(&sorted)?;
        sorted.equal(&most)
    });
}

#[test]
fn a_value_that_is_gone_and_written_down_again() {
    assert_holds(|source, _| {
        let most = row_max(&source.value()?)?;
        read(&most)?;
        source.value()?.equal(&most)
    });
}

/// What values were made of can be gone for good: a recipe keeps no memory. They stay as they were
/// read, and are as close as two kernels round.
#[test]
fn memory_of_what_is_gone_is_free() {
    let device = gpu();
    let (most, sorted) = {
        let x = Source::new(&device, 0).unwrap().value().unwrap();
        let (most, sorted) = (row_max(&x).unwrap(), x.sort(1, true).unwrap());
        read(&most).unwrap();
        read(&sorted).unwrap();
        (most, sorted)
    };
    let largest = sorted.slice(&[weft::Range::ALL, (0..1).into()]).unwrap();
    let apart = floats(&largest.sub(&most).unwrap());
    assert!(apart.iter().all(|x| x.abs() < 1e-5), "{apart:?}");
    drop(largest);
    let held = device.stats().bytes_live;
    drop((most, sorted));
    let alike = [&[SHAPE[0], 1][..], &SHAPE].map(|shape| device.ones(shape, DType::F32).unwrap());
    device.realize(&[&alike[0], &alike[1]]).unwrap();
    assert_eq!(held, device.stats().bytes_live);
}
