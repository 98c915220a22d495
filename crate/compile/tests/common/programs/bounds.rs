//! Bounds of values in a tame program: the interval of each value, and whether every order of
//! evaluation yields the same bits. The generator refuses a node without useful bounds.

use weft_ir::op::{Binary, Op, ReduceOp, Scan, ScatterOp, Unary, View};
use weft_ir::{DType, Literal, Shape};

/// Floats beyond this are not tame: absolute errors would grow past any useful tolerance.
const LARGEST: f64 = 512.0;
/// Logarithms, roots and divisors stay this far from zero.
const FAR: f64 = 0.1;

/// The interval of a node's elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// No element is below.
    pub low: f64,
    /// No element is above.
    pub high: f64,
    /// For floats that are computed without rounding: each is a multiple of 2 to the power of minus
    /// this.
    pub fraction: Option<u32>,
}

impl Bounds {
    fn new(low: f64, high: f64, fraction: Option<u32>) -> Bounds {
        Bounds { low, high, fraction }
    }

    fn rounded(low: f64, high: f64) -> Bounds {
        Bounds::new(low, high, None)
    }

    fn whole(low: f64, high: f64) -> Bounds {
        Bounds::new(low, high, Some(0))
    }

    /// The largest magnitude.
    pub fn size(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    fn union(self, other: Bounds) -> Bounds {
        let fraction = finer(self, other);
        Bounds::new(self.low.min(other.low), self.high.max(other.high), fraction)
    }

    fn contains(self, low: f64, high: f64) -> bool {
        self.low < high && self.high > low
    }

    fn product(self, other: Bounds) -> Bounds {
        let corners =
            [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high];
        let fraction = self.fraction.zip(other.fraction).map(|(a, b)| a + b);
        Bounds::new(min(&corners), max(&corners), fraction)
    }

    /// The sum of `n` values within these bounds.
    fn times(self, n: usize) -> Bounds {
        Bounds::new(self.low * n as f64, self.high * n as f64, self.fraction)
    }
}

fn finer(a: Bounds, b: Bounds) -> Option<u32> {
    a.fraction.zip(b.fraction).map(|(a, b)| a.max(b))
}

fn min(list: &[f64]) -> f64 {
    list.iter().copied().fold(f64::INFINITY, f64::min)
}

fn max(list: &[f64]) -> f64 {
    list.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// What is known of a leaf's elements.
pub fn leaf(dtype: DType) -> Bounds {
    match dtype {
        DType::F32 => Bounds::new(-1.0, 1.0, Some(3)),
        DType::I32 => Bounds::whole(-8.0, 8.0),
        DType::U32 => Bounds::whole(0.0, 8.0),
        DType::Bool => Bounds::whole(0.0, 1.0),
        // Of words that hold whole numbers of at most 8.
        DType::F16 => Bounds::new(0.0, 2f64.powi(-21), Some(24)),
        DType::I8 | DType::U8 => Bounds::whole(0.0, 8.0),
    }
}

/// Every value an integer can have.
fn all(dtype: DType) -> Bounds {
    match dtype {
        DType::U32 => Bounds::whole(0.0, f64::from(u32::MAX)),
        DType::Bool => Bounds::whole(0.0, 1.0),
        DType::I8 => Bounds::whole(-128.0, 127.0),
        DType::U8 => Bounds::whole(0.0, 255.0),
        _ => Bounds::whole(f64::from(i32::MIN), f64::from(i32::MAX)),
    }
}

/// What is known of a node's result, `None` if the node is not tame. `x` are its inputs' bounds.
pub fn after(op: &Op, facts: &[(&Shape, DType)], x: &[Bounds], dtype: DType) -> Option<Bounds> {
    let float = facts.first().is_some_and(|f| f.1 == DType::F32);
    let exact = x.iter().all(|b| b.fraction.is_some());
    let bounds = match op {
        Op::Buffer(..) | Op::Scalar(_) => leaf(dtype),
        Op::Constant(literal) => constant(*literal)?,
        Op::Iota { shape, axis, .. } => Bounds::whole(0.0, shape[*axis] as f64),
        Op::Unary(u) if float => unary(*u, x[0])?,
        Op::Unary(u) => integer_unary(*u, x[0], dtype),
        Op::Binary(b) if float => binary(*b, x[0], x[1])?,
        Op::Binary(b) => integer_binary(*b, x[0], x[1], dtype),
        Op::Compare(_) if exact => Bounds::whole(0.0, 1.0),
        Op::Compare(_) => return None,
        Op::Select => x[1].union(x[2]),
        Op::Cast(to) => cast(facts[0].1, *to, x[0])?,
        Op::Bitcast(to) if to.is_integer() && !float => all(*to),
        Op::Bitcast(_) => return None,
        Op::Reduce { op, axes } => {
            let count: usize = axes.iter().map(|&a| facts[0].0[a]).product();
            reduce(*op, count, x[0], float)?
        }
        Op::View(View::Pad { value, .. }) => x[0].union(constant(*value)?),
        Op::View(_) | Op::Cut | Op::Mark(_) | Op::Detach | Op::Gather { .. } => x[0],
        Op::Contract(axes) => {
            let count: usize = axes.contract.iter().map(|p| facts[0].0[p.0]).product();
            x[0].product(x[1]).times(count)
        }
        Op::Conv(it) => {
            let count: usize = it.kernel[1..].iter().map(|&axis| facts[1].0[axis]).product();
            x[0].product(x[1]).union(Bounds::whole(0.0, 0.0)).times(count)
        }
        Op::Scatter { op: ScatterOp::Add, .. } => {
            let updates = x[2].times(facts[1].0.size()).union(Bounds::whole(0.0, 0.0));
            sum(x[0], updates)
        }
        Op::Scatter { .. } => x[0].union(x[2]),
        Op::Scan(Scan { exclusive: true, op: ReduceOp::Max | ReduceOp::Min, .. }) if float => return None,
        Op::Scan(Scan { exclusive: true, op: ReduceOp::Max | ReduceOp::Min, .. }) => all(dtype),
        Op::Scan(scan) => {
            let count = scan.block.min(facts[0].0[scan.axis]);
            let start = if scan.op == ReduceOp::Prod { 1.0 } else { 0.0 };
            let one = if scan.exclusive { Bounds::whole(start, start).union(x[0]) } else { x[0] };
            one.union(reduce(scan.op, count.max(1), one, float)?)
        }
        Op::ArgSort { axis, .. } => Bounds::whole(0.0, facts[0].0[*axis] as f64),
        Op::Fourier { axis, .. } => {
            let most = x[0].size() * (2 * facts[0].0[*axis]) as f64;
            Bounds::rounded(-most, most)
        }
        Op::Loop(_) | Op::Branch(_) | Op::Custom(_) | Op::Kernel(_) | Op::Part { .. } => return None,
    };
    within(bounds, dtype)
}

/// Integers past their range wrap to anything; floats past [`LARGEST`] are refused, and inexact
/// past 24 bits.
fn within(mut bounds: Bounds, dtype: DType) -> Option<Bounds> {
    let range = all(dtype);
    if !dtype.is_float() {
        return Some(if bounds.low >= range.low && bounds.high <= range.high { bounds } else { range });
    }
    if !bounds.size().is_finite() || bounds.size() > LARGEST {
        return None;
    }
    bounds.fraction = bounds.fraction.filter(|&f| bounds.size() * 2f64.powi(f as i32) <= 2f64.powi(23));
    Some(bounds)
}

fn constant(literal: Literal) -> Option<Bounds> {
    let x = literal.to_f64();
    let fraction = (0..12).find(|&f| (x * 2f64.powi(f)).fract() == 0.0);
    x.is_finite().then_some(Bounds::new(x, x, fraction.map(|f| f as u32)))
}

fn sum(a: Bounds, b: Bounds) -> Bounds {
    Bounds::new(a.low + b.low, a.high + b.high, finer(a, b))
}

fn unary(op: Unary, x: Bounds) -> Option<Bounds> {
    use Unary::*;
    let away = x.low >= FAR;
    let exact = x.fraction.is_some();
    Some(match op {
        Neg => Bounds::new(-x.high, -x.low, x.fraction),
        Abs => Bounds::new(
            if x.contains(0.0, 0.0) { 0.0 } else { x.low.abs().min(x.high.abs()) },
            x.size(),
            x.fraction,
        ),
        Relu => Bounds::new(x.low.max(0.0), x.high.max(0.0), x.fraction),
        Sign if exact => Bounds::whole(-1.0, 1.0),
        Floor | Ceil | Round if exact => Bounds::whole(x.low.floor(), x.high.ceil()),
        Exp if x.high <= 4.0 => Bounds::rounded(x.low.exp() * 0.999, x.high.exp() * 1.001),
        Log if away => Bounds::rounded(x.low.ln() - 0.001, x.high.ln() + 0.001),
        Sqrt if away => Bounds::rounded(x.low.sqrt() * 0.999, x.high.sqrt() * 1.001),
        Rsqrt if away => Bounds::rounded(0.999 / x.high.sqrt(), 1.001 / x.low.sqrt()),
        Sin | Cos => Bounds::rounded(-1.0, 1.0),
        Tanh => Bounds::rounded(x.low.tanh() - 0.001, x.high.tanh() + 0.001),
        Sigmoid => Bounds::rounded(0.999 / (1.0 + (-x.low).exp()), 1.0),
        Erf => Bounds::rounded(-1.0, 1.0),
        NormalCdf => Bounds::rounded(0.0, 1.0),
        ErfInv if x.size() <= 0.9 => Bounds::rounded(-1.2, 1.2),
        IsNan => Bounds::whole(0.0, 0.0),
        ToHalf if exact => Bounds::whole(0.0, 65535.0),
        Sign | Floor | Ceil | Round | Exp | Log | Sqrt | Rsqrt | ErfInv | Not | ToHalf | OfHalf => {
            return None;
        }
    })
}

fn integer_unary(op: Unary, x: Bounds, dtype: DType) -> Bounds {
    match op {
        Unary::Neg => Bounds::whole(-x.high, -x.low),
        Unary::Abs => Bounds::whole(0.0, x.size()),
        Unary::Sign => Bounds::whole(-1.0, 1.0),
        Unary::Relu => Bounds::whole(0.0, x.high.max(0.0)),
        _ => all(dtype),
    }
}

fn binary(op: Binary, a: Bounds, b: Bounds) -> Option<Bounds> {
    let away = b.low >= FAR || b.high <= -FAR;
    let exact = a.fraction.is_some() && b.fraction.is_some();
    let whole_exponent = b.low == b.high && b.low.fract() == 0.0 && (0.0..=4.0).contains(&b.low);
    Some(match op {
        Binary::Add => sum(a, b),
        Binary::Sub => sum(a, Bounds::new(-b.high, -b.low, b.fraction)),
        Binary::Mul => a.product(b),
        Binary::Div if away => {
            let quotients = Bounds::rounded(1.0 / b.high, 1.0 / b.low);
            Bounds { fraction: None, ..a.product(quotients) }
        }
        Binary::FloorDiv if away && exact => {
            let quotients = a.product(Bounds::rounded(1.0 / b.high, 1.0 / b.low));
            Bounds::whole(quotients.low.floor(), quotients.high.floor())
        }
        Binary::Rem if away && exact => Bounds::new(-b.size(), b.size(), finer(a, b)),
        Binary::Pow if whole_exponent => {
            let size = a.size().max(1.0).powf(b.high);
            Bounds::rounded(-size, size)
        }
        Binary::Pow if a.low >= FAR && b.size() <= 3.0 => {
            let corners = [a.low.powf(b.low), a.low.powf(b.high), a.high.powf(b.low), a.high.powf(b.high)];
            Bounds::rounded(min(&corners) * 0.999, max(&corners) * 1.001)
        }
        Binary::Min => Bounds::new(a.low.min(b.low), a.high.min(b.high), finer(a, b)),
        Binary::Max => Bounds::new(a.low.max(b.low), a.high.max(b.high), finer(a, b)),
        Binary::Div | Binary::FloorDiv | Binary::Rem | Binary::Pow => return None,
        Binary::And | Binary::Or | Binary::Xor | Binary::Shl | Binary::Shr => return None,
    })
}

fn integer_binary(op: Binary, a: Bounds, b: Bounds, dtype: DType) -> Bounds {
    match op {
        Binary::Add => sum(a, b),
        Binary::Sub => sum(a, Bounds::whole(-b.high, -b.low)),
        Binary::Mul => a.product(b),
        Binary::Rem => Bounds::whole(-b.size(), b.size()),
        Binary::Min => Bounds::whole(a.low.min(b.low), a.high.min(b.high)),
        Binary::Max => Bounds::whole(a.low.max(b.low), a.high.max(b.high)),
        _ => all(dtype),
    }
}

fn cast(from: DType, to: DType, x: Bounds) -> Option<Bounds> {
    Some(match (from.computed(), to) {
        (DType::F32, DType::F32) => x,
        (DType::F32, _) if x.fraction.is_none() => return None,
        // Rounded, but to the same everywhere.
        (_, DType::F16) => Bounds::new(x.low - x.size() / 1024.0, x.high + x.size() / 1024.0, x.fraction),
        (_, DType::Bool) => Bounds::whole(0.0, 1.0),
        (DType::F32, DType::U32) => Bounds::whole(x.low.max(0.0).floor(), x.high.max(0.0).ceil()),
        (DType::F32, _) => Bounds::whole(x.low.floor(), x.high.ceil()),
        _ => x,
    })
}

fn reduce(op: ReduceOp, count: usize, x: Bounds, float: bool) -> Option<Bounds> {
    let exact = x.fraction.is_some();
    Some(match op {
        ReduceOp::Sum => x.times(count),
        ReduceOp::Prod if count <= 3 => {
            let size = x.size().max(1.0).powi(count as i32);
            Bounds::new(-size, size, x.fraction.map(|f| f * count as u32))
        }
        ReduceOp::Prod if float => return None,
        ReduceOp::Prod => Bounds::whole(f64::NEG_INFINITY, f64::INFINITY),
        ReduceOp::Max | ReduceOp::Min => x,
        ReduceOp::ArgMax | ReduceOp::ArgMin if exact => Bounds::whole(0.0, count as f64),
        ReduceOp::ArgMax | ReduceOp::ArgMin => return None,
    })
}
