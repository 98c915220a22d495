// Conformance of every operation, called by its JavaScript name, with NumPy and JAX: the committed
// cases of `tests/conformance` on the CPU device. They test the way from JavaScript to the core;
// the core runs the same cases on GPUs.

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { call, cases, inputsOf } from "../support/cases.js";
import { errorOf, onCpu } from "../support/cpu.js";
import { PLACES } from "../support/groups.js";
import { CALLS, GRADIENTS, trials } from "../support/trials.js";

onCpu();

const folder = new URL("../../../tests/conformance/", import.meta.url);
it.each([...CALLS, ...GRADIENTS])("%s", async (group) => {
  for (const { run } of trials(group)) await run();
});

/** The text of a module of cases and of those it imports from among them, by their places in
 * `cases`. */
function sourcesOf(path: string, found = new Map<string, string>()): Map<string, string> {
  if (found.has(path)) return found;
  const text = readFileSync(new URL(`cases/${path}`, folder), "utf8");
  found.set(path, text);
  for (const [, dots, module, names] of text.matchAll(/^from (\.+)([\w.]*) import ([\w, ]+)/gm) as Iterable<string[]>) {
    const parts = path.split("/").slice(0, -(dots as string).length);
    const place = [...parts, ...(module as string).split(".").filter(Boolean)].join("/");
    const isFolder = existsSync(new URL(`cases/${place}/`, folder));
    for (const file of isFolder ? (names as string).split(",").map((name) => [place, `${name.trim()}.py`].filter(Boolean).join("/")) : [`${place}.py`]) sourcesOf(file, found);
  }
  return found;
}

it("the cases are those that their sources write", () => {
  const digests = JSON.parse(readFileSync(new URL("digests.json", folder), "utf8")) as Record<string, string>;
  expect(Object.keys(digests).sort()).toEqual([...PLACES.keys()].sort());
  for (const [group, digest] of Object.entries(digests)) {
    const texts = [...sourcesOf(`${(PLACES.get(group) as string).slice("cases/".length)}.py`)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
    const found = createHash("sha256").update(texts.join("")).digest("hex").slice(0, 16);
    expect([group, found], `${group}.json is stale: run python3 tests/conformance/generate.py ${group}`).toEqual([group, digest]);
  }
});

it("errors", () => {
  for (const test of cases("errors")) {
    const error = errorOf(() => call(test, inputsOf(test)));
    expect([test.name, error.name]).toEqual([test.name, test.error]);
    for (const mention of test.mentions) expect(`${test.name}: ${error.message}`).toContain(mention);
  }
});
