// Exports of the package and their documentation, read from the text of the modules, sources or
// declarations alike: the names that lead to the entry, the comment before each, and its examples.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * @typedef {object} Export
 * @property {string} name As it is called: `sum`, `nn.Linear`.
 * @property {string} kind `function`, `const`, `class`, `interface`, `type` or `namespace`.
 * @property {string} text What its comment says, without tags.
 * @property {string[]} examples The code of each of its examples.
 * @property {string} declaration How it is declared: of a function each of its forms, of a class or
 * interface its members. Of sources, "".
 * @property {string} file Where.
 */

/** Everything that `entry` exports, in its order: each once, under its shortest name.
 * @param {string} entry
 * @returns {Export[]} */
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
  for (const [, comment = "", kind, own] of text.matchAll(declaration)) {
    if (!wanted(own)) continue;
    for (const name of only?.get(own) ?? [own]) {
      const full = prefix + name;
      // A class may have an interface of its name beside it; what is said of the class counts.
      if (!found.has(full) || kind === "class") found.set(full, { name: full, own, file, kind: kind.replace("*", ""), ...readComment(comment), declaration: file.endsWith(".d.ts") ? declarationOf(text, kind, own) : "" });
    }
  }
  for (const [, comment = "", star, list, from] of text.matchAll(passedOn)) {
    const target = resolve(file, from);
    const namespace = /^\* as (\w+)$/.exec(star ?? "")?.[1];
    if (namespace) {
      if (!wanted(namespace)) continue;
      found.set(prefix + namespace, { name: prefix + namespace, own: namespace, file, kind: "namespace", ...readComment(comment), declaration: "" });
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
  `^${comment}export (?:declare |abstract |async |default )*(function\\*?|const|class|interface|type) (\\w+)`,
  "gm",
);
const passedOn = new RegExp(`^${comment}export (?:type )?(?:(\\*(?: as \\w+)?)|\\{([^}]*)\\}) from "([^"]+)"`, "gm");

function resolve(file, specifier) {
  const base = join(dirname(file), specifier.replace(/\.js$/, ""));
  const target = [`${base}.ts`, `${base}.d.ts`].find((path) => existsSync(path));
  if (!target) throw new Error(`${file} exports from ${specifier}, which is not there`);
  return target;
}

/**
 * The text of a comment, and its examples.
 * @param {string} comment What stands between its marks.
 */
export function readComment(comment) {
  const lines = comment.split("\n").map((line) => line.replace(/^\s*\* ?/, "").trimEnd());
  const [text, ...tagged] = lines.join("\n").trim().split(/^@(?=\w)/m);
  const examples = tagged.filter((tag) => tag.startsWith("example")).map((tag) => tag.replace(/^example\s*/, "").replace(/^```\w*\n|\n?```$/gm, "").trim());
  return { text: (text ?? "").trim(), examples };
}

/** Every declaration of this kind and name in a file of declarations, each to its end. */
function declarationOf(text, kind, own) {
  const starts = [...text.matchAll(new RegExp(`^export (?:declare )?((?:abstract )?${kind.replace("*", "")} ${own}\\b)`, "gm"))];
  return starts.map((match) => text.slice(match.index + match[0].length - match[1].length, endOf(text, match.index)).replace(/^ *#private;\n/m, "")).join("\n");
}

/** Where a declaration ends: behind the brace that closes it, or at its semicolon. */
function endOf(text, start) {
  const ends = /^export (?:declare )?(?:abstract )?(class|interface)/.test(text.slice(start)) ? "}" : ";";
  const skipped = /\/\*[^]*?\*\/|"(?:[^"\\]|\\.)*"|=>|[([{<>}\])]|;/g;
  skipped.lastIndex = start;
  let depth = 0;
  for (let match = skipped.exec(text); match; match = skipped.exec(text)) {
    const [at] = match;
    if (/^[([{<]$/.test(at)) depth++;
    if (/^[)\]}>]$/.test(at)) depth--;
    if (depth === 0 && at === ends) return ends === "}" ? match.index + 1 : match.index;
  }
  return text.length;
}
