//! Programs within programs: what a loop and a branch hold, and how their inputs and results are
//! numbered.
//!
//! A region is one node. The programs it holds see nothing but their leaves, each of which stands
//! for an input of the node: an `Op::Buffer` for any tensor, an `Op::Scalar` for an input that is a
//! scalar leaf itself, so that a moving slice stays a moving slice inside. A region has several
//! results and no value; [`Op::Part`] nodes read its results.

use super::{KernelCall, Op};
use crate::dtype::DType;
use crate::error::{Error, ErrorKind, Result};
use crate::program::{ProgramId, ProgramNode, TensorProgram};
use crate::shape::Shape;
use std::ops::Range;

/// A program that is run again and again.
///
/// Inputs of the node: the carried tensors, the sliced ones, then whatever else the programs read.
/// The leaves of the body are the index (an i32 scalar), the carried tensors as the iteration
/// before left them, one slice of each sliced tensor, and the rest; its outputs the carried
/// tensors' next values, then what is stacked. Results: the carried tensors at the end, then each
/// stack with `iterations` in front.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Loop {
    /// What one iteration computes.
    pub body: TensorProgram,
    /// From the leaves of the body to one 0-d bool: whether there is a next iteration. Then nothing
    /// is sliced and nothing stacked.
    pub condition: Option<TensorProgram>,
    /// How often the body runs; with a condition at most. `None`: as long as the condition holds.
    pub iterations: Option<usize>,
    /// How many tensors are carried from iteration to iteration.
    pub carried: usize,
    /// How many tensors are sliced along their first axis, of extent `iterations`.
    pub sliced: usize,
    /// Whether the index runs from the last to the first.
    pub reverse: bool,
}

impl Loop {
    /// The shape and dtype of each result.
    pub fn results(&self) -> Vec<(Shape, DType)> {
        (0..self.body.outputs.len()).filter_map(|index| self.result(index)).collect()
    }

    /// The leaves of the body.
    pub fn leaves(&self) -> LoopLeaves {
        self.leaves_of(&self.body)
    }

    /// The leaves of the body or of the condition.
    pub fn leaves_of(&self, program: &TensorProgram) -> LoopLeaves {
        let mut leaves = program.leaves();
        let index = leaves.next().expect("a loop's programs have an index");
        let carried = leaves.by_ref().take(self.carried).collect();
        let sliced = leaves.by_ref().take(self.sliced).collect();
        LoopLeaves { index, carried, sliced, captured: leaves.collect() }
    }

    /// The positions of the leaves among all of a program, and of the inputs, which lack the index,
    /// plus one.
    pub fn positions(&self) -> LoopPositions {
        let [carried, sliced, captured] = [0, self.carried, self.carried + self.sliced].map(|n| n + 1);
        let end = self.body.leaves().count().max(captured);
        LoopPositions { carried: carried..sliced, sliced: sliced..captured, captured: captured..end }
    }

    /// The shape and dtype of a result, if there is one of that number.
    pub fn result(&self, index: usize) -> Option<(Shape, DType)> {
        let (shape, dtype) = output(&self.body, index)?;
        let iterations = self.iterations.unwrap_or(0);
        Some((if index < self.carried { shape } else { stacked(iterations, &shape) }, dtype))
    }
}

/// The leaves of a loop's body or condition, by what they stand for.
pub struct LoopLeaves {
    /// The number of the iteration.
    pub index: ProgramId,
    /// The carried tensors as the iteration before left them.
    pub carried: Vec<ProgramId>,
    /// A slice of each sliced tensor.
    pub sliced: Vec<ProgramId>,
    /// What else the programs read, the same in every iteration.
    pub captured: Vec<ProgramId>,
}

/// The positions of a loop's leaves, by what they stand for; the index is the first.
pub struct LoopPositions {
    /// Of the carried tensors.
    pub carried: Range<usize>,
    /// Of the slices.
    pub sliced: Range<usize>,
    /// Of what else is read.
    pub captured: Range<usize>,
}

