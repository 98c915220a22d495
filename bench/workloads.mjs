// What is measured? One entry for each piece of work: its name, two sizes (what people use, and one small enough to compare with the
// CPU device), how much of what it moves or computes, and which of the machine's limits that is a fraction of.
//
// Each is a chain: a step takes what the step before made, and one small read ends it, so that nothing can be left out or overlap.

/** @typedef {typeof import("weft-gpu")} Weft */
/** @typedef {import("weft-gpu").Tensor} Tensor */

/**
 * @typedef {object} Chain
 * @property {() => void} step Asks for the next step.
 * @property {() => Promise<number>} last Reads one number that depends on all steps so far.
 * @property {() => Promise<number>} check A number that tells results apart: every element counts, by its place.
 */

/**
 * @typedef {object} Workload
 * @property {string} name
 * @property {"copy" | "fma" | null} limit What its rate is a fraction of: bytes a second, operations a second, or nothing.
 * @property {number[]} full The size that is measured.
 * @property {number[]} small The size at which devices are compared: large enough for the kernels of large ones, where these differ.
 * @property {(size: number[]) => number} amount Bytes or operations of a step, by its limit; 1 without one.
 * @property {(w: Weft, size: number[]) => Chain} make
 */

const product = (/** @type {number[]} */ size) => size.reduce((a, b) => a * b, 1);
const floats = (/** @type {number} */ times) => (/** @type {number[]} */ size) => 4 * times * product(size);

/** What the elements of a tensor come to, each by its place, as a part of their size. */
const digest = (/** @type {Weft} */ w, /** @type {Tensor} */ x) => {
  const flat = x.reshape([x.size]);
  return flat.mul(w.linspace(1, 2, x.size)).sum().div(flat.abs().sum()).item();
};

/**
 * A tensor that goes through `f` again and again.
 * @param {Weft} w
 * @param {(x: Tensor, ...fixed: Tensor[]) => Tensor} f
 * @param {Tensor} first
 * @param {Tensor[]} fixed
 * @returns {Chain}
 */
function state(w, f, first, ...fixed) {
  const turn = w.jit(f);
  let x = first;
  return {
    step() {
      const next = turn(x, ...fixed);
      x.dispose();
      x = next;
    },
    last: () => x.reshape([x.size]).slice([0, 1]).sum().item(),
    check: () => digest(w, x),
  };
}

/**
 * Work on a large tensor that comes down to a number, which the next turn's input is multiplied by.
 * @param {Weft} w
 * @param {(x: Tensor) => Tensor} f
 * @param {Tensor} x
 * @returns {Chain}
 */
function reduced(w, f, x) {
  const turn = w.jit((/** @type {Tensor} */ x, /** @type {Tensor} */ s) => f(x.mul(s)).mul(1e-6).add(0.5));
  let s = w.tensor(0.5);
  return {
    step() {
      const next = turn(x, s);
      s.dispose();
      s = next;
    },
    last: () => s.item(),
    check: () => s.item(),
  };
}

const layerNorm = (/** @type {Tensor} */ x) => {
  const d = x.sub(x.mean(-1, { keepdims: true }));
  return d.div(d.square().mean(-1, { keepdims: true }).add(1e-5).sqrt());
};

