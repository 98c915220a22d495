// Memory of training. `?library=NAME&size=SIZE` trains for ten steps, each with a read, and counts
// the GPU's buffers meanwhile.

import { draw } from "../compare.mjs";
import { WORKLOADS } from "../workloads.mjs";

/** The most bytes of buffers that there were at once. What is collected without having been
 * destroyed counts on. */
function watchBuffers() {
  const seen = { peak: 0, now: 0 };
  const create = GPUDevice.prototype.createBuffer;
  const destroy = GPUBuffer.prototype.destroy;
  /** @type {WeakSet<GPUBuffer>} */
  const gone = new WeakSet();
  GPUDevice.prototype.createBuffer = function (descriptor) {
    seen.now += descriptor.size;
    seen.peak = Math.max(seen.peak, seen.now);
    return create.call(this, descriptor);
  };
  GPUBuffer.prototype.destroy = function () {
    if (!gone.has(this)) seen.now -= this.size;
    gone.add(this);
    return destroy.call(this);
  };
  return seen;
}

const LIBRARIES = {
  weft: async () => {
    const { weftOn } = await import("../libraries/weft.mjs");
    return weftOn(await import("weft-gpu"));
  },
  jax: async () => (await import("../libraries/jax.mjs")).library,
  tfjs: async () => (await import("../libraries/tfjs.mjs")).library,
};

try {
  const buffers = watchBuffers();
  const asked = new URLSearchParams(location.search);
  const library = await LIBRARIES[/** @type {keyof typeof LIBRARIES} */ (asked.get("library"))]();
  await library.open(navigator.gpu);
  const training = WORKLOADS.find(({ kind }) => kind === "MLP");
  if (!training) throw new Error("there is no such workload");
  const size = (asked.get("size") === "software" && training.software) || training.full;
  const chain = library.chain("MLP", draw(training.inputs(size)), { size, captured: library.modes.includes("captured") });
  for (let n = 0; n < 10; n++) {
    chain.step?.();
    await chain.last?.();
  }
  Object.assign(window, { cold: { peak: buffers.peak } });
} catch (error) {
  Object.assign(window, { cold: { error: String(error) } });
}
