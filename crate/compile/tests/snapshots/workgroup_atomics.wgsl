// least of two

@group(0) @binding(0) var<storage, read_write> counts: array<atomic<u32>>;
var<workgroup> own: array<atomic<u32>, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) local_index: u32) {
    atomicStore(&own[i32(local_index)], 4294967295u);
    workgroupBarrier();
    atomicMin(&own[i32(local_index) / 2], u32(i32(local_index)));
    workgroupBarrier();
    atomicMin(&counts[i32(local_index)], atomicLoad(&own[i32(local_index)]));
}
