//! Peak memory of a training step, compared with the least that would do: the values that exist
//! before the step, and at each dispatch the values of the step that are stored by then and still
//! to be read.

use crate::support::rotation::share;
use crate::support::{gpu, hardware, item};
use std::collections::HashMap;
use weft::optim::{Adam, Optimizer, Sgd};
use weft::random::Generator;
use weft::{Convolution, Device, Padding, Parameter, Result, Tensor, value_and_grad_of};
use weft_compile::{Executable, Slot};

type Loss = fn(&[Parameter], &Tensor, &Tensor) -> Result<Tensor>;

struct Model {
    name: &'static str,
    shapes: Vec<Vec<usize>>,
    x: Vec<usize>,
    classes: usize,
    loss: Loss,
}

fn models() -> Vec<Model> {
    vec![
        Model {
            name: "a perceptron",
            shapes: vec![vec![784, 128], vec![128], vec![128, 64], vec![64], vec![64, 10], vec![10]],
            x: vec![16, 784],
            classes: 10,
            loss: perceptron,
        },
        Model {
            name: "a deep one of a large batch",
            shapes: (0..8).map(|_| vec![32, 32]).collect(),
            x: vec![512, 32],
            classes: 32,
            loss: deep,
        },
        Model {
            name: "convolutions",
            shapes: vec![vec![16, 1, 3, 3], vec![32, 16, 3, 3], vec![32 * 7 * 7, 128], vec![128, 10]],
            x: vec![8, 1, 28, 28],
            classes: 10,
            loss: convolutions,
        },
        Model {
            name: "attention",
            shapes: vec![vec![64, 192], vec![64, 64], vec![64, 256], vec![256, 64]],
            x: vec![2, 64, 64],
            classes: 64,
            loss: attention,
        },
    ]
}

fn perceptron(w: &[Parameter], x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let mut x = x.clone();
    for (n, pair) in w.chunks(2).enumerate() {
        x = x.matmul(&pair[0].get()?)?.add(pair[1].get()?)?;
        if n < 2 {
            x = x.relu()?;
        }
    }
    x.cross_entropy(y)
}

fn deep(w: &[Parameter], x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let mut x = x.clone();
    for w in w {
        x = x.matmul(&w.get()?)?.tanh()?;
    }
    x.cross_entropy(y)
}

fn convolutions(w: &[Parameter], x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let same = Convolution { padding: Padding::Same, ..Convolution::new(2) };
    let pooled = |x: Tensor| -> Result<Tensor> {
        let [n, c, h, w] = x.shape()[..] else { unreachable!("convolutions keep four axes") };
        x.reshape(&[n as i64, c as i64, h as i64 / 2, 2, w as i64 / 2, 2])?.max(Some(&[3, 5]), false)
    };
    let x = pooled(x.conv(&w[0].get()?, &same)?.relu()?)?;
    let x = pooled(x.conv(&w[1].get()?, &same)?.relu()?)?;
    let x = x.reshape(&[x.shape()[0] as i64, -1])?.matmul(&w[2].get()?)?.relu()?;
    x.matmul(&w[3].get()?)?.cross_entropy(y)
}

fn attention(w: &[Parameter], x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let [batch, length, width] = x.shape()[..] else { unreachable!("of three axes") };
    let heads =
        |x: Tensor| x.reshape(&[batch as i64, length as i64, 4, width as i64 / 4])?.permute(&[0, 2, 1, 3]);
    let all = x.matmul(&w[0].get()?)?;
    let part = |n: i64| {
        let range = weft::Range { start: Some(n * 64), stop: Some((n + 1) * 64), step: 1 };
        heads(all.slice(&[weft::Range::ALL, weft::Range::ALL, range])?)
    };
    let (q, k, v) = (part(0)?, part(1)?, part(2)?);
    let weights = q.matmul(&k.permute(&[0, 1, 3, 2])?)?.mul(0.25)?.softmax(-1)?;
    let mixed =
        weights.matmul(&v)?.permute(&[0, 2, 1, 3])?.reshape(&[batch as i64, length as i64, width as i64])?;
    let x = x.add(mixed.matmul(&w[1].get()?)?)?;
    let x = x.add(x.matmul(&w[2].get()?)?.gelu()?.matmul(&w[3].get()?)?)?;
    x.reshape(&[-1, width as i64])?.cross_entropy(&y.reshape(&[-1])?)
}

