//! Helpers of the tests: the devices they run on, and the conformance cases as committed.

#![allow(dead_code, reason = "each test uses its part")]

pub mod call;
pub mod case;
pub mod control;
pub mod program;
#[path = "../../../compile/tests/common/rotation.rs"]
pub mod rotation;
pub mod windows;

use serde_json::Value;
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use weft::{DType, Device, Tensor};
use weft_ir::functions::half;
#[cfg(not(target_arch = "wasm32"))]
use weft_runtime::BackgroundCompiler;
use weft_runtime::{AdapterFacts, OpenOptions};

/// The CPU device.
pub fn cpu() -> Device {
    Device::cpu()
}

/// A GPU, or a software driver, with its own device model. Without either the test fails.
pub fn gpu() -> Device {
    pollster::block_on(Device::gpu(Default::default()))
        .expect("a GPU, or a Vulkan driver that stands for one")
}

/// The same with the GPU's model and the least that WebGPU allows, as phones have both: it runs the
/// kernels that share workgroup memory and wait at barriers. Every branch, and every end of a loop,
/// is left to the device, however little that saves.
pub fn phone() -> Device {
    let web_adapter = Some(AdapterFacts { is_fallback: false, ..AdapterFacts::default() });
    let least_spared = Some(0);
    let options = OpenOptions { web_adapter, least_spared, least_limits: true, ..OpenOptions::default() };
    pollster::block_on(Device::gpu(options)).expect("a GPU, or a Vulkan driver that stands for one")
}

/// The same with the GPU's model and all that the driver has, subgroups too where it has them.
pub fn hardware() -> Device {
    let web_adapter = Some(AdapterFacts { is_fallback: false, ..AdapterFacts::default() });
    let options = OpenOptions { web_adapter, ..OpenOptions::default() };
    pollster::block_on(Device::gpu(options)).expect("a GPU, or a Vulkan driver that stands for one")
}

/// What is to be called when kernels are compiled for which others serve.
pub type Served = Rc<RefCell<Vec<Box<dyn FnOnce()>>>>;

/// The same, where every kernel that has a shorter text begins with that, and takes over when it is
/// called. Natively alone: pages compile by their own.
#[cfg(not(target_arch = "wasm32"))]
pub fn tiers() -> (Device, Served) {
    let held = Served::default();
    let list = Rc::clone(&held);
    let compile = move |_: &str, served, done: Box<dyn FnOnce()>| match served {
        true => list.borrow_mut().push(done),
        false => done(),
    };
    let options = OpenOptions {
        web_adapter: Some(AdapterFacts { is_fallback: false, ..AdapterFacts::default() }),
        compiler: Some(BackgroundCompiler(Rc::new(compile))),
        ..OpenOptions::default()
    };
    let device = pollster::block_on(Device::gpu(options)).expect("a GPU, or a driver that stands for one");
    // Every kernel takes forever, whatever is measured.
    device.runtime().expect("it is a GPU").learn_compile_times(&[1e200]);
    (device, held)
}

/// Waits for a future.
pub fn wait<T>(future: impl Future<Output = T>) -> T {
    pollster::block_on(future)
}

/// The values of an f32 tensor.
pub fn floats(tensor: &Tensor) -> Vec<f32> {
    wait(tensor.data::<f32>()).expect("the tensor can be read")
}

/// The only value of a tensor.
pub fn item(tensor: &Tensor) -> f64 {
    wait(tensor.item()).expect("the tensor can be read")
}

