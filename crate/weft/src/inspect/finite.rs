//! Search for the first value that is not finite. While values are recorded, each run is followed
//! by a reduction of what it yields, and the device keeps the numbers of the first runs with a NaN
//! and with an infinity. The run that is found is computed once more, node by node, each with a
//! reduction of its own; from a result that is not finite the search goes back along inputs that
//! are not finite either, into loops and branches, to a node all of whose inputs are.

use super::Inspector;
use super::evaluate::{Item, flag, leaf};
use super::origin::{Origin, describe};
use std::fmt::Write;
use std::rc::Rc;
use weft_ir::build::{Build, ProgramBuilder, Ref};
use weft_ir::graph::ValueId;
use weft_ir::op::{Binary, Coefficient, Compare, Loop, Op, View, region};
use weft_ir::program::{ProgramId, TensorProgram};
use weft_ir::{DType, HashMap, HashSet, Literal, Result, Shape};

/// What a run's number is while there is none.
const NONE: i32 = i32::MAX;
/// Flags of nodes and of iterations that are read at once.
const AT_ONCE: usize = 64;
/// Iterations of a loop that are looked at.
const MOST_ITERATIONS: u32 = 1 << 16;

/// What is looked for: NaN, or any value that is not finite.
const NAN: u32 = 2;
const INFINITE: u32 = 1;

/// A node that is not finite though its inputs are, within the programs of regions.
pub(super) struct Found {
    /// The number of the iteration of each loop around it, the outermost first.
    pub iterations: Vec<u32>,
    pub program: TensorProgram,
    pub node: ProgramId,
    /// What the program was given.
    pub given: Vec<Item>,
    /// Where its leaves were made.
    pub sites: Vec<u32>,
}

impl Inspector {
    /// Folds what a run yields into the numbers of the first runs that yield something not finite.
    pub(super) fn note_finiteness(
        &self,
        number: u32,
        values: &[ValueId],
        outputs: &[(Shape, DType)],
    ) -> Result<()> {
        let recorder = self.recorder();
        let firsts = match recorder.firsts.take() {
            Some(firsts) => firsts,
            None => {
                let none = || self.inner.backend.upload(&[NONE as u32], &Shape::scalar(), DType::I32);
                [none()?, none()?]
            }
        };
        let firsts = firsts.map(|value| self.held(value));
        let floats = values.iter().zip(outputs).filter(|(_, (_, dtype))| dtype.is_float());
        let mut builder = ProgramBuilder::default();
        let (mut given, mut leaves) = (Vec::new(), Vec::new());
        for (&value, (shape, dtype)) in floats {
            leaves.push(Ref(builder.leaf(shape, *dtype).0));
            given.push(self.held_too(value));
        }
        if !leaves.is_empty() {
            let firsts_at = [0, 1].map(|_| Ref(builder.leaf(&Shape::scalar(), DType::I32).0));
            let own = Ref(builder.push(Op::Scalar(DType::I32), Vec::new(), Shape::scalar(), DType::I32).0);
            let build: &mut dyn Build = &mut builder;
            let none = build.full(Literal::I32(NONE), &Shape::scalar())?;
            let mut worst: Option<Ref> = None;
            for x in leaves {
                let flag = flag(build, x)?;
                worst = Some(match worst {
                    Some(before) => build.binary(Binary::Max, before, flag)?,
                    None => flag,
                });
            }
            let worst = worst.expect("there are floats");
            let mut next = Vec::new();
            for (least, first) in [(NAN, firsts_at[0]), (INFINITE, firsts_at[1])] {
                let is = build.compare_number(Compare::Ge, worst, f64::from(least))?;
                let candidate = build.select(is, own, none)?;
                next.push(build.binary(Binary::Min, first, candidate)?);
            }
            let program = builder.finish(&next, &[]);
            given.extend(firsts.iter().cloned());
            given.push(Item::Scalar(number));
            let made = self.evaluate(program, &given)?;
            let kept = [&made[0], &made[1]].map(|item| self.owned(item));
            recorder.firsts.replace(Some(kept));
        } else {
            recorder.firsts.replace(Some([&firsts[0], &firsts[1]].map(|item| self.owned(item))));
        }
        Ok(())
    }

    fn owned(&self, item: &Item) -> ValueId {
        let Item::Stored(held) = item else { unreachable!("it was computed") };
        self.inner.backend.retain(held.value);
        held.value
    }

