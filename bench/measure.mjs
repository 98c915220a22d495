// How long does a chain take? Rounds of so many steps that the clock and the read at the end do not count, and their median.

/** @typedef {{ median: number, least: number, most: number, steps: number, cold: number }} Times Milliseconds a step; `cold` is the first one with its read. */

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [a = Number.NaN, b = Number.NaN] = [sorted[middle], sorted[middle - 1 + (sorted.length % 2)]];
  return (a + b) / 2;
}

/**
 * @param {() => import("./workloads.mjs").Chain} make
 * @param {{ rounds: number, least: number }} options `least`: milliseconds that a round takes at least.
 * @returns {Promise<Times>}
 */
export async function measure(make, { rounds, least }) {
  const start = performance.now();
  const { step, last } = make();
  step();
  await last();
  const cold = performance.now() - start;
  const round = async (/** @type {number} */ steps) => {
    const start = performance.now();
    for (let n = 0; n < steps; n++) step();
    await last();
    return performance.now() - start;
  };
  // The shorter of two, lest a hiccup be taken for work.
  const taken = async (/** @type {number} */ steps) => Math.min(await round(steps), await round(steps));
  let steps = 1;
  for (let took = await taken(1); took < least && steps < 1 << 16; took = await taken(steps)) {
    steps = Math.ceil(steps * Math.min(8, Math.max(1.3, (1.1 * least) / took)));
  }
  const times = [];
  for (let n = 0; n < rounds; n++) times.push((await round(steps)) / steps);
  return { median: median(times), least: Math.min(...times), most: Math.max(...times), steps, cold };
}
