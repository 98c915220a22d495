// Spelling suggestions. Where an error names something that does not exist, this finds the nearest
// name that does: of the library, the notebook or the reader's own code, or among the members of
// the value before the dot.

import type { LibraryName } from "../../protocol/messages";

const LONGEST = 60;

/** The name that an error's message says is not defined, in the words of V8, Firefox or Safari. */
export function unboundName(message: string): string | null {
  const text = message.slice(0, 400);
  return /^([\w$]+) is not defined$/.exec(text)?.[1] ?? /^Can't find variable: ([\w$]+)$/.exec(text)?.[1] ?? null;
}

/** Members that are listed. */
const LISTED = 24;

/** What a value has, where the message names a member that it lacks; null where it has too much to list. */
export function membersSaid(message: string, members: readonly string[]): string | null {
  const owner = /^([\w$]+)\./.exec(message.slice(0, 400))?.[1];
  return owner === undefined || members.length === 0 || members.length > LISTED ? null : `${owner} has ${members.join(", ")}.`;
}

/** The name that was meant by one that an error's message says does not exist; null where none is near. `members` are those of the value that lacks one. */
export function nameMeant(message: string, names: readonly LibraryName[], declared: Iterable<string>, members?: readonly string[]): string | null {
  const text = message.slice(0, 400);
  const unbound = unboundName(text);
  if (unbound !== null) return within(unbound, names) ?? nearest(unbound, [...declared, ...names.map(({ label }) => label)]);
  const notExported = /exports no “([\w$]+)”$/.exec(text);
  if (notExported) return nearest(notExported[1]!, names.map(({ label }) => label));
  const member = /^(.*)\.([\w$]+) is not a (?:function|constructor)\b/s.exec(text);
  if (!member) return null;
  const [, owner = "", name = ""] = member;
  const namespace = names.find(({ label, kind }) => label === owner && kind === "namespace");
  const tensor = names.find(({ label }) => label === "Tensor");
  return nearest(name, members ?? namespace?.members ?? tensor?.members ?? []);
}

/** What other libraries and languages call what is here, and how it is written here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(["np", "numpy", "jnp", "jax", "torch", "tf"].map((name) => [name, `There is no ${name} here: functions have no prefix, as in zeros([3]) and sin(x). F1 lists them.`])),
  plt: "Plots are functions: plot(x, y), scatter(x, y), hist(x), bars(names, values). F1 lists them.",
  pd: 'Drop a CSV on the page, or read one: data.csv(await file("table.csv")).',
  randn: "Normal numbers are random.normal([3]).",
  rand: "Uniform numbers are random.uniform([3]).",
  array: "An array is a tensor here: tensor([1, 2, 3]).",
  imshow: "A tensor is shown as a picture by image(t), as colours with a scale by heatmap(t).",
  show: "The last value of a cell is shown by itself; display(x) shows any other, image(t) a tensor as a picture.",
  bar: "Bars are drawn by bars(names, values).",
  histogram2d: "A scatter of many points counts them in cells: scatter(x, y).",
  len: "Write x.length of a list, t.shape[0] of a tensor.",
  ...Object.fromEntries(["document", "window", "alert", "prompt"].map((name) => [name, `Cells run apart from the page and have no ${name}. They show what they compute by display, image, plot, markdown and controls such as slider and text.`])),
  ...Object.fromEntries(["data.mnist", "data.digits", "data.load"].map((name) => [name, 'Handwritten digits of 8 × 8 pixels are on this site: data.idx(await file("data/digits/train-images-idx3-ubyte.gz")).tensor(), and their labels in data/digits/train-labels-idx1-ubyte.gz.'])),
  "nn.CrossEntropyLoss": "A loss is a function: nn.crossEntropy(logits, labels).",
  "nn.MSELoss": "A loss is a function: mseLoss(prediction, target).",
  blur: "A filter is a few operations, such as a mean of moved copies, or a kernel; the notebook “Image filters” of the gallery has some.",
  ...Object.fromEntries(["axis", "dim", "keepdims"].map((name) => [name, "Arguments have no names in JavaScript: t.sum(0) is the sum along the first axis, and options are an object, as in t.sum(0, { keepdims: true })."])),
  save: 'Files are offered by download({ "notes.txt": "a text" }). A picture is saved by its context menu, a plot by the buttons below it.',
  None: "JavaScript writes null.",
  True: "JavaScript writes true.",
  False: "JavaScript writes false.",
  self: "JavaScript writes this.",
};

/** What to write here for a name of another library; null where the message names none. */
export function saidElsewhere(message: string): string | null {
  const name = unboundName(message) ?? /^((?:data|nn)\.\w+) is not a (?:function|constructor)/.exec(message.slice(0, 400))?.[1] ?? "";
  return Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name]! : null;
}

/** A member of a namespace, where the name alone was written: `nn.Linear` for `Linear`. */
function within(name: string, names: readonly LibraryName[]): string | null {
  // What differs in capitals alone is meant before a member of another name.
  if (name.length < 3 || names.some(({ label }) => label.toLowerCase() === name.toLowerCase())) return null;
  for (const { label, kind, members } of names) {
    const member = kind === "namespace" && label !== "weft" ? members.find((each) => each.toLowerCase() === name.toLowerCase()) : undefined;
    if (member !== undefined) return `${label}.${member}`;
  }
  return null;
}

function nearest(name: string, candidates: Iterable<string>): string | null {
  if (name.length > LONGEST || name.length < 2) return null;
  // Of a short name one letter may be wrong, of a longer one two.
  let best = name.length < 5 ? 1.5 : 2.5;
  let found: string | null = null;
  for (const candidate of candidates) {
    if (candidate === name || Math.abs(candidate.length - name.length) > 2) continue;
    const away = candidate.toLowerCase() === name.toLowerCase() ? 0.5 : distance(name, candidate);
    if (away < best) [best, found] = [away, candidate];
  }
  return found;
}

/** Letters to insert, remove, exchange or swap with their neighbour (Damerau and Levenshtein's restricted distance). */
function distance(a: string, b: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(change, row[j]! + 1, next[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) next[j] = Math.min(next[j]!, before[j - 2]! + 1);
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
