// Assignment: to variables, elements, fields and patterns.

import type { AnyNode, Expression, Identifier, MemberExpression, Pattern, Super } from "acorn";
import type { Num } from "../numbers.js";
import { writtenText } from "../source.js";
import { Context, type Form } from "./context.js";
import { NOTHING, type Aggregate, type Memory, type Slot, type Value, type Variable } from "./values.js";

/** What can be assigned to. */
export type Target = Variable | Slot | { readonly is: "element"; readonly memory: Memory; readonly index: number } | { readonly is: "storage"; readonly storage: Aggregate | Memory };

export abstract class Assigning extends Context {
  /** The value of an expression. */
  protected abstract expression(node: Expression | Super): Value;

  /** What a member expression assigns to. */
  protected abstract memberTarget(node: MemberExpression): Target;

  /** What a name assigns to. */
  protected abstract nameTarget(node: Identifier): Target;

  protected number(node: Expression | Super): Num {
    return this.asNumber(node, this.expression(node));
  }

  protected asNumber(node: AnyNode, value: Value): Num {
    return value.is === "number" ? value : this.noNumber(node, value);
  }

  /** Says what to write where something else stands for a number. */
  private noNumber(node: AnyNode, value: Exclude<Value, Num>): never {
    const text = this.text(node);
    switch (value.is) {
      case "tensor": {
        const places = ["i", "j", "k", "l"].slice(0, value.rank);
        return this.fail(node, `\`${text}\` is a tensor, and a number is needed here: read an element, as in ${value.name}.at(${places.join(", ")})`);
      }
      case "output":
        return this.fail(node, `\`${text}\` is an output, which a kernel can store to and not read: ${value.name}.set(value, …)`);
      case "aggregate":
      case "memory":
        return this.fail(node, `\`${text}\` is an array, and a number is needed here: compute with its elements one by one, as in [a[0] + b[0], a[1] + b[1]]`);
      case "function":
        return this.fail(node, `\`${text}\` is a function, and a number is needed here: call it, ${value.name}(…)`);
      case "builtin":
        return this.fail(node, `\`${text}\` is no number: call it, or one of its functions`);
      case "nothing":
        return this.fail(node, `\`${text}\` has no value, and a number is needed here: every way through a function must return one`);
    }
  }

  /** Values of several expressions in order. What a later one changes does not change an earlier
   * one. */
  protected inOrder<N extends AnyNode>(nodes: readonly N[], lower: (node: N) => Value): Value[] {
    const { builder } = this;
    const values: Value[] = [];
    const marks: { readonly length: number; readonly effects: number }[] = [];
    const { block } = builder;
    for (const node of nodes) {
      values.push(lower(node));
      marks.push({ length: block.length, effects: builder.effects });
    }
    for (let n = nodes.length - 2; n >= 0; n--) {
      const { length, effects } = marks[n] as (typeof marks)[number];
      if (effects === builder.effects) continue;
      const [stable, added] = builder.within(() => this.stabilise(values[n] as Value));
      values[n] = stable;
      block.splice(length, 0, ...added);
    }
    return values;
  }

  protected assignTo(node: AnyNode, target: Target, value: Value): void {
    this.at(node);
    switch (target.is) {
      case "variable":
        this.assign(target, this.asNumber(node, value));
        break;
      case "element":
        this.setElement(target.memory, target.index, this.asNumber(node, value));
        break;
      case "storage":
        this.copy(node, target.storage, value);
        break;
      case "slot":
        this.assignSlot(node, target, value);
        break;
    }
  }

  protected assignSlot(node: AnyNode, slot: Slot, value: Value): void {
    if (value.is === "nothing") return;
    if (value.is !== "aggregate") {
      const given = this.asNumber(node, value.is === "memory" ? NOTHING : value);
      if (slot.content?.is === "aggregate") this.fail(node, `\`${slot.name}\` is an array in one place and a number in another: give each a name of its own`);
      if (!slot.content) {
        this.learnForm(slot.key, null);
        slot.content = this.variable(slot.key, slot.name, given, slot.keepsLiteral);
      }
      this.assign(slot.content as Variable, given);
      return;
    }
    if (slot.content?.is === "variable") this.fail(node, `\`${slot.name}\` is a number in one place and an array in another: give each a name of its own`);
    if (!slot.content) {
      this.learnForm(slot.key, this.formOf(slot.key, value));
      slot.content = this.formed(slot.key, slot.name, this.facts.forms.get(slot.key) as Form, slot.keepsLiteral);
    }
    this.copy(node, slot.content as Aggregate, value);
  }

  private learnForm(key: string, form: Form): void {
    this.facts.forms.set(key, form);
    this.facts.changed = true;
  }

  private formOf(key: string, value: Value): Form {
    if (value.is !== "aggregate") {
      this.facts.raise(key, value as Num);
      return null;
    }
    return { keys: value.keys, fields: value.fields.map((_, n) => this.formOf(`${key}.${n}`, this.field(value, n))) };
  }

