// Files dropped on the page, as a hand would drop them.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** @typedef {{ name: string, text?: string, base64?: string }} Dropped */

/** Drops files on what a selector finds.
 * @param {import("playwright-core").Page} page
 * @param {Dropped[]} files
 * @param {string} [on] */
export const drop = (page, files, on = "main") =>
  page.evaluate(
    ([given, selector]) => {
      const dataTransfer = new DataTransfer();
      for (const { name, text, base64 } of given) {
        const content = base64 === undefined ? (text ?? "") : Uint8Array.fromBase64(base64);
        dataTransfer.items.add(new File([content], name));
      }
      const target = document.querySelector(selector);
      for (const type of ["dragover", "drop"]) target?.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, composed: true }));
    },
    /** @type {const} */ ([files, on]),
  );

/** Files of `fixtures/files`. @param {string[]} names @returns {Promise<Dropped[]>} */
export const fixtures = (names) =>
  Promise.all(names.map(async (name) => ({ name, base64: (await readFile(fileURLToPath(new URL(`../fixtures/files/${name}`, import.meta.url)))).toString("base64") })));
