// Calls: of Math, of tensors and outputs, of what kernels have besides, and of the user's
// functions, which are inlined.

import type { AnyNode, BlockStatement, CallExpression, Expression, NewExpression } from "acorn";
import type { Source } from "../errors.js";
import type { KernelDType, Stmt, SubgroupOp } from "../ir.js";
import { MATH, NUMBER, type MathFunction } from "../math.js";
import { num, truth, wholeConstant, type Num } from "../numbers.js";
import { returnsOf, writtenText, type FunctionNode, type Parsed } from "../source.js";
import { pcg, threefry, uniform } from "./random.js";
import { Reports } from "./reports.js";
import { NOTHING, Scope, type Aggregate, type Closure, type Memory, type Slot, type Value } from "./values.js";

/** An inlined function while it is lowered. */
export interface Frame {
  readonly node: FunctionNode;
  readonly key: string;
  /** Whether the only `return` is the last statement, whose value is then the call's. */
  readonly isDirect: boolean;
  readonly result: Slot;
  direct: Value;
  /** The local that is true once the function has returned, if statements must ask. */
  done: number | null;
  /** How many loops of the function are around. */
  loops: number;
  returnsValue: boolean;
}

/** What happens after a statement: whether the next one is reached, and whether the function may
 * have returned on the way there. */
export interface Completion {
  readonly falls: boolean;
  readonly returns: boolean;
}

/** Functions of kernels that work in groups. */
export const GROUP_BUILTINS: ReadonlySet<string> = new Set(["shared", "f32", "i32", "u32", "barrier", "subgroupAdd", "subgroupMin", "subgroupMax", "subgroupAddBefore", "shuffle"]);

const SUBGROUPS: Readonly<Record<string, SubgroupOp>> = { subgroupAdd: "Add", subgroupMin: "Min", subgroupMax: "Max", subgroupAddBefore: "AddBefore" };

/** Functions that kernels have besides Math, under names of their own. */
export const BUILTINS: ReadonlySet<string> = new Set(["rand", "pcg", "threefry", "print", "assert"]);

const TYPED_ARRAYS = { Float32Array: "f32", Int32Array: "i32", Uint32Array: "u32" } as const;
/** Up to how many elements an array may be locals, one for each. */
const FEW = 16;
/** The most elements of an array; the core allows as many in all arrays of a kernel. */
const MOST_ELEMENTS = 2048;

export abstract class Calls extends Reports {
  protected readonly frames: Frame[] = [];
  /** Statements that every invocation of a workgroup must reach, and where they come from. */
  readonly meetings = new Map<Stmt, { readonly source: Source; readonly at: number; readonly text: string }>();

  /** Notes that the statement just written is one of those. */
  private meets(node: CallExpression): void {
    this.meetings.set(this.builder.block.at(-1) as Stmt, { source: this.source, at: node.start, text: this.text(node) });
  }

  /** Lowers statements. */
  protected abstract statements(nodes: BlockStatement["body"], frame: Frame): Completion;

  protected abstract declareParameter(pattern: FunctionNode["params"][number], value: Value, parsed: Parsed): void;