  /** Copies the numbers of an array or record into another. */
  protected copy(node: AnyNode, into: Aggregate | Memory, from: Value): void {
    const length = into.is === "memory" ? into.length : into.fields.length;
    if (from.is === "memory" && into.is === "memory" && from.array !== into.array && from.length === length) {
      for (let n = 0; n < length; n++) this.setElement(into, this.builder.literal("i32", n), this.element(from, n));
      return;
    }
    if (from.is !== "aggregate") return this.fail(node, `an array of ${length} is needed here, and \`${this.text(node)}\` is none: assign its elements one by one`);
    const sameKeys = into.is === "memory" ? from.keys === null : String(into.keys) === String(from.keys);
    if (from.fields.length !== length || !sameKeys) {
      this.fail(node, `this has ${from.fields.length} ${from.keys ? "fields" : "elements"}, and what it is assigned to has ${length}: arrays keep their length, and records their fields`);
    }
    const stable = this.stabilise(from.settled ? { ...from, settled: false } : from) as Aggregate;
    for (let n = 0; n < length; n++) {
      const value = this.field(stable, n);
      if (into.is === "memory") this.setElement(into, this.builder.literal("i32", n), this.asNumber(node, value));
      else this.assignTo(node, this.fieldTarget(node, into, n), value);
    }
  }

  protected element(memory: Memory, index: number): Num {
    const { dtype, whole } = memory.type;
    return { is: "number", dtype, whole, literal: false, constant: null, expr: this.builder.add({ is: "Element", array: memory.array, index: this.builder.literal("i32", index) }) };
  }

  protected fieldTarget(node: AnyNode, { fields, name }: Aggregate, index: number): Target {
    const field = fields[index] as Value | Variable;
    if (field.is === "variable") return field;
    if (field.is === "aggregate" || field.is === "memory") return { is: "storage", storage: field };
    return this.fail(node, `\`${name}\` cannot be changed: copy its elements into an array of your own, as in let a = [x[0], x[1]]`);
  }

  /** Assigns a value to a target or to each part of a pattern. */
  protected assignPattern(pattern: Pattern, value: Value): void {
    switch (pattern.type) {
      case "Identifier":
        return this.assignTo(pattern, this.nameTarget(pattern), value);
      case "MemberExpression":
        return this.assignTo(pattern, this.memberTarget(pattern), value);
      default:
        // Each part is evaluated before any is assigned: [a, b] = [b, a].
        this.eachPart(pattern, this.stabilise(this.copyOf(value)), (part, given) => this.assignPattern(part, given));
    }
  }

  private copyOf(value: Value): Value {
    if (value.is !== "aggregate") return value;
    return { ...value, settled: false, fields: value.fields.map((_, n) => this.copyOf(this.field(value, n))) };
  }

  /** Calls `each` with the parts of a pattern and of a value that meet. */
  protected eachPart(pattern: Pattern, value: Value, each: (part: Pattern, value: Value) => void): void {
    if (pattern.type === "AssignmentPattern") {
      return each(pattern.left, value.is === "nothing" ? this.expression(pattern.right) : value);
    }
    if (pattern.type === "ArrayPattern") {
      const length = value.is === "aggregate" && !value.keys ? value.fields.length : value.is === "memory" ? value.length : null;
      if (length === null) return this.fail(pattern, "only a small array can be taken apart like this");
      pattern.elements.forEach((element, n) => {
        if (!element) return;
        if (element.type === "RestElement") this.fail(element, "`...` is not supported here: name each element");
        if (n >= length) this.fail(element, `the array has ${length} elements, and this asks for number ${n + 1}`);
        each(element, value.is === "memory" ? this.element(value, n) : this.field(value as Aggregate, n));
      });
      return;
    }
    if (pattern.type !== "ObjectPattern") return this.fail(pattern, `\`${this.text(pattern)}\` cannot be assigned to`);
    if (value.is !== "aggregate" || !value.keys) return this.fail(pattern, "only a record, such as { a: 1, b: 2 }, can be taken apart like this");
    for (const property of pattern.properties) {
      if (property.type === "RestElement") return this.fail(property, "`...` is not supported here: name each field");
      const name = this.propertyName(property.key, property.computed);
      const index = value.keys.indexOf(name);
      if (index < 0 && property.value.type !== "AssignmentPattern") this.fail(property, `there is no \`${name}\` here: there ${value.keys.length === 1 ? "is" : "are"} ${value.keys.join(", ")}`);
      each(property.value, index < 0 ? NOTHING : this.field(value, index));
    }
  }

  protected propertyName(key: AnyNode, computed: boolean): string {
    if (!computed && key.type === "Identifier") return key.name;
    const named = writtenText(key);
    if (named !== null) return named;
    return this.fail(key, "the names of fields must be written out, as in { a: 1 }");
  }
}
