// Names joined by dots, such as `df.price.mean`, in the line where an error arose: which of them is
// missing, and what to write in its place. The value of an error's owner is not in its message.

import { CONSTANTS, each } from "./builtins";
import { meaningOf } from "./elsewhere";

/** Characters of a line that are looked at, and names of a chain. */
const LONGEST = 2_000;
const DEEPEST = 6;

const LINK = /(?:\s*\??\.\s*([A-Za-z_$][\w$]*)|\s*\[\s*(?:"([^"\\]{1,80})"|'([^'\\]{1,80})')\s*\])/y;

/** The chains of a line, in order. */
export function chainsIn(line: string): string[][] {
  const text = line.slice(0, LONGEST);
  const chains: string[][] = [];
  const root = /(?<![\w$.])[A-Za-z_$][\w$]*/g;
  for (let found = root.exec(text); found; found = root.exec(text)) {
    const chain = [found[0]];
    LINK.lastIndex = root.lastIndex;
    for (let link = LINK.exec(text); link && chain.length <= DEEPEST; link = LINK.exec(text)) {
      chain.push((link[1] ?? link[2] ?? link[3])!);
      root.lastIndex = LINK.lastIndex;
    }
    if (chain.length > 1) chains.push(chain);
  }
  return chains;
}

/** A property of a value or of what it inherits from, without calling anything of the cells';
 * undefined also where that cannot be seen. */
export function memberOf(value: unknown, name: string): unknown {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined;
  for (let at: object | null = value, depth = 0; at && depth < 8; at = Reflect.getPrototypeOf(at), depth++) {
    const own = Reflect.getOwnPropertyDescriptor(at, name);
    if (own) return own.get ? UNSEEN : own.value;
  }
  return undefined;
}
const UNSEEN = Symbol();

interface Table {
  readonly names: readonly string[];
}
/** A value as what `data.csv` gives; null where it is something else. */
export function tableOf(value: unknown): Table | null {
  const names = memberOf(value, "names");
  return Array.isArray(names) && typeof memberOf(value, "typed") === "function" && names.every((name) => typeof name === "string") ? { names: names as string[] } : null;
}
const isTensor = (value: unknown) => typeof memberOf(value, "matmul") === "function" && typeof value === "object";

/** What pandas calls a property or a method of a table, and what is written here. */
const OF_TABLES: Readonly<Record<string, (table: string) => string>> = {
  columns: (table) => `The names of the columns are ${table}.names.`,
  shape: (table) => `A table has ${table}.length rows and ${table}.names.length columns.`,
  values: (table) => `Numbers come as a tensor: ${table}.tensor().`,
  loc: (table) => `Rows are taken of a tensor: ${table}.tensor().slice([0, 5]).`,
  iloc: (table) => `Rows are taken of a tensor: ${table}.tensor().slice([0, 5]).`,
  to_numpy: (table) => `Numbers come as a tensor: ${table}.tensor().`,
  numpy: (table) => `Numbers come as a tensor: ${table}.tensor().`,
  ...each(["dropna", "isna", "isnull", "notna"], () => (table: string) => `Missing numbers are NaN: const t = ${table}.tensor(["name", …]), and await extract(t.isfinite().all(1), t) has the rows without.`),
  fillna: (table) => `Missing numbers are NaN: ${table}.tensor(["name", …]).nanToNum(0) has 0 in their places.`,
  ...each(["filter", "query", "map", "forEach", "iterrows", "groupby"], () => (table: string) => `Rows are lists of texts: ${table}.rows.filter((row) => row[0] === "yes"). Numbers are chosen as a tensor: await extract(mask, t).`),
  plot: () => "Plots are functions: plot(x, y), scatter(x, y), hist(x), bars(names, values).",
};
const STATISTICS = new Set(["mean", "sum", "min", "max", "std", "var", "median", "describe"]);

/** What a table is asked for by a name that it lacks. */
export function saidOfTable(written: string, { names }: Table, name: string): string | undefined {
  if (Object.hasOwn(OF_TABLES, name)) return OF_TABLES[name]!(written);
  if (STATISTICS.has(name)) return `Columns of numbers come as a tensor, which has them: ${written}.tensor(["name", …]).${name === "describe" ? "mean" : name === "var" ? "variance" : name}(0); nanmean(0) and the like pass over missing values.`;
  const column = names.includes(name) ? name : names.find((each) => each.toLowerCase() === name.toLowerCase());
  const quoted = JSON.stringify((column ?? names[0] ?? "name").slice(0, 60));
  const how = `${written}.typed(${quoted}) for a plot, ${written}.tensor([${quoted}]) to compute with`;
  return column === undefined ? undefined : `A column is read by its name: ${how}.`;
}

const OF_TENSORS: Readonly<Record<string, (tensor: string) => string>> = {
  grad: () => "A tensor keeps no gradient: grad(f)(x) gives it, and valueAndGrad(f)(x) the value beside it.",
  device: () => "All tensors are on one device; the badge at the top chooses it.",
  values: (tensor) => `Values are read by await ${tensor}.data(), or as lists by await ${tensor}.array().`,
};

/** What to write for the first chain of a line that asks a value of the cells for something that it
 * has not. `valueOf` gives what a name stands for. */
export function saidOfChains(line: string, valueOf: (name: string) => unknown): string | undefined {
  for (const chain of chainsIn(line)) {
    let value = valueOf(chain[0]!);
    for (let at = 1; at < chain.length && value !== undefined && value !== UNSEEN; at++) {
      const [name, owner, written] = [chain[at]!, value, chain.slice(0, at).join(".")];
      value = memberOf(owner, name);
      if (value !== undefined) continue;
      const table = tableOf(owner);
      const said = table ? saidOfTable(written, table, name) : isTensor(owner) ? (Object.hasOwn(OF_TENSORS, name) ? OF_TENSORS[name]!(written) : undefined) : (meaningOf(`${written}.${name}`) ?? elsewhereWithin(owner, chain.slice(at), valueOf));
      if (said !== undefined) return said;
    }
  }
  return undefined;
}

/** What to write for a method of tensors that a line ends with and does not call. */
export function saidOfMethod(line: string, value: unknown, valueOf: (name: string) => unknown): string | undefined {
  const name = /\.([A-Za-z_$][\w$]*)[\s)]*$/.exec(line)?.[1];
  const { prototype } = (valueOf("Tensor") ?? {}) as { prototype?: object };
  if (name === undefined || typeof value !== "function" || memberOf(prototype, name) !== value) return undefined;
  return `${name} is a method: call it, as in ${["item", "array", "data"].includes(name) ? "await " : ""}x.${name}().`;
}

