// The work whose first call is measured, of sizes that people begin with.

/** @typedef {typeof import("weft-gpu")} Weft */
/** @typedef {import("weft-gpu").Tensor} Tensor */

/** @type {(w: Weft) => [string, () => Promise<unknown>][]} */
export const firsts = (w) => {
  const first = (/** @type {Tensor} */ x) => x.reshape([x.size]).slice([0, 1]).sum().item();
  const normal = (/** @type {number[]} */ ...shape) => w.random.normal(shape);
  const lazily = (/** @type {() => () => Promise<unknown>} */ make) => {
    /** @type {(() => Promise<unknown>) | undefined} */
    let work;
    return () => (work ??= make())();
  };
  const training = (/** @type {Tensor[]} */ start, /** @type {(...p: Tensor[]) => Tensor} */ loss) => lazily(() => {
    let p = start;
    const step = w.valueAndGrad(/** @type {never} */ ((/** @type {Tensor[]} */ p) => loss(...p)));
    return async () => {
      const [value, gradients] = /** @type {[Tensor, Tensor[]]} */ (/** @type {unknown} */ (step(/** @type {never} */ (p))));
      p = p.map((x, n) => x.sub(/** @type {Tensor} */ (gradients[n]).mul(0.01)));
      void w.realize(...p);
      return value.item();
    };
  });
  const norm = (/** @type {Tensor} */ x) => x.sub(x.mean(-1, { keepdims: true })).div(x.variance(-1, { keepdims: true }).add(1e-5).sqrt());
  const attention = (/** @type {Tensor} */ q, /** @type {Tensor} */ k, /** @type {Tensor} */ v) => w.softmax(q.matmul(k.swapAxes(-1, -2)).mul(0.125), -1).matmul(v);
  const cnn = (/** @type {number} */ batch, /** @type {number} */ a, /** @type {number} */ b) => {
    const x = normal(batch, 28, 28, 1);
    const y = w.tensor(Array.from({ length: batch }, (_, n) => n % 10), { dtype: "i32" });
    const layer = (/** @type {Tensor} */ x, /** @type {Tensor} */ weights) => {
      const out = w.conv(x, weights, { padding: 1, layout: ["NHWC", "HWIO", "NHWC"] }).relu();
      const [n = 0, h = 0, v = 0, c = 0] = out.shape;
      return out.reshape([n, h / 2, 2, v / 2, 2, c]).max([2, 4]);
    };
    return training([normal(3, 3, 1, a).mul(0.1), normal(3, 3, a, b).mul(0.1), normal(49 * b, 10).mul(0.1)], (p, q, r) =>
      w.crossEntropy(layer(layer(x, /** @type {Tensor} */ (p)), /** @type {Tensor} */ (q)).reshape([batch, 49 * b]).matmul(/** @type {Tensor} */ (r)), y));
  };
  const block = (/** @type {number} */ blocks, /** @type {number} */ d, /** @type {number} */ batch, /** @type {number} */ length) => {
    const x = normal(batch, length, d);
    const shapes = Array.from({ length: blocks }, () => [[d, 3 * d], [d, d], [d, 4 * d], [4 * d, d]]).flat();
    const start = shapes.map((shape) => normal(...shape).mul(0.05));
    return training(start, (...p) => {
      let h = x;
      for (let n = 0; n < blocks; n++) {
        const [qkv, out, up, down] = /** @type {[Tensor, Tensor, Tensor, Tensor]} */ (p.slice(4 * n, 4 * n + 4));
        const parts = norm(h).matmul(qkv).reshape([batch, length, 3, d / 64, 64]).permute([2, 0, 3, 1, 4]);
        const [q, k, v] = [0, 1, 2].map((n) => parts.slice(n));
        const seen = attention(/** @type {Tensor} */ (q), /** @type {Tensor} */ (k), /** @type {Tensor} */ (v));
        h = h.add(seen.permute([0, 2, 1, 3]).reshape([batch, length, d]).matmul(out));
        h = h.add(w.gelu(norm(h).matmul(up)).matmul(down));
      }
      return h.square().mean();
    });
  };
  const big = !w.init || (globalThis.process?.env?.["SMALL"] ?? "") === "";
  const n = big ? 1024 : 128;
  return [
    ["product", lazily(() => { const [a, b] = [normal(n, n), normal(n, n)]; return () => first(a.matmul(b)); })],
    ["product of another size", lazily(() => { const [a, b] = [normal(n / 2, n), normal(n, n / 2)]; return () => first(a.matmul(b)); })],
    ["feed-forward block", lazily(() => { const [x, a, b] = [normal(n, n / 4), normal(n / 4, n), normal(n, n / 4)]; return () => first(w.gelu(norm(x).matmul(a)).matmul(b).add(x)); })],
    ["convolution 3×3", lazily(() => { const [x, a] = [normal(8, n / 16, n / 16, 64), normal(3, 3, 64, 64)]; return () => first(w.conv(x, a, { layout: ["NHWC", "HWIO", "NHWC"] })); })],
    ["convolution 3×3, stride 2", lazily(() => { const [x, a] = [normal(8, n / 16, n / 16, 64), normal(3, 3, 64, 64)]; return () => first(w.conv(x, a, { stride: 2, layout: ["NHWC", "HWIO", "NHWC"] })); })],
    ["convolution 1×1", lazily(() => { const [x, a] = [normal(8, n / 16, n / 16, 64), normal(1, 1, 64, 128)]; return () => first(w.conv(x, a, { layout: ["NHWC", "HWIO", "NHWC"] })); })],
    ["attention", lazily(() => { const [q, k, v] = [normal(8, n, 64), normal(8, n, 64), normal(8, n, 64)]; return () => first(attention(q, k, v)); })],
    ["attention, gradient", lazily(() => { const q = normal(8, n, 64), g = w.grad(/** @type {never} */ ((/** @type {Tensor} */ q) => attention(q, q, q).sum())); return () => first(/** @type {Tensor} */ (/** @type {unknown} */ (g(/** @type {never} */ (q))))); })],
    ["LSTM, gradient", lazily(() => {
      const model = new w.nn.LSTM(n / 4, n / 4), x = normal(n / 16, n / 32, n / 4);
      const step = w.grad((/** @type {InstanceType<Weft["nn"]["LSTM"]>} */ model) => model.forward(x).square().mean());
      return () => first(/** @type {Tensor} */ (/** @type {unknown} */ (step(model).cells[0]?.[0]?.weightHh)));
    })],
    ["softmax", lazily(() => { const x = normal(n, n); return () => first(w.softmax(x, -1)); })],
    ["FFT 1024", lazily(() => { const x = normal(64, 1024); return () => first(w.fft.fft(x).re); })],
    ["FFT 1009", lazily(() => { const x = normal(1009); return () => first(w.fft.fft(x).re); })],
    ["FFT 1013 × 8", lazily(() => { const x = normal(8, 1013); return () => first(w.fft.fft(x).re); })],
    ["FFT 1001", lazily(() => { const x = normal(16, 1001); return () => first(w.fft.fft(x).re); })],
    ["FFT 2^18", lazily(() => { const x = normal(1 << 18); return () => first(w.fft.fft(x).re); })],
    ["sort 1000", lazily(() => { const x = normal(64, 1000); return () => first(w.sort(x)); })],
    ["sort 2^20", lazily(() => { const x = normal(1 << 20); return () => first(w.sort(x)); })],
    ["small CNN", cnn(big ? 64 : 8, big ? 16 : 4, big ? 32 : 8)],
    ["linear system", lazily(() => { const a = normal(n / 2, n / 2).add(w.eye(n / 2).mul(n)), b = normal(n / 2, 1); return () => first(w.linalg.solve(a, b)); })],
    ["transformer", block(big ? 4 : 1, big ? 256 : 64, big ? 16 : 2, big ? 128 : 32)],
  ];
};
