// The page's requests: the runner's parts, the notebooks, and the files that cells ask for, all
// from the page's own site.

import type { FileReply } from "../protocol/messages";
import { resolveFile } from "../state/notebook/files";
import { takeEarly } from "../first/requests";
import { Arriving } from "./arriving";
import type { RunnerParts } from "./frame";

/** The folder that holds the page: everything is relative to it, so that the site works under any
 * path. */
export const site = new URL(".", document.baseURI).href;

/** A file of the site, which the script in the page's head may have asked for already. */
async function fetchFile(path: string): Promise<Response> {
  const early = takeEarly(path);
  const answered = early && (await early);
  const url = new URL(path, site).href;
  const response = answered?.ok ? answered : await fetch(url, { credentials: "omit" });
  if (!response.ok) throw new Error(`${url}: the server answered ${response.status}`);
  return response;
}

/** Asks for both parts once `wanted` says so. */
export function fetchParts({ worker, wasm }: Readonly<Record<"worker" | "wasm", string>>, wanted: Promise<void>): RunnerParts {
  const [source, main] = [worker, wasm].map((path) => wanted.then(() => fetchFile(path)));
  return { source: source!.then((response) => response.text()), wasm: new Arriving(main!.then(({ body }) => body!)) };
}

/** A file of the site, as bytes that can be handed on. */
export const fetchBuffer = async (path: string): Promise<ArrayBuffer> => (await fetchFile(path)).arrayBuffer();

export const fetchText = async (path: string): Promise<string> => (await fetchFile(path)).text();

/** A picture of the site's own, as an address that the page may show: its policy allows no picture
 * by where it lies. */
export async function fetchPicture(path: string): Promise<string> {
  return URL.createObjectURL(new Blob([await fetchBuffer(path)], { type: "image/webp" }));
}

/** A file of the site for a cell. Servers that answer every path with a page of HTML are taken to
 * lack it. */
export async function readSiteFile(path: string): Promise<FileReply> {
  const request = resolveFile(path, site);
  if (!request.ok) return { ok: false, failure: request.missing ? "not-found" : "forbidden", message: request.message };
  try {
    const response = await fetch(request.url, { credentials: "omit" });
    const html = response.headers.get("content-type")?.startsWith("text/html") && !/\.html?$/.test(path);
    if (response.status === 404 || response.status === 410 || (response.ok && html))
      return { ok: false, failure: "not-found", message: `file("${path}"): the site has no such file` };
    if (!response.ok) return { ok: false, failure: "failed", message: `file("${path}"): the server answered ${response.status}` };
    return { ok: true, bytes: new Uint8Array(await response.arrayBuffer()) };
  } catch (error) {
    return { ok: false, failure: "failed", message: `file("${path}"): ${error instanceof Error ? error.message : "could not be fetched"}` };
  }
}
