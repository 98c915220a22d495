//! Runs that go into one submit: while a [`Hold`] lives, each is encoded into one pass, which is submitted at the hold's end, or before
//! whatever must come after it.
//!
//! Until then the pool destroys nothing, because the pass names its buffers; and writes to buffers, which would overtake the
//! pass, submit it first.

use crate::device::{Inner, Runtime};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wgpu::{CommandBuffer, CommandEncoder, ComputePass};

/// A pass that was begun and is not submitted.
pub(crate) struct Open {
    pub encoder: CommandEncoder,
    pub pass: ComputePass<'static>,
}

/// What is held back, if anything is to be.
#[derive(Default)]
pub(crate) struct Held {
    holds: Cell<u32>,
    open: RefCell<Option<Open>>,
}

/// See the module.
pub struct Hold(Rc<Inner>);

impl Runtime {
    /// Holds runs back until the result is dropped, to submit them together.
    pub fn hold(&self) -> Hold {
        let holds = &self.inner.held.holds;
        holds.set(holds.get() + 1);
        Hold(self.inner.clone())
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let holds = &self.0.held.holds;
        holds.set(holds.get() - 1);
        if holds.get() == 0 {
            self.0.submit_held();
        }
    }
}

impl Inner {
    /// Whether runs are to be held back.
    pub fn holds(&self) -> bool {
        self.held.holds.get() > 0
    }

    /// The pass that waits, to go on with it.
    pub fn take_open(&self) -> Option<Open> {
        self.held.open.take()
    }

    /// Holds a pass back.
    pub fn keep_open(&self, open: Open) {
        self.pool.borrow_mut().freeze(true);
        self.held.open.replace(Some(open));
    }

    /// The commands that wait to be submitted, finished.
    pub fn finish_held(&self) -> Option<CommandBuffer> {
        let Open { encoder, pass } = self.take_open()?;
        drop(pass);
        self.pool.borrow_mut().freeze(false);
        Some(encoder.finish())
    }

    /// Submits what waits. Says whether anything did.
    pub fn submit_held(&self) -> bool {
        let Some(commands) = self.finish_held() else { return false };
        self.submit(commands);
        true
    }
}
