// Comparison of results: it sees a wrong result, at one element of many, at NaN, and at what is
// missing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { difference, draw, sampled, windows } from "../compare.mjs";
import { run, selected } from "../run.mjs";
import { table } from "../table.mjs";
import { nameOf, WORKLOADS } from "../workloads.mjs";

const values = Float32Array.from({ length: 1000 }, (_, i) => Math.sin(i));

test("equal results are equal, rounding included", () => {
  assert.equal(difference(values, values, "Weft"), null);
  assert.equal(difference(values.map((value) => value * 1.0005 + 1e-5), values, "Weft"), null);
});

test("one wrong element is found, and named", () => {
  const wrong = values.slice();
  wrong[617] = 0.5;
  assert.match(difference(wrong, values, "Weft") ?? "", /^computes 0.5 at 617, Weft /);
  wrong[617] = Number.NaN;
  assert.match(difference(wrong, values, "Weft") ?? "", /^computes NaN at 617/);
});

test("too few, none, and what is not finite are differences", () => {
  assert.match(difference(values.slice(1), values, "Weft") ?? "", /999 elements, Weft 1000/);
  assert.match(difference(new Float32Array(0), new Float32Array(0), "Weft") ?? "", /nothing/);
  assert.match(difference(values, values.map(() => Number.NaN), "Weft") ?? "", /not finite/);
  assert.match(difference(new Float32Array([1000001]), new Float32Array([1010000]), "Weft") ?? "", /computes 1000001/);
});

test("everybody is given the same numbers, of the deviation that is asked for", () => {
  const inputs = [{ shape: [100, 100], scale: 0.5 }, { shape: [1000], below: 10 }];
  const [floats, whole] = draw(inputs);
  assert.deepEqual(draw(inputs), [floats, whole]);
  assert.ok(floats && whole);
  assert.ok(Math.abs(Math.sqrt(Float32Array.from(floats.data).reduce((sum, value) => sum + value * value, 0) / floats.data.length) - 0.5) < 0.02);
  assert.deepEqual([...new Set(whole.data)].sort(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test("of large results the beginning, the end, and places between are compared", async () => {
  assert.deepEqual(windows(5), [[0, 5]]);
  const large = windows(2 ** 25);
  assert.deepEqual([large[0], large.at(-1)], [[0, 512], [2 ** 25 - 512, 2 ** 25]]);
  assert.deepEqual([...(await sampled(3, async (start, end) => [start, end, 7]))], [0, 3, 7]);
});

test("no two entries of a size are the same, and every one has an input and an amount", () => {
  for (const size of /** @type {const} */ (["full", "medium", "software", "small"])) {
    const chosen = selected(size);
    assert.equal(new Set(chosen.map(({ name }) => name)).size, chosen.length, size);
    for (const { workload, sizes, name } of chosen) assert.ok(workload.inputs(sizes).length > 0 && workload.amount(sizes) > 0, name);
  }
  assert.equal(selected("full").length, WORKLOADS.length);
  assert.deepEqual(selected("full", /^argmax 2\^24$/).map(({ workload, sizes }) => nameOf(workload, sizes)), ["argmax 2^24"]);
});

/** A library whose every chain comes to `value`.
 * @type {(name: string, value: number, refuses?: Error) => import("../libraries/library.mjs").Library} */
const library = (name, value, refuses) => ({
  name,
  version: "1",
  modes: ["eager"],
  open: async () => name,
  chain() {
    if (refuses) throw refuses;
    return { step() {}, last: async () => value, sample: async () => new Float32Array([value]), dispose() {} };
  },
});

test("a library that computes something else, or cannot, is listed with the reason and not measured", async () => {
  const { Unsupported } = await import("../libraries/library.mjs");
  const libraries = [library("Weft", 1), library("right", 1.0001), library("wrong", 2), library("unable", 1, new Unsupported("it has no such thing")), { ...library("absent", 1), open: () => Promise.reject(new Unsupported("no WebGPU")) }];
  const gpu = /** @type {GPU} */ (/** @type {unknown} */ ({ requestAdapter: () => null }));
  const limits = { copy: 1, fma: 1, dispatch: 1, submit: 1, read: 1 };
  const report = await run({ libraries, reference: library("Weft's CPU device", 1), gpu, size: "small", only: /^argmax/, rounds: 2, least: 0.01, limits });
  assert.deepEqual([...new Set(report.rows.map((row) => row.library))], ["Weft", "right"]);
  const failures = Object.fromEntries(report.failures.map(({ library, error, unsupported }) => [library, [error, unsupported]]));
  assert.deepEqual(failures, { absent: ["no WebGPU", true], wrong: ["computes 2 at 0, Weft's CPU device 1", false], unable: ["it has no such thing", true] });
  const text = table(report);
  for (const line of ["unable, eager: unsupported: it has no such thing", "wrong, eager: computes 2", "absent: unsupported: no WebGPU", "times as fast as right over 1 workloads"]) assert.ok(text.includes(line), `${line} in\n${text}`);
});

test("a run that is stopped ends", async () => {
  const stop = new AbortController();
  const libraries = [library("Weft", 1)];
  const gpu = /** @type {GPU} */ (/** @type {unknown} */ ({ requestAdapter: () => null }));
  const limits = { copy: 1, fma: 1, dispatch: 1, submit: 1, read: 1 };
  let ended = 0;
  const running = run({ libraries, reference: library("Weft's CPU device", 1), gpu, size: "small", rounds: 2, least: 0.01, limits, signal: stop.signal, onEnd: () => void (++ended === 2 && stop.abort()) });
  await assert.rejects(running, { name: "AbortError" });
  assert.equal(ended, 2);
});
