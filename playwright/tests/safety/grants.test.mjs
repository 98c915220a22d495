// Grants to leave the sandbox: hosts, camera and microphone. The reader is asked in the page's
// own words, nothing is reached before, and what is taken back is gone.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { assertAccessible } from "../../lib/accessible.mjs";
import { FAKE_DEVICES } from "../../lib/browser.mjs";
import { Playground, ready, runAll, runCell } from "../../lib/playground.mjs";
import { rotating } from "../../lib/rotation.mjs";
import { after, afterEach, before, test } from "../../lib/test.mjs";
import { assertTookNothing, noteQuestion } from "../../lib/question.mjs";

/** What a landing may leave out. */
const sometimes = rotating(2);

/** Thirty million zeros. */
const PACKED = gzipSync(Buffer.alloc(30_000_000));

/** @type {Playground} */
let playground;
/** Another origin, which other sites may read, and one that it redirects to.
 * @type {import("node:http").Server[]} */
let servers;
/** @type {{ path: string, host: string, headers: import("node:http").IncomingHttpHeaders }[]} */
const requests = [];
let [there, elsewhere] = ["", ""];

before(async () => {
  /** @type {import("node:http").RequestListener} */
  const answer = (request, response) => {
    const path = request.url ?? "";
    requests.push({ path, host: request.headers.host ?? "", headers: request.headers });
    if (path !== "/closed") response.setHeader("Access-Control-Allow-Origin", "*");
    if (path === "/here") return response.writeHead(302, { Location: "/file.txt" }).end();
    if (path === "/away") return response.writeHead(302, { Location: `http://${elsewhere}/stolen` }).end();
    if (path === "/gone") return response.writeHead(404).end();
    if (path === "/round") return response.writeHead(302, { Location: "/round" }).end();
    if (path === "/silent") return;
    if (path === "/slow") {
      const timer = setInterval(() => response.write("."), 50);
      return response.on("close", () => clearInterval(timer));
    }
    if (path === "/endless") {
      const more = () => {
        while (response.write(Buffer.alloc(65_536)));
      };
      response.on("drain", more);
      return more();
    }
    if (path === "/packed") return response.writeHead(200, { "Content-Encoding": "gzip" }).end(PACKED);
    if (path === "/cut") return response.writeHead(200, { "Content-Length": 1_000 }).write("x", () => response.destroy());
    if (path === "/huge") return response.writeHead(200, { "Content-Length": 900_000_000 }).end("x");
    response.end("from there");
  };
  servers = [createServer(answer), createServer(answer)];
  const ports = await Promise.all(servers.map((server) => new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(/** @type {import("node:net").AddressInfo} */ (server.address()).port)))));
  [there, elsewhere] = /** @type {[string, string]} */ (ports.map((port) => `localhost:${port}`));
  playground = await Playground.start({ more: FAKE_DEVICES });
});
after(async () => {
  await playground.stop();
  for (const server of servers) (server.closeAllConnections(), server.close());
});
afterEach(() => playground.assertQuiet());

/** What a browser says in its console of requests that fail. */
const SAYS = /Failed to load resource|blocked by CORS|Content Security Policy|Refused to connect|net::ERR/;

/** Answers the question that opens, once it takes answers; its words.
 * @param {import("playwright-core").Page} page
 * @param {string} button */
async function answer(page, button) {
  const dialog = page.locator("dialog[open]");
  await dialog.waitFor();
  const text = await dialog.textContent();
  const element = await dialog.elementHandle();
  await dialog.getByRole("button", { name: button, exact: true }).click();
  // Another question may follow at once.
  await page.waitForFunction((closed) => !closed?.isConnected, element);
  return text ?? "";
}

