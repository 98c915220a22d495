// Values that notebooks compute, compared with another way to compute them. A last cell uses the
// notebook's own functions, on the CPU device, at the sizes that notebooks have there.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, afterEach, before, test as always } from "../../lib/test.mjs";
import { Playground, runAll } from "../../lib/playground.mjs";
import { assertListed, COMPUTED, ONE_IN } from "../../lib/compared.mjs";
import { rotating } from "../../lib/rotation.mjs";

const test = rotating(ONE_IN);
/** Notebooks that have run as they are.
 * @type {Set<string>} */
const ran = new Set();

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start({ ownData: true })));
after(async () => {
  await playground.stop();
  if (process.env["WEFT_TIER"] !== "full") assertListed("COMPUTED", COMPUTED, test.cases(), ran);
});
afterEach(() => playground.assertQuiet());

/**
 * Notebooks of digits ask for MNIST, which a site may have, before they take the digits that it has
 * for sure. What a function body returns after all cells of a notebook have run. `change` makes
 * another notebook of it first.
 * @param {string} name
 * @param {string} check
 * @param {(notebook: string) => string} [change]
 * @param {string} [query]
 */
async function computed(name, check, change = (notebook) => notebook, query = "?device=cpu") {
  const written = await readFile(new URL(`../../../notebooks/${name}.md`, import.meta.url), "utf8");
  const notebook = change(written);
  const page = await playground.open(`${notebook}\n\`\`\`js\nprint(JSON.stringify(await (async () => { ${check} })()));\n\`\`\`\n`, { query, says: /Failed to load resource/ });
  const { cells } = await runAll(page);
  assert.deepEqual(cells.flatMap(({ cell, status, error }) => (status === "done" ? [] : [`${cell} ${status}: ${error?.message}`])), []);
  if (notebook === written) ran.add(name);
  await page.context().close();
  return JSON.parse(cells.at(-1)?.text ?? "");
}

test("frequencies: a blur by the Fourier transform is the weighted sum of neighbours, and detail 0 changes nothing", async () => {
  const check = `
    const weighted = kernel((p, c, i, j) => {
      let [sum, weights] = [0, 0];
      for (let a = -9; a <= 9; a++) for (let b = -9; b <= 9; b++) {
        const w = Math.exp(-(a * a + b * b) / 8);
        sum += w * p.at(c, i + a, j + b);
        weights += w;
      }
      return sum / weights;
    }, { edge: "wrap", shape: [3, 12, 12] });
    const fast = through(planes, gaussian(2)).slice(null, [0, 12], [0, 12]);
    const same = through(planes, gaussian(2).add(sub(1, gaussian(2))));
    return [await weighted(planes).sub(fast).abs().max().item(), await same.sub(planes).abs().max().item()];
  `;
  const [blur, same] = /** @type {number[]} */ (await computed("frequencies", check));
  assert.ok(blur !== undefined && blur < 3e-5, `${blur}`);
  assert.ok(same !== undefined && same < 3e-6, `${same}`);
});

test("table: the curve is the one of least squares, and a table of the reader's own is read in place of the example", async () => {
  const check = `
    const [xs, ys, all] = await Promise.all([x.array(), y.array(), predicted.array()]);
    // The normal equations: what is missed is orthogonal to all that is used.
    const used = xs.map((_, i) => i).filter((i) => i % 2 === 0);
    const at = await curve(x).array();
    const residuals = used.map((i) => ys[i] - at[i]);
    const mean = residuals.reduce((a, b) => a + b) / used.length;
    const tilt = residuals.reduce((sum, r, k) => sum + r * xs[used[k]], 0) / used.length;
    const orthogonal = columns.map((_, c) => rows.reduce((sum, row, i) => sum + (row[4] - all[i]) * row[c], 0) / rows.length);
    return { count: rows.length, mean, tilt, orthogonal: orthogonal.slice(0, 4), effects: await effects.array() };
  `;
  const { count, mean, tilt, orthogonal, effects } = await computed("table", check);
  assert.equal(count, 60);
  assert.ok(Math.abs(mean) < 0.01 && Math.abs(tilt) < 1, `${mean}, ${tilt}`);
  for (const each of orthogonal) assert.ok(Math.abs(each) < 0.5, orthogonal.join());
  // Large flats cost more, old ones and those far out less.
  assert.ok(effects[0] > 60 && effects[2] < -10 && effects[3] < -20, effects.join());

  const own = await computed("table", "return { columns, rows, predicted: await predicted.array() };", (notebook) => notebook.replace('otherwise: example', 'otherwise: "name,a,b\\nx,1,3\\ny,2,5\\nz,3,\\nu,4,9\\nv,0,1"'));
  assert.deepEqual(own.columns, ["a", "b"]);
  assert.deepEqual(own.rows, [[1, 3], [2, 5], [4, 9], [0, 1]]);
  for (const [i, value] of [3, 5, 9, 1].entries()) assert.ok(Math.abs(own.predicted[i] - value) < 1e-3, own.predicted.join());
});

