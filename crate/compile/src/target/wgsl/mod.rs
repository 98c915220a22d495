//! WGSL printer, one for every kernel and every device: names made distinct, only the parentheses
//! that WGSL asks for, and only those functions of `shaders/prelude.wgsl` that the kernel calls.

mod expression;
mod names;
pub mod prelude;
pub mod source;

use expression::{Level, type_name};
use names::Names;
use prelude::Prelude;
use std::fmt::Write;
use weft_ir::DType;
use weft_ir::HashSet;
use weft_ir::kernel::interpret::constant;
use weft_ir::kernel::{ArrayId, AtomicOp, Builtin, Expr, ExprId, Function, Kernel, LocalId, Space, Stmt};

/// Whose WGSL: dialects differ only in directives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dialect {
    /// Browsers and Dawn: `enable subgroups;` is required.
    Browser,
    /// naga, which has subgroup operations without a directive and refuses one.
    Naga,
}

impl Dialect {
    /// That of the devices which this build runs on.
    pub const HERE: Dialect = if cfg!(target_arch = "wasm32") { Dialect::Browser } else { Dialect::Naga };
}

/// The WGSL of a well-formed kernel. Its entry point is `main`. Storage array n is `@group(0)
/// @binding(n)`; the run-time scalars, where there are any, follow as one uniform array of
/// `vec4<u32>`, scalar n in component n mod 4 of n / 4.
pub fn print(kernel: &Kernel, dialect: Dialect) -> String {
    if let Some(source) = &kernel.source {
        return own(kernel, source);
    }
    let uses = Uses::of(kernel);
    let mut printer =
        Printer { kernel, names: Names::of(kernel), out: String::new(), depth: 0, storage_barrier: false };
    printer.storage_barrier = uses.storage_is_shared(kernel);
    printer.header(&uses, dialect);
    printer.declarations(&uses);
    printer.main(&uses);
    printer.out
}

/// A user's WGSL, in whose lines nothing is moved, and then its bindings.
///
/// Deferred: few programs have kernels of users.
#[inline(never)]
fn own(kernel: &Kernel, source: &str) -> String {
    let mut out = format!("{source}\n");
    for (binding, (_, array)) in kernel.storage().enumerate() {
        let (name, ty) = (&array.name, type_name(array.ty));
        let (access, ty) = match array.space {
            Space::Read => ("read", ty.to_string()),
            Space::Atomic => ("read_write", format!("atomic<{ty}>")),
            _ => ("read_write", ty.to_string()),
        };
        let _ = writeln!(out, "@group(0) @binding({binding}) var<storage, {access}> {name}: array<{ty}>;");
    }
    out
}

/// Dtypes of the run-time scalars to 4-byte slots to a uniform block: its size in bytes.
pub const fn uniform_bytes(scalars: usize) -> usize {
    scalars.div_ceil(4) * 16
}

/// What the body of a kernel mentions; the arena may hold more.
#[derive(Default)]
struct Uses {
    exprs: HashSet<ExprId>,
    uniforms: HashSet<u32>,
    builtins: Vec<Builtin>,
    functions: Vec<&'static str>,
    loaded: HashSet<ArrayId>,
    stored: HashSet<ArrayId>,
    barrier: bool,
}

impl Uses {
    fn of(kernel: &Kernel) -> Uses {
        let mut uses = Uses::default();
        uses.block(kernel, &kernel.body);
        uses
    }

    fn block(&mut self, kernel: &Kernel, block: &[Stmt]) {
        for stmt in block {
            match stmt {
                Stmt::Let(_, e) | Stmt::Var(_, e) | Stmt::Assign(_, e) => self.expr(kernel, *e),
                Stmt::Store(array, index, value) | Stmt::Atomic { array, index, value, .. } => {
                    self.stored.insert(*array);
                    self.expr(kernel, *index);
                    self.expr(kernel, *value);
                }
                Stmt::If(condition, then, otherwise) => {
                    self.expr(kernel, *condition);
                    self.block(kernel, then);
                    self.block(kernel, otherwise);
                }
                Stmt::For { from, to, body, .. } => {
                    self.expr(kernel, *from);
                    self.expr(kernel, *to);
                    self.block(kernel, body);
                }
                Stmt::While(condition, body) => {
                    self.expr(kernel, *condition);
                    self.block(kernel, body);
                }
                Stmt::Barrier => self.barrier = true,
                Stmt::Break | Stmt::Continue => {}
            }
        }
    }

