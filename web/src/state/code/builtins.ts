// Python's built-in functions, its modules and constants, and the methods of its texts, lists and
// dictionaries, and how JavaScript writes them.

/** One answer to several names. */
export const each = <T>(names: readonly string[], say: (name: string) => T): Record<string, T> => Object.fromEntries(names.map((name) => [name, say(name)]));

/** Functions. */
export const BUILTINS: Readonly<Record<string, string>> = {
  str: "A number as a text is String(3), a text with values in it `loss ${value}`; print shows tensors as they are.",
  int: 'A whole number is Math.trunc(3.5), or parseInt("3"); of a tensor, x.cast("i32").',
  float: 'A number is Number("3.5"); of a tensor, x.cast("f32").',
  bool: 'A truth value is Boolean(3); of a tensor, x.cast("bool").',
  list: "A list of something that a loop can go over is [...values]; of a tensor, await x.array().",
  tuple: "JavaScript has lists in the place of tuples: [1, 2], or [...values].",
  dict: "A dictionary is an object: { a: 1, b: 2 }, or Object.fromEntries(pairs).",
  set: "A set is new Set([1, 2]); of a tensor, await x.uniqueValues().",
  enumerate: "Positions come with the values of a list by list.entries(): for (const [i, value] of list.entries()) { … }",
  zip: "Lists are paired by their positions: a.map((value, i) => [value, b[i]]).",
  map: "Write list.map((value) => value + 1). Of tensors every operation acts on all elements, x + 1, and vmap(f)(x) calls f for each part.",
  filter: "Write list.filter((value) => value > 0); of a tensor, await extract(x > 0, x).",
  sorted: "Write [...list].sort((a, b) => a - b); of a tensor, sort(x).",
  reversed: "Write [...list].reverse(); of a tensor, flip(x, 0).",
  isinstance: 'Write typeof value === "number", Array.isArray(value), or value instanceof Tensor.',
  type: "Write typeof value; of a tensor, x.dtype.",
  open: 'A file that was dropped on the page is read by await file.text("name.txt").',
  ord: 'Write "a".codePointAt(0).',
  chr: "Write String.fromCodePoint(97).",
  hex: "Write (255).toString(16).",
  bin: "Write (5).toString(2).",
  getattr: 'Write value["name"].',
  hasattr: 'Write "name" in value.',
  ...each(["dir", "help", "vars"], () => "F1 shows what there is, and Ctrl+Space after a dot what a value has."),
  ...each(["exit", "quit"], () => "A cell ends at its end, and Stop above it ends it before."),
  pass: "An empty block is { }.",
  next: "Write iterator.next().value.",
  ...each(["Exception", "ValueError", "TypeError", "RuntimeError", "KeyError", "IndexError"], () => 'Write throw new Error("why").'),
  ...each(["f16", "f32", "f64", "i8", "i16", "i32", "i64", "u8", "u32", "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint32", "bfloat16"], () => 'Dtypes are texts: zeros([3], { dtype: "f32" }), x.cast("i32"). There are f32, f16, i32, u32, i8, u8 and bool.'),
  ...each(["pi", "PI"], () => "Write Math.PI."),
  ...each(["inf", "Inf", "infinity"], () => "Write Infinity."),
  nan: "Write NaN.",
  newaxis: "Write null: x.at(null).get(), or expandDims(x, 0).",
  math: "Math has functions of numbers, such as Math.sqrt(2), and Math.PI; functions of tensors have no prefix: sqrt(x).",
  time: "Write performance.now(), in milliseconds. A tensor is computed where it is read: await x.data() before the second time.",
  ...each(["os", "sys", "pathlib", "glob", "shutil", "subprocess"], () => 'Cells see no files or programs of your computer: drop a file on the page, and read it by await file("name.csv").'),
  json: "Write JSON.parse(text) and JSON.stringify(value).",
  re: "Write a regular expression between slashes: text.match(/\\d+/), text.replace(/a/g, \"b\").",
  copy: "Write structuredClone(value), or [...list]; a tensor never changes, and needs no copy.",
  ...each(["itertools", "functools", "collections"], () => "Lists have map, filter, reduce and flatMap; Map and Set are classes: new Map(pairs)."),
  ...each(["tqdm", "trange"], () => "Write for await (const step of progress(1000)) { … }."),
  sns: "Plots are functions: plot(x, y), scatter(x, y), hist(x), heatmap(x). F1 lists them.",
};