test("tensors: sums, masks and products are those of plain loops", async () => {
  const check = `
    const [curve, typical, xs, ys, m] = await Promise.all([damped.array(), far.array(), u.array(), v.array(), matrix.array()]);
    const apart = Math.max(...curve.map((value, i) => Math.abs(value - Math.sin(i * 18 / 299) * Math.exp(-i * 3 / 299))));
    const share = xs.filter((x, i) => x * x + ys[i] * ys[i] < 1).length / points;
    const reached = await ways.slice(-1).array();
    const distance = Math.sqrt(reached.reduce((sum, way) => sum + way * way, 0) / walkers);
    return { apart, share, inside: await inside.cast("f32").mean().item(), distance, typical: typical.at(-1), area: m[0][0] * m[1][1] - m[0][1] * m[1][0] };
  `;
  const { apart, share, inside, distance, typical, area } = await computed("tensors", check);
  assert.ok(apart < 1e-5, `${apart}`);
  assert.ok(Math.abs(share - inside) < 1e-6 && Math.abs(4 * share - Math.PI) < 0.2, `${share} and ${inside}`);
  assert.ok(Math.abs(distance - typical) < 1e-3 && distance > 12 && distance < 28, `${distance} and ${typical}`);
  assert.ok(Math.abs(area - 1.5) < 1e-5, `${area}`);
});

test("gradients: the gradient is that of differences, and the descent comes near the least squares", async () => {
  const check = `
    const at = tensor([0.1, -0.4, 0.3, 0.2]);
    const slopes = await grad(error)(at).array();
    const differences = await Promise.all([0, 1, 2, 3].map(async (i) => {
      const h = tensor([0, 1, 2, 3].map((j) => (j === i ? 0.01 : 0)));
      return (await (error(at + h) - error(at - h)).item()) / 0.02;
    }));
    const [best] = linalg.lstsq(stack([ones([60]), px, px ** 2, px ** 3], 1), py);
    return { slopes, differences, least: await error(best).item(), first: await error(descent[0].w).item(), last: await error(descent[80].w).item() };
  `;
  const { slopes, differences, least, first, last } = await computed("gradients", check);
  slopes.forEach((/** @type {number} */ slope, /** @type {number} */ i) => assert.ok(Math.abs(slope - differences[i]) < 1e-3, `${slopes} and ${differences}`));
  assert.ok(least <= last && last - least < (first - least) * 0.2, `${first} to ${last}, least ${least}`);
});

