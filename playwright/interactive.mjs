// Time until a reader can use the page, here and on a slow line. It opens the built site anew
// several times, as from an empty cache, and prints the medians: until the first paint, and until
// `data-ready` (cells run, edit and answer).
//
//   cargo xtask build && node playwright/interactive.mjs [ROUNDS]

import { gzipSync } from "node:zlib";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { launch } from "./lib/browser.mjs";
import { site } from "./lib/playground.mjs";

const rounds = Number(process.argv[2] ?? 5);
/** What each line has: bits a second both ways, and milliseconds until an answer begins. */
const LINES = [
  { name: "this machine", bits: 0, latency: 0, bar: 1_000 },
  { name: "1.6 Mbit/s, 150 ms", bits: 1_600_000, latency: 150, bar: 3_000 },
];
/** @type {Record<string, string>} */
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".md": "text/markdown", ".wasm": "application/wasm", ".woff2": "font/woff2", ".webp": "image/webp" };

// Compressed, as hosts do: on a slow line that is most of the difference.
const server = createServer(async (request, response) => {
  const path = new URL(request.url ?? "/", "http://localhost").pathname.slice(1) || "index.html";
  const bytes = await readFile(join(site, path)).catch(() => null);
  if (!bytes || path.includes("..")) return void response.writeHead(404).end();
  const packed = /\.(woff2|webp)$/.test(path) ? bytes : gzipSync(bytes);
  response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream", "Content-Length": packed.length, ...(packed !== bytes && { "Content-Encoding": "gzip" }) }).end(packed);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
const bound = server.address();
const url = `http://127.0.0.1:${typeof bound === "object" && bound ? bound.port : 0}/`;

/** @param {number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;

const browser = await launch();
try {
  for (const { name, bits, latency, bar } of LINES) {
    /** @type {{ paint: number, ready: number }[]} */
    const seen = [];
    for (let round = 0; round <= rounds; round++) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      await session.send("Network.enable");
      if (bits > 0) await session.send("Network.emulateNetworkConditions", { offline: false, latency, downloadThroughput: bits / 8, uploadThroughput: bits / 8 });
      await page.addInitScript(() => {
        new MutationObserver((_, observer) => {
          if (document.documentElement?.dataset["ready"] === undefined) return;
          observer.disconnect();
          Object.assign(globalThis, { readyAfter: performance.now() });
        }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-ready"] });
      });
      await page.goto(url, { waitUntil: "commit" });
      await page.waitForFunction(() => "readyAfter" in globalThis && performance.getEntriesByName("first-contentful-paint").length > 0, null, { timeout: 120_000 });
      const found = await page.evaluate(() => ({ paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN, ready: Number(/** @type {any} */ (globalThis).readyAfter) }));
      // The first round starts the browser's processes.
      if (round > 0) seen.push(found);
      await context.close();
    }
    const [paint, usable] = [median(seen.map(({ paint }) => paint)), median(seen.map(({ ready }) => ready))];
    const spread = seen.map(({ ready }) => Math.round(ready)).sort((a, b) => a - b).join(" ");
    console.log(`${name}: first paint ${Math.round(paint)} ms, can be used after ${Math.round(usable)} ms (bar ${bar}; ${spread})`);
  }
} finally {
  await browser.close();
  server.close();
  server.closeAllConnections();
}
