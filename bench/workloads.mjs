// Workloads of the benchmark. An entry has its kind, by which every library in `libraries/` knows
// how to write it, its sizes, its inputs, the bytes that it moves or the operations that it
// computes, and the limit of the machine to compare that with.
//
// Each is a chain: a step takes what the step before made, and one small read ends it, so that
// nothing can be left out or overlap.

/**
 * What a workload is given: numbers of mean 0 and deviation `scale`, or whole numbers below
 * `below`.
 * @typedef {{ shape: number[], scale?: number, below?: number }} Input
 */

/**
 * @typedef {object} Workload
 * @property {string} label
 * @property {string} kind
 * @property {"copy" | "fma" | null} limit What its rate is a fraction of: bytes a second,
 * operations a second, or nothing.
 * @property {number[]} full The size for GPUs.
 * @property {number[] | null} software The size for adapters that compute on the CPU; null where it
 * would be another entry's.
 * @property {number[]} small The size at which all libraries are compared with Weft's CPU device:
 * large enough for the kernels of large ones, where these differ.
 * @property {boolean} [huge] Takes more memory than GPUs for everyone have.
 * @property {boolean} [alone] A size for this machine's limit: the peers are measured in the entry
 * of the same kind beside it.
 * @property {number[]} [axes] Of reductions.
 * @property {(size: number[]) => Input[]} inputs The first is the state, except where the kind is a
 * reduction, a training, or a transfer.
 * @property {(size: number[]) => number} amount Bytes or operations of a step, by its limit; 1
 * without one.
 */

const product = (/** @type {number[]} */ size) => size.reduce((a, b) => a * b, 1);
const floats = (/** @type {number} */ times) => (/** @type {number[]} */ size) => 4 * times * product(size);
const one = (/** @type {number[]} */ shape) => [{ shape }];
const pairs = (/** @type {number[]} */ shape) => [{ shape }, { shape }];

/** @type {(label: string, kind: string, sizes: [number[], number[] | null, number[]], times: number, more?: Partial<Workload>) => Workload} */
const moves = (label, kind, [full, software, small], times, more = {}) => ({ label, kind, limit: "copy", full, software, small, inputs: one, amount: floats(times), ...more });

/** A product of [batch…, m, k] and [batch…, k, n], the size being [m, k, n, batch]; as they are, or
 * either transposed as it lies in memory. */
const matmul = (/** @type {number[]} */ full, /** @type {number[] | null} */ software, kind = "matmul", label = kind) => {
  /** @type {Workload} */
  const workload = {
    label,
    kind,
    limit: "fma",
    full,
    software,
    small: full.map((n, i) => (i === 3 ? Math.min(n, 2) : n === 1 ? 1 : n % 2 ? 37 : 48)),
    inputs: ([m = 1, k = 1, n = 1, batch]) => {
      const shape = (/** @type {number} */ a, /** @type {number} */ b) => (batch === undefined ? [a, b] : [batch, a, b]);
      return [{ shape: kind === "matmul Aᵀ·B" ? shape(k, m) : shape(m, k) }, { shape: kind === "matmul A·Bᵀ" ? shape(n, k) : shape(k, n), scale: 1 / Math.sqrt(k) }];
    },
    amount: ([m = 1, k = 1, n = 1, batch = 1]) => 2 * m * k * n * batch,
  };
  return workload;
};

const square = (/** @type {number} */ n, /** @type {number | null} */ software) => matmul([n, n, n], software === null ? null : [software, software, software]);

/** `size` is [vectors, length]: so many vectors times a square matrix. */
const vectors = (/** @type {number} */ count) =>
  moves(count === 1 ? "vector × matrix" : "vectors × matrix", "vectors × matrix", [[count, 4096], [count, 768], [count, 64]], 1, {
    inputs: ([count = 1, n = 1]) => [{ shape: [count, n] }, { shape: [n, n], scale: 1 / Math.sqrt(n) }],
    amount: ([, n = 1]) => 4 * n * n,
  });

