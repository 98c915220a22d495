/// <reference lib="esnext.disposable" preserve="true" />
// Tensors: handles of the core with a shape and a dtype, which a program can read, print and free.
// Their operations are the functions of `ops/`, each of them also a method: `methods.ts` installs
// them here.

import { DisposedError, ShapeError, TraceError, ValueError } from "../errors.js";
import { holds, noMore, shown } from "../check/check.js";
import { relief } from "./collect.js";
import type { Methods } from "../../start/methods.js";
import { core, coreOf, currentSession, gone, setWitness, wholeCore, type Core } from "../wasm/core.js";
import { dtypeCode, dtypes, fromBytes, wordsOf, type Data, type DType } from "./dtype.js";
import { aboveTensors, awaited } from "../check/elsewhere.js";
import { explanationOf, type Explanation } from "./explanation.js";
import { typeText, valuesText } from "./print.js";
import { enterScope, giveBack, noteMade, releaseAbandoned, watch, type Owner, type Scoped } from "./scope.js";
import { ensureScope } from "../wasm/stack.js";
import { nest, sizeOf, type Nested, type NestedArray } from "./shape.js";
import { givenText, isTracing, noteExtra, tracedBy } from "../check/tracing.js";

/**
 * Anything that can be given for a tensor: a tensor, a plain number (which never changes a tensor's
 * dtype without need), or nested or typed arrays of numbers.
 *
 * @example
 * add(tensor([1, 2]), [10, 20]); // [11,22]
 */
export type Operand = Tensor | Nested;

/** Values of at most this many elements are kept once read, for printing and for reading them
 * again. */
const REMEMBERED = 1024;

const inspect = Symbol.for("nodejs.util.inspect.custom");

/** A tensor of at most this many elements is held here alone once it was read: many small results
 * would be as many buffers. */
const HELD_HERE = 64;

/** How many of the small tensors that a later comparison may compute again keep their buffers:
 * those that were read last. */
const COMPARABLE = 256;

/** Those tensors, in the order in which they were read. */
const comparable: WeakRef<Tensor>[] = [];

/** What a tensor is, but for its values. @internal */
export interface Form {
  readonly dtype: DType;
  readonly shape: readonly number[];
  /** Both, written out. */
  readonly text: string;
}

/** Shown to the constructor by those who may call it. @internal */
export const making = Symbol("weft.making");

/** Every operation as a method; and `using x = …` frees the tensor at the end of the block. */
export interface Tensor extends Methods, Disposable {}

/**
 * An array of numbers on the device. Immutable: operations return new tensors at once, and the
 * values are computed when they are read, drawn or realized.
 *
 * Tensors are made by `tensor`, `zeros`, … and by operations, never with `new`.
 *
 * @example
 * const x = tensor([[1, 2], [3, 4]]);
 * x.shape; // [2,2]
 * await x.sum(0).data(); // [4,6]
 */
export class Tensor implements Scoped {
  #owner: Owner;
  #shape: readonly number[] | null = null;
  #dtype: DType | null = null;
  #form: Form | null = null;
  #known: Data | null = null;
  #kept = false;
  /** Whether the values are held here alone, and the handle was given back. */
  #here = false;

  protected constructor(handle: number, scoped: boolean, permit: symbol) {
    if (permit !== making) throw new ValueError("Tensor", "tensors are made by tensor(), zeros() and such, and by operations, not with new");
    this.#owner = { handle, session: currentSession(), watched: false, registered: false };
    noteMade();
    if (scoped) enterScope(this);
    else this.leave();
  }

