//! Arguments of calls by name: a row of numbers in the order of the operation's parameters, so that
//! one function calls them all, from any language.
//!
//! | kind of parameter | numbers |
//! |---|---|
//! | `tensor`, `integers`, `key`, `stored` | its handle |
//! | `maybe` | its handle, or 0 for none |
//! | `outer` | −1 for none, or how many and each |
//! | `operand`, `storedOperand` | a handle, or 0 and the plain number |
//! | `number`, `finite`, `count`, `whole`, `axis`, `flag`, `initial` | itself; true is 1 |
//! | `bound` | 0 for none, or 1 and the number |
//! | `axes` | −1 for all, or how many and each |
//! | `wholes`, `counts`, `places`, `order`, `extents`, `widths` | how many and each |
//! | `tensors` | how many and their handles |
//! | `operands` | how many and each |
//! | `scalars` | how many and each, as an operand |
//! | `totalled`, `averaged` | whether axes stay |
//! | `spacing` | whether the end is among the numbers, and their dtype |
//! | `equality`, `inversion` | whether NaN is equal to NaN; whether truth is turned round |
//! | `shifts` | as `wholes`, or −1 and the handle of a tensor |
//! | `ends` | as `bound` each, what is left and right of a curve, and its period |
//! | `winding` | the period, and as `bound` what a jump is at least |
//! | `thirds` | −1 for none, or the axes of both operands and of the result |
//! | `half` | 0 for both halves of a matrix, 1 for the lower, 2 for the upper |
//! | `closeness` | the relative and the absolute distance, and whether NaN is close to NaN |
//! | `triangle` | whether it is the lower one, transposed, and has ones on its diagonal |
//! | `matrixOrder` | 0 for none, 1 and the order, 2 for Frobenius', or 3 for the nuclear one |
//! | `between` | whether axes stay, and what is between two elements, by its name |
//! | `text` | how many letters, and the number of each in Unicode |
//! | `dtype` | its place in `DType::ALL` |
//! | `ranges` | how many, and for each axis what `Ranges` says |

use crate::device::tensor::Tensor;
use crate::device::{Device, literal};
use crate::lazy::build;
use crate::lazy::operand::Operand;
use crate::linalg::{Half, Order};
use crate::ops::create::sequence::Spacing;
use crate::ops::reduce::nan::Closeness;
use crate::ops::shape::shift::Shifts;
use crate::ops::shape::slice::{Part, Range};
use crate::ops::signal::interpolate::Ends;
use crate::ops::sort::quantile::Between;
use weft_ir::{DType, Decimal, Error, Result};

/// Where handles lead.
pub trait Handles {
    /// The tensor of a handle, which is not 0. Errors with `Disposed` in the name of `op`.
    fn tensor(&self, op: &str, handle: u32) -> Result<Tensor>;
}

/// What rows say of results that are of the first tensor's dtype, but for bools, with which there
/// is no arithmetic.
const SAME_BUT_BOOL: &str = "the dtype of x, i32 of bool";

/// What they say of results that are f32 though all tensors are halves.
const WIDE: &str = "f32 even of f16";

/// The arguments of one call that are still to be read.
pub(crate) struct Frame<'a> {
    op: &'static str,
    device: &'a Device,
    handles: &'a dyn Handles,
    numbers: std::slice::Iter<'a, f64>,
    /// The dtype of the first tensor, and that in which all of them meet.
    dtypes: Option<(DType, DType)>,
    /// The least and the largest of the plain numbers among the operands.
    span: Option<(f64, f64)>,
    /// Plain numbers among them that stand as tensors.
    given: Vec<Tensor>,
}

