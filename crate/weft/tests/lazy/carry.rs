//! Loops that never read. The values that they carry from step to step take constant memory,
//! whatever holds them, and reading one costs one step.

use crate::support::{cpu, floats, gpu, item};
use weft::nn::{Activation, Linear, Module, Sequential};
use weft::optim::{Adam, Optimizer, Sgd};
use weft::random::Generator;
use weft::{DType, Device, Parameter, Stats, Tensor, value_and_grad_of};

const BATCH: usize = 8;
const CLASSES: usize = 10;

/// A small classifier and a batch for it.
struct Training {
    device: Device,
    model: Sequential,
    optimizer: Box<Optimizer>,
    images: Tensor,
    labels: Tensor,
}

impl Training {
    fn new(device: Device, width: usize) -> Training {
        let generator = Generator::new(0);
        let layer = |from, to| Linear::new(&device, &generator, from, to, true).unwrap();
        let model =
            Sequential::new().then(layer(16, width)).then(Activation::Relu).then(layer(width, CLASSES));
        let options = Sgd { lr: 0.05, momentum: 0.9, ..Sgd::default() };
        let optimizer = Box::new(Optimizer::new(model.parameters(), options).unwrap());
        let images: Vec<f32> = (0..BATCH * 16).map(|i| (i % 17) as f32 / 17.0).collect();
        let labels: Vec<i32> = (0..BATCH).map(|i| (i % CLASSES) as i32).collect();
        Training {
            images: device.tensor(&images, &[BATCH, 16]).unwrap(),
            labels: device.tensor(&labels, &[BATCH]).unwrap(),
            device,
            model,
            optimizer,
        }
    }

    fn loss_and_gradients(&self) -> (Tensor, Vec<Tensor>) {
        let loss = || self.model.forward(&self.images)?.cross_entropy(&self.labels);
        value_and_grad_of(self.optimizer.parameters(), loss).unwrap()
    }

    fn step(&self) -> Tensor {
        let (loss, gradients) = self.loss_and_gradients();
        self.optimizer.step(gradients).unwrap();
        loss
    }

    /// How many of the batch are classified right, apart from the loss.
    fn right(&self) -> Tensor {
        let guesses = self.model.forward(&self.images).unwrap().argmax(Some(&[-1]), false).unwrap();
        guesses.equal(&self.labels).unwrap().cast(DType::F32).unwrap().sum(None, false).unwrap()
    }

    /// An average of each parameter, one step on.
    fn average(&self, averages: &mut [Tensor]) {
        for (average, parameter) in averages.iter_mut().zip(self.optimizer.parameters()) {
            let now = parameter.get().unwrap().mul(0.1).unwrap();
            *average = average.mul(0.9).unwrap().add(now).unwrap();
        }
    }

    fn zeros(&self) -> Vec<Tensor> {
        let zeros = |p: &Parameter| {
            let tensor = p.get().unwrap();
            self.device.zeros(tensor.shape(), tensor.dtype()).unwrap()
        };
        self.optimizer.parameters().iter().map(zeros).collect()
    }
}

/// Runs iterations until nothing is new, then as many again as are asked for, all of which must
/// look alike: memory, submits, programs.
fn check_flat(device: &Device, iterations: usize, growth: u64, mut iteration: impl FnMut(usize)) {
    let warm = 8;
    (0..warm).for_each(&mut iteration);
    let (early, nodes) = (device.stats(), device.live_nodes());
    for n in warm..warm + iterations {
        iteration(n);
    }
    let late = device.stats();
    let grown = iterations as u64 * growth;
    assert!(late.bytes_live <= early.bytes_live + grown, "{} grew to {}", early.bytes_live, late.bytes_live);
    assert!(late.bytes_peak <= early.bytes_peak + grown, "{} rose to {}", early.bytes_peak, late.bytes_peak);
    assert!(
        device.live_nodes() <= nodes + iterations * 2 * usize::from(growth > 0) + 8,
        "{nodes} nodes grew to {}",
        device.live_nodes()
    );
    assert_eq!(late.program_misses, early.program_misses, "programs were compiled");
    assert_eq!(late.pipelines_compiled, early.pipelines_compiled, "pipelines were compiled");
}

/// Nodes and programs that one read takes.
fn cost_of_reading(device: &Device, tensor: &Tensor) -> (Stats, f64) {
    let before = device.stats();
    let value = item(tensor);
    let after = device.stats();
    let cost = Stats {
        submits: after.submits - before.submits,
        dispatches: after.dispatches - before.dispatches,
        ..after
    };
    (cost, value)
}

