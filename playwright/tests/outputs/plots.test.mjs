// Plots in the page: the examples of docs/plots.md, the read-out by pointer and keys, downloads,
// themes, saved plots, and binning on the device, which agrees with binning here.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { assertAccessible } from "../../lib/accessible.mjs";
import { after, afterEach, before, test } from "../../lib/test.mjs";
import { Playground, cell, ready, runAll, runCell } from "../../lib/playground.mjs";
import { share } from "../../lib/rotation.mjs";

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

test("the examples of docs/plots.md run, and axe finds nothing, light and dark", async () => {
  const text = await readFile(new URL("../../../docs/plots.md", import.meta.url), "utf8");
  const cells = [...text.matchAll(/```js\n([^]*?)```/g)].map(([, code]) => String(code));
  assert.ok(cells.length >= 6);
  const page = await playground.open(cells, { bypassCSP: true, viewport: { width: 390, height: 844 } });
  const { ok, cells: reports } = await runAll(page);
  assert.equal(ok, true, JSON.stringify(reports.map(({ error }) => error)));
  for (let number = 1; number <= cells.length; number++) {
    await cell(page, number).locator(".outputs").scrollIntoViewIfNeeded();
    await cell(page, number).locator(".plot-picture > svg").first().waitFor();
  }
  await assertAccessible(page, "plots");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  const ink = () => cell(page, 1).locator(".plot-picture text").first().getAttribute("fill");
  const light = await ink();
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForFunction((light) => document.querySelector(".plot-picture text")?.getAttribute("fill") !== light, light);
  await assertAccessible(page, "plots in the dark");
  await page.context().close();
});

test("what draws plots comes with the first that is no live chart; a plot draws other values in its place, and series of dots have the colours of lines and names of their own", async () => {
  const page = await playground.open([
    'const shown = bars({ a: 1, b: 2 }, { title: "first" });\nawait shown;\nshown.update({ a: 1, b: 2, c: 3 }, { title: "second" });\nawait shown.update({ a: 4 }, { title: "third" });',
    'plot([0, 1, 2], { curve: [1, 2, 3], seen: [1, NaN, 3] }, { dots: ["seen"] })',
    'await plot([1, 2], { dots: ["gone"] });',
    "random.permutation(null);",
    'const chart = plot({ series: ["loss"] });\nchart.add({ loss: 2 });\nchart.add({ loss: 1 });',
  ]);
  const drawing = () => page.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => /\/assets\/plot-[^/]*\.js$/.test(name)).length);
  await runCell(page, 5);
  await cell(page, 5).locator(".chart").scrollIntoViewIfNeeded();
  await cell(page, 5).locator(".chart path").first().waitFor();
  assert.equal(await drawing(), 0, "a live chart needs no more than the page has");
  await runCell(page, 1);
  assert.equal(await cell(page, 1).locator(".plot-figure").count(), 1);
  await cell(page, 1).getByRole("application", { name: /third/ }).waitFor();
  assert.equal(await drawing(), 1);
  await runCell(page, 2);
  await cell(page, 2).locator(".plot-figure").scrollIntoViewIfNeeded();
  const texts = cell(page, 2).locator(".plot-picture text");
  await texts.first().waitFor();
  const words = await texts.allTextContents();
  assert.ok(words.includes("curve") && words.includes("seen"), words.join());
  assert.match((await runCell(page, 3)).error?.message ?? "", /no series “gone” to draw as dots/);
  assert.match((await runCell(page, 4)).error?.message ?? "", /takes what is picked from, as in random\.permutation\(\[1, 2, 3\]\)/);
  await page.context().close();
});

