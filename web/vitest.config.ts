// Test configuration of the page: tests of its state, which need no browser.
import { defineConfig } from "vitest/config";
import "../js/build/group-by.js";

export default defineConfig({ test: { include: ["test/**/*.test.ts"], testTimeout: 20_000 } });