test("nothing but what the reader allows is reached, without credentials, and no redirect leads further", async () => {
  requests.length = 0;
  const get = (/** @type {string} */ path) => `await file("http://${there}${path}").then((bytes) => new TextDecoder().decode(bytes), (error) => error.message)`;
  const page = await playground.open([get("/before"), `await allow("${there}", { why: "weights, 2 \\u202eMB <b>" });\n${get("/file.txt")}`, `print(${get("/here")});\nprint(${get("/away")});\nprint(${get("/gone")});\nprint(${get("/huge")});\nprint(${get("/closed")});\nprint(await file("http://${elsewhere}/x").catch((error) => error.message))`], { says: SAYS, bypassCSP: false });
  const early = await runCell(page, 1);
  assert.match(early.text, /may not reach localhost:\d+\. Ask the reader first: await allow\("localhost:\d+"\)/);
  assert.ok(!requests.some(() => true));

  await page.evaluate(noteQuestion);
  const running = runCell(page, 2);
  await page.locator("dialog[open]").waitFor();
  // A key or a click that was meant for something else answers nothing.
  await assertTookNothing(page);
  const words = await answer(page, "Allow this time");
  assert.match(words, /Cell 2 asks for it\./);
  assert.match(words, /The notebook says: weights, 2 MB <b>/);
  assert.match((await running).text, /from there/);
  assert.equal(requests.length, 1);
  const first = requests.at(0);
  assert.deepEqual([first?.headers.cookie, first?.headers.referer, first?.headers["sec-fetch-mode"]], [undefined, undefined, "cors"]);

  const { text } = await runCell(page, 3);
  const lines = text.split("\n");
  assert.equal(lines[0], "from there");
  assert.match(lines[1] ?? "", /redirects to another host, which was not allowed/);
  assert.match(lines[2] ?? "", /the host answered 404/);
  assert.match(lines[3] ?? "", /larger than 512 MB/);
  assert.match(lines[4] ?? "", /does not let other sites read it/);
  assert.match(lines[5] ?? "", /may not reach/);
  assert.deepEqual(requests.filter(({ host }) => host === elsewhere), []);

  await page.locator(".badge > summary").click();
  await page.getByRole("group", { name: "Hosts this notebook may reach" }).getByText("until you leave this page").waitFor();
  await page.getByRole("button", { name: `Revoke ${there}` }).click();
  assert.equal(await page.locator(".host-mark").isVisible(), false);
  assert.match((await runCell(page, 1)).text, /may not reach/);
  await page.context().close();
});

sometimes("answers without an end, or too slow, are ended at the limits", async () => {
  const page = await playground.open(["1"], { says: SAYS, quiet: false });
  requests.length = 0;
  const seen = await page.evaluate(async (there) => {
    const element = document.createElement("iframe");
    element.src = new URL("fetcher.html", location.href).href;
    /** @type {Promise<void>} */
    const ready = new Promise((resolve) => addEventListener("message", ({ source, data }) => source === element.contentWindow && data?.type === "weft-fetcher-ready" && resolve()));
    document.body.append(element);
    await ready;
    const inner = element.contentWindow;
    if (!inner) throw new Error("there is no frame");
    // A word without a port begins nothing, and the first one with a port is the last that is
    // heard.
    inner.postMessage({ type: "weft-fetcher", origins: ["https://evil.example"] }, location.origin);
    const { port1, port2 } = new MessageChannel();
    inner.postMessage({ type: "weft-fetcher", origins: [`http://${there}`] }, location.origin, [port2]);
    inner.postMessage({ type: "weft-fetcher", origins: ["https://evil.example"] }, location.origin, [new MessageChannel().port2]);
    const get = (/** @type {object} */ request) =>
      new Promise((resolve) => {
        const answer = new MessageChannel();
        const began = performance.now();
        answer.port1.onmessage = ({ data }) => resolve({ ok: data.ok, failure: data.failure ?? null, length: data.bytes?.length ?? 0, took: performance.now() - began });
        port1.postMessage(request, [answer.port2]);
      });
    const most = 2_000_000;
    const patient = { most, time: 20_000, silence: 20_000 };
    /** @type {Record<string, any>} */
    const found = {};
    // What must end by time has little of it; what must end otherwise has enough on a busy machine.
    for (const path of ["slow", "silent"]) found[path] = await get({ url: `http://${there}/${path}`, most, time: 1_500, silence: 400 });
    for (const path of ["endless", "packed", "round", "cut", "file.txt"]) found[path] = await get({ url: `http://${there}/${path}`, ...patient });
    found["elsewhere"] = await get({ url: "https://evil.example/", ...patient });
    element.remove();
    return found;
  }, there);
  assert.deepEqual(Object.fromEntries(Object.entries(seen).map(([path, { failure }]) => [path, failure])), { slow: "slow", silent: "slow", endless: "large", packed: "large", round: "unreachable", cut: "unreachable", "file.txt": null, elsewhere: "elsewhere" });
  for (const [path, { took }] of Object.entries(seen)) assert.ok(took < 6_000, `${path}: ${took} ms`);
  await page.context().close();
});

