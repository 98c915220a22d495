// Initialisation, and the errors for WebAssembly and options that `init` cannot use.

import { describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { init, tensor } from "../../src/index.js";
import { decodeBase64 } from "../../src/core/wasm/base64.js";
import { errorOf, values, wasmBytes } from "../support/cpu.js";
import { junk } from "../support/junk.js";

const wasm = wasmBytes();

describe("init", () => {
  it("must come first", () => {
    const error = errorOf(() => tensor([1]));
    expect(error).toBeInstanceOf(weft.WeftError);
    expect(error.message).toContain("await init()");
    expect(weft.deviceInfo()).toBe(null);
  });

  it("says what is wrong with the WebAssembly it is given, and can be called again", async () => {
    const page = "<!doctype html><title>Not found</title>";
    const html = (status: number) => new Response(page, { status, headers: { "content-type": "text/html" } });
    const refused = async (wasm: unknown) => {
      const error = await init({ device: "cpu", wasm: wasm as weft.WasmSource }).then(
        () => new Error("nothing was refused"),
        (error: unknown) => error as Error,
      );
      expect(weft.deviceInfo()).toBe(null);
      return error;
    };
    const formats: [unknown, RegExp][] = [
      [new TextEncoder().encode(page), /not WebAssembly \(no magic word\) but a page: "<!doctype/],
      [html(200), /a page: "<!doctype/],
      [html(404), /404/],
      [Promise.resolve(html(404)), /404/],
      [new Uint8Array(0), /empty/],
      [new ArrayBuffer(100), /something else/],
      [wasm.subarray(0, 5000), /does not compile/],
      [new Response(Uint8Array.from(wasm.subarray(0, 5000)), { headers: { "content-type": "application/wasm" } }), /does not compile/],
      [Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0), /belongs to this version/],
      [new URL("nowhere.wasm", import.meta.url), /could not be read: .*ENOENT/],
      [`data:text/html,${encodeURIComponent(page)}`, /a page/],
      ["http://127.0.0.1:1/weft.wasm", /could not be fetched/],
    ];
    for (const [source, message] of formats) {
      const error = await refused(source);
      expect(error).toBeInstanceOf(weft.FormatError);
      expect(error.message).toMatch(message);
    }
    for (const source of [7, {}, true, "not an address"]) expect(await refused(source)).toBeInstanceOf(weft.ValueError);
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

  it("asks for the adapter that the reader chose, and for the fast one where nothing is said", async () => {
    const asked: unknown[] = [];
    const gpu = { requestAdapter: (options: GPURequestAdapterOptions) => (asked.push(options?.powerPreference), Promise.resolve(null)) } as unknown as GPU;
    for (const chosen of [{}, { powerPreference: "low-power" }, { powerPreference: "high-performance" }] as const) await expect(init({ wasm, device: "webgpu", gpu, ...chosen })).rejects.toThrow("has no adapter");
    expect([...new Set(asked)]).toEqual(["high-performance", "low-power"]);
    expect(asked.at(0)).toBe("high-performance");
    await expect(init({ wasm, powerPreference: "fast" as never })).rejects.toThrow(/"high-performance" or "low-power"/);
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

describe("the WebAssembly as text", () => {
  const text = wasm.toString("base64");
  const slowly = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

  it("becomes its bytes, and quickly", () => {
    const time = (decode: (text: string) => Uint8Array) => {
      const begin = performance.now();
      expect(Buffer.compare(decode(text), wasm)).toBe(0);
      return performance.now() - begin;
    };
    const best = (decode: (text: string) => Uint8Array) => Math.min(...Array.from({ length: 5 }, () => time(decode)));
    expect(best(decodeBase64)).toBeLessThan(best(slowly) / 4);
  });
});
