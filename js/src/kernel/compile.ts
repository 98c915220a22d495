// The front end as one pure function: from the source of a JavaScript function and the types of
// what it is called with to the IR of a kernel.

import type { AnyNode } from "acorn";
import { errorAt, type KernelError } from "./errors.js";
import { bitsOf, type Combine, type ExprId, type Initial, type KernelDType, type KernelOutput, type Stmt, type UserKernel } from "./ir.js";
import { Facts, type Settings } from "./lower/context.js";
import { Statements } from "./lower/statements.js";
import { BUILTINS, GROUP_BUILTINS } from "./lower/calls.js";
import { REPORT_OUTPUTS, type Site } from "./lower/reports.js";
import { Scope, type Aggregate, type Given, type Value } from "./lower/values.js";
import { num, type Num } from "./numbers.js";
import { parseFunction, type FunctionNode, type Parsed } from "./source.js";

/** An output that the kernel stores to by name. */
export interface DeclaredOutput {
  readonly dtype: KernelDType;
  readonly rank: number;
  readonly initial: number | { readonly tensor: number };
}

export interface KernelSpec extends Omit<Settings, "firstReport"> {
  /** The kernel's name, in messages and in print. */
  readonly name: string;
  /** The function's own source. */
  readonly source: string;
  readonly args: readonly Given[];
  readonly captured: Readonly<Record<string, Given>>;
  readonly outputs: Readonly<Record<string, DeclaredOutput>>;
  /** The dtype of what is returned; null for its own. */
  readonly dtype: KernelDType | null;
  /** Extents of a workgroup along the last axes of the grid, for a kernel that works in groups. */
  readonly workgroup?: readonly number[] | null;
}

/** What a returned value becomes: a tensor, with a last axis of its elements if it is an array. */
export interface Returned {
  /** The field of a record; null where the function returns one value. */
  readonly name: string | null;
  readonly length: number | null;
}

export interface CompiledKernel {
  readonly kernel: UserKernel;
  /** The results besides the declared outputs, which come first, and those of a report. */
  readonly returned: readonly Returned[];
  /** Places that report; in a kernel that does not, those that would. */
  readonly sites: readonly Site[];
  /** The error of a statement that not every invocation of a workgroup reaches, by its path in the
   * body. */
  readonly unmet: (path: readonly number[]) => KernelError | null;
}

/** Most passes: each raises the dtype of a variable at least. */
const PASSES = 1000;

export function compileKernel(spec: KernelSpec): CompiledKernel {
  const parsed = parseFunction(spec.name, spec.source);
  checkParameters(parsed, spec);
  const facts = new Facts();
  for (let pass = 0; pass < PASSES; pass++) {
    facts.changed = false;
    const lowering = new KernelLowering(parsed, facts, spec);
    const compiled = lowering.compile();
    if (facts.changed) continue;
    if (lowering.complaint) throw lowering.complaint;
    return compiled;
  }
  throw errorAt(parsed.source, parsed.node.start, "the dtypes of the variables of this function cannot be found");
}

function checkParameters({ source, node }: Parsed, { args, rank, captured, outputs, workgroup }: KernelSpec): void {
  const wanted = args.length + rank;
  const { params } = node;
  const last = params.at(-1);
  const takesRecord = last?.type === "ObjectPattern" || Object.keys(captured).length + Object.keys(outputs).length > 0 || Boolean(workgroup);
  if (params.length === wanted || (params.length === wanted + 1 && takesRecord)) return;
  const names = params.slice(0, args.length).map(({ start, end }) => source.text.slice(start, end));
  while (names.length < args.length) names.push(`x${names.length}`);
  const example = [...names, ...["i", "j", "k", "l", "m", "n"].slice(0, rank)].join(", ");
  const given = `${args.length} argument${args.length === 1 ? "" : "s"} and a grid of ${rank} ${rank === 1 ? "axis" : "axes"}`;
  throw errorAt(source, node.start, `this kernel was called with ${given}, so that its parameters are (${example}), and one more for what it captures; it has ${params.length}`);
}

class KernelLowering extends Statements {
  readonly #spec: KernelSpec;
  readonly #main: Parsed;
  readonly #globals = new Scope(null);

