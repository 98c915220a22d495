// Report as text: a line for each library at each workload, with its time as a multiple of Weft's,
// and at the end a summary over all workloads.

import { OURS } from "./run.mjs";

/** @typedef {import("./run.mjs").Report} Report */
/** @typedef {import("./run.mjs").Row} Row */

/** @param {number} value */
export const short = (value) => (value >= 1e12 ? `${(value / 1e12).toFixed(2)} T` : value >= 1e9 ? `${(value / 1e9).toFixed(1)} G` : value >= 1e6 ? `${(value / 1e6).toFixed(1)} M` : `${value.toFixed(1)} `);

/** The quickest way in which Weft did a workload. */
export const oursOf = (/** @type {Report} */ { rows }, /** @type {string} */ name) => rows.filter((row) => row.library === OURS && row.name === name).sort((a, b) => a.ms - b.ms)[0];

/** How many times as long as Weft a row took. */
export const timesOf = (/** @type {Report} */ report, /** @type {Row} */ row) => {
  const ours = oursOf(report, row.name);
  return ours && row.library !== OURS ? row.ms / ours.ms : null;
};

/**
 * Over all workloads that a library did: the geometric mean of how many times as long as Weft it
 * took at its best, the least of them, and where that was.
 * @param {Report} report
 * @param {string} library
 */
export function against(report, library) {
  const names = [...new Set(report.rows.filter((row) => row.library === library).map(({ name }) => name))];
  const ratios = names.flatMap((name) => {
    const ours = oursOf(report, name);
    const theirs = Math.min(...report.rows.filter((row) => row.library === library && row.name === name).map(({ ms }) => ms));
    return ours ? [{ name, times: theirs / ours.ms }] : [];
  });
  ratios.sort((a, b) => a.times - b.times);
  const mean = Math.exp(ratios.reduce((sum, { times }) => sum + Math.log(times), 0) / ratios.length);
  return { mean, least: ratios[0], behind: ratios.filter(({ times }) => times < 1), of: ratios.length };
}

/** @type {(report: Report, row: Row) => string} */
function line(report, row) {
  const times = timesOf(report, row);
  return [
    `  ${row.library}, ${row.mode}`.padEnd(26),
    row.ms.toFixed(4).padStart(11),
    `${row.least.toFixed(4)}–${row.most.toFixed(4)}`.padStart(22),
    (short(row.rate) + row.unit).padStart(15),
    (row.ofLimit === null ? "" : `${(100 * row.ofLimit).toFixed(1)} %`).padStart(8),
    row.cold.toFixed(0).padStart(8),
    row.dispatches.toFixed(1).padStart(6),
    row.submits.toFixed(1).padStart(6),
    (times === null ? "" : `${times.toFixed(2)}×`).padStart(8),
    row.rounds < 7 ? `  (${row.rounds} rounds: each is long)` : "",
  ].join(" ").trimEnd();
}

/** The rows of one workload. */
export const lines = (/** @type {Report} */ report, /** @type {string} */ name) => [
  name,
  ...report.rows.filter((row) => row.name === name).map((row) => line(report, row)),
  ...report.failures.filter((failure) => failure.name === name).map(({ library, mode, error, unsupported }) => `  ${[library, mode].filter(Boolean).join(", ")}: ${unsupported ? "unsupported: " : ""}${error}`),
];

export const head = [" ".repeat(26), "ms".padStart(11), "least–most".padStart(22), "rate".padStart(15), "limit".padStart(8), "first ms", " disp.", " subm.", " to Weft"].join(" ");

/** @param {Report} report */
export function table(report) {
  const { adapter, limits, rows, failures } = report;
  const names = [...new Set([...rows, ...failures].map(({ name }) => name))];
  const peers = [...new Set(rows.map(({ library }) => library))].filter((library) => library !== OURS);
  return [
    `${adapter || "an adapter without a name"}: copy ${short(limits.copy)}B/s, fma ${short(limits.fma)}op/s, a dispatch ${(1000 * limits.dispatch).toFixed(1)} µs, a submit ${(1000 * limits.submit).toFixed(1)} µs, a read ${limits.read.toFixed(2)} ms`,
    head,
    ...names.flatMap((name) => lines(report, name)),
    ...peers.map((library) => {
      const { mean, least, behind, of } = against(report, library);
      return `Weft is ${mean.toFixed(2)} times as fast as ${library} over ${of} workloads (geometric mean), ${least ? `${least.times.toFixed(2)} at ${least.name}` : ""}${behind.length > 1 ? `; behind at ${behind.map(({ name }) => name).join(", ")}` : ""}`;
    }),
  ].join("\n");
}
