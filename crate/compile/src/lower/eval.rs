//! Evaluation of a node at given coordinates, as kernel code: the step from tensors to scalars that
//! every kernel family uses.
//!
//! Evaluation starts at a wanted node with the coordinates of one of its elements and walks to its
//! inputs. Elementwise nodes become operators, views rewrite coordinates (that composition *is* the
//! index map), stored tensors become loads, reductions and contractions become loops. It is right
//! for every program; families are faster by setting up loops and tiles of their own and telling
//! the evaluator what it then need not compute ([`Evaluator::define`]).
//!
//! Values are remembered by (node, coordinates) as long as the block they were computed in is open.

use super::accumulate::{Accumulator, Partial, combine};
use super::builder::KernelBuilder;
pub use super::coordinates::{contract_coordinates, interleave};
use super::dynamic_offset::DynamicOffset;
use super::elementwise::storage_dtype;
use super::workgroup_copy::WorkgroupCopy;
use weft_ir::HashMap;
use weft_ir::kernel::{ArrayId, BinaryOp, Expr, ExprId, Space, Stmt, Type};
use weft_ir::op::{Coefficient, ContractAxes, Op, ReduceOp, ScatterOp, View};
use weft_ir::program::{ProgramId, TensorProgram};
use weft_ir::{DType, Literal, Shape};

/// Reductions over at most this many elements are written out instead of looped.
pub const UNROLL: usize = 8;
/// Expressions nested deeper than this are bound to a name.
const DEPTH: usize = 6;

/// What a storage binding of a kernel holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Binding {
    /// A node's value: a leaf, or what some cluster stores.
    Node(ProgramId),
    /// Partial results number n, between the two kernels of one cluster.
    Partial(usize),
}

/// What a uniform of a kernel is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum UniformSource {
    /// A scalar leaf.
    Scalar(ProgramId),
    /// A number under a name, which is another in each pass that shares the kernel.
    Number(&'static str, u32),
}

