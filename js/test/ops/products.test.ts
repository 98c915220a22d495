// Matrix products on the CPU device, which multiplies by vectors: every sum is the plain loop's to
// the last bit, at every edge of its tiles.

import { expect, it } from "vitest";
import { random, type Tensor } from "../../src/index.js";
import { onCpu } from "../support/cpu.js";

/** What is summed in f32 before it goes into a wider total (`crate/ir/src/interpret/contract.rs`),
 * by blocks of terms that are added up then. */
const PANEL = 256;
const BLOCK = 32;

onCpu();

/** Row-major left [rows, depth] times right [depth, columns]. */
function plain(left: Float32Array, right: Float32Array, rows: number, depth: number, columns: number): Float32Array {
  const out = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      let total = 0;
      for (let panel = 0; panel < depth; panel += PANEL) {
        const end = Math.min(depth, panel + PANEL);
        let sum = 0;
        for (let from = panel; from < end; from += BLOCK) {
          let block = 0;
          for (let k = from; k < Math.min(end, from + BLOCK); k++) block = Math.fround(block + Math.fround(left[row * depth + k]! * right[k * columns + column]!));
          sum = Math.fround(sum + block);
        }
        total += sum;
      }
      out[row * columns + column] = total;
    }
  }
  return out;
}

const floats = async (x: Tensor): Promise<Float32Array> => (await x.data()) as Float32Array;

it("sums in the order of the plain loop for every shape of the tiles' edges", async () => {
  random.seed(3);
  const shapes = [[1, 1, 1], [4, 5, 8], [5, 256, 9], [3, 257, 7], [8, 600, 16], [13, 31, 17], [2, 1000, 3], [9, 512, 25]];
  for (const [rows, depth, columns] of shapes as [number, number, number][]) {
    const [left, right] = [random.normal([rows, depth]), random.normal([depth, columns])];
    const want = plain(await floats(left), await floats(right), rows, depth, columns);
    const label = `${rows} × ${depth} × ${columns}`;
    expect(await floats(left.matmul(right)), label).toEqual(want);
    // Of the transposes: the same terms in the same order, and operands that lie the other way.
    const turned = right.transpose().matmul(left.transpose()).transpose();
    expect(await floats(turned), `${label} transposed`).toEqual(want);
  }
});
