// Random kernels: the words of each, in the reference interpreter, and JavaScript with the rounding
// of each operation written out agree exactly.

import { describe, expect, it } from "vitest";
import { onCpu } from "../support/cpu.js";
import { Chance } from "../support/properties.js";
import { compare } from "../support/kernel/compare.js";
import { Programs } from "../support/kernel/programs.js";

// The generator of chances looks for tensors that were left.
onCpu();

/** How many; WEFT_FUZZ=10 tries ten times as many. */
const PROGRAMS = 300 * Number(process.env["WEFT_FUZZ"] ?? 1);

describe("random kernels", () => {
  it("agree with JavaScript", () => {
    const chance = new Chance("kernels");
    const programs = new Programs(chance);
    const x = { shape: [3, 4], data: Array.from({ length: 12 }, (_, n) => (n * 7 % 12) - 5.5) };
    let lines = 0;
    for (let n = 0; n < PROGRAMS; n++) {
      const { kernel, reference } = programs.program();
      lines += kernel.split("\n").length;
      compare(kernel, { args: [x], dtype: "f32", tolerance: 0, outputs: { hist: { shape: [8], dtype: "i32" } }, reference, edge: "wrap", with: { one: 1 } });
    }
    expect(lines / PROGRAMS).toBeGreaterThan(10);
  });
});
