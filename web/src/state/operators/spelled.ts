// Code without operators on tensors, for programs that run outside of the notebook: methods where
// an operand is known to be a tensor (`a.add(b)`), calls of `$weft` where it is not
// (`$weft.add(a, b)`), and JavaScript's operators where there can be none. `operatorsModule` is the
// text that declares `$weft`.

import { parse } from "acorn";
import type { AnyNode, CallExpression, Program } from "acorn";
import { kernelFunctions } from "../code/kernels";
import { Edits } from "../code/edits";
import { bindings } from "../code/names";
import { allOf, children, isFunction } from "../code/syntax";
import { entryOf, isObject, membersOf } from "../code/vocabulary";
import type { TypeRef, Vocabulary } from "../code/vocabulary";
import { BINARY, isOfComplex, REFUSED } from "./names";
import { rewriteOperators } from "./rewrite";

export interface Spelled {
  readonly code: string;
  /** Whether the code calls `$weft`. */
  readonly usesHelpers: boolean;
  /** Functions that a kernel could call, and that read otherwise now: how, and how before. */
  readonly functions: readonly (readonly [now: string, before: string])[];
}

/** What a cell's source does not say by itself. */
export interface Around {
  /** Names that other cells declare: such a name is not the library's. */
  readonly declared?: ReadonlySet<string>;
  /** Functions of the top level that stay as they are written. */
  readonly keep?: ReadonlySet<string>;
  /** Whether there may be complex numbers beside tensors: then the methods of tensors do not do. */
  readonly complex?: boolean;
}

/** A cell's source with its operators on tensors written out. Throws `SyntaxError` where it cannot
 * be parsed. */
export function spelled(source: string, vocabulary: Vocabulary, { declared = NONE, keep = NONE, complex = false }: Around = {}): Spelled {
  const program = parse(source, { ecmaVersion: "latest", sourceType: "module", allowAwaitOutsideFunction: true });
  const edits = new Edits(source);
  const declare = edits.reserve(0);
  const except = kernelFunctions(program);
  for (const [name, node] of topLevelFunctions(program)) if (keep.has(name)) except.add(node);
  const places = rewriteOperators(source, program, edits, { operators: true, except, shown: null, spelled: tensorsIn(program, vocabulary, { declared, complex }), declare });
  const { code } = edits.apply();
  const functions = places.flatMap(({ node, start, end }) => {
    const { async, generator } = node as AnyNode & { async: boolean; generator: boolean };
    const [now, before] = [code.slice(start(), end()), source.slice(node.start, node.end)];
    return async || generator || now === before ? [] : [[now, before] as const];
  });
  return { code, usesHelpers: /\$weft\./.test(code), functions };
}

/** Functions that a cell declares for all cells, by name. */
export function* topLevelFunctions(program: Program): Generator<[name: string, node: AnyNode]> {
  for (const statement of program.body) {
    const node = statement.type === "ExportNamedDeclaration" && statement.declaration ? statement.declaration : statement;
    if (node.type === "FunctionDeclaration") yield [node.id.name, node];
    else if (node.type === "VariableDeclaration") {
      for (const { id, init } of node.declarations) if (id.type === "Identifier" && init && isFunction(init)) yield [id.name, init];
    }
  }
}

const NONE: ReadonlySet<string> = new Set();
const yieldsTensor = (type: TypeRef) => Array.isArray(type) && type[0] === "F" && type[1] === "Tensor";

const yieldsComplex = (type: TypeRef): boolean => type === "Complex" || (isObject(type) ? type.members.some(({ 3: part }) => yieldsComplex(part)) : Array.isArray(type) && type.some((part) => yieldsComplex(part as TypeRef)));

/** Whether programs may have complex numbers: they name something of the library that gives
 * them. */
export function mayHaveComplex(programs: readonly Program[], { library, types }: Vocabulary): boolean {
  const spaces = library.flatMap(({ 3: type }) => (isObject(type) ? type.members : typeof type === "string" ? (types[type] ?? []) : []));
  const giving = new Set([...library, ...spaces].flatMap(([name, , , type]) => (Array.isArray(type) && /^[FC]$/.test(type[0] as string) && yieldsComplex(type) ? [name] : [])));
  return programs.some((program) => allOf(program, ["Identifier"]).some((node) => giving.has((node as { name: string }).name)));
}

/** Which expressions are tensors for certain: what the library's functions and methods return,
 * operators on it, and constants that hold it. */
