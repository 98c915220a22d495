// The package in Node.js, by `import`, and its entry of kernels.

import { init, linalg, nn, tensor, valueAndGrad } from "weft-gpu";
import { kernel } from "weft-gpu/kernel";
import { program } from "./program.js";

const outcome = await program({ init, linalg, nn, tensor, valueAndGrad });
const smooth = kernel((x, i, { rate }) => x.at(i) + (x.at(i + 1) - x.at(i)) * rate, { edge: "wrap", with: { rate: 0.5 } });
console.log(JSON.stringify({ ...outcome, smoothed: await smooth(tensor([1, 2, 6])).array() }));