sometimes("what is allowed for a notebook is seen on the next visit before anything runs, and is not another notebook's", async () => {
  const page = await playground.open([`await allow("${there}")`], { bypassCSP: true });
  const running = runCell(page, 1);
  await page.locator("dialog[open]").waitFor();
  await assertAccessible(page, "the question for a host");
  await answer(page, "Allow for this notebook");
  assert.equal((await running).status, "done");
  // The list of the reader's notebooks may take its time, and the page takes over only then.
  await page.addInitScript(() => {
    const { getAll } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.getAll = function (...given) {
      const request = getAll.apply(this, given);
      Object.defineProperty(request, "onsuccess", { set: (then) => request.addEventListener("success", (event) => setTimeout(() => then.call(request, event), 700)) });
      return request;
    };
  });
  await page.reload();
  await ready(page);
  await page.locator(".host-mark").getByText("1 host").waitFor();
  assert.equal((await runCell(page, 1)).status, "done");
  // The same name with another text is somebody else's.
  await page.context().route("**/notebooks/test.md", (route) => route.fulfill({ body: "# Other\n\n```js\n1\n```\n", contentType: "text/markdown" }));
  await page.reload();
  await ready(page);
  await runCell(page, 1);
  assert.equal(await page.locator(".host-mark").isVisible(), false);
  await page.context().close();
});

sometimes("a notebook that is refused asks no more, however often it tries", async () => {
  requests.length = 0;
  const code = `let refused = 0;\nfor (let n = 0; n < 40; n++) await allow("h" + (n % 7) + ".example.com").catch(() => refused++);\nrefused`;
  const page = await playground.open([code]);
  const running = runCell(page, 1);
  let asked = 0;
  for (; asked < 3; asked++) await answer(page, "Don't allow");
  assert.match((await running).text, /40/);
  assert.equal(await page.locator("dialog").count(), 0);
  await page.context().close();
});

