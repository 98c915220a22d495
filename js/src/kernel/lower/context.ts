// State of one pass of lowering, and the facts found by the passes before. A pass lowers the whole
// function with the dtypes that variables are known to have. Where something is assigned that they
// do not hold, the dtype is raised, and another pass begins. Dtypes only rise, so that passes end.

import type { AnyNode } from "acorn";
import { Arithmetic } from "../arithmetic.js";
import { Builder } from "../builder.js";
import { errorAt, type KernelError, type Source } from "../errors.js";
import { joinTypes, num, type Num, type NumType } from "../numbers.js";
import type { Parsed } from "../source.js";
import type { Aggregate, EdgeRule, Memory, ReportMode, Slot, Value, Variable } from "./values.js";

/** How what a slot holds is made of fields; null of a number. */
export type Form = { readonly keys: readonly string[] | null; readonly fields: readonly Form[] } | null;

/** What passes learn. */
export class Facts {
  readonly types = new Map<string, NumType>();
  readonly forms = new Map<string, Form>();
  /** Arrays of which an element is chosen while the kernel runs, and frames that need a flag. */
  readonly marks = new Set<string>();
  /** Whether this pass learnt something. */
  changed = false;

  /** Raises the type of what is called `key` so that it holds `type`. */
  raise(key: string, type: NumType): NumType {
    const known = this.types.get(key);
    const joined = known ? joinTypes(known, type) : type;
    if (!known || joined.dtype !== known.dtype || joined.whole !== known.whole || joined.literal !== known.literal) {
      this.types.set(key, joined);
      // What is met for the first time has had no other type in this pass.
      this.changed ||= known !== undefined;
    }
    return joined;
  }

  mark(key: string): void {
    if (this.marks.has(key)) return;
    this.marks.add(key);
    this.changed = true;
  }
}

export interface Settings {
  readonly edge: EdgeRule;
  /** The most iterations of a loop that is not counted. */
  readonly limit: number;
  /** How many axes the grid has. */
  readonly rank: number;
  /** What the kernel reports. */
  readonly report: ReportMode;
  /** The output that is the first of a report's. */
  readonly firstReport: number;
}

/** Expressions as other parts of lowering call them. */
export abstract class Context {
  readonly builder = new Builder();
  readonly arithmetic: Arithmetic;
  /** The function whose source is being read. */
  protected parsed: Parsed;
  /** The calls that led here: they distinguish the variables of an inlined function's copies. */
  protected path = "";
  /** The first literal of this pass that did not fit; it may fit in the next. */
  complaint: KernelError | null = null;
  #at: AnyNode;

