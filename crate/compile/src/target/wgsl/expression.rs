//! Expressions in WGSL: operators by precedence with only the parentheses that the grammar asks
//! for, literals that every compiler accepts, built-in values.

use super::{Printer, names};
use weft_ir::kernel::interpret::constant;
use weft_ir::kernel::{ArrayId, BinaryOp, Builtin, Expr, ExprId, Function, SubgroupOp, Type, UnaryOp};
use weft_ir::{DType, Literal, float_text};

/// How tightly an expression binds, after WGSL's grammar (WGSL §8.18): bitwise operators mix with
/// nothing but themselves, shifts take only unary operands, and comparisons do not chain. `&&` and
/// `||` are not printed: they branch, and nothing here has effects to skip.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Level {
    BitwiseOr,
    BitwiseXor,
    BitwiseAnd,
    Comparison,
    Shift,
    Sum,
    Product,
    /// A literal, name, call, index, or a prefix operator before one.
    Unary,
}

impl Level {
    /// Whether an expression of this level may stand unparenthesised where `wanted` is expected.
    fn fits(self, wanted: Level) -> bool {
        use Level::*;
        match wanted {
            BitwiseOr | BitwiseXor | BitwiseAnd => self == wanted || self == Unary,
            _ => self >= wanted,
        }
    }
}

/// `vec4<f32>`, `u32`.
pub(crate) fn type_name(ty: Type) -> String {
    ty.to_string()
}

/// Whether a literal has no spelling in WGSL and is printed through its bits. The shortest decimal
/// of the largest number lies above it, which Tint refuses.
pub(crate) fn needs_bits(literal: Literal) -> bool {
    matches!(literal, Literal::F32(x) if !x.is_finite() || x.abs() == f32::MAX)
}

/// The entry point's parameter that carries a built-in value: attribute, name, type.
pub(crate) fn builtin_parameter(builtin: Builtin) -> (&'static str, &'static str, &'static str) {
    match builtin {
        Builtin::WorkgroupId(_) => ("workgroup_id", "workgroup_id", "vec3<u32>"),
        Builtin::NumWorkgroups(_) => ("num_workgroups", "num_workgroups", "vec3<u32>"),
        Builtin::LocalId(_) => ("local_invocation_id", "local_id", "vec3<u32>"),
        Builtin::LocalIndex => ("local_invocation_index", "local_index", "u32"),
        Builtin::SubgroupSize => ("subgroup_size", "subgroup_size", "u32"),
        Builtin::SubgroupInvocation => ("subgroup_invocation_id", "subgroup_invocation", "u32"),
    }
}

/// One built-in for each parameter, in the order in which they are declared.
pub(crate) const PARAMETERS: [Builtin; 6] = [
    Builtin::LocalId(0),
    Builtin::LocalIndex,
    Builtin::NumWorkgroups(0),
    Builtin::SubgroupInvocation,
    Builtin::SubgroupSize,
    Builtin::WorkgroupId(0),
];

/// An operator's spelling and level on operands of a type; `None` for those that are functions.
fn operator(op: BinaryOp, ty: Type) -> Option<(&'static str, Level)> {
    Some(match op {
        BinaryOp::Add => ("+", Level::Sum),
        BinaryOp::Sub => ("-", Level::Sum),
        BinaryOp::Mul => ("*", Level::Product),
        BinaryOp::Div => ("/", Level::Product),
        BinaryOp::Rem => ("%", Level::Product),
        BinaryOp::Xor if ty.scalar == DType::Bool => ("!=", Level::Comparison),
        BinaryOp::And => ("&", Level::BitwiseAnd),
        BinaryOp::Or => ("|", Level::BitwiseOr),
        BinaryOp::Xor => ("^", Level::BitwiseXor),
        BinaryOp::Shl => ("<<", Level::Shift),
        BinaryOp::Shr => (">>", Level::Shift),
        BinaryOp::Eq => ("==", Level::Comparison),
        BinaryOp::Ne => ("!=", Level::Comparison),
        BinaryOp::Lt => ("<", Level::Comparison),
        BinaryOp::Le => ("<=", Level::Comparison),
        BinaryOp::Gt => (">", Level::Comparison),
        BinaryOp::Ge => (">=", Level::Comparison),
        BinaryOp::Min | BinaryOp::Max => return None,
    })
}

/// What stands before `=` in a compound assignment of this operator, where there is one.
pub(crate) fn compound_operator(op: BinaryOp, ty: Type) -> Option<&'static str> {
    if ty.scalar == DType::Bool || op.is_comparison() {
        return None;
    }
    operator(op, ty).map(|(spelling, _)| spelling)
}

/// The levels asked of an operator's left and right operands.
fn operand_levels(level: Level) -> (Level, Level) {
    match level {
        Level::Sum => (Level::Sum, Level::Product),
        Level::Product => (Level::Product, Level::Unary),
        Level::Shift => (Level::Unary, Level::Unary),
        // A shift right beside `<` would read as the end of a template list (WGSL §3.9).
        Level::Comparison => (Level::Sum, Level::Sum),
        other => (other, Level::Unary),
    }
}

