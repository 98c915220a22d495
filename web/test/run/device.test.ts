// Choice of the device, and permission for raw WebGPU.
import { describe, expect, it } from "vitest";
import { DevicePreference } from "../../src/state/device/device";
import { LOSSES } from "../../src/state/device/loss";
import { RawGpu } from "../../src/state/device/raw-gpu";
import type { OpenNotebook } from "../../src/state/device/raw-gpu";
import { describeWorker } from "../../src/view/device/badge";

const memory = () => {
  const map = new Map<string, string>();
  return { getItem: (key: string) => map.get(key) ?? null, setItem: (key: string, value: string) => void map.set(key, value), removeItem: (key: string) => void map.delete(key) };
};

describe("the choice of a device", () => {
  it("is the page's until the reader makes one, and is remembered", () => {
    const store = memory();
    const first = new DevicePreference("", store);
    expect(first.value).toBe("auto");
    first.choose("webgpu");
    expect([first.value, new DevicePreference("", store).value]).toEqual(["webgpu", "webgpu"]);
    first.choose("auto");
    expect(new DevicePreference("", store).value).toBe("auto");
  });
  it("of the address holds for that address alone", () => {
    const store = memory();
    expect([new DevicePreference("?device=cpu", store).value, new DevicePreference("", store).value]).toEqual(["cpu", "auto"]);
    expect(new DevicePreference("?device=quantum", store).value).toBe("auto");
  });
  it("survives a store that refuses", () => {
    const refuse = () => {
      throw new DOMException("no", "SecurityError");
    };
    const preference = new DevicePreference("", { getItem: refuse, setItem: refuse, removeItem: refuse });
    preference.choose("cpu");
    expect(preference.value).toBe("cpu");
  });
});

describe("raw WebGPU", () => {
  const gallery: OpenNotebook = { origin: { kind: "gallery", file: "a.md" }, key: "gallery:a.md", source: "1" };
  it("is allowed for one notebook as it was opened, and remembered", () => {
    const store = memory();
    const first = new RawGpu(gallery, store);
    expect(first.allowed).toBe(false);
    first.allow(true);
    const of = (notebook: OpenNotebook) => new RawGpu(notebook, store).allowed;
    expect([first.allowed, of(gallery), of({ ...gallery, source: "2" }), of({ ...gallery, key: "gallery:b.md" })]).toEqual([true, true, false, false]);
    first.allow(false);
    expect([first.allowed, of(gallery)]).toEqual([false, false]);
  });
  it("is allowed for a link for one visit", () => {
    const store = memory();
    const link: OpenNotebook = { origin: { kind: "link" }, key: "link:1", source: "1" };
    const first = new RawGpu(link, store);
    first.allow(true);
    expect([first.allowed, new RawGpu(link, store).allowed]).toEqual([true, false]);
  });
  it("can be allowed where nothing is remembered", () => {
    const first = new RawGpu(gallery, null);
    first.allow(true);
    expect(first.allowed).toBe(true);
  });
});

describe("the badge", () => {
  const adapter = { vendor: "google", architecture: "swiftshader", description: "", isFallback: true };
  it("says why the CPU computes although there is an adapter", () => {
    const { short, lines } = describeWorker({ kind: "ready", device: { kind: "cpu", adapter, reason: null } });
    expect([short, lines[0]]).toEqual(["CPU", expect.stringMatching(/runs on the CPU here \(Google swiftshader\).*faster/)]);
  });
  it("says whether a device was lost or the core failed, and what to do", () => {
    const described = Object.values(LOSSES).map((loss) => describeWorker({ kind: "lost", device: { kind: "webgpu", adapter, reason: null }, loss }));
    expect(described.map(({ tone, short }) => [tone, short])).toEqual([["bad", "Device lost"], ["bad", "Weft stopped"]]);
    expect(described.map(({ lines }) => lines[0])).toEqual([expect.stringMatching(/driver.*choose the CPU/), expect.stringMatching(/the device works.*smaller arrays/)]);
  });
});
