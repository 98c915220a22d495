// Uploads and reads without a library: WebGPU's own calls, for those two kinds of work alone.

import { sampled } from "../compare.mjs";
import { at, timed, Unsupported } from "./library.mjs";

// WebGPU's numbers, which the types of the DOM do not name.
const MAP_READ = 1;
const COPY_SRC = 4;
const COPY_DST = 8;
const STORAGE = 128;

/** @type {GPUDevice | undefined} */
let device;

/** @type {import("./library.mjs").Library} */
export const library = {
  name: "bare WebGPU",
  version: "",
  modes: ["eager"],
  kinds: ["upload", "read"],
  async open(gpu) {
    const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
    if (!adapter) throw new Unsupported("WebGPU has no adapter");
    device = await adapter.requestDevice();
    return "";
  },
  chain(kind, given) {
    const gpu = device;
    if (!gpu) throw new Unsupported("no device is open");
    const { data } = at(given, 0);
    const bytes = data.byteLength;
    const put = () => {
      const buffer = gpu.createBuffer({ size: bytes, usage: STORAGE | COPY_SRC | COPY_DST });
      gpu.queue.writeBuffer(buffer, 0, /** @type {Float32Array<ArrayBuffer>} */ (data));
      return buffer;
    };
    const read = async (/** @type {number} */ size, /** @type {number} */ from = 0) => {
      const staging = gpu.createBuffer({ size, usage: MAP_READ | COPY_DST });
      const encoder = gpu.createCommandEncoder();
      encoder.copyBufferToBuffer(buffer, from, staging, 0, size);
      gpu.queue.submit([encoder.finish()]);
      await staging.mapAsync(MAP_READ);
      const copy = new Float32Array(staging.getMappedRange().slice(0));
      staging.destroy();
      return copy;
    };
    let buffer = put();
    const once = async () => {
      if (kind === "read") return timed(() => read(bytes));
      buffer.destroy();
      return timed(() => ((buffer = put()), read(4)));
    };
    const sample = () => sampled(data.length, (start, end) => read(4 * (end - start), 4 * start));
    return { once, sample, dispose: () => buffer.destroy() };
  },
};
