//! Users' kernels: one dispatch for the kernel, and more where outputs must begin with something or
//! where what is stored must not depend on the order of invocations.

mod body;
mod distinct;
mod epilogue;
mod intervals;
mod locals;
mod own;
mod places;
mod registers;
mod roles;
mod shared_loops;
mod stores;
mod subgroups;
mod sums;
mod value;

use super::choice::parameters;
use super::launch::{close_guard, each_invocation, each_workgroup, grid};
use super::{Anchored, Candidates, Family, Lowered, Lowering, Parameters, Problem, Stage};
use crate::device::MapModel;
use crate::lower::elementwise::storage_dtype;
use crate::lower::eval::{Binding, Evaluator};
use crate::lower::fixed_point::Quantum;
use body::{Body, OwnStore};
use distinct::{Distinct, stores_distinct};
use epilogue::Epilogue;
pub(crate) use epilogue::{epilogue_place, follows};
pub(crate) use locals::reads_own_element;
use locals::{
    always_stores, asks_before, is_float_sum, loop_returns, most_stores, named_once, stores_own_elements,
};
use registers::use_registers;
use roles::{Extreme, Role, atomic_op, bits_of, key_of};
use shared_loops::lanes;
use std::rc::Rc;
use weft_ir::kernel::{Expr, ExprId, Space, Stmt};
use weft_ir::op::{KernelCall, Op};
use weft_ir::program::ProgramId;
use weft_ir::user_kernel::{Combine, Initial, OutputId, Reach};
use weft_ir::{DType, Literal, Shape};

/// Invocations of a workgroup of a kernel that works in none.
const WORKGROUP: u32 = 64;
/// Nanoseconds of an invocation, about.
const INVOCATION: f64 = 0.05;
/// Invocations of a workgroup of a large grid.
const LARGE_WORKGROUP: u32 = 256;
/// Invocations that a processor has under way.
const RESIDENT: f64 = 2048.0;
/// Invocations that keep a processor busy where each computes several elements.
const FEWEST: f64 = 256.0;
/// Statements that a loop may be written out as.
const WRITTEN_OUT: usize = 64;

/// The family.
pub struct UserKernels;

parameters! {
    /// How invocations are grouped where the kernel does not say.
    Groups {
        /// Invocations of a workgroup.
        workgroup: u32,
        /// Elements of the grid that an invocation computes.
        together: u32,
        /// Invocations that share the loops of an element.
        lanes: u32,
    }
}

/// A call of a user's kernel in a cluster.
struct Call {
    call: Rc<KernelCall>,
    id: ProgramId,
    /// The tensors, then the numbers.
    inputs: Vec<ProgramId>,
    /// For each output, how it is made.
    outputs: Vec<Made>,
    /// Bytes of each buffer that is needed meanwhile.
    partials: Vec<u64>,
    /// Statements that a loop may be written out as.
    written_out: usize,
    /// What follows elementwise.
    epilogue: Epilogue,
}

/// How an output is made.
#[derive(Clone, Copy, Debug)]
struct Made {
    /// Where it is; `None` where nobody needs it.
    binding: Option<Binding>,
    way: Way,
    /// A buffer that is needed meanwhile.
    scratch: Option<Binding>,
}

/// One of the times that the kernel runs.
struct Run<'r> {
    /// Which, for people.
    what: &'r str,
    /// What becomes of the stores into each output.
    roles: &'r [Role],
    /// What follows in it.
    epilogue: Option<&'r Epilogue>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// Invocations store at their own elements: whether all certainly do, and whether each has one.
    Own {
        all: bool,
        same: bool,
    },
    /// The last that stores into an element counts.
    Last,
    /// Any of those counts: of distinct elements, `all` are stored.
    Any {
        all: bool,
    },
    Atomic(weft_ir::kernel::AtomicOp),
    Ordered(Extreme),
    /// A fixed-point sum of floats.
    Sum(Quantum),
}

