//! Minimal GPU access for tests of kernels: open an adapter, run one printed kernel over words,
//! read them back. It takes the same arguments as the reference interpreter, so that tests can
//! compare the two.

use weft_compile::target::wgsl::{self, Dialect};
use weft_ir::kernel::{Kernel, Space};
use wgpu::util::DeviceExt;

/// A device, opened for tests.
pub struct Gpu {
    /// What the adapter calls itself.
    pub name: String,
    device: wgpu::Device,
    queue: wgpu::Queue,
}

impl Gpu {
    /// Opens the first adapter; panics without one, so that a test cannot pass by skipping.
    pub fn open() -> Gpu {
        pollster::block_on(async {
            let instance =
                wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
            let adapter = instance
                .request_adapter(&wgpu::RequestAdapterOptions::default())
                .await
                .expect("these tests need a GPU adapter; a software one will do");
            let descriptor = wgpu::DeviceDescriptor {
                required_features: adapter.features() & wgpu::Features::SUBGROUP,
                required_limits: adapter.limits(),
                ..Default::default()
            };
            let (device, queue) = adapter.request_device(&descriptor).await.expect("the adapter opens");
            Gpu { name: adapter.get_info().name, device, queue }
        })
    }

    /// Runs `kernel` once over `buffers` (raw words, in binding order) and writes what it stored
    /// back into them.
    pub fn run(&self, kernel: &Kernel, buffers: &mut [Vec<u32>], uniforms: &[u32], workgroups: [u32; 3]) {
        self.run_source(
            &wgsl::print(kernel, Dialect::Naga),
            &writable(kernel),
            buffers,
            uniforms,
            workgroups,
        );
    }

    fn run_source(
        &self,
        source: &str,
        writable: &[bool],
        buffers: &mut [Vec<u32>],
        uniforms: &[u32],
        workgroups: [u32; 3],
    ) {
        let device = &self.device;
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        let mut kinds: Vec<wgpu::BufferBindingType> =
            writable.iter().map(|&w| wgpu::BufferBindingType::Storage { read_only: !w }).collect();
        let storage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let mut bound: Vec<wgpu::Buffer> = buffers.iter().map(|words| self.buffer(words, storage)).collect();
        if !uniforms.is_empty() {
            let mut words = uniforms.to_vec();
            words.resize(wgsl::uniform_bytes(uniforms.len()) / 4, 0);
            bound.push(self.buffer(&words, wgpu::BufferUsages::UNIFORM));
            kinds.push(wgpu::BufferBindingType::Uniform);
        }
        let entries: Vec<_> = (0..)
            .zip(kinds)
            .map(|(binding, ty)| wgpu::BindGroupLayoutEntry {
                binding,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
                count: None,
            })
            .collect();
        let layout = device
            .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries });
        let entries: Vec<_> = (0..)
            .zip(&bound)
            .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &layout,
            entries: &entries,
        });
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: Some(&pipeline_layout),
            module: &module,
            entry_point: Some("main"),
            compilation_options: Default::default(),
            cache: None,
        });
        let mut encoder = device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.dispatch_workgroups(workgroups[0], workgroups[1], workgroups[2]);
        }
        let staging: Vec<_> = bound[..buffers.len()]
            .iter()
            .map(|buffer| {
                let copy = device.create_buffer(&wgpu::BufferDescriptor {
                    label: None,
                    size: buffer.size(),
                    usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                    mapped_at_creation: false,
                });
                encoder.copy_buffer_to_buffer(buffer, 0, &copy, 0, buffer.size());
                copy
            })
            .collect();
        self.queue.submit([encoder.finish()]);
        for copy in &staging {
            copy.map_async(wgpu::MapMode::Read, .., |result| result.expect("the buffer maps"));
        }
        device.poll(wgpu::PollType::wait_indefinitely()).expect("the device finishes");
        for (words, copy) in buffers.iter_mut().zip(&staging) {
            let view = copy.get_mapped_range(..).expect("the buffer is mapped");
            let read = view.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
            words.clear();
            words.extend(read);
        }
    }

    fn buffer(&self, words: &[u32], usage: wgpu::BufferUsages) -> wgpu::Buffer {
        let contents: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        self.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: None,
            contents: &contents,
            usage,
        })
    }
}

/// For each storage array, whether the kernel may write it.
fn writable(kernel: &Kernel) -> Vec<bool> {
    kernel.storage().map(|(_, array)| array.space != Space::Read).collect()
}
