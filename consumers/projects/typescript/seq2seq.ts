// A sequence-to-sequence model: an LSTM that reads, one that writes, and attention between them.
import { arange, concat, crossEntropy, grad, jit, nn, optim, random, tensor, valueAndGrad, zeros, type Tensor } from "weft-gpu";

const WORDS = 7;
const WIDTH = 8;

type State = readonly [hidden: Tensor, cell: Tensor];

class Encoder extends nn.Module<[words: Tensor], readonly [outputs: Tensor, state: State]> {
  readonly embed = new nn.Embedding(WORDS, WIDTH);
  readonly lstm = new nn.LSTM(WIDTH, WIDTH, { batchFirst: true });

  forward(words: Tensor): readonly [Tensor, State] {
    const [outputs, states] = this.lstm.run(this.embed.forward(words));
    const last = states[0]?.[0];
    if (!last) throw new Error("the network has a layer");
    return [outputs, [last.hidden, last.cell]];
  }
}

class Decoder extends nn.Module {
  readonly embed = new nn.Embedding(WORDS, WIDTH);
  readonly lstm = new nn.LSTM(WIDTH, WIDTH, { batchFirst: true });
  readonly attention = new nn.MultiheadAttention(WIDTH, 2);
  readonly head = new nn.Linear(2 * WIDTH, WORDS);

  forward(words: Tensor, memory: Tensor, [hidden, cell]: State): [logits: Tensor, state: State] {
    const [outputs, states] = this.lstm.run(this.embed.forward(words), [[{ hidden, cell }]]);
    const context = this.attention.forward(outputs, { context: memory });
    const last = states[0]?.[0] as nn.LSTMState;
    return [this.head.forward(concat([outputs, context], -1)), [last.hidden, last.cell]];
  }
}

/** A container: without `forward`. */
class Translator extends nn.Module {
  readonly encoder = new Encoder();
  readonly decoder = new Decoder();

  loss(source: Tensor, target: Tensor): Tensor {
    const [memory, state] = this.encoder.forward(source);
    const [batch = 0, length = 0] = target.shape;
    const given = concat([zeros([batch, 1], { dtype: "i32" }), target.slice(null, [0, length - 1])], 1);
    const [logits] = this.decoder.forward(given, memory, state);
    return crossEntropy(logits.reshape([batch * length, WORDS]), target.reshape([batch * length]));
  }

  /** The likeliest word after another, so many times. */
  translate(source: Tensor, length: number): Tensor {
    let [memory, state] = this.encoder.forward(source);
    let word: Tensor = zeros([source.shape[0] ?? 0, 1], { dtype: "i32" });
    const words: Tensor[] = [];
    for (let n = 0; n < length; n++) {
      const [logits, next] = this.decoder.forward(word, memory, state);
      word = logits.argmax(-1);
      state = next;
      words.push(word);
    }
    return concat(words, 1);
  }
}

export async function seq2seq(): Promise<{ losses: number[]; translated: readonly number[]; norms: number[] }> {
  random.seed(2);
  const model = new Translator();
  const optimizer = optim.adam([{ params: model.encoder, lr: 0.02 }, { params: model.decoder }], { lr: 0.03, betas: [0.9, 0.99] });
  const source = tensor([[1, 2, 3, 4], [4, 3, 2, 1]], { dtype: "i32" });
  const target = source.flip(1);
  const step = jit((source: Tensor, target: Tensor) => {
    const [value, gradient] = valueAndGrad((model: Translator) => model.loss(source, target))(model);
    optimizer.step(gradient, model);
    return value;
  });
  const losses: number[] = [];
  for (let n = 0; n < 4; n++) losses.push(await step(source, target).item());
  const { encoder, decoder } = grad((model: Translator) => model.loss(source, target))(model);
  const cell = encoder.lstm.cells[0]?.[0]?.weightIh as Tensor;
  const parts: Tensor[] = [cell, encoder.embed.weight, decoder.head.weight, decoder.attention.output.weight];
  const norms = await Promise.all(parts.map((part) => optim.globalNorm(part).item()));
  return { losses, translated: model.translate(source, arange(3).size).shape, norms };
}
