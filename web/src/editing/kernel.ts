// Dtypes of numbers in kernels, as the editor shows them: the rules of docs/kernels.md on the
// editor's own syntax tree, which exists also while code is half written. What the kernel is called
// with is not known here: parameters are what they are used as, and tensors are taken for f32.

import type { SyntaxNode } from "@lezer/common";
import type { Code } from "./infer";

export type KernelDType = "bool" | "i32" | "u32" | "f32";

const FUNCTIONS = /^(?:ArrowFunction|FunctionDeclaration|FunctionExpression)$/;
const ORDER: readonly KernelDType[] = ["bool", "i32", "u32", "f32"];
const TYPED: Readonly<Record<string, KernelDType>> = { Float32Array: "f32", Int32Array: "i32", Uint32Array: "u32" };
const EXTENTS = /^(?:length|size|ndim)$/;
/** Functions of Math that keep the dtype of what they take. */
const KEEPING = /^(?:abs|sign|min|max)$/;
/** Those to whole numbers, which of whole numbers are the numbers themselves, and of floats
 * floats. */
const ROUNDING = /^(?:floor|ceil|round|trunc)$/;
const DEPTH = 24;
/** Walks over the function for one answer; beyond it nothing is known. */
const WALKS = 200;

const textOf = ({ text }: Code, { from, to }: SyntaxNode) => text.slice(from, to);

/** The function literal around a node that a call of `kernel` or `kernel.group` is given; null
 * where there is none. */
export function kernelAround(node: SyntaxNode, code: Code): SyntaxNode | null {
  for (let at: SyntaxNode | null = node; at; at = at.parent) {
    const call = FUNCTIONS.test(at.name) && at.parent?.name === "ArgList" ? at.parent.parent : null;
    if (call?.name === "CallExpression" && call.firstChild && /^kernel(?:\s*\.\s*group)?$/.test(textOf(code, call.firstChild))) return at;
  }
  return null;
}

/** The dtype of what a definition inside a kernel is bound to; null where it is no number, or not
 * known. */
export function kernelDType(definition: SyntaxNode, code: Code): KernelDType | null {
  const root = kernelAround(definition, code);
  return root && new Dtypes(root, code).ofName(textOf(code, definition), definition);
}

function join(a: KernelDType | null, b: KernelDType | null): KernelDType | null {
  if (a === null || b === null) return a ?? b;
  return ORDER[Math.max(ORDER.indexOf(a), ORDER.indexOf(b))] as KernelDType;
}

/** The dtype in which two are computed: truth values count as whole numbers, and one f32 is
 * enough. */
const computed = (a: KernelDType | null, b: KernelDType | null) => (a === "f32" || b === "f32" ? "f32" : a === null || b === null ? null : join("i32", join(a, b)));

class Dtypes {
  /** Names that are being asked for, which say nothing about themselves. */
  private readonly open = new Set<string>();
  private depth = 0;
  private walks = 0;

  constructor(
    private readonly root: SyntaxNode,
    private readonly code: Code,
  ) {}

  /** By name, not by scope: of two variables of one name both count. */
  ofName(name: string, definition: SyntaxNode | null): KernelDType | null {
    if (this.open.has(name) || this.depth > DEPTH || ++this.walks > WALKS) return null;
    this.open.add(name);
    try {
      let found: KernelDType | null = definition ? this.parameter(name, definition) : null;
      each(this.root, (node) => {
        found = join(found, this.given(node, name));
      });
      return found;
    } finally {
      this.open.delete(name);
    }
  }

  /** What a parameter of the kernel is used as. */
  private parameter(name: string, definition: SyntaxNode): KernelDType | null {
    const list = definition.parent;
    if (list?.name !== "ParamList" || list.parent?.from !== this.root.from) return null;
    let isTensor = false;
    let isIndex = /^[i-n]$/.test(name);
    each(this.root, (node) => {
      if (node.name !== "VariableName" || textOf(this.code, node) !== name) return;
      if (node.parent?.name === "MemberExpression" && node.parent.firstChild?.from === node.from) isTensor = true;
      for (let at: SyntaxNode | null = node.parent; at && at.from > this.root.from; at = at.parent) {
        if (at.name === "ArgList" && at.prevSibling && /\.\s*at$/.test(textOf(this.code, at.prevSibling))) isIndex = true;
      }
    });
    return isTensor ? null : isIndex ? "i32" : "f32";
  }

  /** What a node gives a variable of that name, if it gives it something. */
  private given(node: SyntaxNode, name: string): KernelDType | null {
    const is = (target: SyntaxNode | null) => target !== null && textOf(this.code, target) === name;
    switch (node.name) {
      case "VariableDefinition": {
        if (!is(node)) return null;
        const equals = node.nextSibling;
        if (equals && textOf(this.code, equals) === "=") return this.of(equals.nextSibling);
        const pattern = node.parent?.name === "ArrayPattern" ? node.parent.nextSibling : null;
        if (pattern && textOf(this.code, pattern) === "=") return this.of(pattern.nextSibling);
        const spec = node.parent?.name === "ForOfSpec" ? node.parent : null;
        return spec ? this.of(spec.lastChild?.prevSibling ?? null) : null;
      }
      case "AssignmentExpression": {
        const target = node.firstChild;
        const element = target?.name === "MemberExpression" && target.getChild("[") ? target.firstChild : null;
        if (!is(target) && !is(element)) return null;
        const operator = node.getChild("UpdateOp") ?? node.getChild("Equals");
        const value = this.of(node.lastChild);
        return operator && textOf(this.code, operator) !== "=" ? this.operate(textOf(this.code, operator).slice(0, -1), this.of(target) ?? value, value) : value;
      }
      default:
        return null;
    }
  }