test("clusters: directions are orthonormal and have their variances, and no step of k-means raises the error", async () => {
  const check = `
    const gram = await directions.transpose().matmul(directions).sub(eye(4)).abs().max().item();
    const [found, expected] = [await centred.matmul(directions).variance(0).array(), await variances.array()];
    let [moving, errors] = [points.slice([0, 5]), []];
    for (let n = 0; n < 12; n++) {
      const [next, , error] = move(moving);
      moving = next;
      errors.push(await error.item());
    }
    const [places, means] = await Promise.all([points.slice([0, 200]).array(), moving.array()]);
    const nearby = await nearest(moving)[0].slice([0, 200]).array();
    const wrong = places.filter((p, i) => {
      const apart = means.map((m) => m.reduce((sum, value, d) => sum + (value - p[d]) ** 2, 0));
      return apart[nearby[i]] > Math.min(...apart) + 1e-3;
    }).length;
    return { gram, found, expected, errors, wrong };
  `;
  const { gram, found, expected, errors, wrong } = await computed("clusters", check);
  assert.ok(gram < 1e-4, `${gram}`);
  expected.forEach((/** @type {number} */ value, /** @type {number} */ i) => assert.ok(Math.abs(found[i] - value) < 1e-3 * value && value >= (expected[i - 1] ?? 0), `${found} and ${expected}`));
  errors.forEach((/** @type {number} */ error, /** @type {number} */ i) => assert.ok(error <= (errors[i - 1] ?? Infinity) * 1.0001, errors.join()));
  assert.equal(wrong, 0);
});

test("cnn: it reads most digits, and the table of confusions counts each once", async () => {
  const check = `
    const counts = await pairs.array();
    const all = counts.flat().reduce((a, b) => a + b);
    return { reached: await accuracy(), all, tests: test.labels.size, diagonal: counts.reduce((sum, row, i) => sum + row[i], 0) };
  `;
  const { reached, all, tests, diagonal } = await computed("cnn", check);
  assert.equal(all, tests);
  assert.ok(Math.abs(diagonal / tests - reached) < 1e-6 && reached > 0.9, `${reached}`);
});

test("autoencoder: what comes back is nearer to the digits than their mean is", async () => {
  const check = `
    const mean = ((images - images.mean(0)) ** 2).mean();
    const back = ((paint(encoder.forward(images)) - images) ** 2).mean();
    return stack([mean, back, (raw - (codes * spread + middle)).abs().max()]).array();
  `;
  const [mean, back, most] = /** @type {[number, number, number]} */ (await computed("autoencoder", check));
  assert.ok(back < 0.75 * mean, `${back} and ${mean}`);
  assert.ok(most < 1e-3, `${most}`);
});

test("diffusion: drawings have about the size of the noise, a turn of 0 moves nothing, and the error falls", async () => {
  const check = `
    const sizes = await stack(Object.values(drawings).map((draw) => draw(2000).std(1)).flat()).array();
    const dots = random.normal([2, 50]);
    const moved = await back(dots, 1, 0).sub(dots).abs().max().item();
    const mean = async (n) => {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += await step().item();
      return sum / n;
    };
    const first = await mean(20);
    for (let k = 0; k < 300; k++) step().dispose();
    return { sizes: sizes.flat(), moved, first, last: await mean(20) };
  `;
  const { sizes, moved, first, last } = await computed("diffusion", check);
  assert.equal(sizes.length, 8);
  for (const size of sizes) assert.ok(size > 0.5 && size < 1.6, sizes.join());
  assert.ok(moved < 1e-5, `${moved}`);
  assert.ok(last < first * 0.97, `${first} to ${last}`);
});

test("embedder: the gradient of a grid is that of differences, and the error falls", async () => {
  const check = `
    const places = random.uniform([40, 2]);
    const energy = (grid) => look(grid, places).square().sum();
    const [grid, way] = [random.normal([2, 5, 5]), random.normal([2, 5, 5])];
    const slope = await grad(energy)(grid).mul(way).sum().item();
    const [more, less] = await stack([0.01, -0.01].map((h) => energy(grid.add(way.mul(h))))).array();
    const first = await step().item();
    for (let k = 0; k < 40; k++) step().dispose();
    return { slope, difference: (more - less) / 0.02, first, last: await step().item() };
  `;
  const { slope, difference, first, last } = await computed("embedder", check);
  assert.ok(Math.abs(slope - difference) < 1e-3 * Math.abs(slope), `${slope} and ${difference}`);
  assert.ok(last < first / 2, `${first} to ${last}`);
});

