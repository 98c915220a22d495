// Gradients of a loop whose body both stacks a result and adds one up, on a GPU.

import { beforeAll, describe, expect, it } from "vitest";
import { grad, init, nn, random, type Tensor } from "../../src/index.js";
import { wasmBytes } from "../support/cpu.js";
import { dawn } from "../support/dawn.js";

describe("on a GPU", () => {
  beforeAll(async () => {
    await init({ device: "webgpu", gpu: await dawn(), wasm: wasmBytes() });
  });

  it.each([[2, 3, 2], [8, 64, 16]])("both biases of an LSTM of %i inputs and %i states, %i at a time, have one gradient", async (inputs, hidden, batch) => {
    const layer = new nn.LSTM(inputs, hidden);
    const x = random.normal([5, batch, inputs]);
    const gradients = grad((m: nn.LSTM) => (m.forward(x) as unknown as Tensor).square().sum())(layer) as unknown as { cells: { biasIh: Tensor; biasHh: Tensor }[][] };
    const cell = gradients.cells[0]?.[0];
    const [a, b] = [await cell?.biasIh.data(), await cell?.biasHh.data()];
    expect(a?.length).toBe(4 * hidden);
    a?.forEach((value, n) => expect(b?.[n]).toBeCloseTo(value, 4));
  });
});
