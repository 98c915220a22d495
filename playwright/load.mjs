// Measurement of how the page loads, on localhost and at 1.6 Mbit/s: first paint, bytes until the
// text can be read, time and bytes until the notebook can be used, without those of what runs the
// hero, the hero's second picture, and layout shift until the editors are there. Arguments: how
// many times (3), and the query of the page (""). LOG=1 prints every request, from when to when.
//
//   node playwright/load.mjs 3 "?device=webgpu"

import { createServer } from "node:http";
import { readFile, stat } from "node:fs/promises";
import { cpus } from "node:os";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";
import { launch } from "./lib/browser.mjs";
import { site } from "./lib/playground.mjs";
import { TYPES } from "./lib/server.mjs";

/** Bytes a second of all connections together, and milliseconds until an answer begins. */
const LINKS = /** @type {const} */ ({ localhost: null, "1.6 Mbit/s, 150 ms": { bytes: 200_000, latency: 150 } });
const PIECE = 4_096;
const COMPRESSED = new Set([".woff2", ".webp", ".gz", ".png"]);

/** @typedef {{ bytes: number, latency: number }} Link */
/** @typedef {{ name: string, bytes: number, start: number, end: number }} Sent */

const sleep = (/** @type {number} */ milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The built site over a link that all its answers share, in turns; each is compressed, as hosts of
 * static files do.
 * @param {Link | null} link */
async function serveOver(link) {
  /** @type {Sent[]} */
  const log = [];
  let began = 0;
  let free = 0;
  /** When a piece has passed the link: the pieces of all answers queue. @param {number} size */
  const pass = async (size) => {
    if (!link) return;
    free = Math.max(free, performance.now()) + (size / link.bytes) * 1_000;
    await sleep(free - performance.now());
  };
  /** @type {Map<string, Buffer>} */
  const packed = new Map();
  const server = createServer(async (request, response) => {
    began ||= performance.now();
    const start = performance.now() - began;
    const name = normalize(decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname.slice(1))) || "index.html";
    const file = join(site, name === "." ? "index.html" : name);
    if (!(await stat(file).catch(() => null))?.isFile()) return void response.writeHead(404).end();
    const plain = COMPRESSED.has(extname(file));
    const body = packed.get(file) ?? (plain ? await readFile(file) : gzipSync(await readFile(file), { level: 9 }));
    packed.set(file, body);
    if (link) await sleep(link.latency);
    response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream", "Content-Length": body.length, ...(plain ? {} : { "Content-Encoding": "gzip" }) });
    for (let at = 0; at < body.length; at += PIECE) {
      const piece = body.subarray(at, at + PIECE);
      await pass(piece.length);
      response.write(piece);
    }
    response.end();
    log.push({ name, bytes: body.length, start, end: performance.now() - began });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/`, log, close: () => (server.closeAllConnections(), server.close()) };
}

/** @param {import("playwright-core").Browser} browser
 * @param {Link | null} link
 * @param {string} query */
async function load(browser, link, query) {
  const server = await serveOver(link);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const seen = { shift: 0, hero: 0, ready: 0, worker: 0 };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += /** @type {any} */ (entry).value;
    }).observe({ type: "layout-shift", buffered: true });
    // The figures beside an animation change four times a second, its pictures at each frame.
    let drawn = 0;
    const { drawImage } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.drawImage = /** @this {CanvasRenderingContext2D} @param {any[]} given */ function (...given) {
      if (++drawn === 2) seen.hero = performance.now();
      return Reflect.apply(drawImage, this, given);
    };
    const look = () => {
      if (document.documentElement.dataset["ready"] && !seen.ready) {
        seen.ready = performance.now();
        void window.weft.ready.then(() => (seen.worker = performance.now()));
      }
      if (!seen.hero) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(server.url + query, { waitUntil: "commit" });
  await page.waitForFunction(() => /** @type {any} */ (globalThis).seen.hero > 0, null, { timeout: 120_000, polling: 50 });
  await page.locator(".editor .cm-content").first().waitFor({ state: "attached", timeout: 120_000 });
  await page.waitForTimeout(500);
  const { paint, hero, ready, worker, shift } = await page.evaluate(() => ({ paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN, .../** @type {any} */ (globalThis).seen }));
  const sum = (/** @type {(sent: Sent) => boolean} */ which) => server.log.filter(which).reduce((total, { bytes }) => total + bytes, 0);
  const runs = (/** @type {Sent} */ { name }) => /\.wasm$|^runner|worker-\w+\.js$/.test(name);
  const found = { paint, hero, ready, shift, text: sum(({ end }) => end <= paint), used: sum((sent) => sent.end <= ready && !runs(sent)), until: sum(({ end }) => end <= hero) };
  if (process.env["LOG"]) {
    for (const { name, bytes, start, end } of server.log.sort((a, b) => a.start - b.start)) console.log(`    ${start.toFixed(0).padStart(6)} to ${end.toFixed(0).padStart(6)} ms  ${String(bytes).padStart(7)}  ${name}`);
    console.log(`    painted ${paint.toFixed(0)}, ready ${ready.toFixed(0)}, the worker ${worker.toFixed(0)}, hero ${hero.toFixed(0)}`);
  }
  await context.close();
  server.close();
  return found;
}

const [times = "3", query = ""] = process.argv.slice(2);
const middle = (/** @type {number[]} */ values) => values.sort((a, b) => a - b)[values.length >> 1] ?? NaN;
const browser = await launch();
console.log(`${cpus()[0]?.model}, ${cpus().length} cores; Chromium ${browser.version()}`);
try {
  // What starts a browser is no part of a page.
  await load(browser, null, query);
  for (const [name, link] of Object.entries(LINKS)) {
    const found = [];
    for (let i = 0; i < Number(times); i++) found.push(await load(browser, link, query));
    const of = (/** @type {keyof typeof found[0]} */ key) => middle(found.map((each) => each[key]));
    const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1_000).toFixed(0)} KB`;
    console.log(`${name}: first paint ${of("paint").toFixed(0)} ms, text ${kilobytes(of("text"))}, ready ${(of("ready") / 1_000).toFixed(2)} s after ${kilobytes(of("used"))}, hero moves ${(of("hero") / 1_000).toFixed(2)} s after ${kilobytes(of("until"))}, layout shift ${of("shift").toFixed(4)}`);
  }
} finally {
  await browser.close();
}