test("splats: gradients of places, forms and colours are those of differences, and the error falls", async () => {
  const check = `
    const parts = [random.uniform([3, 2]), random.normal([3, 3]).mul(0.3).sub([1.5, 1.5, 0]), random.uniform([3, 3])];
    const energy = (place, form, colour) => matmul(weight(place, form, 1), colour).sub(target).square().sum();
    const found = [];
    for (const at of [0, 1, 2]) {
      const way = random.normal(parts[at].shape);
      const along = (h) => energy(...parts.map((part, k) => (k === at ? part.add(way.mul(h)) : part)));
      const slope = await grad(energy, { argnums: at })(...parts).mul(way).sum().item();
      const [more, less] = await stack([along(0.002), along(-0.002)]).array();
      found.push([slope, (more - less) / 0.004]);
    }
    const first = await step().item();
    for (let k = 0; k < 12; k++) step().dispose();
    return { found, first, last: await step().item() };
  `;
  const { found, first, last } = await computed("splats", check);
  for (const [slope, difference] of found) assert.ok(Math.abs(slope - difference) < 0.01 * Math.abs(slope) + 0.1, `${slope} and ${difference}`);
  assert.ok(last < first / 2, `${first} to ${last}`);
});

test("electrons: without repulsion in the wave function, helium's local energy is that of two hydrogen-like ions and 1/r", async () => {
  const check = `
    const parts = { w0: 0, b0: 0, w1: 0, b1: 0, orbitals: 0, bias: 1, decay: 2, bend: 1e-6 };
    const theta = concat(Object.entries(parts).map(([name, value]) => full(shapes[name], value).reshape([-1])));
    const places = random.normal([10, 2, 3]);
    const between = places.slice(null, 0).sub(places.slice(null, 1)).square().sum(1).sqrt();
    return vmap((r) => localEnergy(theta, r))(places).sub(between.reciprocal()).array();
  `;
  /** @type {number[]} */
  const energies = await computed("electrons", check);
  assert.equal(energies.length, 10);
  for (const energy of energies) assert.ok(Math.abs(energy + 4) < 1e-3, energies.join());
});

test("electrons: lithium hydride's wave function and local energy are JAX's, and neon's is finite far out", async () => {
  const check = `
    const theta = arange(begins.at(-1) + sizes.at(-1), { dtype: "f32" }).mul(1.7).sin().mul(0.4);
    const found = [0, 1, 2].map((w) => {
      const r = arange(12, { dtype: "f32" }).mul(2.3).add(w).cos().reshape([4, 3]);
      return stack([logPsi(theta, r), localEnergy(theta, r)]);
    });
    return stack(found).array();
  `;
  // In f64, of the same function in jax.numpy, with its Laplacian by jvp of grad.
  const expected = [[-9.841745, 5.496847], [-9.302501, -9.212915], [-8.074078, 2.105447]];
  const menu = "slow ? systems.helium : systems[\"lithium hydride\"]";
  const of = (/** @type {string} */ name) => (/** @type {string} */ notebook) => {
    assert.ok(notebook.includes(menu));
    return notebook.replace(menu, `systems[${JSON.stringify(name)}]`);
  };
  const found = await computed("electrons", check, of("lithium hydride"));
  expected.forEach((row, w) => row.forEach((value, k) => assert.ok(Math.abs(found[w][k] - value) < 2e-3 * Math.max(1, Math.abs(value)), JSON.stringify(found))));
  // Four bohrs from the nucleus the ten orbitals' product is no number of 32 bits.
  const far = `
    const { theta } = start();
    const r = arange(30, { dtype: "f32" }).mul(2.3).cos().reshape([10, 3]);
    const out = r.div(r.square().sum(1, { keepdims: true }).sqrt()).mul(4);
    return stack([logPsi(theta, out), localEnergy(theta, out)]).array();
  `;
  const [size, energy] = /** @type {number[]} */ (await computed("electrons", far, of("neon")));
  assert.ok(Number.isFinite(energy) && Number(size) < -100, JSON.stringify([size, energy]));
});

