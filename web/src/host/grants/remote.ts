// Requests to hosts that the reader has allowed, by way of a frame whose policy names them. Another
// set of hosts has another frame; one that allows more than the reader does now is removed, and
// with it what it is fetching. A link that names a notebook on the web has a frame of its own
// (`host/source.ts`).

import runner from "virtual:runner";
import type { FetcherReply, FetcherRequest, FetcherStart } from "../../protocol/fetcher";
import type { FileReply } from "../../protocol/messages";
import { parseHost } from "../../state/grants/hosts";
import { site } from "../fetch";

/** Of one file, and of all that a notebook fetches. */
const MOST_EACH = 512_000_000;
const MOST_TOGETHER = 2_000_000_000;
const TIME = 600_000;
const SILENCE = 30_000;
/** Milliseconds in which the frame must be there. */
const START = 10_000;

const UNREACHABLE = "the host did not answer, has no such file, or does not let other sites read it (CORS)";
const FAILURES: Readonly<Record<Exclude<FetcherReply, { ok: true }>["failure"], string>> = {
  status: "the host answered",
  large: `it is larger than ${MOST_EACH / 1e6} MB`,
  slow: "it took too long",
  elsewhere: "the host redirects to another host, which was not allowed. Ask for that one too",
  unreachable: UNREACHABLE,
};

export class FetchFrame {
  private readonly element = document.createElement("iframe");
  private readonly port: Promise<MessagePort>;
  private readonly waiting = new Set<(reply: FetcherReply) => void>();

  constructor(origins: readonly string[]) {
    const { element } = this;
    element.title = "Fetches files from allowed hosts";
    element.className = "runner";
    element.setAttribute("aria-hidden", "true");
    element.tabIndex = -1;
    element.referrerPolicy = "no-referrer";
    element.src = site + runner.fetcher;
    this.port = new Promise((resolve, reject) => {
      const ready = ({ source, data }: MessageEvent<{ type?: string } | null>) => {
        if (source !== element.contentWindow || data?.type !== "weft-fetcher-ready") return;
        removeEventListener("message", ready);
        const { port1, port2 } = new MessageChannel();
        element.contentWindow!.postMessage({ type: "weft-fetcher", origins } satisfies FetcherStart, new URL(site).origin, [port2]);
        resolve(port1);
      };
      addEventListener("message", ready);
      setTimeout(() => (removeEventListener("message", ready), reject(new Error("the frame that fetches did not start"))), START);
    });
    this.port.catch(() => undefined);
    document.body.append(element);
  }

  async get(request: FetcherRequest): Promise<FetcherReply> {
    const port = await this.port;
    const { port1, port2 } = new MessageChannel();
    return new Promise((resolve) => {
      this.waiting.add(resolve);
      port1.onmessage = ({ data }: MessageEvent<FetcherReply>) => {
        this.waiting.delete(resolve);
        port1.close();
        resolve(data);
      };
      port.postMessage(request, [port2]);
    });
  }

  remove(): void {
    this.element.remove();
    for (const resolve of this.waiting) resolve({ ok: false, failure: "unreachable", status: 0 });
    this.waiting.clear();
  }
}

export class Remote {
  private frames: { readonly hosts: string; readonly frame: FetchFrame }[] = [];
  private left = MOST_TOGETHER;

  /** Fetches an address of an allowed host. */
  async get(address: string, href: string, hosts: readonly string[]): Promise<FileReply> {
    const failed = (why: string): FileReply => ({ ok: false, failure: "failed", message: `file(${JSON.stringify(address.slice(0, 200))}): ${why}` });
    if (this.left <= 0) return failed(`this notebook has fetched ${MOST_TOGETHER / 1e9} GB. Restart it to fetch more`);
    try {
      const reply = await this.frameFor(hosts).get({ url: href, most: Math.min(MOST_EACH, this.left), time: TIME, silence: SILENCE });
      if (!reply.ok) {
        const failure = reply.status === 404 || reply.status === 410 ? "not-found" : "failed";
        return { ...failed(reply.failure === "status" ? `${FAILURES.status} ${reply.status}` : FAILURES[reply.failure]), failure } as FileReply;
      }
      this.left -= reply.bytes.length;
      return { ok: true, bytes: reply.bytes };
    } catch (error) {
      return failed(error instanceof Error ? error.message : UNREACHABLE);
    }
  }

  /** Ends what is being fetched. */
  end(): void {
    for (const { frame } of this.frames) frame.remove();
    this.frames = [];
    this.left = MOST_TOGETHER;
  }

  /** Where more was allowed meanwhile, what an older frame fetches it may fetch to its end. */
  private frameFor(hosts: readonly string[]): FetchFrame {
    const wanted = hosts.join(" ");
    let known = this.frames.find((each) => each.hosts === wanted);
    if (!known) {
      const origins = hosts.flatMap((host) => {
        const parsed = parseHost(host, location.href);
        return parsed.ok ? [parsed.origin] : [];
      });
      known = { hosts: wanted, frame: new FetchFrame(origins) };
      this.frames.push(known);
    }
    return known.frame;
  }
}
