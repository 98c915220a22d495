// What does the package export, and what is said of each? Read from the text of the modules, sources or declarations alike: which names
// lead to the entry, the comment before each, and its examples.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * @typedef {object} Export
 * @property {string} name As it is called: `sum`, `nn.Linear`.
 * @property {string} kind `function`, `const`, `class`, `interface`, `type` or `namespace`.
 * @property {string} text What its comment says, without tags.
 * @property {string[]} examples The code of each of its examples.
 * @property {string} signature How it is declared, up to what follows the name and its types.
 * @property {string} file Where.
 */

/** Everything that `entry` exports, in its order: each once, under its shortest name. @param {string} entry @returns {Export[]} */
export function exportsOf(entry) {
  const found = new Map();
  walk(entry, "", null, found);
  const places = new Map();
  for (const each of found.values()) {
    const place = `${each.file}:${each.own}`;
    const other = places.get(place);
    if (!other || each.name.length < other.name.length) places.set(place, each);
  }
  return [...places.values()];
}

/** Adds what `file` exports (of it, what `only` names) under `prefix`. */
function walk(file, prefix, only, found) {
  const text = readFileSync(file, "utf8");
  const wanted = (name) => only === null || only.has(name);
  for (const [, comment = "", head, kind, own] of text.matchAll(declaration)) {
    if (!wanted(own)) continue;
    for (const name of only?.get(own) ?? [own]) {
      const full = prefix + name;
      // A class may have an interface of its name beside it; what is said of the class counts.
      if (!found.has(full) || kind === "class") found.set(full, { name: full, own, file, kind: kind.replace("*", ""), ...read(comment), signature: signatureAt(text, head) });
    }
  }
  for (const [, comment = "", star, list, from] of text.matchAll(passedOn)) {
    const target = resolve(file, from);
    const namespace = /^\* as (\w+)$/.exec(star ?? "")?.[1];
    if (namespace) {
      if (!wanted(namespace)) continue;
      found.set(prefix + namespace, { name: prefix + namespace, own: namespace, file, kind: "namespace", ...read(comment), signature: "" });
      walk(target, `${prefix}${namespace}.`, null, found);
    } else if (star) {
      walk(target, prefix, only, found);
    } else {
      const names = list.split(",").map((part) => part.replace(/\btype\b/, "").trim()).filter(Boolean);
      const chosen = new Map();
      for (const [original, alias = original] of names.map((part) => part.split(/\s+as\s+/))) {
        if (wanted(alias)) chosen.set(original, [...(chosen.get(original) ?? []), alias]);
      }
      if (chosen.size > 0) walk(target, prefix, chosen, found);
    }
  }
}

const comment = String.raw`(?:\/\*\*((?:(?!\*\/)[^])*)\*\/\s*)?`;
const declaration = new RegExp(
  `^${comment}(export (?:declare |abstract |async |default )*(function\\*?|const|class|interface|type) (\\w+))`,
  "gm",
);
const passedOn = new RegExp(`^${comment}export (?:type )?(?:(\\*(?: as \\w+)?)|\\{([^}]*)\\}) from "([^"]+)"`, "gm");

function resolve(file, specifier) {
  const base = join(dirname(file), specifier.replace(/\.js$/, ""));
  const target = [`${base}.ts`, `${base}.d.ts`].find((path) => existsSync(path));
  if (!target) throw new Error(`${file} exports from ${specifier}, which is not there`);
  return target;
}

/** The text of a comment, and its examples. */
function read(comment) {
  const lines = comment.split("\n").map((line) => line.replace(/^\s*\* ?/, "").trimEnd());
  const [text, ...tagged] = lines.join("\n").trim().split(/^@(?=\w)/m);
  const examples = tagged.filter((tag) => tag.startsWith("example")).map((tag) => tag.replace(/^example\s*/, "").replace(/^```\w*\n|\n?```$/gm, "").trim());
  return { text: (text ?? "").trim(), examples };
}

/** A declaration without its body: to the brace or the semicolon that ends its head. */
function signatureAt(text, head) {
  const start = text.indexOf(head);
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const at = text[i];
    if ("({[".includes(at)) {
      if (at === "{" && depth === 0 && /\b(class|interface|function)\b/.test(head) && text[i - 2] !== ":") return text.slice(start, i).trim();
      depth++;
    } else if (")}]".includes(at)) depth--;
    else if (at === ";" && depth === 0) return text.slice(start, i).trim();
  }
  return head;
}
