// Limits of the machine, measured beside the workloads with WebGPU alone: the bandwidth of a copy,
// the rate of fused multiply-adds, and the times of a dispatch, a submit and the read of one
// number.

import { median } from "./measure.mjs";

/** @typedef {{ copy: number, fma: number, dispatch: number, submit: number, read: number }} Limits
 * Bytes a second, operations a second, milliseconds. */

// WebGPU's numbers, which the types of the DOM do not name.
const MAP_READ = 1;
const COPY_SRC = 4;
const COPY_DST = 8;
const STORAGE = 128;

const COPY = /* wgsl */ `
@group(0) @binding(0) var<storage, read> given: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> to: array<vec4<f32>>;
@compute @workgroup_size(256) fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = (group.y * 32768 + group.x) * 256 + local;
  to[i] = given[i];
}`;

const TURNS = 1024;
/** Independent chains of vectors of four in an invocation. */
const CHAINS = 8;
const FMA = /* wgsl */ `
@group(0) @binding(0) var<storage, read> given: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> to: array<vec4<f32>>;
@compute @workgroup_size(256) fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = group.x * 256 + local;
  let by = given[local & 63];
  let plus = given[64];
  var a = by + 1; var b = by + 2; var c = by + 3; var d = by + 4; var e = by + 5; var f = by + 6; var g = by + 7; var h = by + 8;
  for (var turn = 0; turn < ${TURNS}; turn++) {
    a = fma(a, by, plus); b = fma(b, by, plus); c = fma(c, by, plus); d = fma(d, by, plus);
    e = fma(e, by, plus); f = fma(f, by, plus); g = fma(g, by, plus); h = fma(h, by, plus);
  }
  to[i] = a + b + c + d + e + f + g + h;
}`;

const NOTHING = /* wgsl */ `
@group(0) @binding(1) var<storage, read_write> to: array<vec4<f32>>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) local: u32) { if (local == 0) { to[0].x = to[0].x + 1; } }`;

/**
 * @param {GPU} gpu
 * @param {{ quick?: boolean }} [options] Quick: small enough for a software adapter; its figures
 * say little.
 * @returns {Promise<Limits>}
 */
export async function limits(gpu, { quick = false } = {}) {
  const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
  if (!adapter) throw new Error("WebGPU has no adapter");
  const { maxBufferSize, maxStorageBufferBindingSize } = adapter.limits;
  const device = await adapter.requestDevice({ requiredLimits: { maxBufferSize, maxStorageBufferBindingSize } });
  const bytes = quick ? 1 << 22 : 1 << 29;
  const usage = STORAGE | COPY_SRC | COPY_DST;
  const [one, two] = [0, 1].map(() => device.createBuffer({ size: bytes, usage }));
  const staging = device.createBuffer({ size: 16, usage: MAP_READ | COPY_DST });
  if (!one || !two) throw new Error("two buffers");

  const read = async () => {
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(two, 0, staging, 0, 16);
    device.queue.submit([encoder.finish()]);
    await staging.mapAsync(MAP_READ);
    staging.unmap();
  };
  const kernel = async (/** @type {string} */ code) => {
    device.pushErrorScope("validation");
    const module = device.createShaderModule({ code });
    const pipeline = device.createComputePipeline({ layout: "auto", compute: { module } });
    const used = code.includes("given") ? [one, two] : [undefined, two];
    const entries = used.flatMap((buffer, binding) => (buffer ? [{ binding, resource: { buffer } }] : []));
    const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
    const refused = await device.popErrorScope();
    if (refused) throw new Error(`the limits could not be measured: ${refused.message}`);
    // So many dispatches in each of so many submits.
    return (/** @type {number} */ submits, /** @type {number} */ dispatches, /** @type {number} */ x, y = 1) => {
      for (let n = 0; n < submits; n++) {
        const encoder = device.createCommandEncoder();
        const pass = encoder.beginComputePass();
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, group);
        for (let m = 0; m < dispatches; m++) pass.dispatchWorkgroups(x, y);
        pass.end();
        device.queue.submit([encoder.finish()]);
      }
    };
  };
  const once = async (/** @type {() => void} */ work) => {
    const start = performance.now();
    work();
    await read();
    return performance.now() - start;
  };
  /** @type {number[]} */
  const reads = [];
  // What work takes beyond the read that waits for it. Both are timed in turns, so that other work
  // of the machine falls on both.
  const timed = async (/** @type {() => void} */ work) => {
    await once(work);
    const times = [];
    for (let round = 0; round < 7; round++) {
      const alone = await once(() => {});
      reads.push(alone);
      times.push((await once(work)) - alone);
    }
    return median(times);
  };
  const timedSurely = async (/** @type {() => void} */ work) => {
    for (let attempt = 0; attempt < 10; attempt++) {
      const time = await timed(work);
      if (time > 0) return time;
    }
    throw new Error("the limits could not be measured: the machine is busy with other work");
  };

  const [copy, fma, nothing] = [await kernel(COPY), await kernel(FMA), await kernel(NOTHING)];
  const groups = bytes / 16 / 256;
  const wide = Math.min(groups, 32768);
  const copies = quick ? 1 : 40;
  const copied = await timedSurely(() => copy(1, copies, wide, groups / wide));
  const workgroups = quick ? 4 : 8448;
  const multiplied = await timedSurely(() => fma(1, quick ? 1 : 4, workgroups));
  const many = quick ? 10 : 500;
  const dispatched = await timed(() => nothing(1, many, 1));
  const submitted = await timed(() => nothing(many, 1, 1));
  device.destroy();
  return {
    copy: (2 * bytes * copies * 1000) / copied,
    fma: (2 * 4 * CHAINS * TURNS * 256 * workgroups * (quick ? 1 : 4) * 1000) / multiplied,
    // Below what the clock tells apart where little is asked for.
    dispatch: Math.max(0, dispatched / many),
    submit: Math.max(0, submitted / many),
    read: median(reads),
  };
}
