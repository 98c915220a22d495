//! Patterns of real programs: softmax, layer normalisation, dense layers, attention, losses, masks,
//! pairwise forces, embeddings, an optimizer's step.

use super::Generator;
use weft_ir::graph::NodeId;
use weft_ir::op::{Binary, Compare, ContractAxes, Op, ReduceOp, ScatterOp, Unary, View};
use weft_ir::{DType, Literal, Shape};

impl Generator {
    /// One of the patterns, on what there is.
    pub(super) fn pattern(&mut self) -> Option<NodeId> {
        let x = self.any_of(DType::F32);
        match self.random.below(12) {
            0 | 1 => self.softmax(x),
            2 => self.layer_norm(x),
            3 => self.dense(x),
            4 => self.attention(),
            5 => self.squared_loss(x),
            6 => self.masked(x),
            7 => self.pairwise(),
            8 => self.embedding(),
            9 => self.momentum(x),
            10 => self.gelu(x),
            _ => self.log_sum_exp(x),
        }
    }

    fn unary_of(&mut self, op: Unary, x: NodeId) -> Option<NodeId> {
        self.push(Op::Unary(op), &[x])
    }

    fn binary_of(&mut self, op: Binary, a: NodeId, b: NodeId) -> Option<NodeId> {
        self.push(Op::Binary(op), &[a, b])
    }

    fn with_number(&mut self, op: Binary, a: NodeId, number: f32) -> Option<NodeId> {
        let b = self.number(Literal::F32(number), &self.shape(a))?;
        self.binary_of(op, a, b)
    }

    /// `x` in [−1, 1]: itself if it is known to be small.
    fn small(&mut self, x: NodeId) -> Option<NodeId> {
        if self.tame && self.bounds[&x].size() <= 1.0 {
            return Some(x);
        }
        let op = self.random.pick(&[Unary::Tanh, Unary::Sin, Unary::Erf]);
        self.unary_of(op, x)
    }

    /// Some axis, most often the last.
    fn some_axis(&mut self, x: NodeId) -> Option<usize> {
        let last = self.shape(x).rank().checked_sub(1)?;
        Some(if self.random.one_in(4) { self.random.below(last + 1) } else { last })
    }

    /// `x` reduced along `axis` and repeated along it.
    fn along(&mut self, op: ReduceOp, x: NodeId, axis: usize) -> Option<NodeId> {
        let shape = self.shape(x);
        let reduced = self.push(Op::Reduce { op, axes: vec![axis] }, &[x])?;
        let kept = self.push(Op::View(View::Reshape(shape.keepdims(&[axis]))), &[reduced])?;
        self.push(Op::View(View::Expand(shape)), &[kept])
    }

    fn mean(&mut self, x: NodeId, axis: usize) -> Option<NodeId> {
        let sum = self.along(ReduceOp::Sum, x, axis)?;
        let count = self.shape(x)[axis].max(1) as f32;
        if self.random.one_in(2) {
            self.with_number(Binary::Div, sum, count)
        } else {
            self.with_number(Binary::Mul, sum, 1.0 / count)
        }
    }

    fn softmax(&mut self, x: NodeId) -> Option<NodeId> {
        let axis = self.some_axis(x)?;
        let x = self.small(x)?;
        let largest = self.along(ReduceOp::Max, x, axis)?;
        let shifted = self.binary_of(Binary::Sub, x, largest)?;
        let exp = self.unary_of(Unary::Exp, shifted)?;
        let sum = self.along(ReduceOp::Sum, exp, axis)?;
        self.binary_of(Binary::Div, exp, sum)
    }

    fn log_sum_exp(&mut self, x: NodeId) -> Option<NodeId> {
        let axis = self.some_axis(x)?;
        let x = self.small(x)?;
        let exp = self.unary_of(Unary::Exp, x)?;
        let sum = self.push(Op::Reduce { op: ReduceOp::Sum, axes: vec![axis] }, &[exp])?;
        self.unary_of(Unary::Log, sum)
    }

