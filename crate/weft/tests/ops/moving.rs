//! Slices whose starts are tensors: reading, writing and their gradients, compared with slices by
//! numbers.

use crate::support::control::{close, devices, input, read};
use weft::{DType, Device, ErrorKind, Operand, Range, Tensor, grad};

const SHAPE: [usize; 3] = [4, 1, 6];

/// A part by its starts on each axis, as it lies in the end: negative starts count from the end,
/// and what would not fit lies as far back as it does.
fn placed(start: i64, size: usize, extent: usize) -> i64 {
    let start = if start < 0 { start + extent as i64 } else { start };
    start.clamp(0, (extent - size) as i64)
}

fn ranges(starts: &[i64; 3], sizes: &[usize; 3]) -> Vec<Range> {
    let range = |axis: usize| {
        let start = placed(starts[axis], sizes[axis], SHAPE[axis]);
        Range::new(start, start + sizes[axis] as i64)
    };
    (0..3).map(range).collect()
}

/// Starts as tensors of several dtypes and as numbers.
fn operands(device: &Device, starts: &[i64; 3]) -> Vec<Operand> {
    let tensor = |start: i64, dtype| device.number(start as f64, dtype).unwrap();
    let small = if starts[1] < 0 { DType::I8 } else { DType::U32 };
    vec![
        tensor(starts[0], DType::I32).into(),
        tensor(starts[1], small).into(),
        Operand::Number(starts[2] as f64),
    ]
}

#[test]
fn parts_are_those_of_numbers() {
    for device in devices() {
        let x = input(&device, &SHAPE, 1);
        for (starts, sizes) in [
            ([0, 0, 0], [2, 1, 3]),
            ([3, 0, 5], [2, 1, 3]),
            ([-1, 0, -6], [1, 1, 2]),
            ([9, -1, 2], [4, 1, 1]),
            ([-9, 3, -2], [3, 1, 6]),
            ([1, 0, 1], [0, 1, 2]),
            ([2, 0, 2], [4, 1, 6]),
        ] {
            let found = x.dynamic_slice(&operands(&device, &starts), &sizes).unwrap();
            assert_eq!(found.shape()[..], sizes);
            let expected = x.slice(&ranges(&starts, &sizes)).unwrap();
            assert_eq!(read(&found), read(&expected), "{starts:?}, {sizes:?}");
            let update = input(&device, &sizes, 2).cast(DType::I32).unwrap();
            let whole = x.dynamic_update_slice(&update, &operands(&device, &starts)).unwrap();
            assert_eq!(whole.dtype(), DType::F32);
            let back = whole.slice(&ranges(&starts, &sizes)).unwrap();
            assert_eq!(read(&back), read(&update.cast(DType::F32).unwrap()), "{starts:?}, {sizes:?}");
            let zeros = device.zeros(&sizes, DType::F32).unwrap();
            let without =
                |x: &Tensor| read(&x.dynamic_update_slice(&zeros, &operands(&device, &starts)).unwrap());
            assert_eq!(without(&whole), without(&x), "the rest is as it was");
        }
    }
}

#[test]
fn gradients_go_to_what_was_taken_and_what_was_put() {
    for device in devices() {
        let (x, update) = (input(&device, &[5], 1), input(&device, &[2], 2));
        let start = device.number(7.0, DType::I32).unwrap();
        let taken = |x: &[Tensor]| x[0].dynamic_slice(&[(&start).into()], &[2])?.square()?.sum(None, false);
        let values = read(&x);
        let expected: Vec<f32> = (0..5).map(|i| if i < 3 { 0.0 } else { 2.0 * values[i] }).collect();
        close(&read(&grad(taken, &[&x]).unwrap()[0]), &expected);
        let put =
            |x: &[Tensor]| x[0].dynamic_update_slice(&x[1], &[(&start).into()])?.square()?.sum(None, false);
        let found = grad(put, &[&x, &update]).unwrap();
        let expected: Vec<f32> = (0..5).map(|i| if i < 3 { 2.0 * values[i] } else { 0.0 }).collect();
        close(&read(&found[0]), &expected);
        close(&read(&found[1]), &read(&update.mul(2.0).unwrap()));
    }
}

#[test]
fn a_loop_fills_a_table_row_by_row() {
    for device in devices() {
        let (table, rows) = (device.zeros(&[5, 3], DType::F32).unwrap(), input(&device, &[5, 3], 3));
        let step = |i: &Tensor, state: &[Tensor]| {
            let row = rows.dynamic_slice(&[i.into(), 0.0.into()], &[1, 3])?;
            Ok(vec![state[0].dynamic_update_slice(&row.mul(2.0)?, &[i.into(), 0.0.into()])?])
        };
        let found = device.for_loop(0, 5, step, &[&table]).unwrap();
        close(&read(&found[0]), &read(&rows.mul(2.0).unwrap()));
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let device = crate::support::cpu();
    let x = input(&device, &[4], 1);
    let kind = |starts: &[Operand], sizes: &[usize]| x.dynamic_slice(starts, sizes).unwrap_err().kind;
    assert_eq!(kind(&[0.0.into()], &[5]), ErrorKind::Shape);
    assert_eq!(kind(&[0.0.into(), 0.0.into()], &[2]), ErrorKind::Shape);
    assert_eq!(kind(&[0.5.into()], &[2]), ErrorKind::Value);
    assert_eq!(kind(&[(&x).into()], &[2]), ErrorKind::Shape);
    assert_eq!(kind(&[device.number(1.0, DType::F32).unwrap().into()], &[2]), ErrorKind::DType);
}
