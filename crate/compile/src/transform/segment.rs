//! The part of a graph that a transformation rewrites: the nodes between those it starts from and
//! the results.

use super::inline_custom::has_custom_rules;
use weft_ir::HashSet;
use weft_ir::build::{Build, Ref};
use weft_ir::op::{Op, region};

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Whatever depends on the start.
    Value,
    /// What has a derivative by the start.
    Derivative,
}

/// The nodes through which the start reaches the results, both included.
pub(super) struct Segment {
    /// Oldest first.
    pub order: Vec<Ref>,
    /// The same as a set.
    pub leads: HashSet<Ref>,
    /// Whether functions with rules are among them.
    pub has_custom_rules: bool,
}

pub(super) fn segment(emit: &dyn Build, outputs: &[Ref], from: &[Ref], mode: Mode) -> Segment {
    let mut segment = Segment { order: Vec::new(), leads: HashSet::default(), has_custom_rules: false };
    let Some(oldest) = from.iter().map(|&x| emit.age(x)).min() else { return segment };
    let sources: HashSet<Ref> = from.iter().copied().collect();
    let mut seen = HashSet::default();
    let mut stack: Vec<Ref> = outputs.iter().copied().filter(|&x| seen.insert(x)).collect();
    let mut found = Vec::new();
    while let Some(x) = stack.pop() {
        if emit.age(x) < oldest {
            continue;
        }
        found.push(x);
        stack.extend(emit.definition(x).1.into_iter().filter(|&i| seen.insert(i)));
    }
    weft_ir::order::sort_by_key(&mut found, |x| emit.age(x));
    for x in found {
        let (op, inputs) = emit.definition(x);
        let derives = (emit.dtype(x).is_float() && op != Op::Detach) || region::is_region(&op);
        let flows = mode == Mode::Value || derives;
        if sources.contains(&x) || (flows && inputs.iter().any(|i| segment.leads.contains(i))) {
            segment.has_custom_rules |= region::is_region(&op) && has_custom_rules(&op);
            segment.order.push(x);
            segment.leads.insert(x);
        }
    }
    segment
}
