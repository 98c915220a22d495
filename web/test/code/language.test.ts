// Bound on the code that the editor parses, whichever way the code became long.
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { boundedLanguage } from "../../src/editing/language";
import { LIMITS } from "../../src/state/limits";

const editor = (doc: string) => EditorState.create({ doc, extensions: [boundedLanguage(doc)] });
const read = (state: EditorState) => ensureSyntaxTree(state, state.doc.length, 60_000)?.length ?? 0;

describe("code in an editor", () => {
  it("is read where it is short", () => {
    expect(read(editor("const a = 1;"))).toBe(12);
    expect(read(editor("f(1);".repeat(LIMITS.codeShown / 5)))).toBe(LIMITS.codeShown);
  });
  it.each(["[", "({", "for(;;){", "f(1);", "`${"])("is not read where it is a megabyte of %s", (unit) => {
    const state = editor(unit.repeat(1_000_000 / unit.length));
    expect([ensureSyntaxTree(state, state.doc.length, 60_000), syntaxTree(state).length]).toEqual([null, 0]);
  });
  it("is let go of when it becomes long, and read again when it is short", () => {
    const short = editor("const a = 1;");
    const long = short.update({ changes: { from: 0, insert: "[".repeat(LIMITS.codeShown) } }).state;
    expect(ensureSyntaxTree(long, long.doc.length, 60_000)).toBe(null);
    const again = long.update({ changes: { from: 0, to: LIMITS.codeShown } }).state;
    expect([again.doc.toString(), read(again)]).toEqual(["const a = 1;", 12]);
  });
});
