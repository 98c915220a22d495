// Recording and replay of WebGPU calls: only those that every step makes, which create nothing but
// encoders and passes.

/** @typedef {(played: { encoder: GPUCommandEncoder, pass: GPUComputePassEncoder, done: GPUCommandBuffer[] }) => void} Play */

/**
 * The calls of `work`. Throws where it makes what lasts, as the first steps do.
 * @param {() => void} work
 * @returns {{ play: () => void, calls: number }}
 */
export function record(work) {
  /** @type {Play[]} */
  const plays = [];
  /** @type {(() => void)[]} */
  const restore = [];
  /** @type {GPUQueue | undefined} */
  let queue;
  const watch = (/** @type {object} */ prototype, /** @type {string} */ name, /** @type {(self: any, given: any[]) => Play} */ playOf) => {
    const own = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(prototype, name));
    restore.push(() => Object.defineProperty(prototype, name, own));
    Object.defineProperty(prototype, name, {
      ...own,
      value(/** @type {any[]} */ ...given) {
        plays.push(playOf(this, given));
        return own.value.apply(this, given);
      },
    });
  };
  const lasting = (/** @type {string} */ name) => () => {
    throw new Error(`a step that was made before calls ${name}`);
  };
  watch(GPUDevice.prototype, "createCommandEncoder", (device) => (played) => void (played.encoder = device.createCommandEncoder()));
  for (const name of ["createBuffer", "createBindGroup", "createComputePipeline", "createShaderModule"]) watch(GPUDevice.prototype, name, lasting(name));
  watch(GPUCommandEncoder.prototype, "beginComputePass", () => (played) => void (played.pass = played.encoder.beginComputePass()));
  watch(GPUCommandEncoder.prototype, "finish", () => (played) => void played.done.push(played.encoder.finish()));
  watch(GPUComputePassEncoder.prototype, "setPipeline", (_, [pipeline]) => ({ pass }) => pass.setPipeline(pipeline));
  watch(GPUComputePassEncoder.prototype, "setBindGroup", (_, [n, group, offsets, from, count]) => {
    // A view of all of the WebAssembly's memory, usually.
    const own = offsets && Array.from(offsets.slice(from ?? 0, (from ?? 0) + (count ?? offsets.length)));
    return own?.length ? ({ pass }) => pass.setBindGroup(n, group, own) : ({ pass }) => pass.setBindGroup(n, group);
  });
  watch(GPUComputePassEncoder.prototype, "dispatchWorkgroups", (_, [x, y, z]) => ({ pass }) => pass.dispatchWorkgroups(x, y, z));
  watch(GPUComputePassEncoder.prototype, "end", () => ({ pass }) => pass.end());
  watch(GPUQueue.prototype, "writeBuffer", (own, [buffer, at, data, from, length]) => {
    queue = own;
    const bytes = new Uint8Array(data.buffer ?? data, (data.byteOffset ?? 0) + (from ?? 0), length ?? data.byteLength).slice();
    return () => own.writeBuffer(buffer, at, bytes);
  });
  watch(GPUQueue.prototype, "submit", (own) => {
    queue = own;
    return ({ done }) => own.submit(done.splice(0));
  });
  try {
    work();
  } finally {
    for (const undo of restore) undo();
  }
  const play = () => {
    const played = /** @type {Parameters<Play>[0]} */ ({ done: /** @type {GPUCommandBuffer[]} */ ([]) });
    for (const call of plays) call(played);
  };
  if (!queue) throw new Error("the work submits nothing");
  return { play, calls: plays.length };
}
