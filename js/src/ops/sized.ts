// Results whose length is data: they are computed in as many places as there may be, together with
// their number, and cut when that is read.

import { core } from "../core/wasm/core.js";
import type { Tensor } from "../core/tensor/tensor.js";
import { keep } from "../core/tensor/tidy.js";
import { composed } from "./lift.js";
import { slice, type Range } from "./shape.js";

/**
 * What `find` makes, cut to as many elements as its count says along an axis, the first unless
 * `axisOf` names another, but for what stands in `whole`. One
 * flush computes the count and all of them, so that nothing is sorted twice. What is asked of the
 * arguments is asked before the wait, during which they may be freed.
 */
export async function counted<Name extends string>(
  op: string,
  find: () => { count: Tensor; found: Record<Name, Tensor> },
  whole: readonly Name[] = [],
  axisOf: (name: Name) => number = () => 0,
): Promise<Record<Name, Tensor>> {
  const { count, found } = composed(op, find);
  const names = Object.keys(found) as Name[];
  // A scope around the call ends before the wait does.
  const all = [count, ...Object.values<Tensor>(found)];
  all.forEach(keep);
  const cut = names.filter((name) => !whole.includes(name));
  try {
    composed(op, () => core().realize(Uint32Array.from(all, (tensor) => tensor.handle)));
    const size = await count.item();
    return { ...found, ...Object.fromEntries(cut.map((name) => [name, slice(found[name], ...new Array<Range>(axisOf(name)).fill(null), [0, size])])) };
  } catch (error) {
    for (const name of names) if (!cut.includes(name)) found[name].dispose();
    throw error;
  } finally {
    for (const tensor of [count, ...cut.map((name) => found[name])]) tensor.dispose();
  }
}
