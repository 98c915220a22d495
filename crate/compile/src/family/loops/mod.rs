//! Loops inside one kernel: where each element of the state depends on just that element and on
//! tensors from outside, an invocation takes one element through all iterations in registers. What
//! the loop starts from and reads is fused in as everywhere.
//!
//! A body that does not ask for the index and leaves an element's state as it was will leave it so
//! in every later iteration: the invocation is done with it.

pub(crate) mod recognise;

use super::choice::parameters;
use super::launch::{close_guard, each_invocation, grid};
use super::{Anchored, Candidates, Family, Lowered, Lowering, Parameters, Problem};
use crate::limits::Limits;
use crate::lower::eval::{Binding, Evaluator, UniformSource};
use std::rc::Rc;
use weft_ir::kernel::{BinaryOp, Expr, ExprId, Stmt};
use weft_ir::op::{Loop, Op};
use weft_ir::program::{ProgramId, ProgramNode, TensorProgram};
use weft_ir::{DType, HashMap, HashSet, Literal, Shape, order};

/// Invocations of a workgroup: few, since those that are done wait for the others. No race says
/// better, for how long they take is up to the data.
const WORKGROUP: u32 = 64;

/// The family.
pub struct Iterations;

parameters! {
    /// How invocations are dispatched.
    Workgroup {
        /// Invocations of a workgroup.
        workgroup: u32,
    }
}

/// A loop inside one kernel, written as one program: what of the program around it an invocation
/// computes or loads, and behind that the body's nodes, its leaves what they stand for.
///
/// Deferred: few programs have loops or branches.
struct KernelLoop {
    it: Rc<Loop>,
    shape: Shape,
    program: TensorProgram,
    /// For each of the first nodes, what it is in the program around; and whether it is loaded.
    around: Vec<(ProgramId, bool)>,
    reads: Vec<u32>,
    /// The inputs of the loop.
    inputs: Vec<ProgramId>,
    /// The index, and the states as the iteration before left them.
    state: Vec<ProgramId>,
    /// What the states become.
    next: Vec<ProgramId>,
    /// For each state, the node that is stored of it at the end.
    parts: Vec<Option<ProgramId>>,
}

impl Family for Iterations {
    fn name(&self) -> &'static str {
        "iterations"
    }

    fn numbers(&self) -> &'static [&'static str] {
        Workgroup::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        let id = problem.cluster().domain.region(problem.program)?;
        let Op::Loop(it) = &problem.program[id].op else { return None };
        let shape = recognise::loop_shape(it, problem.limits)?;
        Some(Box::new(KernelLoop::of(problem, id, it, shape)))
    }

    fn loop_inside(&self, it: &Loop, limits: &Limits) -> Option<Shape> {
        recognise::loop_shape(it, limits)
    }
}

impl Lowering for KernelLoop {
    type Candidate = Workgroup;

    fn candidates(&self, _: &Problem<'_>) -> Candidates<Workgroup> {
        Candidates::one(Workgroup { workgroup: WORKGROUP })
    }

    fn is_fallback(&self, _: Workgroup) -> bool {
        true
    }

    fn cost(&self, problem: &Problem<'_>, _: Workgroup) -> f64 {
        let times = self.it.iterations.unwrap_or(1) * self.it.body.nodes.len();
        problem.model().loop_node * times as f64 * self.shape.size() as f64
    }

    fn lower(&self, problem: &Problem<'_>, Workgroup { workgroup }: Workgroup) -> Lowered {
        let (nothing, around) = (HashMap::default(), &self.around);
        let loaded = |id: ProgramId| around.get(id.index()).is_some_and(|&(_, loaded)| loaded);
        let eval = Evaluator::new(&self.program, &loaded, &self.reads, &nothing);
        let mut stage =
            problem.stage_of("loop", workgroup, eval, |eval| self.write(eval, problem, workgroup));
        for binding in &mut stage.bindings {
            if let Binding::Node(id) = binding {
                *id = around[id.index()].0;
            }
        }
        for given in &mut stage.uniforms {
            if let UniformSource::Scalar(id) = given {
                *id = around[id.index()].0;
            }
        }
        Lowered { stages: vec![stage], partials: Vec::new() }
    }
}

