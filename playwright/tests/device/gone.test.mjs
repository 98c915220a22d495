// Loss of a worker. The page notices it, however it happened, and the reader can go on; and a
// worker survives its own output.

import assert from "node:assert/strict";
import { rotating } from "../../lib/rotation.mjs";
import { after, afterEach, before } from "../../lib/test.mjs";
import { cell, least, Playground, ready, runAll, runCell } from "../../lib/playground.mjs";

const test = rotating(3);

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

const restart = async (/** @type {import("playwright-core").Page} */ page) => {
  await page.locator(".toast", { hasText: "has ended" }).getByRole("button", { name: "Restart" }).click({ timeout: 30_000 });
  await page.evaluate(() => window.weft.ready);
};

test("a worker that ends itself while idle is reported, and Restart makes another", async () => {
  const page = await playground.open(["const a = 1;\nsetTimeout(() => self.close(), 100)", "1 + 1"]);
  await runCell(page, 1);
  await restart(page);
  assert.match(await cell(page, 1).locator(".cell-status").innerText(), /before the restart/);
  assert.equal((await runCell(page, 2)).text, "2");
  await page.context().close();
});

test("a worker that ends itself in a cell fails that cell", async () => {
  const page = await playground.open(["self.close();\nawait new Promise(() => {})", "1 + 1"]);
  const { cells } = await runAll(page);
  assert.deepEqual(cells.map(({ status }) => status), ["failed", "idle"]);
  assert.match(String(cells[0]?.error?.message), /worker has ended/);
  await restart(page);
  assert.equal((await runCell(page, 2)).text, "2");
  await page.context().close();
});

test("a worker that is busy for long is not taken for dead", async () => {
  const page = await playground.open(["const end = performance.now() + 12_000;\nwhile (performance.now() < end);\nprint('through')"]);
  assert.equal((await runCell(page, 1)).text, "through");
  await page.context().close();
});

test("a process that was killed is noticed", async () => {
  const page = await playground.open(["1 + 1"]);
  // Playwright gives a page up when a process of any of its frames dies, so the page itself presses
  // Restart and says in its title what came of it.
  await page.evaluate(() => {
    new MutationObserver(async (_, observer) => {
      const button = document.querySelector(".toast:not([hidden]) .toast-action");
      if (!(button instanceof HTMLElement) || !document.querySelector(".toast")?.textContent?.includes("has ended")) return;
      observer.disconnect();
      button.click();
      const { status, text } = await window.weft.runCell(1);
      document.title = `afterwards ${status} ${text}`;
    }).observe(document.body, { childList: true, subtree: true, attributes: true });
  });
  const frame = page.frames().find((each) => each.url().includes("runner.html"));
  assert.ok(frame);
  void (await page.context().newCDPSession(frame)).send("Page.crash").catch(() => {});
  const browser = await playground.browser.newBrowserCDPSession();
  const titles = async () => (await browser.send("Target.getTargets")).targetInfos.map(({ title }) => title);
  const deadline = Date.now() + 30_000;
  while (!(await titles()).includes("afterwards done 2")) {
    assert.ok(Date.now() < deadline, `only ${(await titles()).join(", ")}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  await page.context().close();
});

test("a hundred thousand lines to the console cost little, and their records carry a name, not the worker's text", async () => {
  const page = await playground.open(["const begin = performance.now();\nfor (let i = 0; i < 100_000; i++) console.log('line', i);\nawait tick();\nprint('took', performance.now() - begin)"]);
  const places = new Set();
  page.on("console", (message) => places.add(message.location().url));
  const took = await least(3_000, async () => {
    const { text } = await runCell(page, 1);
    assert.match(text, /line 99999/);
    return Number(/took (\d+)/.exec(text)?.[1]);
  });
  assert.ok(took < 3_000, `took ${took} ms`);
  assert.deepEqual([...places], ["weft-worker.js"]);
  await page.context().close();
});

test("20,000 updates of a bar are paced, past its end too, and the last is shown", async () => {
  const page = await playground.open([
    "const bar = progress(10_000, { label: 'work' });\nfor (let i = 1; i <= 20_000; i++) { bar.update(i, 'at ' + i); if (i % 4_000 === 0) await tick() }",
    "const other = progress(5);\nfor (let i = 0; i < 20_000; i++) other.end('end ' + i);\n1 + 1",
  ]);
  const { ok } = await runAll(page);
  assert.equal(ok, true);
  assert.match(await cell(page, 1).locator(".progress").innerText(), /20,000 \/ 10,000.*at 20000/s);
  assert.match(await cell(page, 2).locator(".progress").innerText(), /end 19999/);
  await page.context().close();
});
