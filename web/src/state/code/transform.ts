// Transformation of a cell into a module whose declarations the next cell can see. Its top-level
// names move into one scope, the worker's global object; everything else stays as written, on the
// same line. Pure: text in, text out.
//
//   const { a, b: [c] } = f()
//     →  ;({ a: globalThis.a, b: [globalThis.c] } = f());$weft.constant("a", "c");
//   var total
//     →  ;globalThis.total;, and, first of all, undefined where there is none yet
//   function step() { … }
//     →  function step$weft() { … }, and, first of all, $weft.hoist({ step: step$weft })
//   import { grad } from "weft-gpu"
//     →  ;globalThis.grad = $weft.imported("weft-gpu", "grad");
//   the last expression
//     →  $weft.last(( … ))
//   const rate = slider("rate")
//     →  ;globalThis.rate = $weft.control("rate", slider)("rate"), which gives the control, or a kernel, its name
//   a loop that awaits
//     →  if ($weft.check()) await $weft.tick(), on every turn, so that Stop can end it there
//   new Float32Array(8)
//     →  $weft.made(new Float32Array(8)), which counts the memory that it takes
//   const { u, s } = f()
//     →  … = $weft.apart(f(), …), which refuses an array, that has no such names
//   a * b
//     →  computes with tensors, see `state/operators/rewrite.ts`
//   kernel((x, i) => x.at(i) * 2)
//     →  as it is: the library reads the text of the function

import { parse } from "acorn";
import type {
  AnyNode, CallExpression, ClassDeclaration, Expression, FunctionDeclaration, ImportDeclaration, Pattern, Program, VariableDeclaration,
} from "acorn";
import { Edits, positionOf } from "./edits";
import type { Position, Rewritten } from "./edits";
import { unmatchedBracket } from "./brackets";
import { effortOf } from "./effort";
import { kernelFunctions, KERNELS, makesKernel } from "./kernels";
import { MAY_BE_MISREAD, misread } from "./misread";
import { takenApart } from "./patterns";
import { rewriteOperators } from "../operators/rewrite";
import type { FunctionPlace } from "../operators/rewrite";
import type { FunctionText } from "./reading";
import { saidOfPython } from "./python";
import { isReserved } from "./reserved";
import { allOf, awaitingLoops, children, isLoop } from "./syntax";

/** A cell that cannot run as it is written, and where. */
export class CellSyntaxError extends Error {
  override readonly name = "SyntaxError";
  constructor(
    message: string,
    readonly position: Position,
  ) {
    super(message);
  }
}

export interface CellModule {
  readonly rewritten: Rewritten;
  /** Names that are unbound before the cell runs: its `let`, `const`, `class` and imports. */
  readonly redeclared: readonly string[];
  /** Every name that the cell gives the notebook. */
  readonly declared: readonly string[];
  readonly program: Program;
  /** Functions whose text is not the reader's any more. */
  readonly functions: readonly FunctionText[];
}

export interface TransformOptions {
  /** Whether operators act on tensors. */
  readonly operators?: boolean;
}

const CHECK = "if ($weft.check()) await $weft.tick();";
const LIBRARIES: readonly unknown[] = ["weft-gpu", KERNELS];
const CONTROLS = new Set(["slider", "number", "select", "checkbox", "color", "button", "draw"]);

export function transformCell(source: string, { operators = true }: TransformOptions = {}): CellModule {
  return new Transform(source, parseCell(source), operators).run();
}

function parseCell(source: string): Program {
  const effort = effortOf(source);
  if (effort) throw new CellSyntaxError(effort.message, positionOf(source, effort.at));
  try {
    return parse(source, { ecmaVersion: "latest", sourceType: "module", allowAwaitOutsideFunction: true });
  } catch (error) {
    // The parser calls itself for what is nested.
    if (error instanceof RangeError) throw new CellSyntaxError("this cell is nested too deeply", { line: 1, column: 1 });
    const bracket = unmatchedBracket(source);
    if (bracket) throw new CellSyntaxError(bracket.message, positionOf(source, bracket.at));
    const { message, pos } = error as SyntaxError & { pos: number };
    const early = message.startsWith("Unexpected token") && source.slice(pos).trim() === "" && source.trim() !== "";
    const python = saidOfPython(source, pos);
    if (python !== undefined) throw new CellSyntaxError(python, positionOf(source, pos));
    throw new CellSyntaxError(early ? "The code ends too early: something is missing at its end" : message.replace(/ \(\d+:\d+\)$/, ""), positionOf(source, pos));
  }
}

class Transform {
  private readonly edits: Edits;
  private readonly redeclared: string[] = [];
  private readonly declared = new Set<string>();
  private readonly hoisted: string[] = [];
  private readonly vars: string[] = [];
  /** Texts that come behind all that goes round the expressions in front of them. */
  private readonly endings: { at: number; text: string }[] = [];
  /** Where statements begin. */
  private readonly starts = new Set<number>();

