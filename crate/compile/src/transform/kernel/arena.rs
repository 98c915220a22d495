//! An expression arena that is being filled: equal expressions are one, and each knows its dtype.

use weft_ir::op::{Binary, Compare, Unary};
use weft_ir::user_kernel::{
    Array, ArrayId, Coordinate, Edge, Expr, ExprId, Local, LocalId, Output, OutputId, Scalar, Stmt, Tensor,
    TensorId, UserKernel,
};
use weft_ir::{DType, HashMap, Literal};

/// A kernel under construction, without a body.
pub(super) struct Arena {
    pub kernel: UserKernel,
    known: HashMap<Expr, ExprId>,
    dtypes: Vec<DType>,
}

impl Arena {
    /// A kernel with the interface and the memory of `of`, and no expressions yet.
    pub fn like(of: &UserKernel) -> Arena {
        let kernel = UserKernel { exprs: Vec::new(), body: Vec::new(), lean: None, ..of.clone() };
        Arena { kernel, known: HashMap::default(), dtypes: Vec::new() }
    }

    /// A kernel with everything of `of` but its body; its expressions keep their numbers.
    pub fn of(of: &UserKernel) -> Arena {
        let kernel = UserKernel { body: Vec::new(), lean: None, ..of.clone() };
        let mut arena = Arena { kernel, known: HashMap::default(), dtypes: Vec::new() };
        for (i, expr) in of.exprs.iter().enumerate() {
            arena.dtypes.push(arena.type_of(expr));
            arena.known.entry(expr.clone()).or_insert(ExprId(i as u32));
        }
        arena
    }

    /// The kernel with this body.
    pub fn finish(mut self, body: Vec<Stmt>) -> UserKernel {
        self.kernel.body = body;
        self.kernel
    }

    pub fn push(&mut self, expr: Expr) -> ExprId {
        if let Some(&known) = self.known.get(&expr) {
            return known;
        }
        let id = ExprId(self.kernel.exprs.len() as u32);
        self.dtypes.push(self.type_of(&expr));
        self.known.insert(expr.clone(), id);
        self.kernel.exprs.push(expr);
        id
    }

    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.kernel.exprs[id.index()]
    }

    pub fn dtype(&self, id: ExprId) -> DType {
        self.dtypes[id.index()]
    }

    fn type_of(&self, expr: &Expr) -> DType {
        let kernel = &self.kernel;
        match *expr {
            Expr::Literal(literal) => literal.dtype(),
            Expr::Local(local) => kernel.locals[local.index()].dtype,
            Expr::Scalar(n) => kernel.scalars[n as usize].dtype,
            Expr::Index(..) | Expr::GridExtent(_) | Expr::Extent(..) | Expr::OutputExtent(..) => DType::I32,
            Expr::Unary(Unary::IsNan, _) | Expr::Compare(..) => DType::Bool,
            Expr::Unary(Unary::ToHalf, _) => DType::U32,
            Expr::Unary(Unary::OfHalf, _) => DType::F32,
            Expr::Unary(_, x)
            | Expr::Binary(_, x, _)
            | Expr::Select(_, x, _)
            | Expr::Subgroup(_, x)
            | Expr::Shuffle(x, _) => self.dtype(x),
            Expr::Cast(dtype, _) | Expr::Bitcast(dtype, _) => dtype,
            Expr::Load(tensor, ..) => kernel.tensors[tensor.index()].dtype,
            Expr::Element(array, _) => kernel.arrays[array.index()].dtype,
        }
    }

    pub fn local(&mut self, name: &str, dtype: DType) -> LocalId {
        let id = LocalId(self.kernel.locals.len() as u32);
        self.kernel.locals.push(Local { name: name.to_string(), dtype });
        id
    }

    pub fn array(&mut self, name: &str, dtype: DType, length: u32) -> ArrayId {
        let id = ArrayId(self.kernel.arrays.len() as u32);
        self.kernel.arrays.push(Array { name: name.to_string(), dtype, length, shared: false });
        id
    }

    pub fn tensor(&mut self, name: &str, dtype: DType, rank: u32) -> TensorId {
        let id = TensorId(self.kernel.tensors.len() as u32);
        self.kernel.tensors.push(Tensor { name: name.to_string(), dtype, rank });
        id
    }

    pub fn scalar(&mut self, name: &str, dtype: DType) -> u32 {
        self.kernel.scalars.push(Scalar { name: name.to_string(), dtype });
        self.kernel.scalars.len() as u32 - 1
    }

    pub fn output(&mut self, output: Output) -> OutputId {
        let id = OutputId(self.kernel.outputs.len() as u32);
        self.kernel.outputs.push(output);
        id
    }

    pub fn literal(&mut self, literal: Literal) -> ExprId {
        self.push(Expr::Literal(literal))
    }

    /// A literal that is no other's, so that it can be given another value later.
    pub fn own_literal(&mut self, literal: Literal) -> ExprId {
        let id = ExprId(self.kernel.exprs.len() as u32);
        self.dtypes.push(literal.dtype());
        self.kernel.exprs.push(Expr::Literal(literal));
        id
    }

    pub fn f32(&mut self, x: f32) -> ExprId {
        self.literal(Literal::F32(x))
    }

    pub fn i32(&mut self, x: i32) -> ExprId {
        self.literal(Literal::I32(x))
    }

    pub fn bool(&mut self, x: bool) -> ExprId {
        self.literal(Literal::Bool(x))
    }

    pub fn read(&mut self, local: LocalId) -> ExprId {
        self.push(Expr::Local(local))
    }

    pub fn unary(&mut self, op: Unary, x: ExprId) -> ExprId {
        self.push(Expr::Unary(op, x))
    }

    pub fn binary(&mut self, op: Binary, a: ExprId, b: ExprId) -> ExprId {
        self.push(Expr::Binary(op, a, b))
    }

    pub fn add(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(Binary::Add, a, b)
    }

    pub fn sub(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(Binary::Sub, a, b)
    }

    pub fn mul(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(Binary::Mul, a, b)
    }

    pub fn compare(&mut self, op: Compare, a: ExprId, b: ExprId) -> ExprId {
        self.push(Expr::Compare(op, a, b))
    }

    pub fn select(&mut self, condition: ExprId, a: ExprId, b: ExprId) -> ExprId {
        self.push(Expr::Select(condition, a, b))
    }

    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(Binary::And, a, b)
    }

    pub fn not(&mut self, a: ExprId) -> ExprId {
        self.unary(Unary::Not, a)
    }

    pub fn cast(&mut self, dtype: DType, x: ExprId) -> ExprId {
        if self.dtype(x) == dtype { x } else { self.push(Expr::Cast(dtype, x)) }
    }

    /// An element of a tensor, zero beyond its edge.
    pub fn load_or_zero(&mut self, tensor: TensorId, indices: &[ExprId]) -> ExprId {
        let zero = Literal::zero(self.kernel.tensors[tensor.index()].dtype);
        let zero = self.literal(zero);
        self.push(Expr::Load(tensor, indices.to_vec(), Edge::Fill(zero)))
    }

    pub fn element(&mut self, array: ArrayId, index: ExprId) -> ExprId {
        self.push(Expr::Element(array, index))
    }

    /// The invocation's own coordinates.
    pub fn own(&mut self) -> Vec<ExprId> {
        let axes = 0..self.kernel.rank;
        axes.map(|axis| self.push(Expr::Index(Coordinate::Grid, axis))).collect()
    }
}

