// What do tests and tools find on the page? The hook that web/src/hook.ts describes.
import type { Hook, HookEvent } from "../web/src/hook";

declare global {
  interface Window {
    readonly weft: Hook;
  }
  /** Put there by headless.mjs. */
  function weftHeadless(event: HookEvent): void;
}
