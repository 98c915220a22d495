// Loops and branches inside programs.

import { describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { cond, forLoop, grad, jit, memory, scan, switchCase, tensor, vmap, whileLoop, zeros, type Tensor } from "../../src/index.js";
import { errorOf, onCpu, values } from "../support/cpu.js";

onCpu();

describe("loops", () => {
  it("carry trees, whose numbers are tensors, and stack trees", async () => {
    const xs = { a: tensor([[1, 2], [3, 4], [5, 6]]), b: [tensor([10, 20, 30])] };
    const [state, ys] = scan(
      (s: { sum: Tensor; seen: [Tensor] }, x: { a: Tensor; b: Tensor[] }) => {
        const sum = s.sum.add(x.a);
        return [{ sum, seen: [s.seen[0].add(1)] as [Tensor] }, { sum, twice: (x.b[0] as Tensor).mul(2) }];
      },
      { sum: tensor([0, 0]), seen: [0] as [number] },
      xs,
    );
    expect(await values(state.sum)).toEqual([9, 12]);
    expect(await state.seen[0].item()).toBe(3);
    expect(await ys.sum.array()).toEqual([[1, 2], [4, 6], [9, 12]]);
    expect(await values(ys.twice)).toEqual([20, 40, 60]);
    const [, back] = scan((s: Tensor, x: Tensor) => [s.add(x), s.add(x)], 0, tensor([1, 2, 3]), { reverse: true });
    expect(await values(back)).toEqual([6, 5, 3]);
  });

  it("count, nest, end, and have gradients, in jit and out of it", async () => {
    const table = (n: Tensor) => forLoop(0, 3, (i, total) => forLoop(-1, 2, (j, sum) => sum.add(i.mul(j)).add(n), total), 0);
    expect(await table(tensor(2)).item()).toBe(18);
    expect(await jit(table)(tensor(2)).item()).toBe(18);
    expect(await whileLoop((x: Tensor) => x.less(50), (x) => x.mul(3), tensor(1)).item()).toBe(81);
    expect(await whileLoop((x: Tensor) => x.less(50), (x) => x.mul(3), tensor(1), { limit: 2 }).item()).toBe(9);
    const cube = (x: Tensor) => forLoop(0, 3, (_, y) => y.mul(x), tensor(1));
    expect(await grad(cube)(tensor(2)).item()).toBe(12);
    expect(await grad((x: Tensor) => grad(cube)(x))(tensor(2)).item()).toBe(12);
    expect(await jit((x: Tensor) => grad(cube)(x))(tensor(3)).item()).toBe(27);
  });

  it("count between ends that are tensors", async () => {
    const whole = (n: number, dtype: "i32" | "u32" | "i8" = "i32") => tensor(n, { dtype });
    const sum = (from: number | Tensor, to: number | Tensor) => forLoop(from, to, (i, s) => s.add(i), 0).item();
    expect(await Promise.all([sum(0, whole(5)), sum(whole(2), 5), sum(whole(-2, "i8"), whole(5, "u32")), sum(whole(3), whole(3)), sum(4, whole(1))])).toEqual([10, 9, 7, 0, 0]);
    const power = (x: Tensor, n: Tensor) => forLoop(0, n, (_, y) => y.mul(x), 1, { limit: 10 });
    expect(await grad(power)(tensor(2), whole(3)).item()).toBe(12);
    expect(await jit((n: Tensor) => forLoop(n, n.mul(2), (i, s) => s.add(i), 0))(whole(4)).item()).toBe(22);
    expect(await values(vmap((n: Tensor) => forLoop(0, n, (i, s) => s.add(i), 0))(tensor([0, 3, 5], { dtype: "i32" })))).toEqual([0, 3, 10]);
    expect(await forLoop(0, 9, (_, s) => s.add(1), 0, { limit: 4 }).item()).toBe(4);
    expect(errorOf(() => sum(0, tensor(1.5))).message).toBe("forLoop: to must be a whole number, got f32[]");
    expect(errorOf(() => sum(whole(1).reshape([1]), 2)).message).toBe("forLoop: from must be one number, got i32[1]");
  });

  it("have nothing to do for no members", async () => {
    const double = (x: Tensor) => whileLoop((y: Tensor) => y.less(100), (y) => y.mul(2), x);
    for (const limit of [undefined, 9]) {
      const f = (x: Tensor) => [double(x), whileLoop((s: Tensor) => s.sum().less(9), (s) => s.add(1), x.expand([2]), limit === undefined ? {} : { limit })] as const;
      const [a, b] = vmap(f)(zeros([0]));
      expect([a.shape, b.shape, await values(a), await values(b)]).toEqual([[0], [0, 2], [], []]);
    }
  });

  it("leave nothing behind when the function throws, wherever that is", () => {
    const x = tensor([1, 2]);
    const before = memory().tensors;
    const oops = () => {
      throw new RangeError("oops");
    };
    const inner = () => forLoop(0, 2, (_, s: Tensor) => s.add(scan(oops as never, s, null, { length: 2 })[0]), x);
    for (const call of [
      () => forLoop(0, 3, oops as never, x),
      () => whileLoop(oops as never, (s: Tensor) => s, x),
      () => cond(true, (s: Tensor) => s.exp(), oops as never, x),
      inner,
      () => jit(inner)(),
    ]) {
      expect(errorOf(call)).toBeInstanceOf(RangeError);
      expect(memory().tensors).toBe(before);
    }
    expect(forLoop(0, 1, (_, s) => s.add(1), x).shape).toEqual([2]);
  });

  it("say which part of a state changed, and how", () => {
    const state = { position: tensor([1, 2]), step: [tensor(1, { dtype: "i32" })] };
    const errorFor = (body: (s: typeof state) => unknown) => errorOf(() => forLoop(0, 3, (_, s) => body(s as typeof state) as never, state));
    const shape = errorFor((s) => ({ ...s, position: s.position.sum() }));
    expect(shape).toBeInstanceOf(weft.ShapeError);
    expect(shape.message).toContain("the state.position is f32[2], then f32[]");
    const dtype = errorFor((s) => ({ ...s, step: [(s.step[0] as Tensor).mul(0.5)] }));
    expect(dtype).toBeInstanceOf(weft.DTypeError);
    expect(dtype.message).toContain("the state.step[0] is i32[], then f32[]");
    expect(errorFor(() => ({}))).toBeInstanceOf(weft.ValueError);
    expect(errorFor((s) => ({ position: s.position }))).toBeInstanceOf(weft.ValueError);
    expect(errorFor(async (s) => s)).toBeInstanceOf(weft.TraceError);
    expect(errorOf(() => scan((s: Tensor) => s as never, tensor(1), tensor([1])))).toBeInstanceOf(weft.ValueError);
    expect(errorOf(() => scan((s: Tensor) => [s, s], tensor(1), null))).toBeInstanceOf(weft.ValueError);
    expect(errorOf(() => forLoop(0, 1.5, (_, s) => s, 1))).toBeInstanceOf(weft.ValueError);
  });

  it("cannot read, nor assign what lives on", async () => {
    const parameter = new weft.Parameter([1, 2]);
    const assigned = errorOf(() => forLoop(0, 2, (_, s: Tensor) => (parameter.assign(s), s), tensor([3, 4])));
    expect(assigned).toBeInstanceOf(weft.TraceError);
    let reading: Promise<unknown> = Promise.resolve();
    forLoop(0, 2, (_, s) => ((reading = (async () => s.item())()), s), tensor(1));
    await expect(reading).rejects.toBeInstanceOf(weft.TraceError);
    expect(await values(parameter)).toEqual([1, 2]);
  });
});

describe("branches", () => {
  it("run the one that is chosen", async () => {
    for (const truth of [true, false]) {
      const chosen = cond(tensor(truth), (x: Tensor) => ({ y: x.neg() }), (x) => ({ y: x.mul(2) }), tensor([1, 2]));
      expect(await values(chosen.y)).toEqual(truth ? [-1, -2] : [2, 4]);
    }
    const branches = [(x: Tensor) => x.add(1), (x: Tensor) => x.mul(5), (x: Tensor) => x.neg()];
    for (const [index, value] of [[-1, 3], [0, 3], [1, 10], [7, -2]] as const) {
      expect(await switchCase(index, branches, tensor(2)).item()).toBe(value);
    }
    const differ = errorOf(() => cond(true, (x: Tensor) => x, (x) => x.sum(), tensor([1, 2])));
    expect(differ.message).toContain("a branch is f32[], then f32[2]");
    expect(errorOf(() => switchCase(0, [], tensor(1)))).toBeInstanceOf(weft.ValueError);
    const between = errorOf(() => switchCase(1.5, branches, tensor(2)));
    expect(between).toBeInstanceOf(weft.ValueError);
    expect(between.message).toContain("1.5");
    expect(errorOf(() => switchCase(NaN, branches, tensor(2)))).toBeInstanceOf(weft.ValueError);
  });

  it("make numbers what any branch has in their place, whichever comes first", async () => {
    const count = tensor(7, { dtype: "i32" });
    const [number, whole] = [() => [0, 1] as unknown, (n: Tensor) => [n, 1] as unknown];
    for (const [branches, value] of [[[number, whole], 7], [[whole, number], 0], [[number, number, whole], 0]] as const) {
      const [a, b] = switchCase(1, branches, count) as Tensor[];
      expect([a?.dtype, b?.dtype, await a?.item()]).toEqual(["i32", "f32", value]);
    }
    for (const truth of [true, false]) {
      expect((cond(truth, (n: Tensor) => n as unknown, () => 0, count) as Tensor).dtype).toBe("i32");
      expect((cond(truth, () => 0 as unknown, (n: Tensor) => n, count) as Tensor).dtype).toBe("i32");
    }
  });
});
