//! Users' kernels from words: the form in which JavaScript hands them over.
//!
//! A kernel is a list of 32-bit words and a list of names: of the kernel, the tensors, the numbers,
//! the outputs, the locals and the arrays, in this order. Dtypes are `f32 i32 u32 bool`, functions
//! and comparisons the places in their lists in [`crate::op`], counted from 0. Words:
//!
//! | what | words |
//! |---|---|
//! | header | version 1, rank, whether it works in groups, workgroup x y z, then how many tensors, numbers, outputs, locals, arrays, expressions |
//! | tensor | dtype, rank |
//! | number, local | dtype |
//! | output | dtype, rank, combine (`set add min max and or xor`), 0 and the bits of a value or 1 and a tensor |
//! | array | dtype, length, whether it is shared |
//! | expression | its kind, then what it has: see [`Reader::expr`] |
//! | block | how many statements, then these: see [`Reader::stmt`] |
//!
//! Whatever else the words are yields an error, and takes no more memory than they do.

use super::verify::verify;
use super::{
    Array, ArrayId, Combine, Coordinate, Edge, Expr, ExprId, Initial, Local, LocalId, MAX_NESTING, Output,
    OutputId, Scalar, Stmt, SubgroupOp, Tensor, TensorId, UserKernel,
};
use crate::dtype::{DType, Literal};
use crate::error::{Error, Result};
use crate::op::function::{Binary, Compare, Unary};

const VERSION: u32 = 1;

/// The kernel of these words and names, well formed.
///
/// Errors with `Value` when they are not a kernel, or are one that is not well formed.
pub fn decode(words: &[u32], names: &[String]) -> Result<UserKernel> {
    let mut reader = Reader { words, at: 0, names: names.iter() };
    let kernel = reader.kernel()?;
    verify(&kernel).map_err(|error| error.into_error())?;
    Ok(kernel)
}

struct Reader<'a> {
    words: &'a [u32],
    at: usize,
    names: std::slice::Iter<'a, String>,
}

