// Complex numbers, stored as pairs of tensors, under every transformation.

import { expect, it } from "vitest";
import { Complex, explain, fft, forLoop, grad, jit, jvp, nn, scan, tensor, vjp, vmap, type Tensor } from "../../src/index.js";
import { onCpu, values } from "../support/cpu.js";

onCpu();

const x = () => tensor([1, -2, 3, 0.5]);
/** The parts of what must be complex. */
async function parts(z: unknown): Promise<number[][]> {
  expect(z).toBeInstanceOf(Complex);
  const { re, im } = z as Complex;
  return [await values(re), await values(im)].map((list) => list.map((value) => Number(value.toFixed(4)) + 0));
}

it("as arguments and results of captured functions", async () => {
  const plain = await parts(fft.fft(x()));
  const forward = jit((v: Tensor) => fft.fft(v));
  for (let n = 0; n < 3; n++) expect(await parts(forward(x()))).toEqual(plain);
  const back = jit((z: Complex) => fft.ifft(z));
  for (let n = 0; n < 2; n++) expect(await parts(back(fft.fft(x())))).toEqual(await parts(new Complex(x())));
});

it("under vmap, in loops and in scans", async () => {
  const rows = x().reshape([2, 2]);
  expect(await parts(vmap((v: Tensor) => fft.fft(v))(rows))).toEqual(await parts(fft.fft(rows)));
  const turned = forLoop(0, 4, (_, z) => z.mul(new Complex(tensor(0), tensor(1))), new Complex(x(), x()));
  expect(await parts(turned)).toEqual(await parts(new Complex(x(), x())));
  const [last] = scan((z, v: Tensor) => [z.add(v), null], new Complex(tensor(0), tensor(0)), x());
  expect(await parts(last)).toEqual([[2.5], [0]]);
});

it("forward and backward", async () => {
  // |F x|² sums to n|x|², so its gradient is 2n·x.
  const power = (v: Tensor) => {
    const z = fft.fft(v);
    return z.re.square().add(z.im.square()).sum();
  };
  (await values(grad(power)(x()))).forEach((value, n) => expect(value).toBeCloseTo(8 * [1, -2, 3, 0.5][n]!, 4));
  const [out, tangent] = jvp((v: Tensor) => fft.fft(v), [x()], [x()]);
  expect(await parts(tangent)).toEqual(await parts(out));
  const [, [pulled]] = vjp((v: Tensor) => fft.fft(v), [x()], fft.fft(x()));
  (await values(pulled)).forEach((value, n) => expect(value).toBeCloseTo(4 * [1, -2, 3, 0.5][n]!, 4));
  const slope = grad((z: Complex) => z.abs().sum())(new Complex(tensor([3]), tensor([4])));
  expect(await parts(slope)).toEqual([[0.6], [0.8]]);
});

it("in a module, and in what explains", async () => {
  class Phase extends nn.Module {
    readonly factor = new Complex(new nn.Parameter([0]), new nn.Parameter([1]));
    forward(v: Tensor): Tensor {
      return new Complex(v).mul(this.factor).im;
    }
  }
  const module = new Phase();
  expect(module.namedParameters().map(([name]) => name)).toEqual(["factor.re", "factor.im"]);
  const gradient = grad((m: Phase) => m.forward(tensor([2])).sum())(module) as { factor: { im: Tensor } };
  expect(await values(gradient.factor.im)).toEqual([2]);
  expect(explain((v: Tensor) => fft.fft(v), x()).dispatches.length).toBeGreaterThan(0);
});

it("has powers of 0, and slopes of logarithms and roots", async () => {
  expect(await parts(new Complex([0, 0, 0]).pow([2, 0, 0.5]))).toEqual([[0, 1, 0], [0, 0, 0]]);
  const real = (f: (z: Complex) => Complex) => grad((z: Complex) => f(z).re.sum())(new Complex(tensor([3]), tensor([4])));
  // Of log |z| it is z/|z|²; of the real part of a root (1/2√z) without its sign.
  expect(await parts(real((z) => z.log()))).toEqual([[0.12], [0.16]]);
  expect(await parts(real((z) => z.sqrt()))).toEqual([[0.2], [0.1]]);
  expect(await parts(vmap((z: Complex) => z.sqrt())(new Complex(x(), x())))).toEqual(await parts(new Complex(x(), x()).sqrt()));
});

it("as text", () => {
  expect(String(new Complex(tensor([1, 2]), tensor([0, -1])))).toBe("Complex { re: Tensor f32[2] [1, 2], im: Tensor f32[2] [ 0, -1] }");
});