/** `size` is [images, side, channels, filters, window, stride], as in a convolution of ResNet-50,
 * padded to keep its side but for the stride. */
const convolution = (/** @type {number[]} */ full, /** @type {number[] | null} */ software) => {
  /** @type {Workload} */
  const workload = {
    label: "conv2d",
    kind: "conv2d",
    limit: "fma",
    full,
    software,
    small: [2, 8, 3, 5, full[4] ?? 1, full[5] ?? 1],
    inputs: ([images = 1, side = 1, channels = 1, filters = 1, window = 1]) => [
      { shape: [images, side, side, channels] },
      { shape: [window, window, channels, filters], scale: 1 / Math.sqrt(window * window * channels) },
    ],
    amount: ([images = 1, side = 1, channels = 1, filters = 1, window = 1, stride = 1]) => 2 * images * (side / stride) ** 2 * window ** 2 * channels * filters,
  };
  return workload;
};

/** @type {Workload["inputs"]} */
const heads = ([heads = 1, length = 1, width = 1]) => [0, 1, 2].map(() => ({ shape: [heads, length, width] }));
/** @type {Workload["inputs"]} */
const mlp = ([batch = 1, input = 1, first = 1, second = 1]) => [
  { shape: [batch, input] },
  { shape: [batch], below: 10 },
  ...[[input, first], [first, second], [second, 10]].flatMap(([from = 1, to = 1]) => [{ shape: [from, to], scale: 1 / Math.sqrt(from) }, { shape: [to], scale: 0.01 }]),
];
/** @type {Workload["inputs"]} */
const cnn = ([batch = 1, side = 1, channels = 1, first = 1, second = 1]) => {
  const out = ((side - 4) / 2 - 4) / 2;
  return [
    { shape: [batch, side, side, channels] },
    { shape: [batch], below: 10 },
    { shape: [5, 5, channels, first], scale: 0.2 / Math.sqrt(channels) },
    { shape: [5, 5, first, second], scale: 0.2 / Math.sqrt(first) },
    { shape: [out * out * second, 10], scale: 0.02 },
  ];
};
/** Input, target, and the weights of a block of GPT-2: two norms, attention, and the layer that is
 * four times as wide. */
/** @type {Workload["inputs"]} */
const block = ([length = 1, width = 1]) => [
  { shape: [length, width] },
  { shape: [length, width] },
  ...[[width, 3 * width], [width, width], [width, 4 * width], [4 * width, width]].flatMap(([from = 1, to = 1]) => [{ shape: [from, to], scale: 1 / Math.sqrt(from) }, { shape: [to], scale: 0.01 }]),
  ...[0, 1].flatMap(() => [{ shape: [width], scale: 0.5 }, { shape: [width], scale: 0.1 }]),
];

