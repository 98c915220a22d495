// Training of a character transformer, compared with JAX. The model is that of
// `notebooks/letters.md`, from the same seeds: first weights, batches and so the loss of every step
// are JAX's (`tests/conformance/letters.py`). A GPU has to compute it; without one the test fails.

import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { arange, init, jit, nn, optim, random, tensor, valueAndGrad, type Tensor } from "../../src/index.js";
import { wasmBytes } from "../support/cpu.js";
import { dawn } from "../support/dawn.js";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const { seed, width, heads, depth, context, batch, rate, least, warmup, decaying, weightDecay, most, losses } = JSON.parse(
  read("../../../tests/conformance/letters.json"),
) as Record<"seed" | "width" | "heads" | "depth" | "context" | "batch" | "rate" | "least" | "warmup" | "decaying" | "weightDecay" | "most", number> & { losses: number[] };
const text = read("../../../LICENSE-APACHE");
const letters = [...new Set(text)].sort();

beforeAll(async () => {
  await init({ device: "webgpu", gpu: await dawn(), wasm: wasmBytes(), tune: false });
});

class Writer extends nn.Module {
  letters = new nn.Embedding(letters.length, width);
  blocks = Array.from({ length: depth }, () => new nn.TransformerBlock(width, heads, { causal: true, rotary: true, norm: "rms", bias: false }));
  norm = new nn.RMSNorm(width);
  guess = new nn.Linear(width, letters.length, { bias: false });

  forward(x: Tensor): Tensor {
    return this.guess.forward(this.norm.forward(this.blocks.reduce((value, block) => block.forward(value), this.letters.forward(x))));
  }
}

const isFull = process.env["WEFT_TIER"] === "full";
/** Each takes half a minute where a GPU is software: a landing runs one of these, which rotates,
 * for a quarter of its steps. */
const WAYS = [
  ["eager", isFull ? 20 : 5],
  ["captured", isFull ? losses.length : losses.length / 4],
] as const;
const turn = Number(process.env["WEFT_SEED"] ?? 0) % WAYS.length;

it.each(WAYS.filter((_, n) => isFull || n === turn))("a transformer of four blocks loses what JAX's loses, %s", { timeout: 240_000 }, async (kind, steps) => {
  const written = tensor(Int32Array.from(text, (letter) => letters.indexOf(letter)));
  random.seed(seed);
  const writer = new Writer();
  const adam = optim.adamw(writer, { lr: rate, weightDecay });
  const schedule = optim.schedule.warmup(rate, warmup, optim.schedule.cosine(rate, decaying, { least }));
  const eager = () => {
    const starts = random.randint([batch, 1], 0, text.length - context - 1);
    const piece = written.take(starts.add(arange(context + 1)));
    const [x, next] = [piece.slice(null, [0, context]), piece.slice(null, [1, context + 1])];
    const [loss, gradients] = valueAndGrad((m: Writer) => nn.crossEntropy(m.forward(x), next))(writer);
    adam.step(optim.clipByGlobalNorm(gradients, most));
    return loss;
  };
  const step = kind === "captured" ? jit(eager) : eager;
  const found: Promise<number>[] = [];
  for (let n = 0; n < steps; n++) {
    adam.lr = schedule(n);
    found.push(step().item());
    if (n % 10 === 9) await found.at(-1);
  }
  const mine = await Promise.all(found);
  const furthest = Math.max(...mine.map((loss, n) => Math.abs(loss / (losses[n] as number) - 1)));
  console.log(`${kind}: at most ${(100 * furthest).toFixed(4)} % apart; the last is ${mine.at(-1)}`);
  expect(furthest).toBeLessThan(0.001);
});
