//! Inference: when a node is well formed, and the shape and dtype it then yields.

pub use super::function::{binary_takes, unary_result};
use super::{
    Coefficient, ContractAxes, Facts, Op, ReduceOp, Scan, ScatterOp, View, Window, facts, fourier, kernel,
    region,
};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::order;
use crate::shape::Shape;

/// The shape and dtype that `op` yields for `inputs`, or what is wrong with them. This is the
/// definition of a well-formed node: construction and the verifier both call it.
pub fn infer(op: &Op, inputs: &[(&Shape, DType)]) -> Result<(Shape, DType)> {
    let Facts { name, arity, .. } = facts(op);
    if let Some(arity) = arity.filter(|&arity| arity != inputs.len()) {
        return Err(Error::value(name, format!("takes {arity} inputs, got {}", inputs.len())));
    }
    let refuse = |d: DType| Error::dtype(name, format!("does not take {d}"));
    if let Some((_, packed)) = inputs.iter().find(|(_, dtype)| dtype.is_packed())
        && !op.takes_packed(inputs.iter().map(|input| input.1))
    {
        return Err(refuse(*packed));
    }
    let same = || -> Result<(Shape, DType)> {
        let (a, b) = (inputs[0], inputs[1]);
        if a.1 != b.1 {
            return Err(Error::dtype(name, format!("{} and {} differ", a.1, b.1)));
        }
        if a.0 != b.0 {
            return Err(Error::shape(name, format!("{} and {} differ", a.0, b.0)));
        }
        Ok((a.0.clone(), a.1))
    };
    match op {
        Op::Buffer(shape, dtype) => Ok((shape.clone(), *dtype)),
        Op::Scalar(dtype) => Ok((Shape::scalar(), *dtype)),
        Op::Constant(literal) => Ok((Shape::scalar(), literal.dtype())),
        Op::Iota { shape, axis, dtype } => {
            if *axis >= shape.rank() || !matches!(dtype, DType::I32 | DType::U32) {
                return Err(Error::value(name, format!("axis {axis} of {shape} as {dtype}")));
            }
            Ok((shape.clone(), *dtype))
        }
        Op::Unary(u) => {
            let (shape, dtype) = inputs[0];
            Ok((shape.clone(), unary_result(*u, dtype).ok_or_else(|| refuse(dtype))?))
        }
        Op::Binary(b) => {
            let (shape, dtype) = same()?;
            if binary_takes(*b, dtype) { Ok((shape, dtype)) } else { Err(refuse(dtype)) }
        }
        Op::Compare(_) => same().map(|(shape, _)| (shape, DType::Bool)),
        Op::Select => {
            let (c, a, b) = (inputs[0], inputs[1], inputs[2]);
            if c.1 != DType::Bool || a.1 != b.1 {
                return Err(Error::dtype(
                    name,
                    format!("takes bool and two of one dtype, got {}, {}, {}", c.1, a.1, b.1),
                ));
            }
            if c.0 != a.0 || a.0 != b.0 {
                return Err(Error::shape(name, format!("{}, {} and {} differ", c.0, a.0, b.0)));
            }
            Ok((a.0.clone(), a.1))
        }
        Op::Cast(dtype) => Ok((inputs[0].0.clone(), *dtype)),
        Op::Bitcast(dtype) => {
            if let Some(&d) = [*dtype, inputs[0].1].iter().find(|d| **d == DType::Bool || d.is_packed()) {
                return Err(refuse(d));
            }
            Ok((inputs[0].0.clone(), *dtype))
        }
        Op::Reduce { op, axes } => infer_reduce(name, *op, axes, inputs[0]),
        Op::View(view) => infer_view(name, view, inputs),
        Op::Contract(axes) => infer_contract(name, axes, inputs[0], inputs[1]),
        Op::Conv(it) => it.infer(inputs[0], inputs[1]),
        Op::Gather { axis } => {
            check_indices(name, *axis, inputs[0].0, inputs[1])?;
            let shape = gathered(inputs[0].0, *axis, inputs[1].0);
            Ok((Shape::checked(name, &shape)?, inputs[0].1))
        }
        Op::Scatter { axis, op } => {
            check_indices(name, *axis, inputs[0].0, inputs[1])?;
            let expected = gathered(inputs[0].0, *axis, inputs[1].0);
            if *inputs[2].0 != expected {
                return Err(Error::shape(name, format!("updates are {}, expected {expected}", inputs[2].0)));
            }
            if inputs[0].1 != inputs[2].1 || (inputs[0].1 == DType::Bool && *op == ScatterOp::Add) {
                return Err(Error::dtype(
                    name,
                    format!("base is {}, updates are {}", inputs[0].1, inputs[2].1),
                ));
            }
            Ok((inputs[0].0.clone(), inputs[0].1))
        }
        Op::Scan(scan) => infer_scan(name, scan, inputs[0]),
        Op::ArgSort { axis, bits } => {
            let (shape, dtype) = inputs[0];
            if *axis >= shape.rank() || shape[*axis] > i32::MAX as usize {
                return Err(Error::axis(name, format!("axis {axis} of {shape}")));
            }
            if dtype != DType::U32 || *bits > 32 {
                return Err(Error::dtype(name, format!("{bits} bits of {dtype}")));
            }
            Ok((shape.clone(), DType::I32))
        }
        Op::Fourier { parts, axis } => fourier::infer(name, *parts, *axis, inputs),
        Op::Mark(_) | Op::Detach | Op::Cut => Ok((inputs[0].0.clone(), inputs[0].1)),
        Op::Loop(it) => region::infer_loop(it, inputs),
        Op::Branch(programs) => region::infer_branch(programs, inputs),
        Op::Custom(it) => region::infer_custom(it, inputs),
        Op::Kernel(it) => kernel::infer_kernel(it, inputs),
        Op::Part { shape, dtype, .. } => Ok((shape.clone(), *dtype)),
    }
}

