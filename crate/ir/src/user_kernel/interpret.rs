//! Reference interpreter of users' kernels, over f32 or f64 in place of `DType::F32`.
//!
//! It is what lowering and derivatives are tested against, and, over f32, what the CPU device runs.
//! Groups run one after the other in row-major order. The invocations of a group run each statement
//! together, those that take part in it, so that a barrier is nothing. A kernel without groups runs
//! as many invocations together, neighbours in row-major order: choosing an operation costs more
//! than most do. Where it looks at what others have stored, as a print does, which takes the next
//! place in a list, they run one after the other.

use super::column::{self, NOWHERE};
use super::memory::{OutputCells, zero};
use super::reach::Reach;
use super::{Coordinate, Edge, Expr, ExprId, LocalId, SUBGROUP, Stmt, SubgroupOp, UserKernel};
use crate::error::{Error, Result};
use crate::functions::{self, Element, Real};
use crate::interpret::{Data, Value};
use crate::op::function::Binary;
use crate::op::kernel::KernelCall;
use crate::room::check_room;
use crate::shape::Shape;
use std::rc::Rc;

/// The most invocations that run together: those of the largest workgroup.
const MOST: usize = 256;

/// The outputs of a call; `inputs` are the tensors, then the numbers. The call and its inputs are
/// well formed.
///
/// Errors with `OutOfMemory` when there is no room for the outputs, and with `Value` for WGSL.
pub fn run<R: Real>(call: &KernelCall, inputs: &[Value<R>]) -> Result<Vec<Value<R>>> {
    let kernel = &*call.kernel;
    if kernel.source.is_some() {
        let what = "is written in WGSL, which takes a GPU: the CPU device cannot run it";
        return Err(Error::value(&kernel.name, what));
    }
    let bytes = call.shapes.iter().map(|shape| 12 * shape.size() as u64).sum();
    check_room(&kernel.name, bytes)?;
    let (tensors, scalars) = inputs
        .split_at_checked(kernel.tensors.len())
        .ok_or_else(|| Error::value(&kernel.name, "fewer inputs than the kernel has tensors"))?;
    let lanes = match kernel.workgroup {
        Some(sides) => sides.iter().product::<u32>() as usize,
        None if looks_back(kernel) => 1,
        None => call.grid.size().clamp(1, MOST),
    };
    let types = kernel.types().map_err(|(_, rule)| Error::value(&kernel.name, rule.to_string()))?;
    let outputs = kernel.outputs.iter().zip(&call.shapes);
    let mut run = Run {
        kernel,
        grid: &call.grid,
        shapes: &call.shapes,
        tensors,
        plans: plans(kernel),
        values: types.iter().map(|&dtype| Data::filled(zero(dtype), lanes)).collect(),
        locals: kernel.locals.iter().map(|local| Data::filled(zero(local.dtype), lanes)).collect(),
        arrays: kernel
            .arrays
            .iter()
            .map(|array| {
                let copies = if array.shared { 1 } else { lanes };
                Data::filled(zero(array.dtype), array.length as usize * copies)
            })
            .collect(),
        outputs: outputs.map(|(output, shape)| OutputCells::new(output, shape, tensors, lanes > 1)).collect(),
        numbers: vec![0; lanes],
        taking_part: (Mask::default(), Vec::new()),
        positions: vec![0; lanes],
        continued: Mask::default(),
    };
    run.constants(scalars);
    match kernel.workgroup {
        Some(sides) => run.groups(sides),
        None => run.neighbours(),
    }
    run.outputs.into_iter().zip(&call.shapes).map(|(cells, shape)| cells.finish(shape)).collect()
}

/// Whether an invocation looks at what others have stored before.
fn looks_back(kernel: &UserKernel) -> bool {
    let mut open: Vec<&Stmt> = kernel.body.iter().collect();
    while let Some(stmt) = open.pop() {
        if let Stmt::Store { before: Some(_), .. } = stmt {
            return true;
        }
        stmt.for_each_block(|block| open.extend(block));
    }
    false
}

