// Dawn's polls of a software adapter in Node.js. While Dawn waits for the driver, it polls at each
// turn of the event loop and keeps a core busy. That does no harm beside a GPU, but SwiftShader
// computes on the same cores. A browser's GPU process waits without a core.

/** Polls in a row, one at each turn of the event loop, before there is one every millisecond. */
const POLLS = 100;
/** Milliseconds without a poll after which polls count anew. */
const PAUSE = 5;

/** Has Dawn poll every millisecond once it has waited for a while. Dawn's polls are the callbacks
 * of `setImmediate` that are native functions. */
export function pollSeldom() {
  const { setImmediate: atOnce } = globalThis;
  let [polls, last] = [0, 0];
  /** @param {(...args: unknown[]) => void} callback @param {unknown[]} args */
  const seldom = (callback, ...args) => {
    if (!Function.prototype.toString.call(callback).endsWith("{ [native code] }")) return atOnce(callback, ...args);
    const now = performance.now();
    polls = now - last > PAUSE ? 0 : polls + 1;
    last = now;
    return polls < POLLS ? atOnce(callback, ...args) : setTimeout(callback, 1, ...args);
  };
  globalThis.setImmediate = /** @type {typeof setImmediate} */ (/** @type {unknown} */ (Object.assign(seldom, { __promisify__: atOnce.__promisify__ })));
}
