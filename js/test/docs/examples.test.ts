// Examples in the documentation. Every export has one; all of them pass the compiler as users have
// it, and the tests run those that need no page and no GPU. A line that ends in `// [1,2]`, another
// value, or `// throws ShapeError` states its result.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformWithOxc } from "vite";
import { expect, it } from "vitest";
import { exportsOf } from "../../build/docs.js";
import * as main from "../../src/index.js";
import * as kernels from "../../src/kernel/index.js";
import { onCpu } from "../support/cpu.js";

onCpu();

const root = fileURLToPath(new URL("../..", import.meta.url));
const documented = [...exportsOf(join(root, "src/index.ts")), ...exportsOf(join(root, "src/kernel/index.ts"))];
/** What examples may name. */
const weft = { ...main, ...kernels };

/** What only a page or a GPU has, or would open another device than the tests'. */
const NEEDS_MORE = /\binit\(|\bwgsl\(|OffscreenCanvas|document\.|addEventListener/;

/** A value as the examples write it: fractions with five significant digits. */
async function shown(value: unknown): Promise<string> {
  if (value instanceof weft.Tensor) return shown(await value.array());
  if (Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))) {
    const parts = await Promise.all(Array.from(value as ArrayLike<unknown>, shown));
    return `[${parts.join(",")}]`;
  }
  if (typeof value === "number") return String((Number.isInteger(value) ? value : Number(value.toPrecision(5))) + 0);
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** What a line gives, or the error it throws. */
async function outcome(line: () => unknown): Promise<string> {
  try {
    return await shown(await line());
  } catch (error) {
    return `throws ${String(error)}`;
  }
}

/** Lines that say what they give: a value, not prose. */
const CLAIM = /^(?!const |let |for |class |if |\/\/|\s|\})(.+); +\/\/ (throws .+|true|false|-?[\d.]+|\[.*\]|".*")$/gm;

function claims(example: string): number {
  return [...example.matchAll(CLAIM)].length;
}

/** Runs an example, and gives what is not as it says. */
async function run(example: string): Promise<string[]> {
  const wrong: string[] = [];
  const claim = async (line: () => unknown, expected: string, text: string) => {
    const found = await outcome(line);
    if (expected.startsWith("throws ") ? !found.startsWith(expected) : found !== expected) wrong.push(`${text}\n  gives ${found}`);
  };
  const checked = example.replace(CLAIM, (text, expression: string, expected: string) => `await $claim(async () => (${expression}), ${JSON.stringify(expected)}, ${JSON.stringify(text)});`);
  const { code } = await transformWithOxc(`async function example() {\n${checked}\n}`, "example.ts");
  const names = Object.keys(weft);
  const make = new Function("$claim", "console", ...names, `${code}\nreturn example();`) as (...args: unknown[]) => Promise<void>;
  await make(claim, { log: () => {} }, ...names.map((name) => weft[name as keyof typeof weft]));
  return wrong;
}

it("every export has one", () => {
  expect(documented.length).toBeGreaterThan(200);
  expect(documented.filter(({ text }) => text === "").map(({ name }) => name)).toEqual([]);
  expect(documented.filter(({ examples }) => examples.length === 0).map(({ name }) => name)).toEqual([]);
});

it("they are true", async () => {
  const wrong: string[] = [];
  const all = documented.flatMap(({ name, examples }) => examples.map((code) => ({ name, code })));
  const runnable = all.filter(({ code }) => !NEEDS_MORE.test(code));
  for (const { name, code } of runnable) {
    try {
      wrong.push(...(await run(code)).map((line) => `${name}: ${line}`));
    } catch (error) {
      wrong.push(`${name}: ${String(error)}`);
    }
  }
  expect(wrong).toEqual([]);
  // That they are run, and say something, is itself to be seen.
  expect(runnable.length).toBeGreaterThan(180);
  expect(runnable.reduce((sum, { code }) => sum + claims(code), 0)).toBeGreaterThan(170);
});

it("they compile", { timeout: 300_000 }, () => {
  const folder = mkdtempSync(join(root, "test/.examples-"));
  try {
    const types = documented.filter(({ name, kind }) => !name.includes(".") && kind !== "const" && kind !== "function" && kind !== "namespace");
    const names = [...new Set([...Object.keys(weft), ...types.map(({ name }) => name)])];
    const ofKernels = new Set(exportsOf(join(root, "src/kernel/index.ts")).map(({ name }) => name));
    const lines = [
      ...[["../../src/index.js", main], ["../../src/kernel/index.js", kernels]].map(([from, entry]) => `import { ${names.filter((name) => (from === "../../src/index.js") !== ofKernels.has(name)).map((name) => (name in (entry as object) ? name : `type ${name}`)).join(", ")} } from "${from as string}";`),
      ...documented.flatMap(({ name, examples }) => examples.map((code) => `// ${name}\nexport async function example_${name.replaceAll(".", "_")}() {\n${code}\n}`)),
    ];
    writeFileSync(join(folder, "examples.ts"), lines.join("\n"));
    const options = { noEmit: true, noUnusedLocals: false, verbatimModuleSyntax: false };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ extends: "../../tsconfig.json", compilerOptions: options, include: ["examples.ts"] }));
    const tsc = fileURLToPath(import.meta.resolve("typescript/package.json")).replace("package.json", "bin/tsc");
    let found = "";
    try {
      execFileSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
    } catch (error) {
      found = (error as { stdout: string }).stdout;
    }
    expect(found).toBe("");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