/// The cases of a group, whose file is in a folder of `tests/conformance/cases`, or beside those.
pub fn cases(group: &str) -> Vec<Value> {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance/cases");
    let entries = std::fs::read_dir(&all).expect("the cases are there");
    let mut folders: Vec<_> = entries.map(|entry| entry.expect("an entry can be read").path()).collect();
    folders.retain(|path| path.is_dir());
    folders.push(all);
    let paths = folders.iter().map(|folder| folder.join(format!("{group}.json")));
    let path =
        paths.into_iter().find(|path| path.exists()).unwrap_or_else(|| panic!("no group is named {group}"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    match serde_json::from_str(&text).expect("the file is JSON") {
        Value::Array(cases) => cases,
        _ => panic!("{} is not an array", path.display()),
    }
}

/// A number as the cases write it: also `"nan"`, `"inf"`, `"-inf"`, `"-0"`, and truth.
pub fn number(value: &Value) -> f64 {
    match value {
        Value::Number(n) => n.as_f64().expect("a JSON number is an f64"),
        Value::Bool(b) => f64::from(u8::from(*b)),
        Value::String(s) => s.parse().expect("a number in words"),
        other => panic!("{other} is not a number"),
    }
}

/// A list of integers.
pub fn integers(value: &Value) -> Vec<i64> {
    value.as_array().expect("a list").iter().map(|v| v.as_i64().expect("an integer")).collect()
}

/// A list of extents.
pub fn extents(value: &Value) -> Vec<usize> {
    integers(value).into_iter().map(|e| usize::try_from(e).expect("an extent")).collect()
}

/// A tensor as the cases write it, in memory.
pub struct Expected {
    pub shape: Vec<usize>,
    pub dtype: DType,
    pub numbers: Vec<f64>,
}

impl Expected {
    pub fn parse(value: &Value) -> Expected {
        let dtype = DType::parse("test", value["dtype"].as_str().expect("a dtype")).expect("a dtype");
        let numbers = value["data"].as_array().expect("data").iter().map(number);
        let round = |x: f64| match dtype {
            DType::F32 => f64::from(x as f32),
            DType::F16 => f64::from(half::from_bits(half::to_bits(x as f32))),
            _ => x,
        };
        Expected { shape: extents(&value["shape"]), dtype, numbers: numbers.map(round).collect() }
    }

    /// The words a buffer holds for it.
    pub fn words(&self) -> Vec<u32> {
        let word = |&x: &f64| match self.dtype {
            DType::F32 => (x as f32).to_bits(),
            DType::I32 => x as i32 as u32,
            DType::U32 => x as u32,
            DType::Bool => u32::from(x != 0.0),
            DType::F16 => half::to_bits(x as f32),
            DType::I8 => u32::from(x as i8 as u8),
            DType::U8 => u32::from(x as u8),
        };
        let (lanes, bits) = (self.dtype.lanes(), 32 / self.dtype.lanes());
        let elements: Vec<u32> = self.numbers.iter().map(word).collect();
        let packed = |group: &[u32]| (0..).zip(group).fold(0, |all, (lane, x)| all | x << (lane * bits));
        elements.chunks(lanes).map(packed).collect()
    }

    pub fn upload(&self, device: &Device) -> Tensor {
        device.from_words(&self.words(), &self.shape, self.dtype).expect("the case's tensor is well formed")
    }
}

/// The words that elements have in the dtype in which they are computed.
fn elements(words: &[u32], dtype: DType, count: usize) -> Vec<u32> {
    let (lanes, bits) = (dtype.lanes(), 32 / dtype.lanes());
    let element = |n: usize| match (words[n / lanes], n % lanes * bits) {
        (word, _) if lanes == 1 => word,
        (word, shift) if dtype == DType::F16 => half::from_bits(word >> shift).to_bits(),
        (word, shift) if dtype == DType::I8 => (word >> shift) as i8 as u32,
        (word, shift) => word >> shift & 0xff,
    };
    (0..count).map(element).collect()
}

/// What differs between a tensor and what was expected of it, if anything does.
pub fn difference(actual: &Tensor, expected: &Value, tolerance: &Value) -> Option<String> {
    match wait(actual.words()) {
        Ok(words) => difference_of(actual, &words, expected, tolerance),
        Err(error) => Some(format!("reading failed: {error}")),
    }
}

/// As [`difference`], for a tensor whose words were read.
pub fn difference_of(actual: &Tensor, words: &[u32], expected: &Value, tolerance: &Value) -> Option<String> {
    let window = expected["window"].as_array().map(|w| extents(&Value::Array(w.clone())));
    let expected = Expected::parse(expected);
    if (actual.shape()[..] != expected.shape[..]) || actual.dtype() != expected.dtype {
        return Some(format!("is {actual}, expected {}{:?}", expected.dtype, expected.shape));
    }
    let elements = elements(words, actual.dtype(), actual.size());
    let words = window.map_or(&elements[..], |w| &elements[w[0]..w[1]]);
    if words.len() != expected.numbers.len() {
        return Some(format!("has {} elements, expected {}", words.len(), expected.numbers.len()));
    }
    let (abs, rel) = (number(&tolerance["abs"]), number(&tolerance["rel"]));
    for (i, (&word, &wanted)) in words.iter().zip(&expected.numbers).enumerate() {
        let found = match expected.dtype.computed() {
            DType::F32 => f64::from(f32::from_bits(word)),
            DType::I32 => f64::from(word as i32),
            _ => f64::from(word),
        };
        let close =
            found.is_finite() && wanted.is_finite() && (found - wanted).abs() <= abs + rel * wanted.abs();
        if !(found == wanted || (found.is_nan() && wanted.is_nan()) || close) {
            let off = (found - wanted).abs();
            return Some(format!(
                "element {i} is {found:e}, expected {wanted:e} (off by {off:.3e}, allowed {:.3e})",
                abs + rel * wanted.abs()
            ));
        }
    }
    None
}
