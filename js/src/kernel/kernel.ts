// `kernel`: from a JavaScript function to a function of tensors. Each signature, the dtypes and
// ranks of what a call passes, is compiled once.

import { DTypeError, ShapeError, Tensor, ValueError, keep, tensor, tidy, type DType, type Shape } from "../index.js";
import { writeKernel, type KernelBuilder, type KernelTerm } from "./build.js";
import { compileKernel, type DeclaredOutput, type KernelSpec, type Returned } from "./compile.js";
import { KernelHandle } from "./handle.js";
import type { KernelDType } from "./ir.js";
import type { EdgeRule, Given } from "./lower/values.js";
import { REPORT_WORDS, type Site } from "./lower/reports.js";
import { assert, plainOutput, plainTensor, print } from "./plain.js";
import { pcg, rand, threefry } from "./random.js";
import { Reporter, toConsole, type KernelReport, type Settle } from "./reports.js";
import type { Kernel, KernelArgument, KernelCapture, KernelEdge, KernelGroupOptions, KernelOptions, KernelOutputOptions, KernelResult } from "./types.js";
import { freeNames, parseFunction } from "./source.js";
import { encode } from "./words.js";

/** The most iterations of a loop that is not counted. */
const LIMIT = 65_536;
/** Compiled signatures kept per kernel; the one not used for longest goes first. */
const MOST_SIGNATURES = 32;

const COMPUTED: Record<DType, KernelDType> = { f32: "f32", i32: "i32", u32: "u32", bool: "bool", f16: "f32", i8: "i32", u8: "u32" };
const EDGES: Record<Exclude<KernelEdge, number>, EdgeRule> = { clamp: "Clamp", wrap: "Wrap", mirror: "Mirror", zero: { value: 0 } };
const OPTIONS = ["shape", "outputs", "edge", "with", "dtype", "limit", "name", "workgroup", "debug"];

type Outputs = Readonly<Record<string, KernelOutputOptions>>;
/** What a kernel returns that a function builds: numbers in the place of terms. */
type Built<R> = R extends KernelTerm ? number : R extends readonly unknown[] ? number[] : R extends object ? { [K in keyof R]: Built<R[K]> } : R;
/** Gives the value of a name. */
type Find = (name: string) => unknown;
type Function_ = (...args: never[]) => unknown;

/** A signature that was compiled. */
interface Compiled {
  readonly handle: KernelHandle;
  readonly returned: readonly Returned[];
  /** The kernel that reports, if there is something to report. */
  readonly report: { readonly handle: KernelHandle; readonly sites: readonly Site[] } | null;
}

/** A call's inputs, read. */
interface Inputs {
  readonly args: readonly (Tensor | number | boolean)[];
  readonly captured: readonly (readonly [name: string, value: KernelCapture])[];
  readonly grid: readonly number[];
  readonly outputs: readonly { readonly name: string; readonly shape: readonly number[]; readonly dtype: KernelDType; readonly initial: number | Tensor }[];
}

/**
 * A GPU kernel of a JavaScript function. It runs once for each element of a grid, by default each
 * element of the first tensor: its parameters are what the kernel is called with, then an index
 * along each axis of the grid, then, if it has one more, the record of what it captures. What it
 * returns becomes the elements of the result.
 *
 * Inside, `x.at(i, j)` reads an element, and Math, loops, branches, small arrays and functions have
 * JavaScript's meanings, in numbers of 32 bits: docs/kernels.md says which are whole. TypeScript
 * checks parameters that say what they are: `(x: KernelTensor, i: number) => …`. A function that
 * uses something else throws a `KernelError` at the first call, which says what to write instead.
 *
 * @example
 * const life = kernel((world, i, j) => {
 *   let n = 0;
 *   for (let a = -1; a <= 1; a++) for (let b = -1; b <= 1; b++) if (a !== 0 || b !== 0) n += world.at(i + a, j + b);
 *   return n === 3 || (n === 2 && world.at(i, j) === 1) ? 1 : 0;
 * }, { edge: "wrap" });
 * life([[0, 1, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]]); // [[0,0,0,0],[1,1,1,0],[0,0,0,0],[0,0,0,0]]
 */
