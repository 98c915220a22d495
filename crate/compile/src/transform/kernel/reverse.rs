//! Reverse mode of kernels: a forward sweep that keeps every value in a local of its own, and a
//! reverse sweep that takes cotangents back through them (Griewank & Walther, *Evaluating
//! Derivatives*, §3.2).
//!
//! A cotangent of a value is a local beside it, one of an array an array beside it. A load becomes
//! an add at its index. Inputs are never written, so that a value that is computed from them alone
//! needs no tape; for loops see `loops`.

use super::arena::Arena;
use super::prepare::{is_set_at_own, rewritten};
use super::roles::Sizes;
use super::rules::shares;
use super::ssa::{Item, Loop, Ssa, inside, own_axes};
use super::sweep::{Beside, Tape, Tapes, forward};
use weft_ir::op::{Binary, Compare};
use weft_ir::user_kernel::{
    ArrayId, Coordinate, Edge, Expr, ExprId, LocalId, OutputId, Stmt, TensorId, UserKernel,
};
use weft_ir::{DType, HashMap, Literal};

/// The cotangent of a value.
struct Cotangent {
    local: LocalId,
    /// Whether the first that it gets, in every run of the block that defines the value, replaces.
    replaced: bool,
}

/// Where the cotangent of an input goes.
pub(super) enum Target {
    /// It is added into an output at the coordinates of the load.
    Scatter(OutputId),
    /// It is summed in a local and set at the invocation's own coordinates.
    Own(OutputId, LocalId),
}

/// The reverse sweep of a kernel.
pub(super) struct Reverse {
    pub ssa: Ssa,
    pub tapes: Tapes,
    cotangents: HashMap<LocalId, Cotangent>,
    arrays: HashMap<ArrayId, ArrayId>,
    /// By input: the tensors first, then the scalars.
    pub targets: HashMap<usize, Target>,
    tensors: usize,
    /// How stores into an output find their cotangents.
    stores: HashMap<OutputId, Stored>,
    /// The block in whose reverse sweep the first use of a value may replace its cotangent.
    defined_in: HashMap<LocalId, u32>,
    block: u32,
    blocks: u32,
    /// Whether loops keep only the state at their start.
    pub lean: bool,
    /// How many loops the sweep is in.
    pub depth: u32,
    /// The tapes of loops that were swept.
    pub finished: Vec<Tape>,
}

/// What stores into an output read.
#[derive(Clone, Copy)]
pub(super) struct Stored {
    pub cotangent: TensorId,
    /// The last invocation that set an element, counted from 1.
    pub owner: Option<TensorId>,
    /// The last store of that invocation.
    pub last: Option<TensorId>,
    /// The result and how many equal it, of the least and the greatest.
    pub extreme: Option<(TensorId, TensorId)>,
}

/// Which inputs are always read at the same own coordinates, which lie inside.
pub(super) fn read_at_own(kernel: &UserKernel, sizes: Sizes, tensor: TensorId) -> Option<Vec<usize>> {
    let mut found: Option<Vec<usize>> = None;
    let mut all = true;
    let used = super::live::used(kernel);
    for (expr, _) in kernel.exprs.iter().zip(used).filter(|(_, used)| *used) {
        let Expr::Load(at, indices, _) = expr else { continue };
        if *at != tensor {
            continue;
        }
        match own_axes(&kernel.exprs, indices) {
            Some(axes) if found.as_ref().is_none_or(|before| *before == axes) => found = Some(axes),
            _ => all = false,
        }
    }
    let axes = found.filter(|_| all)?;
    let shape = &sizes.inputs[tensor.index()];
    axes.iter().enumerate().all(|(i, &axis)| sizes.grid[axis] <= shape[i]).then_some(axes)
}

/// The outputs that are locals of the kernel until its end, because invocations set them at their
/// own coordinates only; and the kernel in which they are.
pub(super) fn held_outputs(kernel: &UserKernel) -> (UserKernel, HashMap<OutputId, LocalId>) {
    let mut arena = Arena::of(kernel);
    let mut held = HashMap::default();
    for i in 0..kernel.outputs.len() {
        let id = OutputId(i as u32);
        if is_set_at_own(kernel, id) {
            let name = kernel.outputs[i].name.clone();
            held.insert(id, arena.local(&name, kernel.outputs[i].dtype));
        }
    }
    let body = rewritten(&kernel.body, &mut |stmt| match stmt {
        Stmt::Store { output, value, .. } if held.contains_key(output) => {
            vec![Stmt::Let(held[output], *value)]
        }
        other => vec![other.clone()],
    });
    (arena.finish(body), held)
}

