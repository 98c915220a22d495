// Programs that people write in JAX, with loops, branches and derivatives of derivatives. Each test
// compares with a value that is known, or with the same thing computed in another way.

import { beforeAll, describe, expect, it } from "vitest";
import {
  arange,
  checkpoint,
  cond,
  customVjp,
  einsum,
  eye,
  forLoop,
  grad,
  hessian,
  jacfwd,
  jacrev,
  jit,
  jvp,
  linearize,
  scan,
  switchCase,
  tensor,
  valueAndGrad,
  vjp,
  vmap,
  where,
  whileLoop,
  type Tensor,
} from "../../src/index.js";
import { onCpu, values } from "../support/cpu.js";

onCpu();

/** The same numbers, up to a share of the largest. */
async function same(found: Tensor, wanted: Tensor | readonly number[], share = 1e-5): Promise<void> {
  const [a, b] = [Array.from(await values(found)), Array.from(Array.isArray(wanted) ? wanted : await values(wanted as Tensor))] as number[][];
  expect(a!.length).toBe(b!.length);
  const largest = Math.max(...b!.map(Math.abs), 1e-6);
  a!.forEach((value, i) => expect(Math.abs(value - b![i]!), `element ${i}: ${value}, expected ${b![i]}`).toBeLessThanOrEqual(share * largest));
}

const matrix = (rows: number, columns: number, phase = 0) => arange(rows * columns).add(phase).mul(1.7).sin().reshape([rows, columns]);

describe("recurrences", () => {
  const cell = (h: Tensor, x: Tensor, w: Tensor, u: Tensor) => h.matmul(w).add(x.matmul(u)).tanh();

  it("a network over time has the gradient of the same written out, with checkpoints and without", async () => {
    const [xs, w, u] = [matrix(17, 6).reshape([17, 2, 3]), matrix(4, 4, 3).mul(0.5), matrix(3, 4, 1)];
    const looped = (w: Tensor, u: Tensor) => scan((h: Tensor, x: Tensor) => [cell(h, x, w, u), null], matrix(2, 4, 5), xs)[0].square().sum();
    const written = (w: Tensor, u: Tensor) => {
      let h = matrix(2, 4, 5);
      for (let t = 0; t < 17; t++) h = cell(h, xs.slice(t), w, u);
      return h.square().sum();
    };
    const checkpointed = (w: Tensor, u: Tensor) => {
      const step = checkpoint((h: Tensor, x: Tensor) => cell(h, x, w, u));
      return scan((h: Tensor, x: Tensor) => [step(h, x), null], matrix(2, 4, 5), xs)[0].square().sum();
    };
    const wanted = grad(written, { argnums: [0, 1] })(w, u);
    for (const loss of [looped, checkpointed, jit(looped)]) {
      const found = grad(loss, { argnums: [0, 1] })(w, u);
      await same(found[0], wanted[0], 1e-4);
      await same(found[1], wanted[1], 1e-4);
    }
  });

  it("an oscillator by Runge and Kutta comes back after a turn, and its gradient by the start is the flow's", async () => {
    const rate = (s: Tensor) => s.matmul([[0, -1], [1, 0]]);
    const steps = 64;
    const dt = (2 * Math.PI) / steps;
    const flow = (start: Tensor) =>
      scan(
        (s: Tensor) => {
          const a = rate(s);
          const b = rate(s.add(a.mul(dt / 2)));
          const c = rate(s.add(b.mul(dt / 2)));
          const d = rate(s.add(c.mul(dt)));
          return [s.add(a.add(b.mul(2)).add(c.mul(2)).add(d).mul(dt / 6)), null];
        },
        start,
        null,
        { length: steps },
      )[0];
    await same(flow(tensor([1, 0])), [1, 0], 1e-4);
    await same(jacrev(flow)(tensor([1, 0])), eye(2), 1e-4);
    await same(jacfwd(flow)(tensor([1, 0])), eye(2), 1e-4);
  });

  it("learning to learn: the gradient through steps of gradient descent", async () => {
    const loss = (w: Tensor) => w.sub(3).square().sum();
    // After n steps of rate r the distance from 3 is (1 − 2r)ⁿ of what it was.
    const after = (rate: Tensor) => loss(forLoop(0, 5, (_, w: Tensor) => w.sub(grad(loss)(w).mul(rate)), tensor([0])));
    const r = 0.1;
    await same(after(tensor(r)), [9 * (1 - 2 * r) ** 10]);
    await same(grad(after)(tensor(r)), [9 * 10 * (1 - 2 * r) ** 9 * -2]);
    await same(grad(grad(after))(tensor(r)), [9 * 10 * 9 * (1 - 2 * r) ** 8 * 4]);
  });
});