impl Printer<'_> {
    /// An expression where anything may stand.
    pub(crate) fn expr(&self, id: ExprId) -> String {
        self.print(id).0
    }

    /// An expression where at least `wanted` must stand.
    pub(crate) fn operand(&self, id: ExprId, wanted: Level) -> String {
        let (text, level) = self.print(id);
        if level.fits(wanted) { text } else { format!("({text})") }
    }

    /// The element of an array that a load or store names.
    pub(crate) fn place(&self, array: ArrayId, index: ExprId) -> String {
        format!("{}[{}]", self.names.array(array), self.expr(index))
    }

    /// An argument list. In `f(a < b, c > d)` WGSL would see a template list (WGSL §3.9), so such a
    /// `<` is parenthesised.
    fn arguments(&self, arguments: &[ExprId]) -> String {
        let (last, others) = arguments.split_last().expect("every function takes an argument");
        let mut list = String::new();
        for &x in others {
            let (text, level) = self.print(x);
            let is_hazard = level == Level::Comparison && text.contains(" < ");
            list += &if is_hazard { format!("({text}), ") } else { text + ", " };
        }
        list + &self.expr(*last)
    }

    fn print(&self, id: ExprId) -> (String, Level) {
        let expr = &self.kernel.exprs[id.index()];
        // WGSL evaluates constant expressions itself, and refuses the program where one overflows.
        if let Some(literal) = constant(self.kernel, id) {
            return (literal_text(literal), Level::Unary);
        }
        let text = match expr {
            Expr::Literal(literal) => literal_text(*literal),
            Expr::Local(local) => self.names.local(*local).to_owned(),
            Expr::Uniform(n) => names::uniform(*n),
            Expr::Builtin(builtin) => {
                let name = builtin_parameter(*builtin).1;
                match builtin {
                    Builtin::WorkgroupId(axis) | Builtin::NumWorkgroups(axis) | Builtin::LocalId(axis) => {
                        format!("{name}.{}", lane(*axis))
                    }
                    _ => name.to_owned(),
                }
            }
            Expr::Unary(op, x) => match op {
                UnaryOp::Neg => format!("-{}", self.negated(*x)),
                UnaryOp::Not if self.kernel.type_of(*x).scalar == DType::Bool => {
                    format!("!{}", self.operand(*x, Level::Unary))
                }
                UnaryOp::Not => format!("~{}", self.operand(*x, Level::Unary)),
                UnaryOp::Abs => format!("abs({})", self.expr(*x)),
                UnaryOp::Floor => format!("floor({})", self.expr(*x)),
                UnaryOp::Ceil => format!("ceil({})", self.expr(*x)),
                UnaryOp::Round => format!("round({})", self.expr(*x)),
                UnaryOp::Sqrt => format!("sqrt({})", self.expr(*x)),
            },
            Expr::Binary(op, a, b) => match operator(*op, self.kernel.type_of(*a)) {
                Some((spelling, level)) => {
                    let (left, right) = operand_levels(level);
                    let text = format!("{} {spelling} {}", self.operand(*a, left), self.operand(*b, right));
                    return (text, level);
                }
                None => {
                    let function = if *op == BinaryOp::Min { "min" } else { "max" };
                    format!("{function}({})", self.arguments(&[*a, *b]))
                }
            },
            Expr::Select(condition, a, b) => {
                format!("select({})", self.arguments(&[*b, *a, *condition]))
            }
            Expr::Cast(dtype, x) => {
                let lanes = self.kernel.type_of(*x).lanes;
                format!("{}({})", Type { scalar: *dtype, lanes }, self.expr(*x))
            }
            Expr::Bitcast(dtype, x) => {
                let lanes = self.kernel.type_of(*x).lanes;
                format!("bitcast<{}>({})", Type { scalar: *dtype, lanes }, self.expr(*x))
            }
            Expr::Load(array, index) => {
                let place = self.place(*array, *index);
                if self.kernel.arrays[array.index()].space.is_atomic() {
                    format!("atomicLoad(&{place})")
                } else {
                    place
                }
            }
            Expr::Call(function, arguments) => {
                format!("{}({})", function.name(), self.arguments(arguments))
            }
            Expr::Subgroup(op, x) => {
                let function = match op {
                    SubgroupOp::Add => "subgroupAdd",
                    SubgroupOp::Mul => "subgroupMul",
                    SubgroupOp::Min => "subgroupMin",
                    SubgroupOp::Max => "subgroupMax",
                    SubgroupOp::AddBefore => "subgroupExclusiveAdd",
                };
                format!("{function}({})", self.expr(*x))
            }
            Expr::Splat(..) | Expr::Compose(_) => {
                let ty = self.kernel.type_of(id);
                let mut arguments = Vec::new();
                expr.for_each_operand(|x| arguments.push(x));
                format!("{ty}({})", self.arguments(&arguments))
            }
            Expr::Component(x, component) => {
                format!("{}.{}", self.operand_of_component(*x), lane(*component))
            }
        };
        (text, Level::Unary)
    }

    /// The operand of a minus sign: another minus, written or in a literal, may not touch it (`--`
    /// is reserved).
    fn negated(&self, x: ExprId) -> String {
        let text = self.operand(x, Level::Unary);
        if text.starts_with('-') { format!("({text})") } else { text }
    }

    /// A prefix operator binds less tightly than `.x`.
    fn operand_of_component(&self, x: ExprId) -> String {
        let text = self.operand(x, Level::Unary);
        if text.starts_with(['-', '!', '~']) { format!("({text})") } else { text }
    }
}

fn lane(component: u8) -> &'static str {
    ["x", "y", "z", "w"][component as usize]
}

fn literal_text(literal: Literal) -> String {
    match literal {
        _ if needs_bits(literal) => {
            format!("{}({:#010x}u)", Function::FromBits.name(), literal.bits())
        }
        Literal::F32(x) => float_text(x),
        Literal::I32(x) => format!("{x}"),
        Literal::U32(x) => format!("{x}u"),
        Literal::Bool(x) => format!("{x}"),
    }
}
