//! Gradients of convolutions, each of them a convolution (as in XLA): that of the input is the
//! cotangent, spread by the strides, convolved with the flipped kernel; that of the kernel is the
//! input convolved with the cotangent, batch and features having changed places.

use super::{Pulled, Step};
use std::rc::Rc;
use weft_ir::Result;
use weft_ir::build::{Build, Ref};
use weft_ir::op::conv::dilated;
use weft_ir::op::{Conv, Op};

/// (input, kernel) ↦ their convolution.
pub(super) fn conv(emit: &mut dyn Build, step: &Step, it: &Conv) -> Result<Pulled> {
    let (x, w, g) = (step.inputs[0], step.inputs[1], step.cotangent);
    if [x, w, g].iter().any(|&of| emit.shape(of).size() == 0) {
        return Ok(vec![None, None]);
    }
    let to_input = step.want(emit, 0, |emit| of_input(emit, it, x, w, g))?;
    let to_kernel = step.want(emit, 1, |emit| of_kernel(emit, it, x, w, g))?;
    Ok(vec![to_input, to_kernel])
}

/// The first two axes, which are not spatial, exchanged.
fn swapped(axes: &[usize]) -> Vec<usize> {
    [&[axes[1], axes[0]], &axes[2..]].concat()
}

/// For each spatial axis the extents of input, kernel and output once they are spread.
fn spread(emit: &dyn Build, it: &Conv, [x, w, g]: [Ref; 3]) -> Vec<[i64; 3]> {
    let [x, w, g] = [x, w, g].map(|of| emit.shape(of));
    let along = |n: usize| {
        [
            dilated(x[it.input[2 + n]], it.input_dilation[n]) as i64,
            dilated(w[it.kernel[2 + n]], it.kernel_dilation[n]) as i64,
            dilated(g[it.output[2 + n]], it.strides[n]) as i64,
        ]
    };
    (0..it.spatial()).map(along).collect()
}

fn of_input(emit: &mut dyn Build, it: &Conv, x: Ref, w: Ref, g: Ref) -> Result<Ref> {
    let extents = spread(emit, it, [x, w, g]);
    let padding = extents.iter().zip(&it.padding).map(|(&[input, kernel, output], &(low, _))| {
        let before = kernel - low - 1;
        (before, input + kernel - 1 - output - before)
    });
    let groups = it.feature_groups.max(it.batch_groups);
    // A group of the outputs belongs to its own inputs.
    let kernel = move_group(emit, w, it.kernel[0], it.kernel[1], groups)?;
    let mut flags = vec![false; it.kernel.len()];
    it.kernel[2..].iter().for_each(|&axis| flags[axis] = true);
    let kernel = emit.flip(kernel, &flags)?;
    let back = Conv {
        strides: it.input_dilation.clone(),
        padding: padding.collect(),
        input_dilation: it.strides.clone(),
        kernel_dilation: it.kernel_dilation.clone(),
        feature_groups: groups,
        batch_groups: 1,
        input: it.output.clone(),
        kernel: swapped(&it.kernel),
        output: it.input.clone(),
    };
    let found = emit.op(Op::Conv(Rc::new(back)), &[g, kernel])?;
    move_group(emit, found, it.input[1], it.input[0], it.batch_groups)
}

fn of_kernel(emit: &mut dyn Build, it: &Conv, x: Ref, w: Ref, g: Ref) -> Result<Ref> {
    let extents = spread(emit, it, [x, w, g]);
    let padding = extents
        .iter()
        .zip(&it.padding)
        .map(|(&[input, kernel, output], &(low, _))| (low, output - input + kernel - low - 1));
    let back = Conv {
        strides: it.kernel_dilation.clone(),
        padding: padding.collect(),
        input_dilation: it.input_dilation.clone(),
        kernel_dilation: it.strides.clone(),
        feature_groups: it.batch_groups,
        batch_groups: it.feature_groups,
        input: swapped(&it.input),
        kernel: swapped(&it.output),
        output: swapped(&it.kernel),
    };
    emit.op(Op::Conv(Rc::new(back)), &[x, g])
}

/// Groups that come first in the axis `from` come first in the axis `to`.
fn move_group(emit: &mut dyn Build, x: Ref, from: usize, to: usize, groups: usize) -> Result<Ref> {
    if groups == 1 {
        return Ok(x);
    }
    let shape = emit.shape(x).to_vec();
    let mut extents = shape.clone();
    extents.splice(from..=from, [groups, shape[from] / groups]);
    let split = emit.reshape(x, &extents.into())?;
    // Without the group, axes have their old numbers; it goes in front of `to`.
    let moved = emit.move_axis(split, from, to)?;
    let mut extents = shape;
    extents[from] /= groups;
    extents[to] *= groups;
    emit.reshape(moved, &extents.into())
}
