//! Reference interpreter of users' kernels, over f32 or f64 in place of `DType::F32`.
//!
//! It is what lowering and derivatives are tested against, and, over f32, what the CPU device runs.
//! Groups run one after the other in row-major order; the invocations of a group run each statement
//! together, those that take part in it one after the other, so that a barrier is nothing. A kernel
//! without groups has groups of one.

use super::memory::{Cells, OutputCells};
use super::reach::Reach;
use super::{Coordinate, Edge, Expr, ExprId, LocalId, SUBGROUP, Stmt, SubgroupOp, UserKernel};
use crate::dtype::{DType, Literal};
use crate::error::{Error, Result};
use crate::functions::{self, Element, Real};
use crate::interpret::Value;
use crate::op::function::Binary;
use crate::op::kernel::KernelCall;
use crate::room::check_room;
use crate::shape::Shape;
use std::rc::Rc;

/// The most invocations of a workgroup.
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
    let sides = kernel.workgroup.unwrap_or([1; 3]);
    let lanes = sides.iter().product::<u32>() as usize;
    let types = kernel.types().map_err(|(_, rule)| Error::value(&kernel.name, rule.to_string()))?;
    let zeros: Vec<Element<R>> = kernel.locals.iter().map(|local| zero(local.dtype)).collect();
    let outputs = kernel.outputs.iter().zip(&call.shapes);
    let mut run = Run {
        kernel,
        grid: &call.grid,
        shapes: &call.shapes,
        tensors,
        scalars: scalars.iter().map(|scalar| scalar.element(0)).collect(),
        plans: plans(kernel),
        values: types.iter().map(|&dtype| vec![zero(dtype); lanes]).collect(),
        locals: zeros.iter().map(|&zero| vec![zero; lanes]).collect(),
        arrays: kernel
            .arrays
            .iter()
            .map(|array| {
                let copies = if array.shared { 1 } else { lanes };
                Cells::filled(zero(array.dtype), array.length as usize * copies)
            })
            .collect(),
        outputs: outputs.map(|(output, shape)| OutputCells::new(output, shape, tensors, lanes > 1)).collect(),
        sides,
        group: [0; 3],
        first: vec![0; call.grid.rank()],
        continued: Mask::default(),
        lanes,
    };
    run.all();
    run.outputs.into_iter().zip(&call.shapes).map(|(cells, shape)| cells.finish(shape)).collect()
}

fn zero<R: Real>(dtype: DType) -> Element<R> {
    Element::from_literal(Literal::zero(dtype))
}

