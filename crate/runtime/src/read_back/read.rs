//! Read-back: a tensor's bytes are copied at the moment of the call into a staging buffer, so that
//! nothing done later can change them, and mapped when the copy is finished. Staging buffers are
//! used again.

use super::staging::{Mapping, Progress};
use crate::device::health::{Check, PendingErrorSet, PendingErrors, translate};
use crate::device::stats::{count, size};
use crate::memory::pool::class_of;
use crate::memory::uniforms::Scalars;
use crate::runtime::{Inner, Runtime};
use crate::submission::pace::Work;
use crate::submission::queue::Item;
use std::rc::Rc;
use std::sync::PoisonError;
use weft_ir::error::{Error, ErrorKind, Result};
use weft_ir::graph::ValueId;
use wgpu::{BufferUsages, CommandEncoder, ErrorFilter};

const OP: &str = "read";
/// Several values share a staging buffer up to this size. A value of more than two of them comes in
/// pieces, each by a submit of its own: a browser's process for the GPU hands over one while the
/// page copies another.
const SHARED_BYTES: u64 = 16 << 20;

/// A staging buffer on its way: first filled by commands, then mapped. Destroyed if it is dropped
/// on the way.
pub(crate) struct Transfer {
    inner: Rc<Inner>,
    buffer: Option<wgpu::Buffer>,
    /// The check of a new buffer.
    check: Option<Rc<Check>>,
    state: Rc<Progress>,
}

impl Transfer {
    /// A staging buffer of at least `bytes`.
    pub fn new(inner: &Rc<Inner>, bytes: u64) -> Transfer {
        let (buffer, check) = inner.staging_buffer(bytes);
        Transfer { inner: inner.clone(), buffer: Some(buffer), check, state: Rc::default() }
    }

    /// The buffer, for the commands that fill it.
    pub fn buffer(&self) -> &wgpu::Buffer {
        self.buffer.as_ref().expect("the buffer is taken out only at the end")
    }

    /// What is not proven of it.
    pub fn pending_error(&self, pending_errors: &mut PendingErrorSet) {
        if let Some(check) = &self.check {
            pending_errors.add(check);
        }
    }

    /// What is to be done once the commands are submitted.
    pub fn mapping(&self) -> Mapping {
        Mapping {
            buffer: self.buffer().clone(),
            notify: self.inner.gpu.health.notify.clone(),
            state: self.state.clone(),
        }
    }

    /// Waits for the bytes and copies some of them: each a range, and where it goes.
    pub async fn finish(
        mut self,
        pending_errors: &PendingErrors,
        into: &mut [Taken],
        copies: impl IntoIterator<Item = Copied>,
    ) -> Result<()> {
        let inner = self.inner.clone();
        let mapped = self.state.mapped.clone();
        let answered = || *mapped.lock().unwrap_or_else(PoisonError::into_inner);
        let mapped = inner
            .gpu
            .until(self.state.index.take(), || answered().or(inner.gpu.health.is_lost().then_some(false)))
            .await;
        inner.gpu.health.check(OP)?;
        inner.gpu.health.resolve(pending_errors).await.inspect_err(|error| inner.trim_idle_memory(error))?;
        if mapped != Some(true) {
            // The news of a loss may come just after the mapping is refused.
            let _ = inner.gpu.health.resolve_all().await;
            inner.gpu.health.check(OP)?;
            inner.gpu.health.stray()?;
            return Err(Error::new(ErrorKind::Internal, OP, "the device refused to map a staging buffer"));
        }
        inner.gpu.health.stray()?;
        let view = self.buffer().get_mapped_range(..).map_err(|e| {
            Error::new(ErrorKind::Internal, OP, format!("a staging buffer cannot be seen: {e}"))
        })?;
        copies
            .into_iter()
            .for_each(|Copied { range, to: (taken, at) }| copy(&view, range, &mut into[taken], at));
        drop(view);
        if let Some(buffer) = self.buffer.take() {
            buffer.unmap();
            inner.staging.borrow_mut().give_back(buffer);
        }
        Ok(())
    }
}

impl Drop for Transfer {
    fn drop(&mut self) {
        // Commands that wait to be submitted must find their buffer: then it goes with the last
        // handle to it.
        if let Some(buffer) = self.buffer.take()
            && Rc::strong_count(&self.state) == 1
        {
            buffer.destroy();
        }
    }
}

/// What is copied out of a mapping: from one byte to another, to which of what takes it, from which
/// of its bytes on.
pub(crate) struct Copied {
    pub range: (u64, u64),
    pub to: (usize, u64),
}

/// Bytes that were copied out of a mapping: in a browser past WebAssembly's memory, since most go
/// on to JavaScript.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) type Taken = Vec<u8>;
#[cfg(target_arch = "wasm32")]
pub(crate) type Taken = js_sys::Uint8Array;

