// Parameters, the tensors that a model learns, which can be assigned, and buffers. The core keeps
// them stored over flushes, and inside `jit` they are inputs and outputs of the capture, without
// being arguments.

import { noMore } from "../core/check/check.js";
import { core } from "../core/wasm/core.js";
import { inScope } from "../core/tensor/scope.js";
import { Tensor, making, type Operand } from "../core/tensor/tensor.js";
import { noteRead, noteSet, switchOf } from "../core/check/tracing.js";
import { lend } from "../ops/lift.js";

/**
 * A tensor that can be assigned: a weight of a model, or any state that a function keeps. Stands
 * wherever a tensor stands and means the value it has at that moment. Scopes (`tidy`, `grad`,
 * `jit`) do not free it.
 *
 * @example
 * const weight = new Parameter(zeros([2]));
 * weight.assign([1, 2]);
 * weight.add(1); // [2,3]
 */
export class Parameter extends Tensor {
  /** A parameter that begins with the value of `initial`. */
  constructor(initial: Operand) {
    noMore("parameter", arguments, 1);
    super(
      lend("parameter", [initial], (handle) => core().parameter(handle)),
      false,
      making,
    );
  }

  /** Gives it the value of `value`, of the same shape and dtype; the old value is freed. Throws
   * `ShapeError`, `DTypeError`. */
  assign(value: Operand): this {
    noMore("assign", arguments, 1);
    lend("assign", [value], (handle) => core().parameter_set(this.handle, handle));
    return this;
  }

  /** What it was is no help: it may have been assigned since, by any function that was captured.
   * @internal */
  override remember(): void {}

  /** @internal */
  [switchOf] = false;

  /** Whether it was frozen: gradients and optimizers pass over it. */
  get frozen(): boolean {
    noteRead(this);
    return this[switchOf];
  }

  /**
   * Has gradients and optimizers pass over it: no memory is taken for its gradient. It keeps its
   * value, and can be assigned.
   *
   * ```js
   * model.embedding.weight.freeze();
   * const gradients = grad(loss)(model); // without embedding.weight
   * ```
   */
  freeze(): this {
    noMore("freeze", arguments, 0);
    return this.#setFrozen(true);
  }

  /** Has gradients and optimizers take it again. */
  unfreeze(): this {
    noMore("unfreeze", arguments, 0);
    return this.#setFrozen(false);
  }

  #setFrozen(frozen: boolean): this {
    noteSet(this);
    this[switchOf] = frozen;
    return this;
  }

  /** Whether gradients and optimizers are for it: it is not frozen. */
  get learned(): boolean {
    return !this.frozen;
  }

  /** Always: only `dispose()` and the garbage collector free a parameter. */
  override get kept(): boolean {
    return true;
  }

  /** @internal */
  protected override get label(): string {
    return "Parameter";
  }
}

/**
 * State of a model that is not learned, as running means are: assigned by the model itself, saved
 * with it, and passed over by gradients of the model and by optimizers.
 *
 * @example
 * class Counter extends nn.Module {
 *   readonly calls = new nn.Buffer(0);
 *   forward(x: Tensor) {
 *     this.calls.assign(this.calls.add(1));
 *     return x;
 *   }
 * }
 * const counter = new Counter();
 * counter.forward(ones([2]));
 * counter.calls.add(0); // 1
 * counter.parameters().length; // 0
 */
export class Buffer extends Parameter {
  /** Never: it is state. */
  override get learned(): false {
    return false;
  }

  /** @internal */
  protected override get label(): string {
    return "Buffer";
  }
}

/** A parameter that begins with what `initial` makes, of which nothing else is left behind. */
export function begun(initial: () => Operand): Parameter;
export function begun(initial: () => Operand, kind: typeof Buffer): Buffer;
export function begun(initial: () => Operand, kind = Parameter): Parameter {
  return inScope(
    () => new kind(initial()),
    () => [],
  );
}
