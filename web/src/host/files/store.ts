// Storage of notebooks' files in the page's database: one row for each file, under the notebook's
// key and the file's name.

import type { FileStore, NotebookFile } from "../../state/files/files";
import { KIND_NAMES } from "../../state/files/kinds";
import { answer, ofNotebook, transact } from "../database";

function isFile(value: unknown): value is NotebookFile {
  const { name, kind, size, kept, content } = (value ?? {}) as Record<string, unknown>;
  return typeof name === "string" && typeof kind === "string" && Object.hasOwn(KIND_NAMES, kind) && typeof size === "number" && typeof kept === "boolean" && (content === null || content instanceof Blob);
}

export const fileStore: FileStore = {
  list: (notebook) => transact(["files"], "readonly", async (table) => (await answer<unknown[]>(table("files").getAll(ofNotebook(notebook)))).filter(isFile)),
  put: async (notebook, file) => void (await transact(["files"], "readwrite", (table) => answer(table("files").put({ notebook, ...file })))),
  remove: (notebook, name) => transact(["files"], "readwrite", (table) => answer(table("files").delete([notebook, name]))),
};

/** Keeps nothing: within another page, files last as long as the page does. */
export const noStore: FileStore = {
  list: () => Promise.resolve([]),
  put: () => Promise.reject(new Error("nothing is kept within another page")),
  remove: () => Promise.resolve(),
};
