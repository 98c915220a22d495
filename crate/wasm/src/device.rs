//! Devices: opened as the CPU or WebGPU, one at a time, and described.

use crate::error::Result;
use crate::read::promise;
use crate::session::{device, set_next};
use js_sys::{Object, Promise, Reflect};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use wasm_bindgen::prelude::*;
use weft::Device;
use weft_runtime::{AdapterFacts, OpenOptions, Power};

/// Opens a device without using it yet: the CPU, or WebGPU with what JavaScript found out about the
/// adapter, an object of `vendor`, `architecture`, `description`, `isFallback`, `subgroups`,
/// `lowPower` and `oneTier`. The adapter is asked for before this returns: JavaScript sees to it
/// which one that is.
#[wasm_bindgen]
pub fn open(cpu: bool, facts: JsValue) -> Promise {
    let mut opening: Pin<Box<dyn Future<Output = weft::Result<Device>>>> =
        if cpu { Box::pin(async { Ok(Device::cpu()) }) } else { Box::pin(Device::gpu(options(&facts))) };
    let begun = opening.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    promise(async move {
        let opened = match begun {
            Poll::Ready(opened) => opened?,
            Poll::Pending => opening.await?,
        };
        set_next(opened);
        Ok(JsValue::UNDEFINED)
    })
}

fn options(facts: &JsValue) -> OpenOptions {
    let field = |name: &str| Reflect::get(facts, &name.into()).unwrap_or_default();
    let text = |name: &str| field(name).as_string().unwrap_or_default();
    OpenOptions {
        power: if field("lowPower").is_truthy() { Power::LowPower } else { Power::HighPerformance },
        web_subgroups: field("subgroups").is_truthy(),
        web_adapter: Some(AdapterFacts {
            vendor: text("vendor"),
            architecture: text("architecture"),
            description: text("description"),
            backend: "webgpu".to_owned(),
            is_fallback: field("isFallback").is_truthy(),
        }),
        one_tier: field("oneTier").is_truthy(),
        compiler: field("compiler").is_object().then(|| field("compiler").unchecked_into()),
        ..OpenOptions::default()
    }
}

/// Whether the open device is a GPU that was lost.
#[wasm_bindgen]
pub fn is_lost() -> bool {
    device().is_ok_and(|device| device.is_lost())
}

/// Counts the peak of memory from now on.
#[wasm_bindgen]
pub fn reset_peak() -> Result<()> {
    device()?.reset_peak();
    Ok(())
}

/// The device's counters and memory, as an object with the names that the package documents; of a
/// label's work, if that is given.
#[wasm_bindgen]
pub fn stats(label: Option<u32>) -> Result<Object> {
    let device = device()?;
    let stats = label.map_or_else(|| device.stats(), |label| device.stats_of(label));
    let object = Object::new();
    let fields = [
        ("submits", stats.submits),
        ("passes", stats.passes),
        ("dispatches", stats.dispatches),
        ("pipelinesCompiled", stats.pipelines_compiled),
        ("buffersCreated", stats.buffers_created),
        ("bytesLive", stats.bytes_live),
        ("bytesPeak", stats.bytes_peak),
        ("bytesPooled", stats.bytes_pooled),
        ("programHits", stats.program_hits),
        ("programMisses", stats.program_misses),
    ];
    for (name, value) in fields {
        // Setting a property of a new object cannot fail.
        let _ = Reflect::set(&object, &name.into(), &(value as f64).into());
    }
    Ok(object)
}
