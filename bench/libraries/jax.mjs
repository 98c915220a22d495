// The workloads in jax-js. A function consumes its arguments; `ref` keeps one for another use.

import { defaultDevice, getWebGPUDevice, init, grad, jit, lax, nn, numpy as np, valueAndGrad } from "@jax-js/jax";
import { sampled } from "../compare.mjs";
import { at, timed, Unsupported, waits } from "./library.mjs";
import { causal, RATE } from "./weft.mjs";

/** @typedef {import("@jax-js/jax").Array} Array */
/** @typedef {import("./library.mjs").Chain} Chain */
/** @typedef {import("./library.mjs").Manner} Manner */
/** @typedef {(x: Array, ...fixed: Array[]) => Array} Step */

const last = /** @type {const} */ ({ keepdims: true });

const layerNorm = (/** @type {Array} */ x) => {
  const d = x.ref.sub(np.mean(x, -1, last));
  return d.ref.div(np.sqrt(np.mean(np.square(d), -1, last).add(1e-5)));
};

const gelu = (/** @type {Array} */ x) => x.ref.mul(0.5).mul(np.tanh(x.ref.add(x.ref.mul(x.ref).mul(x).mul(0.044715)).mul(Math.sqrt(2 / Math.PI))).add(1));

const rank = (/** @type {Array} */ x) => x.shape.length;

const attention = (/** @type {Array} */ q, /** @type {Array} */ k, /** @type {Array} */ v, /** @type {Array | undefined} */ mask = undefined) => {
  const scores = np.matmul(q.ref, np.swapaxes(k, rank(k) - 1, rank(k) - 2)).mul(1 / Math.sqrt(q.shape.at(-1) ?? 1));
  q.dispose();
  return np.matmul(nn.softmax(mask ? scores.add(mask) : scores, -1), v);
};

/** Padded as TensorFlow's "SAME" and PyTorch's `(window − 1) / 2` agree: none more than the stride
 * leaves. */
const padding = (/** @type {number} */ window, /** @type {number} */ stride) => {
  const before = Math.floor((window - 1) / 2);
  return /** @type {[number, number]} */ ([before, Math.max(0, window - stride - before)]);
};

const little = (/** @type {Array} */ y) => y.reshape([-1]).slice([0, 1]).sum().mul(1e-6);

