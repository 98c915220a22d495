// Registration of the service worker, behind everything that a first visit needs, and the way to a
// new version.

import { scriptAddress } from "./trusted";

const FILE = "sw.js";

/** Has the site kept for times without a network; `updated` hears of a new version, and how to
 * change to it. */
export async function keepSite(updated: (change: () => void) => void): Promise<void> {
  const { serviceWorker } = navigator;
  // Where the page is not served securely there is none.
  if (!serviceWorker) return;
  let controlled = serviceWorker.controller !== null;
  let asked = false;
  // Another tab has changed to a new version.
  serviceWorker.addEventListener("controllerchange", () => {
    if (asked) location.reload();
    else if (controlled) updated(() => location.reload());
    controlled = true;
  });
  const registration = await serviceWorker.register(scriptAddress(FILE));
  const tell = (worker: ServiceWorker) =>
    updated(() => {
      asked = true;
      worker.postMessage("weft-update");
    });
  if (registration.waiting && serviceWorker.controller) tell(registration.waiting);
  registration.addEventListener("updatefound", () => {
    const worker = registration.installing;
    worker?.addEventListener("statechange", () => worker.state === "installed" && serviceWorker.controller && tell(worker));
  });
}

/** Whether the site comes from what was kept because no network answers. */
export async function isOffline(address: string): Promise<boolean> {
  if (!navigator.serviceWorker?.controller) return false;
  return fetch(address, { method: "HEAD", cache: "no-store", credentials: "omit" }).then(() => false, () => true);
}
