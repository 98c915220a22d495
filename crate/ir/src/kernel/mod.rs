//! The kernel IR: what one GPU kernel does, as structured statements over expressions.
//!
//! Kernels made by the scheduler and, later, kernels written by users are the same thing: printed
//! by one WGSL printer, run by one reference interpreter, checked by one verifier.
//!
//! **Expressions** live in the kernel's arena, are typed, and have no effect of their own. An
//! expression is evaluated anew wherever a statement mentions it, at that statement's time: a
//! [`Expr::Load`] mentioned before and after a store may differ. To evaluate once, bind it with
//! [`Stmt::Let`].
//!
//! **Statements** run in order. Every invocation of every workgroup runs the body.
//! [`Stmt::Barrier`] must be reached by all invocations of a workgroup or by none: it may only
//! are in control flow whose conditions are uniform in the workgroup.
//!
//! Arithmetic is WGSL's: integers wrap, `Div` and `Rem` truncate, division of an integer by zero is
//! not relied upon; floats may flush subnormals. Whatever must hold a bound or treat NaN in one way
//! everywhere is a [`Function`] from the prelude. There is no bool storage: bools are u32 in
//! buffers, arrays and uniforms, and are converted by the code that loads and stores.

use crate::dtype::{DType, Literal};
use std::fmt;
use std::rc::Rc;

pub mod interpret;
mod print;
#[cfg(test)]
mod sketch;
mod types;
mod uniformity;
pub mod verify;

index_type!(
    /// An expression of a kernel's arena.
    ExprId
);
index_type!(
    /// A named local of a kernel.
    LocalId
);
index_type!(
    /// An array of a kernel: storage binding, workgroup or private memory.
    ArrayId
);

/// A scalar or a vector of 2, 3 or 4 lanes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Type {
    /// Dtype of each lane.
    pub scalar: DType,
    /// 1 for a scalar.
    pub lanes: u8,
}

impl Type {
    /// The scalar type of a dtype.
    pub const fn scalar(scalar: DType) -> Type {
        Type { scalar, lanes: 1 }
    }
}

impl From<DType> for Type {
    fn from(scalar: DType) -> Type {
        Type::scalar(scalar)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.lanes == 1 {
            write!(f, "{}", self.scalar)
        } else {
            write!(f, "vec{}<{}>", self.lanes, self.scalar)
        }
    }
}

/// Where an array lives and who may write it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Space {
    /// A storage buffer that is only read. Its length comes with the binding.
    Read,
    /// A storage buffer that is written and may be read.
    ReadWrite,
    /// A storage buffer of i32 or u32 atomics.
    Atomic,
    /// Workgroup memory of this many elements; zero when the workgroup starts.
    Workgroup(u32),
    /// Workgroup memory of this many i32 or u32 atomics; zero when the workgroup starts.
    WorkgroupAtomic(u32),
    /// One invocation's memory of this many elements; zero at first.
    Private(u32),
}

impl Space {
    /// Whether the array is a storage binding.
    pub const fn is_storage(self) -> bool {
        matches!(self, Space::Read | Space::ReadWrite | Space::Atomic)
    }

    /// Whether its elements are atomics.
    pub const fn is_atomic(self) -> bool {
        matches!(self, Space::Atomic | Space::WorkgroupAtomic(_))
    }

    /// How many elements it has of workgroup memory, if it lives there.
    pub const fn in_workgroup(self) -> Option<u32> {
        match self {
            Space::Workgroup(length) | Space::WorkgroupAtomic(length) => Some(length),
            Space::Read | Space::ReadWrite | Space::Atomic | Space::Private(_) => None,
        }
    }
}

/// A declared array. Storage arrays are bound in the order of their declaration: binding n is the
/// n-th storage array.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Array {
    /// Its name in print.
    pub name: String,
    /// Element type: never bool; of 1, 2 or 4 lanes.
    pub ty: Type,
    /// Where it lives.
    pub space: Space,
}

