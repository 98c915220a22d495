//! Loops and branches through the public interface, compared with the same computation written out,
//! on the CPU device and, where there is one, on a GPU.

use crate::support::control::{cell, close, devices, input, read};
use crate::support::{cpu, gpu, hardware, phone};
use weft::{DType, Device, ErrorKind, Result, Scan, Tensor, concat, stack};

#[test]
fn a_scan_is_its_iterations_one_after_the_other() {
    for device in devices() {
        for iterations in [1usize, 2, 3, 8, 9] {
            for reverse in [false, true] {
                let (h, w, xs) = (
                    input(&device, &[2, 4], 1),
                    input(&device, &[4, 4], 2),
                    input(&device, &[iterations, 2, 4], 3),
                );
                let (last, stacks) = device
                    .scan(
                        |state, x| {
                            let next = cell(&state[0], &x[0], &w)?;
                            Ok((vec![next.clone()], vec![next.mul(2.0)?, state[0].clone()]))
                        },
                        &[&h],
                        &[&xs],
                        Scan { reverse, length: None },
                    )
                    .unwrap();
                let (mut state, mut doubled, mut before) = (h.clone(), Vec::new(), Vec::new());
                for t in 0..iterations as i64 {
                    let t = if reverse { iterations as i64 - 1 - t } else { t };
                    let x = xs.slice(&[(t..t + 1).into()]).unwrap().reshape(&[2, 4]).unwrap();
                    before.push(state.clone());
                    state = cell(&state, &x, &w).unwrap();
                    doubled.push(state.mul(2.0).unwrap());
                }
                if reverse {
                    doubled.reverse();
                    before.reverse();
                }
                let all = |list: &[Tensor]| stack(&list.iter().collect::<Vec<_>>(), 0).unwrap();
                close(&read(&last[0]), &read(&state));
                close(&read(&stacks[0]), &read(&all(&doubled)));
                close(&read(&stacks[1]), &read(&all(&before)));
            }
        }
    }
}

#[test]
fn states_trade_places_stay_repeat_one_another_and_count() {
    for device in devices() {
        let (a, b) = (input(&device, &[3], 1), input(&device, &[3], 2));
        let (fixed, zero) = (input(&device, &[3], 5), device.number(0.0, DType::I32).unwrap());
        for iterations in 0..6 {
            let results = device
                .for_loop(
                    2,
                    2 + iterations,
                    |i, s| {
                        let sum = s[0].add(&s[1])?;
                        let one = device.ones(&[3], DType::F32)?;
                        Ok(vec![
                            s[1].clone(),
                            sum.clone(),
                            s[2].clone(),
                            sum,
                            s[4].add(i)?,
                            i.clone(),
                            one,
                            a.clone(),
                        ])
                    },
                    &[&a, &b, &fixed, &fixed, &zero, &zero, &fixed, &fixed],
                )
                .unwrap();
            let (mut x, mut y, mut last) = (a.clone(), b.clone(), fixed.clone());
            for _ in 0..iterations {
                let sum = x.add(&y).unwrap();
                (x, y, last) = (y, sum.clone(), sum);
            }
            let none = iterations == 0;
            close(&read(&results[0]), &read(&x));
            close(&read(&results[1]), &read(&y));
            close(&read(&results[2]), &read(&fixed));
            close(&read(&results[3]), &read(&last));
            close(&read(&results[4]), &[(0..iterations).map(|i| (i + 2) as f32).sum::<f32>()]);
            close(&read(&results[5]), &[if none { 0.0 } else { (iterations + 1) as f32 }]);
            close(&read(&results[6]), &if none { read(&fixed) } else { vec![1.0; 3] });
            close(&read(&results[7]), &if none { read(&fixed) } else { read(&a) });
        }
    }
}

#[test]
fn a_state_that_comes_to_what_it_was_is_stacked_and_stays() {
    for device in devices() {
        let (a, x) = (input(&device, &[3], 1), input(&device, &[4, 3], 2));
        let body = |s: &[Tensor], x: &[Tensor]| {
            let same = weft::select(&x[0].greater(0.0)?, &s[0], &s[0])?;
            Ok((vec![same, s[1].add(&x[0])?.add(&s[0])?], vec![s[0].clone(), s[1].clone()]))
        };
        let (state, stacks) = device.scan(body, &[&a, &a], &[&x], Scan::default()).unwrap();
        let kept = read(&a);
        close(&read(&state[0]), &kept);
        close(&read(&stacks[0]), &[&kept[..], &kept, &kept, &kept].concat());
        let xs = read(&x);
        let sums: Vec<f32> = (0..5 * 3)
            .map(|n| {
                (0..n / 3).fold(kept[n % 3], |sum, iteration| sum + xs[3 * iteration + n % 3] + kept[n % 3])
            })
            .collect();
        close(&read(&stacks[1]), &sums[..12]);
        close(&read(&state[1]), &sums[12..]);
    }
}

