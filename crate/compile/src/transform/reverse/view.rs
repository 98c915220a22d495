//! Gradients of views: each is undone. Slices and pads are each other's inverse and keep their
//! run-time parameters.

use super::{Pulled, Step};
use weft_ir::build::{Build, Ref};

use weft_ir::op::{Coefficient, Op, View, Window};
use weft_ir::{Literal, Result, Shape};

/// Windows that may see an element, where what they saw is added up one by one.
const MOST_TERMS: usize = 9;

/// Axes of what is made of windows: two less than there may be, which are left for batches, as a
/// Hessian has them.
const MOST_AXES: usize = Shape::MAX_RANK - 2;

/// The permutation that undoes `axes`.
pub(super) fn inverse(axes: &[usize]) -> Vec<usize> {
    let mut inverse = vec![0; axes.len()];
    for (to, &from) in axes.iter().enumerate() {
        inverse[from] = to;
    }
    inverse
}

/// x ↦ x rearranged. The parameters of a view are integers and have no gradient.
pub(super) fn view(emit: &mut dyn Build, step: &Step, view: &View) -> Result<Pulled> {
    let (x, g) = (step.inputs[0], step.cotangent);
    let parameters = &step.inputs[1..];
    let shape = emit.shape(x);
    let mut pulled = vec![None; step.inputs.len()];
    let nothing = shape.size() == 0 || emit.shape(g).size() == 0;
    pulled[0] = match view {
        _ if nothing => None,
        View::Reshape(_) => Some(emit.reshape(g, &shape)?),
        View::Permute(axes) => Some(emit.permute(g, &inverse(axes))?),
        View::Expand(_) => Some(emit.reduce_to_shape(g, &shape)?),
        View::Slice { starts, steps, lengths } => {
            Some(unslice(emit, g, parameters, &shape, starts, steps, lengths)?)
        }
        View::Window(windows) => Some(unwindow(emit, g, &shape, windows)?),
        View::Pad { low, interior, .. } => {
            let slice = View::Slice {
                starts: low.clone(),
                steps: interior.iter().map(|&gap| gap as i64 + 1).collect(),
                lengths: shape.to_vec(),
            };
            Some(emit.op(Op::View(slice), &[&[g], parameters].concat())?)
        }
    };
    Ok(pulled)
}

/// The cotangent of a slice back in its places among zeros.
///
/// Where a slice counts downwards its cotangent is flipped, and its first element then belongs
/// `span` before `start`. For a run-time start, which cannot be offset, everything goes `span` too
/// far into a longer tensor, whose front is then cut off.
fn unslice(
    emit: &mut dyn Build,
    g: Ref,
    parameters: &[Ref],
    shape: &Shape,
    starts: &[Coefficient],
    steps: &[i64],
    lengths: &[usize],
) -> Result<Ref> {
    let rank = shape.rank();
    let span = |a: usize| if steps[a] < 0 { -steps[a] * (lengths[a] as i64 - 1) } else { 0 };
    let mut low = starts.to_vec();
    let mut excess = vec![0; rank];
    for axis in 0..rank {
        match &mut low[axis] {
            Coefficient::Const(start) => *start -= span(axis),
            Coefficient::Param { .. } => excess[axis] = span(axis),
        }
    }
    let downwards: Vec<bool> = steps.iter().map(|&s| s < 0).collect();
    let flipped = emit.flip(g, &downwards)?;
    let pad = View::Pad {
        low,
        interior: steps.iter().map(|s| s.unsigned_abs() as usize - 1).collect(),
        shape: (0..rank).map(|a| shape[a] + excess[a] as usize).collect::<Vec<_>>().into(),
        value: Literal::F32(0.0),
    };
    let padded = emit.op(Op::View(pad), &[&[flipped], parameters].concat())?;
    if excess.iter().all(|&e| e == 0) {
        return Ok(padded);
    }
    let cut = View::Slice {
        starts: excess.into_iter().map(Coefficient::Const).collect(),
        steps: vec![1; rank],
        lengths: shape.to_vec(),
    };
    emit.op(Op::View(cut), &[padded])
}

/// The cotangents of windows, each added where its element was seen.
fn unwindow(emit: &mut dyn Build, g: Ref, shape: &Shape, windows: &[Window]) -> Result<Ref> {
    if windows.iter().all(|w| w.dilation == 1 && w.size <= w.stride) {
        return side_by_side(emit, g, shape, windows);
    }
    // Sums of so few are written out.
    let terms: usize = windows.iter().map(|w| w.size.div_ceil(w.stride)).product();
    let by_strides = windows.iter().any(|w| w.stride > 1) && windows.iter().all(|w| w.dilation == 1);
    if by_strides && terms <= MOST_TERMS {
        return by_groups(emit, g, shape, windows);
    }
    if windows.len() + emit.shape(g).rank() > MOST_AXES {
        return by_turns(emit, g, shape, windows);
    }
    by_diagonal(emit, g, shape, windows)
}

