// Timing of chains. A measurement is the median of rounds, each long enough that the clock's
// resolution and the read at the end do not matter. Several chains take turns, round by round, so
// that other work of the machine slows down all of them.

/**
 * @typedef {object} Chain
 * @property {() => void} [step] Asks for the next step.
 * @property {() => Promise<unknown>} [last] Reads one number that depends on all steps so far.
 * @property {() => Promise<number>} [once] In place of both, where a step is itself a read or an
 * upload: does it, and tells its milliseconds.
 * @property {() => Promise<Float32Array>} sample What the steps so far have come to.
 * @property {() => void} dispose
 */

/** @typedef {{ median: number, least: number, most: number, rounds: number, steps: number }} Times
 * Milliseconds a step. */

/** Steps of a round that would take longer than this are too many. */
const MOST_STEPS = 1 << 16;

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [a = Number.NaN, b = Number.NaN] = [sorted[middle], sorted[middle - 1 + (sorted.length % 2)]];
  return (a + b) / 2;
}

/**
 * A round of so many steps, in milliseconds.
 * @param {Chain} chain
 * @param {number} steps
 */
export async function round({ step, last, once }, steps) {
  let took = 0;
  if (once) {
    for (let n = 0; n < steps; n++) took += await once();
    return took;
  }
  if (!step || !last) throw new Error("a chain has steps and a read at their end");
  const start = performance.now();
  for (let n = 0; n < steps; n++) step();
  await last();
  return performance.now() - start;
}

/**
 * How many steps take `least` milliseconds, if `from` or more do.
 * @param {Chain} chain
 * @param {number} least
 * @param {number} from
 */
async function stepsOf(chain, least, from) {
  // The shorter of two, so that a hiccup is not taken for work.
  const taken = async (/** @type {number} */ steps) => {
    const first = await round(chain, steps);
    return first > 8 * least ? first : Math.min(first, await round(chain, steps));
  };
  let steps = from;
  for (let took = await taken(steps); took < least && steps < MOST_STEPS; took = await taken(steps)) {
    steps = Math.ceil(steps * Math.min(8, Math.max(1.3, (1.1 * least) / took)));
  }
  return steps;
}

/**
 * Chains that take turns; what one fails with is its result, and the others go on.
 * @param {Chain[]} chains
 * @param {{ rounds: number, least: number, pause?: () => void | Promise<void> }} options `least`:
 * milliseconds that a round takes at least; `pause` is called between rounds, and what it throws
 * ends all of it.
 * @returns {Promise<(Times | Error)[]>}
 */
export async function interleaved(chains, { rounds, least, pause = () => {} }) {
  /** @type {{ chain: Chain, steps: number, times: number[], error: Error | null }[]} */
  const all = chains.map((chain) => ({ chain, steps: 1, times: [], error: null }));
  const attempt = async (/** @type {typeof all[number]} */ one, /** @type {() => Promise<void>} */ work) => {
    await pause();
    if (one.error) return;
    try {
      await work();
    } catch (error) {
      one.error = error instanceof Error ? error : new Error(String(error));
    }
  };
  // Again when all have run: a GPU that was at rest is slow at first, so the counts of those that
  // came first are too low.
  for (const one of [...all, ...all]) {
    await attempt(one, async () => {
      one.steps = await stepsOf(one.chain, least, one.steps);
    });
  }
  for (let n = 0; n < rounds; n++) {
    // Another begins each time: what comes after a heavy one finds a warmer machine.
    for (let turn = 0; turn < all.length; turn++) {
      const one = all[(n + turn) % all.length];
      if (one) await attempt(one, async () => void one.times.push((await round(one.chain, one.steps)) / one.steps));
    }
  }
  return all.map(({ error, steps, times }) => error ?? { median: median(times), least: Math.min(...times), most: Math.max(...times), rounds: times.length, steps });
}
