// Times of loops of plain numbers in a cell, with operators on tensors and without:
//
//   cargo xtask build && node playwright/speed.mjs

import { Playground, runCell } from "./lib/playground.mjs";

const LOOPS = {
  "top of a cell": "let s = 0; for (let i = 0; i < 1e7; i++) s += i;",
  "in a function": "const f = () => { let s = 0; for (let i = 0; i < 1e7; i++) s += i; return s }; f();",
  "of parameters": "const f = (n, x) => { let s = 0; for (let i = 0; i < n; i++) s += x; return s }; f(1e7, 0.5);",
  "of elements": "const f = (n, a) => { let s = 0; for (let i = 0; i < n; i++) s += a[i & 1023] * 2 + 1; return s }; f(1e7, new Float32Array(1024));",
};
const TIMES = 5;

const playground = await Playground.start();
for (const [name, loop] of Object.entries(LOOPS)) {
  const least = { on: Infinity, off: Infinity };
  for (let n = 0; n < TIMES; n++) {
    for (const operators of /** @type {const} */ (["on", "off"])) {
      const cell = `{ const began = performance.now();\n${loop.replace("let s = 0; for", "globalThis.s = 0; for")}\nprint("took", performance.now() - began) }`;
      const page = await playground.open(`${operators === "off" ? "<!-- operators: off -->\n\n" : ""}# Test\n\n\`\`\`js\n${name === "top of a cell" ? cell : cell.replace("globalThis.s = 0", "let s = 0")}\n\`\`\`\n`, { quiet: false });
      await runCell(page, 1);
      const text = await page.locator(".outputs").first().innerText();
      least[operators] = Math.min(least[operators], Number(/took ([\d.]+)/.exec(text)?.[1]));
      await page.context().close();
    }
  }
  console.log(`${name}: ${least.off.toFixed(1)} ms without, ${least.on.toFixed(1)} ms with: ${(least.on / least.off).toFixed(2)} times`);
}
await playground.stop();
