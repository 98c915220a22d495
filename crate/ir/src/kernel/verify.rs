//! The rules of well-formed kernels, and an error that names the rule broken and
//! the place.
//!
//! A well-formed kernel prints as WGSL that every compiler accepts (given a device with the
//! subgroups, bindings and memory it asks for), and the interpreter can run it. Whether indices lie
//! inside their arrays is for the interpreter to see.

use super::types::{index_type, type_of};
use super::uniformity;
use super::{ArrayId, ExprId, Kernel, LocalId, Space, Stmt, Type};
use crate::arena::write_statement;
use crate::dtype::DType;
use std::fmt;

rules! {
    WorkgroupIsNotEmpty: "each side of the workgroup is at least 1",
    ArrayIsNotBool: "no array holds bools: store u32",
    ArrayLanesArePacked: "arrays hold scalars and vectors of 2 or 4 lanes",
    ArrayIsNotEmpty: "workgroup and private arrays have at least one element",
    AtomicIsInteger: "atomic arrays hold i32 or u32 scalars",
    LanesAreOneToFour: "a type has 1 to 4 lanes",
    IdIsInRange: "expressions, locals, arrays, uniforms and components that are named exist",
    OperandIsEarlier: "operands are earlier in the arena than the expression that uses them",
    OperatorTakesDType: "the operator takes this dtype",
    OperandsAgree: "the operands have one type",
    DivisorIsNotZero: "an integer is not divided by the literal 0",
    ShiftIsBelow32: "a literal shift is below 32",
    ConditionIsBool: "a condition is bool, scalar or of as many lanes as what it selects",
    CastIsNotFloatToInteger: "f32 becomes an integer through F32ToI32 or F32ToU32, not a cast",
    BitcastIsNotOfBool: "a bitcast is between f32, i32 and u32",
    IndexIsInteger: "an index is an i32 or u32 scalar",
    ArgumentsMatchSignature: "a function's arguments are those of its signature",
    VectorIsOfScalars: "a vector is made of 2 to 4 scalars of one dtype",
    ComponentIsOfVector: "a component is one of a vector's lanes",
    LocalIsInScope: "a local is used only where it is bound",
    LocalIsBoundOnce: "a local is not bound again while it is in scope",
    LocalTypeMatches: "a local is given values of its type",
    OnlyVarsAreAssigned: "only locals bound by `var` are assigned",
    StoredTypeMatches: "an array is given values of its element type",
    ReadArraysAreNotWritten: "read-only arrays are not written",
    AtomicArraysOnly: "atomic statements act on atomic arrays",
    CounterIsI32: "a counter and its bounds are i32 scalars",
    StepIsPositive: "a counting loop's step is positive",
    BoundDoesNotChange: "a counting loop's bound depends on nothing that its body changes",
    JumpIsInLoop: "break and continue are in loops",
    JumpIsLast: "nothing follows break or continue in a block",
    BarrierIsUniform: "a barrier is reached by all invocations of a workgroup or by none",
    SubgroupIsUniform: "subgroup operations are evaluated by all invocations of a workgroup or by none",
}

/// Where in a kernel something is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Location {
    /// The kernel's own fields.
    Kernel,
    /// A declared array.
    Array(ArrayId),
    /// A declared local.
    Local(LocalId),
    /// An expression of the arena.
    Expr(ExprId),
    /// A statement: its position in the body, then in the block inside it, and so on. The blocks of
    /// an `if` count as one.
    Stmt(Vec<usize>),
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Kernel => write!(f, "the kernel"),
            Location::Array(id) => write!(f, "array {}", id.0),
            Location::Local(id) => write!(f, "local {}", id.0),
            Location::Expr(id) => write!(f, "expression {}", id.0),
            Location::Stmt(path) => write_statement(f, path),
        }
    }
}

/// A kernel is not well formed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// The kernel's name.
    pub kernel: String,
    /// The rule it breaks.
    pub rule: Rule,
    /// Where.
    pub place: Location,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kernel {:?} is not well formed at {}: {}", self.kernel, self.place, self.rule)
    }
}

impl std::error::Error for VerifyError {}

/// What a check within a kernel says: the rule and the place.
pub(super) type Checked<T = ()> = Result<T, (Rule, Location)>;

/// Whether a kernel keeps every [`Rule`]; the first that it breaks.
pub fn verify(kernel: &Kernel) -> Result<(), VerifyError> {
    check(kernel).map_err(|(rule, place)| VerifyError { kernel: kernel.name.clone(), rule, place })
}

