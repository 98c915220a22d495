//! Sums at indices as gathers: where invocations add into an output at indices that can be solved
//! for their coordinates, each element of the output collects what they would have added.
//!
//! A kernel that adds floats anywhere runs twice and takes atomics; one that collects runs once and
//! stores. What is added is computed again where it is collected, if that takes little; otherwise
//! the kernel stores it at the invocation's own coordinates, with an axis for each loop in which it
//! changes, for the kernel that collects. Of derivatives, loads at `x.at(i + a, j + b)` become such
//! gathers, over loops as over single loads, as those of convolutions and products do.

mod emit;
mod site;
mod structure;

use super::arena::Arena;
use super::live::without_dead_code;
use super::roles::{Derived, Role, Sizes, Yield};
use super::stages::{Roles, compacted};
use emit::{Gather, Gathered, Source, iteration};
use site::{Domain, plan};
use structure::{Place, Pure, Site, Structure, What};
use weft_ir::user_kernel::{Combine, ExprId, Initial, Output, OutputId, Stmt, TensorId};
use weft_ir::{DType, HashMap, HashSet, Literal, Result, Shape};

/// Operations that are repeated where a value is collected, and loads among them.
const CHEAP: (usize, usize) = (48, 3);
/// Operations that are repeated where a value cannot be stored.
const MOST_OPERATIONS: usize = 400;
/// Iterations that a value is stored for, and elements that are stored: what every device binds.
const MOST_ITERATIONS: i64 = 32;
const MOST_ELEMENTS: usize = 1 << 25;
/// Values that a kernel stores for those that collect. The derivative of that kernel takes a buffer
/// for the cotangent of each, and devices bind as few as eight.
const MOST_STORED: usize = 2;
/// Invocations that keep a device busy. While a gather has fewer, axes that an input lacks become
/// axes of its grid, which are summed over afterwards; the other axes are summed by each
/// invocation.
const BUSY: usize = 1 << 14;
/// The most elements that are summed over afterwards.
const MOST_SUMMED: usize = 1 << 22;
/// The most axes of what is collected.
const MOST_AXES: usize = 8;

/// A value that the kernel stores for those that collect.
struct Stored {
    value: ExprId,
    place: Place,
    loops: Vec<usize>,
    shape: Shape,
}

/// The gradient that is collected of an input.
struct Collected {
    input: usize,
    output: OutputId,
    parallel: Vec<u32>,
    sites: Vec<Gathered>,
}

/// `derived`, a gradient, with the kernels that collect after it. `inputs` are the extents of what
/// it was derived from.
pub(super) fn gathered(derived: Derived, sizes: Sizes) -> Result<Vec<Derived>> {
    let tensors = derived.inputs[..derived.kernel.tensors.len()]
        .iter()
        .map(|role| match role {
            Role::Input(i) => Some(sizes.inputs[*i].clone()),
            _ => None,
        })
        .collect();
    let has_elements = sizes.grid.size() > 0 && sizes.inputs.iter().all(|shape| shape.size() > 0);
    let meets = |(n, yielded): (usize, &Yield)| {
        matches!(yielded, Yield::Gradient { axes: None, .. })
            && derived.kernel.outputs[n].combine == Combine::Add
    };
    if !has_elements || !derived.outputs.iter().enumerate().any(meets) {
        return Ok(vec![derived]);
    }
    let structure = Structure::new(&derived.kernel, sizes.grid, tensors);
    let mut stored: Vec<Stored> = Vec::new();
    let mut found: Vec<Collected> = Vec::new();
    for (n, yielded) in derived.outputs.iter().enumerate().filter(|it| meets(*it)) {
        let Yield::Gradient { input, .. } = *yielded else { continue };
        let kept = stored.len();
        match collected(&structure, OutputId(n as u32), &sizes.inputs[input], &mut stored) {
            Some((parallel, sites)) if stored.len() <= MOST_STORED => {
                found.push(Collected { input, output: OutputId(n as u32), parallel, sites });
            }
            _ => stored.truncate(kept),
        }
    }
    if found.is_empty() {
        return Ok(vec![derived]);
    }
    let names: Vec<(String, u32)> =
        stored.iter().map(|it| ("stored".to_string(), it.shape.rank() as u32)).collect();
    let mut kernels: Vec<Derived> = storing(&structure, &derived, &stored, &found)?.into_iter().collect();
    for it in &found {
        let shape = &sizes.inputs[it.input];
        let name = &derived.kernel.outputs[it.output.index()].name;
        let gather = Gather::new(&structure, name, shape, &it.parallel, &names);
        let mut kernel = gather.kernel(&it.sites);
        kernel.name = format!("{}_gather", derived.kernel.name);
        let split = derived.kernel.tensors.len();
        let mut roles =
            Roles { tensors: derived.inputs[..split].to_vec(), scalars: derived.inputs[split..].to_vec() };
        roles.tensors.extend((0..stored.len()).map(Role::Stored));
        let axes = Some((0..shape.rank()).collect());
        let yields = [(OutputId(0), Yield::Gradient { input: it.input, axes })];
        let grid = it.parallel.iter().map(|&axis| sizes.grid[axis as usize]);
        let grid: Vec<usize> = shape.iter().copied().chain(grid).collect();
        without_dead_code(&mut kernel);
        let collecting = compacted(&kernel, &roles, &yields)?;
        kernels.extend(collecting.map(|it| Derived { grid: Some(grid.into()), ..it }));
    }
    Ok(kernels)
}