/// Whether an expression's value is there before a statement runs.
fn is_given(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(_) | Expr::Scalar(_) | Expr::Local(_) | Expr::Index(..) => true,
        Expr::GridExtent(_) | Expr::Extent(..) | Expr::OutputExtent(..) => true,
        Expr::Unary(..) | Expr::Binary(..) | Expr::Compare(..) | Expr::Select(..) => false,
        Expr::Cast(..) | Expr::Bitcast(..) | Expr::Load(..) | Expr::Element(..) => false,
        Expr::Subgroup(..) | Expr::Shuffle(..) => false,
    }
}

/// What each expression that a statement mentions evaluates, but for what is given.
fn plans(kernel: &UserKernel) -> Vec<Option<Rc<[ExprId]>>> {
    let mut reach = Reach::new(kernel);
    let mut plans = vec![None; kernel.exprs.len()];
    let mut open: Vec<&Stmt> = kernel.body.iter().collect();
    while let Some(stmt) = open.pop() {
        stmt.for_each_expr(|id| {
            if plans[id.index()].is_none() {
                let evaluated = reach.of(id).into_iter().filter(|id| !is_given(&kernel.exprs[id.index()]));
                plans[id.index()] = Some(evaluated.collect());
            }
        });
        stmt.for_each_block(|block| open.extend(block));
    }
    plans
}

/// Which invocations of a group take part.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Mask([u64; MOST / 64]);

impl Mask {
    fn first(lanes: usize) -> Mask {
        let mut mask = Mask::default();
        (0..lanes).for_each(|lane| mask.set(lane));
        mask
    }

    fn set(&mut self, lane: usize) {
        self.0[lane / 64] |= 1 << (lane % 64);
    }

    fn is_empty(self) -> bool {
        self == Mask::default()
    }

    fn or(self, other: Mask) -> Mask {
        Mask(std::array::from_fn(|n| self.0[n] | other.0[n]))
    }

    fn without(self, other: Mask) -> Mask {
        Mask(std::array::from_fn(|n| self.0[n] & !other.0[n]))
    }

    fn lanes(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(word, bits)| {
            std::iter::successors(Some(bits), |bits| Some(bits & bits.wrapping_sub(1)))
                .take_while(|&bits| bits != 0)
                .map(move |bits| word * 64 + bits.trailing_zeros() as usize)
        })
    }
}

/// Where a block leads the invocations that entered it.
#[derive(Clone, Copy, Default)]
struct Flow {
    /// Those that reach its end.
    active: Mask,
    /// Those that have returned.
    returned: Mask,
}

struct Run<'a, R> {
    kernel: &'a UserKernel,
    grid: &'a Shape,
    shapes: &'a [Shape],
    tensors: &'a [Value<R>],
    plans: Vec<Option<Rc<[ExprId]>>>,
    /// Of each expression, for each invocation that runs with others; of [`Expr::Local`], nothing.
    values: Vec<Data<R>>,
    locals: Vec<Data<R>>,
    arrays: Vec<Data<R>>,
    outputs: Vec<OutputCells<R>>,
    /// The invocations' numbers in row-major order.
    numbers: Vec<u32>,
    /// The last mask that was listed, and its lanes.
    taking_part: (Mask, Vec<u32>),
    /// Where in a tensor the element is that each invocation loads.
    positions: Vec<usize>,
    /// Those that go on with the innermost loop's next iteration.
    continued: Mask,
}

