//! For each rule, programs that it applies to: a little graph around a leaf of any shape, or around leaves of the case's own.

use super::common::programs::Random;
use weft_ir::DType::{self, Bool, F32, I32, U32};
use weft_ir::graph::{Graph, NodeId};
use weft_ir::op::{Binary, Coefficient, Compare, ContractAxes, Op, ReduceOp, ScatterOp, Unary, View};
use weft_ir::program::TensorProgram;
use weft_ir::{Literal, Shape};

/// A graph under construction.
pub struct Sketch {
    pub graph: Graph,
    pub random: Random,
}

impl Sketch {
    pub fn leaf(&mut self, shape: impl Into<Shape>, dtype: DType) -> NodeId {
        self.graph.add_placeholder(Op::Buffer(shape.into(), dtype)).unwrap()
    }

    pub fn add(&mut self, op: Op, inputs: &[NodeId]) -> NodeId {
        self.graph.add(op, inputs).unwrap()
    }

    pub fn unary(&mut self, op: Unary, x: NodeId) -> NodeId {
        self.add(Op::Unary(op), &[x])
    }

    pub fn binary(&mut self, op: Binary, a: NodeId, b: NodeId) -> NodeId {
        self.add(Op::Binary(op), &[a, b])
    }

    pub fn view(&mut self, view: View, x: NodeId) -> NodeId {
        self.add(Op::View(view), &[x])
    }

    pub fn shape(&self, id: NodeId) -> Shape {
        self.graph[id].shape.clone()
    }

    pub fn dtype(&self, id: NodeId) -> DType {
        self.graph[id].dtype
    }

    /// The 0-d `id` in `shape`.
    pub fn splat(&mut self, id: NodeId, shape: &Shape) -> NodeId {
        let ones = self.view(View::Reshape(vec![1; shape.rank()].into()), id);
        self.view(View::Expand(shape.clone()), ones)
    }

    pub fn constant(&mut self, literal: Literal, shape: &Shape) -> NodeId {
        let id = self.add(Op::Constant(literal), &[]);
        self.splat(id, shape)
    }

    /// `number` in the shape and dtype of `like`.
    pub fn number(&mut self, number: f64, like: NodeId) -> NodeId {
        self.constant(Literal::from_f64(self.dtype(like), number), &self.shape(like))
    }

    /// Another leaf like `x`.
    pub fn twin(&mut self, x: NodeId) -> NodeId {
        self.leaf(self.shape(x), self.dtype(x))
    }

    /// `x ∘ number`, or the other way around if that is as good.
    fn with(&mut self, op: Binary, x: NodeId, number: f64) -> NodeId {
        let number = self.number(number, x);
        let swap = matches!(op, Binary::Add | Binary::Mul) && self.random.one_in(2);
        if swap { self.binary(op, number, x) } else { self.binary(op, x, number) }
    }

    /// Extents from 2 to 5.
    pub fn extents<const N: usize>(&mut self) -> [usize; N] {
        std::array::from_fn(|_| 2 + self.random.below(4))
    }

    fn reduce(&mut self, op: ReduceOp, axes: &[usize], x: NodeId) -> NodeId {
        self.add(Op::Reduce { op, axes: axes.to_vec() }, &[x])
    }

    /// A reduction that takes `dtype`.
    fn reduction(&mut self, dtype: DType) -> ReduceOp {
        use ReduceOp::{Max, Min, Prod, Sum};
        self.random.pick(if dtype == Bool { &[Max, Min] } else { &[Max, Min, Sum, Prod] })
    }

    fn permutation(&mut self, rank: usize) -> Vec<usize> {
        let mut axes: Vec<usize> = (0..rank).collect();
        (1..rank).for_each(|i| axes.swap(i, self.random.below(i + 1)));
        axes
    }

    fn contract(&mut self, batch: &[(usize, usize)], contract: &[(usize, usize)], a: NodeId, b: NodeId) -> NodeId {
        let axes = ContractAxes { batch: batch.to_vec(), contract: contract.to_vec() };
        self.add(Op::Contract(axes), &[a, b])
    }

