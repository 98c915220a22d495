// Calls into the core. One function there calls every operation, by its number; the arguments are a
// row of numbers, as `crate/weft/src/op/frame.rs` says.

import { noMore } from "../core/check/check.js";
import { aboveResults } from "../core/check/elsewhere.js";
import { core, needRest, register, type Core, type OpCode } from "../core/wasm/core.js";
import type { DType } from "../core/tensor/dtype.js";
import type { Nested } from "../core/tensor/shape.js";
import { Tensor } from "../core/tensor/tensor.js";
import { composed, lifted } from "./lift.js";

/** A call that is being put together. */
export class Call {
  readonly numbers: number[] = [];
  #made: Tensor[] | null = null;
  /** What is called in the operation's place, by what was given. */
  instead: OpCode | undefined;

  constructor(readonly op: string) {}

  /** Adds numbers. */
  put(...numbers: readonly number[]): this {
    for (let i = 0; i < numbers.length; i++) this.numbers.push(numbers[i] as number);
    return this;
  }

  /** Adds a list, and before it how long it is. */
  list(numbers: ArrayLike<number>): this {
    this.numbers.push(numbers.length);
    // One by one: arguments of a call would lie on the stack.
    for (let i = 0; i < numbers.length; i++) this.numbers.push(numbers[i] as number);
    return this;
  }

  /** Adds a tensor; numbers and arrays are made one for the call. */
  tensor(value: unknown, dtype?: DType): this {
    const tensor = lifted(this.op, value as Nested, dtype);
    if (tensor !== value) return this.own(tensor);
    this.numbers.push(tensor.handle);
    return this;
  }

  /** Adds a tensor that was made for the call. */
  own(made: Tensor): this {
    (this.#made ??= []).push(made);
    return this.put(made.handle);
  }

  /** Adds a tensor, or a plain number, which keeps the dtype of what it meets as far as it fits,
   * and is no part of what is compiled. */
  operand(value: unknown): this {
    if (typeof value !== "number") return this.tensor(value);
    this.numbers.push(0, value);
    return this;
  }

  /** Frees what was made for the call. */
  end(): void {
    if (this.#made) for (const tensor of this.#made) tensor.dispose();
  }
}

/** Puts arguments into a call. */
type Fill = (call: Call, args: readonly unknown[]) => void;

/** How the core is called, and what is made of its answer. */
type Act<R> = (open: Core, code: number, numbers: number[]) => R;

const one: Act<Tensor> = (open, code, numbers) => Tensor.adopt(open.call(code, numbers));
const all: Act<Tensor[]> = (open, code, numbers) => Array.from(open.call_all(code, numbers), (handle) => Tensor.adopt(handle));

const none: readonly unknown[] = [];

/** Calls an operation with what `fill` puts into the call. */
export function invoke(opcode: OpCode, fill: (call: Call) => void): Tensor {
  return enter(opcode, fill, none, one);
}

/** Calls an operation that yields several tensors. */
export function invokeAll(opcode: OpCode, fill: (call: Call) => void): Tensor[] {
  return enter(opcode, fill, none, all);
}

/** A call makes no function: a step makes many calls, and what they leave behind is collected at
 * its expense. */
function enter<R>(opcode: OpCode, fill: Fill, args: readonly unknown[], act: Act<R>): R {
  // First: a core that stopped says why, where its tensors are only gone.
  const open = core();
  const call = new Call(opcode.name);
  try {
    fill(call, args);
    if ((call.instead ?? opcode).deferred) needRest(opcode.name);
    return call.instead ? replaced(open, call, call.instead, act) : act(open, opcode.code, call.numbers);
  } finally {
    call.end();
  }
}

/** Calls what stands in the operation's place. */
function replaced<R>(open: Core, { op, numbers }: Call, { code }: OpCode, act: Act<R>): R {
  return composed(op, () => act(open, code, numbers));
}

/** A kind of parameter: puts an argument into a call, or refuses it in the name of the
 * operation. */
export interface Kind {
  (call: Call, value: unknown): void;
  /** Whether options stand here. */
  options?: true;
}

/** The function of an operation, by what stands in its places. */
export function operation(name: string, ...kinds: readonly Kind[]): (...args: unknown[]) => Tensor {
  return called(name, kinds, one);
}

/** The function of an operation that yields several tensors, which messages call by `names`. */
export function several<R extends readonly Tensor[]>(name: string, names: string, ...kinds: readonly Kind[]): (...args: unknown[]) => R {
  let above: object | undefined;
  return called(name, kinds, (open, code, numbers) => Object.setPrototypeOf(all(open, code, numbers), (above ??= aboveResults(name, names))) as R);
}

function called<R>(name: string, kinds: readonly Kind[], act: Act<R>): (...args: unknown[]) => R {
  const opcode = register(name);
  const fill: Fill = (call, args) => {
    for (let place = 0; place < kinds.length; place++) (kinds[place] as Kind)(call, args[place]);
  };
  return (...args) => {
    noMore(name, args, kinds.length);
    return enter(opcode, fill, args, act);
  };
}

/** The function of an operation that draws: by a key that may come first, or by the next of the
 * generator. */
export function drawn(name: string, ...kinds: readonly Kind[]): (...args: unknown[]) => Tensor {
  const opcode = register(name);
  return (...args) => {
    const [first] = args;
    const keyed = first instanceof Tensor && first.dtype === "u32" && first.ndim === 1 && first.shape[0] === 2;
    const given = keyed ? args.slice(1) : args;
    noMore(name, given, kinds.length);
    return invoke(opcode, (call) => {
      if (keyed) call.tensor(first);
      else call.own(Tensor.adopt(core().random_next()));
      kinds.forEach((kind, place) => kind(call, given[place]));
    });
  };
}
