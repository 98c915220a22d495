// What an error of a cell means to those who come from another library: by its message, and by what
// is written in the line where it arose.

import { memberOf, placeHere, saidOfChains, saidOfLibrary, saidOfTable, tableOf } from "./chains";
import { meaningOf, saidElsewhere } from "./elsewhere";
import { saidOfKernel } from "./kernel-errors";

/** What other libraries are called where they are used. */
const LIBRARIES: ReadonlySet<string> = new Set(["np", "numpy", "jnp", "jax", "torch", "tf", "F", "plt", "pd", "sns", "scipy", "sp", "keras", "optax", "flax", "cv2", "math"]);

/** Members of nothing, in the words of V8, Firefox and Safari, and arguments that are nothing, in
 * the library's. */
const OF_NOTHING = /^Cannot read properties of undefined|^can't access property .* is undefined|^undefined is not an object|\bgot undefined\b|\bis undefined$/;

/** Errors of the library whose words alone do not say what to write. */
const SAID: readonly [RegExp, string][] = [
  [/^csv: line \d+ of column ".*" is no number: /s, 'A tensor has numbers alone: name their columns, as in table.tensor(["height", "weight"]).'],
  [/^[\w.]+: .*\bgot a Complex$/s, "Complex numbers have methods of their own: z.abs(), z.angle(), z.exp(), z.mul(w), z.matmul(w). Other functions take a part of them, z.re or z.im."],
  [/^image: takes a picture, got "/, 'A file is read first: await data.image(await file("photo.png")). Drop a picture on the page to have it.'],
  [/^random\.(?:choice|permutation): .* is a string;/, "Numbers are picked. Of texts, pick the place: words[await random.choice(words.length).item()]."],
  [/^(?:valueAndGrad|grad): takes a function, got /, "The function comes alone, and the model is what its gradient is called with: valueAndGrad((m) => lossOf(m))(model)."],
  [/^step: trees are matched by name.*, and gradients is a tensor$/s, "Gradients are of the first argument, so that it is the model: valueAndGrad((m, x, y) => lossOf(m.forward(x), y))(model, x, y)."],
  [/^slice: axis \d+: an array is not a whole number$/, "Each axis takes one range, not a list of them: x.slice([0, 10], [0, 2]); null takes all of an axis."],
  [/^slice: -?\d+ is not a position on axis \d+ of /, "A number picks one position of an axis, and [start, end] a range of it: x.slice([0, 10])."],
  [/^(?:max|min): (?:axis -?\d+ is out of range for \[\]|an axis is a whole number, not|takes options such as .*, got -?[\d.]+$|takes 3 arguments, got)/s, "The largest of some numbers is Math.max(1, 2), the least Math.min(1, 2); of two tensors, element by element, maximum(a, b) and minimum(a, b)."],
  [/^range: the first argument must be a string/, "range is a control with two ends. Numbers are arange(10), a list of them Array.from({ length: 10 }, (_, i) => i), a loop over them for (let i = 0; i < 10; i++) { … }."],
  [/^input is not a function$/, 'A text from the reader is text("Your name"), a number number("How many").'],
  [/^cannot use 'in' operator to search for/i, 'in asks for the name of a property: write text.includes("a"), or list.includes(3).'],
  [/^at\.get: a mask that is a tensor must be the only index/, "Elements are read by a mask with await extract(mask, x)."],
];

/** What to write; undefined where nothing is known. `line` is where the error arose, and `valueOf`
 * gives what a name stands for. */
export function explained(message: string, line: string, valueOf: (name: string) => unknown): string | undefined {
  const text = message.slice(0, 400);
  const unbound = /^([\w$]+) is not defined$/.exec(text)?.[1] ?? /^Can't find variable: ([\w$]+)$/.exec(text)?.[1];
  if (unbound !== undefined && LIBRARIES.has(unbound)) return saidOfLibrary(unbound, line, valueOf) ?? meaningOf(unbound);
  if (OF_NOTHING.test(text)) return saidOfChains(line, valueOf);
  const inKernel = saidOfKernel(text);
  if (inKernel !== undefined) return inKernel;
  const said = SAID.find(([pattern]) => pattern.test(text));
  if (said) return said[1];
  const own = /^self\.([\w$]+) is not a function$/.exec(text)?.[1];
  if (own !== undefined) return `JavaScript writes this, and a layer is applied by its forward: this.${own}.forward(x).`;
  const [, owner = "", member = ""] = /^([\w$]+)\.([\w$]+) is not a function$/.exec(text) ?? [];
  const table = tableOf(valueOf(owner));
  return (table && saidOfTable(owner, table, member)) ?? saidElsewhere(message, valueOf, line) ?? saidOfMember(text, valueOf);
}

/** A member that is a method of tensors, of what becomes one; or one that tensors lack, as it is a
 * function. */
function saidOfMember(text: string, valueOf: (name: string) => unknown): string | undefined {
  const [, owner = "", member = ""] = /^(.*)\.([\w$]+) is not a function$/s.exec(text) ?? [];
  const value = /^[\w$]+$/.test(owner) ? valueOf(owner) : undefined;
  const of = (name: string) => memberOf(value, name);
  const { prototype } = (valueOf("Tensor") ?? {}) as { prototype?: object };
  if (/[a-z]_$/.test(member) && typeof of("matmul") === "function" && memberOf(prototype, member.slice(0, -1)) !== undefined) return `A tensor never changes: write ${owner} = ${owner}.${member.slice(0, -1)}(…).`;
  if (memberOf(prototype, member) !== undefined && !(member in Object.prototype)) {
    if (Array.isArray(value) || /^\[.*\]$/s.test(owner)) return `A list has no ${member}: write tensor(${owner}).${member}(…).`;
    if ((of("dtype") !== undefined && typeof of("tensor") === "function") || /\.typed\(.*\)$/s.test(owner)) return `A column is computed with as a tensor: ${owner}.tensor().${member}(…).`;
    if (of("im") !== undefined) return `Complex numbers are a pair of tensors: write ${owner}.map((part) => part.${member}(…)), or ${owner}.re.${member}(…) of one part.`;
    return undefined;
  }
  if (typeof of("matmul") !== "function") return undefined;
  // A namespace may have the function's name: `fft.fft`.
  const here = placeHere([member, member], valueOf);
  return here === undefined ? undefined : `It is a function: ${here}(…). F1 shows what it takes.`;
}
