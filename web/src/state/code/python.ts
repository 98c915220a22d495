// Python in a cell, where the parser gives up, and how JavaScript writes what it says.

import { saidOfSlice } from "./slices";

const FUNCTION = "JavaScript writes a function as function f(x) { return x + 1; }, or const f = (x) => x + 1";
const BRACES = "JavaScript puts a block in braces: if (a > 0) { … } else { … }, while (a > 0) { … }";

/** What a line is, and what to write; a form with groups says it in the line's own words. */
type Form = readonly [RegExp, string | ((...groups: string[]) => string)];

/** Forms of whole lines. */
const LINES: readonly Form[] = [
  [/^\s*(?:from\s+[\w.]+\s+import\b|import\s+[\w.]+(?:\s+as\b|\s*(?:,|$)))/, "Cells are JavaScript, and need no import: functions such as zeros and sin are there, modules in nn, optimizers in optim"],
  [/^\s*(?:async\s+)?def\s+\w+\s*\(/, FUNCTION],
  [/^\s*function\s+\w+\s*\([^)]*\)\s*:/, FUNCTION],
  [/^\s*for\s*\(?\s*(\w+)\s+in\s+range\(\s*([\w.]+)\s*\)/, (name, end) => `JavaScript writes this loop as for (let ${name} = 0; ${name} < ${end}; ${name}++) { … }`],
  [/^\s*for\s*\(?\s*(\w+)\s+in\s+range\(\s*([\w.]+)\s*,\s*([\w.]+)\s*\)/, (name, begin, end) => `JavaScript writes this loop as for (let ${name} = ${begin}; ${name} < ${end}; ${name}++) { … }`],
  [/^\s*for\s*\(?\s*(\w+)\s*,\s*(\w+)\s+in\s+enumerate\(\s*([\w.]+)\s*\)/, (at, name, list) => `JavaScript writes this loop as for (const [${at}, ${name}] of ${list}.entries()) { … }`],
  [/^\s*for\s+[\w, ()]+\s+in\s+\S/, "JavaScript writes a loop as for (let i = 0; i < 10; i++) { … }, or for (const x of list) { … }"],
  [/^\s*(?:elif\b|else\s+if\b.*:\s*$)/, "JavaScript writes else if (a > 0) { … } behind the block in braces"],
  [/^\s*(?:(?:if|while)\b.*:(?:\s|$)|else\s*:)/, BRACES],
  [/^\s*(?:if|while)\s+[^(\s].*\{/, "A condition is in parentheses: if (a > 0) { … }, while (a > 0) { … }"],
  [/^\s*class\s+\w+.*:\s*(?:pass\s*)?$/, "JavaScript puts a block in braces, as in class Net extends nn.Module { forward(x) { … } }"],
  [/^\s*with\s+torch\.(?:no_grad|inference_mode)/, "Gradients are of functions, by grad and valueAndGrad, and nothing else records them: leave the line out"],
  [/^\s*with\s+open\b/, 'JavaScript has no with: a file is read by await file.text("name.txt"), and offered by download({ "name.txt": text })'],
  [/^\s*with\s/, "JavaScript has no with: write what is in its block alone"],
  [/^\s*(?:try|finally)\s*:|^\s*except\b/, "JavaScript writes try { … } catch (error) { … } finally { … }"],
  [/^\s*raise\b/, 'JavaScript writes throw new Error("why")'],
  [/^\s*assert\s+([^,]{1,60})/, (what) => `Write if (!(${what.trim()})) throw new Error("why"); of tensors the truth is await mask.all().item()`],
  [/^\s*print\s+([^(].{0,60})$/, (what) => `print is a function: print(${what.trim()})`],
  [/^\s*(?:global|nonlocal)\s/, "JavaScript needs no declaration here: a function assigns to the variables around it"],
  [/^\s*del\s/, "Names stay as long as their cell: leave the line out. Memory of a tensor is freed by x.dispose()"],
  [/^\s*@\s*jit\b/, "JavaScript has no @ in front of functions: write const f = jit((x) => x + 1)"],
  [/^\s*@\s*\w/, "JavaScript has no @ in front of functions: write const g = wrapper(f)"],
  [/^\s*(?:%{1,2}[a-z]|!(?:pip|conda|apt|ls|wget|curl|git|cat|nvidia-smi)\b)/i, "Cells are JavaScript alone, without commands: leave the line out"],
  [/^\s*(?:const|let|var)\s+(\w+(?:\s*,\s*\w+)+)\s*=\s*([^=\s][^;]{0,60});?$/, (names, value) => `Several values are taken apart in brackets: const [${names}] = ${/^[^()[\]{}]+,/.test(value) ? `[${value.trim()}]` : value.trim()}`],
  [/\bsuper\(\)\s*\.\s*__init__/, "JavaScript writes constructor() { super(); this.layer = new nn.Linear(2, 3); }"],
  [/"""|'''/, "A text of several lines is in backquotes: `…`. A comment is // … or /* … */"],
];

/** Forms within a line. */
const EXPRESSIONS: readonly Form[] = [
  [/\[\s*([^[\]]{1,60}?)\s+for\s+(\w+)\s+in\s+range\(\s*([\w.]+)\s*\)\s*\]/, (value, name, count) => `JavaScript writes this list as Array.from({ length: ${count} }, (_, ${name}) => ${value})`],
  [/\[\s*([^[\]]{1,60}?)\s+for\s+(\w+)\s+in\s+([\w.]+)\s*\]/, (value, name, list) => `JavaScript writes this list as ${list}.map((${name}) => ${value})`],
  [/\[\s*([^[\]]{1,60}?)\s+for\s+(\w+)\s+in\s+([\w.]+)\s+if\s+([^[\]]{1,60}?)\s*\]/, (value, name, list, condition) => `JavaScript writes this list as ${list}.filter((${name}) => ${condition})${value === name ? "" : `.map((${name}) => ${value})`}`],
  [/\{[^{}]{1,80}:[^{}]{1,80}\sfor\s/, "JavaScript writes this object as Object.fromEntries(list.map((x) => [key, value]))"],
  [/[[({][^[\](){}]{1,80}\sfor\s+\w[\w, ]{0,40}\sin\s/, "JavaScript writes this list as list.map((x) => x + 1), or list.filter((x) => x > 0)"],
  [/\blambda\s+(\w+(?:\s*,\s*\w+)*)\s*:\s*([^,;)]{1,60})/, (names, value) => `JavaScript writes this function as (${names}) => ${value.trim()}`],
  [/\blambda\b[^:]{0,60}:/, "JavaScript writes a function without a name as (x) => x + 1"],
  [/\bf(?:"([^"`]{0,80})"|'([^'`]{0,80})')/, (a, b) => `JavaScript writes this text as \`${withValues(a ?? b ?? "")}\``],
  [/\bf["']/, "JavaScript writes a text with values in it as `loss ${value}`"],
  [/(?:^|[=(,[{]|\breturn\b|=>)\s*([^=(,[{;]{1,40}?)\s+if\s+(.{1,40}?)\s+else\s+([^,;)\]}]{1,40})/, (yes, condition, no) => `JavaScript writes this choice as ${condition} ? ${yes.trim()} : ${no.trim()}; element by element, where(mask, a, b)`],
];

/** The text of an f-string between backquotes. Of formats digits are kept. */
const withValues = (text: string) => text.replace(/\{([^{}:!]+)(?:![rsa])?(?::(?:[^{}]*?\.(\d+)f)?[^{}]*)?\}/g, (_, value: string, digits?: string) => (digits === undefined ? `\${${value}}` : `\${${value}.toFixed(${digits})}`));

/** Forms by what is in front of the place where the parser gave up, and by what is there. */
const PLACES: readonly (readonly [before: RegExp, there: RegExp, said: string])[] = [
  [/#$/, /^/, "A comment begins with //"],
  [/^/, /^#/, "A comment begins with //"],
  [/\bis\s+not\s+$/, /^/, "JavaScript writes x !== null, or a !== b: whether two are not one and the same"],
  [/^/, /^is\s+not\b/, "JavaScript writes x !== null, or a !== b: whether two are not one and the same"],
  [/^/, /^is\b/, "JavaScript writes x === null, or a === b: whether two are one and the same"],
  [/^/, /^not\s+in\b/, "JavaScript writes !list.includes(x); of tensors, isIn(x, values).logicalNot()"],
  [/\bnot\s+$/, /^/, "JavaScript writes !x for a truth value, x.logicalNot() for a tensor"],
  [/^/, /^@/, "JavaScript has no @: a product of matrices is a.matmul(b)"],
  [/(?:^|[=(,[:?])\s*[-+]\s*[\w$.()]+\s*$/, /^\*\*/, "A sign in front of a power needs parentheses: -(x ** 2), or (-x) ** 2"],
  [/[([{,]\s*$/, /^\*\*/, "Options are an object, and those of another are taken over by three dots: f({ ...options })"],
  [/[([{,]\s*$/, /^\*/, "A list is spread by three dots: f(...list), [...a, ...b]"],
  [/:$/, /^=/, "JavaScript has no :=: write const x = … on a line of its own"],
  [/-\s*$/, /^>/, "JavaScript writes a function as (x) => x + 1"],
  [/<\s*$/, /^>/, "JavaScript writes !== where two are different"],
  [/\br$/, /^["']/, "JavaScript writes a text without escapes as String.raw`\\d`"],
  [/\br?b$/, /^["']/, 'Bytes of a text are new TextEncoder().encode("abc")'],
  [/["']\s+$/, /^["']/, "Texts are joined by +"],
  [/\d$/, /^j\b/i, "Complex numbers are new Complex(re, im), of numbers or tensors"],
  [/\d$/, /^[A-Za-z_]/, "A product has a sign, as 2 * x, and a name begins with a letter"],
  [/\{[^{}]*\w\s*$/, /^=(?!=)/, "Keys and their values have a colon between them: { a: 3 }"],
];

/** How two truth values are joined. */
function saidOfWords(before: string, there: string): string | undefined {
  const word = /^(and|or)\b/.exec(there)?.[1];
  if (word === undefined) return undefined;
  const [numbers, tensors] = word === "and" ? ["&&", "&"] : ["||", "|"];
  const [a, b] = [/(?<![\w$.)\]])[\w$.]{1,30}\s*$/.exec(before)?.[0].trim() ?? "a", /^\w+\s+([\w$.]{1,30})\s*(?:[;)\],]|$)/.exec(there)?.[1] ?? "b"];
  return `JavaScript writes ${a} ${numbers} ${b}; for tensors, element by element, ${a} ${tensors} ${b}`;
}

/** Characters of a line that are looked at, on either side of the place. */
const NEAR = 300;

/** How to write what the parser refuses at a place, where it is Python's; undefined where it is
 * not. */
export function saidOfPython(source: string, pos: number): string | undefined {
  const [begin, end] = [source.lastIndexOf("\n", pos - 1) + 1, source.indexOf("\n", pos)];
  const line = source.slice(Math.max(begin, pos - NEAR), Math.min(end < 0 ? source.length : end, pos + NEAR));
  const at = pos - Math.max(begin, pos - NEAR);
  return said(LINES, line) ?? saidOfSlice(source, pos) ?? said(EXPRESSIONS, line) ?? placed(line.slice(0, at), line.slice(at));
}

const placed = (before: string, there: string) => saidOfWords(before, there) ?? PLACES.find(([front, rest]) => front.test(before) && rest.test(there))?.[2];

function said(forms: readonly Form[], line: string): string | undefined {
  for (const [form, say] of forms) {
    const found = form.exec(line);
    if (found) return typeof say === "string" ? say : say(...(found.slice(1) as string[]));
  }
  return undefined;
}
