// The workloads in TensorFlow.js. It captures nothing: all of it is eager.

import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-core/dist/register_all_gradients";
import "@tensorflow/tfjs-backend-webgpu";
import { sampled } from "../compare.mjs";
import { at, timed, Unsupported, waits } from "./library.mjs";
import { causal, RATE } from "./weft.mjs";

/** @typedef {import("@tensorflow/tfjs-core").Tensor} Tensor */
/** @typedef {import("./library.mjs").Chain} Chain */
/** @typedef {import("./library.mjs").Manner} Manner */
/** @typedef {(x: Tensor, ...fixed: Tensor[]) => Tensor} Step */

const layerNorm = (/** @type {Tensor} */ x) => {
  const { mean, variance } = tf.moments(x, -1, true);
  return tf.div(tf.sub(x, mean), tf.sqrt(tf.add(variance, 1e-5)));
};

const gelu = (/** @type {Tensor} */ x) => tf.mul(tf.mul(x, 0.5), tf.add(tf.tanh(tf.mul(tf.add(x, tf.mul(tf.mul(tf.mul(x, x), x), 0.044715)), Math.sqrt(2 / Math.PI))), 1));

const attention = (/** @type {Tensor} */ q, /** @type {Tensor} */ k, /** @type {Tensor} */ v, /** @type {Tensor | undefined} */ mask = undefined) => {
  const scores = tf.mul(tf.matMul(q, k, false, true), 1 / Math.sqrt(q.shape.at(-1) ?? 1));
  return tf.matMul(tf.softmax(mask ? tf.add(scores, mask) : scores, -1), v);
};

const little = (/** @type {Tensor} */ y) => tf.mul(tf.sum(tf.slice(tf.reshape(y, [-1]), 0, 1)), 1e-6);

const steps = (/** @type {Manner} */ { size }) => {
  const waiting = (/** @type {(a: Tensor, b: Tensor) => Tensor} */ f) => /** @type {Step} */ ((y, a, b) => f(tf.add(a, little(y)), at([b], 0)));
  const product = (/** @type {(x: Tensor, b: Tensor) => Tensor} */ f, plain = false) => (plain && size[1] === size[2] ? /** @type {Step} */ (f) : waiting(f));
  const back = (/** @type {(x: Tensor, weights: Tensor) => Tensor} */ f) =>
    /** @type {Step} */ ((x, weights) => tf.grad((/** @type {Tensor} */ x) => tf.sum(tf.mul(f(x, at([weights], 0)), at([weights], 0))))(x));
  /** @type {Record<string, () => Step>} */
  const all = {
    "elementwise, 5 ops": () => (x) => tf.add(tf.mul(tf.sub(tf.add(tf.mul(x, 1.0001), 0.5), 0.4), 0.999), 0.01),
    "elementwise, 2 ops": () => (x) => tf.add(tf.mul(x, 1.0001), 0.5),
    row: () => (x, b) => tf.add(tf.mul(x, 0.999), at([b], 0)),
    softmax: () => (x) => tf.softmax(x, -1),
    "softmax, gradient": () => back((x) => tf.softmax(x, -1)),
    layernorm: () => layerNorm,
    "layernorm, gradient": () => back(layerNorm),
    transpose: () => (x) => tf.add(tf.transpose(x), 1),
    cumsum: () => (y, x) => tf.cumsum(tf.add(at([x], 0), little(y)), 0),
    gather: () => (y, x, places) => tf.gather(tf.add(at([x], 0), little(y)), /** @type {import("@tensorflow/tfjs-core").Tensor1D} */ (at([places], 0))),
    "scatter-add": () => (y, x, places, updates) => {
      const [base, to] = [at([x], 0), /** @type {import("@tensorflow/tfjs-core").Tensor1D} */ (at([places], 0))];
      return tf.add(tf.add(base, little(y)), tf.unsortedSegmentSum(at([updates], 0), to, base.shape[0] ?? 0));
    },
    "matrix × vector": () => (v, a) => tf.reshape(tf.matMul(at([a], 0), tf.reshape(v, [-1, 1])), [-1]),
    "vectors × matrix": () => (v, a) => tf.matMul(v, at([a], 0)),
    matmul: () => product((x, b) => tf.matMul(x, b), true),
    "matmul A·Bᵀ": () => product((x, b) => tf.matMul(x, b, false, true), true),
    "matmul Aᵀ·B": () => product((x, b) => tf.matMul(x, b, true, false)),
    attention: () => (q, k, v) => attention(q, at([k], 0), at([v], 0)),
    "attention, gradient": () => (q, k, v, weights) => {
      const gradients = tf.grads((/** @type {Tensor} */ q, /** @type {Tensor} */ k, /** @type {Tensor} */ v) => tf.sum(tf.mul(attention(q, k, v), at([weights], 0))));
      return tf.addN(gradients([q, at([k], 0), at([v], 0)]));
    },
    conv2d: () => {
      const [, , , , window = 1, stride = 1] = size;
      const before = Math.floor((window - 1) / 2);
      const after = Math.max(0, window - stride - before);
      const pad = window === 1 ? "valid" : /** @type {[[number, number], [number, number], [number, number], [number, number]]} */ ([[0, 0], [before, after], [before, after], [0, 0]]);
      return waiting((x, weights) => tf.conv2d(/** @type {import("@tensorflow/tfjs-core").Tensor4D} */ (x), /** @type {import("@tensorflow/tfjs-core").Tensor4D} */ (weights), stride, pad));
    },
    "N-body": () => (p, m) => {
      const n = p.shape[0] ?? 0;
      const d = tf.sub(tf.reshape(p, [1, n, 3]), tf.reshape(p, [n, 1, 3]));
      const r = tf.rsqrt(tf.add(tf.sum(tf.square(d), -1, true), 0.01));
      return tf.add(p, tf.mul(tf.sum(tf.mul(tf.mul(d, tf.mul(tf.mul(r, r), r)), tf.reshape(at([m], 0), [1, n, 1])), 1), 1e-5));
    },
  };
  return all;
};

