// The benchmark under Node.js, with WebGPU from Dawn (the npm package `webgpu`): DAWN names its `dawn.node`.
//
//   node bench-node.mjs [--only REGEX] [--quick] [--json FILE]

import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { parseArgs } from "node:util";
import * as weft from "weft-gpu";
import { run, table } from "./run.mjs";

const { values } = parseArgs({ options: { only: { type: "string" }, quick: { type: "boolean" }, json: { type: "string" } } });
const { create, globals } = createRequire(import.meta.url)(process.env["DAWN"] ?? "webgpu");
Object.assign(globalThis, globals);
// Dawn's work ends in turns of this process's loop, which must therefore have some.
const turning = setInterval(() => {}, 5);
const report = await run({ weft, gpu: create([]), only: values.only ? new RegExp(values.only) : undefined, quick: values.quick ?? false, log: (line) => console.error(line) });
console.log(table(report));
if (values.json) writeFileSync(values.json, JSON.stringify(report, null, 1));
clearInterval(turning);
process.exit(report.failures.length ? 1 : 0);
