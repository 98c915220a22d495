//! Snapshots of every stage for a dozen programs: the canonical program, the plan and the WGSL,
//! kept as text beside this file. `UPDATE_SNAPSHOTS=1 cargo test --workspace --test stages`
//! rewrites them; read the difference before committing it.

use crate::common::user_kernels::program_of;
use crate::sketch::Sketch;
use std::cell::RefCell;
use std::path::Path;
use weft_compile::family::cheapest;
use weft_compile::target::wgsl::{Dialect, print};
use weft_compile::{Compiler, Limits, compile_for};
use weft_ir::graph::NodeId;
use weft_ir::kernel::Kernel;
use weft_ir::op::{Binary, Coefficient, Compare, KernelCall, Op, ReduceOp, ScatterOp, Unary, View};
use weft_ir::program::TensorProgram;
use weft_ir::user_kernel::{Combine, Edge, Initial, Stmt, TensorId, UserKernel};
use weft_ir::{DType, Literal};

struct Announced<'a>(&'a RefCell<Vec<Kernel>>);

impl Compiler for Announced<'_> {
    fn is_slow(&self, _: &Kernel) -> bool {
        false
    }

    fn is_sooner(&self, _: &Kernel, _: &Kernel) -> bool {
        false
    }

    fn begin(&self, kernel: &Kernel, _: Option<&Kernel>) {
        self.0.borrow_mut().push(kernel.clone());
    }
}

fn check(name: &str, build: impl FnOnce(&mut Sketch) -> Vec<NodeId>) {
    let mut sketch = Sketch::default();
    let roots = build(&mut sketch);
    check_program(name, &sketch.program(&roots));
}

