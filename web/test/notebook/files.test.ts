// The notebook's own files: names that come from elsewhere, kinds recognised by first bytes, and
// what is kept of them.
import { describe, expect, it } from "vitest";
import { FILE_LIMITS, NotebookFiles, TooMany } from "../../src/state/files/files";
import type { FileStore, NotebookFile } from "../../src/state/files/files";
import { kindOf, readingCell, readsFile } from "../../src/state/files/kinds";
import { cleanName, LONGEST, variableFor } from "../../src/state/files/names";
import { transformCell } from "../../src/state/code/transform";
import { parseNotebook, serializeNotebook } from "../../src/state/notebook/notebook";

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

const CRAFTED = [
  "../../../etc/passwd", "..\\..\\boot.ini", "/data/digits/x", "C:\\x\\y.csv", "a\u202egpj.exe", "\u2066\u2069", "<img src=x onerror=alert(1)>.png", "```js\nalert(1)\n```.csv", '"; alert(1); "', "a\u0000b.csv",
  "a\u2028b.csv", "${alert(1)}.csv", "", ".", "..", "...", "   ", ".htaccess", "x".repeat(5_000) + ".safetensors", "e" + "\u0301".repeat(500) + ".txt", "\ud800.csv", "data:text,x", "https://example.org/x?y#z", "__proto__", "constructor",
];