impl Family for UserKernels {
    fn name(&self) -> &'static str {
        "user"
    }

    fn numbers(&self) -> &'static [&'static str] {
        Groups::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        let id = problem.cluster().domain.region(problem.program)?;
        let Op::Kernel(call) = &problem.program[id].op else { return None };
        Some(Box::new(Call::of(problem, id, call)))
    }

    fn more_bindings(&self, op: &Op) -> usize {
        let Op::Kernel(call) = op else { return 0 };
        // Outputs that are set in any order take the numbers of invocations beside.
        let kernel = &*call.kernel;
        let any_order = |&(n, output): &(usize, &weft_ir::user_kernel::Output)| {
            output.combine == Combine::Set && !stores_own_elements(kernel, OutputId(n as u32))
        };
        kernel.outputs.iter().enumerate().filter(any_order).count()
    }
}

impl Lowering for Call {
    type Candidate = Groups;

    /// Deferred: few programs have kernels of users.
    fn candidates(&self, problem: &Problem<'_>) -> Candidates<Groups> {
        let plain = Groups { workgroup: WORKGROUP, together: 1, lanes: 1 };
        let mut candidates = Candidates::one(plain);
        if self.is_large(problem) {
            // Where workgroups run one after another, starting them takes no time of its own.
            let is_serial = matches!(problem.model().map, MapModel::Serial(_));
            let large = if is_serial { plain } else { Groups { workgroup: LARGE_WORKGROUP, ..plain } };
            if large != plain {
                candidates.push(large);
            }
            let together = self.together(problem);
            if together > 1 {
                candidates.push(Groups { together, ..large });
            }
        }
        let lanes = self.lanes(problem, 1);
        if lanes > 1 {
            candidates.push(Groups { lanes, workgroup: lanes.max(WORKGROUP), ..plain });
        }
        let together = self.elements();
        let lanes = if together > 1 { self.lanes(problem, together) } else { 1 };
        // Where that leaves the device idle, elements are better computed beside each other.
        let busy = problem.model().processors * FEWEST;
        let places = self.call.grid.size().div_ceil(together as usize) as f64;
        if lanes > 1 && places * f64::from(lanes) >= busy {
            candidates.push(Groups { lanes, workgroup: lanes.max(WORKGROUP), together });
        }
        candidates
    }

    fn is_fallback(&self, groups: Groups) -> bool {
        groups == Groups { workgroup: WORKGROUP, together: 1, lanes: 1 }
    }

    fn cost(&self, _: &Problem<'_>, groups: Groups) -> f64 {
        let plain = INVOCATION * self.call.grid.size() as f64 * self.call.kernel.exprs.len() as f64;
        // Others are offered only where they pay off.
        match groups {
            Groups { lanes: 1, together: 1, workgroup: WORKGROUP } => plain,
            Groups { lanes: 1, together: 1, .. } => plain / 2.0,
            Groups { lanes: 1, .. } | Groups { together: 1, .. } => plain / 4.0,
            _ => plain / 8.0,
        }
    }

    /// Deferred: few programs have kernels of users.
    fn lower(&self, problem: &Problem<'_>, groups: Groups) -> Lowered {
        if let Some(source) = &self.call.kernel.source {
            return self.own(problem, source);
        }
        let mut stages = Vec::new();
        for output in 0..self.outputs.len() {
            stages.extend(self.first(problem, output));
        }
        if self.call.grid.size() > 0 {
            let surveyed: Vec<Role> = self.outputs.iter().map(Made::surveyed).collect();
            let first = Run { what: "first", roles: &surveyed, epilogue: None };
            self.runs(problem, &first, groups, &mut stages);
            let roles: Vec<Role> = self.outputs.iter().map(Made::role).collect();
            let epilogue = Some(&self.epilogue).filter(|epilogue| !epilogue.stored.is_empty());
            self.runs(problem, &Run { what: "", roles: &roles, epilogue }, groups, &mut stages);
        }
        for output in 0..self.outputs.len() {
            stages.extend(self.last(problem, output));
        }
        Lowered { stages, partials: self.partials.clone() }
    }
}

