// The dialog that shares and exports a notebook: a link, an iframe for other pages, files of four
// formats, and links to notebooks on the web. It is fetched when it opens; the writers of formats,
// when they write.

import { site } from "../../host/fetch";
import { filesReadIn } from "../../state/files/names";
import { embedSnippet } from "../../state/notebook/address";
import { codeCells, titleOf } from "../../state/notebook/notebook";
import { encodeShare, encodeWithOutputs } from "../../state/notebook/share";
import { BadSource, sourceOf } from "../../state/notebook/source";
import type { Workspace } from "../../state/notebook/workspace";
import type { Session } from "../../state/run/session";
import { h } from "../ui/dom";
import { icon } from "../ui/icons";
import { openDialog } from "../ui/menu";
import { downloadText } from "./files";
import "../../styles/share.css";

/** Characters of a link above which some programs cut it, and above which browsers do. */
const LONG = 8_000;
const LONGEST = 2_000_000;

type Format = "md" | "ipynb" | "html" | "js";

const FORMATS: readonly [format: Format, name: string, what: string][] = [
  ["md", "Markdown", "Text and code, readable anywhere. No outputs."],
  ["ipynb", "Jupyter notebook", "With outputs. GitHub and Jupyter show it."],
  ["html", "Web page", "One file that shows everything without a network; running it loads Weft from this site."],
  ["js", "JavaScript module", "Runs without the playground, in Node.js or a bundle, with the npm package."],
];

