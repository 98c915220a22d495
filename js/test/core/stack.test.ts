// Stack overflow by recursion that never ends. The library survives it: every tensor, every
// transform, every capture.

import { beforeEach, describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { grad, jit, nn, ones, optim, random, tensor, tidy, valueAndGrad, vjp, type Tensor } from "../../src/index.js";
import { FRAME, room } from "../../src/core/wasm/stack.js";
import { errorOf, onCpu, values } from "../support/cpu.js";

onCpu();

/** Calls from as deep as calls can be, at every depth above that too, until one succeeds. */
function fromTheDepth(call: () => void): void {
  try {
    fromTheDepth(call);
  } catch {
    call();
  }
}

/** Runs `call` with less and less stack left, from some up to where there is plenty. */
function atManyDepths(call: () => void): void {
  let left = 300;
  const down = (): void => {
    try {
      down();
    } catch {
      // Too deep for a call.
    }
    if (left-- > 0) call();
  };
  down();
}

let x: Tensor;
let square2: Tensor;
let parameter: nn.Parameter;
const square = jit((x: Tensor) => x.mul(x).add(1));

beforeEach(async () => {
  x = tensor([1, 2, 3]);
  square2 = tensor([[2, 1], [1, 3]]);
  parameter = new nn.Parameter([1, 2, 3]);
  square(x);
});

/** Everything still works, and nothing was lost. */
async function expectSound(): Promise<void> {
  expect(await values(x.add(1))).toEqual([2, 3, 4]);
  expect(await values(parameter)).toEqual([1, 2, 3]);
  expect(await values(square(x))).toEqual([2, 5, 10]);
  // A transform left open would make `jit` part of it, and keep what was computed.
  const { programMisses } = weft.stats();
  expect(await values(square(tensor([2, 3, 4])))).toEqual([5, 10, 17]);
  expect(weft.stats().programMisses).toBe(programMisses);
  expect(await values(grad((x: Tensor) => x.mul(x).sum())(x))).toEqual([2, 4, 6]);
  expect(await values(tidy(() => x.mul(2)))).toEqual([2, 4, 6]);
  expect(weft.deviceInfo()).not.toBe(null);
}

const endless: Record<string, () => unknown> = {
  "operations": () => {
    const f = (x: Tensor): Tensor => f(x.add(1));
    return f(x);
  },
  "operations that make tensors": () => {
    const f = (x: Tensor): Tensor => f(x.add(tensor([1, 2, 3])).mul([1, 2, 3]));
    return f(x);
  },
  "tidy": () => {
    const f = (x: Tensor): Tensor => tidy(() => f(x.add(1)));
    return f(x);
  },
  "grad": () => {
    const f = (x: Tensor): Tensor => grad((y: Tensor) => f(y.mul(2)).sum())(x);
    return f(x);
  },
  "grad of parameters": () => {
    const f = (p: nn.Parameter): Tensor => grad((p: nn.Parameter) => f(p).sum())(p) as Tensor;
    return f(parameter);
  },
  "valueAndGrad": () => {
    const f = (x: Tensor): Tensor => valueAndGrad((y: Tensor) => f(y.mul(2)).sum())(x)[0];
    return f(x);
  },
  "vjp": () => {
    const f = (x: Tensor): Tensor => vjp((y: Tensor) => f(y.mul(2)), [x], x)[0] as Tensor;
    return f(x);
  },
  "jit": () => {
    const f = jit((x: Tensor): Tensor => f(x.add(1)));
    return f(x);
  },
  "jit of new functions": () => {
    const f = (x: Tensor): Tensor => jit((y: Tensor) => f(y.add(1)))(x);
    return f(x);
  },
  "realize": () => {
    const f = (x: Tensor): Tensor => {
      weft.realize(x);
      return f(x.add(1));
    };
    return f(x);
  },
  "disposal": () => {
    const f = (x: Tensor): void => {
      const y = x.add(1);
      try {
        f(y);
      } finally {
        y.dispose();
      }
    };
    return f(x);
  },
  "reading": () => {
    const f = (x: Tensor): void => {
      x.data().catch(() => {});
      f(x.add(1));
    };
    return f(x);
  },
};

describe("recursion without an end", () => {
  it.each(Object.keys(endless))("through %s is a RangeError and harms nothing", async (road) => {
    for (let i = 0; i < 2; i++) {
      expect(errorOf(endless[road] as () => unknown)).toBeInstanceOf(RangeError);
      await expectSound();
    }
  });

  it("leaves no tensors behind that a scope made", async () => {
    const run = () => errorOf(() => tidy(endless["operations"] as () => void));
    run();
    const { tensors } = weft.memory();
    run();
    expect(weft.memory().tensors).toBe(tensors);
    await expectSound();
  });
});

describe("near the end of the stack", () => {
  const model = () => new nn.Sequential(new nn.Linear(3, 4), new nn.ReLU(), new nn.Linear(4, 1));
  const calls: Record<string, () => void> = {
    "an operation": () => void x.add(1),
    "a product": () => void x.matmul(x),
    "a tensor": () => void tensor([[1, 2], [3, 4]]),
    "an error": () => void errorOf(() => x.add(ones([7]))),
    "a gradient": () => void grad((x: Tensor) => x.tanh().sum())(x),
    "a capture": () => void jit((x: Tensor) => x.softmax())(x),
    "a captured call": () => void square(x),
    "a disposal": () => x.add(1).dispose(),
    "a decomposition": () => void tidy(() => weft.linalg.svd(square2)),
    "eigenvalues": () => void tidy(() => weft.linalg.eigh(square2)),
    "random numbers": () => random.normal([3]).dispose(),
    "a flush": () => weft.realize(x.softmax().add(Math.random())),
    "a step": () => {
      const m = model();
      const optimizer = optim.adam(m);
      optimizer.step(grad((m: nn.Sequential) => m.forward(ones([2, 3])).sum())(m));
      optimizer.dispose();
    },
  };
  it.each(Object.keys(calls))("%s happens or does not, and harms nothing", async (name) => {
    const call = calls[name] as () => void;
    fromTheDepth(call);
    await expectSound();
    // Engines compile functions when they are first called, for which there is no room either.
    call();
    atManyDepths(() => {
      try {
        call();
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
    });
    await expectSound();
  });
});

describe("asking for room", () => {
  /** The depth of the deepest call at which `asked` finds room. */
  const deepest = (asked: () => void): number => {
    let found = 0;
    const down = (depth: number): void => {
      try {
        down(depth + 1);
      } catch {
        // Too deep for a call.
      }
      try {
        asked();
        found = Math.max(found, depth);
      } catch {
        // Too deep for what was asked.
      }
    };
    asked();
    down(1);
    return found;
  };
  /** As many arguments as there are words lie on the stack. */
  const asArguments = (words: number) => {
    const list = new Array<number>(words).fill(0);
    return () => Reflect.apply(() => undefined, undefined, list);
  };

  it("comes before anything that could reject: nobody need await a `realize`", async () => {
    const ask = room.ask;
    const asked: number[] = [];
    room.ask = (frames) => void asked.push(frames);
    try {
      await weft.realize(x);
    } finally {
      room.ask = ask;
    }
    expect(asked.length).toBeGreaterThan(2);
    expect(asked[0]).toBeGreaterThanOrEqual(2 * Math.max(...asked.slice(1)));
  });

  it.each([4, 10, 20])("for %i frames finds at least so much, in compiled code as in code that is about to be", (frames) => {
    // Engines compile anew what runs often, with other frames.
    for (const times of [1, 20_000]) {
      for (let n = 0; n < times; n++) room.ask(frames);
      expect(deepest(() => room.ask(frames))).toBeLessThanOrEqual(deepest(asArguments(Math.floor(frames * FRAME * 0.9))));
    }
  });
});

describe("arrays that contain themselves", () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  it("are refused, and harm nothing", async () => {
    expect(errorOf(() => tensor(cycle as number[]))).toBeInstanceOf(weft.ShapeError);
    expect(errorOf(() => x.add(cycle as number[]))).toBeInstanceOf(weft.ShapeError);
    expect(errorOf(() => grad((_: unknown) => x.sum())(cycle))).toBeInstanceOf(weft.ValueError);
    expect(errorOf(() => jit((_: unknown) => x.sum())(cycle))).toBeInstanceOf(weft.ValueError);
    expect(errorOf(() => jit(() => [cycle, x])())).toBeInstanceOf(weft.ValueError);
    await expectSound();
  });
});
