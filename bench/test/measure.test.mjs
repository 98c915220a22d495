// Timing: medians, rounds that take turns, and failures that leave the other libraries'
// measurements intact.

import assert from "node:assert/strict";
import { test } from "node:test";
import { interleaved, median } from "../measure.mjs";

/** A chain that notes what it is asked for; each of its steps takes so long, by the clock or by its
 * own report. */
const chain = (/** @type {string} */ name, /** @type {string[]} */ order, /** @type {number} */ ms) => {
  let pending = 0;
  /** @type {import("../measure.mjs").Chain} */
  const made = {
    step: () => void pending++,
    async last() {
      order.push(name);
      const end = performance.now() + ms * pending;
      pending = 0;
      while (performance.now() < end);
    },
    sample: async () => new Float32Array(1),
    dispose() {},
  };
  return made;
};

test("a median is the middle, or between the two in the middle", () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.equal(median([7]), 7);
  assert.ok(Number.isNaN(median([])));
});

test("chains take turns round by round, and another begins each time", async () => {
  /** @type {string[]} */
  const order = [];
  const times = await interleaved([chain("a", order, 0.1), chain("b", order, 0.1), chain("c", order, 0.1)], { rounds: 4, least: 0.05 });
  // Before that each finds its number of steps, alone.
  assert.deepEqual(order.slice(-12).join(""), "abcbcacababc");
  for (const time of times) assert.ok(!(time instanceof Error) && time.rounds === 4 && time.least <= time.median && time.median <= time.most);
});

test("a round has as many steps as take long enough, and times are those of a step", async () => {
  const [slow, fast] = await interleaved([chain("slow", [], 20), chain("fast", [], 1)], { rounds: 3, least: 10 });
  assert.ok(slow && !(slow instanceof Error) && slow.steps === 1 && slow.least >= 20);
  assert.ok(fast && !(fast instanceof Error) && fast.steps > 4 && fast.least >= 1 && fast.least < 20);
});

test("a machine that is slow at first leaves nobody with rounds that are too short", async () => {
  let [polls, pending] = [0, 0];
  const waking = {
    ...chain("waking", [], 0),
    step: () => void pending++,
    async last() {
      const end = performance.now() + pending * (polls++ < 2 ? 20 : 1);
      pending = 0;
      while (performance.now() < end);
    },
  };
  const [time] = await interleaved([waking], { rounds: 3, least: 10 });
  assert.ok(time && !(time instanceof Error) && time.steps > 4);
});

test("what a step tells by itself is its time, whatever else it does", async () => {
  const once = async () => 5;
  const [time] = await interleaved([{ once, sample: async () => new Float32Array(1), dispose() {} }], { rounds: 3, least: 1 });
  assert.deepEqual(time, { median: 5, least: 5, most: 5, rounds: 3, steps: 1 });
});

test("one that fails is listed as an error, and the others are measured", async () => {
  const broken = { ...chain("broken", [], 0.1), last: async () => Promise.reject(new Error("the device is lost")) };
  const [bad, good] = await interleaved([broken, chain("good", [], 0.1)], { rounds: 3, least: 0.05 });
  assert.ok(bad instanceof Error && bad.message === "the device is lost");
  assert.ok(good && !(good instanceof Error) && good.rounds === 3);
});

test("what is thrown between rounds ends all of it", async () => {
  let turns = 0;
  const pause = () => {
    if (turns++ === 3) throw new Error("stopped");
  };
  await assert.rejects(interleaved([chain("a", [], 0.1), chain("b", [], 0.1)], { rounds: 7, least: 0.05, pause }), /stopped/);
  assert.equal(turns, 4);
});
