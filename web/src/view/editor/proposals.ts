// Views of completion and documentation: a list beside the caret, and a small sheet with a
// signature and its documentation. The page fetches the vocabulary when the first editor asks for
// it.

import type { CompletionSource } from "@codemirror/autocomplete";
import { ensureSyntaxTree } from "@codemirror/language";
import type { HoverTooltipSource } from "@codemirror/view";
import { complete } from "../../editing/complete";
import { meaningAt, written } from "../../editing/hover";
import type { Code } from "../../editing/infer";
import { describe } from "../../editing/infer";
import type { Entry, Vocabulary } from "../../state/code/vocabulary";
import { docOf, h } from "../ui/dom";

let coming: Promise<Vocabulary> | null = null;

/** Rejected where it does not come; the next who asks tries again. */
export function fetchVocabulary(): Promise<Vocabulary> {
  coming ??= import("virtual:types").then((module) => module.default);
  coming.catch(() => (coming = null));
  return coming;
}

const NOTHING: Vocabulary = { library: [], kernels: [], notebook: [], language: [], types: {} };
/** The vocabulary; an empty one where it does not come. */
export const vocabulary = () => fetchVocabulary().catch(() => NOTHING);

const sheet = (signature: string, doc: string) => h("div", { class: "meaning" }, h("code", {}, signature), docOf(doc));
const documented = ([name, signature, doc, type]: Entry) => () => sheet(written(name, signature || describe(type)), doc);

export const sourceOf = (others: () => readonly Code[]): CompletionSource => async (context) => complete(context, await vocabulary(), others(), documented);

export const hoverOf = (others: () => readonly Code[]): HoverTooltipSource => async (view, pos) => {
  const world = { vocabulary: await vocabulary(), others: others() };
  const tree = ensureSyntaxTree(view.state, pos, 30);
  const meaning = tree && meaningAt({ text: view.state.doc.toString(), tree }, pos, world);
  if (!meaning) return null;
  return { pos: meaning.from, end: meaning.to, above: true, create: () => ({ dom: sheet(meaning.signature, meaning.doc) }) };
};
