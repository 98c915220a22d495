//! Guarantees of fusion, caching and memory planning, counted on a GPU: dispatches, submits,
//! pipelines, buffers, bytes.

use crate::support::{floats, gpu, hardware, item, phone, wait};
use std::time::{Duration, Instant};
use weft::nn::{Activation, Linear, Module, Sequential};
use weft::optim::{Optimizer, Sgd};
use weft::random::Generator;
use weft::{Device, Range, Stats, Tensor, value_and_grad_of};

/// An MLP on images of 28×28, its optimizer, and one batch.
struct Training {
    device: Device,
    model: Sequential,
    optimizer: Optimizer,
    images: Tensor,
    labels: Tensor,
}

impl Training {
    fn new(sizes: [usize; 4], batch: usize, options: Sgd) -> Training {
        Training::on(gpu(), sizes, batch, options)
    }

    fn on(device: Device, sizes: [usize; 4], batch: usize, options: Sgd) -> Training {
        let generator = Generator::new(0);
        let layer = |n: usize| Linear::new(&device, &generator, sizes[n], sizes[n + 1], true).unwrap();
        let model = Sequential::new()
            .then(layer(0))
            .then(Activation::Relu)
            .then(layer(1))
            .then(Activation::Relu)
            .then(layer(2));
        let optimizer = Optimizer::new(model.parameters(), options).unwrap();
        let images: Vec<f32> = (0..batch * sizes[0]).map(|i| (i % 17) as f32 / 17.0).collect();
        let labels: Vec<i32> = (0..batch).map(|i| (i % sizes[3]) as i32).collect();
        Training {
            images: device.tensor(&images, &[batch, sizes[0]]).unwrap(),
            labels: device.tensor(&labels, &[batch]).unwrap(),
            device,
            model,
            optimizer,
        }
    }

    /// One step; returns the loss, which nobody has to read.
    fn step(&self, images: &Tensor, labels: &Tensor) -> weft::Result<Tensor> {
        let parameters = self.optimizer.parameters();
        let loss = || self.model.forward(images)?.cross_entropy(labels);
        let (loss, gradients) = value_and_grad_of(parameters, loss)?;
        self.optimizer.step(gradients)?;
        Ok(loss)
    }

    /// As another function of a batch, captured.
    fn captured(&self) -> weft::Captured {
        let device = &self.device;
        device.trace_begin().unwrap();
        let images = device.placeholder(self.images.shape(), self.images.dtype()).unwrap();
        let labels = device.placeholder(self.labels.shape(), self.labels.dtype()).unwrap();
        let loss = self.step(&images, &labels).unwrap();
        device.trace_end(&[&loss], &[&images, &labels]).unwrap()
    }
}

const MNIST: [usize; 4] = [784, 512, 256, 10];

/// Each step is one submit of so many dispatches at most.
fn check_steps(training: &Training, most: u64, mut step: impl FnMut() -> Tensor) {
    let mut before = Stats::default();
    let mut losses = Vec::new();
    for n in 0..8 {
        let loss = step();
        let after = training.device.stats();
        if n >= 1 {
            assert_eq!(after.submits - before.submits, 1, "submits of step {n}");
            assert_eq!(after.passes - before.passes, 1, "passes of step {n}");
            let dispatches = after.dispatches - before.dispatches;
            assert!(dispatches <= most, "{dispatches} dispatches in step {n}");
        }
        if n >= 3 {
            assert_eq!(after.pipelines_compiled, before.pipelines_compiled, "pipelines of step {n}");
            assert_eq!(after.buffers_created, before.buffers_created, "buffers of step {n}");
            assert_eq!(after.program_misses, before.program_misses, "programs of step {n}");
        }
        before = after;
        losses.push(loss);
        // Only the last is read: reading takes a submit of its own.
        losses.drain(..losses.len() - 1);
    }
    let submits = training.device.stats().submits;
    let last = item(&losses[0]);
    assert_eq!(
        training.device.stats().submits - submits,
        1,
        "the loss was computed with the step and is only copied"
    );
    assert!(last.is_finite() && last < 2.4, "the loss is {last}");
}

#[test]
fn an_eager_training_step_is_one_submit_of_few_dispatches() {
    let training = Training::new(MNIST, 128, Sgd { lr: 0.1, ..Sgd::default() });
    check_steps(&training, 13, || training.step(&training.images, &training.labels).unwrap());
}

#[test]
fn on_hardware_a_training_step_is_no_more_dispatches() {
    // Its products keep a GPU busy without sums in parts, which a second kernel would add up.
    for device in [hardware(), phone()] {
        let training = Training::on(device, MNIST, 128, Sgd { lr: 0.1, ..Sgd::default() });
        check_steps(&training, 13, || training.step(&training.images, &training.labels).unwrap());
    }
}

