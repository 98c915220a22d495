//! Custom derivatives and checkpoints. A checkpoint is computed again where it is differentiated; a
//! rule that the user gave replaces the derivative, transposed for the mode that it was not given
//! for.
//!
//! Deferred: few programs give derivatives of their own.

use super::batch::{self, Item};
use super::program;
use super::segment::{Mode, segment};
use crate::control::lower::BodyBuilder;
use std::rc::Rc;
use weft_ir::build::{Build, ProgramBuilder, Ref};
use weft_ir::op::Op;
use weft_ir::op::region::{self, Custom, Rule};
use weft_ir::program::{ProgramId, TensorProgram};
use weft_ir::{DType, Error, ErrorKind, Result};

/// The cotangents of the inputs that are wanted.
pub(super) fn pull(
    emit: &mut dyn Build,
    it: &Custom,
    inputs: &[Ref],
    cotangents: &[Option<Ref>],
    wanted: &[bool],
) -> Result<Vec<Option<Ref>>> {
    if let Rule::Checkpoint = it.rule {
        let seeded: Vec<bool> = cotangents.iter().map(Option::is_some).collect();
        let reverse = program::reverse(&it.program, wanted, &seeded)?;
        let mut leaves = apart(emit, it, inputs)?;
        leaves.extend(cotangents.iter().flatten());
        let found = emit.inline(&reverse, &leaves)?;
        return Ok(placed(found, wanted));
    }
    if let Rule::Each(one, batched) = &it.rule {
        let seeded: Vec<bool> = cotangents.iter().map(Option::is_some).collect();
        let reverse = program::reverse(one, wanted, &seeded)?;
        let seeds = cotangents.iter().flatten().map(|&x| Item { x, batched: true });
        let mut pulled = placed(for_all(emit, it, &reverse, batched, inputs, seeds)?, wanted);
        for (pulled, _) in pulled.iter_mut().zip(batched).filter(|(_, batched)| !**batched) {
            *pulled = pulled.map(|x| emit.sum(x, &[0])).transpose()?;
        }
        return Ok(pulled);
    }
    refuse_captured(it, wanted)?;
    let (arguments, captured) = inputs.split_at(it.arguments);
    let is_float: Vec<bool> = inputs.iter().map(|&x| emit.dtype(x).is_float()).collect();
    let of_results = only_floats(cotangents, &region::results(&Op::Custom(Rc::new(it.clone()))));
    let found = match &it.rule {
        Rule::Reverse(rule) => {
            let mut seeds = Vec::with_capacity(of_results.len());
            for (cotangent, (shape, _)) in of_results {
                seeds.push(match cotangent {
                    Some(cotangent) => cotangent,
                    None => emit.full(weft_ir::Literal::F32(0.0), &shape)?,
                });
            }
            let leaves = [arguments, &seeds, captured].concat();
            emit.inline(rule, &leaves)?.into_iter().map(Some).collect()
        }
        Rule::Forward(rule) => {
            let given: Vec<Option<Ref>> = of_results.into_iter().map(|(given, _)| given).collect();
            transposed(emit, "customJvp", rule, arguments, captured, &given)?
        }
        Rule::Checkpoint | Rule::Each(..) => unreachable!("it was seen to above"),
    };
    let mut found = found.into_iter();
    Ok(is_float
        .iter()
        .enumerate()
        .map(|(i, &f)| if f && i < it.arguments { found.next()? } else { None })
        .collect())
}