test("electrons: helium's energy falls towards the known one", async () => {
  const check = `
    state = start();
    const energies = [];
    for (let k = 0; k < 300; k++) {
      const energy = await advance();
      if (k >= 250) energies.push(await energy.item());
      else energy.dispose();
    }
    return energies.reduce((a, b) => a + b) / energies.length;
  `;
  const mean = await computed("electrons", check);
  assert.ok(mean < -2.6 && mean > -3.1, `${mean}`);
});

test("growing: cells without living neighbours stay empty, a seed does not move at first, and lessons lower the error", async () => {
  const check = `
    const still = zeros([channels, width]);
    const learned = keep(rule.change.weight.add(0));
    rule.change.weight.assign(still);
    const same = await rule.forward(seed.reshape([1, n, n, channels])).slice(0).sub(seed).abs().max().item();
    rule.change.weight.assign(learned);
    const errors = [];
    for (let k = 0; k < 12; k++) errors.push(await lesson(stack(Array.from({ length: batch }, () => seed))).loss.item());
    const grown = rule.forward(seed.reshape([1, n, n, channels])).slice(0);
    const far = await grown.slice([0, n / 2 - 3]).abs().max().item();
    return { same, far, first: errors[0], last: errors.at(-1) };
  `;
  const { same, far, first, last } = await computed("growing", check);
  assert.equal(same, 0);
  assert.equal(far, 0);
  assert.ok(last < first, `${first} to ${last}`);
});

/** A full run teaches it at the size that it has on a GPU. A lesson takes seconds on the software
 * adapter, and a flower that heals some hundreds of them, so these are the first. The garden that
 * grows beside them is left out: it would draw from the same random numbers. */
const LESSONS = 50;
if (process.env["WEFT_TIER"] === "full") {
  always("growing: at full size, a flower begins to grow, and what is torn out grows back in part", { timeout: 900_000 }, async () => {
    const check = `
      let state = 12345;
      const chance = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
      const after = (cells, steps) => {
        for (let k = 0; k < steps; k++) cells = one(cells);
        return cells;
      };
      const apart = (cells) => cells.slice(null, null, [0, 4]).sub(target).square().mean().item();
      const pool = Array.from({ length: 16 }, () => seed);
      for (let lessons = 1; lessons <= ${LESSONS}; lessons++) {
        const places = Array.from({ length: batch }, () => Math.floor(chance() * pool.length));
        const cells = places.map((place) => pool[place]);
        cells[0] = seed;
        const { loss, grown } = lesson(stack(cells));
        places.forEach((place, k) => (pool[place] = grown.slice(k)));
        if (lessons % 10 === 0) await loss.item();
      }
      const flower = after(seed, 64);
      const torn = tear(flower, n * 0.3, n * 0.5, n / 5);
      const found = { empty: await apart(seed), grown: await apart(flower), torn: await apart(torn), healed: await apart(after(torn, 48)) };
      return { size: [n, channels, width, batch], ...found };
    `;
    const alone = (/** @type {string} */ notebook) => {
      assert.ok(notebook.includes("animate((time"));
      return notebook.replace("animate((time", "void ((time");
    };
    const found = await computed("growing", check, alone, "");
    assert.deepEqual(found.size, [40, 12, 64, 4]);
    // The error of a lesson is no measure: each takes other gardens of the pool, of other ages.
    const { empty, grown, torn, healed } = found;
    assert.ok(grown < 0.85 * empty && healed < torn, JSON.stringify(found));
  });
}

test("sorting: the kernel and the radix sort order numbers as sort does", async () => {
  const check = `
    const x = random.permutation(random.key(1), 128);
    const mixed = random.normal([128]);
    let radix = x;
    for (let bit = 0; bit < 7; bit++) radix = split(radix, bit);
    return { bitonic: await bitonic(mixed).equal(mixed.sort()).all().item(), radix: await radix.equal(arange(128)).all().item() };
  `;
  assert.deepEqual(await computed("sorting", check), { bitonic: 1, radix: 1 });
});

