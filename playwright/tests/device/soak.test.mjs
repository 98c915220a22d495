// Memory of a long loop in the browser, which stays flat, and recovery of the library from errors
// there. The tests use the package as users import it, in a plain page. `WEFT_SOAK=20000` runs the
// loops for so many turns.

import assert from "node:assert/strict";
import { share } from "../../lib/rotation.mjs";
import { after, before, test } from "../../lib/test.mjs";
import { fileURLToPath } from "node:url";
import { launch } from "../../lib/browser.mjs";
import { serve } from "../../lib/server.mjs";

const TURNS = Number(process.env["WEFT_SOAK"] ?? 500);
const PACKAGE = fileURLToPath(new URL("../../../dist/npm/", import.meta.url));
const MIB = 2 ** 20;
/** Turns between two looks at what is held. */
const CHUNK = 500;

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {{ url: string, close(): Promise<void> }} */
let server;
before(async () => {
  browser = await launch();
  server = await serve(PACKAGE, {
    intercept(request, response) {
      if (request.url !== "/") return false;
      response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end("<!doctype html><title>a loop</title>");
      return true;
    },
  });
});
after(async () => {
  await browser.close();
  await server.close();
});

/** A page in which `weft` is the package with a device open. @param {"cpu" | "webgpu"} device */
async function open(device) {
  const page = await browser.newPage();
  await page.goto(server.url);
  await page.evaluate(async (chosen) => {
    const weft = await import(/** @type {string} */ ("/index.js"));
    await weft.init({ device: chosen });
    Object.assign(globalThis, { weft });
  }, device);
  const session = await page.context().newCDPSession(page);
  return { page, session };
}

/** Bytes that JavaScript holds once nothing that could be collected is left.
 * @param {import("playwright-core").CDPSession} session */
async function heap(session) {
  await session.send("HeapProfiler.enable");
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return usedSize;
}

const DEVICES = share(/** @type {("cpu" | "webgpu")[]} */ (["cpu", "webgpu"]), 2);
for (const device of DEVICES) {
  test(`${device}: a training loop that never reads carries a running loss and an average of the weights`, { timeout: 120_000 + TURNS * 100 }, async () => {
    const { page, session } = await open(device);
    await page.evaluate(() => {
      const { weft } = /** @type {any} */ (globalThis);
      const { nn, optim, random, valueAndGrad, zeros } = weft;
      random.seed(1);
      const first = new nn.Linear(64, 256);
      const model = new nn.Sequential(first, new nn.ReLU(), new nn.Linear(256, 10));
      const optimizer = optim.sgd(model, { lr: 0.01 });
      const [x, y] = [random.normal([8, 64]), random.randint([8], 0, 10)];
      const lossOf = valueAndGrad((/** @type {any} */ m) => nn.crossEntropy(m.forward(x), y));
      let [total, average] = [zeros([]), zeros(first.weight.shape)];
      const turn = () => {
        const [loss, gradients] = lossOf(model);
        optimizer.step(gradients);
        total = total.add(loss);
        average = average.mul(0.99).add(first.weight.mul(0.01));
      };
      /** Runs so many turns and says the most bytes that were held after one. */
      const run = async (/** @type {number} */ turns) => {
        let most = 0;
        for (let i = 0; i < turns; i++) {
          turn();
          // A page breathes now and then; finalizers run in between.
          if (i % 25 === 24) await new Promise((resolve) => setTimeout(resolve));
          most = Math.max(most, weft.stats().bytesLive);
        }
        return most;
      };
      const held = async () => {
        // Finalizers run some time after the collection; what they found is given back with the
        // next flush.
        await new Promise((resolve) => setTimeout(resolve, 100));
        await weft.tidy(() => zeros([]).add(1)).item();
        return { bytes: weft.stats().bytesLive, tensors: weft.memory().tensors };
      };
      Object.assign(globalThis, { run, held, last: () => Promise.all([total.item(), average.abs().sum().item()]) });
    });
    /** Runs so many turns, collects garbage, and says what is held then. @param {number} turns */
    const run = async (turns) => {
      const most = await page.evaluate((count) => /** @type {any} */ (globalThis).run(count), turns);
      const javascript = await heap(session);
      const held = await page.evaluate(() => /** @type {any} */ (globalThis).held());
      return { most, javascript, ...held };
    };
    const early = await run(200);
    let late = early;
    for (let left = TURNS; left > 0; left -= CHUNK) {
      late = await run(Math.min(left, CHUNK));
      const now = `${device}, ${TURNS - Math.max(0, left - CHUNK)} turns: ${JSON.stringify(late)}, after 200 ${JSON.stringify(early)}`;
      assert.ok(late.bytes <= early.bytes + MIB, now);
      assert.ok(late.tensors <= early.tensors + 20, now);
      assert.ok(late.javascript <= early.javascript + 2 * MIB, now);
      // A turn's weights take 67 kB: five hundred turns that gave back nothing before the collector
      // ran.
      assert.ok(late.most <= early.most + 32 * MIB, now);
    }
    console.log(`${device}, ${TURNS} turns: ${JSON.stringify(late)}, after 200 ${JSON.stringify(early)}`);
    const [loss, average] = await page.evaluate(() => /** @type {any} */ (globalThis).last());
    assert.ok(loss > 0 && average > 0, `${loss}, ${average}`);
    await page.close();
  });
}

