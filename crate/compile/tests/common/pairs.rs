//! Reductions over pairs of two sets of rows, for every variant.

use super::programs::random_inputs;
use weft_ir::graph::{Graph, NodeId};
use weft_ir::interpret::Value;
use weft_ir::op::{Binary, Op, ReduceOp, Unary, View};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Literal, Shape};

/// A program with values for its leaves.
type Case = (TensorProgram, Vec<Value<f32>>, Vec<Literal>);

/// Two sets of vectors, a batch of each, as [batch, rows, length], every row of the first beside
/// every row of the second.
struct Sets {
    graph: Graph,
    all: Shape,
    sides: [NodeId; 2],
}

/// The second set lies as [batch, length, rows], where it is `turned`.
fn sets([batch, rows, columns, length]: [usize; 4], turned: bool) -> Sets {
    let mut graph = Graph::new();
    let mut leaf = |shape: &[usize]| graph.add_placeholder(Op::Buffer(shape.into(), DType::F32)).unwrap();
    let x = leaf(&[batch, rows, length]);
    let y = if turned { leaf(&[batch, length, columns]) } else { leaf(&[batch, columns, length]) };
    let y = if turned { graph.add(Op::View(View::Permute(vec![0, 2, 1])), &[y]).unwrap() } else { y };
    let all: Shape = [batch, rows, columns, length].into();
    let mut side = |x: NodeId, own: [usize; 4]| {
        let apart = graph.add(Op::View(View::Reshape(own.into())), &[x]).unwrap();
        graph.add(Op::View(View::Expand(all.clone())), &[apart]).unwrap()
    };
    let sides = [side(x, [batch, rows, 1, length]), side(y, [batch, 1, columns, length])];
    Sets { graph, all, sides }
}

impl Sets {
    fn apart(&mut self) -> NodeId {
        self.graph.add(Op::Binary(Binary::Sub), &self.sides).unwrap()
    }

    fn squared(&mut self) -> NodeId {
        let apart = self.apart();
        self.graph.add(Op::Binary(Binary::Mul), &[apart, apart]).unwrap()
    }

    fn reduce(&mut self, op: ReduceOp, x: NodeId) -> NodeId {
        self.graph.add(Op::Reduce { op, axes: vec![3] }, &[x]).unwrap()
    }

    fn leaf(&mut self, shape: &Shape) -> NodeId {
        self.graph.add_placeholder(Op::Buffer(shape.clone(), DType::F32)).unwrap()
    }
}

/// Distances, added to a number for each pair that is the last leaf.
fn distances(sets: &mut Sets) -> Vec<NodeId> {
    let squared = sets.squared();
    let sum = sets.reduce(ReduceOp::Sum, squared);
    let root = sets.graph.add(Op::Unary(Unary::Sqrt), &[sum]).unwrap();
    let shape = sets.graph[root].shape.clone();
    let own = sets.leaf(&shape);
    vec![sets.graph.add(Op::Binary(Binary::Add), &[root, own]).unwrap()]
}

/// The largest and the sum of what differs, and where it differs least.
fn extremes(sets: &mut Sets) -> Vec<NodeId> {
    let apart = sets.apart();
    let far = sets.graph.add(Op::Unary(Unary::Abs), &[apart]).unwrap();
    [ReduceOp::Max, ReduceOp::Sum, ReduceOp::ArgMin].map(|op| sets.reduce(op, far)).to_vec()
}

/// Squares with a weight for each pair and position, which no two share.
fn weighted(sets: &mut Sets) -> Vec<NodeId> {
    let squared = sets.squared();
    let all = sets.all.clone();
    let weights = sets.leaf(&all);
    let product = sets.graph.add(Op::Binary(Binary::Mul), &[squared, weights]).unwrap();
    vec![sets.reduce(ReduceOp::Sum, product)]
}

/// Programs whose extents tiles divide, and do not.
pub fn pairs() -> Vec<Case> {
    let sizes = [[1, 64, 64, 32], [1, 33, 70, 19], [2, 40, 24, 16], [1, 18, 132, 9], [3, 16, 65, 50]];
    let builds = [distances, extremes, weighted];
    let cases = sizes.into_iter().enumerate().flat_map(|(n, size)| builds.map(|build| (n, size, build)));
    cases
        .map(|(n, size, build)| {
            let mut sets = sets(size, n % 2 == 1);
            let roots = build(&mut sets);
            let program = TensorProgram::from_graph(&sets.graph, &roots).0;
            let (buffers, scalars) = random_inputs(&program, n as u64, true);
            (program, buffers, scalars)
        })
        .collect()
}
