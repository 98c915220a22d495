// The program that every consumer runs. It makes tensors, takes a gradient, inverts a matrix (by a
// deferred function, which the package fetches at the first call), reads numbers whose values are
// known, and looks at names.

/** Runs on what `weft-gpu` exports: the loss is 6.5, and its gradient [-11, -16], the inverse [[1,
 * 0], [-1, 1]]. */
export async function program({ init, linalg, nn, tensor, valueAndGrad }, options) {
  const { kind, reason } = await init(options);
  const x = tensor([[1, 2], [3, 4]]);
  const loss = valueAndGrad((weights) => x.matmul(weights).sub([1, 2]).square().mean());
  const [value, gradient] = loss(tensor([1, -1]));
  const inverse = linalg.inv([[1, 0], [1, 1]]);
  // Names that readers see, whatever a bundler made of those of classes.
  const summary = new nn.Sequential(new nn.Linear(2, 1), new nn.GELU()).summary();
  const refusalOf = (act) => {
    try {
      return act();
    } catch (error) {
      return `${error.name}: ${error.message}`;
    }
  };
  const refusal = refusalOf(() => x.add(new nn.LayerNorm(2)));
  const called = refusalOf(() => nn.Linear(2, 1));
  return { summary, refusal, called, kind, reason, loss: await value.item(), gradient: await gradient.array(), inverse: await inverse.array() };
}
