// The first result of a page with jax-js.

import { defaultDevice, init, numpy as np } from "@jax-js/jax";
import { first } from "./first.mjs";

await first(async () => {
  await init("webgpu");
  defaultDevice("webgpu");
  return (await np.matmul(np.ones([256, 256]), np.ones([256, 256])).data())[0] ?? Number.NaN;
});
