// Test configuration of the page: tests of its state, which need no browser.
import { defineConfig } from "vitest/config";
import "../js/build/group-by.js";

/** They put something in the place of what a browser has: each has a process of its own. The others
 * leave nothing to each other, and one process runs all of them. */
const APART = ["gate", "notebook/store", "outputs/outputs", "outputs/plots", "outputs/sound", "outputs/table", "run/heap", "run/saved"].map((name) => `test/${name}.test.ts`);

export default defineConfig({
  test: {
    testTimeout: 20_000,
    projects: [
      { extends: true, test: { name: "apart", include: APART } },
      { extends: true, test: { name: "together", include: ["test/**/*.test.ts"], exclude: APART, isolate: false } },
    ],
  },
});
