// The workloads in Weft.

import { sampled } from "../compare.mjs";
import { KERNELS } from "./kernels.mjs";
import { at, timed, Unsupported, waits } from "./library.mjs";

/** The package, and `kernel` of its entry of kernels where that is at hand.
 * @typedef {typeof import("weft-gpu") & { kernel?: typeof import("weft-gpu/kernel").kernel }} Weft */
/** @typedef {import("weft-gpu").Tensor} Tensor */
/** @typedef {import("./library.mjs").Chain} Chain */
/** @typedef {import("./library.mjs").Manner} Manner */
/** @typedef {(x: Tensor, ...fixed: Tensor[]) => Tensor} Step */

const layerNorm = (/** @type {Tensor} */ x) => {
  const d = x.sub(x.mean(-1, { keepdims: true }));
  return d.div(d.square().mean(-1, { keepdims: true }).add(1e-5).sqrt());
};

const gelu = (/** @type {Tensor} */ x) => x.mul(0.5).mul(x.add(x.mul(x).mul(x).mul(0.044715)).mul(Math.sqrt(2 / Math.PI)).tanh().add(1));

/** Of images and kernels. @type {["NHWC", "HWIO", "NHWC"]} */
const LAYOUT = ["NHWC", "HWIO", "NHWC"];

const attention = (/** @type {Weft} */ w, /** @type {Tensor} */ q, /** @type {Tensor} */ k, /** @type {Tensor} */ v) =>
  w.softmax(q.matmul(k.swapAxes(-1, -2)).mul(1 / Math.sqrt(q.shape.at(-1) ?? 1)), -1).matmul(v);

const little = (/** @type {Tensor} */ y) => y.reshape([y.size]).slice([0, 1]).sum().mul(1e-6);

/** Steps that take a tensor and give the next. */
const steps = (/** @type {Weft} */ w, /** @type {Manner} */ { size }) => {
  const times = (/** @type {(x: Tensor) => Tensor} */ of, /** @type {Step} */ step) => /** @type {Step} */ ((y, a, b) => step(a.add(little(y)), of(b)));
  const back = (/** @type {Step} */ f) => /** @type {Step} */ (w.grad(/** @type {never} */ (f)));
  const product = (/** @type {(x: Tensor, b: Tensor) => Tensor} */ f, plain = false) => {
    const [, k, n] = size;
    // Where the product has another shape than its operand, a number of it is what the next one
    // waits for.
    return plain && k === n ? /** @type {Step} */ (f) : times((b) => b, /** @type {Step} */ (f));
  };
  const byKernel = (/** @type {string} */ name) => {
    const make = KERNELS[name];
    if (!w.kernel || !make) throw new Unsupported("the entry of kernels is not here");
    return make(w.kernel);
  };
  /** @type {Record<string, () => Step>} */
  const all = {
    "elementwise, 5 ops": () => (x) => x.mul(1.0001).add(0.5).sub(0.4).mul(0.999).add(0.01),
    "elementwise, 2 ops": () => (x) => x.mul(1.0001).add(0.5),
    row: () => (x, b) => x.mul(0.999).add(b),
    softmax: () => (x) => w.softmax(x, -1),
    "softmax, gradient": () => back((x, weights) => w.softmax(x, -1).mul(weights).sum()),
    layernorm: () => layerNorm,
    "layernorm, gradient": () => back((x, weights) => layerNorm(x).mul(weights).sum()),
    transpose: () => (x) => x.transpose().add(1),
    cumsum: () => (y, x) => w.cumsum(at([x], 0).add(little(y)), 0),
    sort: () => (y, x) => w.sort(at([x], 0).add(little(y)), 0),
    gather: () => (y, x, places) => w.take(at([x], 0).add(little(y)), at([places], 0)),
    "scatter-add": () => (y, x, places, updates) => at([x], 0).add(little(y)).at(at([places], 0)).add(at([updates], 0)),
    "matrix × vector": () => (v, a) => a.matmul(v),
    "vectors × matrix": () => (v, a) => v.matmul(a),
    matmul: () => product((x, b) => x.matmul(b), true),
    "matmul A·Bᵀ": () => product((x, b) => x.matmul(b.swapAxes(-1, -2)), true),
    "matmul Aᵀ·B": () => product((x, b) => x.swapAxes(-1, -2).matmul(b)),
    attention: () => (q, k, v) => attention(w, q, k, v),
    "attention, gradient": () => {
      const gradients = /** @type {(all: Tensor[], weights: Tensor) => [Tensor, Tensor, Tensor]} */ (
        w.grad(/** @type {never} */ ((/** @type {[Tensor, Tensor, Tensor]} */ [q, k, v], /** @type {Tensor} */ weights) => attention(w, q, k, v).mul(weights).sum()))
      );
      return (q, k, v, weights) => {
        const [dq, dk, dv] = gradients([q, k, v], at([weights], 0));
        return dq.add(dk).add(dv);
      };
    },
    conv2d: () => times((b) => b, (x, weights) => {
      const [, , , , window = 1, stride = 1] = size;
      const before = Math.floor((window - 1) / 2);
      const after = Math.max(0, window - stride - before);
      return w.conv(x, weights, { stride, padding: [[before, after], [before, after]], layout: LAYOUT });
    }),
    "N-body": () => (p, m) => {
      const n = p.shape[0] ?? 0;
      const d = p.reshape([1, n, 3]).sub(p.reshape([n, 1, 3]));
      const r = d.square().sum(-1, { keepdims: true }).add(0.01).rsqrt();
      return p.add(d.mul(r.mul(r).mul(r)).mul(m.reshape([1, n, 1])).sum(1).mul(1e-5));
    },
    "N-body by a kernel": () => byKernel("bodies"),
    "matmul by a kernel": () => byKernel("product"),
    "stencil by a kernel": () => byKernel("stencil"),
    "stencil by a kernel, gradient": () => {
      const stencil = byKernel("stencil");
      return back((x, weights) => stencil(x).mul(weights).mul(x).sum());
    },
  };
  return all;
};

