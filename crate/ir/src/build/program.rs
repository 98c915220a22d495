//! Builder of tensor programs: node by node, equal nodes made one; dead nodes are removed at the
//! end.

use super::{Build, Ref};
use crate::HashMap;
use crate::dtype::DType;
use crate::error::Result;
use crate::op::{self, Loop, Op, region};
use crate::program::{KnownNodes, ProgramId, ProgramNode, TensorProgram};
use crate::shape::Shape;
use std::rc::Rc;

/// Writes a [`TensorProgram`], possibly going on from another.
#[derive(Default)]
pub struct ProgramBuilder {
    nodes: Vec<ProgramNode>,
    known: KnownNodes,
    /// The site of what is appended.
    pub site: u32,
}

impl ProgramBuilder {
    /// A builder that holds the nodes of `program` under the numbers they have.
    pub fn of(program: &TensorProgram) -> ProgramBuilder {
        let mut builder = ProgramBuilder::default();
        builder.append(program, |_, _| None);
        builder
    }

    /// Appends the nodes of `program`, with those that `exchange` gives in place of its inputs;
    /// says what each node became.
    pub fn append(
        &mut self,
        program: &TensorProgram,
        mut exchange: impl FnMut(&mut ProgramBuilder, ProgramId) -> Option<Ref>,
    ) -> Vec<Ref> {
        let mut numbers: Vec<ProgramId> = Vec::with_capacity(program.nodes.len());
        for (id, node) in program.ids().zip(&program.nodes) {
            let given = if node.op.is_given() { exchange(self, id) } else { None };
            numbers.push(match given {
                Some(x) => ProgramId(x.0),
                None => {
                    self.site = node.site;
                    let inputs: Vec<ProgramId> = node.inputs.iter().map(|i| numbers[i.index()]).collect();
                    let (known, place) = self.known.find(&self.nodes, &node.op, &inputs);
                    let id = self.push(node.op.clone(), inputs, node.shape.clone(), node.dtype);
                    if known.is_none() {
                        self.known.insert(place, id);
                    }
                    id
                }
            });
        }
        numbers.into_iter().map(|id| Ref(id.0)).collect()
    }

    /// Appends a node that is known to be well formed, whether or not there is an equal one.
    pub fn push(&mut self, op: Op, inputs: Vec<ProgramId>, shape: Shape, dtype: DType) -> ProgramId {
        self.nodes.push(ProgramNode { op, inputs, shape, dtype, site: self.site });
        ProgramId(self.nodes.len() as u32 - 1)
    }

    /// A node that is known to be well formed, or the one that equals it.
    pub fn common(&mut self, op: Op, inputs: Vec<ProgramId>, shape: Shape, dtype: DType) -> ProgramId {
        let (known, place) = self.known.find(&self.nodes, &op, &inputs);
        known.unwrap_or_else(|| {
            let id = self.push(op, inputs, shape, dtype);
            self.known.insert(place, id);
            id
        })
    }

    /// The outputs of `program`, whose leaves are `leaves`: its nodes are appended, those of
    /// [`Op::Custom`] within too, marks and detachments left out.
    pub fn inline(&mut self, program: &TensorProgram, leaves: &[ProgramId]) -> Vec<ProgramId> {
        let mut given = leaves.iter();
        let mut numbers: Vec<ProgramId> = Vec::with_capacity(program.nodes.len());
        let mut results: HashMap<ProgramId, Vec<ProgramId>> = HashMap::default();
        for (id, node) in program.ids().zip(&program.nodes) {
            let inputs: Vec<ProgramId> = node.inputs.iter().map(|i| numbers[i.index()]).collect();
            self.site = node.site;
            numbers.push(match &node.op {
                op if op.is_given() => *given.next().expect("there is one for each leaf"),
                Op::Mark(_) | Op::Detach => inputs[0],
                Op::Custom(it) => {
                    results.insert(id, self.inline(&it.program, &inputs));
                    ProgramId(u32::MAX)
                }
                Op::Part { index, .. } if results.contains_key(&node.inputs[0]) => {
                    results[&node.inputs[0]][*index]
                }
                op => self.made(op, inputs, &node.shape, node.dtype),
            });
        }
        program.outputs.iter().map(|output| numbers[output.index()]).collect()
    }

