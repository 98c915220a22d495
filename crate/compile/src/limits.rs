//! Device limits, as far as the compiler needs them, and the bounds that it sets itself.

/// Iterations that the loops of one invocation should take together, where there is a choice:
/// Mesa's CPU driver ends loops after 65,535 iterations without a word, and a GPU that waits for
/// one long loop does nothing else meanwhile.
pub(crate) const LONGEST_WALK: usize = 32_768;

/// The most operations one cluster may hold; shader compilers choke on more.
pub const MAX_OPERATIONS: usize = 256;
/// How deep reads at other coordinates may nest in what a node computes on the spot, and in a
/// cluster four times as deep. It bounds the index arithmetic of stacked views, and how deep the
/// evaluator recurses.
pub const MAX_MOVES: usize = 16;
/// Float sums of which a workgroup may keep a copy in its memory, two words each: 16 KiB, which
/// every device has.
pub(crate) const MOST_SHARED_SUMS: usize = (16 << 10) / 8;

/// Operations, as `lower/cost.rs` counts them, from which a dispatch may keep a device for so long
/// that it should be run in pieces: some tens of milliseconds of a slow one of its kind.
const LONG_ON_HARDWARE: u64 = 1 << 34;
const LONG_ON_SOFTWARE: u64 = 1 << 26;

/// What the compiler must know of a device. Part of every cache key.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Limits {
    /// Storage buffers one kernel may bind.
    pub storage_buffers: u32,
    /// Bytes one storage binding may span.
    pub binding_bytes: u64,
    /// Workgroups along one dimension of a dispatch.
    pub workgroups_per_dimension: u32,
    /// Invocations in one workgroup.
    pub invocations: u32,
    /// Bytes of workgroup memory.
    pub workgroup_bytes: u32,
    /// Whether subgroup operations are available.
    pub subgroups: bool,
    /// Software WebGPU: barriers are expensive, thread-serial code wins.
    pub fallback: bool,
    /// Operations, as `lower/cost.rs` counts them, from which a dispatch is made so that it can be
    /// run in pieces.
    pub long_dispatch: u64,
    /// Operations, about, that a branch must spare for each of its dispatches, if each of its
    /// programs is chosen as often, to be left to the device: below, all of them run, and one is
    /// selected. So many must an iteration of a loop have for each of its dispatches for its end to
    /// be left to it.
    pub least_spared: u64,
    /// Products of a contraction over windows from which it is worth a dispatch of its own that its
    /// weights are stored in the order in which they are read.
    pub least_arranged: u64,
    /// Elements of short rows from which workgroups may copy them: of fewer all is in the cache.
    pub least_copied: u64,
}

impl Limits {
    /// What [`Limits::least_arranged`] should be: what a GPU computes in the time that a dispatch
    /// takes.
    pub const LEAST_ARRANGED: u64 = 1 << 27;

    /// What [`Limits::least_copied`] should be.
    pub const LEAST_COPIED: u64 = 1 << 18;

    /// What [`Limits::least_spared`] should be: what a device does while a browser prepares one
    /// dispatch that is counted on the device, which it checks by another. On an NVIDIA H200 (Node,
    /// Dawn) such a dispatch took 160 to 220 µs and others 10: a `cond` between two products of
    /// 128² each took 665 µs behind a gate, 58 selected and 27 alone; of 1024², where it spares 2³¹
    /// operations in four dispatches, 808, 476 and 486.
    pub const fn least_spared_of(fallback: bool) -> u64 {
        if fallback { 1 << 20 } else { 1 << 30 }
    }

    /// What [`Limits::long_dispatch`] should be.
    pub const fn long_dispatch_of(fallback: bool) -> u64 {
        if fallback { LONG_ON_SOFTWARE } else { LONG_ON_HARDWARE }
    }

    /// The least that WebGPU guarantees; what tests compile for.
    pub const fn floor() -> Limits {
        Limits {
            storage_buffers: 8,
            binding_bytes: 128 << 20,
            workgroups_per_dimension: 65_535,
            invocations: 256,
            workgroup_bytes: 16 << 10,
            subgroups: false,
            fallback: false,
            long_dispatch: Limits::long_dispatch_of(false),
            least_spared: Limits::least_spared_of(false),
            least_arranged: Limits::LEAST_ARRANGED,
            least_copied: Limits::LEAST_COPIED,
        }
    }
}
