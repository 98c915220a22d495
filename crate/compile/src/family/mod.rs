//! Kernel families: the interface that each implements, the table of all of them, and the choice of
//! one for a cluster.
//!
//! A family is a folder and a row of [`FAMILIES`]. It says whether it can lower a cluster and finds
//! out once what it must know of it; then which numbers it could run with under the device's
//! limits, what each such candidate would cost, and, of one of them, the kernels. All families are
//! asked, and the cheapest candidate of all is taken, unless a race on the device has found a
//! faster.

pub(crate) mod attention;
mod choice;
mod contract;
mod fourier;
mod launch;
pub(crate) mod loops;
mod map;
mod problem;
mod rows;
mod scan;
mod scatter;
mod sort;
mod store;
pub(crate) mod user;

use crate::cluster::Pattern;
pub use choice::{Candidate, Choice, Numbers};
pub use problem::{Lowered, Problem, Stage, Unfused};
pub(crate) use scatter::patch::FEW_UPDATES;
use weft_ir::op::Op;
use weft_ir::program::ProgramId;

/// A way to lower clusters.
pub trait Family: Sync {
    /// Its name, in print and in what is remembered of races: one word.
    fn name(&self) -> &'static str;
    /// The names of its numbers, in their order.
    fn numbers(&self) -> &'static [&'static str];
    /// What it must know of a cluster to lower it, found out once; `None` where it cannot.
    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>>;
    /// Whether a kind of domain falls back on it: whatever it has an anchor for, its first candidate
    /// works on every device.
    fn is_fallback(&self) -> bool {
        false
    }
    /// The pattern around a node that its kernels compute at once, where there is one. Fusion asks
    /// before it cuts the program.
    fn pattern(&self, _: &Unfused<'_>, _: ProgramId) -> Option<Pattern> {
        None
    }
    /// Whether its kernels had better compute a short reduction again for each element that its
    /// result is repeated for than load it.
    fn computes_again(&self, _: &Unfused<'_>, _: ProgramId) -> bool {
        false
    }
    /// Buffers that its kernels around such a node bind besides what the cluster reads and stores.
    fn more_bindings(&self, _: &Op) -> usize {
        0
    }
}

/// A cluster that a family can lower.
pub trait Anchored {
    /// The numbers worth trying. The first of a [`Family::is_fallback`] work on every device.
    fn candidates(&self, problem: &Problem<'_>) -> Vec<Numbers>;
    /// An estimate of the time in nanoseconds: of an NVIDIA H200, or of a CPU where the device is
    /// software. It is compared with those of other families; infinite for what should be chosen by
    /// tests alone.
    fn cost(&self, problem: &Problem<'_>, numbers: &Numbers) -> f64;
    /// The kernels.
    fn lower(&self, problem: &Problem<'_>, numbers: &Numbers) -> Lowered;
}

/// Every family. For each kind of domain there is a [`Family::is_fallback`].
pub const FAMILIES: [&dyn Family; 24] = [
    &map::Map,
    &map::vectors::VectorMap,
    &map::across::Across,
    &rows::Rows,
    &rows::held::HeldRows,
    &rows::online::OnlineRows,
    &rows::pairs::Pairs,
    &rows::copied::CopiedRows,
    &contract::Contract,
    &contract::shared_tiles::SharedTiles,
    &contract::sliced::Sliced,
    &attention::rows::AttentionRows,
    &attention::Attention,
    &scan::Scan,
    &scatter::Scatter,
    &scatter::copies::ScatterCopies,
    &scatter::shared::ScatterShared,
    &scatter::sorted::SortedScatter,
    &sort::Sort,
    &sort::radix::Radix,
    &sort::merge::Merge,
    &fourier::Fourier,
    &loops::Iterations,
    &user::UserKernels,
];

/// The pattern around a node, if any family recognises one.
pub fn pattern(unfused: &Unfused<'_>, id: ProgramId) -> Option<Pattern> {
    FAMILIES.iter().find_map(|family| family.pattern(unfused, id))
}

/// Whether any family computes a short reduction again rather than load it.
pub fn computes_again(unfused: &Unfused<'_>, id: ProgramId) -> bool {
    FAMILIES.iter().any(|family| family.computes_again(unfused, id))
}

/// Buffers that kernels around a node bind at most besides what their cluster reads and stores.
pub fn more_bindings(op: &Op) -> usize {
    FAMILIES.iter().fold(0, |most, family| most.max(family.more_bindings(op)))
}

/// How one of the candidates of a problem is chosen.
pub type Choose<'a> = &'a dyn Fn(&Problem<'_>, &[Candidate]) -> Choice;

/// The candidate that is estimated cheapest.
pub fn cheapest(_: &Problem<'_>, candidates: &[Candidate]) -> Choice {
    let best = candidates.iter().min_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds));
    best.expect("every domain has a family").choice
}

/// A candidate that works on every device.
pub fn fallback(candidates: &[Candidate]) -> Choice {
    let works = |candidate: &&Candidate| candidate.choice.family().is_fallback();
    candidates.iter().find(works).expect("every domain has a family to fall back on").choice
}

/// Lowers a cluster in the way that `choose` picks of all families' candidates whose kernels the
/// device can run, and tells which it was. The [`fallback`] always can: fusion saw to that.
pub fn schedule(problem: &Problem<'_>, choose: Choose<'_>) -> (Lowered, Choice) {
    let anchored = anchors(problem);
    let mut candidates = candidates_of(problem, &anchored);
    loop {
        let choice = choose(problem, &candidates);
        let family = anchored[choice.number()].as_deref().expect("one of the candidates is chosen");
        let lowered = family.lower(problem, choice.numbers());
        if candidates.len() == 1 || lowered.stages.iter().all(|s| s.fits(problem.limits)) {
            return (with_long_stages_in_pieces(problem, family, &choice, lowered), choice);
        }
        candidates.retain(|c| c.choice != choice);
    }
}

type Anchors<'a> = Vec<Option<Box<dyn Anchored + 'a>>>;

fn anchors<'a>(problem: &Problem<'a>) -> Anchors<'a> {
    FAMILIES.iter().map(|family| family.anchor(problem)).collect()
}

fn candidates_of(problem: &Problem<'_>, anchored: &Anchors<'_>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (family, anchored) in anchored.iter().enumerate() {
        let Some(anchored) = anchored else { continue };
        candidates.extend(anchored.candidates(problem).into_iter().map(|numbers| {
            let nanoseconds = anchored.cost(problem, &numbers);
            Candidate { choice: Choice::new(family, numbers), nanoseconds }
        }));
    }
    candidates
}

/// All families' candidates.
pub fn candidates(problem: &Problem<'_>) -> Vec<Candidate> {
    candidates_of(problem, &anchors(problem))
}

/// Exchanges stages that may take long for such as can be run in pieces. Short ones do without,
/// which spares them a uniform.
fn with_long_stages_in_pieces(
    problem: &Problem<'_>,
    family: &dyn Anchored,
    choice: &Choice,
    mut lowered: Lowered,
) -> Lowered {
    let long: Vec<bool> = lowered.stages.iter().map(|stage| stage.is_long(problem.limits)).collect();
    if long.contains(&true) {
        let in_pieces = family.lower(&Problem { in_pieces: true, ..*problem }, choice.numbers());
        for (n, stage) in in_pieces.stages.into_iter().enumerate().filter(|&(n, _)| long[n]) {
            lowered.stages[n] = stage;
        }
    }
    lowered
}
