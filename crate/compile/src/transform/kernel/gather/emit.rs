//! The kernel that gathers: an invocation for each element of an input, which visits the stores
//! that would have met there.

use super::site::{Beyond, Domain, Met, Plan};
use super::structure::{Pure, Structure, What};
use crate::transform::kernel::arena::Arena;
use weft_ir::op::{Binary, Compare};
use weft_ir::user_kernel::{
    Combine, Coordinate, Expr, ExprId, Initial, LocalId, Output, OutputId, Stmt, TensorId, UserKernel,
};
use weft_ir::{DType, HashMap, Literal, Shape};

/// What a store adds.
pub(super) enum Source {
    Pure(Pure),
    /// What an earlier kernel stored at the coordinates of the invocation and then at the numbers
    /// of the iterations of some loops.
    Stored {
        tensor: TensorId,
        loops: Vec<usize>,
    },
}

/// A store to be gathered.
pub(super) struct Gathered {
    pub plan: Plan,
    /// Conditions around it that are functions of coordinates, and whether they have to hold.
    pub guards: Vec<(Pure, bool)>,
    pub source: Source,
}

/// What is around a statement.
enum Around {
    If(ExprId),
    For { counter: LocalId, from: ExprId, to: ExprId },
}

pub(super) struct Gather<'s, 'k> {
    structure: &'s Structure<'k>,
    arena: Arena,
    output: OutputId,
    sum: LocalId,
    shape: &'s Shape,
    /// Axes of the grid along which there are invocations for each element.
    parallel: &'s [u32],
}

/// What coordinates and counters are in this kernel.
#[derive(Default)]
struct Known {
    axes: HashMap<u32, ExprId>,
    counters: HashMap<LocalId, ExprId>,
}

impl<'s, 'k> Gather<'s, 'k> {
    /// Of an input of `shape`, with `stored` tensors of an earlier kernel beside those of the
    /// kernel.
    pub fn new(
        structure: &'s Structure<'k>,
        name: &str,
        shape: &'s Shape,
        parallel: &'s [u32],
        stored: &[(String, u32)],
    ) -> Gather<'s, 'k> {
        let kernel = structure.kernel;
        let rank = (shape.rank() + parallel.len()) as u32;
        let mut empty = UserKernel::new(&kernel.name, rank);
        empty.tensors.clone_from(&kernel.tensors);
        empty.scalars.clone_from(&kernel.scalars);
        let mut arena = Arena::like(&empty);
        for (name, rank) in stored {
            arena.tensor(name, DType::F32, *rank);
        }
        let (combine, initial) = (Combine::Set, Initial::Value(Literal::F32(0.0)));
        let output =
            arena.output(Output { name: name.to_string(), dtype: DType::F32, rank, combine, initial });
        let sum = arena.local(name, DType::F32);
        Gather { structure, arena, output, sum, shape, parallel }
    }

    /// The kernel that gathers these.
    pub fn kernel(mut self, stores: &[Gathered]) -> UserKernel {
        let zero = self.arena.f32(0.0);
        let mut body = vec![Stmt::Let(self.sum, zero)];
        for store in stores {
            body.extend(self.store(store));
        }
        let (indices, value) = (self.arena.own(), self.arena.read(self.sum));
        body.push(Stmt::Store { output: self.output, indices, value, before: None });
        self.arena.finish(body)
    }

