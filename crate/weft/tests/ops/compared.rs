//! Values that are compared with others derived from them: random programs that end in an extremum,
//! a pooling, a sort, a quantile or an equality, value and gradient, on a GPU as on the CPU device.
//!
//! The compared values tie exactly by construction: an element with the largest of its row, a value
//! with itself at its place after a sort. Drivers contract a·b + c in one kernel and not in
//! another, so a value that is computed once for each side is not equal to itself. The tests skip
//! programs whose result changes where their inputs change by a few units in the last place:
//! rounding decides those.

use crate::support::rotation;
use crate::support::{cpu, floats, gpu, hardware, item, phone};
use std::panic::{AssertUnwindSafe, catch_unwind};
use weft::{
    Between, DType, Device, Range, ReduceOp, Result, Tensor, Windows, concat, select, value_and_grad,
};

/// Programs that every run tries.
const PROGRAMS: u64 = 60;
/// Half of the programs whose plans alone are looked at.
const SWEPT: u64 = 150;
/// Those whose sorts bound one buffer too many.
const OVERFULL: [u64; 2] = [1_024_718, 1_029_903];
/// How far results may be off, as a share of the largest.
const TOLERANCE: f32 = 2e-3;

/// Numbers without a pattern (splitmix64).
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// One of a list.
    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// A number in [−1, 1).
    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    fn data(&mut self, count: usize, scale: f32) -> Vec<f32> {
        (0..count).map(|_| self.unit() * scale).collect()
    }
}

/// A step of the prologue, on tensors made before by their numbers.
#[derive(Clone, Copy, Debug)]
enum Step {
    Product(usize, usize),
    ProductSum(usize, usize, usize),
    Line(usize, f32, f32),
    Tanh(usize),
    Sigmoid(usize),
    Exp(usize),
    Damped(usize, usize),
    Centred(usize, usize, Option<i64>),
    Normalised(usize, Option<i64>),
    Mirrored(usize, usize),
    Outer(usize, usize),
    Quotient(usize, usize),
}

/// What a program ends in.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Ending {
    Extremum(bool, Option<i64>),
    IsExtremum(bool, Option<i64>),
    Pooling(bool, [usize; 2], [usize; 2]),
    AtLeastSorted(usize),
    AtLeastTop(usize),
    AtArgmax(i64),
    Quantile(usize),
    RunningMax,
    Segments,
    Clip(usize),
    LessExtremum(bool, Option<i64>),
    Bins,
    Different,
    Pairs,
    Ranks,
    ScatterMax,
}

/// How it is run.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Mode {
    Eager,
    Captured,
    Loop,
    Branch,
}

#[derive(Debug)]
struct Program {
    shape: [usize; 2],
    inputs: Vec<(Vec<usize>, Vec<f32>)>,
    steps: Vec<Step>,
    ending: Ending,
    weights: Vec<f32>,
    half: bool,
    mode: Mode,
    /// Whether what was made of a value is read before it is compared with it.
    is_read: bool,
}

