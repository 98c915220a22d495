//! How a tensor becomes pixels without being read back: a render pipeline whose fragment shader (`shaders/image.wgsl`) reads the
//! tensor's own buffer.

use crate::device::{Inner, Runtime};
use crate::health::{DoubtSet, Doubts};
use crate::readback::Transfer;
use crate::stats::count;
use std::collections::HashMap;
use weft_compile::wgsl::source::{plain, plain_length, text};
use weft_ir::dtype::DType;
use weft_ir::error::{Error, Result};
use weft_ir::graph::ValueId;
use wgpu::{BufferUsages, CommandEncoder, ShaderStages, TextureFormat, TextureUsages, TextureView};

const OP: &str = "draw";
const UNIFORM_BYTES: u64 = 48;
const FILE: &[u8] = include_bytes!("../../../shaders/image.wgsl");
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

/// How a tensor of shape [height, width] or [height, width, channels] is to be drawn. It fills the target; each pixel
/// shows the element it falls into.
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
    fn uniforms(&self, width: u32, height: u32) -> [u8; UNIFORM_BYTES as usize] {
        let dtype = match self.dtype {
            DType::F32 => 0,
            DType::I32 => 1,
            DType::U32 => 2,
            DType::Bool => 3,
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
    group_layout: wgpu::BindGroupLayout,
    pipeline_layout: wgpu::PipelineLayout,
    uniforms: wgpu::Buffer,
    pipelines: HashMap<TextureFormat, wgpu::RenderPipeline>,
}

impl Images {
    fn new(inner: &Inner) -> Images {
        let device = &inner.device;
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
        count(&inner.counters.buffers, 1);
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
            pipelines: HashMap::new(),
        }
    }

    fn pipeline(&mut self, inner: &Inner, format: TextureFormat) -> &wgpu::RenderPipeline {
        self.pipelines.entry(format).or_insert_with(|| {
            inner.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
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

/// What is drawn upon.
pub(crate) struct Target<'a> {
    pub view: &'a TextureView,
    pub format: TextureFormat,
    pub width: u32,
    pub height: u32,
}

impl Inner {
    /// Checks that a value can be drawn so, and gives its doubts.
    pub fn check_image(&self, value: ValueId, image: &ImageLayout) -> Result<Doubts> {
        self.health.check(OP)?;
        let ImageLayout { height, width, channels, .. } = *image;
        if !matches!(channels, 1 | 3 | 4) || height == 0 || width == 0 {
            let message =
                format!("[{height},{width},{channels}]: expected 1, 3 or 4 channels and some pixels");
            return Err(Error::shape(OP, message));
        }
        let values = self.values.borrow();
        let value = values.get(OP, value)?;
        let elements = u64::from(height) * u64::from(width) * u64::from(channels);
        if elements * 4 != value.bytes || elements > u64::from(u32::MAX) {
            let message = format!(
                "[{height},{width},{channels}] needs {elements} elements, the tensor has {}",
                value.bytes / 4
            );
            return Err(Error::shape(OP, message));
        }
        let mut doubts = DoubtSet::default();
        doubts.add_all(&value.doubts);
        doubts.failure().map_or_else(|| Ok(doubts.into_doubts()), Err)
    }

    /// Encodes the drawing of a value, checked before, on a target.
    pub fn draw(
        &self,
        encoder: &mut CommandEncoder,
        value: ValueId,
        image: &ImageLayout,
        target: &Target<'_>,
    ) -> Result<()> {
        let mut images = self.images.borrow_mut();
        let images = images.get_or_insert_with(|| Images::new(self));
        let (values, pool) = (self.values.borrow(), self.pool.borrow());
        let elements = pool.buffer(values.get(OP, value)?.buffer);
        self.queue.write_buffer(&images.uniforms, 0, &image.uniforms(target.width, target.height));
        let bound = [(0, elements), (1, &images.uniforms)]
            .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() });
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("image"),
            layout: &images.group_layout,
            entries: &bound,
        });
        let pipeline = images.pipeline(self, target.format);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("image"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target.view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Store,
                },
            })],
            depth_stencil_attachment: None,
            timestamp_writes: None,
            occlusion_query_set: None,
            multiview_mask: None,
        });
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.draw(0..3, 0..1);
        Ok(())
    }
}

impl Runtime {
    /// Draws a value and reads the picture back: `height` rows of `width` pixels of red, green, blue and opacity, a byte
    /// each, colours premultiplied. For tests and files; on a page draw to a canvas.
    pub fn draw_to_rgba(
        &self,
        value: ValueId,
        image: ImageLayout,
        width: u32,
        height: u32,
    ) -> impl Future<Output = Result<Vec<u8>>> + use<> {
        let started = self.start_drawing(value, image, width, height);
        async move {
            let (transfer, doubts, row_bytes) = started?;
            let rows: Vec<(u64, u64)> = (0..u64::from(height))
                .map(|row| (row * row_bytes, row * row_bytes + u64::from(width) * 4))
                .collect();
            Ok(transfer.finish(&doubts, &rows).await?.concat())
        }
    }

    fn start_drawing(
        &self,
        value: ValueId,
        image: ImageLayout,
        width: u32,
        height: u32,
    ) -> Result<(Transfer, Doubts, u64)> {
        let inner = &self.inner;
        let doubts = inner.check_image(value, &image)?;
        let most = inner.device.limits().max_texture_dimension_2d;
        if width == 0 || height == 0 || width > most || height > most {
            return Err(Error::value(
                OP,
                format!("a picture of {width}×{height}: expected 1 to {most} each way"),
            ));
        }
        let format = TextureFormat::Rgba8Unorm;
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        let texture = inner.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("image"),
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let row_bytes = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let transfers = [Transfer::new(inner, u64::from(row_bytes) * u64::from(height))];
        let mut drawn = Ok(());
        let scope = inner.health.error_scope(&inner.device, &doubts);
        // What is drawn stands in a buffer that all drawings share.
        inner.drain();
        inner.transfer(&transfers, &doubts, |encoder, transfers| {
            drawn = inner.draw(encoder, value, &image, &Target { view: &view, format, width, height });
            encoder.copy_texture_to_buffer(
                texture.as_image_copy(),
                wgpu::TexelCopyBufferInfo {
                    buffer: transfers[0].buffer(),
                    layout: wgpu::TexelCopyBufferLayout {
                        offset: 0,
                        bytes_per_row: Some(row_bytes),
                        rows_per_image: None,
                    },
                },
                size,
            );
        });
        scope.end();
        inner.drain();
        drawn?;
        let [transfer] = transfers;
        Ok((transfer, doubts, u64::from(row_bytes)))
    }
}

/// A surface or texture that cannot be drawn on at the moment.
#[cfg(target_arch = "wasm32")]
pub(crate) fn undrawable(message: &str) -> Error {
    Error::value(OP, message)
}
