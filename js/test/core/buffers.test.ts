// Exchange with buffers of the caller's own WebGPU code, both ways, bit for bit and in the order of
// what is submitted.

import { beforeAll, describe, expect, it } from "vitest";
import { arange, data, DisposedError, gpuDevice, init, jit, memory, ones, tensor, TraceError, ValueError, zeros, type Tensor } from "../../src/index.js";
import { values, wasmBytes } from "../support/cpu.js";
import { dawn } from "../support/dawn.js";

/** Of `GPUBufferUsage`, which is no global here. */
const [MAP_READ, MAP_WRITE, COPY_SRC, COPY_DST, VERTEX, STORAGE] = [1, 2, 4, 8, 32, 128];

let gpu: GPU;
let device: GPUDevice;

beforeAll(async () => {
  gpu = await dawn();
  await init({ device: "webgpu", gpu, wasm: wasmBytes(), tune: false });
  device = gpuDevice() as GPUDevice;
});

/** A buffer with these words in it. */
function bufferOf(words: Uint32Array<ArrayBuffer>, usage = COPY_SRC | COPY_DST, on = device): GPUBuffer {
  const buffer = on.createBuffer({ size: words.byteLength, usage: usage | COPY_DST });
  on.queue.writeBuffer(buffer, 0, words);
  return buffer;
}

/** The words of a buffer, as one's own code reads them. */
async function wordsIn(buffer: GPUBuffer, bytes = buffer.size): Promise<number[]> {
  const staging = device.createBuffer({ size: bytes, usage: MAP_READ | COPY_DST });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, bytes);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(1);
  const words = [...new Uint32Array(staging.getMappedRange())];
  staging.destroy();
  return words;
}

const bits = (...numbers: number[]) => new Uint32Array(Float32Array.of(...numbers).buffer);
const refusal = async (promise: Promise<unknown>): Promise<string> => {
  const error = await promise.then(() => undefined, (error: unknown) => error);
  expect(error).toBeInstanceOf(ValueError);
  return (error as Error).message;
};

describe("a buffer of one's own", () => {
  it("becomes a tensor, of each dtype, from any place", async () => {
    const floats = await data.fromGPUBuffer(bufferOf(bits(1, -2, NaN, Infinity, 5, 6)), [2, 2], { offset: 8 });
    expect([floats.dtype, floats.shape, await values(floats)]).toEqual(["f32", [2, 2], [NaN, Infinity, 5, 6]]);
    const words = Uint32Array.of(0xffffffff, 0, 7);
    expect(await values(await data.fromGPUBuffer(bufferOf(words), [3], { dtype: "i32" }))).toEqual([-1, 0, 7]);
    expect(await values(await data.fromGPUBuffer(bufferOf(words), [3], { dtype: "u32" }))).toEqual([4294967295, 0, 7]);
    expect(await values(await data.fromGPUBuffer(bufferOf(words), [3], { dtype: "bool" }))).toEqual([1, 0, 1]);
    expect(await values(await data.fromGPUBuffer(bufferOf(words), [5], { dtype: "i8" }))).toEqual([-1, -1, -1, -1, 0]);
    expect(await values(await data.fromGPUBuffer(bufferOf(Uint32Array.of(0xc0003c00, 0x7bff)), [3], { dtype: "f16" }))).toEqual([1, -2, 65504]);
    expect((await data.fromGPUBuffer(bufferOf(words), [0, 3])).shape).toEqual([0, 3]);
    expect(await (await data.fromGPUBuffer(bufferOf(bits(7)), [])).item()).toBe(7);
  });

  it("is copied as it was at the call: what comes later changes nothing", async () => {
    const buffer = bufferOf(bits(1, 2));
    const first = data.fromGPUBuffer(buffer, [2]);
    device.queue.writeBuffer(buffer, 0, bits(3, 4));
    const second = data.fromGPUBuffer(buffer, [2]);
    buffer.destroy();
    expect(await values((await first).mul(10))).toEqual([10, 20]);
    expect(await values((await second).mul(10))).toEqual([30, 40]);
  });

  it("takes no memory for good", async () => {
    const buffer = bufferOf(new Uint32Array(4096));
    (await data.fromGPUBuffer(buffer, [4096])).dispose();
    const before = memory();
    for (let n = 0; n < 20; n++) (await data.fromGPUBuffer(buffer, [4096])).dispose();
    await tensor([1]).add(1).data();
    expect(memory().bytes).toBeLessThanOrEqual(before.bytes + 4096);
    expect(memory().tensors).toBeLessThanOrEqual(before.tensors + 1);
  });

  it("is refused where it cannot be read, and everything goes on", async () => {
    const [small, unreadable] = [bufferOf(bits(1)), device.createBuffer({ size: 16, usage: STORAGE })];
    expect(await refusal(data.fromGPUBuffer(small, [2]))).toBe("fromGPUBuffer: the buffer has 4 bytes, and 8 are needed");
    expect(await refusal(data.fromGPUBuffer(small, [1], { offset: 4 }))).toMatch(/has 4 bytes, and 8 are needed/);
    expect(await refusal(data.fromGPUBuffer(small, [1], { offset: 2 }))).toMatch(/multiple of 4, got 2/);
    expect(await refusal(data.fromGPUBuffer(unreadable, [2]))).toMatch(/the device refused it: .*CopySrc/s);
    expect(await refusal(data.fromGPUBuffer(device.createBuffer({ size: 16, usage: MAP_WRITE | COPY_SRC, mappedAtCreation: true }), [2]))).toMatch(/the device refused it: .*mapped/s);
    for (const junk of [null, undefined, 5, {}, tensor([1]), { size: 64, usage: 255, mapState: "unmapped" }, device]) {
      expect(await refusal(data.fromGPUBuffer(junk as GPUBuffer, [1]))).toMatch(/takes a GPUBuffer, got/);
    }
    const destroyed = bufferOf(bits(1, 2));
    destroyed.destroy();
    expect(await refusal(data.fromGPUBuffer(destroyed, [2]))).toMatch(/the device refused it/);
    const other = await ((await gpu.requestAdapter()) as GPUAdapter).requestDevice();
    expect(await refusal(data.fromGPUBuffer(bufferOf(bits(1, 2), COPY_SRC, other), [2]))).toMatch(/the device refused it/);
    other.destroy();
    expect(await values(tensor([1, 2]).add(1))).toEqual([2, 3]);
    expect(Object.hasOwn(device, "createBuffer")).toBe(false);
  });
});

