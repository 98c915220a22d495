// Packing of the benchmark into files that need nothing else: a folder with the package's inline
// build, the peers, scripts for Node.js with Dawn, one of them for frames of notebooks, and pages
// for a browser.
//
//   node bench/pack.mjs DIR

import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const here = fileURLToPath(new URL(".", import.meta.url));
const package_ = join(here, "../dist/npm");
const find = createRequire(import.meta.url).resolve;

/** The licences of what is packed beside Weft. TensorFlow.js is under the Apache licence, whose
 * text its packages do not bring. */
const LICENCES = { "jax-js": join(dirname(find("@jax-js/jax")), "../LICENSE"), "tensorflow-js": join(here, "../LICENSE-APACHE") };

/** @param {string} out */
export async function pack(out) {
  for (const parts of ["parts", "parts-node"]) rmSync(join(out, parts), { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const bundle = async (/** @type {Record<string, string>} */ input, /** @type {"node" | "browser"} */ platform, parts = "parts", alias = {}) => {
    const bundled = await rolldown({
      input,
      platform,
      external: ["webgpu", /^node:/],
      resolve: { mainFields: ["module", "main"], alias },
      checks: { eval: false },
    });
    await bundled.write({ dir: out, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: `${parts}/[name]-[hash].mjs`, minify: true });
    await bundled.close();
  };
  const html = (/** @type {string} */ name, /** @type {string} */ title, /** @type {string} */ script) => {
    const missing = "{ error: 'a part is missing, or not served as JavaScript', text: 'a part is missing, or not served as JavaScript' }";
    writeFileSync(join(out, `${name}.html`), `<!doctype html><meta charset="utf-8"><title>${title}</title><body><script type="module" src="${script}.mjs" onerror="measured = cold = ${missing}"></script>\n`);
  };
  await bundle({ weft: join(here, "weft.mjs") }, "browser", "parts", { "weft-gpu/kernel": join(package_, "kernel.js"), "weft-gpu": join(package_, "inline.js") });
  await bundle({ "bench-page": join(here, "page.mjs") }, "browser");
  // The pages of the first result have nothing of the others': what each fetches is measured.
  for (const library of ["weft", "jax", "tfjs"]) {
    await bundle({ [`cold-${library}`]: join(here, "cold", `${library}.mjs`) }, "browser", "parts", { "weft-gpu": join(package_, "index.js") });
    html(`cold-${library}`, `A first result, ${library}`, `cold-${library}`);
  }
  for (const part of ["weft.wasm", "weft-rest.wasm"]) copyFileSync(join(package_, part), join(out, part));
  await bundle({ memory: join(here, "cold/memory.mjs") }, "browser", "parts", { "weft-gpu": join(package_, "inline.js") });
  html("memory", "Memory", "memory");
  await bundle({ step: join(here, "step/page.mjs") }, "browser");
  html("step", "A step", "step");
  // What TensorFlow.js has for Node.js is not in what it has for browsers.
  await bundle({ "bench-node": join(here, "node.mjs") }, "node", "parts-node");
  await bundle({ frames: join(here, "frames.mjs"), first: join(here, "first.mjs") }, "node", "parts-node");
  mkdirSync(join(out, "notebooks"), { recursive: true });
  for (const name of ["fluid", "pathtracer", "growing"]) copyFileSync(join(here, "../notebooks", `${name}.md`), join(out, "notebooks", `${name}.md`));
  html("bench", "Weft, measured", "bench-page");
  for (const [peer, file] of Object.entries(LICENCES)) writeFileSync(join(out, `LICENSE-${peer}`), readFileSync(file));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const out = process.argv[2];
  if (!out) throw new Error("pack.mjs DIR");
  await pack(out);
}