function tensorsIn(program: Program, vocabulary: Vocabulary, { declared, complex }: Required<Omit<Around, "keep">>): (node: AnyNode) => boolean {
  const constants = constantsOf(program);
  const isLibrarys = (name: string) => !constants.bound.has(name) && !declared.has(name) && !entryOf(vocabulary.notebook, name);
  const known = new Map<AnyNode, boolean>();
  const all: AnyNode[] = [program];
  for (let at = 0; at < all.length; at++) all.push(...children(all[at]!));
  const held = new Set<string>();
  const isTensor = (node: AnyNode): boolean => (node.type === "Identifier" ? held.has(node.name) : (known.get(node) ?? false));
  const called = ({ callee }: CallExpression): boolean => {
    if (callee.type === "Identifier") return isLibrarys(callee.name) && yieldsTensor(entryOf(vocabulary.library, callee.name)?.[3] ?? null);
    if (callee.type !== "MemberExpression" || callee.computed || callee.property.type !== "Identifier" || !isTensor(callee.object)) return false;
    return yieldsTensor(entryOf(membersOf(vocabulary, "Tensor"), callee.property.name)?.[3] ?? null);
  };
  const isReal = (node: AnyNode) => isTensor(node) || node.type === "Literal";
  const decide = (node: AnyNode): boolean => {
    switch (node.type) {
      case "CallExpression":
        return !node.optional && called(node);
      case "BinaryExpression":
        return Object.hasOwn(BINARY, node.operator) && !REFUSED.has(BINARY[node.operator as keyof typeof BINARY]) && (complex ? isReal(node.left) && isReal(node.right) : isTensor(node.left) || isTensor(node.right));
      case "UnaryExpression":
        return /^[-~]$/.test(node.operator) && isTensor(node.argument);
      default:
        return false;
    }
  };
  // Constants in the order of the source: what one is made of stands above it.
  for (const { id, init } of constants.values) {
    const inner: AnyNode[] = [init];
    for (let at = 0; at < inner.length; at++) inner.push(...children(inner[at]!));
    for (const node of inner.reverse()) known.set(node, decide(node));
    if (isTensor(init)) held.add(id);
  }
  for (const node of all.reverse()) known.set(node, decide(node));
  return isTensor;
}

/** Constants whose names are bound once in the source, and all names that are bound. */
function constantsOf(program: Program): { bound: Set<string>; values: { id: string; init: AnyNode }[] } {
  const counts = new Map<string, number>();
  const values: { id: string; init: AnyNode; at: number }[] = [];
  const count = (pattern: AnyNode) => {
    const names = new Set<string>();
    bindings(pattern, names);
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  const pending: AnyNode[] = [program];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (isFunction(node)) for (const param of (node as { params: AnyNode[] }).params) count(param);
    if ((isFunction(node) || node.type === "ClassDeclaration" || node.type === "ClassExpression") && (node as { id?: AnyNode | null }).id) count((node as { id: AnyNode }).id);
    if (node.type === "CatchClause" && node.param) count(node.param);
    if (node.type === "VariableDeclaration") {
      for (const { id, init } of node.declarations) {
        count(id);
        if (node.kind === "const" && id.type === "Identifier" && init) values.push({ id: id.name, init, at: id.start });
      }
    }
    pending.push(...children(node));
  }
  return { bound: new Set(counts.keys()), values: values.filter(({ id }) => counts.get(id) === 1).sort((a, b) => a.at - b.at) };
}

const operators = Object.entries(BINARY).map(([operator, name]) => {
  const tensors = REFUSED.has(name) ? `refuse(${JSON.stringify(operator)})` : `weft.${name}(a, b)`;
  const complex = isOfComplex(name) ? `pair(a, b).${name}(b)` : `refuse(${JSON.stringify(operator)})`;
  return `  ${name}: (a, b) => (isComplex(a) || isComplex(b) ? ${complex} : is(a) || is(b) ? ${tensors} : a ${operator} b),`;
});

/** The text that declares `$weft`, for a module that imports the library as `weft`. */
export const operatorsModule = `// JavaScript's operators, and those of tensors where one is a tensor.
const is = (value) => value instanceof weft.Tensor || isComplex(value);
const isComplex = (value) => value instanceof weft.Complex;
// Numbers beside complex ones are as exact as those.
const like = (a, { dtype }) => weft.tensor(a, { dtype });
const pair = (a, b) => (isComplex(a) ? a : typeof a === "number" ? new weft.Complex(like(a, b.re), like(0, b.re)) : new weft.Complex(a));
const refuse = (what) => { throw new TypeError(\`\${what}: takes no tensor, and no complex numbers\`); };
const part = (a, key) => (isComplex(a) ? a.map((each) => part(each, key)) : typeof key === "number" ? a.slice(key) : a.at(key).get());
const $weft = {
${operators.join("\n")}
  neg: (a) => (is(a) ? a.neg() : -a),
  bitwiseNot: (a) => (is(a) ? a.bitwiseNot() : ~a),
  numeric: (a) => (is(a) ? a : a++),
  increment: (a) => (is(a) ? a.add(1) : ++a),
  decrement: (a) => (is(a) ? a.sub(1) : --a),
  test: (what, a) => (is(a) ? refuse(what) : a),
  at: (a, key) => (is(a) && typeof key !== "string" ? part(a, key) : a[key]),
  oneIndex: (a) => (is(a) ? refuse("[a, b]") : a),
};
`;
