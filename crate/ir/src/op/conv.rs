//! Convolutions of any number of spatial axes: what one is, and when it is well formed.
//!
//! One description covers convolution, its gradients and its transpose, as XLA's does: each axis of
//! the three tensors has a role, the input and the kernel may be spread with gaps, and either the
//! features or the batch may fall into groups. The gradient of a convolution by either operand is
//! then a convolution again.

use super::Window;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::shape::Shape;

/// A convolution: `output[n, o, i…] = Σ over c, k… of input[n, c, stride·i + dilation·k − low…] ·
/// kernel[o, c, k…]`, without flipping the kernel, as networks have it.
///
/// Lists of axes begin with two that are not spatial. With `feature_groups` the input's features
/// fall into so many groups, each of which meets its own part of the kernel's outputs; with
/// `batch_groups` the input's batch does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Conv {
    /// From one output to the next, for each spatial axis.
    pub strides: Vec<usize>,
    /// Zeros before and after each spatial axis of the input, once it is spread; negative numbers
    /// cut off.
    pub padding: Vec<(i64, i64)>,
    /// How far apart neighbours of the input are; 1 is side by side.
    pub input_dilation: Vec<usize>,
    /// How far apart neighbours of the kernel are.
    pub kernel_dilation: Vec<usize>,
    /// Groups of features.
    pub feature_groups: usize,
    /// Groups of the batch; one of the two is 1.
    pub batch_groups: usize,
    /// The input's axes: batch, feature, the spatial ones.
    pub input: Vec<usize>,
    /// The kernel's axes: output feature, input feature, the spatial ones.
    pub kernel: Vec<usize>,
    /// The output's axes: batch, feature, the spatial ones.
    pub output: Vec<usize>,
}

/// Spatial axes that leave room for a window and a group beside each.
const MOST_AXES: usize = 4;

/// `extent` elements so far apart.
pub fn dilated(extent: usize, dilation: usize) -> usize {
    if extent == 0 { 0 } else { (extent - 1).saturating_mul(dilation).saturating_add(1) }
}

impl Conv {
    /// How many spatial axes there are.
    pub fn spatial(&self) -> usize {
        self.strides.len()
    }

    /// Spatial axis `n` of an input of this extent, spread and padded.
    pub fn padded(&self, n: usize, extent: usize) -> usize {
        let (low, high) = self.padding[n];
        let wide = dilated(extent, self.input_dilation[n]) as i64;
        // Where 32 bits address memory this may be more than they count.
        usize::try_from(wide.saturating_add(low).saturating_add(high).max(0)).unwrap_or(usize::MAX)
    }

    /// The kernel's window along spatial axis `n` of an input.
    pub fn window(&self, n: usize, kernel: &Shape) -> Window {
        Window {
            axis: self.input[2 + n],
            size: kernel[self.kernel[2 + n]],
            stride: self.strides[n],
            dilation: self.kernel_dilation[n],
        }
    }

    /// The shape and dtype it yields, or what is wrong.
    pub fn infer(
        &self,
        (x, dtype): (&Shape, DType),
        (w, of_kernel): (&Shape, DType),
    ) -> Result<(Shape, DType)> {
        let name = "conv";
        if dtype != of_kernel || dtype == DType::Bool {
            return Err(Error::dtype(
                name,
                format!("takes two of one numeric dtype, got {dtype} and {of_kernel}"),
            ));
        }
        let n = self.spatial();
        let lists = [self.padding.len(), self.input_dilation.len(), self.kernel_dilation.len()];
        let is_order = |axes: &[usize]| axes.len() == n + 2 && (0..n + 2).all(|axis| axes.contains(&axis));
        let ranks = [&self.input, &self.kernel, &self.output].into_iter().all(|axes| is_order(axes));
        if n > MOST_AXES {
            return Err(Error::shape(name, format!("{n} spatial axes; at most {MOST_AXES} are supported")));
        }
        if lists != [n; 3] || !ranks || x.rank() != n + 2 || w.rank() != n + 2 {
            return Err(Error::shape(
                name,
                format!("{x} and {w} do not have {n} spatial axes and two more each"),
            ));
        }
        let least = [&self.strides, &self.input_dilation, &self.kernel_dilation].into_iter().flatten().min();
        if least == Some(&0) {
            return Err(Error::value(name, "strides and dilations are at least 1"));
        }
        let (groups, of_batch) = (self.feature_groups, self.batch_groups);
        if groups == 0 || of_batch == 0 || (groups > 1 && of_batch > 1) {
            return Err(Error::value(
                name,
                format!("{groups} groups of features and {of_batch} of the batch"),
            ));
        }
        let [batch, features] = [x[self.input[0]], x[self.input[1]]];
        let [made, taken] = [w[self.kernel[0]], w[self.kernel[1]]];
        let whole = |extent: usize, groups: usize| extent.is_multiple_of(groups);
        if !whole(features, groups) || !whole(made, groups * of_batch) || !whole(batch, of_batch) {
            let what = format!(
                "{features} features in and {made} out do not fall into {} groups",
                groups * of_batch
            );
            return Err(Error::shape(name, what));
        }
        if features / groups != taken {
            let last = x.last().copied() == Some(taken * groups);
            let order = if last {
                ": features come before height and width, as permute([0, 3, 1, 2]) puts them"
            } else {
                ""
            };
            let what = format!(
                "the kernel {w} takes {taken} features, the input {x} has {features} in {groups} groups{order}"
            );
            return Err(Error::shape(name, what));
        }
        let mut wide = x.to_vec();
        let mut out = vec![0; n + 2];
        (out[self.output[0]], out[self.output[1]]) = (batch / of_batch, made);
        for axis in 0..n {
            let window = self.window(axis, w);
            if window.size == 0 {
                return Err(Error::shape(name, format!("the kernel {w} is empty")));
            }
            let before_cut = self.padding[axis].0.min(0).saturating_add(self.padding[axis].1.min(0));
            let padded = self.padded(axis, x[self.input[2 + axis]]);
            wide[self.input[2 + axis]] = padded.saturating_add(before_cut.unsigned_abs() as usize);
            out[self.output[2 + axis]] = window.count(padded);
        }
        Shape::checked(name, &wide)?;
        Ok((Shape::checked(name, &out)?, dtype))
    }
}