impl Made {
    /// What the kernel does with stores when it runs for the first of two times.
    fn surveyed(&self) -> Role {
        match (self.way, self.scratch) {
            (Way::Last, Some(scratch)) => Role::Claim(scratch),
            (Way::Sum(_), Some(scratch)) => Role::Exponent(scratch),
            _ => Role::Skip,
        }
    }

    /// What it does with them when it runs.
    fn role(&self) -> Role {
        let Some(binding) = self.binding else { return Role::Skip };
        match (self.way, self.scratch) {
            (Way::Own { same: true, .. }, _) => Role::Own(binding),
            (Way::Own { same: false, .. }, _) => Role::Plain(binding),
            (Way::Last, Some(scratch)) => Role::Won(binding, scratch),
            (Way::Last | Way::Any { .. }, _) => Role::Plain(binding),
            (Way::Atomic(op), _) => Role::Atomic(binding, op),
            (Way::Ordered(extreme), _) => Role::Ordered(binding, extreme),
            (Way::Sum(quantum), Some(scratch)) => Role::Sum(scratch, quantum),
            (Way::Sum(_), None) => Role::Skip,
        }
    }
}

/// Deferred: few programs have kernels of users.
impl Call {
    #[inline(never)]
    fn of(problem: &Problem<'_>, id: ProgramId, call: &Rc<KernelCall>) -> Call {
        let kernel = &call.kernel;
        let parts = problem.cluster().parts(problem.program, kernel.outputs.len());
        let mut partials = Vec::new();
        let mut partial = |bytes: usize| {
            partials.push(bytes.max(4) as u64);
            Binding::Partial(partials.len() - 1)
        };
        let asks = asks_before(kernel);
        let inputs = problem.program[id].inputs.clone();
        let shapes: Vec<Shape> = inputs.iter().map(|&input| problem.program[input].shape.clone()).collect();
        let mut outputs = Vec::with_capacity(parts.len());
        for (n, part) in parts.into_iter().enumerate() {
            let (output, size) = (&kernel.outputs[n], call.shapes[n].size());
            let number = OutputId(n as u32);
            let way = match (output.combine, atomic_op(output.combine)) {
                _ if kernel.source.is_some() => Way::Any { all: false },
                (Combine::Set, _) if stores_own_elements(kernel, number) => {
                    let (rank, shape) = (kernel.rank as usize, &call.shapes[n]);
                    let covers = shape.get(..rank).is_some_and(|own| *own == call.grid[..]);
                    let all = covers && always_stores(kernel, number, shape);
                    Way::Own { all, same: *shape == call.grid }
                }
                (Combine::Set, _) if asks => Way::Any { all: false },
                (Combine::Set, _) => match stores_distinct(call, &shapes, number) {
                    Distinct::No => Way::Last,
                    distinct => Way::Any { all: distinct == Distinct::All },
                },
                (_, None) => Way::Last,
                _ if is_float_sum(kernel, n) => {
                    Way::Sum(sums::quantum(most_stores(kernel, number, call.grid.size())))
                }
                (Combine::Min, _) if output.dtype == DType::F32 => Way::Ordered(Extreme::Least),
                (Combine::Max, _) if output.dtype == DType::F32 => Way::Ordered(Extreme::Largest),
                (_, Some(op)) => Way::Atomic(op),
            };
            // What was there before is asked for though nobody needs the output.
            let is_asked = (asks && matches!(way, Way::Atomic(_))) || kernel.source.is_some();
            let binding =
                part.map(Binding::Node).or_else(|| is_asked.then(|| partial(4 * size))).filter(|_| size > 0);
            let scratch = match way {
                _ if binding.is_none() => None,
                Way::Last => Some(partial(4 * size)),
                Way::Sum(_) => Some(partial(4 * sums::WORDS * size)),
                _ => None,
            };
            outputs.push(Made { binding, way, scratch });
        }
        // Where kernels are compiled on the processors that run them, text costs as much as turns.
        let written_out = if problem.model().coalesces { WRITTEN_OUT } else { 0 };
        let epilogue = Epilogue::of(problem.program, problem.cluster());
        Call { call: Rc::clone(call), id, inputs, outputs, partials, written_out, epilogue }
    }

