// File access for cells. A cell asks the page, which has the notebook's own files, and fetches
// those of its site and of hosts that the reader allowed; the worker itself reaches no network.

import type { FileReply } from "../../protocol/messages";
import { made } from "../channel/heap";
import { send } from "../channel/port";
import { Requests } from "../channel/requests";

/** A file that could not be read; `failure` says whether it is missing, not allowed, or could not
 * be fetched. */
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

/** There is no such file. */
export class FileNotFound extends FileError {
  override readonly name = "FileNotFound";
}

const asked = new Requests<FileReply>();
export const fileArrived = (request: number, reply: FileReply) => asked.answered(request, reply);

/** Characters of a path or an address. */
const LONGEST = 4_000;

async function bytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof path !== "string") throw new TypeError(`file: a path must be a string, not ${typeof path}`);
  if (path.length > LONGEST) throw new RangeError(`file: a path has at most ${LONGEST.toLocaleString("en")} characters, not ${path.length.toLocaleString("en")}`);
  const reply = await asked.ask((request) => send({ type: "file", request, path }));
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

/**
 * Reads a file: one of the notebook's own, by its name, such as `await file("iris.csv")`; one of
 * this site, `"data/digits/…"`; or, after `await allow("huggingface.co")`, one of another host, by
 * its address. Gives its bytes.
 *
 * @example
 * const names = (await file.exists("names.txt")) ? await file.text("names.txt") : "no file yet";
 * names
 */
export const file = Object.assign(bytes, { text, json, exists });
