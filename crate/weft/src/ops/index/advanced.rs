//! Advanced indexing by NumPy's rules: positions, ranges and tensors of indices together, and a
//! mode for indices beyond an axis. `update.rs` writes such elements; `mod.rs` takes one index
//! along one axis, which is most of indexing.
//!
//! Deferred: few programs index by tensors.

use crate::device::literal;
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::ops::shape::slice::Range;
use weft_ir::op::{Binary, Compare, Op};
use weft_ir::{DType, Error, Literal, Result, Shape};

/// What stands for an axis, or between axes.
#[derive(Clone, Debug)]
pub enum Pick {
    /// A position, negative from the end; the axis goes.
    At(i64),
    /// A range of positions; the axis stays.
    Span(Range),
    /// A new axis of extent 1.
    New,
    /// As many whole axes as nothing else stands for; once.
    Rest,
    /// Positions, i32 or u32, whose axes take the place of this one; several such broadcast
    /// together, and positions count as 0-d ones.
    Many(Many),
}

/// Positions along an axis, and what is known of them.
#[derive(Clone, Debug)]
pub struct Many {
    /// The positions.
    pub indices: Tensor,
    /// The least and the greatest of them, if known.
    pub known: Option<(i64, i64)>,
    /// The extent that the axis has to have, as that of a mask has.
    pub of: Option<usize>,
}

impl From<&Tensor> for Pick {
    fn from(indices: &Tensor) -> Pick {
        Pick::Many(Many { indices: indices.clone(), known: None, of: None })
    }
}

/// What indices beyond an axis mean.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Outside {
    /// What is read there is the nearest element, and what is written is left out; where it is
    /// known beforehand, an error.
    Usual,
    /// The nearest element, also where it is written.
    Nearest,
    /// The same, and negative positions do not count from the end: NumPy's `take`.
    FromStart,
    /// They go on counting from the other end.
    Wrap,
    /// What is read there is this number, or where there is none NaN, the least integer that is
    /// signed, the greatest that is not, or true; what is written is left out.
    Fill(Option<f64>),
}

impl Tensor {
    /// The elements that `picks` name, one of which stands for each axis; axes without one are
    /// whole. Where tensors of indices, and positions beside them, stand side by side, the axes to
    /// which they broadcast take the place of those that they index, else they come first.
    ///
    /// Errors with `Axis` for more of them than axes, `Value` for a position that there is not
    /// where it is known, `DType` for indices that are no integers, `Shape` where they do not
    /// broadcast or there is nothing to take from.
    pub fn pick(&self, picks: &[Pick], outside: Outside) -> Result<Tensor> {
        let name = "at.get";
        let plan = Plan::new(name, self, picks, outside)?;
        let part = self.sliced(name, &plan.ranges)?;
        let Some(found) = &plan.found else { return build::reshape(name, &part, &plan.shape) };
        let lines = found.lines(name, &part)?;
        if lines.shape()[found.axis] == 0 && found.at.size() > 0 {
            return Err(Error::shape(name, format!("{} has nothing to take", self.shape())));
        }
        let read = self.device().append(name, Op::Gather { axis: found.axis }, &[&lines, &found.at])?;
        let read = match outside {
            Outside::Fill(fill) => {
                filled(name, &read, &found.aligned(name, &found.beyond, read.rank())?, fill)?
            }
            _ => read,
        };
        build::reshape(name, &read, &plan.shape)
    }

    /// [`Tensor::take_along_axis`], where indices beyond the axis mean what `outside` says.
    pub fn take_along_axis_or(&self, indices: &Tensor, axis: i64, outside: Outside) -> Result<Tensor> {
        let name = "takeAlongAxis";
        let (at, beyond) = inside(name, indices, self.shape()[self.shape().axis(name, axis)?], outside)?;
        let read = self.take_along_axis(&at, axis)?;
        match outside {
            Outside::Fill(fill) => filled(name, &read, &beyond, fill),
            _ => Ok(read),
        }
    }
}

/// What was read, and where `beyond` holds, which broadcasts, what stands for nothing.
fn filled(name: &str, read: &Tensor, beyond: &Tensor, fill: Option<f64>) -> Result<Tensor> {
    let fill = match (fill, read.dtype()) {
        (Some(number), dtype) => literal(name, number, dtype)?,
        (None, DType::I32) => Literal::I32(i32::MIN),
        (None, DType::U32) => Literal::U32(u32::MAX),
        (None, dtype) => Literal::from_f64(dtype, f64::NAN),
    };
    let fill = build::cast(name, &read.device().scalar(fill), read.dtype())?;
    let fill = build::expand(name, &fill, read.shape())?;
    build::select(name, &build::expand(name, beyond, read.shape())?, &fill, read)
}