  protected override call(node: CallExpression, isUsed: boolean): Value {
    if (node.optional) this.fail(node, "`?.` is not supported in a kernel: nothing in it is null, so write `.`");
    const callee = node.callee.type === "SequenceExpression" ? (node.callee.expressions.at(-1) as Expression) : node.callee;
    if (callee.type === "MemberExpression" && !callee.computed) {
      const name = (callee.property as { name: string }).name;
      if (callee.object.type === "Identifier" && callee.object.name === "console" && /^(log|info|debug|warn|error)$/.test(name) && !this.scope.find("console")) return this.print(node, isUsed);
      // What a bundler makes of an import: module.rand(i).
      if (callee.object.type === "Identifier" && BUILTINS.has(name) && !this.scope.find(callee.object.name)) return this.builtin(node, name, isUsed);
      const object = this.expression(callee.object);
      switch (object.is) {
        case "tensor":
          return this.ofTensorCall(node, object, name);
        case "output":
          return this.store(node, object, name, isUsed);
        case "builtin": {
          const functions = object.name === "Math" ? MATH : object.name === "Number" ? NUMBER : undefined;
          const found = functions?.get(name);
          if (found) return this.math(node, `${object.name}.${name}`, found);
          const instead = name === "random" ? ": write rand(i), whose numbers depend on what it is given, and differ for each i" : "";
          return this.fail(node, `a kernel has no ${object.name}.${name}${instead}`);
        }
        case "aggregate":
        case "memory":
          if (name === "fill" && !(object.is === "aggregate" && object.keys)) return this.fill(node, object);
      }
      const value = this.member(callee);
      return value.is === "function" ? this.inline(node, value) : this.fail(node, `\`${this.text(callee)}\` is no function`);
    }
    if (callee.type === "Identifier") {
      // What a bundler writes round functions so that they keep their names.
      if (callee.name === "__name" && node.arguments[0] && !this.scope.find("__name")) return this.expression(node.arguments[0] as Expression);
      if (callee.name === "Array" && !this.scope.find("Array")) return this.newArray(node, "Array");
    }
    const value = this.expression(callee);
    if (value.is === "function") return this.inline(node, value);
    if (value.is === "builtin") return this.builtin(node, value.name, isUsed);
    return this.fail(node, `\`${this.text(callee)}\` is no function`);
  }

  /** Arguments in order, with small arrays spread. */
  protected override argumentsOf(nodes: CallExpression["arguments"]): { readonly node: AnyNode; readonly value: Value }[] {
    return this.inOrder(nodes, (each) => this.expression(each.type === "SpreadElement" ? each.argument : each)).flatMap((value, n) => {
      const node = nodes[n] as AnyNode;
      if (node.type !== "SpreadElement") return [{ node, value }];
      if (value.is !== "aggregate" || value.keys) return this.fail(node, "`...` takes a small array here");
      return value.fields.map((_, place) => ({ node: node.argument as AnyNode, value: this.field(value, place) }));
    });
  }

  private math(node: CallExpression, name: string, { least, most, call }: MathFunction): Num {
    const [first] = node.arguments;
    if ((name === "Math.floor" || name === "Math.trunc") && first && node.arguments.length === 1) {
      const whole = this.quotient(first, (a, b) => (name === "Math.floor" ? this.arithmetic.floorDivide(a, b) : this.arithmetic.truncDivide(a, b)));
      if (whole) return call(this.arithmetic, [whole]);
    }
    const given = this.argumentsOf(node.arguments).map(({ node: each, value }) => this.asNumber(each, value));
    if (given.length < least || given.length > most) {
      const wanted = least === most ? `${least} number${least === 1 ? "" : "s"}` : `at least ${least}`;
      this.fail(node, `${name} takes ${wanted}, and this has ${given.length}`);
    }
    this.at(node);
    return call(this.arithmetic, given);
  }

