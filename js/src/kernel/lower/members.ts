// Members: elements of arrays, fields of records, shapes of tensors, constants of Math.

import type { AnyNode, Expression, Identifier, MemberExpression, Super } from "acorn";
import { floatConstant, num, wholeConstant, type Num } from "../numbers.js";
import { MATH_CONSTANTS, NUMBER_CONSTANTS } from "../math.js";
import { Assigning, type Target } from "./assign.js";
import { hintOf } from "./hints.js";
import type { Aggregate, Binding, Memory, OutputRef, Scope, TensorRef, Value } from "./values.js";

export abstract class Members extends Assigning {
  /** The names that are seen here. */
  protected abstract scope: Scope;

  protected lookUp(node: Identifier): Binding {
    const found = this.scope.find(node.name);
    return found ?? this.fail(node, `there is no \`${node.name}\` here. ${hintOf(node.name, this.scope.names())}`);
  }

  protected override nameTarget(node: Identifier): Target {
    const { value, kind } = this.lookUp(node);
    if (value.is === "variable" || value.is === "slot") return value;
    if ((value.is === "aggregate" || value.is === "memory") && kind === "let") return { is: "storage", storage: value };
    if (kind === "const") return this.fail(node, `\`${node.name}\` is a const and cannot be assigned again: declare it with let`);
    return this.fail(node, `\`${node.name}\` comes from outside the kernel and cannot be assigned: copy it into a variable, let own = ${node.name}`);
  }

  protected identifier(node: Identifier): Value {
    if (node.name === "undefined") return { is: "nothing" };
    if (node.name === "NaN") return floatConstant(NaN);
    if (node.name === "Infinity") return floatConstant(Infinity);
    const { value } = this.lookUp(node);
    if (value.is === "variable") return this.read(value);
    if (value.is !== "slot") return value;
    const { content } = value;
    if (!content) return this.fail(node, `\`${node.name}\` has no value yet: give it one where it is declared, let ${node.name} = 0`);
    return content.is === "variable" ? this.read(content) : content;
  }

  /** A whole number as an i32 expression that may be an index. */
  protected index(node: AnyNode, x: Num): number {
    this.at(node);
    if (x.constant !== null && Number.isInteger(x.constant) && x.dtype !== "bool") return this.builder.literal("i32", x.constant);
    if (x.dtype === "i32") return this.arithmetic.own(x);
    if (x.dtype === "bool") return this.fail(node, `an index is a whole number, and \`${this.text(node)}\` is a truth value: write ${this.text(node)} ? 1 : 0`);
    if (x.dtype === "f32" && !x.whole) return this.fail(node, `an index is a whole number, and \`${this.text(node)}\` may have a fraction: write Math.floor(${this.text(node)}), or Math.round`);
    return this.arithmetic.as("i32", x);
  }

  protected constantIndex(node: Expression | Super, length: number, what: string): number {
    const { constant } = this.number(node);
    if (constant === null) return this.fail(node, `${what} must be a number that is written out, such as [0]`);
    if (!Number.isInteger(constant) || constant < 0 || constant >= length) return this.fail(node, `${what} must be from 0 to ${length - 1}, and this is ${constant}`);
    return constant;
  }

  protected member(node: MemberExpression): Value {
    if (node.optional) this.fail(node, "`?.` is not supported in a kernel: nothing in it is null, so write `.`");
    const object = this.expression(node.object);
    if (node.computed) return this.elementOf(node, object);
    const name = (node.property as { name: string }).name;
    switch (object.is) {
      case "tensor":
      case "output":
        return this.ofTensor(node, object, name);
      case "builtin": {
        const constant = (object.name === "Math" ? MATH_CONSTANTS : NUMBER_CONSTANTS).get(name);
        if (constant !== undefined && (object.name === "Math" || object.name === "Number")) return floatConstant(constant);
        return this.fail(node, `a kernel has no ${object.name}.${name}`);
      }
      case "aggregate": {
        const place = object.keys?.indexOf(name) ?? -1;
        if (place >= 0) return this.field(object, place);
        if (object.keys) return this.fail(node, `there is no \`${name}\` here: there ${object.keys.length === 1 ? "is" : "are"} ${object.keys.join(", ")}`);
        if (name === "length") return wholeConstant(object.fields.length);
        break;
      }
      case "memory":
        if (name === "length") return wholeConstant(object.extents[0] as number);
        break;
      default:
        return this.fail(node, `\`${this.text(node.object)}\` has no \`${name}\``);
    }
    return this.fail(node, `a small array has no \`${name}\` in a kernel: write a loop over its elements, for (let k = 0; k < ${object.is === "memory" ? object.length : object.fields.length}; k++)`);
  }

  private ofTensor(node: MemberExpression, ref: TensorRef | OutputRef, name: string): Value {
    if (name === "shape") {
      const fields = Array.from({ length: ref.rank }, (_, axis) => this.extent(ref, axis));
      return { is: "aggregate", keys: null, fields, key: null, settled: false, name: `${ref.name}.shape` };
    }
    if (name === "ndim") return wholeConstant(ref.rank);
    if (name === "length") return ref.rank === 0 ? this.fail(node, `\`${ref.name}\` has no axes, and so no length`) : this.extent(ref, 0);
    if (name === "size") return Array.from({ length: ref.rank }, (_, axis) => this.extent(ref, axis)).reduce((a, b) => this.arithmetic.sum("Mul", a, b), wholeConstant(1));
    const offers = ref.is === "tensor" ? "at(i, …), sample(u, …), shape, length, size and ndim" : "set(value, i, …), add, min, max, and, or, xor and shape";
    return this.fail(node, `\`${ref.name}\` has no \`${name}\` in a kernel: there are ${offers}. Operations on whole tensors come before or after the kernel`);
  }

