// Files that the reader brings: dropped, read by a cell that the page writes, kept from visit to
// visit, listed in the panel.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assertAccessible } from "../../lib/accessible.mjs";
import { npyOf, safetensorsOf, wavOf, zipOf } from "../../lib/archives.mjs";
import { drop, fixtures } from "../../lib/drop.mjs";
import { cell, Playground, ready, runAll } from "../../lib/playground.mjs";
import { after, afterEach, before, test } from "../../lib/test.mjs";

/** @type {Playground} */
let playground;
before(async () => {
  playground = await Playground.start();
});
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

const IRIS = "length,width,kind\n5.1,3.5,setosa\n7.0,3.2,versicolor\nNA,3.3,virginica\n";
/** @param {import("playwright-core").Page} page */
const sources = (page) => page.evaluate(() => [...document.querySelectorAll(".code-cell")].map((each) => each.querySelector(".editor")?.shadowRoot?.querySelector(".cm-content")?.textContent ?? each.querySelector("pre")?.textContent ?? ""));
/** @param {import("playwright-core").Page} page */
const openPanel = async (page) => {
  await page.locator(".header .menu > summary").click();
  await page.getByRole("button", { name: "Files of this notebook…" }).click();
  return page.getByRole("dialog", { name: "Files of this notebook" });
};

test("a file that a cell offers for download is read by a cell of its own when it comes back", async () => {
  const page = await playground.open(['download({ "w.csv": "a,b\\n1,2" });']);
  await drop(page, [{ name: "w.csv", text: "a,b\n1,2" }]);
  await cell(page, 2).locator("table").waitFor();
  assert.match((await sources(page))[1] ?? "", /await file\("w\.csv"\)/);
  await drop(page, [{ name: "w.csv", text: "a,b\n3,4" }]);
  await page.getByText("w.csv was replaced").or(page.getByText("w.csv was added")).first().waitFor();
  assert.equal((await sources(page)).length, 2);
  await page.context().close();
});

test("a CSV that is dropped is a file of the notebook, read and shown by a cell, on the next visit too", async () => {
  const page = await playground.open(["const one = 1;\none", "2"], { bypassCSP: true });
  await drop(page, [{ name: "../iris.csv", text: IRIS }], ".code-cell");
  await page.waitForFunction(() => document.querySelectorAll(".code-cell").length === 3);
  // Below the cell that it fell on.
  await cell(page, 2).locator("table").waitFor();
  assert.match((await sources(page))[1] ?? "", /const iris = data\.csv\(await file\("iris\.csv"\)\);/);
  assert.match((await page.locator(".toast").textContent()) ?? "", /iris\.csv was added to this notebook/);
  await page.waitForFunction(() => !document.documentElement.hasAttribute("data-dropping"));

  let panel = await openPanel(page);
  const facts = (/** @type {string} */ name) => panel.getByRole("listitem").filter({ hasText: name }).locator(".note");
  assert.equal(await facts("iris.csv").textContent(), "table, 69 bytes. Kept in this browser.");
  await panel.getByRole("button", { name: "Insert cell: iris.csv" }).click();
  await panel.waitFor({ state: "hidden" });
  await cell(page, 4).locator("table").waitFor();
  assert.match((await sources(page))[3] ?? "", /const iris2 = data\.csv\(await file\("iris\.csv"\)\);/);

  panel = await openPanel(page);
  const download = page.waitForEvent("download");
  await panel.getByRole("button", { name: "Save: iris.csv" }).click();
  const saved = await download;
  assert.equal(saved.suggestedFilename(), "iris.csv");
  assert.equal(await readFile(await saved.path(), "utf8"), IRIS);
  // A file that is too large to keep is read until the page is left, and then chosen again.
  const folder = await mkdtemp(join(tmpdir(), "weft-files-"));
  const large = join(folder, "large.bin");
  await writeFile(large, "");
  await truncate(large, 64_000_001);
  const choose = async (/** @type {string} */ label, /** @type {string[]} */ ...paths) => {
    const chooser = page.waitForEvent("filechooser");
    await panel.getByRole("button", { name: label }).click();
    await (await chooser).setFiles(paths);
  };
  await choose("Add files…", large);
  await facts("large.bin").waitFor();
  assert.equal(await facts("large.bin").textContent(), "bytes, 64.0 MB. Only until you leave the page.");
  await panel.getByRole("button", { name: "Close" }).click();
  await page.waitForFunction(() => /Uint8Array\(64000001\)/.test(window.weft.cells()[4]?.text ?? ""));

  await page.reload();
  await ready(page);
  const again = await page.evaluate(() => window.weft.runCell(2));
  assert.equal(again.status, "done", JSON.stringify(again.error));
  const lacks = await page.evaluate(() => window.weft.runCell(5));
  assert.match(lacks.error?.message ?? "", /too large to keep between visits \(64\.0 MB\)/);
  panel = await openPanel(page);
  assert.equal(await facts("large.bin").textContent(), "bytes, 64.0 MB. Not kept: choose it again.");
  await assertAccessible(page, "the Files panel");
  await choose("Choose it again: large.bin", large);
  await panel.getByText("Only until you leave the page").waitFor();
  assert.match((await panel.getByRole("status").textContent()) ?? "", /^large\.bin was replaced\..* It is too large to keep/);
  assert.equal((await page.evaluate(() => window.weft.runCell(5))).status, "done");
  assert.equal((await sources(page)).length, 5, "the cell that reads it is there already");
  await rm(folder, { recursive: true });

  await panel.getByRole("button", { name: "Remove: iris.csv" }).click();
  await panel.getByText("iris.csv was removed.").waitFor();
  await panel.getByRole("button", { name: "Undo" }).press("Enter");
  const remove = panel.getByRole("button", { name: "Remove: iris.csv" });
  await remove.and(panel.locator(":focus")).waitFor();
  await remove.press("Enter");
  await panel.getByRole("button", { name: "Close" }).click();
  const gone = await page.evaluate(() => window.weft.runCell(2));
  assert.match(gone.error?.message ?? "", /the notebook has no such file\. Drop it on the page to add it/);
  await page.context().close();
});

