// Kernels written in JavaScript, beside the operations that compute the same.

/** @typedef {import("weft-gpu").Tensor} Tensor */
/** @typedef {typeof import("weft-gpu/kernel").kernel} Kernel */
/** @typedef {(...given: Tensor[]) => Tensor} Made */

/** The force on each body by all others, in a loop. */
const bodies = (/** @type {Kernel} */ kernel) =>
  kernel((p, m, i) => {
    let [x, y, z] = [Math.fround(0), Math.fround(0), Math.fround(0)];
    const [ax, ay, az] = [p.at(i, 0), p.at(i, 1), p.at(i, 2)];
    for (let j = 0; j < m.length; j++) {
      const [dx, dy, dz] = [p.at(j, 0) - ax, p.at(j, 1) - ay, p.at(j, 2) - az];
      const r = 1 / Math.sqrt(dx * dx + dy * dy + dz * dz + 0.01);
      const pull = r * r * r * m.at(j);
      x += dx * pull;
      y += dy * pull;
      z += dz * pull;
    }
    return [ax + x * 1e-5, ay + y * 1e-5, az + z * 1e-5];
  }, { shape: (/** @type {Tensor} */ p) => [p.shape[0] ?? 0], name: "bodies" });

/**
 * A product by tiles of 64 × 64 in the memory of workgroups. Each invocation has 8 × 4 sums, reads
 * and writes four neighbours at a time, and fetches what the next tiles need while it multiplies.
 * Extents are multiples of 64, 64 and 16.
 */
const product = (/** @type {Kernel} */ kernel) => {
  const tiles = kernel.group((a, b, i, j, { local, group, shared, barrier, c }) => {
    const [left, right] = [shared("f32", 16, 68), shared("f32", 16, 64)];
    /** @type {any[]} */
    const [sums, u, v] = [new Float32Array(32), new Float32Array(8), new Float32Array(4)];
    const [nextA, nextB] = [new Float32Array(8), new Float32Array(8)];
    const [row, column] = [group[0] * 64, group[1] * 64];
    const lane = local[0] * 16 + local[1];
    const [low, high] = [lane & 15, lane >> 4];
    const fetch = (/** @type {number} */ k) => {
      for (let h = 0; h < 2; h++) for (let n = 0; n < 4; n++) {
        nextA[4 * h + n] = a.at(row + 32 * h + 4 * high + n, k + low);
        nextB[4 * h + n] = b.at(k + 8 * h + high, column + 4 * low + n);
      }
    };
    fetch(0);
    for (let k = 0; k < a.shape[1]; k += 16) {
      for (let h = 0; h < 2; h++) {
        for (let n = 0; n < 4; n++) left[low][32 * h + 4 * high + n] = nextA[4 * h + n];
        for (let n = 0; n < 4; n++) right[8 * h + high][4 * low + n] = nextB[4 * h + n];
      }
      barrier();
      fetch(k + 16);
      for (let d = 0; d < 16; d++) {
        for (let m = 0; m < 8; m++) u[m] = left[d][32 * (m >> 2) + 4 * local[0] + (m & 3)];
        for (let n = 0; n < 4; n++) v[n] = right[d][4 * local[1] + n];
        for (let m = 0; m < 8; m++) for (let n = 0; n < 4; n++) sums[4 * m + n] += u[m] * v[n];
      }
      barrier();
    }
    for (let h = 0; h < 2; h++) for (let m = 0; m < 4; m++) for (let n = 0; n < 4; n++) {
      c.set(sums[16 * h + 4 * m + n], row + 32 * h + 4 * local[0] + m, column + 4 * local[1] + n);
    }
  }, {
    workgroup: [8, 16],
    grid: (/** @type {Tensor} */ a, /** @type {Tensor} */ b) => [(a.shape[0] ?? 0) / 64, (b.shape[1] ?? 0) / 64],
    outputs: { c: { shape: (/** @type {Tensor} */ a, /** @type {Tensor} */ b) => [a.shape[0] ?? 0, b.shape[1] ?? 0] } },
    name: "tiles",
  });
  return (/** @type {Tensor} */ a, /** @type {Tensor} */ b) => tiles(a, b).c;
};

/** The mean of an element and its four neighbours. */
const stencil = (/** @type {Kernel} */ kernel) =>
  kernel((x, i, j) => (x.at(i, j) + x.at(i - 1, j) + x.at(i + 1, j) + x.at(i, j - 1) + x.at(i, j + 1)) * 0.2, { edge: "wrap", name: "stencil" });

/** By the names of `workloads.mjs`. @type {Record<string, (kernel: Kernel) => Made>} */
export const KERNELS = { bodies, product, stencil };
