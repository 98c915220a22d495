// Pixels as tensors. Sources that only browsers have (files, canvases, videos) are tested in one:
// `playwright/tests/outputs/pictures-in.test.mjs`.

import { expect, it } from "vitest";
import { data, ValueError, type Tensor } from "../../src/index.js";
import { onCpu } from "../support/cpu.js";

onCpu();

// Two rows of three pixels.
const bytes = Uint8ClampedArray.from({ length: 24 }, (_, n) => (n * 37) % 256);
const pixels = { width: 3, height: 2, data: bytes };

it("pixels keep their row, column and channel", async () => {
  const opaque = await data.image(pixels);
  expect([opaque.dtype, opaque.shape]).toEqual(["u8", [2, 3, 3]]);
  const expected = [...bytes].filter((_, n) => n % 4 !== 3);
  expect([...(await opaque.data())]).toEqual(expected);
  const whole = await data.image(pixels, { channels: 4 });
  expect([whole.shape, [...(await whole.data())]]).toEqual([[2, 3, 4], [...bytes]]);
  const floats = await data.image({ ...pixels, data: new Uint8Array(bytes) }, { dtype: "f32" });
  expect([floats.dtype, [...(await floats.data())]]).toEqual(["f32", expected.map((byte) => Math.fround(byte / 255))]);
});

it("how bright they are is as Pillow counts it", async () => {
  const colours = [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 0, 10, 20, 30, 40];
  const gray = await data.image({ width: 5, height: 1, data: Uint8Array.from(colours) }, { channels: 1 });
  expect([gray.shape, [...(await gray.data())]]).toEqual([[1, 5, 1], [76, 150, 29, 255, 18]]);
});

it("the tensor has bytes of its own", async () => {
  const own = bytes.slice();
  const whole = await data.image({ ...pixels, data: own }, { channels: 4 });
  own.fill(0);
  expect([...(await whole.data())]).toEqual([...bytes]);
});

it("says what is wrong", async () => {
  const refusal = async (source: unknown, options?: unknown) => {
    const error = await (data.image as (...args: unknown[]) => Promise<Tensor>)(source, options).then(() => null, (error: unknown) => error);
    expect(error).toBeInstanceOf(ValueError);
    return (error as Error).message;
  };
  expect(await refusal(pixels, { channels: 2 })).toMatch(/1, 3 or 4 channels of "u8" or "f32", not 2 of "u8"/);
  expect(await refusal(pixels, { dtype: "i32" })).toMatch(/not 3 of "i32"/);
  expect(await refusal({ ...pixels, width: 4 })).toMatch(/there are 24 bytes for 4 × 2 pixels/);
  expect(await refusal({ width: 0, height: 2, data: new Uint8Array(0) })).toMatch(/there are 0 bytes for 0 × 2 pixels/);
  expect(await refusal({ ...pixels, data: new Float32Array(24) })).toMatch(/^image: /);
  expect(await refusal({ width: 0, height: 0 })).toMatch(/an object has no pixels: .* was closed/);
  for (const junk of [null, undefined, 5, "x.png", {}, [1]]) expect(await refusal(junk)).toMatch(/^image: takes a picture, got/);
});
