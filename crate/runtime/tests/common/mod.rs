//! Kernels written by hand and a device to run them on. Without a device the tests fail.
#![allow(dead_code, reason = "each test file uses a part")]

use weft_compile::{Dispatch, Executable, Slot};
use weft_ir::DType;
use weft_ir::graph::ValueId;
use weft_ir::kernel::*;
use weft_runtime::{OpenOptions, Runtime};

pub use pollster::block_on;

/// A device. Fails the test when there is none: install a Vulkan driver, such as Mesa's lavapipe.
pub fn open() -> Runtime {
    open_with(OpenOptions::default())
}

pub fn open_with(options: OpenOptions) -> Runtime {
    block_on(Runtime::open(options)).expect("these tests need a GPU, or a software driver such as lavapipe")
}

/// A kernel of one workgroup of 64 along x per 64 elements, for elementwise bodies over arrays of
/// `N` f32.
pub struct Elementwise {
    pub kernel: Kernel,
    index: ExprId,
    length: u32,
}

impl Elementwise {
    /// `reads` input arrays, then one output.
    pub fn new(name: &str, reads: usize, length: u32) -> Elementwise {
        let array = |name: String, space| Array { name, ty: DType::F32.into(), space };
        let mut arrays: Vec<Array> = (0..reads).map(|n| array(format!("in{n}"), Space::Read)).collect();
        arrays.push(array("out".into(), Space::ReadWrite));
        let mut kernel = Kernel { name: name.into(), workgroup: [64, 1, 1], arrays, ..Kernel::default() };
        kernel.locals.push(Local { name: "i".into(), ty: DType::U32.into() });
        let mut this = Elementwise { kernel, index: ExprId(0), length };
        let group = this.expr(Expr::Builtin(Builtin::WorkgroupId(0)));
        let local = this.expr(Expr::Builtin(Builtin::LocalId(0)));
        let width = this.expr(Expr::Literal(weft_ir::Literal::U32(64)));
        let start = this.expr(Expr::Binary(BinaryOp::Mul, group, width));
        let index = this.expr(Expr::Binary(BinaryOp::Add, start, local));
        this.kernel.body.push(Stmt::Let(LocalId(0), index));
        this.index = this.expr(Expr::Local(LocalId(0)));
        this
    }

    pub fn expr(&mut self, expr: Expr) -> ExprId {
        self.kernel.exprs.push(expr);
        ExprId(self.kernel.exprs.len() as u32 - 1)
    }

    pub fn literal(&mut self, value: f32) -> ExprId {
        self.expr(Expr::Literal(weft_ir::Literal::F32(value)))
    }

    /// This invocation's element of array n.
    pub fn load(&mut self, n: u32) -> ExprId {
        let index = self.index;
        self.expr(Expr::Load(ArrayId(n), index))
    }

    pub fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        self.expr(Expr::Binary(op, a, b))
    }

    /// The next run-time scalar.
    pub fn uniform(&mut self) -> ExprId {
        self.kernel.uniforms.push(DType::F32);
        let n = self.kernel.uniforms.len() as u32 - 1;
        self.expr(Expr::Uniform(n))
    }

    /// Stores `value` to the last array, inside its bounds.
    pub fn store(mut self, value: ExprId) -> Kernel {
        let length = self.length;
        let length = self.expr(Expr::Literal(weft_ir::Literal::U32(length)));
        let inside = self.expr(Expr::Binary(BinaryOp::Lt, self.index, length));
        let out = ArrayId(self.kernel.arrays.len() as u32 - 1);
        self.kernel.body.push(Stmt::If(inside, vec![Stmt::Store(out, self.index, value)], vec![]));
        self.kernel
    }
}

/// out = in0 + in1
pub fn add(length: u32) -> Kernel {
    let mut k = Elementwise::new("add", 2, length);
    let (a, b) = (k.load(0), k.load(1));
    let sum = k.binary(BinaryOp::Add, a, b);
    k.store(sum)
}

