// The packed package as users install it. Each test copies one of `projects` out of the repository,
// installs the package from its tarball and nothing else of Weft, builds the project as its users
// would, and runs it: in Chromium, on WebGPU, or in Node.js.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import * as esbuild from "esbuild";
import { rollup } from "rollup";
import * as vite from "vite";
import * as vite7 from "vite-7";
import webpack from "webpack";
import { launch } from "../playwright/lib/browser.mjs";
import { share } from "../playwright/lib/rotation.mjs";
import { serve } from "../playwright/lib/server.mjs";

const run = promisify(execFile);
const here = fileURLToPath(new URL(".", import.meta.url));
/** For the slowest machine; a page that works takes a second. */
const PATIENCE = 60_000;

/** @type {string} */ let folder;
/** @type {import("playwright-core").Browser} */ let browser;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "weft-consumers-"));
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const packed = await run(npm, ["pack", "--silent", "--pack-destination", folder, join(here, "../dist/npm")], { cwd: folder });
  await writeFile(join(folder, "package.json"), "{}");
  await run(npm, ["install", "--no-audit", "--no-fund", "--offline", join(folder, packed.stdout.trim())], { cwd: folder });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

/** A copy of a project, with the package installed. */
async function project(name, as = name) {
  const root = join(folder, "projects", as);
  await cp(join(here, "projects", name), root, { recursive: true });
  await cp(join(here, "projects/program.js"), join(root, "program.js"));
  await mkdir(join(root, "node_modules"), { recursive: true });
  await cp(join(folder, "node_modules/weft-gpu"), join(root, "node_modules/weft-gpu"), { recursive: true });
  await writeFile(join(root, "package.json"), JSON.stringify({ name: as, type: "module", dependencies: { "weft-gpu": "*" } }));
  return root;
}

/** What the program must have found, and where. */
function check(outcome, kind) {
  assert.equal(outcome.kind, kind);
  assert.match(outcome.summary, /^\s+Sequential\n.*\bLinear\b.*\n.*\bGELU\b/);
  assert.match(outcome.refusal, /^ValueError: add: .*\ba LayerNorm\b/);
  assert.equal(outcome.called, "ValueError: Linear: is a class: write new nn.Linear(…)");
  assert.ok(Math.abs(outcome.loss - 6.5) < 1e-4, `the loss is ${outcome.loss}`);
  assert.equal(outcome.gradient.length, 2);
  [-11, -16].forEach((expected, i) => assert.ok(Math.abs(outcome.gradient[i] - expected) < 1e-3, `the gradient is ${outcome.gradient}`));
  assert.deepEqual(outcome.inverse.map((row) => row.map((element) => Math.round(element * 1e3) / 1e3 + 0)), [[1, 0], [-1, 1]]);
}

/** Opens a page and gives what its program found. */
async function visit(url) {
  const page = await browser.newPage();
  const said = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("response", (response) => response.status() >= 400 && said.push(`${response.status()} ${response.url()}`));
  try {
    await page.goto(url);
    await page.waitForFunction(() => "outcome" in globalThis, undefined, { timeout: PATIENCE });
    return await Promise.race([
      page.evaluate(() => globalThis.outcome),
      new Promise((_, reject) => setTimeout(reject, PATIENCE, new Error("the program did not end")).unref()),
    ]);
  } catch (error) {
    throw new Error(`${error}\n${said.join("\n")}`);
  } finally {
    await page.close();
  }
}

/** Serves a folder and visits it. */
async function visitFolder(root) {
  const server = await serve(root);
  try {
    return await visit(server.url);
  } finally {
    await server.close();
  }
}

/** A landing tries one of two versions of Vite, and one of two that TypeScript had before. */
for (const [name, { build, createServer }] of share(Object.entries({ vite, "vite-7": vite7 }), 2)) {
  // What the configuration says is for Vite before 8.
  const configFile = name === "vite" ? false : undefined;

  test(`${name}, the development server`, async () => {
    const root = await project("vite", `${name}-dev`);
    const server = await createServer({ root, configFile, logLevel: "error", server: { host: "127.0.0.1", port: 0 } });
    try {
      await server.listen();
      for (const outcome of await visit(server.resolvedUrls.local[0])) check(outcome, "webgpu");
    } finally {
      await server.close();
    }
  });

  test(`${name}, built`, async () => {
    const root = await project("vite", name);
    await build({ root, configFile, logLevel: "error" });
    for (const outcome of await visitFolder(join(root, "dist"))) check(outcome, "webgpu");
  });
}

test("webpack", async () => {
  const root = await project("webpack");
  const { default: config } = await import(join(root, "webpack.config.js"));
  const stats = await promisify(webpack)({ ...config, context: root, output: { ...config.output, path: join(root, "dist") }, experiments: { outputModule: true } });
  assert.equal(stats.hasErrors() || stats.hasWarnings(), false, stats.toString("errors-warnings"));
  for (const outcome of await visitFolder(root)) check(outcome, "webgpu");
});

