// Test configuration of the package.

import { defineConfig } from "vitest/config";
import { constructors } from "./build/constructors.js";
import "./build/group-by.js";

/** They compile large kernels, or loop for long: a landing runs them, `cargo xtask test --quick`
 * does not. */
const LONG = ["carry", "collected", "export", "gpu", "hardware", "letters", "rest", "temporaries", "transfers", "tune"].map((name) => `test/**/${name}.test.ts`);

export default defineConfig({
  plugins: [constructors()],
  test: {
    include: ["test/**/*.test.ts"],
    exclude: process.env["WEFT_TIER"] === "quick" ? LONG : [],
    // Tests look at garbage collection.
    execArgv: ["--expose-gc"],
    // For a test that hangs: beside other parts of a test run, on a GPU that is software, some take
    // more than a minute.
    testTimeout: 180_000,
  },
});
