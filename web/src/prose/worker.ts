// Where is Markdown read? Here, in a worker of the page's own: a text that takes too long is given up by ending it, and
// the page never waits.

import { formatProse } from "../state/prose";
import type { ProseReply, ProseRequest } from "../host/prose";

const tell = (reply: ProseReply) => postMessage(reply);

addEventListener("message", ({ data: { id, source } }: MessageEvent<ProseRequest>) => {
  try {
    tell({ id, prose: formatProse(source) });
  } catch {
    // Nested so deeply that its reader, which calls itself, gives up.
    tell({ id, prose: null });
  }
});
tell({ id: 0, prose: null });