  constructor(
    private readonly source: string,
    private readonly program: Program,
    private readonly operators: boolean,
  ) {
    this.edits = new Edits(source);
  }

  run(): CellModule {
    const declare = this.edits.reserve(0);
    // Their ends come before all else that is put there, their beginnings behind it.
    const kernels = kernelFunctions(this.program);
    const found = allOf(this.program, MAY_BE_MISREAD, kernels);
    const wrong = misread(found, this.source);
    if (wrong) throw this.error(wrong.message, wrong.at);
    const constructions = found.filter((node) => node.type === "NewExpression");
    const apart = takenApart(found.filter((node) => node.type === "VariableDeclarator" || node.type === "AssignmentExpression"), this.source);
    for (const { end } of constructions) this.edits.insert(end, ")");
    // Reserves the place for what functions need before the first statement.
    for (const node of this.program.body) if (functionOf(node)) this.declareFunction(functionOf(node)!);
    if (this.hoisted.length > 0) {
      const pairs = this.hoisted.map((name) => `${name}: ${name}$weft`).join(", ");
      this.edits.insert(0, `$weft.hoist({ ${pairs} });`);
    }
    const hoistVars = this.edits.reserve(0);
    // The innermost of those that end at one place ends first.
    for (const { value, rest } of [...apart].reverse()) this.end(value.end, `${rest})`);
    for (const node of this.program.body) this.statement(node);
    hoistVars(this.vars.map((name) => `"${name}" in globalThis || (globalThis.${name} = void 0);`).join(""));
    for (const { value } of apart) this.edits.insert(value.start, "$weft.apart(");
    const shown = this.showLast();
    this.walk(this.program);
    const functions = rewriteOperators(this.source, this.program, this.edits, { operators: this.operators, except: kernels, shown, declare });
    for (const { at, text } of this.endings) {
      // Where a statement begins right behind another, no expression ends.
      if (this.starts.has(at)) this.edits.endStatement(at, text);
      else this.edits.insert(at, text);
    }
    for (const { start } of constructions) this.edits.insert(start, "$weft.made(");
    for (const { start } of allOf(this.program, ["ImportExpression"])) this.edits.replace(start, start + "import".length, "$weft.importLater");
    const rewritten = this.edits.apply();
    return { rewritten, redeclared: this.redeclared, declared: [...this.declared], program: this.program, functions: changedTexts(rewritten, functions) };
  }

  private end(at: number, text: string): void {
    this.endings.push({ at, text });
  }

  private statement(node: Program["body"][number]): void {
    switch (node.type) {
      case "VariableDeclaration":
        this.declareVariables(node);
        break;
      case "ClassDeclaration":
        this.declareClass(node);
        break;
      case "ImportDeclaration":
        this.importNames(node);
        break;
      case "ExportNamedDeclaration":
        if (!node.declaration) throw this.error("a cell cannot export: other cells already see its declarations", node.start);
        this.edits.replace(node.start, node.declaration.start, "");
        if (node.declaration.type !== "FunctionDeclaration") this.statement(node.declaration);
        break;
      case "ExportAllDeclaration":
      case "ExportDefaultDeclaration":
        throw this.error("a cell cannot export: other cells already see its declarations", node.start);
      default:
    }
  }

  private declareVariables(node: VariableDeclaration): void {
    // `using` keeps its meaning: the value lives until the cell ends, and no later cell sees it.
    if (node.kind !== "let" && node.kind !== "const" && node.kind !== "var") return;
    const names: string[] = [];
    this.edits.replace(node.start, node.declarations[0]!.start, ";");
    for (const { id, init, start } of node.declarations) {
      if (id.type === "Identifier") {
        names.push(id.name);
        this.edits.insert(start, "globalThis.");
        if (!init) {
          if (node.kind !== "var") this.edits.insert(id.end, " = void 0");
        } else if (makesControl(init)) {
          this.edits.insert(init.callee.start, `$weft.control(${JSON.stringify(id.name)}, `);
          this.edits.insert(init.callee.end, ")");
        } else if (takesName(init)) {
          // Assigned to a property, a function would stay nameless; a property of a literal names
          // it.
          this.edits.insert(init.start, `{ ${id.name}: `);
          this.end(init.end, ` }.${id.name}`);
        }
      } else {
        this.edits.insert(start, "(");
        this.bindPattern(id, names);
        this.end(init!.end, ")");
      }
    }
    this.declare(names, node);
    (node.kind === "var" ? this.vars : this.redeclared).push(...names);
    const seal = node.kind === "const" ? `$weft.constant(${names.map((name) => JSON.stringify(name)).join(", ")});` : "";
    this.end(node.end, `;${seal}`);
  }

