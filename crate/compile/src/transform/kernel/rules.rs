//! Derivatives of one operation on values. The rules and the conventions at kinks are those of
//! tensors (`transform/reverse/elementwise.rs`).

use super::arena::Arena;
use std::f32::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, PI};
use weft_ir::op::{Binary, Compare, Unary};
use weft_ir::user_kernel::{Edge, Expr, ExprId};

/// What each operand gets of `g`, the derivative of the result `y` of `expr`: for operands that
/// `wanted` names, an expression. The Jacobian of an operation on elements is diagonal, so that the
/// same rule takes cotangents back and tangents on. Loads and elements are not among them, but for
/// the fill value of a load, which gets all of `g`.
pub(super) fn shares(
    arena: &mut Arena,
    expr: &Expr,
    y: ExprId,
    g: ExprId,
    wanted: &dyn Fn(ExprId) -> bool,
) -> Vec<(ExprId, ExprId)> {
    let mut found = Vec::new();
    match *expr {
        Expr::Unary(op, x) => {
            if wanted(x)
                && let Some(share) = unary(arena, op, x, y, g)
            {
                found.push((x, share));
            }
        }
        Expr::Binary(op, a, b) => {
            for (first, operand) in [(true, a), (false, b)] {
                if wanted(operand)
                    && let Some(share) = binary(arena, op, (a, b), y, g, first)
                {
                    found.push((operand, share));
                }
            }
        }
        Expr::Select(condition, a, b) => {
            let zero = arena.f32(0.0);
            if wanted(a) {
                let share = arena.select(condition, g, zero);
                found.push((a, share));
            }
            if wanted(b) {
                let share = arena.select(condition, zero, g);
                found.push((b, share));
            }
        }
        Expr::Cast(_, x) | Expr::Load(_, _, Edge::Fill(x)) if wanted(x) => found.push((x, g)),
        _ => {}
    }
    found
}

fn scaled(arena: &mut Arena, x: ExprId, by: f32) -> ExprId {
    let by = arena.f32(by);
    arena.mul(x, by)
}

fn unary(arena: &mut Arena, op: Unary, x: ExprId, y: ExprId, g: ExprId) -> Option<ExprId> {
    Some(match op {
        Unary::Neg => arena.unary(Unary::Neg, g),
        Unary::Abs => {
            let sign = arena.unary(Unary::Sign, x);
            arena.mul(g, sign)
        }
        Unary::Sign
        | Unary::Floor
        | Unary::Ceil
        | Unary::Round
        | Unary::Not
        | Unary::IsNan
        | Unary::ToHalf
        | Unary::OfHalf => return None,
        Unary::Exp => arena.mul(g, y),
        Unary::Log => arena.binary(Binary::Div, g, x),
        Unary::Sqrt => {
            let half = scaled(arena, g, 0.5);
            arena.binary(Binary::Div, half, y)
        }
        Unary::Rsqrt => {
            let square = arena.mul(y, y);
            let cube = arena.mul(square, y);
            let slope = scaled(arena, cube, -0.5);
            arena.mul(g, slope)
        }
        Unary::Sin => {
            let slope = arena.unary(Unary::Cos, x);
            arena.mul(g, slope)
        }
        Unary::Cos => {
            let sine = arena.unary(Unary::Sin, x);
            let slope = arena.unary(Unary::Neg, sine);
            arena.mul(g, slope)
        }
        Unary::Tanh => {
            let (one, square) = (arena.f32(1.0), arena.mul(y, y));
            let slope = arena.sub(one, square);
            arena.mul(g, slope)
        }
        Unary::Sigmoid => {
            let one = arena.f32(1.0);
            let rest = arena.sub(one, y);
            let slope = arena.mul(y, rest);
            arena.mul(g, slope)
        }
        Unary::Relu => {
            let zero = arena.f32(0.0);
            let positive = arena.compare(Compare::Gt, x, zero);
            arena.select(positive, g, zero)
        }
        Unary::Erf => {
            let square = arena.mul(x, x);
            let negated = arena.unary(Unary::Neg, square);
            bell(arena, negated, FRAC_2_SQRT_PI, g)
        }
        Unary::NormalCdf => {
            let square = arena.mul(x, x);
            let exponent = scaled(arena, square, -0.5);
            bell(arena, exponent, 0.5 * FRAC_2_SQRT_PI * FRAC_1_SQRT_2, g)
        }
        Unary::ErfInv => {
            let square = arena.mul(y, y);
            bell(arena, square, PI.sqrt() / 2.0, g)
        }
    })
}

/// g · scale · e^exponent
fn bell(arena: &mut Arena, exponent: ExprId, scale: f32, g: ExprId) -> ExprId {
    let bell = arena.unary(Unary::Exp, exponent);
    let slope = scaled(arena, bell, scale);
    arena.mul(g, slope)
}

fn binary(
    arena: &mut Arena,
    op: Binary,
    (a, b): (ExprId, ExprId),
    y: ExprId,
    g: ExprId,
    first: bool,
) -> Option<ExprId> {
    let negated = |arena: &mut Arena, x| arena.unary(Unary::Neg, x);
    Some(match (op, first) {
        (Binary::Add, _) | (Binary::Sub | Binary::Rem, true) => g,
        (Binary::Sub, false) => negated(arena, g),
        (Binary::Mul, true) => arena.mul(g, b),
        (Binary::Mul, false) => arena.mul(g, a),
        (Binary::Div, true) => arena.binary(Binary::Div, g, b),
        (Binary::Div, false) => {
            let share = arena.binary(Binary::Div, g, b);
            let product = arena.mul(share, y);
            negated(arena, product)
        }
        // a − b·q where q, a whole number, is flat almost everywhere.
        (Binary::Rem, false) => {
            let whole = arena.binary(Binary::FloorDiv, a, b);
            let product = arena.mul(g, whole);
            negated(arena, product)
        }
        (Binary::Pow, true) => {
            let (zero, one) = (arena.f32(0.0), arena.f32(1.0));
            let flat = arena.compare(Compare::Eq, b, zero);
            let exponent = arena.select(flat, one, b);
            let lower = arena.sub(exponent, one);
            let power = arena.binary(Binary::Pow, a, lower);
            let slope = arena.mul(b, power);
            arena.mul(g, slope)
        }
        (Binary::Pow, false) => {
            let (zero, one) = (arena.f32(0.0), arena.f32(1.0));
            let none = arena.compare(Compare::Eq, a, zero);
            let base = arena.select(none, one, a);
            let power = arena.binary(Binary::Pow, base, b);
            let log = arena.unary(Unary::Log, base);
            let slope = arena.mul(power, log);
            arena.mul(g, slope)
        }
        (Binary::Min, _) => extreme(arena, Compare::Lt, (a, b), g, first),
        (Binary::Max, _) => extreme(arena, Compare::Gt, (a, b), g, first),
        (Binary::FloorDiv | Binary::And | Binary::Or | Binary::Xor | Binary::Shl | Binary::Shr, _) => {
            return None;
        }
    })
}

/// Min or max: all to the one that wins over the other, half to each of equals.
fn extreme(arena: &mut Arena, wins: Compare, (a, b): (ExprId, ExprId), g: ExprId, first: bool) -> ExprId {
    let (own, other) = if first { (a, b) } else { (b, a) };
    let tied = arena.compare(Compare::Eq, a, b);
    let half = scaled(arena, g, 0.5);
    let zero = arena.f32(0.0);
    let shared = arena.select(tied, half, zero);
    let won = arena.compare(wins, own, other);
    arena.select(won, g, shared)
}
