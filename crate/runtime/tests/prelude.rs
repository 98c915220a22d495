//! Error bounds of the functions of `shaders/prelude.wgsl` on a device. Each function runs over
//! edge cases and some hundred thousand arguments, and the test compares it with its meaning in
//! f64.

use crate::support::Gpu;
use weft_ir::DType;
use weft_ir::functions::{self, Element};
use weft_ir::kernel::{
    Array, ArrayId, BinaryOp, Builtin, Expr, ExprId, Function, Kernel, Local, LocalId, Space, Stmt,
};

/// What a function promises of its results.
enum Bound {
    /// Equal, NaN to NaN.
    Exact,
    /// Units in the last place of the exact result.
    Ulp(f64),
    /// The same, for every unit of the argument beyond the first.
    UlpOfArgument(f64),
    /// An absolute error.
    Absolute(f64),
}

/// The bounds that `shaders/prelude.wgsl` documents.
fn bound(function: Function) -> Bound {
    match function {
        Function::RemF32 | Function::U32ToF32 => Bound::Ulp(0.5),
        Function::FloorDivF32 => Bound::Ulp(1.0),
        Function::Log => Bound::Ulp(1.0),
        Function::Exp => Bound::Ulp(1.5),
        Function::ExpBelow => Bound::UlpOfArgument(3.0),
        Function::Rsqrt | Function::Erf => Bound::Ulp(2.0),
        Function::Tanh | Function::PowF32 | Function::DivF32 => Bound::Ulp(3.0),
        Function::ErfInv => Bound::Ulp(4.0),
        Function::Sigmoid => Bound::Ulp(5.0),
        Function::NormalCdf => Bound::Ulp(6.0),
        Function::Sin | Function::Cos => Bound::Absolute(1.5e-7),
        _ => Bound::Exact,
    }
}

const EDGES: [f32; 40] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    -2.0,
    3.0,
    -3.0,
    0.1,
    1.0 + f32::EPSILON,
    1.0 - f32::EPSILON / 2.0,
    -1.0 + f32::EPSILON / 2.0,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    f32::MAX,
    f32::MIN,
    f32::MIN_POSITIVE,
    -f32::MIN_POSITIVE,
    16_777_215.0,
    16_777_216.0,
    -16_777_217.0,
    2_147_483_520.0,
    2_147_483_648.0,
    -2_147_483_648.0,
    -2_147_483_904.0,
    4_294_967_040.0,
    4_294_967_296.0,
    88.72283,
    88.72284,
    -87.336_54,
    -87.336_55,
    -103.9,
    1e-20,
    -1e-20,
    std::f32::consts::PI,
    1e6,
    1e10,
];

/// A xorshift generator: the tests' arguments are the same everywhere.
struct Bits(u64);

impl Bits {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as u32
    }

    /// Uniform in `low..high`.
    fn between(&mut self, low: f64, high: f64) -> f32 {
        (low + (high - low) * f64::from(self.next()) / 2f64.powi(32)) as f32
    }
}

fn is_subnormal(bits: u32) -> bool {
    f32::from_bits(bits).is_subnormal()
}

/// Arguments of a function of one float: the edges, all magnitudes, and the stretch where most of
/// its work is.
fn float_arguments(function: Function) -> Vec<u32> {
    let mut words: Vec<u32> = EDGES.map(f32::to_bits).into();
    words.extend((0..=u32::MAX).step_by(16_411).filter(|&w| !is_subnormal(w)));
    let (low, high) = match function {
        Function::Exp => (-90.0, 90.0),
        Function::ExpBelow => (-90.0, 0.0),
        Function::Log | Function::Rsqrt => (0.0, 4.0),
        Function::Sin | Function::Cos => (-4096.0, 4096.0),
        Function::ErfInv => (-1.0, 1.0),
        Function::Sigmoid => (-90.0, 90.0),
        Function::NormalCdf => (-14.0, 6.0),
        _ => (-10.0, 10.0),
    };
    let mut bits = Bits(0x9e37_79b9_7f4a_7c15);
    words.extend((0..200_000).map(|_| bits.between(low, high).to_bits()));
    if function == Function::ExpBelow {
        words.retain(|&word| f32::from_bits(word) <= 0.0);
    }
    if matches!(function, Function::Sin | Function::Cos) {
        words.extend((0..100_000).map(|_| bits.between(-10.0, 10.0).to_bits()));
        words.extend((0..100_000).map(|_| bits.between(-1e6, 1e6).to_bits()));
    }
    if function == Function::ErfInv {
        // The tail, where 1 − |x| is small.
        words.extend((0..50_000).map(|_| (1.0 - 2f32.powf(bits.between(-24.0, -1.0))).to_bits()));
    }
    words
}

