//! Random kernels of users: loops, branches, jumps, local arrays, loads beyond edges, and several
//! outputs that invocations store into wherever they like.
//!
//! Floats are multiples of an eighth and stay small, so that every order of evaluation yields them
//! exactly.

use super::programs::Random;
use std::rc::Rc;
use weft_ir::graph::{Graph, NodeId};
use weft_ir::op::region::results;
use weft_ir::op::{Binary, Compare, KernelCall, Op, Unary, View};
use weft_ir::program::TensorProgram;
use weft_ir::user_kernel::{
    ArrayId, Combine, Coordinate, Edge, Expr, ExprId, Initial, LocalId, OutputId, Stmt, TensorId, UserKernel,
    verify,
};
use weft_ir::{DType, Literal, Shape};

const DTYPES: [DType; 4] = [DType::F32, DType::I32, DType::U32, DType::Bool];
const GRIDS: [&[usize]; 8] = [&[], &[1], &[7], &[70], &[4, 5], &[3, 1], &[2, 3, 4], &[9, 8]];

/// The program that calls a kernel, whose inputs are leaves, and yields all its outputs.
pub fn program_of(call: &KernelCall, shapes: &[Shape]) -> TensorProgram {
    program_with(call, shapes, |graph, shape, dtype| {
        graph.add_placeholder(Op::Buffer(shape.clone(), dtype)).unwrap()
    })
}

/// The same with tensors that are computed of leaves, or seen otherwise.
pub fn program_around(call: &KernelCall, shapes: &[Shape], seed: u64) -> TensorProgram {
    let mut random = Random::new(seed);
    program_with(call, shapes, |graph, shape, dtype| {
        let mut leaf =
            |shape: Shape| graph.add_placeholder(Op::Buffer(shape, dtype)).expect("a shape of a grid");
        match random.below(6) {
            0 if shape.rank() > 1 => {
                let axes: Vec<usize> = (0..shape.rank()).rev().collect();
                let turned: Vec<usize> = shape.iter().rev().copied().collect();
                let x = leaf(turned.into());
                graph.add(Op::View(View::Permute(axes)), &[x]).unwrap()
            }
            1 => {
                let x = leaf([shape.size()].into());
                graph.add(Op::View(View::Reshape(shape.clone())), &[x]).unwrap()
            }
            2 => {
                let x = leaf(vec![1; shape.rank()].into());
                graph.add(Op::View(View::Expand(shape.clone())), &[x]).unwrap()
            }
            3 | 4 => {
                let (x, y) = (leaf(shape.clone()), leaf(shape.clone()));
                graph.add(Op::Binary(Binary::Max), &[x, y]).unwrap()
            }
            _ => leaf(shape.clone()),
        }
    })
}

/// The program that calls a kernel and computes more of its outputs, elementwise: of one, of two
/// alike, of one and a leaf, and of one seen otherwise. Some outputs are results too.
pub fn program_followed(call: &KernelCall, shapes: &[Shape], seed: u64) -> TensorProgram {
    let mut random = Random::new(seed);
    let leaf = |graph: &mut Graph, shape: &Shape, dtype| {
        graph.add_placeholder(Op::Buffer(shape.clone(), dtype)).expect("a shape of a grid")
    };
    let (mut graph, parts) = called(call, shapes, leaf);
    let mut roots = Vec::new();
    for &part in &parts {
        let (shape, dtype) = (graph[part].shape.clone(), graph[part].dtype);
        let alike: Vec<NodeId> =
            parts.iter().copied().filter(|&x| graph[x].shape == shape && graph[x].dtype == dtype).collect();
        let other = match random.below(3) {
            0 => alike[random.below(alike.len())],
            1 => leaf(&mut graph, &shape, dtype),
            _ => {
                let flat = graph.add(Op::View(View::Reshape([shape.size()].into())), &[part]).unwrap();
                roots.push(graph.add(Op::Cast(DType::I32), &[flat]).unwrap());
                part
            }
        };
        let op = [Binary::Max, Binary::Min][random.below(2)];
        let both = graph.add(Op::Binary(op), &[part, other]).unwrap();
        roots.push(graph.add(Op::Cast(DType::F32), &[both]).unwrap());
        if random.below(2) == 0 {
            roots.push(both);
        }
        if random.below(3) == 0 {
            roots.push(part);
        }
    }
    TensorProgram::from_graph(&graph, &roots).0
}