/// Where indices lie along an axis of `extent`, as i32 inside it unless it is empty, and whether
/// they lay beyond it.
fn inside(name: &str, indices: &Tensor, extent: usize, outside: Outside) -> Result<(Tensor, Tensor)> {
    if indices.dtype() == DType::Bool {
        let what = "a mask that is a tensor must be the only index, and can only be written to; `extract` reads what it chooses";
        return Err(Error::dtype(name, what));
    }
    if !indices.dtype().is_integer() {
        return Err(Error::dtype(
            name,
            format!("indices must be i32 or u32, got {}: cast them to i32", indices.dtype()),
        ));
    }
    let wraps = outside == Outside::Wrap;
    let mut at = if wraps { indices.remainder(extent as f64)? } else { indices.clone() };
    if at.dtype() == DType::U32 {
        // Clipped so that no large index becomes negative in i32.
        at = build::cast(name, &at.clip(None, Some(extent as f64))?, DType::I32)?;
    } else if !wraps && outside != Outside::FromStart {
        let from_end = at.add(extent as f64)?;
        at = crate::ops::elementwise::select(&at.less(0.0)?, &from_end, &at)?;
    }
    let nearest = at.clip(Some(0.0), Some(extent.max(1) as f64 - 1.0))?;
    let beyond = build::compare(name, Compare::Ne, &nearest, &at)?;
    Ok((nearest, beyond))
}

/// The resolved index plan.
pub(crate) struct Plan {
    /// What is taken of each axis before indices are looked up.
    pub ranges: Vec<Range>,
    /// The shape of what they name.
    pub shape: Shape,
    /// What the indices name of that part, if there are any.
    pub found: Option<Found>,
}

/// Elements by index: of a part whose indexed axes are made one.
pub(crate) struct Found {
    /// In which order the part's axes stand, those that are indexed side by side.
    order: Vec<usize>,
    /// The place of the one axis that the indexed ones become.
    pub axis: usize,
    /// How many become it.
    many: usize,
    /// The positions along it.
    pub at: Tensor,
    /// Which of them were beyond an axis.
    pub beyond: Tensor,
}

impl Plan {
    pub fn new(name: &str, x: &Tensor, picks: &[Pick], outside: Outside) -> Result<Plan> {
        let Axes { ranges, stay, mut extents, indexed, front, apart } = Axes::new(name, x, picks, outside)?;
        let Some(&(first, _)) = indexed.first() else {
            return Ok(Plan { ranges, shape: Shape::checked(name, &extents)?, found: None });
        };
        let (axis, front) = if apart { (0, 0) } else { (first, front) };
        let (at, beyond) = together(name, x, &indexed, outside)?;
        let mut order = stay;
        order.splice(axis..axis, indexed.iter().map(|(axis, _)| *axis));
        extents.splice(front..front, at.shape().iter().copied());
        let found = Found { order, axis, many: indexed.len(), at, beyond };
        Ok(Plan { ranges, shape: Shape::checked(name, &extents)?, found: Some(found) })
    }
}

/// What picks say of each axis.
#[derive(Default)]
struct Axes {
    /// What is taken of each before indices are looked up.
    ranges: Vec<Range>,
    /// Those that stay, and their extents and those that are new.
    stay: Vec<usize>,
    extents: Vec<usize>,
    /// The others, and what indexes them.
    indexed: Vec<(usize, Tensor)>,
    /// How many extents come before the first that is indexed.
    front: usize,
    /// Whether something stands between what indexes.
    apart: bool,
}

impl Axes {
    fn new(name: &str, x: &Tensor, picks: &[Pick], outside: Outside) -> Result<Axes> {
        let mut axes = Axes::default();
        let mut last = None;
        for (place, pick) in for_each_axis(name, x, picks)?.iter().enumerate() {
            let axis = axes.ranges.len();
            let index = match pick {
                Pick::New => {
                    axes.extents.push(1);
                    continue;
                }
                Pick::Rest => continue,
                Pick::Span(range) => {
                    axes.ranges.push(*range);
                    axes.stay.push(axis);
                    axes.extents.push(range.resolve(x.shape()[axis]).1);
                    continue;
                }
                Pick::At(position) => {
                    known(name, x, axis, (*position, *position), outside)?;
                    x.device().scalar(Literal::I32(*position as i32))
                }
                Pick::Many(many) => {
                    if let Some(range) = many.known {
                        known(name, x, axis, range, outside)?;
                    }
                    if many.of.is_some_and(|extent| extent != x.shape()[axis]) {
                        let what = format!("a mask along axis {axis} of {} must have its extent", x.shape());
                        return Err(Error::shape(name, what));
                    }
                    many.indices.clone()
                }
            };
            match last {
                None => axes.front = axes.extents.len(),
                Some(last) => axes.apart |= place != last + 1,
            }
            last = Some(place);
            axes.ranges.push(Range::ALL);
            axes.indexed.push((axis, index));
        }
        Ok(axes)
    }
}

