//! Generator of random kernels and of inputs for them: branches, loops, jumps, local arrays, edges,
//! and stores to the same element.

use super::writing::{Where, Writing, X};
use weft_ir::DType::{F32, I32};
use weft_ir::Shape;
use weft_ir::interpret::Value;
use weft_ir::op::{Binary, Compare, KernelCall, Unary};
use weft_ir::user_kernel::{ArrayId, Combine, LocalId, OutputId, Stmt, TensorId};

/// Numbers in [−1, 1] of a seed.
fn float(seed: u64, shape: impl Into<Shape>) -> Value<f64> {
    let shape = shape.into();
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def0;
    let numbers: Vec<f64> = (0..shape.size())
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            // Of few bits, so that f32 holds them too.
            (state >> 44) as f64 / f64::from(1 << 19) - 1.0
        })
        .collect();
    Value::float(shape, numbers).unwrap()
}

struct Maker {
    state: u64,
    kinks: bool,
    k: Writing,
    rank: u32,
    floats: Vec<(TensorId, u32)>,
    wholes: TensorId,
    scalar: X,
    locals: Vec<LocalId>,
    counts: Vec<X>,
    numbers: Vec<LocalId>,
    arrays: Vec<ArrayId>,
    outputs: Vec<(OutputId, u32, bool)>,
    loops: u32,
}

/// A kernel of a seed, and inputs. With `kinks` there are functions that bend.
pub fn random_kernel(seed: u64, kinks: bool) -> (KernelCall, Vec<Value<f64>>) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d;
    let mut pick = move |n: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) % n
    };
    let rank = pick(2) as u32 + 1;
    let grid: Vec<usize> = (0..rank).map(|_| pick(3) as usize + 1).collect();
    let mut k = Writing::new(rank);
    let mut inputs = Vec::new();
    let mut floats = Vec::new();
    for n in 0..2 {
        let rank = pick(3) as u32;
        let shape: Vec<usize> = (0..rank).map(|_| pick(3) as usize + 1).collect();
        floats.push((k.tensor(F32, rank), rank));
        inputs.push(float(seed + n, shape));
    }
    let wholes = k.tensor(I32, 1);
    inputs.push(Value::i32([5], (0..5).map(|_| pick(7) as i32 - 2).collect::<Vec<_>>()).unwrap());
    let mut outputs = Vec::new();
    let mut shapes: Vec<Vec<usize>> = Vec::new();
    for n in 0..=pick(2) {
        let own = pick(3) == 0;
        let out_rank = if own { rank } else { pick(2) as u32 + 1 };
        let shape: Vec<usize> = match own {
            true => grid.iter().map(|&extent| extent + pick(2) as usize).collect(),
            false => (0..out_rank).map(|_| pick(3) as usize + 2).collect(),
        };
        let combine = match pick(if kinks { 4 } else { 2 }) {
            _ if own => Combine::Set,
            0 => Combine::Add,
            1 => Combine::Set,
            2 => Combine::Min,
            _ => Combine::Max,
        };
        let output = k.output(out_rank, combine);
        if pick(2) == 0 {
            let base = k.tensor(F32, out_rank);
            k.begins_as(output, base);
            inputs.push(float(seed + 10 + n, shape.clone()));
        }
        outputs.push((output, out_rank, own));
        shapes.push(shape);
    }
    let scalar = k.scalar(F32);
    inputs.push(float(seed + 20, []));
    let state = seed.wrapping_mul(0xd134_2543_de82_ef95) | 1;
    let mut maker = Maker {
        state,
        kinks,
        k,
        rank,
        floats,
        wholes,
        scalar,
        locals: Vec::new(),
        counts: Vec::new(),
        numbers: Vec::new(),
        arrays: Vec::new(),
        outputs,
        loops: 0,
    };
    for _ in 0..3 {
        let value = maker.float(2);
        let local = maker.k.local(F32, value);
        maker.locals.push(local);
    }
    for length in [3, 4] {
        let array = maker.k.array(F32, length);
        maker.arrays.push(array);
    }
    let number = maker.k.local(I32, 1);
    maker.numbers.push(number);
    let length = 4 + maker.pick(5);
    maker.statements(length, 3);
    for _ in 0..2 {
        maker.store();
    }
    let shapes: Vec<&[usize]> = shapes.iter().map(|shape| &shape[..]).collect();
    (maker.k.call(grid, &shapes), inputs)
}

