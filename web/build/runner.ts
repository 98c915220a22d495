// Build of the isolated runner. The worker and the library become one module of text. The frames'
// scripts go inline into runner.html and fetcher.html, with their hashes in the policies. The page
// learns the names of the files from `virtual:runner`. Beside them are the wasm, in two files, and
// the entry of kernels.

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import type { Plugin } from "vite";
import { constructors } from "../../js/build/constructors.js";

const VIRTUAL = "virtual:runner";
const LIBRARY = "weft-gpu";
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export interface RunnerOptions {
  /** The entry of weft-gpu, that of kernels, and the two parts of the wasm. */
  library: string;
  kernels: string;
  wasm: string;
  rest: string;
}

interface BuiltFile {
  name: string;
  content: string | Uint8Array;
  type: string;
}

/** Every console record carries the name of the script that wrote it: unnamed, the worker's is its
 * whole `data:` address. */
const NAME = "//# sourceURL=weft-worker.js";

const hash = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex").slice(0, 10);

/** The page hands the worker the wasm's bytes, so the module carries none: a worker's `data:`
 * address has a limit of 2 MiB. */
export const withoutWasm: Plugin = {
  name: "weft-without-wasm",
  enforce: "pre",
  transform: (code) =>
    code.includes(".wasm") ? code.replace(/new URL\((["'])[^"']*\.wasm\1, import\.meta\.url\)/g, "undefined") : undefined,
};

/**
 * The library takes WebGPU from `engine.ts`, not from the global object, where cells find none
 * (`guard.ts`). Fails where the files are not of the expected form.
 */
const withOwnEngine: Plugin = {
  name: "weft-own-engine",
  enforce: "pre",
  transform(code, id) {
    const file = /\/(wasm\/core\.js|core\/device\/adapter\.ts)$/.exec(id)?.[1];
    if (file === undefined) return undefined;
    const changes: [RegExp, string][] =
      file === "core/device/adapter.ts"
        ? [[/\bglobalThis\b/g, "engine"]]
        : [[/\bglobalThis\b/g, "engine"], [/undefined : self\b/g, "undefined : engine"], [/instanceof (?=GPU[A-Z])/g, "instanceof engine."], [/\barg0\.getContext\(/g, "engine.contextOf(arg0, "]];
    let changed = code;
    for (const [pattern, replacement] of changes) {
      if (changed.search(pattern) < 0) throw new Error(`${id}: ${String(pattern)} matches nothing`);
      changed = changed.replace(pattern, replacement);
    }
    return `import { engine } from ${JSON.stringify(path("../src/worker/library/engine.ts"))};\n${changed}`;
  },
};

/** What a file with a part of the library's WebAssembly is called in the site. */
export const wasmName = (wasm: string, part = "weft") => `assets/${part}-${hash(readFileSync(wasm))}.wasm`;
export const restName = (rest: string) => wasmName(rest, "weft-rest");

/** The entry of kernels uses the library that it is given: two copies would not know each other's
 * tensors. */
const withLibraryGiven = (library: string): Plugin => ({
  name: "weft-library-given",
  enforce: "pre",
  resolveId: (id, importer) => (importer && id.startsWith(".") && join(dirname(importer), id).replace(/\.js$/, ".ts") === library ? { id: LIBRARY, external: true } : undefined),
});

/** The module of the entry of kernels: a function of the library. */
async function bundleKernels(entry: string, library: string): Promise<string> {
  const code = await bundle(entry, "iife", library, [withLibraryGiven(library)]);
  return `export default (library) => {\n${code.trim()}\nreturn runner;\n};\n//# sourceURL=weft-kernel.js\n`;
}

/** The module of the worker's side of the inspector, which is given the library. */
async function bundleInspector(library: string): Promise<string> {
  const code = await bundle(path("../src/worker/inspect/inspector.ts"), "iife", library);
  return `export default () => {\n${code.trim()}\nreturn runner;\n};\n//# sourceURL=weft-inspector.js\n`;
}

async function bundle(entry: string, format: "es" | "iife", library: string, more: readonly Plugin[] = []): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "warn",
    resolve: { alias: [{ find: /^weft-gpu$/, replacement: library }] },
    plugins: [...more, constructors(), withoutWasm, withOwnEngine],
    build: {
      write: false,
      target: "es2023",
      modulePreload: false,
      lib: { entry, formats: [format], name: "runner", fileName: "runner" },
      rolldownOptions: { output: { codeSplitting: false, globals: { [LIBRARY]: "library" } } },
    },
  });
  const output = (Array.isArray(result) ? result : [result]).flatMap((each) => ("output" in each ? each.output : []));
  const chunks = output.filter((each) => each.type === "chunk");
  if (chunks.length !== 1) throw new Error(`${entry}: expected one chunk, got ${chunks.length}`);
  return chunks[0]!.code;
}

/** A frame's page, with its script inside and the script's hash in its policy. */
async function frameOf(page: string, script: string, library: string): Promise<string> {
  const code = (await bundle(path(`../src/frame/${script}`), "iife", library)).trim();
  const digest = createHash("sha256").update(code).digest("base64");
  return readFileSync(path(`../src/frame/${page}`), "utf8")
    .replace("%SCRIPT_HASH%", () => `sha256-${digest}`)
    .replace("%SCRIPT%", () => code);
}

type RunnerFiles = Record<"worker" | "wasm" | "rest" | "kernels" | "inspector" | "page" | "fetcher", BuiltFile>;
type RunnerNames = Record<keyof RunnerFiles, string>;

async function buildRunner({ library, kernels, wasm, rest }: RunnerOptions): Promise<RunnerFiles> {
  for (const file of [library, kernels, wasm, rest])
    if (!existsSync(file)) throw new Error(`${file} is missing: build the library first (cargo xtask build)`);
  const worker = `${(await bundle(path("../src/worker/main.ts"), "es", library)).trimEnd()}\n${NAME}\n`;
  const kernel = await bundleKernels(kernels, library);
  const page = await frameOf("runner.html", "main.ts", library);
  const fetcher = await frameOf("fetcher.html", "fetcher.ts", library);
  const inspector = await bundleInspector(library);
  return {
    worker: { name: `assets/worker-${hash(worker)}.js`, content: worker, type: "text/javascript" },
    wasm: { name: wasmName(wasm), content: readFileSync(wasm), type: "application/wasm" },
    rest: { name: restName(rest), content: readFileSync(rest), type: "application/wasm" },
    kernels: { name: `assets/kernel-${hash(kernel)}.js`, content: kernel, type: "text/javascript" },
    inspector: { name: `assets/inspector-${hash(inspector)}.js`, content: inspector, type: "text/javascript" },
    page: { name: "runner.html", content: page, type: "text/html" },
    fetcher: { name: "fetcher.html", content: fetcher, type: "text/html" },
  };
}

function namesOf(files: RunnerFiles): RunnerNames {
  const names = Object.fromEntries(Object.entries(files).map(([key, { name }]) => [key, name])) as RunnerNames;
  // Their names stay, so a query tells caches when they changed.
  for (const page of ["page", "fetcher"] as const) names[page] += `?${hash(files[page].content)}`;
  return names;
}

/** The plugin, and the names of the files that it makes. */
export function runner(options: RunnerOptions): Plugin & { names(): Promise<RunnerNames> } {
  let built: Promise<RunnerFiles> | undefined;
  let serving = false;
  const make = () => (built ??= buildRunner(options));
  return {
    name: "weft-runner",
    names: async () => namesOf(await make()),
    configResolved(config) {
      serving = config.command === "serve";
    },
    resolveId: (id) => (id === VIRTUAL ? `\0${VIRTUAL}` : undefined),
    async load(id) {
      if (id !== `\0${VIRTUAL}`) return undefined;
      // The development server asks again when a file has changed.
      if (serving) built = undefined;
      const files = await make();
      if (!serving)
        for (const { name, content } of Object.values(files)) this.emitFile({ type: "asset", fileName: name, source: content });
      return `export default ${JSON.stringify(namesOf(files))};`;
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        void (async () => {
          const wanted = (request.url ?? "").replace(/[?#].*$/, "").slice(1);
          const file = built && Object.values(await built).find(({ name }) => name === wanted);
          if (!file) return next();
          response.setHeader("Content-Type", file.type);
          response.end(file.content);
        })().catch(next);
      });
    },
  };
}
