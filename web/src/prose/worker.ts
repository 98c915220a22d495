// The worker that reads Markdown, one of the page's own. The page ends it where a text takes too
// long, and never waits for it.

import { formatProse, mayHoldMaths } from "../state/prose/prose";
import type { ReadMaths } from "../state/prose/prose";
import type { ProseReply, ProseRequest } from "../host/prose";

const tell = (reply: ProseReply) => postMessage(reply);

let maths: ReadMaths | null = null;

addEventListener("message", async ({ data: { id, source } }: MessageEvent<ProseRequest>) => {
  if (!maths && mayHoldMaths(source)) {
    // That takes as long as the network does, which is not the text's fault.
    tell({ id, prose: null, fetching: true });
    // Where it does not come, formulas stay as they are written; the next text tries again.
    maths = await import("./maths").then(({ readMaths }) => readMaths, () => null);
    tell({ id, prose: null, fetching: false });
  }
  try {
    tell({ id, prose: formatProse(source, maths) });
  } catch {
    // Nested so deeply that its reader, which calls itself, gives up.
    tell({ id, prose: null });
  }
});
tell({ id: 0, prose: null });
