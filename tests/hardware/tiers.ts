// Kernels with two texts: the shorter one serves until the other is compiled, and both give the
// same bits, of Fourier transforms the same to a few last bits. Work of the sizes in which devices
// have such kernels.

import * as weft from "../../js/src/index.js";
import type { Tensor } from "../../js/src/index.js";

/** A store from which the device learns that its compiler takes forever: every kernel that has a
 * shorter text begins with it. */
export const slowCompiler: weft.tune.Store = {
  get: async (name) => `${name}\ncompiled pace\texpression\t1${"0".repeat(200)}\n`,
  set: async () => {},
};

interface Pair {
  readonly name: string;
  /** Shapes of what it is given. */
  readonly shapes: readonly (readonly number[])[];
  readonly make: (...inputs: Tensor[]) => Tensor;
  /** How far results may be apart, as a share of the largest, where the texts need not have the
   * same bits. */
  readonly bound?: number;
}

/** Of a·b − c·d, a driver contracts either product, in each text the one that it likes. */
const CONTRACTED = 2 ** -20;

const NHWC = { layout: ["NHWC", "HWIO", "NHWC"] as const };
const gradient = (make: Pair["make"]): Pair["make"] => (...inputs) => (weft.grad((x: Tensor) => make(x, ...inputs.slice(1)).square().sum()) as (x: Tensor) => Tensor)(inputs[0] as Tensor);
const attention = (isCausal: boolean) => (q: Tensor, k: Tensor, v: Tensor) => weft.nn.scaledDotProductAttention(q, k, v, isCausal ? { causal: true } : {});
const diagonal = (a: Tensor): Tensor => a.add(weft.eye(a.shape[0] as number).mul(64));

/** `n` is the extent of large ones. */
const pairs = (n: number): Pair[] => {
  const both = (name: string, shapes: Pair["shapes"], make: Pair["make"]): Pair[] => [{ name, shapes, make }, { name: `${name}, gradient`, shapes, make: gradient(make) }];
  return [
    ...both("product", [[n, n], [n, n]], (a, b) => a.matmul(b)),
    ...both("product of odd sizes", [[n - 3, n / 2 + 5], [n / 2 + 5, n - 7]], (a, b) => a.matmul(b)),
    ...both("products of a batch", [[3, n / 2, n / 4], [3, n / 4, n / 2]], (a, b) => a.matmul(b)),
    ...both("aᵀ·b", [[n, n / 2], [n, n / 2]], (a, b) => a.swapAxes(0, 1).matmul(b)),
    ...both("a·bᵀ with a bias and GELU", [[n, n / 2], [n, n / 2], [n]], (a, b, c) => weft.gelu(a.matmul(b.swapAxes(0, 1)).add(c))),
    ...both("convolution 3×3", [[2, n / 16, n / 16, 64], [3, 3, 64, 64]], (x, w) => weft.conv(x, w, { ...NHWC, padding: 1 })),
    ...both("convolution 3×3 by 2", [[2, n / 16, n / 16, 64], [3, 3, 64, 64]], (x, w) => weft.conv(x, w, { ...NHWC, stride: 2 }).relu()),
    ...both("convolution 1×1", [[2, n / 16, n / 16, 64], [1, 1, 64, 128]], (x, w) => weft.conv(x, w, NHWC)),
    ...both("attention", [[4, n / 2, 64], [4, n / 2, 64], [4, n / 2, 64]], attention(false)),
    ...both("causal attention", [[4, n / 2, 64], [4, n / 2, 64], [4, n / 2, 64]], attention(true)),
    ...both("linear system", [[n / 4, n / 4], [n / 4, 8]], (a, b) => weft.linalg.solve(diagonal(a), b)),
    ...both("Cholesky", [[n / 4, n / 4]], (a) => weft.linalg.cholesky(diagonal(a.matmul(a.swapAxes(0, 1))))),
    { name: "QR", shapes: [[n / 4, n / 8]], make: (a) => weft.linalg.qr(a)[1] as Tensor },
    { name: "Fourier transform of a prime length", shapes: [[8, 1009]], make: (x) => weft.fft.fft(x).re, bound: CONTRACTED },
    { name: "Fourier transform", shapes: [[8, 4 * n]], make: (x) => weft.fft.fft(x).re, bound: CONTRACTED },
    { name: "Fourier transform of columns", shapes: [[n, n]], make: (x) => weft.fft.ifft(new weft.Complex(x, x.mul(2)), null, 0).re, bound: CONTRACTED },
    { name: "sort", shapes: [[8, 1000]], make: (x) => weft.argsort(x).cast("f32") },
  ];
};

export const PAIRS = pairs(512).length;

const bitsOf = async (tensor: Tensor): Promise<Uint32Array> => {
  const data = (await tensor.data()) as Float32Array;
  return new Uint32Array(data.buffer, data.byteOffset, data.length);
};

/** Computes number n with the texts that serve first, then with the others; what is wrong. */
export async function attemptPair(n: number): Promise<{ name: string; difference: string | null }> {
  const isSoftware = weft.deviceInfo()?.adapter?.isFallback ?? true;
  const { name, shapes, make, bound } = pairs(isSoftware ? 64 : 512)[n] as Pair;
  const generator = weft.random.key(n);
  const inputs = shapes.map((shape, at) => weft.random.normal(weft.random.foldIn(generator, at), [...shape]));
  await weft.realize(...inputs);
  const before = await bitsOf(make(...inputs));
  await weft.tune.race();
  const after = await bitsOf(make(...inputs));
  if (bound !== undefined) {
    const [first, second] = [before, after].map((bits) => new Float32Array(bits.buffer, bits.byteOffset, bits.length)) as [Float32Array, Float32Array];
    const largest = first.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    const apart = first.reduce((most, x, index) => Math.max(most, Math.abs(x - (second[index] as number))), 0);
    return { name, difference: apart <= bound * largest ? null : `results are ${apart} apart, of which the largest is ${largest}` };
  }
  const at = before.findIndex((bits, index) => bits !== after[index]);
  const differing = before.reduce((count, bits, index) => count + Number(bits !== after[index]), 0);
  return { name, difference: at < 0 ? null : `${differing} of ${before.length} elements have other bits, the first at ${at}: ${before[at]?.toString(16)} and ${after[at]?.toString(16)}` };
}
