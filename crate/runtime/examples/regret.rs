//! Regret of kernel races: the time lost where a race was held for other sizes of the same key.
//! `cargo run --release -p weft-runtime --example regret` takes sizes at both ends of the range of
//! a key and in the middle, times all candidates of each, and prints, against the fastest of them,
//! what the estimates' choice loses, who wins a race, and who won at each of the sizes. A word as
//! argument picks some of the cases. `--example regret -- warm` prints the winners of races in the
//! middle instead, as `crate/compile/src/tune/warm.txt` holds them.

#[path = "../../compile/tests/sketch/mod.rs"]
mod sketch;

use pollster::block_on;
use sketch::Sketch;
use std::rc::Rc;
use weft_compile::compile;
use weft_compile::device::SOFTWARE;
use weft_compile::family::Choice;
use weft_compile::tune::{Race, Workload};
use weft_ir::graph::NodeId;
use weft_ir::op::{ContractAxes, Op, ReduceOp, Unary, View};
use weft_runtime::{OpenOptions, Prepared, Runtime};

/// Where within what a power of two stands for: from below the middle by √2 to above it by √2.
const AT: [f64; 3] = [0.72, 1.0, 1.39];
/// Nanoseconds that one measurement takes at least, and how many are made of each candidate.
const LONG: f64 = 5e6;
const ROUNDS: usize = 9;

struct Case {
    name: &'static str,
    /// Extents in the middle; on software a quarter of it.
    sizes: &'static [usize],
    build: fn(&mut Sketch, &[usize]) -> NodeId,
    /// What extents are multiples of.
    step: usize,
}

fn product(s: &mut Sketch, size: &[usize]) -> NodeId {
    let (a, b) = (s.input([size[0], size[1]]), s.input([size[1], size[2]]));
    s.matmul(a, b)
}

fn batched(s: &mut Sketch, size: &[usize]) -> NodeId {
    let (a, b) = (s.input([32, size[0], size[1]]), s.input([32, size[1], size[2]]));
    s.add(Op::Contract(ContractAxes { batch: vec![(0, 0)], contract: vec![(2, 1)] }), &[a, b])
}

fn sum(s: &mut Sketch, size: &[usize], axis: usize) -> NodeId {
    let x = s.input([size[0], size[1]]);
    s.add(Op::Reduce { op: ReduceOp::Sum, axes: vec![axis] }, &[x])
}

fn transposed(s: &mut Sketch, size: &[usize]) -> NodeId {
    let x = s.input([size[0], size[1]]);
    let turned = s.add(Op::View(View::Permute(vec![1, 0])), &[x]);
    s.unary(Unary::Neg, turned)
}

const CASES: [Case; 11] = [
    Case { name: "product", sizes: &[512, 512, 512], build: product, step: 1 },
    Case { name: "product round", sizes: &[512, 512, 512], build: product, step: 32 },
    Case { name: "product round", sizes: &[1024, 1024, 1024], build: product, step: 32 },
    Case { name: "product skinny", sizes: &[64, 1024, 1024], build: product, step: 1 },
    Case { name: "product narrow", sizes: &[1024, 1024, 4], build: product, step: 1 },
    Case { name: "product batched", sizes: &[256, 128, 256], build: batched, step: 1 },
    Case { name: "sum along", sizes: &[1024, 1024], build: |s, size| sum(s, size, 1), step: 1 },
    Case { name: "sum apart", sizes: &[1024, 2048], build: |s, size| sum(s, size, 0), step: 1 },
    Case { name: "sum along", sizes: &[64, 65_536], build: |s, size| sum(s, size, 1), step: 1 },
    Case {
        name: "softmax",
        sizes: &[1024, 1024],
        build: |s, size| {
            let x = s.input([size[0], size[1]]);
            s.softmax(x)
        },
        step: 1,
    },
    Case { name: "transpose", sizes: &[2048, 2048], build: transposed, step: 1 },
];

/// A case of one size, and its candidates with what they take.
struct Measured {
    size: Vec<usize>,
    key: String,
    choices: Vec<Choice>,
    nanoseconds: Vec<f64>,
    /// Who won a race.
    winner: usize,
}

impl Measured {
    fn best(&self) -> usize {
        let by_time = |&a: &usize, &b: &usize| self.nanoseconds[a].total_cmp(&self.nanoseconds[b]);
        (0..self.choices.len()).min_by(by_time).expect("there are candidates")
    }

    /// What a choice takes more than the best, in per cent; `None` where it is no candidate.
    fn loss(&self, choice: Choice) -> Option<f64> {
        let at = self.choices.iter().position(|&known| known == choice)?;
        Some((self.nanoseconds[at] / self.nanoseconds[self.best()] - 1.0) * 100.0)
    }
}

fn workload(runtime: &Runtime, case: &Case, size: &[usize]) -> Workload {
    let mut sketch = Sketch::default();
    let root = (case.build)(&mut sketch, size);
    let made = compile(&sketch.program(&[root]), runtime.limits(), &[]).expect("it compiles");
    Workload { fused: Rc::new(made.fused), cluster: (0, 0) }
}