/// A declared local: bound once by [`Stmt::Let`] or a loop, or assigned any number of times after
/// [`Stmt::Var`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Local {
    /// Its name in print; the printer makes names distinct.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

/// Values the GPU gives each invocation, all u32.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Builtin {
    /// Component 0–2 of the workgroup's position in the dispatch.
    WorkgroupId(u8),
    /// Component 0–2 of the dispatch's size in workgroups.
    NumWorkgroups(u8),
    /// Component 0–2 of the invocation's position in its workgroup.
    LocalId(u8),
    /// The invocation's row-major position in its workgroup.
    LocalIndex,
    /// Invocations per subgroup.
    SubgroupSize,
    /// The invocation's position in its subgroup.
    SubgroupInvocation,
}

/// WGSL's own operators and exact built-in functions on one operand, lane by lane.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names are WGSL's")]
pub enum UnaryOp {
    /// Not of u32.
    Neg,
    Not,
    Abs,
    Floor,
    Ceil,
    /// Ties to even.
    Round,
    Sqrt,
}

/// WGSL's own operators on two operands of one type, lane by lane. `Shl` and `Shr` take a u32 right
/// operand below 32.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names are WGSL's")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    /// Not NaN-aware: for integers, and floats known not to be NaN.
    Min,
    /// Not NaN-aware: for integers, and floats known not to be NaN.
    Max,
    /// Of bools `&&`: the right operand is evaluated only where the left is true.
    And,
    /// Of bools `||`: the right operand is evaluated only where the left is false.
    Or,
    Xor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl BinaryOp {
    /// Whether the result is bool.
    pub const fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge)
    }
}

listed! {
    /// Functions of `shaders/prelude.wgsl`, under the names they have there, which hold Weft's own
    /// bounds and edge cases on every device. Scalars only.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
    pub enum Function {
        /// f32 → f32.
        Exp = "exp_f32",
        /// f32 → f32: of what is 0 or less, for sums in which 1 is the largest term.
        ExpBelow = "exp_below_f32",
        /// f32 → f32.
        Log = "log_f32",
        /// f32 → f32; range reduced.
        Sin = "sin_f32",
        /// f32 → f32; range reduced.
        Cos = "cos_f32",
        /// f32 → f32.
        Tanh = "tanh_f32",
        /// f32 → f32.
        Sigmoid = "sigmoid_f32",
        /// f32 → f32.
        Erf = "erf_f32",
        /// f32 → f32.
        ErfInv = "erf_inv_f32",
        /// f32 → f32: Φ.
        NormalCdf = "normal_cdf_f32",
        /// f32 → f32: 1/√x with ∞ at zero.
        Rsqrt = "rsqrt_f32",
        /// f32 → f32: −1, 0, 1, NaN.
        SignF32 = "sign_f32",
        /// f32 → bool, by bits.
        IsNan = "is_nan",
        /// (f32, f32) → f32, C's `pow`.
        PowF32 = "pow_f32",
        /// (i32, i32) → i32.
        PowI32 = "pow_i32",
        /// (u32, u32) → u32.
        PowU32 = "pow_u32",
        /// (f32, f32) → f32; NaN if either is.
        MinF32 = "min_f32",
        /// (f32, f32) → f32; NaN if either is.
        MaxF32 = "max_f32",
        /// (f32, f32) → f32, at any magnitude.
        DivF32 = "div_f32",
        /// (f32, f32) → f32: the first, which no compiler knows if it does not know the second.
        Hidden = "hidden_f32",
        /// (f32, f32) → f32: the floor of the exact quotient.
        FloorDivF32 = "floor_div_f32",
        /// (f32, f32) → f32; sign of the divisor.
        RemF32 = "rem_f32",
        /// (i32, i32) → i32, floor; 0 where the divisor is 0.
        FloorDivI32 = "floor_div_i32",
        /// (u32, u32) → u32; 0 where the divisor is 0.
        DivU32 = "div_u32",
        /// (i32, i32) → i32; sign of the divisor; 0 where it is 0.
        FloorRemI32 = "floor_rem_i32",
        /// (u32, u32) → u32; 0 where the divisor is 0.
        RemU32 = "rem_u32",
        /// f32 → i32, truncating and saturating, NaN to 0.
        F32ToI32 = "f32_to_i32",
        /// f32 → u32, truncating and saturating, NaN to 0.
        F32ToU32 = "f32_to_u32",
        /// u32 → f32: the nearest, ties to even.
        U32ToF32 = "u32_to_f32",
        /// u32 → f32: the float of these bits, which may be infinite or NaN; no constant expression
        /// of WGSL may.
        FromBits = "from_bits",
        /// f32 → u32: the bits of the nearest half, ties to even.
        ToHalf = "half_of_f32",
        /// u32 → f32: the value of the half of these bits.
        OfHalf = "f32_of_half",
    }
}

