//! A step of training writes over the parameters and the state that it replaces. Is what anyone else still has or needs of them left alone?

mod support;

use support::{cpu, floats, gpu, hardware};
use weft::optim::{Adam, Optimizer, Sgd};
use weft::{Device, Parameter, Tensor, value_and_grad_of};

const START: [f32; 4] = [1.0, -2.0, 3.0, -4.0];

/// A parameter that nobody else holds, with an optimizer that has made a step: state and value are stored.
fn trained(device: &Device) -> (Parameter, Optimizer) {
    let weight = Parameter::new(device.tensor(&START, &[4]).unwrap()).unwrap();
    let optimizer = Optimizer::new(vec![weight.clone()], Adam { lr: 0.1, ..Adam::default() }).unwrap();
    step(&weight, &optimizer);
    (weight, optimizer)
}

fn step(weight: &Parameter, optimizer: &Optimizer) -> Tensor {
    let loss = || weight.get()?.mul(&weight.get()?)?.sum(None, false);
    let (loss, gradients) = value_and_grad_of(std::slice::from_ref(weight), loss).unwrap();
    optimizer.step(gradients).unwrap();
    loss
}

/// On the CPU device, which writes over nothing, and on a GPU, as software and as hardware: what `look` makes of a few steps is the same.
fn agrees(look: impl Fn(&Device, &Parameter, &Optimizer) -> Vec<Vec<f32>>) {
    let run = |device: Device| {
        let (weight, optimizer) = trained(&device);
        look(&device, &weight, &optimizer)
    };
    let expected = run(cpu());
    for device in [gpu(), hardware()] {
        let found = run(device);
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
            assert!((found - expected).abs() <= 1e-5 * expected.abs().max(1.0), "{found}, not {expected}");
        }
    }
}

#[test]
fn a_step_takes_no_second_copy_of_parameters_and_state() {
    let device = gpu();
    let (weight, optimizer) = trained(&device);
    step(&weight, &optimizer);
    device.reset_peak();
    let before = device.stats();
    for _ in 0..5 {
        step(&weight, &optimizer);
    }
    let after = device.stats();
    assert_eq!(after.buffers_created, before.buffers_created);
    assert_eq!(after.program_misses, before.program_misses);
    // The loss is the only thing that is new.
    assert!(after.bytes_peak <= before.bytes_live + 256, "{before:?}, {after:?}");
}

#[test]
fn a_value_that_someone_holds_stays() {
    agrees(|_, weight, optimizer| {
        let held: Vec<Tensor> = (0..3)
            .map(|_| {
                let before = weight.get().unwrap();
                step(weight, optimizer);
                before
            })
            .collect();
        held.iter().chain([&weight.get().unwrap()]).map(floats).collect()
    });
}

#[test]
fn what_is_pending_on_it_is_computed_of_it() {
    agrees(|_, weight, optimizer| {
        let mut waiting = Vec::new();
        for n in 0..3 {
            waiting.push(weight.get().unwrap().mul(f64::from(n) + 2.0).unwrap().exp().unwrap());
            waiting.push(step(weight, optimizer));
        }
        waiting.iter().rev().map(floats).collect()
    });
}

#[test]
fn a_value_of_two_parameters_is_overwritten_for_neither() {
    agrees(|device, weight, _| {
        let twin = Parameter::new(weight.get().unwrap()).unwrap();
        let rule = Sgd { lr: 0.1, momentum: 0.9, ..Sgd::default() };
        let one = Optimizer::new(vec![weight.clone()], rule).unwrap();
        step(weight, &one);
        device.flush_parameters().unwrap();
        step(weight, &one);
        [&twin, weight].map(|p| floats(&p.get().unwrap())).into()
    });
}

#[test]
fn parameters_that_read_each_other_are_replaced_at_once() {
    agrees(|device, weight, _| {
        let other = Parameter::new(device.tensor(&[0.5f32, 0.25, -1.0, 8.0], &[4]).unwrap()).unwrap();
        device.flush_parameters().unwrap();
        for _ in 0..3 {
            // Each from what the other was, and in another order than its own.
            let (a, b) = (weight.get().unwrap(), other.get().unwrap());
            weight.set(b.flip(Some(&[0])).unwrap().add(&a).unwrap()).unwrap();
            other.set(a.flip(Some(&[0])).unwrap().sub(&b).unwrap()).unwrap();
            drop((a, b));
            device.flush_parameters().unwrap();
        }
        [weight, &other].map(|p| floats(&p.get().unwrap())).into()
    });
}

#[test]
fn inside_an_open_gradient_what_was_stored_stays() {
    agrees(|device, weight, optimizer| {
        let loss = || {
            let y = weight.get()?.mul(3.0)?;
            step(weight, optimizer);
            device.flush_parameters()?;
            y.mul(&y)?.sum(None, false)
        };
        let (loss, gradients) = value_and_grad_of(std::slice::from_ref(weight), loss).unwrap();
        vec![floats(&loss), floats(&gradients[0]), floats(&weight.get().unwrap())]
    });
}
