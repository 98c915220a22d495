//! Handles of the tensors that JavaScript holds. They name entries of a slab and are checked by
//! generation: a handle that was given back names nothing, even after its place was taken again.

use std::collections::VecDeque;
use std::ops::Deref;
use weft::{Error, ErrorKind, Parameter, Result, Tensor};

/// The low bits of a handle say the place, counted from 1 so that no handle is 0; the others are
/// the generation.
const PLACE_BITS: u32 = 22;
const MOST_PLACES: usize = (1 << PLACE_BITS) - 1;

/// What a handle stands for.
pub enum Entry {
    /// A tensor.
    Tensor(Tensor),
    /// A parameter; used as a tensor it means the tensor it holds at that moment.
    Parameter(Parameter),
    /// A loss written in the ledger.
    Ledger(weft::Entry),
}

/// A tensor borrowed from the slab, or taken out of a parameter.
pub enum TensorRef<'a> {
    /// Borrowed.
    Borrowed(&'a Tensor),
    /// Taken.
    Owned(Tensor),
}

impl Deref for TensorRef<'_> {
    type Target = Tensor;
    fn deref(&self) -> &Tensor {
        match self {
            TensorRef::Borrowed(tensor) => tensor,
            TensorRef::Owned(tensor) => tensor,
        }
    }
}

#[derive(Default)]
struct Row {
    generation: u32,
    entry: Option<Entry>,
}

/// The entries. Vacant places are taken again in the order they became vacant, so that generations
/// last.
#[derive(Default)]
pub struct Slab {
    places: Vec<Row>,
    vacant: VecDeque<usize>,
}

impl Slab {
    /// Takes an entry in. Errors with `OutOfMemory` when there are four million already.
    pub fn insert(&mut self, entry: Entry) -> Result<u32> {
        let place = match self.vacant.pop_front() {
            Some(place) => place,
            None if self.places.len() < MOST_PLACES => {
                self.places.push(Row::default());
                self.places.len() - 1
            }
            None => {
                let message = format!("{MOST_PLACES} tensors are alive; dispose of some, or use tidy");
                return Err(Error::new(ErrorKind::OutOfMemory, "tensor", message));
            }
        };
        self.places[place].entry = Some(entry);
        Ok(self.places[place].generation << PLACE_BITS | (place as u32 + 1))
    }

    /// The entry of a handle. Errors with `Disposed` in the name of `op`.
    pub fn get(&self, op: &str, handle: u32) -> Result<&Entry> {
        self.find(handle).and_then(|place| self.places[place].entry.as_ref()).ok_or_else(|| {
            let message = "the tensor was disposed, or went with a device that was lost or closed";
            Error::new(ErrorKind::Disposed, op, message)
        })
    }

    /// The tensor of a handle. Errors with `Disposed` in the name of `op`.
    pub fn tensor(&self, op: &str, handle: u32) -> Result<TensorRef<'_>> {
        match self.get(op, handle)? {
            Entry::Tensor(tensor) => Ok(TensorRef::Borrowed(tensor)),
            Entry::Parameter(parameter) => parameter.get().map(TensorRef::Owned),
            Entry::Ledger(entry) => entry.tensor().map(TensorRef::Owned),
        }
    }

    /// Puts another entry in the place of one that a handle names; does nothing for a handle that
    /// names nothing.
    pub fn exchange(&mut self, handle: u32, entry: Entry) -> Option<Entry> {
        let place = self.find(handle)?;
        self.places[place].entry.replace(entry)
    }

    /// Takes the entry of a handle out, if it names one.
    pub fn remove(&mut self, handle: u32) -> Option<Entry> {
        let place = self.find(handle)?;
        self.vacate(place)
    }

    /// Takes all entries out.
    pub fn clear(&mut self) -> Vec<Entry> {
        (0..self.places.len()).filter_map(|place| self.vacate(place)).collect()
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.places.len() - self.vacant.len()
    }

    fn find(&self, handle: u32) -> Option<usize> {
        let place = (handle as usize & MOST_PLACES).checked_sub(1)?;
        let current = self.places.get(place)?.generation;
        let names = current == handle >> PLACE_BITS && self.places[place].entry.is_some();
        names.then_some(place)
    }

    fn vacate(&mut self, place: usize) -> Option<Entry> {
        let entry = self.places[place].entry.take()?;
        self.places[place].generation = (self.places[place].generation + 1) & (u32::MAX >> PLACE_BITS);
        self.vacant.push_back(place);
        Some(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Entry {
        Entry::Tensor(weft::Device::cpu().number(1.0, weft::DType::F32).unwrap())
    }

    #[test]
    fn a_handle_given_back_names_nothing_even_when_its_place_is_taken() {
        let mut slab = Slab::default();
        let first = slab.insert(entry()).unwrap();
        assert!(slab.tensor("add", first).is_ok());
        assert!(slab.remove(first).is_some());
        let second = slab.insert(entry()).unwrap();
        assert_ne!(first, second);
        let error = slab.tensor("add", first).err().unwrap();
        assert_eq!((error.kind, error.op.as_str()), (ErrorKind::Disposed, "add"));
        assert!(slab.remove(first).is_none());
        assert_eq!(slab.len(), 1);
    }

    #[test]
    fn no_handle_is_zero_and_zero_names_nothing() {
        let mut slab = Slab::default();
        assert!(slab.tensor("add", 0).is_err());
        assert_ne!(slab.insert(entry()).unwrap(), 0);
    }

    #[test]
    fn clearing_ends_every_handle() {
        let mut slab = Slab::default();
        let handles: Vec<u32> = (0..3).map(|_| slab.insert(entry()).unwrap()).collect();
        assert_eq!(slab.clear().len(), 3);
        assert!(handles.iter().all(|&handle| slab.tensor("add", handle).is_err()));
        assert_eq!(slab.len(), 0);
    }
}
