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
 * A product by tiles of 128 × 64 in the memory of workgroups: each invocation keeps 8 × 4 sums, 16
 * apart, and fetches what the next tiles need while it multiplies. Extents are multiples of 128, 64
 * and 16.
 */
const product = (/** @type {Kernel} */ kernel) => {
  const tiles = kernel.group((a, b, i, j, { local, group, shared, barrier, c }) => {
    const [left, right] = [shared("f32", 16, 130), shared("f32", 16, 64)];
    /** @type {any[]} */
    const [sums, u, v] = [new Float32Array(32), new Float32Array(8), new Float32Array(4)];
    const [nextA, nextB] = [new Float32Array(8), new Float32Array(4)];
    const [row, column] = [group[0] * 128 + local[0], group[1] * 64 + local[1]];
    const lane = local[0] * 16 + local[1];
    const [k4, j64] = [lane >> 6, lane & 63];
    const fetch = (/** @type {number} */ k) => {
      for (let m = 0; m < 8; m++) nextA[m] = a.at(row + 16 * m, k + local[1]);
      for (let n = 0; n < 4; n++) nextB[n] = b.at(k + k4 + 4 * n, group[1] * 64 + j64);
    };
    fetch(0);
    for (let k = 0; k < a.shape[1]; k += 16) {
      for (let m = 0; m < 8; m++) left[local[1]][local[0] + 16 * m] = nextA[m];
      for (let n = 0; n < 4; n++) right[k4 + 4 * n][j64] = nextB[n];
      barrier();
      fetch(k + 16);
      for (let d = 0; d < 16; d++) {
        for (let m = 0; m < 8; m++) u[m] = left[d][local[0] + 16 * m];
        for (let n = 0; n < 4; n++) v[n] = right[d][local[1] + 16 * n];
        for (let m = 0; m < 8; m++) for (let n = 0; n < 4; n++) sums[m * 4 + n] += u[m] * v[n];
      }
      barrier();
    }
    for (let m = 0; m < 8; m++) for (let n = 0; n < 4; n++) c.set(sums[m * 4 + n], row + 16 * m, column + 16 * n);
  }, {
    workgroup: [16, 16],
    grid: (/** @type {Tensor} */ a, /** @type {Tensor} */ b) => [(a.shape[0] ?? 0) / 128, (b.shape[1] ?? 0) / 64],
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