    /// Where the first NaN of the runs that were recorded came from, or the first infinity if there
    /// is no NaN, as JSON: `{"runs":…,"found":null}` where all is finite, `{"again":n}` where the
    /// values of run n were not kept, and else the node. Errors as running does.
    pub fn first_not_finite(&self) -> impl Future<Output = Result<String>> + 'static + use<> {
        let device = self.clone();
        async move { device.find_not_finite().await }
    }

    async fn find_not_finite(&self) -> Result<String> {
        let recorder = self.recorder();
        let runs = recorder.count.get();
        let firsts = *recorder.firsts.borrow();
        let Some(firsts) = firsts else { return Ok(format!("{{\"runs\":{runs},\"found\":null}}")) };
        let words = self.words_of(&firsts.map(|value| self.held_too(value))).await?;
        let first = |n: usize| words[n].first().map_or(NONE, |&word| word as i32);
        let (number, least) = match (first(0), first(1)) {
            (NONE, NONE) => return Ok(format!("{{\"runs\":{runs},\"found\":null}}")),
            (NONE, infinite) => (infinite as u32, INFINITE),
            (nan, _) => (nan as u32, NAN),
        };
        let known = {
            let recorded = recorder.runs.borrow();
            recorded.iter().find(|run| run.number == number).and_then(|run| {
                let kept = run.kept.as_ref()?;
                let given = (kept.leaves.clone(), kept.scalars.clone(), kept.sites.clone());
                Some((run.label, Rc::clone(&run.program), given))
            })
        };
        let Some((label, program, (leaves, scalars, sites))) = known else {
            return Ok(format!("{{\"runs\":{runs},\"again\":{number}}}"));
        };
        let (mut leaves, mut scalars) = (leaves.into_iter(), scalars.into_iter());
        let (mut given, mut given_sites, mut sites) = (Vec::new(), Vec::new(), sites.into_iter());
        for id in program.leaves() {
            let is_scalar = matches!(program[id].op, Op::Scalar(_));
            let item = if is_scalar {
                scalars.next().map(Item::Scalar)
            } else {
                leaves.next().map(|value| self.held_too(value))
            };
            given_sites.push(if is_scalar { program[id].site } else { sites.next().unwrap_or(0) });
            given.extend(item);
        }
        let found = self.search((*program).clone(), given, given_sites, least).await?;
        let mut out = format!("{{\"runs\":{runs},\"run\":{number},\"label\":{label},\"found\":");
        match found {
            None => out.push_str("\"fused\""),
            Some(found) => {
                let _ = write!(out, "\"{}\"", if least == NAN { "nan" } else { "infinity" });
                let origin = Origin::of(self, &found).await?;
                let _ = write!(out, ",\"origin\":{}", describe(&origin));
                // A NaN of an infinity: where that came from.
                if least == NAN && origin.has_infinite_input() {
                    let cause = self.search_infinity(&found).await?;
                    if let Some(cause) = cause {
                        let cause = Origin::of(self, &cause).await?;
                        let _ = write!(out, ",\"cause\":{}", describe(&cause));
                    }
                }
            }
        }
        out.push('}');
        Ok(out)
    }

    /// The node of a program, or of one within, from which something not finite comes that the
    /// program yields.
    async fn search(
        &self,
        program: TensorProgram,
        given: Vec<Item>,
        sites: Vec<u32>,
        least: u32,
    ) -> Result<Option<Found>> {
        let flags = self.flags(&program, &given).await?;
        match first_cause(&program, &flags, &program.outputs, least) {
            None => Ok(None),
            Some(node) => self.descend(program, node, given, sites, least).await.map(Some),
        }
    }

    /// The node that the infinite inputs of a node come from.
    async fn search_infinity(&self, of: &Found) -> Result<Option<Found>> {
        let flags = self.flags(&of.program, &of.given).await?;
        let inputs = of.program[of.node].inputs.clone();
        let Some(node) = first_cause(&of.program, &flags, &inputs, INFINITE) else { return Ok(None) };
        let mut found =
            self.descend(of.program.clone(), node, of.given.clone(), of.sites.clone(), INFINITE).await?;
        found.iterations.splice(0..0, of.iterations.iter().copied());
        Ok(Some(found))
    }

    /// Goes on within a node that holds programs.
    async fn descend(
        &self,
        program: TensorProgram,
        node: ProgramId,
        given: Vec<Item>,
        sites: Vec<u32>,
        least: u32,
    ) -> Result<Found> {
        let mut here = Found { iterations: Vec::new(), program, node, given, sites };
        loop {
            let inputs = here.program[here.node].inputs.clone();
            let own: Vec<u32> = inputs.iter().map(|&id| here.site_of(id)).collect();
            let (inner, given, iteration) = match &here.program[here.node].op {
                Op::Loop(it) => {
                    let it = Rc::clone(it);
                    let items = self.values(&here.program, &here.given, &inputs).await?;
                    let Some((iteration, given)) = self.bad_iteration(&it, &items, least).await? else {
                        return Ok(here);
                    };
                    (it.body.clone(), given, Some(iteration))
                }
                Op::Branch(programs) => {
                    let programs = Rc::clone(programs);
                    let items = self.values(&here.program, &here.given, &inputs).await?;
                    let selector = self.words_of(&items[..1]).await?[0].first().copied().unwrap_or(0) as i32;
                    let chosen = (selector.max(0) as usize).min(programs.len() - 1);
                    (programs[chosen].clone(), items[1..].to_vec(), None)
                }
                _ => return Ok(here),
            };
            let flags = self.flags(&inner, &given).await?;
            let Some(node) = first_cause(&inner, &flags, &inner.outputs.clone(), least) else {
                return Ok(here);
            };
            let before = usize::from(iteration.is_some());
            let sites = inner.leaves().enumerate().map(|(n, _)| match n.checked_sub(before) {
                Some(n) => own.get(n + usize::from(before == 0)).copied().unwrap_or(0),
                None => 0,
            });
            let sites = sites.collect();
            let mut iterations = here.iterations;
            iterations.extend(iteration);
            here = Found { iterations, program: inner, node, given, sites };
        }
    }

    /// The flag of each node of a program.
    async fn flags(&self, program: &TensorProgram, given: &[Item]) -> Result<Vec<u32>> {
        let mut evaluation = Evaluation::new(self, program, given, &program.outputs);
        let mut flags = vec![0; program.nodes.len()];
        let mut waiting: Vec<(ProgramId, Item)> = Vec::new();
        for id in program.ids() {
            for (id, item) in evaluation.node(id, true)? {
                waiting.push((id, item));
            }
            if waiting.len() >= AT_ONCE || id.index() + 1 == program.nodes.len() {
                let (ids, items): (Vec<_>, Vec<_>) = waiting.drain(..).unzip();
                for (id, words) in ids.iter().zip(self.words_of(&items).await?) {
                    let flag: &mut u32 = &mut flags[id.index()];
                    *flag = (*flag).max(words.first().copied().unwrap_or(0));
                }
            }
        }
        Ok(flags)
    }

    /// The values of some nodes of a program.
    pub(super) async fn values(
        &self,
        program: &TensorProgram,
        given: &[Item],
        ids: &[ProgramId],
    ) -> Result<Vec<Item>> {
        let mut needed: HashSet<ProgramId> = ids.iter().copied().collect();
        for id in program.ids().rev() {
            if needed.contains(&id) {
                needed.extend(&program[id].inputs);
            }
        }
        let mut evaluation = Evaluation::new(self, program, given, ids);
        for id in program.ids() {
            if needed.contains(&id) || program[id].op.is_given() {
                evaluation.node(id, false)?;
            }
        }
        Ok(ids.iter().map(|id| evaluation.items[id.index()].clone().expect("it is kept")).collect())
    }

    /// The first iteration of a loop that yields something not finite, and what its body was given.
    async fn bad_iteration(
        &self,
        it: &Loop,
        inputs: &[Item],
        least: u32,
    ) -> Result<Option<(u32, Vec<Item>)>> {
        let all = it.iterations.map_or(MOST_ITERATIONS, |count| (count as u32).min(MOST_ITERATIONS));
        let (carried, rest) = inputs.split_at(it.carried);
        let (sliced, captured) = rest.split_at(it.sliced);
        let mut carried = carried.to_vec();
        let leaves = it.leaves();
        let body = flagged(&it.body)?;
        let mut waiting: Vec<(u32, Vec<Item>, Item)> = Vec::new();
        for n in 0..all {
            let index = if it.reverse { all - 1 - n } else { n };
            let mut given = vec![Item::Scalar(index)];
            given.extend(carried.iter().cloned());
            for (item, &id) in sliced.iter().zip(&leaves.sliced) {
                let node = &it.body[id];
                let whole = region::stacked(it.iterations.unwrap_or(0), &node.shape);
                given.push(self.slice(item, &whole, node.dtype, index)?);
            }
            given.extend(captured.iter().cloned());
            if let Some(condition) = &it.condition {
                let goes_on = self.evaluate(condition.clone(), &given)?;
                if self.words_of(&goes_on).await?[0].first() == Some(&0) {
                    break;
                }
            }
            let mut made = self.evaluate(body.clone(), &given)?;
            let flag = made.pop().expect("the flag is the last");
            carried = made[..it.carried].to_vec();
            waiting.push((index, given, flag));
            if waiting.len() >= AT_ONCE
                && let Some(found) = self.first_bad(&mut waiting, least).await?
            {
                return Ok(Some(found));
            }
        }
        self.first_bad(&mut waiting, least).await
    }

    async fn first_bad(
        &self,
        waiting: &mut Vec<(u32, Vec<Item>, Item)>,
        least: u32,
    ) -> Result<Option<(u32, Vec<Item>)>> {
        let flags: Vec<Item> = waiting.iter().map(|(.., flag)| flag.clone()).collect();
        let words = self.words_of(&flags).await?;
        let is_bad = |words: &Vec<u32>| words.first().is_some_and(|&flag| flag >= least);
        let found = words.iter().position(is_bad);
        let mut all = std::mem::take(waiting);
        Ok(found.map(|n| all.swap_remove(n)).map(|(index, given, _)| (index, given)))
    }

    /// One slice along the first axis.
    fn slice(&self, item: &Item, shape: &Shape, dtype: DType, index: u32) -> Result<Item> {
        let mut builder = ProgramBuilder::default();
        let x = Ref(builder.push(Op::Buffer(shape.clone(), dtype), Vec::new(), shape.clone(), dtype).0);
        let at = Ref(builder.push(Op::Scalar(DType::I32), Vec::new(), Shape::scalar(), DType::I32).0);
        let build: &mut dyn Build = &mut builder;
        let mut starts = vec![Coefficient::Const(0); shape.rank()];
        starts[0] = Coefficient::Param { input: 1, min: 0, max: shape[0] as i64 - 1 };
        let mut lengths = shape.to_vec();
        lengths[0] = 1;
        let view = View::Slice { starts, steps: vec![1; shape.rank()], lengths };
        let part = build.op(Op::View(view), &[x, at])?;
        let part = build.reshape(part, &shape[1..].to_vec().into())?;
        let program = builder.finish(&[part], &[]);
        Ok(self.evaluate(program, &[item.clone(), Item::Scalar(index)])?.swap_remove(0))
    }
}