fn program_with(
    call: &KernelCall,
    shapes: &[Shape],
    tensor_of: impl FnMut(&mut Graph, &Shape, DType) -> NodeId,
) -> TensorProgram {
    let (graph, parts) = called(call, shapes, tensor_of);
    TensorProgram::from_graph(&graph, &parts).0
}

/// A graph with the call of a kernel, and its outputs.
fn called(
    call: &KernelCall,
    shapes: &[Shape],
    mut tensor_of: impl FnMut(&mut Graph, &Shape, DType) -> NodeId,
) -> (Graph, Vec<NodeId>) {
    let kernel = &call.kernel;
    let mut graph = Graph::new();
    let mut inputs = Vec::new();
    for (tensor, shape) in kernel.tensors.iter().zip(shapes) {
        inputs.push(tensor_of(&mut graph, shape, tensor.dtype));
    }
    for scalar in &kernel.scalars {
        inputs.push(graph.add_placeholder(Op::Scalar(scalar.dtype)).unwrap());
    }
    let op = Op::Kernel(Rc::new(call.clone()));
    let types = results(&op);
    let node = graph.add(op, &inputs).unwrap();
    let part = |(index, (shape, dtype))| graph.add(Op::Part { index, shape, dtype }, &[node]).unwrap();
    let parts: Vec<_> = types.into_iter().enumerate().map(part).collect();
    (graph, parts)
}

/// A call of a random kernel, with the shapes of its tensors.
pub fn random_call(seed: u64) -> (KernelCall, Vec<Shape>) {
    let mut random = Random::new(seed);
    let grid = Shape::from(GRIDS[random.below(GRIDS.len())]);
    let mut kernel = UserKernel::new("random", grid.rank() as u32);
    let mut shapes = Vec::new();
    for n in 0..1 + random.below(3) {
        let shape = Shape::from(GRIDS[random.below(GRIDS.len())]);
        kernel.tensor(&format!("t{n}"), DTYPES[random.below(4)], shape.rank() as u32);
        shapes.push(shape);
    }
    let mut scalars = Vec::new();
    for n in 0..random.below(3) {
        scalars.push(kernel.scalar(&format!("s{n}"), DTYPES[random.below(4)]));
    }
    let mut results = Vec::new();
    for n in 0..1 + random.below(3) {
        let (output, shape) = random_output(&mut random, &mut kernel, &grid, &shapes, n);
        kernel.outputs.push(output);
        results.push(shape);
    }
    for n in 0..2 + random.below(4) {
        kernel.local(&format!("x{n}"), DTYPES[random.below(4)]);
    }
    for n in 0..random.below(3) {
        kernel.array(&format!("a{n}"), DTYPES[random.below(4)], 1 + random.below(5) as u32, false);
    }
    let mut writer = Writer { random: &mut random, kernel, scalars, counters: Vec::new(), loops: 0 };
    let mut body = writer.block(3, 5);
    for n in 0..writer.kernel.outputs.len() {
        body.push(writer.store(OutputId(n as u32)));
    }
    let mut kernel = writer.kernel;
    kernel.body = body;
    verify::verify(&kernel).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{kernel}"));
    (KernelCall { kernel: Rc::new(kernel), grid, shapes: results }, shapes)
}

fn random_output(
    random: &mut Random,
    kernel: &mut UserKernel,
    grid: &Shape,
    shapes: &[Shape],
    n: usize,
) -> (weft_ir::user_kernel::Output, Shape) {
    use Combine::{Add, And, Max, Min, Or, Set, Xor};
    let dtype = DTYPES[random.below(4)];
    let all: &[Combine] = match dtype {
        DType::F32 => &[Set, Set, Add, Min, Max],
        DType::Bool => &[Set, Set, Min, Max],
        _ => &[Set, Set, Add, Min, Max, And, Or, Xor],
    };
    let combine = all[random.below(all.len())];
    let tensor = random.below(shapes.len());
    let mut shape =
        if random.below(2) == 0 { grid.clone() } else { Shape::from(GRIDS[random.below(GRIDS.len())]) };
    let mut initial = Initial::Value(Literal::from_f64(dtype, random.below(9) as f64 - 4.0));
    if kernel.tensors[tensor].dtype == dtype && random.below(2) == 0 {
        initial = Initial::Tensor(TensorId(tensor as u32));
        shape = shapes[tensor].clone();
    }
    let rank = shape.rank() as u32;
    (weft_ir::user_kernel::Output { name: format!("o{n}"), dtype, rank, combine, initial }, shape)
}

