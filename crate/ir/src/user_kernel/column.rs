//! Columns of the interpreter of users' kernels: an element for each invocation that runs beside
//! others, and the operations of expressions over those that take part.
//!
//! An operation is chosen once for all of them. [`crate::functions`] defines what it computes.

use super::memory::zero;
use crate::dtype::DType;
use crate::functions::{self, Element, Real};
use crate::interpret::Data;
use crate::op::function::{Binary, Compare, Unary};

/// Writes f of every lane that takes part.
fn each<T>(lanes: &[u32], out: &mut [T], f: impl Fn(usize) -> T) {
    for &lane in lanes {
        out[lane as usize] = f(lane as usize);
    }
}

/// The same by elements of any dtype, for what is seldom.
fn each_element<R: Real>(lanes: &[u32], out: &mut Data<R>, f: impl Fn(usize) -> Element<R>) {
    for &lane in lanes {
        out.set(lane as usize, f(lane as usize));
    }
}

pub(super) fn copy<R: Real>(x: &Data<R>, out: &mut Data<R>, lanes: &[u32]) {
    match (x, out) {
        (Data::Float(x), Data::Float(out)) => each(lanes, out, |lane| x[lane]),
        (Data::I32(x), Data::I32(out)) => each(lanes, out, |lane| x[lane]),
        (x, out) => each_element(lanes, out, |lane| x.element(lane)),
    }
}

pub(super) fn unary<R: Real>(op: Unary, x: &Data<R>, out: &mut Data<R>, lanes: &[u32]) {
    match (op, x, out) {
        (Unary::Neg, Data::Float(x), Data::Float(out)) => each(lanes, out, |lane| -x[lane]),
        (_, Data::Float(x), Data::Float(out)) => {
            each(lanes, out, |lane| functions::unary_real(op, x[lane]));
        }
        (_, Data::Bool(x), Data::Bool(out)) => each(lanes, out, |lane| !x[lane]),
        (_, x, out) => each_element(lanes, out, |lane| functions::unary(op, x.element(lane))),
    }
}

pub(super) fn binary<R: Real>(op: Binary, a: &Data<R>, b: &Data<R>, out: &mut Data<R>, lanes: &[u32]) {
    match (a, b, out) {
        (Data::Float(a), Data::Float(b), Data::Float(out)) => match op {
            Binary::Add => each(lanes, out, |lane| a[lane] + b[lane]),
            Binary::Sub => each(lanes, out, |lane| a[lane] - b[lane]),
            Binary::Mul => each(lanes, out, |lane| a[lane] * b[lane]),
            Binary::Div => each(lanes, out, |lane| a[lane] / b[lane]),
            Binary::Min => each(lanes, out, |lane| functions::min_real(a[lane], b[lane])),
            Binary::Max => each(lanes, out, |lane| functions::max_real(a[lane], b[lane])),
            _ => each(lanes, out, |lane| functions::binary_real(op, a[lane], b[lane])),
        },
        (Data::I32(a), Data::I32(b), Data::I32(out)) => match op {
            Binary::Add => each(lanes, out, |lane| a[lane].wrapping_add(b[lane])),
            Binary::Sub => each(lanes, out, |lane| a[lane].wrapping_sub(b[lane])),
            Binary::Mul => each(lanes, out, |lane| a[lane].wrapping_mul(b[lane])),
            _ => each(lanes, out, |lane| functions::binary_i32(op, a[lane], b[lane])),
        },
        (Data::U32(a), Data::U32(b), Data::U32(out)) => {
            each(lanes, out, |lane| functions::binary_u32(op, a[lane], b[lane]));
        }
        (Data::Bool(a), Data::Bool(b), Data::Bool(out)) => match op {
            Binary::And => each(lanes, out, |lane| a[lane] & b[lane]),
            Binary::Or => each(lanes, out, |lane| a[lane] | b[lane]),
            _ => each(lanes, out, |lane| functions::binary_bool(op, a[lane], b[lane])),
        },
        (a, b, _) => unreachable!("{op:?} of {} and {}", a.dtype(), b.dtype()),
    }
}

