//! Formulas whose JavaScript functions are written by hand, in Rust, compared with NumPy.
//! Operations that are called by their row have cases in `tests/conformance`.

use crate::support::{cpu, floats};
use weft::{DType, ErrorKind, Operand, Outside, Tensor, choose, histogramdd, losses, ravel};

fn vector(values: &[f32]) -> Tensor {
    cpu().tensor(values, &[values.len()]).unwrap()
}

fn beside(x: &Tensor, values: &[f32], shape: &[usize]) -> Tensor {
    x.device().tensor(values, shape).unwrap()
}

fn read(x: weft::Result<Tensor>) -> Vec<f64> {
    floats(&x.unwrap().cast(DType::F32).unwrap()).into_iter().map(f64::from).collect()
}

#[test]
fn elements_are_counted() {
    let x = vector(&[1.0, 2.0, 2.0, 5.0]);
    let edges = x.histogram_edges(4, None).unwrap();
    assert_eq!(read(Ok(edges.clone())), [1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!(read(x.histogram(&edges, None, false)), [1.0, 2.0, 0.0, 1.0]);
    let weights = beside(&x, &[0.5, 1.0, 2.0, 4.0], &[4]);
    assert_eq!(read(x.histogram(&edges, Some(&weights), false)), [0.5, 3.0, 0.0, 4.0]);
    assert_eq!(read(x.histogram(&edges, None, true)), [0.25, 0.5, 0.0, 0.25]);
    // What lies outside is left out.
    assert_eq!(read(x.histogram(&x.histogram_edges(2, Some((2.0, 4.0))).unwrap(), None, false)), [2.0, 0.0]);
    assert_eq!(
        x.histogram(&weights.reshape(&[2, 2]).unwrap(), None, false).unwrap_err().kind,
        ErrorKind::Shape
    );
    let y = beside(&x, &[0.0, 0.0, 1.0, 1.0], &[4]);
    let sides = [&x.histogram_edges(2, None).unwrap(), &y.histogram_edges(2, None).unwrap()];
    assert_eq!(read(histogramdd(&[&x, &y], &sides, None, false)), [2.0, 1.0, 0.0, 1.0]);
    assert_eq!(read(histogramdd(&[&x, &y], &sides, None, true)), [0.5, 0.25, 0.0, 0.25]);
    assert_eq!(histogramdd(&[&x], &sides, None, false).unwrap_err().kind, ErrorKind::Shape);
    let numbers = x.cast(DType::I32).unwrap();
    assert_eq!(read(numbers.bincount(4, None)), [0.0, 1.0, 2.0, 0.0]);
    assert_eq!(read(numbers.bincount(4, Some(&weights))), [0.0, 0.5, 3.0, 0.0]);
}

#[test]
fn elements_are_weighted_chosen_and_put() {
    let x = vector(&[1.0, 2.0, 3.0, 4.0]).reshape(&[2, 2]).unwrap();
    let shares = beside(&x, &[1.0, 3.0], &[2]);
    assert_eq!(read(x.average(Some(&[0]), Some(&shares), false)), [2.5, 3.5]);
    assert_eq!(read(x.average(None, None, false)), [2.5]);
    assert_eq!(x.average(None, Some(&shares), false).unwrap_err().kind, ErrorKind::Shape);
    let places = beside(&x, &[-1.0, 5.0], &[2, 1]).cast(DType::I32).unwrap();
    let values = beside(&x, &[7.0, 8.0], &[2, 1]);
    assert_eq!(read(x.put_along_axis(&places, &values, 1, Outside::Usual)), [1.0, 7.0, 3.0, 4.0]);
    assert_eq!(read(x.put_along_axis(&places, &values, 1, Outside::Wrap)), [1.0, 7.0, 3.0, 8.0]);
    assert_eq!(x.put_along_axis(&values, &values, 1, Outside::Usual).unwrap_err().kind, ErrorKind::Value);
    let edge = beside(&x, &[0.0], &[1]);
    assert_eq!(read(x.ediff1d(&edge, &values)), [0.0, 1.0, 1.0, 1.0, 7.0, 8.0]);
    let tests = [x.less(2.0).unwrap(), x.greater(3.0).unwrap()];
    let chosen = choose(&tests, &[Operand::Number(-1.0), (&x).into()], 0.0);
    assert_eq!(read(chosen), [-1.0, 0.0, 0.0, 4.0]);
    assert_eq!(choose(&tests, &[], 0.0).unwrap_err().kind, ErrorKind::Value);
    let (rows, columns) = (beside(&x, &[0.0, 1.0], &[2]), beside(&x, &[1.0, 2.0], &[2]));
    let [rows, columns] = [rows, columns].map(|place| place.cast(DType::I32).unwrap());
    assert_eq!(read(ravel(x.device(), &[&rows, &columns], &[2, 3])), [1.0, 5.0]);
    assert_eq!(read(x.device().tri(2, 3, 0)), [1.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
}

#[test]
fn positions_turn_and_sequences_align() {
    let x = vector(&[1.0, 0.0, 1.0, 0.0]).reshape(&[2, 2]).unwrap();
    let near = |found: Vec<f64>, expected: &[f64]| {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}, not {expected:?}");
    };
    near(read(x.rotary(None, 10_000.0)), &[1.0, 0.0, 1f64.cos(), 1f64.sin()]);
    near(read(x.device().sinusoidal(2, 2)), &[0.0, 1.0, 1f64.sin(), 1f64.cos()]);
    assert_eq!(x.device().sinusoidal(2, 3).unwrap_err().kind, ErrorKind::Shape);
    // Two steps, one label: said twice, or once with a blank.
    let logits = beside(&x, &[0.1, 0.9, 0.8, 0.2], &[1, 2, 2]).log().unwrap();
    let labels = beside(&x, &[1.0], &[1, 1]).cast(DType::I32).unwrap();
    let nowhere = |count: usize| beside(&x, &vec![0.0; count], &[1, count]);
    let loss = losses::ctc((&logits, &nowhere(2)), (&labels, &nowhere(1)), 0, -1e5);
    near(read(loss), &[-(0.9f64 * 0.2 + 0.9 * 0.8 + 0.1 * 0.2).ln()]);
    let wrong = losses::ctc((&logits, &nowhere(3)), (&labels, &nowhere(1)), 0, -1e5);
    assert_eq!(wrong.unwrap_err().kind, ErrorKind::Shape);
}
