//! Pipeline cache: one pipeline per distinct kernel, with explicit layouts that kernels of like
//! bindings share.
//!
//! A kernel that the device refuses is kept as such, so that it is refused again at once.

pub(crate) mod bindings;
mod own;
pub(crate) mod prepare;

use crate::device::clock::now;
use crate::device::gpu::{Gpu, MOST_STORAGE_BUFFERS};
use crate::device::health::{Check, translate};
use crate::device::stats::count;
use crate::submission::pace::KernelPace;
use std::cell::{Cell, OnceCell, RefCell};
use std::num::NonZeroU64;
use std::rc::Rc;
use weft_compile::target::wgsl::{self, Dialect};
use weft_ir::HashMap;
use weft_ir::error::{Error, ErrorKind, Result};
use weft_ir::kernel::{Kernel, Space};
use weft_ir::order;
use wgpu::{BindingType, BufferBindingType, ErrorFilter, ShaderStages};

/// Pipelines kept; beyond, those used longest ago go. Prepared programs keep theirs in any case.
const MOST_PIPELINES: usize = 1024;

/// What a layout depends upon.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct LayoutKey {
    storage: u32,
    /// Bit n is set when storage binding n is written.
    written: u32,
    /// Bytes of the uniform block; 0 for none.
    uniform_bytes: u32,
}

/// The layout of a kernel's only bind group.
pub(crate) struct BindingLayout {
    /// Part of the key of bind groups.
    pub number: u64,
    pub group: wgpu::BindGroupLayout,
    pub pipeline: wgpu::PipelineLayout,
    /// Bytes of the uniform block bound after the storage arrays; 0 for none.
    pub uniform_bytes: u32,
}

/// A kernel on the device.
pub(crate) struct Pipeline {
    pub name: String,
    compute: OnceCell<wgpu::ComputePipeline>,
    /// WGSL, until it is made.
    source: RefCell<String>,
    pub layout: Rc<BindingLayout>,
    /// Whether the device took it.
    pub check: Rc<Check>,
    /// How fast it is, once it was run in pieces.
    pub pace: KernelPace,
    /// Whether a user wrote it in WGSL.
    is_own: bool,
    /// Whether the browser compiles it.
    awaited: Rc<Cell<bool>>,
    /// The nanoseconds that compiling took, once that is known.
    pub took: Rc<Cell<f64>>,
}

impl Pipeline {
    /// Whether the browser still compiles it.
    pub fn is_awaited(&self) -> bool {
        self.awaited.get()
    }

    /// What a pass is given, made now if it was not yet.
    pub fn compute(&self, gpu: &Gpu) -> &wgpu::ComputePipeline {
        self.compute.get_or_init(|| {
            let (name, source) = (self.name.clone(), self.source.take());
            let text = if self.is_own { source.clone() } else { String::new() };
            let describe = move |error: wgpu::Error| {
                if let (false, wgpu::Error::Validation { .. }) = (text.is_empty(), &error) {
                    return own::refused(&name, &text, &error.to_string());
                }
                let what = format!("the device refused the kernel {name:?}, a defect in Weft");
                translate(error, "compile", &what)
            };
            let filters = [ErrorFilter::OutOfMemory, ErrorFilter::Internal, ErrorFilter::Validation];
            gpu.health.watch_for(&self.check, &gpu.device, &filters, describe, || {
                let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
                    label: Some(&self.name),
                    source: wgpu::ShaderSource::Wgsl(source.into()),
                });
                gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                    label: Some(&self.name),
                    layout: Some(&self.layout.pipeline),
                    module: &module,
                    entry_point: None,
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    cache: None,
                })
            })
        })
    }

    /// Has the browser compile it in the background, past wgpu. Says whether it does.
    #[cfg(target_arch = "wasm32")]
    fn compile_ahead(&self, gpu: &Gpu, key: LayoutKey) -> bool {
        let Some(compiler) = &gpu.compiler else { return false };
        let (awaited, notify) = (self.awaited.clone(), gpu.health.notify.clone());
        let (took, began) = (self.took.clone(), now());
        let done = wasm_bindgen::closure::Closure::once_into_js(move || {
            awaited.set(false);
            took.set(now() - began);
            notify.notify_all();
        });
        self.awaited.set(true);
        let (code, LayoutKey { storage, written, uniform_bytes }) = (&self.source.borrow(), key);
        let is_under_way = compiler.call(None, code, storage, written, uniform_bytes, done).is_ok();
        self.awaited.set(self.is_awaited() && is_under_way);
        is_under_way
    }

    /// Natively compiling is done when the call is.
    #[cfg(not(target_arch = "wasm32"))]
    fn compile_ahead(&self, gpu: &Gpu, _: LayoutKey) -> bool {
        let began = now();
        self.compute(gpu);
        self.took.set(now() - began);
        true
    }
}

