// The simulations of the gallery compute what they say. Each notebook runs at its small size on the
// CPU device, with one more cell that measures what theory knows: sums done one by one, what is
// conserved, derivatives by differences.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { after, afterEach, before } from "../../lib/test.mjs";
import { Playground, runAll } from "../../lib/playground.mjs";
import { assertListed, ONE_IN, SIMULATED } from "../../lib/compared.mjs";
import { rotating, share } from "../../lib/rotation.mjs";

const test = rotating(ONE_IN);
/** Notebooks that have run as they are.
 * @type {Set<string>} */
const ran = new Set();

const folder = fileURLToPath(new URL("../../../notebooks/", import.meta.url));

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(async () => {
  await playground.stop();
  if (process.env["WEFT_TIER"] !== "full") assertListed("SIMULATED", SIMULATED, test.cases(), ran);
});
afterEach(() => playground.assertQuiet());

/**
 * What a cell at the end of a notebook leaves in `found`, where the notebook may have `other`
 * instead of `one`.
 * @param {string} name
 * @param {string} code
 * @param {[one: string, other: string]} [instead]
 * @returns {Promise<any>}
 */
async function measured(name, code, [one, other] = ["", ""]) {
  const written = await readFile(`${folder}${name}.md`, "utf8");
  assert.ok(written.includes(one), one);
  const text = written.replace(one, other);
  const page = await playground.open(`${text}\n\`\`\`js\n{\nlet found;\n${code}\nprint(JSON.stringify(found));\n}\n\`\`\`\n`, { query: "?device=cpu" });
  const { cells } = await runAll(page);
  assert.deepEqual(cells.flatMap(({ cell, status, error }) => (status === "done" ? [] : [`${cell} ${status}: ${error?.message}`])), []);
  if (text === written) ran.add(name);
  await page.context().close();
  return JSON.parse(cells.at(-1)?.text ?? "");
}

/** @param {number} value @param {number} most @param {string} what */
const below = (value, most, what) => assert.ok(value < most, `${what}: ${value} is not below ${most}`);

test("N-body: the pull on all stars is the direct sum and the slope of the potential; energy and momentum stay", async () => {
  const { apart, slope, largest, energies, momenta } = await measured("nbody", `
    const { place, speed, mass } = star(1.2, 60);
    const [at, m, pulled] = await Promise.all([place, mass, pulls(place, place, mass)].map((t) => t.array()));
    let [apart, largest] = [0, 0];
    for (let i = 0; i < count; i += 5) for (let k = 0; k < 3; k++) {
      let sum = 0;
      for (let j = 0; j < count; j++) {
        const [x, y, z] = at[j].map((v, k) => v - at[i][k]);
        sum += m[j][0] * (at[j][k] - at[i][k]) / (x * x + y * y + z * z + soft * soft) ** 1.5;
      }
      apart = Math.max(apart, Math.abs(sum - pulled[i][k]));
      largest = Math.max(largest, Math.abs(sum));
    }
    const slopes = vmap(grad(depth), [0, null, null])(place, place, mass);
    const slope = await slopes.add(tensor(pulled)).abs().max().item();
    let now = { place, speed };
    const all = async () => [(await energy(now.place, now.speed, mass).array())[2], await mass.mul(now.speed).sum(0).array()];
    const before = await all();
    for (let n = 0; n < 300; n++) now = step(now.place, now.speed, mass, 0.008);
    const after = await all();
    found = { apart, slope, largest, energies: [before[0], after[0]], momenta: [before[1], after[1]] };`);
  below(apart / largest, 1e-5, "the direct sum");
  below(slope / largest, 1e-5, "the slope");
  below(Math.abs(energies[1] / energies[0] - 1), 0.01, "energy");
  for (let k = 0; k < 3; k++) below(Math.abs(momenta[1][k] - momenta[0][k]), 1e-5, "momentum");
});

