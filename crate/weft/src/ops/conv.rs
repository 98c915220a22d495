//! Convolutions, pooling and reductions of windows, in any number of dimensions.
//!
//! A convolution is one primitive ([`op::Conv`]); transposed ones and those of signals are cases of
//! it. A reduction of windows sees the padded tensor through a view and reduces that.

use crate::device::tensor::Tensor;
use crate::lazy::build;
use std::rc::Rc;
use weft_ir::op::conv::dilated;
use weft_ir::op::{self, Op, ReduceOp, View, Window};
use weft_ir::{DType, Error, Literal, Result, Shape};

/// What windows see beyond the ends.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Padding {
    /// Nothing: windows lie within.
    #[default]
    Valid,
    /// So much that there are as many windows as elements, divided by the stride and rounded up;
    /// where it is odd, one more at the end.
    Same,
    /// The same with one more at the start.
    SameLower,
    /// Elements before and after each axis; negative numbers cut off.
    Each(Vec<(i64, i64)>),
}

impl Padding {
    /// Before and after axis `n` of `extent`, over which windows of `span` move by `stride`.
    fn along(&self, n: usize, extent: usize, span: usize, stride: usize) -> (i64, i64) {
        let missing = || {
            let count = extent.div_ceil(stride.max(1)) as i64;
            ((count - 1) * stride as i64 + span as i64 - extent as i64).max(0)
        };
        match self {
            Padding::Valid => (0, 0),
            Padding::Same => (missing() / 2, missing() - missing() / 2),
            Padding::SameLower => (missing() - missing() / 2, missing() / 2),
            Padding::Each(all) => all.get(n).copied().unwrap_or((0, 0)),
        }
    }
}

/// How a kernel slides over its input. Axes of all three tensors are named by what they are; see
/// [`op::Conv`], whose other fields stand here too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Convolution {
    /// From one output to the next, for each spatial axis.
    pub strides: Vec<usize>,
    /// What lies beyond the ends: zeros.
    pub padding: Padding,
    /// How far apart neighbours of the input are.
    pub input_dilation: Vec<usize>,
    /// How far apart neighbours of the kernel are.
    pub kernel_dilation: Vec<usize>,
    /// Groups of features.
    pub groups: usize,
    /// Groups of the batch.
    pub batch_groups: usize,
    /// The input's axes: batch, feature, the spatial ones.
    pub input: Vec<usize>,
    /// The kernel's axes: output feature, input feature, the spatial ones.
    pub kernel: Vec<usize>,
    /// The output's axes: batch, feature, the spatial ones.
    pub output: Vec<usize>,
}

impl Convolution {
    /// One that moves by one over a number of spatial axes, which come last, as in PyTorch.
    pub fn new(spatial: usize) -> Convolution {
        let axes: Vec<usize> = (0..spatial + 2).collect();
        Convolution {
            strides: vec![1; spatial],
            padding: Padding::Valid,
            input_dilation: vec![1; spatial],
            kernel_dilation: vec![1; spatial],
            groups: 1,
            batch_groups: 1,
            input: axes.clone(),
            kernel: axes.clone(),
            output: axes,
        }
    }

    /// The primitive, for extents of the input's spatial axes once they are spread, and spans of
    /// the kernel's.
    fn primitive(&self, padding: Vec<(i64, i64)>) -> op::Conv {
        op::Conv {
            strides: self.strides.clone(),
            padding,
            input_dilation: self.input_dilation.clone(),
            kernel_dilation: self.kernel_dilation.clone(),
            feature_groups: self.groups,
            batch_groups: self.batch_groups,
            input: self.input.clone(),
            kernel: self.kernel.clone(),
            output: self.output.clone(),
        }
    }