fn check_program(name: &str, program: &TensorProgram) {
    let announced = RefCell::new(Vec::new());
    let executable = compile_for(program, &Limits::floor(), &[], &cheapest, &Announced(&announced)).unwrap();
    assert_eq!(announced.take(), executable.kernels, "each kernel is announced once");
    let mut text = format!("{program}\n{executable}");
    for kernel in &executable.kernels {
        // The prelude has tests of its own.
        let wgsl = print(kernel, Dialect::Naga);
        let declared = ["@group", "var<workgroup>"].into_iter().filter_map(|text| wgsl.find(text));
        let start = declared.min().unwrap_or(0);
        text += &format!("\n// {}\n{}", kernel.name, &wgsl[start..]);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stages").join(format!("{name}.txt"));
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(text == expected, "{name} changed; it is now:\n{text}");
}

#[test]
fn scale_and_shift() {
    check("scale_and_shift", |s| {
        let x = s.input([1000]);
        let two = s.number(2.0, x);
        let y = s.binary(Binary::Mul, x, two);
        let one = s.number(1.0, x);
        vec![s.binary(Binary::Add, y, one)]
    });
}

#[test]
fn softmax_of_rows_that_registers_hold() {
    check("softmax_of_rows_that_registers_hold", |s| {
        let x = s.input([1000, 200]);
        vec![s.softmax(x)]
    });
}

#[test]
fn softmax() {
    check("softmax", |s| {
        let x = s.input([128, 10]);
        vec![s.softmax(x)]
    });
}

#[test]
fn softmax_of_many_short_rows() {
    check("softmax_of_many_short_rows", |s| {
        let x = s.input([30_000, 12]);
        vec![s.softmax(x)]
    });
}

#[test]
fn sum_of_all() {
    check("sum_of_all", |s| {
        let x = s.input([1 << 20]);
        vec![s.add(Op::Reduce { op: ReduceOp::Sum, axes: vec![0] }, &[x])]
    });
}

#[test]
fn column_means() {
    check("column_means", |s| {
        let x = s.input([128, 512]);
        let sum = s.add(Op::Reduce { op: ReduceOp::Sum, axes: vec![0] }, &[x]);
        let n = s.number(1.0 / 128.0, sum);
        vec![s.binary(Binary::Mul, sum, n)]
    });
}

#[test]
fn argmax_of_rows() {
    check("argmax_of_rows", |s| {
        let x = s.input([128, 10]);
        vec![s.add(Op::Reduce { op: ReduceOp::ArgMax, axes: vec![1] }, &[x])]
    });
}

#[test]
fn layer_with_relu() {
    check("layer_with_relu", |s| {
        let (x, w, b) = (s.input([128, 784]), s.input([784, 256]), s.input([256]));
        let z = s.linear(x, w, b);
        vec![s.unary(Unary::Relu, z)]
    });
}

#[test]
fn two_layers() {
    check("two_layers", |s| {
        let (x, w, b) = (s.input([32, 64]), s.input([64, 48]), s.input([48]));
        let (v, c) = (s.input([48, 10]), s.input([10]));
        let z = s.linear(x, w, b);
        let h = s.unary(Unary::Relu, z);
        vec![s.linear(h, v, c)]
    });
}

#[test]
fn moving_slice() {
    check("moving_slice", |s| {
        let x = s.input([1000, 8]);
        let start = s.graph.add_number(Literal::I32(40));
        let view = View::Slice {
            starts: vec![Coefficient::Param { input: 1, min: 0, max: 968 }, Coefficient::Const(7)],
            steps: vec![1, -1],
            lengths: vec![32, 8],
        };
        vec![s.add(Op::View(view), &[x, start])]
    });
}

#[test]
fn padded_transpose() {
    check("padded_transpose", |s| {
        let x = s.input([5, 7]);
        let t = s.add(Op::View(View::Permute(vec![1, 0])), &[x]);
        let view = View::Pad {
            low: vec![Coefficient::Const(1), Coefficient::Const(0)],
            interior: vec![0, 1],
            shape: [9, 10].into(),
            value: Literal::F32(0.0),
        };
        vec![s.add(Op::View(view), &[t])]
    });
}

#[test]
fn one_hot_select() {
    check("one_hot_select", |s| {
        let (x, y) = (s.input([64, 10]), s.input([64, 10]));
        let iota = s.add(Op::Iota { shape: [64, 10].into(), axis: 1, dtype: DType::I32 }, &[]);
        let class = s.add(Op::Cast(DType::I32), &[y]);
        let hit = s.add(Op::Compare(Compare::Eq), &[iota, class]);
        let zero = s.number(0.0, x);
        vec![s.add(Op::Select, &[hit, x, zero])]
    });
}

#[test]
fn gather_and_scatter() {
    check("gather_and_scatter", |s| {
        let (table, updates) = (s.input([100, 16]), s.input([12, 16]));
        let places = s.input([12]);
        let position = s.add(Op::Cast(DType::U32), &[places]);
        let rows = s.add(Op::Gather { axis: 0 }, &[table, position]);
        let scattered = s.add(Op::Scatter { axis: 0, op: ScatterOp::Add }, &[table, position, updates]);
        vec![rows, scattered]
    });
}

#[test]
fn counts_of_bins() {
    check("counts_of_bins", |s| {
        let x = s.input([1 << 24]);
        let bins = s.add(Op::Cast(DType::I32), &[x]);
        let (one, zero) = (s.graph.add_number(Literal::I32(1)), s.graph.add_number(Literal::I32(0)));
        let all = |s: &mut Sketch, number, count: usize| {
            let number = s.add(Op::View(View::Reshape([1].into())), &[number]);
            s.add(Op::View(View::Expand([count].into())), &[number])
        };
        let (ones, zeros) = (all(s, one, 1 << 24), all(s, zero, 256));
        vec![s.add(Op::Scatter { axis: 0, op: ScatterOp::Add }, &[zeros, bins, ones])]
    });
}

#[test]
fn sums_of_segments() {
    check("sums_of_segments", |s| {
        let (x, segments) = (s.input([1_000_000]), s.input([1_000_000]));
        let segments = s.add(Op::Cast(DType::I32), &[segments]);
        let before = s.input([1000]);
        vec![s.add(Op::Scatter { axis: 0, op: ScatterOp::Add }, &[before, segments, x])]
    });
}

#[test]
fn distances_in_three_dimensions() {
    check("distances_in_three_dimensions", |s| {
        let x = s.input([256, 3]);
        let rows = s.add(Op::View(View::Reshape([256, 1, 3].into())), &[x]);
        let columns = s.add(Op::View(View::Reshape([1, 256, 3].into())), &[x]);
        let all = [256, 256, 3];
        let a = s.add(Op::View(View::Expand(all.into())), &[rows]);
        let b = s.add(Op::View(View::Expand(all.into())), &[columns]);
        let d = s.binary(Binary::Sub, a, b);
        let squared = s.binary(Binary::Mul, d, d);
        let r2 = s.add(Op::Reduce { op: ReduceOp::Sum, axes: vec![2] }, &[squared]);
        let inverse = s.unary(Unary::Rsqrt, r2);
        vec![s.add(Op::Reduce { op: ReduceOp::Sum, axes: vec![1] }, &[inverse])]
    });
}

#[test]
fn choice_of_what_is_compared() {
    // NaN is recognised by its bits: a compiler could make this a minimum, and lose it.
    check("choice_of_what_is_compared", |s| {
        let (x, y) = (s.input([100]), s.input([100]));
        let less = s.add(Op::Compare(Compare::Le), &[x, y]);
        vec![s.add(Op::Select, &[less, x, y])]
    });
}

#[test]
fn choices_by_one_condition() {
    // As where a condition has no name: each of the choices is a minimum or a maximum to a
    // compiler.
    check("choices_by_one_condition", |s| {
        let (x, y) = (s.input([100]), s.input([100]));
        let less = s.add(Op::Compare(Compare::Lt), &[x, y]);
        let not = s.unary(Unary::Not, less);
        let choices = [[less, x, y], [less, y, x], [not, x, y]].map(|of| s.add(Op::Select, &of));
        choices.into_iter().collect()
    });
}

/// The five-point mean of a picture whose edges meet.
fn stencil() -> UserKernel {
    let mut kernel = UserKernel::new("mean", 2);
    let x = kernel.tensor("x", DType::F32, 2);
    let out = kernel.output("out", DType::F32, 2, Combine::Set);
    let sum = kernel.local("sum", DType::F32);
    let at = [kernel.index(0), kernel.index(1)];
    let mut total = kernel.load(x, &at, Edge::Wrap);
    for (axis, by) in [(0, -1), (0, 1), (1, -1), (1, 1)] {
        let mut beside = at;
        let by = kernel.literal(Literal::I32(by));
        beside[axis] = kernel.binary(Binary::Add, at[axis], by);
        let value = kernel.load(x, &beside, Edge::Wrap);
        total = kernel.binary(Binary::Add, total, value);
    }
    let (now, fifth) = (kernel.read(sum), kernel.literal(Literal::F32(0.2)));
    let value = kernel.binary(Binary::Mul, now, fifth);
    kernel.body =
        vec![Stmt::Let(sum, total), Stmt::Store { output: out, indices: at.to_vec(), value, before: None }];
    kernel
}

#[test]
fn users_stencil() {
    let shape = || [512, 300].into();
    let call = KernelCall { kernel: stencil().into(), grid: shape(), shapes: vec![shape()] };
    check_program("users_stencil", &program_of(&call, &[shape()]));
}

/// Each of many numbers is added to the bin that another names; positive ones alone, the last of
/// them kept beside.
fn bins() -> UserKernel {
    let mut kernel = UserKernel::new("bins", 1);
    let (bin, x) = (kernel.tensor("bin", DType::I32, 1), kernel.tensor("x", DType::F32, 1));
    let sums = kernel.output("sums", DType::F32, 1, Combine::Add);
    let last = kernel.output("last", DType::I32, 1, Combine::Set);
    kernel.outputs[last.index()].initial = Initial::Value(Literal::I32(-1));
    let i = kernel.index(0);
    let (into, value) = (kernel.load(bin, &[i], Edge::Clamp), kernel.load(x, &[i], Edge::Clamp));
    let zero = kernel.literal(Literal::F32(0.0));
    let negative = kernel.compare(Compare::Le, value, zero);
    assert_eq!((bin, x), (TensorId(0), TensorId(1)));
    kernel.body = vec![
        Stmt::If(negative, vec![Stmt::Return], Vec::new()),
        Stmt::Store { output: sums, indices: vec![into], value, before: None },
        Stmt::Store { output: last, indices: vec![into], value: i, before: None },
    ];
    kernel
}

#[test]
fn users_bins() {
    let count = || [1000].into();
    let shapes = vec![[7].into(), [7].into()];
    let call = KernelCall { kernel: bins().into(), grid: count(), shapes };
    check_program("users_bins", &program_of(&call, &[count(), count()]));
}
