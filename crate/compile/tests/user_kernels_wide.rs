//! Users' kernels whose invocations compute several elements, or share loops, on the kernel
//! interpreter.

use crate::common::kernels::{run, same, words};
use crate::common::programs::{Random, random_inputs};
use crate::common::rotation;
use crate::common::user_kernels::{program_followed, program_of};
use std::rc::Rc;
use weft_compile::device::{DeviceModel, GPU, MapModel, SOFTWARE};
use weft_compile::{Limits, compile, compile_with};
use weft_ir::op::{Binary, Compare, KernelCall};
use weft_ir::user_kernel::verify::verify;
use weft_ir::user_kernel::{Combine, Coordinate, Edge, Expr, ExprId, LocalId, Stmt, TensorId, UserKernel};
use weft_ir::{DType, Literal, Shape, interpret};

/// A GPU on which it pays off for few elements that an invocation computes several.
fn eager() -> &'static DeviceModel {
    let MapModel::Parallel(map) = GPU.map else { panic!("GPUs run workgroups beside each other") };
    let map = MapModel::Parallel(weft_compile::device::ParallelMap { large: 0.0, ..map });
    Box::leak(Box::new(DeviceModel { name: "eager gpu", number: 201, processors: 1.0, map, ..GPU }))
}

/// Software on which it pays off for few elements.
fn eager_software() -> &'static DeviceModel {
    let MapModel::Serial(map) = SOFTWARE.map else { panic!("software runs one workgroup after another") };
    let map = MapModel::Serial(weft_compile::device::SerialMap { large: 0.0, ..map });
    Box::leak(Box::new(DeviceModel { name: "eager software", number: 202, map, ..SOFTWARE }))
}

/// Compiles a call with each candidate that is asked for and compares; how many there were.
fn agrees(
    model: &'static DeviceModel,
    call: &KernelCall,
    shapes: &[Shape],
    seed: u64,
    wanted: &str,
) -> usize {
    verify(&call.kernel).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", call.kernel));
    let program = match seed % 2 {
        0 => program_of(call, shapes),
        _ => program_followed(call, shapes, seed),
    };
    let (buffers, scalars) = random_inputs(&program, seed, true);
    let expected = interpret::run::<f32>(&program, &buffers, &scalars).unwrap();
    let limits = Limits { model, ..Limits::floor() };
    let mut tried = 0;
    for number in 0.. {
        let chosen = std::cell::Cell::new(false);
        let executable = compile_with(&program, &limits, &[], &|_, candidates| {
            // Of lanes any number but one.
            let is_wanted = |text: &str| match wanted {
                "lanes" => !text.split(' ').any(|word| word == "lanes=1"),
                _ => text.split(' ').any(|word| word == wanted),
            };
            let found = candidates.iter().filter(|c| is_wanted(&c.choice.to_string())).nth(number);
            chosen.set(chosen.get() || found.is_some());
            found.unwrap_or(&candidates[0]).choice
        });
        let executable = executable.unwrap();
        if !chosen.get() {
            break;
        }
        tried += 1;
        for (n, (got, expected)) in
            run(&executable, &words(&buffers), &scalars).iter().zip(&expected).enumerate()
        {
            let kernels: Vec<String> = executable.kernels.iter().map(ToString::to_string).collect();
            assert!(same(got, expected), "seed {seed}, output {n}\n{}\n{}", call.kernel, kernels.join("\n"));
        }
    }
    tried
}

fn whole(kernel: &mut UserKernel, value: i32) -> ExprId {
    kernel.literal(Literal::I32(value))
}

/// A load at the invocation's coordinates and up to two from them, beyond an edge in any way.
fn near(random: &mut Random, kernel: &mut UserKernel, tensor: TensorId, counter: Option<LocalId>) -> ExprId {
    let at: Vec<ExprId> = (0..kernel.rank)
        .map(|axis| {
            let here = kernel.index(axis);
            let by = match counter {
                Some(counter) if random.below(2) == 0 => kernel.read(counter),
                _ => whole(kernel, random.below(5) as i32 - 2),
            };
            let op = if random.below(3) == 0 { Binary::Sub } else { Binary::Add };
            kernel.binary(op, here, by)
        })
        .collect();
    let edge = match random.below(4) {
        0 => Edge::Clamp,
        1 => Edge::Wrap,
        2 => Edge::Mirror,
        _ => Edge::Fill(kernel.literal(Literal::F32(0.5))),
    };
    kernel.load(tensor, &at, edge)
}

