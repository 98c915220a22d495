//! The epilogue of a user's kernel: elementwise nodes that follow its outputs, computed and stored
//! by the invocation that has computed what they read.
//!
//! An output is *kept* if each invocation ends with a value for each of its own elements of it,
//! whichever way it goes. A node joins the kernel's cluster if it reads kept outputs at the
//! invocation's own elements alone. Outputs that only the epilogue reads are not stored.
//!
//! Deferred: few programs have kernels of users.

use super::body::{Body, OwnStore};
use super::locals::{asks_before, is_own, stores_own_elements};
use crate::cluster::Cluster;
use crate::lower::eval::{Binding, Evaluator};
use weft_ir::kernel::{Expr as Code, ExprId as Value};
use weft_ir::op::{KernelCall, Op};
use weft_ir::program::{ProgramId, TensorProgram};
use weft_ir::user_kernel::{Combine, Expr, ExprId, OutputId, Stmt, UserKernel, returns};
use weft_ir::{Literal, Shape};

/// Elements of an output that belong to an invocation, at most.
const MOST_OWN: usize = 16;
/// Operations on those that a node may take.
const MOST_OPERATIONS: usize = 256;

/// What an invocation's own elements of a tensor are: the axes behind those of the grid. A tensor
/// of as many elements as the grid, seen otherwise, has one for each invocation.
fn own_axes(grid: &Shape, shape: &Shape) -> Option<Shape> {
    match shape.get(..grid.rank()) {
        Some(first) if *first == grid[..] => Some(Shape::from(&shape[grid.rank()..])),
        _ => (shape.size() == grid.size()).then(|| Shape::from(&[][..])),
    }
    .filter(|own| (1..=MOST_OWN).contains(&own.size()))
}

/// For each of an invocation's own elements of a tensor, its coordinates.
fn own_places(eval: &mut Evaluator<'_>, at: &[Value], grid: &Shape, shape: &Shape) -> Vec<Vec<Value>> {
    let Some(own) = own_axes(grid, shape) else { return Vec::new() };
    let place = |n: usize| {
        let rest = own.unravel(n).into_iter().map(|at| eval.b.index_const(at as i64));
        let place: Vec<Value> = at.iter().copied().chain(rest).collect();
        if own.rank() == 0 { eval.b.regroup(&place, grid, shape) } else { place }
    };
    (0..own.size()).map(place).collect()
}

/// Where an invocation computes an element of the epilogue, in terms of loop counters.
///
/// Deferred: few programs have kernels of users.
#[inline(never)]
pub(crate) fn epilogue_place(eval: &mut Evaluator<'_>, call: &KernelCall, shape: &Shape) -> Vec<Value> {
    let counters = |eval: &mut Evaluator<'_>, shape: &Shape| -> Vec<Value> {
        shape.iter().map(|&extent| eval.b.counter("at", extent as i64).1).collect()
    };
    match shape.get(..call.grid.rank()) {
        Some(first) if *first == call.grid[..] => counters(eval, shape),
        _ => {
            let at = counters(eval, &call.grid);
            eval.b.regroup(&at, &call.grid, shape)
        }
    }
}

/// Whether invocations keep what they compute of an output to the end.
fn is_kept(call: &KernelCall, output: usize) -> bool {
    let kernel = &*call.kernel;
    let shape = &call.shapes[output];
    let is_fit = kernel.source.is_none()
        && kernel.outputs[output].combine == Combine::Set
        && shape.get(..call.grid.rank()).is_some_and(|first| *first == call.grid[..])
        && !returns(&kernel.body)
        && !asks_before(kernel);
    let Some(own) = own_axes(&call.grid, shape).filter(|_| is_fit) else { return false };
    let output = OutputId(output as u32);
    if !stores_own_elements(kernel, output) {
        return false;
    }
    let mut known = vec![false; own.size()];
    for stmt in &kernel.body {
        match stmt {
            Stmt::Store { output: into, indices, .. } if *into == output => {
                match own_element(kernel, indices, &own) {
                    Some(n) => known[n] = true,
                    None => return false,
                }
            }
            // What it stores, and where, is not known here.
            _ if stores(stmt, output) => known.fill(false),
            _ => {}
        }
    }
    known.into_iter().all(|known| known)
}

/// Which of an invocation's own elements a store is to, if that is known.
fn own_element(kernel: &UserKernel, indices: &[ExprId], own: &Shape) -> Option<usize> {
    let (first, rest) =
        indices.split_at_checked(kernel.rank as usize).filter(|(first, _)| is_own(kernel, first))?;
    let mut flat = 0;
    for (id, &extent) in rest.iter().zip(own.iter()) {
        let Expr::Literal(Literal::I32(at)) = kernel.exprs[id.index()] else { return None };
        let at = usize::try_from(at).ok().filter(|&at| at < extent)?;
        flat = flat * extent + at;
    }
    debug_assert_eq!(first.len(), kernel.rank as usize);
    Some(flat)
}

