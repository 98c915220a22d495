//! Gradients, tangents and batches of loops and branches, compared with the same computation
//! written out.

use crate::support::control::{cell, close, devices, input, read};
use crate::support::{gpu, hardware, phone, wait};
use weft::{DType, Device, Result, Scan, Stats, Tensor};

/// A value made by a loop, and the same written out, of two tensors.
type Pair<'a> = (&'a dyn Fn(&[Tensor]) -> Result<Tensor>, &'a dyn Fn(&[Tensor]) -> Result<Tensor>);

/// Checks that two functions have one value and one gradient; on the CPU device gradients of
/// gradients too.
fn agree(device: &Device, (looped, written_out): Pair<'_>, inputs: &[&Tensor], twice: bool) {
    let (a, da) = weft::value_and_grad(looped, inputs).unwrap();
    let (b, db) = weft::value_and_grad(written_out, inputs).unwrap();
    close(&read(&a), &read(&b));
    for (da, db) in da.iter().zip(&db) {
        close(&read(da), &read(db));
    }
    if twice && device.kind() == weft::DeviceKind::Cpu {
        let norm = |f: &dyn Fn(&[Tensor]) -> Result<Tensor>, x: &[Tensor]| {
            let gradients = weft::grad(f, &x.iter().collect::<Vec<_>>())?;
            gradients[0].square()?.sum(None, false)?.add(gradients[1].sin()?.sum(None, false)?)
        };
        let da = weft::grad(|x| norm(looped, x), inputs).unwrap();
        let db = weft::grad(|x| norm(written_out, x), inputs).unwrap();
        for (da, db) in da.iter().zip(&db) {
            close(&read(da), &read(db));
        }
    }
}

#[test]
fn the_gradient_of_a_scan_is_that_of_its_iterations() {
    for device in devices() {
        for iterations in [1usize, 2, 8, 9] {
            for reverse in [false, true] {
                let (h, xs) = (input(&device, &[2, 3], 1), input(&device, &[iterations, 2, 3], 3));
                let w = input(&device, &[3, 3], 2).mul(0.5).unwrap();
                let looped = |p: &[Tensor]| {
                    let (state, stacks) = device.scan(
                        |s, x| {
                            let next = cell(&s[0], &x[0], &p[2])?;
                            Ok((vec![next.clone(), s[1].add(1.0)?], vec![next.mul(&s[0])?.mul(&s[1])?]))
                        },
                        &[&p[0], &device.number(0.0, DType::F32)?],
                        &[&p[1]],
                        Scan { reverse, length: None },
                    )?;
                    state[0].square()?.sum(None, false)?.add(stacks[0].sum(None, false)?)
                };
                let written_out = |p: &[Tensor]| {
                    let (mut s, mut total) = (p[0].clone(), device.number(0.0, DType::F32)?);
                    for n in 0..iterations as i64 {
                        let t = if reverse { iterations as i64 - 1 - n } else { n };
                        let x = p[1].slice(&[(t..t + 1).into()])?.reshape(&[2, 3])?;
                        let next = cell(&s, &x, &p[2])?;
                        total = total.add(next.mul(&s)?.mul(n as f64)?.sum(None, false)?)?;
                        s = next;
                    }
                    s.square()?.sum(None, false)?.add(total)
                };
                agree(&device, (&looped, &written_out), &[&h, &xs, &w], iterations < 3);
            }
        }
    }
}

