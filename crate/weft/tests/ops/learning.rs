//! Modules, gradients through them, and optimizers, against values worked out by hand or by
//! PyTorch, on the CPU device.

use crate::support::{cpu, floats, item};
use weft::nn::{Activation, Linear, Module, Sequential};
use weft::optim::{Adam, Optimizer, Sgd};
use weft::random::Generator;
use weft::{DType, ErrorKind, Parameter, Tensor, grad, value_and_grad, value_and_grad_of};

fn close(actual: &[f32], expected: &[f32]) {
    assert_eq!(actual.len(), expected.len());
    for (a, e) in actual.iter().zip(expected) {
        assert!((a - e).abs() <= 1e-6 + 1e-5 * e.abs(), "{actual:?} is not {expected:?}");
    }
}

#[test]
fn derivatives_of_tanh_nest() {
    let device = cpu();
    let x = device.number(2.0, DType::F32).unwrap();
    let first = |x: &[Tensor]| Ok(grad(|x| x[0].tanh(), &[&x[0]])?.remove(0));
    let second = |x: &[Tensor]| Ok(grad(first, &[&x[0]])?.remove(0));
    let third = |x: &[Tensor]| Ok(grad(second, &[&x[0]])?.remove(0));
    for (derivative, expected) in [
        (first(std::slice::from_ref(&x)), 0.070_650_82),
        (second(std::slice::from_ref(&x)), -0.136_218_68),
        (third(std::slice::from_ref(&x)), 0.252_654_08),
    ] {
        assert!((item(&derivative.unwrap()) - expected).abs() < 2e-6);
    }
}

#[test]
fn the_function_must_yield_one_number() {
    let device = cpu();
    let x = device.zeros(&[3], DType::F32).unwrap();
    let error = value_and_grad(|x| x[0].add(1.0), &[&x]).unwrap_err();
    assert_eq!(error.to_string(), "grad: the function must yield a 0-d tensor, got shape [3]");
    let error = value_and_grad(|x| x[0].argmax(None, false), &[&x]).unwrap_err();
    assert_eq!(error.kind, ErrorKind::DType);
    let whole = device.zeros(&[3], DType::I32).unwrap();
    assert_eq!(value_and_grad(|x| x[0].sum(None, false), &[&whole]).unwrap_err().kind, ErrorKind::DType);
    assert!(!device.is_transforming(), "a transform that fails is closed");
}

#[test]
fn what_nothing_connects_has_gradient_zero() {
    let device = cpu();
    let (x, y) = (device.ones(&[2], DType::F32).unwrap(), device.ones(&[3], DType::F32).unwrap());
    let gradients = grad(|t| t[0].sum(None, false), &[&x, &y]).unwrap();
    assert_eq!((floats(&gradients[0]), floats(&gradients[1])), (vec![1.0; 2], vec![0.0; 3]));
    let gradients = grad(|t| t[0].detach()?.mul(&t[0])?.sum(None, false), &[&x]).unwrap();
    assert_eq!(floats(&gradients[0]), [1.0, 1.0]);
}

#[test]
fn a_linear_layer_is_pytorch_s() {
    let device = cpu();
    let layer = Linear::new(&device, &Generator::new(1), 4, 3, true).unwrap();
    let weights = floats(&layer.weight.get().unwrap());
    assert!(weights.iter().all(|w| w.abs() <= 0.5) && weights.iter().any(|w| w.abs() > 0.25));
    layer
        .weight
        .set(device.tensor(&[1f32, 2., 3., 4., 0., 1., 0., 1., -1., 0., 0., 2.], &[3, 4]).unwrap())
        .unwrap();
    layer.bias.as_ref().unwrap().set(device.tensor(&[0.5f32, 0.0, -0.5], &[3]).unwrap()).unwrap();
    let x = device.tensor(&[1f32, 1., 1., 1., 0., 0., 0., 2.], &[2, 4]).unwrap();
    assert_eq!(floats(&layer.forward(&x).unwrap()), [10.5, 2.0, 0.5, 8.5, 2.0, 3.5]);
    let row = x.slice(&[weft::Range::new(0, 1)]).unwrap().reshape(&[4]).unwrap();
    assert_eq!(floats(&layer.forward(&row).unwrap()), [10.5, 2.0, 0.5]);
    let error = layer.forward(&device.zeros(&[2, 5], DType::F32).unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "Linear: [2,5] × weight [3,4]: the last axes must be equal");
}

#[test]
fn modules_name_their_parameters() {
    let device = cpu();
    let generator = Generator::new(1);
    let layer = |i, o, bias| Linear::new(&device, &generator, i, o, bias).unwrap();
    let inner = Sequential::new().then(layer(4, 4, false)).then(Activation::Gelu);
    let model = Sequential::new().then(layer(3, 4, true)).then(Activation::Tanh).then(inner);
    let names: Vec<String> = model.named_parameters().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["0.weight", "0.bias", "2.0.weight"]);
    assert_eq!(model.parameters().len(), 3);
}