    /// What an output begins with, at an element.
    fn initial(&self, eval: &mut Evaluator<'_>, output: usize, flat: ExprId) -> ExprId {
        match self.call.kernel.outputs[output].initial {
            Initial::Value(literal) => eval.b.literal(literal),
            Initial::Tensor(tensor) => {
                let at = eval.b.unravel(flat, &self.call.shapes[output]);
                eval.value(self.inputs[tensor.index()], &at)
            }
        }
    }

    /// A kernel with an invocation for each of so many words.
    fn each(
        &self,
        problem: &Problem<'_>,
        what: &str,
        count: usize,
        write: impl FnOnce(&mut Evaluator<'_>, ExprId),
    ) -> Stage {
        let name = format!("{}, {what}", self.call.kernel.name);
        problem.stage(&name, WORKGROUP, |eval| {
            let grid = grid(count.div_ceil(WORKGROUP as usize), problem.limits);
            let (i, guard) = each_invocation(eval, "i", count, WORKGROUP, grid);
            write(eval, i);
            close_guard(eval, guard);
            grid
        })
    }

    /// Fills an output with what it begins with, and what is needed meanwhile with zero.
    fn first(&self, problem: &Problem<'_>, output: usize) -> Option<Stage> {
        let Made { binding, way, scratch } = self.outputs[output];
        let binding = binding?;
        let dtype = self.call.kernel.outputs[output].dtype;
        let size = self.call.shapes[output].size();
        let zero = |eval: &mut Evaluator<'_>, i: ExprId, scratch: Binding| {
            let array = eval.array(scratch, DType::U32, Space::ReadWrite);
            let zero = eval.b.literal(Literal::U32(0));
            eval.b.push(Stmt::Store(array, i, zero));
        };
        Some(match (way, scratch) {
            (Way::Own { all: true, .. } | Way::Any { all: true }, _) if self.call.grid.size() > 0 => {
                return None;
            }
            (Way::Sum(_), Some(scratch)) => {
                self.each(problem, "start", sums::WORDS * size, |eval, i| zero(eval, i, scratch))
            }
            _ => self.each(problem, "start", size, |eval, i| {
                let value = self.initial(eval, output, i);
                if let Some(scratch) = scratch {
                    zero(eval, i, scratch);
                }
                if let Way::Ordered(extreme) = way {
                    let array = eval.array(binding, DType::U32, Space::ReadWrite);
                    let key = key_of(eval, extreme, value);
                    eval.b.push(Stmt::Store(array, i, key));
                    return;
                }
                roles::write(eval, binding, dtype, i, value);
            }),
        })
    }

    /// Makes an output of what was gathered for it.
    fn last(&self, problem: &Problem<'_>, output: usize) -> Option<Stage> {
        let Made { binding, way, scratch } = self.outputs[output];
        let binding = binding?;
        let dtype = self.call.kernel.outputs[output].dtype;
        let size = self.call.shapes[output].size();
        match (way, scratch) {
            (Way::Ordered(extreme), _) => Some(self.each(problem, "end", size, |eval, i| {
                let array = eval.array(binding, DType::U32, Space::ReadWrite);
                let key = eval.b.expr(Expr::Load(array, i));
                let key = eval.b.bind_anew("key", key);
                let bits = bits_of(eval, extreme, key);
                eval.b.push(Stmt::Store(array, i, bits));
            })),
            (Way::Sum(quantum), Some(scratch)) => Some(self.each(problem, "end", size, |eval, i| {
                let value = self.initial(eval, output, i);
                let sum = sums::total(eval, scratch, size, quantum, i);
                let sum = eval.b.binary(weft_ir::kernel::BinaryOp::Add, value, sum);
                roles::write(eval, binding, dtype, i, sum);
            })),
            _ => None,
        }
    }

