//! Transformations of loops and branches, by transforming the programs they hold
//! ([`super::program`]).
//!
//! A region has several results, read by `Op::Part`: rules here get and give one entry for each of
//! them. What is carried depends on what was carried before, so which of it has a derivative, or a
//! batch, is found by going round until nothing is added.
//!
//! Deferred: few programs have loops or branches.

use super::batch::{Item, whole};
use super::inline_custom::inlined;
use super::{checkpoints, custom, kernel, program};
use crate::control::lower::{BodyBuilder, masked_body, masked_loop};
use std::rc::Rc;
use weft_ir::build::{Build, Ref};
use weft_ir::op::region::{LoopPositions, Region, region};
use weft_ir::op::{Compare, Loop, Op, ReduceOp};
use weft_ir::program::{ProgramId, ProgramNode, TensorProgram};
use weft_ir::{DType, Literal, Result, Shape};

/// The cotangents of a region's inputs that are `wanted`, given those of its results; `None` where
/// they are zero.
pub(super) fn pull(
    emit: &mut dyn Build,
    op: &Op,
    inputs: &[Ref],
    cotangents: &[Option<Ref>],
    wanted: &[bool],
) -> Result<Vec<Option<Ref>>> {
    if cotangents.iter().all(Option::is_none) {
        return Ok(vec![None; inputs.len()]);
    }
    match region(op).expect("it is a region") {
        Region::Loop(it) => pull_loop(emit, it, inputs, cotangents, wanted),
        Region::Custom(it) => custom::pull(emit, it, inputs, cotangents, wanted),
        Region::Kernel(it) => kernel::pull(emit, it, inputs, cotangents, wanted),
        Region::Branch(programs) => pull_branch(emit, programs, inputs, cotangents, wanted),
    }
}

/// The tangents of a region's results, given those of its inputs; `None` where they are zero.
pub(super) fn push(
    emit: &mut dyn Build,
    op: &Op,
    inputs: &[Ref],
    tangents: &[Option<Ref>],
) -> Result<Vec<Option<Ref>>> {
    match region(op).expect("it is a region") {
        Region::Loop(it) => push_loop(emit, it, inputs, tangents),
        Region::Custom(it) => custom::push(emit, it, inputs, tangents),
        Region::Kernel(it) => kernel::push(emit, it, inputs, tangents),
        Region::Branch(programs) => push_branch(emit, programs, inputs, tangents),
    }
}

/// The results of a region for every member of a batch of `size`, where at least one input is
/// batched.
pub(super) fn batch(emit: &mut dyn Build, op: &Op, items: &[Item], size: usize) -> Result<Vec<Item>> {
    match region(op).expect("it is a region") {
        Region::Loop(it) => batch_loop(emit, it, items, size),
        Region::Custom(it) => custom::batch(emit, it, items, size),
        Region::Kernel(it) => kernel::batch(emit, it, items, size),
        Region::Branch(programs) => batch_branch(emit, programs, items, size),
    }
}

fn flagged<T: Copy>(all: &[T], flags: &[bool]) -> Vec<T> {
    all.iter().zip(flags).filter(|(_, flag)| **flag).map(|(&x, _)| x).collect()
}

fn zeros(emit: &mut dyn Build, program: &TensorProgram, id: ProgramId) -> Result<Ref> {
    emit.full(Literal::zero(program[id].dtype), &program[id].shape)
}

/// Which leaves of a body have a derivative, given which inputs of the loop have.
fn active(it: &Loop, from: &[bool]) -> (Vec<bool>, Vec<bool>) {
    let leaves: Vec<ProgramId> = it.body.leaves().collect();
    let is_float = |leaf: usize| it.body[leaves[leaf]].dtype.is_float();
    let mut active: Vec<bool> = std::iter::once(false).chain(from.iter().copied()).collect();
    (0..active.len()).for_each(|leaf| active[leaf] &= is_float(leaf));
    loop {
        let flows = program::depends(&it.body, &active);
        let more: Vec<usize> =
            it.positions().carried.filter(|&k| flows[k - 1] && !active[k] && is_float(k)).collect();
        if more.is_empty() {
            return (active, flows);
        }
        more.into_iter().for_each(|k| active[k] = true);
    }
}

