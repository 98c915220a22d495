// The worker of the page.

import { init, linalg, nn, tensor, valueAndGrad } from "weft-gpu";
import { program } from "./program.js";

program({ init, linalg, nn, tensor, valueAndGrad }, { device: "webgpu" }).then(postMessage, (error) => setTimeout(() => { throw error; }));
