// Helpers of the tests that count dispatches.

import { random, realize, stats, type Tensor } from "../../src/index.js";

/** What the third run of a computation takes; the first may prepare what it keeps, and the second
 * what the first has changed. */
export async function dispatches(compute: () => Tensor | Tensor[]): Promise<number> {
  const run = async () => {
    const made = [compute()].flat();
    await realize(...made);
    return made;
  };
  for (let time = 0; time < 2; time++) for (const one of await run()) one.dispose();
  const before = stats().dispatches;
  const made = await run();
  const count = stats().dispatches - before;
  for (const one of made) one.dispose();
  return count;
}

/** Random tensors of these shapes, stored. */
export async function inputs(...shapes: number[][]): Promise<Tensor[]> {
  const made = shapes.map((shape) => random.normal(shape).mul(0.1));
  await realize(...made);
  return made;
}
