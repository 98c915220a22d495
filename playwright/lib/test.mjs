// Time limits of tests: many times what the slowest machine has taken, unless a test sets another.
// Calls of the page have no time limit of their own, and a page that hangs would hold up every test
// after it.

import * as node from "node:test";

const TEST = 180_000;
const HOOK = 120_000;

/** @typedef {() => unknown} Body */
/** @param {Body} body */
const awaited = (body) => async () => void (await body());

/** @param {string} name
 * @param {...(Body | { timeout: number })} rest Options, if any, and what to do. */
export function test(name, ...rest) {
  const body = /** @type {Body} */ (rest.at(-1));
  const { timeout } = rest.length > 1 ? /** @type {{ timeout: number }} */ (rest[0]) : { timeout: TEST };
  void node.test(name, { timeout }, awaited(body));
}

/** @param {Body} body */
export const before = (body) => node.before(awaited(body), { timeout: HOOK });

/** @param {Body} body */
export const after = (body) => node.after(awaited(body), { timeout: HOOK });

/** @param {Body} body */
export const afterEach = (body) => node.afterEach(awaited(body), { timeout: HOOK });