test("a notebook that is dropped is opened, and an editor takes no file as its text", async () => {
  const page = await playground.open(["let a = 1"]);
  await cell(page, 1).locator(".editor").click();
  await drop(page, [{ name: "notes.txt", text: "DROPPED" }], ".code-cell .editor");
  await page.waitForFunction(() => document.querySelectorAll(".code-cell").length === 2);
  const [first, second] = await sources(page);
  assert.equal(first, "let a = 1");
  assert.match(second ?? "", /const notes = await file\.text\("notes\.txt"\)/);
  await drop(page, [{ name: "mine.md", text: "# Mine\n\n```js\n1 + 1\n```\n" }]);
  await page.waitForFunction(() => document.title === "Mine · Weft");
  assert.equal(await page.locator(".code-cell").count(), 1);
  await page.context().close();
});

test("a file that a cell offers is read by a cell of its own when it comes back", async () => {
  const page = await playground.open(['download("model.safetensors", await data.toSafetensors({ bias: zeros([2]) }))']);
  assert.equal((await page.evaluate(() => window.weft.runCell(1))).error, null);
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: /Download model\.safetensors/ }).click()]);
  assert.equal(file.suggestedFilename(), "model.safetensors");
  await drop(page, [{ name: "model.safetensors", base64: (await readFile(await file.path())).toString("base64") }]);
  await page.waitForFunction(() => document.querySelectorAll(".code-cell").length === 2);
  await page.waitForFunction(() => window.weft.cells()[1]?.status === "done");
  assert.match((await sources(page))[1] ?? "", /const model = data\.safetensors\(await file\("model\.safetensors"\)\)/);
  assert.match((await page.evaluate(() => window.weft.cells()[1]?.text)) ?? "", /bias\tf32\t\[2\]/);
  // Brought again, it has its cell.
  await drop(page, [{ name: "model.safetensors", base64: (await readFile(await file.path())).toString("base64") }]);
  await page.getByText("model.safetensors was replaced").waitFor();
  assert.equal(await page.locator(".code-cell").count(), 2);
  await page.context().close();
});

