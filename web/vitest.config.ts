// Which tests are the page's? Those of its state, which need no browser.
import { defineConfig } from "vitest/config";

export default defineConfig({ test: { include: ["test/**/*.test.ts"] } });
