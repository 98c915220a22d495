//! Facts of primitives that hold whatever they are applied to: name, class of work, number of
//! inputs and cost. One exhaustive table, so that no stage takes a new primitive for something
//! else.

use super::{Binary, Coefficient, Compare, Op, ReduceOp, Unary, View};
use crate::dtype::DType;

/// What sort of work a primitive is: which elements of its inputs an element of its result depends
/// on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// On nothing: it has no inputs.
    Leaf,
    /// On just the elements at its own position.
    Elementwise,
    /// On all elements along some axes.
    Reduction,
    /// On one element, at a position that is arithmetic, or on none.
    View,
    /// On sums of products.
    Contraction,
    /// On one element, at a position that is data.
    Gather,
    /// On all updates.
    Scatter,
    /// On all elements of its line along an axis, which has a result for each of them.
    Line,
    /// On the element at its own position, which it is.
    Identity,
    /// On whatever its programs compute. It has no elements itself.
    Region,
    /// On a region: it is one of its results.
    Part,
}

/// Facts of a primitive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// A short lower-case name for printing and for errors.
    pub name: &'static str,
    /// What sort of work it is.
    pub class: Class,
    /// How many inputs it takes; a region takes as many as its programs' leaves stand for.
    pub arity: Option<usize>,
    /// Operations for one element of the result, of a reduction for one element of the input.
    /// Views, identities and leaves cost nothing by themselves; contractions and scatters are
    /// counted where their shapes are known.
    pub cost: usize,
}

/// Operations of a function that is approximated, and of a division.
const EXPENSIVE: usize = 8;
/// Operations of a read whose position must be bounded.
const BOUNDED: usize = 4;

/// Operations of a sort for each element.
const SORTING: usize = 64;
/// Operations of a Fourier transform for each element.
const TRANSFORM: usize = 32;

/// What holds of `op`.
pub fn facts(op: &Op) -> Facts {
    let of = |name, class, arity, cost| Facts { name, class, arity: Some(arity), cost };
    // Nothing here counts what programs within have: this is asked of every node again and again.
    let region = |name| Facts { name, class: Class::Region, arity: None, cost: 0 };
    match op {
        Op::Buffer(..) => of("buffer", Class::Leaf, 0, 0),
        Op::Scalar(_) => of("scalar", Class::Leaf, 0, 0),
        Op::Constant(_) => of("constant", Class::Leaf, 0, 0),
        Op::Iota { .. } => of("iota", Class::Leaf, 0, 0),
        Op::Unary(op) => of(unary_name(*op), Class::Elementwise, 1, unary_cost(*op)),
        Op::Binary(op) => of(binary_name(*op), Class::Elementwise, 2, binary_cost(*op)),
        Op::Compare(op) => of(compare_name(*op), Class::Elementwise, 2, 1),
        Op::Select => of("select", Class::Elementwise, 3, 1),
        Op::Cast(to) => {
            let name = match to {
                DType::F32 => "cast_f32",
                DType::I32 => "cast_i32",
                DType::U32 => "cast_u32",
                DType::Bool => "cast_bool",
                DType::F16 => "cast_f16",
                DType::I8 => "cast_i8",
                DType::U8 => "cast_u8",
            };
            of(name, Class::Elementwise, 1, 1)
        }
        Op::Bitcast(to) => {
            let name = match to {
                DType::F32 => "bitcast_f32",
                DType::I32 => "bitcast_i32",
                DType::U32 => "bitcast_u32",
                DType::Bool => "bitcast_bool",
                DType::F16 | DType::I8 | DType::U8 => "bitcast",
            };
            of(name, Class::Elementwise, 1, 1)
        }
        Op::Reduce { op, .. } => of(reduce_name(*op), Class::Reduction, 1, 1),
        Op::View(View::Reshape(_)) => of("reshape", Class::View, 1, 0),
        Op::View(View::Permute(_)) => of("permute", Class::View, 1, 0),
        Op::View(View::Expand(_)) => of("expand", Class::View, 1, 0),
        Op::View(View::Slice { starts, .. }) => of("slice", Class::View, 1 + parameters(starts), 0),
        Op::View(View::Pad { low, .. }) => of("pad", Class::View, 1 + parameters(low), BOUNDED),
        Op::View(View::Window(_)) => of("window", Class::View, 1, 0),
        Op::Conv(_) => of("conv", Class::Contraction, 2, 0),
        Op::Contract(_) => of("contract", Class::Contraction, 2, 0),
        Op::Gather { .. } => of("gather", Class::Gather, 2, BOUNDED),
        Op::Scatter { .. } => of("scatter", Class::Scatter, 3, 0),
        Op::Scan(scan) => of(scan_name(scan.op), Class::Line, 1, 2),
        Op::ArgSort { .. } => of("argsort", Class::Line, 1, SORTING),
        Op::Fourier { .. } => of("fourier", Class::Line, 2, TRANSFORM),
        Op::Mark(_) => of("mark", Class::Identity, 1, 0),
        Op::Detach => of("detach", Class::Identity, 1, 0),
        Op::Cut => of("cut", Class::Identity, 1, 0),
        Op::Loop(_) => region("loop"),
        Op::Branch(_) => region("branch"),
        Op::Custom(_) => region("custom"),
        Op::Kernel(_) => region("kernel"),
        Op::Part { .. } => of("part", Class::Part, 1, 0),
    }
}

