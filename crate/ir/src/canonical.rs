//! Canonicalisation: the program that a pending graph stands for. It has what the roots need,
//! numbered, with common subexpressions merged, its leaves and scalars apart from their values.

use crate::HashMap;
use crate::build::ProgramBuilder;
use crate::graph::{Graph, NodeId, NodeValue};
use crate::op::Op;
use crate::program::{ProgramId, TensorProgram};
use crate::shape::Shape;

/// Which graph nodes a program's leaves stand for, in the order of their appearance in the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leaves {
    /// One per `Op::Buffer` node.
    pub buffers: Vec<NodeId>,
    /// One per `Op::Scalar` node.
    pub scalars: Vec<NodeId>,
}

impl TensorProgram {
    /// The canonical program computing `roots`, and for each root the position in `outputs` that
    /// holds it (roots that are commoned share one).
    pub fn from_graph(graph: &Graph, roots: &[NodeId]) -> (TensorProgram, Leaves, Vec<usize>) {
        let closure = graph.closure(roots, |node| node.value == NodeValue::Pending);
        TensorProgram::from_closure(graph, roots, &closure)
    }

    /// As [`TensorProgram::from_graph`], where it is known what the roots depend on down to what
    /// has a value, oldest first.
    pub fn from_closure(
        graph: &Graph,
        roots: &[NodeId],
        closure: &[NodeId],
    ) -> (TensorProgram, Leaves, Vec<usize>) {
        let mut builder = ProgramBuilder::default();
        let mut leaves = Leaves::default();
        // The results of programs with derivatives of their own, which play no part any more.
        let mut inlined: HashMap<NodeId, Vec<ProgramId>> = HashMap::default();
        let places = closure.iter().map(|id| id.0 as usize + 1).max().unwrap_or(0);
        let mut numbers = vec![ProgramId(u32::MAX); places];
        for &id in closure {
            let node = &graph[id];
            builder.site = node.site;
            let number = match (&node.op, node.value) {
                (Op::Scalar(_), _) => {
                    leaves.scalars.push(id);
                    builder.push(node.op.clone(), Vec::new(), Shape::scalar(), node.dtype)
                }
                (_, NodeValue::Stored(_) | NodeValue::Placeholder | NodeValue::Number(_)) => {
                    leaves.buffers.push(id);
                    builder.leaf(&node.shape, node.dtype)
                }
                (Op::Mark(_) | Op::Detach, _) => numbers[node.inputs[0].0 as usize],
                (Op::Part { index, .. }, _) if inlined.contains_key(&node.inputs[0]) => {
                    inlined[&node.inputs[0]][*index]
                }
                _ => {
                    let inputs: Vec<ProgramId> = node.inputs.iter().map(|i| numbers[i.0 as usize]).collect();
                    match &node.op {
                        Op::Custom(it) => {
                            inlined.insert(id, builder.inline(&it.program, &inputs));
                            ProgramId(u32::MAX)
                        }
                        op => builder.made(op, inputs, &node.shape, node.dtype),
                    }
                }
            };
            numbers[id.0 as usize] = number;
        }
        let results: Vec<ProgramId> =
            roots.iter().map(|root| builder.result(numbers[root.0 as usize], graph[*root].dtype)).collect();
        let mut outputs = Vec::new();
        let mut place = vec![None; builder.count()];
        let positions = results
            .into_iter()
            .map(|number| {
                *place[number.index()].get_or_insert_with(|| {
                    outputs.push(number);
                    outputs.len() - 1
                })
            })
            .collect();
        (builder.whole(outputs), leaves, positions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;
    use crate::dtype::Literal;
    use crate::graph::ValueId;
    use crate::op::Binary;

    #[test]
    fn equal_structure_is_an_equal_program_whatever_the_values() {
        let mut graph = Graph::new();
        let mut programs = Vec::new();
        for (value, number) in [(0, 1.0), (1, 2.0)] {
            let x = graph.add_stored(ValueId(value), Shape::scalar(), DType::F32);
            let n = graph.add_number(Literal::F32(number));
            let twice = graph.add(Op::Binary(Binary::Mul), &[x, n]).unwrap();
            let again = graph.add(Op::Binary(Binary::Mul), &[x, n]).unwrap();
            let marked = graph.add(Op::Mark(value), &[again]).unwrap();
            let sum = graph.add(Op::Binary(Binary::Add), &[twice, marked]).unwrap();
            let (program, leaves, positions) = TensorProgram::from_graph(&graph, &[sum, twice, again]);
            assert_eq!((leaves.buffers, leaves.scalars), (vec![x], vec![n]));
            assert_eq!(positions, [0, 1, 1]);
            programs.push(program);
        }
        assert_eq!(programs[0], programs[1]);
        assert_eq!(
            programs[0].to_string(),
            "%0: f32[] = buffer 0\n%1: f32[] = scalar 0\n%2: f32[] = mul %0 %1\n%3: f32[] = add %2 %2\nreturn %3 %2\n"
        );
    }
}
