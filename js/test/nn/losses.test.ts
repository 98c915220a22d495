// Losses of sequences and of whole batches, and the rarer losses. Values and gradients are optax's,
// of its version 0.2.6, in float64.

import { describe, expect, it } from "vitest";
import { grad, jit, log, nn, ones, tensor, vmap, zeros, type Tensor } from "../../src/index.js";
import { errorOf, onCpu, values } from "../support/cpu.js";

onCpu();

const i32 = (data: readonly unknown[]): Tensor => tensor(data as number[][], { dtype: "i32" });
const near = (found: readonly unknown[], expected: readonly number[], digits = 4): void => {
  expect(found.length).toBe(expected.length);
  found.forEach((value, n) => expect(value).toBeCloseTo(expected[n] as number, digits));
};

describe("ctcLoss", () => {
  const logits = [
    [[1.79, 0.44, 0.1, -1.86, -0.28], [-0.35, -0.08, -0.63, -0.04, -0.48], [-1.31, 0.88, 0.88, 1.71, 0.05], [-0.4, -0.55, -1.55, 0.98, -1.1], [-1.19, -0.21, 1.49, 0.24, -1.02], [-0.71, 0.63, -0.16, -0.77, -0.23], [0.75, 1.98, -1.24, -0.63, -0.8]],
    [[-2.42, -0.92, -1.02, 1.12, -0.13], [-1.62, 0.65, -0.36, -1.74, -0.6], [-0.59, -0.87, 0.03, -2.25, -0.27], [1.01, 0.85, 1.11, 1.12, 1.49], [-1.12, 0.85, -1.86, -0.6, -1.91], [1.05, 1.33, -0.2, 1.77, -0.67], [0.15, 0.15, -1.06, 0.44, 1.94]],
    [[-1.02, 0.9, -0.15, 1.77, 0.48], [0.68, 0.64, 0.25, -1.4, 1.39], [-1.37, 0.24, 0.61, -0.84, 0.15], [1.17, -0.02, -0.89, -2.92, -0.97], [-0.59, -0.52, -0.96, 0.38, -0.57], [-0.11, 0.68, -0.86, -0.3, 2.16], [0.87, -1.29, -0.08, 0.56, 1.23]],
  ];
  // The second sequence is two steps shorter; a label that is repeated needs a blank between.
  const paddings = [[0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, 0, 0]];
  const labels = [[1, 1, 2], [3, 4, 0], [2, 0, 0]];
  const labelPaddings = [[0, 0, 0], [0, 0, 1], [0, 1, 1]];
  const loss = (x: Tensor) => nn.ctcLoss(x, tensor(paddings), i32(labels), tensor(labelPaddings));

  it("is optax's", async () => {
    near(await values(loss(tensor(logits))), [8.506405, 5.678423, 10.627106]);
    near(await values(jit(loss)(tensor(logits))), [8.506405, 5.678423, 10.627106]);
  });

  it("has its gradient", async () => {
    const first = [0.186689, -0.39766, 0.115618, 0.016286, 0.079067, -0.427373, -0.137382, 0.142405, 0.256898, 0.165451, -0.166634, -0.603692, 0.206557, 0.4737, 0.090069];
    const found = await values(grad((x: Tensor) => loss(x).sum())(tensor(logits)));
    near(found.slice(0, 15), first);
    // What is padding says nothing.
    near(found.slice(60, 70), new Array(10).fill(0) as number[]);
  });

  it("takes another blank, and a batch of batches", async () => {
    const x = tensor(logits);
    // With the classes turned round by one, the blank is the last.
    const order = i32([1, 2, 3, 4, 0]);
    const others = labels.map((line) => line.map((label) => (label + 4) % 5));
    near(await values(nn.ctcLoss(x.take(order, 2), tensor(paddings), i32(others), tensor(labelPaddings), { blank: 4 })), [8.506405, 5.678423, 10.627106]);
    const each = vmap((x: Tensor) => loss(x))(x.expandDims(0).broadcastTo([2, 3, 7, 5]));
    near(await values(each as Tensor), [8.506405, 5.678423, 10.627106, 8.506405, 5.678423, 10.627106]);
  });

  it("is the probability of all rhythms", async () => {
    // Two steps, one label: said twice, or once with a blank.
    const chances = log(tensor([[[0.1, 0.9], [0.8, 0.2]]]));
    near(await values(nn.ctcLoss(chances, zeros([1, 2]), i32([[1]]), zeros([1, 1])).neg().exp()), [0.9 * 0.2 + 0.9 * 0.8 + 0.1 * 0.2], 5);
    // No label at all: blanks alone.
    near(await values(nn.ctcLoss(chances, zeros([1, 2]), i32([[1]]), ones([1, 1])).neg().exp()), [0.08], 5);
  });

  it("refuses what does not fit", () => {
    const x = tensor(logits);
    const refused = (call: () => unknown) => errorOf(call).message;
    expect(refused(() => nn.ctcLoss(x, zeros([3, 6]), i32(labels), tensor(labelPaddings)))).toBe("ctcLoss: logits [3,7,5] with paddings [3,6], labels [3,3] with paddings [3,3] and the blank 0 do not fit");
    expect(refused(() => nn.ctcLoss(x, tensor(paddings), i32([[1], [2]]), zeros([2, 1])))).toMatch(/^ctcLoss: logits/);
    expect(refused(() => nn.ctcLoss(x, tensor(paddings), i32(labels), tensor(labelPaddings), { blank: 5 }))).toMatch(/the blank 5 do not fit$/);
  });
});

describe("ntxent", () => {
  const vectors = [[0.15, -0.53, -0.73], [0.65, 0.31, -0.52], [-0.19, -0.42, 0.72], [-0.69, 0.49, 0.85], [0.49, -0.83, 1.34]];

  it("is optax's, with its gradient", async () => {
    const loss = (x: Tensor) => nn.ntxent(x, i32([0, 1, 0, 1, 2]), 0.5);
    near(await values(loss(tensor(vectors))), [2.634015]);
    const expected = [0.664325, 1.097067, -0.659996, 0.046737, -1.270669, -0.699093, -0.115245, 1.164326, 0.648778, -0.187565, -0.843544, 0.33402, -0.10101, 0.006695, 0.041083];
    near(await values(grad(loss)(tensor(vectors))), expected);
    // Where nobody else is, nothing is to be lost.
    near(await values(nn.ntxent(tensor(vectors), i32([1, 1, 1, 1, 1]))), [0]);
    expect(errorOf(() => nn.ntxent(tensor(vectors), i32([0, 1]))).message).toBe("ntxent: vectors [5,3] and labels [2] do not fit");
  });
});

describe("losses of lines", () => {
  it("are optax's", async () => {
    const logs = [[-0.248461, -0.634878, -0.162519], [0.609766, -1.108663, -0.941609]];
    near(await values(nn.convexKlDivergence(logs, [[0.08, 0.28, 0.65], [0.74, 0.17, 1.91]])), [0.614783, 1.987636]);
    near(await values(nn.smoothLabels([[0, 1, 0]], 0.3)), [0.1, 0.8, 0.1]);
    near(await values(nn.safeSoftmaxCrossEntropy([[1, 2, -Infinity]], [[0.25, 0.75, 0]])), [0.563262]);
    const slope = grad((x: Tensor) => nn.safeSoftmaxCrossEntropy(x, [[0.25, 0.75, 0]]).sum())(tensor([[1, 2, -Infinity]]));
    near(await values(slope), [1 / (1 + Math.E) - 0.25, Math.E / (1 + Math.E) - 0.75, 0]);
  });
});