const steps = (/** @type {Manner} */ { size }) => {
  const waiting = (/** @type {(a: Array, b: Array) => Array} */ f) => /** @type {Step} */ ((y, a, b) => f(a.add(little(y)), b));
  const product = (/** @type {(x: Array, b: Array) => Array} */ f, plain = false) => (plain && size[1] === size[2] ? /** @type {Step} */ (f) : waiting(f));
  const swapped = (/** @type {Array} */ x) => np.swapaxes(x, rank(x) - 1, rank(x) - 2);
  /** @type {Record<string, () => Step>} */
  const all = {
    "elementwise, 5 ops": () => (x) => x.mul(1.0001).add(0.5).sub(0.4).mul(0.999).add(0.01),
    "elementwise, 2 ops": () => (x) => x.mul(1.0001).add(0.5),
    row: () => (x, b) => x.mul(0.999).add(b),
    softmax: () => (x) => nn.softmax(x, -1),
    "softmax, gradient": () => grad((/** @type {Array} */ x, /** @type {Array} */ weights) => nn.softmax(x, -1).mul(weights).sum()),
    layernorm: () => layerNorm,
    "layernorm, gradient": () => grad((/** @type {Array} */ x, /** @type {Array} */ weights) => layerNorm(x).mul(weights).sum()),
    transpose: () => (x) => x.transpose().add(1),
    cumsum: () => (y, x) => np.cumsum(at([x], 0).add(little(y)), 0),
    sort: () => (y, x) => np.sort(at([x], 0).add(little(y)), 0),
    gather: () => (y, x, places) => np.take(at([x], 0).add(little(y)), at([places], 0), 0),
    "matrix × vector": () => (v, a) => np.matmul(a, v),
    "vectors × matrix": () => (v, a) => np.matmul(v, a),
    matmul: () => product(np.matmul, true),
    "matmul A·Bᵀ": () => product((x, b) => np.matmul(x, swapped(b)), true),
    "matmul Aᵀ·B": () => product((x, b) => np.matmul(swapped(x), b)),
    attention: () => (q, k, v) => attention(q, k, v),
    "attention, gradient": () => {
      const gradients = grad((/** @type {Array} */ q, /** @type {Array} */ k, /** @type {Array} */ v, /** @type {Array} */ weights) => attention(q, k, v).mul(weights).sum(), { argnums: [0, 1, 2] });
      return (q, k, v, weights) => {
        const [dq, dk, dv] = /** @type {Array[]} */ (/** @type {unknown} */ (gradients(q, k, v, at([weights], 0))));
        return at([dq], 0).add(at([dk], 0)).add(at([dv], 0));
      };
    },
    conv2d: () => {
      const [, , , , window = 1, stride = 1] = size;
      return waiting((x, weights) => lax.conv(x, weights, [stride, stride], [padding(window, stride), padding(window, stride)]));
    },
    "N-body": () => (p, m) => {
      const n = p.shape[0] ?? 0;
      const d = p.ref.reshape([1, n, 3]).sub(p.ref.reshape([n, 1, 3]));
      const r = np.reciprocal(np.sqrt(np.square(d.ref).sum(-1, last).add(0.01)));
      return p.add(d.mul(r.ref.mul(r.ref).mul(r)).mul(m.reshape([1, n, 1])).sum(1).mul(1e-5));
    },
  };
  return all;
};

const reductions = (/** @type {Manner} */ { axes }) => {
  const down = (/** @type {Array} */ x) => (axes ? np.max(x) : x);
  /** @type {Record<string, (x: Array, labels: Array) => Array>} */
  const all = {
    sum: (x) => down(np.sum(x, axes ?? null)),
    max: (x) => down(np.max(x, axes ?? null)),
    argmax: (x) => np.argmax(x.reshape([-1])).astype(np.float32),
    variance: (x) => np.max(np.var_(x.ref, 1)).add(np.max(np.mean(x, 1))),
    "cross entropy": (x, labels) => np.mean(np.sum(nn.logSoftmax(x.ref, -1).mul(nn.oneHot(labels, x.shape[1] ?? 0)), -1)).mul(-1),
  };
  return all;
};

const losses = (/** @type {Manner} */ { size }) => {
  const entropy = (/** @type {Array} */ logits, /** @type {Array} */ y) => np.mean(np.sum(nn.logSoftmax(logits, -1).mul(y), -1)).mul(-1);
  /** @type {Record<string, (p: Array[], x: Array, y: Array, more: Array[]) => Array>} */
  const all = {
    MLP: ([a, b, c, d, e, f], x, y) => entropy(np.matmul(nn.relu(np.matmul(nn.relu(np.matmul(x, at([a], 0)).add(at([b], 0))), at([c], 0)).add(at([d], 0))), at([e], 0)).add(at([f], 0)), y),
    CNN: ([a, b, c], x, y) => {
      const layer = (/** @type {Array} */ x, /** @type {Array} */ weights) => {
        const out = nn.relu(lax.conv(x, weights, [1, 1], "VALID"));
        const [n = 0, c = 0, h = 0, v = 0] = out.shape;
        return np.max(out.reshape([n, c, h / 2, 2, v / 2, 2]), [3, 5]);
      };
      const last = layer(layer(x, at([a], 0)), at([b], 0));
      return entropy(np.matmul(last.reshape([last.shape[0] ?? 0, -1]), at([c], 0)), y);
    },
    "GPT-2 block": (p, x, y, [mask]) => {
      const [length = 0, width = 0, heads = 1] = size;
      const linear = (/** @type {Array} */ x, /** @type {number} */ n) => np.matmul(x, at(p, n)).add(at(p, n + 1));
      const norm = (/** @type {Array} */ x, /** @type {number} */ n) => layerNorm(x).mul(at(p, n).add(1)).add(at(p, n + 1));
      const all = linear(norm(x.ref, 8), 0).reshape([length, 3, heads, width / heads]).transpose([1, 2, 0, 3]);
      const [q, k, v] = [all.ref.slice(0), all.ref.slice(1), all.slice(2)];
      const seen = attention(at([q], 0), at([k], 0), at([v], 0), mask);
      const a = x.add(linear(seen.transpose([1, 0, 2]).reshape([length, width]), 2));
      return np.mean(np.square(a.ref.add(linear(gelu(linear(norm(a, 10), 4)), 6)).sub(y)));
    },
  };
  return all;
};

