// Build of the npm package in `dist/npm` from the sources: three scripts (the second carries the
// WebAssembly as base64, the third is the entry of kernels), the WebAssembly, declarations, a
// reference made from them, and a `package.json` for those who install it. It needs `js/wasm`,
// which `cargo xtask build` makes.

import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { decode, encode } from "@jridgewell/sourcemap-codec";
import { rolldown } from "rolldown";
import { parseAst } from "rolldown/parseAst";
import { constructors } from "./constructors.js";
import { reference } from "./reference.js";

const source = fileURLToPath(new URL("..", import.meta.url));
const root = join(source, "..");
const built = join(source, "wasm/weft_wasm_bg.wasm");
const out = join(root, "dist/npm");
const wasm = join(out, "weft.wasm");
const rest = join(out, "weft-rest.wasm");

if (!existsSync(built)) throw new Error(`${relative(root, built)} is missing: run \`cargo xtask build\``);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
/** Characters of a line that is long. */
const LONG = 400;
const names = shorten();
// What it imports it knows by number.
copyFileSync(join(source, "wasm/weft_wasm_rest.wasm"), rest);

await bundle("index", "index.ts");
await bundle("inline", "inline.ts");
await bundle("kernel", "kernel/index.ts");
declarations();
manifest();
writeFileSync(join(out, "API.md"), reference(join(out, "index.d.ts"), join(out, "kernel/index.d.ts")));
copyFileSync(join(source, "README.md"), join(out, "README.md"));
// The entry of kernels contains the parser.
copyFileSync(join(root, "node_modules/acorn/LICENSE"), join(out, "LICENSE-acorn"));
for (const name of ["LICENSE", "LICENSE-MIT", "LICENSE-APACHE"]) {
  if (existsSync(join(root, name))) copyFileSync(join(root, name), join(out, name));
}

/** One entry, as one script of that name. */
async function bundle(name, entry) {
  const bundled = await rolldown({
    input: { [name]: join(source, "src", entry) },
    platform: "neutral",
    // The other entries use the first: two copies of the library would not know each other's
    // tensors.
    plugins: [...(name === "index" ? [] : [mainBeside()]), constructors(), wasmAsText(), wasmBeside(), wasmShortened()],
  });
  const { output } = await bundled.write({
    dir: out,
    format: "esm",
    comments: { legal: true, annotation: true, jsdoc: false },
    // Stack traces are read by the source map; what errors say by name is written out
    // (`nameClasses`).
    minify: { compress: true, mangle: { toplevel: true, keepNames: { function: false, class: true } }, codegen: { removeWhitespace: true } },
    sourcemap: "hidden",
  });
  const scripts = output.filter(({ type }) => type === "chunk");
  if (scripts.length !== 1) throw new Error(`${entry} became ${scripts.map((part) => part.fileName).join(", ")}, not one script`);
  const [{ code, fileName, map }] = scripts;
  if (/weft_wasm_(bg|rest)\.wasm/.test(code)) throw new Error(`${fileName} looks for the WebAssembly where it is not`);
  const starts = startsOfLines(code);
  const lines = starts.map((start, n) => code.slice(start, starts[n + 1] ?? code.length));
  writeFileSync(join(out, fileName), `${lines.join("\n").trimEnd()}\n//# sourceMappingURL=${fileName}.map\n`);
  writeFileSync(join(out, `${fileName}.map`), JSON.stringify(mapInLines(map, code, starts)));
}

/** Where the lines of a script begin that has one for each statement of the module and, where that
 * is long, for each member or statement in it: Node prints the line that threw, and stack traces
 * tell lines. */
function startsOfLines(code) {
  const starts = [];
  const visit = (node) => {
    if (node === null || typeof node !== "object" || node.end - node.start < LONG) return;
    for (const [key, child] of Object.entries(node)) {
      if (!Array.isArray(child)) visit(child);
      else {
        if (key === "body" || key === "properties") starts.push(...child.map(({ start }) => start));
        child.forEach(visit);
      }
    }
  };
  visit(parseAst(code));
  return [...new Set([0, ...starts])].sort((a, b) => a - b);
}

/** A source map of a script in which new lines begin at `starts`. Its sources stand in it, under
 * their paths in the repository. */
function mapInLines(map, code, starts) {
  const lineStarts = [0, ...Array.from(code.matchAll(/\n/g), ({ index }) => index + 1)];
  const [own, added] = [new Set(lineStarts), new Set(starts)];
  const breaks = [...new Set([...lineStarts, ...starts])].sort((a, b) => a - b);
  const rows = [];
  let row = 0;
  for (const at of breaks) {
    // Where a line begins both ways an empty one comes before it.
    if (at > 0) row += Number(own.has(at)) + Number(added.has(at));
    rows.push(row);
  }
  const lines = Array.from({ length: row + 1 }, () => []);
  decode(map.mappings).forEach((segments, line) => {
    for (const [column, ...rest] of segments) {
      const offset = lineStarts[line] + column;
      let low = 0;
      for (let high = breaks.length - 1; low < high; ) {
        const middle = (low + high + 1) >> 1;
        if (breaks[middle] <= offset) low = middle;
        else high = middle - 1;
      }
      lines[rows[low]].push([offset - breaks[low], ...rest]);
    }
  });
  const sources = map.sources.map((path) => relative(root, join(out, path)).replaceAll("\\", "/"));
  return { version: 3, file: map.file, names: map.names, sources, sourcesContent: map.sourcesContent, mappings: encode(lines) };
}

/**
 * Writes the WebAssembly with short names for what it imports and exports, and gives them.
 * wasm-bindgen's names end in hashes, which no compression makes smaller, and stand in the script
 * and in the WebAssembly.
 */
