//! Device models: what a kind of device takes for the work that families, fusion and rules state.
//!
//! A model is data. Families ask it how long something takes, or whether a device is good at
//! something (waiting at barriers, holding rows in registers), and never which device it is. Where
//! a model has no numbers for a way to work (`None`), that way does not pay off there. Times are in
//! nanoseconds unless a field says otherwise.
//!
//! Numbers of one property that were fitted apart, and differ, are fields apart, each with what it
//! was fitted to. `docs/decisions/kernels/0055-device-models.md` lists those.

mod gpu;
mod software;

pub use gpu::GPU;
pub use software::SOFTWARE;

use std::fmt::{self, Debug, Formatter};
use std::hash::{Hash, Hasher};

/// What work takes on a kind of device.
#[derive(Clone, Copy)]
pub struct DeviceModel {
    /// Its name, in tests and explanations.
    pub name: &'static str,
    /// What it is told apart by in keys of caches, and in the line that winners of races are stored
    /// under: it stays with the model.
    pub number: u8,
    /// Whether invocations of a workgroup run side by side, so that a barrier is cheap. Software
    /// takes them one after another and is slow to wait, and much slower to compile what waits.
    pub cheap_barriers: bool,
    /// Whether neighbouring invocations should read neighbouring elements, which are then one
    /// access. If not, an invocation is best off with elements side by side for itself.
    pub coalesces: bool,
    /// Whether its compiler computes before a loop what no iteration changes.
    pub hoists: bool,
    /// What a dispatch takes, as reductions in two stages and those of pairs count it.
    pub dispatch: f64,
    /// Processors, each of which takes workgroups of its own.
    pub processors: f64,
    /// How workgroups are sized whose invocations do not wait for one another; `None` where all
    /// sizes are alike.
    pub serial: Option<SerialModel>,
    /// Maps.
    pub map: MapModel,
    /// Reductions of rows.
    pub rows: RowModel,
    /// Reductions whose workgroups share what all rows read, or panels of pairs.
    pub tiles: Option<TileModel>,
    /// Contractions whose invocations have tiles in registers.
    pub contract: ContractModel,
    /// What a product takes in the unit of contractions and attention: on a GPU so many
    /// [`ParallelContract::invocations`] take it for a product each.
    pub product: f64,
    /// Contractions whose workgroups share panels.
    pub shared_tiles: Option<SharedTileModel>,
    /// Contractions whose workgroups share the terms of sums.
    pub sliced: Option<SlicedModel>,
    /// Attention by workgroups.
    pub attention: Option<AttentionModel>,
    /// Attention whose invocations have queries for themselves.
    pub attention_rows: Option<AttentionRowModel>,
    /// Scans.
    pub scan: ScanModel,
    /// Scatters.
    pub scatter: ScatterModel,
    /// Sorts.
    pub sort: SortModel,
    /// Fourier transforms.
    pub fourier: FourierModel,
    /// Node of the body of a loop inside one kernel, for an element of an iteration.
    pub loop_node: f64,
    /// What is computed again rather than stored.
    pub fusion: FusionModel,
    /// How contractions are cut, and what is sorted or stored for another kernel's sake.
    pub rules: RuleModel,
    /// What regions cost the device and the host.
    pub control: ControlModel,
    /// What work in flight is taken to take until it is measured.
    pub submission: SubmissionModel,
    /// Operations, as `lower/cost.rs` counts them, from which a dispatch may keep the device for so
    /// long that it should be run in pieces: some tens of milliseconds of a slow one of its kind.
    pub long_dispatch: u64,
    /// Elements of short rows from which workgroups may copy them: of fewer all is in the cache.
    pub least_copied: u64,
}

/// Models are told apart by their numbers.
impl PartialEq for DeviceModel {
    fn eq(&self, other: &DeviceModel) -> bool {
        self.number == other.number
    }
}

impl Eq for DeviceModel {}

impl Hash for DeviceModel {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u8(self.number);
    }
}

impl Debug for DeviceModel {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl DeviceModel {
    /// The model of a device, by what a runtime knows of it. No phone has been measured: one is
    /// taken for a GPU, with the limits that it has.
    pub const fn of(is_software: bool) -> &'static DeviceModel {
        if is_software { &SOFTWARE } else { &GPU }
    }
}

