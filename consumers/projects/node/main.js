import { init, linalg, tensor, valueAndGrad } from "weft-gpu";
import { program } from "./program.js";

console.log(JSON.stringify(await program({ init, linalg, tensor, valueAndGrad })));
