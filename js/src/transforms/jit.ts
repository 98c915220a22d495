// `jit`, which runs a function without JavaScript calling it again. It calls the function once per
// form of its arguments, on placeholders, and captures the graph; later calls bind their arguments
// to it. Parameters and random state that the function uses are inputs and outputs of the capture
// by themselves.

import { countOf, isArray, noMore, optionsOf } from "../core/check/check.js";
import { Claim, core, isWitnessed } from "../core/wasm/core.js";
import { checkFunction } from "../core/tensor/functions.js";
import { releaseAbandoned, releaseLater } from "../core/tensor/scope.js";
import { Tensor, type Form } from "../core/tensor/tensor.js";
import { areUnchanged, isTracing, noteGiven, switchVersion, type Extra, type Switches } from "../core/check/tracing.js";
import { mapTree } from "../core/tensor/tree.js";
import { TraceError } from "../core/errors.js";
import { capture, itself } from "./capture.js";
import { handlesOf } from "./gradients.js";
import { Identities, likenessOf, readInputs, tensorsLike, type Likeness } from "./inputs.js";

/**
 * How a function is captured.
 *
 * @example
 * const count = jit((x: Tensor, times: number) => x.mul(times), { static: 1 });
 * count(tensor([1, 2]), 3); // [3,6]
 */
export interface JitOptions {
  /** Positions of arguments whose tensors the call may overwrite: they are freed by it. */
  donate?: number | readonly number[];
  /** Positions of arguments that are part of what is captured: each new value is captured anew.
   * Numbers there stay numbers. */
  static?: number | readonly number[];
}

/** Captures kept per function; the one not used for longest goes first. */
const MOST_CAPTURES = 64;

const NO_NUMBERS = new Float64Array(0);
const NONE_DONATED = new Uint8Array(0);

/** What a call without retracing needs. */
interface Capture {
  readonly claim: Claim;
  /** What it is known by: the form of arguments, and the switches of modules and parameters that
   * the function read. */
  readonly key: string;
  readonly switches: Switches;
  /** Whether it was noted where in the source it asks for what. */
  readonly witnessed: boolean;
  /** When the switches were last looked at, and found to be as they were. */
  seen: number;
  /** The result with each tensor exchanged for its place among the outputs. */
  readonly result: unknown;
  /** How many outputs are of the result; who takes those behind. */
  readonly own: number;
  readonly extras: readonly Extra[];
  /** What the arguments of the last call looked like, where they were tensors and arrays of
   * them. */
  like?: Likeness | null;
  /** What the outputs look like, once there were some: the same at every call. */
  forms?: readonly Form[];
}

class OutputPlace {
  constructor(readonly index: number) {}
}

/**
 * `fn`, captured: the first call with arguments of some form traces it, later ones only run what
 * was captured. Arguments are trees. Their tensors, and numbers, may differ from call to call;
 * everything else in them, the shapes and dtypes, and whether numbers are whole, decide which
 * capture is used, and so do the modes of modules (`train` and `eval`) and which parameters are
 * frozen. Whatever else `fn` reads when it is traced is fixed by that, except for parameters,
 * optimizers and `random`. To `fn` a number is a 0-d f32 tensor that takes the dtype of what it
 * meets, as plain numbers do; where the number itself must be known, as an extent or an axis, its
 * argument has to be `static`.
 *
 * Throws `TraceError` when `fn` is async, or reads a value. Called in another `jit`, or in `grad`,
 * it is simply `fn`.
 *
 * @example
 * const step = jit((x: Tensor, scale: number) => x.mul(scale).tanh().sum());
 * step(tensor([0, 1]), 1); // 0.76159
 * step(tensor([0, 1]), 2); // 0.96403
 */
