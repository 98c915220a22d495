// Deferred functions whose code a function fetches when it is needed, as where pages fetch for
// workers that cannot.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { init, preload, sort, tensor } from "../../src/index.js";
import { errorOf, values, wasmBytes } from "../support/cpu.js";
import { dawn } from "../support/dawn.js";

it("is called when something needs it; what needs it at once says so", { timeout: 120_000 }, async () => {
  let asked = 0;
  const rest = () => (asked++, Promise.resolve(readFileSync(new URL("../../wasm/weft_wasm_rest.wasm", import.meta.url))));
  await init({ device: "webgpu", gpu: await dawn(), wasm: wasmBytes(), rest });
  expect(await values(tensor([1, 2]).add(1))).toEqual([2, 3]);
  expect(asked).toBe(0);
  expect(errorOf(() => sort([2, 1])).message).toBe("sort: this part of Weft is still to be fetched: `await preload()` before");
  await preload();
  expect(asked).toBe(1);
  expect(await values(sort([2, 1]))).toEqual([1, 2]);
});
