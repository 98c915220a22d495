// `wgsl`: kernels of a shader's own text. Bindings are declared for it by name; what the shader
// compiler says of the text comes back with its line and column.

import { DTypeError, ShapeError, Tensor, ValueError, tensor, tidy, type Shape } from "../index.js";
import { KernelHandle } from "./handle.js";
import { KERNEL_DTYPES, bitsOf, type KernelDType } from "./ir.js";
import { errorAt } from "./errors.js";
import type { KernelArgument, KernelOutputOptions } from "./types.js";
import { encode } from "./words.js";

/**
 * An output of a shader.
 *
 * @example
 * const hits: WgslOutput = { shape: [3], dtype: "u32", atomic: true };
 * wgsl("@compute @workgroup_size(1) fn main() { atomicAdd(&hits[1], 2u); }", { outputs: { hits } })(); // [0,2,0]
 */
export interface WgslOutput extends Omit<KernelOutputOptions, "initial"> {
  /** What is there at first; 0 unless it is said. */
  readonly initial?: number;
  /** Whether its elements are `atomic<i32>` or `atomic<u32>`. */
  readonly atomic?: boolean;
}

/**
 * What a shader reads and yields, and how many invocations there are.
 *
 * @example
 * const options: WgslOptions = { inputs: { x: "f32" }, outputs: { y: { shape: (x: Tensor) => x.shape } } };
 * wgsl("@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { if (id.x < y_shape[0]) { y[id.x] = x[id.x] * 2; } }", options)([1, 2]); // [2,4]
 */
export interface WgslOptions<O extends Readonly<Record<string, WgslOutput>> = Readonly<Record<string, WgslOutput>>> {
  /** The dtypes of what it is called with, by the names that the text uses, in order. */
  readonly inputs?: Readonly<Record<string, KernelDType>>;
  /** What it yields, by the names that the text uses. */
  readonly outputs: O;
  /** Extents of a workgroup along the last axes of the grid; those of `@workgroup_size` unless it
   * is said, from the last to the first. */
  readonly workgroup?: readonly number[];
  /** The extents of the grid, one to three: at least one invocation for each place. Those of the
   * first output unless it is said. */
  readonly shape?: Shape | ((...args: any[]) => Shape);
  /** What it is called in messages and in `explain`. */
  readonly name?: string;
}

/** What a shader yields: a tensor for one output, tensors by name for several. */
type Yielded<O> = string extends keyof O ? any : keyof O extends infer K extends keyof O ? ([K] extends [infer One] ? (IsOne<One> extends true ? Tensor : { readonly [N in K]: Tensor }) : never) : never;
type IsOne<K> = (K extends unknown ? (k: K) => void : never) extends (k: infer I) => void ? ([K] extends [I] ? true : false) : false;

const OPTIONS = ["inputs", "outputs", "workgroup", "shape", "name"];

/**
 * A GPU kernel of WGSL. The text has a compute entry point `main` and no bindings: each input `x`
 * is there as `x`, an array of its elements, row by row (a number is an array of one), each output
 * as an array that can be written, and `x_shape` has the extents of what has axes. Each output
 * holds `initial` before.
 *
 * The kernel is an operation like any other, but has no derivative (give it one by `customVjp`) and
 * no batch, and runs on a GPU only. Where the shader compiler refuses the text, reading a result
 * throws a `ValueError` that names line and column.
 *
 * @example
 * const double = wgsl(`
 *   @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
 *     if (id.x < x_shape[0]) { y[id.x] = 2 * x[id.x]; }
 *   }
 * `, { inputs: { x: "f32" }, outputs: { y: { shape: (x: Tensor) => x.shape } } });
 * double([1, 2, 3]); // [2,4,6]
 */
export function wgsl<const O extends Readonly<Record<string, WgslOutput>>>(source: string, options: WgslOptions<O>): (...args: readonly KernelArgument[]) => Yielded<O> {
  if (typeof source !== "string") throw new ValueError("wgsl", `takes the text of a shader, got a ${typeof source}`);
  const shader = new Shader(source, options);
  return (...args) => tidy(() => shader.call(args)) as Yielded<O>;
}