const plain = (name: string) => name.replaceAll("_", "").toLowerCase();
/** Namespaces in which a name of another library may be found. */
const NAMESPACES = ["", "nn", "optim", "random", "linalg", "fft", "special", "data"];

/** Where a name of another library's namespaces is here, whatever its capitals and underscores. */
export function placeHere(names: readonly string[], valueOf: (name: string) => unknown): string | undefined {
  const wanted = plain(names.at(-1) ?? "");
  if (wanted.length < 2) return undefined;
  const within = names.length > 1 ? [names.at(-2)!, ...NAMESPACES] : NAMESPACES;
  for (const namespace of within) {
    const owner = namespace === "" ? undefined : valueOf(namespace);
    const found = namespace === "" ? (valueOf("weft") as object | undefined) : owner;
    if (typeof found !== "object" || found === null) continue;
    // `nn.conv2d` and `nn.Conv2d` differ in capitals alone.
    const keys = Object.keys(found);
    const name = keys.find((each) => each.replaceAll("_", "") === names.at(-1)!.replaceAll("_", "")) ?? keys.find((each) => plain(each) === wanted);
    if (name !== undefined) return namespace === "" ? name : `${namespace}.${name}`;
  }
  return undefined;
}

function elsewhereWithin(owner: unknown, names: readonly string[], valueOf: (name: string) => unknown): string | undefined {
  // An object of the reader's own has the members that it has.
  if (!NAMESPACES.some((name) => name !== "" && valueOf(name) === owner)) return undefined;
  const here = placeHere(names, valueOf);
  return here === undefined ? undefined : `Here it is ${here}.`;
}

/** Libraries that draw, and what is called there as here. */
const PLOTS_ELSEWHERE: ReadonlySet<string> = new Set(["plt", "sns"]);
const PLOTS: ReadonlySet<string> = new Set(["plot", "scatter", "hist", "contour", "heatmap"]);

/** What a name of another library, such as `np` of `np.linspace`, is followed by in a line, and
 * where that is here. */
export function saidOfLibrary(name: string, line: string, valueOf: (name: string) => unknown): string | undefined {
  const chain = chainsIn(line).find(([root]) => root === name);
  if (!chain) return undefined;
  const last = chain.at(-1)!;
  if (chain.length === 2 && Object.hasOwn(CONSTANTS, last)) return `${chain.join(".")} is ${CONSTANTS[last]} here.`;
  if (PLOTS_ELSEWHERE.has(name)) return PLOTS.has(last) ? `${chain.join(".")} is ${last} here.` : meaningOf(last);
  const here = placeHere(chain.slice(1), valueOf);
  // Python's own functions are of numbers.
  if (name === "math" && memberOf(Math, last) !== undefined) return `${chain.join(".")} is Math.${last} here${here === undefined ? "" : `; of tensors, ${here}`}.`;
  return here === undefined ? (meaningOf(chain.slice(1).join(".")) ?? meaningOf(last)) : `${chain.join(".")} is ${here} here.`;
}