  private operate(operator: string, a: KernelDType | null, b: KernelDType | null): KernelDType | null {
    switch (operator) {
      case "/":
        return "f32";
      case ">>>":
        return "u32";
      case "&":
      case "|":
      case "^":
      case "<<":
      case ">>":
        return "i32";
      case "&&":
      case "||":
        return join(a, b);
      default:
        return /^(?:[<>]=?|[=!]==?)$/.test(operator) ? "bool" : computed(a, b);
    }
  }

  private of(node: SyntaxNode | null): KernelDType | null {
    if (!node || this.depth > DEPTH) return null;
    this.depth++;
    try {
      return this.expression(node);
    } finally {
      this.depth--;
    }
  }

  private expression(node: SyntaxNode): KernelDType | null {
    switch (node.name) {
      case "Number": {
        const text = textOf(this.code, node);
        return text.includes(".") || !Number.isInteger(Number(text)) ? "f32" : Number(text) >= 2 ** 31 ? "u32" : "i32";
      }
      case "BooleanLiteral":
        return "bool";
      case "ParenthesizedExpression":
        return this.of(node.firstChild?.nextSibling ?? null);
      case "ArrayExpression": {
        let found: KernelDType | null = null;
        for (let at = node.firstChild?.nextSibling ?? null; at; at = at.nextSibling) if (!/^[,\]]$/.test(at.name)) found = join(found, this.of(at));
        return found;
      }
      case "VariableName": {
        const name = textOf(this.code, node);
        return this.ofName(name, this.definitionOf(name));
      }
      case "UnaryExpression": {
        const operator = node.firstChild ? textOf(this.code, node.firstChild) : "";
        const x = this.of(node.lastChild);
        return operator === "!" ? "bool" : operator === "~" ? "i32" : computed(x, x);
      }
      case "BinaryExpression": {
        const operator = node.firstChild?.nextSibling;
        return operator ? this.operate(textOf(this.code, operator), this.of(node.firstChild), this.of(node.lastChild)) : null;
      }
      case "ConditionalExpression": {
        const colon = node.lastChild?.prevSibling;
        return join(this.of(colon?.prevSibling ?? null), this.of(node.lastChild));
      }
      case "AssignmentExpression":
        return this.of(node.lastChild);
      case "MemberExpression":
        return this.member(node);
      case "NewExpression": {
        const made = node.getChild("VariableName");
        return made ? (TYPED[textOf(this.code, made)] ?? null) : null;
      }
      case "CallExpression":
        return this.call(node);
      default:
        return null;
    }
  }

  private member(node: SyntaxNode): KernelDType | null {
    const property = node.getChild("PropertyName");
    const name = property ? textOf(this.code, property) : "";
    if (name !== "") return EXTENTS.test(name) || name === "shape" ? "i32" : node.firstChild && textOf(this.code, node.firstChild) === "Math" ? "f32" : null;
    // An element: of `x.shape`, `local`, or an array.
    if (node.firstChild?.name === "VariableName" && /^(?:local|group)$/.test(textOf(this.code, node.firstChild))) return "i32";
    return this.of(node.firstChild);
  }

  private call(node: SyntaxNode): KernelDType | null {
    const callee = node.firstChild;
    const given: SyntaxNode[] = [];
    for (let at = node.getChild("ArgList")?.firstChild?.nextSibling ?? null; at; at = at.nextSibling) if (!/^[,)]$/.test(at.name)) given.push(at);
    const all = () => given.map((each) => this.of(each)).reduce((a, b) => computed(a ?? b, b ?? a), null);
    if (callee?.name === "VariableName") {
      const name = textOf(this.code, callee);
      return name === "rand" ? "f32" : name === "pcg" || name === "threefry" ? "u32" : /^subgroup/.test(name) ? all() : name === "shuffle" ? this.of(given[0] ?? null) : null;
    }
    const property = callee?.getChild("PropertyName");
    const name = property ? textOf(this.code, property) : "";
    if (callee?.firstChild && textOf(this.code, callee.firstChild) === "Math") {
      if (name === "imul" || name === "clz32") return "i32";
      if (KEEPING.test(name)) return all();
      if (!ROUNDING.test(name)) return "f32";
      const [x] = given;
      const operator = x?.name === "BinaryExpression" ? x.firstChild?.nextSibling : null;
      // A quotient of whole numbers is exact there.
      if (operator && textOf(this.code, operator) === "/" && /^(?:floor|trunc)$/.test(name)) return computed(this.of(x?.firstChild ?? null), this.of(x?.lastChild ?? null));
      return all();
    }
    if (name === "fill") return join(this.of(callee?.firstChild ?? null), this.of(given[0] ?? null));
    return name === "at" || name === "sample" ? "f32" : null;
  }

  private definitionOf(name: string): SyntaxNode | null {
    let found: SyntaxNode | null = null;
    each(this.root, (node) => {
      if (!found && node.name === "VariableDefinition" && textOf(this.code, node) === name) found = node;
    });
    return found;
  }
}

function each(root: SyntaxNode, visit: (node: SyntaxNode) => void): void {
  const cursor = root.cursor();
  do visit(cursor.node);
  while (cursor.next() && cursor.from < root.to);
}
