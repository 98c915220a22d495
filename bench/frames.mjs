// Frames of notebooks, on a GPU under Node.js with WebGPU from Dawn: the time of a frame where
// frames follow one another without a pause, and a picture of the last. The notebooks' own cells
// run, at sizes that are given here.
//
//   node frames.mjs [--only REGEX] [--size full|small] [--seconds N] [--out DIR]
//
// DAWN names Dawn's `dawn.node`. A notebook runs for at most N seconds after its pipelines are
// compiled.

import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { deflateSync, crc32 } from "node:zlib";
import { pollSeldom } from "./dawn.mjs";
import { animationOf } from "./frames/notebook.mjs";
import { median } from "./measure.mjs";
import { isSoftware } from "./options.mjs";

const { values } = parseArgs({
  options: { only: { type: "string", default: "" }, size: { type: "string", default: "full" }, seconds: { type: "string", default: "20" }, out: { type: "string", default: "." } },
});
const { create, globals } = createRequire(import.meta.url)(process.env["DAWN"] ?? "webgpu");
Object.assign(globalThis, globals);
/** @type {typeof import("./weft.mjs")} */
const weft = await import(new URL("./weft.mjs", import.meta.url).href);
const gpu = create([]);
if (await isSoftware(gpu)) pollSeldom();
await weft.init({ device: "webgpu", gpu });
// Dawn's work ends in turns of this process's loop, which must therefore have some.
setInterval(() => {}, 5);
console.log(`${weft.deviceInfo()?.kind}: ${weft.deviceInfo()?.adapter?.description ?? ""}`);
mkdirSync(values.out, { recursive: true });

const small = values.size === "small";
/** What to run: a notebook, what it has otherwise, and what its menus are set to.
 * @type {{ name: string, notebook: string, instead?: [RegExp, string], choose?: Record<string, unknown>, frames?: number }[]} */
const ALL = [
  { name: small ? "fluid 256²" : "fluid 1920 × 1080", notebook: "fluid", instead: [/\[64, 96\] : \[256, 384\]/, small ? "[64, 96] : [256, 256]" : "[64, 96] : [1080, 1920]"] },
  { name: small ? "path tracer 64 × 36" : "path tracer 1280 × 720", notebook: "pathtracer", choose: { size: small ? 36 : 720 } },
  { name: "growing flower, with a lesson in each frame", notebook: "growing", frames: small ? 1 : 400 },
];

/**
 * A picture of numbers from 0 to 1, rows of pixels of three.
 * @param {import("weft-gpu").Tensor} tensor @param {string} file
 */
async function save(tensor, file) {
  const [high = 0, wide = 0] = tensor.shape;
  const data = await tensor.data();
  const rows = Buffer.alloc(high * (3 * wide + 1));
  for (let i = 0, from = 0, to = 0; i < high; i++) {
    rows[to++] = 0;
    for (let n = 0; n < 3 * wide; n++) rows[to++] = Math.round(255 * Math.max(0, Math.min(1, Number(data[from++]))));
  }
  const chunk = (/** @type {string} */ type, /** @type {Buffer} */ body) => {
    const text = Buffer.concat([Buffer.from(type), body]);
    const [before, after] = [Buffer.alloc(4), Buffer.alloc(4)];
    before.writeUInt32BE(body.length);
    after.writeUInt32BE(crc32(text));
    return Buffer.concat([before, text, after]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(wide, 0);
  header.writeUInt32BE(high, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  writeFileSync(file, Buffer.concat([start, chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]));
}

for (const { name, notebook, instead, choose = {}, frames } of ALL) {
  if (!new RegExp(values.only).test(name)) continue;
  const began = performance.now();
  const over = () => performance.now() - began > 1_000 * Number(values.seconds);
  const { frame, start } = await animationOf(weft, notebook, { instead, choose });
  await start?.();
  let [number, picture] = [0, /** @type {import("weft-gpu").Tensor | null} */ (null)];
  /** Frames one after the other, until the GPU has done them; milliseconds a frame. */
  const several = async (/** @type {number} */ count) => {
    const before = performance.now();
    for (let n = 0; n < count; n++, number++) {
      picture?.dispose();
      picture = await frame(number / 60, number, { x: 0.5, y: 0.5, down: false });
      // The page shows each frame, and has one under way at a time.
      void weft.realize(picture);
    }
    await picture?.slice([0, 1], [0, 1]).data();
    return (performance.now() - before) / count;
  };
  await several(1);
  const ready = performance.now() - began;
  // Kernels that are compiled meanwhile take over, and a GPU that was at rest wakes.
  let first = await several(1);
  while (performance.now() - began < Math.min(4_000, 200 * Number(values.seconds))) first = await several(4);
  const count = Math.max(1, Math.min(60, Math.round(300 / first)));
  const times = [];
  for (let n = 0; n < 9 && !over(); n++) times.push(await several(count));
  while (frames && number < frames && !over()) await several(count);
  console.log(`${name}: ${median(times).toFixed(3)} ms a frame (least ${Math.min(...times).toFixed(3)}), ${(1_000 / median(times)).toFixed(1)} frames a second; ready after ${ready.toFixed(0)} ms, ${number} frames`);
  if (picture) await save(picture, join(values.out, `${notebook}.png`));
}
process.exit(0);