test("values are read by pointer and keys, plots are saved as files, and stand there again after a reload", async () => {
  const page = await playground.open(['plot({ up: [1, 2, 4], down: [3, 2, 0] }, { title: "Two lines" })', 'scatter([0, 1, 2], [1, 2, 6], { curve: { double: (x) => x * 2, root: (x) => Math.sqrt(x) } })', 'bars({ "<img src=x onerror=alert(1)>\u202e": 3, pears: 5 })']);
  await runAll(page);
  const figure = cell(page, 1).locator(".plot-figure");
  const picture = figure.getByRole("application");
  await picture.locator("text").first().waitFor();
  await picture.focus();
  const spoken = figure.getByRole("status");
  await page.keyboard.press("ArrowRight");
  assert.equal(await spoken.textContent(), "x 0, up 1, down 3");
  await page.keyboard.press("End");
  assert.equal(await spoken.textContent(), "x 2, up 4, down 0");
  await page.keyboard.press("ArrowDown");
  assert.equal(await spoken.textContent(), "x 2, down 0, up 4");
  await page.keyboard.press("Escape");
  const reading = figure.locator(".plot-reading");
  assert.equal(await reading.isVisible(), false);
  const box = /** @type {{ x: number, y: number, width: number, height: number }} */ (await picture.boundingBox());
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await reading.waitFor();
  assert.match(await reading.innerText(), /^x\s+1\s/);
  // Keys zoom, and show all again.
  const ends = () => picture.locator("text").allTextContents().then((texts) => texts.join(" "));
  const all = await ends();
  await picture.focus();
  await page.keyboard.press("+");
  assert.notEqual(await ends(), all);
  await page.keyboard.press("0");
  assert.equal(await ends(), all);
  await figure.getByRole("button", { name: "Help: Plot" }).press("Enter");
  assert.match(await figure.locator(".about-text").innerText(), /Drag a box to zoom/);
  await page.keyboard.press("Escape");
  assert.equal(await figure.locator(".about-text").isVisible(), false);
  // Curves go from the first point to the last, whether their functions take tensors or numbers.
  const curves = await cell(page, 2).locator(".plot-picture path").evaluateAll((paths) => paths.flatMap((path) => (path.getAttribute("fill") === "none" ? [(path.getAttribute("d") ?? "").match(/-?[\d.]+/g)?.map(Number) ?? []] : [])));
  assert.equal(curves.length, 2);
  const [double = [], root = []] = curves;
  assert.ok(double.length > 400 && root.length > 400 && Math.abs((double[0] ?? 0) - (root[0] ?? 9)) < 0.1 && Math.abs((double.at(-2) ?? 0) - (root.at(-2) ?? 9)) < 0.1, "over the same span");
  const bars = cell(page, 3).locator(".plot-picture");
  await bars.scrollIntoViewIfNeeded();
  await bars.locator("text").first().waitFor();
  assert.match(await bars.innerText(), /<img src=x/);
  assert.equal(await page.locator(".plot-figure img").count(), 0);
  for (const [kind, start] of /** @type {const} */ ([["SVG", "<svg"], ["PNG", "\u0089PNG"]])) {
    const download = page.waitForEvent("download");
    await figure.getByRole("button", { name: `Download this plot as ${kind}` }).click();
    const file = await download;
    assert.equal(file.suggestedFilename(), `Two-lines.${kind.toLowerCase()}`);
    assert.equal((await readFile(await file.path())).subarray(0, 4).toString("latin1"), start);
  }
  await page.waitForFunction(() => Object.values(localStorage).some((text) => text.includes("$floats")));
  await page.reload();
  await ready(page);
  await cell(page, 1).locator(".plot-picture text").first().waitFor();
  assert.equal((await page.evaluate(() => window.weft.cells()))[0]?.status, "idle");
  await page.context().close();
});

