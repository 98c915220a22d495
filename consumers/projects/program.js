// What does every consumer do? It trains nothing yet, but makes tensors, takes a gradient, inverts a matrix (which is
// in the part of the package that is fetched when it is called), and reads numbers whose values are known.

/** Runs on what `weft-gpu` exports: the loss is 6.5, and its gradient [-11, -16], the inverse [[1, 0], [-1, 1]]. */
export async function program({ init, linalg, tensor, valueAndGrad }, options) {
  const { kind, reason } = await init(options);
  const x = tensor([[1, 2], [3, 4]]);
  const loss = valueAndGrad((weights) => x.matmul(weights).sub([1, 2]).square().mean());
  const [value, gradient] = loss(tensor([1, -1]));
  const inverse = linalg.inv([[1, 0], [1, 1]]);
  return { kind, reason, loss: await value.item(), gradient: await gradient.array(), inverse: await inverse.array() };
}
