// sums over subgroups
enable subgroups;

@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(32)
fn main(
    @builtin(local_invocation_index) local_index: u32,
    @builtin(subgroup_invocation_id) subgroup_invocation: u32,
) {
    var kept: array<vec4<f32>, 2>;
    let v = x[local_index];
    kept[1] = v * vec4<f32>(0.5);
    let sum = kept[1].x + kept[1].y + kept[1].z + kept[1].w;
    let all = subgroupAdd(sum);
    if i32(subgroup_invocation) == 0 {
        out[local_index] = all;
    }
}
