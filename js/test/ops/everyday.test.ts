// Programs that people write in NumPy and JAX, as one would write them in Weft.
// `tests/conformance/everyday.py` computes the expected values.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as weft from "../../src/index.js";
import {
  arange,
  argmax,
  associativeScan,
  at,
  concat,
  Complex,
  einsum,
  exp,
  eye,
  fft,
  forLoop,
  grad,
  hessian,
  jit,
  linalg,
  linspace,
  log,
  logSumExp,
  meshgrid,
  minimum,
  ones,
  outer,
  random,
  scan,
  tensor,
  valueAndGrad,
  where,
  zeros,
  type Tensor,
} from "../../src/index.js";
import { make, type TensorJson } from "../support/cases.js";
import { onCpu, values } from "../support/cpu.js";

onCpu();

type Tensors = Record<string, Tensor>;
type Made = Tensors | Promise<Tensors>;

const i32 = (x: Tensor) => x.cast("i32");

const programs: Record<string, (inputs: Tensors) => Made> = {
  kMeans({ points }) {
    const distances = (centres: Tensor) => points!.expandDims(1).sub(centres).square().sum(-1);
    const centres = forLoop(0, 8, (_, centres: Tensor) => weft.segmentMean(points!, distances(centres).argmin(1), 3), points!.take([0, 20, 40], 0));
    // The labels are those of the last step, by the centres before it.
    const before = forLoop(0, 7, (_, centres: Tensor) => weft.segmentMean(points!, distances(centres).argmin(1), 3), points!.take([0, 20, 40], 0));
    const last = distances(before);
    return { centres, label: last.argmin(1), inertia: last.min(1).sum() };
  },

  principalComponents({ x }) {
    const centred = x!.sub(x!.mean(0));
    const [, s, vt] = linalg.svd(centred);
    const two = vt.slice([0, 2]);
    const scores = centred.matmul(two.transpose());
    return {
      share: s.square().div(s.square().sum()),
      rebuilt: scores.matmul(two).add(x!.mean(0)),
      values: linalg.eigvalsh(weft.cov(x!.transpose())).flip(),
      scores: scores.abs(),
    };
  },

  kalmanFilter({ z }) {
    const [a, h] = [tensor([[1, 0.1], [0, 1]]), tensor([[1, 0]])];
    const [q, noise] = [weft.diag([1e-3, 1e-2]), tensor([[0.09]])];
    const step = ({ m, p }: { m: Tensor; p: Tensor }, z: Tensor) => {
      m = a.matmul(m);
      p = a.matmul(p).matmul(a.transpose()).add(q);
      const s = h.matmul(p).matmul(h.transpose()).add(noise);
      const gain = p.matmul(h.transpose()).matmul(linalg.inv(s));
      m = m.add(gain.matmul(z.sub(h.matmul(m))));
      p = eye(2).sub(gain.matmul(h)).matmul(p);
      return [{ m, p }, m] as [{ m: Tensor; p: Tensor }, Tensor];
    };
    const [last, path] = scan(step, { m: zeros([2]), p: eye(2) }, z!);
    return { path, p: last.p };
  },

  gameOfLife({ board }) {
    const step = (_: Tensor, board: Tensor) => {
      const shifts = [-1, 0, 1].flatMap((i) => [-1, 0, 1].map((j) => [i, j])).filter(([i, j]) => i !== 0 || j !== 0);
      const around = shifts.map((shift) => board.roll(shift, [0, 1])).reduce((a, b) => a.add(b));
      return around.equal(3).logicalOr(board.equal(1).logicalAnd(around.equal(2))).cast("i32");
    };
    const last = forLoop(0, 12, step, board!);
    return { board: last, alive: last.sum() };
  },

  pageRank({ links }) {
    const out = links!.sum(1, { keepdims: true });
    const step = where(out.greater(0), links!.div(where(out.greater(0), out, 1)), 1 / 12);
    const rank = forLoop(0, 60, (_, rank: Tensor) => rank.matmul(step).mul(0.85).add(0.15 / 12), weft.full([12], 1 / 12));
    return { rank, order: weft.argsort(rank.neg()).slice([0, 5]) };
  },

  convolutionByFourier({ a, b }) {
    const n = a!.size + b!.size - 1;
    const size = 2 ** Math.ceil(Math.log2(n));
    const full = fft.irfft(fft.rfft(a!, size).mul(fft.rfft(b!, size)), size).slice([0, n]);
    const transformed = fft.fft(a!.mul(weft.hann(50)));
    const spectrum = fft.fftshift(transformed.abs()).square();
    return { full, spectrum, lag: argmax(weft.correlate(a!, a!.roll(3), "same")) };
  },

  gaussianProcess({ x, y }) {
    const kernel = (a: Tensor, b: Tensor, scale: Tensor | number) => exp(a.expandDims(1).sub(b).square().neg().div(weft.square(scale).mul(2)));
    const covariance = (scale: Tensor | number) => kernel(x!, x!, scale).add(eye(15).mul(0.05));
    const likelihood = (scale: Tensor) => {
      const low = linalg.cholesky(covariance(scale));
      const white = linalg.triangularSolve(low, y!);
      return white.square().sum().mul(-0.5).sub(log(low.diagonal()).sum()).sub(7.5 * Math.log(2 * Math.PI));
    };
    const low = linalg.cholesky(covariance(0.8));
    const v = linalg.triangularSolve(low, kernel(x!, linspace(-3, 3, 9), 0.8));
    const [value, slope] = valueAndGrad(likelihood)(tensor(0.8));
    return { mean: v.transpose().matmul(linalg.triangularSolve(low, y!)), variance: v.square().sum(0).neg().add(1), likelihood: value, slope };
  },

  logisticRegressionByNewton({ x, t }) {
    const loss = (w: Tensor) => {
      const z = x!.matmul(w);
      return weft.logAddExp(0, z).sub(t!.mul(z)).mean().add(w.dot(w).mul(0.005));
    };
    const step = jit((w: Tensor) => w.sub(linalg.solve(hessian(loss)(w) as Tensor, grad(loss)(w))));
    let w = zeros([4]);
    for (let n = 0; n < 6; n++) w = step(w);
    return { w, loss: loss(w), accuracy: x!.matmul(w).greater(0).equal(t!.greater(0)).mean() };
  },

  metropolis() {
    const logDensity = (x: Tensor) => weft.logAddExp(x.sub(2).square().sum().mul(-0.5), x.add(2).square().sum().mul(-0.5));
    const step = (x: Tensor, key: Tensor) => {
      const [first, second] = weft.unstack(random.split(key));
      const proposal = x.add(random.normal(first!, [2]).mul(1.5));
      const accept = random.uniform(second!, []).log().less(logDensity(proposal).sub(logDensity(x)));
      const next = where(accept, proposal, x);
      return [next, { next, accept }] as [Tensor, { next: Tensor; accept: Tensor }];
    };
    const [last, { next: chain, accept }] = scan(step, zeros([2]), random.split(random.key(42), 200));
    return { last, mean: chain.mean(0), accepted: accept.sum() };
  },

  lstmStep({ text, ...p }) {
    const loss = (p: Tensors) => {
      const step = ({ h, c }: { h: Tensor; c: Tensor }, letter: Tensor) => {
        const z = p["embedding"]!.take(letter, 0).matmul(p["wx"]!).add(h.matmul(p["wh"]!)).add(p["b"]!);
        const [i, f, g, o] = z.split(4, -1) as [Tensor, Tensor, Tensor, Tensor];
        c = f.add(1).sigmoid().mul(c).add(i.sigmoid().mul(g.tanh()));
        h = o.sigmoid().mul(c.tanh());
        return [{ h, c }, h.matmul(p["out"]!)] as [{ h: Tensor; c: Tensor }, Tensor];
      };
      const start = { h: zeros([3, 6]), c: zeros([3, 6]) };
      const [, logits] = scan(step, start, text!.slice(null, [0, -1]).transpose());
      const chosen = logits.logSoftmax().takeAlongAxis(text!.slice(null, [1]).transpose().expandDims(-1), -1);
      return chosen.mean().neg();
    };
    const [value, gradient] = jit(valueAndGrad(loss))(p);
    return { loss: value, ...Object.fromEntries(Object.entries(gradient).map(([name, g]) => [`d_${name}`, g])) };
  },

  beamSearch({ table }) {
    let [score, last, path] = [tensor([0]), tensor([0], { dtype: "i32" }), zeros([1, 1], { dtype: "i32" })];
    for (let n = 0; n < 6; n++) {
      const every = score.expandDims(1).add(table!.take(last, 0)).flatten();
      const [best, index] = weft.topK(every, 3);
      const [parent, letter] = weft.divmod(index, 6);
      [score, last] = [best, letter];
      path = concat([path.take(parent, 0), letter.expandDims(1)], 1);
    }
    return { score, path };
  },

  maskedAttention({ q, k, v, lengths }) {
    const mask = arange(5).less(lengths!.reshape([-1, 1, 1, 1])).logicalAnd(ones([5, 5], { dtype: "bool" }).tril());
    const attend = (q: Tensor, k: Tensor, v: Tensor) => {
      const scores = einsum("bhqd,bhkd->bhqk", q, k).div(2);
      return where(mask, scores, -Infinity).softmax(-1).matmul(v);
    };
    const [dq, dk, dv] = grad((q: Tensor, k: Tensor, v: Tensor) => attend(q, k, v).square().sum(), { argnums: [0, 1, 2] })(q!, k!, v!);
    return { out: attend(q!, k!, v!), dq, dk, dv };
  },

  imageAugmentation({ image }) {
    const x = image!;
    const padded = x.pad([[2, 2], [2, 2], [0, 0]], "reflect");
    const mean = x.mean([0, 1]);
    const grey = x.matmul([0.299, 0.587, 0.114]);
    const edges = grey.pad(1, "edge");
    const places = [0, 1, 2].flatMap((i) => [0, 1, 2].map((j) => [i, j] as const));
    return {
      mirrored: x.flip(1),
      crop: padded.slice([1, 13], [3, 13]),
      contrast: x.sub(mean).mul(1.5).add(mean).clip(0, 1),
      turned: x.rot90(),
      blurred: places.map(([i, j]) => edges.slice([i, i + 12], [j, j + 10])).reduce((a, b) => a.add(b)).div(9),
      cut: x.at("3:7", "2:6").set(x.mean()),
      wrapped: grey.pad([[3, 0], [0, 2]], "wrap"),
      half: weft.resizeImage(x, [6, 5, 3]),
      double: weft.resizeImage(x, [24, 20, 3], "cubic"),
    };
  },

  contractions({ a, b, c, s, d }) {
    return {
      product: einsum("ij,jk", a!, b!),
      trace: einsum("ii->", s!),
      diagonal: einsum("ii->i", s!),
      batched: einsum("...ij,...jk->...ik", c!, d!),
      bilinear: einsum("bi,ij,bj->b", a!, s!, a!),
      chain: einsum("ij,jk,bij,lk->bl", a!, b!, c!, ones([6, 5])),
      outer: outer(a!.slice(null, 0), b!.slice(0)),
      transposed: einsum("bij->jib", c!),
      sum: einsum("bij->", c!),
      double: weft.tensordot(c!, d!, [[0, 1], [0, 2]]),
      kron: weft.kron(a!.slice([0, 2], [0, 2]), s!.slice([0, 2], [0, 2])),
    };
  },

  async advancedIndexing({ x }) {
    const [rows, columns] = [[0, 2, 3], [1, 1, 4]];
    const order = weft.argsort(x!.slice(null, null, [0, 1]).neg(), 0);
    return {
      apart: at(x!, rows, ":", columns).get(),
      together: at(x!, ":", rows, columns).get(),
      table: at(x!, tensor(rows, { dtype: "i32" }).expandDims(1), columns).get(),
      mixed: at(x!, "1:", rows, "::-2").get(),
      last: at(x!, "...", -1).get(),
      new: at(x!, ":", "newaxis", 2, ":", "newaxis").get(),
      grid: at(x!, tensor(rows, { dtype: "i32" }).expandDims(1), [columns], 2).get(),
      negative: at(x!, -1, [-1, -2]).get(),
      mask: await weft.extract(x!.remainder(17).equal(3), x!),
      y: at(x!, rows, ":", columns).set(-1),
      z: at(x!, "1:3", "::2", [0, 5]).add(100),
      w: at(x!, [0, 0, 1], ":", [2, 2, 3]).add(1000),
      m: where(x!.remainder(7).equal(0), 0, x!),
      along: x!.takeAlongAxis(order, 0),
      put: where(arange(5).expandDims(1).equal(2), 7, x!.slice(0)),
    };
  },

  histogramEqualisation({ image }) {
    const counts = weft.bincount(image!.flatten().cast("i32"), { length: 256 });
    const cumulative = counts.cumsum();
    const lowest = where(cumulative.greater(0), cumulative, 1 << 30).min();
    const table = cumulative.sub(lowest).div(lowest.neg().add(image!.size)).mul(255).round().clip(0, 255).cast("u8");
    const { counts: bins, edges } = weft.histogram(image!, { bins: 8, range: [0, 256] });
    return { equalised: table.take(image!.cast("i32"), 0), bins, edges, median: weft.median(image!), percentiles: weft.percentile(image!, [5, 50, 95]) };
  },

  matrixExponentials({ rates }) {
    const generator = rates!.sub(weft.diag(rates!.sum(1)));
    const [skew, system] = [tensor([[0, -1], [1, 0]]), tensor([[0, 1], [-4, -0.5]])];
    const times = linspace(0, 2, 5);
    const [still] = linalg.lstsq(concat([generator.transpose(), ones([1, 4])]), tensor([0, 0, 0, 0, 1]));
    return {
      moves: linalg.expm(generator.mul(0.7)),
      turn: linalg.expm(skew.mul(Math.PI / 3)),
      path: linalg.expm(times.reshape([5, 1, 1]).mul(system)).matmul([1, 0]),
      still,
      slope: grad((t: Tensor) => linalg.expm(generator.mul(t)).slice(0, 1))(tensor(0.7)),
      power: linalg.matrixPower(linalg.expm(generator.mul(0.1)), 7),
      inverse: linalg.matrixPower(linalg.expm(skew), -2),
    };
  },

  async cumulativeStatistics({ price }) {
    const x = price!;
    const n = arange(1, 61);
    const mean = x.cumsum().div(n);
    // Of what is left without the first price, so that squares are small.
    const off = x.sub(x.slice(0));
    const variance = off.square().cumsum().div(n).sub(off.cumsum().div(n).square());
    const drawdown = x.div(x.cummax()).neg().add(1);
    const windows = weft.slidingWindowView(x, 5);
    const smooth = associativeScan(([a, b]: [Tensor, Tensor], [c, d]: [Tensor, Tensor]) => [a.mul(c), b.mul(c).add(d)] as [Tensor, Tensor], [
      where(arange(60).equal(0), 0, 0.9),
      where(arange(60).equal(0), x, x.mul(0.1)),
    ] as [Tensor, Tensor])[1];
    const returns = x.log().diff(1, 0, { prepend: x.slice(0).log() });
    const falls = await weft.flatNonzero(concat([tensor([true]), returns.less(0), tensor([true])]));
    return { mean, std: variance.sqrt(), drawdown, rolling: windows.mean(-1), spread: windows.std(-1), smooth, returns, longest: falls.diff().max().sub(1), worst: drawdown.argmax() };
  },

  bits({ x, flags }) {
    const word = x!;
    let state = word;
    for (let n = 0; n < 5; n++) {
      state = state.bitwiseXor(state.shiftLeft(13));
      state = state.bitwiseXor(state.shiftRight(17));
      state = state.bitwiseXor(state.shiftLeft(5));
    }
    const places = arange(32, { dtype: "u32" });
    const each = word.expandDims(1).shiftRight(places).bitwiseAnd(1);
    const packed = weft.packbits(flags!, -1);
    return {
      count: weft.bitwiseCount(word),
      gray: word.bitwiseXor(word.shiftRight(1)),
      xorshift: state,
      reversed: each.shiftLeft(tensor(31, { dtype: "u32" }).sub(places)).sum(1),
      packed,
      unpacked: weft.unpackbits(packed, -1, 13),
      parity: weft.bitwiseCount(word).bitwiseAnd(1),
      lowest: word.bitwiseAnd(word.bitwiseNot().add(1)),
      rotated: word.shiftLeft(7).bitwiseOr(word.shiftRight(25)),
      all: weft.reduceXor(word),
      power: word.bitwiseAnd(word.sub(1)).equal(0),
    };
  },

  mandelbrot() {
    const [re, im] = meshgrid(linspace(-2, 0.5, 24), linspace(-1.25, 1.25, 20));
    const c = new Complex(re!, im!);
    const step = (_: Tensor, { z, count }: { z: Complex; count: Tensor }) => {
      const inside = z.re.square().add(z.im.square()).lessEqual(4);
      const next = z.mul(z).add(c);
      return { z: new Complex(where(inside, next.re, z.re), where(inside, next.im, z.im)), count: count.add(inside) };
    };
    return { count: forLoop(0, 25, step, { z: new Complex(zeros([20, 24]), zeros([20, 24])), count: zeros([20, 24], { dtype: "i32" }) }).count };
  },

  optimalTransport({ a, b, cost }) {
    const step = (_: Tensor, { g }: { f: Tensor; g: Tensor }) => {
      const f = a!.log().sub(logSumExp(g.sub(cost!).div(0.05), 1)).mul(0.05);
      return { f, g: b!.log().sub(logSumExp(f.expandDims(1).sub(cost!).div(0.05), 0)).mul(0.05) };
    };
    const { f, g } = forLoop(0, 50, step, { f: zeros([6]), g: zeros([8]) });
    const plan = f.expandDims(1).add(g).sub(cost!).div(0.05).exp();
    return { plan, distance: plan.mul(cost!).sum() };
  },

  editDistance({ a, b }) {
    const places = arange(b!.size + 1, { dtype: "i32" });
    const step = (row: Tensor, [i, letter]: [Tensor, Tensor]) => {
      const best = minimum(row.slice([1]).add(1), row.slice([0, -1]).add(b!.notEqual(letter)));
      const line = concat([i.add(1).expandDims(0), best]).sub(places);
      return [weft.cummin(line).add(places), null] as [Tensor, null];
    };
    const [row] = scan(step, places, [arange(a!.size, { dtype: "i32" }), a!] as [Tensor, Tensor]);
    return { row, distance: row.slice(-1) };
  },

  shortestPaths({ weight }) {
    const start = where(weight!.less(0), Infinity, weight!);
    const through = (k: Tensor, d: Tensor) => minimum(d, d.take(k, 1).expandDims(1).add(d.take(k, 0)));
    const d = forLoop(0, 9, through, start);
    return { d: where(d.isfinite(), d, -1), reachable: d.isfinite().sum(), far: weft.nanmax(where(d.isinf(), NaN, d), 1) };
  },

  viterbi({ start, move, emit, seen }) {
    const first = start!.add(emit!.take(seen!.slice(0), 1));
    const step = ({ score, forward }: { score: Tensor; forward: Tensor }, o: Tensor) => {
      const every = score.expandDims(1).add(move!);
      const shown = emit!.take(o, 1);
      return [{ score: every.max(0).add(shown), forward: logSumExp(forward.expandDims(1).add(move!), 0).add(shown) }, every.argmax(0)] as [{ score: Tensor; forward: Tensor }, Tensor];
    };
    const [{ score, forward }, back] = scan(step, { score: first, forward: first }, seen!.slice([1]));
    const last = score.argmax();
    const [, path] = scan((state: Tensor, pointer: Tensor) => {
      const before = pointer.take(state, 0);
      return [before, before];
    }, last, back, { reverse: true });
    return { path: concat([path, last.expandDims(0)]), score: score.max(), likelihood: logSumExp(forward) };
  },

  async curves({ y }) {
    const x = linspace(0, 3, 31);
    const queries = tensor([-1, 0.05, 1.234, 2.9, 5]);
    const z = x.mul(4);
    return {
      fit: weft.polyval(weft.polyfit(x, y!, 4), x),
      slope: weft.gradient(y!, x),
      area: weft.trapezoid(y!, 0.1),
      between: weft.interp(queries, x, y!),
      places: weft.searchSorted(x, queries),
      bins: weft.digitize(queries, [0, 1, 2]),
      unwrapped: weft.unwrap(new Complex(z.cos(), z.sin()).angle()),
      turns: (await weft.flatNonzero(y!.diff().sign().diff())).add(1),
      clipped: y!.clip(-0.5, linspace(0.2, 1, 31)),
    };
  },

  async bigrams({ text }) {
    const [from, to] = [text!.slice([0, -1]), text!.slice([1])];
    const counts = at(zeros([26, 26], { dtype: "i32" }), from, to).add(1);
    const smoothed = counts.add(0.1);
    const shares = smoothed.div(smoothed.sum(1, { keepdims: true }));
    const { values: letters, inverse, counts: times } = await weft.uniqueAll(text!);
    return {
      counts: counts.slice([0, 5], [0, 5]),
      entropy: shares.mul(shares.log2()).sum(1).neg(),
      perplexity: at(shares, from, to).get().log2().mean().neg().exp2(),
      values: letters,
      inverse,
      times,
      top: i32(weft.argsort(counts.flatten().neg()).slice([0, 4])),
    };
  },

  borders({ x, n }) {
    const modes = ["edge", "reflect", "symmetric", "wrap", "maximum", "minimum", "mean", "median", "linear_ramp"] as const;
    const made = modes.map((mode) => [mode, x!.pad([[1, 2], [2, 1]], mode)] as const);
    return { ...Object.fromEntries(made), whole: n!.pad(1, "maximum"), rounded: n!.pad([[0, 0], [1, 0]], "mean") };
  },

  searching({ a, b }) {
    const [table, wanted] = [tensor([1, 2, 2, 3, NaN, NaN]), tensor([2, NaN, 4, 0, Infinity])];
    const [rows, columns] = meshgrid(a!, b!.slice([0, 3]), { sparse: true }) as [Tensor, Tensor];
    const correlated = (["full", "same", "valid"] as const).flatMap((part) => [
      [`${part}_ab`, weft.correlate(a!, b!, part)] as const,
      [`${part}_ba`, weft.correlate(b!, a!, part)] as const,
      [`${part}_a2`, weft.correlate(a!.slice([0, 2]), b!, part)] as const,
    ]);
    return { left: weft.searchSorted(table, wanted), right: weft.searchSorted(table, wanted, true), rows, columns, ...Object.fromEntries(correlated) };
  },

  sampleQuantiles({ x }) {
    const methods = ["inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased", "normal_unbiased"] as const;
    const made = methods.flatMap((method) => [
      [method, weft.quantile(x!, 0.375, 1, { method })] as const,
      [`${method}_several`, weft.quantile(x!, [0, 0.0625, 0.125, 0.3125, 0.5, 0.8, 1], 1, { method })] as const,
    ]);
    return Object.fromEntries(made);
  },

  updates({ x }) {
    const y = x!;
    const column = y.slice(null, 1);
    return {
      twice: at(y, ":", [0, 0]).sub(1),
      most: at(y, [0, 0, 1], [1, 1, 2]).max([50, 60, -1]),
      share: at(y, ":", 1).div(column.sum()),
      rows: at(y, [1, 3], "1:4").sub([[1], [2]]),
      turned: at(y, "::-1").set(arange(6)),
      mask: at(y, [true, false, true, false]).set(0),
      upper: at(y, ...weft.triuIndices(4, 1, 6)).set(0),
      along: weft.putAlongAxis(y, y.argmax(1, { keepdims: true }), -1, 1),
      insert: weft.insert(y, [1, 3], [[10], [20]], 0),
      delete: weft.remove(y, [0, -1], 1),
      resize: weft.resize(y, [2, 5]),
    };
  },

  batches({ x, a }) {
    const grown = (x: Tensor) => weft.whileLoop(([sum]: [Tensor, Tensor]) => sum.less(5), ([sum, x]: [Tensor, Tensor]) => [sum.add(x.abs().sum()), x.mul(1.1)] as [Tensor, Tensor], [tensor(0), x] as [Tensor, Tensor])[1];
    const nested = (x: Tensor) => {
      const row = (c: Tensor, r: Tensor) => [scan((d: Tensor, e: Tensor) => [d.mul(e).add(1), null] as [Tensor, null], c, r)[0], c] as [Tensor, Tensor];
      return scan(row, tensor(1), x)[0];
    };
    return {
      chosen: weft.vmap((x: Tensor) => weft.cond(x.slice(0).greater(0), (x: Tensor) => x.mul(2), (x: Tensor) => x.sub(1), x))(x!),
      grown: weft.vmap(grown)(x!),
      placed: weft.vmap((i: Tensor, x: Tensor) => at(x, i).set(9))(tensor([0, 3, 1], { dtype: "i32" }), x!),
      each: weft.vmap(grad((x: Tensor) => x.pow(3).sum()))(x!),
      jacobian: weft.jacrev(weft.vmap((x: Tensor) => x.dot(x)))(x!) as Tensor,
      nested: grad(nested)(x!),
      columns: weft.vmap((x: Tensor) => x.cumsum().flip(), { inAxes: 1, outAxes: 1 })(x!),
      curved: hessian((w: Tensor) => weft.vmap((r: Tensor) => r.dot(w).tanh())(x!).sum())(arange(4).div(4)) as Tensor,
      turned: weft.jvp(grad((x: Tensor) => x.tanh().square().sum()), [x!], [ones([3, 4])])[1] as Tensor,
      values: weft.vmap((a: Tensor) => linalg.eigvalsh(a.add(a.transpose())))(a!),
      lines: weft.vmap((x: Tensor) => fft.rfft(x).re)(x!),
    };
  },

  spectraOfMoments({ x, window }) {
    const found: Tensors = {};
    const cases: [string, fft.SegmentOptions][] = [["plain", { length: 16 }], ["dense", { length: 16, hop: 4, points: 32 }], ["bare", { length: 15, hop: 10, centred: false }], ["own", { window: window! }]];
    for (const [name, options] of cases) {
      const made = fft.stft(x!, options);
      Object.assign(found, { [name]: made.re, [`${name}Im`]: made.im });
      if (name !== "bare") found[`${name}Back`] = fft.istft(made, options);
    }
    return found;
  },

  complexFunctions({ re, im, wre, wim }) {
    const [z, w] = [new Complex(re!, im!), new Complex(wre!, wim!)];
    const none = re!.equal(0).logicalAnd(im!.equal(0));
    const safe = new Complex(where(none, 1, re!), im!);
    const found = { log: safe.log(), sqrt: z.sqrt(), pow: safe.pow(w), cube: z.pow(3), sum: z.sum(0), mean: z.mean(), product: z.matmul(w), quotient: z.div(w), exp: z.exp(), neg: z.neg() };
    return Object.fromEntries(Object.entries(found).flatMap(([name, value]) => [[`${name}Re`, value.re], [`${name}Im`, value.im]]));
  },
};

