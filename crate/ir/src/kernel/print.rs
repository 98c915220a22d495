//! Kernel printer: a kernel's declarations, then its statements with their expressions written out.
//! For people; it numbers arrays and locals as the verifier does.
//!
//! Deferred: kernels are printed in explanations.

use super::{BinaryOp, Builtin, Expr, ExprId, Kernel, LocalId, Space, Stmt, UnaryOp};
use std::fmt::{self, Display, Formatter};

/// Deferred: kernels are printed in explanations.
impl Display for Kernel {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.workgroup;
        writeln!(f, "kernel {:?} of {x}×{y}×{z} invocations", self.name)?;
        for (i, array) in self.arrays.iter().enumerate() {
            write!(f, "array {i} {}: ", array.name)?;
            match array.space {
                Space::Read => writeln!(f, "read {}", array.ty)?,
                Space::ReadWrite => writeln!(f, "read_write {}", array.ty)?,
                Space::Atomic => writeln!(f, "atomic {}", array.ty)?,
                Space::Workgroup(length) => writeln!(f, "workgroup {} × {length}", array.ty)?,
                Space::WorkgroupAtomic(length) => {
                    writeln!(f, "workgroup atomic {} × {length}", array.ty)?;
                }
                Space::Private(length) => writeln!(f, "private {} × {length}", array.ty)?,
            }
        }
        for (i, dtype) in self.uniforms.iter().enumerate() {
            writeln!(f, "uniform {i}: {dtype}")?;
        }
        block(self, &self.body, 0, f)
    }
}

fn block(kernel: &Kernel, statements: &[Stmt], depth: usize, f: &mut Formatter<'_>) -> fmt::Result {
    let e = |id: &ExprId| Text { kernel, id: *id, inner: false };
    let name = |local: &LocalId| {
        kernel.locals.get(local.index()).map_or("?".to_owned(), |l| format!("{}.{}", l.name, local.0))
    };
    let array = |id: &super::ArrayId| kernel.arrays.get(id.index()).map_or("?", |a| &a.name);
    for stmt in statements {
        write!(f, "{:1$}", "", depth * 2)?;
        match stmt {
            Stmt::Let(local, value) => writeln!(f, "let {} = {}", name(local), e(value))?,
            Stmt::Var(local, value) => writeln!(f, "var {} = {}", name(local), e(value))?,
            Stmt::Assign(local, value) => writeln!(f, "{} = {}", name(local), e(value))?,
            Stmt::Store(id, index, value) => writeln!(f, "{}[{}] = {}", array(id), e(index), e(value))?,
            Stmt::Atomic { op, array: id, index, value, before } => {
                if let Some(before) = before {
                    write!(f, "let {} = ", name(before))?;
                }
                writeln!(f, "atomic {op:?} {}[{}], {}", array(id), e(index), e(value))?;
            }
            Stmt::If(condition, then, otherwise) => {
                writeln!(f, "if {}", e(condition))?;
                block(kernel, then, depth + 1, f)?;
                if !otherwise.is_empty() {
                    writeln!(f, "{:1$}else", "", depth * 2)?;
                    block(kernel, otherwise, depth + 1, f)?;
                }
            }
            Stmt::For { counter, from, to, step, body } => {
                writeln!(f, "for {} from {} to {} step {step}", name(counter), e(from), e(to))?;
                block(kernel, body, depth + 1, f)?;
            }
            Stmt::While(condition, body) => {
                writeln!(f, "while {}", e(condition))?;
                block(kernel, body, depth + 1, f)?;
            }
            Stmt::Break => writeln!(f, "break")?,
            Stmt::Continue => writeln!(f, "continue")?,
            Stmt::Barrier => writeln!(f, "barrier")?,
        }
    }
    Ok(())
}

/// An expression as text; operators inside another expression are parenthesised. Prints what is
/// malformed, too.
struct Text<'a> {
    kernel: &'a Kernel,
    id: ExprId,
    inner: bool,
}

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let kernel = self.kernel;
        let whole = |id: &ExprId| Text { kernel, id: *id, inner: false };
        let inner = |id: &ExprId| Text { kernel, id: *id, inner: true };
        let list = |ids: &[ExprId]| ids.iter().map(|id| whole(id).to_string()).collect::<Vec<_>>().join(", ");
        let Some(expr) = kernel.exprs.get(self.id.index()) else {
            return write!(f, "?{}", self.id.0);
        };
        match expr {
            Expr::Literal(literal) => literal.fmt(f),
            Expr::Local(local) => match kernel.locals.get(local.index()) {
                Some(l) => write!(f, "{}.{}", l.name, local.0),
                None => write!(f, "?"),
            },
            Expr::Uniform(n) => write!(f, "uniform.{n}"),
            Expr::Builtin(builtin) => match builtin {
                Builtin::WorkgroupId(axis) => write!(f, "workgroup_id.{axis}"),
                Builtin::NumWorkgroups(axis) => write!(f, "num_workgroups.{axis}"),
                Builtin::LocalId(axis) => write!(f, "local_id.{axis}"),
                Builtin::LocalIndex => write!(f, "local_index"),
                Builtin::SubgroupSize => write!(f, "subgroup_size"),
                Builtin::SubgroupInvocation => write!(f, "subgroup_invocation"),
            },
            Expr::Unary(UnaryOp::Neg, x) => write!(f, "-{}", inner(x)),
            Expr::Unary(UnaryOp::Not, x) => write!(f, "!{}", inner(x)),
            Expr::Unary(op, x) => write!(f, "{}({})", lower(op), whole(x)),
            Expr::Binary(op @ (BinaryOp::Min | BinaryOp::Max), a, b) => {
                write!(f, "{}({}, {})", lower(op), whole(a), whole(b))
            }
            Expr::Binary(op, a, b) if self.inner => write!(f, "({} {} {})", inner(a), sign(*op), inner(b)),
            Expr::Binary(op, a, b) => write!(f, "{} {} {}", inner(a), sign(*op), inner(b)),
            Expr::Select(condition, a, b) => {
                write!(f, "select({}, {}, {})", whole(condition), whole(a), whole(b))
            }
            Expr::Cast(dtype, x) => write!(f, "{dtype}({})", whole(x)),
            Expr::Bitcast(dtype, x) => write!(f, "bitcast<{dtype}>({})", whole(x)),
            Expr::Load(array, index) => {
                let name = kernel.arrays.get(array.index()).map_or("?", |a| &a.name);
                write!(f, "{name}[{}]", whole(index))
            }
            Expr::Call(function, arguments) => write!(f, "{function:?}({})", list(arguments)),
            Expr::Subgroup(op, x) => write!(f, "subgroup_{}({})", lower(op), whole(x)),
            Expr::Splat(lanes, x) => write!(f, "splat{lanes}({})", whole(x)),
            Expr::Compose(parts) => write!(f, "vector({})", list(parts)),
            Expr::Component(x, lane) => write!(f, "{}.{lane}", inner(x)),
        }
    }
}

fn lower(op: &impl fmt::Debug) -> String {
    format!("{op:?}").to_ascii_lowercase()
}

fn sign(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Min => "min",
        BinaryOp::Max => "max",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
    }
}