pub(super) fn compare<R: Real>(op: Compare, a: &Data<R>, b: &Data<R>, out: &mut Data<R>, lanes: &[u32]) {
    fn of<T: PartialOrd + Copy>(op: Compare, a: &[T], b: &[T], out: &mut [bool], lanes: &[u32]) {
        match op {
            Compare::Eq => each(lanes, out, |lane| a[lane] == b[lane]),
            Compare::Ne => each(lanes, out, |lane| a[lane] != b[lane]),
            Compare::Lt => each(lanes, out, |lane| a[lane] < b[lane]),
            Compare::Le => each(lanes, out, |lane| a[lane] <= b[lane]),
            Compare::Gt => each(lanes, out, |lane| a[lane] > b[lane]),
            Compare::Ge => each(lanes, out, |lane| a[lane] >= b[lane]),
        }
    }
    match (a, b, out) {
        (Data::Float(a), Data::Float(b), Data::Bool(out)) => of(op, a, b, out, lanes),
        (Data::I32(a), Data::I32(b), Data::Bool(out)) => of(op, a, b, out, lanes),
        (Data::U32(a), Data::U32(b), Data::Bool(out)) => of(op, a, b, out, lanes),
        (Data::Bool(a), Data::Bool(b), Data::Bool(out)) => of(op, a, b, out, lanes),
        (a, b, _) => unreachable!("{op:?} of {} and {}", a.dtype(), b.dtype()),
    }
}

pub(super) fn select<R: Real>(
    condition: &Data<R>,
    a: &Data<R>,
    b: &Data<R>,
    out: &mut Data<R>,
    lanes: &[u32],
) {
    let Data::Bool(condition) = condition else { unreachable!("a condition is bool") };
    match (a, b, out) {
        (Data::Float(a), Data::Float(b), Data::Float(out)) => {
            each(lanes, out, |lane| if condition[lane] { a[lane] } else { b[lane] });
        }
        (Data::I32(a), Data::I32(b), Data::I32(out)) => {
            each(lanes, out, |lane| if condition[lane] { a[lane] } else { b[lane] });
        }
        (a, b, out) => {
            each_element(lanes, out, |lane| if condition[lane] { a } else { b }.element(lane));
        }
    }
}

pub(super) fn cast<R: Real>(to: DType, x: &Data<R>, out: &mut Data<R>, lanes: &[u32]) {
    match (x, out) {
        (Data::Float(x), Data::Float(out)) => each(lanes, out, |lane| x[lane]),
        (Data::I32(x), Data::Float(out)) => each(lanes, out, |lane| R::from_f64(f64::from(x[lane]))),
        (Data::I32(x), Data::I32(out)) => each(lanes, out, |lane| x[lane]),
        (x, out) => each_element(lanes, out, |lane| functions::cast(to, x.element(lane))),
    }
}

pub(super) fn bitcast<R: Real>(to: DType, x: &Data<R>, out: &mut Data<R>, lanes: &[u32]) {
    each_element(lanes, out, |lane| functions::bitcast(to, x.element(lane)));
}

/// The position of a load beyond the edge, where no element is.
pub(super) const NOWHERE: usize = usize::MAX;

/// Elements of a tensor at positions of lanes; `beyond` where there is none.
pub(super) fn load<R: Real>(
    tensor: &Data<R>,
    at: &[usize],
    beyond: Option<&Data<R>>,
    out: &mut Data<R>,
    lanes: &[u32],
) {
    match (tensor, beyond, out) {
        (Data::Float(tensor), None, Data::Float(out)) => {
            let zero = R::from_f64(0.0);
            each(lanes, out, |lane| tensor.get(at[lane]).copied().unwrap_or(zero));
        }
        (Data::Float(tensor), Some(Data::Float(beyond)), Data::Float(out)) => {
            each(lanes, out, |lane| tensor.get(at[lane]).copied().unwrap_or(beyond[lane]));
        }
        (tensor, beyond, out) => each_element(lanes, out, |lane| match (at[lane], beyond) {
            (NOWHERE, Some(beyond)) => beyond.element(lane),
            (NOWHERE, None) => zero(tensor.dtype()),
            (at, _) => tensor.element(at),
        }),
    }
}
