import { readFileSync } from "node:fs";
import { create } from "webgpu";
import { init, ones, tune } from "./weft.mjs";
globalThis.gpu = create([]);
await init({ device: "webgpu", gpu, wasm: readFileSync("/work/tiers/js/wasm/weft_wasm_bg.wasm"), tune: "idle" });
await ones([64, 4096]).mul(0.5).sum(1).data();
process.on("exit", () => console.log("races:", tune.log().length));
if (process.argv[2] === "wait") await tune.race();
