//! Printer of users' kernels: declarations, then statements with their expressions written out.

use super::{
    Combine, Coordinate, Edge, Expr, ExprId, Initial, LocalId, Output, Reach, Stmt, SubgroupOp, UserKernel,
};
use std::fmt::{self, Display, Formatter};

/// Text longer than this is written once and named where it is used again.
const LONG: usize = 120;

impl Display for UserKernel {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "kernel {} over {} axes", self.name, self.rank)?;
        if let Some([x, y, z]) = self.workgroup {
            write!(f, " in groups of {x}×{y}×{z}")?;
        }
        writeln!(f)?;
        for tensor in &self.tensors {
            writeln!(f, "tensor {}: {} of {} axes", tensor.name, tensor.dtype, tensor.rank)?;
        }
        for scalar in &self.scalars {
            writeln!(f, "number {}: {}", scalar.name, scalar.dtype)?;
        }
        for Output { name, dtype, rank, combine, initial } in &self.outputs {
            write!(f, "output {name}: {dtype} of {rank} axes, {}, from ", combine_name(*combine))?;
            match initial {
                Initial::Value(value) => writeln!(f, "{value}")?,
                Initial::Tensor(tensor) => writeln!(f, "{}", self.tensors[tensor.index()].name)?,
            }
        }
        for array in &self.arrays {
            let shared = if array.shared { "shared" } else { "local" };
            writeln!(f, "{shared} {}: {} × {}", array.name, array.dtype, array.length)?;
        }
        if let Some(source) = &self.source {
            return writeln!(f, "{}", source.text);
        }
        let mut printer = Printer { kernel: self, reach: Reach::new(self), names: 0 };
        printer.block(&self.body, 1, f)
    }
}

/// As it prints: the names of all its parts would be part of every download.
impl fmt::Debug for UserKernel {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

fn combine_name(combine: Combine) -> &'static str {
    match combine {
        Combine::Set => "set",
        Combine::Add => "add",
        Combine::Min => "min",
        Combine::Max => "max",
        Combine::And => "and",
        Combine::Or => "or",
        Combine::Xor => "xor",
    }
}

struct Printer<'a> {
    kernel: &'a UserKernel,
    reach: Reach<'a>,
    /// How many long texts have been named.
    names: usize,
}

