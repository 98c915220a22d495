// Stop and Restart. Stop always stops, the page stays live meanwhile, and Restart starts over.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "../../lib/test.mjs";
import { cell, least, Playground, runAll, runCell } from "../../lib/playground.mjs";
import { share } from "../../lib/rotation.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

const stopped = (/** @type {Page} */ page) => page.waitForFunction(() => window.weft.cells()[0]?.status === "stopped");

/** The longest that the page leaves a timer waiting, over half a second. */
const longestWait = (/** @type {Page} */ page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const begin = performance.now();
        let [longest, last] = [0, begin];
        const turn = () => {
          const now = performance.now();
          longest = Math.max(longest, now - last);
          last = now;
          if (now - begin < 500) setTimeout(turn);
          else resolve(longest);
        };
        setTimeout(turn);
      }),
  );

for (const [name, code] of share([
  ["an endless loop", "for (;;) {}"],
  ["a loop that prints", "for (let i = 0; ; i++) print('line', i)"],
  ["a loop that awaits what is ready", "for (;;) await 0"],
  ["a loop that shows", "for (;;) display({ a: 1 })"],
  ["a loop that prints and shows", "for (let i = 0; ; i++) { print(i); display([i]) }"],
  ["a promise that never settles", "await new Promise(() => {})"],
], 2)) {
  test(`${name} stops within two seconds, and the page stays live`, async () => {
    const page = await playground.open([String(code), "1 + 1"]);
    await cell(page, 1).getByRole("button", { name: "Run cell 1" }).click();
    await page.waitForFunction(() => window.weft.cells()[0]?.status === "running");
    await page.waitForTimeout(300);
    const wait = await least(400, async () => Number(await longestWait(page)));
    assert.ok(wait < 400, `the page was busy for ${wait} ms`);
    // Timed in the page: a busy machine may take long to bring the click there.
    const timed = page.evaluate(
      () =>
        new Promise((resolve) => {
          let begin = 0;
          addEventListener("click", () => (begin = performance.now()), { capture: true, once: true });
          window.weft.subscribe((event) => event.type === "end" && resolve(performance.now() - begin));
        }),
    );
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    const took = Number(await timed);
    assert.ok(took < 2_000, `took ${took} ms`);
    await stopped(page);
    assert.equal((await runCell(page, 2)).text, "2");
    await page.context().close();
  });
}

test("a loop that lets the page breathe stops by itself, and its variables live on", async () => {
  const page = await playground.open(["let turns = 0;\nfor await (const i of progress(1e9)) turns++", "turns > 0"]);
  await cell(page, 1).getByRole("button", { name: "Run cell 1" }).click();
  await page.waitForTimeout(400);
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await stopped(page);
  assert.equal((await runCell(page, 2)).text, "true");
  await page.context().close();
});

test("a loop that awaits the device stops by itself too", async () => {
  const page = await playground.open(["let turns = 0;\nfor (;;) {\n  await tensor([1]).add(turns).data();\n  turns++;\n}", "turns > 0"]);
  await cell(page, 1).getByRole("button", { name: "Run cell 1" }).click();
  await page.waitForTimeout(400);
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await stopped(page);
  assert.equal((await runCell(page, 2)).text, "true");
  await page.context().close();
});

test("a loop that awaits what is ready, as on the CPU device, stops by itself, and where none can be reached the page says what was lost", async () => {
  const page = await playground.open(["let turns = 0;\nconst next = async () => {\n  turns++;\n  await tensor([1]).item();\n};\nwhile (true) await next();", "turns > 0", "for (;;) turns++"], { query: "?device=cpu" });
  await cell(page, 1).getByRole("button", { name: "Run cell 1" }).click();
  await page.waitForTimeout(400);
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await stopped(page);
  assert.equal((await runCell(page, 2)).text, "true");
  await cell(page, 3).getByRole("button", { name: "Run cell 3" }).click();
  await page.waitForFunction(() => window.weft.cells()[2]?.status === "running");
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByText(/did not end when it was asked to.*await tick\(\).*again from the top/).waitFor();
  await page.context().close();
});

test("Stop forgets the cells that wait", async () => {
  const page = await playground.open(["for (;;) {}", "print('second')"]);
  await page.getByRole("button", { name: "Run all" }).click();
  await page.waitForTimeout(200);
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await stopped(page);
  assert.equal(await page.evaluate(() => window.weft.cells()[1]?.status), "idle");
  await page.context().close();
});

test("Restart forgets what was declared, keeps what was shown, and rescues a hung cell", async () => {
  const page = await playground.open(["const kept = 5;\nkept", "kept + 1"]);
  await runAll(page);
  await page.getByRole("button", { name: "Restart" }).click();
  await page.evaluate(() => window.weft.ready);
  assert.match(await cell(page, 1).locator(".cell-status").innerText(), /before the restart/);
  assert.match(await cell(page, 1).locator(".outputs").innerText(), /5/);
  const second = await runCell(page, 2);
  assert.match(second.error?.message ?? "", /^kept is not defined\nCell 1 declares it, and has not run/);
  assert.equal((await runAll(page)).ok, true);
  await page.context().close();
});

test("a lost device is named, and Restart opens another", async () => {
  const page = await playground.open([
    // Finds the device at work and destroys it, as a driver's reset would.
    `const { createCommandEncoder } = GPUDevice.prototype;
let device;
GPUDevice.prototype.createCommandEncoder = function (...options) {
  device = this;
  return createCommandEncoder.apply(this, options);
};
await tensor([1, 2]).add(1).data();
device.destroy();
await device.lost;`,
    "print(await tensor([1, 2]).mul(3).array())",
  ]);
  // The cell must get at the device to destroy it.
  await page.locator(".badge summary").click();
  await page.getByRole("checkbox", { name: "Cells may use raw WebGPU" }).check();
  await page.keyboard.press("Escape");
  await page.evaluate(() => window.weft.ready);
  assert.equal((await runAll(page)).ok, false);
  const lost = await runCell(page, 2);
  assert.equal(lost.error?.name, "DeviceLostError");
  assert.equal(lost.error?.line, 1);
  await page.locator(".toast", { hasText: "The device was lost" }).waitFor();
  // The first cell would lose the next device too.
  await page.getByRole("toolbar", { name: "Notebook" }).getByRole("button", { name: "Restart" }).click();
  await page.evaluate(() => window.weft.ready);
  const again = await runCell(page, 2);
  assert.deepEqual([again.status, again.text], ["done", "[3, 6]"]);
  await page.context().close();
});
