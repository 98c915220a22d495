// Recurrent layers. A cell computes one step; the layers scan, so that a sequence of any length is
// one program. Parameters, their order and initial values are PyTorch's.

import { countOf, flagOf, noMore, optionsOf, shown } from "../core/check/check.js";
import { inScope } from "../core/tensor/scope.js";
import { Tensor } from "../core/tensor/tensor.js";
import { mapTree, tensorsOf } from "../core/tensor/tree.js";
import { ShapeError, ValueError } from "../core/errors.js";
import { add, mul, sub } from "../ops/generated/arithmetic.js";
import { zeros } from "../ops/create.js";
import { cast, tanh } from "../ops/generated/elementwise.js";
import { relu, sigmoid } from "../ops/generated/activation.js";
import { concat } from "../ops/generated/join.js";
import { split, transpose } from "../ops/shape.js";
import { matmul } from "../ops/generated/contract.js";
import { widened } from "../ops/rounded.js";
import { swapAxes } from "../ops/generated/shape.js";
import { scan } from "../transforms/control.js";
import { dropout, rateOf } from "./dropout.js";
import { uniformWithin } from "./initial.js";
import { Module } from "./module.js";
import { begun, type Parameter } from "../transforms/parameter.js";

/** What errors call a module: its class. Not a private field: what stands for a module under `vmap`
 * has none. */
const nameOf = (module: Module): string => module.constructor.name;

/** A product with weights and plus a bias, in f32. */
function times(x: Tensor, weight: Tensor, bias: Tensor | null): Tensor {
  return inScope(
    () => {
      const product = matmul(widened(x), transpose(widened(weight)));
      return bias ? add(product, bias) : product;
    },
    (result) => [result],
  );
}

/**
 * What an LSTM carries: the hidden state and the cell's.
 *
 * @example
 * const state: nn.LSTMState = { hidden: zeros([1, 4]), cell: zeros([1, 4]) };
 */
export interface LSTMState {
  readonly hidden: Tensor;
  readonly cell: Tensor;
}

/**
 * How a cell is made.
 *
 * @example
 * new nn.GRUCell(2, 3, { bias: false }).parameters().length; // 2
 */
export interface CellOptions {
  /** Whether to add biases; true by default. */
  bias?: boolean;
}

/**
 * One step of a recurrent network: of `S`, the state.
 *
 * @example
 * const cell: nn.Cell<nn.LSTMState> = new nn.LSTMCell(2, 3);
 * cell.step(ones([1, 2]), cell.begin([1])).hidden.shape; // [1,3]
 */
export abstract class Cell<S extends Tensor | LSTMState> extends Module {
  readonly inputs: number;
  readonly hidden: number;
  /** [gates · hidden, inputs] */
  readonly weightIh: Parameter;
  /** [gates · hidden, hidden] */
  readonly weightHh: Parameter;
  readonly biasIh: Parameter | null;
  readonly biasHh: Parameter | null;

  /** @internal */
  constructor(op: string, gates: number, inputs: number, hidden: number, bias: boolean) {
    super();
    this.inputs = countOf(op, "the number of inputs", inputs, 1);
    this.hidden = countOf(op, "the extent of the state", hidden, 1);
    const bound = 1 / Math.sqrt(this.hidden);
    const within = (shape: readonly number[]) => begun(() => uniformWithin(shape, bound));
    this.weightIh = within([gates * this.hidden, this.inputs]);
    this.weightHh = within([gates * this.hidden, this.hidden]);
    const biased = flagOf(op, "bias", bias);
    this.biasIh = biased ? within([gates * this.hidden]) : null;
    this.biasHh = biased ? within([gates * this.hidden]) : null;
  }

  /** A state of zeros for a batch of this shape. */
  abstract begin(batch: readonly number[]): S;

  /** What others see of a state: [..., hidden]. */
  abstract output(state: S): Tensor;

  /** The next state, given the inputs times their weights (`project`) and the state before: of its
   * dtype. */
  advance(projected: Tensor, state: S): S {
    noMore(nameOf(this), arguments, 2);
    const like = (next: Tensor, before: Tensor): Tensor => (next.dtype === before.dtype ? next : cast(next, before.dtype));
    return inScope(() => {
      const next = this.next(widened(projected), mapTree(state, widened) as S);
      if (next instanceof Tensor) return like(next, state as Tensor) as S;
      return { hidden: like(next.hidden, (state as LSTMState).hidden), cell: like(next.cell, (state as LSTMState).cell) } as S;
    }, tensorsOf);
  }