impl Program {
    fn of(seed: u64) -> Program {
        let mut rng = Rng(seed);
        // A power of two and one more: then the middle is an element.
        let columns = rng.of(&[3, 5, 9, 17, 33]);
        let rows = if rng.below(2) == 0 { columns.min(9) } else { rng.of(&[1, 2, 3, 4, 6]) };
        let shape = [rows, columns];
        let shapes = [[rows, 1], [1, columns], [rows, columns]];
        let of = |rng: &mut Rng, shape: &[usize]| (shape.to_vec(), rng.data(shape.iter().product(), 2.5));
        let inputs = [(); 2].map(|()| rng.of(&shapes)).map(|shape| of(&mut rng, &shape)).to_vec();
        let axis = |rng: &mut Rng| rng.of(&[None, Some(0), Some(1), Some(1)]);
        let mut steps = Vec::new();
        for made in 2..2 + rng.below(4) + 2 {
            let any = |rng: &mut Rng| if rng.below(2) == 0 { made - 1 } else { rng.below(made) };
            steps.push(match rng.below(15) {
                0 | 1 => Step::Product(any(&mut rng), any(&mut rng)),
                2 | 3 => Step::ProductSum(any(&mut rng), any(&mut rng), any(&mut rng)),
                4 => Step::Line(any(&mut rng), rng.unit() * 2.0, rng.unit()),
                5 => Step::Tanh(any(&mut rng)),
                6 => rng.of(&[Step::Sigmoid(made - 1), Step::Exp(made - 1)]),
                7 => Step::Damped(any(&mut rng), any(&mut rng)),
                8 => Step::Centred(any(&mut rng), any(&mut rng), axis(&mut rng)),
                9 => Step::Normalised(any(&mut rng), axis(&mut rng)),
                10 => Step::Mirrored(any(&mut rng), any(&mut rng)),
                11 | 12 => Step::Outer(any(&mut rng), any(&mut rng)),
                _ => Step::Quotient(any(&mut rng), any(&mut rng)),
            });
        }
        let ending = match rng.below(20) {
            0..=2 => Ending::Extremum(rng.below(2) == 0, axis(&mut rng)),
            3 => Ending::IsExtremum(rng.below(2) == 0, axis(&mut rng)),
            4 | 5 => {
                let sizes = [1 + rng.below(rows.min(3)), 1 + rng.below(3)];
                Ending::Pooling(rng.below(2) == 0, sizes, [1 + rng.below(2), 1 + rng.below(3)])
            }
            6 => Ending::AtLeastSorted(rng.below(columns)),
            7 => Ending::AtLeastTop(1 + rng.below(columns)),
            8 => Ending::AtArgmax(rng.of(&[0, 1])),
            9 => Ending::Quantile(rng.below(3)),
            10 => Ending::RunningMax,
            11 => Ending::Segments,
            12 => Ending::Clip(rng.below(columns)),
            13 | 14 => Ending::LessExtremum(rng.below(2) == 0, axis(&mut rng)),
            15 => Ending::Bins,
            16 => Ending::Different,
            17 => Ending::Pairs,
            18 => Ending::Ranks,
            _ => Ending::ScatterMax,
        };
        let weights = rng.data(4 * rows * columns, 1.0).into_iter().map(|w| 1.0 + w / 2.0).collect();
        let half = rng.below(8) == 0;
        let mode = rng.of(&[Mode::Eager, Mode::Eager, Mode::Captured, Mode::Loop, Mode::Branch]);
        let is_read = mode == Mode::Eager && rng.below(2) == 0;
        Program { shape, inputs, steps, ending, weights, half, mode, is_read }
    }

    /// `x`, which a flush of its own computes where the program is one that reads it.
    fn seen(&self, x: Tensor) -> Result<Tensor> {
        if self.is_read && !x.is_traced() {
            x.device().realize(&[&x])?;
        }
        Ok(x)
    }

    /// Σ w·x, the weights taken in order.
    fn weighted_sum(&self, x: &Tensor) -> Result<Tensor> {
        let weights = x.device().tensor(&self.weights[..x.size()], x.shape())?;
        x.mul(&weights)?.sum(None, false)
    }

    /// What holds, and what stands where it holds.
    fn where_true(&self, holds: &Tensor, x: &Tensor) -> Result<Tensor> {
        let count = self.weighted_sum(&holds.cast(DType::F32)?)?;
        count.add(self.weighted_sum(&select(holds, x, 0.0)?)?)
    }

