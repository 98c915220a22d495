//! Reductions and scatters longer than one loop of a driver's, or than one kernel can bind: every
//! element counts.

use crate::support::{cpu, floats, gpu, hardware, item, phone, wait};
use weft::{DType, Device, Range, Tensor};

const LONG: usize = 100_000;

#[test]
fn a_long_inner_product_counts_every_term() {
    let device = gpu();
    for [rows, columns] in [[1, 1], [2, 3], [1, 300], [20, 30]] {
        let a = device.tensor(&vec![1.0f32; rows * LONG], &[rows, LONG]).unwrap();
        let b = device.tensor(&vec![0.5f32; LONG * columns], &[LONG, columns]).unwrap();
        let product = floats(&a.matmul(&b).unwrap());
        assert_eq!(product, vec![LONG as f32 / 2.0; rows * columns], "{rows} by {columns}");
    }
}

#[test]
fn a_scatter_looks_at_every_index() {
    let device = gpu();
    let places: Vec<i32> = (0..LONG as i32).map(|i| i % 4).collect();
    let places = device.tensor(&places, &[LONG]).unwrap();
    let zeros = device.zeros(&[4], DType::F32).unwrap();
    let ones = device.tensor(&vec![1.0f32; LONG], &[LONG]).unwrap();
    let counts = zeros.at(&places).add(&ones).unwrap();
    assert_eq!(floats(&counts), [LONG as f32 / 4.0; 4]);
}

#[test]
fn every_reduction_of_one_long_row_at_once() {
    let device = gpu();
    let count = 1 << 20;
    let values: Vec<f32> = (0..count).map(|i| ((i * 7919) % 10_007) as f32).collect();
    let x = device.tensor(&values, &[count]).unwrap();
    let (largest, least) = (10_006.0, 0.0);
    let all: Vec<Tensor> = [
        x.max(None, false),
        x.min(None, false),
        x.argmax(None, false),
        x.argmin(None, false),
        x.sum(None, false),
        x.mean(None, false),
    ]
    .into_iter()
    .collect::<weft::Result<_>>()
    .unwrap();
    device.realize(&all.iter().collect::<Vec<_>>()).unwrap();
    let position = |wanted: f32| values.iter().position(|&v| v == wanted).unwrap() as f64;
    let sum: f64 = values.iter().map(|&v| f64::from(v)).sum();
    let expected =
        [f64::from(largest), f64::from(least), position(largest), position(least), sum, sum / count as f64];
    for (n, (tensor, expected)) in all.iter().zip(expected).enumerate() {
        let got = wait(tensor.item()).unwrap();
        assert!((got - expected).abs() <= 1e-5 * expected.abs(), "reduction {n}: {got}, expected {expected}");
    }
    assert_eq!(item(&all[4]), item(&x.sum(None, false).unwrap()));
}

#[test]
fn exponentials_of_rows_that_no_workgroup_holds() {
    const ROWS: usize = 256;
    for (length, gpu) in [(16_500, phone as fn() -> Device), (16_501, hardware)] {
        let mut numbers: Vec<f32> =
            (0..ROWS * length).map(|i| ((i * 37) % 1013) as f32 / 50.0 - 10.0).collect();
        // One row has its largest at the very end, one is −∞ but for its first, one has a NaN, one
        // an infinity.
        numbers[length - 1] = 80.0;
        numbers[length + 1..2 * length].fill(f32::NEG_INFINITY);
        numbers[2 * length + 12_345] = f32::NAN;
        numbers[3 * length + 15_456] = f32::INFINITY;
        let classes: Vec<i32> = (0..ROWS).map(|row| (row * 71 % length) as i32).collect();
        let [expected, got] = [cpu(), gpu()].map(|device| {
            let x = device.tensor(&numbers, &[ROWS, length]).unwrap();
            let classes = device.tensor(&classes, &[ROWS]).unwrap();
            if device.kind() != cpu().kind() {
                let losses = |x: &[Tensor]| Ok(vec![x[0].cross_entropy(&x[1])?]);
                let explained = device.explain(losses, &[&x, &classes]).unwrap();
                let choices = explained.executable.dispatches.iter().filter_map(|dispatch| dispatch.choice);
                assert!(choices.into_iter().any(|c| c.family().name() == "online-rows"), "{explained}");
            }
            let rest = x.slice(&[Range::new(4, ROWS as i64)]).unwrap();
            let some = classes.slice(&[Range::new(4, ROWS as i64)]).unwrap();
            let losses =
                [rest.cross_entropy(&some), rest.softmax(-1).unwrap().square().unwrap().sum(None, false)];
            let losses = losses.map(|loss| item(&loss.unwrap()) as f32);
            [floats(&x.log_sum_exp(Some(&[-1]), false).unwrap()), losses.to_vec()].concat()
        });
        for (n, (got, expected)) in got.iter().zip(&expected).enumerate() {
            let near = (got - expected).abs() <= 2e-5 * expected.abs().max(1.0);
            let same = got == expected || (got.is_nan() && expected.is_nan());
            assert!(near || same, "{length}, number {n}: {got} and {expected}");
        }
    }
}
