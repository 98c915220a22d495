// Expressions: operators, choices, assignments as values, literals.

import type {
  AnyNode, ArrayExpression, AssignmentExpression, BinaryExpression, CallExpression, ConditionalExpression, Expression, Literal, LogicalExpression,
  NewExpression, ObjectExpression, Super, UnaryExpression, UpdateExpression,
} from "acorn";
import { floatConstant, num, truth, wholeConstant, type Num } from "../numbers.js";
import type { Target } from "./assign.js";
import { Members } from "./members.js";
import { NOTHING, isType, type Aggregate, type Value } from "./values.js";

const COMPARISONS = { "==": "Eq", "===": "Eq", "!=": "Ne", "!==": "Ne", "<": "Lt", "<=": "Le", ">": "Gt", ">=": "Ge" } as const;
const SUMS = { "+": "Add", "-": "Sub", "*": "Mul" } as const;
const BITS = { "&": "And", "|": "Or", "^": "Xor" } as const;

/** Up to how many temporaries of its sides a choice evaluates both. */
const CHEAP = 8;

/** Things that a kernel has not, by their nodes. */
const REFUSED: Partial<Record<AnyNode["type"], string>> = {
  ThisExpression: "a kernel has no `this`: give it what you need by name, kernel((…, { rate }) => …, { with: { rate: this.rate } })",
  TemplateLiteral: "a kernel computes with numbers, and this is a string",
  TaggedTemplateExpression: "a kernel computes with numbers, and this is a string",
  AwaitExpression: "nothing in a kernel can wait: await what you need before the call",
  YieldExpression: "a kernel cannot yield: return the value",
  ClassExpression: "a kernel has no classes: write functions and records, { a: 1 }",
  ImportExpression: "a kernel cannot import: give it functions by name, { with: { f } }",
  ChainExpression: "`?.` is not supported in a kernel: nothing in it is null, so write `.`",
  MetaProperty: "a kernel has no import.meta and no new.target",
  Super: "a kernel has no classes",
};

export abstract class Expressions extends Members {
  protected abstract call(node: CallExpression, isUsed: boolean): Value;
  protected abstract construct(node: NewExpression): Value;
  protected abstract arrayOf(node: AnyNode, length: number): Value;
  protected abstract closure(node: Expression): Value;

  protected override expression(node: Expression | Super): Value {
    switch (node.type) {
      case "Literal":
        return this.literal(node);
      case "Identifier":
        return this.identifier(node);
      case "MemberExpression":
        return this.member(node);
      case "CallExpression":
        return this.call(node, true);
      case "NewExpression":
        return this.construct(node);
      case "UnaryExpression":
        return this.unary(node);
      case "BinaryExpression":
        return this.binary(node);
      case "LogicalExpression":
        return this.logical(node);
      case "ConditionalExpression":
        return this.choose(node, this.test(node.test), () => this.expression(node.consequent), () => this.expression(node.alternate));
      case "AssignmentExpression":
        return this.assignment(node);
      case "UpdateExpression":
        return this.update(node);
      case "SequenceExpression":
        node.expressions.slice(0, -1).forEach((each) => this.effect(each));
        return this.expression(node.expressions.at(-1) as Expression);
      case "ArrayExpression":
        return this.array(node);
      case "ObjectExpression":
        return this.record(node);
      case "ArrowFunctionExpression":
      case "FunctionExpression":
        return this.closure(node);
      case "ParenthesizedExpression":
        return this.expression(node.expression);
      default:
        return this.fail(node, REFUSED[node.type] ?? `\`${this.text(node)}\` is not supported in a kernel`);
    }
  }

  /** Evaluates an expression for what it does. */
  protected effect(node: Expression): void {
    switch (node.type) {
      case "SequenceExpression":
        node.expressions.forEach((each) => this.effect(each));
        break;
      case "LogicalExpression": {
        this.refuseNullish(node);
        const test = this.test(node.left);
        this.when(node.operator === "&&" ? test : this.arithmetic.not(test), () => this.effect(node.right), () => {});
        break;
      }
      case "ConditionalExpression":
        this.when(this.test(node.test), () => this.effect(node.consequent), () => this.effect(node.alternate));
        break;
      case "CallExpression":
        this.call(node, false);
        break;
      case "UnaryExpression":
        if (node.operator === "void" || node.operator === "!") this.effect(node.argument);
        else this.expression(node);
        break;
      default:
        this.expression(node);
    }
  }

