//! Memory held by results that nobody disposed. It stays near what the program asks for, though
//! every handle to a small result of large tensors is kept, as a program in a garbage-collected
//! language keeps them until the collector runs.

use crate::support::{cpu, floats, gpu, item};
use weft::optim::{Optimizer, Sgd};
use weft::{Captured, DType, Device, Parameter, Range, Scan, Tensor, value_and_grad};

/// Elements and bytes of a large tensor.
const LARGE: usize = 1 << 19;
const BYTES: u64 = 4 * LARGE as u64;
/// So many large tensors are more than [`BOUND`].
const ITERATIONS: usize = 44;
/// What may be stored before that, and what is at work.
const BOUND: u64 = (64 << 20) + 6 * BYTES;

fn large(device: &Device) -> Tensor {
    device.tensor(&vec![1.0f32; LARGE], &[LARGE]).unwrap()
}

fn captured(device: &Device, f: impl FnOnce(&Tensor) -> Tensor) -> Captured {
    device.trace_begin().unwrap();
    let x = device.placeholder(&[LARGE], DType::F32).unwrap();
    let y = f(&x);
    device.trace_end(&[&y], &[&x]).unwrap()
}

fn first(x: &Tensor) -> Tensor {
    until(x, 1)
}

/// The first elements, or rows.
fn until(x: &Tensor, end: i64) -> Tensor {
    x.slice(&[Range::new(0, end)]).unwrap()
}

fn sum(x: &Tensor) -> Tensor {
    x.sum(None, false).unwrap()
}

/// Iterates on each device, keeping what iterations return. Bytes must stay below `bound` all the
/// time, and values be right at the end.
fn check(bound: u64, make: impl Fn(&Device) -> Box<dyn FnMut(usize) -> Vec<Tensor>>) {
    for device in [cpu(), gpu()] {
        let mut iteration = make(&device);
        let mut held = Vec::new();
        for n in 0..ITERATIONS {
            held.extend(iteration(n));
            let bytes = device.stats().bytes_live;
            assert!(bytes <= bound, "{:?}: iteration {n} leaves {bytes} bytes, of {bound}", device.kind());
        }
        for tensor in held {
            assert!(floats(&tensor).iter().all(|value| *value == 1.0), "{tensor}");
        }
        drop(iteration);
        assert_eq!((device.stats().bytes_live, device.live_nodes()), (0, 0));
    }
}

#[test]
fn a_slice_that_was_read_through_does_not_keep_the_result_of_a_captured_function() {
    check(BOUND, |device| {
        let (x, f) = (large(device), captured(device, |x| x.neg().unwrap().neg().unwrap()));
        Box::new(move |_| {
            let y = f.call(&[&x], &[], &[]).unwrap().remove(0);
            let part = first(&y);
            let total = sum(&part);
            assert_eq!(item(&total), 1.0);
            vec![part, total]
        })
    });
}

#[test]
fn views_that_nobody_reads_do_not_keep_what_they_are_views_of() {
    check(BOUND, |device| {
        let device = device.clone();
        Box::new(move |_| {
            let x = large(&device);
            let rows = until(&x.reshape(&[-1, 8]).unwrap(), 4);
            let wide = first(&x).broadcast_to(&[1000]).unwrap();
            vec![rows.transpose().unwrap(), wide, first(&x).flip(None).unwrap(), rows]
        })
    });
}

#[test]
fn eager_results_that_nobody_reads_keep_no_operands() {
    check(BOUND, |device| {
        let device = device.clone();
        Box::new(move |_| {
            let y = large(&device).mul(2.0).unwrap();
            let total = y.mean(None, false).unwrap();
            vec![total.sub(1.0).unwrap(), total.mul(0.5).unwrap()]
        })
    });
}

/// Each fourth mean is read. The others keep what the means before were read from, until they are
/// stored: that takes what they were made of, which an earlier read computed on the way, but must
/// not store it.
#[test]
fn means_that_nobody_reads_are_stored_without_what_they_were_made_of() {
    for is_kept in [false, true] {
        for device in [cpu(), gpu()] {
            device.reset_peak();
            let (mut x, mut means, mut others) = (large(&device), Vec::new(), Vec::new());
            for n in 1..4 * ITERATIONS {
                let y = x.mul(1.0).unwrap();
                means.push(y.mean(None, false).unwrap());
                if n % 4 == 0 {
                    assert_eq!(item(means.last().unwrap()), 1.0);
                }
                // What was read was stored; other links may still be held.
                let before = std::mem::replace(&mut x, y);
                others.extend((is_kept && n % 4 != 1).then_some(before));
            }
            // Links that are held keep what the mean before was read from.
            let bound = BOUND + if is_kept { ITERATIONS as u64 * BYTES } else { 0 };
            let peak = device.stats().bytes_peak;
            assert!(peak <= bound, "{:?}, {is_kept}: {peak} bytes, of {bound}", device.kind());
            assert!(means.iter().all(|mean| item(mean) == 1.0));
        }
    }
}