/** A product of [batch…, m, k] and [batch…, k, n], `size` being [m, k, n, batch]; the result feeds the next where shapes allow. */
const matmul = (/** @type {string} */ name, /** @type {number[]} */ full, /** @type {"ab" | "abT" | "aTb"} */ form = "ab") => {
  /** @type {Workload} */
  const workload = {
    name,
    limit: "fma",
    full,
    small: full.map((n, i) => (i === 3 ? Math.min(n, 2) : n === 1 ? 1 : n % 2 ? 37 : 48)),
    amount: ([m, k, n, batch = 1]) => 2 * (m ?? 0) * (k ?? 0) * (n ?? 0) * batch,
    make(w, [m = 1, k = 1, n = 1, batch]) {
      const shape = (/** @type {number} */ a, /** @type {number} */ b) => (batch === undefined ? [a, b] : [batch, a, b]);
      const a = w.random.normal(form === "aTb" ? shape(k, m) : shape(m, k));
      const b = w.random.normal(form === "abT" ? shape(n, k) : shape(k, n)).mul(1 / Math.sqrt(k));
      const times = (/** @type {Tensor} */ x, /** @type {Tensor} */ b) =>
        form === "abT" ? x.matmul(b.swapAxes(-1, -2)) : form === "aTb" ? x.swapAxes(-1, -2).matmul(b) : x.matmul(b);
      if (k === n && form !== "aTb") return state(w, times, a, b);
      // The product has another shape than its operand: a number of it is what the next one waits for.
      const turn = w.jit((/** @type {Tensor} */ y, /** @type {Tensor} */ a, /** @type {Tensor} */ b) => {
        const number = y.reshape([y.size]).slice([0, 1]).sum();
        return times(a.add(number.mul(1e-6)), b);
      });
      let y = times(a, b);
      return {
        step() {
          const next = turn(y, a, b);
          y.dispose();
          y = next;
        },
        last: () => y.reshape([y.size]).slice([0, 1]).sum().item(),
        check: () => digest(w, y),
      };
    },
  };
  return workload;
};

const square = (/** @type {number} */ n) => matmul(`matmul ${n}`, [n, n, n]);

/** @type {(w: Weft, size: number[], captured: boolean) => Chain} */
function mlp(w, [batch = 1, input = 1, first = 1, second = 1], captured) {
  const model = new w.nn.Sequential(new w.nn.Linear(input, first), new w.nn.ReLU(), new w.nn.Linear(first, second), new w.nn.ReLU(), new w.nn.Linear(second, 10));
  return training(w, model, (x) => model.forward(x), [batch, input], captured);
}

/** Two 5×5 convolutions as products over windows cut out by slices, each with a pool of 2×2, and a layer behind them. */
function cnn(/** @type {Weft} */ w, /** @type {number[]} */ [side = 28, batch = 64, first = 16, second = 32]) {
  const pooled = (side - 4) / 2;
  const out = (pooled - 4) / 2;
  const weights = [w.random.normal([25, first]).mul(0.2), w.random.normal([25 * first, second]).mul(0.05), w.random.normal([out * out * second, 10]).mul(0.02)].map((v) => new w.Parameter(v));
  const convolve = (/** @type {Tensor} */ x, /** @type {Tensor} */ weight) => {
    const [n = 0, h = 0, v = 0] = x.shape;
    const windows = [];
    for (let i = 0; i < 5; i++) for (let j = 0; j < 5; j++) windows.push(x.slice(null, [i, h - 4 + i], [j, v - 4 + j]));
    return w.concat(windows, 3).reshape([n * (h - 4) * (v - 4), weight.shape[0] ?? 0]).matmul(weight).reshape([n, h - 4, v - 4, weight.shape[1] ?? 0]).relu();
  };
  const pool = (/** @type {Tensor} */ x) => {
    const [n = 0, h = 0, v = 0, c = 0] = x.shape;
    return x.reshape([n, h / 2, 2, v / 2, 2, c]).max([2, 4]);
  };
  const forward = (/** @type {Tensor} */ x) => {
    const [a, b, c] = weights;
    if (!a || !b || !c) throw new Error("three layers");
    return pool(convolve(pool(convolve(x, a)), b)).reshape([batch, out * out * second]).matmul(c);
  };
  return training(w, weights, forward, [batch, side, side, 1], true);
}

/**
 * Steps of gradient descent.
 * @param {Weft} w
 * @param {import("weft-gpu").optim.Parameters} parameters
 * @param {(x: Tensor) => Tensor} forward
 * @param {number[]} input
 * @param {boolean} captured
 * @returns {Chain}
 */
