//! State of the open device, which goes with it: tensors and parameters under their handles, losses
//! that wait to be read, and what else JavaScript holds.

use crate::error::Result;
use crate::held::Held;
use crate::slab::{Entry, Slab, TensorRef};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use weft::{DType, Device, Error, ErrorKind, Ledger, Parameter, Tensor};

#[derive(Default)]
struct Session {
    device: Option<Device>,
    /// The device that [`enter`] goes over to.
    next: Option<Device>,
    slab: Slab,
    /// Handles of values that came with gradients since the last flush.
    watched: Vec<u32>,
    ledger: Option<Rc<Ledger>>,
    held: Held,
}

/// A watched value of at most this many elements is computed with the step; a larger one only when
/// it is needed.
const MOST_WATCHED: usize = 4096;

thread_local! {
    static SESSION: RefCell<Session> = RefCell::default();
}

/// The open device. Errors with `Disposed` when there is none.
pub fn device() -> weft::Result<Device> {
    SESSION.with_borrow(|session| {
        session.device.clone().ok_or_else(|| {
            Error::new(ErrorKind::Disposed, "weft", "there is no device: call `await init()` first")
        })
    })
}

/// Notes a device that was opened, to go over to it later.
pub fn set_next(device: Device) {
    let before = SESSION.with_borrow_mut(|session| session.next.replace(device));
    drop(before);
}

/// Goes over to the device opened last, and ends all handles of the one before: at once, so that no
/// call comes in between.
#[wasm_bindgen]
pub fn enter() {
    let next = SESSION.with_borrow_mut(|session| session.next.take());
    if next.is_some() {
        replace(next);
    }
}

/// Gives up the open device and everything on it.
#[wasm_bindgen]
pub fn close() {
    replace(None);
}

/// Puts another device, or none, in the open one's place.
fn replace(device: Option<Device>) {
    let (before, entries, held) = SESSION.with_borrow_mut(|session| {
        session.watched.clear();
        session.ledger = None;
        let before = std::mem::replace(&mut session.device, device);
        (before, session.slab.clear(), session.held.take())
    });
    drop((held, entries));
    if let Some(runtime) = before.as_ref().and_then(Device::runtime) {
        runtime.destroy();
    }
}

/// Calls `f` with what JavaScript holds besides tensors.
pub fn with_held<R>(f: impl FnOnce(&Held) -> R) -> R {
    SESSION.with_borrow(|session| f(&session.held))
}

/// Calls `f` with the same, to change it. What `f` takes out is dropped by its caller, when nothing
/// is borrowed.
pub fn with_held_mut<R>(f: impl FnOnce(&mut Held) -> R) -> R {
    SESSION.with_borrow_mut(|session| f(&mut session.held))
}

/// Takes a tensor in and gives its handle.
pub fn adopt(tensor: Tensor) -> Result<u32> {
    insert(Entry::Tensor(tensor))
}

/// Takes several tensors in.
pub fn adopt_all(tensors: Vec<Tensor>) -> Result<Vec<u32>> {
    tensors.into_iter().map(adopt).collect()
}

/// Takes an entry in and gives its handle.
pub fn insert(entry: Entry) -> Result<u32> {
    SESSION.with_borrow_mut(|session| Ok(session.slab.insert(entry)?))
}

/// The ledger of the open device.
pub fn ledger() -> weft::Result<Rc<Ledger>> {
    let device = device()?;
    SESSION.with_borrow_mut(|session| match &session.ledger {
        Some(ledger) => Ok(Rc::clone(ledger)),
        None => {
            let ledger = Rc::new(Ledger::new(&device)?);
            session.ledger = Some(Rc::clone(&ledger));
            Ok(ledger)
        }
    })
}

/// The ledger, if anything was written.
pub fn open_ledger() -> Option<Rc<Ledger>> {
    SESSION.with_borrow(|session| session.ledger.clone())
}

/// Values that came along with gradients: the next flush is to compute those that are still held,
/// because what they were computed from, the parameters of that moment, is about to be replaced and
/// would be kept alive by them.
#[wasm_bindgen]
pub fn watch(handles: &[u32]) {
    SESSION.with_borrow_mut(|session| {
        session.watched.extend(handles);
        // Who never flushes this way should not collect handles of what is gone.
        if session.watched.len() >= 256 && session.watched.len().is_power_of_two() {
            let slab = &session.slab;
            session.watched.retain(|&handle| slab.get("watch", handle).is_ok());
        }
    });
}

