// The package in Node.js, by `import`.

import { init, linalg, nn, tensor, valueAndGrad } from "weft-gpu";
import { program } from "./program.js";

console.log(JSON.stringify(await program({ init, linalg, nn, tensor, valueAndGrad })));
