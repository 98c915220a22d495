// The first moment of a question: no key and no click answers it that was meant for something else.
// A busy machine looks too late, so the page itself notes how it stood there.

import assert from "node:assert/strict";

/** What runs in a page before the question comes. */
export function noteQuestion() {
  new MutationObserver(() => {
    const dialog = document.querySelector("dialog[open]");
    if (!dialog || "asked" in window) return;
    Object.assign(window, { asked: { focused: document.activeElement === dialog, taken: [...dialog.querySelectorAll("button")].filter(({ disabled }) => !disabled).length } });
  }).observe(document, { childList: true, subtree: true });
}

/** @param {import("playwright-core").Page} page */
export async function assertTookNothing(page) {
  assert.deepEqual(await page.evaluate(() => /** @type {any} */ (window).asked), { focused: true, taken: 0 });
}