const reductions = (/** @type {Manner} */ { axes }) => {
  const down = (/** @type {Tensor} */ x) => (axes ? tf.max(x) : x);
  /** @type {Record<string, (x: Tensor, labels: Tensor) => Tensor>} */
  const all = {
    sum: (x) => down(tf.sum(x, axes)),
    max: (x) => down(tf.max(x, axes)),
    argmax: (x) => tf.cast(tf.argMax(tf.reshape(x, [-1]), 0), "float32"),
    variance: (x) => {
      const { mean, variance } = tf.moments(x, 1);
      return tf.add(tf.max(variance), tf.max(mean));
    },
    "cross entropy": (x, labels) => tf.losses.softmaxCrossEntropy(tf.oneHot(/** @type {import("@tensorflow/tfjs-core").Tensor1D} */ (labels), x.shape[1] ?? 0), x),
  };
  return all;
};

const losses = (/** @type {Manner} */ { size }) => {
  const linear = (/** @type {Tensor} */ x, /** @type {Tensor[]} */ p, /** @type {number} */ n) => tf.add(tf.matMul(x, at(p, n)), at(p, n + 1));
  /** @type {Record<string, (p: Tensor[], x: Tensor, y: Tensor, more: Tensor[]) => Tensor>} */
  const all = {
    MLP: (p, x, y) => tf.losses.softmaxCrossEntropy(y, linear(tf.relu(linear(tf.relu(linear(x, p, 0)), p, 2)), p, 4)),
    CNN: (p, x, y) => {
      const layer = (/** @type {Tensor} */ x, /** @type {Tensor} */ weights) =>
        tf.maxPool(tf.relu(tf.conv2d(/** @type {import("@tensorflow/tfjs-core").Tensor4D} */ (x), /** @type {import("@tensorflow/tfjs-core").Tensor4D} */ (weights), 1, "valid")), 2, 2, "valid");
      const last = layer(layer(x, at(p, 0)), at(p, 1));
      return tf.losses.softmaxCrossEntropy(y, tf.matMul(tf.reshape(last, [last.shape[0] ?? 0, -1]), at(p, 2)));
    },
    "GPT-2 block": (p, x, y, [mask]) => {
      const [length = 0, width = 0, heads = 1] = size;
      const norm = (/** @type {Tensor} */ x, /** @type {number} */ n) => tf.add(tf.mul(layerNorm(x), tf.add(at(p, n), 1)), at(p, n + 1));
      const all = tf.transpose(tf.reshape(linear(norm(x, 8), p, 0), [length, 3, heads, width / heads]), [1, 2, 0, 3]);
      const [q, k, v] = tf.unstack(all, 0);
      const seen = attention(at([q], 0), at([k], 0), at([v], 0), mask);
      const a = tf.add(x, linear(tf.reshape(tf.transpose(seen, [1, 0, 2]), [length, width]), p, 2));
      return tf.mean(tf.square(tf.sub(tf.add(a, linear(gelu(linear(norm(a, 10), p, 4)), p, 6)), y)));
    },
  };
  return all;
};