#[test]
fn stencils_compute_what_they_mean() {
    let (gpu, software) = (eager(), eager_software());
    let (mut tried, mut columns, mut kernels) = (0, 0, 0);
    for seed in rotation::seeds(70_000, 120) {
        let counted = usize::from(rotation::is_fixed(70_000, seed));
        kernels += counted;
        let mut random = Random::new(seed);
        let grids: [&[usize]; 7] = [&[8, 9], &[12, 7], &[9, 20], &[2, 6, 5], &[30], &[6, 64], &[8, 6]];
        let grid = Shape::from(grids[random.below(grids.len())]);
        let mut kernel = UserKernel::new("stencil", grid.rank() as u32);
        let tensors: Vec<TensorId> = (0..1 + random.below(2))
            .map(|n| kernel.tensor(&format!("t{n}"), DType::F32, kernel.rank))
            .collect();
        let has_loop = random.below(4) == 0;
        let counter = has_loop.then(|| kernel.local("k", DType::I32));
        let total = kernel.local("total", DType::F32);
        let mut inner = Vec::new();
        for _ in 0..1 + random.below(5) {
            let tensor = tensors[random.below(tensors.len())];
            let value = near(&mut random, &mut kernel, tensor, counter);
            let before = kernel.read(total);
            let sum = kernel.binary([Binary::Add, Binary::Sub, Binary::Max][random.below(3)], before, value);
            let add = Stmt::Let(total, sum);
            if random.below(4) == 0 {
                let zero = kernel.literal(Literal::F32(0.0));
                let is = kernel.compare(Compare::Lt, value, zero);
                inner.push(Stmt::If(is, vec![add], Vec::new()));
            } else {
                inner.push(add);
            }
        }
        if let Some(counter) = counter {
            let (from, to) = (whole(&mut kernel, -1), whole(&mut kernel, 2));
            kernel.body.push(Stmt::For { counter, from, to, step: 1, body: inner });
        } else {
            kernel.body = inner;
        }
        let at: Vec<ExprId> = (0..kernel.rank).map(|axis| kernel.index(axis)).collect();
        for n in 0..1 + random.below(2) {
            let output = kernel.output(&format!("o{n}"), DType::F32, kernel.rank, Combine::Set);
            let value = kernel.read(total);
            kernel.body.push(Stmt::Store { output, indices: at.clone(), value, before: None });
            // Another may follow.
            if random.below(4) == 0 {
                let value = near(&mut random, &mut kernel, tensors[0], None);
                let zero = kernel.literal(Literal::F32(0.0));
                let is = kernel.compare(Compare::Gt, value, zero);
                let store = Stmt::Store { output, indices: at.clone(), value, before: None };
                kernel.body.push(Stmt::If(is, vec![store], Vec::new()));
            }
        }
        let shapes: Vec<Shape> = tensors
            .iter()
            .map(|_| {
                grid.iter().map(|&extent| (extent + random.below(3)).max(2) - 1).collect::<Vec<_>>().into()
            })
            .collect();
        let results = vec![grid.clone(); kernel.outputs.len()];
        let call = KernelCall { kernel: Rc::new(kernel), grid, shapes: results };
        for wanted in ["together=1", "together=2", "together=3", "together=4", "together=8"] {
            for model in [gpu, software] {
                let found = agrees(model, &call, &shapes, seed, wanted);
                tried += counted * usize::from(wanted != "together=1") * found;
                columns += counted * usize::from(wanted == "together=8") * found;
            }
        }
    }
    assert!(2 * tried >= kernels, "{tried} of {kernels} kernels were tried wide");
    assert!(30 * columns >= kernels, "{columns} of {kernels} kernels were tried by two columns");
}

