// Types of modules, trees and gradients: what TypeScript infers of them, and what it refuses.
import { data, grad, jacrev, jit, nn, ones, optim, random, tensor, tidy, valueAndGrad, vjp, vmap, zeros, type BatchAxes, type Gradient, type Tensor, type TensorTree } from "weft-gpu";
import { Model } from "./model.js";

/** An interface is a tree, as a type alias is. */
interface Dense {
  readonly weight: Tensor;
  readonly bias: Tensor;
}
interface Network {
  readonly layers: readonly Dense[];
  readonly scale: Tensor;
}
interface Learned {
  readonly weight: nn.Parameter;
  readonly bias: nn.Parameter;
}

/** `forward` of two, whose result is a tuple. */
class Recurrent extends nn.Module {
  readonly cell = new nn.LSTMCell(2, 3);

  forward(x: Tensor, [hidden, cell]: [Tensor, Tensor]): [output: Tensor, state: [Tensor, Tensor]] {
    const next = this.cell.step(x, { hidden, cell });
    return [next.hidden, [next.hidden, next.cell]];
  }
}

/** Without `forward`. */
class Table extends nn.Module {
  readonly rows = new nn.Embedding(4, 2);
  readonly visits = new nn.Buffer(zeros([4]));

  lookup(indices: number[]): Tensor {
    return this.rows.forward(tensor(indices, { dtype: "i32" }));
  }
}

/** A form of `forward` that is declared has to be kept. */
class Pair extends nn.Module<[a: Tensor, b: Tensor], { sum: Tensor; product: Tensor }> {
  forward(a: Tensor, b: Tensor): { sum: Tensor; product: Tensor } {
    return { sum: a.add(b), product: a.mul(b) };
  }
}
// @ts-expect-error -- there is no forward
class Lacking extends nn.Module<[x: Tensor], Tensor> {}
class Unlike extends nn.Module<[x: Tensor], Tensor> {
  // @ts-expect-error -- another result
  forward(x: Tensor): [Tensor, Tensor] {
    return [x, x];
  }
}

/** Around a module of any class. */
class Residual<M extends nn.Module> extends nn.Module {
  constructor(readonly inner: M) {
    super();
  }

  forward(x: Tensor): Tensor {
    return x.add(this.inner.forward(x));
  }
}

class Network2 extends nn.Module {
  readonly fc1 = new nn.Linear(2, 3);
  readonly act = new nn.ReLU();
  readonly norm = new nn.BatchNorm(3);
  readonly blocks: (nn.Linear | nn.ReLU)[] = [new nn.Linear(3, 3), new nn.ReLU()];
  readonly heads: Record<string, nn.Linear> = { a: new nn.Linear(3, 1), b: new nn.Linear(3, 1) };
  readonly body: nn.Module = new nn.Sequential(new nn.Linear(3, 3), new nn.Tanh());
  readonly table = new Table();
  readonly names = ["a", "b"];
  readonly extents = [2, 3] as const;
  readonly scale = new nn.Parameter(1);

  forward(x: Tensor): Tensor {
    const hidden = this.blocks.reduce((value, block) => block.forward(value), this.act.forward(this.fc1.forward(x)));
    return this.names.reduce((sum, name) => sum.add((this.heads[name] as nn.Linear).forward(hidden)), this.body.forward(this.norm.forward(hidden)).mul(this.scale));
  }
}

/** Two networks in one tree, of which each has its optimizer. */
async function adversarial(): Promise<number> {
  const nets = { generator: new nn.Sequential(new nn.Linear(2, 4), new nn.ReLU(), new nn.Linear(4, 2)), critic: new nn.Sequential(new nn.Linear(2, 4), nn.relu, new nn.Linear(4, 1)) };
  type Nets = typeof nets;
  const [forGenerator, forCritic] = [optim.adam(nets.generator), optim.adam(nets.critic)];
  const step = jit((real: Tensor, noise: Tensor) => {
    const critic = ({ generator, critic }: Nets) => critic.forward(generator.forward(noise)).sub(critic.forward(real)).mean();
    const [value, gradient] = valueAndGrad(critic)(nets);
    const weight: Tensor = gradient.critic.layers[2].weight;
    const norm = optim.globalNorm([weight, gradient.generator]);
    forCritic.step(gradient.critic);
    forGenerator.step(grad((generator: Nets["generator"]) => nets.critic.forward(generator.forward(noise)).mean().neg())(nets.generator));
    return { value, norm };
  });
  const { norm } = step(ones([4, 2]), random.normal([4, 2]));
  return norm.item();
}

