// Script in the page's head that runs before the first paint. It applies the reader's colours. It
// also decides whether index.html shows the right notebook: an address may ask for another one, and
// a returning reader may have edited this one or have outputs from the last visit. In those cases
// the prerendered notebook is hidden until the script is there, which is sooner than anyone could
// read it. And it asks for the list of notebooks, the first notebook's text, and the module that
// runs its greeting. The WebAssembly, which is larger than all that, comes behind the page's
// script.

import { readPageAddress } from "../state/notebook/address";
import { isShare } from "../state/notebook/share";
import { browserStore, OutputStore } from "../state/notebook/storage";
import { applyTheme } from "../view/page/theme";
import { fetchEarly } from "./requests";

declare const FIRST_NOTEBOOK: string;
/** The module that runs the greeting. */
declare const WORKER: string;

applyTheme();
const asked = new URLSearchParams(location.search);
const wanted = asked.get("notebook");
const key = `gallery:${FIRST_NOTEBOOK}`;
const store = browserStore();
const { embed, reader } = readPageAddress(location.search, parent !== window);
if (embed) document.documentElement.dataset["embed"] = "";
if (reader) document.documentElement.dataset["view"] = "reader";
/** A hint of the database (`host/notebooks.ts`), which answers too late, or edits that an earlier
 * version of the page kept. */
const edited = ["weft:edited:", "weft:notebook:"].some((name) => {
  try {
    return (store?.getItem(name + key) ?? null) !== null;
  } catch {
    return false;
  }
});
const other = isShare(location.hash) || ["new", "mine", "file", "from"].some((name) => asked.has(name)) || (wanted !== null && wanted !== "" && wanted.replace(/\.md$/, "") !== FIRST_NOTEBOOK.replace(/\.md$/, "")) || (!embed && edited);
fetchEarly(["notebooks/index.json", ...(other ? [] : [`notebooks/${FIRST_NOTEBOOK}`])]);
if (!embed && !other && !document.hidden) fetchEarly([WORKER], "low");
if (other) document.documentElement.dataset["first"] = "other";
else if (new OutputStore(store).read(key) !== null) document.documentElement.dataset["first"] = "outputs";
