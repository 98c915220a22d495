// Formats of notebooks: what is exported comes back as the same cells.
import { readFileSync } from "node:fs";
import { parse } from "acorn";
import * as weft from "weft-gpu";
import { describe, expect, it } from "vitest";
import type { ExportedCell, ExportedOutput } from "../../src/state/formats/exported";
import { withoutOutputs } from "../../src/state/formats/exported";
import { writeHtml } from "../../src/state/formats/html-write";
import { writeIpynb } from "../../src/state/formats/ipynb-write";
import { writeModule } from "../../src/state/formats/module-write";
import { readNotebookFile } from "../../src/state/formats/read";
import { KERNEL_NAMES } from "../../src/state/code/kernels";
import { makeCell, parseNotebook, serializeNotebook } from "../../src/state/notebook/notebook";
import type { Cell } from "../../src/state/notebook/notebook";
import { decodeShare, encodeShare } from "../../src/state/notebook/share";
import { violations } from "../support/json-schema";
import { plainCells, random, randomNotebook } from "../support/random-notebook";

const schema = JSON.parse(readFileSync(new URL("../fixtures/formats/nbformat.v4.5.schema.json", import.meta.url), "utf8"));
const names = { library: new Set(Object.keys(weft)), kernels: new Set(Object.keys(KERNEL_NAMES)), notebook: new Set(["print", "display", "camera"]) };
const options = { names, title: "Test", site: "https://example.org/weft/", vocabulary: { library: [], kernels: [], notebook: [], language: [], types: {}, options: {} } };
const nothing = { prose: () => null, paint: () => null, picture: () => null };

const WRITERS: Readonly<Record<string, (cells: Cell[]) => Promise<string> | string>> = {
  Markdown: serializeNotebook,
  ipynb: (cells) => writeIpynb(withoutOutputs(cells), "Test"),
  HTML: (cells) => writeHtml(withoutOutputs(cells), { ...options, ...nothing }),
  module: (cells) => writeModule(cells, options),
  link: async (cells) => decodeShare(await encodeShare(serializeNotebook(cells))),
};

describe.each(Object.keys(WRITERS))("%s", (format) => {
  it("comes back as the same cells, of 200 random notebooks", async () => {
    const next = random(0x5eed);
    for (let i = 0; i < 200; i++) {
      const cells = randomNotebook(next);
      const written = await WRITERS[format]!(cells);
      // A text that looks like another format is that, when it comes without a name.
      if (format === "Markdown" || format === "link") {
        expect(plainCells(parseNotebook(written))).toEqual(plainCells(cells));
        continue;
      }
      const { markdown } = await readNotebookFile(written);
      expect(plainCells(parseNotebook(markdown)), written).toEqual(plainCells(cells));
    }
  });
});

it("a text is no code of a module, whichever characters end its lines", async () => {
  for (const end of ["\r", "\u2028", "\u2029", "\r\n"]) {
    const cells = [makeCell("prose", `# Title${end}stolen()${end}import "evil"`), makeCell("code", `// a${end === "\r\n" ? "\n" : " "}(${end}stolen(`), makeCell("code", "1")];
    const module = await writeModule(cells, { ...options, title: `Test${end}stolen()` });
    const called: string[] = [];
    const program = parse(module, { ecmaVersion: "latest", sourceType: "module" });
    for (const node of program.body) if (node.type === "ExpressionStatement") called.push(module.slice(node.start, node.end));
    expect(called.filter((text) => /stolen|evil/.test(text)), JSON.stringify(end)).toEqual([]);
    expect(program.body.some((node) => node.type === "ImportDeclaration" && node.source.value === "evil")).toBe(false);
  }
});

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAADklEQVR4nGP4z8AAQv8BD/kD/YURdkMAAAAASUVORK5CYII=";
const content = (value: object, points: readonly { x: number; values: Record<string, number> }[] = []): ExportedOutput => ({ kind: "content", content: value as never, points });
const EVERY_OUTPUT: readonly ExportedOutput[] = [
  { kind: "text", stream: "print", text: "one\ntwo\n" },
  { kind: "text", stream: "error", text: "wrong" },
  content({ kind: "value", text: "[1, <b>2</b>]" }),
  content({ kind: "markdown", source: "**bold** $x$" }),
  content({ kind: "table", columns: ["a", "<i>"], rows: [["1", "<script>"], ["2", "&"]], omitted: 3 }),
  content({ kind: "tensor", title: "t", summary: { dtype: "f32", shape: [2, 2], statistics: { min: -Infinity, max: NaN, mean: 1, nan: 1, infinite: 1 }, corner: [["1", "2"], ["3", "4"]], cut: { rows: false, columns: false }, lead: "" } }),
  content({ kind: "kept", title: "picture", tile: { width: 1, height: 1 }, columns: 2, count: 2, omitted: 0, scale: 8, smooth: false, labels: ["a", "b"], legend: { low: 0, high: 1, stops: ["#000000", "#ffffff"] }, data: PNG }),
  content({ kind: "chart", title: "curves", x: "step", panels: [{ title: "", y: "", series: ["loss", "<x>"], log: true, range: null }] }, [{ x: 0, values: { loss: 1, "<x>": NaN } }, { x: 1, values: { loss: 0.1 } }]),
  content({ kind: "sound", title: "<tone>", rate: 8_000, channels: 1, samples: Int16Array.of(0, 1, -2, 300), seconds: 0.0005 }),
  content({ kind: "progress", label: "p", done: 3, total: 4, text: "", elapsed: 10, ended: true }),
  content({ kind: "control", label: "rate", key: "slider rate", name: "rate", choice: { type: "slider", min: 0, max: 1, step: 0.1, initial: 0.5, value: 0.7 } }),
  content({ kind: "button", label: "press", name: null }),
];
const ran = (source: string, outputs: readonly ExportedOutput[], error: ExportedCell["error"] = null): ExportedCell => ({ cell: makeCell("code", source), outputs, status: error ? "failed" : "done", milliseconds: 12, error });