/// Processors that each take a workgroup at a time.
#[derive(Clone, Copy, Debug)]
pub struct SerialModel {
    /// Workgroups that keep all of them busy.
    pub most_workgroups: f64,
    /// Operations that are worth waking a processor.
    pub operations: f64,
}

/// How maps take their time.
#[derive(Clone, Copy, Debug)]
pub enum MapModel {
    /// Workgroups start one after another and run beside each other.
    Parallel(ParallelMap),
    /// Workgroups run one after another.
    Serial(SerialMap),
}

/// Maps on a device that runs workgroups beside each other.
#[derive(Clone, Copy, Debug)]
pub struct ParallelMap {
    /// Start of a workgroup.
    pub workgroup: f64,
    /// Start of each of its invocations, for the workgroup.
    pub invocation: f64,
    /// An element where several come to an invocation, a workgroup's width apart.
    pub element: f64,
    /// The same where four neighbours come to it.
    pub of_vector: f64,
    /// The same where tiles are transposed.
    pub across: f64,
    /// Elements from which several to an invocation pay off, and from which transposed tiles do.
    pub large: f64,
    /// See [`ParallelMap::large`].
    pub large_across: f64,
    /// Operations of an element that may be written out several times.
    pub most_operations: usize,
}

/// Maps on a device that runs workgroups one after another.
#[derive(Clone, Copy, Debug)]
pub struct SerialMap {
    /// A workgroup.
    pub workgroup: f64,
    /// An invocation.
    pub invocation: f64,
    /// An element.
    pub element: f64,
    /// What an element takes that comes with its neighbours, of what it takes by itself.
    pub with_neighbours: f64,
    /// Operations that may be written out: kernels are compiled on the processors that run them.
    pub most_compiled: usize,
}

/// Reductions of rows. Unless a field says otherwise, in the time of an element that is loaded.
#[derive(Clone, Copy, Debug)]
pub struct RowModel {
    /// How invocations make progress.
    pub waves: Waves,
    /// One more row of an invocation, of what the first takes: it finds much in the cache, and some
    /// of it computed.
    pub together: f64,
    /// An element that is read with its neighbours, of what it takes by itself.
    pub by_fours: f64,
    /// What loads by fours take where few invocations wait for one after another, of what others
    /// take.
    pub fewer_loads: f64,
    /// Operations in a nanosecond, beside the loads that are waited for. Infinite where they are
    /// counted with the loads.
    pub operations: f64,
    /// Invocations under way at once, elements that a cache holds of their rows, and what it takes
    /// to walk those again.
    pub resident: f64,
    /// See [`RowModel::resident`].
    pub cached: f64,
    /// See [`RowModel::resident`].
    pub from_cache: f64,
    /// A load where neighbouring invocations read elements that lie apart.
    pub apart: f64,
    /// A barrier.
    pub barrier: f64,
    /// Subgroups that combine what invocations found; `None` where barriers do all of it.
    pub subgroups: Option<f64>,
    /// Rows that workgroups share, hold or copy.
    pub shared: Option<SharedRowModel>,
}

/// How invocations that wait for loads make progress.
#[derive(Clone, Copy, Debug)]
pub enum Waves {
    /// So many together in a unit of time, and any number in no less than a part of it.
    Together {
        /// How many.
        invocations: f64,
        /// Which part.
        least: f64,
    },
    /// So many at a time.
    InTurns {
        /// How many.
        invocations: f64,
        /// Turns in a unit of time.
        turns: f64,
    },
}

impl Waves {
    /// Units of time for so many invocations.
    pub fn of(self, invocations: f64) -> f64 {
        match self {
            Waves::Together { invocations: at_once, least } => (invocations / at_once).max(least),
            Waves::InTurns { invocations: at_once, turns } => (invocations / at_once).ceil() / turns,
        }
    }

    /// Whether so few invocations wait for one load after another.
    pub fn is_idle(self, invocations: f64) -> bool {
        matches!(self, Waves::Together { least, .. } if self.of(invocations) < least * 2.0)
    }
}

