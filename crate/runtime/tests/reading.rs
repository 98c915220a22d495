//! Read-back: several reads at once, futures that outlive the runtime's handle, profiles, work in
//! flight.

use crate::common::*;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

#[test]
fn readings_can_be_under_way_together_and_end_in_any_order() {
    let runtime = open();
    let values: Vec<_> = (0..8).map(|n| upload(&runtime, &vec![n as f32; 1000])).collect();
    let mut readings: Vec<_> = values.iter().map(|&value| Some(Box::pin(runtime.read(value)))).collect();
    for value in values {
        runtime.release(value);
    }
    // Overwrite the buffers: the copies were made when the readings were asked for.
    for _ in 0..8 {
        upload(&runtime, &vec![-1.0; 1000]);
    }
    drop(runtime);
    let mut context = Context::from_waker(Waker::noop());
    for n in [7, 3, 0, 5, 1, 2, 6, 4] {
        let mut reading = readings[n].take().unwrap();
        let bytes = loop {
            if let Poll::Ready(bytes) = reading.as_mut().poll(&mut context) {
                break bytes.unwrap();
            }
        };
        assert_eq!(numbers(&bytes), vec![n as f32; 1000]);
    }
}

#[test]
fn several_values_are_read_with_one_submit() {
    let runtime = open();
    let sizes = [1u32, 3, 0, 1000, 5_000_000, 7];
    let values: Vec<_> = sizes.iter().map(|&n| upload(&runtime, &iota(n))).collect();
    let parts = block_on(runtime.read_many(&values)).unwrap();
    for (part, size) in parts.iter().zip(sizes) {
        assert_eq!(numbers(part), iota(size));
    }
    assert_eq!(runtime.stats().submits, 1);
}

#[test]
fn a_large_value_is_read_in_pieces_beside_others() {
    let runtime = open();
    let sizes = [9_000_001u32, 3, 0, 17_000_000, 7];
    let values: Vec<_> = sizes.iter().map(|&n| upload(&runtime, &iota(n))).collect();
    let parts = block_on(runtime.read_many(&values)).unwrap();
    for (part, size) in parts.iter().zip(sizes) {
        assert!(numbers(part) == iota(size), "{size}");
    }
    // The small ones together, three pieces of the first, five of the other.
    assert_eq!(runtime.stats().submits, 1 + 3 + 5);
}

#[test]
fn staging_buffers_serve_again_also_after_an_abandoned_reading() {
    let runtime = open();
    let value = upload(&runtime, &[1.0; 100]);
    drop(runtime.read(value));
    {
        let mut reading = pin!(runtime.read(value));
        let _ = reading.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    }
    let created = runtime.stats().buffers_created;
    for _ in 0..10 {
        assert_eq!(read(&runtime, value), [1.0; 100]);
    }
    assert!(runtime.stats().buffers_created <= created + 1);
}

#[test]
fn few_submits_are_in_flight_when_nobody_reads() {
    let runtime = open();
    let prepared = runtime.prepare(single(scale(1 << 16, 1.0), 1 << 16)).unwrap();
    let x = upload(&runtime, &vec![1.0; 1 << 16]);
    for _ in 0..200 {
        let y = runtime.run(&prepared, &[x], &[]).unwrap()[0];
        runtime.release(y);
        assert!(runtime.in_flight() <= 8, "{} in flight", runtime.in_flight());
    }
    block_on(runtime.throttle(0)).unwrap();
    assert_eq!(runtime.in_flight(), 0);
    assert_eq!(runtime.stats().submits, 200);
}

#[test]
fn what_a_program_takes_is_timed_and_grows_with_how_often_it_runs() {
    let runtime = open();
    let prepared = runtime.prepare(single(scale(1 << 20, 2.0), 1 << 20)).unwrap();
    let x = upload(&runtime, &vec![3.0; 1 << 20]);
    let before = (runtime.stats(), runtime.in_flight());
    let time = |times| block_on(runtime.time(&prepared, &[x], times).unwrap()).unwrap();
    let mut medians = [1, 16].map(|times| {
        let mut taken = [0; 5].map(|_| time(times));
        taken.sort_unstable_by(f64::total_cmp);
        taken[2]
    });
    medians.iter_mut().for_each(|median| *median = median.max(1.0));
    assert!(medians[1] > 2.0 * medians[0], "{medians:?}");
    assert!(time(0) >= 0.0);
    assert_eq!(runtime.stats().submits, before.0.submits + 11);
    assert_eq!((runtime.in_flight(), runtime.stats().bytes_live), (before.1, before.0.bytes_live));
    // What is read afterwards is what was there.
    let y = runtime.run(&prepared, &[x], &[]).unwrap()[0];
    assert_eq!((read(&runtime, x)[5], read(&runtime, y)[5]), (3.0, 6.0));
}
