//! The rules of well-formed users' kernels, and an error that names the rule broken and the place.
//!
//! A well-formed kernel can be interpreted, lowered and transformed for whatever shapes its ranks
//! fit.

use super::types::index_type;
use super::{
    ArrayId, Combine, ExprId, Initial, LocalId, MAX_NESTING, MAX_PRIVATE, Output, OutputId, Stmt, UserKernel,
    uniformity,
};
use crate::arena::write_statement;
use crate::dtype::DType;
use crate::error::Error;
use crate::shape::Shape;
use std::fmt;

rules! {
    RankIsBounded: "the grid, tensors and outputs have at most 12 axes",
    DTypeIsComputed: "f32, i32, u32 and bool are what kernels compute in",
    HasOutput: "a kernel has at least one output",
    WorkgroupFits: "a workgroup has 1 to 256 invocations, 1 along axes that the grid lacks and at most 64 along z",
    ArrayFits: "an array has at least one element, and local arrays have at most 2048 together",
    OnlyGroupsShare: "only kernels that work in groups have shared arrays, barriers, subgroups and coordinates in a group",
    CombineTakesDType: "sums are of f32, i32 and u32, and bitwise combinations of i32 and u32",
    InitialFits: "an output begins as a value of its dtype or as a tensor of its dtype and rank",
    IdIsInRange: "expressions, locals, arrays, tensors, numbers, outputs and axes that are named exist",
    OperandIsEarlier: "operands are earlier in the arena than the expression that uses them",
    OperatorTakesDType: "the operator takes this dtype",
    OperandsAgree: "the operands have one dtype",
    ConditionIsBool: "a condition is bool",
    IndexIsI32: "a coordinate is an i32",
    CoordinatesMatchRank: "there is one coordinate for each axis",
    LocalTypeMatches: "a local is given values of its dtype",
    CounterIsNotAssigned: "the body of a counting loop does not assign its counter",
    StoredTypeMatches: "an output or array is given values of its dtype",
    BeforeIsOfInteger: "only integer outputs that are combined yield the value from before",
    BeforeIsWithoutFloatSums: "a kernel that uses the value from before has no sums of floats, for which it would run twice",
    CounterIsI32: "a counter and its bounds are i32",
    StepIsNotZero: "a counting loop's step is not 0",
    JumpIsInLoop: "break and continue are in loops",
    NestingIsBounded: "at most 64 blocks are nested",
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
    /// A declared output.
    Output(OutputId),
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
            Location::Output(id) => write!(f, "output {}", id.0),
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
        write!(f, "{} breaks a rule of kernels: {}", self.place, self.rule)
    }
}

impl std::error::Error for VerifyError {}

impl VerifyError {
    /// The same in the name of the kernel, for its user.
    pub fn into_error(self) -> Error {
        Error::value(&self.kernel, self.to_string())
    }
}

/// What a check within a kernel says: the rule and the place.
pub(super) type Checked<T = ()> = Result<T, (Rule, Location)>;

/// Whether a kernel keeps every [`Rule`]; the first that it breaks.
pub fn verify(kernel: &UserKernel) -> Result<(), VerifyError> {
    check(kernel).map_err(|(rule, place)| VerifyError { kernel: kernel.name.clone(), rule, place })
}

fn check(kernel: &UserKernel) -> Checked {
    declarations(kernel)?;
    let types = kernel.types().map_err(|(expr, rule)| (rule, Location::Expr(expr)))?;
    let mut walk = Walk { kernel, types: &types, counters: Vec::new(), loops: 0, path: Vec::new() };
    walk.block(&kernel.body, 0)?;
    uniformity::check(kernel)
}

fn declarations(kernel: &UserKernel) -> Checked {
    let ensure = |holds: bool, rule: Rule, place: Location| if holds { Ok(()) } else { Err((rule, place)) };
    let ranks = kernel.tensors.iter().map(|it| it.rank).chain(kernel.outputs.iter().map(|it| it.rank));
    let bounded = ranks.chain([kernel.rank]).all(|rank| rank as usize <= Shape::MAX_RANK);
    ensure(bounded, Rule::RankIsBounded, Location::Kernel)?;
    let dtypes = kernel.tensors.iter().map(|it| it.dtype).chain(kernel.scalars.iter().map(|it| it.dtype));
    let dtypes = dtypes.chain(kernel.outputs.iter().map(|it| it.dtype));
    let mut dtypes =
        dtypes.chain(kernel.locals.iter().map(|it| it.dtype)).chain(kernel.arrays.iter().map(|it| it.dtype));
    ensure(!dtypes.any(DType::is_packed), Rule::DTypeIsComputed, Location::Kernel)?;
    ensure(!kernel.outputs.is_empty(), Rule::HasOutput, Location::Kernel)?;
    if let Some(sides) = kernel.workgroup {
        let invocations = sides.iter().try_fold(1u32, |n, &side| n.checked_mul(side));
        let fits = invocations.is_some_and(|n| (1..=256).contains(&n)) && sides[2] <= 64;
        let within = sides.iter().skip(kernel.rank as usize).all(|&side| side == 1);
        ensure(fits && within, Rule::WorkgroupFits, Location::Kernel)?;
    }
    let mut private = 0u32;
    for (id, array) in (0..).map(ArrayId).zip(&kernel.arrays) {
        ensure(!array.shared || kernel.workgroup.is_some(), Rule::OnlyGroupsShare, Location::Array(id))?;
        private = private.saturating_add(if array.shared { 0 } else { array.length });
        ensure(array.length > 0 && private <= MAX_PRIVATE, Rule::ArrayFits, Location::Array(id))?;
    }
    for (id, output) in (0..).map(OutputId).zip(&kernel.outputs) {
        let takes = match output.combine {
            Combine::Set | Combine::Min | Combine::Max => true,
            Combine::Add => output.dtype != DType::Bool,
            Combine::And | Combine::Or | Combine::Xor => output.dtype.is_integer(),
        };
        ensure(takes, Rule::CombineTakesDType, Location::Output(id))?;
        let fits = match output.initial {
            Initial::Value(literal) => literal.dtype() == output.dtype,
            Initial::Tensor(tensor) => kernel
                .tensors
                .get(tensor.index())
                .is_some_and(|tensor| (tensor.dtype, tensor.rank) == (output.dtype, output.rank)),
        };
        ensure(fits, Rule::InitialFits, Location::Output(id))?;
    }
    Ok(())
}