describe("ipynb", () => {
  const cells: ExportedCell[] = [
    ...withoutOutputs([makeCell("prose", "# Title\n\nText"), { ...makeCell("code", "const a = 1\na"), fold: true }]),
    ran("show()", EVERY_OUTPUT),
    ran("throw 1", [], { name: "TypeError", message: "no\nmore" }),
  ];
  it("is valid by the format's schema, whatever the outputs are", () => {
    expect(violations(schema, JSON.parse(writeIpynb(cells, "Title")))).toEqual([]);
    const next = random(7);
    for (let i = 0; i < 50; i++) expect(violations(schema, JSON.parse(writeIpynb(withoutOutputs(randomNotebook(next)), "x")))).toEqual([]);
    // The check is one that can fail.
    expect(violations(schema, { ...JSON.parse(writeIpynb(cells, "Title")), nbformat: 3 })).not.toEqual([]);
  });
  it("brings its outputs back, marked as brought", async () => {
    const { shown } = await readNotebookFile(writeIpynb(cells, "Title"));
    expect(shown.map((each) => each && [each.status, each.brought, each.omitted])).toEqual([null, ["done", true, 0], ["failed", true, 0]]);
    expect(shown[2]!.error).toEqual({ name: "TypeError", message: "no\nmore" });
    const [, outputs] = shown;
    const kinds = outputs!.messages.map((message) => (message.type === "output" ? message.content.kind : message.type));
    expect(kinds).toEqual(["text", "text", "value", "markdown", "table", "tensor", "kept", "chart", "points", "sound", "progress", "control"]);
    const find = (kind: string) => outputs!.messages.flatMap((message) => (message.type === "output" && message.content.kind === kind ? [message.content] : []))[0];
    for (const kind of ["tensor", "chart", "control", "table", "kept", "sound"]) expect(find(kind)).toEqual(EVERY_OUTPUT.flatMap((each) => (each.kind === "content" && each.content.kind === kind ? [each.content] : []))[0]);
  });
});

const notebook = (cells: readonly unknown[], more: object = {}) => JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: { language_info: { name: "javascript" } }, cells, ...more });
const code = (outputs: readonly object[], source: unknown = "x") => ({ cell_type: "code", id: "a", metadata: {}, execution_count: 1, source, outputs });

