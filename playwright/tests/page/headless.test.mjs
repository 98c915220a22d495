// `headless.mjs`: it streams what cells print, and its exit code reports how they ended.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rotating } from "../../lib/rotation.mjs";
import { after, before } from "../../lib/test.mjs";
import { fileURLToPath } from "node:url";
import { serve } from "../../lib/server.mjs";
import { site } from "../../lib/playground.mjs";

const test = rotating(3);

/** @type {{ url: string, close(): Promise<void> }} */
let server;
let folder = "";
before(async () => {
  server = await serve(site, { path: "/weft/" });
  folder = await mkdtemp(join(tmpdir(), "weft-headless-"));
});
after(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** @param {string[]} cells @param {string[]} [more] */
async function headless(cells, more = []) {
  const file = join(folder, "case.md");
  await writeFile(file, `# Case\n\n${cells.map((code) => "```js\n" + code + "\n```\n").join("\n")}`);
  const script = fileURLToPath(new URL("../../headless.mjs", import.meta.url));
  const child = spawn(process.execPath, [script, "--url", server.url, "--notebook", file, "--timeout", "60", ...more]);
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (err += chunk));
  const code = await new Promise((resolve) => child.on("close", resolve));
  return { code, out, err };
}

test("success: text to stdout, exit code 0, a picture of the page", async () => {
  const picture = join(folder, "page.png");
  const { code, out, err } = await headless(["print('first')", "for await (const i of progress(3, { label: 'work' }));\nprint('test accuracy: 0.97')"], ["--screenshot", picture]);
  assert.deepEqual([code, err], [0, ""]);
  assert.match(out, /^first\n[^]*work 3\/3[^]*test accuracy: 0\.97\n$/);
  assert.equal((await readFile(picture)).subarray(1, 4).toString(), "PNG");
});

test("an animation is announced once, not at every frame nor after every cell", async () => {
  const { code, out } = await headless(["const live = image(zeros([2, 2]), { title: 'moves' });\nfor (let i = 0; i < 60; i++) { await live.update(ones([2, 2])); await nextFrame(); }", "animate(() => zeros([2, 2]), { title: 'plays' });", "await new Promise((resolve) => setTimeout(resolve, 2500));\nprint('end')"]);
  assert.equal(code, 0);
  assert.deepEqual(out.match(/moves|plays|end/g), ["moves", "plays", "end"]);
});

test("failure: cell and line to stderr, exit code 1", async () => {
  const { code, out, err } = await headless(["print('before')", "\nnull.x", "print('after')"]);
  assert.equal(code, 1);
  assert.equal(out, "before\n");
  assert.match(err, /^cell 2, line 2: TypeError: /);
});

test("no time left: exit code 3", async () => {
  const { code, err } = await headless(["for (;;) {}"], ["--timeout", "3"]);
  assert.equal(code, 3);
  assert.match(err, /still running after 3 s/);
});
