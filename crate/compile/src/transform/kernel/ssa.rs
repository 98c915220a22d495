//! Structured static single assignment: a kernel whose every value has a local of its own.
//!
//! Branches merge values and loops carry them explicitly (block arguments; Appel, *SSA is
//! Functional Programming*). A value is a local that is assigned once an iteration, or a literal, a
//! scalar or a coordinate; its expression has the same value wherever it is evaluated before the
//! local is assigned again. Arrays stay memory, so every element that is read has a local too.

use super::activity::{Activity, differentiable};
use super::arena::{Arena, each_statement, evaluated, reach};
use super::jumps::count;
use weft_ir::user_kernel::{ArrayId, Edge, Expr, ExprId, LocalId, OutputId, Stmt, TensorId, UserKernel};
use weft_ir::{DType, HashMap, HashSet, Literal};

/// A step of a block.
#[derive(Clone)]
pub(super) enum Item {
    /// A value by an operation on values.
    Define(LocalId, ExprId),
    /// An element is written; `undo` takes what was there before where the reverse
    /// sweep has to put it back.
    SetElement { array: ArrayId, index: ExprId, value: ExprId, undo: Option<LocalId> },
    /// A store into an output, with its number among those of the invocation where that is counted.
    Store { output: OutputId, indices: Vec<ExprId>, value: ExprId, number: Option<ExprId> },
    /// One of two blocks, and the values that depend on which.
    If { condition: ExprId, then: Vec<Item>, otherwise: Vec<Item>, merges: Vec<Merge> },
    /// A block that is repeated.
    Loop(Box<Loop>),
}

/// A value after a branch.
#[derive(Clone)]
pub(super) struct Merge {
    pub local: LocalId,
    pub then: ExprId,
    pub otherwise: ExprId,
}

/// A value that an iteration passes on to the next; after the loop, what the last passed on.
#[derive(Clone)]
pub(super) struct Carried {
    pub local: LocalId,
    pub first: ExprId,
    pub next: ExprId,
    /// Whether it has derivatives.
    pub active: bool,
}

/// How a loop counts its iterations.
#[derive(Clone)]
pub(super) enum Count {
    /// The counter's local, its first value and step, the bound, and the number of iterations.
    Counted { counter: LocalId, from: ExprId, to: ExprId, step: i32, count: ExprId },
    /// The condition over carried values and arrays, the limit, and a local that counts.
    While { condition: ExprId, limit: u32, counted: LocalId },
}

/// A loop.
#[derive(Clone)]
pub(super) struct Loop {
    /// Number of the loop; each copy has its own.
    pub id: u32,
    pub count: Count,
    pub carried: Vec<Carried>,
    /// Arrays that it writes.
    pub written: Vec<ArrayId>,
    /// Those of them that the reverse sweep has to restore to what they were before the loop.
    pub undo: Vec<ArrayId>,
    pub body: Vec<Item>,
}

/// A kernel in this form. Arrays keep their numbers; locals are new.
pub(super) struct Ssa {
    pub arena: Arena,
    pub items: Vec<Item>,
    /// Which locals of the arena have derivatives.
    pub active: Vec<bool>,
    /// Which scalars have.
    pub scalars: Vec<bool>,
    /// Which arrays have.
    pub active_arrays: Vec<bool>,
    /// What the kernel's own locals hold at its end.
    pub last: HashMap<LocalId, ExprId>,
    /// How many loops there are, copies too.
    pub loops: u32,
}

/// `kernel`, which has no jumps, in this form. `wanted` says which inputs derivatives are taken by,
/// `numbers` which locals count the stores into an output.
pub(super) fn ssa(
    kernel: &UserKernel,
    activity: &Activity,
    wanted: &[bool],
    numbers: &HashMap<OutputId, LocalId>,
) -> Ssa {
    let mut arena = Arena::like(kernel);
    arena.kernel.locals.clear();
    let mut pass = Pass {
        kernel,
        activity,
        wanted,
        numbers,
        values: HashMap::default(),
        known: HashMap::default(),
        scopes: Vec::new(),
        out: Vec::new(),
        looped: HashSet::default(),
        ssa: Ssa {
            arena,
            items: Vec::new(),
            active: Vec::new(),
            scalars: wanted[kernel.tensors.len()..].to_vec(),
            active_arrays: activity.arrays.clone(),
            last: HashMap::default(),
            loops: 0,
        },
    };
    let items = pass.block(&kernel.body);
    Ssa { items, last: pass.values, ..pass.ssa }
}