impl KernelLoop {
    /// A function of its own, for few programs need it.
    #[inline(never)]
    fn of(problem: &Problem<'_>, id: ProgramId, it: &Rc<Loop>, shape: Shape) -> KernelLoop {
        let (outer, clusters) = (problem.program, problem.clusters);
        let own_parts = clusters.clusters[problem.own].parts(outer, it.body.outputs.len());
        let is_loaded = |id| own_parts.contains(&Some(id)) || clusters.is_loaded(outer, problem.own, id);
        let (mut found, mut seen) = (Vec::new(), HashSet::default());
        let mut open = outer[id].inputs.clone();
        open.extend(own_parts.iter().flatten());
        while let Some(next) = open.pop() {
            if seen.insert(next) {
                found.push((next, is_loaded(next)));
                if !is_loaded(next) {
                    open.extend(&outer[next].inputs);
                }
            }
        }
        order::sort_by_key(&mut found, |(id, _)| u64::from(id.0));
        let around = found;
        let mut numbers: HashMap<ProgramId, ProgramId> = HashMap::default();
        let mut program = TensorProgram::default();
        let mut reads = Vec::new();
        for &(id, loaded) in &around {
            let ProgramNode { op, inputs, shape, dtype, site } = &outer[id];
            let (op, inputs) = match loaded {
                true => (Op::Buffer(shape.clone(), *dtype), Vec::new()),
                false => (op.clone(), inputs.iter().map(|input| numbers[input]).collect()),
            };
            numbers.insert(id, ProgramId(program.nodes.len() as u32));
            program.nodes.push(ProgramNode { op, inputs, shape: shape.clone(), dtype: *dtype, site: *site });
            reads.push(clusters.reads[id.index()]);
        }
        let inputs: Vec<ProgramId> = outer[id].inputs.iter().map(|input| numbers[input]).collect();
        let parts = own_parts.iter().map(|part| part.map(|part| numbers[&part])).collect();
        let mut within: Vec<ProgramId> = Vec::with_capacity(it.body.nodes.len());
        let (mut leaf, mut state) = (0, Vec::new());
        for node in &it.body.nodes {
            let mut node = node.clone();
            if matches!(node.op, Op::Buffer(..) | Op::Scalar(_)) {
                leaf += 1;
                if leaf > it.carried + 1 {
                    within.push(inputs[leaf - 2]);
                    continue;
                }
                state.push(ProgramId(program.nodes.len() as u32));
            }
            node.inputs.iter_mut().for_each(|input| *input = within[input.index()]);
            within.push(ProgramId(program.nodes.len() as u32));
            program.nodes.push(node);
        }
        reads.resize(program.nodes.len(), 0);
        let behind = &program.nodes[around.len()..];
        behind.iter().flat_map(|node| &node.inputs).for_each(|input| reads[input.index()] += 1);
        let next = it.body.outputs.iter().map(|output| within[output.index()]).collect();
        KernelLoop { it: Rc::clone(it), shape, program, around, reads, inputs, state, next, parts }
    }

    fn write(&self, eval: &mut Evaluator<'_>, problem: &Problem<'_>, workgroup: u32) -> [u32; 3] {
        let KernelLoop { it, shape, state, .. } = self;
        let uses_index = self.reads[state[0].index()] > 0;
        let grid = grid(shape.size().div_ceil(workgroup as usize), problem.limits);
        let (i, guard) = each_invocation(eval, "i", shape.size(), workgroup, grid);
        let at = eval.b.unravel(i, shape);
        let first: Vec<ExprId> =
            self.inputs[..it.carried].iter().map(|&input| eval.value(input, &at)).collect();
        // What does not change is had before.
        for &input in &self.inputs[it.carried..] {
            if self.program[input].shape == *shape {
                let value = eval.value(input, &at);
                let value = eval.b.bind("fixed", value);
                eval.define(input, &at, value);
            }
        }
        let variables: Vec<_> = first.iter().map(|&value| eval.b.var("state", value)).collect();
        let iterations = it.iterations.unwrap_or(1);
        eval.each("iteration", iterations, |eval, iteration| {
            let index = if it.reverse {
                let last = eval.b.index_const(iterations as i64 - 1);
                eval.b.index_sub(last, iteration)
            } else {
                iteration
            };
            eval.define(state[0], &[], index);
            for (&leaf, &variable) in state[1..].iter().zip(&variables) {
                let now = eval.b.read(variable);
                eval.define(leaf, &at, now);
            }
            let mut same = None;
            let mut next = Vec::with_capacity(variables.len());
            for (&output, &variable) in self.next.iter().zip(&variables) {
                let value = eval.value(output, &at);
                let value = eval.b.bind_anew("next", value);
                next.push(value);
                if !uses_index {
                    let now = eval.b.read(variable);
                    let (a, b) = (bits(eval, now), bits(eval, value));
                    let equal = eval.b.binary(BinaryOp::Eq, a, b);
                    same = Some(same.map_or(equal, |same| eval.b.both(same, equal)));
                }
            }
            // Compared before it is changed.
            let same = same.map(|same| eval.b.bind_anew("same", same));
            for (&variable, value) in variables.iter().zip(next) {
                eval.b.push(Stmt::Assign(variable, value));
            }
            if let Some(same) = same {
                eval.b.push(Stmt::If(same, vec![Stmt::Break], Vec::new()));
            }
        });
        let flat = eval.b.ravel(&at, shape);
        for (part, &variable) in self.parts.iter().zip(&variables) {
            if let Some(part) = *part {
                let value = eval.b.read(variable);
                eval.store(part, flat, value);
            }
        }
        close_guard(eval, guard);
        grid
    }
}

/// The bits of a value, in which NaN equals itself.
fn bits(eval: &mut Evaluator<'_>, value: ExprId) -> ExprId {
    match eval.b.type_of(value).scalar {
        DType::F32 => eval.b.expr(Expr::Bitcast(DType::U32, value)),
        DType::Bool => {
            let (one, zero) = (eval.b.literal(Literal::U32(1)), eval.b.literal(Literal::U32(0)));
            eval.b.select(value, one, zero)
        }
        _ => value,
    }
}