/// Beside the values of a forward sweep that a reverse sweep follows: what that takes from a tape.
struct Augmented<'t> {
    tapes: &'t mut Tapes,
}

impl Beside for Augmented<'_> {
    fn set_element(&mut self, ssa: &mut Ssa, item: &Item, out: &mut Vec<Stmt>) {
        let Item::SetElement { array, index, value, undo } = item else { unreachable!("a write") };
        if let Some(before) = undo {
            let held = ssa.arena.element(*array, *index);
            out.push(Stmt::Let(*before, held));
        }
        out.push(Stmt::SetElement(*array, *index, *value));
    }

    fn enter_loop(&mut self, ssa: &mut Ssa, it: &Loop, out: &mut Vec<Stmt>) -> bool {
        let tape = Tape::new(ssa, &it.written);
        let first = ssa.arena.i32(0);
        tape.save_arrays(ssa, first, out);
        self.tapes.insert(it.id, tape);
        true
    }
}

impl Reverse {
    /// A sweep over `ssa`, whose kernel has `tensors` tensors and gives cotangents to `targets`.
    pub fn new(
        ssa: Ssa,
        tensors: usize,
        targets: HashMap<usize, Target>,
        stores: HashMap<OutputId, Stored>,
        lean: bool,
    ) -> Reverse {
        let mut reverse = Reverse {
            ssa,
            tapes: Tapes::default(),
            cotangents: HashMap::default(),
            arrays: HashMap::default(),
            targets,
            tensors,
            stores,
            defined_in: HashMap::default(),
            block: 0,
            blocks: 0,
            depth: 0,
            lean,
            finished: Vec::new(),
        };
        for i in 0..reverse.ssa.active_arrays.len() {
            if reverse.ssa.active_arrays[i] {
                let it = reverse.ssa.arena.kernel.arrays[i].clone();
                let array = reverse.ssa.arena.array(&it.name, it.dtype, it.length);
                reverse.arrays.insert(ArrayId(i as u32), array);
            }
        }
        reverse
    }

    /// The statements of a block's forward sweep, with what its reverse sweep needs.
    pub fn augmented(&mut self, items: &[Item]) -> Vec<Stmt> {
        forward(&mut self.ssa, items, &mut Augmented { tapes: &mut self.tapes })
    }

    /// The statements of a block's reverse sweep; `last` says what the values at its end get.
    pub fn block(&mut self, items: &[Item], last: impl FnOnce(&mut Reverse, &mut Vec<Stmt>)) -> Vec<Stmt> {
        self.blocks += 1;
        let outer = std::mem::replace(&mut self.block, self.blocks);
        for item in items {
            let block = self.block;
            let mut define = |local: LocalId| {
                self.defined_in.insert(local, block);
            };
            match item {
                Item::Define(local, _) => define(*local),
                Item::If { merges, .. } => merges.iter().for_each(|merge| define(merge.local)),
                Item::Loop(it) => it.carried.iter().for_each(|one| define(one.local)),
                Item::SetElement { .. } | Item::Store { .. } => {}
            }
        }
        let mut out = Vec::new();
        last(self, &mut out);
        for item in items.iter().rev() {
            self.item(item, &mut out);
        }
        self.block = outer;
        out
    }

    fn item(&mut self, item: &Item, out: &mut Vec<Stmt>) {
        match item {
            Item::Define(local, value) => {
                let Some(g) = self.cotangent(*local) else { return };
                let expr = self.ssa.arena.expr(*value).clone();
                let y = self.ssa.arena.read(*local);
                self.operation(&expr, y, g, out);
                self.forget(*local, out);
            }
            Item::SetElement { array, index, value, undo } => {
                self.written(*array, *index, *value, out);
                if let Some(before) = undo {
                    let before = self.ssa.arena.read(*before);
                    out.push(Stmt::SetElement(*array, *index, before));
                }
            }
            Item::Store { output, indices, value, number } => {
                if self.ssa.is_active(*value)
                    && let Some(stored) = self.stores.get(output).copied()
                {
                    let g = stored_share(&mut self.ssa.arena, stored, indices, *value, *number);
                    self.add(*value, g, out);
                }
            }
            Item::If { condition, then, otherwise, merges } => {
                let given: Vec<_> =
                    merges.iter().filter_map(|merge| Some((merge, self.cotangent(merge.local)?))).collect();
                let then = self.block(then, |it, out| {
                    given.iter().for_each(|&(merge, g)| it.add(merge.then, g, out));
                });
                let otherwise = self.block(otherwise, |it, out| {
                    given.iter().for_each(|&(merge, g)| it.add(merge.otherwise, g, out));
                });
                if !then.is_empty() || !otherwise.is_empty() {
                    out.push(Stmt::If(*condition, then, otherwise));
                }
                merges.iter().for_each(|merge| self.forget(merge.local, out));
            }
            Item::Loop(it) => self.repeat(it, out),
        }
    }