const first = async (/** @type {Array} */ x) => at(await x.ref.reshape([-1]).slice([0, 1]).data(), 0);
const sampleOf = (/** @type {Array} */ x) => sampled(x.size, async (start, end) => await x.ref.reshape([-1]).slice([start, end]).data());

/** @type {(f: Step, captured: boolean, from: Array, fixed: Array[], toSample?: (x: Array) => Array) => Chain} */
const chained = (f, captured, from, fixed, toSample = (x) => x) => {
  const captive = captured ? jit(f) : null;
  const turn = captive ?? f;
  let x = from;
  return {
    step() {
      x = turn(x, ...fixed.map((tensor) => tensor.ref));
    },
    last: () => first(x),
    async sample() {
      const seen = toSample(x.ref);
      const sample = await sampleOf(seen);
      seen.dispose();
      return sample;
    },
    dispose() {
      [x, ...fixed].forEach((tensor) => tensor.dispose());
      captive?.dispose();
    },
  };
};

/** @type {(given: Array[], captured: boolean) => Chain} */
const transformed = ([re, im], captured) => {
  if (!re || !im) throw new Error("real and imaginary parts");
  const eager = (/** @type {Array} */ y, /** @type {Array} */ re, /** @type {Array} */ im) => {
    const { real, imag } = np.fft.fft({ real: re.add(little(y)), imag: im });
    return [real, imag];
  };
  const captive = captured ? jit(/** @type {never} */ (eager)) : null;
  const turn = /** @type {typeof eager} */ (/** @type {unknown} */ (captive ?? eager));
  let made = [np.zeros([1])];
  return {
    step() {
      const [y, ...rest] = made;
      made = turn(at([y], 0), re.ref, im.ref);
      rest.forEach((tensor) => tensor.dispose());
    },
    last: () => first(at(made, 0)),
    sample: async () => Float32Array.from((await Promise.all(made.map(sampleOf))).flatMap((part) => [...part])),
    dispose() {
      [re, im, ...made].forEach((tensor) => tensor.dispose());
      captive?.dispose();
    },
  };
};

/** @type {(loss: (p: Array[], x: Array, y: Array, more: Array[]) => Array, given: { x: Array, y: Array, weights: Array[], more: Array[] }, captured: boolean, toSample?: (weights: Array) => Array) => Chain} */
const trained = (loss, { x, y, weights, more }, captured, toSample = (weights) => weights) => {
  const gradient = valueAndGrad(loss);
  const eager = (/** @type {Array[]} */ p, /** @type {Array} */ x, /** @type {Array} */ y, /** @type {Array[]} */ more) => {
    const [value, gradients] = gradient(p.map((weight) => weight.ref), x, y, more);
    const slopes = /** @type {Array[]} */ (/** @type {unknown} */ (gradients));
    return [value, p.map((weight, n) => weight.sub(at(slopes, n).mul(RATE)))];
  };
  const captive = captured ? jit(/** @type {never} */ (eager)) : null;
  const turn = /** @type {(p: Array[], x: Array, y: Array, more: Array[]) => [Array, Array[]]} */ (/** @type {unknown} */ (captive ?? eager));
  /** @type {Array | undefined} */
  let value;
  let p = weights;
  return {
    step() {
      value?.dispose();
      [value, p] = turn(p, x.ref, y.ref, more.map((one) => one.ref));
    },
    last: async () => (value ? at(await value.ref.data(), 0) : Number.NaN),
    async sample() {
      const seen = toSample(at(p, 0).ref);
      const parts = [await sampleOf(value ?? x), await sampleOf(seen)];
      seen.dispose();
      return Float32Array.from(parts.flatMap((part) => [...part]));
    },
    dispose() {
      [x, y, ...p, ...more].forEach((tensor) => tensor.dispose());
      value?.dispose();
      captive?.dispose();
    },
  };
};

