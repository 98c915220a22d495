//! Replay of derivatives. A derivative that is known is written again as the rules would write it,
//! and nothing else passes for it.

use crate::common::programs::random_program;
use weft_compile::transform::{ReverseCache, vjp};
use weft_ir::build::{Build, LiveBuilder, Ref};
use weft_ir::graph::{Graph, NodeId, ValueId};
use weft_ir::op::{Op, region};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Literal, Shape};

/// A function of tensors as a user's loop writes it: on new tensors each time.
struct Step {
    outputs: Vec<NodeId>,
    cotangents: Vec<NodeId>,
    marks: Vec<NodeId>,
    held: Vec<NodeId>,
}

impl Step {
    fn of(graph: &mut Graph, program: &TensorProgram) -> Step {
        let (mut marks, mut held, mut leaves) = (Vec::new(), Vec::new(), Vec::new());
        for node in program.nodes.iter().filter(|node| node.op.is_given()) {
            let leaf = match node.op {
                Op::Scalar(dtype) => graph.add_number(Literal::from_f64(dtype, 1.0)),
                _ => graph.add_stored(ValueId(0), node.shape.clone(), node.dtype),
            };
            held.push(leaf);
            if node.dtype == DType::F32 {
                marks.push(graph.add(Op::Mark(graph.newest() as u32), &[leaf]).unwrap());
                held.extend(marks.last());
            }
            leaves.push(Ref(held.last().unwrap().0));
        }
        let mut emit = LiveBuilder::new(graph);
        let outputs = (&mut emit as &mut dyn Build).inline(program, &leaves).unwrap();
        let outputs: Vec<NodeId> = outputs.into_iter().map(|output| emit.keep(output)).collect();
        drop(emit);
        held.extend(&outputs);
        let outputs: Vec<NodeId> = outputs.into_iter().filter(|&id| graph[id].dtype == DType::F32).collect();
        let like = |&id: &NodeId| (graph[id].shape.clone(), graph[id].dtype);
        let like: Vec<(Shape, DType)> = outputs.iter().map(like).collect();
        let cotangents: Vec<NodeId> =
            like.into_iter().map(|(shape, dtype)| graph.add_stored(ValueId(0), shape, dtype)).collect();
        held.extend(&cotangents);
        Step { outputs, cotangents, marks, held }
    }

    /// What is written, and how many nodes of the graph that takes.
    fn written(&self, graph: &mut Graph, derived: Option<&mut ReverseCache>) -> (TensorProgram, usize) {
        let before = graph.live();
        let found = match derived {
            Some(derived) => derived.vjp(graph, &self.outputs, &self.cotangents, &self.marks),
            None => vjp(graph, &self.outputs, &self.cotangents, &self.marks),
        };
        let found = found.unwrap();
        let written = TensorProgram::from_graph(graph, &found).0;
        let nodes = graph.live() - before;
        found.into_iter().for_each(|id| graph.release(id));
        assert_eq!(graph.live(), before, "handles are given back");
        (written, nodes)
    }

    fn end(self, graph: &mut Graph) {
        self.held.into_iter().for_each(|id| graph.release(id));
    }
}

