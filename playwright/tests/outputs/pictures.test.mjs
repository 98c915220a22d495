// Pictures of tensors in the page: lists beside each other, columns on narrow screens, PNG files of
// what is shown and of tensors, and calls with more values than a function shows.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, afterEach, before, test } from "../../lib/test.mjs";
import { cell, Playground, runAll, runCell } from "../../lib/playground.mjs";

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

/** @typedef {import("playwright-core").Page} Page */

/** The first pixels of each picture of a cell, in grey, and its size.
 * @param {Page} page @param {number} number */
const pictures = (page, number) =>
  cell(page, number).locator("figure.image canvas").evaluateAll((canvases) => canvases.map((canvas) => {
    const { width, height } = /** @type {HTMLCanvasElement} */ (canvas);
    const { data } = /** @type {CanvasRenderingContext2D} */ (/** @type {HTMLCanvasElement} */ (canvas).getContext("2d")).getImageData(0, 0, width, height);
    return { width, height, first: data[0], last: data[data.length - 4] };
  }));

/** Width and height of a PNG. @param {Buffer} bytes */
const sizeOf = (bytes) => {
  assert.equal(bytes.subarray(1, 4).toString("latin1"), "PNG");
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
};

/** What a press saves. @param {Page} page @param {() => Promise<void>} press */
async function saved(page, press) {
  const [file] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

test("a list of pictures is shown side by side, each in its own size and range, with captions and columns", async () => {
  const page = await playground.open([
    "const before = linspace(0, 1, 25).reshape([5, 5]);\nconst after = before.mul(3).sub(1);\nimage([before, after])",
    'image([before, ones([2, 3, 3]).mul(0.5), after.slice([0, 1])], { columns: 2, labels: ["before", "colour", "row"], title: "Three" })',
    "const live = image([before]);\nlive.update([after, before]);\nawait live.update([after, after, before])",
    "image(stack([before, after]))",
    "image([before, after], { range: [0, 2] })",
  ]);
  const { ok, cells } = await runAll(page);
  assert.equal(ok, true, JSON.stringify(cells.map(({ error }) => error)));
  await page.waitForFunction(() => document.querySelectorAll("figure.image").length === 5);
  const whole = { width: 5, height: 5, first: 0, last: 255 };
  assert.deepEqual(await pictures(page, 1), [whole, whole]);
  const [first, colour, row] = await pictures(page, 2);
  assert.deepEqual(first, whole);
  assert.deepEqual([colour?.width, colour?.height, row?.width, row?.height], [3, 2, 5, 1]);
  assert.ok(Math.abs((colour?.first ?? 0) - 128) <= 1);
  assert.deepEqual(await cell(page, 2).locator(".tile figcaption").allTextContents(), ["before", "colour", "row"]);
  assert.equal((await pictures(page, 3)).length, 3);
  // A batch has one range, as a list has where it is given one.
  const [dark] = await pictures(page, 4);
  assert.ok((dark?.first ?? 0) > 50 && (dark?.last ?? 255) < 200, JSON.stringify(dark));
  assert.deepEqual((await pictures(page, 5)).map(({ last }) => last), [128, 255]);
  await page.context().close();
});

test("as many columns as a cell asks for have room on any screen; others are fewer where it is narrow", async () => {
  const page = await playground.open(["image(zeros([6, 28, 28]), { columns: 3, scale: 12 })", "image([zeros([300, 400]), ones([300, 400])])", "image(zeros([24, 28, 28]), { scale: 3 })"]);
  assert.equal((await runAll(page)).ok, true);
  const tops = (/** @type {number} */ number) => cell(page, number).locator("canvas").evaluateAll((canvases) => canvases.map((canvas) => Math.round(canvas.getBoundingClientRect().top)));
  const inRow = async (/** @type {number} */ number) => (await tops(number)).filter((top, _, all) => top === all[0]).length;
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    assert.deepEqual([await inRow(1), await inRow(2)], [3, 2], `${width} pixels wide`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    const boxes = await cell(page, 1).locator("canvas").evaluateAll((canvases) => canvases.map((canvas) => canvas.getBoundingClientRect().width / canvas.getBoundingClientRect().height));
    assert.ok(boxes.every((ratio) => Math.abs(ratio - 1) < 0.02), "pictures keep their proportions");
  }
  assert.ok((await inRow(3)) <= 4);
  await page.context().close();
});

test("pictures are saved as PNG, by pointer and keyboard, of one pixel for each element", async () => {
  const page = await playground.open(['image(eye(5), { title: "Five by five" })', "image([eye(4), eye(4), eye(2)], { columns: 2 })"]);
  assert.equal((await runAll(page)).ok, true);
  const button = (/** @type {number} */ number) => cell(page, number).getByRole("button", { name: "Download this picture as PNG" });
  await cell(page, 1).locator("canvas").hover();
  const one = await saved(page, () => button(1).click());
  assert.deepEqual([one.name, sizeOf(one.bytes)], ["Five-by-five.png", [5, 5]]);
  await page.keyboard.press("Tab");
  await button(2).focus();
  assert.equal(await button(2).evaluate((element) => getComputedStyle(element).opacity), "1");
  const grid = await saved(page, () => page.keyboard.press("Enter"));
  assert.deepEqual([grid.name, sizeOf(grid.bytes)], ["picture.png", [8, 8]]);
  // What was shown on an earlier visit is saved as well.
  await page.waitForFunction(() => Object.values(localStorage).filter((text) => text.includes('"kept"')).length > 0);
  await page.reload();
  await cell(page, 1).locator("figure.image canvas").waitFor();
  const again = await saved(page, () => button(1).press("Enter"));
  assert.deepEqual([again.name, sizeOf(again.bytes)], ["Five-by-five.png", [5, 5]]);
  await page.context().close();
});

test("download offers a tensor as a picture, a file as itself, and several or a program as a zip", async () => {
  const page = await playground.open([
    'download("out.png", eye(3));\ndownload({ "folder/two.png": ones([2, 4, 3]) });\ndownload("notes.txt", "a text");\ndownload({ "a.txt": "1", "b.png": eye(2) });\ndownload("run.js", "alert(1)");\ndownload({ "a.txt": "1" }, "mine")',
    'download({ "x.npy": eye(2) })', 'download("out.png", ones([3]))', 'download({ "m.safetensors": data.toSafetensors({ a: eye(2) }) })', 'download("out.png")', "download(eye(2))",
  ]);
  const { error } = await runCell(page, 1);
  assert.equal(error, null);
  const buttons = cell(page, 1).locator(".outputs .plain-button");
  assert.deepEqual((await buttons.allTextContents()).map((text) => text.replace(/ \(.*/, "")), ["Download out.png", "Download two.png", "Download notes.txt", "Download files.zip", "Download files.zip", "Download mine.zip"]);
  const files = [];
  for (const button of await buttons.all()) files.push(await saved(page, () => button.click()));
  const [picture, colour, text, zip, program] = files;
  assert.deepEqual(picture && sizeOf(picture.bytes), [3, 3]);
  assert.deepEqual(colour && sizeOf(colour.bytes), [4, 2]);
  assert.equal(text?.bytes.toString(), "a text");
  assert.deepEqual([zip, program].map((file) => file?.bytes.readUInt32LE(0)), [0x04034b50, 0x04034b50]);
  assert.ok(zip?.bytes.includes("b.png"));
  const messages = [];
  for (let number = 2; number <= 6; number++) messages.push((await runCell(page, number)).error?.message);
  assert.deepEqual(messages, [
    "download: x.npy is a tensor, which is saved as a picture where its name ends in .png; bytes of its numbers are await data.toNpy(t)",
    "download: out.png: [3] is not an image, which has two axes or more: plot(t) draws a curve, t.reshape([height, width]) makes two axes",
    "download: m.safetensors is a promise: write await before it",
    'download: says what is in the file, as in download("out.png", "a text")',
    'download: takes files by their names, as in download({ "notes.txt": "a text" }) or download("picture.png", tensor)',
  ]);
  await page.context().close();
});

test("what shows one value refuses more of them, and says what shows several", async () => {
  const cells = {
    "image(eye(2), eye(2))": /^image: options must be an object .* not a tensor \[2,2\]; two pictures are image\(\[a, b\]\)/,
    "image(eye(2), {}, eye(2))": /^image: takes at most 2 arguments, not 3; two pictures are/,
    "heatmap(eye(2), eye(2))": /^heatmap: options must be .* several of one shape are heatmap\(stack\(\[a, b\]\)\)/,
    "heatmap([eye(2), eye(2)])": /^heatmap: takes one tensor, not a list: several of one shape are heatmap\(stack/,
    "display(eye(2), eye(2))": /^display: options must be .* print\(a, b\) shows several values/,
    "markdown('a', 'b')": /^markdown: takes at most 1 argument, not 2/,
    "table([{ a: 1 }], [{ b: 2 }])": /^table: options must be .* not a list; write one list of rows/,
    "plot([1], [2], {}, [3])": /^plot: takes at most 3 arguments, not 4; several lines are plot\(x, \{ sine: a, cosine: b \}\)/,
    "scatter([1], [2], [3])": /^scatter: options must be .* not a list; what colours points is an option, as in scatter\(x, y, \{ color: c \}\)/,
    "hist([1], [2])": /^hist: options must be .* several histograms are hist\(\{ before: a, after: b \}\)/,
    "box([1], [2])": /^box: options must be .* several boxes are/,
    "const s = slider('a', 0, 10)": /^slider: takes at most 2 arguments, not 3; write slider\("speed", \{ min: 0, max: 10 \}\)/,
    "image([eye(2), 3])": /^image: a list of pictures holds tensors, but \[1\] is a value of type number/,
    "image([eye(2), zeros([2, 5, 5])])": /^image: each picture of a list is \[H,W\] or \[H,W,3\|4\], but \[1\] is \[2,5,5\], a batch/,
    "image([[1, 2], [3, 4]])": /^image: expected a tensor, got an array: write image\(tensor\(rows\)\)/,
  };
  const page = await playground.open(Object.keys(cells));
  for (const [i, expected] of Object.values(cells).entries()) assert.match((await runCell(page, i + 1)).error?.message ?? "", expected, Object.keys(cells)[i]);
  await page.context().close();
});
