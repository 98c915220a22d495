// Packing of the kit into one script that needs Node.js and Dawn's `dawn.node`, nothing else. The
// script contains the package's inline build and the committed cases.
//
//   node tests/hardware/pack.mjs DIR

import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");
const cases = join(root, "tests/conformance");
const out = process.argv[2];
if (!out) throw new Error("pack.mjs DIR");

const bundled = await rolldown({
  input: join(here, "main.ts"),
  platform: "node",
  resolve: { extensionAlias: { ".js": [".ts", ".js"] } },
  plugins: [{ name: "packed", resolveId, load }],
});
mkdirSync(out, { recursive: true });
await bundled.write({ dir: out, format: "esm", entryFileNames: "hardware.mjs", minify: true, codeSplitting: false });
await bundled.close();

/** The library is what the package's users get, with the WebAssembly in it. */
function resolveId(/** @type {string} */ id, /** @type {string | undefined} */ importer) {
  if (!importer?.endsWith(".ts")) return undefined;
  const path = join(dirname(importer), id);
  if (path === join(root, "js/src/index.js")) return join(root, "dist/npm/inline.js");
  return path === join(root, "js/test/support/groups.js") ? "\0groups" : undefined;
}

/** The committed cases, as text. */
function load(/** @type {string} */ id) {
  if (id !== "\0groups") return undefined;
  const paths = ["operations.json", ...readdirSync(join(cases, "cases"), { recursive: true, encoding: "utf8" }).map((path) => join("cases", path))];
  const texts = paths.filter((path) => path.endsWith(".json")).map((path) => [path.slice(path.search(/[^\\/]+$/), -5), readFileSync(join(cases, path), "utf8")]);
  return `const texts = ${JSON.stringify(Object.fromEntries(texts))}; export const textOf = (name) => texts[name];`;
}