/// Leaves of one shape, and what is made of them: alike but for one thing.
fn variants() -> Vec<TensorProgram> {
    let wide: Shape = [2, 3].into();
    let of = |f: &dyn Fn(&mut dyn Build, Ref, Ref) -> Vec<Ref>| {
        let mut graph = Graph::new();
        let leaves = [0, 1].map(|n| graph.add_stored(ValueId(n), wide.clone(), DType::F32));
        let mut emit = LiveBuilder::new(&mut graph);
        let found = f(&mut emit, Ref(leaves[0].0), Ref(leaves[1].0));
        let found: Vec<NodeId> = found.into_iter().map(|x| emit.keep(x)).collect();
        drop(emit);
        TensorProgram::from_graph(&graph, &found).0
    };
    let exp = weft_ir::op::Unary::Exp;
    vec![
        of(&|emit, x, y| vec![emit.mul(x, y).and_then(|z| emit.unary(exp, z)).unwrap()]),
        of(&|emit, x, _| vec![emit.mul(x, x).and_then(|z| emit.unary(exp, z)).unwrap()]),
        of(&|emit, x, y| vec![emit.mul(y, x).and_then(|z| emit.unary(exp, z)).unwrap()]),
        of(&|emit, x, y| vec![emit.div(x, y).and_then(|z| emit.unary(exp, z)).unwrap()]),
        of(&|emit, x, y| vec![emit.mul(x, y).and_then(|z| emit.mul(z, x)).unwrap()]),
        of(&|emit, x, y| vec![emit.mul(x, y).and_then(|z| emit.mul(z, y)).unwrap()]),
        of(&|emit, x, y| {
            let z = emit.mul(x, y).unwrap();
            vec![emit.unary(exp, z).unwrap(), z]
        }),
        of(&|emit, x, y| {
            let z = emit.mul(x, y).unwrap();
            vec![z, emit.unary(exp, z).unwrap()]
        }),
        of(&|emit, x, y| vec![emit.mul(x, y).and_then(|z| emit.scale(z, 2.0)).unwrap()]),
        of(&|emit, x, y| vec![emit.mul(x, y).and_then(|z| emit.scale(z, 3.0)).unwrap()]),
    ]
}

#[test]
fn what_is_written_again_is_what_the_rules_write() {
    let (mut graph, mut derived) = (Graph::new(), ReverseCache::default());
    let random = (0..150).map(|seed| random_program(seed).0);
    let mut again = 0;
    for (n, program) in random.chain(variants()).chain(variants()).enumerate() {
        let holds_regions = program.nodes.iter().any(|node| region::is_region(&node.op));
        for turn in 0..3 {
            // Between them the graph's places are taken by others.
            let (between, step) = (graph.add_number(Literal::I32(1)), Step::of(&mut graph, &program));
            let by_rules = step.written(&mut graph, None);
            let before = derived.derived();
            assert_eq!(
                step.written(&mut graph, Some(&mut derived)),
                by_rules,
                "program {n}, turn {turn}\n{program}"
            );
            let asked = derived.derived() - before;
            assert!(turn == 0 || asked == 0 || holds_regions, "program {n}, turn {turn}\n{program}");
            again += 1 - asked;
            step.end(&mut graph);
            graph.release(between);
        }
    }
    assert_eq!(graph.live(), 0);
    assert!(again > 250, "{again} written again");
}

#[test]
fn a_loop_of_a_few_functions_asks_the_rules_once_for_each_and_many_are_forgotten() {
    let (mut graph, mut derived) = (Graph::new(), ReverseCache::default());
    let mut turn = |programs: &[TensorProgram]| {
        let before = derived.derived();
        for program in programs {
            let step = Step::of(&mut graph, program);
            step.written(&mut graph, Some(&mut derived));
            step.end(&mut graph);
        }
        derived.derived() - before
    };
    let all = variants();
    assert_eq!(turn(&all[..5]), 5);
    assert_eq!([turn(&all[..5]), turn(&all[..5])], [0, 0]);
    // More than are known: each is gone when its turn comes.
    assert_eq!([turn(&all), turn(&all)], [5, 10]);
}

/// Which cotangents are one tensor, and which tensor is asked for, decides what is written.
#[test]
fn what_is_given_twice_is_not_taken_for_two() {
    let (mut graph, mut derived) = (Graph::new(), ReverseCache::default());
    for _ in 0..2 {
        for n in [0, 6, 7] {
            let program = &variants()[n];
            for how in 0..5 {
                let mut step = Step::of(&mut graph, program);
                let last = step.cotangents.len() - 1;
                match how {
                    0 => {}
                    1 => step.cotangents[0] = step.cotangents[last],
                    2 => step.marks.swap(0, 1),
                    3 => step.marks.truncate(1),
                    _ => step.cotangents[0] = step.outputs[0],
                }
                let by_rules = step.written(&mut graph, None);
                assert_eq!(step.written(&mut graph, Some(&mut derived)), by_rules, "{n}, {how}\n{program}");
                step.end(&mut graph);
            }
        }
    }
}
