//! Training steps that write over the parameters and the state that they replace. Values that
//! anything else still holds or needs stay as they were.

use crate::support::{cpu, floats, gpu, hardware};
use weft::optim::{Adam, Optimizer, Sgd};
use weft::{DType, Device, Parameter, Tensor, value_and_grad_of};

const START: [f32; 4] = [1.0, -2.0, 3.0, -4.0];

/// A parameter that nobody else holds, with an optimizer that has made a step: state and value are
/// stored.
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

/// On the CPU device, which writes over nothing, and on a GPU, as software and as hardware: what
/// `look` makes of a few steps is the same.
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

/// Rows of a table, large beside what is written into it.
const ROWS: usize = 4096;
const WIDTH: usize = 64;

#[test]
fn a_table_is_updated_where_it_is_by_calls_and_by_loops() {
    for device in [cpu(), gpu(), hardware()] {
        let table = || device.zeros(&[ROWS, WIDTH], DType::F32).unwrap();
        let places = device.tensor(&[7i32, -1, 7], &[3]).unwrap();
        let rows = device.tensor(&(0..3 * WIDTH).map(|k| k as f32).collect::<Vec<_>>(), &[3, WIDTH]).unwrap();
        // A captured call that gives its table away.
        device.trace_begin().unwrap();
        let x = device.placeholder(&[ROWS, WIDTH], DType::F32).unwrap();
        let changed = x.at(&places).set(&rows).unwrap();
        let call = device.trace_end(&[&changed], &[&x]).unwrap();
        drop((x, changed));
        let mut state = call.call(&[&table()], &[], &[true]).unwrap().remove(0);
        for _ in 0..3 {
            state = call.call(&[&state], &[], &[true]).unwrap().remove(0);
        }
        let found = floats(&state);
        assert_eq!(found[7 * WIDTH], (2 * WIDTH) as f32, "of two rows for one place the last stands");
        assert_eq!(found[(ROWS - 1) * WIDTH], WIDTH as f32);
        assert_eq!(found.iter().filter(|&&x| x != 0.0).count(), 2 * WIDTH);
        // A loop that carries it, and reads what it wrote.
        let start = table();
        device.realize(&[&start]).unwrap();
        device.reset_peak();
        let before = device.stats();
        let body = |k: &Tensor, state: &[Tensor]| {
            let next = state[0].at(k).add(&state[1])?;
            let last = next.at(k).get()?;
            Ok(vec![next, last.add(1.0)?])
        };
        let ones = device.ones(&[WIDTH], DType::F32).unwrap();
        let done = device.for_loop(0, 40, body, &[&start, &ones]).unwrap();
        let found = floats(&done[0]);
        for k in [0, 1, 39] {
            assert_eq!(found[k * WIDTH + 5], (k + 1) as f32, "row {k}");
        }
        assert!(found[40 * WIDTH..].iter().all(|&x| x == 0.0));
        assert!(floats(&start).iter().all(|&x| x == 0.0), "what was given stays what it was");
        if device.kind() != cpu().kind() {
            // One more table: there is no second one for turns.
            let took = device.stats().bytes_peak - before.bytes_live;
            assert!(took < (4 * ROWS * WIDTH * 3 / 2) as u64, "{took} bytes");
        }
    }
}