fn check(kernel: &Kernel) -> Checked {
    declarations(kernel)?;
    let mut types = Vec::with_capacity(kernel.exprs.len());
    for (i, expr) in kernel.exprs.iter().enumerate() {
        let ty = type_of(kernel, &types, expr).map_err(|rule| (rule, Location::Expr(ExprId(i as u32))))?;
        types.push(ty);
    }
    let mut scopes = Scopes {
        kernel,
        types: &types,
        bound: vec![None; kernel.locals.len()],
        seen: vec![0; types.len()],
        visit: 0,
        loops: 0,
        path: Vec::new(),
    };
    scopes.block(&kernel.body)?;
    uniformity::check(kernel)
}

fn declarations(kernel: &Kernel) -> Checked {
    if kernel.workgroup.contains(&0) {
        return Err((Rule::WorkgroupIsNotEmpty, Location::Kernel));
    }
    for (id, array) in (0..).map(ArrayId).zip(&kernel.arrays) {
        let rule = match (array.ty, array.space) {
            (Type { scalar: DType::Bool, .. }, _) => Rule::ArrayIsNotBool,
            (Type { lanes, .. }, _) if ![1, 2, 4].contains(&lanes) => Rule::ArrayLanesArePacked,
            (_, Space::Workgroup(0) | Space::WorkgroupAtomic(0) | Space::Private(0)) => Rule::ArrayIsNotEmpty,
            (ty, space) if space.is_atomic() && (ty.lanes != 1 || !ty.scalar.is_integer()) => {
                Rule::AtomicIsInteger
            }
            _ => continue,
        };
        return Err((rule, Location::Array(id)));
    }
    for (id, local) in (0..).map(LocalId).zip(&kernel.locals) {
        if !(1..=4).contains(&local.ty.lanes) {
            return Err((Rule::LanesAreOneToFour, Location::Local(id)));
        }
    }
    Ok(())
}

/// How a local in scope was bound.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Binding {
    Let,
    Var,
    Counter,
}

/// Walks statements with the locals that are in scope.
struct Scopes<'a> {
    kernel: &'a Kernel,
    types: &'a [Type],
    bound: Vec<Option<Binding>>,
    /// The visit in which each expression was last visited, so that shared operands are visited
    /// once.
    seen: Vec<u32>,
    visit: u32,
    loops: usize,
    path: Vec<usize>,
}

