//! Statements of a user's kernel, as kernel code.
//!
//! A local that is a name for one value becomes a name; others become variables, declared before
//! the body. A return goes to the end: what follows a branch that returns becomes the other branch.
//! Where that is not possible, the code that returns is put into a loop of one iteration and leaves
//! it.
//!
//! Deferred: few programs have kernels of users.

use super::epilogue::Epilogue;
use super::roles::{self, Role};
use super::shared_loops::Shared;
use crate::lower::eval::{Binding, Evaluator};
use weft_ir::kernel::{self, BinaryOp, ExprId as Value, LocalId as Variable, Stmt as Code};
use weft_ir::op::KernelCall;
use weft_ir::program::ProgramId;
use weft_ir::user_kernel::{ExprId, LocalId, Reach, Stmt, UserKernel, returns};
use weft_ir::{DType, HashSet, Literal, Shape};

/// Blocks within blocks that branches which return are made of at most.
const MOST_NESTED: usize = 24;

/// What a local is in the kernel.
#[derive(Clone, Copy)]
pub(super) enum Storage {
    /// A name, once it has been assigned.
    Name(Option<Value>),
    /// A variable.
    Variable(Variable),
}

/// A user's kernel that is being written.
pub(super) struct Body<'e, 'p> {
    pub eval: &'e mut Evaluator<'p>,
    pub call: &'e KernelCall,
    /// The node of the call.
    pub id: ProgramId,
    pub kernel: &'e UserKernel,
    pub types: &'e [DType],
    pub reach: Reach<'e>,
    /// The tensors.
    pub tensors: &'e [ProgramId],
    /// The numbers.
    pub scalars: Vec<Value>,
    pub locals: Vec<Storage>,
    pub arrays: Vec<kernel::ArrayId>,
    /// The variables of the kernel.
    pub variables: HashSet<Variable>,
    /// For each expression of the kernel that was asked for, whether it cannot change.
    pub lasting: Vec<bool>,
    /// Where the invocation is in the grid, in its group, and its group among groups.
    pub at: Vec<Value>,
    pub in_group: Vec<Value>,
    pub group: Vec<Value>,
    /// The invocation's number in row-major order.
    pub number: Value,
    /// The invocation's number in its workgroup.
    pub lane: Value,
    /// The memory by which subgroups exchange values, by dtype.
    pub exchanges: Vec<(DType, kernel::ArrayId)>,
    /// What becomes of the stores into each output.
    pub roles: &'e [Role],
    /// How many loops stand around, that of one iteration among them.
    pub loops: usize,
    /// Blocks around.
    pub depth: usize,
    /// Set where a loop is left for good, if any may be.
    pub returned: Option<Variable>,
    /// Statements that a loop may be written out as.
    pub written_out: usize,
    /// Whether stores at the invocation's own element wait for the end, and those that do.
    pub last: Option<Vec<OwnStore>>,
    /// Where several invocations share loops, how.
    pub shared: Option<Shared>,
    /// What follows, if anything does in this kernel.
    pub epilogue: Option<&'e Epilogue>,
}

/// A store into an output, at the element that belongs to the invocation.
#[derive(Clone, Copy)]
pub(super) struct OwnStore {
    pub binding: Binding,
    pub dtype: DType,
    pub flat: Value,
    pub value: Value,
}

impl OwnStore {
    pub(super) fn write(self, eval: &mut Evaluator<'_>) {
        roles::write(eval, self.binding, self.dtype, self.flat, self.value);
    }
}

impl Body<'_, '_> {
    /// The extents of a tensor.
    pub(super) fn shape_of(&self, tensor: usize) -> Shape {
        self.eval.program[self.tensors[tensor]].shape.clone()
    }

    /// Begins an element: nothing has been assigned.
    pub(super) fn begin(&mut self, named: &[bool]) {
        self.name_places();
        for (local, &named) in self.kernel.locals.iter().zip(named) {
            let storage = if named {
                Storage::Name(None)
            } else {
                Storage::Variable(self.variable(&local.name, Literal::zero(local.dtype)))
            };
            self.locals.push(storage);
        }
    }

