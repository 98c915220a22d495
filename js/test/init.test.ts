import { describe, expect, it } from "vitest";
import * as weft from "../src/index.js";
import { init, tensor } from "../src/index.js";
import { errorOf, values, wasmBytes } from "./cpu.js";
import { junk } from "./junk.js";

const wasm = wasmBytes();

describe("init", () => {
  it("must come first", () => {
    const error = errorOf(() => tensor([1]));
    expect(error).toBeInstanceOf(weft.WeftError);
    expect(error.message).toContain("await init()");
    expect(weft.deviceInfo()).toBe(null);
  });

  it("falls to the CPU where there is no GPU, and says why", async () => {
    const info = await init({ wasm });
    expect(info.kind).toBe("cpu");
    expect(info.adapter).toBe(null);
    expect(info.reason).toContain("navigator.gpu");
    expect(weft.deviceInfo()).toBe(info);
  });

  it("refuses when a GPU is asked for and there is none", async () => {
    await expect(init({ wasm, device: "webgpu" })).rejects.toBeInstanceOf(weft.AdapterError);
    const gpu = { requestAdapter: () => Promise.resolve(null) } as unknown as GPU;
    await expect(init({ wasm, device: "webgpu", gpu })).rejects.toThrow("has no adapter");
    await expect(init({ wasm, device: "tpu" as never })).rejects.toBeInstanceOf(weft.ValueError);
  });

  it("tells a page from Node when there is no GPU", async () => {
    const { reason } = await init({ wasm });
    expect(reason).toContain('import { create } from "webgpu"; await init({ gpu: create([]) })');
  });

  it("refuses, by typed errors, whatever is no GPU and no option, and keeps what is open", async () => {
    const open = await init({ wasm });
    for (const value of junk.map(({ make }) => make()).filter((value) => value !== undefined)) {
      await expect(init(value as never).then(() => "taken", (error: unknown) => error)).resolves.toSatisfy(
        (outcome: unknown) => outcome === "taken" || outcome instanceof weft.ValueError,
      );
      await expect(init({ device: "webgpu", gpu: value as never })).rejects.toBeInstanceOf(weft.WeftError);
      await expect(init({ device: "webgpu", gpu: { requestAdapter: () => value } as never })).rejects.toBeInstanceOf(weft.AdapterError);
      await expect(init({ device: value as never })).rejects.toBeInstanceOf(weft.ValueError);
      await expect(init({ powerPreference: value as never })).rejects.toBeInstanceOf(weft.ValueError);
    }
    expect(weft.deviceInfo()).toBe(open);
    expect(await values(tensor([1]).add(1))).toEqual([2]);
  });

  it("keeps an open device that serves", async () => {
    const x = tensor([1]);
    expect(await init()).toBe(weft.deviceInfo());
    expect(await init({ device: "cpu" })).toBe(weft.deviceInfo());
    expect(await values(x.add(1))).toEqual([2]);
    const both = await Promise.all([init(), init({ device: "cpu" })]);
    expect(both[0]).toBe(both[1]);
  });

  it("loads the WebAssembly from beside the script by default", async () => {
    expect((await init({ device: "cpu" })).kind).toBe("cpu");
  });
});