    fn expr(&mut self, kernel: &Kernel, id: ExprId) {
        if !self.exprs.insert(id) {
            return;
        }
        let expr = &kernel.exprs[id.index()];
        if let Some(literal) = constant(kernel, id) {
            if expression::needs_bits(literal) {
                self.functions.push(Function::FromBits.name());
            }
            return;
        }
        match expr {
            Expr::Uniform(n) => {
                self.uniforms.insert(*n);
            }
            Expr::Builtin(builtin) => self.builtins.push(*builtin),
            Expr::Call(function, _) => self.functions.push(function.name()),
            Expr::Load(array, _) => {
                self.loaded.insert(*array);
            }
            _ => {}
        }
        expr.for_each_operand(|operand| self.expr(kernel, operand));
    }

    /// Whether some storage array is both read and written, so that a barrier must order its
    /// accesses.
    fn storage_is_shared(&self, kernel: &Kernel) -> bool {
        self.loaded.intersection(&self.stored).any(|a| kernel.arrays[a.index()].space.is_storage())
    }
}

struct Printer<'a> {
    kernel: &'a Kernel,
    names: Names,
    out: String,
    depth: usize,
    storage_barrier: bool,
}

/// Writes one line at the printer's depth.
macro_rules! line {
    ($printer:expr, $($arg:tt)*) => {{
        for _ in 0..$printer.depth {
            $printer.out.push_str("    ");
        }
        let _ = writeln!($printer.out, $($arg)*);
    }};
}