    fn prologue(&self, inputs: &[Tensor]) -> Result<Tensor> {
        let mut all = inputs.to_vec();
        for &step in &self.steps {
            let axes = |axis: Option<i64>| axis.map(|axis| vec![axis]);
            let mean = |x: &Tensor, axis| x.mean(axes(axis).as_deref(), true);
            let made = match step {
                Step::Product(a, b) => all[a].mul(&all[b])?,
                Step::ProductSum(a, b, c) => all[a].mul(&all[b])?.add(&all[c])?,
                Step::Line(a, slope, offset) => all[a].mul(slope)?.add(offset)?,
                Step::Tanh(a) => all[a].tanh()?,
                Step::Sigmoid(a) => all[a].sigmoid()?,
                Step::Exp(a) => all[a].tanh()?.exp()?,
                Step::Damped(a, b) => all[a].div(all[b].square()?.add(0.5)?)?,
                Step::Centred(a, b, axis) => all[a].mul(mean(&all[b].square()?, axis)?)?.sub(&all[b])?,
                Step::Normalised(a, axis) => {
                    let size = mean(&all[a].square()?, axis)?.add(0.1)?.sqrt()?;
                    all[a].div(size)?
                }
                Step::Mirrored(a, b) => all[a].mul(0.7)?.add(all[b].flip(Some(&[1]))?)?,
                Step::Quotient(a, b) => {
                    let size = mean(&all[a].square()?, None)?;
                    let rest = size.sub(&all[b])?;
                    let bounded = rest.tanh()?;
                    let quotient = bounded.div(rest.mul(&size)?.square()?.add(0.5)?)?;
                    quotient.mul(&size)?.sub(&bounded)?
                }
                // Where it is a column as long as rows are, by the same as a row.
                Step::Outer(a, b) => match all[b].shape()[..] {
                    [rows, 1] if rows == self.shape[1] => all[a].add(all[b].reshape(&[rows as i64])?)?,
                    _ => all[a].add(&all[b])?,
                },
            };
            all.push(made);
        }
        let mut last = all.pop().expect("inputs are there at least");
        for x in inputs {
            // What is the same along an axis ties there with all of itself.
            if last.shape()[..] != self.shape {
                last = last.mul(x)?.add(&all[all.len() - 1])?.add(x)?;
            }
        }
        let last = last.broadcast_to(&self.shape)?;
        if self.half { last.cast(DType::F16) } else { Ok(last) }
    }

