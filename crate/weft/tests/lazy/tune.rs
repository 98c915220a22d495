//! Kernel races on a real device. The winner serves from then on, also programs that were captured
//! before; no call waits for a race; a second device with the winners of the first holds none.

use crate::support::{cpu, gpu, hardware, wait};
use std::cell::Cell;
use std::rc::Rc;
use weft::{DType, Device, ErrorKind, Tensor};

/// Runs all races; how many steps that took.
fn race(device: &Device) -> usize {
    let mut steps = 0;
    while wait(device.tune_slice()).unwrap() {
        steps += 1;
        assert!(steps < 20_000, "races end");
    }
    steps
}

/// Sums of rows, each half their length: exact in whatever order.
fn sums(device: &Device, length: usize) -> Tensor {
    let x = device.tensor(&vec![1f32; 64 * length], &[64, length]).unwrap();
    x.mul(0.5).unwrap().sum(Some(&[1]), false).unwrap()
}

fn values(tensor: &Tensor) -> Vec<f32> {
    wait(tensor.data::<f32>()).unwrap()
}

#[test]
fn the_winner_serves_and_is_not_raced_for_again() {
    for device in [gpu(), hardware()] {
        let woken = Rc::new(Cell::new(0));
        let counter = Rc::clone(&woken);
        device.on_tunable(move || counter.set(counter.get() + 1));
        assert_eq!(values(&sums(&device, 512))[0], 256.0);
        assert_eq!((race(&device), woken.get()), (0, 0), "at first nothing is raced for");

        device.set_tuning(true);
        assert_eq!(values(&sums(&device, 2048))[0], 1024.0);
        assert_eq!(woken.get(), 1);
        let held = device.stats().bytes_live;
        assert!(race(&device) > 10);
        assert_eq!(device.stats().bytes_live, held, "the memory of races is given back");
        let log = device.tune_log();
        // As published: the key, who took part and how long they took, who won.
        let record = log.iter().find(|record| record.starts_with("sum")).unwrap();
        let lines: Vec<&str> = record.lines().collect();
        let (key, timed, fastest) = (lines[0], &lines[1..lines.len() - 1], lines[lines.len() - 1]);
        assert!(key.contains(" length=2048 "), "{record}");
        let (winner, spread) = fastest.strip_prefix("Fastest: ").unwrap().split_once(" ±").unwrap();
        let spread: f64 = spread.strip_suffix('%').unwrap().parse().unwrap();
        assert!(spread >= 0.0, "{record}");
        let time = |line: &&str| -> Option<(String, f64)> {
            let (name, time) = line.split_once(" => ").unwrap();
            (time != "left").then(|| (name.to_owned(), time.strip_suffix("ms").unwrap().parse().unwrap()))
        };
        let timed: Vec<(String, f64)> = timed.iter().filter_map(time).collect();
        assert!(timed.len() >= 2, "{record}");
        let least = timed.iter().map(|(_, time)| *time).fold(f64::INFINITY, f64::min);
        let won = timed.iter().find(|(name, _)| name == winner).unwrap().1;
        assert!(won > 0.0 && won * 0.96 <= least, "{record}");

        // It is what such sums are made with now, and nobody asks again.
        let explained = sums(&device, 2048).explain().unwrap().to_string();
        assert!(explained.contains(winner), "{winner}\n{explained}");
        assert_eq!(values(&sums(&device, 2048))[0], 1024.0);
        assert!(device.tune_export().contains(winner));
        assert_eq!(race(&device), 0);
    }
}

/// A table in which each sum is won by the plainest kernel.
fn plain(device: &Device) -> String {
    let mut lines = device.tune_export();
    for line in lines.clone().lines().skip(1) {
        let key = line.split('\t').next().unwrap();
        if key.starts_with("sum") {
            lines = lines.replace(line, &format!("{key}\trows lanes=1 width=1 rows=1 each=1\t5"));
        }
    }
    lines
}

