//! Arithmetic that need not be done: neutral elements, signs that cancel, functions applied twice,
//! small powers, and divisions that are multiplications or shifts.

use super::rewrite::Rewriter;
use super::{Rule, table};
use weft_ir::op::{Binary, Op, Unary};
use weft_ir::program::{ProgramId, ProgramNode};
use weft_ir::{DType, Literal};

pub(super) const RULES: &[Rule] = table![
    "order-operands" Bits order_operands,
    "add-zero" Bits add_zero,
    "add-positive-zero" SignOfZero add_positive_zero,
    "subtract-zero" Bits subtract_zero,
    "zero-minus" Bits zero_minus,
    "positive-zero-minus" SignOfZero positive_zero_minus,
    "multiply-by-one" Bits multiply_by_one,
    "multiply-by-minus-one" Bits multiply_by_minus_one,
    "multiply-integer-by-zero" Bits multiply_integer_by_zero,
    "divide-by-one" Bits divide_by_one,
    "divide-by-minus-one" Bits divide_by_minus_one,
    "divide-by-power-of-two" Bits divide_by_power_of_two,
    "remainder-of-power-of-two" Bits remainder_of_power_of_two,
    "integer-minus-itself" Bits integer_minus_itself,
    "join-integer-constants" Bits join_integer_constants,
    "add-negative" Bits add_negative,
    "multiply-negatives" Bits multiply_negatives,
    "negate-twice" Bits negate_twice,
    "abs-of-negative" Bits abs_of_negative,
    "abs-of-unsigned" Bits abs_of_unsigned,
    "apply-twice" Bits apply_twice,
    "small-power" Bits small_power,
    "cube-and-fourth-power" Rounding cube_and_fourth_power,
];

fn binary(to: &mut Rewriter, op: Binary, a: ProgramId, b: ProgramId) -> ProgramId {
    to.add(Op::Binary(op), &[a, b])
}

fn unary(to: &mut Rewriter, op: Unary, x: ProgramId) -> ProgramId {
    to.add(Op::Unary(op), &[x])
}

/// Whether the operands of an op may change places without changing a bit. (Of a pair of unlike
/// zeros, `Min` and `Max` return the second.)
fn commutes(op: Binary, dtype: DType) -> bool {
    match op {
        Binary::Add | Binary::Mul | Binary::And | Binary::Or | Binary::Xor => true,
        Binary::Min | Binary::Max => dtype != DType::F32,
        Binary::Sub
        | Binary::Div
        | Binary::FloorDiv
        | Binary::Rem
        | Binary::Pow
        | Binary::Shl
        | Binary::Shr => false,
    }
}

/// The operand x and the constant c of x ∘ c, or of c ∘ x where that is the same.
pub(super) fn with_constant(to: &Rewriter, node: &ProgramNode, op: Binary) -> Option<(ProgramId, Literal)> {
    if node.op != Op::Binary(op) {
        return None;
    }
    let (a, b) = (node.inputs[0], node.inputs[1]);
    match to.uniform(b) {
        Some(constant) => Some((a, constant)),
        None if commutes(op, node.dtype) => to.uniform(a).map(|constant| (b, constant)),
        None => None,
    }
}

/// x of x ∘ number.
fn beside(to: &Rewriter, node: &ProgramNode, op: Binary, number: f64) -> Option<ProgramId> {
    let (x, constant) = with_constant(to, node, op)?;
    (constant == Literal::from_f64(node.dtype, number)).then_some(x)
}

/// The input of a node that is `op` of something.
fn inside(to: &Rewriter, id: ProgramId, op: Unary) -> Option<ProgramId> {
    (to[id].op == Op::Unary(op)).then(|| to[id].inputs[0])
}

/// a ∘ b and b ∘ a become one node: constants stand last, otherwise the older node first.
fn order_operands(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Op::Binary(op) = node.op else { return None };
    let (a, b) = (*node.inputs.first()?, *node.inputs.get(1)?);
    let key = |id: ProgramId| (to.uniform(id).is_some(), id);
    (commutes(op, node.dtype) && key(b) < key(a)).then(|| binary(to, op, b, a))
}