  private extent(ref: TensorRef | OutputRef, axis: number): Num {
    return num("i32", this.builder.add(ref.is === "tensor" ? { is: "Extent", tensor: ref.tensor, axis } : { is: "OutputExtent", output: ref.output, axis }));
  }

  private elementOf(node: MemberExpression, object: Value): Value {
    const property = node.property as Expression;
    if (object.is === "tensor") this.fail(node, `the elements of \`${object.name}\` are read by at: write ${object.name}.at(${this.text(property)}${object.rank > 1 ? ", …" : ""})`);
    if (object.is === "output") this.fail(node, `\`${object.name}\` is written by set: ${object.name}.set(value, ${this.text(property)})`);
    if (object.is !== "aggregate" && object.is !== "memory") return this.fail(node, `\`${this.text(node.object)}\` has no elements`);
    if (object.is === "aggregate" && object.keys) {
      if (property.type !== "Literal" || typeof property.value !== "string") this.fail(node, "fields of a record are named: a.x");
      const place = object.keys.indexOf(property.value as string);
      return place >= 0 ? this.field(object, place) : this.fail(node, `there is no \`${property.value as string}\` here: there are ${object.keys.join(", ")}`);
    }
    const given = this.number(property);
    const length = object.is === "memory" ? (object.extents[0] as number) : object.fields.length;
    this.checkWithin(property, given, length);
    if (object.is === "memory") {
      const index = this.index(property, given);
      return object.extents.length > 1 ? this.partOf(object, index) : this.chosen(object, this.place(object, index));
    }
    if (given.constant !== null && Number.isInteger(given.constant)) return this.field(object, given.constant);
    return this.elementAt(node, object, this.index(property, given));
  }

  /** An element of an array at a place that is found while the kernel runs. */
  protected elementAt(node: AnyNode, object: Aggregate | Memory, index: number): Value {
    if (object.is === "memory") return object.extents.length > 1 ? this.partOf(object, index) : this.chosen(object, this.place(object, index));
    if (object.settled && object.key !== null && object.fields.every(({ is }) => is === "variable")) {
      this.facts.mark(object.key);
      return this.asElement(node, object);
    }
    // Of what cannot be assigned an element is chosen among a few.
    const chosen = this.builder.once("i32", index);
    return object.fields.map((_, n) => this.field(object, n)).reduceRight((rest, x, n) => {
      return this.oneOf(node, num("bool", this.builder.compare("Le", chosen, this.builder.literal("i32", n))), x, rest);
    });
  }

  /** One of two values that cost nothing. */
  protected abstract oneOf(node: AnyNode, test: Num, a: Value, b: Value): Value;

  /** a[i] of an array of several axes. */
  private partOf(memory: Memory, index: number): Memory {
    const { builder } = this;
    const extents = memory.extents.slice(1);
    const stride = builder.literal("i32", extents.reduce((a, b) => a * b, 1));
    const offset = builder.once("i32", builder.binary("Mul", this.place(memory, index), stride), "row");
    return { ...memory, extents, offset };
  }

  /** What stands for an element in a pass that has yet to learn that the array is memory. */
  private asElement(node: AnyNode, object: Aggregate): Num {
    if (object.fields.length === 0) return this.fail(node, "an empty array has no elements");
    return this.asNumber(node, this.field(object, 0));
  }

  private checkWithin(node: AnyNode, { constant }: Num, length: number): void {
    if (constant === null || !Number.isInteger(constant) || (constant >= 0 && constant < length)) return;
    this.fail(node, `${constant} is beyond the array, which has ${length} element${length === 1 ? "" : "s"}: 0 to ${length - 1}`);
  }

  protected chosen(memory: Memory, index: number): Num {
    return num(memory.type.dtype, this.builder.add({ is: "Element", array: memory.array, index }), memory.type.whole);
  }

  protected override memberTarget(node: MemberExpression): Target {
    const object = this.expression(node.object);
    if (object.is === "tensor") this.fail(node, `\`${object.name}\` is read only: return the new value, or store it into an output, out.set(value, …)`);
    if (object.is === "output") this.fail(node, `an output is written by set: ${object.name}.set(value, …)`);
    if (object.is !== "aggregate" && object.is !== "memory") return this.fail(node, `\`${this.text(node.object)}\` has no elements to assign`);
    if (!node.computed || (object.is === "aggregate" && object.keys)) {
      const name = this.propertyName(node.property, node.computed);
      const place = object.is === "aggregate" ? (object.keys?.indexOf(name) ?? -1) : -1;
      return place >= 0 ? this.fieldTarget(node, object as Aggregate, place) : this.fail(node, `there is no \`${name}\` to assign: write out every field where the record is made`);
    }
    const property = node.property as Expression;
    const given = this.number(property);
    this.checkWithin(property, given, object.is === "memory" ? (object.extents[0] as number) : object.fields.length);
    if (object.is === "memory") {
      if (object.extents.length > 1) this.fail(node, `\`${this.text(node)}\` is a row: assign its elements, as in ${this.text(node)}[0] = …`);
      return { is: "element", memory: object, index: this.place(object, this.index(property, given)) };
    }
    if (given.constant !== null && Number.isInteger(given.constant)) return this.fieldTarget(node, object, given.constant);
    this.index(property, given);
    if (object.key === null) return this.fail(node, "which element is assigned must be written out here: declare the array with its values, let a = [0, 0, 0], to choose one while the kernel runs");
    this.facts.mark(object.key);
    return this.fieldTarget(node, object, 0);
  }
}
