// Lists of other libraries' names in docs/comparison.txt and docs/comparison-jax.txt, from which
// the pages of comparison are made: the lists are complete, and their statements about this library
// are true.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import * as weft from "../../src/index.js";

const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");
const table = (name: string): string[] => read(`../../../docs/${name}.txt`).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
const [lines, ofJax] = [table("comparison"), table("comparison-jax")];
const declared = read("../../../node_modules/@jax-js/jax/dist/index.d.ts");

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

it("every name that tools/names.py found in JAX and optax stands there once", () => {
  const { jax, optax, names } = JSON.parse(read("../../../tools/names.json")) as { jax: string; optax: string; names: string[] };
  expect(names.length).toBeGreaterThan(800);
  expect(ofJax.map((line) => line.split(" ")[0])).toEqual(names);
  for (const version of [`JAX ${jax}`, `optax ${optax}`]) expect(read("../../../docs/comparison-jax.md")).toContain(version);
});

const types = read("../../src/index.ts");
const isExported = (path: string): boolean => path.split(".").reduce<unknown>((owner, name) => (owner as Record<string, unknown> | undefined)?.[name], weft) !== undefined;

it("every counterpart is exported", () => {
  const counterparts = [...lines, ...ofJax].flatMap((line) => /^\S+ = ([^;]+)/.exec(line)?.[1] ?? []);
  expect(counterparts.length).toBeGreaterThan(750);
  expect(counterparts.filter((path) => !isExported(path) && !new RegExp(`\\b${path}\\b`).test(types))).toEqual([]);
});

it("what is said to be missing is", () => {
  const places: Record<string, readonly string[]> = { "jax.numpy": [""], "jax.nn": ["", "nn."], "jax.lax": [""], "jax.scipy.special": ["special."], optax: ["optim.", "optim.schedule.", "nn."] };
  const missing = [...ofJax.join("\n").matchAll(/^(\S+)\.(\w+) - /gm)].map(([, space, name]) => {
    const camel = (name as string).replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    return (places[space as string] as readonly string[]).map((place) => place + camel);
  });
  expect(missing.length).toBeGreaterThan(200);
  expect(missing.flat().filter(isExported)).toEqual([]);
});
