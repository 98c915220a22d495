//! How a cluster becomes kernels: families, what each must say, and how one and its numbers are chosen.
//!
//! A family is a file and a row of [`FAMILIES`]. It says whether it can lower a cluster and finds out once what it must know of it; then which
//! numbers it could run with under the device's limits, what each such candidate would cost, and, of one of them, the kernels. All
//! families are asked, and the cheapest candidate of all is taken, unless a race on the device has found a faster.

pub(crate) mod attention;
mod choice;
mod contract;
mod fourier;
pub(crate) mod loops;
mod map;
mod rows;
mod scan;
mod scatter;
mod sort;

use crate::fuse::{Cluster, Clusters};
use crate::limits::Limits;
use crate::lower::cost;
use crate::lower::dynamic_offset::Placed;
use crate::lower::eval::{Binding, Evaluator, Given};
pub use choice::{Candidate, Choice, Numbers};
pub(crate) use scatter::patch::FEW_UPDATES;
pub(crate) use scatter::shared::MOST_SHARED_SUMS;
use weft_ir::Shape;
use weft_ir::kernel::{Array, BinaryOp, Builtin, ExprId, Kernel};
use weft_ir::op::{Class, Op, View, facts};
use weft_ir::program::{ProgramId, TensorProgram};
use weft_ir::{HashMap, HashSet};

/// One cluster to be lowered.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    /// The program.
    pub program: &'a TensorProgram,
    /// All its clusters.
    pub clusters: &'a Clusters,
    /// Which of them.
    pub own: usize,
    /// The device.
    pub limits: &'a Limits,
    /// Donated leaves that this cluster overwrites, and the result that is written over each.
    pub in_place: &'a HashMap<ProgramId, ProgramId>,
    /// Whether its kernels are made so that they can be run in pieces.
    pub in_pieces: bool,
    /// Results that are stored within larger tensors.
    pub placed: &'a HashMap<ProgramId, Placed>,
}

impl<'a> Problem<'a> {
    /// The cluster.
    pub fn cluster(&self) -> &'a Cluster {
        &self.clusters.clusters[self.own]
    }

    /// Runs `write` with an evaluator that loads what this cluster does not compute, and finishes the kernel.
    fn stage(&self, name: &str, workgroup: u32, write: impl FnOnce(&mut Evaluator<'_>) -> [u32; 3]) -> Stage {
        let loaded = |id| self.clusters.is_loaded(self.program, self.own, id);
        let mut eval = Evaluator::new(self.program, &loaded, &self.clusters.reads, self.in_place);
        eval.placed = Some(self.placed);
        self.stage_of(name, workgroup, eval, write)
    }

    /// Finishes a kernel that is written with an evaluator.
    fn stage_of<'e>(
        &self,
        name: &str,
        workgroup: u32,
        mut eval: Evaluator<'e>,
        write: impl FnOnce(&mut Evaluator<'e>) -> [u32; 3],
    ) -> Stage {
        if self.in_pieces {
            eval.run_in_pieces();
        }
        let workgroups = write(&mut eval);
        let Evaluator { b, bindings, uniforms, .. } = eval;
        Stage {
            kernel: b.finish(name.to_owned(), [workgroup, 1, 1]),
            bindings: bindings.into_iter().map(|(_, binding)| binding).collect(),
            uniforms,
            in_pieces: self.in_pieces,
            workgroups,
        }
    }

    /// How many nodes other than views the cluster computes.
    fn operations(&self) -> usize {
        self.count(|op| facts(op).class != Class::View)
    }

    /// What is written out for an element, in operations: [`Self::operations`], and views of which each element asks where it lies.
    fn written(&self) -> usize {
        /// Positions are divided, compared and chosen between.
        const LOOKED_FOR: usize = 6;
        let views = self.count(|op| matches!(op, Op::View(View::Pad { .. } | View::Window(_))));
        self.operations() + LOOKED_FOR * views
    }

    /// What software compiles for an element: [`Self::written`], where a function counts for as many operations as it takes.
    fn compiled(&self) -> usize {
        let mut operations = 1 + self.written() - self.operations();
        self.visit(&mut |id, is_loaded| {
            operations += if is_loaded { 0 } else { facts(&self.program[id].op).cost };
        });
        operations
    }

    /// How many such nodes the cluster computes.
    fn count(&self, such: fn(&Op) -> bool) -> usize {
        let mut count = 0;
        self.visit(&mut |id, is_loaded| count += usize::from(!is_loaded && such(&self.program[id].op)));
        count
    }

    /// Shows each node that the cluster computes or loads, with whether it loads it.
    pub(crate) fn visit(&self, see: &mut dyn FnMut(ProgramId, bool)) {
        let mut seen: HashSet<ProgramId> = HashSet::default();
        let mut stack = self.cluster().members.clone();
        while let Some(id) = stack.pop() {
            if seen.insert(id) {
                let is_loaded = self.clusters.is_loaded(self.program, self.own, id);
                see(id, is_loaded);
                if !is_loaded {
                    stack.extend(&self.program[id].inputs);
                }
            }
        }
    }

    /// A name for the cluster's kernels: the family and what is computed.
    fn name(&self, family: &str) -> String {
        let mut words: Vec<&str> =
            self.cluster().members.iter().map(|&m| self.program[m].op.name()).collect();
        words.dedup();
        words.truncate(4);
        format!("{family} {}", words.join(" "))
    }
}

