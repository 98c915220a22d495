// Loads, samples and stores: `x.at(i, j)`, `x.sample(u, v)`, `out.add(value, i)`.

import type { AnyNode, CallExpression, Expression, ObjectExpression } from "acorn";
import type { Combine, Edge, ExprId, KernelDType } from "../ir.js";
import { num, wholeConstant, type Num } from "../numbers.js";
import { writtenText } from "../source.js";
import { Expressions } from "./expressions.js";
import { NOTHING, type OutputRef, type TensorRef, type Value } from "./values.js";

const EDGES = { clamp: "Clamp", wrap: "Wrap", mirror: "Mirror" } as const;
const STORES: Readonly<Record<string, Combine>> = { set: "Set", add: "Add", min: "Min", max: "Max", and: "And", or: "Or", xor: "Xor" };
const LETTERS = ["i", "j", "k", "l"];

export abstract class Accesses extends Expressions {
  /** How stores into outputs meet, by output, and where that was said. */
  readonly combines = new Map<number, Combine>();

  protected abstract argumentsOf(nodes: CallExpression["arguments"]): { readonly node: AnyNode; readonly value: Value }[];

  protected ofTensorCall(node: CallExpression, tensor: TensorRef, name: string): Value {
    if (name !== "at" && name !== "sample") {
      return this.fail(node, `\`${tensor.name}\` has no \`${name}\` in a kernel: there are at(i, …), sample(u, …), shape, length, size and ndim. Operations on whole tensors come before or after the kernel`);
    }
    const last = node.arguments.at(-1);
    const options = last?.type === "ObjectExpression" ? last : null;
    const places = this.argumentsOf(options ? node.arguments.slice(0, -1) : node.arguments).map(({ node: each, value }) => ({ each, x: this.asNumber(each, value) }));
    if (places.length !== tensor.rank) {
      const axes = `${tensor.rank} ${tensor.rank === 1 ? "axis" : "axes"}`;
      const example = `${tensor.name}.${name}(${LETTERS.slice(0, tensor.rank).join(", ")})`;
      this.fail(node, `\`${tensor.name}\` has ${axes}, and ${name} takes an index for each: ${example}. This has ${places.length}`);
    }
    if (name === "at") {
      const edge = this.edge(options, tensor);
      return this.load(tensor, places.map(({ each, x }) => this.index(each, x)), edge);
    }
    return this.sample(node, tensor, places.map(({ x }) => x), options);
  }

  private load(tensor: TensorRef, indices: readonly ExprId[], edge: Edge): Num {
    const loaded = num(tensor.dtype, this.builder.add({ is: "Load", tensor: tensor.tensor, indices, edge }));
    // Elements of a bool tensor are the numbers 0 and 1, as JavaScript reads them.
    return tensor.dtype === "bool" ? this.arithmetic.convert(loaded, "i32") : loaded;
  }

  /** The literal text of an option, the expression of another, or null. */
  private option(options: ObjectExpression | null, name: string, known: readonly string[]): Expression | null {
    let found: Expression | null = null;
    for (const property of options?.properties ?? []) {
      if (property.type === "SpreadElement") return this.fail(property, "options are written out here: { edge: \"wrap\" }");
      const key = this.propertyName(property.key, property.computed);
      if (!known.includes(key)) this.fail(property, `there is no option \`${key}\` here: there ${known.length === 1 ? "is" : "are"} ${known.join(", ")}`);
      if (key === name) found = property.value;
    }
    return found;
  }

  private edge(options: ObjectExpression | null, tensor: TensorRef, known: readonly string[] = ["edge"]): Edge {
    const given = this.option(options, "edge", known);
    if (!given) {
      const { edge } = this.settings;
      return typeof edge === "string" ? edge : { fill: this.fillOf(tensor.dtype, edge.value) };
    }
    const named = writtenText(given);
    if (named !== null) {
      if (named === "zero") return { fill: this.fillOf(tensor.dtype, 0) };
      if (Object.hasOwn(EDGES, named)) return EDGES[named as keyof typeof EDGES];
      return this.fail(given, `an edge is "clamp", "wrap", "mirror", "zero" or a number, and this is ${this.text(given)}`);
    }
    return { fill: this.arithmetic.as(tensor.dtype, this.number(given)) };
  }

  private fillOf(dtype: KernelDType, value: number): ExprId {
    return this.builder.literal(dtype, value);
  }

