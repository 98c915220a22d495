// Characters that turn text around: none reverses a heading or reaches a title, a label, a list or
// a dialog, code shows them, and texts in Arabic and Hebrew read from the right.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "../../lib/test.mjs";
import { Playground, runAll } from "../../lib/playground.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

/** Each control in front of a word, none of them closed. */
const TURNED = [..."\u202a\u202b\u202d\u202e\u2066\u2067\u2068"].map((control, i) => `${control}word${i}`).join(" ");
const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/;

/** Whether the letters of an element's text stand from the left to the right.
 * @param {Page} page
 * @param {string} selector */
const leftToRight = (page, selector) =>
  page.locator(selector).first().evaluate((element) => {
    const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    /** @type {{ left: number, top: number }[]} */
    const places = [];
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      for (let i = 0; i < (node.textContent ?? "").length; i++) {
        const range = document.createRange();
        range.setStart(node, i);
        range.setEnd(node, i + 1);
        const { left, top, width } = range.getBoundingClientRect();
        if (width > 0) places.push({ left, top });
      }
    }
    return places.length > 10 && places.every(({ left, top }, i) => i === 0 || left >= Number(places[i - 1]?.left) || top > Number(places[i - 1]?.top));
  });

/** Texts and attributes of the page that hold such a character; editors and what cells print are
 * their writers' own.
 * @param {Page} page */
const holding = (page) =>
  page.evaluate(() => {
    const controls = /[\u202a-\u202e\u2066-\u2069]/;
    const found = controls.test(document.title) ? [`title ${document.title}`] : [];
    for (const element of document.body.querySelectorAll("*")) {
      if (element.matches("pre.output, script, style")) continue;
      for (const { name, value } of element.attributes) if (name !== "value" && controls.test(value)) found.push(`${element.tagName} ${name}=${value}`);
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE && controls.test(node.textContent ?? "")) found.push(`${element.tagName}.${element.className} ${node.textContent}`);
    }
    return found;
  });

test("headings, titles, labels, captions, lists and dialogs stand as they are read", async () => {
  const page = await playground.open(
    `# ${TURNED} first heading\n\n## \u202ereversed section \`co\u202ede\`\n\nAn \u202eoverride in a text, a [li\u202enk](https://example.test/ "ti\u202etle") and a ![pic\u202eture](https://example.test/x.png).\n\n` +
      "```js\n// \u202e } if (admin) \u2066 begin\nslider('\u202eslider', { min: 0, max: 1 });\nselect('\u2067which', ['\u202eone', '\u202btwo']);\ncheckbox('\u202dtick');\nbutton('\u202epress', () => 1);\ndraw({ label: '\u202edraw', labels: ['\u202ea', 'b'] });\nprogress(3, { label: '\u202ebar' }).update(1, '\u202eat one');\nplot({ series: ['\u202eloss'], title: '\u202echart' }).add({ '\u202eloss': 1 });\nimage(ones([2, 4, 4]), { title: '\u202epicture', labels: ['\u202ex', 'y'] });\ndisplay(ones([2]), { title: '\u202etensor' });\ntable([{ '\u202ename': '\u202evalue' }]);\nmarkdown('# \u202emarkdown');\nanimate(() => zeros([4, 4]), { title: '\u202emoving' });\nconst error = new Error('\u202emessage');\nerror.name = '\u202eName';\nthrow error;\n```\n",
    { says: /./ },
  );
  await runAll(page);
  await page.locator(".code-cell .error").waitFor();
  assert.equal(await leftToRight(page, ".prose h1"), true);
  assert.equal(await leftToRight(page, ".prose h2"), true);
  assert.equal(await leftToRight(page, ".prose p"), true);
  assert.match(await page.title(), /^word0 word1 word2 word3 word4 word5 word6 first heading · Weft$/);
  assert.equal(await page.locator(".outline button").first().innerText(), "reversed section co•de".replace("•", ""));
  assert.deepEqual(await holding(page), []);
  // Code shows them, before and in its editor.
  await page.locator(".code-cell .editor").first().locator(".cm-specialChar").first().waitFor();
  assert.ok((await page.locator(".code-cell .editor").first().locator(".cm-specialChar").count()) >= 2);
  // What was chosen is still what the cell called it.
  await page.locator(".control.select select").selectOption({ index: 1 });
  await page.waitForFunction(() => window.weft.cells()[0]?.text.includes("two"));
  await page.locator(".prose a").click();
  await page.locator("dialog").waitFor();
  assert.deepEqual(await holding(page), []);
  await page.context().close();
});

test("what an address or a file is called is said as it is read", async () => {
  const page = await playground.open("# x", { query: `?notebook=${encodeURIComponent("\u202egnorw")}`, quiet: false });
  assert.match(await page.locator(".banner.failed").innerText(), /gnorw/);
  assert.deepEqual(await holding(page), []);
  await page.locator(".menu summary").click();
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Open a file…" }).click()]);
  await chooser.setFiles({ name: "in\u202edm.exe.md", mimeType: "text/markdown", buffer: Buffer.from("# File\n") });
  await page.locator(".banner", { hasText: "was opened from your computer" }).waitFor();
  assert.deepEqual(await holding(page), []);
  await page.context().close();
});

test("Arabic and Hebrew read from the right, beside English", async () => {
  const [arabic, hebrew] = ["مرحبا بالعالم weft 3.0 هنا", "שלום עולם, weft 3.0 כאן."];
  const page = await playground.open(`# ${hebrew}\n\n${arabic}\n\nEnglish with ${hebrew} inside.\n\n- ${arabic}\n- ${hebrew}\n\n\`\`\`js\nslider('${hebrew}', { min: 0, max: 1 });\nimage(ones([4, 4]), { title: '${arabic}' });\n\`\`\`\n`);
  await runAll(page);
  const direction = (/** @type {string} */ selector) => page.locator(selector).first().evaluate((element) => [getComputedStyle(element).direction, element.textContent]);
  assert.deepEqual(await direction(".prose h1"), ["rtl", hebrew]);
  assert.deepEqual(await direction(".prose p"), ["rtl", arabic]);
  assert.equal((await page.locator(".prose p").nth(1).evaluate((element) => getComputedStyle(element).direction)), "ltr");
  assert.equal((await direction(".prose ul"))[0], "rtl");
  assert.deepEqual(await direction(".control label"), ["rtl", hebrew]);
  assert.deepEqual(await direction(".caption"), ["rtl", arabic]);
  assert.match(await page.title(), new RegExp(hebrew.slice(0, 9)));
  assert.doesNotMatch(await page.title(), CONTROLS);
  await page.context().close();
});