sometimes("the camera is used after the reader's word, shows that it is on, and is off when it is stopped", async () => {
  const open = `const cam = await camera({ width: 64, height: 48 });`;
  const page = await playground.open([`${open}\nconst frame = await cam.frame();\nprint(frame.shape, frame.dtype, (await frame.max().item()) > 0.2)`, `print(await cam.frame().then(() => "a picture", (error) => error.message), cam.on)`, `await allow("example.com").catch((error) => error.message)`], { bypassCSP: true });
  await page.evaluate(() => {
    const { mediaDevices } = navigator;
    const original = mediaDevices.getUserMedia.bind(mediaDevices);
    const tracks = /** @type {MediaStreamTrack[]} */ ([]);
    Object.assign(window, { tracks });
    mediaDevices.getUserMedia = async (constraints) => {
      const stream = await original(constraints);
      tracks.push(...stream.getTracks());
      return stream;
    };
  });
  /** What devices the page has opened, and whether they are live. */
  const tracks = () => page.evaluate(() => /** @type {{ tracks: MediaStreamTrack[] }} */ (/** @type {unknown} */ (window)).tracks.map(({ readyState }) => readyState));
  const refused = runCell(page, 1);
  const words = await answer(page, "Don't allow");
  assert.match(words, /Cell 1 asks for it/);
  assert.match(words, /nowhere else/);
  assert.match((await refused).error?.message ?? "", /camera: the reader refused it/);
  assert.deepEqual(await tracks(), []);

  await page.evaluate(() => window.weft.restart());
  await page.evaluate(() => window.weft.ready);
  const running = runCell(page, 1);
  await page.locator("dialog[open]").waitFor();
  await assertAccessible(page, "the question for the camera");
  await answer(page, "Use the camera");
  const report = await running;
  assert.equal(report.text, "[48, 64, 3] f32 true", JSON.stringify(report.error));
  assert.deepEqual(await tracks(), ["live"]);
  await page.locator(".device-on").getByText("Camera on").waitFor();
  await assertAccessible(page, "a camera that is on");
  assert.equal((await runCell(page, 2)).text, "a picture true");
  // What has seen the reader reaches nobody.
  assert.match((await runCell(page, 3)).text, /has used a camera or a microphone/);

  await page.getByRole("button", { name: "Stop the camera" }).click();
  assert.deepEqual(await tracks(), ["ended"]);
  assert.equal(await page.locator(".device-on").isVisible(), false);
  assert.equal((await runCell(page, 2)).text, "camera: the reader stopped it false");

  // One that goes by itself, as an unplugged one does, ends what waits for its pictures, at its
  // line.
  const endless = `${open}\nfor (;;) await cam.frame();`;
  await page.evaluate((code) => window.weft.setCell(1, code), endless);
  const watching = runCell(page, 1);
  await answer(page, "Use the camera");
  await page.locator(".device-on").getByText("Camera on").waitFor();
  await page.evaluate(() => /** @type {{ tracks: MediaStreamTrack[] }} */ (/** @type {unknown} */ (window)).tracks.at(-1)?.dispatchEvent(new Event("ended")));
  const gone = await watching;
  assert.deepEqual([gone.error?.message, gone.error?.line], ["camera: it is gone", 2]);
  assert.equal(await page.locator(".device-on").isVisible(), false);
  assert.ok((await tracks()).every((state) => state === "ended"));
  await page.evaluate((code) => window.weft.setCell(1, code), `${open}\n1`);

  // A cell that runs again, and a restart, turn it off.
  const use = async () => {
    const opened = runCell(page, 1);
    await answer(page, "Use the camera");
    assert.equal((await opened).status, "done");
    assert.equal((await tracks()).at(-1), "live");
  };
  await use();
  await use();
  assert.deepEqual((await tracks()).map((state) => state === "live"), [false, false, false, true]);
  await page.evaluate(() => window.weft.restart());
  assert.ok((await tracks()).every((state) => state === "ended"));
  await page.context().close();
});

test("nothing is asked, and nothing stays on, for a cell that the reader stopped", async () => {
  // One leaves a timer behind that asks; one has the camera on; one asks when Stop is pressed.
  const later = "let said = '';\nsetTimeout(() => camera().then(() => (said = 'on'), (error) => (said = error.message)), 1200);\nfor (;;) await new Promise((resolve) => setTimeout(resolve, 20))";
  const page = await playground.open([later, "const cam = await camera({ width: 64, height: 48 });\nfor (;;) await cam.frame()", "for (;;) await camera().catch(() => {})"]);
  const stopped = async (/** @type {number} */ number, /** @type {() => Promise<unknown>} */ first) => {
    const running = runCell(page, number);
    await first();
    await page.evaluate(() => window.weft.stop());
    assert.equal((await running).status, "stopped");
  };
  await stopped(1, () => page.waitForTimeout(300));
  await page.waitForTimeout(1_500);
  assert.equal(await page.locator("dialog").count(), 0);
  await page.evaluate(() => window.weft.ready);
  await stopped(2, async () => {
    await answer(page, "Use the camera");
    await page.locator(".device-on").getByText("Camera on").waitFor();
  });
  await page.locator(".device-on").waitFor({ state: "hidden" });
  await page.evaluate(() => window.weft.ready);
  await stopped(3, () => page.locator("dialog[open]").waitFor());
  await page.locator("dialog").waitFor({ state: "detached" });
  await page.context().close();
});