  /** Runs one of two. */
  protected when(test: Num, then: () => void, otherwise: () => void): void {
    const { builder } = this;
    if (test.constant !== null) return test.constant === 1 ? then() : otherwise();
    const [, a] = builder.within(then);
    const [, b] = builder.within(otherwise);
    if (a.length > 0 || b.length > 0) builder.emit({ is: "If", condition: test.expr, then: a, otherwise: b });
  }

  /** A condition, as a truth value. */
  protected test(node: Expression): Num {
    const value = this.expression(node);
    if (value.is === "tensor") this.fail(node, `\`${value.name}\` is a tensor, not a condition: read an element with at`);
    return this.arithmetic.isTrue(this.asNumber(node, value));
  }

  private literal(node: Literal): Value {
    const { value, raw = "" } = node;
    if (typeof value === "boolean") return truth(value);
    // Bundlers write 2.5e9 as 25e8, and 1000 as 1e3.
    const isFloat = typeof value === "number" && (!Number.isInteger(value) || raw.includes(".") || (/^[\d]+e/i.test(raw) && Math.abs(value) >= 2 ** 31));
    if (typeof value === "number") return isFloat ? floatConstant(value) : wholeConstant(value);
    if (typeof value === "bigint") return this.fail(node, `a kernel has whole numbers of 32 bits: write ${String(value)}`);
    if (typeof value === "string") return this.fail(node, `a kernel computes with numbers, and ${this.text(node)} is a string: use a number for each case, such as 0 and 1`);
    if (value === null && raw === "null") return this.fail(node, "a kernel has no null: use a number, such as -1, for what is not there");
    return this.fail(node, `\`${this.text(node)}\` is not supported in a kernel`);
  }

  private unary(node: UnaryExpression): Value {
    const { operator, argument } = node;
    if (operator === "void") {
      this.effect(argument);
      return NOTHING;
    }
    if (operator === "!") return this.arithmetic.not(this.test(argument));
    if (operator === "typeof" || operator === "delete") return this.fail(node, `a kernel has no \`${operator}\`: all of its values are numbers`);
    const x = this.number(argument);
    this.at(node);
    if (operator === "-") return this.arithmetic.negate(x);
    if (operator === "~") return this.arithmetic.complement(x);
    return x.dtype === "bool" ? (x.constant !== null ? wholeConstant(x.constant) : this.arithmetic.convert(x, "i32")) : x;
  }

  private binary(node: BinaryExpression): Num {
    const { left, right, operator } = node;
    if (left.type === "PrivateIdentifier") return this.fail(node, "a kernel has no classes");
    // A quotient of whole numbers of which the fraction is dropped at once.
    if (operator === "|" && isType(right, "Literal") && right.value === 0) {
      const whole = this.quotient(left, (a, b) => this.arithmetic.truncDivide(a, b));
      if (whole) return this.arithmetic.toInt32(whole);
    }
    const [a, b] = this.inOrder([left, right], (side) => this.number(side)) as [Num, Num];
    this.at(node);
    return this.operate(node, operator, a, b);
  }

  /** `a / b` of whole numbers by a division of whole numbers; null of anything else, which is not
   * evaluated then. */
  protected quotient(node: AnyNode, divide: (a: Num, b: Num) => Num): Num | null {
    if (node.type === "ParenthesizedExpression") return this.quotient(node.expression, divide);
    if (node.type !== "BinaryExpression" || node.operator !== "/") return null;
    const [a, b] = this.inOrder([node.left as Expression, node.right], (side) => this.number(side)) as [Num, Num];
    this.at(node);
    if (this.arithmetic.divideWhole(a, b)) return divide(a, b);
    return this.arithmetic.divide(a, b);
  }

