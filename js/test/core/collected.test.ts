// Tensors that the garbage collector frees, because no scope does: those made in no scope, those
// that left the outermost one, and those that a program kept.

import { describe, expect, it } from "vitest";
import { grad, jit, keep, memory, nn, ones, optim, tensor, tidy, valueAndGrad, type Tensor } from "../../src/index.js";
import { collected } from "../support/collector.js";
import { onCpu } from "../support/cpu.js";

onCpu();

const COUNT = 20;
const square = (x: Tensor) => x.square().sum();
const captured = jit((x: Tensor) => x.add(1));

/** Each leaves one tensor at least to the collector. */
const ways: Record<string, () => unknown> = {
  "made in no scope": () => ones([2]),
  "returned from a scope": () => tidy(() => ones([2])),
  "returned from a scope in a scope": () => tidy(() => tidy(() => [ones([2])])),
  "kept in a scope": () => tidy(() => void keep(ones([2]))),
  "kept in a scope that throws": () => {
    try {
      tidy(() => {
        keep(ones([2]));
        throw new Error("no");
      });
    } catch {
      // What was kept is kept.
    }
  },
  "kept in a scope in a scope": () => tidy(() => tidy(() => void keep(ones([2])))),
  "returned from a scope and kept later": () => tidy(() => void keep(tidy(() => ones([2])))),
  "a gradient": () => grad(square)(tensor([1, 2])),
  "a value and its gradient": () => valueAndGrad(square)(tensor([1, 2])),
  "what a captured function gives": () => captured(tensor([1, 2])),
  "a parameter made in a scope": () => tidy(() => void new nn.Parameter([1, 2])),
};

describe("the collector frees what is", () => {
  it.each(Object.keys(ways))("%s", async (name) => {
    const way = ways[name] as () => unknown;
    way();
    const before = await collected(0);
    for (let n = 0; n < COUNT; n++) way();
    expect(memory().tensors - before).toBeGreaterThanOrEqual(COUNT);
    expect(await collected(before)).toBeLessThanOrEqual(before);
  });
});

describe("without the collector", () => {
  it("scopes free what they should, whatever became of it", async () => {
    const before = memory().tensors;
    const read = tidy(() => {
      const [x, y] = [ones([2]).add(1), ones([2]).add(2)];
      x.dispose();
      return [y.data(), y.mul(2).array()];
    });
    await Promise.all(read);
    expect(memory().tensors).toBe(before);
  });

  it("a tensor that was read in a scope and comes out of it is there, and goes when it is disposed", async () => {
    const before = memory().tensors;
    const x = tidy(() => ones([2]).add(1));
    expect(Array.from(await x.data())).toEqual([2, 2]);
    // Its values are known, and it was taken off the device; used again it returns.
    expect(Array.from(await tidy(() => x.add(1)).data())).toEqual([3, 3]);
    expect(x.disposed).toBe(false);
    x.dispose();
    expect(x.disposed).toBe(true);
    expect(await collected(before)).toBeLessThanOrEqual(before);
  });

  it("20,000 training steps hold what the first ones held", async () => {
    const model = new nn.Linear(2, 1);
    const adam = optim.adam(model, { lr: 0.001 });
    const step = () => {
      const [loss, gradients] = valueAndGrad((m: nn.Linear) => m.forward(ones([1, 2])).square().sum())(model);
      adam.step(gradients);
      loss.dispose();
    };
    for (let n = 0; n < 100; n++) step();
    const before = memory();
    for (let n = 0; n < 20_000; n++) step();
    expect(memory().tensors).toBe(before.tensors);
    expect(memory().bytes).toBe(before.bytes);
  }, 120_000);
});

describe("a loop that reads values known at once", () => {
  it("holds few tensors, though they are small and finalizers get no turn", async () => {
    const most = 70_000;
    let x = tensor([1, 2, 3]);
    let peak = 0;
    for (let i = 0; i < 1.3 * most; i++) {
      x = x.mul(0.5);
      if (i % 100 > 0) continue;
      await x.data();
      peak = Math.max(peak, memory().tensors);
    }
    expect(peak).toBeLessThan(most);
  });
});
