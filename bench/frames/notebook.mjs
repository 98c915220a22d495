// A notebook's animation without the page: its cells run one after the other, with the library, the
// entry of kernels and stand-ins for what the page shows.

import { existsSync, readFileSync } from "node:fs";
import { parse } from "acorn";

/** @typedef {{ x: number, y: number, down: boolean }} Pointer */
/** @typedef {(time: number, frame: number, pointer: Pointer) => import("weft-gpu").Tensor | Promise<import("weft-gpu").Tensor>} Frame */

/** The text of a notebook beside this file, once packed, or in the repository.
 * @param {string} name */
function textOf(name) {
  const places = [`./notebooks/${name}.md`, `../notebooks/${name}.md`, `../../notebooks/${name}.md`].map((place) => new URL(place, import.meta.url));
  const file = places.find((place) => existsSync(place));
  if (!file) throw new Error(`there is no notebook ${name}`);
  return readFileSync(file, "utf8");
}

/** Names that a pattern binds. @param {import("acorn").Pattern} pattern @returns {string[]} */
function names(pattern) {
  switch (pattern.type) {
    case "Identifier": return [pattern.name];
    case "ArrayPattern": return pattern.elements.flatMap((element) => (element ? names(element) : []));
    case "ObjectPattern": return pattern.properties.flatMap((property) => names(property.type === "RestElement" ? property.argument : property.value));
    case "AssignmentPattern": return names(pattern.left);
    case "RestElement": return names(pattern.argument);
    default: return [];
  }
}

/** A cell whose declarations `$known` learns, by which kernels find what they name.
 * @param {string} code */
function withKnownNames(code) {
  let [text, from] = ["", 0];
  for (const node of parse(code, { ecmaVersion: "latest", sourceType: "module", allowAwaitOutsideFunction: true }).body) {
    if (node.type !== "VariableDeclaration" && node.type !== "FunctionDeclaration" && node.type !== "ClassDeclaration") continue;
    const bound = node.type === "VariableDeclaration" ? node.declarations.flatMap(({ id }) => names(id)) : [node.id.name];
    text += `${code.slice(from, node.end)};Object.assign($known, { ${bound.join(", ")} });`;
    from = node.end;
  }
  return text + code.slice(from);
}

/**
 * What a notebook animates. `instead` replaces something in its text, and `choose` says what menus
 * are set to.
 * @param {typeof import("../weft.mjs")} weft @param {string} name
 * @param {{ instead?: [RegExp, string] | undefined, choose?: Record<string, unknown> }} options
 * @returns {Promise<{ frame: Frame, start?: () => unknown }>}
 */
export async function animationOf(weft, name, { instead, choose = {} }) {
  let text = textOf(name);
  if (instead && !instead[0].test(text)) throw new Error(`${name} has no ${instead[0]}`);
  if (instead) text = text.replace(...instead);
  const cells = [...text.matchAll(/^```js[^\n]*\n([\s\S]*?)^```/gm)].map(([, code = ""]) => withKnownNames(code));
  /** @type {Record<string, unknown>} */
  const known = {};
  /** @type {{ frame: Frame, start?: () => unknown } | null} */
  let animation = null;
  const { kernels, kernel: _, ...library } = weft;
  const kernel = kernels.kernelIn((/** @type {string} */ name) => known[name]);
  const value = (/** @type {string} */ _label, /** @type {{ value?: unknown }} */ { value } = {}) => value;
  const page = {
    slider: value, checkbox: value, number: value, color: value,
    select: (/** @type {string} */ label, /** @type {unknown} */ among) => choose[label] ?? Object.values(/** @type {object} */ (among))[0],
    button: () => {}, plot: () => ({ add() {} }), print: console.log, markdown: () => {},
    animate: (/** @type {Frame} */ frame, /** @type {{ start?: () => unknown }} */ { start } = {}) => void (animation = { frame, ...(start ? { start } : {}) }),
  };
  const scope = { ...kernels, ...library, ...page, kernel, $known: known };
  const AsyncFunction = /** @type {FunctionConstructor} */ (Object.getPrototypeOf(async () => {}).constructor);
  await new AsyncFunction(...Object.keys(scope), `{ ${cells.join("\n")}\n}`)(...Object.values(scope));
  if (!animation) throw new Error(`${name} animates nothing`);
  return animation;
}
