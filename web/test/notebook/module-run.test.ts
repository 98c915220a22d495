// Exported modules run under Node.js, with the package, and log what the notebook displays.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as weft from "weft-gpu";
import { afterAll, beforeAll, expect, it } from "vitest";
import { KERNEL_NAMES } from "../../src/state/code/kernels";
import { readVocabulary } from "../../build/types";
import { writeModule } from "../../src/state/formats/module-write";
import { parseNotebook } from "../../src/state/notebook/notebook";

const built = fileURLToPath(new URL("../../../dist/npm", import.meta.url));
const names = { library: new Set(Object.keys(weft)), kernels: new Set(Object.keys(KERNEL_NAMES)), notebook: new Set(["print", "display", "camera", "scatter", "audio", "range"]) };

let folder = "";
beforeAll(() => {
  if (!existsSync(join(built, "index.js"))) throw new Error(`${built} is missing: build the package first (cargo xtask build)`);
  folder = mkdtempSync(join(tmpdir(), "weft-module-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(built, join(folder, "node_modules/weft-gpu"), "dir");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NOTEBOOK = `# Everything

\`\`\`js
const a = tensor([1, 2, 3]);
a
\`\`\`

\`\`\`js
const rate = slider("rate", { min: 0, max: 4, step: 1, value: 3 });
print("first", a.mul(rate).shape, await a.mul(rate).array());
display(a.mul(rate), { title: "scaled" });
\`\`\`

\`\`\`js
const doubled = (x) => x * 2;
print("operators", await (a * rate + 1).array(), await doubled(a).array(), doubled(4));
\`\`\`

\`\`\`js
import { grad as gradient } from "weft-gpu";
let step = 1;
function f(x) { return x.mul(step); }
await gradient((x) => f(x).sum())(tensor([1, 1])).array();
\`\`\`

\`\`\`js
step = 5;
f(tensor([1]))
\`\`\`

\`\`\`js
const step = 7, init = "mine", Tensor = "hidden";
function f(x) { return x.add(step); }
({ of: f(tensor([1])), [init]: Tensor })
\`\`\`

\`\`\`js
const chart = plot({ x: "step", series: ["loss"], title: "training" });
for (let i = 0; i < 2; i++) chart.add({ step: i, loss: tensor(0.5) });
table([{ name: "x", value: 1 }]);
const bar = progress(2, { label: "bar" });
for await (const i of bar) await tick();
heatmap(zeros([4, 4]), { title: "map" });
image([zeros([2, 2]), zeros([3, 3])], { title: "pair" });
await download("notes.txt", "a text");
await download({ "p.png": zeros([2, 2]), "q.txt": "more" }, "out");
\`\`\`

\`\`\`js
const [from, to] = range("span", { min: 0, max: 8, value: [2, 6] });
await plot([from, to], { up: [1, 2], down: a }, { title: "lines" });
const dots = scatter(a, a);
await dots.update(a, a);
bars({ pears: 3 });
audio(a, 8000)
\`\`\`

\`\`\`js
const scale = 4;
const twice = kernel((x, i) => x.at(i) * scale);
await twice(a).array()
\`\`\`

\`\`\`js
const sum = (list) => list.reduce((a, b) => a + b, 0);
const square = (x) => x * x;
const far = (x, y) => Math.sqrt(square(x) + square(y));
const only = (i) => far(i, i) ** 2;
const size = select("size", [16, 32]);
\`\`\`

\`\`\`js
const grown = kernel((x, i) => only(x.at(i)) / 2 + square(scale));
print("shared", await grown(a).array(), await square(a).array(), sum([1, 2]) / 2, size * 2);
\`\`\`

\`\`\`js
this is not JavaScript
\`\`\`
`;

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const { vocabulary } = readVocabulary({ library: path("../../../js/src/index.ts"), kernels: path("../../../js/src/kernel/index.ts") });

it("logs what the notebook displays, in order", async () => {
  const file = join(folder, "notebook.mjs");
  writeFileSync(file, await writeModule(parseNotebook(NOTEBOOK), { names, title: "Everything", site: "https://example.org/", vocabulary }));
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder, timeout: 100_000, maxBuffer: 1e7 });
  const lines = stdout.split("\n");
  expect(lines.filter((line) => !/[│┌├└]/.test(line)).filter((line) => line !== "")).toEqual([
    "f32[3] 1 2 3",
    "first [3] [3,6,9]",
    "scaled: f32[3] 3 6 9",
    "operators [4,7,10] [2,4,6] 8",
    "[1,1]",
    "f32[1] 5",
    "{ of: f32[1] 8, mine: hidden }",
    "training: step 0, loss 0.5",
    "training: step 1, loss 0.5",
    "bar 1/2",
    "bar 2/2",
    "map: f32[4,4]",
    "pair: f32[2,2], f32[3,3]",
    "wrote files/notes.txt",
    "wrote out/p.png (a picture f32[2,2]), out/q.txt",
    "lines: 2 values",
    "scatter: f32[3]",
    "bars: pears 3",
    "sound: f32[3], 8000 samples a second",
    "[4,8,12]",
    "shared [17,20,25] [1,4,9] 1.5 32",
  ]);
  expect(stdout).toContain("│ 'x'  │");
  expect([readFileSync(join(folder, "files/notes.txt"), "utf8"), readFileSync(join(folder, "out/q.txt"), "utf8"), existsSync(join(folder, "out/p.png"))]).toEqual(["a text", "more", false]);
});

// All of them in a full run, at a landing one of eight, which rotates.
const gallery = path("../../../notebooks/");
const [share, first] = process.env["WEFT_TIER"] === "full" ? [1, 0] : [8, Number(process.env["WEFT_SEED"] ?? 0) % 8];
const site = createServer((request, response) => {
  const file = join(path("../../../dist/site"), decodeURIComponent(new URL(String(request.url), "http://a/").pathname));
  if (!existsSync(file)) return void response.writeHead(404).end();
  response.end(readFileSync(file));
});
afterAll(() => void site.close());

it.each(readdirSync(gallery).filter((name) => name.endsWith(".md")).filter((_, at) => at % share === first))("%s of the gallery runs as a module", async (name) => {
  if (!site.listening) await new Promise<void>((resolve) => void site.listen(0, "127.0.0.1", resolve));
  const cells = parseNotebook(readFileSync(join(gallery, name), "utf8"));
  const notebook = new Set(vocabulary.notebook.map(([each]) => each));
  const file = join(folder, name.replace(/md$/, "mjs"));
  writeFileSync(file, await writeModule(cells, { names: { ...names, notebook }, title: name, site: `http://127.0.0.1:${(site.address() as AddressInfo).port}/`, vocabulary }));
  const { stderr } = await promisify(execFile)(process.execPath, [file], { timeout: 100_000, maxBuffer: 1e8 }).catch((error: { stderr: string }) => error);
  // Some ask for what only a page has; they say so.
  expect(stderr.replace(/[^]*Error: \w+ works only in the playground\n[^]*/, "")).toBe("");
}, 120_000);
