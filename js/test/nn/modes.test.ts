// Modes of modules, training and evaluation, as part of the key of a captured function.

import { describe, expect, it } from "vitest";
import { jit, nn, ones, tensor, vmap, type Tensor } from "../../src/index.js";
import { onCpu, values } from "../support/cpu.js";

onCpu();

describe("a captured function sees", () => {
  it("eval and train of a module that it closes over, and is not traced again for what it has seen", async () => {
    const model = new nn.Sequential(new nn.Dropout(0.5), new nn.BatchNorm(2));
    let traced = 0;
    const predict = jit((x: Tensor) => {
      traced++;
      return model.forward(x);
    });
    const x = tensor([[1, 2], [3, 4]]);
    predict(x);
    model.eval();
    const expected = await values(model.forward(x));
    expect(await values(predict(x))).toEqual(expected);
    for (let n = 0; n < 3; n++) {
      model.train();
      predict(x);
      model.eval();
      predict(x);
    }
    expect(traced).toBe(2);
  });

  it("the mode of a part, of an argument, and of a copy that vmap makes", async () => {
    const parts = { dropout: new nn.Dropout(0.99), other: new nn.Dropout(0.99) };
    const f = jit((m: typeof parts, x: Tensor) => m.dropout.forward(x));
    const zeros = async () => (await values(f(parts, ones([100])))).filter((value) => value === 0).length;
    expect(await zeros()).toBeGreaterThan(50);
    parts.dropout.eval();
    expect(await zeros()).toBe(0);

    class Scaled extends nn.Module {
      readonly scale = new nn.Parameter([1, 2]);
      forward(x: Tensor) {
        return this.training ? x.mul(this.scale) : x;
      }
    }
    const model = new Scaled();
    const each = jit((x: Tensor) => vmap((m: Scaled, x: Tensor) => m.forward(x), [0, null])(model, x));
    expect(await values(each(tensor(3)))).toEqual([3, 6]);
    model.eval();
    expect(await values(each(tensor(3)))).toEqual([3, 3]);
  });

  it("what was before it set a mode itself", () => {
    const model = new nn.Sequential(new nn.Dropout(0.5));
    let traced = 0;
    const f = jit((x: Tensor) => {
      traced++;
      model.eval();
      const y = model.forward(x);
      model.train();
      return y;
    });
    for (let n = 0; n < 4; n++) f(ones([2]));
    expect(traced).toBe(1);
  });

  it("nothing anew for a module that it does not read", () => {
    const [used, unused] = [new nn.Dropout(0.5), new nn.Dropout(0.5)];
    let traced = 0;
    const f = jit((x: Tensor) => {
      traced++;
      return used.forward(x);
    });
    f(ones([2]));
    unused.eval();
    f(ones([2]));
    expect(traced).toBe(1);
  });
});