/// Pairs of arguments of a function of two.
fn pair_arguments(function: Function) -> (Vec<u32>, Vec<u32>) {
    let edges: Vec<u32> = match function.signature().0[0] {
        DType::F32 => EDGES.map(f32::to_bits).into(),
        _ => {
            vec![0, 1, 2, 3, 7, 31, 32, 1 << 31, (1 << 31) - 1, u32::MAX, u32::MAX - 1, u32::MAX - 6, 65_536]
        }
    };
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    pairs.extend(edges.iter().flat_map(|&a| edges.iter().map(move |&b| (a, b))));
    let mut bits = Bits(0x2545_f491_4f6c_dd1d);
    for _ in 0..200_000 {
        pairs.push((bits.next(), bits.next()));
    }
    for _ in 0..200_000 {
        pairs.push(match function {
            Function::PowF32 => {
                // Results of every size from every base.
                let base = 2f32.powf(bits.between(-126.0, 127.9));
                let exponent = f64::from(bits.between(-126.0, 127.9)) / f64::from(base).log2();
                (base.to_bits(), (exponent as f32).to_bits())
            }
            Function::RemF32 | Function::FloorDivF32 => {
                let divisor = bits.between(-10.0, 10.0);
                (bits.between(-1e6, 1e6).to_bits(), divisor.to_bits())
            }
            Function::PowI32 | Function::PowU32 => (bits.next() % 41, bits.next() % 16),
            _ => (bits.next(), bits.next() % 1000),
        });
    }
    for _ in 0..50_000 {
        if function == Function::PowF32 {
            let exponent = (bits.next() % 17) as f32 - 8.0;
            pairs.push((bits.between(-4.0, 4.0).to_bits(), exponent.to_bits()));
            pairs.push((bits.between(0.99, 1.01).to_bits(), bits.between(-9000.0, 9000.0).to_bits()));
        }
    }
    if function.signature().0[0] == DType::F32 {
        pairs.retain(|&(a, b)| !is_subnormal(a) && !is_subnormal(b));
    }
    pairs.into_iter().unzip()
}

/// The kernel that applies `function` to every element.
fn kernel(function: Function) -> Kernel {
    let (takes, yields) = function.signature();
    let mut kernel = Kernel { name: format!("{function:?}"), workgroup: [64, 1, 1], ..Kernel::default() };
    let push = |kernel: &mut Kernel, expr| {
        kernel.exprs.push(expr);
        ExprId(kernel.exprs.len() as u32 - 1)
    };
    let group = push(&mut kernel, Expr::Builtin(Builtin::WorkgroupId(0)));
    let size = push(&mut kernel, Expr::Literal(weft_ir::Literal::U32(64)));
    let first = push(&mut kernel, Expr::Binary(BinaryOp::Mul, group, size));
    let offset = push(&mut kernel, Expr::Builtin(Builtin::LocalIndex));
    let index = push(&mut kernel, Expr::Binary(BinaryOp::Add, first, offset));
    kernel.locals.push(Local { name: "i".to_owned(), ty: DType::U32.into() });
    let i = push(&mut kernel, Expr::Local(LocalId(0)));
    let mut arguments = Vec::new();
    for (n, &dtype) in takes.iter().enumerate() {
        let name = ["a", "b"][n].to_owned();
        kernel.arrays.push(Array { name, ty: dtype.into(), space: Space::Read });
        arguments.push(push(&mut kernel, Expr::Load(ArrayId(n as u32), i)));
    }
    let stored = if yields == DType::Bool { DType::U32 } else { yields };
    kernel.arrays.push(Array { name: "out".to_owned(), ty: stored.into(), space: Space::ReadWrite });
    let mut value = push(&mut kernel, Expr::Call(function, arguments));
    if yields == DType::Bool {
        value = push(&mut kernel, Expr::Cast(DType::U32, value));
    }
    kernel.body = vec![Stmt::Let(LocalId(0), index), Stmt::Store(ArrayId(takes.len() as u32), i, value)];
    kernel
}

/// The spacing of f32 at the magnitude of `x`.
fn ulp(x: f64) -> f64 {
    let exponent = x.abs().log2().floor().clamp(-126.0, 127.0);
    2f64.powf(exponent - 23.0)
}