/// The tangents of the results.
pub(super) fn push(
    emit: &mut dyn Build,
    it: &Custom,
    inputs: &[Ref],
    tangents: &[Option<Ref>],
) -> Result<Vec<Option<Ref>>> {
    let active: Vec<bool> = tangents.iter().map(Option::is_some).collect();
    let results = region::results(&Op::Custom(Rc::new(it.clone())));
    if let Rule::Checkpoint = it.rule {
        let wanted = program::depends(&it.program, &active);
        let forward = program::forward(&it.program, &active, &wanted)?;
        let leaves: Vec<Ref> = inputs.iter().copied().chain(tangents.iter().flatten().copied()).collect();
        let found = emit.inline(&forward, &leaves)?.split_off(results.len());
        return Ok(placed(found, &wanted));
    }
    if let Rule::Each(one, batched) = &it.rule {
        let wanted = program::depends(one, &active);
        let forward = program::forward(one, &active, &wanted)?;
        let along = tangents.iter().zip(batched).filter_map(|(&x, &batched)| Some(Item { x: x?, batched }));
        let found = for_all(emit, it, &forward, batched, inputs, along)?.split_off(results.len());
        return Ok(placed(found, &wanted));
    }
    refuse_captured(it, &active)?;
    let (arguments, captured) = inputs.split_at(it.arguments);
    let floats: Vec<usize> = (0..it.arguments).filter(|&i| emit.dtype(inputs[i]).is_float()).collect();
    let found = match &it.rule {
        Rule::Forward(rule) => {
            let mut leaves = arguments.to_vec();
            for i in floats {
                leaves.push(match tangents[i] {
                    Some(tangent) => tangent,
                    None => emit.like(inputs[i], 0.0)?,
                });
            }
            leaves.extend(captured);
            emit.inline(rule, &leaves)?.into_iter().map(Some).collect()
        }
        Rule::Reverse(rule) => {
            let given: Vec<Option<Ref>> = floats.into_iter().map(|i| tangents[i]).collect();
            transposed(emit, "customVjp", rule, arguments, captured, &given)?
        }
        Rule::Checkpoint | Rule::Each(..) => unreachable!("it was seen to above"),
    };
    let is_float: Vec<bool> = results.iter().map(|(_, dtype)| dtype.is_float()).collect();
    let mut found = found.into_iter();
    Ok(is_float.iter().map(|&f| if f { found.next()? } else { None }).collect())
}

/// The results for every member of a batch.
pub(super) fn batch(emit: &mut dyn Build, it: &Custom, items: &[Item], size: usize) -> Result<Vec<Item>> {
    let mut inputs = items.to_vec();
    if matches!(it.rule, Rule::Reverse(_) | Rule::Forward(_)) {
        // A rule gives a derivative for each argument, so that members have arguments of their own.
        for item in &mut inputs[..it.arguments] {
            *item = Item { x: batch::whole(emit, *item, size)?, batched: true };
        }
    }
    let flags: Vec<bool> = inputs.iter().map(|item| item.batched).collect();
    let whole = |program: &TensorProgram, flags: &[bool]| {
        program::batch(program, flags, size, &vec![true; program.outputs.len()]).map(|(program, _)| program)
    };
    let of_rule = |rule: &TensorProgram| {
        let seeds = rule.leaves().count() - flags.len();
        let (arguments, captured) = flags.split_at(it.arguments);
        whole(rule, &[arguments, &vec![true; seeds], captured].concat())
    };
    let rule = match &it.rule {
        Rule::Each(..) => {
            let all = whole(&it.program, &flags)?;
            return each(emit, Op::Custom(Rc::new(it.clone())), all, items);
        }
        Rule::Checkpoint => Rule::Checkpoint,
        Rule::Reverse(rule) => Rule::Reverse(of_rule(rule)?),
        Rule::Forward(rule) => Rule::Forward(of_rule(rule)?),
    };
    let it = Op::Custom(Rc::new(Custom { program: whole(&it.program, &flags)?, rule, ..it.clone() }));
    batched(emit, it, &inputs)
}

/// The results of a region for every member of a batch, which members compute together as `all` and
/// differentiate each by itself.
pub(super) fn each(
    emit: &mut dyn Build,
    region: Op,
    all: TensorProgram,
    items: &[Item],
) -> Result<Vec<Item>> {
    let mut made = BodyBuilder::default();
    let mut leaves = Vec::with_capacity(items.len());
    for (leaf, item) in all.leaves().zip(items) {
        leaves.push(if item.batched {
            made.builder.input(&all[leaf].shape[1..].to_vec().into(), all[leaf].dtype)?
        } else {
            made.like(&all, leaf)
        });
    }
    let outputs = (&mut made.builder as &mut dyn Build).region(region, &leaves)?;
    let flags = items.iter().map(|item| item.batched).collect();
    let rule = Rule::Each(made.builder.finish(&outputs, &[]), flags);
    batched(
        emit,
        Op::Custom(Rc::new(Custom { program: all, rule, arguments: items.len(), again: false })),
        items,
    )
}

/// The results of a region all of whose results are batched.
pub(super) fn batched(emit: &mut dyn Build, region: Op, inputs: &[Item]) -> Result<Vec<Item>> {
    let inputs: Vec<Ref> = inputs.iter().map(|item| item.x).collect();
    let found = emit.region(region, &inputs)?;
    Ok(found.into_iter().map(|x| Item { x, batched: true }).collect())
}

