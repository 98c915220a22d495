//! Device models: the time a kind of device needs for the work that families, fusion and rules
//! state.
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

/// The times and habits of a kind of device.
#[derive(Clone, Copy)]
pub struct DeviceModel {
    /// Its name, in tests and explanations.
    pub name: &'static str,
    /// Its number in keys of caches and in the line that winners of races are stored under. A model
    /// keeps its number.
    pub number: u8,
    /// Whether invocations of a workgroup run side by side, so that a barrier is cheap. Software
    /// takes them one after another and is slow to wait, and much slower to compile what waits.
    pub cheap_barriers: bool,
    /// Whether neighbouring invocations should read neighbouring elements, which are then one
    /// access. If not, an invocation is best off with elements side by side for itself.
    pub coalesces: bool,
    /// Whether its compiler computes before a loop what no iteration changes.
    pub hoists: bool,
    /// Time of a dispatch, as reductions in two stages and reductions of pairs count it.
    pub dispatch: f64,
    /// Number of processors. Each runs workgroups of its own.
    pub processors: f64,
    /// How to size workgroups without barriers; `None` where the size does not matter.
    pub serial: Option<SerialModel>,
    /// Maps.
    pub map: MapModel,
    /// Reductions of rows.
    pub rows: RowModel,
    /// Reductions whose workgroups share what all rows read, or panels of pairs.
    pub tiles: Option<TileModel>,
    /// Contractions with a tile in the registers of each invocation.
    pub contract: ContractModel,
    /// Time of a product, the unit of contractions and attention. On a GPU it is the time in which
    /// [`ParallelContract::invocations`] compute one product each.
    pub product: f64,
    /// Contractions whose workgroups share panels.
    pub shared_tiles: Option<SharedTileModel>,
    /// Contractions whose workgroups share the terms of sums.
    pub sliced: Option<SlicedModel>,
    /// Attention by workgroups.
    pub attention: Option<AttentionModel>,
    /// Attention with queries of its own for each invocation.
    pub attention_rows: Option<AttentionRowModel>,
    /// Scans.
    pub scan: ScanModel,
    /// Scatters.
    pub scatter: ScatterModel,
    /// Sorts.
    pub sort: SortModel,
    /// Fourier transforms.
    pub fourier: FourierModel,
    /// Time of a node in the body of a loop inside one kernel, for one element and iteration.
    pub loop_node: f64,
    /// What is computed again rather than stored.
    pub fusion: FusionModel,
    /// How contractions are cut, and what is sorted or stored for another kernel's sake.
    pub rules: RuleModel,
    /// What regions cost the device and the host.
    pub control: ControlModel,
    /// Estimates for work in flight, used until it is measured.
    pub submission: SubmissionModel,
    /// Operations, as `lower/cost.rs` counts them, from which a dispatch runs in pieces: a slow
    /// device of this kind needs some tens of milliseconds for them.
    pub long_dispatch: u64,
    /// Elements of short rows from which workgroups may copy them. Fewer fit the cache.
    pub least_copied: u64,
}

/// Two models are equal if their numbers are.
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
    /// taken for a GPU, with the limits that it has. The CPU device has no model, as it runs no
    /// kernels.
    pub const fn of(is_software: bool) -> &'static DeviceModel {
        if is_software { &SOFTWARE } else { &GPU }
    }
}

/// Processors that each take a workgroup at a time.
#[derive(Clone, Copy, Debug)]
pub struct SerialModel {
    /// Workgroups that keep all of them busy.
    pub most_workgroups: f64,
    /// Operations for which it pays to wake a processor.
    pub operations: f64,
    /// Time of a kernel with next to no work, behind others of its cluster, in nanoseconds.
    pub kernel: f64,
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
    /// Time to start a workgroup.
    pub workgroup: f64,
    /// Time to start each of its invocations.
    pub invocation: f64,
    /// Time of an element where an invocation computes several that lie a workgroup's width apart.
    pub element: f64,
    /// The same where an invocation computes four neighbours.
    pub of_vector: f64,
    /// The same where tiles are transposed.
    pub transposed: f64,
    /// Elements from which it pays off that an invocation computes several.
    pub large: f64,
    /// Elements from which transposed tiles pay off.
    pub large_transposed: f64,
    /// Operations of an element up to which they may be written out several times.
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
    /// Time of an element that is computed with its neighbours, as a share of its time alone.
    pub with_neighbours: f64,
    /// Operations that may be written out: kernels are compiled on the processors that run them.
    pub most_compiled: usize,
    /// Elements from which it pays off that an invocation of a user's kernel computes several.
    pub large: f64,
}

