// What an error of a cell means to those who come from another library: by its message, and by what
// is written in the line where it arose.

import { saidOfChains, saidOfLibrary, saidOfTable, tableOf } from "./chains";
import { meaningOf, saidElsewhere } from "./elsewhere";

/** What other libraries are called where they are used. */
const LIBRARIES: ReadonlySet<string> = new Set(["np", "numpy", "jnp", "jax", "torch", "tf", "F", "plt", "pd", "sns", "scipy", "sp", "keras", "optax", "flax", "cv2"]);

/** Members of nothing, in the words of V8, Firefox and Safari, and arguments that are nothing, in
 * the library's. */
const OF_NOTHING = /^Cannot read properties of undefined|^can't access property .* is undefined|^undefined is not an object|\bgot undefined\b|\bis undefined$/;

/** What to write; undefined where nothing is known. `line` is where the error arose, and `valueOf`
 * gives what a name stands for. */
export function explained(message: string, line: string, valueOf: (name: string) => unknown): string | undefined {
  const text = message.slice(0, 400);
  const unbound = /^([\w$]+) is not defined$/.exec(text)?.[1] ?? /^Can't find variable: ([\w$]+)$/.exec(text)?.[1];
  if (unbound !== undefined && LIBRARIES.has(unbound)) return saidOfLibrary(unbound, line, valueOf) ?? meaningOf(unbound);
  if (OF_NOTHING.test(text)) return saidOfChains(line, valueOf);
  if (/^image: takes a picture, got "/.test(text)) return 'A file is read first: await data.image(await file("photo.png")). Drop a picture on the page to have it.';
  if (/^random\.(?:choice|permutation): .* is a string;/.test(text)) return "Numbers are picked. Of texts, pick the place: words[await random.choice(words.length).item()].";
  const own = /^self\.([\w$]+) is not a function$/.exec(text)?.[1];
  if (own !== undefined) return `JavaScript writes this, and a layer is applied by its forward: this.${own}.forward(x).`;
  const [, owner = "", member = ""] = /^([\w$]+)\.([\w$]+) is not a function$/.exec(text) ?? [];
  const table = tableOf(valueOf(owner));
  return (table && saidOfTable(owner, table, member)) ?? saidElsewhere(message, valueOf);
}
