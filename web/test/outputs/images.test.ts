// Pictures of tensors: which axes are rows, columns, colours and a batch.
import { describe, expect, it, vi } from "vitest";
import { fromWorker } from "../../src/protocol/messages";
import { layoutOf } from "../../src/worker/library/render";

class Bitmap {}
vi.stubGlobal("ImageBitmap", Bitmap);

const layout = (shape: number[], tiles: boolean) => {
  const { count, height, width, channels } = layoutOf(shape, "image", tiles);
  return [count, height, width, channels];
};

describe("pictures of tensors", () => {
  it.each([
    [[5, 6], false, [1, 5, 6, 1]],
    [[8, 9, 3], false, [1, 8, 9, 3]],
    [[8, 9, 7], false, [8, 9, 7, 1]],
    [[8, 9, 3], true, [8, 9, 3, 1]],
    [[8, 3, 4], true, [8, 3, 4, 1]],
    [[2, 5, 6, 3], true, [2, 5, 6, 3]],
    [[5, 6], true, [1, 5, 6, 1]],
  ])("%j, where columns or captions are given: %j", (shape, tiles, expected) => expect(layout(shape, tiles)).toEqual(expected));

  it("refuses what is none", () => {
    expect(() => layout([5], false)).toThrow("image: [5] is not an image, which has two axes or more: plot(t) draws a curve");
    expect(() => layout([0, 4, 4], true)).toThrow("image: [0,4,4] has no pixels");
  });
});

describe("a picture that a worker sends", () => {
  const sent = (more: object) => fromWorker({ type: "output", run: 1, output: 1, content: { kind: "image", title: "", bitmap: new Bitmap(), tile: { width: 4, height: 4 }, columns: 2, count: 2, omitted: 0, scale: 1, labels: [], legend: null, smooth: false, touch: false, ...more } });
  it("may say that its columns are fixed, and its own sizes", () => {
    expect([sent({}), sent({ fixed: true }), sent({ sizes: [[1, 2], [3, 4]] })]).toEqual([true, true, true]);
  });
  it.each([{ fixed: 1 }, { sizes: [[0, 1]] }, { sizes: [[1, 1e9]] }, { sizes: [[1]] }, { sizes: [[1, NaN]] }, { sizes: Array(5_000).fill([1, 1]) }, { sizes: "[[1, 1]]" }])("is refused with %j", (more) => expect(sent(more)).toBe(false));
});