/// Picks for all axes: whole ones stand where `Rest` does, or last.
fn for_each_axis(name: &str, x: &Tensor, picks: &[Pick]) -> Result<Vec<Pick>> {
    let taken = picks.iter().filter(|pick| !matches!(pick, Pick::New | Pick::Rest)).count();
    let rests = picks.iter().filter(|pick| matches!(pick, Pick::Rest)).count();
    if rests > 1 {
        return Err(Error::value(name, "only one `...` is allowed"));
    }
    if taken > x.rank() {
        let what = format!("{} has {} axes, got {taken} indices", x.shape(), x.rank());
        return Err(Error::axis(name, what));
    }
    if picks.iter().any(|pick| matches!(pick, Pick::Span(range) if range.step == 0)) {
        return Err(Error::value(name, "the step must not be 0"));
    }
    let whole = vec![Pick::Span(Range::ALL); x.rank() - taken];
    let end = picks.iter().position(|pick| matches!(pick, Pick::Rest));
    // An ellipsis that covers no axes still separates its neighbours.
    let (before, after) = picks.split_at(end.map_or(picks.len(), |end| end + 1));
    Ok([before, &whole, after].concat())
}

/// Positions along several axes as those along all of them as one, and which were beyond one of
/// them.
fn together(
    name: &str,
    x: &Tensor,
    indexed: &[(usize, Tensor)],
    outside: Outside,
) -> Result<(Tensor, Tensor)> {
    let mut shape = Shape::scalar();
    for (_, index) in indexed {
        shape = Shape::broadcast(name, &shape, index.shape())?;
    }
    let nothing = |literal| build::expand(name, &x.device().constant(name, literal)?, &shape);
    let (mut at, mut beyond) = (nothing(Literal::I32(0))?, nothing(Literal::Bool(false))?);
    let mut stride = 1;
    for (axis, index) in indexed.iter().rev() {
        let (own, own_beyond) = inside(name, index, x.shape()[*axis], outside)?;
        at = at.add(own.mul(f64::from(stride))?)?;
        let own_beyond = build::expand(name, &own_beyond, &shape)?;
        beyond = build::binary(name, Binary::Or, &beyond, &own_beyond)?;
        stride *= x.shape()[*axis] as i32;
    }
    Ok((at, beyond))
}

/// Errors with `Value` for known positions, from the least to the greatest, beyond an axis where
/// that has no meaning.
fn known(name: &str, x: &Tensor, axis: usize, (least, greatest): (i64, i64), outside: Outside) -> Result<()> {
    let extent = x.shape()[axis] as i64;
    let wrong = if least < -extent { least } else { greatest };
    if outside == Outside::Usual && !(-extent..extent).contains(&wrong) {
        let what = format!("index {wrong} is out of range on axis {axis} of {}", x.shape());
        return Err(Error::value(name, what));
    }
    Ok(())
}

impl Found {
    /// The part with its indexed axes as one.
    pub fn lines(&self, name: &str, part: &Tensor) -> Result<Tensor> {
        let turned = build::permute(name, part, self.order.clone())?;
        let (before, rest) = turned.shape().split_at(self.axis);
        let (indexed, after) = rest.split_at(self.many);
        let shape = [before, &[indexed.iter().product()], after].concat();
        build::reshape(name, &turned, &shape.into())
    }

    /// What [`Found::lines`] made of a part of `shape`, back in that.
    pub fn part(&self, name: &str, lines: &Tensor, shape: &Shape) -> Result<Tensor> {
        let turned: Vec<usize> = self.order.iter().map(|&axis| shape[axis]).collect();
        let mut back = vec![0; self.order.len()];
        self.order.iter().enumerate().for_each(|(place, &axis)| back[axis] = place);
        build::permute(name, &build::reshape(name, lines, &turned.into())?, back)
    }

    /// One value for each position, so that it broadcasts with what is found, of `rank` axes.
    pub fn aligned(&self, name: &str, each: &Tensor, rank: usize) -> Result<Tensor> {
        let after = vec![1; rank - self.axis - each.rank()];
        build::reshape(name, each, &[&each.shape()[..], &after].concat().into())
    }
}

/// Picks as another language writes them: a kind and three numbers for each.
pub(crate) fn picks(words: &[i64], tensors: &[Tensor]) -> Vec<Pick> {
    /// Kinds; what is none of these is a range.
    const AT: i64 = 1;
    const NEW: i64 = 3;
    const REST: i64 = 4;
    const MANY: i64 = 5;
    /// Stands for what was left out.
    const OPEN: i64 = i32::MIN as i64;
    let mut tensors = tensors.iter();
    let given = |word: i64| (word != OPEN).then_some(word);
    let mut many = |word: &[i64]| {
        let indices = tensors.next()?.clone();
        Some(Pick::Many(Many {
            indices,
            known: given(word[1]).zip(given(word[2])),
            of: usize::try_from(word[3]).ok(),
        }))
    };
    let pick = |word: &[i64]| match word[0] {
        AT => Pick::At(word[1]),
        NEW => Pick::New,
        REST => Pick::Rest,
        MANY => many(word).unwrap_or(Pick::New),
        _ => Pick::Span(Range { start: given(word[1]), stop: given(word[2]), step: word[3] }),
    };
    words.chunks_exact(4).map(pick).collect()
}

/// What indices beyond an axis mean, by number.
pub(crate) fn outside(mode: i64, fill: Option<f64>) -> Outside {
    match mode {
        1 => Outside::Nearest,
        2 => Outside::Wrap,
        3 => Outside::Fill(fill),
        4 => Outside::FromStart,
        _ => Outside::Usual,
    }
}
