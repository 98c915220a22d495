//! Loops whose bodies are checkpoints: the same gradients, from the states at √n iterations instead
//! of at each.

use crate::support::control::{cell, close, devices, input, read};
use crate::support::{gpu, hardware, phone};
use weft::{DType, Device, Result, Scan, Tensor, checkpoint, grad};

type Body<'a> = &'a dyn Fn(&[Tensor]) -> Result<Vec<Tensor>>;

/// `f(inputs)`, as it is or as a checkpoint.
fn kept(f: Body<'_>, inputs: &[&Tensor], is_checkpoint: bool) -> Result<Vec<Tensor>> {
    if is_checkpoint {
        return checkpoint(f, inputs);
    }
    f(&inputs.iter().map(|&x| x.clone()).collect::<Vec<_>>())
}

/// The gradients of a scan of a cell by its first state, its matrix and its inputs, where all it
/// yields counts.
fn scanned(device: &Device, turns: usize, reverse: bool, is_checkpoint: bool) -> Vec<Tensor> {
    let (h, w) = (input(device, &[2, 4], 1), input(device, &[4, 4], 2).mul(0.5).unwrap());
    let xs = input(device, &[turns, 2, 4], 3);
    let f = |all: &[Tensor]| {
        let body = |s: &[Tensor], x: &[Tensor]| {
            let turn = |all: &[Tensor]| {
                let next = cell(&all[0], &all[1], &all[2])?;
                Ok(vec![next.clone(), next.mul(&all[0])?])
            };
            let mut found = kept(&turn, &[&s[0], &x[0], &all[1]], is_checkpoint)?;
            let stack = found.pop().unwrap();
            Ok((found, vec![stack]))
        };
        let (last, stacks) = device.scan(body, &[&all[0]], &[&all[2]], Scan { reverse, length: None })?;
        let weights = device.arange(0.0, turns as f64, 1.0, DType::F32)?.reshape(&[turns as i64, 1, 1])?;
        let stacked = stacks[0].mul(&weights.add(1.0)?)?.sum(None, false)?;
        last[0].sum(None, false)?.add(&stacked)
    };
    grad(f, &[&h, &w, &xs]).unwrap()
}

#[test]
fn a_scan_has_the_gradient_it_has_without_a_checkpoint() {
    for device in devices() {
        for turns in [1, 2, 4, 8, 9, 23] {
            for reverse in [false, true] {
                let (got, expected) =
                    (scanned(&device, turns, reverse, true), scanned(&device, turns, reverse, false));
                for (got, expected) in got.iter().zip(&expected) {
                    close(&read(got), &read(expected));
                }
            }
        }
    }
    let device = gpu();
    for (got, expected) in
        scanned(&device, 1000, false, true).iter().zip(&scanned(&device, 1000, false, false))
    {
        let (got, expected) = (read(got), read(expected));
        let largest = expected.iter().fold(1.0f32, |most, x| most.max(x.abs()));
        assert!(got.iter().zip(&expected).all(|(a, b)| (a - b).abs() <= 1e-4 * largest));
    }
}

#[test]
fn loops_that_count_end_early_and_nest_have_it_too() {
    for device in devices() {
        let x = input(&device, &[3], 4);
        let counted = |turns: i32, is_checkpoint: bool| {
            let f = |all: &[Tensor]| {
                let body = |i: &Tensor, s: &[Tensor]| {
                    let scale = i.cast(DType::F32)?.mul(0.01)?.add(0.9)?;
                    kept(&|s: &[Tensor]| Ok(vec![s[0].mul(&s[1])?.sin()?]), &[&s[0], &scale], is_checkpoint)
                };
                device.for_loop(3, 3 + turns, body, &[&all[0]])?[0].sum(None, false)
            };
            read(&grad(f, &[&x]).unwrap()[0])
        };
        let ended = |limit: usize, is_checkpoint: bool| {
            let f = |all: &[Tensor]| {
                let body = |s: &[Tensor]| {
                    kept(&|s: &[Tensor]| Ok(vec![s[0].mul(1.1)?.add(&s[0].sin()?)?]), &[&s[0]], is_checkpoint)
                };
                let goes_on = |s: &[Tensor]| s[0].abs()?.sum(None, false)?.less(40.0);
                device.while_loop(goes_on, body, &[&all[0]], Some(limit))?[0].sum(None, false)
            };
            read(&grad(f, &[&x]).unwrap()[0])
        };
        let nested = |turns: i32, is_checkpoint: bool| {
            let f = |all: &[Tensor]| {
                let inner = |s: &[Tensor]| {
                    device.for_loop(
                        0,
                        turns,
                        |_, s| kept(&|s: &[Tensor]| Ok(vec![s[0].sin()?.mul(1.2)?]), &[&s[0]], is_checkpoint),
                        &[&s[0]],
                    )
                };
                device.for_loop(0, turns, |_, s| kept(&inner, &[&s[0]], is_checkpoint), &[&all[0]])?[0]
                    .sum(None, false)
            };
            read(&grad(f, &[&x]).unwrap()[0])
        };
        for turns in [1, 8, 9] {
            close(&counted(turns, true), &counted(turns, false));
            close(&ended(turns as usize, true), &ended(turns as usize, false));
            close(&nested(turns, true), &nested(turns, false));
        }
    }
}

#[test]
fn memory_goes_by_the_root_of_the_turns() {
    let peak = |open: fn() -> Device, turns: usize, is_checkpoint: bool| {
        let device = open();
        let x = input(&device, &[16, 16], 1);
        let w = input(&device, &[16], 2);
        let f = |all: &[Tensor]| {
            let body = |_: &Tensor, s: &[Tensor]| {
                kept(&|s: &[Tensor]| Ok(vec![s[0].mul(&all[1])?.sin()?]), &[&s[0]], is_checkpoint)
            };
            device.for_loop(0, turns as i32, body, &[&all[0]])?[0].sum(None, false)
        };
        read(&grad(f, &[&x, &w]).unwrap()[1]);
        device.stats().bytes_peak
    };
    let state = 16 * 16 * 4;
    assert!(peak(gpu, 1000, false) > 1000 * state);
    for open in [gpu, phone, hardware] {
        let thousand = peak(open, 1000, true);
        assert!(thousand < 110 * state, "{} states", thousand / state);
    }
    let ten = peak(gpu, 10_000, true);
    assert!(ten < 290 * state, "{} states", ten / state);
}