test("points are drawn over a contour and a heatmap, in their axes, read out and saved", async () => {
  const page = await playground.open([
    'contour((x, y) => x.mul(y), [-3, 3], [-2, 2], { points: tensor([[-1, 1], [2, 1.5], [9, 9]]), color: ["red", "blue", "red"], title: "Boundary", label: "p" })',
    "const shown = heatmap(tensor([[1, 2, 3], [4, 5, 6]]), { points: [[0.5, 0.5], [2.5, 1.5]] });\nawait shown;\nawait shown.update(tensor([[6, 5, 4], [3, 2, 1]]))",
    "heatmap(eye(3), { points: [[1, 1]], smooth: true })", "contour(eye(3), { color: [1] })", "heatmap(ones([2, 3, 4, 3]), { points: [[1, 1]] })",
  ]);
  for (const number of [1, 2]) assert.equal((await runCell(page, number)).error, null);
  const figure = cell(page, 1).locator(".plot-figure");
  await figure.scrollIntoViewIfNeeded();
  const circles = figure.locator(".plot-picture svg svg circle");
  await circles.first().waitFor();
  assert.equal(await circles.count(), 3);
  const words = await figure.locator(".plot-picture > svg text").allTextContents();
  for (const word of ["red", "blue", "p", "Boundary"]) assert.ok(words.includes(word), word);
  await figure.getByRole("application").focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await figure.getByRole("status").textContent(), "red, x −1, y 1");
  const [file] = await Promise.all([page.waitForEvent("download"), figure.getByRole("button", { name: "Download this plot as SVG" }).click()]);
  assert.equal(((await readFile(await file.path(), "utf8")).match(/<circle [^>]*stroke-width="1.5"/g) ?? []).length, 3);
  // Rows are counted from the top; other values come in the same place, with the same points.
  const map = cell(page, 2).locator(".plot-figure");
  await map.scrollIntoViewIfNeeded();
  await map.locator(".plot-picture svg svg circle").first().waitFor();
  const [high, low] = await map.locator(".plot-picture svg svg circle").evaluateAll((found) => found.map((each) => Number(each.getAttribute("cy"))));
  assert.ok((high ?? 0) < (low ?? 0));
  await map.getByRole("application").focus();
  for (const key of ["ArrowRight", "ArrowDown", "Home"]) await page.keyboard.press(key);
  assert.match(await map.getByRole("status").innerText(), /x 0\.5, y 1\.5, value 3/);
  const messages = [];
  for (const number of [3, 4, 5]) messages.push((await runCell(page, number)).error?.message ?? "");
  assert.match(messages[0] ?? "", /^heatmap: no option “smooth”; the options are title, /);
  assert.match(messages[1] ?? "", /^contour: color is that of points: give points too/);
  assert.match(messages[2] ?? "", /^heatmap: points are drawn over a matrix \[H,W\], not over \[2,3,4,3\]/);
  await page.context().close();
});

test("a drag zooms without selecting figures, what is read out is under the pointer, and files have a margin", async () => {
  const page = await playground.open(['plot(linspace(0, 10, 101).sin(), { title: "Drag" })', "scatter(random.normal(random.key(0), [50, 2]), { equal: true, height: 300 })"]);
  assert.equal((await runAll(page)).ok, true);
  const figure = cell(page, 1).locator(".plot-figure");
  const picture = figure.getByRole("application");
  await picture.locator("text").first().waitFor();
  const reading = figure.locator(".plot-reading");
  const box = /** @type {{ x: number, y: number, width: number, height: number }} */ (await picture.boundingBox());
  const at = (/** @type {number} */ across, /** @type {number} */ down) => /** @type {const} */ ([box.x + box.width * across, box.y + box.height * down]);
  await page.mouse.move(...at(0.3, 0.5));
  await reading.waitFor();
  const figures = () => picture.locator("text").allTextContents().then((texts) => texts.join(" "));
  const all = await figures();
  await page.mouse.down();
  await page.mouse.move(...at(0.5, 0.4), { steps: 4 });
  await reading.waitFor({ state: "hidden" });
  // Over the figures of the axis, and beyond the plot.
  await page.mouse.move(box.x + box.width * 0.7, box.y + box.height + 30, { steps: 4 });
  assert.equal(await page.evaluate(() => String(getSelection())), "");
  await page.mouse.up();
  assert.notEqual(await figures(), all);
  assert.equal(await reading.isVisible(), false, "nothing is read out where the pointer is not");
  await page.mouse.move(...at(0.5, 0.5));
  await reading.waitFor();
  await page.mouse.dblclick(...at(0.9, 0.5));
  await page.waitForFunction((x) => Math.abs((document.querySelector(".plot-overlay circle")?.getBoundingClientRect().left ?? 0) - x) < 20, at(0.9, 0.5)[0]);
  assert.equal(await figures(), all);
  await page.mouse.move(box.x + box.width / 2, box.y - 60);
  await reading.waitFor({ state: "hidden" });
  // Four corners of the file are the page's colour, and the drawing begins a little inside.
  const [file] = await Promise.all([page.waitForEvent("download"), figure.getByRole("button", { name: "Download this plot as PNG" }).click()]);
  const bytes = await readFile(await file.path());
  assert.equal(bytes.readUInt32BE(16), 2 * (Math.max(480, Math.floor(box.width)) + 32));
  // The tools end where the panel does.
  const narrow = cell(page, 2).locator(".plot-figure");
  await narrow.scrollIntoViewIfNeeded();
  await narrow.locator("text").first().waitFor();
  const tools = await narrow.locator(".plot-tools").boundingBox();
  const right = await narrow.locator(".plot-picture > svg").first().evaluate((svg) => Math.max(...[...svg.querySelectorAll("line")].map((each) => each.getBoundingClientRect().right)));
  assert.ok(tools && Math.abs(tools.x + tools.width - right) < 16, `${tools?.x} ${tools?.width} ${right}`);
  assert.ok(right < box.x + box.width - 100, "the panel is narrower than the page");
  await page.context().close();
});

