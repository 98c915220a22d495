//! Removal of dead code: what no store needs, and then everything that is not mentioned.

use super::arena::{blocks, each_statement, evaluated, reach};
use weft_ir::user_kernel::{ArrayId, Expr, ExprId, Initial, LocalId, OutputId, Stmt, TensorId, UserKernel};
use weft_ir::{HashMap, Literal};

/// What a kernel's stores need.
struct Live<'k> {
    kernel: &'k UserKernel,
    locals: Vec<bool>,
    arrays: Vec<bool>,
    exprs: Vec<bool>,
    changed: bool,
}

impl Live<'_> {
    fn need(&mut self, root: ExprId) {
        let mut stack = vec![root];
        while let Some(x) = stack.pop() {
            if std::mem::replace(&mut self.exprs[x.index()], true) {
                continue;
            }
            self.changed = true;
            let expr = &self.kernel.exprs[x.index()];
            match *expr {
                Expr::Local(local) => self.locals[local.index()] = true,
                Expr::Element(array, _) => self.arrays[array.index()] = true,
                _ => {}
            }
            expr.for_each_operand(|y| stack.push(y));
        }
    }

    fn is_live(&self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Let(local, _) => self.locals[local.index()],
            Stmt::SetElement(array, ..) => self.arrays[array.index()],
            Stmt::If(..) | Stmt::For { .. } | Stmt::While { .. } => {
                blocks(stmt).into_iter().flatten().any(|inner| self.is_live(inner))
            }
            Stmt::Store { .. } | Stmt::Break | Stmt::Continue | Stmt::Return | Stmt::Barrier => true,
        }
    }

    /// Marks what a block needs, the last statements first.
    fn block(&mut self, block: &[Stmt]) -> bool {
        let mut any = false;
        for stmt in block.iter().rev() {
            let mut inside = false;
            for inner in blocks(stmt) {
                inside |= self.block(inner);
            }
            if inside || self.is_live(stmt) {
                evaluated(stmt, |x| self.need(x));
                any = true;
            }
        }
        any
    }

    fn kept(&self, block: &[Stmt]) -> Vec<Stmt> {
        let live = block.iter().filter(|stmt| self.is_live(stmt));
        live.map(|stmt| match stmt {
            Stmt::If(condition, then, otherwise) => {
                Stmt::If(*condition, self.kept(then), self.kept(otherwise))
            }
            Stmt::For { counter, from, to, step, body } => {
                Stmt::For { counter: *counter, from: *from, to: *to, step: *step, body: self.kept(body) }
            }
            Stmt::While { condition, limit, body } => {
                Stmt::While { condition: *condition, limit: *limit, body: self.kept(body) }
            }
            other => other.clone(),
        })
        .collect()
    }
}

/// Drops every statement that no store needs. A loop is run for what happens in it: one that does
/// nothing is dropped with what it counts.
pub(super) fn without_dead_code(kernel: &mut UserKernel) {
    let mut live = Live {
        kernel,
        locals: vec![false; kernel.locals.len()],
        arrays: vec![false; kernel.arrays.len()],
        exprs: vec![false; kernel.exprs.len()],
        changed: true,
    };
    while std::mem::take(&mut live.changed) {
        live.block(&kernel.body);
    }
    kernel.body = live.kept(&kernel.body);
}

/// Whether an expression reads something, for a body without dead code.
pub(super) fn mentions(kernel: &UserKernel, what: impl Fn(&Expr) -> bool) -> bool {
    used(kernel).into_iter().zip(&kernel.exprs).any(|(used, expr)| used && what(expr))
}

/// Which expressions statements evaluate.
pub(super) fn used(kernel: &UserKernel) -> Vec<bool> {
    let mut used = vec![false; kernel.exprs.len()];
    each_statement(&kernel.body, &mut |stmt| {
        evaluated(stmt, |root| {
            if !used[root.index()] {
                reach(&kernel.exprs, root).into_iter().for_each(|x| used[x.index()] = true);
            }
        });
    });
    used
}

/// What is left of the interface of a compacted kernel: numbers among those from before.
pub(super) struct Kept {
    pub tensors: Vec<usize>,
    pub scalars: Vec<usize>,
    pub outputs: Vec<usize>,
}

