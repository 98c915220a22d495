//! One pass over a program: each node offered to the rules, equal nodes made one, what nothing
//! reads dropped.

use super::{Rule, tables};
use crate::limits::Limits;
use weft_ir::op::{self, Op, View};
use weft_ir::program::{KnownNodes, ProgramId, ProgramNode, TensorProgram};
use weft_ir::{DType, Literal, Shape};

/// Rules within rules past which a node is taken as it is: a net under rules that would undo each
/// other.
const MAX_DEPTH: usize = 32;

/// The program being made, and what rules may ask of it and add to it.
pub(super) struct Rewriter<'a> {
    nodes: Vec<ProgramNode>,
    known: KnownNodes,
    /// For each node that repeats one element, the 0-d node that is this element.
    source: Vec<Option<ProgramId>>,
    /// Whether more than one node of the program that is read uses the node, or it is an output.
    shared: Vec<bool>,
    /// What the program is to run on.
    pub limits: &'a Limits,
    allowed: &'a dyn Fn(&Rule) -> bool,
    applied: &'a mut Vec<&'static str>,
    depth: usize,
    /// That of the node at hand.
    site: u32,
}

impl std::ops::Index<ProgramId> for Rewriter<'_> {
    type Output = ProgramNode;
    fn index(&self, id: ProgramId) -> &ProgramNode {
        &self.nodes[id.index()]
    }
}

impl Rewriter<'_> {
    /// The node `op` of `inputs`, simplified. Panics when it is not well formed: a rule is wrong.
    pub fn add(&mut self, op: Op, inputs: &[ProgramId]) -> ProgramId {
        let node = self.node(op, inputs);
        if self.depth < MAX_DEPTH {
            for rule in tables(&node.op).iter().copied().flatten() {
                if !(self.allowed)(rule) {
                    continue;
                }
                self.depth += 1;
                let better = (rule.apply)(self, &node);
                self.depth -= 1;
                if let Some(better) = better {
                    debug_assert_eq!(
                        (&self[better].shape, self[better].dtype),
                        (&node.shape, node.dtype),
                        "{} changed what a node yields",
                        rule.name
                    );
                    self.applied.push(rule.name);
                    return better;
                }
            }
        }
        self.intern(node)
    }

    fn node(&self, op: Op, inputs: &[ProgramId]) -> ProgramNode {
        let facts: Vec<_> = inputs.iter().map(|&i| (&self[i].shape, self[i].dtype)).collect();
        match op::infer::infer(&op, &facts) {
            Ok((shape, dtype)) => ProgramNode { op, inputs: inputs.to_vec(), shape, dtype, site: self.site },
            Err(error) => panic!("a rule made an ill-formed node: {error}"),
        }
    }

    /// The node that equals `node`, appended if there is none.
    fn intern(&mut self, node: ProgramNode) -> ProgramId {
        let (known, place) = self.known.find(&self.nodes, &node.op, &node.inputs);
        known.unwrap_or_else(|| {
            let id = self.push(node);
            self.known.insert(place, id);
            id
        })
    }

    fn push(&mut self, node: ProgramNode) -> ProgramId {
        let id = ProgramId(self.nodes.len() as u32);
        let repeated = match &node.op {
            Op::View(View::Reshape(_) | View::Expand(_) | View::Permute(_)) => self.source(node.inputs[0]),
            _ => None,
        };
        self.source.push(repeated.or((node.shape.rank() == 0).then_some(id)));
        self.shared.push(false);
        self.nodes.push(node);
        id
    }

    /// The 0-d node whose element `id` repeats, if it does.
    pub fn source(&self, id: ProgramId) -> Option<ProgramId> {
        self.source[id.index()]
    }

    /// The constant that every element of `id` is.
    pub fn uniform(&self, id: ProgramId) -> Option<Literal> {
        match self[self.source(id)?].op {
            Op::Constant(literal) => Some(literal),
            _ => None,
        }
    }

    /// Whether `id` is stored or read for other reasons than the node at hand.
    pub fn shared(&self, id: ProgramId) -> bool {
        self.shared[id.index()]
    }

    /// The 0-d node `source` repeated to `shape`, in the one form that is kept: an expanded
    /// reshape.
    pub fn splat(&mut self, source: ProgramId, shape: &Shape) -> ProgramId {
        let mut id = source;
        if shape.rank() > 0 {
            let ones = Shape::from(vec![1; shape.rank()]);
            let expanded = *shape != ones;
            id = self.intern(self.node(Op::View(View::Reshape(ones)), &[id]));
            if expanded {
                id = self.intern(self.node(Op::View(View::Expand(shape.clone())), &[id]));
            }
        }
        id
    }

    /// A tensor of `shape` whose every element is `literal`.
    pub fn constant(&mut self, literal: Literal, shape: &Shape) -> ProgramId {
        let source = self.intern(self.node(Op::Constant(literal), &[]));
        self.splat(source, shape)
    }

    /// A tensor of `number` in `dtype`.
    pub fn number(&mut self, number: f64, dtype: DType, shape: &Shape) -> ProgramId {
        self.constant(Literal::from_f64(dtype, number), shape)
    }

    /// [`View::Reshape`] of `id`, or `id` if it has that shape.
    pub fn reshape(&mut self, id: ProgramId, shape: Shape) -> ProgramId {
        if self[id].shape == shape { id } else { self.add(Op::View(View::Reshape(shape)), &[id]) }
    }

    /// [`View::Expand`] of `id`, or `id` if it has that shape.
    pub fn expand(&mut self, id: ProgramId, shape: Shape) -> ProgramId {
        if self[id].shape == shape { id } else { self.add(Op::View(View::Expand(shape)), &[id]) }
    }

    /// [`View::Permute`] of `id`, or `id` if that changes nothing.
    pub fn permute(&mut self, id: ProgramId, axes: Vec<usize>) -> ProgramId {
        if axes.is_sorted() { id } else { self.add(Op::View(View::Permute(axes)), &[id]) }
    }
}

