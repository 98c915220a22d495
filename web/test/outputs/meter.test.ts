// The memory meter: byte counts as it writes them, and a figure that rests.
import { parseHTML } from "linkedom";
import { afterEach, expect, test, vi } from "vitest";
import { bytesText, Meter } from "../../src/view/device/meter";

test.each([[0, "0 B"], [999, "999 B"], [1_000, "1.0 KB"], [9_960, "10 KB"], [12_345, "12 KB"], [99_600, "100 KB"], [999_499, "999 KB"], [999_500, "1.0 MB"], [1_234_567, "1.2 MB"], [123_456_789, "123 MB"], [6.5e9, "6.5 GB"], [5e15, "5000 TB"]])("%d", (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a larger figure is shown at once, a smaller one after three seconds without the larger", () => {
  vi.useFakeTimers();
  vi.stubGlobal("document", parseHTML("<!doctype html><html><body></body></html>").document);
  const meter = new Meter();
  const show = (megabytes: number) => meter.show({ live: megabytes * 1e6, peak: 9e6, pooled: 0, optimising: 0 });
  const shown = () => meter.element.querySelector(".meter-label")?.textContent;
  show(1);
  expect(shown()).toBe("1.0 MB");
  // An animation makes and frees something at each frame: what it holds at most is one figure.
  for (let frame = 0; frame < 600; frame++) {
    show(frame % 2 === 0 ? 5 : 2);
    expect(shown()).toBe("5.0 MB");
    vi.advanceTimersByTime(16);
  }
  vi.advanceTimersByTime(2_900);
  expect(shown()).toBe("5.0 MB");
  // Nothing more is heard.
  vi.advanceTimersByTime(200);
  expect(shown()).toBe("2.0 MB");
  show(7);
  expect(shown()).toBe("7.0 MB");
  meter.show(null);
  expect(meter.element.hidden).toBe(true);
});