    /// The cotangent that a value has got, if any.
    pub fn cotangent(&mut self, local: LocalId) -> Option<ExprId> {
        let local = self.cotangents.get(&local)?.local;
        Some(self.ssa.arena.read(local))
    }

    /// Zero for the next iteration, unless its first use will replace it.
    pub fn forget(&mut self, local: LocalId, out: &mut Vec<Stmt>) {
        if self.depth > 0
            && let Some(it) = self.cotangents.get(&local)
            && !it.replaced
        {
            let zero = self.ssa.arena.f32(0.0);
            out.push(Stmt::Let(it.local, zero));
        }
    }

    /// A cotangent that `local` has from the start, and keeps until it is assigned.
    pub fn give(&mut self, local: LocalId) -> LocalId {
        let name = self.ssa.arena.kernel.locals[local.index()].name.clone();
        let own = self.ssa.arena.local(&format!("d_{name}"), DType::F32);
        self.cotangents.insert(local, Cotangent { local: own, replaced: false });
        own
    }

    /// Adds to the cotangent of a value, if it has one.
    pub fn add(&mut self, value: ExprId, share: ExprId, out: &mut Vec<Stmt>) {
        if !self.ssa.is_active(value) {
            return;
        }
        match *self.ssa.arena.expr(value) {
            Expr::Local(local) => {
                let own = match self.cotangents.get(&local) {
                    Some(known) => known.local,
                    None => {
                        let own = self.give(local);
                        if self.defined_in.get(&local) == Some(&self.block) {
                            self.cotangents.get_mut(&local).expect("given above").replaced = true;
                            out.push(Stmt::Let(own, share));
                            return;
                        }
                        own
                    }
                };
                self.sum(own, share, out);
            }
            Expr::Scalar(n) => {
                if let Some(Target::Own(_, sum)) = self.targets.get(&(self.tensors + n as usize)) {
                    self.sum(*sum, share, out);
                }
            }
            _ => unreachable!("a value that has derivatives"),
        }
    }

    fn sum(&mut self, local: LocalId, share: ExprId, out: &mut Vec<Stmt>) {
        let before = self.ssa.arena.read(local);
        out.push(Stmt::Let(local, self.ssa.arena.add(before, share)));
    }

    /// The shares of the operands of an operation.
    fn operation(&mut self, expr: &Expr, y: ExprId, g: ExprId, out: &mut Vec<Stmt>) {
        match expr {
            Expr::Load(tensor, indices, edge) => self.loaded(*tensor, indices, *edge, g, out),
            Expr::Element(array, index) => {
                let Some(&own) = self.arrays.get(array) else { return };
                let arena = &mut self.ssa.arena;
                let length = arena.kernel.arrays[array.index()].length;
                let (zero, last) = (arena.i32(0), arena.i32(length as i32 - 1));
                let low = arena.binary(Binary::Max, *index, zero);
                let within = arena.binary(Binary::Min, low, last);
                let before = arena.element(own, within);
                out.push(Stmt::SetElement(own, within, arena.add(before, g)));
            }
            _ => {
                // What several operands get does not depend on what an earlier one got.
                let ssa = &self.ssa;
                let active: Vec<ExprId> = {
                    let mut found = Vec::new();
                    expr.for_each_operand(|x| {
                        if ssa.is_active(x) {
                            found.push(x);
                        }
                    });
                    found
                };
                let shares = shares(&mut self.ssa.arena, expr, y, g, &|x| active.contains(&x));
                for (operand, share) in shares {
                    self.add(operand, share, out);
                }
            }
        }
    }