/// What each expression that a statement mentions evaluates.
fn plans(kernel: &UserKernel) -> Vec<Option<Rc<[ExprId]>>> {
    let mut reach = Reach::new(kernel);
    let mut plans = vec![None; kernel.exprs.len()];
    let mut open: Vec<&Stmt> = kernel.body.iter().collect();
    while let Some(stmt) = open.pop() {
        stmt.for_each_expr(|id| {
            if plans[id.index()].is_none() {
                plans[id.index()] = Some(Rc::from(reach.of(id)));
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
    scalars: Vec<Element<R>>,
    plans: Vec<Option<Rc<[ExprId]>>>,
    /// Of each expression, for each invocation of the group.
    values: Vec<Vec<Element<R>>>,
    locals: Vec<Vec<Element<R>>>,
    arrays: Vec<Cells<R>>,
    outputs: Vec<OutputCells<R>>,
    sides: [u32; 3],
    /// The group's coordinates, x first.
    group: [i32; 3],
    /// The coordinates of the group's first invocation.
    first: Vec<i32>,
    /// Those that go on with the innermost loop's next iteration.
    continued: Mask,
    lanes: usize,
}

impl<R: Real> Run<'_, R> {
    fn all(&mut self) {
        let rank = self.grid.rank();
        if self.grid.size() == 0 {
            return;
        }
        let side = |axis: usize| self.sides.get(rank - 1 - axis).copied().unwrap_or(1) as usize;
        let groups: Vec<usize> = (0..rank).map(|axis| self.grid[axis] / side(axis)).collect();
        let sides: Vec<usize> = (0..rank).map(side).collect();
        for number in 0..groups.iter().product::<usize>() {
            let mut rest = number;
            for axis in (0..rank).rev() {
                let at = rest % groups[axis];
                rest /= groups[axis];
                self.first[axis] = (at * sides[axis]) as i32;
                if let Some(group) = self.group.get_mut(rank - 1 - axis) {
                    *group = at as i32;
                }
            }
            for (values, local) in self.locals.iter_mut().zip(&self.kernel.locals) {
                values.fill(zero(local.dtype));
            }
            for (cells, array) in self.arrays.iter_mut().zip(&self.kernel.arrays) {
                cells.fill(zero(array.dtype));
            }
            let kernel = self.kernel;
            self.block(&kernel.body, Mask::first(self.lanes));
        }
    }

    /// An invocation's coordinate in its group, x first.
    fn in_group(&self, lane: usize, axis: usize) -> i32 {
        let below: u32 = self.sides[..axis].iter().product();
        (lane as u32 / below % self.sides[axis]) as i32
    }

    fn coordinate(&self, of: Coordinate, axis: usize, lane: usize) -> i32 {
        match of {
            Coordinate::Local => self.in_group(lane, axis),
            Coordinate::Group => self.group[axis],
            Coordinate::Grid => {
                let from_last = self.grid.rank() - 1 - axis;
                self.first[axis] + if from_last < 3 { self.in_group(lane, from_last) } else { 0 }
            }
        }
    }

    /// An invocation's number in row-major order.
    fn number(&self, lane: usize) -> usize {
        let at = |axis| self.coordinate(Coordinate::Grid, axis, lane) as usize;
        (0..self.grid.rank()).fold(0, |number, axis| number * self.grid[axis] + at(axis))
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
                for lane in active.lanes() {
                    self.locals[local.index()][lane] = self.values[value.index()][lane];
                }
            }
            Stmt::SetElement(array, index, value) => {
                self.evaluate(*index, active);
                self.evaluate(*value, active);
                for lane in active.lanes() {
                    let index = self.whole(*index, lane);
                    let declared = &self.kernel.arrays[array.index()];
                    if (0..i64::from(declared.length)).contains(&i64::from(index)) {
                        let first = if declared.shared { 0 } else { lane * declared.length as usize };
                        let value = self.values[value.index()][lane];
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
                let bounds: Vec<[i64; 2]> = (0..self.lanes)
                    .map(|lane| [from, to].map(|id| if_any(self.values[id.index()][lane])))
                    .collect();
                let step = i64::from(*step);
                return self.iterations(body, active, |run, iteration, live| {
                    let mut next = Mask::default();
                    for lane in live.lanes() {
                        let [from, to] = bounds[lane];
                        let at = from.saturating_add(step.saturating_mul(iteration));
                        if if step > 0 { at < to } else { at > to } {
                            next.set(lane);
                            run.locals[counter.index()][lane] = Element::I32(at as i32);
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
        let mut mask = Mask::default();
        for lane in active.lanes() {
            if self.values[condition.index()][lane] == Element::Bool(true) {
                mask.set(lane);
            }
        }
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
        let (value, number) = (self.values[value.index()][lane], self.number(lane));
        let old = self.outputs[output].store(flat, value, number);
        if let Some(before) = before {
            self.locals[before.index()][lane] = old;
        }
    }

    fn whole(&self, id: ExprId, lane: usize) -> i32 {
        match self.values[id.index()][lane] {
            Element::I32(value) => value,
            other => unreachable!("a coordinate is i32, not {}", other.dtype()),
        }
    }

    /// Evaluates an expression that a statement mentions, and what it is made of.
    fn evaluate(&mut self, root: ExprId, active: Mask) {
        let plan = self.plans[root.index()].clone().expect("every mentioned expression has a plan");
        for &id in &*plan {
            if let Expr::Subgroup(..) | Expr::Shuffle(..) = self.kernel.exprs[id.index()] {
                self.across(id, active);
                continue;
            }
            for lane in active.lanes() {
                let value = self.element(&self.kernel.exprs[id.index()], lane);
                self.values[id.index()][lane] = value;
            }
        }
    }

    fn element(&self, expr: &Expr, lane: usize) -> Element<R> {
        let of = |id: &ExprId| self.values[id.index()][lane];
        let extent = |shape: &Shape, axis: &u32| Element::I32(shape[*axis as usize] as i32);
        match expr {
            Expr::Literal(literal) => Element::from_literal(*literal),
            Expr::Local(local) => self.locals[local.index()][lane],
            Expr::Scalar(n) => self.scalars[*n as usize],
            Expr::Index(coordinate, axis) => Element::I32(self.coordinate(*coordinate, *axis as usize, lane)),
            Expr::GridExtent(axis) => extent(self.grid, axis),
            Expr::Extent(tensor, axis) => extent(self.tensors[tensor.index()].shape(), axis),
            Expr::OutputExtent(output, axis) => extent(&self.shapes[output.index()], axis),
            Expr::Unary(op, x) => functions::unary(*op, of(x)),
            Expr::Binary(op, a, b) => functions::binary(*op, of(a), of(b)),
            Expr::Compare(op, a, b) => Element::Bool(functions::compare(*op, of(a), of(b))),
            Expr::Select(condition, a, b) => {
                if of(condition) == Element::Bool(true) {
                    of(a)
                } else {
                    of(b)
                }
            }
            Expr::Cast(to, x) => functions::cast(*to, of(x)),
            Expr::Bitcast(to, x) => functions::bitcast(*to, of(x)),
            Expr::Load(tensor, indices, edge) => {
                let tensor = &self.tensors[tensor.index()];
                let at = indices.iter().map(|&index| self.whole(index, lane));
                match position(tensor.shape(), at, *edge) {
                    Some(flat) => tensor.element(flat),
                    None => match edge {
                        Edge::Fill(value) => of(value),
                        _ => zero(tensor.dtype()),
                    },
                }
            }
            Expr::Element(array, index) => {
                let declared = &self.kernel.arrays[array.index()];
                let index = self.whole(*index, lane).clamp(0, declared.length as i32 - 1) as usize;
                let first = if declared.shared { 0 } else { lane * declared.length as usize };
                self.arrays[array.index()].get(first + index)
            }
            Expr::Subgroup(..) | Expr::Shuffle(..) => unreachable!("evaluated for all together"),
        }
    }

    /// An operation across the subgroup, which is the whole group.
    fn across(&mut self, id: ExprId, active: Mask) {
        let all: Vec<usize> = active.lanes().collect();
        for lanes in all.chunk_by(|a, b| a / SUBGROUP as usize == b / SUBGROUP as usize) {
            self.across_subgroup(id, lanes);
        }
    }

    /// The same for the invocations of one subgroup.
    fn across_subgroup(&mut self, id: ExprId, lanes: &[usize]) {
        let of = |values: &[Vec<Element<R>>], x: ExprId, lane: usize| values[x.index()][lane];
        match self.kernel.exprs[id.index()] {
            Expr::Subgroup(SubgroupOp::AddBefore, x) => {
                let mut total = zero(of(&self.values, x, lanes[0]).dtype());
                for &lane in lanes {
                    self.values[id.index()][lane] = total;
                    total = functions::binary(Binary::Add, total, of(&self.values, x, lane));
                }
            }
            Expr::Subgroup(op, x) => {
                let binary = match op {
                    SubgroupOp::Add | SubgroupOp::AddBefore => Binary::Add,
                    SubgroupOp::Min => Binary::Min,
                    SubgroupOp::Max => Binary::Max,
                };
                let values = lanes.iter().map(|&lane| of(&self.values, x, lane));
                let total = values.reduce(|a, b| functions::binary(binary, a, b));
                let total = total.expect("a chunk has a lane");
                lanes.iter().for_each(|&lane| self.values[id.index()][lane] = total);
            }
            Expr::Shuffle(x, from) => {
                for &lane in lanes {
                    let Element::U32(from) = of(&self.values, from, lane) else { continue };
                    let from = lanes[(from as usize).min(lanes.len() - 1)];
                    self.values[id.index()][lane] = of(&self.values, x, from);
                }
            }
            _ => {}
        }
    }
}

/// A bound of a counting loop, where the invocation takes part in it.
fn if_any<R>(value: Element<R>) -> i64 {
    if let Element::I32(value) = value { i64::from(value) } else { 0 }
}

/// Where in row-major order the element at coordinates is; `None` where there is none.
fn position(shape: &Shape, at: impl Iterator<Item = i32>, edge: Edge) -> Option<usize> {
    let mut flat = 0;
    for (index, &extent) in at.zip(shape.iter()) {
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
            Edge::Fill(_) if (0..extent).contains(&index) => index,
            Edge::Fill(_) => return None,
        };
        flat = flat * extent + inside;
    }
    Some(flat as usize)
}
