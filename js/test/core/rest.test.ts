// Deferred functions, which the package fetches when a program first calls one. Everything else
// works without them: in these tests the deferred part is not where it should be.

import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { Tensor, tensor } from "../../src/index.js";
import { errorOf, values, wasmBytes } from "../support/cpu.js";
import { asHardware, dawn } from "../support/dawn.js";
import { asMethods, subjects, type Subject } from "../support/subjects.js";

const folder = mkdtempSync(join(tmpdir(), "weft-rest-"));
const rest = join(folder, "weft-rest.wasm");

afterAll(() => rmSync(folder, { recursive: true }));

/** The tensors of a result, whatever it is. */
function tensorsIn(made: unknown): Tensor[] {
  if (made instanceof Tensor) return [made];
  if (Array.isArray(made)) return made.flatMap(tensorsIn);
  return [];
}

/** Operations whose rows in the table are deferred. */
const deferred = new Set(JSON.parse(readFileSync(new URL("../deferred.json", import.meta.url), "utf8")) as string[]);

/** What else is deferred: namespaces, and names. */
const spaces = /^(linalg|fft|special(?!\.expit)|random)\.|^(new |nn\.)?(GRU|LSTM|RNN)/;
const names = new Set(
  `applyAlongAxis histogram uniqueWithSize uniqueValues uniqueCounts uniqueInverse uniqueAll At.min At.max At.sub At.mul At.div At.pow At.and At.or At.xor
  union1d intersect1d setdiff1d setxor1d union1dWithSize intersect1dWithSize setdiff1dWithSize setxor1dWithSize piecewise associativeScan
  jvp linearize jacfwd jacrev hessian vmap checkpoint customVjp customJvp scan forLoop whileLoop cond switchCase explain precompile explainRuns
  data.idx data.fromGPUBuffer data.toGPUBuffer ArrayFile.tensor canvas.draw optim.adamax optim.lion optim.muon optim.rmsprop optim.adagrad
  optim.adadelta optim.adabelief optim.amsgrad optim.nadam optim.nadamw optim.radam optim.yogi optim.lamb optim.novograd optim.adamaxw
  optim.adan optim.lars optim.rprop optim.signSgd optim.fromage optim.optimisticGradientDescent optim.adafactor optim.sm3 histogramBinEdges
  histogram2d intersect1dIndices CELU.forward SoftSign.forward GLU.forward Mish.forward SELU.forward
  ReLU6.forward HardSigmoid.forward HardSiLU.forward HardTanh.forward LogSigmoid.forward tune.race flatNonzero argwhere nonzero compress extract
  nn.convTranspose1d nn.convTranspose2d nn.convTranspose3d ConvTranspose1d.forward nn.scaledDotProductAttention MultiheadAttention.forward
  TransformerBlock.forward fromFunction putAlongAxis at At.set At.add
  nn.avgPool1d nn.avgPool2d nn.avgPool3d AvgPool1d.forward SiLU.forward Softplus.forward ELU.forward LeakyReLU.forward`.split(/\s+/),
);
const isRare = (name: string): boolean => {
  const own = name.replace(/^(x|Tensor)\./, "").replace(/\(\)$/, "");
  return spaces.test(name) || names.has(own) || deferred.has(own) || deferred.has(own.replace(/^nn\./, ""));
};

const isMissing = (error: unknown): boolean => error instanceof weft.FormatError && error.message.includes("weft-rest.wasm");

/** Whether a function asked for the rest when it was called with what is right. */
async function asksForIt({ call, places }: Subject): Promise<boolean> {
  const args = places.map(({ right }) => right());
  try {
    for (const made of tensorsIn(await call(...args))) if (!made.disposed) await made.data();
    const [first] = args;
    const ofSum = (x: Tensor) => tensorsIn(call(x, ...args.slice(1))).reduce((sum: Tensor, made) => sum.add(made.cast("f32").sum()), weft.zeros([]));
    if (first instanceof Tensor && first.dtype === "f32") await weft.grad(ofSum)(first).data();
  } catch (error) {
    if (isMissing(error)) return true;
    // It may refuse what it is given; but not end the core.
    if (!(error instanceof weft.WeftError) || error instanceof weft.InternalError || error instanceof weft.DeviceLostError) throw error;
  }
  return false;
}

describe.each(["software", "hardware"])("what is trained most, as %s", (kind) => {
  beforeAll(async () => {
    const gpu = await dawn();
    if (kind === "hardware") asHardware(gpu);
    await weft.init({ device: "webgpu", gpu, wasm: wasmBytes(), rest: pathToFileURL(rest) });
  });

  it("steps of training and reading their losses do without", { timeout: 300_000 }, async () => {
    const { nn, optim, random } = weft;
    const model = new nn.Sequential(new nn.Conv2d(1, 4, 3), new nn.ReLU(), new nn.MaxPool2d(2), new nn.Flatten(), new nn.Linear(36, 10));
    const optimizer = optim.adam(model, { lr: 0.01 });
    const [x, y] = [random.normal([16, 1, 8, 8]), random.randint([16], 0, 10)];
    const lossOf = weft.valueAndGrad((m: typeof model) => nn.crossEntropy(m.forward(x), y));
    const step = () => {
      const [loss, gradients] = lossOf(model);
      optimizer.step(gradients);
      return [loss, loss.sqrt()] as [Tensor, Tensor];
    };
    for (const run of [step, weft.jit(step)]) {
      for (let n = 0; n < 3; n++) {
        const losses = run();
        // A computation with one keeps the page that the next is written to.
        const [held, twice] = [losses[0], losses[0].mul(2)];
        run();
        const [read, doubled, root] = [await held.item(), await twice.item(), await losses[1].item()];
        expect([doubled / 2, root * root]).toEqual([expect.closeTo(read, 4), expect.closeTo(read, 4)]);
      }
    }
    await expect(weft.preload()).rejects.toThrow(/ENOENT/);
  });
});

describe("deferred functions", () => {
  beforeAll(async () => {
    const { kind } = await weft.init({ device: "webgpu", gpu: await dawn(), wasm: wasmBytes(), rest: pathToFileURL(rest) });
    expect(kind).toBe("webgpu");
  });

  it("is listed here, and everything else and its gradients do without", { timeout: 600_000 }, async () => {
    const fetching: string[] = [];
    for (const subject of [...subjects, ...asMethods()]) {
      if (subject.name !== "preload" && (await asksForIt(subject))) fetching.push(subject.name);
      expect([subject.name, await values(tensor([1, 2]).add(1))]).toEqual([subject.name, [2, 3]]);
    }
    expect(fetching.filter((name) => !isRare(name))).toEqual([]);
    for (const name of ["linalg.solve", "fft.fft", "random.gamma", "sort", "vmap()", "scan", "einsum"]) expect(fetching).toContain(name);
  });

  it("is asked for again, by name, and everything goes on meanwhile", async () => {
    const x = tensor([[2, 0], [0, 4]]);
    const error = errorOf(() => weft.linalg.inv(x));
    expect(error).toBeInstanceOf(weft.FormatError);
    expect(error.op).toBe("linalg.inv");
    expect(error.message).toMatch(/weft-rest\.wasm could not be read: .*ENOENT/);
    await expect(weft.preload()).rejects.toThrow(/^preload: .*ENOENT/);
    expect(await values(x.add(1))).toEqual([3, 1, 1, 5]);
    copyFileSync(new URL("../../wasm/weft_wasm_rest.wasm", import.meta.url), rest);
    expect(await values(weft.linalg.inv(x))).toEqual([0.5, 0, 0, 0.25]);
    await weft.preload();
  });
});