  protected builtin(node: CallExpression, name: string, isUsed: boolean): Value {
    if (name === "shared") return this.shared(node);
    if (name === "print") return this.print(node, isUsed);
    if (name === "assert") return this.assert(node, isUsed);
    const given = this.argumentsOf(node.arguments);
    const only = () => {
      if (given.length !== 1) this.fail(node, `${name} takes one number, and this has ${given.length}`);
      const [{ node: each, value }] = given as [(typeof given)[0]];
      return this.asNumber(each, value);
    };
    switch (name) {
      case "rand":
      case "pcg":
      case "threefry":
        return this.random(node, name, given);
      case "isNaN":
      case "isFinite":
        return (NUMBER.get(name) as MathFunction).call(this.arithmetic, [only()]);
      case "Boolean":
        return this.arithmetic.isTrue(only());
      case "Number": {
        const x = only();
        return x.dtype === "bool" ? (x.constant === null ? this.arithmetic.convert(x, "i32") : wholeConstant(x.constant)) : x;
      }
      case "barrier":
        if (given.length > 0) this.fail(node, "barrier takes nothing: barrier()");
        this.builder.emit({ is: "Barrier" });
        this.meets(node);
        return NOTHING;
      case "subgroupAdd":
      case "subgroupMin":
      case "subgroupMax":
      case "subgroupAddBefore": {
        const x = this.arithmetic.once(only());
        const dtype = x.dtype === "bool" ? "i32" : x.dtype;
        const all = this.builder.temporary("all", dtype, this.builder.add({ is: "Subgroup", op: SUBGROUPS[name] as SubgroupOp, x: this.arithmetic.as(dtype, x) }));
        this.meets(node);
        return num(dtype, all, x.whole);
      }
      case "shuffle": {
        if (given.length !== 2) this.fail(node, "shuffle takes a value and the number of an invocation of the subgroup: shuffle(x, 0)");
        const [x, from] = given.map(({ node: each, value }) => this.asNumber(each, value)) as [Num, Num];
        const source = this.arithmetic.as("u32", num("i32", this.index((given[1] as (typeof given)[1]).node, from)));
        const other = this.builder.temporary("other", x.dtype, this.builder.add({ is: "Shuffle", x: this.arithmetic.own(x), from: source }));
        this.meets(node);
        return num(x.dtype, other, x.whole);
      }
      default:
        return this.fail(node, `\`${name}\` is called by one of its functions: ${name}.floor(x)`);
    }
  }

  private random(node: CallExpression, name: "rand" | "pcg" | "threefry", given: readonly { readonly node: AnyNode; readonly value: Value }[]): Num {
    const { builder } = this;
    const whole = ({ node: each, value }: (typeof given)[0]) => {
      const number = this.asNumber(each, value);
      if (!number.whole) this.fail(each, `${name} takes whole numbers, and \`${this.text(each)}\` may have a fraction: write Math.floor(${this.text(each)})`);
      return this.arithmetic.as("u32", this.arithmetic.toUint32(number));
    };
    const [first, ...rest] = given;
    if (first && name !== "pcg" && (first.value.is !== "number" || name === "threefry")) {
      const key = this.keyWords(name, first.node, first.value);
      if (rest.length === 0) this.fail(node, `${name} takes a key and a whole number, which element it gives: ${name}(key, i)`);
      const [x, y] = rest.map(whole).reduce((words, number) => threefry(builder, words, number), key);
      const bits = builder.once("u32", builder.binary("Xor", x, y));
      return name === "threefry" ? num("u32", bits) : num("f32", uniform(builder, bits, 23));
    }
    if (!first) return this.fail(node, name === "threefry" ? "threefry takes a key and a whole number, which element it gives: threefry(key, i)" : `${name} takes one or more whole numbers, and the same ones give the same result: ${name}(i), or ${name}(i, j, frame)`);
    const bits = given.map(whole).reduce<number | null>((hash, key) => pcg(builder, hash === null ? key : builder.binary("Add", hash, key)), null) as number;
    return name === "pcg" ? num("u32", bits) : num("f32", uniform(builder, bits, 24));
  }

  /** The words of a key: of a u32[2] tensor, or a small array. */
  private keyWords(name: string, node: AnyNode, key: Value): [number, number] {
    const { builder } = this;
    if (key.is === "tensor" && key.dtype === "u32" && key.rank === 1) {
      const word = (n: number) => builder.once("u32", builder.add({ is: "Load", tensor: key.tensor, indices: [builder.literal("i32", n)], edge: "Clamp" }), "key");
      return [word(0), word(1)];
    }
    const words = key.is === "aggregate" && !key.keys ? key.fields.map((_, n) => this.asNumber(node, this.field(key, n))) : [];
    if (words.length !== 2 || words.some(({ whole }) => !whole)) return this.fail(node, `a key is u32[2], as random.key(seed) gives, or an array of two whole numbers, and \`${this.text(node)}\` is none: pass a key, or write ${name === "rand" ? "rand(i)" : "pcg(i)"}`);
    return words.map((word) => builder.once("u32", this.arithmetic.as("u32", this.arithmetic.toUint32(word)), "key")) as [number, number];
  }

