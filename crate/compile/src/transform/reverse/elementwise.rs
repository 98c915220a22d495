//! Gradients of elementwise primitives. At kinks the convention is: 0 for relu and abs at 0, and
//! equal shares for tied min and max.

use super::{Pulled, Step};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, PI};
use weft_ir::Result;
use weft_ir::build::{Build, Ref};

use weft_ir::op::{Binary, Compare, Unary};

/// x ↦ f(x): the cotangent times f′(x), by way of the result where that is cheaper or finite
/// further out.
pub(super) fn unary(emit: &mut dyn Build, step: &Step, op: Unary) -> Result<Pulled> {
    let (x, y, g) = (step.inputs[0], step.node, step.cotangent);
    let pulled = match op {
        Unary::Neg => emit.neg(g)?,
        Unary::Abs => {
            let sign = emit.unary(Unary::Sign, x)?;
            emit.mul(g, sign)?
        }
        Unary::Sign
        | Unary::Floor
        | Unary::Ceil
        | Unary::Round
        | Unary::Not
        | Unary::IsNan
        | Unary::ToHalf
        | Unary::OfHalf => {
            return Ok(vec![None]);
        }
        Unary::Exp => emit.mul(g, y)?,
        Unary::Log => emit.div(g, x)?,
        Unary::Sqrt => {
            let half = emit.scale(g, 0.5)?;
            emit.div(half, y)?
        }
        Unary::Rsqrt => {
            let square = emit.mul(y, y)?;
            let cube = emit.mul(square, y)?;
            let slope = emit.scale(cube, -0.5)?;
            emit.mul(g, slope)?
        }
        Unary::Sin => {
            let slope = emit.unary(Unary::Cos, x)?;
            emit.mul(g, slope)?
        }
        Unary::Cos => {
            let sine = emit.unary(Unary::Sin, x)?;
            let slope = emit.neg(sine)?;
            emit.mul(g, slope)?
        }
        Unary::Tanh => {
            let (one, square) = (emit.like(y, 1.0)?, emit.mul(y, y)?);
            let slope = emit.sub(one, square)?;
            emit.mul(g, slope)?
        }
        Unary::Sigmoid => {
            let one = emit.like(y, 1.0)?;
            let rest = emit.sub(one, y)?;
            let slope = emit.mul(y, rest)?;
            emit.mul(g, slope)?
        }
        Unary::Relu => {
            let positive = emit.compare_number(Compare::Gt, x, 0.0)?;
            emit.keep_where(positive, g)?
        }
        Unary::Erf => {
            let square = emit.mul(x, x)?;
            let negated = emit.neg(square)?;
            let bell = emit.unary(Unary::Exp, negated)?;
            let slope = emit.scale(bell, FRAC_2_SQRT_PI)?;
            emit.mul(g, slope)?
        }
        Unary::NormalCdf => {
            let square = emit.mul(x, x)?;
            let exponent = emit.scale(square, -0.5)?;
            let bell = emit.unary(Unary::Exp, exponent)?;
            let slope = emit.scale(bell, 0.5 * FRAC_2_SQRT_PI * FRAC_1_SQRT_2)?;
            emit.mul(g, slope)?
        }
        Unary::ErfInv => {
            let square = emit.mul(y, y)?;
            let bell = emit.unary(Unary::Exp, square)?;
            let slope = emit.scale(bell, PI.sqrt() / 2.0)?;
            emit.mul(g, slope)?
        }
    };
    Ok(vec![Some(pulled)])
}