#[test]
fn loops_nest_and_see_what_is_around_them() {
    for device in devices() {
        let w = input(&device, &[3, 3], 1);
        let x = input(&device, &[3], 2);
        let nested = device
            .for_loop(
                0,
                4,
                |i, outer| {
                    let scale = i.add(1.0)?.cast(DType::F32)?.div(8.0)?;
                    let inner = device.for_loop(
                        0,
                        3,
                        |j, s| Ok(vec![w.matmul(&s[0])?.mul(&scale)?.add(&outer[0])?.add(j)?.tanh()?]),
                        &[&outer[0]],
                    )?;
                    Ok(vec![inner[0].sub(&scale)?])
                },
                &[&x],
            )
            .unwrap();
        let mut expected = x.clone();
        for i in 0..4 {
            let scale = (f64::from(i) + 1.0) / 8.0;
            let mut s = expected.clone();
            for j in 0..3 {
                let sum = w.matmul(&s).unwrap().mul(scale).unwrap().add(&expected).unwrap();
                s = sum.add(f64::from(j)).unwrap().tanh().unwrap();
            }
            expected = s.sub(scale).unwrap();
        }
        close(&read(&nested[0]), &read(&expected));
    }
}

#[test]
fn a_while_loop_ends_when_its_condition_says_so_and_at_its_limit() {
    for device in devices() {
        let start = device.tensor(&[1.0f32, 3.0], &[2]).unwrap();
        let count = device.number(0.0, DType::I32).unwrap();
        let run = |limit| {
            device
                .while_loop(
                    |s| s[0].max(None, false)?.less(100.0),
                    |s| Ok(vec![s[0].mul(2.0)?, s[1].add(1.0)?]),
                    &[&start, &count],
                    Some(limit),
                )
                .unwrap()
        };
        let ended = run(50);
        close(&read(&ended[0]), &[64.0, 192.0]);
        close(&read(&ended[1]), &[6.0]);
        close(&read(&run(4)[0]), &[16.0, 48.0]);
        close(&read(&run(0)[0]), &[1.0, 3.0]);
    }
}

#[test]
fn a_branch_is_the_one_that_is_chosen() {
    for device in devices() {
        let (x, y) = (input(&device, &[4], 1), input(&device, &[4], 2));
        for truth in [false, true] {
            let predicate = device.tensor(&[truth], &[]).unwrap();
            let chosen = device
                .cond(&predicate, |s| Ok(vec![s[0].add(&s[1])?]), |s| Ok(vec![s[0].mul(&y)?]), &[&x, &y])
                .unwrap();
            let expected = if truth { x.add(&y) } else { x.mul(&y) }.unwrap();
            close(&read(&chosen[0]), &read(&expected));
        }
        for (index, dtype, which) in
            [(-3.0, DType::I32, 0), (1.0, DType::I32, 1), (9.0, DType::I32, 2), (4e9, DType::U32, 2)]
        {
            let index = device.number(index, dtype).unwrap();
            let chosen = device
                .switch(
                    &index,
                    &[&|s| Ok(vec![s[0].add(1.0)?]), &|s| Ok(vec![s[0].clone()]), &|s| {
                        Ok(vec![s[0].mul(3.0)?])
                    }],
                    &[&x],
                )
                .unwrap();
            let expected = [x.add(1.0), Ok(x.clone()), x.mul(3.0)][which].clone().unwrap();
            close(&read(&chosen[0]), &read(&expected));
        }
    }
}