/// One pass; notes in `applied` each rule that was.
pub(super) fn pass(
    program: &TensorProgram,
    limits: &Limits,
    allowed: &dyn Fn(&Rule) -> bool,
    applied: &mut Vec<&'static str>,
) -> TensorProgram {
    let mut reads = vec![0u32; program.nodes.len()];
    for input in program.nodes.iter().flat_map(|node| &node.inputs) {
        reads[input.index()] += 1;
    }
    let mut place = vec![None; program.nodes.len()];
    for (at, output) in program.outputs.iter().enumerate() {
        place[output.index()] = Some(at);
    }
    let mut rewriter = Rewriter {
        nodes: Vec::with_capacity(program.nodes.len()),
        known: KnownNodes::default(),
        source: Vec::with_capacity(program.nodes.len()),
        shared: Vec::with_capacity(program.nodes.len()),
        limits,
        allowed,
        applied,
        depth: 0,
        site: 0,
    };
    let mut outputs = vec![ProgramId(0); program.outputs.len()];
    let mut taken = weft_ir::HashSet::default();
    let mut numbers: Vec<ProgramId> = Vec::with_capacity(program.nodes.len());
    for (old, node) in program.nodes.iter().enumerate() {
        let inputs: Vec<ProgramId> = node.inputs.iter().map(|i| numbers[i.index()]).collect();
        rewriter.site = node.site;
        let number = match node.op {
            Op::Buffer(..) | Op::Scalar(_) => rewriter.push(node.clone()),
            _ => rewriter.add(node.op.clone(), &inputs),
        };
        rewriter.shared[number.index()] |= reads[old] > 1 || place[old].is_some();
        numbers.push(number);
        if let Some(at) = place[old] {
            let output =
                if taken.contains(&number) { distinct(&mut rewriter, node, inputs, number) } else { number };
            taken.insert(output);
            outputs[at] = output;
        }
    }
    TensorProgram { nodes: rewriter.nodes, outputs }.pruned(&[])
}

/// A node of its own for an output that equals another output: the node as it was, or a copy, if
/// that is the other output, or a leaf, which the node would come to again once it is no output
/// beside it.
fn distinct(
    rewriter: &mut Rewriter,
    node: &ProgramNode,
    inputs: Vec<ProgramId>,
    equal: ProgramId,
) -> ProgramId {
    let (shape, dtype, site) = (node.shape.clone(), node.dtype, node.site);
    let (known, _) = rewriter.known.find(&rewriter.nodes, &node.op, &inputs);
    if rewriter[equal].op.is_given() || known.is_some() {
        return rewriter.push(ProgramNode { op: Op::Cut, inputs: vec![equal], shape, dtype, site });
    }
    rewriter.push(ProgramNode { op: node.op.clone(), inputs, shape, dtype, site })
}