    /// The kernel itself, once for all outputs where the device has the bindings for them, else for
    /// a half of them at a time.
    fn runs(&self, problem: &Problem<'_>, run: &Run<'_>, groups: Groups, stages: &mut Vec<Stage>) {
        let roles = run.roles;
        let live: Vec<usize> = (0..roles.len()).filter(|&n| roles[n] != Role::Skip).collect();
        if live.is_empty() && run.epilogue.is_none() {
            return;
        }
        let stage = self.run(problem, run, groups);
        let fits = stage.bindings.len() <= problem.limits.storage_buffers as usize;
        // What was there before is there once. An epilogue joins where all of it fits.
        if fits || live.len() == 1 || asks_before(&self.call.kernel) || run.epilogue.is_some() {
            return stages.push(stage);
        }
        let middle = live[live.len() / 2];
        for half in [0..middle, middle..roles.len()] {
            let role = |n: usize| if half.contains(&n) { roles[n] } else { Role::Skip };
            let some: Vec<Role> = (0..roles.len()).map(role).collect();
            self.runs(problem, &Run { roles: &some, ..*run }, groups, stages);
        }
    }

    /// The kernel, with so much done with its stores.
    fn run(&self, problem: &Problem<'_>, run: &Run<'_>, groups: Groups) -> Stage {
        let (what, workgroup) = (run.what, groups.workgroup);
        let call = &*self.call;
        let separator = if what.is_empty() { "" } else { ", " };
        let name = format!("{}{separator}{what}", call.kernel.name);
        // Local arrays are variables, and accesses of neighbours are one.
        let stage = |invocations: u32, write: &dyn Fn(&mut Evaluator<'_>) -> [u32; 3]| {
            problem.stage(&name, invocations, |eval| {
                let grid = write(eval);
                use_registers(eval);
                grid
            })
        };
        match call.kernel.workgroup {
            None if groups.lanes > 1 => stage(workgroup, &|eval| self.by_lanes(problem, eval, run, groups)),
            None => stage(workgroup, &|eval| self.spread(problem, eval, run, [workgroup, groups.together])),
            Some(sides) => {
                let invocations = sides.iter().product();
                stage(invocations, &|eval| {
                    let rank = call.grid.rank();
                    let side = |axis: usize| sides.get(rank - 1 - axis).map_or(1, |&side| side as usize);
                    let groups: Vec<usize> = (0..rank).map(|axis| call.grid[axis] / side(axis)).collect();
                    let sides: Vec<usize> = (0..rank).map(side).collect();
                    let count = groups.iter().product::<usize>();
                    let grid = grid(count, problem.limits);
                    let (number, lane, guard) = each_workgroup(eval, "group", count, invocations, grid);
                    let group = eval.b.unravel(number, &groups.into());
                    let within = eval.b.unravel(lane, &sides.clone().into());
                    let at: Vec<ExprId> = (0..rank)
                        .map(|axis| {
                            let first = eval.b.index_scale(group[axis], sides[axis] as i64);
                            eval.b.index_add(first, within[axis])
                        })
                        .collect();
                    let zero = eval.b.index_const(0);
                    let from_last = |all: &[ExprId]| {
                        (0..3).map(|n| all.iter().rev().nth(n).copied().unwrap_or(zero)).collect()
                    };
                    let (group, within) = (from_last(&group), from_last(&within));
                    let i = eval.b.ravel(&at, &call.grid);
                    self.write(eval, run, [i, lane], at, [within, group]);
                    close_guard(eval, guard);
                    grid
                })
            }
        }
    }

