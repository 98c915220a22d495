//! Differences and quotients of a value and what was selected of it, which count as comparisons
//! where their exact 0 or 1 matters ([`weft_ir::op::exact`]).

use weft_ir::op::exact::{Step, keep_exact, may_meet};
use weft_ir::op::rounding::{copied, selects};
use weft_ir::op::{Op, View};
use weft_ir::program::{ProgramId, TensorProgram};

/// Nodes that are looked at for what an operand was selected of.
const MOST_SOURCES: usize = 32;

/// The differences and quotients of a program that count as comparisons.
pub fn meetings(program: &TensorProgram) -> Vec<bool> {
    let mut meets = vec![false; program.nodes.len()];
    let mut any = false;
    for id in program.ids() {
        let node = &program[id];
        if may_meet(&node.op, node.dtype) {
            meets[id.index()] = meet(program, node.inputs[0], node.inputs[1]);
            any |= meets[id.index()];
        }
    }
    if any {
        let place = |id: &ProgramId| id.index();
        let inputs = |inputs: &[ProgramId]| inputs.iter().map(place).collect();
        let nodes = program.nodes.iter();
        let steps: Vec<Step> =
            nodes.map(|node| Step { op: Some(&node.op), inputs: inputs(&node.inputs) }).collect();
        keep_exact(&steps, program.outputs.iter().map(place), &mut meets);
    }
    meets
}

/// Whether elements of one operand were selected of a value of which the other has elements too, or
/// both are made in the same way of such.
fn meet(program: &TensorProgram, a: ProgramId, b: ProgramId) -> bool {
    let (of_a, of_b) = (sources(program, a), sources(program, b));
    let is_made_alike = |p: ProgramId, q: ProgramId| {
        let (x, y) = (&program[p], &program[q]);
        if p == q || !matches!(x.op, Op::Binary(_)) || x.op != y.op {
            return false;
        }
        let pairs = x.inputs.iter().zip(&y.inputs);
        let shared: Vec<Shared> =
            pairs.map(|(&p, &q)| shared(program, &sources(program, p), &sources(program, q))).collect();
        shared.contains(&Shared::Selected) && !shared.contains(&Shared::Nothing)
    };
    shared(program, &of_a, &of_b) == Shared::Selected
        || of_a.iter().any(|p| of_b.iter().any(|q| is_made_alike(p.0, q.0)))
}

/// What the sources of two operands have in common.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Shared {
    Nothing,
    /// A value at the same coordinates, or one that is given.
    Alike,
    /// A value that one of them was selected of.
    Selected,
}

fn shared(program: &TensorProgram, a: &[Source], b: &[Source]) -> Shared {
    let mut most = Shared::Nothing;
    for &(p, selected) in a {
        for &(_, other) in b.iter().filter(|of| of.0 == p) {
            let is_selected = (selected || other) && !program[p].op.is_leaf();
            most = most.max(if is_selected { Shared::Selected } else { Shared::Alike });
        }
    }
    most
}

/// A value that elements were copied from, and whether they were selected of it.
type Source = (ProgramId, bool);

/// What the elements of a node were copied from, itself first.
fn sources(program: &TensorProgram, id: ProgramId) -> Vec<Source> {
    let mut found = vec![(id, false)];
    let mut next = 0;
    while next < found.len() && found.len() < MOST_SOURCES {
        let (id, selected) = found[next];
        next += 1;
        let node = &program[id];
        let is_selected = selected
            || selects(&node.op)
            || matches!(&node.op, Op::View(View::Expand(shape)) if *shape != program[node.inputs[0]].shape);
        let copied = &node.inputs[copied(&node.op, node.inputs.len())];
        found.extend(copied.iter().map(|&input| (input, is_selected)));
    }
    found
}
