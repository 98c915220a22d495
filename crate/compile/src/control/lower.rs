//! Regions as the stages after this know them. Slices become part of a loop's body. Branches that
//! are cheap become selections, and conditions of loops that then run inside one kernel part of the
//! body; others are left to the device ([`crate::plan::gate`]), or it is asked for them
//! ([`super::polled`]).

use super::polled;
use super::polled::is_unlimited;
use crate::device::ControlModel;
use crate::family::loop_inside;
use crate::limits::Limits;
use crate::simplify::simplify;
use std::rc::Rc;
use weft_ir::build::{Build, ProgramBuilder, Ref};
use weft_ir::op::infer::infer;
use weft_ir::op::region::{self, stacked};
use weft_ir::op::{Class, Coefficient, Compare, Loop, Op, View, facts};
use weft_ir::program::{ProgramId, ProgramNode, TensorProgram};
use weft_ir::{DType, Error, ErrorKind, HashMap, HashSet, Literal, Result, Shape};

/// `program` without slices and cheap branches, and with loops of a known number of iterations at
/// most within those without. What regions read from buffers is no number, constant or position.
pub fn lower(program: &TensorProgram, limits: &Limits) -> Result<TensorProgram> {
    if !program.nodes.iter().any(|node| region::is_region(&node.op)) {
        return Ok(program.clone());
    }
    let mut to = Inliner::new(limits);
    let leaves: Vec<ProgramId> = Vec::new();
    let outputs = to.inline(program, leaves.into_iter(), false)?;
    to.finish(outputs)
}

/// A program being made of others.
///
/// Deferred: few programs have loops or branches.
struct Inliner<'a> {
    limits: &'a Limits,
    program: TensorProgram,
    /// What results of regions have come to, if no part of a region: for a branch what is taken,
    /// for a loop what it carries through all iterations as it was.
    results: HashMap<ProgramId, Vec<Option<ProgramId>>>,
    /// That of the node at hand.
    site: u32,
}