  /** @internal */
  leave(): void {
    if (this.#owner.handle !== 0) watch(this, this.#owner);
  }

  /** A tensor that owns `handle`, in the innermost scope; of `form`, where the caller knows it.
   * @internal */
  static adopt(handle: number, form?: Form | null): Tensor {
    const tensor = new Tensor(handle, true, making);
    if (form) {
      tensor.#form = form;
      tensor.#shape = form.shape;
      tensor.#dtype = form.dtype;
    }
    return tensor;
  }

  /** What is made here, and no proxy of it: that has nothing the core could know. @internal */
  static [Symbol.hasInstance](value: unknown): boolean {
    if (typeof value !== "object" || value === null || !(#owner in value)) return false;
    return this === Tensor || Object.prototype.isPrototypeOf.call(this.prototype, value);
  }

  /** `value`, which must be a tensor. Throws `ValueError` in the name of `op`. @internal */
  static of(op: string, what: string, value: unknown): Tensor {
    if (value instanceof Tensor) return value;
    Tensor.refuseProxy(op, value);
    throw new ValueError(op, `${what} must be a tensor, got ${shown(value)}`);
  }

  /** Throws `ValueError` for a proxy of a tensor. @internal */
  static refuseProxy(op: string, value: unknown): void {
    if (!holds(() => Object.prototype.isPrototypeOf.call(Tensor.prototype, value as object))) return;
    throw new ValueError(op, "this is a proxy of a tensor, as reactive frameworks make them: use the tensor itself (in Vue, toRaw gives it)");
  }

  /** The core's handle. Throws `DisposedError` when it was given back, or the core does not know it
   * any more.
   * @internal */
  get handle(): number {
    if (!(#owner in this)) Tensor.of("tensor", "this", this);
    if (this.#owner.handle === 0) this.#return();
    else if (!coreOf(this.#owner.session)) throw gone("tensor", "it");
    return this.#owner.handle;
  }

  /** See `setWitness`: for inspectors. @internal */
  static witness(given: ((open: Core) => void) | null): void {
    setWitness(given);
  }

  /** The whole core and its session, for the entry of kernels, which has no core of its own. Throws
   * as `wholeCore`.
   * @internal */
  static openCore(op: string): { readonly core: Core; readonly session: number } {
    return { core: wholeCore(op), session: currentSession() };
  }

  /** As `noteExtra`, for the same. @internal */
  static noteExtra(tensors: readonly Tensor[], take: (tensors: readonly Tensor[]) => void): string | null {
    return noteExtra({ tensors, take });
  }

  /** As `coreOf`, for the same. @internal */
  static coreOf(session: number): Core | null {
    return coreOf(session);
  }

  /** Takes a tensor that is held here alone back to the device. */
  #return(): void {
    if (!this.#here || !this.#known) throw disposed();
    const handle = core().from_words(wordsOf(this.#known, this.dtype), Uint32Array.from(this.shape), dtypeCode(this.dtype, "tensor"));
    this.#owner = { handle, session: currentSession(), watched: false, registered: false };
    this.#here = false;
    noteMade();
    this.leave();
  }

  /** Extents, outermost first; `[]` for a single value. */
  get shape(): readonly number[] {
    if (!(#owner in this)) Tensor.of("tensor", "this", this);
    return (this.#shape ??= Object.freeze(Array.from(core().shape(this.handle))));
  }

  /** Type of the elements. */
  get dtype(): DType {
    if (!(#owner in this)) Tensor.of("tensor", "this", this);
    return (this.#dtype ??= dtypes[core().dtype(this.handle)] as DType);
  }

  /** Asked for once. @internal */
  get form(): Form {
    if (!(#owner in this)) Tensor.of("tensor", "this", this);
    return (this.#form ??= { dtype: this.dtype, shape: this.shape, text: typeText(this.dtype, this.shape) });
  }

  /** The form, if it was asked for or given. @internal */
  get knownForm(): Form | null {
    return this.#form;
  }

  /** Number of elements. */
  get size(): number {
    return sizeOf(this.shape);
  }

  /** Number of axes. */
  get ndim(): number {
    return this.shape.length;
  }

  /** Whether the tensor was freed, by itself or with its device. */
  get disposed(): boolean {
    const tensor = Tensor.of("tensor", "this", this);
    return !tensor.#here && (tensor.#owner.handle === 0 || !coreOf(tensor.#owner.session));
  }

  /**
   * The elements in row-major order, as a copy: Float32Array (of f16 too), Int32Array, Uint32Array,
   * Int8Array, Uint8Array, or a Uint8Array of 0 and 1 for bool. Throws `TraceError` inside `jit`;
   * the promise is rejected with `DisposedError` or `DeviceLostError`.
   */
  data(): Promise<Data> {
    noMore("data", arguments, 0);
    return awaited("data", Tensor.of("data", "this", this).#read("data"));
  }

  /** The elements as arrays of arrays; of bool, as booleans. Errors as `data` does. */
  array(): Promise<NestedArray> {
    noMore("array", arguments, 0);
    return awaited("array", Tensor.of("array", "this", this).#read("array").then((data) => nest(data, this.shape, this.dtype)));
  }

  /** The only element as a number; of bool, 1 or 0. Errors as `data` does, and with `ShapeError`
   * when there is not exactly one. */
  item(): Promise<number> {
    noMore("item", arguments, 0);
    return awaited("item", Tensor.of("item", "this", this).#read("item").then((data) => data[0] as number));
  }

  /** Reading in a function that is traced is thrown at once: nobody waits for promises there. */
  #read(op: string): Promise<Data> {
    if (isTracing()) throw new TraceError(op, `inside ${tracedBy()} a tensor has no value yet; return it, and read the result`);
    // Where there is no room left to see to a promise that is rejected, none is made.
    ensureScope();
    return this.#elements(op);
  }

  async #elements(op: string): Promise<Data> {
    const { shape, dtype, size } = this;
    if (op === "item" && size !== 1) throw new ShapeError(op, `${typeText(dtype, shape)} has ${size} elements, not one`);
    if (this.#known) return this.#known.slice() as Data;
    const reading = core().read(this.handle) as Promise<Uint8Array<ArrayBuffer>>;
    releaseAbandoned();
    const data = fromBytes(await reading, dtype, size);
    if (!this.disposed) {
      this.remember(data);
      if (data.length <= HELD_HERE) this.#keepSmallHere();
    }
    const wait = relief();
    if (wait) await wait;
    return data;
  }

  /**
   * Gives the handle of a small tensor back, as the values are known here; that of one that a
   * comparison may compute again only after `COMPARABLE` others were read. No transform is open:
   * those that were have closed before the reading ended, so nothing can differentiate through
   * these tensors any more.
   */
  #keepSmallHere(): void {
    if (!this.#known || this.#owner.handle === 0) return;
    if (!core().has_recipe(this.#owner.handle)) return this.#keepHere();
    comparable.push(new WeakRef(this));
    if (comparable.length <= COMPARABLE) return;
    const oldest = comparable.shift()?.deref();
    if (oldest) oldest.#keepHere();
  }

  #keepHere(): void {
    if (!this.#known || this.disposed) return;
    this.#here = true;
    giveBack(this.#owner);
  }

  /**
   * What reading the tensor now would run, stage by stage: everything that is pending and needed,
   * with the parameters that are computed along. Nothing where it has its values. See `explain`.
   */
  explain(): Explanation {
    noMore("explain", arguments, 0);
    return explanationOf(wholeCore("explain").explain_tensor(this.handle));
  }

  /** Frees the tensor. What was computed from it stays. Harmless when done twice. */
  dispose(): void {
    noMore("dispose", arguments, 0);
    if (!(#owner in this)) Tensor.of("dispose", "this", this);
    this.#known = null;
    this.#here = false;
    giveBack(this.#owner);
  }

  /** Exempts the tensor from the scopes it is in: it lives until it is disposed or collected. */
  keep(): this {
    noMore("keep", arguments, 0);
    Tensor.of("keep", "this", this).#kept = true;
    return this;
  }

  /** Whether `keep()` was called. */
  get kept(): boolean {
    if (!(#owner in this)) Tensor.of("tensor", "this", this);
    return this.#kept;
  }

  /** Remembers values that are known, when they are few. @internal */
  remember(data: Data): void {
    if (data.length <= REMEMBERED) this.#known = data.slice() as Data;
  }

  /** The values if they are known without asking the device: they were given or read, and are
   * few. */
  get known(): Readonly<Data> | null {
    return Tensor.of("tensor", "this", this).#known;
  }

  /** Dtype and shape, and the values where they are known: few, and given from here or read
   * before. */
  toString(): string {
    const text = (shape: readonly number[], dtype: DType) => {
      const type = `${this.label} ${typeText(dtype, shape)}`;
      if (this.disposed) return `${type} (disposed)`;
      if (!this.#known) return type;
      const values = valuesText(this.#known, shape, dtype);
      return shape.length > 1 ? `${type}\n${values}` : `${type} ${values}`;
    };
    const isKnown = this.#shape && this.#dtype;
    return this.disposed && !isKnown ? `${this.label} (disposed)` : text(this.shape, this.dtype);
  }

  /** @internal */
  protected get label(): string {
    return "Tensor";
  }

  /** What stands for it in JSON: what it prints, for its values may not be known. Await `array()`
   * to write those. */
  toJSON(): string {
    return this.toString();
  }

  /** What Node prints. */
  [inspect](): string {
    return this.toString();
  }

  /** In text a tensor prints itself; arithmetic and comparison operators of JavaScript cannot act
   * on it and throw. */
  [Symbol.toPrimitive](hint: "default" | "number" | "string"): string {
    if (hint === "string") return this.toString();
    const given = givenText(this);
    if (given !== undefined) throw new TraceError("jit", `JavaScript's operators cannot act on ${given}; or use methods such as add or mul`);
    const advice = isTracing() ? "use methods such as add, mul or where" : "use methods such as add or mul, or await item()";
    const Refusal = isTracing() ? TraceError : ValueError;
    throw new Refusal("tensor", `JavaScript's operators cannot act on a tensor: ${advice}`);
  }

  /** The sub-tensors along the first axis. Throws `ShapeError` for a 0-d tensor. */
  *[Symbol.iterator](): Generator<Tensor, void, undefined> {
    if (this.ndim === 0) throw new ShapeError("iterate", "a 0-d tensor has no axis to iterate over");
    const length = this.shape[0] as number;
    for (let i = 0; i < length; i++) yield this.slice(i);
  }
}

function disposed(): DisposedError {
  return new DisposedError(
    "tensor",
    "it was disposed, by dispose() or at the end of the tidy, grad or jit it was made in; return it from there, or keep() it",
  );
}

Object.setPrototypeOf(Tensor.prototype, aboveTensors());