    /// A local's value now; zero where nothing has been assigned.
    pub(super) fn local(&mut self, local: LocalId) -> Value {
        match self.locals[local.index()] {
            Storage::Name(Some(value)) => value,
            Storage::Name(None) => {
                let zero = Literal::zero(self.kernel.locals[local.index()].dtype);
                self.eval.b.literal(zero)
            }
            Storage::Variable(variable) => self.eval.b.read(variable),
        }
    }

    /// Assigns a local.
    pub(super) fn assign(&mut self, local: LocalId, value: Value) {
        match self.locals[local.index()] {
            Storage::Name(_) => {
                let name = &self.kernel.locals[local.index()].name;
                let value = self.named(name, value);
                self.locals[local.index()] = Storage::Name(Some(value));
            }
            Storage::Variable(variable) => {
                let value = self.unknown_zero(value);
                self.eval.b.push(Code::Assign(variable, value));
            }
        }
    }

    /// A value that is stored to be added to. A zero is one that compilers do not know, or they
    /// would take its sum with −0 for −0. In a kernel that works in groups it is the same for all
    /// of a group, as conditions around barriers have to be.
    pub(super) fn unknown_zero(&mut self, value: Value) -> Value {
        let is_known = |&&id: &&Value| matches!(self.eval.b.get(id), kernel::Expr::Literal(_));
        let in_groups = self.kernel.workgroup.is_some();
        let of_group = self.group.iter().find(|id| !is_known(id)).copied();
        let by = if in_groups { of_group } else { Some(self.number) };
        by.map_or(value, |by| self.eval.b.hidden_zero(0.0, value, by))
    }

    /// A variable that begins with a value.
    pub(super) fn variable(&mut self, name: &str, first: Literal) -> Variable {
        let first = self.eval.b.literal(first);
        let variable = self.eval.b.var(name, first);
        self.variables.insert(variable);
        variable
    }

    /// Runs `body` with a block open, and gives the block.
    pub(super) fn inner(&mut self, body: impl FnOnce(&mut Self)) -> Vec<Code> {
        self.eval.open();
        self.depth += 1;
        body(self);
        self.depth -= 1;
        self.eval.forget();
        self.eval.b.close()
    }

    /// The statements of a block.
    pub(super) fn block(&mut self, block: &[Stmt]) {
        for (n, stmt) in block.iter().enumerate() {
            let rest = &block[n + 1..];
            if self.loops == 0 && returns(std::slice::from_ref(stmt)) && !rest.is_empty() {
                return self.before_rest(stmt, rest);
            }
            self.stmt(stmt);
            if matches!(stmt, Stmt::Break | Stmt::Continue | Stmt::Return) {
                return;
            }
        }
    }