/// Drops tensors, scalars, outputs, locals, arrays and expressions that the body does not mention,
/// outputs also where nothing is stored.
pub(super) fn compact(kernel: &UserKernel) -> (UserKernel, Kept) {
    let used = used(kernel);
    let mut stored = vec![false; kernel.outputs.len()];
    let mut locals = vec![false; kernel.locals.len()];
    let mut arrays = vec![false; kernel.arrays.len()];
    let mut tensors = vec![false; kernel.tensors.len()];
    let mut scalars = vec![false; kernel.scalars.len()];
    each_statement(&kernel.body, &mut |stmt| match stmt {
        Stmt::Let(local, _) | Stmt::For { counter: local, .. } => locals[local.index()] = true,
        Stmt::SetElement(array, ..) => arrays[array.index()] = true,
        Stmt::Store { output, before, .. } => {
            stored[output.index()] = true;
            before.iter().for_each(|local| locals[local.index()] = true);
        }
        _ => {}
    });
    for (expr, _) in kernel.exprs.iter().zip(&used).filter(|(_, used)| **used) {
        match *expr {
            Expr::Local(local) => locals[local.index()] = true,
            Expr::Element(array, _) => arrays[array.index()] = true,
            Expr::Load(tensor, ..) | Expr::Extent(tensor, _) => tensors[tensor.index()] = true,
            Expr::Scalar(n) => scalars[n as usize] = true,
            Expr::OutputExtent(output, _) => stored[output.index()] = true,
            _ => {}
        }
    }
    for (output, _) in kernel.outputs.iter().zip(&stored).filter(|(_, stored)| **stored) {
        if let Initial::Tensor(tensor) = output.initial {
            tensors[tensor.index()] = true;
        }
    }
    let numbers = |flags: &[bool]| -> Vec<usize> { (0..flags.len()).filter(|&i| flags[i]).collect() };
    let kept = Kept { tensors: numbers(&tensors), scalars: numbers(&scalars), outputs: numbers(&stored) };
    let places = |kept: &[usize]| -> HashMap<usize, u32> {
        kept.iter().enumerate().map(|(new, &old)| (old, new as u32)).collect()
    };
    let (locals, arrays) = (numbers(&locals), numbers(&arrays));
    let map = Renumber {
        tensors: places(&kept.tensors),
        scalars: places(&kept.scalars),
        outputs: places(&kept.outputs),
        locals: places(&locals),
        arrays: places(&arrays),
        exprs: places(&numbers(&used)),
    };
    let compacted = UserKernel {
        name: kernel.name.clone(),
        rank: kernel.rank,
        workgroup: kernel.workgroup,
        tensors: kept.tensors.iter().map(|&i| kernel.tensors[i].clone()).collect(),
        scalars: kept.scalars.iter().map(|&i| kernel.scalars[i].clone()).collect(),
        outputs: kept
            .outputs
            .iter()
            .map(|&i| {
                let mut output = kernel.outputs[i].clone();
                if let Initial::Tensor(tensor) = &mut output.initial {
                    *tensor = map.tensor(*tensor);
                }
                output
            })
            .collect(),
        locals: locals.iter().map(|&i| kernel.locals[i].clone()).collect(),
        arrays: arrays.iter().map(|&i| kernel.arrays[i].clone()).collect(),
        exprs: numbers(&used).iter().map(|&i| map.expr_of(&kernel.exprs[i])).collect(),
        body: map.block(&kernel.body),
        source: None,
        lean: None,
    };
    (compacted, kept)
}

/// New numbers by old ones.
struct Renumber {
    tensors: HashMap<usize, u32>,
    scalars: HashMap<usize, u32>,
    outputs: HashMap<usize, u32>,
    locals: HashMap<usize, u32>,
    arrays: HashMap<usize, u32>,
    exprs: HashMap<usize, u32>,
}

impl Renumber {
    fn tensor(&self, id: TensorId) -> TensorId {
        TensorId(self.tensors[&id.index()])
    }

    fn output(&self, id: OutputId) -> OutputId {
        OutputId(self.outputs[&id.index()])
    }

    fn local(&self, id: LocalId) -> LocalId {
        LocalId(self.locals[&id.index()])
    }

    fn array(&self, id: ArrayId) -> ArrayId {
        ArrayId(self.arrays[&id.index()])
    }

    fn expr(&self, id: ExprId) -> ExprId {
        ExprId(self.exprs[&id.index()])
    }

    fn expr_of(&self, expr: &Expr) -> Expr {
        match expr.map_operands(|x| self.expr(x)) {
            Expr::Local(local) => Expr::Local(self.local(local)),
            Expr::Scalar(n) => Expr::Scalar(self.scalars[&(n as usize)]),
            Expr::Extent(tensor, axis) => Expr::Extent(self.tensor(tensor), axis),
            Expr::OutputExtent(output, axis) => Expr::OutputExtent(self.output(output), axis),
            Expr::Load(tensor, indices, edge) => Expr::Load(self.tensor(tensor), indices, edge),
            Expr::Element(array, index) => Expr::Element(self.array(array), index),
            other => other,
        }
    }

    fn block(&self, block: &[Stmt]) -> Vec<Stmt> {
        block.iter().map(|stmt| self.statement(stmt)).collect()
    }

    fn statement(&self, stmt: &Stmt) -> Stmt {
        let expr = |x: &ExprId| self.expr(*x);
        match stmt {
            Stmt::Let(local, value) => Stmt::Let(self.local(*local), expr(value)),
            Stmt::SetElement(array, index, value) => {
                Stmt::SetElement(self.array(*array), expr(index), expr(value))
            }
            Stmt::Store { output, indices, value, before } => Stmt::Store {
                output: self.output(*output),
                indices: indices.iter().map(expr).collect(),
                value: expr(value),
                before: before.map(|local| self.local(local)),
            },
            Stmt::If(condition, then, otherwise) => {
                Stmt::If(expr(condition), self.block(then), self.block(otherwise))
            }
            Stmt::For { counter, from, to, step, body } => Stmt::For {
                counter: self.local(*counter),
                from: expr(from),
                to: expr(to),
                step: *step,
                body: self.block(body),
            },
            Stmt::While { condition, limit, body } => {
                Stmt::While { condition: expr(condition), limit: *limit, body: self.block(body) }
            }
            other => other.clone(),
        }
    }
}

/// Gives literals other values: `of` says which.
pub(super) fn replace_literals(kernel: &mut UserKernel, of: &HashMap<ExprId, Literal>) {
    for (&id, &literal) in of {
        kernel.exprs[id.index()] = Expr::Literal(literal);
    }
}