fn time(runtime: &Runtime, prepared: &Rc<Prepared>, times: u32) -> f64 {
    block_on(runtime.time(prepared, &[], times).expect("it can run")).expect("it ran")
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times[times.len() / 2]
}

fn race(runtime: &Runtime, runners: &[Rc<Prepared>]) -> usize {
    let mut race = Race::new(runners.len(), 0);
    while let Some(heat) = race.next_heat() {
        let own = (Rc::clone(&runners[heat.runner]), heat.repeats);
        let beside = (heat.beside > 0).then(|| (Rc::clone(&runners[race.serving()]), heat.beside));
        let runs: Vec<_> = beside.into_iter().chain([own]).collect();
        let times = block_on(runtime.time_in_turn(&runs)).expect("they ran");
        race.record(heat, times[runs.len() - 1], times[0]);
    }
    race.outcome().map_or(0, |outcome| outcome.winner)
}

fn measure(runtime: &Runtime, case: &Case, size: &[usize]) -> Measured {
    let limits = runtime.limits();
    let workload = workload(runtime, case, size);
    let can_run = |choice| Some((choice, runtime.prepare(workload.runner(limits, choice)?).ok()?));
    let runners: Vec<(Choice, Rc<Prepared>)> =
        workload.runners(limits).into_iter().filter_map(can_run).collect();
    let (choices, prepared): (Vec<Choice>, Vec<Rc<Prepared>>) = runners.into_iter().unzip();
    // The first run makes pipelines.
    let warm = |prepared| (time(runtime, prepared, 1), time(runtime, prepared, 1)).1;
    let often: Vec<u32> = prepared.iter().map(|one| (LONG / warm(one).max(1.0)).ceil() as u32).collect();
    let mut times = vec![Vec::new(); prepared.len()];
    for _ in 0..ROUNDS {
        for (n, one) in prepared.iter().enumerate() {
            let often = often[n].clamp(1, 4096);
            times[n].push(time(runtime, one, often) / f64::from(often));
        }
    }
    let winner = race(runtime, &prepared);
    let nanoseconds = times.into_iter().map(median).collect();
    Measured { size: size.to_vec(), key: workload.key(limits).to_string(), choices, nanoseconds, winner }
}

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let runtime = block_on(Runtime::open(OpenOptions::default())).expect("there is a GPU");
    let adapter = runtime.adapter();
    let only_winners = wanted == "warm";
    println!("device {} {}", adapter.vendor, adapter.architecture);
    let mut losses = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
    for case in CASES.iter().filter(|case| only_winners || case.name.contains(&wanted)) {
        let scale = |&size: &usize, at: f64| {
            let middle = if *runtime.limits().model == SOFTWARE && size > 64 { size / 4 } else { size };
            let size = if middle > 16 { (middle as f64 * at) as usize } else { middle };
            // An odd size is no round one by chance.
            if case.step == 1 && size > 16 { size | 1 } else { size / case.step * case.step }
        };
        let size = |at: f64| -> Vec<usize> { case.sizes.iter().map(|size| scale(size, at)).collect() };
        if only_winners {
            let one = measure(&runtime, case, &size(1.0));
            println!("{}\t{}\t{:.0}", one.key, one.choices[one.winner], one.nanoseconds[one.winner]);
            continue;
        }
        let all = AT.map(|at| measure(&runtime, case, &size(at)));
        println!("\n{}: {}", case.name, all[1].key);
        println!(
            "{:>22} {:>10} {:>9} {:>7} | won at each size, here  | fastest",
            "size", "µs", "estimate", "race"
        );
        for here in &all {
            let percent = |loss: Option<f64>| loss.map_or("none".to_owned(), |loss| format!("{loss:.1} %"));
            let estimated = here.loss(here.choices[0]);
            let raced = here.loss(here.choices[here.winner]);
            let others = all.each_ref().map(|there| here.loss(there.choices[there.winner]));
            let best = here.best();
            println!(
                "{:>22} {:>10.1} {:>9} {:>7} | {:>7} {:>7} {:>7} | {}{}",
                format!("{:?}", here.size),
                here.nanoseconds[best] / 1e3,
                percent(estimated),
                percent(raced),
                percent(others[0]),
                percent(others[1]),
                percent(others[2]),
                here.choices[best],
                if here.key == all[1].key { "" } else { " (another key)" },
            );
            losses[0].extend(estimated);
            losses[1].extend(raced);
            losses[2].extend(others[1]);
            losses[3].extend([others[0], others[2]].into_iter().flatten());
        }
    }
    let names =
        ["the estimates' choice", "who won a race there", "who won in the middle", "who won at an end"];
    for (name, mut losses) in names.into_iter().zip(losses).filter(|(_, losses)| !losses.is_empty()) {
        losses.sort_unstable_by(f64::total_cmp);
        let (middle, worst) = (losses[losses.len() / 2], losses[losses.len() - 1]);
        println!("{name} loses {middle:.1} % in the median, {worst:.1} % at worst");
    }
}
