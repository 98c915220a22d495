//! Cases for the rules of elementwise nodes: constants, arithmetic, truth, order and dtypes.

use super::sketch::{ALL, BITS, Case, INTEGERS, NUMBERS, SIGNED, case};
use weft_ir::DType::{Bool, F32, I32, U32};
use weft_ir::op::{Binary, Compare, Op, ReduceOp, Unary};
use weft_ir::{DType, Literal};

pub const CASES: &[Case] = &[
    case("nothing-to-compute", ALL, |s, x| {
        let none = s.leaf([0, 3], s.dtype(x));
        let not_bool = s.add(Op::Cast(F32), &[none]);
        s.unary(Unary::Neg, not_bool)
    }),
    case("fold-constants", NUMBERS, |s, x| {
        let a = s.random.literal(s.dtype(x), false);
        let a = s.constant(a, &s.shape(x));
        let b = s.random.literal(s.dtype(x), false);
        let b = s.constant(b, &s.shape(x));
        let op =
            s.random.pick(&[Binary::Add, Binary::Sub, Binary::Mul, Binary::Div, Binary::Rem, Binary::Pow]);
        let value = s.binary(op, a, b);
        match s.random.below(3) {
            0 => {
                let sign = s.unary(Unary::Sign, value);
                s.binary(Binary::Max, x, sign)
            }
            1 => {
                let less = s.add(Op::Compare(Compare::Lt), &[a, b]);
                s.add(Op::Select, &[less, x, value])
            }
            _ => s.add(Op::Cast(I32), &[value]),
        }
    }),
    case("order-operands", NUMBERS, |s, x| {
        let y = s.twin(x);
        let (a, b) = (s.binary(Binary::Mul, x, y), s.binary(Binary::Mul, y, x));
        s.binary(Binary::Sub, a, b)
    }),
    case("add-zero", NUMBERS, |s, x| s.with(Binary::Add, x, -0.0)),
    case("add-positive-zero", &[F32], |s, x| s.with(Binary::Add, x, 0.0)),
    case("subtract-zero", NUMBERS, |s, x| s.with(Binary::Sub, x, 0.0)),
    case("zero-minus", NUMBERS, |s, x| {
        let zero = s.number(-0.0, x);
        s.binary(Binary::Sub, zero, x)
    }),
    case("positive-zero-minus", &[F32], |s, x| {
        let zero = s.number(0.0, x);
        s.binary(Binary::Sub, zero, x)
    }),
    case("multiply-by-one", NUMBERS, |s, x| s.with(Binary::Mul, x, 1.0)),
    case("multiply-by-minus-one", NUMBERS, |s, x| s.with(Binary::Mul, x, -1.0)),
    case("multiply-integer-by-zero", INTEGERS, |s, x| s.with(Binary::Mul, x, 0.0)),
    case("divide-by-one", NUMBERS, |s, x| s.with(Binary::Div, x, 1.0)),
    case("divide-by-minus-one", SIGNED, |s, x| s.with(Binary::Div, x, -1.0)),
    case("divide-by-power-of-two", NUMBERS, |s, x| {
        let exponent = s.random.below(if s.dtype(x) == F32 { 253 } else { 31 }) as i32;
        let exponent = if s.dtype(x) == F32 { exponent - 126 } else { exponent };
        s.with(Binary::Div, x, 2f64.powi(exponent))
    }),
    case("remainder-of-power-of-two", INTEGERS, |s, x| {
        let k = s.random.below(31) as i32;
        s.with(Binary::Rem, x, 2f64.powi(k))
    }),
    case("integer-minus-itself", INTEGERS, |s, x| s.binary(Binary::Sub, x, x)),
    case("join-integer-constants", INTEGERS, |s, x| {
        let op = s.random.pick(&[Binary::Add, Binary::Mul]);
        let (c, d) =
            (s.random.literal(s.dtype(x), false).to_f64(), s.random.literal(s.dtype(x), false).to_f64());
        let once = s.with(op, x, c);
        s.with(op, once, d)
    }),
    case("add-negative", NUMBERS, |s, x| {
        let y = s.twin(x);
        let negative = s.unary(Unary::Neg, y);
        match s.random.below(3) {
            0 => s.binary(Binary::Add, x, negative),
            1 => s.binary(Binary::Add, negative, x),
            _ => s.binary(Binary::Sub, x, negative),
        }
    }),
    case("multiply-negatives", NUMBERS, |s, x| {
        let y = s.twin(x);
        let (a, b) = (s.unary(Unary::Neg, x), s.unary(Unary::Neg, y));
        let divide = s.dtype(x) == F32 && s.random.one_in(2);
        s.binary(if divide { Binary::Div } else { Binary::Mul }, a, b)
    }),
    case("negate-twice", NUMBERS, |s, x| {
        let op = if s.dtype(x) == F32 { Unary::Neg } else { s.random.pick(&[Unary::Neg, Unary::Not]) };
        let once = s.unary(op, x);
        s.unary(op, once)
    }),
    case("abs-of-negative", SIGNED, |s, x| {
        let negative = s.unary(Unary::Neg, x);
        s.unary(Unary::Abs, negative)
    }),
    case("abs-of-unsigned", &[U32], |s, x| s.unary(Unary::Abs, x)),
    case("apply-twice", SIGNED, |s, x| {
        use Unary::*;
        let pairs = [(Abs, Abs), (Sign, Sign), (Relu, Relu), (Floor, Ceil), (Ceil, Round), (Round, Round)];
        let (first, second) = s.random.pick(if s.dtype(x) == F32 { &pairs } else { &pairs[..3] });
        let once = s.unary(first, x);
        s.unary(second, once)
    }),
    case("small-power", NUMBERS, |s, x| {
        let exponent =
            s.random.pick(if s.dtype(x) == F32 { &[0.0, 1.0, 2.0, -1.0] } else { &[0.0, 1.0, 2.0] });
        s.with(Binary::Pow, x, exponent)
    }),
    case("cube-and-fourth-power", NUMBERS, |s, x| {
        let exponent = s.random.pick(&[3.0, 4.0]);
        s.with(Binary::Pow, x, exponent)
    }),
    case("decided-select", ALL, |s, x| {
        let (y, truth) = (s.twin(x), s.random.one_in(2));
        let condition = s.constant(Literal::Bool(truth), &s.shape(x));
        s.add(Op::Select, &[condition, x, y])
    }),
    case("select-of-equals", ALL, |s, x| {
        let condition = s.leaf(s.shape(x), Bool);
        s.add(Op::Select, &[condition, x, x])
    }),
    case("select-by-not", ALL, |s, x| {
        let (y, condition) = (s.twin(x), s.leaf(s.shape(x), Bool));
        let opposite = s.unary(Unary::Not, condition);
        s.add(Op::Select, &[opposite, x, y])
    }),
    case("select-one-or-zero", ALL, |s, x| {
        let (one, zero, condition) = (s.number(1.0, x), s.number(0.0, x), s.leaf(s.shape(x), Bool));
        let swap = s.dtype(x) == Bool && s.random.one_in(2);
        s.add(Op::Select, &if swap { [condition, zero, one] } else { [condition, one, zero] })
    }),
    case("combine-with-itself", ALL, |s, x| {
        let ops = [Binary::Min, Binary::Max, Binary::And, Binary::Or];
        let op = s.random.pick(if s.dtype(x) == F32 { &ops[..2] } else { &ops });
        s.binary(op, x, x)
    }),
    case("combine-with-neutral", ALL, |s, x| {
        let bits = |bits| Literal::from_bits(s.dtype(x), bits);
        let (low, high) = (ReduceOp::Max.identity(s.dtype(x)), ReduceOp::Min.identity(s.dtype(x)));
        let all =
            [(Binary::Min, high), (Binary::Max, low), (Binary::And, bits(u32::MAX)), (Binary::Or, bits(0))];
        let (op, neutral) = s.random.pick(if s.dtype(x) == F32 { &all[..2] } else { &all });
        let neutral = s.constant(neutral, &s.shape(x));
        if s.random.one_in(2) { s.binary(op, x, neutral) } else { s.binary(op, neutral, x) }
    }),
    case("combine-with-absorbing", BITS, |s, x| {
        let bits = |bits| Literal::from_bits(s.dtype(x), bits);
        let (low, high) = (ReduceOp::Max.identity(s.dtype(x)), ReduceOp::Min.identity(s.dtype(x)));
        let all =
            [(Binary::Min, low), (Binary::Max, high), (Binary::And, bits(0)), (Binary::Or, bits(u32::MAX))];
        let (op, absorbing) = s.random.pick(&all);
        let absorbing = s.constant(absorbing, &s.shape(x));
        if s.random.one_in(2) { s.binary(op, x, absorbing) } else { s.binary(op, absorbing, x) }
    }),
    case("exclusive-or", BITS, |s, x| {
        let bits = s.random.pick(&[0, u32::MAX]);
        let constant = s.constant(Literal::from_bits(s.dtype(x), bits), &s.shape(x));
        let other = if s.random.one_in(3) { x } else { constant };
        s.binary(Binary::Xor, x, other)
    }),
    case("shift-by-zero", INTEGERS, |s, x| {
        let op = s.random.pick(&[Binary::Shl, Binary::Shr]);
        s.with(op, x, 0.0)
    }),
    case("not-of-comparison", ALL, |s, x| {
        use Compare::*;
        let y = s.twin(x);
        let all = [Eq, Ne, Lt, Le, Gt, Ge];
        let op = s.random.pick(if s.dtype(x) == F32 { &all[..2] } else { &all });
        let truth = s.add(Op::Compare(op), &[x, y]);
        s.unary(Unary::Not, truth)
    }),
    case("compare-with-itself", BITS, |s, x| {
        use Compare::*;
        let op = s.random.pick(&[Eq, Ne, Lt, Le, Gt, Ge]);
        s.add(Op::Compare(op), &[x, x])
    }),
    case("compare-truth", ALL, |s, x| {
        use Compare::*;
        let (op, truth) = (s.random.pick(&[Eq, Ne, Lt, Le, Gt, Ge]), s.leaf(s.shape(x), Bool));
        let number = s.add(Op::Cast(s.dtype(x)), &[truth]);
        let literal = s.random.literal(s.dtype(x), false);
        let constant = s.constant(literal, &s.shape(x));
        s.add(Op::Compare(op), &[number, constant])
    }),
    // Casts to their own dtype are left out when a program is made.
    case("cast-to-own-dtype", NUMBERS, |s, x| s.add(Op::Bitcast(s.dtype(x)), &[x])),
    case("cast-of-cast", BITS, |s, x| {
        let ways: &[(DType, DType)] = match s.dtype(x) {
            Bool => &[(I32, F32), (F32, U32), (U32, Bool)],
            I32 => &[(U32, I32), (U32, Bool), (F32, Bool)],
            _ => &[(I32, U32), (I32, Bool), (F32, Bool)],
        };
        let (first, second) = s.random.pick(ways);
        let once = s.add(Op::Cast(first), &[x]);
        s.add(Op::Cast(second), &[once])
    }),
    case("bitcast-between-integers", &[I32], |s, x| s.add(Op::Bitcast(U32), &[x])),
    case("bitcast-of-bitcast", &[F32], |s, x| {
        // Not of NaN, whose bits are nobody's promise.
        let (nan, zero) = (s.unary(Unary::IsNan, x), s.number(0.0, x));
        let number = s.add(Op::Select, &[nan, zero, x]);
        let bits = s.add(Op::Bitcast(I32), &[number]);
        let to = s.random.pick(&[U32, F32]);
        s.add(Op::Bitcast(to), &[bits])
    }),
];