    fn loss(&self, inputs: &[Tensor]) -> Result<Tensor> {
        let x = self.prologue(inputs)?;
        let axes = |axis: Option<i64>| axis.map(|axis| vec![axis]);
        let extremum = |largest: bool, axis: Option<i64>, keep| {
            let axes = axes(axis);
            let found = if largest { x.max(axes.as_deref(), keep) } else { x.min(axes.as_deref(), keep) };
            self.seen(found?)
        };
        let column = |x: &Tensor, k: usize| x.slice(&[Range::ALL, (k as i64..k as i64 + 1).into()]);
        let loss = match self.ending {
            Ending::Extremum(largest, axis) => self.weighted_sum(&extremum(largest, axis, false)?)?,
            Ending::IsExtremum(largest, axis) => {
                self.where_true(&x.equal(extremum(largest, axis, true)?)?, &x)?
            }
            Ending::Pooling(largest, sizes, strides) => {
                let windows = Windows { strides: strides.to_vec(), ..Windows::last(2, &sizes) };
                let op = if largest { ReduceOp::Max } else { ReduceOp::Min };
                self.weighted_sum(&self.seen(x.reduce_window(op, &windows)?)?)?
            }
            Ending::AtLeastSorted(k) => {
                let bound = column(&self.seen(x.sort(1, false)?)?, k)?;
                self.where_true(&x.greater_equal(bound)?, &x)?
            }
            Ending::AtLeastTop(k) => {
                let values = self.seen(x.top_k(k, 1)?.0)?;
                self.where_true(&x.greater_equal(column(&values, k - 1)?)?, &x)?
            }
            Ending::AtArgmax(axis) => {
                let found = self.seen(x.take_along_axis(&x.argmax(Some(&[axis]), true)?, axis)?)?;
                self.where_true(&x.equal(found)?, &x)?
            }
            Ending::Quantile(quarter) => {
                let share = [0.5, 0.0, 1.0][quarter];
                let bound = self.seen(x.quantile(share, Some(&[1]), true, Between::Linear)?)?;
                self.where_true(&x.less_equal(bound)?, &x)?
            }
            Ending::RunningMax => {
                let most = self.seen(x.cummax(1)?)?;
                self.weighted_sum(&most)?.add(self.where_true(&x.equal(&most)?, &x)?)?
            }
            Ending::Segments => {
                let ids: Vec<i32> = (0..self.shape[0] as i32).map(|row| row * 3 % 2).collect();
                let ids = x.device().tensor(&ids, &[ids.len()])?;
                let one = x.slice(&[(0..1).into()])?;
                let all = concat(&[&x, &one], 0)?;
                let ids = concat(&[&ids, &x.device().tensor(&[1i32], &[1])?], 0)?;
                let found = self.seen(all.segment_max(&ids, 2)?)?;
                self.weighted_sum(&select(&found.isfinite()?, &found, 0.0)?)?
            }
            Ending::Clip(k) => {
                let bound = column(&self.seen(x.sort(1, false)?)?, k)?;
                self.weighted_sum(&x.maximum(bound)?)?
            }
            Ending::LessExtremum(largest, axis) => {
                let rest = x.sub(extremum(largest, axis, true)?)?;
                self.weighted_sum(&rest.sign()?)?.add(self.weighted_sum(&rest.abs()?)?)?
            }
            Ending::Bins => {
                let bins = x.sub(extremum(false, None, true)?)?.mul(3.7)?.floor()?;
                self.weighted_sum(&bins)?.add(self.where_true(&bins.equal(0.0)?, &x)?)?
            }
            Ending::Different => {
                let twice = concat(&[&x, &x.flip(None)?], 0)?.flatten()?;
                let count = twice.unique_count()?.cast(DType::F32)?;
                let sorted = self.seen(twice.sort(0, false)?)?;
                let last = sorted.size() as i64 - 1;
                let (before, after) =
                    (sorted.slice(&[(0..last).into()])?, sorted.slice(&[(1..last + 1).into()])?);
                count.add(self.where_true(&after.equal(&before)?, &after)?)?
            }
            Ending::Pairs => {
                let few = x.slice(&[(0..1).into()])?;
                let columns = few.shape()[1] as i64;
                let (down, across) = (few.reshape(&[columns, 1])?, few.reshape(&[1, columns])?);
                let equal = down.equal(&across)?.cast(DType::F32)?;
                equal.sum(Some(&[0]), false)?.mul(few.flatten()?)?.sum(None, false)?
            }
            Ending::Ranks => {
                let flat = x.flatten()?;
                let ranks = self.seen(flat.sort(0, false)?)?.search_sorted(&flat, false)?;
                self.weighted_sum(&ranks.cast(DType::F32)?)?
            }
            Ending::ScatterMax => {
                let places: Vec<i32> = (0..self.shape[0] as i32).map(|row| row / 2).collect();
                let places = x.device().tensor(&places, &[places.len()])?;
                self.weighted_sum(&self.seen(x.at(&places).max(&x)?)?)?
            }
        };
        loss.cast(DType::F32)
    }

    /// Whether no two elements are so near to each other that rounding decides which is larger: of
    /// a·b + c·d and c·d + a·b it does.
    fn is_apart(&self) -> bool {
        let device = cpu();
        let inputs = self.inputs.iter().map(|(shape, data)| device.tensor(data, shape));
        let inputs: Vec<Tensor> = inputs.collect::<Result<_>>().expect("the inputs are well formed");
        let apart = |inputs: &[Tensor]| {
            let x =
                self.prologue(inputs).and_then(|x| x.cast(DType::F32)).expect("the program is well formed");
            let mut all = floats(&x);
            all.sort_by(f32::total_cmp);
            let most = all.iter().fold(0.0f32, |most, x| most.max(x.abs()));
            let least = if self.half { 2e-3 } else { 2e-5 };
            all.windows(2).all(|pair| pair[1] - pair[0] > least * most)
        };
        let turned: Result<Vec<Tensor>> = inputs.iter().map(|x| x.flip(None)).collect();
        apart(&inputs) && (self.mode != Mode::Loop || apart(&turned.expect("tensors can be flipped")))
    }