  /** What the cell makes of floats. */
  protected abstract next(projected: Tensor, state: S): S;

  /** The inputs of one step, or of all of a sequence, times their weights and plus their bias, in
   * f32: what does not wait for the state. */
  project(x: Tensor): Tensor {
    noMore(nameOf(this), arguments, 1);
    const { shape } = Tensor.of(nameOf(this), "what it acts on", x);
    if (shape.at(-1) !== this.inputs) throw new ShapeError(nameOf(this), `takes [..., ${this.inputs}], got [${shape.join(",")}]`);
    return times(x, this.weightIh, this.biasIh);
  }

  /** The state times its weights and plus its bias. */
  protected recur(hidden: Tensor): Tensor {
    return times(Tensor.of(nameOf(this), "the state", hidden), this.weightHh, this.biasHh);
  }

  /** The state after `x`, [..., inputs]. */
  step(x: Tensor, state: S): S {
    noMore(nameOf(this), arguments, 2);
    return inScope(() => this.advance(this.project(x), state), tensorsOf);
  }

  /** What others see of the state after `x`, from a state of zeros. */
  forward(x: Tensor): Tensor {
    noMore(nameOf(this), arguments, 1);
    return inScope(
      () => this.output(this.step(x, this.begin(Tensor.of(nameOf(this), "what it acts on", x).shape.slice(0, -1)))),
      (result) => [result],
    );
  }
}

/**
 * h′ = tanh(W·x + b + U·h + c), or with `relu` in place of tanh.
 *
 * @example
 * new nn.RNNCell(2, 3).step(ones([4, 2]), zeros([4, 3])).shape; // [4,3]
 */
export class RNNCell extends Cell<Tensor> {
  readonly nonlinearity: "tanh" | "relu";

  constructor(inputs: number, hidden: number, options: CellOptions & { nonlinearity?: "tanh" | "relu" } = {}) {
    noMore("RNNCell", arguments, 3);
    const { bias, nonlinearity } = optionsOf("RNNCell", options, { bias: true, nonlinearity: "tanh" as "tanh" | "relu" });
    if (nonlinearity !== "tanh" && nonlinearity !== "relu") throw new ValueError("RNNCell", `the nonlinearity is "tanh" or "relu", got ${shown(nonlinearity)}`);
    super("RNNCell", 1, inputs, hidden, bias);
    this.nonlinearity = nonlinearity;
  }

  begin(batch: readonly number[]): Tensor {
    noMore("RNNCell", arguments, 1);
    return zeros([...batch, this.hidden]);
  }

  output(state: Tensor): Tensor {
    noMore("RNNCell", arguments, 1);
    return state;
  }

  protected next(projected: Tensor, state: Tensor): Tensor {
    const sum = add(projected, this.recur(state));
    return this.nonlinearity === "tanh" ? tanh(sum) : relu(sum);
  }
}

/**
 * Long short-term memory: gates for input, forgetting, what is new, and output, in this order in
 * the weights.
 *
 * @example
 * const cell = new nn.LSTMCell(2, 3);
 * cell.step(ones([4, 2]), cell.begin([4])).cell.shape; // [4,3]
 */
export class LSTMCell extends Cell<LSTMState> {
  constructor(inputs: number, hidden: number, options: CellOptions = {}) {
    noMore("LSTMCell", arguments, 3);
    super("LSTMCell", 4, inputs, hidden, optionsOf("LSTMCell", options, { bias: true }).bias);
  }

  begin(batch: readonly number[]): LSTMState {
    noMore("LSTMCell", arguments, 1);
    return { hidden: zeros([...batch, this.hidden]), cell: zeros([...batch, this.hidden]) };
  }

  output(state: LSTMState): Tensor {
    noMore("LSTMCell", arguments, 1);
    return state.hidden;
  }