#[test]
fn what_was_compiled_before_uses_what_is_known_later() {
    let teacher = hardware();
    teacher.set_tuning(true);
    values(&sums(&teacher, 4096));
    race(&teacher);
    let known = plain(&teacher);
    assert!(known.contains("\trows lanes=1 width=1 rows=1 each=1\t"), "{known}");

    let device = hardware();
    device.set_tuning(true);
    device.trace_begin().unwrap();
    let x = device.placeholder(&[64, 4096], DType::F32).unwrap();
    let y = x.mul(0.5).unwrap().sum(Some(&[1]), false).unwrap();
    let captured = device.trace_end(&[&y], &[&x]).unwrap();
    let x = device.tensor(&[1f32; 64 * 4096], &[64, 4096]).unwrap();
    let call = || captured.call(&[&x], &[], &[]).unwrap();
    assert_eq!(values(&call()[0])[0], 2048.0);
    let eager = values(&sums(&device, 4096));
    let before = device.stats();
    call();
    sums(&device, 4096);
    assert_eq!(device.stats().pipelines_compiled, before.pipelines_compiled);

    let (new, left_out) = device.tune_import(&known).unwrap();
    assert!(new > 0 && left_out == 0);
    assert_eq!(values(&call()[0])[0], 2048.0, "a captured function goes on");
    assert_eq!(
        device.stats().pipelines_compiled,
        before.pipelines_compiled,
        "nobody waits for what is faster"
    );
    race(&device);
    let after = device.stats();
    assert!(after.pipelines_compiled > before.pipelines_compiled, "with another kernel");
    assert_eq!(values(&sums(&device, 4096)), eager);
    assert_eq!(values(&call()[0])[0], 2048.0);
    let settled = device.stats();
    assert_eq!(settled.pipelines_compiled, after.pipelines_compiled);
    assert_eq!(device.stats().program_misses, settled.program_misses);
    assert_eq!(race(&device), 0, "whatever is known is not raced for");
}

#[test]
fn what_is_stored_is_for_one_device_and_what_is_corrupt_is_left_out() {
    let device = gpu();
    let first = device.tune_export();
    let line = first.lines().next().unwrap().to_owned();
    assert!(line.starts_with("weft-tune 2 "), "{line}");
    let text =
        format!("{line}\nsum f32 along rows=8 length=8\trows lanes=64 width=1 rows=1 each=1\t9\nnonsense\n");
    assert_eq!(device.tune_import(&text).unwrap(), (1, 1));
    assert_eq!(device.tune_import(&text).unwrap(), (0, 1));
    let other = hardware().tune_import(&text).unwrap_err();
    assert_eq!(other.kind, ErrorKind::Format);
    assert_eq!(device.tune_import("").unwrap_err().kind, ErrorKind::Format);
    assert_eq!(cpu().tune_import(&text).unwrap_err().kind, ErrorKind::Format);
    assert_eq!(cpu().tune_export(), "");
}

#[test]
fn a_race_waits_for_every_other_request() {
    let device = gpu();
    device.set_tuning(true);
    values(&sums(&device, 1024));
    // Steps between which the device is used: the race goes on, and what is asked for comes as
    // before.
    for turn in 0..40 {
        wait(device.tune_slice()).unwrap();
        let x = device.full(&[64], f64::from(turn), DType::F32).unwrap();
        assert_eq!(values(&x.add(1.0).unwrap())[63], turn as f32 + 1.0);
    }
    race(&device);
    assert!(!device.tune_log().is_empty());
    // Switched off in the midst of one, it gives back what it holds.
    let held = device.stats().bytes_live;
    values(&sums(&device, 8192));
    wait(device.tune_slice()).unwrap();
    wait(device.tune_slice()).unwrap();
    let races = device.tune_log().len();
    device.set_tuning(false);
    while wait(device.tune_slice()).unwrap() {}
    assert_eq!((device.stats().bytes_live, device.tune_log().len()), (held, races));
}

/// A few programs over tensors of uneven sizes, each of another family.
fn programs(device: &Device) -> Vec<Tensor> {
    let numbers = |rows: usize, columns: usize| {
        let values: Vec<f32> = (0..rows * columns).map(|i| (i * 37 % 101) as f32 / 50.0 - 1.0).collect();
        device.tensor(&values, &[rows, columns]).unwrap()
    };
    let (a, b) = (numbers(65, 131), numbers(131, 67));
    vec![
        a.matmul(&b).unwrap().add(1.0).unwrap(),
        numbers(129, 1000).softmax(1).unwrap(),
        numbers(1000, 33).sum(Some(&[0]), false).unwrap(),
        numbers(257, 130).permute(&[1, 0]).unwrap().exp().unwrap(),
        numbers(3, 40_000).max(Some(&[1]), false).unwrap(),
    ]
}

#[test]
fn what_winners_compute_is_within_the_bounds() {
    let expected: Vec<Vec<f32>> = programs(&cpu()).iter().map(values).collect();
    for device in [gpu(), hardware()] {
        device.set_tuning(true);
        programs(&device).iter().for_each(|tensor| _ = values(tensor));
        race(&device);
        assert!(device.tune_log().len() >= 4, "{:?}", device.tune_log());
        for (tensor, expected) in programs(&device).iter().zip(&expected) {
            for (found, expected) in values(tensor).iter().zip(expected) {
                // Sums of some hundred products of numbers up to 1, however they are added.
                assert!((found - expected).abs() <= 1e-4 * expected.abs().max(1.0), "{found} {expected}");
            }
        }
    }
}
