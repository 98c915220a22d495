//! Kernel builder: an arena in which equal expressions are one, and a stack of open blocks that
//! statements go to.

use super::let_bindings::share;
use weft_ir::HashMap;
use weft_ir::kernel::{
    Array, ArrayId, AtomicOp, BinaryOp, Builtin, Expr, ExprId, Function, Kernel, Local, LocalId, Space, Stmt,
    Type, UnaryOp,
};
use weft_ir::{DType, Literal};

/// Writes a [`Kernel`]. Index arithmetic with simplification is in `index.rs`, on the same type.
#[derive(Default)]
pub struct KernelBuilder {
    kernel: Kernel,
    known: HashMap<Expr, ExprId>,
    /// The type of each expression, so that asking for one does not walk down its operands.
    types: Vec<Type>,
    blocks: Vec<Vec<Stmt>>,
    /// Arrays that are stored to.
    written: Vec<ArrayId>,
    /// What each name that is bound once stands for.
    named: HashMap<LocalId, ExprId>,
    /// What is known of index expressions; see `index.rs`.
    pub(crate) index: super::index::Facts,
}

impl KernelBuilder {
    /// A builder of a kernel with no statements yet.
    pub fn new() -> KernelBuilder {
        KernelBuilder { blocks: vec![Vec::new()], ..KernelBuilder::default() }
    }

    /// The finished kernel, what is mentioned in many places bound to names, without what nothing
    /// mentions. All blocks but the body must be closed.
    pub fn finish(mut self, name: String, workgroup: [u32; 3]) -> Kernel {
        assert_eq!(self.blocks.len(), 1, "every opened block is closed");
        self.kernel.body = self.blocks.pop().unwrap_or_default();
        self.kernel.name = name;
        self.kernel.workgroup = workgroup;
        share(self.kernel)
    }

    /// The declared arrays.
    pub fn arrays(&self) -> &[Array] {
        &self.kernel.arrays
    }

    /// A declared array, to be changed with all that is written of it.
    pub(crate) fn array_mut(&mut self, array: ArrayId) -> &mut Array {
        &mut self.kernel.arrays[array.index()]
    }

    /// Puts another body in place of the one that is written, which it gives. All blocks but the
    /// body must be closed.
    pub(crate) fn replace_body(&mut self, body: Vec<Stmt>) -> Vec<Stmt> {
        assert_eq!(self.blocks.len(), 1, "every opened block is closed");
        std::mem::replace(&mut self.blocks[0], body)
    }

    /// Declares a name for a value of a type, which the caller binds.
    pub(crate) fn name_of(&mut self, name: &str, ty: Type) -> (LocalId, ExprId) {
        let local = self.local(name, ty);
        (local, self.expr(Expr::Local(local)))
    }

    /// Declares an array.
    pub fn array(&mut self, name: impl Into<String>, ty: impl Into<Type>, space: Space) -> ArrayId {
        self.kernel.arrays.push(Array { name: name.into(), ty: ty.into(), space });
        ArrayId(self.kernel.arrays.len() as u32 - 1)
    }

    /// Binds an array to be read, if it is bound to be written and nothing stores to it. Whether it
    /// was.
    pub fn bind_to_read(&mut self, array: ArrayId) -> bool {
        let space = &mut self.kernel.arrays[array.index()].space;
        let is_only_read = *space == Space::ReadWrite && !self.written.contains(&array);
        if is_only_read {
            *space = Space::Read;
        }
        is_only_read
    }

    /// Where an array lives.
    pub fn array_space(&self, array: ArrayId) -> Space {
        self.kernel.arrays[array.index()].space
    }

    /// How many lanes an array's elements have.
    pub fn array_lanes(&self, array: ArrayId) -> u8 {
        self.kernel.arrays[array.index()].ty.lanes
    }

    /// Declares one more run-time scalar and returns its number.
    pub fn uniform(&mut self, dtype: DType) -> u32 {
        self.kernel.uniforms.push(dtype);
        self.kernel.uniforms.len() as u32 - 1
    }

    /// The expression, made at most once.
    pub fn expr(&mut self, expr: Expr) -> ExprId {
        if let Some(&id) = self.known.get(&expr) {
            return id;
        }
        self.kernel.exprs.push(expr.clone());
        let id = ExprId(self.kernel.exprs.len() as u32 - 1);
        let operand = expr.typed_by().map_or(Type::scalar(DType::U32), |x| self.types[x.index()]);
        let ty = self.kernel.type_above(&expr, operand);
        self.types.push(ty);
        self.known.insert(expr, id);
        id
    }

    /// The expression behind an id.
    pub fn get(&self, id: ExprId) -> &Expr {
        &self.kernel.exprs[id.index()]
    }

    /// The type of an expression.
    pub fn type_of(&self, id: ExprId) -> Type {
        self.types[id.index()]
    }

    /// A literal.
    pub fn literal(&mut self, value: Literal) -> ExprId {
        self.expr(Expr::Literal(value))
    }

    /// An operator on one operand.
    pub fn unary(&mut self, op: UnaryOp, x: ExprId) -> ExprId {
        self.expr(Expr::Unary(op, x))
    }