    /// Any slice of `x` without parameters.
    fn slice(&mut self, x: NodeId) -> NodeId {
        let (mut starts, mut steps, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
        for &extent in self.shape(x).iter() {
            let step: i64 = self.random.pick(&[1, 1, 2, -1, -2]);
            let most = (extent - 1) / step.unsigned_abs() as usize + 1;
            let length = 1 + self.random.below(most);
            let span = (length as i64 - 1) * step;
            let first = (-span).max(0);
            let room = extent - span.unsigned_abs() as usize;
            starts.push(Coefficient::Const(first + self.random.below(room) as i64));
            steps.push(step);
            lengths.push(length);
        }
        self.view(View::Slice { starts, steps, lengths }, x)
    }

    /// `x` with room around and between its elements.
    fn pad(&mut self, x: NodeId, value: Literal, gaps: bool) -> NodeId {
        let (mut low, mut interior, mut to) = (Vec::new(), Vec::new(), Vec::new());
        for &extent in self.shape(x).iter() {
            let (before, after) = (self.random.below(3), self.random.below(2));
            let gap = if gaps { self.random.below(3) } else { 0 };
            low.push(Coefficient::Const(before as i64));
            interior.push(gap);
            to.push(before + extent + extent.saturating_sub(1) * gap + after);
        }
        self.view(View::Pad { low, interior, shape: to.into(), value }, x)
    }
}

/// A program that `rule` applies to, made from a leaf of any shape.
pub struct Case {
    pub rule: &'static str,
    pub dtypes: &'static [DType],
    pub build: fn(&mut Sketch, NodeId) -> NodeId,
}

impl Case {
    /// The program for a leaf of `shape` and `dtype`.
    pub fn program(&self, shape: &[usize], dtype: DType, seed: u64) -> TensorProgram {
        let mut sketch = Sketch { graph: Graph::new(), random: Random::new(seed) };
        let x = sketch.leaf(shape, dtype);
        let root = (self.build)(&mut sketch, x);
        TensorProgram::from_graph(&sketch.graph, &[root]).0
    }
}

const ALL: &[DType] = &DType::ALL;
const NUMBERS: &[DType] = &[F32, I32, U32];
const SIGNED: &[DType] = &[F32, I32];
const INTEGERS: &[DType] = &[I32, U32];
const BITS: &[DType] = &[I32, U32, Bool];

macro_rules! cases {
    ($($rule:literal $dtypes:expr, |$s:ident, $x:pat_param| $body:expr;)*) => {
        &[$(Case { rule: $rule, dtypes: $dtypes, build: |$s, $x| $body }),*]
    };
}

pub const CASES: &[Case] = cases![
    "nothing-to-compute" ALL, |s, x| {
        let none = s.leaf([0, 3], s.dtype(x));
        let not_bool = s.add(Op::Cast(F32), &[none]);
        s.unary(Unary::Neg, not_bool)
    };
    "fold-constants" NUMBERS, |s, x| {
        let a = s.random.literal(s.dtype(x), false);
        let a = s.constant(a, &s.shape(x));
        let b = s.random.literal(s.dtype(x), false);
        let b = s.constant(b, &s.shape(x));
        let op = s.random.pick(&[Binary::Add, Binary::Sub, Binary::Mul, Binary::Div, Binary::Rem, Binary::Pow]);
        let value = s.binary(op, a, b);
        match s.random.below(3) {
            0 => { let sign = s.unary(Unary::Sign, value); s.binary(Binary::Max, x, sign) }
            1 => { let less = s.add(Op::Compare(Compare::Lt), &[a, b]); s.add(Op::Select, &[less, x, value]) }
            _ => s.add(Op::Cast(I32), &[value]),
        }
    };
    "order-operands" NUMBERS, |s, x| {
        let y = s.twin(x);
        let (a, b) = (s.binary(Binary::Mul, x, y), s.binary(Binary::Mul, y, x));
        s.binary(Binary::Sub, a, b)
    };
    "add-zero" NUMBERS, |s, x| s.with(Binary::Add, x, -0.0);
    "add-positive-zero" &[F32], |s, x| s.with(Binary::Add, x, 0.0);
    "subtract-zero" NUMBERS, |s, x| s.with(Binary::Sub, x, 0.0);
    "zero-minus" NUMBERS, |s, x| { let zero = s.number(-0.0, x); s.binary(Binary::Sub, zero, x) };
    "positive-zero-minus" &[F32], |s, x| { let zero = s.number(0.0, x); s.binary(Binary::Sub, zero, x) };
    "multiply-by-one" NUMBERS, |s, x| s.with(Binary::Mul, x, 1.0);
    "multiply-by-minus-one" NUMBERS, |s, x| s.with(Binary::Mul, x, -1.0);
    "multiply-integer-by-zero" INTEGERS, |s, x| s.with(Binary::Mul, x, 0.0);
    "divide-by-one" NUMBERS, |s, x| s.with(Binary::Div, x, 1.0);
    "divide-by-minus-one" SIGNED, |s, x| s.with(Binary::Div, x, -1.0);
    "divide-by-power-of-two" NUMBERS, |s, x| {
        let exponent = s.random.below(if s.dtype(x) == F32 { 253 } else { 31 }) as i32;
        let exponent = if s.dtype(x) == F32 { exponent - 126 } else { exponent };
        s.with(Binary::Div, x, 2f64.powi(exponent))
    };
    "remainder-of-power-of-two" INTEGERS, |s, x| { let k = s.random.below(31) as i32; s.with(Binary::Rem, x, 2f64.powi(k)) };
    "integer-minus-itself" INTEGERS, |s, x| s.binary(Binary::Sub, x, x);
    "join-integer-constants" INTEGERS, |s, x| {
        let op = s.random.pick(&[Binary::Add, Binary::Mul]);
        let (c, d) = (s.random.literal(s.dtype(x), false).to_f64(), s.random.literal(s.dtype(x), false).to_f64());
        let once = s.with(op, x, c);
        s.with(op, once, d)
    };
    "add-negative" NUMBERS, |s, x| {
        let y = s.twin(x);
        let negative = s.unary(Unary::Neg, y);
        match s.random.below(3) {
            0 => s.binary(Binary::Add, x, negative),
            1 => s.binary(Binary::Add, negative, x),
            _ => s.binary(Binary::Sub, x, negative),
        }
    };
    "multiply-negatives" NUMBERS, |s, x| {
        let y = s.twin(x);
        let (a, b) = (s.unary(Unary::Neg, x), s.unary(Unary::Neg, y));
        let divide = s.dtype(x) == F32 && s.random.one_in(2);
        s.binary(if divide { Binary::Div } else { Binary::Mul }, a, b)
    };
    "negate-twice" NUMBERS, |s, x| {
        let op = if s.dtype(x) == F32 { Unary::Neg } else { s.random.pick(&[Unary::Neg, Unary::Not]) };
        let once = s.unary(op, x);
        s.unary(op, once)
    };
    "abs-of-negative" SIGNED, |s, x| { let negative = s.unary(Unary::Neg, x); s.unary(Unary::Abs, negative) };
    "abs-of-unsigned" &[U32], |s, x| s.unary(Unary::Abs, x);
    "apply-twice" SIGNED, |s, x| {
        use Unary::*;
        let pairs = [(Abs, Abs), (Sign, Sign), (Relu, Relu), (Floor, Ceil), (Ceil, Round), (Round, Round)];
        let (first, second) = s.random.pick(if s.dtype(x) == F32 { &pairs } else { &pairs[..3] });
        let once = s.unary(first, x);
        s.unary(second, once)
    };
    "small-power" NUMBERS, |s, x| {
        let exponent = s.random.pick(if s.dtype(x) == F32 { &[0.0, 1.0, 2.0, -1.0] } else { &[0.0, 1.0, 2.0] });
        s.with(Binary::Pow, x, exponent)
    };
    "cube-and-fourth-power" NUMBERS, |s, x| { let exponent = s.random.pick(&[3.0, 4.0]); s.with(Binary::Pow, x, exponent) };

    "decided-select" ALL, |s, x| {
        let (y, truth) = (s.twin(x), s.random.one_in(2));
        let condition = s.constant(Literal::Bool(truth), &s.shape(x));
        s.add(Op::Select, &[condition, x, y])
    };
    "select-of-equals" ALL, |s, x| { let condition = s.leaf(s.shape(x), Bool); s.add(Op::Select, &[condition, x, x]) };
    "select-by-not" ALL, |s, x| {
        let (y, condition) = (s.twin(x), s.leaf(s.shape(x), Bool));
        let opposite = s.unary(Unary::Not, condition);
        s.add(Op::Select, &[opposite, x, y])
    };
    "select-one-or-zero" ALL, |s, x| {
        let (one, zero, condition) = (s.number(1.0, x), s.number(0.0, x), s.leaf(s.shape(x), Bool));
        let swap = s.dtype(x) == Bool && s.random.one_in(2);
        s.add(Op::Select, &if swap { [condition, zero, one] } else { [condition, one, zero] })
    };
    "combine-with-itself" ALL, |s, x| {
        let ops = [Binary::Min, Binary::Max, Binary::And, Binary::Or];
        let op = s.random.pick(if s.dtype(x) == F32 { &ops[..2] } else { &ops });
        s.binary(op, x, x)
    };
    "combine-with-neutral" ALL, |s, x| {
        let bits = |bits| Literal::from_bits(s.dtype(x), bits);
        let (low, high) = (ReduceOp::Max.identity(s.dtype(x)), ReduceOp::Min.identity(s.dtype(x)));
        let all = [(Binary::Min, high), (Binary::Max, low), (Binary::And, bits(u32::MAX)), (Binary::Or, bits(0))];
        let (op, neutral) = s.random.pick(if s.dtype(x) == F32 { &all[..2] } else { &all });
        let neutral = s.constant(neutral, &s.shape(x));
        if s.random.one_in(2) { s.binary(op, x, neutral) } else { s.binary(op, neutral, x) }
    };
    "combine-with-absorbing" BITS, |s, x| {
        let bits = |bits| Literal::from_bits(s.dtype(x), bits);
        let (low, high) = (ReduceOp::Max.identity(s.dtype(x)), ReduceOp::Min.identity(s.dtype(x)));
        let all = [(Binary::Min, low), (Binary::Max, high), (Binary::And, bits(0)), (Binary::Or, bits(u32::MAX))];
        let (op, absorbing) = s.random.pick(&all);
        let absorbing = s.constant(absorbing, &s.shape(x));
        if s.random.one_in(2) { s.binary(op, x, absorbing) } else { s.binary(op, absorbing, x) }
    };
    "exclusive-or" BITS, |s, x| {
        let bits = s.random.pick(&[0, u32::MAX]);
        let constant = s.constant(Literal::from_bits(s.dtype(x), bits), &s.shape(x));
        let other = if s.random.one_in(3) { x } else { constant };
        s.binary(Binary::Xor, x, other)
    };
    "shift-by-zero" INTEGERS, |s, x| { let op = s.random.pick(&[Binary::Shl, Binary::Shr]); s.with(op, x, 0.0) };
    "not-of-comparison" ALL, |s, x| {
        use Compare::*;
        let y = s.twin(x);
        let all = [Eq, Ne, Lt, Le, Gt, Ge];
        let op = s.random.pick(if s.dtype(x) == F32 { &all[..2] } else { &all });
        let truth = s.add(Op::Compare(op), &[x, y]);
        s.unary(Unary::Not, truth)
    };
    "compare-with-itself" BITS, |s, x| {
        use Compare::*;
        let op = s.random.pick(&[Eq, Ne, Lt, Le, Gt, Ge]);
        s.add(Op::Compare(op), &[x, x])
    };
    "compare-truth" ALL, |s, x| {
        use Compare::*;
        let (op, truth) = (s.random.pick(&[Eq, Ne, Lt, Le, Gt, Ge]), s.leaf(s.shape(x), Bool));
        let number = s.add(Op::Cast(s.dtype(x)), &[truth]);
        let literal = s.random.literal(s.dtype(x), false);
        let constant = s.constant(literal, &s.shape(x));
        s.add(Op::Compare(op), &[number, constant])
    };
    "cast-to-own-dtype" ALL, |s, x| s.add(Op::Cast(s.dtype(x)), &[x]);
    "cast-of-cast" BITS, |s, x| {
        let ways: &[(DType, DType)] = match s.dtype(x) {
            Bool => &[(I32, F32), (F32, U32), (U32, Bool)],
            I32 => &[(U32, I32), (U32, Bool), (F32, Bool)],
            _ => &[(I32, U32), (I32, Bool), (F32, Bool)],
        };
        let (first, second) = s.random.pick(ways);
        let once = s.add(Op::Cast(first), &[x]);
        s.add(Op::Cast(second), &[once])
    };
    "bitcast-between-integers" &[I32], |s, x| s.add(Op::Bitcast(U32), &[x]);
    "bitcast-of-bitcast" &[F32], |s, x| {
        // Not of NaN, whose bits are nobody's promise.
        let (nan, zero) = (s.unary(Unary::IsNan, x), s.number(0.0, x));
        let number = s.add(Op::Select, &[nan, zero, x]);
        let bits = s.add(Op::Bitcast(I32), &[number]);
        let to = s.random.pick(&[U32, F32]);
        s.add(Op::Bitcast(to), &[bits])
    };

    "view-of-everything" ALL, |s, x| {
        let (shape, rank) = (s.shape(x), s.shape(x).rank());
        let zeros = vec![Coefficient::Const(0); rank];
        let view = match s.random.below(5) {
            0 => View::Reshape(shape),
            1 => View::Expand(shape),
            2 => View::Permute((0..rank).collect()),
            3 => View::Slice { starts: zeros, steps: vec![1; rank], lengths: shape.to_vec() },
            _ => View::Pad { low: zeros, interior: vec![0; rank], shape, value: Literal::zero(s.dtype(x)) },
        };
        s.view(view, x)
    };
    "view-of-one-element" ALL, |s, x| {
        let [n, m] = s.extents();
        let element = s.leaf(Shape::scalar(), s.dtype(x));
        let repeated = s.splat(element, &[n, m].into());
        match s.random.below(3) {
            0 => s.view(View::Reshape([m * n].into()), repeated),
            1 => s.view(View::Permute(vec![1, 0]), repeated),
            _ => s.slice(repeated),
        }
    };
    "pad-with-the-same" ALL, |s, x| {
        let literal = s.random.literal(s.dtype(x), false);
        let constant = s.constant(literal, &s.shape(x));
        s.pad(constant, literal, true)
    };
    "pad-of-nothing" ALL, |s, x| {
        let (none, value) = (s.leaf([2, 0], s.dtype(x)), s.random.literal(s.dtype(x), false));
        let zeros = vec![Coefficient::Const(0); 2];
        s.view(View::Pad { low: zeros, interior: vec![0, 0], shape: [2, 3].into(), value }, none)
    };
    "reshape-of-reshape" ALL, |s, x| {
        let [a, b, c] = s.extents();
        let x = s.leaf([a, b * c], s.dtype(x));
        let x = s.view(View::Reshape([a * b, c].into()), x);
        let to: Shape = s.random.pick(&[vec![a, b, c], vec![a, b * c], vec![1, a * b * c]]).into();
        s.view(View::Reshape(to), x)
    };
    "reshape-of-expand" ALL, |s, x| {
        let [a, b, c] = s.extents();
        let x = s.leaf([1, a, 1, b], s.dtype(x));
        let x = s.view(View::Expand([c, a, 1, b].into()), x);
        let to = s.random.pick(&[vec![c, 1, a, b, 1], vec![1, c, a, b], vec![c, a, b]]);
        s.view(View::Reshape(to.into()), x)
    };
    "permute-of-permute" ALL, |s, x| {
        let shape: [usize; 4] = s.extents();
        let x = s.leaf(shape, s.dtype(x));
        let (first, second) = (s.permutation(4), s.permutation(4));
        let x = s.view(View::Permute(first), x);
        s.view(View::Permute(second), x)
    };
    "expand-of-expand" ALL, |s, x| {
        let [a, b, c] = s.extents();
        let x = s.leaf([1, a, 1], s.dtype(x));
        let x = s.view(View::Expand([b, a, 1].into()), x);
        s.view(View::Expand([b, a, c].into()), x)
    };
    "slice-of-slice" ALL, |s, x| {
        let x = s.leaf([9, 6], s.dtype(x));
        let x = s.slice(x);
        s.slice(x)
    };
    "pad-of-pad" ALL, |s, x| {
        let [n, m] = s.extents();
        let (x, value) = (s.leaf([n, m], s.dtype(x)), s.random.literal(s.dtype(x), false));
        let x = s.pad(x, value, true);
        s.pad(x, value, false)
    };
    "slice-out-of-pad" ALL, |s, x| {
        let [n, m] = s.extents();
        let (x, value) = (s.leaf([n, m], s.dtype(x)), s.random.literal(s.dtype(x), false));
        let padded = s.pad(x, value, true);
        let Op::View(View::Pad { low, interior, .. }) = s.graph[padded].op.clone() else { unreachable!() };
        let steps = interior.iter().map(|&gap| gap as i64 + 1).collect();
        s.view(View::Slice { starts: low, steps, lengths: vec![n, m] }, padded)
    };
    "permute-of-unit-axes" ALL, |s, x| {
        let [n, m] = s.extents();
        let x = s.leaf([n, 1, m, 1], s.dtype(x));
        let axes = s.random.pick(&[vec![1, 0, 2, 3], vec![3, 0, 1, 2], vec![0, 2, 3, 1]]);
        s.view(View::Permute(axes), x)
    };
    "view-of-positions" INTEGERS, |s, x| {
        let ([n, m], axis) = (s.extents(), s.random.below(2));
        let positions = s.add(Op::Iota { shape: [n, m].into(), axis, dtype: s.dtype(x) }, &[]);
        let column = s.view(View::Reshape([n, 1, m, 1].into()), positions);
        match s.random.below(4) {
            0 => s.view(View::Permute(vec![1, 0]), positions),
            1 => column,
            2 => s.view(View::Expand([n, 3, m, 2].into()), column),
            _ => {
                let (mut starts, mut steps) = (vec![Coefficient::Const(1); 2], vec![-1; 2]);
                (starts[axis], steps[axis]) = (Coefficient::Const(0), 1);
                s.view(View::Slice { starts, steps, lengths: vec![2, 2] }, positions)
            }
        }
    };

    "reduce-nothing" NUMBERS, |s, x| {
        let (none, op) = (s.leaf([2, 0, 3], s.dtype(x)), s.random.pick(&[ReduceOp::Sum, ReduceOp::Prod]));
        s.reduce(op, &[1], none)
    };
    "reduce-constant" NUMBERS, |s, x| {
        let ([n, m], literal) = (s.extents(), s.random.literal(s.dtype(x), false));
        let (op, constant) = (s.random.pick(&[ReduceOp::Max, ReduceOp::Min, ReduceOp::Sum]), s.constant(literal, &[n, m].into()));
        s.reduce(op, &[s.random.clone().below(2)], constant)
    };
    "reduce-constant" NUMBERS, |s, x| {
        let ones = s.constant(Literal::one(s.dtype(x)), &[3, 4].into());
        let op = s.random.pick(&[ReduceOp::Prod, ReduceOp::ArgMax, ReduceOp::ArgMin]);
        s.reduce(op, &[1], ones)
    };
    "reduce-one-element" &[F32, I32, U32, Bool], |s, x| {
        let x = s.leaf([3, 1, 2, 1], s.dtype(x));
        let mut op = s.reduction(s.dtype(x));
        if op == ReduceOp::Sum && s.dtype(x) == F32 { op = ReduceOp::Prod; }
        s.reduce(op, &[1, 3], x)
    };
    "sum-one-element" &[F32], |s, x| {
        let x = s.leaf([3, 1], s.dtype(x));
        s.reduce(ReduceOp::Sum, &[1], x)
    };
    "position-of-one-element" ALL, |s, x| {
        let (x, op) = (s.leaf([3, 1], s.dtype(x)), s.random.pick(&[ReduceOp::ArgMax, ReduceOp::ArgMin]));
        s.reduce(op, &[1], x)
    };
    "reduce-repeated" ALL, |s, x| {
        let [a, b, c] = s.extents();
        let x = s.leaf([1, a, 1, b], s.dtype(x));
        let x = s.view(View::Expand([c, a, 3, b].into()), x);
        let op = s.random.pick(if s.dtype(x) == Bool { &[ReduceOp::Max] } else { &[ReduceOp::Sum, ReduceOp::Min] });
        let axes = s.random.pick(&[vec![0], vec![0, 2], vec![0, 1], vec![2, 3], vec![0, 1, 2, 3]]);
        s.reduce(op, &axes, x)
    };
    "reduce-of-reduce" ALL, |s, x| {
        let shape: [usize; 4] = s.extents();
        let (x, op) = (s.leaf(shape, s.dtype(x)), s.reduction(s.dtype(x)));
        let (first, second) = (s.random.pick(&[vec![0], vec![1, 3], vec![2]]), s.random.pick(&[vec![0], vec![1], vec![0, 1]]));
        let x = s.reduce(op, &first, x);
        s.reduce(op, &second, x)
    };

    "contract-nothing" NUMBERS, |s, x| {
        let (a, b) = (s.leaf([2, 0], s.dtype(x)), s.leaf([0, 3], s.dtype(x)));
        s.contract(&[], &[(1, 0)], a, b)
    };
    "contract-one-element" NUMBERS, |s, x| {
        let [n, m, k] = s.extents();
        let (a, b) = (s.leaf([1, n, m], s.dtype(x)), s.leaf([k, m, 1], s.dtype(x)));
        if s.random.one_in(2) { s.contract(&[(2, 1)], &[(0, 2)], a, b) } else { s.contract(&[], &[(0, 2)], a, b) }
    };
    "contract-unit-axes" NUMBERS, |s, x| {
        let [n, m, k] = s.extents();
        let (a, b) = (s.leaf([1, n, m, 1], s.dtype(x)), s.leaf([m, 1, k, 1], s.dtype(x)));
        s.contract(&[], &[(0, 1), (2, 0), (3, 3)], a, b)
    };
    "contract-permuted" NUMBERS, |s, x| {
        let [n, m, k, l] = s.extents();
        let dtype = s.dtype(x);
        match s.random.below(3) {
            0 => {
                let (a, b) = (s.leaf([n, m], dtype), s.leaf([k, m], dtype));
                let transposed = s.view(View::Permute(vec![1, 0]), b);
                s.contract(&[], &[(1, 0)], a, transposed)
            }
            1 => {
                let (a, b) = (s.leaf([n, l, m], dtype), s.leaf([l, n, k, m], dtype));
                let moved = s.view(View::Permute(vec![1, 2, 0]), a);
                s.contract(&[(2, 1), (0, 0)], &[(1, 3)], moved, b)
            }
            _ => {
                let (a, b) = (s.leaf([m, n, l], dtype), s.leaf([k, m], dtype));
                let (a, b) = (s.view(View::Permute(vec![1, 0, 2]), a), s.view(View::Permute(vec![1, 0]), b));
                s.contract(&[], &[(1, 0)], a, b)
            }
        }
    };
    "contract-repeated" NUMBERS, |s, x| {
        let [n, m, k, l] = s.extents();
        let dtype = s.dtype(x);
        let weight = s.leaf([1, m, k], dtype);
        let stack = s.view(View::Expand([l, m, k].into()), weight);
        match s.random.below(3) {
            0 => { let a = s.leaf([l, n, m], dtype); s.contract(&[(0, 0)], &[(2, 1)], a, stack) }
            1 => { let a = s.leaf([l, k, n, m], dtype); s.contract(&[(1, 2), (0, 0)], &[(3, 1)], a, stack) }
            _ => { let b = s.leaf([k, l, n, m], dtype); s.contract(&[(2, 0), (0, 1)], &[(1, 3)], stack, b) }
        }
    };

    "positions-along-unit-axis" INTEGERS, |s, x| s.add(Op::Iota { shape: [3, 1, 2].into(), axis: 1, dtype: s.dtype(x) }, &[]);
    "gather-from-one-element" ALL, |s, x| {
        let (element, indices) = (s.leaf(Shape::scalar(), s.dtype(x)), s.leaf([2, 3], I32));
        let source = s.splat(element, &[4, 5].into());
        s.add(Op::Gather { axis: 1 }, &[source, indices])
    };
    "gather-one-position" ALL, |s, x| {
        let (axis, indices, at) = (s.random.below(2), s.random.pick(&[vec![], vec![2], vec![1, 3]]), s.random.below(9) as f64);
        let index = Literal::from_f64(s.random.pick(&[I32, U32]), at - if s.random.one_in(4) { 3.0 } else { 0.0 });
        let indices = s.constant(index, &indices.into());
        let shape = s.random.pick(&[[4, 5], [1, 3]]);
        let source = s.leaf(shape, s.dtype(x));
        s.add(Op::Gather { axis }, &[source, indices])
    };
    "gather-in-order" ALL, |s, x| {
        let [n, m] = s.extents();
        let source = s.leaf([n, m], s.dtype(x));
        let positions = s.add(Op::Iota { shape: [1 + s.random.clone().below(m)].into(), axis: 0, dtype: U32 }, &[]);
        s.add(Op::Gather { axis: 1 }, &[source, positions])
    };
    "scatter-nothing" ALL, |s, x| {
        let (base, indices, updates) = (s.leaf([3, 2], s.dtype(x)), s.leaf([0], I32), s.leaf([0, 2], s.dtype(x)));
        s.add(Op::Scatter { axis: 0, op: ScatterOp::Set }, &[base, indices, updates])
    };
    "scatter-outside" ALL, |s, x| {
        let (base, updates) = (s.leaf([3, 2], s.dtype(x)), s.leaf([4, 2], s.dtype(x)));
        let index = s.random.pick(&[Literal::I32(3), Literal::I32(-1), Literal::U32(3), Literal::U32(u32::MAX)]);
        let indices = s.constant(index, &[4].into());
        s.add(Op::Scatter { axis: 0, op: ScatterOp::Set }, &[base, indices, updates])
    };
    "scatter-in-order" ALL, |s, x| {
        let [n, m] = s.extents();
        let (base, updates) = (s.leaf([n, m], s.dtype(x)), s.leaf([n, m], s.dtype(x)));
        let positions = s.add(Op::Iota { shape: [m].into(), axis: 0, dtype: I32 }, &[]);
        let ops = [ScatterOp::Set, ScatterOp::Min, ScatterOp::Max, ScatterOp::Add];
        let op = s.random.pick(if s.dtype(x) == Bool { &ops[..3] } else { &ops });
        s.add(Op::Scatter { axis: 1, op }, &[base, positions, updates])
    };
    "scatter-add-zero" NUMBERS, |s, x| {
        let (base, indices) = (s.leaf([3, 2], s.dtype(x)), s.leaf([4], I32));
        let zero = s.constant(Literal::zero(s.dtype(x)), &[4, 2].into());
        s.add(Op::Scatter { axis: 0, op: ScatterOp::Add }, &[base, indices, zero])
    };
];
