// The device's badge while kernels are optimised: how many, in its summary and its sheet, and
// nothing once there are none.

import { beforeAll, describe, expect, it } from "vitest";
import { parseHTML } from "linkedom";
import { Emitter } from "../../src/state/emitter";
import type { RawGpu } from "../../src/state/device/raw-gpu";

const { window, document } = parseHTML("<html><body></body></html>");
const nothing = () => {};
const actions = { choose: nothing, allowRawGpu: nothing, recover: nothing, allowTuning: nothing, exportWinners: nothing, importWinners: nothing, forgetWinners: nothing };

describe("the badge", () => {
  beforeAll(() => {
    Object.assign(globalThis, { document, HTMLElement: window.HTMLElement, Node: window.Node });
    return () => void ["document", "HTMLElement", "Node"].forEach((name) => Reflect.deleteProperty(globalThis, name));
  });

  it("counts kernels that are optimised, and is quiet when there are none", async () => {
    const { Badge } = await import("../../src/view/device/badge");
    const badge = new Badge(actions, "auto", { allowed: false } as RawGpu, { allowed: null, events: new Emitter<number>() });
    const seen = () => [...badge.element.querySelectorAll("summary > span, p")].filter((part) => !(part as HTMLElement).hidden && !part.hasAttribute("hidden")).map((part) => part.textContent ?? "");
    const lines = () => seen().filter((text) => /optimising|compiled/.test(text));
    expect(lines()).toEqual([]);
    badge.showOptimising(3);
    expect(lines()).toEqual(["optimising 3 kernels", "Faster versions of 3 kernels are being compiled; shorter ones compute until then."]);
    badge.showOptimising(1);
    expect(lines()[0]).toBe("optimising 1 kernel");
    badge.showOptimising(0);
    expect(lines()).toEqual([]);
  });
});