export function kernel<R, const O extends Outputs = {}>(fn: (...args: any[]) => R, options: KernelOptions<O> = {}): Kernel<KernelResult<R, O>> {
  return make(fn, options, null, toConsole);
}

/**
 * A kernel whose invocations work in groups: those of a workgroup share arrays and wait for each
 * other. The record of what is captured, its last parameter, has `local` and `group`,
 * `shared(f32, 16, 17)`, `barrier()` and the subgroup functions of `KernelGroup`. There is one
 * invocation for each element of the first tensor, or `grid` says how many workgroups there are.
 *
 * @example
 * const sums = kernel.group((x, i, { local, group, shared, f32, barrier, sums }) => {
 *   const tile = shared(f32, 4);
 *   tile[local[0]] = x.at(i);
 *   barrier();
 *   if (local[0] === 0) sums.set(tile[0] + tile[1] + tile[2] + tile[3], group[0]);
 * }, { workgroup: [4], outputs: { sums: { shape: [2] } } });
 * sums([1, 2, 3, 4, 10, 20, 30, 40]).sums; // [10,100]
 */
function group<R, const O extends Outputs = {}>(fn: (...args: any[]) => R, options: KernelGroupOptions<O>): Kernel<KernelResult<R, O>> {
  return make(fn, inGroups(options), null, toConsole);
}
kernel.group = group;

/**
 * A kernel that a program builds. `fn` is called once for each signature, with a builder and terms
 * in the place of numbers, and what it does with them becomes the kernel: JavaScript's own loops
 * and branches decide what is built, and its numbers and functions are part of it. Options are
 * those of `kernel`, with `workgroup` for one that works in groups.
 *
 * @example
 * const filter = (weights: readonly number[]) => kernel.build((b, x: BuiltTensor, i) => {
 *   let sum = b.number(0);
 *   weights.forEach((weight, k) => { sum = sum.add(x.at(i.add(k - 1)).mul(weight)); });
 *   return sum;
 * });
 * filter([0.25, 0.5, 0.25])([0, 4, 0]); // [1,2,1]
 */
function build<R, const O extends Outputs = {}>(fn: (b: KernelBuilder, ...args: any[]) => R, options: KernelOptions<O> = {}): Kernel<KernelResult<Built<R>, O>> {
  return make(fn, options, null, toConsole, true) as Kernel<KernelResult<Built<R>, O>>;
}
kernel.build = build;

/** The options of a kernel, from those of one that works in groups. */
function inGroups<O extends Outputs>({ grid, ...options }: KernelGroupOptions<O>): KernelOptions<O> {
  const name = options.name ?? "kernel.group";
  const { workgroup } = options;
  if (!workgroup) throw new ValueError(name, "takes the extents of a workgroup: kernel.group(fn, { workgroup: [16, 16] })");
  if ("shape" in options) throw new ValueError(name, "takes `grid`, how many workgroups there are along each axis, and no `shape`: { workgroup: [16, 16], grid: [4, 4] }");
  if (grid === undefined) return options;
  const shape = (...args: unknown[]) => {
    const given = typeof grid === "function" ? grid(...args) : grid;
    const groups = typeof given === "number" ? [given] : given;
    // Workgroups extend along the last axes.
    return groups.map((count, axis) => count * (workgroup[axis - groups.length + workgroup.length] ?? 1));
  };
  return { ...options, shape };
}

/**
 * `kernel` for functions that see names which `with` does not give, as the cells of a notebook do:
 * `find` gives the value of a name, and is asked at each call. What is neither a number, a truth
 * value, a tensor nor a function is not seen. `settle` shows what a call prints and checks; by
 * default the console does. `textOf` gives the source of a function whose own text is not what its
 * author wrote.
 *
 * @example
 * const rate = 2;
 * const ours = kernelIn((name) => (name === "rate" ? rate : undefined));
 * ours((x, i) => x.at(i) * rate)([1, 2]); // [2,4]
 */
