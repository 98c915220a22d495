//! Random kernels. The printer, the shader compilers and the reference interpreter must agree on
//! what a kernel means: a generator writes kernels, which run on a device and on the interpreter,
//! and must store the same bits.

use crate::support::Gpu;
use weft_ir::kernel::interpret;
use weft_ir::kernel::{
    Array, ArrayId, BinaryOp, Builtin, Expr, ExprId, Kernel, Local, LocalId, Space, Stmt, UnaryOp,
};
use weft_ir::{DType, Literal};

/// Invocations of each kernel, and words of each buffer.
const SIZE: u32 = 32;

/// Writes kernels of whole numbers and bools: every operator, branch, loop and jump, and neither
/// overflow nor rounding that a device may do differently.
struct Generator {
    state: u64,
    kernel: Kernel,
    /// Locals that may be read, and those that may be assigned.
    readable: Vec<LocalId>,
    assignable: Vec<LocalId>,
    loops: u32,
}

impl Generator {
    fn below(&mut self, limit: u32) -> u32 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 33) as u32 % limit
    }

    fn push(&mut self, expr: Expr) -> ExprId {
        self.kernel.exprs.push(expr);
        ExprId(self.kernel.exprs.len() as u32 - 1)
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        self.push(Expr::Binary(op, a, b))
    }

    fn literal(&mut self, dtype: DType) -> ExprId {
        let number = self.below(40);
        self.push(Expr::Literal(match dtype {
            DType::I32 => Literal::I32(number as i32 - 20),
            DType::U32 => Literal::U32(number),
            DType::Bool => Literal::Bool(number > 20),
            _ => unreachable!("no floats are generated"),
        }))
    }

    fn local(&mut self, dtype: DType) -> LocalId {
        let name = ["a", "b", "count", "loop", "x_1"][self.below(5) as usize].to_owned();
        self.kernel.locals.push(Local { name, ty: dtype.into() });
        LocalId(self.kernel.locals.len() as u32 - 1)
    }

    fn leaf(&mut self, dtype: DType) -> ExprId {
        let locals = &self.kernel.locals;
        let fitting: Vec<LocalId> =
            self.readable.iter().copied().filter(|l| locals[l.index()].ty == dtype.into()).collect();
        if !fitting.is_empty() && self.below(4) > 0 {
            let local = fitting[self.below(fitting.len() as u32) as usize];
            return self.push(Expr::Local(local));
        }
        match (dtype, self.below(3)) {
            (DType::I32, 0) => {
                let index = self.push(Expr::Builtin(Builtin::LocalIndex));
                self.push(Expr::Load(ArrayId(0), index))
            }
            (DType::U32, 0) => self.push(Expr::Builtin(Builtin::LocalId(0))),
            (DType::U32, 1) => self.push(Expr::Uniform(0)),
            _ => self.literal(dtype),
        }
    }

    fn value(&mut self, dtype: DType, depth: u32) -> ExprId {
        use BinaryOp::*;
        if depth == 0 {
            return self.leaf(dtype);
        }
        let inner = depth - 1;
        match self.below(10) {
            0 => {
                let condition = self.value(DType::Bool, inner);
                let (a, b) = (self.value(dtype, inner), self.value(dtype, inner));
                self.push(Expr::Select(condition, a, b))
            }
            1 => {
                let from = [DType::I32, DType::U32, DType::Bool][self.below(3) as usize];
                let x = self.value(from, inner);
                self.push(Expr::Cast(dtype, x))
            }
            2 => {
                let op = if dtype == DType::I32 && self.below(2) == 0 { UnaryOp::Neg } else { UnaryOp::Not };
                let x = self.value(dtype, inner);
                self.push(Expr::Unary(op, x))
            }
            3 if dtype != DType::Bool => {
                // A literal divisor, or a remainder by something that is not zero.
                let op = if self.below(2) == 0 { Div } else { Rem };
                let a = self.value(dtype, inner);
                let by = 1 + self.below(9);
                let by = self.push(Expr::Literal(Literal::from_f64(dtype, f64::from(by))));
                self.binary(op, a, by)
            }
            4 if dtype != DType::Bool => {
                let a = self.value(dtype, inner);
                let (by, mask) = (self.value(DType::U32, inner), self.push(Expr::Literal(Literal::U32(31))));
                let by = self.binary(And, by, mask);
                let op = if self.below(2) == 0 { Shl } else { Shr };
                self.binary(op, a, by)
            }
            _ if dtype == DType::Bool => {
                if self.below(2) == 0 {
                    let of = if self.below(2) == 0 { DType::I32 } else { DType::U32 };
                    let (a, b) = (self.value(of, inner), self.value(of, inner));
                    let op = [Eq, Ne, Lt, Le, Gt, Ge][self.below(6) as usize];
                    self.binary(op, a, b)
                } else {
                    let (a, b) = (self.value(dtype, inner), self.value(dtype, inner));
                    let op = [And, Or, Xor, Eq, Ne][self.below(5) as usize];
                    self.binary(op, a, b)
                }
            }
            _ => {
                let (a, b) = (self.value(dtype, inner), self.value(dtype, inner));
                let op = [Add, Sub, Mul, Min, Max, And, Or, Xor][self.below(8) as usize];
                self.binary(op, a, b)
            }
        }
    }

    fn dtype(&mut self) -> DType {
        [DType::I32, DType::U32, DType::Bool][self.below(3) as usize]
    }

    fn block(&mut self, depth: u32) -> Vec<Stmt> {
        let scope = (self.readable.len(), self.assignable.len());
        let mut block = Vec::new();
        for _ in 0..2 + self.below(4) {
            block.push(self.stmt(depth));
        }
        if self.loops > 0 && self.below(4) == 0 {
            let condition = self.value(DType::Bool, 2);
            let jump = if self.below(2) == 0 { Stmt::Break } else { Stmt::Continue };
            block.push(Stmt::If(condition, vec![jump], vec![]));
        }
        self.readable.truncate(scope.0);
        self.assignable.truncate(scope.1);
        block
    }

    fn stmt(&mut self, depth: u32) -> Stmt {
        match self.below(if depth > 0 { 7 } else { 4 }) {
            0 | 1 => {
                let dtype = self.dtype();
                let value = self.value(dtype, 3);
                let local = self.local(dtype);
                self.readable.push(local);
                if self.below(2) == 0 {
                    return Stmt::Let(local, value);
                }
                self.assignable.push(local);
                Stmt::Var(local, value)
            }
            2 | 3 => {
                let choice = self.below(self.assignable.len() as u32) as usize;
                let local = self.assignable[choice];
                let value = self.value(self.kernel.locals[local.index()].ty.scalar, 3);
                Stmt::Assign(local, value)
            }
            4 | 5 => {
                let condition = self.value(DType::Bool, 2);
                let then = self.block(depth - 1);
                let otherwise = if self.below(2) == 0 { self.block(depth - 1) } else { Vec::new() };
                Stmt::If(condition, then, otherwise)
            }
            _ => {
                let (from, to) = (self.below(3), self.below(8));
                let from = self.push(Expr::Literal(Literal::I32(from as i32)));
                let to = self.push(Expr::Literal(Literal::I32(to as i32)));
                let counter = self.local(DType::I32);
                self.readable.push(counter);
                self.loops += 1;
                let body = self.block(depth - 1);
                self.loops -= 1;
                self.readable.pop();
                Stmt::For { counter, from, to, step: 1 + self.below(2) as i32, body }
            }
        }
    }

    /// A kernel that computes with three locals and stores them all.
    fn kernel(seed: u64) -> Kernel {
        let kernel = Kernel {
            name: format!("generated from {seed}"),
            workgroup: [SIZE, 1, 1],
            arrays: vec![
                Array { name: "input".to_owned(), ty: DType::I32.into(), space: Space::Read },
                Array { name: "out".to_owned(), ty: DType::I32.into(), space: Space::ReadWrite },
            ],
            uniforms: vec![DType::U32],
            ..Kernel::default()
        };
        let state = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut g = Generator { state, kernel, readable: vec![], assignable: vec![], loops: 0 };
        let mut body = Vec::new();
        for dtype in [DType::I32, DType::U32, DType::Bool] {
            let first = g.leaf(dtype);
            let local = g.local(dtype);
            body.push(Stmt::Var(local, first));
            g.readable.push(local);
            g.assignable.push(local);
        }
        body.extend(g.block(3));
        let index = g.push(Expr::Builtin(Builtin::LocalIndex));
        let three = g.push(Expr::Literal(Literal::U32(3)));
        let first = g.binary(BinaryOp::Mul, index, three);
        for n in 0..3 {
            let offset = g.push(Expr::Literal(Literal::U32(n)));
            let place = g.binary(BinaryOp::Add, first, offset);
            let value = g.push(Expr::Local(LocalId(n)));
            let value = g.push(Expr::Cast(DType::I32, value));
            body.push(Stmt::Store(ArrayId(1), place, value));
        }
        g.kernel.body = body;
        g.kernel
    }
}

#[test]
fn generated_kernels_do_on_a_device_what_they_do_in_the_interpreter() {
    let gpu = Gpu::open();
    let input: Vec<u32> = (0..SIZE).map(|i| i.wrapping_mul(0x9e37_79b9) >> (i % 29)).collect();
    for seed in 0..40 {
        let kernel = Generator::kernel(seed);
        let buffers = [input.clone(), vec![0; SIZE as usize * 3]];
        let (mut expected, mut got) = (buffers.clone(), buffers);
        interpret::run(&kernel, &mut expected, &[12], [1, 1, 1]).unwrap_or_else(|e| panic!("{e}\n{kernel}"));
        gpu.run(&kernel, &mut got, &[12], [1, 1, 1]);
        assert_eq!(got, expected, "on {}:\n{kernel}", gpu.name);
    }
}
