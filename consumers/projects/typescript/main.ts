// A program in TypeScript, checked as strictly as TypeScript can, and run.
import { init, jit, linalg, nn, optim, tensor, valueAndGrad, WeftError, type DeviceInfo, type InitOptions, type Tensor } from "weft-gpu";
import type { init as inlineInit } from "weft-gpu/inline";

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

/** A mistake in the options is one that the compiler sees, and one of the package's own at run time. */
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
function refused(): string {
  try {
    x.add(new nn.LayerNorm(2) as unknown as Tensor);
  } catch (error) {
    if (error instanceof WeftError) return `${error.name}: ${error.message}`;
  }
  return "";
}

declare const console: { log(text: string): void };
console.log(JSON.stringify({ summary, refusal: refused(), kind: info.kind, loss, gradient: await gradient.array(), inverse: await linalg.inv([[1, 0], [1, 1]]).array() }));