struct Pass<'k> {
    kernel: &'k UserKernel,
    activity: &'k Activity,
    wanted: &'k [bool],
    numbers: &'k HashMap<OutputId, LocalId>,
    /// What each local of the kernel holds at this point.
    values: HashMap<LocalId, ExprId>,
    /// The values of operations that were computed on every way here.
    known: HashMap<ExprId, ExprId>,
    /// What was added to `known` in each block around.
    scopes: Vec<Vec<ExprId>>,
    out: Vec<Item>,
    /// Arrays that loops before this point access, since the body of the loop around began.
    looped: HashSet<ArrayId>,
    ssa: Ssa,
}

impl Pass<'_> {
    fn block(&mut self, block: &[Stmt]) -> Vec<Item> {
        let outer = std::mem::take(&mut self.out);
        self.scopes.push(Vec::new());
        for stmt in block {
            self.statement(stmt);
        }
        for known in self.scopes.pop().expect("pushed above") {
            self.known.remove(&known);
        }
        std::mem::replace(&mut self.out, outer)
    }

    fn statement(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(local, value) => {
                let value = self.value(*value);
                self.values.insert(*local, value);
            }
            Stmt::SetElement(array, index, value) => {
                let (index, value) = (self.value(*index), self.value(*value));
                let undo = self.looped.contains(array).then(|| {
                    let dtype = self.kernel.arrays[array.index()].dtype;
                    self.ssa.arena.local("before", dtype)
                });
                self.out.push(Item::SetElement { array: *array, index, value, undo });
            }
            Stmt::Store { output, indices, value, .. } => {
                let indices = indices.iter().map(|&i| self.value(i)).collect();
                let value = self.value(*value);
                let number = self.numbers.get(output).copied().map(|local| self.held(local));
                self.out.push(Item::Store { output: *output, indices, value, number });
            }
            Stmt::If(condition, then, otherwise) => self.branch(*condition, then, otherwise),
            Stmt::For { .. } | Stmt::While { .. } => self.repeat(stmt),
            Stmt::Break | Stmt::Continue | Stmt::Return | Stmt::Barrier => {
                unreachable!("jumps are removed and groups refused before")
            }
        }
    }

    /// A local for a value that a local of the kernel takes.
    fn new_version(&mut self, of: LocalId, active: bool) -> LocalId {
        let it = &self.kernel.locals[of.index()];
        let local = self.ssa.arena.local(&it.name, it.dtype);
        self.ssa.mark(local, active);
        local
    }

    fn held(&mut self, local: LocalId) -> ExprId {
        match self.values.get(&local) {
            Some(&value) => value,
            None => self.ssa.arena.literal(Literal::zero(self.kernel.locals[local.index()].dtype)),
        }
    }

    fn branch(&mut self, condition: ExprId, then: &[Stmt], otherwise: &[Stmt]) {
        let condition = self.value(condition);
        let before = self.values.clone();
        let then_items = self.block(then);
        let then_values = std::mem::replace(&mut self.values, before);
        let otherwise_items = self.block(otherwise);
        let assigned = assigned(then.iter().chain(otherwise));
        let mut merges = Vec::new();
        for local in assigned {
            let zero = Literal::zero(self.kernel.locals[local.index()].dtype);
            let zero = self.ssa.arena.literal(zero);
            let then = then_values.get(&local).copied().unwrap_or(zero);
            let otherwise = self.held(local);
            let value = if then == otherwise {
                then
            } else {
                let merged = self.new_version(local, self.activity.locals[local.index()]);
                merges.push(Merge { local: merged, then, otherwise });
                self.ssa.arena.read(merged)
            };
            self.values.insert(local, value);
        }
        self.out.push(Item::If { condition, then: then_items, otherwise: otherwise_items, merges });
    }

    fn repeat(&mut self, stmt: &Stmt) {
        let (Stmt::For { body, .. } | Stmt::While { body, .. }) = stmt else { unreachable!("a loop") };
        let (mut written, accessed) = self.memory(stmt, body);
        let undo = written.iter().copied().filter(|array| self.looped.contains(array)).collect();
        written.sort_unstable();
        let bounds = match stmt {
            Stmt::For { from, to, step, .. } => {
                let (from, to) = (self.value(*from), self.value(*to));
                let number = count(&mut self.ssa.arena, from, to, *step);
                Some((from, to, *step, self.define_all(number)))
            }
            _ => None,
        };
        let mut carried = Vec::new();
        let assigned = assigned(body.iter());
        for &local in &assigned {
            let active = self.activity.locals[local.index()];
            let first = self.held(local);
            let own = self.new_version(local, active);
            let read = self.ssa.arena.read(own);
            self.values.insert(local, read);
            carried.push(Carried { local: own, first, next: read, active });
        }
        let before = self.values.clone();
        let count = match (stmt, bounds) {
            (Stmt::For { counter, .. }, Some((from, to, step, count))) => {
                let own = self.new_version(*counter, false);
                let read = self.ssa.arena.read(own);
                self.values.insert(*counter, read);
                Count::Counted { counter: own, from, to, step, count }
            }
            (Stmt::While { condition, limit, .. }, _) => {
                let condition = self.tree(*condition);
                let counted = self.ssa.arena.local("iterations", DType::I32);
                Count::While { condition, limit: *limit, counted }
            }
            _ => unreachable!("a loop"),
        };
        let outer = std::mem::take(&mut self.looped);
        let body = self.block(body);
        self.looped = outer;
        self.looped.extend(accessed);
        for (&local, carried) in assigned.iter().zip(&mut carried) {
            carried.next = self.held(local);
        }
        self.values = before;
        let id = self.ssa.loops;
        self.ssa.loops += 1;
        self.out.push(Item::Loop(Box::new(Loop { id, count, carried, written, undo, body })));
    }

    /// Arrays that a loop writes, and all that it accesses.
    fn memory(&self, stmt: &Stmt, body: &[Stmt]) -> (Vec<ArrayId>, HashSet<ArrayId>) {
        let mut written: Vec<ArrayId> = Vec::new();
        let mut accessed: HashSet<ArrayId> = HashSet::default();
        let mut read = |root: ExprId| {
            for x in reach(&self.kernel.exprs, root) {
                if let Expr::Element(array, _) = self.kernel.exprs[x.index()] {
                    accessed.insert(array);
                }
            }
        };
        evaluated(stmt, &mut read);
        each_statement(body, &mut |stmt| {
            evaluated(stmt, &mut read);
            if let Stmt::SetElement(array, ..) = stmt {
                written.push(*array);
            }
        });
        written.sort_unstable();
        written.dedup();
        accessed.extend(written.iter().copied());
        (written, accessed)
    }

    /// The expression with the values that locals hold here, computed where it is evaluated.
    fn tree(&mut self, root: ExprId) -> ExprId {
        let mut made: HashMap<ExprId, ExprId> = HashMap::default();
        for x in reach(&self.kernel.exprs, root) {
            let expr = &self.kernel.exprs[x.index()];
            let value = match *expr {
                Expr::Local(local) => self.held(local),
                _ => self.ssa.arena.push(expr.map_operands(|y| made[&y])),
            };
            made.insert(x, value);
        }
        made[&root]
    }

    /// The value of an expression of the kernel here.
    fn value(&mut self, root: ExprId) -> ExprId {
        let mut made: HashMap<ExprId, ExprId> = HashMap::default();
        for x in reach(&self.kernel.exprs, root) {
            let expr = &self.kernel.exprs[x.index()];
            let value = match *expr {
                Expr::Local(local) => self.held(local),
                _ => {
                    let expr = expr.map_operands(|y| made[&y]);
                    self.define(expr)
                }
            };
            made.insert(x, value);
        }
        made[&root]
    }

    /// As [`Pass::value`] of an expression that is over values already.
    fn define_all(&mut self, root: ExprId) -> ExprId {
        let mut made: HashMap<ExprId, ExprId> = HashMap::default();
        for x in reach(&self.ssa.arena.kernel.exprs, root) {
            let expr = self.ssa.arena.expr(x).map_operands(|y| made[&y]);
            let value = self.define(expr);
            made.insert(x, value);
        }
        made[&root]
    }

    /// The value of an operation on values.
    fn define(&mut self, expr: Expr) -> ExprId {
        let active = self.is_active(&expr);
        let is_memory = matches!(expr, Expr::Element(..));
        let is_value = matches!(
            expr,
            Expr::Literal(_)
                | Expr::Local(_)
                | Expr::Scalar(_)
                | Expr::Index(..)
                | Expr::GridExtent(_)
                | Expr::Extent(..)
                | Expr::OutputExtent(..)
        );
        let id = self.ssa.arena.push(expr);
        if is_value {
            return id;
        }
        if let Some(&known) = self.known.get(&id).filter(|_| !is_memory) {
            return known;
        }
        let local = self.ssa.arena.local("v", self.ssa.arena.dtype(id));
        self.ssa.mark(local, active);
        self.out.push(Item::Define(local, id));
        let read = self.ssa.arena.read(local);
        if !is_memory {
            self.known.insert(id, read);
            self.scopes.last_mut().expect("inside a block").push(id);
        }
        read
    }

    fn is_active(&self, expr: &Expr) -> bool {
        let mut any = match *expr {
            Expr::Load(tensor, ..) => self.wanted[tensor.index()],
            Expr::Element(array, _) => self.activity.arrays[array.index()],
            _ => false,
        };
        let mut all_float = true;
        differentiable(expr, |x| {
            any |= self.ssa.is_active(x);
            all_float &= self.ssa.arena.dtype(x) == DType::F32;
        });
        let is_float = match *expr {
            Expr::Load(tensor, ..) => self.ssa.arena.kernel.tensors[tensor.index()].dtype == DType::F32,
            _ => true,
        };
        any && all_float && is_float
    }
}

