// The licences that are published with the page.

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { licencesOf } from "../build/licences";

it("are those of the libraries and of what they need", () => {
  const text = licencesOf(fileURLToPath(new URL("..", import.meta.url)), ["weft-gpu"]);
  for (const name of ["@codemirror/view", "acorn", "d3-array", "internmap", "prettier"]) expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+, `, "m"));
  expect(text).not.toMatch(/^weft-gpu/m);
});

it("are missed by the build where a library has none", () => {
  const folder = mkdtempSync(join(tmpdir(), "weft-licences-"));
  mkdirSync(join(folder, "node_modules/bare"), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ dependencies: { bare: "1.0.0" } }));
  writeFileSync(join(folder, "node_modules/bare/package.json"), JSON.stringify({ name: "bare", version: "1.0.0" }));
  expect(() => licencesOf(folder, [])).toThrow("bare has no file with its licence");
});
