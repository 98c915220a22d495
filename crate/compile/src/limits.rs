//! Device limits, as far as the compiler needs them, and the bounds that it sets itself.

use crate::device::{DeviceModel, GPU};

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
    /// What work takes on the device.
    pub model: &'static DeviceModel,
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
    /// The least that WebGPU guarantees, of a GPU; what tests compile for.
    pub const fn floor() -> Limits {
        Limits::of(&GPU)
    }

    /// The least that WebGPU guarantees, and bounds that suit the speed of a device.
    pub const fn of(model: &'static DeviceModel) -> Limits {
        Limits {
            storage_buffers: 8,
            binding_bytes: 128 << 20,
            workgroups_per_dimension: 65_535,
            invocations: 256,
            workgroup_bytes: 16 << 10,
            subgroups: false,
            model,
            long_dispatch: model.long_dispatch,
            least_spared: model.control.least_spared,
            least_arranged: model.rules.least_arranged,
            least_copied: model.least_copied,
        }
    }
}