    /// A statement that may return, outside of loops, and what comes after it.
    fn before_rest(&mut self, stmt: &Stmt, rest: &[Stmt]) {
        match stmt {
            Stmt::Return => {}
            Stmt::If(condition, then, otherwise)
                if self.depth < MOST_NESTED && ends(then) && !returns(otherwise) =>
            {
                let condition = self.value(*condition);
                let then = self.inner(|body| body.block(then));
                let otherwise = self.inner(|body| {
                    body.block(otherwise);
                    body.block(rest);
                });
                self.push_if(condition, then, otherwise);
            }
            Stmt::If(condition, then, otherwise)
                if self.depth < MOST_NESTED && ends(otherwise) && !returns(then) =>
            {
                let condition = self.value(*condition);
                let then = self.inner(|body| {
                    body.block(then);
                    body.block(rest);
                });
                let otherwise = self.inner(|body| body.block(otherwise));
                self.push_if(condition, then, otherwise);
            }
            _ => {
                let (counter, _) = self.eval.b.counter("once", 1);
                self.loops += 1;
                let block = self.inner(|body| {
                    body.stmt(stmt);
                    body.block(rest);
                });
                self.loops -= 1;
                let (from, to) = (self.eval.b.index_const(0), self.eval.b.index_const(1));
                self.eval.b.push(Code::For { counter, from, to, step: 1, body: block });
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(local, value) => {
                let value = self.value(*value);
                self.assign(*local, value);
            }
            Stmt::SetElement(array, index, value) => self.set_element(*array, *index, *value),
            Stmt::Store { output, indices, value, before } => {
                self.store(output.index(), indices, *value, *before);
            }
            Stmt::If(condition, then, otherwise) => self.branch(*condition, then, otherwise),
            Stmt::For { counter, from, to, step, body } => {
                self.loop_with(body, |this| this.count(*counter, *from, *to, *step, body));
            }
            Stmt::While { condition, limit, body } => {
                self.loop_with(body, |this| this.repeat(*condition, *limit, body));
            }
            Stmt::Break => self.eval.b.push(Code::Break),
            Stmt::Continue => self.eval.b.push(Code::Continue),
            Stmt::Return => {
                if self.loops > 0 {
                    if let Some(returned) = self.returned {
                        let yes = self.eval.b.literal(Literal::Bool(true));
                        self.eval.b.push(Code::Assign(returned, yes));
                    }
                    self.eval.b.push(Code::Break);
                }
            }
            Stmt::Barrier => self.eval.b.push(Code::Barrier),
        }
    }

    fn branch(&mut self, condition: ExprId, then: &[Stmt], otherwise: &[Stmt]) {
        let condition = self.value(condition);
        let then = self.inner(|body| body.block(then));
        let otherwise = self.inner(|body| body.block(otherwise));
        self.push_if(condition, then, otherwise);
    }

    /// A branch of what has been written, if that is anything.
    fn push_if(&mut self, condition: Value, then: Vec<Code>, otherwise: Vec<Code>) {
        match (then.is_empty(), otherwise.is_empty()) {
            (true, true) => {}
            (true, false) => {
                let opposite = self.eval.b.unary(kernel::UnaryOp::Not, condition);
                self.eval.b.push(Code::If(opposite, otherwise, Vec::new()));
            }
            _ => self.eval.b.push(Code::If(condition, then, otherwise)),
        }
    }

    /// A loop, and what leaves the loop around it where it returned.
    fn loop_with(&mut self, body: &[Stmt], write: impl FnOnce(&mut Self)) {
        let may_return = returns(body);
        self.loops += 1;
        write(self);
        self.loops -= 1;
        if let Some(returned) = self.returned.filter(|_| may_return && self.loops > 0) {
            let returned = self.eval.b.read(returned);
            self.eval.b.push(Code::If(returned, vec![Code::Break], Vec::new()));
        }
    }

    fn count(&mut self, counter: LocalId, from: ExprId, to: ExprId, step: i32, body: &[Stmt]) {
        let name = &self.kernel.locals[counter.index()].name;
        let from = self.value(from);
        let from = self.named("from", from);
        let to = self.value(to);
        let to = self.named("to", to);
        let all = (i64::from(i32::MIN), i64::from(i32::MAX));
        let (first, last) = (self.range(from).unwrap_or(all), self.range(to).unwrap_or(all));
        let by_one = step == 1;
        let zero = self.eval.b.index_const(0);
        let (start, end) = if by_one { (from, to) } else { (zero, self.trips(from, to, step)) };
        if let Some(first) = self.eval.b.index_value(from)
            && let (Some(start), Some(end)) = (self.eval.b.index_value(start), self.eval.b.index_value(end))
            && statements(body, (end - start).max(0) as usize) <= self.written_out
            && !leaves(body)
        {
            for turn in 0..end - start {
                let now = self.eval.b.index_const(first + turn * i64::from(step));
                self.set_counter(counter, now);
                self.block(body);
            }
            return;
        }
        let (local, value) = self.eval.b.counter(if by_one { name } else { "turn" }, 1);
        let range = if step > 0 { (first.0, last.1 - 1) } else { (last.0 + 1, first.1) };
        let mut range = (range.0.max(all.0), range.1.min(all.1).max(range.0.max(all.0)));
        if let (Some(first), Some(turns)) = (self.eval.b.index_value(from), self.eval.b.index_value(end))
            && !by_one
            && turns > 0
        {
            let last = first + (turns - 1) * i64::from(step);
            range = (first.min(last), first.max(last));
        }
        if by_one {
            self.eval.b.index.set_range(value, range.0, range.1);
        } else {
            self.eval.b.index.set_range(value, 0, all.1);
        }
        let block = self.inner(|this| {
            let mut now = value;
            if !by_one {
                let step = this.eval.b.index_const(i64::from(step));
                let ahead = this.eval.b.binary(BinaryOp::Mul, value, step);
                let sum = this.eval.b.binary(BinaryOp::Add, from, ahead);
                now = this.eval.b.bind_anew(name, sum);
                this.eval.b.index.set_range(now, range.0, range.1);
            }
            this.set_counter(counter, now);
            this.block(body);
        });
        self.eval.b.push(Code::For { counter: local, from: start, to: end, step: 1, body: block });
    }

    pub(super) fn set_counter(&mut self, counter: LocalId, now: Value) {
        match self.locals[counter.index()] {
            Storage::Name(_) => self.locals[counter.index()] = Storage::Name(Some(now)),
            Storage::Variable(variable) => self.eval.b.push(Code::Assign(variable, now)),
        }
    }

    /// How often a loop runs that does not count by one.
    pub(super) fn trips(&mut self, from: Value, to: Value, step: i32) -> Value {
        let b = &mut self.eval.b;
        if let (Some(from), Some(to)) = (b.index_value(from), b.index_value(to)) {
            let distance = if step > 0 { to - from } else { from - to };
            let size = i64::from(step).abs();
            let trips = ((distance + size - 1).div_euclid(size)).clamp(0, i64::from(i32::MAX));
            return b.index_const(trips);
        }
        let (low, high) = if step > 0 { (from, to) } else { (to, from) };
        let some = b.binary(BinaryOp::Lt, low, high);
        // As u32 no distance between two i32 is too large.
        let distance = b.binary(BinaryOp::Sub, high, low);
        let distance = b.expr(kernel::Expr::Bitcast(DType::U32, distance));
        let (one, size) = (b.literal(Literal::U32(1)), b.literal(Literal::U32(step.unsigned_abs())));
        let most = b.literal(Literal::U32(i32::MAX as u32));
        let before = b.binary(BinaryOp::Sub, distance, one);
        let whole = b.binary(BinaryOp::Div, before, size);
        let trips = b.binary(BinaryOp::Add, whole, one);
        let trips = b.binary(BinaryOp::Min, trips, most);
        let trips = b.cast(DType::I32, trips);
        let none = b.index_const(0);
        let trips = b.select(some, trips, none);
        b.bind("trips", trips)
    }

    fn repeat(&mut self, condition: ExprId, limit: u32, body: &[Stmt]) {
        let (counter, _) = self.eval.b.counter("turn", 1);
        let block = self.inner(|this| {
            let holds = this.value(condition);
            match this.truth(holds) {
                Some(true) => {}
                _ => {
                    let ends = this.eval.b.unary(kernel::UnaryOp::Not, holds);
                    this.eval.b.push(Code::If(ends, vec![Code::Break], Vec::new()));
                }
            }
            this.block(body);
        });
        let limit = i64::from(limit).min(i64::from(i32::MAX));
        let (from, to) = (self.eval.b.index_const(0), self.eval.b.index_const(limit));
        self.eval.b.push(Code::For { counter, from, to, step: 1, body: block });
    }
}

/// Whether the end of a block is a return.
fn ends(block: &[Stmt]) -> bool {
    matches!(block.last(), Some(Stmt::Return))
}

/// Statements that a loop becomes when its body is written out `turns` times. An inner loop counts
/// as four turns.
pub(super) fn statements(body: &[Stmt], turns: usize) -> usize {
    fn count(block: &[Stmt]) -> usize {
        let of = |stmt: &Stmt| match stmt {
            Stmt::If(_, then, otherwise) => count(then).saturating_add(count(otherwise)).saturating_add(1),
            Stmt::For { body, .. } => count(body).saturating_mul(4),
            Stmt::While { .. } | Stmt::Barrier => usize::MAX,
            _ => 1,
        };
        block.iter().map(of).fold(0, usize::saturating_add)
    }
    count(body).saturating_mul(turns)
}

/// Whether a loop may end in the midst of an iteration.
pub(super) fn leaves(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::Break | Stmt::Continue | Stmt::Return => true,
        Stmt::If(_, then, otherwise) => leaves(then) || leaves(otherwise),
        Stmt::For { body, .. } | Stmt::While { body, .. } => returns(body),
        _ => false,
    })
}
