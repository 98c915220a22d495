//! Random numbers by key: Threefry-2x32 (Salmon et al. 2011, *Parallel random numbers: as easy as
//! 1, 2, 3*), 20 rounds.
//!
//! Bits, splits and uniforms are JAX's with `jax_threefry_partitionable`: element i depends on the
//! key and i alone. A key is a u32 tensor `[2]`; nothing is drawn until something reads it, and
//! then it is computed inside the kernel that does.

mod binomial;
mod poisson;
mod samplers;
mod shuffle;

pub use binomial::multinomial;
pub use poisson::{double_sided_maxwell, poisson};
pub use samplers::{
    Family, Standard, ball, categorical, dirichlet, draw, multivariate_normal, orthogonal, rademacher,
    standard, truncated_normal,
};
pub use shuffle::{Picks, choice, permutation};

use crate::device::Device;
use crate::device::cell::ScalarSource;
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::ops::shape::join::stack;
use std::cell::Cell;
use std::rc::Rc;
use weft_ir::op::{Binary, Coefficient, Compare, Op, Unary, View};
use weft_ir::{DType, Decimal, Error, Literal, Result, Shape};

/// Rotations of four rounds; even and odd groups of rounds alternate.
const ROTATIONS: [[u32; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];
/// Mixed into the third key word, from the Skein hash's key schedule.
const PARITY: u32 = 0x1BD1_1BDA;

/// The key of a seed: its high and low 32 bits.
pub fn key(device: &Device, seed: i64) -> Result<Tensor> {
    device.tensor(&words(seed), &[2])
}

/// `count` new keys, u32 `[count, 2]`. Errors with `Shape` or `DType` for what is not a key, as all
/// functions of keys do.
pub fn split(key: &Tensor, count: usize) -> Result<Tensor> {
    let stream = Stream::of("random.split", key)?;
    let (a, b) = stream.words(&Shape::checked(stream.name, &[count])?)?;
    stack(&[&a, &b], 1)
}

/// A new key from a key and a number.
pub fn fold_in(key: &Tensor, number: u32) -> Result<Tensor> {
    fold_in_tensor(key, &key.device().scalar(Literal::U32(number)))
}

/// A new key from a key and a 0-d integer, such as a loop's index. Errors with `Shape` or `DType`
/// for another tensor.
pub fn fold_in_tensor(key: &Tensor, number: &Tensor) -> Result<Tensor> {
    let stream = Stream::of("random.foldIn", key)?;
    if !number.dtype().is_integer() {
        return Err(Error::dtype(stream.name, format!("the number is an integer, got {number}")));
    }
    if number.rank() != 0 {
        return Err(Error::shape(stream.name, format!("the number is a 0-d tensor, got {number}")));
    }
    let [a, b] = stream.folded(number)?.key;
    stack(&[&a, &b], 0)
}

/// Uniform u32.
pub fn bits(key: &Tensor, shape: &[usize]) -> Result<Tensor> {
    let stream = Stream::of("random.bits", key)?;
    stream.bits(&Shape::checked(stream.name, shape)?)
}

/// Uniform f32 in [low, high). Errors with `Value` for bounds that are not finite.
pub fn uniform(key: &Tensor, shape: &[usize], low: f64, high: f64) -> Result<Tensor> {
    let stream = Stream::of("random.uniform", key)?;
    stream.uniform(&Shape::checked(stream.name, shape)?, low, high)
}

/// Normally distributed f32 of a mean and a standard deviation.
///
/// ```
/// # fn main() -> weft::Result<()> {
/// # use weft::{DType, Device, random};
/// let key = random::key(&Device::cpu(), 7)?;
/// let x = random::normal(&key, &[4], 0.0, 1.0)?;
/// let y = random::normal(&key, &[4], 3.0, 2.0)?;
/// let same = y.equal(x.mul(2.0)?.add(3.0)?)?.all(None, false)?;
/// assert_eq!(pollster::block_on(same.item())?, 1.0);
///
/// assert!(random::randint(&key, &[4], 0.5, 6.0, DType::I32).is_err());
/// assert!(random::randint(&key, &[4], 0.0, 6.0, DType::F32).is_err());
/// # Ok(())
/// # }
/// ```
pub fn normal(key: &Tensor, shape: &[usize], mean: f64, deviation: f64) -> Result<Tensor> {
    let stream = Stream::of("random.normal", key)?;
    stream.normal(&Shape::checked(stream.name, shape)?, mean, deviation)
}

/// True with probability `p`.
pub fn bernoulli(key: &Tensor, p: f64, shape: &[usize]) -> Result<Tensor> {
    let stream = Stream::of("random.bernoulli", key)?;
    stream.bernoulli(&Shape::checked(stream.name, shape)?, p)
}

/// Whole numbers in [low, high), or `low` where that is empty, of an integer dtype. Errors with
/// `Value` for a bound that is not a whole number which the dtype holds, or for `high` the one
/// after the largest, and with `DType` for another dtype.
pub fn randint(key: &Tensor, shape: &[usize], low: f64, high: f64, dtype: DType) -> Result<Tensor> {
    let stream = Stream::of("random.randint", key)?;
    stream.randint(&Shape::checked(stream.name, shape)?, low, high, dtype)
}

/// A key that advances with each use: the convenience for programs that do not care about keys.
///
/// Inside a captured function each call draws anew, and inside a loop each iteration. Under
/// [`crate::vmap`] each member draws for itself. The number of the iteration or member is folded
/// into the next key, as [`fold_in`] does, the outermost loop or batch first.
#[derive(Clone)]
pub struct Generator {
    draws: Rc<Draws>,
    /// The same, as captures know it.
    source: Rc<dyn ScalarSource>,
}

/// A seed's key and how often it was used.
struct Draws {
    key: Cell<[u32; 2]>,
    count: Cell<i64>,
}

impl ScalarSource for Draws {
    fn dtypes(&self) -> Vec<DType> {
        vec![DType::U32; 2]
    }

    fn next(&self) -> Vec<Literal> {
        let count = self.count.get();
        self.count.set(count.wrapping_add(1));
        threefry(self.key.get(), words(count)).map(Literal::U32).to_vec()
    }

    /// Deferred: an export is asked for by hand.
    fn upcoming(&self, calls: usize) -> Vec<Vec<Literal>> {
        let keys = (0..calls as i64).map(|call| words(self.count.get().wrapping_add(call)));
        keys.map(|at| threefry(self.key.get(), at).map(Literal::U32).to_vec()).collect()
    }
}

impl Generator {
    /// From a seed.
    pub fn new(seed: i64) -> Generator {
        let draws = Rc::new(Draws { key: Cell::new(words(seed)), count: Cell::new(0) });
        Generator { source: draws.clone(), draws }
    }

    /// Restarts it from a seed, for functions that were captured with it too.
    pub fn reseed(&self, seed: i64) {
        self.draws.key.set(words(seed));
        self.draws.count.set(0);
    }

    /// Where it is: a seed's key and how often it was used, in halves of 32 bits.
    pub fn state(&self) -> [u32; 4] {
        let ([a, b], [c, d]) = (self.draws.key.get(), words(self.draws.count.get()));
        [a, b, c, d]
    }

    /// Goes on from where [`Generator::state`] was asked for.
    pub fn restore(&self, [a, b, c, d]: [u32; 4]) {
        self.draws.key.set([a, b]);
        self.draws.count.set(i64::from(c as i32) << 32 | i64::from(d));
    }

    /// A new key.
    pub fn key(&self, device: &Device) -> Result<Tensor> {
        let stream = self.stream("random.key", device)?;
        stack(&[&stream.key[0], &stream.key[1]], 0)
    }

    /// As [`bits`].
    pub fn bits(&self, device: &Device, shape: &[usize]) -> Result<Tensor> {
        let stream = self.stream("random.bits", device)?;
        stream.bits(&Shape::checked(stream.name, shape)?)
    }

    /// As [`uniform`].
    pub fn uniform(&self, device: &Device, shape: &[usize], low: f64, high: f64) -> Result<Tensor> {
        let stream = self.stream("random.uniform", device)?;
        stream.uniform(&Shape::checked(stream.name, shape)?, low, high)
    }

    /// As [`normal`].
    pub fn normal(&self, device: &Device, shape: &[usize], mean: f64, deviation: f64) -> Result<Tensor> {
        let stream = self.stream("random.normal", device)?;
        stream.normal(&Shape::checked(stream.name, shape)?, mean, deviation)
    }

    /// As [`bernoulli`].
    pub fn bernoulli(&self, device: &Device, p: f64, shape: &[usize]) -> Result<Tensor> {
        let stream = self.stream("random.bernoulli", device)?;
        stream.bernoulli(&Shape::checked(stream.name, shape)?, p)
    }

    /// As [`randint`].
    pub fn randint(
        &self,
        device: &Device,
        shape: &[usize],
        low: f64,
        high: f64,
        dtype: DType,
    ) -> Result<Tensor> {
        let stream = self.stream("random.randint", device)?;
        stream.randint(&Shape::checked(stream.name, shape)?, low, high, dtype)
    }

    fn stream(&self, name: &'static str, device: &Device) -> Result<Stream> {
        let mut words = device.scalars(&self.source)?.into_iter();
        let mut word = || words.next().ok_or_else(|| Error::value(name, "a key has two words"));
        let mut stream = Stream { name, key: [word()?, word()?] };
        let numbers: Vec<Tensor> = device
            .inner
            .functions
            .regions
            .borrow()
            .iter()
            .filter_map(|region| region.number.clone())
            .collect();
        for number in &numbers {
            stream = stream.folded(number)?;
        }
        Ok(stream)
    }
}

/// The two words of a 64-bit number, the higher first.
fn words(number: i64) -> [u32; 2] {
    [(number >> 32) as u32, number as u32]
}

/// One block on the host.
fn threefry(key: [u32; 2], counter: [u32; 2]) -> [u32; 2] {
    let keys = [key[0], key[1], key[0] ^ key[1] ^ PARITY];
    let mut x = [counter[0].wrapping_add(keys[0]), counter[1].wrapping_add(keys[1])];
    for group in 0..5 {
        for rotation in ROTATIONS[group % 2] {
            x[0] = x[0].wrapping_add(x[1]);
            x[1] = x[1].rotate_left(rotation) ^ x[0];
        }
        x[0] = x[0].wrapping_add(keys[(group + 1) % 3]);
        x[1] = x[1].wrapping_add(keys[(group + 2) % 3]).wrapping_add(group as u32 + 1);
    }
    x
}

/// A key as two 0-d u32, and the operation it is drawn from for.
struct Stream {
    name: &'static str,
    key: [Tensor; 2],
}

impl Stream {
    fn of(name: &'static str, key: &Tensor) -> Result<Stream> {
        if key.dtype() != DType::U32 || key.shape()[..] != [2] {
            let what = format!("a key is u32[2], got {key}");
            let kind = if key.dtype() == DType::U32 { Error::shape } else { Error::dtype };
            return Err(kind(name, what));
        }
        let word = |n| {
            let view = View::Slice { starts: vec![Coefficient::Const(n)], steps: vec![1], lengths: vec![1] };
            build::reshape(name, &key.device().append(name, Op::View(view), &[key])?, &Shape::scalar())
        };
        Ok(Stream { name, key: [word(0)?, word(1)?] })
    }

    fn device(&self) -> &Device {
        self.key[0].device()
    }

    /// The stream for a 0-d integer among those that this one leads to.
    fn folded(&self, number: &Tensor) -> Result<Stream> {
        let zero = self.device().constant(self.name, Literal::U32(0))?;
        let (a, b) = self.block(&zero, &build::cast(self.name, number, DType::U32)?)?;
        Ok(Stream { name: self.name, key: [a, b] })
    }

    fn binary(&self, op: Binary, a: &Tensor, b: &Tensor) -> Result<Tensor> {
        build::binary(self.name, op, a, b)
    }

    fn constant(&self, value: u32, shape: &Shape) -> Result<Tensor> {
        build::expand(self.name, &self.device().constant(self.name, Literal::U32(value))?, shape)
    }

    fn float(&self, value: f32, shape: &Shape) -> Result<Tensor> {
        build::expand(self.name, &self.device().constant(self.name, Literal::F32(value))?, shape)
    }

    /// A run-time number everywhere.
    fn number(&self, value: Literal, shape: &Shape) -> Result<Tensor> {
        build::expand(self.name, &self.device().scalar(value), shape)
    }

    /// Both words of the block of each counter.
    fn block(&self, high: &Tensor, low: &Tensor) -> Result<(Tensor, Tensor)> {
        let shape = low.shape();
        let mixed = self.binary(Binary::Xor, &self.key[0], &self.key[1])?;
        let third = self.binary(Binary::Xor, &mixed, &self.constant(PARITY, &Shape::scalar())?)?;
        let key = [&self.key[0], &self.key[1], &third].map(|word| build::expand(self.name, word, shape));
        let [k0, k1, k2] = key;
        let key = [k0?, k1?, k2?];
        let mut x = self.binary(Binary::Add, high, &key[0])?;
        let mut y = self.binary(Binary::Add, low, &key[1])?;
        for group in 0..5 {
            for rotation in ROTATIONS[group % 2] {
                x = self.binary(Binary::Add, &x, &y)?;
                let left = self.binary(Binary::Shl, &y, &self.constant(rotation, shape)?)?;
                let right = self.binary(Binary::Shr, &y, &self.constant(32 - rotation, shape)?)?;
                y = self.binary(Binary::Xor, &self.binary(Binary::Or, &left, &right)?, &x)?;
            }
            x = self.binary(Binary::Add, &x, &key[(group + 1) % 3])?;
            y = self.binary(Binary::Add, &y, &key[(group + 2) % 3])?;
            y = self.binary(Binary::Add, &y, &self.constant(group as u32 + 1, shape)?)?;
        }
        Ok((x, y))
    }

    /// Both words of element i's block, for the row-major position i of each element.
    fn words(&self, shape: &Shape) -> Result<(Tensor, Tensor)> {
        let flat = self.device().positions(self.name, &[shape.size()].into(), 0, DType::U32)?;
        let low = build::reshape(self.name, &flat, shape)?;
        // A tensor has fewer than 2³¹ elements.
        self.block(&self.constant(0, shape)?, &low)
    }

    fn bits(&self, shape: &Shape) -> Result<Tensor> {
        let (x, y) = self.words(shape)?;
        self.binary(Binary::Xor, &x, &y)
    }

    /// 23 random bits.
    fn fraction(&self, shape: &Shape) -> Result<Tensor> {
        self.binary(Binary::Shr, &self.bits(shape)?, &self.constant(9, shape)?)
    }

    /// f32 in [0, 1): a multiple of 2⁻²³. JAX takes 1 from a number in [1, 2), which is the same;
    /// here no step rounds, because a GPU's compiler may take sums of floats apart and put them
    /// together otherwise.
    fn unit(&self, shape: &Shape) -> Result<Tensor> {
        let whole = build::cast(self.name, &self.fraction(shape)?, DType::F32)?;
        self.binary(Binary::Mul, &whole, &self.float(1.0 / (1 << 23) as f32, shape)?)
    }

    fn uniform(&self, shape: &Shape, low: f64, high: f64) -> Result<Tensor> {
        if !low.is_finite() || !high.is_finite() {
            let [low, high] = [low, high].map(Decimal::from);
            return Err(Error::value(self.name, format!("from {low} to {high}: expected finite bounds")));
        }
        let unit = self.unit(shape)?;
        if (low, high) == (0.0, 1.0) {
            return Ok(unit);
        }
        let (low, high) = (low as f32, high as f32);
        let width = self.number(Literal::F32(high - low), shape)?;
        let low = self.number(Literal::F32(low), shape)?;
        let wide = self.binary(Binary::Mul, &unit, &width)?;
        self.binary(Binary::Max, &low, &self.binary(Binary::Add, &wide, &low)?)
    }

    fn normal(&self, shape: &Shape, mean: f64, deviation: f64) -> Result<Tensor> {
        let mut drawn = self.standard_normal(shape)?;
        if deviation != 1.0 {
            let deviation = self.number(Literal::F32(deviation as f32), shape)?;
            drawn = self.binary(Binary::Mul, &drawn, &deviation)?;
        }
        if mean != 0.0 {
            drawn = self.binary(Binary::Add, &drawn, &self.number(Literal::F32(mean as f32), shape)?)?;
        }
        Ok(drawn)
    }

    fn standard_normal(&self, shape: &Shape) -> Result<Tensor> {
        // Uniform from the float after −1 to 1: odd multiples of 2⁻²⁴, counted in integers for the
        // reason given above.
        let fraction = build::cast(self.name, &self.fraction(shape)?, DType::I32)?;
        let constant =
            |n| build::expand(self.name, &self.device().constant(self.name, Literal::I32(n))?, shape);
        let even = self.binary(Binary::Mul, &fraction, &constant(4)?)?;
        let odd = self.binary(Binary::Sub, &even, &constant((1 << 24) - 1)?)?;
        let whole = build::cast(self.name, &odd, DType::F32)?;
        let uniform = self.binary(Binary::Mul, &whole, &self.float(1.0 / (1 << 24) as f32, shape)?)?;
        let inverse = build::unary(self.name, Unary::ErfInv, &uniform)?;
        self.binary(Binary::Mul, &self.float(std::f32::consts::SQRT_2, shape)?, &inverse)
    }

    fn bernoulli(&self, shape: &Shape, p: f64) -> Result<Tensor> {
        if !(0.0..=1.0).contains(&p) {
            return Err(Error::value(
                self.name,
                format!("{} is not a probability: expected 0 to 1", Decimal::from(p)),
            ));
        }
        let p = self.number(Literal::F32(p as f32), shape)?;
        build::compare(self.name, Compare::Lt, &self.unit(shape)?, &p)
    }

    /// A bound of whole numbers of a dtype, of which the largest is followed by `more`.
    fn bound(&self, bound: f64, dtype: DType, more: f64) -> Result<i64> {
        let (least, most) = match dtype {
            DType::U32 => (0.0, f64::from(u32::MAX)),
            DType::I8 => (-128.0, 127.0),
            DType::U8 => (0.0, 255.0),
            _ => (f64::from(i32::MIN), f64::from(i32::MAX)),
        };
        if bound.fract() == 0.0 && (least..=most + more).contains(&bound) {
            return Ok(bound as i64);
        }
        let what = format!("the bound {} is not a whole number that fits {dtype}", Decimal::from(bound));
        Err(Error::value(self.name, what))
    }

    /// As [`randint`].
    fn randint(&self, shape: &Shape, low: f64, high: f64, dtype: DType) -> Result<Tensor> {
        if !dtype.is_integer() {
            return Err(Error::dtype(self.name, format!("draws integers, not {dtype}")));
        }
        let (low, high) = (self.bound(low, dtype, 0.0)?, self.bound(high, dtype, 1.0)?);
        let offset = self.below(shape, (high - low).max(1) as u64)?;
        let low = self.number(Literal::U32(low as u32), shape)?;
        let drawn = self.binary(Binary::Add, &low, &offset)?;
        build::cast(self.name, &build::cast(self.name, &drawn, dtype.computed())?, dtype)
    }

    /// Whole numbers below a span of 2³² at most, as u32: each as likely as the others to 2⁻³² of
    /// that. JAX's where the span is 2¹⁶ at most.
    fn below(&self, shape: &Shape, span: u64) -> Result<Tensor> {
        let Some(span) = u32::try_from(span).ok().filter(|&span| span <= 65_536) else {
            return self.below_wide(shape, span);
        };
        let power = 65_536 % span;
        // 2³² modulo the span: the weight of the higher word.
        let multiplier = power.wrapping_mul(power) % span;
        let span = self.number(Literal::U32(span), shape)?;
        let higher = self.binary(Binary::Rem, &self.half(shape, 0)?, &span)?;
        let higher = self.binary(Binary::Mul, &higher, &self.number(Literal::U32(multiplier), shape)?)?;
        let lower = self.binary(Binary::Rem, &self.half(shape, 1)?, &span)?;
        self.binary(Binary::Rem, &self.binary(Binary::Add, &higher, &lower)?, &span)
    }

    /// The higher or the lower of 64 random bits.
    fn half(&self, shape: &Shape, which: u32) -> Result<Tensor> {
        let zero = self.constant(0, &Shape::scalar())?;
        let (x, y) = self.block(&zero, &self.constant(which, &Shape::scalar())?)?;
        Stream { name: self.name, key: [x, y] }.bits(shape)
    }

    /// [`Stream::below`] of spans beyond 2¹⁶: the higher half of 64 random bits times the span. JAX
    /// takes a remainder by what is 0 in 32 bits, and some numbers come twice as often as others.
    /// By itself, so that it can come with what is fetched when it is called.
    ///
    /// Deferred: few draws span more than 2²⁴ integers.
    #[inline(never)]
    fn below_wide(&self, shape: &Shape, span: u64) -> Result<Tensor> {
        let high = self.half(shape, 0)?;
        let Ok(span) = u32::try_from(span) else { return Ok(high) };
        let product = self.binary(Binary::Mul, &high, &self.number(Literal::U32(span), shape)?)?;
        let sum = self.binary(Binary::Add, &product, &self.higher(&self.half(shape, 1)?, span)?)?;
        let carry = build::compare(self.name, Compare::Lt, &sum, &product)?;
        self.binary(Binary::Add, &self.higher(&high, span)?, &build::cast(self.name, &carry, DType::U32)?)
    }

    /// The higher word of the product of numbers and one that is the same for all.
    fn higher(&self, x: &Tensor, by: u32) -> Result<Tensor> {
        let shape = x.shape();
        let halves = [by & 0xffff, by >> 16].map(|half| self.number(Literal::U32(half), shape));
        let [low, high] = halves;
        let (low, high) = (low?, high?);
        let (mask, sixteen) = (self.constant(0xffff, shape)?, self.constant(16, shape)?);
        let lower = |x: &Tensor| self.binary(Binary::And, x, &mask);
        let upper = |x: &Tensor| self.binary(Binary::Shr, x, &sixteen);
        let (own_low, own_high) = (lower(x)?, upper(x)?);
        let product = |a: &Tensor, b: &Tensor| self.binary(Binary::Mul, a, b);
        let (inner, outer) = (product(&own_low, &high)?, product(&own_high, &low)?);
        let sum = |a: &Tensor, b: &Tensor| self.binary(Binary::Add, a, b);
        let middle = sum(&sum(&upper(&product(&own_low, &low)?)?, &lower(&inner)?)?, &lower(&outer)?)?;
        let above = sum(&sum(&upper(&inner)?, &upper(&outer)?)?, &upper(&middle)?)?;
        sum(&product(&own_high, &high)?, &above)
    }
}

#[cfg(test)]
mod tests {
    use super::threefry;

    #[test]
    fn the_published_block_comes_out() {
        // Random123's known-answer test for threefry2x32 with 20 rounds.
        assert_eq!(threefry([0, 0], [0, 0]), [0x6B20_0159, 0x99BA_4EFE]);
        let ones = u32::MAX;
        assert_eq!(threefry([ones, ones], [ones, ones]), [0x1CB9_96FC, 0xBB00_2BE7]);
    }
}
