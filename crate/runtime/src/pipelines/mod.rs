//! Pipeline cache: one pipeline per distinct kernel, with explicit layouts that kernels of like
//! bindings share.
//!
//! A kernel that the device refuses is kept as such, so that it is refused again at once.

mod background;
pub(crate) mod bindings;
mod compile_times;
mod own;
pub(crate) mod prepare;
mod shader;

pub use background::BackgroundCompiler;
pub(crate) use compile_times::CompileTimes;

use crate::device::gpu::{Gpu, MOST_STORAGE_BUFFERS};
use crate::device::health::Check;
use crate::device::stats::count;
use crate::submission::pace::KernelPace;
use shader::Shader;
use std::num::NonZeroU64;
use std::rc::Rc;
use weft_ir::HashMap;
use weft_ir::error::{Error, ErrorKind, Result};
use weft_ir::kernel::{Kernel, Space};
use weft_ir::order;
use wgpu::{BindingType, BufferBindingType, ShaderStages};

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
    kernel: Shader,
    /// What serves until the kernel is compiled, and computes the same bits: its text is short.
    first: Option<Shader>,
    key: LayoutKey,
    pub layout: Rc<BindingLayout>,
    /// Whether the device took it.
    pub check: Rc<Check>,
    /// How fast it is, once it was run in pieces.
    pub pace: KernelPace,
}

impl Pipeline {
    /// Whether the browser still compiles all that could serve.
    pub fn is_awaited(&self) -> bool {
        self.kernel.is_awaited() && self.first.as_ref().is_none_or(Shader::is_awaited)
    }

    /// The nanoseconds that compiling the kernel took, 0 until that is known.
    pub fn took(&self) -> f64 {
        self.kernel.took.get()
    }

    /// What a pass is given, made now if it was not yet. The kernel is asked for when what serves
    /// until then does, so that the two are not compiled beside each other.
    #[inline(never)]
    pub fn compute(&self, gpu: &Gpu) -> &wgpu::ComputePipeline {
        match &self.first {
            Some(first) if self.kernel.is_awaited() => {
                self.ask_for_kernel(gpu);
                first.compute(gpu, self)
            }
            _ => self.kernel.compute(gpu, self),
        }
    }

    /// Has the kernel compiled in the background, if another serves until then.
    pub fn ask_for_kernel(&self, gpu: &Gpu) {
        if self.first.is_some() && !self.kernel.is_asked.replace(true) {
            self.kernel.compile_ahead(gpu, self.key, true);
        }
    }

    /// Whether the kernel itself serves.
    pub fn is_final(&self) -> bool {
        !self.kernel.is_awaited()
    }
}

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
    /// Whether people would wait for a kernel, which is not being compiled yet.
    pub fn is_slow(&self, gpu: &Gpu, kernel: &Kernel) -> bool {
        gpu.has_tiers && gpu.compile_times.is_slow(kernel) && !self.kernels.contains_key(kernel)
    }

    /// The pipeline of a kernel; a new one has `first` serve until it is compiled. Errors with
    /// `Internal` when the device is known to refuse it.
    pub fn get(&mut self, gpu: &Gpu, kernel: &Kernel, first: Option<&Kernel>) -> Result<Rc<Pipeline>> {
        self.clock += 1;
        let pipeline = match self.kernels.get_mut(kernel) {
            Some(kept) => {
                kept.used = self.clock;
                kept.pipeline.clone()
            }
            None => {
                let pipeline = Rc::new(self.create(gpu, kernel, first)?);
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

    fn create(&mut self, gpu: &Gpu, kernel: &Kernel, first: Option<&Kernel>) -> Result<Pipeline> {
        let (layout, key) = self.layout(gpu, kernel)?;
        count(&gpu.counters.pipelines, 1);
        let pipeline = Pipeline {
            name: kernel.name.clone(),
            kernel: Shader::new(kernel, first.is_some()),
            first: first.map(|first| Shader::new(first, false)),
            key,
            layout,
            check: Rc::default(),
            pace: KernelPace::default(),
        };
        pipeline.first.as_ref().unwrap_or(&pipeline.kernel).compile_ahead(gpu, key, false);
        if !pipeline.is_awaited() {
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