  constructor(parsed: Parsed, facts: Facts, spec: KernelSpec) {
    super(parsed, facts, { ...spec, firstReport: Object.keys(spec.outputs).length });
    this.#spec = spec;
    this.#main = parsed;
  }

  compile(): CompiledKernel {
    const { name, args, rank, captured, outputs, report } = this.#spec;
    const { node, source } = this.#main;
    const tensors: { name: string; dtype: KernelDType; rank: number }[] = [];
    const scalars: { name: string; dtype: KernelDType }[] = [];
    const bring = (called: string, given: Given): Value => {
      switch (given.is) {
        case "tensor": {
          const tensor = tensors.push({ name: called, dtype: given.dtype, rank: given.rank }) - 1;
          // One of a single element is a number, as numbers are inside jit.
          return given.rank === 0 ? this.#single(called, tensor, given.dtype) : { is: "tensor", name: called, tensor, dtype: given.dtype, rank: given.rank };
        }
        case "scalar":
          return num(given.dtype, this.builder.add({ is: "Scalar", scalar: scalars.push({ name: called, dtype: given.dtype }) - 1 }));
        case "builtin":
          return given;
        case "function": {
          const helper = parseFunction(name, given.source);
          return { is: "function", name: called, node: helper.node, parsed: helper, scope: this.#globals };
        }
      }
    };
    const parameterName = (place: number) => {
      const parameter = node.params[place];
      return parameter?.type === "Identifier" ? parameter.name : parameter ? source.text.slice(parameter.start, parameter.end) : `x${place}`;
    };
    const values = args.map((given, place) => bring(parameterName(place), given));
    const indices = Array.from({ length: rank }, (_, axis) => num("i32", this.index0(axis)));
    const seen: [string, Value][] = Object.entries(captured).map(([called, given]) => [called, bring(called, given)]);
    for (const [called, { dtype, rank: axes, initial }] of Object.entries(outputs)) if (typeof initial !== "number") tensors.push({ name: `${called} before`, dtype, rank: axes });
    Object.entries(outputs).forEach(([called, { dtype, rank: axes }], output) => seen.push([called, { is: "output", name: called, output, dtype, rank: axes }]));
    const { workgroup = null } = this.#spec;
    if (workgroup) {
      for (const [called, coordinate] of [["local", "Local"], ["group", "Group"]] as const) {
        // Axis x is the last.
        const fields = workgroup.map((_, axis) => num("i32", this.builder.add({ is: "Index", coordinate, axis: workgroup.length - 1 - axis })));
        seen.push([called, { is: "aggregate", keys: null, fields, key: null, settled: false, name: called }]);
      }
      for (const called of GROUP_BUILTINS) seen.push([called, { is: "builtin", name: called }]);
    }
    for (const called of ["Math", "Number", "isNaN", "isFinite", "Boolean", ...BUILTINS]) this.#globals.bind(called, { is: "builtin", name: called }, "given");
    for (const called of BUILTINS) if (!seen.some(([other]) => other === called)) seen.push([called, { is: "builtin", name: called }]);
    for (const [called, value] of seen) this.#globals.bind(called, value, "given");
    const record: Aggregate = { is: "aggregate", keys: seen.map(([called]) => called), fields: seen.map(([, value]) => value), key: null, settled: false, name: "captured" };
    const main = { is: "function", name, node, parsed: this.#main, scope: this.#globals } as const;
    const result = this.run(main, [...values, ...indices, record], "");
    const declared = Object.entries(outputs).map(([called, { dtype, rank: axes, initial }], output): KernelOutput => ({
      name: called, dtype, rank: axes, combine: this.#combineOf(output, dtype),
      initial: typeof initial === "number" ? { bits: bitsOf(dtype, initial) } : (initial satisfies Initial),
    }));
    if (report !== "none") declared.push(...REPORT_OUTPUTS);
    const returned = this.#return(result, declared);
    const { exprs, locals, arrays, block } = this.builder;
    return { kernel: { name, rank, workgroup: sizesOf(workgroup), tensors, scalars, outputs: declared, locals, arrays, exprs, body: block }, returned, sites: this.sites, unmet: (path) => this.#unmet(block, path) };
  }

  #unmet(body: readonly Stmt[], path: readonly number[]): KernelError | null {
    let block = body;
    let found: Stmt | undefined;
    for (const step of path) {
      found = block[step];
      if (found) block = found.is === "If" ? [...found.then, ...found.otherwise] : found.is === "For" || found.is === "While" ? found.body : [];
    }
    const place = found && this.meetings.get(found);
    if (!place) return null;
    return errorAt(place.source, place.at, `all invocations of a workgroup must reach \`${place.text}\` or none, and here a branch, a loop or a return before it depends on the invocation or on data: move it out of there`);
  }

  /** How stores into an output meet; into those of a report that are left out not at all. */
  #combineOf(output: number, dtype: KernelDType): Combine {
    return this.#spec.report !== "none" && dtype === "f32" ? "Set" : (this.combines.get(output) ?? "Set");
  }

  #single(name: string, tensor: number, dtype: KernelDType): Num {
    const loaded = num(dtype, this.builder.temporary(name, dtype, this.builder.add({ is: "Load", tensor, indices: [], edge: "Clamp" })));
    return dtype === "bool" ? this.arithmetic.convert(loaded, "i32") : loaded;
  }

