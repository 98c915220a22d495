// Statements: declarations, branches, loops and returns.

import type {
  AnyNode, BlockStatement, BreakStatement, ContinueStatement, DoWhileStatement, Expression, ForOfStatement, ForStatement, FunctionDeclaration, IfStatement, Pattern,
  ReturnStatement, Statement, VariableDeclaration, VariableDeclarator, WhileStatement,
} from "acorn";
import { num, type Num } from "../numbers.js";
import type { Parsed } from "../source.js";
import { Calls, type Completion, type Frame } from "./calls.js";
import { countedLoop } from "./loops.js";
import { Scope, type Value } from "./values.js";

type Nodes = BlockStatement["body"];

const FALLS: Completion = { falls: true, returns: false };
const LEAVES: Completion = { falls: false, returns: false };
const RETURNS: Completion = { falls: false, returns: true };

const either = (a: Completion, b: Completion): Completion => ({ falls: a.falls || b.falls, returns: a.returns || b.returns });

/** A loop that is being lowered: what happens before its next iteration. */
interface LoopContext {
  readonly onContinue: () => void;
}

export class Statements extends Calls {
  protected scope = new Scope(null);
  #loops: LoopContext[] = [];

  protected override statements(nodes: Nodes, frame: Frame): Completion {
    for (const node of nodes) {
      if (node.type === "FunctionDeclaration") this.scope.bind(node.id.name, { is: "function", name: node.id.name, node: this.checked(node as FunctionDeclaration), parsed: this.parsed, scope: this.scope }, "const");
    }
    return this.from(nodes, 0, frame);
  }

  private checked(node: FunctionDeclaration): FunctionDeclaration {
    if (node.async || node.generator) this.fail(node, "functions in a kernel can neither be async nor yield");
    return node;
  }

  /** Lowers the statements from one on. */
  private from(nodes: Nodes, first: number, frame: Frame): Completion {
    const { builder } = this;
    let sofar = FALLS;
    for (let n = first; n < nodes.length; n++) {
      const node = nodes[n] as Nodes[number];
      const rest = () => this.from(nodes, n + 1, frame);
      if (node.type === "IfStatement") {
        const { completion, then, otherwise } = this.branch(node, frame);
        if (!completion.falls) return either({ ...sofar, falls: false }, completion);
        // A return inside a loop leaves the loop; nothing else reaches the rest.
        if (completion.returns && frame.loops === 0) {
          // What follows goes into the branch that did not return.
          const open = !then.falls && !otherwise.returns ? otherwise.block : !otherwise.falls && !then.returns ? then.block : null;
          const remaining = open ? builder.within(rest, open)[0] : this.ifNotDone(frame, rest);
          return either({ ...sofar, falls: false }, { falls: remaining.falls, returns: true });
        }
        sofar = { falls: true, returns: sofar.returns || completion.returns };
        continue;
      }
      const completion = this.statement(node as Statement, frame);
      if (!completion.falls) return either({ ...sofar, falls: false }, completion);
      if (completion.returns) {
        if (frame.loops > 0) this.breakIfDone(frame);
        else {
          const remaining = this.ifNotDone(frame, rest);
          return { falls: remaining.falls, returns: true };
        }
      }
      sofar = either(sofar, completion);
    }
    return sofar;
  }

  private ifNotDone(frame: Frame, rest: () => Completion): Completion {
    const { builder } = this;
    const goesOn = this.goesOn(frame);
    const [completion, block] = builder.within(rest);
    if (block.length > 0) builder.emit({ is: "If", condition: this.arithmetic.own(goesOn), then: block, otherwise: [] });
    return completion;
  }

  private breakIfDone(frame: Frame): void {
    const { builder } = this;
    const goesOn = this.goesOn(frame);
    builder.emit({ is: "If", condition: this.arithmetic.own(goesOn), then: [], otherwise: [{ is: "Break" }] });
  }