/// Room for a number of bytes.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn room(bytes: u64) -> Result<Taken> {
    weft_ir::check_room(OP, bytes)?;
    Ok(vec![0; bytes as usize])
}

#[cfg(target_arch = "wasm32")]
pub(crate) fn room(bytes: u64) -> Result<Taken> {
    use wasm_bindgen::prelude::*;
    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_name = Uint8Array)]
        type Room;
        /// As `Uint8Array`'s own, which stops the instance where JavaScript has no memory for it.
        #[wasm_bindgen(constructor, catch, js_class = "Uint8Array")]
        fn new(bytes: f64) -> std::result::Result<Room, JsValue>;
    }
    let room = Room::new(bytes as f64).map_err(|_| {
        let what = format!("there is no memory left for {}", size(bytes));
        Error::new(ErrorKind::OutOfMemory, OP, what)
    })?;
    Ok(room.unchecked_into())
}

/// Copies a range of a mapping to a place of what takes it.
#[cfg(not(target_arch = "wasm32"))]
fn copy(view: &wgpu::BufferView, (start, end): (u64, u64), into: &mut Taken, at: u64) {
    into[at as usize..(at + end - start) as usize].copy_from_slice(&view[start as usize..end as usize]);
}

/// Straight from the browser's mapping, past the copy of the whole that wgpu would make.
#[cfg(target_arch = "wasm32")]
fn copy(view: &wgpu::BufferView, (start, end): (u64, u64), into: &mut Taken, at: u64) {
    into.set(&view.as_uint8array().subarray(start as u32, end as u32), at as u32);
}

/// As memory of Rust's. Errors with `OutOfMemory`.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn in_memory(parts: Vec<Taken>) -> Result<Vec<Vec<u8>>> {
    Ok(parts)
}

#[cfg(target_arch = "wasm32")]
pub(crate) fn in_memory(parts: Vec<Taken>) -> Result<Vec<Vec<u8>>> {
    let inside = |part: &Taken| weft_ir::check_room(OP, part.length().into()).map(|()| part.to_vec());
    parts.iter().map(inside).collect()
}

/// Where a value, or a piece of it, lies: in which transfer, from which byte to which; and which
/// value it is of, from which of its bytes on.
struct Part {
    transfer: usize,
    range: (u64, u64),
    value: usize,
    from: u64,
}

/// What is read: the sizes of the values, where they come to, where in those, and what is not
/// proven of them.
type Reading = (Vec<u64>, Vec<Transfer>, Vec<Part>, PendingErrors);

impl Runtime {
    /// The bytes of a value as they are after everything asked for so far. The copy is put into the
    /// queue by the call itself; the future only waits, and does not borrow the runtime. Natively
    /// it blocks in its first poll.
    ///
    /// Errors: `Disposed`, `DeviceLost`, and whatever the device reports of the work that made the
    /// value (`Internal`, `OutOfMemory`).
    pub fn read(&self, value: ValueId) -> impl Future<Output = Result<Vec<u8>>> + use<> {
        let reading = self.read_many(&[value]);
        async move { Ok(reading.await?.swap_remove(0)) }
    }

    /// [`Runtime::read`] for several values, with one submit.
    pub fn read_many(&self, values: &[ValueId]) -> impl Future<Output = Result<Vec<Vec<u8>>>> + use<> {
        let taking = self.take_many(values);
        async move { in_memory(taking.await?) }
    }

    /// [`Runtime::read`] into memory of JavaScript's own, with one copy. Errors as that does, and
    /// with `OutOfMemory` where JavaScript has none.
    #[cfg(target_arch = "wasm32")]
    pub fn read_array(&self, value: ValueId) -> impl Future<Output = Result<js_sys::Uint8Array>> + use<> {
        let taking = self.take_many(&[value]);
        async move { Ok(taking.await?.swap_remove(0)) }
    }

    fn take_many(&self, values: &[ValueId]) -> impl Future<Output = Result<Vec<Taken>>> + use<> {
        let started = self.inner.start_reading(values);
        async move {
            let (sizes, transfers, places, pending_errors) = started?;
            let mut taken = sizes.into_iter().map(room).collect::<Result<Vec<_>>>()?;
            for (number, transfer) in transfers.into_iter().enumerate() {
                let places = places.iter().filter(|place| place.transfer == number);
                let copies = places.map(|place| Copied { range: place.range, to: (place.value, place.from) });
                transfer.finish(&pending_errors, &mut taken, copies).await?;
            }
            Ok(taken)
        }
    }
}

