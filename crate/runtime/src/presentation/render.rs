//! Rendering of a tensor into a texture, without reading it back.

use super::image::{ImageLayout, Images};
use crate::device::health::{PendingErrorSet, PendingErrors};
use crate::read_back::read::{Copied, Transfer, in_memory, room};
use crate::runtime::{Inner, Runtime};
use weft_ir::error::{Error, Result};
use weft_ir::graph::ValueId;
use wgpu::{CommandEncoder, TextureFormat, TextureUsages, TextureView};

const OP: &str = "draw";
/// What is drawn upon.
pub(crate) struct Target<'a> {
    pub view: &'a TextureView,
    pub format: TextureFormat,
    pub width: u32,
    pub height: u32,
}

impl Inner {
    /// Checks that a value can be drawn so, and gives its pending errors.
    pub fn check_image(&self, value: ValueId, image: &ImageLayout) -> Result<PendingErrors> {
        self.gpu.health.check(OP)?;
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
        let mut pending_errors = PendingErrorSet::default();
        pending_errors.add_all(&value.pending_errors);
        pending_errors.failure().map_or_else(|| Ok(pending_errors.into_pending_errors()), Err)
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
        let images = images.get_or_insert_with(|| Images::new(&self.gpu));
        let (values, pool) = (self.values.borrow(), self.pool.borrow());
        let elements = pool.buffer(values.get(OP, value)?.buffer);
        self.gpu.queue.write_buffer(&images.uniforms, 0, &image.uniforms(target.width, target.height));
        let bound = [(0, elements), (1, &images.uniforms)]
            .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() });
        let group = self.gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("image"),
            layout: &images.group_layout,
            entries: &bound,
        });
        let pipeline = images.pipeline(&self.gpu, target.format);
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
    /// Draws a value and reads the picture back: `height` rows of `width` pixels of red, green,
    /// blue and opacity, a byte each, colours premultiplied. For tests and files; on a page draw to
    /// a canvas.
    pub fn draw_to_rgba(
        &self,
        value: ValueId,
        image: ImageLayout,
        width: u32,
        height: u32,
    ) -> impl Future<Output = Result<Vec<u8>>> + use<> {
        let started = self.start_drawing(value, image, width, height);
        async move {
            let (transfer, pending_errors, row_bytes) = started?;
            let of_row = 4 * u64::from(width);
            let mut taken = vec![room(of_row * u64::from(height))?];
            let rows = (0..u64::from(height)).map(|row| {
                let start = row * row_bytes;
                Copied { range: (start, start + of_row), to: (0, row * of_row) }
            });
            transfer.finish(&pending_errors, &mut taken, rows).await?;
            Ok(in_memory(taken)?.swap_remove(0))
        }
    }

    fn start_drawing(
        &self,
        value: ValueId,
        image: ImageLayout,
        width: u32,
        height: u32,
    ) -> Result<(Transfer, PendingErrors, u64)> {
        let inner = &self.inner;
        let pending_errors = inner.check_image(value, &image)?;
        let most = inner.gpu.device.limits().max_texture_dimension_2d;
        if width == 0 || height == 0 || width > most || height > most {
            return Err(Error::value(
                OP,
                format!("a picture of {width}×{height}: expected 1 to {most} each way"),
            ));
        }
        let format = TextureFormat::Rgba8Unorm;
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        let texture = inner.gpu.device.create_texture(&wgpu::TextureDescriptor {
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
        let scope = inner.gpu.health.error_scope(&inner.gpu.device, &pending_errors);
        // What is drawn stands in a buffer that all drawings share.
        inner.drain();
        if !inner.waiting.is_empty() {
            return Err(Error::value(
                OP,
                "a loop without a limit is being run: wait until the device is idle",
            ));
        }
        inner.transfer(&transfers, &pending_errors, |encoder, transfers| {
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
        Ok((transfer, pending_errors, u64::from(row_bytes)))
    }
}

/// A surface or texture that cannot be drawn on at the moment.
#[cfg(target_arch = "wasm32")]
pub(crate) fn undrawable(message: &str) -> Error {
    Error::value(OP, message)
}
