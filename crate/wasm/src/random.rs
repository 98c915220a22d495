//! Random numbers by key, or, for handle 0, from the stateful generator.

use crate::error::Result;
use crate::session::{adopt, device, dtype, extents, map, with, with_all};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;
use weft::random::{self, Generator};
use weft::{Device, Tensor};

thread_local! {
    /// Belongs to no device: it goes on where it was when another is opened.
    static GENERATOR: RefCell<Option<Generator>> = const { RefCell::new(None) };
}

fn generator() -> Generator {
    GENERATOR.with_borrow_mut(|generator| generator.get_or_insert_with(|| Generator::new(0)).clone())
}

/// Draws by the key, or from the generator.
fn draw(
    op: &str,
    key: u32,
    keyed: impl FnOnce(&Tensor) -> weft::Result<Tensor>,
    stateful: impl FnOnce(&Device, &Generator) -> weft::Result<Tensor>,
) -> weft::Result<Tensor> {
    if key == 0 { stateful(&device()?, &generator()) } else { with(op, key, keyed) }
}

/// Restarts the stateful generator.
#[wasm_bindgen]
pub fn random_seed(high: u32, low: u32) {
    generator().reseed(whole(high, low));
}

/// Where the stateful generator is: four words.
#[wasm_bindgen]
pub fn random_state() -> Vec<u32> {
    generator().state().to_vec()
}

/// Has the stateful generator go on from there.
#[wasm_bindgen]
pub fn random_restore(a: u32, b: u32, c: u32, d: u32) {
    generator().restore([a, b, c, d]);
}

/// The number of 64 bits that these halves make.
fn whole(high: u32, low: u32) -> i64 {
    i64::from(high as i32) << 32 | i64::from(low)
}

/// The key of a seed.
#[wasm_bindgen]
pub fn random_key(high: u32, low: u32) -> Result<u32> {
    adopt(random::key(&device()?, whole(high, low))?)
}

/// The next key of the stateful generator.
#[wasm_bindgen]
pub fn random_next() -> Result<u32> {
    adopt(generator().key(&device()?)?)
}

/// New keys from a key.
#[wasm_bindgen]
pub fn random_split(key: u32, count: u32) -> Result<u32> {
    map("random.split", key, |key| random::split(key, count as usize))
}

/// A new key from a key and a number.
#[wasm_bindgen]
pub fn random_fold_in(key: u32, number: u32) -> Result<u32> {
    map("random.foldIn", key, |key| random::fold_in(key, number))
}

/// A new key from a key and a 0-d integer.
#[wasm_bindgen]
pub fn random_fold_in_tensor(key: u32, number: u32) -> Result<u32> {
    let op = "random.foldIn";
    adopt(with_all(op, &[key, number], |tensors| random::fold_in_tensor(tensors[0], tensors[1]))?)
}

/// Uniform u32.
#[wasm_bindgen]
pub fn random_bits(key: u32, shape: &[u32]) -> Result<u32> {
    let shape = extents(shape);
    let drawn = draw(
        "random.bits",
        key,
        |key| random::bits(key, &shape),
        |device, generator| generator.bits(device, &shape),
    );
    adopt(drawn?)
}

/// Uniform f32 in [low, high).
#[wasm_bindgen]
pub fn random_uniform(key: u32, shape: &[u32], low: f64, high: f64) -> Result<u32> {
    let shape = extents(shape);
    let drawn = draw(
        "random.uniform",
        key,
        |key| random::uniform(key, &shape, low, high),
        |device, generator| generator.uniform(device, &shape, low, high),
    );
    adopt(drawn?)
}

/// Normal f32 of a mean and a standard deviation.
#[wasm_bindgen]
pub fn random_normal(key: u32, shape: &[u32], mean: f64, deviation: f64) -> Result<u32> {
    let shape = extents(shape);
    let drawn = draw(
        "random.normal",
        key,
        |key| random::normal(key, &shape, mean, deviation),
        |device, generator| generator.normal(device, &shape, mean, deviation),
    );
    adopt(drawn?)
}

/// Whole numbers in [low, high).
#[wasm_bindgen]
pub fn random_randint(key: u32, shape: &[u32], low: f64, high: f64, of: u32) -> Result<u32> {
    const OP: &str = "random.randint";
    let (shape, of) = (extents(shape), dtype(OP, of)?);
    let drawn = draw(
        OP,
        key,
        |key| random::randint(key, &shape, low, high, of),
        |device, generator| generator.randint(device, &shape, low, high, of),
    );
    adopt(drawn?)
}

/// True with a probability.
#[wasm_bindgen]
pub fn random_bernoulli(key: u32, shape: &[u32], probability: f64) -> Result<u32> {
    let shape = extents(shape);
    let drawn = draw(
        "random.bernoulli",
        key,
        |key| random::bernoulli(key, probability, &shape),
        |device, generator| generator.bernoulli(device, probability, &shape),
    );
    adopt(drawn?)
}
