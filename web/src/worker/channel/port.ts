// The worker's port to the page, the only one that it receives when it starts.

import type { ErrorReport, PageMessage, WorkerMessage } from "../../protocol/messages";
import { parseStack } from "../../state/code/errors";

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
  if (!(thrown instanceof Error)) {
    let message = "thrown value";
    try {
      message = typeof thrown === "object" ? JSON.stringify(thrown) : String(thrown);
    } catch {
      // What cannot be printed stays a thrown value.
    }
    return { name: "Thrown", message: clip(message, 2_000), frames: [] };
  }
  const cause = thrown.cause instanceof Error ? `\ncaused by ${thrown.cause.name}: ${thrown.cause.message}` : "";
  return {
    name: clip(String((coreFailure(thrown) ?? thrown).name), 200),
    message: clip(String(thrown.message) + cause, 10_000),
    frames: parseStack(String(thrown.stack ?? "")),
  };
}
