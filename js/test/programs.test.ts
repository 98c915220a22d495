// Do transforms, loops and branches, in each other as programs nest them, give what JAX gives, called from JavaScript? The committed cases of
// `tests/conformance`, on the CPU device. None may leave a tensor behind.

import { expect, it } from "vitest";
import { cases, check } from "./cases.js";
import { onCpu } from "./cpu.js";
import { left, run, type Program } from "./program.js";

onCpu();

it.each(["transforms", "nesting", "programs", "linalg", "fft"])("%s", async (group) => {
  for (const program of cases<Program>(group)) {
    const results = run(program);
    expect([program.name, results.length]).toEqual([program.name, program.expected.length]);
    for (const [n, expected] of program.expected.entries()) {
      const largest = Math.max(1e-3, ...expected.data.map((x) => Math.abs(Number(x))));
      const slack = expected.dtype === "f32" ? program.tolerance : 0;
      await check(`${program.name}, result ${n}`, results[n]!, expected, { abs: slack * largest, rel: slack });
    }
    expect([program.name, left(program)]).toEqual([program.name, 0]);
  }
}, 120_000);
