// A page built with esbuild. esbuild copies the WebAssembly where a loader is configured, and
// `init` takes its address.
import { init, linalg, nn, tensor, valueAndGrad } from "weft-gpu";
import rest from "weft-gpu/weft-rest.wasm";
import wasm from "weft-gpu/weft.wasm";
import { program } from "./program.js";

const at = (name) => new URL(name, import.meta.url);
globalThis.outcome = program({ init, linalg, nn, tensor, valueAndGrad }, { device: "webgpu", wasm: at(wasm), rest: at(rest) });