    fn layer_norm(&mut self, x: NodeId) -> Option<NodeId> {
        let axis = self.some_axis(x)?;
        let x = self.small(x)?;
        let mean = self.mean(x, axis)?;
        let centred = self.binary_of(Binary::Sub, x, mean)?;
        let square = self.binary_of(Binary::Mul, centred, centred)?;
        let variance = self.mean(square, axis)?;
        // The interval of a product of a value with itself is not known to be positive.
        let variance = self.unary_of(Unary::Abs, variance)?;
        let floor = self.with_number(Binary::Add, variance, 0.125)?;
        let scale = self.unary_of(Unary::Rsqrt, floor)?;
        let normal = self.binary_of(Binary::Mul, centred, scale)?;
        let shape = self.shape(x);
        let gain = self.leaf_of([shape[shape.rank() - 1]].into(), DType::F32);
        let gain = self.broadcast(gain, &shape)?;
        self.binary_of(Binary::Mul, normal, gain)
    }

    fn matmul(&mut self, a: NodeId, b: NodeId, transpose: bool) -> Option<NodeId> {
        let (rank, right) = (self.shape(a).rank(), self.shape(b).rank());
        let batch = (0..right.saturating_sub(2)).map(|i| (i, i)).collect();
        let inner = if transpose { right.checked_sub(1)? } else { right.checked_sub(2)? };
        let contract = vec![(rank.checked_sub(1)?, inner)];
        self.push(Op::Contract(ContractAxes { batch, contract }), &[a, b])
    }

    fn dense(&mut self, x: NodeId) -> Option<NodeId> {
        let x = self.small(x)?;
        let shape = self.shape(x);
        let (inner, outer) = (*shape.last()?, self.random.pick(&[1, 3, 8, 16]));
        let transpose = self.random.one_in(2);
        let weight = if transpose { [outer, inner] } else { [inner, outer] };
        let mut weight = self.leaf_of(weight.into(), DType::F32);
        let reads_transposed = self.random.one_in(2);
        if transpose && !reads_transposed {
            weight = self.push(Op::View(View::Permute(vec![1, 0])), &[weight])?;
        }
        let product = self.matmul(x, weight, transpose && reads_transposed)?;
        let bias = self.leaf_of([outer].into(), DType::F32);
        let bias = self.broadcast(bias, &self.shape(product))?;
        let sum = self.binary_of(Binary::Add, product, bias)?;
        let activation = self.random.pick(&[Unary::Relu, Unary::Tanh, Unary::Sigmoid]);
        self.unary_of(activation, sum)
    }

    fn attention(&mut self) -> Option<NodeId> {
        let (heads, length, width) =
            (self.random.pick(&[1, 2]), self.random.pick(&[2, 3, 8]), self.random.pick(&[2, 4]));
        let shape: Shape = [heads, length, width].into();
        let [q, k, v] = [(); 3].map(|()| self.leaf_of(shape.clone(), DType::F32));
        let scores = self.matmul(q, k, true)?;
        let scaled = self.with_number(Binary::Mul, scores, 1.0 / (width as f32).sqrt())?;
        let masked = if self.random.one_in(2) { self.masked(scaled)? } else { scaled };
        let weights = self.softmax(masked)?;
        self.matmul(weights, v, false)
    }

    /// Zero above the diagonal of the last two axes.
    fn masked(&mut self, x: NodeId) -> Option<NodeId> {
        let shape = self.shape(x);
        let columns = shape.rank().checked_sub(1)?;
        let position = |axis| Op::Iota { shape: shape.clone(), axis, dtype: DType::I32 };
        let (row, column) =
            (self.push(position(columns.checked_sub(1)?), &[])?, self.push(position(columns), &[])?);
        let below = self.push(Op::Compare(Compare::Ge), &[row, column])?;
        let zero = self.number(Literal::F32(if self.tame { -1.0 } else { f32::NEG_INFINITY }), &shape)?;
        self.push(Op::Select, &[below, x, zero])
    }

