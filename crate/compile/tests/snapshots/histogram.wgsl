// histogram of the second byte

@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read_write> counts: array<atomic<i32>>;

@compute @workgroup_size(1)
fn main() {
    var i = 0;
    while true {
        if i >= 100 {
            break;
        }
        let key = keys[i];
        i += 1;
        if (((key >> 8u) & 255u) == 255u) & !(((key >> 8u) & 255u) < 8u) {
            continue;
        } else if ((key >> 8u) & 255u) < 8u {
            atomicAdd(&counts[(key >> 8u) & 255u], 1);
        } else {
            let before = atomicMax(&counts[(key >> 8u) & 255u], i);
            i = before;
        }
    }
}