  protected operate(node: AnyNode, operator: string, a: Num, b: Num): Num {
    const on = this.arithmetic;
    if (Object.hasOwn(COMPARISONS, operator)) {
      if (operator.length === 3 && (a.dtype === "bool") !== (b.dtype === "bool")) {
        this.fail(node, `\`${operator}\` compares a truth value with a number, which are never the same: leave the comparison out, or write ${operator === "===" ? "==" : "!="}`);
      }
      return on.compare(COMPARISONS[operator as keyof typeof COMPARISONS], a, b);
    }
    if (Object.hasOwn(SUMS, operator)) return on.sum(SUMS[operator as keyof typeof SUMS], a, b);
    if (Object.hasOwn(BITS, operator)) return on.bits(BITS[operator as keyof typeof BITS], a, b);
    switch (operator) {
      case "/":
        return on.divide(a, b);
      case "%":
        return on.remainder(a, b);
      case "**":
        return on.power(a, b);
      case "<<":
      case ">>":
      case ">>>":
        return on.shift(operator, a, b);
      default:
        return this.fail(node, `a kernel has no \`${operator}\``);
    }
  }

  private refuseNullish(node: LogicalExpression): void {
    if (node.operator === "??") this.fail(node, "`??` is not supported in a kernel: nothing in it is null or undefined. Write `||`, or a comparison and ?:");
  }

  private logical(node: LogicalExpression): Value {
    this.refuseNullish(node);
    const left = this.number(node.left);
    const isAnd = node.operator === "&&";
    const { builder } = this;
    const before = builder.effects;
    const [right, block] = builder.within(() => this.expression(node.right));
    if (builder.effects === before && left.dtype === "bool" && right.is === "number" && right.dtype === "bool") {
      builder.block.push(...block);
      return this.arithmetic.both(isAnd ? "And" : "Or", left, right);
    }
    const kept = this.arithmetic.once(left);
    const changes = builder.effects - before;
    const again = () => {
      builder.block.push(...block);
      builder.effects += changes;
      return right;
    };
    return this.choose(node, this.arithmetic.isTrue(kept), isAnd ? again : () => kept, isAnd ? () => kept : again);
  }

  /** One of two values; if one of them has effects, only that which is chosen is evaluated. */
  protected choose(node: ConditionalExpression | LogicalExpression, test: Num, then: () => Value, otherwise: () => Value): Value {
    const { builder } = this;
    if (test.constant !== null) return test.constant === 1 ? then() : otherwise();
    const condition = { ...test, expr: builder.isStable(test.expr) ? test.expr : builder.temporary("chosen", "bool", test.expr) };
    const before = builder.effects;
    const [a, blockA] = builder.within(then);
    const [b, blockB] = builder.within(otherwise);
    const isSimple = blockA.length + blockB.length <= CHEAP && builder.effects === before;
    if (isSimple) {
      builder.block.push(...blockA, ...blockB);
      return this.oneOf(node, condition, a, b);
    }
    const slot = this.slot(`${this.keyOf(node)}?`, "chosen", true);
    const put = (value: Value) => () => this.assignSlot(node, slot, value);
    builder.within(put(a), blockA);
    builder.within(put(b), blockB);
    builder.emit({ is: "If", condition: condition.expr, then: blockA, otherwise: blockB });
    const { content } = slot;
    return !content ? NOTHING : content.is === "variable" ? this.read(content) : content;
  }

  protected override oneOf(node: AnyNode, test: Num, a: Value, b: Value): Value {
    this.at(node);
    if (a.is === "nothing" && b.is === "nothing") return NOTHING;
    if (a.is !== "aggregate" || b.is !== "aggregate") return this.arithmetic.select(test, this.asNumber(node, a), this.asNumber(node, b));
    if (String(a.keys) !== String(b.keys) || a.fields.length !== b.fields.length) this.fail(node, "the two sides of ?: must have the same number of elements");
    const fields = a.fields.map((_, n) => this.oneOf(node, test, this.field(a, n), this.field(b, n)));
    return { is: "aggregate", keys: a.keys, fields, key: this.keyOf(node), settled: false, name: "chosen" };
  }

