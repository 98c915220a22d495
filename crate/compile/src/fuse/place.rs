//! Symbolic position of a cluster's invocation, for comparing what a node would read with what is
//! at hand there.

use crate::cluster::Domain;
use crate::lower::eval::{Evaluator, interleave};
use weft_ir::Shape;
use weft_ir::kernel::ExprId;

/// The coordinates a cluster's invocation is at.
pub struct Place {
    /// The coordinates of the row, for domains of rows.
    rows: Option<(Vec<ExprId>, Shape)>,
    /// The coordinates in the domain's whole shape.
    pub full: Vec<ExprId>,
    shape: Shape,
}

impl Place {
    /// Anywhere in a domain, as new counters of the evaluator's kernel.
    pub fn new(eval: &mut Evaluator<'_>, domain: &Domain) -> Place {
        let shape = domain.shape.clone();
        let Some(axes) = &domain.axes else {
            let i = eval.b.counter("i", shape.size() as i64).1;
            return Place { rows: None, full: eval.b.unravel(i, &shape), shape };
        };
        let (kept, walked) = (domain.kept(), domain.walked());
        let row = eval.b.counter("row", kept.size() as i64).1;
        let j = eval.b.counter("j", walked.size() as i64).1;
        let at = eval.b.unravel(row, &kept);
        let inner = eval.b.unravel(j, &walked);
        Place { full: interleave(&at, &inner, axes), rows: Some((at, kept)), shape }
    }

    /// The coordinates in a node of `shape`.
    pub fn of(&self, eval: &mut Evaluator<'_>, shape: &Shape) -> Vec<ExprId> {
        let (at, own) = match &self.rows {
            Some((at, kept)) if kept.size() == shape.size() => (at, kept),
            _ => (&self.full, &self.shape),
        };
        eval.b.regroup(at, own, shape)
    }
}