class Shader {
  readonly #op: string;
  readonly #inputs: readonly (readonly [name: string, dtype: KernelDType])[];
  readonly #outputs: readonly (readonly [name: string, output: WgslOutput])[];
  readonly #sides: readonly [number, number, number];
  readonly #handles = new Map<string, KernelHandle>();

  constructor(
    readonly source: string,
    readonly options: WgslOptions,
  ) {
    this.#op = options.name ?? "wgsl";
    for (const name of Object.keys(options)) {
      if (!OPTIONS.includes(name)) throw new ValueError(this.#op, `there is no option "${name}": there are ${OPTIONS.join(", ")}`);
    }
    this.#inputs = Object.entries(options.inputs ?? {});
    this.#outputs = Object.entries(options.outputs ?? {});
    if (this.#outputs.length === 0) throw new ValueError(this.#op, "has no outputs: say what it yields, as in { outputs: { y: { shape: [64] } } }");
    const names = [...this.#inputs, ...this.#outputs].map(([name]) => name);
    names.forEach((name, n) => {
      if (!/^(?!__)[A-Za-z_]\w*$/.test(name) || name === "_") throw new ValueError(this.#op, `\`${name}\` is no name in WGSL`);
      if (names.indexOf(name) < n) throw new ValueError(this.#op, `\`${name}\` is an input and an output: give them different names`);
    });
    for (const [name, dtype] of this.#inputs) {
      if (!KERNEL_DTYPES.includes(dtype)) throw new DTypeError(this.#op, `\`${name}\` can be ${KERNEL_DTYPES.join(", ")}, not ${String(dtype)}`);
    }
    for (const [name, { dtype = "f32", atomic = false }] of this.#outputs) {
      if (!KERNEL_DTYPES.includes(dtype)) throw new DTypeError(this.#op, `\`${name}\` can be ${KERNEL_DTYPES.join(", ")}, not ${String(dtype)}`);
      if (atomic && dtype !== "i32" && dtype !== "u32") throw new DTypeError(this.#op, `\`${name}\` is atomic, which only i32 and u32 can be, not ${dtype}`);
    }
    this.#sides = this.#workgroup(names);
  }

  call(given: readonly KernelArgument[]): Tensor | Record<string, Tensor> {
    const { length } = this.#inputs;
    if (given.length !== length) throw new ValueError(this.#op, `takes ${length} argument${length === 1 ? "" : "s"} (${this.#inputs.map(([name]) => name).join(", ")}), got ${given.length}`);
    const args = given.map((value, n) => {
      const [name, dtype] = this.#inputs[n] as readonly [string, KernelDType];
      const whole = typeof value === "number" || typeof value === "boolean" ? tensor([Number(value)], { dtype }) : value instanceof Tensor ? value : tensor(value as number[], { dtype });
      if (whole.dtype !== dtype) throw new DTypeError(this.#op, `\`${name}\` is ${dtype}, got ${whole.dtype}: cast it`);
      if (whole.size === 0) throw new ShapeError(this.#op, `\`${name}\` has no elements, which a shader cannot bind`);
      return whole.ndim === 0 ? whole.reshape([1]) : whole;
    });
    const extents = (what: string, shape: Shape | ((...args: any[]) => Shape)) => this.#extents(what, typeof shape === "function" ? shape(...args) : shape);
    const shapes = this.#outputs.map(([name, { shape }]) => extents(`the shape of \`${name}\``, shape));
    const grid = this.options.shape === undefined ? (shapes[0] as readonly number[]).slice(-3) : extents("shape", this.options.shape);
    if (grid.length < 1 || grid.length > 3) throw new ShapeError(this.#op, `the grid has one to three axes, got [${grid.join(",")}]: say \`shape\``);
    const whole = grid.map((extent, axis) => {
      const side = this.#sides[grid.length - 1 - axis] as number;
      return Math.ceil(extent / side) * side;
    });
    if (this.#sides.slice(grid.length).some((side) => side !== 1)) throw new ShapeError(this.#op, `the grid [${grid.join(",")}] has fewer axes than the workgroup`);
    const ranks = [grid.length, ...args.map(({ ndim }) => ndim), ...shapes.map(({ length }) => length)];
    const results = this.#handle(ranks).call({ tensors: args, scalars: [], grid: whole, shapes });
    return results.length === 1 ? (results[0] as Tensor) : Object.fromEntries(this.#outputs.map(([name], n) => [name, results[n] as Tensor]));
  }

  #handle(ranks: readonly number[]): KernelHandle {
    const key = ranks.join();
    const known = this.#handles.get(key);
    if (known) return known;
    const [rank = 1, ...rest] = ranks;
    const words = encode({
      name: this.#op, rank, workgroup: [...this.#sides],
      tensors: this.#inputs.map(([name, dtype], n) => ({ name, dtype, rank: rest[n] as number })),
      scalars: [],
      outputs: this.#outputs.map(([name, { dtype = "f32", initial = 0 }], n) => ({
        name, dtype, rank: rest[this.#inputs.length + n] as number, combine: "Set", initial: { bits: bitsOf(dtype, initial) },
      })),
      locals: [], arrays: [], exprs: [], body: [],
    });
    const handle = new KernelHandle(this.#op, words, null, { text: this.source, atomic: this.#outputs.map(([, { atomic = false }]) => atomic) });
    this.#handles.set(key, handle);
    return handle;
  }

  /** The sides of a workgroup, x first. Throws what is wrong with the text before a shader compiler
   * sees it. */
  #workgroup(names: readonly string[]): readonly [number, number, number] {
    const text = withoutComments(this.source);
    const place = { op: this.#op, text: this.source, skip: 0 };
    const bound = /@(group|binding)\b/.exec(text);
    if (bound) throw errorAt(place, bound.index, "the text has bindings of its own: leave them out, and name what it reads and writes in `inputs` and `outputs`");
    const entries = [...text.matchAll(/@compute\b/g)];
    const second = entries[1];
    if (second) throw errorAt(place, second.index, "the text has two entry points: a kernel has one, `main`");
    if (entries.length === 0 || !/\bfn\s+main\s*\(/.test(text)) throw errorAt(place, 0, "the text has no entry point: write `@compute @workgroup_size(64) fn main(…) { … }`");
    const unused = names.find((name) => !new RegExp(`\\b${name}\\b`).test(text));
    if (unused !== undefined) throw errorAt(place, 0, `the text does not mention \`${unused}\`: remove it from \`inputs\` and \`outputs\`, or use it`);
    const said = /@workgroup_size\s*\(([^)]*)\)/.exec(text);
    const written = said?.[1]?.split(",").map((side) => side.trim()).filter((side) => side !== "").map((side) => Number(side.replace(/[iu]$/, "")));
    if (!said || !written || written.length > 3 || !written.every((side) => Number.isInteger(side) && side > 0)) {
      throw errorAt(place, said?.index ?? 0, "the size of a workgroup has to be written as numbers: `@workgroup_size(64)`");
    }
    const { workgroup } = this.options;
    const sides = [0, 1, 2].map((axis) => written[axis] ?? 1);
    if (workgroup && [0, 1, 2].some((axis) => (workgroup[workgroup.length - 1 - axis] ?? 1) !== sides[axis])) {
      throw errorAt(place, said.index, `the text says workgroups of ${sides.join("×")}, from x on, and \`workgroup\` [${workgroup.join(",")}], whose last is x`);
    }
    return sides as unknown as readonly [number, number, number];
  }

  #extents(what: string, found: unknown): readonly number[] {
    const extents = typeof found === "number" ? [found] : found;
    if (!Array.isArray(extents) || !extents.every((extent) => Number.isInteger(extent) && extent > 0)) throw new ShapeError(this.#op, `${what} must be a list of whole numbers above 0, such as [64, 64]`);
    return extents as readonly number[];
  }
}

/** The text with spaces for comments, so that places stay. */
function withoutComments(text: string): string {
  let [out, at, depth] = ["", 0, 0];
  while (at < text.length) {
    const two = text.slice(at, at + 2);
    if (two === "/*" || (two === "*/" && depth > 0)) {
      depth += two === "/*" ? 1 : -1;
      out += "  ";
      at += 2;
    } else if (depth === 0 && two === "//") {
      const end = text.indexOf("\n", at);
      const stop = end < 0 ? text.length : end;
      out += " ".repeat(stop - at);
      at = stop;
    } else {
      const char = text[at] as string;
      out += depth > 0 && char !== "\n" ? " " : char;
      at++;
    }
  }
  return out;
}