/// Reductions of rows. Unless a field says otherwise, in the time of an element that is loaded.
#[derive(Clone, Copy, Debug)]
pub struct RowModel {
    /// How invocations make progress.
    pub waves: Waves,
    /// Time of another row of an invocation, as a share of the first: it finds much in the cache,
    /// and some of it computed.
    pub together: f64,
    /// Time of an element that is read with its neighbours, as a share of its time alone.
    pub vectorized: f64,
    /// Time of loads in vectors of four, as a share of single loads, where few invocations wait for
    /// one load after another.
    pub fewer_loads: f64,
    /// Operations in a nanosecond, beside the loads. Infinite where the time of loads includes
    /// them.
    pub operations: f64,
    /// Invocations under way at once.
    pub resident: f64,
    /// Elements of their rows that a cache holds.
    pub cached: f64,
    /// Time to walk those elements again.
    pub from_cache: f64,
    /// Time of a load where neighbouring invocations read elements that lie apart.
    pub apart: f64,
    /// Time of a barrier.
    pub barrier: f64,
    /// Time in which a subgroup combines what its invocations found; `None` where barriers do that.
    pub subgroups: Option<f64>,
    /// Rows that workgroups share, hold or copy.
    pub shared: Option<SharedRowModel>,
}

/// How invocations that wait for loads make progress.
#[derive(Clone, Copy, Debug)]
pub enum Waves {
    /// Many together in a unit of time, and any number in at least a part of it.
    Together {
        /// How many.
        invocations: f64,
        /// Which part.
        least: f64,
    },
    /// Some at a time.
    InTurns {
        /// How many.
        invocations: f64,
        /// Turns in a unit of time.
        turns: f64,
    },
}

impl Waves {
    /// Units of time for a number of invocations.
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
    /// Least time of a workgroup, in nanoseconds.
    pub workgroup: f64,
    /// Time of a walk by workgroups so large that a processor runs one at a time, which loads and
    /// computes in turns.
    pub in_turns: f64,
    /// Time in which invocations combine what they found where rows share a workgroup.
    pub of_few: f64,
    /// Elements of adjacent rows below which the cache holds all of them and workgroups are few, so
    /// that as many invocations as possible should work.
    pub many: f64,
    /// Time of a walk that scales sums of exponentials, as a share of one that does not.
    pub scaled: f64,
    /// Time to copy an element to workgroup memory, as a share of its load where neighbours load
    /// neighbours.
    pub copied: f64,
    /// The same for finding it there in a walk.
    pub found: f64,
    /// Elements that are copied in a unit of time.
    pub copied_at_once: f64,
}

/// Reductions by tiles of workgroup memory.
#[derive(Clone, Copy, Debug)]
pub struct TileModel {
    /// Time to read an element of a tile, in rows that are computed from it.
    pub of_tile: f64,
    /// Operations in a nanosecond on what tiles of bodies hold.
    pub operations: f64,
    /// Invocations that a processor keeps under way.
    pub under_way: f64,
    /// Invocations more that a wait counts as while nothing else is done.
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
    /// Cost of reading a row's term.
    pub row: f64,
    /// Cost of reading a column's term.
    pub column: f64,
    /// Cost of reading a column's term where the terms of a column lie side by side.
    pub column_apart: f64,
    /// Cost of a value that is read with three others, as a share of its cost alone.
    pub vectorized: f64,
    /// Sums for which an invocation has registers twice over.
    pub few_sums: usize,
    /// Additional time of a result, in nanoseconds, where an invocation stores several neighbours:
    /// times the square of their number, by which results of other invocations lie apart.
    pub store_apart: f64,
    /// Elements of a right operand that stay with a processor.
    pub near: usize,
    /// Time of each element of a larger one, in nanoseconds, for every row of tiles, which reads it
    /// anew.
    pub read_anew: f64,
    /// Time of an element of the left operand, in nanoseconds.
    pub read_left: f64,
    /// Additional time for each other row that neighbours read at once.
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
    pub read_vectorized: f64,
    /// A sum that is taken up and put down at each turn.
    pub sum: f64,
}