#[test]
fn a_captured_training_step_is_one_submit_of_few_dispatches() {
    let training = Training::new(MNIST, 128, Sgd { lr: 0.1, ..Sgd::default() });
    let captured = training.captured();
    check_steps(&training, 13, || {
        let mut results = captured.call(&[&training.images, &training.labels], &[], &[]).unwrap();
        results.pop().expect("the loss")
    });
}

#[test]
fn a_captured_step_computes_its_batch_in_the_same_submit() {
    let training = Training::new(MNIST, 128, Sgd { lr: 0.1, ..Sgd::default() });
    let captured = training.captured();
    let all = training.device.tensor(&vec![0.5f32; 512 * 784], &[512, 784]).unwrap();
    let mut start = 0;
    check_steps(&training, 14, || {
        start = (start + 100) % 300;
        let images = all.slice(&[Range::new(start, start + 128)]).unwrap();
        let mut results = captured.call(&[&images, &training.labels], &[], &[]).unwrap();
        results.pop().expect("the loss")
    });
}

#[test]
fn with_momentum_a_step_is_no_more_submits() {
    let options = Sgd { lr: 0.1, momentum: 0.9, ..Sgd::default() };
    let training = Training::new(MNIST, 128, options);
    check_steps(&training, 13, || training.step(&training.images, &training.labels).unwrap());
}

#[test]
fn a_thousand_steps_that_read_nothing_keep_memory_flat() {
    for captured in [false, true] {
        let training = Training::new([24, 16, 12, 10], 8, Sgd { lr: 0.1, ..Sgd::default() });
        let jit = captured.then(|| training.captured());
        let mut early = Stats::default();
        for n in 0..1000 {
            match &jit {
                Some(jit) => drop(jit.call(&[&training.images, &training.labels], &[], &[]).unwrap()),
                None => drop(training.step(&training.images, &training.labels).unwrap()),
            }
            if n == 4 {
                early = training.device.stats();
            }
        }
        let late = training.device.stats();
        assert_eq!(late.bytes_live, early.bytes_live);
        assert_eq!(late.buffers_created, early.buffers_created);
        assert_eq!(late.pipelines_compiled, early.pipelines_compiled);
    }
}

/// Dispatches that a computation takes, besides its value.
fn dispatches(device: &Device, compute: impl FnOnce() -> Tensor) -> (u64, Tensor) {
    let result = compute();
    let before = device.stats();
    device.realize(&[&result]).unwrap();
    let after = device.stats();
    assert_eq!(after.submits - before.submits, 1);
    (after.dispatches - before.dispatches, result)
}

#[test]
fn softmax_of_a_matrix_is_one_kernel() {
    let device = gpu();
    let values: Vec<f32> = (0..64 * 1000).map(|i| (i % 101) as f32 / 10.0).collect();
    let x = device.tensor(&values, &[64, 1000]).unwrap();
    let (count, y) = dispatches(&device, || x.softmax(-1).unwrap());
    assert_eq!(count, 1);
    let sums: Vec<f32> = floats(&y).chunks(1000).map(|row| row.iter().sum()).collect();
    assert!(sums.iter().all(|s| (s - 1.0).abs() < 1e-5), "{sums:?}");
    let (count, _) = dispatches(&device, || x.log_softmax(-1).unwrap());
    assert_eq!(count, 1);
}

/// Places counted from the end and updates that are scaled are computed where they are used.
/// Atomics take a kernel to begin, one for the exponents, one for the sums and one for the result;
/// copies, which software keeps, one to begin, one for the sums of each and one for the result.
#[test]
fn many_updates_are_added_by_few_kernels() {
    for (device, kernels) in [(gpu(), 3), (hardware(), 4), (phone(), 4)] {
        let places: Vec<i32> = (0..100_000).map(|n| n % 70_000 - 35_000).collect();
        let places = device.tensor(&places, &[100_000]).unwrap();
        let updates = device.tensor(&vec![0.5f32; 100_000], &[100_000]).unwrap();
        let base = device.tensor(&vec![1.0f32; 70_000], &[70_000]).unwrap();
        let (count, sums) = dispatches(&device, || base.at(&places).add(updates.mul(2.0).unwrap()).unwrap());
        assert_eq!(count, kernels, "{:?}", device.kind());
        // 30,000 of them come twice.
        let expected = (0..70_000).map(|place| if (35_000..65_000).contains(&place) { 3.0 } else { 2.0 });
        assert!(floats(&sums).into_iter().eq(expected), "{:?}", device.kind());
    }
}

#[test]
fn an_elementwise_chain_joins_its_reduction() {
    let device = gpu();
    let values: Vec<f32> = (0..100_000).map(|i| (i % 7) as f32 - 3.0).collect();
    let x = device.tensor(&values, &[100_000]).unwrap();
    let chain = || x.mul(2.0)?.add(1.0)?.tanh()?.sum(None, false);
    let (count, y) = dispatches(&device, || chain().unwrap());
    assert!(count <= 2, "{count} dispatches");
    let expected: f64 = values.iter().map(|&v| f64::from(v * 2.0 + 1.0).tanh()).sum();
    assert!((item(&y) - expected).abs() < 0.5, "{} is not {expected}", item(&y));
}

