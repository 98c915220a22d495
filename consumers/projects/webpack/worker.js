import { init, linalg, tensor, valueAndGrad } from "weft-gpu";
import { program } from "./program.js";

program({ init, linalg, tensor, valueAndGrad }, { device: "webgpu" }).then(postMessage, (error) => setTimeout(() => { throw error; }));
