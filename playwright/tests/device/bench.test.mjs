// The packed benchmark in a browser, at its small sizes. Every workload computes on the GPU what
// the CPU device does, and is measured; so are the peers, in the same page.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rotating, share } from "../../lib/rotation.mjs";
import { after, before } from "../../lib/test.mjs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const test = rotating(2);

const script = (/** @type {string} */ name) => fileURLToPath(new URL(`../../../bench/${name}`, import.meta.url));
const node = (/** @type {string[]} */ ...words) => promisify(execFile)(process.execPath, words);

let folder = "";
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "weft-bench-"));
  await node(script("pack.mjs"), folder);
});
after(() => rmSync(folder, { recursive: true, force: true }));

const measured = async (/** @type {string[]} */ ...options) => {
  const file = join(folder, "report.json");
  const { stdout } = await node(script("headless.mjs"), folder, "--quick", "--software", "--json", file, ...options);
  return { stdout, report: /** @type {import("../../../bench/run.mjs").Report} */ (JSON.parse(readFileSync(file, "utf8"))) };
};

test("every workload agrees with the CPU device and is measured beside the machine's limits", { timeout: 900_000 }, async () => {
  const { selected } = await import(script("run.mjs"));
  const names = share(selected("small").map((/** @type {{ name: string }} */ one) => one.name), 3, 2);
  const { stdout, report } = await measured("--alone", "--only", `^(${names.map((name) => name.replace(/[^\w\s]/g, "\\$&")).join("|")})$`);
  assert.deepEqual(report.failures, []);
  const ours = report.rows.filter(({ library, mode }) => library === "Weft" && mode === "captured");
  assert.deepEqual(ours.map(({ name }) => name), names);
  for (const { name, ms, least, most, rounds, ofLimit, dispatches, unit } of ours) {
    assert.ok(least > 0 && least <= ms && ms <= most && rounds === 7, name);
    assert.ok(ofLimit === null ? unit === "steps/s" : ofLimit > 0, name);
    assert.ok(dispatches >= 1 || /^(upload|read)/.test(name), name);
    assert.ok(stdout.includes(name), name);
  }
  for (const limit of Object.values(report.limits)) assert.ok(Number.isFinite(limit));
});

test("the peers compute the same in the same page, and take turns with Weft", { timeout: 900_000 }, async () => {
  const { stdout, report } = await measured("--only", "^(softmax 33|sum over axis 0|training an MLP|upload)");
  assert.deepEqual(report.failures, []);
  const of = (/** @type {string} */ library, /** @type {string} */ mode) => report.rows.filter((row) => row.library === library && row.mode === mode).length;
  const captured = ["Weft", "Weft's CPU device", "jax-js"].map((library) => of(library, "captured"));
  const eager = ["Weft", "jax-js", "TensorFlow.js", "bare WebGPU"].map((library) => of(library, "eager"));
  assert.deepEqual([captured, eager], [[4, 4, 4], [4, 4, 4, 1]]);
  for (const { rounds, name, library } of report.rows) assert.equal(rounds, 7, `${library}: ${name}`);
  for (const { library, dispatches, name } of report.rows) assert.ok(dispatches >= 1 || library === "Weft's CPU device" || /^upload/.test(name), `${library}: ${name}`);
  for (const peer of ["jax-js", "TensorFlow.js"]) assert.match(stdout, new RegExp(`times as fast as ${peer} over 4 workloads`));
});
