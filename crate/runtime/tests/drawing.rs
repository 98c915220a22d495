//! Tensors drawn as pictures on the device. The tests read the pictures back only to look at them.

use crate::common::*;
use weft_ir::DType;
use weft_ir::error::ErrorKind;
use weft_runtime::{Colormap, ImageLayout, Runtime};

const GRAY: ImageLayout = ImageLayout {
    height: 2,
    width: 3,
    channels: 1,
    dtype: DType::F32,
    low: 0.0,
    high: 1.0,
    colormap: Colormap::Gray,
    flip: false,
};

fn draw(runtime: &Runtime, data: &[f32], image: ImageLayout, width: u32, height: u32) -> Vec<[u8; 4]> {
    let value = upload(runtime, data);
    let bytes = block_on(runtime.draw_to_rgba(value, image, width, height)).unwrap();
    bytes.chunks(4).map(|pixel| pixel.try_into().unwrap()).collect()
}

#[test]
fn numbers_become_gray_rows_from_the_top() {
    let runtime = open();
    let data = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0];
    let levels = |pixels: Vec<[u8; 4]>| -> Vec<u8> {
        assert!(pixels.iter().all(|p| p[0] == p[1] && p[1] == p[2] && p[3] == 255));
        pixels.iter().map(|p| p[0]).collect()
    };
    assert_eq!(levels(draw(&runtime, &data, GRAY, 3, 2)), [0, 51, 102, 153, 204, 255]);
    let flipped = ImageLayout { flip: true, ..GRAY };
    assert_eq!(levels(draw(&runtime, &data, flipped, 3, 2)), [153, 204, 255, 0, 51, 102]);
    // Enlarged, each element is a block.
    let large = levels(draw(&runtime, &data, GRAY, 6, 4));
    assert_eq!(&large[..6], [0, 0, 51, 51, 102, 102]);
    assert_eq!(large[6..12], large[..6]);
    // Numbers beyond the range take its ends.
    let narrow = ImageLayout { low: 0.4, high: 0.6, ..GRAY };
    assert_eq!(levels(draw(&runtime, &data, narrow, 3, 2)), [0, 0, 0, 255, 255, 255]);
}

#[test]
fn not_a_number_shows() {
    let runtime = open();
    let pixels = draw(&runtime, &[f32::NAN, 0.0, 1.0, 0.0, 0.0, f32::INFINITY], GRAY, 3, 2);
    assert_eq!(pixels[0], [255, 0, 255, 255]);
    assert_eq!(pixels[5], [255, 255, 255, 255]);
}

#[test]
fn colormaps_have_their_ends() {
    let runtime = open();
    let near = |pixel: [u8; 4], colour: [u8; 3]| {
        let close = pixel.iter().zip(colour).all(|(&a, b)| a.abs_diff(b) <= 5);
        assert!(close, "{pixel:?} for {colour:?}");
    };
    let data = [0.0, 0.5, 1.0, 0.0, 0.0, 0.0];
    let viridis = draw(&runtime, &data, ImageLayout { colormap: Colormap::Viridis, ..GRAY }, 3, 2);
    near(viridis[0], [68, 1, 84]);
    near(viridis[1], [33, 145, 140]);
    near(viridis[2], [253, 231, 37]);
    let diverging = draw(&runtime, &data, ImageLayout { colormap: Colormap::Diverging, ..GRAY }, 3, 2);
    near(diverging[0], [59, 76, 192]);
    near(diverging[1], [221, 221, 221]);
    near(diverging[2], [180, 4, 38]);
}

#[test]
fn three_channels_are_colours_and_a_fourth_is_opacity() {
    let runtime = open();
    let rgb = ImageLayout { height: 1, width: 2, channels: 3, high: 255.0, ..GRAY };
    assert_eq!(
        draw(&runtime, &[255.0, 0.0, 51.0, 0.0, 102.0, 0.0], rgb, 2, 1),
        [[255, 0, 51, 255], [0, 102, 0, 255]]
    );
    let rgba = ImageLayout { height: 1, width: 1, channels: 4, ..GRAY };
    assert_eq!(draw(&runtime, &[1.0, 0.0, 0.5, 0.4], rgba, 1, 1), [[102, 0, 51, 102]]);
}

#[test]
fn integers_and_bools_are_drawn_by_value() {
    let runtime = open();
    let draw = |words: [i32; 2], dtype, low, high| {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        let value = runtime.upload(&bytes).unwrap();
        let image = ImageLayout { height: 1, width: 2, dtype, low, high, ..GRAY };
        let bytes = block_on(runtime.draw_to_rgba(value, image, 2, 1)).unwrap();
        (bytes[0], bytes[4])
    };
    assert_eq!(draw([-10, 0], DType::I32, -10.0, 40.0), (0, 51));
    assert_eq!(draw([51, 255], DType::U32, 0.0, 255.0), (51, 255));
    assert_eq!(draw([0, 1], DType::Bool, 0.0, 1.0), (0, 255));
}

#[test]
fn what_is_no_image_is_refused() {
    let runtime = open();
    let value = upload(&runtime, &[0.0; 6]);
    let kind = |image, width| block_on(runtime.draw_to_rgba(value, image, width, 2)).unwrap_err().kind;
    assert_eq!(kind(ImageLayout { height: 3, ..GRAY }, 3), ErrorKind::Shape);
    assert_eq!(kind(ImageLayout { channels: 2, ..GRAY }, 3), ErrorKind::Shape);
    assert_eq!(kind(ImageLayout { height: 0, ..GRAY }, 3), ErrorKind::Shape);
    assert_eq!(kind(GRAY, 0), ErrorKind::Value);
    runtime.release(value);
    assert_eq!(kind(GRAY, 3), ErrorKind::Disposed);
}
