//! Users' kernels whose arrays become vectors or variables, on the kernel interpreter.

use crate::common::kernels::{run, same, words};
use crate::common::programs::{Random, random_inputs};
use crate::common::rotation;
use crate::common::user_kernels::program_of;
use std::rc::Rc;
use weft_compile::device::GPU;
use weft_compile::plan::executable::Executable;
use weft_compile::{Limits, compile};
use weft_ir::kernel::Space;
use weft_ir::op::{Binary, KernelCall};
use weft_ir::user_kernel::verify::verify;
use weft_ir::user_kernel::{
    ArrayId, Combine, Coordinate, Edge, Expr, ExprId, LocalId, OutputId, Stmt, TensorId, UserKernel,
};
use weft_ir::{DType, Literal, Shape, interpret};

/// Invocations of a workgroup, and workgroups.
const SIDE: usize = 8;
const GROUPS: usize = 3;

/// What becomes of a kernel of [`tiles`]: neighbours that each invocation reads, stores in shared
/// memory, reads there of others, and stores.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// How many neighbours.
    width: usize,
    /// How far beyond a multiple of that the first is read, is in shared memory, and is stored.
    from: usize,
    within: usize,
    to: usize,
    /// Rows of shared memory are that much longer than what is stored there.
    padding: usize,
    /// Whether the last neighbour is stored first.
    backwards: bool,
    /// Whether a variable of the loop is named before it is multiplied.
    named: bool,
    /// Whether the second half of what is stored depends on a branch.
    branches: bool,
    dtype: DType,
}

impl Way {
    fn random(seed: u64) -> Way {
        let mut random = Random::new(seed);
        let mut odd = || usize::from(random.below(5) == 0);
        let (from, within, to) = (odd(), odd(), odd());
        Way {
            width: [2, 4, 4, 8, 3][random.below(5)],
            from,
            within,
            to,
            padding: [0, 0, 2, 4, 1][random.below(5)],
            backwards: random.below(3) == 0,
            named: random.below(2) == 0,
            branches: random.below(6) == 0,
            dtype: [DType::F32, DType::I32, DType::U32, DType::Bool][random.below(4)],
        }
    }
}

struct Writer {
    kernel: UserKernel,
}

impl Writer {
    fn whole(&mut self, value: usize) -> ExprId {
        self.kernel.literal(Literal::I32(value as i32))
    }

    fn add(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.kernel.binary(Binary::Add, a, b)
    }

    fn times(&mut self, a: ExprId, by: usize) -> ExprId {
        let by = self.whole(by);
        self.kernel.binary(Binary::Mul, a, by)
    }

    /// A loop over `0..count`.
    fn each(&mut self, count: usize, body: impl FnOnce(&mut Writer, ExprId) -> Vec<Stmt>) -> Stmt {
        let counter: LocalId = self.kernel.local("n", DType::I32);
        let (from, to) = (self.whole(0), self.whole(count));
        let n = self.kernel.read(counter);
        let body = body(self, n);
        Stmt::For { counter, from, to, step: 1, body }
    }

    fn element(&mut self, array: ArrayId, index: ExprId) -> ExprId {
        self.kernel.expr(Expr::Element(array, index))
    }
}

/// The kernel.
fn tiles(way: Way) -> (KernelCall, Vec<Shape>) {
    let Way { width, from, within, to, padding, backwards, named, branches, dtype } = way;
    let mut w = Writer { kernel: UserKernel::new("tiles", 1) };
    w.kernel.workgroup = Some([SIDE as u32, 1, 1]);
    let x: TensorId = w.kernel.tensor("x", dtype, 2);
    let out: OutputId = w.kernel.output("out", dtype, 2, Combine::Set);
    let row = width + padding;
    let tile = w.kernel.array("tile", dtype, (SIDE * row + within) as u32, true);
    let own = w.kernel.array("own", dtype, width as u32, false);
    let sums = w.kernel.array("sums", dtype, width as u32, false);
    let i = w.kernel.index(0);
    let lane = w.kernel.expr(Expr::Index(Coordinate::Local, 0));
    let zero = w.whole(0);

    let read = w.each(width, |w, n| {
        let (at, by) = (w.times(zero, 1), w.whole(from));
        let place = w.add(n, by);
        let place = w.add(place, at);
        let value = w.kernel.load(x, &[i, place], Edge::Clamp);
        vec![Stmt::SetElement(own, n, value)]
    });
    let put = w.each(width, |w, n| {
        let last = w.whole(width - 1);
        let n = if backwards { w.kernel.binary(Binary::Sub, last, n) } else { n };
        let (before, by) = (w.times(lane, row), w.whole(within));
        let at = w.add(before, n);
        let at = w.add(at, by);
        let value = w.element(own, n);
        vec![Stmt::SetElement(tile, at, value)]
    });
    let gather = w.each(SIDE, |w, k| {
        let start = w.kernel.local("start", DType::I32);
        let (next, side) = (w.add(lane, k), w.whole(SIDE));
        let next = w.kernel.binary(Binary::Rem, next, side);
        let (before, by) = (w.times(next, row), w.whole(within));
        let before = w.add(before, by);
        let read_start = w.kernel.read(start);
        let add = w.each(width, |w, n| {
            let at = if named { w.add(read_start, n) } else { w.add(before, n) };
            let (sum, value) = (w.element(sums, n), w.element(tile, at));
            let op = if dtype == DType::Bool { Binary::Xor } else { Binary::Add };
            let next = w.kernel.binary(op, sum, value);
            vec![Stmt::SetElement(sums, n, next)]
        });
        vec![Stmt::Let(start, before), add]
    });
    let store = w.each(width, |w, n| {
        let by = w.whole(to);
        let (at, value) = (w.add(n, by), w.element(sums, n));
        let store = Stmt::Store { output: out, indices: vec![i, at], value, before: None };
        if !branches {
            return vec![store];
        }
        let (half, three) = (w.whole(width / 2), w.whole(3));
        let (low, few) = (
            w.kernel.compare(weft_ir::op::Compare::Lt, n, half),
            w.kernel.compare(weft_ir::op::Compare::Lt, lane, three),
        );
        let either = w.kernel.binary(Binary::Or, low, few);
        vec![Stmt::If(either, vec![store], Vec::new())]
    });
    // What is read twice is loaded once, and again after it was written.
    w.kernel.body = vec![read, put, Stmt::Barrier, gather, Stmt::Barrier, store];
    let (rows, columns) = (SIDE * GROUPS, width + [0, 4][width % 2] + 4 * from);
    let shapes = vec![[rows, width + 4 * to].into()];
    let call = KernelCall { kernel: Rc::new(w.kernel), grid: [rows].into(), shapes };
    (call, vec![[rows, columns].into()])
}

