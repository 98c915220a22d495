//! Loops whose limit is far. The device says when they end, they end at their limit, and the
//! iterations after their end are not dispatched.

use crate::support::control::{close, devices, read};
use crate::support::{gpu, hardware, phone};
use weft::random::Generator;
use weft::{DType, Device, Result, Tensor, grad, vmap};

fn whole(device: &Device, n: i32) -> Tensor {
    device.tensor(&[n], &[]).unwrap()
}

/// What happens in each iteration besides counting.
#[derive(Clone, Copy, Debug)]
enum Body {
    /// Elements for themselves: one kernel.
    Elements,
    /// A product with a matrix that permutes: dispatches.
    Product,
    /// A draw, which asks for the index.
    Draw,
}

const BODIES: [Body; 3] = [Body::Elements, Body::Product, Body::Draw];

/// Counts up to `end`, at most `limit` times. Yields the count, and what the body made of a vector.
fn run(device: &Device, body: Body, end: i32, limit: usize) -> Vec<Tensor> {
    let (zero, end) = (whole(device, 0), whole(device, end));
    let x = device.tensor(&[1.0f32, 2.0, 3.0], &[1, 3]).unwrap();
    let m = device.tensor(&[0.0f32, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0], &[3, 3]).unwrap();
    let generator = Generator::new(1);
    let step = |s: &[Tensor]| {
        let n = s[0].add(1.0)?;
        Ok(match body {
            Body::Elements => vec![n],
            Body::Product => vec![n, s[1].matmul(&m)?],
            Body::Draw => vec![n, s[1].mul(0.5)?.add(&generator.uniform(device, &[1, 3], 0.0, 1.0)?)?],
        })
    };
    let state: &[&Tensor] = if matches!(body, Body::Elements) { &[&zero] } else { &[&zero, &x] };
    device.while_loop(|s| s[0].less(&end), step, state, Some(limit)).unwrap()
}

#[test]
fn a_loop_ends_at_its_condition_or_its_limit_whichever_comes_first() {
    for device in devices() {
        for body in BODIES {
            for (end, limit) in [
                (3, 100_000),
                (0, 100_000),
                (700, 50_000),
                (100_000, 257),
                (9, 9),
                (1300, 1024),
                (3000, 2500),
            ] {
                let found = run(&device, body, end, limit);
                assert_eq!(
                    read(&found[0]),
                    [end.min(limit as i32) as f32],
                    "{body:?} to {end}, {limit} at most"
                );
            }
        }
    }
}

#[test]
fn draws_are_those_of_a_loop_that_is_not_asked() {
    for device in devices() {
        let (near, far) = (run(&device, Body::Draw, 40, 100), run(&device, Body::Draw, 40, 100_000));
        close(&read(&far[1]), &read(&near[1]));
    }
}

#[test]
fn what_comes_after_the_end_is_not_dispatched() {
    for device in [gpu(), phone(), hardware()] {
        for body in BODIES {
            let before = device.stats().dispatches;
            let found = run(&device, body, 3, 100_000);
            found.iter().for_each(|x| drop(read(x)));
            let dispatches = device.stats().dispatches - before;
            assert!(dispatches < 1000, "{body:?}: {dispatches} dispatches");
        }
    }
}

#[test]
fn members_and_gradients_have_such_loops_too() {
    for device in devices() {
        let ends = device.tensor(&[2i32, 0, 5], &[3]).unwrap();
        let count = |end: &[Tensor]| -> Result<Vec<Tensor>> {
            let zero = device.number(0.0, DType::I32)?;
            device.while_loop(|s| s[0].less(&end[0]), |s| Ok(vec![s[0].add(1.0)?]), &[&zero], Some(60_000))
        };
        close(&read(&vmap(count, &[&ends], &[Some(0)]).unwrap()[0]), &[2.0, 0.0, 5.0]);
        let power = |x: &[Tensor]| {
            let one = device.number(1.0, DType::F32)?;
            let step = |s: &[Tensor]| Ok(vec![s[0].mul(&x[0])?]);
            Ok(device.while_loop(|s| s[0].less(7.0), step, &[&one], Some(300))?.remove(0))
        };
        let x = device.number(2.0, DType::F32).unwrap();
        close(&read(&grad(power, &[&x]).unwrap()[0]), &[12.0]);
    }
}
