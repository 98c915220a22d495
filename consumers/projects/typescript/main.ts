// A program in TypeScript, checked as strictly as TypeScript can, and run.
import { init, jit, linalg, nn, optim, tensor, valueAndGrad, WeftError, type DeviceInfo, type InitOptions, type Tensor } from "weft-gpu";
import type { init as inlineInit } from "weft-gpu/inline";
import { modules } from "./modules.js";
import { seq2seq } from "./seq2seq.js";
import { unet } from "./unet.js";
import { vae } from "./vae.js";

const options: InitOptions = { device: "cpu" };
const info: DeviceInfo = await init(options);
const x: Tensor = tensor([[1, 2], [3, 4]]);
const step = valueAndGrad((weights: Tensor) => x.matmul(weights).sub([1, 2]).square().mean());
const [value, gradient] = step(tensor([1, -1]));
const loss: number = await value.item();

const model = new nn.Sequential(new nn.Linear(2, 3), new nn.ReLU());
const optimizer = optim.adam(model, { lr: 1e-3 });
const forward = jit((input: Tensor) => model.forward(input));
const shape: readonly number[] = forward(x).shape;
optimizer.dispose();

/** A mistake in the options is one that the compiler sees, and one of the package's own at run
 * time. */
export function mistake(): unknown {
  try {
    // @ts-expect-error -- there is no such option
    return x.sum(0, { keepDims: true });
  } catch (error) {
    return error instanceof WeftError ? error.op : error;
  }
}
const same: typeof inlineInit = init;
if (same !== init || mistake() !== "sum" || shape.join() !== "2,3") throw new Error("the types say what is not so");

/** Names that readers see. */
const summary: string = new nn.Sequential(new nn.Linear(2, 1), new nn.GELU()).summary();
function refusalOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof WeftError) return `${error.name}: ${error.message}`;
  }
  return "";
}
const refusal = refusalOf(() => x.add(new nn.LayerNorm(2) as unknown as Tensor));
// @ts-expect-error -- a class is made with new
const called = refusalOf(() => nn.Linear(2, 1));

declare const console: { log(text: string): void };
const outcome = { summary, refusal, called, kind: info.kind, loss, gradient: await gradient.array(), inverse: await linalg.inv([[1, 0], [1, 1]]).array() };
console.log(JSON.stringify({ ...outcome, programs: { modules: await modules(), seq2seq: await seq2seq(), unet: await unet(), vae: await vae() } }));