    /// A node of a program that is made to be compiled, known to be well formed: one that only
    /// transformations know is exchanged for what it stands for, and values of packed dtypes for
    /// what is computed of them.
    pub fn made(&mut self, op: &Op, inputs: Vec<ProgramId>, shape: &Shape, dtype: DType) -> ProgramId {
        match op {
            Op::Conv(it) => {
                let build: &mut dyn Build = self;
                let made = build.convolution(it, Ref(inputs[0].0), Ref(inputs[1].0));
                ProgramId(made.expect("it is well formed, and so is what it stands for").0)
            }
            Op::Cast(to) if to.is_packed() => {
                let build: &mut dyn Build = self;
                let made = build.fitted(Ref(inputs[0].0), *to);
                ProgramId(made.expect("everything can be cast").0)
            }
            Op::Cast(to) if self.nodes[inputs[0].index()].dtype == *to => inputs[0],
            Op::Part { index, .. } => {
                let (shape, dtype) = (shape.clone(), dtype.computed());
                self.common(Op::Part { index: *index, shape: shape.clone(), dtype }, inputs, shape, dtype)
            }
            op => self.common(flat(op), inputs, shape.clone(), dtype.computed()),
        }
    }

    /// How many nodes there are.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Everything that was appended, as it is. Outputs must be distinct.
    pub fn whole(self, outputs: Vec<ProgramId>) -> TensorProgram {
        TensorProgram { nodes: self.nodes, outputs }
    }

    /// What the outputs need, and every leaf but those that are `gone`. An output that is asked for
    /// again, or is a leaf, is a copy.
    pub fn finish(mut self, outputs: &[Ref], gone: &[Ref]) -> TensorProgram {
        let mut distinct: Vec<ProgramId> = Vec::with_capacity(outputs.len());
        let mut taken = vec![false; self.nodes.len()];
        for x in outputs {
            let mut id = ProgramId(x.0);
            let node = &self.nodes[id.index()];
            if node.op.is_given() || std::mem::replace(&mut taken[id.index()], true) {
                id = self.push(Op::Cut, vec![id], node.shape.clone(), node.dtype);
            }
            distinct.push(id);
        }
        let gone: Vec<ProgramId> = gone.iter().map(|x| ProgramId(x.0)).collect();
        TensorProgram { nodes: self.nodes, outputs: distinct }.pruned(&gone)
    }
}

impl Build for ProgramBuilder {
    fn op(&mut self, op: Op, inputs: &[Ref]) -> Result<Ref> {
        let inputs: Vec<ProgramId> = inputs.iter().map(|x| ProgramId(x.0)).collect();
        let facts: Vec<_> =
            inputs.iter().map(|&i| (&self.nodes[i.index()].shape, self.nodes[i.index()].dtype)).collect();
        let (shape, dtype) = op::infer::infer(&op, &facts)?;
        Ok(Ref(self.common(op, inputs, shape, dtype).0))
    }

    fn input(&mut self, shape: &Shape, dtype: DType) -> Result<Ref> {
        let shape = Shape::checked("input", shape)?;
        Ok(Ref(self.push(Op::Buffer(shape.clone(), dtype), Vec::new(), shape, dtype).0))
    }

    fn definition(&self, x: Ref) -> (Op, Vec<Ref>) {
        let node = &self.nodes[x.0 as usize];
        (node.op.clone(), node.inputs.iter().map(|id| Ref(id.0)).collect())
    }

    fn shape(&self, x: Ref) -> Shape {
        self.nodes[x.0 as usize].shape.clone()
    }

    fn dtype(&self, x: Ref) -> DType {
        self.nodes[x.0 as usize].dtype
    }

    fn age(&self, x: Ref) -> u64 {
        u64::from(x.0)
    }

    fn site(&self, x: Ref) -> u32 {
        self.nodes[x.0 as usize].site
    }

    fn set_site(&mut self, site: u32) {
        self.site = site;
    }
}

/// A region whose programs hold nothing that is exchanged, and what is packed outside as it is
/// computed; any other operation is itself.
fn flat(op: &Op) -> Op {
    if !region::is_exchanged(op) {
        return op.clone();
    }
    let plain = |program: &TensorProgram| {
        let mut builder = ProgramBuilder::default();
        let leaf = |id: ProgramId| {
            let ProgramNode { op, shape, dtype, .. } = &program[id];
            let dtype = dtype.computed();
            let op = if let Op::Buffer(..) = op { Op::Buffer(shape.clone(), dtype) } else { op.clone() };
            builder.push(op, Vec::new(), shape.clone(), dtype)
        };
        let leaves: Vec<ProgramId> = program.leaves().map(leaf).collect();
        let outputs: Vec<Ref> = builder.inline(program, &leaves).iter().map(|id| Ref(id.0)).collect();
        builder.finish(&outputs, &[])
    };
    match op {
        Op::Loop(it) => Op::Loop(Rc::new(Loop {
            body: plain(&it.body),
            condition: it.condition.as_ref().map(plain),
            ..(**it).clone()
        })),
        Op::Branch(programs) => Op::Branch(Rc::new(programs.iter().map(plain).collect())),
        op => op.clone(),
    }
}