  /** The value between elements: linear, or cubic by Catmull and Rom. */
  private sample(node: CallExpression, tensor: TensorRef, places: readonly Num[], options: ObjectExpression | null): Num {
    const known = ["filter", "edge"];
    const edge = this.edge(options, tensor, known);
    const filter = this.option(options, "filter", known);
    const mixes = filter && writtenText(filter);
    const isCubic = mixes === "cubic";
    if (filter && !isCubic && mixes !== "linear") this.fail(filter, `a filter is "linear" or "cubic", and this is ${this.text(filter)}`);
    if (tensor.rank === 0 || tensor.rank > 3) this.fail(node, `sample is for tensors of one to three axes, and \`${tensor.name}\` has ${tensor.rank}`);
    const { builder, arithmetic: on } = this;
    const axes = places.map((place) => {
      const x = builder.once("f32", on.float(place));
      const floor = builder.once("f32", builder.unary("Floor", x));
      return { base: num("i32", builder.once("i32", builder.cast("i32", floor))), weights: weightsOf(on, num("f32", builder.once("f32", builder.binary("Sub", x, floor))), isCubic) };
    });
    const first = isCubic ? -1 : 0;
    const along = (axis: number, indices: readonly ExprId[]): Num => {
      const at = axes[axis];
      if (!at) return this.load(tensor, indices, edge);
      return at.weights.map((weight, n) => {
        const index = builder.once("i32", on.own(on.sum("Add", at.base, wholeConstant(first + n))));
        return on.sum("Mul", weight, num("f32", on.float(along(axis + 1, [...indices, index]))));
      }).reduce((a, b) => on.sum("Add", a, b));
    };
    return along(0, []);
  }

  protected store(node: CallExpression, output: OutputRef, name: string, isUsed: boolean): Value {
    const combine = Object.hasOwn(STORES, name) ? STORES[name] : undefined;
    if (!combine) return this.fail(node, `\`${output.name}\` has no \`${name}\`: an output has set, add, min, max, and, or, xor and shape`);
    const before = this.combines.get(output.output);
    if (before !== undefined && before !== combine) this.fail(node, `\`${output.name}\` is stored to by ${before.toLowerCase()} elsewhere, and an output has one way: use two outputs`);
    this.combines.set(output.output, combine);
    if (output.dtype === "f32" && ["And", "Or", "Xor"].includes(combine)) this.fail(node, `${name} is of whole numbers, and \`${output.name}\` is f32: give the output dtype: "u32"`);
    const given = this.argumentsOf(node.arguments);
    const [first, ...places] = given;
    const isVector = first?.value.is === "aggregate" && places.length === output.rank - 1;
    if (!first || (places.length !== output.rank && !isVector)) {
      return this.fail(node, `\`${output.name}\` has ${output.rank} ${output.rank === 1 ? "axis" : "axes"}: write ${output.name}.${name}(value${LETTERS.slice(0, output.rank).map((letter) => `, ${letter}`).join("")})`);
    }
    const indices = places.map(({ node: each, value }) => this.index(each, this.asNumber(each, value)));
    if (first.value.is === "aggregate") {
      if (isUsed || !isVector) this.asNumber(first.node, first.value);
      const stable = this.stabilise(first.value) as typeof first.value;
      const kept = indices.map((index) => this.builder.once("i32", index));
      stable.fields.forEach((_, n) => this.storeNumber(output, [...kept, this.builder.literal("i32", n)], this.asNumber(first.node, this.field(stable, n)), null));
      return NOTHING;
    }
    const value = this.asNumber(first.node, first.value);
    this.at(first.node);
    if (!isUsed) {
      this.storeNumber(output, indices, value, null);
      return NOTHING;
    }
    if (output.dtype !== "i32" && output.dtype !== "u32") {
      return this.fail(node, `only stores of whole numbers return the value from before, and \`${output.name}\` is ${output.dtype}: write the store as a statement of its own`);
    }
    if (combine === "Set") this.fail(node, `${output.name}.set gives nothing back: write the store as a statement of its own`);
    const old = this.builder.local("before", output.dtype);
    this.storeNumber(output, indices, value, old);
    return num(output.dtype, this.builder.once(output.dtype, this.builder.read(old), "before"));
  }

  private storeNumber(output: OutputRef, indices: readonly ExprId[], value: Num, before: number | null): void {
    const seen = this.watched(value);
    // Nobody needs the outputs of a report but its own: what was there before is of whole numbers.
    if (this.settings.report !== "none" && output.dtype === "f32") return;
    this.builder.emit({ is: "Store", output: output.output, indices, value: this.arithmetic.as(output.dtype, seen), before });
  }
}

/** The weights of neighbours by the fraction between the two in the middle. */
function weightsOf(on: Expressions["arithmetic"], t: Num, isCubic: boolean): Num[] {
  const { builder } = on;
  const of = (value: number) => builder.literal("f32", value);
  const once = (x: ExprId) => num("f32", builder.once("f32", x));
  const { expr } = t;
  const rest = builder.once("f32", builder.binary("Sub", of(1), expr));
  if (!isCubic) return [num("f32", rest), t];
  const polynomial = (...coefficients: number[]) => coefficients.slice(1).reduce((sum, c) => builder.binary("Add", builder.binary("Mul", sum, expr), of(c)), of(coefficients[0] as number));
  return [polynomial(-0.5, 1, -0.5, 0), polynomial(1.5, -2.5, 0, 1), polynomial(-1.5, 2, 0.5, 0), polynomial(0.5, -0.5, 0, 0)].map(once);
}