describe("a tensor", () => {
  it("becomes a buffer, of each dtype, computed if it was pending", async () => {
    const buffer = await data.toGPUBuffer(tensor([1, 2, 3]).mul(2), { usage: VERTEX });
    expect([buffer.size, buffer.usage, await wordsIn(buffer)]).toEqual([12, VERTEX | STORAGE | COPY_SRC | COPY_DST, [...bits(2, 4, 6)]]);
    const given = async (x: Tensor) => wordsIn(await data.toGPUBuffer(x));
    expect(await given(tensor([true, false, true]))).toEqual([1, 0, 1]);
    expect(await given(tensor([1, -2, 65504], { dtype: "f16" }))).toEqual([0xc0003c00, 0x7bff]);
    expect(await given(tensor([1, 2, 3, 4, 5], { dtype: "u8" }).add(1).cast("u8"))).toEqual([0x05040302, 6]);
    expect(await given(arange(6).reshape([2, 3]).transpose())).toEqual([0, 3, 1, 4, 2, 5]);
    expect(await given(tensor(1.5))).toEqual([...bits(1.5)]);
    expect(await given(ones([]).mul(3))).toEqual([...bits(3)]);
    expect((await data.toGPUBuffer(zeros([0, 2]))).size).toBe(4);
  });

  it("that was read, and is held here alone, goes there too; so does one that is gone right after the call", async () => {
    const read = tensor([1, 2]).add(1);
    await read.data();
    expect(await wordsIn(await data.toGPUBuffer(read))).toEqual([...bits(2, 3)]);
    const going = tensor([4, 5]).add(1);
    const buffer = data.toGPUBuffer(going);
    going.dispose();
    expect(await wordsIn(await buffer)).toEqual([...bits(5, 6)]);
  });

  it("is written to a given buffer, whose rest stays", async () => {
    const buffer = bufferOf(Uint32Array.of(9, 9, 9, 9));
    expect(await data.toGPUBuffer(tensor([1, 2]), { buffer })).toBe(buffer);
    expect(await wordsIn(buffer)).toEqual([...bits(1, 2), 9, 9]);
    expect(await refusal(data.toGPUBuffer(ones([5]), { buffer }))).toMatch(/has 16 bytes, and 20 are needed/);
    expect(await refusal(data.toGPUBuffer(ones([1]), { buffer: device.createBuffer({ size: 16, usage: STORAGE }) }))).toMatch(/the device refused it: .*CopyDst/s);
    expect(await refusal(data.toGPUBuffer(ones([1]), { buffer: {} as GPUBuffer }))).toMatch(/takes a GPUBuffer, got an object/);
    expect(await refusal(data.toGPUBuffer(ones([1]), { usage: MAP_READ }))).toMatch(/the device refused it/);
    expect(await refusal(data.toGPUBuffer(3 as unknown as Tensor))).toMatch(/^toGPUBuffer: /);
    buffer.destroy();
    expect(await refusal(data.toGPUBuffer(ones([1]), { buffer }))).toMatch(/the device refused it/);
    expect(await values(tensor([1, 2]).add(1))).toEqual([2, 3]);
  });

  it("goes through a kernel of one's own and back", async () => {
    const code = "@group(0) @binding(0) var<storage, read_write> x: array<f32>; @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) at: vec3u) { x[at.x] = x[at.x] * x[at.x]; }";
    const pipeline = device.createComputePipeline({ layout: "auto", compute: { module: device.createShaderModule({ code }) } });
    const buffer = await data.toGPUBuffer(arange(4).cast("f32").add(1));
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: [{ binding: 0, resource: { buffer } }] }));
    pass.dispatchWorkgroups(1);
    pass.end();
    device.queue.submit([encoder.finish()]);
    expect(await values((await data.fromGPUBuffer(buffer, [2, 2])).sum(0))).toEqual([10, 20]);
  });

  it("that is gone, or has no value yet, is refused", async () => {
    const x = ones([2]);
    x.dispose();
    await expect(data.toGPUBuffer(x)).rejects.toBeInstanceOf(DisposedError);
    let inside: Promise<unknown> | undefined;
    const traced = jit((x: Tensor) => {
      inside = data.toGPUBuffer(x);
      inside.catch(() => {});
      return x.add(1);
    });
    await values(traced(ones([2])));
    await expect(inside).rejects.toBeInstanceOf(TraceError);
  });
});

it("the CPU device has no buffers, and no device of WebGPU", async () => {
  await init({ device: "cpu" });
  expect(gpuDevice()).toBe(null);
  expect(await refusal(data.toGPUBuffer(tensor([1])))).toBe("toGPUBuffer: the CPU device has no GPU buffers");
  expect(await refusal(data.fromGPUBuffer({} as GPUBuffer, [1]))).toBe("fromGPUBuffer: the CPU device has no GPU buffers");
});
