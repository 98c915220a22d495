//! Opening a device: finds an adapter, asks for all it offers, and says what the compiler may count
//! on. A [`Gpu`] is what everything else in this crate builds on: the device, its queue and limits,
//! its health, and the counters.

use super::health::Health;
use super::stats::{Counters, count};
use crate::pipelines::{BackgroundCompiler, CompileTimes};
use std::rc::Rc;
use weft_compile::{DeviceModel, Limits};
use weft_ir::error::{Error, ErrorKind, Result};
use wgpu::{CommandEncoder, ComputePass, Features, PowerPreference};

/// Which of several adapters is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Power {
    /// The fastest, usually a discrete GPU.
    #[default]
    HighPerformance,
    /// The one that saves power.
    LowPower,
}

/// How to open a device.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OpenOptions {
    /// Which adapter is preferred.
    pub power: Power,
    /// Takes a software adapter, natively. In a browser the page chooses: wgpu does not pass the
    /// wish on, so JavaScript wraps `GPU.requestAdapter`.
    pub force_fallback: bool,
    /// Bytes of tensors, in use and pooled, that may exist at once; more is `OutOfMemory`. `None`
    /// leaves it to the device.
    pub memory_budget: Option<u64>,
    /// Runs are cut into pieces of this many operations, as the compiler counts them. `None` cuts
    /// only long ones, by time.
    pub piece_operations: Option<u64>,
    /// Branches that save this many operations, as the compiler counts them, are left to the
    /// device. `None` for as many as that is worth.
    pub least_spared: Option<u64>,
    /// In a browser: JavaScript sees to it that `requestDevice` gives a device with `subgroups`,
    /// for which wgpu does not ask.
    pub web_subgroups: bool,
    /// What is known of the adapter by other ways than wgpu. In a browser: what JavaScript read
    /// from `adapter.info`, which wgpu does not pass on. Natively, in tests: software that is to be
    /// taken for hardware, so that it runs hardware's kernels.
    pub web_adapter: Option<AdapterFacts>,
    /// Compiles a pipeline without holding anything up: natively, in tests; in a browser a function
    /// of JavaScript's. That takes the WGSL, the number of storage arrays that it binds, a number
    /// whose bit n is set where array n is written, the bytes of its uniforms, whether another
    /// serves meanwhile, and what to call when it is done; wgpu's call for the same pipeline then
    /// returns at once.
    pub compiler: Option<BackgroundCompiler>,
    /// Whether each kernel has one text for good, the fastest, and runs wait for it.
    pub one_tier: bool,
    /// Asks for no more than every device with WebGPU gives, and no feature: what runs so runs on a
    /// phone.
    pub least_limits: bool,
}

/// What is known of an adapter, for badges, tuning keys and bug reports. Unknown strings are empty.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct AdapterFacts {
    /// For instance `nvidia`.
    pub vendor: String,
    /// For instance `ampere`; natively the driver's name.
    pub architecture: String,
    /// The adapter's full name.
    pub description: String,
    /// `webgpu`, `vulkan`, `metal` or `dx12`.
    pub backend: String,
    /// Whether it is software.
    pub is_fallback: bool,
}

/// An open device, without anything that lives on it.
pub(crate) struct Gpu {
    #[cfg(target_arch = "wasm32")]
    pub instance: wgpu::Instance,
    #[cfg(target_arch = "wasm32")]
    pub adapter: wgpu::Adapter,
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub features: Features,
    pub limits: Limits,
    /// Bytes of the largest buffer.
    pub buffer_bytes: u64,
    /// What the dynamic offsets of uniforms are multiples of.
    pub uniform_alignment: u32,
    pub facts: AdapterFacts,
    pub health: Health,
    pub counters: Counters,
    /// See [`OpenOptions`].
    pub compiler: Option<BackgroundCompiler>,
    /// Whether kernels that are compiled soon may serve until others are.
    pub has_tiers: bool,
    /// How long it takes.
    pub compile_times: Rc<CompileTimes>,
}

/// Storage bindings beyond this number would not make a kernel better, and layouts keep access as
/// bits of a u32.
pub(crate) const MOST_STORAGE_BUFFERS: u32 = 32;