impl Maker {
    fn pick(&mut self, n: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 20) % n
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.pick(of.len() as u64) as usize].clone()
    }

    fn whole(&mut self, depth: u32) -> X {
        match self.pick(if depth == 0 { 4 } else { 9 }) {
            0 => X::Whole(self.pick(9) as i32 - 3),
            1 => X::Index(self.pick(u64::from(self.rank)) as u32),
            2 if !self.counts.is_empty() => {
                let counts = self.counts.clone();
                self.one(&counts)
            }
            3 if !self.numbers.is_empty() => {
                let numbers = self.numbers.clone();
                X::Local(self.one(&numbers))
            }
            2 | 3 => X::Whole(2),
            4 => X::Load(self.wholes, vec![self.whole(depth - 1)], Where::Wrap),
            5 => self.whole(depth - 1) + self.whole(depth - 1),
            6 => self.whole(depth - 1) - self.whole(depth - 1),
            7 => self.whole(depth - 1) % X::Whole(self.pick(4) as i32 + 1),
            _ => self.whole(depth - 1).binary(Binary::Max, self.whole(0)),
        }
    }

    fn truth(&mut self) -> X {
        let op = self.one(&Compare::ALL);
        let parity = self.whole(2) % X::Whole(self.pick(3) as i32 + 1);
        parity.compare(op, X::Whole(self.pick(3) as i32))
    }

    fn load(&mut self) -> X {
        let floats = self.floats.clone();
        let (tensor, rank) = self.one(&floats);
        let own = self.pick(2) == 0;
        let indices: Vec<X> = (0..rank)
            .map(|axis| if own && axis < self.rank { X::Index(axis) } else { self.whole(2) })
            .collect();
        let edge = match self.pick(4) {
            0 => Where::Clamp,
            1 => Where::Wrap,
            2 => Where::Mirror,
            _ => Where::Fill(Box::new(self.float(0))),
        };
        X::Load(tensor, indices, edge)
    }

    /// A float that is not large.
    fn float(&mut self, depth: u32) -> X {
        match self.pick(if depth == 0 { 4 } else { 14 }) {
            0 => X::Number(self.pick(7) as f32 * 0.25 - 0.7),
            1 if !self.locals.is_empty() => {
                let locals = self.locals.clone();
                X::Local(self.one(&locals))
            }
            2 => self.scalar.clone(),
            3 if !self.arrays.is_empty() => {
                let arrays = self.arrays.clone();
                X::Element(self.one(&arrays), Box::new(self.whole(1)))
            }
            1 | 3 => X::Number(0.4),
            4 | 5 => self.load(),
            6 => (self.float(depth - 1) + self.float(depth - 1)) * 0.6.into(),
            7 => self.float(depth - 1) - self.float(depth - 1) * 0.5.into(),
            8 | 9 => self.float(depth - 1) * self.float(depth - 1),
            10 => {
                let op = self.one(&[Unary::Sin, Unary::Cos, Unary::Tanh, Unary::Sigmoid, Unary::NormalCdf]);
                self.float(depth - 1).unary(op)
            }
            11 => {
                let below = self.float(depth - 1).sin() + 1.5.into();
                match self.pick(3) {
                    0 => self.float(depth - 1) / below,
                    1 => below.unary(Unary::Log),
                    _ => below.binary(Binary::Pow, self.float(0).sin()),
                }
            }
            12 => self.truth().select(self.float(depth - 1), self.float(depth - 1)),
            _ if self.kinks => {
                let op = self.one(&[Binary::Min, Binary::Max]);
                self.float(depth - 1).binary(op, self.float(depth - 1)).unary(Unary::Abs)
            }
            _ => (self.whole(1) % 5.into()).float() * 0.2.into(),
        }
    }

    fn statements(&mut self, count: u64, depth: u32) {
        for _ in 0..count {
            self.statement(depth);
        }
    }

    /// Writes statements into a block of the kernel.
    fn block(&mut self, count: u64, depth: u32) -> Vec<Stmt> {
        self.k.open();
        let counts = self.counts.len();
        self.statements(count, depth);
        self.counts.truncate(counts);
        self.k.close()
    }

    fn statement(&mut self, depth: u32) {
        let locals = self.locals.clone();
        let arrays = self.arrays.clone();
        match self.pick(if depth == 0 { 6 } else { 11 }) {
            0 | 1 => {
                let (local, value) = (self.one(&locals), self.float(3));
                let value = if self.pick(2) == 0 { value.sin() } else { value * 0.7.into() };
                self.k.set(local, value);
            }
            2 | 3 => {
                let (array, at, value) = (self.one(&arrays), self.whole(2), self.float(2));
                self.k.set_element(array, at, value.sin());
            }
            4 => {
                let (number, value) = (self.numbers[0], self.whole(2));
                self.k.set(number, value % 7.into());
            }
            5 => self.store(),
            6 | 7 => {
                let condition = self.truth();
                let (a, b) = (self.pick(3), self.pick(2));
                let mut then = self.block(a, depth - 1);
                let otherwise = self.block(b, depth - 1);
                match self.pick(6) {
                    0 if self.loops > 0 => then.push(Stmt::Break),
                    1 if self.loops > 0 => then.push(Stmt::Continue),
                    2 if depth < 2 => then.push(Stmt::Return),
                    _ => {}
                }
                let condition = condition.write(&mut self.k.kernel);
                self.k.push(Stmt::If(condition, then, otherwise));
            }
            8 | 9 => {
                let (from, to) = (self.whole(1), self.whole(1) + X::Whole(self.pick(5) as i32));
                let step = self.one(&[1, 1, 2, -1, -3]);
                let bounded = |x: X| x.binary(Binary::Min, 9.into()).binary(Binary::Max, (-4).into());
                let from = bounded(from).write(&mut self.k.kernel);
                let to = bounded(to).write(&mut self.k.kernel);
                let counter = self.k.kernel.local("k", I32);
                self.loops += 1;
                self.counts.push(X::Local(counter));
                let count = self.pick(3) + 1;
                let body = self.block(count, depth - 1);
                self.counts.pop();
                self.loops -= 1;
                self.k.push(Stmt::For { counter, from, to, step, body });
            }
            _ => {
                let condition = self.truth();
                let condition = condition.write(&mut self.k.kernel);
                let limit = self.pick(6) as u32;
                self.loops += 1;
                let count = self.pick(3) + 1;
                let body = self.block(count, depth - 1);
                self.loops -= 1;
                self.k.push(Stmt::While { condition, limit, body });
            }
        }
    }

    fn store(&mut self) {
        let outputs = self.outputs.clone();
        let (output, rank, own) = self.one(&outputs);
        let indices: Vec<X> =
            (0..rank).map(|axis| if own { X::Index(axis) } else { self.whole(2) % 5.into() }).collect();
        let value = self.float(2);
        self.k.store(output, &indices, value);
    }
}
