// Bound on the code that the editor parses. The parser works in slices, in the pauses of the page's
// own thread, but it builds the tree in one piece, and a megabyte of open brackets takes a quarter
// of a second for that. Longer code has no colours and no completion.

import { javascriptLanguage } from "@codemirror/lang-javascript";
import { Compartment, EditorState } from "@codemirror/state";
import type { Extension, Text } from "@codemirror/state";
import { LIMITS } from "../state/limits";

/** JavaScript for as long as the text is short enough, from the beginning and through every
 * change. */
export function boundedLanguage(source: string): Extension {
  const place = new Compartment();
  const reads = (doc: Pick<Text, "length">) => doc.length <= LIMITS.codeShown;
  const languageOf = (read: boolean): Extension => (read ? javascriptLanguage : []);
  const follow = EditorState.transactionExtender.of(({ startState, newDoc, docChanged }) =>
    docChanged && reads(newDoc) !== reads(startState.doc) ? { effects: place.reconfigure(languageOf(reads(newDoc))) } : null,
  );
  return [place.of(languageOf(reads(source))), follow];
}
