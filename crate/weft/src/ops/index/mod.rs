//! Indexing: take, one-hot, and updates at given positions.

pub(crate) mod advanced;
pub(crate) mod ravel;
pub(crate) mod update;

use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::operand::Operand;
use weft_ir::op::{self, Binary, Compare, Op, ScatterOp};
use weft_ir::{DType, Decimal, Error, Literal, Result, Shape};

impl Tensor {
    /// The elements at `indices` (i32 or u32) along `axis`, whose place the indices' axes take;
    /// with `None`, of the flattened tensor. Negative indices count from the end; those beyond it
    /// are clamped into it.
    ///
    /// Errors with `DType` for indices that are not integers, `Axis`, and `Shape` when there is
    /// nothing to take from.
    pub fn take(&self, indices: &Tensor, axis: Option<i64>) -> Result<Tensor> {
        let name = "take";
        let source = match axis {
            Some(_) => self.clone(),
            None => build::reshape(name, self, &[self.size()].into())?,
        };
        let axis = source.shape().axis(name, axis.unwrap_or(0))?;
        let indices = counted(name, indices, source.shape()[axis])?;
        self.device().append(name, Op::Gather { axis }, &[&source, &indices])
    }

    /// Along `axis` the elements at `indices` (i32 or u32), which have as many axes as this and
    /// broadcast with it along the others. Negative ones count from the end; those beyond it are
    /// clamped into it.
    ///
    /// Errors with `DType` for indices that are not integers, `Axis`, and `Shape` where the others
    /// do not broadcast, or there is nothing to take from.
    pub fn take_along_axis(&self, indices: &Tensor, axis: i64) -> Result<Tensor> {
        let name = "takeAlongAxis";
        let axis = self.shape().axis(name, axis)?;
        if indices.rank() != self.rank() {
            let what = format!("{} and indices {} must have as many axes", self.shape(), indices.shape());
            return Err(Error::shape(name, what));
        }
        let with = |shape: &Shape, extent: usize| -> Shape {
            let mut extents = shape.to_vec();
            extents[axis] = extent;
            extents.into()
        };
        let (extent, count) = (self.shape()[axis], indices.shape()[axis]);
        let others = Shape::broadcast(name, &with(self.shape(), 1), &with(indices.shape(), 1))?;
        let places = with(&others, count);
        let whole = build::expand(name, self, &with(&others, extent))?;
        if extent == 0 && places.size() > 0 {
            return Err(Error::shape(name, format!("axis {axis} of {} has nothing to take", self.shape())));
        }
        let indices = build::cast(name, &counted(name, indices, extent)?, DType::I32)?;
        let chosen =
            build::expand(name, &indices.clip(Some(0.0), Some(extent.max(1) as f64 - 1.0))?, &places)?;
        whole.along(name, &chosen, axis)
    }

    /// The elements at i32 positions inside the axis, whose shape is this one's but for its extent.
    pub(crate) fn along(&self, name: &str, chosen: &Tensor, axis: usize) -> Result<Tensor> {
        let (whole, places) = (self, chosen.shape());
        // The place of each in the flattened tensor: along every axis its position times that
        // axis's stride.
        let (mut flat, mut stride) = (build::constant_like(name, chosen, Literal::I32(0))?, 1);
        for (at, &length) in whole.shape().iter().enumerate().rev() {
            let position = if at == axis {
                chosen.clone()
            } else {
                self.device().positions(name, places, at, DType::I32)?
            };
            let stride_of_it = build::constant_like(name, &position, Literal::I32(stride))?;
            let along = build::binary(name, Binary::Mul, &position, &stride_of_it)?;
            flat = build::binary(name, Binary::Add, &flat, &along)?;
            stride *= length as i32;
        }
        let flat_source = build::reshape(name, whole, &[whole.size()].into())?;
        self.device().append(name, Op::Gather { axis: 0 }, &[&flat_source, &flat])
    }

    /// 1 at each element's position among `classes`, 0 elsewhere, along a new last axis; all 0 for
    /// an element outside `0..classes`. Errors with `DType` unless this is an integer tensor.
    pub fn one_hot(&self, classes: usize, dtype: DType) -> Result<Tensor> {
        build::cast("oneHot", &is_class("oneHot", self, classes)?, dtype)
    }

    /// The places along axis 0 named by `indices`, for what [`At`] does with them: a number, or a
    /// tensor of i32 or u32.
    pub fn at(&self, indices: impl Into<Operand>) -> At {
        At { base: self.clone(), indices: indices.into() }
    }
}

/// Places of a tensor along axis 0, to make an updated copy. See [`Tensor::at`].
pub struct At {
    base: Tensor,
    indices: Operand,
}