impl Op {
    /// Whether this takes inputs of packed dtypes as they are: it moves, stores or converts
    /// elements, but computes nothing of them.
    pub fn takes_packed(&self, mut inputs: impl Iterator<Item = DType>) -> bool {
        match self {
            // Which of the two is taken changes nothing; one of another dtype would.
            Op::Select => inputs.nth(1) == inputs.next(),
            Op::Gather { .. } => !inputs.nth(1).is_some_and(DType::is_packed),
            Op::View(_) | Op::Cast(_) | Op::Bitcast(_) | Op::Mark(_) | Op::Detach | Op::Cut => true,
            Op::Loop(_) | Op::Branch(_) | Op::Custom(_) | Op::Part { .. } => true,
            Op::Buffer(..) | Op::Scalar(_) | Op::Constant(_) | Op::Iota { .. } => false,
            Op::Unary(_) | Op::Binary(_) | Op::Compare(_) | Op::Reduce { .. } | Op::Contract(_) => false,
            Op::Conv(_) | Op::Scatter { .. } | Op::Scan(_) | Op::ArgSort { .. } | Op::Fourier { .. } => false,
            Op::Kernel(_) => false,
        }
    }
}

/// `source` with `axis` replaced by the extents of `indices`.
pub fn gathered(source: &Shape, axis: usize, indices: &Shape) -> Shape {
    [&source[..axis], &indices[..], &source[axis + 1..]].concat().into()
}

fn check_indices(name: &str, axis: usize, source: &Shape, indices: (&Shape, DType)) -> Result<()> {
    if axis >= source.rank() {
        return Err(Error::axis(name, format!("axis {axis} is out of range for {source}")));
    }
    if !indices.1.is_integer() || indices.1.is_packed() {
        return Err(Error::dtype(name, format!("indices must be i32 or u32, got {}", indices.1)));
    }
    if source[axis] == 0 && indices.0.size() > 0 {
        return Err(Error::shape(
            name,
            format!("axis {axis} of {source} is empty: there is nothing to index"),
        ));
    }
    Ok(())
}

