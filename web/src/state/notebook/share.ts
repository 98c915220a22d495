// Notebooks in links: the text, deflated, in base64url, behind `#nb=`; with outputs, as a Jupyter
// notebook behind `#ipynb=`. A fragment never reaches a server, and nothing of it runs by itself
// when somebody opens the link.

const PREFIX = "#nb=";
const WITH_OUTPUTS = "#ipynb=";
/** Text beyond this is refused: a small fragment can inflate to gigabytes. */
const LIMIT = 4_000_000;

export class BadLink extends Error {
  override readonly name = "BadLink";
}

/** Bytes that are unpacked at a time: what one piece becomes, a thousand times as much at most, is
 * made before anyone can say that it is enough. */
const PIECE = 4_096;

function inPieces(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, (at += PIECE)));
    },
  });
}

async function through(bytes: Uint8Array<ArrayBuffer>, transform: CompressionStream | DecompressionStream, limit: number) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = inPieces(bytes).pipeThrough(transform as TransformStream<Uint8Array, Uint8Array>).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) {
      await reader.cancel();
      throw new BadLink(`The linked notebook is larger than ${limit / 1e6} MB.`);
    }
    chunks.push(value);
  }
  const joined = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}

export const encodeShare = (markdown: string): Promise<string> => encode(PREFIX, markdown);
export const encodeWithOutputs = (ipynb: string): Promise<string> => encode(WITH_OUTPUTS, ipynb);

async function encode(prefix: string, text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const packed = await through(bytes, new CompressionStream("deflate-raw"), Infinity);
  let binary = "";
  for (let i = 0; i < packed.length; i += 0x8000) binary += String.fromCharCode(...packed.subarray(i, i + 0x8000));
  return prefix + btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

export const isShare = (fragment: string) => fragment.startsWith(PREFIX) || hasOutputs(fragment);
/** Whether what the link carries is a Jupyter notebook. */
export const hasOutputs = (fragment: string) => fragment.startsWith(WITH_OUTPUTS);

/** The text that a link carries. */
export async function decodeShare(fragment: string): Promise<string> {
  if (!isShare(fragment)) throw new BadLink("This link contains no notebook.");
  let packed: Uint8Array<ArrayBuffer>;
  try {
    const binary = atob(fragment.slice((hasOutputs(fragment) ? WITH_OUTPUTS : PREFIX).length).replace(/-/g, "+").replace(/_/g, "/"));
    packed = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    throw new BadLink("The notebook in this link cannot be read. The link seems to be cut off or changed.");
  }
  try {
    const bytes = await through(packed, new DecompressionStream("deflate-raw"), LIMIT);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof BadLink) throw error;
    throw new BadLink("The notebook in this link cannot be unpacked. The link seems to be cut off or changed.");
  }
}
