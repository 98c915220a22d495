//! Draws inside loops. Each iteration draws anew, by the next key with the iteration's number
//! folded in, and whatever runs it again draws the same.

use crate::support::control::{close, devices, read};
use crate::support::item;
use weft::random::{self, Generator};
use weft::{DType, Device, Result, Scan, Tensor, stack};

const ITERATIONS: usize = 7;

/// A draw by a key.
type ByKey<'a> = &'a dyn Fn(&Tensor) -> Result<Tensor>;

fn zero(device: &Device) -> Tensor {
    device.number(0.0, DType::F32).unwrap()
}

/// What `draw` gives in each iteration of a scan.
fn drawn(device: &Device, draw: impl Fn() -> Result<Tensor>) -> Tensor {
    let how = Scan { length: Some(ITERATIONS), reverse: false };
    let step = |state: &[Tensor], _: &[Tensor]| {
        let one = draw()?;
        Ok((vec![state[0].add(&one.cast(DType::F32)?.sum(None, false)?)?], vec![one]))
    };
    device.scan(step, &[&zero(device)], &[], how).unwrap().1.remove(0)
}

/// The keys of the iterations of a loop around which nothing folds, when the generator was seeded
/// with `seed`.
fn keys(device: &Device, seed: i64) -> Vec<Tensor> {
    let key = Generator::new(seed).key(device).unwrap();
    (0..ITERATIONS as u32).map(|i| random::fold_in(&key, i).unwrap()).collect()
}

#[test]
fn each_iteration_draws_by_the_key_of_its_number() {
    for device in devices() {
        let generator = Generator::new(3);
        let by_generator: [&dyn Fn() -> Result<Tensor>; 5] = [
            &|| generator.normal(&device, &[2, 3], 1.0, 2.0),
            &|| generator.uniform(&device, &[4], -1.0, 1.0),
            &|| generator.bits(&device, &[3]),
            &|| generator.bernoulli(&device, 0.4, &[40]),
            &|| generator.randint(&device, &[20], 0.0, 1000.0, DType::I32),
        ];
        let by_key: [ByKey<'_>; 5] = [
            &|key| random::normal(key, &[2, 3], 1.0, 2.0),
            &|key| random::uniform(key, &[4], -1.0, 1.0),
            &|key| random::bits(key, &[3]),
            &|key| random::bernoulli(key, 0.4, &[40]),
            &|key| random::randint(key, &[20], 0.0, 1000.0, DType::I32),
        ];
        for (draw, expected) in by_generator.iter().zip(by_key) {
            generator.reseed(3);
            let found = drawn(&device, draw);
            let all: Vec<Tensor> = keys(&device, 3).iter().map(|key| expected(key).unwrap()).collect();
            let expected = read(&stack(&all.iter().collect::<Vec<_>>(), 0).unwrap());
            close(&read(&found), &expected);
            let first = expected.len() / ITERATIONS;
            assert_ne!(expected[..first], expected[first..2 * first]);
        }
    }
}

#[test]
fn loops_around_loops_and_batches_draw_for_each_of_both() {
    for device in devices() {
        let generator = Generator::new(1);
        let inner = || -> Result<Tensor> {
            let how = Scan { length: Some(3), reverse: true };
            let step = |state: &[Tensor], _: &[Tensor]| {
                let one = generator.uniform(&device, &[], 0.0, 1.0)?;
                Ok((vec![state[0].add(&one)?], vec![one]))
            };
            Ok(device.scan(step, &[&zero(&device)], &[], how)?.1.remove(0))
        };
        let nested = read(&drawn(&device, inner));
        assert_eq!(nested.len(), 3 * ITERATIONS);
        let members = device.zeros(&[4], DType::F32).unwrap();
        let batch = |x: &[Tensor]| Ok(vec![inner()?.add(&x[0])?]);
        let batched = read(&weft::vmap(batch, &[&members], &[Some(0)]).unwrap()[0]);
        assert_eq!(batched.len(), 12);
        for mut all in [nested, batched] {
            let count = all.len();
            all.sort_by(f32::total_cmp);
            all.dedup();
            assert_eq!(all.len(), count, "each draw is one of its own");
        }
    }
}

