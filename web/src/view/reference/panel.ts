// Panel of the reference: every function of the package and of the notebook, with search, and
// examples that can be put into the notebook. Its texts come from the package's own documentation.

import type { ReferenceEntry } from "virtual:reference";
import { meaningOf } from "../../state/code/elsewhere";
import { about } from "../ui/about";
import { docOf, h } from "../ui/dom";
import type { EarlyField } from "../ui/early";
import { icon } from "../ui/icons";
import "../../styles/find.css";
import "../../styles/reference.css";

export interface ReferenceActions {
  /** Puts an example into the notebook. */
  insert(code: string): void;
}

/** Entries that are listed at a time. */
const MOST = 60;
const REPOSITORY = "https://github.com/weft-gpu/weft";
const LINKS: readonly [string, string][] = [
  ["Documentation", `${REPOSITORY}#readme`],
  ["Package on npm", "https://www.npmjs.com/package/weft-gpu"],
  ["Source", REPOSITORY],
  ["Licences", "licences.txt"],
  ["Report a problem", `${REPOSITORY}/issues`],
];

/** Where the list of notebooks has no room beside it: there the list is a drawer. */
const TIGHT = matchMedia("(max-width: 1339px)");
const makeRoom = () => void document.body.classList.toggle("without-list", TIGHT.matches);

let open: { close(): void; focus(query: string, typed: boolean): void } | null = null;

/** What to search for a name: itself, or a member of any value alone; nothing for a name that is
 * the notebook's own. */
function queryFor(name: string, entries: readonly ReferenceEntry[]): string {
  const member = name.slice(name.lastIndexOf(".") + 1);
  const known = (path: string) => meaningOf(path) !== undefined || entries.some(([entry]) => entry === path || entry.endsWith(`.${path}`));
  return [name, member].find((path) => path !== "" && known(path)) ?? "";
}

/** Opens the reference, with what it says of a name that the reader is at, or of what was typed
 * since. */
export async function showReference(name: string, early: EarlyField, actions: ReferenceActions): Promise<void> {
  const { default: entries } = await import("virtual:reference");
  const asked = early.end();
  if (asked === null) return;
  const before = document.activeElement;
  const query = asked.typed ? asked.text : queryFor(name, entries);
  if (open) return open.focus(query, asked.typed);
  const search = h("input", { type: "search", class: "find-field", "aria-label": "Search the reference", placeholder: "Search: matmul, plot, nn…", spellcheck: "false" });
  const list = h("ul", { class: "reference-list", tabindex: 0, "aria-label": "Functions" });
  const count = h("p", { class: "note", role: "status" });
  const close = () => {
    element.remove();
    TIGHT.removeEventListener("change", makeRoom);
    document.body.classList.remove("beside-reference", "without-list");
    open = null;
    if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
  };
  const show = () => {
    const found = searched(entries, search.value);
    const meant = meaningOf(search.value.trim());
    count.textContent = meant ?? (found.length === 0 ? "Nothing has that name, or is described so." : found.length > MOST ? `${found.length.toLocaleString("en")} functions, the first ${MOST} shown` : `${found.length} ${found.length === 1 ? "function" : "functions"}`);
    list.replaceChildren(...found.slice(0, MOST).map((entry) => h("li", {}, view(entry, actions))));
    list.scrollTop = 0;
  };
  const closeButton = h("button", { class: "icon-button", type: "button", "aria-label": "Close the reference", title: "Close", onclick: close }, icon("close"));
  const help = about("Reference", "Every function that a cell can call. Search by name or by what a function does; Insert puts its example into a new cell below the current one.");
  const links = LINKS.map(([label, href]) => h("a", { href, target: "_blank", rel: "noreferrer noopener" }, label));
  const element = h(
    "aside",
    { class: "reference", "aria-label": "Reference" },
    h("div", { class: "reference-head" }, h("h2", {}, "Reference"), help.button, closeButton),
    help.text,
    search,
    count,
    list,
    h("div", { class: "reference-links" }, ...links),
  );
  search.addEventListener("input", show);
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close();
  });
  document.querySelector("#notebook")?.after(element);
  document.body.classList.add("beside-reference");
  TIGHT.addEventListener("change", makeRoom);
  makeRoom();
  open = {
    close,
    focus: (query, typed) => {
      if (query !== "") {
        search.value = query;
        show();
      }
      search.focus();
      if (typed) search.setSelectionRange(query.length, query.length);
      else search.select();
    },
  };
  show();
  open.focus(query, asked.typed);
}

/** Entries whose names have all words of a search, best first, then those whose documentation has
 * them; where there are none, those that have some of the words. */
function searched(entries: readonly ReferenceEntry[], text: string): readonly ReferenceEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return entries;
  const name = words.join(".");
  const rank = ([path]: ReferenceEntry) => {
    const lower = path.toLowerCase();
    const last = lower.slice(lower.lastIndexOf(".") + 1);
    return lower === name || last === name ? 0 : last.startsWith(words[0]!) ? 1 : 2;
  };
  const named = entries.filter(([path]) => words.every((word) => path.toLowerCase().includes(word)));
  const described = entries.filter((entry) => !named.includes(entry) && words.every((word) => `${entry[0]} ${entry[2]}`.toLowerCase().includes(word)));
  if (named.length + described.length > 0) return [...named.toSorted((a, b) => rank(a) - rank(b)), ...described];
  const counted = entries.map((entry) => [entry, words.filter((word) => word.length > 2 && `${entry[0]} ${entry[2]}`.toLowerCase().includes(word)).length] as const);
  const most = Math.max(...counted.map(([, count]) => count));
  return most === 0 ? [] : counted.flatMap(([entry, count]) => (count === most ? [entry] : []));
}

function view([path, signature, doc, example]: ReferenceEntry, { insert }: ReferenceActions): HTMLElement {
  const heading = h("h3", {}, h("code", {}, path), signature !== "" && h("span", { class: "reference-signature" }, `${signature.startsWith("new ") ? " " : ""}${signature}`));
  const code = example !== "" && h("div", { class: "reference-example" }, h("pre", {}, document.createTextNode(example)), h("button", { class: "plain-button small", type: "button", "aria-label": `Insert the example of ${path}`, onclick: () => insert(example) }, "Insert"));
  return h("article", {}, heading, docOf(doc), code);
}
