// leaky tanh

fn from_bits(bits: u32) -> f32 {
    return bitcast<f32>(bits);
}

fn is_nan(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

fn min_f32(a: f32, b: f32) -> f32 {
    return select(select(min(a, b), b, is_nan(b)), a, is_nan(a));
}

fn exp_f32(x: f32) -> f32 {
    let n = round(x * 1.442695);
    let again = bitcast<f32>(bitcast<u32>(n) & 0xffff0000u);
    let r = (x - n * 0.693359375) + again * 2.1219444e-4;
    let tail = (((0.0013819033 * r + 0.008368716) * r + 0.04166829) * r + 0.16666521) * r + 0.49999994;
    let power = bitcast<f32>(bitcast<u32>(tail * (r * r) + r + 1.0) + (bitcast<u32>(n + 12582912.0) << 23u));
    let bounded = select(select(power, 0.0, x < -87.33654), from_bits(0x7f800000u), x > 88.72283);
    return select(bounded, x, is_nan(x));
}

fn tanh_f32(x: f32) -> f32 {
    let z = x * x;
    let p = (((-0.005665714 * z + 0.020604871) * z - 0.05372953) * z + 0.13331324) * z - 0.33333278;
    let large = 1.0 - 2.0 / (exp_f32(2.0 * min(abs(x), 10.0)) + 1.0);
    let value = select(select(large, -large, x < 0.0), p * (z * x) + x, abs(x) < 0.625);
    return select(value, x, is_nan(x) | (x == 0.0));
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> scalars: array<vec4<u32>, 1>;

@compute @workgroup_size(64)
fn main(
    @builtin(local_invocation_index) local_index: u32,
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
) {
    let scalar_0 = bitcast<f32>(scalars[0].x);
    let scalar_1 = bitcast<i32>(scalars[0].y);
    let i = i32(workgroup_id.x) * 64 + i32(local_index);
    if i < scalar_1 {
        let value = x[i];
        y[i] = tanh_f32(min_f32(select(value, value * scalar_0, value < 0.0), from_bits(0x7f800000u)));
    }
}