    /// An operator on two operands.
    pub fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        self.expr(Expr::Binary(op, a, b))
    }

    /// `if condition { a } else { b }`, both evaluated.
    pub fn select(&mut self, condition: ExprId, a: ExprId, b: ExprId) -> ExprId {
        if a == b { a } else { self.expr(Expr::Select(condition, a, b)) }
    }

    /// The vector of these scalars, of which there are two to four.
    pub fn compose(&mut self, scalars: &[ExprId]) -> ExprId {
        // The lanes of one vector, in order, are that vector.
        if let Expr::Component(whole, 0) = *self.get(scalars[0]) {
            let lane = |(n, &scalar): (usize, &ExprId)| *self.get(scalar) == Expr::Component(whole, n as u8);
            let all = usize::from(self.type_of(whole).lanes) == scalars.len();
            if all && scalars.iter().enumerate().all(lane) {
                return whole;
            }
        }
        self.expr(Expr::Compose(scalars.to_vec()))
    }

    /// Conversion.
    pub fn cast(&mut self, dtype: DType, x: ExprId) -> ExprId {
        if self.type_of(x).scalar == dtype { x } else { self.expr(Expr::Cast(dtype, x)) }
    }

    /// A prelude function's value.
    pub fn call(&mut self, function: Function, args: &[ExprId]) -> ExprId {
        self.expr(Expr::Call(function, args.to_vec()))
    }

    /// A built-in value as i32, the type of all index arithmetic.
    pub fn builtin_i32(&mut self, builtin: Builtin) -> ExprId {
        let value = self.expr(Expr::Builtin(builtin));
        self.cast(DType::I32, value)
    }

    /// Declares a local.
    fn local(&mut self, name: &str, ty: Type) -> LocalId {
        self.kernel.locals.push(Local { name: name.to_owned(), ty });
        LocalId(self.kernel.locals.len() as u32 - 1)
    }

    /// Adds a statement to the innermost open block.
    pub fn push(&mut self, stmt: Stmt) {
        if let Stmt::Store(array, ..) = stmt
            && !self.written.contains(&array)
        {
            self.written.push(array);
        }
        self.blocks.last_mut().expect("the body is open").push(stmt);
    }

    /// Evaluates `value` here, once: the result names it.
    pub fn bind(&mut self, name: &str, value: ExprId) -> ExprId {
        if matches!(self.get(value), Expr::Local(_) | Expr::Literal(_) | Expr::Uniform(_)) {
            return value;
        }
        self.bind_anew(name, value)
    }

    /// [`KernelBuilder::bind`] to a name of its own, of which more can be known than of what it
    /// names.
    pub fn bind_anew(&mut self, name: &str, value: ExprId) -> ExprId {
        let local = self.local(name, self.type_of(value));
        self.push(Stmt::Let(local, value));
        self.named.insert(local, value);
        self.expr(Expr::Local(local))
    }

    /// What an expression is, where it is a name for another.
    pub fn unnamed(&self, mut id: ExprId) -> ExprId {
        while let Expr::Local(local) = self.get(id) {
            let Some(&value) = self.named.get(local) else { break };
            id = value;
        }
        id
    }

    /// Combines into an element of an atomic array, and names what was there before.
    pub fn exchange(
        &mut self,
        name: &str,
        op: AtomicOp,
        array: ArrayId,
        index: ExprId,
        value: ExprId,
    ) -> ExprId {
        let before = self.local(name, self.type_of(value));
        self.push(Stmt::Atomic { op, array, index, value, before: Some(before) });
        self.expr(Expr::Local(before))
    }

    /// Declares an assignable local.
    pub fn var(&mut self, name: &str, first: ExprId) -> LocalId {
        let local = self.local(name, self.type_of(first));
        self.push(Stmt::Var(local, first));
        local
    }

    /// The present value of a local.
    pub fn read(&mut self, local: LocalId) -> ExprId {
        self.expr(Expr::Local(local))
    }

    /// Runs `body` with a block open and returns the block's statements.
    pub fn block(&mut self, body: impl FnOnce(&mut Self)) -> Vec<Stmt> {
        self.open();
        body(self);
        self.close()
    }

    /// Opens a block.
    pub fn open(&mut self) {
        self.blocks.push(Vec::new());
    }

    /// Closes the innermost block and returns its statements.
    pub fn close(&mut self) -> Vec<Stmt> {
        assert!(self.blocks.len() > 1, "the body itself is closed by finish");
        self.blocks.pop().unwrap_or_default()
    }

    /// A counter for a loop whose values lie in `0..bound`; pass it to
    /// [`KernelBuilder::close_for`].
    pub fn counter(&mut self, name: &str, bound: i64) -> (LocalId, ExprId) {
        let local = self.local(name, DType::I32.into());
        let value = self.expr(Expr::Local(local));
        self.index.set_range(value, 0, (bound - 1).max(0));
        (local, value)
    }

    /// Closes the innermost block as the body of a loop over `counter`.
    pub fn close_for(&mut self, counter: LocalId, from: ExprId, to: ExprId, step: i32) {
        let body = self.close();
        self.push(Stmt::For { counter, from, to, step, body });
    }

    /// Closes the innermost block as what happens when `condition` holds.
    pub fn close_if(&mut self, condition: ExprId) {
        let body = self.close();
        self.push(Stmt::If(condition, body, Vec::new()));
    }
}