impl At {
    /// What stands at these places, as [`Tensor::take`] along axis 0: places outside the tensor
    /// mean the nearest one.
    ///
    /// Errors with `Axis` for a 0-d tensor, `Value` for a number that is no place, `Shape` when
    /// there is nothing to take from.
    pub fn get(&self) -> Result<Tensor> {
        self.base.device().append("at.get", Op::Gather { axis: 0 }, &[&self.base, &self.places("at.get")?])
    }

    /// A copy in which `value` (broadcast) stands at these places. Of several updates to one place
    /// the last wins; places outside the tensor are dropped; negative ones count from the end.
    ///
    /// Errors with `Shape` when `value` does not broadcast to the places, `Axis` for a 0-d tensor.
    pub fn set(&self, value: impl Into<Operand>) -> Result<Tensor> {
        self.update("at.set", ScatterOp::Set, &value.into())
    }

    /// A copy in which `value` (broadcast) is added at these places, each time a place is named.
    ///
    /// Errors as [`At::set`] does, and with `DType` for bool.
    pub fn add(&self, value: impl Into<Operand>) -> Result<Tensor> {
        self.update("at.add", ScatterOp::Add, &value.into())
    }

    /// A copy with the smaller of `value` (broadcast) and what stands at these places; NaN where
    /// either is.
    ///
    /// Errors as [`At::set`] does.
    pub fn min(&self, value: impl Into<Operand>) -> Result<Tensor> {
        self.update("at.min", ScatterOp::Min, &value.into())
    }

    /// A copy with the larger of `value` (broadcast) and what stands at these places; NaN where
    /// either is.
    ///
    /// Errors as [`At::set`] does.
    pub fn max(&self, value: impl Into<Operand>) -> Result<Tensor> {
        self.update("at.max", ScatterOp::Max, &value.into())
    }

    fn update(&self, name: &str, op: ScatterOp, value: &Operand) -> Result<Tensor> {
        let device = self.base.device();
        let axis = self.base.shape().axis(name, 0)?;
        let indices = self.places(name)?;
        let places = op::infer::gathered(self.base.shape(), axis, indices.shape());
        let fits = Shape::broadcast(name, &value.shape(), &places)? == places;
        if !fits {
            let what = format!("{} does not broadcast to the {places} places named", value.shape());
            return Err(Error::shape(name, what));
        }
        let value = value.to_tensor(name, device, self.base.dtype())?;
        let updates = build::expand(name, &value, &places)?;
        device.append(name, Op::Scatter { axis, op }, &[&self.base, &indices, &updates])
    }

    /// The positions that are named, negative ones counted from the end.
    fn places(&self, name: &str) -> Result<Tensor> {
        let extent = self.base.shape()[self.base.shape().axis(name, 0)?];
        match &self.indices {
            Operand::Tensor(indices) if indices.plain_number().is_some() => {
                counted(name, &indices.given_as(name, DType::I32)?, extent)
            }
            Operand::Tensor(indices) => counted(name, indices, extent),
            Operand::Number(n) => {
                let from_start = if *n < 0.0 { n + extent as f64 } else { *n };
                if n.fract() != 0.0 || !(0.0..extent as f64).contains(&from_start) {
                    let what =
                        format!("{} is not a position on axis 0 of {}", Decimal::from(*n), self.base.shape());
                    return Err(Error::value(name, what));
                }
                Ok(self.base.device().scalar(Literal::I32(from_start as i32)))
            }
        }
    }
}

/// Indices along an axis of `extent`, negative ones counted from its end.
fn counted(name: &str, indices: &Tensor, extent: usize) -> Result<Tensor> {
    match indices.dtype() {
        DType::U32 => build::cast(name, indices, DType::U32),
        DType::I32 => {
            let zero = build::constant_like(name, indices, Literal::I32(0))?;
            let extent = build::constant_like(name, indices, Literal::I32(extent as i32))?;
            let negative = build::compare(name, Compare::Lt, indices, &zero)?;
            let from_start = build::binary(name, Binary::Add, indices, &extent)?;
            build::select(name, &negative, &from_start, indices)
        }
        other => {
            Err(Error::dtype(name, format!("indices must be i32 or u32, got {other}: cast them to i32")))
        }
    }
}

/// Whether each element is each of the classes, along a new last axis; bool.
pub(crate) fn is_class(name: &str, x: &Tensor, classes: usize) -> Result<Tensor> {
    if !x.dtype().is_integer() {
        return Err(Error::dtype(
            name,
            format!("classes must be i32 or u32, got {}: cast them to i32", x.dtype()),
        ));
    }
    let column = build::reshape(name, x, &[&x.shape()[..], &[1]].concat().into())?;
    let shape = Shape::checked(name, &[&x.shape()[..], &[classes]].concat())?;
    let op = Op::Iota { shape: shape.clone(), axis: x.rank(), dtype: x.dtype() };
    let classes = x.device().append(name, op, &[])?;
    build::compare(name, Compare::Eq, &build::expand(name, &column, &shape)?, &classes)
}