impl Printer<'_> {
    fn header(&mut self, uses: &Uses, dialect: Dialect) {
        if !self.kernel.name.is_empty() {
            for text in self.kernel.name.lines() {
                line!(self, "// {text}");
            }
        }
        if dialect == Dialect::Browser && self.kernel.uses_subgroups() {
            line!(self, "enable subgroups;");
        }
        for item in Prelude::get().with_dependencies(&uses.functions) {
            line!(self, "\n{}", item.text);
        }
    }

    fn declarations(&mut self, uses: &Uses) {
        let kernel = self.kernel;
        line!(self, "");
        let mut binding = 0;
        for (id, array) in (0..).map(ArrayId).zip(&kernel.arrays) {
            let (name, ty) = (self.names.array(id), type_name(array.ty));
            match array.space {
                Space::Read => {
                    line!(self, "@group(0) @binding({binding}) var<storage, read> {name}: array<{ty}>;");
                }
                Space::ReadWrite => {
                    line!(
                        self,
                        "@group(0) @binding({binding}) var<storage, read_write> {name}: array<{ty}>;"
                    );
                }
                Space::Atomic => {
                    line!(
                        self,
                        "@group(0) @binding({binding}) var<storage, read_write> {name}: array<atomic<{ty}>>;"
                    );
                }
                Space::Workgroup(length) => line!(self, "var<workgroup> {name}: array<{ty}, {length}>;"),
                Space::WorkgroupAtomic(length) => {
                    line!(self, "var<workgroup> {name}: array<atomic<{ty}>, {length}>;");
                }
                Space::Private(_) => {}
            }
            binding += u32::from(array.space.is_storage());
        }
        if !uses.uniforms.is_empty() {
            let slots = kernel.uniforms.len().div_ceil(4);
            line!(
                self,
                "@group(0) @binding({binding}) var<uniform> {}: array<vec4<u32>, {slots}>;",
                names::UNIFORMS
            );
        }
    }

    fn main(&mut self, uses: &Uses) {
        let [x, y, z] = self.kernel.workgroup;
        let size = match (y, z) {
            (1, 1) => format!("{x}"),
            (_, 1) => format!("{x}, {y}"),
            _ => format!("{x}, {y}, {z}"),
        };
        line!(self, "");
        line!(self, "@compute @workgroup_size({size})");
        let used: Vec<_> = uses.builtins.iter().map(|&b| expression::builtin_parameter(b)).collect();
        let parameters: Vec<String> = expression::PARAMETERS
            .into_iter()
            .map(expression::builtin_parameter)
            .filter(|parameter| used.contains(parameter))
            .map(|(builtin, name, ty)| format!("@builtin({builtin}) {name}: {ty}"))
            .collect();
        if parameters.len() > 1 {
            line!(self, "fn main(");
            for parameter in parameters {
                line!(self, "    {parameter},");
            }
            line!(self, ") {{");
        } else {
            line!(self, "fn main({}) {{", parameters.concat());
        }
        self.depth += 1;
        for (id, array) in (0..).map(ArrayId).zip(&self.kernel.arrays) {
            let is_used = uses.loaded.contains(&id) || uses.stored.contains(&id);
            if let (Space::Private(length), true) = (array.space, is_used) {
                line!(self, "var {}: array<{}, {length}>;", self.names.array(id), type_name(array.ty));
            }
        }
        for n in (0..self.kernel.uniforms.len() as u32).filter(|n| uses.uniforms.contains(n)) {
            let read = format!("{}[{}].{}", names::UNIFORMS, n / 4, ["x", "y", "z", "w"][n as usize % 4]);
            let read = match self.kernel.uniforms[n as usize] {
                DType::F32 => format!("bitcast<f32>({read})"),
                DType::I32 => format!("bitcast<i32>({read})"),
                _ => read,
            };
            line!(self, "let {} = {read};", names::uniform(n));
        }
        self.block(&self.kernel.body);
        self.depth -= 1;
        line!(self, "}}");
    }

    fn block(&mut self, block: &[Stmt]) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn nested(&mut self, block: &[Stmt]) {
        self.depth += 1;
        self.names.enter();
        self.block(block);
        self.names.leave();
        self.depth -= 1;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(local, value) => {
                let value = self.expr(*value);
                line!(self, "let {} = {value};", self.names.bind(self.kernel, *local));
            }
            Stmt::Var(local, value) => {
                let value = self.expr(*value);
                line!(self, "var {} = {value};", self.names.bind(self.kernel, *local));
            }
            Stmt::Assign(local, value) => self.assign(*local, *value),
            Stmt::Store(array, index, value) => {
                let (place, value) = (self.place(*array, *index), self.expr(*value));
                if self.kernel.arrays[array.index()].space.is_atomic() {
                    line!(self, "atomicStore(&{place}, {value});");
                } else {
                    line!(self, "{place} = {value};");
                }
            }
            Stmt::Atomic { op, array, index, value, before } => {
                let function = match op {
                    AtomicOp::Add => "atomicAdd",
                    AtomicOp::Min => "atomicMin",
                    AtomicOp::Max => "atomicMax",
                    AtomicOp::And => "atomicAnd",
                    AtomicOp::Or => "atomicOr",
                    AtomicOp::Xor => "atomicXor",
                };
                let (place, value) = (self.place(*array, *index), self.expr(*value));
                let bound = before
                    .map_or(String::new(), |local| format!("let {} = ", self.names.bind(self.kernel, local)));
                line!(self, "{bound}{function}(&{place}, {value});");
            }
            Stmt::If(condition, then, otherwise) => self.branch(*condition, then, otherwise),
            Stmt::For { counter, from, to, step, body } => {
                let (from, to) = (self.expr(*from), self.operand(*to, Level::Sum));
                self.names.enter();
                let name = self.names.bind(self.kernel, *counter);
                let next = if *step == 1 { format!("{name}++") } else { format!("{name} += {step}") };
                line!(self, "for (var {name} = {from}; {name} < {to}; {next}) {{");
                self.nested(body);
                self.names.leave();
                line!(self, "}}");
            }
            Stmt::While(condition, body) => {
                line!(self, "while {} {{", self.expr(*condition));
                self.nested(body);
                line!(self, "}}");
            }
            Stmt::Break => line!(self, "break;"),
            Stmt::Continue => line!(self, "continue;"),
            Stmt::Barrier => {
                let workgroup = self.kernel.arrays.iter().any(|a| a.space.in_workgroup().is_some());
                if workgroup || !self.storage_barrier {
                    line!(self, "workgroupBarrier();");
                }
                if self.storage_barrier {
                    line!(self, "storageBarrier();");
                }
            }
        }
    }

    /// `x += y` where the value is the local itself and something more.
    fn assign(&mut self, local: LocalId, value: ExprId) {
        let name = self.names.local(local);
        if let Expr::Binary(op, a, b) = &self.kernel.exprs[value.index()]
            && self.kernel.exprs[a.index()] == Expr::Local(local)
            && let Some(operator) = expression::compound_operator(*op, self.kernel.type_of(*a))
        {
            line!(self, "{name} {operator}= {};", self.expr(*b));
        } else {
            line!(self, "{name} = {};", self.expr(value));
        }
    }

    fn branch(&mut self, condition: ExprId, then: &[Stmt], mut otherwise: &[Stmt]) {
        line!(self, "if {} {{", self.expr(condition));
        self.nested(then);
        while let [Stmt::If(condition, then, next)] = otherwise {
            line!(self, "}} else if {} {{", self.expr(*condition));
            self.nested(then);
            otherwise = next;
        }
        if !otherwise.is_empty() {
            line!(self, "}} else {{");
            self.nested(otherwise);
        }
        line!(self, "}}");
    }
}
