//! Which nodes may have to be stored, and what each of them computes on the spot.

use super::MAX_OPERATIONS;
use crate::eval::UNROLL;
use crate::executable::Limits;
use weft_ir::op::{Binary, Op, Unary, View};
use weft_ir::program::{ProgramId, TensorProgram};

/// Operations from which a value read more than once is stored rather than computed again.
const DEAR: usize = 8;
/// Operations from which a value repeated at least so many times is stored, lest it be computed for every repetition.
const DEAR_REPEATED: usize = 24;
const REPETITIONS: usize = 16;
/// Operations a contraction's operand may cost when it is computed at every read.
const CHEAP_OPERAND: usize = 2;

/// What computing a node on the spot takes: the nodes inlined and the stored nodes read. Sorted.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Cone {
    /// Inlined nodes that cost anything.
    pub nodes: Vec<ProgramId>,
    /// Leaves and marked nodes that are read.
    pub loads: Vec<ProgramId>,
    /// Operations of the inlined nodes; views and constants are free, functions dear.
    pub operations: usize,
}

/// The marked nodes.
pub struct Marks {
    /// Whether a node has a kernel built around it.
    pub heavy: Vec<bool>,
    /// Whether a node is marked.
    pub marked: Vec<bool>,
    /// Why, for people.
    pub reason: Vec<Option<&'static str>>,
    /// What each node takes.
    pub cones: Vec<Cone>,
}

/// Which nodes have a kernel built around them: contractions, scatters, and reductions, but for short ones whose result is
/// not repeated along what was reduced; those are written out wherever they are read.
pub fn heavy(program: &TensorProgram, readers: &[Vec<ProgramId>]) -> Vec<bool> {
    let is_heavy = |id: ProgramId| match &program[id].op {
        Op::Contract(_) | Op::Scatter { .. } => true,
        Op::Reduce { op, axes } => {
            let input = &program[program[id].inputs[0]].shape;
            let length: usize = axes.iter().map(|&a| input[a]).product();
            op.is_arg() || length > UNROLL || is_repeated(program, readers, id)
        }
        _ => false,
    };
    program.ids().map(is_heavy).collect()
}

/// Whether a node is expanded, at once or after a reshape.
fn is_repeated(program: &TensorProgram, readers: &[Vec<ProgramId>], id: ProgramId) -> bool {
    let (mut stack, mut seen) = (vec![id], 0);
    while let Some(id) = stack.pop() {
        for &reader in &readers[id.index()] {
            match &program[reader].op {
                Op::View(View::Expand(_)) => return true,
                Op::View(View::Reshape(_)) => stack.push(reader),
                // A mean is expanded after its division: look a little further.
                op if op.is_elementwise() && program[reader].shape == program[id].shape && seen < 8 => {
                    seen += 1;
                    stack.push(reader);
                }
                _ => {}
            }
        }
    }
    false
}

/// Operations one node costs by itself.
fn operations(program: &TensorProgram, id: ProgramId) -> usize {
    use Unary::*;
    let node = &program[id];
    match &node.op {
        Op::Unary(Exp | Log | Sin | Cos | Tanh | Sigmoid | Erf | ErfInv | Rsqrt | Sqrt) => 8,
        Op::Binary(Binary::Pow | Binary::Rem | Binary::Div) => 8,
        Op::Reduce { axes, .. } => {
            // Long ones are loops: the code is as long as for one element.
            let length: usize = axes.iter().map(|&a| program[node.inputs[0]].shape[a]).product();
            if length <= UNROLL { length } else { 1 }
        }
        Op::Gather { .. } | Op::View(View::Pad { .. }) => 4,
        op if op.is_elementwise() => 1,
        _ => 0,
    }
}

