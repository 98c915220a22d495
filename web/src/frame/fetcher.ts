// The frame that fetches from other hosts for the page. Its policy, which the browser enforces on
// redirects too, names the hosts that the reader has allowed: the page's own policy allows none.
// No code but this runs here. It sends no credentials and no referrer, and only ever GETs.

import type { FetcherReply, FetcherRequest, FetcherStart } from "../protocol/fetcher";

let elsewhere = false;
document.addEventListener("securitypolicyviolation", () => (elsewhere = true));

function begin({ source, origin, data, ports: [port] }: MessageEvent<FetcherStart | null>): void {
  if (source !== parent || origin !== location.origin || data?.type !== "weft-fetcher" || !port) return;
  removeEventListener("message", begin);
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = `connect-src ${data.origins.join(" ")}`;
  document.head.append(policy);
  port.onmessage = ({ data: request, ports: [answer] }: MessageEvent<FetcherRequest>) => void answerTo(request, answer!);
}

async function answerTo(request: FetcherRequest, answer: MessagePort): Promise<void> {
  const reply = await get(request);
  answer.postMessage(reply, reply.ok ? [reply.bytes.buffer] : []);
  answer.close();
}

async function get({ url, most, time, silence }: FetcherRequest): Promise<FetcherReply> {
  const failed = (failure: Exclude<FetcherReply, { ok: true }>["failure"], status = 0): FetcherReply => ({ ok: false, failure, status });
  const abort = new AbortController();
  const whole = setTimeout(() => abort.abort(), time);
  let still = setTimeout(() => abort.abort(), silence);
  elsewhere = false;
  try {
    const response = await fetch(url, { credentials: "omit", referrerPolicy: "no-referrer", redirect: "follow", mode: "cors", signal: abort.signal });
    if (!response.ok) return failed("status", response.status);
    if (Number(response.headers.get("content-length") ?? 0) > most) return (abort.abort(), failed("large"));
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let size = 0;
    for (const reader = response.body?.getReader(); reader; ) {
      const { done, value } = await reader.read();
      if (done) break;
      clearTimeout(still);
      still = setTimeout(() => abort.abort(), silence);
      size += value.length;
      // What is packed on the way has fewer bytes there than it has here.
      if (size > most) return (abort.abort(), failed("large"));
      parts.push(value);
    }
    const bytes = new Uint8Array(size);
    let at = 0;
    for (const part of parts) (bytes.set(part, at), (at += part.length));
    return { ok: true, bytes, type: response.headers.get("content-type") };
  } catch {
    // The browser reports a violated policy in a task of its own.
    await new Promise((resolve) => setTimeout(resolve, 20));
    return failed(abort.signal.aborted ? "slow" : elsewhere ? "elsewhere" : "unreachable");
  } finally {
    clearTimeout(whole);
    clearTimeout(still);
  }
}

if (parent !== self) {
  addEventListener("message", begin);
  parent.postMessage({ type: "weft-fetcher-ready" }, location.origin);
}
