// Heartbeat of the worker, which tells a busy worker from one that has ended.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Heartbeat } from "../../src/state/run/heartbeat";

let asked = 0;
let dead = 0;
let answers = true;
let heartbeat: Heartbeat;

beforeEach(() => {
  vi.useFakeTimers();
  [asked, dead, answers] = [0, 0, true];
  const ask = () => {
    asked++;
    if (answers) setTimeout(() => listening.answered(), 10);
  };
  const listening: Heartbeat = new Heartbeat({ ask, dead: () => dead++, every: 1_000, patience: 5 });
  heartbeat = listening;
});
afterEach(() => vi.useRealTimers());

describe("a heartbeat", () => {
  it("that goes on is life", () => {
    vi.advanceTimersByTime(3_600_000);
    expect([dead, asked]).toEqual([0, 3_601]);
  });
  it("that ends is death, reported once and within seconds", () => {
    vi.advanceTimersByTime(2_500);
    answers = false;
    vi.advanceTimersByTime(4_000);
    expect(dead).toBe(0);
    vi.advanceTimersByTime(3_000);
    expect(dead).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect(dead).toBe(1);
  });
  it("that stumbles is life", () => {
    vi.advanceTimersByTime(1_500);
    for (let i = 0; i < 20; i++) {
      answers = false;
      vi.advanceTimersByTime(4_000);
      answers = true;
      vi.advanceTimersByTime(1_000);
    }
    expect(dead).toBe(0);
  });
  it("that never began says nothing", () => {
    answers = false;
    heartbeat.end();
    heartbeat = new Heartbeat({ ask: () => asked++, dead: () => dead++, every: 1_000, patience: 5 });
    vi.advanceTimersByTime(60_000);
    expect(dead).toBe(0);
  });
  it("is not listened for once it is over", () => {
    vi.advanceTimersByTime(1_500);
    answers = false;
    heartbeat.end();
    vi.advanceTimersByTime(60_000);
    expect([dead, asked]).toEqual([0, 2]);
  });
});