test("a heatmap has axes, and its values are read by pointer and keys", async () => {
  const page = await playground.open(["heatmap(tensor([[1, 2, 3], [4, 5, -6]]), { title: 'Six', y: [0, 10], names: ['across', 'up'] })"]);
  await runAll(page);
  const figure = cell(page, 1).locator("figure.image");
  const picture = figure.getByRole("application");
  await picture.focus();
  for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
  assert.equal(await figure.getByRole("status").textContent(), "across 2, up 2.5: −6");
  assert.deepEqual(await figure.locator(".axis-y span").allTextContents(), ["0", "2", "4", "6", "8", "10"]);
  const box = /** @type {{ x: number, y: number, width: number, height: number }} */ (await picture.boundingBox());
  await page.mouse.move(box.x + 5, box.y + 5);
  assert.equal(await figure.locator(".value-line p").textContent(), "across 0, up 7.5: 1");
  await figure.getByRole("button", { name: "Help: Six" }).click();
  await figure.getByText("PNG saves the picture").waitFor();
  const saved = page.waitForEvent("download");
  await figure.getByRole("button", { name: "Download this heatmap as PNG" }).click();
  const file = await saved;
  assert.equal(file.suggestedFilename(), "Six.png");
  const bytes = await readFile(await file.path());
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [box.width * 2, box.height * 2]);
  await page.context().close();
});

for (const points of share([70_000, 1_000_000], 2)) test(`tensors of ${points} are binned on the device as arrays are here, and neither draws more than can be seen`, async () => {
  const data = `const n = ${points};\nconst x = linspace(0, 1, n);\nconst y = x.mul(40).sin().add(random.normal(random.key(1), [n]).mul(0.1));\nconst holes = where(x.sub(0.5).abs().less(0.1), NaN, y);`;
  const page = await playground.open([
    data, "plot(x, holes);\nscatter(x, y, { color: y });\nhist(y, { bins: 30 });\nplot(holes)",
    "const [a, b, c] = await Promise.all([x, y, holes].map((t) => t.data()));", "plot(a, c);\nscatter(a, b, { color: b });\nhist(b, { bins: 30 });\nplot(c)",
  ]);
  const { ok, cells } = await runAll(page);
  assert.equal(ok, true, JSON.stringify(cells.map(({ error }) => error)));
  /** What a plot draws, coarsely: f32 and f64 put a value at an edge on either side of it.
   * @param {number} number */
  const drawn = async (number) => {
    const outputs = cell(page, number).locator(".plot-figure");
    /** @type {string[][]} */
    const found = [];
    for (let i = 0; i < 4; i++) {
      await outputs.nth(i).scrollIntoViewIfNeeded();
      await outputs.nth(i).locator("text").first().waitFor();
      found.push(await outputs.nth(i).locator("path, image, text").evaluateAll((elements) => elements.map((element) => (element.textContent ?? "") || (element.getAttribute("d") ?? element.getAttribute("href") ?? ""))));
    }
    return found;
  };
  const [there, here] = [await drawn(2), await drawn(4)];
  // The page's part does not grow with the points: some for each pixel across, and a picture of
  // those that lie too close.
  for (const [i, texts] of [...there, ...here].entries()) {
    const size = texts.reduce((sum, text) => sum + text.length, 0);
    assert.ok(texts.length < 100 && size < 60_000, `plot ${i}: ${texts.length} elements of ${size} characters`);
  }
  for (let i = 0; i < 4; i++) {
    assert.equal(there[i]?.length, here[i]?.length);
    there[i]?.forEach((text, n) => {
      const other = String(here[i]?.[n]);
      // Of the characters that say it, all but a few in a hundred.
      const apart = [...text].reduce((sum, letter, at) => sum + (letter === other[at] ? 0 : 1), 0);
      if (!text.startsWith("M")) assert.ok(apart <= text.length * 0.03, `${i}.${n}: ${apart} of ${text.length}`);
    });
    const points = (/** @type {string[] | undefined} */ texts) => (texts?.find((text) => text.startsWith("M")) ?? "").match(/-?[\d.]+/g)?.map(Number) ?? [];
    const [p, q] = [points(there[i]), points(here[i])];
    assert.ok(Math.abs(p.length - q.length) <= p.length * 0.02, `${p.length} and ${q.length} coordinates`);
    if (p.length === q.length) p.forEach((value, at) => assert.ok(Math.abs(value - (q[at] ?? NaN)) <= 12, `plot ${i}, coordinate ${at}: ${value} and ${q[at]}`));
  }
  await page.context().close();
});

