//! Weights of four bits: products that read them as they are stored, on every device, and errors.

use crate::support::{cpu, floats, gpu, hardware, phone};
use weft::{DType, Device, ErrorKind, Tensor, value_and_grad, weights};

/// Numbers that look like any, from −1 to 1.
fn noise(device: &Device, shape: &[usize], seed: u32) -> Tensor {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    let values: Vec<f32> = (0..shape.iter().product()).map(|_| next()).collect();
    device.tensor(&values, shape).unwrap()
}

fn packed(device: &Device, rows: usize, columns: usize) -> (Tensor, Tensor) {
    let made = weights::quantize4(&noise(device, &[rows, columns], 1), 32).unwrap();
    let [packed, scales] = <[Tensor; 2]>::try_from(made).ok().unwrap();
    // Computed, so that what follows is counted alone.
    floats(&scales);
    floats(&packed.cast(DType::F32).unwrap());
    (packed, scales)
}

fn near(found: &[f32], expected: &[f32], bound: f32) {
    assert_eq!(found.len(), expected.len());
    for (n, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= bound, "{found} for {expected} at {n}");
    }
}

#[test]
fn an_element_is_off_by_half_a_scale_at_most() {
    for device in [cpu(), gpu(), hardware(), phone()] {
        let full = noise(&device, &[96, 7], 5);
        let made = weights::quantize4(&full, 32).unwrap();
        assert_eq!((made[0].shape().to_vec(), made[1].shape().to_vec()), (vec![12, 7], vec![3, 7]));
        let found = floats(&weights::dequantize4(&made[0], &made[1]).unwrap());
        let (full, scales) = (floats(&full), floats(&made[1]));
        for (n, (found, full)) in found.iter().zip(&full).enumerate() {
            let scale = scales[n / 7 / 32 * 7 + n % 7];
            assert!((found - full).abs() <= scale * 0.500_01, "{found} for {full} at {n}, scale {scale}");
        }
    }
}

#[test]
fn a_product_is_one_kernel_and_holds_no_weights_in_full() {
    for (name, device) in [("software", gpu()), ("hardware", hardware()), ("phone", phone())] {
        for (m, k, n) in [(1, 1024, 1024), (8, 512, 320), (64, 512, 512)] {
            let (held, scales) = packed(&device, k, n);
            let full = weights::dequantize4(&held, &scales).unwrap();
            let x = noise(&device, &[m, k], 9);
            let expected = floats(&x.matmul(&full).unwrap());
            drop(full);
            floats(&x);
            let before = device.stats();
            let found = weights::matmul4(&x, &held, &scales).unwrap();
            let found = floats(&found);
            let after = device.stats();
            near(&found, &expected, 1e-4);
            let dispatches = after.dispatches - before.dispatches;
            // The sum may be cut into parts, which are added up by a second kernel.
            assert!(dispatches <= 2, "{name}: {dispatches} dispatches of [{m},{k}] × [{k},{n}]");
            let text = x.device().explain(
                |inputs| Ok(vec![weights::matmul4(&inputs[0], &inputs[1], &inputs[2])?]),
                &[&x, &held, &scales],
            );
            let text = text.unwrap().to_string();
            // The last step of unpacking is a product: no kernel does only that.
            assert!(!text.contains("(map mul)"), "{name}: the weights are stored in full:\n{text}");
        }
    }
}

#[test]
fn gradients_by_activations_and_scales_are_those_of_full_weights() {
    for device in [cpu(), gpu(), hardware(), phone()] {
        let (held, scales) = packed(&device, 64, 24);
        let x = noise(&device, &[5, 64], 3);
        let square = |y: Tensor| y.square()?.sum(None, false);
        let by = |f: &dyn Fn(&[Tensor]) -> weft::Result<Tensor>| {
            let (_, gradients) = value_and_grad(f, &[&x, &scales]).unwrap();
            gradients.iter().map(floats).collect::<Vec<_>>()
        };
        let found = by(&|given| square(weights::matmul4(&given[0], &held, &given[1])?));
        let expected = by(&|given| square(given[0].matmul(&weights::dequantize4(&held, &given[1])?)?));
        for (found, expected) in found.iter().zip(&expected) {
            near(found, expected, 1e-3);
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let device = cpu();
    let x = noise(&device, &[40, 4], 1);
    let kind = |made: weft::Result<Vec<Tensor>>| made.err().unwrap().kind;
    assert_eq!(kind(weights::quantize4(&x, 32)), ErrorKind::Shape);
    assert_eq!(kind(weights::quantize4(&x, 12)), ErrorKind::Value);
    assert_eq!(kind(weights::quantize4(&x, 0)), ErrorKind::Value);
    assert_eq!(kind(weights::quantize4(&noise(&device, &[8], 1), 8)), ErrorKind::Shape);
    let made = weights::quantize4(&x, 8).unwrap();
    let refused = |packed: &Tensor, scales: &Tensor| weights::dequantize4(packed, scales).err().unwrap().kind;
    assert_eq!(refused(&made[0].cast(DType::I32).unwrap(), &made[1]), ErrorKind::DType);
    assert_eq!(refused(&made[0], &made[1].slice(&[weft::Range::new(0, 2)]).unwrap()), ErrorKind::Shape);
    assert_eq!(refused(&made[0], &noise(&device, &[5, 3], 1)), ErrorKind::Shape);
    assert_eq!(refused(&made[0], &noise(&device, &[10, 4], 1)), ErrorKind::Shape);
}