#[test]
fn a_running_loss_and_an_average_of_the_weights_stay_flat() {
    for (device, iterations) in [(cpu(), 150), (gpu(), 400)] {
        let training = Training::new(device.clone(), 64);
        let mut total = device.zeros(&[], DType::F32).unwrap();
        let mut averages = training.zeros();
        check_flat(&device, iterations, 0, |_| {
            let loss = training.step();
            total = total.add(&loss).unwrap();
            training.average(&mut averages);
        });
        let (cost, value) = cost_of_reading(&device, &total);
        assert!(cost.submits <= 2 && cost.dispatches <= 3, "{cost:?}");
        assert!(value.is_finite() && value > 0.0);
        assert!(floats(&averages[0]).iter().any(|v| *v != 0.0));
    }
}

#[test]
fn values_carried_before_the_step_and_after_it_are_right() {
    // The same program run eagerly with every value read at once.
    let run = |read: bool| {
        let device = cpu();
        let training = Training::new(device.clone(), 8);
        let (mut before, mut after) =
            (device.number(0.0, DType::F32).unwrap(), device.number(0.0, DType::F32).unwrap());
        let mut averages = training.zeros();
        for _ in 0..20 {
            before = before.add(training.right()).unwrap();
            let loss = training.step();
            after = after.mul(0.5).unwrap().add(&loss).unwrap().add(training.right()).unwrap();
            training.average(&mut averages);
            if read {
                item(&before);
                item(&after);
                averages.iter().for_each(|a| drop(floats(a)));
            }
        }
        let averages: Vec<Vec<f32>> = averages.iter().map(floats).collect();
        (item(&before), item(&after), averages)
    };
    let (lazy, eager) = (run(false), run(true));
    assert_eq!((lazy.0, lazy.2), (eager.0, eager.2));
    assert!((lazy.1 - eager.1).abs() < 1e-4, "{} {}", lazy.1, eager.1);
}

#[test]
fn an_accuracy_that_shares_nothing_with_the_loss_stays_flat() {
    let device = cpu();
    let training = Training::new(device.clone(), 64);
    let mut right = device.zeros(&[], DType::F32).unwrap();
    check_flat(&device, 150, 0, |n| {
        // Now before the step, now after it.
        if n % 2 == 0 {
            right = right.add(training.right()).unwrap();
        }
        training.step();
        if n % 2 == 1 {
            right = right.add(training.right()).unwrap();
        }
    });
    assert!(item(&right) >= 0.0);
}

#[test]
fn lists_of_values_that_nobody_reads_keep_a_small_value_each() {
    let device = cpu();
    let training = Training::new(device.clone(), 64);
    let (mut losses, mut rights, mut total) =
        (Vec::new(), Vec::new(), device.zeros(&[], DType::F32).unwrap());
    check_flat(&device, 150, 64, |_| {
        let right = training.right();
        total = total.add(&right).unwrap();
        rights.push(right);
        losses.push(training.step());
    });
    let sum: f64 = rights.iter().map(item).sum();
    assert_eq!(item(&total), sum);
    assert!(losses.iter().map(item).all(f64::is_finite));
}

#[test]
fn gradients_that_are_held_do_not_keep_their_steps() {
    let device = cpu();
    let training = Training::new(device.clone(), 64);
    let mut held = Vec::new();
    let mut norm = device.zeros(&[], DType::F32).unwrap();
    check_flat(&device, 100, 0, |_| {
        let (_, gradients) = training.loss_and_gradients();
        norm = norm.add(gradients[0].square().unwrap().sum(None, false).unwrap()).unwrap();
        held = gradients.clone();
        training.optimizer.step(gradients).unwrap();
    });
    assert!(floats(&held[0]).iter().all(|g| g.is_finite()));
}

#[test]
fn a_value_larger_than_the_weights_and_carried_through_several_tensors_stays_flat() {
    let device = cpu();
    let training = Training::new(device.clone(), 4);
    let mut big = device.zeros(&[200_000], DType::F32).unwrap();
    let mut other = device.zeros(&[200_000], DType::F32).unwrap();
    let mut count = device.zeros(&[], DType::I32).unwrap();
    check_flat(&device, 60, 0, |_| {
        let loss = training.step();
        let next = other.mul(0.5).unwrap().add(&loss).unwrap();
        other = big.neg().unwrap();
        big = next;
        count = count.add(1).unwrap();
    });
    assert_eq!(item(&count), 68.0);
    assert!(floats(&big)[0].is_finite());
}