const MARKUP = "<img src=x onerror=window.stolen=1><script>window.stolen=1</script>";
const CRAFTED = [
  "const many = new Float32Array(10_000_000).fill(1);\nfor (let i = 0; i < many.length; i += 1000) many[i] = i;\nplot(many);\nscatter(many, many);",
  `const M = ${JSON.stringify(MARKUP)};\nplot({ [M]: [1, 2] }, { title: M, x: M, y: M });\nscatter([1, 2, 3], [1, 2, 3], { color: [M, "b", M], label: M });\nbars({ [M]: 2 }, { title: M });\nbox({ [M]: [1, 2, 9] });\nplot([1, 2, 3, 4], { facet: [M, M, "b", "b"] });\nheatmap(eye(2), { title: M, names: [M, M] });\ncontour(eye(4), { label: M, title: M });`,
  "plot([NaN, NaN]);\nplot([Infinity, -Infinity, 1e308, -1e308, 5e-324]);\nscatter([NaN, 1e300], [1, Infinity]);\nhist([NaN, Infinity, 1]);\nhist([]);\nplot([]);\nplot([-1, 0], { log: true });\nplot([1, 2], { domain: [-1e308, 1e308], range: [0, 5e-324] });\nplot([new Date(NaN), new Date(8.64e15)], [1, 2], { facet: [new Date(NaN), new Date(0)] });\ncontour([[NaN, NaN], [NaN, NaN]]);\nbars({});\nbox([]);",
  `let asked = 0;\nawait plot({ get a() { return [1, 2, ++asked]; } });\nplot(JSON.parse('{"__proto__": [1, 2], "constructor": [2, 3], "hasOwnProperty": [1, 1]}'), { title: "t".repeat(5e6), x: "x".repeat(5e6) });\nplot({ ["s".repeat(4e6)]: [1, 2] });\nbars(["__proto__", "constructor", "a".repeat(3e6)], [1, 2, 3]);\nscatter([1, 2], [1, 2], { color: ["__proto__", "toString"] });`,
  "const at = new Proxy([1, 2, 3], { get(list, key) { if (key === '2') throw new RangeError('a trap'); return Reflect.get(list, key) } });\nawait plot(at).catch((error) => print(error.message));\nconst last = plot([1]);\nfor (let i = 0; i < 500; i++) last.update([i, 1]);\nawait last;",
];

test("crafted plots are bounded, run nothing, and leave the page live", async () => {
  const crafted = share(CRAFTED, 2);
  const page = await playground.open(crafted);
  await page.evaluate(() => {
    const seen = { gap: 0 };
    Object.assign(window, { seen });
    let last = performance.now();
    const frame = (/** @type {number} */ now) => ((seen.gap = Math.max(seen.gap, now - last)), (last = now), requestAnimationFrame(frame));
    requestAnimationFrame(frame);
  });
  const { cells } = await runAll(page);
  // What has no values says so, and the rest of its cell runs all the same.
  assert.deepEqual(cells.map(({ status, error }) => [status, error?.message ?? ""]), crafted.map(() => ["done", ""]));
  if (crafted.at(-1) === CRAFTED.at(-1)) assert.match(cells.at(-1)?.text ?? "", /a trap/);
  for (const figure of await page.locator(".plot-figure").all()) {
    await figure.scrollIntoViewIfNeeded();
    await figure.locator("svg").first().waitFor();
  }
  assert.equal(await page.locator(".outputs :is(img, script, iframe, foreignObject)").count(), 0);
  assert.equal(await page.evaluate(() => "stolen" in window), false);
  assert.ok((await page.evaluate(() => document.querySelectorAll(".plot-figure *").length)) < 8_000, "few elements");
  const { gap } = await page.evaluate(() => /** @type {any} */ (window).seen);
  assert.ok(gap < 2_500, `${gap} ms without a frame`);
  await page.context().close();
});