    /// Errors with `Shape` unless there is one of everything for each spatial axis of both tensors.
    fn check(&self, name: &str, x: &Tensor, kernel: &Tensor) -> Result<usize> {
        let n = self.strides.len();
        let lists = [self.input_dilation.len(), self.kernel_dilation.len()];
        let orders = [&self.input, &self.kernel, &self.output].map(Vec::len);
        let padding = if let Padding::Each(all) = &self.padding { all.len() } else { n };
        let fits = lists == [n; 2] && orders == [n + 2; 3] && padding == n;
        let axes = |order: &[usize]| order.iter().all(|&axis| axis < n + 2);
        if !fits || x.rank() != n + 2 || kernel.rank() != n + 2 || !axes(&self.input) || !axes(&self.kernel) {
            let what = format!(
                "the input {} and the kernel {} need {} axes each: {n} to slide along, and two more",
                x.shape(),
                kernel.shape(),
                n + 2
            );
            return Err(Error::shape(name, what));
        }
        Ok(n)
    }
}

/// How windows slide over all axes of a tensor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Windows {
    /// Elements of a window along each axis.
    pub sizes: Vec<usize>,
    /// From one window to the next.
    pub strides: Vec<usize>,
    /// From one element of a window to the next.
    pub dilations: Vec<usize>,
    /// What lies beyond the ends: nothing that changes the result.
    pub padding: Padding,
    /// Whether a last window that reaches past the end is one too, as long as it begins before it.
    pub ceil: bool,
}

/// The window along an axis, what is before and after the axis, and what the last window reaches
/// beyond that.
type Along = (Window, (i64, i64), i64);

impl Windows {
    /// Windows of these sizes over the last axes of a tensor of `rank`, side by side.
    pub fn last(rank: usize, sizes: &[usize]) -> Windows {
        let mut all = vec![1; rank.saturating_sub(sizes.len())];
        all.extend(sizes);
        let ones = vec![1; all.len()];
        Windows { strides: all.clone(), sizes: all, dilations: ones, padding: Padding::Valid, ceil: false }
    }

    /// For each axis.
    fn along(&self, name: &str, shape: &Shape) -> Result<Vec<Along>> {
        let rank = shape.rank();
        let padding = if let Padding::Each(all) = &self.padding { all.len() } else { rank };
        if [self.sizes.len(), self.strides.len(), self.dilations.len(), padding] != [rank; 4] {
            return Err(Error::shape(name, format!("needs a window for each of the {rank} axes of {shape}")));
        }
        let mut all = Vec::with_capacity(rank);
        for axis in 0..rank {
            let window = Window {
                axis,
                size: self.sizes[axis],
                stride: self.strides[axis],
                dilation: self.dilations[axis],
            };
            if window.size.min(window.stride).min(window.dilation) == 0 {
                return Err(Error::value(name, "windows, strides and dilations are at least 1"));
            }
            let (low, high) = self.padding.along(axis, shape[axis], window.span(), window.stride);
            let wide = (shape[axis] as i64).saturating_add(low).saturating_add(high);
            let (span, stride) = (window.span() as i64, window.stride as i64);
            let mut beyond = 0;
            if self.ceil && wide >= span {
                let mut count = (wide - span + stride - 1) / stride + 1;
                if (count - 1) * stride >= shape[axis] as i64 + low {
                    count -= 1;
                }
                beyond = ((count - 1) * stride + span - wide).max(0);
            }
            all.push((window, (low, high), beyond));
        }
        Ok(all)
    }
}

impl Tensor {
    /// The convolution with a kernel, which is not flipped, as networks have it. Operands are
    /// promoted to one dtype.
    ///
    /// Errors with `Shape` where axes or features do not fit, with `Value` for strides, dilations
    /// and groups of 0, and with `DType` for bool.
    pub fn conv(&self, kernel: &Tensor, how: &Convolution) -> Result<Tensor> {
        let name = "conv";
        let n = how.check(name, self, kernel)?;
        let padding = (0..n).map(|n| {
            let extent = dilated(self.shape()[how.input[2 + n]], how.input_dilation[n]);
            let span = dilated(kernel.shape()[how.kernel[2 + n]], how.kernel_dilation[n]);
            how.padding.along(n, extent, span, how.strides[n])
        });
        convolved(name, self, kernel, how.primitive(padding.collect()))
    }