  protected next(projected: Tensor, { hidden, cell }: LSTMState): LSTMState {
    const [input, forget, candidate, output] = split(add(projected, this.recur(hidden)), 4, -1) as [Tensor, Tensor, Tensor, Tensor];
    const next = add(mul(sigmoid(forget), cell), mul(sigmoid(input), tanh(candidate)));
    return { hidden: mul(sigmoid(output), tanh(next)), cell: next };
  }
}

/**
 * Gated recurrent unit: gates for resetting and updating, and what is new, in this order in the
 * weights.
 *
 * @example
 * new nn.GRUCell(2, 3).step(ones([4, 2]), zeros([4, 3])).shape; // [4,3]
 */
export class GRUCell extends Cell<Tensor> {
  constructor(inputs: number, hidden: number, options: CellOptions = {}) {
    noMore("GRUCell", arguments, 3);
    super("GRUCell", 3, inputs, hidden, optionsOf("GRUCell", options, { bias: true }).bias);
  }

  begin(batch: readonly number[]): Tensor {
    noMore("GRUCell", arguments, 1);
    return zeros([...batch, this.hidden]);
  }

  output(state: Tensor): Tensor {
    noMore("GRUCell", arguments, 1);
    return state;
  }

  protected next(projected: Tensor, state: Tensor): Tensor {
    const [resetX, updateX, candidateX] = split(projected, 3, -1) as [Tensor, Tensor, Tensor];
    const [resetH, updateH, candidateH] = split(this.recur(state), 3, -1) as [Tensor, Tensor, Tensor];
    const update = sigmoid(add(updateX, updateH));
    const candidate = tanh(add(candidateX, mul(sigmoid(add(resetX, resetH)), candidateH)));
    return add(candidate, mul(update, sub(state, candidate)));
  }
}

/**
 * How an `RNN`, `LSTM` or `GRU` is made.
 *
 * @example
 * new nn.GRU(2, 3, { bidirectional: true }).forward(ones([5, 1, 2])).shape; // [5,1,6]
 */
export interface RecurrentOptions extends CellOptions {
  /** The number of layers, each on the outputs of the one before; 1 by default. */
  layers?: number;
  /** Whether each layer also goes backwards; its outputs come after the others along the last axis.
   * False by default. */
  bidirectional?: boolean;
  /** The rate of dropout between layers, in training; 0 by default. */
  dropout?: number;
  /** Whether sequences are [batch, steps, inputs] rather than [steps, batch, inputs]; false by
   * default. */
  batchFirst?: boolean;
}

const usual: Required<RecurrentOptions> = { bias: true, layers: 1, bidirectional: false, dropout: 0, batchFirst: false };

/** Layers of cells that go over sequences: [steps, ..., inputs] to [steps, ..., hidden]. */
abstract class Recurrent<S extends Tensor | LSTMState> extends Module {
  /** The cells: of each layer the one that goes forwards, then, if there is one, the one that goes
   * backwards. */
  readonly cells: readonly (readonly Cell<S>[])[];
  readonly dropout: number;
  readonly batchFirst: boolean;

  constructor(op: string, options: Required<RecurrentOptions>, inputs: number, hidden: number, make: (inputs: number) => Cell<S>) {
    super();
    const layers = countOf(op, "the number of layers", options.layers, 1);
    const directions = flagOf(op, "bidirectional", options.bidirectional) ? 2 : 1;
    this.dropout = rateOf(op, options.dropout);
    this.batchFirst = flagOf(op, "batchFirst", options.batchFirst);
    this.cells = Array.from({ length: layers }, (_, layer) =>
      Array.from({ length: directions }, () => make(layer === 0 ? inputs : hidden * directions)),
    );
  }

  /** What the last layer's cells show at each step, from states of zeros. */
  forward(x: Tensor): Tensor {
    noMore(nameOf(this), arguments, 1);
    return inScope(
      () => this.run(x)[0],
      (result) => [result],
    );
  }

