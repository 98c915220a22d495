// Does every operation, called by its JavaScript name, give what NumPy and JAX give? The committed cases of `tests/conformance` on
// the CPU device: what is tested here is the way from JavaScript to the core, as the core runs the same cases on GPUs.

import { expect, it } from "vitest";
import * as weft from "../src/index.js";
import type { Tensor } from "../src/index.js";
import { call, cases, check, inputsOf, make, type TensorJson } from "./cases.js";
import { errorOf, onCpu } from "./cpu.js";

onCpu();

it.each(["unary", "binary", "reduce", "view", "matmul", "nn", "index", "create", "promote", "random"])("%s", async (group) => {
  for (const test of cases(group)) {
    const inputs = inputsOf(test);
    const result = weft.tidy(() => call(test, inputs));
    await check(test.name, result, test.expected, test.tolerance);
  }
});

it("gradients", async () => {
  for (const test of cases("gradients")) {
    const inputs = inputsOf(test);
    const weights = make(test.weights);
    const directions = (test.directions ?? []).map(make);
    const first = inputs.findIndex((input) => typeof input !== "number");
    const differentiated = directions.length > 0 ? [first] : inputs.flatMap((_, i) => (test.gradients[i] ? [i] : []));
    const expected = test.gradients.filter((gradient) => gradient !== null);
    const score = (...args: Tensor[]): Tensor => call(test, args).mul(weights).sum();
    let gradient = weft.grad(score, { argnums: differentiated });
    for (const direction of directions) {
      const inner = gradient;
      gradient = weft.grad((...args: Tensor[]) => (inner(...args)[0] as Tensor).mul(direction).sum(), { argnums: differentiated });
    }
    const found = gradient(...(inputs as Tensor[]));
    for (const [i, argument] of differentiated.entries()) {
      await check(`${test.name} by input ${argument}`, found[i] as Tensor, expected[i] as TensorJson, test.tolerance);
    }
  }
});

it("errors", () => {
  for (const test of cases("errors")) {
    const error = errorOf(() => call(test, inputsOf(test)));
    expect([test.name, error.name]).toEqual([test.name, test.error]);
    for (const mention of test.mentions) expect(`${test.name}: ${error.message}`).toContain(mention);
  }
});