#[test]
fn what_a_state_may_not_become_is_refused_with_its_number() {
    for device in devices() {
        let (x, live) = (input(&device, &[3], 1), device.live_nodes());
        let grown = device
            .for_loop(0, 3, |_, s| Ok(vec![s[0].clone(), concat(&[&s[1], &s[1]], 0)?]), &[&x, &x])
            .unwrap_err();
        assert_eq!(grown.kind, ErrorKind::Shape);
        assert!(
            grown.to_string().contains("forLoop: the state, tensor 1, is f32[3], then f32[6]"),
            "{grown}"
        );
        let cast = device.for_loop(0, 3, |_, s| Ok(vec![s[0].cast(DType::I32)?]), &[&x]).unwrap_err();
        assert_eq!(cast.kind, ErrorKind::DType);
        let fewer = device.for_loop(0, 3, |_, _| Ok(Vec::new()), &[&x]).unwrap_err();
        assert!(fewer.message.contains("has 1 tensors, then 0"), "{fewer}");
        let read_inside = device
            .for_loop(
                0,
                3,
                |_, s| s[0].device().realize(&[&s[0].add(1.0)?]).map(|()| vec![s[0].clone()]),
                &[&x],
            )
            .unwrap_err();
        assert_eq!(read_inside.kind, ErrorKind::Trace);
        let parameter = weft::Parameter::new(x.clone()).unwrap();
        let assigned = device
            .for_loop(0, 3, |_, s| parameter.set(s[0].add(1.0)?).map(|()| vec![s[0].clone()]), &[&x])
            .unwrap_err();
        assert_eq!(assigned.kind, ErrorKind::Trace);
        drop(parameter);
        let lengths = device.scan(
            |s, _| Ok((s.to_vec(), vec![])),
            &[&x],
            &[&x],
            Scan { length: Some(4), reverse: false },
        );
        assert_eq!(lengths.unwrap_err().kind, ErrorKind::Shape);
        assert_eq!(device.live_nodes(), live, "what failed left nodes behind");
    }
}

#[test]
fn empty_things_are_loops_too() {
    for device in devices() {
        let (none, x) = (device.zeros(&[0, 3], DType::F32).unwrap(), input(&device, &[3], 1));
        let (state, stacks) = device
            .scan(|s, x| Ok((s.to_vec(), vec![x[0].clone()])), &[&x], &[&none], Scan::default())
            .unwrap();
        close(&read(&state[0]), &read(&x));
        assert_eq!(&stacks[0].shape()[..], [0, 3]);
        let grown = device.for_loop(0, 5, |_, s| Ok(vec![s[0].add(1.0)?]), &[&none]).unwrap();
        assert_eq!(read(&grown[0]), Vec::<f32>::new());
        assert!(device.for_loop(0, 5, |_, _| Ok(Vec::new()), &[]).unwrap().is_empty());
        let (_, counted) = device
            .scan(
                |_, _| Ok((vec![], vec![device.ones(&[2], DType::F32)?])),
                &[],
                &[],
                Scan { length: Some(3), reverse: false },
            )
            .unwrap();
        close(&read(&counted[0]), &[1.0; 6]);
    }
}

#[test]
fn one_loop_computes_all_of_its_results_once_and_keeps_no_memory() {
    for device in devices() {
        let x = input(&device, &[16], 1);
        let mut after = Vec::new();
        for _ in 0..6 {
            let (state, stacks) = device
                .scan(
                    |s, _| Ok((vec![s[0].mul(0.5)?], vec![s[0].clone()])),
                    &[&x],
                    &[],
                    Scan { length: Some(7), reverse: false },
                )
                .unwrap();
            let submits = device.stats().submits;
            read(&state[0]);
            let once = device.stats().submits;
            read(&stacks[0]);
            assert!(
                device.stats().submits - once < once - submits,
                "the loop ran again for its second result"
            );
            drop((state, stacks));
            let stats = device.stats();
            after.push((stats.bytes_live, stats.program_misses, device.live_nodes()));
        }
        assert!(after[2..].iter().all(|now| *now == after[2]), "{after:?}");
    }
}

#[test]
fn a_loop_is_captured_and_its_state_donated() {
    for device in devices() {
        let (x, w) = (input(&device, &[8], 1), input(&device, &[8], 2));
        device.trace_begin().unwrap();
        let p = device.placeholder(&[8], DType::F32).unwrap();
        let times = device.scalar_placeholder(DType::F32).unwrap();
        let looped = device.for_loop(0, 6, |_, s| Ok(vec![s[0].mul(&w)?.add(&times)?]), &[&p]).unwrap();
        let captured = device.trace_end(&[&looped[0]], &[&p, &times]).unwrap();
        for number in [1.0, 0.25] {
            let mut expected = x.clone();
            for _ in 0..6 {
                expected = expected.mul(&w).unwrap().add(number).unwrap();
            }
            let expected = read(&expected);
            let given = x.add(0.0).unwrap();
            device.realize(&[&given]).unwrap();
            let results = captured.call(&[&given], &[number], &[true]).unwrap();
            close(&read(&results[0]), &expected);
        }
    }
}