/// What [`OpenOptions::web_compiler`](crate::OpenOptions) is.
#[cfg(target_arch = "wasm32")]
mod web {
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen]
    extern "C" {
        /// A function of JavaScript's.
        #[wasm_bindgen(js_name = Function)]
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub type WebCompiler;
        /// Calls it; the receiver is nothing.
        #[wasm_bindgen(method, catch)]
        pub fn call(
            this: &WebCompiler,
            receiver: Option<bool>,
            code: &str,
            storage: u32,
            written: u32,
            uniform_bytes: u32,
            done: JsValue,
        ) -> std::result::Result<(), JsValue>;
    }
}
#[cfg(target_arch = "wasm32")]
pub use web::WebCompiler;

struct Kept {
    pipeline: Rc<Pipeline>,
    used: u64,
}

/// All pipelines of a device.
#[derive(Default)]
pub(crate) struct Pipelines {
    kernels: HashMap<Kernel, Kept>,
    layouts: HashMap<LayoutKey, Rc<BindingLayout>>,
    clock: u64,
}

impl Pipelines {
    /// The pipeline of a kernel. Errors with `Internal` when the device is known to refuse it.
    pub fn get(&mut self, gpu: &Gpu, kernel: &Kernel) -> Result<Rc<Pipeline>> {
        self.clock += 1;
        let pipeline = match self.kernels.get_mut(kernel) {
            Some(kept) => {
                kept.used = self.clock;
                kept.pipeline.clone()
            }
            None => {
                let pipeline = Rc::new(self.create(gpu, kernel)?);
                self.make_room();
                let kept = Kept { pipeline: pipeline.clone(), used: self.clock };
                self.kernels.insert(kernel.clone(), kept);
                pipeline
            }
        };
        match pipeline.check.failure() {
            Some(error) => Err(gpu.health.tell(error)),
            None => Ok(pipeline),
        }
    }

    /// Drops the quarter used longest ago when the cache is full.
    fn make_room(&mut self) {
        if self.kernels.len() < MOST_PIPELINES {
            return;
        }
        let mut uses: Vec<u64> = self.kernels.values().map(|kept| kept.used).collect();
        order::sort_by_key(&mut uses, |used| used);
        let old = uses[MOST_PIPELINES / 4];
        self.kernels.retain(|_, kept| kept.used > old);
    }

    fn create(&mut self, gpu: &Gpu, kernel: &Kernel) -> Result<Pipeline> {
        let (layout, key) = self.layout(gpu, kernel)?;
        count(&gpu.counters.pipelines, 1);
        let pipeline = Pipeline {
            name: kernel.name.clone(),
            compute: OnceCell::new(),
            source: RefCell::new(wgsl::print(kernel, Dialect::HERE)),
            layout,
            check: Rc::default(),
            pace: KernelPace::default(),
            is_own: kernel.source.is_some(),
            awaited: Rc::default(),
            took: Rc::default(),
        };
        if !pipeline.compile_ahead(gpu, key) {
            pipeline.compute(gpu);
        }
        Ok(pipeline)
    }

    fn layout(&mut self, gpu: &Gpu, kernel: &Kernel) -> Result<(Rc<BindingLayout>, LayoutKey)> {
        let storage = kernel.storage().count() as u32;
        if storage > gpu.limits.storage_buffers.min(MOST_STORAGE_BUFFERS) {
            let message = format!(
                "the kernel {:?} binds {storage} arrays, and this device takes {}: a defect in Weft",
                kernel.name, gpu.limits.storage_buffers
            );
            return Err(Error::new(ErrorKind::Internal, "compile", message));
        }
        let written = kernel
            .storage()
            .enumerate()
            .filter(|(_, (_, array))| array.space != Space::Read)
            .fold(0, |bits, (n, _)| bits | 1 << n);
        let uniform_bytes = kernel.uniforms.len().div_ceil(4) as u32 * 16;
        let key = LayoutKey { storage, written, uniform_bytes };
        let number = self.layouts.len() as u64;
        let layout = self.layouts.entry(key).or_insert_with(|| Rc::new(create_layout(gpu, key, number)));
        Ok((layout.clone(), key))
    }
}

fn create_layout(gpu: &Gpu, key: LayoutKey, number: u64) -> BindingLayout {
    let entry = |binding, ty, dynamic, least| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: ShaderStages::COMPUTE,
        ty: BindingType::Buffer { ty, has_dynamic_offset: dynamic, min_binding_size: NonZeroU64::new(least) },
        count: None,
    };
    let mut entries: Vec<_> = (0..key.storage)
        .map(|n| {
            let read_only = key.written >> n & 1 == 0;
            entry(n, BufferBindingType::Storage { read_only }, false, 0)
        })
        .collect();
    if key.uniform_bytes > 0 {
        entries.push(entry(key.storage, BufferBindingType::Uniform, true, u64::from(key.uniform_bytes)));
    }
    let group = gpu
        .device
        .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries });
    let pipeline = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: None,
        bind_group_layouts: &[Some(&group)],
        immediate_size: 0,
    });
    BindingLayout { number, group, pipeline, uniform_bytes: key.uniform_bytes }
}