#[test]
fn the_gradient_goes_through_nested_loops_branches_and_bounded_whiles() {
    for device in devices() {
        let (x, y) = (input(&device, &[3], 1), input(&device, &[3], 2));
        let looped = |p: &[Tensor]| {
            let state = device.for_loop(
                0,
                4,
                |i, outer| {
                    let inner = device.for_loop(
                        0,
                        3,
                        |_, s| Ok(vec![s[0].mul(&p[1])?.add(&outer[0])?.tanh()?]),
                        &[&outer[0]],
                    )?;
                    let chosen = device.cond(
                        &i.remainder(2.0)?.equal(0.0)?,
                        |s| Ok(vec![s[0].mul(&p[1])?]),
                        |s| Ok(vec![s[0].sin()?]),
                        &[&inner[0]],
                    )?;
                    Ok(chosen)
                },
                &[&p[0]],
            )?;
            let grown = device.while_loop(
                |s| s[0].square()?.sum(None, false)?.less(30.0),
                |s| Ok(vec![s[0].mul(1.5)?.add(&p[1])?]),
                &[&state[0]],
                Some(12),
            )?;
            grown[0].square()?.sum(None, false)
        };
        let written_out = |p: &[Tensor]| {
            let mut state = p[0].clone();
            for i in 0..4 {
                let mut s = state.clone();
                for _ in 0..3 {
                    s = s.mul(&p[1])?.add(&state)?.tanh()?;
                }
                state = if i % 2 == 0 { s.mul(&p[1])? } else { s.sin()? };
            }
            for _ in 0..12 {
                let small = state.square()?.sum(None, false)?.less(30.0)?.broadcast_to(&[3])?;
                state = weft::select(&small, state.mul(1.5)?.add(&p[1])?, &state)?;
            }
            state.square()?.sum(None, false)
        };
        agree(&device, (&looped, &written_out), &[&x, &y], true);
    }
}

#[test]
fn a_gradient_runs_its_loop_once_with_a_condition_as_without() {
    let device = gpu();
    let (h, w) = (input(&device, &[4, 4], 1), input(&device, &[4, 4], 2));
    let x = device.zeros(&[4, 4], DType::F32).unwrap();
    let dispatches = |looped: &dyn Fn(&[Tensor]) -> Result<Tensor>| {
        let (value, gradients) = weft::value_and_grad(looped, &[&w]).unwrap();
        let before = device.stats().dispatches;
        device.realize(&[&value, &gradients[0]]).unwrap();
        device.stats().dispatches - before
    };
    let counted = dispatches(&|p| {
        let body = |_: &Tensor, s: &[Tensor]| Ok(vec![cell(&s[0], &x, &p[0])?, s[1].add(1.0)?]);
        let state = device.for_loop(0, 5, body, &[&h, &device.number(0.0, DType::F32)?])?;
        state[0].square()?.sum(None, false)
    });
    let ended = dispatches(&|p| {
        let body = |s: &[Tensor]| Ok(vec![cell(&s[0], &x, &p[0])?, s[1].add(1.0)?]);
        let zero = device.number(0.0, DType::F32)?;
        let state = device.while_loop(|s| s[1].less(4.0), body, &[&h, &zero], Some(5))?;
        state[0].square()?.sum(None, false)
    });
    // An iteration may ask for its condition by itself.
    assert!(ended <= counted + 5, "{ended} dispatches, where a loop without a condition has {counted}");
}

#[test]
fn a_thousand_iterations_have_the_gradient_of_their_closed_form() {
    for device in devices() {
        // Logistic growth towards 1: xₙ stays in reach of f32, and its derivative by x₀ is ∏ (1 + r
        // (1 − 2 xₖ)).
        let x = device.tensor(&[0.001f32, 0.0005], &[2]).unwrap();
        let rate = device.tensor(&[0.01f32], &[]).unwrap();
        let f = |p: &[Tensor]| {
            let grown = device.for_loop(
                0,
                1000,
                |_, s| Ok(vec![s[0].add(s[0].mul(device.ones(&[2], DType::F32)?.sub(&s[0])?)?.mul(&p[1])?)?]),
                &[&p[0]],
            )?;
            grown[0].sum(None, false)
        };
        let (value, gradients) = weft::value_and_grad(f, &[&x, &rate]).unwrap();
        let run = |start: f64, r: f64| {
            let (mut x, mut dx, mut dr) = (start, 1.0, 0.0);
            for _ in 0..1000 {
                let slope = 1.0 + r * (1.0 - 2.0 * x);
                dr = dr * slope + x * (1.0 - x);
                dx *= slope;
                x += r * x * (1.0 - x);
            }
            (x, dx, dr)
        };
        let (a, b) = (run(0.001, 0.01), run(0.0005, 0.01));
        let near = |got: f32, expected: f64| {
            assert!((f64::from(got) - expected).abs() < 2e-3 * expected.abs(), "{got}, not {expected}")
        };
        near(read(&value)[0], a.0 + b.0);
        near(read(&gradients[0])[0], a.1);
        near(read(&gradients[0])[1], b.1);
        near(read(&gradients[1])[0], a.2 + b.2);
    }
}

