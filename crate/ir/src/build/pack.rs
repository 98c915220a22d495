//! Packed dtypes: several elements to a word. They are packed and unpacked in existing primitives,
//! so that no stage after a program is made knows of packed dtypes: a stored tensor of one is its
//! words, and each word is written by one invocation.

use super::{Build, ProgramBuilder, Ref};
use crate::dtype::{DType, Literal};
use crate::error::Result;
use crate::op::{Binary, Coefficient, Op, Unary, View};
use crate::program::ProgramId;
use crate::shape::Shape;

/// Deferred: few programs have packed dtypes.
impl dyn Build + '_ {
    /// The values, in the dtype that `dtype` is computed in, that remain of `x` when it is stored
    /// as the packed `dtype`: halves are the nearest, ties to even; integers wrap, and of floats
    /// they are cut towards zero and saturate.
    pub fn fitted(&mut self, x: Ref, dtype: DType) -> Result<Ref> {
        let from_float = self.dtype(x) == DType::F32;
        let x = self.cast(x, dtype.computed())?;
        match dtype {
            DType::F16 if self.is_half(x) => Ok(x),
            DType::F16 => {
                let half = self.unary(Unary::ToHalf, x)?;
                self.unary(Unary::OfHalf, half)
            }
            DType::I8 if from_float => {
                let below = self.with_number(Binary::Min, x, 127.0)?;
                self.with_number(Binary::Max, below, -128.0)
            }
            DType::I8 => self.last_byte(x),
            DType::U8 if from_float => self.with_number(Binary::Min, x, 255.0),
            DType::U8 => self.with_number(Binary::And, x, 255.0),
            _ => Ok(x),
        }
    }

    /// Whether every element is known to be the value of a half: those of halves were only moved.
    fn is_half(&self, mut x: Ref) -> bool {
        loop {
            match self.definition(x) {
                (Op::Unary(Unary::OfHalf), _) => return true,
                (Op::View(View::Pad { value, .. }), _) if value.bits() != 0 => return false,
                (Op::View(_), inputs) => x = inputs[0],
                _ => return false,
            }
        }
    }

    /// The last eight bits of an i32 with their sign.
    fn last_byte(&mut self, x: Ref) -> Result<Ref> {
        let high = self.with_number(Binary::Shl, x, 24.0)?;
        self.with_number(Binary::Shr, high, 24.0)
    }

    /// How far each lane of `count` words is from the lowest bit.
    fn shifts(&mut self, count: usize, lanes: usize) -> Result<Ref> {
        let lane = self.op(Op::Iota { shape: [count, lanes].into(), axis: 1, dtype: DType::U32 }, &[])?;
        self.with_number(Binary::Mul, lane, (32 / lanes) as f64)
    }

    /// The words that hold what fits the packed `dtype`; what is left of the last is 0.
    pub fn packed(&mut self, x: Ref, dtype: DType) -> Result<Ref> {
        let (lanes, size) = (dtype.lanes(), self.shape(x).size());
        let words = dtype.words(size);
        if size == 0 {
            return self.full(Literal::U32(0), &[0].into());
        }
        let bits = match dtype {
            DType::F16 => self.halves(x)?,
            _ => {
                let bits = self.cast(x, DType::U32)?;
                self.with_number(Binary::And, bits, 255.0)?
            }
        };
        let mut bits = self.reshape(bits, &[size].into())?;
        if words * lanes > size {
            let (low, interior) = (vec![Coefficient::Const(0)], vec![0]);
            let view = View::Pad { low, interior, shape: [words * lanes].into(), value: Literal::U32(0) };
            bits = self.op(Op::View(view), &[bits])?;
        }
        let bits = self.reshape(bits, &[words, lanes].into())?;
        let shifts = self.shifts(words, lanes)?;
        let shifted = self.binary(Binary::Shl, bits, shifts)?;
        // No two lanes have a bit in common.
        self.sum(shifted, &[1])
    }

    /// The bits of halves, which may be at hand.
    fn halves(&mut self, x: Ref) -> Result<Ref> {
        if let (Op::Unary(Unary::OfHalf), inputs) = self.definition(x)
            && let (Op::Unary(Unary::ToHalf), _) = self.definition(inputs[0])
        {
            return Ok(inputs[0]);
        }
        self.unary(Unary::ToHalf, x)
    }

    /// The elements that `words` hold, in the dtype that the packed `dtype` is computed in.
    pub fn unpacked(&mut self, words: Ref, shape: &Shape, dtype: DType) -> Result<Ref> {
        let (lanes, size) = (dtype.lanes(), shape.size());
        let count = dtype.words(size);
        if size == 0 {
            return self.full(Literal::zero(dtype), shape);
        }
        let column = self.reshape(words, &[count, 1].into())?;
        let spread = self.expand(column, &[count, lanes].into())?;
        let shifts = self.shifts(count, lanes)?;
        let lane = self.binary(Binary::Shr, spread, shifts)?;
        let flat = self.reshape(lane, &[count * lanes].into())?;
        let flat = self.leading(flat, size)?;
        let bits = self.reshape(flat, shape)?;
        match dtype {
            DType::F16 => self.unary(Unary::OfHalf, bits),
            DType::I8 => {
                let bits = self.cast(bits, DType::I32)?;
                self.last_byte(bits)
            }
            _ => self.with_number(Binary::And, bits, 255.0),
        }
    }

    /// The first `size` elements of a line.
    fn leading(&mut self, x: Ref, size: usize) -> Result<Ref> {
        if self.shape(x).size() == size {
            return Ok(x);
        }
        let starts = vec![Coefficient::Const(0)];
        self.op(Op::View(View::Slice { starts, steps: vec![1], lengths: vec![size] }), &[x])
    }
}

impl ProgramBuilder {
    /// A stored tensor that is a leaf of the program: what it holds, unpacked where it is packed.
    pub fn leaf(&mut self, shape: &Shape, dtype: DType) -> ProgramId {
        if !dtype.is_packed() {
            return self.push(Op::Buffer(shape.clone(), dtype), Vec::new(), shape.clone(), dtype);
        }
        let words: Shape = [dtype.words(shape.size())].into();
        let leaf = self.push(Op::Buffer(words.clone(), DType::U32), Vec::new(), words, DType::U32);
        let build: &mut dyn Build = self;
        let made = build.unpacked(Ref(leaf.0), shape, dtype);
        ProgramId(made.expect("as many words as the elements take").0)
    }

    /// What is stored of a result of `dtype`: its words where that is packed.
    pub fn result(&mut self, x: ProgramId, dtype: DType) -> ProgramId {
        if !dtype.is_packed() {
            return x;
        }
        let build: &mut dyn Build = self;
        ProgramId(build.packed(Ref(x.0), dtype).expect("it is computed in the dtype's own").0)
    }
}