test("esbuild", async () => {
  const root = await project("esbuild");
  const built = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ["main.js"],
    outdir: "dist",
    bundle: true,
    minify: true,
    format: "esm",
    loader: { ".wasm": "file" },
    logLevel: "silent",
  });
  assert.deepEqual(built.warnings, []);
  check(await visitFolder(root), "webgpu");
});

test("Rollup", async () => {
  const root = await project("rollup");
  const warnings = [];
  const bundle = await rollup({ input: join(root, "main.js"), plugins: [nodeResolve()], onwarn: ({ message }) => warnings.push(message) });
  await bundle.write({ file: join(root, "dist/main.js"), format: "es" });
  await bundle.close();
  assert.deepEqual(warnings, []);
  check(await visitFolder(root), "webgpu");
});

test("a module script without a bundler", async () => check(await visitFolder(await project("plain")), "webgpu"));

test("a worker without a bundler", async () => check(await visitFolder(await project("worker")), "webgpu"));

test("Node.js, imported and required", async () => {
  const root = await project("node");
  for (const main of ["main.js", "main.cjs"]) {
    const { stdout } = await run(process.execPath, [main], { cwd: root });
    const outcome = JSON.parse(stdout);
    check(outcome, "cpu");
    if (main === "main.js") assert.deepEqual(outcome.smoothed, [1.5, 4, 3.5], "the entry of kernels uses the library of the main one");
    assert.match(outcome.reason, /init\(\{ gpu: create\(\[\]\) \}\)/, "says how to have a GPU");
  }
});

/** With the browser's types, a worker's, and none but the language's own; and in both ways of
 * finding packages. */
const SETTINGS = [
  { lib: ["ES2022", "DOM"], module: "ESNext", moduleResolution: "bundler" },
  { lib: ["ES2022", "WebWorker"], module: "NodeNext" },
  { lib: ["ES2022"], module: "NodeNext" },
];

for (const compiler of [...share(["typescript-5.4", "typescript-5.9"], 2), "typescript"]) {
  test(`TypeScript, strict: ${compiler}`, async () => {
    const root = await project("typescript", compiler);
    const tsc = fileURLToPath(import.meta.resolve(`${compiler}/package.json`)).replace("package.json", "bin/tsc");
    const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false, target: "ES2022", types: [], allowJs: true, checkJs: true };
    for (const setting of SETTINGS) {
      await writeFile(join(root, "tsconfig.json"), JSON.stringify({ compilerOptions: { ...strict, ...setting, outDir: "dist" }, files: ["main.ts"] }));
      const found = await run(process.execPath, [tsc, "-p", root], { cwd: root }).catch((error) => error);
      assert.equal(found.stdout, "", `with ${setting.lib}`);
    }
    const { stdout } = await run(process.execPath, ["dist/main.js"], { cwd: root });
    const { programs, ...outcome } = JSON.parse(stdout);
    check(outcome, "cpu");
    for (const name of ["seq2seq", "unet", "vae"]) {
      const { losses } = programs[name];
      assert.ok(losses.length > 2 && losses.every(Number.isFinite) && losses.at(-1) < losses[0], `the losses of ${name} are ${losses}`);
    }
    assert.deepEqual([programs.unet.shape, programs.vae.sampled, programs.seq2seq.translated], [[2, 1, 8, 8], [3, 12], [2, 3]]);
    for (const norm of [programs.unet.norm, ...programs.seq2seq.norms, programs.modules.adversarial]) assert.ok(norm > 0, `a gradient is ${norm} long`);
    assert.ok(programs.modules.shapes.every(Array.isArray), `${programs.modules.shapes}`);
  });
}

test("the package has what its exports name, a reference of them all, and says where it comes from", async () => {
  const root = join(folder, "node_modules/weft-gpu");
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const files = await readdir(root, { recursive: true });
  const named = Object.values(manifest.exports).flatMap((entry) => (typeof entry === "string" ? [entry] : Object.values(entry)));
  for (const file of [...named, "./README.md", "./LICENSE-MIT", "./LICENSE-APACHE"]) assert.ok(files.includes(file.slice(2)), `${file} is missing`);
  for (const field of ["repository", "engines", "homepage", "bugs", "license", "description"]) assert.ok(manifest[field], `there is no ${field}`);

  const reference = await readFile(join(root, "API.md"), "utf8");
  const described = new Set(Array.from(reference.matchAll(/^### .*`(.+)`$/gm), ([, name]) => name));
  const library = await import(join(root, "index.js"));
  const isNamespace = (value) => typeof value === "object" && value[Symbol.toStringTag] === "Module";
  for (const [name, value] of Object.entries(library)) {
    const within = isNamespace(value) ? Object.keys(value).filter((member) => !(member in library)) : [];
    for (const each of [name, ...within.map((member) => `${name}.${member}`)]) {
      // What `nn` passes on from elsewhere is described there.
      assert.ok(described.has(each) || described.has(each.replace(/^nn\./, "")), `API.md lacks ${each}`);
    }
  }
});