  private branch(node: IfStatement, frame: Frame) {
    const { builder } = this;
    const test = this.test(node.test);
    const run = (body: Statement | null | undefined) => () => (body ? this.inScope(() => this.statements([body], frame)) : FALLS);
    if (test.constant !== null) {
      const taken = run(test.constant === 1 ? node.consequent : node.alternate)();
      // One that always returns does so wherever it is.
      return { completion: taken, then: { ...taken, block: builder.block }, otherwise: { ...taken, block: builder.block } };
    }
    const [then, thenBlock] = builder.within(run(node.consequent));
    const [otherwise, otherwiseBlock] = builder.within(run(node.alternate));
    builder.emit({ is: "If", condition: test.expr, then: thenBlock, otherwise: otherwiseBlock });
    return { completion: either(then, otherwise), then: { ...then, block: thenBlock }, otherwise: { ...otherwise, block: otherwiseBlock } };
  }

  private inScope<R>(run: () => R): R {
    const outer = this.scope;
    this.scope = new Scope(outer);
    try {
      return run();
    } finally {
      this.scope = outer;
    }
  }

  private statement(node: Statement, frame: Frame): Completion {
    switch (node.type) {
      case "ExpressionStatement":
        if (!node.directive) this.effect(node.expression);
        return FALLS;
      case "VariableDeclaration":
        this.declaration(node);
        return FALLS;
      case "FunctionDeclaration":
      case "EmptyStatement":
        return FALLS;
      case "BlockStatement":
        return this.inScope(() => this.statements(node.body, frame));
      case "ReturnStatement":
        return this.returns(node, frame);
      case "ForStatement":
        return this.inScope(() => this.forLoop(node, frame));
      case "ForOfStatement":
        return this.inScope(() => this.forOf(node, frame));
      case "WhileStatement":
        return this.whileLoop(node, frame);
      case "DoWhileStatement":
        return this.doLoop(node, frame);
      case "BreakStatement":
      case "ContinueStatement":
        return this.leave(node);
      case "IfStatement":
        return this.branch(node, frame).completion;
      default:
        return this.fail(node, REFUSED[node.type] ?? `\`${this.text(node)}\` is not supported in a kernel`);
    }
  }

  private declaration(node: VariableDeclaration): void {
    if (node.kind !== "let" && node.kind !== "const" && node.kind !== "var") this.fail(node, "`using` is not supported in a kernel: write const");
    for (const { id, init } of node.declarations) {
      if (!init) {
        if (id.type !== "Identifier") return this.fail(id, "a pattern needs a value: const [a, b] = …");
        this.scope.bind(id.name, this.slot(this.keyOf(id), id.name), "let");
        continue;
      }
      const value = init.type === "ArrowFunctionExpression" || init.type === "FunctionExpression" ? this.closure(init, this.text(id)) : this.expression(init);
      if (value.is === "nothing") this.asNumber(init, value);
      this.declare(id, value, node.kind === "const");
    }
  }

  /** Binds the names of a pattern to the parts of a value. */
  private declare(pattern: Pattern, value: Value, isConst: boolean): void {
    if (pattern.type !== "Identifier") {
      return this.eachPart(pattern, this.stabilise(value), (part, given) => this.declare(part, given, isConst));
    }
    const { name } = pattern;
    const kind = isConst ? "const" : "let";
    this.at(pattern);
    const isAssigned = !isConst && this.parsed.assigned.has(name);
    if (value.is === "aggregate") {
      // Assigning another array to the variable copies it: the array that it had stays as it is.
      const own = isAssigned && value.settled ? this.stored(this.keyOf(pattern), name, this.stabilise({ ...value, settled: false, key: this.keyOf(pattern) }) as typeof value) : this.settle(value, name);
      return this.scope.bind(name, own, kind);
    }
    if (value.is !== "number") return this.scope.bind(name, value, isAssigned ? "given" : kind);
    if (!isAssigned) {
      const once = value.constant !== null ? value : { ...this.arithmetic.once(this.watched(value), name), literal: false };
      return this.scope.bind(name, once, kind);
    }
    const variable = this.variable(this.keyOf(pattern), name, value);
    this.assign(variable, value);
    this.scope.bind(name, variable, kind);
  }

  protected override declareParameter(parameter: Pattern, value: Value, parsed: Parsed): void {
    if (parameter.type === "RestElement") this.fail(parameter, "`...` is not supported here: name each parameter");
    if (parameter.type === "AssignmentPattern") {
      return this.declareParameter(parameter.left, value.is === "nothing" ? this.expression(parameter.right) : value, parsed);
    }
    if (parameter.type === "Identifier" && value.is === "aggregate" && value.settled) return this.scope.bind(parameter.name, value, "let");
    this.declare(parameter, value, false);
  }

