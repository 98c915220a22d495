// How does the benchmark become files that need nothing else? A folder with the package's inline build, the peers, one script for
// Node.js with Dawn, and pages for a browser.
//
//   node bench/pack.mjs DIR

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const here = fileURLToPath(new URL(".", import.meta.url));
const find = createRequire(import.meta.url).resolve;

/** The licences of what is packed beside Weft. TensorFlow.js is under the Apache licence, whose text its packages do not bring. */
const LICENCES = { "jax-js": join(dirname(find("@jax-js/jax")), "../LICENSE"), "tensorflow-js": join(here, "../LICENSE-APACHE") };

/** @param {string} out */
export async function pack(out) {
  rmSync(join(out, "parts"), { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const bundle = async (/** @type {Record<string, string>} */ input) => {
    const bundled = await rolldown({
      input,
      // Also for Node.js: what the peers have for it reaches for packages that a browser does without.
      platform: "browser",
      external: ["webgpu", /^node:/],
      resolve: { mainFields: ["module", "main"] },
      checks: { eval: false },
    });
    await bundled.write({ dir: out, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "parts/[name]-[hash].mjs", minify: true });
    await bundled.close();
  };
  await bundle({ weft: join(here, "../dist/npm/inline.js") });
  await bundle({ "bench-node": join(here, "node.mjs"), "bench-page": join(here, "page.mjs") });
  writeFileSync(join(out, "bench.html"), `<!doctype html><meta charset="utf-8"><title>Weft, measured</title><body><script type="module" src="bench-page.mjs" onerror="measured = { text: 'a part of the benchmark is missing, or not served as JavaScript' }"></script>\n`);
  for (const [peer, file] of Object.entries(LICENCES)) writeFileSync(join(out, `LICENSE-${peer}`), readFileSync(file));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const out = process.argv[2];
  if (!out) throw new Error("pack.mjs DIR");
  await pack(out);
}