function training(w, parameters, forward, input, captured) {
  const optimizer = w.optim.sgd(parameters, { lr: 0.01 });
  const x = w.random.normal(input);
  const y = w.tensor(Int32Array.from({ length: input[0] ?? 0 }, (_, i) => i % 10), { dtype: "i32" });
  const lossOf = /** @type {(p: unknown, x: Tensor, y: Tensor) => [Tensor, never]} */ (w.valueAndGrad(/** @type {never} */ ((/** @type {unknown} */ _, /** @type {Tensor} */ x, /** @type {Tensor} */ y) => w.crossEntropy(forward(x), y))));
  const eager = (/** @type {Tensor} */ x, /** @type {Tensor} */ y) => {
    const [loss, gradients] = lossOf(parameters, x, y);
    optimizer.step(gradients);
    return loss;
  };
  const turn = captured ? w.jit(eager) : eager;
  /** @type {Tensor | undefined} */
  let loss;
  const last = async () => (loss ? loss.item() : Number.NaN);
  return {
    step() {
      loss?.dispose();
      loss = turn(x, y);
    },
    last,
    check: last,
  };
}

/** @type {Workload[]} */
export const WORKLOADS = [
  { name: "elementwise, 5 ops", limit: "copy", full: [2 ** 25], small: [1003], amount: floats(2), make: (w, n) => state(w, (x) => x.mul(1.0001).add(0.5).sub(0.4).mul(0.999).add(0.01), w.random.normal(n)) },
  { name: "elementwise, odd length", limit: "copy", full: [2 ** 25 + 3], small: [1003], amount: floats(2), make: (w, n) => state(w, (x) => x.mul(1.0001).add(0.5), w.random.normal(n)) },
  { name: "a row added to rows", limit: "copy", full: [8192, 8192], small: [31, 36], amount: floats(2), make: (w, n) => state(w, (x, b) => x.mul(0.999).add(b), w.random.normal(n), w.random.normal(n.slice(1))) },
  { name: "sum of all", limit: "copy", full: [2 ** 28], small: [3001], amount: floats(1), make: (w, n) => reduced(w, (x) => x.sum(), w.random.normal(n)) },
  { name: "sum of all, 2^25", limit: "copy", full: [2 ** 25], small: [3000], amount: floats(1), make: (w, n) => reduced(w, (x) => x.sum(), w.random.normal(n)) },
  { name: "max of all", limit: "copy", full: [2 ** 28], small: [3000], amount: floats(1), make: (w, n) => reduced(w, (x) => x.max(), w.random.normal(n)) },
  { name: "argmax", limit: "copy", full: [2 ** 28], small: [3000], amount: floats(1), make: (w, n) => reduced(w, (x) => x.argmax().cast("f32").mul(1e-3), w.random.normal(n)) },
  { name: "sum over axis 0", limit: "copy", full: [8192, 8192], small: [70, 64], amount: floats(1), make: (w, n) => reduced(w, (x) => x.sum(0).max(), w.random.normal(n)) },
  { name: "sum over axis 1", limit: "copy", full: [8192, 8192], small: [70, 64], amount: floats(1), make: (w, n) => reduced(w, (x) => x.sum(1).max(), w.random.normal(n)) },
  { name: "mean and variance of rows", limit: "copy", full: [8192, 8192], small: [70, 64], amount: floats(1), make: (w, n) => reduced(w, (x) => x.variance(1).max().add(x.mean(1).max()), w.random.normal(n)) },
  { name: "softmax", limit: "copy", full: [8192, 8192], small: [33, 64], amount: floats(2), make: (w, n) => state(w, (x) => w.softmax(x, -1), w.random.normal(n)) },
  { name: "softmax, rank 4", limit: "copy", full: [8, 16, 512, 1024], small: [2, 3, 5, 64], amount: floats(2), make: (w, n) => state(w, (x) => w.softmax(x, -1), w.random.normal(n)) },
  { name: "layernorm", limit: "copy", full: [8192, 8192], small: [33, 64], amount: floats(2), make: (w, n) => state(w, layerNorm, w.random.normal(n)) },
  { name: "layernorm, rank 3", limit: "copy", full: [64, 1024, 1024], small: [3, 5, 64], amount: floats(2), make: (w, n) => state(w, layerNorm, w.random.normal(n)) },
  { name: "layernorm, gradient", limit: "copy", full: [8192, 8192], small: [33, 64], amount: floats(2), make: (w, n) => state(w, w.grad((/** @type {Tensor} */ x) => layerNorm(x).square().mul(x).sum()), w.random.normal(n)) },
  { name: "cross entropy 4096×32768", limit: "copy", full: [4096, 32768], small: [16, 96], amount: floats(1), make: (w, n) => { const labels = w.random.randint([n[0] ?? 0], 0, n[1] ?? 0); return reduced(w, (x) => w.crossEntropy(x, labels), w.random.normal(n)); } },
  { name: "transpose + 1", limit: "copy", full: [8192, 8192], small: [405, 405], amount: floats(2), make: (w, n) => state(w, (x) => x.transpose().add(1), w.random.normal(n)) },
  { name: "vector × matrix 4096", limit: "copy", full: [4096, 4096], small: [64, 64], amount: floats(1), make: (w, n) => state(w, (v, a) => v.matmul(a).mul(0.01), w.random.normal([1, n[0] ?? 0]), w.random.normal(n)) },
  { name: "matrix × vector 4096", limit: "copy", full: [4096, 4096], small: [64, 64], amount: floats(1), make: (w, n) => state(w, (v, a) => a.matmul(v).mul(0.01), w.random.normal([n[1] ?? 0]), w.random.normal(n)) },
  { name: "8 vectors × matrix 4096", limit: "copy", full: [4096, 4096], small: [64, 64], amount: floats(1), make: (w, n) => state(w, (v, a) => v.matmul(a).mul(0.01), w.random.normal([8, n[0] ?? 0]), w.random.normal(n)) },
  square(256),
  square(512),
  square(1021),
  square(1024),
  square(2048),
  square(4096),
  matmul("matmul A·Bᵀ 4096", [4096, 4096, 4096], "abT"),
  matmul("matmul Aᵀ·B 4096", [4096, 4096, 4096], "aTb"),
  matmul("matmul 128×784×512", [128, 784, 512]),
  matmul("matmul 8192×64×64", [8192, 64, 64]),
  matmul("matmul 512×768×50257", [512, 768, 50257]),
  matmul("matmul 64 of 512", [512, 512, 512, 64]),
  matmul("weight gradient, 25×24576×16", [25, 24576, 16], "aTb"),
  { name: "attention, 16 heads of 64", limit: "fma", full: [16, 2048, 64], small: [2, 32, 16], amount: ([h = 0, s = 0, d = 0]) => 4 * h * s * s * d, make: (w, n) => state(w, (q, k, v) => w.softmax(q.matmul(k.swapAxes(-1, -2)).mul(1 / Math.sqrt(n[2] ?? 1)), -1).matmul(v), w.random.normal(n), w.random.normal(n), w.random.normal(n)) },
  { name: "N-body 16384", limit: "fma", full: [16384], small: [96], amount: ([n = 0]) => 19 * n * n, make: (w, [n = 0]) => state(w, (p, m) => {
    const d = p.reshape([1, n, 3]).sub(p.reshape([n, 1, 3]));
    const r = d.square().sum(-1, { keepdims: true }).add(0.01).rsqrt();
    return p.add(d.mul(r.mul(r).mul(r)).mul(m.reshape([1, n, 1])).sum(1).mul(1e-5));
  }, w.random.normal([n, 3]), w.random.uniform([n])) },
  { name: "MLP 784-512-256-10, captured", limit: null, full: [128, 784, 512, 256], small: [16, 20, 24, 12], amount: () => 1, make: (w, n) => mlp(w, n, true) },
  { name: "MLP 784-512-256-10, eager", limit: null, full: [128, 784, 512, 256], small: [16, 20, 24, 12], amount: () => 1, make: (w, n) => mlp(w, n, false) },
  { name: "CNN 16-32-10, captured", limit: null, full: [28, 64, 16, 32], small: [16, 4, 4, 4], amount: () => 1, make: cnn },
];