impl Scopes<'_> {
    fn place(&self) -> Location {
        Location::Stmt(self.path.clone())
    }

    fn ensure(&self, holds: bool, rule: Rule) -> Checked {
        if holds { Ok(()) } else { Err((rule, self.place())) }
    }

    /// A block: what it binds goes out of scope at its end.
    fn block(&mut self, block: &[Stmt]) -> Checked {
        let outside = self.bound.clone();
        self.statements(block, 0)?;
        self.bound = outside;
        Ok(())
    }

    fn statements(&mut self, block: &[Stmt], first: usize) -> Checked {
        for (i, stmt) in block.iter().enumerate() {
            self.path.push(first + i);
            self.stmt(stmt)?;
            let jumps = matches!(stmt, Stmt::Break | Stmt::Continue);
            self.ensure(!jumps || i + 1 == block.len(), Rule::JumpIsLast)?;
            self.path.pop();
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> Checked {
        match stmt {
            Stmt::Let(local, value) => {
                self.uses(*value)?;
                self.bind(*local, Binding::Let)?;
                self.takes(*local, *value)
            }
            Stmt::Var(local, value) => {
                self.uses(*value)?;
                self.bind(*local, Binding::Var)?;
                self.takes(*local, *value)
            }
            Stmt::Assign(local, value) => {
                let binding = *self.bound.get(local.index()).ok_or((Rule::IdIsInRange, self.place()))?;
                self.ensure(binding.is_some(), Rule::LocalIsInScope)?;
                self.ensure(binding == Some(Binding::Var), Rule::OnlyVarsAreAssigned)?;
                self.uses(*value)?;
                self.takes(*local, *value)
            }
            Stmt::Store(array, index, value) => {
                let space = self.element(*array, *index, *value)?;
                self.ensure(space != Space::Read, Rule::ReadArraysAreNotWritten)
            }
            Stmt::Atomic { array, index, value, before, .. } => {
                let space = self.element(*array, *index, *value)?;
                self.ensure(space.is_atomic(), Rule::AtomicArraysOnly)?;
                let Some(before) = before else { return Ok(()) };
                self.bind(*before, Binding::Let)?;
                self.takes(*before, *value)
            }
            Stmt::If(condition, then, otherwise) => {
                self.condition(*condition)?;
                self.block(then)?;
                let outside = self.bound.clone();
                self.statements(otherwise, then.len())?;
                self.bound = outside;
                Ok(())
            }
            Stmt::For { counter, from, to, step, body } => {
                self.uses(*from)?;
                self.uses(*to)?;
                let i32_scalar = Type::scalar(DType::I32);
                let bounds = [from, to].map(|id| self.types[id.index()]);
                self.ensure(bounds == [i32_scalar; 2], Rule::CounterIsI32)?;
                self.ensure(*step > 0, Rule::StepIsPositive)?;
                self.ensure(!self.changes(*counter, body, *to), Rule::BoundDoesNotChange)?;
                let outside = self.bound.clone();
                self.bind(*counter, Binding::Counter)?;
                self.ensure(self.kernel.locals[counter.index()].ty == i32_scalar, Rule::CounterIsI32)?;
                self.body(body)?;
                self.bound = outside;
                Ok(())
            }
            Stmt::While(condition, body) => {
                self.condition(*condition)?;
                self.body(body)
            }
            Stmt::Break | Stmt::Continue => self.ensure(self.loops > 0, Rule::JumpIsInLoop),
            Stmt::Barrier => Ok(()),
        }
    }

    fn body(&mut self, body: &[Stmt]) -> Checked {
        self.loops += 1;
        self.block(body)?;
        self.loops -= 1;
        Ok(())
    }

    fn bind(&mut self, local: LocalId, binding: Binding) -> Checked {
        let bound = *self.bound.get(local.index()).ok_or((Rule::IdIsInRange, self.place()))?;
        self.ensure(bound.is_none(), Rule::LocalIsBoundOnce)?;
        self.bound[local.index()] = Some(binding);
        Ok(())
    }

    fn takes(&self, local: LocalId, value: ExprId) -> Checked {
        let fits = self.kernel.locals[local.index()].ty == self.types[value.index()];
        self.ensure(fits, Rule::LocalTypeMatches)
    }

    fn condition(&mut self, condition: ExprId) -> Checked {
        self.uses(condition)?;
        let fits = self.types[condition.index()] == Type::scalar(DType::Bool);
        self.ensure(fits, Rule::ConditionIsBool)
    }

    fn element(&mut self, array: ArrayId, index: ExprId, value: ExprId) -> Checked<Space> {
        let kernel = self.kernel;
        let array = kernel.arrays.get(array.index()).ok_or((Rule::IdIsInRange, self.place()))?;
        self.uses(index)?;
        self.uses(value)?;
        index_type(self.types[index.index()]).map_err(|rule| (rule, self.place()))?;
        self.ensure(self.types[value.index()] == array.ty, Rule::StoredTypeMatches)?;
        Ok(array.space)
    }

    /// An expression mentioned by a statement: it exists, and its locals are in scope.
    fn uses(&mut self, root: ExprId) -> Checked {
        self.ensure(root.index() < self.types.len(), Rule::IdIsInRange)?;
        self.visit += 1;
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut self.seen[id.index()], self.visit) == self.visit {
                continue;
            }
            let expr = &self.kernel.exprs[id.index()];
            if let super::Expr::Local(local) = expr {
                self.ensure(self.bound[local.index()].is_some(), Rule::LocalIsInScope)?;
            }
            expr.for_each_operand(|operand| open.push(operand));
        }
        Ok(())
    }

    /// Whether running `body` or counting may change the value of `bound`.
    fn changes(&self, counter: LocalId, body: &[Stmt], bound: ExprId) -> bool {
        let (mut locals, mut arrays) = (vec![counter], Vec::new());
        let mut open: Vec<&Stmt> = body.iter().collect();
        while let Some(stmt) = open.pop() {
            match stmt {
                Stmt::Assign(local, _) => locals.push(*local),
                Stmt::Store(array, ..) | Stmt::Atomic { array, .. } => arrays.push(*array),
                Stmt::If(_, then, otherwise) => open.extend(then.iter().chain(otherwise)),
                Stmt::For { body, .. } | Stmt::While(_, body) => open.extend(body),
                Stmt::Let(..) | Stmt::Var(..) | Stmt::Break | Stmt::Continue | Stmt::Barrier => {}
            }
        }
        let mut open = vec![bound];
        while let Some(id) = open.pop() {
            let expr = &self.kernel.exprs[id.index()];
            match expr {
                super::Expr::Local(local) if locals.contains(local) => return true,
                super::Expr::Load(array, _) if arrays.contains(array) => return true,
                _ => expr.for_each_operand(|operand| open.push(operand)),
            }
        }
        false
    }
}

#[cfg(test)]
mod tests;