impl<'a> Frame<'a> {
    pub fn new(
        op: &'static str,
        device: &'a Device,
        handles: &'a dyn Handles,
        numbers: &'a [f64],
    ) -> Frame<'a> {
        Frame { op, device, handles, numbers: numbers.iter(), dtypes: None, span: None, given: Vec::new() }
    }

    /// What the operation made of its tensors, stored as they are: where they are packed it was
    /// computed in full and is packed again, once. A half stays a half unless it meets a float;
    /// integers stay small where the table says that the dtype is the same or the promoted one.
    pub fn narrowed(&self, made: Tensor, gives: &str) -> Result<Tensor> {
        let Some((first, all)) = self.dtypes else { return Ok(made) };
        // It takes its dtype from theirs; most calls end here, before words are compared.
        if !(first.is_packed() || all.is_packed()) {
            return Ok(made);
        }
        let dtype = match gives {
            "`dtype`" => return Ok(made),
            _ if gives.contains(WIDE) => return Ok(made),
            _ if all == DType::F16 => all,
            "same" | SAME_BUT_BOOL => first,
            _ if gives.contains("promoted") => all,
            _ => return Ok(made),
        };
        if dtype.is_packed() && made.dtype() == dtype.computed() {
            // It was computed in a wider dtype.
            if let Some((least, largest)) = self.span {
                literal(self.op, least, dtype)?;
                literal(self.op, largest, dtype)?;
            }
            self.given.iter().try_for_each(|number| number.expect_to_fit(self.op, dtype))?;
            return build::cast(self.op, &made, dtype);
        }
        Ok(made)
    }

    /// The next number. Errors with `Internal` when there is none: who calls knows the operation's
    /// parameters.
    fn number(&mut self) -> Result<f64> {
        let missing = || Error::new(weft_ir::ErrorKind::Internal, self.op, "the call is cut short");
        self.numbers.next().copied().ok_or_else(missing)
    }

    /// The next number, and as many as it says.
    fn list(&mut self) -> Result<&'a [f64]> {
        let count = self.number()? as usize;
        let rest = self.numbers.as_slice();
        let list = rest
            .get(..count)
            .ok_or_else(|| Error::new(weft_ir::ErrorKind::Internal, self.op, "the call is cut short"))?;
        self.numbers = rest[count..].iter();
        Ok(list)
    }

    /// The tensor of a handle, in the dtype in which it is computed.
    fn tensor(&mut self, handle: f64) -> Result<Tensor> {
        let tensor = self.handles.tensor(self.op, handle as u32)?;
        let dtype = tensor.dtype();
        let (first, all) = self.dtypes.unwrap_or((dtype, dtype));
        self.dtypes = Some((first, DType::promote(all, dtype)));
        if dtype.is_packed() { build::cast(self.op, &tensor, dtype.computed()) } else { Ok(tensor) }
    }
}