  /**
   * What the last layer's cells show at each step, and all cells' last states: of each layer a list
   * of one for each direction. `states` has that form too, and is what they begin with.
   */
  run(x: Tensor, states?: readonly (readonly S[])[]): [outputs: Tensor, states: S[][]] {
    noMore(nameOf(this), arguments, 2);
    const rank = Tensor.of(nameOf(this), "what it acts on", x).shape.length;
    if (rank < 2) throw new ShapeError(nameOf(this), `takes [steps, ..., inputs], got [${x.shape.join(",")}]`);
    if (this.batchFirst && rank < 3) throw new ShapeError(nameOf(this), `takes [batch, steps, inputs], got [${x.shape.join(",")}]`);
    checkStates(nameOf(this), this.cells, states);
    return inScope(
      () => {
        const last: S[][] = [];
        let value = this.batchFirst ? swapAxes(x, 0, 1) : x;
        this.cells.forEach((cells, layer) => {
          const from = layer > 0 && this.training && this.dropout > 0 ? dropout(value, this.dropout) : value;
          const each = cells.map((cell, direction) => over(cell, from, direction === 1, states?.[layer]?.[direction]));
          last.push(each.map(([state]) => state));
          const outputs = each.map(([, output]) => output);
          value = outputs.length > 1 ? concat(outputs, -1) : (outputs[0] as Tensor);
        });
        return [this.batchFirst ? swapAxes(value, 0, 1) : value, last] as [Tensor, S[][]];
      },
      ([outputs, last]) => [outputs, ...tensorsOf(last)],
    );
  }
}

/** What a cell makes of a sequence: its last state, and what it shows at each step. */
function over<S extends Tensor | LSTMState>(cell: Cell<S>, x: Tensor, reverse: boolean, state: S | undefined): [S, Tensor] {
  const begin = state ?? cell.begin(x.shape.slice(1, -1));
  const body = (before: S, projected: Tensor) => {
    const next = cell.advance(projected, before);
    return [next, cell.output(next)] as const;
  };
  return scan<S, Tensor, Tensor>(body as never, begin, cell.project(x), { reverse }) as [S, Tensor];
}

function checkStates<S extends Tensor | LSTMState>(op: string, cells: readonly (readonly Cell<S>[])[], states: unknown): void {
  if (states === undefined) return;
  const form = (tree: unknown) => JSON.stringify(mapTree(tree, () => 0));
  const expected = form(cells.map((cells) => cells.map((cell) => cell.begin([]))));
  if (form(states) === expected) return;
  throw new ValueError(op, `states are a list for each of ${cells.length} layers with one for each of ${cells[0]?.length} directions, got ${shown(states)}`);
}

/**
 * A recurrent network of `RNNCell`s.
 *
 * @example
 * new nn.RNN(2, 3).forward(ones([5, 1, 2])).shape; // [5,1,3]
 */
export class RNN extends Recurrent<Tensor> {
  constructor(inputs: number, hidden: number, options: RecurrentOptions & { nonlinearity?: "tanh" | "relu" } = {}) {
    noMore("RNN", arguments, 3);
    const given = optionsOf("RNN", options, { ...usual, nonlinearity: "tanh" as "tanh" | "relu" });
    const { bias, nonlinearity } = given;
    super("RNN", given, inputs, hidden, (width) => new RNNCell(width, hidden, { bias, nonlinearity }));
  }
}

/**
 * A recurrent network of `LSTMCell`s.
 *
 * @example
 * const lstm = new nn.LSTM(2, 3, { layers: 2 });
 * const [outputs, [, last]] = lstm.run(ones([5, 1, 2]));
 * outputs.shape; // [5,1,3]
 * last?.[0]?.cell.shape; // [1,3]
 */
export class LSTM extends Recurrent<LSTMState> {
  constructor(inputs: number, hidden: number, options: RecurrentOptions = {}) {
    noMore("LSTM", arguments, 3);
    const given = optionsOf("LSTM", options, usual);
    super("LSTM", given, inputs, hidden, (width) => new LSTMCell(width, hidden, { bias: given.bias }));
  }
}

/**
 * A recurrent network of `GRUCell`s.
 *
 * @example
 * new nn.GRU(2, 3, { batchFirst: true }).forward(ones([1, 5, 2])).shape; // [1,5,3]
 */
export class GRU extends Recurrent<Tensor> {
  constructor(inputs: number, hidden: number, options: RecurrentOptions = {}) {
    noMore("GRU", arguments, 3);
    const given = optionsOf("GRU", options, usual);
    super("GRU", given, inputs, hidden, (width) => new GRUCell(width, hidden, { bias: given.bias }));
  }
}
