// Build of the benchmark's page. It is built apart from the playground, so that neither shares a
// chunk with the other. The code that measures and each of the peers is a file that the page
// fetches when it needs it. The WebAssembly is the runner's.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import type { Plugin } from "vite";
import { restName, wasmName, withoutWasm } from "./runner.ts";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** The licences of the peers, whose code is among the site's files. TensorFlow.js's packages do not
 * bring the text of theirs. */
function licences(): string {
  const find = createRequire(path("../../bench/package.json")).resolve;
  const jax = readFileSync(join(dirname(find("@jax-js/jax")), "../LICENSE"), "utf8");
  return `jax-js\n\n${jax}\n\nTensorFlow.js, copyright Google LLC\n\n${readFileSync(path("../../LICENSE-APACHE"), "utf8")}`;
}

export function benchmark({ page, library, wasm, rest }: { page: string; library: string; wasm: string; rest: string }): Plugin {
  return {
    name: "weft-benchmark",
    apply: "build",
    async generateBundle() {
      const result = await build({
        configFile: false,
        logLevel: "warn",
        root: path("../.."),
        base: "./",
        publicDir: path("../public"),
        define: { WEFT_WASM: JSON.stringify({ wasm: wasmName(wasm), rest: restName(rest) }) },
        resolve: { alias: [{ find: /^weft-gpu$/, replacement: library }] },
        plugins: [withoutWasm],
        build: { write: false, copyPublicDir: false, target: "es2023", modulePreload: false, chunkSizeWarningLimit: 2_000, rolldownOptions: { input: page } },
      });
      const output = (Array.isArray(result) ? result : [result]).flatMap((each) => ("output" in each ? each.output : []));
      for (const file of output) this.emitFile({ type: "asset", fileName: file.fileName, source: file.type === "chunk" ? file.code : file.source });
      this.emitFile({ type: "asset", fileName: "benchmark-licences.txt", source: licences() });
    },
  };
}