/// One kernel of a lowered cluster and how it is dispatched.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The kernel.
    pub kernel: Kernel,
    /// What its storage bindings hold, in order.
    pub bindings: Vec<Binding>,
    /// What its uniforms are given.
    pub uniforms: Vec<Given>,
    /// Whether the number of the first workgroup is a uniform before those.
    pub in_pieces: bool,
    /// Workgroups.
    pub workgroups: [u32; 3],
}

impl Stage {
    /// Whether it may keep a device for so long that it should be run in pieces.
    pub(crate) fn is_long(&self, limits: &Limits) -> bool {
        let workgroups = self.workgroups.iter().map(|&n| f64::from(n)).product::<f64>();
        workgroups > 1.0 && workgroups * cost::of_workgroup(&self.kernel) >= limits.long_dispatch as f64
    }

    /// Whether a device has the bindings and the workgroup memory for it.
    pub(crate) fn fits(&self, limits: &Limits) -> bool {
        let words = |array: &Array| u32::from(array.ty.lanes) * array.space.in_workgroup().unwrap_or(0);
        let shared = self.kernel.arrays.iter().map(|array| 4 * words(array));
        self.bindings.len() <= limits.storage_buffers as usize
            && shared.sum::<u32>() <= limits.workgroup_bytes
    }
}

/// A lowered cluster.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    /// Kernels in order.
    pub stages: Vec<Stage>,
    /// Bytes of each buffer of partial results.
    pub partials: Vec<u64>,
}

/// A way to lower clusters.
pub trait Family: Sync {
    /// Its name, in print and in what is remembered of races: one word.
    fn name(&self) -> &'static str;
    /// The names of its numbers, in their order.
    fn numbers(&self) -> &'static [&'static str];
    /// What it must know of a cluster to lower it, found out once; `None` where it cannot.
    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>>;
}