/// Walks statements.
struct Walk<'a> {
    kernel: &'a UserKernel,
    types: &'a [DType],
    /// The counters of the loops around.
    counters: Vec<LocalId>,
    loops: usize,
    path: Vec<usize>,
}

impl Walk<'_> {
    fn ensure(&self, holds: bool, rule: Rule) -> Checked {
        if holds { Ok(()) } else { Err((rule, Location::Stmt(self.path.clone()))) }
    }

    fn block(&mut self, block: &[Stmt], first: usize) -> Checked {
        self.ensure(self.path.len() < MAX_NESTING, Rule::NestingIsBounded)?;
        for (i, stmt) in block.iter().enumerate() {
            self.path.push(first + i);
            self.stmt(stmt)?;
            self.path.pop();
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> Checked {
        let kernel = self.kernel;
        match stmt {
            Stmt::Let(local, value) => {
                let value = self.type_of(*value)?;
                self.assigns(*local, value)
            }
            Stmt::SetElement(array, index, value) => {
                let array = kernel.arrays.get(array.index());
                self.ensure(array.is_some(), Rule::IdIsInRange)?;
                self.is_index(*index)?;
                let value = self.type_of(*value)?;
                self.ensure(array.is_some_and(|array| array.dtype == value), Rule::StoredTypeMatches)
            }
            Stmt::Store { output, indices, value, before } => {
                let output = kernel.outputs.get(output.index());
                let output = output.ok_or_else(|| (Rule::IdIsInRange, Location::Stmt(self.path.clone())))?;
                indices.iter().try_for_each(|&index| self.is_index(index))?;
                self.ensure(indices.len() == output.rank as usize, Rule::CoordinatesMatchRank)?;
                let value = self.type_of(*value)?;
                self.ensure(value == output.dtype, Rule::StoredTypeMatches)?;
                let Some(before) = before else { return Ok(()) };
                let known = output.dtype.is_integer() && output.combine != Combine::Set;
                self.ensure(known, Rule::BeforeIsOfInteger)?;
                let is_sum = |it: &Output| it.combine == Combine::Add && it.dtype == DType::F32;
                let sums = kernel.outputs.iter().any(is_sum);
                self.ensure(!sums, Rule::BeforeIsWithoutFloatSums)?;
                self.assigns(*before, value)
            }
            Stmt::If(condition, then, otherwise) => {
                self.is_condition(*condition)?;
                self.block(then, 0)?;
                self.block(otherwise, then.len())
            }
            Stmt::For { counter, from, to, step, body } => {
                let bounds = [self.type_of(*from)?, self.type_of(*to)?];
                self.ensure(bounds == [DType::I32; 2], Rule::CounterIsI32)?;
                self.assigns(*counter, DType::I32)?;
                self.ensure(*step != 0, Rule::StepIsNotZero)?;
                self.counters.push(*counter);
                self.body(body)?;
                self.counters.pop();
                Ok(())
            }
            Stmt::While { condition, body, .. } => {
                self.is_condition(*condition)?;
                self.body(body)
            }
            Stmt::Break | Stmt::Continue => self.ensure(self.loops > 0, Rule::JumpIsInLoop),
            Stmt::Return => Ok(()),
            Stmt::Barrier => self.ensure(kernel.workgroup.is_some(), Rule::OnlyGroupsShare),
        }
    }

    fn body(&mut self, body: &[Stmt]) -> Checked {
        self.loops += 1;
        self.block(body, 0)?;
        self.loops -= 1;
        Ok(())
    }

    fn type_of(&self, id: ExprId) -> Checked<DType> {
        self.types
            .get(id.index())
            .copied()
            .ok_or_else(|| (Rule::IdIsInRange, Location::Stmt(self.path.clone())))
    }

    fn assigns(&self, local: LocalId, value: DType) -> Checked {
        let dtype = self.kernel.locals.get(local.index()).map(|local| local.dtype);
        self.ensure(dtype.is_some(), Rule::IdIsInRange)?;
        self.ensure(dtype == Some(value), Rule::LocalTypeMatches)?;
        self.ensure(!self.counters.contains(&local), Rule::CounterIsNotAssigned)
    }

    fn is_condition(&self, condition: ExprId) -> Checked {
        let dtype = self.type_of(condition)?;
        self.ensure(dtype == DType::Bool, Rule::ConditionIsBool)
    }

    fn is_index(&self, index: ExprId) -> Checked {
        let dtype = self.type_of(index)?;
        index_type(dtype).map_err(|rule| (rule, Location::Stmt(self.path.clone())))
    }
}