impl Ssa {
    /// Says whether a local has derivatives.
    pub fn mark(&mut self, local: LocalId, active: bool) {
        if self.active.len() <= local.index() {
            self.active.resize(local.index() + 1, false);
        }
        self.active[local.index()] = active;
    }

    /// Whether a value has derivatives.
    pub fn is_active(&self, value: ExprId) -> bool {
        match *self.arena.expr(value) {
            Expr::Local(local) => self.active.get(local.index()).is_some_and(|&active| active),
            Expr::Scalar(n) => self.scalars[n as usize] && self.arena.dtype(value) == DType::F32,
            _ => false,
        }
    }
}

/// Locals of the kernel that statements assign, but for counters, in order.
fn assigned<'s>(stmts: impl Iterator<Item = &'s Stmt>) -> Vec<LocalId> {
    let mut found = Vec::new();
    let mut counters = HashSet::default();
    for stmt in stmts {
        each_statement(std::slice::from_ref(stmt), &mut |stmt| match stmt {
            Stmt::Let(local, _) => found.push(*local),
            Stmt::For { counter, .. } => {
                counters.insert(*counter);
            }
            _ => {}
        });
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether a load lies at distinct coordinates of the invocation, and which.
pub(super) fn own_axes(exprs: &[Expr], indices: &[ExprId]) -> Option<Vec<usize>> {
    let mut axes = Vec::new();
    for &index in indices {
        match exprs[index.index()] {
            Expr::Index(weft_ir::user_kernel::Coordinate::Grid, axis) if !axes.contains(&(axis as usize)) => {
                axes.push(axis as usize);
            }
            _ => return None,
        }
    }
    Some(axes)
}

/// How loads and adds at coordinates beyond a tensor's edge find an element: the coordinates
/// inside, and for a fill whether it is inside at all.
pub(super) fn inside(
    arena: &mut Arena,
    tensor: TensorId,
    indices: &[ExprId],
    edge: Edge,
) -> (Vec<ExprId>, Option<ExprId>) {
    use weft_ir::op::{Binary, Compare};
    let mut within = Vec::with_capacity(indices.len());
    let mut all: Option<ExprId> = None;
    for (axis, &i) in indices.iter().enumerate() {
        let extent = arena.push(Expr::Extent(tensor, axis as u32));
        let zero = arena.i32(0);
        let one = arena.i32(1);
        within.push(match edge {
            Edge::Clamp => {
                let last = arena.sub(extent, one);
                let low = arena.binary(Binary::Max, i, zero);
                arena.binary(Binary::Min, low, last)
            }
            Edge::Wrap => arena.binary(Binary::Rem, i, extent),
            Edge::Mirror => {
                let last = arena.sub(extent, one);
                let period = arena.add(last, last);
                let positive = arena.binary(Binary::Max, period, one);
                let there = arena.binary(Binary::Rem, i, positive);
                let back = arena.sub(period, there);
                arena.binary(Binary::Min, there, back)
            }
            Edge::Fill(_) => {
                let above = arena.compare(Compare::Ge, i, zero);
                let below = arena.compare(Compare::Lt, i, extent);
                let both = arena.and(above, below);
                all = Some(match all {
                    Some(before) => arena.and(before, both),
                    None => both,
                });
                i
            }
        });
    }
    (within, all)
}
