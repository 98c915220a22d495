// Type inference for completion. It walks the editor's own syntax tree, which exists also while
// code is half written. Names lead to where they are bound, in this cell or another, and calls to
// what functions return. The walk is bounded: beyond a certain depth a type is unknown.

import type { SyntaxNode, Tree } from "@lezer/common";
import { elementOf, entryOf, globalEntry, isObject, membersOf, memberType } from "../state/code/vocabulary";
import { KERNELS } from "../state/code/kernels";
import type { Entry, TypeRef, Vocabulary } from "../state/code/vocabulary";

/** A text with its tree. */
export interface Code {
  readonly text: string;
  readonly tree: Tree;
}

export interface World {
  readonly vocabulary: Vocabulary;
  /** The other cells, the nearest first. */
  readonly others: readonly Code[];
  /** Whether a parameter of which nothing is known has no type. Completion takes it for a tensor,
   * as in most functions here. */
  readonly certain?: boolean;
}

/** Where a name is bound. */
interface Binding {
  readonly code: Code;
  readonly node: SyntaxNode;
}

const DEPTH = 24;
const FUNCTIONS = new Set(["ArrowFunction", "FunctionDeclaration", "FunctionExpression", "MethodDeclaration"]);
/** Methods of arrays that call back with an element. */
const WITH_ELEMENT = new Set(["map", "forEach", "filter", "find", "findIndex", "findLast", "some", "every", "flatMap"]);

export const textOf = ({ text }: Code, { from, to }: SyntaxNode) => text.slice(from, to);

/** Where `name` is bound, seen from a node. */
export function bindingOf(name: string, code: Code, from: SyntaxNode, world: World): Binding | null {
  for (let at: SyntaxNode | null = from; at; at = at.parent) {
    const node = definitions(at, code).findLast((each) => textOf(code, each) === name);
    if (node) return { code, node };
  }
  for (const other of world.others) {
    const node = definitions(other.tree.topNode, other).findLast((each) => textOf(other, each) === name);
    if (node) return { code: other, node };
  }
  return null;
}

/** The names that are bound where a node stands, each with its binding; inner ones hide outer
 * ones. */
export function namesInScope(code: Code, from: SyntaxNode, world: World): Map<string, Binding> {
  const found = new Map<string, Binding>();
  const take = (from: Code, node: SyntaxNode) => {
    const name = textOf(from, node);
    if (name !== "" && !found.has(name)) found.set(name, { code: from, node });
  };
  for (let at: SyntaxNode | null = from; at; at = at.parent) for (const node of definitions(at, code)) take(code, node);
  for (const other of world.others) for (const node of definitions(other.tree.topNode, other)) take(other, node);
  return found;
}

/** What a block, a loop's head, a function or a whole cell binds directly. */
function definitions(scope: SyntaxNode, code: Code): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const collect = (node: SyntaxNode | null) => {
    for (let at = node; at; at = at.nextSibling) {
      if (at.name === "VariableDefinition") found.push(at);
      else if (/Pattern|PatternProperty|ImportGroup|^ExportGroup$/.test(at.name)) collect(at.firstChild);
      else if (at.name === "PropertyName" && at.parent?.name === "PatternProperty" && !at.nextSibling) found.push(at);
    }
  };
  if (FUNCTIONS.has(scope.name)) {
    collect(scope.getChild("ParamList")?.firstChild ?? null);
    // An arrow with one parameter and no parentheses.
    const only = scope.name === "ArrowFunction" ? scope.getChild("VariableDefinition") : null;
    if (only) found.push(only);
  }
  const declaring = (node: SyntaxNode) => {
    if (node.name === "ExportDeclaration") return void eachChild(node, declaring);
    if (node.name === "VariableDeclaration" || node.name === "ImportDeclaration") collect(node.firstChild);
    else if (node.name === "FunctionDeclaration" || node.name === "ClassDeclaration") collect(node.getChild("VariableDefinition"));
  };
  if (scope.name === "Script" || scope.name === "Block") eachChild(scope, declaring);
  if (scope.name === "ForStatement") {
    eachChild(scope, (node) => {
      if (node.name === "ForOfSpec" || node.name === "ForInSpec") collect(node.firstChild);
      else if (node.name === "ForSpec") eachChild(node, declaring);
    });
  }
  if (scope.name === "CatchClause") collect(scope.firstChild);
  return found.filter((node) => node.to > node.from && code.text.length >= node.to);
}