  /** An array that a workgroup shares. */
  private shared(node: CallExpression): Memory {
    const [kind, ...extents] = node.arguments;
    const written = kind ? writtenText(kind) : null;
    const token = kind && written === null && kind.type !== "SpreadElement" ? this.expression(kind) : null;
    const dtype = written ?? (token?.is === "builtin" ? token.name : null);
    if ((dtype !== "f32" && dtype !== "i32" && dtype !== "u32") || extents.length === 0) this.fail(node, "shared takes a dtype and extents: shared(f32, 16, 17)");
    const sizes = extents.map((extent) => {
      const { constant } = this.number(extent as Expression);
      return constant !== null && Number.isInteger(constant) && constant > 0 ? constant : this.fail(extent, "the extents of a shared array are whole numbers that are written out");
    });
    const type = { dtype: dtype as KernelDType, whole: dtype !== "f32", literal: false };
    return this.memory(this.keyOf(node), "shared", sizes.reduce((a, b) => a * b, 1), type, true, true, sizes);
  }

  // Arrays.

  protected override construct(node: NewExpression): Value {
    const { callee } = node;
    if (callee.type === "Identifier" && !this.scope.find(callee.name)) {
      if (callee.name === "Array") return this.newArray(node, "Array");
      if (Object.hasOwn(TYPED_ARRAYS, callee.name)) return this.newArray(node, callee.name as keyof typeof TYPED_ARRAYS);
    }
    return this.fail(node, `a kernel makes no objects but arrays of a fixed length: new Array(9).fill(0), or new Float32Array(9)`);
  }

  private newArray(node: NewExpression | CallExpression, name: "Array" | keyof typeof TYPED_ARRAYS): Value {
    const [argument] = node.arguments;
    if (node.arguments.length !== 1 || !argument || argument.type === "SpreadElement") return this.fail(node, `${name} takes a length here: new ${name}(9)`);
    const given = this.expression(argument);
    if (given.is === "aggregate" && name !== "Array") return this.typedFrom(node, given, name);
    const { constant } = this.asNumber(argument, given);
    if (constant === null || !Number.isInteger(constant) || constant < 1 || constant > MOST_ELEMENTS) {
      return this.fail(argument, `the length of an array is a whole number from 1 to ${MOST_ELEMENTS} that is written out, or a const: it cannot be found while the kernel runs`);
    }
    return this.arrayOf(node, constant, name);
  }

  protected override arrayOf(node: AnyNode, length: number, name: "Array" | keyof typeof TYPED_ARRAYS = "Array"): Value {
    if (name === "Array" && length <= FEW) return this.filled(node, length, wholeConstant(0));
    const type = name === "Array" ? { dtype: "i32" as const, whole: true, literal: false } : { dtype: TYPED_ARRAYS[name], whole: name !== "Float32Array", literal: false };
    const memory = this.memory(this.keyOf(node), "array", length, type, name !== "Array");
    this.fillMemory(memory, wholeConstant(0));
    return memory;
  }

  private typedFrom(node: AnyNode, from: Aggregate, name: keyof typeof TYPED_ARRAYS): Memory {
    const memory = this.memory(this.keyOf(node), "array", from.fields.length, { dtype: TYPED_ARRAYS[name], whole: name !== "Float32Array", literal: false }, true);
    this.copy(node, memory, from);
    return memory;
  }

  private filled(node: AnyNode, length: number, value: Num): Aggregate {
    return { is: "aggregate", keys: null, fields: new Array<Value>(length).fill(value), key: this.keyOf(node), settled: false, name: "array" };
  }

