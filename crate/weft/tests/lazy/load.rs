//! Many devices in many threads, with submits, reads and drops interleaved: every wait ends.

use crate::support::{floats, gpu, item, wait};
use std::sync::mpsc;
use std::time::Duration;
use weft::Tensor;

const DEVICES: usize = 8;
const ROUNDS: usize = 6;

/// Opens devices, works on them, and reads out of order, now and then leaving a reading unfinished.
fn work(seed: usize) {
    for round in 0..ROUNDS {
        // Opening and dropping devices while others work is part of the load.
        let (one, other) = (gpu(), gpu());
        let values: Vec<f32> = (0..64 * 64).map(|i| ((i + seed) % 7) as f32).collect();
        let x = one.tensor(&values, &[64, 64]).unwrap();
        let mut y = x.clone();
        for _ in 0..12 {
            y = y.matmul(&x).unwrap().mul(0.01).unwrap();
            one.realize(&[&y]).unwrap();
        }
        let elsewhere = other.tensor(&values, &[64 * 64]).unwrap();
        let readings: Vec<_> = (0..6).map(|n| y.add(f64::from(n)).unwrap().data::<f32>()).collect();
        let sum: Tensor = elsewhere.sum(None, false).unwrap();
        let expected: f32 = values.iter().sum();
        assert_eq!(item(&sum), f64::from(expected));
        let mut readings = readings.into_iter().rev();
        let last = wait(readings.next().expect("six were begun")).unwrap();
        assert_eq!(last.len(), 64 * 64);
        if round % 2 == 0 {
            wait(one.idle()).unwrap();
        }
        // The others are dropped on the way; so is a device with work in flight.
        one.realize(&[&y.neg().unwrap()]).unwrap();
        drop((readings, y, x));
        assert!(floats(&elsewhere).len() == 64 * 64);
        if round % 3 == 0 {
            other.runtime().expect("a GPU").destroy();
            assert!(elsewhere.add(1.0).is_err() && wait(elsewhere.words()).is_err());
        }
    }
}

#[test]
fn every_wait_of_many_devices_at_once_ends() {
    let (done, ends) = mpsc::channel();
    for seed in 0..DEVICES {
        let done = done.clone();
        std::thread::spawn(move || {
            let worked = std::panic::catch_unwind(|| work(seed));
            // The test may have given up on the others.
            let _ = done.send(worked.is_ok());
        });
    }
    for n in 0..DEVICES {
        let ended = ends.recv_timeout(Duration::from_secs(300));
        assert_eq!(ended, Ok(true), "{n} of {DEVICES} threads ended well");
    }
}