/// Whether a block of a statement stores into an output.
fn stores(stmt: &Stmt, output: OutputId) -> bool {
    let mut open = vec![stmt];
    while let Some(stmt) = open.pop() {
        stmt.for_each_block(|block| open.extend(block));
        if matches!(stmt, Stmt::Store { output: into, .. } if *into == output) {
            return true;
        }
    }
    false
}

/// Whether a node may be computed where a kernel's invocations end. `operations` are what it takes
/// for an element. The evaluator loads what may be stored; `is_member` says what the kernel's
/// cluster computes of that.
///
/// Deferred: few programs have kernels of users.
#[inline(never)]
pub(crate) fn follows(
    mut eval: Evaluator<'_>,
    call: &KernelCall,
    id: ProgramId,
    operations: usize,
    is_member: &dyn Fn(ProgramId) -> bool,
) -> bool {
    let (grid, program) = (&call.grid, eval.program);
    let at: Vec<Value> = grid.iter().map(|&extent| eval.b.counter("at", extent as i64).1).collect();
    let places = own_places(&mut eval, &at, grid, &program[id].shape);
    if places.is_empty() || places.len() * operations > MOST_OPERATIONS {
        return false;
    }
    for place in &places {
        eval.value(id, place);
    }
    let reached = std::mem::take(&mut eval.reached);
    let mut is_own = |(node, place): (ProgramId, Vec<Value>)| {
        if !is_member(node) {
            return true;
        }
        match program[node].op {
            Op::Part { index, .. } if !is_kept(call, index) => false,
            _ => own_places(&mut eval, &at, grid, &program[node].shape).contains(&place),
        }
    };
    reached.into_iter().all(&mut is_own)
}

/// The nodes of a kernel's cluster that follow its outputs.
#[derive(Default)]
pub(super) struct Epilogue {
    /// Those that are stored.
    pub stored: Vec<ProgramId>,
    /// The nodes that read kept outputs from the kernel, each with the output's number.
    pub parts: Vec<(usize, ProgramId)>,
}

impl Epilogue {
    pub(super) fn of(program: &TensorProgram, cluster: &Cluster) -> Epilogue {
        let is_part = |id: &ProgramId| matches!(program[*id].op, Op::Part { .. });
        let stored: Vec<ProgramId> = cluster.outputs.iter().copied().filter(|id| !is_part(id)).collect();
        let mut parts = Vec::new();
        for &id in &cluster.members {
            if let Op::Part { index, .. } = program[id].op {
                parts.push((index, id));
            }
        }
        if stored.is_empty() { Epilogue::default() } else { Epilogue { stored, parts } }
    }
}

impl Body<'_, '_> {
    /// The value of a store, if the epilogue may read it: the evaluator then knows it.
    pub(super) fn keep(&mut self, output: usize, indices: &[ExprId], value: ExprId) -> Option<Value> {
        let epilogue = self.epilogue?;
        if self.depth > 0 || !epilogue.parts.iter().any(|&(n, _)| n == output) {
            return None;
        }
        let shape = self.call.shapes[output].get(self.call.grid.rank()..)?;
        let shape = Shape::from(shape);
        let n = own_element(self.kernel, indices, &shape)?;
        let value = self.value(value);
        let value = self.fixed("value", value);
        let rest = shape.unravel(n).into_iter().map(|at| self.eval.b.index_const(at as i64));
        let place: Vec<Value> = self.at.iter().copied().chain(rest).collect();
        for &(_, part) in epilogue.parts.iter().filter(|&&(number, _)| number == output) {
            self.eval.define(part, &place, value);
        }
        Some(value)
    }

    /// Names the coordinates, so that what the epilogue reads is found at them however it is
    /// computed where.
    pub(super) fn name_places(&mut self) {
        if self.epilogue.is_none() {
            return;
        }
        for n in 0..self.at.len() {
            if !matches!(self.eval.b.get(self.at[n]), Code::Local(_)) {
                self.at[n] = self.named("at", self.at[n]);
            }
        }
    }

    /// Computes and stores what follows.
    pub(super) fn follow(&mut self) {
        let Some(epilogue) = self.epilogue else { return };
        let first = self.shared.as_ref().map(|shared| shared.group.first);
        if first.is_some() {
            self.eval.open();
        }
        let (at, grid) = (self.at.clone(), self.call.grid.clone());
        let mut results = Vec::new();
        for &node in &epilogue.stored {
            let places = own_places(self.eval, &at, &grid, &self.eval.program[node].shape);
            let before = self.eval.b.index_scale(self.number, places.len() as i64);
            for (n, place) in places.iter().enumerate() {
                let value = self.eval.value(node, place);
                let value = self.named("result", value);
                let flat = self.eval.b.index_offset(before, n as i64);
                let dtype = self.eval.program[node].dtype;
                results.push(OwnStore { binding: Binding::Node(node), dtype, flat, value });
            }
        }
        // All are computed before any is stored, since one may be stored over what another reads.
        match &mut self.last {
            Some(last) => last.extend(results),
            None => results.into_iter().for_each(|store| store.write(self.eval)),
        }
        if let Some(first) = first {
            self.eval.forget();
            self.eval.b.close_if(first);
        }
    }
}
