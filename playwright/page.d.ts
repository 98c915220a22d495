// Types of the page's hook for tests and tools, which web/src/hook.ts describes.
import type { Hook, HookEvent } from "../web/src/hook";

declare global {
  interface Window {
    readonly weft: Hook;
  }
  /** Put there by headless.mjs. */
  function weftHeadless(event: HookEvent): void;
}