/** Reductions to a number: of a tensor that the number before has a small part in. */
const reductions = (/** @type {Weft} */ w, /** @type {Manner} */ { axes }) => {
  const down = (/** @type {Tensor} */ x) => (axes ? x.max() : x);
  /** @type {Record<string, (x: Tensor, labels: Tensor) => Tensor>} */
  const all = {
    sum: (x) => down(x.sum(axes ?? null)),
    max: (x) => down(x.max(axes ?? null)),
    argmax: (x) => x.argmax().cast("f32"),
    variance: (x) => x.variance(1).max().add(x.mean(1).max()),
    "cross entropy": (x, labels) => w.crossEntropy(x, labels),
  };
  return all;
};

/** What a training step's loss is, of its input, target and weights. */
const losses = (/** @type {Weft} */ w, /** @type {Manner} */ { size }) => {
  /** @type {Record<string, (x: Tensor, y: Tensor, p: Tensor[], more: Tensor[]) => Tensor>} */
  const all = {
    MLP: (x, y, p) => w.crossEntropy(x.matmul(at(p, 0)).add(at(p, 1)).relu().matmul(at(p, 2)).add(at(p, 3)).relu().matmul(at(p, 4)).add(at(p, 5)), y),
    CNN: (x, y, p) => {
      const layer = (/** @type {Tensor} */ x, /** @type {Tensor} */ weights) => {
        const out = w.conv(x, weights, { layout: LAYOUT }).relu();
        const [n = 0, h = 0, v = 0, c = 0] = out.shape;
        return out.reshape([n, h / 2, 2, v / 2, 2, c]).max([2, 4]);
      };
      const last = layer(layer(x, at(p, 0)), at(p, 1));
      return w.crossEntropy(last.reshape([last.shape[0] ?? 0, at(p, 2).shape[0] ?? 0]).matmul(at(p, 2)), y);
    },
    "GPT-2 block": (x, y, p, [mask]) => {
      const [length = 0, width = 0, heads = 1] = size;
      const linear = (/** @type {Tensor} */ x, /** @type {number} */ n) => x.matmul(at(p, n)).add(at(p, n + 1));
      const norm = (/** @type {Tensor} */ x, /** @type {number} */ n) => layerNorm(x).mul(at(p, n).add(1)).add(at(p, n + 1));
      const all = linear(norm(x, 8), 0).reshape([length, 3, heads, width / heads]).permute([1, 2, 0, 3]);
      const [q, k, v] = [0, 1, 2].map((n) => all.slice(n));
      if (!q || !k || !v || !mask) throw new Error("queries, keys, values and a mask");
      const seen = w.softmax(q.matmul(k.swapAxes(-1, -2)).mul(1 / Math.sqrt(width / heads)).add(mask), -1).matmul(v);
      const a = x.add(linear(seen.permute([1, 0, 2]).reshape([length, width]), 2));
      return a.add(linear(gelu(linear(norm(a, 10), 4)), 6)).sub(y).square().mean();
    },
  };
  return all;
};

