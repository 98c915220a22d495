//! Kernel families: the interface that each implements, the table of all of them, and the choice of
//! one for a cluster.
//!
//! A family is a folder and a row of [`FAMILIES`]. It says whether it can lower a cluster and finds
//! out once what it must know of it ([`Lowering`]); then which parameters it could run with under
//! the device's limits, what each such candidate would cost, and, of one of them, the kernels. All
//! families are asked, and the cheapest candidate of all is taken, unless a race on the device has
//! found a faster.

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
use crate::compiler::Compiler;
use crate::limits::Limits;
pub use choice::{Candidate, Candidates, Choice, Numbers, Parameters};
pub use problem::{Lowered, Problem, Stage, Sums, Unfused};
pub(crate) use scatter::patch::FEW_UPDATES;
use weft_ir::Shape;
use weft_ir::op::{Loop, Op};
use weft_ir::program::ProgramId;

/// A way to lower clusters.
pub trait Family: Sync {
    /// Its name, in print and in what is remembered of races: one word.
    fn name(&self) -> &'static str;
    /// The names of the numbers that its parameters are stored as, [`Parameters::NAMES`].
    fn numbers(&self) -> &'static [&'static str];
    /// What it must know of a cluster to lower it, found out once; `None` where it cannot.
    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>>;
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
    /// The shape of the state of a loop that its kernels take through all iterations, if they do.
    /// An input of that shape is then computed where it is read.
    fn loop_inside(&self, _: &Loop, _: &Limits) -> Option<Shape> {
        None
    }
    /// Whether its kernels had better have the sums of a contraction whole than cut into parts.
    fn keeps_whole(&self, _: &Sums, _: &Limits) -> bool {
        false
    }
    /// Buffers that its kernels around such a node bind besides what the cluster reads and stores.
    fn more_bindings(&self, _: &Op) -> usize {
        0
    }
}