  private bindPattern(node: Pattern, names: string[]): void {
    switch (node.type) {
      case "Identifier":
        names.push(node.name);
        this.edits.insert(node.start, "globalThis.");
        break;
      case "ObjectPattern":
        for (const property of node.properties) {
          if (property.type === "RestElement") {
            this.bindPattern(property.argument, names);
          } else {
            if (property.shorthand) this.edits.insert(property.key.start, `${(property.key as { name: string }).name}: `);
            this.bindPattern(property.value, names);
          }
        }
        break;
      case "ArrayPattern":
        for (const element of node.elements) if (element) this.bindPattern(element, names);
        break;
      case "RestElement":
        this.bindPattern(node.argument, names);
        break;
      case "AssignmentPattern":
        this.bindPattern(node.left, names);
        break;
      default:
    }
  }

  private declareFunction(node: FunctionDeclaration): void {
    this.declare([node.id.name], node.id);
    this.hoisted.push(node.id.name);
    this.edits.insert(node.id.end, "$weft");
  }

  private declareClass(node: ClassDeclaration): void {
    this.declare([node.id.name], node.id);
    this.redeclared.push(node.id.name);
    this.edits.insert(node.start, `;globalThis.${node.id.name} = `);
    this.end(node.end, ";");
  }

  private importNames(node: ImportDeclaration): void {
    const from = node.source.value;
    if (!LIBRARIES.includes(from))
      throw this.error(`only "weft-gpu" can be imported here, not ${JSON.stringify(from)}: cells have no network access`, node.source.start);
    const bindings = node.specifiers.map((specifier) => {
      const local = specifier.local.name;
      const module = JSON.stringify(from);
      this.declare([local], specifier.local);
      this.redeclared.push(local);
      if (specifier.type === "ImportNamespaceSpecifier") return `globalThis.${local} = $weft.imported(${module}, "*");`;
      const imported =
        specifier.type === "ImportDefaultSpecifier"
          ? "default"
          : specifier.imported.type === "Identifier"
            ? specifier.imported.name
            : String(specifier.imported.value);
      return `globalThis.${local} = $weft.imported(${module}, ${JSON.stringify(imported)});`;
    });
    this.edits.replace(node.start, node.end, `;${bindings.join("")}`);
  }

  private declare(names: readonly string[], at: { start: number }): void {
    for (const name of names) {
      if (isReserved(name)) throw this.error(`“${name}” is a global of the browser: choose another name`, at.start);
      this.declared.add(name);
    }
  }

  /** The statement whose value is shown. */
  private showLast(): AnyNode | null {
    const last = this.program.body.at(-1);
    if (last?.type !== "ExpressionStatement" || last.directive) return null;
    if (last.expression.type === "AssignmentExpression" || last.expression.type === "UpdateExpression") return null;
    const end = this.source[last.end - 1] === ";" ? last.end - 1 : last.end;
    // Not an export: a module keeps what it exports for as long as the worker lives.
    this.edits.insert(last.start, ";$weft.last((");
    this.end(end, "))");
    return last;
  }

  private walk(root: AnyNode): void {
    const awaiting = awaitingLoops(root);
    const pending: AnyNode[] = [root];
    for (let node = pending.pop(); node; node = pending.pop()) {
      if (/(?:Statement|Declaration)$/.test(node.type)) this.starts.add(node.start);
      if (isLoop(node) && awaiting.has(node)) {
        if (node.body.type === "BlockStatement") {
          this.edits.insert(node.body.start + 1, CHECK);
        } else {
          this.edits.insert(node.body.start, `{${CHECK}`);
          this.end(node.body.end, "}");
        }
      }
      for (const child of children(node)) pending.push(child);
    }
  }

  private error(message: string, at: number): CellSyntaxError {
    return new CellSyntaxError(message, positionOf(this.source, at));
  }
}

function changedTexts({ code, source }: Rewritten, functions: readonly FunctionPlace[]): FunctionText[] {
  return functions.flatMap(({ node, start, end }) => {
    const [from, to] = [start(), end()];
    if (to - from === node.end - node.start && code.startsWith(source.slice(node.start, node.end), from)) return [];
    return [{ source: [node.start, node.end] as const, code: [from, to] as const }];
  });
}

function functionOf(node: Program["body"][number]): FunctionDeclaration | null {
  if (node.type === "FunctionDeclaration") return node;
  if (node.type === "ExportNamedDeclaration" && node.declaration?.type === "FunctionDeclaration") return node.declaration;
  return null;
}

/** Whether this may be a call that makes a control or a kernel, which learn their names; what the
 * name stands for then, `$weft.control` sees. */
function makesControl(init: Expression): init is CallExpression {
  if (init.type !== "CallExpression" || init.optional) return false;
  const { callee } = init;
  if (makesKernel(init)) return true;
  if (callee.type === "Identifier") return CONTROLS.has(callee.name);
  return callee.type === "MemberExpression" && !callee.computed && callee.object.type === "Identifier" && callee.object.name === "input" && callee.property.type === "Identifier" && CONTROLS.has(callee.property.name);
}

/** Whether `const f = <this>` names the value `f`. */
function takesName(init: Expression): boolean {
  if (init.type === "ArrowFunctionExpression") return true;
  return (init.type === "FunctionExpression" || init.type === "ClassExpression") && !init.id;
}