  private returns(node: ReturnStatement, frame: Frame): Completion {
    const { builder } = this;
    if (node.argument) {
      const value = this.expression(node.argument);
      this.at(node.argument);
      if (frame.isDirect) {
        frame.direct = value;
      } else if (value.is !== "nothing") {
        frame.returnsValue = true;
        this.assignSlot(node.argument, frame.result, value);
      }
    }
    if (frame.isDirect) return RETURNS;
    if (frame.done !== null) builder.emit({ is: "Let", local: frame.done, value: builder.literal("bool", 1) });
    if (frame.loops > 0) builder.emit({ is: "Break" });
    return RETURNS;
  }

  private leave(node: BreakStatement | ContinueStatement): Completion {
    if (node.label) this.fail(node, "labels are not supported in a kernel: put the loops into a function, and return from it");
    const loop = this.#loops.at(-1) as LoopContext;
    if (node.type === "ContinueStatement") loop.onContinue();
    this.builder.emit({ is: node.type === "BreakStatement" ? "Break" : "Continue" });
    return LEAVES;
  }

  /** Lowers the body of a loop into a block. */
  private loopBody(body: Statement, frame: Frame, onContinue: () => void): Completion {
    frame.loops++;
    this.#loops.push({ onContinue });
    try {
      return this.inScope(() => this.statements([body], frame));
    } finally {
      this.#loops.pop();
      frame.loops--;
    }
  }

  private forLoop(node: ForStatement, frame: Frame): Completion {
    const { init, test, update, body } = node;
    if (init?.type === "VariableDeclaration") {
      const counted = countedLoop(node, init, this.parsed);
      if (counted) {
        const rest = { ...init, declarations: init.declarations.filter((each) => each !== counted.declarator) };
        this.declaration(rest);
        const from = this.number(counted.declarator.init as Expression);
        const counts = from.dtype === "i32" || (from.dtype === "bool" && from.constant === null);
        const step = counts ? this.number(counted.by).constant : null;
        if (counts && step !== null && Number.isInteger(step) && step !== 0 && Math.abs(step) < 2 ** 31 && (step > 0) !== counted.isDown) {
          return this.counted(node, counted.name, from, counted.isDown ? -Math.abs(step) : step, counted, frame);
        }
        this.declare(counted.declarator.id, from, false);
      } else this.declaration(init);
    } else if (init) this.effect(init);
    return this.repeat(test ?? null, body, frame, () => update && this.effect(update), false);
  }

  private counted(node: ForStatement, name: string, from: Num, step: number, { bound, includes }: { bound: Expression; includes: boolean }, frame: Frame): Completion {
    const { builder, arithmetic: on } = this;
    const start = builder.once("i32", on.as("i32", from));
    this.at(bound);
    const to = this.end(this.number(bound), start, step > 0, includes);
    const counter = builder.counter(name);
    this.scope.bind(name, num("i32", builder.read(counter)), "let");
    const [completion, body] = builder.within(() => this.loopBody(node.body, frame, () => {}));
    builder.emit({ is: "For", counter, from: start, to, step, body });
    return { falls: true, returns: completion.returns };
  }

  /** The bound of a counted loop, which the counter does not reach. */
  private end(bound: Num, start: number, isUp: boolean, includes: boolean): number {
    const { builder, arithmetic: on } = this;
    const further = isUp ? 1 : -1;
    if (bound.dtype === "f32") {
      const x = builder.once("f32", on.float(bound));
      // Up to below 2.5 is up to below 3; up to and with 2.5 as well.
      const whole = builder.unary(isUp === includes ? "Floor" : "Ceil", x);
      const end = includes ? builder.binary("Add", whole, builder.literal("f32", further)) : whole;
      return builder.select(builder.unary("IsNan", x), start, builder.cast("i32", end));
    }
    const limited = bound.dtype === "u32" && bound.constant === null ? num("i32", builder.cast("i32", builder.binary("Min", bound.expr, builder.literal("u32", 2 ** 31 - 1)))) : bound;
    const end = includes ? on.sum("Add", limited, { ...bound, is: "number", dtype: "i32", whole: true, literal: true, constant: further, expr: -1 }) : limited;
    return on.as("i32", end);
  }

