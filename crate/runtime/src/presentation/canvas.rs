//! Drawing on a canvas in a browser: the surface of an `OffscreenCanvas`, kept at the canvas's own
//! size.

use super::image::ImageLayout;
use super::render::{Target, undrawable};
use crate::runtime::Runtime;
use crate::submission::pace::Work;
use std::cell::Cell;
use web_sys::OffscreenCanvas;
use weft_ir::error::Result;
use weft_ir::graph::ValueId;
use wgpu::{CurrentSurfaceTexture, SurfaceTarget};

/// A canvas that tensors of one device can be drawn on.
pub struct CanvasSurface {
    surface: wgpu::Surface<'static>,
    canvas: OffscreenCanvas,
    configured: Cell<Option<(u32, u32)>>,
}

impl Runtime {
    /// Makes a canvas drawable. It must not have a context of another kind. Errors with `Value` if
    /// the browser refuses.
    pub fn surface(&self, canvas: OffscreenCanvas) -> Result<CanvasSurface> {
        self.inner.gpu.health.check("draw")?;
        let surface = self
            .inner
            .gpu
            .instance
            .create_surface(SurfaceTarget::OffscreenCanvas(canvas.clone()))
            .map_err(|error| undrawable(&error.to_string()))?;
        Ok(CanvasSurface { surface, canvas, configured: Cell::new(None) })
    }

    /// Draws a value over the whole of a canvas, at the size the canvas has now. Says whether it
    /// did: while a loop runs whose end only the device knows, or pipelines are compiled, nothing
    /// is drawn, and the caller must wait until the device is idle.
    ///
    /// Errors: `Shape` when the tensor is not of that layout, `Value` for a canvas without pixels,
    /// `Disposed`, `DeviceLost`.
    pub fn draw(&self, surface: &CanvasSurface, value: ValueId, image: ImageLayout) -> Result<bool> {
        let inner = &*self.inner;
        let pending_errors = inner.check_image(value, &image)?;
        // A canvas shows what was drawn on it when the caller's turn ends: that cannot wait in the
        // queue.
        inner.submit_ready();
        if !inner.waiting.is_empty() {
            return Ok(false);
        }
        let (width, height) = (surface.canvas.width(), surface.canvas.height());
        if width == 0 || height == 0 {
            return Err(undrawable(&format!("the canvas is {width}×{height} pixels")));
        }
        let mut config = surface
            .surface
            .get_default_config(&inner.gpu.adapter, width, height)
            .ok_or_else(|| undrawable("the canvas does not belong to this device"))?;
        if surface.configured.replace(Some((width, height))) != Some((width, height)) {
            config.alpha_mode = wgpu::CompositeAlphaMode::PreMultiplied;
            surface.surface.configure(&inner.gpu.device, &config);
        }
        let frame = match surface.surface.get_current_texture() {
            CurrentSurfaceTexture::Success(frame) | CurrentSurfaceTexture::Suboptimal(frame) => frame,
            _ => {
                surface.configured.set(None);
                return Err(undrawable("the canvas gave no texture to draw on"));
            }
        };
        let view = frame.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let scope = inner.gpu.health.error_scope(&inner.gpu.device, &pending_errors);
        let mut encoder = inner.gpu.encoder();
        let target = Target { view: &view, format: config.format, width, height };
        let drawn = inner.draw(&mut encoder, value, &image, &target);
        inner.flights.submit(&inner.gpu, encoder.finish(), inner.waiting.number(), Work::default(), None);
        scope.end();
        inner.gpu.queue.present(frame);
        drawn.map(|()| true)
    }
}
