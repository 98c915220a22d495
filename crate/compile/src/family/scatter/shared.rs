//! Scatters of many updates into few places: each workgroup combines its share of the updates into
//! a copy of all places in workgroup memory, and then the copy into the places.
//!
//! Where few places are in a buffer, all invocations wait for each other's atomics: 2²⁴ updates
//! into 256 places then take 4.34 ms on an NVIDIA H100 (Dawn), of which reading them takes 0.03.
//! Atomics of workgroup memory are a workgroup's own, and what is left for the buffer is one atomic
//! for each place of each workgroup. They are the same integer operations as of every scatter
//! (`scatter/mod.rs`, `float_sums.rs`), whose result no order and no grouping changes: sums of 64
//! bits are such of their words with what is carried.

use super::patch::patch;
use super::targets::{TOGETHER, WORKGROUP, Walk};
use super::{ScatterProblem, scatter};
use crate::device::SharedScatterModel;
use crate::family::choice::parameters;
use crate::family::{Anchored, Candidates, Family, Lowered, Lowering, Parameters, Problem};
use crate::limits::{Limits, MOST_SHARED_SUMS};
use weft_ir::op::ScatterOp;

/// Workgroups, each of which has a share of the updates: from few, which leave little to be added
/// to the buffer, to what fills a large GPU.
const WORKGROUPS: [u32; 3] = [128, 512, 1024];
/// Bytes of workgroup memory that copies take at most: what every device has. More would leave a
/// processor fewer workgroups.
const MOST_BYTES: u32 = 8 * MOST_SHARED_SUMS as u32;

/// The family.
pub struct ScatterShared;

parameters! {
    /// How workgroups share the updates.
    Shares {
        workgroups: u32,
        /// Whether sums of floats have a window for those near the largest.
        near: bool,
    }
}

/// A scatter into few places.
///
/// Deferred: few first programs scatter at length.
struct Anchor(ScatterProblem, &'static SharedScatterModel);

impl Family for ScatterShared {
    fn name(&self) -> &'static str {
        "scatter-shared"
    }

    fn numbers(&self) -> &'static [&'static str] {
        Shares::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        let model = problem.model().scatter.shared.as_ref()?;
        let scatter = scatter(problem).filter(|scatter| scatter.op != ScatterOp::Set)?;
        let size = scatter.shape.size();
        let is_many = size > 0 && scatter.updates.size() >= 2 * size;
        let some = is_many && fits(&scatter, problem.limits, false) && patch(problem, &scatter).is_none();
        some.then(|| Box::new(Anchor(scatter, model)) as Box<dyn Anchored>)
    }
}

/// Words of a place.
fn words(scatter: &ScatterProblem, near: bool) -> u32 {
    match (scatter.is_float_sum(), near) {
        (false, _) => 1,
        (true, false) => 2,
        (true, true) => 4,
    }
}

/// Whether workgroup memory has room for a copy.
fn fits(scatter: &ScatterProblem, limits: &Limits, near: bool) -> bool {
    let most = MOST_BYTES.min(limits.workgroup_bytes) / 4;
    scatter.shape.size() <= (most / words(scatter, near)) as usize
}

impl Lowering for Anchor {
    type Candidate = Shares;

    fn candidates(&self, problem: &Problem<'_>) -> Candidates<Shares> {
        let scatter = &self.0;
        // None without updates of its own.
        let most = scatter.updates.size().div_ceil((WORKGROUP * TOGETHER) as usize);
        let mut workgroups = WORKGROUPS.map(|count| count.min(most as u32)).to_vec();
        workgroups.dedup();
        let near = [false, true].into_iter().filter(|&near| !near || scatter.is_float_sum());
        let near = near.filter(|&near| fits(scatter, problem.limits, near));
        near.flat_map(|near| workgroups.iter().map(move |&workgroups| Shares { workgroups, near })).collect()
    }

    fn cost(&self, problem: &Problem<'_>, Shares { workgroups, near }: Shares) -> f64 {
        let Anchor(scatter, model) = self;
        let atomics = &problem.model().scatter;
        let (of_update, dispatches) = match (scatter.is_float_sum(), near) {
            (false, _) => (model.update, 2.0),
            (true, false) => (model.summed, 3.0),
            (true, true) => (model.summed_near, 4.0),
        };
        let workgroups = f64::from(workgroups);
        let copies = workgroups * scatter.shape.size() as f64 * f64::from(words(scatter, near));
        let updates = scatter.updates.size() as f64 * (model.busy / workgroups).max(1.0);
        let of_copies = copies * (model.word + scatter.contention(atomics));
        updates * of_update + of_copies + dispatches * atomics.dispatch
    }

    fn lower(&self, problem: &Problem<'_>, Shares { workgroups, near }: Shares) -> Lowered {
        self.0.by_updates(problem, Walk::Shared { workgroups }, near, None)
    }
}