describe("iterations", () => {
  it("Newton's finds roots, for each member of a batch as long as it needs", async () => {
    const root = (a: Tensor) => whileLoop((x: Tensor) => x.square().sub(a).abs().greater(a.mul(1e-5)), (x) => x.add(a.div(x)).mul(0.5), a.add(1), { limit: 40 });
    const numbers = tensor([1e-4, 0.25, 2, 1e6]);
    await same(vmap(root)(numbers), [0.01, 0.5, Math.SQRT2, 1000], 1e-4);
    await same(vmap(grad(root))(tensor([0.25, 2])), [1, 0.5 / Math.SQRT2], 1e-3);
  });

  it("the Collatz numbers of a batch are counted each to its end", async () => {
    const steps = (n: Tensor) =>
      whileLoop(
        ({ n }: { n: Tensor; count: Tensor }) => n.notEqual(1),
        ({ n, count }) => ({ n: where(n.bitwiseAnd(1).equal(0), n.shiftRight(1), n.mul(3).add(1)), count: count.add(1) }),
        { n, count: tensor(0, { dtype: "i32" }) },
      ).count;
    await same(vmap(steps)(tensor([1, 2, 7, 27, 97], { dtype: "i32" })), [0, 1, 16, 111, 118]);
  });

  it("conjugate gradients solve what a product has made", async () => {
    const m = matrix(8, 8);
    const a = m.matmul(m.transpose()).add(eye(8).mul(4));
    const wanted = matrix(8, 1, 2).reshape([8]);
    const b = a.matmul(wanted);
    const solve = (b: Tensor) =>
      whileLoop(
        ({ square }: { x: Tensor; rest: Tensor; along: Tensor; square: Tensor }) => square.greater(1e-12),
        ({ x, rest, along, square }) => {
          const pushed = a.matmul(along);
          const step = square.div(along.dot(pushed));
          const left = rest.sub(pushed.mul(step));
          const now = left.dot(left);
          return { x: x.add(along.mul(step)), rest: left, along: left.add(along.mul(now.div(square))), square: now };
        },
        { x: b.mul(0), rest: b, along: b, square: b.dot(b) },
        { limit: 50 },
      ).x;
    await same(solve(b), wanted, 1e-4);
    // The derivative of the solution by b is the inverse, which is symmetric.
    const inverse = jacfwd(solve)(b);
    await same(inverse.matmul(a), eye(8), 1e-2);
  });

  it("a fixed point has the derivative of the equation that it solves", async () => {
    const iterate = (a: Tensor) => whileLoop((x: Tensor) => x.cos().mul(a).sub(x).abs().greater(1e-7), (x) => x.cos().mul(a), tensor(0.5), { limit: 200 });
    const fixed = customVjp(
      (a: Tensor) => iterate(a),
      (a: Tensor) => {
        const x = iterate(a);
        return [x, { a, x }];
      },
      ({ a, x }, g) => [g.mul(x.cos().div(a.mul(x.sin()).add(1)))],
    );
    const x = 0.7390851;
    await same(fixed(tensor(1)), [x]);
    await same(grad(fixed)(tensor(1)), [Math.cos(x) / (1 + Math.sin(x))], 1e-4);
    await same(vmap(grad(fixed))(tensor([1, 0.5])), [Math.cos(x) / (1 + Math.sin(x)), Math.cos(0.4501836) / (1 + 0.5 * Math.sin(0.4501836))], 1e-4);
  });
});

