//! Input coordinates of views, reductions and contractions.

use super::builder::KernelBuilder;
use super::eval::Evaluator;
use weft_ir::Shape;
use weft_ir::kernel::ExprId;
use weft_ir::op::{ContractAxes, Op, View};
use weft_ir::program::{ProgramId, TensorProgram};

/// What a contraction's axes come to: extents of what is kept of both operands, of one, and of what
/// is summed over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extents {
    /// Of the batch axes.
    pub batch: Shape,
    /// Of the left operand's free axes.
    pub rows: Shape,
    /// Of the right operand's free axes.
    pub columns: Shape,
    /// Of the contracted axes.
    pub reduced: Shape,
}

impl Extents {
    /// Those of a node, if it is a contraction.
    pub fn of(program: &TensorProgram, id: ProgramId) -> Option<Extents> {
        let node = &program[id];
        let Op::Contract(axes) = &node.op else { return None };
        let [left, right] = [0, 1].map(|side| &program[node.inputs[side]].shape);
        let pick = |axes: Vec<usize>, shape: &Shape| -> Shape {
            axes.into_iter().map(|axis| shape[axis]).collect::<Vec<_>>().into()
        };
        Some(Extents {
            batch: pick(axes.batch.iter().map(|pair| pair.0).collect(), left),
            rows: pick(axes.left_free(left.rank()), left),
            columns: pick(axes.right_free(right.rank()), right),
            reduced: pick(axes.contract.iter().map(|pair| pair.0).collect(), left),
        })
    }

    /// The coordinates of the result at (batch, row, column).
    pub fn at(&self, b: &mut KernelBuilder, batch: ExprId, row: ExprId, column: ExprId) -> Vec<ExprId> {
        let mut at = b.unravel(batch, &self.batch);
        at.extend(b.unravel(row, &self.rows));
        at.extend(b.unravel(column, &self.columns));
        at
    }
}

/// The coordinates of a reduction's input: `kept` on the axes that stay, `inner` on `axes`.
pub fn interleave(kept: &[ExprId], inner: &[ExprId], axes: &[usize]) -> Vec<ExprId> {
    let (mut kept, mut inner) = (kept.iter(), inner.iter());
    let rank = kept.len() + inner.len();
    (0..rank)
        .map(|axis| if axes.contains(&axis) { inner.next() } else { kept.next() })
        .map(|c| *c.expect("ranks agree"))
        .collect()
}

/// The coordinates in the left and right inputs for output coordinates `at` and contracted
/// coordinates `inner`.
pub fn contract_coordinates(
    axes: &ContractAxes,
    left_rank: usize,
    right_rank: usize,
    at: &[ExprId],
    inner: &[ExprId],
) -> (Vec<ExprId>, Vec<ExprId>) {
    let (mut left, mut right) = (vec![ExprId(0); left_rank], vec![ExprId(0); right_rank]);
    for (&(l, r), &c) in axes.batch.iter().zip(at) {
        (left[l], right[r]) = (c, c);
    }
    for (&(l, r), &c) in axes.contract.iter().zip(inner) {
        (left[l], right[r]) = (c, c);
    }
    let free_left = axes.left_free(left_rank);
    let free_right = axes.right_free(right_rank);
    let rest = &at[axes.batch.len()..];
    for (&axis, &c) in free_left.iter().zip(rest) {
        left[axis] = c;
    }
    for (&axis, &c) in free_right.iter().zip(&rest[free_left.len()..]) {
        right[axis] = c;
    }
    (left, right)
}

impl Evaluator<'_> {
    /// The coordinates of its input that a view without filling maps `at` to.
    pub fn behind(&mut self, view: &View, inputs: &[ProgramId], at: &[ExprId]) -> Vec<ExprId> {
        let shape = &self.program[inputs[0]].shape;
        match view {
            View::Reshape(to) => self.b.regroup(at, to, shape),
            View::Permute(axes) => {
                let mut coordinates = vec![ExprId(0); at.len()];
                for (&axis, &c) in axes.iter().zip(at) {
                    coordinates[axis] = c;
                }
                coordinates
            }
            View::Expand(_) => {
                let zero = self.b.index_const(0);
                at.iter().zip(shape.iter()).map(|(&c, &extent)| if extent == 1 { zero } else { c }).collect()
            }
            View::Slice { starts, steps, .. } => {
                let mut coordinates = Vec::with_capacity(at.len());
                for ((&c, &start), &step) in at.iter().zip(starts).zip(steps) {
                    let start = self.coefficient(start, inputs);
                    let offset = self.b.index_scale(c, step);
                    coordinates.push(self.b.index_add(start, offset));
                }
                coordinates
            }
            View::Window(windows) => {
                let mut coordinates = at[windows.len()..].to_vec();
                for (w, &element) in windows.iter().zip(at) {
                    let first = self.b.index_scale(coordinates[w.axis], w.stride as i64);
                    let within = self.b.index_scale(element, w.dilation as i64);
                    coordinates[w.axis] = self.b.index_add(first, within);
                }
                coordinates
            }
            View::Pad { .. } => unreachable!("what a view fills in has no coordinates"),
        }
    }
}