/// The same where windows together would need more axes than there may be, as derivatives of
/// derivatives do: one window after the other.
///
/// Deferred: only windows that overlap need it.
#[inline(never)]
fn by_turns(emit: &mut dyn Build, g: Ref, shape: &Shape, windows: &[Window]) -> Result<Ref> {
    let (mut x, mut rest) = (g, windows);
    while let Some((w, others)) = rest.split_last() {
        // The axes: this window's elements, those of the windows that are left, the input's.
        let axis = others.len() + w.axis;
        x = emit.move_axis(x, others.len(), 0)?;
        let mut extents = emit.shape(x)[1..].to_vec();
        extents[axis] = shape[w.axis];
        let (whole, window) = (extents.into(), Window { axis, ..*w });
        let has_room = emit.shape(x).rank() < MOST_AXES;
        x = if has_room {
            by_diagonal(emit, x, &whole, &[window])?
        } else {
            by_terms(emit, x, &whole, window)?
        };
        rest = others;
    }
    Ok(x)
}

/// The same of one window, whose elements are moved to their places and added, so that no more axes
/// are needed.
///
/// Deferred: only windows that overlap need it.
#[inline(never)]
fn by_terms(emit: &mut dyn Build, g: Ref, shape: &Shape, window: Window) -> Result<Ref> {
    let Window { axis, size, stride, dilation } = window;
    let seen = emit.shape(g);
    let mut sum: Option<Ref> = None;
    for k in 0..size {
        let (mut starts, mut lengths) = (vec![Coefficient::Const(0); seen.rank()], seen.to_vec());
        (starts[0], lengths[0]) = (Coefficient::Const(k as i64), 1);
        let steps = vec![1; seen.rank()];
        let one = emit.op(Op::View(View::Slice { starts, steps, lengths }), &[g])?;
        let one = emit.reshape(one, &seen.without(&[0]))?;
        let (mut low, mut interior) = (vec![Coefficient::Const(0); shape.rank()], vec![0; shape.rank()]);
        (low[axis], interior[axis]) = (Coefficient::Const((dilation * k) as i64), stride - 1);
        let view = View::Pad { low, interior, shape: shape.clone(), value: Literal::F32(0.0) };
        let moved = emit.op(Op::View(view), &[one])?;
        sum = Some(match sum {
            Some(sum) => emit.add(sum, moved)?,
            None => moved,
        });
    }
    Ok(sum.expect("a window has an element"))
}

/// The same of windows that overlap, however they move. By itself as [`by_groups`] is.
///
/// Deferred: only windows that overlap need it.
#[inline(never)]
fn by_diagonal(emit: &mut dyn Build, g: Ref, shape: &Shape, windows: &[Window]) -> Result<Ref> {
    // An element at t is number k of the window at i where t = stride·i + dilation·k. With the
    // windows spread to their places and a border in front as wide as a window, that is
    // `dilation·m` after t for m = size − 1 − k: seen through windows again, on the diagonal of m
    // and k.
    let count = windows.len();
    let seen = emit.shape(g);
    let (mut low, mut interior, mut wide) =
        (vec![Coefficient::Const(0); seen.rank()], vec![0; seen.rank()], seen.to_vec());
    let mut back = Vec::with_capacity(count);
    for w in windows {
        let axis = count + w.axis;
        low[axis] = Coefficient::Const(w.span() as i64 - 1);
        interior[axis] = w.stride - 1;
        wide[axis] = shape[w.axis] + w.span() - 1;
        back.push(Window { axis, stride: 1, ..*w });
    }
    let wide = Shape::checked("window", &wide)?;
    let spread =
        emit.op(Op::View(View::Pad { low, interior, shape: wide, value: Literal::F32(0.0) }), &[g])?;
    let again = emit.op(Op::View(View::Window(back)), &[spread])?;
    // m and k of each window side by side, then as one axis, of which the diagonal is every (size −
    // 1)-th.
    let pairs: Vec<usize> = (0..count).flat_map(|n| [n, count + n]).collect();
    let order: Vec<usize> = pairs.into_iter().chain(2 * count..2 * count + shape.rank()).collect();
    let paired = emit.permute(again, &order)?;
    let squares = windows.iter().map(|w| w.size * w.size);
    let paired = emit.reshape(paired, &squares.chain(shape.iter().copied()).collect::<Vec<_>>().into())?;
    let (mut starts, mut steps) =
        (vec![Coefficient::Const(0); count + shape.rank()], vec![1; count + shape.rank()]);
    for (n, w) in windows.iter().enumerate() {
        starts[n] = Coefficient::Const(w.size as i64 - 1);
        steps[n] = (w.size as i64 - 1).max(1);
    }
    let lengths = windows.iter().map(|w| w.size).chain(shape.iter().copied()).collect();
    let diagonal = emit.op(Op::View(View::Slice { starts, steps, lengths }), &[paired])?;
    emit.sum(diagonal, &(0..count).collect::<Vec<_>>())
}

