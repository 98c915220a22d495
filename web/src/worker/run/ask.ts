// Questions to the reader: whether a host may be reached, whether a device may be used.

import type { Answer, Want } from "../../protocol/messages";
import { currentRun } from "../channel/context";
import { send } from "../channel/port";
import { Requests } from "../channel/requests";

/** The reader did not allow it, or it cannot be had; the message says which. */
export class NotAllowed extends Error {
  override readonly name = "NotAllowed";
}

const asked = new Requests<Answer>();
export const askAnswered = (request: number, answer: Answer) => asked.answered(request, answer);

export interface Given {
  /** The number of the question, by which a device is known. */
  readonly source: number;
  readonly rate: number;
}

/** Asks; throws `NotAllowed` where the answer is no. */
export async function ask(want: Want, why: unknown): Promise<Given> {
  if (why !== undefined && typeof why !== "string") throw new TypeError(`${want.kind}: why must be a text, not ${typeof why}`);
  let source = 0;
  const answer = await asked.ask((request) => {
    source = request;
    send({ type: "ask", request, run: currentRun(), want, why: (why ?? "").slice(0, 300) });
  });
  if (!answer.ok) throw new NotAllowed(answer.message);
  return { source, rate: answer.rate };
}
