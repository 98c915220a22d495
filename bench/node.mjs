// The benchmark under Node.js, with WebGPU from Dawn (the npm package `webgpu`): DAWN names its
// `dawn.node`.
//
//   node bench-node.mjs [--only REGEX] [--size full|medium|software|small] [--alone] [--rounds N]
//                       [--json FILE] [--before DIR]
//
// --before names a folder that another build's pack.mjs wrote: both builds take turns.

import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { pollSeldom } from "./dawn.mjs";
import { contestants, isSoftware, sizeOf } from "./options.mjs";
import { run } from "./run.mjs";
import { lines, table } from "./table.mjs";

const { values } = parseArgs({ options: { only: { type: "string" }, size: { type: "string" }, alone: { type: "boolean" }, rounds: { type: "string" }, json: { type: "string" }, before: { type: "string" } } });
const { create, globals } = createRequire(import.meta.url)(process.env["DAWN"] ?? "webgpu");
Object.assign(globalThis, globals);
/** @type {GPU} */
const gpu = create([]);
// Where the peers look for it.
Object.defineProperty(globalThis, "navigator", { value: { ...globalThis.navigator, userAgent: "Node.js", gpu }, configurable: true });
// Dawn's work ends in turns of this process's loop, which must therefore have some.
const turning = setInterval(() => {}, 5);
const software = await isSoftware(gpu);
if (software) pollSeldom();
/** @type {(address: string) => Promise<import("./libraries/weft.mjs").Weft>} */
const load = (address) => import(new URL(address, import.meta.url).href);
const before = values.before ? await load(pathToFileURL(join(values.before, "weft.mjs")).href) : undefined;
const report = await run({
  ...(await contestants(await load("./weft.mjs"), await load("./weft.mjs?cpu"), { alone: values.alone ?? false, software, before })),
  gpu,
  size: sizeOf(values.size) ?? (software ? "software" : "full"),
  only: values.only ? new RegExp(values.only) : undefined,
  ...(values.rounds ? { rounds: Number(values.rounds) } : {}),
  onEnd(report, name) {
    console.error(lines(report, name).join("\n"));
    // A run may be given less time than it takes.
    if (values.json) writeFileSync(values.json, JSON.stringify(report, null, 1));
  },
});
console.log(table(report));
clearInterval(turning);
process.exit(report.failures.some(({ library }) => library.startsWith("Weft")) ? 1 : 0);