impl Gpu {
    /// See [`Runtime::open`](crate::Runtime::open).
    pub async fn open(options: &OpenOptions) -> Result<Gpu> {
        let instance = instance()?;
        let adapter = instance
            .request_adapter(&wgpu::RequestAdapterOptions {
                power_preference: match options.power {
                    Power::HighPerformance => PowerPreference::HighPerformance,
                    Power::LowPower => PowerPreference::LowPower,
                },
                force_fallback_adapter: options.force_fallback,
                ..Default::default()
            })
            .await
            .map_err(|e| adapter_error(format!("there is no WebGPU adapter ({e}); {NO_ADAPTER_HELP}")))?;

        let (features, own) = if options.least_limits {
            (Features::empty(), wgpu::Limits::default())
        } else {
            (adapter.features() & (Features::TIMESTAMP_QUERY | Features::SUBGROUP), adapter.limits())
        };
        let (device, queue) = adapter
            .request_device(&wgpu::DeviceDescriptor {
                label: Some("weft"),
                required_features: features,
                required_limits: own.clone(),
                ..Default::default()
            })
            .await
            .map_err(|e| adapter_error(format!("the adapter gave no device: {e}")))?;

        let facts = options.web_adapter.clone().unwrap_or_else(|| facts(&adapter.get_info()));
        let model = DeviceModel::of(facts.is_fallback);
        let compile_times = Rc::new(CompileTimes::new(&facts));
        let limits = Limits {
            storage_buffers: own.max_storage_buffers_per_shader_stage.min(MOST_STORAGE_BUFFERS),
            binding_bytes: own.max_storage_buffer_binding_size.min(own.max_buffer_size),
            workgroups_per_dimension: own.max_compute_workgroups_per_dimension,
            invocations: own.max_compute_invocations_per_workgroup,
            workgroup_bytes: own.max_compute_workgroup_storage_size,
            subgroups: features.contains(Features::SUBGROUP) || options.web_subgroups,
            least_spared: options.least_spared.unwrap_or(model.control.least_spared),
            ..Limits::of(model)
        };
        Ok(Gpu {
            #[cfg(target_arch = "wasm32")]
            instance,
            #[cfg(target_arch = "wasm32")]
            adapter,
            health: Health::listen(&device),
            device,
            queue,
            features,
            limits,
            buffer_bytes: own.max_buffer_size,
            uniform_alignment: own.min_uniform_buffer_offset_alignment,
            facts,
            counters: Counters::default(),
            has_tiers: options.compiler.is_some() && !options.one_tier,
            compiler: options.compiler.clone(),
            compile_times,
        })
    }

    /// An encoder for commands.
    pub fn encoder(&self) -> CommandEncoder {
        self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
    }

    /// Begins a compute pass.
    pub fn begin_pass<'a>(
        &self,
        encoder: &'a mut CommandEncoder,
        timestamp_writes: Option<wgpu::ComputePassTimestampWrites<'_>>,
    ) -> ComputePass<'a> {
        count(&self.counters.passes, 1);
        encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: None, timestamp_writes })
    }
}

const NO_ADAPTER_HELP: &str = if cfg!(target_arch = "wasm32") {
    "use a browser with WebGPU, such as a current Chrome, Edge, Safari or Firefox, with hardware acceleration on"
} else {
    "install a Vulkan driver (Mesa's lavapipe runs on any CPU), or use Metal or DirectX 12"
};

fn adapter_error(message: String) -> Error {
    Error::new(ErrorKind::Adapter, "init", message)
}

#[cfg(not(target_arch = "wasm32"))]
fn instance() -> Result<wgpu::Instance> {
    Ok(wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends: wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12,
        flags: wgpu::InstanceFlags::empty().with_env(),
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    }))
}

/// wgpu panics where neither a window nor a worker is, for instance in Node before a page's globals
/// were set up.
#[cfg(target_arch = "wasm32")]
fn instance() -> Result<wgpu::Instance> {
    let global = js_sys::global();
    let is =
        |name: &str| js_sys::Reflect::get(&global, &name.into()).is_ok_and(|value| !value.is_undefined());
    if !is("Window") && !is("WorkerGlobalScope") {
        return Err(adapter_error(
            "this is neither a page nor a worker: pass a GPU object to init, as in init({ gpu })".to_owned(),
        ));
    }
    Ok(wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends: wgpu::Backends::BROWSER_WEBGPU,
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    }))
}

fn facts(info: &wgpu::AdapterInfo) -> AdapterFacts {
    // PCI-SIG's numbers, and those Khronos gives to software and to vendors without one.
    let vendor = match info.vendor {
        0 => String::new(),
        0x1002 => "amd".to_owned(),
        0x1010 => "imagination".to_owned(),
        0x106b => "apple".to_owned(),
        0x10de => "nvidia".to_owned(),
        0x13b5 => "arm".to_owned(),
        0x1414 => "microsoft".to_owned(),
        0x1ae0 => "google".to_owned(),
        0x5143 => "qualcomm".to_owned(),
        0x8086 => "intel".to_owned(),
        0x10005 => "mesa".to_owned(),
        other => format!("{other:#06x}"),
    };
    AdapterFacts {
        vendor,
        architecture: info.driver.clone(),
        description: info.name.clone(),
        backend: info.backend.to_str().to_owned(),
        is_fallback: info.device_type == wgpu::DeviceType::Cpu,
    }
}
