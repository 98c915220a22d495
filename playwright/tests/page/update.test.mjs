// New version of the site, while tabs show the old one: nothing changes under an open page, the
// reader takes the new version with a press, and what the old one kept goes when no tab shows it.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "../../lib/test.mjs";
import { launch } from "../../lib/browser.mjs";
import { ready, site } from "../../lib/playground.mjs";
import { serve } from "../../lib/server.mjs";

const NEXT = "new-version1";
/** @type {import("playwright-core").Browser} */
let browser;
/** @type {{ url: string, close(): Promise<void> }} */
let server;
let released = false;
let old = "";
before(async () => {
  const search = (await readdir(join(site, "assets"))).find((name) => /^find-.*\.js$/.test(name));
  assert.ok(search);
  const [worker, index] = await Promise.all(["sw.js", "index.html"].map((name) => readFile(join(site, name), "utf8")));
  // The site of the new version has no file of the old one's name.
  const renamed = worker?.replaceAll(`,assets/${search}`, "").replaceAll(version(worker), NEXT);
  server = await serve(site, {
    path: "/",
    intercept: (request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://localhost");
      if (!released) return false;
      if (pathname === `/assets/${search}`) response.writeHead(404).end();
      else if (pathname === "/sw.js") response.writeHead(200, { "Content-Type": "text/javascript" }).end(renamed);
      else if (pathname === "/") response.writeHead(200, { "Content-Type": "text/html" }).end(index?.replace("<head>", '<head><meta name="second">'));
      else return false;
      return true;
    },
  });
  browser = await launch();
  old = version(worker ?? "");
});
after(async () => {
  await browser.close();
  await server.close();
});

/** @param {string} worker */
const version = (worker) => /weft:([0-9a-f]{12})/.exec(worker)?.[1] ?? assert.fail("no version in sw.js");
/** @param {import("playwright-core").Page} page */
const versions = (page) => page.evaluate(() => caches.keys().then((names) => names.filter((name) => name !== "weft:data").sort()));
/** @param {import("playwright-core").Page} page */
const isNew = (page) => page.locator('meta[name="second"]').count().then((count) => count > 0);

test("a new version waits for the reader, breaks no open tab, and leaves nothing of the old one behind", async () => {
  const context = await browser.newContext();
  const [page, other] = [await context.newPage(), await context.newPage()];
  for (const each of [page, other]) {
    await each.goto(`${server.url}?notebook=gradients&device=cpu`);
    await ready(each);
    await each.waitForFunction(() => navigator.serviceWorker.controller !== null, null, { timeout: 60_000 });
  }
  assert.deepEqual(await versions(page), [`weft:${old}`]);
  released = true;
  await page.evaluate(() => navigator.serviceWorker.ready.then((registration) => registration.update()));
  const offer = page.locator(".toast", { hasText: "A new version of this page is ready." });
  await offer.waitFor({ timeout: 60_000 });
  assert.equal((await versions(page)).length, 2);
  // A reload by hand is no consent: the other tab would change with it.
  await other.reload();
  await ready(other);
  assert.equal(await isNew(other), false);

  await offer.getByRole("button", { name: "Reload" }).click();
  await page.locator('meta[name="second"]').waitFor({ state: "attached" });
  await ready(page);
  // The other tab keeps its version, says that there is a new one, and finds files that no server
  // has any more.
  await other.locator(".toast", { hasText: "A new version" }).waitFor();
  assert.equal(await isNew(other), false);
  await other.locator(".cm-content").first().click();
  await other.keyboard.press("Control+f");
  await other.getByRole("search", { name: "Find and replace" }).waitFor();
  assert.equal((await versions(page)).length, 2);

  await other.close();
  await page.close();
  const later = await context.newPage();
  await later.goto(server.url);
  await ready(later);
  assert.equal(await isNew(later), true);
  await later.waitForFunction(() => caches.keys().then((names) => names.filter((name) => name !== "weft:data").length === 1));
  assert.deepEqual(await versions(later), [`weft:${NEXT}`]);
  assert.equal((await later.evaluate(() => window.weft.runCell(1))).status, "done");
  await context.close();
});