/// Rows that workgroups share, hold in registers or copy.
#[derive(Clone, Copy, Debug)]
pub struct SharedRowModel {
    /// A workgroup, however little it does, in nanoseconds.
    pub workgroup: f64,
    /// What a walk takes by workgroups so large that a processor has one at a time, which loads and
    /// computes in turns.
    pub in_turns: f64,
    /// What invocations take to combine what they found where rows share a workgroup.
    pub of_few: f64,
    /// Of fewer elements of rows that lie one behind the other all is in the cache, and workgroups
    /// are few: below this size prefer maximal parallelism.
    pub many: f64,
    /// A walk that scales sums of exponentials, of one that does not.
    pub scaled: f64,
    /// An element that is copied to workgroup memory, of its load where neighbours load neighbours.
    pub copied: f64,
    /// The same of finding it there in a walk.
    pub found: f64,
    /// Elements that are copied in a unit of time.
    pub copied_at_once: f64,
}

/// Reductions by tiles of workgroup memory.
#[derive(Clone, Copy, Debug)]
pub struct TileModel {
    /// Reading an element of a tile, in rows that are computed of it.
    pub of_tile: f64,
    /// Operations in a nanosecond on what tiles of bodies hold.
    pub operations: f64,
    /// Invocations that a processor keeps under way, and as how many more it takes what nothing
    /// else is done beside.
    pub under_way: f64,
    /// See [`TileModel::under_way`].
    pub waiting: f64,
    /// A workgroup's wait while it exchanges a tile of bodies.
    pub exchange: f64,
    /// The same while halves of it add up what they found of a row.
    pub meeting: f64,
    /// Operations in a nanosecond on panels of pairs.
    pub pair_operations: f64,
    /// A workgroup's wait for a panel of pairs.
    pub pair_exchange: f64,
}

/// How contractions take their time whose invocations have tiles in registers.
#[derive(Clone, Copy, Debug)]
pub enum ContractModel {
    /// Many invocations at once, which share what they read.
    Parallel(ParallelContract),
    /// A few at a time, which read for themselves.
    Serial(SerialContract),
}

/// Contractions on a device that runs many invocations at once; costs are in products.
#[derive(Clone, Copy, Debug)]
pub struct ParallelContract {
    /// Invocations that are busy at once.
    pub invocations: f64,
    /// Invocations that read together, and rows of which a cache holds what they read.
    pub neighbours: usize,
    /// Reads of a row's term and of a column's, and of a column's whose terms lie side by side.
    pub row: f64,
    /// See [`ParallelContract::row`].
    pub column: f64,
    /// See [`ParallelContract::row`].
    pub column_apart: f64,
    /// A value that is read with three others, of what it takes by itself.
    pub by_fours: f64,
    /// Sums of which there are twice as many registers.
    pub few_sums: usize,
    /// What a result takes more, in nanoseconds, where an invocation stores so many neighbours,
    /// times their square: those of other invocations lie that far apart.
    pub store_apart: f64,
    /// Elements of a right operand that stay with a processor.
    pub near: usize,
    /// What each of a larger one takes, in nanoseconds, for every row of tiles, which reads it anew.
    pub read_anew: f64,
    /// An element of the left operand, in nanoseconds, and what it takes more for each other row
    /// that neighbours read at once.
    pub read_left: f64,
    /// See [`ParallelContract::read_left`].
    pub read_apart: f64,
}

/// Contractions on a device that runs few invocations at a time; costs are in products.
#[derive(Clone, Copy, Debug)]
pub struct SerialContract {
    /// Invocations that keep all processors busy.
    pub busy: f64,
    /// A value that is read by itself.
    pub read: f64,
    /// A value that is read with three others.
    pub read_by_fours: f64,
    /// A sum that is taken up and put down at each turn.
    pub sum: f64,
}

/// What one of a family's ways to divide contractions achieves.
#[derive(Clone, Copy, Debug)]
pub struct TileRate {
    /// A term of a processor's only tile, in the unit of contractions.
    pub alone: f64,
    /// Products that the device adds up at once when it has tiles enough.
    pub rate: f64,
    /// The same where the left operand is transposed.
    pub rate_transposed: f64,
}