function shorten() {
  const wasmOpt = join(root, "node_modules/binaryen/bin/wasm-opt");
  // What Rust's target has on, as `xtask/src/build.rs` says: with more, wasm-opt would write what
  // engines do not read yet.
  const features = ["bulk-memory", "bulk-memory-opt", "multivalue", "mutable-globals", "nontrapping-float-to-int", "reference-types", "sign-ext", "simd"];
  const args = [wasmOpt, ...features.map((feature) => `--enable-${feature}`), "--minify-imports-and-exports-and-modules", built, "-o", wasm];
  const { imports, exports } = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
  return {
    // All of them become one module of this name.
    modules: new Map(imports.map(([module]) => [module, "a"])),
    imports: new Map(imports.map(([, long, short]) => [long, short])),
    exports: new Map(exports),
  };
}

/** The script of wasm-bindgen, which names what the WebAssembly imports as keys, and what it
 * exports as members of `wasm`. */
function wasmShortened() {
  return {
    name: "wasm-shortened",
    transform(code, id) {
      if (!id.startsWith(join(source, "wasm"))) return undefined;
      for (const name of [...names.modules.keys(), ...names.imports.keys()]) {
        if (!code.includes(name)) throw new Error(`${id} does not give the WebAssembly its ${name}`);
      }
      const imported = code.replace(/\b__\w+/g, (name) => names.imports.get(name) ?? name);
      const named = imported.replace(/"([^"\n]+)"(?=: )/g, (key, name) => (names.modules.has(name) ? `"${names.modules.get(name)}"` : key));
      const short = named.replace(/\bwasm\.(\w+)/g, (member, name) => (names.exports.has(name) ? `wasm.${names.exports.get(name)}` : member));
      return { code: short, map: null };
    },
  };
}

/** The main entry, which the others import, is the script beside them. */
function mainBeside() {
  const main = join(source, "src/index.js");
  return {
    name: "main-beside",
    resolveId: (id, importer) => (importer && id.startsWith(".") && join(dirname(importer), id) === main ? { id: "./index.js", external: true } : undefined),
  };
}

/** `weft:wasm` and `weft:rest` are the WebAssembly as base64. */
function wasmAsText() {
  const files = new Map([["weft:wasm", wasm], ["weft:rest", rest]]);
  return {
    name: "wasm-as-text",
    resolveId: (id) => (files.has(id) ? `\0${id}` : undefined),
    load: (id) => (id.startsWith("\0weft:") ? `export default "${readFileSync(files.get(id.slice(1)), "base64")}"` : undefined),
  };
}

/** In the package the WebAssembly lies beside the script, under other names. */
function wasmBeside() {
  return {
    name: "wasm-beside",
    transform(code, id) {
      if (!id.endsWith("parts.ts")) return undefined;
      const beside = code.replace(/new URL\([^"]*"[./]*wasm\/weft_wasm_(bg|rest)\.wasm", import\.meta\.url\)/g, (_, part) => `new URL("./weft${part === "rest" ? "-rest" : ""}.wasm", import.meta.url)`);
      return { code: beside, map: null };
    },
  };
}

/** The declarations that the entries lead to. Those of internal modules stay out. */
function declarations() {
  const all = mkdtempSync(join(tmpdir(), "weft-types-"));
  try {
    const tsc = fileURLToPath(import.meta.resolve("typescript/package.json")).replace("package.json", "bin/tsc");
    execFileSync(process.execPath, [tsc, "-p", join(source, "tsconfig.build.json"), "--outDir", all], { stdio: "inherit" });
    const wanted = ["index.d.ts", "inline.d.ts", "kernel/index.d.ts"];
    const copied = new Set();
    while (wanted.length > 0) {
      const file = wanted.pop();
      if (copied.has(file)) continue;
      copied.add(file);
      const text = readFileSync(join(all, file), "utf8");
      if (text.includes("weft_wasm")) throw new Error(`${file} is public and names the core's own functions`);
      mkdirSync(dirname(join(out, file)), { recursive: true });
      writeFileSync(join(out, file), documented(text));
      for (const [, specifier] of text.matchAll(/(?:from |import\()"(\.[^"]+)\.js"/g)) {
        wanted.push(join(dirname(file), `${specifier}.d.ts`));
      }
    }
  } finally {
    rmSync(all, { recursive: true });
  }
}

/**
 * Declarations whose comments editors show: each overload of a function has the comment of the
 * first, since the one that is called is shown, and what is said of a namespace is said of its
 * module, too, to which a name that is imported leads.
 */
function documented(text) {
  const overloads = /^(\/\*\*(?:(?!\*\/)[^])*\*\/\n)?export declare function (\w+)/gm;
  const namespaces = /^(\/\*\*(?:(?!\*\/)[^])*\*\/\n)export \* as \w+ from ("[^"]+");\n/gm;
  let [last, comment] = ["", ""];
  const repeated = text.replace(overloads, (start, own, name) => {
    [last, comment] = [name, own ?? (name === last ? comment : "")];
    return own === undefined ? comment + start : start;
  });
  return repeated.replace(namespaces, (whole, comment, module) => `${whole}${comment}declare module ${module} {}\n`);
}

/** What those who install the package need to know of it. */
function manifest() {
  const { private: _, scripts, devDependencies, exports: __, ...rest } = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
  const entry = (name, types = name) => ({ types: `./${types}.d.ts`, default: `./${name}.js` });
  const published = {
    ...rest,
    exports: { ".": entry("index"), "./inline": entry("inline"), "./kernel": entry("kernel", "kernel/index"), "./weft.wasm": "./weft.wasm", "./weft-rest.wasm": "./weft-rest.wasm", "./package.json": "./package.json" },
    types: "./index.d.ts",
    main: "./index.js",
    module: "./index.js",
  };
  writeFileSync(join(out, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
}
