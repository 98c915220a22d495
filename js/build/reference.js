// Reference of the package, made from its declarations: every export with its documentation, its
// types and its examples.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { exportsOf } from "./docs.js";

/** The parts, in the order in which they are read: a title, and which names are in it. The first
 * that takes a name has it. */
const PARTS = [
  ["Networks: `nn`", /^nn\b/],
  ["Optimizers: `optim`", /^optim\b/],
  ["Random numbers: `random`", /^random\b/],
  ["Data: `data`", /^data\b/],
  ["Drawing: `canvas`", /^canvas\b/],
  ["Errors", /Error$/],
  ["Types", null],
  ["Functions and classes", /./],
];

/** Where kernels are. */
const KERNELS = "Kernels: `weft-gpu/kernel`";

/** The reference of what the declarations `entry` and `kernels`, the second entry, lead to, as
 * Markdown.
 * @param {string} entry
 * @param {string} kernels */
export function reference(entry, kernels) {
  const parts = new Map(PARTS.map(([title]) => [title, []]));
  const isMethod = methodsOf(entry);
  for (const each of exportsOf(entry)) {
    const [title] = PARTS.find(([, names]) => (names ? names.test(each.name) : each.kind === "type" || each.kind === "interface"));
    parts.get(title).push(each);
  }
  const own = new Set(exportsOf(entry).map(({ name }) => name));
  parts.set(KERNELS, exportsOf(kernels).filter(({ name }) => !own.has(name)));
  const order = ["Functions and classes", KERNELS, ...PARTS.map(([title]) => title).filter((title) => title !== "Functions and classes")];
  const sections = order.map((title) => {
    const entries = parts.get(title);
    const links = entries.map(({ name }) => `[\`${name}\`](#${anchor(name)})`).join(" · ");
    return `## ${title}\n\n${links}\n\n${entries.map((each) => section(each, isMethod(each))).join("\n")}`;
  });
  return `# weft-gpu: reference\n\nOperations are functions, and many are methods of tensors too, where it is said: \`add(x, y)\` is \`x.add(y)\`. In the examples a comment says\nwhat a line gives; names are exports of \`weft-gpu\` and, those of kernels, of \`weft-gpu/kernel\`.\n\n${sections.join("\n")}`;
}

/** Whether an export is a method too: the modules that `start/methods` lists are, but for what it
 * omits. */
function methodsOf(entry) {
  const folder = join(dirname(entry), "start");
  const text = readFileSync(join(folder, "methods.d.ts"), "utf8");
  const omitted = new Set(Array.from(text.matchAll(/Omit<typeof \w+, "(\w+)">/g), ([, name]) => name));
  const modules = Array.from(text.matchAll(/^import (?:type )?\* as \w+ from "(.+)\.js"/gm), ([, path]) => join(folder, `${path}.d.ts`));
  const place = ({ file, own }) => `${file}:${own}`;
  const methods = new Set(modules.flatMap(exportsOf).filter(({ kind, own }) => (kind === "function" || kind === "const") && !omitted.has(own)).map(place));
  return (each) => methods.has(place(each));
}

function section({ name, text, declaration, examples }, isMethod) {
  const code = (body) => `\`\`\`ts\n${body}\n\`\`\`\n`;
  const parts = [`### <a id="${anchor(name)}"></a>\`${name}\`\n`, `${text}\n`];
  if (isMethod) parts.push("Also a method of tensors.\n");
  if (declaration) parts.push(code(declaration));
  for (const example of examples) parts.push(`Example:\n\n${code(example)}`);
  return parts.join("\n");
}

/** Names differ in case alone (`Tensor`, `tensor`); anchors must not. */
function anchor(name) {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll(".", "-dot-");
}
