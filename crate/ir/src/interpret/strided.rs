//! Strided tensors of the interpreter: shared elements behind an offset and strides, so that
//! permute, expand and slice copy nothing and a repeated number stays one number.

use crate::dtype::DType;
use crate::op::Window;
use crate::shape::Shape;
use std::borrow::Cow;
use std::rc::Rc;

/// A tensor as a window on shared elements: coordinates c stand at `offset + Σ c[i]·strides[i]`.
#[derive(Clone, Debug)]
pub(super) struct Strided<'a, T: Clone> {
    elements: Rc<Cow<'a, [T]>>,
    pub shape: Shape,
    strides: Vec<isize>,
    offset: usize,
}

/// A [`Strided`] of any dtype.
#[derive(Clone, Debug)]
pub(super) enum Tensor<'a, R: Clone> {
    Float(Strided<'a, R>),
    I32(Strided<'a, i32>),
    U32(Strided<'a, u32>),
    Bool(Strided<'a, bool>),
}

/// Evaluates `$body`, a `Strided` of any element type, with `$s` bound to the one inside `$tensor`;
/// yields a `Tensor`.
macro_rules! map_tensor {
    ($tensor:expr, $s:ident => $body:expr) => {
        match $tensor {
            Tensor::Float($s) => Tensor::Float($body),
            Tensor::I32($s) => Tensor::I32($body),
            Tensor::U32($s) => Tensor::U32($body),
            Tensor::Bool($s) => Tensor::Bool($body),
        }
    };
}
pub(super) use map_tensor;

impl<R: Clone> Tensor<'_, R> {
    pub fn dtype(&self) -> DType {
        match self {
            Tensor::Float(_) => DType::F32,
            Tensor::I32(_) => DType::I32,
            Tensor::U32(_) => DType::U32,
            Tensor::Bool(_) => DType::Bool,
        }
    }

    pub fn shape(&self) -> &Shape {
        match self {
            Tensor::Float(x) => &x.shape,
            Tensor::I32(x) => &x.shape,
            Tensor::U32(x) => &x.shape,
            Tensor::Bool(x) => &x.shape,
        }
    }
}

/// What an elementwise loop reads: one number for all positions, or a run of them.
pub(super) enum Operand<'s, T: Clone> {
    Splat(T),
    Run(Cow<'s, [T]>),
}

impl<'a, T: Copy> Strided<'a, T> {
    /// `elements` in row-major order.
    pub fn packed(shape: Shape, elements: impl Into<Cow<'a, [T]>>) -> Strided<'a, T> {
        let elements = elements.into();
        debug_assert_eq!(elements.len(), shape.size());
        let strides = row_major(&shape);
        Strided { elements: Rc::new(elements), shape, strides, offset: 0 }
    }

    /// One element everywhere.
    pub fn splat(shape: Shape, element: T) -> Strided<'a, T> {
        let strides = vec![0; shape.rank()];
        Strided { elements: Rc::new(Cow::Owned(vec![element])), shape, strides, offset: 0 }
    }

    /// `elements[c]` at every position whose coordinate along `axis` is c.
    pub fn along(shape: Shape, axis: usize, elements: Vec<T>) -> Strided<'a, T> {
        let strides = (0..shape.rank()).map(|a| isize::from(a == axis)).collect();
        Strided { elements: Rc::new(Cow::Owned(elements)), shape, strides, offset: 0 }
    }

    /// The one element at every position, if the window shows just one.
    pub fn repeated(&self) -> Option<T> {
        let still = self.shape.iter().zip(&self.strides).all(|(&extent, &stride)| extent == 1 || stride == 0);
        if still && self.shape.size() > 0 { Some(self.elements[self.offset]) } else { None }
    }

    /// The first element in row-major order; the tensor must not be empty.
    pub fn first(&self) -> T {
        self.elements[self.offset]
    }

    /// Whether the elements lie in row-major order without gaps.
    pub fn is_packed(&self) -> bool {
        let expected = row_major(&self.shape);
        self.shape.size() == 0
            || (0..self.shape.rank()).all(|a| self.shape[a] == 1 || self.strides[a] == expected[a])
    }

    /// The elements in row-major order, copied only when they lie otherwise.
    pub fn contiguous(&self) -> Cow<'_, [T]> {
        if self.is_packed() {
            let start = if self.shape.size() == 0 { 0 } else { self.offset };
            return Cow::Borrowed(&self.elements[start..start + self.shape.size()]);
        }
        Cow::Owned(self.pack())
    }

    /// The elements in row-major order as a vector of their own; the allocation is taken over where
    /// nothing shares it.
    pub fn into_vec(self) -> Vec<T> {
        match self.take() {
            Ok(elements) => elements,
            Err(shared) => shared.contiguous().into_owned(),
        }
    }

    /// The allocation itself, if it holds exactly this tensor and nothing shares it.
    pub fn take(self) -> Result<Vec<T>, Strided<'a, T>> {
        if !self.is_own() {
            return Err(self);
        }
        let Strided { elements, shape, strides, offset } = self;
        match Rc::try_unwrap(elements) {
            Ok(elements) => Ok(elements.into_owned()),
            Err(elements) => Err(Strided { elements, shape, strides, offset }),
        }
    }

    /// Whether [`Strided::take`] would give the allocation.
    pub fn is_own(&self) -> bool {
        let whole = self.elements.len() == self.shape.size() && self.offset == 0 && self.is_packed();
        whole && matches!(*self.elements, Cow::Owned(_)) && Rc::strong_count(&self.elements) == 1
    }

    /// What an elementwise loop reads.
    pub fn operand(&self) -> Operand<'_, T> {
        match self.repeated() {
            Some(element) => Operand::Splat(element),
            None => Operand::Run(self.contiguous()),
        }
    }

    /// Copies the elements out in row-major order, one run along the innermost axis at a time.
    fn pack(&self) -> Vec<T> {
        let mut out = Vec::with_capacity(self.shape.size());
        let (extents, strides) = merge_axes(&self.shape, &self.strides);
        let (&length, outer) = extents.split_last().unwrap_or((&1, &[]));
        let (&stride, outer_strides) = strides.split_last().unwrap_or((&1, &[]));
        for_each_start(outer, outer_strides, self.offset, |start| match stride {
            1 => out.extend_from_slice(&self.elements[start..start + length]),
            0 => out.resize(out.len() + length, self.elements[start]),
            _ => out
                .extend((0..length as isize).map(|i| self.elements[(start as isize + i * stride) as usize])),
        });
        out
    }

    /// The same elements under another shape of equal size; copies only when strides cannot express
    /// it.
    pub fn reshape(self, shape: Shape) -> Strided<'a, T> {
        if self.shape.size() == 0 {
            return Strided::packed(shape, Vec::new());
        }
        if self.repeated().is_some() {
            let strides = vec![0; shape.rank()];
            return Strided { strides, shape, ..self };
        }
        if self.is_packed() {
            let strides = row_major(&shape);
            return Strided { strides, shape, ..self };
        }
        let long = |s: &[usize]| s.iter().copied().filter(|&e| e != 1).collect::<Vec<_>>();
        if long(&self.shape) == long(&shape) {
            let mut left = self.shape.iter().zip(&self.strides).filter(|(e, _)| **e != 1).map(|(_, &s)| s);
            let strides = shape.iter().map(|&e| if e == 1 { 0 } else { left.next().unwrap_or(0) }).collect();
            return Strided { strides, shape, ..self };
        }
        Strided::packed(shape, self.pack())
    }

    /// Output axis i is axis `axes[i]`.
    pub fn permute(&self, axes: &[usize]) -> Strided<'a, T> {
        Strided {
            elements: self.elements.clone(),
            shape: axes.iter().map(|&a| self.shape[a]).collect::<Vec<_>>().into(),
            strides: axes.iter().map(|&a| self.strides[a]).collect(),
            offset: self.offset,
        }
    }

    /// Axes of extent 1 repeat to `shape`'s.
    pub fn expand(mut self, shape: Shape) -> Strided<'a, T> {
        if shape.size() == 0 {
            return Strided::packed(shape, Vec::new());
        }
        for axis in 0..shape.rank() {
            if self.shape[axis] == 1 {
                self.strides[axis] = 0;
            }
        }
        Strided { shape, ..self }
    }

    /// `lengths[i]` elements along axis i from `starts[i]` in steps of `steps[i]`, all inside the
    /// tensor.
    pub fn slice(mut self, starts: &[usize], steps: &[i64], lengths: &[usize]) -> Strided<'a, T> {
        let shape = Shape::from(lengths);
        if shape.size() == 0 {
            return Strided::packed(shape, Vec::new());
        }
        let mut offset = self.offset as isize;
        for axis in 0..shape.rank() {
            offset += starts[axis] as isize * self.strides[axis];
            self.strides[axis] *= steps[axis] as isize;
        }
        Strided { shape, offset: offset as usize, ..self }
    }

    /// [`crate::op::View::Window`].
    pub fn windows(&self, windows: &[Window]) -> Strided<'a, T> {
        let mut shape: Vec<usize> =
            windows.iter().map(|w| w.size).chain(self.shape.iter().copied()).collect();
        let mut strides: Vec<isize> =
            windows.iter().map(|w| self.strides[w.axis] * w.dilation as isize).collect();
        strides.extend(&self.strides);
        for w in windows {
            shape[windows.len() + w.axis] = w.count(self.shape[w.axis]);
            strides[windows.len() + w.axis] *= w.stride as isize;
        }
        if shape.contains(&0) {
            return Strided::packed(shape.into(), Vec::new());
        }
        Strided { elements: self.elements.clone(), shape: shape.into(), strides, offset: self.offset }
    }

    /// Into a tensor of `shape` filled with `value`: element c goes to `low + c·(interior+1)` on
    /// each axis.
    pub fn pad(&self, low: &[usize], interior: &[usize], shape: Shape, value: T) -> Strided<'a, T> {
        let mut out = vec![value; shape.size()];
        if self.shape.size() == 0 {
            return Strided::packed(shape, out);
        }
        let packed = self.contiguous();
        let into = row_major(&shape);
        let strides: Vec<isize> = into.iter().zip(interior).map(|(s, &gap)| s * (gap as isize + 1)).collect();
        let offset = into.iter().zip(low).map(|(&s, &l)| s as usize * l).sum();
        let (&length, outer) = self.shape.split_last().unwrap_or((&1, &[]));
        let (&step, outer_strides) = strides.split_last().unwrap_or((&1, &[]));
        let mut rows = packed.chunks_exact(length);
        for_each_start(outer, outer_strides, offset, |start| {
            let row = rows.next().unwrap_or(&[]);
            if step == 1 {
                out[start..start + length].copy_from_slice(row);
            } else {
                for (i, &x) in row.iter().enumerate() {
                    out[start + i * step as usize] = x;
                }
            }
        });
        Strided::packed(shape, out)
    }
}

