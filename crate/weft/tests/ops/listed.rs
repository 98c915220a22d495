//! Positions along an axis: inserting, removing and resizing take no memory of the host's that
//! grows without bound.

use crate::support::{cpu, floats, gpu};
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

/// Nothing as long is made on the host: it is refused where the device cannot do without.
#[test]
fn long_axes_take_no_memory_of_the_host() {
    let device = gpu();
    let long = device.zeros(&[LARGE], DType::F32).unwrap();
    let value = device.tensor(&[-1.0f32, -2.0], &[2]).unwrap();
    assert_eq!(long.remove(&[5], None).unwrap_err().kind, ErrorKind::Value);
    assert_eq!(long.insert(&[3, 4], &value, None).unwrap_err().kind, ErrorKind::Value);
    let few = device.tensor(&[1.0f32, 2.0, 3.0, 4.0], &[4]).unwrap();
    let wide = resized(&few, LARGE, "nearest").unwrap();
    let middle = LARGE as i64 / 2 - 1;
    assert_eq!(floats(&wide.slice(&[Range::new(middle, middle + 3)]).unwrap()), [2.0, 3.0, 3.0]);
    assert_eq!(resized(&few, LARGE, "linear").unwrap_err().kind, ErrorKind::Value);
}