#[test]
fn a_chain_of_a_hundred_thousand_adds_runs_and_drops() {
    let device = gpu();
    let start = Instant::now();
    let mut x = device.tensor(&[0.0f32; 16], &[16]).unwrap();
    for _ in 0..100_000 {
        x = x.add(1.0).unwrap();
    }
    assert_eq!(floats(&x), [100_000.0; 16]);
    drop(x);
    // Ten seconds are the bar; without optimisation, beside other tests, it may take longer.
    let limit = Duration::from_secs(if cfg!(debug_assertions) { 40 } else { 10 });
    let took = start.elapsed();
    assert!(took < limit, "{took:?}");
    assert_eq!(device.live_nodes(), 0);
}

#[test]
fn a_chain_of_two_tensors_runs_and_drops() {
    let device = gpu();
    let step = device.tensor(&[1.0f32, 2.0], &[2]).unwrap();
    let mut x = device.zeros(&[2], weft::DType::F32).unwrap();
    for _ in 0..100_000 {
        x = x.add(&step).unwrap();
    }
    assert_eq!(floats(&x), [100_000.0, 200_000.0]);
}

#[test]
fn a_sum_of_more_ones_than_f32_counts_is_exact() {
    let device = gpu();
    let x = device.tensor(&vec![1.0f32; 1 << 25], &[1 << 25]).unwrap();
    assert_eq!(item(&x.sum(None, false).unwrap()), f64::from(1 << 25));
}

#[test]
fn a_loop_that_reads_costs_the_same_each_iteration() {
    let device = gpu();
    let values: Vec<f32> = (0..1000).map(|i| i as f32 / 1000.0).collect();
    let mut x = device.tensor(&values, &[1000]).unwrap();
    let mut costs = Vec::new();
    for _ in 0..1000 {
        let before = device.stats();
        x = x.mul(0.9).unwrap().add(0.05).unwrap().tanh().unwrap();
        item(&x.mean(None, false).unwrap());
        let after = device.stats();
        costs.push((
            after.dispatches - before.dispatches,
            after.program_misses - before.program_misses,
            after.submits - before.submits,
        ));
    }
    assert!(costs[0].0 <= 2, "{:?}", costs[0]);
    // A flush and a read-back each iteration; from the fourth on nothing is compiled.
    let steady = costs[3];
    assert_eq!((steady.1, steady.2), (0, 2));
    assert!(steady.0 <= 4, "{steady:?}");
    assert!(costs[3..].iter().all(|&cost| cost == steady), "{costs:?}");
}

#[test]
fn numbers_and_places_compile_nothing_new() {
    let device = gpu();
    let values: Vec<f32> = (0..1000).map(|i| i as f32).collect();
    let x = device.tensor(&values, &[1000]).unwrap();
    let scaled = |n: i32| floats(&x.mul(f64::from(n) / 8.0).unwrap().slice(&[Range::new(0, 4)]).unwrap());
    let moved = |n: i64| floats(&x.slice(&[Range::new(n, n + 10)]).unwrap().neg().unwrap());
    scaled(0);
    moved(0);
    let before = device.stats();
    for n in 1..100 {
        assert_eq!(scaled(n)[3], n as f32 / 8.0 * 3.0);
        assert_eq!(moved(i64::from(n))[0], -(n as f32));
    }
    let after = device.stats();
    assert_eq!(after.pipelines_compiled, before.pipelines_compiled);
    assert_eq!(after.program_misses, before.program_misses);
}

#[test]
fn a_donated_input_is_written_in_place() {
    let device = gpu();
    device.trace_begin().unwrap();
    let x = device.placeholder(&[1024], weft::DType::F32).unwrap();
    let y = x.mul(0.5).unwrap().add(1.0).unwrap();
    let step = device.trace_end(&[&y], &[&x]).unwrap();
    drop((x, y));
    let mut state = device.tensor(&vec![0.0f32; 1024], &[1024]).unwrap();
    state = step.call(&[&state], &[], &[true]).unwrap().remove(0);
    let before = device.stats();
    for _ in 0..50 {
        state = step.call(&[&state], &[], &[true]).unwrap().remove(0);
        assert_eq!(device.stats().bytes_live, before.bytes_live);
    }
    let after = device.stats();
    assert_eq!((after.buffers_created, after.bytes_peak), (before.buffers_created, before.bytes_peak));
    assert!(floats(&state).iter().all(|v| (v - 2.0).abs() < 1e-6));
    wait(device.idle()).unwrap();
}