impl Function {
    /// The dtypes it takes and the one it yields.
    pub const fn signature(self) -> (&'static [DType], DType) {
        use DType::{Bool, F32, I32, U32};
        use Function::*;
        match self {
            Exp | ExpBelow | Log | Sin | Cos | Tanh | Sigmoid | Erf | ErfInv | NormalCdf | Rsqrt
            | SignF32 => (&[F32], F32),
            IsNan => (&[F32], Bool),
            PowF32 | MinF32 | MaxF32 | DivF32 | Hidden | FloorDivF32 | RemF32 => (&[F32, F32], F32),
            PowI32 | FloorDivI32 | FloorRemI32 => (&[I32, I32], I32),
            PowU32 | DivU32 | RemU32 => (&[U32, U32], U32),
            F32ToI32 => (&[F32], I32),
            F32ToU32 => (&[F32], U32),
            U32ToF32 | FromBits | OfHalf => (&[U32], F32),
            ToHalf => (&[F32], U32),
        }
    }
}

/// Operations across a subgroup; need a device with subgroups and uniform control flow.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names are WGSL's")]
pub enum SubgroupOp {
    Add,
    Mul,
    Min,
    Max,
    /// The sum of what the invocations before have; zero for the first.
    AddBefore,
}

/// An expression. Operands come earlier in the arena.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A value known when the kernel was made. NaN and infinities are printed through bits.
    Literal(Literal),
    /// The present value of a local.
    Local(LocalId),
    /// Run-time scalar number n of this dispatch; its dtype is `Kernel::uniforms[n]`.
    Uniform(u32),
    /// A value of the invocation.
    Builtin(Builtin),
    /// An operator on one operand.
    Unary(UnaryOp, ExprId),
    /// An operator on two.
    Binary(BinaryOp, ExprId, ExprId),
    /// `select`: condition (bool), value if true, value if false. Both are evaluated.
    Select(ExprId, ExprId, ExprId),
    /// Conversion between dtypes as WGSL's constructors; f32 to integer goes through a
    /// [`Function`].
    Cast(DType, ExprId),
    /// The same bits as another dtype; not bool.
    Bitcast(DType, ExprId),
    /// Element `index` (i32 or u32) of an array. The index must be inside; the device may clamp it.
    Load(ArrayId, ExprId),
    /// A prelude function.
    Call(Function, Vec<ExprId>),
    /// Combination over the invocations of a subgroup.
    Subgroup(SubgroupOp, ExprId),
    /// A vector of as many lanes, each the scalar.
    Splat(u8, ExprId),
    /// A vector of these scalars.
    Compose(Vec<ExprId>),
    /// One lane of a vector.
    Component(ExprId, u8),
}

