//! Random well-formed tensor programs with inputs to run them on, for fuzzing whatever takes a
//! program.
//!
//! *Tame* programs ([`random_program`]) are for comparing devices within a tolerance: every value
//! stays small, no function is evaluated near a singularity, and discontinuous operations
//! (comparisons, rounding, positions) only take values that every order of evaluation yields
//! exactly (`programs/bounds.rs`). *Wild* programs ([`wild_program`]) apply anything to anything,
//! NaN, infinities and signed zeros included, for comparing bits on one interpreter.

#![allow(dead_code, reason = "each test file that includes this module uses a part of it")]

// The paths make this file work from other crates too, by a path of its own.
#[path = "programs/bounds.rs"]
mod bounds;
#[path = "programs/patterns.rs"]
mod patterns;
#[path = "programs/steps.rs"]
mod steps;

use bounds::Bounds;
use std::collections::HashMap;
use weft_ir::graph::{Graph, NodeId};
use weft_ir::interpret::Value;
use weft_ir::op::infer::infer;
use weft_ir::op::{Coefficient, Op, Unary, View};
use weft_ir::program::{ProgramNode, TensorProgram};
use weft_ir::{DType, Literal, Shape};

/// A tame program, a value for each of its buffers and a number for each of its scalars. Equal
/// seeds give equal programs.
pub fn random_program(seed: u64) -> (TensorProgram, Vec<Value<f32>>, Vec<Literal>) {
    generate(seed, true)
}

/// A program without restraint; see the module's header.
pub fn wild_program(seed: u64) -> (TensorProgram, Vec<Value<f32>>, Vec<Literal>) {
    generate(seed, false)
}

/// Values for the leaves of `program`: small multiples of 1/8 and small integers if `tame`,
/// anything otherwise. Scalars that are parameters of views lie in their ranges.
pub fn random_inputs(program: &TensorProgram, seed: u64, tame: bool) -> (Vec<Value<f32>>, Vec<Literal>) {
    let mut random = Random::new(seed);
    let buffers = program
        .buffer_leaves()
        .into_iter()
        .map(|id| {
            let shape = &program[id].shape;
            let value = random_value(&mut random, shape, program[id].dtype, tame);
            let reads = |node: &ProgramNode| matches!(node.op, Op::Fourier { .. }) && node.inputs[1] == id;
            let is_table = program.nodes.iter().any(reads);
            if is_table { Value::u32(shape.clone(), turns(shape[1])).unwrap() } else { value }
        })
        .collect();
    let mut ranges = HashMap::new();
    for node in &program.nodes {
        if let Op::View(View::Slice { starts: list, .. } | View::Pad { low: list, .. }) = &node.op {
            for &c in list {
                if let Coefficient::Param { input, min, max } = c {
                    let (low, high) = ranges.entry(node.inputs[input]).or_insert((min, max));
                    (*low, *high) = (min.max(*low), max.min(*high));
                }
            }
        }
    }
    let scalars = program
        .scalar_leaves()
        .into_iter()
        .map(|id| match ranges.get(&id) {
            Some(&(low, high)) => Literal::I32((low + random.below((high - low + 1) as usize) as i64) as i32),
            None => random.literal(program[id].dtype, tame),
        })
        .collect();
    (buffers, scalars)
}

/// The table for Fourier transforms of n numbers.
pub fn turns(n: usize) -> Vec<u32> {
    let angle = |k: usize| -std::f64::consts::TAU * k as f64 / n as f64;
    let (cosines, sines) = ((0..n).map(|k| angle(k).cos()), (0..n).map(|k| angle(k).sin()));
    cosines.chain(sines).map(|turn| (turn as f32).to_bits()).collect()
}

/// A tensor of random elements; see [`random_inputs`].
pub fn random_value(random: &mut Random, shape: &Shape, dtype: DType, tame: bool) -> Value<f32> {
    let bits: Vec<u32> = (0..shape.size()).map(|_| random.literal(dtype, tame).bits()).collect();
    Value::from_bits(shape.clone(), dtype, &bits).expect("one element was made for each place")
}

