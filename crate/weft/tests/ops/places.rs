//! Indexing by several indices at once, on every kind of device: writes between ranges, and updates
//! that repeat.

use crate::support::{cpu, gpu, wait};
use weft::{DType, Device, Many, Outside, Pick, Put, Range, Tensor, grad};

fn numbers(x: &Tensor) -> Vec<f64> {
    wait(x.cast(DType::F32).unwrap().words())
        .unwrap()
        .iter()
        .map(|&word| f64::from(f32::from_bits(word)))
        .collect()
}

fn indices(device: &Device, values: &[i32]) -> Pick {
    Pick::from(&device.tensor(values, &[values.len()]).unwrap())
}

#[test]
fn ranges_and_indices_write_what_they_read() {
    for device in [cpu(), gpu()] {
        let x = device.arange(0.0, 24.0, 1.0, DType::F32).unwrap().reshape(&[2, 3, 4]).unwrap();
        let every_other = Pick::Span(Range { start: None, stop: None, step: -2 });
        let picks = [Pick::Span(Range::new(1, 2)), indices(&device, &[2, 0]), every_other];
        let read = x.pick(&picks, Outside::Usual).unwrap();
        assert_eq!((&read.shape()[..], numbers(&read)), (&[1, 2, 2][..], vec![23.0, 21.0, 15.0, 13.0]));
        let written = x.put(&picks, Outside::Usual, Put::Add, read.mul(100.0).unwrap()).unwrap();
        let mut expected: Vec<f64> = (0..24).map(f64::from).collect();
        [13, 15, 21, 23].iter().for_each(|&n: &usize| expected[n] *= 101.0);
        assert_eq!(numbers(&written), expected);

        // Apart, so that the axes to which they broadcast come first; what lies beyond is left out.
        let picks = [indices(&device, &[0, 1, 7]), Pick::Rest, indices(&device, &[3, 0, 0])];
        let apart = x.put(&picks, Outside::Usual, Put::Set, -1.0).unwrap();
        let mut expected: Vec<f64> = (0..24).map(f64::from).collect();
        [3, 7, 11, 12, 16, 20].iter().for_each(|&n: &usize| expected[n] = -1.0);
        assert_eq!(numbers(&apart), expected);
        let filled = x.pick(&picks, Outside::Fill(Some(9.0))).unwrap();
        assert_eq!(numbers(&filled), [3.0, 7.0, 11.0, 12.0, 16.0, 20.0, 9.0, 9.0, 9.0]);
    }
}

#[test]
fn products_of_updates_that_repeat_have_gradients_also_where_they_are_zero() {
    for device in [cpu(), gpu()] {
        let at = indices(&device, &[1, 0, 1, -2, 5]);
        let of = |v: &Tensor| {
            let x = device.tensor(&[2.0f32, 3.0], &[2]).unwrap();
            x.put(std::slice::from_ref(&at), Outside::Usual, Put::Mul, v).unwrap()
        };
        let v = device.tensor(&[0.0f32, 5.0, 7.0, 0.5, 11.0], &[5]).unwrap();
        assert_eq!(numbers(&of(&v)), [5.0, 0.0]);
        let gradient = grad(|v| of(&v[0]).sum(None, false), &[&v]).unwrap();
        assert_eq!(numbers(&gradient[0]), [21.0, 1.0, 0.0, 10.0, 0.0]);
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let device = cpu();
    let x = device.zeros(&[2, 3], DType::F32).unwrap();
    let refused = |picks: &[Pick]| x.pick(picks, Outside::Usual).unwrap_err().to_string();
    let whole = || Pick::Span(Range::ALL);
    assert!(refused(&[whole(), whole(), whole()]).contains("[2,3] has 2 axes, got 3 indices"));
    assert!(
        refused(&[Pick::Span(Range { start: None, stop: None, step: 0 })]).contains("the step must not be 0")
    );
    assert!(refused(&[Pick::At(2)]).contains("index 2 is out of range on axis 0"));
    let known = Many { indices: device.tensor(&[0i32, 9], &[2]).unwrap(), known: Some((0, 9)), of: None };
    assert!(refused(&[Pick::Many(known)]).contains("index 9 is out of range"));
    assert!(refused(&[Pick::from(&x)]).contains("indices must be i32 or u32"));
    let bits = x.put(&[Pick::At(0)], Outside::Usual, Put::Xor, 1.0).unwrap_err();
    assert!(bits.to_string().contains("f32 has no bits to change"));
}