impl<'a> Inliner<'a> {
    fn new(limits: &'a Limits) -> Inliner<'a> {
        Inliner { limits, program: TensorProgram::default(), results: HashMap::default(), site: 0 }
    }

    /// The program of `outputs`, each a node of its own.
    fn finish(mut self, mut outputs: Vec<ProgramId>) -> Result<TensorProgram> {
        let mut taken = HashSet::default();
        for output in &mut outputs {
            if !taken.insert(*output) {
                *output = self.add(Op::Cut, &[*output])?;
            }
        }
        Ok(TensorProgram { outputs, ..self.program })
    }

    fn add(&mut self, op: Op, inputs: &[ProgramId]) -> Result<ProgramId> {
        let nodes = &self.program.nodes;
        let facts: Vec<_> =
            inputs.iter().map(|i| (&nodes[i.index()].shape, nodes[i.index()].dtype)).collect();
        let (shape, dtype) = infer(&op, &facts)?;
        self.program.nodes.push(ProgramNode { op, inputs: inputs.to_vec(), shape, dtype, site: self.site });
        Ok(ProgramId(self.program.nodes.len() as u32 - 1))
    }

    fn shape(&self, id: ProgramId) -> Shape {
        self.program[id].shape.clone()
    }

    /// Repeats a 0-d node.
    fn repeat(&mut self, id: ProgramId, shape: &Shape) -> Result<ProgramId> {
        let ones = self.add(Op::View(View::Reshape(vec![1; shape.rank()].into())), &[id])?;
        self.add(Op::View(View::Expand(shape.clone())), &[ones])
    }

    fn select(&mut self, condition: ProgramId, a: ProgramId, b: ProgramId) -> Result<ProgramId> {
        let condition = self.repeat(condition, &self.shape(a))?;
        self.add(Op::Select, &[condition, a, b])
    }

    /// Adds the nodes of `from`, its leaves exchanged for `leaves` where they are `given`; yields
    /// its outputs.
    fn inline(
        &mut self,
        from: &TensorProgram,
        mut leaves: impl Iterator<Item = ProgramId>,
        given: bool,
    ) -> Result<Vec<ProgramId>> {
        let mut numbers: Vec<ProgramId> = Vec::with_capacity(from.nodes.len());
        let from = &merged(from)?;
        for node in &from.nodes {
            self.site = node.site;
            let mut inputs: Vec<ProgramId> = node.inputs.iter().map(|i| numbers[i.index()]).collect();
            let number = match &node.op {
                Op::Buffer(..) | Op::Scalar(_) if given => leaves.next().expect("each leaf is given"),
                Op::Detach => inputs[0],
                Op::Branch(programs) if self.is_apart(programs, inputs[0]) => {
                    let all = programs.iter().map(|program| lower_program(program, self.limits));
                    let op = Op::Branch(all.collect::<Result<Vec<_>>>()?.into());
                    let stored = self.stored(&op, inputs)?;
                    self.add(op, &stored)?
                }
                Op::Branch(programs) => {
                    let chosen = self.choose(programs, &inputs)?;
                    self.stand_for(chosen)?
                }
                Op::Part { index, .. } => {
                    match self.results.get(&inputs[0]).and_then(|results| results.get(*index).copied()?) {
                        Some(result) => result,
                        None => self.add(node.op.clone(), &inputs)?,
                    }
                }
                Op::Loop(it) if it.iterations.is_none() => {
                    let counted = polled::with_counter(it)?;
                    if counted.is_some() {
                        let zero = self.add(Op::Constant(Literal::I32(0)), &[])?;
                        inputs.insert(it.carried, zero);
                    }
                    let it = polled::poll_unlimited(counted.as_ref().unwrap_or(it), self.limits)?;
                    self.add_loop(it, inputs)?
                }
                Op::Loop(it) => match polled::poll_distant(it, self.limits)? {
                    Some(asked) => {
                        let results = self.inline(&asked, inputs.into_iter(), true)?;
                        self.stand_for(results)?
                    }
                    None => {
                        let it = lower_loop(it, self.limits)?;
                        self.add_loop(it, inputs)?
                    }
                },
                op => self.add(op.clone(), &inputs)?,
            };
            numbers.push(number);
        }
        Ok(from.outputs.iter().map(|output| numbers[output.index()]).collect())
    }

    /// A node by which parts find what the results of a region have come to. It reads nothing.
    fn stand_for(&mut self, results: Vec<ProgramId>) -> Result<ProgramId> {
        let number = self.add(Op::Constant(Literal::Bool(false)), &[])?;
        self.results.insert(number, results.into_iter().map(Some).collect());
        Ok(number)
    }

    fn add_loop(&mut self, it: Loop, inputs: Vec<ProgramId>) -> Result<ProgramId> {
        let kept = invariant_states(&it);
        let op = Op::Loop(it.into());
        let stored = self.stored(&op, inputs)?;
        let kept = kept.iter().zip(&stored).map(|(&kept, &input)| kept.then_some(input)).collect();
        let number = self.add(op, &stored)?;
        self.results.insert(number, kept);
        Ok(number)
    }

    fn is_buffer(&self, id: ProgramId) -> bool {
        matches!(self.program[id].op, Op::Buffer(..))
    }

    /// The inputs of a region, those that it reads from buffers computed where they are none.
    fn stored(&mut self, op: &Op, mut inputs: Vec<ProgramId>) -> Result<Vec<ProgramId>> {
        let Some(&(body, region::Bound { bound, first })) = region::leaves(op).first() else {
            return Ok(inputs);
        };
        let leaves = body.leaves().skip(bound).map(|leaf| matches!(body[leaf].op, Op::Scalar(_)));
        let is_scalar: Vec<bool> = vec![false; first].into_iter().chain(leaves).collect();
        for (input, is_scalar) in inputs.iter_mut().zip(is_scalar) {
            if !is_scalar && self.program[*input].op.is_leaf() && !self.is_buffer(*input) {
                *input = self.add(Op::Cut, &[*input])?;
            }
        }
        Ok(inputs)
    }

    /// Whether a branch is worth a gate: what it saves, if each program is chosen as often, is
    /// more than what it costs, and no dispatch of it has to be cut into pieces. A loop without a
    /// limit in it must not be run at all where it is not chosen.
    fn is_apart(&self, programs: &[TensorProgram], selector: ProgramId) -> bool {
        if programs.iter().any(is_unlimited) {
            return true;
        }
        let model = &self.limits.model.control;
        let all: Vec<Work> = programs.iter().map(|program| Work::of(program, model)).collect();
        let sum: f64 = all.iter().map(|work| work.all).sum();
        let longest = all.iter().map(|work| work.longest).fold(0.0, f64::max);
        let dispatches: f64 = all.iter().map(|work| work.dispatches).sum();
        let is_known = matches!(self.program[selector].op, Op::Constant(_));
        !is_known
            && sum - sum / all.len() as f64 >= self.limits.least_spared as f64 * dispatches
            && longest < self.limits.long_dispatch as f64
    }

    /// The results of the branch that the first of `inputs` names: all are computed.
    fn choose(&mut self, programs: &[TensorProgram], inputs: &[ProgramId]) -> Result<Vec<ProgramId>> {
        let (selector, rest) = (inputs[0], &inputs[1..]);
        let lists = programs.iter().map(|program| self.inline(program, rest.iter().copied(), true));
        let mut lists = lists.collect::<Result<Vec<_>>>()?;
        // Copies that made results of their own of them: what is selected is one.
        for result in lists.iter_mut().flatten() {
            *result = uncut(&self.program, *result);
        }
        let mut chosen = lists.pop().expect("there is a branch");
        if let ([list], Some(is_last)) = (&lists[..], self.truth(selector)) {
            for (result, &own) in chosen.iter_mut().zip(list) {
                *result = self.select(is_last, *result, own)?;
            }
            return Ok(chosen);
        }
        for (number, list) in lists.into_iter().enumerate().rev() {
            let number = self.add(Op::Constant(Literal::I32(number as i32)), &[])?;
            let is_this = self.add(Op::Compare(Compare::Le), &[selector, number])?;
            for (result, own) in chosen.iter_mut().zip(list) {
                *result = self.select(is_this, own, *result)?;
            }
        }
        Ok(chosen)
    }

    /// The bool that a number, 0 or 1, was made of.
    fn truth(&self, selector: ProgramId) -> Option<ProgramId> {
        let node = &self.program[selector];
        let from = *node.inputs.first()?;
        (matches!(node.op, Op::Cast(_)) && self.program[from].dtype == DType::Bool).then_some(from)
    }
}

/// What a program amounts to, in operations.
struct Work {
    all: f64,
    /// Of the largest node.
    longest: f64,
    /// Dispatches, about: one, and one for each node that takes its own.
    dispatches: f64,
}

impl Work {
    fn of(program: &TensorProgram, model: &ControlModel) -> Work {
        let mut work = Work { all: 0.0, longest: 0.0, dispatches: 1.0 };
        for node in &program.nodes {
            let size = |shape: &Shape| shape.size() as f64;
            let input = || node.inputs.first().map_or(0.0, |&input| size(&program[input].shape));
            let facts = facts(&node.op);
            let inner = region::programs(&node.op).into_iter().map(|program| Work::of(program, model));
            let operations = match (&node.op, facts.class) {
                (Op::Loop(it), _) => {
                    let iterations = it.iterations.unwrap_or(1) as f64;
                    let (all, longest, dispatches) =
                        inner.fold((0.0, 0.0, 0.0), |(all, longest, most), work| {
                            (all + work.all, f64::max(longest, work.longest), f64::max(most, work.dispatches))
                        });
                    work.all += iterations * (all + model.dispatch_operations);
                    // Where nothing takes a dispatch of its own, the loop is likely to be one.
                    work.dispatches += if dispatches > 1.0 { iterations * dispatches } else { 1.0 };
                    longest
                }
                (_, Class::Region) => {
                    let (all, longest, dispatches) =
                        inner.fold((0.0, 0.0, 0.0), |(all, longest, sum), work| {
                            (f64::max(all, work.all), f64::max(longest, work.longest), sum + work.dispatches)
                        });
                    work.all += all;
                    work.dispatches += dispatches;
                    longest
                }
                (Op::Contract(axes), _) => {
                    let shape = &program[node.inputs[0]].shape;
                    let along: usize = axes.contract.iter().map(|pair| shape[pair.0]).product();
                    size(&node.shape) * along as f64
                }
                (_, Class::Scatter) => size(&node.shape) * size(&program[node.inputs[1]].shape),
                (_, Class::Reduction) => input() * facts.cost as f64,
                _ => size(&node.shape) * facts.cost as f64,
            };
            if facts.class != Class::Region {
                work.all += operations;
            }
            if matches!(facts.class, Class::Contraction | Class::Scatter | Class::Reduction | Class::Line) {
                work.dispatches += 1.0;
            }
            work.longest = work.longest.max(operations);
        }
        work
    }
}

/// The program with loops exchanged for such as yield the same and more where there are any: a
/// gradient asks for the states of a loop that was run for its result. The two are then equal, and
/// will be made one.
fn merged(from: &TensorProgram) -> Result<TensorProgram> {
    let mut program = from.clone();
    // A loop that yields its states has no condition, but stands still.
    let loops = from.ids().filter_map(|id| match &from[id].op {
        Op::Loop(it) if it.iterations.is_some() => Some(masked_loop(it).map(|it| (id, Rc::new(it)))),
        _ => None,
    });
    let loops: Vec<(ProgramId, Rc<Loop>)> = loops.collect::<Result<_>>()?;
    let mut alike: HashMap<&[ProgramId], Vec<&(ProgramId, Rc<Loop>)>> = HashMap::default();
    for one in &loops {
        alike.entry(&from[one.0].inputs).or_default().push(one);
    }
    for (id, it) in &loops {
        let yields_more = |(_, more): &&&(ProgramId, Rc<Loop>)| {
            more.body.outputs.len() > it.body.outputs.len()
                && (more.iterations, more.reverse) == (it.iterations, it.reverse)
                && (more.carried, more.sliced) == (it.carried, it.sliced)
                && more.body.outputs.starts_with(&it.body.outputs)
                && more.body.nodes.starts_with(&it.body.nodes)
        };
        let most = alike[&from[*id].inputs[..]]
            .iter()
            .filter(yields_more)
            .max_by_key(|(_, more)| more.body.outputs.len());
        if let Some((_, more)) = most {
            program.nodes[id.index()].op = Op::Loop(Rc::clone(more));
        }
    }
    Ok(program)
}

/// Which of its states a loop carries through all iterations as they were.
fn invariant_states(it: &Loop) -> Vec<bool> {
    let body = &it.body;
    let carried = it.leaves().carried;
    carried.iter().zip(&body.outputs).map(|(&leaf, &output)| uncut(body, output) == leaf).collect()
}

/// What a copy, made so that each result is a node of its own, is a copy of; any other node is
/// itself.
///
/// Deferred: few programs have loops or branches.
fn uncut(program: &TensorProgram, id: ProgramId) -> ProgramId {
    if program[id].op == Op::Cut { program[id].inputs[0] } else { id }
}

/// The body with outputs that a caller may store anywhere: the body computes each of them, and
/// nothing else reads it. An output for which `stays` holds is left alone if it is the leaf that
/// the next iteration gets.
pub fn with_own_outputs(
    mut body: TensorProgram,
    carried: usize,
    stays: impl Fn(usize) -> bool,
) -> TensorProgram {
    let leaves: Vec<ProgramId> = body.leaves().collect();
    let cuts: Vec<ProgramId> = body.ids().filter(|&id| body[id].op == Op::Cut).collect();
    for n in 0..body.outputs.len() {
        let output = body.outputs[n];
        let node = &body[output];
        let is_given = node.op.is_leaf() || matches!(node.op, Op::Part { .. });
        if n < carried && stays(n) && leaves.get(n + 1) == Some(&uncut(&body, output)) {
            body.outputs[n] = uncut(&body, output);
        } else if n >= carried || is_given {
            // A cut that something in the body reads would be the same node.
            let known = cuts.iter().copied().find(|&id| body[id].inputs == [output]);
            let cut = ProgramNode {
                op: Op::Cut,
                inputs: vec![known.unwrap_or(output)],
                shape: node.shape.clone(),
                dtype: node.dtype,
                site: node.site,
            };
            body.nodes.push(cut);
            body.outputs[n] = ProgramId(body.nodes.len() as u32 - 1);
        }
    }
    body
}

/// A program whose leaves are put in an order of their own.
#[derive(Default)]
pub struct BodyBuilder {
    /// What it is written with.
    pub builder: ProgramBuilder,
}

impl BodyBuilder {
    /// A leaf like a node of `program`.
    pub fn like(&mut self, program: &TensorProgram, id: ProgramId) -> Ref {
        let node = &program[id];
        let op = match node.op {
            Op::Scalar(dtype) => Op::Scalar(dtype),
            _ => Op::Buffer(node.shape.clone(), node.dtype),
        };
        Ref(self.builder.push(op, Vec::new(), node.shape.clone(), node.dtype).0)
    }

