// Reading of notebooks in any format that the page knows: Markdown, Jupyter notebooks, pages and
// modules that it exported. A name that ends in `.md` says that it is Markdown; otherwise the
// content decides, since what comes from the web may have any name.

import { checkText, LIMITS, TooLarge } from "../limits";
import { parseNotebook, serializeNotebook } from "../notebook/notebook";
import type { SavedCell } from "../run/saved";
import { BadNotebook } from "./bad-notebook";
import { CARRIER, readHtml } from "./html-read";
import { readIpynb } from "./ipynb-read";
import { CARRIED, isModule, readModule } from "./module-read";

export interface ReadNotebook {
  readonly markdown: string;
  /** What the file says that its code cells showed, in their order. */
  readonly shown: readonly (SavedCell | null)[];
  /** What the reader should know of how the file was read; "" where there is nothing. */
  readonly note: string;
}

const plain = (markdown: string, note = ""): ReadNotebook => ({ markdown, shown: [], note });

/** Whether a page or a module is one that the page exported. */
export const isExport = (text: string): boolean => text.includes(CARRIER) || text.includes(`\n${CARRIED}`);

/** Throws `BadNotebook` where the text is no notebook, `TooLarge` where no page can show it. */
export async function readNotebookFile(text: string, name = ""): Promise<ReadNotebook> {
  if (text.length > LIMITS.file) throw new TooLarge(`It has ${(text.length / 1e6).toFixed(1)} million characters; a file can have at most ${LIMITS.file / 1e6} million.`);
  const head = text.slice(0, 2_000).replace(/^\uFEFF/, "").trimStart();
  if (/\.(md|markdown|txt)$/i.test(name)) return checked(text);
  if (head.startsWith("{") || /\.ipynb$/i.test(name)) return readJson(text, name);
  if (/^<(!doctype html|html|head|meta)\b/i.test(head)) return checked(readHtml(text));
  if (/\.[cm]?js$/i.test(name) || (/^(\/[/*]|import\b)/.test(head) && isModule(text))) {
    const { cells, edited } = await readModule(text);
    return checked(serializeNotebook(cells), edited ? "The module was edited after it was exported, so its cells are read from its text." : "");
  }
  return checked(text);
}

function checked(markdown: string, note = ""): ReadNotebook {
  checkText(markdown);
  return plain(markdown, note);
}

function readJson(text: string, name: string): ReadNotebook {
  // A text in Markdown may begin with a brace.
  if (name === "" && !/"nbformat"|"cells"/.test(text) && !isJson(text)) return checked(text);
  const cells = readIpynb(text);
  const markdown = serializeNotebook(cells.map(({ cell }) => cell));
  checkText(markdown);
  const code = cells.filter(({ cell }) => cell.kind === "code");
  // Written and read, cells are trimmed: what they showed belongs to that text.
  const parsed = parseNotebook(markdown).filter(({ kind }) => kind === "code");
  if (parsed.length !== code.length) throw new BadNotebook("It is not clear where its cells begin and end.");
  return { markdown, shown: code.map(({ shown }, at) => shown && { ...shown, source: parsed[at]!.source }), note: "" };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