/// Whether anything in a program reads each of its leaves.
fn read(program: &TensorProgram) -> Vec<bool> {
    let mut read = vec![false; program.nodes.len()];
    program
        .nodes
        .iter()
        .flat_map(|node| &node.inputs)
        .chain(&program.outputs)
        .for_each(|i| read[i.index()] = true);
    program.leaves().map(|leaf| read[leaf.index()]).collect()
}

/// The loop runs again and keeps the state at every iteration; another goes backwards over these
/// with the cotangents of the state, adds up those of what all iterations read, and stacks those of
/// slices.
fn pull_loop(
    emit: &mut dyn Build,
    it: &Loop,
    inputs: &[Ref],
    cotangents: &[Option<Ref>],
    wanted: &[bool],
) -> Result<Vec<Option<Ref>>> {
    if let Some(parts) = checkpoints::of_loop(it)? {
        let wanted: Vec<bool> =
            wanted.iter().zip(inputs).map(|(&wanted, &x)| wanted && emit.dtype(x).is_float()).collect();
        let seeded: Vec<bool> = cotangents.iter().map(Option::is_some).collect();
        let reverse = program::reverse(&parts, &wanted, &seeded)?;
        let given: Vec<Ref> = inputs.iter().copied().chain(cotangents.iter().flatten().copied()).collect();
        let mut found = emit.inline(&reverse, &given)?.into_iter();
        return Ok(wanted.iter().map(|&wanted| if wanted { found.next() } else { None }).collect());
    }
    let (active, flows) = active(it, wanted);
    let it = &masked_loop(it)?;
    let (body, carried) = (&it.body, it.carried);
    let leaves: Vec<ProgramId> = body.leaves().collect();
    let seeded: Vec<bool> = (0..body.outputs.len())
        .map(|n| if n < carried { active[n + 1] } else { flows[n] && cotangents[n].is_some() })
        .collect();
    let step = program::reverse(body, &active, &seeded)?;
    let used = read(&step);
    let of = |range: std::ops::Range<usize>, flags: &[bool]| -> Vec<usize> {
        range.filter(|&n| flags[n]).collect()
    };
    let LoopPositions { carried: state, sliced: slices, captured: rest } = it.positions();
    let (states, sums) = (of(state.clone(), &active), of(rest.clone(), &active));
    let (kept, read_slices) = (of(state, &used), of(slices.clone(), &used));
    let (read_rest, stacked) = (of(rest, &used), of(slices, &active));
    let seeds: Vec<usize> = (carried..body.outputs.len()).filter(|&n| seeded[n]).collect();

    let mut made = BodyBuilder::default();
    let leaf = |&n: &usize| leaves[n];
    let mut given: Vec<Option<Ref>> = vec![None; leaves.len()];
    given[0] = Some(made.like(body, leaves[0]));
    let to_state = made.derivatives_like(body, states.iter().map(leaf));
    let mut to_sums = Vec::new();
    for &n in &sums {
        // A number's cotangent is no number.
        to_sums.push(made.builder.input(&body[leaves[n]].shape, DType::F32)?);
    }
    for &n in kept.iter().chain(&read_slices) {
        given[n] = Some(made.like(body, leaves[n]));
    }
    let to_seeds = made.derivatives_like(body, seeds.iter().map(|&n| body.outputs[n]));
    for &n in &read_rest {
        given[n] = Some(made.like(body, leaves[n]));
    }
    // What is not read may be anything.
    let given: Vec<Ref> = given.into_iter().map(|x| x.unwrap_or(Ref(0))).collect();
    let pulled = made.run(&step, &[&given[..], &to_state, &to_seeds].concat());
    let (of_state, others) = pulled.split_at(states.len());
    let (of_slices, of_rest) = others.split_at(stacked.len());
    let mut outputs = of_state.to_vec();
    for (&before, &more) in to_sums.iter().zip(of_rest) {
        outputs.push((&mut made.builder as &mut dyn Build).add(before, more)?);
    }
    outputs.extend(of_slices);
    let backwards = Loop {
        body: made.builder.finish(&outputs, &[]),
        condition: None,
        iterations: it.iterations,
        carried: states.len() + sums.len(),
        sliced: kept.len() + read_slices.len() + seeds.len(),
        reverse: !it.reverse,
    };

    let mut arguments = Vec::new();
    for &n in &states {
        arguments.push(match cotangents[n - 1] {
            Some(cotangent) => cotangent,
            None => zeros(emit, body, leaves[n])?,
        });
    }
    for &n in &sums {
        arguments.push(zeros(emit, body, leaves[n])?);
    }
    arguments.extend(saved(emit, it, inputs, &kept.iter().map(leaf).collect::<Vec<_>>())?);
    arguments.extend(read_slices.iter().map(|n| inputs[n - 1]));
    arguments.extend(seeds.iter().filter_map(|&n| cotangents[n]));
    arguments.extend(read_rest.iter().map(|n| inputs[n - 1]));
    let found = emit.region(Op::Loop(Rc::new(backwards)), &arguments)?;
    let mut pulled = vec![None; inputs.len()];
    for (&n, &found) in states.iter().chain(&sums).chain(&stacked).zip(&found) {
        pulled[n - 1] = Some(found);
    }
    Ok(pulled)
}