/// How far `got` is from `want` in the bound's unit; infinite where it is wrong in kind.
fn error(bound: &Bound, got: f32, want: f64, argument: f64) -> f64 {
    let smallest = f64::from(f32::MIN_POSITIVE);
    if want.is_nan() || got.is_nan() {
        return if want.is_nan() && got.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if got.is_infinite() || want.is_infinite() {
        let overflows = want.abs() >= f64::from(f32::MAX) && got.is_sign_negative() == (want < 0.0);
        return if overflows && (want as f32 == got || want.is_finite()) { 0.0 } else { f64::INFINITY };
    }
    let difference = (f64::from(got) - want).abs();
    if want.abs() < 16.0 * smallest && difference <= smallest {
        return 0.0;
    }
    match bound {
        Bound::Absolute(_) => difference,
        Bound::UlpOfArgument(_) => difference / ulp(want) / (1.0 + argument.abs()),
        _ => difference / ulp(want),
    }
}

/// Runs a function over its arguments; what is wrong with the worst result, if it breaks the bound.
fn check(gpu: &Gpu, function: Function) -> Option<String> {
    let (takes, yields) = function.signature();
    let mut inputs = match takes {
        [DType::F32] => vec![float_arguments(function)],
        [_] => {
            let every = (0..=u32::MAX).step_by(16_411);
            vec![EDGES.map(f32::to_bits).into_iter().chain(every).collect()]
        }
        _ => {
            let (a, b) = pair_arguments(function);
            vec![a, b]
        }
    };
    let length = inputs[0].len().next_multiple_of(64);
    for input in &mut inputs {
        input.resize(length, 0x3f80_0000);
    }
    let mut buffers = inputs.clone();
    buffers.push(vec![0; length]);
    gpu.run(&kernel(function), &mut buffers, &[], [length as u32 / 64, 1, 1]);

    let bound = bound(function);
    let limit = match bound {
        Bound::Exact => 0.0,
        Bound::Ulp(limit) | Bound::UlpOfArgument(limit) | Bound::Absolute(limit) => limit,
    };
    let mut worst = (0.0, String::new());
    for (i, &got) in buffers[takes.len()].iter().enumerate() {
        let arguments: Vec<Element<f64>> = inputs
            .iter()
            .zip(takes)
            .map(|(words, &dtype)| Element::from_literal(weft_ir::Literal::from_bits(dtype, words[i])))
            .collect();
        let want = functions::call(function, &arguments);
        let off = match want {
            Element::F32(want) => {
                error(&bound, f32::from_bits(got), want, f64::from(f32::from_bits(inputs[0][i])))
            }
            other if other.to_literal().bits() == got => 0.0,
            _ => f64::INFINITY,
        };
        if off > worst.0 {
            let got = weft_ir::Literal::from_bits(yields, got);
            worst = (off, format!("{arguments:?} gives {got:?}, not {want:?}"));
        }
    }
    println!("{function:?}: {:.3e} of {limit:.3e} on {} values: {}", worst.0, length, worst.1);
    (worst.0 > limit).then(|| format!("{function:?} is {:.3e} off, not {limit}: {}", worst.0, worst.1))
}

#[test]
fn every_function_keeps_its_bound() {
    let gpu = Gpu::open();
    let broken: Vec<String> = Function::ALL.into_iter().filter_map(|f| check(&gpu, f)).collect();
    assert!(broken.is_empty(), "on {}:\n{}", gpu.name, broken.join("\n"));
}

/// SwiftShader compiles a loop that inlines n branches in 2ⁿ steps, where they join as those of
/// `if` and `&&` do.
#[test]
fn every_function_may_stand_many_times_in_a_loop() {
    let gpu = Gpu::open();
    for function in Function::ALL {
        let takes = function.signature().0;
        let run = |kernel: &Kernel| {
            let ones = takes.iter().map(|&dtype| vec![weft_ir::Literal::one(dtype).bits(); 64]);
            let mut buffers: Vec<Vec<u32>> = ones.chain([vec![u32::MAX; 64]]).collect();
            gpu.run(kernel, &mut buffers, &[], [1, 1, 1]);
            buffers.pop()
        };
        let mut kernel = kernel(function);
        let once = run(&kernel);
        let store = kernel.body.pop().expect("it stores a value");
        let counter = LocalId(kernel.locals.len() as u32);
        kernel.locals.push(Local { name: "turn".to_owned(), ty: DType::I32.into() });
        let [from, to] = [0, 2].map(|bound| {
            kernel.exprs.push(Expr::Literal(weft_ir::Literal::I32(bound)));
            ExprId(kernel.exprs.len() as u32 - 1)
        });
        kernel.body.push(Stmt::For { counter, from, to, step: 1, body: vec![store; 40] });
        assert_eq!(run(&kernel), once, "{function:?}");
    }
}