/// A program whose derivatives are not those of its nodes. It is made only while something is being
/// differentiated, or traced to be, and is exchanged for its nodes when a program is compiled.
///
/// Inputs of the node: what the leaves of the program stand for, the arguments first, then what
/// else it reads. Results: its outputs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Custom {
    /// What it computes.
    pub program: TensorProgram,
    /// What its derivatives are.
    pub rule: Rule,
    /// How many of the inputs are arguments.
    pub arguments: usize,
    /// Whether derivatives of derivatives go by the rule again, rather than through the program.
    pub again: bool,
}

/// What stands in place of a program's derivatives. Only floats have any; tangents and cotangents
/// are f32.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// They are the program's, whose values reverse mode computes again instead of keeping them.
    Checkpoint,
    /// From the arguments, a cotangent of each f32 result, and what else is read, to a gradient of
    /// each f32 argument.
    Reverse(TensorProgram),
    /// From the arguments, a tangent of each f32 argument, and what else is read, to a tangent of
    /// each f32 result.
    Forward(TensorProgram),
    /// The program is a batch of this one, of which every member's derivatives are its own; the
    /// flags say which inputs have the members along a first axis, as all results have. Members
    /// that share an input then add up what each of them makes of it.
    Each(TensorProgram, Vec<bool>),
}

/// `shape` with `iterations` in front.
pub fn stacked(iterations: usize, shape: &Shape) -> Shape {
    [&[iterations], &shape[..]].concat().into()
}