  private index0(axis: number): ExprId {
    return this.builder.add({ is: "Index", coordinate: "Grid", axis });
  }

  /** Stores what the function returned at the invocation's own place. */
  #return(result: Value, outputs: KernelOutput[]): Returned[] {
    const { node } = this.#main;
    if (result.is === "nothing") {
      if (Object.keys(this.#spec.outputs).length === 0) this.fail(node, "this kernel yields nothing: return a value, or store into an output, { outputs: { out: { shape: [8] } } }");
      return [];
    }
    const entries: [string | null, Value][] = result.is === "aggregate" && result.keys ? result.keys.map((key, n) => [key, this.field(result, n)]) : [[null, result]];
    return entries.map(([name, value]) => {
      const called = name ?? "result";
      if (value.is === "aggregate" && !value.keys) {
        const elements = value.fields.map((_, n) => this.asNumber(node, this.field(value, n)));
        this.#store(called, elements, true, outputs);
        return { name, length: elements.length };
      }
      if (value.is === "memory") {
        this.#store(called, Array.from({ length: value.length }, (_, n) => this.element(value, n)), true, outputs);
        return { name, length: value.length };
      }
      this.#store(called, [this.asNumber(node, value)], false, outputs);
      return { name, length: null };
    });
  }

  #store(name: string, values: readonly Num[], isArray: boolean, outputs: KernelOutput[]): void {
    const { rank, dtype: wanted } = this.#spec;
    if (values.length === 0) this.fail(this.#main.node, "an empty array cannot be a result");
    const dtype = wanted ?? resultDType(values);
    const own = Array.from({ length: rank }, (_, axis) => this.index0(axis));
    this.at(resultOf(this.#main.node));
    const seen = values.map((value) => this.watched(value));
    if (this.#spec.report !== "none") return;
    const output = outputs.push({ name, dtype, rank: rank + Number(isArray), combine: "Set", initial: { bits: 0 } }) - 1;
    seen.forEach((value, n) => {
      const indices = isArray ? [...own, this.builder.literal("i32", n)] : own;
      this.builder.emit({ is: "Store", output, indices, value: this.arithmetic.as(dtype, value), before: null });
    });
  }
}

/** Where a function says what it returns, if that is at its end. */
function resultOf({ body }: FunctionNode): AnyNode {
  if (body.type !== "BlockStatement") return body;
  const last = body.body.at(-1);
  return (last?.type === "ReturnStatement" && last.argument) || body;
}

/** Extents of a workgroup along x, y and z, of which x is the last axis. */
function sizesOf(workgroup: readonly number[] | null): UserKernel["workgroup"] {
  if (!workgroup) return null;
  const [x = 1, y = 1, z = 1] = workgroup.toReversed();
  return [x, y, z];
}

/** The dtype of a result: of literals alone f32, as of a tensor that is made of them. */
function resultDType(values: readonly Num[]): KernelDType {
  if (values.every(({ literal, dtype }) => literal && dtype !== "bool")) return "f32";
  return values.map(({ dtype }) => dtype).reduce((a, b) => (a === b ? a : a === "f32" || b === "f32" ? "f32" : a === "u32" || b === "u32" ? "u32" : "i32"));
}