impl Expr {
    /// The operand whose type decides that of the expression, where one does.
    pub fn typed_by(&self) -> Option<ExprId> {
        match self {
            Expr::Literal(_)
            | Expr::Local(_)
            | Expr::Uniform(_)
            | Expr::Builtin(_)
            | Expr::Load(..)
            | Expr::Call(..) => None,
            Expr::Unary(_, x)
            | Expr::Binary(_, x, _)
            | Expr::Select(_, x, _)
            | Expr::Cast(_, x)
            | Expr::Bitcast(_, x)
            | Expr::Subgroup(_, x)
            | Expr::Splat(_, x)
            | Expr::Component(x, _) => Some(*x),
            Expr::Compose(parts) => parts.first().copied(),
        }
    }

    /// The same expression of other operands.
    pub fn map_operands(&self, mut of: impl FnMut(ExprId) -> ExprId) -> Expr {
        match self {
            Expr::Literal(_) | Expr::Local(_) | Expr::Uniform(_) | Expr::Builtin(_) => self.clone(),
            Expr::Unary(op, x) => Expr::Unary(*op, of(*x)),
            Expr::Binary(op, a, b) => Expr::Binary(*op, of(*a), of(*b)),
            Expr::Select(condition, a, b) => Expr::Select(of(*condition), of(*a), of(*b)),
            Expr::Cast(dtype, x) => Expr::Cast(*dtype, of(*x)),
            Expr::Bitcast(dtype, x) => Expr::Bitcast(*dtype, of(*x)),
            Expr::Load(array, index) => Expr::Load(*array, of(*index)),
            Expr::Call(function, xs) => Expr::Call(*function, xs.iter().map(|&x| of(x)).collect()),
            Expr::Subgroup(op, x) => Expr::Subgroup(*op, of(*x)),
            Expr::Splat(lanes, x) => Expr::Splat(*lanes, of(*x)),
            Expr::Compose(xs) => Expr::Compose(xs.iter().map(|&x| of(x)).collect()),
            Expr::Component(x, lane) => Expr::Component(of(*x), *lane),
        }
    }

    /// Calls `visit` for each operand, in order.
    pub fn for_each_operand(&self, mut visit: impl FnMut(ExprId)) {
        match self {
            Expr::Literal(_) | Expr::Local(_) | Expr::Uniform(_) | Expr::Builtin(_) => {}
            Expr::Unary(_, x)
            | Expr::Cast(_, x)
            | Expr::Bitcast(_, x)
            | Expr::Load(_, x)
            | Expr::Subgroup(_, x)
            | Expr::Splat(_, x)
            | Expr::Component(x, _) => visit(*x),
            Expr::Binary(_, a, b) => [*a, *b].into_iter().for_each(visit),
            Expr::Select(condition, a, b) => [*condition, *a, *b].into_iter().for_each(visit),
            Expr::Call(_, xs) | Expr::Compose(xs) => xs.iter().copied().for_each(visit),
        }
    }
}