fn infer_reduce(
    name: &str,
    op: ReduceOp,
    axes: &[usize],
    (shape, dtype): (&Shape, DType),
) -> Result<(Shape, DType)> {
    if axes.windows(2).any(|w| w[0] >= w[1]) || axes.last().is_some_and(|&a| a >= shape.rank()) {
        return Err(Error::axis(name, format!("axes {axes:?} of {shape}")));
    }
    if op.is_arg() && axes.len() != 1 {
        return Err(Error::axis(name, format!("takes exactly one axis, got {axes:?}")));
    }
    if dtype == DType::Bool && matches!(op, ReduceOp::Sum | ReduceOp::Prod) {
        return Err(Error::dtype(name, "does not take bool"));
    }
    let over_nothing = axes.iter().any(|&a| shape[a] == 0);
    if over_nothing && !matches!(op, ReduceOp::Sum | ReduceOp::Prod) {
        return Err(Error::shape(
            name,
            format!("{shape} has no elements along {axes:?}; {name} of nothing is not defined"),
        ));
    }
    Ok((shape.without(axes), if op.is_arg() { DType::I32 } else { dtype }))
}

fn infer_scan(name: &str, scan: &Scan, (shape, dtype): (&Shape, DType)) -> Result<(Shape, DType)> {
    if scan.axis >= shape.rank() {
        return Err(Error::axis(name, format!("axis {} of {shape}", scan.axis)));
    }
    if scan.op.is_arg() || scan.block == 0 {
        return Err(Error::value(name, format!("{:?} in blocks of {}", scan.op, scan.block)));
    }
    if dtype == DType::Bool && matches!(scan.op, ReduceOp::Sum | ReduceOp::Prod) {
        return Err(Error::dtype(name, "does not take bool"));
    }
    Ok((shape.clone(), dtype))
}

fn check_coefficients(name: &str, coefficients: &[Coefficient], inputs: &[(&Shape, DType)]) -> Result<()> {
    let mut next = 1;
    for c in coefficients {
        if let Coefficient::Param { input, min, max } = c {
            if *input != next || min > max || inputs[next].1 != DType::I32 || inputs[next].0.rank() != 0 {
                return Err(Error::value(
                    name,
                    format!("parameter {c:?} must be input {next}, an i32 scalar"),
                ));
            }
            next += 1;
        }
    }
    Ok(())
}

/// The range of values a coefficient can have.
pub fn coefficient_range(c: Coefficient) -> (i64, i64) {
    match c {
        Coefficient::Const(v) => (v, v),
        Coefficient::Param { min, max, .. } => (min, max),
    }
}

