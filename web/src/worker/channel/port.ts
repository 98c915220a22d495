// The worker's port to the page, the only one that it receives when it starts.

import type { ErrorReport, PageMessage, WorkerMessage } from "../../protocol/messages";
import { parseStack } from "../../state/code/errors";
import { explained } from "../../state/code/explained";
import { lineOf } from "./codes";

let port: MessagePort | null = null;

export function openPort(opened: MessagePort, receive: (message: PageMessage) => void): void {
  port = opened;
  port.onmessage = (event: MessageEvent<PageMessage>) => receive(event.data);
}

export function send(message: WorkerMessage, transfer: Transferable[] = []): void {
  port?.postMessage(message, transfer);
}

const clip = (text: string, length: number) => (text.length <= length ? text : text.slice(0, length - 1) + "…");

/** Why the library's core failed, where an error comes of that; the library reports it as a lost
 * device. */
export const coreFailure = (error: Error): Error | null => (error.name === "DeviceLostError" && error.cause instanceof Error ? error.cause : null);

/** An error as the page takes it; anything may have been thrown. */
export function reportError(thrown: unknown): ErrorReport {
  return quietly(() => (thrown instanceof Error ? reportThrown(thrown) : undefined)) ?? reportValue(thrown);
}

/** Something other than an error, or an error of which nothing can be read. */
function reportValue(thrown: unknown): ErrorReport {
  const message = quietly(() => (typeof thrown === "object" ? JSON.stringify(thrown) : String(thrown))) ?? "thrown value";
  return { name: "Thrown", message: clip(message, 2_000), frames: [], members: undefined, hint: undefined };
}

function reportThrown(thrown: Error): ErrorReport {
  const { cause } = thrown;
  const message = quietly(() => String(thrown.message)) ?? "";
  const because = quietly(() => (cause instanceof Error ? `\ncaused by ${cause.name}: ${cause.message}` : "")) ?? "";
  const frames = quietly(() => parseStack(String(thrown.stack ?? ""))) ?? [];
  const line = frames[0] === undefined ? "" : lineOf(frames[0].run, frames[0].line);
  return {
    name: clip(quietly(() => String((coreFailure(thrown) ?? thrown).name)) ?? "Error", 200),
    message: clip(message + because, 10_000),
    frames,
    members: quietly(() => membersMissed(thrown)),
    hint: quietly(() => explained(message, line, valueOf)),
  };
}

/** A cell's value may throw when it is looked at: then there is nothing to say. */
export function quietly<T>(look: () => T | undefined): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** What a name of the cells stands for, as far as that can be seen without calling anything. */
export const valueOf = (name: string): unknown => Reflect.getOwnPropertyDescriptor(globalThis, name)?.value;

const MEMBERS = 200;

/** Members of the cells' value of which the error says that it lacks one; undefined where it says
 * no such thing. Nothing of the value is called. */
function membersMissed({ message }: Error): string[] | undefined {
  const [, owner = ""] = /^([\w$]+)\.[\w$]+ is not a (?:function|constructor)\b/.exec(String(message).slice(0, 400)) ?? [];
  const value = valueOf(owner);
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined;
  const found = new Set<string>();
  for (let at: object | null = value, depth = 0; at && at !== Object.prototype && at !== Function.prototype && depth < 8; at = Reflect.getPrototypeOf(at), depth++) {
    for (const name of Object.getOwnPropertyNames(at).slice(0, MEMBERS)) if (/^[a-z]\w{0,60}$/i.test(name) && name !== "constructor") found.add(name);
  }
  return [...found].slice(0, MEMBERS);
}