/** Its images and filters have channels first: what is given is turned round once, before anything
 * is measured, and the result when it is compared. */
const channelsFirst = (/** @type {Array} */ x) => x.transpose([0, 3, 1, 2]);
const filtersFirst = (/** @type {Array} */ x) => x.transpose([3, 2, 0, 1]);

/** @type {import("./library.mjs").Library} */
export const library = {
  name: "jax-js",
  version: "0.1.25",
  modes: ["captured", "eager"],
  async open() {
    const devices = await init("webgpu");
    if (!devices.includes("webgpu")) throw new Unsupported("it finds no WebGPU here");
    defaultDevice("webgpu");
    return getWebGPUDevice().adapterInfo.description;
  },
  chain(kind, given, manner) {
    const put = ({ data, shape } = at(given, 0)) => np.array(/** @type {Float32Array<ArrayBuffer>} */ (data), { shape, dtype: data instanceof Int32Array ? np.int32 : np.float32 });
    if (kind === "upload" || kind === "read") {
      let x = put();
      const once = async () => {
        if (kind === "upload") {
          x.dispose();
          return timed(() => first((x = put())));
        }
        x = x.add(1);
        await x.blockUntilReady();
        return timed(() => x.ref.data());
      };
      return { once, sample: () => sampleOf(x), dispose: () => x.dispose() };
    }
    const inputs = given.map((one) => put(one));
    if (kind === "FFT") return transformed(inputs, manner.captured);
    const step = steps(manner)[kind]?.();
    const reduce = reductions(manner)[kind];
    const loss = losses(manner)[kind];
    const [x, y, ...weights] = inputs;
    if (kind === "conv2d" && step && x && y) return chained(step, manner.captured, np.zeros([1]), [channelsFirst(x), filtersFirst(y)], (out) => out.transpose([0, 2, 3, 1]));
    if (step) {
      return waits(kind, manner.size) ? chained(step, manner.captured, np.zeros([1]), inputs) : chained(step, manner.captured, at(inputs, 0), inputs.slice(1));
    }
    if (reduce) return chained((r, x, ...labels) => reduce(x.mul(r.mul(1e-9).add(0.5)), at([...labels, x], 0)), manner.captured, np.array(0, { dtype: np.float32 }), inputs);
    if (!loss || !x || !y) throw new Unsupported(`no ${kind}`);
    if (kind === "GPT-2 block") {
      const length = manner.size[0] ?? 0;
      return trained(loss, { x, y, weights, more: [put({ data: causal(length), shape: [length, length] })] }, manner.captured);
    }
    const hot = nn.oneHot(y, 10);
    if (kind === "MLP") return trained(loss, { x, y: hot, weights, more: [] }, manner.captured);
    const [a, b, c] = weights;
    if (!a || !b || !c) throw new Error("three layers");
    const channels = b.shape[3] ?? 1;
    const side = Math.sqrt((c.shape[0] ?? 1) / channels);
    const dense = c.reshape([side, side, channels, 10]).transpose([2, 0, 1, 3]).reshape([-1, 10]);
    return trained(loss, { x: channelsFirst(x), y: hot, weights: [filtersFirst(a), filtersFirst(b), dense], more: [] }, manner.captured, (filters) => filters.transpose([2, 3, 1, 0]));
  },
};
