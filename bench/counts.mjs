// Dispatches and submits of a step. This counts the calls of WebGPU, whichever library makes them,
// while nothing is timed.

/** @typedef {{ dispatches: number, submits: number }} Counts */

/**
 * Counts while `work` goes on.
 * @param {() => Promise<void>} work
 * @returns {Promise<Counts>}
 */
export async function counted(work) {
  const counts = { dispatches: 0, submits: 0 };
  const undo = [
    watched("GPUComputePassEncoder", "dispatchWorkgroups", () => counts.dispatches++),
    watched("GPUComputePassEncoder", "dispatchWorkgroupsIndirect", () => counts.dispatches++),
    watched("GPUQueue", "submit", () => counts.submits++),
  ];
  try {
    await work();
  } finally {
    for (const back of undo) back();
  }
  return counts;
}

/** @type {(type: string, method: string, seen: () => void) => () => void} */
function watched(type, method, seen) {
  const prototype = /** @type {{ prototype: Record<string, (...args: unknown[]) => unknown> } | undefined} */ (Reflect.get(globalThis, type))?.prototype;
  const own = prototype?.[method];
  if (!prototype || !own) return () => {};
  prototype[method] = function (...args) {
    seen();
    return own.apply(this, args);
  };
  return () => {
    prototype[method] = own;
  };
}
