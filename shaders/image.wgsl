// Draws a tensor as an image: one triangle over the target, each fragment looks its element up in
// the storage buffer. Shapes are [height, width], or [height, width, channels] with 3 or 4
// channels. Elements are scaled from [low, high] to [0, 1]; one channel goes through a colormap,
// three and four are colours, the fourth being opacity. NaN is magenta.

struct Image {
    height: u32,
    width: u32,
    channels: u32,
    // 0 f32, 1 i32, 2 u32, 3 bool.
    dtype: u32,
    low: f32,
    high: f32,
    // 0 gray, 1 viridis, 2 diverging.
    colormap: u32,
    // 1 draws the first row at the bottom.
    flip: u32,
    // Pixels of the target.
    target_width: f32,
    target_height: f32,
}

@group(0) @binding(0) var<storage, read> elements: array<u32>;
@group(0) @binding(1) var<uniform> image: Image;

@vertex
fn corner(@builtin(vertex_index) n: u32) -> @builtin(position) vec4<f32> {
    // (-1, -1), (3, -1), (-1, 3): the triangle covers the target.
    return vec4<f32>(f32((n & 1u) * 4u) - 1.0, f32((n >> 1u) * 4u) - 1.0, 0.0, 1.0);
}

fn is_nan(bits: u32) -> bool {
    return image.dtype == 0u && (bits & 0x7fffffffu) > 0x7f800000u;
}

fn number(bits: u32) -> f32 {
    switch image.dtype {
        case 0u: { return bitcast<f32>(bits); }
        case 1u: { return f32(bitcast<i32>(bits)); }
        default: { return f32(bits); }
    }
}

fn scaled(bits: u32) -> f32 {
    if image.high == image.low {
        return 0.5;
    }
    return clamp((number(bits) - image.low) / (image.high - image.low), 0.0, 1.0);
}

// Matt Zucker's polynomial fit to matplotlib's viridis (public domain).
fn viridis(t: f32) -> vec3<f32> {
    let c0 = vec3<f32>(0.2777273, 0.0054073, 0.3340998);
    let c1 = vec3<f32>(0.1050930, 1.4046135, 1.3845902);
    let c2 = vec3<f32>(-0.3308618, 0.2148476, 0.0950952);
    let c3 = vec3<f32>(-4.6342305, -5.7991010, -19.3324410);
    let c4 = vec3<f32>(6.2282699, 14.1799334, 56.6905526);
    let c5 = vec3<f32>(4.7763850, -13.7451454, -65.3530326);
    let c6 = vec3<f32>(-5.4354559, 4.6458526, 26.3124352);
    return c0 + t * (c1 + t * (c2 + t * (c3 + t * (c4 + t * (c5 + t * c6)))));
}

// Blue through light gray to red, the ends of Moreland's "cool to warm".
fn diverging(t: f32) -> vec3<f32> {
    let cool = vec3<f32>(0.230, 0.299, 0.754);
    let middle = vec3<f32>(0.865, 0.865, 0.865);
    let warm = vec3<f32>(0.706, 0.016, 0.150);
    if t < 0.5 {
        return mix(cool, middle, 2.0 * t);
    }
    return mix(middle, warm, 2.0 * t - 1.0);
}

fn colour(t: f32) -> vec3<f32> {
    switch image.colormap {
        case 1u: { return clamp(viridis(t), vec3<f32>(0.0), vec3<f32>(1.0)); }
        case 2u: { return diverging(t); }
        default: { return vec3<f32>(t); }
    }
}

@fragment
fn shade(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let column = min(u32(position.x / image.target_width * f32(image.width)), image.width - 1u);
    var row = min(u32(position.y / image.target_height * f32(image.height)), image.height - 1u);
    if image.flip == 1u {
        row = image.height - 1u - row;
    }
    let first = (row * image.width + column) * image.channels;
    var nan = false;
    for (var channel = 0u; channel < image.channels; channel += 1u) {
        nan = nan || is_nan(elements[first + channel]);
    }
    if nan {
        return vec4<f32>(1.0, 0.0, 1.0, 1.0);
    }
    if image.channels == 1u {
        return vec4<f32>(colour(scaled(elements[first])), 1.0);
    }
    let rgb = vec3<f32>(scaled(elements[first]), scaled(elements[first + 1u]), scaled(elements[first + 2u]));
    if image.channels == 3u {
        return vec4<f32>(rgb, 1.0);
    }
    // Canvases are composited with premultiplied alpha.
    let opacity = scaled(elements[first + 3u]);
    return vec4<f32>(rgb * opacity, opacity);
}