function eachChild(node: SyntaxNode, visit: (child: SyntaxNode) => void): void {
  for (let at = node.firstChild; at; at = at.nextSibling) visit(at);
}

const children = (node: SyntaxNode) => {
  const all: SyntaxNode[] = [];
  eachChild(node, (child) => void all.push(child));
  return all;
};

/** The type of an expression. */
export function typeOf(node: SyntaxNode | null, code: Code, world: World, depth = 0): TypeRef {
  if (!node || depth > DEPTH) return null;
  const type = (of: SyntaxNode | null) => typeOf(of, code, world, depth + 1);
  switch (node.name) {
    case "String":
    case "TemplateString":
      return "String";
    case "Number":
      return "Number";
    case "BooleanLiteral":
      return "Boolean";
    case "RegExp":
      return "RegExp";
    case "ParenthesizedExpression":
    case "SequenceExpression":
      return type(node.lastChild?.name === ")" ? node.lastChild.prevSibling : node.lastChild);
    case "ArrayExpression": {
      const first = children(node).find(({ name }) => !/^[[\],]|Spread$/.test(name));
      return ["A", first ? type(first) : null];
    }
    case "ObjectExpression":
      return { members: children(node).flatMap((each) => propertyEntry(each, code, world, depth)) };
    case "VariableName":
      return nameType(textOf(code, node), code, node, world, depth);
    case "MemberExpression":
      return memberOf(node, code, world, depth);
    case "CallExpression": {
      const called = type(node.firstChild);
      return Array.isArray(called) && (called[0] === "F" || called[0] === "C") ? (called[1] as TypeRef) : null;
    }
    case "NewExpression": {
      const made = type(node.firstChild?.nextSibling ?? null);
      return Array.isArray(made) && made[0] === "C" ? (made[1] as TypeRef) : null;
    }
    case "AwaitExpression":
    case "UnaryExpression": {
      const operator = textOf(code, node.firstChild ?? node);
      if (operator === "-" || operator === "~") return OPERANDS.has(type(node.lastChild)) ? type(node.lastChild) : "Number";
      if (operator !== "await") return operator === "!" ? "Boolean" : operator === "typeof" ? "String" : operator === "+" ? "Number" : null;
      return awaited(type(node.lastChild));
    }
    case "ArrowFunction":
    case "FunctionExpression":
    case "FunctionDeclaration":
      return functionType(node, code, world, depth);
    case "AssignmentExpression":
      return type(node.lastChild);
    case "ConditionalExpression": {
      const [, then, otherwise] = children(node).filter(({ name }) => name !== "LogicOp");
      return type(then ?? null) ?? type(otherwise ?? null);
    }
    case "BinaryExpression":
      return binaryType(node, code, world, depth);
    default:
      return null;
  }
}

/** What operators compute with, besides numbers. */
const OPERANDS: ReadonlySet<TypeRef> = new Set(["Tensor", "Complex"]);

const awaited = (type: TypeRef): TypeRef => (Array.isArray(type) && type[0] === "P" ? (type[1] as TypeRef) : type);

function binaryType(node: SyntaxNode, code: Code, world: World, depth: number): TypeRef {
  const operator = node.firstChild?.nextSibling;
  const sign = operator ? textOf(code, operator) : "";
  const sides = () => [node.firstChild, node.lastChild].map((side) => typeOf(side, code, world, depth + 1));
  if (/^(?:[=!]==?|in|instanceof)$/.test(sign)) return "Boolean";
  if (sign === "&&") return sides()[1] ?? null;
  if (sign === "||" || sign === "??") return sides()[0] ?? sides()[1] ?? null;
  const [left, right] = sides();
  // What is computed with complex numbers is complex, and with a tensor a tensor.
  if (left === "Complex" || right === "Complex") return "Complex";
  if (left === "Tensor" || right === "Tensor") return "Tensor";
  if (/^[<>]=?$/.test(sign)) return "Boolean";
  if (sign === "+") return left === "String" || right === "String" ? "String" : left === "Number" && right === "Number" ? "Number" : null;
  return "Number";
}

