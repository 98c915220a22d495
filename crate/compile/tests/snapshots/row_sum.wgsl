// sum of rows

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> total: array<f32>;
var<workgroup> partial_1: array<f32, 64>;

@compute @workgroup_size(64)
fn main(
    @builtin(local_invocation_index) local_index: u32,
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
) {
    let lane = i32(local_index);
    var sum = 0.0;
    for (var k = lane; k < 1000; k += 64) {
        sum += x[i32(workgroup_id.x) * 1000 + k];
    }
    partial_1[lane] = sum;
    workgroupBarrier();
    if lane < 32 {
        partial_1[lane] = partial_1[lane] + partial_1[lane + 32];
    }
    workgroupBarrier();
    if lane < 16 {
        partial_1[lane] = partial_1[lane] + partial_1[lane + 16];
    }
    workgroupBarrier();
    if lane < 8 {
        partial_1[lane] = partial_1[lane] + partial_1[lane + 8];
    }
    workgroupBarrier();
    if lane < 4 {
        partial_1[lane] = partial_1[lane] + partial_1[lane + 4];
    }
    workgroupBarrier();
    if lane < 2 {
        partial_1[lane] = partial_1[lane] + partial_1[lane + 2];
    }
    workgroupBarrier();
    if lane < 1 {
        partial_1[lane] = partial_1[lane] + partial_1[lane + 1];
    }
    workgroupBarrier();
    if lane == 0 {
        total[i32(workgroup_id.x)] = partial_1[0];
    }
}
