// `allow`: asks the reader whether this notebook may reach a host. The page fetches, by
// `file(address)`.

import { checkOptions } from "../displays/arguments";
import { ask } from "./ask";

/**
 * Asks the reader whether this notebook may fetch files from a host; `await file("https://…")` then
 * reads them. Throws `NotAllowed` where the reader refuses. `why` is shown to the reader. An
 * address that redirects to another host needs that host too.
 *
 * @example
 * await allow("raw.githubusercontent.com", { why: "It has the table." });
 */
export async function allow(host: string, options: { why?: string } = {}): Promise<void> {
  if (typeof host !== "string") throw new TypeError(`allow: a host is a text such as "huggingface.co", not ${typeof host}`);
  checkOptions("allow", options, ["why"]);
  await ask({ kind: "host", host: host.slice(0, 300) }, options.why);
}