  private fill(node: CallExpression, array: Aggregate | Memory): Value {
    const [argument] = node.arguments;
    if (node.arguments.length !== 1 || !argument) return this.fail(node, "fill takes one value here: a.fill(0)");
    const value = this.arithmetic.once(this.number(argument as Expression));
    if (array.is === "memory") {
      this.fillMemory(array, value);
      return array;
    }
    if (!array.settled) return { ...this.filled(node, array.fields.length, value), key: array.key };
    this.copy(node, array, this.filled(node, array.fields.length, value));
    return array;
  }

  private fillMemory(memory: Memory, value: Num): void {
    const { builder } = this;
    if (!memory.fixed) this.facts.raise(memory.key, value);
    const counter = builder.counter("k");
    const stored = builder.once(memory.type.dtype, this.arithmetic.as(memory.type.dtype, value));
    const body = [{ is: "SetElement" as const, array: memory.array, index: builder.read(counter), value: stored }];
    builder.emit({ is: "For", counter, from: builder.literal("i32", 0), to: builder.literal("i32", memory.length), step: 1, body });
  }

  // Functions of the user.

  protected override closure(node: Expression, name = "function"): Closure {
    if (node.type !== "ArrowFunctionExpression" && node.type !== "FunctionExpression") return this.fail(node, "a function was expected here");
    if (node.async || node.generator) this.fail(node, "functions in a kernel can neither be async nor yield");
    return { is: "function", name, node, parsed: this.parsed, scope: this.scope };
  }

  private inline(node: CallExpression, closure: Closure): Value {
    if (this.frames.some((frame) => frame.node === closure.node)) {
      this.fail(node, `\`${this.text(node.callee)}\` calls itself, which a GPU cannot do: write a loop, with an array for what is still to be done`);
    }
    const given = this.argumentsOf(node.arguments).map(({ value }) => value);
    return this.run(closure, given, this.keyOf(node));
  }

  /** Lowers the body of a function with these arguments. */
  protected run(closure: Closure, given: readonly Value[], key: string): Value {
    const { node, parsed } = closure;
    const outer = { scope: this.scope, parsed: this.parsed, path: this.path };
    try {
      [this.scope, this.parsed, this.path] = [new Scope(closure.scope), parsed, key];
      if (node.type === "FunctionExpression" && node.id) this.scope.bind(node.id.name, closure, "given");
      node.params.forEach((parameter, n) => this.declareParameter(parameter, given[n] ?? NOTHING, parsed));
      const frame: Frame = {
        node, key, direct: NOTHING, done: null, loops: 0, returnsValue: false,
        isDirect: node.body.type !== "BlockStatement" || (returnsOf(node.body) <= 1 && node.body.body.at(-1)?.type === "ReturnStatement"),
        result: this.slot(`${key}:result`, "result", true),
      };
      this.frames.push(frame);
      try {
        return this.bodyOf(node, frame);
      } finally {
        this.frames.pop();
      }
    } finally {
      [this.scope, this.parsed, this.path] = [outer.scope, outer.parsed, outer.path];
    }
  }

  private bodyOf(node: Frame["node"], frame: Frame): Value {
    const { builder } = this;
    if (node.body.type !== "BlockStatement") return this.expression(node.body);
    if (this.facts.marks.has(`${frame.key}:done`)) {
      frame.done = builder.local("done", "bool");
      builder.emit({ is: "Let", local: frame.done, value: builder.literal("bool", 0) });
    }
    const completion = this.statements(node.body.body, frame);
    if (frame.isDirect) return frame.direct;
    if (!frame.returnsValue) return NOTHING;
    if (completion.falls) {
      this.fail(node, "not every way through this function returns a value: end it with a return (a loop may end without one)");
    }
    const { content } = frame.result;
    return !content ? NOTHING : content.is === "variable" ? this.read(content) : content;
  }

  /** Whether the flag says that the function has not returned. */
  protected goesOn(frame: Frame): Num {
    this.facts.mark(`${frame.key}:done`);
    return frame.done === null ? truth(true) : num("bool", this.builder.unary("Not", this.builder.read(frame.done)));
  }
}