    fn store(&mut self, store: &Gathered) -> Vec<Stmt> {
        let mut known = Known::default();
        let mut around: Vec<Around> = Vec::new();
        for (n, &axis) in self.parallel.iter().enumerate() {
            let at = self.arena.push(Expr::Index(Coordinate::Grid, (self.shape.rank() + n) as u32));
            known.axes.insert(axis, at);
        }
        for (block, [from, to]) in &store.plan.loops {
            let What::Loop { counter, step, .. } = self.structure.blocks[*block].what else {
                unreachable!("plans have loops")
            };
            let (from, to) = (self.written(from, &known), self.written(to, &known));
            let at = match store.plan.solves(Domain::Loop(*block)) {
                Some((axis, met)) => {
                    let one = self.arena.i32(1);
                    let bounds = match step {
                        1 => [from, to],
                        _ => [self.arena.add(to, one), self.arena.add(from, one)],
                    };
                    let trips = self.structure.trips(*block);
                    self.solved(axis, met, bounds, trips, &known, &mut around)
                }
                None => self.iterate(*block, from, to, step, &mut around),
            };
            known.counters.insert(counter, at);
        }
        for (axis, &extent) in (0..).zip(self.structure.grid.iter()) {
            let bounds = [self.arena.i32(0), self.arena.i32(extent as i32)];
            let at = match store.plan.solves(Domain::Grid(axis)) {
                Some((index, met)) => {
                    self.solved(index, met, bounds, Some(extent as i64), &known, &mut around)
                }
                None if known.axes.contains_key(&axis) => continue,
                None => self.count("q", bounds, &mut around),
            };
            known.axes.insert(axis, at);
        }
        for (axis, met) in (0..).zip(&store.plan.indices) {
            if let Met::Compared(index) = met {
                let index = self.written(index, &known);
                let here = self.arena.push(Expr::Index(Coordinate::Grid, axis));
                around.push(Around::If(self.arena.compare(Compare::Eq, index, here)));
            }
        }
        for (condition, holds) in &store.guards {
            let condition = self.written(condition, &known);
            around.push(Around::If(if *holds { condition } else { self.arena.not(condition) }));
        }
        let value = match &store.source {
            Source::Pure(it) => self.written(it, &known),
            Source::Stored { tensor, loops } => {
                let mut at: Vec<ExprId> =
                    (0..self.structure.kernel.rank).map(|axis| known.axes[&axis]).collect();
                at.extend(loops.iter().map(|&block| self.iteration(block, store, &known)));
                self.arena.load_or_zero(*tensor, &at)
            }
        };
        let before = self.arena.read(self.sum);
        let mut inner = vec![Stmt::Let(self.sum, self.arena.add(before, value))];
        for one in around.into_iter().rev() {
            inner = vec![match one {
                Around::If(condition) => Stmt::If(condition, inner, Vec::new()),
                Around::For { counter, from, to } => Stmt::For { counter, from, to, step: 1, body: inner },
            }];
        }
        inner
    }

    fn written(&mut self, it: &Pure, known: &Known) -> ExprId {
        let structure = self.structure;
        structure.written(it, &mut self.arena, &|arena, expr| match *expr {
            Expr::Index(Coordinate::Grid, axis) => Some(known.axes[&axis]),
            Expr::Local(local) => known.counters.get(&local).copied(),
            Expr::GridExtent(axis) => Some(arena.i32(structure.grid[axis as usize] as i32)),
            _ => None,
        })
    }

    /// A loop over a range.
    fn count(&mut self, name: &str, [from, to]: [ExprId; 2], around: &mut Vec<Around>) -> ExprId {
        let counter = self.arena.local(name, DType::I32);
        around.push(Around::For { counter, from, to });
        self.arena.read(counter)
    }

    /// A loop of the kernel, by the numbers of its iterations.
    fn iterate(
        &mut self,
        block: usize,
        from: ExprId,
        to: ExprId,
        step: i32,
        around: &mut Vec<Around>,
    ) -> ExprId {
        if step == 1 {
            return self.count("k", [from, to], around);
        }
        let trips = match self.structure.trips(block) {
            Some(trips) => self.arena.i32(trips as i32),
            None => crate::transform::kernel::jumps::count(&mut self.arena, from, to, step),
        };
        let zero = self.arena.i32(0);
        let number = self.count("k", [zero, trips], around);
        crate::transform::kernel::jumps::at_iteration(&mut self.arena, from, step, number)
    }

    /// The number of an iteration.
    fn iteration(&mut self, block: usize, store: &Gathered, known: &Known) -> ExprId {
        let What::Loop { counter, step, .. } = self.structure.blocks[block].what else {
            unreachable!("plans have loops")
        };
        let (_, [from, _]) =
            store.plan.loops.iter().find(|(it, _)| *it == block).expect("a loop around the store");
        let from = self.written(from, known);
        iteration(&mut self.arena, known.counters[&counter], from, step)
    }

