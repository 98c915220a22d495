// A worker without a bundler. Import maps do not reach into workers, so the address is written out.
import { init, linalg, nn, tensor, valueAndGrad } from "./node_modules/weft-gpu/index.js";
import { program } from "./program.js";

postMessage(await program({ init, linalg, nn, tensor, valueAndGrad }, { device: "webgpu" }));
