// Tensors: making, reading, printing and freeing them.

import { describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { arange, eye, full, linspace, ones, Tensor, tensor, zeros } from "../../src/index.js";
import { collected } from "../support/collector.js";
import { errorOf, onCpu, values } from "../support/cpu.js";

onCpu();

describe("making tensors", () => {
  it("takes numbers, nested arrays and typed arrays", async () => {
    const matrix = tensor([[1, 2, 3], [4, 5, 6]]);
    expect([matrix.shape, matrix.dtype, matrix.size, matrix.ndim]).toEqual([[2, 3], "f32", 6, 2]);
    expect(await matrix.array()).toEqual([[1, 2, 3], [4, 5, 6]]);
    expect(await tensor(5).item()).toBe(5);
    expect(tensor(5).shape).toEqual([]);
    expect(await tensor([true, false]).array()).toEqual([true, false]);
    expect(await tensor([true, false]).data()).toEqual(Uint8Array.of(1, 0));
    expect(tensor([new Float32Array([1, 2]), new Float32Array([3, 4])]).shape).toEqual([2, 2]);
  });

  it("chooses the dtype by the data, or as asked", async () => {
    expect(tensor(new Int16Array(2)).dtype).toBe("i32");
    expect(tensor(new Uint8Array(2)).dtype).toBe("u32");
    expect(tensor(new Float64Array(2)).dtype).toBe("f32");
    expect(await tensor([1.7, -1.7], { dtype: "i32" }).data()).toEqual(Int32Array.of(1, -1));
    expect(await tensor(new Uint8Array([0, 200]), { dtype: "f32" }).data()).toEqual(Float32Array.of(0, 200));
    expect(tensor([0, 3], { dtype: "bool" }).dtype).toBe("bool");
  });

  it("shapes flat data", async () => {
    expect(await tensor(new Float32Array([1, 2, 3, 4]), { shape: [2, 2] }).array()).toEqual([[1, 2], [3, 4]]);
  });

  it("makes them by rule", async () => {
    expect(await zeros([2]).array()).toEqual([0, 0]);
    expect(await ones([1, 2], { dtype: "i32" }).array()).toEqual([[1, 1]]);
    expect(await full([2], true).array()).toEqual([true, true]);
    expect(await arange(3).data()).toEqual(Int32Array.of(0, 1, 2));
    expect(await arange(1, 2, 0.5).data()).toEqual(Float32Array.of(1, 1.5));
    expect(await linspace(0, 1, 3).array()).toEqual([0, 0.5, 1]);
    expect(await eye(2).array()).toEqual([[1, 0], [0, 1]]);
    expect(await weft.onesLike(tensor([1, 2], { dtype: "i32" })).data()).toEqual(Int32Array.of(1, 1));
  });

  it("takes empty tensors", async () => {
    expect(tensor([]).shape).toEqual([0]);
    expect(tensor([[], []]).shape).toEqual([2, 0]);
    expect(await tensor([]).data()).toEqual(new Float32Array(0));
    expect(await tensor([]).sum().item()).toBe(0);
    expect(errorOf(() => tensor([]).max())).toBeInstanceOf(weft.ShapeError);
  });
});

describe("bad data", () => {
  it("names what is ragged", () => {
    const ragged = errorOf(() => tensor([[1, 2], [3]]));
    expect(ragged).toBeInstanceOf(weft.ShapeError);
    expect(ragged.message).toBe("tensor: ragged: [1] has length 1 where others have 2");
    expect(errorOf(() => tensor([[1], 2])).message).toContain("[1] is a number where an array of 1 was expected");
    expect(errorOf(() => tensor([1, [2]])).message).toContain("[1] is an array where a number was expected");
  });

  it("refuses what is no number", () => {
    expect(errorOf(() => tensor(["1"] as never))).toBeInstanceOf(weft.ValueError);
    expect(errorOf(() => tensor(null as never)).message).toContain("got null");
    expect(errorOf(() => tensor([1], { dtype: "f64" as never }))).toBeInstanceOf(weft.DTypeError);
  });

  it("refuses shapes that do not fit", () => {
    const error = errorOf(() => tensor([1, 2, 3], { shape: [2, 2] }));
    expect(error).toBeInstanceOf(weft.ShapeError);
    expect(error.message).toBe("tensor: 3 elements do not fill [2,2], which takes 4");
    expect(errorOf(() => zeros([-1]))).toBeInstanceOf(weft.ShapeError);
    expect(errorOf(() => zeros([1.5]))).toBeInstanceOf(weft.ShapeError);
  });
});

describe("reading", () => {
  it("reads one element", async () => {
    expect(await tensor([[7]]).item()).toBe(7);
    expect(await tensor([1, 2]).sum().greater(2).item()).toBe(1);
    await expect(tensor([1, 2]).item()).rejects.toThrow("item: f32[2] has 2 elements, not one");
  });

  it("hands out copies", async () => {
    const x = tensor([1, 2]);
    (await x.data())[0] = 9;
    expect(await values(x)).toEqual([1, 2]);
    const source = new Float32Array([1, 2]);
    const y = tensor(source);
    source[0] = 9;
    expect(await values(y.add(0))).toEqual([1, 2]);
    expect(await values(y)).toEqual([1, 2]);
  });

  it("keeps reading a tensor that is disposed meanwhile", async () => {
    const x = tensor([1, 2]).mul(2);
    const reading = x.data();
    x.dispose();
    expect(await reading).toEqual(Float32Array.of(2, 4));
  });
});

describe("printing", () => {
  it("prints dtype, shape and values that are known", async () => {
    expect(String(tensor([1, 2.5]))).toBe("Tensor f32[2] [  1, 2.5]");
    expect(String(tensor([[1, 2], [3, 4]]))).toBe("Tensor f32[2,2]\n[[1, 2],\n [3, 4]]");
    expect(String(tensor(3).mul(2))).toBe("Tensor f32[]");
    const x = tensor([1, 2]).add(1);
    await x.data();
    expect(`${x}`).toBe("Tensor f32[2] [2, 3]");
    x.dispose();
    expect(`${x}`).toBe("Tensor f32[2] (disposed)");
  });

  it("elides many values", () => {
    const text = String(tensor(Float32Array.from({ length: 1000 }, (_, i) => i), { shape: [100, 10] }));
    expect(text.split("\n")).toHaveLength(8);
    expect(text).toContain("…");
  });

  it("prints in Node's console", async () => {
    const { inspect } = await import("node:util");
    expect(inspect({ x: tensor([true]) })).toBe("{ x: Tensor bool[1] [true] }");
  });
});

describe("printing in a browser", () => {
  it("is by a formatter that leaves other values alone", () => {
    const [formatter] = (globalThis as unknown as { devtoolsFormatters: { header(value: unknown): unknown }[] }).devtoolsFormatters;
    expect(formatter?.header(tensor([1]))).toEqual(["span", { style: "white-space: pre" }, "Tensor f32[1] [1]"]);
    expect(formatter?.header({})).toBe(null);
  });
});

describe("JavaScript's operators", () => {
  it("are refused with advice", () => {
    const x = tensor([1]) as unknown as number;
    for (const misuse of [() => x + 1, () => x * 2, () => x > 0, () => +x]) {
      expect(errorOf(misuse)).toBeInstanceOf(weft.ValueError);
      expect(errorOf(misuse).message).toContain("use methods such as add");
    }
  });
});

describe("lifetime", () => {
  it("ends with dispose", async () => {
    const x = tensor([1, 2]);
    const y = x.add(1);
    x.dispose();
    x.dispose();
    expect(x.disposed).toBe(true);
    const error = errorOf(() => x.add(1));
    expect(error).toBeInstanceOf(weft.DisposedError);
    await expect(x.data()).rejects.toBeInstanceOf(weft.DisposedError);
    expect(await values(y)).toEqual([2, 3]);
  });

  it("ends with the block of `using`", () => {
    let outside: Tensor;
    {
      using x = tensor([1]);
      outside = x;
    }
    expect(outside.disposed).toBe(true);
  });

  it("ends with tidy, except for what is returned or kept", async () => {
    const before = weft.memory().tensors;
    let kept: Tensor | undefined;
    const { a, list } = weft.tidy(() => {
      const x = tensor([1, 2]);
      kept = weft.keep(x.mul(3));
      return { a: x.add(1), list: [x.sub(1)] };
    });
    expect(weft.memory().tensors).toBe(before + 3);
    expect(await values(a)).toEqual([2, 3]);
    expect(await values(list[0] as Tensor)).toEqual([0, 1]);
    expect(await values(kept as Tensor)).toEqual([3, 6]);
    for (const tensor of [a, ...list, kept as Tensor]) tensor.dispose();
    expect(weft.memory().tensors).toBe(before);
  });

  it("nests tidy and frees on exceptions", () => {
    const before = weft.memory().tensors;
    const outer = weft.tidy(() => {
      const inner = weft.tidy(() => tensor([1]).add(1));
      return inner.mul(2);
    });
    expect(weft.memory().tensors).toBe(before + 1);
    outer.dispose();
    expect(() => weft.tidy(() => tensor([1]).add(tensor([1, 2]).add([1, 2, 3])))).toThrow(weft.ShapeError);
    expect(weft.memory().tensors).toBe(before);
    expect(errorOf(() => weft.tidy(async () => tensor([1])))).toBeInstanceOf(weft.TraceError);
    expect(weft.memory().tensors).toBe(before);
  });

  it("stands as text in JSON, and shows nothing of how it is held", () => {
    expect(JSON.stringify({ x: tensor([1, 2]) })).toBe('{"x":"Tensor f32[2] [1, 2]"}');
    expect(Object.keys(tensor([1]))).toEqual([]);
  });

  it("ends at last with garbage collection", async () => {
    const before = weft.memory().tensors;
    (() => {
      for (let i = 0; i < 100; i++) tensor([i]).add(1);
    })();
    expect(weft.memory().tensors).toBe(before + 200);
    expect(await collected(before + 20)).toBeLessThanOrEqual(before + 20);
  });
});

describe("iteration", () => {
  it("walks the first axis", async () => {
    const [first, second] = tensor([[1, 2], [3, 4]]);
    expect(await values(first as Tensor)).toEqual([1, 2]);
    expect(await values(second as Tensor)).toEqual([3, 4]);
    expect(errorOf(() => [...tensor(1)])).toBeInstanceOf(weft.ShapeError);
  });
});
