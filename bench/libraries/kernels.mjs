// Kernels written in JavaScript, beside the operations that compute the same.

/** @typedef {import("weft-gpu").Tensor} Tensor */
/** @typedef {typeof import("weft-gpu/kernel").kernel} Kernel */
/** @typedef {(...given: Tensor[]) => Tensor} Made */

/** Elements along a side of what an invocation of the product computes, and of a workgroup's tile. */
const SIDE = 4;
const TILE = 64;
const DEPTH = 16;

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

/** A product by tiles in the memory of workgroups: each invocation keeps 4 × 4 sums. Extents are multiples of 64. */
const product = (/** @type {Kernel} */ kernel) => {
  const tiles = kernel((a, b, i, j, { local, group, shared, barrier }) => {
    const [left, right] = [shared("f32", 16, 64), shared("f32", 16, 64)];
    const sums = new Array(16).fill(Math.fround(0));
    const [u, v] = [new Array(4).fill(Math.fround(0)), new Array(4).fill(Math.fround(0))];
    const lane = local[0] * 16 + local[1];
    const [row, column] = [lane >> 2, (lane & 3) * 4];
    for (let k = 0; k < a.shape[1]; k += 16) {
      for (let n = 0; n < 4; n++) {
        left[column + n][row] = a.at(group[0] * 64 + row, k + column + n);
        right[lane >> 4][(lane & 15) * 4 + n] = b.at(k + (lane >> 4), group[1] * 64 + (lane & 15) * 4 + n);
      }
      barrier();
      for (let d = 0; d < 16; d++) {
        for (let n = 0; n < 4; n++) {
          u[n] = left[d][local[0] * 4 + n];
          v[n] = right[d][local[1] * 4 + n];
        }
        for (let m = 0; m < 4; m++) for (let n = 0; n < 4; n++) sums[m * 4 + n] += u[m] * v[n];
      }
      barrier();
    }
    return sums;
  }, { shape: (/** @type {Tensor} */ a, /** @type {Tensor} */ b) => [(a.shape[0] ?? 0) / SIDE, (b.shape[1] ?? 0) / SIDE], workgroup: [TILE / SIDE, DEPTH], name: "tiles" });
  return (/** @type {Tensor} */ a, /** @type {Tensor} */ b) => {
    const [m, n] = [a.shape[0] ?? 0, b.shape[1] ?? 0];
    return tiles(a, b).reshape([m / SIDE, n / SIDE, SIDE, SIDE]).permute([0, 2, 1, 3]).reshape([m, n]);
  };
};

/** The mean of an element and its four neighbours. */
const stencil = (/** @type {Kernel} */ kernel) =>
  kernel((x, i, j) => (x.at(i, j) + x.at(i - 1, j) + x.at(i + 1, j) + x.at(i, j - 1) + x.at(i, j + 1)) * 0.2, { edge: "wrap", name: "stencil" });

/** By the names of `workloads.mjs`. @type {Record<string, (kernel: Kernel) => Made>} */
export const KERNELS = { bodies, product, stencil };
