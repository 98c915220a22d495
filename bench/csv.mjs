// The reader of tables under Node.js: ten million rows of one column, and three million of four,
// with their memory.
//
//   node --expose-gc bench/csv.mjs [FOLDER]
//
// FOLDER takes the tables as files, for other readers.

import { writeFileSync } from "node:fs";
import { data, init } from "../dist/npm/index.js";

const MIB = 2 ** 20;

/** Numbers of a linear congruential generator, the same everywhere. */
let state = 29;
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;

/** @param {string} header @param {number} rows @param {(row: number) => string} row */
function tableOf(header, rows, row) {
  const lines = [];
  const parts = [header];
  for (let n = 0; n < rows; n++) {
    lines.push(row(n));
    if (lines.length === 100_000) parts.push(lines.splice(0).join("\n"));
  }
  return `${parts.join("\n")}\n`;
}

const price = () => (random() * 2000 - 1000).toFixed(3);
const tables = {
  one: tableOf("x", 10_000_000, price),
  four: tableOf("id,u,x,name", 3_000_000, (n) => `${n},${random()},${price()},${["ab", "c", "def", "north"][Math.floor(4 * random())]}`),
};

await init({ device: "cpu" });
const [folder] = process.argv.slice(2);
for (const [name, written] of Object.entries(tables)) {
  if (folder !== undefined) writeFileSync(`${folder}/${name}.csv`, written);
  // As it comes from a file: in one piece.
  const text = Buffer.from(written).toString();
  /** Milliseconds, and bytes held beside the text. */
  const read = () => {
    globalThis.gc?.();
    const before = process.memoryUsage();
    const start = performance.now();
    const table = data.csv(text);
    const columns = table.names.map((column) => table.typed(column));
    const time = performance.now() - start;
    globalThis.gc?.();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return columns.length > 0 ? { time, held: heapUsed + arrayBuffers - before.heapUsed - before.arrayBuffers } : { time, held: 0 };
  };
  const { held, time } = read();
  const times = [time, ...Array.from({ length: 4 }, () => read().time)];
  times.sort((a, b) => a - b);
  console.log(`${name}: ${(text.length / MIB).toFixed(0)} MiB of text, ${times[2]?.toFixed(0)} ms (${times[0]?.toFixed(0)} to ${times[4]?.toFixed(0)}), ${(held / MIB).toFixed(0)} MiB held`);
}
