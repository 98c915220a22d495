//! What if there is no memory left? Large arrays go between JavaScript and Rust in ways that can be refused; what cannot be refused
//! is remembered, because Rust then stops the instance without a word.

use js_sys::{Uint8Array, Uint32Array};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use wasm_bindgen::prelude::*;
use weft::{Error, ErrorKind};

/// The allocator, and the size of what it could not give.
struct Remembering {
    failed: AtomicUsize,
}

#[global_allocator]
static ALLOCATOR: Remembering = Remembering { failed: AtomicUsize::new(0) };

impl Remembering {
    fn given(&self, place: *mut u8, bytes: usize) -> *mut u8 {
        if place.is_null() {
            self.failed.store(bytes, Ordering::Relaxed);
        }
        place
    }
}

// SAFETY: the system's allocator does it all, with the very same arguments.
unsafe impl GlobalAlloc for Remembering {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as promised by the caller.
        self.given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as promised by the caller.
        self.given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: as promised by the caller.
        self.given(unsafe { System.realloc(place, layout, bytes) }, bytes)
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: as promised by the caller.
        unsafe { System.dealloc(place, layout) }
    }
}

/// How many bytes could not be had, if that was not told as an error: 0 unless the instance stopped for want of memory.
#[wasm_bindgen]
pub fn failed_allocation() -> f64 {
    ALLOCATOR.failed.load(Ordering::Relaxed) as f64
}

/// Notes that what could not be had was told.
pub(crate) fn told() {
    ALLOCATOR.failed.store(0, Ordering::Relaxed);
}

/// The error of `op` where memory for `bytes` cannot be had.
pub(crate) fn exhausted(op: &str, bytes: usize) -> Error {
    Error::new(ErrorKind::OutOfMemory, op, format!("there is no memory left for {bytes} bytes"))
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = Uint8Array, extends = Uint8Array)]
    type Bytes;
    /// As `Uint8Array`'s own, which stops the instance where JavaScript has no memory for it.
    #[wasm_bindgen(constructor, catch, js_class = "Uint8Array")]
    fn of_length(length: f64) -> std::result::Result<Bytes, JsValue>;
}

/// Words as JavaScript's bytes. Errors with `OutOfMemory`.
pub(crate) fn bytes_out(op: &str, words: &[u32]) -> weft::Result<Uint8Array> {
    let bytes = size_of_val(words);
    let array: Uint8Array = Bytes::of_length(bytes as f64).map_err(|_| exhausted(op, bytes))?.into();
    Uint32Array::new(&array.buffer()).copy_from(words);
    Ok(array)
}

/// A vector filled by `fill`. Errors with `OutOfMemory` where it cannot be had.
pub(crate) fn filled<T: Clone + Default>(
    op: &str,
    length: usize,
    fill: impl FnOnce(&mut [T]),
) -> weft::Result<Vec<T>> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(length).map_err(|_| exhausted(op, length * size_of::<T>()))?;
    vector.resize(length, T::default());
    fill(&mut vector);
    Ok(vector)
}
