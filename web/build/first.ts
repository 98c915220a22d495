// Prerendering of the first notebook into index.html. The page's own views make it, over a document
// without a browser. What they read on the way becomes `virtual:first`, so that the script shows
// the same at once. A few lines of script in the head choose the colours before the first paint;
// the policy names them by their hash.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DOMParser } from "linkedom";
import { build } from "vite";
import type { InlineConfig, Plugin } from "vite";
import type { GalleryEntry } from "../src/state/notebook/gallery.ts";
import type { Prepared } from "../src/state/prose/prepared.ts";

const VIRTUAL = "virtual:first";
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

interface First {
  html: string;
  prepared: Prepared;
}

async function bundle(config: InlineConfig): Promise<string> {
  const result = await build({ configFile: false, logLevel: "warn", ...config });
  const output = (Array.isArray(result) ? result : [result]).flatMap((each) => ("output" in each ? each.output : []));
  const entry = output.find((each) => each.type === "chunk" && each.isEntry);
  if (entry?.type !== "chunk") throw new Error("nothing was built");
  return entry.code;
}

/** What the views ask of a browser while they are made; nothing comes into view here, and no frame
 * is painted. */
function provideDocument(): void {
  const document = new DOMParser().parseFromString("<!doctype html><html><head></head><body></body></html>", "text/html");
  Object.defineProperties(document, { baseURI: { value: "http://page.invalid/" }, compatMode: { value: "CSS1Compat" } });
  class NeverNear {
    observe(): void {}
    unobserve(): void {}
  }
  const provided = { document, IntersectionObserver: NeverNear, matchMedia: () => ({ matches: false, addEventListener: () => undefined }), requestAnimationFrame: () => 0, location: { search: "", hash: "" } };
  for (const [name, value] of Object.entries(provided)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  if (!("navigator" in globalThis)) Object.defineProperty(globalThis, "navigator", { value: { platform: "" }, configurable: true });
}

async function render(entries: readonly GalleryEntry[], file: string, markdown: string): Promise<First> {
  provideDocument();
  const code = await bundle({
    ssr: { noExternal: true },
    build: { write: false, ssr: path("../src/first/render.ts"), rolldownOptions: { external: /^virtual:/, output: { codeSplitting: false } } },
  });
  const { renderFirst } = (await import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`)) as typeof import("../src/first/render.ts");
  return renderFirst(entries, file, markdown);
}

/** `runner` knows the name of the module that runs the greeting. */
export function first(folder: string, entries: () => readonly GalleryEntry[], runner: () => Promise<Readonly<Record<"worker", string>>>): Plugin {
  let rendered: Promise<First> | undefined;
  const renderOnce = () => {
    const [entry] = entries();
    if (!entry) throw new Error(`${folder} holds no notebook`);
    return (rendered ??= render(entries(), entry.file, readFileSync(join(folder, entry.file), "utf8")));
  };
  return {
    name: "weft-first",
    resolveId: (id) => (id === VIRTUAL ? `\0${VIRTUAL}` : undefined),
    async load(id) {
      if (id !== `\0${VIRTUAL}`) return undefined;
      return `export default JSON.parse(${JSON.stringify(JSON.stringify((await renderOnce()).prepared))});`;
    },
    transformIndexHtml: {
      order: "pre",
      async handler(html) {
        const { worker } = await runner();
        const early = await bundle({
          define: { FIRST_NOTEBOOK: JSON.stringify(entries()[0]!.file), WORKER: JSON.stringify(worker) },
          build: { write: false, target: "es2023", modulePreload: false, lib: { entry: path("../src/first/early.ts"), formats: ["iife"], name: "early", fileName: "early" } },
        });
        const script = early.trim();
        const hash = createHash("sha256").update(script).digest("base64");
        const { html: page } = await renderOnce();
        return html
          .replace("%EARLY_HASH%", () => `sha256-${hash}`)
          .replace("%EARLY%", () => script)
          .replace("%FIRST%", () => page);
      },
    },
  };
}