/// What `root` is made from, operands first and itself last.
pub(super) fn reach(exprs: &[Expr], root: ExprId) -> Vec<ExprId> {
    let mut found = vec![root];
    let mut seen: weft_ir::HashSet<ExprId> = found.iter().copied().collect();
    let mut next = 0;
    while next < found.len() {
        exprs[found[next].index()].for_each_operand(|x| {
            if seen.insert(x) {
                found.push(x);
            }
        });
        next += 1;
    }
    found.sort_unstable();
    found
}

/// The expressions that a statement itself evaluates.
pub(super) fn evaluated(stmt: &Stmt, mut each: impl FnMut(ExprId)) {
    match stmt {
        Stmt::Let(_, value) => each(*value),
        Stmt::SetElement(_, index, value) => {
            each(*index);
            each(*value);
        }
        Stmt::Store { indices, value, .. } => {
            indices.iter().for_each(|&i| each(i));
            each(*value);
        }
        Stmt::If(condition, ..) | Stmt::While { condition, .. } => each(*condition),
        Stmt::For { from, to, .. } => {
            each(*from);
            each(*to);
        }
        Stmt::Break | Stmt::Continue | Stmt::Return | Stmt::Barrier => {}
    }
}

/// The blocks inside a statement.
pub(super) fn blocks(stmt: &Stmt) -> [&[Stmt]; 2] {
    match stmt {
        Stmt::If(_, then, otherwise) => [then, otherwise],
        Stmt::For { body, .. } | Stmt::While { body, .. } => [body, &[]],
        _ => [&[], &[]],
    }
}

/// Every statement of a block, those inside others too.
pub(super) fn each_statement<'s>(block: &'s [Stmt], each: &mut dyn FnMut(&'s Stmt)) {
    for stmt in block {
        each(stmt);
        for inner in blocks(stmt) {
            each_statement(inner, each);
        }
    }
}
