// Exported programs, run in Dawn by the runner that is exported with them: they give what Weft
// gives.

import { beforeAll, describe, expect, it } from "vitest";
import { Tensor, cond, forLoop, init, nn, optim, random, tensor, valueAndGrad, where, whileLoop } from "../../src/index.js";
import { exportWGSL, kernel, type KernelTensor } from "../../src/kernel/index.js";
import { wasmBytes } from "../support/cpu.js";
import { dawn } from "../support/dawn.js";

type Run = (inputs?: ArrayLike<number>[], numbers?: number[]) => Promise<ArrayLike<number>[]>;
interface Plan {
  readonly results: readonly { readonly path: string }[];
  readonly loops: readonly unknown[];
}

let gpu: GPU;
beforeAll(async () => {
  gpu = await dawn();
  await init({ device: "webgpu", gpu, wasm: wasmBytes() });
});

/** The program of exported files, as someone without Weft loads it. */
async function load(files: Record<string, Uint8Array>): Promise<{ run: Run; plan: Plan }> {
  const script = Buffer.from(files["run.js"] as Uint8Array).toString("base64");
  const runner = (await import(/* @vite-ignore */ `data:text/javascript;base64,${script}`)) as { load(read: (name: string) => Promise<Uint8Array>, gpu: GPU): Promise<{ run: Run; plan: Plan }> };
  return runner.load(async (name) => files[name] as Uint8Array, gpu);
}

const close = (found: ArrayLike<number>, expected: ArrayLike<number>) => {
  expect(found.length).toBe(expected.length);
  Array.from(expected).forEach((value, n) => expect(Math.abs((found[n] as number) - value), `element ${n}`).toBeLessThanOrEqual(1e-5 * (1 + Math.abs(value))));
};

describe("an exported program gives what Weft gives", () => {
  it("a kernel, with a number that differs from call to call", async () => {
    const smooth = kernel((x: KernelTensor, rate: number, i: number, j: number) => {
      let sum = 0.0;
      for (let a = -1; a <= 1; a++) for (let b = -1; b <= 1; b++) sum += x.at(i + a, j + b);
      return x.at(i, j) + rate * (sum / 9 - x.at(i, j));
    }, { edge: "wrap" });
    const step = (x: Tensor, rate: number) => smooth(x, rate);
    const x = random.uniform([8, 12]);
    const { run } = await load(await exportWGSL(step, x, 0.5));
    for (const rate of [0.5, 2]) close((await run([Array.from(await x.data())], [rate]))[0] as ArrayLike<number>, await smooth(x, rate).data());
  });

  it("a training step, call after call", async () => {
    random.seed(3);
    const model = new nn.Sequential(new nn.Linear(4, 8), new nn.Linear(8, 1));
    const optimizer = optim.adam(model, { lr: 0.05 });
    const lossOf = valueAndGrad((net: typeof model, x: Tensor, y: Tensor) => net.forward(x).tanh().sub(y).square().mean());
    const step = (x: Tensor, y: Tensor) => {
      const [value, gradients] = lossOf(model, x, y);
      optimizer.step(gradients);
      return { loss: value };
    };
    const [x, y] = [random.normal([16, 4]), random.uniform([16, 1])];
    const { run, plan } = await load(await exportWGSL(step, x, y));
    expect(plan.results.map(({ path }) => path)).toEqual(["loss"]);
    const given = [Array.from(await x.data()), Array.from(await y.data())];
    for (let n = 0; n < 4; n++) {
      const expected = await step(x, y).loss.data();
      close((await run(given))[0] as ArrayLike<number>, expected);
    }
  });

  it("loops, one of which ends when its state says so", async () => {
    const collatz = (x: Tensor, n: Tensor) => {
      const [far] = [forLoop(0, 7, (i, v: Tensor) => v.mul(0.5).add(v.roll(1)).add(i.cast("f32")), x)];
      const steps = whileLoop(([v]: [Tensor, Tensor]) => v.greater(1), ([v, count]: [Tensor, Tensor]): [Tensor, Tensor] => [where(v.remainder(2).equal(0), v.div(2), v.mul(3).add(1)), count.add(1)], [n, tensor(0)] as [Tensor, Tensor]);
      return [far, steps[1]];
    };
    const [x, n] = [random.uniform([1000]), tensor(27)];
    const { run } = await load(await exportWGSL(collatz, x, n));
    const expected = collatz(x, n);
    const found = await run([Array.from(await x.data()), [27]]);
    close(found[0] as ArrayLike<number>, await expected[0]!.data());
    close(found[1] as ArrayLike<number>, await expected[1]!.data());
  });

  it("branches, of which the device takes one", async () => {
    const m = random.normal([256, 256]).mul(0.06);
    const chosen = (x: Tensor) => cond(x.sum().greater(0), (x) => x.matmul(m).matmul(m).tanh(), (x) => x.matmul(m).sin().matmul(m), x);
    const x = random.uniform([256, 256]);
    const files = await exportWGSL(chosen, x);
    expect(new TextDecoder().decode(files["plan.json"])).toContain('"counted"');
    const { run } = await load(files);
    for (const each of [x, x.neg()]) close((await run([Array.from(await each.data())]))[0] as ArrayLike<number>, await chosen(each).data());
  });

  it("integers, truth values and packed weights that the function reads from outside", async () => {
    const table = tensor([3, 1, 2, 250], { dtype: "u8" });
    const pick = (i: Tensor) => ({ picked: table.cast("f32").take(i), even: i.remainder(2).equal(0), same: i });
    const i = tensor([3, 0, 1], { dtype: "i32" });
    const { run } = await load(await exportWGSL(pick, i));
    const found = await run([[3, 0, 1]]);
    expect(found.map((each) => Array.from(each))).toEqual([[250, 3, 1], [0, 1, 0], [3, 0, 1]]);
  });
});

describe("what is exported", () => {
  it("is a plan, weights, a runner and kernels, and nothing ran", async () => {
    const weight = tensor([1, 2]);
    const files = await exportWGSL((x: Tensor) => x.mul(weight).sum(), tensor([3, 4]));
    expect(Object.keys(files)).toEqual(["plan.json", "weights.safetensors", "run.js", "kernels/0.wgsl"]);
    expect(new TextDecoder().decode(files["kernels/0.wgsl"])).toContain("@compute");
    expect(new TextDecoder().decode(files["run.js"])).not.toContain("weft-gpu/");
  });

  it("an async function is refused, and the next export works", async () => {
    await expect(exportWGSL(async (x: Tensor) => x.add(1), tensor([1]))).rejects.toThrow(/^exportWGSL: .*async/);
    expect(Object.keys(await exportWGSL((x: Tensor) => x.add(1), tensor([1])))).toHaveLength(4);
  });
});
