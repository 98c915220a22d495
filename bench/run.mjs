// What does a whole run do? For each workload: compares every library's result with Weft's CPU device's at a small size, then with Weft's
// at the size that is measured, takes the first step's time, and then lets all libraries take turns. All of it is one report.

import { difference, draw } from "./compare.mjs";
import { counted } from "./counts.mjs";
import { Unsupported } from "./libraries/library.mjs";
import { limits } from "./limits.mjs";
import { interleaved } from "./measure.mjs";
import { nameOf, WORKLOADS } from "./workloads.mjs";

/** @typedef {import("./libraries/library.mjs").Library} Library */
/** @typedef {import("./measure.mjs").Chain} Chain */
/** @typedef {import("./workloads.mjs").Workload} Workload */
/** @typedef {"full" | "medium" | "software" | "small"} Size Medium is full without what takes more memory than most GPUs have. */
/** @typedef {{ name: string, library: string, mode: string }} Who */
/** @typedef {Who & { ms: number, least: number, most: number, rounds: number, steps: number, cold: number, rate: number, unit: string, ofLimit: number | null, dispatches: number, submits: number }} Row */
/** @typedef {Who & { error: string, unsupported: boolean }} Failure */
/** @typedef {{ adapter: string, size: Size, libraries: { name: string, version: string }[], limits: import("./limits.mjs").Limits, rows: Row[], failures: Failure[] }} Report */

/** Steps after which results are compared. */
const COMPARED = 3;

/** The name of the library that all others are measured against. */
export const OURS = "Weft";

/**
 * @param {object} options
 * @param {Library[]} options.libraries Weft's on its GPU first.
 * @param {Library} options.reference Weft on its CPU device; it may be of the same module as the first library, and is then gone when that opens.
 * @param {GPU} options.gpu
 * @param {Size} options.size
 * @param {RegExp | undefined} [options.only]
 * @param {import("./limits.mjs").Limits} [options.limits] The machine's, where they are known; measured otherwise.
 * @param {number} [options.rounds]
 * @param {number} [options.least] Milliseconds that a round takes at least.
 * @param {AbortSignal | undefined} [options.signal] Ends the run where it stands.
 * @param {(name: string, done: number, of: number) => void} [options.onBegin]
 * @param {(report: Report, name: string) => void} [options.onEnd] After each workload.
 * @returns {Promise<Report>}
 */
export async function run({ libraries, reference, gpu, size, only, limits: known, rounds = 7, least = size === "small" ? 1 : 50, signal, onBegin = () => {}, onEnd = () => {} }) {
  const chosen = selected(size, only);
  const expected = await references(reference, gpu, chosen, signal);
  /** @type {Report} */
  const report = { adapter: "", size, libraries: [], limits: known ?? (await limits(gpu, { quick: size === "small" || size === "software" })), rows: [], failures: [] };
  /** @type {Library[]} */
  const open = [];
  for (const library of libraries) {
    try {
      const adapter = await library.open(gpu);
      if (library.name === OURS) report.adapter = adapter;
      report.libraries.push({ name: library.name, version: library.version });
      open.push(library);
    } catch (error) {
      report.failures.push({ name: "all of it", library: library.name, mode: "", ...told(error) });
    }
  }
  for (const [n, { workload, sizes, name }] of chosen.entries()) {
    signal?.throwIfAborted();
    onBegin(name, n, chosen.length);
    const most = report.limits;
    const contestants = open
      .filter(({ name, kinds }) => (name === OURS || !workload.alone) && (kinds?.includes(workload.kind) ?? true))
      .flatMap((library) => library.modes.map((mode) => ({ library, mode })));
    await measured(workload, sizes, name, contestants, expected[n] ?? null, { rounds, least, most, signal, report });
    onEnd(report, name);
  }
  return report;
}

/** @type {(size: Size, only?: RegExp) => { workload: Workload, sizes: number[], name: string }[]} */
export function selected(size, only) {
  const sized = WORKLOADS.flatMap((workload) => {
    if (size === "medium" && workload.huge) return [];
    const sizes = size === "medium" ? workload.full : workload[size];
    return sizes ? [{ workload, sizes, name: nameOf(workload, sizes) }] : [];
  });
  // Where sizes are small, some entries are others'; of those, one that the peers are in.
  const same = (/** @type {string} */ name) => sized.filter((other) => other.name === name);
  const distinct = sized.filter((one) => one === (same(one.name).find(({ workload }) => !workload.alone) ?? same(one.name)[0]));
  return distinct.filter(({ name }) => !only || only.test(name));
}

