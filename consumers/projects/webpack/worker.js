import { init, tensor, valueAndGrad } from "weft-gpu";
import { program } from "./program.js";

program({ init, tensor, valueAndGrad }, { device: "webgpu" }).then(postMessage, (error) => setTimeout(() => { throw error; }));