/// x + 0 for integers; x + (−0) for floats.
fn add_zero(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    beside(to, node, Binary::Add, -0.0)
}

/// x + 0 for floats, which is 0 rather than −0 where x is −0. Gradients are full of it.
fn add_positive_zero(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    beside(to, node, Binary::Add, 0.0)
}

fn subtract_zero(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    beside(to, node, Binary::Sub, 0.0)
}

/// 0 − x for integers; −0 − x for floats.
fn zero_minus(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    number_minus(to, node, -0.0)
}

/// 0 − x for floats, which is 0 rather than −0 where x is 0.
fn positive_zero_minus(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    number_minus(to, node, 0.0)
}

fn number_minus(to: &mut Rewriter, node: &ProgramNode, number: f64) -> Option<ProgramId> {
    if node.op != Op::Binary(Binary::Sub)
        || to.uniform(node.inputs[0])? != Literal::from_f64(node.dtype, number)
    {
        return None;
    }
    Some(unary(to, Unary::Neg, node.inputs[1]))
}

fn multiply_by_one(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    beside(to, node, Binary::Mul, 1.0)
}

fn multiply_by_minus_one(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let x = beside(to, node, Binary::Mul, -1.0)?;
    Some(unary(to, Unary::Neg, x))
}

/// Not for floats: NaN and infinities times 0 are NaN.
fn multiply_integer_by_zero(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    if !node.dtype.is_integer() {
        return None;
    }
    beside(to, node, Binary::Mul, 0.0)?;
    Some(to.number(0.0, node.dtype, &node.shape))
}

fn divide_by_one(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    beside(to, node, Binary::Div, 1.0)
}

/// Not for u32, whose −1 is 2³² − 1.
fn divide_by_minus_one(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    if node.dtype == DType::U32 {
        return None;
    }
    let x = beside(to, node, Binary::Div, -1.0)?;
    Some(unary(to, Unary::Neg, x))
}

/// k of an integer constant 2ᵏ.
fn logarithm(constant: Literal) -> Option<u32> {
    match constant {
        Literal::I32(c) => (c > 0 && c.count_ones() == 1).then(|| c.trailing_zeros()),
        Literal::U32(c) => c.is_power_of_two().then(|| c.trailing_zeros()),
        _ => None,
    }
}

/// x / 2ᵏ is x · 2⁻ᵏ for floats, both being the exact quotient rounded once, while 2⁻ᵏ is a normal
/// number; for integers, whose quotient is rounded down, it is a shift.
fn divide_by_power_of_two(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (x, constant) = with_constant(to, node, Binary::Div)?;
    if let Literal::F32(c) = constant {
        let power = c.is_normal() && c.to_bits() << 9 == 0 && (1.0 / c).is_normal();
        return power.then(|| {
            let inverse = to.constant(Literal::F32(1.0 / c), &node.shape);
            binary(to, Binary::Mul, x, inverse)
        });
    }
    let shift = to.number(f64::from(logarithm(constant)?), node.dtype, &node.shape);
    Some(binary(to, Binary::Shr, x, shift))
}

/// The remainder with the sign of 2ᵏ is the last k bits.
fn remainder_of_power_of_two(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (x, constant) = with_constant(to, node, Binary::Rem)?;
    let mask = (1u32 << logarithm(constant)?) - 1;
    let mask = to.constant(Literal::from_bits(node.dtype, mask), &node.shape);
    Some(binary(to, Binary::And, x, mask))
}

/// Not for floats: ∞ − ∞ is NaN.
fn integer_minus_itself(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let same = node.op == Op::Binary(Binary::Sub) && node.inputs[0] == node.inputs[1];
    (same && node.dtype.is_integer()).then(|| to.number(0.0, node.dtype, &node.shape))
}