#[test]
fn a_recurrent_net_trains_in_one_submit_and_makes_nothing_anew() {
    for device in [gpu(), hardware()] {
        let (h, w) = (input(&device, &[2, 4], 1), input(&device, &[4, 4], 2).mul(0.3).unwrap());
        let xs = input(&device, &[128, 2, 4], 3);
        device.realize(&[&h, &w, &xs]).unwrap();
        let mut counts = Vec::new();
        for _ in 0..4 {
            let before = device.stats();
            let (value, gradients) = weft::value_and_grad(
                |p| {
                    let (state, _) = device.scan(
                        |s, x| Ok((vec![cell(&s[0], &x[0], &p[0])?], vec![])),
                        &[&h],
                        &[&xs],
                        Scan::default(),
                    )?;
                    state[0].square()?.sum(None, false)
                },
                &[&w],
            )
            .unwrap();
            device.realize(&[&value, &gradients[0]]).unwrap();
            wait(device.idle()).unwrap();
            let after = device.stats();
            counts.push((
                after.submits - before.submits,
                after.pipelines_compiled - before.pipelines_compiled,
                after.buffers_created - before.buffers_created,
                after.program_misses - before.program_misses,
            ));
        }
        assert_eq!(counts[2], (1, 0, 0, 0), "{counts:?}");
        assert_eq!(counts[3], (1, 0, 0, 0), "{counts:?}");
    }
}

#[test]
fn tangents_and_batches_go_through_loops_and_branches_as_through_what_they_do() {
    for device in devices() {
        let (xs, y) = (input(&device, &[4, 3], 1), input(&device, &[3], 2));
        let bounds = device.tensor(&[0.5f32, 4.0, 9.0, 60.0], &[4]).unwrap();
        // A scan over what members share and what they do not, a loop that each member leaves at
        // its own time, a choice of its own.
        let run = |p: &[Tensor]| {
            let (x, bound) = (&p[0], &p[1]);
            let (state, stacks) = device.scan(
                |s, t| Ok((vec![s[0].mul(&y)?.add(&t[0])?.tanh()?], vec![s[0].mul(&t[1])?])),
                &[x],
                &[&y, &x.square()?],
                Scan::default(),
            )?;
            let size = x.square()?.sum(None, false)?;
            let grown = device.while_loop(
                |s| s[0].less(bound),
                |s| Ok(vec![s[0].mul(2.0)?.add(0.25)?, s[1].add(1.0)?]),
                &[&size, &device.number(0.0, DType::F32)?],
                Some(20),
            )?;
            let chosen = device.switch(
                &grown[1].cast(DType::I32)?,
                &[&|s| Ok(vec![s[0].sin()?]), &|s| Ok(vec![s[0].mul(3.0)?]), &|s| Ok(vec![s[0].square()?])],
                &[&state[0]],
            )?;
            Ok(vec![
                state[0].clone(),
                stacks[0].clone(),
                grown[0].clone(),
                grown[1].clone(),
                chosen[0].clone(),
            ])
        };
        let together = weft::vmap(run, &[&xs, &bounds], &[Some(0), Some(0)]).unwrap();
        for member in 0..4 {
            let part =
                |x: &Tensor| x.take(&device.number(f64::from(member), DType::I32).unwrap(), Some(0)).unwrap();
            let alone = run(&[part(&xs), part(&bounds)]).unwrap();
            for (all, one) in together.iter().zip(&alone) {
                close(&read(&part(all)), &read(one));
            }
        }
        let (x, along) = (input(&device, &[3], 5), input(&device, &[3], 6));
        let bound = device.number(9.0, DType::F32).unwrap();
        let of = |p: &[Tensor]| run(&[p[0].clone(), bound.clone()]);
        let (_, tangents) = weft::jvp(of, &[&x], &[&along]).unwrap();
        for (n, tangent) in tangents.iter().enumerate() {
            // ⟨tangent, 1⟩ = ⟨along, gradient⟩.
            let gradient = weft::grad(|p| of(p)?[n].sum(None, false), &[&x]).unwrap();
            let backward = gradient[0].mul(&along).unwrap().sum(None, false).unwrap();
            close(&read(&tangent.sum(None, false).unwrap()), &read(&backward));
        }
    }
}

