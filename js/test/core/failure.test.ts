// Failures of the core itself, in the middle of a call or between calls. One clear error reports
// each; nothing hangs; and `init` starts another instance, which the remains of the first cannot
// reach.

import { describe, expect, it, vi } from "vitest";
import * as weft from "../../src/index.js";
import { init, jit, nn, optim, tensor, valueAndGrad, type Tensor } from "../../src/index.js";
import { room } from "../../src/core/wasm/stack.js";
import { collect } from "../support/collector.js";
import { errorOf, values, wasmBytes } from "../support/cpu.js";

const start = () => init({ device: "cpu", wasm: wasmBytes() });

/** An IDX file of three bytes. */
const file = Uint8Array.of(0, 0, 8, 1, 0, 0, 0, 3, 7, 8, 9);

/** Runs `body` while copying bytes into or out of the core throws, in the midst of it. */
async function whileCopiesFail<R>(type: Uint8ArrayConstructor | Uint32ArrayConstructor, body: () => R): Promise<Awaited<R>> {
  const set = vi.spyOn(type.prototype, "set").mockImplementation(() => {
    throw new Error("no copy today");
  });
  try {
    return await body();
  } finally {
    set.mockRestore();
  }
}

const fail = () => whileCopiesFail(Uint8Array, () => errorOf(() => weft.data.idx(file)));

describe("a core that fails in the middle of a call", () => {
  it("says so, then and later, and is replaced by init", async () => {
    const info = await start();
    const x = tensor([1, 2, 3]).mul(2);
    const error = await fail();
    expect(error).toBeInstanceOf(weft.InternalError);
    expect(error.message).toMatch(/no copy today.*await init\(\)/);

    expect(errorOf(() => weft.ones([3]).add(1))).toBeInstanceOf(weft.DeviceLostError);
    expect(errorOf(() => weft.ones([3]).add(1)).message).toMatch(/await init\(\).*no copy today/);
    expect(errorOf(() => x.add(1))).toBeInstanceOf(weft.WeftError);
    await expect(x.data()).rejects.toBeInstanceOf(weft.WeftError);
    await expect(weft.synchronize()).rejects.toBeInstanceOf(weft.DeviceLostError);
    expect(String(x)).toContain("disposed");
    expect(x.disposed).toBe(true);
    const loss = await info.lost;
    expect(loss).toBeInstanceOf(weft.DeviceLostError);
    expect(loss.cause).toBeInstanceOf(weft.InternalError);

    const again = await init({ device: "cpu" });
    expect(again).not.toBe(info);
    expect(weft.deviceInfo()).toBe(again);
    expect(await values(weft.ones([3]).add(1))).toEqual([2, 2, 2]);
    expect(weft.data.idx(file).shape).toEqual([3]);
    expect(errorOf(() => x.add(1))).toBeInstanceOf(weft.DisposedError);
    await expect(x.data()).rejects.toBeInstanceOf(weft.DisposedError);
  });

  it("is replaced also where there was no stack left to report it", async () => {
    await start();
    const x = tensor([1, 2]);
    const telling = vi.spyOn(Object, "defineProperty").mockImplementationOnce(() => {
      throw new RangeError("Maximum call stack size exceeded");
    });
    await whileCopiesFail(Uint8Array, () => expect(() => weft.data.idx(file)).toThrow(RangeError));
    telling.mockRestore();
    expect(errorOf(() => weft.ones([3]).add(1))).toBeInstanceOf(weft.DeviceLostError);
    expect(errorOf(() => x.add(1))).toBeInstanceOf(weft.WeftError);
    await start();
    expect(await values(weft.ones([3]).add(1))).toEqual([2, 2, 2]);
  });

  it("again and again", async () => {
    for (let i = 0; i < 20; i++) {
      await start();
      expect(await values(tensor([i]).add(1))).toEqual([i + 1]);
      await fail();
    }
  });

  it("takes nothing of the next one along, whatever is freed late", async () => {
    await start();
    let old: Tensor[] | null = Array.from({ length: 50 }, (_, i) => tensor([i]).mul(1));
    const parameter = new nn.Parameter([1]);
    const optimizer = optim.adam(parameter);
    await fail();
    await start();
    const tensors = Array.from({ length: 50 }, (_, i) => tensor([i]).mul(2));
    const other = new nn.Parameter([5]);
    const second = optim.sgd(other, { lr: 1 });
    for (const tensor of old.slice(0, 25)) tensor.dispose();
    parameter.dispose();
    optimizer.dispose();
    old = null;
    await collect();
    weft.realize(...tensors);
    expect(await Promise.all(tensors.map((tensor) => tensor.item()))).toEqual(tensors.map((_, i) => 2 * i));
    second.step([tensor([1])]);
    expect(await values(other)).toEqual([4]);
  });

  it("leaves functions that can be captured anew, and names what cannot be had again", async () => {
    await start();
    let traced = 0;
    const double = jit((x: Tensor) => {
      traced++;
      return x.mul(2);
    });
    const w = new nn.Parameter([1, 2]);
    const optimizer = optim.sgd(w);
    const step = jit((x: Tensor) => {
      const [loss, gradient] = valueAndGrad((w: nn.Parameter, x: Tensor) => w.mul(x).sum())(w, x);
      optimizer.step(gradient);
      return loss;
    });
    step(tensor([1, 2]));
    expect(await values(double(tensor([1, 2])))).toEqual([2, 4]);
    await fail();
    await start();
    expect(await values(double(tensor([3, 4])))).toEqual([6, 8]);
    expect(await values(double(tensor([5, 6])))).toEqual([10, 12]);
    expect(traced).toBe(2);
    expect(errorOf(() => step(tensor([1, 2])))).toBeInstanceOf(weft.DisposedError);
    expect(errorOf(() => optimizer.step([tensor([1, 2])]))).toBeInstanceOf(weft.DisposedError);
    expect(errorOf(() => optimizer.lr)).toBeInstanceOf(weft.DisposedError);
    // The failed attempts left no transform and no trace open.
    expect(await values(double(tensor([7, 8])))).toEqual([14, 16]);
    expect(traced).toBe(2);
  });
});

