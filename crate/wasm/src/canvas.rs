//! Tensors on canvases, without reading them back.

use crate::error::Result;
use crate::session::{device, with, with_held, with_held_mut};
use wasm_bindgen::prelude::*;
use web_sys::OffscreenCanvas;
use weft::{Device, Error, Tensor};
use weft_runtime::{Colormap, ImageLayout, Runtime};

fn runtime(device: &Device) -> weft::Result<&Runtime> {
    device.runtime().ok_or_else(|| Error::value("draw", "the CPU device cannot draw by itself"))
}

/// Whether the open device draws on canvases by itself.
#[wasm_bindgen]
pub fn can_draw() -> bool {
    device().is_ok_and(|device| device.runtime().is_some())
}

/// Makes a canvas drawable and gives its number.
///
/// Deferred: few programs draw on a canvas of their own.
#[wasm_bindgen]
pub fn canvas_surface(canvas: OffscreenCanvas) -> Result<u32> {
    let device = device()?;
    let surface = runtime(&device)?.surface(canvas)?;
    Ok(with_held_mut(|held| held.canvases.add(surface)))
}

/// Lets go of a canvas.
///
/// Deferred: few programs draw on a canvas of their own.
#[wasm_bindgen]
pub fn canvas_drop(number: u32) {
    let surface = with_held_mut(|held| held.canvases.remove(number));
    drop(surface);
}

/// Draws a tensor over a whole canvas: [height, width], or [height, width, 3 or 4]. Says whether it
/// did; if not, it must be tried again when the device is idle.
///
/// Deferred: few programs draw on a canvas of their own.
#[wasm_bindgen]
pub fn canvas_draw(number: u32, x: u32, low: f32, high: f32, colormap: &str, flip: bool) -> Result<bool> {
    let device = device()?;
    let runtime = runtime(&device)?;
    Ok(with("draw", x, |x| {
        let layout = layout(x, low, high, Colormap::parse("draw", colormap)?, flip)?;
        let value = x.stored("draw")?;
        with_held(|held| {
            let gone = || Error::value("draw", "the canvas belongs to a device that is gone");
            runtime.draw(held.canvases.get(number).ok_or_else(gone)?, value, layout)
        })
    })?)
}

fn layout(x: &Tensor, low: f32, high: f32, colormap: Colormap, flip: bool) -> weft::Result<ImageLayout> {
    let (height, width, channels) = match x.shape()[..] {
        [height, width] => (height, width, 1),
        [height, width, channels @ (1 | 3 | 4)] => (height, width, channels),
        _ => {
            let what = format!("{} is not [height,width] or [height,width,1, 3 or 4]", x.shape());
            return Err(Error::shape("draw", what));
        }
    };
    Ok(ImageLayout {
        height: height as u32,
        width: width as u32,
        channels: channels as u32,
        dtype: x.dtype(),
        low,
        high,
        colormap,
        flip,
    })
}
