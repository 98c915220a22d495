// Rate limiting of a display that changes: often enough, never too often, and always with the last
// state.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { flushPaces, Pace } from "../../src/worker/channel/pace";

let sent: number[] = [];
let value = 0;
let pace: Pace;
const change = (to: number) => {
  value = to;
  pace.changed();
};

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  pace = new Pace(() => sent.push(value), 100);
});
afterEach(() => {
  flushPaces();
  vi.useRealTimers();
});

describe("a paced display", () => {
  it("speaks at once, then no more often than its pace, and last of all", () => {
    for (let i = 0; i < 20_000; i++) change(i);
    expect(sent).toEqual([0]);
    vi.advanceTimersByTime(100);
    expect(sent).toEqual([0, 19_999]);
    vi.advanceTimersByTime(10_000);
    expect(sent).toEqual([0, 19_999]);
  });
  it("speaks from a loop that lets no timer fire", () => {
    let now = 1_000;
    vi.spyOn(performance, "now").mockImplementation(() => now);
    for (let i = 0; i < 50; i++, now += 10) change(i);
    expect(sent).toEqual([0, 10, 20, 30, 40]);
    vi.restoreAllMocks();
  });
  it("says its last word when the cell ends", () => {
    change(1);
    change(2);
    flushPaces();
    flushPaces();
    vi.advanceTimersByTime(1_000);
    expect(sent).toEqual([1, 2]);
  });
});