/** For any model of a tensor to one. */
function fit<M extends nn.Module>(model: M, x: Tensor): Gradient<M> {
  const gradient = grad((model: M) => model.forward(x).sum())(model);
  const optimizer = optim.sgd(model, { lr: 0.1 });
  optimizer.step(optim.clipByValue(gradient, 1));
  return grad((model: M) => model.forward(x).sum())(model);
}

/** Layers of classes that are not known. */
function run(layers: readonly nn.Module[], x: Tensor): Tensor {
  return new nn.Sequential(...layers, (y) => y.mul(1)).forward(layers.reduce((value, layer) => layer.forward(value), x));
}

export async function modules(): Promise<unknown> {
  random.seed(3);
  const x = ones([4, 2]);
  const recurrent = new Recurrent();
  const [output, [hidden]] = recurrent.forward(x, [zeros([4, 3]), zeros([4, 3])]);
  const ofCell: Tensor = grad((model: Recurrent, x: Tensor) => model.forward(x, [zeros([4, 3]), zeros([4, 3])])[1][1].sum())(recurrent, x).cell.weightIh;

  const model = new Network2();
  const gradient = grad((model: Network2) => model.forward(x).add(model.table.lookup([1, 2]).sum()).mean())(model);
  const found: Tensor[] = [gradient.fc1.weight, gradient.norm.weight as Tensor, gradient.table.rows.weight, gradient.scale];
  const bias: Tensor | undefined = gradient.fc1.bias;
  const [block] = gradient.blocks;
  const ofBlock: Tensor | undefined = block && "weight" in block ? block.weight : undefined;
  const ofHead: Tensor | undefined = gradient.heads["a"]?.weight;
  const ofBody: TensorTree | undefined = gradient.body["layers"];
  // @ts-expect-error -- nothing is learned there
  gradient.act;
  // @ts-expect-error -- statistics are not learned
  gradient.norm.runningMean;
  // @ts-expect-error -- no parameter
  gradient.fc1.inputs;
  // @ts-expect-error -- a method
  gradient.forward;
  // @ts-expect-error -- no parameters
  gradient.names;
  // @ts-expect-error -- no parameters
  gradient.extents;
  // @ts-expect-error -- a mode
  gradient.training;
  // @ts-expect-error -- a buffer
  gradient.table.visits;
  // @ts-expect-error -- a layer may have no bias
  gradient.fc1.bias.shape;
  // @ts-expect-error -- there is no such layer
  gradient.fc2;
  for (const name of ["act", "names", "extents"]) if (name in gradient) throw new Error(`the gradient has ${name}`);

  const network: Network = { layers: [{ weight: ones([2, 2]), bias: zeros([2]) }], scale: tensor(2) };
  const predict = (network: Network, x: Tensor) => network.layers.reduce((value, { weight, bias }) => value.matmul(weight).add(bias), x).mul(network.scale);
  const loss = (network: Network, x: Tensor) => predict(network, x).square().mean();
  const ofNetwork: Network = optim.clipByGlobalNorm(grad(loss)(network, x), 1);
  const tree: TensorTree = network;
  const compiled = jit((network: Network, x: Tensor): Network => ({ ...network, scale: loss(network, x) }));
  const kept: Network = tidy(() => compiled(network, x));
  const axes: BatchAxes = { layers: null, scale: 0 };
  const scaled = vmap(predict, { inAxes: [axes, null] })({ ...network, scale: tensor([1, 2, 3]) }, x);
  const [, [pulled]] = vjp(predict, [network, x], ones([4, 2]));
  const jacobian: Tensor = jacrev(predict)(network, x).scale;
  const dense: Dense = network.layers[0] as Dense;
  const learned: Learned = { weight: new nn.Parameter(dense.weight), bias: new nn.Parameter(dense.bias) };
  const optimizer = optim.adam(learned);
  optimizer.step(grad((learned: Learned) => x.matmul(learned.weight).add(learned.bias).mean())(learned));
  optim.sgd([learned.weight, [learned.bias]], { momentum: 0.9 });
  optim.adamw([{ params: learned, lr: 0.1, betas: [0.9, 0.99] }], { weightDecay: 0 });
  const saved = data.npz(await data.toNpz(dense));
  new nn.Linear(2, 2).loadStateDict(dense);
  const residual = new Residual(new Residual(new nn.Linear(2, 2)));
  const ofInner: Tensor = grad((model: typeof residual) => model.forward(x).sum())(residual).inner.inner.weight;
  const ofScript: Tensor = grad((model: Model) => model.forward(x, 2)[0].sum())(new Model()).hidden.weight;
  const [[ofFirst], ofSecond] = grad((first: [nn.Linear], second: Dense) => first[0].forward(x).mul(second.weight.sum()).sum(), { argnums: [0, 1] })([new nn.Linear(2, 2)], dense);
  const fitted = fit(new nn.Linear(2, 2), x);

  return {
    shapes: [output, hidden, ofCell, ...found, bias, ofBlock, ofHead, ofNetwork.scale, kept.scale, scaled, pulled.scale, jacobian, run([new nn.Linear(2, 2), new nn.ReLU()], x), new Pair().forward(x, x).sum, fitted.weight, ofInner, ofScript, ofFirst.weight, ofSecond.weight].map((x) => x?.shape),
    trees: [tree, ofBody].map((tree) => typeof tree),
    saved: Object.keys(await saved),
    adversarial: await adversarial(),
  };
}