impl Found {
    /// Where a node was asked for; of a leaf, where what it stands for was made.
    pub fn site_of(&self, id: ProgramId) -> u32 {
        let place = self.program.leaves().position(|leaf| leaf == id);
        place.and_then(|place| self.sites.get(place).copied()).unwrap_or(self.program[id].site)
    }
}

/// A program with one output more: the worst flag of the others.
fn flagged(program: &TensorProgram) -> Result<TensorProgram> {
    let mut builder = ProgramBuilder::of(program);
    let build: &mut dyn Build = &mut builder;
    let mut worst = build.full(Literal::I32(0), &Shape::scalar())?;
    for &id in &program.outputs {
        if program[id].dtype == DType::F32 {
            let flag = flag(build, Ref(id.0))?;
            worst = build.binary(Binary::Max, worst, flag)?;
        }
    }
    let mut outputs: Vec<Ref> = program.outputs.iter().map(|id| Ref(id.0)).collect();
    outputs.push(worst);
    Ok(builder.finish(&outputs, &[]))
}

/// Among the nodes that are bad and that `from` depend on through bad nodes, the first: all its
/// inputs are good.
fn first_cause(program: &TensorProgram, flags: &[u32], from: &[ProgramId], least: u32) -> Option<ProgramId> {
    let is_bad = |id: &ProgramId| flags[id.index()] >= least;
    let mut open: Vec<ProgramId> = from.iter().copied().filter(is_bad).collect();
    let mut seen: HashSet<ProgramId> = open.iter().copied().collect();
    let mut first = None;
    while let Some(id) = open.pop() {
        first = first.map_or(Some(id), |first: ProgramId| Some(first.min(id)));
        for input in program[id].inputs.iter().filter(|id| is_bad(id)) {
            if seen.insert(*input) {
                open.push(*input);
            }
        }
    }
    first
}