/// A small generator of random numbers, so that a seed means the same program everywhere: Steele,
/// Lea and Flood's SplitMix64 ("Fast splittable pseudorandom number generators", 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which must not be 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of a list, which must not be empty.
    pub fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }

    /// A number of `dtype`: a multiple of 1/8 in [−1, 1], or an integer in [−8, 8]; if not `tame`
    /// also corner cases.
    pub fn literal(&mut self, dtype: DType, tame: bool) -> Literal {
        const FLOATS: [f32; 14] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
            f32::MAX,
            f32::MIN_POSITIVE,
            1e-41,
            -3.5,
            16777216.0,
            3e9,
            0.1,
        ];
        const INTEGERS: [u32; 8] = [0, 1, u32::MAX, 1 << 31, (1 << 31) - 1, 31, 32, 16777217];
        match dtype {
            DType::F32 | DType::F16 if tame || self.one_in(3) => {
                Literal::F32(self.below(17) as f32 / 8.0 - 1.0)
            }
            DType::F32 | DType::F16 => Literal::F32(self.pick(&FLOATS)),
            DType::Bool => Literal::Bool(self.one_in(2)),
            _ if !tame && self.one_in(2) => Literal::from_bits(dtype, self.pick(&INTEGERS)),
            DType::I32 | DType::I8 => Literal::I32(self.below(17) as i32 - 8),
            DType::U32 | DType::U8 => Literal::U32(self.below(9) as u32),
        }
    }

    /// A shape of up to four axes with small extents.
    pub fn shape(&mut self) -> Shape {
        let rank = self.pick(&[0, 1, 1, 2, 2, 2, 3, 3, 4]);
        let extents: Vec<usize> = (0..rank).map(|_| self.pick(&[1, 2, 2, 3, 4, 5, 8, 16])).collect();
        extents.into()
    }
}

fn generate(seed: u64, tame: bool) -> (TensorProgram, Vec<Value<f32>>, Vec<Literal>) {
    let mut generator = Generator::new(seed, tame);
    generator.leaf();
    for _ in 0..4 + generator.random.below(20) {
        generator.step();
    }
    let program = generator.finish();
    let (buffers, scalars) = random_inputs(&program, seed ^ 0x5eed, tame);
    (program, buffers, scalars)
}

/// A graph that grows by random steps. Steps propose; [`Generator::push`] refuses what is not well
/// formed, too large or not tame, so that a step need not know all the rules.
pub struct Generator {
    random: Random,
    /// Decides what is packed, so that the programs are otherwise those without.
    packing: Random,
    graph: Graph,
    nodes: Vec<NodeId>,
    bounds: HashMap<NodeId, Bounds>,
    tame: bool,
}

const PACKED: [DType; 3] = [DType::F16, DType::I8, DType::U8];
const MAX_ELEMENTS: usize = 4096;
const MAX_PRODUCTS: usize = 1 << 16;

impl Generator {
    fn new(seed: u64, tame: bool) -> Generator {
        let (random, packing, graph) = (Random::new(seed), Random::new(!seed), Graph::new());
        Generator { random, packing, graph, nodes: Vec::new(), bounds: HashMap::new(), tame }
    }

    /// The program of everything that nothing reads, at most five of those, sometimes with a node
    /// in the middle.
    fn finish(mut self) -> TensorProgram {
        let free = |id: &NodeId| self.graph[*id].readers() == 0 && !self.graph[*id].op.is_leaf();
        let mut roots: Vec<NodeId> = self.nodes.iter().copied().filter(free).collect();
        while roots.len() > 5 {
            roots.remove(self.random.below(roots.len()));
        }
        if roots.is_empty() || self.random.one_in(3) {
            roots.push(self.any());
        }
        for root in &mut roots {
            if self.packing.one_in(8) {
                let packed = self.packing.pick(&PACKED);
                *root = self.push(Op::Cast(packed), &[*root]).unwrap_or(*root);
            }
            // The sign of 0 is nobody's promise, and words are compared bit by bit.
            if self.dtype(*root) == DType::F16 {
                for op in [Op::Cast(DType::F32), Op::Unary(Unary::Abs), Op::Cast(DType::F16)] {
                    *root = self.push(op, &[*root]).unwrap_or(*root);
                }
            }
        }
        TensorProgram::from_graph(&self.graph, &roots).0
    }

    fn push(&mut self, op: Op, inputs: &[NodeId]) -> Option<NodeId> {
        let facts: Vec<_> = inputs.iter().map(|&i| (&self.graph[i].shape, self.graph[i].dtype)).collect();
        let (shape, dtype) = infer(&op, &facts).ok()?;
        if shape.rank() > 6 || shape.size() > MAX_ELEMENTS || products(&op, &facts, &shape) > MAX_PRODUCTS {
            return None;
        }
        if self.tame {
            let known: Vec<Bounds> = inputs.iter().map(|i| self.bounds[i]).collect();
            let bounds = bounds::after(&op, &facts, &known, dtype)?;
            let id = self.graph.add(op, inputs).ok()?;
            self.bounds.insert(id, bounds);
            self.nodes.push(id);
            return Some(id);
        }
        // The sign and payload of a NaN are nobody's promise, so nothing may look at its bits.
        if matches!(op, Op::Bitcast(to) if to.is_integer()) && facts[0].1 == DType::F32 {
            return None;
        }
        let id = self.graph.add(op, inputs).ok()?;
        self.nodes.push(id);
        Some(id)
    }

