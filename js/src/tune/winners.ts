// Races between kernels, as users control them: run them, list them, and export and import the
// winners as text.

import { shown } from "../core/check/check.js";
import { compiles } from "../core/device/compiler.js";
import { core } from "../core/wasm/core.js";
import { ValueError } from "../core/errors.js";
import { raceAll } from "./idle.js";

/**
 * A race that was held between ways to run the same computation.
 *
 * @example
 * for (const race of tune.log()) console.log(String(race));
 */
export interface Race {
  /** What it was about: operation, layout, dtype, sizes to the nearest power of two. */
  readonly key: string;
  /** Who took part, first who served before, and the median of each in milliseconds; null for those
   * that fell behind at once. */
  readonly candidates: readonly { readonly choice: string; readonly milliseconds: number | null }[];
  /** Who won: a family of kernels, and what it is run with. */
  readonly winner: string;
  /** Half of what the winner's middle measurements span, in per cent of their median. */
  readonly spread: number;
  /** The race as text: the key, a line for each candidate, the fastest. */
  toString(): string;
}

/**
 * The races that were held on the open device, the oldest first.
 *
 * @example
 * tune.log().length; // 0
 */
export function log(): Race[] {
  return core().tune_log().split("\n\n").filter((text) => text !== "").map(read);
}

function read(text: string): Race {
  const [key = "", ...lines] = text.split("\n");
  const [, winner = "", spread] = /^Fastest: (.*) ±(.*)%$/.exec(lines.pop() ?? "") ?? [];
  const candidates = lines.map((line) => {
    const [choice = "", time = ""] = line.split(" => ");
    return { choice, milliseconds: time.endsWith("ms") ? parseFloat(time) : null };
  });
  return Object.defineProperty({ key, candidates, winner, spread: Number(spread) }, "toString", { value: () => text });
}

/**
 * How many kernels are being compiled in the background: shorter ones serve until they are there.
 *
 * @example
 * await tune.race();
 * tune.optimising(); // 0
 */
export function optimising(): number {
  return compiles.optimising;
}

/**
 * Holds all races that wait, now, and waits for kernels that are being compiled: a promise of their
 * end. Computations are waited for where there are any. Where tuning is off there are no races.
 *
 * @example
 * await ones([256, 256]).sum(1).data();
 * await tune.race(); // what runs from now on uses the winners
 */
export async function race(): Promise<void> {
  core();
  await raceAll();
}

/**
 * All winners on the open device, as text for `tune.import`; empty on the CPU.
 *
 * @example
 * const winners = tune.export();
 */
export function exportWinners(): string {
  return core().tune_export();
}

/**
 * Takes winners that were exported on the same kind of device with the same version of the package,
 * and tells how many were new. What is known already stays; entries that cannot be read are left
 * out. Throws `FormatError` for what is no such text, or of another device or version.
 *
 * @example
 * tune.import("nonsense"); // throws FormatError
 */
export function importWinners(winners: string): number {
  if (typeof winners !== "string") throw new ValueError("tune.import", `winners are text, as tune.export gives them, not ${shown(winners)}`);
  return core().tune_import(winners);
}
