// esbuild copies the WebAssembly where a loader says so, and `init` is told where it is.
import { init, tensor, valueAndGrad } from "weft-gpu";
import wasm from "weft-gpu/weft.wasm";
import { program } from "./program.js";

globalThis.outcome = program({ init, tensor, valueAndGrad }, { device: "webgpu", wasm: new URL(wasm, import.meta.url) });