/** What hides the future from each of `length` tokens. */
export const causal = (/** @type {number} */ length) => Float32Array.from({ length: length * length }, (_, i) => (i % length > Math.floor(i / length) ? -1e9 : 0));

/** How fast training goes: slow enough that rounding stays small. */
export const RATE = 0.01;

/**
 * @param {Weft} w
 * @param {{ device?: "webgpu" | "cpu", name?: string, isWeft?: boolean, parts?: { wasm?: URL, rest?: URL } | undefined }} [options]
 * @returns {import("./library.mjs").Library}
 */
export function weftOn(w, { device = "webgpu", name = "Weft", isWeft = false, parts } = {}) {
  const sampleOf = (/** @type {Tensor} */ x) => {
    const flat = x.reshape([x.size]);
    return sampled(x.size, async (start, end) => await flat.slice([start, end]).cast("f32").data());
  };
  const first = async (/** @type {Tensor} */ x) => await x.reshape([x.size]).slice([0, 1]).sum().item();
  /** @type {(f: Step, captured: boolean, first: Tensor, fixed: Tensor[]) => Chain} */
  const chained = (f, captured, from, fixed) => {
    // What a step leaves behind is freed, as in the other libraries.
    const turn = captured ? w.jit(f) : (/** @type {Parameters<Step>} */ ...given) => w.tidy(() => f(...given));
    let x = from;
    return {
      step() {
        const next = turn(x, ...fixed);
        if (!captured) void w.realize(next);
        x.dispose();
        x = next;
      },
      last: () => first(x),
      sample: () => sampleOf(x),
      dispose: () => [x, ...fixed].forEach((tensor) => tensor.dispose()),
    };
  };
  return {
    name,
    version: "",
    isWeft,
    modes: device === "cpu" ? ["captured"] : ["captured", "eager"],
    async open(gpu) {
      const { adapter } = await w.init({ device, ...parts, ...(device === "webgpu" ? { gpu: /** @type {never} */ (gpu) } : {}) });
      return adapter ? [adapter.vendor, adapter.architecture, adapter.description].join(" ").trim() : "";
    },
    async settle() {
      // Older builds have one text for each kernel.
      while ((w.tune.optimising?.() ?? 0) > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    chain(kind, given, manner) {
      const put = ({ data, shape } = at(given, 0)) => w.tensor(data, { shape, dtype: data instanceof Int32Array ? "i32" : "f32" });
      if (kind === "upload" || kind === "read") return transfer(w, kind, put, sampleOf, first);
      const inputs = given.map((one) => put(one));
      if (kind === "FFT") return transformed(w, inputs, manner.captured, sampleOf, first);
      const step = steps(w, manner)[kind]?.();
      const reduce = reductions(w, manner)[kind];
      const loss = losses(w, manner)[kind];
      if (step) {
        if (waits(kind, manner.size)) return chained(step, manner.captured, w.zeros([1]), inputs);
        return chained(step, manner.captured, at(inputs, 0), inputs.slice(1));
      }
      if (reduce) return chained((r, x, ...labels) => reduce(x.mul(r.mul(1e-9).add(0.5)), at([...labels, r], 0)), manner.captured, w.tensor(0), inputs);
      if (loss) return trained(w, loss, inputs, kind === "GPT-2 block" ? [put({ data: causal(manner.size[0] ?? 0), shape: [manner.size[0] ?? 0, manner.size[0] ?? 0] })] : [], manner.captured, sampleOf);
      throw new Unsupported(`no ${kind}`);
    },
  };
}

/** @type {(w: Weft, kind: "upload" | "read", put: () => Tensor, sampleOf: (x: Tensor) => Promise<Float32Array>, first: (x: Tensor) => Promise<number>) => Chain} */
function transfer(w, kind, put, sampleOf, first) {
  let x = put();
  const once = async () => {
    if (kind === "upload") {
      x.dispose();
      return timed(() => first((x = put())));
    }
    // Values that were read are known: others, then.
    const next = x.add(1);
    x.dispose();
    x = next;
    await w.realize(x);
    await w.synchronize();
    return timed(() => x.data());
  };
  return { once, sample: () => sampleOf(x), dispose: () => x.dispose() };
}

/** Each step transforms the same pairs and a number of what the step before made of them. */
/** @type {(w: Weft, given: Tensor[], captured: boolean, sampleOf: (x: Tensor) => Promise<Float32Array>, first: (x: Tensor) => Promise<number>) => Chain} */
function transformed(w, [re, im], captured, sampleOf, first) {
  if (!re || !im) throw new Error("real and imaginary parts");
  const eager = (/** @type {Tensor} */ y, /** @type {Tensor} */ re, /** @type {Tensor} */ im) => {
    const made = w.fft.fft(new w.Complex(re.add(little(y)), im));
    return [made.re, made.im];
  };
  const turn = captured ? w.jit(eager) : (/** @type {Parameters<typeof eager>} */ ...given) => w.tidy(() => eager(...given));
  let made = [w.zeros([1])];
  return {
    step() {
      const next = turn(at(made, 0), re, im);
      if (!captured) void w.realize(...next);
      made.forEach((tensor) => tensor.dispose());
      made = next;
    },
    last: () => first(at(made, 0)),
    sample: async () => Float32Array.from((await Promise.all(made.map(sampleOf))).flatMap((part) => [...part])),
    dispose: () => [re, im, ...made].forEach((tensor) => tensor.dispose()),
  };
}

/** @type {(w: Weft, loss: (x: Tensor, y: Tensor, p: Tensor[], more: Tensor[]) => Tensor, inputs: Tensor[], more: Tensor[], captured: boolean, sampleOf: (x: Tensor) => Promise<Float32Array>) => Chain} */
function trained(w, loss, [x, y, ...weights], more, captured, sampleOf) {
  if (!x || !y) throw new Error("an input and a target");
  const parameters = weights.map((weight) => new w.Parameter(weight));
  weights.forEach((weight) => weight.dispose());
  const optimizer = w.optim.sgd(parameters, { lr: RATE });
  const lossOf = /** @type {(p: unknown, x: Tensor, y: Tensor, more: Tensor[]) => [Tensor, never]} */ (
    w.valueAndGrad(/** @type {never} */ ((/** @type {Tensor[]} */ p, /** @type {Tensor} */ x, /** @type {Tensor} */ y, /** @type {Tensor[]} */ more) => loss(x, y, p, more)))
  );
  const eager = (/** @type {Tensor} */ x, /** @type {Tensor} */ y, /** @type {Tensor[]} */ more) => {
    const [value, gradients] = lossOf(parameters, x, y, more);
    optimizer.step(gradients);
    return value;
  };
  const turn = captured ? w.jit(eager) : eager;
  /** @type {Tensor | undefined} */
  let value;
  return {
    step() {
      value?.dispose();
      value = turn(x, y, more);
    },
    last: async () => await value?.item(),
    async sample() {
      const parts = [await sampleOf(value ?? x), await sampleOf(at(parameters, 0))];
      return Float32Array.from(parts.flatMap((part) => [...part]));
    },
    dispose() {
      optimizer.dispose();
      [x, y, value, ...more, ...parameters].forEach((tensor) => tensor?.dispose());
    },
  };
}
