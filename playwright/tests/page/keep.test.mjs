// Persistence of the reader's work: in two tabs, over reloads, through deletions, and in files that
// change.

import assert from "node:assert/strict";
import { rotating } from "../../lib/rotation.mjs";
import { after, afterEach, before } from "../../lib/test.mjs";
import { cell, keptText, Playground, ready, runAll, runCell, untilKept } from "../../lib/playground.mjs";

const test = rotating(2);

/** @typedef {import("playwright-core").Page} Page */

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

const texts = (/** @type {Page} */ page) => page.evaluate(() => [...document.querySelectorAll(".code-cell")].map((each) => each.querySelector(".editor")?.shadowRoot?.querySelector(".cm-content")?.textContent ?? each.querySelector(".still")?.textContent));
const openFile = async (/** @type {Page} */ page, /** @type {string} */ name, /** @type {string | Buffer} */ text) => {
  await page.locator(".menu summary").click();
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Open a file…" }).click()]);
  await chooser.setFiles({ name, mimeType: "text/markdown", buffer: Buffer.from(text) });
};
const deleteCell = async (/** @type {Page} */ page, /** @type {number} */ number) => {
  await cell(page, number).hover();
  await cell(page, number).getByRole("button", { name: "Delete this code cell" }).click();
};

test("the later of two tabs on one notebook is warned; edits of different cells are merged, and of one cell the reader chooses", async () => {
  const first = await playground.open(["'one'", "'two'"]);
  const opened = first.waitForEvent("popup");
  await first.evaluate(() => void Object.assign(window, { second: window.open(location.href) }));
  const second = await opened;
  await ready(second);
  await second.locator(".banner.rival", { hasText: "open in another tab too" }).waitFor();
  assert.equal(await first.locator(".banner.rival").isVisible(), false);
  await first.evaluate(() => window.weft.setCell(1, "'from the first'"));
  await cell(second, 1).getByText("from the first").waitFor();
  await second.evaluate(() => window.weft.setCell(2, "'from the second'"));
  await cell(first, 2).getByText("from the second").waitFor();
  await untilKept(first, "gallery:test.md", /from the first.*from the second/s);
  // In one task of both, so that neither has heard of the other.
  await first.evaluate(() => [window, /** @type {{ second?: Window }} */ (window).second].forEach((tab, i) => tab?.weft.setCell(1, `'conflict ${i}'`)));
  const [asked, other] = await Promise.race([first, second].map((page, i) => page.locator(".banner.rival", { hasText: "Another tab has changed" }).waitFor().then(() => (i === 0 ? [first, second] : [second, first]))));
  assert.ok(asked && other);
  const mine = (await texts(asked))[0];
  assert.equal(await keptText(asked, "gallery:test.md"), `# Test\n\n\`\`\`js\n${(await texts(other))[0]}\n\`\`\`\n\n\`\`\`js\n'from the second'\n\`\`\`\n`);
  await asked.getByRole("button", { name: "Keep this version" }).click();
  await untilKept(asked, "gallery:test.md", new RegExp(String(mine)));
  // The other tab had nothing of its own since: it takes it in.
  await cell(other, 1).getByText(String(mine)).waitFor();
  await first.context().close();
});

test("every deletion can be undone, in order, with what the cell had shown", async () => {
  const page = await playground.open(["print('shown one')", "print('shown two')", "print('shown three')"]);
  await runAll(page);
  await deleteCell(page, 3);
  await deleteCell(page, 1);
  await deleteCell(page, 1);
  assert.equal(await page.locator(".code-cell").count(), 0);
  const undo = page.locator(".toast").getByRole("button", { name: "Undo" });
  await undo.click();
  assert.match(await page.locator(".toast").innerText(), /2 more changes/);
  await undo.click();
  await page.locator(".toast").waitFor({ state: "visible" });
  await page.locator(".menu summary").click();
  await page.getByRole("button", { name: "Undo the last change to cells" }).click();
  // What a cell had shown is made in its turn, and laid out where it is in sight.
  await page.locator(".code-cell .outputs", { hasText: "shown three" }).scrollIntoViewIfNeeded();
  assert.deepEqual(await page.locator(".code-cell .outputs").allInnerTexts(), ["shown one", "shown two", "shown three"]);
  await page.locator("body").press("Control+z");
  assert.match(await page.locator(".toast").innerText(), /nothing to undo/);
  await page.context().close();
});

