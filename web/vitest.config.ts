// Test configuration of the page: tests of its state, which need no browser.
import { defineConfig } from "vitest/config";

export default defineConfig({ test: { include: ["test/**/*.test.ts"] } });