/// How what is added into an output is collected: the axes of the grid along which there are
/// invocations, and the stores.
fn collected(
    structure: &Structure,
    output: OutputId,
    shape: &Shape,
    stored: &mut Vec<Stored>,
) -> Option<(Vec<u32>, Vec<Gathered>)> {
    let mut found = Vec::new();
    for site in structure.sites.iter().filter(|site| site.output == output) {
        let plan = plan(structure, *site, shape)?;
        let (guards, changing) = guards(structure, *site);
        let source = source(structure, *site, changing, stored)?;
        found.push(Gathered { plan, guards, source });
    }
    let mut parallel = Vec::new();
    let mut size = shape.size();
    for (axis, &extent) in (0..).zip(structure.grid.iter()) {
        let unused = found.iter().all(|it| it.plan.solves(Domain::Grid(axis)).is_none());
        let room = shape.rank() + parallel.len() < MOST_AXES && size.saturating_mul(extent) <= MOST_SUMMED;
        if unused && size < BUSY && extent > 1 && room {
            parallel.push(axis);
            size *= extent;
        }
    }
    Some((parallel, found))
}

/// The conditions around a store that are functions of coordinates, and whether all are.
fn guards(structure: &Structure, site: Site) -> (Vec<(Pure, bool)>, bool) {
    let mut found = Vec::new();
    let mut changing = false;
    for block in structure.path(site.place.block) {
        if let What::Branch { condition, taken } = structure.blocks[block].what {
            match structure.around(block).and_then(|place| structure.pure(condition, place)) {
                Some(it) if it.operations <= CHEAP.0 && it.loads <= CHEAP.1 => found.push((it, taken)),
                _ => changing = true,
            }
        }
    }
    (found, changing)
}

/// Where the value of a store is got from; `changing` if it is made by a condition that is no
/// function of coordinates.
fn source(structure: &Structure, site: Site, changing: bool, stored: &mut Vec<Stored>) -> Option<Source> {
    let pure = structure.pure(site.value, site.place).filter(|_| !changing);
    if let Some(it) = &pure
        && it.operations <= CHEAP.0
        && it.loads <= CHEAP.1
    {
        return pure.map(Source::Pure);
    }
    match stored_at(structure, site) {
        Some(it) => {
            let known = stored.iter().position(|other| (other.value, other.place) == (it.value, it.place));
            let number = known.unwrap_or_else(|| {
                stored.push(it);
                stored.len() - 1
            });
            let tensor = TensorId((structure.kernel.tensors.len() + number) as u32);
            Some(Source::Stored { tensor, loops: stored[number].loops.clone() })
        }
        None => pure.filter(|it| it.operations <= MOST_OPERATIONS).map(Source::Pure),
    }
}