test("a reload returns to the file last opened, with its edits", async () => {
  const page = await playground.open(["1"]);
  await openFile(page, "my file.md", "# Mine\n\n```js\nprint(7)\n```\n");
  await page.getByRole("heading", { name: "Mine" }).waitFor();
  // It has an address when it is kept.
  await page.waitForURL(/mine=/);
  await page.reload();
  await ready(page);
  assert.match(await page.locator(".banner").filter({ hasText: "my file.md" }).innerText(), /opened from your computer/);
  await page.locator(".own a[aria-current] .card-text b").getByText("Mine", { exact: true }).waitFor();
  assert.equal((await runCell(page, 1)).text, "7");
  await page.evaluate(() => window.weft.setCell(1, "print(8)"));
  await page.reload();
  await ready(page);
  assert.equal((await runCell(page, 1)).text, "8");
  // The same file, changed on disk meanwhile, is offered beside the edits.
  await openFile(page, "my file.md", "# Mine\n\n```js\nprint(9)\n```\n");
  const banner = page.locator(".banner.rival");
  await banner.filter({ hasText: "my file.md has changed since you edited it" }).waitFor();
  assert.deepEqual(await texts(page), ["print(8)"]);
  await banner.getByRole("button", { name: "Show the new version" }).click();
  assert.deepEqual(await texts(page), ["print(9)"]);
  assert.equal(await banner.isVisible(), false);
  await page.context().close();
});

test("a file over the limit says so, and what is open stays", async () => {
  const page = await playground.open(["'stays'"]);
  for (const size of [4_000_100, 17_000_000]) {
    await openFile(page, "huge.md", Buffer.alloc(size, "a"));
    const dialog = page.getByRole("dialog", { name: "The file could not be opened" });
    assert.match(await dialog.innerText(), /a notebook can have at most 4/);
    await dialog.getByRole("button", { name: "Close" }).click();
  }
  assert.deepEqual(await texts(page), ["'stays'"]);
  await page.context().close();
});

test("a link that leads nowhere says so and nothing else, and what is written then is kept", async () => {
  const context = await playground.browser.newContext();
  const page = await context.newPage();
  for (const address of ["#nb=broken!", "?notebook=nowhere", "?file=never.md"]) {
    await page.goto("about:blank");
    await page.goto(playground.url + address);
    await ready(page);
    const banners = await page.locator(".banner:visible").allInnerTexts();
    assert.equal(banners.length, 1, banners.join(" | "));
    assert.match(String(banners[0]), /could not be opened/);
    assert.doesNotMatch(String(banners[0]), /from your computer/);
    await page.evaluate(() => window.weft.setCell(1, "'begun'"));
    await page.waitForURL(/\?mine=own/);
    await page.reload();
    await ready(page);
    assert.deepEqual(await texts(page), ["'begun'"]);
  }
  await context.close();
});

test("an edited cell loses its tick, and so do the cells that use what it defines, until they run again", async () => {
  const page = await playground.open(["const a = 1;\na", "const b = a + 1;\nb", "print('alone')"]);
  await runAll(page);
  const says = () => page.locator(".code-cell .cell-status").allInnerTexts();
  const states = () => page.locator(".code-cell").evaluateAll((all) => all.map((each) => each.getAttribute("data-status")));
  assert.deepEqual(await states(), ["done", "done", "done"]);
  await cell(page, 1).locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" + 1");
  await page.waitForFunction(() => document.querySelectorAll('.code-cell[data-status="stale"]').length === 2);
  assert.deepEqual(await states(), ["stale", "stale", "done"]);
  assert.match(String((await says())[0]), /edited since/);
  assert.match(String((await says())[1]), /uses cell 1, which has changed/);
  // Taken back, the text is what ran.
  for (let i = 0; i < 4; i++) await page.keyboard.press("Backspace");
  await page.waitForFunction(() => document.querySelectorAll('.code-cell[data-status="done"]').length === 3);
  await runCell(page, 1);
  await page.waitForFunction(() => document.querySelectorAll('.code-cell[data-status="stale"]').length === 1);
  assert.deepEqual(await states(), ["done", "stale", "done"]);
  await runCell(page, 2);
  await page.waitForFunction(() => document.querySelectorAll('.code-cell[data-status="done"]').length === 3);
  await page.context().close();
});

test("what was shown is there again on the next visit, marked as saved, before anything runs", async () => {
  const page = await playground.open(["print('shown before')", "tensor([1, 2])"]);
  await runAll(page);
  await page.waitForFunction(() => localStorage.getItem("weft:outputs") !== null);
  await page.reload();
  await ready(page);
  assert.match(await cell(page, 1).locator(".outputs").innerText(), /shown before/);
  assert.match(await cell(page, 2).locator(".outputs").innerText(), /f32/);
  assert.match(await cell(page, 1).locator(".cell-status").innerText(), /done in.*saved on an earlier visit/);
  assert.deepEqual(await page.evaluate(() => window.weft.cells().map(({ status }) => status)), ["idle", "idle"]);
  await runCell(page, 1);
  assert.doesNotMatch(await cell(page, 1).locator(".cell-status").innerText(), /saved/);
  await page.context().close();
});