/// Three steps on sum(w²)/2, whose gradient is w.
fn steps(make: impl FnOnce(Vec<Parameter>) -> Box<Optimizer>) -> Vec<f32> {
    let device = cpu();
    let w = Parameter::new(device.tensor(&[1.0f32, -2.0], &[2]).unwrap()).unwrap();
    let optimizer = make(vec![w.clone()]);
    for _ in 0..3 {
        let (_, gradients) =
            value_and_grad_of(std::slice::from_ref(&w), || w.get()?.square()?.sum(None, false)?.mul(0.5))
                .unwrap();
        optimizer.step(gradients).unwrap();
    }
    floats(&w.get().unwrap())
}

#[test]
fn sgd_steps_as_pytorch_s() {
    let sgd = |options| steps(move |p| Box::new(Optimizer::new(p, options).unwrap()));
    let plain = Sgd { lr: 0.1, ..Sgd::default() };
    close(&sgd(plain), &[0.729, -1.458]);
    // v ← 0.9 v + w; w ← w − 0.1 v.
    close(&sgd(Sgd { momentum: 0.9, ..plain }), &[0.486, -0.972]);
    close(&sgd(Sgd { momentum: 0.9, nesterov: true, ..plain }), &[0.327_321, -0.654_642]);
    close(&sgd(Sgd { weight_decay: 0.5, ..plain }), &[0.614_125, -1.228_25]);
}

#[test]
fn adam_steps_as_the_paper_s() {
    let options = Adam { lr: 0.1, ..Adam::default() };
    // Algorithm 1 in f64.
    let expected: Vec<f32> = [1.0f64, -2.0]
        .iter()
        .map(|&start| {
            let (mut w, mut m, mut v) = (start, 0.0, 0.0);
            for t in 1..=3 {
                m = 0.9 * m + 0.1 * w;
                v = 0.999 * v + 0.001 * w * w;
                let (corrected, scale) = (m / (1.0 - 0.9f64.powi(t)), v / (1.0 - 0.999f64.powi(t)));
                w -= 0.1 * corrected / (scale.sqrt() + 1e-8);
            }
            w as f32
        })
        .collect();
    close(&steps(|p| Box::new(Optimizer::new(p, options).unwrap())), &expected);
}

#[test]
fn a_network_learns_what_no_line_separates() {
    let device = cpu();
    let generator = Generator::new(3);
    let layer = |i, o| Linear::new(&device, &generator, i, o, true).unwrap();
    let model = Sequential::new().then(layer(2, 8)).then(Activation::Tanh).then(layer(8, 2));
    let optimizer = Optimizer::new(model.parameters(), Adam { lr: 0.05, ..Adam::default() }).unwrap();
    let x = device.tensor(&[0f32, 0., 0., 1., 1., 0., 1., 1.], &[4, 2]).unwrap();
    let y = device.tensor(&[0i32, 1, 1, 0], &[4]).unwrap();
    let mut last = f64::INFINITY;
    for _ in 0..150 {
        let loss = || model.forward(&x)?.cross_entropy(&y);
        let (loss, gradients) = value_and_grad_of(optimizer.parameters(), loss).unwrap();
        optimizer.step(gradients).unwrap();
        last = item(&loss);
    }
    assert!(last < 0.05, "the loss is {last}");
    let right = model.forward(&x).unwrap().argmax(Some(&[-1]), false).unwrap().equal(&y).unwrap();
    assert_eq!(item(&right.sum(None, false).unwrap()), 4.0);
    let stats = device.stats();
    assert!(stats.program_misses <= 8, "{stats:?}");
}

#[test]
fn wrong_gradients_are_refused() {
    let device = cpu();
    let w = Parameter::new(device.zeros(&[2], DType::F32).unwrap()).unwrap();
    let optimizer = Optimizer::new(vec![w.clone()], Sgd::default()).unwrap();
    assert_eq!(optimizer.step(vec![]).unwrap_err().to_string(), "sgd: 0 gradients for 1 parameters");
    let wrong = device.zeros(&[3], DType::F32).unwrap();
    assert_eq!(optimizer.step(vec![wrong.clone()]).unwrap_err().to_string(), "sgd: got [3], expected [2]");
    assert_eq!(w.set(wrong).unwrap_err().to_string(), "assign: got [3], expected [2]");
    assert_eq!(Optimizer::new(vec![], Sgd::default()).err().unwrap().kind, ErrorKind::Value);
    let options = Sgd { lr: f64::NAN, ..Sgd::default() };
    let message = Optimizer::new(vec![w.clone()], options).err().unwrap().to_string();
    assert_eq!(message, "sgd: the learning rate must be at least 0, got NaN");
    let options = Adam { betas: (0.9, 1.0), ..Adam::default() };
    let message = Optimizer::new(vec![w], options).err().unwrap().to_string();
    assert_eq!(message, "adam: the second beta must be at least 0 and below 1, got 1");
}