test("files of every kind are read by the right function and show what they hold", async () => {
  const page = await playground.open([""]);
  const files = await fixtures(["grid.npy", "weights.npz", "model.safetensors", "labels-idx1-ubyte.gz", "dot.png", "tone.wav", "pack.zip"]);
  await drop(page, [...files, { name: "config.json", text: '{"depth":3}' }, { name: "data.tsv", text: "a\tb\n1\tx\n" }, { name: "LICENSE", text: "MIT" }, { name: "blob.bin", base64: "AAECAw==" }]);
  await page.waitForFunction(() => document.querySelectorAll(".code-cell").length === 11);
  await page.waitForFunction(() => window.weft.cells().every(({ status }) => status === "done" || status === "failed"));
  const cells = await page.evaluate(() => window.weft.cells());
  assert.deepEqual(cells.filter(({ status }) => status !== "done").map(({ error }) => error), []);
  const [npy, npz, safetensors, idx, png, wav, zip, json, tsv, text, bytes] = cells.map((each) => each.text);
  assert.match(npy ?? "", /f32\[2,3\]/);
  assert.match(npz ?? "", /w\tf32\t\[3, 3\]\nb\ti64\t\[3\]/);
  assert.match(safetensors ?? "", /bias\tf32\t\[2\]/);
  assert.match(idx ?? "", /i32\[3\]/);
  assert.match(png ?? "", /image: 1 × 2×3/);
  assert.match(wav ?? "", /rate: 16000,\s+seconds: 0\.1/);
  assert.match(zip ?? "", /a\/readme\.txt\t120\nb\.bin\t2/);
  assert.match(json ?? "", /depth: 3/);
  assert.match(tsv ?? "", /a\tb\n1\tx/);
  assert.equal(text, "MIT");
  assert.match(bytes ?? "", /Uint8Array\(4\)/);
  // None hides a name of the library.
  assert.ok((await sources(page)).some((source) => /const data2 = data\.csv/.test(source)));
  await page.context().close();
});

test("crafted files harm nothing", async () => {
  const page = await playground.open(["1 + 1"]);
  const [huge] = await fixtures(["huge.png"]);
  /** A zip of one file that says it unpacks to 4 GB. */
  const name = Buffer.from("zeros");
  const packed = Buffer.alloc(4_200_000);
  const local = Buffer.alloc(30 + name.length);
  local.writeUInt32LE(0x04034b50, 0), local.writeUInt16LE(8, 8), local.writeUInt16LE(name.length, 26), name.copy(local, 30);
  const entry = Buffer.alloc(46 + name.length);
  entry.writeUInt32LE(0x02014b50, 0), entry.writeUInt16LE(8, 10), entry.writeUInt32LE(packed.length, 20), entry.writeUInt32LE(0xf0000000, 24), entry.writeUInt16LE(name.length, 28), name.copy(entry, 46);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0), end.writeUInt16LE(1, 8), end.writeUInt16LE(1, 10), end.writeUInt32LE(entry.length, 12), end.writeUInt32LE(local.length + packed.length, 16);
  const bomb = Buffer.concat([local, packed, entry, end]).toString("base64");
  const crafted = [{ name: "../../<img src=x onerror=alert(1)>.png", base64: huge?.base64 ?? "" }, { name: "\u202egpj.zip", base64: bomb }, { name: "```\n\";alert(1)//.wav", text: "RIFF....WAVEjunk" }, { name: "{\"__proto__\":1}.json", text: '{"__proto__":{"polluted":1}}' }];
  await drop(page, crafted);
  await page.waitForFunction(() => document.querySelectorAll(".code-cell").length === 5);
  await page.evaluate(() => window.weft.setCell(3, window.weft.cells() && 'const z = await unzip(await file("gpj.zip"));\nz.bytes("zeros")'));
  const failed = [];
  for (const number of [2, 3, 4, 5]) failed.push((await page.evaluate((at) => window.weft.runCell(at), number)).error?.message ?? "");
  assert.match(failed[0] ?? "", /image: /);
  assert.match(failed[1] ?? "", /unpacked it has 4026531840 bytes/);
  assert.match(failed[2] ?? "", /audio: no sound that this browser can read/);
  assert.equal(await page.locator("main img").count(), 0);
  assert.equal(await page.evaluate(() => "polluted" in {}), false);
  assert.equal((await runAll(page)).cells[0]?.status, "done");
  await page.context().close();
});