/// The same of windows that move by `stride` elements, without asking each element which of the
/// windows around see it: elements lie in groups of so many, in which each is seen as number
/// `stride·m + its own` of windows that move by groups. One window after the other, and what is
/// seen as each `m` is moved to its place and added, so that no more axes are needed: derivatives
/// of this have windows, too.
///
/// By itself, so that it can come with what is fetched when it is called.
///
/// Deferred: only windows that overlap need it.
#[inline(never)]
fn by_groups(emit: &mut dyn Build, g: Ref, shape: &Shape, windows: &[Window]) -> Result<Ref> {
    let (mut x, mut rest) = (g, windows);
    while let Some((&Window { axis, size, stride, .. }, others)) = rest.split_last() {
        // The axes: those of the windows that are left, this one's elements, the input's.
        let (own, groups) = (others.len(), size.div_ceil(stride));
        x = extended(emit, x, own, groups * stride)?;
        let mut extents = emit.shape(x).to_vec();
        extents.splice(own..=own, [groups, stride]);
        x = emit.reshape(x, &extents.into())?;
        x = emit.move_axis(x, own + 1, own + axis + 2)?;
        let extents = emit.shape(x).to_vec();
        let mut sum: Option<Ref> = None;
        for m in 0..groups {
            let (mut starts, mut lengths) = (vec![Coefficient::Const(0); extents.len()], extents.clone());
            (starts[own], lengths[own]) = (Coefficient::Const(m as i64), 1);
            let steps = vec![1; extents.len()];
            let seen = emit.op(Op::View(View::Slice { starts, steps, lengths: lengths.clone() }), &[x])?;
            lengths.remove(own);
            let seen = emit.reshape(seen, &lengths.clone().into())?;
            let (mut low, interior) = (vec![Coefficient::Const(0); lengths.len()], vec![0; lengths.len()]);
            low[own + axis] = Coefficient::Const(m as i64);
            lengths[own + axis] += groups - 1;
            let value = Literal::F32(0.0);
            let view = View::Pad { low, interior, shape: Shape::checked("window", &lengths)?, value };
            let moved = emit.op(Op::View(view), &[seen])?;
            sum = Some(match sum {
                Some(sum) => emit.add(sum, moved)?,
                None => moved,
            });
        }
        x = sum.map_or(Ok(x), |sum| joined(emit, sum, own + axis, shape[axis]))?;
        rest = others;
    }
    Ok(x)
}

/// An axis and the one behind it as one of `extent`: of what is more nothing was seen, and what is
/// missing was not.
fn joined(emit: &mut dyn Build, x: Ref, axis: usize, extent: usize) -> Result<Ref> {
    let mut extents = emit.shape(x).to_vec();
    let length = extents.remove(axis + 1) * extents[axis];
    extents[axis] = length;
    let mut x = emit.reshape(x, &extents.clone().into())?;
    if length > extent {
        extents[axis] = extent;
        let (starts, steps) = (vec![Coefficient::Const(0); extents.len()], vec![1; extents.len()]);
        x = emit.op(Op::View(View::Slice { starts, steps, lengths: extents }), &[x])?;
    }
    extended(emit, x, axis, extent)
}

/// Zeros behind an axis, up to `extent`.
fn extended(emit: &mut dyn Build, x: Ref, axis: usize, extent: usize) -> Result<Ref> {
    let mut wide = emit.shape(x).to_vec();
    if wide[axis] == extent {
        return Ok(x);
    }
    wide[axis] = extent;
    let (low, interior) = (vec![Coefficient::Const(0); wide.len()], vec![0; wide.len()]);
    emit.op(Op::View(View::Pad { low, interior, shape: wide.into(), value: Literal::F32(0.0) }), &[x])
}

/// The same where no two windows meet: their elements laid one after the other, with zeros for what
/// none of them saw.
fn side_by_side(emit: &mut dyn Build, g: Ref, shape: &Shape, windows: &[Window]) -> Result<Ref> {
    let (mut x, mut rest) = (g, windows);
    while let Some((w, others)) = rest.split_last() {
        // The axes: those of the windows that are left, this one's elements, the input's. The last
        // window's gap may reach past the end.
        let (own, axis) = (others.len(), others.len() + w.axis);
        x = extended(emit, x, own, w.stride)?;
        x = emit.move_axis(x, own, axis + 1)?;
        x = joined(emit, x, axis, shape[w.axis])?;
        rest = others;
    }
    Ok(x)
}