/// An LSTM cell: the next hidden state and cell state, of both, an input, and weights for each.
fn lstm(state: &[Tensor], x: &Tensor, [wi, wh]: [&Tensor; 2]) -> Result<Vec<Tensor>> {
    let hidden = state[0].shape()[1] as i64;
    let gates = x.matmul(wi)?.add(&state[0].matmul(wh)?)?;
    let gate = |n: i64| gates.slice(&[weft::Range::ALL, (n * hidden..(n + 1) * hidden).into()]);
    let (input, forget, output) = (gate(0)?.sigmoid()?, gate(1)?.sigmoid()?, gate(3)?.sigmoid()?);
    let c = forget.mul(&state[1])?.add(&input.mul(&gate(2)?.tanh()?)?)?;
    Ok(vec![output.mul(&c.tanh()?)?, c])
}

#[test]
fn an_lstm_over_128_steps_is_one_submit_and_makes_nothing_after_its_first_call() {
    let (steps, batch, features, hidden) = (128, 2, 3, 4);
    for device in [gpu(), phone(), hardware()] {
        let run = |p: &[Tensor]| {
            let (state, outputs) = device.scan(
                |state, x| {
                    let next = lstm(state, &x[0], [&p[1], &p[2]])?;
                    Ok((next.clone(), vec![next[0].clone()]))
                },
                &[&p[3], &p[4]],
                &[&p[0]],
                Scan { reverse: false, length: None },
            )?;
            outputs[0].square()?.sum(None, false)?.add(state[1].sum(None, false)?)
        };
        let shapes = [
            vec![steps, batch, features],
            vec![features, 4 * hidden],
            vec![hidden, 4 * hidden],
            vec![batch, hidden],
            vec![batch, hidden],
        ];
        let inputs: Vec<Tensor> = (1..).zip(&shapes).map(|(n, shape)| input(&device, shape, n)).collect();
        let inputs: Vec<&Tensor> = inputs.iter().collect();
        for with_gradient in [false, true] {
            device.trace_begin().unwrap();
            let given: Vec<Tensor> =
                shapes.iter().map(|shape| device.placeholder(shape, DType::F32).unwrap()).collect();
            let given: Vec<&Tensor> = given.iter().collect();
            let results = if with_gradient {
                let (value, gradients) = weft::value_and_grad(run, &given).unwrap();
                [vec![value], gradients].concat()
            } else {
                vec![run(&given.iter().map(|&x| x.clone()).collect::<Vec<_>>()).unwrap()]
            };
            let captured = device.trace_end(&results.iter().collect::<Vec<_>>(), &given).unwrap();
            let mut values = Vec::new();
            for call in 0..4 {
                let before = device.stats();
                let results = captured.call(&inputs, &[], &[]).unwrap();
                let after = device.stats();
                assert_eq!(after.submits - before.submits, 1, "gradient {with_gradient}, call {call}");
                assert!(after.dispatches - before.dispatches >= steps as u64);
                if call > 0 {
                    let made = |stats: &Stats| (stats.pipelines_compiled, stats.buffers_created);
                    assert_eq!(made(&after), made(&before), "gradient {with_gradient}, call {call}");
                }
                values.push(results.iter().map(read).collect::<Vec<_>>());
            }
            assert!(values.iter().all(|again| *again == values[0] && again[0][0].is_finite()));
        }
    }
}