fn infer_view(name: &str, view: &View, inputs: &[(&Shape, DType)]) -> Result<(Shape, DType)> {
    let (shape, dtype) = inputs[0];
    let rank = shape.rank();
    let wrong = |what: &str| Err(Error::shape(name, format!("{what} for {shape}: {view:?}")));
    match view {
        View::Reshape(to) if to.size() != shape.size() => {
            Err(Error::shape(name, format!("{shape} has {} elements, {to} has {}", shape.size(), to.size())))
        }
        View::Reshape(to) => Ok((to.clone(), dtype)),
        View::Permute(axes) => {
            let mut seen = axes.clone();
            order::sort(&mut seen);
            if seen != (0..rank).collect::<Vec<_>>() {
                return Err(Error::axis(
                    name,
                    format!("{axes:?} is not a permutation of the {rank} axes of {shape}"),
                ));
            }
            Ok((axes.iter().map(|&a| shape[a]).collect::<Vec<_>>().into(), dtype))
        }
        View::Expand(to) => {
            let fits =
                to.rank() == rank && shape.iter().zip(to.iter()).all(|(&from, &to)| from == to || from == 1);
            if fits {
                Ok((to.clone(), dtype))
            } else {
                Err(Error::shape(name, format!("{shape} does not expand to {to}")))
            }
        }
        View::Slice { starts, steps, lengths } => {
            if starts.len() != rank || steps.len() != rank || lengths.len() != rank {
                return wrong("one start, step and length per axis is needed");
            }
            check_coefficients(name, starts, inputs)?;
            for axis in 0..rank {
                let (min, max) = coefficient_range(starts[axis]);
                let span = steps[axis] * (lengths[axis] as i64 - 1);
                let inside = min + span.min(0) >= 0 && max + span.max(0) < shape[axis] as i64;
                if steps[axis] == 0 || (lengths[axis] > 0 && !inside) {
                    return wrong("the slice leaves the tensor");
                }
            }
            Ok((lengths.clone().into(), dtype))
        }
        View::Pad { low, interior, shape: to, value } => {
            if low.len() != rank
                || interior.len() != rank
                || to.rank() != rank
                || value.dtype() != dtype.computed()
            {
                return wrong("one offset, gap and extent per axis and a value of the dtype is needed");
            }
            check_coefficients(name, low, inputs)?;
            for axis in 0..rank {
                let (min, max) = coefficient_range(low[axis]);
                let last = max + (shape[axis] as i64 - 1) * (interior[axis] as i64 + 1);
                if min < 0 || (shape[axis] > 0 && last >= to[axis] as i64) {
                    return wrong("elements would land outside the padded tensor");
                }
            }
            Ok((to.clone(), dtype))
        }
        View::Window(windows) => {
            let alone = |n: usize| !windows[..n].iter().any(|w| w.axis == windows[n].axis);
            let fits = |(n, w): (usize, &Window)| {
                w.axis < rank && w.size.min(w.stride).min(w.dilation) > 0 && alone(n)
            };
            if !windows.iter().enumerate().all(fits) || rank + windows.len() > Shape::MAX_RANK {
                return wrong("the windows do not fit");
            }
            let mut extents: Vec<usize> =
                windows.iter().map(|w| w.size).chain(shape.iter().copied()).collect();
            for w in windows {
                extents[windows.len() + w.axis] = w.count(shape[w.axis]);
            }
            // They may be more than could be stored: what contracts them never lays them out.
            Ok((extents.into(), dtype))
        }
    }
}

fn infer_contract(
    name: &str,
    axes: &ContractAxes,
    left: (&Shape, DType),
    right: (&Shape, DType),
) -> Result<(Shape, DType)> {
    if left.1 != right.1 || left.1 == DType::Bool {
        return Err(Error::dtype(
            name,
            format!("takes two of one numeric dtype, got {} and {}", left.1, right.1),
        ));
    }
    let mut seen = (vec![false; left.0.rank()], vec![false; right.0.rank()]);
    for &(l, r) in axes.batch.iter().chain(&axes.contract) {
        if l >= left.0.rank() || r >= right.0.rank() || seen.0[l] || seen.1[r] {
            return Err(Error::axis(name, format!("axes {axes:?} of {} and {}", left.0, right.0)));
        }
        if left.0[l] != right.0[r] {
            return Err(Error::shape(
                name,
                format!("{} × {}: {} ≠ {}", left.0, right.0, left.0[l], right.0[r]),
            ));
        }
        (seen.0[l], seen.1[r]) = (true, true);
    }
    let batch = axes.batch.iter().map(|p| left.0[p.0]);
    let rows = axes.left_free(left.0.rank()).into_iter().map(|a| left.0[a]);
    let columns = axes.right_free(right.0.rank()).into_iter().map(|a| right.0[a]);
    let extents: Vec<usize> = batch.chain(rows).chain(columns).collect();
    Ok((Shape::checked(name, &extents)?, left.1))
}