function memberOf(node: SyntaxNode, code: Code, world: World, depth: number): TypeRef {
  const owner = typeOf(node.firstChild, code, world, depth + 1);
  const property = node.getChild("PropertyName");
  if (property) {
    const entry = entryOf(membersOf(world.vocabulary, owner), textOf(code, property));
    return entry ? memberType(owner, entry) : null;
  }
  if (owner === "Tensor") return "Tensor";
  const index = node.lastChild?.prevSibling;
  if (Array.isArray(owner) && owner[0] === "T" && index?.name === "Number") return (owner[Number(textOf(code, index)) + 1] as TypeRef | undefined) ?? null;
  return elementOf(owner);
}

function propertyEntry(node: SyntaxNode, code: Code, world: World, depth: number): Entry[] {
  const name = node.getChild("PropertyDefinition");
  if (node.name !== "Property" || !name) return [];
  const label = textOf(code, name);
  const value = node.lastChild;
  const type = value && value.from > name.from ? typeOf(value, code, world, depth + 1) : nameType(label, code, node, world, depth);
  return [[label, describe(type), "", type]];
}

/** What a function returns: its body, or what its first `return` gives; of an async one, a promise
 * of it. */
function functionType(node: SyntaxNode, code: Code, world: World, depth: number): TypeRef {
  const body = node.lastChild;
  let returned: TypeRef = null;
  if (body?.name === "Block") {
    const pending = children(body);
    for (let at = pending.shift(); at && returned === null; at = pending.shift()) {
      if (at.name === "ReturnStatement") returned = typeOf(at.firstChild?.nextSibling ?? null, code, world, depth + 1);
      else if (!FUNCTIONS.has(at.name) && /Statement|Block/.test(at.name)) pending.push(...children(at));
    }
  } else returned = typeOf(body, code, world, depth + 1);
  const async = node.firstChild?.name === "async";
  return ["F", async ? ["P", awaited(returned)] : returned];
}

function nameType(name: string, code: Code, from: SyntaxNode, world: World, depth: number): TypeRef {
  const binding = bindingOf(name, code, from, world);
  if (binding) return bindingType(binding, world, depth + 1);
  const entry = globalEntry(world.vocabulary, name);
  return entry ? entry[3] : null;
}

/** The type of what a name is bound to. */
export function bindingType({ code, node }: Binding, world: World, depth = 0): TypeRef {
  if (depth > DEPTH) return null;
  const parent = node.parent;
  if (!parent) return null;
  const type = (of: SyntaxNode | null) => typeOf(of, code, world, depth + 1);
  const valueOf = (definition: SyntaxNode): SyntaxNode | null => {
    const equals = definition.nextSibling;
    return equals && textOf(code, equals) === "=" ? equals.nextSibling : null;
  };
  switch (parent.name) {
    case "VariableDeclaration":
      return type(valueOf(node));
    case "FunctionDeclaration":
      return functionType(parent, code, world, depth);
    case "ForOfSpec":
      return elementOf(type(parent.lastChild?.prevSibling ?? null));
    case "ParamList":
    case "ArrowFunction":
      return parameterType(node, parent, code, world, depth);
    case "ImportGroup":
    case "ImportDeclaration":
      return importedType(node, parent, code, world);
    case "ArrayPattern":
    case "PatternProperty":
      return patternType(node, code, world, depth);
    default:
      return null;
  }
}