/// Evaluates nodes at coordinates into a kernel under construction.
pub struct Evaluator<'a> {
    /// The program.
    pub program: &'a TensorProgram,
    /// The kernel.
    pub b: KernelBuilder,
    /// The storage arrays in binding order.
    pub bindings: Vec<(ArrayId, Binding)>,
    /// What each uniform is given; each but the first, where that is `first_workgroup`.
    pub uniforms: Vec<UniformSource>,
    /// The number of the first workgroup, where the kernel can be run in pieces.
    pub first_workgroup: Option<ExprId>,
    /// Whether families write loops rather than what they repeat.
    pub in_loops: bool,
    /// Whether those hide their lengths from the driver.
    pub hides_lengths: bool,
    /// Whether a node's value comes from a buffer.
    loaded: &'a dyn Fn(ProgramId) -> bool,
    /// How often each node is read in the program.
    reads: &'a [u32],
    known: Vec<HashMap<(ProgramId, Vec<ExprId>), ExprId>>,
    /// Whether buffers are read by vectors of four where the first read of them shows that its
    /// place among four is known. A family says so that computes neighbours together.
    pub vectorized: bool,
    /// Whether that goes for what is written, too: for a family that stores all results as large as
    /// the others in vectors of four.
    pub stores_vectors: bool,
    /// The vectors that were read, by array and place.
    fours: Vec<HashMap<(ArrayId, ExprId), ExprId>>,
    depth: HashMap<ExprId, usize>,
    /// Leaves that are overwritten by a result of this kernel: they are read from the result's
    /// binding.
    in_place: &'a HashMap<ProgramId, ProgramId>,
    /// Results that are stored within larger tensors.
    pub offsets: Option<&'a HashMap<ProgramId, DynamicOffset>>,
    /// What is read from workgroup memory, where it is sure to be there.
    pub copied: Vec<WorkgroupCopy>,
    /// Every node read from a buffer, with the coordinates it was read at.
    pub reached: Vec<(ProgramId, Vec<ExprId>)>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator into a new kernel. `loaded` says which nodes come from buffers; `reads` how
    /// often each node is read.
    pub fn new(
        program: &'a TensorProgram,
        loaded: &'a dyn Fn(ProgramId) -> bool,
        reads: &'a [u32],
        in_place: &'a HashMap<ProgramId, ProgramId>,
    ) -> Evaluator<'a> {
        Evaluator {
            program,
            b: KernelBuilder::new(),
            bindings: Vec::new(),
            uniforms: Vec::new(),
            first_workgroup: None,
            in_loops: false,
            hides_lengths: false,
            loaded,
            reads,
            known: vec![HashMap::default()],
            vectorized: false,
            stores_vectors: false,
            fours: vec![HashMap::default()],
            depth: HashMap::default(),
            in_place,
            offsets: None,
            copied: Vec::new(),
            reached: Vec::new(),
        }
    }

    /// Makes a kernel that can be run in pieces. To be called before anything is written.
    pub fn run_in_pieces(&mut self) {
        let uniform = self.b.uniform(DType::I32);
        self.first_workgroup = Some(self.b.expr(Expr::Uniform(uniform)));
    }

    /// Opens a block; what is computed in it is forgotten when it closes.
    pub fn open(&mut self) {
        self.b.open();
        self.known.push(HashMap::default());
        self.fours.push(HashMap::default());
    }

    /// Forgets what the innermost block computed; the caller closes the block in the builder.
    pub fn forget(&mut self) {
        self.known.pop();
        self.fours.pop();
    }

    /// Says that `node` at `at` is `value`, in the innermost block.
    pub fn define(&mut self, node: ProgramId, at: &[ExprId], value: ExprId) {
        self.known.last_mut().expect("the body is open").insert((node, at.to_vec()), value);
    }

    /// Whether a result is written over a leaf.
    pub fn overwrites(&self, result: ProgramId) -> bool {
        self.in_place.values().any(|&written| written == result)
    }

    /// Binds leaves that another stage writes over to be read, which goes through caches.
    pub fn bind_leaves_to_read(&mut self) {
        for (&leaf, &result) in self.in_place {
            let bound = self.bindings.iter_mut().find(|(_, binding)| *binding == Binding::Node(result));
            if let Some((array, binding)) = bound
                && self.b.bind_to_read(*array)
            {
                *binding = Binding::Node(leaf);
            }
        }
    }

    /// The array of a binding, declared when first asked for.
    pub fn array(&mut self, binding: Binding, dtype: DType, space: Space) -> ArrayId {
        self.array_of(binding, storage_dtype(dtype).into(), space)
    }

    /// The same of elements of a type.
    fn array_of(&mut self, binding: Binding, ty: Type, space: Space) -> ArrayId {
        if let Some(&(array, _)) = self.bindings.iter().find(|(_, b)| *b == binding) {
            return array;
        }
        let written = space != Space::Read;
        let same = self.bindings.iter().filter(|(a, _)| self.is_written(*a) == written).count();
        let name = format!("{}{same}", if written { "out" } else { "in" });
        let array = self.b.array(name, ty, space);
        self.bindings.push((array, binding));
        array
    }

    fn is_written(&self, array: ArrayId) -> bool {
        self.b.array_space(array) != Space::Read
    }

    /// Stores a value of a node at a row-major position.
    pub fn store(&mut self, node: ProgramId, flat: ExprId, value: ExprId) {
        self.store_neighbours(node, flat, &[value]);
    }

    /// Stores values of a node from a row-major position on: one of them, or four, and where four
    /// then always four, from a position that four divides.
    pub fn store_neighbours(&mut self, node: ProgramId, flat: ExprId, values: &[ExprId]) {
        let values: Vec<ExprId> = values.iter().map(|&value| self.b.to_storage(value)).collect();
        let Some(offset) = self.offsets.and_then(|offsets| offsets.get(&node)) else {
            return self.store_at(node, flat, values);
        };
        let (inside, place) = offset.open(self, flat);
        self.store_at(offset.buffer().unwrap_or(node), place, values);
        if let Some(inside) = inside {
            self.forget();
            self.b.close_if(inside);
        }
    }

    fn store_at(&mut self, node: ProgramId, place: ExprId, values: Vec<ExprId>) {
        let fours = self.b.index_of_vector(place).filter(|&(_, lane)| lane == 0 && values.len() == 4);
        let array = self.vector_array(Binding::Node(node), node, Space::ReadWrite, fours.is_some());
        if let Some((place, _)) = fours.filter(|_| self.b.array_lanes(array) == 4) {
            let vector = self.b.compose(&values);
            self.b.push(Stmt::Store(array, place, vector));
            return;
        }
        for (number, value) in values.into_iter().enumerate() {
            let place = self.b.index_offset(place, number as i64);
            self.b.push(Stmt::Store(array, place, value));
        }
    }

    /// The uniform for a scalar leaf.
    pub fn uniform(&mut self, node: ProgramId) -> u32 {
        self.uniform_of(|given| *given == UniformSource::Scalar(node)).unwrap_or_else(|| {
            self.uniforms.push(UniformSource::Scalar(node));
            self.b.uniform(self.program[node].dtype)
        })
    }

    fn uniform_of(&self, is_it: impl Fn(&UniformSource) -> bool) -> Option<u32> {
        let at = self.uniforms.iter().position(is_it)?;
        Some(at as u32 + u32::from(self.first_workgroup.is_some()))
    }

    /// A number that the dispatch carries, a u32: kernels that differ in nothing else are one. A
    /// kernel has one number of each name.
    pub fn carried(&mut self, name: &'static str, number: u32) -> ExprId {
        let known =
            self.uniform_of(|given| matches!(given, UniformSource::Number(known, _) if *known == name));
        let uniform = known.unwrap_or_else(|| {
            self.uniforms.push(UniformSource::Number(name, number));
            self.b.uniform(DType::U32)
        });
        self.b.expr(Expr::Uniform(uniform))
    }

    /// The value of `node` at coordinates `at`. What it reads at the same coordinates is computed
    /// before it, from a list, so that a chain of elementwise nodes of any length takes no stack;
    /// fusion bounds how deep reads at other coordinates nest.
    pub fn value(&mut self, node: ProgramId, at: &[ExprId]) -> ExprId {
        if let Some(value) = self.known_at(node, at) {
            return value;
        }
        let program = self.program;
        let mut open = vec![node];
        while let Some(&id) = open.last() {
            let op = &program[id].op;
            let here = (op.is_elementwise() || *op == Op::Cut) && !(self.loaded)(id);
            let missing = program[id].inputs.iter().find(|&&i| here && self.known_at(i, at).is_none());
            if let Some(&input) = missing {
                open.push(input);
                continue;
            }
            open.pop();
            let value = self.compute(id, at);
            let value = self.name(id, value);
            self.known.last_mut().expect("the body is open").insert((id, at.to_vec()), value);
        }
        self.known_at(node, at).expect("it was computed last")
    }

    /// The value of `node` at `at`, where an open block has computed it.
    pub(crate) fn known_at(&self, node: ProgramId, at: &[ExprId]) -> Option<ExprId> {
        let key = (node, at.to_vec());
        self.known.iter().rev().find_map(|scope| scope.get(&key)).copied()
    }

    /// Binds what would otherwise be computed twice or nested too deep.
    fn name(&mut self, node: ProgramId, value: ExprId) -> ExprId {
        let operands: Vec<ExprId> = match self.b.get(value) {
            Expr::Literal(_) | Expr::Local(_) | Expr::Uniform(_) => return value,
            Expr::Unary(_, x) | Expr::Cast(_, x) | Expr::Bitcast(_, x) => vec![*x],
            Expr::Binary(_, a, b) => vec![*a, *b],
            Expr::Select(c, a, b) => vec![*c, *a, *b],
            Expr::Call(_, args) => args.clone(),
            _ => vec![],
        };
        let depth = 1 + operands.iter().filter_map(|o| self.depth.get(o)).max().copied().unwrap_or(0);
        let costly = matches!(self.b.get(value), Expr::Load(..) | Expr::Call(..));
        if costly || depth > DEPTH || self.reads[node.index()] > 1 {
            return self.b.bind("v", value);
        }
        self.depth.insert(value, depth);
        value
    }

    fn compute(&mut self, id: ProgramId, at: &[ExprId]) -> ExprId {
        let program = self.program;
        let node = &program[id];
        if (self.loaded)(id) {
            self.reached.push((id, at.to_vec()));
            let flat = self.b.ravel(at, &node.shape);
            let mut copies = self.copied.iter().filter(|copied| copied.node == id);
            let copy = copies.find_map(|copied| Some((copied.array, copied.place_of(&mut self.b, flat)?)));
            if let Some((array, place)) = copy {
                let load = self.b.expr(Expr::Load(array, place));
                return self.b.from_storage(node.dtype, load);
            }
            let load = match self.in_place.get(&id) {
                Some(&result) => self.load(id, Binding::Node(result), Space::ReadWrite, flat),
                None => self.load(id, Binding::Node(id), Space::Read, flat),
            };
            return self.b.from_storage(node.dtype, load);
        }
        let dtype_of = |n: usize| program[node.inputs[n]].dtype;
        match &node.op {
            Op::Buffer(..) => unreachable!("buffers are loaded"),
            Op::Scalar(dtype) => {
                let uniform = self.uniform(id);
                let value = self.b.expr(Expr::Uniform(uniform));
                self.b.from_storage(*dtype, value)
            }
            Op::Constant(literal) => self.b.literal(*literal),
            Op::Iota { axis, dtype, .. } => self.b.cast(*dtype, at[*axis]),
            Op::Unary(op) => {
                let x = self.value(node.inputs[0], at);
                self.b.tensor_unary(*op, dtype_of(0), x)
            }
            Op::Binary(op) => {
                let (x, y) = (self.value(node.inputs[0], at), self.value(node.inputs[1], at));
                self.b.tensor_binary(*op, node.dtype, x, y)
            }
            Op::Compare(op) => {
                let (x, y) = (self.value(node.inputs[0], at), self.value(node.inputs[1], at));
                self.b.tensor_compare(*op, dtype_of(0), x, y)
            }
            Op::Select => {
                let condition = self.value(node.inputs[0], at);
                let (x, y) = (self.value(node.inputs[1], at), self.value(node.inputs[2], at));
                self.b.tensor_select(node.dtype, condition, x, y)
            }
            Op::Cast(to) => {
                let x = self.value(node.inputs[0], at);
                self.b.tensor_cast(dtype_of(0), *to, x)
            }
            Op::Bitcast(to) => {
                let x = self.value(node.inputs[0], at);
                if dtype_of(0) == *to { x } else { self.b.expr(Expr::Bitcast(*to, x)) }
            }
            Op::View(view) => self.view(view, &node.inputs, at),
            Op::Reduce { op, axes } => self.reduce(*op, axes, node.inputs[0], at),
            Op::Contract(axes) => self.contract(axes, node.inputs[0], node.inputs[1], at, node.dtype),
            Op::Gather { axis } => {
                let rank = program[node.inputs[1]].shape.rank();
                let index = self.value(node.inputs[1], &at[*axis..axis + rank]);
                let index = self.clamped(index, program[node.inputs[0]].shape[*axis]);
                let source = [&at[..*axis], &[index], &at[axis + rank..]].concat();
                self.value(node.inputs[0], &source)
            }
            Op::Scatter { axis, op } => self.scatter(*axis, *op, &node.inputs, at),
            Op::Mark(_) | Op::Detach | Op::Cut => self.value(node.inputs[0], at),
            Op::Scan(_) | Op::ArgSort { .. } | Op::Fourier { .. } => {
                unreachable!(
                    "{id:?}: the kernel that walks lines defines what it has found, and others load it"
                )
            }
            Op::Conv(_) => unreachable!("programs that are compiled hold what it stands for"),
            Op::Loop(_) | Op::Branch(_) | Op::Custom(_) | Op::Kernel(_) | Op::Part { .. } => {
                unreachable!("parts of regions are loaded")
            }
        }
    }

    /// A gathered index as an atom inside `0..extent`.
    fn clamped(&mut self, index: ExprId, extent: usize) -> ExprId {
        let last = extent.max(1) as i64 - 1;
        let bounded = if self.b.type_of(index).scalar == DType::U32 {
            let last = self.b.literal(Literal::U32(last as u32));
            let inside = self.b.binary(BinaryOp::Min, index, last);
            self.b.cast(DType::I32, inside)
        } else {
            let (zero, last) = (self.b.index_const(0), self.b.index_const(last));
            let above = self.b.binary(BinaryOp::Max, index, zero);
            self.b.binary(BinaryOp::Min, above, last)
        };
        let bound = self.b.bind("index", bounded);
        self.b.index.set_range(bound, 0, last);
        bound
    }

    /// Element `flat` of a node, as it is stored in what a binding holds.
    fn load(&mut self, id: ProgramId, binding: Binding, space: Space, flat: ExprId) -> ExprId {
        let fours = self.b.index_of_vector(flat);
        let array = self.vector_array(binding, id, space, fours.is_some());
        if self.b.array_lanes(array) == 1 {
            return self.b.expr(Expr::Load(array, flat));
        }
        if let Some((place, lane)) = fours {
            let vector = self.four(array, place);
            return self.b.expr(Expr::Component(vector, lane));
        }
        let place = self.b.index_div(flat, 4);
        let (vector, lane) = (self.four(array, place), self.b.index_rem(flat, 4));
        let mut value = self.b.expr(Expr::Component(vector, 3));
        for number in 0..3 {
            let here = self.b.index_const(number);
            let here = self.b.binary(BinaryOp::Eq, lane, here);
            let component = self.b.expr(Expr::Component(vector, number as u8));
            value = self.b.select(here, component, value);
        }
        value
    }

    /// The array of a node that a binding holds, declared when first asked for: of vectors of four
    /// where neighbours are computed together and the place that is asked for shows where among
    /// four it is.
    fn vector_array(&mut self, binding: Binding, id: ProgramId, space: Space, is_known: bool) -> ArrayId {
        let node = &self.program[id];
        let may = if space == Space::Read { self.vectorized } else { self.stores_vectors };
        let wide = may && is_known && node.shape.size().is_multiple_of(4);
        let ty = Type { scalar: storage_dtype(node.dtype), lanes: if wide { 4 } else { 1 } };
        self.array_of(binding, ty, space)
    }

    /// A vector of an array, read here unless an open block has.
    fn four(&mut self, array: ArrayId, place: ExprId) -> ExprId {
        let key = (array, place);
        if let Some(&vector) = self.fours.iter().rev().find_map(|scope| scope.get(&key)) {
            return vector;
        }
        let load = self.b.expr(Expr::Load(array, place));
        let vector = self.b.bind("four", load);
        self.fours.last_mut().expect("the body is open").insert(key, vector);
        vector
    }

    pub(crate) fn coefficient(&mut self, coefficient: Coefficient, inputs: &[ProgramId]) -> ExprId {
        match coefficient {
            Coefficient::Const(value) => self.b.index_const(value),
            Coefficient::Param { input, min, max } => {
                // The index of a loop inside the kernel.
                if let Some(index) = self.known_at(inputs[input], &[]) {
                    return index;
                }
                let uniform = self.uniform(inputs[input]);
                self.b.index_uniform(uniform, min, max)
            }
        }
    }

    /// A view's value: its input's at the coordinates it maps `at` to, or the fill value where it
    /// maps to none.
    fn view(&mut self, view: &View, inputs: &[ProgramId], at: &[ExprId]) -> ExprId {
        if let View::Pad { low, interior, value, .. } = view {
            return self.pad(inputs, at, low, interior, *value);
        }
        let coordinates = self.behind(view, inputs, at);
        self.value(inputs[0], &coordinates)
    }

    fn pad(
        &mut self,
        inputs: &[ProgramId],
        at: &[ExprId],
        low: &[Coefficient],
        interior: &[usize],
        fill: Literal,
    ) -> ExprId {
        let program = self.program;
        let shape = &program[inputs[0]].shape;
        if shape.size() == 0 {
            return self.b.literal(fill);
        }
        let mut inside = self.b.literal(Literal::Bool(true));
        let mut coordinates = Vec::with_capacity(at.len());
        for axis in 0..at.len() {
            let low = self.coefficient(low[axis], inputs);
            let gap = interior[axis] as i64 + 1;
            let offset = self.b.index_sub(at[axis], low);
            let (minus_one, end) =
                (self.b.index_const(-1), self.b.index_const((shape[axis] as i64 - 1) * gap + 1));
            let from = self.b.index_less(minus_one, offset);
            let to = self.b.index_less(offset, end);
            let within = self.b.both(from, to);
            inside = self.b.both(inside, within);
            let mut safe = offset;
            if !self.is_true(within) {
                let zero = self.b.index_const(0);
                let chosen = self.b.select(within, offset, zero);
                safe = self.b.bind("c", chosen);
                self.b.index.set_range(safe, 0, (shape[axis] as i64 - 1) * gap);
            }
            if gap > 1 {
                let (rem, zero) = (self.b.index_rem(safe, gap), self.b.index_const(0));
                let aligned = self.b.binary(BinaryOp::Eq, rem, zero);
                inside = self.b.both(inside, aligned);
            }
            coordinates.push(self.b.index_div(safe, gap));
        }
        let value = self.value(inputs[0], &coordinates);
        if self.is_true(inside) {
            return value;
        }
        let fill = self.b.literal(fill);
        self.b.select(inside, value, fill)
    }

    fn is_true(&self, condition: ExprId) -> bool {
        matches!(self.b.get(condition), Expr::Literal(Literal::Bool(true)))
    }

    /// A reduction computed on the spot by this invocation.
    fn reduce(&mut self, op: ReduceOp, axes: &[usize], input: ProgramId, at: &[ExprId]) -> ExprId {
        let program = self.program;
        let (shape, dtype) = (&program[input].shape, program[input].dtype);
        let reduced: Shape = axes.iter().map(|&a| shape[a]).collect::<Vec<_>>().into();
        if reduced.size() == 0 {
            return self.b.literal(op.identity(dtype));
        }
        if reduced.size() <= UNROLL && !op.is_arg() {
            let mut total = None;
            for flat in 0..reduced.size() {
                let flat = self.b.index_const(flat as i64);
                let inner = self.b.unravel(flat, &reduced);
                let element = self.value(input, &interleave(at, &inner, axes));
                total = Some(match total {
                    None => element,
                    Some(sum) => combine(&mut self.b, op, dtype, sum, element),
                });
            }
            return total.expect("there is at least one element");
        }
        let first = self.b.index_const(0);
        let accumulator = Accumulator::in_order(&mut self.b, op, dtype, first);
        self.each("k", reduced.size(), |eval, k| {
            let inner = eval.b.unravel(k, &reduced);
            let value = eval.value(input, &interleave(at, &inner, axes));
            accumulator.update_in_order(&mut eval.b, Partial { value, position: op.is_arg().then_some(k) });
        });
        accumulator.result(&mut self.b)
    }

    /// One element of a contraction, computed on the spot by this invocation.
    fn contract(
        &mut self,
        axes: &ContractAxes,
        left: ProgramId,
        right: ProgramId,
        at: &[ExprId],
        dtype: DType,
    ) -> ExprId {
        let program = self.program;
        let (l, r) = (&program[left].shape, &program[right].shape);
        let reduced: Shape = axes.contract.iter().map(|p| l[p.0]).collect::<Vec<_>>().into();
        let zero = self.b.literal(Literal::zero(dtype));
        if reduced.size() == 0 {
            return zero;
        }
        let sum = self.b.var("acc", zero);
        self.each("k", reduced.size(), |eval, k| {
            let inner = eval.b.unravel(k, &reduced);
            let (l_at, r_at) = contract_coordinates(axes, l.rank(), r.rank(), at, &inner);
            let (x, y) = (eval.value(left, &l_at), eval.value(right, &r_at));
            let product = eval.b.product(x, y);
            let now = eval.b.read(sum);
            let next = eval.b.binary(BinaryOp::Add, now, product);
            eval.b.push(Stmt::Assign(sum, next));
        });
        self.b.read(sum)
    }

    /// One element of a scatter: every index is looked at, in order, so that the result is the same
    /// on every run.
    fn scatter(&mut self, axis: usize, op: ScatterOp, inputs: &[ProgramId], at: &[ExprId]) -> ExprId {
        let program = self.program;
        let (indices, dtype) = (&program[inputs[1]].shape, program[inputs[0]].dtype);
        let base = self.value(inputs[0], at);
        if indices.size() == 0 {
            return base;
        }
        let result = self.b.var("acc", base);
        self.each("k", indices.size(), |eval, k| {
            let inner = eval.b.unravel(k, indices);
            let index = eval.value(inputs[1], &inner);
            let index = eval.b.cast(DType::I32, index);
            let hits = eval.b.binary(BinaryOp::Eq, index, at[axis]);
            eval.open();
            let update = eval.value(inputs[2], &[&at[..axis], &inner, &at[axis + 1..]].concat());
            let now = eval.b.read(result);
            let next = match op {
                ScatterOp::Set => update,
                ScatterOp::Add => combine(&mut eval.b, ReduceOp::Sum, dtype, now, update),
                ScatterOp::Min => combine(&mut eval.b, ReduceOp::Min, dtype, now, update),
                ScatterOp::Max => combine(&mut eval.b, ReduceOp::Max, dtype, now, update),
            };
            eval.b.push(Stmt::Assign(result, next));
            eval.forget();
            eval.b.close_if(hits);
        });
        self.b.read(result)
    }
}
