// What do the editors look like? The page's own colours, by its custom properties, which reach into shadow roots.

import { EditorView } from "@codemirror/view";

export const editorTheme = EditorView.theme({
  "&": { backgroundColor: "transparent", color: "var(--ink)", fontSize: "var(--code-size)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overflowX: "auto" },
  ".cm-content": { padding: "10px 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 14px 0 6px" },
  ".cm-gutters": { backgroundColor: "transparent", border: "none", color: "var(--ink-faint)", userSelect: "none" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "34px", padding: "0 8px 0 6px", fontSize: "0.86em", fontVariantNumeric: "tabular-nums" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "var(--line-active)" },
  ".tok-keyword": { color: "var(--syntax-keyword)" },
  ".tok-string": { color: "var(--syntax-string)" },
  ".tok-number": { color: "var(--syntax-number)" },
  ".tok-comment": { color: "var(--syntax-comment)", fontStyle: "italic" },
  ".tok-function": { color: "var(--syntax-function)" },
  ".tok-mark": { color: "var(--ink-soft)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selection)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--selection)", outline: "1px solid var(--line-strong)" },
  ".cm-placeholder": { color: "var(--ink-faint)" },
  ".cm-lintRange-error, .cm-lintRange.run-error, .cm-lintRange.syntax-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad) 1.5px",
    textUnderlineOffset: "4px",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    border: "1px solid var(--line-strong)",
    borderRadius: "8px",
    boxShadow: "var(--shadow)",
    overflow: "hidden",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "13px", maxHeight: "15em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 10px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--selection)", color: "var(--ink)" },
  ".cm-completionDetail": { color: "var(--ink-soft)", fontStyle: "normal", marginLeft: "1.2em" },
  ".cm-completionMatchedText": { textDecoration: "none", color: "var(--indigo)", fontWeight: "600" },
  ".cm-diagnostic": { borderLeft: "3px solid var(--bad)", padding: "6px 10px", fontFamily: "var(--sans)", fontSize: "13px", maxWidth: "46ch" },
});