#[test]
fn a_recurrence_beside_a_captured_step_stays_flat() {
    let device = cpu();
    let training = Training::new(device.clone(), 2048);
    device.trace_begin().unwrap();
    let images = device.placeholder(training.images.shape(), training.images.dtype()).unwrap();
    let loss = training.model.forward(&images).unwrap().square().unwrap().mean(None, false).unwrap();
    for parameter in training.optimizer.parameters() {
        parameter.set(parameter.get().unwrap().mul(0.999).unwrap()).unwrap();
    }
    let captured = device.trace_end(&[&loss], &[&images]).unwrap();
    drop((images, loss));
    let weights: u64 =
        training.optimizer.parameters().iter().map(|p| p.get().unwrap().size() as u64 * 4).sum();
    let mut total = device.zeros(&[], DType::F32).unwrap();
    let mut averages = training.zeros();
    let mut peak = 0;
    for _ in 0..400 {
        let loss = captured.call(&[&training.images], &[], &[]).unwrap().remove(0);
        total = total.add(&loss).unwrap();
        training.average(&mut averages);
        peak = peak.max(device.stats().bytes_live);
    }
    assert!(peak < (96 << 20), "{peak} bytes, of weights that take {weights}");
    assert!(item(&total).is_finite());
}

#[test]
fn a_loop_without_any_step_stays_flat() {
    let device = cpu();
    let batch = vec![1.0f32; 1 << 16];
    let mut x = device.zeros(&[1 << 16], DType::F32).unwrap();
    let mut peak = 0;
    for _ in 0..800 {
        x = x.mul(0.5).unwrap().add(device.tensor(&batch, &[1 << 16]).unwrap()).unwrap();
        peak = peak.max(device.stats().bytes_live);
    }
    assert!(peak < (80 << 20), "{peak}");
    assert!((floats(&x)[0] - 2.0).abs() < 1e-6);
    drop(x);
    assert_eq!((device.stats().bytes_live, device.live_nodes()), (0, 0));
}

#[test]
fn a_read_after_many_steps_costs_what_one_step_costs() {
    let device = gpu();
    let training = Training::new(device.clone(), 16);
    let mut count = device.zeros(&[3], DType::F32).unwrap();
    let mut turned = device.tensor(&[1.0f32, 2.0, 3.0], &[3]).unwrap();
    for _ in 0..600 {
        training.step();
        count = count.add(1.0).unwrap();
        turned = turned.flip(Some(&[0])).unwrap();
    }
    let before = device.stats();
    assert_eq!(floats(&count), [600.0; 3]);
    assert_eq!(floats(&turned), [1.0, 2.0, 3.0]);
    let after = device.stats();
    assert!(after.dispatches - before.dispatches <= 4, "{}", after.dispatches - before.dispatches);
    assert!(device.live_nodes() < 100, "{}", device.live_nodes());
}

#[test]
fn adam_with_everything_carried_stays_flat() {
    let device = cpu();
    let mut training = Training::new(device.clone(), 32);
    *training.optimizer =
        Optimizer::new(training.model.parameters(), Adam { lr: 1e-3, ..Adam::default() }).unwrap();
    let mut state = (device.zeros(&[], DType::F32).unwrap(), training.zeros());
    check_flat(&device, 60, 0, |_| {
        let loss = training.step();
        state.0 = state.0.mul(0.9).unwrap().add(loss.mul(0.1).unwrap()).unwrap();
        training.average(&mut state.1);
    });
}

#[test]
fn many_results_that_keep_nothing_alive_are_not_computed() {
    let device = cpu();
    let x = device.tensor(&vec![1.0f32; 1 << 16], &[1 << 16]).unwrap();
    let before = device.stats();
    let held: Vec<Tensor> = (0..10_000).map(|i| x.add(f64::from(i)).unwrap()).collect();
    let after = device.stats();
    assert_eq!((after.bytes_live, after.submits), (before.bytes_live, before.submits));
    assert_eq!(floats(&held[9_999])[0], 10_000.0);
}

#[test]
fn what_is_dropped_between_flushes_never_changes_a_program() {
    // Every other iteration, as a garbage collector may, drops what has long been useless before or
    // after the step.
    let run = |late: bool| {
        let device = cpu();
        let training = Training::new(device.clone(), 8);
        let mut total = device.zeros(&[], DType::F32).unwrap();
        let mut useless = Vec::new();
        let mut costs = Vec::new();
        for n in 0..60 {
            let loss = training.step();
            let right = training.right();
            let next = total.add(&loss).unwrap().add(&right).unwrap();
            useless.push((std::mem::replace(&mut total, next), loss, right));
            if !late || n % 7 == 0 {
                training.step();
                useless.clear();
            } else {
                training.step();
            }
            costs.push(device.stats().program_misses);
        }
        assert_eq!(costs[10..], vec![costs[10]; 50], "programs are compiled on and on");
        (costs[59], item(&total))
    };
    assert_eq!(run(false), run(true));
}