export function jit<Args extends unknown[], R>(fn: (...args: Args) => R, options: JitOptions = {}): (...args: Args) => R {
  noMore("jit", arguments, 2);
  checkFunction("jit", fn);
  if (fn.constructor?.name === "AsyncFunction") throw new TraceError("jit", "takes a function that returns at once; this one is async");
  const given = optionsOf("jit", options, { static: [] as number | readonly number[], donate: [] as number | readonly number[] });
  const fixed = positions("static", given.static);
  const donated = positions("donate", given.donate);
  const captures = new Captures();
  const claims = new Set<Claim>();
  const identities = new Identities();
  const isPlain = fixed.size === 0 && donated.size === 0;
  let latest: Capture | undefined;

  const call = (...args: Args): R => {
    if (isTracing() || core().is_transforming()) return inline(fn, args, fixed);
    const same = isPlain && latest?.seen === switchVersion() && latest.like ? tensorsLike(latest.like, args) : null;
    const inputs = latest && same ? { key: latest.key, tensors: same, numbers: [], donated: [] } : readInputs(args, fixed, donated, identities);
    const known = same ? latest : captures.find(inputs.key);
    // What was captured on a device that is gone is captured anew, and so is what is to say where
    // it comes from.
    const used = known?.claim.stands && (known.witnessed || !isWitnessed()) ? known : trace(fn, args, fixed, inputs.key);
    if (known && known !== used) {
      captures.remove(known);
      claims.delete(known.claim);
      drop(known.claim);
    }
    if (isPlain && !same) used.like = likenessOf(args);
    if (used !== latest) {
      latest = used;
      claims.add(used.claim);
      const dropped = captures.use(used);
      if (dropped) {
        claims.delete(dropped.claim);
        drop(dropped.claim);
      }
    }
    const handles = core().captured_call(
      used.claim.number("jit", "the captured function"),
      handlesOf(inputs.tensors),
      inputs.numbers.length > 0 ? Float64Array.from(inputs.numbers) : NO_NUMBERS,
      inputs.donated.length > 0 ? Uint8Array.from(inputs.tensors, (_, index) => Number(inputs.donated.includes(index))) : NONE_DONATED,
    );
    for (const index of inputs.donated) inputs.tensors[index]?.dispose();
    const outputs: Tensor[] = [];
    for (let n = 0; n < handles.length; n++) outputs.push(Tensor.adopt(handles[n] as number, used.forms?.[n]));
    used.forms ??= outputs.map((output) => output.form);
    releaseAbandoned();
    let first = used.own;
    for (const { tensors, take } of used.extras) take(outputs.slice(first, (first += tensors.length)).map((output) => output.keep()) as never[]);
    const { result } = used;
    if (result instanceof OutputPlace) return outputs[result.index] as R;
    return mapTree(result, (leaf) => (leaf instanceof OutputPlace ? outputs[leaf.index] : leaf), itself) as R;
  };
  forgotten.register(call, claims);
  return call;
}

function positions(what: string, list: number | readonly number[]): ReadonlySet<number> {
  return new Set(Array.from(isArray(list) ? list : [list], (position) => countOf("jit", `${what}, the position of an argument,`, position)));
}

/** Captures go with the function that made them. */
const forgotten = new FinalizationRegistry<Set<Claim>>((claims) => releaseLater(() => claims.forEach(drop)));

function drop(claim: Claim): void {
  claim.release((known, number) => known.captured_drop(number));
}

/** The captures of a function, the one used last at the end. */
class Captures {
  readonly #all = new Set<Capture>();
  /** By the form of arguments: one for each state of the switches, the one used last at the end. */
  readonly #byKey = new Map<string, Capture[]>();

  /** The capture for arguments of this form with the switches as they are. */
  find(key: string): Capture | undefined {
    const now = switchVersion();
    return this.#byKey.get(key)?.findLast((capture) => {
      if (capture.seen !== now && !areUnchanged(capture.switches)) return false;
      capture.seen = now;
      return true;
    });
  }

  /** Puts a capture at the end; gives the one that has to go for it. */
  use(capture: Capture): Capture | undefined {
    this.remove(capture);
    this.#all.add(capture);
    this.#byKey.set(capture.key, [...(this.#byKey.get(capture.key) ?? []), capture]);
    const [oldest] = this.#all;
    if (!oldest || this.#all.size <= MOST_CAPTURES) return undefined;
    this.remove(oldest);
    return oldest;
  }

  remove(capture: Capture): void {
    this.#all.delete(capture);
    const others = this.#byKey.get(capture.key)?.filter((other) => other !== capture) ?? [];
    if (others.length > 0) this.#byKey.set(capture.key, others);
    else this.#byKey.delete(capture.key);
  }
}

/** Runs `fn` on placeholders and captures what it builds. */
function trace<Args extends unknown[], R>(fn: (...args: Args) => R, args: Args, fixed: ReadonlySet<number>, key: string): Capture {
  return capture("jit", fn, args, fixed, ({ result, placeholders, stepped, switches, extras }) => {
    const outputs: Tensor[] = [];
    const form = mapTree(result, (leaf) => (leaf instanceof Tensor ? new OutputPlace(outputs.push(leaf) - 1) : leaf), itself);
    const own = outputs.length;
    for (const { tensors } of extras) outputs.push(...(tensors as Tensor[]));
    const number = core().trace_end(handlesOf(outputs), handlesOf(placeholders), stepped);
    // Looked at by the next call: the function may have set some itself.
    return { claim: new Claim(number), result: form, own, extras, key, switches, witnessed: isWitnessed(), seen: -1 };
  });
}

/** In another trace or transform the function is part of that; only its numbers are tensors, as
 * they always are. */
function inline<Args extends unknown[], R>(fn: (...args: Args) => R, args: Args, fixed: ReadonlySet<number>): R {
  const lifted = args.map((arg, position) =>
    fixed.has(position)
      ? arg
      : mapTree(
          arg,
          (leaf) => (typeof leaf === "number" ? noteGiven(Tensor.adopt(core().weak_number(leaf)), position) : leaf),
          itself,
        ),
  ) as Args;
  return fn(...lifted);
}
