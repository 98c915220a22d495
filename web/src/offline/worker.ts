// Service worker: the site without a network, after the first visit. It keeps the files that the
// build lists, all of one version. A new version waits until the reader asks for it or has closed
// every tab. Other tabs may then still show the old version: they find its files until they are
// gone.

declare const FILES: readonly string[];
declare const VERSION: string;

interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Extendable {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
const worker = self as unknown as {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void>; matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<readonly unknown[]> };
  skipWaiting(): Promise<void>;
  addEventListener(type: string, listener: (event: never) => void): void;
};

const NAME = `weft:${VERSION}`;
/** Data of notebooks, kept once a cell has read it. */
const DATA = "weft:data";
const NAMED_BY_CONTENT = /^assets\/.*-[\w-]{8,}\./;
const scope = new URL(worker.registration.scope);

worker.addEventListener("install", (event: Extendable) =>
  event.waitUntil(
    caches.open(NAME).then(async (cache) => {
      // What is named by its content is taken from the browser's cache, where the page has just put
      // it.
      await cache.addAll(FILES.map((file) => new Request(new URL(file, scope), { credentials: "omit", cache: NAMED_BY_CONTENT.test(file) ? "default" : "no-cache" })));
    }),
  ),
);

worker.addEventListener("activate", (event: Extendable) =>
  event.waitUntil(
    // One tab is the one that asked for this version, and is about to load it.
    dropOlder(1).then(() => worker.clients.claim()),
  ),
);

/** Drops what earlier versions kept, unless more tabs than `most` are open: they may still show an
 * earlier version. */
async function dropOlder(most: number): Promise<void> {
  const open = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (open.length > most) return;
  const older = (await caches.keys()).filter((name) => name.startsWith("weft:") && name !== NAME && name !== DATA);
  await Promise.all(older.map((name) => caches.delete(name)));
}

worker.addEventListener("message", ({ data }: MessageEvent<unknown>) => data === "weft-update" && void worker.skipWaiting());

worker.addEventListener("fetch", (event: Fetching) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.mode === "navigate") event.waitUntil(dropOlder(0));
  if (request.method !== "GET" || origin !== scope.origin || !pathname.startsWith(scope.pathname)) return;
  const file = pathname.slice(scope.pathname.length) || "./";
  if (file.startsWith("data/")) event.respondWith(dataOf(request));
  else if (FILES.includes(file === "index.html" ? "./" : file)) event.respondWith(kept(request, file === "index.html" ? "./" : file));
  else if (NAMED_BY_CONTENT.test(file)) event.respondWith(ofAnyVersion(request));
});

async function kept(request: Request, file: string): Promise<Response> {
  const found = await (await caches.open(NAME)).match(new URL(file, scope).href);
  return found ?? fetch(request);
}

/** A file that a tab of an earlier version asks for. */
const ofAnyVersion = async (request: Request): Promise<Response> => (await caches.match(request.url)) ?? fetch(request);

/** The network's answer, which may be newer; else what was kept. */
async function dataOf(request: Request): Promise<Response> {
  const cache = await caches.open(DATA);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const found = await cache.match(request);
    if (found) return found;
    throw error;
  }
}