/** What a pattern takes out of a value: by its place, or by its name. */
function patternType(node: SyntaxNode, code: Code, world: World, depth: number): TypeRef {
  const inArray = node.parent!.name === "ArrayPattern";
  const pattern = inArray ? node.parent! : node.parent!.parent!;
  const whole = bindingType({ code, node: pattern }, world, depth + 1);
  if (inArray) {
    let place = 0;
    for (let at = pattern.firstChild; at && at.from < node.from; at = at.nextSibling) if (at.name === ",") place++;
    return Array.isArray(whole) && whole[0] === "T" ? ((whole[place + 1] as TypeRef | undefined) ?? null) : elementOf(whole);
  }
  const key = node.parent!.getChild("PropertyName");
  const entry = key && entryOf(membersOf(world.vocabulary, whole), textOf(code, key));
  if (entry) return memberType(whole, entry);
  // Out of a parameter of which nothing is known.
  return /^ParamList$/.test(pattern.parent?.name ?? "") ? whole : null;
}

/** A parameter: what an array's method calls back with, its default, or, as in most functions here,
 * a tensor. */
function parameterType(node: SyntaxNode, list: SyntaxNode, code: Code, world: World, depth: number): TypeRef {
  const next = node.nextSibling;
  if (next && textOf(code, next) === "=") return typeOf(next.nextSibling, code, world, depth + 1);
  const called = list.name === "ParamList" ? list.parent : list;
  const call = called?.parent?.name === "ArgList" ? called.parent.parent : null;
  const callee = call?.firstChild;
  const method = callee?.name === "MemberExpression" ? callee.getChild("PropertyName") : null;
  if (callee && method && textOf(code, method) === "then") return awaited(typeOf(callee.firstChild, code, world, depth + 1));
  if (callee && !method) return isTransform(textOf(code, callee)) ? "Tensor" : null;
  if (!callee || !method || !WITH_ELEMENT.has(textOf(code, method))) return world.certain ? null : "Tensor";
  let place = 0;
  for (let at = list.firstChild; at && at.from < node.from; at = at.nextSibling) if (at.name === ",") place++;
  if (place > 0) return place === 1 ? "Number" : null;
  return elementOf(typeOf(callee.firstChild, code, world, depth + 1));
}

const isTransform = (name: string) => /^(?:grad|valueAndGrad|valueAndGradAux|vjp|jit|tidy)$/.test(name);

/** What the module of the import round a node exports. */
export function exportsFor(node: SyntaxNode, code: Code, { library, kernels }: Vocabulary): readonly Entry[] {
  let at: SyntaxNode | null = node;
  while (at && at.name !== "ImportDeclaration") at = at.parent;
  const module = at?.getChild("String");
  return module && textOf(code, module).slice(1, -1) === KERNELS ? kernels : library;
}

function importedType(node: SyntaxNode, parent: SyntaxNode, code: Code, world: World): TypeRef {
  const exported = exportsFor(parent, code, world.vocabulary);
  const before = node.prevSibling;
  if (before && textOf(code, before) === "as") {
    const original = before.prevSibling;
    if (original && textOf(code, original) === "*") return { members: exported };
    const entry = original && entryOf(exported, textOf(code, original));
    return entry ? entry[3] : null;
  }
  const entry = parent.name === "ImportGroup" ? entryOf(exported, textOf(code, node)) : undefined;
  return entry ? entry[3] : null;
}

/** A type in a word or two, as a reader sees it beside a name. */
export function describe(type: TypeRef): string {
  if (type === null) return "";
  if (typeof type === "string") return /^(?:String|Number|Boolean)$/.test(type) ? type.toLowerCase() : type.replace(/#.*$/, "");
  if (isObject(type)) return `{ ${type.members.slice(0, 4).map(([name]) => name).join(", ")}${type.members.length > 4 ? ", …" : ""} }`;
  const [kind, ...parts] = type as readonly [string, ...TypeRef[]];
  const inner = parts.map((part) => describe(part) || "…");
  switch (kind) {
    case "A":
      return inner[0] === "…" ? "Array" : `${inner[0]}[]`;
    case "P":
      return `Promise<${inner[0]}>`;
    case "F":
      return inner[0] === "…" ? "function" : `(…) => ${inner[0]}`;
    case "C":
      return "class";
    case "T":
      return `[${inner.join(", ")}]`;
    default:
      return "";
  }
}
