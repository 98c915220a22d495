//! Reverse mode: cotangents of nodes, given those of nodes made from them.
//!
//! One rule per primitive (Griewank & Walther, *Evaluating Derivatives*, §3.2: adjoints pulled back
//! in reverse order). Rules emit primitives only, so that what they emit can be differentiated
//! again. The pass is iterative and linear in the number of nodes between outputs and inputs; nodes
//! older than every input, and nodes no input leads to, are not visited.

mod contract;
mod conv;
mod elementwise;
pub(super) mod index;
mod reduce;
mod view;

use super::inline_custom::inlined_values;
use super::scan;
use super::segment::{Mode, Segment, segment};
use weft_ir::HashMap;
use weft_ir::Result;
use weft_ir::build::{Build, Ref};
use weft_ir::graph::OF_GRADIENT;
use weft_ir::op::{Op, region};

/// Rules of regions (`control_flow.rs`): the cotangents of a region's inputs that are wanted. The
/// pass is given them as a function, because they call the pass for the programs within.
pub(super) type OfRegion =
    fn(&mut dyn Build, &Op, &[Ref], &[Option<Ref>], &[bool]) -> Result<Vec<Option<Ref>>>;

/// The cotangents of each of `wrt`, given those of `outputs`; `None` where nothing connects the
/// two. A node of `wrt` that depends on another passes its cotangent on to it.
pub(super) fn pull(
    emit: &mut dyn Build,
    outputs: &[Ref],
    cotangents: &[Ref],
    wrt: &[Ref],
    of_region: OfRegion,
) -> Result<Vec<Option<Ref>>> {
    let segment = segment(emit, outputs, wrt, Mode::Derivative);
    let values = if segment.has_custom_rules { inlined_values(emit, &segment)? } else { HashMap::default() };
    let value = |x: Ref| values.get(&x).copied().unwrap_or(x);
    let Segment { order, leads, .. } = segment;
    let mut gathered: HashMap<Ref, Ref> = HashMap::default();
    for (&output, &cotangent) in outputs.iter().zip(cotangents) {
        if leads.contains(&output) {
            accumulate(emit, &mut gathered, output, cotangent)?;
        }
    }
    // What the results of regions have gathered.
    let mut parts: HashMap<(Ref, usize), Ref> = HashMap::default();
    for &node in order.iter().rev() {
        let (op, inputs) = emit.definition(node);
        let wanted: Vec<bool> = inputs.iter().map(|i| leads.contains(i)).collect();
        if !wanted.contains(&true) {
            continue;
        }
        emit.set_site(emit.site(node) | OF_GRADIENT);
        let pulled = if region::is_region(&op) {
            let count = region::results(&op).len();
            let cotangents: Vec<Option<Ref>> = (0..count).map(|n| parts.get(&(node, n)).copied()).collect();
            let own: Vec<Ref> = inputs.iter().map(|&x| value(x)).collect();
            of_region(emit, &op, &own, &cotangents, &wanted)?
        } else {
            let Some(&cotangent) = gathered.get(&node) else { continue };
            if let Op::Part { index, .. } = op {
                parts.insert((inputs[0], index), cotangent);
                continue;
            }
            let own: Vec<Ref> = inputs.iter().map(|&x| value(x)).collect();
            Step { node: value(node), op: &op, inputs: &own, cotangent, wanted: &wanted }.pull(emit)?
        };
        for (i, pulled) in pulled.into_iter().enumerate() {
            if let Some(pulled) = pulled.filter(|_| wanted[i]) {
                accumulate(emit, &mut gathered, inputs[i], pulled)?;
            }
        }
    }
    Ok(wrt.iter().map(|x| gathered.get(x).copied()).collect())
}

/// Adds `pulled` to what `node` has gathered.
fn accumulate(emit: &mut dyn Build, gathered: &mut HashMap<Ref, Ref>, node: Ref, pulled: Ref) -> Result<()> {
    let sum = match gathered.get(&node) {
        Some(&before) => emit.add(before, pulled)?,
        None => pulled,
    };
    gathered.insert(node, sum);
    Ok(())
}

/// What a rule sees: a node, the cotangent of its result, and which inputs a gradient is wanted
/// for.
pub(super) struct Step<'s> {
    pub node: Ref,
    pub op: &'s Op,
    pub inputs: &'s [Ref],
    pub cotangent: Ref,
    pub wanted: &'s [bool],
}

/// Real and imaginary parts exchanged.
fn exchanged(emit: &mut dyn Build, parts: usize, x: Ref) -> Result<Ref> {
    let flags: Vec<bool> = (0..emit.shape(x).rank()).map(|axis| axis == parts).collect();
    emit.flip(x, &flags)
}

/// The cotangent of each input; `None` where it is zero or not defined. Those that are not wanted
/// are ignored.
pub(super) type Pulled = Vec<Option<Ref>>;

impl Step<'_> {
    /// The rule of a Fourier transform, whose matrix is symmetric, so that its adjoint is its
    /// conjugate: parts exchanged before and after.
    ///
    /// Deferred: few programs transform to frequencies.
    #[inline(never)]
    fn fourier(&self, emit: &mut dyn Build, parts: usize) -> Result<Pulled> {
        let turned = exchanged(emit, parts, self.cotangent)?;
        let back = emit.op(self.op.clone(), &[turned, self.inputs[1]])?;
        Ok(vec![Some(exchanged(emit, parts, back)?), None])
    }

    /// The one place that says which rule belongs to which primitive.
    pub fn pull(&self, emit: &mut dyn Build) -> Result<Pulled> {
        match self.op {
            Op::Unary(op) => elementwise::unary(emit, self, *op),
            Op::Binary(op) => elementwise::binary(emit, self, *op),
            Op::Select => elementwise::select(emit, self),
            Op::Cast(_) | Op::Mark(_) | Op::Cut => Ok(vec![Some(self.cotangent)]),
            Op::Reduce { op, axes } => reduce::reduce(emit, self, *op, axes),
            Op::View(view) => view::view(emit, self, view),
            Op::Contract(axes) => contract::contract(emit, self, axes),
            Op::Conv(it) => conv::conv(emit, self, it),
            Op::Gather { axis } => index::gather(emit, self, *axis),
            Op::Scan(kind) => Ok(vec![Some(scan::pull(emit, kind, self.inputs[0], self.cotangent)?)]),
            Op::Fourier { parts, .. } => self.fourier(emit, *parts),
            Op::Scatter { axis, op } => index::scatter(emit, self, *op, *axis),
            // Leaves have no inputs, and these yield no float or pass no derivative on.
            Op::Buffer(..)
            | Op::Scalar(_)
            | Op::Constant(_)
            | Op::Iota { .. }
            | Op::Compare(_)
            | Op::Bitcast(_)
            | Op::ArgSort { .. }
            | Op::Detach => Ok(vec![None; self.inputs.len()]),
            Op::Loop(_) | Op::Branch(_) | Op::Custom(_) | Op::Kernel(_) | Op::Part { .. } => {
                unreachable!("`of_region` has the rules of regions, and their parts are gathered")
            }
        }
    }

    /// The cotangent of input `i` by `rule`, if it is wanted.
    fn want(
        &self,
        emit: &mut dyn Build,
        i: usize,
        rule: impl FnOnce(&mut dyn Build) -> Result<Ref>,
    ) -> Result<Option<Ref>> {
        if self.wanted[i] { rule(emit).map(Some) } else { Ok(None) }
    }
}
