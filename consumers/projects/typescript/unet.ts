// A U-Net that predicts the noise of a diffusion process: `forward(x, t)`, blocks in arrays, and
// skip connections.
import { concat, nn, optim, random, tensor, valueAndGrad, type Gradient, type Tensor } from "weft-gpu";

/** Two convolutions, with an embedding of the time added between them. */
class Block extends nn.Module {
  readonly first: nn.Conv2d;
  readonly norm: nn.GroupNorm;
  readonly time: nn.Linear;
  readonly second: nn.Conv2d;
  readonly shortcut: nn.Conv2d | null;

  constructor(inputs: number, outputs: number, width: number) {
    super();
    this.first = new nn.Conv2d(inputs, outputs, 3, { padding: 1 });
    this.norm = new nn.GroupNorm(2, outputs);
    this.time = new nn.Linear(width, outputs);
    this.second = new nn.Conv2d(outputs, outputs, 3, { padding: 1 });
    this.shortcut = inputs === outputs ? null : new nn.Conv2d(inputs, outputs, 1);
  }

  forward(x: Tensor, time: Tensor): Tensor {
    const shift = this.time.forward(time).expandDims([-1, -2]);
    const hidden = this.norm.forward(this.first.forward(x)).add(shift).silu();
    return this.second.forward(hidden).add(this.shortcut?.forward(x) ?? x);
  }
}

class UNet extends nn.Module<[x: Tensor, t: Tensor], Tensor> {
  readonly embed = new nn.Sequential(new nn.Linear(1, 8), new nn.SiLU(), new nn.Linear(8, 8));
  readonly down = [new Block(1, 4, 8), new Block(4, 8, 8)];
  readonly pool = new nn.MaxPool2d(2);
  readonly middle = new Block(8, 8, 8);
  readonly up = [
    { grow: new nn.ConvTranspose2d(8, 8, 2, { stride: 2 }), block: new Block(16, 4, 8) },
    { grow: new nn.ConvTranspose2d(4, 4, 2, { stride: 2 }), block: new Block(8, 4, 8) },
  ];
  readonly out = new nn.Conv2d(4, 1, 1);

  forward(x: Tensor, t: Tensor): Tensor {
    const time = this.embed.forward(t.expandDims(-1));
    const skips: Tensor[] = [];
    let value = x;
    for (const block of this.down) {
      value = block.forward(value, time);
      skips.push(value);
      value = this.pool.forward(value);
    }
    value = this.middle.forward(value, time);
    for (const { grow, block } of this.up) value = block.forward(concat([grow.forward(value), skips.pop() as Tensor], 1), time);
    return this.out.forward(value);
  }
}

/** The losses of a few steps, and a norm of a gradient deep within. */
export async function unet(): Promise<{ losses: number[]; norm: number; shape: readonly number[] }> {
  random.seed(0);
  const model = new UNet();
  const optimizer = optim.adamw(model, { lr: 1e-2 });
  const images = random.normal([2, 1, 8, 8]);
  const noise = random.normal([2, 1, 8, 8]);
  const t = tensor([0.25, 0.75]);
  const loss = (model: UNet, x: Tensor, t: Tensor) => model.forward(x, t).sub(noise).square().mean();
  const losses: number[] = [];
  let norm = 0;
  for (let step = 0; step < 3; step++) {
    const mix = t.reshape([2, 1, 1, 1]);
    const [value, gradient] = valueAndGrad(loss)(model, images.mul(mix).add(noise.mul(mix.mul(-1).add(1))), t);
    const typed: Gradient<UNet> = gradient;
    const weights: Tensor[] = [gradient.out.weight, ...gradient.down.map((block) => block.first.weight), ...gradient.up.map(({ grow }) => grow.weight)];
    const shortcut: Tensor | undefined = gradient.middle.shortcut?.weight;
    if (shortcut !== undefined) throw new Error("the middle block has no shortcut");
    norm = await optim.globalNorm([weights, typed.embed.layers[0].weight]).item();
    optimizer.step(optim.clipByGlobalNorm(gradient, 1));
    losses.push(await value.item());
  }
  return { losses, norm, shape: model.forward(images, t).shape };
}