/// Marks a program. `read_by` says how many nodes read each.
pub fn mark(program: &TensorProgram, limits: &Limits, read_by: &[u32]) -> Marks {
    let count = program.nodes.len();
    let readers = program.readers();
    let mut marks = Marks {
        heavy: heavy(program, &readers),
        marked: vec![false; count],
        reason: vec![None; count],
        cones: vec![Cone::default(); count],
    };
    for &output in &program.outputs {
        marks.set(program, output, "it is a result");
    }
    for id in program.ids() {
        if marks.heavy[id.index()] {
            let tail = tail(program, &readers, id);
            marks.set(program, id, "its readers need all of it");
            marks.set(program, tail, "its readers need all of it");
        }
    }
    for id in program.ids() {
        if let Op::Contract(_) = program[id].op {
            for &operand in &program[id].inputs {
                let source = behind_views(program, operand);
                if !marks.is_load(program, source) && marks.cones[source.index()].operations > CHEAP_OPERAND {
                    marks.set(program, source, "a contraction reads it many times");
                }
            }
        }
        if matches!(program[id].op, Op::Cut) {
            marks.set(program, id, "a cut was asked for");
        }
        if let Op::View(View::Expand(shape)) = &program[id].op {
            let source = behind_views(program, program[id].inputs[0]);
            let size = program[source].shape.size();
            let dear = marks.cones[source.index()].operations >= DEAR_REPEATED;
            if dear && size > 1 && shape.size() >= REPETITIONS * size && !marks.is_load(program, source) {
                marks.set(program, source, "it is repeated many times and dear to compute again");
            }
        }
        marks.cones[id.index()] = marks.bounded_cone(program, limits, id);
        if read_by[id.index()] > 1 && marks.cones[id.index()].operations >= DEAR {
            marks.set(program, id, "it is read more than once and dear to compute again");
        }
    }
    // Marks set after a reader's cone was made (outputs and operands are found late) change cones: make them again.
    for id in program.ids() {
        marks.cones[id.index()] = marks.cone(program, id);
    }
    marks
}

/// The last of the elementwise nodes that follow `id` one after another.
fn tail(program: &TensorProgram, readers: &[Vec<ProgramId>], id: ProgramId) -> ProgramId {
    let mut tail = id;
    loop {
        let mut next = readers[tail.index()].clone();
        next.dedup();
        match next[..] {
            [reader] if program[reader].op.is_elementwise() && !program.outputs.contains(&tail) => {
                tail = reader
            }
            _ => return tail,
        }
    }
}

fn behind_views(program: &TensorProgram, mut id: ProgramId) -> ProgramId {
    while let Op::View(view) = &program[id].op {
        if matches!(view, View::Pad { .. }) {
            break;
        }
        id = program[id].inputs[0];
    }
    id
}

impl Marks {
    fn set(&mut self, program: &TensorProgram, id: ProgramId, reason: &'static str) {
        if !matches!(program[id].op, Op::Buffer(..)) && !self.marked[id.index()] {
            self.marked[id.index()] = true;
            self.reason[id.index()] = Some(reason);
        }
    }

    /// Whether readers of `id` load it.
    fn is_load(&self, program: &TensorProgram, id: ProgramId) -> bool {
        self.marked[id.index()] || matches!(program[id].op, Op::Buffer(..))
    }

    /// The cone of a node, inputs marked until it respects the limits.
    fn bounded_cone(&mut self, program: &TensorProgram, limits: &Limits, id: ProgramId) -> Cone {
        let loads = limits.storage_buffers as usize - 2;
        loop {
            let cone = self.cone(program, id);
            if cone.operations <= MAX_OPERATIONS * 3 / 4 && cone.loads.len() <= loads {
                return cone;
            }
            let largest = program[id]
                .inputs
                .iter()
                .filter(|i| !self.is_load(program, **i))
                .max_by_key(|i| (self.cones[i.index()].loads.len(), self.cones[i.index()].nodes.len()));
            match largest {
                Some(&input) if self.cones[input.index()].nodes.len() > 1 || cone.loads.len() > loads => {
                    self.set(program, input, "a cluster may hold only so many operations and bindings");
                }
                _ => return cone,
            }
        }
    }

    fn cone(&self, program: &TensorProgram, id: ProgramId) -> Cone {
        let mut cone = Cone::default();
        if operations(program, id) > 0 {
            cone.nodes.push(id);
        }
        for &input in &program[id].inputs {
            if self.is_load(program, input) {
                merge(&mut cone.loads, &[input]);
            } else {
                let below = &self.cones[input.index()];
                merge(&mut cone.nodes, &below.nodes);
                merge(&mut cone.loads, &below.loads);
            }
        }
        cone.operations = cone.nodes.iter().map(|&n| operations(program, n)).sum();
        cone
    }
}

/// Adds the members of one sorted set to another.
pub fn merge(into: &mut Vec<ProgramId>, from: &[ProgramId]) {
    if from.iter().all(|id| into.binary_search(id).is_ok()) {
        return;
    }
    let own = std::mem::take(into);
    let (mut own, mut from) = (own.into_iter().peekable(), from.iter().copied().peekable());
    while let Some(next) = own.peek().copied().into_iter().chain(from.peek().copied()).min() {
        own.next_if_eq(&next);
        from.next_if_eq(&next);
        into.push(next);
    }
}