#[test]
fn loops_that_invocations_share_compute_what_they_mean() {
    let (mut tried, mut kernels) = (0, 0);
    for seed in rotation::seeds(80_000, 60) {
        let counted = usize::from(rotation::is_fixed(80_000, seed));
        kernels += counted;
        let mut random = Random::new(seed);
        let grids: [&[usize]; 5] = [&[5], &[3, 3], &[1], &[], &[8]];
        let grid = Shape::from(grids[random.below(grids.len())]);
        let count = 260 + random.below(60);
        let mut kernel = UserKernel::new("sums", grid.rank() as u32);
        let x = kernel.tensor("x", DType::F32, 1);
        let counter = kernel.local("j", DType::I32);
        let step = [1, 2, -1, 3][random.below(4)];
        let (from, to) = match step {
            -1 => (whole(&mut kernel, count as i32 - 1), whole(&mut kernel, -1)),
            _ => (whole(&mut kernel, random.below(3) as i32), whole(&mut kernel, count as i32 * step)),
        };
        let j = kernel.read(counter);
        let value = kernel.load(x, &[j], Edge::Wrap);
        let own = kernel.local("own", DType::F32);
        let mut body = vec![Stmt::Let(own, value)];
        let mine = kernel.read(own);
        if random.below(2) == 0 {
            // A local that each iteration makes anew, and a loop within.
            let inner = kernel.local("k", DType::I32);
            let (one, four) = (whole(&mut kernel, 1), whole(&mut kernel, 4));
            let k = kernel.read(inner);
            let at = kernel.binary(Binary::Add, j, k);
            let more = kernel.load(x, &[at], Edge::Wrap);
            let sum = kernel.binary(Binary::Add, mine, more);
            body.push(Stmt::For {
                counter: inner,
                from: one,
                to: four,
                step: 1,
                body: vec![Stmt::Let(own, sum)],
            });
        }
        let mut totals = Vec::new();
        for n in 0..1 + random.below(3) {
            let dtype = [DType::F32, DType::F32, DType::I32, DType::U32][random.below(4)];
            let total = kernel.local(&format!("total{n}"), dtype);
            let now = kernel.read(total);
            let value = kernel.expr(Expr::Cast(dtype, mine));
            let ops = [Binary::Add, Binary::Sub, Binary::Min, Binary::Max];
            let op = ops[random.below(4)];
            let both = match op {
                Binary::Sub => kernel.binary(op, now, value),
                _ if random.below(2) == 0 => kernel.binary(op, value, now),
                _ => kernel.binary(op, now, value),
            };
            let add = Stmt::Let(total, both);
            let zero = kernel.literal(Literal::F32(0.0));
            let is = kernel.compare(Compare::Lt, mine, zero);
            body.push(if random.below(3) == 0 { Stmt::If(is, vec![add], Vec::new()) } else { add });
            // It may begin with something.
            if random.below(2) == 0 {
                let first = kernel.literal(Literal::from_f64(dtype, 3.0));
                kernel.body.push(Stmt::Let(total, first));
            }
            totals.push((total, dtype));
        }
        kernel.body.push(Stmt::For { counter, from, to, step, body });
        let at: Vec<ExprId> = (0..kernel.rank).map(|axis| kernel.index(axis)).collect();
        for (n, &(total, dtype)) in totals.iter().enumerate() {
            let combine = if n == 1 { Combine::Max } else { Combine::Set };
            let output = kernel.output(&format!("o{n}"), dtype, kernel.rank, combine);
            let value = kernel.read(total);
            kernel.body.push(Stmt::Store { output, indices: at.clone(), value, before: None });
        }
        let results = vec![grid.clone(); kernel.outputs.len()];
        let call = KernelCall { kernel: Rc::new(kernel), grid, shapes: results };
        tried += counted * agrees(eager(), &call, &[[count].into()], seed, "lanes");
    }
    assert!(2 * tried >= kernels, "{tried} of {kernels} kernels shared their loop");
}