struct Writer<'a> {
    random: &'a mut Random,
    kernel: UserKernel,
    scalars: Vec<ExprId>,
    counters: Vec<LocalId>,
    loops: usize,
}

impl Writer<'_> {
    fn one_of(&mut self, count: usize) -> usize {
        self.random.below(count)
    }

    fn block(&mut self, depth: usize, most: usize) -> Vec<Stmt> {
        let count = 1 + self.one_of(most);
        let mut block = Vec::new();
        for _ in 0..count {
            let stmt = self.stmt(depth);
            block.push(stmt);
        }
        block
    }

    fn local_of(&mut self, dtype: Option<DType>) -> Option<LocalId> {
        let fits = |n: &u32| {
            let local = LocalId(*n);
            let known = &self.kernel.locals[local.index()];
            dtype.is_none_or(|dtype| known.dtype == dtype) && !self.counters.contains(&local)
        };
        let all: Vec<u32> = (0..self.kernel.locals.len() as u32).filter(fits).collect();
        (!all.is_empty()).then(|| LocalId(all[self.random.below(all.len())]))
    }

    fn stmt(&mut self, depth: usize) -> Stmt {
        match self.one_of(if depth == 0 { 6 } else { 11 }) {
            0..=2 => {
                let local = self.local_of(None).unwrap_or_else(|| self.kernel.local("a", DType::F32));
                let dtype = self.kernel.locals[local.index()].dtype;
                Stmt::Let(local, self.value(dtype, 3))
            }
            3 if !self.kernel.arrays.is_empty() => {
                let array = ArrayId(self.one_of(self.kernel.arrays.len()) as u32);
                let dtype = self.kernel.arrays[array.index()].dtype;
                Stmt::SetElement(array, self.near(), self.value(dtype, 2))
            }
            4 => {
                let output = self.one_of(self.kernel.outputs.len());
                self.store(OutputId(output as u32))
            }
            3 | 5 if self.loops > 0 => {
                let jump = if self.one_of(2) == 0 { Stmt::Break } else { Stmt::Continue };
                Stmt::If(self.value(DType::Bool, 2), vec![jump], Vec::new())
            }
            3 | 5 => self.stmt(depth),
            6 | 7 => {
                let condition = self.value(DType::Bool, 2);
                let mut then = self.block(depth - 1, 3);
                let mut otherwise = if self.one_of(2) == 0 { self.block(depth - 1, 3) } else { Vec::new() };
                match self.one_of(8) {
                    0 => then.push(Stmt::Return),
                    1 => otherwise.push(Stmt::Return),
                    _ => {}
                }
                Stmt::If(condition, then, otherwise)
            }
            8 | 9 => self.count(depth),
            _ => {
                let condition = self.value(DType::Bool, 2);
                let limit = self.one_of(5) as u32;
                self.loops += 1;
                let body = self.block(depth - 1, 3);
                self.loops -= 1;
                Stmt::While { condition, limit, body }
            }
        }
    }

    fn count(&mut self, depth: usize) -> Stmt {
        // Some loops have counters of their own, others one that more assign.
        let counter = match self.local_of(Some(DType::I32)) {
            Some(local) if self.one_of(3) == 0 => local,
            _ => self.kernel.local("i", DType::I32),
        };
        let bound = |writer: &mut Self| match writer.one_of(3) {
            0 => {
                let n = writer.whole(0);
                let four = writer.kernel.literal(Literal::I32(4));
                writer.kernel.binary(Binary::Rem, n, four)
            }
            _ => {
                let n = writer.one_of(9) as i32 - 3;
                writer.kernel.literal(Literal::I32(n))
            }
        };
        let (from, to) = (bound(self), bound(self));
        let step = [1, 1, 1, 2, 3, -1, -2][self.one_of(7)];
        self.counters.push(counter);
        self.loops += 1;
        let body = self.block(depth - 1, 3);
        self.loops -= 1;
        self.counters.pop();
        Stmt::For { counter, from, to, step, body }
    }

    fn store(&mut self, output: OutputId) -> Stmt {
        let (rank, dtype) = {
            let output = &self.kernel.outputs[output.index()];
            (output.rank, output.dtype)
        };
        let own = rank == self.kernel.rank && self.one_of(2) == 0;
        let at = |writer: &mut Self, axis: u32| match writer.one_of(4) {
            _ if own => writer.kernel.index(axis),
            0 if axis < writer.kernel.rank => writer.kernel.index(axis),
            1 => {
                let n = writer.whole(1);
                let by = writer.kernel.expr(Expr::OutputExtent(output, axis));
                writer.kernel.binary(Binary::Rem, n, by)
            }
            _ => writer.near(),
        };
        let indices = (0..rank).map(|axis| at(self, axis)).collect();
        Stmt::Store { output, indices, value: self.value(dtype, 2), before: None }
    }

    /// A coordinate near those of the invocation, or any.
    fn near(&mut self) -> ExprId {
        if self.kernel.rank == 0 || self.one_of(5) == 0 {
            return self.whole(1);
        }
        let axis = self.one_of(self.kernel.rank as usize) as u32;
        let here = self.kernel.index(axis);
        let by = self.one_of(5) as i32 - 2;
        let by = match self.local_of(Some(DType::I32)) {
            Some(local) if self.one_of(3) == 0 => self.kernel.read(local),
            _ => self.kernel.literal(Literal::I32(by)),
        };
        self.kernel.binary(Binary::Add, here, by)
    }

    fn value(&mut self, dtype: DType, depth: usize) -> ExprId {
        let leaf = depth == 0 || self.one_of(4) == 0;
        if leaf {
            return self.leaf(dtype);
        }
        let inner = depth - 1;
        match self.one_of(8) {
            0 => {
                let condition = self.value(DType::Bool, inner);
                let (a, b) = (self.value(dtype, inner), self.value(dtype, inner));
                self.kernel.expr(Expr::Select(condition, a, b))
            }
            1 => self.load(dtype, inner).unwrap_or_else(|| self.leaf(dtype)),
            2 => {
                let from = DTYPES[self.one_of(4)];
                let x = self.value(from, inner);
                let cast = self.kernel.expr(Expr::Cast(dtype, x));
                if dtype == DType::F32 { self.bounded(cast) } else { cast }
            }
            3 => self.element(dtype).unwrap_or_else(|| self.leaf(dtype)),
            _ => match dtype {
                DType::F32 => self.float(inner),
                DType::I32 => self.whole(inner),
                DType::U32 => self.unsigned(inner),
                _ => self.truth(inner),
            },
        }
    }

    fn leaf(&mut self, dtype: DType) -> ExprId {
        let fits = |n: &usize| self.kernel.scalars[*n].dtype == dtype;
        let scalars: Vec<usize> = (0..self.scalars.len()).filter(fits).collect();
        match self.one_of(4) {
            0 | 1 => {
                let all: Vec<u32> = (0..self.kernel.locals.len() as u32)
                    .filter(|n| self.kernel.locals[*n as usize].dtype == dtype)
                    .collect();
                if !all.is_empty() {
                    let local = LocalId(all[self.one_of(all.len())]);
                    return self.kernel.read(local);
                }
            }
            2 if !scalars.is_empty() => {
                let n = scalars[self.one_of(scalars.len())];
                return self.scalars[n];
            }
            2 if dtype == DType::I32 && self.kernel.rank > 0 => {
                let axis = self.one_of(self.kernel.rank as usize) as u32;
                return if self.one_of(4) == 0 {
                    self.kernel.expr(Expr::GridExtent(axis))
                } else {
                    self.kernel.expr(Expr::Index(Coordinate::Grid, axis))
                };
            }
            _ => {}
        }
        let number = self.one_of(33) as f64 - 16.0;
        let number = if dtype == DType::F32 { number / 8.0 } else { number };
        let number = if dtype == DType::Bool { (self.one_of(2)) as f64 } else { number };
        self.kernel.literal(Literal::from_f64(dtype, number))
    }

    fn load(&mut self, dtype: DType, depth: usize) -> Option<ExprId> {
        let fits = |n: &usize| self.kernel.tensors[*n].dtype == dtype;
        let all: Vec<usize> = (0..self.kernel.tensors.len()).filter(fits).collect();
        if all.is_empty() {
            return None;
        }
        let tensor = all[self.one_of(all.len())];
        let indices: Vec<ExprId> = (0..self.kernel.tensors[tensor].rank).map(|_| self.near()).collect();
        let edge = match self.one_of(4) {
            0 => Edge::Clamp,
            1 => Edge::Wrap,
            2 => Edge::Mirror,
            _ => Edge::Fill(self.value(dtype, depth)),
        };
        Some(self.kernel.load(TensorId(tensor as u32), &indices, edge))
    }

    fn element(&mut self, dtype: DType) -> Option<ExprId> {
        let fits = |n: &usize| self.kernel.arrays[*n].dtype == dtype;
        let all: Vec<usize> = (0..self.kernel.arrays.len()).filter(fits).collect();
        if all.is_empty() {
            return None;
        }
        let array = ArrayId(all[self.one_of(all.len())] as u32);
        let index = self.near();
        Some(self.kernel.expr(Expr::Element(array, index)))
    }

    /// A float between −64 and 64, as all are.
    fn bounded(&mut self, x: ExprId) -> ExprId {
        let (low, high) = (self.kernel.literal(Literal::F32(-64.0)), self.kernel.literal(Literal::F32(64.0)));
        let above = self.kernel.binary(Binary::Max, x, low);
        self.kernel.binary(Binary::Min, above, high)
    }

    fn float(&mut self, depth: usize) -> ExprId {
        let (a, b) = (self.value(DType::F32, depth), self.value(DType::F32, depth));
        match self.one_of(6) {
            0 => self.kernel.binary(Binary::Min, a, b),
            1 => self.kernel.binary(Binary::Max, a, b),
            2 => {
                let product = self.kernel.binary(Binary::Mul, a, b);
                let floor = self.kernel.unary(Unary::Floor, product);
                self.bounded(floor)
            }
            3 => {
                self.kernel.unary([Unary::Neg, Unary::Abs, Unary::Sign, Unary::Relu][self.random.below(4)], a)
            }
            n => {
                let sum = self.kernel.binary(if n == 4 { Binary::Add } else { Binary::Sub }, a, b);
                self.bounded(sum)
            }
        }
    }

    fn whole(&mut self, depth: usize) -> ExprId {
        if depth == 0 {
            return self.leaf(DType::I32);
        }
        let (a, b) = (self.value(DType::I32, depth - 1), self.value(DType::I32, depth - 1));
        const ALL: [Binary; 12] = [
            Binary::Add,
            Binary::Sub,
            Binary::Mul,
            Binary::Div,
            Binary::Rem,
            Binary::Min,
            Binary::Max,
            Binary::And,
            Binary::Or,
            Binary::Xor,
            Binary::Shl,
            Binary::Shr,
        ];
        match self.one_of(ALL.len() + 3) {
            12 => self.kernel.unary(Unary::Neg, a),
            13 => self.kernel.unary(Unary::Abs, a),
            14 => self.kernel.unary(Unary::Not, a),
            n => self.kernel.binary(ALL[n], a, b),
        }
    }

    fn unsigned(&mut self, depth: usize) -> ExprId {
        let (a, b) = (self.value(DType::U32, depth), self.value(DType::U32, depth));
        let all = [
            Binary::Add,
            Binary::Sub,
            Binary::Mul,
            Binary::Div,
            Binary::Rem,
            Binary::Min,
            Binary::Xor,
            Binary::Shl,
            Binary::Shr,
        ];
        self.kernel.binary(all[self.random.below(all.len())], a, b)
    }

    fn truth(&mut self, depth: usize) -> ExprId {
        if self.one_of(3) == 0 {
            let (a, b) = (self.value(DType::Bool, depth), self.value(DType::Bool, depth));
            return match self.one_of(4) {
                0 => self.kernel.unary(Unary::Not, a),
                1 => self.kernel.binary(Binary::And, a, b),
                2 => self.kernel.binary(Binary::Or, a, b),
                _ => self.kernel.binary(Binary::Xor, a, b),
            };
        }
        let dtype = DTYPES[self.one_of(4)];
        let (a, b) = (self.value(dtype, depth), self.value(dtype, depth));
        self.kernel.compare(Compare::ALL[self.random.below(6)], a, b)
    }
}