/// What a program of one member of `it` makes for all of them, given derivatives besides.
fn for_all(
    emit: &mut dyn Build,
    it: &Custom,
    one: &TensorProgram,
    batched: &[bool],
    inputs: &[Ref],
    derivatives: impl Iterator<Item = Item>,
) -> Result<Vec<Ref>> {
    let (mut leaves, mut flags) = (inputs.to_vec(), batched.to_vec());
    for item in derivatives {
        leaves.push(item.x);
        flags.push(item.batched);
    }
    let size = it.program[it.program.outputs[0]].shape[0];
    let (all, _) = program::batch(one, &flags, size, &vec![true; one.outputs.len()])?;
    emit.inline(&all, &leaves)
}

/// The inputs of a checkpoint, arguments so that what is made of them is not taken for what was
/// made of them before: it would have been kept. BodyBuilder are kept anyway; they are copied only
/// where an argument that is none would not tell the two apart.
fn apart(emit: &mut dyn Build, it: &Custom, inputs: &[Ref]) -> Result<Vec<Ref>> {
    let mut all = inputs.to_vec();
    let is_leaf = |emit: &dyn Build, mut x: Ref| loop {
        let (op, inputs) = emit.definition(x);
        match op {
            Op::Mark(_) | Op::Detach => x = inputs[0],
            op => break op.is_leaf(),
        }
    };
    let computed: Vec<bool> = inputs[..it.arguments].iter().map(|&x| !is_leaf(emit, x)).collect();
    for (i, x) in all[..it.arguments].iter_mut().enumerate() {
        if emit.dtype(*x).is_float() && (computed[i] || !computed.contains(&true)) {
            *x = emit.op(Op::Cut, &[*x])?;
        }
    }
    Ok(all)
}

/// Derivatives of a rule's seeds, where those of its results are given: the rule is linear in the
/// seeds, so that this is its transpose.
fn transposed(
    emit: &mut dyn Build,
    name: &str,
    rule: &TensorProgram,
    arguments: &[Ref],
    captured: &[Ref],
    given: &[Option<Ref>],
) -> Result<Vec<Option<Ref>>> {
    let all: Vec<ProgramId> = rule.leaves().collect();
    let seeds = arguments.len()..all.len() - captured.len();
    let is_seed: Vec<bool> = (0..all.len()).map(|i| seeds.contains(&i)).collect();
    let seeded: Vec<bool> = given.iter().map(Option::is_some).collect();
    let reverse = program::reverse(rule, &is_seed, &seeded)?;
    let builder = ProgramBuilder::of(&reverse);
    let refs = |ids: &[ProgramId]| -> Vec<Ref> { ids.iter().map(|id| Ref(id.0)).collect() };
    let leaves: Vec<ProgramId> = reverse.leaves().collect();
    let of_seeds = refs(&leaves[seeds.clone()]);
    let leads = segment(&builder, &refs(&reverse.outputs), &of_seeds, Mode::Value).leads;
    if refs(&reverse.outputs).iter().any(|output| leads.contains(output)) {
        let what = "the rule must be linear in the derivatives that it gets: it was made for the other mode";
        return Err(Error::new(ErrorKind::Trace, name, what));
    }
    let mut inputs = arguments.to_vec();
    for &leaf in &all[seeds] {
        inputs.push(emit.full(weft_ir::Literal::F32(0.0), &rule[leaf].shape)?);
    }
    inputs.extend(captured);
    inputs.extend(given.iter().flatten());
    Ok(emit.inline(&reverse, &inputs)?.into_iter().map(Some).collect())
}

/// Errors where a derivative is asked of what a rule's function reads besides its arguments: the
/// rule has none for it.
fn refuse_captured(it: &Custom, flags: &[bool]) -> Result<()> {
    if !flags[it.arguments..].contains(&true) {
        return Ok(());
    }
    let name = if matches!(it.rule, Rule::Reverse(_)) { "customVjp" } else { "customJvp" };
    let what = "the function reads a tensor from outside that you differentiate by: make it an argument, so that the rule can give its derivative";
    Err(Error::new(ErrorKind::Trace, name, what))
}

/// What was found for the flagged ones, in the places of all.
fn placed(found: Vec<Ref>, flags: &[bool]) -> Vec<Option<Ref>> {
    let mut found = found.into_iter();
    flags.iter().map(|&flag| if flag { found.next() } else { None }).collect()
}

/// The derivatives of f32 results, with the shapes and dtypes of those.
fn only_floats<T: Copy, S: Clone>(all: &[T], results: &[(S, DType)]) -> Vec<(T, (S, DType))> {
    all.iter().copied().zip(results.iter().cloned()).filter(|(_, (_, dtype))| dtype.is_float()).collect()
}
