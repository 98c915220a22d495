//! Queue of work that the device does not have yet: the open pass, and the commands, writes and
//! long dispatches that wait behind one another. `submit.rs` says when they go.

use super::pace::Work;
use crate::device::health::PendingErrors;
use crate::memory::uniforms::Scalars;
use crate::pipelines::Pipeline;
use crate::read_back::staging::Mapping;
use crate::runtime::Inner;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use wgpu::{BindGroup, Buffer, CommandBuffer, CommandEncoder, ComputePass};

/// A pass that was begun and is not in the queue.
pub(crate) struct Open {
    pub pass: ComputePass<'static>,
    pub encoder: CommandEncoder,
    pub scalars: Scalars,
    pub work: Work,
    pub runs: u32,
    /// What it may fail by: every run in it carries all of these pending errors.
    pub pending_errors: PendingErrors,
    /// The one that is set.
    pub pipeline: Option<Rc<Pipeline>>,
}

/// The open pass, if there is one.
#[derive(Default)]
pub(crate) struct OpenPass {
    /// How many [`SubmitBatching`](crate::SubmitBatching)s keep it open.
    pub holds: Cell<u32>,
    pub pass: RefCell<Option<Open>>,
}

impl OpenPass {
    /// Whether there is one.
    pub fn is_open(&self) -> bool {
        self.pass.borrow().is_some()
    }
}

/// One thing to be done.
pub(crate) enum Item {
    Commands {
        commands: CommandBuffer,
        scalars: Scalars,
        work: Work,
        /// What the commands may fail by: the owner of the pending error returns it.
        pending_errors: PendingErrors,
        /// Buffers to be mapped for reading once the commands are submitted.
        mappings: Vec<Mapping>,
    },
    /// A buffer is written.
    Write { buffer: Buffer, bytes: Vec<u8>, pending_errors: PendingErrors },
    /// A dispatch that is submitted piece by piece.
    Long(Box<Long>),
    /// A run with loops that go on until the device says otherwise, or whose pipelines are still
    /// compiled: what follows waits for it.
    LoopPolling(Box<dyn PartialSubmit>),
}

/// A dispatch that is partly done.
pub(crate) struct Long {
    pub pipeline: Rc<Pipeline>,
    pub group: BindGroup,
    /// The number of the first workgroup is the first word.
    pub scalars: Scalars,
    pub pending_errors: PendingErrors,
    /// Workgroups along x and y of the whole.
    pub grid: [u32; 2],
    /// Workgroups done, counted row by row.
    pub done: u64,
    /// Operations of one workgroup.
    pub operations: f64,
    /// The number of its run, and which step of that it is.
    pub place: (u32, usize),
}

impl Long {
    /// Workgroups that are not done.
    pub fn left(&self) -> u64 {
        u64::from(self.grid[0]) * u64::from(self.grid[1]) - self.done
    }
}

/// What is submitted a part at a time, and waits in between for what the device says.
pub(crate) trait PartialSubmit {
    /// Whether the device was asked and has not said anything.
    fn is_awaited(&self) -> bool;

    /// Waits no longer, if it can do without what it waits for.
    fn hurry(&mut self) {}

    /// Submits the next part, as one of the item `number`. Says whether that was all of it.
    fn submit_part(&mut self, inner: &Inner, number: u64) -> bool;
}

/// What waits, first come first served.
#[derive(Default)]
pub(crate) struct Waiting {
    /// Each with the label under which it came: what it counts is that label's, whenever it is
    /// done.
    pub items: RefCell<VecDeque<(u32, Item)>>,
    /// Items that ever came.
    pub number: Cell<u64>,
    /// Bytes of the uploads that wait.
    pub bytes: Cell<usize>,
    /// The bytes of scalars that were written, to be used again.
    pub spare: RefCell<Vec<u8>>,
    /// Whether a task waits for news.
    #[cfg(target_arch = "wasm32")]
    pub pumping: Cell<bool>,
}

impl Waiting {
    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.items.borrow().is_empty()
    }

    /// How many items wait.
    pub fn len(&self) -> usize {
        self.items.borrow().len()
    }

    /// How many items ever came.
    pub fn number(&self) -> u64 {
        self.number.get()
    }

    /// Whether the first `number` items that came were all submitted.
    pub fn is_past(&self, number: u64) -> bool {
        self.number.get() - self.len() as u64 >= number
    }

    /// Whether the first item waits for the device to say how it goes on.
    pub fn is_polling(&self) -> bool {
        matches!(self.items.borrow().front(), Some((_, Item::LoopPolling(run))) if run.is_awaited())
    }

    /// Has nothing wait for what it can do without.
    pub fn hurry(&self) {
        for (_, item) in self.items.borrow_mut().iter_mut() {
            if let Item::LoopPolling(run) = item {
                run.hurry();
            }
        }
    }

    /// Notes for what waits that the ring gets another buffer.
    pub fn keep_ring(&self, ring: &Buffer) {
        for (_, item) in self.items.borrow_mut().iter_mut() {
            let scalars = match item {
                Item::Commands { scalars, .. } => scalars,
                Item::Long(long) => &mut long.scalars,
                Item::Write { .. } | Item::LoopPolling(_) => continue,
            };
            scalars.ring.get_or_insert_with(|| ring.clone());
        }
    }

    /// Room for scalars.
    pub fn spare(&self) -> Vec<u8> {
        let mut bytes = self.spare.take();
        bytes.clear();
        bytes
    }
}