#[test]
fn a_result_of_many_operands_that_was_used_does_not_keep_them() {
    check(BOUND + ITERATIONS as u64 / 4 * BYTES, |device| {
        let device = device.clone();
        Box::new(move |n| {
            if n % 4 != 0 {
                return Vec::new();
            }
            let parts: Vec<Tensor> = (0..8).map(|_| large(&device)).collect();
            let total = parts[1..].iter().fold(parts[0].clone(), |total, part| total.mul(part).unwrap());
            assert_eq!(item(&sum(&total)), LARGE as f64);
            vec![total]
        })
    });
}

/// Each link of the chain is held, and all are smaller than what they were made of: one of them is
/// stored, not all.
#[test]
fn of_a_chain_whose_links_are_held_one_is_stored() {
    for device in [cpu(), gpu()] {
        let mut held = Vec::new();
        for _ in 0..40 {
            let mut link = until(&large(&device), LARGE as i64 / 2).neg().unwrap();
            for _ in 0..7 {
                held.push(link.clone());
                link = link.neg().unwrap();
            }
            held.push(link);
        }
        let bytes = device.stats().bytes_live;
        assert!(bytes <= (64 << 20) + 6 * BYTES + 40 * BYTES / 2, "{:?}: {bytes}", device.kind());
        assert_eq!((floats(&held[0])[0], floats(&held[319])[0]), (-1.0, 1.0));
    }
}

#[test]
fn a_loss_that_is_held_does_not_keep_what_it_was_computed_from() {
    check(BOUND, |device| {
        let device = device.clone();
        Box::new(move |n| {
            let x = large(&device);
            let f = |w: &[Tensor]| x.mul(&w[0])?.mul(&x)?.mean(None, false);
            let (loss, gradients) = value_and_grad(f, &[&device.number(1.0, DType::F32).unwrap()]).unwrap();
            if n % 2 == 0 {
                assert_eq!(item(&gradients[0]), 1.0);
            }
            vec![loss]
        })
    });
}

#[test]
fn a_view_of_a_parameter_does_not_keep_what_the_parameter_was() {
    check(BOUND, |device| {
        let w = Parameter::new(large(device)).unwrap();
        let optimizer = Optimizer::new(vec![w.clone()], Sgd { lr: 0.0, ..Sgd::default() }).unwrap();
        let device = device.clone();
        Box::new(move |_| {
            let part = first(&w.get().unwrap());
            optimizer.step(vec![large(&device)]).unwrap();
            vec![part]
        })
    });
}

#[test]
fn the_end_of_a_loop_does_not_keep_what_the_loop_went_over() {
    check(BOUND, |device| {
        let device = device.clone();
        Box::new(move |_| {
            let rows = large(&device).reshape(&[8, -1]).unwrap();
            let start = device.number(1.0, DType::F32).unwrap();
            let body = |state: &[Tensor], row: &[Tensor]| {
                let largest = row[0].max(None, false)?;
                Ok((vec![state[0].mul(&largest)?], vec![largest]))
            };
            let (state, stacks) = device.scan(body, &[&start], &[&rows], Scan::default()).unwrap();
            [state, stacks].concat()
        })
    });
}

/// Each row is small, but a buffer for each would take more than the table.
#[test]
fn views_that_would_take_more_than_what_they_keep_are_not_stored() {
    for device in [cpu(), gpu()] {
        let table = large(&device).reshape(&[1 << 12, -1]).unwrap();
        let rows: Vec<Tensor> = (0..1 << 12).map(|n| table.part(&[n.into()]).unwrap()).collect();
        drop(table);
        let before = device.stats();
        // Enough for several looks, by each of the clocks.
        for _ in 0..2 * ITERATIONS {
            drop(first(&large(&device)));
        }
        let after = device.stats();
        assert_eq!((after.submits, after.bytes_live), (before.submits, before.bytes_live));
        assert_eq!(floats(&rows[77]), [1.0; LARGE >> 12]);
    }
}
