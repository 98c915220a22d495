//! Snapshots of printed kernels. Each is well formed, accepted by naga, and equal to its snapshot
//! in `tests/snapshots`. Rewrite them with `UPDATE_SNAPSHOTS=1 cargo test --workspace --test wgsl`,
//! and read the difference.

use std::path::Path;
use weft_compile::lower::builder::KernelBuilder;
use weft_compile::target::wgsl::{Dialect, prelude, print};
use weft_ir::kernel::verify::verify;
use weft_ir::kernel::{
    AtomicOp, BinaryOp, Builtin, Expr, ExprId, Function, Kernel, Space, Stmt, SubgroupOp, Type, UnaryOp,
};
use weft_ir::{DType, Literal};

/// Compares `text` with the file, or writes the file when asked to.
fn snapshot(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots").join(name);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder can be made");
        std::fs::write(&path, text).expect("the snapshot can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(text == expected, "{name} changed; it is now:\n{text}");
}

/// naga's parser and validator accept the source.
fn naga_accepts(source: &str) {
    let module = naga::front::wgsl::parse_str(source)
        .unwrap_or_else(|error| panic!("{}\n{source}", error.emit_to_string(source)));
    let flags = naga::valid::ValidationFlags::all();
    let capabilities = naga::valid::Capabilities::SUBGROUP;
    naga::valid::Validator::new(flags, capabilities)
        .subgroup_stages(naga::valid::ShaderStages::COMPUTE)
        .subgroup_operations(naga::valid::SubgroupOperationSet::all())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{}\n{source}", error.emit_to_string(source)));
}

fn check(name: &str, kernel: &Kernel) {
    if let Err(error) = verify(kernel) {
        panic!("{error}\n{kernel}");
    }
    naga_accepts(&print(kernel, Dialect::Naga));
    snapshot(&format!("{name}.wgsl"), &print(kernel, Dialect::Browser));
    snapshot(&format!("{name}.kernel"), &kernel.to_string());
}

/// Sugar that only these kernels need.
trait Write {
    fn i32(&mut self, x: i32) -> ExprId;
    fn f32(&mut self, x: f32) -> ExprId;
}

impl Write for KernelBuilder {
    fn i32(&mut self, x: i32) -> ExprId {
        self.literal(Literal::I32(x))
    }
    fn f32(&mut self, x: f32) -> ExprId {
        self.literal(Literal::F32(x))
    }
}

#[test]
fn naga_accepts_the_whole_prelude_and_each_function_alone() {
    naga_accepts(prelude::SOURCE);
    for function in Function::ALL {
        let needed = prelude::Prelude::get().with_dependencies(&[function.name()]);
        let texts: Vec<&str> = needed.iter().map(|item| item.text).collect();
        naga_accepts(&texts.join("\n"));
    }
}

#[test]
fn elementwise_with_scalars_and_edges() {
    let mut b = KernelBuilder::new();
    let x = b.array("x", DType::F32, Space::Read);
    let y = b.array("y", DType::F32, Space::ReadWrite);
    let (slope, count) = (b.uniform(DType::F32), b.uniform(DType::I32));
    let group = b.builtin_i32(Builtin::WorkgroupId(0));
    let local = b.builtin_i32(Builtin::LocalIndex);
    let width = b.i32(64);
    let first = b.binary(BinaryOp::Mul, group, width);
    let index = b.binary(BinaryOp::Add, first, local);
    let i = b.bind("i", index);
    let (slope, count) = (b.expr(Expr::Uniform(slope)), b.expr(Expr::Uniform(count)));
    let inside = b.binary(BinaryOp::Lt, i, count);
    b.open();
    let load = b.expr(Expr::Load(x, i));
    let value = b.bind("value", load);
    let (zero, infinity) = (b.f32(0.0), b.f32(f32::INFINITY));
    let scaled = b.binary(BinaryOp::Mul, value, slope);
    let negative = b.binary(BinaryOp::Lt, value, zero);
    let leaky = b.select(negative, scaled, value);
    let bounded = b.call(Function::MinF32, &[leaky, infinity]);
    let result = b.call(Function::Tanh, &[bounded]);
    b.push(Stmt::Store(y, i, result));
    b.close_if(inside);
    check("elementwise", &b.finish("leaky tanh".to_owned(), [64, 1, 1]));
}

#[test]
fn a_row_per_workgroup_sums_through_workgroup_memory() {
    let mut b = KernelBuilder::new();
    let x = b.array("x", DType::F32, Space::Read);
    let total = b.array("total", DType::F32, Space::ReadWrite);
    let partial = b.array("partial", DType::F32, Space::Workgroup(64));
    let row = b.builtin_i32(Builtin::WorkgroupId(0));
    let local = b.builtin_i32(Builtin::LocalIndex);
    let (lane, zero) = (b.bind("lane", local), b.f32(0.0));
    let sum = b.var("sum", zero);
    let (k, count) = b.counter("k", 1000);
    b.open();
    let length = b.i32(1000);
    let start = b.binary(BinaryOp::Mul, row, length);
    let place = b.binary(BinaryOp::Add, start, count);
    let (value, before) = (b.expr(Expr::Load(x, place)), b.read(sum));
    let more = b.binary(BinaryOp::Add, before, value);
    b.push(Stmt::Assign(sum, more));
    b.close_for(k, lane, length, 64);
    let sum = b.read(sum);
    b.push(Stmt::Store(partial, lane, sum));
    b.push(Stmt::Barrier);
    for stride in [32, 16, 8, 4, 2, 1] {
        let stride = b.i32(stride);
        let takes_part = b.binary(BinaryOp::Lt, lane, stride);
        b.open();
        let partner = b.binary(BinaryOp::Add, lane, stride);
        let (mine, other) = (b.expr(Expr::Load(partial, lane)), b.expr(Expr::Load(partial, partner)));
        let both = b.binary(BinaryOp::Add, mine, other);
        b.push(Stmt::Store(partial, lane, both));
        b.close_if(takes_part);
        b.push(Stmt::Barrier);
    }
    let zero = b.i32(0);
    let is_first = b.binary(BinaryOp::Eq, lane, zero);
    b.open();
    let sum = b.expr(Expr::Load(partial, zero));
    b.push(Stmt::Store(total, row, sum));
    b.close_if(is_first);
    check("row_sum", &b.finish("sum of rows".to_owned(), [64, 1, 1]));
}