const number = async (/** @type {Tensor} */ x) => at(await x.data(), 0);
const first = async (/** @type {Tensor} */ x) => {
  const one = tf.tidy(() => tf.slice(tf.reshape(x, [-1]), 0, 1));
  const value = await number(one);
  one.dispose();
  return value;
};
const sampleOf = (/** @type {Tensor} */ x) =>
  sampled(x.size, async (start, end) => {
    const part = tf.tidy(() => tf.slice(tf.reshape(x, [-1]), start, end - start));
    const data = await part.data();
    part.dispose();
    return data;
  });

/** @type {(f: Step, from: Tensor, fixed: Tensor[]) => Chain} */
const chained = (f, from, fixed) => {
  let x = from;
  return {
    step() {
      const next = tf.tidy(() => f(x, ...fixed));
      x.dispose();
      x = next;
    },
    last: () => first(x),
    sample: () => sampleOf(x),
    dispose: () => tf.dispose([x, ...fixed]),
  };
};

/** @type {(given: Tensor[]) => Chain} */
const transformed = ([re, im]) => {
  if (!re || !im) throw new Error("real and imaginary parts");
  let made = [tf.zeros([1])];
  return {
    step() {
      const next = tf.tidy(() => {
        const transform = tf.fft(tf.complex(tf.add(re, little(at(made, 0))), im));
        return [tf.real(transform), tf.imag(transform)];
      });
      tf.dispose(made);
      made = next;
    },
    last: () => first(at(made, 0)),
    sample: async () => Float32Array.from((await Promise.all(made.map(sampleOf))).flatMap((part) => [...part])),
    dispose: () => tf.dispose([re, im, ...made]),
  };
};

/** @type {(loss: (p: Tensor[], x: Tensor, y: Tensor, more: Tensor[]) => Tensor, x: Tensor, y: Tensor, weights: Tensor[], more: Tensor[]) => Chain} */
const trained = (loss, x, y, weights, more) => {
  const p = weights.map((weight) => tf.variable(weight));
  const optimizer = tf.train.sgd(RATE);
  tf.dispose(weights);
  /** @type {Tensor | undefined} */
  let value;
  return {
    step() {
      value?.dispose();
      value = optimizer.minimize(() => /** @type {import("@tensorflow/tfjs-core").Scalar} */ (loss(p, x, y, more)), true, p) ?? undefined;
    },
    last: async () => (value ? await number(value) : Number.NaN),
    async sample() {
      const parts = [await sampleOf(value ?? x), await sampleOf(at(p, 0))];
      return Float32Array.from(parts.flatMap((part) => [...part]));
    },
    dispose() {
      optimizer.dispose();
      tf.dispose([x, y, ...p, ...more, ...(value ? [value] : [])]);
    },
  };
};

/** @type {import("./library.mjs").Library} */
export const library = {
  name: "TensorFlow.js",
  version: "4.22.0",
  modes: ["eager"],
  async open() {
    if (!(await tf.setBackend("webgpu"))) throw new Unsupported("it finds no WebGPU here");
    await tf.ready();
    return "";
  },
  chain(kind, given, manner) {
    const put = ({ data, shape } = at(given, 0)) => tf.tensor(data, shape, data instanceof Int32Array ? "int32" : "float32");
    if (kind === "upload" || kind === "read") {
      let x = put();
      const once = async () => {
        if (kind === "upload") {
          x.dispose();
          return timed(() => first((x = put())));
        }
        // Values that were uploaded or read are known: others, then.
        const next = tf.add(x, 1);
        x.dispose();
        x = next;
        await first(x);
        return timed(() => x.data());
      };
      return { once, sample: () => sampleOf(x), dispose: () => x.dispose() };
    }
    const inputs = given.map((one) => put(one));
    if (kind === "FFT") return transformed(inputs);
    const step = steps(manner)[kind]?.();
    const reduce = reductions(manner)[kind];
    const loss = losses(manner)[kind];
    if (step) {
      return waits(kind, manner.size) ? chained(step, tf.zeros([1]), inputs) : chained(step, at(inputs, 0), inputs.slice(1));
    }
    if (reduce) return chained((r, x, ...labels) => reduce(tf.mul(at([x], 0), tf.add(tf.mul(r, 1e-9), 0.5)), at([...labels, r], 0)), tf.scalar(0), inputs);
    const [x, y, ...weights] = inputs;
    if (!loss || !x || !y) throw new Unsupported(`no ${kind}`);
    if (kind === "GPT-2 block") {
      const length = manner.size[0] ?? 0;
      return trained(loss, x, y, weights, [put({ data: causal(length), shape: [length, length] })]);
    }
    const hot = tf.tidy(() => tf.cast(tf.oneHot(/** @type {import("@tensorflow/tfjs-core").Tensor1D} */ (y), 10), "float32"));
    y.dispose();
    return trained(loss, x, hot, weights, []);
  },
};