impl TileRate {
    /// Of a way whose rate is one, however operands lie.
    pub const fn new(alone: f64, rate: f64) -> TileRate {
        TileRate { alone, rate, rate_transposed: rate }
    }
}

/// Contractions whose workgroups share panels.
#[derive(Clone, Copy, Debug)]
pub struct SharedTileModel {
    /// Store of a result.
    pub store: f64,
    /// In the order of `Tiling::ALL`.
    pub tiles: [TileRate; 7],
}

/// Contractions whose workgroups share the terms of sums.
#[derive(Clone, Copy, Debug)]
pub struct SlicedModel {
    /// What it takes until all slices have met, in terms: more than was measured, as a kernel that
    /// is written out less compiles faster.
    pub meeting: usize,
    /// In the order of `Slicing::ALL`.
    pub slices: [TileRate; 2],
}

/// Attention by workgroups.
#[derive(Clone, Copy, Debug)]
pub struct AttentionModel {
    /// A weight, besides the products of its score and of the values, in products.
    pub weight: f64,
    /// Columns of values that leave most room for other workgroups.
    pub narrow: usize,
    /// In the order of `Blocks::ALL`: of values that are no wider, and the rate of those that are.
    pub blocks: [(TileRate, f64); 5],
}

/// Attention whose invocations have queries for themselves; costs are in products.
#[derive(Clone, Copy, Debug)]
pub struct AttentionRowModel {
    /// Invocations that keep all processors busy.
    pub busy: f64,
    /// A value that is read with three others.
    pub read: f64,
    /// A sum that is taken up and put down.
    pub sum: f64,
    /// A weight, besides the products of its score and of the values.
    pub weight: f64,
}

/// Scans.
#[derive(Clone, Copy, Debug)]
pub struct ScanModel {
    /// An element.
    pub element: f64,
    /// An element that an invocation reads along its row, apart from what neighbours read.
    pub apart: f64,
}

/// Scatters.
#[derive(Clone, Copy, Debug)]
pub struct ScatterModel {
    /// A dispatch more, as scatters count it.
    pub dispatch: f64,
    /// An update or element.
    pub each: f64,
    /// An update of a float sum, without a window for those of all places and with one.
    pub summed: f64,
    /// See [`ScatterModel::summed`].
    pub summed_near: f64,
    /// By how much all of those are slower than the numbers say, which are a GPU's.
    pub slower: f64,
    /// Whether a window pays off for sums of floats: it wants the largest update of all.
    pub finds_largest: bool,
    /// Whether sorting keys is cheap beside what atomics take for long rows.
    pub sorts_rows: bool,
    /// What an atomic takes more where all are into so few places or fewer, for which invocations
    /// wait; with more places it is taken to be less.
    pub contended: f64,
    /// See [`ScatterModel::contended`].
    pub few_places: f64,
    /// A look at an index by every element, and what an invocation takes for a look however few
    /// there are.
    pub look: f64,
    /// See [`ScatterModel::look`].
    pub turn: f64,
    /// An element of an update whose places come in order.
    pub sorted: f64,
    /// Updates that each invocation adds to a copy of all places.
    pub copies: Option<CopyModel>,
    /// Updates that workgroups combine first.
    pub shared: Option<SharedScatterModel>,
}

/// Scatters into copies of all places.
#[derive(Clone, Copy, Debug)]
pub struct CopyModel {
    /// An update.
    pub update: f64,
    /// An element of a copy.
    pub element: f64,
}

/// Scatters whose updates workgroups combine first.
#[derive(Clone, Copy, Debug)]
pub struct SharedScatterModel {
    /// Workgroups that keep the device busy.
    pub busy: f64,
    /// An update.
    pub update: f64,
    /// An update of a float sum with a window for those near the largest, and without one.
    pub summed_near: f64,
    /// See [`SharedScatterModel::summed_near`].
    pub summed: f64,
    /// A word that is added to the buffer where nobody waits.
    pub word: f64,
}