impl<R: Real> Run<'_, R> {
    /// Writes what is the same for all invocations.
    fn constants(&mut self, scalars: &[Value<R>]) {
        let extent = |shape: &Shape, axis: &u32| Element::I32(shape[*axis as usize] as i32);
        for (expr, values) in self.kernel.exprs.iter().zip(&mut self.values) {
            let value = match expr {
                Expr::Literal(literal) => Element::from_literal(*literal),
                Expr::Scalar(n) => scalars[*n as usize].data().element(0),
                Expr::GridExtent(axis) => extent(self.grid, axis),
                Expr::Extent(tensor, axis) => extent(self.tensors[tensor.index()].shape(), axis),
                Expr::OutputExtent(output, axis) => extent(&self.shapes[output.index()], axis),
                _ => continue,
            };
            values.fill(value);
        }
    }

    /// All invocations of a kernel without groups.
    fn neighbours(&mut self) {
        let (size, lanes) = (self.grid.size(), self.numbers.len());
        let inner: Vec<usize> = self.grid.strides();
        for first in (0..size).step_by(lanes) {
            for (lane, number) in self.numbers.iter_mut().enumerate() {
                *number = (first + lane) as u32;
            }
            self.together(lanes.min(size - first), |run, coordinate, axis, lane| match coordinate {
                Coordinate::Grid => {
                    let number = run.numbers[lane] as usize;
                    (number / inner[axis] % run.grid[axis].max(1)) as i32
                }
                Coordinate::Local | Coordinate::Group => 0,
            });
        }
    }

    /// All invocations of a kernel whose groups have these sides, x first.
    fn groups(&mut self, sides: [u32; 3]) {
        let rank = self.grid.rank();
        if self.grid.size() == 0 {
            return;
        }
        let side = |axis: usize| sides.get(rank - 1 - axis).copied().unwrap_or(1) as usize;
        let groups: Vec<usize> = (0..rank).map(|axis| self.grid[axis] / side(axis)).collect();
        // A lane's coordinate in its group, x first.
        let in_group = |lane: usize, axis: usize| {
            let below: u32 = sides[..axis].iter().product();
            (lane as u32 / below % sides[axis]) as i32
        };
        for number in 0..groups.iter().product::<usize>() {
            let (mut rest, mut group, mut first) = (number, [0; 3], vec![0; rank]);
            for axis in (0..rank).rev() {
                let at = rest % groups[axis];
                rest /= groups[axis];
                first[axis] = (at * side(axis)) as i32;
                if let Some(group) = group.get_mut(rank - 1 - axis) {
                    *group = at as i32;
                }
            }
            let in_grid = |axis: usize, lane: usize| {
                let from_last = rank - 1 - axis;
                first[axis] + if from_last < 3 { in_group(lane, from_last) } else { 0 }
            };
            for lane in 0..self.numbers.len() {
                let number =
                    (0..rank).fold(0, |number, axis| number * self.grid[axis] + in_grid(axis, lane) as usize);
                self.numbers[lane] = number as u32;
            }
            self.together(self.numbers.len(), |_, coordinate, axis, lane| match coordinate {
                Coordinate::Local => in_group(lane, axis),
                Coordinate::Group => group[axis],
                Coordinate::Grid => in_grid(axis, lane),
            });
        }
    }

    /// The first `count` invocations of those that run together, from the start to the end; `at`
    /// yields their coordinates.
    fn together(&mut self, count: usize, at: impl Fn(&Self, Coordinate, usize, usize) -> i32) {
        let kernel = self.kernel;
        for (id, expr) in kernel.exprs.iter().enumerate() {
            if let Expr::Index(coordinate, axis) = *expr {
                let found = (0..self.numbers.len()).map(|lane| at(self, coordinate, axis as usize, lane));
                self.values[id] = Data::I32(found.collect());
            }
        }
        for (values, local) in self.locals.iter_mut().zip(&kernel.locals) {
            values.fill(zero(local.dtype));
        }
        for (cells, array) in self.arrays.iter_mut().zip(&kernel.arrays) {
            cells.fill(zero(array.dtype));
        }
        self.block(&kernel.body, Mask::first(count));
    }

    fn block(&mut self, block: &[Stmt], active: Mask) -> Flow {
        let mut flow = Flow { active, returned: Mask::default() };
        for stmt in block {
            if flow.active.is_empty() {
                break;
            }
            let next = self.stmt(stmt, flow.active);
            flow = Flow { active: next.active, returned: flow.returned.or(next.returned) };
        }
        flow
    }

    fn stmt(&mut self, stmt: &Stmt, active: Mask) -> Flow {
        let none = Mask::default();
        match stmt {
            Stmt::Let(local, value) => {
                self.evaluate(*value, active);
                self.assign(*local, *value);
            }
            Stmt::SetElement(array, index, value) => {
                self.evaluate(*index, active);
                self.evaluate(*value, active);
                for lane in active.lanes() {
                    let index = self.whole(*index, lane);
                    let declared = &self.kernel.arrays[array.index()];
                    if (0..i64::from(declared.length)).contains(&i64::from(index)) {
                        let first = if declared.shared { 0 } else { lane * declared.length as usize };
                        let value = self.element(*value, lane);
                        self.arrays[array.index()].set(first + index as usize, value);
                    }
                }
            }
            Stmt::Store { output, indices, value, before } => {
                for id in indices.iter().chain([value]) {
                    self.evaluate(*id, active);
                }
                for lane in active.lanes() {
                    self.store(output.index(), indices, *value, *before, lane);
                }
            }
            Stmt::If(condition, then, otherwise) => {
                let chosen = self.holds(*condition, active);
                let first = self.block(then, chosen);
                let second = self.block(otherwise, active.without(chosen));
                return Flow {
                    active: first.active.or(second.active),
                    returned: first.returned.or(second.returned),
                };
            }
            Stmt::For { counter, from, to, step, body } => {
                self.evaluate(*from, active);
                self.evaluate(*to, active);
                let bounds: Vec<[i64; 2]> = (0..self.numbers.len())
                    .map(|lane| [from, to].map(|id| i64::from(self.whole(*id, lane))))
                    .collect();
                let step = i64::from(*step);
                return self.iterations(body, active, |run, iteration, live| {
                    let mut next = Mask::default();
                    for lane in live.lanes() {
                        let [from, to] = bounds[lane];
                        let at = from.saturating_add(step.saturating_mul(iteration));
                        if if step > 0 { at < to } else { at > to } {
                            next.set(lane);
                            run.locals[counter.index()].set(lane, Element::I32(at as i32));
                        }
                    }
                    next
                });
            }
            Stmt::While { condition, limit, body } => {
                return self.iterations(body, active, |run, iteration, live| {
                    if iteration < i64::from(*limit) { run.holds(*condition, live) } else { none }
                });
            }
            Stmt::Break => return Flow::default(),
            Stmt::Continue => {
                self.continued = self.continued.or(active);
                return Flow::default();
            }
            Stmt::Return => return Flow { active: none, returned: active },
            Stmt::Barrier => {}
        }
        Flow { active, returned: none }
    }

    /// A loop's iterations; `begin` says which of those that are still in it begin another.
    fn iterations(
        &mut self,
        body: &[Stmt],
        active: Mask,
        mut begin: impl FnMut(&mut Self, i64, Mask) -> Mask,
    ) -> Flow {
        let (mut live, mut returned) = (active, Mask::default());
        let outside = std::mem::take(&mut self.continued);
        for iteration in 0.. {
            live = begin(self, iteration, live);
            if live.is_empty() {
                break;
            }
            let flow = self.block(body, live);
            returned = returned.or(flow.returned);
            live = flow.active.or(std::mem::take(&mut self.continued));
        }
        self.continued = outside;
        Flow { active: active.without(returned), returned }
    }

    fn holds(&mut self, condition: ExprId, active: Mask) -> Mask {
        self.evaluate(condition, active);
        let Data::Bool(holds) = self.column(condition) else { unreachable!("a condition is bool") };
        let mut mask = Mask::default();
        active.lanes().filter(|&lane| holds[lane]).for_each(|lane| mask.set(lane));
        mask
    }

    fn store(
        &mut self,
        output: usize,
        indices: &[ExprId],
        value: ExprId,
        before: Option<LocalId>,
        lane: usize,
    ) {
        let shape = &self.shapes[output];
        let mut flat = 0;
        for (&index, &extent) in indices.iter().zip(shape.iter()) {
            let index = i64::from(self.whole(index, lane));
            if !(0..extent as i64).contains(&index) {
                return;
            }
            flat = flat * extent + index as usize;
        }
        let (value, number) = (self.element(value, lane), self.numbers[lane]);
        let old = self.outputs[output].store(flat, value, number);
        if let Some(before) = before {
            self.locals[before.index()].set(lane, old);
        }
    }

    /// What an expression is for each invocation.
    fn column(&self, id: ExprId) -> &Data<R> {
        match self.kernel.exprs[id.index()] {
            Expr::Local(local) => &self.locals[local.index()],
            _ => &self.values[id.index()],
        }
    }

    fn element(&self, id: ExprId, lane: usize) -> Element<R> {
        self.column(id).element(lane)
    }

    fn whole(&self, id: ExprId, lane: usize) -> i32 {
        match self.column(id) {
            Data::I32(values) => values[lane],
            other => unreachable!("a coordinate is i32, not {}", other.dtype()),
        }
    }

    /// Lists those that take part.
    fn list(&mut self, active: Mask) {
        if self.taking_part.0 != active {
            self.taking_part.0 = active;
            self.taking_part.1.clear();
            self.taking_part.1.extend(active.lanes().map(|lane| lane as u32));
        }
    }

    /// Assigns a local for those that are listed.
    fn assign(&mut self, local: LocalId, value: ExprId) {
        let mut out = std::mem::replace(&mut self.locals[local.index()], Data::Bool(Vec::new()));
        // What is assigned may be the local itself, which changes nothing.
        if !matches!(self.kernel.exprs[value.index()], Expr::Local(same) if same == local) {
            column::copy(self.column(value), &mut out, &self.taking_part.1);
        }
        self.locals[local.index()] = out;
    }

    /// Evaluates an expression that a statement mentions, and what it is made of.
    fn evaluate(&mut self, root: ExprId, active: Mask) {
        self.list(active);
        let plan = self.plans[root.index()].clone().expect("every mentioned expression has a plan");
        for &id in &*plan {
            let mut out = std::mem::replace(&mut self.values[id.index()], Data::Bool(Vec::new()));
            self.compute(id, &mut out);
            self.values[id.index()] = out;
        }
    }

    /// One expression for those that are listed, of operands that have been evaluated.
    fn compute(&mut self, id: ExprId, out: &mut Data<R>) {
        let kernel = self.kernel;
        match &kernel.exprs[id.index()] {
            Expr::Unary(op, x) => column::unary(*op, self.column(*x), out, &self.taking_part.1),
            Expr::Binary(op, a, b) => {
                column::binary(*op, self.column(*a), self.column(*b), out, &self.taking_part.1);
            }
            Expr::Compare(op, a, b) => {
                column::compare(*op, self.column(*a), self.column(*b), out, &self.taking_part.1);
            }
            Expr::Select(condition, a, b) => {
                let condition = self.column(*condition);
                column::select(condition, self.column(*a), self.column(*b), out, &self.taking_part.1);
            }
            Expr::Cast(to, x) => column::cast(*to, self.column(*x), out, &self.taking_part.1),
            Expr::Bitcast(to, x) => column::bitcast(*to, self.column(*x), out, &self.taking_part.1),
            Expr::Load(tensor, indices, edge) => {
                let tensor = &self.tensors[tensor.index()];
                self.find(tensor.shape(), indices, *edge);
                let beyond = if let Edge::Fill(value) = edge { Some(self.column(*value)) } else { None };
                column::load(tensor.data(), &self.positions, beyond, out, &self.taking_part.1);
            }
            Expr::Element(array, index) => {
                let declared = &kernel.arrays[array.index()];
                let length = declared.length as usize;
                for &lane in &self.taking_part.1 {
                    let lane = lane as usize;
                    let index = self.whole(*index, lane).clamp(0, length as i32 - 1) as usize;
                    self.positions[lane] = index + if declared.shared { 0 } else { lane * length };
                }
                column::load(&self.arrays[array.index()], &self.positions, None, out, &self.taking_part.1);
            }
            Expr::Subgroup(..) | Expr::Shuffle(..) => self.across(id, out),
            Expr::Literal(_) | Expr::Scalar(_) | Expr::Local(_) | Expr::Index(..) => {}
            Expr::GridExtent(_) | Expr::Extent(..) | Expr::OutputExtent(..) => {}
        }
    }

    /// Finds where in row-major order the elements at coordinates are.
    fn find(&mut self, shape: &Shape, indices: &[ExprId], edge: Edge) {
        let mut positions = std::mem::take(&mut self.positions);
        let lanes = &self.taking_part.1;
        lanes.iter().for_each(|&lane| positions[lane as usize] = 0);
        for (&index, &extent) in indices.iter().zip(shape.iter()) {
            let Data::I32(index) = self.column(index) else { unreachable!("a coordinate is i32") };
            for &lane in lanes {
                let flat = &mut positions[lane as usize];
                *flat = match within(index[lane as usize], extent, edge) {
                    Some(index) if *flat != NOWHERE => *flat * extent + index,
                    _ => NOWHERE,
                };
            }
        }
        self.positions = positions;
    }

    /// An operation across the subgroups of those that are listed.
    fn across(&self, id: ExprId, out: &mut Data<R>) {
        let subgroup = |lane: u32| lane / SUBGROUP;
        for lanes in self.taking_part.1.chunk_by(|a, b| subgroup(*a) == subgroup(*b)) {
            self.across_subgroup(id, lanes, out);
        }
    }

    /// The same for the invocations of one subgroup.
    fn across_subgroup(&self, id: ExprId, lanes: &[u32], out: &mut Data<R>) {
        let of = |x: ExprId, lane: u32| self.element(x, lane as usize);
        match self.kernel.exprs[id.index()] {
            Expr::Subgroup(SubgroupOp::AddBefore, x) => {
                let mut total = zero(out.dtype());
                for &lane in lanes {
                    out.set(lane as usize, total);
                    total = functions::binary(Binary::Add, total, of(x, lane));
                }
            }
            Expr::Subgroup(op, x) => {
                let binary = match op {
                    SubgroupOp::Add | SubgroupOp::AddBefore => Binary::Add,
                    SubgroupOp::Min => Binary::Min,
                    SubgroupOp::Max => Binary::Max,
                };
                let values = lanes.iter().map(|&lane| of(x, lane));
                let total = values.reduce(|a, b| functions::binary(binary, a, b));
                let total = total.expect("a chunk has a lane");
                lanes.iter().for_each(|&lane| out.set(lane as usize, total));
            }
            Expr::Shuffle(x, from) => {
                for &lane in lanes {
                    let Element::U32(from) = of(from, lane) else { continue };
                    let from = lanes[(from as usize).min(lanes.len() - 1)];
                    out.set(lane as usize, of(x, from));
                }
            }
            _ => {}
        }
    }
}

/// Where along an axis of `extent` the element is that a load at `index` yields; `None` where there
/// is none.
fn within(index: i32, extent: usize, edge: Edge) -> Option<usize> {
    if usize::try_from(index).is_ok_and(|index| index < extent) {
        return Some(index as usize);
    }
    let (index, extent) = (i64::from(index), extent as i64);
    if extent == 0 {
        return None;
    }
    let inside = match edge {
        Edge::Clamp => index.clamp(0, extent - 1),
        Edge::Wrap => index.rem_euclid(extent),
        Edge::Mirror => {
            let period = (2 * (extent - 1)).max(1);
            let within = index.rem_euclid(period);
            within.min(period - within).min(extent - 1)
        }
        Edge::Fill(_) => return None,
    };
    Some(inside as usize)
}
