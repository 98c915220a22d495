// The page's requests: the runner's parts, the notebooks, and the files that cells ask for, all
// from the page's own site.

import type { FileReply } from "../protocol/messages";
import { resolveFile } from "../state/notebook/files";
import { takeEarly } from "../first/requests";
import type { RunnerParts } from "./frame";

/** The folder that holds the page: everything is relative to it, so that the site works under any
 * path. */
export const site = new URL(".", document.baseURI).href;

async function fetchBytes(url: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(url, { credentials: "omit" });
  if (!response.ok) throw new Error(`${url}: the server answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Asks for both parts once `wanted` says so. */
export function fetchParts({ worker, wasm }: Readonly<Record<"worker" | "wasm", string>>, wanted: Promise<void>): RunnerParts {
  const [source, main] = [worker, wasm].map((name) => wanted.then(() => fetchBytes(site + name)));
  return { source: source!.then((bytes) => new TextDecoder().decode(bytes)), wasm: main!.then(({ buffer }) => buffer) };
}

/** A file of the site, as bytes that can be handed on. */
export const fetchBuffer = async (path: string): Promise<ArrayBuffer> => (await fetchBytes(new URL(path, site).href)).buffer;

export async function fetchText(path: string): Promise<string> {
  const early = takeEarly(path);
  const response = early && (await early);
  return response?.ok ? response.text() : new TextDecoder().decode(await fetchBytes(new URL(path, site).href));
}

/** A picture of the site's own, as an address that the page may show: its policy allows no picture
 * by where it lies. */
export async function fetchPicture(path: string): Promise<string> {
  return URL.createObjectURL(new Blob([await fetchBytes(new URL(path, site).href)], { type: "image/webp" }));
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