/// Leaves of the body at every iteration, stacked.
fn saved(emit: &mut dyn Build, it: &Loop, inputs: &[Ref], leaves: &[ProgramId]) -> Result<Vec<Ref>> {
    if leaves.is_empty() {
        return Ok(Vec::new());
    }
    let mut body = inlined(&it.body)?;
    let before = body.outputs.len();
    let own = leaves_of(&body);
    let own: Vec<ProgramId> = leaves_of(&it.body)
        .iter()
        .zip(own)
        .filter(|(leaf, _)| leaves.contains(leaf))
        .map(|(_, own)| own)
        .collect();
    for leaf in own {
        let mut id = leaf;
        if body.outputs.contains(&leaf) {
            let node = &body[leaf];
            let (shape, dtype, site) = (node.shape.clone(), node.dtype, node.site);
            let cut = ProgramNode { op: Op::Cut, inputs: vec![leaf], shape, dtype, site };
            body.nodes.push(cut);
            id = ProgramId(body.nodes.len() as u32 - 1);
        }
        body.outputs.push(id);
    }
    let keeping = Loop { body, ..it.clone() };
    Ok(emit.region(Op::Loop(Rc::new(keeping)), inputs)?.split_off(before))
}

/// The loop carries the tangents along with what they belong to.
fn push_loop(
    emit: &mut dyn Build,
    it: &Loop,
    inputs: &[Ref],
    tangents: &[Option<Ref>],
) -> Result<Vec<Option<Ref>>> {
    let (body, carried) = (&it.body, it.carried);
    let leaves: Vec<ProgramId> = body.leaves().collect();
    let from: Vec<bool> = tangents.iter().map(Option::is_some).collect();
    let (active, flows) = active(it, &from);
    let wanted: Vec<bool> =
        (0..flows.len()).map(|n| if n < carried { active[n + 1] } else { flows[n] }).collect();
    let step = program::forward(body, &active, &wanted)?;
    let positions = it.positions();
    let groups = [positions.carried, positions.sliced, positions.captured];
    let mut made = BodyBuilder::default();
    let (mut given, mut along) = (vec![made.like(body, leaves[0])], Vec::new());
    let (mut arguments, mut counts) = (Vec::new(), Vec::new());
    for group in groups.clone() {
        given.extend(made.all_like(body, leaves[group.clone()].iter().copied()));
        let moving: Vec<usize> = group.clone().filter(|&n| active[n]).collect();
        for &n in &moving {
            along.push(made.builder.input(&body[leaves[n]].shape, DType::F32)?);
        }
        counts.push(group.len() + moving.len());
        arguments.extend_from_slice(&inputs[group.start - 1..group.end - 1]);
        for n in moving {
            arguments.push(match tangents[n - 1] {
                Some(tangent) => tangent,
                None => zeros(emit, body, leaves[n])?,
            });
        }
    }
    let all = made.run(&step, &[&given[..], &along].concat());
    let (values, moved) = all.split_at(body.outputs.len());
    let states = (0..carried).filter(|&n| wanted[n]).count();
    let outputs = [&values[..carried], &moved[..states], &values[carried..], &moved[states..]].concat();
    let condition = match &it.condition {
        Some(condition) => {
            let mut alike = BodyBuilder::default();
            let mut given = vec![alike.like(condition, leaves_of(condition)[0])];
            let shaped = leaves_of(condition);
            for group in groups {
                given.extend(alike.all_like(condition, shaped[group.clone()].iter().copied()));
                for n in group.filter(|&n| active[n]) {
                    alike.builder.input(&body[leaves[n]].shape, DType::F32)?;
                }
            }
            let holds = alike.run(condition, &given);
            Some(alike.builder.finish(&holds, &[]))
        }
        None => None,
    };
    let both = Loop {
        body: made.builder.finish(&outputs, &[]),
        condition,
        iterations: it.iterations,
        carried: counts[0],
        sliced: counts[1],
        reverse: it.reverse,
    };
    let found = emit.region(Op::Loop(Rc::new(both)), &arguments)?;
    let mut pushed = vec![None; body.outputs.len()];
    let places = (0..carried).filter(|&n| wanted[n]).zip(carried..);
    let behind = carried + states + (body.outputs.len() - carried);
    let stacks = (carried..body.outputs.len()).filter(|&n| wanted[n]).zip(behind..);
    for (n, place) in places.chain(stacks) {
        pushed[n] = Some(found[place]);
    }
    Ok(pushed)
}