test("ode: the solver is that of plain numbers, its gradient that of differences, and the fit is what statisticians found", async () => {
  const check = `
    const p = [0.55, 0.028, 0.024, 0.8];
    let [h, l] = [34, 5.9];
    // A hundred times finer, by Euler's method with the mean of two slopes.
    const slope = (h, l) => [(p[0] - p[1] * l) * h, (p[2] * h - p[3]) * l];
    for (let k = 0, dt = 1 / 800; k < 16000; k++) {
      const [a, b] = slope(h, l);
      const [c, d] = slope(h + dt * a, l + dt * b);
      [h, l] = [h + dt * (a + c) / 2, l + dt * (b + d) / 2];
    }
    const last = await solve(tensor([34, 5.9]), tensor(p))[-1].array();
    const at = tensor([0.6, 0.03, 0.025, 0.8, 30, 4]).log().reshape([6, 1]);
    const way = tensor([0.3, -0.2, 0.4, -0.1, 0.2, 0.1]).reshape([6, 1]);
    const along = (t) => errors(at + way * t).sum();
    const gradient = await (grad((x) => errors(x).sum())(at) * way).sum().item();
    const [more, less] = await stack([along(0.01), along(-0.01)]).array();
    return { off: Math.hypot(last[0] / h - 1, last[1] / l - 1), gradient, difference: (more - less) / 0.02, found };
  `;
  const { off, gradient, difference, found } = await computed("ode", check);
  assert.ok(off < 0.005, `${off}`);
  assert.ok(Math.abs(gradient - difference) < 0.02 * Math.abs(difference), `${gradient} and ${difference}`);
  // Carpenter, Predator-prey population dynamics (2018): posterior means of the same model and
  // counts.
  [0.55, 0.028, 0.024, 0.8, 33.9, 5.9].forEach((value, k) => assert.ok(Math.abs(found[k] / value - 1) < 0.1, `${found}`));
});

test("kalman: the filter is that of plain numbers, and the settings that it finds are those of the path", async () => {
  const check = `
    const seen = (await measured.array()).map(([z]) => z);
    let [x, v, a, b, d] = [0, 0, 1, 0, 1];
    let apart = 0;
    const places = await filtered(2, 0.05).place.slice(null, 0).array();
    seen.forEach((z, k) => {
      // The covariance is [[a, b], [b, d]].
      x += dt * v;
      [a, b, d] = [a + 2 * dt * b + dt * dt * d + dt ** 4, b + dt * d + 2 * dt ** 3, d + 4 * dt * dt];
      const s = a + 0.05 ** 2;
      const [gain, more] = [a / s, b / s];
      const missed = z - x;
      [x, v] = [x + gain * missed, v + more * missed];
      [a, b, d] = [a - gain * a, b - gain * b, d - more * b];
      apart = Math.max(apart, Math.abs(x - places[k]));
    });
    return { apart, foundForce, foundNoise, error: await (filtered(0.8, 0.05).place - walk).square().mean().sqrt().item() };
  `;
  const { apart, foundForce, foundNoise, error } = await computed("kalman", check);
  assert.ok(apart < 1e-4, `${apart}`);
  assert.ok(foundNoise > 0.03 && foundNoise < 0.08 && foundForce > 0.3 && foundForce < 2.5, `${foundForce}, ${foundNoise}`);
  assert.ok(error < 0.03, `${error}`);
});

test("sound: a tone is found at its pitch, and all frequencies together are the sound", async () => {
  const check = `
    const pure = (2 * Math.PI * 440 * arange(4096) / rate).sin();
    const hertz = await fft.rfftfreq(4096, 1 / rate)[fft.rfft(pure * hann(4096)).abs().argmax()].item();
    const all = fft.istft(parts, { length: 512 }).slice([0, sound.size]);
    return { hertz, apart: await (all - sound).abs().max().item(), strongest };
  `;
  const { hertz, apart, strongest } = await computed("sound", check);
  assert.ok(Math.abs(hertz - 440) < 4, `${hertz}`);
  assert.ok(apart < 1e-5, `${apart}`);
  assert.ok(Math.abs(strongest - 262) < 4, `${strongest}`);
});