    /// The loss in a program of its own, where the mode has one.
    fn in_mode(&self, inputs: &[Tensor]) -> Result<Tensor> {
        let device = inputs[0].device().clone();
        let operands: Vec<&Tensor> = inputs.iter().collect();
        match self.mode {
            Mode::Eager | Mode::Captured => self.loss(inputs),
            Mode::Branch => {
                let chosen = device.tensor(&[1.0f32], &[])?.greater(0.0)?;
                let otherwise = |inputs: &[Tensor]| Ok(vec![inputs[0].sum(None, false)?]);
                let mut found =
                    device.cond(&chosen, |inputs| Ok(vec![self.loss(inputs)?]), otherwise, &operands)?;
                Ok(found.remove(0))
            }
            Mode::Loop => {
                let mut state = vec![device.zeros(&[], DType::F32)?];
                state.extend(inputs.iter().cloned());
                let body = |_: &Tensor, state: &[Tensor]| {
                    let mut next = vec![state[0].add(self.loss(&state[1..])?)?];
                    // The other way round, so that the second iteration is no copy of the first.
                    for x in &state[1..] {
                        next.push(x.flip(None)?);
                    }
                    Ok(next)
                };
                Ok(device.for_loop(0, 2, body, &state.iter().collect::<Vec<_>>())?.remove(0))
            }
        }
    }

    /// The value and the gradient to each input, where inputs are off by a share `off`.
    fn run(&self, device: &Device, off: f32) -> Result<Vec<f32>> {
        let mut rng = Rng(off.to_bits().into());
        let mut inputs = Vec::new();
        for (shape, data) in &self.inputs {
            let data: Vec<f32> = data.iter().map(|x| x * (1.0 + off * rng.unit())).collect();
            inputs.push(device.tensor(&data, shape)?);
        }
        let (value, gradients) = if self.mode == Mode::Captured {
            device.trace_begin()?;
            let stand = inputs.iter().map(|x| device.placeholder(x.shape(), DType::F32));
            let stand: Vec<Tensor> = stand.collect::<Result<_>>()?;
            let refs: Vec<&Tensor> = stand.iter().collect();
            let found = value_and_grad(|x| self.in_mode(x), &refs);
            if found.is_err() {
                device.trace_abort();
            }
            let (value, gradients) = found?;
            let outputs: Vec<&Tensor> = std::iter::once(&value).chain(&gradients).collect();
            let captured = device.trace_end(&outputs, &refs)?;
            let mut results = captured.call(&inputs.iter().collect::<Vec<_>>(), &[], &[])?;
            (results.remove(0), results)
        } else {
            value_and_grad(|x| self.in_mode(x), &inputs.iter().collect::<Vec<_>>())?
        };
        let mut all = vec![item(&value) as f32];
        gradients.iter().for_each(|gradient| all.extend(floats(gradient)));
        if self.is_read {
            all.push(item(&self.loss(&inputs)?) as f32);
        }
        Ok(all)
    }
}

/// What is off between results by more than rounding does.
fn difference(found: &[f32], expected: &[f32], share: f32) -> Option<String> {
    // The value apart from the gradient, each with its own largest.
    let parts = [0..1, 1..expected.len()];
    parts.into_iter().find_map(|part| {
        let most = expected[part.clone()].iter().fold(0.0f32, |most, x| most.max(x.abs()));
        part.into_iter().find_map(|n| {
            let close = (found[n] - expected[n]).abs() <= share * (most + 0.01);
            (!close).then(|| format!("number {n} is {}, expected {}", found[n], expected[n]))
        })
    })
}

/// Whether a program's results hang on rounding.
fn hangs_on_rounding(program: &Program, expected: &[f32]) -> bool {
    let most = if program.half { 2e-4 } else { 1e-5 };
    if !program.is_apart() {
        return true;
    }
    !expected.iter().all(|x| x.is_finite())
        || [most, most / 3.0, most / 10.0].into_iter().any(|off| {
            let moved = program.run(&cpu(), off).expect("the program is well formed");
            difference(&moved, expected, TOLERANCE / 2.0).is_some()
        })
}

