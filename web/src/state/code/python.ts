// Lines of Python in a cell, and how JavaScript writes what they say.

const FORMS: readonly [RegExp, string][] = [
  [/^\s*(?:from\s+[\w.]+\s+import\b|import\s+[\w.]+(?:\s+as\b|\s*$))/, "Cells are JavaScript, and need no import: functions such as zeros and sin are there, modules in nn, optimizers in optim"],
  [/^\s*(?:async\s+)?def\s+\w+\s*\(/, "JavaScript writes a function as function f(x) { return x + 1; }, or const f = (x) => x + 1"],
  [/^\s*for\s+[\w, ]+\s+in\s.*:\s*$/, "JavaScript writes a loop as for (let i = 0; i < 10; i++) { … }, or for (const x of list) { … }"],
  [/^\s*(?:if|elif|while)\s.*:\s*$|^\s*else\s*:\s*$/, "JavaScript writes if (a > 0) { … } else { … } and while (a > 0) { … }"],
  [/^\s*(?:class\s+\w+.*|with\s.*|try\s*|except\b.*):\s*$/, "JavaScript puts a block in braces, as in class Net extends nn.Module { forward(x) { … } }"],
  [/\blambda\b[\w\s,]*:/, "JavaScript writes a function without a name as (x) => x + 1"],
  [/^\s*#/, "A comment begins with //"],
  [/\bf(?:"[^"]*"|'[^']*')/, "JavaScript writes a text with values in it as `loss ${value}`"],
];

/** How to write a line that the parser refuses and that is Python's; undefined where it is not. */
export const saidOfPython = (line: string): string | undefined => FORMS.find(([form]) => form.test(line.slice(0, 500)))?.[1];
