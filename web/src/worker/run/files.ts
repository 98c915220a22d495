// File access for cells. A cell asks the page, which fetches the file from the notebook's own site;
// the worker itself reaches no network.

import type { FileReply } from "../../protocol/messages";
import { made } from "../channel/heap";
import { send } from "../channel/port";

/** A file that could not be read; `failure` says whether it is missing, not allowed, or could not be fetched. */
export class FileError extends Error {
  override readonly name: string = "FileError";
  constructor(
    message: string,
    readonly path: string,
    readonly failure: "not-found" | "forbidden" | "failed",
  ) {
    super(message);
  }
}

/** The site has no such file. */
export class FileNotFound extends FileError {
  override readonly name = "FileNotFound";
}

const waiting = new Map<number, (reply: FileReply) => void>();
let lastRequest = 0;

export function fileArrived(request: number, reply: FileReply): void {
  waiting.get(request)?.(reply);
  waiting.delete(request);
}

async function bytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof path !== "string") throw new TypeError(`file: a path must be a string, not ${typeof path}`);
  const request = ++lastRequest;
  const answer = new Promise<FileReply>((resolve) => waiting.set(request, resolve));
  send({ type: "file", request, path: path.slice(0, 1_000) });
  const reply = await answer;
  if (reply.ok) return made(reply.bytes);
  const Failure = reply.failure === "not-found" ? FileNotFound : FileError;
  throw new Failure(reply.message, path, reply.failure);
}

const text = async (path: string) => new TextDecoder().decode(await bytes(path));
const json = async (path: string): Promise<unknown> => JSON.parse(await text(path)) as unknown;

async function exists(path: string): Promise<boolean> {
  try {
    await bytes(path);
    return true;
  } catch (error) {
    if (error instanceof FileNotFound) return false;
    throw error;
  }
}

/** Reads a file of this site: `await file("data/mnist/train-labels-idx1-ubyte.gz")` gives its bytes. */
export const file = Object.assign(bytes, { text, json, exists });