/// A program that is computed node by node.
struct Evaluation<'a> {
    device: &'a Inspector,
    program: &'a TensorProgram,
    given: std::slice::Iter<'a, Item>,
    items: Vec<Option<Item>>,
    /// How many nodes still need each, and the caller's own need.
    readers: Vec<u32>,
    /// The results of regions, each with its flag.
    parts: HashMap<ProgramId, Vec<(Item, Option<Item>)>>,
}

impl<'a> Evaluation<'a> {
    fn new(device: &'a Inspector, program: &'a TensorProgram, given: &'a [Item], kept: &[ProgramId]) -> Self {
        let mut readers = vec![0; program.nodes.len()];
        let read = program.nodes.iter().flat_map(|node| &node.inputs).chain(kept);
        read.for_each(|id| readers[id.index()] += 1);
        let items = vec![None; program.nodes.len()];
        Evaluation { device, program, given: given.iter(), items, readers, parts: HashMap::default() }
    }

    /// Computes a node whose inputs are computed; the flags of what it yields, if they are wanted.
    fn node(&mut self, id: ProgramId, wants_flags: bool) -> Result<Vec<(ProgramId, Item)>> {
        let (program, node) = (self.program, &self.program[id]);
        let mut flags = Vec::new();
        let item = if node.op.is_given() {
            let item = self.given.next().cloned().expect("each leaf is given");
            if wants_flags && node.dtype == DType::F32 && node.shape.size() > 0 {
                let mut builder = ProgramBuilder::default();
                let x = leaf(&mut builder, &item, node);
                let flag = flag(&mut builder, x)?;
                let made = self.device.evaluate(builder.finish(&[flag], &[]), std::slice::from_ref(&item))?;
                flags.extend(made.into_iter().map(|flag| (id, flag)));
            }
            Some(item)
        } else if let Op::Part { index, .. } = node.op {
            let (item, flag) = self.parts[&node.inputs[0]][index].clone();
            flags.extend(flag.map(|flag| (id, flag)));
            Some(item)
        } else {
            let made = self.step(id, wants_flags)?;
            flags.extend(made.iter().filter_map(|(_, flag)| Some((id, flag.clone()?))));
            if region::is_region(&node.op) {
                self.parts.insert(id, made);
                None
            } else {
                made.into_iter().next().map(|(item, _)| item)
            }
        };
        self.items[id.index()] = item;
        for input in &program[id].inputs {
            self.readers[input.index()] -= 1;
            if self.readers[input.index()] == 0 {
                self.items[input.index()] = None;
                self.parts.remove(input);
            }
        }
        Ok(flags)
    }