impl Reader<'_> {
    /// The error of words that are no kernel.
    fn refused(&self) -> Error {
        Error::value("kernel", format!("word {} of {} is not a kernel's", self.at, self.words.len()))
    }

    fn word(&mut self) -> Result<u32> {
        let word = self.words.get(self.at).copied();
        self.at += 1;
        word.ok_or_else(|| self.refused())
    }

    /// One of a list.
    fn one_of<T: Copy>(&mut self, list: &[T]) -> Result<T> {
        let word = self.word()? as usize;
        list.get(word).copied().ok_or_else(|| self.refused())
    }

    fn dtype(&mut self) -> Result<DType> {
        self.one_of(&[DType::F32, DType::I32, DType::U32, DType::Bool])
    }

    fn flag(&mut self) -> Result<bool> {
        self.one_of(&[false, true])
    }

    fn name(&mut self) -> Result<String> {
        self.names.next().cloned().ok_or_else(|| Error::value("kernel", "has fewer names than it declares"))
    }

    /// A count of things that take a word each at least.
    fn list<T>(&mut self, count: u32, mut one: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        if count as usize > self.words.len() {
            return Err(self.refused());
        }
        (0..count).map(|_| one(self)).collect()
    }

    fn id(&mut self) -> Result<ExprId> {
        self.word().map(ExprId)
    }

    /// A count and as many expressions.
    fn ids(&mut self) -> Result<Vec<ExprId>> {
        let count = self.word()?;
        self.list(count, Self::id)
    }

    fn kernel(&mut self) -> Result<UserKernel> {
        if self.word()? != VERSION {
            return Err(Error::value("kernel", "is of another version of the package"));
        }
        let rank = self.word()?;
        let grouped = self.flag()?;
        let sides = [self.word()?, self.word()?, self.word()?];
        let [tensors, scalars, outputs, locals, arrays, exprs] = [0; 6].map(|_| self.word());
        let mut kernel = UserKernel::new(&self.name()?, rank);
        kernel.workgroup = grouped.then_some(sides);
        kernel.tensors =
            self.list(tensors?, |it| Ok(Tensor { name: it.name()?, dtype: it.dtype()?, rank: it.word()? }))?;
        kernel.scalars = self.list(scalars?, |it| Ok(Scalar { name: it.name()?, dtype: it.dtype()? }))?;
        kernel.outputs = self.list(outputs?, Self::output)?;
        kernel.locals = self.list(locals?, |it| Ok(Local { name: it.name()?, dtype: it.dtype()? }))?;
        kernel.arrays = self.list(arrays?, |it| {
            Ok(Array { name: it.name()?, dtype: it.dtype()?, length: it.word()?, shared: it.flag()? })
        })?;
        kernel.exprs = self.list(exprs?, Self::expr)?;
        kernel.body = self.block(0)?;
        if self.at != self.words.len() || self.names.next().is_some() {
            return Err(self.refused());
        }
        Ok(kernel)
    }

    fn output(&mut self) -> Result<Output> {
        use Combine::{Add, And, Max, Min, Or, Set, Xor};
        let (name, dtype, rank) = (self.name()?, self.dtype()?, self.word()?);
        let combine = self.one_of(&[Set, Add, Min, Max, And, Or, Xor])?;
        let initial = match (self.word()?, self.word()?) {
            (0, bits) => Initial::Value(Literal::from_bits(dtype, bits)),
            (1, tensor) => Initial::Tensor(TensorId(tensor)),
            _ => return Err(self.refused()),
        };
        Ok(Output { name, dtype, rank, combine, initial })
    }

    /// `0 literal dtype bits`, `1 local id`, `2 number n`, `3 index grid|local|group axis`,
    /// `4 extent of the grid axis`, `5 extent tensor axis`, `6 extent of an output axis`,
    /// `7 unary op x`, `8 binary op a b`, `9 compare op a b`, `10 select condition a b`,
    /// `11 cast dtype x`, `12 bitcast dtype x`, `13 load tensor clamp|wrap|mirror|fill value n i…`,
    /// `14 element array i`, `15 subgroup add|min|max|before x`, `16 shuffle x invocation`.
    fn expr(&mut self) -> Result<Expr> {
        Ok(match self.word()? {
            0 => {
                let (dtype, bits) = (self.dtype()?, self.word()?);
                Expr::Literal(Literal::from_bits(dtype, bits))
            }
            1 => Expr::Local(LocalId(self.word()?)),
            2 => Expr::Scalar(self.word()?),
            3 => {
                let all = [Coordinate::Grid, Coordinate::Local, Coordinate::Group];
                Expr::Index(self.one_of(&all)?, self.word()?)
            }
            4 => Expr::GridExtent(self.word()?),
            5 => Expr::Extent(TensorId(self.word()?), self.word()?),
            6 => Expr::OutputExtent(OutputId(self.word()?), self.word()?),
            7 => Expr::Unary(self.one_of(&Unary::ALL)?, self.id()?),
            8 => Expr::Binary(self.one_of(&Binary::ALL)?, self.id()?, self.id()?),
            9 => Expr::Compare(self.one_of(&Compare::ALL)?, self.id()?, self.id()?),
            10 => Expr::Select(self.id()?, self.id()?, self.id()?),
            11 => Expr::Cast(self.dtype()?, self.id()?),
            12 => Expr::Bitcast(self.dtype()?, self.id()?),
            13 => {
                let (tensor, edge, value) = (TensorId(self.word()?), self.word()?, self.id()?);
                let edge = match edge {
                    0 => Edge::Clamp,
                    1 => Edge::Wrap,
                    2 => Edge::Mirror,
                    3 => Edge::Fill(value),
                    _ => return Err(self.refused()),
                };
                Expr::Load(tensor, self.ids()?, edge)
            }
            14 => Expr::Element(ArrayId(self.word()?), self.id()?),
            15 => {
                use SubgroupOp::{Add, AddBefore, Max, Min};
                Expr::Subgroup(self.one_of(&[Add, Min, Max, AddBefore])?, self.id()?)
            }
            16 => Expr::Shuffle(self.id()?, self.id()?),
            _ => return Err(self.refused()),
        })
    }

    fn block(&mut self, depth: usize) -> Result<Vec<Stmt>> {
        if depth > MAX_NESTING {
            return Err(self.refused());
        }
        let count = self.word()?;
        self.list(count, |it| it.stmt(depth))
    }

    /// `0 let local x`, `1 set element array i x`, `2 store output n i… x before` (0 or a local
    /// plus one), `3 if condition block block`, `4 for counter from to step block`,
    /// `5 while condition limit block`, `6 break`, `7 continue`, `8 return`, `9 barrier`.
    fn stmt(&mut self, depth: usize) -> Result<Stmt> {
        Ok(match self.word()? {
            0 => Stmt::Let(LocalId(self.word()?), self.id()?),
            1 => Stmt::SetElement(ArrayId(self.word()?), self.id()?, self.id()?),
            2 => {
                let (output, indices, value) = (OutputId(self.word()?), self.ids()?, self.id()?);
                let before = self.word()?.checked_sub(1).map(LocalId);
                Stmt::Store { output, indices, value, before }
            }
            3 => Stmt::If(self.id()?, self.block(depth + 1)?, self.block(depth + 1)?),
            4 => Stmt::For {
                counter: LocalId(self.word()?),
                from: self.id()?,
                to: self.id()?,
                step: self.word()? as i32,
                body: self.block(depth + 1)?,
            },
            5 => Stmt::While { condition: self.id()?, limit: self.word()?, body: self.block(depth + 1)? },
            6 => Stmt::Break,
            7 => Stmt::Continue,
            8 => Stmt::Return,
            9 => Stmt::Barrier,
            _ => return Err(self.refused()),
        })
    }
}