    /// The transposed convolution, as PyTorch has it: the gradient by its input of the convolution
    /// with this kernel, which takes the outputs of this one and so names features the other way
    /// round. `Padding::Each` is that convolution's; the output has `extra` elements more at each
    /// end. With `Padding::Same` it has as many as the input, times the stride.
    ///
    /// Errors as [`Tensor::conv`].
    ///
    /// Deferred: few networks convolve transposed.
    pub fn conv_transpose(&self, kernel: &Tensor, how: &Convolution, extra: &[usize]) -> Result<Tensor> {
        let name = "convTranspose";
        let n = how.check(name, self, kernel)?;
        if extra.len() != n {
            return Err(Error::shape(
                name,
                format!("outputPadding has {} entries for {n} axes", extra.len()),
            ));
        }
        let mut padding = Vec::with_capacity(n);
        for (axis, &longer) in extra.iter().enumerate() {
            let (size, dilation) = (kernel.shape()[how.kernel[2 + axis]], how.kernel_dilation[axis]);
            let (reach, stride) = (dilated(size, dilation) as i64 - 1, how.strides[axis] as i64);
            let (before, after) = match &how.padding {
                Padding::Same | Padding::SameLower => {
                    let all = reach + stride - 1;
                    let before = if stride > reach { reach } else { (all + 1) / 2 };
                    (before, all - before)
                }
                padding => {
                    let (low, high) = padding.along(axis, 0, 0, 1);
                    (reach - low, reach.saturating_sub(high))
                }
            };
            padding.push((before, after.saturating_add(longer as i64)));
        }
        let (groups, [made, taken]) = (how.groups, [how.kernel[1], how.kernel[0]]);
        let flipped: Vec<i64> = how.kernel[2..].iter().map(|&axis| axis as i64).collect();
        let mut turned = if n == 0 { kernel.clone() } else { kernel.flip(Some(&flipped))? };
        let mut extents = kernel.shape().to_vec();
        if groups == 0 || !extents[taken].is_multiple_of(groups) {
            let what = format!("{} features do not fall into {groups} groups", extents[taken]);
            return Err(Error::shape(name, what));
        }
        if groups > 1 {
            // The axis of groups moves from the input channels to the output channels.
            let mut split = extents.clone();
            split.splice(taken..=taken, [groups, extents[taken] / groups]);
            let mut order: Vec<usize> = (0..split.len()).filter(|&axis| axis != taken).collect();
            order.insert(made, taken);
            turned = build::permute(name, &build::reshape(name, &turned, &split.into())?, order)?;
            extents[taken] /= groups;
            extents[made] *= groups;
            turned = build::reshape(name, &turned, &extents.into())?;
        }
        let mut it = how.primitive(padding);
        it.input_dilation = std::mem::replace(&mut it.strides, vec![1; n]);
        it.kernel.swap(0, 1);
        convolved(name, self, &turned, it)
    }

    /// Each window over all axes reduced to one element. Errors with `Shape` unless there is a
    /// window for each axis, with `Value` for sizes, strides and dilations of 0, and with `DType`
    /// where the reduction errs with it.
    pub fn reduce_window(&self, op: ReduceOp, windows: &Windows) -> Result<Tensor> {
        reduce_window("reduceWindow", self, op, windows)
    }