/// What one iteration leaves to the next is not shared, nor what ends early.
#[test]
fn loops_whose_iterations_follow_each_other_are_not_shared() {
    for kind in 0..4 {
        let mut kernel = UserKernel::new("follow", 1);
        let x = kernel.tensor("x", DType::F32, 1);
        let (counter, total, other) = (
            kernel.local("j", DType::I32),
            kernel.local("total", DType::F32),
            kernel.local("other", DType::F32),
        );
        let (from, to) = (whole(&mut kernel, 0), whole(&mut kernel, 300));
        let (j, now, more) = (kernel.read(counter), kernel.read(total), kernel.read(other));
        let value = kernel.load(x, &[j], Edge::Wrap);
        let sum = kernel.binary(Binary::Add, now, value);
        let add = Stmt::Let(total, sum);
        let zero = kernel.literal(Literal::F32(0.0));
        let body = match kind {
            // Where the sum stands is seen.
            0 => {
                let is = kernel.compare(Compare::Lt, now, zero);
                vec![Stmt::If(is, vec![Stmt::Let(other, value)], Vec::new()), add]
            }
            // It is a product of itself.
            1 => vec![Stmt::Let(total, kernel.binary(Binary::Mul, now, value))],
            // It ends early.
            2 => {
                let is = kernel.compare(Compare::Lt, value, zero);
                vec![Stmt::If(is, vec![Stmt::Break], Vec::new()), add]
            }
            // The last value is kept.
            _ => vec![Stmt::Let(other, value), add],
        };
        kernel.body.push(Stmt::For { counter, from, to, step: 1, body });
        let at = kernel.index(0);
        let output = kernel.output("o", DType::F32, 1, Combine::Set);
        let value = kernel.binary(Binary::Add, now, more);
        kernel.body.push(Stmt::Store { output, indices: vec![at], value, before: None });
        let call = KernelCall { kernel: Rc::new(kernel), grid: [4].into(), shapes: vec![[4].into()] };
        assert_eq!(agrees(eager(), &call, &[[300].into()], 1, "lanes"), 0, "kind {kind}");
    }
}