/// Asserts that a kernel computes what it means, and gives what it was compiled to.
fn compiled(way: Way, seed: u64) -> Executable {
    let (call, shapes) = tiles(way);
    verify(&call.kernel).unwrap_or_else(|error| panic!("{way:?}: {error}\n{}", call.kernel));
    let program = program_of(&call, &shapes);
    let (buffers, scalars) = random_inputs(&program, seed, true);
    let expected = interpret::run::<f32>(&program, &buffers, &scalars).unwrap();
    let executable = compile(&program, &Limits { model: &GPU, ..Limits::floor() }, &[]).unwrap();
    let got = run(&executable, &words(&buffers), &scalars);
    for (got, expected) in got.iter().zip(&expected) {
        let kernels: Vec<String> = executable.kernels.iter().map(ToString::to_string).collect();
        let expects = expected.to_bits();
        assert!(
            same(got, expected),
            "{way:?}: {got:?} expected {expects:?}\n{}\n{}",
            call.kernel,
            kernels.join("\n")
        );
    }
    executable
}

/// The lanes of the input, the output and the shared array, and how many local arrays are left.
fn lanes(executable: &Executable) -> [usize; 4] {
    let mut found = [0; 4];
    for kernel in &executable.kernels {
        for array in &kernel.arrays {
            match array.space {
                Space::Read => found[0] = array.ty.lanes.into(),
                Space::ReadWrite => found[1] = array.ty.lanes.into(),
                Space::Workgroup(_) => found[2] = array.ty.lanes.into(),
                _ => {}
            }
        }
        let text = weft_compile::target::wgsl::print(kernel, weft_compile::target::wgsl::Dialect::Naga);
        found[3] += text.lines().filter(|line| line.trim_start().starts_with("var own: array")).count();
    }
    found
}

#[test]
fn neighbours_are_read_and_stored_as_vectors() {
    let even = Way {
        width: 4,
        from: 0,
        within: 0,
        to: 0,
        padding: 0,
        backwards: false,
        named: false,
        branches: false,
        dtype: DType::F32,
    };
    let found = |way| lanes(&compiled(way, 1));
    assert_eq!(found(even), [4, 4, 4, 0]);
    assert_eq!(found(Way { width: 8, padding: 4, named: true, ..even }), [4, 4, 4, 0]);
    assert_eq!(found(Way { backwards: true, dtype: DType::Bool, ..even }), [4, 4, 4, 0]);
    assert_eq!(found(Way { padding: 2, ..even }), [4, 4, 2, 0]);
    assert_eq!(found(Way { width: 2, ..even }), [2, 2, 2, 0]);
    // Four neighbours that do not begin at a multiple lie in two vectors, which are two reads less.
    assert_eq!(found(Way { from: 1, ..even }), [4, 4, 4, 0]);
    // What is stored so, and rows that are no multiple long, stay as they are.
    assert_eq!(found(Way { width: 3, ..even }), [1, 1, 1, 0]);
    assert_eq!(found(Way { within: 1, ..even })[..3], [4, 4, 1]);
    assert_eq!(found(Way { branches: true, ..even })[..2], [4, 1]);
}

#[test]
fn random_kernels_compute_what_they_mean() {
    for seed in rotation::seeds(70_000, 60) {
        compiled(Way::random(seed), seed);
    }
}