/** Constants of NumPy's, PyTorch's and Python's modules. */
export const CONSTANTS: Readonly<Record<string, string>> = { pi: "Math.PI", e: "Math.E", tau: "2 * Math.PI", inf: "Infinity", infty: "Infinity", Inf: "Infinity", nan: "NaN", NaN: "NaN", NAN: "NaN", newaxis: "null", ...each(["float16", "half"], () => '"f16"'), ...each(["float32", "float64", "float", "double", "float_"], () => '"f32"'), ...each(["int32", "int64", "long", "int_", "intp"], () => '"i32"'), int8: '"i8"', uint8: '"u8"', uint32: '"u32"', ...each(["bool", "bool_"], () => '"bool"') };

/** Methods of lists. */
const OF_LISTS: Readonly<Record<string, string>> = {
  append: "push(value)", extend: "push(...others)", insert: "splice(i, 0, value)", index: "indexOf(value)", count: "filter((each) => each === value).length", remove: "splice(list.indexOf(value), 1)", clear: "length = 0", copy: "slice()", len: "length",
};
const OF_TEXTS: Readonly<Record<string, string>> = {
  upper: "toUpperCase()", lower: "toLowerCase()", strip: "trim()", lstrip: "trimStart()", rstrip: "trimEnd()", startswith: 'startsWith("a")', endswith: 'endsWith("a")', find: 'indexOf("a")', index: 'indexOf("a")', splitlines: 'split("\\n")', zfill: 'padStart(5, "0")', rjust: "padStart(5)", ljust: "padEnd(5)", len: "length", isdigit: "match(/^\\d+$/) !== null",
};
const OF_OBJECTS: Readonly<Record<string, string>> = { items: "Object.entries(object)", keys: "Object.keys(object)", values: "Object.values(object)", get: "object.name ?? 0", update: "Object.assign(object, others)", pop: "delete object.name" };

/** What to write for a method that a text, a list or an object lacks; `owner` is as the message has
 * it, and `value` what it stands for where that is known. */
export function saidOfPlain(owner: string, member: string, value: unknown): string | undefined {
  const own = (table: Readonly<Record<string, string>>) => (Object.hasOwn(table, member) ? table[member] : undefined);
  const isText = typeof value === "string" || /^["'`]/.test(owner);
  const isList = Array.isArray(value) || /^\[/.test(owner);
  if (isText) {
    if (member === "join") return 'The list joins: list.join(", ").';
    if (member === "format") return "A text with values in it is `loss ${value}`.";
    return written("text", own(OF_TEXTS));
  }
  if (isList) return written("list", own(OF_LISTS));
  const isObject = typeof value === "object" && value !== null && (Reflect.getPrototypeOf(value) === Object.prototype || Reflect.getPrototypeOf(value) === null);
  if (isObject || /^(?:\{|\(intermediate value\))/.test(owner)) return own(OF_OBJECTS) === undefined ? undefined : `Write ${own(OF_OBJECTS)}.`;
  // A value that cannot be seen from here, such as a variable of a function.
  return value === undefined && /^[\w$]+$/.test(owner) ? (written("list", own(OF_LISTS)) ?? written("text", own(OF_TEXTS)) ?? (own(OF_OBJECTS) && `Write ${own(OF_OBJECTS)}.`)) : undefined;
}

const written = (what: string, instead: string | undefined) => (instead === undefined ? undefined : `Write ${what}.${instead}.`);
