// Test configuration of the package.

import { defineConfig } from "vitest/config";
import { constructors } from "./build/constructors.js";
import "./build/group-by.js";

const files = (names: readonly string[]) => names.map((name) => `test/**/${name}.test.ts`);

/** They compile large kernels, or loop for long: a landing runs them, `cargo xtask test --quick`
 * does not. */
const LONG = files(["carry", "collected", "export", "gpu", "hardware", "letters", "rest", "temporaries", "tiers", "transfers", "tune"]);
/** They compare values and messages on the CPU device, and look at nothing that another file
 * leaves: one process runs all of them, which starts the core once and not for each. */
const TOGETHER = files([
  ...["algorithms", "build", "comparison", "complex", "conformance", "control", "corpus", "data", "derivatives"],
  ...["draws", "edges", "ensembles", "everyday", "examples", "files", "forms", "fuzz", "groups", "halves", "images"],
  ...["kernel", "language", "layers", "losses", "matrices", "minified", "mistakes", "modes", "names", "network"],
  ...["numbers", "odd", "ops", "options", "packed", "picks", "places", "products", "programs", "properties"],
  ...["random", "reports", "segments", "tensor", "trees"],
]);

const skipped = process.env["WEFT_TIER"] === "quick" ? LONG : [];

export default defineConfig({
  plugins: [constructors()],
  test: {
    // Tests look at garbage collection.
    execArgv: ["--expose-gc"],
    // For a test that hangs: beside other parts of a test run, on a GPU that is software, some take
    // more than a minute.
    testTimeout: 180_000,
    projects: [
      { extends: true, test: { name: "apart", include: ["test/**/*.test.ts"], exclude: [...TOGETHER, ...skipped] } },
      { extends: true, test: { name: "together", include: TOGETHER, exclude: skipped, isolate: false } },
    ],
  },
});