export function kernelIn(find: (name: string) => unknown, settle: (report: Promise<KernelReport>) => void = toConsole, textOf: (fn: (...args: never[]) => unknown) => string = sourceOf): typeof kernel {
  const own = <R, O extends Outputs>(fn: (...args: any[]) => R, options: KernelOptions<O> = {}) => make(fn, options, find, settle, false, textOf);
  const ownGroup = <R, O extends Outputs>(fn: (...args: any[]) => R, options: KernelGroupOptions<O>) => make(fn, inGroups(options), find, settle, false, textOf);
  const ownBuild = <R, O extends Outputs>(fn: (b: KernelBuilder, ...args: any[]) => R, options: KernelOptions<O> = {}) => make(fn, options, find, settle, true, textOf) as Kernel<KernelResult<Built<R>, O>>;
  return Object.assign(own, { group: ownGroup, build: ownBuild });
}

function make<R, O extends Outputs>(fn: (...args: any[]) => R, options: KernelOptions<O>, find: Find | null, settle: Settle, isBuilt = false, textOf: typeof sourceOf = sourceOf): Kernel<KernelResult<R, O>> {
  if (typeof fn !== "function") throw new ValueError("kernel", `takes a function, as in kernel((x, i) => x.at(i) * 2), got ${fn === null ? "null" : typeof fn}`);
  const made = new UserFunction(fn, options, isBuilt ? null : find, settle, isBuilt, textOf);
  const call = (...args: readonly KernelArgument[]) => tidy(() => made.call(args)) as KernelResult<R, O>;
  const run = (...place: readonly number[]) => (...args: readonly KernelArgument[]) => made.run(place, args);
  return Object.assign(call, { run, checked: () => made.reporter.checked() });
}

class UserFunction {
  readonly #op: string;
  readonly #fn: Function_;
  readonly #source: string;
  readonly #options: KernelOptions;
  readonly #edge: KernelEdge;
  readonly #compiled = new Map<string, Compiled>();
  readonly reporter: Reporter;

