// The first result of a page with TensorFlow.js.

import { matMul, ones, ready, setBackend } from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-webgpu";
import { first } from "./first.mjs";

await first(async () => {
  await setBackend("webgpu");
  await ready();
  return (await matMul(ones([256, 256]), ones([256, 256])).data())[0] ?? Number.NaN;
});
