// The first result of a page with Weft, as its package is used: a script, and the WebAssembly
// beside it.

import { init, ones } from "weft-gpu";
import { first } from "./first.mjs";

await first(async () => {
  await init({ device: "webgpu" });
  return (await ones([256, 256]).matmul(ones([256, 256])).data())[0] ?? Number.NaN;
});
