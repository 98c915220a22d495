import { init, tensor, valueAndGrad } from "weft-gpu";
import { program } from "./program.js";

postMessage(await program({ init, tensor, valueAndGrad }, { device: "webgpu" }));
