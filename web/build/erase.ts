// Erasure of types: the JavaScript of an example that the package's documentation has in
// TypeScript, for cells of the playground. Its lines, its spaces and its comments stay.

import { ts } from "@ts-morph/common";

/** Throws for what is no type and no JavaScript either, as an enum. */
export function withoutTypes(code: string): string {
  const file = ts.createSourceFile("example.ts", code, ts.ScriptTarget.ESNext, true);
  const cuts: [start: number, end: number][] = [];
  const cut = (start: number, end: number) => void cuts.push([start, end]);
  /** From what stands in front of a node, such as its colon, to its end. */
  const cutFrom = (before: string, node: ts.Node) => cut(code.lastIndexOf(before, node.getStart() - 1), node.end);
  const visit = (node: ts.Node): void => {
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || (ts.isImportDeclaration(node) && node.importClause?.isTypeOnly)) {
      // With its line.
      return cut(node.getStart(), code[node.end] === "\n" ? node.end + 1 : node.end);
    }
    if (ts.isEnumDeclaration(node) || ts.isModuleDeclaration(node) || (ts.isParameter(node) && ts.isParameterPropertyDeclaration(node, node.parent))) {
      throw new Error(`an example has what JavaScript has not: ${node.getText()}`);
    }
    if (ts.canHaveModifiers(node)) for (const each of ts.getModifiers(node) ?? []) if (ERASED.has(each.kind)) cut(each.getStart(), each.end + 1);
    const { type, questionToken, exclamationToken, typeParameters, typeArguments } = node as MaybeTyped;
    if (ts.isAsExpression(node)) cutFrom(" as ", node.type);
    else if (ts.isSatisfiesExpression(node)) cutFrom(" satisfies ", node.type);
    else if (ts.isNonNullExpression(node)) cut(node.end - 1, node.end);
    else if (type) cutFrom(":", type);
    for (const mark of [ts.isParameter(node) || ts.isPropertyDeclaration(node) ? questionToken : undefined, exclamationToken]) if (mark) cut(mark.getStart(), mark.end);
    for (const list of [typeParameters, typeArguments]) if (list) cut(list.pos - 1, code.indexOf(">", list.end) + 1);
    ts.forEachChild(node, visit);
  };
  visit(file);
  let erased = "";
  let at = 0;
  for (const [start, end] of cuts.sort(([a], [b]) => a - b)) {
    if (start > at) erased += code.slice(at, start);
    at = Math.max(at, end);
  }
  return erased + code.slice(at);
}

/** What nodes of many kinds may have. */
interface MaybeTyped {
  readonly type?: ts.TypeNode;
  readonly questionToken?: ts.Node;
  readonly exclamationToken?: ts.Node;
  readonly typeParameters?: ts.NodeArray<ts.Node>;
  readonly typeArguments?: ts.NodeArray<ts.Node>;
}

/** Modifiers that only the compiler knows. */
const ERASED: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.ReadonlyKeyword, ts.SyntaxKind.PublicKeyword, ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword, ts.SyntaxKind.OverrideKeyword, ts.SyntaxKind.AbstractKeyword, ts.SyntaxKind.DeclareKeyword,
]);