test("water: every particle is in one list, pressure keeps the momentum, and the nearest particle is in front", async () => {
  const { listed, moved, momentum, pixels, differ } = await measured("water", `
    // A drop in mid-air, away from the walls, without gravity.
    const some = 60;
    const place = kernel((i) => [X / 2 + 1.6 * rand(i, 7) - 0.8, Y / 2 + 1.6 * rand(i, 8) - 0.8, Z / 2 + 1.6 * rand(i, 9) - 0.8], { shape: [some] })();
    const { taken, list } = enter(place);
    const [n, places] = [await taken.data(), await list.data()];
    const listed = [...n].flatMap((many, cell) => [...places.slice(cell * ROOM, cell * ROOM + many)]).sort((a, b) => a - b);
    let [now, speed] = [place, zeros([some, 3])];
    for (let k = 0; k < 4; k++) {
      const cells = enter(now);
      ({ place: now, speed } = move(now, speed, density(now, cells.taken, cells.list), cells.taken, cells.list, 0, 0, 0.004));
    }
    const moved = await speed.abs().sum().item();
    const momentum = await speed.sum(0).abs().max().item();
    const [at, front] = [await place.array(), await rasterize(place, 0.4, 0.1).front.array()];
    let [pixels, differ] = [0, 0];
    for (let a = 0; a < high; a++) for (let b = 0; b < wide; b++) {
      let [nearest, best] = [-1, Infinity];
      at.forEach(([x, y, z], i) => {
        const [row, column, far, zoom] = project(x, y, z, 0.4, 0.1);
        const bulge = 1 - ((a - row) ** 2 + (b - column) ** 2) / (0.45 * zoom) ** 2;
        const depth = far - 0.45 * Math.sqrt(Math.max(0, bulge));
        if (bulge > 0 && depth < best) [nearest, best] = [i, depth];
      });
      const shown = front[a][b] === 4294967295 ? -1 : front[a][b] & 65535;
      if (nearest >= 0 || shown >= 0) pixels++;
      if (nearest !== shown) differ++;
    }
    found = { listed, moved, momentum, pixels, differ };`);
  assert.deepEqual(listed, Array.from({ length: 60 }, (_, i) => i));
  assert.ok(moved > 1, `the drop spreads: ${moved}`);
  below(momentum / moved, 1e-5, "momentum");
  assert.ok(pixels > 50, `the drop is seen: ${pixels} pixels`);
  // Depths are rounded, and so are edges.
  below(differ / pixels, 0.02, "pixels that show another particle");
});

test("waves: a room keeps the energy of a wave, and its walls stand still", async () => {
  const { energies, inWalls } = await measured("waves", `
    const drop = kernel((wall, i, j) => wall.at(i, j) > 0 ? 0 : Math.exp(-0.05 * ((i - high / 2) ** 2 + (j - wide / 4) ** 2)))(wall);
    let [now, was] = [drop, drop];
    const walls = await wall.array();
    // What leapfrog steps keep: the kinetic energy, and the product of the slopes before and after.
    const energy = async () => {
      const [a, b] = [await now.array(), await was.array()];
      let sum = 0;
      for (let i = 0; i < high; i++) for (let j = 0; j < wide; j++) {
        if (walls[i][j] > 0) continue;
        sum += (a[i][j] - b[i][j]) ** 2 / 2;
        for (const [y, x] of [[i + 1, j], [i, j + 1]]) {
          if (y < high && x < wide && walls[y][x] === 0) sum += 0.125 * (a[y][x] - a[i][j]) * (b[y][x] - b[i][j]);
        }
      }
      return sum;
    };
    const energies = [await energy()];
    for (let k = 0; k < 3; k++) {
      for (let n = 0; n < 40; n++) ({ u: now, before: was } = wave(now, was, wall, ones([high, wide]), zeros([high, wide]), ones([high, wide]), 0, 0, 0, 0));
      energies.push(await energy());
    }
    found = { energies, inWalls: await now.mul(wall).abs().max().item() };`, ['select("scene", scenes)', 'select("scene", scenes, { value: "two rooms and a door" })']);
  for (const energy of energies) below(Math.abs(energy / energies[0] - 1), 1e-3, "energy");
  assert.equal(inWalls, 0);
});

/** Rows and columns, odd and even. */
const GRIDS = [[45, 77], [33, 50], [63, 31], [64, 96]];

test("fluid: on grids of any size the pressure is found, and the water stays what it was", async () => {
  const grids = await measured("fluid", `
    found = [];
    for (const shape of ${JSON.stringify(share(GRIDS, 2, ONE_IN))}) {
      const noise = random.normal(random.key(1), shape);
      const f = noise.sub(noise.mean());
      let p = zeros(shape);
      const left = async () => await residual(p, f).square().mean().sqrt().item();
      const before = await left();
      for (let n = 0; n < 10; n++) p = solve(p, f);
      const dye = random.uniform(random.key(2), shape);
      let water = { vy: zeros(shape), vx: zeros(shape), red: dye, green: dye, blue: dye, p: zeros(shape) };
      for (let n = 0; n < 60; n++) water = step(water, shape[0] * (0.5 + 0.3 * Math.sin(n / 9)), shape[1] / 2, 3 * Math.cos(n / 9), 3 * Math.sin(n / 7), [0, 0, 0]);
      const ends = await Promise.all([water.red.min(), water.red.max(), water.vy.abs().max(), water.vx.abs().max()].map((t) => t.item()));
      found.push({ shape, falls: (await left()) / before, ends });
    }`);
  for (const { shape, falls, ends: [low, high, down, across] } of grids) {
    below(falls, 0.02, `what is left of the equation on [${shape}]`);
    assert.ok(low >= 0 && high <= 1, `colours from ${low} to ${high} on [${shape}]`);
    below(Math.max(down, across), 20, `the speed on [${shape}]`);
  }
});

