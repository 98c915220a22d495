// Links written to do harm before anything runs, and notebooks that grow the page's or the runner's
// memory when they do: each is open, or the page says why it is not, within two seconds, and no
// process grows by more than 1 GB.

import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import { after, before, test } from "../../lib/test.mjs";
import { Hostile } from "../../lib/hostile.mjs";
import { share } from "../../lib/rotation.mjs";

const FENCE = "```";
/** @param {...string} cells */
const notebook = (...cells) => `# Hostile\n\n${cells.map((code) => `${FENCE}js\n${code}\n${FENCE}\n`).join("\n")}`;
const packed = (/** @type {string | Buffer} */ text) => deflateRawSync(Buffer.from(text), { level: 9 });
const base64 = (/** @type {Buffer} */ bytes) => bytes.toString("base64url");

/** @type {Hostile} */
let hostile;
/** What an ordinary notebook takes on this machine: megabytes of the largest process of pages, and
 * milliseconds until it is open. */
const usual = { memory: 0, ready: 0 };
before(async () => {
  hostile = await Hostile.start();
  // The first page finds nothing in the browser's caches.
  await hostile.openFragment(base64(ORDINARY));
  await measureUsual();
});
after(() => hostile.stop());

const ORDINARY = packed(notebook("print('here')"));

async function measureUsual() {
  const { ready } = await hostile.openFragment(base64(ORDINARY), { meanwhile: async (browser) => void (usual.memory = await browser.memory("renderer")) });
  usual.ready = Math.max(usual.ready, ready);
}

/** Two seconds, or, where the machine is slow for an ordinary notebook, twice what that takes. */
const atOnce = () => Math.max(2_000, 2 * usual.ready);

/** What `open` sees. A machine may be busy with other things just then: what takes long is measured
 * again; what holds the page takes long every time.
 * @param {() => ReturnType<Hostile["openFragment"]>} open */
async function openAtOnce(open) {
  let seen = await open();
  for (let attempt = 1; attempt < 6 && seen.ready >= atOnce(); attempt++) {
    await measureUsual();
    seen = await open();
  }
  assert.ok(seen.ready < atOnce(), `after ${Math.round(seen.ready)} ms`);
  return seen;
}

/** What stands behind `#nb=`, and what the page says; null where the notebook opens.
 * @type {Record<string, [string, RegExp | null]>} */
const LINKS = {
  "a deflate bomb of a gigabyte": [base64(packed(Buffer.alloc(1e9))), /larger than 4 MB/],
  "a bomb of cells": [base64(packed(`${FENCE}js\n${FENCE}\n`.repeat(400_000))), /more than 20,000 cells|larger than/],
  "a truncated stream": [base64(ORDINARY.subarray(0, ORDINARY.length - 5)), /cannot be unpacked/],
  "a corrupt stream": [base64(Buffer.concat([Buffer.from([7, 7, 7]), ORDINARY])), /cannot be unpacked/],
  "bytes behind the stream": [base64(Buffer.concat([ORDINARY, Buffer.alloc(100_000, 1)])), /cannot be unpacked/],
  "a gzip stream": [base64(Buffer.concat([Buffer.from([31, 139, 8, 0]), ORDINARY])), /cannot be unpacked/],
  "no base64": ["!!!***", /cannot be read/],
  "half of base64": [`${base64(ORDINARY)}A`, /cannot be read|cannot be unpacked/],
  "nothing": ["", /cannot be unpacked|cannot be read/],
  "invalid UTF-8": [base64(packed(Buffer.from([0x23, 0x20, 0xff, 0xfe, 0xc0, 0x80]))), /cannot be unpacked/],
  "halves of pairs": [base64(packed(Buffer.from([0x23, 0x20, 0xed, 0xa0, 0x80]))), /cannot be unpacked/],
  "a fragment of a megabyte that holds nothing": ["A".repeat(1_000_000), /cannot be unpacked|larger/],
  "a title of a megabyte": [base64(packed(`# ${"title ".repeat(170_000)}\n`)), null],
  "names of prototypes": [base64(packed("# __proto__\n\n## constructor\n\n## toString\n\n[__proto__]: javascript:alert(1)\n\n[x][__proto__] [constructor] ![y][toString]\n\n```js\nconst __proto__ = 1;\n```\n")), null],
  "frames in frames": [base64(packed(`${"<iframe srcdoc='".repeat(2_000)}<iframe src='javascript:parent.stolen = 1'>\n\n<object data=x></object><embed src=x><portal></portal>\n`)), null],
  "directions": [base64(packed(`# ${"\u202e\u2067".repeat(2_000)}reversed\n\n${"\u202b".repeat(100_000)}a\n`)), null],
  "null characters": [base64(packed(`# a\0b\n\n${"\0".repeat(100_000)}\n`)), null],
};
for (const [name, [fragment, problem]] of share(Object.entries(LINKS), 4)) {
  test(`${name}: an answer within two seconds, in bounded memory`, async () => {
    let most = 0;
    const seen = await openAtOnce(() => hostile.openFragment(fragment, { settle: 500, meanwhile: async (browser) => void (most = Math.max(most, await browser.memory("renderer"))) }));
    assert.ok(most < usual.memory + 1_000, `a process of ${Math.round(most)} MB, beside ${Math.round(usual.memory)} usually`);
    if (problem) assert.match(seen.banner, problem);
    else assert.equal(seen.banner, "");
    assert.ok(seen.title.length < 300);
    assert.doesNotMatch(seen.title, /[\u202a-\u202e\u2066-\u2069]/);
    assert.ok(seen.nodes < 150_000, `${seen.nodes} elements`);
  });
}

