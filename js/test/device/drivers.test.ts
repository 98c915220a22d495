// Dispatch counts of programs that need more than WebGPU's default limits, on a driver, as software
// and as hardware.

import { beforeAll, describe, expect, it } from "vitest";
import { explain, grad, init, nn, zeros, type Tensor } from "../../src/index.js";
import { dispatches, inputs } from "../support/counted.js";
import { wasmBytes } from "../support/cpu.js";
import { asHardware, dawn } from "../support/dawn.js";

describe.each(["software", "hardware"])("as %s, on a driver", (kind) => {
  beforeAll(async () => {
    const gpu = await dawn();
    if (kind === "hardware") asHardware(gpu);
    await init({ device: "webgpu", gpu, wasm: wasmBytes() });
  });

  it("a layer normalization: one, and two for its gradient", async () => {
    const [x, seed] = (await inputs([256, 128], [256, 128])) as [Tensor, Tensor];
    const norm = new nn.LayerNorm(128);
    expect(await dispatches(() => norm.forward(x))).toBe(1);
    const slope = grad((x: Tensor) => norm.forward(x).mul(seed).sum());
    expect(await dispatches(() => slope(x))).toBeLessThanOrEqual(2);
  });

  it("causal attention of any length: one where nothing differentiates it, and no scores are stored where something does", () => {
    const [q, k] = [zeros([2, 12, 4096, 16]), zeros([2, 4, 4096, 16])];
    const attend = (q: Tensor, k: Tensor) => nn.scaledDotProductAttention(q, k, k, { causal: true });
    expect(explain(attend, q, k).dispatches.length).toBe(1);
    const slopes = explain(grad((q: Tensor, k: Tensor) => attend(q, k).sum()), q, k);
    for (const { bytes } of slopes.buffers) expect(bytes).toBeLessThan(2 * 12 * 4096 * 4096);
  });
});
