//! Values that the interpreter takes and returns: tensors held whole in row-major order, with `R`
//! standing for `DType::F32`.

use super::strided::{Strided, Tensor};
use crate::dtype::{DType, Literal};
use crate::error::{Error, Result};
use crate::functions::{Element, Real};
use crate::shape::Shape;

/// The elements of a tensor, one vector per dtype.
#[derive(Clone, PartialEq, Debug)]
pub enum Data<R> {
    /// `DType::F32`, in the arithmetic of `R`.
    Float(Vec<R>),
    /// `DType::I32`.
    I32(Vec<i32>),
    /// `DType::U32`.
    U32(Vec<u32>),
    /// `DType::Bool`.
    Bool(Vec<bool>),
}

impl<R> Data<R> {
    /// Their dtype.
    pub fn dtype(&self) -> DType {
        match self {
            Data::Float(_) => DType::F32,
            Data::I32(_) => DType::I32,
            Data::U32(_) => DType::U32,
            Data::Bool(_) => DType::Bool,
        }
    }
}

/// Evaluates `$body` with `$v` bound to the vector inside a [`Data`], whatever its dtype.
macro_rules! each {
    ($data:expr, $v:ident => $body:expr) => {
        match $data {
            Data::Float($v) => $body,
            Data::I32($v) => $body,
            Data::U32($v) => $body,
            Data::Bool($v) => $body,
        }
    };
}

/// A tensor's value: extents and as many elements.
#[derive(Clone, PartialEq, Debug)]
pub struct Value<R> {
    shape: Shape,
    data: Data<R>,
}

impl<R: Real> Value<R> {
    /// `data` as a tensor of `shape`. Errors with `Shape` when there are more or fewer elements
    /// than that.
    pub fn new(shape: impl Into<Shape>, data: Data<R>) -> Result<Value<R>> {
        let shape = shape.into();
        let length = each!(&data, v => v.len());
        if length != shape.size() {
            return Err(Error::shape(
                "tensor",
                format!("{shape} has {} elements, the data has {length}", shape.size()),
            ));
        }
        Ok(Value { shape, data })
    }

    /// A float tensor. Errors as [`Value::new`].
    pub fn float(shape: impl Into<Shape>, data: impl Into<Vec<R>>) -> Result<Value<R>> {
        Value::new(shape, Data::Float(data.into()))
    }

    /// An i32 tensor. Errors as [`Value::new`].
    pub fn i32(shape: impl Into<Shape>, data: impl Into<Vec<i32>>) -> Result<Value<R>> {
        Value::new(shape, Data::I32(data.into()))
    }

    /// A u32 tensor. Errors as [`Value::new`].
    pub fn u32(shape: impl Into<Shape>, data: impl Into<Vec<u32>>) -> Result<Value<R>> {
        Value::new(shape, Data::U32(data.into()))
    }

    /// A bool tensor. Errors as [`Value::new`].
    pub fn bool(shape: impl Into<Shape>, data: impl Into<Vec<bool>>) -> Result<Value<R>> {
        Value::new(shape, Data::Bool(data.into()))
    }

    /// A tensor of `dtype` from numbers: integers truncate and saturate, truth is "not zero".
    pub fn from_f64(shape: impl Into<Shape>, dtype: DType, numbers: &[f64]) -> Result<Value<R>> {
        let data = match dtype {
            DType::F32 => Data::Float(numbers.iter().map(|&x| R::from_f64(x)).collect()),
            DType::I32 => Data::I32(numbers.iter().map(|&x| x as i32).collect()),
            DType::U32 => Data::U32(numbers.iter().map(|&x| x as u32).collect()),
            DType::Bool => Data::Bool(numbers.iter().map(|&x| x != 0.0).collect()),
            packed => return Err(Error::dtype("value", format!("no {packed} is computed"))),
        };
        Value::new(shape, data)
    }

    /// A tensor from the four bytes per element that a buffer holds.
    pub fn from_bits(shape: impl Into<Shape>, dtype: DType, bits: &[u32]) -> Result<Value<R>> {
        let data = match dtype {
            DType::F32 => Data::Float(bits.iter().map(|&b| R::from_f32(f32::from_bits(b))).collect()),
            DType::I32 => Data::I32(bits.iter().map(|&b| b as i32).collect()),
            DType::U32 => Data::U32(bits.to_vec()),
            DType::Bool => Data::Bool(bits.iter().map(|&b| b != 0).collect()),
            packed => return Err(Error::dtype("value", format!("no {packed} is computed"))),
        };
        Value::new(shape, data)
    }

    /// The four bytes per element that a buffer would hold; floats are rounded to f32.
    pub fn to_bits(&self) -> Vec<u32> {
        match &self.data {
            Data::Float(v) => v.iter().map(|x| x.to_f32().to_bits()).collect(),
            Data::I32(v) => v.iter().map(|&x| x as u32).collect(),
            Data::U32(v) => v.clone(),
            Data::Bool(v) => v.iter().map(|&x| u32::from(x)).collect(),
        }
    }

    /// Every element as a number; true is 1.
    pub fn to_f64(&self) -> Vec<f64> {
        match &self.data {
            Data::Float(v) => v.iter().map(|x| x.to_f64()).collect(),
            Data::I32(v) => v.iter().map(|&x| f64::from(x)).collect(),
            Data::U32(v) => v.iter().map(|&x| f64::from(x)).collect(),
            Data::Bool(v) => v.iter().map(|&x| f64::from(u8::from(x))).collect(),
        }
    }

    /// A 0-d tensor.
    pub fn scalar(literal: Literal) -> Value<R> {
        let data = match Element::from_literal(literal) {
            Element::F32(x) => Data::Float(vec![x]),
            Element::I32(x) => Data::I32(vec![x]),
            Element::U32(x) => Data::U32(vec![x]),
            Element::Bool(x) => Data::Bool(vec![x]),
        };
        Value { shape: Shape::scalar(), data }
    }

    /// The same as the interpreter works with it.
    pub(super) fn into_tensor<'a>(self) -> Tensor<'a, R> {
        match self.data {
            Data::Float(v) => Tensor::Float(Strided::packed(self.shape, v)),
            Data::I32(v) => Tensor::I32(Strided::packed(self.shape, v)),
            Data::U32(v) => Tensor::U32(Strided::packed(self.shape, v)),
            Data::Bool(v) => Tensor::Bool(Strided::packed(self.shape, v)),
        }
    }

    /// Extents.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Dtype.
    pub fn dtype(&self) -> DType {
        self.data.dtype()
    }

    /// The elements in row-major order.
    pub fn data(&self) -> &Data<R> {
        &self.data
    }
}
