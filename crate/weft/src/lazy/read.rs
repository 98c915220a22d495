//! Data in and out: tensors from memory, and their values back.
//!
//! Reading flushes when it is called, not when its future is first polled, and the future borrows
//! nothing: the tensor may be dropped meanwhile.

use crate::device::Device;
use crate::device::backend::Reading;
use crate::device::element::Element;
use crate::device::pending::{placeholder_dependents, traced_error};
use crate::device::tensor::Tensor;
use weft_ir::graph::{NodeValue, ValueId};
use weft_ir::{DType, Error, Literal, Result, Shape};

impl Device {
    /// A tensor of these values in row-major order. Errors with `Shape` when there are more or
    /// fewer than the shape has.
    pub fn tensor<T: Element>(&self, values: &[T], shape: &[usize]) -> Result<Tensor> {
        self.uploaded("tensor", &T::words(values), shape, T::DTYPE)
    }

    /// A tensor from the 32-bit words a buffer holds: the bits of each f32, i32 or u32, 0 or 1 for
    /// bool, and of packed dtypes as many elements as fit, the first in the lowest bits. Errors
    /// with `Shape` when there are more or fewer than the shape has.
    pub fn from_words(&self, words: &[u32], shape: &[usize], dtype: DType) -> Result<Tensor> {
        if dtype == DType::Bool && words.iter().any(|&w| w > 1) {
            let truth: Vec<u32> = words.iter().map(|&w| u32::from(w != 0)).collect();
            return self.uploaded("tensor", &truth, shape, dtype);
        }
        self.uploaded("tensor", words, shape, dtype)
    }

    fn uploaded(&self, name: &str, words: &[u32], shape: &[usize], dtype: DType) -> Result<Tensor> {
        let shape = Shape::checked(name, shape)?;
        if words.len() != dtype.words(shape.size()) {
            let what = if dtype.is_packed() { "words of several elements" } else { "elements" };
            let needed = dtype.words(shape.size());
            return Err(Error::shape(name, format!("{shape} has {needed} {what}, got {}", words.len())));
        }
        // Frees dropped tensors first, so that a loop of uploads reuses its buffers.
        self.collect();
        let value = self.inner.backend.upload(words, &shape, dtype)?;
        Ok(self.stored(value, shape, dtype))
    }

    /// A tensor of a value that `store` makes in the [runtime](Device::runtime), given how many
    /// bytes it is to have; nothing where that makes none. What was dropped since frees its memory
    /// first. Errors with `Shape` where there is no such shape, and as `store` does.
    pub fn store_by(
        &self,
        name: &str,
        shape: &[usize],
        dtype: DType,
        store: impl FnOnce(u64) -> Result<Option<ValueId>>,
    ) -> Result<Option<Tensor>> {
        let shape = Shape::checked(name, shape)?;
        self.collect();
        let value = store(dtype.words(shape.size()) as u64 * 4)?;
        Ok(value.map(|value| self.stored(value, shape, dtype)))
    }

    /// The words of several tensors, computed in one submit and copied in another. Errors as
    /// [`Tensor::words`] does.
    pub fn read_all(
        &self,
        tensors: &[&Tensor],
    ) -> impl Future<Output = Result<Vec<Vec<u32>>>> + 'static + use<> {
        let reading = self.begin_reading("data", tensors);
        async move { reading?.finish().await }
    }

    /// Flushes and begins to read.
    fn begin_reading(&self, name: &str, tensors: &[&Tensor]) -> Result<Begun> {
        self.flush_tensors(name, tensors)?;
        let (mut parts, mut values) = (Vec::new(), Vec::new());
        let graph = self.graph();
        for tensor in tensors {
            let id = tensor.node(name)?;
            parts.push(match graph[id].value {
                _ if tensor.size() == 0 => Part::Known(Vec::new()),
                NodeValue::Number(number) => Part::Known(vec![number.bits()]),
                NodeValue::Stored(value) => {
                    values.push(value);
                    Part::Read
                }
                NodeValue::Placeholder => return Err(traced_error(name, &graph, id)),
                NodeValue::Pending => unreachable!("a flush gives what it is asked for a value"),
            });
        }
        drop(graph);
        let reading = (!values.is_empty()).then(|| self.inner.backend.read(&values));
        Ok(Begun { parts, reading })
    }
}

/// What is known of a tensor before anything was read.
enum Part {
    Known(Vec<u32>),
    Read,
}

/// A reading under way.
struct Begun {
    parts: Vec<Part>,
    reading: Option<Reading>,
}

impl Begun {
    async fn finish(self) -> Result<Vec<Vec<u32>>> {
        let read = match self.reading {
            Some(reading) => reading.await?,
            None => Vec::new(),
        };
        let mut read = read.into_iter();
        let words = |part| match part {
            Part::Known(words) => words,
            Part::Read => read.next().unwrap_or_default(),
        };
        Ok(self.parts.into_iter().map(words).collect())
    }
}

/// The words of the only tensor of a reading.
async fn only(begun: Result<Begun>) -> Result<Vec<u32>> {
    Ok(begun?.finish().await?.swap_remove(0))
}

impl Tensor {
    /// The values in row-major order. Errors with `DType` unless `T` is the tensor's dtype, and as
    /// [`Tensor::words`] does.
    pub fn data<T: Element>(&self) -> impl Future<Output = Result<Vec<T>>> + 'static + use<T> {
        let begun = if T::DTYPE == self.dtype() {
            self.device().begin_reading("data", &[self])
        } else {
            Err(Error::dtype("data", format!("{self} read as {}", T::DTYPE)))
        };
        async move { Ok(T::values(only(begun).await?)) }
    }

    /// The 32-bit words of the values in row-major order. Errors with `Trace` inside the function
    /// that `jit` captures, `Disposed`, `DeviceLost`, `OutOfMemory`.
    pub fn words(&self) -> impl Future<Output = Result<Vec<u32>>> + 'static + use<> {
        only(self.device().begin_reading("data", &[self]))
    }

    /// What the [runtime](Device::runtime) calls the tensor's value, for what it does besides
    /// computing, such as drawing. Computed now if it is pending; it is the runtime's as long as
    /// the tensor lives.
    ///
    /// Errors as [`Device::realize`] does, in the name of the operation `name`; with `Value` for a
    /// plain number, which is not stored.
    pub fn stored(&self, name: &str) -> Result<ValueId> {
        self.device().flush_tensors(name, &[self])?;
        match self.device().graph()[self.node(name)?].value {
            NodeValue::Stored(value) => Ok(value),
            _ => Err(Error::value(name, format!("{self} is a number, which is not stored"))),
        }
    }

    /// The only element, as a number; true is 1. Errors with `Shape` for more or fewer elements,
    /// and as [`Tensor::words`] does.
    pub fn item(&self) -> impl Future<Output = Result<f64>> + 'static + use<> {
        let dtype = self.dtype();
        let begun = if self.size() == 1 {
            self.device().begin_reading("item", &[self])
        } else {
            let what = format!("{} has {} elements, expected one", self.shape(), self.size());
            Err(Error::shape("item", what))
        };
        async move { Ok(Literal::from_bits(dtype, only(begun).await?[0]).to_f64()) }
    }

    /// Whether the value depends on an input of the function that `jit` is capturing, so that it
    /// cannot be read.
    pub fn is_traced(&self) -> bool {
        let Ok(id) = self.node("tensor") else { return false };
        let graph = self.device().graph();
        placeholder_dependents(&graph, &[id]).contains(id)
    }
}
