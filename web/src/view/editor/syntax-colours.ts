// Syntax highlighting by classes. The editor's styles and the page's both give them their colours:
// code looks the same with its editor and before it.

import { tagHighlighter, tags } from "@lezer/highlight";

export const syntaxColours = tagHighlighter([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], class: "tok-keyword" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], class: "tok-string" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], class: "tok-number" },
  { tag: tags.comment, class: "tok-comment" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], class: "tok-function" },
  { tag: [tags.definition(tags.variableName), tags.className], class: "tok-plain" },
  { tag: [tags.punctuation, tags.operator, tags.bracket], class: "tok-mark" },
]);
