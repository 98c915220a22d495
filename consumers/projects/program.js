// What does every consumer do? It trains nothing yet, but makes tensors, takes a gradient, and reads numbers whose values are known.

/** Runs on what `weft-gpu` exports: the loss is 6.5, and its gradient [-11, -16]. */
export async function program({ init, tensor, valueAndGrad }, options) {
  const { kind, reason } = await init(options);
  const x = tensor([[1, 2], [3, 4]]);
  const loss = valueAndGrad((weights) => x.matmul(weights).sub([1, 2]).square().mean());
  const [value, gradient] = loss(tensor([1, -1]));
  return { kind, reason, loss: await value.item(), gradient: await gradient.array() };
}