export async function showShare(workspace: Workspace, session: Session): Promise<void> {
  const status = h("p", { class: "share-status", role: "status" });
  const say = (text: string) => (status.textContent = text);
  const copy = (field: HTMLInputElement | HTMLTextAreaElement, what: string) =>
    navigator.clipboard.writeText(field.value).then(
      () => say(`${what} copied.`),
      () => {
        field.select();
        say("This browser did not allow copying. The text is selected: copy it with the keyboard.");
      },
    );
  const section = (title: string, ...body: (HTMLElement | string | false)[]) => h("section", {}, h("h3", {}, title), ...body);
  const button = (label: string, onclick: () => void) => h("button", { class: "plain-button", type: "button", onclick }, label);

  const hasOutputs = workspace.cells.some(({ id }) => session.cell(id).outputs.list.length > 0);
  const checkbox = (label: string, onchange: () => void, { checked = false, disabled = false } = {}) => {
    const input = h("input", { type: "checkbox", checked, disabled, onchange });
    return { input, element: h("label", { class: "share-option" }, input, label) };
  };
  const first = hasOutputs ? "" : " (run the notebook first)";
  const outputs = checkbox(`With outputs${first}`, () => void update(), { disabled: !hasOutputs });
  const reader = checkbox("Code folded", () => void update());
  const framed = checkbox(`Outputs in the frame${first}`, () => void updateFrame(), { checked: hasOutputs, disabled: !hasOutputs });
  const link = h("input", { class: "link-field", readonly: true, "aria-label": "Link to this notebook" });
  const size = h("p", { class: "note" });
  const frame = h("textarea", { class: "link-field", readonly: true, rows: 5, "aria-label": "HTML to embed this notebook", spellcheck: "false" });
  const frameSize = h("p", { class: "note" });
  for (const field of [link, frame]) field.addEventListener("focus", () => field.select());

  /** What follows the address, once for each kind. */
  const fragments = new Map<boolean, Promise<string>>();
  const fragment = (full: boolean) => {
    if (!fragments.has(full)) fragments.set(full, full ? write("ipynb", workspace, session, "small").then(encodeWithOutputs) : encodeShare(workspace.markdown));
    return fragments.get(full)!;
  };
  const update = async () => {
    const full = outputs.input.checked;
    const text = await fragment(full);
    if (full !== outputs.input.checked) return;
    link.value = `${site}${reader.input.checked ? "?view=reader" : ""}${text}`;
    const { length } = link.value;
    const kilobytes = inKilobytes(length);
    size.textContent = length > LONGEST ? `This link has ${kilobytes}, more than browsers open. Share it without outputs, or as a file.` : length > LONG ? `The link has ${kilobytes}. Some chats and mail programs cut links that long: send a file, or put the notebook into a Gist.` : `The link has ${kilobytes}.`;
  };
  const updateFrame = async () => {
    const full = framed.input.checked;
    const text = await fragment(full);
    if (full !== framed.input.checked) return;
    frame.value = embedSnippet(`${site}?embed${text}`, titleOf(workspace.cells));
    const { length } = frame.value;
    frameSize.textContent = length > LONGEST ? `This address has ${inKilobytes(length)}, more than browsers open. Embed it without outputs.` : `The HTML has ${inKilobytes(length)}.`;
  };

  const source = h("input", { class: "link-field", type: "url", placeholder: "https://gist.github.com/…", "aria-label": "Address of a notebook" });
  const fromLink = h("input", { class: "link-field", readonly: true, hidden: true, "aria-label": "Link that opens the notebook from there" });
  const makeLink = () => {
    try {
      const { url, known, host } = sourceOf(source.value, site);
      fromLink.value = `${site}?from=${encodeURIComponent(url)}`;
      fromLink.hidden = false;
      void copy(fromLink, known ? "Link" : `Readers are asked before ${host} is contacted. Link`);
    } catch (error) {
      fromLink.hidden = true;
      say(error instanceof BadSource ? error.message : String(error));
    }
  };

  const save = async (format: Format) => {
    say("");
    try {
      const text = await write(format, workspace, session);
      downloadText(nameOf(workspace, format), text, TYPES[format]);
      say(`Saved ${nameOf(workspace, format)}.`);
    } catch (error) {
      say(`The file could not be made: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const file = ([format, name, what]: (typeof FORMATS)[number]) =>
    h("li", {}, h("button", { class: "plain-button", type: "button", onclick: () => void save(format) }, icon("download"), h("span", {}, name), h("span", { class: "share-suffix" }, `.${format}`)), h("span", { class: "note" }, what));

  const own = filesOf(workspace);
  const files = own.length > 0 && h("p", { class: "note" }, `It reads ${own.join(", ")} of your files, which ${own.length === 1 ? "stays" : "stay"} in this browser: a reader who runs it needs ${own.length === 1 ? "it" : "them"} too.`);
  const body = h(
    "div",
    { class: "scroll share", tabindex: 0, role: "group", "aria-label": "Ways to share" },
    section("Link", h("p", {}, "The notebook is in the link itself: no server stores it. The reader who opens it decides whether to run it."), h("div", { class: "share-row" }, link, button("Copy link", () => void copy(link, "Link"))), h("div", { class: "share-row" }, outputs.element, reader.element), size, files),
    section("Files", h("ul", { class: "share-files" }, ...FORMATS.map(file)), h("p", { class: "note" }, "Each of these opens here again, with the same cells.")),
    section("Embed", h("p", {}, "Outputs at once, code on demand, and it runs on a click. The script sets the frame's height; without it, the frame scrolls."), h("div", { class: "share-row" }, frame, button("Copy HTML", () => void updateFrame().then(() => copy(frame, "HTML")))), h("div", { class: "share-row" }, framed.element), frameSize),
    section("From a Gist or any address", h("p", {}, "Put the file into a public Gist or on any host that lets other sites read it. The link then opens it from there, always the latest version."), h("div", { class: "share-row" }, source, button("Make link", makeLink)), fromLink),
  );
  await update();
  // Its pictures may take a while.
  void updateFrame();
  await openDialog("Share and export", [body, status], [{ label: "Close", value: "", primary: true }], "Nothing is uploaded: the notebook is in the link or in the file. It runs on the device of the person who opens it.");
}

/** Names of the reader's own files that cells read, as far as their texts tell. */
const filesOf = (workspace: Workspace): string[] => [...new Set(codeCells(workspace.cells).flatMap(({ source }) => filesReadIn(source)))].slice(0, 12);

const inKilobytes = (length: number) => `${Math.max(1, Math.round(length / 1_024)).toLocaleString("en")} KB`;

const TYPES: Readonly<Record<Format, string>> = { md: "text/markdown", ipynb: "application/x-ipynb+json", html: "text/html", js: "text/javascript" };

const nameOf = (workspace: Workspace, format: Format) => `${workspace.fileName.replace(/\.\w{1,8}$/, "")}.${format}`;

/** The notebook as a file's text. */
async function write(format: Format, workspace: Workspace, session: Session, form: "png" | "small" = "png"): Promise<string> {
  const { cells, title } = workspace;
  switch (format) {
    case "md":
      return workspace.markdown;
    case "ipynb": {
      const [{ writeIpynb }, { collect }] = await Promise.all([import("../../state/formats/ipynb-write"), import("../../host/exported")]);
      return writeIpynb(await collect(cells, session, form), title);
    }
    case "html": {
      const [{ writeHtml }, { collect, readTexts }] = await Promise.all([import("../../state/formats/html-write"), import("../../host/exported")]);
      const collected = await collect(cells, session, "small");
      return writeHtml(collected, await readTexts(collected));
    }
    case "js": {
      const [{ writeModule }, { default: vocabulary }] = await Promise.all([import("../../state/formats/module-write"), import("virtual:types")]);
      const names = (entries: readonly (readonly [string, ...unknown[]])[]) => new Set(entries.map(([name]) => name));
      return writeModule(cells, { names: { library: names(vocabulary.library), kernels: names(vocabulary.kernels), notebook: names(vocabulary.notebook) }, title, site, vocabulary });
    }
  }
}

/** Asks for an address, and opens the notebook there as a link to it would. */
export async function askForAddress(): Promise<void> {
  const field = h("input", { class: "link-field", type: "url", placeholder: "https://…", "aria-label": "Address of a notebook" });
  const problem = h("p", { class: "note", role: "alert" });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    field.closest("dialog")?.close("open");
  });
  for (;;) {
    const opened = openDialog("Open from the web", [h("p", {}, "A Gist, or the address of a notebook's text: Markdown, .ipynb, or a page or module that Weft exported."), field, problem], [{ label: "Open", value: "open", primary: true }, { label: "Cancel", value: "" }]);
    field.focus();
    if ((await opened) !== "open") return;
    try {
      const { url } = sourceOf(field.value, site);
      return location.assign(`${site}?from=${encodeURIComponent(url)}`);
    } catch (error) {
      problem.textContent = error instanceof Error ? error.message : String(error);
    }
  }
}