/// Readies the watched values for a flush: writes single floats into the ledger, and gives the
/// others that are small as parameters, which the flush stores if they live so long.
pub fn settle_watched() -> weft::Result<Vec<Parameter>> {
    let watched = SESSION.with_borrow_mut(|session| std::mem::take(&mut session.watched));
    let mut held = Vec::new();
    for handle in watched {
        let found = SESSION.with_borrow(|session| match session.slab.get("step", handle) {
            Ok(Entry::Tensor(tensor)) => Some(tensor.clone()),
            _ => None,
        });
        let Some(tensor) = found else { continue };
        if tensor.rank() == 0 && tensor.dtype() == DType::F32 {
            let entry = ledger()?.write(&tensor)?;
            SESSION.with_borrow_mut(|session| session.slab.exchange(handle, Entry::Ledger(entry)));
        } else if tensor.size() <= MOST_WATCHED {
            held.push(Parameter::new(tensor)?);
        }
    }
    Ok(held)
}

/// Calls `f` with an entry.
pub fn with_entry<R>(op: &str, handle: u32, f: impl FnOnce(&Entry) -> weft::Result<R>) -> weft::Result<R> {
    SESSION.with_borrow(|session| f(session.slab.get(op, handle)?))
}

/// Calls `f` with a tensor.
pub fn with<R>(op: &str, handle: u32, f: impl FnOnce(&Tensor) -> weft::Result<R>) -> weft::Result<R> {
    SESSION.with_borrow(|session| {
        let held = session.slab.tensor(op, handle)?;
        f(&held)
    })
}

/// Calls `f` with several tensors.
pub fn with_all<R>(
    op: &str,
    handles: &[u32],
    f: impl FnOnce(&[&Tensor]) -> weft::Result<R>,
) -> weft::Result<R> {
    SESSION.with_borrow(|session| {
        let held = handles.iter().map(|&h| session.slab.tensor(op, h)).collect::<weft::Result<Vec<_>>>()?;
        let tensors: Vec<&Tensor> = held.iter().map(|held: &TensorRef<'_>| &**held).collect();
        f(&tensors)
    })
}

/// The tensor `f` makes of a tensor.
pub fn map(op: &str, handle: u32, f: impl FnOnce(&Tensor) -> weft::Result<Tensor>) -> Result<u32> {
    adopt(with(op, handle, f)?)
}

/// The dtype of a code: its place in `DType::ALL`.
pub fn dtype(op: &str, code: u32) -> weft::Result<DType> {
    let known = DType::ALL.get(code as usize).copied();
    known.ok_or_else(|| Error::new(ErrorKind::DType, op, format!("no dtype has the code {code}")))
}

/// The code of a dtype.
pub fn code(dtype: DType) -> u32 {
    DType::ALL.iter().position(|&d| d == dtype).map_or(0, |place| place as u32)
}

/// Extents, as the core counts them.
pub fn extents(shape: &[u32]) -> Vec<usize> {
    shape.iter().map(|&extent| extent as usize).collect()
}

/// Gives a handle back. Harmless for one that names nothing any more.
#[wasm_bindgen]
pub fn dispose(handle: u32) {
    let entry = SESSION.with_borrow_mut(|session| session.slab.remove(handle));
    drop(entry);
}

/// Gives several handles back.
#[wasm_bindgen]
pub fn dispose_all(handles: &[u32]) {
    handles.iter().for_each(|&handle| dispose(handle));
}

/// Number of tensors and parameters that JavaScript holds.
#[wasm_bindgen]
pub fn lives() -> u32 {
    SESSION.with_borrow(|session| session.slab.len() as u32)
}

/// Bytes that live tensors take on the device: as `stats` says, for who asks often.
#[wasm_bindgen]
pub fn bytes_live() -> f64 {
    device().map_or(0.0, |device| device.stats().bytes_live as f64)
}

/// A number that changes with every flush: see `Device::ticks`.
#[wasm_bindgen]
pub fn ticks() -> u32 {
    device().map_or(0, |device| device.ticks())
}
