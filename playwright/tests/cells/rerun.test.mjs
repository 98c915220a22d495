// A second run of a cell. It replaces the last run, in memory too.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "../../lib/test.mjs";
import { cell, Playground, runAll, runCell } from "../../lib/playground.mjs";
import { share } from "../../lib/rotation.mjs";

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

const held = "print(Math.round(memory().bytes / 1e6))";

for (const [how, source] of share([
  ["as its last value", "const big = zeros([1 << 22]).add(1);\nawait realize(big);\nbig"],
  ["in a function it made", "const sum = ((t) => () => t.sum())(zeros([1 << 22]).add(1));\nawait sum().item();"],
  ["behind a button", "const big = zeros([1 << 22]).add(1);\nawait realize(big);\nconst hold = (t) => button('show', () => t.shape);\nhold(big)"],
], 3)) {
  test(`what the last run held ${how} is freed`, async () => {
    const page = await playground.open([String(source), held]);
    for (let i = 0; i < 15; i++) assert.equal((await runCell(page, 1)).status, "done");
    const megabytes = Number((await runCell(page, 2)).text);
    // Fifteen runs made 252 MB; a few may still wait to be collected.
    assert.ok(megabytes <= 120, `${megabytes} MB`);
    await page.context().close();
  });
}

test("what another cell still holds is not freed", async () => {
  const page = await playground.open([
    "const big = zeros([1 << 22]).add(1);\nawait realize(big);",
    "globalThis.kept ??= [];\nkept.push(((t) => () => t)(big));",
    "print(await Promise.all(kept.map((get) => get().slice([0, 1]).item())))",
  ]);
  for (let i = 0; i < 6; i++) {
    await runCell(page, 1);
    await runCell(page, 2);
  }
  assert.equal((await runCell(page, 3)).text, "[1, 1, 1, 1, 1, 1]");
  await page.context().close();
});

test("a name that a cell no longer declares is gone, and one that hid the library's gives it back", async () => {
  const page = await playground.open(["const old = 1;\nconst zeros = 2;\nfunction help() { return 3 }", "print(typeof old, typeof zeros, typeof help)"]);
  assert.equal((await runAll(page)).cells[1]?.text, "number number function");
  await page.evaluate(() => window.weft.setCell(1, "const other = 1;"));
  assert.equal((await runAll(page)).cells[1]?.text, "undefined function undefined");
  await page.context().close();
});

test("a name that another cell has declared since stays", async () => {
  const page = await playground.open(["const mine = 1;", "const mine = 2;", "print(mine)"]);
  await runAll(page);
  await page.evaluate(() => window.weft.setCell(1, "1"));
  await runCell(page, 1);
  assert.equal((await runCell(page, 3)).text, "2");
  await page.context().close();
});

test("a cell whose name's definition is deleted says so, and is whole again when that is undone", async () => {
  const page = await playground.open(["const a = 1", "a + 1", "7"]);
  for (const number of [1, 2, 3]) await runCell(page, number);
  await cell(page, 1).hover();
  await cell(page, 1).getByRole("button", { name: "Delete this code cell" }).click();
  await cell(page, 1).getByText("uses a, whose cell was deleted").waitFor();
  const statuses = () => page.locator(".code-cell").evaluateAll((cells) => cells.map((each) => each.getAttribute("data-status")));
  assert.deepEqual(await statuses(), ["stale", "done"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction(() => document.querySelectorAll('.code-cell[data-status="done"]').length === 3);
  await page.context().close();
});
