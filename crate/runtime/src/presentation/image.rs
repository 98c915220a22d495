//! Pipelines that draw tensors: a fragment shader (`shaders/image.wgsl`) reads the tensor's own
//! buffer, given its layout.

use crate::device::gpu::Gpu;
use crate::device::stats::count;
use weft_compile::target::wgsl::source::{plain, plain_length, text};
use weft_ir::HashMap;
use weft_ir::dtype::DType;
use weft_ir::error::{Error, Result};
use wgpu::{BufferUsages, ShaderStages, TextureFormat};

const UNIFORM_BYTES: u64 = 48;
const FILE: &[u8] = include_bytes!("../../../../shaders/image.wgsl");
const SHADER: [u8; plain_length(FILE)] = plain(FILE);

/// How numbers of a single channel become colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Colormap {
    /// Black to white.
    #[default]
    Gray,
    /// Matplotlib's viridis: dark violet through green to yellow, even in lightness.
    Viridis,
    /// Blue through light gray to red, for numbers on both sides of the range's middle.
    Diverging,
}

impl Colormap {
    /// Every colormap with its name.
    pub const ALL: [(&'static str, Colormap); 3] =
        [("gray", Colormap::Gray), ("viridis", Colormap::Viridis), ("diverging", Colormap::Diverging)];

    /// The colormap called `name`. Errors with `ErrorKind::Value` when there is none.
    pub fn parse(op: &str, name: &str) -> Result<Colormap> {
        let found = Colormap::ALL.iter().find(|(known, _)| *known == name);
        found.map(|(_, colormap)| *colormap).ok_or_else(|| {
            Error::value(op, format!("no colormap is called {name:?}; expected gray, viridis or diverging"))
        })
    }
}

/// How a tensor of shape [height, width] or [height, width, channels] is to be drawn. It fills the
/// target; each pixel shows the element it falls into.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ImageLayout {
    /// Rows.
    pub height: u32,
    /// Columns.
    pub width: u32,
    /// 1 (through the colormap), 3 (red, green, blue) or 4 (and opacity).
    pub channels: u32,
    /// What the elements are.
    pub dtype: DType,
    /// The number drawn as 0.
    pub low: f32,
    /// The number drawn as 1.
    pub high: f32,
    /// For one channel.
    pub colormap: Colormap,
    /// Draws the first row at the bottom.
    pub flip: bool,
}

impl ImageLayout {
    /// What the shader reads of it.
    pub fn uniforms(&self, width: u32, height: u32) -> [u8; UNIFORM_BYTES as usize] {
        let dtype = match self.dtype.computed() {
            DType::F32 => 0,
            DType::I32 => 1,
            DType::U32 => 2,
            _ => 3,
        };
        let colormap = match self.colormap {
            Colormap::Gray => 0,
            Colormap::Viridis => 1,
            Colormap::Diverging => 2,
        };
        let words = [
            self.height,
            self.width,
            self.channels,
            dtype,
            self.low.to_bits(),
            self.high.to_bits(),
            colormap,
            u32::from(self.flip),
            (width as f32).to_bits(),
            (height as f32).to_bits(),
        ];
        let mut bytes = [0; UNIFORM_BYTES as usize];
        for (place, word) in bytes.chunks_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }
}

/// What drawing needs of a device: made at the first drawing.
pub(crate) struct Images {
    module: wgpu::ShaderModule,
    pub group_layout: wgpu::BindGroupLayout,
    pipeline_layout: wgpu::PipelineLayout,
    pub uniforms: wgpu::Buffer,
    pipelines: HashMap<TextureFormat, wgpu::RenderPipeline>,
}

impl Images {
    /// Makes what all drawings share.
    pub fn new(gpu: &Gpu) -> Images {
        let device = &gpu.device;
        let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: ShaderStages::FRAGMENT,
            ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
            count: None,
        };
        let group_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("image"),
            entries: &[
                entry(0, wgpu::BufferBindingType::Storage { read_only: true }),
                entry(1, wgpu::BufferBindingType::Uniform),
            ],
        });
        count(&gpu.counters.buffers, 1);
        Images {
            module: device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some("image"),
                source: wgpu::ShaderSource::Wgsl(text(&SHADER).into()),
            }),
            pipeline_layout: device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some("image"),
                bind_group_layouts: &[Some(&group_layout)],
                immediate_size: 0,
            }),
            group_layout,
            uniforms: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("image"),
                size: UNIFORM_BYTES,
                usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            pipelines: HashMap::default(),
        }
    }

    /// The pipeline that draws on targets of a format.
    pub fn pipeline(&mut self, gpu: &Gpu, format: TextureFormat) -> &wgpu::RenderPipeline {
        self.pipelines.entry(format).or_insert_with(|| {
            gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some("image"),
                layout: Some(&self.pipeline_layout),
                vertex: wgpu::VertexState {
                    module: &self.module,
                    entry_point: Some("corner"),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    buffers: &[],
                },
                primitive: wgpu::PrimitiveState::default(),
                depth_stencil: None,
                multisample: wgpu::MultisampleState::default(),
                fragment: Some(wgpu::FragmentState {
                    module: &self.module,
                    entry_point: Some("shade"),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    targets: &[Some(format.into())],
                }),
                multiview_mask: None,
                cache: None,
            })
        })
    }
}