    /// The mean of each window over all axes, in f32; of what lies beyond the ends zeros count if
    /// `counted`, else nothing does. Errors as [`Tensor::reduce_window`].
    pub fn average_window(&self, windows: &Windows, counted: bool) -> Result<Tensor> {
        let name = "averageWindow";
        let x = build::cast(name, self, DType::F32)?;
        let along = windows.along(name, x.shape())?;
        let sum = reduce_window(name, &x, ReduceOp::Sum, windows)?;
        let is_whole = |(_, padding, beyond): &Along| *beyond == 0 && (counted || *padding == (0, 0));
        if along.iter().all(is_whole) {
            return sum.div(windows.sizes.iter().product::<usize>() as f64);
        }
        // Counts the elements of each window. The count is the same for all members of a batch, so
        // axes without windows have extent 1.
        let mut extents = x.shape().to_vec();
        for (window, padding, beyond) in &along {
            if window.size == 1 && window.stride == 1 && *padding == (0, 0) && *beyond == 0 {
                extents[window.axis] = 1;
            }
        }
        let one = self.device().constant(name, Literal::F32(1.0))?;
        let mut ones = build::expand(name, &one, &Shape::checked(name, &extents)?)?;
        let mut over = windows.clone();
        if counted {
            for (axis, (_, (low, high), _)) in along.iter().enumerate() {
                ones = padded(name, &ones, axis, (*low, *high), Literal::F32(1.0))?;
            }
            // The padding now lies within and counts; what is beyond it still does not.
            over.padding = Padding::Each(along.iter().map(|(_, _, beyond)| (0, *beyond)).collect());
        } else {
            let reach = |(_, (low, high), beyond): &Along| (*low, high + beyond);
            over.padding = Padding::Each(along.iter().map(reach).collect());
        }
        over.ceil = false;
        for (axis, &extent) in extents.iter().enumerate() {
            if extent == 1 && x.shape()[axis] != 1 {
                (over.sizes[axis], over.strides[axis]) = (1, 1);
            }
        }
        sum.div(reduce_window(name, &ones, ReduceOp::Sum, &over)?)
    }
}

/// Appends a convolution of operands of one dtype.
fn convolved(name: &str, x: &Tensor, kernel: &Tensor, it: op::Conv) -> Result<Tensor> {
    let dtype = DType::promote(x.dtype(), kernel.dtype());
    let (x, kernel) = (build::cast(name, x, dtype)?, build::cast(name, kernel, dtype)?);
    x.device().append(name, Op::Conv(Rc::new(it)), &[&x, &kernel])
}

fn reduce_window(name: &str, x: &Tensor, op: ReduceOp, windows: &Windows) -> Result<Tensor> {
    if op.is_arg() || (x.dtype() == DType::Bool && matches!(op, ReduceOp::Sum | ReduceOp::Prod)) {
        return Err(Error::dtype(name, format!("does not reduce {} by this reduction", x.dtype())));
    }
    let value = op.identity(x.dtype());
    let mut x = x.clone();
    let mut sliding = Vec::new();
    for (window, (low, high), beyond) in windows.along(name, x.shape())? {
        x = padded(name, &x, window.axis, (low, high.saturating_add(beyond)), value)?;
        if window.size > 1 || window.stride > 1 {
            sliding.push(window);
        }
    }
    if sliding.is_empty() {
        return build::cast(name, &x, x.dtype());
    }
    let axes: Vec<usize> = (0..sliding.len()).collect();
    let seen = x.device().append(name, Op::View(View::Window(sliding)), &[&x])?;
    build::reduce(name, op, &seen, &axes, false)
}

/// One axis with elements before and after, or without.
fn padded(name: &str, x: &Tensor, axis: usize, (low, high): (i64, i64), value: Literal) -> Result<Tensor> {
    let wide = build::pad_axis(name, x, axis, (low.max(0) as usize, high.max(0) as usize), value)?;
    if low >= 0 && high >= 0 {
        return Ok(wide);
    }
    let extent = wide.shape()[axis] as i64;
    let first = (-low).clamp(0, extent);
    wide.between(name, axis, first, extent.saturating_sub((-high).max(0)).max(first))
}