describe("a Jupyter notebook from elsewhere", () => {
  it.each([
    ["{", /It is not JSON/],
    ["{}", /nbformat must be a number, but is missing/],
    [notebook([], { nbformat: 3 }), /only version 4/],
    [notebook([], { cells: {} }), /cells must be a list, but is an object/],
    [notebook([1]), /cells\[0\] must be an object, but is a number/],
    [notebook([{ cell_type: "markdown", source: 1 }]), /cells\[0\]\.source must be a string or a list of strings/],
    [notebook([{ cell_type: "markdown", source: ["a", null] }]), /cells\[0\]\.source\[1\] must be a string, but is null/],
    [notebook([{ cell_type: "widget", source: "" }]), /cells\[0\]\.cell_type must be .* but is "widget"/],
    [notebook([code([{ output_type: "display_data", data: { "text/plain": 3 } }])]), /cells\[0\]\.outputs\[0\]\.data\["text\/plain"\] must be/],
    [notebook([code([{ output_type: "stream" }])]), /cells\[0\]\.outputs\[0\]\.text must be .* missing/],
    [notebook([code([{ output_type: "script" }])]), /cells\[0\]\.outputs\[0\]\.output_type/],
    [notebook([{ cell_type: "markdown", source: "", attachments: { "a.png": 1 } }]), /cells\[0\]\.attachments\["a\.png"\] must be an object/],
    [`${"[".repeat(200_000)}`, /./],
    [notebook([], { metadata: "x" }), /metadata must be an object/],
  ])("is refused with the place that is wrong, %#", async (text, message) => {
    await expect(readNotebookFile(text, "x.ipynb")).rejects.toThrow(message);
  });
  it("that is nested without end, or too large, is refused", async () => {
    const deep = notebook([code([{ output_type: "display_data", data: { "application/json": 0 } }])]).replace('"application/json":0', `"application/json":${"[".repeat(500_000)}${"]".repeat(500_000)}`);
    await readNotebookFile(deep, "x.ipynb").then(({ markdown }) => expect(markdown).toContain("x"), (error: Error) => expect(error.message).toMatch(/nested too deeply/));
    await expect(readNotebookFile("x".repeat(32_000_001), "x.ipynb")).rejects.toThrow(/32.0 million characters/);
    await expect(readNotebookFile(notebook(Array.from({ length: 20_001 }, () => code([]))))).rejects.toThrow(/more than 20,000 cells/);
  });
  it("shows what HTML and SVG say, and nothing of what they are", async () => {
    const outputs = [
      { output_type: "display_data", metadata: {}, data: { "text/html": ["<script>alert(1)</script>", "<img src=x onerror=alert(1)><b>bold</b> &lt;kept&gt;<style>p{}</style>"] } },
      { output_type: "display_data", metadata: {}, data: { "image/svg+xml": "<svg onload='alert(1)'><text>drawn</text><script>x</script></svg>" } },
      { output_type: "execute_result", execution_count: 1, metadata: {}, data: { "application/javascript": "alert(1)", "text/html": "<p>a</p><p>b</p>", "text/plain": "plain" } },
      { output_type: "display_data", metadata: {}, data: { "image/png": "PHN2Zz4=" } },
    ];
    const { shown } = await readNotebookFile(notebook([code(outputs)]));
    const texts = shown[0]!.messages.flatMap((message) => (message.type === "output" && message.content.kind === "value" ? [message.content.text] : [String(message.type)]));
    expect(texts).toEqual(["bold <kept>", "drawn", "plain"]);
    expect(shown[0]!.omitted).toBe(1);
  });
  it("in another language stands as text that says so, with its outputs", async () => {
    const python = { metadata: { kernelspec: { name: "python3", display_name: "Python 3", language: "python" } } };
    const outputs = [{ output_type: "stream", name: "stdout", text: ["\u001b[31mred\u001b[0m\n", "```\n"] }, { output_type: "display_data", metadata: {}, data: { "image/png": PNG, "text/plain": "<Figure>" } }];
    const { markdown, shown } = await readNotebookFile(notebook([{ cell_type: "markdown", source: "# A\n\n```js\nrun()\n```\n\n<!-- cell -->\n\n```\nopen" }, code(outputs, ["print(1)\n", "```\n"])], python));
    const cells = parseNotebook(markdown);
    expect(cells.map(({ kind }) => kind)).toEqual(["prose", "prose"]);
    expect(cells[0]!.source).toContain("```jsx\nrun()");
    expect(cells[1]!.source).toBe(`*Python, shown as text: it does not run here.*\n\n\`\`\`\`python\nprint(1)\n\`\`\`\n\`\`\`\`\n\n\`\`\`\`text\nred\n\`\`\`\n\`\`\`\`\n\n![Output](data:image/png;base64,${PNG})`);
    expect(shown).toEqual([]);
  });
  it("keeps attachments as pictures in the text", async () => {
    const { markdown } = await readNotebookFile(notebook([{ cell_type: "markdown", source: "![a](attachment:a.png)", attachments: { "a.png": { "image/png": PNG }, "b.svg": { "image/svg+xml": "<svg/>" } } }]));
    expect(markdown).toBe(`![a](data:image/png;base64,${PNG})\n`);
  });
  it("cannot claim outputs that no worker could send", async () => {
    const own = (value: object) => ({ output_type: "display_data", metadata: {}, data: { "application/vnd.weft.output.v1+json": value, "text/plain": "plain" } });
    const outputs = [own({ content: { kind: "script", source: "x" } }), own({ content: { kind: "download", name: "a.zip", data: "" } }), own({ content: { kind: "table", columns: [1], rows: [], omitted: 0 } }), own({ content: { kind: "value", text: "fits", more: "dropped" } })];
    const { shown } = await readNotebookFile(notebook([code(outputs)]));
    expect(shown[0]!.messages.map((message) => message.type === "output" && message.content)).toEqual([{ kind: "value", text: "plain" }, { kind: "value", text: "plain" }, { kind: "value", text: "plain" }, { kind: "value", text: "fits" }]);
  });
});