fn parameters(list: &[Coefficient]) -> usize {
    list.iter().filter(|c| matches!(c, Coefficient::Param { .. })).count()
}

fn unary_cost(op: Unary) -> usize {
    use Unary::*;
    match op {
        Exp | Log | Sin | Cos | Tanh | Sigmoid | Erf | ErfInv | NormalCdf | Rsqrt | Sqrt => EXPENSIVE,
        Neg | Abs | Sign | Floor | Ceil | Round | Relu | Not | IsNan => 1,
        ToHalf | OfHalf => BOUNDED,
    }
}

fn binary_cost(op: Binary) -> usize {
    use Binary::*;
    match op {
        Pow | Rem | Div | FloorDiv => EXPENSIVE,
        Add | Sub | Mul | Min | Max | And | Or | Xor | Shl | Shr => 1,
    }
}

fn unary_name(op: Unary) -> &'static str {
    match op {
        Unary::Neg => "neg",
        Unary::Abs => "abs",
        Unary::Sign => "sign",
        Unary::Floor => "floor",
        Unary::Ceil => "ceil",
        Unary::Round => "round",
        Unary::Exp => "exp",
        Unary::Log => "log",
        Unary::Sqrt => "sqrt",
        Unary::Rsqrt => "rsqrt",
        Unary::Sin => "sin",
        Unary::Cos => "cos",
        Unary::Tanh => "tanh",
        Unary::Sigmoid => "sigmoid",
        Unary::Relu => "relu",
        Unary::Erf => "erf",
        Unary::ErfInv => "erfinv",
        Unary::NormalCdf => "normalcdf",
        Unary::Not => "not",
        Unary::IsNan => "isnan",
        Unary::ToHalf => "to_half",
        Unary::OfHalf => "of_half",
    }
}

fn binary_name(op: Binary) -> &'static str {
    match op {
        Binary::Add => "add",
        Binary::Sub => "sub",
        Binary::Mul => "mul",
        Binary::Div => "div",
        Binary::FloorDiv => "floordiv",
        Binary::Rem => "rem",
        Binary::Pow => "pow",
        Binary::Min => "min",
        Binary::Max => "max",
        Binary::And => "and",
        Binary::Or => "or",
        Binary::Xor => "xor",
        Binary::Shl => "shl",
        Binary::Shr => "shr",
    }
}

fn compare_name(op: Compare) -> &'static str {
    match op {
        Compare::Eq => "eq",
        Compare::Ne => "ne",
        Compare::Lt => "lt",
        Compare::Le => "le",
        Compare::Gt => "gt",
        Compare::Ge => "ge",
    }
}

fn reduce_name(op: ReduceOp) -> &'static str {
    match op {
        ReduceOp::Sum => "sum",
        ReduceOp::Prod => "prod",
        ReduceOp::Max => "max",
        ReduceOp::Min => "min",
        ReduceOp::ArgMax => "argmax",
        ReduceOp::ArgMin => "argmin",
    }
}

fn scan_name(op: ReduceOp) -> &'static str {
    match op {
        ReduceOp::Sum => "scan_sum",
        ReduceOp::Prod => "scan_prod",
        ReduceOp::Max => "scan_max",
        ReduceOp::Min => "scan_min",
        ReduceOp::ArgMax | ReduceOp::ArgMin => "scan",
    }
}
