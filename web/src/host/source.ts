// Fetching of notebooks from the web, by a frame whose policy names their host: without
// credentials, bounded in bytes and in time, and only after the reader agreed to the host, unless
// it is known.

import { TooLarge } from "../state/limits";
import { BadSource, isTextType, sourceOf } from "../state/notebook/source";
import { h } from "../view/ui/dom";
import { askReader } from "../view/grants/consent";
import { site } from "./fetch";
import { FetchFrame } from "./grants/remote";

const MOST = 16_000_000;
const PATIENCE = 20_000;

export interface Fetched {
  readonly url: string;
  /** The last part of its path, which may say what it is. */
  readonly name: string;
  readonly text: string;
}

/** Throws where the address is none, the reader refuses or must not be asked, or what comes is no
 * text. */
export async function fetchNotebook(address: string, mayAsk: boolean): Promise<Fetched> {
  const { url, host, known } = sourceOf(address, site);
  if (!known && !mayAsk) throw new BadSource(`${host} is contacted only after you agree, and nothing is asked within another page. Open it in Weft.`);
  if (!known && !(await agrees(url, host))) throw new BadSource(`You did not allow ${host}.`);
  const frame = new FetchFrame([new URL(url).origin]);
  try {
    const reply = await frame.get({ url, most: MOST, time: PATIENCE, silence: PATIENCE });
    if (!reply.ok) throw reply.failure === "large" ? new TooLarge(`${host} sent more than ${MOST / 1e6} MB, the most that a notebook from the web can have.`) : new BadSource(reply.failure === "status" ? `${host} answered ${reply.status}.` : FAILURES[reply.failure](host));
    if (!isTextType(reply.type)) throw new BadSource(`${host} sent ${(reply.type ?? "").slice(0, 80)}, which is not a notebook's text.`);
    return { url, name: /\.(md|markdown|ipynb|html?|[cm]?js)$/i.exec(new URL(url).pathname)?.[0] ?? "", text: decode(reply.bytes, host) };
  } finally {
    frame.remove();
  }
}

const FAILURES = {
  slow: (host: string) => `${host} took longer than ${PATIENCE / 1_000} seconds.`,
  elsewhere: (host: string) => `${host} redirects to another host. Use the address that it redirects to.`,
  unreachable: (host: string) => `${host} could not be reached, or does not let other sites read this file.`,
} as const;

function decode(bytes: Uint8Array<ArrayBuffer>, host: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new BadSource(`What ${host} sent is not text in UTF-8.`);
  }
}

async function agrees(url: string, host: string): Promise<boolean> {
  const answer = await askReader(
    `Open a notebook from ${host}?`,
    [h("p", {}, "This link asks Weft to fetch a notebook from ", h("b", {}, host), ". That host learns your network address and that you opened it. No cookies and no password are sent, and nothing runs until you run it."), h("p", { class: "address" }, url.length > 300 ? `${url.slice(0, 300)}…` : url)],
    [{ label: "Fetch it", value: "fetch" }],
    "Do not",
  );
  return answer === "fetch";
}