    fn shape(&self, id: NodeId) -> Shape {
        self.graph[id].shape.clone()
    }

    fn dtype(&self, id: NodeId) -> DType {
        self.graph[id].dtype
    }

    /// A node, more likely a late one.
    fn any(&mut self) -> NodeId {
        let n = self.nodes.len();
        self.nodes[self.random.below(n).max(self.random.below(n))]
    }

    /// A node of `dtype`, a new leaf if there is none.
    fn any_of(&mut self, dtype: DType) -> NodeId {
        for _ in 0..8 {
            let id = self.any();
            if self.dtype(id) == dtype {
                return id;
            }
        }
        let shape = self.random.shape();
        self.leaf_of(shape, dtype)
    }

    fn leaf(&mut self) -> NodeId {
        let mut shape = self.random.shape();
        if self.random.one_in(60) && shape.rank() > 0 {
            let mut extents = shape.to_vec();
            extents[0] = 0;
            shape = extents.into();
        }
        let dtype =
            self.random.pick(&[DType::F32, DType::F32, DType::F32, DType::I32, DType::U32, DType::Bool]);
        self.leaf_of(shape, dtype)
    }

    fn leaf_of(&mut self, shape: Shape, dtype: DType) -> NodeId {
        let packed = PACKED.into_iter().find(|packed| packed.computed() == dtype);
        let fits = shape.size() <= MAX_ELEMENTS && shape.rank() <= 6;
        if let Some(packed) = packed.filter(|_| fits && self.packing.one_in(6)) {
            let leaf = self.add_leaf(Op::Buffer(shape, packed));
            return self.push(Op::Cast(dtype), &[leaf]).expect("what is packed can be unpacked");
        }
        self.add_leaf(Op::Buffer(shape, dtype))
    }

    fn add_leaf(&mut self, op: Op) -> NodeId {
        let id = self.graph.add_placeholder(op.clone()).expect("leaves take anything");
        self.bounds.insert(id, bounds::leaf(self.graph[id].dtype));
        self.nodes.push(id);
        id
    }

    /// A 0-d node repeated to `shape`, or a node whose axes are the last ones of `shape` or 1.
    fn broadcast(&mut self, id: NodeId, shape: &Shape) -> Option<NodeId> {
        let own = self.shape(id);
        let missing = shape.rank().checked_sub(own.rank())?;
        let aligned: Vec<usize> = vec![1; missing].into_iter().chain(own.iter().copied()).collect();
        let aligned =
            if missing > 0 { self.push(Op::View(View::Reshape(aligned.into())), &[id])? } else { id };
        if self.shape(aligned) == *shape {
            return Some(aligned);
        }
        self.push(Op::View(View::Expand(shape.clone())), &[aligned])
    }

    fn number(&mut self, literal: Literal, shape: &Shape) -> Option<NodeId> {
        let id = self.push(Op::Constant(literal), &[])?;
        self.broadcast(id, shape)
    }

    /// Something of the given shape and dtype.
    fn partner(&mut self, shape: &Shape, dtype: DType) -> Option<NodeId> {
        match self.random.below(8) {
            0 => {
                let literal = match self.random.below(4) {
                    0 => Literal::one(dtype),
                    1 => Literal::zero(dtype),
                    2 => Literal::from_f64(dtype, 2.0),
                    _ => self.random.literal(dtype, self.tame),
                };
                self.number(literal, shape)
            }
            1 if !dtype.is_packed() => {
                let scalar = self.add_leaf(Op::Scalar(dtype));
                self.broadcast(scalar, shape)
            }
            2 | 3 => {
                let extents =
                    shape.iter().map(|&e| if self.random.one_in(2) { 1 } else { e }).collect::<Vec<_>>();
                let leaf = self.leaf_of(extents.into(), dtype);
                self.broadcast(leaf, shape)
            }
            _ => {
                let fits = |id: &NodeId| self.graph[*id].shape == *shape && self.graph[*id].dtype == dtype;
                let known: Vec<NodeId> = self.nodes.iter().copied().filter(fits).collect();
                Some(if known.is_empty() {
                    self.leaf_of(shape.clone(), dtype)
                } else {
                    self.random.pick(&known)
                })
            }
        }
    }
}

/// Multiplications or combinations that a node takes.
fn products(op: &Op, facts: &[(&Shape, DType)], shape: &Shape) -> usize {
    match op {
        Op::Contract(axes) => axes.contract.iter().map(|p| facts[0].0[p.0]).product::<usize>() * shape.size(),
        Op::Conv(it) => it.kernel[1..].iter().map(|&axis| facts[1].0[axis]).product::<usize>() * shape.size(),
        _ => 0,
    }
}
