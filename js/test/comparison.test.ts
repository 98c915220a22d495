// Is docs/comparison.txt, from which the page of comparison is made, as long as the other library's list of names, and true of this one's?

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import * as weft from "../src/index.js";

const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");
const lines = read("../../docs/comparison.txt").split("\n").filter((line) => line !== "" && !line.startsWith("#"));
const declared = read("../../node_modules/@jax-js/jax/dist/index.d.ts");

/** The namespaces of the other library, and what the table calls them. */
const SPACES = { numpy: "numpy", nn: "nn", random: "random", lax: "lax", lax_linalg: "lax.linalg", numpy_linalg: "numpy.linalg", numpy_fft: "numpy.fft", scipy_special: "scipy.special" };

it("every name of the other library stands there once", () => {
  const names = Object.entries(SPACES).flatMap(([space, shown]) => {
    const list = new RegExp(`declare namespace ${space}_d_exports \\{\\s*export \\{([^}]*)\\}`).exec(declared)?.[1];
    return [...new Set(list!.split(",").map((name) => `${shown}.${name.split(" as ").at(-1)!.trim()}`))];
  });
  expect(names.length).toBeGreaterThan(350);
  expect(lines.map((line) => line.split(" ")[0]).sort()).toEqual(names.sort());
});

it("every counterpart is exported", () => {
  const types = read("../src/index.ts");
  const isThere = (path: string) =>
    path.split(".").reduce<unknown>((owner, name) => (owner as Record<string, unknown> | undefined)?.[name], weft) !== undefined || new RegExp(`\\b${path}\\b`).test(types);
  const counterparts = lines.flatMap((line) => /^\S+ = (.+)$/.exec(line)?.[1] ?? []);
  expect(counterparts.length).toBeGreaterThan(250);
  expect(counterparts.filter((path) => !isThere(path))).toEqual([]);
});
