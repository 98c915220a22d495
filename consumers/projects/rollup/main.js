// Rollup leaves files beside a script behind; this entry carries its WebAssembly.
import { init, tensor, valueAndGrad } from "weft-gpu/inline";
import { program } from "./program.js";

globalThis.outcome = program({ init, tensor, valueAndGrad }, { device: "webgpu" });