#[test]
fn a_while_loop_draws_anew_with_and_without_a_limit_and_in_its_condition() {
    for device in devices() {
        let mut counts = Vec::new();
        for limit in [None, Some(1000)] {
            let generator = Generator::new(11);
            // Throws a die until it shows a six; what was thrown is summed up.
            let die = || generator.randint(&device, &[], 1.0, 7.0, DType::I32);
            let state = [device.number(0.0, DType::I32).unwrap(), device.number(0.0, DType::I32).unwrap()];
            let thrown = device
                .while_loop(
                    |_| die()?.less(6),
                    |state| Ok(vec![state[0].add(1.0)?, state[1].add(&die()?)?]),
                    &[&state[0], &state[1]],
                    limit,
                )
                .unwrap();
            counts.push((item(&thrown[0]), item(&thrown[1])));
        }
        assert_eq!(counts[0], counts[1]);
        // By the same keys, one after the other.
        let generator = Generator::new(11);
        let [condition, body] = [generator.key(&device).unwrap(), generator.key(&device).unwrap()];
        let throw = |key: &Tensor, i: u32| {
            let key = random::fold_in(key, i).unwrap();
            item(&random::randint(&key, &[], 1.0, 7.0, DType::I32).unwrap())
        };
        let (mut count, mut sum) = (0, 0.0);
        while throw(&condition, count) < 6.0 {
            sum += throw(&body, count);
            count += 1;
        }
        assert_eq!(counts[0], (f64::from(count), sum));
        assert!(count > 0, "the seed shows more than one throw");
    }
}

#[test]
fn a_gradient_and_a_checkpoint_replay_the_draws() {
    for device in devices() {
        let expected = {
            let key = Generator::new(5).key(&device).unwrap();
            let factors: Vec<f64> = (0..ITERATIONS as u32)
                .map(|i| item(&random::uniform(&random::fold_in(&key, i).unwrap(), &[], 0.5, 1.5).unwrap()))
                .collect();
            factors.iter().product::<f64>()
        };
        for kept in [true, false] {
            let generator = Generator::new(5);
            let product = |x: &[Tensor]| {
                let times =
                    |x: &[Tensor]| Ok(vec![x[0].mul(&generator.uniform(&device, &[], 0.5, 1.5)?)?]);
                let how = Scan { length: Some(ITERATIONS), reverse: false };
                let step = |state: &[Tensor], _: &[Tensor]| {
                    let next = if kept { times(state)? } else { weft::checkpoint(times, &[&state[0]])? };
                    Ok((next, vec![]))
                };
                Ok::<Tensor, weft::Error>(device.scan(step, &[&x[0]], &[], how)?.0.remove(0))
            };
            let x = device.number(2.0, DType::F32).unwrap();
            let gradient = weft::grad(product, &[&x]).unwrap();
            close(&read(&gradient[0]), &[expected as f32]);
        }
    }
}

#[test]
fn a_captured_loop_draws_anew_at_each_call() {
    for device in devices() {
        let generator = Generator::new(8);
        let run = || drawn(&device, || generator.uniform(&device, &[3], 0.0, 1.0));
        device.trace_begin().unwrap();
        let result = run();
        let captured = device.trace_end(&[&result], &[]).unwrap();
        let mut all = Vec::new();
        for _ in 0..3 {
            all.extend(read(&captured.call(&[], &[], &[]).unwrap()[0]));
        }
        generator.reseed(8);
        let mut eager = Vec::new();
        for _ in 0..3 {
            eager.extend(read(&run()));
        }
        close(&all, &eager);
        all.sort_by(f32::total_cmp);
        all.dedup();
        assert_eq!(all.len(), 3 * 3 * ITERATIONS);
    }
}

#[test]
fn a_key_is_folded_with_the_index_of_a_loop() {
    for device in devices() {
        let key = random::key(&device, 9).unwrap();
        let step = |i: &Tensor, state: &[Tensor]| {
            let key = random::fold_in_tensor(&key, i)?;
            Ok(vec![state[0].add(&random::uniform(&key, &[], 0.0, 1.0)?)?])
        };
        let found = device.for_loop(2, 6, step, &[&zero(&device)]).unwrap();
        let expected: f64 = (2..6)
            .map(|i| item(&random::uniform(&random::fold_in(&key, i).unwrap(), &[], 0.0, 1.0).unwrap()))
            .sum();
        close(&read(&found[0]), &[expected as f32]);
        assert!(random::fold_in_tensor(&key, &zero(&device)).is_err());
        assert!(random::fold_in_tensor(&key, &key).is_err());
    }
}
