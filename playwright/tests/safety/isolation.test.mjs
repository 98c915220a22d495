// Isolation of a notebook's code: it reaches its tensors, and nothing of the reader's: no network,
// no storage, no page.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "../../lib/test.mjs";
import { Playground, runAll, runCell } from "../../lib/playground.mjs";

/** @type {Playground} */
let playground;
/** @type {import("node:http").Server} */
let outside;
let reached = 0;
let address = "";
before(async () => {
  playground = await Playground.start();
  outside = createServer((_, response) => {
    reached++;
    response.writeHead(200, { "Access-Control-Allow-Origin": "*", "Content-Type": "text/javascript" }).end("export default 1");
  });
  await new Promise((resolve) => outside.listen(0, "127.0.0.1", () => resolve(undefined)));
  const bound = outside.address();
  address = `http://127.0.0.1:${typeof bound === "object" && bound ? bound.port : 0}/`;
});
after(async () => {
  await playground.stop();
  outside.closeAllConnections();
  outside.close();
});

/** Tries each expression in a cell; what became of it. @param {Record<string, string>} attempts */
async function attempt(attempts) {
  const cells = Object.entries(attempts).map(
    ([name, code]) => `try { const value = await (async () => { ${code} })(); print('${name}: reached', value) } catch (error) { print('${name}: refused') }`,
  );
  const page = await playground.open(cells, { quiet: false });
  const { cells: reports } = await runAll(page);
  await page.context().close();
  return reports.map(({ text }) => text.split(" ").slice(0, 2).join(" "));
}

test("no network, no storage, no page", async () => {
  const attempts = {
    fetch: `return (await fetch('${address}', { mode: 'no-cors' })).type`,
    "fetch-site": `return (await fetch('${playground.url}')).status`,
    "fetch-site-blindly": `return (await fetch('${playground.url}', { mode: 'no-cors' })).type`,
    request: `return await new Promise((resolve, reject) => { const x = new XMLHttpRequest(); x.open('GET', '${address}'); x.onload = () => resolve(x.status); x.onerror = reject; x.send() })`,
    "import": `return await import('${address}')`,
    "web-socket": `return await new Promise((resolve, reject) => { const s = new WebSocket('${address.replace("http", "ws")}'); s.onopen = resolve; s.onerror = reject })`,
    "event-source": `return await new Promise((resolve, reject) => { const s = new EventSource('${address}'); s.onopen = resolve; s.onerror = reject })`,
    "nested-worker": `const text = "fetch('${address}').then(() => postMessage(1), () => postMessage(0))"; return await new Promise((resolve, reject) => { const w = new Worker('data:text/javascript,' + encodeURIComponent(text)); w.onmessage = (e) => e.data ? resolve(1) : reject(); w.onerror = reject; setTimeout(reject, 1500) })`,
    scripts: `importScripts('${address}')`,

    "indexed-db": "return await new Promise((resolve, reject) => { const r = indexedDB.open('x'); r.onsuccess = resolve; r.onerror = reject })",
    caches: "return await caches.open('x')",
    files: "return await navigator.storage.getDirectory()",
    local: "return localStorage.length",
    cookies: "return await cookieStore.getAll()",

    window: "return window.document",
    parent: "return parent.document",
    document: "return document.title",
    evaluate: "return (0, eval)('1')",
    construct: "return new Function('return 1')()",
    weft: "'use strict'; $weft = 1",
  };
  assert.deepEqual(await attempt(attempts), Object.keys(attempts).map((name) => `${name}: refused`));
  assert.equal(reached, 0, "nothing arrived at the server");
});

test("a page that is sent nonsense, or too much, goes on", async () => {
  const steal = `const send = MessagePort.prototype.postMessage;
let port = null;
MessagePort.prototype.postMessage = function (...rest) { port ??= this; return send.apply(this, rest) };
print('x');
await new Promise((resolve) => setTimeout(resolve, 200));
for (const forged of [null, 1, {}, { type: 'output' }, { type: 'finished', run: 'x' }, { type: 'ready', device: null, names: [] },
  { type: 'output', run: 1, output: 5, content: { kind: 'markdown', source: '<img src=x onerror=alert(1)><script>alert(1)</script>' } },
  { type: 'output', run: 1, output: 6, content: { kind: 'image', bitmap: {}, tile: { width: 1e9, height: 1 }, columns: 1, count: 1, scale: 1, title: '', labels: [], legend: null } },
  { type: 'text', run: 1, output: 7, stream: 'print', text: 'x'.repeat(1e7), omitted: 0 }]) send.call(port, forged);`;
  const page = await playground.open([steal, "print('still here')"], { quiet: false });
  await runCell(page, 1);
  assert.equal((await runCell(page, 2)).text, "still here");
  assert.equal(await page.locator(".outputs img, .outputs script").count(), 0);
  await page.context().close();
});

test("the policy of the page itself refuses foreign scripts and addresses", async () => {
  const page = await playground.open(["1"], { quiet: false });
  const refused = await page.evaluate(async (url) => {
    const script = document.createElement("script");
    const ran = new Promise((resolve) => Object.assign(script, { onload: () => resolve(true), onerror: () => resolve(false) }));
    let typed = false;
    try {
      script.src = url;
    } catch {
      typed = true;
    }
    document.head.append(script);
    const fetched = await fetch(url).then(() => true, () => false);
    return [typed || !(await ran), !fetched];
  }, address);
  assert.deepEqual(refused, [true, true]);
  assert.equal(reached, 0);
  await page.context().close();
});
