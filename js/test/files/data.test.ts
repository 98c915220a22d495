// IDX files and batches of training examples.

import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { data, tensor } from "../../src/index.js";
import { pixelsOf } from "../../src/canvas/pixels.js";
import { errorOf, onCpu, values } from "../support/cpu.js";

onCpu();

const header = [0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3];
const file = Uint8Array.of(...header, 1, 2, 3, 4, 5, 255);

describe("IDX files", () => {
  it("are read, gzipped or not", async () => {
    for (const bytes of [file, file.buffer, gzipSync(file), Buffer.from(file)]) {
      const read = data.idx(bytes);
      expect([read.shape, read.dtype]).toEqual([[2, 3], "u8"]);
      expect(read.data).toEqual(Uint8Array.of(1, 2, 3, 4, 5, 255));
      expect(read.tensor().dtype).toBe("i32");
      expect(await read.tensor({ dtype: "f32" }).array()).toEqual([[1, 2, 3], [4, 5, 255]]);
    }
  });

  it("that are damaged are refused", () => {
    const gzipped = gzipSync(file);
    const damaged = [file.slice(0, 15), file.slice(0, 3), new Uint8Array(0), gzipped.subarray(0, 20), Buffer.from("<html>")];
    for (const bytes of damaged) expect(errorOf(() => data.idx(bytes))).toBeInstanceOf(weft.FormatError);
    expect(errorOf(() => data.idx("text" as never))).toBeInstanceOf(weft.FormatError);
  });
});

describe("batches", () => {
  it("walk in order, and free what they lent", async () => {
    const x = tensor([[1], [2], [3], [4], [5]]);
    const before = weft.memory().tensors;
    const seen: number[][] = [];
    for (const [a, b] of data.batches([x, [10, 20, 30, 40, 50]], { size: 2 })) {
      seen.push([...(await values(a)), ...(await values(b))]);
    }
    expect(seen).toEqual([[1, 2, 10, 20], [3, 4, 30, 40], [5, 50]]);
    expect(weft.memory().tensors).toBe(before);
    for (const [_batch] of data.batches([x])) break;
    expect(weft.memory().tensors).toBe(before);
    expect([...data.batches([x], { size: 2, dropLast: true })]).toHaveLength(2);
    expect(data.batchCount(5, { size: 2 })).toBe(3);
  });

  it("walk by for await too, and free what they lent", async () => {
    const x = tensor([[1], [2], [3]]);
    const before = weft.memory().tensors;
    const seen: number[][] = [];
    for await (const [a] of data.batches([x], { size: 2 })) seen.push(await values(a));
    expect(seen).toEqual([[1, 2], [3]]);
    for await (const [_batch] of data.batches([x])) break;
    expect(weft.memory().tensors).toBe(before);
  });

  it("walk in random order that can be repeated", async () => {
    const walk = async (shuffle: boolean | number) => {
      const seen: number[] = [];
      for (const [batch] of data.batches([weft.arange(50)], { size: 8, shuffle })) seen.push(...(await values(batch)));
      return seen;
    };
    const once = await walk(3);
    expect(once).not.toEqual(Array.from({ length: 50 }, (_, i) => i));
    expect([...once].sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i));
    expect(await walk(3)).toEqual(once);
  });

  it("must fit each other", () => {
    expect(errorOf(() => [...data.batches([[1, 2], [1]])])).toBeInstanceOf(weft.ShapeError);
    expect(errorOf(() => [...data.batches([[1, 2]], { size: 0 })])).toBeInstanceOf(weft.ValueError);
    expect(errorOf(() => [...data.batches([tensor(1)])])).toBeInstanceOf(weft.ShapeError);
  });
});

describe("drawing on the CPU", () => {
  it("stretches the tensor over the canvas", () => {
    const picture = { rows: 1, columns: 2, channels: 1, low: 0, high: 1, colormap: "gray", flip: false } as const;
    const pixels = pixelsOf({ ...picture, data: Float32Array.of(0, NaN) }, 4, 1);
    expect(Array.from(pixels)).toEqual([0, 0, 0, 255, 0, 0, 0, 255, 255, 0, 255, 255, 255, 0, 255, 255]);
  });

  it("draws colours, and upside down", () => {
    const picture = { rows: 2, columns: 1, channels: 4, low: 0, high: 255, colormap: "gray", flip: true } as const;
    const pixels = pixelsOf({ ...picture, data: Uint32Array.of(1, 2, 3, 4, 5, 6, 7, 8) }, 1, 2);
    expect(Array.from(pixels)).toEqual([5, 6, 7, 8, 1, 2, 3, 4]);
  });
});
