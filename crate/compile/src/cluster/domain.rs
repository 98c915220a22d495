//! Iteration domains: what a cluster's kernel walks, and which values are at hand at each of its
//! positions.
//!
//! A domain is what is kept and what is walked for each element of it. Nothing is walked: a map.
//! Axes of a shape are: reductions of its rows. The terms of one node's own sums are, at which no
//! other node has a value: a contraction, and with what a loop or branch iterates over for the
//! terms, a region.

use super::Pattern;
use weft_ir::Shape;
use weft_ir::op::region::is_region;
use weft_ir::op::{Class, Op, View, facts};
use weft_ir::program::{ProgramId, TensorProgram};

/// Rows longer than this, when there are few of them, get kernels of their own instead of one that
/// keeps the row at hand.
const LONG_ROW: usize = 16_384;

/// How many nodes below one a permutation is sought.
const FAR: usize = 16;

/// What a cluster's kernel iterates over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domain {
    /// Where its invocations stand: one element of it after the other along the axes that are
    /// walked.
    pub shape: Shape,
    /// The axes that are walked, in order, if rows are; of no axes the one element is. Outputs have
    /// as many elements as there are without them, or as the whole shape.
    pub axes: Option<Vec<usize>>,
    /// The node that is walked for by itself, if one is: a contraction or region, which has terms
    /// of its own at each element, or a scan or sort, whose elements need their lines.
    pub anchor: Option<ProgramId>,
    /// The pattern that a family has recognised around that node.
    pub pattern: Option<Pattern>,
}

impl Domain {
    /// The elements of a shape.
    pub fn elements(shape: Shape) -> Domain {
        Domain { shape, axes: None, anchor: None, pattern: None }
    }

    /// The domain of a cluster that is made around a node.
    pub fn around(program: &TensorProgram, id: ProgramId, is_heavy: bool) -> Domain {
        let node = &program[id];
        let elements = Domain::elements(node.shape.clone());
        match (&node.op, facts(&node.op).class) {
            (_, Class::Contraction | Class::Line | Class::Region) => Domain { anchor: Some(id), ..elements },
            (Op::Reduce { axes, .. }, _) if is_heavy => {
                let shape = program[node.inputs[0]].shape.clone();
                Domain { axes: Some(axes.clone()), ..Domain::elements(shape) }
            }
            (op, class) => {
                debug_assert!(!is_heavy || class == Class::Scatter, "{op:?} has no domain");
                permutation_below(program, id).map_or(elements, Domain::elements)
            }
        }
    }

    /// Extents of what is kept: a row for each element of it, where rows are walked.
    pub fn kept(&self) -> Shape {
        self.axes.as_ref().map_or_else(|| self.shape.clone(), |axes| self.shape.without(axes))
    }

    /// Extents of what is walked for each row.
    pub fn walked(&self) -> Shape {
        self.axes.iter().flatten().map(|&axis| self.shape[axis]).collect::<Vec<_>>().into()
    }

    /// Whether rows are walked, which reductions of them can share.
    pub fn has_rows(&self) -> bool {
        self.axes.is_some()
    }

    /// The loop or branch that it is made around, if it is.
    pub fn region(&self, program: &TensorProgram) -> Option<ProgramId> {
        self.anchor.filter(|id| is_region(&program[*id].op))
    }

    /// Whether a member is computed by the kernel's own loops; `is_heavy` says whether a kernel is
    /// built around it.
    pub fn walks_for(&self, id: ProgramId, is_heavy: bool) -> bool {
        self.anchor == Some(id) || (is_heavy && self.has_rows())
    }

    /// Whether a node that has only what others have in common with the cluster, no values of it,
    /// gains by being a member.
    pub fn takes_siblings(&self, is_heavy: bool) -> bool {
        self.anchor.is_none() && is_heavy == self.has_rows()
    }

    /// Whether a node has as many elements as its members must have, and is worth keeping rows at
    /// hand for.
    pub fn has_room_for(&self, program: &TensorProgram, id: ProgramId, is_heavy: bool) -> bool {
        if self.region(program).is_some() {
            return false;
        }
        let node = &program[id];
        let (rows, size) = (self.kept().size(), self.shape.size());
        let keeps_rows = rows >= 256 || size / rows.max(1) <= LONG_ROW;
        if is_heavy {
            let Op::Reduce { axes, .. } = &node.op else { return false };
            let is_alike = self.axes.as_ref() == Some(axes) && program[node.inputs[0]].shape == self.shape;
            return is_alike && keeps_rows;
        }
        node.shape.size() == rows || (node.shape.size() == size && keeps_rows)
    }
}

/// The shape of a permutation that a node is elementwise of, but for reshapes: what is read across
/// is seen in coordinates of that shape and not, say, in those of all axes as one.
fn permutation_below(program: &TensorProgram, id: ProgramId) -> Option<Shape> {
    let size = program[id].shape.size();
    let mut below = id;
    for _ in 0..FAR {
        let node = &program[below];
        if let Op::View(View::Permute(_)) = node.op {
            return (node.shape != program[id].shape).then(|| node.shape.clone());
        }
        let same =
            matches!(node.op, Op::View(View::Reshape(_))) || facts(&node.op).class == Class::Elementwise;
        below = *node.inputs.iter().find(|&&x| same && program[x].shape.size() == size)?;
    }
    None
}

/// Elements that a node of class `Reduction` reduces to one.
pub fn row_length(program: &TensorProgram, id: ProgramId) -> usize {
    let node = &program[id];
    program[node.inputs[0]].shape.size() / node.shape.size().max(1)
}