describe("names", () => {
  it.each(CRAFTED)("%j is safe in code, in the notebook and on the page", (given) => {
    const name = cleanName(given);
    expect(name).toBe(cleanName(name));
    expect([...name].length).toBeGreaterThan(0);
    expect([...name].length).toBeLessThanOrEqual(LONGEST);
    expect(name).not.toMatch(/[\p{C}\p{Zl}\p{Zp}/\\<>"`:?#%]/u);
    expect(name).not.toMatch(/^\.|\p{M}{3}/u);
    const source = readingCell(name, "csv", variableFor(name, new Set()));
    expect(() => transformCell(source)).not.toThrow();
    expect(source.split("\n")).toHaveLength(3);
    const cells = parseNotebook(serializeNotebook([{ id: "c", kind: "code", source }]));
    expect(cells.map(({ kind, source }) => [kind, source])).toEqual([["code", source]]);
  });

  it("keeps what is plain", () => {
    for (const name of ["iris.csv", "Größe (2).csv", "données 2024.tsv", "写真.png", "train-images-idx3-ubyte.gz", "O'Neil.txt"]) expect(cleanName(name)).toBe(name);
    expect(cleanName("x".repeat(200) + ".csv")).toBe("x".repeat(LONGEST - 4) + ".csv");
  });

  it("makes variables that hide nothing", () => {
    expect(variableFor("train-images-idx3-ubyte.gz", new Set())).toBe("trainImagesIdx3Ubyte");
    expect(variableFor("Iris Data.csv", new Set())).toBe("irisData");
    expect(variableFor("data.csv", new Set(["data", "data2"]))).toBe("data3");
    expect(variableFor("2024.csv", new Set())).toBe("file2024");
    expect(variableFor("写真.png", new Set())).toBe("loaded");
    expect(variableFor("class.csv", new Set())).toBe("class2");
    expect(variableFor("IMG_0012.JPG", new Set())).toBe("img0012");
  });
});

describe("a file that a cell names", () => {
  it.each([
    ['const m = data.safetensors(await file("a.safetensors"));', true], ["file('a.safetensors')", true], ["for (const f of [`a.safetensors`]) await file(f)", true],
    ['download({ "a.safetensors": await data.toSafetensors(model.stateDict()) })', false], ['download("a.safetensors", bytes)', false], ["download( 'a.safetensors' , bytes)", false],
    ['download({ "a.safetensors": x }); await file("a.safetensors")', true], ['file("b.safetensors")', false], ['file("aXsafetensors")', false],
  ])("%s reads it: %s", (source, reads) => expect(readsFile(source, "a.safetensors")).toBe(reads));
});

describe("kinds", () => {
  const cases: [name: string, head: string, kind: string][] = [
    ["iris.csv", "a,b\n1,2", "csv"], ["x.tsv", "a\tb", "csv"], ["x.bin", "\x93NUMPY\x01\x00", "npy"], ["w.npz", "PK\x03\x04", "npz"], ["w.zip", "PK\x03\x04", "zip"], ["report.docx", "PK\x03\x04", "zip"],
    ["photo", "\x89PNG\r\n", "image"], ["x.jpg", "\xff\xd8\xff\xe0", "image"], ["x.txt", "GIF89a", "image"], ["x.wav", "RIFF....WAVE", "audio"], ["x.webp", "RIFF....WEBP", "image"], ["song.mp3", "ID3", "audio"], ["x", "OggS", "audio"],
    ["train-labels-idx1-ubyte.gz", "\x1f\x8b\x08", "idx"], ["t10k", "\0\0\x08\x03\0\0\0\x01", "idx"], ["m.safetensors", "\x10\0\0\0\0\0\0\0{", "safetensors"], ["config.json", "{}", "json"], ["a.md", "# a", "notebook"], ["a.ipynb", "{", "notebook"], ["LICENSE", "MIT", "text"],
    // Names that claim what the bytes are not.
    ["evil.csv", "\x00\x01\x02", "bytes"], ["evil.json", "MZ\x90\x00", "bytes"], ["evil.npz", "hello", "text"], ["x.bin", "\x00\xff", "bytes"],
  ];
  it.each(cases)("%s that begins with %j is %s", (name, head, kind) => expect(kindOf(name, bytes(head))).toBe(kind));

  it("takes the beginning of a long text for text, wherever it is cut", () => {
    const text = new TextEncoder().encode("é".repeat(300)).subarray(0, 511);
    expect(kindOf("x.csv", text)).toBe("csv");
  });
});

class Memory implements FileStore {
  readonly held = new Map<string, NotebookFile>();
  full = false;
  list = async (notebook: string) => [...this.held].filter(([key]) => key.startsWith(`${notebook}/`)).map(([, file]) => file);
  put = async (notebook: string, file: NotebookFile) => {
    if (this.full && file.content) throw new DOMException("no room", "QuotaExceededError");
    this.held.set(`${notebook}/${file.name}`, file);
  };
  remove = async (notebook: string, name: string) => void this.held.delete(`${notebook}/${name}`);
}

const fileOf = (name: string, text: string) => new File([text], name);
const read = async (files: NotebookFiles, name: string) => {
  const reply = await files.read(name);
  return reply === null ? null : reply.ok ? new TextDecoder().decode(reply.bytes) : reply.message;
};

describe("a notebook's files", () => {
  it("are its own, and there on the next visit", async () => {
    const store = new Memory();
    const files = new NotebookFiles(store);
    await files.open("a");
    const { file, replaced } = await files.bring(fileOf("../iris.csv", "x\n1"));
    expect([file.name, file.kind, file.kept, replaced]).toEqual(["iris.csv", "csv", true, false]);
    await files.open("b");
    expect([files.list.length, await read(files, "iris.csv")]).toEqual([0, null]);
    const later = new NotebookFiles(store);
    await later.open("a");
    expect(await read(later, "iris.csv")).toBe("x\n1");
    expect((await later.bring(fileOf("iris.csv", "x\n2"))).replaced).toBe(true);
    expect(await read(later, "iris.csv")).toBe("x\n2");
  });

  it("of another tab are found when they are asked for", async () => {
    const store = new Memory();
    const [here, there] = [new NotebookFiles(store), new NotebookFiles(store)];
    await Promise.all([here.open("a"), there.open("a")]);
    await there.bring(fileOf("x.txt", "from there"));
    expect(await read(here, "x.txt")).toBe("from there");
  });

  it("that are too large are read until the page is left, and then asked for again", async () => {
    const store = new Memory();
    const files = new NotebookFiles(store);
    await files.open("a");
    const large = fileOf("large.txt", "large");
    Object.defineProperty(large, "size", { value: FILE_LIMITS.keptEach + 1 });
    expect((await files.bring(large)).file.kept).toBe(false);
    await files.restore(files.remove("large.txt")!);
    expect(await read(files, "large.txt")).toBe("large");
    const later = new NotebookFiles(store);
    await later.open("a");
    expect(later.list.map(({ name, content }) => [name, content])).toEqual([["large.txt", null]]);
    expect(await read(later, "large.txt")).toMatch(/too large to keep between visits \(64\.0 MB\)\. Drop it on the page again/);
  });

  it("are kept as long as there is room for all of them, however they come", async () => {
    const files = new NotebookFiles(new Memory());
    await files.open("a");
    const half = (name: string) => Object.defineProperty(fileOf(name, name), "size", { value: FILE_LIMITS.keptEach / 2 });
    const most = (2 * FILE_LIMITS.keptTogether) / FILE_LIMITS.keptEach;
    const names = Array.from({ length: most + 1 }, (_, n) => `${n}.txt`);
    const brought = await Promise.all(names.map((name) => files.bring(half(name))));
    expect(brought.map(({ file }) => file.kept)).toEqual(names.map((_, n) => n < most));
    // One that is replaced makes room for itself, one that is removed for others; it comes back
    // until the page is left.
    expect((await files.bring(half("0.txt"))).file.kept).toBe(true);
    const gone = files.remove("1.txt")!;
    expect((await files.bring(half(`${most}.txt`))).file.kept).toBe(true);
    await files.restore(gone);
    expect([files.find("1.txt")?.kept, await read(files, "1.txt")]).toEqual([false, "1.txt"]);
  });

  it("for which the browser has no room say so", async () => {
    const store = new Memory();
    store.full = true;
    const files = new NotebookFiles(store);
    await files.open("a");
    expect((await files.bring(fileOf("x.txt", "x"))).file.kept).toBe(false);
    expect(await read(files, "x.txt")).toBe("x");
  });

  it("are few", async () => {
    const files = new NotebookFiles(new Memory());
    await files.open("a");
    for (let n = 0; n < FILE_LIMITS.files; n++) await files.bring(fileOf(`${n}.txt`, ""));
    await expect(files.bring(fileOf("more.txt", ""))).rejects.toBeInstanceOf(TooMany);
    expect((await files.bring(fileOf("0.txt", "again"))).replaced).toBe(true);
  });

  it("that are removed can be brought back", async () => {
    const store = new Memory();
    const files = new NotebookFiles(store);
    await files.open("a");
    await files.bring(fileOf("x.txt", "x"));
    const gone = files.remove("x.txt")!;
    expect([await read(files, "x.txt"), store.held.size]).toEqual([null, 0]);
    await files.restore(gone);
    expect([await read(files, "x.txt"), store.held.size]).toEqual(["x", 1]);
  });
});