    /// Whether the grid is so large that the time to start workgroups or invocations matters.
    fn is_large(&self, problem: &Problem<'_>) -> bool {
        let large = match &problem.model().map {
            MapModel::Parallel(map) => map.large,
            MapModel::Serial(map) => map.large,
        };
        self.call.kernel.workgroup.is_none() && self.call.grid.size() as f64 >= large
    }

    /// The shapes of its inputs.
    fn shapes(&self, problem: &Problem<'_>) -> Vec<Shape> {
        self.inputs.iter().map(|&input| problem.program[input].shape.clone()).collect()
    }

    /// How many invocations share loops where a device has more room than this kernel has elements.
    /// An invocation computes `together` elements; the more it computes, the fewer share its loops.
    fn lanes(&self, problem: &Problem<'_>, together: u32) -> u32 {
        let model = problem.model();
        let shapes = self.shapes(problem);
        let resident = if together > 1 { RESIDENT / 4.0 } else { RESIDENT };
        let places = self.call.grid.size().div_ceil(together as usize).max(1);
        let room = model.processors * resident / places as f64;
        if model.cheap_barriers && model.coalesces { lanes(&self.call, &shapes, room) } else { 1 }
    }

    fn write(
        &self,
        eval: &mut Evaluator<'_>,
        run: &Run<'_>,
        numbers: [ExprId; 2],
        at: Vec<ExprId>,
        groups: [Vec<ExprId>; 2],
    ) {
        self.with_body(eval, run, numbers, at, groups, |_| {});
    }

    /// Writes the kernel but for stores that may wait, which it gives.
    fn write_later(
        &self,
        eval: &mut Evaluator<'_>,
        run: &Run<'_>,
        number: ExprId,
        at: Vec<ExprId>,
    ) -> Vec<OwnStore> {
        self.with_body(eval, run, [number, number], at, [Vec::new(), Vec::new()], |body| {
            body.last = Some(Vec::new());
        })
    }

    /// Writes the kernel, after `with` has said how; gives the stores that wait.
    fn with_body(
        &self,
        eval: &mut Evaluator<'_>,
        run: &Run<'_>,
        [number, lane]: [ExprId; 2],
        at: Vec<ExprId>,
        [in_group, group]: [Vec<ExprId>; 2],
        with: impl FnOnce(&mut Body<'_, '_>),
    ) -> Vec<OwnStore> {
        let kernel = &*self.call.kernel;
        let types = kernel.types().expect("kernels in programs are well formed");
        let (tensors, numbers) = self.inputs.split_at(kernel.tensors.len());
        let scalars = numbers
            .iter()
            .map(|&number| {
                let value = eval.value(number, &[]);
                eval.b.bind("number", value)
            })
            .collect();
        let arrays = kernel
            .arrays
            .iter()
            .map(|array| {
                let space =
                    if array.shared { Space::Workgroup(array.length) } else { Space::Private(array.length) };
                eval.b.array(array.name.clone(), storage_dtype(array.dtype), space)
            })
            .collect();
        let mut body = Body {
            eval,
            call: &self.call,
            id: self.id,
            kernel,
            types: &types,
            reach: Reach::new(kernel),
            tensors,
            scalars,
            locals: Vec::new(),
            arrays,
            variables: Default::default(),
            lasting: Vec::new(),
            at,
            in_group,
            group,
            number,
            lane,
            exchanges: Vec::new(),
            roles: run.roles,
            loops: 0,
            depth: 0,
            returned: None,
            written_out: self.written_out,
            last: None,
            shared: None,
            epilogue: run.epilogue,
        };
        with(&mut body);
        let named = named_once(kernel);
        if body.shared.is_some() {
            body.each_element(|body| body.begin(&named));
        } else {
            body.begin(&named);
        }
        if loop_returns(&kernel.body) {
            body.returned = Some(body.variable("returned", Literal::Bool(false)));
        }
        if body.shared.is_some() {
            body.share(&kernel.body);
        } else {
            body.block(&kernel.body);
            body.follow();
        }
        body.last.take().unwrap_or_default()
    }
}
