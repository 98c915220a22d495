//! Packed dtypes, which have several elements to a word: f16, i8 and u8, on the CPU and on devices.

use crate::support::{cpu, floats, gpu, hardware, phone, wait};
use weft::op::Arguments;
use weft::{DType, Device, ErrorKind, Operand, Tensor};

/// Every device that kernels can differ on.
fn devices() -> [Device; 4] {
    [cpu(), gpu(), phone(), hardware()]
}

/// The values as f32.
fn values(tensor: &Tensor) -> Vec<f32> {
    floats(&tensor.cast(DType::F32).unwrap())
}

/// Called as other languages do, by which packed dtypes stay packed.
fn called(device: &Device, name: &str, operands: &[Operand]) -> Tensor {
    let arguments = operands.iter().fold(Arguments::default(), |all, operand| all.operand(operand));
    arguments.call(device, name).unwrap()
}

#[test]
fn halves_are_the_nearest_on_every_device() {
    let given = [
        0.1,
        -0.0,
        65504.0,
        65519.99,
        65520.0,
        1e9,
        -1e9,
        6e-8,
        2.98e-8,
        2.99e-8,
        1e-40,
        6.1e-5,
        2049.0,
        2051.0,
        f32::INFINITY,
        f32::NEG_INFINITY,
        1.0 / 3.0,
    ];
    let expected = [
        0.099_975_586,
        -0.0,
        65504.0,
        65504.0,
        f32::INFINITY,
        f32::INFINITY,
        f32::NEG_INFINITY,
        5.960_464_5e-8,
        0.0,
        5.960_464_5e-8,
        0.0,
        6.097_555e-5,
        2048.0,
        2052.0,
        f32::INFINITY,
        f32::NEG_INFINITY,
        0.333_251_95,
    ];
    for device in devices() {
        let x = device.tensor(&given, &[17]).unwrap().cast(DType::F16).unwrap();
        assert_eq!(x.dtype(), DType::F16);
        let bits = |all: &[f32]| all.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&values(&x)), bits(&expected), "{device:?}");
        device.realize(&[&x]).unwrap();
        assert_eq!(bits(&values(&x)), bits(&expected), "stored, {device:?}");
        let words = wait(x.words()).unwrap();
        assert_eq!((words.len(), words[0], words[8] >> 16), (9, 0x8000_2e66, 0));
        let again = device.from_words(&words, &[17], DType::F16).unwrap();
        assert_eq!(bits(&values(&again)), bits(&expected), "{device:?}");
        let nan = device.tensor(&[f32::NAN], &[1]).unwrap().cast(DType::F16).unwrap();
        assert_eq!(wait(nan.words()).unwrap(), [0x7e00]);
    }
}

#[test]
fn small_integers_wrap_and_floats_saturate() {
    for device in devices() {
        let whole = device.tensor(&[127, 128, -129, 255, 256, -1, 300], &[7]).unwrap();
        let float = device.tensor(&[1.9f32, -1.9, 300.0, -300.0, f32::NAN, 0.5], &[6]).unwrap();
        let cast = |x: &Tensor, dtype| {
            let x = x.cast(dtype).unwrap();
            device.realize(&[&x]).unwrap();
            values(&x)
        };
        assert_eq!(cast(&whole, DType::I8), [127.0, -128.0, 127.0, -1.0, 0.0, -1.0, 44.0]);
        assert_eq!(cast(&whole, DType::U8), [127.0, 128.0, 127.0, 255.0, 0.0, 255.0, 44.0]);
        assert_eq!(cast(&float, DType::I8), [1.0, -1.0, 127.0, -128.0, 0.0, 0.0]);
        assert_eq!(cast(&float, DType::U8), [1.0, 0.0, 255.0, 0.0, 0.0, 0.0]);
        let x = whole.cast(DType::I8).unwrap();
        let sum = called(&device, "add", &[(&x).into(), (&x).into()]);
        assert_eq!((sum.dtype(), values(&sum)), (DType::I8, vec![-2.0, 0.0, -2.0, -2.0, 0.0, -2.0, 88.0]));
        let total = Arguments::default().operand(&x).axes(None).number(0).call(&device, "sum").unwrap();
        assert_eq!((total.dtype(), values(&total)), (DType::I32, vec![168.0]));
    }
}

#[test]
fn what_is_computed_of_halves_is_packed_once() {
    for device in devices() {
        let x = device.tensor(&[1.0f32, 2.0, 3.0, 4.0, 5.0], &[5]).unwrap().cast(DType::F16).unwrap();
        let quarter = called(&device, "mul", &[(&x).into(), 0.25.into()]);
        assert_eq!((quarter.dtype(), values(&quarter)), (DType::F16, vec![0.25, 0.5, 0.75, 1.0, 1.25]));
        let third = called(&device, "div", &[(&x).into(), 3.0.into()]);
        assert_eq!(values(&third)[0], 0.333_251_95);
        let y = device.tensor(&[1i32, 2, 3, 4, 5], &[5]).unwrap();
        assert_eq!(called(&device, "add", &[(&x).into(), (&y).into()]).dtype(), DType::F16);
        let wide = called(&device, "add", &[(&x).into(), y.cast(DType::F32).unwrap().into()]);
        assert_eq!(wide.dtype(), DType::F32);
        // The sum of many is added up in f32, and so is no infinity.
        let many = device.full(&[1000], 100.0, DType::F16).unwrap();
        let mean = Arguments::default().operand(&many).axes(None).number(0).call(&device, "mean").unwrap();
        assert_eq!((mean.dtype(), values(&mean)), (DType::F16, vec![100.0]));
        let sum = Arguments::default().operand(&many).axes(None).number(0).call(&device, "sum").unwrap();
        assert_eq!((sum.dtype(), values(&sum)), (DType::F16, vec![f32::INFINITY]));
    }
}

#[test]
fn bits_of_packed_dtypes_are_no_words() {
    let device = cpu();
    let x = device.zeros(&[4], DType::F16).unwrap();
    for (x, to) in [(&x, DType::U32), (&x.cast(DType::U32).unwrap(), DType::F16)] {
        assert_eq!(x.bitcast(to).unwrap_err().kind, ErrorKind::DType);
    }
    assert_eq!(device.from_words(&[0; 3], &[4], DType::F16).unwrap_err().kind, ErrorKind::Shape);
    assert_eq!(device.full(&[2], 200.0, DType::I8).unwrap_err().kind, ErrorKind::Value);
}