fn leaves_of(program: &TensorProgram) -> Vec<ProgramId> {
    program.leaves().collect()
}

/// All members go round together; where each has a condition of its own, as long as that of any
/// holds, and members that are done stand still.
fn batch_loop(emit: &mut dyn Build, it: &Loop, items: &[Item], size: usize) -> Result<Vec<Item>> {
    let mut batched: Vec<bool> =
        std::iter::once(false).chain(items.iter().map(|item| item.batched)).collect();
    let carried = it.positions().carried;
    let mut apart = false;
    let mut one = it.body.clone();
    let (body, flags) = loop {
        if let Some(condition) = &it.condition
            && !apart
        {
            apart = program::batch(condition, &batched, size, &[false])?.1[0];
            if apart {
                one = masked_body(&it.body, condition)?;
                batched[carried.clone()].fill(true);
            }
        }
        let mut whole = vec![false; it.body.outputs.len()];
        whole[..it.carried].copy_from_slice(&batched[carried.clone()]);
        let (body, flags) = program::batch(&one, &batched, size, &whole)?;
        if flags[..it.carried] == batched[carried.clone()] {
            break (body, flags);
        }
        for (known, flag) in batched[carried.clone()].iter_mut().zip(&flags[..it.carried]) {
            *known |= flag;
        }
    };
    let mut condition = match &it.condition {
        Some(condition) => Some(program::batch(condition, &batched, size, &[apart])?.0),
        None => None,
    };
    if let Some(holds) = condition.as_mut().filter(|_| apart) {
        let mut any = BodyBuilder::default();
        let given = any.all_like(holds, holds.leaves());
        let each = any.run(holds, &given)[0];
        let emit: &mut dyn Build = &mut any.builder;
        // Of no members none goes on, and nothing is the largest of them.
        let any_holds = if size == 0 {
            emit.full(Literal::Bool(false), &Shape::scalar())?
        } else {
            emit.reduce(ReduceOp::Max, each, &[0])?
        };
        *holds = any.builder.finish(&[any_holds], &[]);
    }
    let mut arguments = Vec::with_capacity(items.len());
    for (n, item) in items.iter().enumerate() {
        arguments.push(if n < it.carried && batched[n + 1] {
            whole(emit, *item, size)?
        } else if item.batched && n < it.carried + it.sliced {
            emit.move_axis(item.x, 0, 1)?
        } else {
            item.x
        });
    }
    let made = Loop {
        body,
        condition,
        iterations: it.iterations,
        carried: it.carried,
        sliced: it.sliced,
        reverse: it.reverse,
    };
    let mut found = Vec::new();
    for (n, x) in emit.region(Op::Loop(Rc::new(made)), &arguments)?.into_iter().enumerate() {
        let x = if flags[n] && n >= it.carried { emit.move_axis(x, 0, 1)? } else { x };
        found.push(Item { x, batched: flags[n] });
    }
    Ok(found)
}