/// Stores at sums of multiples of coordinates and counters: whatever is taken for distinct is, and
/// what is not filled is stored.
#[test]
fn stores_at_distinct_elements_need_no_order() {
    let (mut tried, mut once, mut whole_ones) = (0, 0, 0);
    for seed in rotation::seeds(60_000, 200) {
        let counted = usize::from(rotation::is_fixed(60_000, seed));
        let mut random = Random::new(seed);
        let in_groups = random.below(3) == 0;
        let grid = if in_groups { [4, 6] } else { [2 + random.below(3), 1 + random.below(4)] };
        let mut kernel = UserKernel::new("digits", 2);
        let x = kernel.tensor("x", DType::F32, 2);
        kernel.workgroup = in_groups.then_some([3, 2, 1]);
        let counters: Vec<(LocalId, i32)> = (0..random.below(3))
            .map(|n| (kernel.local(&format!("k{n}"), DType::I32), 1 + random.below(3) as i32))
            .collect();
        // Each coordinate of the store: weights of the grid's two, and of each counter; and a
        // constant.
        let rank = 1 + random.below(2);
        let mut weights: Vec<Vec<i64>> = (0..rank)
            .map(|_| {
                let digits = (0..3 + counters.len()).map(|n| match n {
                    2 => random.below(2) as i64,
                    _ => [0, 1, 1, 2, 3, 4, 8, -1][random.below(8)],
                });
                digits.collect()
            })
            .collect();
        let mut shape: Vec<usize> = (0..rank).map(|_| 1 + random.below(24)).collect();
        if random.below(3) == 0 {
            // Each digit in one coordinate, and no values between.
            (weights, shape) = (vec![vec![0; 3 + counters.len()]; rank], vec![1; rank]);
            for n in (0..3 + counters.len()).filter(|&n| n != 2) {
                let axis = random.below(rank);
                let extent = if n < 2 { grid[n] } else { counters[n - 3].1 as usize };
                (weights[axis][n], shape[axis]) = (shape[axis] as i64, shape[axis] * extent);
            }
        }
        let is_turned = random.below(2) == 0;
        let mut names = Vec::new();
        let indices: Vec<ExprId> = weights
            .iter()
            .map(|weights| {
                let mut sum = whole(&mut kernel, weights[2] as i32);
                for n in (0..weights.len()).filter(|&n| n != 2) {
                    let value = match n {
                        0 | 1 if in_groups && is_turned => {
                            // As it is written in groups.
                            let axis = 1 - n as u32;
                            let group = kernel.expr(Expr::Index(Coordinate::Group, axis));
                            let side = whole(&mut kernel, [3, 2][axis as usize]);
                            let first = kernel.binary(Binary::Mul, group, side);
                            let within = kernel.expr(Expr::Index(Coordinate::Local, axis));
                            kernel.binary(Binary::Add, first, within)
                        }
                        0 | 1 => kernel.index(n as u32),
                        _ => kernel.read(counters[n - 3].0),
                    };
                    let weight = whole(&mut kernel, weights[n] as i32);
                    let part = kernel.binary(Binary::Mul, value, weight);
                    sum = kernel.binary(Binary::Add, sum, part);
                    if n < 2 && random.below(2) == 0 {
                        let name = kernel.local("sum", DType::I32);
                        names.push(Stmt::Let(name, sum));
                        sum = kernel.read(name);
                    }
                }
                sum
            })
            .collect();
        let output = kernel.output("o", DType::F32, rank as u32, Combine::Set);
        let at = [kernel.index(0), kernel.index(1)];
        let loaded = kernel.load(x, &at, Edge::Clamp);
        let value = counters.iter().fold(loaded, |sum, &(counter, _)| {
            let count = kernel.read(counter);
            let count = kernel.expr(Expr::Cast(DType::F32, count));
            kernel.binary(Binary::Add, sum, count)
        });
        let mut body = vec![Stmt::Store { output, indices, value, before: None }];
        for &(counter, turns) in &counters {
            let (from, to) = (whole(&mut kernel, 0), whole(&mut kernel, turns));
            body = vec![Stmt::For { counter, from, to, step: 1, body }];
        }
        if random.below(4) == 0 {
            let zero = kernel.literal(Literal::F32(0.0));
            let is = kernel.compare(Compare::Lt, loaded, zero);
            body = vec![Stmt::If(is, body, Vec::new())];
        }
        names.extend(body);
        kernel.body = names;
        let mut stored: Vec<Option<[usize; 2]>> = vec![None; shape.iter().product()];
        let mut meet = false;
        let turns: Shape = counters.iter().map(|&(_, turns)| turns as usize).collect::<Vec<_>>().into();
        for here in (0..grid[0]).flat_map(|i| (0..grid[1]).map(move |j| [i, j])) {
            for turn in 0..turns.size() {
                let counts = turns.unravel(turn);
                let place = weights.iter().zip(&shape).try_fold(0, |flat, (weights, &extent)| {
                    let digits = [here[0], here[1], 1].into_iter().chain(counts.iter().copied());
                    let at: i64 = digits.zip(weights).map(|(digit, weight)| digit as i64 * weight).sum();
                    usize::try_from(at).ok().filter(|&at| at < extent).map(|at| flat * extent + at)
                });
                if let Some(place) = place {
                    meet |= stored[place].is_some_and(|other| other != here);
                    stored[place] = Some(here);
                }
            }
        }
        let call = KernelCall { kernel: Rc::new(kernel), grid: grid.into(), shapes: vec![shape.into()] };
        agrees(eager(), &call, &[grid.into()], 2 * seed, "workgroup=64");
        let program = program_of(&call, &[grid.into()]);
        let executable = compile(&program, &Limits::floor(), &[]).unwrap();
        let has = |what: &str| executable.kernels.iter().any(|kernel| kernel.name.ends_with(what));
        assert!(has(", first") || !meet, "seed {seed}: invocations meet\n{}", call.kernel);
        let is_whole = stored.iter().all(Option::is_some);
        assert!(has(", start") || is_whole, "seed {seed}: some are not stored\n{}", call.kernel);
        tried += counted;
        once += counted * usize::from(!has(", first"));
        whole_ones += counted * usize::from(!has(", start"));
    }
    let enough = 5 * once >= tried && 20 * whole_ones >= tried;
    assert!(enough, "of {tried}, {once} once, {whole_ones} without a start");
}
