// Formatting of code, by Prettier, which is fetched when it is first asked for.

import * as acorn from "prettier/plugins/acorn";
import * as estree from "prettier/plugins/estree";
import { format } from "prettier/standalone";
import type { Plugin } from "prettier";

/** The code in the usual form. Rejected where it cannot be read. */
export async function formatCode(source: string): Promise<string> {
  const text = await format(source, { parser: "acorn", plugins: [acorn, estree as Plugin], printWidth: 90 });
  return text.trimEnd();
}