/// (a, b) ↦ f(a, b).
pub(super) fn binary(emit: &mut dyn Build, step: &Step, op: Binary) -> Result<Pulled> {
    let (a, b, y, g) = (step.inputs[0], step.inputs[1], step.node, step.cotangent);
    let (left, right) = match op {
        Binary::Add => (Some(g), Some(g)),
        Binary::Sub => (Some(g), step.want(emit, 1, |emit| emit.neg(g))?),
        Binary::Mul => {
            (step.want(emit, 0, |emit| emit.mul(g, b))?, step.want(emit, 1, |emit| emit.mul(g, a))?)
        }
        Binary::Div => {
            let share = emit.div(g, b)?;
            let right = step.want(emit, 1, |emit| {
                let product = emit.mul(share, y)?;
                emit.neg(product)
            })?;
            (Some(share), right)
        }
        // a − b·q where q, a whole number, is flat almost everywhere.
        Binary::Rem => {
            let right = step.want(emit, 1, |emit| {
                let whole = emit.binary(Binary::FloorDiv, a, b)?;
                let product = emit.mul(g, whole)?;
                emit.neg(product)
            })?;
            (Some(g), right)
        }
        Binary::Pow => (
            step.want(emit, 0, |emit| pow_base(emit, a, b, g))?,
            step.want(emit, 1, |emit| pow_exponent(emit, a, b, g))?,
        ),
        Binary::Min => extremes(emit, step, Compare::Lt)?,
        Binary::Max => extremes(emit, step, Compare::Gt)?,
        Binary::FloorDiv | Binary::And | Binary::Or | Binary::Xor | Binary::Shl | Binary::Shr => (None, None),
    };
    Ok(vec![left, right])
}

/// ∂aᵇ/∂a = b·aᵇ⁻¹, where b = 0 takes a⁰ instead of a⁻¹ so that 0 · ∞ does not arise, here or in
/// further derivatives.
fn pow_base(emit: &mut dyn Build, a: Ref, b: Ref, g: Ref) -> Result<Ref> {
    let flat = emit.compare_number(Compare::Eq, b, 0.0)?;
    let exponent = emit.replace_where(flat, b, 1.0)?;
    let one = emit.like(b, 1.0)?;
    let lower = emit.sub(exponent, one)?;
    let power = emit.binary(Binary::Pow, a, lower)?;
    let slope = emit.mul(b, power)?;
    emit.mul(g, slope)
}

/// ∂aᵇ/∂b = aᵇ·log a, where a = 0 takes 1 instead, whose logarithm is 0. NaN below, where aᵇ is not
/// defined around b.
fn pow_exponent(emit: &mut dyn Build, a: Ref, b: Ref, g: Ref) -> Result<Ref> {
    let zero = emit.compare_number(Compare::Eq, a, 0.0)?;
    let base = emit.replace_where(zero, a, 1.0)?;
    let power = emit.binary(Binary::Pow, base, b)?;
    let log = emit.unary(Unary::Log, base)?;
    let slope = emit.mul(power, log)?;
    emit.mul(g, slope)
}

/// Min or max: all to the one that `wins` over the other, half to each of equals.
fn extremes(emit: &mut dyn Build, step: &Step, wins: Compare) -> Result<(Option<Ref>, Option<Ref>)> {
    let (a, b, g) = (step.inputs[0], step.inputs[1], step.cotangent);
    let tied = emit.compare(Compare::Eq, a, b)?;
    let half = emit.scale(g, 0.5)?;
    let shared = emit.keep_where(tied, half)?;
    let mut side = |i: usize, own: Ref, other: Ref| {
        step.want(emit, i, |emit| {
            let won = emit.compare(wins, own, other)?;
            emit.select(won, g, shared)
        })
    };
    Ok((side(0, a, b)?, side(1, b, a)?))
}

/// (c, a, b) ↦ c ? a : b.
pub(super) fn select(emit: &mut dyn Build, step: &Step) -> Result<Pulled> {
    let (condition, g) = (step.inputs[0], step.cotangent);
    let left = step.want(emit, 1, |emit| emit.keep_where(condition, g))?;
    let right = step.want(emit, 2, |emit| emit.replace_where(condition, g, 0.0))?;
    Ok(vec![None, left, right])
}