const known = JSON.parse(readFileSync(new URL("../../../tests/conformance/everyday.json", import.meta.url), "utf8")) as Record<
  string,
  { inputs: Record<string, TensorJson>; expected: Record<string, TensorJson> }
>;

it("every program of everyday.py is here", () => {
  expect(Object.keys(programs)).toEqual(Object.keys(known));
});

it.each(Object.keys(programs))("%s", async (name) => {
  const { inputs, expected } = known[name]!;
  const made = await programs[name]!(Object.fromEntries(Object.entries(inputs).map(([key, input]) => [key, make(input)])));
  expect(Object.keys(made).sort()).toEqual(Object.keys(expected).sort());
  for (const [key, { shape, dtype, data }] of Object.entries(expected)) {
    const found = made[key] as Tensor;
    expect([key, found.dtype, found.shape]).toEqual([key, dtype, shape]);
    const [got, wanted] = [await values(found), data.map(Number)];
    // To some digits of the largest.
    const largest = Math.max(1e-3, ...wanted.map(Math.abs));
    const slack = dtype === "f32" ? 2e-4 * largest : 0;
    wanted.forEach((value, n) => expect(Math.abs((got[n] as number) - value), `${key}[${n}] is ${got[n]}, expected ${value}`).toBeLessThanOrEqual(slack));
  }
});