fn row_major(shape: &Shape) -> Vec<isize> {
    shape.strides().into_iter().map(|s| s as isize).collect()
}

/// The same walk with fewer axes: extents of 1 dropped, neighbours that step as one axis made one.
fn merge_axes(shape: &[usize], strides: &[isize]) -> (Vec<usize>, Vec<isize>) {
    let mut extents: Vec<usize> = Vec::with_capacity(shape.len());
    let mut steps: Vec<isize> = Vec::with_capacity(shape.len());
    for (&extent, &stride) in shape.iter().zip(strides).filter(|(e, _)| **e != 1) {
        match (extents.last_mut(), steps.last_mut()) {
            (Some(before), Some(step)) if *step == stride * extent as isize => {
                *before *= extent;
                *step = stride;
            }
            _ => {
                extents.push(extent);
                steps.push(stride);
            }
        }
    }
    (extents, steps)
}

/// Calls `visit` with the position of every coordinate of `extents` in row-major order. No extent
/// may be 0.
fn for_each_start(extents: &[usize], strides: &[isize], offset: usize, mut visit: impl FnMut(usize)) {
    let mut counters = vec![0; extents.len()];
    let mut position = offset as isize;
    loop {
        visit(position as usize);
        let mut axis = extents.len();
        loop {
            if axis == 0 {
                return;
            }
            axis -= 1;
            counters[axis] += 1;
            position += strides[axis];
            if counters[axis] < extents[axis] {
                break;
            }
            position -= strides[axis] * extents[axis] as isize;
            counters[axis] = 0;
        }
    }
}
