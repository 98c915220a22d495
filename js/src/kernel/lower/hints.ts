// Advice for names that a kernel does not know: what to write instead.

/** Names of a page or of Node that somebody may want in a kernel, and what to do instead. */
const ELSEWHERE: Record<string, string> = {
  console: "Write print(i, x), whose line is shown with the invocation's index.",
  Float64Array: "There are no 64-bit floats: write new Float32Array(n).",
  Date: "Pass the time as an argument.",
  performance: "Pass the time as an argument.",
  JSON: "A kernel computes with numbers alone.",
  String: "A kernel computes with numbers alone.",
  Map: "A kernel has arrays of a fixed length: new Array(9).fill(0).",
  Set: "A kernel has arrays of a fixed length: new Array(9).fill(0).",
  arguments: "Name the parameters.",
  parseInt: "Write Math.trunc(x).",
  parseFloat: "Write Math.fround(x).",
};

/** What a tool for coverage or a bundler adds to a function. */
const INSTRUMENTED = /^(cov_\w+|__cov\w*|__coverage__|_?_?vite\w*|__webpack\w*|_?_?istanbul\w*|\$coverage\w*)/;

/** What to write in the place of `name`; `known` are the names that there are. */
export function hintOf(name: string, known: readonly string[]): string {
  if (INSTRUMENTED.test(name)) return "A tool has added it to the function's source, for coverage or modules: leave this file out of its work.";
  if (Object.hasOwn(ELSEWHERE, name)) return ELSEWHERE[name] as string;
  const near = known.find((other) => other.toLowerCase() === name.toLowerCase() || (name.length > 3 && (differByOne(other, name) || sameLetters(other, name))));
  if (near) return `Did you mean \`${near}\`?`;
  return `A kernel sees its parameters, Math, and what you give it by name: kernel((…, { ${name} }) => …, { with: { ${name} } })`;
}

/** Whether the letters are the same in another order. */
function sameLetters(a: string, b: string): boolean {
  return [...a].sort().join() === [...b].sort().join();
}

/** Whether one letter was changed, added or left out. */
function differByOne(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  return restA.slice(1) === restB.slice(1) || restA === restB.slice(1) || restA.slice(1) === restB;
}