const RUN = `async ({ wait }) => {
  await window.weft.ready;
  const run = await Promise.race([window.weft.runAll(), wait(40000)]);
  const clean = ({}).polluted === undefined && Object.getPrototypeOf(Object.prototype) === null;
  const after = await Promise.race([(window.weft.restart(), window.weft.ready.then(() => window.weft.runCell(2))), wait(10000)]);
  return { ended: run !== undefined, clean, after: after?.text ?? "" };
}`;
const PORT = `const send = MessagePort.prototype.postMessage;
let port = null;
MessagePort.prototype.postMessage = function (...rest) { port ??= this; return send.apply(this, rest) };
print('x');
await new Promise((resolve) => setTimeout(resolve, 200));
MessagePort.prototype.postMessage = send;
`;
/** @type {Record<string, string>} */
const RUN_ONCE = {
  "outputs that would pollute prototypes": `${PORT}for (const key of ['__proto__', 'constructor', 'prototype']) {
  const values = JSON.parse('{"' + key + '": {"polluted": 1}, "a": 1}');
  send.call(port, { type: 'output', run: 1, output: 5, content: { kind: 'table', columns: [key], rows: [[key]], omitted: 0, ...values } });
  send.call(port, { type: 'points', run: 1, output: 5, points: [{ x: 1, values: JSON.parse('{"__proto__": 5}') }] });
  send.call(port, { type: 'output', run: 1, output: 9, content: JSON.parse('{"__proto__": {"polluted": 1}, "kind": "__proto__"}') });
}
table([JSON.parse('{"__proto__": "x", "constructor": "y"}')]);
plot({ series: ['__proto__', 'constructor'] }).add(JSON.parse('{"__proto__": 1, "constructor": 2}'));
slider('__proto__', { min: 0, max: 1 });`,
  "arrays without end": "const kept = [];\nfor (;;) kept.push(new Float32Array(25e6));",
  "a bomb that a cell unpacks": "const zeros = new Blob([new Uint8Array(1e7)]).stream().pipeThrough(new CompressionStream('gzip'));\nconst bomb = await new Response(zeros).arrayBuffer();\nconst kept = [];\nfor (let i = 0; i < 100; i++) {\n  const reader = new Blob([bomb]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();\n  for (let part = await reader.read(); !part.done; part = await reader.read()) kept.push(part.value.length);\n}\nprint(kept.length > 0);",
  "messages to itself": "const { port1, port2 } = new MessageChannel();\nfor (let i = 0; i < 200; i++) port1.postMessage(new Uint8Array(1e6));\nprint('sent');",
};
for (const [name, code] of Object.entries(RUN_ONCE)) {
  test(`${name}: bounded, reported, and the notebook can be run again`, async () => {
    let most = 0;
    const seen = await hostile.openFragment(base64(packed(notebook(code, "print('alive')"))), { action: RUN, patience: 90_000, meanwhile: async (browser) => void (most = await browser.memory("renderer")) });
    assert.deepEqual(seen.answer, { ended: true, clean: true, after: "alive" });
    assert.ok(most < usual.memory + 1_000, `a process of ${Math.round(most)} MB, beside ${Math.round(usual.memory)} usually`);
  });
}

test("outputs that somebody forged in the store are shown as text or not at all, and run nothing", async () => {
  const forge = `async ({ wait }) => {
    const key = Object.keys(localStorage).find((each) => each.startsWith("weft:outputs:link:"));
    return { key: key ?? null, stolen: window.stolen ?? null };
  }`;
  const entry = { source: "print('here')", edited: false, status: "done", milliseconds: 1e308, error: { name: "__proto__", message: "<img src=x onerror=window.stolen=1>" }, omitted: -1, pictures: [{ output: 1, content: { kind: "kept", data: "javascript:1" } }], messages: [{ type: "output", run: 0, output: 2, content: { kind: "markdown", source: "<script>window.stolen = 1</script>" } }, { type: "finished", run: 1, status: "done", error: null }, { type: "ready", device: null, names: [] }] };
  const forged = [JSON.stringify([entry, null, 1, { ...entry, messages: "x" }]), `[${"[".repeat(200_000)}`, "{\"__proto__\": []}", JSON.stringify([{ ...entry, messages: Array.from({ length: 100_000 }, () => entry.messages[0]) }])];
  for (const text of forged) {
    const before = `Storage.prototype.getItem = ((get) => function (key) { return key.startsWith("weft:outputs:link:") ? ${JSON.stringify(text)} : get.call(this, key) })(Storage.prototype.getItem);`;
    const seen = await openAtOnce(() => hostile.openFragment(base64(ORDINARY), { settle: 500, action: forge, before }));
    assert.equal(/** @type {{ stolen: unknown }} */ (seen.answer).stolen, null);
    assert.deepEqual(seen.cells.map(({ status }) => status), ["idle"]);
  }
});
