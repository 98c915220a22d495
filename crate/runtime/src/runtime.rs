//! An open device: a [`Gpu`] with everything that lives on it. The operations (`pipelines`, `runs`,
//! `read_back`, …) use this and none of each other's state.

use crate::device::gpu::{AdapterFacts, Gpu, OpenOptions};
use crate::device::stats::Stats;
use crate::memory::pool::{BufferId, Pool};
use crate::memory::uniforms::Ring;
use crate::memory::values::Values;
use crate::pipelines::Pipelines;
use crate::pipelines::bindings::BindGroups;
use crate::presentation::image::Images;
use crate::read_back::staging::Staging;
use crate::runs::profile::Profile;
use crate::submission::in_flight::InFlight;
use crate::submission::queue::{OpenPass, Waiting};
use std::cell::RefCell;
use std::rc::Rc;
use weft_compile::Limits;
use weft_ir::error::Result;

/// One open device and everything that lives on it. Cloning gives another handle to the same.
/// Single-threaded.
#[derive(Clone)]
pub struct Runtime {
    pub(crate) inner: Rc<Inner>,
}

impl std::fmt::Debug for Runtime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runtime").field("adapter", self.adapter()).field("stats", &self.stats()).finish()
    }
}

pub(crate) struct Inner {
    pub gpu: Gpu,
    pub flights: InFlight,
    pub pool: RefCell<Pool>,
    pub values: RefCell<Values>,
    pub pipelines: RefCell<Pipelines>,
    pub bind_groups: RefCell<BindGroups>,
    pub ring: RefCell<Ring>,
    pub staging: RefCell<Staging>,
    pub images: RefCell<Option<Images>>,
    /// The buffers of a run's slots: memory that every run uses anew.
    pub slots: RefCell<Vec<BufferId>>,
    pub open: OpenPass,
    pub waiting: Waiting,
    pub profile: Profile,
    /// Itself, for what goes on after a call returns.
    #[cfg(target_arch = "wasm32")]
    pub me: std::rc::Weak<Inner>,
}

impl Runtime {
    /// Opens a device with the adapter's own limits and the features Weft uses. In a browser
    /// `navigator.gpu` must exist in this page or worker. Natively the usual variables of the
    /// drivers count (`VK_DRIVER_FILES`, …).
    ///
    /// Errors with `ErrorKind::Adapter` when there is no adapter, or it gives no device.
    pub async fn open(options: OpenOptions) -> Result<Runtime> {
        let gpu = Gpu::open(&options).await?;
        let make = |_me: &std::rc::Weak<Inner>| Inner {
            flights: InFlight::new(&gpu, options.piece_operations),
            pool: RefCell::new(Pool::new(gpu.limits.binding_bytes, gpu.buffer_bytes, options.memory_budget)),
            values: RefCell::default(),
            pipelines: RefCell::default(),
            bind_groups: RefCell::default(),
            ring: RefCell::new(Ring::new(gpu.uniform_alignment)),
            staging: RefCell::default(),
            images: RefCell::default(),
            slots: RefCell::default(),
            open: OpenPass::default(),
            waiting: Waiting::default(),
            profile: Profile::default(),
            #[cfg(target_arch = "wasm32")]
            me: _me.clone(),
            gpu,
        };
        Ok(Runtime { inner: Rc::new_cyclic(make) })
    }

    /// What the compiler may count on.
    pub fn limits(&self) -> &Limits {
        &self.inner.gpu.limits
    }

    /// What is known of the adapter.
    pub fn adapter(&self) -> &AdapterFacts {
        &self.inner.gpu.facts
    }

    /// Whether the device was lost: every call but releasing fails from then on.
    pub fn is_lost(&self) -> bool {
        self.inner.gpu.health.is_lost()
    }

    /// Counts the peak of memory from now on.
    pub fn reset_peak(&self) {
        self.inner.pool.borrow_mut().reset_peak();
    }

    /// What is asked for from now on is counted under a label too.
    pub fn label(&self, label: u32) {
        self.inner.gpu.counters.turn(label);
    }

    /// What was done so far.
    pub fn stats(&self) -> Stats {
        self.counted(self.inner.gpu.counters.now())
    }

    /// What was done so far of what was asked for under a label; the memory is everybody's.
    pub fn stats_of(&self, label: u32) -> Stats {
        self.counted(self.inner.gpu.counters.share(label))
    }

    fn counted(&self, [submits, passes, dispatches, pipelines_compiled, buffers_created]: [u64; 5]) -> Stats {
        let pool = self.inner.pool.borrow();
        Stats {
            submits,
            passes,
            dispatches,
            pipelines_compiled,
            buffers_created,
            bytes_live: pool.live(),
            bytes_peak: pool.peak(),
            bytes_pooled: pool.idle(),
        }
    }
}