/// (x + c) + d and (x · c) · d for integers, which wrap and so associate.
fn join_integer_constants(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Op::Binary(op @ (Binary::Add | Binary::Mul)) = node.op else { return None };
    let (inner, outer_constant) = with_constant(to, node, op)?;
    if !node.dtype.is_integer() {
        return None;
    }
    let (x, inner_constant) = with_constant(to, &to[inner], op)?;
    let c = to.constant(inner_constant, &node.shape);
    let d = to.constant(outer_constant, &node.shape);
    let joined = binary(to, op, c, d);
    // Where constants are not folded this would go on for ever.
    to.uniform(joined)?;
    Some(binary(to, op, x, joined))
}

/// a + (−b), (−a) + b and a − (−b).
fn add_negative(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    match (&node.op, &node.inputs[..]) {
        (Op::Binary(Binary::Add), &[a, b]) => {
            if let Some(b) = inside(to, b, Unary::Neg) {
                return Some(binary(to, Binary::Sub, a, b));
            }
            let a = inside(to, a, Unary::Neg)?;
            Some(binary(to, Binary::Sub, b, a))
        }
        (Op::Binary(Binary::Sub), &[a, b]) => {
            let b = inside(to, b, Unary::Neg)?;
            Some(binary(to, Binary::Add, a, b))
        }
        _ => None,
    }
}

/// (−a) · (−b), and the quotient for floats.
fn multiply_negatives(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let op = match node.op {
        Op::Binary(Binary::Mul) => Binary::Mul,
        Op::Binary(Binary::Div) if node.dtype == DType::F32 => Binary::Div,
        _ => return None,
    };
    let (a, b) = (inside(to, node.inputs[0], Unary::Neg)?, inside(to, node.inputs[1], Unary::Neg)?);
    Some(binary(to, op, a, b))
}

fn negate_twice(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Op::Unary(op @ (Unary::Neg | Unary::Not)) = node.op else { return None };
    inside(to, node.inputs[0], op)
}

fn abs_of_negative(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    if node.op != Op::Unary(Unary::Abs) || node.dtype == DType::U32 {
        return None;
    }
    let x = inside(to, node.inputs[0], Unary::Neg)?;
    Some(unary(to, Unary::Abs, x))
}

fn abs_of_unsigned(_: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    (node.op == Op::Unary(Unary::Abs) && node.dtype == DType::U32).then(|| node.inputs[0])
}

/// f(f(x)) where f leaves alone what it yields; what is rounded one way is not rounded again in
/// another.
fn apply_twice(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    use Unary::{Abs, Ceil, Floor, Relu, Round, Sign};
    let Op::Unary(outer) = node.op else { return None };
    let Op::Unary(inner) = to[node.inputs[0]].op else { return None };
    let settled = match outer {
        Abs | Sign | Relu => inner == outer,
        Floor | Ceil | Round => matches!(inner, Floor | Ceil | Round),
        _ => false,
    };
    settled.then(|| node.inputs[0])
}

/// x⁰, x¹, x² and, for floats, x⁻¹.
fn small_power(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (x, exponent) = with_constant(to, node, Binary::Pow)?;
    let exponent = exponent.to_f64();
    if exponent == 0.0 {
        Some(to.number(1.0, node.dtype, &node.shape))
    } else if exponent == 1.0 {
        Some(x)
    } else if exponent == 2.0 {
        Some(binary(to, Binary::Mul, x, x))
    } else if exponent == -1.0 && node.dtype == DType::F32 {
        let one = to.number(1.0, node.dtype, &node.shape);
        Some(binary(to, Binary::Div, one, x))
    } else {
        None
    }
}

/// x³ as x² · x and x⁴ as x² · x²: one more rounding, for far less work than a logarithm and an
/// exponential.
fn cube_and_fourth_power(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let (x, exponent) = with_constant(to, node, Binary::Pow)?;
    let exponent = exponent.to_f64();
    if exponent != 3.0 && exponent != 4.0 {
        return None;
    }
    let square = binary(to, Binary::Mul, x, x);
    Some(binary(to, Binary::Mul, square, if exponent == 3.0 { x } else { square }))
}
