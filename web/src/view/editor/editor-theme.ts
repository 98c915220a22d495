// Editor theme: the page's own colours, by its custom properties, which reach into shadow roots.

import { EditorView } from "@codemirror/view";
import { DEEPEST } from "./indents";

export const editorTheme = EditorView.theme({
  "&": { backgroundColor: "transparent", color: "var(--ink)", fontSize: "var(--code-size)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overflowX: "auto" },
  // The page's own, which do not reach in here.
  "& *": { scrollbarWidth: "thin", scrollbarColor: "var(--line-strong) transparent" },
  ".cm-content": { padding: "10px 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 14px 0 6px" },
  // A line that is too long goes on below, behind where it begins.
  ...Object.fromEntries(Array.from({ length: DEEPEST + 1 }, (_, depth) => [`.cm-line.indent-${depth}`, { paddingLeft: `calc(54px + ${depth + 2}ch)`, textIndent: `-${depth + 2}ch` }])),
  ".cm-line[data-line]": { position: "relative" },
  ".cm-line[data-line]::before": { content: "attr(data-line)", position: "absolute", left: "0", boxSizing: "border-box", width: "48px", paddingRight: "8px", fontSize: "0.86em", lineHeight: "calc(1.6em / 0.86)", textIndent: "0", textAlign: "right", fontVariantNumeric: "tabular-nums", color: "var(--ink-faint)" },
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
  ".cm-lintRange-warning": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--warn) 1.5px",
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
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li > .cm-completionDetail": { display: "inline-block", maxWidth: "34ch", overflow: "hidden", textOverflow: "ellipsis", verticalAlign: "bottom" },
  ".cm-tooltip.cm-completionInfo": { padding: "0", maxWidth: "min(44ch, 90vw)" },
  ".meaning": { padding: "8px 12px", maxWidth: "min(60ch, 88vw)" },
  ".meaning > code": { display: "block", font: "12.5px/1.5 var(--mono)", whiteSpace: "pre-wrap", overflowWrap: "anywhere", color: "var(--ink)" },
  ".meaning.signature b": { color: "var(--indigo)", fontWeight: "600" },
  ".meaning p code": { font: "12px/1.4 var(--mono)", color: "var(--ink)" },
  ".meaning p": { margin: "6px 0 0", font: "13px/1.45 var(--sans)", color: "var(--ink-soft)" },
  ".cm-diagnostic": { borderLeft: "3px solid var(--bad)", padding: "6px 10px", fontFamily: "var(--sans)", fontSize: "13px", maxWidth: "46ch" },
  ".cm-diagnostic-warning": { borderLeft: "3px solid var(--warn)" },
});