test("a plot that cannot be made says why, at its line", async () => {
  const cells = ["plot([1, 2], [1, 2, 3])", 'plot([1], { colour: "red" })', 'scatter([1, "a"], [2, 3])', "hist([1, 2], { bins: 0 })", "plot((x) => x.nothing(), [0, 1])", "contour([[1, 2], [3]])", "bars(['a'], [1, 2])", "plot([{}])", "scatter([1, 2])", "scatter([1], [2], { curve: 3 })", "plot([1, 2], { domain: [0, Infinity] })", "scatter([1, 2], [3, 4], { range: [NaN, 1] })", "plot(() => { throw new Error('mine') }, [0, 1])", "plot((x) => 'no number', [0, 1])", "plot((x) => x, [0, Infinity])", "plot(Float32Array.from({ length: 2 ** 24 + 1 }))", "bars(Array.from({ length: 5000 }, (_, i) => `n${i}`), new Float32Array(5000))",
    "plot(new Array(1e9))", "plot(Array.from({ length: 3000 }, () => [1, 2]))", "const ring = { a: [1] };\nring.b = ring; plot(ring)", "plot((function* () { for (;;) yield 1; })())", "plot({ get a() { throw new Error('a getter'); } })", "plot([1, 2], new Proxy({}, { get() { throw new Error('a trap'); } }))", "plot([Symbol('a')])",
    "plot({ series: Array.from({ length: 5000 }, (_, i) => `s${i}`) })", "plot({ series: [['s'.repeat(5e6)]] })", "plot({ series: ['a'], range: [NaN, 1] })", "plot({ series: [null] })", "heatmap([[1, 2], [3, 4]])"];
  const page = await playground.open(cells, { says: /./ });
  const messages = [
    "RangeError: plot: x and y must have as many values as each other, not 2 and 3", "TypeError: plot: no option “colour”; the options are title, x, y, log, domain, range, height, facet, dots, samples, equal",
    "TypeError: scatter: values must be numbers, dates or words, not string", "RangeError: hist: bins must be a whole number from 1 to 1000, not 0", "TypeError: x.nothing is not a function",
    "TypeError: contour: expected a function, a tensor [H, W] or rows of equal lengths", "RangeError: bars: there must be as many values as names, not 2 and 1", "TypeError: plot: values must be numbers, dates or words, not object",
    "TypeError: scatter: give x and y, as in scatter(x, y), or a tensor of [N, 2]",
    "TypeError: scatter: curve is a function of x, such as (x) => x * 2, or an object of functions",
    "RangeError: plot: domain must be [low, high] with low < high, both finite", "RangeError: scatter: range must be [low, high] with low < high, both finite", "Error: mine",
    "TypeError: plot: a function must give a number or a tensor for each x, not string", "TypeError: plot: a function is drawn over an interval [from, to] with from < to, as in plot(sin, [0, 10])",
    "RangeError: plot: at most 16,777,216 values, not 16,777,217; plot a slice", "RangeError: bars: at most 200 bars have room, not 5000; hist counts values in bins",
    "RangeError: plot: at most 16,777,216 values, not 1,000,000,000; plot a slice", "RangeError: plot: at most 24 series, not 3000", "TypeError: plot: expected a tensor or an array of values, got an object", "RangeError: plot: at most 16,777,216 values, not 16,777,217; plot a slice", "Error: a getter", "Error: a trap", "TypeError: plot: values must be numbers, dates or words, not symbol",
    "RangeError: plot: at most 24 series, not 5000", "TypeError: plot: names of series are texts of at most 390 characters, not 5,000,000", "RangeError: plot: range must be [low, high] with low < high, both finite", 'TypeError: plot: series has names, lists of names, and objects such as { title: "Loss", series: ["train", "test"] }', "TypeError: heatmap: expected a tensor, got an array: write heatmap(tensor(rows))",
  ];
  for (const [i, message] of messages.entries()) {
    const { error } = await runCell(page, i + 1);
    assert.equal(`${error?.name}: ${error?.message}`, message);
    assert.equal(error?.line, cells[i]?.split("\n").length);
  }
  await page.context().close();
});
