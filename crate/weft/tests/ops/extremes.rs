//! Assumptions of shader compilers that do not hold: NaN in choices, and divisors near the largest
//! float.

use crate::support::{cpu, floats, gpu};
use weft::{DType, Device, Tensor, select};

fn devices() -> [Device; 2] {
    [cpu(), gpu()]
}

fn same(got: &[f32], expected: &[f32]) -> bool {
    let equal = |(x, y): (&f32, &f32)| x == y || (x.is_nan() && y.is_nan());
    got.len() == expected.len() && got.iter().zip(expected).all(equal)
}

#[test]
fn a_choice_between_what_is_compared_keeps_nan() {
    let (a, b) = ([0.0, f32::NAN, 1.0, f32::NAN, -2.0], [f32::NAN, 0.0, 2.0, f32::NAN, -3.0]);
    for device in devices() {
        let x = device.tensor(&a, &[5]).unwrap();
        let y = device.tensor(&b, &[5]).unwrap();
        let choose = |condition: weft::Result<Tensor>, first: &Tensor, second: &Tensor| {
            floats(&select(&condition.unwrap(), first, second).unwrap())
        };
        for (name, condition, holds) in [
            ("less", x.less(&y), [false, false, true, false, false]),
            ("less_equal", x.less_equal(&y), [false, false, true, false, false]),
            ("greater", x.greater(&y), [false, false, false, false, true]),
            ("greater_equal", x.greater_equal(&y), [false, false, false, false, true]),
        ] {
            let pick = |first: [f32; 5], second: [f32; 5]| -> Vec<f32> {
                (0..5).map(|i| if holds[i] { first[i] } else { second[i] }).collect()
            };
            let straight = choose(condition.clone(), &x, &y);
            assert!(same(&straight, &pick(a, b)), "{name}: {straight:?}");
            let crossed = choose(condition, &y, &x);
            assert!(same(&crossed, &pick(b, a)), "{name}, crossed: {crossed:?}");
        }
    }
}

#[test]
fn relu_keeps_nan() {
    for device in devices() {
        let x = device.tensor(&[f32::NAN, -1.0, 2.0, -0.0, f32::NEG_INFINITY, f32::INFINITY], &[6]).unwrap();
        let y = floats(&x.relu().unwrap());
        assert!(same(&y, &[f32::NAN, 0.0, 2.0, 0.0, 0.0, f32::INFINITY]), "{y:?}");
    }
}

#[test]
fn a_large_divisor_divides() {
    let (a, b) =
        ([3e38f32, f32::INFINITY, -3e38, 1.0, f32::MAX], [3e38f32, 3e38, 1e38, f32::INFINITY, -f32::MAX]);
    for device in devices() {
        let x = device.tensor(&a, &[5]).unwrap();
        let y = device.tensor(&b, &[5]).unwrap();
        let quotient = floats(&x.div(&y).unwrap());
        let close = |(got, want): (f32, f32)| got == want || (got - want).abs() <= 1e-6 * want.abs();
        assert!(
            quotient.iter().copied().zip([1.0, f32::INFINITY, -3.0, 0.0, -1.0]).all(close),
            "{quotient:?}"
        );
    }
}

#[test]
fn what_is_compared_with_itself_or_taken_from_itself_may_be_no_number() {
    let numbers = [f32::NAN, -1.0, 0.0, f32::INFINITY, f32::NEG_INFINITY, f32::MAX];
    let truths = |x: weft::Result<Tensor>| floats(&x.unwrap().cast(DType::F32).unwrap());
    for device in devices() {
        let x = device.tensor(&numbers, &[6]).unwrap();
        let number = [0.0, 1.0, 1.0, 1.0, 1.0, 1.0];
        for (name, found) in
            [("equal", x.equal(&x)), ("lessEqual", x.less_equal(&x)), ("greaterEqual", x.greater_equal(&x))]
        {
            assert_eq!(truths(found), number, "{name}");
        }
        assert_eq!(truths(x.not_equal(&x)), number.map(|truth| 1.0 - truth));
        assert_eq!(truths(x.less(&x)), [0.0; 6]);
        assert_eq!(truths(x.greater(&x)), [0.0; 6]);
        let nothing = floats(&x.sub(&x).unwrap());
        assert!(same(&nothing, &[f32::NAN, 0.0, 0.0, f32::NAN, f32::NAN, 0.0]), "{nothing:?}");
    }
}