test("pictures are there again too: from what is kept alone, marked as saved, with nothing run and nothing fetched", async () => {
  const page = await playground.open([
    "image(arange(12).reshape([3, 4]).div(11), { title: 'twelve', range: [0, 1] })",
    "const live = animate((time, frame, pointer) => ones([8, 8]).mul(0.5), { title: 'moves' })",
    "heatmap(random.uniform([1200, 1200]), { title: 'too much' })",
    // What the test itself reads.
  ], { says: /willReadFrequently/ });
  assert.equal((await runAll(page)).ok, true);
  await cell(page, 2).locator(".animation-bar").scrollIntoViewIfNeeded();
  await page.getByRole("button", { name: "Pause" }).click();
  const drawn = () => cell(page, 1).locator("canvas").evaluate((canvas) => canvas instanceof HTMLCanvasElement && Array.from(canvas.getContext("2d")?.getImageData(0, 0, 4, 3).data ?? []).filter((_, i) => i % 4 === 0));
  const before = await drawn();
  assert.deepEqual(before, Array.from({ length: 12 }, (_, i) => Math.round((i / 11) * 255)));
  await page.waitForFunction(() => localStorage.getItem("weft:outputs:gallery:test.md")?.includes('"data":"'));
  /** @type {string[]} */
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.reload();
  await ready(page);
  await page.waitForFunction(() => {
    const canvas = document.querySelector("canvas");
    return (canvas?.getContext("2d")?.getImageData(3, 2, 1, 1).data[0] ?? 0) > 0;
  });
  assert.deepEqual(await drawn(), before, "without loss");
  assert.deepEqual(await page.evaluate(() => window.weft.cells().map(({ status }) => status)), ["idle", "idle", "idle"]);
  assert.match(await cell(page, 1).locator(".cell-status").innerText(), /saved on an earlier visit/);
  assert.match(await cell(page, 1).locator(".caption").innerText(), /twelve/);
  // An animation shows one frame and takes no pointer; an output that is too large is named.
  assert.equal(await cell(page, 2).locator("canvas").count(), 1);
  assert.equal(await cell(page, 2).locator("canvas.touch").count(), 0);
  assert.equal(await cell(page, 3).locator("canvas").count(), 0);
  assert.match(await cell(page, 3).locator(".cell-status").innerText(), /1 more output was not kept/);
  // The page asks early for the notebook that it most often opens.
  const strange = asked.filter((url) => !/\/some\/where\/(\?device=webgpu|runner\.html\?\w+|(assets|fonts)\/[\w.-]+|notebooks\/(index\.json|test\.md|welcome\.md))$/.test(url) && !url.startsWith("data:text/javascript"));
  assert.deepEqual(strange, []);
  assert.ok((await page.evaluate(() => localStorage.getItem("weft:outputs:gallery:test.md")))?.length ?? 0 < 310_000);
  // Run again, it is a picture as any other.
  await runCell(page, 1);
  assert.doesNotMatch(await cell(page, 1).locator(".cell-status").innerText(), /saved/);
  assert.deepEqual(await drawn(), before);
  await page.context().close();
});

test("what somebody else wrote among the saved pictures is not decoded, and hurts nobody", async () => {
  const page = await playground.open(["image(ones([4, 4]))"]);
  await runAll(page);
  await page.waitForFunction(() => localStorage.getItem("weft:outputs:gallery:test.md")?.includes('"data":"'));
  for (const change of [["data", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>").toString("base64")], ["tile", { width: 2000, height: 2000 }], ["data", "https://elsewhere.test/x.png"]]) {
    await page.evaluate(([field, value]) => {
      const saved = JSON.parse(localStorage.getItem("weft:outputs:gallery:test.md") ?? "");
      saved[0].pictures[0].content[String(field)] = value;
      addEventListener("pagehide", () => localStorage.setItem("weft:outputs:gallery:test.md", JSON.stringify(saved)));
    }, change);
    await page.reload();
    await ready(page);
    await cell(page, 1).getByText("This picture can no longer be read").waitFor();
  }
  await page.context().close();
});

test("a picture comes back with the cell that was deleted", async () => {
  const page = await playground.open(["image(ones([4, 4]))", "'two'"]);
  await runAll(page);
  await deleteCell(page, 1);
  await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
  const canvas = cell(page, 1).locator("canvas");
  await canvas.scrollIntoViewIfNeeded();
  assert.equal(await canvas.evaluate((canvas) => canvas instanceof HTMLCanvasElement && canvas.getContext("2d")?.getImageData(3, 3, 1, 1).data[0]), 255);
  assert.equal(await page.getByText("This picture was not saved").count(), 0);
  await page.context().close();
});