/// Mandelbrot's iteration on a grid: the last state and how many iterations stayed inside.
fn mandelbrot(device: &Device, size: usize, iterations: i32) -> Result<Tensor> {
    let line = |from: f64| device.linspace(from, from + 3.0, size, true);
    let re = line(-2.0)?.expand_dims(0)?.broadcast_to(&[size, size])?;
    let im = line(-1.5)?.expand_dims(1)?.broadcast_to(&[size, size])?;
    let zero = device.zeros(&[size, size], DType::F32)?;
    let none = device.zeros(&[size, size], DType::I32)?;
    let state = device.for_loop(
        0,
        iterations,
        |_, s| {
            let (x, y) = (&s[0], &s[1]);
            let inside = x.square()?.add(y.square()?)?.less(4.0)?;
            let next = x.square()?.sub(y.square()?)?.add(&re)?;
            Ok(vec![
                weft::select(&inside, next, x)?,
                weft::select(&inside, x.mul(y)?.mul(2.0)?.add(&im)?, y)?,
                s[2].add(inside.cast(DType::I32)?)?,
            ])
        },
        &[&zero, &zero, &none],
    )?;
    Ok(state[2].clone())
}

#[test]
fn a_loop_over_elements_is_one_dispatch_that_each_element_leaves_when_it_is_done() {
    let expected = read(&mandelbrot(&cpu(), 32, 100).unwrap());
    assert!(expected.contains(&100.0) && expected.iter().any(|&n| n < 5.0));
    for device in [gpu(), phone(), hardware()] {
        let before = device.stats().dispatches;
        let counts = mandelbrot(&device, 32, 100).unwrap();
        device.realize(&[&counts]).unwrap();
        assert_eq!(device.stats().dispatches - before, 1);
        let got = read(&counts);
        let differ = got.iter().zip(&expected).filter(|(a, b)| a != b).count();
        assert!(differ < 12, "{differ} of {} differ by more than rounding explains", got.len());
    }
}

#[test]
fn loops_inside_a_kernel_know_their_index_their_tables_and_their_order() {
    for device in devices() {
        let (x, table) = (input(&device, &[6], 1), input(&device, &[5], 2));
        let xs = input(&device, &[7, 6], 3);
        let short = input(&device, &[6, 4], 4);
        for reverse in [false, true] {
            let (state, _) = device
                .scan(
                    |s, x| {
                        let place = s[1].remainder(5.0)?;
                        let found = table.take(&place, None)?;
                        let sums = short
                            .mul(&s[0].expand_dims(1)?.broadcast_to(&[6, 4])?)?
                            .sum(Some(&[1]), false)?;
                        Ok((
                            vec![s[0].mul(0.5)?.add(found)?.add(&x[0])?.add(sums.mul(0.1)?)?, s[1].add(3.0)?],
                            vec![],
                        ))
                    },
                    &[&x, &device.zeros(&[6], DType::I32).unwrap()],
                    &[&xs],
                    Scan { reverse, length: None },
                )
                .unwrap();
            let mut expected = x.clone();
            for n in 0..7i64 {
                let t = if reverse { 6 - n } else { n };
                let slice = xs.slice(&[(t..t + 1).into()]).unwrap().reshape(&[6]).unwrap();
                let found = table
                    .slice(&[((n * 3) % 5..(n * 3) % 5 + 1).into()])
                    .unwrap()
                    .broadcast_to(&[6])
                    .unwrap();
                let wide = expected.expand_dims(1).unwrap().broadcast_to(&[6, 4]).unwrap();
                let sums = short.mul(wide).unwrap().sum(Some(&[1]), false).unwrap();
                expected = expected
                    .mul(0.5)
                    .unwrap()
                    .add(found)
                    .unwrap()
                    .add(slice)
                    .unwrap()
                    .add(sums.mul(0.1).unwrap())
                    .unwrap();
            }
            close(&read(&state[0]), &read(&expected));
            close(&read(&state[1]), &[21.0; 6]);
        }
    }
}

#[test]
fn ten_thousand_iterations_with_an_index_each_are_few_submits() {
    for device in [cpu(), gpu()] {
        let x = device.tensor(&[1.0f32, 2.0, 3.0, 4.0], &[4]).unwrap();
        let before = device.stats().submits;
        // Each element asks for all of them, so that the iterations are dispatches.
        let state = device
            .for_loop(0, 10_000, |i, s| Ok(vec![s[0].flip(None)?.mul(0.5)?.add(i.remainder(7.0)?)?]), &[&x])
            .unwrap();
        device.realize(&[&state[0]]).unwrap();
        let submits = device.stats().submits - before;
        let mut expected = [1.0f64, 2.0, 3.0, 4.0];
        for i in 0..10_000 {
            expected = [3, 2, 1, 0].map(|n: usize| expected[n] * 0.5 + f64::from(i % 7));
        }
        close(&read(&state[0]), &expected.map(|x| x as f32));
        assert!(submits <= 4, "{submits} submits");
    }
}