sometimes("what the browser refuses says why, and a refused device is asked for once, however often a cell tries", async () => {
  const tries = (/** @type {string} */ what) => `let said = "";\nfor (let n = 0; n < 30; n++) said = await ${what}().then(() => "on", (error) => error.name + ": " + error.message);\nprint(said)`;
  const page = await playground.open([tries("camera"), tries("microphone")]);
  for (const [name, words] of /** @type {const} */ ([["NotAllowedError", /the browser refused the (camera|microphone)/], ["NotFoundError", /there is no (camera|microphone)/], ["NotReadableError", /another program uses the (camera|microphone)/]])) {
    await page.evaluate((name) => {
      const asked = { times: 0 };
      Object.assign(window, { asked });
      navigator.mediaDevices.getUserMedia = () => (asked.times++, Promise.reject(new DOMException("no", name)));
    }, name);
    await page.evaluate((code) => window.weft.setCell(1, code), 'print(await camera().catch((error) => error.message));\nprint(await microphone().catch((error) => error.message))');
    const running = runCell(page, 1);
    await answer(page, "Use the camera");
    await answer(page, "Use the microphone");
    for (const line of (await running).text.split("\n")) assert.match(line, words);
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).asked.times), 2);
    assert.equal(await page.locator(".device-on").isVisible(), false);
    await page.evaluate(() => window.weft.restart());
    await page.evaluate(() => window.weft.ready);
  }
  await page.evaluate((code) => window.weft.setCell(1, code), tries("camera"));
  for (const number of [1, 2]) {
    const running = runCell(page, number);
    await answer(page, "Don't allow");
    assert.match((await running).text, /NotAllowed: (camera|microphone): the reader refused it/);
  }
  assert.equal(await page.locator("dialog").count(), 0);
  await page.context().close();
});

sometimes("the microphone records what comes, and reads what came", async () => {
  const page = await playground.open([`const mic = await microphone({ why: "a tone" });\nconst sound = await mic.record(0.3);\nconst latest = await mic.read(512);\nprint(sound.size === Math.round(0.3 * mic.rate), latest.shape, Number.isFinite(await sound.abs().max().item()));\nmic.stop();\nprint(mic.on)`]);
  const running = runCell(page, 1);
  await answer(page, "Use the microphone");
  const report = await running;
  assert.equal(report.text, "true [512] true\nfalse", JSON.stringify(report.error));
  await page.locator(".device-on").waitFor({ state: "hidden" });
  await page.context().close();
});

// The gallery's notebooks that can use a device, once the reader chooses it in their menu.
for (const [name, device] of /** @type {const} */ ([["camera", "camera"], ["sound", "microphone"]])) {
  sometimes(`the notebook “${name}” goes on with the reader's ${device}`, async () => {
    const notebook = await readFile(new URL(`../../../notebooks/${name}.md`, import.meta.url), "utf8");
    const page = await playground.open(notebook, { query: "?device=cpu" });
    const failed = async () => (await page.evaluate(() => window.weft.cells())).flatMap(({ cell, error }) => (error ? [`${cell}: ${error.message}`] : []));
    await runAll(page);
    assert.deepEqual(await failed(), []);
    await page.locator("main select").first().selectOption(`my ${device}`);
    await answer(page, `Use the ${device}`);
    await page.locator(".device-on").getByText(new RegExp(`${device} on`, "i")).waitFor();
    await page.waitForFunction(() => window.weft.cells().every(({ status }) => status === "done" || status === "failed"));
    assert.deepEqual(await failed(), []);
    const moving = page.locator(".animation-figures").first();
    await moving.scrollIntoViewIfNeeded();
    await moving.and(page.getByText(/frame [1-9]/)).waitFor();
    assert.equal(await page.locator(".device-on").isVisible(), true);
    await page.context().close();
  });
}