  /** A loop over the elements of an array, which counts. */
  private forOf(node: ForOfStatement, frame: Frame): Completion {
    const { left, right, body } = node;
    const { builder } = this;
    if (node.await) this.fail(node, "nothing in a kernel can wait: leave `await` out");
    const given = this.expression(right);
    if (given.is === "tensor" || given.is === "output") {
      return this.fail(right, `\`${given.name}\` is no small array: count, as in for (let k = 0; k < ${given.name}.length; k++)`);
    }
    if ((given.is !== "aggregate" || given.keys) && given.is !== "memory") return this.fail(right, "`for … of` goes over a small array: for (const v of [1, 2, 4])");
    const array = given.is === "aggregate" && !given.settled ? (this.stabilise(given) as typeof given) : given;
    const length = array.is === "memory" ? (array.extents[0] as number) : array.fields.length;
    if (length === 0) return FALLS;
    const counter = builder.counter("k");
    const [completion, block] = builder.within(() =>
      this.inScope(() => {
        this.at(right);
        const element = this.elementAt(right, array, builder.read(counter));
        if (left.type === "VariableDeclaration") this.declare((left.declarations[0] as VariableDeclarator).id, element, left.kind === "const");
        else this.assignPattern(left, element);
        return this.loopBody(body, frame, () => {});
      }),
    );
    builder.emit({ is: "For", counter, from: builder.literal("i32", 0), to: builder.literal("i32", length), step: 1, body: block });
    return { falls: true, returns: completion.returns };
  }

  private whileLoop(node: WhileStatement, frame: Frame): Completion {
    return this.repeat(node.test, node.body, frame, () => {}, false);
  }

  private doLoop(node: DoWhileStatement, frame: Frame): Completion {
    return this.repeat(node.test, node.body, frame, () => {}, true);
  }

  /** A loop that is not counted: its test before each iteration, or after it, and what is done
   * between. */
  private repeat(test: Expression | null, body: Statement, frame: Frame, between: () => void, isAfter: boolean): Completion {
    const { builder } = this;
    const leaveUnless = () => {
      const holds = test ? this.test(test) : null;
      if (!holds || holds.constant === 1) return;
      builder.emit({ is: "If", condition: this.arithmetic.own(holds), then: [], otherwise: [{ is: "Break" }] });
    };
    const go = builder.literal("bool", 1);
    if (isAfter) {
      const [completion, block] = builder.within(() => {
        const inner = this.loopBody(body, frame, leaveUnless);
        if (inner.falls) leaveUnless();
        return inner;
      });
      builder.emit({ is: "While", condition: go, limit: this.settings.limit, body: block });
      return { falls: true, returns: completion.returns };
    }
    const [holds, testing] = builder.within(() => (test ? this.test(test) : this.flag(true)));
    const [completion, block] = builder.within(() => {
      if (testing.length > 0) {
        builder.block.push(...testing);
        builder.emit({ is: "If", condition: this.arithmetic.own(holds), then: [], otherwise: [{ is: "Break" }] });
      }
      const inner = this.loopBody(body, frame, between);
      if (inner.falls) between();
      return inner;
    });
    builder.emit({ is: "While", condition: testing.length > 0 ? go : this.arithmetic.own(holds), limit: this.settings.limit, body: block });
    return { falls: true, returns: completion.returns };
  }
}

const REFUSED: Partial<Record<AnyNode["type"], string>> = {
  SwitchStatement: "`switch` is not supported in a kernel: write if and else",
  ForInStatement: "`for … in` is not supported in a kernel: count, as in for (let k = 0; k < a.length; k++)",
  TryStatement: "nothing in a kernel throws: leave `try` out",
  ThrowStatement: "a kernel cannot throw: return a value that says what happened, such as NaN",
  LabeledStatement: "labels are not supported in a kernel: put the loops into a function, and return from it",
  ClassDeclaration: "a kernel has no classes: write functions and records, { a: 1 }",
  DebuggerStatement: "a GPU has no debugger: `await k.run(i, j)(…)` runs one invocation as plain JavaScript, with breakpoints",
};