describe("derivatives", () => {
  let [x, t] = [] as unknown as [Tensor, Tensor];
  beforeAll(() => {
    [x, t] = [matrix(5, 3), matrix(5, 2, 9)];
  });
  const model = (w: { a: Tensor; b: Tensor }, x: Tensor) => x.matmul(w.a).add(w.b).tanh();
  const weights = () => ({ a: matrix(3, 2, 4), b: tensor([0.1, -0.2]) });

  it("of each example are those of a loop over the examples", async () => {
    const loss = (w: { a: Tensor; b: Tensor }, x: Tensor, t: Tensor) => model(w, x).sub(t).square().sum();
    const each = vmap(grad(loss), { inAxes: [null, 0, 0] })(weights(), x, t);
    for (let n = 0; n < 5; n++) {
      const one = grad(loss)(weights(), x.slice(n), t.slice(n));
      await same(each.a.slice(n), one.a);
      await same(each.b.slice(n), one.b);
    }
  });

  it("along a direction twice are the Hessian times it, forward over reverse and reverse over forward", async () => {
    const f = (w: Tensor) => einsum("ij,jk->ik", x, w.reshape([3, 2])).sub(t).pow(4).mean().add(w.cumsum().exp().mean());
    const [w, v] = [matrix(1, 6, 2).reshape([6]).mul(0.3), matrix(1, 6, 8).reshape([6])];
    const wanted = hessian(f)(w).matmul(v);
    await same(jvp(grad(f), [w], [v])[1], wanted, 1e-4);
    await same(grad((w: Tensor) => jvp(f, [w], [v])[1])(w), wanted, 1e-4);
    await same(grad((w: Tensor) => grad(f)(w).dot(v))(w), wanted, 1e-4);
    await same(linearize(grad(f), [w])[1](v), wanted, 1e-4);
  });

  it("pulled back and pushed forward agree, in jit too", async () => {
    const f = (x: Tensor) => x.softmax(1).matmul(x.transpose()).tril().sum(0).sinh();
    const [dx, dy] = [matrix(5, 3, 7), matrix(1, 5, 11).reshape([5])];
    const pushed = jit((x: Tensor) => jvp(f, [x], [dx])[1].dot(dy))(x);
    const [, pulled] = vjp(f, [x], dy);
    await same(pushed, pulled[0].mul(dx).sum(), 1e-4);
  });

  it("of branches are those of what is chosen, for each member", async () => {
    const branches = [(x: Tensor) => x.square(), (x: Tensor) => x.log(), (x: Tensor) => x.mul(-3)];
    const chosen = (k: Tensor, x: Tensor) => switchCase(k, branches, x);
    const [k, at] = [tensor([0, 1, 2, 1], { dtype: "i32" }), tensor([-2, 4, 5, 0.5])];
    await same(vmap(chosen)(k, at), [4, Math.log(4), -15, Math.log(0.5)]);
    await same(vmap(grad(chosen, { argnums: 1 }))(k, at), [-4, 0.25, -3, 2]);
    const safe = (x: Tensor) => cond(x.greater(0), (x) => x.sqrt(), (x) => x.mul(0), x);
    await same(vmap(grad(safe))(tensor([4, -1, 0])), [0.25, 0, 0]);
  });

  it("train what they are derivatives of", async () => {
    const loss = (w: { a: Tensor; b: Tensor }) => model(w, x).sub(t.mul(0.5)).square().mean();
    const step = jit((w: { a: Tensor; b: Tensor }) => {
      const [value, gradient] = valueAndGrad(loss)(w);
      return [value, { a: w.a.sub(gradient.a.mul(0.5)), b: w.b.sub(gradient.b.mul(0.5)) }] as const;
    });
    let w = weights();
    const first = (await values(step(w)[0]))[0] as number;
    for (let n = 0; n < 100; n++) w = step(w)[1];
    expect((await values(loss(w)))[0]).toBeLessThan(first / 2);
  });
});
