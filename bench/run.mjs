// A whole run of the benchmark. For each workload it compares every library's result with that of
// Weft's CPU device at a small size, then with Weft's at the measured size, times the first step,
// and then lets all libraries take turns. All of it is one report.

import { difference, draw } from "./compare.mjs";
import { counted } from "./counts.mjs";
import { Unsupported } from "./libraries/library.mjs";
import { limits } from "./limits.mjs";
import { interleaved, median, round } from "./measure.mjs";
import { nameOf, WORKLOADS } from "./workloads.mjs";

/** @typedef {import("./libraries/library.mjs").Library} Library */
/** @typedef {import("./measure.mjs").Chain} Chain */
/** @typedef {import("./workloads.mjs").Workload} Workload */
/** @typedef {"full" | "medium" | "software" | "small"} Size Medium is full without what takes more
 * memory than most GPUs have. */
/** @typedef {{ name: string, library: string, mode: string }} Who */
/** @typedef {Who & { ms: number, least: number, most: number, rounds: number, steps: number, cold: number, rate: number, unit: string, ofLimit: number | null, dispatches: number, submits: number }} Row */
/** @typedef {Who & { error: string, unsupported: boolean }} Failure */
/** @typedef {{ adapter: string, size: Size, libraries: { name: string, version: string }[], limits: import("./limits.mjs").Limits, rows: Row[], failures: Failure[] }} Report */

/** Steps after which results are compared. */
const COMPARED = 3;
/** Who takes longer for a step, in milliseconds, is not asked for more: those steps that were
 * compared are its rounds. */
const PATIENCE = 2000;

/** The name of the library that all others are measured against. */
export const OURS = "Weft";

/**
 * @param {object} options
 * @param {Library[]} options.libraries Weft's on its GPU first.
 * @param {Library} options.reference Weft on its CPU device; it may be of the same module as the
 * first library, and is then gone when that opens.
 * @param {GPU} options.gpu
 * @param {Size} options.size
 * @param {RegExp | undefined} [options.only]
 * @param {import("./limits.mjs").Limits} [options.limits] The machine's, where they are known;
 * measured otherwise.
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
      report.failures.push({ name: "all of it", library: library.name, mode: "", ...reason(error) });
    }
  }
  for (const [n, { workload, sizes, name }] of chosen.entries()) {
    signal?.throwIfAborted();
    onBegin(name, n, chosen.length);
    const most = report.limits;
    const contestants = open
      .filter(({ name, kinds, isWeft }) => (name === OURS || isWeft || !workload.alone) && (kinds?.includes(workload.kind) ?? true))
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
    await breath(signal);
    results.push(await outcome(() => library.chain(workload.kind, draw(workload.inputs(workload.small)), { size: workload.small, axes: workload.axes, captured: true })));
  }
  return results;
}

/** What a chain comes to after some steps; it is not needed any more then. */
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
  const inputs = { little: draw(workload.inputs(small)), given: draw(workload.inputs(size)) };
  /** @type {(who: Who, times: import("./measure.mjs").Times, first: First) => void} */
  const keep = (who, { median: ms, least, most: longest, rounds, steps }, { cold, counts }) => {
    const rate = (amount(size) * 1000) / ms;
    const unit = limit === null ? "steps/s" : limit === "copy" ? "B/s" : "op/s";
    report.rows.push({ ...who, ms, least, most: longest, rounds, steps, cold, rate, unit, ofLimit: limit && rate / most[limit], ...counts });
  };
  /** @type {{ who: Who, chain: Chain, first: First }[]} */
  const ready = [];
  // Kernels that served first are not what is measured.
  const settled = () => Promise.all(contestants.map(({ library }) => library.settle?.()));
  /** @type {Float32Array | null} */
  let ours = null;
  try {
    for (const { library, mode } of contestants) {
      await breath(signal);
      const who = { name, library: library.name, mode };
      const captured = mode === "captured";
      /** @type {Chain | undefined} */
      let chain;
      try {
        agree(await outcome(() => library.chain(kind, inputs.little, { size: small, axes, captured })), expected, "Weft's CPU device");
        const first = await begun(() => (chain = library.chain(kind, inputs.given, { size, axes, captured })));
        ours ??= first.sample;
        agree(first.sample, ours, OURS);
        const { warm } = first;
        if (chain && (warm.length === 0 || Math.min(...warm) <= PATIENCE)) ready.push({ who, chain, first });
        else {
          keep(who, { median: median(warm), least: Math.min(...warm), most: Math.max(...warm), rounds: warm.length, steps: 1 }, first);
          chain?.dispose();
        }
      } catch (error) {
        report.failures.push({ ...who, ...reason(error) });
        chain?.dispose();
      }
    }
    await settled();
    const times = await interleaved(ready.map(({ chain }) => chain), { rounds, least, pause: () => breath(signal) });
    for (const [n, { who, first }] of ready.entries()) {
      const time = times[n];
      if (time instanceof Error || !time) report.failures.push({ ...who, ...reason(time) });
      else keep(who, time, first);
    }
  } finally {
    for (const { chain } of ready) chain.dispose();
  }
}

/** @typedef {{ cold: number, warm: number[], sample: Float32Array, counts: import("./counts.mjs").Counts }} First
 * What the first steps took, and came to. */

/** @type {(make: () => Chain) => Promise<First>} */
async function begun(make) {
  const start = performance.now();
  const chain = make();
  if (chain.step) await round(chain, 1);
  const cold = performance.now() - start;
  /** @type {number[]} */
  const warm = [];
  const counts = await counted(async () => {
    if (chain.step) for (let n = 1; n < COMPARED; n++) warm.push(await round(chain, 1));
  });
  const sample = await chain.sample();
  if (warm.length > 0 && Math.min(...warm) > PATIENCE) return { cold, warm, sample, counts: { dispatches: counts.dispatches / warm.length, submits: counts.submits / warm.length } };
  return { cold, warm, sample, counts: await countsOf(chain) };
}

/** A page shows what there is, and hears that it is to stop. */
async function breath(/** @type {AbortSignal | undefined} */ signal) {
  await new Promise((resolve) => setTimeout(resolve));
  signal?.throwIfAborted();
}

/** What a step takes: one with a read, without the read. */
async function countsOf(/** @type {Chain} */ { step, last, once }) {
  if (!step || !last) return counted(async () => void (await once?.()));
  const after = (/** @type {number} */ steps) => counted(async () => (Array.from({ length: steps }, step), void (await last())));
  const [one, three] = [await after(1), await after(3)];
  return { dispatches: (three.dispatches - one.dispatches) / 2, submits: (three.submits - one.submits) / 2 };
}

/** @type {(got: Float32Array | Error, expected: Float32Array | Error | null, other: string) => void} */
function agree(got, expected, other) {
  if (got instanceof Error) throw got;
  if (expected instanceof Error) throw new Error(`${other}: ${expected.message}`);
  const differs = expected && difference(got, expected, other);
  if (differs) throw new Error(differs);
}

/** @type {(error: unknown) => { error: string, unsupported: boolean }} */
const reason = (error) => ({ error: error instanceof Error ? error.message : String(error), unsupported: error instanceof Unsupported });
