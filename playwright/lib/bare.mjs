// The page as users have it: a Chromium started without a tester's flags, so that a sandboxed frame
// has a process of its own, and driven without the protocol's Runtime and Log domains, which would
// hold every value and every line of the console. A script in the page measures and posts to the
// test's server.

import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ADDRESS_BAR, findChrome, PAINTING, QUIET, WEBGPU, without } from "./browser.mjs";

/** @typedef {{ id: number, method: string, params?: object, sessionId?: string }} Command */

export class BareBrowser {
  /** @type {Map<number, (result: any) => void>} */
  #waiting = new Map();
  #lastId = 0;
  #rest = "";

  /** @param {import("node:child_process").ChildProcess} child @param {string} profile */
  constructor(child, profile) {
    this.child = child;
    this.profile = profile;
    this.input = /** @type {import("node:stream").Writable} */ (child.stdio[3]);
    /** @type {import("node:stream").Readable} */ (child.stdio[4]).setEncoding("utf8").on("data", (chunk) => this.#receive(chunk));
    this.input.on("error", () => undefined);
  }

  static async start() {
    const profile = await mkdtemp(join(tmpdir(), "weft-bare-"));
    const child = spawn(findChrome(), ["--headless=new", ...QUIET, ...WEBGPU, PAINTING, without(ADDRESS_BAR), "--no-default-browser-check", "--password-store=basic", "--window-size=1280,900", `--user-data-dir=${profile}`, "--remote-debugging-pipe", "about:blank"], {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    });
    const browser = new BareBrowser(child, profile);
    await browser.send("Browser.getVersion");
    return browser;
  }

  async stop() {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    void this.send("Browser.close");
    const timer = setTimeout(() => this.child.kill("SIGKILL"), 5_000);
    await ended;
    clearTimeout(timer);
    await rm(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }

  /** @param {string} chunk */
  #receive(chunk) {
    const parts = (this.#rest + chunk).split("\0");
    this.#rest = parts.pop() ?? "";
    for (const part of parts) {
      const { id, result, error } = JSON.parse(part);
      this.#waiting.get(id)?.(error ? { error } : result);
      this.#waiting.delete(id);
    }
  }

  /** @param {string} method
   * @param {object} [params]
   * @param {string} [sessionId]
   * @returns {Promise<any>} */
  send(method, params = {}, sessionId) {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.input.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
    });
  }

  /** A page that runs `script` before its own; closed by the function that comes back.
   * @param {string} url
   * @param {string} script */
  async open(url, script) {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    await this.send("Page.enable", {}, sessionId);
    await this.send("Page.addScriptToEvaluateOnNewDocument", { source: script }, sessionId);
    await this.send("Page.navigate", { url }, sessionId);
    return { sessionId, close: () => this.send("Target.closeTarget", { targetId }) };
  }

  /** The addresses of frames that have processes of their own. */
  async isolatedFrames() {
    const { targetInfos } = await this.send("Target.getTargets");
    return targetInfos.filter((/** @type {any} */ { type }) => type === "iframe").map((/** @type {any} */ { url }) => String(url));
  }

  /** Megabytes that the largest process of a kind has; 0 where the system does not say.
   * @param {string} kind */
  async memory(kind) {
    const { processInfo } = await this.send("SystemInfo.getProcessInfo");
    const sizes = await Promise.all(
      processInfo
        .filter((/** @type {any} */ { type }) => type === kind)
        .map(async (/** @type {any} */ { id }) => {
          const status = await readFile(`/proc/${id}/status`, "utf8").catch(() => "");
          return Number(/VmRSS:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
        }),
    );
    return Math.max(0, ...sizes);
  }
}