const nested = Array.from({ length: 12 }).reduce((/** @type {Buffer} */ inner) => zipOf([{ name: "inner.zip", bytes: inner }]), zipOf([{ name: "end.txt", bytes: Buffer.from("the end") }]));
const wide = Array.from({ length: 100_000 }, (_, i) => `c${i}`);
const HEAD = { dtype: "F32", shape: [2], data_offsets: [0, 8] };

/**
 * Files that lie, and what is said of each: by the cell that the page writes, or by this one.
 * @type {[name: string, content: Buffer | string, says: RegExp, cell?: string][]}
 */
const LIES = [
  ["short.zip", zipOf([{ name: "zeros", bytes: Buffer.alloc(30_000_000), says: 100, deflate: true }]), /zeros: .*(corrupt|unpack|bytes)/i, 'const short2 = (await unzip(await file("short.zip"))).bytes("zeros").length;\nshort2'],
  ["nested.zip", nested, /the end/, 'let inner = await unzip(await file("nested.zip"));\nwhile (inner.names[0] === "inner.zip") inner = await unzip(inner.bytes("inner.zip"));\ninner.text("end.txt")'],
  ["many.zip", zipOf(Array.from({ length: 60_000 }, (_, i) => ({ name: `${i}/${"x".repeat(20)}` }))), /60,000 files|59,\d\d\d more|0\/x/],
  ["names.zip", zipOf(["../../x", "__proto__", "constructor", "C:\\\\x", "<img src=x onerror=alert(1)>", "a\u0000b"].map((name) => ({ name, bytes: Buffer.from("in it") }))), /^in it in it true$/, 'const odd = await unzip(await file("names.zip"));\nprint(odd.text("__proto__"), odd.text("../../x"), odd.names.length === 6)'],
  ["wide.csv", `${wide.join()}\n${wide.map((_, i) => i).join()}\n`, /c0\tc1/],
  ["proto.csv", "__proto__,constructor,toString\n1,2,3\n", /__proto__\tconstructor\ttoString\n1\t2\t3/],
  ["endless.safetensors", safetensorsOf("{}", 2n ** 62n), /safetensors: the header claims/, 'data.safetensors(await file("endless.safetensors"))'],
  ["beyond.safetensors", safetensorsOf(JSON.stringify({ a: { ...HEAD, shape: [2 ** 40], data_offsets: [0, 2 ** 42] } })), /safetensors: /],
  ["shared.safetensors", safetensorsOf(JSON.stringify({ a: HEAD, b: HEAD })), /safetensors: /],
  ["proto.safetensors", safetensorsOf(`{"__proto__":${JSON.stringify(HEAD)},"b":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}}`), /__proto__\tf32\t\[2\]|safetensors: /],
  ["nest.safetensors", safetensorsOf("[".repeat(90_000)), /safetensors: the header is nested too deep/, 'data.safetensors(await file("nest.safetensors"))'],
  ["huge.npy", npyOf("{'descr': '<f4', 'fortran_order': False, 'shape': (1000000, 1000000, 1000000), }"), /npy: /],
  ["pickle.npy", npyOf("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }"), /npy: /],
  ["fast.wav", wavOf({ rate: 4_000_000_000 }), /audio: no sound/],
  ["crowd.wav", wavOf({ channels: 65_535 }), /audio: no sound/],
  ["long.wav", wavOf({ says: 4_000_000_000 }), /rate: 8000|audio: no sound/],
  ["deep.json", "[".repeat(5_000) + "]".repeat(5_000), /\[|Array/],
];

test("files that lie about themselves are read or refused in words, and the page goes on", async () => {
  const page = await playground.open(["1 + 1"]);
  await page.evaluate(() => {
    const seen = { gap: 0 };
    Object.assign(window, { seen });
    let last = performance.now();
    const frame = (/** @type {number} */ now) => ((seen.gap = Math.max(seen.gap, now - last)), (last = now), requestAnimationFrame(frame));
    requestAnimationFrame(frame);
  });
  await drop(page, LIES.map(([name, content]) => (typeof content === "string" ? { name, text: content } : { name, base64: content.toString("base64") })));
  await page.waitForFunction((count) => document.querySelectorAll(".code-cell").length === count + 1, LIES.length);
  await page.waitForFunction(() => window.weft.cells().every(({ status }) => status !== "running" && status !== "queued"));
  for (const [at, [name, , says, code]] of LIES.entries()) {
    if (code) await page.evaluate(([number, code]) => window.weft.setCell(number, code), /** @type {const} */ ([at + 2, code]));
    // A cell that fails ends the run of those that wait.
    const idle = (await page.evaluate(() => window.weft.cells()))[at + 1]?.status === "idle";
    if (code || idle) await page.evaluate((number) => window.weft.runCell(number), at + 2);
    const report = (await page.evaluate(() => window.weft.cells()))[at + 1];
    assert.match(report?.error ? `${report.error.name}: ${report.error.message}` : (report?.text ?? ""), says, name);
  }
  assert.equal(await page.evaluate(() => Object.keys(Object.prototype).length), 0);
  assert.equal((await page.evaluate(() => window.weft.runCell(1))).text, "2");
  const { gap } = await page.evaluate(() => /** @type {any} */ (window).seen);
  assert.ok(gap < 3_000, `${gap} ms without a frame`);
  await page.context().close();
});

test("a cell waits for the file that it asks for, finds it again, and runs again for another", async () => {
  const page = await playground.open([`const given = await upload("Notes", { accept: ".txt" });\nconst words = await given.text();\nprint("read " + words)`, `print(words.length)`, `let kept = 7;`, `print(kept)`]);
  await page.evaluate(() => window.weft.runCell(3));
  const first = page.evaluate(() => window.weft.runCell(1));
  const choose = page.getByRole("button", { name: "Notes: choose a file" });
  await choose.waitFor();
  // A cell that waits ends on Stop, and nothing else is lost.
  await page.evaluate(() => window.weft.stop());
  assert.equal((await first).status, "stopped");
  assert.equal((await page.evaluate(() => window.weft.runCell(4))).text, "7");

  const second = page.evaluate(() => window.weft.runCell(1));
  await page.waitForFunction(() => window.weft.cells()[0]?.status === "running");
  await choose.waitFor();
  /** @param {string} name @param {string} text */
  const give = (name, text) => cell(page, 1).locator("input[type=file]").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await give("a.txt", "one");
  const report = await second;
  assert.match(report.text, /Notes: (a\.txt)?\nread one/);
  await page.evaluate(() => window.weft.runCell(2));
  // Another choice runs the cell, and what uses it, again; a file that is dropped on the button is
  // a choice.
  await drop(page, [{ name: "b.txt", text: "three" }], "[data-takes-files]");
  await page.waitForFunction(() => /read three/.test(window.weft.cells()[0]?.text ?? "") && window.weft.cells()[1]?.text === "5");
  assert.equal(await page.locator(".code-cell").count(), 4);
  // The notebook has both.
  await page.evaluate(() => window.weft.setCell(4, 'print(await file.text("a.txt"), await file.exists("b.txt"), await file.exists("c.txt"))'));
  assert.equal((await page.evaluate(() => window.weft.runCell(4))).text, "one true false");
  // With a text to read until then a cell does not wait, and runs again for the first file.
  await page.evaluate(() => window.weft.setCell(4, 'const table = await upload("Table", { otherwise: "1,2" });\nprint("has " + (await table.text()) + (await table.bytes()).length)'));
  assert.match((await page.evaluate(() => window.weft.runCell(4))).text, /has 1,23/);
  await cell(page, 4).locator("input[type=file]").setInputFiles({ name: "t.csv", mimeType: "text/csv", buffer: Buffer.from("4,5,6") });
  await page.waitForFunction(() => /has 4,5,65/.test(window.weft.cells()[3]?.text ?? ""));
  await page.context().close();
});
