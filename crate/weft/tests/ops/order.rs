//! Sorting and functions built on it: long lines, many lines, inside loops and under
//! transformations, and how many kernels they take.

use crate::support::{floats, gpu, hardware, phone, wait};
use weft::random::{self, Picks};
use weft::{Between, DType, Device, Range, Tensor, grad, lexsort, vmap};

/// Each kind that is computed otherwise.
fn devices() -> [Device; 4] {
    [Device::cpu(), gpu(), phone(), hardware()]
}

/// Numbers with ties, in no order.
fn mixed(length: usize) -> Vec<f32> {
    (0..length).map(|i| ((i * 7919 + i / 7) % 5003) as f32 - 2000.0).collect()
}

fn ints(x: &Tensor) -> Vec<f32> {
    floats(&x.cast(DType::F32).unwrap())
}

/// The positions that sort stably.
fn order(data: &[f32]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..data.len()).collect();
    places.sort_by(|&a, &b| data[a].total_cmp(&data[b]));
    places
}

#[test]
fn long_lines_and_many_lines_are_sorted_stably() {
    for device in devices() {
        for (rows, length) in [(3usize, 2049usize), (1, 70_000), (70_000, 3)] {
            let data = mixed(rows * length);
            let x = device.tensor(&data, &[rows, length]).unwrap();
            let got = ints(&x.argsort(-1, false).unwrap());
            for (n, line) in data.chunks(length).enumerate() {
                let expected: Vec<f32> = order(line).iter().map(|&place| place as f32).collect();
                assert_eq!(got[n * length..][..length], expected[..], "row {n} of {rows} by {length}");
            }
        }
    }
}

#[test]
fn on_hardware_a_short_sort_is_one_kernel_with_what_surrounds_it() {
    let device = hardware();
    let x = device.tensor(&mixed(3000), &[3, 1000]).unwrap();
    let before = device.stats();
    let got = floats(&x.mul(2.0).unwrap().sort(-1, false).unwrap().add(1.0).unwrap());
    assert_eq!(device.stats().dispatches - before.dispatches, 1);
    assert!(got.chunks(1000).all(|row| row.is_sorted()));
}

#[test]
fn sorts_differentiate_batch_and_run_in_loops() {
    for device in [Device::cpu(), gpu()] {
        let x = device.tensor(&[3.0f32, 1.0, 2.0], &[3]).unwrap();
        let weights = device.tensor(&[10.0f32, 20.0, 30.0], &[3]).unwrap();
        let of = |x: &[Tensor]| x[0].sort(0, false)?.mul(&weights)?.sum(None, false);
        assert_eq!(floats(&grad(of, &[&x]).unwrap()[0]), [30.0, 10.0, 20.0]);
        // Of each member its own order.
        let rows = device.tensor(&[3.0f32, 1.0, 2.0, 4.0, 6.0, 5.0], &[2, 3]).unwrap();
        let batched = vmap(|x| Ok(vec![x[0].argsort(0, true)?]), &[&rows], &[Some(0)]).unwrap();
        assert_eq!(ints(&batched[0]), [0.0, 2.0, 1.0, 1.0, 2.0, 0.0]);
        // Smallest to the front, and turned, again and again.
        let last =
            device.for_loop(0, 3, |_, state| Ok(vec![state[0].sort(0, false)?.mul(-1.0)?]), &[&x]).unwrap();
        assert_eq!(floats(&last[0]), [-1.0, -2.0, -3.0]);
        let long = device.tensor(&mixed(2100), &[2100]).unwrap();
        let sorted = device.for_loop(0, 2, |_, state| Ok(vec![state[0].sort(0, true)?]), &[&long]).unwrap();
        assert!(floats(&sorted[0]).is_sorted_by(|a, b| a >= b));
    }
}

#[test]
fn the_largest_come_with_their_positions() {
    for device in [Device::cpu(), gpu()] {
        let x = device.tensor(&[3.0f32, f32::NAN, 4.0, 1.0, 4.0], &[5]).unwrap();
        let (values, places) = x.top_k(3, 0).unwrap();
        let values = floats(&values);
        assert!(values[0].is_nan() && values[1..] == [4.0, 4.0], "{values:?}");
        assert_eq!(ints(&places), [1.0, 2.0, 4.0]);
        assert!(x.top_k(6, 0).unwrap_err().to_string().contains("fewer than 6"));
    }
}

/// Of lines that are too long to be sorted at once: many equal elements, whose first come first,
/// and the lowest of all among them, beside which groups are filled up.
#[test]
fn the_largest_of_long_lines_come_with_their_positions() {
    for device in [Device::cpu(), gpu()] {
        for (n, k, few) in
            [(2049, 1, 3), (5003, 512, 900), (5003, 40, 2), (5003, 600, 9), (300_000, 7, 50_000)]
        {
            let data: Vec<u32> = mixed(2 * n).iter().map(|x| (x.abs() * 1e4) as u32 % few).collect();
            let rows = device.tensor(&data, &[2, n]).unwrap();
            let columns = rows.swap_axes(0, 1).unwrap();
            let expected: Vec<f32> = data
                .chunks(n)
                .flat_map(|line| {
                    let mut order: Vec<usize> = (0..n).collect();
                    order.sort_by_key(|&at| (std::cmp::Reverse(line[at]), at));
                    order.into_iter().take(k).map(|at| at as f32)
                })
                .collect();
            let (values, places) = rows.top_k(k, -1).unwrap();
            assert_eq!(ints(&places), expected, "{k} of {n}");
            let (_, down) = columns.top_k(k, 0).unwrap();
            assert_eq!(ints(&down.swap_axes(0, 1).unwrap()), expected, "{k} of {n}, down");
            let of = |place: usize| data[place / k * n + expected[place] as usize] as f32;
            assert_eq!(ints(&values), (0..2 * k).map(of).collect::<Vec<_>>());
        }
        let flags = device.tensor(&mixed(5003), &[5003]).unwrap().greater(2.0).unwrap();
        let (some, places) = flags.top_k(3, 0).unwrap();
        let held = ints(&flags.cast(DType::I32).unwrap());
        let first = held.iter().enumerate().filter(|(_, x)| **x == 1.0).map(|(at, _)| at as f32);
        assert_eq!(ints(&places), first.take(3).collect::<Vec<_>>());
        assert_eq!(some.shape()[0], 3);
    }
}