/** @type {Workload[]} */
export const WORKLOADS = [
  moves("elementwise, 5 ops", "elementwise, 5 ops", [[2 ** 25], [2 ** 20], [1003]], 2),
  moves("elementwise, odd length", "elementwise, 2 ops", [[2 ** 25 + 3], [2 ** 20 + 3], [1003]], 2),
  moves("a row added to rows", "row", [[8192, 8192], [1024, 1024], [31, 36]], 2, { inputs: (n) => [{ shape: n }, { shape: n.slice(1) }] }),
  moves("sum of all", "sum", [[2 ** 28], null, [3001]], 1, { huge: true, alone: true }),
  moves("sum of all", "sum", [[2 ** 25], [2 ** 20], [3000]], 1),
  moves("max of all", "max", [[2 ** 28], null, [3000]], 1, { huge: true, alone: true }),
  moves("max of all", "max", [[2 ** 25], [2 ** 20], [3000]], 1),
  moves("argmax", "argmax", [[2 ** 28], null, [3000]], 1, { huge: true, alone: true }),
  moves("argmax", "argmax", [[2 ** 24], [2 ** 18], [3000]], 1),
  moves("sum over axis 0 of 2", "sum", [[8192, 8192], [512, 512], [70, 64]], 1, { axes: [0] }),
  moves("sum over axis 1 of 2", "sum", [[8192, 8192], [512, 512], [70, 64]], 1, { axes: [1] }),
  moves("sum over axis 1 of 3", "sum", [[512, 256, 512], [128, 64, 128], [5, 70, 12]], 1, { axes: [1] }),
  moves("sum over axes 0 and 2 of 3", "sum", [[512, 256, 512], [128, 64, 128], [5, 70, 12]], 1, { axes: [0, 2] }),
  moves("max over a long axis of few", "max", [[8, 2 ** 22], [8, 2 ** 17], [3, 3000]], 1, { axes: [1] }),
  moves("mean and variance of rows", "variance", [[8192, 8192], [1024, 1024], [70, 64]], 1),
  moves("softmax", "softmax", [[8192, 8192], [512, 1024], [33, 64]], 2),
  moves("softmax, rank 4", "softmax", [[8, 16, 512, 1024], [2, 4, 64, 1024], [2, 3, 5, 64]], 2),
  moves("softmax, gradient", "softmax, gradient", [[8192, 8192], [512, 1024], [33, 64]], 3, { inputs: (n) => [{ shape: n }, { shape: n }] }),
  moves("layernorm", "layernorm", [[8192, 8192], [512, 1024], [33, 64]], 2),
  moves("layernorm, rank 3", "layernorm", [[64, 1024, 1024], [8, 64, 1024], [3, 5, 64]], 2),
  moves("layernorm, gradient", "layernorm, gradient", [[8192, 8192], [512, 1024], [33, 64]], 3, { inputs: (n) => [{ shape: n }, { shape: n }] }),
  moves("cross entropy", "cross entropy", [[4096, 32768], [128, 8192], [16, 96]], 1, { inputs: (n) => [{ shape: n }, { shape: n.slice(0, 1), below: n[1] ?? 1 }] }),
  moves("transpose + 1", "transpose", [[8192, 8192], [1024, 1024], [405, 405]], 2),
  moves("cumulative sum", "cumsum", [[2 ** 26], [2 ** 20], [3001]], 2),
  // Pairs of real and imaginary parts: one is read, another written.
  moves("FFT", "FFT", [[64, 2 ** 20], null, [2, 4096]], 4, { huge: true, alone: true, inputs: pairs }),
  moves("FFT", "FFT", [[4096, 1024], [64, 512], [3, 128]], 4, { inputs: pairs }),
  moves("sort", "sort", [[2 ** 24], [2 ** 16], [3001]], 2),
  moves("gather", "gather", [[2 ** 24, 2 ** 20], [2 ** 18, 2 ** 14], [3001, 70]], 1, {
    inputs: ([count = 1, places = 1]) => [{ shape: [places] }, { shape: [count], below: places }],
    amount: ([count = 1]) => 4 * 3 * count,
  }),
  moves("scatter, adding", "scatter-add", [[2 ** 24, 2 ** 20], [2 ** 18, 2 ** 14], [3001, 70]], 1, {
    inputs: ([count = 1, places = 1]) => [{ shape: [places] }, { shape: [count], below: places }, { shape: [count] }],
    amount: ([count = 1, places = 1]) => 4 * (2 * count + 2 * places),
  }),
  moves("matrix × vector", "matrix × vector", [[4096, 4096], [768, 768], [64, 64]], 1, { inputs: ([m = 1, n = 1]) => [{ shape: [n] }, { shape: [m, n], scale: 1 / Math.sqrt(n) }] }),
  ...[1, 2, 4, 8].map(vectors),
  square(256, 64),
  square(512, 128),
  square(1021, 125),
  square(1024, 256),
  square(2048, null),
  square(4096, null),
  matmul([4096, 4096, 4096], [192, 192, 192], "matmul A·Bᵀ"),
  matmul([4096, 4096, 4096], [192, 192, 192], "matmul Aᵀ·B"),
  matmul([128, 784, 512], [32, 196, 128]),
  matmul([8192, 64, 64], [2048, 64, 64]),
  matmul([512, 768, 50257], [16, 96, 5003]),
  matmul([64, 64, 64, 32], [32, 32, 32, 32]),
  matmul([256, 1021, 256, 32], [32, 125, 32, 32]),
  matmul([512, 512, 512, 64], [64, 64, 64, 16]),
  matmul([25, 24576, 16], [25, 8192, 16], "matmul Aᵀ·B", "gradient of weights, Aᵀ·B"),
  { label: "attention", kind: "attention", limit: "fma", full: [16, 2048, 64], software: [4, 128, 32], small: [2, 32, 16], inputs: heads, amount: ([h = 0, s = 0, d = 0]) => 4 * h * s * s * d },
  { label: "attention, gradient", kind: "attention, gradient", limit: "fma", full: [16, 2048, 64], software: [4, 128, 32], small: [2, 32, 16], inputs: (n) => [...heads(n), { shape: n }], amount: ([h = 0, s = 0, d = 0]) => 14 * h * s * s * d },
  convolution([8, 128, 128, 128, 3, 1], [1, 16, 32, 32, 3, 1]),
  convolution([8, 224, 3, 64, 7, 2], [1, 56, 3, 16, 7, 2]),
  convolution([8, 56, 64, 64, 3, 1], [1, 28, 16, 16, 3, 1]),
  convolution([8, 56, 256, 64, 1, 1], [2, 14, 64, 16, 1, 1]),
  convolution([8, 56, 128, 128, 3, 2], [1, 28, 16, 32, 3, 2]),
  convolution([8, 14, 256, 256, 3, 1], [1, 14, 32, 32, 3, 1]),
  convolution([8, 7, 512, 2048, 1, 1], [2, 7, 64, 256, 1, 1]),
  ...([[1024, 96], [4096, null], [16384, 512]]).map(([full, software]) => {
    /** @type {Workload} */
    const bodies = { label: "N-body", kind: "N-body", limit: "fma", full: [full ?? 1], software: software ? [software] : null, small: [64], inputs: ([n = 1]) => [{ shape: [n, 3] }, { shape: [n] }], amount: ([n = 0]) => 19 * n * n };
    return bodies;
  }),
  { label: "training an MLP", kind: "MLP", limit: null, full: [128, 784, 512, 256], software: [32, 196, 128, 64], small: [16, 20, 24, 12], inputs: mlp, amount: () => 1 },
  { label: "training a CNN", kind: "CNN", limit: null, full: [64, 28, 1, 16, 32], software: [8, 28, 1, 4, 8], small: [4, 16, 1, 4, 4], inputs: cnn, amount: () => 1 },
  { label: "training a block of GPT-2", kind: "GPT-2 block", limit: null, full: [1024, 768, 12], software: [48, 96, 4], small: [12, 16, 2], inputs: block, amount: () => 1 },
  // Kernels in JavaScript, beside the operations above that compute the same, and beside a copy.
  { label: "N-body by a kernel", kind: "N-body by a kernel", limit: "fma", full: [4096], software: [96], small: [64], alone: true, inputs: ([n = 1]) => [{ shape: [n, 3] }, { shape: [n] }], amount: ([n = 0]) => 19 * n * n },
  { ...square(1024, 128), label: "matmul by a kernel", kind: "matmul by a kernel", small: [128, 64, 64], alone: true },
  moves("stencil by a kernel", "stencil by a kernel", [[8192, 8192], [512, 512], [40, 36]], 2, { alone: true }),
  moves("stencil by a kernel, gradient", "stencil by a kernel, gradient", [[8192, 8192], [512, 512], [40, 36]], 3, { alone: true, inputs: pairs }),
  moves("upload", "upload", [[2 ** 24], [2 ** 24], [4096]], 1),
  moves("read", "read", [[2 ** 24], [2 ** 24], [4096]], 1),
];

/** What an entry is called at a size. */
export const nameOf = (/** @type {Workload} */ { label }, /** @type {number[]} */ size) => `${label} ${size.map((n) => (n >= 2 ** 17 && Number.isInteger(Math.log2(n)) ? `2^${Math.log2(n)}` : n)).join("×")}`;