/// What an argument of some kind is to the function that takes it.
pub(crate) trait Take: Sized {
    fn take(frame: &mut Frame<'_>) -> Result<Self>;
}

impl Take for Device {
    fn take(frame: &mut Frame<'_>) -> Result<Device> {
        Ok(frame.device.clone())
    }
}

impl Take for Tensor {
    fn take(frame: &mut Frame<'_>) -> Result<Tensor> {
        let handle = frame.number()?;
        frame.tensor(handle)
    }
}

/// A tensor as it is stored.
pub(crate) struct Stored(pub Tensor);

impl Take for Stored {
    fn take(frame: &mut Frame<'_>) -> Result<Stored> {
        let handle = frame.number()?;
        frame.handles.tensor(frame.op, handle as u32).map(Stored)
    }
}

/// An operand as it is stored.
pub(crate) struct StoredOperand(pub Operand);

impl Take for StoredOperand {
    fn take(frame: &mut Frame<'_>) -> Result<StoredOperand> {
        let handle = frame.number()?;
        let operand = if handle == 0.0 {
            Operand::Number(frame.number()?)
        } else {
            frame.handles.tensor(frame.op, handle as u32)?.into()
        };
        Ok(StoredOperand(operand))
    }
}

impl Take for Operand {
    fn take(frame: &mut Frame<'_>) -> Result<Operand> {
        let handle = frame.number()?;
        if handle == 0.0 {
            let number = frame.number()?;
            let (least, largest) = frame.span.unwrap_or((number, number));
            frame.span = Some((least.min(number), largest.max(number)));
            Ok(Operand::Number(number))
        } else {
            let tensor = frame.handles.tensor(frame.op, handle as u32)?;
            match tensor.plain_number() {
                Some(_) => {
                    frame.given.push(tensor.clone());
                    Ok(tensor.into())
                }
                None => frame.tensor(handle).map(Operand::Tensor),
            }
        }
    }
}

impl Take for Vec<Operand> {
    fn take(frame: &mut Frame<'_>) -> Result<Vec<Operand>> {
        let count = frame.number()? as usize;
        (0..count).map(|_| Operand::take(frame)).collect()
    }
}

/// Numbers and 0-d tensors that say where something is.
pub(crate) struct Scalars(pub Vec<Operand>);

impl Take for Scalars {
    fn take(frame: &mut Frame<'_>) -> Result<Scalars> {
        let count = frame.number()? as usize;
        (0..count).map(|_| StoredOperand::take(frame).map(|one| one.0)).collect::<Result<_>>().map(Scalars)
    }
}

impl Take for Vec<Tensor> {
    fn take(frame: &mut Frame<'_>) -> Result<Vec<Tensor>> {
        let handles = frame.list()?;
        handles.iter().map(|&handle| frame.tensor(handle)).collect()
    }
}

impl Take for f64 {
    fn take(frame: &mut Frame<'_>) -> Result<f64> {
        frame.number()
    }
}

impl Take for i64 {
    fn take(frame: &mut Frame<'_>) -> Result<i64> {
        Ok(frame.number()? as i64)
    }
}

impl Take for usize {
    fn take(frame: &mut Frame<'_>) -> Result<usize> {
        Ok(frame.number()? as usize)
    }
}

impl Take for bool {
    fn take(frame: &mut Frame<'_>) -> Result<bool> {
        Ok(frame.number()? != 0.0)
    }
}

impl Take for Option<f64> {
    fn take(frame: &mut Frame<'_>) -> Result<Option<f64>> {
        if frame.number()? == 0.0 { Ok(None) } else { frame.number().map(Some) }
    }
}

impl Take for Vec<i64> {
    fn take(frame: &mut Frame<'_>) -> Result<Vec<i64>> {
        Ok(frame.list()?.iter().map(|&number| number as i64).collect())
    }
}

impl Take for Vec<usize> {
    fn take(frame: &mut Frame<'_>) -> Result<Vec<usize>> {
        Ok(<Vec<i64>>::take(frame)?.into_iter().map(|extent| extent as usize).collect())
    }
}

impl Take for Option<Vec<i64>> {
    fn take(frame: &mut Frame<'_>) -> Result<Option<Vec<i64>>> {
        if frame.numbers.as_slice().first() == Some(&-1.0) {
            frame.number()?;
            return Ok(None);
        }
        <Vec<i64>>::take(frame).map(Some)
    }
}

impl Take for DType {
    fn take(frame: &mut Frame<'_>) -> Result<DType> {
        let code = frame.number()?;
        let known = DType::ALL.get(code as usize).copied();
        known.ok_or_else(|| Error::dtype(frame.op, format!("no dtype has the code {}", Decimal::from(code))))
    }
}

/// What each axis is of a part: a kind, start, stop and step for each.
pub(crate) struct Ranges(pub Vec<Part>);

impl Take for Ranges {
    fn take(frame: &mut Frame<'_>) -> Result<Ranges> {
        /// Kinds: the whole axis, and one position.
        const ALL: i64 = 0;
        const AT: i64 = 1;
        /// Stands for a start or stop that was left out.
        const OPEN: i64 = i32::MIN as i64;
        let words = <Vec<i64>>::take(frame)?;
        let given = |word: i64| (word != OPEN).then_some(word);
        let part = |word: &[i64]| match word[0] {
            ALL => Part::Span(Range::ALL),
            AT => Part::At(word[1]),
            _ => Part::Span(Range { start: given(word[1]), stop: given(word[2]), step: word[3] }),
        };
        Ok(Ranges(words.chunks_exact(4).map(part).collect()))
    }
}

/// Widths before and after each axis.
pub(crate) struct Widths(pub Vec<(usize, usize)>);

impl Take for Widths {
    fn take(frame: &mut Frame<'_>) -> Result<Widths> {
        Ok(Widths(<Vec<usize>>::take(frame)?.chunks_exact(2).map(|w| (w[0], w[1])).collect()))
    }
}

/// How a variance is taken: its correction, and whether axes stay.
pub(crate) struct Spread {
    pub keepdims: bool,
    pub correction: f64,
}

impl Take for Spread {
    fn take(frame: &mut Frame<'_>) -> Result<Spread> {
        Ok(Spread { keepdims: bool::take(frame)?, correction: f64::take(frame)? })
    }
}

impl Take for Spacing {
    fn take(frame: &mut Frame<'_>) -> Result<Spacing> {
        Ok(Spacing { endpoint: bool::take(frame)?, dtype: DType::take(frame)? })
    }
}

impl Take for Shifts {
    fn take(frame: &mut Frame<'_>) -> Result<Shifts> {
        Ok(match <Option<Vec<i64>> as Take>::take(frame)? {
            Some(shifts) => Shifts::Known(shifts),
            None => Shifts::Computed(<Tensor as Take>::take(frame)?),
        })
    }
}

impl Take for Ends {
    fn take(frame: &mut Frame<'_>) -> Result<Ends> {
        let mut end = || <Option<f64> as Take>::take(frame);
        Ok(Ends { left: end()?, right: end()?, period: end()? })
    }
}

/// A period, and what a jump is at least.
pub(crate) struct Winding {
    pub period: f64,
    pub most: Option<f64>,
}

impl Take for Winding {
    fn take(frame: &mut Frame<'_>) -> Result<Winding> {
        Ok(Winding { period: f64::take(frame)?, most: <Option<f64> as Take>::take(frame)? })
    }
}

impl Take for Half {
    fn take(frame: &mut Frame<'_>) -> Result<Half> {
        Ok([Half::Both, Half::Lower, Half::Upper][usize::take(frame)?.min(2)])
    }
}

impl Take for Closeness {
    fn take(frame: &mut Frame<'_>) -> Result<Closeness> {
        Ok(Closeness {
            relative: f64::take(frame)?,
            absolute: f64::take(frame)?,
            equal_nan: bool::take(frame)?,
        })
    }
}

impl Take for (bool, Between) {
    fn take(frame: &mut Frame<'_>) -> Result<(bool, Between)> {
        Ok((bool::take(frame)?, Between::parse(&String::take(frame)?)?))
    }
}

impl Take for String {
    fn take(frame: &mut Frame<'_>) -> Result<String> {
        let letter = |&code: &f64| char::from_u32(code as u32).unwrap_or(char::REPLACEMENT_CHARACTER);
        Ok(frame.list()?.iter().map(letter).collect())
    }
}

/// Which triangle of a matrix, and how it is taken.
pub(crate) struct Triangle {
    pub lower: bool,
    pub transposed: bool,
    pub unit: bool,
}

impl Take for Triangle {
    fn take(frame: &mut Frame<'_>) -> Result<Triangle> {
        Ok(Triangle { lower: bool::take(frame)?, transposed: bool::take(frame)?, unit: bool::take(frame)? })
    }
}

impl Take for Option<Order> {
    fn take(frame: &mut Frame<'_>) -> Result<Option<Order>> {
        Ok(match usize::take(frame)? {
            0 => None,
            1 => Some(Order::Number(frame.number()?)),
            2 => Some(Order::Frobenius),
            _ => Some(Order::Nuclear),
        })
    }
}

impl Take for Option<Vec<usize>> {
    fn take(frame: &mut Frame<'_>) -> Result<Option<Vec<usize>>> {
        let given = <Option<Vec<i64>> as Take>::take(frame)?;
        Ok(given.map(|extents| extents.into_iter().map(|extent| extent as usize).collect()))
    }
}

impl Take for Option<Tensor> {
    fn take(frame: &mut Frame<'_>) -> Result<Option<Tensor>> {
        let handle = frame.number()?;
        if handle == 0.0 { Ok(None) } else { frame.tensor(handle).map(Some) }
    }
}
