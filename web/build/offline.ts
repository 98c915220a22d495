// Build of what makes the site work offline and installable: the service worker with the list of
// the site's files, the web app's manifest with its icons, and the frame around the runner
// without a network.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import type { Plugin } from "vite";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
/** What only the benchmark's page needs, and the data of notebooks, which is kept when it is
 * read. */
const LEFT_OUT = /^(?:bench\.html|benchmark-licences\.txt|data\/|assets\/(?:bench|jax|measure|bare|tfjs|webgl|webgpu)-|assets\/weft_wasm_|.*\.(?:map|txt)$)/;

/** An icon within the manifest: the page's policy lets no picture come from anywhere, and a browser
 * installs nothing whose icons it refuses. */
const icon = (file: string, type: string) => `data:${type};base64,${readFileSync(path(`icons/${file}`)).toString("base64")}`;

const MANIFEST = {
  name: "Weft",
  short_name: "Weft",
  description: "Tensor programs on your GPU, in notebooks.",
  start_url: "./",
  scope: "./",
  display: "standalone",
  background_color: "#f7f4ec",
  theme_color: "#f7f4ec",
  icons: [
    { src: icon("any.svg", "image/svg+xml"), type: "image/svg+xml", sizes: "any", purpose: "any" },
    { src: icon("192.png", "image/png"), type: "image/png", sizes: "192x192" },
    { src: icon("512.png", "image/png"), type: "image/png", sizes: "512x512", purpose: "any maskable" },
  ],
};

/** A page without a script, of the site's own, so that the service worker serves it; inside, the
 * runner, as sandboxed as it is beside the page. */
function shellOf(runner: string): string {
  const policy = /<meta\s+http-equiv="Content-Security-Policy"[^>]*>/.exec(runner)?.[0];
  if (!policy) throw new Error("runner.html has no policy");
  const escaped = runner.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  // What stands in it inherits its policy, which so must allow what the runner's does.
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8" />${policy}<title>Weft notebook runner</title></head><body><iframe sandbox="allow-scripts" title="Weft notebook runner" srcdoc="${escaped}"></iframe></body></html>\n`;
}

export function offline(publicFolder: string): Plugin {
  return {
    name: "weft-offline",
    apply: "build",
    enforce: "post",
    generateBundle: {
      order: "post",
      async handler(_, bundle) {
        const runner = bundle["runner.html"];
        if (runner?.type !== "asset") throw new Error("the runner was not built");
        this.emitFile({ type: "asset", fileName: "runner-offline.html", source: shellOf(String(runner.source)) });
        this.emitFile({ type: "asset", fileName: "manifest.webmanifest", source: JSON.stringify(MANIFEST) });
        const shipped = readdirSync(publicFolder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(publicFolder.length + 1).replaceAll("\\", "/"));
        const made = Object.keys(bundle);
        const files = [...new Set([...made, ...shipped, "runner-offline.html", "manifest.webmanifest"])].filter((file) => file !== "index.html" && !LEFT_OUT.test(file)).sort();
        const hash = createHash("sha256");
        for (const file of [...made].sort()) {
          const each = bundle[file]!;
          hash.update(file).update(each.type === "chunk" ? each.code : each.source);
        }
        for (const file of shipped) hash.update(readFileSync(join(publicFolder, file)));
        const code = await serviceWorker(["./", ...files], hash.digest("hex").slice(0, 12));
        this.emitFile({ type: "asset", fileName: "sw.js", source: code });
      },
    },
  };
}

async function serviceWorker(files: readonly string[], version: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "warn",
    define: { FILES: JSON.stringify(files), VERSION: JSON.stringify(version) },
    build: { write: false, target: "es2023", modulePreload: false, lib: { entry: path("../src/offline/worker.ts"), formats: ["iife"], name: "offline", fileName: "offline" } },
  });
  const output = (Array.isArray(result) ? result : [result]).flatMap((each) => ("output" in each ? each.output : []));
  const entry = output.find((each) => each.type === "chunk" && each.isEntry);
  if (entry?.type !== "chunk") throw new Error("no service worker was built");
  return entry.code;
}
