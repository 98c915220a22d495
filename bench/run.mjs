// What does a whole run do? Compares each workload's result on the GPU with the CPU device's at its small size, measures the machine's
// limits, then times the workloads one after another, and gives all of it as one report.

import { limits } from "./limits.mjs";
import { measure } from "./measure.mjs";
import { WORKLOADS } from "./workloads.mjs";

/** @typedef {import("./workloads.mjs").Weft} Weft */
/** @typedef {{ name: string, ms: number, least: number, most: number, cold: number, steps: number, rate: number | null, unit: string, ofLimit: number | null, dispatches: number, submits: number }} Row */
/** @typedef {{ name: string, error: string }} Failure */
/** @typedef {{ adapter: string, limits: import("./limits.mjs").Limits, rows: Row[], failures: Failure[] }} Report */

/** How far results may lie apart: sums are added in another order. */
const TOLERANCE = 1e-3;
/** Steps after which results are compared. */
const COMPARED = 3;

/**
 * @param {{ weft: Weft, gpu: GPU, only?: RegExp | undefined, quick?: boolean, rounds?: number, log?: (line: string) => void }} options
 * `quick` measures the small sizes, for trying the benchmark itself.
 * @returns {Promise<Report>}
 */
export async function run({ weft, gpu, only, quick = false, rounds = 7, log = () => {} }) {
  const chosen = WORKLOADS.filter(({ name }) => !only || only.test(name));
  const least = quick ? 1 : 50;
  /** @type {Failure[]} */
  const failures = [];
  const results = async () => {
    /** @type {(number | null)[]} */
    const values = [];
    for (const { name, make, small } of chosen) {
      try {
        weft.random.seed(7);
        const { step, check } = make(weft, small);
        for (let n = 0; n < COMPARED; n++) step();
        values.push(await check());
      } catch (error) {
        failures.push({ name, error: String(error) });
        values.push(null);
      }
    }
    return values;
  };
  await weft.init({ device: "cpu" });
  const expected = await results();
  const { adapter } = await weft.init({ device: "webgpu", gpu: /** @type {never} */ (gpu) });
  const got = await results();
  chosen.forEach(({ name }, n) => {
    const [a, b] = [got[n] ?? null, expected[n] ?? null];
    if (a !== null && b !== null && !(Math.abs(a - b) <= TOLERANCE * (0.1 + Math.abs(b)))) {
      failures.push({ name, error: `the GPU computes ${a}, the CPU device ${b}` });
    }
  });

  const most = await limits(gpu, { quick });
  /** @type {Row[]} */
  const rows = [];
  for (const { name, limit, amount, full, small, make } of chosen) {
    if (failures.some((failure) => failure.name === name)) continue;
    try {
      weft.random.seed(7);
      const size = quick ? small : full;
      const before = { ...weft.stats() };
      const chain = make(weft, size);
      let steps = 0;
      const counted = { ...chain, step: () => (steps++, chain.step()) };
      const times = await measure(() => counted, { rounds, least });
      const after = weft.stats();
      const rate = limit === null ? null : (amount(size) * 1000) / times.median;
      rows.push({
        name,
        ms: times.median,
        least: times.least,
        most: times.most,
        cold: times.cold,
        steps: times.steps,
        rate: rate ?? 1000 / times.median,
        unit: limit === null ? "steps/s" : limit === "copy" ? "B/s" : "op/s",
        ofLimit: limit === null || rate === null ? null : rate / most[limit],
        dispatches: (after.dispatches - before.dispatches) / steps,
        submits: (after.submits - before.submits) / steps,
      });
      log(line(rows[rows.length - 1]));
    } catch (error) {
      failures.push({ name, error: String(error) });
    }
  }
  return { adapter: `${adapter?.vendor ?? ""} ${adapter?.architecture ?? ""} ${adapter?.description ?? ""}`.trim(), limits: most, rows, failures };
}

/** @param {number} value */
const short = (value) => (value >= 1e12 ? `${(value / 1e12).toFixed(2)} T` : value >= 1e9 ? `${(value / 1e9).toFixed(1)} G` : value >= 1e6 ? `${(value / 1e6).toFixed(1)} M` : `${value.toFixed(1)} `);

/** @param {Row | undefined} row */
function line(row) {
  if (!row) return "";
  const spread = `${row.least.toFixed(4)}–${row.most.toFixed(4)}`;
  const share = row.ofLimit === null ? "" : `${(100 * row.ofLimit).toFixed(1)} %`;
  return [
    row.name.padEnd(30),
    row.ms.toFixed(4).padStart(10),
    spread.padStart(18),
    (short(row.rate ?? 0) + row.unit).padStart(15),
    share.padStart(8),
    row.cold.toFixed(0).padStart(7),
    row.dispatches.toFixed(1).padStart(6),
    row.submits.toFixed(2).padStart(6),
  ].join(" ");
}

/**
 * The report as a table.
 * @param {Report} report
 */
export function table({ adapter, limits, rows, failures }) {
  const head = ["workload".padEnd(30), "ms".padStart(10), "least–most".padStart(18), "rate".padStart(15), "limit".padStart(8), "cold ms", "disp.", "subm."].join(" ");
  return [
    `${adapter || "an adapter without a name"}: copy ${short(limits.copy)}B/s, fma ${short(limits.fma)}op/s, a dispatch ${(1000 * limits.dispatch).toFixed(1)} µs, a submit ${(1000 * limits.submit).toFixed(1)} µs, a read ${limits.read.toFixed(2)} ms`,
    head,
    ...rows.map(line),
    ...failures.map(({ name, error }) => `${name}: ${error}`),
  ].join("\n");
}
