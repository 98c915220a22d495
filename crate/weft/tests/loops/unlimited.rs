//! Loops without a limit. The device says when they end. The tests check their results, how often
//! the host asks the device, and what they leave behind.

use crate::support::control::{close, devices, input, read};
use crate::support::{gpu, hardware, phone};
use weft::{DType, Device, ErrorKind, Result, Scan, Tensor};

const ITERATIONS: [i32; 6] = [0, 1, 8, 9, 1000, 100_000];

/// Counts to `iterations`, element by element: inside one kernel.
fn count(device: &Device, iterations: i32) -> Tensor {
    let zero = device.tensor(&[0i32], &[]).unwrap();
    let end = device.tensor(&[iterations], &[]).unwrap();
    let results = device.while_loop(|s| s[0].less(&end), |s| Ok(vec![s[0].add(1.0)?]), &[&zero], None);
    results.unwrap().remove(0)
}

/// Iterations that take dispatches of their own: a vector turned by a matrix that permutes, and how
/// often.
fn turned(device: &Device, iterations: i32) -> Vec<Tensor> {
    let (x, m) = (device.tensor(&[1.0f32, 2.0, 3.0], &[1, 3]).unwrap(), permutation(device));
    let (zero, end) = (device.tensor(&[0i32], &[]).unwrap(), device.tensor(&[iterations], &[]).unwrap());
    let body = |s: &[Tensor]| Ok(vec![s[0].matmul(&m)?, s[1].add(1.0)?]);
    device.while_loop(|s| s[1].less(&end), body, &[&x, &zero], None).unwrap()
}

fn permutation(device: &Device) -> Tensor {
    device.tensor(&[0.0f32, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0], &[3, 3]).unwrap()
}

/// The vector after so many iterations.
fn expected(iterations: i32) -> Vec<f32> {
    let mut x = vec![1.0, 2.0, 3.0];
    x.rotate_right(iterations as usize % 3);
    x
}

#[test]
fn a_loop_without_a_limit_goes_on_until_its_condition_fails() {
    for device in devices() {
        for iterations in ITERATIONS.into_iter().filter(|&iterations| iterations <= 1000) {
            close(&read(&count(&device, iterations)), &[iterations as f32]);
            let results = turned(&device, iterations);
            close(&read(&results[0]), &expected(iterations));
            close(&read(&results[1]), &[iterations as f32]);
        }
    }
}

#[test]
fn it_is_asked_seldom_and_memory_is_flat() {
    for device in [gpu(), phone(), hardware()] {
        for iterations in ITERATIONS {
            // The first makes pipelines and buffers.
            for again in [false, true] {
                let before = device.stats();
                close(&read(&count(&device, iterations)), &[iterations as f32]);
                let after = device.stats();
                // 2, 4, 8 … times 1,024 iterations, each in a submit that the device answers; then
                // the result is read.
                let asked = ((f64::from(iterations + 1) / 2048.0 + 1.0).log2().ceil() as u64).max(1);
                assert_eq!(after.submits - before.submits, asked + 2, "{iterations} iterations");
                assert!(
                    after.dispatches - before.dispatches <= 8 + (iterations as u64).div_ceil(128),
                    "{iterations}"
                );
                if again {
                    assert_eq!(after.pipelines_compiled, before.pipelines_compiled, "{iterations}");
                    assert_eq!(after.bytes_live, before.bytes_live, "{iterations}");
                }
            }
        }
    }
}

#[test]
fn iterations_of_several_dispatches_are_asked_seldom_too() {
    for device in [gpu(), phone(), hardware()] {
        let mut peaks = Vec::new();
        for iterations in [1, 8, 9, 1000, 5000] {
            let before = device.stats();
            let results = turned(&device, iterations);
            close(&read(&results[0]), &expected(iterations));
            let after = device.stats();
            let asked = ((f64::from(iterations + 1) / 32.0 + 1.0).log2().ceil() as u64).max(1);
            // A submit may be full before the loop asks.
            let most = asked + 1 + (after.dispatches - before.dispatches) / 500;
            assert!(
                (asked + 1..=most).contains(&(after.submits - before.submits)),
                "{iterations}: {after:?}"
            );
            peaks.push(after.bytes_peak);
        }
        assert_eq!(peaks[1], peaks[4], "{peaks:?}");
    }
}