impl Printer<'_> {
    fn local(&self, local: LocalId) -> String {
        self.kernel.locals.get(local.index()).map_or("?".to_owned(), |it| format!("{}.{}", it.name, local.0))
    }

    fn array(&self, array: super::ArrayId) -> &str {
        self.kernel.arrays.get(array.index()).map_or("?", |it| &it.name)
    }

    fn output(&self, output: super::OutputId) -> &str {
        self.kernel.outputs.get(output.index()).map_or("?", |it| &it.name)
    }

    fn block(&mut self, block: &[Stmt], depth: usize, f: &mut Formatter<'_>) -> fmt::Result {
        block.iter().try_for_each(|stmt| self.stmt(stmt, depth, f))
    }

    fn stmt(&mut self, stmt: &Stmt, depth: usize, f: &mut Formatter<'_>) -> fmt::Result {
        let margin = "  ".repeat(depth);
        let mut texts = Vec::new();
        let mut wanted = Vec::new();
        stmt.for_each_expr(|id| wanted.push(id));
        for id in wanted {
            texts.push(self.text(id, &margin, f)?);
        }
        write!(f, "{margin}")?;
        match stmt {
            Stmt::Let(local, _) => writeln!(f, "{} = {}", self.local(*local), texts[0]),
            Stmt::SetElement(array, ..) => writeln!(f, "{}[{}] = {}", self.array(*array), texts[0], texts[1]),
            Stmt::Store { output, before, .. } => {
                if let Some(before) = before {
                    write!(f, "{} = ", self.local(*before))?;
                }
                let (value, indices) = texts.split_last().expect("a store has a value");
                writeln!(f, "store {}[{}], {value}", self.output(*output), indices.join(", "))
            }
            Stmt::If(_, then, otherwise) => {
                writeln!(f, "if {}", texts[0])?;
                self.block(then, depth + 1, f)?;
                if !otherwise.is_empty() {
                    writeln!(f, "{margin}else")?;
                    self.block(otherwise, depth + 1, f)?;
                }
                Ok(())
            }
            Stmt::For { counter, step, body, .. } => {
                let counter = self.local(*counter);
                writeln!(f, "for {counter} from {} to {} step {step}", texts[0], texts[1])?;
                self.block(body, depth + 1, f)
            }
            Stmt::While { limit, body, .. } => {
                writeln!(f, "while {}, at most {limit} times", texts[0])?;
                self.block(body, depth + 1, f)
            }
            Stmt::Break => writeln!(f, "break"),
            Stmt::Continue => writeln!(f, "continue"),
            Stmt::Return => writeln!(f, "return"),
            Stmt::Barrier => writeln!(f, "barrier"),
        }
    }

    /// An expression as text. What is long and used again is written before, under a name.
    fn text(&mut self, root: ExprId, margin: &str, f: &mut Formatter<'_>) -> Result<String, fmt::Error> {
        let all = self.reach.of(root);
        let place = |id: ExprId| all.binary_search(&id).expect("operands are reached");
        let mut texts: Vec<String> = Vec::with_capacity(all.len());
        for &id in &all {
            let mut text = self.one(id, |operand| texts[place(operand)].clone());
            if text.len() > LONG && id != root {
                writeln!(f, "{margin}#{} = {text}", self.names)?;
                text = format!("#{}", self.names);
                self.names += 1;
            }
            texts.push(text);
        }
        Ok(texts.pop().expect("the root is last"))
    }

    fn one(&self, id: ExprId, of: impl Fn(ExprId) -> String) -> String {
        let kernel = self.kernel;
        let list = |ids: &[ExprId]| ids.iter().map(|&id| of(id)).collect::<Vec<_>>().join(", ");
        let lower = |op: &dyn fmt::Debug| format!("{op:?}").to_ascii_lowercase();
        let tensor = |id: &super::TensorId| &kernel.tensors[id.index()].name;
        match &kernel.exprs[id.index()] {
            Expr::Literal(literal) => literal.to_string(),
            Expr::Local(local) => self.local(*local),
            Expr::Scalar(n) => kernel.scalars[*n as usize].name.clone(),
            Expr::Index(Coordinate::Grid, axis) => format!("at{axis}"),
            Expr::Index(Coordinate::Local, axis) => format!("local{axis}"),
            Expr::Index(Coordinate::Group, axis) => format!("group{axis}"),
            Expr::GridExtent(axis) => format!("grid.shape[{axis}]"),
            Expr::Extent(id, axis) => format!("{}.shape[{axis}]", tensor(id)),
            Expr::OutputExtent(output, axis) => format!("{}.shape[{axis}]", self.output(*output)),
            Expr::Unary(op, x) => format!("{}({})", lower(op), of(*x)),
            Expr::Binary(op, a, b) => format!("{}({}, {})", lower(op), of(*a), of(*b)),
            Expr::Compare(op, a, b) => format!("{}({}, {})", lower(op), of(*a), of(*b)),
            Expr::Select(condition, a, b) => format!("({} ? {} : {})", of(*condition), of(*a), of(*b)),
            Expr::Cast(dtype, x) => format!("{dtype}({})", of(*x)),
            Expr::Bitcast(dtype, x) => format!("bitcast<{dtype}>({})", of(*x)),
            Expr::Load(id, indices, edge) => {
                let edge = match edge {
                    Edge::Fill(value) => format!("or {}", of(*value)),
                    edge => lower(edge),
                };
                format!("{}[{}; {edge}]", tensor(id), list(indices))
            }
            Expr::Element(array, index) => format!("{}[{}]", self.array(*array), of(*index)),
            Expr::Subgroup(op, x) => {
                let name = match op {
                    SubgroupOp::Add => "add",
                    SubgroupOp::Min => "min",
                    SubgroupOp::Max => "max",
                    SubgroupOp::AddBefore => "add_before",
                };
                format!("subgroup_{name}({})", of(*x))
            }
            Expr::Shuffle(x, from) => format!("shuffle({}, {})", of(*x), of(*from)),
        }
    }
}
