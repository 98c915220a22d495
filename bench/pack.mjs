// How does the benchmark become files that need nothing? One script for Node.js with Dawn, one page for a browser, each with the
// package's inline build inside.
//
//   node bench/pack.mjs DIR

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const here = fileURLToPath(new URL(".", import.meta.url));
const weft = join(here, "../dist/npm/inline.js");

/** @param {string} out */
export async function pack(out) {
  mkdirSync(out, { recursive: true });
  const bundle = async (/** @type {string} */ entry, /** @type {"node" | "browser"} */ platform) => {
    const bundled = await rolldown({ input: join(here, entry), platform, external: ["webgpu"], resolve: { alias: { "weft-gpu": weft } } });
    const { output } = await bundled.generate({ format: "esm", codeSplitting: false });
    return output[0].code;
  };
  writeFileSync(join(out, "bench-node.mjs"), await bundle("node.mjs", "node"));
  const script = (await bundle("page.mjs", "browser")).replaceAll("</script", "<\\/script");
  writeFileSync(join(out, "bench.html"), `<!doctype html><meta charset="utf-8"><title>Weft, measured</title><body><script type="module">\n${script}\n</script>`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const out = process.argv[2];
  if (!out) throw new Error("pack.mjs DIR");
  await pack(out);
}
