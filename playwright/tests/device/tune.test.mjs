// Kernel races in the page. They run as the reader allows, and their winners are there on the next
// visit and in other tabs, whatever else a browser has kept.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, afterEach, before, test as always } from "../../lib/test.mjs";
import { cell, Playground, ready, runAll, runCell } from "../../lib/playground.mjs";
import { rotating, share } from "../../lib/rotation.mjs";

const test = rotating(4);

/** @typedef {import("playwright-core").Page} Page */

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

const SUM = "const total = await ones([64, 4096]).mul(0.5).sum(1).data();\nprint(total[0], total[63]);";
const RACE = "await tune.race();\nprint(tune.log().length);";
const NOTEBOOK = [SUM, RACE, "print(tune.export());", "print(String(tune.log()[0]));", "print(tune.log().length);"];

const details = (/** @type {Page} */ page) => page.locator(".badge-details");
const mark = (/** @type {Page} */ page) => page.locator(".badge-mark");
const switchOf = (/** @type {Page} */ page) => page.getByRole("checkbox", { name: "Tune while the GPU is idle" });

/** Everything the page's database keeps.
 * @param {Page} page
 * @returns {Promise<Record<string, string>>} */
const kept = (page) =>
  page.evaluate(async () => {
    /** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
    const answer = (request) => new Promise((resolve, reject) => Object.assign(request, { onsuccess: () => resolve(request.result), onerror: reject }));
    if (!(await indexedDB.databases()).some(({ name }) => name === "weft-gpu")) return {};
    const database = await answer(indexedDB.open("weft-gpu"));
    const table = database.transaction("tune").objectStore("tune");
    const [names, texts] = [await answer(table.getAllKeys()), await answer(table.getAll())];
    database.close();
    return Object.fromEntries(names.map((name, at) => [name, texts[at]]));
  });

/** @param {Page} page @param {string} name @param {unknown} text */
const put = (page, name, text) =>
  page.evaluate(
    ([name, text]) =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open("weft-gpu");
        opening.onerror = reject;
        opening.onsuccess = () => {
          const writing = opening.result.transaction("tune", "readwrite");
          writing.objectStore("tune").put(text, /** @type {string} */ (name));
          writing.oncomplete = () => (opening.result.close(), resolve(null));
          writing.onerror = reject;
        };
      }),
    [name, text],
  );

/** The winners that are kept: the name of each table, and its keys. @param {Page} page */
const won = async (page) => Object.entries(await kept(page)).map(([name, text]) => [name, ...keys(text)]).filter(({ length }) => length > 1);

/** What a cell prints. @param {Page} page @param {number} number */
async function printed(page, number) {
  const { status, text } = await runCell(page, number);
  assert.equal(status, "done", text);
  return text;
}

/** Opens the badge and lets kernels race. @param {Page} page @param {boolean} allowed */
async function allow(page, allowed) {
  if (!(await details(page).isVisible())) await page.locator(".badge summary").click();
  await switchOf(page).setChecked(allowed);
}

/** The keys of a table, beside the times that kernels took to compile. @param {string} table */
const keys = (table) => table.split("\n").slice(1).filter((line) => line !== "" && !line.startsWith("compiled ")).map((line) => line.split("\t")[0]);

test("what won a race is known on the next visit and in another tab, and says so", { timeout: 300_000 }, async () => {
  const page = await playground.open(NOTEBOOK);
  assert.equal(await mark(page).isVisible(), false);
  await allow(page, true);
  assert.equal(await printed(page, 1), "2048 2048");
  assert.notEqual(await printed(page, 2), "0");
  assert.match(await printed(page, 4), /^sum .*along.* f32 rows=64 length=4096 .*\n(.+ => (\d+\.\d+ms|left)\n)+Fastest: .+ ±\d+\.\d%$/);
  assert.equal(await printed(page, 1), "2048 2048", "the winner computes the same");
  const table = await printed(page, 3);
  assert.ok(keys(table).length > 0);
  await mark(page).waitFor();
  assert.match(await details(page).innerText(), /\d+ kernels? (is|are) tuned for this GPU/);
  assert.deepEqual(Object.values(await kept(page)).map(keys), [keys(table)]);

  await page.reload();
  await ready(page);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await ready(other);
  for (const visit of [page, other]) {
    await printed(visit, 1);
    assert.equal(await printed(visit, 2), "0", "nothing is raced for again");
    assert.deepEqual(keys(await printed(visit, 3)), keys(table));
    assert.equal(await mark(visit).isVisible(), true);
  }
  await page.context().close();
});

