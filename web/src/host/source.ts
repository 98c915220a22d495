// Fetching of notebooks from the web: without credentials, without following where a host leads on,
// bounded in bytes and in time, and only after the reader agreed to the host, unless it is known.

import { BadNotebook } from "../state/formats/bad-notebook";
import { TooLarge } from "../state/limits";
import { BadSource, isTextType, sourceOf } from "../state/notebook/source";
import { h } from "../view/ui/dom";
import { openDialog } from "../view/ui/menu";
import { site } from "./fetch";

const MOST = 16_000_000;
const PATIENCE = 20_000;

export interface Fetched {
  readonly url: string;
  /** The last part of its path, which may say what it is. */
  readonly name: string;
  readonly text: string;
}

/** Throws where the address is none, the reader refuses, or what comes is no text. */
export async function fetchNotebook(address: string): Promise<Fetched> {
  const { url, host, known } = sourceOf(address, site);
  if (!known && !(await agrees(url, host))) throw new BadSource(`You did not allow ${host}.`);
  const signal = AbortSignal.timeout(PATIENCE);
  try {
    const response = await fetch(url, { credentials: "omit", redirect: "error", referrerPolicy: "no-referrer", signal });
    if (!response.ok) throw new BadSource(`${host} answered ${response.status}.`);
    const type = response.headers.get("content-type");
    if (!isTextType(type)) throw new BadSource(`${host} sent ${(type ?? "").slice(0, 80)}, which is not a notebook's text.`);
    const bytes = await readBounded(response, host);
    return { url, name: /\.(md|markdown|ipynb|html?|[cm]?js)$/i.exec(new URL(url).pathname)?.[0] ?? "", text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch (error) {
    if (error instanceof BadSource || error instanceof TooLarge || error instanceof BadNotebook) throw error;
    if (signal.aborted) throw new BadSource(`${host} took longer than ${PATIENCE / 1_000} seconds.`);
    // A fetch does not say which of these it was.
    if (error instanceof TypeError && !/utf-8|encod/i.test(error.message)) throw new BadSource(`${host} could not be reached, leads on to another address, or does not let other sites read this file.`);
    throw new BadSource(`What ${host} sent is not text in UTF-8.`);
  }
}

async function readBounded(response: Response, host: string): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => new TooLarge(`${host} sent more than ${MOST / 1e6} MB, the most that a notebook from the web can have.`);
  if (Number(response.headers.get("content-length") ?? 0) > MOST) {
    void response.body?.cancel();
    throw tooLarge();
  }
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as unknown as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    size += chunk.length;
    // Leaving the loop cancels what is still on its way.
    if (size > MOST) throw tooLarge();
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

async function agrees(url: string, host: string): Promise<boolean> {
  const answer = await openDialog(
    `Open a notebook from ${host}?`,
    [h("p", {}, "This link asks Weft to fetch a notebook from ", h("b", {}, host), ". That host learns your network address and that you opened it. No cookies and no password are sent, and nothing runs until you run it."), h("p", { class: "address" }, url.length > 300 ? `${url.slice(0, 300)}…` : url)],
    [{ label: "Fetch it", value: "fetch", primary: true }, { label: "Do not", value: "" }],
  );
  return answer === "fetch";
}