/** @type {(library: Library, gpu: GPU, chosen: { workload: Workload }[], signal: AbortSignal | undefined) => Promise<(Float32Array | Error)[]>} */
async function references(library, gpu, chosen, signal) {
  await library.open(gpu);
  const results = [];
  for (const { workload } of chosen) {
    signal?.throwIfAborted();
    results.push(await outcome(() => library.chain(workload.kind, draw(workload.inputs(workload.small)), { size: workload.small, axes: workload.axes, captured: true })));
  }
  return results;
}

/** What a chain comes to after some steps, which take this long to begin with; it is not needed any more then. */
async function outcome(/** @type {() => Chain} */ make) {
  try {
    const chain = make();
    try {
      return await result(chain);
    } finally {
      chain.dispose();
    }
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function result(/** @type {Chain} */ { step, sample }) {
  if (step) for (let n = 0; n < COMPARED; n++) step();
  return sample();
}

/**
 * @param {Workload} workload
 * @param {number[]} size
 * @param {string} name
 * @param {{ library: Library, mode: "captured" | "eager" }[]} contestants
 * @param {Float32Array | Error | null} expected At the small size, from Weft's CPU device.
 * @param {{ rounds: number, least: number, most: import("./limits.mjs").Limits, signal: AbortSignal | undefined, report: Report }} options
 */
async function measured(workload, size, name, contestants, expected, { rounds, least, most, signal, report }) {
  const { kind, axes, small, limit, amount } = workload;
  const [little, given] = [draw(workload.inputs(small)), draw(workload.inputs(size))];
  /** @type {{ who: Who, chain: Chain, cold: number, counts: import("./counts.mjs").Counts }[]} */
  const ready = [];
  /** @type {Float32Array | null} */
  let ours = null;
  for (const { library, mode } of contestants) {
    signal?.throwIfAborted();
    const who = { name, library: library.name, mode };
    const captured = mode === "captured";
    /** @type {Chain | undefined} */
    let chain;
    try {
      const got = await outcome(() => library.chain(kind, little, { size: small, axes, captured }));
      if (got instanceof Error) throw got;
      if (expected instanceof Error) throw new Error(`Weft's CPU device: ${expected.message}`);
      agree(got, expected, "Weft's CPU device");
      const start = performance.now();
      const made = (chain = library.chain(kind, given, { size, axes, captured }));
      const { step, last } = made;
      if (step && last) (step(), await last());
      const cold = performance.now() - start;
      if (step) for (let n = 1; n < COMPARED; n++) step();
      const sample = await made.sample();
      ours ??= sample;
      agree(sample, ours, OURS);
      ready.push({ who, chain: made, cold, counts: await countsOf(made) });
    } catch (error) {
      report.failures.push({ ...who, ...told(error) });
      chain?.dispose();
    }
  }
  const pause = async () => {
    // A page shows what there is, and hears that it is to stop.
    await new Promise((resolve) => setTimeout(resolve));
    signal?.throwIfAborted();
  };
  try {
    const times = await interleaved(ready.map(({ chain }) => chain), { rounds, least, pause });
    times.forEach((time, n) => {
      const { who, cold, counts } = /** @type {typeof ready[number]} */ (ready[n]);
      if (time instanceof Error) return report.failures.push({ ...who, ...told(time) });
      const rate = (amount(size) * 1000) / time.median;
      const unit = limit === null ? "steps/s" : limit === "copy" ? "B/s" : "op/s";
      const { median: ms, least, most: longest, rounds, steps } = time;
      return report.rows.push({ ...who, ms, least, most: longest, rounds, steps, cold, rate, unit, ofLimit: limit && rate / most[limit], ...counts });
    });
  } finally {
    for (const { chain } of ready) chain.dispose();
  }
}

/** What a step takes: one with a read, without the read. */
async function countsOf(/** @type {Chain} */ { step, last, once }) {
  if (!step || !last) return counted(async () => void (await once?.()));
  const after = (/** @type {number} */ steps) => counted(async () => (Array.from({ length: steps }, step), void (await last())));
  const [one, three] = [await after(1), await after(3)];
  return { dispatches: (three.dispatches - one.dispatches) / 2, submits: (three.submits - one.submits) / 2 };
}

/** @type {(got: Float32Array, expected: Float32Array | null, other: string) => void} */
function agree(got, expected, other) {
  const differs = expected && difference(got, expected, other);
  if (differs) throw new Error(differs);
}

/** @type {(error: unknown) => { error: string, unsupported: boolean }} */
const told = (error) => ({ error: error instanceof Error ? error.message : String(error), unsupported: error instanceof Unsupported });