describe("a core that fails between calls", () => {
  it("rejects what waits for it", async () => {
    await start();
    const x = tensor(Float32Array.from({ length: 5000 }, (_, i) => i)).add(1);
    await whileCopiesFail(Uint32Array, async () => {
      const [first, second] = [x.data(), x.data()];
      await expect(first).rejects.toThrow("no copy today");
      await expect(second).rejects.toBeInstanceOf(weft.WeftError);
    });
    expect(errorOf(() => x.add(1))).toBeInstanceOf(weft.DeviceLostError);
    await start();
    expect(await values(tensor([1]).add(1))).toEqual([2]);
  });
});

describe("a stack that runs out inside of the core", () => {
  // Frames of other sizes have it run out elsewhere: in the core, in its caller, and in the code
  // that reports it.
  it.each([0, 1, 2, 3, 5, 8, 13, 21, 34, 55])("is reported like any failure, should it happen, with %i more in a frame", async (more) => {
    await start();
    // As if asking for room had found some.
    const spy = vi.spyOn(room, "ask").mockImplementation(() => undefined);
    const x = tensor([1]);
    const f = (x: Tensor, ...others: number[]): Tensor => f(x.add(1), ...others);
    let error: unknown;
    try {
      f(x, ...new Array<number>(more).fill(0));
    } catch (thrown) {
      error = thrown;
    }
    spy.mockRestore();
    if (!(error instanceof weft.DeviceLostError)) expect(error).toBeInstanceOf(RangeError);
    await start();
    expect(await values(tensor([1]).add(1))).toEqual([2]);
  });
});

describe("a convolution whose padded input is too large to count", () => {
  it.each([{ stride: 2147483647, padding: 2147483647 }, { padding: 1e9, inputDilation: 1e9 }])("is refused when it is asked for: %o", async (options) => {
    await start();
    const error = errorOf(() => weft.conv(weft.ones([1, 1, 5]), weft.ones([1, 1, 3]), options));
    expect(error).toBeInstanceOf(weft.ShapeError);
    expect(error.message).toMatch(/^conv: .*more than 2\^31/);
    expect(await values(weft.ones([2]).add(1))).toEqual([2, 2]);
  });
});
