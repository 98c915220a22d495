// Layers, losses, optimizers and schedules, compared with PyTorch's and optax's.
// `tests/conformance/network.py` computes the expected values: of layers and losses the gradients
// too, of optimizers twenty steps.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { grad, nn, optim, Parameter, type Tensor } from "../../src/index.js";
import { make, type TensorJson } from "../support/cases.js";
import { onCpu, values } from "../support/cpu.js";

onCpu();

interface Common {
  name: string;
  options: never;
}
interface LayerCase extends Common {
  kind: "layer";
  layer: keyof typeof nn;
  args: never[];
  train: boolean;
  state: Record<string, TensorJson>;
  inputs: TensorJson[];
  weights: TensorJson;
  output: TensorJson;
  slopes: (TensorJson | null)[];
  gradients: Record<string, TensorJson>;
  after: Record<string, TensorJson>;
}
interface LossCase extends Common {
  kind: "loss";
  loss: string;
  inputs: TensorJson[];
  output: TensorJson;
  slope: TensorJson;
}
interface OptimizerCase extends Common {
  kind: "optimizer";
  rule: "sgd";
  start: TensorJson[];
  slopes: TensorJson[][];
  path: Record<string, TensorJson[]>;
}
interface ScheduleCase extends Common {
  kind: "schedule";
  schedule: "linear";
  args: [number, number, number];
  at: number[];
  rates: number[];
}
type Case = LayerCase | LossCase | OptimizerCase | ScheduleCase;

const all = JSON.parse(readFileSync(new URL("../../../tests/conformance/network.json", import.meta.url), "utf8")) as Case[];
const of = <K extends Case["kind"]>(kind: K) => all.filter((one) => one.kind === kind) as Extract<Case, { kind: K }>[];

/** As f32 can have it: relative to the largest, or to what a sum that comes to 0 is made of. */
async function near(what: string, found: Tensor, expected: TensorJson, tolerance = 2e-5): Promise<void> {
  expect([what, found.shape]).toEqual([what, expected.shape]);
  const [actual, wanted] = [Array.from(await values(found)), Array.from(await values(make(expected)))];
  const scale = Math.max(0.05, ...wanted.map(Math.abs));
  const wrong = wanted.findIndex((value, n) => !(Math.abs((actual[n] as number) - value) <= tolerance * scale));
  if (wrong >= 0) throw new Error(`${what}: element ${wrong} is ${actual[wrong]}, expected ${wanted[wrong]}`);
}

describe("layers", () => {
  it.each(of("layer").map((test) => [test.name, test] as const))("%s", async (_, test) => {
    const Layer = nn[test.layer] as unknown as new (...args: unknown[]) => nn.Module & { forward(...x: Tensor[]): Tensor };
    const module = new Layer(...test.args, ...(Object.keys(test.options).length > 0 ? [test.options] : []));
    module.train(test.train);
    const state = Object.fromEntries(Object.entries(test.state).map(([name, tensor]) => [name, make(tensor)]));
    module.loadStateDict(state);
    const [inputs, weights] = [test.inputs.map(make), make(test.weights)];
    if (!test.train) await near("output", module.forward(...inputs), test.output);
    const argnums = test.slopes.flatMap((slope, n) => (slope ? [n + 1] : []));
    const score = (m: typeof module, ...x: Tensor[]) => m.forward(...x).mul(weights).sum();
    const [ofModule, ...slopes] = (grad as unknown as (f: unknown, options: unknown) => (...args: unknown[]) => [Record<string, never>, ...Tensor[]])(score, { argnums: [0, ...argnums] })(module, ...inputs);
    for (const [n, slope] of slopes.entries()) await near(`slope ${n}`, slope, test.slopes[argnums[n]! - 1]!, 1e-4);
    for (const [name, expected] of Object.entries(test.gradients)) {
      const found = name.split(".").reduce<Record<string, never>>((tree, part) => tree[part]!, ofModule) as unknown as Tensor;
      await near(`gradient of ${name}`, found, expected, 1e-4);
    }
    for (const [name, expected] of Object.entries(test.after)) await near(name, module.stateDict()[name]!, expected);
  });
});

describe("losses", () => {
  it.each(of("loss").map((test) => [test.name, test] as const))("%s", async (_, test) => {
    const loss = test.loss.split(".").reduce<unknown>((place, part) => (place as Record<string, unknown>)[part], weft) as (...args: unknown[]) => Tensor;
    const inputs = test.inputs.map(make);
    const value = (x: Tensor) => loss(x, ...inputs.slice(1), ...((test.options ?? []) as unknown[]));
    await near("value", value(inputs[0]!), test.output);
    await near("slope", grad((x: Tensor) => value(x).sum())(inputs[0]!), test.slope, 1e-4);
  });
});

describe("optimizers", () => {
  it.each(of("optimizer").map((test) => [test.name, test] as const))("%s", async (_, test) => {
    const parameters = test.start.map((start) => new Parameter(make(start)));
    const optimizer = optim[test.rule](parameters, test.options);
    for (const [n, slopes] of test.slopes.entries()) {
      optimizer.step(slopes.map(make));
      for (const [p, expected] of (test.path[n] ?? []).entries()) await near(`parameter ${p} after ${n + 1} steps`, parameters[p]!, expected, 5e-5);
    }
  });
});

describe("schedules", () => {
  it.each(of("schedule").map((test) => [test.name, test] as const))("%s", (_, test) => {
    const rate = optim.schedule[test.schedule](...test.args);
    // optax computes some of them in f32.
    test.at.forEach((step, n) => expect([step, Math.abs(rate(step) - test.rates[n]!) < 1e-7]).toEqual([step, true]));
  });
});