    /// A load: an add at its index.
    fn loaded(&mut self, tensor: TensorId, indices: &[ExprId], edge: Edge, g: ExprId, out: &mut Vec<Stmt>) {
        let (within, all) = inside(&mut self.ssa.arena, tensor, indices, edge);
        match self.targets.get(&tensor.index()) {
            Some(Target::Scatter(output)) => {
                out.push(Stmt::Store { output: *output, indices: within, value: g, before: None });
            }
            Some(Target::Own(_, sum)) => self.sum(*sum, g, out),
            None => {}
        }
        if let (Edge::Fill(value), Some(all)) = (edge, all) {
            let zero = self.ssa.arena.f32(0.0);
            let share = self.ssa.arena.select(all, zero, g);
            self.add(value, share, out);
        }
    }

    /// A write to an array takes what its element has gathered.
    fn written(&mut self, array: ArrayId, index: ExprId, value: ExprId, out: &mut Vec<Stmt>) {
        let Some(&own) = self.arrays.get(&array) else { return };
        let arena = &mut self.ssa.arena;
        let length = arena.kernel.arrays[array.index()].length;
        let (first, end, zero) = (arena.i32(0), arena.i32(length as i32), arena.f32(0.0));
        let gathered = arena.element(own, index);
        let above = arena.compare(Compare::Ge, index, first);
        let below = arena.compare(Compare::Lt, index, end);
        let within = arena.and(above, below);
        let share = arena.select(within, gathered, zero);
        self.add(value, share, out);
        out.push(Stmt::SetElement(own, index, zero));
    }
}

/// The cotangent of a value that is stored.
fn stored_share(
    arena: &mut Arena,
    stored: Stored,
    indices: &[ExprId],
    value: ExprId,
    number: Option<ExprId>,
) -> ExprId {
    let g = arena.load_or_zero(stored.cotangent, indices);
    let Some(won) = store_counts(arena, stored.owner, stored.last, stored.extreme, indices, value, number)
    else {
        return g;
    };
    let zero = arena.f32(0.0);
    let g = match stored.extreme {
        Some((_, count)) => equal_share(arena, count, indices, g),
        None => g,
    };
    arena.select(won, g, zero)
}

/// What each of those that equal a result gets of a derivative. Where there are none, outside and
/// at NaN, it is not divided by zero, which would be NaN in further derivatives.
pub(super) fn equal_share(arena: &mut Arena, count: TensorId, indices: &[ExprId], g: ExprId) -> ExprId {
    let count = arena.load_or_zero(count, indices);
    let one = arena.literal(Literal::U32(1));
    let count = arena.binary(Binary::Max, count, one);
    let count = arena.cast(DType::F32, count);
    arena.binary(Binary::Div, g, count)
}

/// Whether a store is one that an output's element came from; `None` where all are.
pub(super) fn store_counts(
    arena: &mut Arena,
    owner: Option<TensorId>,
    last: Option<TensorId>,
    extreme: Option<(TensorId, TensorId)>,
    indices: &[ExprId],
    value: ExprId,
    number: Option<ExprId>,
) -> Option<ExprId> {
    let mut won = None;
    if let Some(owner) = owner {
        let owner = arena.load_or_zero(owner, indices);
        let own = invocation(arena);
        won = Some(arena.compare(Compare::Eq, owner, own));
    }
    if let (Some(last), Some(number)) = (last, number) {
        let last = arena.load_or_zero(last, indices);
        let is_last = arena.compare(Compare::Eq, last, number);
        won = Some(match won {
            Some(won) => arena.and(won, is_last),
            None => is_last,
        });
    }
    if let Some((result, _)) = extreme {
        let result = arena.load_or_zero(result, indices);
        won = Some(arena.compare(Compare::Eq, value, result));
    }
    won
}

/// The invocation's number in row-major order, counted from 1, a u32.
pub(super) fn invocation(arena: &mut Arena) -> ExprId {
    let mut number = arena.literal(Literal::U32(0));
    for axis in 0..arena.kernel.rank {
        let extent = arena.push(Expr::GridExtent(axis));
        let at = arena.push(Expr::Index(Coordinate::Grid, axis));
        let [extent, at] = [extent, at].map(|x| arena.cast(DType::U32, x));
        let scaled = arena.mul(number, extent);
        number = arena.add(scaled, at);
    }
    let one = arena.literal(Literal::U32(1));
    arena.add(number, one)
}
