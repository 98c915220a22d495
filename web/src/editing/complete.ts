// Code completion. After a dot it proposes the members of the value before the dot, where the type
// is known; in an import the package's names; elsewhere the names in scope. It proposes nothing in
// comments, strings and numbers, nor where the reader is writing a new name.

import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { javascriptLanguage } from "@codemirror/lang-javascript";
import { ensureSyntaxTree } from "@codemirror/language";
import type { SyntaxNode } from "@lezer/common";
import type { Cell, Cells } from "../state/notebook/notebook";
import { membersOf } from "../state/code/vocabulary";
import type { Entry, TypeRef, Vocabulary } from "../state/code/vocabulary";
import { bindingType, describe, exportsFor, namesInScope, typeOf } from "./infer";
import type { Code, World } from "./infer";
import { completeFile, completeKeys } from "./options";

const KEYWORDS = "async await break case catch class const continue default do else export extends false finally for from function if import in instanceof let new null of return static super switch this throw true try typeof undefined var void while yield".split(" ");
/** Nothing is proposed in these, nor where a name is given. */
const SILENT = /^(?:String|TemplateString|RegExp|LineComment|BlockComment|Number|Label|VariableDefinition|PropertyDefinition|TypeDefinition|Hashbang|Escape)$/;

/** Milliseconds that the tree of the cell may take, and that the other cells may. */
const PATIENCE = 30;
/** Longer cells are data rather than declarations. */
const LONGEST = 20_000;
const known = new WeakMap<Cell, Code>();

/** The other code cells, those above first, the nearest leading. */
export function otherCells(cells: Cells, id: string): Code[] {
  const code = cells.filter(({ kind }) => kind === "code");
  const at = code.findIndex((cell) => cell.id === id);
  const until = performance.now() + PATIENCE;
  return [...code.slice(0, Math.max(0, at)).reverse(), ...code.slice(at + 1)].flatMap((cell) => {
    const before = known.get(cell);
    if (before) return [before];
    if (cell.source.length > LONGEST || performance.now() > until) return [];
    const read: Code = { text: cell.source, tree: javascriptLanguage.parser.parse(cell.source) };
    known.set(cell, read);
    return [read];
  });
}

export type Documented = (entry: Entry) => NonNullable<Completion["info"]>;

/** What is proposed; null where nothing is. */
export function complete(context: CompletionContext, vocabulary: Vocabulary, others: readonly Code[], info?: Documented): CompletionResult | null {
  const tree = ensureSyntaxTree(context.state, context.pos, PATIENCE);
  if (!tree) return null;
  const text = context.state.doc.toString();
  const code: Code = { text, tree };
  const world: World = { vocabulary, others };
  const word = /[\w$]*$/.exec(text.slice(Math.max(0, context.pos - 100), context.pos))![0];
  const from = context.pos - word.length;
  if (/^\d/.test(word)) return null;
  const file = completeFile(context, code);
  if (file) return file;
  const keys = completeKeys(context, code, world, (entry) => option(entry, null, info));
  if (keys && (word !== "" || context.explicit)) return keys;
  const node = tree.resolveInner(context.pos, -1);
  const result = (options: Completion[]): CompletionResult | null => (options.length > 0 ? { from, options, validFor: /^[\w$]*$/ } : null);
  const imports = within(node, "ImportGroup");
  if (imports) return result(exportsFor(imports, code, vocabulary).map((entry) => option(entry, null, info)));
  const member = memberBefore(tree.resolveInner(from, -1), text, from);
  if (member) {
    const type = typeOf(member, code, world);
    return result(membersOf(vocabulary, type).map((entry) => option(entry, type, info)));
  }
  // Behind a dot of which the left side is not understood nothing is known.
  if (/(?:^|[^.])\??\.\s*$/.test(text.slice(Math.max(0, from - 200), from))) return null;
  if (SILENT.test(node.name)) return null;
  if (word === "" && !context.explicit) return null;
  return result(names(code, node, world, info));
}

function within(node: SyntaxNode, name: string): SyntaxNode | null {
  for (let at: SyntaxNode | null = node; at; at = at.parent) {
    if (at.name === name) return at;
    if (at.name === "Script" || at.name === "Block") return null;
  }
  return null;
}

/** The expression before a dot that ends at `from`; null where there is no dot, or where it stands
 * in a comment, a string or a number. */
function memberBefore(node: SyntaxNode, text: string, from: number): SyntaxNode | null {
  if (!/\.\s*$/.test(text.slice(Math.max(0, from - 200), from)) || SILENT.test(node.name)) return null;
  for (let at: SyntaxNode | null = node; at && at.to >= from - 200; at = at.parent) {
    if (at.name !== "MemberExpression") continue;
    const dot = at.getChild(".") ?? at.getChild("?.");
    return dot && dot.to <= from ? at.firstChild : null;
  }
  return null;
}

function option([label, signature, doc, type]: Entry, owner: TypeRef, info?: Documented): Completion {
  const callable = Array.isArray(type) && (type[0] === "F" || type[0] === "C");
  const kind = callable ? (owner === null ? "function" : "method") : "property";
  return { label, type: kind, detail: signature === "" ? describe(type) : signature, ...(info && (signature !== "" || doc !== "") ? { info: info([label, signature, doc, type]) } : {}) };
}

function names(code: Code, at: SyntaxNode, world: World, info?: Documented): Completion[] {
  const { vocabulary } = world;
  const found = new Map<string, Completion>();
  const add = (completion: Completion) => found.has(completion.label) || found.set(completion.label, completion);
  for (const [label, binding] of namesInScope(code, at, world)) add({ label, detail: describe(bindingType(binding, world)) || "here", type: "variable", boost: binding.code === code ? 3 : 2 });
  for (const entry of vocabulary.notebook) add({ ...option(entry, null, info), boost: 1 });
  for (const entry of [...vocabulary.library, ...vocabulary.kernels]) add(option(entry, null, info));
  for (const entry of vocabulary.language) add({ ...option(entry, null, info), boost: -1 });
  for (const label of KEYWORDS) add({ label, type: "keyword", boost: -1 });
  return [...found.values()];
}
