//! What is longer than one loop of a driver's, or more than one kernel can bind, is computed whole.

mod support;

use support::{floats, gpu, item, wait};
use weft::{DType, Tensor};

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
