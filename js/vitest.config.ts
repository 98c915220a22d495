// Test configuration of the package.

import { defineConfig } from "vitest/config";
import { constructors } from "./build/constructors.js";

// Vitest reports failures with this, and Node 20 has it not.
Map.groupBy ??= function <K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
};

/** They compile large kernels, or loop for long: a landing runs them, `cargo xtask test --quick` does not. */
const LONG = ["carry", "collected", "export", "gpu", "hardware", "letters", "rest", "temporaries", "transfers", "tune"].map((name) => `test/**/${name}.test.ts`);

export default defineConfig({
  plugins: [constructors()],
  test: {
    include: ["test/**/*.test.ts"],
    exclude: process.env["WEFT_TIER"] === "quick" ? LONG : [],
    // Tests look at garbage collection.
    execArgv: ["--expose-gc"],
    // For a test that hangs: beside other parts of a test run, on a GPU that is software, some take more than a minute.
    testTimeout: 180_000,
  },
});
