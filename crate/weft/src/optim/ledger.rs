//! Ledger of losses that wait to be read: slots of one small tensor, the page.
//!
//! A training loop that never reads its losses and keeps them would otherwise hold one buffer for
//! each (in a garbage-collected language also one that does not keep them: no finalizer runs inside
//! a synchronous loop). Instead, the flush of a step writes each loss of that step into the next
//! slot of the page, and the handle then stands for the slot. The page is a parameter, so that
//! every flush stores it, and a captured function writes it as one of its implicit outputs; which
//! slot is written is a run-time number, so all steps are one program. A full page is put aside,
//! and goes with its last handle.

use crate::device::Device;
use crate::device::cell::ScalarSource;
use crate::device::parameter::Parameter;
use crate::device::tensor::Tensor;
use crate::lazy::replay::Replay;
use crate::ops::shape::slice::Range;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use weft_ir::op::{Op, ScatterOp};
use weft_ir::{DType, Literal, Result};

/// Slots of a page.
const SLOTS: u32 = 4096;

/// Values that wait to be read: the current page, and which slot is next.
///
/// ```
/// # fn main() -> weft::Result<()> {
/// let device = weft::Device::cpu();
/// let losses = weft::Ledger::new(&device)?;
/// let mut written = Vec::new();
/// for step in 0..3 {
///     let loss = device.number(f64::from(step), weft::DType::F32)?.square()?;
///     written.push(losses.write(&loss)?);
///     device.flush_parameters()?;
/// }
/// assert_eq!(pollster::block_on(written[2].tensor()?.item())?, 4.0);
/// # Ok(())
/// # }
/// ```
pub struct Ledger {
    device: Device,
    current: Parameter,
    page: RefCell<Rc<Page>>,
    next: Rc<NextSlot>,
    source: Rc<dyn ScalarSource>,
    /// How a value was written last.
    written: Replay,
}

/// A page. While it is the ledger's current one, its values are in the ledger's parameter.
struct Page {
    current: Parameter,
    full: RefCell<Option<Tensor>>,
}

/// The slots that captured functions write, call by call.
struct NextSlot(Cell<u32>);

impl ScalarSource for NextSlot {
    fn dtypes(&self) -> Vec<DType> {
        vec![DType::I32]
    }

    fn next(&self) -> Vec<Literal> {
        let slot = self.0.get();
        self.0.set(slot + 1);
        vec![Literal::I32(slot as i32)]
    }

    /// Deferred: an export is asked for by hand.
    fn upcoming(&self, calls: usize) -> Vec<Vec<Literal>> {
        (0..calls).map(|call| vec![Literal::I32(self.0.get() as i32 + call as i32)]).collect()
    }
}

/// A place in the ledger: a 0-d f32 tensor by another name.
#[derive(Clone)]
pub struct Entry {
    page: Rc<Page>,
    slot: u32,
}

impl Ledger {
    /// An empty ledger.
    pub fn new(device: &Device) -> Result<Ledger> {
        let current = Parameter::new(blank(device)?)?;
        let next = Rc::new(NextSlot(Cell::new(0)));
        let page = Page { current: current.clone(), full: RefCell::default() };
        Ok(Ledger {
            device: device.clone(),
            current,
            page: RefCell::new(Rc::new(page)),
            source: next.clone(),
            next,
            written: Replay::default(),
        })
    }

    /// Writes a 0-d f32 down. In a function that is being captured, each call will write its own;
    /// see [`Ledger::slots_from`].
    pub fn write(&self, value: &Tensor) -> Result<Entry> {
        if !self.device.is_tracing() {
            self.reserve(1)?;
        }
        let entry = self.entry(self.next.0.get());
        let (number, before) = (&self.device.scalars(&self.source)?[0], &self.current.get()?);
        let name = "ledger";
        let written = self.written.make(name, &[value, number, before], &|| {
            // Where the page that is replaced is given up, this is only an update in place: the
            // kernel that computes the value stores it here.
            let (number, value) = (number.reshape(&[1])?, value.reshape(&[1])?);
            let set = Op::Scatter { axis: 0, op: ScatterOp::Set };
            Ok(vec![self.device.append(name, set, &[before, &number, &value])?])
        })?;
        written.into_iter().try_for_each(|page| self.current.set(page))?;
        Ok(entry)
    }

    /// The slot that a captured function which writes `count` values will write first, on a page
    /// that has room for all of them. To be asked before each call.
    pub fn slots_from(&self, count: usize) -> Result<u32> {
        self.reserve(count as u32)?;
        Ok(self.next.0.get())
    }

    /// What is written in a slot of the current page.
    pub fn entry(&self, slot: u32) -> Entry {
        Entry { page: self.page.borrow().clone(), slot }
    }

    /// Puts the current page aside if anyone holds a slot of it: what a captured function reads
    /// from outside must not change.
    pub fn settle(&self) -> Result<()> {
        if Rc::strong_count(&self.page.borrow()) > 1 { self.begin_page() } else { Ok(()) }
    }

    fn reserve(&self, count: u32) -> Result<()> {
        if self.next.0.get() + count > SLOTS { self.begin_page() } else { Ok(()) }
    }

    /// Puts the current page aside and begins another.
    fn begin_page(&self) -> Result<()> {
        let full = self.current.replace(blank(&self.device)?)?;
        let page = Page { current: self.current.clone(), full: RefCell::default() };
        let before = self.page.replace(Rc::new(page));
        before.full.replace(Some(full));
        self.next.0.set(0);
        Ok(())
    }
}

fn blank(device: &Device) -> Result<Tensor> {
    device.zeros(&[SLOTS as usize], DType::F32)
}

impl Entry {
    /// The page and the position on it, for reading without computing anything.
    pub fn place(&self) -> Result<(Tensor, usize)> {
        let full = self.page.full.borrow().clone();
        Ok((full.map_or_else(|| self.page.current.get(), Ok)?, self.slot as usize))
    }

    /// The value as a tensor of its own.
    pub fn tensor(&self) -> Result<Tensor> {
        let (page, slot) = self.place()?;
        page.slice(&[Range::new(slot as i64, slot as i64 + 1)])?.reshape(&[])
    }
}