/// The convolution of two tensors of one rank along all axes, with this padding of the first.
pub(crate) fn of_signals(
    name: &str,
    x: &Tensor,
    kernel: &Tensor,
    padding: Vec<(usize, usize)>,
) -> Result<Tensor> {
    let flipped = kernel.flip(None)?;
    let alone = |x: &Tensor| build::reshape(name, x, &[&[1, 1], &x.shape()[..]].concat().into());
    let padding = padding.into_iter().map(|(low, high)| (low as i64, high as i64)).collect();
    let it = Convolution::new(x.rank()).primitive(padding);
    let found = convolved(name, &alone(x)?, &alone(&flipped)?, it)?;
    let extents = found.shape()[2..].to_vec();
    build::reshape(name, &found, &extents.into())
}

/// Numbers of a call by name, read one after the other.
struct Words<'a> {
    name: &'a str,
    rest: &'a [i64],
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Result<i64> {
        Ok(self.several(1)?[0])
    }

    fn several(&mut self, count: usize) -> Result<&'a [i64]> {
        let cut = || Error::new(weft_ir::ErrorKind::Internal, self.name, "the call is cut short");
        let (taken, rest) = self.rest.split_at_checked(count).ok_or_else(cut)?;
        self.rest = rest;
        Ok(taken)
    }

    fn counts(&mut self, count: usize) -> Result<Vec<usize>> {
        Ok(self.several(count)?.iter().map(|&n| n as usize).collect())
    }

    /// Its number, and where it is a list the list of `count` pairs.
    fn padding(&mut self, count: usize) -> Result<Padding> {
        Ok(match self.next()? {
            0 => Padding::Valid,
            1 => Padding::Same,
            2 => Padding::SameLower,
            _ => Padding::Each(
                self.several(2 * count)?.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect(),
            ),
        })
    }
}

/// A convolution by name: how many spatial axes, groups of features and of the batch, strides,
/// dilations of input and kernel, the axes of input, kernel and output, the padding, and of a
/// transposed one by how much its axes are longer.
pub(crate) fn by_name(x: &Tensor, kernel: &Tensor, transposed: bool, how: &[i64]) -> Result<Tensor> {
    let mut words = Words { name: "conv", rest: how };
    let n = words.next()? as usize;
    let (groups, batch_groups) = (words.next()? as usize, words.next()? as usize);
    let how = Convolution {
        strides: words.counts(n)?,
        input_dilation: words.counts(n)?,
        kernel_dilation: words.counts(n)?,
        groups,
        batch_groups,
        input: words.counts(n + 2)?,
        kernel: words.counts(n + 2)?,
        output: words.counts(n + 2)?,
        padding: words.padding(n)?,
    };
    if transposed { x.conv_transpose(kernel, &how, &words.counts(n)?) } else { x.conv(kernel, &how) }
}

/// Windows by name: of how many axes, sizes, strides, dilations, whether the last may reach past
/// the end, and the padding.
fn windows(how: &[i64]) -> Result<Windows> {
    let mut words = Words { name: "reduceWindow", rest: how };
    let n = words.next()? as usize;
    Ok(Windows {
        sizes: words.counts(n)?,
        strides: words.counts(n)?,
        dilations: words.counts(n)?,
        ceil: words.next()? != 0,
        padding: words.padding(n)?,
    })
}

/// [`Tensor::reduce_window`] by name, by the number of the reduction.
pub(crate) fn reduce_by_name(x: &Tensor, op: usize, how: &[i64]) -> Result<Tensor> {
    let ops = [ReduceOp::Sum, ReduceOp::Prod, ReduceOp::Max, ReduceOp::Min];
    x.reduce_window(ops[op.min(ops.len() - 1)], &windows(how)?)
}

/// [`Tensor::average_window`] by name.
pub(crate) fn average_by_name(x: &Tensor, counted: bool, how: &[i64]) -> Result<Tensor> {
    x.average_window(&windows(how)?, counted)
}