#[test]
fn what_is_no_order_is_refused() {
    let device = Device::cpu();
    let x = device.ones(&[2, 3], DType::F32).unwrap();
    let none = device.zeros(&[0], DType::F32).unwrap();
    for (error, word) in [
        (x.sort(2, false).unwrap_err(), "sort"),
        (x.partition(3, -1).unwrap_err(), "partition"),
        (lexsort(&[], 0).unwrap_err(), "at least one key"),
        (lexsort(&[&x, &none], 0).unwrap_err(), "keys must have one shape"),
        (none.quantile(0.5, None, false, Between::Linear).unwrap_err(), "no elements"),
        (x.quantile(1.5, None, false, Between::Linear).unwrap_err(), "1.5"),
        (none.unique(2).err().unwrap(), "fill 2 places"),
    ] {
        assert!(error.to_string().contains(word), "{error}");
    }
}

#[test]
fn different_elements_are_found_in_as_many_places_as_there_are() {
    for device in [Device::cpu(), gpu()] {
        let data = [3.0f32, f32::NAN, 1.0, 3.0, -0.0, 0.0, f32::NAN, 1.0];
        let x = device.tensor(&data, &[2, 4]).unwrap();
        assert_eq!(ints(&x.unique_count().unwrap()), [4.0]);
        let found = x.unique(5).unwrap();
        let values = floats(&found.values);
        assert!(values[..3] == [0.0, 1.0, 3.0] && values[3].is_nan() && values[4] == 0.0, "{values:?}");
        assert_eq!(ints(&found.indices), [4.0, 2.0, 0.0, 1.0, 0.0]);
        assert_eq!(ints(&found.counts), [2.0, 2.0, 2.0, 2.0, 0.0]);
        assert_eq!(ints(&found.inverse), [2.0, 3.0, 1.0, 2.0, 0.0, 0.0, 3.0, 1.0]);
        assert_eq!(&found.inverse.shape()[..], [2, 4]);
        assert_eq!(ints(&x.unique(2).unwrap().counts), [2.0, 2.0]);
    }
}

#[test]
fn picks_are_elements_as_often_as_they_should_be() {
    for device in [Device::cpu(), gpu()] {
        let key = random::key(&device, 5).unwrap();
        let x = device.arange(0.0, 1000.0, 1.0, DType::I32).unwrap();
        let once = Picks { once: true, ..Picks::default() };
        let mut some = ints(&random::choice(&key, &x, &[20, 50], &once).unwrap());
        some.sort_by(f32::total_cmp);
        assert!(some.iter().enumerate().all(|(n, &value)| value == n as f32), "each once");
        assert!(random::choice(&key, &x, &[1001], &once).unwrap_err().to_string().contains("1001 of 1000"));
        let few = x.slice(&[Range::new(0, 3)]).unwrap();
        let p = device.tensor(&[0.5f32, 0.0, 0.5], &[3]).unwrap();
        let by_p = |once| Picks { once, probabilities: Some(p.clone()), axis: 0 };
        let drawn = ints(&random::choice(&key, &few, &[4000], &by_p(false)).unwrap());
        let share = drawn.iter().filter(|&&value| value == 0.0).count() as f64 / 4000.0;
        assert!(drawn.iter().all(|&value| value != 1.0) && (0.46..0.54).contains(&share), "{share}");
        let mut two = ints(&random::choice(&key, &few, &[2], &by_p(true)).unwrap());
        two.sort_by(f32::total_cmp);
        assert_eq!(two, [0.0, 2.0]);
        let same =
            wait(random::choice(&key, &x, &[8], &Picks::default()).unwrap().max(None, false).unwrap().item());
        assert!((0.0..1000.0).contains(&same.unwrap()));
    }
}

#[test]
fn passes_that_differ_in_a_number_share_a_pipeline() {
    for device in [phone(), hardware()] {
        let data = mixed(5000);
        let x = device.tensor(&data, &[5000]).unwrap();
        floats(&x);
        let before = device.stats();
        let places = ints(&x.argsort(-1, false).unwrap());
        let after = device.stats();
        assert_eq!(places, order(&data).iter().map(|&place| place as f32).collect::<Vec<_>>());
        // Eight passes of three kernels each: one for where digits begin, and of the others those
        // of the first pass and the rest, and of the last.
        assert!(after.dispatches - before.dispatches >= 24, "{after:?}");
        let pipelines = after.pipelines_compiled - before.pipelines_compiled;
        assert!(pipelines <= 8, "{pipelines} pipelines");

        // Which pass a dispatch is can be seen.
        let explained = x.argsort(-1, false).unwrap().explain().unwrap().to_string();
        for shift in (0..32).step_by(4) {
            assert!(explained.contains(&format!(", given {shift}\n")), "{shift}\n{explained}");
        }
    }
}
