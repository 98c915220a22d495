//! Tensors from a rule: constants, ranges, the identity. Nothing is stored; each fuses into its
//! readers.

pub(crate) mod sequence;

use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::operand::Operand;
use weft_ir::op::{Binary, Compare, Op};
use weft_ir::{DType, Decimal, Error, Literal, Result, Shape};

impl Device {
    /// 0 (or false) everywhere. Errors with `Shape` when the shape is too large, as all of these
    /// do.
    pub fn zeros(&self, shape: &[usize], dtype: DType) -> Result<Tensor> {
        build::cast("zeros", &self.filled("zeros", Literal::zero(dtype), shape)?, dtype)
    }

    /// 1 (or true) everywhere.
    pub fn ones(&self, shape: &[usize], dtype: DType) -> Result<Tensor> {
        build::cast("ones", &self.filled("ones", Literal::one(dtype), shape)?, dtype)
    }

    /// `value` everywhere, a run-time value: programs do not differ by it. Errors with `Value` when
    /// an integer dtype cannot hold it.
    pub fn full(&self, shape: &[usize], value: f64, dtype: DType) -> Result<Tensor> {
        let shape = Shape::checked("full", shape)?;
        build::expand("full", &Operand::Number(value).to_tensor("full", self, dtype)?, &shape)
    }

    fn filled(&self, name: &str, value: Literal, shape: &[usize]) -> Result<Tensor> {
        build::expand(name, &self.constant(name, value)?, &Shape::checked(name, shape)?)
    }

    /// `start`, `start + step`, … up to but not including `stop`. Errors with `Value` for a step of
    /// 0 or a bound that is not finite, `DType` for bool.
    pub fn arange(&self, start: f64, stop: f64, step: f64, dtype: DType) -> Result<Tensor> {
        let name = "arange";
        if step == 0.0 || !start.is_finite() || !stop.is_finite() || !step.is_finite() {
            let [start, stop, step] = [start, stop, step].map(Decimal::from);
            let what = format!(
                "from {start} to {stop} in steps of {step}: expected finite bounds, and a step not 0"
            );
            return Err(Error::value(name, what));
        }
        if dtype == DType::Bool {
            return Err(Error::dtype(name, "does not make bool"));
        }
        if dtype.is_packed() {
            return build::cast(name, &self.arange(start, stop, step, dtype.computed())?, dtype);
        }
        let length = ((stop - start) / step).ceil().max(0.0);
        let shape = Shape::checked(name, &[if length < 4e9 { length as usize } else { usize::MAX }])?;
        // Whole ranges are counted in integers, where f32 would round.
        let whole = start.fract() == 0.0 && step.fract() == 0.0 && start.abs() < 1e9 && step.abs() < 1e9;
        let count = if whole && dtype == DType::F32 { DType::I32 } else { dtype };
        let mut values =
            self.positions(name, &shape, 0, if count == DType::U32 { count } else { DType::I32 })?;
        values = build::cast(name, &values, count)?;
        if step != 1.0 {
            let step = self.scaled(name, step, count)?;
            values = build::binary(name, Binary::Mul, &values, &build::expand(name, &step, &shape)?)?;
        }
        if start != 0.0 {
            let start = self.scaled(name, start, count)?;
            values = build::binary(name, Binary::Add, &values, &build::expand(name, &start, &shape)?)?;
        }
        build::cast(name, &values, dtype)
    }

    /// A run-time number of a range; u32 ranges may run downwards, where the step wraps.
    fn scaled(&self, name: &str, number: f64, dtype: DType) -> Result<Tensor> {
        match dtype {
            DType::U32 if number < 0.0 => Ok(self.scalar(Literal::from_f64(dtype, number))),
            _ => Operand::Number(number).to_tensor(name, self, dtype),
        }
    }

    /// `count` values evenly spaced from `start` to `stop`, both included (`stop` left out if not
    /// `endpoint`), in f32.
    pub fn linspace(&self, start: f64, stop: f64, count: usize, endpoint: bool) -> Result<Tensor> {
        let name = "linspace";
        let shape = Shape::checked(name, &[count])?;
        let intervals = if endpoint { count.saturating_sub(1) } else { count };
        let number = |value: f64| build::expand(name, &self.scalar(Literal::F32(value as f32)), &shape);
        let position = self.positions(name, &shape, 0, DType::I32)?;
        let last = build::expand(name, &self.constant(name, Literal::I32(intervals as i32))?, &shape)?;
        let steps = build::cast(name, &position, DType::F32)?;
        let step = number((stop - start) / (intervals.max(1)) as f64)?;
        let along = build::binary(name, Binary::Mul, &steps, &step)?;
        let value = build::binary(name, Binary::Add, &number(start)?, &along)?;
        if !endpoint || count < 2 {
            return Ok(value);
        }
        let inside = build::compare(name, Compare::Lt, &position, &last)?;
        build::select(name, &inside, &value, &number(stop)?)
    }

    /// A matrix of 1 on its diagonal, shifted right by `diagonal`, and 0 elsewhere.
    pub fn eye(&self, rows: usize, columns: usize, diagonal: i64, dtype: DType) -> Result<Tensor> {
        let name = "eye";
        let shape = Shape::checked(name, &[rows, columns])?;
        let shift = diagonal.clamp(-(rows as i64), columns as i64) as i32;
        let row = self.positions(name, &shape, 0, DType::I32)?;
        let shift = build::constant_like(name, &row, Literal::I32(shift))?;
        let shifted = build::binary(name, Binary::Add, &row, &shift)?;
        let on = build::compare(name, Compare::Eq, &shifted, &self.positions(name, &shape, 1, DType::I32)?)?;
        build::cast(name, &on, dtype)
    }

    /// The position along `axis` of a tensor of `shape`, as i32 or u32.
    pub(crate) fn positions(&self, name: &str, shape: &Shape, axis: usize, dtype: DType) -> Result<Tensor> {
        self.append(name, Op::Iota { shape: shape.clone(), axis, dtype }, &[])
    }

    /// A matrix of ones up to a diagonal, and zeros above, in f32.
    pub fn tri(&self, rows: usize, columns: usize, diagonal: i64) -> Result<Tensor> {
        self.ones(&[rows, columns], DType::F32)?.tril(diagonal)
    }
}