/// A value: the slot it is in, the node it is of, and the cluster whose partial results it is.
type HeldKey = (usize, Option<u32>, usize);

/// The most bytes that values of a run need at once beyond what it is given. What takes the place
/// of a parameter may be written over it and counts nothing.
fn least(executable: &Executable) -> u64 {
    let mut lives: HashMap<HeldKey, (usize, usize, u64)> = HashMap::new();
    for (at, dispatch) in executable.dispatches.iter().enumerate() {
        for (&slot, holds) in dispatch.bindings.iter().zip(&dispatch.holds) {
            let Slot::Temporary(bytes) = executable.slots[slot] else { continue };
            let program = &executable.fused[dispatch.cluster.0].program;
            let bytes = holds.map_or(bytes, |id| 4 * program[id].shape.size() as u64);
            let partial = if holds.is_some() { 0 } else { 1 + dispatch.cluster.1 };
            let life = lives.entry((slot, holds.map(|id| id.0), partial)).or_insert((at, at, bytes));
            life.1 = at;
        }
    }
    let live = |at: usize| lives.values().filter(|l| (l.0..=l.1).contains(&at)).map(|l| l.2).sum();
    (0..executable.dispatches.len()).map(live).max().unwrap_or(0)
}

/// The ratio of what a step took to the least.
fn measured(device: &Device, model: &Model, adam: bool, captured: bool) -> f64 {
    let random = Generator::new(1);
    let normal = |shape: &[usize]| random.normal(device, shape, 0.0, 0.1).unwrap();
    let weights: Vec<Parameter> =
        model.shapes.iter().map(|shape| Parameter::new(normal(shape)).unwrap()).collect();
    let optimizer = if adam {
        Optimizer::new(weights.clone(), Adam::default()).unwrap()
    } else {
        Optimizer::new(weights.clone(), Sgd { momentum: 0.9, ..Sgd::default() }).unwrap()
    };
    let x = normal(&model.x);
    let of: Vec<usize> = if model.name == "attention" { model.x[..2].into() } else { vec![model.x[0]] };
    let labels: Vec<i32> = (0..of.iter().product::<usize>()).map(|n| (n % model.classes) as i32).collect();
    let y = device.tensor(&labels, &of).unwrap();
    let step = |x: &Tensor, y: &Tensor| {
        let (loss, gradients) = value_and_grad_of(&weights, || (model.loss)(&weights, x, y)).unwrap();
        optimizer.step(gradients).unwrap();
        loss
    };
    let run: Box<dyn Fn() -> Tensor> = if captured {
        device.trace_begin().unwrap();
        let inputs = [&x, &y].map(|t| device.placeholder(t.shape(), t.dtype()).unwrap());
        let loss = step(&inputs[0], &inputs[1]);
        let program = device.trace_end(&[&loss], &[&inputs[0], &inputs[1]]).unwrap();
        let given = [x.clone(), y.clone()];
        Box::new(move || program.call(&[&given[0], &given[1]], &[], &[]).unwrap().remove(0))
    } else {
        Box::new(|| step(&x, &y))
    };
    let mut stands = 0;
    for n in 0..4 {
        if n == 3 {
            // The first steps also draw the weights, and begin the state.
            device.label_runs(1);
            device.reset_peak();
        }
        stands = device.stats().bytes_live;
        assert!(item(&run()).is_finite(), "{}", model.name);
    }
    device.label_runs(0);
    let runs = device.explain_runs(1).unwrap();
    let needed = runs.iter().map(|run| least(&run.explanation.executable)).max().unwrap();
    let peak = device.stats().bytes_peak;
    println!(
        "{}, {}, {}: {peak} bytes at once; {stands} stand and {needed} are needed beside them",
        model.name,
        if adam { "Adam" } else { "momentum" },
        if captured { "captured" } else { "eager" }
    );
    peak as f64 / (stands + needed) as f64
}

#[test]
fn a_training_step_takes_little_more_than_the_least() {
    let runs = [(false, false, gpu()), (true, false, hardware()), (true, true, gpu())];
    for (number, model) in models().into_iter().enumerate() {
        let (first, step) = share(3, number);
        for (adam, captured, device) in runs.iter().skip(first).step_by(step) {
            let ratio = measured(device, &model, *adam, *captured);
            assert!(ratio <= 1.2, "{}: {ratio} times the least", model.name);
        }
    }
}