#[test]
fn loops_without_a_limit_nest_in_loops_and_branches() {
    for device in devices() {
        let xs = device.tensor(&[3.0f32, 50.0, 1.0, 700.0], &[4]).unwrap();
        // Doubles until it is past x; the next begins with what is left.
        let doubled = |s: &[Tensor], x: &[Tensor]| -> Result<(Vec<Tensor>, Vec<Tensor>)> {
            let past =
                device.while_loop(|s| s[0].less(&x[0]), |s| Ok(vec![s[0].mul(2.0)?]), &[&s[0]], None)?;
            Ok((vec![past[0].div(4.0)?], vec![past[0].clone()]))
        };
        let one = device.tensor(&[1.0f32], &[]).unwrap();
        let (last, stacks) = device.scan(doubled, &[&one], &[&xs], Scan::default()).unwrap();
        close(&read(&stacks[0]), &[4.0, 64.0, 16.0, 1024.0]);
        close(&read(&last[0]), &[256.0]);

        // A loop that would never end, where it is not chosen.
        for chosen in [false, true] {
            let flag = device.tensor(&[chosen], &[]).unwrap();
            let endless = |s: &[Tensor]| {
                let big = s[0].add(if chosen { 100.0 } else { 0.0 })?;
                device.while_loop(|t| t[0].less(50.0), |t| Ok(vec![t[0].mul(1.0)?]), &[&big], None)
            };
            let found = device.cond(&flag, endless, |s| Ok(vec![s[0].neg()?]), &[&one]).unwrap();
            close(&read(&found[0]), &[if chosen { 101.0 } else { -1.0 }]);
        }

        // Collatz: how many steps until 1, the largest of several numbers.
        let outer = |s: &[Tensor]| {
            let inner = |t: &[Tensor]| {
                let half = t[0].floor_divide(2.0)?;
                let is_even = half.mul(2.0)?.equal(&t[0])?;
                let next = weft::select(&is_even, &half, &t[0].mul(3.0)?.add(1.0)?)?;
                Ok(vec![next, t[1].add(1.0)?])
            };
            let zero = device.tensor(&[0i32], &[])?;
            let end = device.while_loop(|t| t[0].not_equal(1.0), inner, &[&s[0], &zero], None)?;
            Ok(vec![s[0].add(1.0)?, s[1].maximum(&end[1])?])
        };
        let (from, most) = (device.tensor(&[25i32], &[]).unwrap(), device.tensor(&[0i32], &[]).unwrap());
        let found = device.while_loop(|s| s[0].less_equal(27.0), outer, &[&from, &most], None).unwrap();
        close(&read(&found[1]), &[111.0]);
    }
}

#[test]
fn members_that_are_done_do_not_change_and_the_last_one_ends_the_loop() {
    for device in devices() {
        let ends = device.tensor(&[0.0f32, 1.0, 5.0, 3000.0, 40.0], &[5]).unwrap();
        let iterations = device.tensor(&[0i32, 1, 5, 3000, 40], &[5]).unwrap();
        let each = |x: &[Tensor]| {
            let state = [x[0].mul(0.0)?, device.tensor(&[0i32], &[])?];
            let body = |s: &[Tensor]| Ok(vec![s[0].add(1.0)?, s[1].add(1.0)?]);
            device.while_loop(|s| s[0].less(&x[0]), body, &[&state[0], &state[1]], None)
        };
        let found = weft::vmap(each, &[&ends], &[Some(0)]).unwrap();
        close(&read(&found[0]), &read(&ends));
        close(&read(&found[1]), &read(&iterations));
    }
}

#[test]
fn what_follows_a_loop_waits_for_it() {
    for device in devices() {
        let mut sums = Vec::new();
        for iterations in [3000, 10, 2500] {
            let counted = count(&device, iterations);
            device.realize(&[&counted]).unwrap();
            let uploaded = device.tensor(&[1i32, 2], &[2]).unwrap();
            sums.push((iterations, counted.add(&uploaded).unwrap()));
        }
        for (iterations, sum) in sums {
            close(&read(&sum), &[iterations as f32 + 1.0, iterations as f32 + 2.0]);
        }
    }
}

#[test]
fn a_captured_function_holds_one() {
    for device in devices() {
        device.trace_begin().unwrap();
        let x = device.placeholder(&[], DType::F32).unwrap();
        let half = |s: &[Tensor]| Ok(vec![s[0].mul(0.5)?]);
        let halved = device.while_loop(|s| s[0].greater(1.0), half, &[&x], None).unwrap();
        let captured = device.trace_end(&[&halved[0]], &[&x]).unwrap();
        for (from, to) in [(1.0f32, 1.0), (1e6, 0.953_674_3), (-5.0, -5.0)] {
            let given = device.tensor(&[from], &[]).unwrap();
            close(&read(&captured.call(&[&given], &[], &[]).unwrap()[0]), &[to]);
        }
    }
}

#[test]
fn its_gradient_asks_for_a_limit_and_its_derivative_along_a_direction_does_not() {
    for device in devices() {
        let x = input(&device, &[], 3);
        let newton = |x: &[Tensor]| {
            let target = x[0].abs()?.add(2.0)?;
            let body = |s: &[Tensor]| Ok(vec![s[0].add(&target.div(&s[0])?)?.mul(0.5)?]);
            let condition = |s: &[Tensor]| s[0].square()?.sub(&target)?.abs()?.greater(1e-5);
            let start = device.tensor(&[1.0f32], &[])?;
            device.while_loop(condition, body, &[&start], None)
        };
        let error = weft::grad(|x| Ok(newton(x)?.remove(0)), &[&x]).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Trace);
        assert!(error.message.contains("limit"), "{error}");
        let one = device.tensor(&[1.0f32], &[]).unwrap();
        let (value, along) = weft::jvp(newton, &[&x], &[&one]).unwrap();
        let root = read(&value[0])[0];
        let sign = read(&x)[0].signum();
        assert!((read(&along[0])[0] - sign / (2.0 * root)).abs() < 1e-3);
    }
}