    /// The results of a node that is computed, each with its flag where that is wanted.
    fn step(&self, id: ProgramId, wants_flags: bool) -> Result<Vec<(Item, Option<Item>)>> {
        let (program, node) = (self.program, &self.program[id]);
        let mut builder = ProgramBuilder::default();
        let mut leaves: HashMap<ProgramId, Ref> = HashMap::default();
        let (mut given, mut inputs) = (Vec::new(), Vec::new());
        for input in &node.inputs {
            let known = leaves.get(input).copied();
            inputs.push(known.unwrap_or_else(|| {
                let item = self.items[input.index()].clone().expect("inputs come first");
                let x = leaf(&mut builder, &item, &program[*input]);
                given.push(item);
                leaves.insert(*input, x);
                x
            }));
        }
        let build: &mut dyn Build = &mut builder;
        let results = if region::is_region(&node.op) {
            build.region(node.clone().op, &inputs)?
        } else {
            vec![build.op(node.clone().op, &inputs)?]
        };
        let mut outputs = results.clone();
        let is_flagged = |build: &dyn Build, x: Ref| {
            wants_flags && build.dtype(x) == DType::F32 && build.shape(x).size() > 0
        };
        let flagged: Vec<bool> = results.iter().map(|&x| is_flagged(build, x)).collect();
        for (&x, _) in results.iter().zip(&flagged).filter(|(_, flagged)| **flagged) {
            outputs.push(flag(build, x)?);
        }
        let mut made = self.device.evaluate(builder.finish(&outputs, &[]), &given)?;
        let mut flags = made.split_off(results.len()).into_iter();
        let own = |flagged: bool| if flagged { flags.next() } else { None };
        let flags: Vec<Option<Item>> = flagged.into_iter().map(own).collect();
        Ok(made.into_iter().zip(flags).collect())
    }
}
