//! Positions that the device computes: inserting, removing and resizing take no memory of the host's that grows with the size asked for.

use crate::support::{cpu, floats, gpu, wait};
use weft::op::Arguments;
use weft::{DType, ErrorKind, Range, Tensor};

const LARGE: usize = 1_000_000_000;

fn resized(x: &Tensor, extent: usize, method: &str) -> weft::Result<Tensor> {
    let letters = method.chars().map(|letter| i64::from(u32::from(letter)));
    let arguments = Arguments::default().operand(x).list([extent as i64]).list(letters).number(1.0);
    arguments.call(x.device(), "resizeImage")
}

#[test]
fn what_is_removed_and_inserted_is_what_lists_say() {
    let device = cpu();
    for (extent, at) in [
        (7, vec![0i64]),
        (7, vec![6, -7, 6]),
        (9, vec![3, 4, 5, 1]),
        (5, vec![0, 1, 2, 3]),
        (4, vec![]),
        (3, vec![0, 1, 2]),
    ] {
        let numbers: Vec<f32> = (0..extent).map(|n| n as f32).collect();
        let x = device.tensor(&numbers, &[extent]).unwrap();
        let place = |at: i64| if at < 0 { (at + extent as i64) as usize } else { at as usize };
        let gone: Vec<usize> = at.iter().map(|&at| place(at)).collect();
        let kept: Vec<f32> = numbers.iter().copied().filter(|&n| !gone.contains(&(n as usize))).collect();
        assert_eq!(floats(&x.remove(&at, None).unwrap()), kept, "{at:?} of {extent}");
        if at.len() == 1 {
            continue;
        }
        let added: Vec<f32> = (0..at.len()).map(|n| 100.0 + n as f32).collect();
        let values = device.tensor(&added, &[at.len()]).unwrap();
        let mut expected = Vec::new();
        for n in 0..=extent {
            expected
                .extend(gone.iter().zip(&added).filter(|(place, _)| **place == n).map(|(_, &value)| value));
            expected.extend(numbers.get(n));
        }
        assert_eq!(floats(&x.insert(&at, &values, None).unwrap()), expected, "{at:?} of {extent}");
    }
}

#[test]
fn the_nearest_samples_are_those_of_exact_quotients() {
    let device = cpu();
    for (from, to) in
        [(1, 5), (5, 1), (7, 3), (3, 7), (10, 10_007), (10_007, 10), (70_001, 65_537), (5, 200_003)]
    {
        let numbers: Vec<f32> = (0..from).map(|n| n as f32).collect();
        let x = device.tensor(&numbers, &[from]).unwrap();
        let expected: Vec<f32> = (0..to).map(|n| ((2 * n + 1) * from / (2 * to)) as f32).collect();
        assert!(floats(&resized(&x, to, "nearest").unwrap()) == expected, "{from} to {to}");
    }
}

/// Nothing as long is made on the host: what the device has no room for, it refuses when it is asked.
#[test]
fn long_axes_take_no_memory_of_the_host() {
    let device = gpu();
    let some =
        |x: &Tensor, at: usize| wait(x.slice(&[Range::new(at as i64, at as i64 + 3)]).unwrap().data::<f32>());
    for extent in [20_000_000, LARGE] {
        let long = device.arange(0.0, extent as f64, 1.0, DType::I32).unwrap();
        let long = long.remainder(1000.0).unwrap().cast(DType::F32).unwrap();
        let short = long.remove(&[5, extent as i64 - 2, 7], None).unwrap();
        assert_eq!(short.shape()[..], [extent - 3]);
        let value = device.tensor(&[-1.0f32, -2.0], &[2]).unwrap();
        let longer = long.insert(&[3, 4], &value, None).unwrap();
        assert_eq!(longer.shape()[..], [extent + 2]);
        if extent == LARGE {
            assert_eq!(some(&short, 4).unwrap_err().kind, ErrorKind::OutOfMemory);
            continue;
        }
        assert_eq!(some(&short, 4).unwrap(), [4.0, 6.0, 8.0]);
        assert_eq!(some(&short, extent - 6).unwrap(), [996.0, 997.0, 999.0]);
        assert_eq!(some(&longer, 3).unwrap(), [-1.0, 3.0, -2.0]);
    }
    let few = device.tensor(&[1.0f32, 2.0, 3.0, 4.0], &[4]).unwrap();
    let wide = resized(&few, LARGE, "nearest").unwrap();
    assert_eq!(some(&wide, LARGE / 2 - 1).unwrap(), [2.0, 3.0, 3.0]);
    assert_eq!(resized(&few, LARGE, "linear").unwrap_err().kind, ErrorKind::Value);
}