test("camera: a table of weights is a sum of neighbours, and every filter gives a picture", async () => {
  const check = `
    const flat = full([high, wide, 3], 0.25);
    const even = await weigh(flat, tensor([[1, 2, 1], [2, 4, 2], [1, 2, 1]])).mean().item();
    const kept = await weigh(still, tensor([[0, 0, 0], [0, 1, 0], [0, 0, 0]])).equal(still).all().item();
    const shapes = Object.values(filters).map((look) => look(still).shape.slice(0, 2).join());
    return { even, kept, shapes: [...new Set(shapes)], size: [high, wide].join(), spread: await blur(flat).sub(0.25).abs().max().item() };
  `;
  const { even, kept, shapes, size, spread } = await computed("camera", check);
  assert.ok(Math.abs(even - 4) < 1e-5, `${even}`);
  assert.equal(kept, 1);
  assert.deepEqual(shapes, [size]);
  assert.ok(spread < 1e-6, `${spread}`);
});

test("fusion: both ways give the same picture, one of them in one kernel", async () => {
  const check = `
    const [a, b] = [fused(steps, start), apart(steps, start)];
    return { apart: await (a - b).abs().max().item(), kernels: [whole.dispatches.length, sum(each.map((e) => e.dispatches.length))], steps: steps.length, bytes: traffic(whole) };
  `;
  const { apart, kernels, steps, bytes } = await computed("fusion", check);
  assert.equal(apart, 0);
  assert.deepEqual(kernels, [1, steps]);
  // It reads the picture and the two axes, and writes a picture.
  assert.equal(bytes, 4 * (2 * 96 * 96 + 2 * 96));
});

test("plots: each day is wet or dry, and waves add up to a square", async () => {
  const check = `return { days: await (wet + dry).sum().item(), waves: await (sumOf(200) - square).abs().mean().item() };`;
  const { days, waves } = await computed("plots", check);
  assert.equal(days, 365);
  assert.ok(waves < 0.03, `${waves}`);
});

test("races: without a GPU, a race that was recorded is shown", async () => {
  const check = `return { canRace, names: gained.map(([key]) => key), faster: gained.every(([, usual, best]) => best <= usual) };`;
  const { canRace, names, faster } = await computed("races", check);
  assert.equal(canRace, false);
  assert.equal(names.length, 2);
  assert.equal(faster, true);
});

test("walks: the cloud is round, its width grows as the root of the steps, and all sums but the wild approach the bell curve", async () => {
  const check = `
    random.seed(1);
    let cloud = zeros([walkers, 2]);
    for (let k = 0; k < 64; k += pace) cloud = step(cloud);
    const squares = (cloud ** 2 / 64).mean(0);
    const fourth = ((cloud ** 4).mean() / 64 ** 2).item();
    // The largest distance between the share of sums below a number and that of a normal
    // distribution.
    const distance = (draw, many) => {
      const sorted = (draw(u.slice([0, many])).sum(0) / Math.sqrt(many)).sort();
      return (special.ndtr(sorted) - linspace(0, 1, sorted.size)).abs().max().item();
    };
    const distances = {};
    for (const [name, draw] of Object.entries(steps)) distances[name] = [await distance(draw, 1), await distance(draw, 64)];
    const widths = await (walks ** 2).mean(1).array();
    return { squares: await squares.array(), fourth: await fourth, distances, widths: [widths[99], widths[399]], counted: await found.counts.sum().item() };
  `;
  const { squares, fourth, distances, widths, counted } = await computed("walks", check);
  // Of a normal distribution of variance 1, the fourth power has a mean of 3.
  for (const square of squares) assert.ok(Math.abs(square - 1) < 0.1, squares.join());
  assert.ok(Math.abs(fourth - 3) < 0.4, `${fourth}`);
  assert.ok(Math.abs(widths[0] / 100 - 1) < 0.15 && Math.abs(widths[1] / 400 - 1) < 0.15, widths.join());
  assert.ok(Math.abs(counted - 0.5) < 1e-5, `${counted}`);
  const { wild, ...others } = distances;
  for (const [name, [one, many]] of Object.entries(others)) assert.ok(one > 0.05 && many < 0.03, `${name}: ${one}, ${many}`);
  assert.ok(wild[1] > 0.1, wild.join());
});