  private assignment(node: AssignmentExpression): Value {
    const { left, right, operator } = node;
    if (operator === "=") {
      if (left.type === "ArrayPattern" || left.type === "ObjectPattern") {
        const value = this.expression(right);
        this.assignPattern(left, value);
        return value;
      }
      const target = this.target(left);
      const value = this.expression(right);
      this.assignTo(node, target, value);
      return this.current(target);
    }
    if (operator === "??=") return this.fail(node, "`??=` is not supported in a kernel: nothing in it is null or undefined");
    if (operator === "&&=" || operator === "||=") {
      const target = this.target(left);
      const old = this.arithmetic.isTrue(this.asNumber(left, this.current(target)));
      this.when(operator === "&&=" ? old : this.arithmetic.not(old), () => this.assignTo(node, target, this.expression(right)), () => {});
      return this.current(target);
    }
    const target = this.target(left);
    const [a, b] = this.inOrder<AnyNode>([left, right], (side) => (side === left ? this.asNumber(left, this.current(target)) : this.number(right))) as [Num, Num];
    this.at(node);
    this.assignTo(node, target, this.operate(node, operator.slice(0, -1), a, b));
    return this.current(target);
  }

  /** What is assigned to; the index of an element is evaluated here. */
  private target(node: AnyNode): Target {
    const target = node.type === "Identifier" ? this.nameTarget(node) : node.type === "MemberExpression" ? this.memberTarget(node) : this.fail(node, `\`${this.text(node)}\` cannot be assigned to`);
    return target.is === "element" ? { ...target, index: this.builder.once("i32", target.index, "index") } : target;
  }

  /** The present value of what can be assigned. */
  private current(target: Target): Value {
    switch (target.is) {
      case "variable":
        return this.read(target);
      case "element":
        return this.chosen(target.memory, target.index);
      case "storage":
        return target.storage;
      case "slot":
        return !target.content ? NOTHING : target.content.is === "variable" ? this.read(target.content) : target.content;
    }
  }

  private update(node: UpdateExpression): Num {
    const target = this.target(node.argument);
    const old = this.asNumber(node.argument, this.current(target));
    const given = node.prefix ? old : this.arithmetic.once(old);
    this.at(node);
    this.assignTo(node, target, this.arithmetic.sum(node.operator === "++" ? "Add" : "Sub", given, wholeConstant(1)));
    return node.prefix ? this.asNumber(node, this.current(target)) : given;
  }

  private array(node: ArrayExpression): Value {
    // What minifiers make of `new Array(4)`.
    if (node.elements.length > 0 && node.elements.every((element) => element === null)) return this.arrayOf(node, node.elements.length);
    const elements = node.elements.map((element) => element ?? this.fail(node, "an array in a kernel has no holes: write every element"));
    const fields = this.inOrder(elements, (element) => this.expression(element.type === "SpreadElement" ? element.argument : element)).flatMap((value, n) => {
      const element = elements[n] as AnyNode;
      if (element.type !== "SpreadElement") return [this.fieldOf(element, value)];
      if (value.is === "aggregate" && !value.keys) return value.fields.map((_, place) => this.field(value, place));
      return this.fail(element, "`...` takes a small array here");
    });
    return { is: "aggregate", keys: null, fields, key: this.keyOf(node), settled: false, name: "array" };
  }

  private record(node: ObjectExpression): Aggregate {
    const keys: string[] = [];
    const values: Expression[] = [];
    for (const property of node.properties) {
      if (property.type === "SpreadElement") this.fail(property, "`...` is not supported here: name each field");
      if (property.kind !== "init") this.fail(property, "a record in a kernel has plain fields");
      keys.push(this.propertyName(property.key, property.computed));
      values.push(property.value);
    }
    const fields = this.inOrder(values, (value) => this.fieldOf(value, this.expression(value)));
    return { is: "aggregate", keys, fields, key: this.keyOf(node), settled: false, name: "record" };
  }

  private fieldOf(node: AnyNode, value: Value): Value {
    if (value.is === "nothing") this.asNumber(node, value);
    return value;
  }

  /** A truth value as an expression of its own. */
  protected flag(value: boolean): Num {
    return num("bool", this.builder.literal("bool", Number(value)));
  }
}