test("what is kept and is no table of winners of this device is passed over", { timeout: 300_000 }, async () => {
  const page = await playground.open(NOTEBOOK, { says: /winners of races between kernels could not be read: FormatError/ });
  await allow(page, true);
  await printed(page, 1);
  await printed(page, 2);
  const [name, table] = Object.entries(await kept(page))[0] ?? ["", ""];
  const kinds = ["", "of another kind\nand shape", { an: "object" }, `${name} of another\n${table.split("\n").slice(1).join("\n")}`, `${name}\n\t\t\nkey\tno-family 5\n\u0000${"x".repeat(100_000)}`];
  for (const rubbish of share(kinds, 2, 4)) {
    await put(page, name, rubbish);
    await page.reload();
    await ready(page);
    await printed(page, 1);
    assert.notEqual(await printed(page, 2), "0", "it is raced for anew");
    assert.deepEqual(keys(await printed(page, 3)), keys(table));
    // What was there does no harm to later visits either.
    assert.deepEqual(Object.entries(await kept(page)).map(([at, text]) => [at, keys(text)]), [[name, keys(table)]]);
  }
  await page.context().close();
});

test("who does not let kernels race has none timed, and no winners kept", { timeout: 120_000 }, async () => {
  // By default none do where software computes.
  const page = await playground.open(NOTEBOOK);
  const idle = async () => {
    assert.equal(await printed(page, 1), "2048 2048");
    assert.equal(await printed(page, 2), "0");
    await page.waitForTimeout(500);
    assert.equal(await printed(page, 5), "0");
    // Where the reader has not said anything, the times that kernels took to compile are.
    assert.deepEqual(await won(page), []);
  };
  await idle();
  await page.locator(".badge summary").click();
  assert.equal(await switchOf(page).isChecked(), false);
  await allow(page, true);
  await allow(page, false);
  await idle();
  await page.reload();
  await ready(page);
  await page.locator(".badge summary").click();
  assert.equal(await switchOf(page).isChecked(), false, "it is remembered");
  await idle();
  await page.context().close();
});

test("winners leave the browser as a file, are forgotten, and come back", { timeout: 300_000 }, async () => {
  const page = await playground.open(NOTEBOOK);
  await allow(page, true);
  await printed(page, 1);
  await printed(page, 2);
  const button = (/** @type {string} */ name) => details(page).getByRole("button", { name });
  const before = await won(page);
  const [download] = await Promise.all([page.waitForEvent("download"), button("Export").click()]);
  const file = await readFile(await download.path(), "utf8");
  assert.deepEqual(file.split(/^(?=weft-tune)/m).map((table) => [table.split("\n", 1)[0], ...keys(table)]), before);
  await button("Forget").click();
  await page.waitForFunction(() => document.querySelector(".badge-mark")?.hasAttribute("hidden"));
  assert.deepEqual(await won(page), []);
  const choose = async (/** @type {string} */ text) => {
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), button("Import").click()]);
    await chooser.setFiles({ name: "winners.txt", mimeType: "text/plain", buffer: Buffer.from(text) });
  };
  await choose("# A notebook\n");
  await page.locator(".toast", { hasText: "has no tuning results" }).waitFor();
  assert.deepEqual(await won(page), []);
  await choose(file);
  await page.locator(".toast", { hasText: "They apply" }).waitFor();
  assert.deepEqual(await won(page), before);
  await page.context().close();
});

for (const size of share([128], 4)) {
  always("the gallery's notebook of races shows one that is held here", { timeout: 300_000 }, async () => {
    const written = await readFile(new URL("../../../notebooks/races.md", import.meta.url), "utf8");
    // Of its races the first, of a small size: a core takes seconds for each.
    const notebook = written.replace("{ value: 256 }", `{ value: ${size} }`).replace(/  "matrix product": [^]*?(?=^\};)/m, "");
    assert.ok(notebook.includes(`{ value: ${size} }`) && !notebook.includes('"matrix product":'));
    const page = await playground.open(`${notebook}\n\`\`\`js\nprint(JSON.stringify({ canRace, recorded: races === recorded, races }));\n\`\`\`\n`);
    await allow(page, true);
    await page.keyboard.press("Escape");
    const { ok, cells } = await runAll(page);
    assert.equal(ok, true, JSON.stringify(cells.map(({ error }) => error)));
    /** @type {{ canRace: boolean, recorded: boolean, races: { key: string, winner: string, candidates: { choice: string }[] }[] }} */
    const { canRace, recorded, races } = JSON.parse(cells.at(-1)?.text ?? "");
    assert.deepEqual([canRace, recorded], [true, false]);
    assert.ok(races.length > 0);
    for (const { winner, candidates } of races) assert.ok(candidates.length > 1 && candidates.some(({ choice }) => choice === winner), winner);
    // The bars are those of the last one.
    const bars = cell(page, 2).locator(".plot-figure");
    await bars.scrollIntoViewIfNeeded();
    await bars.getByRole("application", { name: races.at(-1)?.key ?? "" }).waitFor();
    assert.ok((await bars.locator(".plot-picture text").allTextContents()).some((text) => text.includes("(fastest)")));
    await page.context().close();
  });
}
