// Does the page compute where the reader wants?
import { describe, expect, it } from "vitest";
import { DevicePreference } from "../src/state/device";
import { describeWorker } from "../src/view/badge";

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

describe("the badge", () => {
  const adapter = { vendor: "google", architecture: "swiftshader", description: "", isFallback: true };
  it("says why the CPU computes although there is an adapter", () => {
    const { short, lines } = describeWorker({ kind: "ready", device: { kind: "cpu", adapter, reason: null } });
    expect([short, lines[0]]).toEqual(["CPU", expect.stringMatching(/imitated by software here \(Google swiftshader\).*faster/)]);
  });
  it("says that a device was lost, and why", () => {
    const { tone, short, lines } = describeWorker({ kind: "lost", device: { kind: "webgpu", adapter, reason: null }, message: "driver reset" });
    expect([tone, short, lines[0]]).toEqual(["bad", "Device lost", "driver reset"]);
  });
});