/** What is refused. */
export function refused(model: Network2, table: Table, pair: Pair, x: Tensor, any: nn.AnyModule): unknown[] {
  return [
    // @ts-expect-error -- a second argument
    pair.forward(x),
    // @ts-expect-error -- the result has no such field
    pair.forward(x, x).quotient,
    // @ts-expect-error -- no forward
    table.forward(x),
    // @ts-expect-error -- it may have none
    any.forward(x),
    // @ts-expect-error -- a list of gradients that has a text
    optim.sgd(model).step([x, "x"]),
    // @ts-expect-error -- takes one tensor
    new nn.Sequential(pair),
    // @ts-expect-error -- has no forward
    new nn.Sequential(table),
    // @ts-expect-error -- not of one tensor to one
    fit(pair, x),
    // @ts-expect-error -- a number is no tensor
    model.forward(5),
    // @ts-expect-error -- no gradients
    optim.sgd(model).step(5),
    // @ts-expect-error -- a promise of gradients
    optim.sgd(model).step(Promise.resolve(x)),
    // @ts-expect-error -- a function
    optim.sgd(() => model),
    // @ts-expect-error -- there is no such option
    optim.adamw([{ params: model, rate: 0.1 }]),
    // @ts-expect-error -- there is no such option
    optim.adam(model, { learningRate: 0.1 }),
    // @ts-expect-error -- returns no tensor
    grad((model: Network2) => model.size()),
    // @ts-expect-error -- another model
    grad((model: Network2, x: Tensor) => model.forward(x).sum())(table, x),
    // @ts-expect-error -- an axis is no text
    vmap((x: Tensor) => x, { inAxes: ["0"] }),
    // @ts-expect-error -- an entry that is no tensor
    data.toNpz({ x: "1" }),
    // @ts-expect-error -- shapes are arrays
    zeros(2, 3),
    // @ts-expect-error -- not a dtype
    zeros([2], { dtype: "float32" }),
    // @ts-expect-error -- a class is made with new
    nn.Linear(2, 3),
  ];
}
void [Lacking, Unlike];