/// The speed of one of a family's ways to divide contractions.
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
    /// Time until all slices have met, in terms. It is more than was measured, because a kernel
    /// that is written out less compiles faster.
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
    /// Time of another dispatch, as scatters count it.
    pub dispatch: f64,
    /// An update or element.
    pub each: f64,
    /// Time of an update of a float sum, without a window of exponents for all places.
    pub summed: f64,
    /// The same with such a window.
    pub summed_near: f64,
    /// Factor on all of these, whose numbers are a GPU's.
    pub slower: f64,
    /// Whether a window pays off for sums of floats. It needs the largest of all updates.
    pub finds_largest: bool,
    /// Whether sorting keys is cheap beside atomics for long rows.
    pub sorts_rows: bool,
    /// Additional time of an atomic where invocations wait for the same few places.
    pub contended: f64,
    /// How many places count as few. The more places, the less they wait.
    pub few_places: f64,
    /// Time in which every element looks at an index.
    pub look: f64,
    /// Least time of an invocation's look.
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
    /// Time of an update of a float sum with a window for those near the largest.
    pub summed_near: f64,
    /// The same without one.
    pub summed: f64,
    /// A word that is added to the buffer where nobody waits.
    pub word: f64,
}

/// Sorts.
#[derive(Clone, Copy, Debug)]
pub struct SortModel {
    /// A step of a network in workgroup memory, for each element.
    pub network: Option<f64>,
    /// An element in all passes of a radix sort by workgroups.
    pub radix: Option<f64>,
    /// An element in a pass of a radix sort whose invocations have chunks to themselves.
    pub serial: Option<f64>,
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
        /// Workgroups below which most of the device is idle.
        workgroups: f64,
    },
    /// Workgroups one after another.
    Serial {
        /// An element.
        element: f64,
        /// Invocations that wait in a round for as long as an element takes. A barrier costs more
        /// the more invocations wait for it.
        barrier: f64,
        /// An element in a round that is a kernel of its own.
        pass: f64,
    },
}

/// What is computed again rather than stored, in operations.
#[derive(Clone, Copy, Debug)]
pub struct FusionModel {
    /// Operations from which a value read more than once is stored.
    pub expensive: usize,
    /// Operations from which a value that is repeated often is stored.
    pub expensive_repeated: usize,
    /// How many times count as often.
    pub repetitions: usize,
    /// Operations up to which a contraction's operand is computed at every read.
    pub cheap_operand: usize,
    /// The same where it is much larger than what it is computed from, such as packed weights:
    /// reading it takes longer than computing it.
    pub cheap_unpacked: usize,
    /// How many times as large counts as much larger.
    pub unpacked: usize,
    /// Operations up to which a short reduction is computed for each of the few elements that its
    /// result is repeated for.
    pub cheap_again: usize,
}

/// What is computed again, the same on every device that was measured.
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
    /// Results below which most of the device is idle if each is computed by one invocation.
    pub few_results: usize,
    /// The same for long sums, where each operand is read again for every result of the other.
    pub few_and_long: usize,
    /// Terms up to which an invocation with several rows reads a vector once for all of them, and
    /// results up to which the product is still a reduction.
    pub read_once: Option<[usize; 2]>,
    /// Terms and results from which on a product of vectors is a reduction.
    pub alone: Option<[usize; 2]>,
    /// Partial results that keep the device busy; `None` where whole sums do.
    pub many_results: Option<usize>,
    /// Products up to which a second kernel does not pay off.
    pub few_products: u64,
    /// Elements of a matrix, in fours, that should be loading at once.
    pub many_loads: usize,
    /// Whether it pays off to store the weights of contractions over windows in the order in which
    /// they are read.
    pub arranges_windows: bool,
    /// Products from which that pays for a dispatch of its own.
    pub least_arranged: u64,
    /// Adjacent lines that keep the device busy with one invocation for each.
    pub many_lines: usize,
}

/// Costs of regions.
#[derive(Clone, Copy, Debug)]
pub struct ControlModel {
    /// A dispatch, in operations.
    pub dispatch_operations: f64,
    /// Operations that a branch must spare, for each of its dispatches, so that the device decides:
    /// about what it computes while a browser prepares a dispatch whose size is on the device,
    /// which the browser checks by another dispatch.
    pub least_spared: u64,
    /// Iterations that take about as long as asking the device three times.
    pub most_unpolled: usize,
}

/// Estimates for work in flight, used until it is measured.
#[derive(Clone, Copy, Debug)]
pub struct SubmissionModel {
    /// An operation, on a slow device of its kind.
    pub operation: f64,
    /// A dispatch, with what the host does for it.
    pub dispatch: f64,
    /// Operations up to which a run is one submit whatever the estimate.
    pub whole_run: f64,
}