/// Where a value is stored for those that collect it: as far out as it is known.
fn stored_at(structure: &Structure, site: Site) -> Option<Stored> {
    let value = site.value;
    let mut place = site.place;
    while let Some(around) = structure.around(place.block) {
        let leaves = match structure.blocks[place.block].what {
            What::Loop { .. } => true,
            What::Branch { condition, .. } => structure
                .pure(condition, around)
                .is_some_and(|it| it.operations <= CHEAP.0 && it.loads <= CHEAP.1),
            What::Body | What::While => false,
        };
        if !leaves || structure.changes(place.block, value) {
            break;
        }
        place = around;
    }
    let mut loops = Vec::new();
    let mut extents = structure.grid.to_vec();
    let mut iterations = 1;
    for block in structure.path(place.block) {
        match structure.blocks[block].what {
            What::While => return None,
            What::Loop { .. } => {
                let trips = structure.trips(block)?;
                iterations *= trips.max(1);
                loops.push(block);
                extents.push(trips.max(1) as usize);
            }
            What::Body | What::Branch { .. } => {}
        }
        if iterations > MOST_ITERATIONS {
            return None;
        }
    }
    let shape = Shape::from(extents);
    (shape.rank() <= MOST_AXES && shape.size() <= MOST_ELEMENTS).then_some(Stored {
        value,
        place,
        loops,
        shape,
    })
}

/// The kernel without the stores that are collected, which stores what those take; `None` where
/// nothing is left of it.
fn storing(
    structure: &Structure,
    derived: &Derived,
    stored: &[Stored],
    found: &[Collected],
) -> Result<Option<Derived>> {
    let kernel = &derived.kernel;
    let mut arena = Arena::of(kernel);
    let mut added: HashMap<u32, Vec<Stmt>> = HashMap::default();
    let gone: HashSet<OutputId> = found.iter().map(|it| it.output).collect();
    let mut yields: Vec<(OutputId, Yield)> =
        derived.outputs.iter().enumerate().map(|(n, it)| (OutputId(n as u32), it.clone())).collect();
    for (number, it) in stored.iter().enumerate() {
        let output = arena.output(Output {
            name: "stored".into(),
            dtype: DType::F32,
            rank: it.shape.rank() as u32,
            combine: Combine::Set,
            initial: Initial::Value(Literal::F32(0.0)),
        });
        yields.push((output, Yield::Stored { number, shape: it.shape.clone() }));
        let mut indices = arena.own();
        for &block in &it.loops {
            let What::Loop { counter, from, step, .. } = structure.blocks[block].what else { continue };
            let counter = arena.read(counter);
            indices.push(iteration(&mut arena, counter, from, step));
        }
        let store = Stmt::Store { output, indices, value: it.value, before: None };
        added.entry(it.place.statement).or_default().push(store);
    }
    let body = changed(&kernel.body, &gone, &added, &mut 0);
    let mut kernel = arena.finish(body);
    without_dead_code(&mut kernel);
    let split = derived.kernel.tensors.len();
    let roles =
        Roles { tensors: derived.inputs[..split].to_vec(), scalars: derived.inputs[split..].to_vec() };
    compacted(&kernel, &roles, &yields)
}

/// A block with statements before some, by their numbers, and without the stores into some outputs.
fn changed(
    block: &[Stmt],
    gone: &HashSet<OutputId>,
    added: &HashMap<u32, Vec<Stmt>>,
    next: &mut u32,
) -> Vec<Stmt> {
    let mut out = Vec::with_capacity(block.len());
    for stmt in block {
        out.extend(added.get(next).into_iter().flatten().cloned());
        *next += 1;
        let mut inner = |block: &[Stmt]| changed(block, gone, added, next);
        match stmt {
            Stmt::Store { output, .. } if gone.contains(output) => {}
            Stmt::If(condition, then, otherwise) => {
                let then = inner(then);
                out.push(Stmt::If(*condition, then, inner(otherwise)));
            }
            Stmt::For { counter, from, to, step, body } => {
                let body = inner(body);
                out.push(Stmt::For { counter: *counter, from: *from, to: *to, step: *step, body });
            }
            Stmt::While { condition, limit, body } => {
                let body = inner(body);
                out.push(Stmt::While { condition: *condition, limit: *limit, body });
            }
            other => out.push(other.clone()),
        }
    }
    out
}