/// How an atomic statement combines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names are WGSL's")]
pub enum AtomicOp {
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Stmt {
    /// Binds a local once.
    Let(LocalId, ExprId),
    /// Declares an assignable local with its first value.
    Var(LocalId, ExprId),
    /// Assigns a local declared by `Var`.
    Assign(LocalId, ExprId),
    /// Writes an element of an array: array, index (i32 or u32, inside), value.
    Store(ArrayId, ExprId, ExprId),
    /// Combines into an element of an atomic array.
    Atomic {
        /// How.
        op: AtomicOp,
        /// The array.
        array: ArrayId,
        /// Which element: i32 or u32, inside.
        index: ExprId,
        /// What is combined into it.
        value: ExprId,
        /// A local that is bound to what was there before, where it is wanted.
        before: Option<LocalId>,
    },
    /// Runs one of two blocks.
    If(ExprId, Vec<Stmt>, Vec<Stmt>),
    /// Counts an i32 local from `from` up to but not including `to` in steps of `step` (> 0).
    For {
        /// The counter, bound anew each iteration.
        counter: LocalId,
        /// First value.
        from: ExprId,
        /// Bound, evaluated at every iteration; must not change.
        to: ExprId,
        /// Increment, a positive constant.
        step: i32,
        /// What is repeated.
        body: Vec<Stmt>,
    },
    /// Repeats while the condition holds.
    While(ExprId, Vec<Stmt>),
    /// Leaves the innermost loop. The last statement of its block.
    Break,
    /// Goes on with the innermost loop's next iteration. The last statement of its block.
    Continue,
    /// Waits for the workgroup; its workgroup and storage writes become visible to it.
    Barrier,
}

/// A kernel. Equality of kernels is equality of pipelines.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Kernel {
    /// A word or two on what it does; printed as a comment and in profiles.
    pub name: String,
    /// Invocations per workgroup along x, y, z.
    pub workgroup: [u32; 3],
    /// Arrays, storage bindings first among equals in declaration order.
    pub arrays: Vec<Array>,
    /// Dtypes of the run-time scalars, each one 4-byte slot of the dispatch's uniform block; bool
    /// is a u32 there.
    pub uniforms: Vec<DType>,
    /// Locals.
    pub locals: Vec<Local>,
    /// The expression arena.
    pub exprs: Vec<Expr>,
    /// What each invocation runs.
    pub body: Vec<Stmt>,
    /// WGSL that a user wrote, in place of a body. It has an entry point and no bindings; the
    /// arrays are declared beside it, by their names.
    pub source: Option<Rc<str>>,
}

impl Kernel {
    /// The storage arrays in binding order.
    pub fn storage(&self) -> impl Iterator<Item = (ArrayId, &Array)> {
        (0..).map(ArrayId).zip(&self.arrays).filter(|(_, a)| a.space.is_storage())
    }

    /// Invocations per workgroup.
    pub fn invocations(&self) -> u32 {
        self.workgroup.iter().product()
    }

    /// Whether the kernel uses subgroup operations.
    pub fn uses_subgroups(&self) -> bool {
        let subgroup = |e: &Expr| {
            matches!(
                e,
                Expr::Subgroup(..) | Expr::Builtin(Builtin::SubgroupSize | Builtin::SubgroupInvocation)
            )
        };
        self.exprs.iter().any(subgroup)
    }

    /// The type of an expression of a well-formed kernel.
    pub fn type_of(&self, id: ExprId) -> Type {
        let mut chain = vec![id];
        let mut last = id;
        while let Some(operand) = self.exprs[last.index()].typed_by() {
            chain.push(operand);
            last = operand;
        }
        let unknown = Type::scalar(DType::U32);
        chain.into_iter().rev().fold(unknown, |operand, id| self.type_above(&self.exprs[id.index()], operand))
    }

    /// The type of an expression whose operand [`Expr::typed_by`] has the type `operand`.
    pub fn type_above(&self, expr: &Expr, operand: Type) -> Type {
        match expr {
            Expr::Literal(literal) => literal.dtype().into(),
            Expr::Local(local) => self.locals[local.index()].ty,
            Expr::Uniform(n) => match self.uniforms[*n as usize] {
                DType::Bool => DType::U32.into(),
                dtype => dtype.into(),
            },
            Expr::Builtin(_) => DType::U32.into(),
            Expr::Binary(op, ..) if op.is_comparison() => Type { scalar: DType::Bool, lanes: operand.lanes },
            Expr::Unary(..) | Expr::Subgroup(..) | Expr::Binary(..) | Expr::Select(..) => operand,
            Expr::Cast(dtype, _) | Expr::Bitcast(dtype, _) => Type { scalar: *dtype, ..operand },
            Expr::Load(array, _) => self.arrays[array.index()].ty,
            Expr::Call(function, _) => function.signature().1.into(),
            Expr::Splat(lanes, _) => Type { lanes: *lanes, ..operand },
            Expr::Compose(lanes) => Type { lanes: lanes.len() as u8, ..operand },
            Expr::Component(..) => operand.scalar.into(),
        }
    }
}
