// Cost of opening a notebook, which grows with its length alone. Each text here takes minutes in a
// parser written with less care.
import { describe, expect, it } from "vitest";
import { LIMITS, TooLarge } from "../../src/state/limits";
import { cellNumber, describeNotebook, headings, makeCell, parseNotebook, sameNotebook, serializeNotebook, titleOf } from "../../src/state/notebook/notebook";
import type { Cells } from "../../src/state/notebook/notebook";
import { destination } from "../../src/state/notebook/links";
import { extractPictures, measurePicture } from "../../src/state/prose/pictures";
import { formatProse } from "../../src/state/prose/prose";
import type { ProseNode } from "../../src/state/prose/prose-tree";
import { nowhere } from "../../src/state/notebook/records";
import { CellSyntaxError, transformCell } from "../../src/state/code/transform";
import { Workspace } from "../../src/state/notebook/workspace";

/** Far above what linear work takes on a busy machine, far below what quadratic work takes on
 * any. */
const SOON = 4_000;
const long = (unit: string, characters = 500_000) => unit.repeat(Math.ceil(characters / unit.length));
const milliseconds = (work: () => void) => {
  const begin = performance.now();
  work();
  return performance.now() - begin;
};

const NOTEBOOKS: readonly (readonly [string, string])[] = [
  ["a heading with a gap", `# a${long(" ")}b`],
  ["a heading that never closes", `# a${long("#")}b`],
  ["a heading of brackets", `# ${long("[")}`],
  ["brackets", long("[")],
  ["comments that never end", long("<!--x")],
  ["comments, one to a line", long("<!--x\n")],
  ["a fence with a gap", `\`\`\`${long(" ")}\``],
  ["a fence with a long name", `\`\`\`${long("x")}\``],
  ["a line of back quotes", `${long("`")}x\``],
  ["fences that never close", long("~~~\n```\n")],
  ["fences of another language", `\`\`\`py\n${long("\n")}\n\`\`\``],
  ["blank lines", long("\n")],
  ["a text with a gap", `a${long(" ")}b\n${long("\t")}c`],
  ["empty cells", long("```js\n```\n")],
  ["a code cell of fences", `\`\`\`\`js\n${long("```\n")}\`\`\`\``],
  ["separators", long("<!-- cell -->\na\n")],
  ["paragraphs", long("a\n\n")],
  ["headings", long("# a\n")],
];

describe("a notebook's text", () => {
  it.each(NOTEBOOKS)("%s", (_, markdown) => {
    let cells: Cells = [];
    const took = milliseconds(() => {
      try {
        cells = parseNotebook(markdown);
      } catch (error) {
        if (!(error instanceof TooLarge)) throw error;
        return;
      }
      titleOf(cells);
      headings(cells, LIMITS.outline);
      describeNotebook(markdown);
      sameNotebook(cells, parseNotebook(serializeNotebook(cells)));
      for (const { id } of cells) cellNumber(cells, id);
    });
    expect(took).toBeLessThan(SOON);
  });
  it("has a title and a summary that fit where they stand", () => {
    const { title, summary } = describeNotebook(`# ${long("word ")}\n\n${long("text ")}`);
    expect([title.length, summary.length]).toEqual([200, 500]);
  });
  it("is refused, and nothing changes, where it is too much", () => {
    const workspace = new Workspace(nowhere);
    workspace.open({ kind: "link" }, "# Here", null);
    expect(() => workspace.open({ kind: "link" }, long("```js\n```\n", 3_500_000), null)).toThrow(/more than 20,000 cells/);
    expect(() => workspace.open({ kind: "link" }, "x".repeat(4_000_001), null)).toThrow("4,000,001 characters");
    expect(workspace.title).toBe("Here");
  });
  it("differs from an edited one in what would be written", () => {
    const cells = parseNotebook("# A\n\n```js\n1\n```\n");
    expect(sameNotebook(cells, [...cells, makeCell("prose", "  ")])).toBe(true);
    expect(sameNotebook(cells, [...cells, makeCell("prose", "x")])).toBe(false);
    expect(sameNotebook(cells, [...cells, makeCell("code", "")])).toBe(false);
  });
  it("gives its headings, those in fences left out", () => {
    const [prose] = parseNotebook("# A *b*\n\n```py\n# no\n```\n\n## C# ##\n\n#no\n");
    expect(headings([prose!], 9)).toEqual([
      { cell: prose!.id, index: 0, level: 1, text: "A b" },
      { cell: prose!.id, index: 1, level: 2, text: "C#" },
    ]);
  });
});

describe("a code cell", () => {
  const limit = LIMITS.codeCell;
  it.each([
    ["declarations", Array.from({ length: 15_000 }, (_, i) => `var v${i}=0;`).join("")],
    ["loops in loops", `${"for(;;){".repeat(600)}${long("x;", 200_000)}${"}".repeat(600)}`],
    ["loops that await in loops", `${"for(;;){await 0;".repeat(600)}${long("x;", 200_000)}${"}".repeat(600)}`],
    ["arrows in arrows", `${"a=>".repeat(700)}{${long("x;", 200_000)}}`],
    ["names", Array.from({ length: 60_000 }, (_, i) => `let v${i};`).join("")],
    ["brackets", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
    ["data", `const data = [${long("1,", 900_000)}]`],
    ["a line", `${long("1+", 100_000)}1`],
  ])("%s", (_, source) => {
    const took = milliseconds(() => {
      try {
        transformCell(source);
      } catch (error) {
        if (!(error instanceof CellSyntaxError)) throw error;
      }
    });
    expect(took).toBeLessThan(SOON);
  });
  it("that is nested too deeply or too long says so", () => {
    expect(() => transformCell("(".repeat(100_000))).toThrow("nested too deeply");
    expect(() => transformCell("1".repeat(limit + 1))).toThrow("at most 1,000,000 characters");
  });
});

const text = (nodes: readonly ProseNode[]): string => nodes.map((node) => (typeof node === "string" ? node : text(node.children))).join("");
const count = (nodes: readonly ProseNode[]): number => nodes.reduce((sum, node) => sum + (typeof node === "string" ? 0 : 1 + count(node.children)), 0);
const depth = (nodes: readonly ProseNode[]): number => nodes.reduce((most, node) => Math.max(most, typeof node === "string" ? 0 : 1 + depth(node.children)), 0);

describe("prose", () => {
  it("becomes a tree", () => {
    expect(formatProse("## A *b*\n\n\"x\" -- it's `c--d` <b>raw</b> &amp; [t](u \"w\")\n").nodes).toEqual([
      { tag: "h2", children: ["A ", { tag: "em", children: ["b"] }] },
      { tag: "p", children: ["“x” – it’s ", { tag: "code", children: ["c--d"] }, " <b>raw</b> & ", { tag: "a", children: ["t"], address: "u", title: "w" }] },
    ]);
  });
  it("keeps raw HTML as text, and comments as nothing", () => {
    const { nodes } = formatProse("<div>**x**</div>\n\n<!-- a\nb -->\n\n<script>1</script>\n");
    expect(text(nodes)).toBe("<div>x</div><script>1</script>");
  });
  it("is bounded in elements and depth, and says where the rest begins", () => {
    const source = "one *two*\n\n".repeat(5_000);
    const { nodes, rest } = formatProse(source);
    expect(count(nodes)).toBeLessThanOrEqual(LIMITS.proseElements);
    expect(source.slice(rest!)).toBe("one *two*\n\n".repeat(5_000 - nodes.length));
    expect(depth(formatProse(`${"> ".repeat(300)}a`).nodes)).toBeLessThan(LIMITS.proseDepth + 2);
    expect(count(formatProse("* a\n".repeat(9_000)).nodes)).toBeLessThanOrEqual(LIMITS.proseElements);
  });
});

describe("links", () => {
  const site = "https://example.org/weft/";
  it.each([
    ["mnist.md", { kind: "inside", href: "?notebook=mnist" }],
    ["#part", { kind: "inside", href: "#part" }],
    ["//evil.org/x", { kind: "outside", href: "https://evil.org/x", place: "evil.org" }],
    ["/account/logout", { kind: "outside", href: "https://example.org/account/logout", place: "example.org" }],
    ["other", { kind: "outside", href: "https://example.org/weft/other", place: "example.org" }],
    ["mailto:a@b.c", { kind: "outside", href: "mailto:a@b.c", place: "a@b.c" }],
    ["javascript:alert(1)", null],
    [" JaVaScRiPt:alert(1)", null],
    ["data:text/html,x", null],
    ["blob:https://example.org/x", null],
    ["https://[", null],
  ])("%s", (address, expected) => expect(destination(address, site)).toEqual(expected));
});

describe("pictures", () => {
  it("that a text carries are taken out of it", () => {
    const { text: short, carried } = extractPictures("a ![x](data:image/png;base64,AAAA) b ![y](data:image/gif;base64,BB 'title')");
    expect([short, carried]).toEqual(["a ![x](data:picture-0) b ![y](data:picture-1 'title')", ["data:image/png;base64,AAAA", "data:image/gif;base64,BB"]]);
    expect(milliseconds(() => extractPictures(long("(data:image/")))).toBeLessThan(SOON);
  });
  it("are measured before they are decoded", () => {
    const bytes = (...parts: (string | number)[]) => Uint8Array.from(parts.flatMap((part) => (typeof part === "number" ? [part] : [...part].map((c) => c.charCodeAt(0)))));
    expect(measurePicture(bytes(0x89, "PNG\r\n", 0x1a, 0x0a, 0, 0, 0, 13, "IHDR", 0, 1, 0, 0, 0, 2, 0, 1))).toEqual({ type: "image/png", width: 65_536, height: 131_073 });
    expect(measurePicture(bytes("GIF89a", 1, 2, 3, 0, 0))).toEqual({ type: "image/gif", width: 513, height: 3 });
    expect(measurePicture(bytes(0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc2, 0, 17, 8, 1, 0, 2, 0, 3))).toEqual({ type: "image/jpeg", height: 256, width: 512 });
    expect(measurePicture(bytes("<svg xmlns='http://www.w3.org/2000/svg'/>"))).toBe(null);
    expect(measurePicture(bytes(0xff, 0xd8, 0xff))).toBe(null);
  });
});
