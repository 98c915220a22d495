// Transfers of tensors larger than the core's own memory, to the device and back, bit for bit.

import { beforeAll, expect, it } from "vitest";
import { DisposedError, init, realize, ShapeError, tensor, type DType } from "../../src/index.js";
import { dawn } from "../support/dawn.js";
import { limitedWasm } from "../support/limited.js";

const MIB = 2 ** 20;

// With less memory than the first tensor takes: what passed through it would not fit.
beforeAll(async () => {
  await init({ device: "webgpu", gpu: await dawn(), wasm: limitedWasm(80 * MIB), tune: false });
});

/** Whether two have the same elements: what `toEqual` says, but in no time. */
const same = (a: ArrayLike<unknown>, b: ArrayLike<unknown>): boolean => {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return a.length === b.length;
};

/** Whole numbers that every dtype holds, in an order that no piece of an upload repeats. */
const numbers = (length: number) => Float32Array.from({ length }, (_, i) => (i * 7919 + (i >> 10)) % 113);

it("past the core's memory", async () => {
  const given = numbers((96 * MIB) / 4);
  const x = tensor(given);
  const read = (await x.data()) as Float32Array;
  expect(same(read, given)).toBe(true);
  // What was read is the reader's: changing it changes nothing.
  read.fill(0);
  const y = x.add(1);
  x.dispose();
  expect(same((await y.data()) as Float32Array, given.map((v) => v + 1))).toBe(true);
  y.dispose();
});

it.each(["f32", "i32", "u32", "f16", "i8", "u8", "bool"] as DType[])("of %s, in pieces of which the last is short", async (dtype) => {
  const given = numbers(4 * MIB + MIB / 2 + 5).map((v) => (dtype === "bool" ? v % 2 : v));
  const x = tensor(given, { dtype });
  expect(same(await x.data(), given)).toBe(true);
  x.dispose();
});

it("from and as a part of a larger array, and of another shape", async () => {
  const whole = numbers(MIB + 100);
  const part = whole.subarray(50, MIB + 53);
  const x = tensor(part);
  expect(same(await x.data(), part)).toBe(true);
  expect(await x.reshape([-1, 1]).slice([1, 4]).data()).toEqual(part.slice(1, 4));
  expect(() => tensor(part, { shape: [3, 3] })).toThrow(ShapeError);
});

it("behind work that waits, in the order of the calls", async () => {
  const n = 256;
  let product = tensor(numbers(n * n), { shape: [n, n] }).mul(1e-3);
  for (let turn = 0; turn < 8; turn++) {
    product = product.matmul(product).mul(1e-5);
    realize(product);
  }
  const given = numbers(MIB + 3);
  const x = tensor(given);
  const [sum, back] = await Promise.all([product.mul(0).sum().item(), x.data()]);
  expect(sum).toBe(0);
  expect(same(back, given)).toBe(true);
});

it("not after it was disposed", async () => {
  const x = tensor(numbers(MIB));
  const reading = x.data();
  x.dispose();
  expect(((await reading) as Float32Array)[3]).toBe(numbers(4)[3]);
  await expect(Promise.resolve().then(() => x.data())).rejects.toThrow(DisposedError);
});
