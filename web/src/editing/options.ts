// Completion inside arguments: keys of an object of options, and names of files in a string.

import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { SyntaxNode } from "@lezer/common";
import type { Entry } from "../state/code/vocabulary";
import { textOf } from "./infer";
import type { Code, World } from "./infer";
import { placeOf } from "./signature";
import { meaningAt } from "./hover";

/** Functions whose first argument is the name of a file, alone or as a method. */
const TAKES_FILE = /(?:^|\.)(?:file|csv|npy|npz|safetensors|idx|image|audio)$|^file\.\w+$/;

/** Files of the site that every notebook may read. */
const SITE_FILES = ["train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz", "t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"].map((name) => `data/digits/${name}`);

let listFiles: () => readonly string[] = () => [];

/** Names of files that the notebook may read; asked for at each completion. */
export function provideFileNames(list: () => readonly string[]): void {
  listFiles = list;
}

/** Names of files, in a string that a function takes one in. */
export function completeFile(context: CompletionContext, code: Code): CompletionResult | null {
  const node = code.tree.resolveInner(context.pos, -1);
  const call = node.name === "String" && node.parent?.name === "ArgList" ? node.parent.parent : null;
  const callee = call?.firstChild;
  if (!callee || !TAKES_FILE.test(textOf(code, callee)) || node.prevSibling?.name !== "(") return null;
  const quote = context.state.sliceDoc(node.from, node.from + 1);
  const options = [...listFiles(), ...SITE_FILES].map((label): Completion => ({ label, type: "text", apply: label.replaceAll(quote, `\\${quote}`) }));
  return options.length > 0 ? { from: node.from + 1, options, validFor: /^[^"'`]*$/ } : null;
}

/** Keys that an object of options may still have. */
export function completeKeys(context: CompletionContext, code: Code, world: World, option: (entry: Entry) => Completion): CompletionResult | null {
  const word = /[\w$]*$/.exec(code.text.slice(Math.max(0, context.pos - 100), context.pos))![0];
  const from = context.pos - word.length;
  const object = objectAround(code.tree.resolveInner(from, -1), from);
  // Half written, an object is read as a pattern that something is assigned to.
  const holder = object?.name === "ObjectPattern" && object.parent?.name === "AssignmentExpression" ? object.parent.parent : object?.parent;
  const list = holder?.name === "ArgList" ? holder : null;
  const callee = list?.prevSibling;
  // Behind `{` and `,` a key is written.
  if (!object || !list || !callee || !/[{,]\s*$/.test(code.text.slice(object.from, from))) return null;
  const meaning = meaningAt(code, callee.to - 1, world);
  const types = meaning?.takes?.[placeOf(list, object.from)] ?? [];
  const entries = new Map(types.flatMap((type) => world.vocabulary.options?.[type] ?? []).map((entry) => [entry[0], entry]));
  const given = new Set([...object.getChildren("Property"), ...object.getChildren("PatternProperty")].filter((each) => each.from < from || each.from > context.pos).flatMap((each) => (each.firstChild ? [textOf(code, each.firstChild)] : [])));
  const options = [...entries.values()].filter(([key]) => !given.has(key)).map((entry) => ({ ...option(entry), type: "property", apply: `${entry[0]}: ` }));
  return options.length > 0 ? { from, options, validFor: /^[\w$]*$/ } : null;
}

function objectAround(node: SyntaxNode, from: number): SyntaxNode | null {
  for (let at: SyntaxNode | null = node; at; at = at.parent) {
    if (at.name === "ObjectExpression" || at.name === "ObjectPattern") return at.from < from ? at : null;
    if (/^(?:Block|ArgList|String|TemplateString|LineComment|BlockComment)$/.test(at.name)) return null;
  }
  return null;
}