/// The branch that was taken is gone back through.
fn pull_branch(
    emit: &mut dyn Build,
    programs: &[TensorProgram],
    inputs: &[Ref],
    cotangents: &[Option<Ref>],
    wanted: &[bool],
) -> Result<Vec<Option<Ref>>> {
    let leaves = leaves_of(&programs[0]);
    let wrt: Vec<bool> =
        wanted[1..].iter().zip(&leaves).map(|(&w, &l)| w && programs[0][l].dtype.is_float()).collect();
    let seeded: Vec<bool> = cotangents.iter().map(Option::is_some).collect();
    let reversed = programs.iter().map(|program| program::reverse(program, &wrt, &seeded));
    let op = Op::Branch(Rc::new(reversed.collect::<Result<_>>()?));
    let seeds: Vec<Ref> = cotangents.iter().copied().flatten().collect();
    let mut found = emit.region(op, &[inputs, &seeds].concat())?.into_iter();
    let pulled = wrt.iter().map(|&wanted| if wanted { found.next() } else { None });
    Ok(std::iter::once(None).chain(pulled).collect())
}

fn push_branch(
    emit: &mut dyn Build,
    programs: &[TensorProgram],
    inputs: &[Ref],
    tangents: &[Option<Ref>],
) -> Result<Vec<Option<Ref>>> {
    let leaves = leaves_of(&programs[0]);
    let active: Vec<bool> = tangents[1..]
        .iter()
        .zip(&leaves)
        .map(|(t, &l)| t.is_some() && programs[0][l].dtype.is_float())
        .collect();
    let mut wanted = vec![false; programs[0].outputs.len()];
    for program in programs {
        for (wanted, flows) in wanted.iter_mut().zip(program::depends(program, &active)) {
            *wanted |= flows;
        }
    }
    let pushed = programs.iter().map(|program| program::forward(program, &active, &wanted));
    let op = Op::Branch(Rc::new(pushed.collect::<Result<_>>()?));
    let along = flagged(&tangents[1..], &active);
    let along: Vec<Ref> = along.into_iter().flatten().collect();
    let found = emit.region(op, &[inputs, &along].concat())?;
    let mut found = found.into_iter().skip(wanted.len());
    Ok(wanted.iter().map(|&wanted| if wanted { found.next() } else { None }).collect())
}

/// Where members choose for themselves, all branches run, and each takes what it chose; but
/// derivatives go through that alone.
fn batch_branch(
    emit: &mut dyn Build,
    programs: &[TensorProgram],
    items: &[Item],
    size: usize,
) -> Result<Vec<Item>> {
    let batched: Vec<bool> = items[1..].iter().map(|item| item.batched).collect();
    let whole = vec![true; programs[0].outputs.len()];
    let all = programs.iter().map(|program| Ok(program::batch(program, &batched, size, &whole)?.0));
    let all = all.collect::<Result<Vec<TensorProgram>>>()?;
    if !items[0].batched {
        return custom::batched(emit, Op::Branch(Rc::new(all)), items);
    }
    let mut made = BodyBuilder::default();
    let selector = made.builder.input(&[size].into(), DType::I32)?;
    let operands = made.all_like(&all[0], all[0].leaves());
    let mut chosen: Vec<Ref> = Vec::new();
    for (number, program) in all.iter().enumerate().rev() {
        let mut own = made.run(program, &operands);
        let emit: &mut dyn Build = &mut made.builder;
        if number + 1 < all.len() {
            let is_this = emit.compare_number(Compare::Le, selector, number as f64)?;
            for (own, &other) in own.iter_mut().zip(&chosen) {
                let shape = emit.shape(*own);
                let aligned = [&[size], &vec![1; shape.rank() - 1][..]].concat();
                let flags = emit.reshape(is_this, &aligned.into())?;
                let flags = emit.expand(flags, &shape)?;
                let (a, b) = (uncut(emit, *own), uncut(emit, other));
                *own = emit.select(flags, a, b)?;
            }
        }
        chosen = own;
    }
    let all = made.builder.finish(&chosen, &[]);
    custom::each(emit, Op::Branch(Rc::new(programs.to_vec())), all, items)
}

/// What a copy, which made a result of its own of it, is of: what is selected is one.
fn uncut(emit: &dyn Build, x: Ref) -> Ref {
    let (op, inputs) = emit.definition(x);
    if op == Op::Cut { inputs[0] } else { x }
}