  constructor(
    parsed: Parsed,
    readonly facts: Facts,
    readonly settings: Settings,
  ) {
    this.parsed = parsed;
    this.#at = parsed.node;
    this.arithmetic = new Arithmetic(this.builder, (message) => {
      this.complaint ??= errorAt(this.source, this.#at.start, message);
    });
  }

  protected get source(): Source {
    return this.parsed.source;
  }

  /** From now on complaints are about this node. */
  protected at(node: AnyNode): void {
    this.#at = node;
  }

  /** Where the node begins that complaints are about. */
  protected get start(): number {
    return this.#at.start;
  }

  /** A value that is about to be kept or stored; the kernel may look whether it is NaN. */
  protected abstract watched(value: Num): Num;

  protected fail(node: AnyNode, message: string): never {
    throw errorAt(this.source, node.start, message);
  }

  /** The source of a node, as a message quotes it. */
  protected text(node: AnyNode): string {
    const text = this.source.text.slice(node.start, node.end).replace(/\s+/g, " ");
    return text.length > 40 ? `${text.slice(0, 39)}…` : text;
  }

  protected keyOf(node: AnyNode): string {
    return `${this.path}/${node.start}`;
  }

  // Variables.

  /** A variable that holds `type`, without a value. */
  protected variable(key: string, name: string, type: NumType, keepsLiteral = false): Variable {
    const raised = this.facts.raise(key, type);
    return { is: "variable", key, name, local: this.builder.local(name, raised.dtype), type: raised, keepsLiteral };
  }

  protected read({ local, type, keepsLiteral }: Variable): Num {
    return { ...num(type.dtype, this.builder.read(local), type.whole), literal: keepsLiteral && type.literal };
  }

  protected assign(variable: Variable, given: Num): void {
    this.facts.raise(variable.key, given);
    const value = this.watched(given);
    this.builder.emit({ is: "Let", local: variable.local, value: this.arithmetic.as(variable.type.dtype, value) });
  }

  // Arrays and records.

  protected field(aggregate: Aggregate, index: number): Value {
    const field = aggregate.fields[index] as Value | Variable;
    return field.is === "variable" ? this.read(field) : field;
  }

  /** The value with each number in it evaluated here. */
  protected stabilise(value: Value): Value {
    if (value.is === "number") return this.arithmetic.once(value);
    if (value.is !== "aggregate" || value.settled) return value;
    return { ...value, fields: value.fields.map((_, n) => this.stabilise(this.field(value, n))) };
  }

  /** An array or record whose fields can be assigned: of what was just made. */
  protected settle(given: Aggregate, name: string): Aggregate | Memory {
    if (given.settled || given.key === null) return given;
    return this.stored(given.key, name, this.stabilise(given) as Aggregate);
  }

  /** New storage, called `key`, with a copy of an array or record whose numbers are evaluated
   * already. */
  protected stored(key: string, name: string, from: Aggregate): Aggregate | Memory {
    if (this.facts.marks.has(key)) {
      const memory = this.memory(key, name, from.fields.length, this.typeOf(from), false);
      from.fields.forEach((_, n) => this.setElement(memory, this.builder.literal("i32", n), this.field(from, n) as Num));
      return memory;
    }
    const fields = from.fields.map((_, n) => {
      const value = this.field(from, n);
      const [place, called] = [`${key}.${n}`, `${name}${from.keys ? `.${from.keys[n]}` : n}`];
      if (value.is === "aggregate") return this.stored(place, called, value);
      if (value.is !== "number") return value;
      const variable = this.variable(place, called, value);
      this.assign(variable, value);
      return variable;
    });
    return { is: "aggregate", keys: from.keys, fields, key, settled: true, name };
  }

  /** The type of an array's elements. */
  protected typeOf(from: Aggregate): NumType {
    return from.fields.map((_, n) => this.field(from, n) as Num).map((x): NumType => x).reduce(joinTypes);
  }

  protected memory(key: string, name: string, length: number, type: NumType, fixed: boolean, shared = false, extents: readonly number[] = [length]): Memory {
    const raised = fixed ? type : this.facts.raise(key, type);
    return { is: "memory", key, name, length, type: raised, fixed, extents, offset: null, array: this.builder.array(name, raised.dtype, length, shared) };
  }

  /** The index of an element in the whole array. */
  protected place({ offset }: Memory, index: number): number {
    return offset === null ? index : this.builder.binary("Add", offset, index);
  }

  protected setElement(memory: Memory, index: number, given: Num): void {
    if (!memory.fixed) this.facts.raise(memory.key, given);
    const value = this.watched(given);
    this.builder.emit({ is: "SetElement", array: memory.array, index, value: this.arithmetic.as(memory.type.dtype, value) });
  }

  // Slots.

  protected slot(key: string, name: string, keepsLiteral = false): Slot {
    const form = this.facts.forms.get(key);
    const slot: Slot = { is: "slot", key, name, content: null, keepsLiteral };
    if (form !== undefined) slot.content = this.formed(key, name, form, keepsLiteral);
    return slot;
  }

  /** Storage of a form, zero at first. */
  protected formed(key: string, name: string, form: Form, keepsLiteral: boolean): Variable | Aggregate {
    if (form === null) {
      const type = this.facts.types.get(key) as NumType;
      const variable = this.variable(key, name, type, keepsLiteral);
      this.builder.emit({ is: "Let", local: variable.local, value: this.builder.literal(type.dtype, 0) });
      return variable;
    }
    const fields = form.fields.map((field, n) => this.formed(`${key}.${n}`, `${name}${form.keys ? `.${form.keys[n]}` : n}`, field, keepsLiteral));
    return { is: "aggregate", keys: form.keys, fields, key: null, settled: true, name };
  }
}
