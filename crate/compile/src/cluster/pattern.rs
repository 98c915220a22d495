//! Patterns: several nodes that a family computes in one kernel, though some of them have kernels
//! of their own elsewhere.

use std::any::Any;
use std::rc::Rc;
use weft_ir::program::ProgramId;

/// A pattern that a family has recognised around a node.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// Its name, in the keys under which winners of races are kept: one word.
    pub name: &'static str,
    /// The nodes that are computed on the way to the one that it is around, in order. Nothing else
    /// reads any of them.
    pub inside: Vec<ProgramId>,
    /// What else the family found out, for itself.
    pub details: Rc<dyn Any>,
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        (self.name, &self.inside) == (other.name, &other.inside)
    }
}

impl Eq for Pattern {}