for (const device of DEVICES) {
  test(`${device}: after what goes wrong the next operation works`, { timeout: 240_000 }, async () => {
    const { page } = await open(device);
    const outcomes = await page.evaluate(async (chosen) => {
      const { weft } = /** @type {any} */ (globalThis);
      const { tensor, ones, arange, grad, jit, tidy } = weft;
      /** @type {(x: any) => any} */
      const endless = (x) => endless(x.add(1));
      /** @type {unknown[]} */
      const circle = [];
      circle.push(circle);
      /** @type {Record<string, () => unknown>} */
      const wrongs = {
        recursion: () => endless(tensor([1])),
        "recursion in grad": () => grad((/** @type {any} */ x) => endless(x).sum())(tensor([1])),
        "recursion in jit": () => jit(endless)(tensor([1])),
        "recursion in tidy": () => tidy(() => endless(tensor([1]))),
        "recursion in scan": () => weft.scan((/** @type {any} */ x) => [endless(x), x], tensor(1), tensor([1, 2])),
        "an array in itself": () => tensor(circle),
        "an exception in grad": () => grad(() => JSON.parse("no"))(tensor([1])),
        "more than there is": () => arange(2 ** 30).cast("f32").add(1).data(),
      };
      if (chosen === "cpu") {
        // Each a quarter of a GiB and held until there is no more: WebAssembly has four.
        wrongs["all there is"] = async () => {
          const held = [];
          try {
            for (let i = 0; i < 40; i++) {
              held.push(arange(2 ** 26).mul(i));
              await weft.realize(held.at(-1));
            }
          } finally {
            held.forEach((each) => each.dispose());
          }
        };
      }
      const outcomes = [];
      for (const [name, wrong] of Object.entries(wrongs)) {
        let outcome = "nothing";
        try {
          await wrong();
        } catch (error) {
          outcome = error instanceof Error ? error.name : String(error);
        }
        outcomes.push([name, outcome, await ones([3]).add(1).sum().item().catch(String)]);
      }
      return outcomes;
    }, device);
    for (const [name, outcome, next] of outcomes) {
      const expected = name.startsWith("recursion") ? ["RangeError"] : name.startsWith("an exception") ? ["SyntaxError"] : name.startsWith("an array") ? ["ShapeError"] : ["OutOfMemoryError"];
      assert.ok(expected.includes(outcome), `${name}: ${outcome}`);
      assert.equal(next, 6, `after ${name}`);
    }
    await page.close();
  });
}