/// Sorts.
#[derive(Clone, Copy, Debug)]
pub struct SortModel {
    /// A step of a network in workgroup memory, for each element.
    pub network: Option<f64>,
    /// An element in all passes of a radix sort.
    pub radix: Option<f64>,
    /// A look at an element's key where runs are merged.
    pub merge: Option<f64>,
}

/// How Fourier transforms take their time.
#[derive(Clone, Copy, Debug)]
pub enum FourierModel {
    /// Workgroups beside each other.
    Parallel {
        /// An element.
        element: f64,
        /// Neighbours that are fetched together where lines lie across: fewer waste what memory
        /// hands out.
        together: f64,
        /// Workgroups of which fewer leave most of the device idle.
        workgroups: f64,
    },
    /// Workgroups one after another.
    Serial {
        /// An element.
        element: f64,
        /// Invocations whose waiting in a round takes as long as an element: a barrier costs the
        /// more the more wait for it.
        barrier: f64,
    },
}

/// What is computed again rather than stored, in operations.
#[derive(Clone, Copy, Debug)]
pub struct FusionModel {
    /// From which a value read more than once is stored.
    pub expensive: usize,
    /// From which a value that is repeated so many times is stored.
    pub expensive_repeated: usize,
    /// See [`FusionModel::expensive_repeated`].
    pub repetitions: usize,
    /// Which a contraction's operand may cost when it is computed at every read.
    pub cheap_operand: usize,
    /// Which it may cost where storing it would be at least so many times what it is computed from:
    /// as of packed weights, which to read is what takes the time.
    pub cheap_unpacked: usize,
    /// See [`FusionModel::cheap_unpacked`].
    pub unpacked: usize,
    /// Which a short reduction may take and still be computed for each of the few elements that its
    /// result is repeated for.
    pub cheap_again: usize,
}

/// What is computed again on every device: no two were found to differ.
const FUSION: FusionModel = FusionModel {
    expensive: 8,
    expensive_repeated: 24,
    repetitions: 16,
    cheap_operand: 2,
    cheap_unpacked: 12,
    unpacked: 4,
    cheap_again: 16,
};

/// Numbers of rules that choose between ways to compute the same.
#[derive(Clone, Copy, Debug)]
pub struct RuleModel {
    /// Results of which fewer leave most of the device idle if each is one invocation's; and of
    /// long sums, of which each operand is read again for every one of the other's.
    pub few_results: usize,
    /// See [`RuleModel::few_results`].
    pub few_and_long: usize,
    /// Sums of at most so many terms for which an invocation with several rows reads a vector once
    /// for all of them, and the results up to which it is still a reduction.
    pub read_once: Option<[usize; 2]>,
    /// Terms and results from which on a product of vectors is a reduction.
    pub alone: Option<[usize; 2]>,
    /// Results, each part's counted, that keep the device busy; `None` where whole sums do.
    pub many_results: Option<usize>,
    /// Products that are not worth a second kernel.
    pub few_products: u64,
    /// Elements of a matrix that should be on their way at once, by fours.
    pub many_loads: usize,
    /// Whether weights of contractions over windows are worth storing in the order in which they
    /// are read, and the products from which that is worth a dispatch of its own.
    pub arranges_windows: bool,
    /// See [`RuleModel::arranges_windows`].
    pub least_arranged: u64,
    /// Lines that lie side by side, an invocation for each of which keeps the device busy.
    pub many_lines: usize,
}

/// Costs of regions.
#[derive(Clone, Copy, Debug)]
pub struct ControlModel {
    /// A dispatch, in operations.
    pub dispatch_operations: f64,
    /// Operations, about, that a branch must spare for each of its dispatches to be left to the
    /// device: what it does while a browser prepares one dispatch that is counted on the device,
    /// which it checks by another.
    pub least_spared: u64,
    /// Iterations that take about as long, as dispatches, as three questions to the device.
    pub most_unpolled: usize,
}

/// What work in flight is taken to take until it is measured.
#[derive(Clone, Copy, Debug)]
pub struct SubmissionModel {
    /// An operation, on a slow device of its kind.
    pub operation: f64,
    /// A dispatch, with what the host does for it.
    pub dispatch: f64,
    /// Operations up to which a run is one submit whatever the estimate.
    pub whole_run: f64,
}