/// A region, as the kinds of them. A stage that treats each kind in its own way matches on this, so
/// that the compiler names the stages that a new kind is missing from.
pub enum Region<'a> {
    /// [`Op::Loop`].
    Loop(&'a Loop),
    /// [`Op::Branch`].
    Branch(&'a [TensorProgram]),
    /// [`Op::Custom`].
    Custom(&'a Custom),
    /// [`Op::Kernel`].
    Kernel(&'a KernelCall),
}

/// The region that an operation is: the one place that says which operations are none.
pub fn region(op: &Op) -> Option<Region<'_>> {
    match op {
        Op::Loop(it) => Some(Region::Loop(it)),
        Op::Branch(programs) => Some(Region::Branch(programs)),
        Op::Custom(it) => Some(Region::Custom(it)),
        Op::Kernel(it) => Some(Region::Kernel(it)),
        Op::Buffer(..) | Op::Scalar(_) | Op::Constant(_) | Op::Iota { .. } => None,
        Op::Unary(_) | Op::Binary(_) | Op::Compare(_) | Op::Select | Op::Cast(_) | Op::Bitcast(_) => None,
        Op::Reduce { .. } | Op::Contract(_) | Op::Conv(_) | Op::Scan(_) | Op::ArgSort { .. } => None,
        Op::View(_) | Op::Gather { .. } | Op::Scatter { .. } | Op::Fourier { .. } => None,
        Op::Mark(_) | Op::Detach | Op::Cut | Op::Part { .. } => None,
    }
}

/// The programs a region holds: a user's kernel and anything else none.
pub fn programs(op: &Op) -> Vec<&TensorProgram> {
    match region(op) {
        Some(Region::Loop(it)) => std::iter::once(&it.body).chain(&it.condition).collect(),
        Some(Region::Branch(programs)) => programs.iter().collect(),
        Some(Region::Custom(it)) => vec![&it.program],
        Some(Region::Kernel(_)) | None => Vec::new(),
    }
}

/// How the leaves of a region's programs stand for its inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    /// Leaves that stand for no input.
    pub bound: usize,
    /// The input that the first of the others stands for.
    pub first: usize,
}

/// The programs a region holds, and how their leaves stand for its inputs.
pub fn leaves(op: &Op) -> Vec<(&TensorProgram, Bound)> {
    let of_loop = matches!(op, Op::Loop(_));
    let bound = Bound { bound: usize::from(of_loop), first: usize::from(matches!(op, Op::Branch(_))) };
    programs(op).into_iter().map(|program| (program, bound)).collect()
}

/// The shape and dtype of each result of a region; of anything else none.
pub fn results(op: &Op) -> Vec<(Shape, DType)> {
    match region(op) {
        Some(Region::Loop(it)) => it.results(),
        Some(Region::Branch(programs)) => outputs(&programs[0]),
        Some(Region::Custom(it)) => outputs(&it.program),
        Some(Region::Kernel(it)) => it.results(),
        None => Vec::new(),
    }
}

/// The shape and dtype of one result of a region, if there is one of that number.
fn result(op: &Op, index: usize) -> Option<(Shape, DType)> {
    match region(op)? {
        Region::Loop(it) => it.result(index),
        Region::Branch(programs) => output(&programs[0], index),
        Region::Custom(it) => output(&it.program, index),
        Region::Kernel(it) => it.result(index),
    }
}

fn output(program: &TensorProgram, index: usize) -> Option<(Shape, DType)> {
    let node = &program[*program.outputs.get(index)?];
    Some((node.shape.clone(), node.dtype))
}

fn outputs(program: &TensorProgram) -> Vec<(Shape, DType)> {
    program.outputs.iter().map(|&id| (program[id].shape.clone(), program[id].dtype)).collect()
}

/// Whether `op` is a region, which has parts and no value.
pub fn is_region(op: &Op) -> bool {
    region(op).is_some()
}

/// Whether `op`, or a program within, is an [`Op::Custom`] or an [`Op::Conv`], or has values of a
/// packed dtype, which programs that are compiled do not hold.
pub fn is_exchanged(op: &Op) -> bool {
    let exchanged = |node: &ProgramNode| node.dtype.is_packed() || is_exchanged(&node.op);
    let within = |program: &&TensorProgram| program.nodes.iter().any(exchanged);
    matches!(op, Op::Custom(_) | Op::Conv(_)) || programs(op).iter().any(within)
}

/// What a region itself yields: nothing that could be stored.
pub(super) fn no_value() -> (Shape, DType) {
    ([0].into(), DType::Bool)
}

fn ill_formed(name: &str, what: impl Into<String>) -> Error {
    Error::new(ErrorKind::Internal, name, what)
}

/// Checks that a program's leaves are these, and what it returns.
fn check_program(
    name: &str,
    program: &TensorProgram,
    leaves: &[(Shape, DType)],
    outputs: &[(Shape, DType)],
) -> Result<()> {
    let of = |node: &ProgramNode| (node.shape.clone(), node.dtype);
    if !program.leaves().map(|id| of(&program[id])).eq(leaves.iter().cloned()) {
        return Err(ill_formed(name, format!("the leaves are not what is given: {leaves:?}\n{program}")));
    }
    if !program.outputs.iter().map(|&id| of(&program[id])).eq(outputs.iter().cloned()) {
        return Err(ill_formed(name, format!("the results are not {outputs:?}\n{program}")));
    }
    Ok(())
}

/// When a loop is well formed.
pub(super) fn infer_loop(it: &Loop, inputs: &[(&Shape, DType)]) -> Result<(Shape, DType)> {
    let name = "loop";
    let given = |(shape, dtype): &(&Shape, DType)| ((*shape).clone(), *dtype);
    let (carried, rest) =
        inputs.split_at_checked(it.carried).ok_or_else(|| ill_formed(name, "too few inputs"))?;
    let (sliced, rest) =
        rest.split_at_checked(it.sliced).ok_or_else(|| ill_formed(name, "too few inputs"))?;
    let mut leaves = vec![(Shape::scalar(), DType::I32)];
    leaves.extend(carried.iter().map(given));
    for (shape, dtype) in sliced {
        if shape.first().copied() != it.iterations {
            return Err(Error::shape(name, format!("{shape} is not sliced in {:?}", it.iterations)));
        }
        leaves.push((shape[1..].to_vec().into(), *dtype));
    }
    leaves.extend(rest.iter().map(given));
    let outputs: Vec<_> =
        it.body.outputs.iter().map(|&id| (it.body[id].shape.clone(), it.body[id].dtype)).collect();
    if outputs.len() < it.carried || !outputs.iter().take(it.carried).eq(&leaves[1..=it.carried]) {
        return Err(ill_formed(name, "what is carried changes its shape or dtype"));
    }
    check_program(name, &it.body, &leaves, &outputs)?;
    match &it.condition {
        Some(condition) if it.sliced == 0 && outputs.len() == it.carried => {
            check_program(name, condition, &leaves, &[(Shape::scalar(), DType::Bool)])?;
        }
        None if it.iterations.is_some() => {}
        _ => return Err(ill_formed(name, "a condition and stacks, or neither a condition nor an end")),
    }
    if it.iterations.is_some_and(|iterations| iterations > i32::MAX as usize) {
        return Err(Error::value(name, "more iterations than an i32 counts"));
    }
    for (shape, _) in it.results() {
        Shape::checked(name, &shape)?;
    }
    Ok(no_value())
}

/// When a branch is well formed.
pub(super) fn infer_branch(programs: &[TensorProgram], inputs: &[(&Shape, DType)]) -> Result<(Shape, DType)> {
    let name = "branch";
    let (Some((selector, rest)), Some(first)) = (inputs.split_first(), programs.first()) else {
        return Err(ill_formed(name, "there is nothing to choose from"));
    };
    if selector.0.rank() != 0 || selector.1 != DType::I32 {
        return Err(Error::dtype(
            name,
            format!("the selector must be a 0-d i32, got {}{}", selector.1, selector.0),
        ));
    }
    let leaves: Vec<_> = rest.iter().map(|(shape, dtype)| ((*shape).clone(), *dtype)).collect();
    let outputs: Vec<_> =
        first.outputs.iter().map(|&id| (first[id].shape.clone(), first[id].dtype)).collect();
    for program in programs {
        check_program(name, program, &leaves, &outputs)?;
    }
    Ok(no_value())
}

/// When a program with derivatives of its own is well formed.
pub(super) fn infer_custom(it: &Custom, inputs: &[(&Shape, DType)]) -> Result<(Shape, DType)> {
    let leaves: Vec<_> = inputs.iter().map(|(shape, dtype)| ((*shape).clone(), *dtype)).collect();
    check_program("custom", &it.program, &leaves, &outputs(&it.program))?;
    let floats = |all: &[(Shape, DType)]| -> Vec<(Shape, DType)> {
        let floats = all.iter().filter(|(_, dtype)| dtype.is_float());
        floats.map(|(shape, dtype)| (shape.clone(), dtype.computed())).collect()
    };
    let (arguments, rest) =
        leaves.split_at_checked(it.arguments).ok_or_else(|| ill_formed("custom", "too few inputs"))?;
    let (of_arguments, of_results) = (floats(arguments), floats(&outputs(&it.program)));
    let (rule, seeds, derived) = match &it.rule {
        Rule::Checkpoint => return Ok(no_value()),
        Rule::Reverse(rule) => (rule, of_results, of_arguments),
        Rule::Forward(rule) => (rule, of_arguments, of_results),
        Rule::Each(one, flags) => {
            let member = |((shape, dtype), batched): ((Shape, DType), bool)| {
                (if batched { shape[1..].to_vec().into() } else { shape }, dtype)
            };
            let leaves: Vec<_> = leaves.into_iter().zip(flags.iter().copied()).map(member).collect();
            let results: Vec<_> =
                outputs(&it.program).into_iter().map(|result| member((result, true))).collect();
            check_program("custom", one, &leaves, &results)?;
            return Ok(no_value());
        }
    };
    check_program("custom", rule, &[arguments, &seeds, rest].concat(), &derived)?;
    Ok(no_value())
}

/// Checks a part against the region it is a part of.
pub fn check_part(region: &Op, index: usize, shape: &Shape, dtype: DType) -> Result<()> {
    match result(region, index) {
        Some(result) if result == (shape.clone(), dtype) => Ok(()),
        other => Err(ill_formed("part", format!("is {dtype}{shape}, result {index} is {other:?}"))),
    }
}
