// Hostile notebooks. A test opens one from a link in the built page, measures inside the page how
// long it took and how long it left a frame waiting, and records every request that reaches the
// host.

import { randomUUID } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { BareBrowser } from "./bare.mjs";
import { serve } from "./server.mjs";
import { site } from "./playground.mjs";

/**
 * @typedef {{
 *   ready: number, gap: number, nodes: number, banner: string, title: string, text: string, cells:
 *   import("../../web/src/hook").CellReport[], answer: unknown,
 * }} Seen `ready` and `gap` in milliseconds: until the notebook stood there, and the longest
 * between two frames from then on.
 */

/** What runs in the page before its own scripts: measures, does what the test asks once the
 * notebook is open, and reports. */
const PROBE = `(() => {
  if (window !== top || location.protocol === "about:") return;
  let gap = 0, last = 0, ready = 0;
  const frame = (now) => {
    if (last) gap = Math.max(gap, now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  const until = (test) => new Promise((resolve) => { const turn = () => (test() ? resolve() : setTimeout(turn, 20)); turn(); });
  const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));
  const run = async () => {
    await until(() => document.documentElement?.dataset.ready);
    ready = performance.now();
    await wait(SETTLE);
    let answer = null;
    try { answer = await (ACTION)({ until, wait, resetGap: () => (gap = 0) }); } catch (error) { answer = "failed: " + error; }
    // A frame that is still awaited is a gap too.
    gap = Math.max(gap, performance.now() - last);
    const seen = {
      ready, gap, answer,
      nodes: document.querySelectorAll("*").length,
      banner: document.querySelector(".banner.failed")?.textContent ?? "",
      title: document.title,
      text: (document.querySelector("main")?.innerText ?? "").slice(-20000),
      cells: window.weft.cells().slice(0, 100),
    };
    await fetch("REPORT", { method: "POST", body: JSON.stringify(seen) });
  };
  void run();
})();`;

export class Hostile {
  /** Paths that were asked for since the last look, and the cookies that went along.
   * @type {{ path: string, cookie: string }[]} */
  requests = [];
  /** @type {Map<string, (seen: Seen) => void>} */
  #reports = new Map();
  /** @type {{ url: string, close(): Promise<void> } | null} */
  #server = null;

  /** @param {BareBrowser} browser */
  constructor(browser) {
    this.browser = browser;
  }

  static async start() {
    const hostile = new Hostile(await BareBrowser.start());
    hostile.#server = await serve(site, { path: "/some/where/", intercept: (request, response) => hostile.#intercept(request, response) });
    return hostile;
  }

  async stop() {
    await this.browser.stop();
    await this.#server?.close();
  }

  get url() {
    return String(this.#server?.url);
  }

  /** @param {import("node:http").IncomingMessage} request
   * @param {import("node:http").ServerResponse} response */
  #intercept(request, response) {
    const path = request.url ?? "";
    const report = this.#reports.get(path);
    if (report) {
      let body = "";
      request.on("data", (chunk) => (body += chunk)).on("end", () => {
        response.end();
        report(JSON.parse(body));
      });
      return true;
    }
    this.requests.push({ path, cookie: request.headers.cookie ?? "" });
    // A site knows who opens its pages.
    if (path === "/some/where/") response.setHeader("Set-Cookie", "reader=known; Path=/; SameSite=Lax");
    return false;
  }


  /**
   * Opens a notebook; `action`, the text of an async function, runs in the page once it is open.
   * @param {string} markdown
   * @param {{ settle?: number, action?: string, patience?: number, query?: string, meanwhile?: (browser: BareBrowser) => Promise<void> }} [options]
   * @returns {Promise<Seen>}
   */
  open(markdown, options) {
    return this.openFragment(deflateRawSync(Buffer.from(markdown), { level: 9 }).toString("base64url"), options);
  }

  /**
   * As `open`, for what stands behind `#nb=`; `before` runs in the page before its own scripts.
   * @param {string} fragment
   * @param {{ settle?: number, action?: string, patience?: number, before?: string, meanwhile?: (browser: BareBrowser) => Promise<void> }} [options]
   * @returns {Promise<Seen>}
   */
  async openFragment(fragment, { settle = 700, action = "async () => null", patience = 60_000, before = "", meanwhile } = {}) {
    const path = `/report/${randomUUID()}`;
    /** @type {Promise<Seen>} */
    const reported = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`the page said nothing for ${patience} ms`)), patience);
      this.#reports.set(path, (seen) => (clearTimeout(timer), resolve(seen)));
    });
    const script = PROBE.replace("SETTLE", String(settle)).replace("ACTION", () => action).replace("REPORT", path);
    this.requests = [];
    const page = await this.browser.open(`${this.url}#nb=${fragment}`, `${before}\n${script}`);
    try {
      const seen = await reported;
      await meanwhile?.(this.browser);
      return seen;
    } finally {
      this.#reports.delete(path);
      await page.close();
    }
  }
}