/// A cluster that a family can lower, with parameters of the family's own.
pub trait Lowering {
    /// The parameters.
    type Candidate: Parameters;
    /// Those worth trying.
    fn candidates(&self, problem: &Problem<'_>) -> Candidates<Self::Candidate>;
    /// Whether one of them works on every device: the first that does is what the cluster falls
    /// back on. Each kind of domain has a family that has one for whatever it lowers.
    fn is_fallback(&self, _: Self::Candidate) -> bool {
        false
    }
    /// An estimate of the time in nanoseconds, by [`Problem::model`]. It is compared with those of
    /// other families; infinite for what should be chosen by tests alone.
    fn cost(&self, problem: &Problem<'_>, candidate: Self::Candidate) -> f64;
    /// The kernels.
    fn lower(&self, problem: &Problem<'_>, candidate: Self::Candidate) -> Lowered;
}

/// The same with parameters as numbers, as all families have them: what [`Lowering`] makes.
pub trait Anchored {
    /// The candidates.
    fn all(&self, problem: &Problem<'_>) -> Vec<Numbers>;
    /// What one takes, and whether it works on every device.
    fn judge(&self, problem: &Problem<'_>, numbers: &Numbers) -> (f64, bool);
    /// The kernels of one.
    fn kernels(&self, problem: &Problem<'_>, numbers: &Numbers) -> Lowered;
}

impl<L: Lowering> Anchored for L {
    fn all(&self, problem: &Problem<'_>) -> Vec<Numbers> {
        self.candidates(problem).into_numbers()
    }

    fn judge(&self, problem: &Problem<'_>, numbers: &Numbers) -> (f64, bool) {
        let candidate = L::Candidate::of(numbers);
        (self.cost(problem, candidate), self.is_fallback(candidate))
    }

    fn kernels(&self, problem: &Problem<'_>, numbers: &Numbers) -> Lowered {
        self.lower(problem, L::Candidate::of(numbers))
    }
}

/// Every family. For each kind of domain there is one that has a [`Lowering::is_fallback`].
pub const FAMILIES: &[&dyn Family] = &[
    &map::Map,
    &map::vectors::VectorMap,
    &map::transposed::TransposedMap,
    &rows::whole::Rows,
    &rows::split::SplitRows,
    &rows::tiled::TiledRows,
    &rows::tiled::SplitTiledRows,
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

/// The shape of the state of a loop that runs inside one kernel, if any family's does.
pub fn loop_inside(it: &Loop, limits: &Limits) -> Option<Shape> {
    FAMILIES.iter().find_map(|family| family.loop_inside(it, limits))
}

/// Whether any family had better have the sums of a contraction whole.
pub fn keeps_whole(sums: &Sums, limits: &Limits) -> bool {
    FAMILIES.iter().any(|family| family.keeps_whole(sums, limits))
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
    let works = candidates.iter().find(|candidate| candidate.is_fallback);
    works.expect("every domain has a family to fall back on").choice
}

/// Lowers a cluster in the way that `choose` picks of all families' candidates whose kernels the
/// device can run, and tells which it was. The [`fallback`] always can: fusion saw to that.
pub fn schedule(problem: &Problem<'_>, choose: Choose<'_>, compiler: &dyn Compiler) -> (Lowered, Choice) {
    let anchored = anchors(problem);
    let mut candidates = candidates_of(problem, &anchored);
    loop {
        let choice = choose(problem, &candidates);
        let family = anchored[choice.number()].as_deref().expect("one of the candidates is chosen");
        let lowered = family.kernels(problem, choice.numbers());
        if candidates.len() == 1 || lowered.stages.iter().all(|s| s.fits(problem.limits)) {
            let lowered = with_long_stages_in_pieces(problem, family, &choice, lowered);
            return (with_first_kernels(problem, family, &choice, lowered, compiler), choice);
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
        candidates.extend(anchored.all(problem).into_iter().map(|numbers| {
            let (nanoseconds, is_fallback) = anchored.judge(problem, &numbers);
            Candidate { choice: Choice::new(family, numbers), nanoseconds, is_fallback }
        }));
    }
    candidates
}

/// All families' candidates.
pub fn candidates(problem: &Problem<'_>) -> Vec<Candidate> {
    candidates_of(problem, &anchors(problem))
}

/// Adds to each kernel that people would wait for what serves until it is compiled, where the
/// family has something that is compiled sooner. The dispatch is that of the kernel.
fn with_first_kernels(
    problem: &Problem<'_>,
    family: &dyn Anchored,
    choice: &Choice,
    mut lowered: Lowered,
    compiler: &dyn Compiler,
) -> Lowered {
    for (number, stage) in lowered.stages.iter_mut().enumerate() {
        if !compiler.is_slow(&stage.kernel) {
            continue;
        }
        let problem = Problem { in_loops: true, in_pieces: stage.in_pieces, ..*problem };
        let mut in_loops = family.kernels(&problem, choice.numbers()).stages;
        if number >= in_loops.len() {
            continue;
        }
        let first = in_loops.swap_remove(number);
        let serves = (&first.bindings, &first.uniforms, first.workgroups)
            == (&stage.bindings, &stage.uniforms, stage.workgroups);
        if serves && compiler.is_sooner(&stage.kernel, &first.kernel) {
            stage.first = Some(first.kernel);
        }
    }
    lowered
}

/// Replaces stages that may take long by stages that can be run in pieces. Short ones stay as they
/// are, which saves a uniform.
fn with_long_stages_in_pieces(
    problem: &Problem<'_>,
    family: &dyn Anchored,
    choice: &Choice,
    mut lowered: Lowered,
) -> Lowered {
    let long: Vec<bool> = lowered.stages.iter().map(|stage| stage.is_long(problem.limits)).collect();
    if long.contains(&true) {
        let in_pieces = family.kernels(&Problem { in_pieces: true, ..*problem }, choice.numbers());
        for (n, stage) in in_pieces.stages.into_iter().enumerate().filter(|&(n, _)| long[n]) {
            lowered.stages[n] = stage;
        }
    }
    lowered
}