    /// Leaves like nodes of `program`.
    pub fn all_like(
        &mut self,
        program: &TensorProgram,
        ids: impl IntoIterator<Item = ProgramId>,
    ) -> Vec<Ref> {
        ids.into_iter().map(|id| self.like(program, id)).collect()
    }

    /// Leaves for derivatives by nodes of `program`, or of them, which are of the dtype that
    /// those are computed in.
    pub fn derivatives_like(
        &mut self,
        program: &TensorProgram,
        ids: impl IntoIterator<Item = ProgramId>,
    ) -> Vec<Ref> {
        let leaf = |id: ProgramId| {
            let (shape, dtype) = (program[id].shape.clone(), program[id].dtype.computed());
            Ref(self.builder.push(Op::Buffer(shape.clone(), dtype), Vec::new(), shape, dtype).0)
        };
        ids.into_iter().map(leaf).collect()
    }

    /// The outputs of `program`, with `given` for its leaves.
    pub fn run(&mut self, program: &TensorProgram, given: &[Ref]) -> Vec<Ref> {
        let mut given = given.iter();
        let numbers = self.builder.append(program, |_, _| given.next().copied());
        program.outputs.iter().map(|output| numbers[output.index()]).collect()
    }
}

/// A loop of a fixed number of iterations, which stands still when its condition does not hold any
/// more.
///
/// Errors with `Trace` for a loop without a limit: it is asked of loops whose states are kept.
pub fn masked_loop(it: &Loop) -> Result<Loop> {
    if it.iterations.is_none() {
        let what = "whileLoop needs a limit here, because the state of every iteration is stored";
        return Err(Error::new(ErrorKind::Trace, "grad", what));
    }
    let Some(condition) = &it.condition else { return Ok(it.clone()) };
    Ok(Loop { body: masked_body(&it.body, condition)?, condition: None, ..it.clone() })
}

/// The body of a loop that leaves the state as it was where the condition fails. That is a branch
/// and no selection between values: the derivatives of a branch are those of what is taken, while
/// those of a selection pass through both, where 0 · ∞ is NaN.
pub fn masked_body(body: &TensorProgram, condition: &TensorProgram) -> Result<TensorProgram> {
    let leaves = || body.leaves();
    let mut to = BodyBuilder::default();
    let stay = to.all_like(body, leaves());
    let outputs = stay[1..=body.outputs.len()].iter().map(|x| ProgramId(x.0)).collect();
    let stay = to.builder.whole(outputs);
    let mut to = BodyBuilder::default();
    let given = to.all_like(body, leaves());
    let holds = to.run(condition, &given)[0];
    let emit: &mut dyn Build = &mut to.builder;
    let goes_on = emit.cast(holds, DType::I32)?;
    let branch = Op::Branch(Rc::new(vec![stay, body.clone()]));
    let outputs = emit.region(branch, &[&[goes_on], &given[..]].concat())?;
    Ok(to.builder.finish(&outputs, &[]))
}

/// A program of a region, itself lowered.
pub(crate) fn lower_program(program: &TensorProgram, limits: &Limits) -> Result<TensorProgram> {
    let mut to = Inliner::new(limits);
    let mut leaves = Vec::new();
    for leaf in program.leaves() {
        leaves.push(to.add(program[leaf].op.clone(), &[])?);
    }
    let outputs = to.inline(program, leaves.into_iter(), true)?;
    Ok(simplify(&to.finish(outputs)?, limits))
}

/// A loop whose body takes its slices itself. If it runs inside one kernel with all branches
/// selected, it does, and its body is masked once it has ended; else a condition stays where that
/// saves work.
fn lower_loop(it: &Loop, limits: &Limits) -> Result<Loop> {
    if !repeats(&it.body)
        && let Some(inside) = as_one_kernel(it, limits)?
    {
        return Ok(inside);
    }
    match &it.condition {
        Some(condition) if gating_pays_off(it, limits) => {
            let condition = Some(lower_program(condition, limits)?);
            Ok(Loop { condition, ..absorb_slices(&Loop { condition: None, ..it.clone() }, limits)? })
        }
        _ => absorb_slices(&masked_loop(it)?, limits),
    }
}

/// A loop with a limit as it runs inside one kernel, if it does.
pub(crate) fn as_one_kernel(it: &Loop, limits: &Limits) -> Result<Option<Loop>> {
    let selected = Limits { least_spared: u64::MAX, ..limits.clone() };
    let inside = absorb_slices(&masked_loop(it)?, &selected)?;
    Ok(loop_inside(&inside, limits).is_some().then_some(inside))
}

/// Whether anything in a loop's program reads the index.
pub fn reads_index(program: &TensorProgram) -> bool {
    let index = program.leaves().next();
    program.nodes.iter().flat_map(|node| &node.inputs).chain(&program.outputs).any(|&id| Some(id) == index)
}

/// Whether there is a loop within a program.
pub(crate) fn repeats(program: &TensorProgram) -> bool {
    let is_loop = |op: &Op| matches!(op, Op::Loop(_)) || region::programs(op).into_iter().any(repeats);
    program.nodes.iter().any(|node| is_loop(&node.op))
}

/// Whether an iteration after a loop's end would take longer than the gates of an iteration.
fn gating_pays_off(it: &Loop, limits: &Limits) -> bool {
    let work = Work::of(&it.body, &limits.model.control);
    is_unlimited(&it.body)
        || work.all >= limits.least_spared as f64 * work.dispatches
            && work.longest < limits.long_dispatch as f64
}

/// A loop without a condition whose body takes its slices itself.
pub(crate) fn absorb_slices(it: &Loop, limits: &Limits) -> Result<Loop> {
    let iterations = it.iterations.unwrap_or(0);
    let mut to = Inliner::new(limits);
    let (mut leaves, mut given) = (Vec::new(), Vec::new());
    let mut index = None;
    let sliced = it.positions().sliced;
    for (position, leaf) in it.body.leaves().enumerate() {
        let node = &it.body[leaf];
        let is_sliced = sliced.contains(&position);
        let op = if is_sliced {
            Op::Buffer(stacked(iterations, &node.shape), node.dtype)
        } else {
            node.op.clone()
        };
        let leaf = to.add(op, &[])?;
        index.get_or_insert(leaf);
        leaves.push((leaf, is_sliced.then(|| node.shape.clone())));
    }
    for (leaf, slice) in leaves {
        given.push(match slice {
            Some(slice) => {
                let whole = to.shape(leaf);
                let mut starts = vec![Coefficient::Const(0); whole.rank()];
                starts[0] = Coefficient::Param { input: 1, min: 0, max: iterations as i64 - 1 };
                let lengths = [&[1], &slice[..]].concat();
                let view = View::Slice { starts, steps: vec![1; whole.rank()], lengths };
                let one = to.add(Op::View(view), &[leaf, index.expect("it is the first leaf")])?;
                to.add(Op::View(View::Reshape(slice)), &[one])?
            }
            None => leaf,
        });
    }
    let outputs = to.inline(&it.body, given.iter().copied(), true)?;
    let body = simplify(&to.finish(outputs)?, limits);
    Ok(Loop {
        body,
        condition: None,
        iterations: it.iterations,
        carried: it.carried,
        sliced: 0,
        reverse: it.reverse,
    })
}
