//! Staging buffers: the idle ones, and what to do with one once the commands that fill it are
//! submitted.

use crate::device::health::Notify;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use weft_ir::HashMap;
use wgpu::SubmissionIndex;

/// A larger staging buffer is destroyed rather than kept, and any beside more idle ones than that.
const SPARE_BYTES: u64 = 64 << 20;
/// Idle staging buffers by size class.
#[derive(Default)]
pub(crate) struct Staging {
    idle: HashMap<u64, Vec<wgpu::Buffer>>,
    idle_bytes: u64,
}

impl Staging {
    /// An idle buffer of a class, if there is one.
    pub fn take(&mut self, class: u64) -> Option<wgpu::Buffer> {
        let buffer = self.idle.get_mut(&class)?.pop()?;
        self.idle_bytes -= class;
        Some(buffer)
    }

    /// Keeps a buffer for the next reading, unless enough lie idle.
    pub fn give_back(&mut self, buffer: wgpu::Buffer) {
        let class = buffer.size();
        if class.max(self.idle_bytes) > SPARE_BYTES {
            buffer.destroy();
            return;
        }
        self.idle_bytes += class;
        self.idle.entry(class).or_default().push(buffer);
    }

    /// Destroys what lies idle.
    pub fn trim(&mut self) {
        std::mem::take(&mut self.idle).into_values().flatten().for_each(|buffer| buffer.destroy());
        self.idle_bytes = 0;
    }
}

/// What becomes of the commands that fill a staging buffer, and of its mapping.
#[derive(Default)]
pub(crate) struct Progress {
    /// Set by the submit.
    pub index: RefCell<Option<SubmissionIndex>>,
    pub mapped: Arc<Mutex<Option<bool>>>,
}

/// What is left to do with a staging buffer once the commands that fill it are submitted.
pub(crate) struct Mapping {
    pub buffer: wgpu::Buffer,
    pub notify: Notify,
    pub state: Rc<Progress>,
}

impl Mapping {
    /// Asks for the mapping.
    pub fn start(self, index: SubmissionIndex) {
        self.state.index.replace(Some(index));
        let (mapped, notify) = (self.state.mapped.clone(), self.notify);
        self.buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            *mapped.lock().unwrap_or_else(PoisonError::into_inner) = Some(result.is_ok());
            notify.notify_all();
        });
    }
}

/// A word that the device is asked for again and again, while nobody can wait for it.
pub(crate) struct Answer {
    /// Where it comes to.
    pub buffer: wgpu::Buffer,
    /// Set while it is being asked for.
    mapped: Option<Arc<Mutex<Option<bool>>>>,
}

impl Answer {
    /// One that comes to this staging buffer.
    pub fn new(buffer: wgpu::Buffer) -> Answer {
        Answer { buffer, mapped: None }
    }

    /// Asks, once the commands that fill the buffer are submitted.
    pub fn ask(&mut self, notify: &Notify) {
        let (mapped, notify) = (Arc::<Mutex<Option<bool>>>::default(), notify.clone());
        self.mapped = Some(mapped.clone());
        self.buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            *mapped.lock().unwrap_or_else(PoisonError::into_inner) = Some(result.is_ok());
            notify.notify_all();
        });
    }

    fn come(&self) -> Option<bool> {
        self.mapped.as_ref().and_then(|mapped| *mapped.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether it is being asked for, and has not come.
    pub fn is_awaited(&self) -> bool {
        self.mapped.is_some() && self.come().is_none()
    }

    /// Whether the word is not 0, if it was asked for; not, where the device refused to tell.
    pub fn take(&mut self) -> Option<bool> {
        let come = self.come();
        self.mapped.take()?;
        if come != Some(true) {
            return Some(false);
        }
        let set = self.buffer.get_mapped_range(..).is_ok_and(|view| view[..4] != [0; 4]);
        self.buffer.unmap();
        Some(set)
    }
}
