// A page built with Rollup. Rollup does not copy files beside a script; this entry carries its
// WebAssembly.
import { init, linalg, nn, tensor, valueAndGrad } from "weft-gpu/inline";
import { program } from "./program.js";

globalThis.outcome = program({ init, linalg, nn, tensor, valueAndGrad }, { device: "webgpu" });