    /// The values of a coordinate, in `bounds`, for which an index is the element's.
    fn solved(
        &mut self,
        axis: usize,
        met: &Met,
        bounds: [ExprId; 2],
        count: Option<i64>,
        known: &Known,
        around: &mut Vec<Around>,
    ) -> ExprId {
        let Met::Solved { negative, offset, beyond, .. } = met else { unreachable!("a solved index") };
        let negative = *negative;
        let mut sum: Option<ExprId> = None;
        for (minus, it) in offset {
            let x = self.written(it, known);
            let zero = self.arena.i32(0);
            sum = Some(match (sum, minus) {
                (None, false) => x,
                (None, true) => self.arena.sub(zero, x),
                (Some(sum), false) => self.arena.add(sum, x),
                (Some(sum), true) => self.arena.sub(sum, x),
            });
        }
        let extent = self.shape[axis] as i64;
        let p = self.arena.push(Expr::Index(Coordinate::Grid, axis as u32));
        // The coordinate at which the index is u.
        let at = |arena: &mut Arena, u: ExprId| match (sum, negative) {
            (None, false) => u,
            (None, true) => {
                let zero = arena.i32(0);
                arena.sub(zero, u)
            }
            (Some(c), false) => arena.sub(u, c),
            (Some(c), true) => arena.sub(c, u),
        };
        let beyond =
            if sum.is_none() && !negative && self.fits(bounds, extent) { Beyond::Dropped } else { *beyond };
        match beyond {
            Beyond::Dropped => {
                let q = at(&mut self.arena, p);
                self.within(q, bounds, around);
                q
            }
            Beyond::Clamped => {
                let [first, last] = [0, extent - 1].map(|x| self.arena.i32(x as i32));
                let arena = &mut self.arena;
                let q = at(arena, p);
                let one = arena.i32(1);
                let end = arena.add(q, one);
                let [is_first, is_last] = [first, last].map(|edge| arena.compare(Compare::Eq, p, edge));
                let (below, above) = if negative { (is_last, is_first) } else { (is_first, is_last) };
                let from = arena.select(below, bounds[0], q);
                let from = arena.binary(Binary::Max, from, bounds[0]);
                let to = arena.select(above, bounds[1], end);
                let to = arena.binary(Binary::Min, to, bounds[1]);
                self.count("q", [from, to], around)
            }
            Beyond::Wrapped => self.periodic(p, extent, bounds, count, &at, around),
            Beyond::Mirrored => {
                let [zero, two, last] = [0, 2, extent - 1].map(|x| self.arena.i32(x as i32));
                let side = self.count("side", [zero, two], around);
                let arena = &mut self.arena;
                let is_there = arena.compare(Compare::Eq, side, zero);
                let [first, last] = [zero, last].map(|edge| arena.compare(Compare::Ne, p, edge));
                let between = arena.and(first, last);
                let is_other = arena.binary(Binary::Or, is_there, between);
                around.push(Around::If(is_other));
                let back = arena.sub(zero, p);
                let u = arena.select(is_there, p, back);
                self.periodic(u, (2 * (extent - 1)).max(1), bounds, count, &at, around)
            }
        }
    }

    /// Whether bounds are known to be those of an axis of `extent`, or within.
    fn fits(&self, [from, to]: [ExprId; 2], extent: i64) -> bool {
        let literal = |x: ExprId| match *self.arena.expr(x) {
            Expr::Literal(Literal::I32(x)) => Some(i64::from(x)),
            _ => None,
        };
        literal(from).is_some_and(|from| from >= 0) && literal(to).is_some_and(|to| to <= extent)
    }

    /// The coordinates at which an index is u plus any multiple of a period.
    fn periodic(
        &mut self,
        u: ExprId,
        period: i64,
        bounds: [ExprId; 2],
        count: Option<i64>,
        at: &dyn Fn(&mut Arena, ExprId) -> ExprId,
        around: &mut Vec<Around>,
    ) -> ExprId {
        let arena = &mut self.arena;
        let (zero, by) = (arena.i32(0), arena.i32(period as i32));
        let one = at(arena, u);
        let from_first = if bounds[0] == zero { one } else { arena.sub(one, bounds[0]) };
        let mut q = arena.binary(Binary::Rem, from_first, by);
        if bounds[0] != zero {
            q = arena.add(q, bounds[0]);
        }
        let times = (count.expect("known of what goes round") + period - 1) / period;
        if times > 1 {
            let times = arena.i32(times as i32);
            let round = self.count("round", [zero, times], around);
            let ahead = self.arena.mul(round, by);
            q = self.arena.add(q, ahead);
        }
        let end = self.arena.compare(Compare::Lt, q, bounds[1]);
        around.push(Around::If(end));
        q
    }

    fn within(&mut self, q: ExprId, bounds: [ExprId; 2], around: &mut Vec<Around>) {
        let above = self.arena.compare(Compare::Ge, q, bounds[0]);
        let below = self.arena.compare(Compare::Lt, q, bounds[1]);
        around.push(Around::If(self.arena.and(above, below)));
    }
}

/// The number of the iteration in which a counter has a value.
pub(super) fn iteration(arena: &mut Arena, counter: ExprId, from: ExprId, step: i32) -> ExprId {
    let zero = arena.i32(0);
    let ahead = if from == zero { counter } else { arena.sub(counter, from) };
    match step {
        1 => ahead,
        _ => {
            let step = arena.i32(step);
            arena.binary(Binary::Div, ahead, step)
        }
    }
}
