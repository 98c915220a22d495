// A variational autoencoder: an encoder of two results, a step in `jit`, and losses that come
// along.
import { jit, nn, optim, random, valueAndGradAux, type Tensor } from "weft-gpu";

interface Losses {
  readonly reconstruction: Tensor;
  readonly divergence: Tensor;
}

class Encoder extends nn.Module {
  readonly body = new nn.Sequential(new nn.Linear(12, 16), new nn.ReLU());
  readonly mean = new nn.Linear(16, 2);
  readonly logVariance = new nn.Linear(16, 2);

  forward(x: Tensor): [mean: Tensor, logVariance: Tensor] {
    const hidden = this.body.forward(x);
    return [this.mean.forward(hidden), this.logVariance.forward(hidden)];
  }
}

class VAE extends nn.Module {
  readonly encoder = new Encoder();
  readonly decoder = new nn.Sequential(new nn.Linear(2, 16), new nn.ReLU(), new nn.Linear(16, 12), (x) => x.sigmoid());

  forward(x: Tensor, key: Tensor): { output: Tensor; mean: Tensor; logVariance: Tensor } {
    const [mean, logVariance] = this.encoder.forward(x);
    const latent = mean.add(logVariance.mul(0.5).exp().mul(random.normal(key, mean.shape)));
    return { output: this.decoder.forward(latent), mean, logVariance };
  }

  /** A module has methods of other names, too. */
  sample(count: number): Tensor {
    return this.decoder.forward(random.normal([count, 2]));
  }
}

function loss(model: VAE, x: Tensor, key: Tensor): [Tensor, Losses] {
  const { output, mean, logVariance } = model.forward(x, key);
  const reconstruction = nn.mseLoss(output, x);
  const divergence = mean.square().add(logVariance.exp()).sub(logVariance).sub(1).mean().mul(0.5);
  return [reconstruction.add(divergence.mul(1e-3)), { reconstruction, divergence }];
}

export async function vae(): Promise<{ losses: number[]; divergence: number; sampled: readonly number[] }> {
  random.seed(1);
  const model = new VAE();
  const optimizer = optim.adam({ encoder: model.encoder, decoder: model.decoder }, { lr: 0.02 });
  const step = jit((x: Tensor, key: Tensor) => {
    const [value, gradient, aux] = valueAndGradAux(loss)(model, x, key);
    const { encoder, decoder } = gradient;
    const spread: Tensor = encoder.logVariance.weight.abs().max();
    optimizer.step({ encoder, decoder });
    return { value, aux, spread };
  });
  const x = random.uniform([8, 12]).greater(0.5).cast("f32");
  const losses: number[] = [];
  let divergence = 0;
  for (let n = 0; n < 4; n++) {
    const { value, aux } = step(x, random.foldIn(random.key(0), n));
    losses.push(await value.item());
    divergence = await aux.divergence.item();
  }
  return { losses, divergence, sampled: model.eval().sample(3).shape };
}