test("Poisson: residuals fall, of multigrid by a factor at each cycle, and both ways lead to one solution", async () => {
  const { cycles, sweeps, apart, largest } = await measured("poisson", `
    const f = charges(3);
    let [p, q] = [zeros([high, wide]), zeros([high, wide])];
    const [cycles, sweeps] = [[await rest(q, f).item()], [await rest(p, f).item()]];
    for (let n = 0; n < 5; n++) cycles.push(await rest((q = cycle(q, f)), f).item());
    for (let n = 0; n < 5; n++) {
      for (let k = 0; k < 8; k++) p = sweep(p, f);
      sweeps.push(await rest(p, f).item());
    }
    for (let k = 0; k < 120; k++) p = sweep(p, f, 1.85);
    found = { cycles, sweeps, apart: await p.sub(q).abs().max().item(), largest: await q.abs().max().item() };`);
  for (let n = 1; n < cycles.length; n++) {
    below(cycles[n] / cycles[n - 1], 0.3, `cycle ${n}`);
    below(sweeps[n] / sweeps[n - 1], 1, `sweeps ${n}`);
  }
  below(cycles[5], sweeps[5] / 100, "multigrid beside red and black");
  below(apart / largest, 1e-3, "the solutions");
});

test("Buddhabrot: no mark is lost", async () => {
  const { marked, counted } = await measured("buddhabrot", `
    const f = Math.fround;
    const marked = await orbits(60, 0.3, 5).marks.sum().item();
    let counted = 0;
    for (let i = 0; i < points; i++) {
      const [cx, cy] = [f(f(4 * rand(i, 5, 0)) - 2), f(f(4 * rand(i, 5, 1)) - 2)];
      const path = [];
      for (let [x, y] = [0, 0]; path.length < 60 && x * x + y * y < 16; path.push([x, y])) [x, y] = [f(f(f(x * x) - f(y * y)) + cx), f(f(f(2 * x) * y) + cy)];
      if (path.length === 60) continue;
      for (const [x, y] of path) {
        const row = Math.floor(((Math.cos(0.3) * x + Math.sin(0.3) * cx + 0.45) / 3 + 0.5) * side);
        const column = Math.floor((y / 3 + 0.5) * side);
        if (row >= 0 && row < side && column >= 0 && column < side) counted++;
      }
    }
    found = { marked, counted };`);
  assert.ok(counted > 1_000, `${counted} marks`);
  // A mark at the very edge of the picture may be rounded to the other side of it.
  below(Math.abs(marked / counted - 1), 0.002, `${marked} marks instead of ${counted}`);
});

test("path tracer: normals are slopes by differences, rays end at the surface, and still frames add up to their mean", async () => {
  const { hits, differences, farthest, apart } = await measured("pathtracer", `
    const { from, toward } = rays(0.4, 0.35, 1.25, 1);
    const { place, hit } = march(from, toward);
    const [p, n, h] = [await place.data(), await normals(place).data(), await hit.data()];
    const differences = [];
    let farthest = 0;
    for (let k = 0; k < h.length; k++) {
      if (h[k] === 0) continue;
      const at = [...p.slice(3 * k, 3 * k + 3)];
      farthest = Math.max(farthest, Math.abs(distance(...at)));
      const slope = [0, 1, 2].map((axis) => {
        const beside = (by) => distance(...at.map((x, k) => (k === axis ? x + by : x)));
        return (beside(1e-7) - beside(-1e-7)) / 2e-7;
      });
      const length = Math.hypot(...slope);
      differences.push(Math.hypot(...slope.map((x, axis) => x / length - n[3 * k + axis])));
    }
    const lights = [];
    let film = { light: zeros([high, wide, 3]), count: zeros([high, wide]), depth: zeros([high, wide]) };
    for (let frame = 0; frame < 3; frame++) {
      const ray = rays(0.4, 0.35, 1.25, frame);
      const { light, place } = trace(ray.from, ray.toward, 0.6, frame, 0);
      lights.push(light);
      film = remember(light, place, film.light, film.count, film.depth, 0.4, 0.35, 1.25, false);
    }
    const mean = lights[0].add(lights[1]).add(lights[2]).div(3);
    found = { hits: differences.length, differences: differences.sort((a, b) => a - b), farthest, apart: await mean.sub(film.light).abs().max().item() };`);
  assert.ok(hits > 100, `${hits} rays hit`);
  // Where the fractal is finest, f32 has few digits left.
  below(differences[Math.floor(0.9 * hits)], 1e-3, "nine of ten normals");
  below(farthest, 0.01, "the distance at a hit");
  below(apart, 1e-5, "the mean");
});