/// A cluster that a family can lower.
pub trait Anchored {
    /// The numbers worth trying, the plainest first.
    fn candidates(&self, problem: &Problem<'_>) -> Vec<Numbers>;
    /// An estimate of the time in nanoseconds: of an NVIDIA H200, or of a CPU where the device is software. It is compared with those of other
    /// families; infinite for what should be chosen by tests alone.
    fn cost(&self, problem: &Problem<'_>, numbers: &Numbers) -> f64;
    /// The kernels.
    fn lower(&self, problem: &Problem<'_>, numbers: &Numbers) -> Lowered;
}

/// Every family. For each domain the first that can lower it has the plainest candidate, which is right everywhere.
pub const FAMILIES: [&dyn Family; 23] = [
    &map::Map,
    &map::fours::Fours,
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
];

/// How one of the candidates of a problem is chosen.
pub type Choose<'a> = &'a dyn Fn(&Problem<'_>, &[Candidate]) -> Choice;

/// The candidate that is estimated cheapest.
pub fn cheapest(_: &Problem<'_>, candidates: &[Candidate]) -> Choice {
    let best = candidates.iter().min_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds));
    best.expect("every domain has a family").choice
}

/// Lowers a cluster in the way that `choose` picks of all families' candidates whose kernels the device can run, and tells which
/// it was. The plainest always can: fusion saw to that.
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

/// Exchanges stages that may take long for such as can be run in pieces. Short ones do without, which spares them a uniform.
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

/// Workgroups for `count` of them, spread over x and y within the limit.
fn grid(count: usize, limits: &Limits) -> [u32; 3] {
    let most = limits.workgroups_per_dimension as usize;
    let y = count.div_ceil(most).max(1);
    [count.div_ceil(y) as u32, y as u32, 1]
}

/// Invocations of a workgroup where none waits for another, and what all of them do, in operations. On software fewer where there are few with much to
/// do, since each processor takes a workgroup at a time; a workgroup with little to do is not worth waking one.
fn serial_workgroup(problem: &Problem<'_>, invocations: usize, operations: f64) -> u32 {
    const WORKGROUP: u32 = 64;
    const MOST_WORKGROUPS: f64 = 16.0;
    const OPERATIONS: f64 = (1 << 17) as f64;
    if !problem.limits.fallback {
        return WORKGROUP;
    }
    let workgroups = (operations / OPERATIONS).clamp(1.0, MOST_WORKGROUPS) as usize;
    (invocations.div_ceil(workgroups).next_power_of_two() as u32).clamp(4, WORKGROUP)
}

/// The linear number of this workgroup in a grid, of which the present dispatch may be a piece.
fn workgroup_index(eval: &mut Evaluator<'_>, grid: [u32; 3]) -> ExprId {
    let mut x = eval.b.builtin_i32(Builtin::WorkgroupId(0));
    if let Some(first) = eval.first_workgroup {
        x = eval.b.binary(BinaryOp::Add, x, first);
    }
    if grid[1] == 1 {
        return x;
    }
    let y = eval.b.builtin_i32(Builtin::WorkgroupId(1));
    let width = eval.b.index_const(i64::from(grid[0]));
    let above = eval.b.binary(BinaryOp::Mul, y, width);
    eval.b.binary(BinaryOp::Add, above, x)
}

/// The first element of an invocation where a workgroup takes `share` of them: those of its neighbours lie beside it, its own a workgroup apart.
fn first_of_share(eval: &mut Evaluator<'_>, workgroup: u32, share: u32, grid: [u32; 3]) -> ExprId {
    let group = workgroup_index(eval, grid);
    let group = eval.b.bind("group", group);
    eval.b.index.set_range(group, 0, i64::from(grid[0]) * i64::from(grid[1]) - 1);
    let local = eval.b.builtin_i32(Builtin::LocalIndex);
    let local = eval.b.bind("local", local);
    eval.b.index.set_range(local, 0, i64::from(workgroup) - 1);
    let before = eval.b.index_scale(group, i64::from(share));
    eval.b.index_add(before, local)
}

/// Opens a block that runs for each of `count` invocations, its number as an index in `0..count`; pass the result's second
/// part to [`close_guard`].
fn each_invocation(
    eval: &mut Evaluator<'_>,
    name: &str,
    count: usize,
    workgroup: u32,
    grid: [u32; 3],
) -> (ExprId, Option<ExprId>) {
    let group = workgroup_index(eval, grid);
    let size = eval.b.index_const(i64::from(workgroup));
    let local = eval.b.builtin_i32(Builtin::LocalIndex);
    let first = eval.b.binary(BinaryOp::Mul, group, size);
    let index = eval.b.binary(BinaryOp::Add, first, local);
    let index = eval.b.bind(name, index);
    eval.b.index.set_range(index, 0, count as i64 - 1);
    let launched = grid[0] as usize * grid[1] as usize * workgroup as usize;
    (index, guard(eval, index, count, launched))
}

/// Opens a block that all invocations of each of `count` workgroups run: the workgroup's number, an index in `0..count`, and the invocation's in
/// it; pass the result's last part to [`close_guard`].
fn each_workgroup(
    eval: &mut Evaluator<'_>,
    name: &'static str,
    count: usize,
    workgroup: u32,
    grid: [u32; 3],
) -> (ExprId, ExprId, Option<ExprId>) {
    let number = workgroup_index(eval, grid);
    let number = eval.b.bind(name, number);
    eval.b.index.set_range(number, 0, count as i64 - 1);
    let lane = eval.b.builtin_i32(Builtin::LocalIndex);
    let lane = eval.b.bind("lane", lane);
    eval.b.index.set_range(lane, 0, i64::from(workgroup) - 1);
    (number, lane, guard(eval, number, count, grid[0] as usize * grid[1] as usize))
}

/// Opens a block that runs where `index < count`, unless it always is.
fn guard(eval: &mut Evaluator<'_>, index: ExprId, count: usize, launched: usize) -> Option<ExprId> {
    if launched == count {
        return None;
    }
    let count = eval.b.index_const(count as i64);
    let inside = eval.b.binary(BinaryOp::Lt, index, count);
    eval.open();
    Some(inside)
}

fn close_guard(eval: &mut Evaluator<'_>, guard: Option<ExprId>) {
    if let Some(condition) = guard {
        eval.forget();
        eval.b.close_if(condition);
    }
}

/// Computes the nodes where an invocation stands, all of them before any is stored: storing one over a donated leaf must not change
/// what another reads of it.
fn store_all(eval: &mut Evaluator<'_>, nodes: &[ProgramId], at: &[ExprId], shape: &Shape) {
    store_neighbours(eval, nodes, &[at.to_vec()], shape);
}

/// The same at neighbouring places: one, or four from a place that four divides.
fn store_neighbours(eval: &mut Evaluator<'_>, nodes: &[ProgramId], places: &[Vec<ExprId>], shape: &Shape) {
    let overwrites = places.len() * nodes.len() > 1 && nodes.iter().any(|&node| eval.overwrites(node));
    let values: Vec<Vec<ExprId>> =
        places.iter().map(|at| values_at(eval, nodes, at, shape, overwrites)).collect();
    let flat = eval.b.ravel(&places[0], shape);
    for (number, &node) in nodes.iter().enumerate() {
        let values: Vec<ExprId> = values.iter().map(|here| here[number]).collect();
        eval.store_neighbours(node, flat, &values);
    }
}

/// The values of nodes at a place in `shape`, each node as large; evaluated here where `bound`.
fn values_at(
    eval: &mut Evaluator<'_>,
    nodes: &[ProgramId],
    at: &[ExprId],
    shape: &Shape,
    bound: bool,
) -> Vec<ExprId> {
    let program = eval.program;
    let mut values = Vec::with_capacity(nodes.len());
    for &node in nodes {
        let here = eval.b.regroup(at, shape, &program[node].shape);
        let value = eval.value(node, &here);
        values.push(if bound { eval.b.bind("result", value) } else { value });
    }
    values
}
