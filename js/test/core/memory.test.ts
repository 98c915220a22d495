// Exhausted memory on the CPU device. An `OutOfMemoryError` names the operation; existing tensors
// stay, and freed memory can be used again. The tests make the machine small, so that it is full
// soon.

import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { arange, init, ones, tensor, tidy, type Tensor } from "../../src/index.js";
import { errorOf, values } from "../support/cpu.js";
import { limitedWasm } from "../support/limited.js";

const MIB = 2 ** 20;

const elements = (4 * MIB) / 4;
let x: Tensor;
/** What copies are made of. */
let ordered: Tensor;
beforeAll(async () => {
  await init({ device: "cpu", wasm: limitedWasm(96 * MIB) });
  ordered = tensor(new Float32Array(elements));
});
beforeEach(() => {
  x = tensor([1, 2, 3]);
});

async function expectSound(): Promise<void> {
  expect(await values(x.add(1))).toEqual([2, 3, 4]);
  expect(await values(ones([3]).add(1))).toEqual([2, 2, 2]);
}

function realized(tensor: Tensor): Tensor {
  weft.realize(tensor);
  return tensor;
}

/** Keeps what `make` makes until there is no memory left, and returns the error and what was
 * made. */
function untilFull(make: (i: number) => Tensor): [Error & { op?: string }, Tensor[]] {
  const made: Tensor[] = [];
  const error = errorOf(() => {
    for (let i = 0; i < 1e6; i++) made.push(make(i));
  });
  return [error, made];
}

const roads: Record<string, [RegExp, (i: number) => Tensor]> = {
  "operations": [/^(iota|cast|add)$/, () => realized(arange(elements).cast("f32").add(1))],
  "casts": [/^(iota|cast)$/, () => realized(arange(elements).cast("f32"))],
  "padding": [/^pad$/, () => realized(ones([1]).pad([[0, elements]]))],
  "products": [/^contract$/, () => realized(ones([1024, 8]).matmul(ones([8, 1024])))],
  "copies into order": [/^reshape$/, () => realized(ordered.reshape([-1, 4]).transpose().reshape([-1]))],
  "uploads": [/^tensor$/, () => tensor(new Float32Array(elements))],
  "many small uploads": [/^tensor$/, () => tensor(new Float32Array(50_000))],
};

describe("memory that runs out", () => {
  it.each(Object.keys(roads))("by %s is reported, and harms nothing", async (name) => {
    const [op, make] = roads[name] as [RegExp, (i: number) => Tensor];
    const counts: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const [error, made] = untilFull(make);
      try {
        expect(error).toBeInstanceOf(weft.OutOfMemoryError);
        expect(error.op).toMatch(op);
        expect(error.message).toMatch(/\d+ bytes/);
        await expectSound();
        counts.push(made.length);
      } finally {
        for (const tensor of made) tensor.dispose();
      }
    }
    // Freed is free.
    expect(counts[2]).toBeGreaterThanOrEqual((counts[1] as number) - 1);
    expect(counts[0]).toBeGreaterThan(1);
  });

  it("at a size that no device has is reported too", async () => {
    for (let i = 0; i < 3; i++) {
      const error = errorOf(() => weft.realize(arange(2 ** 28).cast("f32").add(1)));
      expect(error).toBeInstanceOf(weft.OutOfMemoryError);
      await expectSound();
    }
  });

  it("when it is read or comes as a file is reported too", async () => {
    const [, made] = untilFull(() => realized(arange(elements).cast("f32")));
    const reads = await Promise.allSettled(made.map((tensor) => tensor.data()));
    for (const read of reads) if (read.status === "rejected") expect(read.reason).toBeInstanceOf(weft.OutOfMemoryError);
    expect(errorOf(() => weft.data.idx(new Uint8Array(256 * MIB)))).toBeInstanceOf(weft.OutOfMemoryError);
    await expectSound();
    for (const tensor of made) tensor.dispose();
    const kept = realized(arange(elements).cast("f32"));
    expect((await kept.data()).at(-1)).toBe(elements - 1);
    kept.dispose();
  });

  it("in a chain of temporaries that are freed on the way is not missed: there is enough", async () => {
    for (let i = 0; i < 20; i++) {
      const y = tidy(() => arange(elements).cast("f32").mul(2).add(1).tanh().sum());
      expect(await y.item()).toBeGreaterThan(0);
      y.dispose();
    }
  });
});