describe("an exported page", () => {
  const html = () => writeHtml([...withoutOutputs([makeCell("prose", "# <Title>\n\n</script><script>alert(1)</script>")]), ran("a < b // </script>", EVERY_OUTPUT)], { ...options, ...nothing });
  it("holds no script but its own, and escapes all else", async () => {
    const text = await html();
    expect(text.match(/<script/g)?.length).toBe(2);
    expect(text).not.toContain("<script>alert");
    expect(text).toContain("a &lt; b // &lt;/script&gt;");
    expect(text).not.toMatch(/ on\w+=/);
    expect(text).toMatch(/default-src 'none'; img-src data:; media-src data:; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; frame-src https:\/\/example\.org;/);
  });
  it("shows every output", async () => {
    const text = await html();
    for (const part of ["one\ntwo", "<svg ", "data:image/png;base64", "<td>&lt;script&gt;</td>", "rate: 0.7", "f32[2,2]", "&lt;tone&gt;", "<audio controls src=\"data:audio/wav;base64,UklGR", " role=\"img\" aria-label=\""]) expect(text).toContain(part);
  });
  it("leaves out cells without code and outputs", async () => {
    const cells = [ran("1", []), ran(" \n", []), ran("", [{ kind: "text", stream: "print", text: "of code that is gone" }])];
    const text = await writeHtml(cells, { ...options, ...nothing });
    expect(text.match(/<section/g)?.length).toBe(2);
  });
  it("that was cut off is refused", async () => {
    await expect(readNotebookFile((await html()).slice(0, 2_000))).rejects.toThrow(/holds no notebook/);
    await expect(readNotebookFile("<!doctype html><p>x</p>")).rejects.toThrow(/holds no notebook/);
  });
});

const module = (...sources: string[]) => writeModule(sources.map((source) => makeCell("code", source)), options);

describe("an exported module", () => {
  it("parses, of 200 random notebooks", async () => {
    const next = random(11);
    for (let i = 0; i < 200; i++) {
      const text = await writeModule(randomNotebook(next), options);
      expect(() => parse(text, { ecmaVersion: "latest", sourceType: "module" }), text).not.toThrow();
    }
  });
  it("shares names that several cells declare, and those that hide the library's", async () => {
    const text = await module("const a = 1, b = 2;", "sum(tensor([1]))", "let a = 3; function f() { return a }", "f()", "function f() { return -a }\nclass C {}", "const { a: [sum] } = { a: [7] }");
    expect(text).toContain("let C, a, b, f, sum = library.sum;".replace("C, ", ""));
    expect(text).toContain(";({ a: [sum] } = { a: [7] })");
    expect(text).toContain("f = function f() { return $weft.neg(a) };");
  });
  it("edited by hand is read by its marks", async () => {
    const text = (await module("const a = 1;", "a + 1")).replace("const a = 1;", "const a = 5;");
    const { markdown, note } = await readNotebookFile(text);
    expect(markdown).toBe("```js\nconst a = 5;\n```\n\n```js\na + 1\n```\n");
    expect(note).toMatch(/edited/);
  });
  it("of another program is read by its marks", async () => {
    const { markdown } = await readNotebookFile("// %% [markdown]\n// # Title\n// text\n// %%\nconst a = 1\n// %% named\na\n");
    expect(markdown).toBe("# Title\ntext\n\n```js\nconst a = 1\n```\n\n```js\na\n```\n");
    await expect(readNotebookFile("const a = 1", "a.js")).rejects.toThrow(/no cells/);
  });
});