#[test]
fn subgroups_vectors_and_private_memory() {
    let mut b = KernelBuilder::new();
    let quad = Type { scalar: DType::F32, lanes: 4 };
    let x = b.array("x", quad, Space::Read);
    let out = b.array("out", DType::F32, Space::ReadWrite);
    let kept = b.array("kept", quad, Space::Private(2));
    let index = b.expr(Expr::Builtin(Builtin::LocalIndex));
    let loaded = b.expr(Expr::Load(x, index));
    let v = b.bind("v", loaded);
    let half = b.f32(0.5);
    let halves = b.expr(Expr::Splat(4, half));
    let product = b.binary(BinaryOp::Mul, v, halves);
    let (zero, one) = (b.i32(0), b.i32(1));
    b.push(Stmt::Store(kept, one, product));
    let again = b.expr(Expr::Load(kept, one));
    let lanes: Vec<ExprId> = (0..4).map(|lane| b.expr(Expr::Component(again, lane))).collect();
    let sum = lanes.into_iter().reduce(|a, c| b.binary(BinaryOp::Add, a, c)).expect("four lanes");
    let sum = b.bind("sum", sum);
    let all = b.expr(Expr::Subgroup(SubgroupOp::Add, sum));
    let all = b.bind("all", all);
    let member = b.expr(Expr::Builtin(Builtin::SubgroupInvocation));
    let member = b.cast(DType::I32, member);
    let is_first = b.binary(BinaryOp::Eq, member, zero);
    b.open();
    b.push(Stmt::Store(out, index, all));
    b.close_if(is_first);
    check("subgroups", &b.finish("sums over subgroups".to_owned(), [32, 1, 1]));
}

#[test]
fn atomics_loops_and_jumps() {
    let mut b = KernelBuilder::new();
    let keys = b.array("keys", DType::U32, Space::Read);
    let counts = b.array("counts", DType::I32, Space::Atomic);
    let zero = b.i32(0);
    let i = b.var("i", zero);
    let at = b.read(i);
    let yes = b.literal(Literal::Bool(true));
    b.open();
    let (hundred, one) = (b.i32(100), b.i32(1));
    let done = b.binary(BinaryOp::Ge, at, hundred);
    b.open();
    b.push(Stmt::Break);
    b.close_if(done);
    let key = b.expr(Expr::Load(keys, at));
    let key = b.bind("key", key);
    let next = b.binary(BinaryOp::Add, at, one);
    b.push(Stmt::Assign(i, next));
    let mask = b.literal(Literal::U32(0xff));
    let eight = b.literal(Literal::U32(8));
    let high = b.binary(BinaryOp::Shr, key, eight);
    let low = b.binary(BinaryOp::And, high, mask);
    let empty = b.binary(BinaryOp::Eq, low, mask);
    let even = b.binary(BinaryOp::Lt, low, eight);
    let not_even = b.unary(UnaryOp::Not, even);
    let both = b.binary(BinaryOp::And, empty, not_even);
    b.open();
    let before = b.exchange("before", AtomicOp::Max, counts, low, at);
    b.push(Stmt::Assign(i, before));
    let most = b.close();
    b.push(Stmt::If(
        both,
        vec![Stmt::Continue],
        vec![Stmt::If(
            even,
            vec![Stmt::Atomic { op: AtomicOp::Add, array: counts, index: low, value: one, before: None }],
            most,
        )],
    ));
    let body = b.close();
    b.push(Stmt::While(yes, body));
    check("histogram", &b.finish("histogram of the second byte".to_owned(), [1, 1, 1]));
}

#[test]
fn atomics_in_workgroup_memory() {
    let mut b = KernelBuilder::new();
    let counts = b.array("counts", DType::U32, Space::Atomic);
    let own = b.array("own", DType::U32, Space::WorkgroupAtomic(64));
    let lane = b.builtin_i32(Builtin::LocalIndex);
    let all = b.literal(Literal::U32(u32::MAX));
    b.push(Stmt::Store(own, lane, all));
    b.push(Stmt::Barrier);
    let two = b.i32(2);
    let place = b.binary(BinaryOp::Div, lane, two);
    let value = b.cast(DType::U32, lane);
    b.push(Stmt::Atomic { op: AtomicOp::Min, array: own, index: place, value, before: None });
    b.push(Stmt::Barrier);
    let least = b.expr(Expr::Load(own, lane));
    b.push(Stmt::Atomic { op: AtomicOp::Min, array: counts, index: lane, value: least, before: None });
    check("workgroup_atomics", &b.finish("least of two".to_owned(), [64, 1, 1]));
}
