// Build of the playground as a static site: one page, the isolated runner beside it, the page of
// the benchmark, and the notebooks as they are. Every address is relative, so that the site works
// under any path of any host.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import type { Plugin } from "vite";
import { benchmark } from "./web/build/benchmark.ts";
import { first } from "./web/build/first.ts";
import { licences } from "./web/build/licences.ts";
import { galleryOf, notebooks } from "./web/build/notebooks.ts";
import { offline } from "./web/build/offline.ts";
import { runner } from "./web/build/runner.ts";
import { inlineStyles } from "./web/build/styles.ts";
import { types } from "./web/build/types.ts";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

const gallery = () => galleryOf(path("./notebooks"));

/** The page's policy is for the built site: Vite's development server needs scripts and styles of
 * its own. */
const developmentPolicy: Plugin = {
  name: "weft-development-policy",
  apply: "serve",
  transformIndexHtml: (html) => html.replace(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, ""),
};

const kernels = path("./js/src/kernel/index.ts");
/** The library, and the two parts of its WebAssembly. */
const core = { library: path("./js/src/index.ts"), wasm: path("./js/wasm/weft_wasm_bg.wasm"), rest: path("./js/wasm/weft_wasm_rest.wasm") };

const runs = runner({ ...core, kernels });

export default defineConfig({
  base: "./",
  publicDir: path("./web/public"),
  plugins: [
    runs,
    benchmark({ page: path("./bench.html"), ...core }),
    notebooks(path("./notebooks"), gallery),
    first(path("./notebooks"), gallery, runs.names),
    inlineStyles(path("./notebooks/pictures/posters"), () => gallery()[0]!.file),
    types({ library: core.library, kernels }),
    offline(path("./web/public")),
    licences(path("./web")),
    developmentPolicy,
  ],
  // The reader of texts fetches that of formulas when there are any.
  worker: { format: "es" },
  build: { outDir: "dist/site", emptyOutDir: true, target: "es2023", modulePreload: { polyfill: false } },
});