    fn squared_loss(&mut self, x: NodeId) -> Option<NodeId> {
        let x = self.small(x)?;
        let shape = self.shape(x);
        let target = self.leaf_of(shape.clone(), DType::F32);
        let difference = self.binary_of(Binary::Sub, x, target)?;
        let square = self.with_number(Binary::Pow, difference, 2.0)?;
        let axes = (0..shape.rank()).collect();
        let sum = self.push(Op::Reduce { op: ReduceOp::Sum, axes }, &[square])?;
        self.with_number(Binary::Div, sum, shape.size().max(1) as f32)
    }

    /// Forces between all pairs of points, summed for each.
    fn pairwise(&mut self) -> Option<NodeId> {
        let count = self.random.pick(&[2, 5, 8]);
        let points = self.leaf_of([count, 3].into(), DType::F32);
        let all: Shape = [count, count, 3].into();
        let rows = self.push(Op::View(View::Reshape([count, 1, 3].into())), &[points])?;
        let rows = self.push(Op::View(View::Expand(all.clone())), &[rows])?;
        let columns = self.broadcast(points, &all)?;
        let apart = self.binary_of(Binary::Sub, columns, rows)?;
        let square = self.binary_of(Binary::Mul, apart, apart)?;
        let distance = self.push(Op::Reduce { op: ReduceOp::Sum, axes: vec![2] }, &[square])?;
        let distance = self.unary_of(Unary::Abs, distance)?;
        let softened = self.with_number(Binary::Add, distance, 0.5)?;
        let inverse = self.unary_of(Unary::Rsqrt, softened)?;
        let inverse = self.push(Op::View(View::Reshape([count, count, 1].into())), &[inverse])?;
        let inverse = self.push(Op::View(View::Expand(all)), &[inverse])?;
        let force = self.binary_of(Binary::Mul, apart, inverse)?;
        self.push(Op::Reduce { op: ReduceOp::Sum, axes: vec![1] }, &[force])
    }

    /// Rows of a table looked up, and their gradient added back into another.
    fn embedding(&mut self) -> Option<NodeId> {
        let (rows, width, count) =
            (self.random.pick(&[3, 8]), self.random.pick(&[1, 4]), self.random.pick(&[1, 2, 6]));
        let table = self.leaf_of([rows, width].into(), DType::F32);
        let indices = self.leaf_of([count].into(), DType::I32);
        let found = self.push(Op::Gather { axis: 0 }, &[table, indices])?;
        if self.random.one_in(2) {
            return Some(found);
        }
        let zeros = self.number(Literal::F32(0.0), &[rows, width].into())?;
        self.push(Op::Scatter { axis: 0, op: ScatterOp::Add }, &[zeros, indices, found])
    }

    /// A step of gradient descent with momentum, with run-time rates.
    fn momentum(&mut self, gradient: NodeId) -> Option<NodeId> {
        let shape = self.shape(gradient);
        let (value, velocity) =
            (self.leaf_of(shape.clone(), DType::F32), self.leaf_of(shape.clone(), DType::F32));
        let (rate, decay) = (self.add_leaf(Op::Scalar(DType::F32)), self.add_leaf(Op::Scalar(DType::F32)));
        let (rate, decay) = (self.broadcast(rate, &shape)?, self.broadcast(decay, &shape)?);
        let kept = self.binary_of(Binary::Mul, velocity, decay)?;
        let velocity = self.binary_of(Binary::Add, kept, gradient)?;
        let step = self.binary_of(Binary::Mul, velocity, rate)?;
        self.binary_of(Binary::Sub, value, step)
    }

    fn gelu(&mut self, x: NodeId) -> Option<NodeId> {
        let scaled = self.with_number(Binary::Mul, x, std::f32::consts::FRAC_1_SQRT_2)?;
        let erf = self.unary_of(Unary::Erf, scaled)?;
        let shifted = self.with_number(Binary::Add, erf, 1.0)?;
        let half = self.with_number(Binary::Mul, x, 0.5)?;
        self.binary_of(Binary::Mul, half, shifted)
    }
}