/// out = in0 · factor
pub fn scale(length: u32, factor: f32) -> Kernel {
    let mut k = Elementwise::new("scale", 1, length);
    let (a, b) = (k.load(0), k.literal(factor));
    let product = k.binary(BinaryOp::Mul, a, b);
    k.store(product)
}

/// out = in0 + scalar
pub fn shift(length: u32) -> Kernel {
    let mut k = Elementwise::new("shift", 1, length);
    let (a, b) = (k.load(0), k.uniform());
    let sum = k.binary(BinaryOp::Add, a, b);
    k.store(sum)
}

/// out = out · 2, in place
pub fn double_in_place(length: u32) -> Kernel {
    let mut k = Elementwise::new("double", 0, length);
    let a = k.load(0);
    let sum = k.binary(BinaryOp::Add, a, a);
    k.store(sum)
}

/// A kernel that no device takes: it adds a bool to a number.
pub fn ill_typed(name: &str) -> Kernel {
    let mut k = Elementwise::new(name, 1, 4);
    let a = k.load(0);
    let is = k.binary(BinaryOp::Lt, a, a);
    let sum = k.binary(BinaryOp::Add, a, is);
    k.store(sum)
}

/// out = the sum of 1 over the subgroup, less the subgroup's size: 0 where subgroups work.
pub fn subgroup_sum() -> Kernel {
    let mut k = Elementwise::new("subgroup", 0, 64);
    let one = k.literal(1.0);
    let sum = k.expr(Expr::Subgroup(SubgroupOp::Add, one));
    let size = k.expr(Expr::Builtin(Builtin::SubgroupSize));
    let size = k.expr(Expr::Cast(DType::F32, size));
    let difference = k.binary(BinaryOp::Sub, sum, size);
    k.kernel.locals.push(Local { name: "difference".into(), ty: DType::F32.into() });
    k.kernel.body.push(Stmt::Let(LocalId(1), difference));
    let difference = k.expr(Expr::Local(LocalId(1)));
    k.store(difference)
}

pub fn dispatch(kernel: usize, bindings: &[usize], uniforms: &[usize], length: u32) -> Dispatch {
    Dispatch {
        kernel,
        bindings: bindings.to_vec(),
        holds: vec![None; bindings.len()],
        uniforms: uniforms.iter().map(|&n| weft_compile::Uniform::Scalar(n)).collect(),
        in_pieces: false,
        workgroups: [length.div_ceil(64), 1, 1],
        counted: None,
        is_gate: false,
        cluster: (0, 0),
        choice: None,
    }
}

/// One kernel reading leaves 0.. and writing one output of `length` f32.
pub fn single(kernel: Kernel, length: u32) -> Executable {
    let storage = kernel.storage().count();
    let uniforms: Vec<usize> = (0..kernel.uniforms.len()).collect();
    let mut slots: Vec<Slot> = (0..storage - 1).map(Slot::Leaf).collect();
    slots.push(Slot::Output(u64::from(length) * 4));
    Executable {
        dispatches: vec![dispatch(0, &(0..storage).collect::<Vec<_>>(), &uniforms, length)],
        kernels: vec![kernel],
        slots,
        outputs: vec![storage - 1],
        fused: vec![],
        repeats: vec![],
    }
}

pub fn upload(runtime: &Runtime, numbers: &[f32]) -> ValueId {
    let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
    runtime.upload(&bytes).unwrap()
}

pub fn numbers(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks(4).map(|word| f32::from_le_bytes(word.try_into().unwrap())).collect()
}

pub fn read(runtime: &Runtime, value: ValueId) -> Vec<f32> {
    numbers(&block_on(runtime.read(value)).unwrap())
}

pub fn iota(length: u32) -> Vec<f32> {
    (0..length).map(|n| n as f32).collect()
}
