// The library's store for winners of kernel races. It asks the page and sends winners to it: a
// worker of opaque origin has no database.

import * as weft from "weft-gpu";
import { send } from "../channel/port";

const waiting = new Map<number, (text: string | null) => void>();
let lastRequest = 0;

export function winnersArrived(request: number, text: string | null): void {
  waiting.get(request)?.(text);
  waiting.delete(request);
}

function ask(name: string, text: string | null): Promise<string | null> {
  const request = ++lastRequest;
  const answer = new Promise<string | null>((resolve) => waiting.set(request, resolve));
  send({ type: "winners", request, name, text });
  return answer;
}

/** The page's store, as `init` takes it. */
export const store: weft.tune.Store = {
  get: (name) => ask(name, null),
  set: async (name, text) => void (await ask(name, text)),
};

/** The options of races that `init` gets, where the reader has set any. */
export const tuningOf = (allowed: boolean | null): Pick<weft.InitOptions, "tune"> => (allowed === null ? {} : { tune: allowed ? "idle" : false });

/** The reader has allowed races, or forbidden them, or brought winners. */
export async function tune(allowed: boolean | null, winners: readonly string[]): Promise<void> {
  try {
    await weft.init(tuningOf(allowed));
    for (const text of winners) weft.tune.import(text);
  } catch {
    // Winners of another device; or there is no device, and so nothing to tune.
  }
}
