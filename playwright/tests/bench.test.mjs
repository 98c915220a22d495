// Does the benchmark run in a browser as it is packed? At its small sizes: every workload computes on the GPU what the CPU device
// does, and is measured.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const script = (/** @type {string} */ name) => fileURLToPath(new URL(`../../bench/${name}`, import.meta.url));
const node = (/** @type {string[]} */ ...words) => promisify(execFile)(process.execPath, words);

test("every workload agrees with the CPU device and is measured beside the machine's limits", { timeout: 300_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "weft-bench-"));
  try {
    await node(script("pack.mjs"), folder);
    const file = join(folder, "report.json");
    const { stdout } = await node(script("headless.mjs"), folder, "--quick", "--software", "--json", file);
    const report = JSON.parse(readFileSync(file, "utf8"));
    const { WORKLOADS } = await import(script("workloads.mjs"));
    assert.deepEqual(report.failures, []);
    assert.deepEqual(report.rows.map((/** @type {{ name: string }} */ row) => row.name), WORKLOADS.map((/** @type {{ name: string }} */ w) => w.name));
    for (const { name, ms, least, most, ofLimit, dispatches } of report.rows) {
      assert.ok(least > 0 && least <= ms && ms <= most && dispatches >= 1, name);
      assert.ok(ofLimit === null || ofLimit > 0, name);
      assert.ok(stdout.includes(name), name);
    }
    for (const limit of Object.values(report.limits)) assert.ok(Number.isFinite(limit));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