  constructor(
    fn: Function_,
    options: KernelOptions,
    readonly find: Find | null,
    settle: Settle,
    /** Whether the function builds the kernel instead of being it. */
    readonly isBuilt: boolean,
    readonly textOf: typeof sourceOf,
  ) {
    this.#op = options.name ?? (fn.name || "kernel");
    this.reporter = new Reporter(this.#op, settle);
    this.#fn = fn;
    this.#source = textOf(fn);
    this.#options = options;
    for (const name of Object.keys(options)) {
      if (!OPTIONS.includes(name)) throw new ValueError(this.#op, `there is no option "${name}": there are ${OPTIONS.join(", ")}`);
    }
    this.#edge = options.edge ?? "clamp";
    if (typeof this.#edge !== "number" && !Object.hasOwn(EDGES, this.#edge)) throw new ValueError(this.#op, `an edge is "clamp", "wrap", "mirror", "zero" or a number, got ${String(this.#edge)}`);
    const { workgroup } = options;
    if (workgroup && (!Array.isArray(workgroup) || workgroup.length < 1 || workgroup.length > 3 || !workgroup.every((extent) => Number.isInteger(extent) && extent > 0))) {
      throw new ValueError(this.#op, "workgroup must be one to three whole numbers, such as [16, 16]");
    }
    const limit = options.limit ?? LIMIT;
    if (!Number.isInteger(limit) || limit < 1 || limit > 2 ** 31 - 1) throw new ValueError(this.#op, `limit must be a whole number of 1 or more, got ${String(limit)}`);
  }

  call(args: readonly KernelArgument[]): Tensor | Record<string, Tensor> {
    const inputs = this.#read(args);
    const { handle, returned, report } = this.#signature(inputs);
    const { grid, outputs } = inputs;
    const given = [...inputs.args, ...inputs.captured.map(([, value]) => value), ...outputs.map(({ initial }) => initial).filter((initial) => typeof initial === "object")];
    const passed = {
      tensors: given.filter((value) => value instanceof Tensor).map(computed),
      scalars: [...inputs.args, ...inputs.captured.map(([, value]) => value)].filter((value) => typeof value === "number" || typeof value === "boolean").map(Number),
      grid,
    };
    const [stored, ownPlaces] = [outputs.map(({ shape }) => shape), returned.map(({ length }) => (length === null ? grid : [...grid, length]))];
    const results = handle.call({ ...passed, shapes: [...stored, ...ownPlaces] });
    if (report) {
      const { sites } = report;
      const parts = report.handle.call({ ...passed, shapes: [...stored, [sites.length], [sites.length], [1], [REPORT_WORDS]] });
      const asked = parts.slice(stored.length, stored.length + (sites.some(({ kind }) => kind === "print") ? 4 : 2));
      const refused = Tensor.noteExtra(asked.map((tensor) => keep(tensor)), (tensors) => this.reporter.take(sites, grid, tensors));
      if (refused !== null) for (const tensor of asked) tensor.dispose();
      if (refused !== null) throw new ValueError(this.#op, `it prints or asserts, which it cannot inside ${refused}: call it outside, or make it with { debug: false }, which leaves both out`);
    }
    if (outputs.length === 0 && returned.length === 1 && returned[0]?.name === null) return results[0] as Tensor;
    const names = [...outputs.map(({ name }) => name), ...returned.map(({ name }) => name ?? "result")];
    return Object.fromEntries(names.map((name, n) => [name, results[n] as Tensor]));
  }

  async run(place: readonly number[], args: readonly KernelArgument[]): Promise<unknown> {
    if (this.#options.workgroup) throw new ValueError(this.#op, "run cannot run one invocation of a kernel that works in groups: its invocations wait for each other");
    const inputs = this.#read(args);
    const { grid, outputs, captured } = inputs;
    if (place.length !== grid.length || place.some((index, axis) => !Number.isInteger(index) || index < 0 || index >= (grid[axis] as number))) {
      throw new ValueError(this.#op, `run takes the place of an invocation in the grid [${grid.join(",")}], and this is [${place.join(",")}]`);
    }
    const plain = async (name: string, value: KernelCapture | Tensor) => {
      if (!(value instanceof Tensor)) return value;
      const data = await value.data();
      return value.ndim === 0 ? Number(data[0]) : plainTensor(name, value.shape, data, this.#edge);
    };
    const values = await Promise.all(inputs.args.map((value, n) => plain(`argument ${n + 1}`, value)));
    const record: Record<string, unknown> = { rand, pcg, threefry, print, assert };
    for (const [name, value] of captured) record[name] = await plain(name, value);
    for (const { name, shape, dtype, initial } of outputs) {
      const size = shape.reduce((a, b) => a * b, 1);
      const data = initial instanceof Tensor ? Array.from(await initial.data(), Number) : new Array<number>(size).fill(initial);
      record[name] = plainOutput(name, dtype, shape, data);
    }
    const fn: unknown = this.isBuilt ? new Function("rand", "pcg", "threefry", "print", "assert", `return ${this.#sourceFor(inputs.args.map((value) => given(value, this.textOf)), inputs)}`)(rand, pcg, threefry, print, assert) : this.#fn;
    return (fn as (...all: unknown[]) => unknown)(...values, ...place, record);
  }

  #read(given: readonly KernelArgument[]): Inputs {
    const args = given.map((value, n) => this.#argument(value, n));
    const { shape, outputs = {} } = this.#options;
    const first = args.find((value) => value instanceof Tensor);
    const grid = shape === undefined ? first?.shape : this.#extents("shape", shape, args);
    if (!grid) throw new ShapeError(this.#op, "no argument is a tensor whose shape the grid could have: say which it has, as in kernel(fn, { shape: [64, 64] })");
    const named = typeof this.#options.with === "function" ? this.#options.with() : (this.#options.with ?? {});
    const record = { ...this.#found(named), ...named };
    return {
      args, grid,
      captured: Object.entries(record).map(([name, value]) => [name, this.#capture(name, value)]),
      outputs: Object.entries(outputs).map(([name, output]) => this.#output(name, output, args)),
    };
  }

  /** What the function, and functions that it uses, see around them. */
  #found(given: Readonly<Record<string, KernelCapture>>): Record<string, KernelCapture> {
    const found: Record<string, KernelCapture> = {};
    if (!this.find) return found;
    const pending = [this.#source, ...Object.values(given).filter((value) => typeof value === "function" && !OUTSIDE.has(value)).map((value) => this.textOf(value as Function_))];
    for (let source = pending.pop(); source !== undefined; source = pending.pop()) {
      for (const name of freeNames(parseFunction(this.#op, source))) {
        if (Object.hasOwn(found, name) || Object.hasOwn(given, name) || ENGINES.has(name)) continue;
        const value = this.find(name);
        if (!isCapture(value)) continue;
        found[name] = value;
        if (typeof value === "function" && !OUTSIDE.has(value)) pending.push(this.textOf(value));
      }
    }
    return found;
  }

  #argument(value: KernelArgument, n: number): Tensor | number | boolean {
    if (typeof value === "number" || typeof value === "boolean" || value instanceof Tensor) return value;
    if (Array.isArray(value) || ArrayBuffer.isView(value)) return tensor(value);
    throw new ValueError(this.#op, `argument ${n + 1} must be a tensor, an array or a number, got ${kindOf(value)}`);
  }

  #capture(name: string, value: unknown): KernelCapture {
    if (isCapture(value)) return value;
    if (Array.isArray(value) || ArrayBuffer.isView(value)) return tensor(value as number[]);
    throw new ValueError(this.#op, `\`${name}\` of \`with\` must be a number, a tensor or a function, got ${kindOf(value)}`);
  }

  #output(name: string, { shape, dtype = "f32", initial = 0 }: KernelOutputOptions, args: Inputs["args"]): Inputs["outputs"][number] {
    const extents = this.#extents(`the shape of \`${name}\``, shape, args);
    if (!["f32", "i32", "u32", "bool"].includes(dtype)) throw new DTypeError(this.#op, `\`${name}\` can be f32, i32, u32 or bool, not ${String(dtype)}`);
    const before: unknown = typeof initial === "function" ? initial(...args) : initial;
    if (typeof before !== "number" && !(before instanceof Tensor)) throw new ValueError(this.#op, `initial of \`${name}\` must be a number, or a function that gives a tensor, got ${kindOf(before)}`);
    if (before instanceof Tensor && String(before.shape) !== String(extents)) throw new ShapeError(this.#op, `initial of \`${name}\` has the shape [${before.shape.join(",")}], and \`${name}\` [${extents.join(",")}]`);
    return { name, shape: extents, dtype, initial: before instanceof Tensor && before.dtype !== dtype ? before.cast(dtype) : before };
  }

  #extents(what: string, shape: Shape | ((...args: never[]) => Shape), args: Inputs["args"]): readonly number[] {
    const found: unknown = typeof shape === "function" ? (shape as (...all: unknown[]) => Shape)(...args) : shape;
    const extents = typeof found === "number" ? [found] : found;
    if (!Array.isArray(extents) || !extents.every((extent) => Number.isInteger(extent) && extent >= 0)) {
      throw new ShapeError(this.#op, `${what} must be a list of whole numbers, such as [64, 64], got ${Array.isArray(found) ? `[${found.join(",")}]` : kindOf(found)}`);
    }
    return extents as readonly number[];
  }

  /** The source of the kernel for arguments of these kinds. */
  #sourceFor(args: readonly Given[], { grid, captured, outputs }: Inputs): string {
    if (!this.isBuilt) return this.#source;
    return writeKernel(this.#op, this.#fn, {
      args, rank: grid.length, inGroups: Boolean(this.#options.workgroup), captured: Object.fromEntries(captured.map(([name, value]) => [name, given(value, this.textOf)])),
      outputs: Object.fromEntries(outputs.map(({ name, shape }) => [name, { rank: shape.length }])),
    });
  }

  #signature(inputs: Inputs): Compiled {
    const args = inputs.args.map((value) => given(value, this.textOf));
    const captured = inputs.captured.map(([name, value]) => [name, given(value, this.textOf)] as const);
    const initials = inputs.outputs.filter(({ initial }) => initial instanceof Tensor);
    const outputs = inputs.outputs.map(({ name, dtype, shape, initial }) => [name, { dtype, rank: shape.length, initial: typeof initial === "number" ? initial : NaN, isTensor: initial instanceof Tensor }] as const);
    const key = JSON.stringify([args, inputs.grid.length, captured, outputs.map(([name, output]) => [name, output, String(output.initial)])]);
    const known = this.#compiled.get(key);
    if (known) {
      this.#compiled.delete(key);
      this.#compiled.set(key, known);
      return known;
    }
    const before = [...args, ...captured.map(([, value]) => value)].filter(({ is }) => is === "tensor").length;
    const declared = outputs.map(([name, { dtype, rank, initial, isTensor }]): [string, DeclaredOutput] => [
      name,
      { dtype, rank, initial: isTensor ? { tensor: before + initials.findIndex((output) => output.name === name) } : initial },
    ]);
    const { limit = LIMIT, dtype = null, workgroup = null, debug } = this.#options;
    const spec: KernelSpec = {
      name: this.#op, source: this.#sourceFor(args, inputs), args, rank: inputs.grid.length, captured: Object.fromEntries(captured), outputs: Object.fromEntries(declared),
      edge: typeof this.#edge === "number" ? { value: this.#edge } : EDGES[this.#edge], limit, dtype, workgroup, report: "none",
    };
    const { kernel: lowered, returned, sites, unmet } = compileKernel(spec);
    const reporting = debug ?? sites.length > 0 ? compileKernel({ ...spec, report: debug ? "nan" : "asked" }) : null;
    const report = reporting && reporting.sites.length > 0 ? { handle: new KernelHandle(`${this.#op}, report`, encode(reporting.kernel), reporting.unmet), sites: reporting.sites } : null;
    const compiled = { handle: new KernelHandle(this.#op, encode(lowered), unmet), returned, report };
    this.#compiled.set(key, compiled);
    if (this.#compiled.size > MOST_SIGNATURES) this.#compiled.delete(this.#compiled.keys().next().value as string);
    return compiled;
  }
}

/** What is known of a value when a signature is compiled. */
function given(value: KernelCapture, textOf: typeof sourceOf): Given {
  if (value instanceof Tensor) return { is: "tensor", dtype: COMPUTED[value.dtype], rank: value.ndim };
  if (typeof value === "function") {
    const name = OUTSIDE.get(value);
    return name ? { is: "builtin", name } : { is: "function", source: textOf(value) };
  }
  return { is: "scalar", dtype: typeof value === "boolean" ? "bool" : "f32" };
}

/** A tensor in the dtype that kernels compute in. */
function computed(value: Tensor): Tensor {
  return COMPUTED[value.dtype] === value.dtype ? value : value.cast(COMPUTED[value.dtype]);
}

/** What stands outside of kernels for functions that they have. */
const OUTSIDE: ReadonlyMap<unknown, string> = new Map<unknown, string>([[rand, "rand"], [pcg, "pcg"], [threefry, "threefry"], [print, "print"], [assert, "assert"]]);

/** Names that have a meaning of their own in kernels. */
const ENGINES: ReadonlySet<string> = new Set(["Math", "Number", "Boolean", "Array", "Float32Array", "Int32Array", "Uint32Array", "isNaN", "isFinite", "NaN", "Infinity", "undefined", "rand", "pcg", "threefry", "print", "assert"]);

function isCapture(value: unknown): value is KernelCapture {
  return typeof value === "number" || typeof value === "boolean" || typeof value === "function" || value instanceof Tensor;
}

const sourceOf = (fn: Function_) => Function.prototype.toString.call(fn);

const kindOf = (value: unknown) => (value === null || value === undefined ? String(value) : typeof value === "object" ? "an object" : `a ${typeof value}`);
