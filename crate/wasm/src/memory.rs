//! Exhausted memory. Large arrays pass between JavaScript and Rust in ways that can fail with an
//! error. Where an allocation cannot, this module records it, because Rust then stops the instance
//! without a word.

use js_sys::{Uint8Array, Uint32Array};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, UnsafeCell};
use std::ptr::{copy_nonoverlapping, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};
use wasm_bindgen::prelude::*;
use weft::{Error, ErrorKind};

/// The allocator, and the size of what it could not give.
///
/// A step of a program allocates hundreds of small things (shapes, lists of operands) and frees
/// them. Small blocks that are freed are kept in a list for each size and given out from there: a
/// load and a store instead of a search. The lists hold at most what was alive at a time.
struct Remembering {
    failed: AtomicUsize,
    /// The first free block of each size.
    free: UnsafeCell<[*mut Free; CLASSES]>,
    /// Where room for blocks begins that nobody has had, and how much of it there is.
    unused: Cell<(*mut u8, usize)>,
}

/// A small block that nobody has.
struct Free {
    next: *mut Free,
}

/// Sizes of small blocks differ by this, and they lie at multiples of it.
const STEP: usize = 16;
/// Larger blocks than this many steps are the system's.
const CLASSES: usize = 16;
/// What is asked of the system at a time, for small blocks.
const ROOM: usize = 16 << 10;

// SAFETY: WebAssembly without shared memory has one thread.
unsafe impl Sync for Remembering {}

#[global_allocator]
static ALLOCATOR: Remembering = Remembering {
    failed: AtomicUsize::new(0),
    free: UnsafeCell::new([null_mut(); CLASSES]),
    unused: Cell::new((null_mut(), 0)),
};

impl Remembering {
    fn given(&self, place: *mut u8, bytes: usize) -> *mut u8 {
        if place.is_null() {
            self.failed.store(bytes, Ordering::Relaxed);
        }
        place
    }

    /// Where the first free block of the size of `layout` is noted, if that is a small one.
    #[inline]
    fn list(&self, layout: Layout) -> Option<*mut *mut Free> {
        // Nothing is allocated without a size.
        let class = layout.size().wrapping_sub(1) / STEP;
        // SAFETY: the place lies within the lists.
        (class < CLASSES && layout.align() <= STEP)
            .then(|| unsafe { self.free.get().cast::<*mut Free>().add(class) })
    }

    /// A small block of a size of which none is free. Null where there is no memory.
    #[cold]
    #[inline(never)]
    fn another(&self, bytes: usize) -> *mut u8 {
        let size = bytes.next_multiple_of(STEP);
        let (mut place, mut left) = self.unused.get();
        if left < size {
            // SAFETY: it has a size, and lies at a power of two.
            place = unsafe { System.alloc(Layout::from_size_align_unchecked(ROOM, STEP)) };
            if place.is_null() {
                return self.given(place, bytes);
            }
            left = ROOM;
        }
        // SAFETY: so much is left.
        self.unused.set((unsafe { place.add(size) }, left - size));
        place
    }
}

// SAFETY: a small block is in a list or somebody's, never both, and as large and as aligned as all
// of its list; the rest the system's allocator does with the very same arguments.
unsafe impl GlobalAlloc for Remembering {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(list) = self.list(layout) else {
            // SAFETY: as promised by the caller.
            return self.given(unsafe { System.alloc(layout) }, layout.size());
        };
        // SAFETY: no other thread changes the lists; what is in one is a block that nobody has,
        // whose first word is the next.
        unsafe {
            let block = *list;
            if block.is_null() {
                return self.another(layout.size());
            }
            *list = (*block).next;
            block.cast()
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if self.list(layout).is_none() {
            // SAFETY: as promised by the caller.
            return self.given(unsafe { System.alloc_zeroed(layout) }, layout.size());
        }
        // SAFETY: as promised by the caller; what was given is as large as was asked for.
        unsafe {
            let place = self.alloc(layout);
            if !place.is_null() {
                place.write_bytes(0, layout.size());
            }
            place
        }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: the caller promises that no size exceeds the most that a layout can have.
        let wanted = unsafe { Layout::from_size_align_unchecked(bytes, layout.align()) };
        let small = self.list(layout).is_some();
        if !small && self.list(wanted).is_none() {
            // SAFETY: as promised by the caller.
            return self.given(unsafe { System.realloc(place, layout, bytes) }, bytes);
        }
        if small && bytes.div_ceil(STEP) == layout.size().div_ceil(STEP) {
            return place;
        }
        // SAFETY: as promised by the caller; both places are as large as what is copied.
        unsafe {
            let moved = self.alloc(wanted);
            if !moved.is_null() {
                copy_nonoverlapping(place, moved, layout.size().min(bytes));
                self.dealloc(place, layout);
            }
            moved
        }
    }

    #[inline]
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        let Some(list) = self.list(layout) else {
            // SAFETY: as promised by the caller.
            return unsafe { System.dealloc(place, layout) };
        };
        let block = place.cast::<Free>();
        // SAFETY: no other thread changes the lists; the block is the caller's to give, a step
        // large or more, and aligned as steps are.
        unsafe {
            (*block).next = *list;
            *list = block;
        }
    }
}

/// Bytes of the allocation that failed, if it did not become an error: 0 unless the instance
/// stopped for want of memory.
#[wasm_bindgen]
pub fn failed_allocation() -> f64 {
    ALLOCATOR.failed.load(Ordering::Relaxed) as f64
}

/// Notes that an error reported what could not be had.
pub(crate) fn note_reported() {
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