/// The gradient that was lost in parts: of the least of five, each computed of two products and a
/// quotient.
fn least_of_five(device: &Device, squared: bool) -> Result<Vec<Tensor>> {
    let p = device.tensor(&[2.0977173f32, -0.8876284], &[2, 1])?;
    let q = device.tensor(&[-0.1408955f32, -0.3025665, 0.14753167, 0.028939115, 2.632794], &[5, 1])?;
    let f = |x: &[Tensor]| {
        let s = if squared { x[0].square()? } else { x[0].clone() }.mean(None, true)?;
        let u = s.sub(&x[1])?;
        let t = u.tanh()?;
        let quotient = t.div(u.mul(&s)?.square()?.add(0.5)?)?;
        quotient.mul(&s)?.sub(&t)?.add(t.reshape(&[5])?)?.min(Some(&[0]), false)?.sum(None, false)
    };
    weft::grad(f, &[&p, &q])
}

#[test]
fn the_gradient_of_the_least_is_whole() {
    for squared in [true, false] {
        let expected = least_of_five(&cpu(), squared).unwrap();
        for device in [gpu(), hardware(), phone()] {
            for (found, expected) in least_of_five(&device, squared).unwrap().iter().zip(&expected) {
                let (found, expected) = (floats(found), floats(expected));
                let what = difference(&found, &expected, TOLERANCE);
                assert_eq!(what, None, "{found:?}, expected {expected:?}");
            }
        }
    }
}

/// Tries `fixed` programs that every run tries, and as many that rotate.
fn try_programs(device: &Device, fixed: u64) {
    let (mut wrong, mut tried) = (Vec::new(), 0);
    for seed in rotation::seeds(1, fixed) {
        let program = Program::of(seed);
        let expected = program.run(&cpu(), 0.0).unwrap_or_else(|e| panic!("seed {seed}: {e} {program:?}"));
        if hangs_on_rounding(&program, &expected) {
            continue;
        }
        tried += 1;
        let found = program.run(device, 0.0).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        if let Some(what) = difference(&found, &expected, TOLERANCE) {
            let Program { ending, mode, half, is_read, .. } = &program;
            wrong.push(format!("seed {seed}: {ending:?} {mode:?} half: {half}, read: {is_read}: {what}"));
        }
    }
    assert!(tried > 0, "every program hangs on rounding");
    assert!(wrong.is_empty(), "{} of {tried} programs: {wrong:#?}", wrong.len());
}

#[test]
fn programs_that_compare_a_value_with_what_was_made_of_it_are_right() {
    try_programs(&gpu(), PROGRAMS);
}

#[test]
fn they_are_right_on_hardware() {
    try_programs(&hardware(), PROGRAMS);
}

#[test]
fn they_are_right_on_a_phone() {
    try_programs(&phone(), PROGRAMS / 2);
}

/// Nothing runs: plans are compiled for the least device and for the driver's, as software and as
/// hardware, and verified as they are made: no kernel binds more than these have.
#[test]
fn plans_of_many_programs_fit_the_device() {
    let mut wrong = Vec::new();
    for device in [cpu(), gpu(), hardware(), phone()] {
        for seed in OVERFULL.into_iter().chain(rotation::seeds(20_001, SWEPT)) {
            let program = Program::of(seed);
            let inputs = program.inputs.iter().map(|(shape, data)| device.tensor(data, shape));
            let inputs: Vec<Tensor> = inputs.collect::<Result<_>>().unwrap();
            let derived = |inputs: &[Tensor]| {
                let (value, gradients) =
                    value_and_grad(|x| program.in_mode(x), &inputs.iter().collect::<Vec<_>>())?;
                Ok([vec![value], gradients].concat())
            };
            // The verifiers panic.
            let explain = || device.explain(derived, &inputs.iter().collect::<Vec<_>>()).map(drop);
            let made = catch_unwind(AssertUnwindSafe(explain));
            wrong.extend((!matches!(made, Ok(Ok(())))).then_some(seed));
        }
    }
    assert!(wrong.is_empty(), "no plan fits for seeds {wrong:?}");
}