impl Inner {
    /// A staging buffer of at least `bytes`, with its check if it is new.
    pub fn staging_buffer(&self, bytes: u64) -> (wgpu::Buffer, Option<Rc<Check>>) {
        let class = class_of(bytes, u64::MAX);
        if let Some(buffer) = self.staging.borrow_mut().take(class) {
            return (buffer, None);
        }
        count(&self.gpu.counters.buffers, 1);
        let describe = move |error| translate(error, OP, &format!("no memory to read {} back", size(class)));
        let (buffer, check) =
            self.gpu.health.watch(&self.gpu.device, &[ErrorFilter::OutOfMemory], describe, || {
                self.gpu.device.create_buffer(&wgpu::BufferDescriptor {
                    label: Some("staging"),
                    size: class,
                    usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
                    mapped_at_creation: false,
                })
            });
        (buffer, Some(check))
    }

    /// Encodes the copies of all values and puts them after everything asked for before. Values in
    /// order share transfers as long as they are small.
    fn start_reading(self: &Rc<Self>, values: &[ValueId]) -> Result<Reading> {
        self.gpu.health.check(OP)?;
        self.close_pass();
        let table = self.values.borrow();
        let found = values.iter().map(|&id| table.get(OP, id)).collect::<Result<Vec<_>>>()?;

        let mut places: Vec<Part> = Vec::with_capacity(found.len());
        // Of whole values those that share one, of the others each piece's.
        let (mut lengths, mut wholes) = (Vec::<u64>::new(), 0);
        let is_large = |bytes| bytes > 2 * SHARED_BYTES;
        for (number, value) in found.iter().enumerate().filter(|(_, value)| !is_large(value.bytes)) {
            let start = match lengths.last() {
                Some(&length) if length + value.bytes <= SHARED_BYTES => length,
                _ => {
                    lengths.push(0);
                    0
                }
            };
            let (transfer, end) = (lengths.len() - 1, start + value.bytes);
            lengths[transfer] = end.next_multiple_of(8);
            wholes = lengths.len();
            places.push(Part { transfer, range: (start, end), value: number, from: 0 });
        }
        for (number, value) in found.iter().enumerate().filter(|(_, value)| is_large(value.bytes)) {
            for from in (0..value.bytes).step_by(SHARED_BYTES as usize) {
                let bytes = SHARED_BYTES.min(value.bytes - from);
                places.push(Part { transfer: lengths.len(), range: (0, bytes), value: number, from });
                lengths.push(bytes.next_multiple_of(8));
            }
        }
        let transfers: Vec<Transfer> = lengths.iter().map(|&length| Transfer::new(self, length)).collect();

        let mut pending_errors = PendingErrorSet::default();
        found.iter().for_each(|value| pending_errors.add_all(&value.pending_errors));
        transfers.iter().for_each(|transfer| transfer.pending_error(&mut pending_errors));
        if let Some(error) = pending_errors.failure() {
            self.trim_idle_memory(&error);
            return Err(self.gpu.health.tell(error));
        }
        let pending_errors = pending_errors.into_pending_errors();
        let scope = self.gpu.health.error_scope(&self.gpu.device, &pending_errors);
        let pool = self.pool.borrow();
        let submits = (wholes > 0).then_some(0..wholes).into_iter();
        for submit in submits.chain((wholes..transfers.len()).map(|piece| piece..piece + 1)) {
            self.transfer(&transfers[submit.clone()], &pending_errors, |encoder, _| {
                for Part { transfer, range: (start, end), value, from } in &places {
                    if submit.contains(transfer) && start < end {
                        let (source, target) =
                            (pool.buffer(found[*value].buffer), transfers[*transfer].buffer());
                        encoder.copy_buffer_to_buffer(source, *from, target, *start, end - start);
                    }
                }
            });
        }
        scope.end();
        drop(pool);
        self.pump();
        Ok((found.iter().map(|value| value.bytes).collect(), transfers, places, pending_errors))
    }

    /// Encodes and puts into the queue, with the mappings. The caller pumps.
    pub fn transfer(
        &self,
        transfers: &[Transfer],
        pending_errors: &PendingErrors,
        encode: impl FnOnce(&mut CommandEncoder, &[Transfer]),
    ) {
        let mut encoder = self.gpu.encoder();
        encode(&mut encoder, transfers);
        self.enqueue(Item::Commands {
            commands: encoder.finish(),
            scalars: Scalars::default(),
            work: Work::default(),
            pending_errors: pending_errors.clone(),
            mappings: transfers.iter().map(Transfer::mapping).collect(),
        });
    }

    /// After the device ran out of memory: gives up what lies idle, so that the next attempt may
    /// succeed.
    pub fn trim_idle_memory(&self, error: &Error) {
        if error.kind == ErrorKind::OutOfMemory {
            self.staging.borrow_mut().trim();
            self.pool.borrow_mut().trim();
        }
    }
}
